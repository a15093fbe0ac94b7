#include "viewers/layout/hubs.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "viewers/layout/ranking.h"

namespace gelens {
namespace {

constexpr int32_t kNearRows = 3; ///< consumers so near to the first one keep their edge to the hub

struct Reach {
    int32_t consumers = 0;
    int32_t first = std::numeric_limits<int32_t>::max();
    int32_t last = 0;
};

} // namespace

HubPlan planHubs(const LayoutGraph& graph, const LayoutOptions& options)
{
    HubPlan plan;
    plan.stubbed.assign(graph.edges.size(), 0);
    // Fan-out alone is cheap to look at, and most graphs have no candidate.
    std::vector<Reach> reach(graph.nodes.size());
    for (const LayoutEdge& edge : graph.edges)
        if (isLayoutEdge(graph, edge)) ++reach[static_cast<std::size_t>(edge.from)].consumers;
    const auto isWide = [&](const Reach& r) { return r.consumers >= std::max(2, options.hubMinFanOut); };
    if (std::none_of(reach.begin(), reach.end(), isWide)) return plan;

    const Ranking ranking = rankNodes(graph, {}, false, options.stop);
    plan.cancelled = ranking.cancelled;
    if (plan.cancelled) return plan;
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
        const LayoutEdge& edge = graph.edges[i];
        if (!isLayoutEdge(graph, edge)) continue;
        Reach& r = reach[static_cast<std::size_t>(edge.from)];
        const int32_t rank = ranking.rank[static_cast<std::size_t>(edge.to)];
        r.first = std::min(r.first, rank);
        r.last = std::max(r.last, rank);
    }
    std::vector<uint8_t> isHub(graph.nodes.size(), 0);
    for (std::size_t n = 0; n < reach.size(); ++n)
        isHub[n] = isWide(reach[n]) && !graph.nodes[n].expandHub &&
                   reach[n].last - reach[n].first >= std::max(kNearRows + 1, options.hubMinSpan);
    std::vector<uint8_t> loses(graph.nodes.size(), 0);
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
        const LayoutEdge& edge = graph.edges[i];
        if (!isLayoutEdge(graph, edge) || !isHub[static_cast<std::size_t>(edge.from)]) continue;
        const auto from = static_cast<std::size_t>(edge.from);
        if (ranking.rank[static_cast<std::size_t>(edge.to)] > reach[from].first + kNearRows) {
            plan.stubbed[i] = 1;
            loses[from] = 1;
        }
    }
    for (std::size_t n = 0; n < loses.size(); ++n)
        if (loses[n]) plan.hubs.push_back(static_cast<int32_t>(n));
    return plan;
}

std::size_t stubLongest(const LayoutGraph& graph, std::span<const int32_t> rank, std::span<const uint8_t> reversed,
                        std::size_t limit, std::vector<uint8_t>& stubbed)
{
    std::vector<int32_t> longest(graph.nodes.size());
    const auto taken = [&](std::size_t i) { return !stubbed[i] && isLayoutEdge(graph, graph.edges[i]); };
    const auto span = [&](std::size_t i) {
        const LayoutEdge& edge = graph.edges[i];
        return std::abs(rank[static_cast<std::size_t>(edge.to)] - rank[static_cast<std::size_t>(edge.from)]);
    };
    const auto fits = [&](int32_t maxSpan) {
        std::fill(longest.begin(), longest.end(), 1);
        std::size_t total = 0;
        for (std::size_t i = 0; i < graph.edges.size(); ++i) {
            if (!taken(i) || span(i) > maxSpan) continue;
            const auto source = static_cast<std::size_t>(reversed[i] ? graph.edges[i].to : graph.edges[i].from);
            if (span(i) > longest[source]) {
                total += static_cast<std::size_t>(span(i) - longest[source]);
                longest[source] = span(i);
            }
        }
        return total <= limit;
    };
    int32_t high = 1;
    for (std::size_t i = 0; i < graph.edges.size(); ++i)
        if (taken(i)) high = std::max(high, span(i));
    if (fits(high)) return 0;
    int32_t low = 1; // edges between neighbouring rows always fit
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        (fits(middle) ? low : high) = middle;
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < graph.edges.size(); ++i)
        if (taken(i) && span(i) > low) {
            stubbed[i] = 1;
            ++count;
        }
    return count;
}

} // namespace gelens
