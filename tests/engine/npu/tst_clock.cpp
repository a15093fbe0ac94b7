// The cost model by hand (facts/pipeline 9.4) and the clock over small task lists.

#include "engine/npu/clock.h"
#include "engine/npu/l2_model.h"
#include "tests/engine/memory/test_graph.h"

#include <QTest>

using namespace gelens;
using gelens::test::TestGraph;

namespace {

SocSpec ascend910B1()
{
    SocSpec soc;
    soc.name = "Ascend910B1";
    soc.coreLayout = CoreLayout::Split;
    soc.cubeCores = 24;
    soc.vectorCores = 48;
    soc.aiCpus = 4;
    soc.cubeMegahertz = soc.vectorMegahertz = 1850;
    soc.l2Bytes = 201326592;
    soc.buffers = {65536, 65536, 131072, 524288, 196608, 1024, 2048};
    soc.cubeRates = {32, 32, 110, 86, 512, 256, 128, 256, 64, 64, 128};
    soc.vectorRates = soc.cubeRates;
    return soc;
}

SocSpec ascend310P3()
{
    SocSpec soc;
    soc.name = "Ascend310P3";
    soc.coreLayout = CoreLayout::Fused;
    soc.cubeCores = soc.vectorCores = 8;
    soc.aiCpus = 16;
    soc.cubeMegahertz = soc.vectorMegahertz = 1060;
    soc.l2Bytes = 16777216;
    soc.buffers = {65536, 65536, 262144, 1048576, 262144, 0, 0};
    soc.cubeRates = {17, 17, 114, 114, 512, 256, 128, 512, 114, 17, 256};
    return soc;
}

Cost matMul(std::int64_t m, std::int64_t k, std::int64_t n)
{
    Cost cost;
    cost.m = m;
    cost.k = k;
    cost.n = n;
    cost.cubeMacs = static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n);
    return cost;
}

bool isNear(double value, double expected, double share = 0.005)
{
    return std::abs(value - expected) <= share * std::abs(expected);
}

Task kernel(const TestGraph& test, OutputRef output, Unit unit, std::int64_t stream, int index)
{
    Task task;
    task.index = index;
    task.node = output.node;
    task.name = test.graph.node(output.node).name;
    task.unit = unit;
    task.stream = stream;
    return task;
}

Task eventTask(TaskKind kind, std::int64_t number, std::int64_t stream, int index)
{
    Task task;
    task.index = index;
    task.kind = kind;
    task.event = number;
    task.stream = stream;
    task.unit = Unit::Runtime;
    return task;
}

} // namespace

