#include "engine/session/snapshot_store_internal.h"

#include "engine/formats/mapped_file.h"
#include "engine/graph/renumber.h"
#include "engine/passes/pipeline.h"
#include "engine/session/finish_run.h"
#include "engine/session/graph_matcher.h"
#include "engine/session/om_memory.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <unordered_set>

namespace gelens {
namespace {

/// Graphs kept: those around the step shown, and a few that lineage asks for.
constexpr std::size_t cachedGraphs = 12;
/// Nodes in all kept graphs together; beyond that only the newest two stay.
constexpr int cachedNodes = 400'000;
/// Texts of changed fields kept for histories, over all steps: some 100 MB at most. Beyond, only who changed is kept.
constexpr std::size_t keptFields = 500'000;

std::string keyOf(const std::string& scope, const Graph& graph, const Node& node)
{
    // Root graphs may be named differently in each file; a zero byte cannot be part of a name's text.
    std::string key = scope;
    (key += '\0') += node.graph == rootGraph ? std::string() : graph.subgraph(node.graph).name;
    return (key += '\0') += node.name;
}

Result<ModelDocument> readGuarded(const Snapshot& snapshot, std::stop_token stop)
{
    try {
        return snapshot.load(stop);
    } catch (const InternalError& error) {
        return Error{ErrorCode::Internal, error.what(), {}, {}};
    }
}

bool haveSameBytes(const std::vector<std::pair<std::string, std::string>>& a,
                   const std::vector<std::pair<std::string, std::string>>& b)
{
    if (a.empty() || a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::error_code code;
        if (a[i].first != b[i].first ||
            std::filesystem::file_size(a[i].second, code) != std::filesystem::file_size(b[i].second, code) || code)
            return false;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto first = MappedFile::open(a[i].second), second = MappedFile::open(b[i].second);
        if (!first.ok() || !second.ok()) return false;
        const auto x = (*first)->bytes(), y = (*second)->bytes();
        if (x.size() != y.size() || std::memcmp(x.data(), y.data(), x.size()) != 0) return false;
    }
    return true;
}

} // namespace

bool SnapshotFigures::holds(NodeId node) const { return std::binary_search(nodes.begin(), nodes.end(), node); }

SnapshotStore::SnapshotStore(std::vector<Snapshot> snapshots, const Graph* seed, const std::string& seedScope)
    : m_snapshots(std::move(snapshots)), m_figures(m_snapshots.size()), m_changes(m_snapshots.size())
{
    std::unordered_map<std::string, Run::Span> spans;
    for (int i = 0; i < count(); ++i) {
        const Snapshot& snapshot = m_snapshots[static_cast<std::size_t>(i)];
        const auto [span, isFirst] = spans.try_emplace(snapshot.source.group, Run::Span{StepId{i}, StepId{i}});
        const int previous = isFirst ? i : span->second.last.value;
        span->second.last = StepId{i};
        m_bases.push_back(snapshot.base == Snapshot::previousInGroup ? previous : snapshot.base);
    }
    for (const Snapshot& snapshot : m_snapshots) m_spans.push_back(spans.at(snapshot.source.group));
    if (seed == nullptr) return;
    m_names.resize(static_cast<std::size_t>(seed->nodeIdBound()));
    for (const NodeId id : seed->allNodes()) {
        m_names[static_cast<std::size_t>(id.value)] = seed->node(id).name;
        m_ids.emplace(keyOf(seedScope, *seed, seed->node(id)), id);
    }
}

std::vector<NodeId> SnapshotStore::idsFor(const Graph& graph, const std::string& scope, int& bound)
{
    std::vector<NodeId> ids(static_cast<std::size_t>(graph.nodeIdBound()));
    std::unordered_set<std::string> used;
    const std::scoped_lock lock(m_idMutex);
    for (const NodeId id : graph.allNodes()) {
        const Node& node = graph.node(id);
        std::string key = keyOf(scope, graph, node);
        // A damaged file may name two nodes alike.
        for (int copy = 2; !used.insert(key).second; ++copy)
            key = keyOf(scope, graph, node) + '\0' + std::to_string(copy);
        const auto [found, isNew] =
            m_ids.try_emplace(std::move(key), NodeId{static_cast<std::int32_t>(m_names.size())});
        if (isNew) m_names.push_back(node.name);
        ids[static_cast<std::size_t>(id.value)] = found->second;
    }
    bound = static_cast<int>(m_names.size());
    return ids;
}

SnapshotStore::Loaded SnapshotStore::load(int step, std::stop_token stop)
{
    const Snapshot& snapshot = m_snapshots[static_cast<std::size_t>(step)];
    const auto start = std::chrono::steady_clock::now();
    auto document = readGuarded(snapshot, stop);
    auto figures = std::make_shared<SnapshotFigures>();
    std::shared_ptr<Graph> graph;
    if (document.ok()) {
        int bound = 0;
        const std::vector<NodeId> ids = idsFor(document->graph, snapshot.idScope, bound);
        graph = std::make_shared<Graph>(renumbered(document->graph, ids, bound));
        figures->statistics = statisticsOf(*graph);
        figures->histogram = operatorHistogram(*graph);
        figures->weightBytes = document->weightBytes;
        figures->messages = document->messages;
        figures->plan = planFromOffsets(*graph);
        figures->nodes = graph->allNodes();
        std::sort(figures->nodes.begin(), figures->nodes.end());
        for (Message& message : figures->messages) {
            if (message.where.empty()) message.where = document->path;
            if (message.node.isValid() && static_cast<std::size_t>(message.node.value) < ids.size())
                message.node = ids[static_cast<std::size_t>(message.node.value)];
        }
    } else {
        if (document.error().isCancelled()) return {};
        graph = std::make_shared<Graph>(snapshot.step.phase);
        figures->error = document.error().what;
        const std::string where = document.error().where.empty() && !snapshot.source.files.empty()
                                      ? snapshot.source.files.front().second
                                      : document.error().where;
        figures->messages.push_back({Severity::Error, "dump.unreadable", document.error().what, where, {}});
    }
    figures->milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return {std::move(graph), std::move(figures)};
}

void SnapshotStore::keep(int step, const Loaded& loaded)
{
    m_cache.emplace_back(step, loaded.graph);
    m_figures[static_cast<std::size_t>(step)] = loaded.figures;
    int nodes = 0;
    for (const auto& [other, graph] : m_cache) nodes += graph->nodeCount();
    while (m_cache.size() > 2 && (m_cache.size() > cachedGraphs || nodes > cachedNodes)) {
        nodes -= m_cache.front().second->nodeCount();
        m_cache.erase(m_cache.begin());
    }
}

std::shared_ptr<const Graph> SnapshotStore::graph(int step, std::stop_token stop)
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        for (auto entry = m_cache.begin(); entry != m_cache.end(); ++entry)
            if (entry->first == step) {
                std::rotate(entry, entry + 1, m_cache.end());
                return m_cache.back().second;
            }
        if (!m_loading.contains(step)) break;
        m_loadEnded.wait(lock); // another thread reads it: once is enough
    }
    m_loading.insert(step);
    lock.unlock();
    Loaded loaded = load(step, stop);
    lock.lock();
    m_loading.erase(step);
    m_loadEnded.notify_all();
    if (!loaded.graph) return std::make_shared<Graph>(); // cancelled: nobody wants the answer
    keep(step, loaded);
    return loaded.graph;
}

