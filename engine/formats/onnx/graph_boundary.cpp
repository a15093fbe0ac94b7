// Inputs, initialisers, outputs and attributes of a graph under import.

#include "engine/formats/onnx/graph_importer.h"
#include "engine/formats/onnx/onnx_reader.h"
#include "engine/formats/onnx/text.h"
#include "engine/formats/onnx/value_types.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gelens::onnx_import {
namespace {

/// GE's parser takes every graph input for NCHW, whatever its rank.
void useParserFormat(TensorDesc& desc)
{
    desc.format = Format::NCHW;
    desc.originFormat = Format::NCHW;
}

} // namespace

// Inputs

void GraphImporter::declareValues(Scope& scope, const onnx::GraphProto& graph)
{
    for (const auto* list : {&graph.value_info(), &graph.output(), &graph.input()})
        for (const auto& info : *list)
            if (info.has_type()) scope.declared.insert_or_assign(info.name(), descOf(info.type()));
}

Status GraphImporter::importInputs(Scope& scope, const onnx::GraphProto& graph,
                                   const std::unordered_set<std::string>& constants)
{
    // An input that is also an initialiser is a constant with a name: GE's parser makes no Data node of it.
    int index = 0;
    for (const auto& info : graph.input())
        if (!constants.contains(info.name())) GELENS_TRY(addInput(scope, info, index++));
    return Status::success();
}

Status GraphImporter::addInput(Scope& scope, const onnx::ValueInfoProto& info, int index)
{
    TensorDesc desc = descOf(info.type());
    const bool isMain = !scope.parent;
    if (isMain) {
        if (info.type().has_tensor_type() && desc.dtype == DataType::Undefined)
            return Error::invalid(fmt::format("the input '{}' has the unknown data type {}", cleanText(info.name()),
                                              info.type().tensor_type().elem_type()));
        GELENS_TRY(applyOptions(info.name(), desc));
        scope.declared.insert_or_assign(info.name(), desc);
        useParserFormat(desc);
    }
    NodeSpec spec;
    spec.name = scope.prefix + replaceInvalidUtf8(info.name());
    spec.type = "Data";
    spec.attrs = {{"index", index}, {"data_type", static_cast<std::int64_t>(desc.dtype)}};
    if (!isMain) spec.attrs.emplace("_parent_node_index", AttrValue(index));
    spec.inputs.emplace_back("x", desc);
    spec.outputs.emplace_back("y", desc);
    const NodeId id = addBoundary(scope, std::move(spec));
    if (!scope.values.emplace(info.name(), OutputRef{id, 0}).second)
        return Error::invalid(fmt::format("the input '{}' is declared twice", cleanText(info.name())));
    return Status::success();
}

/// What the user set for this input: a shape, or values of symbolic dimensions.
Status GraphImporter::applyOptions(const std::string& name, TensorDesc& desc)
{
    Shape shape = desc.shape;
    const auto wanted = m_options.inputShapes.find(name);
    if (wanted != m_options.inputShapes.end()) {
        m_inputsSet.insert(name);
        const auto& dims = wanted->second;
        // Exporters and test data mix up scalars and lists of one; runtimes take either.
        if (shape.hasRank() && shape.isScalar() && dims.size() == 1 && dims[0] == 1) shape = Shape{1};
        if (shape.hasRank() && static_cast<std::size_t>(shape.rank()) != dims.size())
            return Error::invalid(fmt::format("the input '{}' has {} dimensions {}, not {}", cleanText(name),
                                              shape.rank(), shape.text(), dims.size()));
        if (!shape.hasRank()) shape = Shape(std::vector<std::int64_t>(dims.size(), unknownDim));
        for (std::size_t i = 0; i < dims.size(); ++i) {
            if (dims[i] == unknownDim) continue;
            if (dims[i] < 0)
                return Error::invalid(
                    fmt::format("the input '{}' cannot have the dimension {}", cleanText(name), dims[i]));
            if (shape[i] != unknownDim && shape[i] != dims[i])
                return Error::invalid(fmt::format("the input '{}' has the fixed shape {}: dimension {} cannot be {}",
                                                  cleanText(name), shape.text(), i, dims[i]));
            shape.setDim(i, dims[i]);
            shape.setSymbol(i, {});
        }
    }
    for (std::size_t i = 0; shape.hasRank() && i < static_cast<std::size_t>(shape.rank()); ++i) {
        const auto symbol = m_options.symbols.find(std::string(shape.symbol(i)));
        if (shape[i] != unknownDim || shape.symbol(i).empty() || symbol == m_options.symbols.end()) continue;
        m_symbolsSet.insert(symbol->first);
        if (symbol->second < 0)
            return Error::invalid(
                fmt::format("the dimension '{}' cannot be {}", cleanText(symbol->first), symbol->second));
        shape.setDim(i, symbol->second);
        shape.setSymbol(i, {});
    }
    desc.setShape(shape);
    return Status::success();
}

