#include "viewers/memory/memory_picture.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace gelens {
namespace {

bool isInRegion(const MemoryBuffer& buffer)
{
    return (buffer.kind == BufferKind::FeatureMap || buffer.kind == BufferKind::Workspace) && buffer.offset >= 0 &&
           buffer.blockBytes > 0 && buffer.lifetime.end > buffer.lifetime.begin;
}

/// Start time of each position: a position without a task (a constant, a view) starts where the one before ended.
std::vector<double> startTimes(const Run& run, std::size_t positions)
{
    std::vector<double> ofNode;
    for (const TimelineItem& item : run.timeline.items) {
        if (!item.node.isValid()) continue;
        const auto node = static_cast<std::size_t>(item.node.value);
        if (node >= ofNode.size()) ofNode.resize(node + 1, -1);
        if (ofNode[node] < 0) ofNode[node] = item.startUs;
    }
    std::vector<double> starts(positions + 1, 0);
    double latest = 0;
    for (std::size_t i = 0; i < positions; ++i) {
        const NodeId node = i < run.plan.order.size() ? run.plan.order[i] : NodeId{};
        if (node.isValid() && static_cast<std::size_t>(node.value) < ofNode.size())
            latest = std::max(latest, ofNode[static_cast<std::size_t>(node.value)]);
        starts[i] = latest;
    }
    // Views before a task wait for it: without this all of them would start at the end of what came before.
    starts[positions] = std::max(latest, run.timeline.totalUs);
    return starts;
}

} // namespace

MemoryPicture::MemoryPicture(const Run& run, const MemoryPlan& plan)
{
    std::size_t positions = plan.order.size();
    m_blockOfBuffer.assign(plan.buffers.size(), -1);
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const MemoryBuffer& buffer = plan.buffers[i];
        if (!isInRegion(buffer)) continue;
        constexpr std::int64_t last = std::numeric_limits<std::int32_t>::max();
        const auto end = std::min(buffer.lifetime.end, std::max<std::int64_t>(static_cast<std::int64_t>(positions), 1));
        const auto begin = std::clamp<std::int64_t>(buffer.lifetime.begin, 0, end - 1);
        if (end > last) continue;
        m_blocks.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(begin),
                            static_cast<std::int32_t>(end), buffer.offset, buffer.blockBytes});
        m_addressEnd = std::max(m_addressEnd, buffer.offset + buffer.blockBytes);
    }
    std::sort(m_blocks.begin(), m_blocks.end(), [](const Block& a, const Block& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.offset < b.offset;
    });
    std::vector<std::int64_t> delta(positions + 2, 0);
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        const Block& block = m_blocks[i];
        m_blockOfBuffer[static_cast<std::size_t>(block.buffer)] = static_cast<std::int32_t>(i);
        if (i % groupSize == 0) m_groupEnd.push_back(block.end);
        m_groupEnd.back() = std::max(m_groupEnd.back(), block.end);
        delta[static_cast<std::size_t>(block.begin)] += block.bytes;
        delta[static_cast<std::size_t>(block.end)] -= block.bytes;
    }
    m_live.assign(positions + 1, 0);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < positions; ++i) m_live[i] = sum += delta[i];
    if (positions > 0) m_live[positions] = m_live[positions - 1];
    if (!m_blocks.empty())
        m_peakPosition = static_cast<int>(std::max_element(m_live.begin(), m_live.end()) - m_live.begin());
    m_startUs = startTimes(run, positions);
    findTops();
}

void MemoryPicture::findTops()
{
    // Blocks come by begin; the highest end on top, and those that are over go when they come up.
    const auto isLower = [](const Block* a, const Block* b) { return a->offset + a->bytes < b->offset + b->bytes; };
    std::priority_queue<const Block*, std::vector<const Block*>, decltype(isLower)> alive(isLower);
    m_top.assign(m_live.size(), 0);
    std::size_t next = 0;
    for (std::size_t position = 0; position < m_top.size(); ++position) {
        for (; next < m_blocks.size() && m_blocks[next].begin <= static_cast<std::int64_t>(position); ++next)
            alive.push(&m_blocks[next]);
        while (!alive.empty() && alive.top()->end <= static_cast<std::int64_t>(position)) alive.pop();
        if (!alive.empty()) m_top[position] = alive.top()->offset + alive.top()->bytes;
    }
    if (m_top.size() > 1) m_top.back() = m_top[m_top.size() - 2];
}

int MemoryPicture::bufferAt(std::int64_t position, std::int64_t address) const
{
    int found = -1;
    forEachIn(position, position + 1, [&](const Block& block) {
        if (address >= block.offset && address < block.offset + block.bytes) found = block.buffer;
    });
    return found;
}

std::vector<int> MemoryPicture::aliveAt(std::int64_t position) const
{
    std::vector<const Block*> alive;
    forEachIn(position, position + 1, [&](const Block& block) { alive.push_back(&block); });
    std::stable_sort(alive.begin(), alive.end(), [](const Block* a, const Block* b) { return a->bytes > b->bytes; });
    std::vector<int> buffers;
    for (const Block* block : alive) buffers.push_back(block->buffer);
    return buffers;
}

const MemoryPicture::Block* MemoryPicture::blockOf(int buffer) const
{
    if (buffer < 0 || static_cast<std::size_t>(buffer) >= m_blockOfBuffer.size()) return nullptr;
    const std::int32_t at = m_blockOfBuffer[static_cast<std::size_t>(buffer)];
    return at < 0 ? nullptr : &m_blocks[static_cast<std::size_t>(at)];
}

std::vector<int> MemoryPicture::sharersOf(int buffer, std::size_t limit) const
{
    std::vector<int> sharers;
    const Block* self = blockOf(buffer);
    if (self == nullptr) return sharers;
    for (const Block& other : m_blocks) {
        if (sharers.size() >= limit) break;
        if (other.buffer != buffer && other.offset < self->offset + self->bytes &&
            self->offset < other.offset + other.bytes)
            sharers.push_back(other.buffer);
    }
    return sharers;
}

std::string producerType(const Run& run, const MemoryBuffer& buffer)
{
    const auto graph = run.graphAt(run.lastStep());
    if (!graph || !buffer.tensor.node.isValid() || buffer.tensor.node.value >= graph->nodeIdBound()) return {};
    return graph->node(buffer.tensor.node).type;
}

} // namespace gelens
