#include "engine/session/dump_writer.h"

#include "engine/formats/ge_onnx_writer.h"
#include "engine/formats/ge_parsed_view.h"
#include "engine/formats/ge_proto_writer.h"
#include "engine/formats/ge_readable_writer.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace gelens {

namespace fs = std::filesystem;

namespace {

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

bool containsAny(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// DUMP_GRAPH_LEVEL: which phases are written (facts/formats 8.2).
class PhaseFilter {
public:
    explicit PhaseFilter(std::string level) : m_level(std::move(level)) {}

    bool wants(std::string_view phase) const
    {
        const bool isNumber =
            std::all_of(m_level.begin(), m_level.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
        if (!isNumber) return containsListed(phase);
        const bool isExcluded = containsAny(phase, {"partition", "OptimizeSubGraph", "Aicpu", "sub_graph"});
        if (m_level.empty() || m_level == "2") return isWhitelisted(phase) && !isExcluded;
        if (m_level == "1") return !isExcluded;
        if (m_level == "3") return phase == "Build";
        if (m_level == "4") return phase == "PreRunBegin";
        return false;
    }

private:
    static bool isWhitelisted(std::string_view phase)
    {
        static constexpr std::array<std::string_view, 12> names = {"PreRunBegin",
                                                                   "PreRunAfterNormalizeGraph",
                                                                   "AfterInfershape",
                                                                   "PreRunAfterPrepare",
                                                                   "PreRunAfterOptimizeOriginalGraph",
                                                                   "PreRunAfterOptimizeAfterStage1",
                                                                   "PreRunAfterOptimizeSubgraph",
                                                                   "PreRunAfterOptimizeGraphBeforeBuild",
                                                                   "Build",
                                                                   "ComputeGraphBeforeLowering",
                                                                   "ExeGraphBeforeOptimize",
                                                                   "ExecuteGraphAfterSplit"};
        return std::find(names.begin(), names.end(), phase) != names.end() ||
               containsAny(phase, {"AutoFuseBeforeOptimize", "AutoFuseAfterOptimize", "RunCustomPass"});
    }

    bool containsListed(std::string_view phase) const
    {
        std::string_view rest = m_level;
        while (!rest.empty()) {
            const auto bar = rest.find('|');
            const std::string_view word = rest.substr(0, bar);
            if (!word.empty() && phase.find(word) != std::string_view::npos) return true;
            if (bar == std::string_view::npos) break;
            rest = rest.substr(bar + 1);
        }
        return false;
    }

    std::string m_level;
};

/// DUMP_GE_GRAPH as GE reads it: a decimal number, trailing text ignored; 0, nothing and 4 or more mean no dump.
int detailFromEnvironment()
{
    const long value = std::strtol(environment("DUMP_GE_GRAPH").c_str(), nullptr, 10);
    if (value < 0) return 2;
    return value >= 1 && value <= 3 ? static_cast<int>(value) : 0;
}

/// Which files DUMP_GRAPH_FORMAT asks for: an item counts when it contains the word, whatever its case.
struct WantedFormats {
    bool proto, onnx, readable;

    static WantedFormats fromEnvironment()
    {
        std::string formats = environment("DUMP_GRAPH_FORMAT");
        if (formats.empty()) return {true, true, false};
        std::transform(formats.begin(), formats.end(), formats.begin(),
                       [](unsigned char c) { return std::tolower(c); });
        const auto has = [&](const char* word) { return formats.find(word) != std::string::npos; };
        return {has("ge_proto"), has("onnx"), has("readable")};
    }
    bool any() const { return proto || onnx || readable; }
};

class DumpWriter final : public DumpObserver {
public:
    DumpWriter(fs::path folder, DumpDetail detail, WantedFormats formats)
        : m_folder(std::move(folder)), m_detail(detail), m_formats(formats), m_filter(environment("DUMP_GRAPH_LEVEL"))
    {
    }

    void afterStep(const Step& step, const Graph& graph) override
    {
        m_isInferred = m_isInferred || step.phase == "AfterFirstInferformat" || step.phase == "AfterInfershape";
        // GE's last dump is Build: what is launched is no longer a graph.
        if (!step.isPhaseEnd || step.stage == Stage::Launch || !m_filter.wants(step.phase)) return;
        std::string phase = step.phase;
        for (char& c : phase)
            if (std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos) c = '_';
        // Until inference GE holds default descriptors; ours show what the import knows already.
        if (m_isInferred)
            writeAll(graph, phase);
        else
            writeAll(asParsedByGe(graph), phase);
    }

    const Status& status() const override { return m_status; }

private:
    /// In GE's order, each format with a count of its own.
    void writeAll(const Graph& graph, const std::string& phase)
    {
        if (m_formats.proto) write("ge_proto", m_protoNumber++, phase, ".txt", geProtoText(graph, m_detail));
        if (m_formats.onnx) write("ge_onnx", m_onnxNumber++, phase, ".pbtxt", geOnnxText(graph, m_detail));
        if (m_formats.readable) write("ge_readable", m_readableNumber++, phase, ".txt", geReadableText(graph));
    }

    void write(const char* format, int number, const std::string& phase, const char* extension, const std::string& text)
    {
        std::string name = fmt::format("{}_{:08}_graph_0_{}{}", format, number, phase, extension);
        if (name.size() >= maxNameLength) name = name.substr(0, keptNameLength) + extension;
        const fs::path file = m_folder / name;
        std::ofstream out(file, std::ios::binary | std::ios::trunc);
        out.write(text.data(), static_cast<std::streamsize>(text.size()));
        out.close();
        if (!out) {
            if (m_status.ok()) m_status = Error::io("cannot write the dump", file.string());
            return;
        }
        // GE makes its dumps readable to their owner only: they may hold weights.
        std::error_code code;
        fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write, code);
    }

    static constexpr std::size_t maxNameLength = 255, keptNameLength = 248;

    fs::path m_folder;
    DumpDetail m_detail;
    WantedFormats m_formats;
    PhaseFilter m_filter;
    Status m_status;
    bool m_isInferred = false;
    int m_protoNumber = 0, m_onnxNumber = 0, m_readableNumber = 0;
};

fs::path folderFromEnvironment()
{
    const auto ofProcess = [](const fs::path& base) { return base / fmt::format("pid_{}_deviceid_0", getpid()); };
    if (const std::string collect = environment("NPU_COLLECT_PATH"); !collect.empty())
        return fs::path(collect) / "extra-info" / "graph" / fmt::format("{}_0", getpid());
    if (const std::string path = environment("DUMP_GRAPH_PATH"); !path.empty()) return ofProcess(path);
    if (const std::string work = environment("ASCEND_WORK_PATH"); !work.empty()) return work;
    return "/tmp/ge_graph";
}

} // namespace

Result<std::unique_ptr<DumpObserver>> makeDumpWriter(const std::string& folder, int detailAsked)
{
    const int asked = detailAsked > 0 ? std::min(detailAsked, 3) : detailFromEnvironment();
    const WantedFormats formats = WantedFormats::fromEnvironment();
    if ((folder.empty() && asked == 0) || !formats.any()) return std::unique_ptr<DumpObserver>();
    const fs::path target = folder.empty() ? folderFromEnvironment() : fs::path(folder);
    std::error_code code;
    fs::create_directories(target, code);
    if (code || !fs::is_directory(target))
        return Error::io("cannot make the dump folder: " + code.message(), target.string());
    const auto detail = static_cast<DumpDetail>(asked == 0 ? 2 : asked);
    return std::unique_ptr<DumpObserver>(std::make_unique<DumpWriter>(target, detail, formats));
}

} // namespace gelens
