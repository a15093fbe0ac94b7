#pragma once
// Answers a formula's questions about one match.

#include "engine/fusion/formula.h"
#include "engine/fusion/fusion_environment.h"
#include "engine/fusion/matcher.h"

#include <map>
#include <optional>
#include <vector>

namespace gelens {

class MatchHost : public FormulaHost {
public:
    /// `environment` may be null: then SoC quantities are unknown.
    MatchHost(const Graph& graph, const Rule& rule, const Match& match, const FusionEnvironment* environment);

    FormulaValue variable(int index) override;
    FormulaValue soc(std::string_view key) override;
    FormulaValue query(FormulaFunction function, const std::vector<int>& elements,
                       const std::vector<FormulaValue>& numbers, std::string_view text) override;

    /// Puts a number in place of a let or tile (the threshold solver, the tile search).
    void setVariable(int index, double value);
    void clearVariables();
    /// Element c of constants that at() reads; for constants that a rule makes.
    void setChannel(std::size_t channel) { m_channel = channel; }

    OutputRef tensor(int element) const;
    const TensorDesc* desc(int element) const; ///< null when the element is not there
    const Tensor* constant(int element) const; ///< null unless it is a Const with a value

private:
    FormulaValue tensorQuery(FormulaFunction function, int element, const std::vector<FormulaValue>& numbers);
    FormulaValue pairQuery(FormulaFunction function, int a, int b, const std::vector<FormulaValue>& numbers);
    FormulaValue nodeQuery(FormulaFunction function, int element, const std::vector<FormulaValue>& numbers,
                           std::string_view text);
    FormulaValue channelValue(int element);
    /// Whether every other reader of the tensor comes before the operator in any order.
    FormulaValue readsLast(int element, int tensorElement) const;

    const Graph& m_graph;
    const Rule& m_rule;
    const Match& m_match;
    const FusionEnvironment* m_environment;
    std::vector<std::optional<FormulaValue>> m_fixed; ///< set from outside
    std::vector<std::optional<FormulaValue>> m_computed;
    std::map<int, std::vector<double>> m_channels; ///< values of constants that at() reads
    std::size_t m_channel = 0;
};

/// Trailing axes that a reduction covers, when it covers exactly the last n; 0 when others; unknown when not constant.
FormulaValue trailingAxes(const Graph& graph, const Node& node);
/// Integers of a constant input, or of an attribute of that name; nothing when neither is there.
std::optional<IntList> constantInts(const Graph& graph, const Node& node, int input, std::string_view attribute);

} // namespace gelens
