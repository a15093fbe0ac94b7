#pragma once
// A graph as it is drawn: boxes, lines and texts with their places, and nothing that a painter would have to work out.
// The window's canvas and the SVG and DOT writers read the same drawing. Scene pixels, y grows downwards.

#include "engine/graph/ids.h"
#include "engine/spec/graph_diff.h"
#include "engine/spec/unit.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gelens {

enum class BoxKind : std::uint8_t {
    Node,
    Group, ///< a folded block
    Frame, ///< an open block: its content lies inside
    Port,  ///< inside a frame: a value that comes from outside or goes there
};

struct DrawnBox {
    BoxKind kind = BoxKind::Node;
    Unit unit = Unit::None;
    std::optional<ChangeKind> change;
    bool isGhost = false;   ///< removed by this step, shown where it stood
    bool isInput = true;    ///< ports only: from outside
    bool isRepeat = false;  ///< drawn as a stack of cards
    std::uint8_t depth = 0; ///< frames around it
    double x = 0, y = 0, width = 0, height = 0;
    std::string title, subtitle; ///< already cut to the box's width
    std::string tag;             ///< constants that the node reads
    std::string badge;           ///< "+3 −12 ~4" on blocks
    std::string note;            ///< above a changed node: in what ways
    double noteX = 0;            ///< from the card's left to the note's, which keeps clear of the lines that come in
    std::string colorKey;        ///< category that the stripe's colour stands for; empty: the unit, or none
    std::string sign;            ///< in the stripe: the unit's letter, or what tells the category in the legend
    std::int8_t level = -1;      ///< of an ordered scale (latency, memory), 0 the least; -1: none
    bool isUnitStripe = true;    ///< the stripe stands for the unit
    NodeId node;                 ///< nodes
    int group = -1;              ///< blocks and frames: index in the fold model
    OutputRef port;              ///< ports: the value

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    double centreX() const { return x + width / 2; }
    double centreY() const { return y + height / 2; }
};

struct DrawnPoint {
    double x = 0, y = 0;
};

struct DrawnEdge {
    std::int32_t from = -1, to = -1; ///< boxes
    std::uint32_t firstPoint = 0, pointCount = 0;
    std::int32_t count = 1; ///< edges of the graph that this line stands for
    bool isControl = false;
    bool isGhost = false;
    bool isOwnership = false; ///< from a node to the sub-graph that it owns
    bool hasArrow = true;
    std::optional<ChangeKind> change;
    OutputRef source;
    std::string label;             ///< shape, and the format where it is not plain
    double labelX = 0, labelY = 0; ///< left end of its middle line
    double labelWidth = 0;
};

/// A short line with a number in place of a long edge to or from a hub.
struct DrawnStub {
    std::int32_t hub = -1, consumer = -1; ///< boxes; consumer is -1 at the hub's own end
    DrawnPoint start, end;
    std::string label; ///< at `start` for consumers, at `end` for the hub
    bool isGhost = false;
};

struct LegendEntry {
    std::string key; ///< category, or the unit's letter
    std::string text;
    std::string sign; ///< as in the stripes
    Unit unit = Unit::None;
    bool isUnit = true;
    int level = -1; ///< of an ordered scale
    int count = 0;
};

struct GraphDrawing {
    std::string title;
    std::vector<DrawnBox> boxes; ///< frames before what they hold
    std::vector<DrawnEdge> edges;
    std::vector<DrawnPoint> points;
    std::vector<DrawnStub> stubs;
    std::vector<LegendEntry> legend;
    double left = 0, top = 0, width = 0, height = 0;

    std::span<const DrawnPoint> route(const DrawnEdge& edge) const
    {
        return {points.data() + edge.firstPoint, edge.pointCount};
    }
};

} // namespace gelens
