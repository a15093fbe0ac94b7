#include "viewers/graph/graph_query.h"

#include "engine/session/node_facts.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>

namespace gelens {
namespace {

QString textOf(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

/// Splits at spaces, but not inside /…/ or "…".
QStringList termsOf(const QString& text)
{
    QStringList terms;
    QString term;
    QChar open;
    for (const QChar c : text) {
        if (open.isNull() && c.isSpace()) {
            if (!term.isEmpty()) terms.append(std::exchange(term, {}));
            continue;
        }
        const bool startsPattern = term.isEmpty() || term.endsWith(QLatin1Char(':'));
        if (open.isNull() && startsPattern && (c == QLatin1Char('"') || c == QLatin1Char('/')))
            open = c;
        else if (!open.isNull() && c == open)
            open = {};
        term += c;
    }
    if (!term.isEmpty()) terms.append(term);
    return terms;
}

QRegularExpression patternOf(QString value)
{
    constexpr auto options = QRegularExpression::CaseInsensitiveOption;
    if (value.size() > 1 && value.startsWith(QLatin1Char('"')) && value.endsWith(QLatin1Char('"')))
        return QRegularExpression(QRegularExpression::escape(value.mid(1, value.size() - 2)), options);
    // "/model/mlp" is a scope, "/mlp\.\d+/" a regular expression: the latter ends with a slash.
    if (value.size() > 2 && value.startsWith(QLatin1Char('/')) && value.endsWith(QLatin1Char('/')))
        return QRegularExpression(value.mid(1, value.size() - 2), options);
    if (value.contains(QLatin1Char('*')) || value.contains(QLatin1Char('?'))) {
        QString glob = QRegularExpression::escape(value);
        glob.replace(QStringLiteral("\\*"), QStringLiteral(".*")).replace(QStringLiteral("\\?"), QStringLiteral("."));
        return QRegularExpression(QRegularExpression::anchoredPattern(glob), options);
    }
    return QRegularExpression(QRegularExpression::escape(value), options);
}

/// "[1, 3, 224]" and "1×3×224" → "1,3,224", which is how shapes are compared.
QString plainShape(QString text)
{
    text.replace(QChar(0xD7), QLatin1Char(','));
    text.remove(QLatin1Char(' ')).remove(QLatin1Char('[')).remove(QLatin1Char(']'));
    return text;
}

template <typename F>
bool anyDesc(const Node& node, F&& test)
{
    for (const OutputSlot& slot : node.outputs)
        if (test(slot.desc)) return true;
    for (const InputSlot& slot : node.inputs)
        if (slot.source.isValid() && test(slot.desc)) return true;
    return false;
}

} // namespace

GraphQuery GraphQuery::parse(const QString& text)
{
    static const QHash<QString, Field> fields = {
        {QStringLiteral("name"), Field::Name},      {QStringLiteral("type"), Field::Type},
        {QStringLiteral("dtype"), Field::DataType}, {QStringLiteral("shape"), Field::Shape},
        {QStringLiteral("format"), Field::Format},  {QStringLiteral("attr"), Field::Attribute},
        {QStringLiteral("unit"), Field::Unit},      {QStringLiteral("stream"), Field::Stream},
        {QStringLiteral("pass"), Field::Pass},      {QStringLiteral("engine"), Field::Engine},
        {QStringLiteral("verdict"), Field::Verdict}};
    GraphQuery query;
    for (const QString& written : termsOf(text)) {
        Term term;
        QString value = written;
        const qsizetype colon = written.indexOf(QLatin1Char(':'));
        if (colon > 0)
            if (const auto found = fields.find(written.left(colon).toLower()); found != fields.end()) {
                term.field = *found;
                value = written.mid(colon + 1);
            }
        if (value.isEmpty()) continue; // still being typed
        term.pattern =
            patternOf(term.field == Field::Shape && !value.startsWith(QLatin1Char('/')) ? plainShape(value) : value);
        if (!term.pattern.isValid()) {
            query.m_error = QCoreApplication::translate("GraphQuery", "“%1” is no regular expression: %2.")
                                .arg(value, term.pattern.errorString());
            query.m_terms.clear();
            return query;
        }
        query.m_terms.push_back(std::move(term));
    }
    return query;
}

bool GraphQuery::matchesTerm(const Term& term, const Node& node, const Run* run)
{
    const auto hits = [&](const QString& text) { return term.pattern.match(text).hasMatch(); };
    switch (term.field) {
    case Field::Any: return hits(textOf(node.name)) || hits(textOf(node.type));
    case Field::Name: return hits(textOf(node.name));
    case Field::Type: return hits(textOf(node.type));
    case Field::DataType:
        return anyDesc(node, [&](const TensorDesc& desc) {
            return hits(textOf(dataTypeShortName(desc.dtype))) || hits(textOf(dataTypeName(desc.dtype)));
        });
    case Field::Shape:
        return anyDesc(node, [&](const TensorDesc& desc) { return hits(plainShape(textOf(desc.shape.text()))); });
    case Field::Format: return anyDesc(node, [&](const TensorDesc& desc) { return hits(textOf(desc.format.text())); });
    case Field::Attribute:
        for (const auto& [name, value] : node.attrs)
            if (hits(textOf(name)) || hits(textOf(name + "=" + value.text()))) return true;
        return false;
    case Field::Unit: return hits(textOf(unitName(nodeUnit(node))));
    case Field::Stream: return hits(QString::number(node.placement.streamId));
    case Field::Engine: return hits(textOf(node.placement.engine));
    case Field::Verdict: return term.nodes.contains(node.id.value);
    case Field::Pass:
        if (run == nullptr) return false;
        for (const StepId step : run->stepsTouching(node.id))
            if (step.value >= 0 && static_cast<std::size_t>(step.value) < term.steps.size() &&
                term.steps[static_cast<std::size_t>(step.value)])
                return true;
        return false;
    }
    return false;
}

/// What a term asks of the run, looked up once and not for each node.
void GraphQuery::prepare(Term& term, const Run* run)
{
    if (run == nullptr || (term.field != Field::Pass && term.field != Field::Verdict)) return;
    const auto hits = [&](std::string_view text) {
        return !text.empty() && term.pattern.match(textOf(text)).hasMatch();
    };
    const auto isWhole = [&](std::string_view text) { // "fused" is a part of "refused"
        return term.pattern.match(textOf(text)).capturedLength() == static_cast<qsizetype>(text.size());
    };
    for (const Step& step : run->steps) {
        term.steps.push_back(term.field == Field::Pass && hits(step.pass));
        if (term.field != Field::Verdict) continue;
        for (const FusionVerdict& verdict : step.verdicts) {
            if (!hits(verdict.rule) && !hits(verdict.gePass) && !isWhole(verdict.fused ? "fused" : "refused") &&
                (verdict.fused || !hits(reasonName(verdict.reason))))
                continue;
            for (const NodeId id : verdict.nodes) term.nodes.insert(id.value);
            term.nodes.insert(verdict.into.value);
            term.nodes.insert(verdict.mismatchNode.value);
        }
    }
}

std::vector<NodeId> GraphQuery::find(const Graph& graph, const Run* run, std::stop_token stop) const
{
    std::vector<NodeId> found;
    if (isEmpty()) return found;
    std::vector<Term> terms = m_terms;
    for (Term& term : terms) prepare(term, run);
    std::size_t looked = 0;
    for (const NodeId id : graph.allNodes()) {
        if (++looked % 1024 == 0 && stop.stop_requested()) break;
        const Node& node = graph.node(id);
        if (std::all_of(terms.begin(), terms.end(), [&](const Term& term) { return matchesTerm(term, node, run); }))
            found.push_back(id);
    }
    return found;
}

} // namespace gelens
