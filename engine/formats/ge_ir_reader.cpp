// ModelDef → graph.

#include "engine/formats/ge_ir_builder_internal.h"
#include "engine/formats/ge_lazy_op_internal.h"
#include "engine/formats/ge_payloads_internal.h"
#include "engine/formats/graph_checks_internal.h"
#include "engine/ops/control_helpers.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <limits>
#include <optional>
#include <unordered_map>

namespace gelens {

using ge::proto::AttrDef;
using ge::proto::GraphDef;
using ge::proto::ModelDef;
using ProtoOp = ge::proto::OpDef;

namespace {

/// An edge may name an output that the producer does not describe; beyond this the index is damage.
constexpr int maxOutputs = 65'536;
/// Outputs that no descriptor describes exist because an edge reads them, and those below them with it. A file may leave
/// some out, but what a few bytes of an edge ask for is bounded over a whole graph: so many, and 16 for each edge.
constexpr std::size_t maxImpliedOutputs = 262'144;

/// Links control edges so that both the readers of each producer and the producers of each reader keep their order.
std::vector<std::size_t> controlOrder(const std::vector<GeEdge>& edges)
{
    // Each edge waits for its predecessor in either list; what is left on a contradiction comes in file order.
    std::vector<std::size_t> byPeer(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) byPeer[i] = i;
    std::stable_sort(byPeer.begin(), byPeer.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(edges[a].from, edges[a].peer) < std::pair(edges[b].from, edges[b].peer);
    });
    std::vector<std::vector<std::size_t>> next(edges.size());
    std::vector<int> waits(edges.size(), 0);
    const auto chain = [&](std::size_t before, std::size_t after) {
        next[before].push_back(after);
        ++waits[after];
    };
    for (std::size_t i = 1; i < edges.size(); ++i) {
        if (edges[i - 1].to == edges[i].to) chain(i - 1, i);
        if (edges[byPeer[i - 1]].from == edges[byPeer[i]].from) chain(byPeer[i - 1], byPeer[i]);
    }
    std::vector<std::size_t> order;
    std::vector<bool> isDone(edges.size(), false);
    std::deque<std::size_t> ready;
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (waits[i] == 0) ready.push_back(i);
    while (!ready.empty()) {
        const std::size_t i = ready.front();
        ready.pop_front();
        isDone[i] = true;
        order.push_back(i);
        for (const std::size_t n : next[i])
            if (--waits[n] == 0) ready.push_back(n);
    }
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (!isDone[i]) order.push_back(i);
    return order;
}

} // namespace

void GeGraphBuilder::State::beginGraph(const std::string& name)
{
    names.clear();
    madeUpNames.clear();
    nextSuffix.clear();
    edges.clear();
    edgeTexts.clear();
    actuals.clear();
    lazyOps.clear();
    if (!hasRoot) {
        hasRoot = true;
        graph = rootGraph;
        return;
    }
    graph = editor.addSubgraph(name, {});
    if (!name.empty()) knowGraph(name);
}

void GeGraphBuilder::State::knowGraph(const std::string& name)
{
    if (!subgraphs.emplace(name, graph).second)
        warn("ge.duplicate-graph", fmt::format("two graphs are named '{}'", name));
}

void GeGraphBuilder::State::finishLazyOps()
{
    if (lazyOps.empty()) return;
    std::vector<std::int64_t> positions(static_cast<std::size_t>(model.graph.nodeIdBound()));
    std::int64_t position = 0;
    model.graph.forEachNode(graph,
                            [&](const Node& node) { positions[static_cast<std::size_t>(node.id.value)] = position++; });
    for (auto& [id, source] : lazyOps)
        source->settle(model.graph, editor.node(id), positions[static_cast<std::size_t>(id.value)]);
    lazyOps.clear();
}

void GeGraphBuilder::State::endGraph(const GraphDef& rest)
{
    graphOrder.push_back(rest.name());
    if (model.graph.subgraph(graph).name != rest.name()) { // some files give the name last
        editor.nameImportedGraph(graph, rest.name());
        if (graph != rootGraph) knowGraph(rest.name());
    }
    link();
    setOutputs(rest);
    for (const auto& [name, value] : rest.attr()) editor.setGraphAttr(graph, name, attrFromDef(value));
    if (rest.has_attr_groups())
        editor.setGraphAttr(graph, groupsAttr,
                            AttrValue(AttrValue::Variant(RawBytes{rest.attr_groups().SerializeAsString()})));
    StringList inputs(rest.input().begin(), rest.input().end());
    if (inputs != derivedGraphInputs(model.graph, graph))
        keepGraphFields(graph, {{"input", AttrValue(std::move(inputs))}});
    keepOpFields();
    finishLazyOps();
}

