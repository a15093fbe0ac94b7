#pragma once
// A graph under its present folding, with the place of everything: what the canvas and the exports show.

#include "engine/graph/graph.h"
#include "engine/report/graph_drawing.h"
#include "viewers/layout/layout_engine.h"
#include "viewers/scene/change_aspects.h"
#include "viewers/scene/fold_model.h"

#include <array>
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
        hash ^= (static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.index)) << 8) +
                static_cast<std::uint64_t>(key.kind);
        return static_cast<std::size_t>(hash ^ (hash >> 29));
    }
};

struct SceneItem {
    ItemKey key;
    int group = -1; ///< folded or open block
    bool isGhost = false;
    NodeId node;                          ///< nodes
    OutputRef port;                       ///< ports
    std::vector<std::int32_t> outerEdges; ///< ports: edges of the parent level that carry the value
};

/// All graph edges between two items of one level.
struct SceneEdge {
    std::int32_t from = -1, to = -1;
    std::int32_t count = 0;
    bool isControl = true; ///< until a data edge joins
    bool isGhost = false;
    bool isOwnership = false;
    OutputRef source; ///< the first value that it carries
    int values = 0;   ///< how many different ones (counted while they come in a row)
};

/// What one open block (or the root) shows. It does not depend on which other blocks are open.
struct LevelContent {
    std::vector<SceneItem> items;
    std::vector<SceneEdge> edges;
};

/// Where that stands in the block's own coordinates. It changes when a block inside is opened or folded.
struct LevelPlaces {
    LayoutGraph graph; ///< items and edges, by index
    LayoutResult layout;
};

/// One open block in a scene: laid out on its own, drawn at an offset. Content and places are shared with the scenes
/// before and after as long as they are the same.
struct SceneLevel {
    int group = 0;
    int parentLevel = -1, parentItem = -1;
    double originX = 0, originY = 0; ///< scene = origin + layout
    std::int32_t firstBox = 0;       ///< in the drawing: the box of item 0; the others follow
    std::int32_t firstEdge = 0;      ///< in the drawing: lines of this level's edges that have a route, in their order
    std::shared_ptr<const LevelContent> content;
    std::shared_ptr<const LevelPlaces> places;

    const std::vector<SceneItem>& items() const { return content->items; }
    const std::vector<SceneEdge>& edges() const { return content->edges; }
    const LayoutGraph& graph() const { return places->graph; }
    const LayoutResult& layout() const { return places->layout; }
};

/// Which nodes and blocks there are to be seen and where they stand in the lists of their levels, whatever is open.
struct SceneVisibility {
    int root = 0;                          ///< group that is drawn as the graph
    std::vector<std::uint8_t> isInside;    ///< by group: the root or below it
    std::vector<int> shownBelow;           ///< by group: shown nodes at any depth
    std::vector<std::int32_t> itemOfGroup; ///< by group: index in its parent's level
    std::vector<std::uint8_t> isShown;     ///< by node
    std::vector<std::uint8_t> isConstant;  ///< by node; empty when constants are shown as nodes
    std::vector<std::int32_t> itemOfNode;  ///< by node: index in the level of its group; -1 when it is not shown
};

/// The few words that a drawing itself says; the window puts translations here. %1 is a number or a name.
struct SceneWords {
    std::string oneNode = "1 node", nodes = "%1 nodes", each = "%1 nodes each", variants = "%1 variants",
                graphOf = "graph of %1", separator = ", ";
    /// What a step changed in a node, by ChangeAspect.
    std::array<std::string, changeAspectCount> aspects{"type",   "name",  "attribute", "data type",
                                                       "format", "shape", "rewired",   "placed anew"};
    bool operator==(const SceneWords&) const = default;
};

enum class ColorBy { Unit, OperatorClass, Engine, Stream, DataType, Format, Latency, Memory, Origin };

/// What a colouring says of a node.
struct NodeCategory {
    std::string text;       ///< empty: nothing
    std::int8_t level = -1; ///< of an ordered scale of five, 0 the least; -1: categories have no order
};

/// What stands beside a line: of the value that it carries.
struct EdgeLabels {
    bool shape = true;
    bool dataType = false;
    bool format = true; ///< where it is not plain
    bool isAny() const { return shape || dataType || format; }
    bool operator==(const EdgeLabels&) const = default;
};

/// Whether Graphviz is asked for a better drawing of small levels that are laid out anew.
enum class Refinement {
    None,  ///< our layout alone: the same bytes on every machine
    Known, ///< Graphviz's where it is remembered from before: costs nothing
    Full,  ///< Graphviz is asked, in a child process with a time budget
};

