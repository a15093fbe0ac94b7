// Speed of the reference kernels beside the vendor library called directly on the same data, one thread each.

#include "engine/ops/onednn_private.h"
#include "tests/support/kernel_test.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <stdexcept>

using namespace gelens;

namespace {

HostTensor filled(const Shape& shape)
{
    HostTensor tensor = HostTensor::zeros(DataType::Float, shape);
    auto* const data = reinterpret_cast<float*>(tensor.bytes->data());
    for (std::int64_t i = 0; i < shape.elementCount().value_or(0); ++i) data[i] = static_cast<float>(i % 17 - 8) / 8;
    return tensor;
}

/// Runs a kernel into memory that is allocated once, as the device's arena is.
void runKernel(benchmark::State& state, const char* type, const std::vector<HostTensor>& inputs, AttrMap attrs,
               double operations)
{
    const OpDef* const def = OpRegistry::instance().find(type);
    if (!def) {
        state.SkipWithError("no such operator");
        return;
    }
    for (const AttrSpec& spec : def->attrs())
        if (spec.defaultValue.isSet()) attrs.emplace(spec.name, spec.defaultValue);
    std::vector<TensorView> views;
    for (const HostTensor& input : inputs) views.push_back(input.isPresent() ? input.view() : TensorView());
    HostTensor result;
    const auto allocate = [&](int, DataType dtype, const Shape& shape) -> Result<std::byte*> {
        if (!result.isPresent()) result = HostTensor::zeros(dtype, shape);
        return result.bytes->data();
    };
    for (auto _ : state) {
        KernelContext context("bench", type, attrs, views, {DataType::Float}, allocate);
        const Status status = def->kernelFunction()(context);
        if (!status.ok()) {
            state.SkipWithError(status.error().message().c_str());
            return;
        }
        benchmark::ClobberMemory();
    }
    state.counters["GFLOPS"] = benchmark::Counter(2e-9 * operations, benchmark::Counter::kIsIterationInvariantRate);
}

constexpr std::int64_t edge = 1024;
constexpr double edgeCubed = 1024.0 * 1024 * 1024;

void matmulKernel(benchmark::State& state)
{
    runKernel(state, "MatMulV2", {filled({edge, edge}), filled({edge, edge})}, {}, edgeCubed);
}
BENCHMARK(matmulKernel)->Name("matmul/f32/1024")->Unit(benchmark::kMillisecond);

void matmulLibrary(benchmark::State& state)
{
    const HostTensor a = filled({edge, edge}), b = filled({edge, edge});
    HostTensor c = HostTensor::zeros(DataType::Float, {edge, edge});
    const auto pointer = [](const HostTensor& tensor) { return reinterpret_cast<float*>(tensor.bytes->data()); };
    for (auto _ : state) {
        if (!onednn::gemm(false, false, edge, edge, edge, 1, pointer(a), edge, pointer(b), edge, 0, pointer(c), edge))
            state.SkipWithError("declined");
        benchmark::ClobberMemory();
    }
    state.counters["GFLOPS"] = benchmark::Counter(2e-9 * edgeCubed, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(matmulLibrary)->Name("matmul/f32/1024/onednn")->Unit(benchmark::kMillisecond);

onednn::WindowSpec resnetBlock()
{
    onednn::WindowSpec spec;
    spec.batch = 1;
    spec.inChannels = spec.outChannels = 64;
    spec.in = spec.out = {56, 56};
    spec.kernel = {3, 3};
    spec.strides = spec.dilations = spec.padBegin = spec.padEnd = {1, 1};
    return spec;
}
constexpr double resnetMacs = 64.0 * 64 * 9 * 56 * 56;

void convolutionKernel(benchmark::State& state)
{
    runKernel(state, "Conv2D", {filled({1, 64, 56, 56}), filled({64, 64, 3, 3}), filled({64})},
              {{"strides", IntList{1, 1, 1, 1}}, {"pads", IntList{1, 1, 1, 1}}, {"data_format", "NCHW"}}, resnetMacs);
}
BENCHMARK(convolutionKernel)->Name("conv2d/f32/64x56x56x64x3x3")->Unit(benchmark::kMillisecond);

void convolutionLibrary(benchmark::State& state)
{
    const HostTensor x = filled({1, 64, 56, 56}), filter = filled({64, 64, 3, 3}), bias = filled({64});
    HostTensor y = HostTensor::zeros(DataType::Float, {1, 64, 56, 56});
    const auto pointer = [](const HostTensor& tensor) { return reinterpret_cast<float*>(tensor.bytes->data()); };
    for (auto _ : state)
        if (!onednn::convolution(resnetBlock(), pointer(x), pointer(filter), pointer(bias), pointer(y)))
            state.SkipWithError("declined");
    state.counters["GFLOPS"] = benchmark::Counter(2e-9 * resnetMacs, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(convolutionLibrary)->Name("conv2d/f32/64x56x56x64x3x3/onednn")->Unit(benchmark::kMillisecond);

void depthwise(benchmark::State& state)
{
    runKernel(
        state, "Conv2D", {filled({1, 96, 56, 56}), filled({96, 1, 3, 3})},
        {{"strides", IntList{1, 1, 1, 1}}, {"pads", IntList{1, 1, 1, 1}}, {"data_format", "NCHW"}, {"groups", 96}},
        96.0 * 9 * 56 * 56);
}
BENCHMARK(depthwise)->Name("conv2d/f32/depthwise/96x56x56")->Unit(benchmark::kMillisecond);

void pooling(benchmark::State& state)
{
    runKernel(state, "MaxPoolV3", {filled({1, 64, 112, 112})},
              {{"ksize", IntList{1, 1, 3, 3}},
               {"strides", IntList{1, 1, 2, 2}},
               {"pads", IntList{1, 1, 1, 1}},
               {"data_format", "NCHW"}},
              64.0 * 56 * 56 * 9);
}
BENCHMARK(pooling)->Name("maxpool/f32/64x112x112")->Unit(benchmark::kMillisecond);

void attention(benchmark::State& state)
{
    runKernel(state, "FlashAttentionScore",
              {filled({1, 12, 512, 64}), filled({1, 12, 512, 64}), filled({1, 12, 512, 64})}, {{"scale_value", 0.125f}},
              12.0 * 512 * 512 * 128);
}
BENCHMARK(attention)->Name("attention/f32/12x512x64")->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
