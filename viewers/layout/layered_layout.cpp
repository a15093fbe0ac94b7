#include "viewers/layout/layered_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "viewers/layout/hubs.h"
#include "viewers/layout/layer_graph.h"
#include "viewers/layout/packing.h"
#include "viewers/layout/ranking.h"
#include "viewers/layout/stubs.h"

namespace gelens {
namespace {

constexpr double kMuchHigher = 48;       ///< than a box: about a card more
constexpr double kLoopRoom = 18;         ///< right of a box with a self-loop
constexpr std::size_t kLinesPerItem = 6; ///< long lines may pass so many rows for each node and edge

class LayeredLayout {
public:
    LayeredLayout(const LayoutGraph& graph, const LayoutOptions& options) : m_graph(graph), m_options(options) {}

    LayoutResult run()
    {
        const auto begin = std::chrono::steady_clock::now();
        m_result.engine = LayoutEngineKind::Layered;
        if (!layOut()) {
            m_result = {};
            m_result.cancelled = true;
        }
        const auto end = std::chrono::steady_clock::now();
        m_result.milliseconds = std::chrono::duration<double, std::milli>(end - begin).count();
        return std::move(m_result);
    }

private:
    bool layOut()
    {
        measureBoxes();
        HubPlan plan;
        if (m_options.stubHubs)
            plan = planHubs(m_graph, m_options);
        else
            plan.stubbed.assign(m_graph.edges.size(), 0);
        if (plan.cancelled || m_options.stop.stop_requested()) return false;
        m_stubbed = std::move(plan.stubbed);
        m_ranking = rankNodes(m_graph, m_stubbed, true, m_options.stop);
        if (m_ranking.cancelled) return false;
        stubLongest(m_graph, m_ranking.rank, m_ranking.reversed,
                    kLinesPerItem * (m_graph.nodes.size() + m_graph.edges.size()), m_stubbed);
        splitParts();
        m_result.centres.resize(m_graph.nodes.size());
        m_routeStart.assign(m_graph.edges.size(), 0);
        m_routeSize.assign(m_graph.edges.size(), 0);
        if (!layOutParts()) return false;
        packRoutes();
        addStubs(m_graph, m_stubbed, m_options, m_result);
        moveToOrigin(m_graph, m_result);
        return true;
    }

    void measureBoxes()
    {
        m_width.resize(m_graph.nodes.size());
        m_hasLoop.assign(m_graph.nodes.size(), 0);
        for (const LayoutEdge& e : m_graph.edges)
            if (e.from == e.to && e.from >= 0 && static_cast<std::size_t>(e.from) < m_graph.nodes.size())
                m_hasLoop[static_cast<std::size_t>(e.from)] = 1;
        for (std::size_t n = 0; n < m_width.size(); ++n)
            m_width[n] = safeLength(m_graph.nodes[n].width) + (m_hasLoop[n] ? 2 * kLoopRoom : 0);
    }

    double height(std::size_t node) const { return safeLength(m_graph.nodes[node].height); }

    bool isRouted(std::size_t edge) const { return !m_stubbed[edge] && isLayoutEdge(m_graph, m_graph.edges[edge]); }

    /// Connected parts, numbered by their smallest node; nodes and edges grouped by part.
    void splitParts()
    {
        const std::size_t count = m_graph.nodes.size();
        std::vector<int32_t> parent(count);
        std::iota(parent.begin(), parent.end(), 0);
        const auto root = [&](int32_t n) {
            while (parent[n] != n) n = parent[n] = parent[parent[n]];
            return n;
        };
        for (std::size_t i = 0; i < m_graph.edges.size(); ++i)
            if (isRouted(i)) {
                const int32_t a = root(m_graph.edges[i].from);
                const int32_t b = root(m_graph.edges[i].to);
                parent[std::max(a, b)] = std::min(a, b);
            }
        std::vector<int32_t> part(count);
        int32_t parts = 0;
        for (std::size_t n = 0; n < count; ++n) {
            const int32_t r = root(static_cast<int32_t>(n)); // never after n
            part[n] = r == static_cast<int32_t>(n) ? parts++ : part[r];
        }
        m_partNodes = group(part, parts);
        std::vector<int32_t> partOfEdge(m_graph.edges.size(), -1);
        for (std::size_t i = 0; i < partOfEdge.size(); ++i)
            if (isRouted(i)) partOfEdge[i] = part[m_graph.edges[i].from];
        m_partEdges = group(partOfEdge, parts);
    }

