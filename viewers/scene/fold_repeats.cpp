// Blocks that come again: numbered siblings ("layers.0", "layers.1", …) and equal structure without such names.

#include "viewers/scene/block_finder.h"
#include "viewers/scene/fold_builder_internal.h"

#include <algorithm>
#include <map>
#include <set>

namespace gelens {
namespace {

constexpr std::size_t minSiblings = 3;
constexpr std::size_t minDirectNodes = 12; ///< below this a search for blocks is not worth it

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// The title with its last number replaced by '#'; empty when there is no number.
std::string numberPattern(const std::string& title)
{
    std::size_t end = title.size();
    while (end > 0 && !isDigit(title[end - 1])) --end;
    if (end == 0) return {};
    std::size_t begin = end;
    while (begin > 0 && isDigit(title[begin - 1])) --begin;
    return title.substr(0, begin) + "#" + title.substr(end);
}

/// "layers.#" → "layers".
std::string patternTitle(const std::string& pattern)
{
    std::string title = pattern;
    if (const auto at = title.find('#'); at != std::string::npos) title.erase(at, 1);
    while (!title.empty() && (title.back() == '.' || title.back() == '_' || title.back() == '-' || title.back() == '/'))
        title.pop_back();
    return title;
}

} // namespace

/// Hash of each group by the structure of all that is in it, names left out.
std::vector<std::uint64_t> FoldBuilder::structureHashes() const
{
    std::vector<std::vector<NodeId>> direct(m_drafts.size());
    for (const NodeId id : m_order)
        if (!isConstantType(m_graph.node(id).type)) direct[static_cast<std::size_t>(groupOf(id))].push_back(id);
    std::vector<std::uint64_t> hashes(m_drafts.size(), 0);
    const std::vector<int> order = outsideIn();
    for (auto g = order.rbegin(); g != order.rend(); ++g) {
        std::uint64_t hash = structureHash(m_graph, direct[static_cast<std::size_t>(*g)]);
        for (const int child : at(*g).children)
            hash = hash * 0x9e3779b97f4a7c15u + hashes[static_cast<std::size_t>(child)];
        hashes[static_cast<std::size_t>(*g)] = hash;
    }
    return hashes;
}

bool FoldBuilder::hasNumberedChildren(int group) const
{
    // "layers.0" beside others can stand in the graph itself; "0", "1", "2" need the scope's name.
    const auto& children = at(group).children;
    const auto isNumber = [this](int child) { return numberPattern(at(child).group.title) == "#"; };
    const auto count = std::count_if(children.begin(), children.end(), isNumber);
    return static_cast<std::size_t>(count) >= minSiblings;
}

void FoldBuilder::foldNumberedSiblings()
{
    countNodes();
    const std::vector<std::uint64_t> hashes = structureHashes();
    for (const int parent : outsideIn()) {
        if (m_stop.stop_requested()) return;
        std::map<std::string, std::vector<int>> families;
        for (const int child : at(parent).children)
            if (at(child).group.kind == FoldGroup::Kind::Scope)
                if (const std::string pattern = numberPattern(at(child).group.title); !pattern.empty())
                    families[pattern].push_back(child);
        for (const auto& [pattern, siblings] : families)
            if (siblings.size() >= minSiblings) {
                std::set<std::uint64_t> shapes;
                for (const int child : siblings) shapes.insert(hashes[static_cast<std::size_t>(child)]);
                wrapSiblings(parent, pattern, siblings, static_cast<int>(shapes.size()));
            }
    }
}

void FoldBuilder::wrapSiblings(int parent, const std::string& pattern, const std::vector<int>& siblings, int variants)
{
    // Blocks that only happen to carry numbers ("stage1", "stage2") are no repetition.
    if (variants * 2 > static_cast<int>(siblings.size())) return;

    int inside = 0;
    for (const int child : siblings) inside += at(child).subtreeNodes;
    int repeat = parent;
    if (inside == at(parent).subtreeNodes && at(parent).group.kind == FoldGroup::Kind::Scope) {
        at(parent).group.kind = FoldGroup::Kind::Repeat; // "layers" holds nothing but 0, 1, 2, …
    } else {
        std::string title = patternTitle(pattern);
        if (title.empty()) title = at(parent).group.title.empty() ? "block" : at(parent).group.title;
        repeat = add(FoldGroup::Kind::Repeat, parent, at(parent).group.key + "/*" + pattern, title);
        auto& children = at(parent).children;
        for (const int child : siblings) at(child).group.parent = repeat;
        std::erase_if(children, [&](int child) { return at(child).group.parent != parent; });
        at(repeat).children = siblings;
        at(repeat).subtreeNodes = inside;
    }
    at(repeat).group.repeats = static_cast<int>(siblings.size());
    at(repeat).group.variants = variants;
    for (const int child : siblings) at(child).group.kind = FoldGroup::Kind::Instance;
}

void FoldBuilder::foldBlocks()
{
    std::vector<std::vector<NodeId>> direct(m_drafts.size());
    for (const NodeId id : m_order) {
        const bool isMember = !isConstantType(m_graph.node(id).type);
        if (isMember) direct[static_cast<std::size_t>(groupOf(id))].push_back(id);
    }
    for (const int g : outsideIn()) {
        if (m_stop.stop_requested()) return;
        if (direct[static_cast<std::size_t>(g)].size() < minDirectNodes) continue;
        int ordinal = 0;
        for (const RepeatedBlock& block : findRepeatedBlocks(m_graph, direct[static_cast<std::size_t>(g)], m_stop)) {
            const std::string key = at(g).group.key + "/=" + std::to_string(ordinal++);
            const int repeat = add(FoldGroup::Kind::Repeat, g, key, "block");
            at(repeat).group.repeats = static_cast<int>(block.instances.size());
            at(repeat).group.variants = 1;
            for (std::size_t i = 0; i < block.instances.size(); ++i) {
                const int instance =
                    add(FoldGroup::Kind::Instance, repeat, key + "/" + std::to_string(i), "block " + std::to_string(i));
                for (const NodeId id : block.instances[i]) groupOf(id) = instance;
            }
        }
    }
    placeConstants();
}

} // namespace gelens
