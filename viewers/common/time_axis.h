#pragma once
// A horizontal (or vertical) axis that zooms and pans within its limits: the arithmetic behind the painted timelines.

#include <algorithm>
#include <cmath>
#include <vector>

namespace gelens {

/// Values between `low` and `high` exist; those from `from` to `to` are shown on `length` pixels. Values have the unit of
/// the view: task positions, microseconds, bytes.
class TimeAxis {
public:
    void setLimits(double low, double high, double smallestSpan)
    {
        m_low = low;
        m_high = std::max(high, low + smallestSpan);
        m_smallest = smallestSpan;
        fit();
    }
    void setLength(double pixels) { m_length = std::max(1.0, pixels); }

    double low() const { return m_low; }
    double high() const { return m_high; }
    double from() const { return m_from; }
    double to() const { return m_to; }
    double span() const { return m_to - m_from; }
    double length() const { return m_length; }
    double scale() const { return m_length / span(); } ///< pixels for one unit
    double toPixel(double value) const { return (value - m_from) * scale(); }
    double toValue(double pixel) const { return m_from + pixel / scale(); }
    bool isFitted() const { return m_from <= m_low && m_to >= m_high; }

    void fit() { show(m_low, m_high); }
    /// Shows a range, moved and cut so that it stays within the limits.
    void show(double from, double to)
    {
        const double span = std::clamp(to - from, m_smallest, m_high - m_low);
        m_from = std::clamp(from, m_low, m_high - span);
        m_to = m_from + span;
    }
    /// A factor above 1 shows less; the value under `pixel` stays there.
    void zoom(double factor, double pixel)
    {
        const double fixed = toValue(pixel), share = pixel / m_length;
        const double wanted = std::clamp(span() / factor, m_smallest, m_high - m_low);
        show(fixed - share * wanted, fixed - share * wanted + wanted);
    }
    /// By a share of what is shown; positive moves towards higher values.
    void pan(double share) { show(m_from + share * span(), m_to + share * span()); }
    /// Brings a range into sight without changing the zoom, unless it does not fit.
    void reveal(double from, double to)
    {
        if (from >= m_from && to <= m_to) return;
        if (to - from > span()) return show(from - (to - from) * 0.1, to + (to - from) * 0.1);
        const double middle = (from + to) / 2;
        show(middle - span() / 2, middle + span() / 2);
    }
    /// Round values (1, 2, 5 times a power of ten) at least `pixels` apart that lie in sight.
    std::vector<double> ticks(double pixels, double smallestStep = 0) const
    {
        const double raw = std::max(span() * pixels / m_length, smallestStep);
        const double power = std::pow(10.0, std::floor(std::log10(raw)));
        const double step = power * (raw <= power ? 1 : raw <= 2 * power ? 2 : raw <= 5 * power ? 5 : 10);
        std::vector<double> values;
        for (double value = std::ceil(m_from / step) * step; value <= m_to && values.size() < 1000; value += step)
            values.push_back(value);
        return values;
    }

private:
    double m_low = 0, m_high = 1, m_smallest = 1e-6;
    double m_from = 0, m_to = 1;
    double m_length = 1;
};

} // namespace gelens
