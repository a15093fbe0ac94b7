#include "engine/formats/dump_folder.h"

#include "engine/formats/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>

namespace gelens {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t maxFiles = 1'000'000;

bool eat(std::string_view& text, std::string_view head)
{
    if (!text.starts_with(head)) return false;
    text.remove_prefix(head.size());
    return true;
}

std::optional<int> eatNumber(std::string_view& text)
{
    int value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end == text.data() || value < 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

bool equalsIgnoringCase(std::string_view a, std::string_view b)
{
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](unsigned char x, unsigned char y) {
               return std::tolower(x) == std::tolower(y);
           });
}

/// Which dumps belong together.
struct GroupKey {
    std::string process;
    int graphId;
    bool isSingleOp;
    auto operator<=>(const GroupKey&) const = default;
};

/// Pairs the formats: the k-th dump of a phase in one format goes with the k-th of the others, since GE counts each
/// format by itself.
std::vector<DumpPhase> pairFormats(std::vector<DumpFile> files)
{
    std::sort(files.begin(), files.end(), [](const DumpFile& a, const DumpFile& b) {
        return std::tie(a.format, a.number, a.phase, a.path) < std::tie(b.format, b.number, b.phase, b.path);
    });
    std::vector<DumpPhase> phases;
    std::map<std::pair<std::string, int>, std::size_t> places; // phase, which occurrence
    std::map<std::pair<std::string, DumpFormat>, int> counts;
    for (DumpFile& file : files) {
        const int occurrence = counts[{file.phase, file.format}]++;
        const auto [place, isNew] = places.emplace(std::pair(file.phase, occurrence), phases.size());
        if (isNew) phases.push_back({file.phase, file.number, findPhase(file.phase), {}});
        DumpPhase& phase = phases[place->second];
        phase.number = std::min(phase.number, file.number);
        phase.files.push_back(std::move(file));
    }
    std::stable_sort(phases.begin(), phases.end(),
                     [](const DumpPhase& a, const DumpPhase& b) { return a.number < b.number; });
    return phases;
}

} // namespace

std::string_view dumpFormatName(DumpFormat format)
{
    return format == DumpFormat::GeProto ? "ge_proto" : format == DumpFormat::GeOnnx ? "ge_onnx" : "ge_readable";
}

std::optional<DumpFile> parseDumpName(const std::string& fileName)
{
    std::string_view rest = fileName;
    DumpFile file;
    if (eat(rest, "ge_proto_"))
        file.format = DumpFormat::GeProto;
    else if (eat(rest, "ge_onnx_"))
        file.format = DumpFormat::GeOnnx;
    else if (eat(rest, "ge_readable_"))
        file.format = DumpFormat::GeReadable;
    else
        return std::nullopt;
    const auto number = eatNumber(rest);
    if (!number) return std::nullopt;
    file.number = *number;
    file.isSingleOp = eat(rest, "_aclop");
    std::string_view behind = rest;
    if (eat(behind, "_graph_"))
        if (const auto id = eatNumber(behind); id && behind.starts_with("_")) {
            file.graphId = id;
            rest = behind;
        }
    if (!eat(rest, "_")) return std::nullopt;
    const auto dot = rest.rfind('.');
    if (dot == std::string_view::npos || (rest.substr(dot) != ".txt" && rest.substr(dot) != ".pbtxt"))
        return std::nullopt;
    file.phase = rest.substr(0, dot);
    return file;
}

std::string DumpGraph::label() const
{
    std::string text = process;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " ") + part; };
    if (isSingleOp) add("aclop");
    if (graphId) add(fmt::format("graph {}", *graphId));
    return text.empty() ? "graph" : text;
}

int DumpFolder::phaseCount() const
{
    std::size_t count = 0;
    for (const DumpGraph& graph : graphs) count += graph.phases.size();
    return static_cast<int>(count);
}

