#pragma once
// Which results are written over an input.

#include "engine/memory/tensor_table.h"

#include <vector>

namespace gelens {

class OpDef;

/// Judges node after node, in order, over the buffers made so far.
class InPlaceJudge {
public:
    /// `active` by buffer: the members whose values still count. All references must outlive the judge.
    InPlaceJudge(const Graph& graph, const ExecutionOrder& axis, InPlaceRule rule, TensorTable& tensors,
                 const MemoryPlan& plan, const std::vector<std::vector<OutputRef>>& active)
        : m_graph(graph), m_axis(axis), m_rule(rule), m_tensors(tensors), m_plan(plan), m_active(active)
    {
    }

    /// Input that output `index` may be written over; -1 for none.
    int inputFor(const Node& node, int index, const OpDef* def);

private:
    /// Same bytes and type, an intermediate tensor, and a result that stays inside the model.
    bool fits(const Node& node, int index, OutputRef source);
    bool isLastReader(const Node& node, OutputRef source);
    bool servesAnotherOutput(const Node& node, int index, OutputRef source);

    const Graph& m_graph;
    const ExecutionOrder& m_axis;
    InPlaceRule m_rule;
    TensorTable& m_tensors;
    const MemoryPlan& m_plan;
    const std::vector<std::vector<OutputRef>>& m_active;
};

} // namespace gelens
