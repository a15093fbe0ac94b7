// ModelDef → graph.

#include "engine/formats/ge_fields_internal.h"
#include "engine/formats/ge_ir_convert.h"
#include "engine/formats/ge_ir_internal.h"
#include "engine/formats/graph_checks_internal.h"
#include "engine/graph/graph_editor.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

constexpr std::string_view peerOrderAttr = "_src_out_peer_index_for_ge_txt_load";
/// An edge may name an output that the producer does not describe; beyond this the index is damage.
constexpr int maxOutputs = 65'536;

struct Edge {
    std::string producer;
    int index = 0; ///< -1: control
    NodeId to;
    int slot = 0;
    std::int64_t peer = -1; ///< place among the readers of that output; -1 where the file does not say
    NodeId from;
};

/// "node:2" split at the last colon; nothing when there is no number behind it.
std::optional<std::pair<std::string, int>> splitEdge(const std::string& text)
{
    const auto colon = text.rfind(':');
    if (colon == std::string::npos)
        return std::nullopt;
    int index = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data() + colon + 1, end, index);
    if (code != std::errc() || stop != end || index < -1)
        return std::nullopt;
    return std::pair(text.substr(0, colon), index);
}

/// `_input_name_key`/`_input_name_value` and their relatives, also in the spelling of about 2020.
struct SlotNames {
    StringList names;
    IntList slots;

    static SlotNames of(const ProtoOp& op, const std::string& side)
    {
        SlotNames result;
        for (const char* middle : {"_name_", "_name_idx_"}) {
            const auto keys = op.attr().find(side + middle + "key");
            const auto values = op.attr().find(side + middle + "value");
            if (keys == op.attr().end())
                continue;
            result.names.assign(keys->second.list().s().begin(), keys->second.list().s().end());
            if (values != op.attr().end())
                result.slots.assign(values->second.list().i().begin(), values->second.list().i().end());
            break;
        }
        return result;
    }
    const std::string& at(std::int64_t slot) const
    {
        static const std::string none;
        for (std::size_t i = 0; i < std::min(names.size(), slots.size()); ++i)
            if (slots[i] == slot)
                return names[i];
        return none;
    }
};

bool isSlotNameAttr(std::string_view name)
{
    return name == "_input_name_key" || name == "_input_name_value" || name == "_output_name_key" ||
           name == "_output_name_value" || name == "_input_name_idx_key" || name == "_input_name_idx_value" ||
           name == "_output_name_idx_key" || name == "_output_name_idx_value";
}

template <typename T, typename List>
std::vector<T> listFrom(const List& list)
{
    return std::vector<T>(list.begin(), list.end());
}

/// Links control edges so that both the readers of each producer and the producers of each reader keep their order.
std::vector<std::size_t> controlOrder(const std::vector<Edge>& edges)
{
    // Each edge waits for its predecessor in either list; what is left on a contradiction comes in file order.
    std::vector<std::size_t> byPeer(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i)
        byPeer[i] = i;
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
        if (edges[i - 1].to == edges[i].to)
            chain(i - 1, i);
        if (edges[byPeer[i - 1]].from == edges[byPeer[i]].from)
            chain(byPeer[i - 1], byPeer[i]);
    }
    std::vector<std::size_t> order;
    std::vector<bool> isDone(edges.size(), false);
    std::deque<std::size_t> ready;
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (waits[i] == 0)
            ready.push_back(i);
    while (!ready.empty()) {
        const std::size_t i = ready.front();
        ready.pop_front();
        isDone[i] = true;
        order.push_back(i);
        for (const std::size_t n : next[i])
            if (--waits[n] == 0)
                ready.push_back(n);
    }
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (!isDone[i])
            order.push_back(i);
    return order;
}

} // namespace

struct GeGraphBuilder::State {
    explicit State(const GeReadOptions& given) : options(given), editor(model.graph, journal) {}

    void beginGraph(const std::string& name);
    void knowGraph(const std::string& name);
    Status addOp(const ProtoOp& op);
    void placeOp(const ProtoOp& op);
    void fillSlots(NodeSpec& spec, const ProtoOp& op, int entries);
    Tensor constantValue(const ProtoOp& op, const AttrDef& def) const;
    void endGraph(const GraphDef& rest);
    void link();
    NodeId producer(const std::string& name) const
    {
        const auto found = names.find(name);
        return found == names.end() ? NodeId() : found->second;
    }
    void keepOpFields();
    void setOutputs(const GraphDef& rest);
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
    Journal journal;
    GraphEditor editor;
    std::map<std::string, int> warnings;
    std::unordered_map<std::string, GraphId> subgraphs; ///< by name
    std::vector<std::pair<NodeId, StringList>> owners;
    StringList graphOrder;
    bool hasRoot = false;
    int nodes = 0;

