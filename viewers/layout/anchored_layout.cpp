#include "viewers/layout/anchored_layout.h"

#include <algorithm>
#include <cmath>

#include "viewers/layout/box_index.h"
#include "viewers/layout/edge_router.h"
#include "viewers/layout/hubs.h"
#include "viewers/layout/ranking.h"
#include "viewers/layout/stubs.h"

namespace gelens {
namespace {

constexpr double kCell = 160;  ///< pixels: about a box with its surroundings
constexpr int kMaxRings = 400; ///< of places tried around a wish, a box apart
constexpr std::size_t kStopInterval = 64;

class AnchoredLayout {
public:
    AnchoredLayout(const LayoutGraph& graph, const LayoutAnchors& anchors, const LayoutOptions& options)
        : m_graph(graph), m_anchors(anchors), m_options(options), m_new(kCell), m_all(kCell)
    {
    }

    LayoutResult run()
    {
        const auto begin = std::chrono::steady_clock::now();
        if (!layOut()) {
            m_result = {};
            m_result.cancelled = true;
        }
        m_result.engine = LayoutEngineKind::Anchored;
        const auto end = std::chrono::steady_clock::now();
        m_result.milliseconds = std::chrono::duration<double, std::milli>(end - begin).count();
        return std::move(m_result);
    }

private:
    bool layOut()
    {
        placeKept();
        if (!placeNew() || !chooseStubs() || !route()) return false;
        addStubs(m_graph, m_stubbed, m_options, m_result);
        measureBounds(m_graph, m_result);
        return true;
    }

    LayoutRect boxAt(std::size_t node, LayoutPoint centre, double margin = 0) const
    {
        const double w = safeLength(m_graph.nodes[node].width) / 2 + margin;
        const double h = safeLength(m_graph.nodes[node].height) / 2 + margin;
        return {centre.x - w, centre.y - h, centre.x + w, centre.y + h};
    }

    void place(std::size_t node, LayoutPoint centre)
    {
        m_result.centres[node] = centre;
        m_placed[node] = 1;
        m_all.insert(static_cast<int32_t>(node), boxAt(node, centre));
    }

    static bool isFinite(LayoutPoint p) { return std::isfinite(p.x) && std::isfinite(p.y); }

    void placeKept()
    {
        m_result.centres.resize(m_graph.nodes.size());
        m_placed.assign(m_graph.nodes.size(), 0);
        for (std::size_t n = 0; n < m_graph.nodes.size() && n < m_anchors.kept.size(); ++n)
            if (m_anchors.kept[n] && isFinite(*m_anchors.kept[n])) place(n, *m_anchors.kept[n]);
        m_isKept = m_placed;
        for (std::size_t n = 0; n < m_isKept.size(); ++n)
            if (m_isKept[n]) m_floor = std::max(m_floor, boxAt(n, m_result.centres[n]).bottom);
    }

    bool placeNew()
    {
        std::vector<std::size_t> rest;
        for (std::size_t n = 0; n < m_graph.nodes.size(); ++n) {
            if (m_placed[n]) continue;
            if (n < m_anchors.wanted.size() && m_anchors.wanted[n] && isFinite(*m_anchors.wanted[n])) {
                if (!placeNear(n, *m_anchors.wanted[n])) return false;
            } else {
                rest.push_back(n);
            }
        }
        return placeByNeighbours(rest);
    }

    /// Nodes without a wish, in the order of rows, so that a producer is placed before its consumer.
    bool placeByNeighbours(std::vector<std::size_t>& rest)
    {
        if (rest.empty()) return true;
        const Ranking ranking = rankNodes(m_graph, {}, false, m_options.stop);
        if (ranking.cancelled) return false;
        std::stable_sort(rest.begin(), rest.end(),
                         [&](std::size_t a, std::size_t b) { return ranking.rank[a] < ranking.rank[b]; });
        std::vector<std::vector<int32_t>> from(m_graph.nodes.size());
        std::vector<std::vector<int32_t>> to(m_graph.nodes.size());
        for (const LayoutEdge& e : m_graph.edges)
            if (isLayoutEdge(m_graph, e)) {
                from[static_cast<std::size_t>(e.to)].push_back(e.from);
                to[static_cast<std::size_t>(e.from)].push_back(e.to);
            }
        for (const std::size_t n : rest)
            if (!placeNear(n, middleOf(n, from[n], to[n]))) return false;
        return true;
    }

    LayoutPoint middleOf(std::size_t node, const std::vector<int32_t>& from, const std::vector<int32_t>& to) const
    {
        double x = 0;
        int count = 0;
        double above = -1e300;
        double below = 1e300;
        for (const int32_t n : from)
            if (m_placed[static_cast<std::size_t>(n)]) {
                x += m_result.centres[static_cast<std::size_t>(n)].x;
                above = std::max(above, m_all.box(n).bottom);
                ++count;
            }
        for (const int32_t n : to)
            if (m_placed[static_cast<std::size_t>(n)]) {
                x += m_result.centres[static_cast<std::size_t>(n)].x;
                below = std::min(below, m_all.box(n).top);
                ++count;
            }
        const double step = m_options.rankSpacing + safeLength(m_graph.nodes[node].height) / 2;
        if (count == 0) return {safeLength(m_graph.nodes[node].width) / 2, m_floor + step};
        if (above > -1e300 && below < 1e300) return {x / count, (above + below) / 2};
        return {x / count, above > -1e300 ? above + step : below - step};
    }

