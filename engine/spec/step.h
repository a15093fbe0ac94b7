#pragma once
// One step of a run: a pass, what it changed, and how the graph stood before and after.

#include "engine/graph/ids.h"
#include "engine/spec/fusion_verdict.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

enum class Stage { Parse, Compile, Memory, Tasks, Launch };
std::string_view stageName(Stage stage); ///< "parse", "compile", "memory", "tasks", "launch"

enum class Severity { Info, Warning, Error };

/// A finding of a reader, a checker or a verifier.
struct Message {
    Severity severity = Severity::Info;
    std::string id;    ///< stable: "onnx.unknown-op"
    std::string text;  ///< one sentence
    std::string where; ///< file, node or pass
    NodeId node;
};

struct GraphStatistics {
    int operators = 0;  ///< nodes that count as operators (neither boundary nor view)
    int graphNodes = 0; ///< every node, Data, Const and NetOutput included
    int dataEdges = 0;
    int constants = 0;
    bool operator==(const GraphStatistics&) const = default;
};

struct Step {
    StepId id;
    Stage stage = Stage::Compile;
    std::string phase;                       ///< GE's dump phase that this pass belongs to: "PreRunAfterPrepare"
    std::string pass;                        ///< GE's pass name, or ours where GE has none
    std::string summary;                     ///< one line: what the pass does
    std::string rule;                        ///< id of the fusion rule that the pass applies; empty for other passes
    std::size_t firstEdit = 0, lastEdit = 0; ///< journal positions [first, last)
    double milliseconds = 0;
    GraphStatistics before, after;
    std::vector<FusionVerdict> verdicts;
    std::vector<Message> messages;
    std::vector<std::pair<std::string, std::int64_t>> counters; ///< "identities removed" → 3
    bool wasSkipped = false;                                    ///< switched off or vetoed
    bool isPhaseEnd = false;                                    ///< a dump of `phase` belongs right after this step

    std::size_t editCount() const { return lastEdit - firstEdit; }
    bool hasChanged() const { return lastEdit > firstEdit; }
};

} // namespace gelens
