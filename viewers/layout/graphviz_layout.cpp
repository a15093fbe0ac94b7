#include "viewers/layout/graphviz_layout.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

#include "viewers/layout/child_process.h"
#include "viewers/layout/hubs.h"
#include "viewers/layout/ranking.h"
#include "viewers/layout/stubs.h"

namespace gelens {
namespace {

constexpr double kPixelsPerInch = 72; ///< Graphviz's point taken as a pixel
constexpr int kPointsPerCurve = 8;    ///< a cubic becomes so many straight pieces

void appendNumber(std::string& text, double value)
{
    std::array<char, 64> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 5);
    text.append(buffer.data(), end.ptr);
}

void appendInches(std::string& text, double pixels) { appendNumber(text, pixels / kPixelsPerInch); }

bool isSent(const LayoutGraph& graph, const HubPlan& plan, std::size_t edge)
{
    const LayoutEdge& e = graph.edges[edge];
    const auto count = static_cast<int64_t>(graph.nodes.size());
    return !plan.stubbed[edge] && e.from >= 0 && e.to >= 0 && e.from < count && e.to < count;
}

std::string writeDot(const LayoutGraph& graph, const HubPlan& plan, const LayoutOptions& options)
{
    std::string text = "digraph{rankdir=TB;nodesep=";
    appendInches(text, options.nodeSpacing);
    text += ";ranksep=";
    appendInches(text, options.rankSpacing);
    text += ";node[shape=box,fixedsize=true,label=\"\"];edge[arrowhead=none];\n";
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        text += std::to_string(n) + "[width=";
        appendInches(text, safeLength(graph.nodes[n].width));
        text += ",height=";
        appendInches(text, safeLength(graph.nodes[n].height));
        text += "];\n";
    }
    for (std::size_t i = 0; i < graph.edges.size(); ++i)
        if (isSent(graph, plan, i)) {
            const LayoutEdge& e = graph.edges[i];
            text += std::to_string(e.from) + "->" + std::to_string(e.to) + (e.control ? "[weight=0];\n" : ";\n");
        }
    text += "}\n";
    return text;
}

/// Reads the words of one line.
class Words {
public:
    explicit Words(std::string_view line) : m_rest(line) {}
    std::string_view next()
    {
        const std::size_t begin = std::min(m_rest.find_first_not_of(" \r"), m_rest.size());
        m_rest.remove_prefix(begin);
        const std::size_t end = std::min(m_rest.find_first_of(" \r"), m_rest.size());
        const std::string_view word = m_rest.substr(0, end);
        m_rest.remove_prefix(end);
        return word;
    }
    template <typename T>
    bool read(T& value)
    {
        const std::string_view word = next();
        const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
        return result.ec == std::errc() && result.ptr == word.data() + word.size();
    }
    /// A length in inches, as pixels.
    bool readLength(double& pixels)
    {
        if (!read(pixels) || !std::isfinite(pixels)) return false;
        pixels *= kPixelsPerInch;
        return true;
    }

private:
    std::string_view m_rest;
};

/// Reads the `plain` format: graph, node, edge and stop lines.
class PlainReader {
public:
    PlainReader(const LayoutGraph& graph, const HubPlan& plan, LayoutResult& result)
        : m_graph(graph), m_plan(plan), m_result(result)
    {
    }

    bool read(std::string_view text)
    {
        m_result.centres.assign(m_graph.nodes.size(), {});
        m_placed.assign(m_graph.nodes.size(), 0);
        m_routes.assign(m_graph.edges.size(), {});
        indexEdges();
        bool stopped = false;
        while (!text.empty() && !stopped) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            Words words(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
            const std::string_view kind = words.next();
            if (kind == "stop")
                stopped = true;
            else if ((kind == "graph" && !readGraph(words)) || (kind == "node" && !readNode(words)) ||
                     (kind == "edge" && !readEdge(words)))
                return false;
        }
        return stopped && complete();
    }

private:
    /// Edges sorted by their ends, those of equal ends in their own order: the order in which the answer is matched.
    void indexEdges()
    {
        for (std::size_t i = 0; i < m_graph.edges.size(); ++i)
            if (isSent(m_graph, m_plan, i)) m_byEnds.push_back(static_cast<int32_t>(i));
        std::stable_sort(m_byEnds.begin(), m_byEnds.end(), [&](int32_t a, int32_t b) { return ends(a) < ends(b); });
    }

    std::pair<int32_t, int32_t> ends(int32_t edge) const { return {m_graph.edges[edge].from, m_graph.edges[edge].to}; }

    bool readGraph(Words& words)
    {
        double scale = 0;
        double width = 0;
        return words.read(scale) && words.readLength(width) && words.readLength(m_height);
    }

    bool readIndex(Words& words, int32_t& node) const
    {
        return words.read(node) && node >= 0 && static_cast<std::size_t>(node) < m_graph.nodes.size();
    }

    bool readPoint(Words& words, LayoutPoint& point) const
    {
        if (!words.readLength(point.x) || !words.readLength(point.y)) return false;
        point.y = m_height - point.y;
        return true;
    }

