// Speed of the interpreter on a convolutional network of the size of ResNet-50: the first run, which prepares what the
// library keeps for each node, and those after it. One thread. A peer is measured on the same model when a folder with
// model.onnx and test_data_set_0/input_K.pb is named in GELENS_BENCH_MODEL.

#include "engine/formats/model_file.h"
#include "engine/npu/interpreter.h"
#include "engine/npu/random_inputs.h"
#include "engine/ops/kernel_context.h"
#include "engine/session/execute.h"
#include "tests/engine/memory/test_graph.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>

using namespace gelens;
using gelens::test::TestGraph;

namespace {

/// The 50-layer residual network of 2015 at 224 × 224: 53 convolutions with batch normalisation, 16 sums, 4.1 G
/// multiplications. Weights are drawn so that the numbers keep their size from layer to layer.
class ResidualNetwork {
public:
    ResidualNetwork()
    {
        OutputRef value = m_test.data("x", Shape{1, 3, 224, 224});
        value = block("stem", value, 3, 64, 112, 7, 2, true);
        value = m_test.op("pool", "MaxPoolV3", {value}, Shape{1, 64, 56, 56},
                          {{"ksize", IntList{1, 1, 3, 3}},
                           {"strides", IntList{1, 1, 2, 2}},
                           {"padding_mode", "CALCULATED"},
                           {"pads", IntList{1, 1, 1, 1}},
                           {"data_format", "NCHW"}});
        std::int64_t channels = 64, size = 56;
        const int depth[] = {3, 4, 6, 3};
        for (int stage = 0; stage < 4; ++stage) {
            const std::int64_t inner = std::int64_t{64} << stage, outer = inner * 4;
            for (int unit = 0; unit < depth[stage]; ++unit) {
                const std::int64_t stride = stage > 0 && unit == 0 ? 2 : 1;
                const std::string name = "s" + std::to_string(stage) + "u" + std::to_string(unit);
                OutputRef branch = block(name + "a", value, channels, inner, size / stride, 1, stride, true);
                size /= stride;
                branch = block(name + "b", branch, inner, inner, size, 3, 1, true);
                branch = block(name + "c", branch, inner, outer, size, 1, 1, false);
                const OutputRef way =
                    unit == 0 ? block(name + "d", value, channels, outer, size, 1, stride, false) : value;
                value = m_test.op(name + "sum", "Add", {branch, way}, Shape{1, outer, size, size});
                value = m_test.op(name + "relu", "Relu", {value}, Shape{1, outer, size, size});
                channels = outer;
            }
        }
        value = m_test.op("mean", "GlobalAveragePool", {value}, Shape{1, channels, 1, 1});
        value =
            m_test.op("flat", "Reshape", {value, m_test.constant("shape", Tensor::fromInts({1, channels}, Shape{2}))},
                      Shape{1, channels});
        value = m_test.op("logits", "MatMulV2", {value, weights("classes", Shape{channels, 1000}, channels)},
                          Shape{1, 1000});
        m_test.output({m_test.op("y", "SoftmaxV2", {value}, Shape{1, 1000}, {{"axes", IntList{-1}}})});
    }

    const Graph& graph() const { return m_test.graph; }

private:
    OutputRef weights(const std::string& name, const Shape& shape, std::int64_t fanIn)
    {
        std::vector<double> values(static_cast<std::size_t>(*shape.elementCount()));
        std::normal_distribution<double> normal(0, std::sqrt(2.0 / static_cast<double>(fanIn)));
        for (double& value : values) value = normal(m_random);
        return m_test.constant(name, Tensor::fromDoubles(values, shape));
    }

    /// Convolution, batch normalisation and, where asked for, Relu.
    OutputRef block(const std::string& name, OutputRef x, std::int64_t in, std::int64_t out, std::int64_t size,
                    std::int64_t kernel, std::int64_t stride, bool hasRelu)
    {
        const std::int64_t pad = kernel / 2;
        const Shape shape{1, out, size, size};
        OutputRef value =
            m_test.op(name + "conv", "Conv2D",
                      {x, weights(name + "w", Shape{out, in, kernel, kernel}, in * kernel * kernel)}, shape,
                      {{"strides", IntList{1, 1, stride, stride}},
                       {"pads", IntList{pad, pad, pad, pad}},
                       {"dilations", IntList{1, 1, 1, 1}},
                       {"groups", 1},
                       {"data_format", "NCHW"}});
        value = m_test.op(name + "bn", "BNInfer",
                          {value, m_test.constant(name + "scale", Shape{out}, 0.9),
                           m_test.constant(name + "offset", Shape{out}, 0.05),
                           m_test.constant(name + "mean", Shape{out}, 0.1),
                           m_test.constant(name + "variance", Shape{out}, 1.1)},
                          shape, {{"epsilon", 1e-5f}});
        return hasRelu ? m_test.op(name + "relu", "Relu", {value}, shape) : value;
    }

    std::mt19937_64 m_random{1};
    TestGraph m_test;
};

const ResidualNetwork& network()
{
    static const ResidualNetwork made;
    return made;
}

void run(benchmark::State& state, const Graph& graph, const ModelInputs& inputs)
{
    InterpreterOptions options;
    options.weights = makePreparedWeights();
    for (auto _ : state) {
        const auto result = interpret(graph, inputs, options);
        if (!result.ok()) {
            state.SkipWithError(result.error().message().c_str());
            return;
        }
    }
}

void residualNetwork(benchmark::State& state) { run(state, network().graph(), randomInputs(network().graph(), 1)); }
BENCHMARK(residualNetwork)
    ->Name("interpreter/resnet50/224/first")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);
BENCHMARK(residualNetwork)->Name("interpreter/resnet50/224")->Unit(benchmark::kMillisecond)->UseRealTime();

struct Given {
    ModelDocument document;
    ModelInputs inputs;
};

void givenModel(benchmark::State& state)
{
    const std::filesystem::path folder = std::getenv("GELENS_BENCH_MODEL");
    auto document = openModel((folder / "model.onnx").string(), {});
    if (!document.ok()) return state.SkipWithError(document.error().message().c_str());
    std::vector<std::pair<std::string, std::string>> files;
    for (std::size_t k = 0; k < dataNodes(document->graph).size(); ++k)
        files.emplace_back(std::to_string(k),
                           (folder / "test_data_set_0" / ("input_" + std::to_string(k) + ".pb")).string());
    const auto inputs = readModelInputs(document->graph, files);
    if (!inputs.ok()) return state.SkipWithError(inputs.error().message().c_str());
    run(state, document->graph, *inputs);
}

} // namespace

int main(int argc, char** argv)
{
    if (std::getenv("GELENS_BENCH_MODEL")) {
        benchmark::RegisterBenchmark("interpreter/model/first", givenModel)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime()
            ->Iterations(1);
        benchmark::RegisterBenchmark("interpreter/model", givenModel)->Unit(benchmark::kMillisecond)->UseRealTime();
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
