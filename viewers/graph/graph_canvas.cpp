#include "viewers/graph/graph_canvas.h"

#include "engine/report/drawing_style.h"
#include "viewers/common/formatter.h"
#include "viewers/graph/fullest_column.h"

#include <QEvent>
#include <QResizeEvent>
#include <QStyle>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gelens {
namespace {

constexpr double fitMargin = 24;      ///< pixels around a fitted scene
constexpr double captionSpace = 18;   ///< more of them above, for the caption
constexpr double readableZoom = 0.62; ///< names can be read
constexpr double startZoom = 0.8;     ///< and at ease: of what does not fit, the beginning is shown first
constexpr double largestStart = 0.9;  ///< also of a narrow one: more of it is seen, and no name gets harder to read
constexpr int motionTime = 160; ///< milliseconds at most: long enough to be followed, short enough not to be waited for
constexpr double miniMapMin = 70, miniMapMax = 150; ///< pixels; a share of the canvas in between
constexpr double miniMapShare = 0.3;
constexpr std::size_t mostForMapAtOnce = 4000; ///< boxes
constexpr int mapDelay = 120;                  ///< milliseconds
constexpr int leastForMap = 380;               ///< pixels: a smaller canvas has no room for a map

} // namespace

GraphCanvas::GraphCanvas(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(120, 100);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Graph"));
    setAccessibleDescription(
        tr("Operators and the tensors between them. Arrow keys walk along edges, Enter opens a block, "
           "Backspace goes up, Space shows all, F shows the selection."));
    m_motionClock.setStartValue(0.0);
    m_motionClock.setEndValue(1.0);
    m_motionClock.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_motionClock, &QVariantAnimation::valueChanged, this, [this] { update(); });
    m_mapClock.setSingleShot(true);
    m_mapClock.setInterval(mapDelay);
    connect(&m_mapClock, &QTimer::timeout, this, &GraphCanvas::forgetMap);
    connect(&m_motionClock, &QVariantAnimation::finished, this, &GraphCanvas::stopMotion);
}

FoldMotion::Places GraphCanvas::placesInView() const
{
    FoldMotion::Places places;
    for (const std::int32_t box : boxesInView(FoldMotion::mostBoxes))
        if (const auto key = FoldMotion::keyOf(*m_scene, m_scene->drawing.boxes[static_cast<std::size_t>(box)]);
            key != 0)
            places.emplace(key, boxRect(box));
    return places;
}

void GraphCanvas::moveFrom(const FoldMotion::Places& before)
{
    const int duration = std::min(motionTime, style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this));
    if (!m_scene || before.empty() || duration <= 0 || !isVisible() || !m_isAnimated) return;
    FoldMotion::Places places;
    for (const auto& [key, rect] : before) places.emplace(key, QRectF(toScene(rect.topLeft()), rect.size() / m_zoom));
    std::vector<std::int32_t> boxes = boxesInView(FoldMotion::mostBoxes);
    for (std::size_t i = 0; i < m_scene->drawing.boxes.size() && boxes.size() < FoldMotion::mostBoxes;
         ++i) // and what leaves it
        if (const DrawnBox& box = m_scene->drawing.boxes[i]; places.contains(FoldMotion::keyOf(*m_scene, box)) &&
                                                             !QRectF(rect()).intersects(boxRect(static_cast<int>(i))))
            boxes.push_back(static_cast<std::int32_t>(i));
    FoldMotion motion(*m_scene, boxes, places);
    if (motion.isEmpty()) return;
    m_motion = std::move(motion);
    m_motionClock.setDuration(duration);
    m_motionClock.start();
}

void GraphCanvas::stopMotion()
{
    if (!m_motion) return;
    m_motion.reset();
    m_motionClock.stop();
    update();
}

void GraphCanvas::setScene(std::shared_ptr<const Scene> scene, std::shared_ptr<const SceneIndex> index)
{
    stopMotion();
    m_painter.reset();
    // All of a large drawing in small takes longer than what is in view: it comes a moment later.
    const bool isMapLate = m_scene && scene && scene->drawing.boxes.size() > mostForMapAtOnce && !m_miniMap.isNull();
    m_scene = std::move(scene);
    m_index = index || !m_scene ? std::move(index) : std::make_shared<SceneIndex>(m_scene->drawing);
    if (m_scene) m_painter = std::make_unique<GraphPainter>(m_scene->drawing, *m_index, Palette::of(palette()));
    m_hovered = -1;
    m_tiles.clear();
    if (isMapLate)
        m_mapClock.start();
    else
        forgetMap();
    update();
}

