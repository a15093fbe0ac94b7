#include "tests/support/graph_builder.h"

#include "engine/ops/op_registry.h"

#include <stdexcept>

namespace gelens::test {

OutputRef GraphBuilder::input(const std::string& name, Shape shape, DataType dtype)
{
    const TensorDesc desc(dtype, std::move(shape));
    const NodeId id = m_edit.addNode({.name = name, .type = "Data", .inputs = {{"x", desc}}, .outputs = {{"y", desc}}});
    m_edit.setAttr(id, "index", static_cast<std::int64_t>(count("Data") - 1));
    return {id, 0};
}

OutputRef GraphBuilder::constant(const std::string& name, const HostTensor& value)
{
    return {m_edit.addConstant(name, value.toConstant()), 0};
}

OutputRef GraphBuilder::ints(const std::string& name, std::vector<std::int64_t> values)
{
    const auto count = static_cast<std::int64_t>(values.size());
    return {m_edit.addConstant(name, Tensor::fromInts(std::move(values), Shape{count})), 0};
}

OutputRef GraphBuilder::op(const std::string& type, const std::vector<OutputRef>& inputs, AttrMap attrs,
                           const std::string& name, int outputs)
{
    const OpDef* def = OpRegistry::instance().find(type);
    if (def == nullptr) throw std::runtime_error("no operator " + type);
    for (const AttrSpec& spec : def->attrs())
        if (spec.defaultValue.isSet() && !attrs.contains(spec.name)) attrs[spec.name] = spec.defaultValue;
    NodeSpec spec{.name = name, .type = type, .attrs = std::move(attrs)};
    const int count = static_cast<int>(inputs.size());
    for (int i = 0; i < count; ++i) {
        const OutputRef source = inputs[static_cast<std::size_t>(i)];
        spec.inputs.emplace_back(def->inputName(i, count),
                                 source.isValid() ? m_graph.outputDesc(source) : TensorDesc::unconnected());
    }
    for (int i = 0; i < outputs; ++i) spec.outputs.emplace_back(def->outputName(i, outputs), TensorDesc());
    const NodeId id = m_edit.addNode(std::move(spec));
    for (int i = 0; i < count; ++i)
        if (inputs[static_cast<std::size_t>(i)].isValid()) m_edit.connect(inputs[static_cast<std::size_t>(i)], {id, i});
    InferContext infer(m_graph, m_graph.node(id));
    const Status status = def->inferFunction() ? def->inferFunction()(infer) : Status::success();
    if (!status.ok()) throw std::runtime_error(status.error().message());
    for (int i = 0; i < outputs; ++i)
        if (infer.outputs()[static_cast<std::size_t>(i)])
            m_edit.setOutputDesc({id, i}, *infer.outputs()[static_cast<std::size_t>(i)]);
    return {id, 0};
}

void GraphBuilder::outputs(const std::vector<OutputRef>& values)
{
    NodeSpec spec{.name = "Node_Output", .type = "NetOutput"};
    for (std::size_t i = 0; i < values.size(); ++i)
        spec.inputs.emplace_back("x" + std::to_string(i), m_graph.outputDesc(values[i]));
    const NodeId id = m_edit.addNode(std::move(spec));
    for (std::size_t i = 0; i < values.size(); ++i) m_edit.connect(values[i], {id, static_cast<std::int32_t>(i)});
    m_edit.setGraphOutputs(rootGraph, values);
}

int GraphBuilder::count(const std::string& type) const
{
    int found = 0;
    for (const NodeId id : m_graph.allNodes()) found += m_graph.node(id).type == type;
    return found;
}

std::string GraphBuilder::types() const
{
    std::string text;
    for (const NodeId id : m_graph.topologicalOrder()) {
        if (isConstantType(m_graph.node(id).type)) continue;
        text += (text.empty() ? "" : " ") + m_graph.node(id).type;
    }
    return text;
}

} // namespace gelens::test
