#include "engine/session/dump_run.h"

#include "engine/formats/dump_folder.h"
#include "engine/formats/model_file.h"
#include "engine/graph/graph_editor.h"
#include "engine/session/fusion_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace gelens {
namespace {

namespace fs = std::filesystem;

/// The name of a graph stands in the first lines of a ge_proto dump.
constexpr std::size_t sniffedBytes = 512;

std::string statedNameIn(const DumpFile& file)
{
    if (file.format != DumpFormat::GeProto) return {};
    std::ifstream in(file.path, std::ios::binary);
    std::string head(sniffedBytes, '\0');
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount())));
    const auto at = head.find("name: \"");
    if (at == std::string::npos || head.find("op {") < at) return {};
    const auto begin = at + 7, end = head.find('"', begin);
    return end == std::string::npos ? std::string() : head.substr(begin, end - begin);
}

/// Attributes that one format has and the other lacks go to the node of that name. What ours alone know of a file is
/// no attribute of GE's.
void addMissingAttributes(Graph& graph, const Graph& from)
{
    std::unordered_map<std::string, NodeId> names;
    const auto keyOf = [](const Graph& in, const Node& node) {
        return (node.graph == rootGraph ? std::string() : in.subgraph(node.graph).name) + '\0' + node.name;
    };
    for (const NodeId id : from.allNodes()) names.emplace(keyOf(from, from.node(id)), id);
    Journal journal;
    GraphEditor edit(graph, journal);
    for (const NodeId id : graph.allNodes()) {
        const auto found = names.find(keyOf(graph, graph.node(id)));
        if (found == names.end() || from.node(found->second).type != graph.node(id).type) continue;
        for (const auto& [name, value] : from.node(found->second).attrs)
            if (!name.starts_with("gelens.") && !graph.node(id).attrs.contains(name)) edit.setAttr(id, name, value);
    }
}

bool isCutMessage(const Message& message) { return message.id == "dump.cut"; }

/// Names the group and, within it, the phase of each file.
struct Row {
    const DumpGraph* graph = nullptr;
    const DumpPhase* phase = nullptr;
    PhasePlace place;
    std::string group;
};

std::string groupName(const DumpGraph& graph, const std::string& subgraph)
{
    std::string name = graph.process;
    const auto add = [&name](const std::string& part) { name += (name.empty() ? "" : " · ") + part; };
    if (graph.isSingleOp) add("single operator");
    if (graph.graphId) add(fmt::format("graph {}", *graph.graphId));
    if (!subgraph.empty()) add("sub-graph " + subgraph);
    return name.empty() ? "graph" : name;
}

std::vector<Row> rowsOf(const DumpFolder& folder)
{
    std::vector<Row> rows;
    for (const DumpGraph& graph : folder.graphs) {
        std::vector<Row> parts; // sub-graphs after the whole, in the order in which they first appear
        std::map<std::string, int> order{{"", 0}};
        for (const DumpPhase& phase : graph.phases) {
            // Documented names speak of the whole graph, and need no look into the file.
            const bool isWhole =
                phase.info != nullptr && phase.info->name == phase.name && !phase.name.starts_with("partition");
            Row row{&graph, &phase, isWhole ? PhasePlace{{}, phase.name} : PhasePlace{}, {}};
            if (!isWhole) row.place = placeOfPhase(phase.name, statedNameIn(phase.files.front()));
            row.group = groupName(graph, row.place.subgraph);
            order.try_emplace(row.place.subgraph, static_cast<int>(order.size()));
            parts.push_back(std::move(row));
        }
        std::stable_sort(parts.begin(), parts.end(), [&](const Row& a, const Row& b) {
            return order.at(a.place.subgraph) < order.at(b.place.subgraph);
        });
        rows.insert(rows.end(), parts.begin(), parts.end());
    }
    return rows;
}

