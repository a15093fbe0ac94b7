#include "engine/session/breakpoints.h"

#include "engine/graph/pattern.h"
#include "engine/session/condition_internal.h"

#include <fmt/format.h>

#include <utility>

namespace gelens {
namespace {

constexpr std::pair<BreakpointKind, std::string_view> kindNames[] = {{BreakpointKind::Pass, "pass"},
                                                                     {BreakpointKind::Node, "node"},
                                                                     {BreakpointKind::OpType, "op_type"},
                                                                     {BreakpointKind::Tensor, "tensor"},
                                                                     {BreakpointKind::RuleFires, "rule_fires"},
                                                                     {BreakpointKind::RuleRefused, "rule_refused"},
                                                                     {BreakpointKind::Statistic, "statistic"}};

std::optional<BreakpointMatch> matchTensor(const Breakpoint& breakpoint, const Edit& edit, const Graph& graph)
{
    OutputRef tensor;
    if (const auto* connect = std::get_if<edit::Connect>(&edit)) tensor = connect->from;
    if (const auto* disconnect = std::get_if<edit::Disconnect>(&edit)) tensor = disconnect->from;
    if (const auto* set = std::get_if<edit::SetOutputDesc>(&edit)) tensor = set->slot;
    if (const auto* add = std::get_if<edit::AddOutput>(&edit)) tensor = add->slot;
    if (const auto* remove = std::get_if<edit::RemoveOutput>(&edit)) tensor = remove->slot;
    if (!tensor.isValid() || tensor.node.value >= graph.nodeIdBound()) return std::nullopt;
    std::string name = fmt::format("{}:{}", graph.node(tensor.node).name, tensor.index);
    if (!matchesPattern(breakpoint.pattern, name)) return std::nullopt;
    return BreakpointMatch{tensor.node, std::move(name)};
}

/// Looks through the steps of one run, in order.
class Search {
public:
    Search(const Run& run, const Breakpoint& breakpoint, Condition watched, Condition condition)
        : m_run(run), m_breakpoint(breakpoint), m_watched(std::move(watched)), m_condition(std::move(condition)),
          m_last(run.graphAt(run.lastStep()))
    {
        for (const Step& step : run.steps) // or where a file's own plan is taken over
            if (!m_planned.isValid() && (step.pass == "MemoryAssigner" || step.stage >= Stage::Tasks))
                m_planned = step.id;
        m_needsMemory = m_watched.mentions("memory") || m_condition.mentions("memory");
        if (m_needsMemory) m_graph = *run.graphAt(StepId{0});
    }

    Result<std::vector<BreakpointHit>> hits(std::stop_token stop)
    {
        std::vector<BreakpointHit> hits;
        int count = 0;
        bool wasTrue = false;
        for (const Step& step : m_run.steps) {
            if (stop.stop_requested()) return Error::cancelled();
            follow(step);
            const auto values = [&](std::string_view name) { return value(step, name, count); };
            std::optional<BreakpointMatch> match;
            if (m_breakpoint.kind == BreakpointKind::Statistic) {
                const bool isTrue = m_watched.holds(values);
                if (isTrue && !wasTrue)
                    match = BreakpointMatch{
                        {}, fmt::format("{} = {}", m_watched.firstName(), values(m_watched.firstName()))};
                wasTrue = isTrue;
            } else {
                match = matchOf(step);
            }
            if (!match) continue;
            ++count;
            if (m_condition.holds(values)) hits.push_back({step.id, count, match->node, std::move(match->what)});
        }
        return hits;
    }

private:
    bool fits(std::string_view text) const { return matchesPattern(m_breakpoint.pattern, text); }

    /// Sum of the intermediate tensors at this step; the graph is moved along the journal, never built anew.
    void follow(const Step& step)
    {
        if (!m_needsMemory || (step.id.value > 0 && !step.hasChanged())) return;
        if (m_run.sourceOf(step.id) != nullptr)
            m_graph = *m_run.graphAt(step.id);
        else if (step.hasChanged())
            m_run.journal().move(m_graph, step.firstEdit, step.lastEdit);
        m_memory = intermediateBytes(m_graph);
    }

