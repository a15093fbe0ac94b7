#include "engine/memory/planners/ge.h"

#include <algorithm>
#include <deque>
#include <map>

namespace gelens {

namespace {

constexpr std::int64_t blockAlignment = 512;

struct Block {
    std::int64_t size = 0;
    std::int64_t stream = 0;
    std::vector<int> members; // requests, by begin
    int memberCount = 0;      // references counted
    std::vector<Block*> children;
    std::int64_t childEnd = 0; // bytes of the block that children have taken
    bool isChild = false;
    bool mayJoin = true;
    bool isContinuous = false;
    std::int64_t offset = 0;
};

class BlockAssigner {
public:
    BlockAssigner(std::span<const GeRequest> requests, std::span<const GeStreamEdge> edges) : m_requests(requests), m_edges(edges) {}

    std::int64_t runBinary(std::vector<std::int64_t>& offsets)
    {
        reuseEqualBlocks(0);
        nestBlocks();
        return layOut(offsets);
    }

    std::int64_t runMax(std::vector<std::int64_t>& offsets)
    {
        std::int64_t largest = 0;
        for (const GeRequest& request : m_requests)
            if (request.zeroCopy == GeRequest::ZeroCopy::No) largest = std::max(largest, request.single > 0 ? request.single : request.size);
        reuseEqualBlocks(largest);
        return layOut(offsets);
    }

private:
    const GeRequest& request(int index) const { return m_requests[static_cast<std::size_t>(index)]; }
    std::int64_t releasedBy(int index) const { return request(index).released < 0 ? request(index).end : request(index).released; }

    /// Level 1. `common` > 0: every request asks for that size, and blocks shrink to their largest member in the end.
    void reuseEqualBlocks(std::int64_t common)
    {
        // Requests by the node that releases them last.
        std::vector<int> byEnd;
        for (int i = 0; i < static_cast<int>(m_requests.size()); ++i)
            if (request(i).end != GeRequest::never && request(i).mayTakeFreed && !request(i).isContinuous) byEnd.push_back(i);
        std::stable_sort(byEnd.begin(), byEnd.end(), [&](int a, int b) {
            const std::int64_t x = releasedBy(a), y = releasedBy(b);
            return x != y ? x < y : request(a).releaseOrder < request(b).releaseOrder;
        });
        std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Block*>> pool; // (stream, size) → last released last
        std::vector<Block*> blockOf(m_requests.size(), nullptr);
        std::size_t released = 0;
        for (int i = 0; i < static_cast<int>(m_requests.size()); ++i) {
            const GeRequest& one = request(i);
            for (; released < byEnd.size() && releasedBy(byEnd[released]) < one.begin; ++released) {
                Block* block = blockOf[static_cast<std::size_t>(byEnd[released])];
                pool[{block->stream, std::max(common, common > 0 ? request(block->members.front()).size : block->size)}].push_back(block);
            }
            Block* block = nullptr;
            auto& free = pool[{one.stream, std::max(common, one.size)}];
            // The last released that is dead: one that another stream reads may wait in the pool for its end.
            const auto dead = std::find_if(free.rbegin(), free.rend(), [&](const Block* candidate) {
                return request(candidate->members.back()).end < one.begin;
            });
            if (one.mayTakeFreed && !one.isContinuous && !one.isSliced && dead != free.rend()) {
                block = *dead;
                free.erase(std::next(dead).base());
            } else {
                block = &m_storage.emplace_back();
                block->stream = one.stream;
                block->mayJoin = one.mayTakeFreed;
                block->isContinuous = one.isContinuous;
                m_blocks.push_back(block);
            }
            block->size = std::max(block->size, one.size);
            block->members.push_back(i);
            block->memberCount += 1 + one.references;
            blockOf[static_cast<std::size_t>(i)] = block;
        }
    }

