#include "viewers/layout/layer_graph.h"

#include <algorithm>

namespace gelens {
namespace {

struct Arc {
    int32_t source;
    int32_t target;
    int32_t index; ///< in LayerGraph::edge
};

/// Long edges of one source share a line from so many targets on. Few of them are free to pass a box on either side.
constexpr int kShareFrom = 4;

/// Makes the segments of arcs of one source that share a line; `arcs` are sorted by the row of the target, then by
/// target.
void cutArcs(LayerGraph& layers, std::span<const Arc> arcs)
{
    const int32_t source = arcs.front().source;
    const int32_t firstRow = layers.rank[source];
    const int32_t lastRow = layers.rank[arcs.back().target];
    const auto lineLength = static_cast<std::size_t>(lastRow - firstRow - 1);
    const auto first = layers.vertexCount();
    // Trunk segment into line vertex k is firstSegment + k.
    const auto firstSegment = static_cast<int32_t>(layers.segments.size());
    if (lineLength > 0) {
        for (std::size_t k = 0; k < lineLength; ++k) {
            const auto vertex = first + static_cast<int32_t>(k);
            layers.rank.push_back(firstRow + 1 + static_cast<int32_t>(k));
            layers.segments.push_back({k == 0 ? source : vertex - 1, vertex, 0});
        }
    }
    int32_t previousTarget = -1;
    for (const Arc& arc : arcs) {
        const int32_t row = layers.rank[arc.target];
        if (arc.target != previousTarget) {
            const int32_t parent = row == firstRow + 1 ? source : first + (row - firstRow - 2);
            layers.segments.push_back({parent, arc.target, 0});
            previousTarget = arc.target;
        }
        layers.segments.back().weight += 1;
        layers.edgeLine[arc.index] = row > firstRow + 1 ? first : -1;
        layers.edgeSegment[arc.index] = static_cast<int32_t>(layers.segments.size()) - 1;
        if (row > firstRow + 1) // it leaves the trunk at this vertex; summed up below
            layers.segments[firstSegment + (row - firstRow - 2)].weight += 1;
    }
    for (std::size_t k = lineLength; k-- > 1;)
        layers.segments[firstSegment + k - 1].weight += layers.segments[firstSegment + k].weight;
}

/// Makes the segments of all arcs of one source, sorted likewise.
void cutSource(LayerGraph& layers, std::span<const Arc> arcs)
{
    const int32_t nextRow = layers.rank[arcs.front().source] + 1;
    std::size_t near = 0;
    while (near < arcs.size() && layers.rank[arcs[near].target] == nextRow) ++near;
    int longTargets = 0;
    for (std::size_t i = near; i < arcs.size() && longTargets < kShareFrom; ++i)
        longTargets += i == near || arcs[i].target != arcs[i - 1].target;
    if (longTargets >= kShareFrom) return cutArcs(layers, arcs);
    if (near > 0) cutArcs(layers, arcs.first(near));
    for (std::size_t i = near, end = near; i < arcs.size(); i = end) {
        while (end < arcs.size() && arcs[end].target == arcs[i].target) ++end;
        cutArcs(layers, arcs.subspan(i, end - i));
    }
}

void indexSegments(LayerGraph& layers)
{
    const auto count = static_cast<std::size_t>(layers.vertexCount());
    layers.downStart.assign(count + 1, 0);
    layers.upStart.assign(count + 1, 0);
    for (const LayerSegment& s : layers.segments) {
        ++layers.downStart[s.upper + 1];
        ++layers.upStart[s.lower + 1];
    }
    for (std::size_t v = 0; v < count; ++v) {
        layers.downStart[v + 1] += layers.downStart[v];
        layers.upStart[v + 1] += layers.upStart[v];
    }
    layers.down.resize(layers.segments.size());
    layers.up.resize(layers.segments.size());
    std::vector<int32_t> nextDown(layers.downStart.begin(), layers.downStart.end() - 1);
    std::vector<int32_t> nextUp(layers.upStart.begin(), layers.upStart.end() - 1);
    for (std::size_t i = 0; i < layers.segments.size(); ++i) {
        layers.down[nextDown[layers.segments[i].upper]++] = static_cast<int32_t>(i);
        layers.up[nextUp[layers.segments[i].lower]++] = static_cast<int32_t>(i);
    }
}

void fillRows(LayerGraph& layers, int32_t rows)
{
    layers.rowStart.assign(static_cast<std::size_t>(rows) + 1, 0);
    for (const int32_t r : layers.rank) ++layers.rowStart[r + 1];
    for (int32_t r = 0; r < rows; ++r) layers.rowStart[r + 1] += layers.rowStart[r];
    layers.order.resize(layers.rank.size());
    layers.position.resize(layers.rank.size());
    std::vector<int32_t> next(layers.rowStart.begin(), layers.rowStart.end() - 1);
    for (int32_t v = 0; v < layers.vertexCount(); ++v) {
        const int32_t r = layers.rank[v];
        layers.position[v] = next[r] - layers.rowStart[r];
        layers.order[next[r]++] = v;
    }
}

} // namespace

LayerGraph buildLayerGraph(const LayoutGraph& graph, std::span<const int32_t> nodes, std::span<const int32_t> edges,
                           std::span<const int32_t> rank, std::span<const uint8_t> reversed,
                           std::span<const double> width, LayerGraphScratch& scratch)
{
    LayerGraph layers;
    layers.realCount = static_cast<int32_t>(nodes.size());
    layers.node.assign(nodes.begin(), nodes.end());
    layers.edge.assign(edges.begin(), edges.end());
    layers.edgeLine.resize(edges.size());
    layers.edgeSource.resize(edges.size());
    layers.edgeSegment.resize(edges.size());

    int32_t top = rank[nodes.front()];
    for (const int32_t n : nodes) top = std::min(top, rank[n]);
    int32_t rows = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        scratch.local[nodes[i]] = static_cast<int32_t>(i);
        layers.rank.push_back(rank[nodes[i]] - top);
        layers.width.push_back(width[nodes[i]]);
        rows = std::max(rows, layers.rank.back() + 1);
    }
    std::vector<Arc> arcs(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const LayoutEdge& edge = graph.edges[edges[i]];
        const bool turned = reversed[edges[i]] != 0;
        arcs[i] = {scratch.local[turned ? edge.to : edge.from], scratch.local[turned ? edge.from : edge.to],
                   static_cast<int32_t>(i)};
        layers.edgeSource[i] = arcs[i].source;
    }
    std::sort(arcs.begin(), arcs.end(), [&](const Arc& a, const Arc& b) {
        if (a.source != b.source) return a.source < b.source;
        const int32_t rowA = layers.rank[a.target];
        const int32_t rowB = layers.rank[b.target];
        if (rowA != rowB) return rowA < rowB;
        return a.target != b.target ? a.target < b.target : a.index < b.index;
    });
    for (std::size_t i = 0, end = 0; i < arcs.size(); i = end) {
        while (end < arcs.size() && arcs[end].source == arcs[i].source) ++end;
        cutSource(layers, std::span(arcs).subspan(i, end - i));
    }
    layers.width.resize(layers.rank.size(), 0);
    layers.x.assign(layers.rank.size(), 0);
    indexSegments(layers);
    fillRows(layers, rows);
    return layers;
}

} // namespace gelens
