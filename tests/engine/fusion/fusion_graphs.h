#pragma once
// Graphs by hand for the tests of fusion: nodes with shapes, constants, and a rule set read from resources/rules.

#include "engine/fusion/apply_rule.h"
#include "engine/fusion/checks.h"
#include "engine/fusion/rule_set.h"
#include "engine/graph/graph_editor.h"
#include "engine/ops/op_registry.h"
#include "tests/support/kernel_test.h"

#include <QtTest/QtTest>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gelens::test {

inline SocSpec soc910B()
{
    SocSpec soc;
    soc.name = "Ascend910B1";
    soc.family = "Ascend910B";
    soc.generation = 220;
    soc.coreLayout = CoreLayout::Split;
    soc.hasUbFusion = true;
    soc.buffers = {.l0a = 65536, .l0b = 65536, .l0c = 131072, .l1 = 524288, .ub = 196608};
    return soc;
}

inline SocSpec soc310P()
{
    SocSpec soc;
    soc.name = "Ascend310P3";
    soc.family = "Ascend310P";
    soc.generation = 200;
    soc.coreLayout = CoreLayout::Fused;
    soc.buffers = {.l0a = 65536, .l0b = 65536, .l0c = 262144, .l1 = 1048576, .ub = 262144};
    return soc;
}

/// One graph under construction; descriptors of results come from the operators' own inference.
class FusionGraph {
public:
    FusionGraph() : m_editor(m_graph, m_journal) {}

    GraphEditor& editor() { return m_editor; }
    const Graph& graph() const { return m_graph; }
    const Journal& journal() const { return m_journal; }

    OutputRef data(const std::string& name, Shape shape, DataType dtype = DataType::Float16)
    {
        NodeSpec spec;
        spec.name = name;
        spec.type = "Data";
        spec.outputs = {{"y", TensorDesc(dtype, std::move(shape))}};
        return m_editor.addNode(std::move(spec)).isValid() ? OutputRef{m_editor.graph().findNode(name), 0}
                                                           : OutputRef{};
    }
    OutputRef numbers(const std::string& name, std::vector<double> values, Shape shape,
                      DataType dtype = DataType::Float16)
    {
        return {m_editor.addConstant(name, Tensor::fromDoubles(values, std::move(shape), dtype)), 0};
    }
    OutputRef number(const std::string& name, double value, DataType dtype = DataType::Float16)
    {
        return numbers(name, {value}, Shape{}, dtype);
    }
    OutputRef ints(const std::string& name, std::vector<std::int64_t> values)
    {
        const auto count = static_cast<std::int64_t>(values.size());
        return {m_editor.addConstant(name, Tensor::fromInts(std::move(values), Shape{count})), 0};
    }
    /// A weight that repeats a small pattern of values.
    OutputRef weight(const std::string& name, Shape shape, DataType dtype = DataType::Float16)
    {
        std::vector<double> values(static_cast<std::size_t>(shape.elementCount().value_or(0)));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.25 + static_cast<double>(i % 7) * 0.125;
        return numbers(name, std::move(values), std::move(shape), dtype);
    }
    /// A constant whose bytes lie elsewhere and are not there.
    OutputRef absent(const std::string& name, Shape shape, DataType dtype = DataType::Float16)
    {
        Tensor tensor;
        tensor.desc = TensorDesc(dtype, std::move(shape));
        tensor.external = ExternalData{"missing.bin", 0, 0};
        return {m_editor.addConstant(name, std::move(tensor)), 0};
    }

