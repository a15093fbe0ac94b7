#include "engine/report/drawing_style.h"

#include <cstdint>

namespace gelens {
namespace {

// Hues of Okabe and Ito, which colour-blind eyes tell apart; the window's palette has the same values.
constexpr DrawingColors light{
    "#fbfbfd",
    "#1c1e21",
    "#5f6570",
    "#8a919e",
    "#dfe2e8",
    "#ffffff",
    "#f3f5f9",
    "#ebeef4",
    "#ffffff",
    {"#7b818c", "#0072b2", "#009e73", "#9b4f96", "#d55e00", "#d55e00", "#7a6a00", "#7b818c"},
    {"#0072b2", "#c2410c", "#8a6d00"},
    {"#0072b2", "#009e73", "#d55e00", "#9b4f96", "#7a6a00", "#00838f", "#6d4c41", "#3f51b5", "#558b2f", "#ad1457"},
    {"#6b93ab", "#4a7f9f", "#2b6a92", "#155078", "#07304f"},
    "#7b818c"};
constexpr DrawingColors dark{
    "#1b1d21",
    "#e6e7ea",
    "#9aa1ad",
    "#6d7480",
    "#33373f",
    "#282b31",
    "#202329",
    "#262a31",
    "#282b31",
    {"#8d94a0", "#56a7e0", "#3cc79c", "#cf8cc9", "#f28a4b", "#f28a4b", "#d9c64a", "#8d94a0"},
    {"#56b4e9", "#ff9057", "#f0e442"},
    {"#56a7e0", "#3cc79c", "#f28a4b", "#cf8cc9", "#d9c64a", "#4dd0e1", "#bcaaa4", "#9fa8da", "#aed581", "#f48fb1"},
    {"#5f8096", "#6a98b4", "#74aed1", "#9acbea", "#d2ecff"},
    "#8d94a0"};

} // namespace

std::string_view DrawingColors::category(std::string_view text) const
{
    std::uint32_t hash = 2166136261u; // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return categories[hash % 10];
}

std::string_view DrawingColors::stripe(bool isUnit, Unit of, std::string_view key, int level) const
{
    if (isUnit) return unit(of);
    if (level >= 0) return ramp[level < 4 ? level : 4];
    return key.empty() ? noCategory : category(key);
}

const DrawingColors& drawingColors(bool isDark) { return isDark ? dark : light; }

std::string_view changeSignText(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::Added: return "+";
    case ChangeKind::Removed: return "−";
    case ChangeKind::Changed: return "~";
    }
    return "";
}

} // namespace gelens
