#include "engine/formats/onnx/graph_importer.h"

#include "engine/formats/onnx/node_import.h"
#include "engine/formats/onnx/node_order.h"
#include "engine/formats/onnx/onnx_reader.h"
#include "engine/formats/onnx/parser_formats.h"
#include "engine/formats/onnx/text.h"
#include "engine/formats/onnx/value_types.h"
#include "engine/ops/op_registry.h"

#include <fmt/core.h>

namespace gelens::onnx_import {
namespace {

// Sub-graphs and calls inside one another; each level is a few frames of our own recursion.
constexpr int maxScopeDepth = 200;

} // namespace

GraphImporter::GraphImporter(const ReadOptions& options, TensorReader& tensors, const FunctionLibrary& functions,
                             ModelDocument& document)
    : m_options(options), m_tensors(tensors), m_functions(functions), m_document(document), m_editor(document.graph)
{
}

Status GraphImporter::importModel(const onnx::GraphProto& graph, const std::vector<MainInitializer>& initializers,
                                  const OpsetMap& opsets)
{
    if (!m_functions.isEmpty()) {
        const std::uint64_t nodes = m_functions.expandedNodes(graph);
        if (nodes > static_cast<std::uint64_t>(m_options.maxFunctionNodes))
            return Error::limit(fmt::format("the model's functions expand to {} nodes, more than the limit of {}",
                                            nodes, m_options.maxFunctionNodes));
    }
    numberNodes(graph.node());
    for (const LocalFunction& function : m_functions.all()) numberNodes(function.proto->node());
    Scope scope;
    scope.graph = rootGraph;
    scope.opsets = &opsets;
    declareValues(scope, graph);
    std::unordered_set<std::string> constants;
    for (const MainInitializer& initializer : initializers) constants.insert(initializer.proto.name());
    for (const auto& sparse : graph.sparse_initializer()) constants.insert(sparse.values().name());
    GELENS_TRY(importInputs(scope, graph, constants));
    GELENS_TRY(checkOptionsUsed());
    GELENS_TRY(importInitializers(scope, graph, initializers));
    GELENS_TRY(importNodes(scope, graph.node()));
    GELENS_TRY(importOutputs(scope, graph));
    orderConstantsFirst();
    forgetInferred();
    if (graph.node_size() == 0)
        message(Severity::Warning, "onnx.no-nodes", "the graph has no nodes: its outputs are its inputs or constants");
    if (m_repeatedNames > 0)
        message(Severity::Warning, "onnx.repeated-name",
                fmt::format("{} node{} the name of another ('{}'): told apart by a number", m_repeatedNames,
                            m_repeatedNames == 1 ? " has" : "s have", cleanText(m_firstRepeatedName)));
    for (const auto& [type, count] : m_opaqueTypes)
        message(Severity::Warning, "onnx.unknown-op",
                fmt::format("operator {} is not known: {} node{} shown as {}, and what must know {} is refused", type,
                            count, count == 1 ? " is" : "s are", count == 1 ? "it is" : "they are",
                            count == 1 ? "it" : "them"));
    return Status::success();
}

void GraphImporter::message(Severity severity, std::string id, std::string text, NodeId node)
{
    m_document.messages.push_back({severity, std::move(id), std::move(text), {}, node});
}

Status GraphImporter::checkLimits() const
{
    if (m_options.stop.stop_requested()) return Error::cancelled();
    if (graph().nodeCount() > m_options.maxNodes)
        return Error::limit(fmt::format("the graph has more than the limit of {} nodes", m_options.maxNodes));
    return Status::success();
}

// Values

OutputRef GraphImporter::resolve(Scope& scope, const std::string& name)
{
    const auto known = scope.values.find(name);
    if (known != scope.values.end()) return known->second;
    if (!scope.parent || scope.absent.contains(name)) return {};
    const OutputRef outer = resolve(*scope.parent, name);
    return outer.isValid() ? captured(scope, name, outer) : OutputRef{};
}

/// Whether the name is an optional input that the caller of the enclosing function left out.
bool GraphImporter::isAbsent(const Scope& scope, const std::string& name)
{
    for (const Scope* level = &scope; level && !level->values.contains(name); level = level->parent)
        if (level->absent.contains(name)) return true;
    return false;
}

/// An outer value inside a sub-graph: a constant is repeated (its bytes are shared), so that operators that need its
/// value find it; anything else becomes an input of the owner and a Data node.
OutputRef GraphImporter::captured(Scope& scope, const std::string& name, OutputRef outer)
{
    OutputRef inner;
    if (const Tensor* constant = graph().constantOf(outer)) {
        inner = {m_editor.addConstant(scope.prefix + replaceInvalidUtf8(name), *constant, scope.graph), 0};
    } else {
        const TensorDesc desc = graph().outputDesc(outer);
        auto& slots = m_captures[scope.owner];
        const auto [entry, isNew] = slots.try_emplace(outer, graph().node(scope.owner).inputCount());
        if (isNew) {
            m_editor.addInput(scope.owner, "x" + std::to_string(entry->second), desc);
            m_editor.connect(outer, {scope.owner, entry->second});
        }
        NodeSpec spec;
        spec.name = scope.prefix + replaceInvalidUtf8(name);
        spec.type = "Data";
        spec.attrs = {{"index", scope.dataCount}, {"_parent_node_index", entry->second}};
        spec.inputs.emplace_back("x", desc);
        spec.outputs.emplace_back("y", desc);
        inner = {addBoundary(scope, std::move(spec)), 0};
    }
    scope.values.emplace(name, inner);
    return inner;
}

NodeId GraphImporter::addBoundary(Scope& scope, NodeSpec spec)
{
    const NodeId id = m_editor.addNode(std::move(spec), scope.graph, scope.lastData);
    if (!scope.lastData.isValid()) m_editor.moveAfter(id, {});
    scope.lastData = id;
    ++scope.dataCount;
    return id;
}

TensorDesc GraphImporter::declared(const Scope& scope, const std::string& name) const
{
    for (const Scope* level = &scope; level; level = level->parent) {
        const auto known = level->declared.find(name);
        if (known != level->declared.end()) return known->second;
        if (level->values.contains(name)) break; // what an outer graph says of the name is about another value
    }
    return {};
}

Status GraphImporter::define(Scope& scope, const std::string& name, OutputRef value, const std::string& by)
{
    if (scope.values.emplace(name, value).second) return Status::success();
    return Error::invalid(
        fmt::format("the value '{}' is produced twice (again by {})", cleanText(name), cleanText(by)));
}

// Nodes

/// Nodes without a name are numbered as GE's parser does: the main graph's first, then those of its sub-graphs in the
/// order of the file. A function's body has a count of its own.
template <typename Nodes>
void GraphImporter::numberNodes(const Nodes& nodes)
{
    int next = 0;
    std::vector<const onnx::GraphProto*> graphs;
    const auto visit = [&](const auto& list) {
        for (const onnx::NodeProto& node : list) {
            if (node.name().empty()) m_numbers.emplace(&node, next++);
            for (const auto& attribute : node.attribute()) {
                if (attribute.has_g()) graphs.push_back(&attribute.g());
                for (const auto& graph : attribute.graphs()) graphs.push_back(&graph);
            }
        }
    };
    visit(nodes);
    for (std::size_t i = 0; i < graphs.size(); ++i) visit(graphs[i]->node());
}

std::string GraphImporter::nodeName(const Scope& scope, const onnx::NodeProto& node)
{
    if (node.name().empty()) {
        const auto number = m_numbers.find(&node);
        return fmt::format("{}{}_{}", scope.prefix, replaceInvalidUtf8(node.op_type()),
                           number == m_numbers.end() ? 0 : number->second);
    }
    if (!m_saidBadName && !isValidUtf8(node.name())) {
        m_saidBadName = true;
        message(Severity::Warning, "onnx.bad-name",
                fmt::format("the node name '{}' is not valid UTF-8", cleanText(node.name())));
    }
    return scope.prefix + replaceInvalidUtf8(node.name());
}

Status GraphImporter::importNodes(Scope& scope, const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes)
{
    GELENS_ASSIGN(const NodeOrder order, orderNodes(nodes));
    for (const std::string& name : order.repeatedConstants)
        message(Severity::Warning, "onnx.repeated-constant",
                fmt::format("several Constant nodes give '{}': the last one counts", cleanText(name)));
    if (!order.wasSorted)
        message(Severity::Info, "onnx.unsorted", "the nodes of the file were not in topological order: sorted");
    for (const int index : order.indices) GELENS_TRY(importNode(scope, nodes[index]));
    return Status::success();
}

Status GraphImporter::importNode(Scope& scope, const onnx::NodeProto& node)
{
    GELENS_TRY(checkLimits());
    const std::string name = nodeName(scope, node);
    if (!m_names.insert(name).second && m_repeatedNames++ == 0) m_firstRepeatedName = name;
    const std::string domain = normalDomain(node.domain());
    ++m_document.operatorHistogram[domain.empty() ? node.op_type() : domain + "." + node.op_type()];
    if (domain.empty() && node.op_type() == "Constant") return importConstant(scope, node, name);
    const LocalFunction* const function = m_functions.find(node);
    if (function && !ImportTable::instance().find(domain, node.op_type()))
        return importCall(scope, node, name, *function);
    return importOperator(scope, node, name);
}

/// Constant nodes are constants, whichever of the attributes holds the value.
Status GraphImporter::importConstant(Scope& scope, const onnx::NodeProto& node, const std::string& name)
{
    const auto failed = [&](const std::string& text) {
        return Error::invalid(fmt::format("node '{}' (Constant): {}", cleanText(name), text));
    };
    if (node.output_size() != 1) return failed("it must have one output");
    GELENS_ASSIGN(const AttrMap attrs, readAttributes(scope, node));
    std::optional<Tensor> value;
    for (const auto& [key, attribute] : attrs) {
        if (const auto* tensor = attribute.as<AttrValue::TensorPtr>()) {
            value = **tensor;
        } else if (key == "value_float" && attribute.as<float>()) {
            const double number = *attribute.as<float>();
            value = Tensor::fromDoubles(std::span(&number, 1), Shape{}, DataType::Float);
        } else if (key == "value_int" && attribute.as<std::int64_t>()) {
            value = Tensor::fromInts({*attribute.as<std::int64_t>()}, Shape{});
        } else if (key == "value_floats") {
            const FloatList list = attrFloats(attrs, key);
            const std::vector<double> numbers(list.begin(), list.end());
            value = Tensor::fromDoubles(numbers, Shape{static_cast<std::int64_t>(list.size())}, DataType::Float);
        } else if (key == "value_ints") {
            const IntList list = attrInts(attrs, key);
            value = Tensor::fromInts(list, Shape{static_cast<std::int64_t>(list.size())});
        } else if (key == "value_string" || key == "value_strings") {
            Tensor text;
            const auto* single = attribute.as<std::string>();
            text.strings = single ? StringList{*single} : attrStrings(attrs, key);
            text.desc =
                TensorDesc(DataType::String, single ? Shape{} : Shape{static_cast<std::int64_t>(text.strings.size())});
            value = std::move(text);
        }
    }
    if (!value) {
        // GE's parser lets this pass; so the shape is what the file declares, and the value is absent.
        value.emplace();
        value->desc = declared(scope, node.output(0));
        message(Severity::Warning, "onnx.no-value", fmt::format("the constant '{}' has no value", cleanText(name)));
    }
    const NodeId id = m_editor.addConstant(name, std::move(*value), scope.graph);
    return define(scope, node.output(0), {id, 0}, name);
}

/// A function's body takes the place of the call: formal names stand for the caller's values.
Status GraphImporter::importCall(Scope& scope, const onnx::NodeProto& node, const std::string& name,
                                 const LocalFunction& function)
{
    const onnx::FunctionProto& proto = *function.proto;
    FunctionCall call;
    for (const auto& attribute : function.defaults) call.attributes[attribute->name()] = attribute.get();
    for (const auto& attribute : node.attribute())
        if (const onnx::AttributeProto* value = actual(scope, attribute)) call.attributes[attribute.name()] = value;

    OpsetMap opsets = *scope.opsets;
    for (const auto& entry : proto.opset_import()) opsets[normalDomain(entry.domain())] = entry.version();
    Scope body;
    body.graph = scope.graph;
    body.owner = scope.owner;
    body.prefix = name + "/";
    body.call = &call;
    body.opsets = &opsets;
    body.depth = scope.depth + 1;
    if (body.depth > maxScopeDepth) return Error::limit("sub-graphs and functions are nested too deep");
    if (node.input_size() > proto.input_size() || node.output_size() > proto.output_size())
        return Error::invalid(fmt::format("node '{}': function {} has {} inputs and {} outputs, fewer than the call",
                                          cleanText(name), function.shownName, proto.input_size(),
                                          proto.output_size()));
    for (int i = 0; i < proto.input_size(); ++i) {
        if (i >= node.input_size() || node.input(i).empty() || isAbsent(scope, node.input(i))) {
            body.absent.insert(proto.input(i));
            continue;
        }
        const OutputRef value = resolve(scope, node.input(i));
        if (!value.isValid())
            return Error::invalid(
                fmt::format("node '{}' needs '{}', which nothing produces", cleanText(name), cleanText(node.input(i))));
        body.values.emplace(proto.input(i), value);
        body.declared.emplace(proto.input(i), declared(scope, node.input(i)));
    }
    GELENS_TRY(importNodes(body, proto.node()));
    for (int i = 0; i < node.output_size(); ++i) {
        if (node.output(i).empty()) continue;
        const OutputRef value = resolve(body, proto.output(i));
        if (!value.isValid())
            return Error::invalid(fmt::format("function {} does not produce its output '{}'", function.shownName,
                                              cleanText(proto.output(i))));
        GELENS_TRY(define(scope, node.output(i), value, name));
    }
    return Status::success();
}

/// For a domain that the file does not import: the newest for the standard one, as ONNX Runtime has it.
int GraphImporter::opsetAssumed(const std::string& domain)
{
    if (!domain.empty()) return 1;
    if (!m_saidNoOpset)
        message(Severity::Warning, "onnx.no-opset",
                fmt::format("the model states no opset for the standard operators that it uses: taken for {}",
                            newestOnnxOpset));
    m_saidNoOpset = true;
    return static_cast<int>(newestOnnxOpset);
}

Result<OnnxNode> GraphImporter::plainNode(Scope& scope, const onnx::NodeProto& node, const std::string& name)
{
    OnnxNode plain;
    plain.name = name;
    plain.opType = replaceInvalidUtf8(node.op_type());
    plain.domain = replaceInvalidUtf8(normalDomain(node.domain()));
    const auto opset = scope.opsets->find(normalDomain(node.domain()));
    if (opset != scope.opsets->end())
        plain.opset = static_cast<int>(opset->second);
    else
        plain.opset = opsetAssumed(plain.domain);
    for (const std::string& input : node.input())
        plain.inputs.push_back(isAbsent(scope, input) ? std::string() : input);
    while (!plain.inputs.empty() && plain.inputs.back().empty())
        plain.inputs.pop_back(); // trailing absent inputs say nothing
    plain.outputs.assign(node.output().begin(), node.output().end());
    for (const std::string& input : plain.inputs)
        if (!input.empty() && !resolve(scope, input).isValid())
            return Error::invalid(
                fmt::format("node '{}' needs '{}', which nothing produces", cleanText(name), cleanText(input)));
    GELENS_ASSIGN(plain.attrs, readAttributes(scope, node));
    return plain;
}

Status GraphImporter::importOperator(Scope& scope, const onnx::NodeProto& node, const std::string& name)
{
    GELENS_ASSIGN(OnnxNode plain, plainNode(scope, node, name));
    const std::string shownType = plain.domain.empty() ? plain.opType : plain.domain + "." + plain.opType;
    const ImportFunction* const function = ImportTable::instance().find(plain.domain, plain.opType);
    NodeImport import(*this, scope, node, std::move(plain));
    if (!function) {
        import.makeOpaque();
        ++m_opaqueTypes[cleanText(shownType)];
        return import.finish();
    }
    Status status = (*function)(import);
    if (status.ok()) status = import.finish();
    if (status.ok() || status.error().code != ErrorCode::Unsupported) return status;
    // A form of a known operator that the program does not cover is no reason to refuse the model.
    import.undo();
    const NodeId id = import.makeOpaque();
    message(Severity::Warning, "onnx.unsupported-form", status.error().message(), id);
    return import.finish();
}

void GraphImporter::inferForImport(NodeId id)
{
    const Node& node = graph().node(id);
    const OpDef* const def = OpRegistry::instance().find(node.type);
    if (!def || !def->inferFunction()) return;
    InferContext context(graph(), node, [&](int i) { return graph().constantInput(node, i); });
    if (!def->inferFunction()(context).ok()) return; // the pass that infers for good will say it
    const std::vector<std::optional<TensorDesc>> outputs = context.outputs();
    for (std::size_t i = 0; i < outputs.size() && i < graph().node(id).outputs.size(); ++i)
        if (outputs[i]) m_editor.setOutputDesc({id, static_cast<int>(i)}, *outputs[i]);
}

void GraphImporter::forgetInferred()
{
    const auto isInferred = [&](NodeId id) {
        const Node& node = graph().node(id);
        return !node.isOpaque && !isBoundaryType(node.type);
    };
    for (const NodeId id : graph().allNodes()) {
        for (int i = 0; isInferred(id) && i < graph().node(id).outputCount(); ++i)
            m_editor.setOutputDesc({id, i}, TensorDesc());
        const bool isExpanded = graph().node(id).attrs.contains("_datadump_original_op_names");
        for (int i = 0; i < graph().node(id).inputCount(); ++i) {
            const InputSlot& slot = graph().node(id).inputs[static_cast<std::size_t>(i)];
            if (!slot.source.isValid()) continue;
            // GE's parser hands the dims of a graph input to its readers, but not into what a plug-in expands; never its
            // axis order.
            const TensorDesc& source = graph().outputDesc(slot.source);
            const bool isInput = graph().node(slot.source.node).type == "Data" && graph().node(id).type != "NetOutput";
            if (!isInferred(slot.source.node) && !isInput) continue;
            TensorDesc desc = isInput && !isExpanded ? TensorDesc(source.dtype, source.shape) : TensorDesc();
            desc.attrs = slot.desc.attrs;
            m_editor.setInputDesc({id, i}, std::move(desc));
        }
        stateParserFormats(m_editor, id);
    }
}

// Sub-graphs

Result<GraphId> GraphImporter::importSubgraph(Scope& outer, const onnx::GraphProto& graph, const std::string& attribute,
                                              NodeId owner)
{
    const Node& node = m_editor.node(owner);
    const std::string name = fmt::format("{}_{}_{}", node.name, node.subgraphs.size(), attribute);
    Scope scope;
    scope.graph = m_editor.addSubgraph(name, owner);
    scope.parent = &outer;
    scope.owner = owner;
    scope.prefix = name + "/";
    scope.call = outer.call;
    scope.opsets = outer.opsets;
    scope.depth = outer.depth + 1;
    if (scope.depth > maxScopeDepth) return Error::limit("sub-graphs and functions are nested too deep");
    declareValues(scope, graph);
    std::unordered_set<std::string> constants;
    for (const auto& tensor : graph.initializer()) constants.insert(tensor.name());
    for (const auto& sparse : graph.sparse_initializer()) constants.insert(sparse.values().name());
    GELENS_TRY(importInputs(scope, graph, constants));
    if (m_editor.node(owner).type == "If" && scope.dataCount > 0)
        return Error::invalid(
            fmt::format("node '{}' (If): {} declares inputs of its own, but a branch has none: it reads "
                        "outer values by their names",
                        cleanText(m_editor.node(owner).name), attribute));
    // Files that count in a list of one are older than the rule that a loop counts in a scalar; the body relies on it.
    if (m_editor.node(owner).type == "Loop" && graph.input_size() > 0 &&
        descOf(graph.input(0).type()).originShape.dims().size() == 1)
        m_editor.setAttr(owner, "_counts_in_list", true);
    GELENS_TRY(importInitializers(scope, graph, {}));
    GELENS_TRY(importNodes(scope, graph.node()));
    GELENS_TRY(importOutputs(scope, graph));
    return scope.graph;
}

} // namespace gelens::onnx_import
