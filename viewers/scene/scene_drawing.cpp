// From placed levels to boxes, lines and texts in scene coordinates.

#include "engine/report/drawing_legend.h"
#include "engine/report/drawing_style.h"
#include "engine/report/text_width.h"
#include "engine/session/node_facts.h"
#include "viewers/scene/cards.h"
#include "viewers/scene/scene_builder_internal.h"
#include "viewers/scene/scene_index.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

namespace gelens {

namespace {

/// Where everything lies.
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

} // namespace

void SceneBuilder::draw()
{
    GraphDrawing& drawing = m_scene->drawing;
    drawing.title = m_graph.name();
    m_boxOfItem.resize(m_scene->levels.size());
    std::size_t boxCount = 0, edgeCount = 0, pointCount = 0;
    for (const SceneLevel& level : m_scene->levels) {
        boxCount += level.items.size();
        edgeCount += level.edges.size();
        pointCount += level.layout.points.size();
    }
    drawing.boxes.reserve(boxCount);
    drawing.edges.reserve(edgeCount + boxCount / 8);
    drawing.points.reserve(pointCount + boxCount / 4);
    for (std::size_t i = 0; i < m_scene->levels.size(); ++i) {
        SceneLevel& level = m_scene->levels[i];
        auto& boxes = m_boxOfItem[i];
        boxes.resize(level.items.size());
        for (std::size_t k = 0; k < level.items.size(); ++k)
            boxes[k] = static_cast<std::int32_t>(drawing.boxes.size() + k);
        drawBoxes(level);
        if (m_stop.stop_requested()) return;
    }
    for (const SceneLevel& level : m_scene->levels) {
        drawEdges(level);
        drawPortLines(level);
        drawStubs(level);
    }
    if (m_stop.stop_requested()) return;
    measureDrawing(drawing);
    labelEdges();
    noteChanges();
    if (m_stop.stop_requested()) return;
    indexNodes();
    makeSigns();
    makeLegend();
}

void SceneBuilder::drawBoxes(SceneLevel& level)
{
    std::uint8_t depth = 0;
    for (int up = level.parentLevel; up >= 0; up = m_scene->levels[static_cast<std::size_t>(up)].parentLevel)
        depth = static_cast<std::uint8_t>(std::min(255, depth + 1));
    const SceneOptions& options = m_scene->options;
    for (std::size_t k = 0; k < level.items.size(); ++k) {
        SceneItem& item = level.items[k];
        DrawnBox& box = m_scene->drawing.boxes.emplace_back(std::move(item.box));
        box.depth = depth;
        box.x = level.originX + level.layout.centres[k].x - box.width / 2;
        box.y = level.originY + level.layout.centres[k].y - box.height / 2;
        box.isUnitStripe = options.colorBy == ColorBy::Unit;
        if (item.node.isValid() && !item.isGhost && !box.isUnitStripe) {
            NodeCategory category = categoryOf(m_graph.node(item.node), options);
            box.colorKey = std::move(category.text);
            box.level = category.level;
        }
    }
}

void SceneBuilder::addLine(DrawnEdge edge, std::span<const DrawnPoint> points)
{
    GraphDrawing& drawing = m_scene->drawing;
    edge.firstPoint = static_cast<std::uint32_t>(drawing.points.size());
    edge.pointCount = static_cast<std::uint32_t>(points.size());
    drawing.points.insert(drawing.points.end(), points.begin(), points.end());
    drawing.edges.push_back(std::move(edge));
}

void SceneBuilder::drawEdges(const SceneLevel& level)
{
    const auto index = static_cast<std::size_t>(&level - m_scene->levels.data());
    std::vector<DrawnPoint> points;
    for (std::size_t e = 0; e < level.edges.size(); ++e) {
        const SceneEdge& from = level.edges[e];
        const auto route = level.layout.route(e);
        if (route.empty()) continue;
        points.clear();
        for (const LayoutPoint& p : route) points.push_back({level.originX + p.x, level.originY + p.y});
        DrawnEdge edge;
        edge.from = m_boxOfItem[index][static_cast<std::size_t>(from.from)];
        edge.to = m_boxOfItem[index][static_cast<std::size_t>(from.to)];
        edge.count = from.count;
        edge.isControl = from.isControl && !from.isOwnership;
        edge.isGhost = from.isGhost;
        edge.isOwnership = from.isOwnership;
        edge.source = from.source;
        // The line leads on inside an open block; its head is there.
        edge.hasArrow = level.items[static_cast<std::size_t>(from.to)].level < 0 || from.isOwnership;
        addLine(std::move(edge), points);
    }
}

/// Inside an open block: from where lines meet its border to the ports that stand nearest to it.
void SceneBuilder::drawPortLines(const SceneLevel& level)
{
    if (level.parentLevel < 0) return;
    const auto index = static_cast<std::size_t>(&level - m_scene->levels.data());
    const SceneLevel& outer = m_scene->levels[static_cast<std::size_t>(level.parentLevel)];
    const DrawnBox& frame = m_scene->drawing.boxes[static_cast<std::size_t>(
        m_boxOfItem[static_cast<std::size_t>(level.parentLevel)][static_cast<std::size_t>(level.parentItem)])];
    for (std::size_t k = 0; k < level.items.size(); ++k) {
        const SceneItem& item = level.items[k];
        if (!item.port.isValid() || item.isGhost) continue;
        const std::int32_t self = m_boxOfItem[index][k];
        const DrawnBox box = m_scene->drawing.boxes[static_cast<std::size_t>(self)];
        const bool isInput = item.key.kind == ItemKey::Kind::InPort;
        // A port further in has boxes between itself and the border: its name says where the value comes from.
        const double gap = isInput ? box.y - frame.y : frame.bottom() - box.bottom();
        if (gap > card::frameHeader + card::framePadding + card::nodeHeight) continue;
        for (const std::int32_t e : item.outerEdges) {
            const auto route = outer.layout.route(static_cast<std::size_t>(e));
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

void SceneBuilder::drawStubs(const SceneLevel& level)
{
    const auto index = static_cast<std::size_t>(&level - m_scene->levels.data());
    const auto place = [&](LayoutPoint p) { return DrawnPoint{level.originX + p.x, level.originY + p.y}; };
    std::unordered_map<std::int32_t, int> numbers;
    for (const LayoutHub& hub : level.layout.hubs) {
        const int number = m_nextHub++;
        numbers.emplace(hub.node, number);
        DrawnStub stub;
        stub.hub = m_boxOfItem[index][static_cast<std::size_t>(hub.node)];
        stub.start = place(hub.start);
        stub.end = place(hub.label);
        stub.label = std::to_string(number) + " → " + std::to_string(hub.count);
        m_scene->drawing.stubs.push_back(std::move(stub));
    }
    for (const LayoutStub& s : level.layout.stubs) {
        DrawnStub stub;
        stub.hub = m_boxOfItem[index][static_cast<std::size_t>(s.hub)];
        stub.consumer = m_boxOfItem[index][static_cast<std::size_t>(s.consumer)];
        stub.start = place(s.label);
        stub.end = place(s.end);
        stub.isGhost = level.edges[static_cast<std::size_t>(s.edge)].isGhost;
        const auto found = numbers.find(s.hub);
        stub.label = found == numbers.end() ? std::string() : std::to_string(found->second);
        m_scene->drawing.stubs.push_back(std::move(stub));
    }
}

/// Of all lines of one value the one that is labelled: the rightmost, as none of the others then runs through it.
std::vector<std::int32_t> SceneBuilder::labelledEdges() const
{
    const GraphDrawing& drawing = m_scene->drawing;
    // Most boxes give one value only; the others of a box are looked up.
    std::vector<std::int32_t> firstOf(drawing.boxes.size(), -1);
    std::unordered_map<ItemKey, std::int32_t, ItemKeyHash> others;
    for (std::size_t e = 0; e < drawing.edges.size(); ++e) {
        const DrawnEdge& edge = drawing.edges[e];
        if (edge.isControl || edge.isOwnership || edge.isGhost || edge.source.index < 0 || edge.pointCount < 2)
            continue;
        if (drawing.boxes[static_cast<std::size_t>(edge.from)].kind == BoxKind::Port) continue;
        std::int32_t* best = &firstOf[static_cast<std::size_t>(edge.from)];
        if (*best >= 0 && drawing.edges[static_cast<std::size_t>(*best)].source != edge.source) {
            const ItemKey key{ItemKey::Kind::Node,
                              (static_cast<std::int64_t>(edge.from) << 32) | edge.source.node.value, edge.source.index};
            best = &others.try_emplace(key, -1).first->second;
        }
        if (*best < 0 || drawing.route(edge)[0].x > drawing.route(drawing.edges[static_cast<std::size_t>(*best)])[0].x)
            *best = static_cast<std::int32_t>(e);
    }
    std::vector<std::int32_t> chosen;
    chosen.reserve(firstOf.size() + others.size());
    for (const std::int32_t e : firstOf)
        if (e >= 0) chosen.push_back(e);
    const std::size_t ofBoxes = chosen.size();
    for (const auto& [key, e] : others) chosen.push_back(e);
    std::sort(chosen.begin() + static_cast<std::ptrdiff_t>(ofBoxes), chosen.end());
    return chosen;
}

/// Asks for the descriptors of values whose labels come a few places later: from line to node to output to dims.
void SceneBuilder::lookAheadAtValues(const std::vector<std::int32_t>& edges, std::size_t at) const
{
    constexpr std::size_t line = 32, record = 24, output = 16, dims = 8;
    const auto& lines = m_scene->drawing.edges;
    const auto nodeAt = [&](std::size_t ahead) -> const Node* {
        if (at + ahead >= edges.size()) return nullptr;
        const NodeId id = lines[static_cast<std::size_t>(edges[at + ahead])].source.node;
        return id.value >= 0 && id.value < m_graph.nodeIdBound() ? &m_graph.node(id) : nullptr;
    };
    const auto outputAt = [&](std::size_t ahead) -> const OutputSlot* {
        const Node* node = nodeAt(ahead);
        if (node == nullptr) return nullptr;
        const std::int32_t index = lines[static_cast<std::size_t>(edges[at + ahead])].source.index;
        return index >= 0 && index < node->outputCount() ? &node->outputs[static_cast<std::size_t>(index)] : nullptr;
    };
    if (at + line < edges.size()) willRead(&lines[static_cast<std::size_t>(edges[at + line])].source);
    if (const Node* node = nodeAt(record)) {
        willRead(&node->outputs);
        willRead(&node->isAlive);
    }
    if (const OutputSlot* slot = outputAt(output)) {
        willRead(&slot->desc.shape);
        willRead(&slot->desc.format);
    }
    if (const OutputSlot* slot = outputAt(dims)) willRead(slot->desc.shape.dims().data());
}

/// One label for each value that leaves a box, beside the line's start; none where two would run into each other.
void SceneBuilder::labelEdges()
{
    if (!m_scene->options.labels.isAny()) return;
    constexpr double widest = 240, narrow = 110;
    constexpr std::size_t longSymbol = 24, shortSymbol = 12; // bytes
    GraphDrawing& drawing = m_scene->drawing;
    struct Label {
        std::int32_t edge;
        double x, y, width;
    };
    const std::vector<std::int32_t> chosen = labelledEdges();
    std::vector<Label> labels;
    labels.reserve(chosen.size());
    std::string text;
    for (std::size_t c = 0; c < chosen.size(); ++c) {
        if (isStopped()) return;
        lookAheadAtValues(chosen, c);
        DrawnEdge& edge = drawing.edges[static_cast<std::size_t>(chosen[c])];
        if (!m_graph.contains(edge.source.node)) continue;
        const Node& node = m_graph.node(edge.source.node);
        if (edge.source.index >= node.outputCount()) continue;
        const TensorDesc& desc = node.outputs[static_cast<std::size_t>(edge.source.index)].desc;
        tensorLabel(desc, m_scene->options.labels, longSymbol, text);
        if (text.empty()) continue;
        const auto route = drawing.route(edge);
        // Where the line is 11 px below its box: beside that point the label touches nothing of its own line.
        const DrawnPoint from = route[0], to = route[1];
        const double share = std::clamp(11 / std::max(1.0, to.y - from.y), 0.0, 1.0);
        double width = textWidth(text, card::edgeFont);
        if (width > widest) {
            tensorLabel(desc, m_scene->options.labels, shortSymbol, text);
            width = textWidth(text, card::edgeFont);
        }
        // Names of symbols come from the file.
        const bool isPlain = std::none_of(text.begin(), text.end(),
                                          [](char b) { return static_cast<unsigned char>(b) < 0x20 || b == 0x7F; });
        if (isPlain && width <= widest) {
            edge.label = text;
        } else {
            edge.label = elideRight(text, widest, card::edgeFont);
            width = textWidth(edge.label, card::edgeFont);
        }
        labels.push_back({chosen[c], from.x + (to.x - from.x) * share + 4, from.y + 11, width});
    }
    std::sort(labels.begin(), labels.end(),
              [](const Label& l, const Label& r) { return std::tie(l.y, l.x, l.edge) < std::tie(r.y, r.x, r.edge); });
    double lastY = -std::numeric_limits<double>::infinity(), lastRight = lastY;
    const SceneIndex index = SceneIndex::ofBoxes(drawing);
    const auto isCovered = [&](const Label& label) {
        const double half = card::edgeFont * 0.6;
        return index.isCovered({label.x, label.y - half, label.x + label.width, label.y + half});
    };
    for (Label& label : labels) {
        if (isStopped()) return;
        DrawnEdge& edge = drawing.edges[static_cast<std::size_t>(label.edge)];
        const bool isSameRow = label.y - lastY < card::edgeFont;
        const auto hasNoRoom = [&] { return (isSameRow && label.x < lastRight + 6) || isCovered(label); };
        if (hasNoRoom() && label.width > narrow) { // better its beginning than nothing
            edge.label = elideRight(edge.label, narrow, card::edgeFont);
            label.width = textWidth(edge.label, card::edgeFont);
        }
        if (hasNoRoom()) {
            edge.label.clear();
            continue;
        }
        edge.labelX = label.x;
        edge.labelY = label.y;
        edge.labelWidth = label.width;
        lastRight = isSameRow ? std::max(lastRight, label.x + label.width) : label.x + label.width;
        lastY = label.y;
    }
}

/// Above the left end of each changed node, where no line comes in, in what ways it changed; none where it has no room.
void SceneBuilder::noteChanges()
{
    const SceneOptions& options = m_scene->options;
    GraphDrawing& drawing = m_scene->drawing;
    std::vector<DrawnBox*> noted;
    for (DrawnBox& box : drawing.boxes) {
        const auto id = static_cast<std::size_t>(std::max(0, box.node.value));
        if (box.kind != BoxKind::Node || box.isGhost || box.change != ChangeKind::Changed ||
            id >= options.aspects.size())
            continue;
        std::string text;
        for (std::size_t aspect = 0; aspect < changeAspectCount; ++aspect)
            if ((options.aspects[id] >> aspect & 1) != 0)
                text += (text.empty() ? "" : ", ") + options.words.aspects[aspect];
        if (text.empty()) continue;
        box.note = elideRight(text, box.width, card::edgeFont);
        noted.push_back(&box);
    }
    if (noted.empty()) return;
    const SceneIndex index = SceneIndex::ofBoxes(drawing);
    for (DrawnBox* box : noted)
        if (index.isCovered(
                {box->x, box->y - card::noteHeight, box->x + textWidth(box->note, card::edgeFont), box->y - 3}))
            box->note.clear();
}

void SceneBuilder::indexNodes()
{
    auto& boxOf = m_scene->boxOfNode;
    boxOf.assign(m_isShown.size(), -1);
    for (std::size_t id = 0; id < boxOf.size(); ++id) {
        if (!m_isShown[id]) continue;
        const Place place = placeOf(NodeId{static_cast<std::int32_t>(id)});
        if (place.isValid())
            boxOf[id] = m_boxOfItem[static_cast<std::size_t>(place.level)][static_cast<std::size_t>(place.item)];
    }
    for (std::size_t l = 0; l < m_scene->levels.size(); ++l)
        for (std::size_t k = 0; k < m_scene->levels[l].items.size(); ++k)
            if (const SceneItem& item = m_scene->levels[l].items[k]; item.isGhost && item.node.isValid()) {
                const auto id = static_cast<std::size_t>(item.node.value);
                if (id >= boxOf.size()) boxOf.resize(id + 1, -1);
                boxOf[id] = m_boxOfItem[l][k];
            }
    if (m_scene->options.showConstants) return;
    for (const FoldGroup& group : m_fold.groups()) // a constant is shown by the card that reads it
        for (const NodeId id : group.nodes) {
            if (!m_isConstant[static_cast<std::size_t>(id.value)]) continue;
            const Node& node = m_graph.node(id);
            if (!node.outputs.empty() && !node.outputs[0].consumers.empty())
                boxOf[static_cast<std::size_t>(id.value)] = m_scene->boxOf(node.outputs[0].consumers.front().node);
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
    std::map<std::string, LegendEntry> entries;
    const bool isUnit = m_scene->options.colorBy == ColorBy::Unit;
    for (const DrawnBox& box : m_scene->drawing.boxes) {
        if (box.kind != BoxKind::Node || box.isGhost) continue;
        if (!isUnit && box.colorKey.empty()) continue;
        const std::string& key = isUnit ? box.sign : box.colorKey;
        LegendEntry& entry = entries[key];
        entry.key = key;
        entry.sign = box.sign;
        entry.unit = box.unit;
        entry.isUnit = isUnit;
        entry.level = box.level;
        entry.text = isUnit ? std::string(unitName(box.unit)) : key;
        ++entry.count;
    }
    auto& legend = m_scene->drawing.legend;
    for (auto& [key, entry] : entries) legend.push_back(std::move(entry));
    std::stable_sort(legend.begin(), legend.end(), [](const LegendEntry& a, const LegendEntry& b) {
        return a.level != b.level ? a.level > b.level : a.count > b.count;
    });
}

std::shared_ptr<const Scene> buildScene(std::shared_ptr<const Graph> graph, std::shared_ptr<const FoldModel> fold,
                                        SceneOptions options, LayoutEngine& engine, SceneChange change,
                                        const Scene* previous, const OriginMap& origins, std::stop_token stop)
{
    auto scene = std::make_shared<Scene>();
    scene->graph = std::move(graph);
    scene->fold = std::move(fold);
    scene->options = std::move(options);
    if (!SceneBuilder(scene, engine, change, previous, origins, std::move(stop)).run()) return nullptr;
    return scene;
}

std::shared_ptr<const Scene> buildExportScene(std::shared_ptr<const Graph> graph, ExportFolding folding,
                                              std::stop_token stop)
{
    LayoutEngine engine;
    if (folding == ExportFolding::Default) return buildDefaultScene(std::move(graph), engine, std::move(stop));
    FoldOptions options;
    options.byScopes = options.byBlocks = folding != ExportFolding::None;
    const auto fold = FoldModel::build(*graph, options, stop);
    SceneOptions scene;
    if (folding == ExportFolding::Open)
        for (const FoldGroup& group : fold->groups()) scene.open.insert(group.key);
    return buildScene(std::move(graph), fold, std::move(scene), engine, SceneChange::Fresh, nullptr, {},
                      std::move(stop));
}

GraphDrawing partOf(const GraphDrawing& drawing, const std::vector<std::uint8_t>& isIn)
{
    GraphDrawing part;
    part.title = drawing.title;
    part.legend = drawing.legend;
    std::vector<std::int32_t> newIndex(drawing.boxes.size(), -1);
    for (std::size_t i = 0; i < drawing.boxes.size(); ++i) {
        if (i >= isIn.size() || !isIn[i]) continue;
        newIndex[i] = static_cast<std::int32_t>(part.boxes.size());
        part.boxes.push_back(drawing.boxes[i]);
    }
    const auto moved = [&](std::int32_t box) { return box < 0 ? -1 : newIndex[static_cast<std::size_t>(box)]; };
    for (const DrawnEdge& edge : drawing.edges) {
        if (moved(edge.from) < 0 || moved(edge.to) < 0) continue;
        DrawnEdge copy = edge;
        copy.from = moved(edge.from);
        copy.to = moved(edge.to);
        const auto route = drawing.route(edge);
        copy.firstPoint = static_cast<std::uint32_t>(part.points.size());
        part.points.insert(part.points.end(), route.begin(), route.end());
        part.edges.push_back(std::move(copy));
    }
    for (const DrawnStub& stub : drawing.stubs) {
        const std::int32_t owner = stub.consumer < 0 ? stub.hub : stub.consumer;
        if (moved(owner) < 0) continue;
        DrawnStub copy = stub;
        copy.hub = moved(stub.hub);
        copy.consumer = moved(stub.consumer);
        part.stubs.push_back(std::move(copy));
    }
    recountLegend(part);
    measureDrawing(part);
    return part;
}

std::shared_ptr<const Scene> buildDefaultScene(std::shared_ptr<const Graph> graph, LayoutEngine& engine,
                                               std::stop_token stop)
{
    const auto fold = FoldModel::build(*graph, {}, stop);
    SceneOptions options;
    for (std::string& key : fold->initiallyOpen()) options.open.insert(std::move(key));
    return buildScene(std::move(graph), fold, std::move(options), engine, SceneChange::Fresh, nullptr, {},
                      std::move(stop));
}

} // namespace gelens
