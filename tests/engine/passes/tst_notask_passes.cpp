// Concat and Pack without a task: where every operand can be written in its place, and each condition that forbids it.

#include "engine/memory/plan.h"
#include "engine/passes/passes.h"
#include "tests/engine/passes/pass_fixture.h"

#include <QtTest/QtTest>

using namespace gelens;
using namespace gelens::test;

namespace {

constexpr auto half = DataType::Float16;

/// relu(a) beside relu(b), read by a last operator. 16 halves are 32 bytes.
struct Join {
    PassFixture f;
    OutputRef a, b, joined;

    Join(Shape first, Shape second, std::int64_t axis)
    {
        a = f.op("Relu", {f.input("x", std::move(first), half)}, {}, "a");
        b = f.op("Relu", {f.input("y", std::move(second), half)}, {}, "b");
        joined = f.op("ConcatD", {a, b}, {{"concat_dim", axis}, {"N", std::int64_t{2}}}, "joined");
    }
    void end() { f.outputs({f.op("Neg", {joined}, {}, "last")}); }
    bool hasNoTask() { return attrBool(f.graph().node(joined.node).attrs, "_no_task"); }
    /// Runs the pass; the reason it gives.
    std::string reason()
    {
        f.run(concatNotaskPass());
        for (const auto& [name, value] : f.report.counters)
            if (name.rfind("kept its task: ", 0) == 0) return name.substr(15);
        return {};
    }
};

} // namespace

