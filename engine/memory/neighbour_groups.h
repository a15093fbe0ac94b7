#pragma once
// Tensors that must lie side by side, because one operator without a task of its own makes one tensor of them or because
// one kernel reads or writes them as one piece.

#include "engine/memory/tensor_table.h"

#include <map>
#include <set>
#include <utility>

namespace gelens {

/// The groups that GE's attributes state. Each has a head, the tensor that stands for the whole, and an offset for each member.
class NeighbourGroups {
public:
    NeighbourGroups(const Graph& graph, const ExecutionOrder& axis, TensorTable& tensors);

    /// Head and offset of a tensor's group; null for a tensor of none.
    const std::pair<OutputRef, std::int64_t>* find(OutputRef tensor) const
    {
        const auto found = m_places.find(tensor);
        return found == m_places.end() ? nullptr : &found->second;
    }
    bool isPadded(OutputRef head) const { return m_paddedHeads.contains(head); }

private:
    void groupInputs(const Node& node, bool isPadded);

    const Graph& m_graph;
    TensorTable& m_tensors;
    std::map<OutputRef, std::pair<OutputRef, std::int64_t>> m_places; // tensor → head of its group, offset
    std::set<OutputRef> m_paddedHeads;
};

} // namespace gelens
