#include "viewers/common/formatter.h"
#include "viewers/common/palette.h"
#include "viewers/memory/memory_canvas.h"
#include "viewers/models/words.h"

#include <QPainter>
#include <QPainterPath>
#include <QPaintEvent>

#include <algorithm>
#include <unordered_map>

namespace gelens {
namespace {

constexpr qsizetype leastName = 9; ///< characters of a name that is cut; fewer are not worth the ink

QRgb mixed(const QColor& a, const QColor& b, double share)
{
    const auto part = [&](int x, int y) { return static_cast<int>(x * share + y * (1 - share)); };
    return qRgb(part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue()));
}

/// Fills without a painter's overhead: 100,000 small rectangles in a few milliseconds.
void fill(QImage& image, int left, int top, int right, int bottom, QRgb colour)
{
    left = std::max(left, 0);
    top = std::max(top, 0);
    right = std::min(right, image.width());
    bottom = std::min(bottom, image.height());
    for (int y = top; y < bottom && left < right; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        std::fill(line + left, line + right, colour);
    }
}

} // namespace

QRect MemoryCanvas::pixelsOf(const MemoryPicture::Block& block, double ratio) const
{
    const QRectF plot = plotRect(), rect = rectOf(block);
    const auto pixel = [ratio](double value) {
        return static_cast<int>(std::lround(std::clamp(value, -10.0, 1e6) * ratio));
    };
    const int left = pixel(rect.left() - plot.left()), top = pixel(rect.top() - plot.top());
    return QRect(left, top, std::max(1, pixel(rect.right() - plot.left()) - left),
                 std::max(1, pixel(rect.bottom() - plot.top()) - top));
}

/// Blocks are filled over it, so that what stays visible is what lies free below the highest place in use.
void MemoryCanvas::renderHoles(const Palette& palette, double ratio)
{
    if (!m_areHolesShown) return;
    const QRectF plot = plotRect();
    const QRgb colour = mixed(palette.error(), palette.canvas(), palette.isDark() ? 0.34 : 0.24);
    const int step = std::max(4, static_cast<int>(5 * ratio)), width = std::max(1, static_cast<int>(ratio));
    for (int x = 0; x < m_image.width(); ++x) {
        const double left = plot.left() + x / ratio;
        if (m_time.toValue(left - plot.left()) > m_time.high()) break;
        const std::int64_t first = positionAtPixel(left), last = std::max(first, positionAtPixel(left + 1 / ratio) - 1);
        std::int64_t top = 0;
        for (std::int64_t at = first; at <= last; ++at)
            top = std::max(top, m_picture->top()[static_cast<std::size_t>(at)]);
        const auto yOf = [&](std::int64_t bytes) {
            return static_cast<int>((plot.height() - m_address.toPixel(static_cast<double>(bytes))) * ratio);
        };
        const int from = std::max(0, yOf(top)), to = std::min(m_image.height(), yOf(0));
        for (int y = from; y < to; ++y)
            if ((x + y) % step < width) reinterpret_cast<QRgb*>(m_image.scanLine(y))[x] = colour;
    }
}

void MemoryCanvas::renderOverlay(const Palette& palette, double ratio)
{
    if (!m_overlay) return;
    const QRectF plot = plotRect();
    const QRgb colour = palette.error().rgb();
    const int width = std::max(1, static_cast<int>(std::lround(ratio)));
    m_overlay->forEachIn(
        positionAtPixel(plot.left()), positionAtPixel(plot.right()) + 1, [&](const MemoryPicture::Block& block) {
            const QRect rect = pixelsOf(block, ratio);
            const int left = rect.left(), top = rect.top(), right = left + rect.width(), bottom = top + rect.height();
            fill(m_image, left, top, right, top + width, colour);
            fill(m_image, left, bottom - width, right, bottom, colour);
            // Too many thin ones would cover all that lies below them.
            if (rect.width() < 4) return;
            fill(m_image, left, top, left + width, bottom, colour);
            fill(m_image, right - width, top, right, bottom, colour);
        });
}

