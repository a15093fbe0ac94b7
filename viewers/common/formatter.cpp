#include "viewers/common/formatter.h"

#include <QLocale>

#include <cmath>

namespace gelens::format {
namespace {

/// A locale writes a hyphen for the minus.
QString withMinus(QString number) { return number.replace(QLatin1Char('-'), QChar(0x2212)); }

QString fixed(double value, int decimals) { return withMinus(QLocale().toString(value, 'f', decimals)); }

} // namespace

QString count(std::int64_t value) { return withMinus(QLocale().toString(static_cast<qlonglong>(value))); }

QString bytes(std::int64_t value)
{
    static const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
    double scaled = static_cast<double>(value);
    int unit = 0;
    while (std::abs(scaled) >= 1000 && unit < 4) {
        scaled /= 1000;
        ++unit;
    }
    if (unit == 0) return exactBytes(value);
    const int decimals = std::abs(scaled) < 10 ? 2 : std::abs(scaled) < 100 ? 1 : 0;
    return fixed(scaled, decimals) + QLatin1Char(' ') + QLatin1String(units[unit]);
}

QString exactBytes(std::int64_t value) { return count(value) + QStringLiteral(" B"); }

QString microseconds(double value)
{
    if (std::abs(value) >= 1e6) return fixed(value / 1e6, 2) + QStringLiteral(" s");
    if (std::abs(value) >= 1000) return fixed(value / 1000, std::abs(value) < 1e5 ? 2 : 1) + QStringLiteral(" ms");
    return fixed(value, std::abs(value) < 100 ? 1 : 0) + QStringLiteral(" µs");
}

QString milliseconds(double value) { return microseconds(value * 1000); }

QString percent(double fraction, int digits) { return fixed(fraction * 100, digits) + QStringLiteral(" %"); }

QString signedCount(std::int64_t value)
{
    if (value == 0) return QStringLiteral("0");
    return (value > 0 ? QStringLiteral("+") : QStringLiteral("−")) + count(value > 0 ? value : -value);
}

QString real(double value) { return withMinus(QLocale().toString(value, 'g', 6)); }

} // namespace gelens::format