class TestNotaskPasses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void firstAxis()
    {
        Join join({2, 16}, {3, 16}, 0);
        join.end();
        QCOMPARE(join.f.keepsNumbers(concatNotaskPass()), std::string());
        QVERIFY(join.hasNoTask());
        MemoryOptions options;
        const auto plan = planMemory(join.f.graph(), options);
        QVERIFY(plan.ok());
        // One buffer of 5 rows; the second operand begins behind the 2 rows of 32 bytes of the first.
        const MemoryBuffer* whole = plan->bufferOf(join.joined);
        QVERIFY(whole && plan->bufferOf(join.a) == whole && plan->bufferOf(join.b) == whole);
        QCOMPARE(whole->bytes, std::int64_t{160});
        QCOMPARE(plan->sliceOffset(join.b) - plan->sliceOffset(join.a), std::int64_t{64});
    }

    void laterAxisBehindOnes()
    {
        Join join({1, 2, 16}, {1, 3, 16}, -2);
        join.end();
        QCOMPARE(join.reason(), std::string());
        QVERIFY(join.hasNoTask());
    }

    void refused_data()
    {
        QTest::addColumn<QString>("reason");
        QTest::newRow("axis") << "an axis before the joined one is longer than one";
        QTest::newRow("alignment") << "an operand is no multiple of 32 bytes";
        QTest::newRow("twice") << "an operand has other readers";
        QTest::newRow("input") << "an operand is a model input or a constant";
        QTest::newRow("constant") << "an operand is a model input or a constant";
        QTest::newRow("output") << "its result leaves the model";
        QTest::newRow("view") << "an operand has no kernel of its own";
        QTest::newRow("slice") << "an operand is a slice of another tensor";
        QTest::newRow("blocks") << "an operand does not fill its blocks of channels";
    }
    void refused()
    {
        QFETCH(QString, reason);
        const std::string which = QTest::currentDataTag();
        Join join(which == "alignment" ? Shape{2, 15} : Shape{2, 16},
                  which == "axis"        ? Shape{2, 32}
                  : which == "alignment" ? Shape{3, 15}
                                         : Shape{3, 16},
                  which == "axis" ? 1 : 0);
        PassFixture& f = join.f;
        const auto again = [&](OutputRef a, OutputRef b) {
            join.joined = f.op("ConcatD", {a, b}, {{"concat_dim", std::int64_t{0}}, {"N", std::int64_t{2}}}, "again");
        };
        if (which == "twice") again(join.a, join.a);
        if (which == "input") again(f.input("z", {2, 16}, half), f.op("Abs", {join.a}));
        if (which == "constant")
            again(f.constant("c", tensor({1, 16}, std::vector<double>(16, 1.0), half)), f.op("Abs", {join.a}));
        if (which == "view")
            again(f.op("Reshape", {f.op("Abs", {join.a}), f.ints("to", {4, 8})}),
                  f.op("Reshape", {f.op("Neg", {join.b}), f.ints("to2", {6, 8})}));
        if (which == "slice") {
            const OutputRef cut = f.op("SplitD", {f.op("Abs", {join.a})},
                                       {{"split_dim", std::int64_t{0}}, {"num_split", std::int64_t{2}}}, "cut", 2);
            again(cut, {cut.node, 1});
        }
        if (which == "blocks") {
            // 8 channels in blocks of 16: the second operand's would begin in the middle of a block.
            const OutputRef x = f.op("Relu", {f.input("i", {1, 8, 2, 2}, half)}),
                            y = f.op("Neg", {f.input("j", {1, 8, 2, 2}, half)});
            join.joined =
                f.op("ConcatD", {x, y}, {{"concat_dim", std::int64_t{1}}, {"N", std::int64_t{2}}}, "channels");
            for (const OutputRef ref : {x, y, join.joined}) {
                TensorDesc desc = f.graph().outputDesc(ref);
                desc.shape = Shape{1, 1, 2, 2, 16};
                desc.format = Format::NC1HWC0;
                f.edit().setOutputDesc(ref, desc);
            }
        }
        if (which == "output")
            f.outputs({join.joined});
        else
            f.outputs({f.op("Neg", {join.joined}, {}, "last")});
        f.run(concatNotaskPass());
        QVERIFY(!join.hasNoTask());
        bool isNamed = false;
        for (const auto& [name, value] : f.report.counters)
            isNamed = isNamed || name == "kept its task: " + reason.toStdString();
        QVERIFY(isNamed);
    }

    void fullBlocksOfChannelsJoin()
    {
        PassFixture f;
        const OutputRef x = f.op("Relu", {f.input("i", {1, 16, 2, 2}, half)}),
                        y = f.op("Neg", {f.input("j", {1, 32, 2, 2}, half)});
        const OutputRef joined =
            f.op("ConcatD", {x, y}, {{"concat_dim", std::int64_t{1}}, {"N", std::int64_t{2}}}, "channels");
        f.outputs({f.op("Abs", {joined})});
        const auto store = [&](OutputRef ref, std::int64_t blocks) {
            TensorDesc desc = f.graph().outputDesc(ref);
            desc.shape = Shape{1, blocks, 2, 2, 16};
            desc.format = Format::NC1HWC0;
            f.edit().setOutputDesc(ref, desc);
        };
        store(x, 1);
        store(y, 2);
        store(joined, 3);
        f.run(concatNotaskPass());
        QVERIFY(attrBool(f.graph().node(joined.node).attrs, "_no_task"));
    }

    void packOfOnes()
    {
        PassFixture f;
        const OutputRef x = f.op("Relu", {f.input("i", {16}, half)}), y = f.op("Neg", {f.input("j", {16}, half)});
        const OutputRef packed = f.op("Pack", {x, y}, {{"axis", std::int64_t{0}}, {"N", std::int64_t{2}}}, "packed");
        f.outputs({f.op("Abs", {packed})});
        QCOMPARE(f.keepsNumbers(packNotaskPass()), std::string());
        QVERIFY(attrBool(f.graph().node(packed.node).attrs, "_no_task"));
        PassFixture columns; // [16, 2]: numbers of both alternate
        const OutputRef u = columns.op("Relu", {columns.input("i", {16}, half)}),
                        v = columns.op("Neg", {columns.input("j", {16}, half)});
        const OutputRef pairs =
            columns.op("Pack", {u, v}, {{"axis", std::int64_t{1}}, {"N", std::int64_t{2}}}, "pairs");
        columns.outputs({columns.op("Abs", {pairs})});
        columns.run(packNotaskPass());
        QVERIFY(!attrBool(columns.graph().node(pairs.node).attrs, "_no_task"));
    }

    void severalStreamsKeepTheirTasks()
    {
        Join join({2, 16}, {3, 16}, 0);
        join.end();
        join.f.options.parallelStreams = true;
        join.f.run(concatNotaskPass());
        QVERIFY(!join.hasNoTask());
    }
};

QTEST_GUILESS_MAIN(TestNotaskPasses)
#include "tst_notask_passes.moc"
