// A block opened or folded in place: room is made, the rest stays in order, and it takes no time.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "tests/support/layout_graphs.h"
#include "tests/support/layout_metrics.h"
#include "viewers/layout/layered_layout.h"
#include "viewers/layout/resize_box.h"

using namespace gelens;
using namespace gelens::testing;

class TestResizeBox : public QObject {
    Q_OBJECT

private:
    static bool isSound(const LayoutGraph& graph, const LayoutResult& result)
    {
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            const auto route = result.route(e);
            if (route.empty()) continue;
            for (const auto& [p, node] :
                 {std::pair(route.front(), graph.edges[e].from), std::pair(route.back(), graph.edges[e].to)}) {
                const LayoutPoint c = result.centres[static_cast<std::size_t>(node)];
                const LayoutNode& box = graph.nodes[static_cast<std::size_t>(node)];
                const bool touches = std::abs(p.x - c.x) <= box.width / 2 + 0.01 &&
                                     std::abs(std::abs(p.y - c.y) - box.height / 2) < 0.01;
                if (!touches) {
                    qWarning("edge %zu does not meet box %d", e, node);
                    return false;
                }
            }
        }
        const std::size_t overlaps = countOverlaps(graph, result);
        const std::size_t through = countRoutesThroughBoxes(graph, result);
        if (overlaps > 0 || through > 0) qWarning("%zu overlaps, %zu routes through boxes", overlaps, through);
        return overlaps == 0 && through == 0;
    }

