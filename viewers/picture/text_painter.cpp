#include "viewers/picture/text_painter.h"

#include <QFontMetricsF>

#include <algorithm>

namespace gelens {
namespace {

/// Latin and the signs of drawings, which the drawing font has itself.
bool isPlain(const QString& text)
{
    return std::all_of(text.begin(), text.end(),
                       [](QChar c) { return c.unicode() < 0x250 || c == QChar(0x2026) || c == QChar(0x2212); });
}

} // namespace

QFont drawingFont(double pixels, bool isBold)
{
    QFont font;
    font.setFamilies({QStringLiteral("DejaVu Sans"), QStringLiteral("Noto Sans CJK SC"), QStringLiteral("Noto Sans")});
    font.setPixelSize(std::max(1, static_cast<int>(pixels + 0.01)));
    font.setBold(isBold);
    font.setKerning(false);
    // The same glyphs whatever the desktop prefers, so that pictures do not depend on it.
    font.setHintingPreference(QFont::PreferVerticalHinting);
    font.setStyleStrategy(QFont::NoSubpixelAntialias);
    return font;
}

TextPainter::Face& TextPainter::face(int pixels, bool isBold)
{
    const auto [found, isNew] = m_faces.try_emplace(pixels * 2 + isBold);
    if (isNew) {
        found->second.font = drawingFont(pixels, isBold);
        found->second.ascent = QFontMetricsF(found->second.font).ascent();
    }
    return found->second;
}

void TextPainter::draw(QPainter& painter, double x, double baseline, std::string_view line, double pixels, bool isBold,
                       const QColor& color, Qt::Alignment align)
{
    if (m_lineCount > mostLines) {
        m_faces.clear();
        m_lineCount = 0;
    }
    Face& font = face(std::max(1, static_cast<int>(pixels + 0.01)), isBold);
    auto found = font.lines.find(line);
    if (found == font.lines.end()) {
        ++m_lineCount;
        Line entry;
        entry.text = QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size()));
        entry.isLaidOut = isPlain(entry.text);
        if (entry.isLaidOut) {
            entry.laidOut.setTextFormat(Qt::PlainText);
            entry.laidOut.setText(entry.text);
            entry.laidOut.setPerformanceHint(QStaticText::AggressiveCaching);
            entry.laidOut.prepare({}, font.font);
            entry.width = entry.laidOut.size().width();
        } else {
            entry.width = QFontMetricsF(font.font).horizontalAdvance(entry.text);
        }
        found = font.lines.emplace(std::string(line), std::move(entry)).first;
    }
    const Line& entry = found->second;
    if (align == Qt::AlignRight) x -= entry.width;
    if (align == Qt::AlignHCenter) x -= entry.width / 2;
    if (painter.font() != font.font) painter.setFont(font.font);
    painter.setPen(color);
    if (entry.isLaidOut)
        painter.drawStaticText(QPointF(x, baseline - font.ascent), entry.laidOut);
    else
        painter.drawText(QPointF(x, baseline), entry.text);
}

} // namespace gelens
