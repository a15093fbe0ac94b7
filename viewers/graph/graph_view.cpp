#include "viewers/graph/graph_view.h"

#include "viewers/common/formatter.h"
#include "viewers/graph/graph_bars.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/lineage_overlay.h"
#include "viewers/graph/results_panel.h"
#include "viewers/models/words.h"

#include <QAction>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <tuple>

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
    m_refineJob.cancel();
    m_difference = std::make_shared<StepDifference>();
    ViewState next; // how things are drawn stays; what is shown of them belongs to the graph that was here
    next.mode = m_now.mode;
    next.colorBy = m_now.colorBy;
    next.labels = m_now.labels;
    next.showConstants = m_now.showConstants;
    next.folding = m_now.folding;
    m_now = std::move(next);
    forgetHistory();
    m_hits.clear();
    m_hit = -1;
    m_isFirst = true;
    m_isReady = false;
    m_isRestoring = false;
    m_keep->setChecked(false);
    m_results->hide();
    showTooLarge(0);
    showInWidgets();
    showPage();
    if (!run()) {
        m_job.cancel();
        showLinks();
        m_before->setScene(nullptr);
        m_after->setScene(nullptr);
    }
}

void GraphView::stepChanged()
{
    if (!run() || run()->stepCount() == 0) return;
    const bool isNewPart = m_now.filter.kind == GraphFilter::Kind::Changed; // other nodes at every step
    request(m_isFirst || isNewPart ? SceneChange::Fresh : SceneChange::Step);
}

void GraphView::stateChanged() { showPage(); }