private Q_SLOTS:
    void makesRoom()
    {
        for (LayoutGraph graph : {cnnGraph(300), llamaGraph(8, true), recurrentGraph(3, 8), randomGraph(200, 12, 3)}) {
            LayoutResult result = layeredLayout(graph, {});
            for (const std::size_t node :
                 {std::size_t{7}, graph.nodes.size() / 2, graph.nodes.size() - 1, std::size_t{8}}) {
                const LayoutPoint before = result.centres[node];
                const double top = before.y - graph.nodes[node].height / 2;
                const std::size_t crossings = countRouteCrossings(graph, result);
                result = resizeBox(graph, result, static_cast<int32_t>(node), 700, 900, {});
                graph.nodes[node].width = 700;
                graph.nodes[node].height = 900;
                QVERIFY2(isSound(graph, result),
                         qPrintable(QString::number(graph.nodes.size()) + u' ' + QString::number(node)));
                QCOMPARE(result.centres[node].x, before.x);
                QCOMPARE(result.centres[node].y - 450, top);
                QVERIFY(countRouteCrossings(graph, result) <= crossings);
            }
        }
    }

    void arbitraryGraphs()
    {
        std::mt19937 random(5);
        for (int round = 0; round < 200; ++round) {
            LayoutGraph graph;
            const std::size_t nodes = 2 + random() % 40;
            for (std::size_t n = 0; n < nodes; ++n)
                graph.nodes.push_back({20.0 + random() % 200, 10.0 + random() % 80});
            for (std::size_t e = random() % (2 * nodes); e > 0; --e)
                graph.edges.push_back({static_cast<int32_t>(random() % nodes), static_cast<int32_t>(random() % nodes)});
            LayoutResult result = layeredLayout(graph, {});
            for (int step = 0; step < 4; ++step) {
                const std::size_t node = random() % nodes;
                const LayoutNode size{5.0 + random() % 900, 5.0 + random() % 700};
                result = resizeBox(graph, result, static_cast<int32_t>(node), size.width, size.height, {});
                graph.nodes[node] = size;
                QVERIFY2(countOverlaps(graph, result) == 0, qPrintable(QString::number(round)));
                for (std::size_t e = 0; e < graph.edges.size(); ++e) QVERIFY(result.route(e).size() >= 2);
            }
        }
    }

    void foldsBack()
    {
        LayoutGraph graph = cnnGraph(300);
        const LayoutNode small = graph.nodes[150];
        const LayoutResult folded = layeredLayout(graph, {});
        const LayoutResult open = resizeBox(graph, folded, 150, 800, 600, {});
        graph.nodes[150].width = 800;
        graph.nodes[150].height = 600;
        QVERIFY(open.bounds.height() > folded.bounds.height() + 500);
        const LayoutResult again = resizeBox(graph, open, 150, small.width, small.height, {});
        graph.nodes[150] = small;
        QVERIFY(isSound(graph, again));
        for (std::size_t n = 0; n < graph.nodes.size(); ++n)
            QVERIFY(std::hypot(again.centres[n].x - folded.centres[n].x, again.centres[n].y - folded.centres[n].y) <
                    1e-6);
    }

    void unconnectedPartsMakeRoomToo()
    {
        LayoutGraph graph = cnnGraph(60);
        const auto first = static_cast<int32_t>(graph.nodes.size());
        for (int i = 0; i < 30; ++i) graph.nodes.push_back({60, 55.0 + i});
        for (int32_t i = 0; i + 1 < 30; ++i) graph.edges.push_back({first + i, first + i + 1});
        const LayoutResult result = resizeBox(graph, layeredLayout(graph, {}), 10, 600, 500, {});
        graph.nodes[10].width = 600;
        graph.nodes[10].height = 500;
        QCOMPARE(countOverlaps(graph, result), std::size_t{0});
    }

    /// Parts of a drawing that no line joins move as a whole, what stands above the box stays, and folding undoes it.
    void otherPartsMoveAsAWhole()
    {
        std::mt19937 random(11);
        int pushed = 0;
        for (int round = 0; round < 60; ++round) {
            LayoutGraph graph;
            std::vector<std::size_t> part;
            const std::size_t parts = 2 + random() % 5;
            for (std::size_t p = 0; p < parts; ++p) {
                const auto first = static_cast<int32_t>(graph.nodes.size());
                const auto count = static_cast<int32_t>(3 + random() % 12);
                for (int32_t n = 0; n < count; ++n) {
                    graph.nodes.push_back({60.0 + random() % 90, 30.0 + random() % 40});
                    part.push_back(p);
                    if (n > 0) graph.edges.push_back({first + static_cast<int32_t>(random() % n), first + n});
                }
            }
            const LayoutResult folded = layeredLayout(graph, {});
            const std::size_t node = random() % graph.nodes.size();
            const LayoutNode small = graph.nodes[node];
            const LayoutResult open = resizeBox(graph, folded, static_cast<int32_t>(node), 900, 700, {});
            graph.nodes[node] = {900, 700};
            QVERIFY2(isSound(graph, open), qPrintable(QString::number(round)));
            const double top = folded.centres[node].y - small.height / 2;
            std::vector<std::optional<LayoutPoint>> shift(parts);
            for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
                const LayoutPoint by{open.centres[n].x - folded.centres[n].x, open.centres[n].y - folded.centres[n].y};
                if (part[n] == part[node]) {
                    const bool isAbove = n != node && folded.centres[n].y + graph.nodes[n].height / 2 <= top;
                    if (isAbove) QVERIFY(by == LayoutPoint());
                    continue;
                }
                if (!shift[part[n]]) shift[part[n]] = by;
                pushed += std::abs(by.x) > 1;
                QVERIFY(std::hypot(by.x - shift[part[n]]->x, by.y - shift[part[n]]->y) < 1e-6);
            }
            const LayoutResult again =
                resizeBox(graph, open, static_cast<int32_t>(node), small.width, small.height, {});
            graph.nodes[node] = small;
            QVERIFY2(isSound(graph, again), qPrintable(QString::number(round)));
            for (std::size_t n = 0; n < graph.nodes.size(); ++n)
                QVERIFY(std::hypot(again.centres[n].x - folded.centres[n].x, again.centres[n].y - folded.centres[n].y) <
                        1e-6);
        }
        QVERIFY(pushed > 100);
    }

    void oddInput()
    {
        const LayoutGraph graph = cnnGraph(60);
        const LayoutResult layout = layeredLayout(graph, {});
        QVERIFY(resizeBox(graph, layout, -1, 10, 10, {}).centres == layout.centres);
        QVERIFY(resizeBox(graph, layout, 60, 10, 10, {}).centres == layout.centres);
        QVERIFY(resizeBox(graph, {}, 0, 10, 10, {}).centres.empty());
        QVERIFY(std::isfinite(resizeBox(graph, layout, 5, std::nan(""), -3, {}).bounds.width()));
    }

    void aFrameIsEnough()
    {
        const LayoutGraph graph = llamaGraph(513, true); // 20,000 nodes
        const LayoutResult layout = layeredLayout(graph, {});
        double best = 1e9;
        for (int i = 0; i < 5; ++i) best = std::min(best, resizeBox(graph, layout, 10000, 900, 2000, {}).milliseconds);
        qInfo("20,000 nodes: %.2f ms", best);
        QVERIFY(best < 16);
    }
};

QTEST_GUILESS_MAIN(TestResizeBox)
#include "tst_resize_box.moc"
