// GraphCanvas: mouse, wheel and keys.

#include "engine/report/drawing_style.h"
#include "engine/session/node_facts.h"
#include "viewers/common/formatter.h"
#include "viewers/graph/graph_canvas.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gelens {
namespace {

constexpr double zoomFactor = 1.2;
constexpr qsizetype longestTip = 400; ///< characters of a name in a tool tip

QString shown(const std::string& text)
{
    QString name =
        QString::fromUtf8(text.data(), static_cast<qsizetype>(std::min<std::size_t>(text.size(), 4 * longestTip)));
    if (name.size() > longestTip) name = name.left(longestTip) + QChar(0x2026);
    return name.toHtmlEscaped();
}

} // namespace

void GraphCanvas::mousePressEvent(QMouseEvent* event)
{
    stopMotion();
    setFocus(Qt::MouseFocusReason);
    m_pressedAt = m_lastMouse = event->position();
    m_isPressed = event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton;
    m_isPanning = event->button() == Qt::MiddleButton;
    m_isOnMiniMap = event->button() == Qt::LeftButton && panToMiniMap(event->position());
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_isPressed) {
        setHovered(miniMapRect().contains(event->position()) ? -1 : boxAt(event->position()));
        return;
    }
    if (m_isOnMiniMap) {
        panToMiniMap(event->position());
        return;
    }
    if (!m_isPanning && (event->position() - m_pressedAt).manhattanLength() < QApplication::startDragDistance()) return;
    m_isPanning = true;
    setCursor(Qt::ClosedHandCursor);
    setView(m_centre - (event->position() - m_lastMouse) / m_zoom, m_zoom);
    m_lastMouse = event->position();
    moved();
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    const bool isClick = m_isPressed && !m_isPanning && !m_isOnMiniMap && event->button() == Qt::LeftButton;
    m_isPressed = m_isPanning = m_isOnMiniMap = false;
    unsetCursor();
    if (isClick) choose(boxAt(event->position()), event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier));
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) toggle(boxAt(event->position()));
}

void GraphCanvas::wheelEvent(QWheelEvent* event)
{
    const QPoint degrees = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier) { // sideways
        setView(m_centre - QPointF(degrees.y() != 0 ? degrees.y() : degrees.x(), 0) / m_zoom, m_zoom);
        moved();
    } else if (!event->pixelDelta().isNull() && !(event->modifiers() & Qt::ControlModifier)) { // touch pad
        setView(m_centre - QPointF(event->pixelDelta()) / m_zoom, m_zoom);
        moved();
    } else {
        zoomBy(std::pow(zoomFactor, degrees.y() / 120.0), event->position());
    }
    event->accept();
}

bool GraphCanvas::panToMiniMap(QPointF position)
{
    const QRectF map = miniMapRect();
    if (map.isNull() || (!map.contains(position) && !m_isOnMiniMap)) return false;
    const QRectF b = bounds();
    const double scale = std::min(map.width() / b.width(), map.height() / b.height());
    setView(b.center() + (position - map.center()) / scale, m_zoom);
    moved();
    return true;
}

void GraphCanvas::leaveEvent(QEvent*) { setHovered(-1); }

void GraphCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    const bool isKey = event->reason() == QContextMenuEvent::Keyboard;
    const int box = isKey ? currentBox() : boxAt(event->pos());
    if (!isKey && box >= 0) choose(box, false);
    const QPoint at = isKey && box >= 0 ? mapToGlobal(boxRect(box).center().toPoint()) : event->globalPos();
    Q_EMIT menuRequested(box, at);
}

bool GraphCanvas::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int box = boxAt(help->pos());
    if (box < 0)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), toolTipOf(box), this, boxRect(box).toRect());
    return true;
}