void GraphView::showPage()
{
    QString text = emptyText();
    switch (emptyState()) {
    case EmptyState::NoRun:
        if (text.isEmpty())
            text = tr(
                "No model is open.\n\nOpen one with File › Open, drop a file here, or pick a sample on the Welcome page.");
        break;
    case EmptyState::Loading:
        if (text.isEmpty())
            text = tr("The model is being compiled.\n\nThe graph appears as soon as the first steps are there.");
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

GraphRequest GraphView::requestNow() const
{
    GraphRequest request;
    request.run = run();
    request.shown = shownStep();
    request.compared = comparedStep();
    request.mode = m_now.mode;
    request.folding = m_now.folding;
    request.open = m_now.open;
    request.filter = m_now.filter;
    request.showConstants = m_now.showConstants;
    request.labels = m_now.labels;
    request.colorBy = m_now.colorBy;
    request.rootKey = m_now.rootKey;
    request.words = {tr("1 node").toStdString(),
                     tr("%1 nodes").toStdString(),
                     tr("%1 nodes each").toStdString(),
                     tr("%1 variants").toStdString(),
                     tr("graph of %1").toStdString(),
                     //: between what changed in a node: "data type, format"
                     tr(", ").toStdString(),
                     {tr("type").toStdString(), tr("name").toStdString(), tr("attribute").toStdString(),
                      tr("data type").toStdString(), tr("format").toStdString(), tr("shape").toStdString(),
                      tr("rewired").toStdString(), tr("placed anew").toStdString()}};
    request.expandedHubs = m_now.expandedHubs;
    request.known = m_difference;
    request.engine = m_engine;
    return request;
}

void GraphView::request(SceneChange change)
{
    if (!run()) return;
    m_refineJob.cancel();
    auto request = std::make_shared<GraphRequest>(requestNow());
    // A job that is overtaken takes what it was asked for along: a Fresh one must not become a mere step.
    if (m_job.isRunning() && !m_isReady && m_requested == SceneChange::Fresh) change = SceneChange::Fresh;
    request->change = m_requested = change;
    request->scenes = m_now.scenes;
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
    showTooLarge(answer->tooMany);
    if (answer->tooMany > 0) {
        m_isReady = true;
        Q_EMIT layoutReady();
        return;
    }
    showAnswer(*answer, m_requested);
    m_shownCentre = m_after->centre();
    m_shownZoom = m_after->zoom();
    m_isReady = true;
    if (m_requested == SceneChange::Fresh) refine();
    Q_EMIT layoutReady();
}

bool GraphView::isLayoutReady() const
{
    return m_isReady && !m_refineJob.isRunning() && !m_before->isMoving() && !m_after->isMoving();
}

bool GraphView::isUntouched() const { return m_after->centre() == m_shownCentre && m_after->zoom() == m_shownZoom; }

/// Small graphs that were just laid out anew: Graphviz may draw them better. Its drawing takes the place of the first one
/// unless somebody has begun to look around; then it is only remembered, for the next time they are laid out.
void GraphView::refine()
{
    const auto mayGain = [](const Scene* scene) {
        constexpr std::size_t mostBoxes =
            4000; // beyond, building the rest of the scene again costs more than it is worth
        if (scene == nullptr || scene->drawing.boxes.size() > mostBoxes) return false;
        return std::any_of(scene->levels.begin(), scene->levels.end(), [](const SceneLevel& level) {
            return level.layout().engine == LayoutEngineKind::Layered && level.graph().nodes.size() >= 6 &&
                   LayoutEngine::suitsGraphviz(level.graph(), {});
        });
    };
    if (!mayGain(m_before->scene().get()) && !mayGain(m_after->scene().get())) return;
    auto request = std::make_shared<GraphRequest>(requestNow());
    request->change = SceneChange::Fresh;
    request->refinement = Refinement::Full;
    m_refineJob.start([request](std::stop_token stop) { return workOut(*request, stop); },
                      [this](std::shared_ptr<GraphAnswer> answer) {
                          m_refineJob.finished();
                          if (answer && answer->isRefined && isUntouched() && m_after->selectedNodes().empty()) {
                              showAnswer(*answer, SceneChange::Fresh);
                              m_shownCentre = m_after->centre();
                              m_shownZoom = m_after->zoom();
                          }
                          Q_EMIT layoutReady();
                      });
}

void GraphView::showAnswer(const GraphAnswer& answer, SceneChange change)
{
    const Eye eye = lookedAt();
    const bool isMotion = change == SceneChange::Fold && !m_isRestoring && !m_revealed.isValid();
    const auto before = isMotion ? m_before->placesInView() : FoldMotion::Places();
    const auto after = isMotion ? m_after->placesInView() : FoldMotion::Places();
    if (m_isFirst && m_now.rootKey.empty()) m_now.isOpenFresh = true;
    m_now.open = answer.open;
    m_now.scenes = answer.scenes;
    m_isRefined = answer.isRefined;
    m_difference = answer.difference;
    m_before->setVisible(answer.before != nullptr);
    m_before->setScene(answer.before, answer.beforeIndex);
    m_before->setChanges(m_difference->details, false);
    m_after->setChanges(m_difference->details, true);
    m_after->setMessage(answer.error);
    m_after->setScene(answer.after, answer.afterIndex);
    m_linked = {};
    m_offset = {};
    updateCaptions();
    updateSummary();
    m_legend->setEntries(answer.after->drawing.legend);
    showSelection(false);
    placeView(eye, change);
    m_isFirst = false;
    m_toggled.clear();
    if (m_revealed.isValid()) bringIntoView(std::exchange(m_revealed, {}));
    showLinks();
    m_before->moveFrom(before);
    m_after->moveFrom(after);
    if (!m_searchLine->text().isEmpty()) search();
}

/// What became what in this step: for the selected node, else for all that can be told apart.
void GraphView::showLinks()
{
    constexpr std::size_t most = 400;
    std::vector<std::pair<NodeId, NodeId>> links;
    const auto& chosen = m_after->selectedNodes();
    const auto holds = [](const std::vector<NodeId>& nodes, NodeId node) {
        return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
    };
    for (const LineageGroup& group : m_difference->groups) {
        if (!chosen.empty() && !holds(group.before, chosen.front()) && !holds(group.after, chosen.front())) continue;
        for (const NodeId from : group.before)
            for (const NodeId to : group.after)
                if (from != to && links.size() < most) links.emplace_back(from, to);
    }
    // A folded block says in its counts what became of its nodes; curves from one card to the same would say nothing.
    const auto isCard = [](const GraphCanvas* canvas, NodeId node) {
        const int box = canvas->scene() ? canvas->scene()->boxOf(node) : -1;
        return box >= 0 && canvas->scene()->drawing.boxes[static_cast<std::size_t>(box)].kind == BoxKind::Node;
    };
    const bool isBeside = m_now.mode == GraphMode::SideBySide && m_before->scene();
    std::erase_if(links, [&](const auto& link) {
        return !isCard(isBeside ? m_before : m_after, link.first) || !isCard(m_after, link.second);
    });
    m_after->setLinks(m_now.mode == GraphMode::Overlay ? links : std::vector<std::pair<NodeId, NodeId>>());
    m_lineage->setLinks(isBeside ? std::move(links) : std::vector<std::pair<NodeId, NodeId>>());
}

void GraphView::updateCaptions()
{
    const auto name = [this](StepId step) {
        if (!run() || step.value < 0 || step.value >= run()->stepCount()) return QString();
        return tr("step %1 · %2").arg(format::count(step.value), words::pass(run()->step(step).pass));
    };
    m_before->setCaption(tr("before · %1").arg(name(comparedStep())));
    switch (m_now.mode) {
    case GraphMode::SideBySide: m_after->setCaption(tr("after · %1").arg(name(shownStep()))); break;
    case GraphMode::Overlay: m_after->setCaption(tr("changes of %1").arg(name(shownStep()))); break;
    case GraphMode::Single: m_after->setCaption(name(shownStep())); break;
    }
}

void GraphView::updateSummary()
{
    const auto [added, removed, changed] =
        std::tuple(m_difference->added, m_difference->removed, m_difference->changed);
    QStringList parts;
    if (added > 0) parts << QStringLiteral("+") + format::count(added);
    if (removed > 0) parts << QChar(0x2212) + format::count(removed);
    if (changed > 0) parts << QStringLiteral("~") + format::count(changed);
    m_summary->setText(parts.isEmpty() ? tr("no change") : parts.join(QLatin1Char(' ')));
    m_summary->setToolTip(tr("This step added %1, removed %2 and changed %3 nodes.")
                              .arg(format::count(added), format::count(removed), format::count(changed)));
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
    lookAtBoth();
    m_after->fitAll();
    linkViews(m_after);
}

void GraphView::fitSelection()
{
    GraphCanvas* canvas =
        m_after->currentBox() < 0 && m_before->isVisible() && m_before->currentBox() >= 0 ? m_before : m_after;
    canvas->fitSelection();
    linkViews(canvas);
}

void GraphView::tidy()
{
    remember();
    m_now.scenes.clear();
    request(SceneChange::Fresh);
}

void GraphView::setMode(GraphMode mode)
{
    if (mode == m_now.mode) return;
    remember();
    m_now.mode = mode;
    m_now.isOpenFresh = false;
    showInWidgets();
    request(SceneChange::Step);
}

void GraphView::setColorBy(ColorBy colorBy)
{
    if (colorBy == m_now.colorBy) return;
    remember();
    m_now.colorBy = colorBy;
    showInWidgets();
    request(SceneChange::Step);
}

void GraphView::setLabels(const EdgeLabels& labels)
{
    if (labels == m_now.labels) return;
    remember();
    m_now.labels = labels;
    showInWidgets();
    request(SceneChange::Step);
}

void GraphView::setFolding(const FoldOptions& folding)
{
    if (folding != m_now.folding) foldAnew(folding);
}

void GraphView::foldAnew(const FoldOptions& folding)
{
    remember();
    m_now.folding = folding;
    m_now.open.reset();
    m_now.isOpenChosen = m_now.isOpenFresh = false;
    m_now.scenes.clear();
    showInWidgets();
    request(SceneChange::Fresh);
}

void GraphView::setShowConstants(bool isShown)
{
    if (isShown == m_now.showConstants) return;
    remember();
    m_now.showConstants = isShown;
    m_now.isOpenFresh = false;
    m_now.scenes.clear();
    showInWidgets();
    request(SceneChange::Fresh);
}

void GraphView::setMapShown(bool isShown)
{
    for (GraphCanvas* canvas : {m_before, m_after}) canvas->setMapShown(isShown);
}

void GraphView::setAnimated(bool isAnimated)
{
    for (GraphCanvas* canvas : {m_before, m_after}) canvas->setAnimated(isAnimated);
}

void GraphView::setFilter(const GraphFilter& filter)
{
    if (filter == m_now.filter) return;
    remember();
    m_now.filter = filter;
    m_now.scenes.clear();
    showInWidgets();
    request(SceneChange::Fresh);
}

void GraphView::toggleGroup(const std::string& key)
{
    const auto& scene = m_after->scene();
    if (!m_now.open || !scene) return;
    if (!m_now.rootKey.empty() && key == m_now.rootKey) return showTab(0); // up from a tab's block: to the whole graph
    remember();
    m_toggled = key;
    m_now.isOpenChosen = true;
    if (m_now.open->erase(key) == 0) {
        m_now.open->insert(key);
        // A repeated block shows the content of its first instance right away.
        for (const GraphCanvas* canvas : {m_after, m_before}) {
            if (!canvas->scene()) continue;
            const FoldModel& fold = *canvas->scene()->fold;
            const int group = fold.findKey(key);
            if (group >= 0 && fold.group(group).kind == FoldGroup::Kind::Repeat && !fold.group(group).groups.empty())
                m_now.open->insert(fold.group(fold.group(group).groups.front()).key);
            if (group >= 0) break;
        }
    }
    request(SceneChange::Fold);
}

void GraphView::openAll()
{
    if (!m_now.open || !m_after->scene()) return;
    remember();
    for (const FoldGroup& group : m_after->scene()->fold->groups()) m_now.open->insert(group.key);
    m_now.isOpenChosen = true;
    m_now.scenes.clear();
    request(SceneChange::Fresh);
}

void GraphView::foldAll() { openBlocks({}); }

void GraphView::openBlocks(std::set<std::string> keys)
{
    remember();
    m_now.open = std::move(keys);
    m_now.isOpenChosen = true;
    m_now.scenes.clear();
    request(SceneChange::Fresh);
}

std::optional<std::set<std::string>> GraphView::chosenBlocks() const
{
    return m_now.isOpenFresh && !m_now.isOpenChosen ? std::nullopt : m_now.open;
}

bool GraphView::areAllOpen() const
{
    if (!m_now.open || !m_after->scene()) return false;
    const auto& groups = m_after->scene()->fold->groups();
    return std::all_of(groups.begin(), groups.end(),
                       [this](const FoldGroup& group) { return m_now.open->contains(group.key); });
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
    if (event->key() == Qt::Key_Escape && m_results->isVisible()) return closeResults();
    View::keyPressEvent(event);
}

} // namespace gelens
