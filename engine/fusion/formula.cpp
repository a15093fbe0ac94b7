#include "engine/fusion/formula.h"

#include "engine/graph/data_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

namespace gelens {

namespace {

/// Signature of a function: how many pattern elements, then whether a text, then how many numbers.
struct Signature {
    std::string_view name;
    FormulaFunction function;
    int elements, texts, minNumbers, maxNumbers;
};

constexpr Signature signatures[] = {
    {"min", FormulaFunction::Min, 0, 0, 1, 16},
    {"max", FormulaFunction::Max, 0, 0, 1, 16},
    {"ceil_div", FormulaFunction::CeilDiv, 0, 0, 2, 2},
    {"align", FormulaFunction::Align, 0, 0, 2, 2},
    {"floor", FormulaFunction::Floor, 0, 0, 1, 1},
    {"abs", FormulaFunction::Abs, 0, 0, 1, 1},
    {"sqrt", FormulaFunction::Sqrt, 0, 0, 1, 1},
    {"if", FormulaFunction::If, 0, 0, 3, 3},
    {"dim", FormulaFunction::Dim, 1, 0, 1, 1},
    {"rank", FormulaFunction::Rank, 1, 0, 0, 0},
    {"size", FormulaFunction::Size, 1, 0, 0, 0},
    {"bytes", FormulaFunction::Bytes, 1, 0, 0, 0},
    {"sizeof", FormulaFunction::SizeOf, 1, 0, 0, 0},
    {"dtype", FormulaFunction::Dtype, 1, 0, 0, 0},
    {"has", FormulaFunction::Has, 1, 0, 0, 0},
    {"is_const", FormulaFunction::IsConst, 1, 0, 0, 0},
    {"value", FormulaFunction::Value, 1, 0, 0, 0},
    {"at", FormulaFunction::At, 1, 0, 0, 0},
    {"const_at", FormulaFunction::ConstAt, 1, 0, 1, 1},
    {"same_shape", FormulaFunction::SameShape, 2, 0, 0, 0},
    {"same_dtype", FormulaFunction::SameDtype, 2, 0, 0, 0},
    {"broadcasts_to", FormulaFunction::BroadcastsTo, 2, 0, 0, 0},
    {"is_floating", FormulaFunction::IsFloating, 1, 0, 0, 0},
    {"readers", FormulaFunction::Readers, 1, 0, 0, 0},
    {"prefix", FormulaFunction::Prefix, 2, 0, 1, 1},
    {"reads_last", FormulaFunction::ReadsLast, 2, 0, 0, 0}, // operator, tensor
    {"attr", FormulaFunction::Attr, 1, 1, 1, 1},
    {"attr_at", FormulaFunction::AttrAt, 1, 1, 2, 2},
    {"attr_count", FormulaFunction::AttrCount, 1, 1, 0, 0},
    {"attr_is", FormulaFunction::AttrIs, 1, 1, 0, 0}, // 'name=text'
    {"trailing_axes", FormulaFunction::TrailingAxes, 1, 0, 0, 0},
    {"keeps_dims", FormulaFunction::KeepsDims, 1, 0, 0, 0},
    {"swaps_last_two", FormulaFunction::LastTwoSwapped, 1, 0, 0, 0},
    {"perm_at", FormulaFunction::PermAt, 1, 0, 1, 1},
    {"perm_size", FormulaFunction::PermSize, 1, 0, 0, 0},
    {"last_axis", FormulaFunction::LastAxis, 1, 0, 0, 0},
    {"axis", FormulaFunction::Axis, 1, 0, 0, 0},
    {"slice_of", FormulaFunction::SliceOf, 1, 0, 2, 2},
    {"inputs", FormulaFunction::Inputs, 1, 0, 0, 0},
    {"outputs", FormulaFunction::Outputs, 1, 0, 0, 0},
    {"is_op", FormulaFunction::IsOp, 1, 1, 0, 0},
};

constexpr std::string_view socKeys[] = {"l1", "ub", "l0a", "l0b", "l0c", "l2", "cube_k", "split", "generation"};

const Signature* findSignature(std::string_view name)
{
    for (const Signature& signature : signatures)
        if (signature.name == name) return &signature;
    return nullptr;
}

constexpr int maxDepth = 64;
constexpr std::size_t maxTerms = 400; // also bounds the depth of evaluation

} // namespace

/// Recursive descent; nesting is limited to maxDepth.
class FormulaParser {
public:
    FormulaParser(std::string_view text, const FormulaScope& scope) : m_text(text), m_scope(scope)
    {
        m_formula.m_text = std::string(text);
    }

