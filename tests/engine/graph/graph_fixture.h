#pragma once
// Graphs built in few words for the tests of engine/graph.

#include "engine/graph/graph_editor.h"

#include <string>
#include <vector>

namespace gelens::test {

/// A graph with its editor, and names for the nodes.
struct Fixture {
    Graph graph{"g"};
    Journal journal;
    GraphEditor edit{graph, journal};

    NodeId add(const std::string& name, int inputs = 1, int outputs = 1, GraphId in = rootGraph,
               const std::string& type = "Op")
    {
        NodeSpec spec;
        spec.name = name;
        spec.type = type;
        for (int i = 0; i < inputs; ++i)
            spec.inputs.emplace_back("x" + std::to_string(i), TensorDesc(DataType::Float, Shape{2}));
        for (int i = 0; i < outputs; ++i)
            spec.outputs.emplace_back("y" + std::to_string(i), TensorDesc(DataType::Float, Shape{2}));
        return edit.addNode(std::move(spec), in);
    }
    void link(NodeId from, NodeId to, int slot = 0) { edit.connect({from, 0}, {to, slot}); }
    std::string names(const std::vector<NodeId>& ids) const
    {
        std::string text;
        for (const NodeId id : ids) text += (text.empty() ? "" : " ") + graph.node(id).name;
        return text;
    }
    std::string order() const { return names(graph.nodes()); }
    std::string sorted() const { return names(graph.topologicalOrder()); }
    std::string readers(OutputRef ref) const
    {
        std::string text;
        for (const InputRef to : graph.consumers(ref))
            text += (text.empty() ? "" : " ") + graph.node(to.node).name + ":" + std::to_string(to.index);
        return text;
    }
};

} // namespace gelens::test

#define VERIFY_SOUND(fixture) QCOMPARE((fixture).graph.findInconsistency(), std::string())
