// The graph view as a person uses it: mouse, keys, search, steps.

#include "tests/viewers/graph_models.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_query.h"
#include "viewers/graph/graph_view.h"
#include "viewers/graph/lineage_overlay.h"
#include "viewers/graph/overflow_row.h"
#include "viewers/graph/results_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace gelens;
using namespace gelens::testing;

namespace {

struct Shown {
    std::shared_ptr<Run> run;
    GraphView view;

    explicit Shown(int layers, int step = 1) : run(makeRun(layers))
    {
        view.resize(1200, 800);
        view.show();
        view.setRun(run);
        view.setStep(StepId{step}, StepId{step - 1});
        wait();
    }
    void wait() { QTRY_VERIFY_WITH_TIMEOUT(view.isLayoutReady(), 15000); }
    NodeId node(const std::string& name, int step = 1) const { return run->graphAt(StepId{step})->findNode(name); }
    void settle()
    {
        QTest::qWait(10);
        wait();
    }
};

} // namespace

class GraphViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
        QApplication::setOrganizationName(QStringLiteral("GE Lens tests"));
        QApplication::setApplicationName(QStringLiteral("graph view"));
    }

    void statesSayWhatToDo()
    {
        GraphView view;
        view.show();
        QTest::qWait(10);
        QVERIFY(view.visibleText().contains(QStringLiteral("Open one")));
        view.setEmptyState(EmptyState::Failed, QStringLiteral("The file is cut off."));
        QTest::qWait(10);
        QVERIFY(view.visibleText().contains(QStringLiteral("cut off")));
        QVERIFY(view.visibleText().contains(QStringLiteral("Problems")));
    }

    void showsBothSteps()
    {
        Shown s(6);
        QVERIFY(s.view.beforeCanvas()->isVisible());
        QVERIFY(s.view.visibleText().contains(QStringLiteral("× 6")));
        QCOMPARE(s.view.findChild<QLabel*>(QStringLiteral("summary"))->text(), QStringLiteral("+6 −24 ~6"));
        QCOMPARE(s.view.beforeCanvas()->zoom(), s.view.afterCanvas()->zoom());
    }

    void clickSelects()
    {
        Shown s(6);
        QSignalSpy chosen(&s.view, &View::selectionRequested);
        const NodeId head = s.node("/model/head");
        s.view.reveal(head);
        s.settle();
        const QRectF rect = s.view.nodeRectOnScreen(head);
        QVERIFY(!rect.isNull());
        QWidget* canvas = s.view.afterCanvas();
        QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->mapFrom(&s.view, rect.center().toPoint()));
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(qvariant_cast<Selection>(chosen.last().first()).node, head);
        QCOMPARE(s.view.afterCanvas()->selectedNodes().front(), head);
        QTest::mouseClick(canvas, Qt::LeftButton, {}, QPoint(3, canvas->height() / 2)); // beside everything
        QVERIFY(qvariant_cast<Selection>(chosen.last().first()).isEmpty());
    }

    void everyBoxIsHitAtItsMiddle()
    {
        Shown s(3);
        s.view.openAll();
        s.settle();
        GraphCanvas* canvas = s.view.afterCanvas();
        for (const double zoom : {0.02, 0.3, 1.0, 4.0}) {
            canvas->setView(canvas->centre(), zoom);
            const auto& boxes = canvas->scene()->drawing.boxes;
            for (std::size_t i = 0; i < boxes.size(); ++i)
                if (boxes[i].kind == BoxKind::Node) QCOMPARE(canvas->boxAt(canvas->boxRect(static_cast<int>(i)).center()), static_cast<int>(i));
        }
    }

    void doubleClickAndKeysOpenBlocks()
    {
        Shown s(6);
        GraphCanvas* canvas = s.view.afterCanvas();
        const NodeId act = s.node("/model/layers.0/act");
        QRectF card = canvas->boxRect(canvas->scene()->boxOf(act));
        QTest::mouseDClick(canvas, Qt::LeftButton, {}, card.center().toPoint());
        s.settle();
        const int box = canvas->scene()->boxOf(act);
        QCOMPARE(canvas->scene()->drawing.boxes[static_cast<std::size_t>(box)].kind, BoxKind::Node); // the first instance is open too
        s.view.setSelection(Selection::ofNode(act));
        s.settle();
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Backspace);
        s.settle();
        QCOMPARE(canvas->scene()->drawing.boxes[static_cast<std::size_t>(canvas->scene()->boxOf(act))].kind, BoxKind::Group);
        QTest::keyClick(canvas, Qt::Key_Enter); // the card that holds the selection
        s.settle();
        QCOMPARE(canvas->scene()->drawing.boxes[static_cast<std::size_t>(canvas->scene()->boxOf(act))].kind, BoxKind::Node);
    }

    void openingKeepsTheTitleUnderTheEye()
    {
        Shown s(6);
        GraphCanvas* canvas = s.view.afterCanvas();
        const int box = canvas->scene()->boxOf(s.node("/model/layers.0/act"));
        const QRectF before = canvas->boxRect(box);
        const std::string key = canvas->scene()->fold->group(canvas->scene()->drawing.boxes[static_cast<std::size_t>(box)].group).key;
        s.view.toggleGroup(key);
        s.settle();
        const int group = canvas->scene()->fold->findKey(key);
        for (std::size_t i = 0; i < canvas->scene()->drawing.boxes.size(); ++i)
            if (canvas->scene()->drawing.boxes[i].group == group) {
                const QRectF after = canvas->boxRect(static_cast<int>(i));
                const QString moved = QStringLiteral("%1,%2 to %3,%4").arg(before.center().x()).arg(before.top()).arg(after.center().x()).arg(after.top());
                QVERIFY2(std::abs(after.top() - before.top()) < 2, qPrintable(moved));
                QVERIFY2(std::abs(after.center().x() - before.center().x()) < 2, qPrintable(moved));
            }
    }

    void arrowsWalkAlongEdges()
    {
        Shown s(2);
        s.view.setMode(GraphMode::Single);
        s.view.openAll();
        s.settle();
        const NodeId up = s.node("/model/layers.0/up"), act = s.node("/model/layers.0/act");
        s.view.setSelection(Selection::ofNode(up));
        QTest::qWait(10);
        GraphCanvas* canvas = s.view.afterCanvas();
        QTest::keyClick(canvas, Qt::Key_Down);
        QCOMPARE(canvas->selectedNodes().front(), act);
        QTest::keyClick(canvas, Qt::Key_Up);
        QCOMPARE(canvas->selectedNodes().front(), up);
        QVERIFY(QRectF(canvas->rect()).intersects(canvas->boxRect(canvas->currentBox())));
    }

    void zoomPanAndFit()
    {
        Shown s(6);
        GraphCanvas* canvas = s.view.afterCanvas();
        QTest::keyClick(canvas, Qt::Key_Space);
        const double all = canvas->zoom();
        QTest::keyClick(canvas, Qt::Key_Plus);
        QVERIFY(canvas->zoom() > all);
        QCOMPARE(s.view.beforeCanvas()->zoom(), canvas->zoom()); // linked
        for (int i = 0; i < 60; ++i) QTest::keyClick(canvas, Qt::Key_Minus);
        QCOMPARE(canvas->zoom(), GraphCanvas::minZoom);
        for (int i = 0; i < 60; ++i) QTest::keyClick(canvas, Qt::Key_Plus);
        QCOMPARE(canvas->zoom(), GraphCanvas::maxZoom);
        const QPointF centre = canvas->centre();
        QTest::mousePress(canvas, Qt::LeftButton, {}, QPoint(200, 200));
        QTest::mouseMove(canvas, QPoint(240, 230));
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, QPoint(240, 230));
        QVERIFY(canvas->centre() != centre);
        QCOMPARE(s.view.beforeCanvas()->centre(), canvas->centre());
    }

    /// Where the later graph has little in common with the earlier, both are laid out on their own; what both have stands
    /// side by side all the same.
    void unlikeGraphsStandSideBySide()
    {
        GraphMaker make;
        const NodeId in = make.add("Data", "in", {}), kept = make.add("Relu", "kept", {in});
        std::vector<NodeId> gone;
        NodeId x = in;
        for (int i = 0; i < 40; ++i) gone.push_back(x = make.add("Abs", "a" + std::to_string(i), {x}));
        make.edit.connect({x, 0}, {kept, 0});
        make.add("NetOutput", "out", {kept});
        auto run = std::make_shared<Run>();
        const auto close = [&](int number, std::size_t first) {
            Step step;
            step.id = StepId{number};
            step.firstEdit = first;
            step.lastEdit = make.edit.position();
            run->steps.push_back(step);
            make.edit.setStep(StepId{number + 1});
            return make.edit.position();
        };
        std::size_t position = close(0, make.edit.position());
        position = close(1, position);
        make.edit.connect({in, 0}, {kept, 0});
        for (auto id = gone.rbegin(); id != gone.rend(); ++id) make.edit.removeNode(*id);
        close(2, position);
        run->setGraph(std::make_shared<Graph>(*make.graph), make.journal);
        GraphView view;
        view.resize(1000, 600);
        view.show();
        view.setRun(run);
        view.setStep(StepId{2}, StepId{0});
        QTRY_VERIFY(view.isLayoutReady());
        view.setSelection(Selection::ofNode(kept));
        view.reveal(kept);
        QTest::qWait(20);
        QTRY_VERIFY(view.isLayoutReady());
        GraphCanvas *a = view.afterCanvas(), *b = view.beforeCanvas();
        const QRectF after = a->boxRect(a->scene()->boxOf(kept)), before = b->boxRect(b->scene()->boxOf(kept));
        QVERIFY(QRectF(b->rect()).intersects(before));
        QVERIFY2(std::abs(before.top() - after.top()) < 2, qPrintable(QStringLiteral("%1 %2").arg(before.top()).arg(after.top())));
        a->zoomBy(1.2);
        QVERIFY(std::abs(b->boxRect(b->scene()->boxOf(kept)).top() - a->boxRect(a->scene()->boxOf(kept)).top()) < 2);
    }

    void stepsMoveNothing()
    {
        Shown s(4);
        s.view.openAll();
        s.settle();
        const NodeId up = s.node("/model/layers.2/up");
        const QRectF before = s.view.nodeRectOnScreen(up);
        QVERIFY(!before.isNull());
        s.view.setStep(StepId{2}, StepId{1});
        s.settle();
        QCOMPARE(s.view.nodeRectOnScreen(up), before);
        s.view.setStep(StepId{1}, StepId{0});
        s.settle();
        QCOMPARE(s.view.nodeRectOnScreen(up), before);
    }

    void changesAreVisited()
    {
        Shown s(3);
        std::set<std::int32_t> visited;
        for (int i = 0; i < 18; ++i) { // 3 added, 3 changed, 12 removed
            s.view.nextChange();
            s.settle();
            const NodeId node = s.view.afterCanvas()->selectedNodes().front();
            visited.insert(node.value);
            QVERIFY(!s.view.nodeRectOnScreen(node).isNull());
        }
        QCOMPARE(static_cast<int>(visited.size()), 18);
        QVERIFY(s.view.visibleText().contains(QStringLiteral("FlashAttentionScore")));
    }

    void search()
    {
        Shown s(4);
        s.view.setSearchText(QStringLiteral("type:FlashAttention*"));
        QTRY_COMPARE(s.view.searchHitCount(), 4);
        QTest::keyClick(s.view.afterCanvas(), Qt::Key_N);
        s.settle();
        QCOMPARE(s.view.afterCanvas()->selectedNodes().front(), s.node("/model/layers.0/attention"));
        QTest::keyClick(s.view.afterCanvas(), Qt::Key_P);
        s.settle();
        QCOMPARE(s.view.afterCanvas()->selectedNodes().front(), s.node("/model/layers.3/attention"));
        s.view.setSearchText(QStringLiteral("name:/[/"));
        QTRY_COMPARE(s.view.searchHitCount(), 0);
    }

    void queries_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("hits");
        QTest::newRow("substring") << QStringLiteral("softmax") << 4;
        QTest::newRow("glob over the whole type") << QStringLiteral("type:*Softmax") << 0;
        QTest::newRow("glob") << QStringLiteral("type:Softmax??") << 4;
        QTest::newRow("regex") << QStringLiteral("name:/layers\\.[12]/softmax$/") << 2;
        QTest::newRow("shape") << QStringLiteral("type:softmax shape:1×16×64") << 4;
        QTest::newRow("dtype") << QStringLiteral("dtype:fp16 name:head") << 1;
        QTest::newRow("format") << QStringLiteral("format:FRACTAL") << 0;
        QTest::newRow("nothing yet") << QStringLiteral("type:") << 0;
    }

    void queries()
    {
        QFETCH(QString, text);
        QFETCH(int, hits);
        GraphMaker make;
        addDecoder(make, 4, scopedName);
        QCOMPARE(static_cast<int>(GraphQuery::parse(text).find(*make.graph, nullptr).size()), hits);
    }

    void resultsAreListed()
    {
        Shown s(4);
        auto* line = s.view.findChild<QLineEdit*>(QStringLiteral("search"));
        s.view.setSearchText(QStringLiteral("type:FlashAttention*"));
        QTRY_COMPARE(s.view.searchHitCount(), 4);
        QVERIFY(!s.view.resultsPanel()->isVisible());
        QTest::keyClick(line, Qt::Key_Return);
        s.settle();
        QVERIFY(s.view.resultsPanel()->isVisible());
        ResultsModel* model = s.view.resultsPanel()->model();
        QCOMPARE(model->rowCount(), 4);
        QCOMPARE(model->index(2, ResultsModel::Name).data().toString(), QStringLiteral("/model/layers.2/attention"));
        Q_EMIT s.view.resultsPanel()->nodeChosen(model->row(2).node);
        s.settle();
        QCOMPARE(s.view.afterCanvas()->selectedNodes().front(), s.node("/model/layers.2/attention"));
        QVERIFY(!s.view.nodeRectOnScreen(s.node("/model/layers.2/attention")).isNull());
        s.view.setSearchText(QStringLiteral("type:Softmax*")); // fused away
        QTRY_COMPARE(s.view.searchHitCount(), 0);
        QTRY_VERIFY(!s.view.resultsPanel()->isVisible());
    }

    void fieldsOfTheRun()
    {
        const auto run = makeRun(3);
        auto& verdicts = run->steps[1].verdicts;
        const auto graph = run->graphAt(StepId{1});
        FusionVerdict verdict;
        verdict.rule = "FlashAttention";
        verdict.fused = true;
        verdict.into = graph->findNode("/model/layers.1/attention");
        verdicts.push_back(verdict);
        FusionVerdict refused;
        refused.rule = "MatMulAdd";
        refused.reason = Reason::L1Capacity;
        refused.nodes = {graph->findNode("/model/head")};
        verdicts.push_back(refused);
        const auto count = [&](const char* text) { return static_cast<int>(GraphQuery::parse(QLatin1String(text)).find(*graph, run.get()).size()); };
        QCOMPARE(count("verdict:FlashAttention"), 1);
        QCOMPARE(count("verdict:fused"), 1);
        QCOMPARE(count("verdict:L1Cap*"), 1);
        QCOMPARE(count("verdict:refused name:head"), 1);
        QCOMPARE(count("pass:FlashAttentionFusionPass type:Flash*"), 3);
        QCOMPARE(count("pass:NoSuchPass"), 0);
    }

    void searchesAreKept()
    {
        Shown s(2);
        QSettings().setValue(QStringLiteral("graph/saved_searches"), QStringList{QStringLiteral("type:Relu")});
        QCOMPARE(GraphView::savedSearches(), QStringList{QStringLiteral("type:Relu")});
        s.view.setSearchText(QStringLiteral("unit:cube"));
        QMenu* menu = nullptr;
        for (auto* button : s.view.findChildren<QToolButton*>())
            if (button->text() == QStringLiteral("★")) menu = button->menu();
        QVERIFY(menu != nullptr);
        Q_EMIT menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 3); // keep, separator, the kept one
        menu->actions().first()->trigger();
        QCOMPARE(GraphView::savedSearches(), (QStringList{QStringLiteral("unit:cube"), QStringLiteral("type:Relu")}));
        Q_EMIT menu->aboutToShow();
        menu->actions().last()->trigger();
        QTRY_COMPARE(s.view.searchHitCount(), 2);
        s.view.setSearchText(QStringLiteral("unit:cube"));
        Q_EMIT menu->aboutToShow();
        menu->actions().first()->trigger(); // forgotten again
        QCOMPARE(GraphView::savedSearches(), QStringList{QStringLiteral("type:Relu")});
    }

    void undoAndRedo()
    {
        Shown s(6);
        QVERIFY(!s.view.canUndo());
        const auto boxes = [&] {
            std::vector<std::pair<double, double>> places;
            for (const DrawnBox& box : s.view.afterCanvas()->scene()->drawing.boxes) places.emplace_back(box.x, box.y);
            return places;
        };
        const auto first = boxes();
        const QPointF centre = s.view.afterCanvas()->centre();
        const NodeId act = s.node("/model/layers.0/act");
        s.view.toggleGroup(s.view.afterCanvas()->scene()->fold->group(
            s.view.afterCanvas()->scene()->drawing.boxes[static_cast<std::size_t>(s.view.afterCanvas()->scene()->boxOf(act))].group).key);
        s.settle();
        const auto opened = boxes();
        QVERIFY(opened != first);
        s.view.setFilter({GraphFilter::Kind::Around, {act}, 1});
        s.settle();
        QVERIFY(boxes() != opened);
        s.view.setColorBy(ColorBy::DataType);
        s.settle();
        s.view.undo();
        s.settle();
        QCOMPARE(s.view.filter().kind, GraphFilter::Kind::Around);
        s.view.undo();
        s.settle();
        QCOMPARE(s.view.filter().kind, GraphFilter::Kind::All);
        QVERIFY(boxes() == opened);
        s.view.undo();
        s.settle();
        QVERIFY(boxes() == first); // the same places, and the same view of them
        QCOMPARE(s.view.afterCanvas()->centre(), centre);
        QVERIFY(!s.view.canUndo());
        for (int i = 0; i < 3; ++i) {
            s.view.redo();
            s.settle();
        }
        QVERIFY(!s.view.canRedo());
        QCOMPARE(s.view.filter().kind, GraphFilter::Kind::Around);
        s.view.setFilter({}); // another way ends what could be done again
        QVERIFY(!s.view.canRedo() && s.view.canUndo());
        s.settle();
    }

    void blocksInTabs()
    {
        Shown s(6);
        auto* tabs = s.view.findChild<QTabBar*>();
        QVERIFY(!tabs->isVisible());
        const NodeId act = s.node("/model/layers.3/act"), head = s.node("/model/head");
        s.view.reveal(act);
        s.settle();
        const auto scene = s.view.afterCanvas()->scene();
        const std::string key = scene->fold->group(scene->fold->groupOf(act)).key;
        s.view.openInTab(key);
        s.settle();
        QVERIFY(tabs->isVisible());
        QCOMPARE(tabs->count(), 2);
        QVERIFY(s.view.afterCanvas()->scene()->boxOf(act) >= 0);
        QVERIFY(s.view.afterCanvas()->scene()->boxOf(head) < 0);
        s.view.setStep(StepId{2}, StepId{1}); // steps go on inside
        s.settle();
        QVERIFY(s.view.afterCanvas()->scene()->boxOf(act) >= 0);
        s.view.openInTab(key); // once is enough
        QCOMPARE(s.view.tabCount(), 2);
        s.view.reveal(head); // lies outside
        s.settle();
        QCOMPARE(s.view.currentTab(), 0);
        QVERIFY(!s.view.nodeRectOnScreen(head).isNull());
        s.view.showTab(1);
        s.settle();
        s.view.closeTab(1);
        s.settle();
        QCOMPARE(s.view.tabCount(), 1);
        QVERIFY(!tabs->isVisible());
        s.view.closeTab(0); // the whole graph stays
        QCOMPARE(s.view.tabCount(), 1);
    }

    void unevenBlocksAreListed()
    {
        const auto run = makeRun(6, 4);
        GraphView view;
        view.resize(1200, 800);
        view.show();
        view.setRun(run);
        view.setStep(StepId{1}, StepId{0});
        QTRY_VERIFY(view.isLayoutReady());
        view.listVariants();
        QVERIFY(view.resultsPanel()->isVisible());
        ResultsModel* model = view.resultsPanel()->model();
        QCOMPARE(model->rowCount(), 6);
        QVERIFY2(model->index(0, ResultsModel::Detail).data().toString().contains(QStringLiteral("FlashAttentionScore")),
                 qPrintable(model->index(0, ResultsModel::Detail).data().toString()));
        QCOMPARE(model->index(0, ResultsModel::Name).data().toString(), QStringLiteral("layers.4"));
        Q_EMIT view.resultsPanel()->groupChosen(model->row(0).group);
        QTest::qWait(10);
        QTRY_VERIFY(view.isLayoutReady());
        QCOMPARE(view.afterCanvas()->selectedGroup(), model->row(0).group);
        QVERIFY(view.afterCanvas()->currentBox() >= 0);
        view.setStep(StepId{0}, StepId{0});
        QTest::qWait(10);
        QTRY_VERIFY(view.isLayoutReady());
        view.listVariants(); // all alike before the fusion
        QVERIFY(!view.resultsPanel()->isVisible());
    }

    void descentIsDrawn()
    {
        Shown s(3);
        s.view.openAll();
        s.settle();
        const NodeId fused = s.node("/model/layers.1/attention");
        s.view.setSelection(Selection::ofNode(fused));
        s.view.reveal(fused);
        s.settle();
        QTRY_COMPARE(static_cast<int>(s.view.lineageOverlay()->links().size()), 3); // three became one
        for (const auto& [from, to] : s.view.lineageOverlay()->links()) QCOMPARE(to, fused);
        QVERIFY(!s.view.lineageOverlay()->curves().empty());
        s.view.setMode(GraphMode::Overlay);
        s.settle();
        QVERIFY(s.view.lineageOverlay()->links().empty());
        QCOMPARE(static_cast<int>(s.view.afterCanvas()->links().size()), 3);
        s.view.setSelection({});
        QTRY_COMPARE(static_cast<int>(s.view.afterCanvas()->links().size()), 9); // of all that fit into one picture
        s.view.setMode(GraphMode::Single);
        s.settle();
        QVERIFY(s.view.afterCanvas()->links().empty());
    }

    /// At 1280 × 800 the graph has some 700 pixels; the tools fit, whatever the language, and none is lost.
    void toolsFit()
    {
        Shown s(2);
        auto* row = s.view.findChild<OverflowRow*>();
        QVERIFY(row != nullptr);
        QVERIFY2(row->minimumSizeHint().width() <= 320, qPrintable(QString::number(row->minimumSizeHint().width())));
        for (const int width : {1500, 900, 700, 520, 360}) {
            s.view.resize(width, 600);
            QTest::qWait(20);
            for (QWidget* tool : row->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
                if (!tool->isVisible()) continue;
                QVERIFY2(row->rect().contains(tool->geometry()), qPrintable(QStringLiteral("%1 at %2").arg(QLatin1String(tool->metaObject()->className())).arg(width)));
                if (qobject_cast<QComboBox*>(tool)) QVERIFY(tool->width() >= tool->sizeHint().width());
            }
            auto* modes = row->findChildren<QComboBox*>().first();
            if (modes->isVisible()) continue;
            QVERIFY(row->overflowButton()->isVisible());
            Q_EMIT row->overflowButton()->menu()->aboutToShow();
            QStringList entries;
            for (const QAction* action : row->overflowButton()->menu()->actions()) entries << action->text();
            QVERIFY2(entries.contains(QStringLiteral("Comparison")), qPrintable(entries.join(QLatin1Char('|'))));
        }
    }

    /// A layout that is under way gives up at once, and one that was superseded is not waited for.
    void cancelIsQuick()
    {
        const auto run = makeRun(7000); // 100,000 nodes
        GraphView view;
        view.resize(800, 600);
        view.show();
        view.setFolding({false, false});
        view.setRun(run);
        view.setStep(StepId{1}, StepId{0});
        QTest::qWait(400);
        QElapsedTimer timer;
        timer.start();
        view.setRun(nullptr);
        QTest::qWait(1);
        QVERIFY2(timer.elapsed() < 100, qPrintable(QString::number(timer.elapsed())));
    }

    void onlyChanges()
    {
        Shown s(4, 2);
        s.view.setFilter({GraphFilter::Kind::Changed, {}, 1});
        s.settle();
        const auto& boxes = s.view.afterCanvas()->scene()->drawing.boxes;
        QCOMPARE(static_cast<int>(boxes.size()), 3); // the head, what feeds it and the output
        s.view.setFilter({});
        s.settle();
        QVERIFY(boxes.size() > 0);
    }

    void oddGraphsAreDrawn_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("empty") << 0;
        QTest::newRow("labels of 20,000 characters, Chinese names, markup") << 1;
        QTest::newRow("a node with 5,000 inputs") << 2;
        QTest::newRow("unconnected nodes") << 3;
        QTest::newRow("a chain of 100,000") << 4;
    }

    void oddGraphsAreDrawn()
    {
        QFETCH(int, kind);
        GraphMaker make;
        if (kind == 1) {
            const NodeId a = make.add(std::string(20000, 'T'), std::string(20000, 'n'), {});
            const NodeId b = make.add("Relu", "模型/注意力/层归一化/一个很长很长很长很长很长的名字", {a});
            make.add("<b>&\"x", std::string("bad \xff\xfe\x01 name"), {b});
        } else if (kind == 2) {
            std::vector<NodeId> inputs;
            for (int i = 0; i < 5000; ++i) inputs.push_back(make.add("Data", "in" + std::to_string(i), {}));
            make.add("ConcatD", "all", inputs);
        } else if (kind == 3) {
            for (int i = 0; i < 300; ++i) make.add("Relu", "r" + std::to_string(i), {});
        } else if (kind == 4) {
            NodeId x = make.add("Data", "in", {});
            for (int i = 0; i < 100000; ++i) x = make.add("Relu", "n" + std::to_string(i), {x});
        }
        LayoutEngine engine;
        GraphCanvas canvas;
        canvas.resize(900, 700);
        canvas.setMessage(QStringLiteral("no nodes"));
        canvas.setScene(buildDefaultScene(make.graph, engine));
        const auto ink = [&] { // pixels that are not background
            QImage image(canvas.size(), QImage::Format_RGB32);
            canvas.render(&image);
            const QRgb paper = Palette::of(canvas.palette()).canvas().rgb();
            int count = 0;
            for (int y = 60; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) != paper;
            return count;
        };
        canvas.showStart();
        QVERIFY(ink() > 50);
        if (kind == 0) {
            QVERIFY(canvas.visibleTexts().contains(QStringLiteral("no nodes")));
            return;
        }
        QVERIFY(!canvas.visibleTexts().isEmpty());
        canvas.fitAll();
        QVERIFY(ink() > 20);
        const DrawnBox& last = canvas.scene()->drawing.boxes.back();
        canvas.setView({last.centreX(), last.centreY()}, 1);
        QVERIFY(ink() > 50);
        if (kind == 1) QVERIFY(canvas.visibleTexts().join(QLatin1Char('\n')).contains(QStringLiteral("很长的名字")));
    }

    void exports()
    {
        Shown s(4);
        QTemporaryDir folder;
        for (const char* ending : {"svg", "dot", "png", "pdf"}) {
            QString error;
            const QString path = folder.filePath(QStringLiteral("g.") + QLatin1String(ending));
            QVERIFY2(s.view.exportTo(path, &error), qPrintable(error));
            QVERIFY(QFileInfo(path).size() > 500);
        }
        QString error;
        QVERIFY(!s.view.exportTo(folder.filePath(QStringLiteral("g.gif")), &error));
        QVERIFY(!s.view.exportTo(QStringLiteral("/nowhere/g.svg"), &error));
        QVERIFY(!error.isEmpty());
    }

    void aNewRunReplacesTheOld()
    {
        Shown s(6);
        const auto other = makeRun(2);
        s.view.setRun(other);
        s.settle();
        QTRY_VERIFY(s.view.afterCanvas()->scene() && s.view.afterCanvas()->scene()->graph->nodeCount() == other->graphAt(other->lastStep())->nodeCount());
        s.view.setRun(nullptr);
        QTest::qWait(20);
        QVERIFY(s.view.visibleText().contains(QStringLiteral("No model")));
    }

private:
    QTemporaryDir m_settings;
};

QTEST_MAIN(GraphViewTest)
#include "tst_graph_view.moc"
