// Streams, events, tasks and the kernel cache, and the validator over seeded faults.

#include "engine/memory/plan.h"
#include "engine/npu/device.h"
#include "engine/schedule/tasks.h"
#include "engine/schedule/validator.h"
#include "tests/engine/memory/test_graph.h"

#include <QTest>

#include <thread>

using namespace gelens;
using gelens::test::TestGraph;

namespace {

const Shape square{16, 16};

struct Compiled {
    MemoryPlan plan;
    StreamAssignment streams;
    TaskList tasks;
};

Compiled compile(const Graph& graph, const StreamOptions& streamOptions, KernelCache& cache, bool isImported = false)
{
    Compiled result;
    const std::vector<NodeId> order = graph.topologicalOrder();
    result.streams = assignStreams(graph, order, streamOptions);
    MemoryOptions options;
    options.lifetimes.order = order;
    options.lifetimes.streams = result.streams.byNode;
    options.lifetimes.inPlace = isImported ? InPlaceRule::Imported : InPlaceRule::Compiled;
    auto plan = planMemory(graph, options);
    if (!plan.ok()) qFatal("%s", plan.error().message().c_str());
    result.plan = std::move(plan).value();
    TaskOptions taskOptions;
    taskOptions.isImported = isImported;
    auto tasks = generateTasks(graph, result.plan, result.streams, cache, taskOptions);
    if (!tasks.ok()) qFatal("%s", tasks.error().message().c_str());
    result.tasks = std::move(tasks).value();
    return result;
}

/// Two branches from one tensor, joined at the end.
struct Fork {
    TestGraph test;
    OutputRef x, a, b1, b2, c1, c2, sum;
    Fork()
    {
        x = test.data("x", square);
        a = test.op("a", "Exp", {x}, square);
        b1 = test.op("b1", "Neg", {a}, square);
        c1 = test.op("c1", "Exp", {a}, square);
        b2 = test.op("b2", "Exp", {b1}, square);
        c2 = test.op("c2", "Neg", {c1}, square);
        sum = test.op("sum", "Sub", {b2, c2}, square);
        test.output({sum});
    }
    StreamOptions twoStreams() const
    {
        StreamOptions options;
        options.isSingle = false;
        options.labels = {{"c1", "side"}, {"c2", "side"}};
        return options;
    }
};

bool hasKind(const std::vector<ScheduleViolation>& found, ScheduleViolation::Kind kind)
{
    return std::any_of(found.begin(), found.end(), [&](const ScheduleViolation& one) { return one.kind == kind; });
}

std::vector<TaskKind> kinds(const TaskList& list)
{
    std::vector<TaskKind> result;
    for (const Task& task : list.tasks) result.push_back(task.kind);
    return result;
}

} // namespace

