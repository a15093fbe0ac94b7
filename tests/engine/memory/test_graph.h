#pragma once
// Small graphs for tests of memory, schedule and device, one line for each node.

#include "engine/graph/graph_editor.h"

#include <random>

namespace gelens::test {

class TestGraph {
public:
    TestGraph() : graph("test"), m_editor(graph, m_journal) {}

    OutputRef data(const std::string& name, Shape shape, DataType dtype = DataType::Float)
    {
        NodeSpec spec{name, "Data", {{"x", TensorDesc(dtype, shape)}}, {{"y", TensorDesc(dtype, shape)}}, {}, false};
        spec.attrs["index"] = m_dataCount++;
        return {m_editor.addNode(spec), 0};
    }
    OutputRef constant(const std::string& name, Tensor value)
    {
        return {m_editor.addConstant(name, std::move(value)), 0};
    }
    OutputRef constant(const std::string& name, Shape shape, double value)
    {
        const std::vector<double> values(static_cast<std::size_t>(shape.elementCount().value()), value);
        return constant(name, Tensor::fromDoubles(values, shape));
    }
    /// A node with outputs of these shapes (fp32 unless said otherwise).
    NodeId node(const std::string& name, const std::string& type, const std::vector<OutputRef>& inputs,
                const std::vector<Shape>& outputs, AttrMap attrs = {}, DataType dtype = DataType::Float)
    {
        NodeSpec spec{name, type, {}, {}, std::move(attrs), false};
        for (std::size_t i = 0; i < inputs.size(); ++i)
            spec.inputs.emplace_back("x" + std::to_string(i),
                                     inputs[i].isValid() ? graph.outputDesc(inputs[i]) : TensorDesc::unconnected());
        for (std::size_t i = 0; i < outputs.size(); ++i)
            spec.outputs.emplace_back("y" + std::to_string(i), TensorDesc(dtype, outputs[i]));
        const NodeId id = m_editor.addNode(spec);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (inputs[i].isValid()) m_editor.connect(inputs[i], {id, static_cast<std::int32_t>(i)});
        return id;
    }
    OutputRef op(const std::string& name, const std::string& type, const std::vector<OutputRef>& inputs, Shape shape,
                 AttrMap attrs = {}, DataType dtype = DataType::Float)
    {
        return {node(name, type, inputs, {std::move(shape)}, std::move(attrs), dtype), 0};
    }
    NodeId output(const std::vector<OutputRef>& values)
    {
        const NodeId id = node("Node_Output", "NetOutput", values, {});
        m_editor.setGraphOutputs(rootGraph, values);
        return id;
    }
    GraphEditor& editor() { return m_editor; }

    Graph graph;

private:
    Journal m_journal;
    GraphEditor m_editor;
    std::int64_t m_dataCount = 0;
};

} // namespace gelens::test
