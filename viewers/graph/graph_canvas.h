#pragma once
// One widget that paints a whole scene: levels of detail, cached tiles, hit-testing through an index. It knows nodes and
// blocks, not runs; the view around it decides what a click means for the rest of the program.

#include "viewers/graph/fold_motion.h"
#include "viewers/graph/graph_worker.h"
#include "viewers/graph/tile_cache.h"
#include "viewers/picture/graph_painter.h"
#include "viewers/scene/scene.h"

#include <QSet>
#include <QTimer>
#include <QVariantAnimation>
#include <QWidget>

#include <memory>
#include <optional>

namespace gelens {

class GraphCanvas : public QWidget {
    Q_OBJECT
public:
    static constexpr double minZoom = 0.02, maxZoom = 4;

    explicit GraphCanvas(QWidget* parent = nullptr);

    /// Shows a scene; the point of the scene in the middle and the zoom stay. Null shows `message`.
    /// Null: nothing to show. The index is that of the scene's drawing; without one it is made here.
    void setScene(std::shared_ptr<const Scene> scene, std::shared_ptr<const SceneIndex> index = nullptr);
    const std::shared_ptr<const Scene>& scene() const { return m_scene; }
    void setMessage(const QString& text); ///< shown while there is nothing to draw
    void setCaption(const QString& text); ///< "before · step 40"

    double zoom() const { return m_zoom; }
    QPointF centre() const { return m_centre; }
    void setView(QPointF centre, double zoom);
    void fitAll();
    /// All of it if that can be read, else its top at a readable size.
    void showStart();
    bool isAtStart() const { return m_isAtStart; } ///< nobody has moved the view since
    /// Where the drawing lies, in its own coordinates.
    QRectF bounds() const;
    /// Where another drawing lies that is shown beside this one, in the coordinates of this one: what fits all, or shows
    /// the start, looks at both. Empty: there is none.
    void setBeside(const QRectF& other);
    /// The corner of the mini-map; `showStart` chooses the one where it hides least.
    Qt::Corner mapCorner() const { return m_mapCorner; }
    void setMapCorner(Qt::Corner corner);
    /// Off: no map, however little of the drawing is in view.
    void setMapShown(bool isShown);
    /// Off: what moves is at its new place at once, whatever the style says.
    void setAnimated(bool isAnimated) { m_isAnimated = isAnimated; }
    void fitSelection();
    void zoomBy(double factor, std::optional<QPointF> around = {});
    void zoomStep(int steps); ///< in (positive) or out, as the keys + and − do
    /// Opens or folds what is selected: a block, or a node whose edges are cut short.
    void toggleCurrent() { toggle(currentBox()); }
    /// To the block around the selection, which is folded.
    void goUp();
    void ensureVisible(int box);
    /// Where what is in view stands on screen; nothing when that is too much to be moved.
    FoldMotion::Places placesInView() const;
    /// Lets boxes go from there to where they stand now, in a moment that ends with the next key, click or change of the
    /// view. Not where the platform wants no animations.
    void moveFrom(const FoldMotion::Places& before);
    bool isMoving() const { return m_motion.has_value() || m_mapClock.isActive(); }
    /// Pans so that the box's top side stands where it stood on screen.
    void keepInPlace(int box, const QRectF& oldRect);

    void setSelection(const std::vector<NodeId>& nodes); ///< the first is the current one
    void setSelectedGroup(const std::string& key);
    const std::vector<NodeId>& selectedNodes() const { return m_selected; }
    const std::string& selectedGroup() const { return m_selectedGroup; }
    /// What the shown step did to the nodes of this drawing, for tool tips.
    void setChanges(std::shared_ptr<const StepChanges> changes, bool isAfter);
    void setHighlights(const QSet<int>& nodes);   ///< search hits, by node id
    int currentBox() const;                       ///< of the selection; -1
    int boxOfGroup(const std::string& key) const; ///< card or frame of a block; -1
    /// Pairs of nodes of this drawing of which the second came from the first (ghosts in an overlay).
    void setLinks(std::vector<std::pair<NodeId, NodeId>> links);
    const std::vector<std::pair<NodeId, NodeId>>& links() const { return m_links; }

    int boxAt(QPointF position) const;
    QRectF boxRect(int box) const; ///< on screen; null when there is no such box
    QPointF toScene(QPointF position) const;
    QPointF toScreen(QPointF scene) const;
    QStringList visibleTexts() const;
    /// Indices of boxes in view; none when there are more than `most`.
    std::vector<std::int32_t> boxesInView(std::size_t most) const;
    /// Boxes in view (or of the selection), for an export of that part.
    std::vector<std::uint8_t> visibleBoxes() const;
    std::vector<std::uint8_t> selectedBoxes() const;

    QSize sizeHint() const override { return {640, 480}; }

Q_SIGNALS:
    void viewMoved();
    void nodeClicked(gelens::NodeId node, bool isExtending);
    void groupClicked(const std::string& key);
    void backgroundClicked();
    void groupToggleRequested(const std::string& key);
    void hubToggleRequested(gelens::NodeId node);
    void menuRequested(int box, const QPoint& globalPosition);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    QPointF origin() const;
    void moved();
    void paintTiles(QPainter& painter);
    void paintOverlay(QPainter& painter);
    void paintLinks(QPainter& painter);
    void paintMiniMap(QPainter& painter);
    void paintMessage(QPainter& painter);
    QRectF miniMapRect() const;
    QRectF miniMapAt(Qt::Corner corner) const;
    void chooseMapCorner();
    void stopMotion();
    bool panToMiniMap(QPointF position);
    void choose(int box, bool isExtending);
    void walk(int dx, int dy);
    int neighbourAlongEdge(int box, bool isDown) const;
    int neighbourBeside(int box, int dx) const;
    void toggle(int box);
    QString toolTipOf(int box) const;
    void setHovered(int box);
    void forgetMap();

    std::shared_ptr<const Scene> m_scene;
    std::shared_ptr<const SceneIndex> m_index;
    std::unique_ptr<GraphPainter> m_painter;
    TileCache m_tiles;
    QPixmap m_miniMap;
    QTimer m_mapClock; ///< runs while the map is that of the scene before
    QString m_message, m_caption;
    QPointF m_centre; ///< scene point in the middle
    double m_zoom = 1;
    std::vector<NodeId> m_selected;
    std::string m_selectedGroup;
    QSet<int> m_highlights;
    std::shared_ptr<const StepChanges> m_changes;
    std::vector<std::pair<NodeId, NodeId>> m_links;
    int m_hovered = -1;
    QPointF m_pressedAt, m_lastMouse;
    QRectF m_beside;
    Qt::Corner m_mapCorner = Qt::BottomRightCorner;
    bool m_isMapShown = true, m_isAnimated = true;
    std::optional<FoldMotion> m_motion;
    QVariantAnimation m_motionClock;
    bool m_isAfter = true;    ///< its nodes are those after the step
    bool m_isAtStart = false; ///< nobody has moved the view since showStart
    bool m_isPanning = false, m_isOnMiniMap = false, m_isPressed = false;
};

/// A dashed curve with a dot at the end that came to be.
void paintLink(QPainter& painter, QPointF from, QPointF to, const QColor& color, double zoom);

} // namespace gelens
