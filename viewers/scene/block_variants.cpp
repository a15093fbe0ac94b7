#include "viewers/scene/block_variants.h"

#include "viewers/scene/block_finder.h"

#include <algorithm>
#include <map>

namespace gelens {
namespace {

/// All operators inside a group at any depth, in the graph's order for each level.
std::vector<NodeId> operatorsIn(const Graph& graph, const FoldModel& fold, int group)
{
    std::vector<NodeId> nodes;
    std::vector<int> queue{group};
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const FoldGroup& inside = fold.group(queue[i]);
        for (const NodeId id : inside.nodes)
            if (!isConstantType(graph.node(id).type)) nodes.push_back(id);
        queue.insert(queue.end(), inside.groups.begin(), inside.groups.end());
    }
    return nodes;
}

using Histogram = std::map<std::string, int>;

Histogram histogramOf(const Graph& graph, const std::vector<NodeId>& nodes)
{
    Histogram histogram;
    for (const NodeId id : nodes) ++histogram[graph.node(id).type];
    return histogram;
}

std::vector<std::pair<std::string, int>> surplus(const Histogram& of, const Histogram& over)
{
    std::vector<std::pair<std::string, int>> more;
    for (const auto& [type, count] : of) {
        const auto found = over.find(type);
        const int difference = count - (found == over.end() ? 0 : found->second);
        if (difference > 0) more.emplace_back(type, difference);
    }
    return more;
}

} // namespace

std::vector<BlockVariant> blockVariants(const Graph& graph, const FoldModel& fold, int repeat)
{
    std::vector<BlockVariant> variants;
    std::vector<Histogram> histograms;
    std::map<std::uint64_t, std::size_t> known;
    for (const int instance : fold.group(repeat).groups) {
        if (fold.group(instance).kind != FoldGroup::Kind::Instance) continue;
        const std::vector<NodeId> nodes = operatorsIn(graph, fold, instance);
        const auto [found, isNew] = known.try_emplace(structureHash(graph, nodes), variants.size());
        if (isNew) {
            variants.emplace_back();
            histograms.push_back(histogramOf(graph, nodes));
        }
        variants[found->second].instances.push_back(instance);
    }
    std::vector<std::size_t> order(variants.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return variants[a].instances.size() > variants[b].instances.size();
    });
    std::vector<BlockVariant> sorted;
    for (const std::size_t i : order) {
        variants[i].more = surplus(histograms[i], histograms[order.front()]);
        variants[i].fewer = surplus(histograms[order.front()], histograms[i]);
        sorted.push_back(std::move(variants[i]));
    }
    return sorted;
}

} // namespace gelens
