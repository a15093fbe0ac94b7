#include "engine/session/comparison_run.h"

#include "engine/session/snapshot_run.h"

namespace gelens {
namespace {

Snapshot snapshotOf(std::shared_ptr<const Run> run, const std::string& name, int base)
{
    Snapshot snapshot;
    snapshot.step.stage = Stage::Compile;
    snapshot.step.phase = run->step(run->lastStep()).phase;
    snapshot.step.pass = name;
    snapshot.step.summary = run->soc.name;
    snapshot.source.group = run->modelName;
    snapshot.idScope = run->modelName;
    snapshot.base = base;
    snapshot.load = [run = std::move(run)](std::stop_token) -> Result<ModelDocument> {
        ModelDocument document;
        document.format = run->sourceFormat;
        document.path = run->modelPath;
        document.graph = *run->graphAt(run->lastStep());
        return document;
    };
    return snapshot;
}

} // namespace

std::shared_ptr<const Run> comparisonRun(std::shared_ptr<const Run> base, const std::string& baseName,
                                         std::shared_ptr<const Run> other, const std::string& otherName)
{
    const RunStatistics &a = base->statistics, &b = other->statistics;
    RunStatistics figures = b;
    figures.nodes.before = a.nodes.after;
    figures.intermediateTensors.before = a.intermediateTensors.after;
    figures.memoryBefore = a.memoryAfter;
    figures.tasks.before = a.tasks.after;
    figures.latencyUs.before = a.latencyUs.after;
    figures.histogramBefore = a.histogramAfter;
    figures.gain = {};
    const std::string modelName = base->modelName, path = base->modelPath, format = base->sourceFormat;
    const SocSpec soc = other->soc;
    const CompileOptions options = other->options;
    std::vector<Snapshot> snapshots;
    snapshots.push_back(snapshotOf(std::move(base), baseName, 0));
    snapshots.push_back(snapshotOf(std::move(other), otherName, 0));
    const auto run = SnapshotRun::make(std::move(snapshots));
    run->modelName = modelName + ": " + baseName + " ↔ " + otherName;
    run->modelPath = path;
    run->sourceFormat = format;
    run->soc = soc;
    run->options = options;
    run->mode = "full";
    run->modeReason = "two runs of one model, compared";
    run->statistics = figures;
    // Both graphs are in memory, so looking at them is quick and cannot fail.
    (void)run->scan();
    return run->refreshed();
}

} // namespace gelens