class TestClock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ratesOfTheChip()
    {
        const ChipRates rates = chipRates(ascend910B1());
        QVERIFY(isNear(rates.ddrRead, 1.42e6, 0.01)); // 1.42 TB/s in bytes per µs
        QVERIFY(isNear(rates.l2Read, 4.88e6, 0.01));
        QVERIFY(isNear(ascend910B1().peakCubeFlops(), 363.7e12, 0.001));
        // SwiGLU, 332 × 11,008 fp16: 58.5 MB from L2 in 12.0 µs, 21.9 MB in 4.5 µs.
        QVERIFY(isNear(8 * 332 * 11008 * 2 / rates.l2Read, 12.0, 0.01));
        QVERIFY(isNear(3 * 332 * 11008 * 2 / rates.l2Read, 4.5, 0.01));
    }

    void matMulCycles()
    {
        const SocSpec soc = ascend910B1();
        // 21·256·768 tile cycles over 24 cores: 172,032 cycles, 93.0 µs.
        const CubeTiling prompt = tileMatMul(matMul(332, 4096, 12288), DataType::Float16, soc);
        QCOMPARE(prompt.cycles(), std::int64_t{172032});
        QVERIFY(isNear(static_cast<double>(prompt.cycles()) / 1850, 93.0, 0.001));
        QVERIFY(prompt.tileM * prompt.tileN * 4 <= soc.buffers.l0c);
        const CubeTiling decode = tileMatMul(matMul(1, 4096, 12288), DataType::Float16, soc);
        QCOMPARE(decode.cycles(), std::int64_t{8192}); // 4.4 µs
        // Twice the K of a block for 8-bit types.
        QCOMPARE(tileMatMul(matMul(332, 4096, 12288), DataType::Int8, soc).cycles(), std::int64_t{86016});
    }

    void kernelTimesByHand()
    {
        const SocSpec soc = ascend910B1();
        Traffic weights;
        weights.ddrRead = 4096.0 * 12288 * 2; // 100.7 MB: 70.8 µs
        const KernelTime prompt = kernelTime(matMul(332, 4096, 12288), Unit::Cube, DataType::Float16, weights, soc);
        QVERIFY(isNear(prompt.memoryUs(), 70.8, 0.005));
        const CubeTiling tiling = tileMatMul(matMul(332, 4096, 12288), DataType::Float16, soc);
        // 332 × 12,288 results are more than 512 × 512: the array at 0.85.
        const double expected = (172032 / 0.85 + 2.0 * static_cast<double>(tiling.tileCycles)) / 1850;
        QVERIFY(isNear(prompt.cubeUs, expected, 1e-9));
        QCOMPARE(prompt.bound(), Bound::Compute);
        QVERIFY(isNear(prompt.totalUs(), 2 + expected, 1e-9));
        QCOMPARE(prompt.cores, 24);
        const KernelTime decode = kernelTime(matMul(1, 4096, 12288), Unit::Cube, DataType::Float16, weights, soc);
        QCOMPARE(decode.bound(), Bound::Memory);
        // The border: 512 × 512 results are large, one row less is not.
        const auto efficiencyOf = [&](std::int64_t rows) {
            const CubeTiling cut = tileMatMul(matMul(rows, 4096, 512), DataType::Float16, soc);
            const double us = kernelTime(matMul(rows, 4096, 512), Unit::Cube, DataType::Float16, weights, soc).cubeUs;
            return static_cast<double>(cut.cycles()) / (us * 1850 - 2.0 * static_cast<double>(cut.tileCycles));
        };
        QVERIFY(isNear(efficiencyOf(512), 0.85, 1e-9));
        QVERIFY(isNear(efficiencyOf(511), 0.6, 1e-9));

        Cost exp; // 1 Mi fp16 elements of weight 4 over 48 cores × 128 lanes
        exp.vectorOps = 4.0 * (1 << 20);
        exp.bytesRead = exp.bytesWritten = 2.0 * (1 << 20);
        const Traffic fromL2{exp.bytesRead, 0, exp.bytesWritten, 0};
        const KernelTime vector = kernelTime(exp, Unit::Vector, DataType::Float16, fromL2, soc);
        QVERIFY(isNear(vector.vectorUs, 4.0 * (1 << 20) / (48 * 128) / 1850, 1e-9));
        QVERIFY(
            isNear(kernelTime(exp, Unit::Vector, DataType::Float, fromL2, soc).vectorUs, 2 * vector.vectorUs, 1e-9));
        QVERIFY(vector.isPipelined);
        QVERIFY(isNear(vector.memoryUs(), 2.0 * (1 << 20) / (86 * 24 * 1850), 1e-9)); // the write is slower

        Cost tiny;
        tiny.vectorOps = 1000;
        tiny.bytesRead = tiny.bytesWritten = 2000;
        const KernelTime small = kernelTime(tiny, Unit::Vector, DataType::Float16, {2000, 0, 2000, 0}, soc);
        QVERIFY(!small.isPipelined);
        QCOMPARE(small.bound(), Bound::Launch);
        QCOMPARE(small.cores, 1);
        QVERIFY(isNear(kernelTime(tiny, Unit::Vector, DataType::Float16, {}, soc, true).launchUs, 15, 1e-9));
        QVERIFY(isNear(kernelTime(tiny, Unit::AiCpu, DataType::Float16, {}, soc).totalUs(), 2 + 30 + 1, 1e-9));
        QVERIFY(kernelTime(matMul(512, 512, 512), Unit::Mix, DataType::Float16, {}, soc).syncUs > 0);
        // The same product on the smaller chip.
        QVERIFY(kernelTime(matMul(332, 4096, 12288), Unit::Cube, DataType::Float16, weights, ascend310P3()).totalUs() >
                3 * prompt.totalUs());
    }

    void l2HoldsWhatWasUsedLast()
    {
        L2Model l2(1000);
        const auto at = [](std::int64_t offset, std::int64_t bytes) {
            return DeviceAddress{DeviceAddress::Region::FeatureMap, offset, bytes, {}};
        };
        QVERIFY(!l2.holds(at(0, 400)));
        l2.touch(at(0, 400));
        QVERIFY(l2.holds(at(0, 400)));
        QVERIFY(l2.holds(at(200, 200))); // a slice of it
        l2.touch(at(512, 500));
        QVERIFY(l2.holds(at(0, 400)));
        l2.touch(at(2048, 300));
        QVERIFY(!l2.holds(at(0, 400)));
        QVERIFY(l2.holds(at(2048, 300)));
        DeviceAddress weight = at(0, 10);
        weight.region = DeviceAddress::Region::Weight;
        l2.touch(weight);
        QVERIFY(!l2.holds(weight));
    }

    void oneStreamAddsUp()
    {
        TestGraph test;
        const OutputRef x = test.data("x", Shape{64}, DataType::Float16);
        const OutputRef a = test.op("a", "OpThatNobodyKnows", {x}, Shape{64}, {}, DataType::Float16);
        const OutputRef b = test.op("b", "OpThatNobodyKnows", {a}, Shape{64}, {}, DataType::Float16);
        test.output({b});
        TaskList list;
        list.streamCount = 1;
        list.tasks = {kernel(test, a, Unit::AiCpu, 0, 0), kernel(test, b, Unit::AiCpu, 0, 1)};
        const auto timeline = simulateTime(test.graph, list, ascend910B1());
        QVERIFY(timeline.ok());
        QVERIFY(isNear(timeline->totalUs, 2 * 32, 1e-9)); // launch 2 + AI CPU 30, twice
        QVERIFY(isNear(timeline->parts.dispatchUs, 4, 1e-9));
        QVERIFY(isNear(timeline->parts.total(), timeline->totalUs, 1e-9));
        QVERIFY(timeline->items[0].isCritical && timeline->items[1].isCritical);
        QVERIFY(isNear(timeline->items[1].startUs, 32, 1e-9));
        QVERIFY(timeline->isEstimated);
        ClockOptions host;
        host.isHostLaunched = true;
        const auto before = simulateTime(test.graph, list, ascend910B1(), host);
        QVERIFY(isNear(before->totalUs, 2 * 45, 1e-9));
        QVERIFY(isNear(before->hostDispatchUs, 30, 1e-9));
        QVERIFY(isNear(latencyGain(*before, *timeline).dispatchUs, 26, 1e-9));
        QVERIFY(isNear(utilization(*timeline, Unit::AiCpu), 1, 1e-9));
    }

    void streamsOverlapAndEventsOrder()
    {
        TestGraph test;
        const OutputRef x = test.data("x", Shape{64}, DataType::Float16);
        const OutputRef a = test.op("a", "OpThatNobodyKnows", {x}, Shape{64}, {}, DataType::Float16);
        const OutputRef b = test.op("b", "OpThatNobodyKnows", {x}, Shape{64}, {}, DataType::Float16);
        const OutputRef c = test.op("c", "OpThatNobodyKnows", {b}, Shape{64}, {}, DataType::Float16);
        test.output({a, c});
        TaskList list;
        list.streamCount = 2;
        list.tasks = {kernel(test, a, Unit::AiCpu, 0, 0), kernel(test, b, Unit::AiCpu, 1, 1)};
        QVERIFY(isNear(simulateTime(test.graph, list, ascend910B1())->totalUs, 32, 1e-9)); // four AI CPUs: side by side
        SocSpec small = ascend910B1();
        small.aiCpus = 1; // one AI CPU: launches overlap, the work shares
        QVERIFY(isNear(simulateTime(test.graph, list, small)->totalUs, 62, 1e-9));

        list.tasks = {kernel(test, a, Unit::AiCpu, 0, 0), eventTask(TaskKind::EventRecord, 0, 0, 1),
                      eventTask(TaskKind::EventWait, 0, 1, 2), kernel(test, b, Unit::AiCpu, 1, 3)};
        const auto ordered = simulateTime(test.graph, list, ascend910B1());
        QVERIFY(isNear(ordered->totalUs, 32 + 1 + 1 + 32, 1e-9));
        QVERIFY(std::all_of(ordered->items.begin(), ordered->items.end(),
                            [](const TimelineItem& item) { return item.isCritical; }));
        QVERIFY(isNear(ordered->parts.total(), ordered->totalUs, 1e-9));

        list.tasks = {eventTask(TaskKind::EventWait, 1, 0, 0), eventTask(TaskKind::EventRecord, 0, 0, 1),
                      eventTask(TaskKind::EventWait, 0, 1, 2), eventTask(TaskKind::EventRecord, 1, 1, 3)};
        QVERIFY(!simulateTime(test.graph, list, ascend910B1()).ok());
    }
};

QTEST_GUILESS_MAIN(TestClock)
#include "tst_clock.moc"
