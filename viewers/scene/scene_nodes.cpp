// Which box shows which node.

#include "viewers/scene/scene_builder_internal.h"

#include <algorithm>

namespace gelens {

void SceneBuilder::indexNodes()
{
    if (m_takesOver)
        carryNodes();
    else
        m_scene->boxOfNode.assign(m_visibility->isShown.size(), -1);
    for (std::size_t g = 0; g < m_fold.groups().size(); ++g) {
        if (!isMadeGroup(static_cast<int>(g))) continue;
        for (const NodeId id : m_fold.groups()[g].nodes) {
            const Place place = placeOf(id);
            if (place.isValid()) boxOf(id) = levelAt(place.level).firstBox + place.item;
        }
    }
    for (std::size_t l = 0; l < m_parts.size(); ++l) {
        if (m_parts[l].taken != nullptr) continue;
        const SceneLevel& level = m_scene->levels[l];
        for (std::size_t k = 0; k < level.items().size(); ++k)
            if (const SceneItem& item = level.items()[k]; item.isGhost && item.node.isValid())
                boxOf(item.node) = level.firstBox + static_cast<std::int32_t>(k);
    }
    indexConstants();
}

/// A constant is shown by the card that reads it.
void SceneBuilder::indexConstants()
{
    if (m_scene->options.showConstants) return;
    // Where nothing was opened, what was carried over is right; else those that a folded card stood for are looked at.
    std::vector<std::uint8_t> wasCard;
    if (m_takesOver) {
        wasCard.assign(m_previous->drawing.boxes.size(), 0);
        bool isAny = false;
        for (std::size_t l = 0; l < m_parts.size(); ++l) {
            const int group = m_scene->levels[l].group, parent = m_fold.group(group).parent;
            if (m_parts[l].taken != nullptr || parent < 0) continue;
            const int before = m_previous->levelOf[static_cast<std::size_t>(parent)];
            if (before < 0) continue;
            wasCard[static_cast<std::size_t>(m_previous->levels[static_cast<std::size_t>(before)].firstBox +
                                             m_visibility->itemOfGroup[static_cast<std::size_t>(group)])] = 1;
            isAny = true;
        }
        if (!isAny) return;
    }
    for (const FoldGroup& group : m_fold.groups())
        for (const NodeId id : group.nodes) {
            const auto index = static_cast<std::size_t>(id.value);
            if (!m_visibility->isConstant[index]) continue;
            if (m_takesOver) {
                const std::int32_t before = m_previous->boxOfNode[index];
                if (before < 0 || !wasCard[static_cast<std::size_t>(before)]) continue;
            }
            const Node& node = m_graph.node(id);
            if (!node.outputs.empty() && !node.outputs[0].consumers.empty())
                m_scene->boxOfNode[index] = m_scene->boxOf(node.outputs[0].consumers.front().node);
        }
}

std::int32_t& SceneBuilder::boxOf(NodeId id)
{
    auto& boxes = m_scene->boxOfNode;
    const auto index = static_cast<std::size_t>(id.value);
    if (index >= boxes.size()) boxes.resize(index + 1, -1); // ghosts: their graph may have had more nodes
    return boxes[index];
}

/// Boxes are numbered level by level: behind what was opened or folded all have other numbers.
void SceneBuilder::carryNodes()
{
    std::vector<std::int32_t> moved(m_previous->drawing.boxes.size(), -1);
    for (const SceneLevel& before : m_previous->levels) {
        const std::int32_t end = before.firstBox + static_cast<std::int32_t>(before.items().size());
        const int now = levelOf(before.group);
        const int card = now < 0 ? foldedInto(before.group) : -1;
        const Place place = card >= 0 ? placeOfGroup(card) : Place{};
        for (std::int32_t b = before.firstBox; b < end; ++b) {
            const std::int32_t item = b - before.firstBox;
            if (now >= 0)
                moved[static_cast<std::size_t>(b)] = levelAt(now).firstBox + item;
            else if (place.isValid() && !before.items()[static_cast<std::size_t>(item)].isGhost)
                moved[static_cast<std::size_t>(b)] = levelAt(place.level).firstBox + place.item;
        }
    }
    auto& boxes = m_scene->boxOfNode;
    boxes = m_previous->boxOfNode;
    for (std::int32_t& box : boxes)
        if (box >= 0) box = moved[static_cast<std::size_t>(box)];
}

} // namespace gelens