Snapshot snapshotOf(const Row& row)
{
    Snapshot snapshot;
    snapshot.step.stage = Stage::Compile;
    snapshot.step.phase = row.phase->name;
    snapshot.step.pass = row.place.phase;
    snapshot.source.group = row.group;
    snapshot.source.process = row.graph->process;
    snapshot.source.graph = row.graph->graphId.value_or(-1);
    snapshot.source.isSingleOp = row.graph->isSingleOp;
    snapshot.source.subgraph = row.place.subgraph;
    snapshot.source.number = row.phase->number;
    if (const PhaseInfo* info = row.phase->info) {
        snapshot.step.summary = info->english;
        snapshot.source.owner = info->owner;
        snapshot.source.meaning = info->english;
        snapshot.source.meaningZh = info->chinese;
    }
    for (const DumpFile& file : row.phase->files)
        snapshot.source.files.emplace_back(dumpFormatName(file.format), file.path.string());
    snapshot.idScope = row.group;
    snapshot.isAsInFiles = true;
    snapshot.load = [phase = *row.phase](std::stop_token stop) {
        ReadOptions options;
        options.stop = stop;
        return readMergedPhase(phase, options);
    };
    return snapshot;
}

/// TorchAir's text dumps hold a bare graph that can be shown; its Python files are listed only.
std::vector<Snapshot> fxSnapshots(const DumpFolder& folder, std::vector<Message>& messages)
{
    std::vector<Snapshot> list;
    for (const fs::path& path : folder.fxDumps) {
        const std::string name = path.filename().string();
        const bool isOriginal = name.starts_with("dynamo_original_graph_");
        if (path.extension() != ".txt" && path.extension() != ".pbtxt") {
            messages.push_back({Severity::Info,
                                "dump.fx-listed",
                                "TorchAir's FX graph; shown when dumped as txt or pbtxt",
                                path.string(),
                                {}});
            continue;
        }
        Snapshot snapshot;
        snapshot.step.stage = Stage::Parse;
        snapshot.step.phase = isOriginal ? "dynamo_original_graph" : "dynamo_optimized_graph";
        snapshot.step.pass = path.stem().string();
        snapshot.source.group = "TorchAir FX";
        snapshot.source.owner = "TorchAir";
        snapshot.source.meaning = isOriginal ? "The graph that PyTorch traced, before TorchAir's own passes"
                                             : "The graph after TorchAir's own passes, as it is handed to GE";
        snapshot.source.meaningZh =
            isOriginal ? "PyTorch 捕获的图，TorchAir 自身的 Pass 之前" : "TorchAir 自身的 Pass 之后，交给 GE 的图";
        snapshot.step.summary = snapshot.source.meaning;
        snapshot.source.files.emplace_back("FX", path.string());
        snapshot.idScope = snapshot.source.group;
        snapshot.load = [path](std::stop_token stop) {
            ReadOptions options;
            options.stop = stop;
            return openModel(path, options);
        };
        list.push_back(std::move(snapshot));
    }
    return list;
}

/// Once such a graph is read, its counts are held against the marks that passes left in it.
void addDoubts(Snapshot& snapshot, const FusionResult& result, bool isBuffer)
{
    snapshot.load = [load = std::move(snapshot.load), result, isBuffer](std::stop_token stop) {
        auto document = load(stop);
        if (document.ok())
            for (Message& message : fusionDoubts(result, isBuffer, document->graph))
                document->messages.push_back(std::move(message));
        return document;
    };
}

constexpr std::array graphFusionPhases{"OptimizeOriginalGraph_FeGraphFusionAfter", "PreRunAfterOptimizeOriginalGraph",
                                       "PreRunAfterOptimize1"};
constexpr std::array bufferFusionPhases{"afterUBMatch", "PreRunAfterOptimizeSubgraph", "PreRunAfterMergeSubGraph",
                                        "Build"};

