// The graph view on large graphs at 1920 × 1080, software raster: scene and index built, full repaint, pan, zoom step,
// opening a block, the next step. `frame…` reports the 95th percentile of single frames as p95_ms, and how many boxes were
// in view at the least.

#include "tests/viewers/graph_models.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"
#include "viewers/graph/graph_worker.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>

#include <algorithm>
#include <chrono>
#include <fstream>

#include <malloc.h>
#include <time.h>

using namespace gelens;
using namespace gelens::testing;

namespace {

std::shared_ptr<const Graph> decoder(int nodes)
{
    GraphMaker make;
    addDecoder(make, std::max(1, nodes / layerNodes), scopedName);
    return std::make_shared<Graph>(*make.graph);
}

std::shared_ptr<const Scene> flatScene(const std::shared_ptr<const Graph>& graph)
{
    LayoutEngine engine;
    return buildScene(graph, FoldModel::build(*graph, {false, false}), {}, engine, SceneChange::Fresh, nullptr, {}, {});
}

/// A line of /proc/self/status in MB: what the process holds, or held at most since `forgetPeak`.
double statusMb(std::string_view name)
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name)) return std::stod(line.substr(name.size())) / 1024;
    return 0;
}

/// What was given back to malloc counts as free, and the peak starts from here.
void forgetPeak()
{
    ::malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;
}

/// From the graph to the drawing: blocks, layout, boxes, lines, texts. `peak_mb` is all that this took at once.
void buildFlat(benchmark::State& state)
{
    const auto graph = decoder(static_cast<int>(state.range(0)));
    forgetPeak();
    const double before = statusMb("VmRSS:");
    benchmark::DoNotOptimize(flatScene(graph));
    state.counters["peak_mb"] = statusMb("VmHWM:") - before;
    for (auto _ : state) benchmark::DoNotOptimize(flatScene(graph));
}
BENCHMARK(buildFlat)->Name("scene/with_fold_and_layout")->Arg(1250)->Arg(20000)->Unit(benchmark::kMillisecond);

/// What is painted, from places that are known already: boxes, lines, texts, and the index that the canvas asks.
void buildSceneOnly(benchmark::State& state)
{
    const auto graph = decoder(static_cast<int>(state.range(0)));
    const auto fold = FoldModel::build(*graph, {false, false});
    LayoutEngine engine;
    (void)buildScene(graph, fold, {}, engine, SceneChange::Fresh, nullptr, {}, {});
    const double before = statusMb("VmRSS:");
    std::vector<std::shared_ptr<const Scene>> kept; // to see what one costs: four, and the mean
    for (int i = 0; i < 4; ++i)
        kept.push_back(buildScene(graph, fold, {}, engine, SceneChange::Fresh, nullptr, {}, {}));
    state.counters["scene_mb"] = (statusMb("VmRSS:") - before) / 4;
    kept.clear();
    for (auto _ : state) {
        const auto scene = buildScene(graph, fold, {}, engine, SceneChange::Fresh, nullptr, {}, {});
        benchmark::DoNotOptimize(SceneIndex(scene->drawing));
    }
}
BENCHMARK(buildSceneOnly)->Name("scene/decoder")->Arg(20000)->Unit(benchmark::kMillisecond);

/// The same with its blocks; only places are known already, whose time is bench_layout's.
void buildWithFold(benchmark::State& state)
{
    const auto graph = decoder(static_cast<int>(state.range(0)));
    LayoutEngine engine;
    for (auto _ : state) {
        const auto scene = buildScene(graph, FoldModel::build(*graph, {false, false}), {}, engine, SceneChange::Fresh,
                                      nullptr, {}, {});
        benchmark::DoNotOptimize(SceneIndex(scene->drawing));
    }
}
BENCHMARK(buildWithFold)->Name("scene/with_fold")->Arg(20000)->Unit(benchmark::kMillisecond);

