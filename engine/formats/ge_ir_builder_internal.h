#pragma once
// What building a graph operator by operator keeps in mind; shared by the part that takes messages and the part that
// takes sketches of a text. Private to this folder, for .cpp files only.

#include "engine/formats/ge_fields_internal.h"
#include "engine/formats/ge_ir_internal.h"
#include "engine/graph/graph_editor.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace gelens {

/// Where each data input stands among the readers of its producer.
inline constexpr std::string_view peerOrderAttr = "_src_out_peer_index_for_ge_txt_load";

/// "node:2" split at the last colon; nothing when there is no number behind it.
std::optional<std::pair<std::string_view, int>> splitEdge(std::string_view text);
/// "node:-1".
bool isControlEdge(std::string_view text);

/// An edge as the file names it, before all nodes of its graph are known.
struct GeEdge {
    std::string_view producer; ///< in the dump's text, or in a text that the builder keeps
    int index = 0;             ///< -1: control
    NodeId to;
    int slot = 0;
    std::int64_t peer = -1; ///< place among the readers of that output; -1 where the file does not say
    NodeId from;
};

/// Nodes of one graph by the names that the file gives them: one flat table, so that a million names cost little.
class NodeNames {
public:
    explicit NodeNames(const Graph& graph) : m_graph(graph) {}

    void clear();
    NodeId find(std::string_view name) const;
    /// The first node of that name: `id` when there was none. The node must be in the graph under just that name before
    /// the next call, and keep it; else use setOther().
    NodeId findOrAdd(std::string_view name, NodeId id);
    /// For a node that is shown under another name than the file's.
    void setOther(const std::string& name, NodeId id) { m_others.emplace(name, id); }
    void reserve(std::size_t names);

private:
    struct Slot {
        std::uint32_t tag = 0; ///< the name's hash, so that other nodes need no look
        NodeId id;
    };
    /// The slot of that name, or the free one where it belongs.
    std::size_t placeOf(std::string_view name, std::uint32_t tag) const;
    void grow(std::size_t slots);

    const Graph& m_graph;
    std::vector<Slot> m_slots; ///< open addressing; a power of two of them, at most half full
    std::size_t m_count = 0;
    std::map<std::string, NodeId, std::less<>> m_others;
};

/// Attributes as a node holds them, without those that are members elsewhere.
AttrMap::Map nodeAttrs(const ge::proto::OpDef& op, const GeReadOptions& options, bool& hasDefinition);
/// What the operator's fields say; `entries` is the number of its data inputs.
OpFields statedOpFields(const ge::proto::OpDef& op, int entries);
/// The same where the lists of slot names were taken out before.
OpFields statedOpFields(const ge::proto::OpDef& op, int entries, SlotNames inputs, SlotNames outputs);

struct OpSketch;
class GeLazyOp;

struct GeGraphBuilder::State {
    explicit State(const GeReadOptions& given) : options(given), editor(model.graph), names(model.graph) {}

    void beginGraph(const std::string& name);
    void knowGraph(const std::string& name);
    Status addOp(const ge::proto::OpDef& op);
    Result<NodeId> addOp(const ge::proto::OpDef& op, OpValues values);
    Status addSketch(OpSketch& sketch, std::shared_ptr<GeLazyOp> source);
    Status countNode();
    void expectNodes(std::int64_t count);
    NodeId placeOp(const ge::proto::OpDef& op, OpValues values);
    void placeNode(const ge::proto::OpDef& op, AttrMap::Map& attrs, Placement& placement) const;
    /// Reads the edges of one operator; returns how many of them are data inputs.
    template <typename Inputs, typename Peer>
    int readEdges(const std::string& name, const Inputs& inputs, Peer&& peer);
    /// Adds the node, names its duplicates and hands it the edges read last.
    NodeId addNode(Node node);
    void endGraph(const ge::proto::GraphDef& rest);
    void link();
    NodeId producer(std::string_view name) const { return names.find(name); }
    /// A name that no node of the graph bears: `wanted`, else wanted_1, wanted_2 …
    std::string freeName(const std::string& wanted);
    void keepOpFields();
    void finishLazyOps();
    void setOutputs(const ge::proto::GraphDef& rest);
    void keepGraphFields(GraphId graph, const AttrMap& values);
    void adoptGraphs();
    NodeId guessOwner(GraphId id) const;
    void warn(std::string id, std::string text, NodeId node = {})
    {
        if (++warnings[id] <= 20) // a damaged file says the same a million times
            model.messages.push_back({Severity::Warning, std::move(id), std::move(text), {}, node});
    }

    GeReadOptions options;
    GeModel model;
    GraphEditor editor;
    std::map<std::string, int> warnings;
    std::unordered_map<std::string, GraphId> subgraphs; ///< by name
    std::vector<std::pair<NodeId, StringList>> owners;
    StringList graphOrder;
    bool hasRoot = false;
    int nodes = 0;

    // of the graph at hand
    GraphId graph;
    NodeNames names;
    std::unordered_set<std::string> madeUpNames; ///< of nodes whose own name was taken or empty
    std::unordered_map<std::string, int> nextSuffix;
    std::vector<GeEdge> edges, ownEdges;
    /// What edges point into, unless it is the dump's text. One whose producer is known points nowhere.
    std::vector<std::unique_ptr<const std::string>> edgeTexts;
    struct Actual {
        NodeId node;
        OpFields fields;
        bool hasDefinition;
    };
    std::vector<Actual> actuals;
    std::vector<std::pair<NodeId, std::shared_ptr<GeLazyOp>>> lazyOps;
};

} // namespace gelens
