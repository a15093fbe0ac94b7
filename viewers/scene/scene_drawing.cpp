// From placed levels to boxes, lines and signs in scene coordinates.

#include "engine/report/drawing_style.h"
#include "engine/session/node_facts.h"
#include "viewers/scene/scene_builder_internal.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

namespace gelens {

void measureDrawing(GraphDrawing& drawing)
{
    constexpr double far = std::numeric_limits<double>::infinity();
    double left = far, top = far, right = -far, bottom = -far;
    const auto include = [&](double x, double y) {
        left = std::min(left, x);
        right = std::max(right, x);
        top = std::min(top, y);
        bottom = std::max(bottom, y);
    };
    for (const DrawnBox& box : drawing.boxes) {
        include(box.x, box.y);
        include(box.right(), box.bottom());
    }
    for (const DrawnPoint& p : drawing.points) include(p.x, p.y);
    if (left > right) left = right = top = bottom = 0;
    drawing.left = left;
    drawing.top = top;
    drawing.width = right - left;
    drawing.height = bottom - top;
}

void SceneBuilder::draw()
{
    GraphDrawing& drawing = m_scene->drawing;
    drawing.title = m_graph.name();
    std::size_t boxCount = 0, edgeCount = 0, pointCount = 0;
    for (const SceneLevel& level : m_scene->levels) {
        boxCount += level.items().size();
        edgeCount += level.edges().size();
        pointCount += level.layout().points.size();
    }
    drawing.boxes.reserve(boxCount);
    drawing.edges.reserve(edgeCount + boxCount / 8);
    drawing.points.reserve(pointCount + boxCount / 4);
    const auto levels = static_cast<int>(m_parts.size());
    for (int level = 0; level < levels; ++level) {
        drawBoxes(level);
        if (m_stop.stop_requested()) return;
    }
    for (int level = 0; level < levels; ++level) {
        drawEdges(level);
        if (part(level).isDirty) {
            drawLabels(level);
            noteChanges(level);
        }
        drawPortLines(level);
        drawStubs(level);
        if (m_stop.stop_requested()) return;
    }
    measureDrawing(drawing);
    indexNodes();
    makeSigns();
    makeLegend();
}

void SceneBuilder::placeBox(DrawnBox& box, const SceneLevel& level, std::size_t item)
{
    box.x = level.originX + level.layout().centres[item].x - box.width / 2;
    box.y = level.originY + level.layout().centres[item].y - box.height / 2;
}

void SceneBuilder::drawBoxes(int index)
{
    SceneLevel& level = levelAt(index);
    Part& made = part(index);
    auto& boxes = m_scene->drawing.boxes;
    level.firstBox = static_cast<std::int32_t>(boxes.size());
    std::uint8_t depth = 0;
    for (int up = level.parentLevel; up >= 0; up = levelAt(up).parentLevel)
        depth = static_cast<std::uint8_t>(std::min(255, depth + 1));
    const SceneOptions& options = m_scene->options;
    const auto finish = [&](DrawnBox& box, std::size_t item) {
        box.depth = depth;
        box.isUnitStripe = options.colorBy == ColorBy::Unit;
        const SceneItem& shown = level.items()[item];
        if (!shown.node.isValid() || shown.isGhost || box.isUnitStripe) return;
        NodeCategory category = categoryOf(m_graph.node(shown.node), options);
        box.colorKey = std::move(category.text);
        box.level = category.level;
    };
    if (made.taken != nullptr) {
        const auto first = m_previous->drawing.boxes.begin() + made.taken->firstBox;
        boxes.insert(boxes.end(), first, first + static_cast<std::ptrdiff_t>(level.items().size()));
        for (auto& [item, box] : made.otherCards) {
            finish(box, static_cast<std::size_t>(item));
            boxes[static_cast<std::size_t>(level.firstBox + item)] = std::move(box);
        }
    } else {
        for (std::size_t k = 0; k < made.cards.size(); ++k) finish(boxes.emplace_back(std::move(made.cards[k])), k);
    }
    for (std::size_t k = 0; k < level.items().size(); ++k)
        placeBox(boxes[static_cast<std::size_t>(level.firstBox) + k], level, k);
}

void SceneBuilder::addLine(DrawnEdge edge, std::span<const DrawnPoint> points)
{
    GraphDrawing& drawing = m_scene->drawing;
    edge.firstPoint = static_cast<std::uint32_t>(drawing.points.size());
    edge.pointCount = static_cast<std::uint32_t>(points.size());
    drawing.points.insert(drawing.points.end(), points.begin(), points.end());
    drawing.edges.push_back(std::move(edge));
}

void SceneBuilder::drawEdges(int index)
{
    SceneLevel& level = levelAt(index);
    const Part& made = part(index);
    GraphDrawing& drawing = m_scene->drawing;
    level.firstEdge = static_cast<std::int32_t>(drawing.edges.size());
    const LayoutResult& layout = level.layout();
    // What stands beside lines that did not change is known.
    const DrawnEdge* known = made.isDirty ? nullptr : m_previous->drawing.edges.data() + made.taken->firstEdge;
    for (const SceneEdge& from : level.edges()) {
        const auto route = layout.route(static_cast<std::size_t>(&from - level.edges().data()));
        if (route.empty()) continue;
        DrawnEdge& edge = drawing.edges.emplace_back();
        edge.from = level.firstBox + from.from;
        edge.to = level.firstBox + from.to;
        edge.count = from.count;
        edge.isControl = from.isControl && !from.isOwnership;
        edge.isGhost = from.isGhost;
        edge.isOwnership = from.isOwnership;
        edge.source = from.source;
        // The line leads on inside an open block; its head is there.
        const SceneItem& to = level.items()[static_cast<std::size_t>(from.to)];
        edge.hasArrow = to.group < 0 || levelOf(to.group) < 0 || from.isOwnership;
        edge.firstPoint = static_cast<std::uint32_t>(drawing.points.size());
        edge.pointCount = static_cast<std::uint32_t>(route.size());
        for (const LayoutPoint& p : route) drawing.points.push_back({level.originX + p.x, level.originY + p.y});
        if (known == nullptr) continue;
        if (!known->label.empty()) {
            edge.label = known->label;
            edge.labelWidth = known->labelWidth;
            placeLabel(edge, level, route);
        }
        ++known;
    }
}

/// Inside an open block: from where lines meet its border to the ports that stand nearest to it.
void SceneBuilder::drawPortLines(int index)
{
    const SceneLevel& level = levelAt(index);
    if (level.parentLevel < 0) return;
    const SceneLevel& outer = levelAt(level.parentLevel);
    const LayoutRect& bounds = level.layout().bounds;
    for (std::size_t k = 0; k < level.items().size(); ++k) {
        const SceneItem& item = level.items()[k];
        if (!item.port.isValid() || item.isGhost || item.outerEdges.empty()) continue;
        const std::int32_t self = level.firstBox + static_cast<std::int32_t>(k);
        const DrawnBox& box = m_scene->drawing.boxes[static_cast<std::size_t>(self)];
        const bool isInput = item.key.kind == ItemKey::Kind::InPort;
        // A port further in has boxes between itself and the border: its name says where the value comes from.
        const double y = level.layout().centres[k].y, half = box.height / 2;
        const double gap = isInput ? y - half - bounds.top + card::frameHeader : bounds.bottom - y - half;
        if (gap > card::frameHeader + card::nodeHeight) continue;
        for (const std::int32_t e : item.outerEdges) {
            const auto route = outer.layout().route(static_cast<std::size_t>(e));
            if (route.empty()) continue;
            const LayoutPoint end = isInput ? route.back() : route.front();
            const DrawnPoint border{outer.originX + end.x, outer.originY + end.y};
            DrawnEdge edge;
            edge.from = edge.to = self;
            edge.source = item.port;
            edge.hasArrow = false;
            const std::array<DrawnPoint, 2> points{isInput ? border : DrawnPoint{box.centreX(), box.bottom()},
                                                   isInput ? DrawnPoint{box.centreX(), box.y} : border};
            addLine(edge, points);
        }
    }
}

void SceneBuilder::drawStubs(int index)
{
    const SceneLevel& level = levelAt(index);
    const auto place = [&](LayoutPoint p) { return DrawnPoint{level.originX + p.x, level.originY + p.y}; };
    std::unordered_map<std::int32_t, int> numbers;
    for (const LayoutHub& hub : level.layout().hubs) {
        const int number = m_nextHub++;
        numbers.emplace(hub.node, number);
        DrawnStub stub;
        stub.hub = level.firstBox + hub.node;
        stub.start = place(hub.start);
        stub.end = place(hub.label);
        stub.label = std::to_string(number) + " → " + std::to_string(hub.count);
        m_scene->drawing.stubs.push_back(std::move(stub));
    }
    for (const LayoutStub& s : level.layout().stubs) {
        DrawnStub stub;
        stub.hub = level.firstBox + s.hub;
        stub.consumer = level.firstBox + s.consumer;
        stub.start = place(s.label);
        stub.end = place(s.end);
        stub.isGhost = level.edges()[static_cast<std::size_t>(s.edge)].isGhost;
        const auto found = numbers.find(s.hub);
        stub.label = found == numbers.end() ? std::string() : std::to_string(found->second);
        m_scene->drawing.stubs.push_back(std::move(stub));
    }
}

/// A short sign for each category, so that no two that share a hue are taken for one another.
void SceneBuilder::makeSigns()
{
    const SceneOptions& options = m_scene->options;
    if (options.colorBy == ColorBy::Unit) return; // cards have the unit's letter already
    std::vector<std::string> texts = options.legendTexts;
    if (texts.empty()) {
        std::set<std::string> here;
        for (const DrawnBox& box : m_scene->drawing.boxes)
            if (!box.colorKey.empty()) here.insert(box.colorKey);
        texts.assign(here.begin(), here.end());
    }
    constexpr std::string_view signs = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (DrawnBox& box : m_scene->drawing.boxes) {
        if (box.kind != BoxKind::Node) continue;
        const auto found = std::lower_bound(texts.begin(), texts.end(), box.colorKey);
        const auto index = static_cast<std::size_t>(found - texts.begin());
        if (box.colorKey.empty() || found == texts.end() || *found != box.colorKey)
            box.sign = "·";
        else if (options.colorBy == ColorBy::Stream && box.colorKey.size() <= 2)
            box.sign = box.colorKey;
        else if (box.level >= 0)
            box.sign = std::to_string(box.level + 1);
        else
            box.sign = index < signs.size() ? std::string(1, signs[index]) : "*";
    }
}

void SceneBuilder::makeLegend()
{
    std::map<std::string, LegendEntry, std::less<>> entries;
    const bool isUnit = m_scene->options.colorBy == ColorBy::Unit;
    LegendEntry* last = nullptr; // neighbours are often of one kind
    for (const DrawnBox& box : m_scene->drawing.boxes) {
        if (box.kind != BoxKind::Node || box.isGhost) continue;
        if (!isUnit && box.colorKey.empty()) continue;
        const std::string& key = isUnit ? box.sign : box.colorKey;
        if (last == nullptr || last->key != key) {
            last = &entries[key];
            last->key = key;
            last->sign = box.sign;
            last->unit = box.unit;
            last->isUnit = isUnit;
            last->level = box.level;
            last->text = isUnit ? std::string(unitName(box.unit)) : key;
        }
        ++last->count;
    }
    auto& legend = m_scene->drawing.legend;
    for (auto& [key, entry] : entries) legend.push_back(std::move(entry));
    std::stable_sort(legend.begin(), legend.end(), [](const LegendEntry& a, const LegendEntry& b) {
        return a.level != b.level ? a.level > b.level : a.count > b.count;
    });
}

} // namespace gelens
