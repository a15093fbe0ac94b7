// The graph view as a person uses it: mouse, keys, search, steps.

#include "tests/viewers/graph_models.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_query.h"
#include "viewers/graph/graph_view.h"

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

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
};

QTEST_MAIN(GraphViewTest)
#include "tst_graph_view.moc"