void GeGraphBuilder::State::link()
{
    std::vector<GeEdge> control;
    std::vector<std::uint32_t> data; // places in `edges`, which are many
    for (std::size_t i = 0; i < edges.size(); ++i) {
        GeEdge& edge = edges[i];
        if (!edge.from.isValid()) edge.from = producer(edge.producer);
        if (!edge.from.isValid())
            warn("ge.missing-producer",
                 fmt::format("node '{}' reads '{}:{}', which is not in the graph", editor.node(edge.to).name,
                             edge.producer, edge.index),
                 edge.to);
        else if (edge.index < 0)
            control.push_back(edge);
        else
            data.push_back(static_cast<std::uint32_t>(i));
    }
    std::stable_sort(data.begin(), data.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return edges[a].peer < edges[b].peer; });
    std::size_t impliedLeft = maxImpliedOutputs + 16 * data.size();
    for (const std::uint32_t i : data) {
        const GeEdge& edge = edges[i];
        const int present = editor.node(edge.from).outputCount();
        const std::size_t implied = edge.index < present ? 0 : static_cast<std::size_t>(edge.index - present) + 1;
        if (edge.index >= maxOutputs || implied > impliedLeft) {
            warn("ge.bad-edge",
                 fmt::format("node '{}' reads output {} of '{}'", editor.node(edge.to).name, edge.index,
                             editor.node(edge.from).name),
                 edge.to);
            continue;
        }
        impliedLeft -= implied;
        for (std::size_t k = 0; k < implied; ++k) editor.addOutput(edge.from, {}, TensorDesc());
        editor.connect({edge.from, edge.index}, {edge.to, edge.slot});
    }
    edges.clear();
    edges.shrink_to_fit();
    for (const std::size_t i : controlOrder(control))
        if (control[i].from != control[i].to) editor.connectControl(control[i].from, control[i].to);
}

void GeGraphBuilder::State::setOutputs(const GraphDef& rest)
{
    std::vector<OutputRef> outputs;
    for (const std::string& text : rest.output()) {
        const auto split = splitEdge(text);
        const NodeId node = split ? producer(split->first) : NodeId();
        if (node.isValid() && split->second >= 0 && split->second < editor.node(node).outputCount())
            outputs.push_back({node, split->second});
        else
            warn("ge.bad-output", fmt::format("the recorded output '{}' is not in the graph", text));
    }
    editor.setGraphOutputs(graph, std::move(outputs));
}

void GeGraphBuilder::State::keepOpFields()
{
    if (actuals.empty()) return;
    std::unordered_map<NodeId, std::int64_t> positions;
    std::int64_t position = 0;
    model.graph.forEachNode(graph, [&](const Node& node) { positions.emplace(node.id, position++); });
    for (Actual& actual : actuals) {
        const OpFields derived = derivedOpFields(model.graph, editor.node(actual.node), positions[actual.node]);
        if (options.lacksDefinitions && actual.fields.outputNames.empty() && actual.fields.outputSlots.empty()) {
            actual.fields.outputNames = derived.outputNames;
            actual.fields.outputSlots = derived.outputSlots;
        }
        AttrValue hidden = hiddenOpFields(derived, actual.fields, actual.hasDefinition);
        if (hidden.isSet()) editor.setAttr(actual.node, hiddenFieldsAttr, std::move(hidden));
    }
    actuals.clear();
}

void GeGraphBuilder::State::keepGraphFields(GraphId id, const AttrMap& values)
{
    AttrMap all;
    const AttrMap& attrs = model.graph.subgraph(id).attrs;
    if (const auto found = attrs.find(hiddenFieldsAttr); found != attrs.end())
        if (const auto* bundle = found->second.as<gelens::NamedAttrs>(); bundle && bundle->attrs) all = *bundle->attrs;
    for (const auto& [name, value] : values) all.insert_or_assign(name, value);
    editor.setGraphAttr(
        id, hiddenFieldsAttr,
        AttrValue(AttrValue::Variant(gelens::NamedAttrs{"GraphDef", std::make_shared<const AttrMap>(std::move(all))})));
}

void GeGraphBuilder::State::adoptGraphs()
{
    std::unordered_map<GraphId, bool> isOwned;
    for (const auto& [owner, list] : owners)
        for (const std::string& name : list) {
            const auto found = subgraphs.find(name);
            if (found == subgraphs.end())
                warn("ge.missing-graph", fmt::format("the sub-graph '{}' is not in the file", name), owner);
            else if (isOwned[found->second] || editor.node(owner).graph == found->second)
                warn("ge.shared-graph", fmt::format("the sub-graph '{}' has more than one owner", name), owner);
            else {
                isOwned[found->second] = true;
                editor.adoptImportedGraph(found->second, owner);
            }
        }
    // The onnx text does not say who owns a graph. GE lists the graphs of a node last to first.
    const std::vector<GraphId> graphs = model.graph.liveSubgraphs();
    for (std::size_t i = graphs.size(); i-- > 0;) {
        if (graphs[i] == rootGraph || isOwned.contains(graphs[i])) continue;
        const std::string& name = model.graph.subgraph(graphs[i]).name;
        const NodeId owner = options.guessOwners ? guessOwner(graphs[i]) : NodeId();
        if (owner.isValid())
            editor.adoptImportedGraph(graphs[i], owner);
        else
            warn("ge.graph-without-owner", fmt::format("no node owns the graph '{}'", name));
    }
}

