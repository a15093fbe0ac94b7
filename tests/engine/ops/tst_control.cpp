#include "tests/support/kernel_test.h"

#include <QtTest>

using namespace gelens;
using namespace gelens::test;

namespace {

using Tensors = std::vector<HostTensor>;

/// Runs a control operator with sub-graphs given as functions: (sub-graph, inputs) -> outputs.
Result<Tensors> runWith(const std::string& type, const Tensors& inputs, AttrMap attrs, int outputs, SubgraphRunner body,
                        std::stop_token stop = {})
{
    const OpDef* const def = OpRegistry::instance().find(type);
    for (const AttrSpec& spec : def->attrs())
        if (spec.defaultValue.isSet()) attrs.emplace(spec.name, spec.defaultValue);
    std::vector<TensorView> views;
    for (const HostTensor& input : inputs) views.push_back(input.isPresent() ? input.view() : TensorView());
    Tensors results(static_cast<std::size_t>(outputs));
    KernelContext context("op", type, attrs, views, std::vector<DataType>(results.size(), DataType::Float),
                          [&](int i, DataType dtype, const Shape& shape) -> Result<std::byte*> {
                              results[static_cast<std::size_t>(i)] = HostTensor::zeros(dtype, shape);
                              return results[static_cast<std::size_t>(i)].bytes->data();
                          });
    context.runSubgraph = std::move(body);
    context.stop = std::move(stop);
    GELENS_TRY(def->kernelFunction()(context));
    for (std::size_t i = 0; i < context.sequenceOutputs().size(); ++i)
        if (context.sequenceOutputs()[i]) {
            results[i].dtype = context.produced()[i].first;
            results[i].sequence = context.sequenceOutputs()[i];
        }
    return results;
}

HostTensor number(std::int64_t value) { return intTensor({}, {value}); }

HostTensor sum(const HostTensor& a, const HostTensor& b) { return tensor(a.shape, {values(a)[0] + values(b)[0]}); }

HostTensor sequenceOf(Tensors tensors)
{
    HostTensor sequence;
    sequence.dtype = DataType::Resource;
    sequence.sequence = std::make_shared<Tensors>(std::move(tensors));
    return sequence;
}

} // namespace