    // of the graph at hand
    GraphId graph;
    std::unordered_map<std::string, NodeId> names;
    std::vector<Edge> edges;
    struct Actual {
        NodeId node;
        OpFields fields;
        bool hasDefinition;
    };
    std::vector<Actual> actuals;
};

void GeGraphBuilder::State::beginGraph(const std::string& name)
{
    names.clear();
    edges.clear();
    actuals.clear();
    if (!hasRoot) {
        hasRoot = true;
        graph = rootGraph;
        return;
    }
    graph = editor.addSubgraph(name, {});
    if (!name.empty())
        knowGraph(name);
}

void GeGraphBuilder::State::knowGraph(const std::string& name)
{
    if (!subgraphs.emplace(name, graph).second)
        warn("ge.duplicate-graph", fmt::format("two graphs are named '{}'", name));
}

Status GeGraphBuilder::State::addOp(const ProtoOp& op)
{
    if (++nodes > options.maxNodes)
        return Error::limit(fmt::format("more than {} nodes", options.maxNodes));
    if ((nodes & 1023) == 0 && options.stop.stop_requested())
        return Error::cancelled();
    placeOp(op);
    return Status::success();
}

void GeGraphBuilder::State::fillSlots(NodeSpec& spec, const ProtoOp& op, int entries)
{
    const gelens::OpDef* const def = OpRegistry::instance().find(op.type());
    const SlotNames inputs = SlotNames::of(op, "_input"), outputs = SlotNames::of(op, "_output");
    const int inputCount = std::max(entries, op.input_desc_size());
    for (int i = 0; i < inputCount; ++i) {
        std::string name = inputs.at(i);
        if (name.empty() && inputs.names.empty() && def)
            name = def->inputName(i, inputCount);
        spec.inputs.emplace_back(std::move(name), i < op.input_desc_size() ? descFromDef(op.input_desc(i)) : TensorDesc());
    }
    for (int i = 0; i < op.output_desc_size(); ++i) {
        std::string name = outputs.at(i);
        if (name.empty() && outputs.names.empty() && def)
            name = def->outputName(i, op.output_desc_size());
        spec.outputs.emplace_back(std::move(name), descFromDef(op.output_desc(i)));
    }
}

/// The value of a constant; its bytes may lie in the weights partition, found by the value's or the output's numbers.
Tensor GeGraphBuilder::State::constantValue(const ProtoOp& op, const AttrDef& def) const
{
    if (!def.t().data().empty() || def.t().desc().weight_size() > 0 || op.output_desc_size() == 0)
        return tensorFromDef(def.t(), options.weights);
    ge::proto::TensorDef moved = def.t();
    moved.mutable_desc()->set_weight_size(op.output_desc(0).weight_size());
    moved.mutable_desc()->set_data_offset(op.output_desc(0).data_offset());
    Tensor tensor = tensorFromDef(moved, options.weights);
    tensor.desc = descFromDef(def.t().desc(), DescUse::Value);
    return tensor;
}