    /// Level 2.
    void nestBlocks()
    {
        sortFrom(0);
        for (std::size_t i = 0; i < m_blocks.size(); ++i) {
            Block* parent = m_blocks[i];
            if (parent->isChild || !parent->mayJoin) continue;
            for (std::size_t j = i + 1; j < m_blocks.size(); ++j) {
                Block* block = m_blocks[j];
                if (block->isChild || !block->mayJoin || block->isContinuous || !block->children.empty()) continue;
                Block* rest = nullptr;
                if (!moveInto(*parent, *block, block->members, rest) || !rest) continue;
                m_blocks.insert(m_blocks.begin() + static_cast<std::ptrdiff_t>(j) + 1, rest);
                const bool isOutOfOrder = j + 2 < m_blocks.size() && rest->size < m_blocks[j + 2]->size;
                if (isOutOfOrder) sortFrom(j + 1);
            }
        }
    }

    /// GE sets the begin of what may not take freed memory to 1. A block with slices sorts like that too, and as one
    /// member: seen in a plan of GE's, not in its description.
    std::int64_t sortBegin(const Block& block) const
    {
        const GeRequest& first = request(block.members.front());
        return first.mayTakeFreed && !first.isSliced ? first.begin : 1;
    }

    int sortCount(const Block& block) const { return request(block.members.front()).isSliced ? 1 : block.memberCount; }

    void sortFrom(std::size_t first)
    {
        // GE uses an unstable sort; the same standard library gives the same order of ties.
        std::sort(m_blocks.begin() + static_cast<std::ptrdiff_t>(first), m_blocks.end(), [&](const Block* a, const Block* b) {
            if (a->size != b->size) return a->size > b->size;
            if (sortCount(*a) != sortCount(*b)) return sortCount(*a) < sortCount(*b);
            return sortBegin(*a) < sortBegin(*b);
        });
    }

    bool crosses(const Block& block, int member) const
    {
        const GeRequest& one = request(member);
        for (const int other : block.members) {
            const GeRequest& two = request(other);
            if (one.begin <= two.end && two.begin <= one.end) return true;
        }
        return false;
    }

    /// Blocks of two streams: whether one is over, and an edge says so, before the other begins.
    bool areProvedApart(const Block& a, const Block& b) const { return isProvedBefore(a, b) || isProvedBefore(b, a); }

    bool isProvedBefore(const Block& early, const Block& late) const
    {
        std::int64_t end = 0, begin = GeRequest::never;
        for (const int member : early.members) end = std::max(end, request(member).end);
        for (const int member : late.members) begin = std::min(begin, request(member).begin);
        return end != GeRequest::never && std::any_of(m_edges.begin(), m_edges.end(), [&](const GeStreamEdge& edge) {
            return edge.fromStream == early.stream && edge.toStream == late.stream && edge.from > end && edge.to <= begin;
        });
    }

    /// Moves those of `candidates` that do not live together with `parent` into it or into one of its children, depth
    /// first. What stays becomes `rest`.
    bool moveInto(Block& parent, Block& block, const std::vector<int>& candidates, Block*& rest)
    {
        struct Frame {
            Block* parent;
            std::vector<int> fitting;
            std::size_t nextChild = 0;
        };
        std::vector<Frame> stack;
        const auto enter = [&](Block& where, const std::vector<int>& from) {
            std::vector<int> fitting;
            if (where.stream != block.stream) {
                if (from.size() == block.members.size() && areProvedApart(where, block)) fitting = from;
            } else {
                for (const int member : from)
                    if (!request(member).isSliced && !crosses(where, member)) fitting.push_back(member);
            }
            if (!fitting.empty()) stack.push_back({&where, std::move(fitting)});
        };
        enter(parent, candidates);
        while (!stack.empty()) {
            Frame& frame = stack.back();
            if (frame.nextChild < frame.parent->children.size()) {
                Block& child = *frame.parent->children[frame.nextChild++];
                const std::vector<int> fitting = frame.fitting;
                enter(child, fitting);
                continue;
            }
            Block& target = *frame.parent;
            const std::int64_t tolerance = block.size == blockAlignment || target.isContinuous ? 0 : blockAlignment;
            if (target.childEnd + block.size <= target.size + tolerance) {
                rest = split(block, frame.fitting);
                target.children.push_back(&block);
                target.childEnd += block.size;
                block.isChild = true;
                return true;
            }
            stack.pop_back();
        }
        return false;
    }

