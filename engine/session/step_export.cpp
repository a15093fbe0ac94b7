#include "engine/session/step_export.h"

#include "engine/formats/ge_onnx_writer.h"
#include "engine/formats/ge_proto_writer.h"
#include "engine/formats/ge_readable_writer.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace gelens {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longestName = 200; ///< file systems take 255 bytes

std::string textOf(const Graph& graph, GraphTextForm form)
{
    switch (form) {
    case GraphTextForm::GeOnnx: return geOnnxText(graph, DumpDetail::NoData);
    case GraphTextForm::GeProto: return geProtoText(graph, DumpDetail::NoData);
    case GraphTextForm::Readable: return geReadableText(graph);
    }
    return {};
}

} // namespace

std::string_view graphTextFormName(GraphTextForm form)
{
    switch (form) {
    case GraphTextForm::GeOnnx: return "ge_onnx";
    case GraphTextForm::GeProto: return "ge_proto";
    case GraphTextForm::Readable: return "readable";
    }
    return {};
}

std::string stepFileName(const Run& run, StepId id, GraphTextForm form)
{
    const Step& step = run.step(id);
    std::string what = step.isPhaseEnd ? step.phase : step.pass;
    for (char& c : what)
        if (static_cast<unsigned char>(c) < ' ' || std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos)
            c = '_';
    if (what.size() > longestName) what.resize(longestName);
    return fmt::format("ge_{}_{:08}_graph_0_{}.{}",
                       form == GraphTextForm::GeOnnx    ? "onnx"
                       : form == GraphTextForm::GeProto ? "proto"
                                                        : "readable",
                       id.value, what, form == GraphTextForm::GeOnnx ? "pbtxt" : "txt");
}

Result<int> exportSteps(const Run& run, const StepExport& wanted, const ProgressFunction& progress,
                        std::stop_token stop)
{
    std::error_code code;
    fs::create_directories(wanted.folder, code);
    if (!fs::is_directory(wanted.folder, code)) return Error::io("cannot make the folder", wanted.folder);
    const int total = static_cast<int>(wanted.steps.size() * wanted.forms.size());
    int written = 0;
    for (const StepId step : wanted.steps) {
        const auto graph = run.graphAt(step);
        for (const GraphTextForm form : wanted.forms) {
            if (stop.stop_requested()) return Error::cancelled();
            const std::string name = stepFileName(run, step, form);
            if (progress) progress({name, written, total});
            const fs::path file = fs::path(wanted.folder) / name;
            const std::string text = textOf(*graph, form);
            if (stop.stop_requested()) return Error::cancelled();
            std::ofstream out(file, std::ios::binary | std::ios::trunc);
            out.write(text.data(), static_cast<std::streamsize>(text.size()));
            out.close();
            if (!out) return Error::io("cannot write the file", file.string());
            ++written;
        }
    }
    if (progress) progress({"done", written, total});
    return written;
}

} // namespace gelens
