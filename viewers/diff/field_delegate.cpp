#include "viewers/diff/field_delegate.h"

#include "viewers/common/palette.h"
#include "viewers/diff/diff_models.h"

#include <QPainter>
#include <QTextLayout>
#include <QTreeView>

#include <algorithm>

namespace gelens {
namespace {

constexpr qsizetype longestPainted = 2000;                 ///< characters; a cell never shows more
constexpr int signLeft = 4, signWidth = 14, textRight = 4; ///< pixels

} // namespace

std::pair<int, int> FieldDelegate::differingRange(const QString& text, const QString& other)
{
    const qsizetype shorter = std::min(text.size(), other.size());
    qsizetype start = 0, tail = 0;
    while (start < shorter && text[start] == other[start]) ++start;
    while (tail < shorter - start && text[text.size() - 1 - tail] == other[other.size() - 1 - tail]) ++tail;
    return {static_cast<int>(start), static_cast<int>(text.size() - start - tail)};
}

void FieldDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const bool isSide = index.column() != FieldsModel::Field;
    const QVariant other = index.data(OtherTextRole);
    QString text = index.data().toString();
    if (!isSide || !other.isValid() || text.isEmpty()) return MeaningDelegate::paint(painter, option, index);

    const Palette palette = Palette::of(option.palette);
    const bool isBefore = index.column() == FieldsModel::Before;
    const QColor colour = palette.change(isBefore ? ChangeKind::Removed : ChangeKind::Added);
    const bool isSelected = option.state & QStyle::State_Selected;
    painter->save();
    painter->setClipRect(option.rect);
    QColor tint = colour;
    tint.setAlpha(isSelected ? 0 : 34);
    if (isSelected) painter->fillRect(option.rect, option.palette.highlight());
    painter->fillRect(option.rect, tint);
    auto [start, length] = differingRange(text, other.toString());
    if (text.size() > longestPainted) { // around what differs
        const qsizetype first = std::clamp<qsizetype>(start - longestPainted / 4, 0, text.size() - longestPainted);
        text = text.mid(first, longestPainted);
        start -= static_cast<int>(first);
        length = std::min(length, static_cast<int>(text.size()) - start);
    }
    const QColor ink = isSelected ? option.palette.color(QPalette::HighlightedText) : palette.text();
    painter->setPen(isSelected ? ink : colour);
    const QRect sign(option.rect.left() + signLeft, option.rect.top(), signWidth, option.rect.height());
    painter->drawText(sign, Qt::AlignVCenter | Qt::AlignLeft,
                      QString(changeSign(isBefore ? ChangeKind::Removed : ChangeKind::Added)));

    // Values of descriptors are short; names of neighbours are long and differ in the middle: that part is set off.
    const QRect area = option.rect.adjusted(signLeft + signWidth, 0, -textRight, 0);
    const bool isSetOff = !other.toString().isEmpty() && length > 0 && length < text.size();
    // Also where nothing is to be set off: something was put in there.
    const Shown shown =
        shownPart(text, other.toString().isEmpty() ? 0 : start, isSetOff ? length : 0, area.width(), option.font);
    QTextLayout layout(shown.text, option.font);
    QTextOption singleLine;
    singleLine.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(singleLine);
    if (isSetOff && shown.length > 0) {
        QTextLayout::FormatRange range;
        range.start = shown.start;
        range.length = shown.length;
        range.format.setFontWeight(QFont::Bold);
        range.format.setFontUnderline(true);
        layout.setFormats({range});
    }
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    painter->setPen(ink);
    if (line.isValid()) layout.draw(painter, QPointF(area.left(), area.top() + (area.height() - line.height()) / 2));
    painter->restore();
}

FieldDelegate::Shown FieldDelegate::shownPart(const QString& text, int start, int length, int width, const QFont& font)
{
    // Shaped once: a search that measured each piece anew would cost more than all else of a paint.
    QTextLayout layout(text, font);
    QTextLayout::FormatRange range;
    range.start = start;
    range.length = length;
    range.format.setFontWeight(QFont::Bold);
    if (length > 0) layout.setFormats({range});
    QTextOption singleLine;
    singleLine.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(singleLine);
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    if (!line.isValid()) return {text, start, length};
    const int end = static_cast<int>(text.size());
    // From one place of the text to another, with what lies between them of the part that is set off in bold.
    const auto advance = [&](int from, int to) {
        const int left = std::clamp(start, from, to), right = std::clamp(start + length, from, to);
        const auto piece = [&line](int first, int last) {
            return last > first ? qRound(line.cursorToX(last) - line.cursorToX(first)) : 0;
        };
        return piece(from, left) + piece(left, right) + piece(right, to);
    };
    // The last place up to which what begins at `from` has room, and the first from which what ends at `to` has.
    const auto lastFrom = [&](int from, int room) {
        int low = from, high = end;
        while (low < high) {
            const int middle = (low + high + 1) / 2;
            if (advance(from, middle) <= room)
                low = middle;
            else
                high = middle - 1;
        }
        return low;
    };
    const auto firstTo = [&](int to, int room) {
        int low = 0, high = to;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (advance(middle, to) <= room)
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    };
    if (advance(0, end) <= width) return {text, start, length};
    QFont bold = font;
    bold.setBold(true);
    const QString dots = QStringLiteral("…");
    const int dotsWidth = QFontMetrics(bold).horizontalAdvance(dots), room = std::max(0, width - dotsWidth);
    int from = 0;
    // The part that differs is brought into sight, with a little of what stands before it; or all to the end, where
    // that has room.
    if (advance(0, std::min(end, start + std::max(length, 1))) > room)
        from = std::min(firstTo(end, room), firstTo(start, room * 3 / 10));
    const QString front = from > 0 ? dots : QString();
    const int left = width - (from > 0 ? dotsWidth : 0);
    int to = advance(from, end) <= left ? end : lastFrom(from, left - dotsWidth);
    const QString shown = front + text.mid(from, to - from) + (to < end ? dots : QString());
    const int first = std::clamp(start, from, to), last = std::clamp(start + length, from, to);
    return {shown, first - from + static_cast<int>(front.size()), last - first};
}

QSize FieldDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QSize size = MeaningDelegate::sizeHint(option, index);
    if (index.column() == FieldsModel::Field || !index.data(OtherTextRole).isValid()) return size;
    return {size.width() + signLeft + signWidth, size.height()};
}

void FieldDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    MeaningDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideMiddle; // the end of a scoped name tells nodes apart
}

void ChangeDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    MeaningDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideMiddle;
    const QVariant kind = index.data(ChangeKindRole);
    if (kind.isValid() && index.column() == 0)
        option->palette.setColor(QPalette::Text,
                                 Palette::of(option->palette).change(static_cast<ChangeKind>(kind.toInt())));
}

} // namespace gelens
