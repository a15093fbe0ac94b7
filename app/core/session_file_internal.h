#pragma once
// What the two halves of session_file.h share.

#include "app/core/session_file.h"

#include <string_view>

namespace gelens::session {

/// 2: notes by card, originals, dumps beside a run, comparisons, the log. What came later can be passed over by programs
/// that do not know it: the text diff's files, a comparison's place, the drawing.
inline constexpr int fileVersion = 2;

inline QString key(const char* name) { return QLatin1String(name); }
inline QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace gelens::session
