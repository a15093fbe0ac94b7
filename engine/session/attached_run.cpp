#include "engine/session/attached_run.h"

#include "engine/npu/clock.h"
#include "engine/session/snapshot_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {
namespace {

Snapshot snapshotOf(std::shared_ptr<const Run> run, StepId id, const std::string& path, const std::string& format)
{
    Snapshot snapshot;
    snapshot.step = run->step(id);
    snapshot.step.messages.clear(); // the reader's own, kept in the run already
    snapshot.source.group = run->modelName;
    snapshot.source.files.emplace_back(format, path);
    snapshot.load = [run = std::move(run), id, path](std::stop_token) -> Result<ModelDocument> {
        ModelDocument document;
        document.path = path;
        document.graph = *run->graphAt(id);
        return document;
    };
    return snapshot;
}

/// What the original says about itself, and what became of it.
void addFigures(SnapshotRun& run, const Run& om, const Run& original)
{
    RunStatistics& s = run.statistics;
    const RunStatistics& full = original.statistics;
    s = om.statistics;
    s.nodes.before = full.nodes.before;
    s.intermediateTensors.before = full.intermediateTensors.before;
    s.memoryBefore = full.memoryBefore;
    s.tasks.before = full.tasks.before;
    s.latencyUs.before = full.latencyUs.before;
    s.histogramBefore = full.histogramBefore;
    s.gain = latencyGain(original.timelineBefore, om.timeline);
    s.fullLoadMs = full.fullLoadMs;
    if (s.nodes.before && *s.nodes.before > 0) s.fusionRate = 1 - static_cast<double>(s.nodes.after) / *s.nodes.before;
}

/// How much of the OM can be traced back: what cannot is said, not guessed.
Message pairingMessage(const Graph& original, const Graph& compiled, const std::string& path)
{
    std::vector<std::string> names;
    for (const NodeId id : original.allNodes()) names.push_back(original.node(id).name);
    std::sort(names.begin(), names.end());
    int traced = 0, all = 0;
    for (const NodeId id : compiled.allNodes()) {
        const Node& node = compiled.node(id);
        if (!isOperator(node)) continue;
        ++all;
        StringList origins = attrStrings(node.attrs, "_datadump_original_op_names");
        origins.push_back(node.name);
        traced += std::any_of(origins.begin(), origins.end(), [&](const std::string& name) {
            return std::binary_search(names.begin(), names.end(), name);
        });
    }
    return {
        traced == 0 && all > 0 ? Severity::Warning : Severity::Info,
        "om.original",
        fmt::format("{} of {} operators of the OM name operators of the attached model as their origin", traced, all),
        path,
        {}};
}

} // namespace

Result<std::shared_ptr<const Run>> attachOriginal(std::shared_ptr<const Run> om, const std::string& originalPath,
                                                  const ProgressFunction& progress, std::stop_token stop)
{
    if (om->mode != "light")
        return Error::invalid("only a model with a compiled plan lacks its original", om->modelPath);
    CompileOptions options = om->options;
    options.mode = CompileMode::Auto;
    options.verify = false;
    GELENS_ASSIGN(auto session, Session::open(originalPath, options, progress, stop));
    if (session->info().carriesPlan)
        return Error::invalid("this model is compiled itself; its original was asked for", originalPath);
    GELENS_ASSIGN(auto original, session->run(options, nullptr, progress, stop));
    if (original->failed) return original->error.value_or(Error::invalid("the model cannot be compiled", originalPath));

    const auto compiled = om->graphAt(om->lastStep());
    std::vector<Snapshot> snapshots;
    StepId shaped{0}; // with shapes, so that the two can be compared
    for (const Step& step : original->steps)
        if (step.pass == "InferShapePass") {
            shaped = step.id;
            break;
        }
    snapshots.push_back(snapshotOf(original, shaped, originalPath, session->info().format));
    snapshots.back().step = original->step(StepId{0});
    snapshots.back().step.messages.clear();
    snapshots.back().step.pass = "original model";
    snapshots.back().step.summary = "The model that the OM was compiled from, attached for comparison.";
    for (const Step& step : om->steps) {
        snapshots.push_back(snapshotOf(om, step.id, om->modelPath, om->sourceFormat));
        snapshots.back().source.group = snapshots.front().source.group;
        snapshots.back().comparesStructureOnly = true;
    }
    auto run = SnapshotRun::make(std::move(snapshots), compiled.get());
    run->modelName = om->modelName;
    run->modelPath = om->modelPath;
    run->sourceFormat = om->sourceFormat;
    run->soc = om->soc;
    run->options = om->options;
    run->mode = om->mode;
    run->modeReason = fmt::format("{}; the original {} is attached", om->modeReason, originalPath);
    run->fusions = om->fusions;
    run->plan = om->plan;
    run->tasks = om->tasks;
    run->timeline = om->timeline;
    run->messages = om->messages;
    run->messages.push_back(pairingMessage(*original->graphAt(shaped), *compiled, originalPath));
    addFigures(*run, *om, *original);
    GELENS_TRY(run->scan(progress, stop));
    auto finished = run->refreshed();
    return std::shared_ptr<const Run>(std::move(finished));
}

} // namespace gelens
