#pragma once
// How the graph is drawn, in words: what a session keeps of it and what a command line says of it.

#include "app/core/preferences.h"

#include <QString>
#include <QStringList>

#include <map>
#include <vector>

namespace gelens {

/// "mode" → "overlay", "fold_blocks" → "off". What is left out is as shipped.
using DrawingWords = std::map<QString, QString>;

/// The preferences that a drawing begins with. The map in its corner and gliding blocks are the person's alone.
const std::vector<Preference>& drawingPreferences();
/// The key of the preference without its page: "colour_by".
QString drawingKey(Preference preference);
QStringList drawingKeys(); ///< of drawingPreferences()
/// Choices as they are stored; "on" and "off" of a flag. The first is the shipped one.
QStringList drawingChoices(Preference preference);
/// What is wrong with a word, in one line; empty: nothing.
QString drawingProblem(const QString& key, const QString& word);

} // namespace gelens
