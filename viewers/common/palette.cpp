#include "viewers/common/palette.h"

#include <array>

namespace gelens {

QColor Palette::canvas() const { return pick("#fbfbfd", "#1b1d21"); }
QColor Palette::text() const { return pick("#1c1e21", "#e6e7ea"); }
QColor Palette::mutedText() const { return pick("#5f6570", "#9aa1ad"); }
QColor Palette::line() const { return pick("#8a919e", "#6d7480"); }
QColor Palette::faintLine() const { return pick("#dfe2e8", "#33373f"); }
QColor Palette::nodeFill() const { return pick("#ffffff", "#282b31"); }
QColor Palette::accent() const { return pick("#0b63c5", "#6db3ff"); }
QColor Palette::warning() const { return pick("#a35c00", "#f0b04a"); }
QColor Palette::error() const { return pick("#b3261e", "#ff8a80"); }
QColor Palette::good() const { return pick("#00704f", "#4fd1a5"); }

QColor Palette::unit(Unit unit) const
{
    switch (unit) {
    case Unit::Cube: return pick("#0072b2", "#56a7e0");
    case Unit::Vector: return pick("#009e73", "#3cc79c");
    case Unit::Mix: return pick("#9b4f96", "#cf8cc9");
    case Unit::AiCpu:
    case Unit::Host: return pick("#d55e00", "#f28a4b");
    case Unit::Runtime: return pick("#7a6a00", "#d9c64a");
    case Unit::None:
    case Unit::GeLocal: break;
    }
    return pick("#7b818c", "#8d94a0");
}

QColor Palette::change(ChangeKind kind) const
{
    switch (kind) {
    case ChangeKind::Added: return pick("#0072b2", "#56b4e9");
    case ChangeKind::Removed: return pick("#c2410c", "#ff9057");
    case ChangeKind::Changed: return pick("#8a6d00", "#f0e442");
    }
    return line();
}

QColor Palette::stage(Stage stage) const
{
    switch (stage) {
    case Stage::Parse: return pick("#7b818c", "#8d94a0");
    case Stage::Compile: return pick("#0072b2", "#56a7e0");
    case Stage::Memory: return pick("#009e73", "#3cc79c");
    case Stage::Tasks: return pick("#d55e00", "#f28a4b");
    case Stage::Launch: return pick("#9b4f96", "#cf8cc9");
    }
    return line();
}

QColor Palette::reason(ReasonClass reasonClass) const
{
    switch (reasonClass) {
    case ReasonClass::NoRule: return pick("#7b818c", "#8d94a0");
    case ReasonClass::Capacity: return pick("#d55e00", "#f28a4b");
    case ReasonClass::Unit: return pick("#9b4f96", "#cf8cc9");
    case ReasonClass::Structure: return pick("#0072b2", "#56a7e0");
    }
    return line();
}

QColor Palette::bound(Bound bound) const
{
    switch (bound) {
    case Bound::Launch: return pick("#7b818c", "#8d94a0");
    case Bound::Compute: return pick("#0072b2", "#56a7e0");
    case Bound::Memory: return pick("#d55e00", "#f28a4b");
    }
    return line();
}

QColor Palette::category(std::string_view text) const
{
    static constexpr std::array<const char*, 10> light = {"#0072b2", "#009e73", "#d55e00", "#9b4f96", "#7a6a00",
                                                          "#00838f", "#6d4c41", "#3f51b5", "#558b2f", "#ad1457"};
    static constexpr std::array<const char*, 10> dark = {"#56a7e0", "#3cc79c", "#f28a4b", "#cf8cc9", "#d9c64a",
                                                         "#4dd0e1", "#bcaaa4", "#9fa8da", "#aed581", "#f48fb1"};
    std::uint32_t hash = 2166136261u; // FNV-1a: the same on every machine, unlike std::hash
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return QColor(QLatin1String((isDark() ? dark : light)[hash % light.size()]));
}

QPalette Palette::widgetPalette() const
{
    QPalette palette;
    palette.setColor(QPalette::Window, pick("#f3f4f7", "#23262b"));
    palette.setColor(QPalette::WindowText, text());
    palette.setColor(QPalette::Base, pick("#ffffff", "#1b1d21"));
    palette.setColor(QPalette::AlternateBase, pick("#f6f7fa", "#22252a"));
    palette.setColor(QPalette::Text, text());
    palette.setColor(QPalette::Button, pick("#f3f4f7", "#2b2f35"));
    palette.setColor(QPalette::ButtonText, text());
    palette.setColor(QPalette::BrightText, error());
    palette.setColor(QPalette::ToolTipBase, pick("#ffffff", "#2b2f35"));
    palette.setColor(QPalette::ToolTipText, text());
    palette.setColor(QPalette::Highlight, pick("#0b63c5", "#2f6fb8"));
    palette.setColor(QPalette::HighlightedText, QColor(Qt::white));
    palette.setColor(QPalette::Link, accent());
    palette.setColor(QPalette::PlaceholderText, mutedText());
    palette.setColor(QPalette::Light, pick("#ffffff", "#3a3f47"));
    palette.setColor(QPalette::Midlight, pick("#e9ebf0", "#30343b"));
    palette.setColor(QPalette::Mid, pick("#c4c8d0", "#4a505a"));
    palette.setColor(QPalette::Dark, pick("#a0a5af", "#14161a"));
    palette.setColor(QPalette::Shadow, pick("#767b85", "#000000"));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, mutedText());
    return palette;
}

QChar changeSign(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::Added: return QLatin1Char('+');
    case ChangeKind::Removed: return QChar(0x2212);
    case ChangeKind::Changed: return QLatin1Char('~');
    }
    return {};
}

} // namespace gelens
