#include "engine/report/text_width.h"

#include <array>
#include <cstdint>

namespace gelens {
namespace {

// Advances of U+0020 … U+007E in thousandths of the font size, read from the hmtx table of DejaVu Sans 2.37.
constexpr std::array<std::uint16_t, 95> regular = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};

constexpr std::array<std::uint16_t, 95> bold = {
    348, 456,  521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415,  380, 365, 696, 696,  696,
    696, 696,  696, 696, 696, 696,  696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830,  683,
    683, 821,  837, 372, 372, 775,  637, 995, 837, 850, 733, 850, 770, 720,  682, 812, 774, 1103, 771,
    724, 725,  457, 365, 457, 838,  500, 500, 675, 716, 593, 716, 678, 435,  716, 712, 343, 343,  665,
    343, 1042, 712, 687, 716, 716,  493, 595, 478, 712, 652, 924, 645, 652,  582, 712, 365, 712,  838};
constexpr double otherWidth = 640; ///< Latin, Greek and Cyrillic letters beyond ASCII
constexpr double wideWidth = 1000; ///< one em
constexpr std::string_view ellipsis = "…";

/// Reads the character at `at` and moves behind it.
char32_t nextCharacter(std::string_view text, std::size_t& at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    if (lead < 0x80) {
        ++at;
        return lead;
    }
    const std::size_t length = lead >= 0xF0 && lead < 0xF8 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
    if (length == 1 || lead >= 0xF8 || at + length > text.size()) {
        ++at;
        return 0xFFFD;
    }
    char32_t value = lead & (0x7F >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xC0) != 0x80) {
            ++at;
            return 0xFFFD;
        }
        value = (value << 6) | (byte(at + i) & 0x3F);
    }
    at += length;
    return value;
}

bool isWide(char32_t c)
{
    return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
           (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

bool isWithoutWidth(char32_t c)
{
    return (c >= 0x0300 && c <= 0x036F) || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF;
}

double milliEms(char32_t c, bool isBold)
{
    if (c < 0x20 || c == 0x7F) c = ' ';
    if (c >= 0x20 && c <= 0x7E) return (isBold ? bold : regular)[c - 0x20];
    if (c == 0x2026) return 1000;
    if (c == 0xD7 || c == 0x2212) return 838;
    if (c == 0xB7) return 380;
    if (isWithoutWidth(c)) return 0;
    return isWide(c) ? wideWidth : otherWidth;
}

/// A line for a drawing: no line breaks, no control characters.
std::string cleaned(std::string_view text)
{
    std::string line(text);
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    return line;
}

} // namespace

double textWidth(std::string_view text, double fontSize, bool isBold)
{
    // Nearly all text is plain ASCII: whole numbers from one table. What is not comes between; all advances are whole.
    const std::array<std::uint16_t, 95>& table = isBold ? bold : regular;
    std::size_t at = 0;
    std::uint64_t plain = 0;
    double other = 0;
    while (at < text.size()) {
        const auto c = static_cast<unsigned char>(text[at]);
        if (c >= 0x20 && c <= 0x7E) {
            plain += table[c - 0x20u];
            ++at;
        } else {
            other += milliEms(nextCharacter(text, at), isBold);
        }
    }
    return (static_cast<double>(plain) + other) * fontSize / 1000;
}

namespace {

/// Most lines fit, and are short enough to be measured first.
bool fitsWhole(std::string_view text, double width, double fontSize, bool isBold)
{
    constexpr std::size_t shortLine = 256;
    return text.size() <= shortLine && textWidth(text, fontSize, isBold) <= width;
}

} // namespace

std::string elideRight(std::string_view text, double width, double fontSize, bool isBold)
{
    if (fitsWhole(text, width, fontSize, isBold)) return cleaned(text);
    const double room = width / fontSize * 1000;
    double sum = 0;
    std::size_t cut = 0; // what fits in front of an ellipsis
    for (std::size_t at = 0; at < text.size();) {
        sum += milliEms(nextCharacter(text, at), isBold);
        if (sum > room) return cleaned(text.substr(0, cut)) + std::string(ellipsis);
        if (sum + 1000 <= room) cut = at;
    }
    return cleaned(text);
}

std::string elideLeft(std::string_view text, double width, double fontSize, bool isBold)
{
    if (fitsWhole(text, width, fontSize, isBold)) return cleaned(text);
    const double room = width / fontSize * 1000;
    double sum = 0;
    std::size_t begin = text.size(), cut = text.size();
    while (begin > 0) {
        std::size_t start = begin - 1; // back to the first byte of the character
        while (start > 0 && begin - start < 4 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
        std::size_t at = start;
        char32_t character = nextCharacter(text, at);
        if (at != begin) { // damaged: one byte at a time
            start = begin - 1;
            character = 0xFFFD;
        }
        sum += milliEms(character, isBold);
        if (sum > room) return std::string(ellipsis) + cleaned(text.substr(cut));
        begin = start;
        if (sum + 1000 <= room) cut = begin;
    }
    return cleaned(text);
}

} // namespace gelens