void GeGraphBuilder::State::placeOp(const ProtoOp& op)
{
    std::vector<Edge> own;
    const auto order = op.attr().find(std::string(peerOrderAttr));
    int entries = 0;
    for (int i = 0; i < op.input_size(); ++i) {
        const std::string& text = op.input(i);
        const auto split = splitEdge(text);
        const bool isControl = split && split->second == -1;
        const int slot = isControl ? -1 : entries++;
        if (text.empty())
            continue;
        if (!split) {
            warn("ge.bad-edge", fmt::format("node '{}': the input '{}' is no 'node:index'", op.name(), text));
            continue;
        }
        Edge edge{split->first, split->second, {}, slot, -1, {}};
        if (order != op.attr().end() && i < order->second.list().i_size())
            edge.peer = order->second.list().i(i);
        own.push_back(std::move(edge));
    }
    NodeSpec spec;
    spec.name = op.name();
    spec.type = op.type();
    if (spec.name.empty()) {
        spec.name = op.type().empty() ? "node" : op.type();
        warn("ge.unnamed-node", fmt::format("a node of type '{}' has no name", op.type()));
    }
    spec.isOpaque = !OpRegistry::instance().find(op.type()) && !isBoundaryType(op.type());
    fillSlots(spec, op, entries);
    bool hasDefinition = false;
    for (const auto& [name, value] : op.attr()) {
        if (isSlotNameAttr(name) || name == peerOrderAttr)
            continue;
        hasDefinition = hasDefinition || isDefinitionAttr(name);
        spec.attrs.emplace(name, value.has_t() ? AttrValue(constantValue(op, value)) : attrFromDef(value));
    }
    keepGroups(op, spec.attrs);
    const NodeId id = editor.addNode(std::move(spec), graph);
    if (!names.emplace(op.name(), id).second)
        warn("ge.duplicate-name",
             fmt::format("two operators are named '{}'; the second is shown as '{}'", op.name(), editor.node(id).name), id);
    for (Edge& edge : own) {
        edge.to = id;
        edges.push_back(std::move(edge));
    }
    Placement placement;
    placement.streamId = op.stream_id();
    placement.engine = attrString(editor.node(id).attrs, "_ge_attr_engine_name");
    placement.kernelLib = attrString(editor.node(id).attrs, "_ge_attr_op_kernel_lib_name");
    placement.inputOffsets = listFrom<std::int64_t>(op.input_i());
    placement.outputOffsets = listFrom<std::int64_t>(op.output_i());
    placement.workspaceOffsets = listFrom<std::int64_t>(op.workspace());
    placement.workspaceBytes = listFrom<std::int64_t>(op.workspace_bytes());
    editor.setPlacement(id, std::move(placement));
    if (op.subgraph_name_size() > 0)
        owners.emplace_back(id, listFrom<std::string>(op.subgraph_name()));

    OpFields fields;
    fields.id = op.id();
    fields.streamId = op.stream_id();
    fields.hasOutAttr = op.has_out_attr();
    fields.inputName = listFrom<std::string>(op.input_name());
    fields.srcName = listFrom<std::string>(op.src_name());
    fields.srcIndex = listFrom<std::int64_t>(op.src_index());
    fields.dstName = listFrom<std::string>(op.dst_name());
    fields.dstIndex = listFrom<std::int64_t>(op.dst_index());
    fields.isInputConst = listFrom<bool>(op.is_input_const());
    SlotNames inputs = SlotNames::of(op, "_input"), outputs = SlotNames::of(op, "_output");
    fields.inputNames = std::move(inputs.names);
    fields.inputSlots = std::move(inputs.slots);
    fields.outputNames = std::move(outputs.names);
    fields.outputSlots = std::move(outputs.slots);
    fields.inputEntries = entries;
    fields.inputDescs = op.input_desc_size();
    fields.outputDescs = op.output_desc_size();
    actuals.push_back({id, std::move(fields),
                       hasDefinition || options.lacksDefinitions || !hasKnownDefinition(editor.node(id))});
}

void GeGraphBuilder::State::endGraph(const GraphDef& rest)
{
    graphOrder.push_back(rest.name());
    if (model.graph.subgraph(graph).name != rest.name()) { // some files give the name last
        editor.nameImportedGraph(graph, rest.name());
        if (graph != rootGraph)
            knowGraph(rest.name());
    }
    link();
    setOutputs(rest);
    for (const auto& [name, value] : rest.attr())
        editor.setGraphAttr(graph, name, attrFromDef(value));
    if (rest.has_attr_groups())
        editor.setGraphAttr(graph, groupsAttr,
                            AttrValue(AttrValue::Variant(RawBytes{rest.attr_groups().SerializeAsString()})));
    StringList inputs = listFrom<std::string>(rest.input());
    if (inputs != derivedGraphInputs(model.graph, graph))
        keepGraphFields(graph, {{"input", AttrValue(std::move(inputs))}});
    keepOpFields();
}

void GeGraphBuilder::State::link()
{
    std::vector<Edge> data, control;
    for (Edge& edge : edges) {
        edge.from = producer(edge.producer);
        if (!edge.from.isValid()) {
            warn("ge.missing-producer",
                 fmt::format("node '{}' reads '{}:{}', which is not in the graph", editor.node(edge.to).name,
                             edge.producer, edge.index),
                 edge.to);
            continue;
        }
        (edge.index < 0 ? control : data).push_back(std::move(edge));
    }
    edges.clear();
    std::stable_sort(data.begin(), data.end(), [](const Edge& a, const Edge& b) { return a.peer < b.peer; });
    for (const Edge& edge : data) {
        if (edge.index >= maxOutputs) {
            warn("ge.bad-edge", fmt::format("node '{}' reads output {} of '{}'", editor.node(edge.to).name, edge.index,
                                            edge.producer), edge.to);
            continue;
        }
        while (editor.node(edge.from).outputCount() <= edge.index)
            editor.addOutput(edge.from, {}, TensorDesc());
        editor.connect({edge.from, edge.index}, {edge.to, edge.slot});
    }
    for (const std::size_t i : controlOrder(control))
        if (control[i].from != control[i].to)
            editor.connectControl(control[i].from, control[i].to);
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
    std::unordered_map<NodeId, std::int64_t> positions;
    std::int64_t position = 0;
    model.graph.forEachNode(graph, [&](const Node& node) { positions.emplace(node.id, position++); });
    for (const Actual& actual : actuals) {
        const OpFields derived = derivedOpFields(model.graph, editor.node(actual.node), positions[actual.node]);
        AttrValue hidden = hiddenOpFields(derived, actual.fields, actual.hasDefinition);
        if (hidden.isSet())
            editor.setAttr(actual.node, hiddenFieldsAttr, std::move(hidden));
    }
    actuals.clear();
}