/// Which rows show what fusion did to which graph. Gathered once: a folder and its fusion_result.json may speak of
/// thousands of graphs.
class FusionPlaces {
public:
    FusionPlaces(const std::vector<FusionResult>& results, const std::vector<Row>& rows)
    {
        for (const FusionResult& result : results) ++m_results[result.graph];
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const DumpGraph* const graph = rows[i].graph;
            m_allGraphs.insert(graph);
            if (graph->graphId) m_graphs[*graph->graphId].insert(graph);
            PhaseRows& phase = m_phases[rows[i].phase->name];
            phase.any = std::min(phase.any, i);
            if (graph->graphId)
                phase.ofGraph.try_emplace(*graph->graphId, i);
            else
                phase.unnamed = std::min(phase.unnamed, i);
            if (rows[i].place.phase != bufferFusionPhases.front()) continue;
            m_allScoped.push_back(i);
            if (graph->graphId) m_scoped[*graph->graphId].push_back(i);
        }
    }

    /// Whether the counts speak of one graph of the folder: a graph may be compiled again in another session.
    bool isOfOneGraph(int graph) const
    {
        const auto graphs = m_graphs.find(graph);
        const std::size_t count = graph < 0 ? m_allGraphs.size() : graphs == m_graphs.end() ? 0 : graphs->second.size();
        return count == 1 && m_results.at(graph) == 1;
    }

    /// The first row of the first of these phases that is there; -1: of any graph, as is one without a number.
    template <std::size_t N>
    std::optional<std::size_t> rowOf(const std::array<const char*, N>& phases, int graph) const
    {
        for (const char* const name : phases) {
            const auto phase = m_phases.find(name);
            if (phase == m_phases.end()) continue;
            std::size_t row = graph < 0 ? phase->second.any : phase->second.unnamed;
            if (const auto own = phase->second.ofGraph.find(graph); own != phase->second.ofGraph.end())
                row = std::min(row, own->second);
            if (row != none) return row;
        }
        return std::nullopt;
    }

    /// Rows in which the scopes of buffer fusion still stand node by node.
    const std::vector<std::size_t>& scopedRows(int graph) const
    {
        static const std::vector<std::size_t> noRows;
        if (graph < 0) return m_allScoped;
        const auto found = m_scoped.find(graph);
        return found == m_scoped.end() ? noRows : found->second;
    }

private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    struct PhaseRows {
        std::size_t any = none, unnamed = none; ///< first row of all; of graphs without a number
        std::unordered_map<int, std::size_t> ofGraph;
    };
    std::unordered_map<std::string, PhaseRows> m_phases;
    std::unordered_map<int, std::set<const DumpGraph*>> m_graphs;
    std::set<const DumpGraph*> m_allGraphs;
    std::unordered_map<int, int> m_results; ///< how often the file speaks of a graph
    std::unordered_map<int, std::vector<std::size_t>> m_scoped;
    std::vector<std::size_t> m_allScoped;
};

/// Counts of a graph's passes stand at the phase that shows their work.
void joinFusions(const std::vector<FusionResult>& results, const std::vector<Row>& rows, std::size_t firstRow,
                 std::vector<Snapshot>& snapshots)
{
    const FusionPlaces places(results, rows);
    for (const FusionResult& result : results) {
        const auto ofGraph = places.rowOf(graphFusionPhases, result.graph);
        const auto ofBuffers = places.rowOf(bufferFusionPhases, result.graph);
        if (places.isOfOneGraph(result.graph)) {
            if (ofGraph) addDoubts(snapshots[firstRow + *ofGraph], result, false);
            for (const std::size_t row : places.scopedRows(result.graph)) // before the scopes are made one node each
                addDoubts(snapshots[firstRow + row], result, true);
        }
        for (const FusionCount& count : result.counts) {
            const auto row = count.isBuffer ? ofBuffers : ofGraph;
            if (!row) continue;
            auto& counters = snapshots[firstRow + *row].step.counters;
            counters.emplace_back(count.pass + " effective", count.effective);
            counters.emplace_back(count.pass + " matched", count.matched);
        }
    }
}

} // namespace

PhasePlace placeOfPhase(const std::string& phase, const std::string& graphName)
{
    const auto after = [&](std::size_t length) { return phase.substr(length); };
    if (!graphName.empty() && phase.size() > graphName.size() + 1 && phase.starts_with(graphName) &&
        phase[graphName.size()] == '_')
        return {graphName, after(graphName.size() + 1)};
    // Parts of an engine cut are named by their number: "partition0_rank1_new_sub_graph1_AtomicEnginePartitioning".
    constexpr std::string_view part = "_new_sub_graph";
    if (const auto at = phase.find(part); phase.starts_with("partition") && at != std::string::npos) {
        const auto end = phase.find_first_not_of("0123456789", at + part.size());
        if (end != std::string::npos && end > at + part.size() && phase[end] == '_')
            return {phase.substr(0, end), after(end + 1)};
        if (end == std::string::npos) return {phase, "graph"};
    }
    // Lowering appends the number of the sub-graph instead.
    constexpr std::string_view lowered = "_sub_graph_";
    if (const auto at = phase.rfind(lowered); at != std::string::npos && at > 0) {
        const std::string number = phase.substr(at + lowered.size());
        if (!number.empty() && number.find_first_not_of("0123456789") == std::string::npos)
            return {number, phase.substr(0, at)};
    }
    return {{}, phase};
}

