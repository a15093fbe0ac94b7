// Drives the real window with mouse and keys on the samples.

#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/graph/graph_view.h"
#include "viewers/inspector/inspector_view.h"
#include "viewers/models/pipeline_model.h"
#include "viewers/models/property_model.h"
#include "viewers/models_monitor/models_view.h"
#include "viewers/pipeline/pipeline_view.h"
#include "viewers/pipeline/step_strip.h"
#include "viewers/problems/problems_view.h"
#include "viewers/statistics/statistics_view.h"
#include "viewers/welcome/welcome_view.h"

#include <QAbstractProxyModel>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QStatusBar>
#include <QTimer>
#include <QTreeView>

using namespace gelens;
using test::findLine;
using test::linesOf;
using test::openAndWait;
using test::sample;
using test::viewOf;
using test::waitFor;

namespace {

/// The first step whose pass fused something.
StepId fusionStep(const Run& run)
{
    for (const Step& step : run.steps)
        for (const FusionVerdict& verdict : step.verdicts)
            if (verdict.fused) return step.id;
    return StepId{-1};
}

const FusionVerdict& firstFused(const Step& step)
{
    return *std::find_if(step.verdicts.begin(), step.verdicts.end(),
                         [](const FusionVerdict& verdict) { return verdict.fused; });
}

bool waitForInspector(MainWindow& window, const QString& type)
{
    auto* inspector = viewOf<InspectorView>(window, "inspector");
    return waitFor([&] { return inspector->heading().startsWith(type + QLatin1Char('\n')) && !inspector->isBusy(); },
                   5000);
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { m_settings = std::make_unique<test::WindowSettings>(); }
    void init() { m_window = test::freshWindow(); }
    void cleanup() { m_window.reset(); }

    void welcomePageOpensASample()
    {
        qputenv("GELENS_SAMPLES", GELENS_SAMPLES_DIR);
        m_window = test::makeWindow(); // reads the folder when it is made
        auto* button = m_window->findChild<QAbstractButton*>(QStringLiteral("open_small-resnet"));
        QVERIFY(button != nullptr);
        QVERIFY(waitFor([&] { return button->isVisible(); }, 5000));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(waitFor([&] { return m_window->hub()->run() && !m_window->isBusy(); }));
        QCOMPARE(m_window->hub()->run()->modelName, std::string("small-resnet"));
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("small-resnet")));
        QVERIFY(m_window->graphView()->isVisible());
        // It is in the list of recent files now, in the menu too.
        QCOMPARE(Settings().recentFiles().size(), 1);
        qunsetenv("GELENS_SAMPLES");
    }

    void stepToAFusionAndBack()
    {
        QVERIFY(openAndWait(*m_window, sample("attention-fits")));
        const auto run = m_window->hub()->run();
        const StepId fusion = fusionStep(*run);
        QVERIFY(fusion.value > 0);
        const FusionVerdict& verdict = firstFused(run->step(fusion));

        // To the graph as read, then forward with the key until the fusion is reached.
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::AltModifier);
        QCOMPARE(m_window->hub()->shownStep(), StepId{0});
        for (int i = 0; i < fusion.value; ++i) QTest::keyClick(m_window.get(), Qt::Key_F10);
        QCOMPARE(m_window->hub()->shownStep(), fusion);
        QCOMPARE(m_window->hub()->comparedStep(), StepId{fusion.value - 1});

        // The fused node is selected, shown by graph and inspector, with its history.
        QCOMPARE(m_window->hub()->selection().node, verdict.into);
        const auto after = run->graphAt(fusion);
        const QString type = QString::fromStdString(after->node(verdict.into).type);
        QVERIFY(waitForInspector(*m_window, type));
        auto* inspector = viewOf<InspectorView>(*m_window, "inspector");
        const QModelIndex history = findLine(*inspector->model(), QStringLiteral("History"));
        QVERIFY(history.isValid());
        QVERIFY(findLine(*inspector->model(), QString::number(fusion.value), history).isValid());
        const QModelIndex cameFrom = findLine(*inspector->model(), QStringLiteral("Came from"));
        QCOMPARE(inspector->model()->rowCount(cameFrom), static_cast<int>(run->originsOf(verdict.into).size()));
        QVERIFY(inspector->notice().isEmpty());
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        QVERIFY2(waitFor([&] { return m_window->graphView()->visibleText().contains(type); }, 5000),
                 qPrintable(m_window->graphView()->visibleText()));
        QVERIFY(!m_window->graphView()->nodeRectOnScreen(verdict.into).isNull());

        // One step back: the original nodes are there and selected.
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        const Selection back = m_window->hub()->selection();
        QCOMPARE(back.node, verdict.nodes.front());
        QCOMPARE(back.more.size() + 1, verdict.nodes.size());
        QVERIFY(waitFor(
            [&] {
                return !inspector->isBusy() && inspector->heading().startsWith(QString::number(verdict.nodes.size()));
            },
            5000));
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        for (const NodeId node : verdict.nodes) {
            QVERIFY(run->graphAt(m_window->hub()->shownStep())->contains(node));
            QVERIFY(!m_window->graphView()->nodeRectOnScreen(node).isNull());
        }

        // Selecting one of them and going forward leads into the fused node again.
        m_window->hub()->select(Selection::ofNode(verdict.nodes.front()));
        QTest::keyClick(m_window.get(), Qt::Key_F10);
        QCOMPARE(m_window->hub()->selection().node, verdict.into);
    }

    void inspectorLinksWalkTheGraph()
    {
        QVERIFY(openAndWait(*m_window, sample("attention-fits")));
        const auto run = m_window->hub()->run();
        const StepId fusion = fusionStep(*run);
        m_window->hub()->showStep(fusion);
        const QString type = QString::fromStdString(run->graphAt(fusion)->node(m_window->hub()->selection().node).type);
        QVERIFY(waitForInspector(*m_window, type));
        auto* inspector = viewOf<InspectorView>(*m_window, "inspector");

        // "Came from" leads to a node that is gone at this step: the inspector says so.
        const QModelIndex cameFrom = findLine(*inspector->model(), QStringLiteral("Came from"));
        const QModelIndex origin = inspector->model()->index(0, 0, cameFrom);
        const NodeId wanted{origin.data(NodeRole).toInt()};
        Q_EMIT inspector->panel()->activated(origin);
        QCOMPARE(m_window->hub()->selection().node, wanted);
        QVERIFY(waitFor([&] { return !inspector->isBusy() && !inspector->notice().isEmpty(); }, 5000));
        QVERIFY2(inspector->notice().contains(QStringLiteral("removed it in step %1").arg(fusion.value)),
                 qPrintable(inspector->notice()));

        // "Became" leads back, history leads to a step; both by keyboard.
        const QModelIndex became = findLine(*inspector->model(), QStringLiteral("Became"));
        inspector->panel()->setCurrentIndex(inspector->model()->index(0, 0, became));
        QTest::keyClick(inspector->panel()->view(), Qt::Key_Return);
        QVERIFY(waitForInspector(
            *m_window,
            QString::fromStdString(run->graphAt(run->lastStep())->node(m_window->hub()->selection().node).type)));
        const QModelIndex history = findLine(*inspector->model(), QStringLiteral("History"));
        const QModelIndex last = inspector->model()->index(inspector->model()->rowCount(history) - 1, 0, history);
        const int step = last.data(StepRole).toInt();
        inspector->panel()->setCurrentIndex(last);
        QTest::keyClick(inspector->panel()->view(), Qt::Key_Return);
        QCOMPARE(m_window->hub()->shownStep().value, step);
    }

    void inspectorTellsMemoryAndTask()
    {
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        const auto run = m_window->hub()->run();
        Selection byTask;
        byTask.task = 3; // a task chosen anywhere selects its node
        m_window->hub()->select(byTask);
        const Task& task = run->tasks.tasks[3];
        QCOMPARE(m_window->hub()->selection().node, task.node);
        QVERIFY(waitForInspector(*m_window, QString::fromStdString(task.opType)));
        const QStringList lines = linesOf(*viewOf<InspectorView>(*m_window, "inspector")->model());
        QVERIFY(lines.contains(
            QStringLiteral("task 3 | %1").arg(QString::fromStdString(std::string(taskKindName(task.kind))))));
        const MemoryBuffer* buffer = run->plan.bufferOf({task.node, 0});
        QVERIFY(buffer != nullptr);
        QVERIFY(lines.contains(
            QStringLiteral("offset | %1 B").arg(QLocale().toString(static_cast<qlonglong>(buffer->offset)))));
    }

    void pipelinePanelGoesToSteps()
    {
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        auto* pipeline = viewOf<PipelineView>(*m_window, "pipeline");
        QVERIFY(pipeline->changedOnly()->isChecked());
        const auto run = m_window->hub()->run();
        const StepId fusion = fusionStep(*run);
        QTreeView* tree = pipeline->panel()->view();
        tree->expandAll();
        const auto* proxy = static_cast<QAbstractProxyModel*>(tree->model());
        const QModelIndex row = proxy->mapFromSource(pipeline->model()->indexOfStep(fusion));
        QVERIFY(row.isValid());
        tree->scrollTo(row);
        const QPoint at = tree->visualRect(row).center();
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(tree->viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(m_window->hub()->shownStep(), fusion);
        QVERIFY(waitFor([&] { return pipeline->model()->shown() == fusion; }, 5000));

        // Only passes that touched what is selected.
        QVERIFY(waitFor([&] { return pipeline->touchesSelection()->isEnabled(); }, 5000));
        pipeline->touchesSelection()->setChecked(true);
        const auto touching = run->stepsTouching(m_window->hub()->selection().node);
        QVERIFY(waitFor(
            [&] {
                int passes = 0;
                const auto lines = linesOf(*proxy);
                for (const Step& step : run->steps)
                    passes += proxy->mapFromSource(pipeline->model()->indexOfStep(step.id)).isValid();
                return passes == static_cast<int>(touching.size());
            },
            5000));
    }

    void stripScrubs()
    {
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        auto* strip = viewOf<StepStrip>(*m_window, "strip");
        QVERIFY(waitFor([&] { return strip->summary().contains(QStringLiteral("changed this graph")); }, 5000));
        const auto press = [&](StepId step) {
            return QPoint(static_cast<int>(strip->barRect(step).center().x()), strip->height() - 8);
        };
        // Steps that changed nothing have no bar at first.
        QVERIFY(strip->visibleSteps().size() > 8);
        const StepId first{strip->visibleSteps()[3]}, before{strip->visibleSteps()[5]},
            second{strip->visibleSteps()[6]};
        QTest::mouseClick(strip, Qt::LeftButton, {}, press(first));
        QCOMPARE(m_window->hub()->shownStep(), first);
        QVERIFY(waitFor([&] { return strip->shownStep() == first; }, 5000));
        QTest::mousePress(strip, Qt::LeftButton, {}, press(first));
        QTest::mouseMove(strip, press(second));
        QMouseEvent move(QEvent::MouseMove, QPointF(press(second)), strip->mapToGlobal(QPointF(press(second))),
                         Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(strip, &move);
        QTest::mouseRelease(strip, Qt::LeftButton, {}, press(second));
        QCOMPARE(m_window->hub()->shownStep(), second);
        QVERIFY(waitFor([&] { return strip->shownStep() == second; }, 5000));
        QTest::keyClick(strip, Qt::Key_Left);
        QCOMPARE(m_window->hub()->shownStep(), before);
        QVERIFY(waitFor([&] { return strip->shownStep() == before; }, 5000));
        QTest::keyClick(strip, Qt::Key_Left, Qt::ControlModifier);
        QVERIFY(m_window->hub()->run()->step(m_window->hub()->shownStep()).hasChanged());
    }

    void anotherChipRunsAgain()
    {
        QVERIFY(openAndWait(*m_window, sample("attention-too-long")));
        const auto before = m_window->hub()->run();
        auto* box = m_window->findChild<QComboBox*>(QStringLiteral("soc"));
        const int index = box->findText(QStringLiteral("Ascend310P3"));
        QVERIFY(index >= 0);
        box->setCurrentIndex(index);
        Q_EMIT box->textActivated(QStringLiteral("Ascend310P3"));
        QCOMPARE(m_window->hub()->run(), before); // what is shown stays until the new run is there
        QVERIFY(waitFor([&] { return m_window->hub()->run() != before && !m_window->isBusy(); }));
        QCOMPARE(m_window->hub()->run()->soc.name, std::string("Ascend310P3"));
        QVERIFY(std::any_of(m_window->hub()->run()->chains.begin(), m_window->hub()->run()->chains.end(),
                            [](const Chain& chain) { return chain.reason == Reason::L1Capacity; }));
        QCOMPARE(Settings().soc(), QStringLiteral("Ascend310P3"));
    }

    void badFileKeepsWhatWasOpen()
    {
        QVERIFY(openAndWait(*m_window, sample("attention-fits")));
        const auto run = m_window->hub()->run();
        QTemporaryDir folder;
        const QString bad = folder.filePath(QStringLiteral("bad <b>&.onnx"));
        QFile file(bad);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("this is no model\n");
        file.close();
        QVERIFY(openAndWait(*m_window, bad));
        QCOMPARE(m_window->hub()->models().size(), std::size_t{1});
        QCOMPARE(m_window->hub()->run(), run);
        const QString line = m_window->statusBar()->currentMessage();
        QVERIFY2(line.contains(QStringLiteral("bad <b>&.onnx")) && !line.contains(QLatin1Char('\n')), qPrintable(line));
        auto* problems = viewOf<ProblemsView>(*m_window, "problems");
        QVERIFY(problems->panel()->view()->model()->rowCount() > 0);
        QVERIFY(!Settings().recentFiles().contains(bad));

        // With nothing else open the welcome page says it.
        QTest::keyClick(m_window.get(), Qt::Key_W, Qt::ControlModifier);
        QVERIFY(m_window->hub()->models().empty());
        QVERIFY(openAndWait(*m_window, folder.filePath(QStringLiteral("not there.onnx"))));
        QVERIFY(m_window->hub()->models().empty());
        auto* welcome = m_window->findChild<WelcomeView*>();
        QVERIFY(welcome->isVisible());
        QVERIFY(welcome->notice().contains(QStringLiteral("not there.onnx")));
    }

    void droppedFilesOpen()
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(sample("attention-fits")), QUrl::fromLocalFile(sample("unit-conflict"))});
        QVERIFY(test::dropOn(m_window.get(), data));
        QCOMPARE(m_window->hub()->models().size(), std::size_t{2});
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));

        // The monitor lists both; Enter switches, Delete closes.
        QVERIFY(m_window->showView(QStringLiteral("models")));
        auto* models = viewOf<ModelsView>(*m_window, "models");
        QTreeView* list = models->panel()->view();
        QCOMPARE(list->model()->rowCount(), 2);
        QCOMPARE(m_window->hub()->currentIndex(), 1);
        list->setCurrentIndex(list->model()->index(0, 0));
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(m_window->hub()->currentIndex(), 0);
        list->setCurrentIndex(list->model()->index(1, 0));
        QTest::keyClick(list, Qt::Key_Delete);
        QCOMPARE(m_window->hub()->models().size(), std::size_t{1});
    }

    void cancelAnswersAtOnce()
    {
        m_window->openFile(sample("llama-7b"));
        QVERIFY(waitFor([&] { return m_window->jobs()->isBusy(); }, 5000));
        QElapsedTimer timer;
        timer.start();
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY(waitFor([&] { return !m_window->jobs()->isBusy(); }, 20000));
        // Either nothing had been reached, or the steps that were are shown.
        if (const auto run = m_window->hub()->run())
            QVERIFY(run->stepCount() > 0);
        else
            QVERIFY(m_window->hub()->models().empty());
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
    }

    void closingWhileItRuns()
    {
        m_window->openFile(sample("llama-7b"));
        QVERIFY(waitFor([&] { return m_window->jobs()->isBusy(); }, 5000));
        QVERIFY(m_window->close());
        m_window.reset(); // joins; must neither hang nor crash
    }

    void windowNeverStalls()
    {
        QElapsedTimer sinceBeat;
        qint64 longest = 0;
        QTimer heart;
        connect(&heart, &QTimer::timeout, this, [&] {
            longest = std::max(longest, sinceBeat.elapsed());
            sinceBeat.restart();
        });
        sinceBeat.start();
        heart.start(10);
        QVERIFY(openAndWait(*m_window, sample("llama-7b")));
        const auto run = m_window->hub()->run();
        for (const int step : {0, run->stepCount() / 2, 1, run->stepCount() - 1}) {
            m_window->hub()->showStep(StepId{step});
            QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        }
        heart.stop();
        qInfo("longest time without a heartbeat: %lld ms", static_cast<long long>(longest));
        // Far above what is aimed at (one frame), as test machines are shared; a blocking compile or layout takes longer.
        QVERIFY2(longest < 1000, qPrintable(QString::number(longest)));
    }

    void languageAndThemeChangeLive()
    {
        QVERIFY(openAndWait(*m_window, sample("attention-fits")));
        auto* pipeline = viewOf<PipelineView>(*m_window, "pipeline");
        const QString english = m_window->action(QStringLiteral("step"))->text();
        m_window->action(QStringLiteral("language_zh"))->trigger();
        QVERIFY(waitFor([&] { return m_window->action(QStringLiteral("step"))->text() != english; }, 5000));
        QVERIFY(pipeline->model()->index(0, 0).data().toString().contains(QStringLiteral("图解析")));
        QVERIFY(m_window->menuBar()->actions().first()->text().contains(QStringLiteral("文件")));
        m_window->action(QStringLiteral("language_en"))->trigger();
        QVERIFY(waitFor([&] { return m_window->action(QStringLiteral("step"))->text() == english; }, 5000));
        m_window->action(QStringLiteral("theme_dark"))->trigger();
        QVERIFY(waitFor([&] { return m_window->palette().color(QPalette::Window).lightness() < 128; }, 5000));
        m_window->action(QStringLiteral("theme_light"))->trigger();
        QVERIFY(waitFor([&] { return m_window->palette().color(QPalette::Window).lightness() > 128; }, 5000));
    }

    void everyActionIsReachable()
    {
        QSet<QAction*> inMenus;
        QList<QMenu*> open;
        for (QAction* top : m_window->menuBar()->actions()) open += top->menu();
        QStringList shortcuts;
        while (!open.isEmpty())
            for (QAction* entry : open.takeLast()->actions()) {
                if (entry->menu() != nullptr)
                    open += entry->menu();
                else if (!entry->isSeparator())
                    inMenus += entry;
            }
        QStringList without;
        for (QAction* action : m_window->findChildren<QAction*>()) {
            if (action->objectName().isEmpty() || action->parent() != m_window.get()) continue;
            if (m_window->action(action->objectName()) != action) continue;
            if (!inMenus.contains(action)) without += action->objectName() + QStringLiteral(": no menu");
            if (action->shortcut().isEmpty()) without += action->objectName() + QStringLiteral(": no shortcut");
            if (action->toolTip().isEmpty() || action->toolTip() == action->text())
                without += action->objectName() + QStringLiteral(": no tool tip");
            shortcuts += action->shortcut().toString();
        }
        QVERIFY2(without.isEmpty(), qPrintable(without.join(QLatin1Char('\n'))));
        QVERIFY(shortcuts.size() > 20);
        QCOMPARE(QSet<QString>(shortcuts.begin(), shortcuts.end()).size(), shortcuts.size());
    }

    void commandsAndStepsByName()
    {
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        QTest::keyClick(m_window.get(), Qt::Key_G, Qt::ControlModifier);
        auto* steps = m_window->findChild<QDialog*>(QStringLiteral("quick_list"));
        QVERIFY(steps != nullptr);
        auto* line = steps->findChild<QLineEdit*>();
        QTest::keyClicks(line, QStringLiteral("ConvBatchnorm"));
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(m_window->hub()->run()->step(m_window->hub()->shownStep()).pass,
                 std::string("ConvBatchnormFusionPass"));
        QVERIFY(waitFor([&] { return m_window->findChild<QDialog*>(QStringLiteral("quick_list")) == nullptr; }, 5000));

        m_window->activateWindow(); // there is no window manager to do it
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* commands = m_window->findChild<QDialog*>(QStringLiteral("quick_list"));
        QVERIFY(commands != nullptr);
        line = commands->findChild<QLineEdit*>();
        QTest::keyClicks(line, QStringLiteral("run: last"));
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(m_window->hub()->shownStep(), m_window->hub()->run()->lastStep());
    }

    void statisticsSayWhatTheRunSays()
    {
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        QVERIFY(m_window->showView(QStringLiteral("statistics")));
        auto* statistics = viewOf<StatisticsView>(*m_window, "statistics");
        const RunStatistics& s = m_window->hub()->run()->statistics;
        const QAbstractItemModel* figures = statistics->figures()->view()->model();
        QVERIFY(waitFor([&] { return figures->rowCount() == 5; }, 5000));
        QCOMPARE(figures->index(0, 2).data().toString(), QLocale().toString(s.nodes.after));
        QVERIFY(statistics->notes().contains(QStringLiteral("lower bound")));

        // A place of a fusion leads to its step and node.
        auto* fusions = statistics->fusions();
        const QModelIndex place = [&] {
            QAbstractItemModel* model = static_cast<QAbstractProxyModel*>(fusions->view()->model())->sourceModel();
            for (int row = 0; row < model->rowCount(); ++row)
                if (model->rowCount(model->index(row, 0)) > 0) return model->index(0, 0, model->index(row, 0));
            return QModelIndex();
        }();
        QVERIFY(place.isValid());
        Q_EMIT fusions->activated(place);
        QCOMPARE(m_window->hub()->shownStep().value, place.data(StepRole).toInt());
        QCOMPARE(m_window->hub()->selection().node.value, place.data(NodeRole).toInt());

        // Copy as text.
        statistics->figures()->view()->selectAll();
        QTest::keyClick(statistics->figures()->view(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("Operators\t")));
    }

    void layoutIsRemembered()
    {
        QVERIFY(m_window->showView(QStringLiteral("statistics")));
        m_window->resize(1200, 800);
        QVERIFY(m_window->close());
        m_window.reset();
        m_window = test::makeWindow();
        QVERIFY(!Settings().windowState().isEmpty());
        QVERIFY(waitFor([&] { return m_window->view(QStringLiteral("statistics"))->isVisible(); }, 5000));
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(Settings().windowState().isEmpty());
        QVERIFY(m_window->view(QStringLiteral("unfused"))->isVisible());
    }

private:
    std::unique_ptr<test::WindowSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
