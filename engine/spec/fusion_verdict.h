#pragma once
// The outcome of trying one fusion rule on one place in the graph, with every check that was made.

#include "engine/graph/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

/// Closed list of reasons. Order within the enumeration carries no meaning; the headline of a verdict is the failed
/// check that GE would meet first.
enum class Reason {
    None, ///< fused
    NoRule,
    RuleDisabled,
    L1Capacity,
    UbCapacity,
    L0Capacity,
    UnitConflict,
    CoreCount,
    ChipUnsupported,
    KernelType,
    MultiConsumer,
    GraphOutput,
    ControlEdge,
    Cycle,
    SubgraphBorder,
    DynamicShape,
    DtypeMismatch,
    FormatMismatch,
    AttributeMismatch,
    ValueMismatch,
    NotConstant,
    InputCount,
    Alignment,
    StreamLabel,
    PrecisionMode,
    AlreadyFused,
    ScopeDiffers,
    Determinism,
    DumpEnabled,
    ThreadMode,
    OutputLimit,
    RepeatCount,
    SliceMismatch,
    NoSavings,
    PeakMemory,
    NodeLimit,
};

/// The four headline classes.
enum class ReasonClass { NoRule, Capacity, Unit, Structure };

std::string_view reasonName(Reason reason); ///< "L1Capacity"
/// Reads what reasonName writes; nothing when unknown.
std::optional<Reason> reasonFromName(std::string_view name);
ReasonClass reasonClass(Reason reason);
std::string_view reasonClassName(ReasonClass reasonClass);
const std::vector<Reason>& allReasons();

/// One check of a rule, whether it held or not. Numbers are there where the check compares numbers.
struct Check {
    Reason reason = Reason::None; ///< what a failure of this check would mean
    bool held = true;
    std::string what; ///< one sentence: what was checked, with names and values
    std::optional<double> needs;
    std::optional<double> has;
    std::string unit;          ///< "B", "nodes", "consumers" …
    std::string code;          ///< GE's own id: C11, U05, NF1010 …; empty when GE has none
    char evidence = 'A';       ///< mark of the fact behind it: S, D, P, N or A
    std::vector<NodeId> nodes; ///< whom it speaks of
};

/// Where a refused capacity check would hold: "keys" up to 7,680; "l1_size" from 655,360.
struct Threshold {
    std::string quantity; ///< "keys", "L1 size", "head size" …
    std::string symbol;   ///< variable of the rule's formula
    double current = 0;
    double limit = 0; ///< largest (or smallest) value that fits
    bool isUpperLimit = true;
    std::string unit; ///< "", "B" …
};

struct FusionVerdict {
    std::string rule;   ///< rule id
    std::string gePass; ///< GE's pass name for fusion_switch.cfg
    bool fused = false;
    Reason reason = Reason::None;
    std::vector<NodeId> nodes;          ///< matched nodes in pattern order (as far as it matched)
    std::vector<std::string> nodeNames; ///< their names at that step (nodes may be gone later)
    std::vector<std::string> nodeTypes;
    std::vector<std::string> patternNodes; ///< the rule's names for them, same order
    std::string firstMismatch;             ///< pattern node at which a near miss stopped; empty when all matched
    NodeId mismatchNode;                   ///< the real node found there
    NodeId into;                           ///< fused node
    std::string intoName;
    std::vector<Check> checks;
    std::string remedy; ///< one sentence; empty when fused
    std::vector<Threshold> thresholds;
    StepId step;

    /// The failed check that gives the headline; null when fused.
    const Check* headline() const;
};

} // namespace gelens
