#pragma once
// Draws many short lines of text fast: what was laid out once is kept for the next frame.

#include <QFont>
#include <QPainter>
#include <QStaticText>

#include <string>
#include <string_view>
#include <unordered_map>

namespace gelens {

/// The font of drawings at a size in pixels (fractions are cut, so that text is never wider than measured).
QFont drawingFont(double pixels, bool isBold);

class TextPainter {
public:
    /// `x` is the left end, the middle or the right end of the base line, as `align` says. The painter's pen is changed,
    /// its font too.
    void draw(QPainter& painter, double x, double baseline, std::string_view line, double pixels, bool isBold,
              const QColor& color, Qt::Alignment align = Qt::AlignLeft);

private:
    struct Line {
        QString text;
        QStaticText laidOut; ///< only for scripts of the drawing font itself: with another font the base line moves
        bool isLaidOut = false;
        double width = 0;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    struct Face {
        QFont font;
        double ascent = 0;
        std::unordered_map<std::string, Line, Hash, std::equal_to<>> lines;
    };
    static constexpr std::size_t mostLines = 20000; ///< some 300 bytes each

    Face& face(int pixels, bool isBold);

    std::unordered_map<int, Face> m_faces; ///< by size and weight
    std::size_t m_lineCount = 0;
};

} // namespace gelens