    double value(const Step& step, std::string_view name, int count) const
    {
        if (name == "hits") return count;
        if (name == "step") return step.id.value;
        if (name == "edits") return static_cast<double>(step.editCount());
        if (name == "operators") return step.after.operators;
        if (name == "nodes") return step.after.graphNodes;
        if (name == "edges") return step.after.dataEdges;
        if (name == "constants") return step.after.constants;
        if (name == "ms") return step.milliseconds;
        if (name == "memory") return static_cast<double>(m_memory);
        if (name == "peak")
            return m_planned.isValid() && step.id >= m_planned ? static_cast<double>(m_run.plan.totals.featureMapPeak)
                                                               : 0;
        return 0;
    }

    std::optional<BreakpointMatch> matchOf(const Step& step) const
    {
        switch (m_breakpoint.kind) {
        case BreakpointKind::Pass:
            if (fits(step.pass) || fits(step.rule) || fits(step.phase)) return BreakpointMatch{{}, step.pass};
            return std::nullopt;
        case BreakpointKind::RuleFires:
        case BreakpointKind::RuleRefused: return matchVerdicts(m_breakpoint, step);
        case BreakpointKind::Node:
        case BreakpointKind::OpType:
        case BreakpointKind::Tensor: return editMatch(step);
        case BreakpointKind::Statistic: return std::nullopt;
        }
        return std::nullopt;
    }

    /// A step that was found in a file has no records: what differs from the graph before it counts.
    std::optional<BreakpointMatch> snapshotMatch(const Step& step) const
    {
        const StepId base = m_run.baseOf(step.id);
        if (base == step.id) return std::nullopt;
        const Run::Touched touched = m_run.touched(base, step.id);
        const auto before = m_run.graphAt(base), after = m_run.graphAt(step.id);
        for (const auto* nodes : {&touched.added, &touched.changed, &touched.removed})
            for (const NodeId id : *nodes) {
                const Graph& graph = after->contains(id) ? *after : *before;
                if (!graph.contains(id)) continue;
                const Node& node = graph.node(id);
                if (m_breakpoint.kind == BreakpointKind::Tensor) {
                    for (int i = 0; i < node.outputCount(); ++i)
                        if (std::string name = fmt::format("{}:{}", node.name, i); fits(name))
                            return BreakpointMatch{id, std::move(name)};
                } else if (fits(m_breakpoint.kind == BreakpointKind::Node ? node.name : node.type)) {
                    return BreakpointMatch{id, node.name};
                }
            }
        return std::nullopt;
    }

    std::optional<BreakpointMatch> editMatch(const Step& step) const
    {
        if (m_run.sourceOf(step.id) != nullptr) return snapshotMatch(step);
        // Removed nodes keep their last content in the final graph, so that names can be looked up there.
        const Journal& journal = m_run.journal();
        for (std::size_t i = step.firstEdit; i < step.lastEdit; ++i)
            if (auto match = matchEdit(m_breakpoint, journal[i].edit, *m_last)) return match;
        return std::nullopt;
    }

