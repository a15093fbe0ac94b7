// Layout with routes, one core, hubs included. `dot/…` is Graphviz on the same graphs with the hubs stubbed by us;
// `dot-plain/…` and `dagre/…` are Graphviz and dagre (the layout of Netron and Model Explorer) on the whole graph, as any
// other viewer hands it over. The counter `ours_faster` is their time by that of our layout, taken just before. Graphviz
// and dagre have 20 s each; for a run that is killed the counter says that it is a lower bound.
//
// dagre is no part of the project. With Node.js, `npm install dagre` in any folder and NODE_PATH=folder/node_modules in
// the environment it runs along; without, its rows say that it is not there.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/layout_graphs.h"
#include "viewers/layout/anchored_layout.h"
#include "viewers/layout/graphviz_layout.h"
#include "viewers/layout/layered_layout.h"

using namespace gelens;
using namespace gelens::testing;

namespace {

constexpr int kOpsPerLayer = 39;

LayoutGraph makeGraph(const std::string& kind, int nodes)
{
    if (kind == "cnn") return cnnGraph(static_cast<std::size_t>(nodes));
    return llamaGraph((nodes + kOpsPerLayer / 2) / kOpsPerLayer, kind == "llama");
}

void addLayered(const std::string& kind, int nodes)
{
    benchmark::RegisterBenchmark(("layout/" + kind + "/" + std::to_string(nodes)).c_str(),
                                 [kind, nodes](benchmark::State& state) {
                                     const LayoutGraph graph = makeGraph(kind, nodes);
                                     LayoutResult result;
                                     for (auto _ : state) benchmark::DoNotOptimize(result = layeredLayout(graph, {}));
                                     state.counters["nodes"] = static_cast<double>(graph.nodes.size());
                                     state.counters["width"] = result.bounds.width();
                                     state.counters["stubs"] = static_cast<double>(result.stubs.size());
                                 })
        ->Unit(benchmark::kMillisecond);
}

/// Our best of several, in milliseconds: what the peers are measured against.
double ourTime(const LayoutGraph& graph)
{
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 5; ++i) {
        const auto start = std::chrono::steady_clock::now();
        benchmark::DoNotOptimize(layeredLayout(graph, {}));
        const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
        best = std::min(best, taken.count());
    }
    return best;
}

void compare(benchmark::State& state, double ours, double theirs, bool isKilled)
{
    state.counters["ours_ms"] = ours;
    state.counters[isKilled ? "ours_faster_at_least" : "ours_faster"] = theirs / ours;
    if (isKilled) state.SetLabel("killed");
}

/// dagre's own time for the layout alone, without the start of Node.js and the reading of the graph. The spacing is
/// Netron's, and as there the ranks of large graphs are found by the faster of its two ways.
constexpr const char* kDagreProgram = R"js(
const load = name => { try { return require(name); } catch { return null; } };
const dagre = load("dagre") ?? load("@dagrejs/dagre");
if (!dagre) process.exit(3);
const { nodes, edges } = JSON.parse(require("fs").readFileSync(process.argv[1]));
const graph = new dagre.graphlib.Graph({ multigraph: true });
graph.setGraph({ nodesep: 20, ranksep: 20, ranker: nodes.length > 1500 ? "longest-path" : "network-simplex" });
graph.setDefaultEdgeLabel(() => ({}));
nodes.forEach(([width, height], id) => graph.setNode(String(id), { width, height }));
edges.forEach(([from, to], id) => graph.setEdge(String(from), String(to), {}, String(id)));
const start = performance.now();
dagre.layout(graph);
console.log(performance.now() - start);
)js";

void writeGraph(const LayoutGraph& graph, const std::string& path)
{
    std::ofstream file(path);
    const char* separator = "";
    file << "{\"nodes\":[";
    for (const LayoutNode& node : graph.nodes)
        file << std::exchange(separator, ",") << '[' << node.width << ',' << node.height << ']';
    separator = "";
    file << "],\"edges\":[";
    for (const LayoutEdge& edge : graph.edges)
        file << std::exchange(separator, ",") << '[' << edge.from << ',' << edge.to << ']';
    file << "]}";
}

