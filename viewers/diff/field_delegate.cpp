#include "viewers/diff/field_delegate.h"

#include "viewers/common/palette.h"
#include "viewers/diff/diff_models.h"

#include <QPainter>
#include <QTextLayout>
#include <QTreeView>

#include <algorithm>

namespace gelens {
namespace {

constexpr qsizetype longestPainted = 2000; ///< characters; a cell never shows more

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
    const auto [start, length] = differingRange(text, other.toString());
    text.truncate(longestPainted);
    const QColor ink = isSelected ? option.palette.color(QPalette::HighlightedText) : palette.text();
    painter->setPen(isSelected ? ink : colour);
    const QRect sign(option.rect.left() + 4, option.rect.top(), 14, option.rect.height());
    painter->drawText(sign, Qt::AlignVCenter | Qt::AlignLeft,
                      QString(changeSign(isBefore ? ChangeKind::Removed : ChangeKind::Added)));

    // Values of descriptors are short; names of neighbours are long and differ in the middle: that part is set off.
    const QRect area = option.rect.adjusted(18, 0, -4, 0);
    QTextLayout layout(text, option.font);
    QTextOption singleLine;
    singleLine.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(singleLine);
    if (!other.toString().isEmpty() && length > 0 && length < text.size()) {
        QTextLayout::FormatRange range;
        range.start = start;
        range.length = length;
        range.format.setFontWeight(QFont::Bold);
        range.format.setFontUnderline(true);
        layout.setFormats({range});
    }
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    if (!line.isValid()) return painter->restore();
    double x = area.left();
    if (line.naturalTextWidth() > area.width() && start > 0) {
        // The differing part is brought into sight; what is cut off in front shows as an ellipsis.
        const double from = line.cursorToX(start);
        const double shift = std::clamp(from - area.width() * 0.3, 0.0, line.naturalTextWidth() - area.width());
        x -= shift;
        if (shift > 0) painter->setClipRect(area);
    }
    painter->setPen(ink);
    layout.draw(painter, QPointF(x, area.top() + (area.height() - line.height()) / 2));
    painter->restore();
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
