#pragma once
// The painted task timeline: streams and units as tracks, time across.

#include "viewers/common/time_axis.h"
#include "viewers/timeline/timeline_index.h"

#include <QAbstractScrollArea>

#include <memory>
#include <optional>
#include <vector>

namespace gelens {

class Palette;

/// Items narrower than a pixel are merged into columns, so that the cost of a paint goes with the pixels and not with the
/// items. W, S and the wheel zoom, A, D and Shift+wheel move, Home shows all, dragging selects a span of time, ← and →
/// walk from task to task on the track, with Ctrl+Shift the span grows on the way, Esc clears it.
class TimelineCanvas : public QAbstractScrollArea {
    Q_OBJECT
public:
    struct Span {
        double from = 0, to = 0; ///< µs
    };

    explicit TimelineCanvas(QWidget* parent = nullptr);

    void setIndex(std::shared_ptr<const TimelineIndex> index);
    const TimelineIndex* index() const { return m_index.get(); }
    void setSelected(std::vector<std::uint32_t> items);
    const std::vector<std::uint32_t>& selected() const { return m_selected; }
    void setFound(std::vector<std::uint32_t> items); ///< search results, ascending
    void setSpan(std::optional<Span> span);
    const std::optional<Span>& span() const { return m_span; }
    void fit();
    void reveal(std::uint32_t item);

    const TimeAxis& time() const { return m_time; }
    QRectF plotRect() const;                 ///< the bars' area in the viewport
    QRectF rectOf(std::uint32_t item) const; ///< on its stream's track, in the viewport
    /// Tracks of which less than half is in sight; a sentence in the corner counts them, a click on it scrolls there.
    int tracksHidden(bool isBelow) const;
    QRectF moreRect(bool isBelow) const;              ///< where that stands, in the viewport
    int barsPainted() const { return m_barsPainted; } ///< of the last paint: bars and merged columns
    QSize sizeHint() const override { return {640, 240}; }

Q_SIGNALS:
    void itemClicked(std::uint32_t item);
    void spanChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    double xOf(double us) const { return plotRect().left() + m_time.toPixel(us); }
    double timeAt(double x) const { return m_time.toValue(x - plotRect().left()); }
    QRectF trackRect(std::size_t track) const;
    int trackAt(double y) const;
    std::int64_t itemAt(QPointF at) const;
    static QString counterName(const TimelineCounter& counter);
    QString trackName(const TimelineTrack& track) const;
    QString moreText(bool isBelow) const;  ///< "▾ 3 more"; empty when all are in sight
    QString hiddenNames(QPointF at) const; ///< of the tracks that the sentence there counts
    QString counterText(QPointF at) const; ///< of the quantity whose row is there; empty elsewhere
    void layoutTracks();
    std::int64_t neighbour(int step) const; ///< of the selected item on its track; -1 at the end
    void walk(int step);
    void extendSpan(int step);

    void paintTrack(QPainter& painter, const Palette& palette, std::size_t track);
    void paintBar(QPainter& painter, const Palette& palette, const QRectF& rect, std::uint32_t item);
    void paintCounter(QPainter& painter, const Palette& palette, std::size_t track) const;
    void paintLabels(QPainter& painter, const Palette& palette) const;
    void paintMore(QPainter& painter, const Palette& palette) const;
    void paintLegend(QPainter& painter, const Palette& palette) const;
    void paintRuler(QPainter& painter, const Palette& palette) const;
    void paintArrows(QPainter& painter, const Palette& palette) const;
    void paintMarks(QPainter& painter, const Palette& palette) const;

    std::shared_ptr<const TimelineIndex> m_index;
    TimeAxis m_time;
    std::vector<std::uint32_t> m_selected, m_found;
    std::optional<Span> m_span;
    std::optional<QPointF> m_pressed;
    bool m_isSpanning = false, m_isPanning = false;
    int m_trackHeight = 26;
    int m_barsPainted = 0;
};

/// "MatMulV2 '/layers.0/q_proj'", times and parts, one fact a line.
QString timelineItemFacts(const TimelineIndex& index, std::uint32_t item);

} // namespace gelens
