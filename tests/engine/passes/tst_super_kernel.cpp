// Super kernels: which operators share a launch, what parts them, what that costs, and that the numbers stay.

#include "engine/memory/plan.h"
#include "engine/npu/cost_model.h"
#include "engine/npu/device.h"
#include "engine/schedule/super_kernels.h"
#include "engine/schedule/validator.h"
#include "tests/engine/passes/pass_fixture.h"

#include <QTest>

#include <numeric>

using namespace gelens;
using namespace gelens::test;

namespace {

/// A graph taken through the passes of the build, with the super-kernel pass or without.
class Build : public GraphBuilder {
public:
    CompileOptions options;
    MemoryPlan plan;
    TaskList tasks;
    Timeline timeline;
    Step step; ///< of the super-kernel pass

    /// A chain of element-wise operators, all in the scope but those named.
    void chain(const std::vector<std::string>& names, const std::set<std::string>& outside = {})
    {
        OutputRef y = input("x", {8, 16});
        for (std::size_t i = 0; i < names.size(); ++i) {
            y = op(i % 2 == 0 ? "Exp" : "Neg", {y}, {}, names[i]);
            if (!outside.contains(names[i])) set(names[i], superKernelScopeAttr, AttrValue("s"));
        }
        outputs({y});
    }
    void set(const std::string& node, std::string_view name, AttrValue value)
    {
        edit().setAttr(find(node), name, std::move(value));
    }
    std::string scopeOf(const std::string& node)
    {
        return attrString(graph().node(find(node)).attrs, superKernelScopeAttr);
    }

    /// Empty when it went well, else the error.
    std::string run(bool isOn = true)
    {
        std::vector<PassEntry> entries{logicalStreamPass(), memoryAssignerPass()};
        if (isOn) entries.push_back(superKernelPass());
        entries.push_back(taskGeneratorPass());
        entries.push_back(launchPass());
        const SocSpec soc = combinedSoc();
        RuleSet rules;
        FusionSwitch switches;
        KernelCache kernels;
        PassContext context{soc, options, rules, switches, kernels, {}, {}, {}, {}, {}, {}, {}};
        std::vector<Step> steps(1);
        const Status status = runPipeline(entries, edit(), context, steps, {});
        for (const Step& one : steps)
            if (one.pass == "SuperKernelPass") step = one;
        plan = context.plan;
        tasks = context.tasks;
        timeline = context.timeline;
        return status.ok() ? std::string() : status.error().message();
    }

    /// Do these legal orders on the device give the interpreter's numbers, to the bit?
    bool computesTheSame(int orders)
    {
        const auto inputs = randomInputs(graph(), 3);
        const auto expected = interpret(graph(), inputs);
        if (!expected.ok()) return false;
        for (int order = 0; order < orders; ++order) {
            DeviceOptions device;
            device.interleaving = static_cast<std::uint64_t>(order);
            const auto found = runOnDevice(graph(), plan, tasks, inputs, device);
            if (!found.ok()) return false;
            for (std::size_t i = 0; i < expected->outputs.size(); ++i)
                if (!compareTensors(expected->outputs[i].value, found->outputs[i].value, "y", {0, 0}).holds())
                    return false;
        }
        return true;
    }

