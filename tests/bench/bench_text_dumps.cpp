// Text dumps of full size against protobuf's TextFormat, in the same run on the same files. A generator writes them into
// a folder of its own below the temporary one: the same bytes every time. Times are of one core; `beyond_mapping_MB` is
// the private memory that stays when the work is done, which leaves the mapped file out.

#include "engine/formats/dump_folder.h"
#include "engine/formats/ge_onnx_writer.h"
#include "engine/formats/ge_proto_writer.h"
#include "engine/formats/model_file.h"
#include "engine/graph/graph_editor.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>

#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <tuple>

namespace {

using namespace gelens;
namespace fs = std::filesystem;
namespace pb = google::protobuf;

/// Files of this run; they go when it ends.
const fs::path& folder()
{
    static const fs::path path = fs::temp_directory_path() / fmt::format("gelens_bench_dumps_{}", getpid());
    static const bool isMade = [] {
        fs::create_directories(path);
        std::atexit([] {
            std::error_code ignored;
            fs::remove_all(path, ignored);
        });
        return true;
    }();
    (void)isMade;
    return path;
}

/// Attributes as a graph has them behind GE's operator compilation.
AttrMap compiledAttrs(const std::string& name, std::size_t i)
{
    return {{"_coretype", AttrValue("AIcoreEngine")},
            {"_datadump_original_op_names", StringList{name, name + "_origin"}},
            {"_fe_imply_type", AttrValue(6)},
            {"_node_need_compile", AttrValue(true)},
            {"_op_slice_info", AttrValue(std::string(300, '{') + "\"axis\": [0, 1]" + std::string(300, '}'))},
            {"_pattern", AttrValue("ElemWise")},
            {"continuous_input", AttrValue(false)},
            {"fusion_scope", AttrValue(static_cast<std::int64_t>(i % 900))},
            {"dilations", IntList{1, 1, 1, 1}},
            {"pads", IntList{0, 1, 0, 1}},
            {"epsilon", AttrValue(0.00001f)},
            {"is_input_const", AttrValue(AttrValue::Variant(std::vector<bool>{false, true}))},
            {"op_para_size", AttrValue(static_cast<std::int64_t>(i))},
            {"tvm_magic", AttrValue("RT_DEV_BINARY_MAGIC_ELF_AIVEC")}};
}

/// Layers of one network repeat each other's descriptors. Where none does, nothing that was read before is of use.
enum class Descriptors { Repeated, Varied };

/// A stretch of a network: a chain of operators, each with a weight.
Graph stretch(std::size_t number, std::size_t operators, Descriptors descriptors)
{
    Graph graph("generated");
    Journal journal;
    GraphEditor editor(graph, journal);
    TensorDesc desc(DataType::Float16, {1, 332, 256, 16});
    desc.format = Format::FractalNz;
    desc.attrs = {{"_datadump_origin_name", AttrValue("layer")}, {"infer_format", AttrValue(2)}};
    TensorDesc weight(DataType::Float16, {4096, 4096});
    const std::string prefix = fmt::format("model/stretch_{}/", number);
    NodeId last =
        editor.addNode({prefix + "x", "Data", {{"x", desc}}, {{"y", desc}}, {{"index", AttrValue(0)}}, false});
    for (std::size_t i = 0; i < operators; ++i) {
        const std::string name = fmt::format("{}layers.{}/add_{}", prefix, i / 40, i);
        if (descriptors == Descriptors::Varied) {
            const auto running = static_cast<std::int64_t>(number * operators + i + 1);
            desc.setShape({1, 332, running, 16});
            weight.setShape({4096, running});
        }
        Tensor absent;
        absent.desc = weight;
        const NodeId constant = editor.addNode(
            {name + "/weight", "Const", {}, {{"y", weight}}, {{"value", AttrValue(std::move(absent))}}, false});
        const NodeId id =
            editor.addNode({name, "Add", {{"x1", desc}, {"x2", weight}}, {{"y", desc}}, compiledAttrs(name, i), false});
        editor.connect({last, 0}, {id, 0});
        editor.connect({constant, 0}, {id, 1});
        last = id;
    }
    return graph;
}

/// The lines of the operators in a dump, from the first to the last.
std::string_view operatorsOf(const std::string& text, std::string_view head)
{
    const auto first = text.find(std::string("\n").append(head));
    auto end = first + 1;
    for (auto at = first; at != std::string::npos; at = text.find(std::string("\n").append(head), at + 1)) end = at + 1;
    end = text.find("\n  }\n", end) + 5;
    return std::string_view(text).substr(first + 1, end - first - 1);
}

enum class Kind { Proto, Onnx };

/// The operators with their ids counted from `first`, as in one graph.
std::string renumbered(std::string_view text, Kind kind, std::size_t first)
{
    const std::string_view mark = kind == Kind::Proto ? "\n    id: " : "\n      name: \"id\"\n      i: ";
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto found = text.find(mark, at);
        const auto number = found == std::string_view::npos ? text.size() : found + mark.size();
        out.append(text.substr(at, number - at));
        at = number;
        if (at == text.size()) break;
        char* end = nullptr;
        out += std::to_string(first + std::strtoull(text.data() + at, &end, 10));
        at = static_cast<std::size_t>(end - text.data());
    }
    return out;
}

