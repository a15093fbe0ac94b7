#pragma once
// Theme and language of the whole program, changed without a restart.

#include <QString>

namespace gelens {

/// "light", "dark", or empty for the system's (the desktop portal's colour scheme, else the palette's lightness).
void applyTheme(const QString& theme);
/// "en", "zh_CN", or empty for the system's. Widgets get a LanguageChange event.
void applyLanguage(const QString& language);
/// Size of letters in points; 0 for the system's.
void applyFontPoints(int points);

} // namespace gelens