    const Run& m_run;
    const Breakpoint& m_breakpoint;
    Condition m_watched, m_condition;
    std::shared_ptr<const Graph> m_last;
    StepId m_planned{-1}; ///< memory is planned from here on
    bool m_needsMemory = false;
    Graph m_graph; ///< at the step before the one that is looked at
    std::int64_t m_memory = 0;
};

} // namespace

std::string_view breakpointKindName(BreakpointKind kind)
{
    for (const auto& [value, name] : kindNames)
        if (value == kind) return name;
    return {};
}

std::optional<BreakpointKind> breakpointKindFromName(std::string_view name)
{
    for (const auto& [value, known] : kindNames)
        if (known == name) return value;
    return std::nullopt;
}

std::optional<BreakpointMatch> matchEdit(const Breakpoint& breakpoint, const Edit& edit, const Graph& graph)
{
    if (breakpoint.kind == BreakpointKind::Tensor) return matchTensor(breakpoint, edit, graph);
    const bool isNode = breakpoint.kind == BreakpointKind::Node;
    if (!isNode && breakpoint.kind != BreakpointKind::OpType) return std::nullopt;
    const auto fits = [&](std::string_view text) { return matchesPattern(breakpoint.pattern, text); };
    if (const auto* rename = std::get_if<edit::SetName>(&edit); rename != nullptr && isNode)
        if (fits(rename->before) || fits(rename->after)) return BreakpointMatch{rename->node, rename->after};
    if (const auto* change = std::get_if<edit::SetType>(&edit); change != nullptr && !isNode)
        if (fits(change->before) || fits(change->after))
            return BreakpointMatch{change->node, graph.node(change->node).name};
    for (const NodeId id : touchedNodes(edit)) {
        if (!id.isValid() || id.value >= graph.nodeIdBound()) continue;
        const Node& node = graph.node(id);
        if (fits(isNode ? node.name : node.type)) return BreakpointMatch{id, node.name};
    }
    return std::nullopt;
}

std::optional<BreakpointMatch> matchVerdicts(const Breakpoint& breakpoint, const Step& step)
{
    const bool isFires = breakpoint.kind == BreakpointKind::RuleFires;
    if (!isFires && breakpoint.kind != BreakpointKind::RuleRefused) return std::nullopt;
    const auto fits = [&](std::string_view text) { return matchesPattern(breakpoint.pattern, text); };
    for (const FusionVerdict& verdict : step.verdicts) {
        if (verdict.fused != isFires || !(fits(verdict.rule) || fits(verdict.gePass))) continue;
        const NodeId node = verdict.fused || verdict.nodes.empty() ? verdict.into : verdict.nodes.front();
        return BreakpointMatch{node, verdict.rule};
    }
    return std::nullopt;
}

std::int64_t intermediateBytes(const Graph& graph)
{
    std::int64_t bytes = 0;
    graph.forEachNode(rootGraph, [&](const Node& node) {
        if (node.type == "Data" || node.type == "Const" || node.type == "Constant" || node.type == "NetOutput") return;
        for (const OutputSlot& output : node.outputs)
            if (!output.consumers.empty()) bytes += storageBytes(output.desc.dtype, output.desc.shape).value_or(0);
    });
    return bytes;
}

Status checkBreakpoint(const Breakpoint& breakpoint)
{
    if (breakpoint.pattern.empty()) return Error::invalid("the breakpoint does not say what it waits for");
    if (breakpoint.kind == BreakpointKind::Tensor && breakpoint.pattern.find_first_of(":*") == std::string::npos)
        return Error::invalid(
            fmt::format("'{}' names no tensor; one is named as node:output, such as */Softmax:0", breakpoint.pattern));
    if (breakpoint.kind == BreakpointKind::Statistic) {
        const auto watched = Condition::parse(breakpoint.pattern);
        if (!watched.ok()) return watched.error();
        if (watched->mentions("hits")) return Error::invalid("'hits' counts stops; it belongs into the condition");
    }
    const auto condition = Condition::parse(breakpoint.condition);
    if (!condition.ok()) return condition.error();
    return Status::success();
}

Result<std::vector<BreakpointHit>> breakpointHits(const Run& run, const Breakpoint& breakpoint, std::stop_token stop)
{
    GELENS_TRY(checkBreakpoint(breakpoint));
    if (run.steps.empty()) return std::vector<BreakpointHit>();
    Condition watched;
    if (breakpoint.kind == BreakpointKind::Statistic) {
        GELENS_ASSIGN(watched, Condition::parse(breakpoint.pattern));
    }
    GELENS_ASSIGN(Condition condition, Condition::parse(breakpoint.condition));
    return Search(run, breakpoint, std::move(watched), std::move(condition)).hits(stop);
}

} // namespace gelens