void MemoryCanvas::renderBlocks(const Palette& palette)
{
    const QRectF plot = plotRect();
    const double ratio = devicePixelRatioF();
    m_image = QImage((plot.size() * ratio).toSize(), QImage::Format_RGB32);
    m_image.fill(palette.canvas());
    m_isImageValid = true;
    if (!m_picture) return;
    const auto& blocks = m_picture->blocks();
    std::vector<QRgb>& colours = m_colours[palette.isDark() ? 1 : 0];
    if (colours.size() != blocks.size()) {
        std::unordered_map<std::string, QRgb> ofType;
        colours.resize(blocks.size());
        const auto graph = m_run->graphAt(m_run->lastStep());
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const NodeId node = m_run->plan.buffers[static_cast<std::size_t>(blocks[i].buffer)].tensor.node;
            const bool isKnown = graph && node.isValid() && node.value < graph->nodeIdBound();
            const std::string type = isKnown ? graph->node(node).type : std::string();
            const auto [at, isNew] = ofType.try_emplace(type, 0);
            if (isNew) at->second = mixed(palette.category(type), palette.canvas(), palette.isDark() ? 0.5 : 0.42);
            colours[i] = at->second;
        }
    }
    renderHoles(palette, ratio);
    const QRgb border = mixed(palette.text(), palette.canvas(), 0.45),
               faded = mixed(palette.line(), palette.canvas(), 0.18);
    m_picture->forEachIn(positionAtPixel(plot.left()), positionAtPixel(plot.right()) + 1,
                         [&](const MemoryPicture::Block& block) {
                             const auto index = static_cast<std::size_t>(&block - blocks.data());
                             const QRect rect = pixelsOf(block, ratio);
                             const int left = rect.left(), top = rect.top(), right = rect.left() + rect.width(),
                                       bottom = rect.top() + rect.height();
                             const bool isFaded = !m_isFaded.empty() && m_isFaded[index] != 0;
                             const QRgb colour = isFaded ? faded : colours[index];
                             if (right - left > 3 && bottom - top > 3) {
                                 fill(m_image, left, top, right, bottom, border);
                                 fill(m_image, left + 1, top + 1, right, bottom, colour);
                             } else {
                                 fill(m_image, left, top, right, bottom, colour);
                             }
                         });
    renderOverlay(palette, ratio);
    m_image.setDevicePixelRatio(ratio);
    QPainter painter(&m_image);
    painter.setFont(font());
    painter.translate(-plot.topLeft());
    paintNames(painter, palette, plot);
}

void MemoryCanvas::paintNames(QPainter& painter, const Palette& palette, const QRectF& plot) const
{
    const QFontMetrics metrics(font());
    const auto& blocks = m_picture->blocks();
    painter.setPen(palette.text());
    m_picture->forEachIn(
        positionAtPixel(plot.left()), positionAtPixel(plot.right()) + 1, [&](const MemoryPicture::Block& block) {
            const QRectF rect = rectOf(block).intersected(plot);
            if (rect.width() < 34 || rect.height() < metrics.height()) return;
            if (!m_isFaded.empty() && m_isFaded[static_cast<std::size_t>(&block - blocks.data())] != 0) return;
            const QString name = words::text(m_run->plan.buffers[static_cast<std::size_t>(block.buffer)].name);
            const QString text = metrics.elidedText(name, Qt::ElideLeft, static_cast<int>(rect.width()) - 6);
            if (text == name || text.size() >= leastName) // "…l:0" says nothing
                painter.drawText(rect.adjusted(3, 0, -3, 0), Qt::AlignCenter | Qt::TextSingleLine, text);
        });
}

