// Opening and folding one block of many: only what it concerns is worked on, and the drawing is that of working on all.

#include "tests/viewers/drawing_checks.h"
#include "tests/viewers/graph_models.h"
#include "viewers/graph/graph_worker.h"
#include "viewers/scene/scene.h"

#include <QtTest/QtTest>

#include <random>

using namespace gelens;
using namespace gelens::testing;

namespace {

bool isSame(const DrawnBox& a, const DrawnBox& b)
{
    return a.kind == b.kind && a.unit == b.unit && a.change == b.change && a.isGhost == b.isGhost &&
           a.isInput == b.isInput && a.isRepeat == b.isRepeat && a.depth == b.depth && a.x == b.x && a.y == b.y &&
           a.width == b.width && a.height == b.height && a.title == b.title && a.subtitle == b.subtitle &&
           a.tag == b.tag && a.badge == b.badge && a.note == b.note && a.noteX == b.noteX && a.colorKey == b.colorKey &&
           a.sign == b.sign && a.level == b.level && a.isUnitStripe == b.isUnitStripe && a.node == b.node &&
           a.group == b.group && a.port == b.port;
}

bool isSame(const DrawnEdge& a, const DrawnEdge& b)
{
    return a.from == b.from && a.to == b.to && a.firstPoint == b.firstPoint && a.pointCount == b.pointCount &&
           a.count == b.count && a.isControl == b.isControl && a.isGhost == b.isGhost &&
           a.isOwnership == b.isOwnership && a.hasArrow == b.hasArrow && a.source == b.source && a.label == b.label &&
           a.labelX == b.labelX && a.labelY == b.labelY && a.labelWidth == b.labelWidth;
}

bool isSame(const DrawnPoint& a, const DrawnPoint& b) { return a.x == b.x && a.y == b.y; }

bool isSame(const DrawnStub& a, const DrawnStub& b)
{
    return a.hub == b.hub && a.consumer == b.consumer && isSame(a.start, b.start) && isSame(a.end, b.end) &&
           a.label == b.label && a.isGhost == b.isGhost;
}

bool isSame(const LegendEntry& a, const LegendEntry& b)
{
    return a.key == b.key && a.text == b.text && a.sign == b.sign && a.unit == b.unit && a.level == b.level &&
           a.count == b.count;
}

/// What is not the same in two scenes; empty when all is, to the last bit.
QByteArray difference(const Scene& a, const Scene& b)
{
    const auto compare = [](const char* what, const auto& x, const auto& y) -> QByteArray {
        if (x.size() != y.size())
            return QByteArray(what) + ": " + QByteArray::number(x.size()) + " and " + QByteArray::number(y.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            if (!isSame(x[i], y[i])) return QByteArray(what) + " " + QByteArray::number(i);
        return {};
    };
    for (const QByteArray& found :
         {compare("boxes", a.drawing.boxes, b.drawing.boxes), compare("points", a.drawing.points, b.drawing.points),
          compare("lines", a.drawing.edges, b.drawing.edges), compare("stubs", a.drawing.stubs, b.drawing.stubs),
          compare("legend", a.drawing.legend, b.drawing.legend)})
        if (!found.isEmpty()) return found;
    if (a.boxOfNode != b.boxOfNode) return "boxes of nodes";
    if (a.drawing.left != b.drawing.left || a.drawing.top != b.drawing.top || a.drawing.width != b.drawing.width ||
        a.drawing.height != b.drawing.height)
        return "size";
    return {};
}

/// A decoder with constants, control edges and two sub-graphs in one of its layers.
std::shared_ptr<Graph> richModel(int layers)
{
    GraphMaker make;
    const NodeId input = make.add("Data", "input", {});
    const NodeId mask = make.add("Cast", "/model/mask", {make.add("Data", "mask_in", {})});
    NodeId x = input, before;
    for (int layer = 0; layer < layers; ++layer) {
        const NodeId weight = make.add("Const", scopedName(layer, "weight"), {});
        x = make.add("MatMulV2", scopedName(layer, "in"), {x, weight});
        x = addLayer(make, x, mask, layer, scopedName);
        if (before.isValid()) make.edit.connectControl(before, x);
        before = x;
        if (layer != 1) continue;
        const NodeId owner = make.add("If", scopedName(layer, "choice"), {x});
        for (const char* name : {"then", "else"}) {
            const GraphId inner = make.edit.addSubgraph(name, owner);
            NodeId y = make.add("Data", std::string(name) + "_in", {}, {1, 16, 64}, inner);
            for (int i = 0; i < 6; ++i)
                y = make.add("Relu", std::string(name) + "_r" + std::to_string(i), {y}, {1, 16, 64}, inner);
        }
        x = owner;
    }
    make.add("NetOutput", "output", {x});
    return make.graph;
}

} // namespace

class GraphFoldInPlaceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isWhatWorkingOnAllGives_data()
    {
        QTest::addColumn<int>("variant");
        const char* names[] = {"plain", "constants are nodes", "colours", "marks and notes", "a block of its own"};
        for (int i = 0; i < 5; ++i) QTest::newRow(names[i]) << i;
    }