/// Names come from files: escaped, so that nothing in them is taken for markup.
QString GraphCanvas::toolTipOf(int index) const
{
    const DrawnBox& box = m_scene->drawing.boxes[static_cast<std::size_t>(index)];
    const Graph& graph = *m_scene->graph;
    QStringList lines;
    if (box.group >= 0) {
        const FoldGroup& group = m_scene->fold->group(box.group);
        lines << QStringLiteral("<b>%1</b>").arg(shown(group.title)) << tr("%n operator(s)", nullptr, group.nodeCount);
        if (group.repeats > 0) lines << tr("%1 times in a row").arg(format::count(group.repeats));
        if (group.variants > 1) lines << tr("in %1 variants").arg(format::count(group.variants));
        lines << (box.kind == BoxKind::Frame ? tr("Double click folds it.") : tr("Double click opens it."));
    } else if (const NodeId id = box.node.isValid() ? box.node : box.port.node; graph.contains(id)) {
        const Node& node = graph.node(id);
        lines << QStringLiteral("<b>%1</b>").arg(shown(node.type)) << shown(node.name);
        const std::string_view unit = unitName(nodeUnit(node));
        lines << tr("unit: %1").arg(QLatin1String(unit.data(), static_cast<qsizetype>(unit.size())));
        constexpr std::size_t mostFields = 5;
        if (const NodeChange* change =
                m_changes ? m_changes->of(id, m_isAfter) : nullptr) { // what the step did comes first
            for (std::size_t i = 0; i < std::min(mostFields, change->fields.size()); ++i)
                lines << QStringLiteral("~ %1: %2 → %3")
                             .arg(shown(change->fields[i].field), shown(change->fields[i].before),
                                  shown(change->fields[i].after));
            if (change->fields.size() > mostFields)
                lines << tr("… %n more change(s)", nullptr, static_cast<int>(change->fields.size() - mostFields));
        }
        const auto describe = [](const TensorDesc& desc) {
            return shown(std::string(dataTypeShortName(desc.dtype)) + " " + desc.shape.text() + " " +
                         desc.format.text());
        };
        constexpr int most = 6;
        for (int i = 0; i < std::min(most, node.inputCount()); ++i)
            if (node.hasInput(i))
                lines << QStringLiteral("← %1 %2").arg(shown(node.inputs[static_cast<std::size_t>(i)].name),
                                                       describe(node.inputs[static_cast<std::size_t>(i)].desc));
        if (node.inputCount() > most) lines << tr("… %n more input(s)", nullptr, node.inputCount() - most);
        for (int i = 0; i < std::min(most, node.outputCount()); ++i)
            lines << QStringLiteral("→ %1 %2").arg(shown(node.outputs[static_cast<std::size_t>(i)].name),
                                                   describe(node.outputs[static_cast<std::size_t>(i)].desc));
    } else {
        lines << QStringLiteral("<b>%1</b>").arg(shown(box.title)) << tr("removed by this step");
    }
    return QStringLiteral("<qt>%1</qt>").arg(lines.join(QStringLiteral("<br>")));
}

void GraphCanvas::choose(int index, bool isExtending)
{
    if (index < 0) {
        Q_EMIT backgroundClicked();
        return;
    }
    const DrawnBox& box = m_scene->drawing.boxes[static_cast<std::size_t>(index)];
    if (box.group >= 0)
        Q_EMIT groupClicked(m_scene->fold->group(box.group).key);
    else
        Q_EMIT nodeClicked(box.node.isValid() ? box.node : box.port.node, isExtending);
}

void GraphCanvas::toggle(int index)
{
    if (index < 0) return;
    const DrawnBox& box = m_scene->drawing.boxes[static_cast<std::size_t>(index)];
    if (box.group >= 0)
        Q_EMIT groupToggleRequested(m_scene->fold->group(box.group).key);
    else if (box.node.isValid())
        Q_EMIT hubToggleRequested(box.node);
}

void GraphCanvas::zoomStep(int steps) { zoomBy(std::pow(zoomFactor, steps)); }

void GraphCanvas::goUp()
{
    if (!m_scene) return;
    int group = -1;
    if (!m_selected.empty())
        group = m_scene->fold->groupOf(m_selected.front());
    else if (!m_selectedGroup.empty())
        group = m_scene->fold->findKey(m_selectedGroup);
    const bool isOpen = group > 0 && m_scene->options.open.contains(m_scene->fold->group(group).key);
    if (group > 0 && !isOpen) group = m_scene->fold->group(group).parent; // a folded block: the one around it
    while (group > 0 && !m_scene->options.open.contains(m_scene->fold->group(group).key))
        group = m_scene->fold->group(group).parent;
    if (group > 0) Q_EMIT groupToggleRequested(m_scene->fold->group(group).key);
}

