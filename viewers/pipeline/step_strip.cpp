#include "viewers/pipeline/step_strip.h"

#include "viewers/common/breakpoint_list.h"
#include "viewers/common/chart_export.h"
#include "viewers/common/command_texts.h"
#include "viewers/common/formatter.h"
#include "viewers/common/palette.h"
#include "viewers/models/summaries.h"
#include "viewers/models/words.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

constexpr int sideMargin = 8;
constexpr int barHeight = 30;

} // namespace

StepStrip::StepStrip(QWidget* parent)
    : View(parent), m_filter(new QLineEdit(this)), m_changedOnly(new QToolButton(this)),
      m_touches(new QToolButton(this)), m_search(this)
{
    m_filter->setClearButtonEnabled(true);
    m_filter->setFocusPolicy(Qt::ClickFocus); // or by its command: the window begins elsewhere
    m_find = new QAction(this);
    m_find->setObjectName(QStringLiteral("strip_filter"));
    m_find->setShortcut(QKeySequence::Find);
    m_find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(m_find);
    connect(m_find, &QAction::triggered, m_filter, [this] { m_filter->setFocus(Qt::ShortcutFocusReason); });
    connect(m_find, &QAction::changed, m_filter, [this] { m_filter->setToolTip(m_find->toolTip()); });
    for (QToolButton* button : {m_changedOnly, m_touches}) {
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
    }
    new ChartExport(this, this, [this]() -> ChartExport::Chart {
        if (!run()) return {};
        return {tr("Export the step strip"),
                words::text(run()->modelName) + QStringLiteral("-steps"),
                ChartExport::writerOf(*this),
                {}};
    });
    connect(m_filter, &QLineEdit::textChanged, this, &StepStrip::choose);
    connect(m_changedOnly, &QToolButton::toggled, this, &StepStrip::choose);
    connect(m_touches, &QToolButton::toggled, this, &StepStrip::updateTouching);
    retranslate();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

int StepStrip::rowHeight() const { return std::max(fontMetrics().height() + 6, m_filter->sizeHint().height() + 2); }
QSize StepStrip::sizeHint() const { return {400, barHeight + rowHeight() + 6}; }
QSize StepStrip::minimumSizeHint() const { return {120, sizeHint().height()}; }

void StepStrip::runChanged()
{
    m_changedSteps = 0;
    m_largest = 1;
    m_hovered = StepId{-1};
    if (run())
        for (const Step& step : run()->steps) {
            if (step.hasChanged() && step.id.value > 0) ++m_changedSteps; // the first is where it begins
            m_largest = std::max(m_largest, std::log1p(static_cast<double>(step.editCount())));
        }
    updateTouching();
    choose();
}

void StepStrip::setBreakpoints(BreakpointList* list)
{
    m_breakpoints = list;
    connect(list, &BreakpointList::hitsChanged, this, qOverload<>(&QWidget::update));
}

void StepStrip::selectionChanged()
{
    if (m_touches->isChecked()) updateTouching();
    m_touches->setEnabled(m_touches->isChecked() || selection().node.isValid());
}

void StepStrip::updateTouching()
{
    m_search.cancel();
    m_touching.reset();
    const NodeId node = selection().node;
    m_touches->setEnabled(m_touches->isChecked() || node.isValid());
    if (!m_touches->isChecked() || !node.isValid() || !run()) return choose();
    m_search.start(
        [run = run(), node](std::stop_token) {
            const std::vector<StepId> steps = run->stepsTouching(node);
            return std::set<StepId>(steps.begin(), steps.end());
        },
        [this](std::set<StepId> steps) {
            m_search.finished();
            m_touching = std::move(steps);
            choose();
        });
}

void StepStrip::choose()
{
    m_visible.clear();
    const QString wanted = m_filter->text().trimmed();
    const auto names = [&](const Step& step) {
        return words::pass(step.pass).contains(wanted, Qt::CaseInsensitive) ||
               words::text(step.rule).contains(wanted, Qt::CaseInsensitive) ||
               words::phase(step.phase).contains(wanted, Qt::CaseInsensitive);
    };
    if (run())
        for (const Step& step : run()->steps) {
            const bool isFirst = step.id.value == 0;
            const bool fits = (!m_changedOnly->isChecked() || step.hasChanged() || isFirst) &&
                              (wanted.isEmpty() || names(step)) && (!m_touching || m_touching->contains(step.id));
            if (fits || step.id == shownStep()) m_visible.push_back(step.id.value);
        }
    placeTools();
    update();
}

void StepStrip::retranslate()
{
    m_filter->setPlaceholderText(tr("filter steps…"));
    setCommandTexts(m_find, tr("Filter steps"), tr("Only steps whose pass, rule or phase is called so"));
    m_changedOnly->setText(tr("changed only"));
    m_changedOnly->setToolTip(tr("Leave out steps that changed nothing"));
    m_touches->setText(tr("touches selection"));
    m_touches->setToolTip(tr("Only steps that touched the selected node"));
    placeTools();
    update();
}

void StepStrip::placeTools()
{
    int right = width() - sideMargin - fontMetrics().horizontalAdvance(summary()) - 10;
    const int high = rowHeight() - 2;
    // Names need their room first: what does not fit beside them is left out.
    for (QWidget* tool : std::initializer_list<QWidget*>{m_touches, m_changedOnly, m_filter}) {
        const int wide = tool == m_filter ? 130 : tool->sizeHint().width();
        const bool hasRoom = run() && right - wide > 110;
        tool->setVisible(hasRoom);
        if (!hasRoom) continue;
        right -= wide;
        tool->setGeometry(right, 1, wide, high);
        right -= 4;
    }
}

void StepStrip::resizeEvent(QResizeEvent* event)
{
    View::resizeEvent(event);
    placeTools();
}

QString StepStrip::summary() const
{
    if (!run()) return {};
    return tr("step %1 of %2 · %3 changed this graph")
        .arg(format::count(shownStep().value), format::count(run()->lastStep().value), format::count(m_changedSteps));
}

/// Where there is no room for the whole path, its front goes first: the bars have the colours of the stages.
QString StepStrip::shownName(int room) const
{
    const Step& shown = run()->step(shownStep());
    QStringList path{words::stage(shown.stage), words::phase(shown.phase), words::pass(shown.pass)};
    while (path.size() > 1 && fontMetrics().horizontalAdvance(path.join(QStringLiteral(" › "))) > room)
        path.removeFirst();
    return fontMetrics().elidedText(path.join(QStringLiteral(" › ")), Qt::ElideMiddle, room);
}

QRectF StepStrip::barArea() const
{
    return QRectF(sideMargin, rowHeight() + 1, std::max(width() - 2 * sideMargin, 1), barHeight);
}

QRectF StepStrip::barRect(StepId id) const
{
    if (!run() || id.value < 0 || id.value >= run()->stepCount()) return {};
    const auto found = std::lower_bound(m_visible.begin(), m_visible.end(), id.value);
    if (found == m_visible.end() || *found != id.value) return {};
    const QRectF area = barArea();
    const double slot = area.width() / static_cast<double>(m_visible.size());
    const double left = area.left() + slot * static_cast<double>(found - m_visible.begin());
    const double breadth = slot > 4 ? slot - 1 : slot;
    const Step& step = run()->step(id);
    const double high =
        step.hasChanged() ? 6 + (area.height() - 6) * std::log1p(static_cast<double>(step.editCount())) / m_largest : 2;
    return {left, area.bottom() - high, breadth, high};
}

StepId StepStrip::stepAt(double x) const
{
    if (!run()) return StepId{-1};
    const QRectF area = barArea();
    if (x < area.left() || x > area.right() || m_visible.empty()) return StepId{-1};
    const int count = static_cast<int>(m_visible.size());
    const int place = static_cast<int>((x - area.left()) / area.width() * count);
    return StepId{m_visible[static_cast<std::size_t>(std::clamp(place, 0, count - 1))]};
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
    const QRectF line(sideMargin, 0, area.width(), rowHeight());
    const QString counts = summary();
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, counts);
    double room = line.width() - fontMetrics().horizontalAdvance(counts) - 12;
    for (const QWidget* tool : std::initializer_list<const QWidget*>{m_filter, m_changedOnly, m_touches})
        if (tool->isVisible()) room = std::min(room, tool->x() - line.left() - 8.0);
    painter.setPen(colours.mutedText());
    if (room > 40) painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, shownName(static_cast<int>(room)));

    const QRectF shownBar = barRect(shownStep());
    // The span between the two graphs that are compared.
    const QRectF comparedBar = barRect(comparedStep());
    QColor span = colours.accent();
    span.setAlpha(28);
    if (!comparedBar.isNull()) {
        const double from = std::min(comparedBar.right(), shownBar.left()),
                     to = std::max(comparedBar.left(), shownBar.right());
        painter.fillRect(QRectF(from, area.top() - 2, to - from, area.height() + 4), span);
    }
    for (const int number : m_visible) {
        const Step& step = run()->step(StepId{number});
        const QRectF bar = barRect(step.id);
        QColor colour = step.hasChanged() ? colours.stage(step.stage) : colours.line();
        if (step.id == m_hovered) colour = colour.lighter(colours.isDark() ? 130 : 80);
        painter.fillRect(bar, colour);
        if (m_breakpoints == nullptr || !m_breakpoints->stopsAt(step.id)) continue;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours.error());
        painter.drawEllipse(QPointF(bar.center().x(), area.top()), 3.5, 3.5);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    painter.setPen(QPen(colours.accent(), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(
        QRectF(shownBar.left() - 1.5, area.top() - 2, std::max(shownBar.width(), 2.0) + 3, area.height() + 4));
    if (hasFocus()) {
        painter.setPen(QPen(colours.accent(), 1, Qt::DotLine));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -2, -2));
    }
}