    void isWhatWorkingOnAllGives()
    {
        QFETCH(int, variant);
        const std::shared_ptr<const Graph> graph = richModel(6);
        const auto fold = FoldModel::build(*graph, {});
        const auto otherFold = FoldModel::build(*graph, {}); // equal, but nothing is taken over with another one
        SceneOptions options;
        options.showConstants = variant == 1;
        if (variant == 2) options.colorBy = ColorBy::OperatorClass;
        if (variant == 3)
            for (int id = 0; id < graph->nodeIdBound(); ++id) {
                options.marks.push_back(static_cast<std::uint8_t>(id % 7 == 0 ? 1 + id % 3 : 0));
                options.aspects.push_back(static_cast<std::uint8_t>(id % 7 == 0 ? 1 + id % 31 : 0));
            }
        std::vector<std::string> keys;
        for (const FoldGroup& group : fold->groups())
            if (group.parent >= 0) keys.push_back(group.key);
        QVERIFY(keys.size() >= 8);
        if (variant == 4)
            for (const FoldGroup& group : fold->groups())
                if (group.kind == FoldGroup::Kind::Repeat) options.rootKey = group.key;
        options.open.insert(keys.begin(), keys.end());
        LayoutEngine engine;
        auto scene = buildScene(graph, fold, options, engine, SceneChange::Fresh, nullptr, {}, {});
        std::mt19937 random(7);
        int taken = 0;
        for (int i = 0; i < 60; ++i) {
            const std::size_t toggles = random() % 3 + 1; // mostly more than one at once
            for (std::size_t t = 0; t < toggles; ++t)
                if (const std::string& key = keys[random() % keys.size()]; options.open.erase(key) == 0)
                    options.open.insert(key);
            const auto quick = buildScene(graph, fold, options, engine, SceneChange::Fold, scene.get(), {}, {});
            const auto whole = buildScene(graph, otherFold, options, engine, SceneChange::Fold, scene.get(), {}, {});
            QCOMPARE(difference(*quick, *whole), QByteArray());
            QCOMPARE(overlaps(quick->drawing), 0);
            for (const SceneLevel& level : quick->levels)
                for (const SceneLevel& before : scene->levels) taken += level.content == before.content;
            scene = quick;
        }
        QVERIFY(taken > 60);
    }