void GeGraphBuilder::State::keepGraphFields(GraphId id, const AttrMap& values)
{
    AttrMap all;
    const AttrMap& attrs = model.graph.subgraph(id).attrs;
    if (const auto found = attrs.find(hiddenFieldsAttr); found != attrs.end())
        if (const auto* bundle = found->second.as<gelens::NamedAttrs>(); bundle && bundle->attrs)
            all = *bundle->attrs;
    for (const auto& [name, value] : values)
        all.insert_or_assign(name, value);
    editor.setGraphAttr(id, hiddenFieldsAttr,
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
        if (graphs[i] == rootGraph || isOwned.contains(graphs[i]))
            continue;
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
    static constexpr std::array<std::string_view, 8> ownerTypes = {
        "If", "StatelessIf", "Case", "StatelessCase", "While", "StatelessWhile", "For", "PartitionedCall"};
    const std::string& wanted = model.graph.subgraph(id).name;
    NodeId best;
    std::size_t length = 0;
    for (const GraphId graphId : model.graph.liveSubgraphs()) {
        if (graphId == id)
            continue;
        model.graph.forEachNode(graphId, [&](const Node& node) {
            const bool canOwn = std::find(ownerTypes.begin(), ownerTypes.end(), node.type) != ownerTypes.end() ||
                                node.type == "StatefulPartitionedCall";
            if (canOwn && node.name.size() > length && node.name.size() < wanted.size() &&
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
void GeGraphBuilder::endGraph(const GraphDef& rest) { m_state->endGraph(rest); }
void GeGraphBuilder::setOutputDesc(const std::string& node, const ge::proto::TensorDescriptor& desc)
{
    const NodeId id = m_state->producer(node);
    if (!id.isValid())
        return;
    if (m_state->editor.node(id).outputs.empty())
        m_state->editor.addOutput(id, {}, TensorDesc());
    // The type is that of the last output, the dims are those of all outputs, one after another.
    const TensorDesc known = descFromDef(desc);
    const int last = m_state->editor.node(id).outputCount() - 1;
    if (last > 0)
        m_state->editor.setOutputDesc({id, last}, TensorDesc(known.dtype, Shape{}));
    m_state->editor.setOutputDesc({id, 0}, known);
}
int GeGraphBuilder::nodeCount() const { return m_state->nodes; }

Result<GeModel> GeGraphBuilder::finish()
{
    State& state = *m_state;
    if (!state.hasRoot)
        return Error::invalid("no graph inside");
    state.adoptGraphs();
    StringList derived{state.model.graph.name()};
    for (const GraphId id : graphsBelow(state.model.graph, rootGraph))
        derived.push_back(state.model.graph.subgraph(id).name);
    AttrMap fields{{"from_ge", AttrValue(true)}}; // its descriptors are GE's own
    if (derived != state.graphOrder)
        fields.emplace("graphs", AttrValue(state.graphOrder));
    state.keepGraphFields(rootGraph, fields);
    GELENS_TRY(checkAcyclic(state.model.graph));
    return std::move(state.model);
}

Result<GeModel> graphFromModelDef(const ModelDef& model, const GeReadOptions& options)
{
    GeGraphBuilder builder(options);
    for (const GraphDef& graph : model.graph()) {
        builder.beginGraph(graph.name());
        for (const ProtoOp& op : graph.op())
            GELENS_TRY(builder.addOp(op));
        builder.endGraph(graph);
    }
    GELENS_ASSIGN(GeModel result, builder.finish());
    result.name = model.name();
    result.version = model.version();
    result.customVersion = model.custom_version();
    result.attrs = attrsFromMap(model.attr());
    return result;
}

Result<GeModel> graphFromModelDefBytes(std::span<const std::byte> bytes, const GeReadOptions& options)
{
    ModelDef model;
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
