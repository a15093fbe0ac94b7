// The interpreter, comparison and generated inputs.

#include "engine/npu/compare.h"
#include "engine/npu/interpreter.h"
#include "engine/npu/random_inputs.h"
#include "engine/npu/rounding.h"
#include "engine/ops/storage_shape.h"
#include "tests/engine/memory/test_graph.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace gelens;
using gelens::test::TestGraph;

namespace {

HostTensor floats(const std::vector<double>& values, Shape shape, DataType dtype = DataType::Float)
{
    return HostTensor::fromConstant(Tensor::fromDoubles(values, std::move(shape), dtype));
}

std::vector<double> valuesOf(const HostTensor& tensor) { return tensor.toConstant().asDoubles().value(); }

} // namespace

class TestInterpreter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void computesAndNames()
    {
        TestGraph test;
        const OutputRef x = test.data("x", Shape{2, 2}), c = test.constant("c", Shape{2, 2}, 3);
        const OutputRef sum = test.op("sum", "Add", {x, c}, Shape{2, 2});
        const OutputRef twice = test.op("twice", "Mul", {sum, sum}, Shape{2, 2});
        test.output({twice, sum});
        InterpreterOptions options;
        options.keep = {sum};
        int seen = 0;
        options.onValue = [&](OutputRef, const HostTensor&) { ++seen; };
        const auto run = interpret(test.graph, {{"x", floats({1, 2, 3, 4}, Shape{2, 2})}}, options);
        QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
        QCOMPARE(run->outputs.size(), std::size_t{2});
        QCOMPARE(valuesOf(run->outputs[0].value), (std::vector<double>{16, 25, 36, 49}));
        QCOMPARE(run->outputs[0].name, std::string("twice:0"));
        QCOMPARE(run->kept.size(), std::size_t{1});
        QCOMPARE(seen, 4);
        QCOMPARE(run->nodesRun, 2);
    }

    void intermediatesAreFreed()
    {
        TestGraph test;
        OutputRef value = test.data("x", Shape{1024});
        for (int i = 0; i < 50; ++i) value = test.op("n" + std::to_string(i), "Neg", {value}, Shape{1024});
        test.output({value});
        const auto run = interpret(test.graph, randomInputs(test.graph, 1));
        QVERIFY(run.ok());
        QVERIFY2(run->peakBytes <= 3 * 4096, "only a few of the 50 tensors may be alive at once");
    }

    void errorsAreClear()
    {
        const auto message = [](const Graph& graph, const std::map<std::string, HostTensor>& inputs,
                                InterpreterOptions options = {}) {
            const auto run = interpret(graph, inputs, options);
            return run.ok() ? std::string() : run.error().message();
        };
        TestGraph test;
        const OutputRef x = test.data("x", Shape{2});
        test.output({test.op("odd", "OpThatNobodyKnows", {x}, Shape{2})});
        const auto inputs = randomInputs(test.graph, 1);
        QCOMPARE(message(test.graph, inputs), std::string("node 'odd' (OpThatNobodyKnows): no kernel"));
        QVERIFY(message(test.graph, {}).find("input 'x' is not given") != std::string::npos);
        QVERIFY(message(test.graph, {{"x", floats({1, 2, 3}, Shape{3})}}).find("shape") != std::string::npos);
        QVERIFY(message(test.graph, {{"x", floats({1, 2}, Shape{2}, DataType::Double)}}).find("fp64") !=
                std::string::npos);

        TestGraph absent;
        Tensor weight;
        weight.desc = TensorDesc(DataType::Float, Shape{2});
        weight.external = ExternalData{"weights.bin", 0, 8};
        absent.output({absent.op("sum", "Add", {absent.data("x", Shape{2}), absent.constant("w", weight)}, Shape{2})});
        QVERIFY(message(absent.graph, randomInputs(absent.graph, 1)).find("weights are absent") != std::string::npos);

        TestGraph large;
        large.output({large.op("sum", "Add", {large.data("x", Shape{1024}), large.constant("w", Shape{1024, 1}, 1)},
                               Shape{1024, 1024})});
        InterpreterOptions options;
        options.memoryLimitBytes = 1 << 20;
        QVERIFY(message(large.graph, randomInputs(large.graph, 1), options).find("1048576 bytes") != std::string::npos);

        // One result of 4 GiB from 32 MiB of inputs is refused before a byte of it is allocated.
        TestGraph huge;
        huge.output(
            {huge.op("product", "MatMul", {huge.data("x", Shape{1 << 20, 8}), huge.data("w", Shape{8, 1 << 10})},
                     Shape{1 << 20, 1 << 10})});
        const std::string refused = message(huge.graph, randomInputs(huge.graph, 1));
        for (const char* part : {"'product'", "4294967296 bytes", "2147483648 bytes"})
            QVERIFY2(refused.find(part) != std::string::npos, refused.c_str());
        // Half of that in fp16 would fit, but not the fp32 that it is computed in.
        TestGraph half;
        half.output({half.op("product", "MatMul",
                             {half.data("x", Shape{1 << 20, 8}, DataType::Float16),
                              half.data("w", Shape{8, 1 << 10}, DataType::Float16)},
                             Shape{1 << 20, 1 << 10}, {}, DataType::Float16)});
        const std::string tooWide = message(half.graph, randomInputs(half.graph, 1));
        for (const char* part : {"'product'", "2147483648 bytes", "4294967296 bytes"})
            QVERIFY2(tooWide.find(part) != std::string::npos, tooWide.c_str());

        std::stop_source source;
        source.request_stop();
        options.stop = source.get_token();
        const auto run = interpret(large.graph, randomInputs(large.graph, 1), options);
        QVERIFY(!run.ok() && run.error().isCancelled());
    }

    void onlyWhatIsNeededRuns()
    {
        TestGraph test;
        const OutputRef x = test.data("x", Shape{2});
        test.op("dead", "OpThatNobodyKnows", {x}, Shape{2});
        test.output({test.op("y", "Neg", {x}, Shape{2})});
        QVERIFY(interpret(test.graph, randomInputs(test.graph, 1)).ok());
    }

    /// While: counts x up until it reaches the limit, which the bodies take from the owner's second input.
    void loopsRunTheirBodies()
    {
        TestGraph test;
        GraphEditor& edit = test.editor();
        const OutputRef x = test.data("x", Shape{1}), limit = test.data("limit", Shape{1});
        const NodeId loop = test.node("loop", "While", {x, limit}, {Shape{1}, Shape{1}});
        test.output({{loop, 0}});
        const auto body = [&](const std::string& name, auto&& build) {
            const GraphId graph = edit.addSubgraph(name, loop);
            const auto add = [&](const std::string& node, const std::string& type, std::vector<OutputRef> inputs,
                                 DataType dtype, AttrMap attrs = {}) {
                NodeSpec spec{name + "/" + node, type, {}, {{"y", TensorDesc(dtype, Shape{1})}},
                              std::move(attrs),  false};
                for (std::size_t i = 0; i < inputs.size(); ++i)
                    spec.inputs.emplace_back("x" + std::to_string(i), test.graph.outputDesc(inputs[i]));
                const NodeId id = edit.addNode(spec, graph);
                for (std::size_t i = 0; i < inputs.size(); ++i)
                    edit.connect(inputs[i], {id, static_cast<std::int32_t>(i)});
                return OutputRef{id, 0};
            };
            // Listed in reverse, so that only the index can tell which is which.
            const OutputRef b = add("b", "Data", {}, DataType::Float, {{"index", 1}, {"_parent_node_index", 1}});
            const OutputRef a = add("a", "Data", {}, DataType::Float, {{"index", 0}, {"_parent_node_index", 0}});
            edit.setGraphOutputs(graph, build(graph, add, a, b));
        };
        body("cond", [&](GraphId, auto& add, OutputRef a, OutputRef b) {
            return std::vector<OutputRef>{add("less", "Less", {a, b}, DataType::Bool)};
        });
        body("body", [&](GraphId graph, auto& add, OutputRef a, OutputRef b) {
            const OutputRef one{
                edit.addConstant("body/one", Tensor::fromDoubles(std::vector<double>{1}, Shape{1}), graph), 0};
            return std::vector<OutputRef>{add("next", "Add", {a, one}, DataType::Float), b};
        });
        const auto run = interpret(test.graph, {{"x", floats({0.5}, Shape{1})}, {"limit", floats({7}, Shape{1})}});
        QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
        QCOMPARE(valuesOf(run->outputs[0].value), (std::vector<double>{7.5}));
        InterpreterOptions options;
        options.maxDepth = 0;
        const auto shallow =
            interpret(test.graph, {{"x", floats({0.5}, Shape{1})}, {"limit", floats({7}, Shape{1})}}, options);
        QVERIFY(!shallow.ok());
        QVERIFY(shallow.error().message().find("nested") != std::string::npos);
    }

    /// MatMul between two TransData nodes, its operands and its result in FRACTAL_NZ: the kernel sees plain matrices.
    void privateFormatsAreConvertedAroundKernels()
    {
        const Shape shape{20, 20};
        const auto build = [&](bool isBlocked) {
            auto test = std::make_unique<TestGraph>();
            OutputRef value = test->data("x", shape);
            const auto move = [&](const std::string& name, Format from, Format to) {
                const Shape stored =
                    to == Format::ND ? shape : storageShape(to, shape, Format::ND, DataType::Float).value();
                const OutputRef moved = test->op(
                    name, "TransData", {value}, shape,
                    {{"src_format", std::string(formatName(from))}, {"dst_format", std::string(formatName(to))}});
                TensorDesc desc = test->graph.outputDesc(moved);
                desc.format = to;
                desc.shape = stored;
                test->editor().setOutputDesc(moved, desc);
                value = moved;
            };
            const auto inNz = [&](OutputRef ref) {
                TensorDesc desc = test->graph.outputDesc(ref);
                desc.format = Format::FractalNz;
                desc.shape = storageShape(Format::FractalNz, shape, Format::ND, DataType::Float).value();
                test->editor().setOutputDesc(ref, desc);
            };
            if (isBlocked) move("in", Format::ND, Format::FractalNz);
            value = test->op("square", "MatMulV2", {value, value}, shape);
            if (isBlocked) inNz(value);
            value = test->op("sum", "Add", {value, value}, shape);
            if (isBlocked) inNz(value);
            if (isBlocked) move("out", Format::FractalNz, Format::ND);
            test->output({value});
            return test;
        };
        const auto plain = build(false), blocked = build(true);
        const auto inputs = randomInputs(plain->graph, 3);
        const auto a = interpret(plain->graph, inputs), b = interpret(blocked->graph, inputs);
        QVERIFY2(b.ok(), b.ok() ? "" : b.error().message().c_str());
        QVERIFY(compareTensors(a->outputs[0].value, b->outputs[0].value, "y", Tolerance{}).holds());
    }

    /// Sizes that only values decide: coordinates, distinct elements and chosen boxes, and what is computed from them.
    void sizesMayDependOnValues()
    {
        TestGraph test;
        const OutputRef x = test.data("x", Shape{6});
        const OutputRef places =
            test.op("places", "NonZero", {x}, Shape{1, -1}, {{"transpose", true}}, DataType::Int64);
        const OutputRef none = test.constant("none", Tensor::fromInts({}, Shape{0}));
        const NodeId unique = test.node("unique", "UniqueWithCountsExt2", {x, none},
                                        {Shape{-1}, Shape{6}, Shape{-1}, Shape{-1}}, {{"sorted", true}});
        const OutputRef twice = test.op("twice", "Add", {{unique, 0}, {unique, 0}}, Shape{-1});
        const OutputRef boxes = test.data("boxes", Shape{1, 3, 4}), scores = test.data("scores", Shape{1, 1, 3});
        const auto one = [](double value) { return Tensor::fromDoubles(std::vector<double>{value}, Shape{1}); };
        const OutputRef chosen = test.op("chosen", "NonMaxSuppressionV6",
                                         {boxes, scores, test.constant("most", Tensor::fromInts({3}, Shape{1})),
                                          test.constant("overlap", one(0.5)), test.constant("least", one(0.2))},
                                         Shape{-1, 3}, {}, DataType::Int32);
        test.output({places, twice, chosen});
        const HostTensor corners = floats({0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3}, Shape{1, 3, 4});
        const auto shapesOf = [&](const std::vector<double>& numbers, const std::vector<double>& marks) {
            const auto run = interpret(
                test.graph,
                {{"x", floats(numbers, Shape{6})}, {"boxes", corners}, {"scores", floats(marks, Shape{1, 1, 3})}});
            if (!run.ok()) qFatal("%s", run.error().message().c_str());
            std::string text;
            for (const NamedTensor& output : run->outputs) text += output.value.shape.text();
            return text;
        };
        QCOMPARE(shapesOf({0, 3, 0, 3, 1, 0}, {0.9, 0.8, 0.7}), std::string("[1, 3][3][2, 3]"));
        QCOMPARE(shapesOf({0, 0, 0, 0, 0, 0}, {0.9, 0.1, 0.1}), std::string("[1, 0][1][1, 3]"));
        QCOMPARE(shapesOf({1, 2, 3, 4, 5, 6}, {0.1, 0.1, 0.1}), std::string("[1, 6][6][0, 3]"));
    }

    void comparison()
    {
        const Shape two{2};
        QVERIFY(compareTensors(floats({1, 2}, two), floats({1.00005, 2}, two), "y").holds());
        const ErrorMeasure off = compareTensors(floats({1, 2}, two), floats({1.5, 2}, two), "y");
        QCOMPARE(off.mismatches, std::int64_t{1});
        QCOMPARE(off.maxAbs, 0.5);
        QVERIFY(!off.holds());
        const double nan = std::nan(""), infinity = INFINITY;
        QVERIFY(compareTensors(floats({nan, infinity}, two), floats({nan, infinity}, two), "y").holds());
        QVERIFY(!compareTensors(floats({nan, 1}, two), floats({1, 1}, two), "y").holds());
        QVERIFY(!compareTensors(floats({infinity, 1}, two), floats({-infinity, 1}, two), "y").holds());
        QVERIFY(!compareTensors(floats({1, 1}, two), floats({nan, 1}, two), "y").holds());
        QVERIFY(compareTensors(floats({1, 2}, two), floats({1, 2}, two, DataType::Double), "y").typeDiffers);
        QVERIFY(compareTensors(floats({1, 2}, two), floats({1, 2}, Shape{1, 2}), "y").shapeDiffers);
        const auto ints = [](std::int64_t value) {
            return HostTensor::fromConstant(Tensor::fromInts({value}, Shape{1}));
        };
        const std::int64_t big = std::int64_t{1} << 60;
        QVERIFY(compareTensors(ints(big), ints(big), "y").holds());
        QVERIFY(!compareTensors(ints(big), ints(big + 1), "y").holds());
    }

    void toleranceFollowsTheCoarsestTypeAndTheScale()
    {
        TestGraph test;
        const OutputRef x = test.data("x", Shape{4}, DataType::Float16);
        const OutputRef half = test.op("half", "Neg", {x}, Shape{4}, {}, DataType::Float16);
        const OutputRef wide = test.op("wide", "Cast", {half}, Shape{4}, {{"dst_type", 0}});
        test.output({wide, test.op("other", "Neg", {test.data("y", Shape{4})}, Shape{4})});
        QCOMPARE(outputPrecisions(test.graph), (std::vector<DataType>{DataType::Float16, DataType::Float}));
        const auto run = interpret(test.graph, randomInputs(test.graph, 1));
        QVERIFY(run.ok());
        QCOMPARE(run->outputs[0].precision, DataType::Float16);
        const auto shifted = [](NamedTensor tensor) {
            std::vector<double> values = valuesOf(tensor.value);
            values[0] += 0.003;
            tensor.value = floats(values, Shape{4});
            return tensor;
        };
        QVERIFY(compareOutputs(run->outputs[0], shifted(run->outputs[0])).holds());
        QVERIFY(!compareOutputs(run->outputs[1], shifted(run->outputs[1])).holds());
        // 0.05 beside thousands is rounding; beside ones it is an error.
        QVERIFY(compareTensors(floats({0.1, 4000}, Shape{2}), floats({0.15, 4000}, Shape{2}), "y").holds());
        QVERIFY(!compareTensors(floats({0.1, 1}, Shape{2}), floats({0.15, 1}, Shape{2}), "y").holds());
    }

    void smallMistakesAreFound_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("size");   // of the tensor's numbers
        QTest::addColumn<double>("oneOff"); // mistake in one element, of its value
        QTest::addColumn<double>("allOff"); // the same mistake in all
        for (const double size : {1e-3, 1.0, 1e3}) {
            QTest::addRow("fp32 %g", size) << int(DataType::Float) << size << 3e-3 << 2e-4;
            QTest::addRow("fp16 %g", size) << int(DataType::Float16) << size << 0.04 << 0.012;
            QTest::addRow("bf16 %g", size) << int(DataType::BFloat16) << size << 0.25 << 0.08;
        }
    }

    /// Roundings, many in a row, pass; a mistake that is little larger than they are does not.
    void smallMistakesAreFound()
    {
        QFETCH(int, type);
        QFETCH(double, size);
        QFETCH(double, oneOff);
        QFETCH(double, allOff);
        const auto dtype = static_cast<DataType>(type);
        const Tolerance tolerance = toleranceOf(dtype);
        const double u = dtype == DataType::Float ? 0x1p-24 : dtype == DataType::Float16 ? 0x1p-11 : 0x1p-8;
        constexpr int count = 256, roundings = 40;
        std::mt19937_64 random(7);
        const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
        std::vector<double> reference(count), honest(count);
        for (int i = 0; i < count; ++i) {
            reference[i] = honest[i] = size * uniform();
            for (int k = 0; k < roundings; ++k) honest[i] *= 1 + u * uniform();
        }
        reference[5] = honest[5] = size; // none of the small ones, for which the bound is wider in proportion
        const auto judged = [&](const std::vector<double>& values) {
            return compareTensors(floats(reference, Shape{count}), floats(values, Shape{count}), "y", tolerance)
                .holds();
        };
        QVERIFY(judged(honest));
        std::vector<double> one = honest, all = honest;
        one[5] *= 1 + oneOff;
        for (double& value : all) value *= 1 + allOff;
        QVERIFY(!judged(one));
        QVERIFY(!judged(all));
        std::vector<double> shifted = honest; // a bias that was forgotten
        for (double& value : shifted) value += size * allOff;
        QVERIFY(!judged(shifted));
    }

    /// The bound follows what the model itself loses by rounding: tight for a product, wide where large terms cancel.
    void toleranceFollowsTheModelsOwnRounding_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("roundoff");
        QTest::newRow("fp16") << int(DataType::Float16) << 0x1p-11;
        QTest::newRow("bf16") << int(DataType::BFloat16) << 0x1p-8;
    }
    void toleranceFollowsTheModelsOwnRounding()
    {
        QFETCH(int, type);
        QFETCH(double, roundoff);
        const auto dtype = static_cast<DataType>(type);
        for (const double size : {1e-3, 1.0, 1e3}) {
            const auto build = [&](double factor, double offset) {
                TestGraph test;
                std::vector<double> numbers(64 * 48);
                for (std::size_t i = 0; i < numbers.size(); ++i)
                    numbers[i] = factor * size / 8 * std::sin(1.3 * double(i) + 1);
                const OutputRef x = test.data("x", Shape{16, 64}, dtype);
                const OutputRef w = test.constant("w", Tensor::fromDoubles(numbers, Shape{64, 48}, dtype));
                OutputRef y = test.op("product", "MatMulV2", {x, w}, Shape{16, 48}, {}, dtype);
                if (offset != 0) {
                    const std::vector<double> one{offset};
                    const OutputRef large = test.constant("large", Tensor::fromDoubles(one, Shape{1}, dtype));
                    y = test.op("up", "Add", {y, large}, Shape{16, 48}, {}, dtype);
                    y = test.op("down", "Sub", {y, large}, Shape{16, 48}, {}, dtype);
                }
                test.output({y});
                return test.graph;
            };
            const auto compute = [&](const Graph& graph) {
                auto run = interpret(graph, randomInputs(graph, 3));
                if (!run.ok()) qFatal("%s", run.error().message().c_str());
                return run->outputs[0];
            };
            const Graph right = build(1, 0);
            const NamedTensor reference = compute(right);
            const Rounding rounding = measureRounding(right, randomInputs(right, 3), {reference}).front();
            QVERIFY(rounding.isKnown());
            QCOMPARE(rounding.type, dtype);
            QVERIFY2(rounding.rms > 0.1 * roundoff * size * 0.1 && rounding.rms < roundoff * size,
                     qPrintable(QString::number(rounding.rms)));
            QVERIFY(compareOutputs(reference, reference, rounding).holds());
            const NamedTensor off = compute(build(1 + 8 * roundoff, 0)); // 3 % in bf16, 0.4 % in fp16
            QVERIFY2(!compareOutputs(reference, off, rounding).holds(), "a small mistake in all elements");
            QVERIFY2(compareOutputs(reference, off).holds(), "which the bound for any model cannot tell from rounding");
            NamedTensor one = reference; // the largest element, by little more than a few roundings
            std::vector<double> values = valuesOf(one.value);
            *std::max_element(values.begin(), values.end()) *= 1 + 24 * roundoff;
            one.value = floats(values, Shape{16, 48}, dtype);
            QVERIFY2(!compareOutputs(reference, one, rounding).holds(), "a small mistake in one element");

            // Written another way, the same model is free to lose as much as this form of it does.
            const Graph cancelling = build(1, 30 * size);
            const NamedTensor poor = compute(cancelling);
            const Rounding large = measureRounding(cancelling, randomInputs(cancelling, 3), {poor}).front();
            QVERIFY(large.rms > 5 * rounding.rms);
            QVERIFY2(!compareOutputs(poor, reference).holds(), "beyond the bound for any model");
            QVERIFY2(compareOutputs(poor, reference, large).holds(), "within what this model loses");
        }
        // Nothing to measure in fp32, and nothing where the fp32 form does not run.
        TestGraph plain;
        plain.output({plain.op("y", "Neg", {plain.data("x", Shape{4})}, Shape{4})});
        const auto run = interpret(plain.graph, randomInputs(plain.graph, 1));
        QVERIFY(!measureRounding(plain.graph, randomInputs(plain.graph, 1), run->outputs).front().isKnown());
        QVERIFY(!measureRounding(plain.graph, {}, run->outputs).front().isKnown());
    }

    /// A wrong constant in an fp16 model shows, though every result is rounded eight times on the way.
    void aWrongConstantIsFound()
    {
        const auto build = [](double bias, double weight, float epsilon) {
            TestGraph test;
            const DataType half = DataType::Float16;
            const auto filled = [](Shape shape, double scale) {
                std::vector<double> values(static_cast<std::size_t>(*shape.elementCount()));
                for (std::size_t i = 0; i < values.size(); ++i)
                    values[i] = scale * std::sin(1.7 * static_cast<double>(i) + scale);
                return Tensor::fromDoubles(values, shape, DataType::Float16);
            };
            const OutputRef x = test.data("x", Shape{8, 32}, half);
            const OutputRef product = test.op(
                "product", "MatMulV2", {x, test.constant("w", filled(Shape{32, 64}, weight))}, Shape{8, 64}, {}, half);
            const OutputRef sum =
                test.op("sum", "Add", {product, test.constant("b", filled(Shape{64}, bias))}, Shape{8, 64}, {}, half);
            const OutputRef norm = test.op("norm", "RmsNorm", {sum, test.constant("g", filled(Shape{64}, 1))},
                                           Shape{8, 64}, {{"epsilon", epsilon}}, half);
            test.output({test.op("y", "SoftmaxV2", {norm}, Shape{8, 64}, {{"axes", IntList{-1}}}, half)});
            auto run = interpret(test.graph, randomInputs(test.graph, 3));
            if (!run.ok()) qFatal("%s", run.error().message().c_str());
            return run->outputs[0];
        };
        const NamedTensor right = build(0.5, 0.3, 1e-5f);
        QVERIFY(compareOutputs(right, build(0.5, 0.3, 1e-5f)).holds());
        QVERIFY(!compareOutputs(right, build(0.55, 0.3, 1e-5f)).holds()); // the bias 10 % too large
        QVERIFY(!compareOutputs(right, build(0, 0.3, 1e-5f)).holds());    // left out
        QVERIFY(!compareOutputs(right, build(0.5, 0.33, 1e-5f)).holds()); // weights 10 % too large
        QVERIFY(!compareOutputs(right, build(0.5, 0.3, 1e-1f)).holds());  // another epsilon
    }

    void inputsSuitTheirReaders()
    {
        TestGraph test;
        const OutputRef ids = test.data("input_ids", Shape{1, 64}, DataType::Int64);
        const OutputRef mask = test.data("attention_mask", Shape{1, 64}, DataType::Int64);
        const OutputRef positions = test.data("position_ids", Shape{1, 64}, DataType::Int64);
        const OutputRef positive = test.data("variance", Shape{64});
        const OutputRef table = test.constant("table", Shape{11, 4}, 1);
        const OutputRef axis = test.constant("axis", Tensor::fromInts({0}, Shape{1}));
        const OutputRef cast = test.op("cast", "Cast", {ids}, Shape{1, 64}, {{"dst_type", 3}}, DataType::Int32);
        test.output({test.op("rows", "GatherV2", {table, cast, axis}, Shape{1, 64, 4}), mask, positions,
                     test.op("root", "Sqrt", {positive}, Shape{64})});
        const auto inputs = randomInputs(test.graph, 5);
        double largest = 0;
        for (const double id : valuesOf(inputs.at("input_ids"))) {
            QVERIFY(id >= 0 && id < 11);
            largest = std::max(largest, id);
        }
        QVERIFY(largest > 5);
        for (const double value : valuesOf(inputs.at("attention_mask"))) QVERIFY(value == 0 || value == 1);
        QCOMPARE(valuesOf(inputs.at("attention_mask"))[0], 1.0);
        for (int i = 0; i < 64; ++i)
            QCOMPARE(valuesOf(inputs.at("position_ids"))[static_cast<std::size_t>(i)], double(i));
        for (const double value : valuesOf(inputs.at("variance"))) QVERIFY(value > 0);
        QCOMPARE(valuesOf(randomInputs(test.graph, 5).at("input_ids")), valuesOf(inputs.at("input_ids")));
        QVERIFY(valuesOf(randomInputs(test.graph, 6).at("input_ids")) != valuesOf(inputs.at("input_ids")));
        QVERIFY(interpret(test.graph, inputs).ok());
    }
};

QTEST_GUILESS_MAIN(TestInterpreter)
#include "tst_interpreter.moc"
