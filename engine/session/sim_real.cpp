#include "engine/session/sim_real.h"

#include "engine/session/dump_run.h"
#include "engine/session/graph_matcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace gelens {
namespace {

constexpr std::size_t namedTypes = 4; ///< operator types spelt out in one line

Snapshot sideOf(std::shared_ptr<const Run> run, StepId step, const std::string& phase, const char* pass,
                const char* summary)
{
    Snapshot side;
    side.step.stage = Stage::Compile;
    side.step.phase = phase;
    side.step.pass = pass;
    side.step.summary = summary;
    side.source.group = phase;
    if (const StepSource* source = run->sourceOf(step)) {
        side.source.owner = source->owner;
        side.source.meaning = source->meaning;
        side.source.meaningZh = source->meaningZh;
        side.source.files = source->files;
    }
    side.comparesStructureOnly = true;
    side.load = [run = std::move(run), step](std::stop_token) -> Result<ModelDocument> {
        ModelDocument document;
        document.graph = *run->graphAt(step);
        if (const StepSource* source = run->sourceOf(step); source != nullptr && !source->files.empty()) {
            document.path = source->files.front().second;
            if (document.graph.nodeCount() == 0) return Error::invalid("the dump could not be read", document.path);
        }
        return document;
    };
    return side;
}

/// "Cast 2, Reshape 1"
std::string typesText(const GraphDiff& diff, ChangeKind kind)
{
    std::map<std::string, int> counts;
    for (const NodeChange& change : diff.changes)
        if (change.kind == kind) ++counts[change.type];
    std::vector<std::pair<std::string, int>> list(counts.begin(), counts.end());
    std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string text;
    for (std::size_t i = 0; i < std::min(list.size(), namedTypes); ++i)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", list[i].first, list[i].second);
    return list.size() > namedTypes ? text + ", …" : text;
}

/// Where the two part first, and why.
void explainDifference(SimRealReport& report, const Run& simulated, const Run& real)
{
    const auto at = static_cast<std::size_t>(report.firstDifferent);
    const PhaseComparison& first = report.phases[at];
    const std::vector<PhasePair> pairs = pairPhases(simulated, real);
    std::size_t agreed = 0;
    const PhasePair* last = nullptr; // of those that agree
    for (std::size_t i = 0; i < at; ++i) {
        if (!report.phases[i].isSame()) continue;
        last = &pairs[i];
        ++agreed;
    }
    report.passes =
        passesBehind(first.diff, simulated, last != nullptr ? last->simulated : StepId{0}, pairs[at].simulated);
    report.geFusion = geFusionIn(real);
    report.sentence = agreed == 0   ? std::string("they differ from the start: ")
                      : agreed == 1 ? std::string("the first phase agrees; they part at ")
                                    : fmt::format("the first {} phases agree; they part at ", agreed);
    report.sentence +=
        fmt::format("{}: {}{}", first.phase, differenceText(first.diff),
                    causesText(report.passes, last != nullptr ? last->phase : std::string(), report.geFusion));
}

void summarize(SimRealReport& report, const Run& simulated, const Run& real)
{
    const int read = static_cast<int>(report.phases.size()) - report.unreadable;
    if (report.firstDifferent >= 0)
        explainDifference(report, simulated, real);
    else if (report.unreadable == 0)
        report.sentence = fmt::format("all {} phases agree", read);
    else if (read > 0)
        report.sentence = fmt::format("all {} phases that can be read agree", read);
    else
        report.sentence = "nothing was compared";
    if (report.unreadable > 0) report.sentence += fmt::format("; phases that cannot be read: {}", report.unreadable);
}

} // namespace

std::string differenceText(const GraphDiff& diff)
{
    if (diff.isEmpty()) return "the same";
    std::string text;
    const auto add = [&](int count, const char* what, ChangeKind kind) {
        if (count > 0)
            text += fmt::format("{}{} node{} {} ({})", text.empty() ? "" : ", ", count, count == 1 ? "" : "s", what,
                                typesText(diff, kind));
    };
    add(diff.added, "only in the dump", ChangeKind::Added);
    add(diff.removed, "only simulated", ChangeKind::Removed);
    add(diff.changed, "different", ChangeKind::Changed);
    const auto changed = std::find_if(diff.changes.begin(), diff.changes.end(), [](const NodeChange& change) {
        return change.kind == ChangeKind::Changed && !change.fields.empty();
    });
    if (changed != diff.changes.end()) {
        const FieldChange& field = changed->fields.front();
        const auto shown = [](const std::string& value) { return value.empty() ? std::string("(none)") : value; };
        text += fmt::format("; first '{}' {}: simulated {}, real {}", changed->name, field.field, shown(field.before),
                            shown(field.after));
    } else if (!diff.changes.empty()) {
        text += fmt::format("; first '{}'", diff.changes.front().name);
    }
    return text;
}