Result<DumpFolder> openDumpFolder(const fs::path& path)
{
    std::error_code code;
    if (!fs::is_directory(path, code)) return Error::notFound("no such folder", path.string());
    DumpFolder folder;
    folder.path = path;
    std::map<GroupKey, std::vector<DumpFile>> groups;
    std::size_t seen = 0;
    // Links to folders are not followed: what is listed lies inside.
    for (fs::recursive_directory_iterator it(path, fs::directory_options::skip_permission_denied, code), end; it != end;
         it.increment(code)) {
        if (code) return Error::io("cannot list the folder: " + code.message(), path.string());
        if (++seen > maxFiles) return Error::limit(fmt::format("more than {} files", maxFiles), path.string());
        const fs::path& entry = it->path();
        const std::string name = entry.filename().string();
        if (name == "fusion_result.json")
            folder.fusionResult = entry;
        else if (name.starts_with("dynamo_original_graph_") || name.starts_with("dynamo_optimized_graph_"))
            folder.fxDumps.push_back(entry);
        auto file = parseDumpName(name);
        if (!file || !it->is_regular_file(code)) continue;
        file->path = entry;
        file->bytes = static_cast<std::int64_t>(it->file_size(code));
        std::string process = entry.parent_path().lexically_relative(path).string();
        if (process == ".") process.clear();
        groups[{std::move(process), file->graphId.value_or(-1), file->isSingleOp}].push_back(std::move(*file));
    }
    for (auto& [key, files] : groups) {
        DumpGraph graph;
        graph.process = key.process;
        if (key.graphId >= 0) graph.graphId = key.graphId;
        graph.isSingleOp = key.isSingleOp;
        graph.phases = pairFormats(std::move(files));
        folder.graphs.push_back(std::move(graph));
    }
    std::sort(folder.fxDumps.begin(), folder.fxDumps.end());
    if (folder.graphs.empty())
        return Error::invalid("no GE dump inside (ge_proto_*.txt, ge_onnx_*.pbtxt, ge_readable_*.txt)", path.string());
    return folder;
}

Result<ModelDocument> readDumpPhase(const DumpPhase& phase, const ReadOptions& options)
{
    std::optional<Error> first;
    for (const DumpFile& file : phase.files) {
        auto document = openModel(file.path, options);
        if (document.ok()) {
            if (first) document->messages.push_back({Severity::Warning, "dump.other-format", first->message(), {}, {}});
            return document;
        }
        if (document.error().isCancelled()) return document.error();
        if (!first) first = document.error();
    }
    return first.value_or(Error::notFound("the phase has no file"));
}

const DumpPhase* findDumpPhase(const DumpFolder& folder, std::string_view text)
{
    int wanted = 1;
    if (const auto hash = text.rfind('#'); hash != std::string_view::npos) {
        std::string_view digits = text.substr(hash + 1);
        if (const auto number = eatNumber(digits); number && digits.empty()) {
            wanted = *number;
            text = text.substr(0, hash);
        }
    }
    const auto pick = [&](auto&& matches) -> const DumpPhase* {
        int left = wanted;
        for (const DumpGraph& graph : folder.graphs)
            for (const DumpPhase& phase : graph.phases)
                if (matches(phase) && --left == 0) return &phase;
        return nullptr;
    };
    if (text == "first" || text == "last") {
        const DumpGraph* largest = nullptr;
        for (const DumpGraph& graph : folder.graphs)
            if (!largest || graph.phases.size() > largest->phases.size()) largest = &graph;
        return !largest || largest->phases.empty() ? nullptr
               : text == "first"                   ? &largest->phases.front()
                                                   : &largest->phases.back();
    }
    if (const DumpPhase* exact = pick([&](const DumpPhase& phase) { return phase.name == text; })) return exact;
    if (const DumpPhase* loose = pick([&](const DumpPhase& phase) { return equalsIgnoringCase(phase.name, text); }))
        return loose;
    std::string_view digits = text;
    if (const auto number = eatNumber(digits); number && digits.empty())
        return pick([&](const DumpPhase& phase) { return phase.number == *number; });
    return nullptr;
}

} // namespace gelens