    struct Groups {
        std::vector<int32_t> start;
        std::vector<int32_t> items;
        std::span<const int32_t> of(int32_t g) const { return {items.data() + start[g], items.data() + start[g + 1]}; }
    };

    static Groups group(const std::vector<int32_t>& key, int32_t groups)
    {
        Groups result;
        result.start.assign(static_cast<std::size_t>(groups) + 1, 0);
        for (const int32_t k : key)
            if (k >= 0) ++result.start[k + 1];
        for (int32_t g = 0; g < groups; ++g) result.start[g + 1] += result.start[g];
        result.items.resize(result.start[groups]);
        std::vector<int32_t> next(result.start.begin(), result.start.end() - 1);
        for (std::size_t i = 0; i < key.size(); ++i)
            if (key[i] >= 0) result.items[next[key[i]]++] = static_cast<int32_t>(i);
        return result;
    }

    bool layOutParts()
    {
        const auto parts = static_cast<int32_t>(m_partNodes.start.size()) - 1;
        LayerGraphScratch scratch;
        scratch.local.resize(m_graph.nodes.size());
        std::vector<PackItem> items(static_cast<std::size_t>(parts));
        for (int32_t p = 0; p < parts; ++p) {
            if (p % 256 == 0 && m_options.stop.stop_requested()) return false;
            const auto nodes = m_partNodes.of(p);
            if (nodes.size() == 1) {
                const auto n = static_cast<std::size_t>(nodes.front());
                m_result.centres[n] = {m_width[n] / 2, height(n) / 2};
                items[p] = {m_width[n], height(n)};
                continue;
            }
            LayerGraph layers = buildLayerGraph(m_graph, nodes, m_partEdges.of(p), m_ranking.rank, m_ranking.reversed,
                                                m_width, scratch);
            if (!orderLayers(layers, m_options.stop) || !placeLayers(layers, m_options)) return false;
            choosePorts(layers, m_graph);
            items[p] = draw(layers);
        }
        const std::vector<LayoutPoint> corners = packParts(items, m_options);
        for (int32_t p = 0; p < parts; ++p) {
            for (const int32_t n : m_partNodes.of(p)) {
                m_result.centres[n].x += corners[p].x;
                m_result.centres[n].y += corners[p].y;
            }
            for (const int32_t e : m_partEdges.of(p))
                for (LayoutPoint& point : std::span(m_drawn).subspan(m_routeStart[e], m_routeSize[e])) {
                    point.x += corners[p].x;
                    point.y += corners[p].y;
                }
        }
        return true;
    }

    /// Boxes and routes of one part, its corner at (0, 0); returns its size.
    PackItem draw(const LayerGraph& layers)
    {
        const int32_t rows = layers.rowCount();
        m_rowTop.assign(rows, 0);
        m_rowBottom.assign(rows, 0);
        double y = 0;
        for (int32_t r = 0; r < rows; ++r) {
            double tallest = 0;
            for (const int32_t v : layers.row(r))
                if (!layers.isLine(v)) tallest = std::max(tallest, height(layers.node[v]));
            m_rowTop[r] = y;
            m_rowBottom[r] = y + tallest;
            y = m_rowBottom[r] + m_options.rankSpacing;
        }
        PackItem size{0, m_rowBottom.back()};
        for (int32_t v = 0; v < layers.vertexCount(); ++v) {
            size.width = std::max(size.width, layers.x[v] + layers.width[v] / 2);
            if (!layers.isLine(v)) m_result.centres[layers.node[v]] = {layers.x[v], middleOf(layers, v)};
        }
        for (std::size_t i = 0; i < layers.edge.size(); ++i) drawEdge(layers, i);
        return size;
    }

    /// Boxes of about one height stand side by side; beside a much higher one, an open block, a box stands at the top,
    /// where what it reads comes from.
    double middleOf(const LayerGraph& layers, int32_t vertex) const
    {
        const double top = m_rowTop[layers.rank[vertex]], bottom = m_rowBottom[layers.rank[vertex]];
        const double own = height(layers.node[vertex]);
        return bottom - top > own + kMuchHigher ? top + own / 2 : (top + bottom) / 2;
    }

