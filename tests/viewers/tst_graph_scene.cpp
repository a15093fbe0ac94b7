// Places and texts of scenes: nothing overlaps, nothing jumps, odd graphs are drawn.

#include "engine/report/drawing_style.h"
#include "engine/report/graph_svg.h"
#include "engine/report/text_width.h"
#include "tests/viewers/drawing_checks.h"
#include "tests/viewers/graph_models.h"
#include "viewers/common/palette.h"
#include "viewers/graph/graph_worker.h"
#include "viewers/layout/layout_quality.h"
#include "viewers/scene/block_variants.h"
#include "viewers/scene/cards.h"

#include <QTest>
#include <QXmlStreamReader>

#include <chrono>
#include <map>
#include <set>
#include <thread>

#include <pthread.h>
#include <time.h>

using namespace gelens;
using namespace gelens::testing;

namespace {

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

/// Two steps, with a time line, a memory plan, engines and streams.
std::shared_ptr<Run> colouredRun()
{
    GraphMaker make;
    addDecoder(make, 2, scopedName);
    std::int64_t count = 0;
    const auto place = [&](NodeId id) {
        Placement placement;
        placement.engine = make.graph->node(id).type == "Data" ? "DNN_VM_GE_LOCAL" : "AIcoreEngine";
        placement.streamId = count++ % 3;
        make.edit.setPlacement(id, placement);
    };
    for (const NodeId id : make.graph->nodes()) place(id);
    auto run = std::make_shared<Run>();
    closeStep(make, *run, "Read");
    place(make.add("Relu", "/model/extra", {make.graph->findNode("/model/head")}));
    closeStep(make, *run, "Extend");
    for (const NodeId id : make.graph->nodes()) {
        ++count;
        TimelineItem item;
        item.node = id;
        item.durationUs = static_cast<double>(1 + count * count % 40);
        run->timeline.items.push_back(item);
        MemoryBuffer buffer;
        buffer.bytes = 512 * (1 + count * count % 300);
        run->plan.bufferOfTensor[{id, 0}] = static_cast<int>(run->plan.buffers.size());
        run->plan.buffers.push_back(buffer);
    }
    run->setGraph(std::make_shared<Graph>(*make.graph), make.journal);
    return run;
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
            for (const SceneItem& item : level.items()) {
                if (!item.node.isValid()) continue;
                const DrawnBox& box = scene->drawing.boxes[static_cast<std::size_t>(scene->boxOf(item.node))];
                QVERIFY(box.x >= frame->x && box.right() <= frame->right() &&
                        box.y >= frame->y + card::frameHeader - 1 && box.bottom() <= frame->bottom());
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
        QCOMPARE(answer->difference->removed, 24);
        QCOMPARE(answer->difference->added, 6);
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
        QCOMPARE(static_cast<int>(answer->difference->groups.size()), 2); // one for each fusion
        QCOMPARE(static_cast<int>(answer->difference->groups[0].before.size()), 3);
        const auto before = run->graphAt(StepId{0});
        const NodeId fused = run->graphAt(StepId{1})->findNode(scopedName(1, "attention"));
        const DrawnBox& box = answer->after->drawing.boxes[static_cast<std::size_t>(answer->after->boxOf(fused))];
        const auto centre = [&](const char* local) {
            return answer->before->drawing
                .boxes[static_cast<std::size_t>(answer->before->boxOf(before->findNode(scopedName(1, local))))]
                .centreY();
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

    /// A ghost says what its card said, in the colours of the drawing that it is now part of.
    void ghostsKeepTheirTexts()
    {
        const auto run = makeRun(2);
        const auto before = run->graphAt(StepId{0}), after = run->graphAt(StepId{1});
        const FoldOptions flat{false, false};
        LayoutEngine engine;
        SceneOptions options;
        options.colorBy = ColorBy::OperatorClass;
        const auto first =
            buildScene(before, FoldModel::build(*before, flat), options, engine, SceneChange::Fresh, nullptr, {}, {});
        options.colorBy = ColorBy::Unit;
        options.keepGhosts = true;
        const auto second =
            buildScene(after, FoldModel::build(*after, flat), options, engine, SceneChange::Step, first.get(), {}, {});
        int ghosts = 0;
        for (const DrawnBox& box : second->drawing.boxes) {
            if (!box.isGhost) continue;
            ++ghosts;
            const DrawnBox card = nodeCard(*before, before->node(box.node), {});
            QCOMPARE(box.title, card.title);
            QCOMPARE(box.subtitle, card.subtitle);
            QCOMPARE(box.tag, card.tag);
            QCOMPARE(box.sign, card.sign);
            QVERIFY(box.colorKey.empty() && box.level == -1 && box.change == ChangeKind::Removed);
            const DrawnBox& was = first->drawing.boxes[static_cast<std::size_t>(first->boxOf(box.node))];
            QVERIFY(box.x == was.x && box.y == was.y && box.width == was.width && box.height == was.height);
        }
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
        const auto second =
            buildScene(make.graph, first->fold, options, engine, SceneChange::Fold, first.get(), {}, {});
        QCOMPARE(overlaps(second->drawing), 0);
        // Closed again: the same places as before.
        const auto third =
            buildScene(make.graph, first->fold, first->options, engine, SceneChange::Fold, second.get(), {}, {});
        for (std::size_t i = 0; i < first->drawing.boxes.size(); ++i) {
            QVERIFY(std::abs(third->drawing.boxes[i].x - first->drawing.boxes[i].x) < 1e-6);
            QVERIFY(std::abs(third->drawing.boxes[i].y - first->drawing.boxes[i].y) < 1e-6);
        }
    }

    void everyColouringHasALegend_data()
    {
        QTest::addColumn<int>("colorBy");
        const char* names[] = {"unit",   "operator class", "engine", "stream", "data type",
                               "format", "latency",        "memory", "origin"};
        for (int i = 0; i < 9; ++i) QTest::newRow(names[i]) << i;
    }

    /// Colour never stands alone: each category has a sign of its own, the same in stripes and legend, beside and after.
    void everyColouringHasALegend()
    {
        QFETCH(int, colorBy);
        const auto run = colouredRun();
        GraphRequest request = requestFor(run, 1, 0);
        request.folding = {false, false};
        request.colorBy = static_cast<ColorBy>(colorBy);
        const auto answer = workOut(request, {});
        std::map<std::string, std::string> signOf;
        for (const auto& scene : {answer->before, answer->after}) {
            QVERIFY(!scene->drawing.legend.empty());
            for (const LegendEntry& entry : scene->drawing.legend) {
                QVERIFY(!entry.sign.empty() && !entry.text.empty());
                const auto [found, isNew] = signOf.try_emplace(entry.text, entry.sign);
                QCOMPARE(found->second, entry.sign);
                QCOMPARE(entry.level >= 0, request.colorBy == ColorBy::Latency || request.colorBy == ColorBy::Memory);
            }
            int inLegend = 0, coloured = 0;
            for (const LegendEntry& entry : scene->drawing.legend) inLegend += entry.count;
            for (const DrawnBox& box : scene->drawing.boxes)
                if (box.kind == BoxKind::Node) {
                    QVERIFY(!box.sign.empty());
                    coloured += box.isUnitStripe || !box.colorKey.empty();
                }
            QCOMPARE(inLegend, coloured);
        }
        if (request.colorBy == ColorBy::Unit) return; // several units share the sign of "no task"
        std::set<std::string> signs;
        for (const auto& [text, sign] : signOf) signs.insert(sign);
        QCOMPARE(signs.size(), signOf.size());
    }

    void labelsSayWhatIsWanted()
    {
        GraphMaker make;
        addDecoder(make, 1, scopedName);
        LayoutEngine engine;
        const auto fold = FoldModel::build(*make.graph, {false, false});
        const auto labels = [&](EdgeLabels wanted) {
            SceneOptions options;
            options.labels = wanted;
            const auto scene = buildScene(make.graph, fold, options, engine, SceneChange::Fresh, nullptr, {}, {});
            QStringList texts;
            for (const DrawnEdge& edge : scene->drawing.edges)
                if (!edge.label.empty()) texts << QString::fromStdString(edge.label);
            texts.removeDuplicates();
            return texts.join(QLatin1Char('|'));
        };
        QCOMPARE(labels({true, false, true}), QStringLiteral("1×16×64"));
        QCOMPARE(labels({true, true, true}), QStringLiteral("1×16×64 · fp16"));
        QCOMPARE(labels({false, true, false}), QStringLiteral("fp16"));
        QCOMPARE(labels({false, false, false}), QString());
    }

    /// A block alone: what comes from outside and goes there are ports of the drawing.
    void aBlockAlone()
    {
        GraphMaker make;
        addDecoder(make, 4, scopedName);
        LayoutEngine engine;
        const auto fold = FoldModel::build(*make.graph, {});
        SceneOptions options;
        for (const FoldGroup& group : fold->groups())
            if (group.kind == FoldGroup::Kind::Instance && options.rootKey.empty()) options.rootKey = group.key;
        QVERIFY(!options.rootKey.empty());
        const auto scene = buildScene(make.graph, fold, options, engine, SceneChange::Fresh, nullptr, {}, {});
        int shownNodes = 0, in = 0, out = 0;
        for (const DrawnBox& box : scene->drawing.boxes) {
            shownNodes += box.kind == BoxKind::Node;
            in += box.kind == BoxKind::Port && box.isInput;
            out += box.kind == BoxKind::Port && !box.isInput;
        }
        QCOMPARE(shownNodes, layerNodes);
        QCOMPARE(in, 2); // the stream and the mask
        QCOMPARE(out, 1);
        QCOMPARE(overlaps(scene->drawing), 0);
        QVERIFY(scene->boxOf(make.graph->findNode("/model/head")) < 0);
    }

    void uniqueBlocksAreTold()
    {
        const auto run = makeRun(6, 4); // the last two layers are not fused
        const auto graph = run->graphAt(StepId{1});
        const auto fold = FoldModel::follow(*graph, *FoldModel::build(*run->graphAt(StepId{0}), {}), {});
        const auto unevenRepeats = [](const Graph& of, const FoldModel& folded) {
            std::vector<int> uneven;
            for (int g = 0; g < static_cast<int>(folded.groups().size()); ++g)
                if (folded.group(g).kind == FoldGroup::Kind::Repeat && blockVariants(of, folded, g).size() > 1)
                    uneven.push_back(g);
            return uneven;
        };
        const std::vector<int> uneven = unevenRepeats(*graph, *fold);
        QCOMPARE(static_cast<int>(uneven.size()), 1);
        const auto variants = blockVariants(*graph, *fold, uneven.front());
        QCOMPARE(static_cast<int>(variants.size()), 2);
        QCOMPARE(static_cast<int>(variants[0].instances.size()), 4);
        QVERIFY(variants[0].more.empty() && variants[0].fewer.empty());
        QCOMPARE(static_cast<int>(variants[1].instances.size()), 2);
        const std::vector<std::pair<std::string, int>> fewer{{"FlashAttentionScore", 1}};
        QCOMPARE(variants[1].fewer, fewer);
        const std::vector<std::pair<std::string, int>> more{{"Add", 1}, {"BatchMatMulV2", 2}, {"SoftmaxV2", 1}};
        QCOMPARE(variants[1].more, more);
        QVERIFY(unevenRepeats(*run->graphAt(StepId{0}), *FoldModel::build(*run->graphAt(StepId{0}), {})).empty());
    }

    void aPartOfADrawing()
    {
        GraphMaker make;
        addDecoder(make, 3, scopedName);
        const auto scene = sceneOf(make, true);
        std::vector<std::uint8_t> isIn(scene->drawing.boxes.size(), 0);
        std::size_t wanted = 0;
        for (std::size_t i = 0; i < isIn.size(); i += 2) wanted += isIn[i] = 1;
        const GraphDrawing part = partOf(scene->drawing, isIn);
        QCOMPARE(part.boxes.size(), wanted);
        for (const DrawnEdge& edge : part.edges) {
            QVERIFY(edge.from >= 0 && edge.to >= 0 && static_cast<std::size_t>(std::max(edge.from, edge.to)) < wanted);
            QVERIFY(part.route(edge).size() >= 2);
        }
        for (const DrawnBox& box : part.boxes)
            QVERIFY(box.x >= part.left && box.right() <= part.left + part.width && box.y >= part.top &&
                    box.bottom() <= part.top + part.height);
        QVERIFY(partOf(scene->drawing, {}).boxes.empty());
    }

    /// Graphviz's drawing is taken where it reads better, and never changes what is kept from step to step.
    void refinementIsNeverWorse()
    {
        GraphMaker make;
        std::vector<NodeId> nodes;
        std::uint32_t random = 7;
        for (int i = 0; i < 60; ++i) {
            std::vector<NodeId> inputs;
            for (int k = 0; k < 2 && !nodes.empty(); ++k) {
                random = random * 1664525 + 1013904223;
                inputs.push_back(nodes[(random >> 8) % nodes.size()]);
            }
            nodes.push_back(make.add(inputs.empty() ? "Data" : "Add", "n" + std::to_string(i), inputs));
        }
        const auto fold = FoldModel::build(*make.graph, {false, false});
        const auto quality = [&](Refinement refinement, LayoutEngine& engine) {
            SceneOptions options;
            options.refinement = refinement;
            const auto scene = buildScene(make.graph, fold, options, engine, SceneChange::Fresh, nullptr, {}, {});
            return std::pair(scene->isRefined, measureQuality(scene->levels[0].graph(), scene->levels[0].layout()));
        };
        LayoutEngine engine;
        const auto plain = quality(Refinement::None, engine);
        QVERIFY(!plain.first);
        QVERIFY(!quality(Refinement::Known, engine).first); // nobody has asked yet
        const auto refined = quality(Refinement::Full, engine);
        QVERIFY(refined.second.crossings <= plain.second.crossings);
        const auto known = quality(Refinement::Known, engine);
        QCOMPARE(known.first, refined.first);
        QCOMPARE(known.second.length, refined.second.length);
        QVERIFY(!quality(Refinement::None, engine).first);
    }

    /// Whatever is under way, it is given up within 100 ms: of the thread's own time, as other programs run beside.
    void cancelAtAnyTime()
    {
        GraphMaker make;
        addDecoder(make, 7200, scopedName); // 100,000 nodes
        const auto milliseconds = [](clockid_t clock) {
            timespec time{};
            ::clock_gettime(clock, &time);
            return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
        };
        clockid_t worker{};
        QCOMPARE(::pthread_getcpuclockid(::pthread_self(), &worker), 0);
        for (const int delay : {5, 60, 150, 300, 450, 600, 800}) {
            std::stop_source source;
            double asked = 0;
            const double start = milliseconds(worker);
            std::thread other([&] { // waits until the work has taken so much of the processor
                while (milliseconds(worker) < start + delay) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                asked = milliseconds(worker);
                source.request_stop();
            });
            LayoutEngine engine;
            const auto fold = FoldModel::build(*make.graph, {false, false}, source.get_token());
            const auto answer =
                buildScene(make.graph, fold, {}, engine, SceneChange::Fresh, nullptr, {}, source.get_token());
            const double end = milliseconds(worker);
            while (milliseconds(worker) < start + delay) {
            } // it was done before it could be stopped
            other.join();
            qInfo("asked after %.0f ms, given up after %.0f ms", asked - start, end - asked);
            QVERIFY2(answer != nullptr || end - asked <= 100,
                     qPrintable(QStringLiteral("%1 ms after %2 ms").arg(end - asked).arg(delay)));
        }
    }

    void sameInputSameBytes()
    {
        GraphMaker make;
        addDecoder(make, 6, scopedName);
        QCOMPARE(graphToSvg(sceneOf(make, true)->drawing, false), graphToSvg(sceneOf(make, true)->drawing, false));
    }

    void oddGraphsAreLaidOut_data()
    {
        QTest::addColumn<int>("kind");
        for (std::size_t i = 0; i < oddGraphs().size(); ++i) QTest::newRow(oddGraphs()[i].name) << static_cast<int>(i);
    }

    void oddGraphsAreLaidOut()
    {
        QFETCH(int, kind);
        GraphMaker make;
        oddGraphs()[static_cast<std::size_t>(kind)].build(make);
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
            for (const std::string text :
                 {"/model/layers.0/self_attn/q_proj/MatMul", "模型/注意力/层", "\xff\xff\xff\xff\xff\xff"}) {
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
            for (const char* text : {"Matmul", "fp16", "ND"})
                QVERIFY(equal(colors.category(text), palette.category(text)));
        }
    }
};

QTEST_GUILESS_MAIN(GraphSceneTest)
#include "tst_graph_scene.moc"
