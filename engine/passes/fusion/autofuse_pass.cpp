// GE's automatic fusion: groups of vector operators become kernels generated from their loops. Off unless AUTOFUSE_FLAGS
// switches it on, as in GE.
#include "engine/fusion/rewrite.h"
#include "engine/ops/autofuse_ops.h"
#include "engine/passes/fusion/autofuse_solver.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace gelens {
namespace {

constexpr const char* ruleId = "AutoFuse";
/// Refused pairs that are kept; the rest is counted.
constexpr std::size_t maxVerdicts = 20000;

/// The parts of a kernel as a graph of their own: Data for what it reads, NetOutput for what it gives.
class PartsBuilder {
public:
    PartsBuilder(const Graph& graph, const Box& box)
        : m_graph(graph), m_box(box), m_parts(std::make_shared<Graph>("parts"))
    {
    }

    std::shared_ptr<const Graph> build(const std::vector<OutputRef>& outputs)
    {
        GraphEditor edit(*m_parts);
        for (std::size_t i = 0; i < m_box.inputs.size(); ++i) {
            const TensorDesc desc = plain(m_graph.outputDesc(m_box.inputs[i]));
            const NodeId data = edit.addNode({.name = fmt::format("input{}", i),
                                              .type = "Data",
                                              .inputs = {},
                                              .outputs = {{"y", desc}},
                                              .attrs = {{"index", AttrValue(static_cast<std::int64_t>(i))}}});
            m_inside[m_box.inputs[i]] = {data, 0};
        }
        for (const NodeId id : m_box.nodes) addPart(edit, m_graph.node(id));
        NodeSpec net{.name = "outputs", .type = "NetOutput", .inputs = {}, .outputs = {}, .attrs = {}};
        for (std::size_t i = 0; i < outputs.size(); ++i)
            net.inputs.emplace_back(fmt::format("x{}", i), plain(m_graph.outputDesc(outputs[i])));
        const NodeId netOutput = edit.addNode(std::move(net));
        for (std::size_t i = 0; i < outputs.size(); ++i)
            edit.connect(m_inside.at(outputs[i]), {netOutput, static_cast<int>(i)});
        return m_parts;
    }

private:
    static TensorDesc plain(TensorDesc desc)
    {
        desc.attrs.clear();
        return desc;
    }

    void addPart(GraphEditor& edit, const Node& node)
    {
        NodeSpec spec{.name = node.name, .type = node.type, .inputs = {}, .outputs = {}, .attrs = node.attrs};
        for (const InputSlot& slot : node.inputs) spec.inputs.emplace_back(slot.name, slot.desc);
        for (const OutputSlot& slot : node.outputs) spec.outputs.emplace_back(slot.name, slot.desc);
        const NodeId part = edit.addNode(std::move(spec));
        for (int i = 0; i < node.inputCount(); ++i)
            if (node.hasInput(i)) edit.connect(inside(edit, node.source(i)), {part, i});
        for (int i = 0; i < node.outputCount(); ++i) m_inside[{node.id, i}] = {part, i};
    }

    OutputRef inside(GraphEditor& edit, OutputRef outside)
    {
        const auto found = m_inside.find(outside);
        if (found != m_inside.end()) return found->second;
        // Neither a load nor another part: a constant that the kernel carries.
        const Node& constant = m_graph.node(outside.node);
        GELENS_ASSERT(m_graph.constantOf(outside) != nullptr);
        const NodeId copy = edit.addConstant(constant.name, *m_graph.constantOf(outside));
        return m_inside[outside] = {copy, 0};
    }

    const Graph& m_graph;
    const Box& m_box;
    std::shared_ptr<Graph> m_parts;
    std::unordered_map<OutputRef, OutputRef> m_inside;
};

class AutofusePass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        m_report = {};
        GELENS_ASSIGN(AutofuseFlags flags, parseAutofuseFlags(context.options.autofuseFlags));
        flags.hasCubeChip = !context.soc.hasUbFusion; // the 950 generation; what it would join is not modelled
        if (!flags.isEnabled) return std::move(m_report);
        for (const GraphId graph : edit.graph().liveSubgraphs()) {
            const AutofuseResult result = solveAutofuse(edit.graph(), graph, flags, context.stop);
            if (result.wasCancelled) return Error::cancelled();
            m_report.count("rounds", result.rounds);
            m_into.clear();
            m_given.clear();
            for (std::size_t i = 0; i < result.kernels.size(); ++i) {
                Box box = result.kernels[i];
                // What an earlier kernel swallowed is one of its results now.
                for (OutputRef& input : box.inputs)
                    if (const auto given = m_given.find(input); given != m_given.end()) input = given->second;
                emit(edit, box, result.saved[i]);
            }
            for (const RefusedPair& refused : result.refused) addRefused(edit, refused);
        }
        return std::move(m_report);
    }