void GraphCanvas::forgetMap()
{
    m_mapClock.stop();
    m_miniMap = {};
    update();
}

void GraphCanvas::setMessage(const QString& text)
{
    m_message = text;
    update();
}

void GraphCanvas::setCaption(const QString& text)
{
    m_caption = text;
    setAccessibleName(text.isEmpty() ? tr("Graph") : tr("Graph, %1").arg(text));
    update();
}

QRectF GraphCanvas::bounds() const
{
    if (!m_scene) return {};
    const GraphDrawing& d = m_scene->drawing;
    return {d.left, d.top, d.width, d.height};
}

QPointF GraphCanvas::origin() const
{
    // Whole device pixels, so that tiles fit together without seams and text stays crisp.
    const double ratio = devicePixelRatioF();
    const auto snapped = [&](double v) { return std::round(v * ratio) / ratio; };
    return {snapped(width() / 2.0 - m_centre.x() * m_zoom), snapped(height() / 2.0 - m_centre.y() * m_zoom)};
}

QPointF GraphCanvas::toScene(QPointF position) const { return (position - origin()) / m_zoom; }
QPointF GraphCanvas::toScreen(QPointF scene) const { return origin() + scene * m_zoom; }

QRectF GraphCanvas::boxRect(int box) const
{
    if (!m_scene || box < 0 || box >= static_cast<int>(m_scene->drawing.boxes.size())) return {};
    const DrawnBox& b = m_scene->drawing.boxes[static_cast<std::size_t>(box)];
    return {toScreen({b.x, b.y}), QSizeF(b.width * m_zoom, b.height * m_zoom)};
}

int GraphCanvas::boxAt(QPointF position) const
{
    if (!m_index) return -1;
    const QPointF at = toScene(position);
    return m_index->boxAt(at.x(), at.y());
}

void GraphCanvas::setView(QPointF centre, double zoom)
{
    zoom = std::clamp(zoom, minZoom, maxZoom);
    if (m_scene) { // a corner of the drawing always stays in view
        const QRectF b = bounds().adjusted(-80, -80, 80, 80);
        centre.setX(std::clamp(centre.x(), b.left(), b.right()));
        centre.setY(std::clamp(centre.y(), b.top(), b.bottom()));
    }
    m_isAtStart = false;
    if (centre == m_centre && zoom == m_zoom) return;
    stopMotion();
    if (zoom != m_zoom) m_tiles.clear();
    m_centre = centre;
    m_zoom = zoom;
    update();
}

void GraphCanvas::moved()
{
    setHovered(-1);
    Q_EMIT viewMoved();
}

void GraphCanvas::fitAll()
{
    if (bounds().isEmpty()) return;
    const QRectF b = bounds().united(m_beside);
    const double zoom = std::max(minZoom, std::min({(width() - 2 * fitMargin) / b.width(),
                                                    (height() - 2 * fitMargin - captionSpace) / b.height(), 1.25}));
    setView(b.center() - QPointF(0, captionSpace / 2 / zoom), zoom);
    moved();
}

void GraphCanvas::showStart()
{
    const QRectF b = bounds();
    if (b.isEmpty()) return;
    fitAll();
    if (m_zoom < readableZoom) {
        // All of its breadth where that can be read; else what is seen of it at ease.
        const double breadth = (width() - 2 * fitMargin) / b.width();
        const double zoom = breadth < readableZoom ? startZoom : std::min(breadth, largestStart);
        // The top of the drawing at the top of the widget, there where most of its beginning is seen.
        const bool isWhole = b.width() * zoom <= width() - fitMargin;
        // A narrow one leaves room for the map beside it.
        const double map = miniMapMax + 24;
        const double beside =
            b.width() * zoom + fitMargin <= width() - map ? std::min(map, width() - b.width() * zoom - map) / 2 : 0;
        // The other drawing may begin a little higher.
        const bool isBoth = m_beside.isValid() && b.top() - m_beside.top() < height() / 3.0 / zoom;
        const double top = isBoth ? std::min(b.top(), m_beside.top()) : b.top();
        const double x = isWhole ? b.center().x() + std::max(0.0, beside) / zoom
                                 : fullestColumn(m_scene->drawing, {b.x(), b.y(), width() / zoom, height() / zoom},
                                                 fitMargin / zoom);
        setView({x, top + (height() / 2.0 - fitMargin - captionSpace) / zoom}, zoom);
    }
    chooseMapCorner();
    moved();
    m_isAtStart = true;
}

