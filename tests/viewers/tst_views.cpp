// Single views: their empty, loading and failed states, and what they show of a run.

#include "tests/viewers/view_fixture.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/inspector/inspector_view.h"
#include "viewers/log/log_view.h"
#include "viewers/models/property_model.h"
#include "viewers/models_monitor/models_view.h"
#include "viewers/pipeline/pipeline_view.h"
#include "viewers/pipeline/step_strip.h"
#include "viewers/problems/problems_view.h"
#include "viewers/statistics/statistics_view.h"
#include "viewers/welcome/welcome_view.h"

#include <QAbstractButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include <thread>

using namespace gelens;
using test::runOfSample;

namespace {

std::unique_ptr<View> makeView(const QString& name)
{
    if (name == QStringLiteral("pipeline")) return std::make_unique<PipelineView>();
    if (name == QStringLiteral("inspector")) return std::make_unique<InspectorView>();
    if (name == QStringLiteral("statistics")) return std::make_unique<StatisticsView>();
    if (name == QStringLiteral("problems")) return std::make_unique<ProblemsView>();
    return nullptr;
}

QStringList namesOf(const QAbstractItemModel& model)
{
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row) names += model.index(row, 0).data().toString();
    return names;
}

} // namespace

class TestViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void statesSpeak_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"pipeline", "inspector", "statistics", "problems"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void statesSpeak()
    {
        QFETCH(QString, name);
        const auto view = makeView(name);
        test::showView(*view, nullptr);
        auto* stack = view->findChild<StateStack*>();
        QVERIFY(stack != nullptr);
        QVERIFY(!stack->isContent());
        QVERIFY(stack->page()->text().contains(QStringLiteral("Ctrl+O")));
        view->setEmptyState(EmptyState::Loading);
        QVERIFY(
            QTest::qWaitFor([&] { return stack->page()->text().contains(QStringLiteral("being compiled")); }, 2000));
        view->setEmptyState(EmptyState::Failed, QStringLiteral("x.onnx: <b>broken</b>"));
        QVERIFY(QTest::qWaitFor([&] { return stack->page()->text().contains(QStringLiteral("<b>broken</b>")); }, 2000));
        view->setRun(runOfSample("attention-fits"));
        QVERIFY(QTest::qWaitFor([&] { return stack->isContent() || name == QStringLiteral("problems"); }, 5000));
        view->setRun(nullptr);
        QVERIFY(QTest::qWaitFor([&] { return !stack->isContent(); }, 2000));
    }

    void hiddenViewsCatchUp()
    {
        StatisticsView view;
        view.setRun(runOfSample("attention-fits"));
        QCoreApplication::processEvents();
        QCOMPARE(view.figures()->view()->model()->rowCount(), 0); // not shown, nothing done
        view.show();
        QCOMPARE(view.figures()->view()->model()->rowCount(), 5);
    }

    void inspectorOfAModelANodeAndSeveral()
    {
        const auto run = runOfSample("small-resnet");
        InspectorView view;
        QSignalSpy ready(&view, &InspectorView::reportReady);
        test::showView(view, run, 340, 700);
        QVERIFY(QTest::qWaitFor([&] { return ready.count() > 0 && !view.isBusy(); }, 5000));
        QCOMPARE(namesOf(*view.model()).first(), QStringLiteral("Model"));

        const auto graph = run->graphAt(run->lastStep());
        std::vector<NodeId> convolutions;
        for (const NodeId id : graph->allNodes())
            if (graph->node(id).type == "Conv2D") convolutions.push_back(id);
        QVERIFY(convolutions.size() > 2);
        view.setSelection(Selection::ofNode(convolutions[0]));
        QVERIFY(QTest::qWaitFor([&] { return view.heading().startsWith(QStringLiteral("Conv2D\n")); }, 5000));
        const QStringList sections = namesOf(*view.model());
        for (const char* section :
             {"General", "Tensors", "Attributes", "History", "Came from", "Became", "Verdicts", "Memory"})
            QVERIFY2(std::any_of(sections.begin(), sections.end(),
                                 [&](const QString& name) { return name.startsWith(QLatin1String(section)); }),
                     section);

        Selection several = Selection::ofNode(convolutions[0]);
        several.more = {convolutions[1], convolutions[2]};
        view.setSelection(several);
        QVERIFY(QTest::qWaitFor([&] { return view.heading().startsWith(QLatin1Char('3')); }, 5000));
        QCOMPARE(namesOf(*view.model()), (QStringList{QStringLiteral("Selected nodes (3)"),
                                                      QStringLiteral("The same in all"), QStringLiteral("Different")}));
        Selection unknown = Selection::ofNode(NodeId{1 << 28}); // no such node: the model again, no crash
        view.setSelection(unknown);
        QVERIFY(QTest::qWaitFor([&] { return view.heading().startsWith(QStringLiteral("small-resnet")); }, 5000));
    }

    void stripPaintsEveryStep()
    {
        const auto run = runOfSample("small-resnet");
        StepStrip strip;
        test::showView(strip, run, 800, 60);
        QVERIFY(strip.summary().startsWith(QStringLiteral("step %1 of %1").arg(run->lastStep().value)));
        for (const Step& step : run->steps) {
            QCOMPARE(strip.stepAt(strip.barRect(step.id).center().x()), step.id);
            QVERIFY((strip.barRect(step.id).height() > 5) == step.hasChanged());
        }
        QVERIFY(!strip.stepAt(-5).isValid());
    }

    void logTakesLinesFromAnyThread()
    {
        LogView view;
        view.show();
        std::thread writer([] {
            for (int i = 0; i < 100; ++i) log(LogLevel::Warning, "test", "line <" + std::to_string(i) + ">");
        });
        writer.join();
        const QAbstractItemModel* lines = view.panel()->view()->model();
        QVERIFY(QTest::qWaitFor([&] { return lines->rowCount() == 100; }, 5000));
        QCOMPARE(lines->index(99, 3).data().toString(), QStringLiteral("line <99>"));
    }

    void welcomeListsRecentFilesAsText()
    {
        WelcomeView view;
        view.resize(900, 600);
        view.show();
        QSignalSpy requested(&view, &WelcomeView::openRequested);
        const QString there = QStringLiteral(GELENS_SAMPLES_DIR "/attention-fits.onnx");
        view.setRecentFiles({there, QStringLiteral("/nowhere/a&b.onnx")});
        auto* gone = view.findChild<QAbstractButton*>(QStringLiteral("open_a&b.onnx"));
        QVERIFY(gone != nullptr && !gone->isEnabled());
        QCOMPARE(gone->text(), QStringLiteral("a&&b.onnx"));
        QTest::mouseClick(view.findChild<QAbstractButton*>(QStringLiteral("open_attention-fits.onnx")), Qt::LeftButton);
        QCOMPARE(requested.count(), 1);
        QCOMPARE(requested.at(0).at(0).toString(), there);
    }
};

QTEST_MAIN(TestViews)
#include "tst_views.moc"
