// Numbers of a tensor on request: statistics, comparison of two steps, and where fp16 overflows.
#include "engine/session/session.h"
#include "engine/session/tensor_statistics.h"
#include "tests/support/graph_builder.h"
#include "tests/support/kernel_test.h"

#include <QtTest>

#include <cmath>
#include <numeric>

using namespace gelens;
using namespace gelens::test;

namespace {

std::shared_ptr<const Run> runSample(const char* name)
{
    const std::string path = std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx";
    auto session = Session::open(path);
    if (!session.ok()) qFatal("%s", session.error().message().c_str());
    auto run = (*session)->run({});
    if (!run.ok()) qFatal("%s", run.error().message().c_str());
    return *run;
}

/// A run of one step on a graph built in code.
void publish(Run& run, GraphBuilder& builder)
{
    run.steps.resize(1);
    run.steps[0].id = StepId{0};
    run.setGraph(std::make_shared<Graph>(builder.graph()), std::make_shared<Journal>());
}

} // namespace

class TestTensorStatistics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsAndBins()
    {
        const auto made = statisticsOf(tensor({2, 5}, {0, 1, 2, 3, 4, 4, NAN, INFINITY, -INFINITY, 0}), 4);
        QVERIFY(made.ok());
        QCOMPARE(made->elements, std::int64_t(10));
        QCOMPARE(made->nanCount, std::int64_t(1));
        QCOMPARE(made->infinityCount, std::int64_t(2));
        QCOMPARE(made->zeroCount, std::int64_t(2));
        QCOMPARE(made->finiteCount(), std::int64_t(7));
        QCOMPARE(made->minimum, 0.0);
        QCOMPARE(made->maximum, 4.0);
        QCOMPARE(made->mean, 2.0);
        QVERIFY(std::abs(made->deviation - std::sqrt(18.0 / 7)) < 1e-12);
        QCOMPARE(made->histogram, (std::vector<std::int64_t>{2, 1, 1, 3}));
        QCOMPARE(made->binWidth, 1.0);
    }

    void edgesOfStatistics()
    {
        const auto empty = statisticsOf(tensor({0}, {}));
        QVERIFY(empty.ok() && empty->elements == 0 && empty->histogram.empty());
        const auto same = statisticsOf(tensor({3}, {5, 5, 5}));
        QVERIFY(same.ok());
        QCOMPARE(same->histogram, (std::vector<std::int64_t>{3}));
        const auto none = statisticsOf(tensor({2}, {NAN, INFINITY}));
        QVERIFY(none.ok() && none->finiteCount() == 0 && none->histogram.empty());
        const auto wide = statisticsOf(tensor({2}, {-1.7e308, 1.7e308}, DataType::Double));
        QVERIFY(wide.ok());
        QCOMPARE(std::accumulate(wide->histogram.begin(), wide->histogram.end(), std::int64_t(0)), std::int64_t(2));
        QVERIFY(!statisticsOf(stringTensor({1}, {"a"})).ok());
        const auto large = statisticsOf(HostTensor::zeros(DataType::Float16, Shape{300, 300}));
        QVERIFY(large.ok());
        QCOMPARE(large->zeroCount, std::int64_t(90000));
    }

    void aNodesTensorAtTwoSteps()
    {
        const auto run = runSample("tiny-llama");
        QVERIFY(!run->failed);
        const auto last = run->graphAt(run->lastStep());
        const OutputRef output = graphOutputs(*last).front();
        const OutputRef first = graphOutputs(*run->graphAt(StepId{0})).front();
        const auto value = tensorAt(*run, run->lastStep(), output, 3);
        QVERIFY2(value.ok(), value.ok() ? "" : value.error().message().c_str());
        const auto statistics = statisticsOf(*value);
        QVERIFY(statistics.ok() && statistics->elements > 0 && statistics->finiteCount() == statistics->elements);
        QVERIFY(statistics->maximum > statistics->minimum);
        const auto error = compareAt(*run, StepId{0}, first, run->lastStep(), output, 3);
        QVERIFY2(error.ok() && error->holds(), error.ok() ? "" : error.error().message().c_str());
        // Another seed, other numbers; the same seed, the same.
        const auto again = tensorAt(*run, run->lastStep(), output, 3),
                   other = tensorAt(*run, run->lastStep(), output, 4);
        QVERIFY(again.ok() && other.ok());
        QCOMPARE(values(*again), values(*value));
        QVERIFY(values(*other) != values(*value));
    }

    void everyTensorOfTheCompiledGraphCanBeAsked()
    {
        const auto run = runSample("small-resnet");
        const auto graph = run->graphAt(run->lastStep());
        int asked = 0;
        for (const NodeId id : graph->topologicalOrder()) {
            const Node& node = graph->node(id);
            if (node.outputs.empty() || node.type == "Const" || asked >= 12) continue;
            const auto value = tensorAt(*run, run->lastStep(), node.output(), 1);
            QVERIFY2(value.ok(), value.ok() ? "" : value.error().message().c_str());
            QVERIFY(value->shape.elementCount() == node.outputs[0].desc.originShape.elementCount());
            ++asked;
        }
        QVERIFY(asked >= 5);
    }

    void whatCannotBeAskedIsSaid()
    {
        const auto run = runSample("small-resnet");
        const auto graph = run->graphAt(StepId{0});
        const OutputRef output = graphOutputs(*graph).front();
        QVERIFY(!tensorAt(*run, StepId{100000}, output, 1).ok());
        QVERIFY(!tensorAt(*run, StepId{0}, OutputRef{}, 1).ok());
        QVERIFY(!tensorAt(*run, StepId{0}, OutputRef{output.node, 7}, 1).ok());
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = tensorAt(*run, StepId{0}, output, 1, stop.get_token());
        QVERIFY(!cancelled.ok() && cancelled.error().isCancelled());
        const auto absent = runSample("llama-7b");
        const auto value = tensorAt(*absent, StepId{0}, graphOutputs(*absent->graphAt(StepId{0})).front(), 1);
        QVERIFY(!value.ok());
        QVERIFY2(value.error().message().find("absent") != std::string::npos, value.error().message().c_str());
    }

    void overflowIsFoundWhereItStarts()
    {
        GraphBuilder builder;
        const OutputRef x = builder.input("x", Shape{4, 8}, DataType::Float16);
        const OutputRef small =
            builder.op("Mul", {x, builder.constant("k", tensor({}, {2000}, DataType::Float16))}, {}, "small");
        const OutputRef square = builder.op("Square", {small}, {}, "square"); // up to 4 million: more than 65504
        const OutputRef behind = builder.op("Neg", {square}, {}, "behind");
        builder.outputs({behind});
        Run run;
        publish(run, builder);
        const auto found = firstOverflow(run, StepId{0}, 1);
        QVERIFY2(found.ok(), found.ok() ? "" : found.error().message().c_str());
        QVERIFY(found->has_value());
        QCOMPARE((*found)->nodeName, std::string("square"));
        QCOMPARE((*found)->nodeType, std::string("Square"));
        QVERIFY((*found)->infinityCount > 0);
        QVERIFY((*found)->largestInput > 256 && (*found)->largestInput <= 2000);
    }

    void noOverflowWhereThereIsNone()
    {
        GraphBuilder builder;
        const OutputRef x = builder.input("x", Shape{4, 8}, DataType::Float16);
        // An infinity that comes in as a constant, a mask, is not made here.
        const OutputRef masked = builder.op(
            "Add", {x, builder.constant("mask", tensor({8}, {0, 0, 0, 0, -INFINITY, 0, 0, 0}, DataType::Float16))}, {},
            "masked");
        builder.outputs({builder.op("SoftmaxV2", {masked}, {{"axes", IntList{-1}}}, "y")});
        Run run;
        publish(run, builder);
        const auto found = firstOverflow(run, StepId{0}, 1);
        QVERIFY2(found.ok(), found.ok() ? "" : found.error().message().c_str());
        QVERIFY(!found->has_value());
    }
};

QTEST_GUILESS_MAIN(TestTensorStatistics)
#include "tst_tensor_statistics.moc"
