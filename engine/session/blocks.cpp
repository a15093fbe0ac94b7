#include "engine/session/blocks.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace gelens {
namespace {

/// Distances between equal operators that are tried as the length of a block.
constexpr std::size_t maxPeriods = 16;

/// Where blocks of `period` operators repeat: the whole stretch [first, last).
struct Stretch {
    std::size_t first = 0, last = 0, period = 0;
    std::size_t length() const { return last - first; }
};

/// What must agree between the same operator of two blocks.
std::string signatureOf(const Node& node)
{
    std::string text = node.type;
    for (const OutputSlot& slot : node.outputs)
        text += '|' + std::to_string(static_cast<int>(slot.desc.dtype)) + slot.desc.originShape.text();
    return text + '#' + std::to_string(node.inputs.size());
}

std::vector<int> signatureNumbers(const Graph& graph, const std::vector<NodeId>& order)
{
    std::unordered_map<std::string, int> known;
    std::vector<int> numbers;
    numbers.reserve(order.size());
    for (const NodeId id : order)
        numbers.push_back(known.emplace(signatureOf(graph.node(id)), static_cast<int>(known.size())).first->second);
    return numbers;
}

/// Distances from an operator to the next equal one, most frequent first.
std::vector<std::size_t> likelyPeriods(const std::vector<int>& numbers)
{
    std::unordered_map<int, std::size_t> last;
    std::unordered_map<std::size_t, std::size_t> votes;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (const auto found = last.find(numbers[i]); found != last.end()) ++votes[i - found->second];
        last[numbers[i]] = i;
    }
    std::vector<std::pair<std::size_t, std::size_t>> sorted(votes.begin(), votes.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    std::vector<std::size_t> periods;
    for (std::size_t i = 0; i < sorted.size() && i < maxPeriods; ++i) periods.push_back(sorted[i].first);
    return periods;
}

Stretch longestStretch(const std::vector<int>& numbers, std::size_t period)
{
    Stretch best;
    std::size_t first = 0;
    for (std::size_t i = 0; i + period < numbers.size(); ++i) {
        if (numbers[i] != numbers[i + period]) {
            first = i + 1;
            continue;
        }
        if (i + 1 - first > best.length()) best = {first, i + 1, period};
    }
    if (best.length() > 0) best.last += period;
    best.period = period;
    return best;
}

/// Tensors that are made before place i of the order and read at it or behind: what a cut there would have to hand over.
std::vector<int> crossings(const Graph& graph, const std::vector<NodeId>& order)
{
    std::vector<std::int64_t> position(static_cast<std::size_t>(graph.nodeIdBound()), -1);
    for (std::size_t i = 0; i < order.size(); ++i)
        position[static_cast<std::size_t>(order[i].value)] = static_cast<std::int64_t>(i);
    std::vector<int> change(order.size() + 2, 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (const OutputSlot& slot : graph.node(order[i]).outputs) {
            std::int64_t last = static_cast<std::int64_t>(i);
            for (const InputRef& reader : slot.consumers)
                last = std::max(last, position[static_cast<std::size_t>(reader.node.value)]);
            ++change[i + 1];
            --change[static_cast<std::size_t>(last) + 1];
        }
    }
    std::vector<int> count(order.size() + 1, 0);
    int open = 0;
    for (std::size_t i = 0; i < count.size(); ++i) count[i] = open += change[i];
    return count;
}

/// Whether the blocks stand behind each other: each reads something that the one before it makes.
bool isChain(const Graph& graph, const std::vector<std::vector<NodeId>>& blocks)
{
    std::vector<int> blockOf(static_cast<std::size_t>(graph.nodeIdBound()), -1);
    for (std::size_t i = 0; i < blocks.size(); ++i)
        for (const NodeId id : blocks[i]) blockOf[static_cast<std::size_t>(id.value)] = static_cast<int>(i);
    for (std::size_t i = 1; i < blocks.size(); ++i) {
        const bool readsPrevious = std::any_of(blocks[i].begin(), blocks[i].end(), [&](NodeId id) {
            const auto& inputs = graph.node(id).inputs;
            return std::any_of(inputs.begin(), inputs.end(), [&](const InputSlot& slot) {
                return slot.source.isValid() &&
                       blockOf[static_cast<std::size_t>(slot.source.node.value)] == static_cast<int>(i) - 1;
            });
        });
        if (!readsPrevious) return false;
    }
    return true;
}

} // namespace

BlockStack findBlocks(const Graph& graph)
{
    std::vector<NodeId> order;
    for (const NodeId id : graph.topologicalOrder(rootGraph))
        if (!isBoundaryType(graph.node(id).type)) order.push_back(id);
    const std::vector<int> numbers = signatureNumbers(graph, order);
    Stretch best;
    for (const std::size_t period : likelyPeriods(numbers)) {
        const Stretch stretch = longestStretch(numbers, period);
        if (stretch.length() > best.length() || (stretch.length() == best.length() && period < best.period))
            best = stretch;
    }
    BlockStack stack;
    if (best.length() < 2 * std::max<std::size_t>(best.period, 1)) {
        stack.before = std::move(order);
        return stack;
    }
    const std::vector<int> crossing = crossings(graph, order);
    std::size_t first = best.first;
    int fewest = crossing[first + best.period];
    for (std::size_t i = best.first + 1; i < best.first + best.period && i + 2 * best.period <= best.last; ++i)
        if (crossing[i + best.period] < fewest) {
            first = i;
            fewest = crossing[i + best.period];
        }
    const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
    stack.before.assign(order.begin(), at(first));
    std::size_t next = first;
    for (; next + best.period <= best.last; next += best.period)
        stack.blocks.emplace_back(at(next), at(next + best.period));
    if (!isChain(graph, stack.blocks)) { // equal operators side by side, as the products of gate and value
        stack.blocks.clear();
        stack.before = std::move(order);
        return stack;
    }
    stack.behind.assign(at(next), order.end());
    stack.crossing = fewest;
    return stack;
}

} // namespace gelens
