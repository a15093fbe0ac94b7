#include "viewers/graph/graph_view.h"

#include "viewers/common/formatter.h"
#include "viewers/graph/graph_bars.h"
#include "viewers/graph/graph_canvas.h"

#include <QAction>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>

namespace gelens {

GraphView::GraphView(QWidget* parent) : View(parent)
{
    setAccessibleName(tr("Graph view"));
    buildWidgets();
    showPage();
}

GraphView::~GraphView() = default;

void GraphView::runChanged()
{
    m_open.reset();
    m_scenes.clear();
    m_expandedHubs.clear();
    m_filter = {};
    m_hits.clear();
    m_hit = -1;
    m_isFirst = true;
    m_isReady = false;
    m_showEverything->setEnabled(false);
    m_onlyChanged->setChecked(false);
    showPage();
    if (!run()) {
        m_job.cancel();
        m_before->setScene(nullptr);
        m_after->setScene(nullptr);
    }
}

void GraphView::stepChanged()
{
    if (!run() || run()->stepCount() == 0) return;
    const bool isNewPart = m_filter.kind == GraphFilter::Kind::Changed; // other nodes at every step
    request(m_isFirst || isNewPart ? SceneChange::Fresh : SceneChange::Step);
}

void GraphView::stateChanged() { showPage(); }

void GraphView::showPage()
{
    QString text = emptyText();
    switch (emptyState()) {
    case EmptyState::NoRun:
        if (text.isEmpty()) text = tr("No model is open.\n\nOpen one with File › Open, drop a file here, or pick a sample on the Welcome page.");
        break;
    case EmptyState::Loading:
        if (text.isEmpty()) text = tr("The model is being compiled.\n\nThe graph appears as soon as the first steps are there.");
        break;
    case EmptyState::Failed:
        text = (text.isEmpty() ? tr("The model could not be compiled.") : text) +
               tr("\n\nSee Problems for details; File › Open opens another model.");
        break;
    case EmptyState::Ready: break;
    }
    m_page->setText(text);
    m_pages->setCurrentIndex(emptyState() == EmptyState::Ready ? 1 : 0);
}

void GraphView::request(SceneChange change)
{
    if (!run()) return;
    auto request = std::make_shared<GraphRequest>();
    request->run = run();
    request->shown = shownStep();
    request->compared = comparedStep();
    request->mode = m_mode;
    request->folding = m_folding;
    request->open = m_open;
    request->filter = m_filter;
    request->showConstants = m_constants->isChecked();
    request->shapesOnEdges = m_shapes->isChecked();
    request->colorBy = static_cast<ColorBy>(m_colorBox->currentIndex());
    request->words = {tr("1 node").toStdString(), tr("%1 nodes").toStdString(), tr("%1 nodes each").toStdString(),
                      tr("%1 variants").toStdString(), tr("graph of %1").toStdString()};
    request->expandedHubs = m_expandedHubs;
    // A job that is overtaken takes what it was asked for along: a Fresh one must not become a mere step.
    if (m_job.isRunning() && !m_isReady && m_requested == SceneChange::Fresh) change = SceneChange::Fresh;
    request->change = m_requested = change;
    request->scenes = m_scenes;
    request->engine = m_engine;
    m_isReady = false;
    m_busyTimer->start();
    m_job.start([request](std::stop_token stop) { return workOut(*request, stop); },
                [this](std::shared_ptr<GraphAnswer> answer) { received(answer); });
}

void GraphView::received(const std::shared_ptr<GraphAnswer>& answer)
{
    m_job.finished();
    m_busyTimer->stop();
    m_progress->hide();
    m_cancel->hide();
    if (!answer) return;
    showAnswer(*answer, m_requested);
    m_isReady = true;
    Q_EMIT layoutReady();
}

void GraphView::showAnswer(const GraphAnswer& answer, SceneChange change)
{
    // A block that was opened or folded keeps its title under the eye.
    GraphCanvas* eye = m_after->scene() ? m_after : m_before;
    const auto boxOfToggled = [&]() -> int {
        if (m_toggled.empty() || !eye->scene()) return -1;
        const int group = eye->scene()->fold->findKey(m_toggled);
        const auto& boxes = eye->scene()->drawing.boxes;
        for (std::size_t i = 0; group >= 0 && i < boxes.size(); ++i)
            if (boxes[i].group == group) return static_cast<int>(i);
        return -1;
    };
    const QRectF oldRect = eye->boxRect(boxOfToggled());
    const int followed = eye->currentBox();
    const QRectF followedRect = eye->boxRect(followed);
    const bool wasSeen = followed >= 0 && QRectF(eye->rect()).intersects(followedRect);

    m_open = answer.open;
    m_scenes = answer.scenes;
    m_changes = answer.changes;
    m_added = answer.added;
    m_removed = answer.removed;
    m_changed = answer.changed;
    m_before->setVisible(answer.before != nullptr);
    m_before->setScene(answer.before);
    m_after->setMessage(answer.error);
    m_after->setScene(answer.after);
    updateCaptions();
    updateSummary();
    m_legend->setEntries(answer.after->drawing.legend);
    showSelection(false);

    if (m_isFirst || (change == SceneChange::Fresh && m_toggled.empty() && !m_revealed.isValid())) {
        m_after->showStart();
    } else if (change == SceneChange::Fold) {
        eye->keepInPlace(boxOfToggled(), oldRect);
    } else if (wasSeen && change == SceneChange::Fresh) {
        eye->keepInPlace(eye->currentBox(), followedRect);
    }
    linkViews(eye);
    m_isFirst = false;
    m_toggled.clear();
    if (m_revealed.isValid()) {
        for (GraphCanvas* canvas : {m_after, m_before})
            if (canvas->scene() && canvas->scene()->boxOf(m_revealed) >= 0) {
                canvas->ensureVisible(canvas->scene()->boxOf(m_revealed));
                linkViews(canvas);
                break;
            }
        m_revealed = {};
    }
    if (!m_searchLine->text().isEmpty()) search();
}

void GraphView::linkViews(GraphCanvas* moved)
{
    if (m_isLinking) return;
    m_isLinking = true;
    GraphCanvas* other = moved == m_after ? m_before : m_after;
    other->setView(moved->centre(), moved->zoom());
    m_isLinking = false;
}

void GraphView::updateCaptions()
{
    const auto name = [this](StepId step) {
        if (!run() || step.value < 0 || step.value >= run()->stepCount()) return QString();
        return tr("step %1 · %2").arg(format::count(step.value), QString::fromStdString(run()->step(step).pass));
    };
    m_before->setCaption(tr("before · %1").arg(name(comparedStep())));
    switch (m_mode) {
    case GraphMode::SideBySide: m_after->setCaption(tr("after · %1").arg(name(shownStep()))); break;
    case GraphMode::Overlay: m_after->setCaption(tr("changes of %1").arg(name(shownStep()))); break;
    case GraphMode::Single: m_after->setCaption(name(shownStep())); break;
    }
}

void GraphView::updateSummary()
{
    QStringList parts;
    if (m_added > 0) parts << QStringLiteral("+") + format::count(m_added);
    if (m_removed > 0) parts << QChar(0x2212) + format::count(m_removed);
    if (m_changed > 0) parts << QStringLiteral("~") + format::count(m_changed);
    m_summary->setText(parts.isEmpty() ? tr("no change") : parts.join(QLatin1Char(' ')));
    m_summary->setToolTip(tr("This step added %1, removed %2 and changed %3 nodes.")
                              .arg(format::count(m_added), format::count(m_removed), format::count(m_changed)));
}

void GraphView::cancelLayout()
{
    m_job.cancel();
    m_busyTimer->stop();
    m_progress->hide();
    m_cancel->hide();
    if (!m_after->scene()) m_after->setMessage(tr("The layout was cancelled. Tidy starts it again."));
    Q_EMIT statusMessage(tr("Layout cancelled"));
}

void GraphView::fitAll()
{
    m_after->fitAll();
    linkViews(m_after);
}

void GraphView::fitSelection()
{
    GraphCanvas* canvas = m_after->currentBox() < 0 && m_before->isVisible() && m_before->currentBox() >= 0 ? m_before : m_after;
    canvas->fitSelection();
    linkViews(canvas);
}

void GraphView::tidy()
{
    m_scenes.clear();
    request(SceneChange::Fresh);
}

void GraphView::setMode(GraphMode mode)
{
    if (mode == m_mode) return;
    m_mode = mode;
    m_modeBox->setCurrentIndex(static_cast<int>(mode));
    request(SceneChange::Step);
}

void GraphView::setColorBy(ColorBy colorBy)
{
    m_colorBox->setCurrentIndex(static_cast<int>(colorBy));
    request(SceneChange::Step);
}

void GraphView::setFolding(const FoldOptions& folding)
{
    if (folding == m_folding) return;
    m_folding = folding;
    m_blocks->setChecked(folding.byBlocks);
    m_scopes->setChecked(folding.byScopes);
    m_open.reset();
    m_scenes.clear();
    request(SceneChange::Fresh);
}

void GraphView::setFilter(const GraphFilter& filter)
{
    if (filter == m_filter) return;
    m_filter = filter;
    m_showEverything->setEnabled(filter.kind != GraphFilter::Kind::All);
    const QSignalBlocker blocker(m_onlyChanged);
    m_onlyChanged->setChecked(filter.kind == GraphFilter::Kind::Changed);
    m_scenes.clear();
    request(SceneChange::Fresh);
}

void GraphView::toggleGroup(const std::string& key)
{
    const auto& scene = m_after->scene();
    if (!m_open || !scene) return;
    m_toggled = key;
    if (m_open->erase(key) == 0) {
        m_open->insert(key);
        // A repeated block shows the content of its first instance right away.
        for (const GraphCanvas* canvas : {m_after, m_before}) {
            if (!canvas->scene()) continue;
            const FoldModel& fold = *canvas->scene()->fold;
            const int group = fold.findKey(key);
            if (group >= 0 && fold.group(group).kind == FoldGroup::Kind::Repeat && !fold.group(group).groups.empty())
                m_open->insert(fold.group(fold.group(group).groups.front()).key);
            if (group >= 0) break;
        }
    }
    request(SceneChange::Fold);
}

void GraphView::openAll()
{
    if (!m_open || !m_after->scene()) return;
    for (const FoldGroup& group : m_after->scene()->fold->groups()) m_open->insert(group.key);
    m_scenes.clear();
    request(SceneChange::Fresh);
}

void GraphView::foldAll()
{
    m_open = std::set<std::string>();
    m_scenes.clear();
    request(SceneChange::Fresh);
}

QString GraphView::visibleText() const
{
    if (m_pages->currentIndex() == 0) return m_page->text();
    QStringList lines;
    for (const GraphCanvas* canvas : {m_before, m_after})
        if (canvas->isVisibleTo(this)) lines += canvas->visibleTexts();
    return lines.join(QLatin1Char('\n'));
}

QRectF GraphView::nodeRectOnScreen(NodeId node) const
{
    for (const GraphCanvas* canvas : {m_after, m_before}) {
        if (!canvas->scene() || !canvas->isVisibleTo(this)) continue;
        const QRectF rect = canvas->boxRect(canvas->scene()->boxOf(node));
        if (!rect.isNull()) return rect.translated(canvas->mapTo(const_cast<GraphView*>(this), QPoint(0, 0)));
    }
    return {};
}

void GraphView::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers() == Qt::NoModifier && !m_hits.empty()) {
        if (event->key() == Qt::Key_N) return stepHit(1);
        if (event->key() == Qt::Key_P) return stepHit(-1);
    }
    View::keyPressEvent(event);
}

} // namespace gelens
