#pragma once
// What the oracle tests compare of two graphs: types, formats and edges with element type and dims, as counted lines.

#include "engine/formats/model_file.h"
#include "tests/engine/passes/pass_fixture.h"

#include <QByteArrayList>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gelens::test {

/// What is compared of a graph: entries with how often they occur. "+" in a difference = only ours, "-" = only GE's.
using Entries = std::map<std::string, int>;

inline std::string dimsText(const std::vector<std::int64_t>& dims) { return fmt::format("[{}]", fmt::join(dims, ",")); }

inline Entries entriesOf(const Graph& graph)
{
    Entries entries;
    graph.forEachNode(rootGraph, [&](const Node& node) {
        ++entries[node.type];
        if (!node.outputs.empty())
            ++entries[fmt::format("format {}:0 {}", node.type, formatName(node.outputs[0].desc.originFormat.primary))];
        int index = 0;
        for (const InputSlot& slot : node.inputs) {
            if (!slot.source.isValid()) continue;
            const TensorDesc& desc = graph.outputDesc(slot.source);
            const std::vector<std::int64_t> dims =
                desc.originShape.hasRank() ? desc.originShape.dims() : std::vector<std::int64_t>{-2};
            ++entries[fmt::format("{}:{} {}{} -> {}:{}", graph.node(slot.source.node).type, slot.source.index,
                                  dataTypeName(desc.dtype), dimsText(dims), node.type, index++)];
        }
    });
    return entries;
}

inline std::vector<std::string> differences(const Entries& ours, const Entries& ge, bool typesOnly)
{
    std::set<std::string> keys;
    for (const auto& [key, count] : ours) keys.insert(key);
    for (const auto& [key, count] : ge) keys.insert(key);
    std::vector<std::string> lines;
    for (const std::string& key : keys) {
        if (typesOnly && key.find(' ') != std::string::npos) continue;
        const auto count = [&](const Entries& entries) {
            const auto found = entries.find(key);
            return found == entries.end() ? 0 : found->second;
        };
        if (const int d = count(ours) - count(ge); d != 0)
            lines.push_back(fmt::format("{}{} {}", d > 0 ? "+" : "-", std::abs(d), key));
    }
    return lines;
}

/// A difference that is meant to be there, and why. `phase` and `entry` match when they are contained; an entry that begins
/// with '=' is the whole line.
struct KnownDifference {
    const char* model;
    const char* phase;
    const char* entry;
    const char* reason;
};

inline bool isKnown(const std::vector<KnownDifference>& list, const std::string& model, const std::string& phase,
                    const std::string& line)
{
    for (const KnownDifference& known : list)
        if (model.find(known.model) != std::string::npos && phase.find(known.phase) != std::string::npos &&
            (known.entry[0] == '=' ? line == known.entry + 1 : line.find(known.entry) != std::string::npos))
            return true;
    return false;
}

/// A model of the corpus: `path`.onnx, or the one model in the folder `path`.
inline std::filesystem::path modelPath(const std::filesystem::path& path)
{
    std::filesystem::path file = path.string() + ".onnx";
    if (!std::filesystem::exists(file))
        for (const auto& entry : std::filesystem::directory_iterator(path))
            if (entry.path().extension() == ".onnx") file = entry.path();
    return file;
}

/// Reads a model with shapes for its inputs: "ids=1,8;mask=1,8".
inline ReadOptions withShapes(const QByteArray& inputs)
{
    ReadOptions options;
    for (const QByteArray& part : inputs.split(';')) {
        if (part.isEmpty()) continue;
        const qsizetype equals = part.indexOf('=');
        for (const QByteArray& dim : part.mid(equals + 1).split(','))
            options.inputShapes[part.left(equals).toStdString()].push_back(dim.toLongLong());
    }
    return options;
}

/// Runs passes on a graph with default options.
class PassRunner {
public:
    explicit PassRunner(Graph& graph, RuleSet rules = {}) : m_rules(std::move(rules)), m_edit(graph, m_journal) {}

    /// Empty, or why the run failed.
    std::string run(const std::vector<PassEntry>& entries, const std::vector<PipelineObserver*>& observers = {})
    {
        PassContext context{soc, m_options, m_rules, m_switches, m_kernels, {}, {}, {}, {}, {}, {}, {}};
        steps.assign(1, Step());
        const Status status = runPipeline(entries, m_edit, context, steps, observers);
        return status.ok() ? m_edit.graph().findInconsistency() : status.error().message();
    }
    std::string run(const PassEntry& entry) { return run(std::vector<PassEntry>{entry}); }

    std::vector<PassEntry> pipeline() const { return fullPipeline(m_rules, m_switches); }
    const RuleSet& rules() const { return m_rules; }

    SocSpec soc = combinedSoc();
    std::vector<Step> steps; ///< of the last run

private:
    CompileOptions m_options;
    RuleSet m_rules;
    FusionSwitch m_switches;
    KernelCache m_kernels;
    Journal m_journal;
    GraphEditor m_edit;
};

} // namespace gelens::test
