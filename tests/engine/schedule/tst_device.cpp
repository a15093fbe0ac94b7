// The device against the interpreter: equal when all is well, different as soon as an event or an address is wrong.

#include "engine/memory/plan.h"
#include "engine/npu/compare.h"
#include "engine/npu/device.h"
#include "engine/npu/random_inputs.h"
#include "engine/schedule/tasks.h"
#include "tests/engine/memory/test_graph.h"

#include <QTest>

using namespace gelens;
using gelens::test::TestGraph;

namespace {

const Shape square{16, 16};

struct Setup {
    TestGraph test;
    MemoryPlan plan;
    TaskList tasks;
    std::map<std::string, HostTensor> inputs;
    KernelCache cache;

    void finish(const StreamOptions& options)
    {
        const std::vector<NodeId> order = test.graph.topologicalOrder();
        const StreamAssignment streams = assignStreams(test.graph, order, options);
        MemoryOptions memory;
        memory.lifetimes.order = order;
        memory.lifetimes.streams = streams.byNode;
        auto planned = planMemory(test.graph, memory);
        if (!planned.ok()) qFatal("%s", planned.error().message().c_str());
        plan = std::move(planned).value();
        auto made = generateTasks(test.graph, plan, streams, cache);
        if (!made.ok()) qFatal("%s", made.error().message().c_str());
        tasks = std::move(made).value();
        inputs = randomInputs(test.graph, 7);
    }

    std::vector<NamedTensor> reference() const
    {
        auto run = interpret(test.graph, inputs);
        if (!run.ok()) qFatal("%s", run.error().message().c_str());
        return std::move(run).value().outputs;
    }

    /// Do all of these interleavings give the interpreter's numbers, to the bit?
    bool agrees(const TaskList& list, int interleavings = 32) const
    {
        const auto expected = reference();
        for (int i = 0; i < interleavings; ++i) {
            DeviceOptions options;
            options.interleaving = static_cast<std::uint64_t>(i);
            const auto run = runOnDevice(test.graph, plan, list, inputs, options);
            if (!run.ok()) qFatal("%s", run.error().message().c_str());
            for (std::size_t k = 0; k < expected.size(); ++k)
                if (!compareTensors(expected[k].value, run->outputs[k].value, "out", {0, 0}).holds()) return false;
        }
        return true;
    }
};

/// Two branches on two streams, long enough that memory is reused within each.
void makeFork(Setup& setup)
{
    TestGraph& test = setup.test;
    const OutputRef x = test.data("x", square), w = test.constant("w", square, 0.01);
    const OutputRef v = test.constant("v", square, 0.02);
    const OutputRef a = test.op("a", "MatMulV2", {x, w}, square);
    StreamOptions options;
    options.isSingle = false;
    OutputRef left = a, right = a;
    for (int i = 0; i < 4; ++i) {
        left = test.op("left" + std::to_string(i), "MatMulV2", {left, w}, square);
        right = test.op("right" + std::to_string(i), "MatMulV2", {right, v}, square);
        options.labels["right" + std::to_string(i)] = "side";
    }
    test.output({test.op("sum", "Sub", {left, right}, square), test.op("more", "Exp", {right}, square)});
    setup.finish(options);
}

} // namespace