    Result<Formula> run()
    {
        const int root = parseOr();
        skipSpace();
        if (!m_error && m_at < m_text.size()) fail(fmt::format("unexpected '{}'", m_text[m_at]));
        if (m_error) return *m_error;
        GELENS_ASSERT(root == static_cast<int>(m_formula.m_nodes.size()) - 1);
        return std::move(m_formula);
    }

private:
    using Term = Formula::Term;
    using Kind = Formula::Kind;

    int fail(const std::string& what)
    {
        if (!m_error)
            m_error = Error::invalid(fmt::format("formula '{}': {}", m_text, what), fmt::format("{}", m_at + 1));
        return -1;
    }
    void skipSpace()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == '\n')) ++m_at;
    }
    bool accept(std::string_view token)
    {
        skipSpace();
        if (m_text.substr(m_at, token.size()) != token) return false;
        m_at += token.size();
        return true;
    }
    int add(Term term)
    {
        if (m_formula.m_nodes.size() >= maxTerms) return fail("too long");
        m_formula.m_nodes.push_back(std::move(term));
        return static_cast<int>(m_formula.m_nodes.size()) - 1;
    }
    int call(FormulaFunction function, std::vector<int> arguments)
    {
        if (m_error) return -1;
        Term term;
        term.kind = Kind::Call;
        term.function = function;
        term.arguments = std::move(arguments);
        return add(std::move(term));
    }
    /// True when another level of nesting is allowed.
    bool enter()
    {
        if (++m_depth <= maxDepth) return true;
        fail("nested too deeply");
        return false;
    }

    int parseOr()
    {
        if (!enter()) return -1;
        int left = parseAnd();
        while (!m_error && accept("||")) {
            const int right = parseAnd();
            left = call(FormulaFunction::Or, {left, right});
        }
        --m_depth;
        return left;
    }
    int parseAnd()
    {
        int left = parseComparison();
        while (!m_error && accept("&&")) {
            const int right = parseComparison();
            left = call(FormulaFunction::And, {left, right});
        }
        return left;
    }
    int parseComparison()
    {
        const int left = parseSum();
        static constexpr std::pair<std::string_view, FormulaFunction> operators[] = {
            {"==", FormulaFunction::Equal},     {"!=", FormulaFunction::NotEqual},
            {"<=", FormulaFunction::LessEqual}, {">=", FormulaFunction::GreaterEqual},
            {"<", FormulaFunction::Less},       {">", FormulaFunction::Greater}};
        for (const auto& [token, function] : operators) {
            if (m_error || !accept(token)) continue;
            const int right = parseSum();
            return call(function, {left, right});
        }
        return left;
    }
    int parseSum()
    {
        int left = parseProduct();
        while (!m_error) {
            const bool isPlus = accept("+");
            if (!isPlus && !accept("-")) break;
            const int right = parseProduct();
            left = call(isPlus ? FormulaFunction::Add : FormulaFunction::Subtract, {left, right});
        }
        return left;
    }
    int parseProduct()
    {
        int left = parseUnary();
        while (!m_error) {
            const bool isTimes = accept("*");
            if (!isTimes && !accept("/")) break;
            const int right = parseUnary();
            left = call(isTimes ? FormulaFunction::Multiply : FormulaFunction::Divide, {left, right});
        }
        return left;
    }
    int parseUnary()
    {
        skipSpace();
        const bool isNot = m_at < m_text.size() && m_text[m_at] == '!' && m_text.substr(m_at, 2) != "!=";
        if (!isNot && (m_at >= m_text.size() || m_text[m_at] != '-')) return parsePrimary();
        ++m_at;
        if (!enter()) return -1;
        const int operand = parseUnary();
        --m_depth;
        return call(isNot ? FormulaFunction::Not : FormulaFunction::Negate, {operand});
    }
    int parsePrimary()
    {
        skipSpace();
        if (m_at >= m_text.size()) return fail("ends too early");
        const char c = m_text[m_at];
        if (accept("(")) {
            const int inner = parseOr();
            if (!m_error && !accept(")")) return fail("')' expected");
            return inner;
        }
        if ((c >= '0' && c <= '9') || c == '.') return parseNumber();
        if (isNameStart(c)) return parseName();
        return fail(fmt::format("unexpected '{}'", c));
    }
    int parseNumber()
    {
        Term term;
        const char* const first = m_text.data() + m_at;
        const auto [end, code] = std::from_chars(first, m_text.data() + m_text.size(), term.number);
        if (code != std::errc{} || !std::isfinite(term.number)) return fail("bad number");
        m_at += static_cast<std::size_t>(end - first);
        return add(std::move(term));
    }
    static bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
    std::string_view name()
    {
        const std::size_t first = m_at;
        while (m_at < m_text.size() && (isNameStart(m_text[m_at]) || (m_text[m_at] >= '0' && m_text[m_at] <= '9')))
            ++m_at;
        return m_text.substr(first, m_at - first);
    }

    int parseName()
    {
        const std::string_view word = name();
        if (accept("(")) return parseCall(word, -1);
        if (word == "soc" && accept(".")) {
            const std::string_view key = name();
            if (std::find(std::begin(socKeys), std::end(socKeys), key) == std::end(socKeys))
                return fail(fmt::format("unknown SoC quantity '{}'", key));
            Term term;
            term.kind = Kind::Soc;
            term.text = std::string(key);
            return add(std::move(term));
        }
        if (const int element = m_scope.elementIndex(word); element >= 0) {
            if (!accept(".")) return fail(fmt::format("'{}' is a tensor; say what of it ('.size', '.dim(0)')", word));
            const std::string_view method = name();
            if (accept("(")) return parseCall(method, element);
            return finishCall(method, {element}, {}, {});
        }
        if (const int variable = m_scope.variableIndex(word); variable >= 0) {
            Term term;
            term.kind = Kind::Variable;
            term.variable = variable;
            return add(std::move(term));
        }
        if (const DataType dtype = dataTypeFromName(word); dtype != DataType::Undefined) {
            Term term;
            term.number = static_cast<double>(dtype);
            return add(std::move(term));
        }
        return fail(fmt::format("unknown name '{}'", word));
    }

    /// After "name(": arguments up to ")". `self` is the element before the dot, or -1.
    int parseCall(std::string_view function, int self)
    {
        const Signature* const signature = findSignature(function);
        if (!signature) return fail(fmt::format("unknown function '{}'", function));
        if (!enter()) return -1;
        std::vector<int> elements, arguments;
        std::string text;
        bool hasText = false;
        if (self >= 0) elements.push_back(self);
        bool isFirst = true;
        while (!accept(")")) {
            if (m_error) return -1;
            if (!isFirst && !accept(",")) return fail("',' or ')' expected");
            isFirst = false;
            skipSpace();
            if (static_cast<int>(elements.size()) < signature->elements) {
                const std::string_view word = name();
                const int element = m_scope.elementIndex(word);
                if (element < 0) return fail(fmt::format("unknown name '{}'", word));
                elements.push_back(element);
            } else if (signature->texts && !hasText) {
                if (!accept("'")) return fail("a name in single quotes expected");
                const std::size_t close = m_text.find('\'', m_at);
                if (close == std::string_view::npos) return fail("closing quote missing");
                text = std::string(m_text.substr(m_at, close - m_at));
                m_at = close + 1;
                hasText = true;
            } else {
                arguments.push_back(parseOr());
            }
        }
        --m_depth;
        if (m_error) return -1;
        return finishCall(function, std::move(elements), std::move(text), std::move(arguments));
    }
    int finishCall(std::string_view function, std::vector<int> elements, std::string text, std::vector<int> arguments)
    {
        const Signature* const signature = findSignature(function);
        if (!signature) return fail(fmt::format("unknown function '{}'", function));
        const int numbers = static_cast<int>(arguments.size());
        if (static_cast<int>(elements.size()) != signature->elements || numbers < signature->minNumbers ||
            numbers > signature->maxNumbers || (signature->texts && text.empty()))
            return fail(fmt::format("wrong arguments for '{}'", function));
        Term term;
        term.kind = Kind::Call;
        term.function = signature->function;
        term.elements = std::move(elements);
        term.text = std::move(text);
        term.arguments = std::move(arguments);
        return add(std::move(term));
    }

    std::string_view m_text;
    const FormulaScope& m_scope;
    Formula m_formula;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::optional<Error> m_error;
};