class TestTasks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneTaskForEachKernel()
    {
        TestGraph test;
        const OutputRef x = test.data("x", square), w = test.constant("w", square, 1);
        const OutputRef a = test.op("a", "MatMulV2", {x, w}, square);
        const OutputRef shape = test.constant("shape", Tensor::fromInts({256}, Shape{1}));
        const OutputRef flat = test.op("flat", "Reshape", {a, shape}, Shape{256});
        const NodeId split = test.node("split", "SplitD", {flat}, {Shape{128}, Shape{128}}, {{"split_dim", 0}});
        test.output({test.op("sum", "Add", {{split, 0}, {split, 1}}, Shape{128})});
        KernelCache cache;
        const Compiled compiled = compile(test.graph, {}, cache);
        QCOMPARE(compiled.tasks.tasks.size(), std::size_t{2}); // MatMul, Add
        QCOMPARE(compiled.tasks.kernelTaskCount(), 2);
        const Task& add = compiled.tasks.tasks[1];
        QCOMPARE(add.inputs.size(), std::size_t{2});
        QCOMPARE(add.inputs[1].offset, add.inputs[0].offset + 512);
        QCOMPARE(add.outputs[0].region, DeviceAddress::Region::Output);
        QCOMPARE(compiled.tasks.tasks[0].inputs[0].region, DeviceAddress::Region::Input);
        QCOMPARE(compiled.tasks.tasks[0].inputs[1].region, DeviceAddress::Region::Weight);
        QVERIFY(validateSchedule(test.graph, compiled.plan, compiled.tasks).empty());
        // As imported, the Split is an operator like any other.
        QCOMPARE(compile(test.graph, {}, cache, true).tasks.kernelTaskCount(), 3);
    }

    void singleStreamNeedsNoEvents()
    {
        Fork fork;
        KernelCache cache;
        const Compiled compiled = compile(fork.test.graph, {}, cache);
        QCOMPARE(compiled.tasks.streamCount, 1);
        QCOMPARE(compiled.tasks.eventCount, 0);
        QVERIFY(validateSchedule(fork.test.graph, compiled.plan, compiled.tasks).empty());
    }

    void crossStreamEdgesGetEventsWithoutRedundancy()
    {
        Fork fork;
        KernelCache cache;
        const Compiled compiled = compile(fork.test.graph, fork.twoStreams(), cache);
        QCOMPARE(compiled.streams.count, 2);
        // a → c1 and c2 → sum: two events. The join of stream 1 comes with the second.
        QCOMPARE(compiled.tasks.eventCount, 2);
        const auto found = validateSchedule(fork.test.graph, compiled.plan, compiled.tasks);
        QVERIFY2(found.empty(), found.empty() ? "" : found.front().text.c_str());
        const auto list = kinds(compiled.tasks);
        QCOMPARE(std::count(list.begin(), list.end(), TaskKind::EventRecord), 2);
        QCOMPARE(std::count(list.begin(), list.end(), TaskKind::EventWait), 2);
    }

    void independentBranchesAndAiCpuGetStreams()
    {
        Fork fork;
        StreamOptions options;
        options.isSingle = false;
        const StreamAssignment streams = assignStreams(fork.test.graph, fork.test.graph.topologicalOrder(), options);
        const auto at = [&](OutputRef ref) { return streams.byNode[static_cast<std::size_t>(ref.node.value)]; };
        QVERIFY(at(fork.b1) != at(fork.c1));
        QCOMPARE(at(fork.b1), at(fork.b2));
        QCOMPARE(at(fork.c1), at(fork.c2));
        QCOMPARE(at(fork.a), at(fork.b1));
        QCOMPARE(streams.count, static_cast<int>(streams.reasons.size()));

        TestGraph mixed;
        const OutputRef x = mixed.data("x", square);
        const OutputRef a = mixed.op("a", "Exp", {x}, square);
        const OutputRef odd = mixed.op("odd", "OpThatNobodyKnows", {a}, square); // unknown: AI CPU
        mixed.output({mixed.op("b", "Exp", {odd}, square)});
        const StreamAssignment engines = assignStreams(mixed.graph, mixed.graph.topologicalOrder(), options);
        QVERIFY(engines.byNode[static_cast<std::size_t>(odd.node.value)] !=
                engines.byNode[static_cast<std::size_t>(a.node.value)]);
        QVERIFY(std::find(engines.reasons.begin(), engines.reasons.end(), "AI CPU") != engines.reasons.end());
        KernelCache cache;
        const Compiled compiled = compile(mixed.graph, options, cache);
        QVERIFY(validateSchedule(mixed.graph, compiled.plan, compiled.tasks).empty());
        QCOMPARE(std::count_if(compiled.tasks.tasks.begin(), compiled.tasks.tasks.end(),
                               [](const Task& task) { return task.kind == TaskKind::AiCpuKernel; }),
                 1);
    }

private:
    /// Nodes that read one or two of the last eight values, half of them with one of four stream labels.
    static StreamOptions makeRandom(TestGraph& test, std::uint64_t seed)
    {
        std::mt19937_64 random(seed);
        std::vector<OutputRef> values{test.data("x", square)};
        StreamOptions options;
        options.isSingle = false;
        for (int i = 0; i < 60; ++i) {
            const std::string name = "n" + std::to_string(i);
            const auto pick = [&] {
                return values[values.size() - 1 - random() % std::min<std::size_t>(values.size(), 8)];
            };
            values.push_back(random() % 2 ? test.op(name, "Add", {pick(), pick()}, square)
                                          : test.op(name, "Exp", {pick()}, square));
            if (random() % 2) options.labels[name] = std::string(1, static_cast<char>('a' + random() % 4));
        }
        test.output({values.back()});
        return options;
    }

