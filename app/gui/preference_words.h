#pragma once
// Names and explanations of preferences, in the language of the window.

#include "app/core/preferences.h"

#include <QString>

namespace gelens::words {

QString preference(Preference preference);
QString preferenceToolTip(Preference preference);
/// What a choice is called; `choice` is what is stored.
QString preferenceChoice(Preference preference, const QString& choice);
/// In place of the number 0, where it means something else; empty otherwise.
QString preferenceZero(Preference preference);
/// Unit behind a number, with its blank.
QString preferenceUnit(Preference preference);

} // namespace gelens::words
