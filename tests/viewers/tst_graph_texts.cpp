// What a drawing says in words beside its cards: in what ways nodes changed, the legend of files, labels of edges.

#include "engine/report/drawing_legend.h"
#include "engine/report/drawing_style.h"
#include "engine/report/graph_svg.h"
#include "engine/report/text_width.h"
#include "tests/viewers/graph_models.h"
#include "tests/viewers/sample_runs.h"
#include "viewers/graph/graph_worker.h"
#include "viewers/scene/cards.h"
#include "viewers/scene/rect_grid.h"

#include <QTest>

#include <cmath>

using namespace gelens;
using namespace gelens::testing;

namespace {

/// Looked at in small steps along the line, which needs no geometry that could be wrong in the same way.
bool runsThrough(std::span<const DrawnPoint> route, const SceneRect& area)
{
    for (std::size_t i = 0; i + 1 < route.size(); ++i) {
        const DrawnPoint a = route[i], b = route[i + 1];
        if (std::max(a.y, b.y) < area.top || std::min(a.y, b.y) > area.bottom) continue;
        const int count = 1 + static_cast<int>(std::hypot(b.x - a.x, b.y - a.y));
        for (int k = 0; k <= count; ++k)
            if (area.contains(a.x + (b.x - a.x) * k / count, a.y + (b.y - a.y) * k / count)) return true;
    }
    return false;
}

} // namespace

class GraphTextsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Above a changed node stands in what ways it changed: an attribute here, its inputs there.
    void changedNodesSayWhatChanged()
    {
        const auto run = makeRun(4);
        const auto noteOf = [&](const Scene& scene, const std::string& name) {
            const int box = scene.boxOf(scene.graph->findNode(name));
            return box < 0 ? std::string("not drawn") : scene.drawing.boxes[static_cast<std::size_t>(box)].note;
        };
        const auto requestOf = [&](int shown, int compared) {
            GraphRequest request;
            request.run = run;
            request.shown = StepId{shown};
            request.compared = StepId{compared};
            request.engine = std::make_shared<LayoutEngine>();
            request.folding = {false, false};
            return request;
        };
        const auto fused = workOut(requestOf(1, 0), {});
        QCOMPARE(noteOf(*fused->after, "/model/layers.2/residual"), std::string("rewired"));
        QCOMPARE(noteOf(*fused->before, "/model/layers.2/residual"), std::string("rewired"));
        QCOMPARE(noteOf(*fused->after, "/model/layers.2/q"), std::string());
        const NodeChange* change =
            fused->difference->details->of(fused->after->graph->findNode("/model/layers.2/residual"), true);
        QVERIFY(change != nullptr && !change->fields.empty());
        const auto renamed = workOut(requestOf(2, 1), {});
        QCOMPARE(noteOf(*renamed->after, "/model/head"), std::string("attribute"));
        QVERIFY(graphToSvg(renamed->after->drawing, false).find(">attribute</text>") != std::string::npos);
    }

    /// No line runs through what is written above a changed node, and nothing that could be told is left out for it.
    void notesKeepClearOfLines()
    {
        const auto run = sampleRun("llama-7b");
        QVERIFY(run);
        std::size_t notes = 0, whole = 0;
        for (const Step& step : run->steps) {
            if (step.id.value == 0 || step.editCount() == 0) continue;
            GraphRequest request;
            request.run = run;
            request.shown = step.id;
            request.compared = StepId{step.id.value - 1};
            request.engine = std::make_shared<LayoutEngine>();
            const auto answer = workOut(request, {});
            const GraphDrawing& drawing = answer->after->drawing;
            for (const DrawnBox& box : drawing.boxes) {
                if (box.note.empty()) continue;
                ++notes;
                whole += box.note.ends_with("…") ? 0 : 1;
                const double left = box.x + box.noteX, right = left + textWidth(box.note, card::edgeFont);
                const double top = box.y - card::noteHeight + 2, bottom = box.y - 2;
                for (const DrawnEdge& edge : drawing.edges)
                    QVERIFY2(!runsThrough(drawing.route(edge), {left, top, right, bottom}),
                             qPrintable(QStringLiteral("step %1: %2").arg(step.id.value).arg(box.note.c_str())));
            }
        }
        QVERIFY2(notes > 20, qPrintable(QString::number(notes)));
        QVERIFY2(whole * 2 > notes, qPrintable(QStringLiteral("%1 of %2").arg(whole).arg(notes)));
    }

    /// From the first to the last step nearly all nodes changed in several ways: a note goes on over the room beside its
    /// card, but over nothing that is written or stands there.
    void notesHaveTheRoomBesideThem()
    {
        const auto run = sampleRun("llama-7b");
        QVERIFY(run);
        GraphRequest request;
        request.run = run;
        request.shown = run->lastStep();
        request.compared = StepId{0};
        request.engine = std::make_shared<LayoutEngine>();
        request.words.separator = "、";
        const auto answer = workOut(request, {});
        for (const Scene* scene : {answer->before.get(), answer->after.get()}) {
            const GraphDrawing& drawing = scene->drawing;
            std::vector<SceneRect> taken, notes;
            for (const DrawnEdge& edge : drawing.edges)
                if (!edge.label.empty())
                    taken.push_back({edge.labelX, edge.labelY - 3, edge.labelX + edge.labelWidth, edge.labelY + 3});
            for (const DrawnBox& box : drawing.boxes)
                if (box.kind != BoxKind::Frame) taken.push_back({box.x, box.y, box.right(), box.bottom()});
            std::size_t whole = 0, beyond = 0;
            for (const DrawnBox& box : drawing.boxes) {
                if (box.note.empty()) continue;
                const double left = box.x + box.noteX;
                QVERIFY(left < box.right());
                notes.push_back(
                    {left, box.y - card::noteHeight + 2, left + textWidth(box.note, card::edgeFont) - 1, box.y - 2});
                whole += box.note.ends_with("…") ? 0 : 1;
                beyond += notes.back().right > box.right() + 20;
                QVERIFY(box.note.find(", ") == std::string::npos);
                for (const SceneRect& other : taken) QVERIFY2(!other.meets(notes.back()), box.note.c_str());
            }
            QVERIFY2(notes.size() > 7, qPrintable(QString::number(notes.size())));
            for (std::size_t a = 0; a < notes.size(); ++a)
                for (std::size_t b = 0; b < a; ++b) QVERIFY(!notes[a].meets(notes[b]));
            const auto counts = QStringLiteral("%1 whole, %2 beyond, of %3").arg(whole).arg(beyond).arg(notes.size());
            QVERIFY2(whole > 0 && beyond * 2 > notes.size(), qPrintable(counts));
        }
    }

    void aspectsOfAChange()
    {
        const auto bit = [](ChangeAspect aspect) { return 1u << static_cast<unsigned>(aspect); };
        QCOMPARE(changeAspects({}), std::uint8_t{0});
        QCOMPARE(unsigned{changeAspects({{"output_desc[0].shape", "", ""}, {"input_desc[1].dtype", "", ""}})},
                 bit(ChangeAspect::Shape) | bit(ChangeAspect::DataType));
        QCOMPARE(
            unsigned{changeAspects({{"output_desc[0].format", "", ""}, {"attr axis", "", ""}, {"control", "", ""}})},
            bit(ChangeAspect::Format) | bit(ChangeAspect::Attribute) | bit(ChangeAspect::Wiring));
        QCOMPARE(unsigned{changeAspects({{"type", "", ""}, {"name", "", ""}, {"stream", "", ""}})},
                 bit(ChangeAspect::Type) | bit(ChangeAspect::Name) | bit(ChangeAspect::Placement));
    }

    /// A picture that is sent to someone says itself what its colours mean, and only of what is in it.
    void filesHaveALegend()
    {
        GraphMaker make;
        addDecoder(make, 3, scopedName);
        const auto scene = buildExportScene(make.graph, ExportFolding::Open);
        const GraphDrawing& drawing = scene->drawing;
        const std::string svg = graphToSvg(drawing, false);
        QVERIFY(!drawing.legend.empty());
        for (const LegendEntry& entry : drawing.legend)
            QVERIFY2(svg.find(">" + entry.text + " " + std::to_string(entry.count) + "<") != std::string::npos,
                     entry.text.c_str());
        const DrawingLegend placed = placeLegend(drawing);
        for (const LegendChip& chip : placed.chips) { // above the graph, inside the picture
            QVERIFY(chip.y + LegendChip::side < drawing.top && chip.y >= placed.top);
            QVERIFY(chip.textX() + textWidth(chip.text, card::nameFont) <= placed.left + placed.width + 1);
        }
        std::vector<std::uint8_t> isIn(drawing.boxes.size(), 0);
        std::size_t cubes = 0;
        for (std::size_t i = 0; i < isIn.size(); ++i)
            cubes += isIn[i] = drawing.boxes[i].unit == Unit::Cube && cubes < 2;
        QCOMPARE(cubes, std::size_t{2});
        const GraphDrawing part = partOf(drawing, isIn);
        QCOMPARE(part.legend.size(), std::size_t{1});
        QCOMPARE(part.legend.front().count, 2);
        QVERIFY(placeLegend(GraphDrawing{}).chips.empty());
        GraphDrawing changed = part;
        changed.boxes.front().change = ChangeKind::Added;
        QVERIFY(graphToSvg(changed, false).find(">added<") != std::string::npos);
    }

    /// A label beside the rightmost line reaches beyond all boxes; the picture has room for it.
    void labelsLieInsideThePicture()
    {
        GraphDrawing drawing;
        drawing.left = 10;
        drawing.width = 40;
        drawing.edges.resize(2);
        drawing.edges[0].label = "1×2×16384×64 · NCHW";
        drawing.edges[0].labelX = 30;
        drawing.edges[0].labelWidth = 90;
        drawing.edges[1].labelX = 500; // without a text: where one would stand says nothing
        QCOMPARE(placeLegend(drawing).width, 110.0);
        drawing.edges[0].labelWidth = 5;
        QCOMPARE(placeLegend(drawing).width, 40.0);
    }

    /// Names of sizes are read whole where there is room, and lose their middle before the whole label loses its end.
    void edgeLabelsAreReadWhole()
    {
        Shape shape;
        shape.append(-1, "batch_size");
        shape.append(-1, "past_sequence_length");
        shape.append(64);
        const TensorDesc desc(DataType::Float16, shape);
        std::string text;
        tensorLabel(desc, {}, 24, text);
        QCOMPARE(text, std::string("batch_size×past_sequence_length×64"));
        tensorLabel(desc, {}, 12, text);
        QCOMPARE(text, std::string("batch_size×past_…ngth×64"));
    }
};

QTEST_GUILESS_MAIN(GraphTextsTest)
#include "tst_graph_texts.moc"