/// A dump of about that many bytes; made once.
const fs::path& dumpFile(Kind kind, std::size_t megabytes, Descriptors descriptors = Descriptors::Repeated)
{
    static std::map<std::tuple<Kind, std::size_t, Descriptors>, fs::path> made;
    fs::path& path = made[{kind, megabytes, descriptors}];
    if (!path.empty()) return path;
    const char* const phase = descriptors == Descriptors::Repeated ? "Build" : "Varied";
    path = folder() / (kind == Kind::Proto ? fmt::format("ge_proto_{:08}_graph_0_{}.txt", megabytes, phase)
                                           : fmt::format("ge_onnx_{:08}_graph_0_{}.pbtxt", megabytes, phase));
    std::ofstream out(path, std::ios::binary);
    out << (kind == Kind::Proto ? "graph {\n  name: \"generated\"\n"
                                : "ir_version: 6\nproducer_name: \"GE\"\ngraph {\n");
    for (std::size_t number = 0, bytes = 0, nodes = 0; bytes < megabytes << 20; ++number) {
        const Graph graph = stretch(number, 500, descriptors);
        const std::string text =
            kind == Kind::Proto ? geProtoText(graph, DumpDetail::NoData) : geOnnxText(graph, DumpDetail::NoData);
        const std::string operators =
            renumbered(operatorsOf(text, kind == Kind::Proto ? "  op {" : "  node {"), kind, nodes);
        nodes += static_cast<std::size_t>(graph.nodeCount());
        out << operators;
        bytes += operators.size();
    }
    out << (kind == Kind::Proto ? "}\n" : "  name: \"generated\"\n}\n");
    return path;
}

/// Megabytes of this process that are no mapped file.
double privateMegabytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("RssAnon:")) return std::strtod(line.c_str() + 8, nullptr) / 1024;
    return 0;
}

/// Counts what a piece of work leaves in memory.
class MemoryCount {
public:
    MemoryCount()
    {
        malloc_trim(0);
        m_before = privateMegabytes();
    }
    double megabytes() const { return privateMegabytes() - m_before; }

private:
    double m_before;
};

std::size_t attributesOf(const Graph& graph)
{
    std::size_t count = 0;
    for (const NodeId id : graph.allNodes()) {
        const Node& node = graph.node(id);
        count += node.attrs.size();
        for (const InputSlot& slot : node.inputs) count += slot.desc.attrs.size();
        for (const OutputSlot& slot : node.outputs) count += slot.desc.attrs.size();
    }
    return count;
}