    std::vector<std::string> launches() const
    {
        std::vector<std::string> names;
        for (const SuperKernel& whole : tasks.superKernels) names.push_back(whole.name);
        return names;
    }
    double launchUs() const
    {
        return std::accumulate(timeline.items.begin(), timeline.items.end(), 0.0,
                               [](double sum, const TimelineItem& item) { return sum + item.launchUs; });
    }
    std::string messageIds() const
    {
        std::string ids;
        for (const Message& message : step.messages) ids += (ids.empty() ? "" : " ") + message.id;
        return ids;
    }
};

/// Two branches of two operators on two streams, all in one scope but the fork and the join.
void makeFork(Build& build)
{
    const OutputRef x = build.input("x", {8, 16});
    const OutputRef fork = build.op("Exp", {x}, {}, "fork");
    OutputRef left = fork, right = fork;
    for (const char* name : {"l0", "l1", "l2"}) left = build.op("Neg", {left}, {}, name);
    for (const char* name : {"r0", "r1"}) right = build.op("Exp", {right}, {}, name);
    const OutputRef middle = build.op("Add", {left, right}, {}, "middle");
    build.outputs({build.op("Neg", {middle}, {}, "last")});
    for (const char* name : {"r0", "r1"}) build.options.streamLabels[name] = "side";
    for (const char* name : {"fork", "l0", "l1", "l2", "middle", "last"})
        build.set(name, superKernelScopeAttr, AttrValue("s"));
}

} // namespace

