#include "viewers/models/sentence_patterns_internal.h"

#include "viewers/common/formatter.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <optional>

namespace gelens::words {
namespace {

constexpr int maxDepth = 4; ///< a remedy in a link in a chain; anything deeper is not ours

struct Form {
    const SentencePattern* pattern;
    QString start;                 ///< literal text before the first changing part
    QString longest;               ///< the longest literal text: looked for first, which spares most expressions
    QRegularExpression expression; ///< one group for each part
    qsizetype literalLength;
};

Form formOf(const SentencePattern& pattern)
{
    static const QRegularExpression part(QStringLiteral("%\\d"));
    const QString text = QString::fromUtf8(pattern.text);
    const QStringList pieces = text.split(part);
    QStringList escaped;
    for (const QString& piece : pieces) escaped += QRegularExpression::escape(piece);
    const QString longest = *std::max_element(pieces.begin(), pieces.end(),
                                              [](const QString& a, const QString& b) { return a.size() < b.size(); });
    Form form{&pattern, pieces.front(), longest,
              QRegularExpression(QRegularExpression::anchoredPattern(escaped.join(QStringLiteral("(.+?)"))),
                                 QRegularExpression::DotMatchesEverythingOption),
              0};
    for (const QString& piece : pieces) form.literalLength += piece.size();
    return form;
}

/// The pattern with most fixed text comes first, so that "%1: %2" is tried last.
const std::vector<Form>& forms()
{
    static const std::vector<Form> all = [] {
        std::vector<Form> made;
        for (const SentencePattern& pattern : sentencePatterns()) made.push_back(formOf(pattern));
        std::stable_sort(made.begin(), made.end(),
                         [](const Form& a, const Form& b) { return a.literalLength > b.literalLength; });
        return made;
    }();
    return all;
}

/// A text in the language of the window, as far as it is known.
struct Said {
    QString text;
    bool isWhole = true; ///< no part of it that reads like a sentence was left in English
};

std::optional<Said> translated(const QString& english, int depth);
std::optional<Said> translatedOne(const QString& english, int depth);

/// Names, types and numbers stay as they are; several words in a row want a translation.
bool isProse(const QString& text)
{
    static const QRegularExpression words(QStringLiteral("(?:^|[ (])[a-z]{2,} [a-z]{2,}"));
    return words.match(text).hasMatch();
}

/// "score rows 1,024 B + operand tiles 64 B, rows = 16": what fills a memory, each part by its name in the rule file.
Said breakdown(const QString& english, int depth)
{
    static const QRegularExpression term(QStringLiteral("^(.+?) ([\\d,]+ B(?:, .*)?)$"));
    QStringList terms = english.split(QStringLiteral(" + "));
    bool isWhole = true;
    for (QString& each : terms) {
        const QRegularExpressionMatch match = term.match(each);
        if (!match.hasMatch()) {
            isWhole &= !isProse(each);
        } else if (const auto name = translatedOne(match.captured(1), depth + 1)) {
            each = name->text + QLatin1Char(' ') + match.captured(2);
            isWhole &= name->isWhole;
        } else {
            isWhole &= !isProse(match.captured(1));
        }
    }
    return {terms.join(QStringLiteral(" + ")), isWhole};
}

/// A count between words is written as everywhere; in quotes it is a name.
QString grouped(const QString& part)
{
    static const QRegularExpression count(QStringLiteral("^\\d{4,18}$"));
    return count.match(part).hasMatch() ? format::count(part.toLongLong()) : part;
}

Said filled(const Form& form, const QRegularExpressionMatch& match, int depth)
{
    const QString result = QCoreApplication::translate("gelens::Sentence", form.pattern->text);
    QStringList parts = match.capturedTexts().mid(1);
    Said said;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if ((form.pattern->translatedParts >> i & 1U) == 0) continue;
        const auto known = translated(parts[i], depth + 1);
        const Said part = known ? *known : breakdown(parts[i], depth + 1);
        parts[i] = part.text;
        said.isWhole &= part.isWhole;
    }
    // All at once: a part may hold a "%1" of its own.
    static const QRegularExpression place(QStringLiteral("%(\\d)"));
    qsizetype from = 0;
    for (auto found = place.globalMatch(result); found.hasNext();) {
        const QRegularExpressionMatch at = found.next();
        said.text += QStringView(result).mid(from, at.capturedStart() - from);
        const QChar before = at.capturedStart() > 0 ? result[at.capturedStart() - 1] : QChar();
        const bool isName = before == QLatin1Char('\'') || before == QLatin1Char('"') || before == QChar(0x201c);
        said.text +=
            isName ? parts.value(at.captured(1).toInt() - 1) : grouped(parts.value(at.captured(1).toInt() - 1));
        from = at.capturedEnd();
    }
    said.text += QStringView(result).mid(from);
    return said;
}

std::optional<Said> translatedOne(const QString& english, int depth)
{
    std::optional<Said> best;
    for (const Form& form : forms()) {
        if (!english.startsWith(form.start) || form.literalLength > english.size() || !english.contains(form.longest))
            continue;
        const QRegularExpressionMatch match = form.expression.match(english);
        if (!match.hasMatch()) continue;
        Said said = filled(form, match, depth);
        if (said.isWhole) return said;
        if (!best) best = std::move(said);
    }
    return best;
}

/// Parts that are translated one by one. Nothing when none of them is known.
std::optional<Said> translatedEach(const QStringList& parts, const QString& between, int depth)
{
    QStringList done;
    bool isKnown = false, isWhole = true;
    for (const QString& each : parts) {
        const auto one = translatedOne(each, depth);
        isKnown |= one.has_value();
        isWhole &= one && one->isWhole;
        done += one ? one->text : each;
    }
    if (!isKnown) return std::nullopt;
    return Said{done.join(between), isWhole};
}

std::optional<Said> translated(const QString& english, int depth)
{
    if (english.isEmpty() || depth > maxDepth) return std::nullopt;
    // Several sentences in a row are translated one by one, and so are counts: "2 nodes only simulated (Cast 2), 1 node
    // different (Add 1)", whose types in brackets would else be taken for one long list.
    static const QRegularExpression border(QStringLiteral("(?<=\\.) (?=[A-Z])"));
    static const QRegularExpression comma(QStringLiteral("(?<=\\)), (?=\\d+ nodes? (?:only|different) )"));
    const bool isSpaced = QLocale().language() != QLocale::Chinese;
    if (const QStringList sentences = english.split(border); sentences.size() > 1)
        return translatedEach(sentences, isSpaced ? QStringLiteral(" ") : QString(), depth);
    if (const QStringList counts = english.split(comma); counts.size() > 1)
        return translatedEach(counts, isSpaced ? QStringLiteral(", ") : QStringLiteral("，"), depth);
    return translatedOne(english, depth);
}

} // namespace

const std::vector<SentencePattern>& sentencePatterns()
{
    static const std::vector<SentencePattern> all = [] {
        std::vector<SentencePattern> joined;
        for (const auto* part :
             {&sentencesOfFusion(), &sentencesOfFiles(), &sentencesOfRuns(), &sentencesOfOperators()})
            joined.insert(joined.end(), part->begin(), part->end());
        return joined;
    }();
    return all;
}

QString sentence(std::string_view english)
{
    const QString text = QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size()));
    const auto said = translated(text, 0);
    return said ? said->text : text;
}

bool isKnownSentence(std::string_view english)
{
    const auto said = translated(QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size())), 0);
    return said && said->isWhole;
}

} // namespace gelens::words
