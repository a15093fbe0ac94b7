// The hub: what a selection means, how it follows the steps, where one is after another run.

#include "app/core/hub.h"
#include "app/core/selection_rules.h"
#include "tests/viewers/models/model_fixture.h"

#include <QSignalSpy>
#include <QTest>

using namespace gelens;

namespace {

/// Step 2 fuses nodes 1 and 2 into 7 (model_fixture.h); a second fusion in step 4 makes 9 of 7 and 3.
std::shared_ptr<Run> runWithTwoFusions()
{
    auto run = test::makeRun();
    FusionVerdict second;
    second.fused = true;
    second.nodes = {NodeId{7}, NodeId{3}};
    second.into = NodeId{9};
    run->steps[4].verdicts.push_back(second);
    return run;
}

} // namespace

class TestHub : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void arrivingAtAFusionSelectsIt()
    {
        const auto run = runWithTwoFusions();
        QCOMPARE(followSelection(*run, {}, StepId{1}, StepId{2}).node, NodeId{7});
        QVERIFY(followSelection(*run, {}, StepId{1}, StepId{3}).isEmpty()); // not a fusion step: nothing was chosen
    }

    void selectionFollowsFusionsBothWays()
    {
        const auto run = runWithTwoFusions();
        QCOMPARE(followSelection(*run, Selection::ofNode(NodeId{2}), StepId{0}, StepId{5}).node, NodeId{9});
        const Selection one = followSelection(*run, Selection::ofNode(NodeId{9}), StepId{5}, StepId{3});
        QCOMPARE(one.node, NodeId{7});
        QCOMPARE(one.more, std::vector<NodeId>{NodeId{3}});
        const Selection two = followSelection(*run, Selection::ofNode(NodeId{9}), StepId{5}, StepId{0});
        QCOMPARE(two.node, NodeId{1});
        // What no fusion touches stays as it is, also several nodes.
        Selection several = Selection::ofNode(NodeId{5});
        several.more = {NodeId{6}};
        QCOMPARE(followSelection(*run, several, StepId{0}, StepId{5}), several);
    }

    void completedSelections()
    {
        const auto run = test::makeRun();
        run->tasks.tasks.resize(2);
        run->tasks.tasks[1].node = NodeId{4};
        MemoryBuffer buffer;
        buffer.tensor = {NodeId{5}, 1};
        run->plan.buffers.push_back(buffer);
        Chain chain;
        chain.nodes = {NodeId{1}, NodeId{2}, NodeId{3}};
        run->chains.push_back(chain);
        Selection task, memory, chosen, wrong;
        task.task = 1;
        memory.buffer = 0;
        chosen.chain = 0;
        wrong.task = 17;
        QCOMPARE(completeSelection(*run, task).node, NodeId{4});
        QCOMPARE(completeSelection(*run, memory).tensor, (OutputRef{NodeId{5}, 1}));
        QCOMPARE(completeSelection(*run, memory).node, NodeId{5});
        QCOMPARE(completeSelection(*run, chosen).more.size(), std::size_t{2});
        QVERIFY(!completeSelection(*run, wrong).node.isValid());
    }

    void anotherRunKeepsThePlace()
    {
        const auto before = test::makeRun(), now = test::makeRun();
        now->steps.insert(now->steps.begin() + 1, now->steps[1]); // one more pass in front
        for (std::size_t i = 0; i < now->steps.size(); ++i) now->steps[i].id = StepId{static_cast<int>(i)};
        QCOMPARE(correspondingStep(*before, StepId{3}, *now), StepId{4});
        QCOMPARE(correspondingStep(*before, StepId{5}, *now), StepId{6});
        QCOMPARE(correspondingStep(*before, StepId{0}, *now), StepId{0});
    }

    void stepsAreClampedAndTold()
    {
        Hub hub;
        const int id = hub.addModel(QStringLiteral("/tmp/a.onnx"), {});
        QVERIFY(hub.run() == nullptr);
        hub.showStep(StepId{3}); // no run yet: nothing happens
        hub.setRun(id, runWithTwoFusions());
        QCOMPARE(hub.shownStep(), StepId{5});
        QCOMPARE(hub.comparedStep(), StepId{0});
        QSignalSpy steps(&hub, &Hub::stepChanged), selections(&hub, &Hub::selectionChanged);
        hub.showStep(StepId{99});
        QCOMPARE(hub.shownStep(), StepId{5});
        QCOMPARE(hub.comparedStep(), StepId{4}); // the one before what is shown
        hub.showStep(StepId{-4});
        QCOMPARE(hub.shownStep(), StepId{0});
        QCOMPARE(steps.count(), 2);
        QCOMPARE(selections.count(), 0);
        hub.showStep(StepId{2});
        QCOMPARE(selections.count(), 1);
        hub.select(Selection::ofNode(NodeId{7}));
        QCOMPARE(selections.count(), 1); // it was selected already
    }

    void closingGoesBackToWhereOneCameFrom()
    {
        Hub hub;
        const int a = hub.addModel(QStringLiteral("/tmp/a"), {});
        const int b = hub.addModel(QStringLiteral("/tmp/b"), {});
        hub.setCurrent(a);
        const int c = hub.addModel(QStringLiteral("/tmp/c"), {});
        QCOMPARE(hub.current()->id, c);
        hub.removeModel(c);
        QCOMPARE(hub.current()->id, a);
        hub.removeModel(a);
        QCOMPARE(hub.current()->id, b);
        hub.removeModel(b);
        QVERIFY(hub.current() == nullptr);
    }
};

QTEST_GUILESS_MAIN(TestHub)
#include "tst_hub.moc"
