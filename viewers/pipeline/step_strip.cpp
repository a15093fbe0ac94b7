#include "viewers/pipeline/step_strip.h"

#include "viewers/common/formatter.h"
#include "viewers/common/palette.h"
#include "viewers/models/words.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

constexpr int sideMargin = 8;
constexpr int barHeight = 30;

} // namespace

StepStrip::StepStrip(QWidget* parent) : View(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize StepStrip::sizeHint() const { return {400, barHeight + fontMetrics().height() + 12}; }
QSize StepStrip::minimumSizeHint() const { return {120, sizeHint().height()}; }

void StepStrip::runChanged()
{
    m_changedSteps = 0;
    m_largest = 1;
    m_hovered = StepId{-1};
    if (run())
        for (const Step& step : run()->steps) {
            if (step.hasChanged()) ++m_changedSteps;
            m_largest = std::max(m_largest, std::log1p(static_cast<double>(step.editCount())));
        }
    update();
}

QString StepStrip::summary() const
{
    if (!run()) return {};
    return tr("step %1 of %2 · %3 changed this graph")
        .arg(format::count(shownStep().value), format::count(run()->lastStep().value), format::count(m_changedSteps));
}

QRectF StepStrip::barArea() const
{
    return QRectF(sideMargin, fontMetrics().height() + 6, std::max(width() - 2 * sideMargin, 1), barHeight);
}

QRectF StepStrip::barRect(StepId id) const
{
    if (!run() || id.value < 0 || id.value >= run()->stepCount()) return {};
    const QRectF area = barArea();
    const double slot = area.width() / run()->stepCount();
    const double left = area.left() + slot * id.value;
    const double breadth = slot > 4 ? slot - 1 : slot;
    const Step& step = run()->step(id);
    const double high = step.hasChanged()
                            ? 6 + (area.height() - 6) * std::log1p(static_cast<double>(step.editCount())) / m_largest
                            : 2;
    return {left, area.bottom() - high, breadth, high};
}

StepId StepStrip::stepAt(double x) const
{
    if (!run()) return StepId{-1};
    const QRectF area = barArea();
    if (x < area.left() || x > area.right()) return StepId{-1};
    const int step = static_cast<int>((x - area.left()) / area.width() * run()->stepCount());
    return StepId{std::clamp(step, 0, run()->stepCount() - 1)};
}

void StepStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Palette colours = Palette::of(palette());
    painter.fillRect(rect(), palette().color(QPalette::Window));
    painter.setPen(colours.faintLine());
    painter.drawLine(0, height() - 1, width(), height() - 1);
    if (!run()) return;
    const QRectF area = barArea();

    painter.setPen(colours.text());
    const QRectF line(sideMargin, 2, area.width(), fontMetrics().height() + 2);
    const QString counts = summary();
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, counts);
    const Step& shown = run()->step(shownStep());
    const double room = line.width() - fontMetrics().horizontalAdvance(counts) - 12;
    const QString name = QStringLiteral("%1 › %2 › %3")
                             .arg(words::stage(shown.stage), words::phase(shown.phase), words::text(shown.pass));
    painter.setPen(colours.mutedText());
    if (room > 40)
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(name, Qt::ElideMiddle, int(room)));

    const QRectF shownBar = barRect(shownStep());
    // The span between the two graphs that are compared.
    const QRectF comparedBar = barRect(comparedStep());
    QColor span = colours.accent();
    span.setAlpha(28);
    const double from = std::min(comparedBar.right(), shownBar.left()), to = std::max(comparedBar.left(), shownBar.right());
    painter.fillRect(QRectF(from, area.top() - 2, to - from, area.height() + 4), span);
    for (const Step& step : run()->steps) {
        const QRectF bar = barRect(step.id);
        QColor colour = step.hasChanged() ? colours.stage(step.stage) : colours.line();
        if (step.id == m_hovered) colour = colour.lighter(colours.isDark() ? 130 : 80);
        painter.fillRect(bar, colour);
    }
    painter.setPen(QPen(colours.accent(), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(shownBar.left() - 1.5, area.top() - 2, std::max(shownBar.width(), 2.0) + 3, area.height() + 4));
    if (hasFocus()) {
        painter.setPen(QPen(colours.accent(), 1, Qt::DotLine));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -2, -2));
    }
}

QString StepStrip::toolTipOf(StepId id) const
{
    const Step& step = run()->step(id);
    QStringList lines{tr("step %1 · %2").arg(format::count(id.value), words::text(step.pass)),
                      QStringLiteral("%1 › %2").arg(words::stage(step.stage), words::phase(step.phase))};
    if (!step.summary.empty()) lines += words::text(step.summary);
    lines += step.hasChanged() ? tr("%1 edits · operators %2 → %3 · %4")
                                     .arg(format::count(static_cast<std::int64_t>(step.editCount())),
                                          format::count(step.before.operators), format::count(step.after.operators),
                                          format::milliseconds(step.milliseconds))
                               : tr("changed nothing");
    return lines.join(QLatin1Char('\n'));
}

bool StepStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const StepId step = stepAt(help->pos().x());
        if (step.isValid())
            QToolTip::showText(help->globalPos(), QStringLiteral("<qt>%1</qt>").arg(toolTipOf(step).toHtmlEscaped().replace(
                                                      QLatin1Char('\n'), QStringLiteral("<br>"))),
                               this);
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut || event->type() == QEvent::LanguageChange)
        update();
    return View::event(event);
}

void StepStrip::go(StepId step)
{
    if (step.isValid() && step != shownStep()) Q_EMIT stepRequested(step);
}

void StepStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return View::mousePressEvent(event);
    go(stepAt(event->position().x()));
}

void StepStrip::mouseMoveEvent(QMouseEvent* event)
{
    const StepId step = stepAt(event->position().x());
    if (event->buttons() & Qt::LeftButton) go(step);
    if (step != m_hovered) {
        m_hovered = step;
        update();
    }
}

void StepStrip::leaveEvent(QEvent* event)
{
    m_hovered = StepId{-1};
    update();
    View::leaveEvent(event);
}

void StepStrip::goToChange(int direction)
{
    for (int at = shownStep().value + direction; at >= 0 && at < run()->stepCount(); at += direction)
        if (at == 0 || run()->step(StepId{at}).hasChanged()) return go(StepId{at});
}

void StepStrip::keyPressEvent(QKeyEvent* event)
{
    if (!run()) return View::keyPressEvent(event);
    const bool isByChange = event->modifiers() & Qt::ControlModifier;
    switch (event->key()) {
    case Qt::Key_Left: return isByChange ? goToChange(-1) : go(StepId{std::max(shownStep().value - 1, 0)});
    case Qt::Key_Right:
        return isByChange ? goToChange(+1) : go(StepId{std::min(shownStep().value + 1, run()->lastStep().value)});
    case Qt::Key_Home: return go(StepId{0});
    case Qt::Key_End: return go(run()->lastStep());
    default: View::keyPressEvent(event);
    }
}

} // namespace gelens
