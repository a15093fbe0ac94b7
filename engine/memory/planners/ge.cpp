#include "engine/memory/planners/ge.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

namespace gelens {

namespace {

constexpr std::int64_t blockAlignment = 512;
constexpr std::size_t maxDepth = 100; // of blocks in blocks, as in GE

struct Block {
    std::int64_t size = 0;
    std::int64_t asked = 0; // the size under which it waits in the pool
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

/// What the assigners differ in.
struct Variant {
    const char* name;
    enum class Asks { Own, Largest, Range } asks = Asks::Own; ///< the size that is asked for
    bool isDescending = false;                                ///< of equal blocks the one that begins later comes first
    bool takesFirstFreed = false; ///< of free blocks the one that was released first is taken
};
using Asks = Variant::Asks;
// In GE's order.
constexpr Variant variants[] = {
    {"binary-block", Asks::Own, false, false},
    {"max-block", Asks::Largest, false, false},
    {"range-binary-block-descending-frfr", Asks::Range, true, true},
    {"range-binary-block-ascending-frfr", Asks::Range, false, true},
    {"range-binary-block-descending-frlr", Asks::Range, true, false},
    {"range-binary-block-ascending-frlr", Asks::Range, false, false},
};

class BlockAssigner {
public:
    BlockAssigner(std::span<const GeRequest> requests, std::span<const GeStreamEdge> edges, const GeOptions& options,
                  const Variant& variant)
        : m_requests(requests), m_edges(edges), m_options(options), m_variant(variant)
    {
    }

    std::int64_t run(std::vector<std::int64_t>& offsets)
    {
        for (const GeRequest& request : m_requests)
            if (request.zeroCopy == GeRequest::ZeroCopy::No)
                m_largest = std::max(m_largest, request.single > 0 ? request.single : request.size);
        reuseEqualBlocks();
        if (!m_options.reusesNothing && m_variant.asks != Asks::Largest) nestBlocks();
        gatherGroups();
        return layOut(offsets);
    }

private:
    const GeRequest& request(int index) const { return m_requests[static_cast<std::size_t>(index)]; }
    std::int64_t releasedBy(int index) const
    {
        return request(index).released < 0 ? request(index).end : request(index).released;
    }

    /// The size of the block that a request asks for.
    std::int64_t askedBy(int index) const
    {
        const GeRequest& one = request(index);
        if (m_variant.asks == Asks::Largest) return std::max(m_largest, one.size);
        if (m_variant.asks == Asks::Own) return one.size;
        const std::int64_t exact = one.bytes > 0 ? one.bytes : one.size;
        const auto ceil = std::lower_bound(m_options.rangeCeils.begin(), m_options.rangeCeils.end(), exact);
        if (ceil == m_options.rangeCeils.end()) return one.size;
        return (*ceil + blockAlignment - 1) / blockAlignment * blockAlignment;
    }

    /// Requests that give their blocks back, in that order.
    std::vector<int> releases() const
    {
        std::vector<int> byEnd;
        for (int i = 0; i < static_cast<int>(m_requests.size()); ++i)
            if (request(i).end != GeRequest::never && request(i).mayTakeFreed && !request(i).isContinuous)
                byEnd.push_back(i);
        std::stable_sort(byEnd.begin(), byEnd.end(), [&](int a, int b) {
            const std::int64_t x = releasedBy(a), y = releasedBy(b);
            if (x != y) return x < y;
            const GeRequest &one = request(a), &two = request(b);
            const bool areInputs =
                one.releaseOrder < GeRequest::afterInputs && two.releaseOrder < GeRequest::afterInputs;
            if (m_options.isMemoryPriority && areInputs && one.begin != two.begin) return one.begin < two.begin;
            return one.releaseOrder < two.releaseOrder;
        });
        return byEnd;
    }