/// The node whose name, with a separator, begins the graph's name; the longest such name wins.
NodeId GeGraphBuilder::State::guessOwner(GraphId id) const
{
    const std::string& wanted = model.graph.subgraph(id).name;
    NodeId best;
    std::size_t length = 0;
    for (const GraphId graphId : model.graph.liveSubgraphs()) {
        if (graphId == id) continue;
        model.graph.forEachNode(graphId, [&](const Node& node) {
            if (control::ownsGraphs(node.type) && node.name.size() > length && node.name.size() < wanted.size() &&
                wanted.compare(0, node.name.size(), node.name) == 0 &&
                std::string_view("_/.").find(wanted[node.name.size()]) != std::string_view::npos) {
                best = node.id;
                length = node.name.size();
            }
        });
    }
    return best;
}

GeGraphBuilder::GeGraphBuilder(const GeReadOptions& options) : m_state(std::make_unique<State>(options)) {}
GeGraphBuilder::~GeGraphBuilder() = default;
void GeGraphBuilder::beginGraph(const std::string& name) { m_state->beginGraph(name); }
Status GeGraphBuilder::addOp(const ProtoOp& op) { return m_state->addOp(op); }
Result<NodeId> GeGraphBuilder::addOp(const ProtoOp& op, OpValues values)
{
    return m_state->addOp(op, std::move(values));
}
Status GeGraphBuilder::addSketch(OpSketch& sketch, std::shared_ptr<GeLazyOp> source)
{
    return m_state->addSketch(sketch, std::move(source));
}
void GeGraphBuilder::expectNodes(std::int64_t count) { m_state->expectNodes(count); }
void GeGraphBuilder::endGraph(const GraphDef& rest) { m_state->endGraph(rest); }
void GeGraphBuilder::setOutputDesc(const std::string& node, const ge::proto::TensorDescriptor& desc)
{
    const NodeId id = m_state->producer(node);
    if (!id.isValid()) return;
    if (m_state->editor.node(id).outputs.empty()) m_state->editor.addOutput(id, {}, TensorDesc());
    // The type is that of the last output, the dims are those of all outputs, one after another.
    const TensorDesc known = descFromDef(desc);
    const int last = m_state->editor.node(id).outputCount() - 1;
    if (last > 0) m_state->editor.setOutputDesc({id, last}, TensorDesc(known.dtype, Shape{}));
    m_state->editor.setOutputDesc({id, 0}, known);
}
int GeGraphBuilder::nodeCount() const { return m_state->nodes; }

Result<GeModel> GeGraphBuilder::finish()
{
    State& state = *m_state;
    if (!state.hasRoot) return Error::invalid("no graph inside");
    state.adoptGraphs();
    StringList derived{state.model.graph.name()};
    for (const GraphId id : graphsBelow(state.model.graph, rootGraph))
        derived.push_back(state.model.graph.subgraph(id).name);
    AttrMap fields{{"from_ge", AttrValue(true)}}; // its descriptors are GE's own
    if (derived != state.graphOrder) fields.emplace("graphs", AttrValue(state.graphOrder));
    state.keepGraphFields(rootGraph, fields);
    GELENS_TRY(checkAcyclic(state.model.graph));
    return std::move(state.model);
}

Result<GeModel> graphFromModelDef(const ModelDef& model, const GeReadOptions& options)
{
    GeGraphBuilder builder(options);
    for (const GraphDef& graph : model.graph()) {
        builder.beginGraph(graph.name());
        for (const ProtoOp& op : graph.op()) GELENS_TRY(builder.addOp(op));
        builder.endGraph(graph);
    }
    GELENS_ASSIGN(GeModel result, builder.finish());
    takeModelFields(model, result);
    return result;
}

void takeModelFields(const ModelDef& message, GeModel& model)
{
    model.name = message.name();
    model.version = message.version();
    model.customVersion = message.custom_version();
    model.attrs = attrsFromMap(message.attr());
}

Result<GeModel> graphFromModelDefBytes(std::span<const std::byte> bytes, GeReadOptions options,
                                       std::shared_ptr<const void> owner)
{
    ModelDef model;
    options.payloads = GePayloads::takeOut(bytes, std::move(owner));
    if (options.payloads) bytes = std::as_bytes(std::span(options.payloads->bareModel()));
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        return Error::limit("the model definition is larger than 2 GiB");
    if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return Error::invalid("the model definition is no protobuf message");
    return graphFromModelDef(model, options);
}

Graph graphFromGraphDef(const GraphDef& def)
{
    ModelDef model;
    *model.add_graph() = def;
    auto read = graphFromModelDef(model);
    return read.ok() ? std::move(read->graph) : Graph(def.name());
}

} // namespace gelens
