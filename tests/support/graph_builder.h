#pragma once
// Graphs built in code, one line a node, for tests of passes, memory, tasks and views.

#include "engine/graph/graph_editor.h"
#include "engine/ops/tensor_view.h"

#include <string>
#include <vector>

namespace gelens::test {

/// A graph and the journal of its making. Slots get the names of the operators' definitions.
class GraphBuilder {
public:
    GraphBuilder() : m_graph("test"), m_edit(m_graph, m_journal) {}

    OutputRef input(const std::string& name, Shape shape, DataType dtype = DataType::Float);
    OutputRef constant(const std::string& name, const HostTensor& value);
    /// Integers as an int64 constant of rank 1.
    OutputRef ints(const std::string& name, std::vector<std::int64_t> values);
    /// First output of a new node; an invalid ref leaves an optional slot unconnected. Descriptors are inferred.
    OutputRef op(const std::string& type, const std::vector<OutputRef>& inputs, AttrMap attrs = {},
                 const std::string& name = {}, int outputs = 1);
    /// Ends the graph: a NetOutput that reads these.
    void outputs(const std::vector<OutputRef>& values);

    Graph& graph() { return m_graph; }
    Journal& journal() { return m_journal; }
    GraphEditor& edit() { return m_edit; }
    NodeId find(const std::string& name) const { return m_graph.findNode(name); }
    /// How many live nodes of a type there are.
    int count(const std::string& type) const;
    /// "Data Add Relu NetOutput": types in topological order, constants left out.
    std::string types() const;

private:
    Graph m_graph;
    Journal m_journal;
    GraphEditor m_edit;
};

} // namespace gelens::test