Status GraphImporter::checkOptionsUsed() const
{
    for (const auto& [name, shape] : m_options.inputShapes) {
        // One value may be meant for an input of rank 1 or for a dimension of that name; either use will do.
        if (m_inputsSet.contains(name) || (shape.size() == 1 && m_symbolsSet.contains(name))) continue;
        std::vector<std::string> known;
        graph().forEachNode(rootGraph, [&](const Node& node) { known.push_back(node.name); });
        return Error::invalid(
            fmt::format("the model has no input '{}'; it has {}", cleanText(name),
                        known.empty() ? "none" : cleanText(fmt::format("{}", fmt::join(known, ", ")))));
    }
    for (const auto& [name, value] : m_options.symbols)
        if (!m_symbolsSet.contains(name) && !m_inputsSet.contains(name))
            return Error::invalid(fmt::format("no input of the model has a dimension '{}'", cleanText(name)));
    return Status::success();
}

// Initialisers

/// Named and numbered as GE's parser does: by the sorted names of all initialisers.
Status GraphImporter::importInitializers(Scope& scope, const onnx::GraphProto& graph,
                                         const std::vector<MainInitializer>& mapped)
{
    std::map<std::string, Tensor> tensors;
    const auto add = [&](const std::string& name, Result<Tensor> tensor) -> Status {
        if (!tensor.ok()) return tensor.error();
        if (name.empty()) return Error::invalid("an initialiser has no name");
        if (!tensors.emplace(name, std::move(tensor).value()).second)
            return Error::invalid(fmt::format("the initialiser '{}' is defined twice", cleanText(name)));
        return Status::success();
    };
    for (const MainInitializer& initializer : mapped)
        GELENS_TRY(add(initializer.proto.name(), m_tensors.read(initializer.proto, initializer.window)));
    for (const auto& proto : graph.initializer()) GELENS_TRY(add(proto.name(), m_tensors.read(proto)));
    for (const auto& proto : graph.sparse_initializer())
        GELENS_TRY(add(proto.values().name(), m_tensors.readSparse(proto)));
    int index = 0;
    for (auto& [name, tensor] : tensors) GELENS_TRY(addInitializer(scope, name, std::move(tensor), index++));
    return Status::success();
}

Status GraphImporter::addInitializer(Scope& scope, const std::string& name, Tensor value, int index)
{
    GELENS_TRY(checkLimits());
    scope.declared.insert_or_assign(name, value.desc);
    const NodeId id =
        m_editor.addConstant(fmt::format("{}{}_Initializer_{}", scope.prefix, replaceInvalidUtf8(name), index),
                             std::move(value), scope.graph);
    return define(scope, name, {id, 0}, "an initialiser");
}

// Outputs

Status GraphImporter::importOutputs(Scope& scope, const onnx::GraphProto& graph)
{
    std::vector<OutputRef> outputs;
    NodeSpec spec;
    spec.name = scope.prefix + "Node_Output";
    spec.type = "NetOutput";
    spec.attrs = {
        {"_inner_net_output", true}, {"true_branch_stream", 0}, {"_datadump_original_op_names", StringList{}}};
    for (int i = 0; i < graph.output_size(); ++i) {
        const std::string& name = graph.output(i).name();
        const OutputRef value = resolve(scope, name);
        if (!value.isValid())
            return Error::invalid(fmt::format("the graph output '{}' is produced by nothing", cleanText(name)));
        TensorDesc desc = this->graph().outputDesc(value);
        if (scope.parent)
            desc.attrs.insert_or_assign("_parent_node_index", AttrValue(i));
        else
            desc.attrs.insert_or_assign("_origin_output_tensor_name", AttrValue(replaceInvalidUtf8(name)));
        // What kind of value an output is, is declared at the border; its producer may hold another (an optional).
        desc.attrs.erase("onnx_type");
        if (graph.output(i).has_type()) {
            const TensorDesc declaredDesc = descOf(graph.output(i).type());
            if (const auto type = declaredDesc.attrs.find("onnx_type"); type != declaredDesc.attrs.end())
                desc.attrs.insert_or_assign("onnx_type", type->second);
        }
        spec.inputs.emplace_back("__input" + std::to_string(i), std::move(desc));
        outputs.push_back(value);
    }
    const NodeId id = m_editor.addNode(std::move(spec), scope.graph);
    for (std::size_t i = 0; i < outputs.size(); ++i) m_editor.connect(outputs[i], {id, static_cast<int>(i)});
    m_editor.setGraphOutputs(scope.graph, std::move(outputs));
    return Status::success();
}

