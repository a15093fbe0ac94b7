#pragma once
// The one place where numbers become text.

#include <QString>

#include <cstdint>

namespace gelens::format {

QString count(std::int64_t value);                ///< "1,247", grouped as the language does
QString bytes(std::int64_t value);                ///< "27.1 MB"; exact below 1 kB
QString exactBytes(std::int64_t value);           ///< "655,360 B"
QString microseconds(double value);               ///< "15.6 ms", "930 µs"
QString milliseconds(double value);               ///< "12.4 ms"
QString percent(double fraction, int digits = 1); ///< 0.771 → "77.1 %"
QString signedCount(std::int64_t value);          ///< "−38", "+12", "0"
QString real(double value);                       ///< up to 6 significant digits

} // namespace gelens::format