    /// The free place nearest to the wish, on rings of a rectangular grid around it.
    bool placeNear(std::size_t node, LayoutPoint wish)
    {
        if (++m_steps % kStopInterval == 0 && m_options.stop.stop_requested()) return false;
        const double margin = std::min(m_options.nodeSpacing, m_options.rankSpacing) / 2;
        const double dx = (safeLength(m_graph.nodes[node].width) + m_options.nodeSpacing) / 4;
        const double dy = (safeLength(m_graph.nodes[node].height) + m_options.rankSpacing) / 4;
        // A first guess that need not be free of its margin: what replaces a chain of the same size fits exactly.
        if (m_all.isFree(boxAt(node, wish))) {
            place(node, wish);
            return true;
        }
        for (int ring = 1; ring <= kMaxRings; ++ring) {
            if (m_options.stop.stop_requested()) return false;
            double best = 1e300;
            LayoutPoint found;
            const auto consider = [&](int i, int j) {
                const LayoutPoint p{wish.x + i * dx, wish.y + j * dy};
                const double distance = std::hypot(p.x - wish.x, p.y - wish.y);
                if (distance < best && m_all.isFree(boxAt(node, p, margin))) {
                    best = distance;
                    found = p;
                }
            };
            for (int i = -ring; i <= ring; ++i) {
                consider(i, -ring);
                consider(i, ring);
            }
            for (int j = -ring + 1; j < ring; ++j) {
                consider(-ring, j);
                consider(ring, j);
            }
            if (best < 1e300) {
                place(node, found);
                return true;
            }
        }
        // Hopelessly crowded: below everything.
        double bottom = 0;
        for (std::size_t n = 0; n < m_placed.size(); ++n)
            if (m_placed[n]) bottom = std::max(bottom, boxAt(n, m_result.centres[n]).bottom);
        place(node, {wish.x, bottom + m_options.rankSpacing + safeLength(m_graph.nodes[node].height) / 2});
        return true;
    }

    int32_t previousEdge(std::size_t edge) const
    {
        if (!m_anchors.previous || edge >= m_anchors.previousEdge.size()) return -1;
        const int32_t index = m_anchors.previousEdge[edge];
        return index >= 0 && static_cast<std::size_t>(index) + 1 < m_anchors.previous->offsets.size() ? index : -1;
    }

    /// Old stubs stay; among the other edges new hubs are looked for.
    bool chooseStubs()
    {
        m_stubbed.assign(m_graph.edges.size(), 0);
        if (!m_options.stubHubs) return true;
        HubPlan plan = planHubs(m_graph, m_options);
        if (plan.cancelled) return false;
        if (m_anchors.previous) {
            std::vector<uint8_t> wasStub(m_anchors.previous->offsets.size(), 0);
            for (const LayoutStub& s : m_anchors.previous->stubs)
                if (s.edge >= 0 && static_cast<std::size_t>(s.edge) < wasStub.size())
                    wasStub[static_cast<std::size_t>(s.edge)] = 1;
            for (std::size_t i = 0; i < m_graph.edges.size(); ++i)
                if (const int32_t old = previousEdge(i); old >= 0 && isLayoutEdge(m_graph, m_graph.edges[i]))
                    plan.stubbed[i] = wasStub[static_cast<std::size_t>(old)];
        }
        m_stubbed = std::move(plan.stubbed);
        return true;
    }

    bool route()
    {
        for (std::size_t n = 0; n < m_graph.nodes.size(); ++n)
            if (!m_isKept[n]) m_new.insert(static_cast<int32_t>(n), boxAt(n, m_result.centres[n]));
        const EdgeRouter router(m_all, m_options);
        m_result.offsets.push_back(0);
        for (std::size_t i = 0; i < m_graph.edges.size(); ++i) {
            if (i % kStopInterval == 0 && m_options.stop.stop_requested()) return false;
            routeEdge(router, i);
            m_result.offsets.push_back(static_cast<uint32_t>(m_result.points.size()));
        }
        return true;
    }

    void routeEdge(const EdgeRouter& router, std::size_t edge)
    {
        const LayoutEdge& e = m_graph.edges[edge];
        const auto count = static_cast<int64_t>(m_graph.nodes.size());
        if (m_stubbed[edge] || e.from < 0 || e.to < 0 || e.from >= count || e.to >= count) return;
        if (const int32_t old = previousEdge(edge); old >= 0 && m_isKept[e.from] && m_isKept[e.to]) {
            const auto before = m_anchors.previous->route(static_cast<std::size_t>(old));
            if (before.size() >= 2 && isClear(before)) {
                m_result.points.insert(m_result.points.end(), before.begin(), before.end());
                return;
            }
        }
        router.route(e.from, e.to, m_result.points);
    }

    /// No new box stands on this line.
    bool isClear(std::span<const LayoutPoint> line) const
    {
        for (std::size_t i = 0; i + 1 < line.size(); ++i)
            if (firstBoxOn(m_new, line[i], line[i + 1], -1, -1) >= 0) return false;
        return true;
    }

    const LayoutGraph& m_graph;
    const LayoutAnchors& m_anchors;
    const LayoutOptions& m_options;
    LayoutResult m_result;
    BoxIndex m_new; ///< the new boxes only: what may stand on a route that was free before
    BoxIndex m_all;
    std::vector<uint8_t> m_placed;
    std::vector<uint8_t> m_isKept;
    std::vector<uint8_t> m_stubbed;
    double m_floor = 0;
    std::size_t m_steps = 0;
};

} // namespace

LayoutResult anchoredLayout(const LayoutGraph& graph, const LayoutAnchors& anchors, const LayoutOptions& options)
{
    return AnchoredLayout(graph, anchors, options).run();
}

} // namespace gelens
