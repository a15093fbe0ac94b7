// How large a drawing would be is known before it is made.
#include "tests/viewers/sample_runs.h"
#include "viewers/scene/box_count.h"

#include <QTest>

#include <algorithm>

using namespace gelens;
using namespace gelens::testing;

class TestBoxCount : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isWhatIsDrawn_data()
    {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<int>("folding");
        for (const char* sample : {"tiny-llama", "small-resnet", "unit-conflict"})
            for (const ExportFolding folding : {ExportFolding::Default, ExportFolding::Open, ExportFolding::None})
                QTest::addRow("%s, %d", sample, static_cast<int>(folding))
                    << QString::fromLatin1(sample) << static_cast<int>(folding);
    }
    void isWhatIsDrawn()
    {
        QFETCH(QString, sample);
        QFETCH(int, folding);
        const auto run = sampleRun(sample.toStdString());
        QVERIFY(run != nullptr);
        for (const StepId step : {StepId{0}, run->lastStep()}) {
            const auto graph = run->graphAt(step);
            const auto how = static_cast<ExportFolding>(folding);
            const auto scene = buildExportScene(graph, how);
            QVERIFY(scene != nullptr);
            const auto& boxes = scene->drawing.boxes;
            const auto drawn = std::count_if(boxes.begin(), boxes.end(), [](const DrawnBox& box) {
                return box.kind != BoxKind::Port && !box.isGhost;
            });
            QVERIFY(drawn > 0);
            QCOMPARE(static_cast<qint64>(exportBoxCount(*graph, how)), static_cast<qint64>(drawn));
        }
    }

    void countsWhatAFilterLeaves()
    {
        const auto run = sampleRun("tiny-llama");
        QVERIFY(run != nullptr);
        const auto graph = run->graphAt(StepId{0});
        const auto fold = FoldModel::build(*graph, FoldOptions{false, false});
        SceneOptions options;
        const std::size_t all = boxCount(*graph, *fold, options);
        options.showConstants = true;
        QCOMPARE(static_cast<qint64>(boxCount(*graph, *fold, options)), static_cast<qint64>(graph->nodeCount()));
        QVERIFY(all < static_cast<std::size_t>(graph->nodeCount()));
        options.onlyNodes.assign(static_cast<std::size_t>(graph->nodeIdBound()), 0);
        options.onlyNodes[0] = 1;
        QCOMPARE(boxCount(*graph, *fold, options), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(TestBoxCount)
#include "tst_box_count.moc"