    void addPoint(std::size_t first, double x, double y)
    {
        // A point on the straight line between its neighbours says nothing; most of them lie on vertical runs.
        while (m_drawn.size() >= first + 2) {
            const LayoutPoint& a = m_drawn[m_drawn.size() - 2];
            const LayoutPoint& b = m_drawn.back();
            if (std::abs((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) > 1e-6 * std::max(1.0, std::abs(y - a.y)))
                break;
            m_drawn.pop_back();
        }
        if (m_drawn.size() == first || m_drawn.back() != LayoutPoint{x, y}) m_drawn.push_back({x, y});
    }

    void drawEdge(const LayerGraph& layers, std::size_t index)
    {
        const int32_t edge = layers.edge[index];
        const LayerSegment& last = layers.segments[layers.edgeSegment[index]];
        const int32_t source = layers.edgeSource[index];
        const std::size_t first = m_drawn.size();
        const auto rowOf = [&](int32_t v) { return static_cast<std::size_t>(layers.rank[v]); };
        const auto box = [&](int32_t v) { return static_cast<std::size_t>(layers.node[v]); };

        // One segment enters the first vertex of a long line, and the line's vertices are numbered downwards.
        const int32_t line = layers.edgeLine[index];
        const LayerSegment& start = line < 0 ? last : layers.segments[layers.upOf(line).front()];
        addPoint(first, start.topX, m_result.centres[box(source)].y + height(box(source)) / 2);
        addPoint(first, start.topX, m_rowBottom[rowOf(source)]);
        if (line >= 0)
            for (int32_t v = line; v <= last.upper; ++v) {
                addPoint(first, layers.x[v], m_rowTop[rowOf(v)]);
                addPoint(first, layers.x[v], m_rowBottom[rowOf(v)]);
            }
        addPoint(first, last.bottomX, m_rowTop[rowOf(last.lower)]);
        addPoint(first, last.bottomX, m_result.centres[box(last.lower)].y - height(box(last.lower)) / 2);
        if (m_ranking.reversed[edge]) std::reverse(m_drawn.begin() + static_cast<std::ptrdiff_t>(first), m_drawn.end());
        m_routeStart[edge] = static_cast<uint32_t>(first);
        m_routeSize[edge] = static_cast<uint32_t>(m_drawn.size() - first);
    }

    void drawLoop(std::size_t node)
    {
        const LayoutPoint centre = m_result.centres[node];
        const double right = centre.x + safeLength(m_graph.nodes[node].width) / 2;
        const double quarter = height(node) / 4;
        m_result.points.push_back({right, centre.y + quarter});
        m_result.points.push_back({right + kLoopRoom * 0.7, centre.y + quarter});
        m_result.points.push_back({right + kLoopRoom * 0.7, centre.y - quarter});
        m_result.points.push_back({right, centre.y - quarter});
    }

    /// Routes in the order of edges.
    void packRoutes()
    {
        m_result.offsets.reserve(m_graph.edges.size() + 1);
        m_result.points.reserve(m_drawn.size());
        m_result.offsets.push_back(0);
        for (std::size_t i = 0; i < m_graph.edges.size(); ++i) {
            const LayoutEdge& e = m_graph.edges[i];
            if (isRouted(i)) {
                const auto first = m_drawn.begin() + m_routeStart[i];
                m_result.points.insert(m_result.points.end(), first, first + m_routeSize[i]);
            } else if (e.from == e.to && e.from >= 0 && static_cast<std::size_t>(e.from) < m_graph.nodes.size()) {
                drawLoop(static_cast<std::size_t>(e.from));
            }
            m_result.offsets.push_back(static_cast<uint32_t>(m_result.points.size()));
        }
    }

    const LayoutGraph& m_graph;
    const LayoutOptions& m_options;
    LayoutResult m_result;
    std::vector<double> m_width; ///< of boxes with their loops
    std::vector<uint8_t> m_hasLoop;
    std::vector<uint8_t> m_stubbed;
    Ranking m_ranking;
    Groups m_partNodes;
    Groups m_partEdges;
    std::vector<double> m_rowTop;
    std::vector<double> m_rowBottom;
    std::vector<LayoutPoint> m_drawn; ///< routes in the order of parts
    std::vector<uint32_t> m_routeStart;
    std::vector<uint32_t> m_routeSize;
};

} // namespace

LayoutResult layeredLayout(const LayoutGraph& graph, const LayoutOptions& options)
{
    return LayeredLayout(graph, options).run();
}

} // namespace gelens
