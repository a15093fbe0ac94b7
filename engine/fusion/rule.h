#pragma once
// A fusion rule as the engine uses it: checked, with all names resolved to indices. Made by the loader from protobuf
// text.

#include "engine/fusion/formula.h"
#include "engine/graph/data_type.h"
#include "engine/spec/fusion_verdict.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

enum class RuleGroup { Graph, BeforeQuant, AfterJudge, SecondRound, Ub };
std::string_view ruleGroupName(RuleGroup group); ///< "graph", "before_quant", "after_judge", "second_round", "ub"

/// What executes the fused operator; decides whether cube and vector members may meet (facts on split cores).
enum class RuleUnit { Unset, Cube, Vector, CubeWithFixpipe, Mix, CubeThenVector };
std::string_view ruleUnitName(RuleUnit unit);

enum class OnChipMemory { L1, Ub, L0a, L0b, L0c };
std::string_view onChipMemoryName(OnChipMemory memory); ///< "L1", "UB", "L0A" …

/// A use of a pattern element.
struct PatternRef {
    static constexpr int anyOutput = -1;
    int element = -1; ///< -1 = anything
    int output = 0;
    bool mayBeMissing = false;
};

enum class ElementKind { Input, Constant, Node, Any };

/// One named part of a pattern. Fields are grouped by the kind that uses them.
struct PatternElement {
    std::string name;
    ElementKind kind = ElementKind::Input;

    // Node
    std::vector<std::string> types;
    std::vector<PatternRef> inputs;
    bool isCommutative = false;
    bool isOptional = false;
    PatternRef skipTo;     ///< what stands in an optional node's place
    bool isShared = false; ///< stays in the graph while others read it
    bool ignoresMoreInputs = false;
    Formula when;       ///< part of the pattern
    int maxOutputs = 0; ///< results that may be read; 0 = no limit

    // Constant
    bool isScalar = false;
    bool needsValue = false;
    bool isExact = false;      ///< anything but a constant is no match
    bool isExactValue = false; ///< nor is a constant of another value
    Formula value, min, max;
    double tolerance = 1e-3;

    // Any
    std::vector<PatternRef> choices;
};

/// A named quantity. Those with a label are solved for when a capacity check fails.
struct RuleLet {
    std::string name, label, unit;
    Formula formula;
    std::int64_t step = 1;
};

struct RuleRequire {
    Formula that, when, needs, has;
    Reason reason = Reason::AttributeMismatch;
    std::string what; ///< {n} stands for the value of whatFormulas[n]
    std::vector<Formula> whatFormulas;
    std::string unit, code, remedy;
    char evidence = 'A';
};

struct RuleTile {
    std::string name;
    std::vector<std::int64_t> values; ///< the last one for which all buffers fit is taken
};

struct RuleBuffer {
    std::string name;
    OnChipMemory memory = OnChipMemory::L1;
    Formula bytes;
};

struct RuleAttr {
    enum class Kind { Int, Float, Bool, Text, Ints, Copy, IntsOf, ShapeOf };
    std::string name;
    Kind kind = Kind::Int;
    Formula number, when;
    std::vector<Formula> numbers;
    std::string text; ///< literal, or the attribute's name for Copy
    int element = -1; ///< Copy, IntsOf, ShapeOf
};

/// What feeds a port of a new node: a matched element, a constant that the rule makes, or an earlier new node.
struct RuleSource {
    std::string port;
    PatternRef element;
    int newConstant = -1;
    int newNode = -1, newOutput = 0;
    bool isNew() const { return newConstant >= 0 || newNode >= 0; }
};

struct RuleNewNode {
    std::string name, type;
    std::vector<RuleSource> inputs;
    std::vector<RuleAttr> attrs;
    int attrsOf = -1, nameOf = -1, typeOf = -1; ///< elements
    Formula when;
};

struct RuleNewConstant {
    std::string name;
    int like = -1, shapeOf = -1; ///< elements
    Formula scale, shift, when;
    int axis = 0;
    bool isFlat = false;
    std::vector<int> joined; ///< elements to join along the axis
    int parts = 0, part = 0; ///< or a part of `like`
    bool movesBytes() const { return !joined.empty() || parts > 0; }
};

struct RuleOutput {
    PatternRef of;
    int newNode = 0, output = 0;
};

struct Rule {
    std::string id, gePass, summary, source, socRemedy;
    std::string file; ///< where it was read, for messages
    int line = 0;
    char evidence = 'A';
    RuleGroup group = RuleGroup::Graph;
    int priority = 0;
    RuleUnit unit = RuleUnit::Unset;
    bool isAlwaysOn = false, isOffByDefault = false, isStaticOnly = false, forbidsControlEdges = false,
         isNdOnly = false;
    std::vector<std::string> socs, otherSocs; ///< names or families: only these; not these
    std::vector<DataType> dtypes;

    std::vector<PatternElement> elements;
    PatternRef root;
    std::vector<std::string> rootTypes; ///< types that the root may have: where matching starts
    int plainNodeCount = 0; ///< operators of the pattern's plainest form: without optional ones, first alternatives

    std::vector<RuleLet> lets;
    std::vector<RuleTile> tiles; ///< variables after the lets
    std::vector<RuleRequire> requires_;
    std::vector<RuleBuffer> buffers;
    std::vector<int> onChip; ///< elements

    std::vector<RuleNewConstant> newConstants;
    std::vector<RuleNewNode> newNodes;
    std::vector<RuleOutput> outputs;

    const PatternElement& element(int i) const { return elements[static_cast<std::size_t>(i)]; }
    int findElement(std::string_view name) const;
    /// True when the rule joins kernels on the chip and changes no operator (UB fusion).
    bool isUbFusion() const { return group == RuleGroup::Ub; }
};

} // namespace gelens