class TestDevice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void smallGraphEqualsTheInterpreter()
    {
        Setup setup;
        TestGraph& test = setup.test;
        const OutputRef x = test.data("x", square), w = test.constant("w", square, 0.03);
        const OutputRef a = test.op("a", "MatMulV2", {x, w}, square);
        const OutputRef b = test.op("b", "Exp", {a}, square);
        const OutputRef shape = test.constant("shape", Tensor::fromInts({2, 128}, Shape{2}));
        const OutputRef flat = test.op("flat", "Reshape", {b, shape}, Shape{2, 128});
        const NodeId split =
            test.node("split", "SplitD", {flat}, {Shape{1, 128}, Shape{1, 128}}, {{"split_dim", 0}, {"num_split", 2}});
        const OutputRef sum = test.op("sum", "Mul", {{split, 0}, {split, 1}}, Shape{1, 128});
        test.output({sum, x, w}); // an input and a constant go straight out
        setup.finish({});
        QVERIFY(setup.agrees(setup.tasks, 2));
    }

    void interleavingsAgree()
    {
        Setup setup;
        makeFork(setup);
        QVERIFY(setup.tasks.streamCount >= 2);
        QVERIFY(setup.agrees(setup.tasks, 32));
        QCOMPARE(interleave(setup.tasks, 3).value(), interleave(setup.tasks, 3).value());
        std::set<std::vector<int>> orders;
        for (std::uint64_t seed = 1; seed <= 32; ++seed) orders.insert(interleave(setup.tasks, seed).value());
        QVERIFY(orders.size() > 4);
    }

    void removingAnyNeededEventShows()
    {
        Setup setup;
        makeFork(setup);
        QVERIFY(setup.tasks.eventCount > 0);
        for (int event = 0; event < setup.tasks.eventCount; ++event) {
            TaskList bad = setup.tasks;
            std::erase_if(bad.tasks, [&](const Task& task) { return task.event == event; });
            for (std::size_t i = 0; i < bad.tasks.size(); ++i) bad.tasks[i].index = static_cast<int>(i);
            QVERIFY2(!setup.agrees(bad), "a missing event must change the result of some interleaving");
        }
    }

    void overlappingBuffersShow()
    {
        Setup setup;
        makeFork(setup);
        // Put what the left branch makes over what the right branch makes at the same time.
        std::int64_t offset = -1;
        for (const Task& task : setup.tasks.tasks)
            if (task.name == "right1") offset = task.outputs[0].offset;
        TaskList bad = setup.tasks;
        OutputRef moved;
        for (Task& task : bad.tasks)
            if (task.name == "left1") moved = task.outputs[0].tensor;
        for (Task& task : bad.tasks)
            for (auto* list : {&task.inputs, &task.outputs})
                for (DeviceAddress& address : *list)
                    if (address.tensor == moved) address.offset = offset;
        QVERIFY(!setup.agrees(bad));
    }

    void workspacesAreTrampled()
    {
        Setup setup;
        TestGraph& test = setup.test;
        const OutputRef x = test.data("x", square), w = test.constant("w", square, 0.03);
        const OutputRef a = test.op("a", "MatMulV2", {x, w}, square);
        const OutputRef b = test.op("b", "MatMulV2", {a, w}, square);
        test.output({test.op("sum", "Sub", {a, b}, square)});
        Placement placement = test.graph.node(b.node).placement;
        placement.workspaceBytes = {2048};
        test.editor().setPlacement(b.node, placement);
        setup.finish({});
        QVERIFY(setup.agrees(setup.tasks, 1));
        TaskList bad = setup.tasks;
        for (Task& task : bad.tasks)
            if (task.name == "b") task.workspaces[0].offset = task.inputs[0].offset; // over a, which is still read
        QVERIFY(!setup.agrees(bad, 1));
    }

    void outputsMustFitTheirPlace()
    {
        Setup setup;
        makeFork(setup);
        TaskList bad = setup.tasks;
        for (Task& task : bad.tasks)
            if (task.name == "left0") task.outputs[0].bytes = 16;
        const auto run = runOnDevice(setup.test.graph, setup.plan, bad, setup.inputs);
        QVERIFY(!run.ok());
        QVERIFY(run.error().message().find("left0") != std::string::npos);
        QVERIFY(run.error().message().find("planned") != std::string::npos);
    }

    void endlessWaitsAreErrors()
    {
        Setup setup;
        makeFork(setup);
        TaskList bad = setup.tasks;
        std::erase_if(bad.tasks, [](const Task& task) { return task.kind == TaskKind::EventRecord; });
        for (std::size_t i = 0; i < bad.tasks.size(); ++i) bad.tasks[i].index = static_cast<int>(i);
        QVERIFY(!runOnDevice(setup.test.graph, setup.plan, bad, setup.inputs).ok());
    }

    void randomGraphsWithReuseAgree()
    {
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            std::mt19937_64 random(seed);
            Setup setup;
            TestGraph& test = setup.test;
            std::vector<OutputRef> values{test.data("x", square)};
            const OutputRef w = test.constant("w", square, 0.02);
            StreamOptions options;
            options.isSingle = false;
            for (int i = 0; i < 40; ++i) {
                const std::string name = "n" + std::to_string(i);
                const auto pick = [&] {
                    return values[values.size() - 1 - random() % std::min<std::size_t>(values.size(), 6)];
                };
                switch (random() % 3) {
                case 0: values.push_back(test.op(name, "MatMulV2", {pick(), w}, square)); break;
                case 1: values.push_back(test.op(name, "Sub", {pick(), pick()}, square)); break;
                default: values.push_back(test.op(name, "Neg", {pick()}, square)); break;
                }
                if (random() % 2) options.labels[name] = std::string(1, static_cast<char>('a' + random() % 3));
            }
            test.output({values.back(), values[values.size() - 5]});
            setup.finish(options);
            QVERIFY(setup.agrees(setup.tasks, 6));
        }
    }
};

QTEST_GUILESS_MAIN(TestDevice)
#include "tst_device.moc"