int GraphCanvas::neighbourAlongEdge(int from, bool isDown) const
{
    const auto& drawing = m_scene->drawing;
    const DrawnBox& self = drawing.boxes[static_cast<std::size_t>(from)];
    int best = -1;
    double bestDistance = std::numeric_limits<double>::infinity();
    const auto consider = [&](int other) {
        if (other < 0 || other == from) return;
        const DrawnBox& box = drawing.boxes[static_cast<std::size_t>(other)];
        const double distance = std::abs(box.centreX() - self.centreX()) + 2 * std::abs(box.centreY() - self.centreY());
        if (distance >= bestDistance) return;
        best = other;
        bestDistance = distance;
    };
    for (const std::int32_t e : m_index->edgesOf(from)) {
        const DrawnEdge& edge = drawing.edges[static_cast<std::size_t>(e)];
        if (isDown ? edge.from == from : edge.to == from) consider(isDown ? edge.to : edge.from);
    }
    if (best < 0) // a hub's edges are stubs
        for (const DrawnStub& stub : drawing.stubs)
            if (stub.consumer >= 0 && (isDown ? stub.hub : stub.consumer) == from)
                consider(isDown ? stub.consumer : stub.hub);
    return best;
}

int GraphCanvas::neighbourBeside(int from, int dx) const
{
    const auto& boxes = m_scene->drawing.boxes;
    const DrawnBox& self = boxes[static_cast<std::size_t>(from)];
    constexpr double reach = 4000;
    std::vector<std::int32_t> found;
    m_index->boxesIn({dx < 0 ? self.x - reach : self.right(), self.y - 300, dx < 0 ? self.x : self.right() + reach,
                      self.bottom() + 300},
                     found);
    int best = -1;
    double bestDistance = std::numeric_limits<double>::infinity();
    for (const std::int32_t i : found) {
        const DrawnBox& box = boxes[static_cast<std::size_t>(i)];
        if (i == from || box.kind == BoxKind::Frame || (dx < 0 ? box.right() > self.x : box.x < self.right())) continue;
        const double distance = std::abs(box.centreX() - self.centreX()) + 3 * std::abs(box.centreY() - self.centreY());
        if (distance < bestDistance) {
            best = i;
            bestDistance = distance;
        }
    }
    return best;
}

void GraphCanvas::walk(int dx, int dy)
{
    if (!m_scene || m_scene->isEmpty()) return;
    const int from = currentBox();
    int to = -1;
    if (from < 0) { // nothing selected: the topmost box
        const auto& boxes = m_scene->drawing.boxes;
        to = static_cast<int>(std::min_element(boxes.begin(), boxes.end(),
                                               [](const DrawnBox& a, const DrawnBox& b) {
                                                   return std::tie(a.y, a.x) < std::tie(b.y, b.x);
                                               }) -
                              boxes.begin());
    } else {
        to = dy != 0 ? neighbourAlongEdge(from, dy > 0) : neighbourBeside(from, dx);
        const auto& boxes = m_scene->drawing.boxes;
        while (to >= 0 && boxes[static_cast<std::size_t>(to)].kind == BoxKind::Port) { // ports are no stops
            const int next = dy != 0 ? neighbourAlongEdge(to, dy > 0) : neighbourBeside(to, dx);
            if (next < 0 || next == to) break;
            to = next;
        }
    }
    if (to < 0) return;
    choose(to, false);
    ensureVisible(to);
}

void GraphCanvas::keyPressEvent(QKeyEvent* event)
{
    stopMotion();
    const bool isShifted = event->modifiers() & Qt::ShiftModifier;
    const auto arrow = [&](int dx, int dy) {
        if (!isShifted) {
            walk(dx, dy);
            return;
        }
        setView(m_centre + QPointF(dx * width(), dy * height()) * (0.15 / m_zoom), m_zoom);
        moved();
    };
    switch (event->key()) {
    case Qt::Key_Space: fitAll(); return;
    case Qt::Key_F:
        if (event->modifiers() == Qt::NoModifier) {
            fitSelection();
            return;
        }
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomStep(1); return;
    case Qt::Key_Minus: zoomStep(-1); return;
    case Qt::Key_Left:
        if (!(event->modifiers() & Qt::ControlModifier)) {
            arrow(-1, 0);
            return;
        }
        break;
    case Qt::Key_Right:
        if (!(event->modifiers() & Qt::ControlModifier)) {
            arrow(1, 0);
            return;
        }
        break;
    case Qt::Key_Up: arrow(0, -1); return;
    case Qt::Key_Down: arrow(0, 1); return;
    case Qt::Key_Return:
    case Qt::Key_Enter: toggleCurrent(); return;
    case Qt::Key_Backspace: goUp(); return;
    case Qt::Key_Escape: Q_EMIT backgroundClicked(); return;
    default: break;
    }
    QWidget::keyPressEvent(event);
}

} // namespace gelens
