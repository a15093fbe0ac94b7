#pragma once
// Stands in for a PDF: notes where each piece of text comes to lie on which page, instead of writing it.

#include <QBuffer>
#include <QFontMetrics>
#include <QPaintEngine>
#include <QPainter>
#include <QPdfWriter>

#include <cmath>
#include <vector>

namespace gelens::testing {

/// One run of letters, in points from the top left of what the margins leave.
struct PlacedText {
    int page = 1;
    QString text;
    QRectF box;             ///< about the ink: from the top of capitals to the bottom of descenders
    QRectF clip;            ///< what may be painted there; null: everything
    double size = 0;        ///< of its letters
    bool isMissing = false; ///< a letter that no font has
    /// Of a picture: all that is clipped is.
    bool isInFigure() const { return !clip.isNull(); }
};

/// The writer wants a device before the members of its class are there.
struct PageDevice {
    PageDevice() { buffer.open(QIODevice::WriteOnly); }
    QBuffer buffer;
};

class PageRecorder : private PageDevice, public QPdfWriter {
public:
    PageRecorder() : QPdfWriter(&buffer), m_engine(*this) {}

    const std::vector<PlacedText>& texts() const { return m_texts; }
    int pageCount() const { return m_page; }
    double pageWidth() const { return width() / perPoint(); }
    double pageHeight() const { return height() / perPoint(); }
    bool newPage() override
    {
        ++m_page;
        return true;
    }

protected:
    QPaintEngine* paintEngine() const override { return &m_engine; }

private:
    class Engine : public QPaintEngine {
    public:
        explicit Engine(PageRecorder& pages) : QPaintEngine(AllFeatures), m_pages(pages) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState&) override {}
        void drawPath(const QPainterPath&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        Type type() const override { return User; }
        void drawTextItem(const QPointF& at, const QTextItem& item) override
        {
            if (item.text().trimmed().isEmpty()) return;
            const double perPoint = m_pages.perPoint();
            const QTransform toPoints =
                painter()->combinedTransform() * QTransform::fromScale(1 / perPoint, 1 / perPoint);
            const double size = item.font().pixelSize() > 0 ? item.font().pixelSize() : item.ascent();
            PlacedText placed{m_pages.m_page, item.text(), {}, {}, size * std::hypot(toPoints.m12(), toPoints.m22())};
            for (const uint letter : item.text().toUcs4())
                placed.isMissing |= !QFontMetrics(item.font()).inFontUcs4(letter);
            placed.box = toPoints.mapRect(QRectF(at.x(), at.y() - 0.7 * size, item.width(), 0.9 * size));
            if (painter()->hasClipping()) placed.clip = toPoints.mapRect(painter()->clipBoundingRect());
            m_pages.m_texts.push_back(placed);
        }

    private:
        PageRecorder& m_pages;
    };

    double perPoint() const { return resolution() / 72.0; }

    mutable Engine m_engine;
    std::vector<PlacedText> m_texts;
    int m_page = 1;
};

} // namespace gelens::testing