QString StepStrip::toolTipOf(StepId id) const
{
    const Step& step = run()->step(id);
    QStringList lines{tr("step %1 · %2").arg(format::count(id.value), words::pass(step.pass)),
                      QStringLiteral("%1 › %2").arg(words::stage(step.stage), words::phase(step.phase))};
    if (!step.summary.empty()) lines += words::summary(step.summary);
    lines += step.hasChanged() ? tr("%1 edits · operators %2 → %3 · %4")
                                     .arg(format::count(static_cast<std::int64_t>(step.editCount())),
                                          format::count(step.before.operators), format::count(step.after.operators),
                                          format::milliseconds(step.milliseconds))
                               : tr("changed nothing");
    if (m_breakpoints != nullptr)
        for (const QString& reason : m_breakpoints->reasonsAt(id)) lines += QStringLiteral("● %1").arg(reason);
    return lines.join(QLatin1Char('\n'));
}

bool StepStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const StepId step = stepAt(help->pos().x());
        if (step.isValid())
            QToolTip::showText(
                help->globalPos(),
                QStringLiteral("<qt>%1</qt>")
                    .arg(toolTipOf(step).toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"))),
                this);
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::LanguageChange) retranslate();
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut ||
        event->type() == QEvent::LanguageChange)
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

void StepStrip::goBy(int direction)
{
    const auto at = std::lower_bound(m_visible.begin(), m_visible.end(), shownStep().value);
    if (direction < 0 && at != m_visible.begin()) return go(StepId{*std::prev(at)});
    if (direction > 0 && at != m_visible.end() && std::next(at) != m_visible.end()) return go(StepId{*std::next(at)});
}

void StepStrip::keyPressEvent(QKeyEvent* event)
{
    if (!run()) return View::keyPressEvent(event);
    const bool isByChange = event->modifiers() & Qt::ControlModifier;
    switch (event->key()) {
    case Qt::Key_Left: return isByChange ? goToChange(-1) : goBy(-1);
    case Qt::Key_Right: return isByChange ? goToChange(+1) : goBy(+1);
    case Qt::Key_Home: return go(StepId{0});
    case Qt::Key_End: return go(run()->lastStep());
    default: View::keyPressEvent(event);
    }
}

} // namespace gelens
