#include "viewers/layout/layout_engine.h"

#include <algorithm>
#include <bit>

#include "viewers/layout/graphviz_layout.h"
#include "viewers/layout/layered_layout.h"

namespace gelens {
namespace {

/// A part of the time that `dot` needs grows with edges; a dense graph of few nodes is no small graph to it.
constexpr std::size_t kGraphvizEdgesPerNode = 4;

std::size_t hashOf(const LayoutGraph& graph)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;
    const auto mix = [&](uint64_t value) {
        hash ^= value;
        hash *= 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    };
    mix(graph.nodes.size());
    for (const LayoutNode& n : graph.nodes) {
        mix(std::bit_cast<uint64_t>(n.width));
        mix(std::bit_cast<uint64_t>(n.height) + n.expandHub);
    }
    for (const LayoutEdge& e : graph.edges)
        mix((static_cast<uint64_t>(static_cast<uint32_t>(e.from)) << 32 | static_cast<uint32_t>(e.to)) + e.control);
    return hash;
}

/// Everything that the drawing depends on; not the stop token.
bool sameOptions(const LayoutOptions& a, const LayoutOptions& b)
{
    return a.nodeSpacing == b.nodeSpacing && a.edgeSpacing == b.edgeSpacing && a.rankSpacing == b.rankSpacing &&
           a.componentSpacing == b.componentSpacing && a.stubHubs == b.stubHubs && a.hubMinFanOut == b.hubMinFanOut &&
           a.hubMinSpan == b.hubMinSpan && a.dotProgram == b.dotProgram;
}

} // namespace

bool LayoutEngine::suitsGraphviz(const LayoutGraph& graph, const LayoutOptions& options)
{
    return !graph.nodes.empty() && graph.nodes.size() <= options.graphvizMaxNodes &&
           graph.edges.size() <= kGraphvizEdgesPerNode * options.graphvizMaxNodes && options.graphvizBudget.count() > 0;
}

LayoutResult LayoutEngine::layout(const LayoutGraph& graph, const LayoutOptions& options)
{
    switch (options.engine) {
    case LayoutEngineKind::Graphviz: return cached(graph, options, LayoutEngineKind::Graphviz);
    case LayoutEngineKind::Auto:
        if (std::optional<LayoutResult> refined = refine(graph, options)) return std::move(*refined);
        break;
    case LayoutEngineKind::Layered:
    case LayoutEngineKind::Anchored: break;
    }
    return firstPicture(graph, options);
}

LayoutResult LayoutEngine::firstPicture(const LayoutGraph& graph, const LayoutOptions& options)
{
    return cached(graph, options, LayoutEngineKind::Layered);
}

std::optional<LayoutResult> LayoutEngine::refine(const LayoutGraph& graph, const LayoutOptions& options)
{
    if (!suitsGraphviz(graph, options)) return std::nullopt;
    LayoutResult result = cached(graph, options, LayoutEngineKind::Graphviz);
    if (!result.ok()) return std::nullopt;
    return result;
}

std::optional<LayoutResult> LayoutEngine::knownRefinement(const LayoutGraph& graph, const LayoutOptions& options)
{
    if (!suitsGraphviz(graph, options)) return std::nullopt;
    const auto known = find(hashOf(graph), graph, options, LayoutEngineKind::Graphviz);
    return known ? std::optional<LayoutResult>(*known) : std::nullopt;
}

LayoutResult LayoutEngine::cached(const LayoutGraph& graph, const LayoutOptions& options, LayoutEngineKind engine)
{
    const std::size_t hash = hashOf(graph);
    if (const auto known = find(hash, graph, options, engine)) return *known;
    LayoutResult result =
        engine == LayoutEngineKind::Graphviz ? graphvizLayout(graph, options) : layeredLayout(graph, options);
    // Failures are not kept: the next try may have more time.
    const std::size_t items = graph.nodes.size() + graph.edges.size();
    if (result.ok() && items <= m_capacity)
        keep({hash, engine, graph, options, std::make_shared<const LayoutResult>(result), items});
    return result;
}

std::shared_ptr<const LayoutResult> LayoutEngine::find(std::size_t hash, const LayoutGraph& graph,
                                                       const LayoutOptions& options, LayoutEngineKind engine)
{
    const std::lock_guard lock(m_mutex);
    for (auto it = m_entries.begin(); it != m_entries.end(); ++it) {
        if (it->hash != hash || it->engine != engine || !sameOptions(it->options, options) || it->graph != graph)
            continue;
        m_entries.splice(m_entries.begin(), m_entries, it);
        return it->result;
    }
    return nullptr;
}

void LayoutEngine::keep(Entry entry)
{
    entry.options.stop = {};
    const std::lock_guard lock(m_mutex);
    m_items += entry.items;
    m_entries.push_front(std::move(entry));
    while (m_items > m_capacity && m_entries.size() > 1) {
        m_items -= m_entries.back().items;
        m_entries.pop_back();
    }
}

} // namespace gelens
