// Dump folders, real dumps beside a run, and an OM with its original model, in the real window with mouse and keys.

#include "app/gui/file_tools.h"
#include "app/gui/quick_list.h"
#include "engine/formats/om/om_writer.h"
#include "engine/session/sim_real.h"
#include "engine/session/snapshot_run.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "tests/engine/session/dump_fixture.h"
#include "viewers/common/table_panel.h"
#include "viewers/diff/diff_view.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"
#include "viewers/inspector/inspector_view.h"
#include "viewers/models/pipeline_model.h"
#include "viewers/models/property_model.h"
#include "viewers/pipeline/pipeline_view.h"
#include "viewers/problems/problems_view.h"
#include "viewers/statistics/statistics_view.h"
#include "viewers/welcome/welcome_view.h"

#include <filesystem>

#include <QAbstractProxyModel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QTreeView>

using namespace gelens;
using test::linesOf;
using test::openAndWait;
using test::viewOf;
using test::waitFor;

namespace {

QModelIndex rowNamed(const QAbstractItemModel& model, const QString& name, const QModelIndex& parent = {})
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        if (index.data().toString() == name) return index;
        if (const QModelIndex below = rowNamed(model, name, index); below.isValid()) return below;
    }
    return {};
}

} // namespace

class TestFolders : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        m_settings = std::make_unique<test::WindowSettings>();
        m_run = test::runWithDumps(test::samplePath("attention-fits"), m_dumps.path().toStdString());
    }
    void init() { m_window = test::freshWindow(); }
    void cleanup() { m_window.reset(); }

    void folderOpensAndSteps()
    {
        QVERIFY(openAndWait(*m_window, m_dumps.path()));
        const auto run = m_window->hub()->run();
        QVERIFY(run != nullptr);
        const auto* snapshots = dynamic_cast<const SnapshotRun*>(run.get());
        QVERIFY(snapshots != nullptr && snapshots->isScanned());
        QCOMPARE(run->sourceFormat, std::string("dump folder"));
        QCOMPARE(m_window->hub()->shownStep(), run->lastStep());
        // Nothing of it can be compiled again.
        QVERIFY(!m_window->action(QStringLiteral("rerun"))->isEnabled());
        QVERIFY(!m_window->action(QStringLiteral("verify"))->isEnabled());

        // Keys step as through a run of our own.
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::AltModifier);
        QCOMPARE(m_window->hub()->shownStep(), StepId{0});
        QTest::keyClick(m_window.get(), Qt::Key_F10);
        QCOMPARE(m_window->hub()->shownStep(), StepId{1});
        QCOMPARE(m_window->hub()->comparedStep(), StepId{0});
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        QCOMPARE(m_window->hub()->shownStep(), StepId{0});
        QTest::keyClick(m_window.get(), Qt::Key_End, Qt::AltModifier);
        QCOMPARE(m_window->hub()->shownStep(), run->lastStep());
    }

    void changedNodesAndHistory()
    {
        QVERIFY(openAndWait(*m_window, m_dumps.path()));
        const auto run = m_window->hub()->run();
        // The phase in which attention was fused.
        StepId fused{-1};
        for (const Step& step : run->steps)
            if (!fused.isValid() && !step.verdicts.empty()) fused = step.id;
        QVERIFY(fused.isValid());
        m_window->hub()->showStep(fused);
        const FusionVerdict& verdict = run->step(fused).verdicts.front();
        QCOMPARE(m_window->hub()->selection().node, verdict.into);
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        QVERIFY(!m_window->graphView()->nodeRectOnScreen(verdict.into).isNull());

        // The inspector tells its history and where it came from.
        auto* inspector = viewOf<InspectorView>(*m_window, "inspector");
        const QString type = QString::fromStdString(run->graphAt(fused)->node(verdict.into).type);
        QVERIFY(waitFor([&] { return !inspector->isBusy() && inspector->heading().startsWith(type); }, 10000));
        const QStringList lines = linesOf(*inspector->model());
        QVERIFY2(std::any_of(lines.begin(), lines.end(),
                             [](const QString& line) {
                                 return line.startsWith(QStringLiteral("History (")) &&
                                        !line.contains(QStringLiteral("(0)"));
                             }),
                 qPrintable(lines.join(QLatin1Char('\n'))));
        QCOMPARE(run->originsOf(verdict.into).size() >= 2, true);
        QVERIFY(lines.contains(QStringLiteral("Came from (%1) | ").arg(run->originsOf(verdict.into).size())));

        // A click on a node in the drawing selects it everywhere.
        GraphView* graph = m_window->graphView();
        graph->reveal(verdict.into);
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        m_window->hub()->select({});
        QWidget* canvas = graph->afterCanvas();
        const QPoint place = canvas->mapFrom(graph, graph->nodeRectOnScreen(verdict.into).center().toPoint());
        QVERIFY(canvas->rect().contains(place));
        QTest::mouseClick(canvas, Qt::LeftButton, {}, place);
        QCOMPARE(m_window->hub()->selection().node, verdict.into);

        // One step back the selection follows into what it was made of.
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        QCOMPARE(m_window->hub()->selection().more.size() + 1, verdict.nodes.size());
    }

    void pipelineListsPhases()
    {
        QVERIFY(openAndWait(*m_window, m_dumps.path()));
        const auto run = m_window->hub()->run();
        auto* pipeline = viewOf<PipelineView>(*m_window, "pipeline");
        QTreeView* tree = pipeline->panel()->view();
        tree->expandAll();
        const QModelIndex row = pipeline->model()->indexOfStep(StepId{0});
        QCOMPARE(row.data().toString(), QStringLiteral("PreRunBegin"));
        QCOMPARE(row.parent().data().toString(), QStringLiteral("graph 0"));
        const QString tip = row.data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral("GE: ")) && tip.contains(QStringLiteral("ge_proto_00000000")),
                 qPrintable(tip));
        const auto* proxy = static_cast<QAbstractProxyModel*>(tree->model());
        const QModelIndex shown = proxy->mapFromSource(row);
        QVERIFY(shown.isValid());
        tree->scrollTo(shown);
        const QPoint at = tree->visualRect(shown).center();
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(tree->viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(m_window->hub()->shownStep(), StepId{0});

        // In Chinese too.
        applyLanguage(QStringLiteral("zh_CN"));
        const QString chinese = pipeline->model()->indexOfStep(StepId{0}).data(Qt::ToolTipRole).toString();
        QVERIFY2(chinese.contains(QString::fromStdString(run->sourceOf(StepId{0})->meaningZh)), qPrintable(chinese));
        applyLanguage(QStringLiteral("en"));

        // With nothing selected the inspector shows what the phase is made of.
        m_window->hub()->select({});
        auto* inspector = viewOf<InspectorView>(*m_window, "inspector");
        QVERIFY(waitFor(
            [&] {
                return !inspector->isBusy() && rowNamed(*inspector->model(), QStringLiteral("Phase")).isValid() &&
                       linesOf(*inspector->model()).contains(QStringLiteral("name | PreRunBegin"));
            },
            10000));
        const QStringList lines = linesOf(*inspector->model());
        for (const auto& [type, count] : run->histogramAt(StepId{0}))
            QVERIFY(std::any_of(lines.begin(), lines.end(), [&, t = type, c = count](const QString& line) {
                return line.startsWith(QStringLiteral("%1 | %2").arg(QString::fromStdString(t)).arg(c));
            }));
    }

    void folderIsDropped()
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(m_dumps.path())});
        QVERIFY(test::dropOn(m_window.get(), data));
        QVERIFY(waitFor([&] { return m_window->hub()->run() && !m_window->isBusy(); }));
        QCOMPARE(m_window->hub()->run()->sourceFormat, std::string("dump folder"));
        QCOMPARE(Settings().recentFiles(), QStringList{m_dumps.path()});
    }

    void folderWithoutDumpsSaysSo()
    {
        QTemporaryDir empty;
        QSignalSpy failed(m_window->jobs(), &ModelJobs::failed);
        m_window->openFile(empty.path());
        QVERIFY(waitFor([&] { return failed.count() == 1; }));
        QVERIFY(failed.front()[1].toString().contains(QStringLiteral("no GE dump inside")));
        QVERIFY(m_window->hub()->current() == nullptr);
    }

    void damageIsAProblemWithItsPlace()
    {
        QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString();
        test::writeText(root / "ge_proto_00000000_graph_0_PreRunBegin.txt", test::chainText());
        test::writeText(root / "ge_proto_00000001_graph_0_Build.txt", test::chainText().substr(0, 700));
        QVERIFY(openAndWait(*m_window, folder.path()));
        auto* problems = viewOf<ProblemsView>(*m_window, "problems");
        QVERIFY(m_window->showView(QStringLiteral("problems")));
        QVERIFY(waitFor([&] { return problems->panel()->view()->model()->rowCount() >= 1; }, 5000));
    }

    void realDumpsBesideARun()
    {
        QVERIFY(openAndWait(*m_window, test::sample("attention-fits")));
        QVERIFY(m_window->action(QStringLiteral("compare_dumps"))->isEnabled());
        QVERIFY(!m_window->action(QStringLiteral("attach_original"))->isEnabled());
        m_window->fileTools()->compareWithDumps(m_dumps.path());
        QVERIFY(waitFor([&] {
            return m_window->hub()->run() && m_window->hub()->run()->sourceFormat == "simulation beside real dumps" &&
                   !m_window->isBusy();
        }));
        const auto run = m_window->hub()->run();
        QCOMPARE(run->messages.back().id, std::string("sim-real.first-difference"));
        QVERIFY2(run->messages.back().text.find("phases agree") != std::string::npos,
                 run->messages.back().text.c_str());
        // Stepping goes from the simulated graph of a phase to the real one, which is compared with it.
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::AltModifier);
        QTest::keyClick(m_window.get(), Qt::Key_F10);
        QCOMPARE(m_window->hub()->shownStep(), StepId{1});
        QCOMPARE(m_window->hub()->comparedStep(), StepId{0});
        QCOMPARE(m_window->hub()->models().size(), std::size_t(2)); // the run itself stays open
    }

    void originalIsAttachedToAnOm()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("attention.om")).toStdString();
        QVERIFY(writeOm({*m_run->graphAt(m_run->lastStep()), m_run->plan, m_run->tasks, m_run->soc.name,
                         m_run->sourceFormat},
                        path)
                    .ok());
        QVERIFY(openAndWait(*m_window, QString::fromStdString(path)));
        QCOMPARE(m_window->hub()->run()->mode, std::string("light"));
        QVERIFY(m_window->action(QStringLiteral("attach_original"))->isEnabled());
        m_window->fileTools()->attachOriginal(test::sample("attention-fits"));
        QVERIFY(waitFor([&] {
            return m_window->hub()->run() && m_window->hub()->run()->statistics.nodes.before.has_value() &&
                   !m_window->isBusy();
        }));
        const auto run = m_window->hub()->run();
        QCOMPARE(m_window->hub()->comparedStep(), StepId{0});
        QCOMPARE(m_window->hub()->shownStep(), run->lastStep());
        QVERIFY(run->statistics.fullLoadMs && run->statistics.lightLoadMs);
        auto* statistics = viewOf<StatisticsView>(*m_window, "statistics");
        QVERIFY(m_window->showView(QStringLiteral("statistics")));
        QVERIFY2(waitFor(
                     [&] {
                         return statistics->notes().contains(QStringLiteral("Load: full compilation")) &&
                                !statistics->notes().contains(QStringLiteral("full compilation –"));
                     },
                     5000),
                 qPrintable(statistics->notes()));
        // What the file is made of stands beside the fusion rules.
        const QAbstractItemModel* parts = statistics->file()->view()->model();
        QStringList lines;
        for (int section = 0; section < parts->rowCount(); ++section) {
            const QModelIndex head = parts->index(section, 0);
            lines += head.data().toString();
            for (int row = 0; row < parts->rowCount(head); ++row)
                lines += parts->index(row, 0, head).data().toString() + QLatin1Char('|') +
                         parts->index(row, 3, head).data().toString();
        }
        const QString text = lines.join(QLatin1Char('\n'));
        const auto om = m_window->hub()->current()->session->info().om;
        QVERIFY(om && !om->partitions.empty());
        QVERIFY2(text.contains(QStringLiteral("Partitions (%1)").arg(om->partitions.size())), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("MODEL_DEF|read · model 0, type 0")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("kernels|none: the file was made by a simulator")), qPrintable(text));
        std::int64_t bytes = 0; // the kinds of bytes are the whole file
        for (int row = 0; row < parts->rowCount(parts->index(0, 0)); ++row)
            if (parts->index(row, 2, parts->index(0, 0)).data(SortRole).isValid())
                bytes += parts->index(row, 1, parts->index(0, 0)).data(SortRole).toLongLong();
        QCOMPARE(bytes, static_cast<std::int64_t>(std::filesystem::file_size(path)));
        // A task still leads to its node, whose origins are in the original model.
        for (const Task& task : run->tasks.tasks) {
            if (!task.node.isValid()) continue;
            QCOMPARE(run->graphAt(run->lastStep())->node(task.node).name, task.name);
        }
    }

    void anyTwoPhasesAreCompared()
    {
        QVERIFY(openAndWait(*m_window, m_dumps.path()));
        const auto run = m_window->hub()->run();
        const StepId last = run->lastStep();
        m_window->hub()->showStep(last);
        QCOMPARE(m_window->hub()->comparedStep(), run->baseOf(last));
        QTest::keyClick(m_window.get(), Qt::Key_G, Qt::ControlModifier | Qt::AltModifier);
        auto* list = m_window->findChild<QuickList*>();
        QVERIFY(list != nullptr);
        QTest::keyClicks(list->findChild<QLineEdit*>(), QStringLiteral("PreRunAfterPrepare"));
        QTest::keyClick(list->findChild<QLineEdit*>(), Qt::Key_Return);
        QCOMPARE(m_window->hub()->comparedStep(), *run->findStep("PreRunAfterPrepare"));
        QCOMPARE(m_window->hub()->shownStep(), last);

        // The diff says how it knows that nodes are the same.
        QVERIFY(m_window->showView(QStringLiteral("diff")));
        auto* diff = viewOf<DiffView>(*m_window, "diff");
        QVERIFY2(waitFor(
                     [&] {
                         return diff->summary().contains(QStringLiteral("by name")) &&
                                diff->summary().contains(QStringLiteral("sure"));
                     },
                     10000),
                 qPrintable(diff->summary()));
    }

    void openAsListsWhatFitsFirst()
    {
        QTemporaryDir folder;
        const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "graph.bin";
        test::writeText(path, test::chainText());
        m_window->fileTools()->chooseKind(QString::fromStdString(path.string()));
        auto* list = m_window->findChild<QuickList*>();
        QVERIFY(list != nullptr);
        QVERIFY(waitFor([&] { return list->isVisible(); }, 5000));
        auto* names = list->findChild<QListView*>();
        QVERIFY(names->model()->index(0, 0).data().toString().contains(QStringLiteral("ge_proto dump")));
        QTest::keyClick(list->findChild<QLineEdit*>(), Qt::Key_Return);
        QVERIFY(waitFor([&] { return m_window->hub()->run() && !m_window->isBusy(); }));
        QCOMPARE(m_window->hub()->run()->sourceFormat, std::string("ge_proto dump"));
        QCOMPARE(m_window->hub()->current()->readAs, QStringLiteral("ge_proto"));
    }

    void welcomePageAsksForAFolder()
    {
        auto* welcome = m_window->findChild<WelcomeView*>();
        QVERIFY(welcome != nullptr);
        auto* button = welcome->findChild<QPushButton*>(QStringLiteral("open_folder"));
        QVERIFY(button != nullptr && button->isVisible());
        // The dialog belongs to the desktop: only that it is asked for is looked at.
        disconnect(welcome, &WelcomeView::folderRequested, nullptr, nullptr);
        QSignalSpy again(welcome, &WelcomeView::folderRequested);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(again.count(), 1);
    }

private:
    std::unique_ptr<test::WindowSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
    QTemporaryDir m_dumps;
    std::shared_ptr<const Run> m_run;
};

QTEST_MAIN(TestFolders)
#include "tst_folders.moc"