    void whatIsAboveStaysToTheLastBit()
    {
        const std::shared_ptr<const Graph> graph = richModel(12);
        const auto fold = FoldModel::build(*graph, {});
        SceneOptions options;
        std::vector<std::string> layers;
        for (const FoldGroup& group : fold->groups()) {
            options.open.insert(group.key);
            if (group.kind == FoldGroup::Kind::Instance) layers.push_back(group.key);
        }
        LayoutEngine engine;
        const auto opened = buildScene(graph, fold, options, engine, SceneChange::Fresh, nullptr, {}, {});
        SceneOptions folded = options;
        folded.open.erase(layers[7]);
        const auto closed = buildScene(graph, fold, folded, engine, SceneChange::Fold, opened.get(), {}, {});
        const auto again = buildScene(graph, fold, options, engine, SceneChange::Fold, closed.get(), {}, {});
        const int group = fold->findKey(layers[7]);
        double top = 0;
        for (const DrawnBox& box : opened->drawing.boxes)
            if (box.group == group) top = box.y;
        QVERIFY(top > 0);
        int above = 0, below = 0;
        for (const DrawnBox& box : opened->drawing.boxes) {
            if (box.kind != BoxKind::Node) continue;
            const DrawnBox& now = closed->drawing.boxes[static_cast<std::size_t>(closed->boxOf(box.node))];
            if (now.node != box.node) continue; // folded away
            if (box.y < top) QVERIFY(now.x == box.x && now.y == box.y);
            box.y < top ? ++above : ++below;
            if (box.y >= top) QVERIFY(now.y < box.y);
            const DrawnBox& back = again->drawing.boxes[static_cast<std::size_t>(again->boxOf(box.node))];
            QVERIFY(std::abs(back.x - box.x) < 1e-6 && std::abs(back.y - box.y) < 1e-6);
        }
        QVERIFY(above > 80 && below > 40);
    }

    /// Before and after beside each other, or one over the other: what both have stands at one place.
    void bothDrawingsOfAStepFollow_data()
    {
        QTest::addColumn<bool>("isOverlay");
        QTest::newRow("side by side") << false;
        QTest::newRow("overlay") << true;
    }

    void bothDrawingsOfAStepFollow()
    {
        QFETCH(bool, isOverlay);
        const auto run = makeRun(8, 5);
        GraphRequest request;
        request.run = run;
        request.shown = StepId{1};
        request.compared = StepId{0};
        request.mode = isOverlay ? GraphMode::Overlay : GraphMode::SideBySide;
        request.engine = std::make_shared<LayoutEngine>();
        request.open.emplace();
        std::vector<std::string> keys;
        const auto fold = FoldModel::build(*run->graphAt(StepId{0}), {});
        for (const FoldGroup& group : fold->groups())
            if (group.parent >= 0) keys.push_back(group.key);
        request.open->insert(keys.begin(), keys.end());
        auto answer = workOut(request, {});
        request.change = SceneChange::Fold;
        std::mt19937 random(3);
        int taken = 0;
        for (int i = 0; i < 24; ++i) {
            const auto& key = keys[random() % keys.size()];
            if (request.open->erase(key) == 0) request.open->insert(key);
            const auto shown = answer->after;
            request.scenes = answer->scenes;
            request.known = answer->difference;
            answer = workOut(request, {});
            const Scene &before = *answer->scenes.at(0), &after = *answer->after;
            QVERIFY(before.family == after.family);
            QCOMPARE(overlaps(after.drawing), 0);
            QCOMPARE(overlaps(before.drawing), 0);
            int both = 0;
            for (const DrawnBox& box : before.drawing.boxes) {
                if (box.kind != BoxKind::Node) continue;
                const int other = after.boxOf(box.node);
                if (other < 0) continue;
                const DrawnBox& there = after.drawing.boxes[static_cast<std::size_t>(other)];
                if (there.node != box.node) continue;
                QVERIFY(there.x == box.x && there.y == box.y);
                ++both;
            }
            QVERIFY(both > 0);
            int shownOfGraph = 0;
            for (const NodeId id : after.graph->allNodes()) shownOfGraph += after.boxOf(id) >= 0;
            QCOMPARE(shownOfGraph, after.graph->nodeCount());
            for (const SceneLevel& level : after.levels)
                for (const SceneLevel& old : shown->levels) taken += level.content == old.content;
        }
        QVERIFY(taken > 24); // or nothing of the later drawing was taken over
    }
};

QTEST_GUILESS_MAIN(GraphFoldInPlaceTest)
#include "tst_graph_fold_in_place.moc"
