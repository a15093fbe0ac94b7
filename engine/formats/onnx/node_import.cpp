#include "engine/formats/onnx/node_import.h"

#include "engine/ops/op_registry.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>

namespace gelens::onnx_import {
namespace {

/// GE marks what its one-to-many plug-ins make with the name of the ONNX node. These plug-ins do so even where a single
/// node comes out.
constexpr std::array<std::string_view, 7> markedTypes = {"Conv2D",  "ClipByValue", "ConcatD", "MaxPoolV3",
                                                         "NonZero", "ReduceSum",   "Trilu"};

constexpr std::string_view originAttribute = "_datadump_original_op_names";

/// Marks of the user's that GE reads on operators of any type; each operator made for the ONNX node gets them.
constexpr std::array<std::string_view, 4> userMarks = {"_super_kernel_scope", "_super_kernel_options", "_stream_label",
                                                       "_user_stream_label"};

std::string slotName(const OpDef* def, bool isInput, int i, int count)
{
    if (!def) return (isInput ? "x" : "y") + std::to_string(i);
    return isInput ? def->inputName(i, count) : def->outputName(i, count);
}

/// GE nodes carry a slot for each optional input, connected or not.
int slotCount(const OpDef* def, int given)
{
    if (!def) return given;
    const auto& ports = def->inputs();
    const bool isDynamic =
        std::any_of(ports.begin(), ports.end(), [](const Port& port) { return port.kind == PortKind::Dynamic; });
    return isDynamic ? given : std::max(given, static_cast<int>(ports.size()));
}

} // namespace

NodeImport::NodeImport(GraphImporter& importer, Scope& scope, const onnx::NodeProto& proto, OnnxNode node)
    : m_importer(importer), m_scope(scope), m_proto(proto), m_node(std::move(node)), m_outputs(m_node.outputs.size())
{
    m_inputs.reserve(m_node.inputs.size());
    for (const std::string& name : m_node.inputs)
        m_inputs.push_back(name.empty() ? OutputRef{} : m_importer.resolve(m_scope, name));
}

OutputRef NodeImport::input(int i) const
{
    return i >= 0 && i < inputCount() ? m_inputs[static_cast<std::size_t>(i)] : OutputRef{};
}

const Tensor* NodeImport::constantInput(int i) const
{
    const OutputRef ref = input(i);
    return ref.isValid() ? m_importer.graph().constantOf(ref) : nullptr;
}

/// Both sources may know something: what was inferred on the way here, and what the file states.
Shape NodeImport::declaredShape(int i) const
{
    const OutputRef ref = input(i);
    if (!ref.isValid()) return Shape::unknownRank();
    const Shape& known = m_importer.graph().outputDesc(ref).shape;
    if (known.isStatic()) return known;
    const Shape stated = m_importer.declared(m_scope, m_node.inputs[static_cast<std::size_t>(i)]).shape;
    return stated.isStatic() || !known.hasRank() ? stated : known;
}

DataType NodeImport::declaredType(int i) const
{
    const OutputRef ref = input(i);
    if (!ref.isValid()) return DataType::Undefined;
    const DataType known = m_importer.graph().outputDesc(ref).dtype;
    return known != DataType::Undefined
               ? known
               : m_importer.declared(m_scope, m_node.inputs[static_cast<std::size_t>(i)]).dtype;
}

NodeId NodeImport::make(std::string_view geType, const std::vector<OutputRef>& inputs, AttrMap attrs, int outputs,
                        std::string_view suffix)
{
    const OpDef* const def = OpRegistry::instance().find(geType);
    GraphEditor& editor = m_importer.editor();
    NodeSpec spec;
    spec.type = geType;
    spec.name = m_hasNamed ? m_node.name + "_" + std::string(suffix.empty() ? geType : suffix) : m_node.name;
    m_hasNamed = true;
    spec.isOpaque = def == nullptr;
    const int given = static_cast<int>(inputs.size());
    const int slots = slotCount(def, given);
    for (int i = 0; i < slots; ++i) {
        const OutputRef source = i < given ? inputs[static_cast<std::size_t>(i)] : OutputRef{};
        spec.inputs.emplace_back(slotName(def, true, i, slots),
                                 source.isValid() ? editor.graph().outputDesc(source) : TensorDesc::unconnected());
    }
    for (int i = 0; i < outputs; ++i) spec.outputs.emplace_back(slotName(def, false, i, outputs), TensorDesc());
    if (def)
        for (const AttrSpec& attr : def->attrs())
            if (attr.defaultValue.isSet()) attrs.try_emplace(attr.name, attr.defaultValue);
    spec.attrs = std::move(attrs);
    const NodeId id = editor.addNode(std::move(spec), m_scope.graph);
    for (int i = 0; i < given; ++i)
        if (inputs[static_cast<std::size_t>(i)].isValid()) editor.connect(inputs[static_cast<std::size_t>(i)], {id, i});
    m_made.push_back(id);
    m_importer.inferForImport(id);
    return id;
}

OutputRef NodeImport::constant(Tensor value, std::string_view suffix)
{
    const NodeId id =
        m_importer.editor().addConstant(m_node.name + "_" + std::string(suffix), std::move(value), m_scope.graph);
    m_made.push_back(id);
    return {id, 0};
}

void NodeImport::setOutput(int i, OutputRef value)
{
    if (i >= 0 && i < outputCount()) m_outputs[static_cast<std::size_t>(i)] = value;
}

Result<GraphId> NodeImport::importSubgraph(std::string_view attribute, NodeId owner)
{
    for (const auto& candidate : m_proto.attribute()) {
        if (candidate.name() != attribute) continue;
        const onnx::AttributeProto* const actual = m_importer.actual(m_scope, candidate);
        if (!actual || !actual->has_g()) break;
        return m_importer.importSubgraph(m_scope, actual->g(), std::string(attribute), owner);
    }
    return error(fmt::format("the sub-graph '{}' is missing", attribute));
}

NodeId NodeImport::makeOpaque()
{
    GraphEditor& editor = m_importer.editor();
    NodeSpec spec;
    spec.type = m_node.opType;
    spec.name = m_node.name;
    spec.isOpaque = true;
    spec.attrs = m_node.attrs;
    spec.attrs.insert_or_assign(
        "original_type",
        fmt::format("{}::{}::{}", m_node.domain.empty() ? "ai.onnx" : m_node.domain, m_node.opset, m_node.opType));
    for (int i = 0; i < inputCount(); ++i) {
        const OutputRef source = input(i);
        spec.inputs.emplace_back("x" + std::to_string(i),
                                 source.isValid() ? editor.graph().outputDesc(source) : TensorDesc::unconnected());
    }
    // Nothing can infer these outputs: what the file states is all that will ever be known.
    for (int i = 0; i < outputCount(); ++i)
        spec.outputs.emplace_back("y" + std::to_string(i),
                                  m_importer.declared(m_scope, m_node.outputs[static_cast<std::size_t>(i)]));
    const NodeId id = editor.addNode(std::move(spec), m_scope.graph);
    m_made.push_back(id);
    for (int i = 0; i < inputCount(); ++i)
        if (input(i).isValid()) editor.connect(input(i), {id, i});
    for (int i = 0; i < outputCount(); ++i) setOutput(i, {id, i});
    return id;
}

void NodeImport::undo()
{
    for (std::size_t i = m_made.size(); i-- > 0;) m_importer.editor().removeNode(m_made[i]);
    m_made.clear();
    m_hasNamed = false;
    std::fill(m_outputs.begin(), m_outputs.end(), OutputRef{});
}

Status NodeImport::finish()
{
    GraphEditor& editor = m_importer.editor();
    const auto isMarked = [&](NodeId id) {
        return m_made.size() > 1 ||
               std::find(markedTypes.begin(), markedTypes.end(), editor.node(id).type) != markedTypes.end();
    };
    for (const NodeId id : m_made)
        if (!editor.node(id).isOpaque && isMarked(id))
            editor.setAttr(id, originAttribute, AttrValue(StringList{m_node.name}));
    for (const std::string_view mark : userMarks)
        if (const auto found = m_node.attrs.find(mark); found != m_node.attrs.end() && found->second.as<std::string>())
            for (const NodeId id : m_made) editor.setAttr(id, mark, found->second);
    for (int i = 0; i < outputCount(); ++i) {
        const std::string& name = m_node.outputs[static_cast<std::size_t>(i)];
        if (name.empty()) continue;
        if (!m_outputs[static_cast<std::size_t>(i)].isValid())
            return Error::unsupported(
                fmt::format("node '{}' ({}): output {} is not supported", m_node.name, m_node.opType, i));
        GELENS_TRY(m_importer.define(m_scope, name, m_outputs[static_cast<std::size_t>(i)], m_node.name));
    }
    return Status::success();
}

} // namespace gelens::onnx_import
