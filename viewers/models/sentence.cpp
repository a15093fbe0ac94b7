#include "viewers/models/sentence.h"

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
    Form form{&pattern, pieces.front(), QRegularExpression(QRegularExpression::anchoredPattern(escaped.join(QStringLiteral("(.+?)"))),
                                                           QRegularExpression::DotMatchesEverythingOption), 0};
    for (const QString& piece : pieces) form.literalLength += piece.size();
    return form;
}

/// The pattern with most fixed text comes first, so that "%1: %2" is tried last.
const std::vector<Form>& forms()
{
    static const std::vector<Form> all = [] {
        std::vector<Form> made;
        for (const SentencePattern& pattern : sentencePatterns()) made.push_back(formOf(pattern));
        std::stable_sort(made.begin(), made.end(), [](const Form& a, const Form& b) { return a.literalLength > b.literalLength; });
        return made;
    }();
    return all;
}

std::optional<QString> translated(const QString& english, int depth);

std::optional<QString> translatedOne(const QString& english, int depth);

/// "score rows 1,024 B + operand tiles 64 B, rows = 16": what fills a memory, each part by its name in the rule file.
QString breakdown(const QString& english, int depth)
{
    static const QRegularExpression term(QStringLiteral("^(.+?) ([\\d,]+ B(?:, .*)?)$"));
    QStringList terms = english.split(QStringLiteral(" + "));
    for (QString& each : terms) {
        const QRegularExpressionMatch match = term.match(each);
        if (!match.hasMatch()) continue;
        if (const auto name = translatedOne(match.captured(1), depth + 1)) each = *name + QLatin1Char(' ') + match.captured(2);
    }
    return terms.join(QStringLiteral(" + "));
}

std::optional<QString> translatedOne(const QString& english, int depth)
{
    for (const Form& form : forms()) {
        if (!english.startsWith(form.start)) continue;
        const QRegularExpressionMatch match = form.expression.match(english);
        if (!match.hasMatch()) continue;
        QString result = QCoreApplication::translate("gelens::Sentence", form.pattern->text);
        QStringList parts = match.capturedTexts().mid(1);
        for (qsizetype i = 0; i < parts.size(); ++i)
            if ((form.pattern->translatedParts >> i & 1U) != 0) parts[i] = translated(parts[i], depth + 1).value_or(breakdown(parts[i], depth + 1));
        // All at once: a part may hold a "%1" of its own.
        static const QRegularExpression place(QStringLiteral("%(\\d)"));
        QString filled;
        qsizetype from = 0;
        for (auto found = place.globalMatch(result); found.hasNext();) {
            const QRegularExpressionMatch at = found.next();
            filled += QStringView(result).mid(from, at.capturedStart() - from);
            filled += parts.value(at.captured(1).toInt() - 1);
            from = at.capturedEnd();
        }
        filled += QStringView(result).mid(from);
        return filled;
    }
    return std::nullopt;
}

std::optional<QString> translated(const QString& english, int depth)
{
    if (english.isEmpty() || depth > maxDepth) return std::nullopt;
    // Several sentences in a row are translated one by one.
    static const QRegularExpression border(QStringLiteral("(?<=\\.) (?=[A-Z])"));
    const QStringList sentences = english.split(border);
    if (sentences.size() == 1) return translatedOne(english, depth);
    QStringList done;
    bool isKnown = false;
    for (const QString& each : sentences) {
        const auto one = translatedOne(each, depth);
        isKnown |= one.has_value();
        done += one.value_or(each);
    }
    if (!isKnown) return std::nullopt;
    const bool isSpaced = QLocale().language() != QLocale::Chinese;
    return done.join(isSpaced ? QStringLiteral(" ") : QString());
}

} // namespace

QString sentence(std::string_view english)
{
    const QString text = QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size()));
    return translated(text, 0).value_or(text);
}

bool isKnownSentence(std::string_view english)
{
    return translated(QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size())), 0).has_value();
}

} // namespace gelens::words