/// Opening a dump until its graph can be shown; with `looksAtAll` until every attribute is decoded.
void openDump(benchmark::State& state, Kind kind, bool looksAtAll, Descriptors descriptors)
{
    const fs::path& path = dumpFile(kind, static_cast<std::size_t>(state.range(0)), descriptors);
    double most = 0;
    for (auto _ : state) {
        state.PauseTiming(); // for the memory count, and for the end of a document
        {
            const MemoryCount memory;
            state.ResumeTiming();
            const auto document = openModel(path);
            const std::size_t attributes = looksAtAll && document.ok() ? attributesOf(document->graph) : 0;
            state.PauseTiming();
            if (!document.ok()) return state.SkipWithError(document.error().message().c_str());
            most = std::max(most, memory.megabytes());
            state.counters["nodes"] = document->graph.nodeCount();
            state.counters["attributes"] = static_cast<double>(attributes);
        }
        state.ResumeTiming();
    }
    state.counters["file_MB"] = static_cast<double>(fs::file_size(path)) / (1 << 20);
    state.counters["beyond_mapping_MB"] = most;
    state.SetBytesProcessed(static_cast<std::int64_t>(fs::file_size(path)) * state.iterations());
}

/// The same file through protobuf's own reader, into messages.
void parseByProtobuf(benchmark::State& state, Kind kind)
{
    const fs::path& path = dumpFile(kind, static_cast<std::size_t>(state.range(0)));
    std::string text(fs::file_size(path), '\0');
    std::ifstream(path, std::ios::binary).read(text.data(), static_cast<std::streamsize>(text.size()));
    const auto* const type = pb::DescriptorPool::generated_pool()->FindMessageTypeByName(
        kind == Kind::Proto ? "ge.proto.ModelDef" : "onnx.ModelProto");
    double most = 0;
    for (auto _ : state) {
        state.PauseTiming();
        {
            const MemoryCount memory;
            const std::unique_ptr<pb::Message> message(
                pb::MessageFactory::generated_factory()->GetPrototype(type)->New());
            state.ResumeTiming();
            const bool isRead = pb::TextFormat::ParseFromString(text, message.get());
            state.PauseTiming();
            if (!isRead) return state.SkipWithError("protobuf refuses the text");
            most = std::max(most, memory.megabytes());
        }
        state.ResumeTiming();
    }
    state.counters["file_MB"] = static_cast<double>(text.size()) / (1 << 20);
    state.counters["beyond_mapping_MB"] = most;
    state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}

void registerAll()
{
    for (const auto& [kind, name] : {std::pair{Kind::Proto, "ge_proto"}, std::pair{Kind::Onnx, "ge_onnx"}}) {
        const auto add = [&](const std::string& what, auto run) {
            benchmark::RegisterBenchmark(fmt::format("{}/{}", name, what).c_str(), run)
                ->Arg(300)
                ->Unit(benchmark::kMillisecond);
        };
        for (const auto& [descriptors, end] :
             {std::pair{Descriptors::Repeated, ""}, std::pair{Descriptors::Varied, "_varied"}})
            for (const auto& [looksAtAll, look] : {std::pair{false, "browsable"}, std::pair{true, "all_attributes"}})
                add(fmt::format("{}{}", look, end), [kind, looksAtAll, descriptors](benchmark::State& state) {
                    openDump(state, kind, looksAtAll, descriptors);
                });
        add("protobuf_textformat", [kind](benchmark::State& state) { parseByProtobuf(state, kind); });
    }
    // A folder of 60 phases with 3 MB each, every graph of which is opened.
    benchmark::RegisterBenchmark(
        "dump_folder/60_phases_MB",
        [](benchmark::State& state) {
            const fs::path phases = folder() / "phases";
            fs::create_directories(phases);
            const fs::path& one = dumpFile(Kind::Proto, static_cast<std::size_t>(state.range(0) / 60));
            for (int i = 0; i < 60; ++i)
                fs::copy_file(one, phases / fmt::format("ge_proto_{:08}_graph_0_Phase{}.txt", i, i),
                              fs::copy_options::skip_existing);
            for (auto _ : state) {
                const auto dumps = openDumpFolder(phases);
                int nodes = 0;
                for (const DumpPhase& phase : dumps->graphs.front().phases)
                    nodes += readDumpPhase(phase)->graph.nodeCount();
                state.counters["nodes"] = nodes;
            }
        })
        ->Arg(180)
        ->Unit(benchmark::kMillisecond);
}

} // namespace

int main(int argc, char** argv)
{
    benchmark::Initialize(&argc, argv);
    registerAll();
    benchmark::RunSpecifiedBenchmarks();
}