class TestSuperKernel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneLaunchForAScope()
    {
        Build build, plain;
        build.chain({"a", "b", "c", "d"});
        plain.chain({"a", "b", "c", "d"});
        QCOMPARE(build.run(), std::string());
        QCOMPARE(plain.run(false), std::string());
        QCOMPARE(plain.tasks.kernelTaskCount(), 4);
        QCOMPARE(build.tasks.kernelTaskCount(), 1);
        QCOMPARE(build.tasks.tasks.size(), std::size_t{4}); // the parts stay visible
        QVERIFY((build.launches() == std::vector<std::string>{"sk_s_start_a_end_d"}));
        const SuperKernel& whole = build.tasks.superKernels[0];
        QCOMPARE(whole.kernels, 4);
        QCOMPARE(whole.firstTask, 0);
        QCOMPARE(whole.scope, std::string("s"));
        // 4 launches of 2 µs become one of 2 µs and 4 calls of 0.5 µs; work and traffic are what they were.
        QCOMPARE(plain.launchUs(), 4 * cost_model::sunkLaunchUs);
        QCOMPARE(build.launchUs(), cost_model::sunkLaunchUs + 4 * cost_model::superKernelPartUs);
        QVERIFY(qFuzzyCompare(plain.timeline.totalUs - build.timeline.totalUs, 8.0 - 4.0));
        QVERIFY(validateSchedule(build.graph(), build.plan, build.tasks).empty());
        QVERIFY(build.computesTheSame(2));
        for (const char* name : {"a", "d"})
            QCOMPARE(attrString(build.graph().node(build.find(name)).attrs, superKernelAttr),
                     std::string("sk_s_start_a_end_d"));
        // One kernel was compiled for each of the two operators, marked or not.
        QCOMPARE(build.tasks.compiledKernels, plain.tasks.compiledKernels);
    }

    void nothingWithoutAScope()
    {
        Build build, plain;
        build.chain({"a", "b"}, {"a", "b"});
        plain.chain({"a", "b"}, {"a", "b"});
        QCOMPARE(build.run(), std::string());
        QCOMPARE(plain.run(false), std::string());
        QVERIFY(!build.step.hasChanged());
        QVERIFY(build.step.messages.empty() && build.step.counters.empty());
        QCOMPARE(build.graph().fingerprint(), plain.graph().fingerprint());
        QCOMPARE(build.tasks.kernelTaskCount(), 2);
        QVERIFY(build.tasks.superKernels.empty());
        QCOMPARE(build.timeline.totalUs, plain.timeline.totalUs);
    }

    void aForeignOperatorParts()
    {
        Build build;
        build.chain({"a", "b", "c", "d", "e"}, {"c"});
        QCOMPARE(build.run(), std::string());
        // Places: x 0, a 1, b 2, c 3, d 4, e 5. GE cuts at 3, and at one before the first and one behind the last.
        QCOMPARE(build.scopeOf("b"), std::string("s_split_0_3"));
        QCOMPARE(build.scopeOf("d"), std::string("s_split_3_6"));
        QVERIFY((build.launches() ==
                 std::vector<std::string>{"sk_s_split_0_3_start_a_end_b", "sk_s_split_3_6_start_d_end_e"}));
        QCOMPARE(build.tasks.kernelTaskCount(), 3);
        QCOMPARE(build.messageIds(), std::string("super-kernel.split"));
        QVERIFY(build.step.messages[0].text.find("'c' (Exp)") != std::string::npos);
        QVERIFY(build.computesTheSame(2));
        // A second time there is nothing left to do.
        const std::vector<std::string> launches = build.launches();
        QCOMPARE(build.run(), std::string());
        QVERIFY(!build.step.hasChanged());
        QVERIFY(build.launches() == launches);
    }

    void whatCannotBePartOfOne_data()
    {
        QTest::addColumn<QByteArray>("attribute");
        QTest::addColumn<qint64>("value");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("TBE") << QByteArray("supportSuperKernel") << qint64{0} << QByteArray("AscendC");
        QTest::newRow("SIMT") << QByteArray("local_memory_size") << qint64{64} << QByteArray("SIMT");
    }

    void whatCannotBePartOfOne()
    {
        QFETCH(QByteArray, attribute);
        QFETCH(qint64, value);
        QFETCH(QByteArray, why);
        Build build;
        build.chain({"a", "b", "c", "d"});
        build.set("c", attribute.toStdString(), AttrValue(static_cast<std::int64_t>(value)));
        QCOMPARE(build.run(), std::string());
        QCOMPARE(build.scopeOf("c"), std::string()); // GE takes the scope off it
        QCOMPARE(build.scopeOf("d"), std::string("s_split_3_5"));
        QCOMPARE(build.tasks.kernelTaskCount(), 3); // a+b, c, d
        QCOMPARE(build.messageIds(), std::string("super-kernel.unsupported super-kernel.split"));
        QVERIFY2(QByteArray(build.step.messages[0].text.c_str()).contains(why), build.step.messages[0].text.c_str());
        // A collective says itself that it can.
        Build collective;
        collective.chain({"a", "b", "c", "d"});
        collective.set("c", attribute.toStdString(), AttrValue(static_cast<std::int64_t>(value)));
        collective.set("c", "_hccl", AttrValue(true));
        QCOMPARE(collective.run(), std::string());
        QCOMPARE(collective.tasks.kernelTaskCount(), 1);
    }

    void viewsPartToo()
    {
        Build build;
        const OutputRef a = build.op("Exp", {build.input("x", {8, 16})}, {}, "a");
        const OutputRef view = build.op("Reshape", {a, build.ints("shape", {128})}, {}, "view");
        build.outputs({build.op("Neg", {view}, {}, "b")});
        for (const char* name : {"a", "view", "b"}) build.set(name, superKernelScopeAttr, AttrValue("s"));
        QCOMPARE(build.run(), std::string());
        QCOMPARE(build.tasks.kernelTaskCount(), 2);
        QCOMPARE(build.tasks.superKernels.size(), std::size_t{2});
    }

    void constantsAndInputsDoNotPart()
    {
        Build build;
        const OutputRef a = build.op("Exp", {build.input("x", {8, 16})}, {}, "a");
        const OutputRef w = build.constant("w", tensor({16}, std::vector<double>(16, 0.5)));
        build.outputs({build.op("Add", {a, w}, {}, "b")});
        for (const char* name : {"x", "a", "w", "b"}) build.set(name, superKernelScopeAttr, AttrValue("s"));
        QCOMPARE(build.run(), std::string());
        QCOMPARE(build.tasks.kernelTaskCount(), 1);
        QCOMPARE(build.scopeOf("w"), std::string());
        QCOMPARE(build.scopeOf("x"), std::string());
    }

    void strictScopes()
    {
        const auto with = [](const char* options) {
            Build build;
            build.chain({"a", "b", "c", "d", "e"}, {"c"});
            for (const char* name : {"a", "b", "d", "e"}) build.set(name, superKernelOptionsAttr, AttrValue(options));
            const std::string error = build.run();
            return error + "|" + std::to_string(build.tasks.kernelTaskCount()) + "|" + build.messageIds();
        };
        const std::string bypassed = with("early-start=1:strict-scope-check=bypass");
        QVERIFY2(bypassed == "|5|super-kernel.bypassed", bypassed.c_str());
        const std::string aborted = with("strict-scope-check=abort:early-start=1");
        QVERIFY2(aborted.find("'c' (Exp) stands in super-kernel scope 's'") != std::string::npos, aborted.c_str());
        QVERIFY(with("strict-scope-check=maybe").find("takes bypass or abort") != std::string::npos);
        // Where nothing foreign stands, a strict scope is joined as any other.
        Build build;
        build.chain({"a", "b"});
        for (const char* name : {"a", "b"})
            build.set(name, superKernelOptionsAttr, AttrValue("strict-scope-check=abort"));
        QCOMPARE(build.run(), std::string());
        QCOMPARE(build.tasks.kernelTaskCount(), 1);
        // With a strict check an operator that cannot be part of it is a fault like a foreign one.
        build.set("b", "supportSuperKernel", AttrValue(std::int64_t{0}));
        QVERIFY(build.run().find("AscendC") != std::string::npos);
    }

    void scopesOfOptions()
    {
        Build build;
        build.chain({"block0/a", "block0/b", "block1/c", "block1/d"}, {"block0/a", "block0/b", "block1/c", "block1/d"});
        build.options.superKernelScopes = {{"block0/*", "first"}, {"*/d", "last"}};
        QCOMPARE(build.run(), std::string());
        QVERIFY((build.launches() == std::vector<std::string>{"sk_first_start_block0/a_end_block0/b",
                                                              "sk_last_start_block1/d_end_block1/d"}));
        QCOMPARE(build.tasks.kernelTaskCount(), 3);
    }

    void eventsInsideAreWordsInMemory()
    {
        Build build;
        makeFork(build);
        QCOMPARE(build.run(), std::string());
        QCOMPARE(build.tasks.streamCount, 2);
        QCOMPARE(build.tasks.superKernels.size(), std::size_t{1});
        QCOMPARE(build.tasks.superKernels[0].kernels, 6);
        // fork sends from inside; middle receives inside. The other stream's ends are of the same kind, outside.
        std::map<std::string, int> inside, outside;
        for (const Task& task : build.tasks.tasks)
            if (!task.node.isValid()) ++(task.superKernel >= 0 ? inside : outside)[task.opType];
        QVERIFY((inside == std::map<std::string, int>{{"SendMem", 1}, {"RecvMem", 1}}));
        QVERIFY((outside == std::map<std::string, int>{{"SendMem", 1}, {"RecvMem", 1}}));
        QVERIFY(validateSchedule(build.graph(), build.plan, build.tasks).empty());
        QVERIFY(build.computesTheSame(24));
    }

    void eventsAtTheBorderStayWithTheRuntime()
    {
        Build build;
        makeFork(build);
        for (const char* name : {"fork", "middle"}) build.edit().removeAttr(build.find(name), superKernelScopeAttr);
        QCOMPARE(build.run(), std::string());
        QCOMPARE(build.tasks.kernelTaskCount(), 6); // fork, l0–l2, r0, r1, middle, last alone
        for (const Task& task : build.tasks.tasks)
            if (!task.node.isValid()) QVERIFY(task.superKernel < 0 && (task.opType == "Send" || task.opType == "Recv"));
        QVERIFY(build.computesTheSame(24));
    }

    /// A scope on two streams is one super kernel on each, and what is said of it counts both.
    void aScopeOnTwoStreams()
    {
        Build build;
        makeFork(build);
        for (const char* name : {"r0", "r1"}) build.set(name, superKernelScopeAttr, AttrValue("s"));
        build.set("last", "supportSuperKernel", AttrValue(std::int64_t{0}));
        QCOMPARE(build.run(), std::string());
        QCOMPARE(build.tasks.superKernels.size(), std::size_t{2});
        QVERIFY(build.tasks.superKernels[0].stream != build.tasks.superKernels[1].stream);
        QCOMPARE(build.messageIds(), std::string("super-kernel.unsupported super-kernel.split"));
        QVERIFY2(build.step.messages[1].text.find("into 2 super kernels") != std::string::npos,
                 build.step.messages[1].text.c_str());
        QVERIFY(validateSchedule(build.graph(), build.plan, build.tasks).empty());
        QVERIFY(build.computesTheSame(24));
    }

    void faultsAreFound()
    {
        Build build;
        makeFork(build);
        QCOMPARE(build.run(), std::string());
        const auto isBroken = [&](const TaskList& list) {
            const auto found = validateSchedule(build.graph(), build.plan, list);
            return std::any_of(found.begin(), found.end(), [](const ScheduleViolation& one) {
                return one.kind == ScheduleViolation::Kind::BrokenSuperKernel;
            });
        };
        QVERIFY(!isBroken(build.tasks));
        TaskList list = build.tasks;
        list.superKernels[0].kernels = 5;
        QVERIFY(isBroken(list));
        list = build.tasks;
        for (Task& task : list.tasks)
            if (task.name == "l1") task.superKernel = -1; // a hole in it
        QVERIFY(isBroken(list));
        list = build.tasks;
        for (Task& task : list.tasks)
            if (task.name == "r0") task.superKernel = 0; // another stream
        QVERIFY(isBroken(list));
        list = build.tasks;
        for (Task& task : list.tasks)
            if (task.name == "last") task.superKernel = 7;
        QVERIFY(isBroken(list));
    }

    void unknownShapesAreLeftAlone()
    {
        Build build;
        build.outputs({build.op("Neg", {build.op("Exp", {build.input("x", {-1, 16})}, {}, "a")}, {}, "b")});
        for (const char* name : {"a", "b"}) build.set(name, superKernelScopeAttr, AttrValue("s"));
        build.set("a", superKernelAttr, AttrValue("sk_from_an_earlier_compile"));
        QCOMPARE(build.run(), std::string());
        QCOMPARE(build.messageIds(), std::string("super-kernel.unknown-shapes"));
        QVERIFY(build.tasks.superKernels.empty());
        QVERIFY(!build.graph().node(build.find("a")).attrs.contains(superKernelAttr));
    }

    void twoRunsAreEqual()
    {
        const auto text = [] {
            Build build;
            makeFork(build);
            if (!build.run().empty()) return std::string("failed");
            std::string all = std::to_string(build.graph().fingerprint());
            for (const Task& task : build.tasks.tasks)
                all += task.name + ' ' + task.opType + ' ' + std::to_string(task.superKernel) + ' ' +
                       std::to_string(task.event) + '\n';
            for (const TimelineItem& item : build.timeline.items) all += std::to_string(item.startUs) + ' ';
            return all;
        };
        QCOMPARE(text(), text());
    }

    void manyScopesTakeLinearTime()
    {
        // Two scopes by turns over the whole chain, and a scope of its own for each pair: no walk over all others.
        Build build;
        OutputRef y = build.input("x", {1, 8});
        constexpr int count = 20000;
        for (int i = 0; i < count; ++i) {
            y = build.op("Neg", {y}, {}, "n" + std::to_string(i));
            build.edit().setAttr(y.node, superKernelScopeAttr, AttrValue("s" + std::to_string(i % (count / 2))));
        }
        build.outputs({y});
        QCOMPARE(build.run(), std::string());
        QCOMPARE(static_cast<int>(build.tasks.superKernels.size()), count);
        qInfo("%.1f ms", build.step.milliseconds);
        QVERIFY2(build.step.milliseconds < 2000, std::to_string(build.step.milliseconds).c_str());
    }
};

QTEST_GUILESS_MAIN(TestSuperKernel)
#include "tst_super_kernel.moc"
