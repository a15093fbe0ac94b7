#include "viewers/layout/stubs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "viewers/layout/ranking.h"

namespace gelens {
namespace {

constexpr double kStubShare = 0.4; ///< of the free space between rows
constexpr double kPortSpacing = 10;
constexpr double kCornerMargin = 6;

} // namespace

double safeLength(double length) { return std::isfinite(length) ? std::clamp(length, 1.0, 1e6) : 1.0; }

void addStubs(const LayoutGraph& graph, std::span<const uint8_t> stubbed, const LayoutOptions& options,
              LayoutResult& result)
{
    const double length = options.rankSpacing * kStubShare;
    std::vector<int32_t> count(graph.nodes.size(), 0);
    std::vector<int32_t> leaving(graph.nodes.size(), 0);
    for (std::size_t i = 0; i < graph.edges.size(); ++i)
        if (stubbed[i]) {
            ++count[static_cast<std::size_t>(graph.edges[i].to)];
            ++leaving[static_cast<std::size_t>(graph.edges[i].from)];
        }
    std::vector<int32_t> used(graph.nodes.size(), 0);
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
        if (!stubbed[i]) continue;
        // Stubs come in at the right end of the consumer's top side, where the routed lines are fewest.
        const auto to = static_cast<std::size_t>(graph.edges[i].to);
        const double half = safeLength(graph.nodes[to].width) / 2;
        const double room = std::max(0.0, 2 * (half - kCornerMargin));
        const double step = std::min(kPortSpacing, room / std::max(1, count[to]));
        const double x = result.centres[to].x + std::max(0.0, half - kCornerMargin) - step * used[to]++;
        const double y = result.centres[to].y - safeLength(graph.nodes[to].height) / 2;
        result.stubs.push_back(
            {static_cast<int32_t>(i), graph.edges[i].from, graph.edges[i].to, {x, y - length}, {x, y}});
    }
    for (std::size_t n = 0; n < leaving.size(); ++n) {
        if (leaving[n] == 0) continue;
        const double half = std::max(0.0, safeLength(graph.nodes[n].width) / 2 - kCornerMargin);
        const double x = result.centres[n].x + half;
        const double y = result.centres[n].y + safeLength(graph.nodes[n].height) / 2;
        result.hubs.push_back({static_cast<int32_t>(n), leaving[n], {x, y}, {x, y + length}});
    }
}

void measureBounds(const LayoutGraph& graph, LayoutResult& result)
{
    constexpr double kFar = std::numeric_limits<double>::infinity();
    LayoutRect box{kFar, kFar, -kFar, -kFar};
    const auto add = [&](double x, double y) {
        box.left = std::min(box.left, x);
        box.right = std::max(box.right, x);
        box.top = std::min(box.top, y);
        box.bottom = std::max(box.bottom, y);
    };
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const double w = safeLength(graph.nodes[n].width) / 2;
        const double h = safeLength(graph.nodes[n].height) / 2;
        add(result.centres[n].x - w, result.centres[n].y - h);
        add(result.centres[n].x + w, result.centres[n].y + h);
    }
    for (const LayoutPoint& p : result.points) add(p.x, p.y);
    for (const LayoutStub& s : result.stubs) add(s.label.x, s.label.y);
    for (const LayoutHub& h : result.hubs) add(h.label.x, h.label.y);
    result.bounds = box.left <= box.right ? box : LayoutRect{};
}

void moveToOrigin(const LayoutGraph& graph, LayoutResult& result)
{
    measureBounds(graph, result);
    const double dx = result.bounds.left;
    const double dy = result.bounds.top;
    const auto move = [&](LayoutPoint& p) {
        p.x -= dx;
        p.y -= dy;
    };
    std::for_each(result.centres.begin(), result.centres.end(), move);
    std::for_each(result.points.begin(), result.points.end(), move);
    for (LayoutStub& s : result.stubs) {
        move(s.label);
        move(s.end);
    }
    for (LayoutHub& h : result.hubs) {
        move(h.start);
        move(h.label);
    }
    result.bounds = {0, 0, result.bounds.right - dx, result.bounds.bottom - dy};
}

} // namespace gelens
