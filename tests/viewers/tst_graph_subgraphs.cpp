// Sub-graphs that are opened in place: the node that owns one stays under the eye, and stands above what it owns.

#include "tests/viewers/drawing_checks.h"
#include "tests/viewers/graph_models.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"

#include <QtTest/QtTest>

using namespace gelens;
using namespace gelens::testing;

namespace {

/// A chain with an If in the middle whose branches are wide, or wide and narrow; beside it a part of its own, as high as
/// all of that.
std::shared_ptr<Run> branchingRun(int thenWidth, int elseWidth, bool isAlone, int chain = 3)
{
    GraphMaker make;
    NodeId x = make.add("Data", "input", {});
    for (int i = 0; i < chain; ++i) x = make.add("Relu", "before" + std::to_string(i), {x});
    const NodeId owner = make.add("If", "choice", {x});
    int count = 0;
    for (const int width : {thenWidth, elseWidth}) {
        const std::string name = count++ == 0 ? "then" : "else";
        const GraphId inner = make.edit.addSubgraph(name, owner);
        const NodeId in = make.add("Data", name + "_in", {}, {1, 16, 64}, inner);
        std::vector<NodeId> rows;
        for (int i = 0; i < width; ++i)
            rows.push_back(make.add("Relu", name + "_r" + std::to_string(i), {in}, {1, 16, 64}, inner));
        make.add("ConcatD", name + "_all", rows, {1, 16, 64}, inner);
    }
    x = owner;
    for (int i = 0; i < chain; ++i) x = make.add("Sigmoid", "after" + std::to_string(i), {x});
    make.add("NetOutput", "output", {x});
    if (!isAlone)
        for (int part = 0; part < 2; ++part) {
            NodeId y = make.add("Data", "other_in" + std::to_string(part), {}, {1, 16, 64});
            const NodeId weight = make.add("Const", "weight" + std::to_string(part), {});
            for (int i = 0; i < 9; ++i) // staggered against the chain: cards with a line more
                y = make.add("Add", "other" + std::to_string(part) + "_" + std::to_string(i), {y, weight});
        }
    auto run = std::make_shared<Run>();
    run->modelName = "branching";
    closeStep(make, *run, "aclmdlLoadFromFile");
    run->setGraph(std::make_shared<Graph>(*make.graph), make.journal);
    return run;
}

} // namespace

class GraphSubgraphsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ownerStays_data()
    {
        QTest::addColumn<int>("thenWidth");
        QTest::addColumn<int>("elseWidth");
        QTest::addColumn<bool>("isAlone");
        QTest::newRow("two narrow branches") << 2 << 2 << true;
        QTest::newRow("a wide one") << 40 << 2 << true;
        QTest::newRow("two wide ones") << 30 << 50 << true;
        QTest::newRow("a wide one, other parts beside it") << 40 << 2 << false;
        QTest::newRow("two wide ones, other parts beside them") << 30 << 50 << false;
    }

    void ownerStays()
    {
        QFETCH(int, thenWidth);
        QFETCH(int, elseWidth);
        QFETCH(bool, isAlone);
        const auto run = branchingRun(thenWidth, elseWidth, isAlone);
        GraphView view;
        view.resize(1200, 800);
        view.show();
        view.setRun(run);
        view.setStep(StepId{0}, StepId{0});
        const auto wait = [&] {
            QTest::qWait(10);
            QTRY_VERIFY_WITH_TIMEOUT(view.isLayoutReady(), 15000);
        };
        wait();
        view.foldAll();
        wait();
        const NodeId owner = run->graphAt(StepId{0})->findNode("choice");
        const auto canvas = view.findChildren<GraphCanvas*>().last();
        const auto sceneOf = [&] {
            for (GraphCanvas* c : view.findChildren<GraphCanvas*>())
                if (c->scene() && c->isVisible()) return c->scene();
            return canvas->scene();
        };
        for (const char* key : {"graph:then", "graph:else", "graph:then", "graph:else"}) {
            const QRectF before = view.nodeRectOnScreen(owner);
            QVERIFY(!before.isNull());
            view.toggleGroup(key);
            wait();
            const QRectF after = view.nodeRectOnScreen(owner);
            QCOMPARE(overlaps(sceneOf()->drawing), 0);
            QVERIFY2(QLineF(before.topLeft(), after.topLeft()).length() < 2, key);
        }
    }
};

QTEST_MAIN(GraphSubgraphsTest)
#include "tst_graph_subgraphs.moc"
