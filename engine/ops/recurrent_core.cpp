#include "engine/ops/recurrent_core.h"

#include "engine/ops/cube_common.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelens::recurrent {

int gateCount(Cell cell) { return cell == Cell::Rnn ? 1 : cell == Cell::Gru ? 3 : 4; }

namespace {

struct ActivationEntry {
    std::string_view name; // lower case
    float (*function)(float, float, float);
    bool takesAlpha, takesBeta;
    float alpha, beta; // defaults
};

constexpr ActivationEntry activationTable[] = {
    {"relu", [](float x, float, float) { return std::max(x, 0.0f); }, false, false, 0, 0},
    {"tanh", [](float x, float, float) { return std::tanh(x); }, false, false, 0, 0},
    {"sigmoid", [](float x, float, float) { return 1.0f / (1.0f + std::exp(-x)); }, false, false, 0, 0},
    {"affine", [](float x, float a, float b) { return a * x + b; }, true, true, 1, 0},
    {"leakyrelu", [](float x, float a, float) { return x >= 0 ? x : a * x; }, true, false, 0.01f, 0},
    {"thresholdedrelu", [](float x, float a, float) { return x > a ? x : 0.0f; }, true, false, 1, 0},
    {"scaledtanh", [](float x, float a, float b) { return a * std::tanh(b * x); }, true, true, 1, 1},
    {"hardsigmoid", [](float x, float a, float b) { return std::clamp(a * x + b, 0.0f, 1.0f); }, true, true, 0.2f,
     0.5f},
    {"elu", [](float x, float a, float) { return x >= 0 ? x : a * std::expm1(x); }, true, false, 1, 0},
    {"softsign", [](float x, float, float) { return x / (1.0f + std::fabs(x)); }, false, false, 0, 0},
    {"softplus", [](float x, float, float) { return x > 20 ? x : std::log1p(std::exp(x)); }, false, false, 0, 0},
};

std::vector<std::string> defaultActivations(Cell cell)
{
    if (cell == Cell::Rnn) return {"tanh"};
    if (cell == Cell::Gru) return {"sigmoid", "tanh"};
    return {"sigmoid", "tanh", "tanh"};
}

/// One direction at work.
class Direction {
public:
    Direction(Job& job, std::int64_t index)
        : m_job(job), m_s(job.sizes), m_index(index), m_width(m_s.gates * m_s.hidden),
          m_isReverse(index == 1 || m_s.isReverse)
    {
        const auto functions = static_cast<std::int64_t>(job.activations.size()) / m_s.directions;
        m_f = job.activations[static_cast<std::size_t>(index * functions)];
        if (functions > 1) m_g = job.activations[static_cast<std::size_t>(index * functions + 1)];
        if (functions > 2) m_h = job.activations[static_cast<std::size_t>(index * functions + 2)];
        const auto state = static_cast<std::size_t>(m_s.batch * m_s.hidden);
        m_hidden.assign(state, 0.0f);
        m_cell.assign(state, 0.0f);
        const auto from = static_cast<std::int64_t>(state) * index;
        if (!job.initialHidden.empty()) std::copy_n(job.initialHidden.begin() + from, state, m_hidden.begin());
        if (!job.initialCell.empty()) std::copy_n(job.initialCell.begin() + from, state, m_cell.begin());
        m_bias.assign(static_cast<std::size_t>(2 * m_width), 0.0f);
        if (!job.bias.empty()) std::copy_n(job.bias.begin() + 2 * m_width * index, 2 * m_width, m_bias.begin());
        m_peephole.assign(static_cast<std::size_t>(3 * m_s.hidden), 0.0f);
        if (!job.peephole.empty())
            std::copy_n(job.peephole.begin() + 3 * m_s.hidden * index, 3 * m_s.hidden, m_peephole.begin());
    }

