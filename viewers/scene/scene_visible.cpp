// Which blocks and nodes a scene has under its folding, and what of it the scene before has already.

#include "viewers/scene/scene_builder_internal.h"

#include <algorithm>

namespace gelens {
namespace {

bool isSame(const std::vector<NodeCategory>& a, const std::vector<NodeCategory>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const NodeCategory& l, const NodeCategory& r) {
        return l.text == r.text && l.level == r.level;
    });
}

/// Whether two scenes of one graph may differ in nothing but the open blocks.
bool isSameButOpen(const SceneOptions& a, const SceneOptions& b)
{
    return a.showConstants == b.showConstants && a.labels == b.labels && a.colorBy == b.colorBy &&
           a.onlyNodes == b.onlyNodes && a.marks == b.marks && a.aspects == b.aspects &&
           isSame(a.categories, b.categories) && a.categoryOf == b.categoryOf && a.legendTexts == b.legendTexts &&
           a.rootKey == b.rootKey && a.words == b.words && a.keepGhosts == b.keepGhosts &&
           a.expandedHubs == b.expandedHubs;
}

} // namespace

SceneBuilder::SceneBuilder(std::shared_ptr<Scene> scene, LayoutEngine& engine, SceneChange change,
                           const Scene* previous, const OriginMap& origins, std::stop_token stop)
    : m_scene(std::move(scene)), m_graph(*m_scene->graph), m_fold(*m_scene->fold), m_engine(engine), m_change(change),
      m_previous(change == SceneChange::Fold ? previous : nullptr),
      m_anchor(change == SceneChange::Step ? previous : nullptr), m_origins(origins), m_stop(std::move(stop))
{
    m_takesOver = m_previous != nullptr && m_previous->graph == m_scene->graph && m_previous->fold == m_scene->fold &&
                  m_previous->visibility != nullptr && isSameButOpen(m_previous->options, m_scene->options);
    m_scene->family = m_anchor != nullptr ? m_anchor->family : std::make_shared<int>();
}

void SceneBuilder::standBeside(const Scene& otherBefore, const Scene& other)
{
    m_anchorBefore = &otherBefore;
    m_anchor = &other;
    m_scene->family = other.family;
}

bool SceneBuilder::run()
{
    findVisible();
    findFolded();
    makeLevels();
    makeItems();
    if (m_stop.stop_requested()) return false;
    makeEdges();
    if (m_stop.stop_requested()) return false;
    markChanges();
    if (!layOut()) return false;
    draw();
    return !m_stop.stop_requested();
}

void SceneBuilder::findVisible()
{
    if (m_takesOver) {
        m_scene->visibility = m_previous->visibility;
        m_visibility = m_scene->visibility.get();
        return;
    }
    const SceneOptions& options = m_scene->options;
    const auto& groups = m_fold.groups();
    const auto made = std::make_shared<SceneVisibility>();
    SceneVisibility& v = *made;
    v.root = options.rootKey.empty() ? 0 : std::max(0, m_fold.findKey(options.rootKey));
    v.isInside.assign(groups.size(), 0);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const int parent = groups[g].parent;
        v.isInside[g] =
            static_cast<int>(g) == v.root || (parent >= 0 && v.isInside[static_cast<std::size_t>(parent)] != 0);
    }
    v.isShown.assign(static_cast<std::size_t>(m_graph.nodeIdBound()), 0);
    if (!options.showConstants) v.isConstant.assign(v.isShown.size(), 0);
    v.shownBelow.assign(groups.size(), 0);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::vector<NodeId>& nodes = groups[g].nodes;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const auto index = static_cast<std::size_t>(nodes[n].value);
            if (!options.showConstants) {
                constexpr std::size_t ahead = 12;
                if (n + ahead < nodes.size()) willRead(&m_graph.node(nodes[n + ahead]).type);
                v.isConstant[index] = isConstantType(m_graph.node(nodes[n]).type);
                if (v.isConstant[index]) continue;
            }
            if (!v.isInside[g]) continue;
            if (!options.onlyNodes.empty() && (index >= options.onlyNodes.size() || !options.onlyNodes[index]))
                continue;
            v.isShown[index] = 1;
            ++v.shownBelow[g];
        }
    }
    for (std::size_t g = groups.size(); g-- > 1;) // parents have smaller numbers
        v.shownBelow[static_cast<std::size_t>(groups[g].parent)] += v.shownBelow[g];
    v.itemOfGroup.assign(groups.size(), -1);
    v.itemOfNode.assign(v.isShown.size(), -1);
    for (const FoldGroup& group : groups) { // in each block first the blocks, then the nodes
        std::int32_t item = 0;
        for (const int child : group.groups)
            if (v.shownBelow[static_cast<std::size_t>(child)] > 0)
                v.itemOfGroup[static_cast<std::size_t>(child)] = item++;
        for (const NodeId id : group.nodes)
            if (v.isShown[static_cast<std::size_t>(id.value)] != 0)
                v.itemOfNode[static_cast<std::size_t>(id.value)] = item++;
    }
    m_scene->visibility = made;
    m_visibility = made.get();
}

