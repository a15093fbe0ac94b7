#include "viewers/memory/memory_canvas.h"

#include "viewers/common/axis_input.h"
#include "viewers/common/palette.h"
#include "viewers/memory/share_reason.h"
#include "viewers/models/words.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>

namespace gelens {
namespace {

constexpr double mostHeadroom = 1.3; ///< of a low picture

} // namespace

MemoryCanvas::MemoryCanvas(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(200, 100);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void MemoryCanvas::setPicture(std::shared_ptr<const Run> run, std::shared_ptr<const MemoryPicture> picture)
{
    m_run = std::move(run);
    m_picture = std::move(picture);
    m_selected.clear();
    m_overlay.reset();
    m_overlayName.clear();
    m_mark = -1;
    m_isFaded.clear();
    for (auto& colours : m_colours) colours.clear();
    resetLimits();
}

void MemoryCanvas::resetLimits()
{
    m_isImageValid = false;
    if (m_picture) {
        if (m_isTime)
            m_time.setLimits(0, m_picture->startUs().back(), std::max(1e-3, m_picture->startUs().back() / 1e6));
        else
            m_time.setLimits(0, std::max(1, m_picture->positions()), 2);
        resetAddresses();
    }
    const QRectF plot = plotRect();
    m_time.setLength(plot.width());
    m_address.setLength(plot.height());
    update();
}

/// Above the highest block there is room for what is written beside the bound and the peak.
void MemoryCanvas::resetAddresses()
{
    auto highest = std::max<std::int64_t>(m_picture->addressEnd(), m_run->plan.totals.lowerBound);
    if (m_overlay) highest = std::max(highest, m_overlay->addressEnd());
    const double height = plotRect().height();
    const double headroom = height / std::max(1.0, height - fontMetrics().height() - 4);
    m_address.setLimits(0, std::max(1.0, static_cast<double>(highest) * std::min(headroom, mostHeadroom)), 512);
}

void MemoryCanvas::setTimeMode(bool isTime)
{
    if (isTime == m_isTime) return;
    m_isTime = isTime;
    resetLimits();
}

void MemoryCanvas::setFilter(const QString& text)
{
    m_isFaded.clear();
    if (m_picture && !text.isEmpty()) {
        const auto& blocks = m_picture->blocks();
        m_isFaded.resize(blocks.size());
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const MemoryBuffer& buffer = m_run->plan.buffers[static_cast<std::size_t>(blocks[i].buffer)];
            m_isFaded[i] = !words::text(buffer.name).contains(text, Qt::CaseInsensitive);
        }
    }
    m_isImageValid = false;
    update();
}

void MemoryCanvas::setSelected(std::vector<int> buffers)
{
    m_selected = std::move(buffers);
    update();
}

void MemoryCanvas::setOverlay(std::shared_ptr<const MemoryPicture> picture, const QString& name)
{
    m_overlay = std::move(picture);
    m_overlayName = name;
    resetLimits();
}

void MemoryCanvas::setHolesShown(bool areShown)
{
    if (areShown == m_areHolesShown) return;
    m_areHolesShown = areShown;
    m_isImageValid = false;
    update();
}

void MemoryCanvas::setMark(int position)
{
    m_mark = position;
    update();
}

void MemoryCanvas::fit()
{
    m_time.fit();
    m_address.fit();
    zoomed();
}

void MemoryCanvas::zoomed()
{
    m_isImageValid = false;
    update();
    Q_EMIT viewChanged();
}

QRectF MemoryCanvas::plotRect() const
{
    return QRectF(gutterWidth(), 4, std::max(10, width() - gutterWidth() - 8),
                  std::max(10, height() - axisHeight() - 4));
}

double MemoryCanvas::valueAt(std::int64_t position) const
{
    if (!m_isTime) return static_cast<double>(position);
    const auto& starts = m_picture->startUs();
    return starts[static_cast<std::size_t>(
        std::clamp<std::int64_t>(position, 0, static_cast<std::int64_t>(starts.size()) - 1))];
}

std::int64_t MemoryCanvas::positionAtPixel(double x) const
{
    const double value = m_time.toValue(x - plotRect().left());
    std::int64_t position = static_cast<std::int64_t>(std::floor(value));
    if (m_isTime) {
        const auto& starts = m_picture->startUs();
        position = std::upper_bound(starts.begin(), starts.end(), value) - starts.begin() - 1;
    }
    return std::clamp<std::int64_t>(position, 0, std::max(0, m_picture->positions() - 1));
}

QRectF MemoryCanvas::rectOf(const MemoryPicture::Block& block) const
{
    const QRectF plot = plotRect();
    const double left = plot.left() + m_time.toPixel(valueAt(block.begin));
    const double right = plot.left() + m_time.toPixel(valueAt(block.end));
    const double bottom = plot.bottom() - m_address.toPixel(static_cast<double>(block.offset));
    const double top = plot.bottom() - m_address.toPixel(static_cast<double>(block.offset + block.bytes));
    return QRectF(QPointF(left, top), QPointF(right, bottom));
}

QRectF MemoryCanvas::rectOf(int buffer) const
{
    const MemoryPicture::Block* block = m_picture ? m_picture->blockOf(buffer) : nullptr;
    return block == nullptr ? QRectF() : rectOf(*block).intersected(plotRect());
}

int MemoryCanvas::bufferAt(QPointF at) const
{
    const QRectF plot = plotRect();
    if (!m_picture || !plot.contains(at)) return -1;
    const auto address = static_cast<std::int64_t>(m_address.toValue(plot.bottom() - at.y()));
    return m_picture->bufferAt(positionAtPixel(at.x()), address);
}

void MemoryCanvas::reveal(int buffer)
{
    const MemoryPicture::Block* block = m_picture ? m_picture->blockOf(buffer) : nullptr;
    if (block == nullptr) return;
    const double from = m_time.from(), low = m_address.from();
    m_time.reveal(valueAt(block->begin), valueAt(block->end));
    m_address.reveal(static_cast<double>(block->offset), static_cast<double>(block->offset + block->bytes));
    if (from != m_time.from() || low != m_address.from()) zoomed();
}

void MemoryCanvas::resizeEvent(QResizeEvent*)
{
    m_time.setLength(plotRect().width());
    const bool isWhole = m_address.from() <= m_address.low() && m_address.to() >= m_address.high();
    m_address.setLength(plotRect().height());
    if (m_picture && isWhole) resetAddresses();
    m_isImageValid = false;
}

void MemoryCanvas::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) m_isImageValid = false;
    QWidget::changeEvent(event);
}

