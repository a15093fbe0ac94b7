#pragma once
// What the memory view paints: rectangles (lifetime × block) with an index by time, and the curve of live bytes.

#include "engine/session/run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gelens {

/// Built once for a plan, on any thread; read-only afterwards. 100,000 buffers take a few megabytes.
class MemoryPicture {
public:
    struct Block {
        std::int32_t buffer = -1;           ///< index in the plan
        std::int32_t begin = 0, end = 0;    ///< positions in the task order, half open
        std::int64_t offset = 0, bytes = 0; ///< address range in the feature-map region
    };

    MemoryPicture() = default;
    explicit MemoryPicture(const Run& run) : MemoryPicture(run, run.plan) {}
    /// The same run with the places of another plan of its buffers.
    MemoryPicture(const Run& run, const MemoryPlan& plan);

    /// Blocks of the feature map and workspaces, by begin.
    const std::vector<Block>& blocks() const { return m_blocks; }
    /// Live bytes at each position; one more entry than positions (the last repeats).
    const std::vector<std::int64_t>& live() const { return m_live; }
    /// First address above all that is in use at each position, as long as `live`: the difference lies free in holes.
    const std::vector<std::int64_t>& top() const { return m_top; }
    /// Bytes that lie free below the highest place in use; the position's holes together.
    std::int64_t holesAt(int position) const
    {
        const auto at = static_cast<std::size_t>(position);
        return position < 0 || at >= m_live.size() ? 0 : m_top[at] - m_live[at];
    }
    /// Estimated start of each position in µs, not falling; the last entry is the end of the run.
    const std::vector<double>& startUs() const { return m_startUs; }
    std::int64_t addressEnd() const { return m_addressEnd; }
    int positions() const { return static_cast<int>(m_live.size()) - 1; }
    int peakPosition() const { return m_peakPosition; } ///< -1 for a plan without blocks
    std::int64_t peakLive() const { return m_peakPosition < 0 ? 0 : m_live[static_cast<std::size_t>(m_peakPosition)]; }

    /// Calls f(const Block&) for each block alive in [from, to), in order of begin. Skips groups that ended before.
    template <typename F>
    void forEachIn(std::int64_t from, std::int64_t to, F&& f) const
    {
        for (std::size_t group = 0; group < m_groupEnd.size(); ++group) {
            const std::size_t first = group * groupSize;
            if (m_blocks[first].begin >= to) return;
            if (m_groupEnd[group] <= from) continue;
            const std::size_t last = std::min(first + groupSize, m_blocks.size());
            for (std::size_t i = first; i < last && m_blocks[i].begin < to; ++i)
                if (m_blocks[i].end > from) f(m_blocks[i]);
        }
    }
    /// Where a buffer lies; null for one outside the region (weights, inputs, outputs) or without a place.
    const Block* blockOf(int buffer) const;
    /// The buffer at a position and address; -1 when the place is free.
    int bufferAt(std::int64_t position, std::int64_t address) const;
    /// Buffers alive at a position, largest first.
    std::vector<int> aliveAt(std::int64_t position) const;
    /// Other buffers whose addresses overlap those of one, at other times; by begin, at most `limit`.
    std::vector<int> sharersOf(int buffer, std::size_t limit) const;

private:
    void findTops();
    static constexpr std::size_t groupSize = 64;
    std::vector<Block> m_blocks;
    std::vector<std::int32_t> m_groupEnd;      ///< latest end in each group of blocks
    std::vector<std::int32_t> m_blockOfBuffer; ///< index in m_blocks, -1 for weights, inputs, outputs
    std::vector<std::int64_t> m_live, m_top;
    std::vector<double> m_startUs;
    std::int64_t m_addressEnd = 0;
    int m_peakPosition = -1;
};

/// Type and name of the operator that makes a buffer, from the final graph.
std::string producerType(const Run& run, const MemoryBuffer& buffer);

} // namespace gelens
