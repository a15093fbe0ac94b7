#pragma once
// The painted memory map: time across, address up, one rectangle for each buffer.

#include "viewers/common/time_axis.h"
#include "viewers/memory/memory_picture.h"

#include <QImage>
#include <QWidget>

#include <memory>
#include <vector>

namespace gelens {

class Palette;

/// Rectangles are drawn into an image that is kept until zoom, size, theme or filter change; selection, curve and marks
/// are painted over it. Wheel and W, S zoom time; Ctrl+wheel and Ctrl+W, S zoom the address; A, D and ↑, ↓ move; Home
/// shows all, F what is selected; ← and → walk from tensor to tensor. Free places below the highest in use are hatched.
class MemoryCanvas : public QWidget {
    Q_OBJECT
public:
    explicit MemoryCanvas(QWidget* parent = nullptr);

    void setPicture(std::shared_ptr<const Run> run, std::shared_ptr<const MemoryPicture> picture);
    void setTimeMode(bool isTime); ///< estimated µs instead of task order
    bool isTimeMode() const { return m_isTime; }
    void setFilter(const QString& text); ///< others fade
    void setSelected(std::vector<int> buffers);
    const std::vector<int>& selected() const { return m_selected; }
    /// The same buffers at the places of another plan, as outlines; null for none. `name` is said of its peak.
    void setOverlay(std::shared_ptr<const MemoryPicture> picture, const QString& name = {});
    const MemoryPicture* overlay() const { return m_overlay.get(); }
    void setHolesShown(bool areShown);
    bool areHolesShown() const { return m_areHolesShown; }
    void setMark(int position); ///< position the list beside speaks of; -1 for the peak
    void fit();
    void reveal(int buffer);

    QRectF rectOf(int buffer) const; ///< in widget coordinates; empty when out of sight or without a place
    QRectF plotRect() const;
    static constexpr int gutterWidth() { return 74; } ///< room for addresses
    static constexpr int axisHeight() { return 20; }  ///< room for the time axis
    const TimeAxis& time() const { return m_time; }
    const TimeAxis& address() const { return m_address; }
    QSize sizeHint() const override { return {640, 240}; }

Q_SIGNALS:
    void bufferClicked(int buffer, bool isSecond); ///< isSecond: Ctrl was held
    void positionClicked(int position);            ///< a free place
    void viewChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    double valueAt(std::int64_t position) const;
    std::int64_t positionAtPixel(double x) const;
    QRectF rectOf(const MemoryPicture::Block& block) const;
    int bufferAt(QPointF at) const;
    void zoomed();
    void walk(int step);
    void resetLimits();
    void resetAddresses();
    void renderBlocks(const Palette& palette);
    void renderHoles(const Palette& palette, double ratio);
    void renderOverlay(const Palette& palette, double ratio);
    /// Left, top, right and bottom in pixels of the image; at least one pixel wide and high.
    QRect pixelsOf(const MemoryPicture::Block& block, double ratio) const;
    void paintNames(QPainter& painter, const Palette& palette, const QRectF& plot) const;
    void paintCurve(QPainter& painter, const Palette& palette) const;
    void paintAxes(QPainter& painter, const Palette& palette) const;
    void paintMarks(QPainter& painter, const Palette& palette) const;
    void paintSelection(QPainter& painter, const Palette& palette) const;

    std::shared_ptr<const Run> m_run;
    std::shared_ptr<const MemoryPicture> m_picture, m_overlay;
    QString m_overlayName;
    bool m_areHolesShown = true;
    std::vector<std::uint8_t> m_isFaded; ///< by block, only with a filter
    std::vector<QRgb> m_colours[2];      ///< by block, light and dark; filled on first use
    TimeAxis m_time, m_address;
    QImage m_image;
    bool m_isImageValid = false;
    bool m_isTime = false;
    std::vector<int> m_selected;
    int m_mark = -1;
    QPoint m_pressed;
    bool m_isDragging = false;
};

} // namespace gelens