    /// Level 1.
    void reuseEqualBlocks()
    {
        const std::vector<int> byEnd = releases();
        std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Block*>>
            pool; // (stream, size) → last released last
        std::vector<Block*> blockOf(m_requests.size(), nullptr);
        std::size_t released = 0;
        for (int i = 0; i < static_cast<int>(m_requests.size()); ++i) {
            const GeRequest& one = request(i);
            for (; released < byEnd.size() && releasedBy(byEnd[released]) < one.begin; ++released) {
                Block* block = blockOf[static_cast<std::size_t>(byEnd[released])];
                pool[{block->stream, block->asked}].push_back(block);
            }
            auto& free = pool[{one.stream, askedBy(i)}];
            Block* block =
                one.mayTakeFreed && !one.isContinuous && !m_options.reusesNothing ? takeFrom(free, one.begin) : nullptr;
            if (!block) {
                block = &m_storage.emplace_back();
                block->stream = one.stream;
                block->asked = askedBy(i);
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

    /// A block that is dead by then: one that another stream reads may wait in the pool for its end. Null for none.
    Block* takeFrom(std::vector<Block*>& free, std::int64_t begin) const
    {
        const auto isDead = [&](const Block* candidate) { return request(candidate->members.back()).end < begin; };
        auto found = std::find_if(free.begin(), free.end(), isDead);
        if (!m_variant.takesFirstFreed) {
            const auto last = std::find_if(free.rbegin(), free.rend(), isDead);
            found = last == free.rend() ? free.end() : std::prev(last.base());
        }
        if (found == free.end()) return nullptr;
        Block* block = *found;
        free.erase(found);
        return block;
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
                std::vector<Block*> rests;
                moveInto(*parent, *block, rests);
                if (rests.empty()) continue;
                m_blocks.insert(m_blocks.begin() + static_cast<std::ptrdiff_t>(j) + 1, rests.begin(), rests.end());
                std::int64_t smallest = parent->size;
                for (const Block* rest : rests) smallest = std::min(smallest, rest->size);
                const std::size_t next = j + 1 + rests.size();
                if (m_options.isMemoryPriority || (next < m_blocks.size() && smallest < m_blocks[next]->size))
                    sortFrom(j + 1);
            }
        }
    }

    /// GE sets the begin of what may not take freed memory to 1.
    std::int64_t sortBegin(const Block& block) const
    {
        const GeRequest& first = request(block.members.front());
        return first.mayTakeFreed ? first.begin : std::min<std::int64_t>(first.begin, 1);
    }

    /// Continuous blocks count without their padding.
    std::int64_t sortSize(const Block& block) const
    {
        const std::int64_t exact = block.isContinuous ? request(block.members.front()).bytes : 0;
        return exact > 0 ? exact : block.size;
    }

    void sortFrom(std::size_t first)
    {
        // GE uses an unstable sort; the same standard library gives the same order of ties.
        std::sort(m_blocks.begin() + static_cast<std::ptrdiff_t>(first), m_blocks.end(),
                  [&](const Block* a, const Block* b) {
                      if (sortSize(*a) != sortSize(*b)) return sortSize(*a) > sortSize(*b);
                      if (m_variant.isDescending) return sortBegin(*a) > sortBegin(*b);
                      if (a->memberCount != b->memberCount) return a->memberCount < b->memberCount;
                      return sortBegin(*a) < sortBegin(*b);
                  });
    }

    bool crosses(const Block& block, int member) const
    {
        const GeRequest& one = request(member);
        // Members follow one another in time, so that the first one that is not over by then decides.
        const auto next = std::partition_point(block.members.begin(), block.members.end(),
                                               [&](int other) { return request(other).end < one.begin; });
        return next != block.members.end() && request(*next).begin <= one.end;
    }

    /// Blocks of two streams: whether one is over, and an edge says so, before the other begins.
    bool areProvedApart(const Block& a, const Block& b) const { return isProvedBefore(a, b) || isProvedBefore(b, a); }

    bool isProvedBefore(const Block& early, const Block& late) const
    {
        std::int64_t end = 0, begin = GeRequest::never;
        for (const int member : early.members) end = std::max(end, request(member).end);
        for (const int member : late.members) begin = std::min(begin, request(member).begin);
        return end != GeRequest::never && std::any_of(m_edges.begin(), m_edges.end(), [&](const GeStreamEdge& edge) {
                   return edge.fromStream == early.stream && edge.toStream == late.stream && edge.from > end &&
                          edge.to <= begin;
               });
    }

    /// Moves those members of `block` that do not live together with `parent` into it or into one of its children, depth
    /// first. What does not fit in time becomes a block of `rests` at each level that is tried, and stays one even when
    /// in the end there is no room: as GE does it.
    bool moveInto(Block& parent, Block& block, std::vector<Block*>& rests)
    {
        struct Frame {
            Block* parent;
            std::size_t nextChild = 0;
        };
        std::vector<Frame> stack;
        const auto enter = [&](Block& where) {
            if (stack.size() < maxDepth && keepFitting(where, block, rests)) stack.push_back({&where});
        };
        enter(parent);
        while (!stack.empty()) {
            Frame& frame = stack.back();
            if (!frame.parent->isContinuous && frame.nextChild < frame.parent->children.size()) {
                Block& child = *frame.parent->children[frame.nextChild++];
                enter(child);
                continue;
            }
            Block& target = *frame.parent;
            const std::int64_t tolerance = block.size == blockAlignment || target.isContinuous ? 0 : blockAlignment;
            if (target.childEnd + block.size <= sortSize(target) + tolerance) {
                target.children.push_back(&block);
                target.childEnd += block.size;
                block.isChild = true;
                return true;
            }
            stack.pop_back();
        }
        return false;
    }

    /// False when all members of `block` live together with `where`; otherwise those that do leave for a new block.
    bool keepFitting(const Block& where, Block& block, std::vector<Block*>& rests)
    {
        if (where.stream != block.stream) return areProvedApart(where, block);
        const auto isCrossing = [&](int member) { return crosses(where, member); };
        const auto firstCrossing = std::find_if(block.members.begin(), block.members.end(), isCrossing);
        if (firstCrossing == block.members.end()) return true;
        if (where.isContinuous) return false; // takes whole blocks only
        if (firstCrossing == block.members.begin() && std::all_of(firstCrossing, block.members.end(), isCrossing))
            return false;
        std::vector<int> fitting, crossing;
        for (const int member : block.members) (isCrossing(member) ? crossing : fitting).push_back(member);
        Block* rest = &m_storage.emplace_back();
        rest->stream = block.stream;
        rest->members = std::move(crossing);
        block.members = std::move(fitting); // its size stays what it was when it was sorted
        block.memberCount = countOf(block);
        rest->memberCount = countOf(*rest);
        for (const int member : rest->members) rest->size = std::max(rest->size, request(member).size);
        rests.push_back(rest);
        return true;
    }

    int countOf(const Block& block) const
    {
        int count = 0;
        for (const int member : block.members) count += 1 + request(member).references;
        return count;
    }

    /// Blocks of one group lie side by side, behind all others.
    void gatherGroups()
    {
        const auto first = std::stable_partition(m_blocks.begin(), m_blocks.end(), [&](const Block* block) {
            return !block->isContinuous || request(block->members.front()).groupReader < 0;
        });
        std::stable_sort(first, m_blocks.end(), [&](const Block* a, const Block* b) {
            const GeRequest &one = request(a->members.front()), &two = request(b->members.front());
            return std::pair(one.groupReader, one.groupPlace) < std::pair(two.groupReader, two.groupPlace);
        });
    }

    /// A block is as large as its largest member or as its children side by side, which the tolerance of level 2 can make
    /// 512 more. Children first, so that what grew pushes its neighbours.
    void growToChildren(Block& top) const
    {
        std::vector<std::pair<Block*, std::size_t>> open{{&top, 0}};
        while (!open.empty()) {
            auto& [block, next] = open.back();
            if (next < block->children.size()) {
                open.emplace_back(block->children[next++], 0);
                continue;
            }
            if (m_variant.asks == Asks::Range) {
                block->size = 0; // it was as large as its class
                for (const int member : block->members) block->size = std::max(block->size, request(member).size);
            }
            std::int64_t sum = 0;
            for (const Block* child : block->children) sum += child->size;
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
                for (const int member : one->members) offsets[static_cast<std::size_t>(member)] = one->offset;
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
        std::stable_sort(inputs.begin(), inputs.end(),
                         [](const Block* a, const Block* b) { return a->size < b->size; });
        for (const Block* block : inputs) put(*block);
    }

    std::span<const GeRequest> m_requests;
    std::span<const GeStreamEdge> m_edges;
    const GeOptions& m_options;
    const Variant& m_variant;
    std::int64_t m_largest = 0;
    std::deque<Block> m_storage;
    std::vector<Block*> m_blocks;
};

} // namespace

std::vector<std::int64_t> geRangeCeils(std::vector<std::int64_t> sizes)
{
    std::erase_if(sizes, [](std::int64_t size) { return size <= 0; });
    if (sizes.empty()) return {};
    std::sort(sizes.begin(), sizes.end());
    const std::int64_t largest = sizes.back(), smallest = largest > blockAlignment ? blockAlignment : sizes.front();
    const auto count = std::max<std::size_t>(
        1,
        static_cast<std::size_t>(std::ceil(std::log2(static_cast<double>(largest) / static_cast<double>(smallest)))));
    const std::size_t share = sizes.size() / count;
    const std::int64_t slack = largest > blockAlignment ? blockAlignment : 0;
    // From the largest size down; the lowest range takes nothing.
    std::vector<std::vector<std::int64_t>> ranges(count);
    std::int64_t bound = largest;
    for (std::size_t i = count - 1; i > 0; --i) {
        bound /= 2;
        for (; !sizes.empty() && sizes.back() > bound + slack; sizes.pop_back()) ranges[i].push_back(sizes.back());
    }
    constexpr std::int64_t largeSize = std::int64_t{8} << 20;
    std::vector<std::int64_t> ceils;
    std::vector<std::int64_t> open; // waits for the range above
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::int64_t> range = ranges[i];
        range.insert(range.end(), open.begin(), open.end());
        open.clear();
        if (range.empty()) continue;
        const bool isLast = i + 1 == count;
        const bool isLarge = range.front() >= largeSize && range.size() >= 2;
        if (range.size() < share && !isLast && !isLarge)
            open = std::move(range);
        else
            ceils.push_back(*std::max_element(range.begin(), range.end()));
    }
    return ceils;
}

GePlan planGe(std::span<const GeRequest> requests, std::span<const GeStreamEdge> edges, const GeOptions& options)
{
    GePlan plan;
    for (const Variant& variant : variants) {
        if (variant.asks == Asks::Range && (!options.isMemoryPriority || options.reusesNothing)) continue;
        std::vector<std::int64_t> offsets;
        const std::int64_t total = BlockAssigner(requests, edges, options, variant).run(offsets);
        plan.candidates.emplace_back(variant.name, total);
        if (!plan.winner.empty() && total >= plan.total) continue;
        plan.winner = variant.name;
        plan.total = total;
        plan.offsets = std::move(offsets);
    }
    return plan;
}

} // namespace gelens