void MemoryCanvas::paintCurve(QPainter& painter, const Palette& palette) const
{
    const QRectF plot = plotRect();
    const auto& live = m_picture->live();
    const auto first = positionAtPixel(plot.left()), last = positionAtPixel(plot.right()) + 1;
    const auto yOf = [&](std::int64_t bytes) { return plot.bottom() - m_address.toPixel(static_cast<double>(bytes)); };
    QPolygonF curve;
    // At most two points for each pixel column: the highest value of the column counts.
    std::int64_t column = -1, highest = 0;
    for (std::int64_t position = first; position <= last && position < static_cast<std::int64_t>(live.size());
         ++position) {
        const double x = plot.left() + m_time.toPixel(valueAt(position));
        const auto pixel = static_cast<std::int64_t>(x);
        const std::int64_t bytes = live[static_cast<std::size_t>(position)];
        if (pixel == column && !curve.isEmpty()) {
            highest = std::max(highest, bytes);
            curve.back().setY(yOf(highest));
            continue;
        }
        if (!curve.isEmpty()) curve += QPointF(x, curve.back().y());
        curve += QPointF(x, yOf(bytes));
        column = pixel;
        highest = bytes;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    // A halo keeps the curve apart from rectangles of any colour, unless its strokes are too close for one.
    if (curve.size() < plot.width() / 8) {
        painter.setPen(QPen(palette.canvas(), 3.5));
        painter.drawPolyline(curve);
    }
    painter.setPen(QPen(palette.text(), 1.2));
    painter.drawPolyline(curve);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void MemoryCanvas::paintAxes(QPainter& painter, const Palette& palette) const
{
    const QRectF plot = plotRect();
    painter.setPen(palette.mutedText());
    for (const double value : m_address.ticks(34, 1)) {
        const double y = plot.bottom() - m_address.toPixel(value);
        painter.drawLine(QPointF(plot.left() - 4, y), QPointF(plot.left(), y));
        painter.drawText(QRectF(0, y - 10, gutterWidth() - 7, 20), Qt::AlignRight | Qt::AlignVCenter,
                         format::bytes(static_cast<std::int64_t>(value)));
    }
    const QString unit = m_isTime ? tr("estimated time") : tr("step in task order");
    const int unitWidth = painter.fontMetrics().horizontalAdvance(unit) + 8;
    painter.drawText(QRectF(plot.right() - unitWidth, plot.bottom() + 1, unitWidth, axisHeight() - 1),
                     Qt::AlignRight | Qt::AlignVCenter, unit);
    for (const double value : m_time.ticks(90, m_isTime ? 0 : 1)) {
        const double x = plot.left() + m_time.toPixel(value);
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 4));
        if (x > plot.right() - unitWidth - 40) continue;
        painter.drawText(QRectF(x - 44, plot.bottom() + 3, 88, axisHeight() - 3), Qt::AlignHCenter | Qt::AlignVCenter,
                         m_isTime ? format::microseconds(value) : format::count(static_cast<std::int64_t>(value)));
    }
    painter.setPen(palette.line());
    painter.drawRect(plot.adjusted(-0.5, -0.5, 0, 0));
}