void addDagre(const std::string& kind, int nodes)
{
    benchmark::RegisterBenchmark(
        ("dagre/" + kind + "/" + std::to_string(nodes)).c_str(),
        [kind, nodes](benchmark::State& state) {
            const LayoutGraph graph = makeGraph(kind, nodes);
            const double ours = ourTime(graph);
            char path[] = "/tmp/bench_layout.XXXXXX";
            if (const int file = ::mkstemp(path); file >= 0) ::close(file);
            writeGraph(graph, path);
            const std::string command = std::string("ulimit -s 1000000; timeout 20 node --stack-size=900000 -e '") +
                                        kDagreProgram + "' " + path + " 2>/dev/null";
            for (auto _ : state) {
                char line[64] = "";
                FILE* node = ::popen(command.c_str(), "r");
                const bool isRead = node != nullptr && std::fgets(line, sizeof line, node) != nullptr;
                const int status = node == nullptr ? -1 : WEXITSTATUS(::pclose(node));
                const bool isKilled = status == 124;
                if (!isRead && !isKilled) {
                    state.SkipWithError(status == 127 || status == 3 ? "Node.js or dagre is not there"
                                                                     : "dagre gave up on this graph");
                    break;
                }
                const double theirs = isKilled ? 20e3 : std::stod(line);
                state.SetIterationTime(theirs / 1e3);
                compare(state, ours, theirs, isKilled);
            }
            std::remove(path);
        })
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1)
        ->UseManualTime();
}

void addDot(const std::string& kind, int nodes, bool stubHubs)
{
    benchmark::RegisterBenchmark(((stubHubs ? "dot/" : "dot-plain/") + kind + "/" + std::to_string(nodes)).c_str(),
                                 [kind, nodes, stubHubs](benchmark::State& state) {
                                     const LayoutGraph graph = makeGraph(kind, nodes);
                                     LayoutOptions options;
                                     options.stubHubs = stubHubs;
                                     options.graphvizBudget = std::chrono::seconds(20);
                                     const double ours = ourTime(graph);
                                     for (auto _ : state) {
                                         const auto start = std::chrono::steady_clock::now();
                                         const LayoutResult result = graphvizLayout(graph, options);
                                         const std::chrono::duration<double> taken =
                                             std::chrono::steady_clock::now() - start;
                                         state.SetIterationTime(taken.count());
                                         const bool isKilled = !result.ok() && taken >= options.graphvizBudget;
                                         if (!result.ok() && !isKilled) state.SkipWithError(result.error.c_str());
                                         compare(state, ours, taken.count() * 1e3, isKilled);
                                     }
                                 })
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1)
        ->UseManualTime();
}

/// A step that replaces every twentieth node by a wider one.
void addAnchored(int nodes)
{
    benchmark::RegisterBenchmark(("anchored/llama/" + std::to_string(nodes)).c_str(), [nodes](benchmark::State& state) {
        LayoutGraph graph = makeGraph("llama", nodes);
        const LayoutResult before = layeredLayout(graph, {});
        LayoutAnchors anchors;
        anchors.previous = &before;
        for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
            const bool isNew = n % 20 == 10;
            anchors.kept.emplace_back();
            anchors.wanted.emplace_back();
            (isNew ? anchors.wanted : anchors.kept).back() = before.centres[n];
            graph.nodes[n].width += isNew ? 30 : 0;
        }
        for (std::size_t e = 0; e < graph.edges.size(); ++e) anchors.previousEdge.push_back(static_cast<int32_t>(e));
        for (auto _ : state) benchmark::DoNotOptimize(anchoredLayout(graph, anchors, {}));
    })->Unit(benchmark::kMillisecond);
}

} // namespace

int main(int argc, char** argv)
{
    for (const char* kind : {"llama", "nohub", "cnn"})
        for (const int nodes : {1250, 5000, 20000, 100000}) addLayered(kind, nodes);
    for (const int nodes : {1250, 20000}) addAnchored(nodes);
    for (const char* kind : {"llama", "nohub", "cnn"})
        for (const int nodes : {300, 1250}) addDot(kind, nodes, true);
    for (const char* kind : {"llama", "nohub", "cnn"})
        for (const int nodes : {300, 1250, 5000}) addDot(kind, nodes, false);
    for (const char* kind : {"llama", "nohub", "cnn"})
        for (const int nodes : {300, 1250, 5000}) addDagre(kind, nodes);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
