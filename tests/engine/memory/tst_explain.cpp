// Explanations of plans, with every figure worked out by hand.

#include "engine/memory/explain_plan.h"
#include "tests/engine/memory/test_graph.h"

#include <QTest>

using namespace gelens;
using gelens::test::TestGraph;

namespace {

const Shape small{64, 32};  // 8,192 B in fp32: a block of 8,704
const Shape large{64, 128}; // 32,768 B: a block of 33,280

LifetimeOptions insertionOrder(const Graph& graph)
{
    LifetimeOptions lifetimes;
    lifetimes.inPlace = InPlaceRule::None;
    lifetimes.order = graph.nodes(rootGraph);
    return lifetimes;
}

MemoryPlan plan(const Graph& graph, const LifetimeOptions& lifetimes)
{
    MemoryOptions options;
    options.lifetimes = lifetimes;
    auto result = planMemory(graph, options);
    if (!result.ok()) qFatal("%s", result.error().message().c_str());
    return std::move(result).value();
}

std::vector<PeakSaving> savings(const Graph& graph, const MemoryPlan& plan, const LifetimeOptions& lifetimes)
{
    SavingOptions options;
    options.lifetimes = lifetimes;
    auto result = rankPeakSavings(graph, plan, options);
    if (!result.ok()) qFatal("%s", result.error().message().c_str());
    return std::move(result).value();
}

/// What an action on a tensor saves; -1 when it is not offered.
std::int64_t saved(const std::vector<PeakSaving>& list, const std::string& name, PeakAction action)
{
    for (const PeakSaving& saving : list)
        if (saving.name == name && saving.action == action) return saving.saves;
    return -1;
}

/// x → s → m (large) → n (large) → d → e = d + s → out. At n: s, m and n are alive.
struct Hourglass {
    TestGraph test;
    OutputRef x, s, m, n, d, e;
    Hourglass()
    {
        x = test.data("x", small);
        const OutputRef wide = test.constant("wide", Shape{32, 128}, 1),
                        narrow = test.constant("narrow", Shape{128, 32}, 1);
        s = test.op("s", "Exp", {x}, small);
        m = test.op("m", "MatMulV2", {s, wide}, large);
        n = test.op("n", "Exp", {m}, large);
        d = test.op("d", "MatMulV2", {n, narrow}, small);
        e = test.op("e", "Add", {d, s}, small);
        test.output({e});
    }
};

} // namespace

