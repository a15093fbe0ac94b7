// Fusion at growing sizes: the time for one rule, and for all rules, must grow with the number of nodes.

#include "engine/fusion/apply_rule.h"
#include "engine/fusion/rule_set.h"

#include <benchmark/benchmark.h>

#include <string>

using namespace gelens;

namespace {

/// Blocks of x · sigmoid(x), a matrix product with bias and a residual: 6 operators each.
Graph blocks(int nodes)
{
    Graph graph("bench");
    Journal journal;
    GraphEditor editor(graph, journal);
    const TensorDesc desc(DataType::Float16, {64, 64});
    const auto add = [&](std::string type, std::string name, std::vector<OutputRef> inputs) {
        NodeSpec spec;
        spec.name = std::move(name);
        spec.type = std::move(type);
        for (std::size_t i = 0; i < inputs.size(); ++i) spec.inputs.emplace_back("x" + std::to_string(i + 1), desc);
        spec.outputs = {{"y", desc}};
        const NodeId id = editor.addNode(std::move(spec));
        for (std::size_t i = 0; i < inputs.size(); ++i) editor.connect(inputs[i], {id, static_cast<std::int32_t>(i)});
        return OutputRef{id, 0};
    };
    OutputRef x = add("Data", "x", {});
    const OutputRef weight = add("Data", "w", {});
    for (int i = 0; graph.nodeCount() < nodes; ++i) {
        const std::string n = std::to_string(i);
        const OutputRef bias{
            editor.addConstant("b" + n, Tensor::fromDoubles(std::vector<double>(64, 0.5), {64}, DataType::Float16)), 0};
        const OutputRef gate = add("Mul", "mul" + n, {x, add("Sigmoid", "sigmoid" + n, {x})});
        const OutputRef sum = add("Add", "bias_add" + n, {add("MatMulV2", "mm" + n, {gate, weight}), bias});
        x = add("Add", "residual" + n, {x, sum});
    }
    editor.setGraphOutputs(rootGraph, {x});
    return graph;
}

const RuleSet& rules()
{
    static const RuleSet set = [] {
        std::vector<Message> messages;
        return RuleSet::load({GELENS_SOURCE_DIR "/resources/rules"}, messages);
    }();
    return set;
}

void applyAllRules(benchmark::State& state)
{
    const Graph original = blocks(static_cast<int>(state.range(0)));
    SocSpec soc;
    soc.name = soc.family = "Ascend910B";
    soc.buffers = {.l0a = 65536, .l0b = 65536, .l0c = 131072, .l1 = 524288, .ub = 196608};
    FusionEnvironment environment;
    environment.soc = &soc;
    int fused = 0;
    for (auto _ : state) {
        state.PauseTiming();
        Graph graph = original;
        Journal journal;
        GraphEditor editor(graph, journal);
        state.ResumeTiming();
        FusionIndex index;
        fused = 0;
        for (const Rule* rule : rules().orderedRules(RuleGroup::Graph))
            fused += applyRule(editor, *rule, environment, index).effective;
    }
    state.counters["fusions"] = fused;
    state.counters["ns_per_node"] =
        benchmark::Counter(static_cast<double>(state.range(0)) * 1e-9,
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void loadRules(benchmark::State& state)
{
    for (auto _ : state) {
        std::vector<Message> messages;
        benchmark::DoNotOptimize(RuleSet::load({GELENS_SOURCE_DIR "/resources/rules"}, messages));
    }
}

BENCHMARK(applyAllRules)->Name("fusion/all_rules")->Arg(1000)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(loadRules)->Name("fusion/load_rules")->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
