#pragma once
// Conditions of breakpoints: "hits >= 3 and memory > 20M". Private to this folder.

#include "engine/graph/result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

class Condition {
public:
    /// An empty text holds always. Errors name the word that cannot be read.
    /// `more`: names known here besides those of a step.
    static Result<Condition> parse(std::string_view text, const std::vector<std::string_view>& more = {});
    using Values = std::function<double(std::string_view name)>;
    bool holds(const Values& values) const;
    bool mentions(std::string_view name) const;
    /// The first variable of the text; empty for an empty condition.
    std::string_view firstName() const { return m_terms.empty() ? std::string_view() : m_terms.front().name; }
    bool isEmpty() const { return m_terms.empty(); }

private:
    enum class Operator { Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual };
    struct Term {
        std::string name;
        Operator op = Operator::Greater;
        double value = 0;
    };
    static std::optional<Operator> operatorOf(std::string_view word);
    std::vector<Term> m_terms;
};

} // namespace gelens