class TestExplain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void peakIsMadeOfNamedTensors()
    {
        Hourglass model;
        const MemoryPlan plan = ::plan(model.test.graph, insertionOrder(model.test.graph));
        const PeakReport peak = explainPeak(model.test.graph, plan);
        QCOMPARE(peak.nodeName, std::string("n"));
        QCOMPARE(peak.liveBytes, std::int64_t{8704 + 2 * 33280});
        QCOMPARE(peak.lowerBound, peak.liveBytes);
        QCOMPARE(peak.plannedBytes, peak.liveBytes);
        QCOMPARE(peak.tensors.size(), std::size_t{3});
        QCOMPARE(peak.tensors[0].blockBytes, std::int64_t{33280});
        QCOMPARE(peak.tensors[2].name, std::string("s:0"));
        QVERIFY(std::abs(peak.tensors[2].share - 8704.0 / 75264) < 1e-12);
        // One task later m is dead and d is there.
        const PeakReport later = explainPeak(model.test.graph, plan, peak.position + 1);
        QCOMPARE(later.nodeName, std::string("d"));
        QCOMPARE(later.liveBytes, std::int64_t{8704 + 33280 + 8704});
    }

    void savingsByHand()
    {
        Hourglass model;
        const LifetimeOptions lifetimes = insertionOrder(model.test.graph);
        const MemoryPlan plan = ::plan(model.test.graph, lifetimes);
        const auto list = savings(model.test.graph, plan, lifetimes);
        // Peak 75,264 at n. Without m the most is 50,688 at d; without n 41,984 at m; without s 66,560.
        QCOMPARE(saved(list, "m:0", PeakAction::Remove), std::int64_t{75264 - 50688});
        QCOMPARE(saved(list, "n:0", PeakAction::Remove), std::int64_t{75264 - 41984});
        QCOMPARE(saved(list, "s:0", PeakAction::Remove), std::int64_t{8704});
        // n over m: one large block and s, with d beside them at d.
        QCOMPARE(saved(list, "n:0", PeakAction::InPlace), std::int64_t{75264 - 50688});
        QCOMPARE(saved(list, "m:0", PeakAction::InPlace), std::int64_t{-1}); // s lives on
        QCOMPARE(saved(list, "s:0", PeakAction::InPlace), std::int64_t{-1}); // x is the user's
        // m and n in one kernel: m is gone. n and d in one: n is gone, but m lives until d.
        QCOMPARE(saved(list, "m:0", PeakAction::Fuse), std::int64_t{75264 - 50688});
        QCOMPARE(saved(list, "n:0", PeakAction::Fuse), std::int64_t{75264 - 50688});
        QCOMPARE(saved(list, "s:0", PeakAction::Fuse), std::int64_t{-1}); // two readers
        // s can be made from x again for e.
        QCOMPARE(saved(list, "s:0", PeakAction::Recompute), std::int64_t{8704});
        QCOMPARE(saved(list, "m:0", PeakAction::Recompute), std::int64_t{-1}); // in use at the peak
        for (std::size_t i = 1; i < list.size(); ++i) QVERIFY(list[i - 1].saves >= list[i].saves);
        QCOMPARE(list.front().name, std::string("n:0"));
        QCOMPARE(list.front().peakAfter, std::int64_t{41984});
    }

    void laterProducerByHand()
    {
        TestGraph test;
        const OutputRef x = test.data("x", large), narrow = test.constant("narrow", Shape{128, 32}, 1);
        const OutputRef p = test.op("p", "Exp", {x}, large), r = test.op("r", "Exp", {x}, large);
        const OutputRef t = test.op("t", "MatMulV2", {r, narrow}, small);
        test.output({test.op("q", "MatMulV2", {p, t}, small)});
        const LifetimeOptions lifetimes = insertionOrder(test.graph);
        const MemoryPlan plan = ::plan(test.graph, lifetimes);
        // At t: p, r and t, 75,264. With p just before q: r and t, then p and t, 41,984.
        QCOMPARE(plan.totals.featureMapPeak, std::int64_t{75264});
        const auto list = savings(test.graph, plan, lifetimes);
        QCOMPARE(saved(list, "p:0", PeakAction::Reorder), std::int64_t{75264 - 41984});
        // Nothing reads p before the peak, so to make it later is no second time.
        QCOMPARE(saved(list, "p:0", PeakAction::Recompute), std::int64_t{-1});
    }

    void overlapNamesTheTask()
    {
        Hourglass model;
        const MemoryPlan plan = ::plan(model.test.graph, insertionOrder(model.test.graph));
        const ShareVerdict both = explainSharing(model.test.graph, plan, model.n, model.m);
        QCOMPARE(both.blocker, ShareBlocker::LifetimeOverlap);
        QCOMPARE(both.position, explainPeak(model.test.graph, plan).position);
        QVERIFY(both.text.find("'n'") != std::string::npos);
        QVERIFY(!both.sharesBytes);
        // m is dead when d begins, and the plan is as small as it can be.
        const ShareVerdict apart = explainSharing(model.test.graph, plan, model.m, model.d);
        QCOMPARE(apart.blocker, ShareBlocker::None);
    }

    void regionsAndUsersMemory()
    {
        Hourglass model;
        const Graph& graph = model.test.graph;
        const MemoryPlan plan = ::plan(graph, insertionOrder(graph));
        const OutputRef weight{graph.findNode("wide"), 0};
        QCOMPARE(explainSharing(graph, plan, weight, model.m).blocker, ShareBlocker::KindsDiffer);
        QCOMPARE(explainSharing(graph, plan, model.m, model.x).blocker, ShareBlocker::HeldByUser);
        QCOMPARE(explainSharing(graph, plan, model.e, model.m).blocker, ShareBlocker::HeldByUser);
        QCOMPARE(explainSharing(graph, plan, model.m, model.m).blocker, ShareBlocker::SameBuffer);
    }

    void viewsAndSlices()
    {
        TestGraph test;
        const OutputRef x = test.data("x", large), a = test.op("a", "Exp", {x}, large);
        const NodeId split = test.node("split", "SplitD", {a}, {Shape{32, 128}, Shape{32, 128}},
                                       {{"split_dim", std::int64_t{0}}, {"num_split", std::int64_t{2}}});
        const OutputRef first{split, 0}, second{split, 1};
        const OutputRef b = test.op("b", "Exp", {first}, Shape{32, 128}), c = test.op("c", "Exp", {b}, Shape{32, 128});
        test.output({test.op("d", "Add", {c, second}, Shape{32, 128})});
        const MemoryPlan plan = ::plan(test.graph, insertionOrder(test.graph));
        QCOMPARE(explainSharing(test.graph, plan, first, second).blocker, ShareBlocker::SameBuffer);
        // The first slice is dead when c begins; the second, and so the whole, is not.
        QCOMPARE(explainSharing(test.graph, plan, first, c).blocker, ShareBlocker::ContinuousGroup);
        QCOMPARE(explainSharing(test.graph, plan, second, c).blocker, ShareBlocker::LifetimeOverlap);
    }

    void streamsWithoutAnEvent()
    {
        TestGraph test;
        const OutputRef x = test.data("x", small), a = test.op("a", "Exp", {x}, small);
        const OutputRef side = test.op("side", "Exp", {a}, small), b = test.op("b", "Exp", {x}, small);
        const OutputRef last = test.op("last", "Exp", {b}, small);
        test.output({side, last});
        LifetimeOptions lifetimes = insertionOrder(test.graph);
        const MemoryPlan one = ::plan(test.graph, lifetimes);
        QCOMPARE(explainSharing(test.graph, one, a, b).blocker, ShareBlocker::None);
        lifetimes.streams.assign(static_cast<std::size_t>(test.graph.nodeIdBound()), 0);
        lifetimes.streams[static_cast<std::size_t>(side.node.value)] = 1;
        const MemoryPlan two = ::plan(test.graph, lifetimes);
        const ShareVerdict verdict = explainSharing(test.graph, two, b, a);
        QCOMPARE(verdict.blocker, ShareBlocker::UnorderedStreams);
        QVERIFY(verdict.text.find("'side'") != std::string::npos);
    }

    void paddingByHand()
    {
        TestGraph test;
        const Shape odd{2170}; // 8,680 B fit into 8,704, but 8,680 → 8,704 + 32 → a block of 9,216
        const OutputRef x = test.data("x", small), a = test.op("a", "Exp", {x}, small);
        const OutputRef b = test.op("b", "Exp", {a}, odd), c = test.op("c", "Exp", {b}, odd);
        test.output({test.op("d", "Exp", {c}, odd)});
        MemoryPlan plan = ::plan(test.graph, insertionOrder(test.graph));
        const int ia = plan.bufferOf(a)->id, ic = plan.bufferOf(c)->id;
        QCOMPARE(plan.buffers[static_cast<std::size_t>(ia)].blockBytes, std::int64_t{8704});
        QCOMPARE(plan.buffers[static_cast<std::size_t>(ic)].blockBytes, std::int64_t{9216});
        // Laid out so that c does not use what a leaves.
        plan.buffers[static_cast<std::size_t>(ia)].offset = 0;
        plan.buffers[static_cast<std::size_t>(ic)].offset = 65536;
        QCOMPARE(explainSharing(test.graph, plan, a, c).blocker, ShareBlocker::Padding);
        plan.buffers[static_cast<std::size_t>(ic)].offset = 0;
        const ShareVerdict shared = explainSharing(test.graph, plan, a, c);
        QVERIFY(shared.sharesBytes);
        QCOMPARE(shared.blocker, ShareBlocker::None);
    }

    void nothingPlanned()
    {
        TestGraph test;
        const OutputRef x = test.data("x", small);
        test.output({test.op("a", "Exp", {x}, small)});
        const MemoryPlan plan = ::plan(test.graph, insertionOrder(test.graph));
        QCOMPARE(explainPeak(test.graph, plan).tensors.size(), std::size_t{0});
        QVERIFY(savings(test.graph, plan, insertionOrder(test.graph)).empty());
    }
};

QTEST_GUILESS_MAIN(TestExplain)
#include "tst_explain.moc"
