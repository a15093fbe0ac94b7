#pragma once
// Paints a drawing, in three levels of detail: text and signs, boxes without text, coloured marks.

#include "engine/report/drawing_legend.h"
#include "viewers/common/palette.h"
#include "viewers/picture/text_painter.h"
#include "viewers/scene/scene_index.h"

#include <QPainter>
#include <QRectF>
#include <QString>
#include <QStringList>

namespace gelens {

class GraphPainter {
public:
    GraphPainter(const GraphDrawing& drawing, const SceneIndex& index, const Palette& palette);

    /// Paints what lies in `area` (scene) so that the scene point (0, 0) comes to `origin` (device-independent pixels)
    /// at `scale` pixels for each scene pixel. The background is not filled.
    void paint(QPainter& painter, const QRectF& area, QPointF origin, double scale);
    /// The legend of a file, at the place and scale of the last `paint`.
    void paintLegend(QPainter& painter, const DrawingLegend& legend) const;
    /// One box again, on top, for selection and hovering.
    void paintOutline(QPainter& painter, int box, QPointF origin, double scale, const QColor& color,
                      double width) const;
    void paintEdge(QPainter& painter, int edge, QPointF origin, double scale, const QColor& color, double width) const;

    /// The texts that `paint` would draw there.
    QStringList texts(const QRectF& area, double scale);

private:
    enum class Detail { Text, Boxes, Marks };
    static Detail detailFor(double scale);
    void paintFrame(QPainter& painter, const DrawnBox& box) const;
    void paintCard(QPainter& painter, const DrawnBox& box) const;
    void paintPort(QPainter& painter, const DrawnBox& box) const;
    void paintTexts(QPainter& painter, const DrawnBox& box) const;
    void paintMarks(QPainter& painter, const std::vector<std::int32_t>& boxes) const;
    void paintPlainBoxes(QPainter& painter, const std::vector<std::int32_t>& boxes) const;
    void paintPlainLines(QPainter& painter, const std::vector<std::int32_t>& edges) const;
    void paintThinLines(QPainter& painter, const std::vector<std::int32_t>& edges) const;
    void paintLines(QPainter& painter, const std::vector<std::int32_t>& edges, Detail detail) const;
    void paintStubs(QPainter& painter, const std::vector<std::int32_t>& stubs) const;
    void paintLabels(QPainter& painter, const std::vector<std::int32_t>& edges) const;
    void paintSign(QPainter& painter, const DrawnBox& box, const QRectF& rect) const;
    QColor stripeColor(const DrawnBox& box) const;
    QRectF onScreen(const DrawnBox& box) const;
    QPointF onScreen(DrawnPoint p) const { return {m_origin.x() + p.x * m_scale, m_origin.y() + p.y * m_scale}; }
    void text(QPainter& painter, double x, double baseline, std::string_view line, double size, bool isBold,
              const QColor& color, Qt::Alignment align = Qt::AlignLeft) const;

    const GraphDrawing& m_drawing;
    const SceneIndex& m_index;
    Palette m_palette;
    QPointF m_origin;
    double m_scale = 1;
    mutable TextPainter m_text;
};

} // namespace gelens