private:
    /// Values of the box that are read outside.
    static std::vector<OutputRef> outputsOf(const Graph& graph, const Box& box)
    {
        std::vector<OutputRef> outputs;
        for (const NodeId id : box.nodes)
            for (int i = 0; i < graph.node(id).outputCount(); ++i) {
                const auto& readers = graph.consumers({id, i});
                const bool isRead = std::any_of(readers.begin(), readers.end(), [&](const InputRef& reader) {
                    return std::find(box.nodes.begin(), box.nodes.end(), reader.node) == box.nodes.end();
                });
                if (isRead) outputs.push_back({id, i});
            }
        return outputs;
    }

    void emit(GraphEditor& edit, const Box& box, std::int64_t saved)
    {
        const Graph& graph = edit.graph();
        const std::vector<OutputRef> outputs = outputsOf(graph, box);
        FusionVerdict verdict = verdictOn(graph, box.nodes);
        NodeSpec spec{
            .name = nameOf(graph, box), .type = std::string(ascBackendType), .inputs = {}, .outputs = {}, .attrs = {}};
        for (std::size_t i = 0; i < box.inputs.size(); ++i)
            spec.inputs.emplace_back(fmt::format("x{}", i), graph.outputDesc(box.inputs[i]));
        for (std::size_t i = 0; i < outputs.size(); ++i)
            spec.outputs.emplace_back(fmt::format("y{}", i), graph.outputDesc(outputs[i]));
        spec.attrs[std::string(ascGraphAttr)] =
            AttrValue(AttrValue::Variant(AttrValue::GraphPtr(PartsBuilder(graph, box).build(outputs))));
        spec.attrs[std::string(ascBodyAttr)] = bodyText(graph, box);
        for (const char* const name : inheritedAttributes) inheritAttribute(graph, box, name, spec.attrs);
        const NodeId fused = edit.addNode(std::move(spec), graph.node(box.nodes.front()).graph, box.nodes.back());
        for (std::size_t i = 0; i < box.inputs.size(); ++i) edit.connect(box.inputs[i], {fused, static_cast<int>(i)});
        inheritOrigins(edit, fused, box.nodes);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            // Only readers outside: the parts go away together.
            for (const InputRef& reader : std::vector<InputRef>(graph.consumers(outputs[i])))
                if (std::find(box.nodes.begin(), box.nodes.end(), reader.node) == box.nodes.end())
                    edit.connect({fused, static_cast<int>(i)}, reader);
        }
        for (std::size_t i = 0; i < outputs.size(); ++i) m_given[outputs[i]] = {fused, static_cast<std::int32_t>(i)};
        replaceRecordedOutputs(edit, outputs, fused);
        std::vector<NodeId> constants;
        for (const NodeId id : box.nodes)
            for (const InputSlot& slot : graph.node(id).inputs)
                if (slot.source.isValid() && isConstantType(graph.node(slot.source.node).type))
                    constants.push_back(slot.source.node);
        for (auto id = box.nodes.rbegin(); id != box.nodes.rend(); ++id) edit.removeNode(*id);
        for (const NodeId id : constants)
            if (graph.contains(id)) removeIfUnread(edit, id);
        for (const NodeId id : box.nodes) m_into[id] = fused;

        verdict.fused = true;
        verdict.into = fused;
        verdict.intoName = edit.node(fused).name;
        Check check;
        check.reason = Reason::NoSavings;
        check.what = fmt::format("one kernel for {} operators saves {} bytes of memory traffic", box.operators, saved);
        check.needs = 1;
        check.has = static_cast<double>(saved);
        check.unit = "B";
        check.evidence = 'S';
        verdict.checks.push_back(std::move(check));
        m_report.verdicts.push_back(std::move(verdict));
        m_report.count("matched");
        m_report.count("effective");
        m_report.count("operators joined", box.operators);
        m_report.count("bytes saved", saved);
    }

    /// What all parts agree on (C02–C05) holds for the kernel too.
    static void inheritAttribute(const Graph& graph, const Box& box, const char* name, AttrMap& attrs)
    {
        const AttrMap& first = graph.node(box.nodes.front()).attrs;
        const auto found = first.find(name);
        if (found == first.end()) return;
        const bool isShared = std::all_of(box.nodes.begin(), box.nodes.end(), [&](NodeId id) {
            const auto own = graph.node(id).attrs.find(name);
            return own != graph.node(id).attrs.end() && own->second == found->second;
        });
        if (isShared) attrs[name] = found->second;
    }

    static void replaceRecordedOutputs(GraphEditor& edit, const std::vector<OutputRef>& outputs, NodeId fused)
    {
        const GraphId graph = edit.node(fused).graph;
        std::vector<OutputRef> recorded = edit.graph().subgraph(graph).outputs;
        bool hasChanged = false;
        for (OutputRef& output : recorded)
            for (std::size_t i = 0; i < outputs.size(); ++i)
                if (output == outputs[i]) {
                    output = {fused, static_cast<std::int32_t>(i)};
                    hasChanged = true;
                    break;
                }
        if (hasChanged) edit.setGraphOutputs(graph, std::move(recorded));
    }

    /// The names of the parts, as GE joins them; long ones are cut and counted.
    static std::string nameOf(const Graph& graph, const Box& box)
    {
        std::string name;
        std::size_t used = 0;
        for (const NodeId id : box.nodes) {
            if (name.size() > 96) break;
            name += (name.empty() ? "" : "_") + graph.node(id).name;
            ++used;
        }
        if (used < box.nodes.size()) name += fmt::format("_and_{}", box.nodes.size() - used);
        return name;
    }

    static std::string bodyText(const Graph& graph, const Box& box)
    {
        std::unordered_map<NodeId, std::size_t> place;
        for (std::size_t i = 0; i < box.nodes.size(); ++i) place[box.nodes[i]] = i;
        std::string text;
        for (const NodeId id : box.nodes) {
            const Node& node = graph.node(id);
            text += node.type + "(";
            for (const InputSlot& slot : node.inputs) {
                const auto part = place.find(slot.source.node);
                const auto input = std::find(box.inputs.begin(), box.inputs.end(), slot.source);
                if (part != place.end())
                    text += fmt::format("%{}.{},", part->second, slot.source.index);
                else if (input != box.inputs.end())
                    text += fmt::format("x{},", input - box.inputs.begin());
                else if (const Tensor* value = slot.source.isValid() ? graph.constantOf(slot.source) : nullptr)
                    text += AttrValue(*value).text() + ",";
                else
                    text += "-,";
            }
            for (const auto& [name, value] : node.attrs)
                if (!name.empty() && name.front() != '_') text += name + "=" + value.text() + ",";
            text += fmt::format("){} ", node.outputs[0].desc.originShape.text());
        }
        return text;
    }

    static FusionVerdict verdictOn(const Graph& graph, const std::vector<NodeId>& nodes)
    {
        FusionVerdict verdict;
        verdict.rule = verdict.gePass = ruleId;
        verdict.nodes = nodes;
        for (const NodeId id : nodes) {
            verdict.nodeNames.push_back(graph.node(id).name);
            verdict.nodeTypes.push_back(graph.node(id).type);
        }
        return verdict;
    }

    void addRefused(GraphEditor& edit, const RefusedPair& refused)
    {
        if (m_report.verdicts.size() >= maxVerdicts) {
            m_report.count("verdicts left out");
            return;
        }
        const auto now = [this](NodeId id) {
            const auto found = m_into.find(id);
            return found == m_into.end() ? id : found->second;
        };
        FusionVerdict verdict = verdictOn(edit.graph(), {now(refused.first), now(refused.second)});
        verdict.reason = refused.check.reason;
        verdict.checks = {refused.check};
        verdict.remedy = remedyFor(refused.check);
        m_report.verdicts.push_back(std::move(verdict));
        m_report.count("pairs refused");
    }

    static std::string remedyFor(const Check& check)
    {
        switch (check.reason) {
        case Reason::RuleDisabled: return "Add the class to --autofuse_enable_pass in AUTOFUSE_FLAGS.";
        case Reason::NodeLimit: return "Raise --max_fusion_size in AUTOFUSE_FLAGS.";
        case Reason::StreamLabel: return "Give both operators the same stream label.";
        case Reason::ControlEdge: return "Remove the control edge.";
        case Reason::DynamicShape: return "Fix the input shapes.";
        case Reason::ChipUnsupported: return "A rule for the product and its epilogue could join them.";
        default: return "GE's autofusion keeps the two apart; a fusion rule for the pair could join them.";
        }
    }

    PassReport m_report;
    std::unordered_map<NodeId, NodeId> m_into;        ///< operators that are part of a kernel now
    std::unordered_map<OutputRef, OutputRef> m_given; ///< their results, where they are read outside
};

} // namespace

PassEntry autofusePass()
{
    return {.info = {.id = ruleId,
                     .phase = "AfterPrecisionRefine",
                     .summary =
                         "Joins vector operators by their loops, pair by pair, where that saves memory traffic; off "
                         "unless AUTOFUSE_FLAGS switches it on.",
                     .evidence = 'S',
                     .rule = ruleId},
            .make = makePass<AutofusePass>};
}

} // namespace gelens