private Q_SLOTS:
    /// No event is there that is not needed: without any one of them the schedule does not hold.
    void everyEventOfRandomGraphsIsNeeded()
    {
        int removed = 0;
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            TestGraph test;
            const StreamOptions options = makeRandom(test, seed);
            KernelCache cache;
            const Compiled good = compile(test.graph, options, cache);
            for (int event = 0; event < good.tasks.eventCount; ++event, ++removed) {
                TaskList bad = good.tasks;
                std::erase_if(bad.tasks, [&](const Task& task) { return task.event == event; });
                for (std::size_t i = 0; i < bad.tasks.size(); ++i) bad.tasks[i].index = static_cast<int>(i);
                QVERIFY2(!validateSchedule(test.graph, good.plan, bad, 1).empty(),
                         qPrintable(QStringLiteral("seed %1, event %2").arg(seed).arg(event)));
            }
        }
        QVERIFY(removed > 50);
    }

    void schedulesOfRandomGraphsHold()
    {
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            TestGraph test;
            const StreamOptions options = makeRandom(test, seed);
            KernelCache cache;
            const Compiled compiled = compile(test.graph, options, cache);
            const auto found = validateSchedule(test.graph, compiled.plan, compiled.tasks);
            QVERIFY2(found.empty(), found.empty() ? "" : found.front().text.c_str());
            QVERIFY(interleave(compiled.tasks, seed).ok());
        }
    }

    /// A view runs nothing, so no event is waited for at it: what comes behind it on its stream knows nothing of its source.
    void viewsOrderNoStreams()
    {
        TestGraph test;
        const OutputRef x = test.data("x", square), w = test.constant("w", square, 1);
        const auto product = [&](const char* name, OutputRef input) {
            return test.op(name, "MatMulV2", {input, w}, square, {{"transpose_x1", false}, {"transpose_x2", false}});
        };
        const OutputRef p = product("p", x), a = product("a", p); // p is dead after a
        const OutputRef v =
            test.op("v", "Reshape", {a, test.constant("shape", Tensor::fromInts({16, 16}, Shape{2}))}, square);
        const OutputRef b = product("b", x),
                        c = product("c", b); // the other stream, behind the view, but reading nothing of it
        test.output({product("r", test.op("sum", "Add", {v, c}, square))});
        StreamOptions options;
        options.isSingle = false;
        for (const char* name : {"b", "c", "sum", "r", "v"}) options.labels[name] = "side";
        KernelCache cache;
        const Compiled compiled = compile(test.graph, options, cache);
        QCOMPARE(compiled.streams.count, 2);
        const auto at = [&](OutputRef tensor) {
            return std::find(compiled.plan.order.begin(), compiled.plan.order.end(), tensor.node);
        };
        QVERIFY(at(a) < at(v) && at(v) < at(b)); // else there is nothing to see
        const auto found = validateSchedule(test.graph, compiled.plan, compiled.tasks);
        QVERIFY2(found.empty(), found.empty() ? "" : found.front().text.c_str());
        QVERIFY(!compiled.plan.bufferOf(p)->mayShareWith(*compiled.plan.bufferOf(b)));
    }

    void removingAnyEventIsFound()
    {
        Fork fork;
        KernelCache cache;
        const Compiled good = compile(fork.test.graph, fork.twoStreams(), cache);
        for (int event = 0; event < good.tasks.eventCount; ++event) {
            TaskList bad = good.tasks;
            std::erase_if(bad.tasks, [&](const Task& task) { return task.event == event; });
            for (std::size_t i = 0; i < bad.tasks.size(); ++i) bad.tasks[i].index = static_cast<int>(i);
            const auto found = validateSchedule(fork.test.graph, good.plan, bad);
            QVERIFY(hasKind(found, ScheduleViolation::Kind::UnorderedEdge));
        }
    }

    void otherFaultsAreFound()
    {
        using Kind = ScheduleViolation::Kind;
        Fork fork;
        KernelCache cache;
        const Compiled good = compile(fork.test.graph, fork.twoStreams(), cache);
        const auto check = [&](auto&& damage) {
            TaskList bad = good.tasks;
            damage(bad);
            for (std::size_t i = 0; i < bad.tasks.size(); ++i) bad.tasks[i].index = static_cast<int>(i);
            return validateSchedule(fork.test.graph, good.plan, bad);
        };
        QVERIFY(hasKind(check([](TaskList& list) { list.tasks[0].stream = 9; }), Kind::BadStream));
        QVERIFY(hasKind(check([](TaskList& list) {
                            std::erase_if(list.tasks, [](const Task& task) { return task.name == "b1"; });
                        }),
                        Kind::MissingTask));
        QVERIFY(hasKind(check([](TaskList& list) {
                            std::erase_if(list.tasks,
                                          [](const Task& task) { return task.kind == TaskKind::EventRecord; });
                        }),
                        Kind::WaitCycle));
        QVERIFY(hasKind(check([](TaskList& list) {
                            std::erase_if(list.tasks, [](const Task& task) {
                                return task.kind == TaskKind::EventWait && task.stream == 0;
                            });
                        }),
                        Kind::UnjoinedStream));
        QVERIFY(hasKind(check([](TaskList& list) { list.tasks[0].outputs[0].offset = 1 << 30; }), Kind::BadAddress));
        // A wait for an event that is recorded behind it on the other stream, and the other way round.
        const auto cycle = check([](TaskList& list) {
            list.tasks.clear();
            const auto add = [&](TaskKind kind, std::int64_t event, std::int64_t stream) {
                Task task;
                task.kind = kind;
                task.event = event;
                task.stream = stream;
                list.tasks.push_back(task);
            };
            add(TaskKind::EventWait, 1, 0);
            add(TaskKind::EventRecord, 0, 0);
            add(TaskKind::EventWait, 0, 1);
            add(TaskKind::EventRecord, 1, 1);
        });
        QVERIFY(hasKind(cycle, Kind::WaitCycle));
        // Two branches that write to the same place without an order between them.
        const auto clash = check([&](TaskList& list) {
            std::int64_t offset = 0;
            for (Task& task : list.tasks)
                if (task.name == "b1") offset = task.outputs[0].offset;
            for (Task& task : list.tasks)
                if (task.name == "c1") task.outputs[0].offset = offset;
        });
        QVERIFY(hasKind(clash, Kind::UnorderedReuse));
    }

    void equalKernelsAreSharedBetweenModels()
    {
        const auto model = [](TestGraph& test, const Shape& shape) {
            const OutputRef x = test.data("in", shape), w = test.constant("w" + std::to_string(shape[0]), square, 1);
            const OutputRef a = test.op("first", "MatMulV2", {x, w}, shape);
            test.output({test.op("second", "MatMulV2", {a, w}, shape)});
        };
        TestGraph one, two, three;
        model(one, square);
        model(two, square);
        model(three, Shape{32, 16});
        KernelCache cache;
        const TaskList first = compile(one.graph, {}, cache).tasks;
        QCOMPARE(first.compiledKernels, 1); // both MatMuls are the same kernel
        QCOMPARE(first.sharedKernels, 0);
        QCOMPARE(first.tasks[0].kernel, first.tasks[1].kernel);
        const TaskList second = compile(two.graph, {}, cache).tasks;
        QCOMPARE(second.compiledKernels, 0);
        QCOMPARE(second.sharedKernels, 1);
        QVERIFY(second.kernels[0].wasShared);
        QCOMPARE(second.kernels[0].key, first.kernels[0].key);
        QCOMPARE(compile(three.graph, {}, cache).tasks.compiledKernels, 1);
        QCOMPARE(cache.size(), 2);
    }

    void cacheIsThreadSafe()
    {
        KernelCache cache;
        std::vector<std::thread> threads;
        std::atomic<int> compiled = 0;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i < 1000; ++i) compiled += cache.acquire("k" + std::to_string(i)).wasShared ? 0 : 1;
            });
        for (std::thread& thread : threads) thread.join();
        QCOMPARE(compiled.load(), 1000);
        QCOMPARE(cache.size(), 1000);
    }
};

QTEST_GUILESS_MAIN(TestTasks)
#include "tst_tasks.moc"
