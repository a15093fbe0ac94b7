#include "engine/session/snapshot_run.h"

#include "engine/session/dump_run.h"
#include "engine/session/snapshot_store_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <unordered_set>

namespace gelens {
namespace {

constexpr std::string_view originNames = "_datadump_original_op_names";

/// What one change says of one node, as lines of its history.
std::vector<std::string> linesOf(const GraphDiff& diff, NodeId node, const SnapshotStore& store)
{
    std::vector<std::string> lines;
    const auto namesOf = [&](const std::vector<NodeId>& nodes) {
        std::string text;
        for (const NodeId id : nodes) text += (text.empty() ? "'" : ", '") + store.nameOf(id) + "'";
        return text;
    };
    for (const NodeChange& change : diff.changes) {
        if (change.after != node && change.before != node) continue;
        if (change.kind == ChangeKind::Added) lines.push_back("added");
        if (change.kind == ChangeKind::Removed) lines.push_back("removed");
        if (change.kind == ChangeKind::Changed && change.fields.empty()) lines.push_back("changed");
        for (const FieldChange& field : change.fields)
            lines.push_back(fmt::format("{}: {} → {}", field.field, field.before.empty() ? "(none)" : field.before,
                                        field.after.empty() ? "(none)" : field.after));
        if (change.kind == ChangeKind::Changed && matchConfidence(change.basis) < 1)
            lines.push_back(fmt::format("recognised by {} ({:.0f} % sure)", matchBasisName(change.basis),
                                        100 * matchConfidence(change.basis)));
    }
    for (const LineageGroup& group : diff.groups) {
        const bool isAfter = std::find(group.after.begin(), group.after.end(), node) != group.after.end();
        const bool isBefore = std::find(group.before.begin(), group.before.end(), node) != group.before.end();
        if (isAfter)
            lines.push_back("made of " + namesOf(group.before));
        else if (isBefore)
            lines.push_back("went into " + namesOf(group.after));
    }
    return lines;
}

/// Nodes that became one between two files: a fusion, whoever made it, so that selections follow it like one of ours.
std::vector<FusionVerdict> fusionsIn(const GraphDiff& diff, StepId step, const SnapshotStore& store)
{
    std::vector<FusionVerdict> verdicts;
    for (const LineageGroup& group : diff.groups) {
        if (group.before.size() < 2 || group.after.size() != 1) continue;
        FusionVerdict verdict;
        verdict.rule = "read from the files: origin names";
        verdict.nodes = group.before;
        for (const NodeId node : group.before) verdict.nodeNames.push_back(store.nameOf(node));
        verdict.fused = true;
        verdict.into = group.after.front();
        verdict.intoName = store.nameOf(verdict.into);
        verdict.step = step;
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

/// What fusion_result.json counts at a step must show in the graphs up to it. Nothing is said while some are unread.
std::optional<Message> doubtOf(const SnapshotStore& store, int step)
{
    constexpr std::string_view effective = " effective";
    std::int64_t fusions = 0;
    for (const auto& [name, count] : store.snapshots()[static_cast<std::size_t>(step)].step.counters)
        if (name.ends_with(effective)) fusions += count;
    const int first = store.spanOf(step).first.value;
    if (fusions <= 0 || step == first) return std::nullopt;
    for (int i = first + 1; i <= step; ++i) {
        const auto change = store.change(i);
        if (!change || change->added > 0 || change->removed > 0) return std::nullopt;
    }
    return Message{
        Severity::Warning,
        "dump.fusion-result-differs",
        fmt::format(
            "fusion_result.json counts {} fusions that took effect, but no phase up to this one adds or removes a node",
            fusions),
        {},
        {}};
}

bool touches(const GraphDiff& diff, NodeId node)
{
    return std::any_of(diff.changes.begin(), diff.changes.end(),
                       [&](const NodeChange& change) { return change.after == node || change.before == node; });
}

} // namespace

SnapshotRun::SnapshotRun(std::shared_ptr<SnapshotStore> store) : m_store(std::move(store))
{
    for (const Snapshot& snapshot : m_store->snapshots()) {
        Step step = snapshot.step;
        step.id = StepId{stepCount()};
        step.isPhaseEnd = true;
        steps.push_back(std::move(step));
        m_sources.push_back(snapshot.source);
    }
    setGraph(std::make_shared<Graph>(), std::make_shared<Journal>()); // nothing here has edits
    takeFigures();
}

SnapshotRun::~SnapshotRun() = default;

std::shared_ptr<SnapshotRun> SnapshotRun::make(std::vector<Snapshot> snapshots, const Graph* seed,
                                               const std::string& seedScope)
{
    auto store = std::make_shared<SnapshotStore>(std::move(snapshots), seed, seedScope);
    return std::shared_ptr<SnapshotRun>(new SnapshotRun(std::move(store)));
}

Status SnapshotRun::scan(const ProgressFunction& progress, std::stop_token stop) const
{
    auto last = std::chrono::steady_clock::now();
    for (int i = 0; i < m_store->count(); ++i) {
        if (stop.stop_requested()) return Error::cancelled();
        if (progress && std::chrono::steady_clock::now() - last > std::chrono::milliseconds(50)) {
            progress({"reading phases", i, m_store->count()});
            last = std::chrono::steady_clock::now();
        }
        GELENS_TRY(m_store->workOutChange(i, stop));
    }
    return {};
}

bool SnapshotRun::isScanned() const
{
    for (int i = 0; i < m_store->count(); ++i)
        if (!m_store->figures(i)) return false;
    return true;
}

std::shared_ptr<const SnapshotRun> SnapshotRun::refreshed() const
{
    auto run = std::shared_ptr<SnapshotRun>(new SnapshotRun(m_store));
    run->copyDescriptionFrom(*this);
    run->takeFigures();
    return run;
}

void SnapshotRun::copyDescriptionFrom(const SnapshotRun& other)
{
    modelName = other.modelName;
    modelPath = other.modelPath;
    sourceFormat = other.sourceFormat;
    soc = other.soc;
    options = other.options;
    mode = other.mode;
    modeReason = other.modeReason;
    fusions = other.fusions;
    planBefore = other.planBefore;
    plan = other.plan;
    tasksBefore = other.tasksBefore;
    tasks = other.tasks;
    timelineBefore = other.timelineBefore;
    timeline = other.timeline;
    statistics = other.statistics;
    messages = other.messages;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        steps[i].counters = other.steps[i].counters;
        steps[i].summary = other.steps[i].summary;
    }
}

void SnapshotRun::takeFigures()
{
    std::size_t edits = 0;
    for (int i = 0; i < stepCount(); ++i) {
        Step& step = steps[static_cast<std::size_t>(i)];
        StepSource& source = m_sources[static_cast<std::size_t>(i)];
        const auto known = m_store->figures(i);
        const auto change = m_store->change(i);
        const int base = m_store->readableBase(i);
        step.firstEdit = edits;
        source.isRead = known != nullptr;
        if (known) {
            source.error = known->error;
            step.after = known->statistics;
            const auto before = base >= 0 ? m_store->figures(base) : nullptr;
            step.before = before && known->error.empty() ? before->statistics : step.after;
            step.messages = known->messages;
            if (auto doubt = doubtOf(*m_store, i)) step.messages.push_back(std::move(*doubt));
            if (m_store->snapshots()[static_cast<std::size_t>(i)].step.milliseconds == 0)
                step.milliseconds = known->milliseconds;
        }
        // One that has not been read may have changed anything; the first of a group brings all its nodes.
        std::size_t count = 1;
        if (change) {
            count = change->changes.size();
            if (m_store->snapshots()[static_cast<std::size_t>(i)].step.verdicts.empty())
                step.verdicts = fusionsIn(*change, step.id, *m_store);
        } else if (known && known->error.empty() && base < 0) {
            count = static_cast<std::size_t>(known->statistics.graphNodes);
        }
        edits += count;
        step.lastEdit = edits;
    }
    if (stepCount() == 0) return;
    if (plan.buffers.empty()) // memory is that of the last phase that states any
        if (const Span main = mainSpan(*this); main.first.value >= 0)
            for (int i = main.last.value; i >= main.first.value; --i)
                if (const auto known = m_store->figures(i); known && known->plan) {
                    plan = *known->plan;
                    break;
                }
    const Span whole = spanOf(lastStep());
    const auto first = m_store->figures(whole.first.value), last = m_store->figures(whole.last.value);
    if (statistics.histogramBefore.empty() && first) {
        statistics.nodes.before = first->statistics.operators;
        statistics.histogramBefore = first->histogram;
    }
    if (statistics.histogramAfter.empty() && last) {
        statistics.nodes.after = last->statistics.operators;
        statistics.histogramAfter = last->histogram;
        statistics.weightBytes = last->weightBytes;
        if (const auto before = statistics.nodes.before; before && *before > 0)
            statistics.fusionRate = 1 - static_cast<double>(statistics.nodes.after) / *before;
    }
}

int SnapshotRun::clamped(StepId step) const { return std::clamp(step.value, 0, stepCount() - 1); }

std::shared_ptr<const Graph> SnapshotRun::graphAt(StepId step) const { return m_store->graph(clamped(step)); }

GraphDiff SnapshotRun::diff(StepId from, StepId to) const
{
    const int before = clamped(from), after = clamped(to);
    if (before == after) return {};
    if (const auto kept = m_store->change(after); kept && m_store->readableBase(after) == before) {
        const bool isWhole = std::all_of(kept->changes.begin(), kept->changes.end(), [](const NodeChange& change) {
            return change.kind != ChangeKind::Changed || !change.fields.empty();
        });
        if (isWhole) return *kept;
    }
    return m_store->compare(*m_store->graph(before), *m_store->graph(after), after);
}

Run::Touched SnapshotRun::touched(StepId from, StepId to) const
{
    Touched touched;
    for (const NodeChange& change : diff(from, to).changes) {
        auto& list = change.kind == ChangeKind::Added     ? touched.added
                     : change.kind == ChangeKind::Removed ? touched.removed
                                                          : touched.changed;
        list.push_back(change.after.isValid() ? change.after : change.before);
    }
    return touched;
}

std::vector<HistoryEntry> SnapshotRun::history(NodeId node) const
{
    std::vector<HistoryEntry> entries;
    for (int i = 0; i < m_store->count(); ++i) {
        const auto change = m_store->change(i);
        if (!change) continue;
        for (std::string& line : linesOf(*change, node, *m_store))
            entries.push_back({StepId{i}, steps[static_cast<std::size_t>(i)].pass, std::move(line)});
    }
    return entries;
}

std::vector<StepId> SnapshotRun::stepsTouching(NodeId node) const
{
    std::vector<StepId> list;
    for (int i = 0; i < m_store->count(); ++i)
        if (const auto change = m_store->change(i); change && touches(*change, node)) list.push_back(StepId{i});
    return list;
}

std::vector<NodeId> SnapshotRun::originsOf(NodeId node) const
{
    const StepId content = nearestStepWith(node, StepId{0});
    if (!content.isValid()) return {};
    const Span span = spanOf(content);
    const auto first = graphAt(span.first);
    // GE says it by name; what it leaves open is followed back through the changes. A fused node may have taken the
    // name of one of its originals, so that being there from the start is not all of it.
    std::set<NodeId> found;
    std::vector<NodeId> open{node};
    std::unordered_set<NodeId> seen{node};
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (first->contains(id)) found.insert(id);
        if (first->contains(id) && id != node) continue;
        const StepId lives = nearestStepWith(id, span.last);
        if (!lives.isValid()) continue;
        const auto graph = graphAt(lives);
        std::unordered_set<std::string> names;
        for (std::string& name : attrStrings(graph->node(id).attrs, originNames)) names.insert(std::move(name));
        bool isNamed = false;
        if (!names.empty())
            for (const NodeId other : first->allNodes())
                if (names.contains(first->node(other).name)) isNamed = found.insert(other).second || isNamed;
        if (isNamed) continue;
        for (int i = span.first.value; i <= span.last.value; ++i)
            if (const auto change = m_store->change(i))
                for (const LineageGroup& group : change->groups)
                    if (std::find(group.after.begin(), group.after.end(), id) != group.after.end())
                        for (const NodeId before : group.before)
                            if (seen.insert(before).second) open.push_back(before);
    }
    return {found.begin(), found.end()};
}

std::vector<NodeId> SnapshotRun::becameOf(NodeId node) const
{
    const StepId content = nearestStepWith(node, StepId{0});
    if (!content.isValid()) return {};
    const Span span = spanOf(content);
    const auto last = graphAt(span.last);
    if (last->contains(node)) return {node};
    std::set<NodeId> found;
    const std::string name = nameOf(node);
    for (const NodeId id : last->allNodes()) {
        const StringList names = attrStrings(last->node(id).attrs, originNames);
        if (std::find(names.begin(), names.end(), name) != names.end()) found.insert(id);
    }
    std::unordered_set<NodeId> family{node};
    for (int i = span.first.value; i <= span.last.value; ++i)
        if (const auto change = m_store->change(i))
            for (const LineageGroup& group : change->groups)
                if (std::any_of(group.before.begin(), group.before.end(),
                                [&](NodeId id) { return family.contains(id); }))
                    family.insert(group.after.begin(), group.after.end());
    for (const NodeId id : family)
        if (last->contains(id)) found.insert(id);
    return {found.begin(), found.end()};
}

std::string SnapshotRun::nameOf(NodeId node) const { return m_store->nameOf(node); }

std::vector<Run::Life> SnapshotRun::livesOf(const std::vector<NodeId>& nodes) const
{
    std::vector<Life> lives;
    for (const NodeId node : nodes) {
        Life life{StepId{-1}, StepId{-1}};
        int lastSeen = -1;
        for (int i = 0; i < m_store->count(); ++i) {
            const auto known = m_store->figures(i);
            if (!known || !known->error.empty()) continue;
            if (known->holds(node)) {
                if (!life.born.isValid()) life.born = StepId{i};
                lastSeen = i;
                life.died = StepId{-1};
            } else if (lastSeen >= 0 && !life.died.isValid() && i <= spanOf(StepId{lastSeen}).last.value) {
                life.died = StepId{i};
            }
        }
        if (!life.born.isValid()) life.born = StepId{0};
        lives.push_back(life);
    }
    return lives;
}

StepId SnapshotRun::nearestStepWith(NodeId node, StepId near) const
{
    const int from = clamped(near);
    (void)m_store->knownFigures(from); // the step shown is worth reading
    StepId best{-1};
    for (int i = 0; i < m_store->count(); ++i) {
        const auto known = m_store->figures(i);
        if (known && known->holds(node) && (!best.isValid() || std::abs(i - from) < std::abs(best.value - from)))
            best = StepId{i};
    }
    return best;
}

std::vector<StepId> SnapshotRun::birthSteps() const
{
    std::vector<StepId> births(static_cast<std::size_t>(nodeIdBound()), StepId{-1});
    for (int i = 0; i < m_store->count(); ++i)
        if (const auto known = m_store->figures(i))
            for (const NodeId node : known->nodes)
                if (StepId& birth = births[static_cast<std::size_t>(node.value)]; !birth.isValid()) birth = StepId{i};
    for (StepId& birth : births)
        if (!birth.isValid()) birth = StepId{0};
    return births;
}

int SnapshotRun::nodeIdBound() const { return m_store->idBound(); }

StepId SnapshotRun::baseOf(StepId step) const
{
    const int base = m_store->readableBase(clamped(step));
    return base < 0 ? StepId{clamped(step)} : StepId{base};
}

Run::Span SnapshotRun::spanOf(StepId step) const { return m_store->spanOf(clamped(step)); }

std::vector<std::pair<std::string, int>> SnapshotRun::histogramAt(StepId step) const
{
    const auto known = m_store->knownFigures(clamped(step));
    return known.ok() ? (*known)->histogram : std::vector<std::pair<std::string, int>>();
}

const StepSource* SnapshotRun::sourceOf(StepId step) const
{
    return &m_sources[static_cast<std::size_t>(clamped(step))];
}

} // namespace gelens