/// Constants move to just before their first reader, unread ones before the end: the order of GE's own sorting.
void GraphImporter::orderConstantsFirst()
{
    for (const GraphId id : graph().liveSubgraphs()) {
        std::vector<NodeId> order;
        std::vector<NodeId> unread;
        std::unordered_set<NodeId> placed;
        NodeId last;
        graph().forEachNode(id, [&](const Node& node) {
            if (node.type == "Const") {
                if (node.outputs[0].consumers.empty()) unread.push_back(node.id);
                return;
            }
            if (node.type == "NetOutput") {
                last = node.id;
                return;
            }
            for (const InputSlot& input : node.inputs)
                if (input.source.isValid() && graph().node(input.source.node).type == "Const" &&
                    placed.insert(input.source.node).second)
                    order.push_back(input.source.node);
            order.push_back(node.id);
        });
        if (last.isValid()) {
            for (const InputSlot& input : graph().node(last).inputs)
                if (graph().node(input.source.node).type == "Const" && placed.insert(input.source.node).second)
                    order.push_back(input.source.node);
        }
        order.insert(order.end(), unread.begin(), unread.end());
        if (last.isValid()) order.push_back(last);
        m_editor.setOrder(id, std::move(order));
    }
}

// Attributes

const onnx::AttributeProto* GraphImporter::actual(const Scope& scope, const onnx::AttributeProto& attribute) const
{
    if (attribute.ref_attr_name().empty()) return &attribute;
    if (!scope.call) return nullptr;
    const auto given = scope.call->attributes.find(attribute.ref_attr_name());
    return given == scope.call->attributes.end() ? nullptr : given->second;
}

Result<AttrMap> GraphImporter::readAttributes(Scope& scope, const onnx::NodeProto& node)
{
    AttrMap attrs;
    for (const auto& declaredAttribute : node.attribute()) {
        const onnx::AttributeProto* const attribute = actual(scope, declaredAttribute);
        if (!attribute) continue; // a function's optional attribute that the call left out
        AttrValue value;
        // Files of IR version 1 state no type: what is set tells it.
        switch (attribute->type()) {
        case onnx::AttributeProto::FLOAT: value = AttrValue(attribute->f()); break;
        case onnx::AttributeProto::INT: value = AttrValue(static_cast<std::int64_t>(attribute->i())); break;
        case onnx::AttributeProto::STRING: value = AttrValue(attribute->s()); break;
        case onnx::AttributeProto::FLOATS:
            value = AttrValue(FloatList(attribute->floats().begin(), attribute->floats().end()));
            break;
        case onnx::AttributeProto::INTS:
            value = AttrValue(IntList(attribute->ints().begin(), attribute->ints().end()));
            break;
        case onnx::AttributeProto::STRINGS:
            value = AttrValue(StringList(attribute->strings().begin(), attribute->strings().end()));
            break;
        case onnx::AttributeProto::TYPE_PROTO: value = AttrValue(typeText(attribute->tp())); break;
        case onnx::AttributeProto::TENSOR: {
            GELENS_ASSIGN(Tensor tensor, m_tensors.read(attribute->t()));
            value = AttrValue(std::move(tensor));
            break;
        }
        case onnx::AttributeProto::SPARSE_TENSOR: {
            GELENS_ASSIGN(Tensor tensor, m_tensors.readSparse(attribute->sparse_tensor()));
            value = AttrValue(std::move(tensor));
            break;
        }
        case onnx::AttributeProto::TENSORS: {
            std::vector<AttrValue::TensorPtr> tensors;
            for (const auto& proto : attribute->tensors()) {
                GELENS_ASSIGN(Tensor tensor, m_tensors.read(proto));
                tensors.push_back(std::make_shared<const Tensor>(std::move(tensor)));
            }
            value = AttrValue(AttrValue::Variant(std::move(tensors)));
            break;
        }
        case onnx::AttributeProto::UNDEFINED:
            if (attribute->has_f())
                value = AttrValue(attribute->f());
            else if (attribute->has_i())
                value = AttrValue(static_cast<std::int64_t>(attribute->i()));
            else if (attribute->has_s())
                value = AttrValue(attribute->s());
            else if (attribute->floats_size() > 0)
                value = AttrValue(FloatList(attribute->floats().begin(), attribute->floats().end()));
            else if (attribute->ints_size() > 0)
                value = AttrValue(IntList(attribute->ints().begin(), attribute->ints().end()));
            else if (attribute->strings_size() > 0)
                value = AttrValue(StringList(attribute->strings().begin(), attribute->strings().end()));
            break;
        default: continue; // sub-graphs are asked for by name
        }
        if (value.isSet()) attrs.insert_or_assign(declaredAttribute.name(), std::move(value));
    }
    return attrs;
}

} // namespace gelens::onnx_import
