#include "viewers/unfused/pattern_picture.h"

#include "viewers/common/palette.h"
#include "viewers/models/words.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

constexpr int leastWidth = 124, mostWidth = 260, gap = 22; ///< of boxes, and between them
constexpr int textMargin = 6, signWidth = 16;
constexpr int patternHeight = 22, realHeight = 40, between = 14, rowGap = 16;
constexpr int margin = 4;

QColor tinted(const QColor& colour, const QColor& ground, double share)
{
    const auto part = [share](int a, int b) { return static_cast<int>(a * share + b * (1 - share)); };
    return QColor(part(colour.red(), ground.red()), part(colour.green(), ground.green()),
                  part(colour.blue(), ground.blue()));
}

void paintArrow(QPainter& painter, QPointF from, QPointF to)
{
    painter.drawLine(from, to);
    const double angle = std::atan2(to.y() - from.y(), to.x() - from.x());
    for (const double side : {2.6, -2.6})
        painter.drawLine(to, to + QPointF(std::cos(angle + side) * 6, std::sin(angle + side) * 6));
}

} // namespace

PatternPicture::PatternPicture(QWidget* parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void PatternPicture::setPairs(std::vector<PatternPair> pairs, std::vector<std::pair<int, int>> edges, bool hasPattern)
{
    m_pairs = std::move(pairs);
    m_edges = std::move(edges);
    m_hasPattern = hasPattern;
    measure();
    setAccessibleDescription(description());
    updateGeometry();
    update();
}

QString PatternPicture::description() const
{
    QStringList parts;
    for (const PatternPair& pair : m_pairs) {
        const QString real =
            pair.name.isEmpty() ? tr("nothing") : tr("%1 '%2' on %3").arg(pair.type, pair.name, words::unit(pair.unit));
        QString part = pair.patternName.isEmpty() ? real : QStringLiteral("%1: %2").arg(pair.patternName, real);
        if (pair.isMismatch) part = tr("✗ first mismatch: %1").arg(part);
        parts += part;
    }
    return parts.join(QLatin1Char('\n'));
}

QFont PatternPicture::typeFont() const
{
    QFont bold = font();
    bold.setBold(true);
    return bold;
}

/// What boxes need for the types and the pattern's words, and what they would take for the names as well.
void PatternPicture::measure()
{
    const QFontMetrics types(typeFont()), names(font());
    int needed = types.horizontalAdvance(tr("nothing fits")), wanted = 0;
    for (const PatternPair& pair : m_pairs) {
        needed = std::max({needed, types.horizontalAdvance(pair.type) + signWidth,
                           m_hasPattern ? names.horizontalAdvance(pair.patternName) : 0});
        wanted = std::max(wanted, names.horizontalAdvance(pair.name));
    }
    m_neededWidth = std::clamp(needed + 2 * textMargin, leastWidth, mostWidth);
    m_wantedWidth = std::clamp(wanted + 2 * textMargin, m_neededWidth, mostWidth);
}

/// As many beside each other as leave the types whole; the last row is not shorter than it must be.
int PatternPicture::columnsFor(int width) const
{
    const int count = std::max<int>(1, static_cast<int>(m_pairs.size()));
    const int most = std::clamp((width - 2 * margin + gap) / (m_neededWidth + gap), 1, count);
    const int rows = (count + most - 1) / most;
    return (count + rows - 1) / rows;
}

int PatternPicture::boxWidth() const
{
    const int share = (width() - 2 * margin + gap) / columnsFor(width()) - gap;
    return std::clamp(share, std::min(leastWidth, m_neededWidth), m_wantedWidth);
}

int PatternPicture::rowHeight() const { return (m_hasPattern ? patternHeight + between : 0) + realHeight + rowGap; }

int PatternPicture::heightForWidth(int width) const
{
    if (m_pairs.empty()) return 0;
    const int columns = columnsFor(width), rows = (static_cast<int>(m_pairs.size()) + columns - 1) / columns;
    return rows * rowHeight() - rowGap + 2 * margin;
}

QSize PatternPicture::sizeHint() const
{
    const int wanted =
        static_cast<int>(std::min<std::size_t>(m_pairs.size(), 4)) * (m_neededWidth + gap) - gap + 2 * margin;
    return {std::max(wanted, m_neededWidth), heightForWidth(width())};
}

QRectF PatternPicture::patternRect(int column) const
{
    const int columns = columnsFor(width()), box = boxWidth();
    return QRectF(margin + (column % columns) * (box + gap), margin + (column / columns) * rowHeight(), box,
                  patternHeight);
}

QRectF PatternPicture::realRect(int column) const
{
    const QRectF above = patternRect(column);
    return QRectF(above.left(), m_hasPattern ? above.bottom() + between : above.top(), above.width(), realHeight);
}

void PatternPicture::paintEdges(QPainter& painter, const QColor& colour, bool isPattern) const
{
    painter.setPen(QPen(colour, 1.4));
    for (const auto& [from, to] : m_edges) {
        const QRectF a = isPattern ? patternRect(from) : realRect(from), b = isPattern ? patternRect(to) : realRect(to);
        const bool isNext = to == from + 1 && a.top() == b.top();
        if (isNext) {
            paintArrow(painter, {a.right(), a.center().y()}, {b.left(), b.center().y()});
        } else if (a.top() == b.top()) {
            // An edge past other boxes runs below them (above, for the pattern).
            const double y = isPattern ? a.top() - 3 : a.bottom() + 6;
            const double edge = isPattern ? a.top() : a.bottom();
            const QPointF start(a.right() - 12, edge), end(b.left() + 12, isPattern ? b.top() : b.bottom());
            painter.drawPolyline(QPolygonF({start, {start.x(), y}, {end.x(), y}}));
            paintArrow(painter, {end.x(), y}, end);
        } else if (!isPattern) {
            // To another row: down into the channel between the rows, along it, and on from there.
            const double above = m_hasPattern ? b.top() - patternHeight - between : b.top();
            const double channel = a.top() < b.top() ? above - rowGap / 2.0 : a.bottom() + rowGap / 2.0;
            painter.drawPolyline(
                QPolygonF({{a.right() - 12, a.bottom()}, {a.right() - 12, channel}, {b.left() + 12, channel}}));
            paintArrow(painter, {b.left() + 12, channel}, {b.left() + 12, above});
        }
    }
}

void PatternPicture::paintEvent(QPaintEvent*)
{
    const Palette palette = Palette::of(this->palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_hasPattern) paintEdges(painter, palette.mutedText(), true);
    paintEdges(painter, palette.line(), false);
    const QFontMetrics metrics(font());
    const QFont bold = typeFont();
    const int inner = boxWidth() - 2 * textMargin;
    for (int column = 0; column < static_cast<int>(m_pairs.size()); ++column) {
        const PatternPair& pair = m_pairs[static_cast<std::size_t>(column)];
        const QRectF real = realRect(column);
        const QColor bad = palette.error();
        if (m_hasPattern) {
            const QRectF pattern = patternRect(column);
            painter.setPen(QPen(pair.isMismatch ? bad : palette.mutedText(), 1, Qt::DotLine));
            painter.drawLine(QPointF(pattern.center().x(), pattern.bottom()), QPointF(real.center().x(), real.top()));
            painter.setBrush(palette.canvas());
            painter.setPen(QPen(palette.mutedText(), 1, Qt::DashLine));
            painter.drawRoundedRect(pattern, 4, 4);
            painter.setPen(palette.text());
            painter.drawText(pattern.adjusted(textMargin, 0, -textMargin, 0), Qt::AlignCenter | Qt::TextSingleLine,
                             metrics.elidedText(pair.patternName, Qt::ElideRight, inner));
            const QPointF middle(real.center().x(), (pattern.bottom() + real.top()) / 2);
            painter.setPen(pair.isMismatch ? bad : palette.good());
            painter.drawText(QRectF(middle.x() + 4, middle.y() - 9, 18, 18), Qt::AlignCenter,
                             pair.isMismatch ? QStringLiteral("✗") : QStringLiteral("✓"));
        }
        const bool isThere = !pair.name.isEmpty();
        painter.setBrush(isThere ? tinted(palette.unit(pair.unit), palette.nodeFill(), 0.18) : palette.canvas());
        painter.setPen(pair.isMismatch ? QPen(bad, 2.5)
                                       : QPen(palette.line(), 1.2, isThere ? Qt::SolidLine : Qt::DotLine));
        painter.drawRoundedRect(real, 4, 4);
        painter.setPen(palette.text());
        painter.setFont(bold);
        const QRectF upper(real.left() + textMargin, real.top() + 2, inner, realHeight / 2.0);
        const QString sign =
            isThere && unitLetter(pair.unit) != '.' ? QString(QLatin1Char(unitLetter(pair.unit))) : QString();
        painter.drawText(upper, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(bold).elidedText(isThere ? pair.type : tr("nothing fits"), Qt::ElideRight,
                                                       inner - (sign.isEmpty() ? 0 : signWidth)));
        painter.setPen(palette.unit(pair.unit));
        painter.drawText(upper, Qt::AlignRight | Qt::AlignVCenter, sign);
        painter.setFont(font());
        painter.setPen(palette.mutedText());
        painter.drawText(upper.translated(0, realHeight / 2.0 - 3),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         metrics.elidedText(pair.name, Qt::ElideLeft, inner));
    }
}

int PatternPicture::columnAt(QPointF at) const
{
    for (int column = 0; column < static_cast<int>(m_pairs.size()); ++column)
        if (realRect(column).contains(at) || (m_hasPattern && patternRect(column).contains(at))) return column;
    return -1;
}

void PatternPicture::mouseReleaseEvent(QMouseEvent* event)
{
    const int column = columnAt(event->position());
    if (column < 0) return;
    const NodeId node = m_pairs[static_cast<std::size_t>(column)].node;
    if (node.isValid()) Q_EMIT nodeClicked(node);
}

bool PatternPicture::event(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange) {
        measure();
        updateGeometry();
    }
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const int column = columnAt(help->pos());
    if (column < 0) {
        QToolTip::hideText();
        return true;
    }
    const PatternPair& pair = m_pairs[static_cast<std::size_t>(column)];
    const QString text = tr("%1 '%2' on %3").arg(pair.type, pair.name, words::unit(pair.unit)).toHtmlEscaped();
    QToolTip::showText(help->globalPos(), QStringLiteral("<qt>%1</qt>").arg(text), this);
    return true;
}

} // namespace gelens
