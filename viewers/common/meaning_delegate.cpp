#include "viewers/common/meaning_delegate.h"

#include "viewers/common/palette.h"
#include "viewers/models/roles.h"

#include <QApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>
#include <QTreeView>

namespace gelens {
namespace {

constexpr int textMargin = 4;      ///< what styles leave on both sides of a text together with the focus frame
constexpr int verticalRoom = 6;    ///< above and below a line of text
constexpr QChar softBreak(0x200b); ///< of no width

/// Names of files and passes are one word to Qt, which would cut what does not fit into a line: they may go on below behind
/// a sign and before a capital letter.
QString withBreaks(const QString& text)
{
    QString broken;
    const qsizetype ending = text.lastIndexOf(QLatin1Char('.')); // of a file: stays with its name
    for (qsizetype i = 0; i < text.size(); ++i) {
        broken += text[i];
        if (i + 1 == text.size()) break;
        const bool isSign =
            text[i] == QLatin1Char('_') || (text[i] == QLatin1Char('.') && i != ending) || text[i] == QLatin1Char(':');
        if ((isSign && text[i + 1].isLetterOrNumber()) || (text[i].isLower() && text[i + 1].isUpper()))
            broken += softBreak;
    }
    return broken;
}

} // namespace

MeaningDelegate::MeaningDelegate(QTreeView* view) : QStyledItemDelegate(view), m_view(view) {}

void MeaningDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const Palette palette = Palette::of(option->palette);
    const QVariant severity = index.data(SeverityRole), stage = index.data(StageRole),
                   verdict = index.data(VerdictRole);
    QColor colour;
    if (index.data(MutedRole).toBool()) colour = palette.mutedText();
    if (index.data(LinkRole).toBool()) {
        colour = palette.accent();
        option->font.setUnderline(true);
    }
    if (stage.isValid()) colour = palette.stage(static_cast<Stage>(stage.toInt()));
    if (severity.isValid()) {
        const auto level = static_cast<Severity>(severity.toInt());
        colour = level == Severity::Error     ? palette.error()
                 : level == Severity::Warning ? palette.warning()
                                              : palette.text();
    }
    if (verdict.isValid()) {
        colour = verdict.toBool() ? palette.good() : palette.error();
        option->text = (verdict.toBool() ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + option->text;
    }
    if (index.data(HeadingRole).toBool() || stage.isValid()) option->font.setBold(true);
    if (index.data(CurrentRole).toBool()) {
        option->font.setBold(true);
        colour = palette.accent();
        if (index.column() == 0) option->text = QStringLiteral("▶ ") + option->text;
    }
    option->fontMetrics = QFontMetrics(option->font);
    if (colour.isValid()) option->palette.setColor(QPalette::Text, colour);
    if (m_lines > 1) {
        option->features |= QStyleOptionViewItem::WrapText;
        if (option->fontMetrics.horizontalAdvance(option->text) > textWidth(index))
            option->text = withBreaks(option->text);
    }
    option->textElideMode = index.column() == 0 ? Qt::ElideMiddle : Qt::ElideRight;
}

void MeaningDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    if (index.data(BarsRole).isValid()) paintBars(painter, option, index);
}

void MeaningDelegate::paintBars(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Palette palette = Palette::of(option.palette);
    const QPointF share = index.data(BarsRole).toPointF();
    const QRectF area = QRectF(option.rect).adjusted(4, 3, -6, -3);
    const qreal half = area.height() / 2;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(Qt::NoPen);
    const auto barOf = [&](qreal fraction, qreal y) {
        return QRectF(area.left(), y, fraction > 0 ? std::max(2.0, fraction * area.width()) : 0, half - 1);
    };
    // Hatched before, solid after: the pair reads without colour.
    const QRectF before = barOf(share.x(), area.top()), after = barOf(share.y(), area.top() + half);
    QColor pale = palette.mutedText();
    pale.setAlpha(90);
    painter->fillRect(before, pale);
    painter->fillRect(before, QBrush(palette.mutedText(), Qt::BDiagPattern));
    painter->fillRect(after, palette.stage(Stage::Compile));
    painter->restore();
}

int MeaningDelegate::textWidth(const QModelIndex& index) const
{
    int width = m_view->columnWidth(index.column()) - 2 * textMargin;
    if (index.column() == m_view->treePosition() || (m_view->treePosition() < 0 && index.column() == 0)) {
        int depth = m_view->rootIsDecorated() ? 1 : 0;
        for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) ++depth;
        width -= depth * m_view->indentation();
    }
    return std::max(width, 40);
}

QSize MeaningDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem filled = option;
    initStyleOption(&filled, index);
    const int line = filled.fontMetrics.height();
    if (m_lines <= 1) {
        int width = filled.fontMetrics.horizontalAdvance(filled.text) + 2 * textMargin + 4;
        if (filled.features.testFlag(QStyleOptionViewItem::HasCheckIndicator))
            width += m_view->style()->pixelMetric(QStyle::PM_IndicatorWidth, nullptr, m_view) + 2 * textMargin;
        return {index.data(BarsRole).isValid() ? std::max(width, 120) : width, line + verticalRoom};
    }
    const QRect room(0, 0, textWidth(index), 10000);
    const auto boundsOf = [&](const QString& text) {
        return filled.fontMetrics.boundingRect(room, Qt::TextWordWrap, text);
    };
    // Names are broken where there is no room for them; room is still asked for.
    QString whole = filled.text;
    whole.remove(softBreak);
    return {boundsOf(whole).width() + 2 * textMargin,
            std::min(boundsOf(filled.text).height(), line * m_lines) + verticalRoom};
}

/// Too wide for its column, or for the lines that it may wrap to.
bool MeaningDelegate::isCut(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    if (m_lines <= 1) return sizeHint(option, index).width() > option.rect.width();
    QStyleOptionViewItem filled = option;
    initStyleOption(&filled, index);
    const QRect room(0, 0, std::max(option.rect.width() - 2 * textMargin, 1), 1'000'000);
    const QRect bounds = filled.fontMetrics.boundingRect(room, Qt::TextWordWrap, filled.text);
    return bounds.height() > option.rect.height() || bounds.width() > room.width();
}

bool MeaningDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                                const QModelIndex& index)
{
    if (event == nullptr || event->type() != QEvent::ToolTip || !index.isValid()) return false;
    QString text = index.data(Qt::ToolTipRole).toString();
    if (text.isEmpty() && isCut(option, index)) text = index.data().toString();
    if (text.isEmpty()) {
        QToolTip::hideText();
        return true;
    }
    // Escaped, so that a name with angle brackets is not taken for rich text.
    QToolTip::showText(
        event->globalPos(),
        QStringLiteral("<qt>%1</qt>").arg(text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"))),
        view);
    return true;
}

} // namespace gelens