    bool run()
    {
        // The products with x of all steps at once, then one small product for each step.
        m_fromInput.resize(static_cast<std::size_t>(m_s.steps * m_s.batch * m_width));
        gemmFloat(false, true, m_s.steps * m_s.batch, m_width, m_s.input, m_job.x.data(),
                  m_job.w.data() + m_index * m_width * m_s.input, m_fromInput.data());
        m_fromHidden.resize(static_cast<std::size_t>(m_s.batch * m_width));
        const float* const r = m_job.r.data() + m_index * m_width * m_s.hidden;
        for (std::int64_t step = 0; step < m_s.steps; ++step) {
            if (m_job.stop.stop_requested()) return false;
            gemmFloat(false, true, m_s.batch, m_width, m_s.hidden, m_hidden.data(), r, m_fromHidden.data());
            if (m_job.cell == Cell::Gru && !m_job.linearBeforeReset) resetThenMultiply(step, r);
            for (std::int64_t b = 0; b < m_s.batch; ++b)
                if (step < m_job.lengths[static_cast<std::size_t>(b)]) stepOf(b, timeOf(step, b));
        }
        const auto state = static_cast<std::int64_t>(m_hidden.size());
        std::copy(m_hidden.begin(), m_hidden.end(), m_job.hidden.begin() + m_index * state);
        std::copy(m_cell.begin(), m_cell.end(), m_job.cellState.begin() + m_index * state);
        return true;
    }

private:
    std::int64_t timeOf(std::int64_t step, std::int64_t b) const
    {
        return m_isReverse ? m_job.lengths[static_cast<std::size_t>(b)] - 1 - step : step;
    }
    float bounded(float value) const { return m_job.clip > 0 ? std::clamp(value, -m_job.clip, m_job.clip) : value; }
    /// x's and h's part of a gate, and both biases.
    float gate(std::int64_t b, const float* input, std::int64_t g, std::int64_t i) const
    {
        const std::int64_t at = g * m_s.hidden + i;
        return input[at] + m_fromHidden[static_cast<std::size_t>(b * m_width + at)] +
               m_bias[static_cast<std::size_t>(at)] + m_bias[static_cast<std::size_t>(m_width + at)];
    }
    const float* inputPart(std::int64_t b, std::int64_t time) const
    {
        return m_fromInput.data() + (time * m_s.batch + b) * m_width;
    }

    /// The usual GRU multiplies the reset state: the third gate's product waits for the second gate.
    void resetThenMultiply(std::int64_t step, const float* r)
    {
        std::vector<float> reset(m_hidden.size(), 0.0f), product(m_hidden.size());
        for (std::int64_t b = 0; b < m_s.batch; ++b) {
            if (step >= m_job.lengths[static_cast<std::size_t>(b)]) continue;
            const float* const input = inputPart(b, timeOf(step, b));
            for (std::int64_t i = 0; i < m_s.hidden; ++i) {
                const auto at = static_cast<std::size_t>(b * m_s.hidden + i);
                reset[at] = m_f(bounded(gate(b, input, 1, i))) * m_hidden[at];
            }
        }
        gemmFloat(false, true, m_s.batch, m_s.hidden, m_s.hidden, reset.data(), r + 2 * m_s.hidden * m_s.hidden,
                  product.data());
        for (std::int64_t b = 0; b < m_s.batch; ++b)
            std::copy_n(product.begin() + b * m_s.hidden, m_s.hidden,
                        m_fromHidden.begin() + b * m_width + 2 * m_s.hidden);
    }

    void stepOf(std::int64_t b, std::int64_t time)
    {
        const float* const input = inputPart(b, time);
        float* const y = m_job.y.data() + ((time * m_s.directions + m_index) * m_s.batch + b) * m_s.hidden;
        for (std::int64_t i = 0; i < m_s.hidden; ++i) {
            const auto at = static_cast<std::size_t>(b * m_s.hidden + i);
            switch (m_job.cell) {
            case Cell::Rnn: y[i] = m_f(bounded(gate(b, input, 0, i))); break;
            case Cell::Gru: y[i] = gru(b, input, i, m_hidden[at]); break;
            case Cell::Lstm: y[i] = lstm(b, input, i, m_cell[at]); break;
            }
            m_hidden[at] = y[i];
        }
    }

