#include "viewers/memory/memory_canvas.h"

#include "viewers/common/palette.h"
#include "viewers/memory/share_reason.h"
#include "viewers/models/words.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace gelens {
namespace {

constexpr double addressHeadroom = 1.06; ///< the peak's label fits above the highest block

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
    m_mark = -1;
    m_isFaded.clear();
    for (auto& colours : m_colours) colours.clear();
    resetLimits();
}

void MemoryCanvas::resetLimits()
{
    m_isImageValid = false;
    if (m_picture) {
        const auto highest = std::max<std::int64_t>(m_picture->addressEnd(), m_run->plan.totals.lowerBound);
        if (m_isTime)
            m_time.setLimits(0, m_picture->startUs().back(), std::max(1e-3, m_picture->startUs().back() / 1e6));
        else
            m_time.setLimits(0, std::max(1, m_picture->positions()), 2);
        m_address.setLimits(0, std::max(1.0, static_cast<double>(highest) * addressHeadroom), 512);
    }
    const QRectF plot = plotRect();
    m_time.setLength(plot.width());
    m_address.setLength(plot.height());
    update();
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
    return QRectF(gutterWidth(), 4, std::max(10, width() - gutterWidth() - 8), std::max(10, height() - axisHeight() - 4));
}

double MemoryCanvas::valueAt(std::int64_t position) const
{
    if (!m_isTime) return static_cast<double>(position);
    const auto& starts = m_picture->startUs();
    return starts[static_cast<std::size_t>(std::clamp<std::int64_t>(position, 0, static_cast<std::int64_t>(starts.size()) - 1))];
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
    m_address.setLength(plotRect().height());
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
    // Some systems turn a wheel with Alt or Shift into a horizontal one.
    const QPoint turned = event->angleDelta();
    const double notches = (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
    const QRectF plot = plotRect();
    if (event->modifiers() & Qt::ControlModifier)
        m_address.zoom(std::pow(1.25, notches), plot.bottom() - event->position().y());
    else if (event->modifiers() & Qt::ShiftModifier)
        m_time.pan(-0.1 * notches);
    else
        m_time.zoom(std::pow(1.25, notches), event->position().x() - plot.left());
    event->accept();
    zoomed();
}

void MemoryCanvas::keyPressEvent(QKeyEvent* event)
{
    const bool isAddress = event->modifiers() & Qt::ControlModifier;
    const double middleX = m_time.length() / 2, middleY = m_address.length() / 2;
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal: isAddress ? m_address.zoom(1.5, middleY) : m_time.zoom(1.5, middleX); break;
    case Qt::Key_S:
    case Qt::Key_Minus: isAddress ? m_address.zoom(1 / 1.5, middleY) : m_time.zoom(1 / 1.5, middleX); break;
    case Qt::Key_A: m_time.pan(-0.2); break;
    case Qt::Key_D: m_time.pan(0.2); break;
    case Qt::Key_Up: m_address.pan(0.2); break;
    case Qt::Key_Down: m_address.pan(-0.2); break;
    case Qt::Key_Home: return fit();
    case Qt::Key_Left: return walk(-1);
    case Qt::Key_Right: return walk(1);
    default: return QWidget::keyPressEvent(event);
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
    if (buffer < 0) {
        QToolTip::hideText();
        event->ignore();
        return true;
    }
    // Escaped, so that a name with angle brackets is not taken for rich text.
    QString text = bufferFacts(*m_run, *m_picture, buffer).toHtmlEscaped();
    QToolTip::showText(help->globalPos(), QStringLiteral("<qt>%1</qt>").arg(text.replace(QLatin1Char('\n'), QStringLiteral("<br>"))), this);
    return true;
}

} // namespace gelens