void GraphCanvas::setBeside(const QRectF& other) { m_beside = other; }

/// The corner where the map hides least; it stays there while one looks around.
void GraphCanvas::chooseMapCorner()
{
    double least = std::numeric_limits<double>::infinity();
    std::vector<std::int32_t> near;
    for (const Qt::Corner corner : {Qt::BottomRightCorner, Qt::TopRightCorner, Qt::BottomLeftCorner}) {
        const QRectF map = miniMapAt(corner);
        if (map.isNull()) return;
        const QPointF from = toScene(map.topLeft()), to = toScene(map.bottomRight());
        m_index->boxesIn({from.x(), from.y(), to.x(), to.y()}, near);
        double hidden = 0;
        for (const std::int32_t box : near) {
            if (m_scene->drawing.boxes[static_cast<std::size_t>(box)].kind == BoxKind::Frame) continue;
            const QRectF covered = boxRect(box).intersected(map);
            hidden += covered.width() * covered.height();
        }
        if (hidden >= least) continue;
        least = hidden;
        m_mapCorner = corner;
    }
}

void GraphCanvas::setMapShown(bool isShown)
{
    m_isMapShown = isShown;
    update();
}

void GraphCanvas::setMapCorner(Qt::Corner corner)
{
    if (corner == m_mapCorner) return;
    m_mapCorner = corner;
    update();
}

void GraphCanvas::fitSelection()
{
    QRectF area;
    if (m_scene) {
        for (const NodeId node : m_selected)
            if (const int box = m_scene->boxOf(node); box >= 0) {
                const DrawnBox& b = m_scene->drawing.boxes[static_cast<std::size_t>(box)];
                area |= QRectF(b.x, b.y, b.width, b.height);
            }
        if (const int box = currentBox(); box >= 0 && area.isNull()) {
            const DrawnBox& b = m_scene->drawing.boxes[static_cast<std::size_t>(box)];
            area = {b.x, b.y, b.width, b.height};
        }
    }
    if (area.isNull()) {
        fitAll();
        return;
    }
    area.adjust(-120, -90, 120, 90); // with its surroundings
    setView(area.center(), std::clamp(std::min(width() / area.width(), height() / area.height()), minZoom, 1.25));
    moved();
}

void GraphCanvas::zoomBy(double factor, std::optional<QPointF> around)
{
    const QPointF at = around.value_or(QPointF(width() / 2.0, height() / 2.0));
    const QPointF fixed = toScene(at);
    const double zoom = std::clamp(m_zoom * factor, minZoom, maxZoom);
    if (zoom == m_zoom) return;
    setView(fixed - (at - QPointF(width() / 2.0, height() / 2.0)) / zoom, zoom);
    moved();
}

void GraphCanvas::ensureVisible(int box)
{
    const QRectF rect = boxRect(box);
    if (rect.isNull()) return;
    const QRectF room = QRectF(this->rect()).adjusted(30, 30, -30, -30);
    if (room.contains(rect) || (rect.contains(room.center()) && rect.width() > room.width())) return;
    const DrawnBox& b = m_scene->drawing.boxes[static_cast<std::size_t>(box)];
    const bool isLarge = rect.height() > room.height();
    const double y = isLarge ? b.y + room.height() / 2 / m_zoom : b.centreY();
    setView({b.centreX(), y}, std::max(m_zoom, readableZoom));
    moved();
}

void GraphCanvas::keepInPlace(int box, const QRectF& oldRect)
{
    const QRectF now = boxRect(box);
    if (now.isNull() || oldRect.isNull()) return;
    const QPointF shift = QPointF(now.center().x(), now.top()) - QPointF(oldRect.center().x(), oldRect.top());
    setView(m_centre + shift / m_zoom, m_zoom);
}

void GraphCanvas::setSelection(const std::vector<NodeId>& nodes)
{
    m_selected = nodes;
    m_selectedGroup.clear();
    update();
}

void GraphCanvas::setSelectedGroup(const std::string& key)
{
    m_selectedGroup = key;
    m_selected.clear();
    update();
}

void GraphCanvas::setChanges(std::shared_ptr<const StepChanges> changes, bool isAfter)
{
    m_changes = std::move(changes);
    m_isAfter = isAfter;
}

void GraphCanvas::setHighlights(const QSet<int>& nodes)
{
    m_highlights = nodes;
    update();
}

int GraphCanvas::currentBox() const
{
    if (!m_scene) return -1;
    return m_selected.empty() ? boxOfGroup(m_selectedGroup) : m_scene->boxOf(m_selected.front());
}