struct SceneOptions {
    std::set<std::string> open; ///< keys of open blocks; the root is always open
    bool showConstants = false; ///< as nodes of their own instead of tags
    EdgeLabels labels;
    ColorBy colorBy = ColorBy::Unit;
    /// Only these nodes (by id); empty = all.
    std::vector<std::uint8_t> onlyNodes;
    /// How a step changed each node (by id): 0 no, else 1 + ChangeKind.
    std::vector<std::uint8_t> marks;
    /// In what ways, of those that stayed: bits by ChangeAspect (by id).
    std::vector<std::uint8_t> aspects;
    /// For colourings that speak of the run (Latency, Memory, Origin): categories, and by node id an index or -1.
    std::vector<NodeCategory> categories;
    std::vector<std::int16_t> categoryOf;
    /// Sorted texts of all categories, so that drawings beside each other use one sign for one category. Empty: those here.
    std::vector<std::string> legendTexts;
    /// Key of the block that alone is drawn, as if it were the graph; empty: the whole graph.
    std::string rootKey;
    Refinement refinement = Refinement::None;
    SceneWords words;
    bool keepGhosts = false;       ///< with a previous scene: removed nodes stay as ghosts
    std::set<NodeId> expandedHubs; ///< drawn with all their edges
};

struct Scene {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const FoldModel> fold;
    SceneOptions options;
    std::vector<SceneLevel> levels; ///< 0 is the root; parents before children, in the order of their blocks
    GraphDrawing drawing;
    std::shared_ptr<const SceneVisibility> visibility;
    std::vector<std::uint8_t> isOpen; ///< by group: among `options.open`
    std::vector<int> foldedInto;      ///< by group: outermost folded block that holds it, -1 when it is open
    std::vector<int> levelOf;         ///< by group: index in `levels`, -1 when it has none
    /// The same in all scenes that were anchored to each other: what they share stands at the same place in each.
    std::shared_ptr<const int> family;
    std::vector<std::int32_t>
        boxOfNode; ///< by node id: the box that shows it (its own, or the folded block's); -1 none

    /// Box of a node; -1 when it is not in the drawing.
    int boxOf(NodeId node) const
    {
        return node.isValid() && static_cast<std::size_t>(node.value) < boxOfNode.size()
                   ? boxOfNode[static_cast<std::size_t>(node.value)]
                   : -1;
    }
    bool isEmpty() const { return drawing.boxes.empty(); }
    bool isRefined = false; ///< at least one level is Graphviz's drawing
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
///
/// With Fold, where `previous` shows the same graph and the same fold model and nothing but the open blocks differs, only
/// the blocks that were opened or folded and those around them are worked on; the drawing is the one that would come of
/// working on all.
std::shared_ptr<const Scene> buildScene(std::shared_ptr<const Graph> graph, std::shared_ptr<const FoldModel> fold,
                                        SceneOptions options, LayoutEngine& engine, SceneChange change,
                                        const Scene* previous, const OriginMap& origins, std::stop_token stop);

/// Opens and folds blocks in two scenes that were anchored to each other: `otherBefore` became `other`; `previous` gets
/// the same open blocks, and what `other` shows too stands where it stands there. Null when stopped, and when the two do
/// not belong together or more than the open blocks differs: then the one has to be built anew from the other.
std::shared_ptr<const Scene> foldBeside(const Scene& previous, const Scene& otherBefore, const Scene& other,
                                        SceneOptions options, LayoutEngine& engine, const OriginMap& origins,
                                        std::stop_token stop);

/// What a colouring says of a node, ColorBy::Unit aside.
NodeCategory categoryOf(const Node& node, const SceneOptions& options);

/// The scene that window and command line show first: default folding, fresh layout.
std::shared_ptr<const Scene> buildDefaultScene(std::shared_ptr<const Graph> graph, LayoutEngine& engine,
                                               std::stop_token stop = {});

/// Blocks of a drawing that is written to a file.
enum class ExportFolding { Default, Open, None };
/// The whole graph laid out anew, by our layout alone: what window and command line write to a file, to the last byte.
std::shared_ptr<const Scene> buildExportScene(std::shared_ptr<const Graph> graph, ExportFolding folding,
                                              std::stop_token stop = {});

/// The part of a drawing that shows the given boxes (by index: not 0): what is written of a view or a selection. Lines
/// lead to the rest only where both ends are in it.
GraphDrawing partOf(const GraphDrawing& drawing, const std::vector<std::uint8_t>& isIn);

} // namespace gelens