void foldModel(benchmark::State& state)
{
    const auto graph = decoder(static_cast<int>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(FoldModel::build(*graph, {}));
}
BENCHMARK(foldModel)->Arg(1250)->Arg(20000)->Arg(100000)->Unit(benchmark::kMillisecond);

void buildIndex(benchmark::State& state)
{
    const auto scene = flatScene(decoder(static_cast<int>(state.range(0))));
    for (auto _ : state) benchmark::DoNotOptimize(SceneIndex(scene->drawing));
}
BENCHMARK(buildIndex)->Arg(20000)->Unit(benchmark::kMillisecond);

/// 20,000 boxes that can all be in view: chains side by side.
std::shared_ptr<const Graph> chains(int nodes)
{
    GraphMaker make;
    constexpr int length = 60;
    for (int c = 0; c < nodes / length; ++c) {
        NodeId x = make.add("Data", "in" + std::to_string(c), {});
        for (int i = 1; i < length; ++i)
            x = make.add(i % 3 == 0 ? "MatMulV2" : "Relu", "n" + std::to_string(c * length + i), {x});
    }
    return std::make_shared<Graph>(*make.graph);
}

/// Times single frames drawn into an image; `move` changes the view before each. Zoom 0: everything in view.
template <typename Move>
void frames(benchmark::State& state, double zoom, Move move)
{
    const auto scene = flatScene(chains(static_cast<int>(state.range(0))));
    GraphCanvas canvas;
    canvas.resize(1920, 1080);
    canvas.setScene(scene);
    if (zoom > 0)
        canvas.setView({scene->drawing.left + scene->drawing.width / 2, scene->drawing.top + scene->drawing.height / 2},
                       zoom);
    else
        canvas.fitAll();
    QImage image(1920, 1080, QImage::Format_RGB32);
    canvas.render(&image);
    // The thread's own time beside the wall's: other programs may run on the machine.
    const auto ownTime = [] {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    };
    std::vector<double> times, ownTimes;
    std::size_t fewest = scene->drawing.boxes.size();
    int frame = 0;
    for (auto _ : state) {
        const auto start = std::chrono::steady_clock::now();
        const double ownStart = ownTime();
        move(canvas, frame++);
        canvas.render(&image);
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        ownTimes.push_back(ownTime() - ownStart);
        state.PauseTiming();
        fewest = std::min(fewest, canvas.boxesInView(scene->drawing.boxes.size()).size());
        state.ResumeTiming();
    }
    for (auto* list : {&times, &ownTimes}) std::sort(list->begin(), list->end());
    state.counters["boxes_in_view"] = static_cast<double>(fewest);
    state.counters["p95_ms"] = times[times.size() * 95 / 100];
    state.counters["p95_cpu_ms"] = ownTimes[ownTimes.size() * 95 / 100];
    state.counters["max_cpu_ms"] = ownTimes.back();
}

/// Along the chains' broad side: downwards the view would soon stand still at the end of the drawing.
void framePan(benchmark::State& state)
{
    frames(state, 0.25, [](GraphCanvas& canvas, int frame) {
        canvas.setView(canvas.centre() + QPointF((frame / 200 % 2 == 0 ? 24 : -24) / canvas.zoom(), 0), canvas.zoom());
    });
}
BENCHMARK(framePan)->Arg(20000)->Arg(50000)->Unit(benchmark::kMillisecond)->Iterations(400);

/// To and fro in both directions by less than the room around the drawing: every box stays in view. The first frame
/// makes that room, and with it paints everything anew.
void framePanWithAllInView(benchmark::State& state)
{
    frames(state, 0, [](GraphCanvas& canvas, int frame) {
        if (frame == 0) return canvas.zoomBy(0.8);
        const double step = (frame / 4 % 2 == 0 ? 20 : -20) / canvas.zoom();
        canvas.setView(canvas.centre() + QPointF(step, step), canvas.zoom());
    });
}
BENCHMARK(framePanWithAllInView)->Arg(20000)->Arg(50000)->Unit(benchmark::kMillisecond)->Iterations(400);

void frameZoom(benchmark::State& state)
{
    frames(state, 0, [](GraphCanvas& canvas, int frame) { canvas.zoomBy(frame / 8 % 2 == 0 ? 1.2 : 1 / 1.2); });
}
BENCHMARK(frameZoom)->Arg(20000)->Unit(benchmark::kMillisecond)->Iterations(160);

void frameFullAtFit(benchmark::State& state)
{
    frames(state, 0, [](GraphCanvas& canvas, int frame) { canvas.resize(1920, 1080 - frame % 2); });
}
BENCHMARK(frameFullAtFit)->Arg(20000)->Unit(benchmark::kMillisecond)->Iterations(100);

void frameFullWithText(benchmark::State& state)
{
    frames(state, 0.5, [](GraphCanvas& canvas, int frame) { canvas.resize(1920, 1080 - frame % 2); });
}
BENCHMARK(frameFullWithText)->Arg(20000)->Unit(benchmark::kMillisecond)->Iterations(60);

void openLayer(benchmark::State& state)
{
    const auto graph = decoder(static_cast<int>(state.range(0)));
    LayoutEngine engine;
    const auto fold = FoldModel::build(*graph, {});
    SceneOptions folded;
    std::string layer;
    for (const FoldGroup& group : fold->groups()) {
        if (group.kind != FoldGroup::Kind::Instance) folded.open.insert(group.key);
        if (group.kind == FoldGroup::Kind::Instance) layer = group.key;
    }
    SceneOptions opened = folded;
    opened.open.insert(layer);
    const auto before = buildScene(graph, fold, folded, engine, SceneChange::Fresh, nullptr, {}, {});
    for (auto _ : state)
        benchmark::DoNotOptimize(buildScene(graph, fold, opened, engine, SceneChange::Fold, before.get(), {}, {}));
}
BENCHMARK(openLayer)->Arg(1250)->Arg(20000)->Unit(benchmark::kMillisecond);

/// Every node of a decoder is drawn but one layer in the middle, which is folded.
struct OneLayerFolded {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const FoldModel> fold;
    SceneOptions opened, folded;
    LayoutEngine engine;

    explicit OneLayerFolded(int nodes) : graph(decoder(nodes)), fold(FoldModel::build(*graph, {}))
    {
        std::vector<std::string> layers;
        for (const FoldGroup& group : fold->groups()) {
            opened.open.insert(group.key);
            if (group.kind == FoldGroup::Kind::Instance) layers.push_back(group.key);
        }
        folded = opened;
        folded.open.erase(layers[layers.size() / 2]);
    }
    std::shared_ptr<const Scene> build(const SceneOptions& options, const Scene* previous)
    {
        return buildScene(graph, fold, options, engine, previous ? SceneChange::Fold : SceneChange::Fresh, previous, {},
                          {});
    }
};

/// A layer is folded, or opened, while every other node is drawn; with what the canvas does before it paints.
void toggleLayerOfAll(benchmark::State& state, bool isFolding)
{
    OneLayerFolded model(static_cast<int>(state.range(0)));
    auto before = model.build(model.opened, nullptr);
    if (!isFolding) before = model.build(model.folded, before.get());
    state.counters["boxes"] = static_cast<double>(before->drawing.boxes.size());
    for (auto _ : state) {
        const auto scene = model.build(isFolding ? model.folded : model.opened, before.get());
        benchmark::DoNotOptimize(SceneIndex(scene->drawing));
    }
}
void foldLayerOfAll(benchmark::State& state) { toggleLayerOfAll(state, true); }
void openLayerOfAll(benchmark::State& state) { toggleLayerOfAll(state, false); }
BENCHMARK(foldLayerOfAll)->Arg(1250)->Arg(20000)->Unit(benchmark::kMillisecond);
BENCHMARK(openLayerOfAll)->Arg(1250)->Arg(20000)->Unit(benchmark::kMillisecond);

/// The same in both drawings of a step, with all that is asked of the run for it.
void foldLayerOfStep(benchmark::State& state)
{
    const auto run = makeRun(static_cast<int>(state.range(0)) / layerNodes);
    GraphRequest request;
    request.run = run;
    request.shown = StepId{1};
    request.engine = std::make_shared<LayoutEngine>();
    const auto fold = FoldModel::build(*run->graphAt(StepId{0}), {});
    request.open.emplace();
    std::vector<std::string> layers;
    for (const FoldGroup& group : fold->groups()) {
        request.open->insert(group.key);
        if (group.kind == FoldGroup::Kind::Instance) layers.push_back(group.key);
    }
    const auto first = workOut(request, {});
    request.scenes = first->scenes;
    request.known = first->difference;
    request.change = SceneChange::Fold;
    request.open->erase(layers[layers.size() / 2]);
    state.counters["boxes"] = static_cast<double>(first->before->drawing.boxes.size());
    for (auto _ : state) {
        const auto answer = workOut(request, {});
        benchmark::DoNotOptimize(SceneIndex(answer->before->drawing));
        benchmark::DoNotOptimize(SceneIndex(answer->after->drawing));
    }
}
BENCHMARK(foldLayerOfStep)->Arg(1250)->Arg(20000)->Unit(benchmark::kMillisecond);

/// And as a person sees it: from the click to the picture, one layer after the other folded and opened again.
void foldLayerInWindow(benchmark::State& state)
{
    const auto run = makeRun(static_cast<int>(state.range(0)) / layerNodes);
    GraphView view;
    view.resize(1920, 1080);
    view.setAnimated(false);
    view.show();
    bool isThere = false;
    QObject::connect(&view, &GraphView::layoutReady, [&] { isThere = true; });
    const auto wait = [&] {
        while (!std::exchange(isThere, false)) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 100);
    };
    view.setRun(run);
    view.setStep(StepId{1}, StepId{0});
    wait();
    view.openAll();
    wait();
    std::vector<std::string> layers;
    for (const FoldGroup& group : FoldModel::build(*run->graphAt(StepId{0}), {})->groups())
        if (group.kind == FoldGroup::Kind::Instance) layers.push_back(group.key);
    std::size_t click = 0;
    for (auto _ : state) {
        view.toggleGroup(layers[layers.size() / 2 + click++ / 2 % 8]);
        wait();
        view.repaint();
    }
}
BENCHMARK(foldLayerInWindow)->Arg(1250)->Arg(20000)->Unit(benchmark::kMillisecond)->Iterations(40)->UseRealTime();

void nextStep(benchmark::State& state)
{
    const auto run = makeRun(static_cast<int>(state.range(0)) / layerNodes);
    GraphRequest request;
    request.run = run;
    request.shown = StepId{1};
    request.folding = {false, false};
    request.engine = std::make_shared<LayoutEngine>();
    const auto first = workOut(request, {});
    request.scenes = first->scenes;
    for (auto _ : state) benchmark::DoNotOptimize(workOut(request, {}));
}
BENCHMARK(nextStep)->Arg(1250)->Arg(20000)->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
