#include "viewers/scene/box_count.h"

#include <algorithm>
#include <vector>

namespace gelens {

std::size_t boxCount(const Graph& graph, const FoldModel& fold, const SceneOptions& options)
{
    const std::vector<FoldGroup>& groups = fold.groups();
    const auto root =
        static_cast<std::size_t>(options.rootKey.empty() ? 0 : std::max(0, fold.findKey(options.rootKey)));
    const auto isShown = [&](NodeId id) {
        const auto index = static_cast<std::size_t>(id.value);
        if (!options.onlyNodes.empty() && (index >= options.onlyNodes.size() || options.onlyNodes[index] == 0))
            return false;
        return options.showConstants || !isConstantType(graph.node(id).type);
    };
    std::vector<bool> isOpen(groups.size(), false); // and drawn; parents stand before their children
    std::size_t boxes = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const int parent = groups[g].parent;
        if (g != root) {
            if (parent < 0 || !isOpen[static_cast<std::size_t>(parent)]) continue;
            ++boxes; // a card, or the frame of an open one
            if (!options.open.contains(groups[g].key)) continue;
        }
        isOpen[g] = true;
        boxes += static_cast<std::size_t>(std::count_if(groups[g].nodes.begin(), groups[g].nodes.end(), isShown));
    }
    return boxes;
}

std::size_t exportBoxCount(const Graph& graph, ExportFolding folding)
{
    FoldOptions how;
    how.byScopes = how.byBlocks = folding != ExportFolding::None;
    const auto fold = FoldModel::build(graph, how);
    SceneOptions options;
    if (folding == ExportFolding::Open)
        for (const FoldGroup& group : fold->groups()) options.open.insert(group.key);
    if (folding == ExportFolding::Default)
        for (std::string& key : fold->initiallyOpen()) options.open.insert(std::move(key));
    return boxCount(graph, *fold, options);
}

} // namespace gelens
