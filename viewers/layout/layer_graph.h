#pragma once
// One connected part of a graph in rows, every line cut into segments between neighbouring rows. Private to the
// layered layout; its steps (ordering, coordinates, routing) read and fill it in turn.

#include <cstdint>
#include <span>
#include <vector>

#include "viewers/layout/layout_types.h"

namespace gelens {

/// A piece of line from a vertex in one row to a vertex in the next. The long edges of a producer that has many
/// share their segments up to where they part.
struct LayerSegment {
    int32_t upper = 0;
    int32_t lower = 0;
    float weight = 0;   ///< edges that share it
    double topX = 0;    ///< where it leaves the upper vertex
    double bottomX = 0; ///< where it meets the lower vertex
};

/// Vertices 0 … realCount-1 are boxes, the rest are the places where long lines pass a row.
struct LayerGraph {
    int32_t realCount = 0;
    std::vector<int32_t> node;     ///< box → node of the layout graph
    std::vector<int32_t> rank;     ///< vertex → row
    std::vector<double> width;     ///< vertex → width, self-loop room included; 0 for lines
    std::vector<double> x;         ///< vertex → centre
    std::vector<int32_t> rowStart; ///< rows + 1: row r is order[rowStart[r] .. rowStart[r + 1])
    std::vector<int32_t> order;    ///< vertices from left to right, row after row
    std::vector<int32_t> position; ///< vertex → place in its row

    std::vector<LayerSegment> segments;
    std::vector<int32_t> downStart, down; ///< vertex → segments to the row below
    std::vector<int32_t> upStart, up;     ///< vertex → segments to the row above

    std::vector<int32_t> edge;        ///< edges of the layout graph in this part
    std::vector<int32_t> edgeSource;  ///< upper box of each of these
    std::vector<int32_t> edgeSegment; ///< the segment through which each of these enters its lower box
    std::vector<int32_t> edgeLine;    ///< first vertex of the long line that each of these takes, or -1

    int32_t vertexCount() const { return static_cast<int32_t>(rank.size()); }
    int32_t rowCount() const { return static_cast<int32_t>(rowStart.size()) - 1; }
    bool isLine(int32_t vertex) const { return vertex >= realCount; }
    std::span<int32_t> row(int32_t r) { return {order.data() + rowStart[r], order.data() + rowStart[r + 1]}; }
    std::span<const int32_t> row(int32_t r) const
    {
        return {order.data() + rowStart[r], order.data() + rowStart[r + 1]};
    }
    std::span<const int32_t> downOf(int32_t v) const
    {
        return {down.data() + downStart[v], down.data() + downStart[v + 1]};
    }
    std::span<const int32_t> upOf(int32_t v) const { return {up.data() + upStart[v], up.data() + upStart[v + 1]}; }
    /// Free space that two neighbours in a row keep.
    double gap(int32_t a, int32_t b, const LayoutOptions& options) const
    {
        if (isLine(a) && isLine(b)) return options.edgeSpacing;
        return isLine(a) || isLine(b) ? (options.nodeSpacing + options.edgeSpacing) / 2 : options.nodeSpacing;
    }
    /// Distance that the centres of two neighbours in a row keep.
    double separation(int32_t a, int32_t b, const LayoutOptions& options) const
    {
        return (width[a] + width[b]) / 2 + gap(a, b, options);
    }
};

/// Scratch that is as long as the whole graph and shared by all parts, so that a graph of many small parts stays
/// linear.
struct LayerGraphScratch {
    std::vector<int32_t> local; ///< node → box
};

/// Cuts the edges of one part. `nodes` are its nodes (ascending), `edges` its layout edges, `loops` says which nodes
/// need room for a self-loop on their right.
LayerGraph buildLayerGraph(const LayoutGraph& graph, std::span<const int32_t> nodes, std::span<const int32_t> edges,
                           std::span<const int32_t> rank, std::span<const uint8_t> reversed,
                           std::span<const double> width, LayerGraphScratch& scratch);

/// Chooses the order of every row for few crossings. False if stopped.
bool orderLayers(LayerGraph& layers, const std::stop_token& stop);

/// Weighted number of crossings between neighbouring rows in the present order.
double countCrossings(const LayerGraph& layers);

/// Gives every vertex its x, keeping the order and the separations; the leftmost box edge or line is at 0. False if
/// stopped.
bool placeLayers(LayerGraph& layers, const LayoutOptions& options);

/// Chooses where segments meet boxes (LayerSegment::topX, bottomX).
void choosePorts(LayerGraph& layers, const LayoutGraph& graph);

} // namespace gelens
