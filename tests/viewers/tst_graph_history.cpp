// The graph view's past: undo and redo, tabs, and how much of it is kept.

#include "tests/viewers/graph_view_fixture.h"
#include "viewers/graph/graph_canvas.h"

#include <QTabBar>
#include <QTest>

using namespace gelens;
using namespace gelens::testing;

class GraphHistoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
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
        s.view.toggleGroup(
            s.view.afterCanvas()
                ->scene()
                ->fold
                ->group(s.view.afterCanvas()
                            ->scene()
                            ->drawing.boxes[static_cast<std::size_t>(s.view.afterCanvas()->scene()->boxOf(act))]
                            .group)
                .key);
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

    /// Scenes of large graphs cost memory; what was done to the view is known all the same.
    void oldScenesAreForgotten()
    {
        const auto sceneOf = [](std::size_t boxes) {
            auto scene = std::make_shared<Scene>();
            scene->drawing.boxes.resize(boxes);
            return scene;
        };
        const auto shared = sceneOf(60);
        std::vector<ViewState> states(4);
        states[0].scenes = {{0, sceneOf(10)}};
        states[1].scenes = {{0, sceneOf(50)}, {1, shared}};
        states[2].scenes = {{0, sceneOf(30)}, {1, shared}};
        states[3].scenes = {{0, sceneOf(10)}, {1, shared}};
        for (ViewState& state : states) state.colorBy = ColorBy::Format;
        forgetOldScenes(states, 150); // 70 of the last, 30 more of the one before, 50 more before that
        for (std::size_t i = 1; i < 4; ++i) QCOMPARE(states[i].scenes.size(), std::size_t{2});
        QVERIFY(states[0].scenes.empty());
        forgetOldScenes(states, 100);
        QVERIFY(states[1].scenes.empty() && !states[2].scenes.empty());
        forgetOldScenes(states, 5); // the last one is always kept
        QVERIFY(states[2].scenes.empty() && !states[3].scenes.empty());
        for (const ViewState& state : states) QCOMPARE(state.colorBy, ColorBy::Format);
    }
};

QTEST_MAIN(GraphHistoryTest)
#include "tst_graph_history.moc"