    OutputRef op(const std::string& type, const std::string& name, std::vector<OutputRef> inputs, AttrMap attrs = {},
                 int outputs = 1)
    {
        const OpDef* const def = OpRegistry::instance().find(type);
        GELENS_ASSERT(def);
        NodeSpec spec;
        spec.name = name;
        spec.type = type;
        spec.attrs = std::move(attrs);
        for (const AttrSpec& attr : def->attrs())
            if (attr.defaultValue.isSet()) spec.attrs.emplace(attr.name, attr.defaultValue);
        const int count = static_cast<int>(inputs.size());
        for (int i = 0; i < count; ++i)
            spec.inputs.emplace_back(def->inputName(i, count),
                                     inputs[static_cast<std::size_t>(i)].isValid()
                                         ? m_graph.outputDesc(inputs[static_cast<std::size_t>(i)])
                                         : TensorDesc::unconnected());
        const int wanted = std::max(outputs, static_cast<int>(def->outputs().size()));
        for (int i = 0; i < wanted; ++i) spec.outputs.emplace_back(def->outputName(i, wanted), TensorDesc());
        const NodeId id = m_editor.addNode(std::move(spec));
        for (int i = 0; i < count; ++i)
            if (inputs[static_cast<std::size_t>(i)].isValid())
                m_editor.connect(inputs[static_cast<std::size_t>(i)], {id, i});
        InferContext infer(m_graph, m_graph.node(id));
        if (def->inferFunction()) {
            const Status status = def->inferFunction()(infer);
            if (!status.ok()) qWarning("%s", status.error().message().c_str());
            const auto descs = infer.outputs();
            for (std::size_t i = 0; i < descs.size(); ++i)
                if (descs[i]) m_editor.setOutputDesc({id, static_cast<std::int32_t>(i)}, *descs[i]);
        }
        return {id, 0};
    }
    void result(std::vector<OutputRef> outputs) { m_editor.setGraphOutputs(rootGraph, std::move(outputs)); }

    int count(std::string_view type) const
    {
        int found = 0;
        m_graph.forEachNode(rootGraph, [&](const Node& node) { found += node.type == type; });
        return found;
    }
    const Node* only(std::string_view type) const
    {
        const Node* found = nullptr;
        m_graph.forEachNode(rootGraph, [&](const Node& node) {
            if (node.type == type) found = &node;
        });
        return count(type) == 1 ? found : nullptr;
    }
    int operators() const
    {
        int found = 0;
        m_graph.forEachNode(rootGraph, [&](const Node& node) { found += isOperator(node); });
        return found;
    }

private:
    Graph m_graph{"test"};
    Journal m_journal;
    GraphEditor m_editor;
};

/// Numbers for an input, the same for the same name: spread over [-1, 1], no two neighbours alike.
inline HostTensor inputNumbers(const Node& node)
{
    const TensorDesc& desc = node.outputs[0].desc;
    std::vector<double> values(static_cast<std::size_t>(desc.originShape.elementCount().value_or(0)));
    std::uint32_t state = 2166136261u;
    for (const char c : node.name) state = (state ^ static_cast<std::uint8_t>(c)) * 16777619u;
    for (double& value : values) {
        state = state * 1664525u + 1013904223u;
        value = desc.dtype == DataType::Bool ? (state >> 31) : static_cast<double>(state >> 8) / 8388608.0 - 1.0;
    }
    return tensor(desc.originShape, std::move(values), desc.dtype);
}

/// Runs the graph on inputNumbers with the reference kernels; the graph's outputs in order. Throws where a kernel
/// fails.
inline std::vector<HostTensor> evaluate(const Graph& graph)
{
    std::map<OutputRef, HostTensor> known;
    for (const NodeId id : graph.topologicalOrder()) {
        const Node& node = graph.node(id);
        if (node.type == "Data") {
            known[node.output()] = inputNumbers(node);
        } else if (const Tensor* const constant = graph.constantOf(node.output())) {
            known[node.output()] = HostTensor::fromConstant(*constant);
        } else {
            std::vector<HostTensor> inputs;
            for (const InputSlot& slot : node.inputs)
                inputs.push_back(slot.source.isValid() ? known.at(slot.source) : HostTensor());
            auto results = run(node.type, inputs, node.attrs, node.outputCount());
            if (!results.ok()) throw std::runtime_error(results.error().message());
            for (int i = 0; i < node.outputCount(); ++i)
                known[node.output(i)] = results.value()[static_cast<std::size_t>(i)];
        }
    }
    std::vector<HostTensor> outputs;
    for (const OutputRef& ref : graph.subgraph(rootGraph).outputs) outputs.push_back(known.at(ref));
    return outputs;
}