Result<Formula> Formula::parse(std::string_view text, const FormulaScope& scope)
{
    return FormulaParser(text, scope).run();
}

namespace {

FormulaValue arithmetic(FormulaFunction function, std::span<const FormulaValue> v)
{
    const auto boolean = [](bool value) { return FormulaValue(value ? 1.0 : 0.0); };
    // A known operand can decide a logical operator alone.
    if (function == FormulaFunction::And) {
        if (v[0].isFalse() || v[1].isFalse()) return boolean(false);
    } else if (function == FormulaFunction::Or) {
        if (v[0].isTrue() || v[1].isTrue()) return boolean(true);
    } else if (function == FormulaFunction::If) {
        return v[0].isKnown ? v[v[0].number != 0 ? 1 : 2] : FormulaValue::unknown();
    }
    for (const FormulaValue& value : v)
        if (!value.isKnown) return FormulaValue::unknown();
    const double a = v[0].number, b = v.size() > 1 ? v[1].number : 0;
    switch (function) {
    case FormulaFunction::Add: return a + b;
    case FormulaFunction::Subtract: return a - b;
    case FormulaFunction::Multiply: return a * b;
    case FormulaFunction::Divide: return b == 0 ? FormulaValue::unknown() : FormulaValue(a / b);
    case FormulaFunction::Negate: return -a;
    case FormulaFunction::Not: return boolean(a == 0);
    case FormulaFunction::And: return boolean(a != 0 && b != 0);
    case FormulaFunction::Or: return boolean(a != 0 || b != 0);
    case FormulaFunction::Equal: return boolean(a == b);
    case FormulaFunction::NotEqual: return boolean(a != b);
    case FormulaFunction::Less: return boolean(a < b);
    case FormulaFunction::LessEqual: return boolean(a <= b);
    case FormulaFunction::Greater: return boolean(a > b);
    case FormulaFunction::GreaterEqual: return boolean(a >= b);
    case FormulaFunction::CeilDiv: return b == 0 ? FormulaValue::unknown() : FormulaValue(std::ceil(a / b));
    case FormulaFunction::Align: return b == 0 ? FormulaValue::unknown() : FormulaValue(std::ceil(a / b) * b);
    case FormulaFunction::Floor: return std::floor(a);
    case FormulaFunction::Abs: return std::fabs(a);
    case FormulaFunction::Sqrt: return a < 0 ? FormulaValue::unknown() : FormulaValue(std::sqrt(a));
    case FormulaFunction::Min:
    case FormulaFunction::Max: {
        double best = a;
        for (const FormulaValue& value : v)
            best = function == FormulaFunction::Min ? std::min(best, value.number) : std::max(best, value.number);
        return best;
    }
    default: return FormulaValue::unknown();
    }
}

} // namespace

