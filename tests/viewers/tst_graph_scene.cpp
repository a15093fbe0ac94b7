// Places and texts of scenes: nothing overlaps, nothing jumps, odd graphs are drawn.

#include "engine/report/drawing_style.h"
#include "engine/report/graph_svg.h"
#include "engine/report/text_width.h"
#include "tests/viewers/graph_models.h"
#include "viewers/common/palette.h"
#include "viewers/graph/graph_worker.h"
#include "viewers/scene/scene_index.h"

#include <QTest>
#include <QXmlStreamReader>

using namespace gelens;
using namespace gelens::testing;

namespace {

/// Pairs of boxes that lie over each other, frames and what they hold aside.
int overlaps(const GraphDrawing& drawing)
{
    const SceneIndex index(drawing);
    int count = 0;
    std::vector<std::int32_t> near;
    for (std::size_t i = 0; i < drawing.boxes.size(); ++i) {
        const DrawnBox& a = drawing.boxes[i];
        index.boxesIn({a.x, a.y, a.right(), a.bottom()}, near);
        for (const std::int32_t k : near) {
            const DrawnBox& b = drawing.boxes[static_cast<std::size_t>(k)];
            if (static_cast<std::size_t>(k) <= i || a.isGhost || b.isGhost) continue;
            const bool isNested = (a.kind == BoxKind::Frame || b.kind == BoxKind::Frame) && a.depth != b.depth;
            if (isNested) continue;
            count += a.x < b.right() - 0.01 && b.x < a.right() - 0.01 && a.y < b.bottom() - 0.01 && b.y < a.bottom() - 0.01;
        }
    }
    return count;
}

std::shared_ptr<const Scene> sceneOf(const GraphMaker& make, bool isOpen)
{
    LayoutEngine engine;
    const auto fold = FoldModel::build(*make.graph, {});
    SceneOptions options;
    if (isOpen)
        for (const FoldGroup& group : fold->groups()) options.open.insert(group.key);
    return buildScene(make.graph, fold, options, engine, SceneChange::Fresh, nullptr, {}, {});
}

GraphRequest requestFor(const std::shared_ptr<const Run>& run, int shown, int compared)
{
    GraphRequest request;
    request.run = run;
    request.shown = StepId{shown};
    request.compared = StepId{compared};
    request.engine = std::make_shared<LayoutEngine>();
    return request;
}

} // namespace

class GraphSceneTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingOverlaps()
    {
        GraphMaker make;
        addDecoder(make, 12, scopedName);
        for (const bool isOpen : {false, true}) {
            const auto scene = sceneOf(make, isOpen);
            QCOMPARE(overlaps(scene->drawing), 0);
            QVERIFY(!scene->isEmpty());
        }
        const auto scene = sceneOf(make, true);
        const auto isFrame = [](const DrawnBox& box) { return box.kind == BoxKind::Frame; };
        QVERIFY(std::count_if(scene->drawing.boxes.begin(), scene->drawing.boxes.end(), isFrame) > 12);
    }

    void childrenLieInsideTheirFrame()
    {
        GraphMaker make;
        addDecoder(make, 4, scopedName);
        const auto scene = sceneOf(make, true);
        for (const SceneLevel& level : scene->levels) {
            if (level.parentLevel < 0) continue;
            const DrawnBox* frame = nullptr;
            for (const DrawnBox& box : scene->drawing.boxes)
                if (box.kind == BoxKind::Frame && box.group == level.group) frame = &box;
            QVERIFY(frame != nullptr);
            for (const SceneItem& item : level.items) {
                if (!item.node.isValid()) continue;
                const DrawnBox& box = scene->drawing.boxes[static_cast<std::size_t>(scene->boxOf(item.node))];
                QVERIFY(box.x >= frame->x && box.right() <= frame->right() && box.y >= frame->y + card::frameHeader - 1 &&
                        box.bottom() <= frame->bottom());
            }
        }
    }

    void survivorsDoNotMove()
    {
        const auto run = makeRun(6);
        GraphRequest request = requestFor(run, 1, 0);
        request.open.emplace();
        const auto fold = FoldModel::build(*run->graphAt(StepId{0}), {});
        for (const FoldGroup& group : fold->groups()) request.open->insert(group.key);
        const auto answer = workOut(request, {});
        QVERIFY(answer->before && answer->after);
        QCOMPARE(answer->removed, 24);
        QCOMPARE(answer->added, 6);
        int compared = 0;
        for (const NodeId id : answer->after->graph->allNodes()) {
            const int a = answer->before->boxOf(id), b = answer->after->boxOf(id);
            if (a < 0 || b < 0) continue;
            const DrawnBox& before = answer->before->drawing.boxes[static_cast<std::size_t>(a)];
            const DrawnBox& after = answer->after->drawing.boxes[static_cast<std::size_t>(b)];
            if (before.kind != BoxKind::Node || after.kind != BoxKind::Node) continue;
            QCOMPARE(after.x, before.x);
            QCOMPARE(after.y, before.y);
            ++compared;
        }
        QVERIFY2(compared > 50, qPrintable(QString::number(compared)));
        QCOMPARE(overlaps(answer->after->drawing), 0);
        // Going on and back shows the same places again.
        GraphRequest next = requestFor(run, 2, 1);
        next.open = answer->open;
        next.scenes = answer->scenes;
        const auto later = workOut(next, {});
        GraphRequest back = requestFor(run, 1, 0);
        back.open = later->open;
        back.scenes = later->scenes;
        const auto again = workOut(back, {});
        for (std::size_t i = 0; i < again->after->drawing.boxes.size(); ++i) {
            QCOMPARE(again->after->drawing.boxes[i].x, answer->after->drawing.boxes[i].x);
            QCOMPARE(again->after->drawing.boxes[i].y, answer->after->drawing.boxes[i].y);
        }
    }

    void aFusedNodeAppearsWhereItsPartsWere()
    {
        const auto run = makeRun(2);
        GraphRequest request = requestFor(run, 1, 0);
        request.folding = {false, false};
        const auto answer = workOut(request, {});
        const auto before = run->graphAt(StepId{0});
        const NodeId fused = run->graphAt(StepId{1})->findNode(scopedName(1, "attention"));
        const DrawnBox& box = answer->after->drawing.boxes[static_cast<std::size_t>(answer->after->boxOf(fused))];
        const auto centre = [&](const char* local) {
            return answer->before->drawing.boxes[static_cast<std::size_t>(answer->before->boxOf(before->findNode(scopedName(1, local))))].centreY();
        };
        QVERIFY(box.centreY() > centre("q"));
        QVERIFY(box.centreY() < centre("up"));
        QVERIFY(box.change == ChangeKind::Added);
    }

    void overlayKeepsGhosts()
    {
        const auto run = makeRun(2);
        GraphRequest request = requestFor(run, 1, 0);
        request.mode = GraphMode::Overlay;
        request.folding = {false, false};
        const auto answer = workOut(request, {});
        int ghosts = 0;
        for (const DrawnBox& box : answer->after->drawing.boxes) ghosts += box.isGhost;
        QCOMPARE(ghosts, 8);
    }

    void openingABlockKeepsTheOrder()
    {
        GraphMaker make;
        addDecoder(make, 8, scopedName);
        LayoutEngine engine;
        const auto first = buildDefaultScene(make.graph, engine);
        SceneOptions options = first->options;
        for (const FoldGroup& group : first->fold->groups())
            if (group.kind == FoldGroup::Kind::Repeat) options.open.insert(group.key);
        const auto second = buildScene(make.graph, first->fold, options, engine, SceneChange::Fold, first.get(), {}, {});
        QCOMPARE(overlaps(second->drawing), 0);
        // Closed again: the same places as before.
        const auto third = buildScene(make.graph, first->fold, first->options, engine, SceneChange::Fold, second.get(), {}, {});
        for (std::size_t i = 0; i < first->drawing.boxes.size(); ++i) {
            QVERIFY(std::abs(third->drawing.boxes[i].x - first->drawing.boxes[i].x) < 1e-6);
            QVERIFY(std::abs(third->drawing.boxes[i].y - first->drawing.boxes[i].y) < 1e-6);
        }
    }

    void sameInputSameBytes()
    {
        GraphMaker make;
        addDecoder(make, 6, scopedName);
        QCOMPARE(graphToSvg(sceneOf(make, true)->drawing, false), graphToSvg(sceneOf(make, true)->drawing, false));
    }

    void oddGraphs_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("empty") << 0;
        QTest::newRow("long and Chinese labels, markup, damaged UTF-8") << 1;
        QTest::newRow("a node with 5,000 inputs") << 2;
        QTest::newRow("unconnected nodes") << 3;
        QTest::newRow("a chain of 20,000") << 4;
    }

    void oddGraphs()
    {
        QFETCH(int, kind);
        GraphMaker make;
        if (kind == 1) {
            const NodeId a = make.add("Relu", std::string(20000, 'n'), {});
            const NodeId b = make.add(std::string(20000, 'T'), "模型/注意力/层归一化/一个很长很长很长很长很长的名字", {a});
            make.add("<b>&\"x", std::string("bad \xff\xfe\x01 name"), {b});
        } else if (kind == 2) {
            std::vector<NodeId> inputs;
            for (int i = 0; i < 5000; ++i) inputs.push_back(make.add("Data", "in" + std::to_string(i), {}));
            make.add("ConcatD", "all", inputs);
        } else if (kind == 3) {
            for (int i = 0; i < 200; ++i) make.add("Relu", "r" + std::to_string(i), {});
        } else if (kind == 4) {
            NodeId x = make.add("Data", "in", {});
            for (int i = 0; i < 20000; ++i) x = make.add("Relu", "n" + std::to_string(i), {x});
        }
        const auto scene = sceneOf(make, true);
        QCOMPARE(static_cast<int>(scene->drawing.boxes.size()) >= make.graph->nodeCount(), true);
        QCOMPARE(overlaps(scene->drawing), 0);
        for (const DrawnBox& box : scene->drawing.boxes) QVERIFY(box.width <= 300 || box.kind == BoxKind::Frame);
        const std::string svg = graphToSvg(scene->drawing, false);
        QXmlStreamReader xml(QByteArray::fromStdString(svg));
        while (!xml.atEnd()) xml.readNext();
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(graphToDot(scene->drawing).ends_with("}\n"));
    }

    void widths()
    {
        QCOMPARE(textWidth("", 10), 0.0);
        QVERIFY(textWidth("MatMulV2", 13, true) > textWidth("MatMulV2", 13));
        QCOMPARE(textWidth("中文", 10), 20.0);
        for (const double room : {5.0, 20.0, 60.0, 300.0})
            for (const std::string text : {"/model/layers.0/self_attn/q_proj/MatMul", "模型/注意力/层", "\xff\xff\xff\xff\xff\xff"}) {
                QVERIFY(textWidth(elideRight(text, room, 10), 10) <= std::max(room, 10.0) + 1e-9);
                QVERIFY(textWidth(elideLeft(text, room, 10), 10) <= std::max(room, 10.0) + 1e-9);
            }
        QCOMPARE(elideLeft("short", 100, 10), std::string("short"));
        QVERIFY(elideLeft("/model/layers.0/MatMul", 70, 10).ends_with("MatMul"));
    }

    void exportColoursAreThePalettes()
    {
        for (const bool isDark : {false, true}) {
            const Palette palette = Palette::of(isDark ? Theme::Dark : Theme::Light);
            const DrawingColors& colors = drawingColors(isDark);
            const auto equal = [](std::string_view hex, const QColor& color) {
                return QColor(QLatin1String(hex.data(), static_cast<qsizetype>(hex.size()))) == color;
            };
            QVERIFY(equal(colors.canvas, palette.canvas()));
            QVERIFY(equal(colors.text, palette.text()));
            QVERIFY(equal(colors.line, palette.line()));
            for (int u = 0; u < 8; ++u) QVERIFY(equal(colors.units[u], palette.unit(static_cast<Unit>(u))));
            for (int k = 0; k < 3; ++k) QVERIFY(equal(colors.changes[k], palette.change(static_cast<ChangeKind>(k))));
            for (const char* text : {"Matmul", "fp16", "ND"}) QVERIFY(equal(colors.category(text), palette.category(text)));
        }
    }
};

QTEST_GUILESS_MAIN(GraphSceneTest)
#include "tst_graph_scene.moc"
