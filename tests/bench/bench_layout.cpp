// Layout with routes, one core, hubs included. `dot/…` is Graphviz on the same graphs with the hubs stubbed by us,
// `dot-plain/…` on the whole graph as any other viewer would hand it over. Both have 20 s; a run that is killed is
// reported as an error.

#include <benchmark/benchmark.h>

#include <string>

#include "tests/support/layout_graphs.h"
#include "viewers/layout/anchored_layout.h"
#include "viewers/layout/graphviz_layout.h"
#include "viewers/layout/layered_layout.h"

using namespace gelens;
using namespace gelens::testing;

namespace
{

constexpr int kOpsPerLayer = 39;

LayoutGraph makeGraph(const std::string& kind, int nodes)
{
    if (kind == "cnn")
        return cnnGraph(static_cast<std::size_t>(nodes));
    return llamaGraph((nodes + kOpsPerLayer / 2) / kOpsPerLayer, kind == "llama");
}

void addLayered(const std::string& kind, int nodes)
{
    benchmark::RegisterBenchmark(("layout/" + kind + "/" + std::to_string(nodes)).c_str(),
                                 [kind, nodes](benchmark::State& state) {
                                     const LayoutGraph graph = makeGraph(kind, nodes);
                                     LayoutResult result;
                                     for (auto _ : state)
                                         benchmark::DoNotOptimize(result = layeredLayout(graph, {}));
                                     state.counters["nodes"] = static_cast<double>(graph.nodes.size());
                                     state.counters["width"] = result.bounds.width();
                                     state.counters["stubs"] = static_cast<double>(result.stubs.size());
                                 })
        ->Unit(benchmark::kMillisecond);
}

void addDot(const std::string& kind, int nodes, bool stubHubs)
{
    benchmark::RegisterBenchmark(((stubHubs ? "dot/" : "dot-plain/") + kind + "/" + std::to_string(nodes)).c_str(),
                                 [kind, nodes, stubHubs](benchmark::State& state) {
                                     const LayoutGraph graph = makeGraph(kind, nodes);
                                     LayoutOptions options;
                                     options.stubHubs = stubHubs;
                                     options.graphvizBudget = std::chrono::seconds(20);
                                     for (auto _ : state)
                                         if (const LayoutResult r = graphvizLayout(graph, options); !r.ok())
                                             state.SkipWithError(r.error.c_str());
                                 })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
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
        for (std::size_t e = 0; e < graph.edges.size(); ++e)
            anchors.previousEdge.push_back(static_cast<int32_t>(e));
        for (auto _ : state)
            benchmark::DoNotOptimize(anchoredLayout(graph, anchors, {}));
    })->Unit(benchmark::kMillisecond);
}

} // namespace

int main(int argc, char** argv)
{
    for (const char* kind : {"llama", "nohub", "cnn"})
        for (const int nodes : {1250, 5000, 20000, 100000})
            addLayered(kind, nodes);
    for (const int nodes : {1250, 20000})
        addAnchored(nodes);
    for (const char* kind : {"llama", "nohub", "cnn"})
        for (const int nodes : {300, 1250})
            addDot(kind, nodes, true);
    for (const char* kind : {"nohub", "cnn"})
        addDot(kind, 1250, false);
    for (const int nodes : {300, 1250})
        addDot("llama", nodes, false);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