FormulaValue Formula::evaluate(FormulaHost& host) const
{
    return m_nodes.empty() ? FormulaValue::unknown() : evaluateTerm(static_cast<int>(m_nodes.size()) - 1, host);
}

// Depth is bounded by the parser (maxDepth).
FormulaValue Formula::evaluateTerm(int index, FormulaHost& host) const
{
    const Term& term = m_nodes[static_cast<std::size_t>(index)];
    switch (term.kind) {
    case Kind::Number: return term.number;
    case Kind::Variable: return host.variable(term.variable);
    case Kind::Soc: return host.soc(term.text);
    case Kind::Call: break;
    }
    std::vector<FormulaValue> values;
    values.reserve(term.arguments.size());
    for (const int argument : term.arguments) values.push_back(evaluateTerm(argument, host));
    if (term.function <= FormulaFunction::If) return arithmetic(term.function, values);
    return host.query(term.function, term.elements, values, term.text);
}

std::vector<int> Formula::elements() const
{
    std::vector<int> found;
    for (const Term& term : m_nodes) found.insert(found.end(), term.elements.begin(), term.elements.end());
    return found;
}

std::vector<int> Formula::variables() const
{
    std::vector<int> found;
    for (const Term& term : m_nodes)
        if (term.kind == Kind::Variable) found.push_back(term.variable);
    return found;
}

std::int64_t largestThatFits(std::int64_t low, std::int64_t high, std::int64_t step,
                             const std::function<bool(std::int64_t)>& fits)
{
    step = std::max<std::int64_t>(step, 1);
    std::int64_t first = (low + step - 1) / step, last = high / step; // in steps
    std::int64_t best = first - 1;
    while (first <= last) {
        const std::int64_t middle = first + (last - first) / 2;
        if (fits(middle * step)) {
            best = middle;
            first = middle + 1;
        } else {
            last = middle - 1;
        }
    }
    return best * step;
}

std::int64_t smallestThatFits(std::int64_t low, std::int64_t high, const std::function<bool(std::int64_t)>& fits)
{
    std::int64_t best = high + 1;
    while (low <= high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (fits(middle)) {
            best = middle;
            high = middle - 1;
        } else {
            low = middle + 1;
        }
    }
    return best;
}

} // namespace gelens
