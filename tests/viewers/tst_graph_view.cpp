// The graph view as a person uses it: mouse, keys, steps. Search, undo and tabs have programs of their own.

#include "tests/viewers/graph_view_fixture.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/lineage_overlay.h"
#include "viewers/graph/overflow_row.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <set>

using namespace gelens;
using namespace gelens::testing;

class GraphViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
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

    /// Parts of the graph without a mouse: what the menus and the palette offer for the selection.
    void partsOfTheGraphByAction()
    {
        Shown s(3);
        s.view.setFolding({false, false});
        s.settle();
        const auto trigger = [&](const char* text) {
            for (QAction* action : s.view.viewActions())
                if (action->text() == QLatin1String(text)) {
                    action->trigger();
                    s.settle();
                    return true;
                }
            return false;
        };
        const auto shown = [&] {
            std::set<std::string> names;
            for (const DrawnBox& box : s.view.afterCanvas()->scene()->drawing.boxes)
                if (box.kind == BoxKind::Node && !box.isGhost)
                    names.insert(s.view.afterCanvas()->scene()->graph->node(box.node).name);
            return names;
        };
        QSignalSpy said(&s.view, &View::statusMessage);
        QVERIFY(trigger("Show only its neighbourhood")); // nothing is selected: it says so and hides nothing
        QCOMPARE(said.count(), 1);
        QCOMPARE(s.view.filter().kind, GraphFilter::Kind::All);
        s.view.setSelection(Selection::ofNode(s.node("/model/layers.1/norm")));
        s.settle();
        QVERIFY(trigger("Show only what it depends on"));
        QVERIFY(shown().contains("/model/layers.0/out") && shown().contains("input"));
        QVERIFY(!shown().contains("/model/layers.1/q") && !shown().contains("/model/layers.2/out"));
        QVERIFY(trigger("Show only what depends on it"));
        QVERIFY(shown().contains("/model/layers.2/out") && !shown().contains("/model/layers.0/out"));
        QVERIFY(trigger("Show only its neighbourhood"));
        QVERIFY(shown().contains("/model/layers.1/q") && !shown().contains("/model/layers.2/out"));
        QVERIFY(trigger("Show everything"));
        QVERIFY(trigger("Show only paths between the two"));
        QCOMPARE(said.count(), 2); // two nodes are needed
        s.view.afterCanvas()->setSelection({s.node("/model/layers.0/residual"), s.node("/model/layers.1/norm")});
        QVERIFY(trigger("Show only paths between the two"));
        QVERIFY(shown().contains("/model/layers.0/act") && shown().contains("/model/layers.0/out"));
        QVERIFY(!shown().contains("/model/layers.0/q") && !shown().contains("/model/layers.1/q"));
    }

    void everyBoxIsHitAtItsMiddle()
    {
        Shown s(3);
        s.view.openAll();
        s.settle();
        GraphCanvas* canvas = s.view.afterCanvas();
        for (const double zoom : {0.02, 0.3, 1.0, 4.0}) {
            canvas->setView(canvas->centre(), zoom);
            int hit = 0;
            const auto& boxes = canvas->scene()->drawing.boxes;
            for (std::size_t i = 0; i < boxes.size(); ++i)
                if (boxes[i].kind == BoxKind::Node) {
                    QCOMPARE(canvas->boxAt(canvas->boxRect(static_cast<int>(i)).center()), static_cast<int>(i));
                    ++hit;
                }
            QVERIFY(hit > layerNodes); // the blocks are open
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
        QCOMPARE(canvas->scene()->drawing.boxes[static_cast<std::size_t>(box)].kind,
                 BoxKind::Node); // the first instance is open too
        s.view.setSelection(Selection::ofNode(act));
        s.settle();
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Backspace);
        s.settle();
        QCOMPARE(canvas->scene()->drawing.boxes[static_cast<std::size_t>(canvas->scene()->boxOf(act))].kind,
                 BoxKind::Group);
        QTest::keyClick(canvas, Qt::Key_Enter); // the card that holds the selection
        s.settle();
        QCOMPARE(canvas->scene()->drawing.boxes[static_cast<std::size_t>(canvas->scene()->boxOf(act))].kind,
                 BoxKind::Node);
    }

    void openingKeepsTheTitleUnderTheEye()
    {
        Shown s(6);
        GraphCanvas* canvas = s.view.afterCanvas();
        const int box = canvas->scene()->boxOf(s.node("/model/layers.0/act"));
        const QRectF before = canvas->boxRect(box);
        const std::string key =
            canvas->scene()->fold->group(canvas->scene()->drawing.boxes[static_cast<std::size_t>(box)].group).key;
        s.view.toggleGroup(key);
        s.settle();
        const QRectF after = canvas->boxRect(canvas->boxOfGroup(key));
        QVERIFY(after.height() > before.height());
        const QString moved = QStringLiteral("%1,%2 to %3,%4")
                                  .arg(before.center().x())
                                  .arg(before.top())
                                  .arg(after.center().x())
                                  .arg(after.top());
        QVERIFY2(std::abs(after.top() - before.top()) < 2, qPrintable(moved));
        QVERIFY2(std::abs(after.center().x() - before.center().x()) < 2, qPrintable(moved));
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
        closeStep(make, *run);
        closeStep(make, *run);
        make.edit.connect({in, 0}, {kept, 0});
        for (auto id = gone.rbegin(); id != gone.rend(); ++id) make.edit.removeNode(*id);
        closeStep(make, *run);
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
        QVERIFY2(std::abs(before.top() - after.top()) < 2,
                 qPrintable(QStringLiteral("%1 %2").arg(before.top()).arg(after.top())));
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
                QVERIFY2(
                    row->rect().contains(tool->geometry()),
                    qPrintable(
                        QStringLiteral("%1 at %2").arg(QLatin1String(tool->metaObject()->className())).arg(width)));
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

    /// The window does not wait for a layout that is under way and no longer wanted.
    void cancelIsQuick()
    {
        const auto run = makeRun(7000); // 100,000 nodes
        GraphView view;
        view.resize(800, 600);
        view.show();
        view.setFolding({false, false});
        view.setRun(run);
        view.setStep(StepId{1}, StepId{0});
        QTest::qWait(100);
        QVERIFY(!view.isLayoutReady());
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
        const auto boxes = [&] { return static_cast<int>(s.view.afterCanvas()->scene()->drawing.boxes.size()); };
        QCOMPARE(boxes(), 3); // the head, what feeds it and the output
        s.view.setFilter({});
        s.settle();
        QVERIFY(boxes() > 3);
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
        QTRY_VERIFY(s.view.afterCanvas()->scene() && s.view.afterCanvas()->scene()->graph->nodeCount() ==
                                                         other->graphAt(other->lastStep())->nodeCount());
        s.view.setRun(nullptr);
        QTest::qWait(20);
        QVERIFY(s.view.visibleText().contains(QStringLiteral("No model")));
    }
};

QTEST_MAIN(GraphViewTest)
#include "tst_graph_view.moc"
