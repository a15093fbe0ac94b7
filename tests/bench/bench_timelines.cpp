// Benchmarks of the painted memory map and task timeline; the number in a name is that of the tensors or tasks.

#include "tests/viewers/graph_models.h"
#include "viewers/memory/memory_canvas.h"
#include "viewers/memory/memory_picture.h"
#include "viewers/timeline/timeline_canvas.h"
#include "viewers/timeline/timeline_index.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPixmap>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>

using namespace gelens;
using gelens::testing::makeRun;

namespace {

/// Buffers in 64 lanes of addresses, one after the other in each.
std::shared_ptr<const Run> buffersRun(int count)
{
    constexpr int lanes = 64;
    auto run = makeRun(1);
    std::mt19937 random(7);
    std::vector<std::int64_t> free(lanes, 0);
    for (int i = 0; i < count; ++i) {
        const auto lane = static_cast<std::size_t>(i % lanes);
        MemoryBuffer buffer;
        buffer.id = i;
        buffer.name = "tensor_" + std::to_string(i) + ":0";
        buffer.bytes = buffer.blockBytes = 512 * (1 + static_cast<std::int64_t>(random() % 2));
        buffer.lifetime.begin = free[lane] + static_cast<std::int64_t>(random() % 3);
        buffer.lifetime.end = free[lane] = buffer.lifetime.begin + 1 + static_cast<std::int64_t>(random() % 40);
        buffer.offset = static_cast<std::int64_t>(lane) * 1024;
        run->plan.buffers.push_back(std::move(buffer));
    }
    run->plan.order.assign(static_cast<std::size_t>(*std::max_element(free.begin(), free.end())), NodeId{});
    run->plan.totals.lowerBound = run->plan.totals.featureMapPeak = lanes * 1024;
    return run;
}

/// Tasks on four streams.
std::shared_ptr<const Run> tasksRun(int count)
{
    auto run = makeRun(1);
    run->soc.cubeCores = 24;
    run->soc.vectorCores = 48;
    run->soc.cubeMegahertz = 1850;
    static const char* const types[] = {"MatMulV2", "Add", "SoftmaxV2", "Cast", "Mul"};
    double ends[4] = {};
    for (int i = 0; i < count; ++i) {
        const int stream = i % 4, kind = (i / 4) % 5;
        Task task;
        task.index = i;
        task.name = "task_" + std::to_string(i);
        task.opType = types[kind];
        task.stream = stream;
        run->tasks.tasks.push_back(std::move(task));
        TimelineItem item;
        item.task = i;
        item.stream = stream;
        item.startUs = ends[stream];
        item.durationUs = 1 + kind;
        item.computeUs = 0.5;
        item.memoryUs = 0.3 * kind;
        item.ddrBytes = 1e5 * kind;
        item.cores = 1 + i % 24;
        item.unit = kind == 0 ? Unit::Cube : Unit::Vector;
        ends[stream] += item.durationUs + ((i / 4) % 10 == 9 ? 0.5 : 0);
        run->timeline.items.push_back(item);
    }
    std::stable_sort(run->timeline.items.begin(), run->timeline.items.end(),
                     [](const TimelineItem& a, const TimelineItem& b) { return a.startUs < b.startUs; });
    run->timeline.totalUs = *std::max_element(ends, ends + 4);
    return run;
}

void press(QWidget& widget, int key)
{
    QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
}

void memoryBuild(benchmark::State& state)
{
    const auto run = buffersRun(static_cast<int>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(std::make_shared<const MemoryPicture>(*run));
}

/// One frame after a step of zoom; in and out again, so that every level is seen.
void memoryFrame(benchmark::State& state)
{
    const auto run = buffersRun(static_cast<int>(state.range(0)));
    MemoryCanvas canvas;
    canvas.resize(1400, 400);
    canvas.setPicture(run, std::make_shared<const MemoryPicture>(*run));
    if (state.range(1) != 0) canvas.setOverlay(std::make_shared<const MemoryPicture>(*run), QStringLiteral("itself"));
    int step = 0;
    for (auto _ : state) {
        press(canvas, step++ % 16 < 8 ? Qt::Key_W : Qt::Key_S);
        benchmark::DoNotOptimize(canvas.grab());
    }
}

void timelineBuild(benchmark::State& state)
{
    const auto run = tasksRun(static_cast<int>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(std::make_shared<const TimelineIndex>(run, false));
}

void timelineFrame(benchmark::State& state)
{
    const auto run = tasksRun(static_cast<int>(state.range(0)));
    TimelineCanvas canvas;
    canvas.resize(1400, 400);
    canvas.setIndex(std::make_shared<const TimelineIndex>(run, false));
    int step = 0;
    for (auto _ : state) {
        press(canvas, step++ % 32 < 16 ? Qt::Key_W : Qt::Key_S);
        benchmark::DoNotOptimize(canvas.viewport()->grab());
    }
}

} // namespace

BENCHMARK(memoryBuild)->Name("memory_view/build")->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(memoryFrame)
    ->Name("memory_view/frame")
    ->Args({1000, 0})
    ->Args({100000, 0})
    ->Args({100000, 1})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(timelineBuild)->Name("timeline_view/build")->Arg(10000)->Arg(1000000)->Unit(benchmark::kMillisecond);
BENCHMARK(timelineFrame)->Name("timeline_view/frame")->Arg(10000)->Arg(1000000)->Unit(benchmark::kMillisecond);

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