    float gru(std::int64_t b, const float* input, std::int64_t i, float before) const
    {
        const float z = m_f(bounded(gate(b, input, 0, i)));
        float candidate = 0;
        if (m_job.linearBeforeReset) {
            const std::int64_t at = 2 * m_s.hidden + i;
            const float reset = m_f(bounded(gate(b, input, 1, i)));
            candidate = input[at] + m_bias[static_cast<std::size_t>(at)] +
                        reset * (m_fromHidden[static_cast<std::size_t>(b * m_width + at)] +
                                 m_bias[static_cast<std::size_t>(m_width + at)]);
        } else {
            candidate = gate(b, input, 2, i);
        }
        return (1.0f - z) * m_g(bounded(candidate)) + z * before;
    }

    float lstm(std::int64_t b, const float* input, std::int64_t i, float& cell) const
    {
        const auto peep = [&](std::int64_t which) {
            return m_peephole[static_cast<std::size_t>(which * m_s.hidden + i)];
        };
        const float in = m_f(bounded(gate(b, input, 0, i) + peep(0) * cell));
        const float forget = m_job.inputForget ? 1.0f - in : m_f(bounded(gate(b, input, 2, i) + peep(2) * cell));
        const float candidate = m_g(bounded(gate(b, input, 3, i)));
        cell = forget * cell + in * candidate;
        const float out = m_f(bounded(gate(b, input, 1, i) + peep(1) * cell));
        return out * m_h(cell);
    }

    Job& m_job;
    const Sizes& m_s;
    std::int64_t m_index, m_width;
    bool m_isReverse;
    Activation m_f, m_g, m_h;
    std::vector<float> m_hidden, m_cell, m_bias, m_peephole, m_fromInput, m_fromHidden;
};

} // namespace

Result<std::vector<Activation>> readActivations(Cell cell, std::int64_t directions,
                                                const std::vector<std::string>& given, std::span<const float> alphas,
                                                std::span<const float> betas)
{
    std::vector<std::string> names = given;
    if (names.empty())
        for (std::int64_t d = 0; d < directions; ++d)
            for (std::string& name : defaultActivations(cell)) names.push_back(std::move(name));
    const std::size_t wanted = defaultActivations(cell).size() * static_cast<std::size_t>(directions);
    if (names.size() != wanted)
        return Error::invalid(fmt::format("{} activations are given, {} are needed", names.size(), wanted));
    std::vector<Activation> result;
    std::size_t alpha = 0, beta = 0;
    for (std::string name : names) {
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        const auto* const entry = std::find_if(std::begin(activationTable), std::end(activationTable),
                                               [&](const ActivationEntry& e) { return e.name == name; });
        if (entry == std::end(activationTable))
            return Error::invalid(fmt::format("no activation is called '{}'", name));
        Activation activation{entry->function, entry->alpha, entry->beta};
        if (entry->takesAlpha && alpha < alphas.size()) activation.alpha = alphas[alpha++];
        if (entry->takesBeta && beta < betas.size()) activation.beta = betas[beta++];
        result.push_back(activation);
    }
    return result;
}

bool run(Job& job)
{
    const Sizes& s = job.sizes;
    const auto state = static_cast<std::size_t>(s.directions * s.batch * s.hidden);
    job.y.assign(static_cast<std::size_t>(s.steps) * state, 0.0f); // steps beyond a sequence's length stay zero
    job.hidden.assign(state, 0.0f);
    job.cellState.assign(state, 0.0f);
    for (std::int64_t direction = 0; direction < s.directions; ++direction)
        if (!Direction(job, direction).run()) return false;
    return true;
}

} // namespace gelens::recurrent
