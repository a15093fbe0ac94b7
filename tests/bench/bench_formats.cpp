// Text dumps at full size: a generated ge_proto and ge_onnx dump read as a whole, and a folder of 5,000 dumps listed.

#include "engine/formats/dump_folder.h"
#include "engine/formats/ge_onnx_reader.h"
#include "engine/formats/ge_onnx_writer.h"
#include "engine/formats/ge_proto_reader.h"
#include "engine/formats/ge_proto_writer.h"
#include "engine/graph/graph_editor.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace gelens;

/// A chain of additions with attributes as a compiled graph has them, so long that its text has about `bytes`.
Graph chainOfText(std::size_t bytes)
{
    constexpr std::size_t textPerNode = 7'000;
    Graph graph("generated");
    Journal journal;
    GraphEditor editor(graph, journal);
    const TensorDesc desc(DataType::Float16, {1, 332, 4096});
    NodeSpec data{"x", "Data", {{"x", desc}}, {{"y", desc}}, {{"index", AttrValue(0)}}, false};
    NodeId last = editor.addNode(std::move(data));
    for (std::size_t i = 0; i < bytes / textPerNode; ++i) {
        NodeSpec spec{fmt::format("model/layers.{}/add_{}", i / 40, i),
                      "Add",
                      {{"x1", desc}, {"x2", desc}},
                      {{"y", desc}},
                      {},
                      false};
        spec.attrs = {{"_datadump_original_op_names", StringList{spec.name, spec.name + "_origin"}},
                      {"_fe_imply_type", AttrValue(6)},
                      {"_op_slice_info", AttrValue(std::string(900, '{'))},
                      {"tvm_magic", AttrValue("RT_DEV_BINARY_MAGIC_ELF_AIVEC")},
                      {"op_para_size", AttrValue(static_cast<std::int64_t>(i))}};
        const NodeId id = editor.addNode(std::move(spec));
        editor.connect({last, 0}, {id, 0});
        editor.connect({last, 0}, {id, 1});
        last = id;
    }
    return graph;
}

const std::string& protoText(std::size_t megabytes)
{
    static std::size_t made = 0;
    static std::string text;
    if (made != megabytes) text = geProtoText(chainOfText(megabytes << 20), DumpDetail::NoData);
    made = megabytes;
    return text;
}

void readProto(benchmark::State& state)
{
    const std::string& text = protoText(static_cast<std::size_t>(state.range(0)));
    int nodes = 0;
    for (auto _ : state) {
        const auto document = readGeProto(text);
        if (!document.ok()) return state.SkipWithError(document.error().message().c_str());
        nodes = document->graph.nodeCount();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
    state.counters["nodes"] = nodes;
    state.counters["megabytes"] = static_cast<double>(text.size()) / (1 << 20);
}
BENCHMARK(readProto)->Name("ge_proto/read")->Arg(10)->Arg(300)->Unit(benchmark::kMillisecond);

void readOnnxDump(benchmark::State& state)
{
    const std::string text =
        geOnnxText(chainOfText(static_cast<std::size_t>(state.range(0)) << 20), DumpDetail::NoData);
    for (auto _ : state)
        if (const auto document = readGeOnnx(text); !document.ok())
            return state.SkipWithError(document.error().message().c_str());
    state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}
BENCHMARK(readOnnxDump)->Name("ge_onnx/read")->Arg(10)->Unit(benchmark::kMillisecond);

void listFolder(benchmark::State& state)
{
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / fmt::format("gelens_bench_{}", getpid());
    fs::create_directories(folder);
    for (int i = 0; i < state.range(0); ++i)
        std::ofstream(folder / fmt::format("ge_proto_{:08}_graph_0_Build.txt", i)) << "graph {\n}\n";
    for (auto _ : state) benchmark::DoNotOptimize(openDumpFolder(folder));
    fs::remove_all(folder);
}
BENCHMARK(listFolder)->Name("dump_folder/list")->Arg(5000)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
