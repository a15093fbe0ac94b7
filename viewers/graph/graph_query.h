#pragma once
// The search line of the graph view: words and field:value terms, matched against every node of a graph.

#include "engine/graph/graph.h"
#include "engine/session/run.h"

#include <QRegularExpression>
#include <QString>

#include <cstdint>
#include <stop_token>
#include <unordered_set>
#include <vector>

namespace gelens {

/// "softmax", "type:MatMul*", "shape:1,332", "dtype:fp16 unit:cube", "attr:axis=1", "name:/layers\.3\b/": every term must
/// match. A plain text is a substring, one with * or ? a glob over the whole value, one between slashes a regular
/// expression; case never matters. Fields: name, type, dtype, shape, format, attr, unit, engine, stream, pass (that
/// touched the node), verdict (rule, pass or reason of a fusion tried on it, or "fused", "refused").
class GraphQuery {
public:
    static GraphQuery parse(const QString& text);

    bool isEmpty() const { return m_terms.empty(); }
    /// One sentence when the text cannot be understood (a bad regular expression); empty otherwise.
    const QString& error() const { return m_error; }

    /// Matching nodes in the graph's order; looks at the stop token. `run` is needed for pass: and verdict: only and may
    /// be null.
    std::vector<NodeId> find(const Graph& graph, const Run* run, std::stop_token stop = {}) const;

private:
    enum class Field { Any, Name, Type, DataType, Shape, Format, Attribute, Unit, Engine, Stream, Pass, Verdict };
    struct Term {
        Field field = Field::Any;
        QRegularExpression pattern;
        std::vector<bool> steps;                ///< Pass: steps whose pass matches
        std::unordered_set<std::int32_t> nodes; ///< Verdict: nodes that a matching verdict speaks of
    };
    static void prepare(Term& term, const Run* run);
    static bool matchesTerm(const Term& term, const Node& node, const Run* run);

    std::vector<Term> m_terms;
    QString m_error;
};

} // namespace gelens
