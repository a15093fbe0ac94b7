// The interpreter, comparison and generated inputs.

#include "engine/npu/compare.h"
#include "engine/npu/interpreter.h"
#include "engine/npu/random_inputs.h"
#include "engine/ops/storage_shape.h"
#include "tests/engine/memory/test_graph.h"

#include <QTest>

#include <cmath>

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
        for (int i = 0; i < 50; ++i)
            value = test.op("n" + std::to_string(i), "Neg", {value}, Shape{1024});
        test.output({value});
        const auto run = interpret(test.graph, randomInputs(test.graph, 1));
        QVERIFY(run.ok());
        QVERIFY2(run->peakBytes <= 3 * 4096, "only a few of the 50 tensors may be alive at once");
    }

    void errorsAreClear()
    {
        const auto message = [](const Graph& graph, const std::map<std::string, HostTensor>& inputs, InterpreterOptions options = {}) {
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
        QVERIFY(message(test.graph, {{"x", floats({1, 2}, Shape{2}, DataType::Double)}}).find("fp64") != std::string::npos);

        TestGraph absent;
        Tensor weight;
        weight.desc = TensorDesc(DataType::Float, Shape{2});
        weight.external = ExternalData{"weights.bin", 0, 8};
        absent.output({absent.op("sum", "Add", {absent.data("x", Shape{2}), absent.constant("w", weight)}, Shape{2})});
        QVERIFY(message(absent.graph, randomInputs(absent.graph, 1)).find("weights are absent") != std::string::npos);

        TestGraph large;
        large.output({large.op("sum", "Add", {large.data("x", Shape{1024}), large.constant("w", Shape{1024, 1}, 1)}, Shape{1024, 1024})});
        InterpreterOptions options;
        options.memoryLimitBytes = 1 << 20;
        QVERIFY(message(large.graph, randomInputs(large.graph, 1), options).find("1048576 bytes") != std::string::npos);

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
            const auto add = [&](const std::string& node, const std::string& type, std::vector<OutputRef> inputs, DataType dtype,
                                 AttrMap attrs = {}) {
                NodeSpec spec{name + "/" + node, type, {}, {{"y", TensorDesc(dtype, Shape{1})}}, std::move(attrs), false};
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
            const OutputRef one{edit.addConstant("body/one", Tensor::fromDoubles(std::vector<double>{1}, Shape{1}), graph), 0};
            return std::vector<OutputRef>{add("next", "Add", {a, one}, DataType::Float), b};
        });
        const auto run = interpret(test.graph, {{"x", floats({0.5}, Shape{1})}, {"limit", floats({7}, Shape{1})}});
        QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
        QCOMPARE(valuesOf(run->outputs[0].value), (std::vector<double>{7.5}));
        InterpreterOptions options;
        options.maxDepth = 0;
        const auto shallow = interpret(test.graph, {{"x", floats({0.5}, Shape{1})}, {"limit", floats({7}, Shape{1})}}, options);
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
                const Shape stored = to == Format::ND ? shape : storageShape(to, shape, Format::ND, DataType::Float).value();
                const OutputRef moved = test->op(name, "TransData", {value}, shape,
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
        QVERIFY(compareTensors(a->outputs[0].value, b->outputs[0].value, "y", {0, 0}).holds());
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
        const auto ints = [](std::int64_t value) { return HostTensor::fromConstant(Tensor::fromInts({value}, Shape{1})); };
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
            values[0] += 0.005;
            tensor.value = floats(values, Shape{4});
            return tensor;
        };
        QVERIFY(compareOutputs(run->outputs[0], shifted(run->outputs[0])).holds());
        QVERIFY(!compareOutputs(run->outputs[1], shifted(run->outputs[1])).holds());
        // 0.05 beside thousands is rounding; beside ones it is an error.
        QVERIFY(compareTensors(floats({0.1, 4000}, Shape{2}), floats({0.15, 4000}, Shape{2}), "y").holds());
        QVERIFY(!compareTensors(floats({0.1, 1}, Shape{2}), floats({0.15, 1}, Shape{2}), "y").holds());
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
        for (const double value : valuesOf(inputs.at("attention_mask")))
            QVERIFY(value == 0 || value == 1);
        QCOMPARE(valuesOf(inputs.at("attention_mask"))[0], 1.0);
        for (int i = 0; i < 64; ++i)
            QCOMPARE(valuesOf(inputs.at("position_ids"))[static_cast<std::size_t>(i)], double(i));
        for (const double value : valuesOf(inputs.at("variance")))
            QVERIFY(value > 0);
        QCOMPARE(valuesOf(randomInputs(test.graph, 5).at("input_ids")), valuesOf(inputs.at("input_ids")));
        QVERIFY(valuesOf(randomInputs(test.graph, 6).at("input_ids")) != valuesOf(inputs.at("input_ids")));
        QVERIFY(interpret(test.graph, inputs).ok());
    }
};

QTEST_GUILESS_MAIN(TestInterpreter)
#include "tst_interpreter.moc"