    Block* split(Block& block, const std::vector<int>& moving)
    {
        if (moving.size() == block.members.size()) return nullptr;
        Block* rest = &m_storage.emplace_back();
        rest->stream = block.stream;
        for (const int member : block.members) {
            if (std::find(moving.begin(), moving.end(), member) != moving.end()) continue;
            rest->members.push_back(member);
            rest->memberCount += 1 + request(member).references;
            rest->size = std::max(rest->size, request(member).size);
        }
        block.members = moving;
        block.memberCount = 0;
        for (const int member : moving)
            block.memberCount += 1 + request(member).references;
        return rest;
    }

    /// A block is as large as its largest member or as its children side by side, which the tolerance of level 2 can make
    /// 512 more. Children first, so that what grew pushes its neighbours.
    static void growToChildren(Block& top)
    {
        std::vector<std::pair<Block*, std::size_t>> open{{&top, 0}};
        while (!open.empty()) {
            auto& [block, next] = open.back();
            if (next < block->children.size()) {
                open.emplace_back(block->children[next++], 0);
                continue;
            }
            std::int64_t sum = 0;
            for (const Block* child : block->children)
                sum += child->size;
            block->size = std::max(block->size, sum);
            open.pop_back();
        }
    }

    std::int64_t layOut(std::vector<std::int64_t>& offsets)
    {
        offsets.assign(m_requests.size(), 0);
        std::int64_t total = 0;
        for (Block* block : m_blocks) {
            if (block->isChild || zeroCopyOf(*block) != GeRequest::ZeroCopy::No) continue;
            growToChildren(*block);
            block->offset = total;
            total += block->size;
            std::vector<Block*> open{block};
            while (!open.empty()) {
                Block* one = open.back();
                open.pop_back();
                for (const int member : one->members)
                    offsets[static_cast<std::size_t>(member)] = one->offset;
                std::int64_t at = one->offset;
                for (Block* child : one->children) {
                    child->offset = at;
                    at += child->size;
                    open.push_back(child);
                }
            }
        }
        layOutZeroCopy(offsets);
        return total;
    }

    GeRequest::ZeroCopy zeroCopyOf(const Block& block) const { return request(block.members.front()).zeroCopy; }

    /// From 0: outputs in the order of the list, then inputs, smallest first, so that one copy can bring them all.
    void layOutZeroCopy(std::vector<std::int64_t>& offsets) const
    {
        std::int64_t at = 0;
        std::vector<const Block*> inputs;
        const auto put = [&](const Block& block) {
            offsets[static_cast<std::size_t>(block.members.front())] = at;
            at += block.size;
        };
        for (const Block* block : m_blocks) {
            if (zeroCopyOf(*block) == GeRequest::ZeroCopy::Output) put(*block);
            if (zeroCopyOf(*block) == GeRequest::ZeroCopy::Input) inputs.push_back(block);
        }
        std::stable_sort(inputs.begin(), inputs.end(), [](const Block* a, const Block* b) { return a->size < b->size; });
        for (const Block* block : inputs) put(*block);
    }

    std::span<const GeRequest> m_requests;
    std::span<const GeStreamEdge> m_edges;
    std::deque<Block> m_storage;
    std::vector<Block*> m_blocks;
};

} // namespace

GePlan planGe(std::span<const GeRequest> requests, std::span<const GeStreamEdge> edges)
{
    GePlan plan;
    std::vector<std::int64_t> maxOffsets;
    plan.binaryTotal = BlockAssigner(requests, edges).runBinary(plan.offsets);
    plan.maxTotal = BlockAssigner(requests, edges).runMax(maxOffsets);
    plan.winner = "binary-block";
    plan.total = plan.binaryTotal;
    if (plan.maxTotal < plan.binaryTotal) {
        plan.winner = "max-block";
        plan.total = plan.maxTotal;
        plan.offsets = std::move(maxOffsets);
    }
    return plan;
}

} // namespace gelens
