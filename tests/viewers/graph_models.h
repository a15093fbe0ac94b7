#pragma once
// Graphs and runs made in a few lines for the tests of the graph view.

#include "engine/graph/graph_editor.h"
#include "engine/session/run.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace gelens::testing {

/// A graph under construction, with its journal.
struct GraphMaker {
    std::shared_ptr<Graph> graph = std::make_shared<Graph>("made");
    std::shared_ptr<Journal> journal = std::make_shared<Journal>();
    GraphEditor edit{*graph, *journal};

    NodeId add(const std::string& type, const std::string& name, const std::vector<NodeId>& inputs,
               Shape shape = {1, 16, 64}, GraphId where = rootGraph)
    {
        NodeSpec spec;
        spec.name = name;
        spec.type = type;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            spec.inputs.emplace_back("x" + std::to_string(i), edit.graph().outputDesc({inputs[i], 0}));
        if (type != "NetOutput") spec.outputs.emplace_back("y", TensorDesc(DataType::Float16, shape));
        const NodeId id = edit.addNode(std::move(spec), where);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            edit.connect({inputs[i], 0}, {id, static_cast<std::int32_t>(i)});
        return id;
    }
};

/// Names of the operators of one layer; `name` makes the name of an operator from layer and local name.
template <typename Name>
NodeId addLayer(GraphMaker& make, NodeId x, NodeId mask, int layer, Name&& name)
{
    const auto op = [&](const char* type, const char* local, const std::vector<NodeId>& inputs) {
        return make.add(type, name(layer, local), inputs);
    };
    const NodeId norm = op("RmsNorm", "norm", {x});
    const NodeId q = op("MatMulV2", "q", {norm}), k = op("MatMulV2", "k", {norm}), v = op("MatMulV2", "v", {norm});
    const NodeId scores = op("BatchMatMulV2", "scores", {q, k});
    const NodeId masked = op("Add", "masked", {scores, mask});
    const NodeId weights = op("SoftmaxV2", "softmax", {masked});
    const NodeId attended = op("BatchMatMulV2", "attended", {weights, v});
    const NodeId middle = op("Add", "residual", {x, attended});
    const NodeId up = op("MatMulV2", "up", {op("RmsNorm", "norm2", {middle})});
    return op("Add", "out", {middle, op("MatMulV2", "down", {op("Relu", "act", {up})})});
}

constexpr int layerNodes = 14;

/// A decoder of equal layers, whose mask feeds all of them. Returns the last node.
template <typename Name>
NodeId addDecoder(GraphMaker& make, int layers, Name&& name)
{
    const NodeId input = make.add("Data", "input", {});
    const NodeId mask = make.add("Cast", name(-1, "mask"), {make.add("Data", "mask_in", {})});
    NodeId x = make.add("Cast", name(-1, "embed"), {input});
    for (int i = 0; i < layers; ++i) x = addLayer(make, x, mask, i, name);
    x = make.add("MatMulV2", name(-1, "head"), {x});
    make.add("NetOutput", "output", {x});
    return x;
}

/// "/model/layers.3/softmax"
inline std::string scopedName(int layer, const char* local)
{
    return layer < 0 ? std::string("/model/") + local : "/model/layers." + std::to_string(layer) + "/" + local;
}
/// "node_17": says nothing.
struct PlainNames {
    int next = 0;
    std::string operator()(int, const char*) { return "node_" + std::to_string(next++); }
};

/// Graphs that no exporter should write, each with what is odd about it.
struct OddGraph {
    const char* name;
    void (*build)(GraphMaker&);
};
inline const std::vector<OddGraph>& oddGraphs()
{
    static const std::vector<OddGraph> graphs{
        {"empty", [](GraphMaker&) {}},
        {"labels of 20,000 characters, Chinese names, markup, damaged UTF-8",
         [](GraphMaker& make) {
             const NodeId a = make.add(std::string(20000, 'T'), std::string(20000, 'n'), {});
             const NodeId b = make.add("Relu", std::string(20000, 'r'), {a});
             const NodeId c =
                 make.add(std::string(20000, 'U'), "模型/注意力/层归一化/一个很长很长很长很长很长的名字", {b});
             make.add("<b>&\"x", std::string("bad \xff\xfe\x01 name"), {c});
         }},
        {"a node with 5,000 inputs",
         [](GraphMaker& make) {
             std::vector<NodeId> inputs;
             for (int i = 0; i < 5000; ++i) inputs.push_back(make.add("Data", "in" + std::to_string(i), {}));
             make.add("ConcatD", "all", inputs);
         }},
        {"unconnected nodes",
         [](GraphMaker& make) {
             for (int i = 0; i < 300; ++i) make.add("Relu", "r" + std::to_string(i), {});
         }},
        {"a chain of 100,000", [](GraphMaker& make) {
             NodeId x = make.add("Data", "in", {});
             for (int i = 0; i < 100000; ++i) x = make.add("Relu", "n" + std::to_string(i), {x});
         }}};
    return graphs;
}

/// Ends a step of a run that is being made: it holds what was edited since the step before. The first one holds nothing:
/// it is the graph as read.
inline void closeStep(GraphMaker& make, Run& run, const char* pass = "")
{
    Step step;
    step.id = StepId{run.stepCount()};
    step.pass = pass;
    step.lastEdit = make.edit.position();
    step.firstEdit = run.steps.empty() ? step.lastEdit : run.steps.back().lastEdit;
    run.steps.push_back(step);
    make.edit.setStep(StepId{step.id.value + 1});
}

/// A run of two passes on a decoder: the first fuses the attention of every layer into one node, the second renames
/// an attribute of the head. `fusedLayers`: only the first so many are fused.
inline std::shared_ptr<Run> makeRun(int layers, int fusedLayers = -1)
{
    GraphMaker make;
    const NodeId head = addDecoder(make, layers, scopedName);
    auto run = std::make_shared<Run>();
    run->modelName = "made";
    // Step 0 is the graph as read: its edits are before the first step.
    std::unordered_map<std::string, NodeId> byName; // a look-up in the graph is linear in its nodes
    for (const NodeId id : make.graph->nodes()) byName.emplace(make.graph->node(id).name, id);
    closeStep(make, *run, "aclmdlLoadFromFile");
    for (int i = 0; i < (fusedLayers < 0 ? layers : fusedLayers); ++i) {
        const auto find = [&](const char* local) { return byName.at(scopedName(i, local)); };
        const NodeId out = find("attended");
        const NodeId fused = make.add("FlashAttentionScore", scopedName(i, "attention"),
                                      {find("q"), find("k"), find("v"), byName.at("/model/mask")});
        make.edit.setAttr(fused, "_datadump_original_op_names",
                          StringList{scopedName(i, "scores"), scopedName(i, "softmax"), scopedName(i, "attended")});
        make.edit.replaceUses({out, 0}, {fused, 0});
        make.edit.removeNodes({out, find("softmax"), find("masked"), find("scores")});
    }
    closeStep(make, *run, "FlashAttentionFusionPass");
    make.edit.setAttr(head, "transpose_x2", true);
    closeStep(make, *run, "MatMulPass");
    run->setGraph(std::make_shared<Graph>(*make.graph), make.journal);
    return run;
}

} // namespace gelens::testing
