#pragma once
// The values that every layout engine takes and gives: a graph of boxes in, places and polylines out.
// All lengths are scene pixels, y grows downwards, data flows from top to bottom. No Qt, no engine types: a caller
// (the graph canvas, the command line's export) maps its own nodes to indices and back.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

struct LayoutPoint {
    double x = 0;
    double y = 0;
    bool operator==(const LayoutPoint&) const = default;
};

struct LayoutRect {
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;
    double width() const { return right - left; }
    double height() const { return bottom - top; }
    bool operator==(const LayoutRect&) const = default;
};

/// A box. Sizes that are not finite or not positive are taken as one pixel.
struct LayoutNode {
    double width = 0;
    double height = 0;
    /// The user asked for this hub's edges to be drawn in full: it is never stubbed.
    bool expandHub = false;
    bool operator==(const LayoutNode&) const = default;
};

/// An edge between two node indices. Self-loops, several edges between the same nodes and cycles are fine; an edge
/// with an index out of range is left without a route.
struct LayoutEdge {
    int32_t from = 0;
    int32_t to = 0;
    bool control = false; ///< ordering only; counts less than data when places are chosen
    bool operator==(const LayoutEdge&) const = default;
};

struct LayoutGraph {
    std::vector<LayoutNode> nodes;
    std::vector<LayoutEdge> edges;
    bool operator==(const LayoutGraph&) const = default;
};

enum class LayoutEngineKind : uint8_t {
    Auto,     ///< Graphviz for what it draws well in its time budget, otherwise Layered
    Layered,  ///< our own; the same input gives the same bytes on every machine, so exports use it
    Graphviz, ///< `dot` in a child process
    Anchored, ///< only as a result: see anchored_layout.h
};

struct LayoutOptions {
    double nodeSpacing = 24;      ///< free space between two boxes in a row
    double edgeSpacing = 10;      ///< free space between two lines that pass a row side by side
    double rankSpacing = 44;      ///< free space between two rows
    double componentSpacing = 48; ///< free space between parts that no edge joins
    bool stubHubs = true;         ///< take hubs out before the layout (hubs.h)
    int hubMinFanOut = 8;         ///< a hub has at least so many consumers …
    int hubMinSpan = 32;          ///< … spread over at least so many rows
    LayoutEngineKind engine = LayoutEngineKind::Auto;
    std::size_t graphvizMaxNodes = 400;             ///< Auto never hands Graphviz more nodes than this
    std::chrono::milliseconds graphvizBudget{2000}; ///< the child process is killed after this time
    std::string dotProgram = "dot";                 ///< looked up in PATH unless it has a slash
    std::stop_token stop;                           ///< any engine returns within 100 ms of a stop request
};

/// An edge that is not drawn in full: a short line with the hub's name above the consumer, and one number (how many
/// such edges) below the hub.
struct LayoutStub {
    int32_t edge = -1;
    int32_t hub = -1;
    int32_t consumer = -1;
    LayoutPoint label; ///< where the short line starts (put the hub's name here)
    LayoutPoint end;   ///< on the consumer's top side
    bool operator==(const LayoutStub&) const = default;
};

/// The other end of the stubs: one for each node that has at least one stubbed out-edge.
struct LayoutHub {
    int32_t node = -1;
    int32_t count = 0; ///< stubbed edges that leave it
    LayoutPoint start; ///< on the hub's bottom side
    LayoutPoint label; ///< where the short line ends (put the count here)
    bool operator==(const LayoutHub&) const = default;
};

struct LayoutResult {
    std::vector<LayoutPoint> centres; ///< one for each node
    std::vector<LayoutPoint> points;  ///< all routes, packed
    std::vector<uint32_t> offsets;    ///< edges + 1: edge i is drawn through points[offsets[i] .. offsets[i + 1])
    std::vector<LayoutStub> stubs;    ///< edges drawn as stubs, in the order of edges; their route is empty
    std::vector<LayoutHub> hubs;      ///< in the order of nodes
    LayoutRect bounds; ///< of boxes and routes; its top left corner is (0, 0) except for anchored layouts
    LayoutEngineKind engine = LayoutEngineKind::Layered;
    bool cancelled = false; ///< stopped by the stop token; nothing else is filled in
    std::string error;      ///< why the engine gave no layout (Graphviz only); empty if it did
    double milliseconds = 0;

    bool ok() const { return !cancelled && error.empty(); }
    /// From the producer's side of the box to the consumer's; at least two points unless it is a stub or invalid.
    std::span<const LayoutPoint> route(std::size_t edge) const
    {
        if (edge + 1 >= offsets.size()) return {};
        return {points.data() + offsets[edge], offsets[edge + 1] - offsets[edge]};
    }
};

} // namespace gelens
