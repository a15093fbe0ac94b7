// From a graph to a scene: what is offered to the outside.

#include "engine/report/drawing_legend.h"
#include "viewers/scene/scene_builder_internal.h"

namespace gelens {

std::shared_ptr<const Scene> buildScene(std::shared_ptr<const Graph> graph, std::shared_ptr<const FoldModel> fold,
                                        SceneOptions options, LayoutEngine& engine, SceneChange change,
                                        const Scene* previous, const OriginMap& origins, std::stop_token stop)
{
    auto scene = std::make_shared<Scene>();
    scene->graph = std::move(graph);
    scene->fold = std::move(fold);
    scene->options = std::move(options);
    if (!SceneBuilder(scene, engine, change, previous, origins, std::move(stop)).run()) return nullptr;
    return scene;
}

std::shared_ptr<const Scene> foldBeside(const Scene& previous, const Scene& otherBefore, const Scene& other,
                                        SceneOptions options, LayoutEngine& engine, const OriginMap& origins,
                                        std::stop_token stop)
{
    if (previous.family != otherBefore.family) return nullptr;
    auto scene = std::make_shared<Scene>();
    scene->graph = previous.graph;
    scene->fold = previous.fold;
    scene->options = std::move(options);
    SceneBuilder builder(scene, engine, SceneChange::Fold, &previous, origins, std::move(stop));
    if (!builder.takesOver()) return nullptr;
    builder.standBeside(otherBefore, other);
    return builder.run() ? scene : nullptr;
}

std::shared_ptr<const Scene> buildExportScene(std::shared_ptr<const Graph> graph, ExportFolding folding,
                                              std::stop_token stop)
{
    LayoutEngine engine;
    if (folding == ExportFolding::Default) return buildDefaultScene(std::move(graph), engine, std::move(stop));
    FoldOptions options;
    options.byScopes = options.byBlocks = folding != ExportFolding::None;
    const auto fold = FoldModel::build(*graph, options, stop);
    SceneOptions scene;
    if (folding == ExportFolding::Open)
        for (const FoldGroup& group : fold->groups()) scene.open.insert(group.key);
    return buildScene(std::move(graph), fold, std::move(scene), engine, SceneChange::Fresh, nullptr, {},
                      std::move(stop));
}

GraphDrawing partOf(const GraphDrawing& drawing, const std::vector<std::uint8_t>& isIn)
{
    GraphDrawing part;
    part.title = drawing.title;
    part.legend = drawing.legend;
    std::vector<std::int32_t> newIndex(drawing.boxes.size(), -1);
    for (std::size_t i = 0; i < drawing.boxes.size(); ++i) {
        if (i >= isIn.size() || !isIn[i]) continue;
        newIndex[i] = static_cast<std::int32_t>(part.boxes.size());
        part.boxes.push_back(drawing.boxes[i]);
    }
    const auto moved = [&](std::int32_t box) { return box < 0 ? -1 : newIndex[static_cast<std::size_t>(box)]; };
    for (const DrawnEdge& edge : drawing.edges) {
        if (moved(edge.from) < 0 || moved(edge.to) < 0) continue;
        DrawnEdge copy = edge;
        copy.from = moved(edge.from);
        copy.to = moved(edge.to);
        const auto route = drawing.route(edge);
        copy.firstPoint = static_cast<std::uint32_t>(part.points.size());
        part.points.insert(part.points.end(), route.begin(), route.end());
        part.edges.push_back(std::move(copy));
    }
    for (const DrawnStub& stub : drawing.stubs) {
        const std::int32_t owner = stub.consumer < 0 ? stub.hub : stub.consumer;
        if (moved(owner) < 0) continue;
        DrawnStub copy = stub;
        copy.hub = moved(stub.hub);
        copy.consumer = moved(stub.consumer);
        part.stubs.push_back(std::move(copy));
    }
    recountLegend(part);
    measureDrawing(part);
    return part;
}

std::shared_ptr<const Scene> buildDefaultScene(std::shared_ptr<const Graph> graph, LayoutEngine& engine,
                                               std::stop_token stop)
{
    const auto fold = FoldModel::build(*graph, {}, stop);
    SceneOptions options;
    for (std::string& key : fold->initiallyOpen()) options.open.insert(std::move(key));
    return buildScene(std::move(graph), fold, std::move(options), engine, SceneChange::Fresh, nullptr, {},
                      std::move(stop));
}

} // namespace gelens
