// The difference of two graphs of 100,000 nodes, with the drawings that show it: within seconds and a bounded memory.

#include "engine/session/graph_matcher.h"
#include "tests/viewers/graph_models.h"
#include "viewers/diff/diff_content.h"
#include "viewers/graph/graph_worker.h"

#include <QTest>

#include <chrono>

#include <sys/resource.h>

using namespace gelens;
using namespace gelens::testing;

namespace {

constexpr int nodes = 100000;
constexpr double secondsAllowed = 5;
constexpr long kilobytesAllowed = 2L * 1024 * 1024;

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

long peakKilobytes()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

} // namespace

class DiffScaleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Two dumps: no journal joins them, so nodes are matched by name and structure.
    void unrelatedGraphs()
    {
        GraphMaker before, after;
        addDecoder(before, nodes / layerNodes, scopedName);
        addDecoder(after, nodes / layerNodes, scopedName);
        int changed = 0;
        for (const NodeId id : after.graph->allNodes())
            if (after.graph->node(id).type == "Relu" && ++changed % 10 == 0) after.edit.setAttr(id, "alpha", 0.5);
        const auto start = std::chrono::steady_clock::now();
        const GraphDiff diff = diffOfGraphs(*before.graph, *after.graph);
        const double seconds = secondsSince(start);
        QCOMPARE(diff.changed, changed / 10);
        QCOMPARE(diff.added, 0);
        QCOMPARE(diff.removed, 0);
        qInfo("matched and compared in %.2f s, peak %ld MB", seconds, peakKilobytes() / 1024);
        QVERIFY(seconds < secondsAllowed);
        QVERIFY(peakKilobytes() < kilobytesAllowed);
    }

    /// Every second node has another name: structure alone must find them.
    void renamedGraphs()
    {
        GraphMaker before, after;
        addDecoder(before, nodes / layerNodes, scopedName);
        int next = 0;
        addDecoder(after, nodes / layerNodes, [&](int layer, const char* local) {
            return ++next % 2 == 0 ? "renamed_" + std::to_string(next) : scopedName(layer, local);
        });
        const auto start = std::chrono::steady_clock::now();
        const GraphDiff diff = diffOfGraphs(*before.graph, *after.graph);
        const double seconds = secondsSince(start);
        qInfo("renamed: %.2f s, added %d, removed %d, changed %d", seconds, diff.added, diff.removed, diff.changed);
        QVERIFY(diff.added < nodes / 100);
        QVERIFY(seconds < secondsAllowed);
        QVERIFY(peakKilobytes() < kilobytesAllowed);
    }

    /// Two steps of a run, as the window shows them: both drawings, folded, side by side, with every change marked.
    void stepsSideBySide()
    {
        const auto run = makeRun(nodes / layerNodes);
        (void)run->graphAt(StepId{0}); // the run has it when the window asks
        GraphRequest request;
        request.run = run;
        request.shown = StepId{1};
        request.compared = StepId{0};
        request.engine = std::make_shared<LayoutEngine>();
        auto start = std::chrono::steady_clock::now();
        const auto answer = workOut(request, {});
        qInfo("drawn folded in %.2f s", secondsSince(start));
        QVERIFY(secondsSince(start) < secondsAllowed);
        QCOMPARE(answer->difference->removed, 4 * (nodes / layerNodes));
        QCOMPARE(answer->difference->added, nodes / layerNodes);
        start = std::chrono::steady_clock::now();
        const auto content = makeDiff(run, StepId{0}, StepId{1}, {});
        qInfo("list of changes in %.2f s, peak %ld MB", secondsSince(start), peakKilobytes() / 1024);
        QVERIFY(content != nullptr);
        QVERIFY(secondsSince(start) < secondsAllowed);
        QVERIFY(peakKilobytes() < kilobytesAllowed);
    }

    /// The same with every node drawn.
    void stepsWithoutFolding()
    {
        const auto run = makeRun(nodes / layerNodes);
        (void)run->graphAt(StepId{0});
        GraphRequest request;
        request.run = run;
        request.shown = StepId{1};
        request.compared = StepId{0};
        request.folding = {false, false};
        request.engine = std::make_shared<LayoutEngine>();
        const auto start = std::chrono::steady_clock::now();
        const auto answer = workOut(request, {});
        qInfo("drawn unfolded in %.2f s, peak %ld MB", secondsSince(start), peakKilobytes() / 1024);
        QVERIFY(answer->before && answer->after);
        QVERIFY(static_cast<int>(answer->before->drawing.boxes.size()) > nodes - layerNodes);
        QVERIFY(secondsSince(start) < secondsAllowed);
        QVERIFY(peakKilobytes() < kilobytesAllowed);
    }
};

QTEST_MAIN(DiffScaleTest)
#include "tst_diff_scale.moc"
