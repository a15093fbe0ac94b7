#pragma once
// One pass over a tensor that folds some of its dims; private to engine/ops.

#include "engine/ops/kernel_helpers.h"

#include <vector>

namespace gelens {

/// The dims of a tensor with neighbours of one kind merged, and where each element goes in the result.
class ReducePlan {
public:
    /// `axes`: positive, sorted.
    ReducePlan(const Shape& shape, const std::vector<int>& axes);

    std::int64_t outputCount() const { return m_outputCount; }
    /// Elements folded into each result.
    std::int64_t foldedCount() const { return m_foldedCount; }
    std::int64_t rowLength() const { return m_dims.back(); }
    /// Whether a row of the input folds into one element of the result; else it meets a row of the result.
    bool foldsRows() const { return m_outStrides.back() == 0; }

    /// f(inOffset, outOffset) for each row of the input in memory order.
    template <typename F>
    void forEachRow(F&& f) const
    {
        std::vector<std::int64_t> index(m_dims.size(), 0);
        std::int64_t out = 0;
        for (std::int64_t row = 0; row < m_rowCount; ++row) {
            f(row * rowLength(), out);
            for (std::size_t d = m_dims.size() - 1; d-- > 0;) {
                out += m_outStrides[d];
                if (++index[d] < m_dims[d]) break;
                out -= m_outStrides[d] * m_dims[d];
                index[d] = 0;
            }
        }
    }

private:
    std::vector<std::int64_t> m_dims;       // at least one
    std::vector<std::int64_t> m_outStrides; // 0 for folded dims
    std::int64_t m_rowCount = 1, m_outputCount = 1, m_foldedCount = 1;
};

/// Folds `x` with a Fold: struct with `State`, `static State start()`, `static void step(State&, C)`,
/// `static void join(State&, const State&)`. Eight states along a row hide the latency of each other.
template <typename Fold, typename T>
std::vector<typename Fold::State> reduceAll(const ReducePlan& plan, const T* x)
{
    using State = typename Fold::State;
    std::vector<State> states(static_cast<std::size_t>(plan.outputCount()), Fold::start());
    const std::int64_t n = plan.rowLength();
    const bool foldsRows = plan.foldsRows();
    plan.forEachRow([&](std::int64_t from, std::int64_t to) {
        const T* const row = x + from;
        State* const result = states.data() + to;
        if (!foldsRows) {
            for (std::int64_t i = 0; i < n; ++i) Fold::step(result[i], load(row[i]));
            return;
        }
        constexpr std::int64_t lanes = 8;
        std::int64_t i = 0;
        if (n >= 2 * lanes) {
            State lane[lanes];
            for (State& state : lane) state = Fold::start();
            for (; i + lanes <= n; i += lanes)
                for (std::int64_t k = 0; k < lanes; ++k) Fold::step(lane[k], load(row[i + k]));
            for (const State& state : lane) Fold::join(*result, state);
        }
        for (; i < n; ++i) Fold::step(*result, load(row[i]));
    });
    return states;
}

} // namespace gelens