/// Empty when both graphs give the same numbers within the tolerance of fp16.
inline std::string numberDifference(const Graph& before, const Graph& after, double tolerance = 4e-3)
{
    const std::vector<HostTensor> a = evaluate(before), b = evaluate(after);
    if (a.size() != b.size()) return "different numbers of outputs";
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].dtype != b[i].dtype) return "different types";
        if (!(a[i].shape == b[i].shape)) return "shapes " + a[i].shape.text() + " and " + b[i].shape.text();
        const std::string found = difference(b[i], values(a[i]), tolerance, tolerance);
        if (!found.empty()) return found;
    }
    return {};
}

inline const RuleSet& allRules()
{
    static const RuleSet rules = [] {
        std::vector<Message> messages;
        RuleSet set = RuleSet::load({GELENS_SOURCE_DIR "/resources/rules"}, messages);
        for (const Message& message : messages) qWarning("%s: %s", message.where.c_str(), message.text.c_str());
        return set;
    }();
    return rules;
}

inline RuleOutcome apply(FusionGraph& graph, std::string_view rule, const SocSpec& soc,
                         FusionEnvironment environment = {})
{
    environment.soc = &soc;
    const Rule* const found = allRules().find(rule);
    if (!found) {
        qWarning("no rule %s", std::string(rule).c_str());
        return {};
    }
    RuleOutcome outcome = applyRule(graph.editor(), *found, environment);
    const std::string fault = graph.graph().findInconsistency();
    if (!fault.empty()) qFatal("%s", fault.c_str());
    return outcome;
}

/// Applies rules one after another; empty when each fired as often as wanted and the numbers stayed, else what is
/// wrong.
inline std::string fuses(FusionGraph& graph, const SocSpec& soc, const std::vector<std::pair<std::string, int>>& rules,
                         double tolerance = 4e-3);

/// The refusal, when it is the only one.
inline const FusionVerdict* refusal(const RuleOutcome& outcome)
{
    const FusionVerdict* found = nullptr;
    for (const FusionVerdict& verdict : outcome.verdicts) {
        if (verdict.fused || !verdict.firstMismatch.empty()) continue;
        if (found) return nullptr;
        found = &verdict;
    }
    return found;
}

inline std::string explain(const RuleOutcome& outcome)
{
    std::string text;
    for (const FusionVerdict& verdict : outcome.verdicts) {
        text += verdict.rule + (verdict.fused ? " fused\n"
                                              : " refused " + std::string(reasonName(verdict.reason)) + " " +
                                                    verdict.firstMismatch + "\n");
        for (const Check& check : verdict.checks)
            text += (check.held ? "   held " : "   FAIL ") + std::string(reasonName(check.reason)) + ": " + check.what +
                    "\n";
        if (!verdict.remedy.empty()) text += "   remedy: " + verdict.remedy + "\n";
    }
    return text;
}

inline std::string fuses(FusionGraph& graph, const SocSpec& soc, const std::vector<std::pair<std::string, int>>& rules,
                         double tolerance)
{
    const Graph before = graph.graph();
    for (const auto& [rule, times] : rules) {
        const RuleOutcome outcome = apply(graph, rule, soc);
        if (outcome.effective != times)
            return rule + " fired " + std::to_string(outcome.effective) + " times\n" + explain(outcome);
        const std::size_t edits = graph.editor().position();
        const RuleOutcome again = apply(graph, rule, soc);
        if (again.effective != 0 || graph.editor().position() != edits) return rule + " changed the graph again";
        const std::string found = numberDifference(before, graph.graph(), tolerance);
        if (!found.empty()) return rule + " changed the numbers: " + found;
    }
    return {};
}

/// Checks that fail are exactly one, of this reason.
inline bool blocksAlone(const FusionVerdict& verdict, Reason reason)
{
    int failed = 0;
    for (const Check& check : verdict.checks) failed += !check.held;
    return failed == 1 && verdict.reason == reason && verdict.headline();
}

} // namespace gelens::test