void MemoryCanvas::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->pos();
    m_isDragging = false;
}

void MemoryCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!(event->buttons() & Qt::LeftButton) || !m_picture) return;
    const QPoint moved = event->pos() - m_pressed;
    if (!m_isDragging && moved.manhattanLength() < 6) return;
    m_isDragging = true;
    m_time.pan(-moved.x() / m_time.length());
    m_address.pan(moved.y() / m_address.length());
    m_pressed = event->pos();
    zoomed();
}

void MemoryCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_isDragging || !m_picture) return;
    const int buffer = bufferAt(event->position());
    if (buffer >= 0)
        Q_EMIT bufferClicked(buffer, event->modifiers().testFlag(Qt::ControlModifier));
    else if (event->position().x() >= plotRect().left())
        Q_EMIT positionClicked(static_cast<int>(positionAtPixel(event->position().x())));
}

void MemoryCanvas::wheelEvent(QWheelEvent* event)
{
    const QRectF plot = plotRect();
    if (event->modifiers() & Qt::ControlModifier)
        turnAxis(m_address, *event, plot.bottom() - event->position().y());
    else
        turnAxis(m_time, *event, event->position().x() - plot.left());
    event->accept();
    zoomed();
}

void MemoryCanvas::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Up: m_address.pan(0.2); break;
    case Qt::Key_Down: m_address.pan(-0.2); break;
    case Qt::Key_Home: return fit();
    case Qt::Key_Left: return walk(-1);
    case Qt::Key_Right: return walk(1);
    case Qt::Key_F: // what is selected fills the width and the height
        if (const MemoryPicture::Block* block =
                m_selected.empty() || !m_picture ? nullptr : m_picture->blockOf(m_selected.front())) {
            const double life = valueAt(block->end) - valueAt(block->begin), bytes = static_cast<double>(block->bytes);
            m_time.show(valueAt(block->begin) - life, valueAt(block->end) + life);
            m_address.show(static_cast<double>(block->offset) - bytes, static_cast<double>(block->offset) + 2 * bytes);
        }
        break;
    default:
        if (!pressAxis(event->modifiers() & Qt::ControlModifier ? m_address : m_time, event->key()))
            return QWidget::keyPressEvent(event);
    }
    zoomed();
}

void MemoryCanvas::walk(int step)
{
    if (!m_picture || m_picture->blocks().empty()) return;
    const auto& blocks = m_picture->blocks();
    const int count = static_cast<int>(blocks.size());
    int at = step > 0 ? -1 : count;
    const MemoryPicture::Block* current = m_selected.empty() ? nullptr : m_picture->blockOf(m_selected.front());
    if (current != nullptr) at = static_cast<int>(current - blocks.data());
    Q_EMIT bufferClicked(blocks[static_cast<std::size_t>(std::clamp(at + step, 0, count - 1))].buffer, false);
}

bool MemoryCanvas::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const int buffer = bufferAt(help->pos());
    showPlainToolTip(*help, this, buffer < 0 ? QString() : bufferFacts(*m_run, *m_picture, buffer));
    if (buffer < 0) event->ignore();
    return true;
}

} // namespace gelens