class TestControl : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void branches()
    {
        const auto pick = [](int index, const Tensors& inputs) -> Result<Tensors> {
            return Tensors{index == 0 ? inputs[1] : inputs[2]};
        };
        const Tensors choices{boolTensor({}, {true}), tensor({1}, {10}), tensor({2}, {20, 21})};
        QCOMPARE(values(runWith("If", choices, {}, 1, pick).value()[0]), (std::vector<double>{10}));
        Tensors other = choices;
        other[0] = boolTensor({1}, {false});
        QCOMPARE(values(runWith("If", other, {}, 1, pick).value()[0]), (std::vector<double>{20, 21}));
        Tensors byNumber = choices;
        byNumber[0] = number(1);
        QCOMPARE(values(runWith("Case", byNumber, {}, 1, pick).value()[0]), (std::vector<double>{20, 21}));
        QCOMPARE(values(runWith("PartitionedCall", choices, {}, 1, pick).value()[0]), (std::vector<double>{10}));
        // A branch that gives too little, and no way to run one.
        QVERIFY(!runWith("If", choices, {}, 2, pick).ok());
        QVERIFY(!runWith("If", choices, {}, 1, {}).ok());
    }

    void whileLoops()
    {
        const auto body = [](int index, const Tensors& v) -> Result<Tensors> {
            if (index == 0) return Tensors{boolTensor({}, {values(v[0])[0] < 3})};
            return Tensors{sum(v[0], tensor({}, {1})), sum(v[1], v[0])};
        };
        const auto result = runWith("While", {tensor({}, {0}), tensor({}, {100})}, {}, 2, body);
        QVERIFY(result.ok());
        QCOMPARE(values(result.value()[0]), (std::vector<double>{3}));
        QCOMPARE(values(result.value()[1]), (std::vector<double>{103}));
    }

    void loopStacksScanOutputs()
    {
        // sum += iteration; scan output: the sum; stops by itself after five rounds at most.
        const auto body = [](int, const Tensors& v) -> Result<Tensors> {
            const double next = values(v[2])[0] + values(v[0])[0];
            return Tensors{boolTensor({}, {ints(v[0])[0] < 3}), tensor({1}, {next}), tensor({1}, {next})};
        };
        const AttrMap attrs{{"loop_carried", 1}};
        const auto result = runWith("Loop", {number(10), boolTensor({}, {true}), tensor({1}, {0})}, attrs, 2, body);
        QVERIFY(result.ok());
        QCOMPARE(values(result.value()[0]), (std::vector<double>{6}));
        QCOMPARE(values(result.value()[1]), (std::vector<double>{0, 1, 3, 6}));
        QCOMPARE(QString::fromStdString(result.value()[1].shape.text()), QStringLiteral("[4, 1]"));
        const auto counted = runWith("Loop", {number(2), absent(), tensor({1}, {0})}, attrs, 2, body);
        QVERIFY(counted.ok());
        QCOMPARE(values(counted.value()[1]), (std::vector<double>{0, 1}));
        const auto none = runWith("Loop", {number(0), absent(), tensor({1}, {5})}, attrs, 2, body);
        QVERIFY(none.ok());
        QCOMPARE(values(none.value()[0]), (std::vector<double>{5}));
        QCOMPARE(none.value()[1].shape[0], std::int64_t{0});
    }

    void endlessLoopsEnd()
    {
        const auto endless = [](int, const Tensors&) -> Result<Tensors> { return Tensors{boolTensor({}, {true})}; };
        const auto limited = runWith("Loop", {absent(), absent()}, {{"loop_carried", 0}}, 0, endless);
        QVERIFY(!limited.ok());
        QVERIFY(limited.error().message().find("1000000") != std::string::npos);
        std::stop_source source;
        int rounds = 0;
        const auto stopping = [&](int, const Tensors&) -> Result<Tensors> {
            if (++rounds == 3) source.request_stop();
            return Tensors{boolTensor({}, {true})};
        };
        const auto stopped =
            runWith("Loop", {absent(), absent()}, {{"loop_carried", 0}}, 0, stopping, source.get_token());
        QVERIFY(!stopped.ok());
        QVERIFY(stopped.error().isCancelled());
        QCOMPARE(rounds, 3);
        QVERIFY(!runWith("While", {tensor({}, {0})}, {}, 1, [](int i, const Tensors& v) -> Result<Tensors> {
                     return i == 0 ? Tensors{boolTensor({}, {true})} : v;
                 }).ok());
    }

    void scanOutputsMustAgree()
    {
        const auto growing = [](int, const Tensors& v) -> Result<Tensors> {
            return Tensors{boolTensor({}, {true}), HostTensor::zeros(DataType::Float, Shape{ints(v[0])[0]})};
        };
        QVERIFY(!runWith("Loop", {number(3), absent()}, {{"loop_carried", 0}}, 1, growing).ok());
    }

    void scanRunsOverSlices()
    {
        const auto body = [](int, const Tensors& v) -> Result<Tensors> {
            const HostTensor next = tensor({1}, {values(v[0])[0] + values(v[1])[0]});
            return Tensors{next, next};
        };
        const AttrMap attrs{{"num_scan_inputs", 1}, {"num_states", 1}};
        const HostTensor x = tensor({3, 1}, {1, 2, 3});
        const auto forward = runWith("Scan", {tensor({1}, {0}), x}, attrs, 2, body);
        QVERIFY(forward.ok());
        QCOMPARE(values(forward.value()[0]), (std::vector<double>{6}));
        QCOMPARE(values(forward.value()[1]), (std::vector<double>{1, 3, 6}));
        AttrMap backward = attrs;
        backward["scan_input_directions"] = IntList{1};
        backward["scan_output_directions"] = IntList{1};
        QCOMPARE(values(runWith("Scan", {tensor({1}, {0}), x}, backward, 2, body).value()[1]),
                 (std::vector<double>{6, 5, 3}));
        AttrMap across = attrs;
        across["scan_input_axes"] = IntList{-1};
        across["scan_output_axes"] = IntList{1};
        const auto columns = runWith("Scan", {tensor({1}, {0}), tensor({1, 3}, {1, 2, 3})}, across, 2, body);
        QVERIFY(columns.ok());
        QCOMPARE(QString::fromStdString(columns.value()[1].shape.text()), QStringLiteral("[1, 3]"));
        AttrMap batched = attrs;
        batched["batched"] = true;
        const auto both =
            runWith("Scan", {tensor({2, 1}, {0, 100}), tensor({2, 2, 1}, {1, 2, 3, 4})}, batched, 2, body);
        QVERIFY(both.ok());
        QCOMPARE(values(both.value()[0]), (std::vector<double>{3, 107}));
        QVERIFY(!runWith("Scan", {tensor({1}, {0}), x}, {{"num_scan_inputs", 2}, {"num_states", 1}}, 2, body).ok());
    }

    void sequences()
    {
        const HostTensor a = tensor({1}, {1}), b = tensor({2}, {2, 3});
        const HostTensor two = runWith("SequenceConstruct", {a, b}, {}, 1, {}).value()[0];
        QCOMPARE(ints(run1("SequenceLength", {two})), (IntList{2}));
        QCOMPARE(values(run1("SequenceAt", {two, number(-1)})), (std::vector<double>{2, 3}));
        const HostTensor three = run1("SequenceInsert", {two, tensor({1}, {9}), number(0)});
        QCOMPARE(values(run1("SequenceAt", {three, number(0)})), (std::vector<double>{9}));
        QCOMPARE(values(run1("SequenceAt", {run1("SequenceInsert", {two, tensor({1}, {9}), absent()}), number(2)})),
                 (std::vector<double>{9}));
        QCOMPARE(values(run1("SequenceAt", {run1("SequenceErase", {three, number(0)}), number(0)})),
                 (std::vector<double>{1}));
        QCOMPARE(ints(run1("SequenceLength", {run1("SequenceEmpty", {})})), (IntList{0}));
        QVERIFY(!runError("SequenceAt", {two, number(2)}).empty());
        QVERIFY(!runError("SequenceErase", {run1("SequenceEmpty", {}), absent()}).empty());
        QVERIFY(!runError("SequenceInsert", {two, a, number(3)}).empty());
        QVERIFY(!runError("SequenceLength", {a}).empty());
    }

    void splitAndJoinSequences()
    {
        const HostTensor x = tensor({3, 2}, {1, 2, 3, 4, 5, 6});
        const HostTensor rows = run1("SplitToSequence", {x, absent()}, {{"keepdims", false}});
        QCOMPARE(values(run1("SequenceAt", {rows, number(1)})), (std::vector<double>{3, 4}));
        QCOMPARE(values(run1("ConcatFromSequence", {rows}, {{"new_axis", true}})), values(x));
        const HostTensor parts = run1("SplitToSequence", {x, number(2)});
        QCOMPARE(ints(run1("SequenceLength", {parts})), (IntList{2}));
        QCOMPARE(values(run1("ConcatFromSequence", {parts})), values(x));
        const HostTensor columns = run1("SplitToSequence", {x, intTensor({2}, {1, 1})}, {{"axis", 1}});
        QCOMPARE(values(run1("SequenceAt", {columns, number(0)})), (std::vector<double>{1, 3, 5}));
        QVERIFY(!runError("SplitToSequence", {x, intTensor({2}, {1, 1})}).empty());
        QVERIFY(!runError("SplitToSequence", {x, number(0)}).empty());
        QVERIFY(!runError("ConcatFromSequence", {run1("SequenceEmpty", {})}).empty());
        QVERIFY(!runError("ConcatFromSequence", {sequenceOf({tensor({1, 2}, {1, 2}), tensor({1, 1}, {1})})}).empty());
    }

    void sequenceMapTakesElements()
    {
        const HostTensor xs = sequenceOf({tensor({1}, {1}), tensor({1}, {2})});
        const auto body = [](int, const Tensors& v) -> Result<Tensors> { return Tensors{sum(v[0], v[1])}; };
        const auto result = runWith("SequenceMap", {xs, tensor({1}, {10})}, {}, 1, body);
        QVERIFY(result.ok());
        QCOMPARE(values((*result.value()[0].sequence)[1]), (std::vector<double>{12}));
        QVERIFY(!runWith("SequenceMap", {xs, sequenceOf({tensor({1}, {1})})}, {}, 1, body).ok());
    }

    void optionals()
    {
        const HostTensor x = tensor({1}, {3});
        const HostTensor some = run1("Optional", {x}), none = run1("Optional", {absent()});
        QCOMPARE(ints(run1("OptionalHasElement", {some})), (IntList{1}));
        QCOMPARE(ints(run1("OptionalHasElement", {none})), (IntList{0}));
        QCOMPARE(ints(run1("OptionalHasElement", {absent()})), (IntList{0}));
        QCOMPARE(values(run1("OptionalGetElement", {some})), (std::vector<double>{3}));
        QVERIFY(!runError("OptionalGetElement", {none}).empty());
    }
};

QTEST_GUILESS_MAIN(TestControl)
#include "tst_control.moc"
