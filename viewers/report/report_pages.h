#pragma once
// Pages that are filled from top to bottom: text in lines, rooms that stay together, a foot with title and number.

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QString>
#include <QTextLayout>

#include <functional>
#include <memory>
#include <vector>

class QPdfWriter;

namespace gelens {

/// Text broken into lines of a width; what is measured is what is drawn.
class TextBlock {
public:
    TextBlock(const QString& text, const QFont& font, double width, Qt::Alignment alignment = Qt::AlignLeft);
    double height() const { return m_height; }
    int lineCount() const { return m_layout->lineCount(); }
    double lineHeight(int line) const { return m_layout->lineAt(line).height(); }
    void drawLine(QPainter& painter, int line, QPointF topLeft) const;
    void draw(QPainter& painter, QPointF topLeft) const;

private:
    std::unique_ptr<QTextLayout> m_layout;
    double m_height = 0;
};

/// Units are points (1/72 inch) throughout; nothing is drawn outside of (0, 0, width, height).
class ReportPages {
public:
    ReportPages(QPdfWriter& writer, QString title);
    ~ReportPages();
    ReportPages(const ReportPages&) = delete;
    ReportPages& operator=(const ReportPages&) = delete;

    bool isActive() const { return m_painter.isActive(); }
    QPainter& painter() { return m_painter; }
    double width() const { return m_width; }
    double height() const { return m_height; } ///< of what may be filled, the foot not counted
    double y() const { return m_y; }
    double room() const { return m_height - m_y; }

    QFont font(double points, bool isBold = false) const;
    void space(double points); ///< none at the top of a page
    /// Goes to the next page when that much does not fit on this one.
    void need(double points);
    void newPage();
    void advance(double points) { m_y += points; }
    /// Text of any length; goes on over pages, line by line.
    void text(const QString& text, const QFont& font, const QColor& colour, double indent = 0, double below = 3);
    double heightOf(const QString& text, const QFont& font, double indent = 0) const;
    /// A bar at the left of all that is drawn until `endBar`, on each page that it reaches.
    void beginBar(const QColor& colour);
    void endBar(double below);
    /// The foot of the last page.
    void finish();

private:
    void drawFoot();
    void drawBar();

    QPdfWriter& m_writer;
    QPainter m_painter;
    QString m_title;
    QFont m_regular;
    QColor m_bar;
    double m_width = 0, m_height = 0, m_y = 0, m_barTop = 0;
    int m_page = 1;
};

/// A text that would fill a page: its beginning and its end, where names differ.
QString shortened(const QString& text, qsizetype most);

} // namespace gelens
