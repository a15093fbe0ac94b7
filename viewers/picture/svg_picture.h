#pragma once
// An SVG of our own writer, painted with text that stays text: Qt's renderer would draw the outline of each letter, and a
// label's halo over the label.

#include <QColor>
#include <QPainter>
#include <QRectF>
#include <QString>
#include <QSvgRenderer>

#include <string>
#include <utility>
#include <vector>

namespace gelens {

class SvgPicture {
public:
    explicit SvgPicture(const std::string& svg);

    bool isValid() const { return m_shapes.isValid() && m_box.isValid(); }
    QSizeF size() const { return m_box.size(); } ///< pixels
    /// Paints what lies between two heights (pixels from the top) at the left top of `target`, as wide as that.
    void paint(QPainter& painter, const QRectF& target, double from, double to);
    /// The lowest place to cut at, not below `lowest`, that goes through no text and no card; `lowest` where there is none
    /// in the lower half of what lies between.
    double cutAbove(double from, double lowest) const;

private:
    struct Line {
        QPointF at; ///< base line, from the left top of the picture
        QString text;
        int pixels = 10;
        bool isBold = false;
        Qt::Alignment anchor = Qt::AlignLeft;
        QColor colour = Qt::black, halo;
    };

    QSvgRenderer m_shapes;
    QRectF m_box;
    std::vector<Line> m_lines;
    std::vector<std::pair<double, double>> m_whole; ///< from top to bottom: what is not cut
};

} // namespace gelens
