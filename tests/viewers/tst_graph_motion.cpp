// Opening and folding are shown as a movement: short, ended by the next key or click, and only where it is cheap. And
// where a drawing's first view and its mini-map come to stand.

#include "tests/viewers/graph_view_fixture.h"
#include "viewers/graph/graph_canvas.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QProxyStyle>
#include <QSignalSpy>
#include <QTest>

using namespace gelens;
using namespace gelens::testing;

namespace {

/// What the platform says of animations.
class Animated : public QProxyStyle {
public:
    explicit Animated(int duration) : m_duration(duration) {}
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override
    {
        return hint == SH_Widget_Animation_Duration ? m_duration : QProxyStyle::styleHint(hint, option, widget, data);
    }

private:
    int m_duration;
};

QImage pictureOf(GraphCanvas& canvas)
{
    QImage image(canvas.size(), QImage::Format_RGB32);
    canvas.render(&image);
    return image;
}

/// A block with a card, and a node below it that has to make way.
struct Layers : Shown {
    Layers() : Shown(4, 0)
    {
        view.setMode(GraphMode::Single);
        settle();
        view.fitAll();
    }
    std::string block() const
    {
        for (const DrawnBox& box : view.afterCanvas()->scene()->drawing.boxes)
            if (box.kind == BoxKind::Group) return view.afterCanvas()->scene()->fold->group(box.group).key;
        return {};
    }
    /// Opens or folds it and returns as soon as the new scene is there.
    void toggle(const std::string& key)
    {
        QSignalSpy ready(&view, &GraphView::layoutReady);
        view.toggleGroup(key);
        QVERIFY(ready.wait(15000));
    }
};

} // namespace

class GraphMotionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QApplication::setStyle(QStringLiteral("fusion")); }

    void foldingIsSeenToHappen()
    {
        QApplication::setStyle(new Animated(200));
        Layers s;
        const std::string key = s.block();
        QVERIFY(!key.empty());
        GraphCanvas& canvas = *s.view.afterCanvas();
        const QImage folded = pictureOf(canvas);
        QElapsedTimer time;
        s.toggle(key);
        time.start();
        QVERIFY(canvas.isMoving());
        QVERIFY(!s.view.isLayoutReady()); // a screenshot waits for the picture to stand
        const QImage first = pictureOf(canvas);
        QTRY_VERIFY_WITH_TIMEOUT(!canvas.isMoving(), 2000);
        QVERIFY(s.view.isLayoutReady());
        const QImage opened = pictureOf(canvas);
        QVERIFY(first != opened);
        QVERIFY(folded != opened);
        QVERIFY2(time.elapsed() < 1000, qPrintable(QString::number(time.elapsed())));
        s.toggle(key); // and back
        QVERIFY(canvas.isMoving());
        QTRY_VERIFY_WITH_TIMEOUT(!canvas.isMoving(), 2000);
    }

    void theNextActionEndsIt_data()
    {
        QTest::addColumn<int>("action");
        QTest::newRow("a key") << 0;
        QTest::newRow("a click") << 1;
        QTest::newRow("the wheel or a change of the view") << 2;
        QTest::newRow("another scene") << 3;
    }

    void theNextActionEndsIt()
    {
        QFETCH(int, action);
        QApplication::setStyle(new Animated(200));
        Layers s;
        GraphCanvas& canvas = *s.view.afterCanvas();
        s.toggle(s.block());
        QVERIFY(canvas.isMoving());
        if (action == 0) QTest::keyClick(&canvas, Qt::Key_Shift);
        if (action == 1) QTest::mousePress(&canvas, Qt::LeftButton, {}, QPoint(3, canvas.height() / 2));
        if (action == 2) canvas.zoomBy(1.2);
        if (action == 3) canvas.setScene(canvas.scene());
        QVERIFY(!canvas.isMoving());
    }

    void notWhereThePlatformWantsNone()
    {
        QApplication::setStyle(new Animated(0));
        Layers s;
        s.toggle(s.block());
        QVERIFY(!s.view.afterCanvas()->isMoving());
        QVERIFY(s.view.isLayoutReady());
    }

    void notWhereThousandsWouldMove()
    {
        QApplication::setStyle(new Animated(200));
        Shown s(60, 0); // 840 nodes, all open and all in view
        s.view.setMode(GraphMode::Single);
        s.view.openAll();
        s.settle();
        s.view.fitAll();
        GraphCanvas& canvas = *s.view.afterCanvas();
        QVERIFY(canvas.boxesInView(100000).size() > FoldMotion::mostBoxes);
        std::string key;
        for (const DrawnBox& box : canvas.scene()->drawing.boxes)
            if (box.kind == BoxKind::Frame) key = canvas.scene()->fold->group(box.group).key;
        QSignalSpy ready(&s.view, &GraphView::layoutReady);
        s.view.toggleGroup(key);
        QVERIFY(ready.wait(15000));
        QVERIFY(!canvas.isMoving());
    }

    void movingIsCheap()
    {
        QApplication::setStyle(new Animated(200));
        Layers s;
        s.view.resize(1920, 1080);
        GraphCanvas& canvas = *s.view.afterCanvas();
        s.toggle(s.block());
        QVERIFY(canvas.isMoving());
        QImage image(canvas.size(), QImage::Format_RGB32);
        qint64 best = 1000;
        for (int i = 0; i < 5 && canvas.isMoving(); ++i) {
            QElapsedTimer time;
            time.start();
            canvas.render(&image);
            best = std::min(best, time.elapsed());
        }
        QVERIFY2(best <= 16, qPrintable(QStringLiteral("%1 ms a frame").arg(best)));
    }

    /// A step of which next to nothing is left of what was shown is laid out anew, elsewhere: a node that both have, near
    /// the middle of the view, stays under the eye; at the start the start is shown again.
    void stepsThatCannotBeAnchoredAreFollowed()
    {
        GraphMaker make;
        std::vector<NodeId> sources;
        for (int i = 0; i < 200; ++i) sources.push_back(make.add("Fill", "fill" + std::to_string(i), {}));
        NodeId x = make.add("AddN", "sum", sources);
        for (int i = 0; i < 4; ++i) x = make.add("Relu", "tail" + std::to_string(i), {x});
        auto run = std::make_shared<Run>();
        closeStep(make, *run, "Read");
        closeStep(make, *run, "Nothing");
        for (int i = 0; i < 60; ++i)
            make.add("Abs", "other" + std::to_string(i),
                     {i == 0 ? x : make.graph->findNode("other" + std::to_string(i - 1))});
        const NodeId sum = make.graph->findNode("sum");
        for (int i = 0; i < 200; ++i) make.edit.disconnect({sum, i});
        make.edit.removeNodes(sources);
        closeStep(make, *run, "Fold");
        run->setGraph(std::make_shared<Graph>(*make.graph), make.journal);
        GraphView view;
        view.resize(700, 500);
        view.show();
        view.setMode(GraphMode::Single);
        view.setFolding({false, false});
        view.setRun(run);
        view.setStep(StepId{0}, StepId{0});
        QTRY_VERIFY(view.isLayoutReady());
        GraphCanvas& canvas = *view.afterCanvas();
        canvas.fitAll();
        canvas.setView({canvas.centre().x(), canvas.centre().y()}, 0.9);
        const QRectF before = canvas.boxRect(canvas.scene()->boxOf(sum));
        QVERIFY(QRectF(canvas.rect()).intersects(before));
        const auto placeOf = [&] {
            const DrawnBox& box = canvas.scene()->drawing.boxes[static_cast<std::size_t>(canvas.scene()->boxOf(sum))];
            return QPointF(box.x, box.y);
        };
        const QPointF place = placeOf();
        view.setStep(StepId{2}, StepId{2});
        QTRY_VERIFY(view.isLayoutReady() && canvas.scene()->graph->contains(make.graph->findNode("other59")));
        const QRectF after = canvas.boxRect(canvas.scene()->boxOf(sum));
        QVERIFY2(
            (placeOf() - place).manhattanLength() > 700,
            qPrintable(QString::number((placeOf() - place).manhattanLength()))); // else there was nothing to follow
        QVERIFY2(QRectF(canvas.rect()).intersects(after),
                 qPrintable(QStringLiteral("%1 %2").arg(after.x()).arg(after.y())));
    }

    /// One input feeds a broad row: below, the map would hide nodes; beside the input there is nothing.
    void mapStandsWhereItHidesLeast()
    {
        GraphMaker make;
        const NodeId input = make.add("Data", "input", {});
        for (int i = 0; i < 12; ++i) {
            NodeId x = input;
            for (int k = 0; k < 12; ++k) x = make.add("Relu", "n" + std::to_string(i * 100 + k), {x});
        }
        LayoutEngine engine;
        GraphCanvas canvas;
        canvas.resize(900, 600);
        canvas.setScene(buildScene(make.graph, FoldModel::build(*make.graph, {false, false}), {}, engine,
                                   SceneChange::Fresh, nullptr, {}, {}));
        canvas.showStart();
        QCOMPARE(canvas.mapCorner(), Qt::TopRightCorner);
        QVERIFY(canvas.boxRect(canvas.scene()->boxOf(input)).intersects(QRectF(canvas.rect())));
    }

    /// A drawing much higher than wide leaves the map's column free, with the texts beside its lines.
    void narrowDrawingsStandBesideTheMap()
    {
        GraphMaker make;
        NodeId x = make.add("Data", "input", {}, {1, 3, 224, 224});
        for (int k = 0; k < 60; ++k) x = make.add("Conv2D", "stage/conv_" + std::to_string(k), {x}, {1, 64, 112, 112});
        LayoutEngine engine;
        GraphCanvas canvas;
        canvas.resize(600, 540);
        canvas.setScene(buildScene(make.graph, FoldModel::build(*make.graph, {false, false}), {}, engine,
                                   SceneChange::Fresh, nullptr, {}, {}));
        canvas.showStart();
        QCOMPARE(canvas.mapCorner(), Qt::BottomRightCorner);
        for (const DrawnEdge& edge : canvas.scene()->drawing.edges) {
            if (edge.label.empty()) continue;
            const QPointF end = canvas.toScreen({edge.labelX + edge.labelWidth, edge.labelY});
            QVERIFY2(end.x() < canvas.width() - 40, qPrintable(QString::number(end.x())));
        }
    }
};

QTEST_MAIN(GraphMotionTest)
#include "tst_graph_motion.moc"
