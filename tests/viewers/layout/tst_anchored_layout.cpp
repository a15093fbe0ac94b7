// From step to step: what stays does not move, what is new stands where it was wanted, and nothing overlaps.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/layout_graphs.h"
#include "tests/support/layout_metrics.h"
#include "viewers/layout/anchored_layout.h"
#include "viewers/layout/layered_layout.h"

using namespace gelens;
using namespace gelens::testing;

namespace {

/// A drawing and the next step, in which chains of single-reader nodes are fused pairwise.
struct Step {
    LayoutGraph before;
    LayoutResult drawn;
    LayoutGraph after;
    LayoutAnchors anchors;
    std::vector<int32_t> oldNode; ///< of each node after, or -1 for a fused one
};

void fuse(Step& step, std::size_t count)
{
    const LayoutGraph& g = step.before;
    std::vector<int> readers(g.nodes.size(), 0), inputs(g.nodes.size(), 0);
    for (const LayoutEdge& e : g.edges) {
        ++readers[static_cast<std::size_t>(e.from)];
        ++inputs[static_cast<std::size_t>(e.to)];
    }
    std::vector<int32_t> group(g.nodes.size(), -1); // node → its fused partner's first node
    std::size_t fused = 0;
    for (const LayoutEdge& e : g.edges) {
        const auto a = static_cast<std::size_t>(e.from), b = static_cast<std::size_t>(e.to);
        if (fused < count && readers[a] == 1 && inputs[b] == 1 && group[a] < 0 && group[b] < 0 &&
            (a * 7 + b) % 3 == 0) {
            group[a] = group[b] = e.from;
            ++fused;
        }
    }
    std::vector<int32_t> index(g.nodes.size(), -1);
    for (std::size_t n = 0; n < g.nodes.size(); ++n) {
        const bool second = group[n] >= 0 && group[n] != static_cast<int32_t>(n);
        if (second) {
            index[n] = index[static_cast<std::size_t>(group[n])];
            continue;
        }
        index[n] = static_cast<int32_t>(step.after.nodes.size());
        const bool isNew = group[n] >= 0;
        step.after.nodes.push_back({g.nodes[n].width + (isNew ? 40 : 0), g.nodes[n].height});
        step.oldNode.push_back(isNew ? -1 : static_cast<int32_t>(n));
        step.anchors.kept.push_back(isNew ? std::nullopt : std::optional(step.drawn.centres[n]));
        step.anchors.wanted.emplace_back();
        if (isNew)
            for (const LayoutEdge& e : g.edges)
                if (e.from == static_cast<int32_t>(n)) {
                    const LayoutPoint p = step.drawn.centres[n], q = step.drawn.centres[static_cast<std::size_t>(e.to)];
                    step.anchors.wanted.back() = LayoutPoint{(p.x + q.x) / 2, (p.y + q.y) / 2};
                }
    }
    for (std::size_t e = 0; e < g.edges.size(); ++e) {
        const int32_t from = index[static_cast<std::size_t>(g.edges[e].from)];
        const int32_t to = index[static_cast<std::size_t>(g.edges[e].to)];
        if (from == to) continue;
        step.after.edges.push_back({from, to});
        step.anchors.previousEdge.push_back(static_cast<int32_t>(e));
    }
}

Step makeStep(LayoutGraph graph, std::size_t fusions)
{
    Step step;
    step.before = std::move(graph);
    step.drawn = layeredLayout(step.before, {});
    fuse(step, fusions);
    return step;
}

LayoutResult run(const Step& step, const LayoutOptions& options = {})
{
    LayoutAnchors anchors = step.anchors;
    anchors.previous = &step.drawn;
    return anchoredLayout(step.after, anchors, options);
}

} // namespace

class TestAnchoredLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatStaysDoesNotMove()
    {
        for (Step step :
             {makeStep(cnnGraph(400), 40), makeStep(llamaGraph(8, true), 60), makeStep(randomGraph(300, 10, 4), 30)}) {
            const LayoutResult result = run(step);
            QVERIFY(result.ok());
            QCOMPARE(result.engine, LayoutEngineKind::Anchored);
            int fused = 0;
            for (std::size_t n = 0; n < step.after.nodes.size(); ++n) {
                if (step.oldNode[n] >= 0)
                    QVERIFY(result.centres[n] == step.drawn.centres[static_cast<std::size_t>(step.oldNode[n])]);
                else
                    ++fused;
            }
            QVERIFY(fused > 5);
            QCOMPARE(countOverlaps(step.after, result), std::size_t{0});
        }
    }

    void newBoxesStandNearWhatTheyReplace()
    {
        const Step step = makeStep(cnnGraph(400), 40);
        const LayoutResult result = run(step);
        for (std::size_t n = 0; n < step.after.nodes.size(); ++n)
            if (const auto& wish = step.anchors.wanted[n])
                QVERIFY(std::hypot(result.centres[n].x - wish->x, result.centres[n].y - wish->y) < 250);
    }

    void routesThatStayAreTheSame()
    {
        const Step step = makeStep(cnnGraph(400), 10);
        const LayoutResult result = run(step);
        std::size_t same = 0;
        for (std::size_t e = 0; e < step.after.edges.size(); ++e)
            same += std::ranges::equal(result.route(e),
                                       step.drawn.route(static_cast<std::size_t>(step.anchors.previousEdge[e])));
        // Each fusion touches two edges, and a wider box may stand in the way of a few more.
        QVERIFY2(same + 60 > step.after.edges.size(), qPrintable(QString::number(same)));
        QVERIFY(countRoutesThroughBoxes(step.after, result) <= 2);
    }

    void routesMeetTheirBoxes()
    {
        const Step step = makeStep(llamaGraph(6, true), 50);
        const LayoutResult result = run(step);
        std::vector<uint8_t> stubbed(step.after.edges.size(), 0);
        for (const LayoutStub& s : result.stubs) stubbed[static_cast<std::size_t>(s.edge)] = 1;
        QVERIFY(!result.stubs.empty());
        for (std::size_t e = 0; e < step.after.edges.size(); ++e) {
            const auto route = result.route(e);
            QCOMPARE(route.empty(), stubbed[e] == 1);
            if (route.empty()) continue;
            const auto touches = [&](LayoutPoint p, int32_t node) {
                const LayoutPoint c = result.centres[static_cast<std::size_t>(node)];
                const LayoutNode& box = step.after.nodes[static_cast<std::size_t>(node)];
                return std::abs(p.x - c.x) <= box.width / 2 + 0.01 &&
                       std::abs(std::abs(p.y - c.y) - box.height / 2) < 0.01;
            };
            QVERIFY(touches(route.front(), step.after.edges[e].from));
            QVERIFY(touches(route.back(), step.after.edges[e].to));
        }
    }

    void wishesThatClashAreSpread()
    {
        LayoutGraph graph;
        graph.nodes.assign(60, {100, 40});
        LayoutAnchors anchors;
        anchors.kept.resize(60);
        anchors.kept[0] = LayoutPoint{500, 500};
        anchors.wanted.assign(60, LayoutPoint{500, 500});
        const LayoutResult result = anchoredLayout(graph, anchors, {});
        QVERIFY(result.ok());
        QCOMPARE(countOverlaps(graph, result), std::size_t{0});
        QVERIFY((result.centres[0] == LayoutPoint{500, 500}));
        QVERIFY(result.bounds.width() < 2500 && result.bounds.height() < 2500);
    }

    void withoutWishes()
    {
        LayoutGraph graph = cnnGraph(120);
        const LayoutResult drawn = layeredLayout(graph, {});
        LayoutAnchors anchors;
        for (const LayoutPoint& p : drawn.centres) anchors.kept.emplace_back(p);
        // An inserted node between two others, one behind the last, and a pair that nothing joins to the rest.
        const auto first = static_cast<int32_t>(graph.nodes.size());
        for (int i = 0; i < 4; ++i) graph.nodes.push_back({100, 34});
        const LayoutEdge split = graph.edges[50];
        graph.edges.push_back({split.from, first});
        graph.edges.push_back({first, split.to});
        graph.edges.push_back({first - 1, first + 1});
        graph.edges.push_back({first + 2, first + 3});
        const LayoutResult result = anchoredLayout(graph, anchors, {});
        QVERIFY(result.ok());
        QCOMPARE(countOverlaps(graph, result), std::size_t{0});
        for (std::size_t n = 0; n < drawn.centres.size(); ++n) QVERIFY(result.centres[n] == drawn.centres[n]);
        for (std::size_t e = 0; e < graph.edges.size(); ++e) QVERIFY(result.route(e).size() >= 2);
    }

    void degenerate()
    {
        QVERIFY(anchoredLayout({}, {}, {}).ok());
        LayoutGraph graph;
        graph.nodes.assign(3, {50, 20});
        graph.edges = {{0, 0}, {0, 1}, {1, 0}, {0, 9}, {-3, 1}};
        LayoutAnchors anchors; // shorter than the nodes, and with a place that is none
        anchors.kept = {LayoutPoint{std::nan(""), 0}};
        anchors.previousEdge = {5, -7};
        const LayoutResult result = anchoredLayout(graph, anchors, {});
        QVERIFY(result.ok());
        QCOMPARE(countOverlaps(graph, result), std::size_t{0});
        QCOMPARE(result.route(0).size(), std::size_t{4});
        QVERIFY(result.route(3).empty());
    }

    void sameInputSameBytes()
    {
        const Step step = makeStep(randomGraph(300, 10, 4), 30);
        const LayoutResult a = run(step), b = run(step);
        QVERIFY(a.centres == b.centres && a.points == b.points && a.offsets == b.offsets);
    }

    void largeStepIsQuickAndStops()
    {
        Step step = makeStep(llamaGraph(513, true), 3000);
        const LayoutResult result = run(step);
        qInfo("20,000 nodes, 3,000 fusions: %.1f ms", result.milliseconds);
        QVERIFY(result.milliseconds < 2000);
        std::stop_source source;
        source.request_stop();
        LayoutOptions options;
        options.stop = source.get_token();
        const LayoutResult stopped = run(step, options);
        QVERIFY(stopped.cancelled);
        QVERIFY(stopped.centres.empty());
    }
};

QTEST_GUILESS_MAIN(TestAnchoredLayout)
#include "tst_anchored_layout.moc"
