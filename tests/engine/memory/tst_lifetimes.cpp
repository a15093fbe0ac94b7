// Lifetimes and sharing by hand on small graphs, and whole plans of them.

#include "engine/memory/plan.h"
#include "engine/memory/sizes.h"
#include "engine/memory/validator.h"
#include "engine/ops/op_registry.h"
#include "tests/engine/memory/test_graph.h"

#include <QTest>

using namespace gelens;
using gelens::test::TestGraph;

namespace {

const Shape wide{64, 32}; // 8,192 B in fp32: a block of 8,704

MemoryPlan plan(const Graph& graph, InPlaceRule rule, MemoryPolicy policy = MemoryPolicy::Best)
{
    MemoryOptions options;
    options.policy = policy;
    options.lifetimes.inPlace = rule;
    auto result = planMemory(graph, options);
    if (!result.ok()) qFatal("%s", result.error().message().c_str());
    return std::move(result).value();
}

const MemoryBuffer& buffer(const MemoryPlan& plan, OutputRef tensor)
{
    const MemoryBuffer* found = plan.bufferOf(tensor);
    if (!found) qFatal("no buffer");
    return *found;
}

} // namespace

class TestLifetimes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sizesAreGes()
    {
        QCOMPARE(geTensorBytes(802816), std::int64_t{802848});
        QCOMPARE(geBlockBytes(802816), std::int64_t{803328});
        QCOMPARE(geTensorBytes(40), std::int64_t{96}); // ten fp32
        QCOMPARE(geBlockBytes(0), std::int64_t{512});
        QVERIFY(!tensorBytes(TensorDesc(DataType::Float, Shape{2, -1})));
        QVERIFY(!tensorBytes(TensorDesc(DataType::Float, Shape{std::int64_t{1} << 40, 1024})));
        QCOMPARE(tensorBytes(TensorDesc(DataType::String, Shape{3})).value(), std::int64_t{48});
    }

    /// x → Exp a → Exp b → MatMul(b, w) c → out: positions 0 x, 1 w, 2 a, 3 b, 4 c, 5 NetOutput.
    void chainByHand()
    {
        TestGraph test;
        const OutputRef x = test.data("x", wide), w = test.constant("w", Shape{32, 32}, 1);
        const OutputRef a = test.op("a", "Exp", {x}, wide), b = test.op("b", "Exp", {a}, wide);
        const OutputRef c = test.op("c", "MatMulV2", {b, w}, wide);
        test.output({c});
        const MemoryPlan none = plan(test.graph, InPlaceRule::None);
        QCOMPARE(buffer(none, a).lifetime, (Lifetime{2, 4}));
        QCOMPARE(buffer(none, b).lifetime, (Lifetime{3, 5}));
        QCOMPARE(buffer(none, c).kind, BufferKind::Output);
        QCOMPARE(buffer(none, x).kind, BufferKind::Input);
        QCOMPARE(buffer(none, w).kind, BufferKind::Weight);
        QCOMPARE(none.totals.intermediateTensors, 2);
        QCOMPARE(none.totals.featureMapPeak, std::int64_t{2 * 8704});
        QCOMPARE(none.totals.lowerBound, std::int64_t{2 * 8704});
        QVERIFY(none.isProvedOptimal);
        QCOMPARE(none.totals.zeroCopy, std::int64_t{2 * 8704});
        QCOMPARE(none.totals.weights, std::int64_t{4096});

        const MemoryPlan shared = plan(test.graph, InPlaceRule::Imported);
        QCOMPARE(shared.bufferOf(a), shared.bufferOf(b)); // b over a; a not over the user's x
        QCOMPARE(buffer(shared, a).members.size(), std::size_t{2});
        QCOMPARE(buffer(shared, a).lifetime, (Lifetime{2, 5}));
        QCOMPARE(shared.totals.intermediateTensors, 1);
        QCOMPARE(shared.totals.featureMapPeak, std::int64_t{8704});
    }

    void importedRuleWantsTheFirstInputAndOneReader()
    {
        TestGraph test;
        const OutputRef x = test.data("x", wide);
        const OutputRef a = test.op("a", "Exp", {x}, wide), b = test.op("b", "Exp", {x}, wide);
        const OutputRef sum = test.op("sum", "Add", {a, b}, wide);          // over a
        const OutputRef twice = test.op("twice", "Mul", {sum, b}, wide);    // over sum
        const OutputRef late = test.op("late", "Add", {x, twice}, wide);    // first input is the user's
        const OutputRef last = test.op("last", "Sub", {late, twice}, wide); // over late
        const OutputRef c = test.op("c", "Exp", {last}, wide);              // the model's output
        test.output({c});
        const MemoryPlan shared = plan(test.graph, InPlaceRule::Imported);
        QCOMPARE(shared.bufferOf(a), shared.bufferOf(sum));
        QCOMPARE(shared.bufferOf(sum), shared.bufferOf(twice));
        QVERIFY(shared.bufferOf(late) != shared.bufferOf(twice));
        QCOMPARE(shared.bufferOf(last), shared.bufferOf(late));
        QCOMPARE(buffer(shared, c).kind, BufferKind::Output);
        QCOMPARE(shared.totals.intermediateTensors, 3); // a, b, late
    }

    void viewsShareAndHoldTheirSource()
    {
        TestGraph test;
        const OutputRef x = test.data("x", wide);
        const OutputRef a = test.op("a", "Exp", {x}, wide);
        const OutputRef shape = test.constant("shape", Tensor::fromInts({2048}, Shape{1}));
        const OutputRef flat = test.op("flat", "Reshape", {a, shape}, Shape{2048});
        const OutputRef b = test.op("b", "Exp", {x}, wide);
        const OutputRef c = test.op("c", "Exp", {flat}, Shape{2048});
        test.output({b, c});
        const MemoryPlan none = plan(test.graph, InPlaceRule::None);
        QCOMPARE(none.bufferOf(a), none.bufferOf(flat));
        QCOMPARE(buffer(none, a).members, (std::vector<OutputRef>{a, flat}));
        QCOMPARE(buffer(none, a).lifetime, (Lifetime{1, 6}));
        QCOMPARE(none.totals.intermediateTensors, 1);
    }

    void splitAlongAxisZeroMakesSlices()
    {
        TestGraph test;
        const OutputRef x = test.data("x", wide);
        const OutputRef a = test.op("a", "Exp", {x}, wide);
        const NodeId split =
            test.node("split", "SplitD", {a}, {Shape{32, 32}, Shape{32, 32}}, {{"split_dim", 0}, {"num_split", 2}});
        const OutputRef sum = test.op("sum", "MatMulV2", {{split, 0}, {split, 1}}, Shape{32, 32});
        test.output({sum});
        const MemoryPlan shared = plan(test.graph, InPlaceRule::Compiled);
        QCOMPARE(shared.bufferOf({split, 1}), shared.bufferOf(a));
        QCOMPARE(shared.sliceOffset({split, 0}), std::int64_t{0});
        QCOMPARE(shared.sliceOffset({split, 1}), std::int64_t{4096});
        QCOMPARE(shared.totals.intermediateTensors, 1);

        TestGraph columns;
        const OutputRef y = columns.data("x", wide);
        const OutputRef e = columns.op("a", "Exp", {y}, wide);
        const NodeId halves =
            columns.node("split", "SplitD", {e}, {Shape{64, 16}, Shape{64, 16}}, {{"split_dim", 1}, {"num_split", 2}});
        columns.output({columns.op("sum", "Add", {{halves, 0}, {halves, 1}}, Shape{64, 16})});
        const MemoryPlan apart = plan(columns.graph, InPlaceRule::Compiled);
        QVERIFY(apart.bufferOf({halves, 1}) != apart.bufferOf(e));
    }

    void compiledRuleTakesTheLastReader()
    {
        const OpDef* add = OpRegistry::instance().find("Add");
        QVERIFY(add && !add->inPlacePairs().empty());
        TestGraph test;
        const OutputRef x = test.data("x", wide), w = test.constant("w", Shape{32, 32}, 1);
        const OutputRef a = test.op("a", "MatMulV2", {x, w}, wide);
        const OutputRef b = test.op("b", "MatMulV2", {a, w}, wide); // reads a first
        const OutputRef sum = test.op("sum", "Add", {a, b}, wide);  // last reader of a: over it
        const OutputRef c = test.op("c", "MatMulV2", {sum, w}, wide);
        test.output({c});
        const MemoryPlan shared = plan(test.graph, InPlaceRule::Compiled);
        QCOMPARE(shared.bufferOf(sum), shared.bufferOf(a));
        QCOMPARE(shared.totals.intermediateTensors, 2);
    }

    void outputsThatTwoReadStayInTheFeatureMap()
    {
        TestGraph test;
        const OutputRef x = test.data("x", wide);
        const OutputRef a = test.op("a", "Exp", {x}, wide);
        test.output({a, a});
        const MemoryPlan both = plan(test.graph, InPlaceRule::Compiled);
        QCOMPARE(buffer(both, a).kind, BufferKind::FeatureMap);
        QCOMPARE(buffer(both, a).lifetime.end, static_cast<std::int64_t>(both.order.size()));
        QCOMPARE(both.totals.intermediateTensors, 0);
    }

    void unreadOutputsHaveAPlaceButDoNotCount()
    {
        TestGraph test;
        const OutputRef x = test.data("x", wide);
        const OutputRef a = test.op("a", "Exp", {x}, wide);
        const NodeId best = test.node("best", "TopKV2", {a}, {wide, wide});
        test.output({test.op("c", "Exp", {{best, 0}}, wide)});
        const MemoryPlan none = plan(test.graph, InPlaceRule::None);
        QCOMPARE(buffer(none, {best, 1}).lifetime, (Lifetime{2, 3}));
        QVERIFY(buffer(none, {best, 1}).offset >= 0);
        QCOMPARE(none.totals.intermediateTensors, 2); // a and the output that c reads
        QCOMPARE(none.totals.unshared, std::int64_t{2 * 8704});
        QCOMPARE(none.totals.lowerBound, std::int64_t{3 * 8704});
    }

    void workspacesLiveDuringTheirNode()
    {
        TestGraph test;
        const OutputRef x = test.data("x", wide);
        const OutputRef a = test.op("a", "Exp", {x}, wide), b = test.op("b", "Exp", {a}, wide);
        test.output({test.op("c", "Exp", {b}, wide)});
        Placement placement = test.graph.node(a.node).placement;
        placement.workspaceBytes = {40000};
        test.editor().setPlacement(a.node, placement);
        const MemoryPlan none = plan(test.graph, InPlaceRule::None);
        const auto found = std::find_if(none.buffers.begin(), none.buffers.end(),
                                        [](const MemoryBuffer& one) { return one.kind == BufferKind::Workspace; });
        QVERIFY(found != none.buffers.end());
        QCOMPARE(found->blockBytes, std::int64_t{40448});
        QCOMPARE(found->lifetime, (Lifetime{1, 2}));
        QCOMPARE(none.totals.intermediateTensors, 2);
        QCOMPARE(none.totals.lowerBound, std::int64_t{8704 + 40448});
    }

    /// a (stream 0) is read by c on stream 1; b, next on stream 0, is ordered after nothing of stream 1, so a's bytes
    /// are safe only once d, which waits for c, has started.
    void otherStreamsHoldABufferUntilTheyAreOrdered()
    {
        TestGraph test;
        const OutputRef x = test.data("x", wide);
        const OutputRef a = test.op("a", "Exp", {x}, wide);
        const OutputRef c = test.op("c", "Neg", {a}, wide);
        const OutputRef b = test.op("b", "Exp", {a}, wide);
        const OutputRef e = test.op("e", "Neg", {b}, wide);
        const OutputRef d = test.op("d", "Add", {e, c}, wide);
        test.output({d});
        LifetimeOptions options;
        options.inPlace = InPlaceRule::None;
        options.streams.assign(static_cast<std::size_t>(test.graph.nodeIdBound()), 0);
        options.streams[static_cast<std::size_t>(c.node.value)] = 1;
        const auto two = computeLifetimes(test.graph, options);
        QVERIFY(two.ok());
        QCOMPARE(two->bufferOf(a)->lifetime, (Lifetime{1, 5})); // until d, at position 5
        QCOMPARE(two->bufferOf(b)->lifetime, (Lifetime{3, 5}));
        options.streams.clear();
        const auto one = computeLifetimes(test.graph, options);
        QCOMPARE(one->bufferOf(a)->lifetime, (Lifetime{1, 4}));
        QCOMPARE(one->bufferOf(b)->lifetime, (Lifetime{3, 5}));
    }

    void wrongOrdersAreErrors()
    {
        TestGraph test;
        const OutputRef x = test.data("x", wide);
        const OutputRef a = test.op("a", "Exp", {x}, wide), b = test.op("b", "Exp", {a}, wide);
        test.output({b});
        LifetimeOptions options;
        options.order = {x.node, b.node, a.node};
        QVERIFY(!computeLifetimes(test.graph, options).ok());
        options.order = {x.node, a.node, a.node};
        QVERIFY(!computeLifetimes(test.graph, options).ok());
    }

    void unknownShapesMakeThePlanIncomplete()
    {
        TestGraph test;
        const OutputRef x = test.data("x", Shape{-1, 4});
        test.output({test.op("b", "Exp", {test.op("a", "Exp", {x}, Shape{-1, 4})}, Shape{-1, 4})});
        QVERIFY(!plan(test.graph, InPlaceRule::Compiled).isComplete);
    }

    void longChainsOfViewsAndInPlaceStayLinear()
    {
        TestGraph test;
        OutputRef value = test.op("first", "Exp", {test.data("x", wide)}, wide);
        for (int i = 0; i < 20000; ++i)
            value = test.op("n" + std::to_string(i), i % 2 ? "Identity" : "Neg", {value}, wide);
        test.output({test.op("last", "Exp", {value}, wide)});
        QElapsedTimer timer;
        timer.start();
        const MemoryPlan shared = plan(test.graph, InPlaceRule::Imported);
        QCOMPARE(shared.totals.intermediateTensors, 1);
        QVERIFY2(timer.elapsed() < 3000, "lifetimes of a long chain must not be quadratic");
    }

    void validatorCatchesSeededFaults()
    {
        TestGraph test;
        const OutputRef x = test.data("x", wide);
        const OutputRef a = test.op("a", "Exp", {x}, wide), b = test.op("b", "Exp", {a}, wide);
        test.output({test.op("c", "Add", {a, b}, wide)});
        const MemoryPlan good = plan(test.graph, InPlaceRule::None);
        QVERIFY(validatePlan(good).empty());
        const auto kindAfter = [&](auto&& damage) {
            MemoryPlan bad = good;
            damage(bad, bad.buffers[static_cast<std::size_t>(bad.bufferOfTensor[b])]);
            const auto found = validatePlan(bad);
            return found.empty() ? -1 : static_cast<int>(found.front().kind);
        };
        using Kind = PlanViolation::Kind;
        QCOMPARE(kindAfter([&](MemoryPlan& p, MemoryBuffer& one) { one.offset = p.bufferOf(a)->offset; }),
                 int(Kind::Overlap));
        QCOMPARE(kindAfter([](MemoryPlan&, MemoryBuffer& one) { one.offset += 100; }), int(Kind::Misaligned));
        QCOMPARE(kindAfter([](MemoryPlan&, MemoryBuffer& one) { one.offset = -1; }), int(Kind::Missing));
        QCOMPARE(kindAfter([](MemoryPlan&, MemoryBuffer& one) { one.offset = 1 << 20; }), int(Kind::OutOfBounds));
        QCOMPARE(kindAfter([](MemoryPlan&, MemoryBuffer& one) { one.blockBytes = 512; }), int(Kind::OutOfBounds));
        QCOMPARE(kindAfter([](MemoryPlan& p, MemoryBuffer&) { p.totals.featureMapPeak += 512; }), int(Kind::BadPeak));
    }
};

QTEST_GUILESS_MAIN(TestLifetimes)
#include "tst_lifetimes.moc"
