#pragma once
// Formulas of fusion rules: parsed once when a rule is loaded, evaluated on a match.
//
//   16 * keys * 4 + 32768          x.dim(-1) == gamma.size            sizeof(x) * min(rows, 64)
//
// Numbers; + - * /; comparisons, && || ! (1 and 0); parentheses; names of lets and tiles; soc.l1, soc.ub, soc.l0a,
// soc.l0b, soc.l0c, soc.cube_k; GE type names (DT_FLOAT16); functions. x.f(…) is f(x, …), and x.f is f(x).
// A value that cannot be known (a dynamic dim, a constant without bytes) makes the result unknown, which is not false.

#include "engine/graph/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

/// A number, or unknown.
struct FormulaValue {
    double number = 0;
    bool isKnown = false;

    FormulaValue() = default;
    FormulaValue(double value) : number(value), isKnown(true) {}
    static FormulaValue unknown() { return {}; }
    bool isTrue() const { return isKnown && number != 0; }
    bool isFalse() const { return isKnown && number == 0; }
};

enum class FormulaFunction : std::uint8_t {
    // arithmetic
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Not,
    And,
    Or,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Min,
    Max,
    CeilDiv,
    Align,
    Floor,
    Abs,
    Sqrt,
    If,
    // of a tensor
    Dim,
    Rank,
    Size,
    Bytes,
    SizeOf,
    Dtype,
    Has,
    IsConst,
    Value,
    At,
    ConstAt,
    SameShape,
    SameDtype,
    BroadcastsTo,
    IsFloating,
    Readers,
    Prefix,
    ReadsLast,
    // of an operator
    Attr,
    AttrAt,
    AttrCount,
    AttrIs,
    TrailingAxes,
    KeepsDims,
    LastTwoSwapped,
    PermAt,
    PermSize,
    LastAxis,
    Axis,
    SliceOf,
    Inputs,
    Outputs,
    IsOp,
};

/// What the names of a formula mean in one rule.
class FormulaScope {
public:
    virtual ~FormulaScope() = default;
    virtual int elementIndex(std::string_view name) const = 0;  ///< -1 when there is no such pattern element
    virtual int variableIndex(std::string_view name) const = 0; ///< lets, then tiles; -1
};

/// Answers the questions of a formula about a match.
class FormulaHost {
public:
    virtual ~FormulaHost() = default;
    virtual FormulaValue variable(int index) = 0;
    virtual FormulaValue soc(std::string_view key) = 0;
    /// A function over `elements`, with numeric arguments and a text (attribute name) where it takes them.
    virtual FormulaValue query(FormulaFunction function, const std::vector<int>& elements,
                               const std::vector<FormulaValue>& numbers, std::string_view text) = 0;
};

class Formula {
public:
    Formula() = default;
    /// An error's `where` is the column within the text.
    static Result<Formula> parse(std::string_view text, const FormulaScope& scope);

    bool isEmpty() const { return m_nodes.empty(); }
    const std::string& text() const { return m_text; }
    FormulaValue evaluate(FormulaHost& host) const;
    /// Elements and variables that it names.
    std::vector<int> elements() const;
    std::vector<int> variables() const;

private:
    friend class FormulaParser;
    enum class Kind : std::uint8_t { Number, Variable, Soc, Call };
    struct Term {
        Kind kind = Kind::Number;
        FormulaFunction function = FormulaFunction::Add;
        double number = 0;
        int variable = -1;
        std::string text;           ///< SoC key, attribute name
        std::vector<int> elements;  ///< element arguments
        std::vector<int> arguments; ///< indices of terms; always smaller than the term's own
    };
    FormulaValue evaluateTerm(int index, FormulaHost& host) const;

    std::string m_text;
    std::vector<Term> m_nodes; ///< children before parents; the last one is the root
};

/// Largest integer multiple of `step` in [low, high] for which `fits` holds, given that it holds up to some value and
/// not beyond; `low` - step when it holds nowhere. O(log(high - low)) calls.
std::int64_t largestThatFits(std::int64_t low, std::int64_t high, std::int64_t step,
                             const std::function<bool(std::int64_t)>& fits);
/// Smallest integer in [low, high] from which on `fits` holds; high + 1 when nowhere.
std::int64_t smallestThatFits(std::int64_t low, std::int64_t high, const std::function<bool(std::int64_t)>& fits);

} // namespace gelens
