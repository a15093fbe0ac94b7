#include "app/core/drawing_words.h"

#include <utility>

namespace gelens {

const std::vector<Preference>& drawingPreferences()
{
    using P = Preference;
    static const std::vector<Preference> all{P::GraphMode,  P::GraphColours,  P::FoldBlocks,  P::FoldScopes,
                                             P::EdgeShapes, P::EdgeDataTypes, P::EdgeFormats, P::Constants};
    return all;
}

QString drawingKey(Preference preference)
{
    return QString::fromLatin1(preferenceInfo(preference).key).section(QLatin1Char('/'), -1);
}

QStringList drawingKeys()
{
    QStringList keys;
    for (const Preference each : drawingPreferences()) keys += drawingKey(each);
    return keys;
}

QStringList drawingChoices(Preference preference)
{
    const PreferenceInfo& info = preferenceInfo(preference);
    if (info.kind == PreferenceInfo::Kind::Choice) return info.choices;
    QStringList choices{QStringLiteral("on"), QStringLiteral("off")};
    if (!info.initial.toBool()) std::swap(choices[0], choices[1]);
    return choices;
}

QString drawingProblem(const QString& key, const QString& word)
{
    const QStringList keys = drawingKeys();
    const qsizetype at = keys.indexOf(key);
    if (at < 0) return QStringLiteral("%1: known are %2").arg(key, keys.join(QLatin1Char(' ')));
    const QStringList choices = drawingChoices(drawingPreferences()[static_cast<std::size_t>(at)]);
    if (choices.contains(word)) return {};
    return QStringLiteral("%1=%2: known are %3").arg(key, word, choices.join(QLatin1Char(' ')));
}

} // namespace gelens
