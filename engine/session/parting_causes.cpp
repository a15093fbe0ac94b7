#include "engine/session/parting_causes.h"

#include "engine/formats/phase_table.h"
#include "engine/session/dump_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

namespace gelens {
namespace {

constexpr std::size_t namedPasses = 3;   ///< passes spelt out in one line
constexpr int lookedAtOperators = 1'000; ///< where FE has run nearly every operator says so

/// Set by FE on the operators that it chose a kernel for, and on those that its passes made.
constexpr std::array<std::string_view, 5> engineAttrs{"_fe_imply_type", "imply_type", "fusion_scope", "pass_name",
                                                      "pass_name_ub"};

/// How each node differs, by its name: what is only in the dump was removed by ours, and the other way round.
class Differences {
public:
    explicit Differences(const GraphDiff& diff)
    {
        for (const NodeChange& change : diff.changes) {
            Difference& one = m_nodes[change.name];
            one.kind = change.kind == ChangeKind::Added     ? ChangeKind::Removed
                       : change.kind == ChangeKind::Removed ? ChangeKind::Added
                                                            : ChangeKind::Changed;
            for (const FieldChange& field : change.fields) one.fields.insert(field.field);
        }
    }

    bool isMadeBy(const NodeChange& change) const
    {
        const auto found = m_nodes.find(change.name);
        if (found == m_nodes.end()) return false;
        const Difference& known = found->second;
        // A node that is replaced by another of its name was made anew.
        if (change.kind != ChangeKind::Changed)
            return known.kind == change.kind || (known.kind == ChangeKind::Changed && change.kind == ChangeKind::Added);
        return known.kind == ChangeKind::Changed &&
               std::any_of(change.fields.begin(), change.fields.end(),
                           [&](const FieldChange& field) { return known.fields.contains(field.field); });
    }

private:
    struct Difference {
        ChangeKind kind = ChangeKind::Changed; ///< as our step would have made it
        std::set<std::string> fields;
    };
    std::unordered_map<std::string, Difference> m_nodes;
};

/// Whether operators have attributes, none of them one of FE's, and none is made of several.
bool isWithoutFusion(const Graph& graph)
{
    int left = lookedAtOperators;
    bool hasAttributes = false;
    for (const NodeId id : graph.allNodes()) {
        const Node& node = graph.node(id);
        if (!isOperator(node)) continue;
        if (--left < 0) break;
        for (const auto& [name, value] : node.attrs) hasAttributes = hasAttributes || !name.starts_with("gelens.");
        for (const std::string_view name : engineAttrs)
            if (node.attrs.contains(name)) return false;
        if (attrStrings(node.attrs, "_datadump_original_op_names").size() > 1) return false;
    }
    return hasAttributes;
}

} // namespace

std::vector<PartingPass> passesBehind(const GraphDiff& diff, const Run& simulated, StepId agreed, StepId parted)
{
    const Differences differences(diff);
    std::vector<PartingPass> passes;
    simulated.forEachStepDiff(agreed, parted, [&](const Step& step, const GraphDiff& own) {
        const auto nodes = std::count_if(own.changes.begin(), own.changes.end(),
                                         [&](const NodeChange& change) { return differences.isMadeBy(change); });
        if (nodes == 0) return;
        auto known =
            std::find_if(passes.begin(), passes.end(), [&](const PartingPass& pass) { return pass.pass == step.pass; });
        if (known == passes.end()) known = passes.insert(passes.end(), {step.pass, 0});
        known->nodes += static_cast<int>(nodes);
    });
    std::stable_sort(passes.begin(), passes.end(),
                     [](const PartingPass& a, const PartingPass& b) { return a.nodes > b.nodes; });
    return passes;
}

GeFusion geFusionIn(const Run& real)
{
    const Run::Span span = mainSpan(real);
    const auto numberOf = [](std::string_view phase) { return findPhase(phase)->number; };
    const int first = numberOf("OptimizeQuantGraph_FeGraphFusionAfter");
    const int fused = numberOf("PreRunAfterOptimizeOriginalGraph"), last = numberOf("PreRunAfterRefineRunningFormat");
    bool showsFusion = false, hasEngine = false;
    StepId behind; // a phase after FE's work that is dumped only when all are
    for (int i = span.first.value; i <= span.last.value; ++i) {
        const StepId step{i};
        const PhaseInfo* const phase = findPhase(real.step(step).phase);
        const StepSource* const source = real.sourceOf(step);
        if (phase == nullptr || source == nullptr || !source->error.empty()) continue;
        if (phase->number >= first && phase->number <= fused) {
            const StepId base = real.baseOf(step);
            if (base == step) return GeFusion::Unknown;
            const GraphDiff diff = real.diff(base, step);
            if (diff.added > 0 || diff.removed > 0) return GeFusion::Unknown;
            showsFusion = true;
        }
        hasEngine = hasEngine || (phase->owner == "FE" && phase->number >= first);
        if (phase->owner == "GE" && phase->number > last && !phase->isDefault) behind = step;
    }
    if (!hasEngine && behind.isValid() && isWithoutFusion(*real.graphAt(behind))) return GeFusion::NoEngine;
    return showsFusion ? GeFusion::NoChange : GeFusion::Unknown;
}

std::string causesText(const std::vector<PartingPass>& passes, const std::string& agreedPhase, GeFusion fusion)
{
    const std::string since = agreedPhase.empty() ? "; " : fmt::format("; since {} ", agreedPhase);
    std::string text;
    if (!passes.empty()) {
        text = since + "ours changed these nodes in ";
        for (std::size_t i = 0; i < std::min(passes.size(), namedPasses); ++i)
            text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", passes[i].pass, passes[i].nodes);
        if (passes.size() > namedPasses) text += ", …";
    } else if (!agreedPhase.empty()) {
        text = since + "no pass of ours changed these nodes";
    }
    if (fusion == GeFusion::NoEngine)
        text += "; GE's dumps show no fusion engine (FE): no phase and no attribute of its own, no fused operator";
    if (fusion == GeFusion::NoChange) text += "; GE's own graph fusion added and removed no node";
    return text;
}

} // namespace gelens