Result<ModelDocument> readMergedPhase(const DumpPhase& phase, const ReadOptions& options)
{
    std::optional<ModelDocument> merged;
    std::vector<Message> notes;
    std::optional<Error> first;
    std::string formats;
    bool isMergedCut = false;
    for (const DumpFile& file : phase.files) {
        // Texts made for reading say nothing that the others lack.
        if (merged && !isMergedCut && file.format == DumpFormat::GeReadable) continue;
        auto document = openModel(file.path, options);
        if (!document.ok()) {
            if (document.error().isCancelled()) return document.error();
            if (!first) first = document.error();
            notes.push_back({Severity::Warning, "dump.other-format", document.error().what, file.path.string(), {}});
            continue;
        }
        formats += (formats.empty() ? "" : " + ") + std::string(dumpFormatName(file.format));
        const bool isCut = std::any_of(document->messages.begin(), document->messages.end(), isCutMessage);
        const bool isTwin =
            merged && !(isMergedCut && !isCut); // a whole file counts more than the rest of a fuller one
        for (Message& message : document->messages) {
            if (message.where.empty()) message.where = file.path.string();
            if (isTwin) message.node = {}; // the ids of another graph
            // What a second format cannot say, the first has said.
            if (!isTwin || isCutMessage(message)) notes.push_back(std::move(message));
        }
        if (isTwin) {
            addMissingAttributes(merged->graph, document->graph);
            continue;
        }
        std::optional<ModelDocument> rest = std::move(merged);
        merged = std::move(*document);
        isMergedCut = isCut;
        if (rest) addMissingAttributes(merged->graph, rest->graph);
    }
    if (!merged) return first.value_or(Error::notFound("the phase has no file"));
    merged->format = formats + " dump";
    merged->messages = std::move(notes);
    return std::move(*merged);
}

Run::Span mainSpan(const Run& run)
{
    Run::Span best{StepId{0},
                   StepId{run.stepCount() > 0 && run.sourceOf(StepId{0}) == nullptr ? run.stepCount() - 1 : 0}};
    for (int i = 0; i < run.stepCount();) {
        const Run::Span span = run.spanOf(StepId{i});
        const StepSource* const source = run.sourceOf(StepId{i});
        const bool isSide = source != nullptr && source->owner == "TorchAir";
        const int length = span.last.value - span.first.value, longest = best.last.value - best.first.value;
        const bool tellsMore =
            length == longest && !run.step(best.last).hasChanged() && run.step(span.last).hasChanged();
        if (!isSide && (length > longest || tellsMore)) best = span;
        i = std::max(span.last.value, i) + 1;
    }
    return best;
}

Result<std::shared_ptr<const SnapshotRun>> openDumpRun(const std::string& path)
{
    GELENS_ASSIGN(const DumpFolder folder, openDumpFolder(path));
    const std::vector<Row> rows = rowsOf(folder);
    std::vector<Message> messages = folder.messages;
    std::vector<Snapshot> snapshots = fxSnapshots(folder, messages);
    const std::size_t firstRow = snapshots.size();
    for (const Row& row : rows) snapshots.push_back(snapshotOf(row));
    std::vector<FusionSummary> fusions;
    if (folder.fusionResult) {
        const auto results = readFusionResult(*folder.fusionResult);
        if (results.ok()) {
            joinFusions(*results, rows, firstRow, snapshots);
            fusions = fusionSummaries(*results);
        } else {
            messages.push_back(
                {Severity::Warning, "dump.fusion-result", results.error().what, folder.fusionResult->string(), {}});
        }
    }
    auto run = SnapshotRun::make(std::move(snapshots));
    const fs::path clean = fs::path(path).lexically_normal();
    run->modelName = (clean.has_filename() ? clean.filename() : clean.parent_path().filename()).string();
    run->modelPath = path;
    run->sourceFormat = "dump folder";
    run->mode = "dumps";
    run->modeReason = "the steps are the phases that GE dumped";
    run->fusions = std::move(fusions);
    run->messages = std::move(messages);
    return std::shared_ptr<const SnapshotRun>(std::move(run));
}

} // namespace gelens