void SceneBuilder::findFolded()
{
    const auto& groups = m_fold.groups();
    const auto& open = m_scene->options.open;
    auto& isOpen = m_scene->isOpen;
    if (m_takesOver) { // mostly one of thousands differs
        isOpen = m_previous->isOpen;
        const auto toggle = [&](const std::string& key, std::uint8_t to) {
            if (const int group = m_fold.findKey(key); group >= 0) isOpen[static_cast<std::size_t>(group)] = to;
        };
        const auto& was = m_previous->options.open;
        auto a = was.begin();
        auto b = open.begin();
        while (a != was.end() || b != open.end()) {
            const int order = a == was.end() ? 1 : b == open.end() ? -1 : a->compare(*b);
            if (order < 0) toggle(*a++, 0);
            if (order > 0) toggle(*b++, 1);
            if (order == 0) ++a, ++b;
        }
    } else {
        isOpen.assign(groups.size(), 0);
        for (std::size_t g = 1; g < groups.size(); ++g) isOpen[g] = open.contains(groups[g].key);
    }
    auto& foldedInto = m_scene->foldedInto;
    foldedInto.assign(groups.size(), -1);
    for (std::size_t g = 1; g < groups.size(); ++g) {
        if (!m_visibility->isInside[g] || static_cast<int>(g) == m_visibility->root) continue;
        const int outer = foldedInto[static_cast<std::size_t>(groups[g].parent)];
        foldedInto[g] = outer >= 0 ? outer : isOpen[g] != 0 ? -1 : static_cast<int>(g);
    }
}

/// A level for each open block; what is the same as before is taken over.
void SceneBuilder::makeLevels()
{
    const auto& groups = m_fold.groups();
    m_scene->levelOf.assign(groups.size(), -1);
    auto& levels = m_scene->levels;
    if (m_takesOver) levels.reserve(m_previous->levels.size() + 8);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const bool isRoot = static_cast<int>(g) == m_visibility->root;
        if (!m_visibility->isInside[g] || foldedInto(static_cast<int>(g)) >= 0) continue;
        if (!isRoot && m_visibility->shownBelow[g] == 0) continue;
        m_scene->levelOf[g] = static_cast<int>(levels.size());
        SceneLevel& level = levels.emplace_back();
        level.group = static_cast<int>(g);
        if (isRoot) continue;
        level.parentLevel = levelOf(groups[g].parent);
        level.parentItem = m_visibility->itemOfGroup[g];
    }
    m_parts.resize(levels.size());
    for (std::size_t l = 0; l < levels.size(); ++l) {
        Part& made = m_parts[l];
        const int before = m_takesOver ? m_previous->levelOf[static_cast<std::size_t>(levels[l].group)] : -1;
        if (before < 0) {
            made.content = std::make_shared<LevelContent>();
            levels[l].content = made.content;
        } else {
            made.taken = &m_previous->levels[static_cast<std::size_t>(before)];
            made.isDirty = false;
            levels[l].content = made.taken->content;
        }
    }
    if (m_takesOver) findDirty();
}

/// Levels around what was opened or folded get other places.
void SceneBuilder::findDirty()
{
    const auto soil = [this](std::int32_t level) {
        for (; level >= 0 && !part(level).isDirty; level = levelAt(level).parentLevel) part(level).isDirty = true;
    };
    for (std::size_t l = 0; l < m_parts.size(); ++l) {
        const std::int32_t outer = m_scene->levels[l].parentLevel;
        if (m_parts[l].taken != nullptr || outer < 0 || part(outer).taken == nullptr) continue;
        part(outer).isOuter = true;
        soil(outer);
    }
    for (const SceneLevel& level : m_previous->levels)
        if (foldedInto(level.group) == level.group) soil(levelOf(m_fold.group(level.group).parent));
    if (m_anchorBefore == nullptr) return;
    // Beside another drawing: what moved there moves here too.
    std::unordered_map<std::string_view, const SceneLevel*> otherBefore, other;
    for (const SceneLevel& level : m_anchorBefore->levels)
        otherBefore.emplace(m_anchorBefore->fold->group(level.group).key, &level);
    for (const SceneLevel& level : m_anchor->levels) other.emplace(m_anchor->fold->group(level.group).key, &level);
    for (std::size_t l = 0; l < m_parts.size(); ++l) {
        const std::string& key = m_fold.group(m_scene->levels[l].group).key;
        const auto was = otherBefore.find(key), is = other.find(key);
        if (is != other.end() && (was == otherBefore.end() || was->second->places != is->second->places))
            soil(static_cast<std::int32_t>(l));
    }
}

} // namespace gelens