std::map<std::string, std::vector<std::int64_t>> shapesFromDumps(const ModelInfo& model, const SnapshotRun& dumps)
{
    std::map<std::string, std::vector<std::int64_t>> shapes;
    std::map<std::string, const ModelInfo::Port*> open;
    for (const ModelInfo::Port& port : model.inputs)
        if (!port.shape.isStatic()) open[port.name] = &port;
    if (open.empty()) return shapes;
    const Run::Span span = mainSpan(dumps);
    const auto graph = dumps.graphAt(span.first);
    graph->forEachNode(rootGraph, [&](const Node& node) {
        const auto found = open.find(node.name);
        if (node.type != "Data" || node.outputs.empty() || found == open.end()) return;
        const Shape& shape = node.outputs.front().desc.shape;
        if (shape.isStatic() && shape.rank() == found->second->shape.rank()) shapes[node.name] = shape.dims();
    });
    return shapes;
}

std::vector<PhasePair> pairPhases(const Run& simulated, const Run& real)
{
    std::map<std::string, StepId> ends; // the state that a phase ends in
    for (const Step& step : simulated.steps)
        if (step.isPhaseEnd) ends[step.phase] = step.id;
    const Run::Span span = mainSpan(real);
    std::vector<PhasePair> pairs;
    for (int i = span.first.value; i <= span.last.value; ++i) {
        const std::string& phase = real.step(StepId{i}).phase;
        const auto found = ends.find(phase);
        if (found == ends.end()) continue;
        std::erase_if(pairs, [&](const PhasePair& pair) { return pair.phase == phase; });
        pairs.push_back({phase, found->second, StepId{i}});
    }
    return pairs;
}

Result<std::shared_ptr<const SnapshotRun>> sideBySide(std::shared_ptr<const Run> simulated,
                                                      std::shared_ptr<const SnapshotRun> real)
{
    const std::vector<PhasePair> pairs = pairPhases(*simulated, *real);
    if (pairs.empty()) return Error::invalid("the dumps and our pipeline have no phase in common", real->modelPath);
    std::vector<Snapshot> sides;
    for (const PhasePair& pair : pairs) {
        const int at = static_cast<int>(sides.size());
        sides.push_back(sideOf(simulated, pair.simulated, pair.phase, "simulated",
                               "The graph as our pipeline has it at the end of this phase."));
        sides.back().base = at;
        sides.push_back(sideOf(real, pair.real, pair.phase, "real dump",
                               "The graph as GE dumped it, compared with the simulated one."));
        sides.back().base = at;
    }
    auto run = SnapshotRun::make(std::move(sides));
    run->modelName = simulated->modelName + " ↔ " + real->modelName;
    run->modelPath = real->modelPath;
    run->sourceFormat = "simulation beside real dumps";
    run->options = simulated->options;
    run->mode = "dumps";
    run->modeReason =
        fmt::format("the simulated run of {} beside GE's dumps in {}", simulated->modelPath, real->modelPath);
    return std::shared_ptr<const SnapshotRun>(std::move(run));
}

Result<SimRealReport> compareSides(const SnapshotRun& sides, const Run& simulated, const Run& real,
                                   const ProgressFunction& progress, std::stop_token stop)
{
    GELENS_TRY(sides.scan(progress, stop));
    const auto known = sides.refreshed();
    SimRealReport report;
    for (int i = 0; i + 1 < known->stepCount(); i += 2) {
        const StepId ours{i}, theirs{i + 1};
        PhaseComparison row;
        row.phase = known->step(theirs).phase;
        row.simulated = ours;
        row.real = theirs;
        row.simulatedCounts = known->step(ours).after;
        row.realCounts = known->step(theirs).after;
        row.error = known->sourceOf(theirs)->error;
        if (row.error.empty())
            row.diff = known->diff(ours, theirs);
        else
            ++report.unreadable;
        if (stop.stop_requested()) return Error::cancelled();
        if (report.firstDifferent < 0 && !row.diff.isEmpty())
            report.firstDifferent = static_cast<int>(report.phases.size());
        report.phases.push_back(std::move(row));
    }
    summarize(report, simulated, real);
    return report;
}

Result<std::shared_ptr<const Run>> comparedSides(const SnapshotRun& sides, const Run& simulated, const Run& real,
                                                 const ProgressFunction& progress, std::stop_token stop)
{
    GELENS_ASSIGN(const SimRealReport report, compareSides(sides, simulated, real, progress, stop));
    const auto finished = sides.refreshed();
    auto run = std::const_pointer_cast<SnapshotRun>(finished); // made here, not yet seen by anyone
    for (const PhaseComparison& phase : report.phases) {
        Step& step = run->steps[static_cast<std::size_t>(phase.real.value)];
        step.summary = phase.error.empty() ? differenceText(phase.diff) : "cannot be read: " + phase.error;
        step.counters = {{"nodes only in the dump", phase.diff.added},
                         {"nodes only simulated", phase.diff.removed},
                         {"nodes that differ", phase.diff.changed}};
    }
    run->messages.push_back({report.isSame() ? Severity::Info : Severity::Warning,
                             "sim-real.first-difference",
                             report.sentence,
                             run->modelPath,
                             {}});
    return std::shared_ptr<const Run>(std::move(run));
}

} // namespace gelens
