// Stepping through a whole compile: what a pass does not touch stays where it is, to the last bit.

#include "tests/viewers/drawing_checks.h"
#include "tests/viewers/sample_runs.h"
#include "viewers/graph/graph_worker.h"

#include <QTest>

#include <algorithm>
#include <unordered_set>

using namespace gelens;
using namespace gelens::testing;

namespace {

struct Walk {
    GraphRequest request;
    std::shared_ptr<GraphAnswer> answer;

    explicit Walk(const std::shared_ptr<const Run>& run)
    {
        request.run = run;
        request.engine = std::make_shared<LayoutEngine>();
    }
    /// As the window does when the step changes.
    void to(int step)
    {
        request.shown = StepId{step};
        request.compared = StepId{std::max(0, step - 1)};
        request.change = SceneChange::Step;
        if (answer) {
            request.scenes = answer->scenes;
            request.open = answer->open;
        }
        answer = workOut(request, {});
    }
    const Scene& scene() const { return *answer->after; }
};

} // namespace

class GraphStepsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useEnglish(); }

    void nothingMoves_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("blocks"); // 0 as opened at first, 1 all open, 2 none at all
        QTest::newRow("llama-7b as it opens") << QStringLiteral("llama-7b") << 0;
        QTest::newRow("llama-7b, every block open") << QStringLiteral("llama-7b") << 1;
        QTest::newRow("llama-7b without blocks") << QStringLiteral("llama-7b") << 2;
        QTest::newRow("small-resnet, every block open") << QStringLiteral("small-resnet") << 1;
    }

    void nothingMoves()
    {
        QFETCH(QString, model);
        QFETCH(int, blocks);
        const auto run = sampleRun(model.toStdString());
        QVERIFY(run != nullptr);
        Walk walk(run);
        if (blocks == 1) {
            walk.request.open.emplace();
            for (const FoldGroup& group : FoldModel::build(*run->graphAt(StepId{0}), {})->groups())
                walk.request.open->insert(group.key);
        }
        if (blocks == 2) walk.request.folding = {false, false};
        walk.to(0);
        int compared = 0, moved = 0;
        QString first;
        for (int step = 1; step < run->stepCount(); ++step) {
            const auto before = walk.answer->after;
            walk.to(step);
            const Scene& after = walk.scene();
            std::unordered_set<NodeId> touched;
            const Run::Touched changes = run->touched(StepId{step - 1}, StepId{step});
            touched.insert(changes.changed.begin(), changes.changed.end());
            touched.insert(changes.added.begin(), changes.added.end());
            for (const NodeId id : after.graph->allNodes()) {
                const int a = before->boxOf(id), b = after.boxOf(id);
                if (a < 0 || b < 0 || touched.contains(id)) continue;
                const DrawnBox& was = before->drawing.boxes[static_cast<std::size_t>(a)];
                const DrawnBox& is = after.drawing.boxes[static_cast<std::size_t>(b)];
                if (was.kind == BoxKind::Frame || is.kind == BoxKind::Frame || was.kind != is.kind) continue;
                if (was.node != is.node) continue; // constants are shown by their reader
                ++compared;
                if (was.x == is.x && was.y == is.y && was.width == is.width && was.height == is.height) continue;
                ++moved;
                if (first.isEmpty())
                    first = QStringLiteral("%1 at step %2: %3,%4 to %5,%6")
                                .arg(QString::fromStdString(after.graph->node(id).name))
                                .arg(step)
                                .arg(was.x)
                                .arg(was.y)
                                .arg(is.x)
                                .arg(is.y);
            }
            // Nothing in a frame moves, so a frame that needs more room may come to lie over the next one's border.
            if (blocks != 0) QCOMPARE(overlaps(after.drawing, false), 0);
        }
        QVERIFY2(moved == 0,
                 qPrintable(QStringLiteral("%1 of %2 moved; first: %3").arg(moved).arg(compared).arg(first)));
        QVERIFY(compared > 1000);
        // Tidy lays the same graph out anew: smaller than what many steps left behind, and nothing overlaps.
        const GraphDrawing grown = walk.scene().drawing;
        walk.request.change = SceneChange::Fresh;
        walk.request.scenes.clear();
        walk.request.open = walk.answer->open;
        const auto tidy = workOut(walk.request, {});
        QCOMPARE(tidy->after->drawing.boxes.size() > 0, true);
        QCOMPARE(overlaps(tidy->after->drawing), 0);
        QVERIFY(tidy->after->drawing.height <= grown.height + 1);
    }

    /// Between the first and the last step blocks grow; over each other nobody could read them.
    void overlayOfFarStepsCanBeRead_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model : {"llama-7b", "tiny-llama", "small-resnet"})
            QTest::newRow(model) << QString::fromLatin1(model);
    }

    void overlayOfFarStepsCanBeRead()
    {
        QFETCH(QString, model);
        const auto run = sampleRun(model.toStdString());
        QVERIFY(run != nullptr);
        GraphRequest request;
        request.run = run;
        request.engine = std::make_shared<LayoutEngine>();
        request.mode = GraphMode::Overlay;
        request.shown = run->lastStep();
        request.compared = StepId{0};
        const auto answer = workOut(request, {});
        const GraphDrawing& drawing = answer->after->drawing;
        QCOMPARE(overlaps(drawing), 0);
        const auto isGhost = [](const DrawnBox& box) { return box.isGhost; };
        QVERIFY(std::any_of(drawing.boxes.begin(), drawing.boxes.end(), isGhost));
        for (const SceneLevel& level : answer->after->levels) { // content lies in its frame
            if (level.parentLevel < 0) continue;
            const SceneLevel& outer = answer->after->levels[static_cast<std::size_t>(level.parentLevel)];
            const DrawnBox& frame = drawing.boxes[static_cast<std::size_t>(outer.firstBox + level.parentItem)];
            for (std::size_t k = 0; k < level.items().size(); ++k) {
                const DrawnBox& box = drawing.boxes[static_cast<std::size_t>(level.firstBox) + k];
                QVERIFY(box.x >= frame.x && box.right() <= frame.right() && box.bottom() <= frame.bottom());
            }
        }
    }

    void backAgainIsWhereItWas()
    {
        const auto run = sampleRun("tiny-llama");
        QVERIFY(run != nullptr);
        Walk walk(run);
        walk.to(0);
        walk.to(10);
        const GraphDrawing there = walk.scene().drawing;
        for (int step = 11; step < std::min(40, run->stepCount()); ++step) walk.to(step);
        for (int step = std::min(40, run->stepCount()) - 1; step >= 10; --step) walk.to(step);
        const GraphDrawing& again = walk.scene().drawing;
        QCOMPARE(again.boxes.size(), there.boxes.size());
        for (std::size_t i = 0; i < there.boxes.size(); ++i) {
            if (there.boxes[i].kind != BoxKind::Node) continue;
            QCOMPARE(again.boxes[i].x, there.boxes[i].x);
            QCOMPARE(again.boxes[i].y, there.boxes[i].y);
        }
    }

    /// The type of a fused node is what a person looks for after a fusion: it is read whole.
    void typesAreReadWhole()
    {
        for (const char* model : {"llama-7b", "attention-fits", "small-resnet", "tiny-llama"}) {
            const auto run = sampleRun(model);
            QVERIFY(run != nullptr);
            Walk walk(run);
            walk.request.folding = {false, false};
            for (int step = 0; step < run->stepCount(); ++step) {
                walk.to(step);
                for (const DrawnBox& box : walk.scene().drawing.boxes) {
                    if (box.kind != BoxKind::Node || box.isGhost) continue;
                    const std::string& type = walk.scene().graph->node(box.node).type;
                    QVERIFY2(box.title == type, qPrintable(QString::fromStdString(type + " is drawn as " + box.title)));
                }
            }
        }
    }
};

QTEST_MAIN(GraphStepsTest)
#include "tst_graph_steps.moc"