int GraphCanvas::boxOfGroup(const std::string& key) const
{
    if (!m_scene || key.empty()) return -1;
    const int group = m_scene->fold->findKey(key);
    for (std::size_t i = 0; group >= 0 && i < m_scene->drawing.boxes.size(); ++i)
        if (m_scene->drawing.boxes[i].group == group) return static_cast<int>(i);
    return -1;
}

QStringList GraphCanvas::visibleTexts() const
{
    QStringList lines;
    if (!m_caption.isEmpty()) lines.append(m_caption);
    if (!m_painter || m_scene->isEmpty()) {
        lines.append(m_message);
        return lines;
    }
    return lines +
           m_painter->texts(
               QRectF(toScene({0, 0}), toScene({static_cast<double>(width()), static_cast<double>(height())})), m_zoom);
}

std::vector<std::int32_t> GraphCanvas::boxesInView(std::size_t most) const
{
    const QPointF from = toScene({0, 0}), to = toScene({static_cast<double>(width()), static_cast<double>(height())});
    std::vector<std::int32_t> found;
    if (m_index) m_index->boxesIn({from.x(), from.y(), to.x(), to.y()}, found);
    if (found.size() > most) found.clear();
    return found;
}

std::vector<std::uint8_t> GraphCanvas::visibleBoxes() const
{
    std::vector<std::uint8_t> isIn(m_scene ? m_scene->drawing.boxes.size() : 0, 0);
    for (const std::int32_t box : boxesInView(isIn.size())) isIn[static_cast<std::size_t>(box)] = 1;
    return isIn;
}

/// Boxes of the selection with all that lies inside of them.
std::vector<std::uint8_t> GraphCanvas::selectedBoxes() const
{
    std::vector<std::uint8_t> isIn(m_scene ? m_scene->drawing.boxes.size() : 0, 0);
    if (!m_scene) return isIn;
    for (const NodeId node : m_selected)
        if (const int box = m_scene->boxOf(node); box >= 0) isIn[static_cast<std::size_t>(box)] = 1;
    const int current = currentBox();
    if (current < 0) return isIn;
    isIn[static_cast<std::size_t>(current)] = 1;
    const DrawnBox& frame = m_scene->drawing.boxes[static_cast<std::size_t>(current)];
    if (frame.kind != BoxKind::Frame) return isIn;
    std::vector<std::int32_t> found;
    m_index->boxesIn({frame.x, frame.y, frame.right(), frame.bottom()}, found);
    for (const std::int32_t i : found) {
        const DrawnBox& box = m_scene->drawing.boxes[static_cast<std::size_t>(i)];
        if (box.depth > frame.depth && box.x >= frame.x && box.y >= frame.y && box.right() <= frame.right() &&
            box.bottom() <= frame.bottom())
            isIn[static_cast<std::size_t>(i)] = 1;
    }
    return isIn;
}

void GraphCanvas::setLinks(std::vector<std::pair<NodeId, NodeId>> links)
{
    if (links == m_links) return;
    m_links = std::move(links);
    update();
}

void GraphCanvas::setHovered(int box)
{
    if (box == m_hovered) return;
    m_hovered = box;
    update();
}

void GraphCanvas::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    forgetMap();
    setScene(m_scene, m_index);
}

void GraphCanvas::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_tiles.clear();
    forgetMap();
    if (m_isAtStart) showStart();
}

QRectF GraphCanvas::miniMapRect() const { return miniMapAt(m_mapCorner); }

QRectF GraphCanvas::miniMapAt(Qt::Corner corner) const
{
    constexpr double margin = 12;
    const QRectF b = bounds();
    if (!m_isMapShown || b.isEmpty() || width() < leastForMap || height() < leastForMap) return {};
    const QRectF seen(toScene({0, 0}), QSizeF(width() / m_zoom, height() / m_zoom));
    if (seen.contains(b)) return {}; // everything is in view: no need of a map
    const double side = std::clamp(miniMapShare * std::min(width(), height()), miniMapMin, miniMapMax);
    const double scale = std::min(side / b.width(), side / b.height());
    const QSizeF size(std::max(24.0, b.width() * scale), std::max(24.0, b.height() * scale));
    const double x = corner == Qt::BottomLeftCorner ? margin : width() - size.width() - margin;
    const double y = corner == Qt::TopRightCorner ? margin : height() - size.height() - margin;
    return {QPointF(x, y), size};
}

} // namespace gelens