void MemoryCanvas::paintMarks(QPainter& painter, const Palette& palette) const
{
    const QRectF plot = plotRect();
    const QFontMetrics metrics(font());
    struct Label {
        QRectF box;
        QString text;
        QColor colour;
    };
    std::vector<Label> placed; // painted last, so that no line runs through a text
    const auto label = [&](QPointF at, const QString& text, const QColor& colour) {
        QRectF box(at.x(), at.y(), metrics.horizontalAdvance(text) + 8, metrics.height());
        box.moveRight(std::min(box.right(), plot.right() - 2));
        box.moveTop(std::clamp(box.top(), plot.top() + 1, plot.bottom() - box.height()));
        for (const Label& other : placed) // marks that stand at one height: the later one goes below
            if (box.intersects(other.box)) box.moveTop(other.box.bottom() + 1);
        placed.push_back({box, text, colour});
    };
    const std::int64_t planned = m_run->plan.totals.featureMapPeak;
    const double top = plot.bottom() - m_address.toPixel(static_cast<double>(planned));
    if (planned > m_run->plan.totals.lowerBound && top >= plot.top() && top <= plot.bottom()) {
        painter.setPen(QPen(palette.warning(), 1.5));
        painter.drawLine(QPointF(plot.left(), top), QPointF(plot.right(), top));
        label({plot.right(), top - metrics.height() - 1}, tr("planned peak %1").arg(format::bytes(planned)),
              palette.warning());
    }
    if (m_overlay) {
        const double other = plot.bottom() - m_address.toPixel(static_cast<double>(m_overlay->addressEnd()));
        if (other >= plot.top() && other <= plot.bottom()) {
            painter.setPen(QPen(palette.error(), 1.5, Qt::DotLine));
            painter.drawLine(QPointF(plot.left(), other), QPointF(plot.right(), other));
            label({plot.center().x(), other - metrics.height() - 1},
                  tr("outlines: %1, peak %2").arg(m_overlayName, format::bytes(m_overlay->addressEnd())),
                  palette.error());
        }
    }
    const double bound = plot.bottom() - m_address.toPixel(static_cast<double>(m_run->plan.totals.lowerBound));
    const bool isBoundSeen = bound >= plot.top() && bound <= plot.bottom();
    if (isBoundSeen) {
        painter.setPen(QPen(palette.good(), 2, Qt::DashLine));
        painter.drawLine(QPointF(plot.left(), bound), QPointF(plot.right(), bound));
    }
    const auto upright = [&](int position, const QColor& colour, const QString& text) {
        const double from = plot.left() + m_time.toPixel(valueAt(position)),
                     to = plot.left() + m_time.toPixel(valueAt(position + 1));
        const double x = (from + to) / 2;
        if (x < plot.left() || x > plot.right()) return;
        painter.setPen(QPen(colour, 1.5, Qt::DashDotLine));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        label({x + 4, plot.top() + 1}, text, colour);
    };
    const int peak = m_picture->peakPosition();
    if (peak >= 0) upright(peak, palette.error(), tr("▼ most alive: %1").arg(format::bytes(m_picture->peakLive())));
    if (m_mark >= 0 && m_mark != peak)
        upright(m_mark, palette.accent(),
                tr("▼ %1").arg(format::bytes(m_picture->live()[static_cast<std::size_t>(m_mark)])));
    if (isBoundSeen) { // above its line, where no block is; beside what stands there already
        const QString text = tr("lower bound %1").arg(format::bytes(m_run->plan.totals.lowerBound));
        QRectF box(plot.left() + 4, bound - metrics.height() - 1, metrics.horizontalAdvance(text) + 8,
                   metrics.height());
        for (const Label& other : placed)
            if (box.intersects(other.box)) box.moveLeft(other.box.right() + 4);
        label(box.topLeft(), text, palette.good());
    }
    for (const Label& each : placed) {
        painter.fillRect(each.box, palette.canvas());
        painter.setPen(each.colour);
        painter.drawText(each.box, Qt::AlignCenter, each.text);
    }
}

void MemoryCanvas::paintSelection(QPainter& painter, const Palette& palette) const
{
    int number = 0;
    for (const int buffer : m_selected) {
        ++number;
        QRectF rect = rectOf(buffer);
        if (rect.isEmpty()) continue;
        rect = rect.united(QRectF(rect.topLeft(), QSizeF(2, 2)));
        painter.setPen(QPen(palette.canvas(), 5));
        painter.drawRect(rect);
        painter.setPen(QPen(palette.accent(), 3, number == 1 ? Qt::SolidLine : Qt::DashLine));
        painter.drawRect(rect);
    }
}

void MemoryCanvas::paintEvent(QPaintEvent*)
{
    const Palette palette = Palette::of(this->palette());
    QPainter painter(this);
    painter.fillRect(rect(), this->palette().color(QPalette::Window));
    if (!m_picture) return;
    const QRectF plot = plotRect();
    if (!m_isImageValid || m_image.deviceIndependentSize().toSize() != plot.size().toSize()) renderBlocks(palette);
    painter.drawImage(plot.topLeft(), m_image);
    painter.save();
    painter.setClipRect(plot);
    paintCurve(painter, palette);
    paintSelection(painter, palette);
    paintMarks(painter, palette);
    painter.restore();
    paintAxes(painter, palette);
    if (hasFocus()) {
        painter.setPen(QPen(palette.accent(), 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace gelens