std::shared_ptr<const SnapshotFigures> SnapshotStore::figures(int step) const
{
    const std::scoped_lock lock(m_mutex);
    return m_figures[static_cast<std::size_t>(step)];
}

Result<std::shared_ptr<const SnapshotFigures>> SnapshotStore::knownFigures(int step, std::stop_token stop)
{
    if (auto known = figures(step)) return known;
    (void)graph(step, stop);
    if (auto known = figures(step)) return known;
    return Error::cancelled();
}

int SnapshotStore::readableBase(int step) const
{
    for (int at = step;;) {
        const int base = m_bases[static_cast<std::size_t>(at)];
        if (base == at) return -1;
        at = base;
        const auto known = figures(at);
        if (!known || known->error.empty()) return at;
    }
}

std::shared_ptr<const GraphDiff> SnapshotStore::change(int step) const
{
    const std::scoped_lock lock(m_mutex);
    return m_changes[static_cast<std::size_t>(step)];
}

GraphDiff SnapshotStore::compare(const Graph& before, const Graph& after, int afterStep) const
{
    GraphDiff diff = diffOfGraphs(before, after);
    if (m_snapshots[static_cast<std::size_t>(afterStep)].comparesStructureOnly) keepStructureOnly(before, after, diff);
    return diff;
}

bool SnapshotStore::adoptSameFiles(int step, int base)
{
    const auto known = figures(base);
    if (!known || !known->error.empty() || figures(step)) return false;
    const Snapshot &a = m_snapshots[static_cast<std::size_t>(base)], &b = m_snapshots[static_cast<std::size_t>(step)];
    if (!a.isAsInFiles || !b.isAsInFiles || a.idScope != b.idScope || !haveSameBytes(a.source.files, b.source.files))
        return false;
    auto copy = std::make_shared<SnapshotFigures>(*known);
    for (Message& message : copy->messages)
        for (std::size_t i = 0; i < a.source.files.size(); ++i)
            if (message.where == a.source.files[i].second) message.where = b.source.files[i].second;
    const auto shared = graph(base);
    const std::scoped_lock lock(m_mutex);
    keep(step, {shared, std::move(copy)});
    m_changes[static_cast<std::size_t>(step)] = std::make_shared<GraphDiff>();
    return true;
}

Status SnapshotStore::workOutChange(int step, std::stop_token stop)
{
    if (change(step)) return {};
    if (const int before = readableBase(step); before >= 0 && adoptSameFiles(step, before)) return {};
    GELENS_ASSIGN(const auto known, knownFigures(step, stop));
    int base = readableBase(step);
    for (int tried = -1; base >= 0 && base != tried;) { // whether one can be read shows when it is
        tried = base;
        GELENS_TRY(knownFigures(tried, stop));
        base = readableBase(step);
    }
    if (base < 0 || !known->error.empty()) return {};
    const auto before = graph(base, stop), after = graph(step, stop);
    if (stop.stop_requested()) return Error::cancelled();
    auto diff = std::make_shared<GraphDiff>(compare(*before, *after, step));
    const std::scoped_lock lock(m_mutex);
    for (const NodeChange& change : diff->changes) m_keptFields += change.fields.size();
    if (m_keptFields > keptFields)
        for (NodeChange& change : diff->changes) {
            m_keptFields -= std::min(m_keptFields, change.fields.size());
            change.fields.clear();
        }
    m_changes[static_cast<std::size_t>(step)] = std::move(diff);
    return {};
}

std::string SnapshotStore::nameOf(NodeId node) const
{
    const std::scoped_lock lock(m_idMutex);
    return node.isValid() && static_cast<std::size_t>(node.value) < m_names.size()
               ? m_names[static_cast<std::size_t>(node.value)]
               : std::string();
}

int SnapshotStore::idBound() const
{
    const std::scoped_lock lock(m_idMutex);
    return static_cast<int>(m_names.size());
}

} // namespace gelens
