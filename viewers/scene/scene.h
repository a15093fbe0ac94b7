#pragma once
// A graph under its present folding, with the place of everything: what the canvas and the exports show.

#include "engine/graph/graph.h"
#include "engine/report/graph_drawing.h"
#include "viewers/layout/layout_engine.h"
#include "viewers/scene/fold_model.h"

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace gelens {

/// What stands at one place of a level, the same from step to step.
struct ItemKey {
    enum class Kind : std::uint8_t { Node, Group, InPort, OutPort };
    Kind kind = Kind::Node;
    std::int64_t id = -1;   ///< node id, or hash of the group's key
    std::int32_t index = 0; ///< ports: output index of the value
    bool operator==(const ItemKey&) const = default;
};

struct ItemKeyHash {
    std::size_t operator()(const ItemKey& key) const
    {
        std::uint64_t hash = static_cast<std::uint64_t>(key.id) * 0x9e3779b97f4a7c15u;
        hash ^= (static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.index)) << 8) + static_cast<std::uint64_t>(key.kind);
        return static_cast<std::size_t>(hash ^ (hash >> 29));
    }
};

struct SceneItem {
    ItemKey key;
    int group = -1;    ///< folded or open block
    int level = -1;    ///< open block: the level of its content
    bool isGhost = false;
    NodeId node;       ///< nodes
    OutputRef port;    ///< ports
    std::vector<std::int32_t> outerEdges; ///< ports: edges of the parent level that carry the value
    DrawnBox box;      ///< texts and size; ghosts keep the box of the step where they lived
};

/// All graph edges between two items of one level.
struct SceneEdge {
    std::int32_t from = -1, to = -1;
    std::int32_t count = 0;
    bool isControl = true; ///< until a data edge joins
    bool isGhost = false;
    bool isOwnership = false;
    OutputRef source;   ///< the first value that it carries
    int values = 0;     ///< how many different ones (counted while they come in a row)
};

/// The content of one open block (or of the root): laid out on its own, drawn at an offset.
struct SceneLevel {
    int group = 0;
    std::string key;
    int parentLevel = -1, parentItem = -1;
    std::vector<SceneItem> items;
    std::vector<SceneEdge> edges;
    LayoutGraph graph;
    LayoutResult layout;
    double originX = 0, originY = 0; ///< scene = origin + layout
};

/// The few words that a drawing itself says; the window puts translations here. %1 is a number or a name.
struct SceneWords {
    std::string oneNode = "1 node", nodes = "%1 nodes", each = "%1 nodes each", variants = "%1 variants",
                graphOf = "graph of %1";
    bool operator==(const SceneWords&) const = default;
};

enum class ColorBy { Unit, OperatorClass, DataType, Format, Origin };

struct SceneOptions {
    std::set<std::string> open;     ///< keys of open blocks; the root is always open
    bool showConstants = false;     ///< as nodes of their own instead of tags
    bool shapesOnEdges = true;
    ColorBy colorBy = ColorBy::Unit;
    /// Only these nodes (by id); empty = all.
    std::vector<std::uint8_t> onlyNodes;
    /// How a step changed each node (by id): 0 no, else 1 + ChangeKind.
    std::vector<std::uint8_t> marks;
    /// Category text of a node for ColorBy::Origin, by id.
    std::vector<std::string> originNames;
    SceneWords words;
    bool keepGhosts = false;        ///< with a previous scene: removed nodes stay as ghosts
    std::set<NodeId> expandedHubs;  ///< drawn with all their edges
};

struct Scene {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const FoldModel> fold;
    SceneOptions options;
    std::vector<SceneLevel> levels; ///< 0 is the root; parents before children
    GraphDrawing drawing;
    std::vector<std::int32_t> boxOfNode; ///< by node id: the box that shows it (its own, or the folded block's); -1 none

    /// Box of a node; -1 when it is not in the drawing.
    int boxOf(NodeId node) const
    {
        return node.isValid() && static_cast<std::size_t>(node.value) < boxOfNode.size()
                   ? boxOfNode[static_cast<std::size_t>(node.value)]
                   : -1;
    }
    bool isEmpty() const { return drawing.boxes.empty(); }
};

/// How a new scene relates to the one before it.
enum class SceneChange {
    Fresh, ///< laid out anew
    Fold,  ///< same graph, other blocks open: the rest makes room
    Step,  ///< another graph of the same run: what stays keeps its place to the last bit
};

/// Where new nodes of a step are wanted: for each new node (by id) the nodes it came from.
using OriginMap = std::unordered_map<NodeId, std::vector<NodeId>>;

/// Builds a scene. Null when stopped. `previous` may be null (then Fresh). Same input, same drawing, byte for byte.
std::shared_ptr<const Scene> buildScene(std::shared_ptr<const Graph> graph, std::shared_ptr<const FoldModel> fold,
                                        SceneOptions options, LayoutEngine& engine, SceneChange change,
                                        const Scene* previous, const OriginMap& origins, std::stop_token stop);

/// The scene that window and command line show first: default folding, fresh layout.
std::shared_ptr<const Scene> buildDefaultScene(std::shared_ptr<const Graph> graph, LayoutEngine& engine,
                                               std::stop_token stop = {});

} // namespace gelens
