// Graph edits, orders, snapshots and time travel. A name bears the number of nodes.

#include "engine/graph/graph_editor.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace gelens;

namespace {

struct Model {
    Graph graph{"bench"};
    Journal journal;
    GraphEditor edit{graph, journal};
    std::vector<NodeId> ids;

    NodeId add(int inputs)
    {
        NodeSpec spec;
        spec.name = "n" + std::to_string(ids.size());
        spec.type = "Add";
        const TensorDesc desc(DataType::Float16, Shape{1, 128, 4096});
        for (int i = 0; i < inputs; ++i) spec.inputs.emplace_back("x" + std::to_string(i + 1), desc);
        spec.outputs.emplace_back("y", desc);
        spec.attrs["axis"] = 1;
        ids.push_back(edit.addNode(std::move(spec)));
        return ids.back();
    }
};

/// Like a network with skips: each node reads the one before it and one some way back.
void buildNetwork(Model& model, int count)
{
    for (int i = 0; i < count; ++i) {
        const NodeId id = model.add(2);
        if (i > 0) model.edit.connect({NodeId{i - 1}, 0}, {id, 0});
        if (i > 7) model.edit.connect({NodeId{i - 8}, 0}, {id, 1});
    }
}

void build(benchmark::State& state)
{
    for (auto _ : state) {
        Model model;
        buildNetwork(model, static_cast<int>(state.range(0)));
        benchmark::DoNotOptimize(model.graph.nodeCount());
    }
}

void buildHub(Model& model, int readers)
{
    model.add(0);
    model.add(0);
    for (int i = 0; i < readers; ++i) model.edit.connect({NodeId{0}, 0}, {model.add(1), 0});
}

void replaceUses(benchmark::State& state)
{
    Model model;
    buildHub(model, static_cast<int>(state.range(0)));
    const std::size_t start = model.journal.size();
    int from = 0;
    for (auto _ : state) {
        model.edit.replaceUses({NodeId{from}, 0}, {NodeId{1 - from}, 0});
        from = 1 - from;
    }
    state.counters["records"] =
        static_cast<double>(model.journal.size() - start) / static_cast<double>(state.iterations());
}

void removeReaders(benchmark::State& state)
{
    for (auto _ : state) {
        state.PauseTiming();
        Model model;
        buildHub(model, static_cast<int>(state.range(0)));
        const std::vector<NodeId> readers(model.ids.begin() + 2, model.ids.end());
        state.ResumeTiming();
        model.edit.removeNodes(readers);
        benchmark::DoNotOptimize(model.graph.nodeCount());
        state.PauseTiming(); // the model goes outside of the measurement
        model.graph = Graph();
        model.journal = Journal();
        state.ResumeTiming();
    }
}

void snapshot(benchmark::State& state)
{
    Model model;
    buildNetwork(model, static_cast<int>(state.range(0)));
    for (auto _ : state) {
        const Graph copy = model.graph;
        benchmark::DoNotOptimize(copy.nodeCount());
    }
}

void topologicalOrder(benchmark::State& state)
{
    Model model;
    buildNetwork(model, static_cast<int>(state.range(0)));
    std::vector<NodeId> reversed = model.graph.nodes();
    std::reverse(reversed.begin(), reversed.end());
    model.edit.setOrder(rootGraph, reversed); // the hardest start: everything has to move
    for (auto _ : state) benchmark::DoNotOptimize(model.graph.topologicalOrder());
}

void fingerprint(benchmark::State& state)
{
    Model model;
    buildNetwork(model, static_cast<int>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(model.graph.fingerprint());
}

/// There and back over edits of every node: two applications of each record.
void timeTravel(benchmark::State& state)
{
    Model model;
    buildNetwork(model, static_cast<int>(state.range(0)));
    const std::size_t start = model.journal.size();
    for (const NodeId id : model.ids) {
        model.edit.setType(id, "Mul");
        model.edit.setOutputDesc({id, 0}, TensorDesc(DataType::Float, Shape{1, 128, 4096}));
        model.edit.disconnect({id, 0});
    }
    const std::size_t end = model.journal.size();
    for (auto _ : state) {
        model.journal.move(model.graph, end, start);
        model.journal.move(model.graph, start, end);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(end - start) * 2);
}

} // namespace

int main(int argc, char** argv)
{
    const auto add = [](const char* name, void (*body)(benchmark::State&), std::initializer_list<std::int64_t> sizes) {
        for (const std::int64_t size : sizes)
            benchmark::RegisterBenchmark(("graph/" + std::string(name)).c_str(), body)
                ->Arg(size)
                ->Unit(benchmark::kMillisecond);
    };
    add("build", build, {10'000, 100'000});
    add("replace_uses", replaceUses, {10'000, 100'000});
    add("remove_readers", removeReaders, {10'000, 100'000});
    add("snapshot", snapshot, {10'000, 100'000});
    add("topological_order", topologicalOrder, {10'000, 100'000});
    add("fingerprint", fingerprint, {10'000, 100'000});
    add("time_travel", timeTravel, {10'000, 100'000});
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
