#include "engine/session/condition_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace gelens {
namespace {

constexpr std::array<std::string_view, 10> knownNames{"hits",  "step",      "edits", "operators", "nodes",
                                                      "edges", "constants", "ms",    "memory",    "peak"};

bool isSign(char c) { return c == '<' || c == '>' || c == '=' || c == '!'; }

/// Words, numbers and signs; blanks part them and signs need none around them.
std::vector<std::string_view> wordsOf(std::string_view text)
{
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == ' ' || text[i] == '\t') {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && text[end] != ' ' && text[end] != '\t' && isSign(text[end]) == isSign(text[i]))
            ++end;
        words.push_back(text.substr(i, end - i));
        i = end;
    }
    return words;
}

std::optional<double> numberOf(std::string_view word)
{
    double factor = 1;
    if (!word.empty()) {
        const char last = word.back();
        if (last == 'k' || last == 'K') factor = 1e3;
        if (last == 'M') factor = 1e6;
        if (last == 'G') factor = 1e9;
        if (factor > 1) word.remove_suffix(1);
    }
    double value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value * factor;
}

} // namespace

std::optional<Condition::Operator> Condition::operatorOf(std::string_view word)
{
    constexpr std::pair<std::string_view, Operator> operators[] = {
        {"<", Operator::Less},   {"<=", Operator::LessEqual}, {">", Operator::Greater},  {">=", Operator::GreaterEqual},
        {"==", Operator::Equal}, {"=", Operator::Equal},      {"!=", Operator::NotEqual}};
    for (const auto& [sign, op] : operators)
        if (sign == word) return op;
    return std::nullopt;
}

Result<Condition> Condition::parse(std::string_view text, const std::vector<std::string_view>& more)
{
    Condition condition;
    std::vector<std::string_view> known(knownNames.begin(), knownNames.end());
    known.insert(known.end(), more.begin(), more.end());
    const std::vector<std::string_view> words = wordsOf(text);
    for (std::size_t i = 0; i < words.size(); i += 4) {
        if (std::find(known.begin(), known.end(), words[i]) == known.end())
            return Error::invalid(
                fmt::format("'{}' is no figure of a step; known are {}", words[i], fmt::join(known, ", ")));
        if (i + 2 >= words.size()) return Error::invalid(fmt::format("'{}' is compared with nothing", words[i]));
        const auto op = operatorOf(words[i + 1]);
        if (!op) return Error::invalid(fmt::format("'{}' compares nothing; known are < <= > >= == !=", words[i + 1]));
        const auto value = numberOf(words[i + 2]);
        if (!value) return Error::invalid(fmt::format("'{}' is no number", words[i + 2]));
        if (i + 3 < words.size() && (words[i + 3] != "and" || i + 4 >= words.size()))
            return Error::invalid(fmt::format("'{}' does not go on; comparisons are joined by 'and'", words[i + 3]));
        condition.m_terms.push_back({std::string(words[i]), *op, *value});
    }
    return condition;
}

bool Condition::mentions(std::string_view name) const
{
    return std::any_of(m_terms.begin(), m_terms.end(), [&](const Term& term) { return term.name == name; });
}

bool Condition::holds(const Values& values) const
{
    return std::all_of(m_terms.begin(), m_terms.end(), [&](const Term& term) {
        const double value = values(term.name);
        switch (term.op) {
        case Operator::Less: return value < term.value;
        case Operator::LessEqual: return value <= term.value;
        case Operator::Greater: return value > term.value;
        case Operator::GreaterEqual: return value >= term.value;
        case Operator::Equal: return value == term.value;
        case Operator::NotEqual: return value != term.value;
        }
        return false;
    });
}

} // namespace gelens