    bool readNode(Words& words)
    {
        int32_t node = 0;
        if (!readIndex(words, node) || !readPoint(words, m_result.centres[node])) return false;
        m_placed[node] = 1;
        return true;
    }

    bool readEdge(Words& words)
    {
        int32_t from = 0;
        int32_t to = 0;
        std::size_t count = 0;
        if (!readIndex(words, from) || !readIndex(words, to) || !words.read(count) || count < 4 || count % 3 != 1)
            return false;
        const auto key = std::pair(from, to);
        auto it = std::lower_bound(m_byEnds.begin(), m_byEnds.end(), key,
                                   [&](int32_t edge, const auto& k) { return ends(edge) < k; });
        while (it != m_byEnds.end() && ends(*it) == key && !m_routes[*it].empty()) ++it;
        if (it == m_byEnds.end() || ends(*it) != key) return false;
        return readCurve(words, count, m_routes[*it]);
    }

    bool readCurve(Words& words, std::size_t count, std::vector<LayoutPoint>& route) const
    {
        LayoutPoint p[4];
        if (!readPoint(words, p[0])) return false;
        route.push_back(p[0]);
        for (std::size_t i = 1; i < count; i += 3) {
            if (!readPoint(words, p[1]) || !readPoint(words, p[2]) || !readPoint(words, p[3])) return false;
            for (int k = 1; k <= kPointsPerCurve; ++k) {
                const double t = static_cast<double>(k) / kPointsPerCurve;
                const double a = (1 - t) * (1 - t) * (1 - t), b = 3 * t * (1 - t) * (1 - t);
                const double c = 3 * t * t * (1 - t), d = t * t * t;
                route.push_back({a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                                 a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y});
            }
            p[0] = p[3];
        }
        return true;
    }

    bool complete()
    {
        if (std::find(m_placed.begin(), m_placed.end(), 0) != m_placed.end()) return false;
        m_result.offsets.push_back(0);
        for (std::size_t i = 0; i < m_routes.size(); ++i) {
            if (m_routes[i].empty() && isSent(m_graph, m_plan, i)) return false;
            m_result.points.insert(m_result.points.end(), m_routes[i].begin(), m_routes[i].end());
            m_result.offsets.push_back(static_cast<uint32_t>(m_result.points.size()));
        }
        return true;
    }

    const LayoutGraph& m_graph;
    const HubPlan& m_plan;
    LayoutResult& m_result;
    double m_height = 0;
    std::vector<uint8_t> m_placed;
    std::vector<int32_t> m_byEnds;
    std::vector<std::vector<LayoutPoint>> m_routes;
};

std::string describe(const ChildResult& child, const LayoutOptions& options)
{
    const std::string& program = options.dotProgram;
    switch (child.end) {
    case ChildResult::End::NotStarted:
        return "Graphviz cannot be started: " + program + ": " + std::strerror(child.status);
    case ChildResult::End::TimedOut:
        return "Graphviz took longer than its budget of " + std::to_string(options.graphvizBudget.count()) + " ms";
    case ChildResult::End::TooMuchOutput: return "Graphviz wrote more than any layout needs";
    case ChildResult::End::Killed: return "Graphviz was ended by signal " + std::to_string(child.status);
    case ChildResult::End::Exited: return "Graphviz gave no layout (exit status " + std::to_string(child.status) + ")";
    case ChildResult::End::Cancelled: break;
    }
    return {};
}

LayoutResult layOut(const LayoutGraph& graph, const LayoutOptions& options)
{
    LayoutResult result;
    HubPlan plan;
    if (options.stubHubs)
        plan = planHubs(graph, options);
    else
        plan.stubbed.assign(graph.edges.size(), 0);
    result.cancelled = plan.cancelled;
    if (plan.cancelled) return result;
    if (graph.nodes.empty()) {
        result.offsets.assign(graph.edges.size() + 1, 0);
        return result;
    }
    ChildLimits limits;
    limits.time = options.graphvizBudget;
    limits.stop = options.stop;
    // Plain text takes some 100 bytes a node and 30 bytes a point; no route needs thousands of points.
    limits.output = (std::size_t{1} << 20) + 4096 * (graph.nodes.size() + graph.edges.size());
    const std::array<const char*, 1> arguments{"-Tplain"};
    const ChildResult child = runChild(options.dotProgram, arguments, writeDot(graph, plan, options), limits);
    if (child.end == ChildResult::End::Cancelled) {
        result.cancelled = true;
        return result;
    }
    if (child.end != ChildResult::End::Exited || child.status != 0) {
        result.error = describe(child, options);
        return result;
    }
    if (!PlainReader(graph, plan, result).read(child.output)) {
        result = {};
        result.error = describe(child, options);
        return result;
    }
    addStubs(graph, plan.stubbed, options, result);
    moveToOrigin(graph, result);
    return result;
}

} // namespace

LayoutResult graphvizLayout(const LayoutGraph& graph, const LayoutOptions& options)
{
    const auto begin = std::chrono::steady_clock::now();
    LayoutResult result = layOut(graph, options);
    result.engine = LayoutEngineKind::Graphviz;
    const auto end = std::chrono::steady_clock::now();
    result.milliseconds = std::chrono::duration<double, std::milli>(end - begin).count();
    return result;
}

} // namespace gelens
