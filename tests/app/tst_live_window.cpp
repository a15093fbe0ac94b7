// A compile that is halted in the real window, by keys, menu and the buttons of the status bar.

#include "app/gui/debug_tools.h"
#include "app/gui/live_tools.h"
#include "engine/formats/om/om_writer.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/breakpoints/breakpoints_model.h"
#include "viewers/breakpoints/breakpoints_view.h"
#include "viewers/common/elided_label.h"
#include "viewers/common/table_panel.h"
#include "viewers/graph/graph_view.h"
#include "viewers/models/pipeline_model.h"
#include "viewers/pipeline/pipeline_view.h"

#include <QAction>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolButton>
#include <QTreeView>

using namespace gelens;
using namespace gelens::test;

class TestLiveWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_window = freshWindow();
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        m_whole = m_window->hub()->run();
        QVERIFY(m_whole && !m_whole->isUnderWay);
    }
    void cleanup() { m_window.reset(); }

    void withoutBreakpointsItHaltsAtTheFirstPass()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F5, Qt::ControlModifier);
        QVERIFY(waitHalted());
        const auto run = m_window->hub()->run();
        QVERIFY(run != m_whole && run->isUnderWay);
        QCOMPARE(run->stepCount(), 2);
        QVERIFY2(summary().startsWith(QStringLiteral("halted before step 1, ")), qPrintable(summary()));
        QVERIFY(isShown("halted"));
        // Edit by edit: each one more in the journal; the graph shown is that of the record.
        int edits = 0;
        for (int i = 0; i < 5; ++i) {
            QTest::keyClick(m_window.get(), Qt::Key_F11);
            QVERIFY(waitFor([&] { return isHalted() && editsOf(*m_window->hub()->run()) > edits; }, 20000));
            edits = editsOf(*m_window->hub()->run());
            QCOMPARE(edits, i + 1);
            QVERIFY2(summary().contains(QStringLiteral("inside step")) && summary().contains(QStringLiteral("at edit")),
                     qPrintable(summary()));
            Graph graph = *m_whole->graphAt(StepId{0});
            m_whole->journal().move(graph, 0, static_cast<std::size_t>(edits));
            const auto shown = m_window->hub()->run();
            QCOMPARE(shown->graphAt(m_window->hub()->shownStep())->fingerprint(), graph.fingerprint());
        }
        QTRY_COMPARE(m_window->graphView()->run(), m_window->hub()->run());
        // Steps that are done can be walked while it stands.
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::AltModifier);
        QCOMPARE(m_window->hub()->shownStep(), StepId{0});
        QVERIFY(isHalted());
        // To the end of the pass, then to the end.
        QTest::keyClick(m_window.get(), Qt::Key_F11, Qt::ShiftModifier);
        QVERIFY(
            waitFor([&] { return isHalted() && summary().startsWith(QStringLiteral("halted behind step")); }, 20000));
        QTest::keyClick(m_window.get(), Qt::Key_F6, Qt::ShiftModifier);
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        QVERIFY(!m_window->hub()->run()->isUnderWay);
        QCOMPARE(m_window->hub()->run()->stepCount(), m_whole->stepCount());
        QVERIFY2(summary().contains(QStringLiteral("operators")), qPrintable(summary()));
        QVERIFY(!button("status_resume")->isVisible() && !button("status_pause")->isVisible());
    }

    void aBreakpointOnANodeHaltsInsideThePass()
    {
        QVERIFY(m_window->showView(QStringLiteral("breakpoints")));
        auto* view = viewOf<BreakpointsView>(*m_window, "breakpoints");
        view->kinds()->setCurrentIndex(view->kinds()->findData(static_cast<int>(BreakpointKind::OpType)));
        QTest::keyClicks(view->patternLine(), QStringLiteral("RmsNorm"));
        QTest::keyClick(view->patternLine(), Qt::Key_Return);
        // The button beside the list of breakpoints.
        QToolButton* compile = nullptr;
        for (QToolButton* each : view->findChildren<QToolButton*>())
            if (each->defaultAction() == m_window->action(QStringLiteral("run_live"))) compile = each;
        QVERIFY(compile != nullptr && compile->isVisible() && compile->isEnabled());
        QTest::mouseClick(compile, Qt::LeftButton);
        QVERIFY(waitHalted());
        const auto run = m_window->hub()->run();
        const Step& step = run->steps.back();
        QVERIFY(step.hasChanged());
        QVERIFY(step.lastEdit < m_whole->step(step.id).lastEdit); // in the middle of it
        QVERIFY2(summary().contains(QStringLiteral("RmsNorm")) &&
                     summary().contains(QStringLiteral("inside step %1").arg(step.id.value)),
                 qPrintable(summary()));
        const NodeId node = m_window->hub()->selection().node;
        QVERIFY(node.isValid());
        QCOMPARE(QString::fromStdString(run->graphAt(step.id)->node(node).type), QStringLiteral("RmsNorm"));
        // The run may come to the passes behind this one: of them nothing is known yet.
        QVERIFY(
            m_window->debugTools()->breakpoints()->add({BreakpointKind::Pass, "TaskGenerator", {}, true}).isEmpty());
        const QAbstractItemModel* rows = view->panel()->view()->model();
        QVERIFY(waitFor(
            [&] {
                return rows->rowCount() == 2 && rows->index(1, BreakpointsModel::Stops).data().toString() ==
                                                    QStringLiteral("not yet in this run");
            },
            5000));
        m_window->debugTools()->breakpoints()->remove(1);
        // The pipeline's last row is the pass under way.
        auto* pipeline = viewOf<PipelineView>(*m_window, "pipeline");
        QVERIFY(waitFor(
            [&] {
                return pipeline->model()->indexOfStep(step.id).isValid() &&
                       !pipeline->model()->indexOfStep(StepId{step.id.value + 1}).isValid();
            },
            5000));

        // In Chinese, at once.
        QVERIFY(waitFor([&] { return m_window->graphView()->isLayoutReady(); }, 20000));
        picture(*m_window, "halted-en");
        applyLanguage(QStringLiteral("zh_CN"));
        QVERIFY(waitFor(
            [&] {
                return summary().contains(QStringLiteral("第 %1 步").arg(step.id.value)) &&
                       summary().contains(QStringLiteral("暂停"));
            },
            5000));
        picture(*m_window, "halted-zh");
        applyLanguage(QStringLiteral("en"));

        // The button goes on to the next place; the breakpoint taken away, to the end.
        QVERIFY(button("status_resume")->isVisible());
        while (m_window->debugTools()->breakpoints()->entries().size() > 0)
            m_window->debugTools()->breakpoints()->remove(0);
        QTest::mouseClick(button("status_resume"), Qt::LeftButton);
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        QVERIFY(!m_window->hub()->run()->isUnderWay && !m_window->hub()->run()->failed);
    }

    void aRunIsPausedByItsButton()
    {
        // A run that has begun: asked to halt as soon as it is there.
        QVERIFY(m_window->action(QStringLiteral("pause")) != nullptr &&
                !m_window->action(QStringLiteral("pause"))->isEnabled());
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QVERIFY(m_window->action(QStringLiteral("pause"))->isEnabled());
        QVERIFY(button("status_pause")->isVisible());
        QTest::mouseClick(button("status_pause"), Qt::LeftButton);
        QVERIFY(waitFor([&] { return isHalted() || !m_window->isBusy(); }, 20000));
        QVERIFY(isHalted());
        QVERIFY(m_window->hub()->run()->isUnderWay);
        QVERIFY(isShown("halted"));

        // The window lives while the run stands: another panel, another step, nothing waits.
        QElapsedTimer clock;
        clock.start();
        QVERIFY(m_window->showView(QStringLiteral("memory")));
        QCoreApplication::processEvents();
        QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));

        // Esc ends it; the run that was there before comes back.
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }, 20000));
        QCOMPARE(m_window->hub()->run(), m_whole);
        QVERIFY(!isHalted());
    }

    /// The lightweight path: there is no pass to stop in, but what stands before each of its steps can be looked at.
    void aLightweightRunIsPaused()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("tiny.om"));
        QVERIFY(writeOm({*m_whole->graphAt(m_whole->lastStep()), m_whole->plan, m_whole->tasks, m_whole->soc.name,
                         m_whole->sourceFormat},
                        path.toStdString())
                    .ok());
        QVERIFY(openAndWait(*m_window, path));
        const auto light = m_window->hub()->run();
        QCOMPARE(light->mode, std::string("light"));
        // It takes a few milliseconds, so on a busy machine it may be over before it is asked to halt: then once more.
        for (int attempt = 0; attempt < 20; ++attempt) {
            m_window->action(QStringLiteral("close"))->trigger();
            const int id = m_window->openFile(path);
            QTest::keyClick(m_window.get(), Qt::Key_F6);
            QVERIFY(
                waitFor([&] { return m_window->hub()->find(id)->isHalted || m_window->hub()->find(id)->run; }, 20000));
            if (m_window->hub()->find(id)->isHalted) break;
            QVERIFY(waitFor([&] { return !m_window->isBusy(); }, 20000));
        }
        QVERIFY(waitHalted());
        const auto tasksNext = m_window->hub()->run();
        QVERIFY(tasksNext->isUnderWay && tasksNext->tasks.tasks.empty());
        QVERIFY2(summary() == QStringLiteral("halted before step 1, DistributeTask"), qPrintable(summary()));
        // To the next step: now the tasks of the file are there, and nothing has been launched.
        QTest::keyClick(m_window.get(), Qt::Key_F11);
        QVERIFY(waitFor([&] { return (isHalted() && m_window->hub()->run() != tasksNext) || !m_window->isBusy(); }));
        QVERIFY2(summary() == QStringLiteral("halted before step 2, aclrtLaunchTask"), qPrintable(summary()));
        QCOMPARE(m_window->hub()->run()->tasks.tasks.size(), light->tasks.tasks.size());
        QTest::keyClick(m_window.get(), Qt::Key_F11);
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        QCOMPARE(m_window->hub()->run()->stepCount(), light->stepCount());
        QVERIFY(!m_window->hub()->run()->isUnderWay && !m_window->hub()->run()->failed);

        // A breakpoint on the launch: tasks and memory are there to be read, time is not.
        m_window->debugTools()->breakpoints()->setAll({{BreakpointKind::Pass, "aclrtLaunchTask", {}, true}});
        QTest::keyClick(m_window.get(), Qt::Key_F5, Qt::ControlModifier);
        QVERIFY(waitHalted());
        const auto launchNext = m_window->hub()->run();
        QVERIFY2(summary().startsWith(QStringLiteral("halted before step 2, aclrtLaunchTask")), qPrintable(summary()));
        QCOMPARE(launchNext->tasks.tasks.size(), light->tasks.tasks.size());
        QVERIFY(launchNext->timeline.items.empty() && !light->timeline.items.empty());
        // Esc there: the run that was there before comes back.
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }, 20000));
        QCOMPARE(m_window->hub()->run()->stepCount(), light->stepCount());
        QVERIFY(!m_window->hub()->run()->isUnderWay);
    }

    /// Between two computations: what was proved so far is shown, and the run goes on step by step.
    void verificationIsPaused()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F5, Qt::ShiftModifier);
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QVERIFY(waitHalted());
        // From pass to pass; behind the last one comes the proof.
        while (isHalted() && !summary().contains(QStringLiteral("verifying"))) {
            const auto before = m_window->hub()->run();
            QTest::keyClick(m_window.get(), Qt::Key_F11, Qt::ShiftModifier);
            QVERIFY(waitFor([&] { return (isHalted() && m_window->hub()->run() != before) || !m_window->isBusy(); }));
        }
        QVERIFY(isHalted());
        const auto first = m_window->hub()->run();
        QVERIFY2(summary().startsWith(QStringLiteral("halted while verifying, before step ")), qPrintable(summary()));
        QCOMPARE(first->stepCount(), m_whole->stepCount()); // all passes are done
        QVERIFY(!first->tasks.tasks.empty() && !first->timeline.items.empty());
        const std::size_t proved = first->verification.steps.size();
        QVERIFY(proved < static_cast<std::size_t>(first->stepCount()));
        QVERIFY2(summary().endsWith(QStringLiteral("%1 of %1 steps computed so far hold").arg(proved)),
                 qPrintable(summary()));
        const StepId next = m_window->hub()->shownStep();
        QVERIFY(first->step(next).hasChanged()); // the step whose numbers come next is in front
        QVERIFY(isShown("halted"));
        // One more, by its key.
        QTest::keyClick(m_window.get(), Qt::Key_F11);
        QVERIFY(waitFor([&] { return (isHalted() && m_window->hub()->run() != first) || !m_window->isBusy(); }));
        QVERIFY(isHalted());
        QCOMPARE(m_window->hub()->run()->verification.steps.size(), proved + 1);
        QVERIFY(m_window->hub()->shownStep() > next);
        applyLanguage(QStringLiteral("zh_CN"));
        QVERIFY(waitFor([&] { return summary().startsWith(QStringLiteral("验证中暂停")); }, 5000));
        applyLanguage(QStringLiteral("en"));
        // The button holds it again on its way.
        const auto second = m_window->hub()->run();
        QTest::mouseClick(button("status_resume"), Qt::LeftButton);
        QVERIFY(button("status_pause")->isVisible() && button("status_pause")->isEnabled());
        QTest::mouseClick(button("status_pause"), Qt::LeftButton);
        QVERIFY(waitFor([&] { return (isHalted() && m_window->hub()->run() != second) || !m_window->isBusy(); }));
        QVERIFY(isHalted() && summary().contains(QStringLiteral("verifying")));
        QVERIFY(m_window->hub()->run()->verification.steps.size() > proved + 1);
        // Continue: the proof is whole, and standing still has cost the steps no time.
        QTest::mouseClick(button("status_resume"), Qt::LeftButton);
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        const auto run = m_window->hub()->run();
        QVERIFY(run->verification.ran && run->verification.passed());
        QVERIFY(run->verification.steps.size() > proved + 1);
        QVERIFY(!button("status_pause")->isVisible());
    }

    /// Time spent standing still is nobody's: neither the pass's nor the run's.
    void standingStillCostsNoTime()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F5, Qt::ControlModifier);
        QVERIFY(waitHalted());
        QElapsedTimer clock;
        clock.start();
        QVERIFY(!waitFor([&] { return !isHalted(); }, 3000));
        const double stood = static_cast<double>(clock.elapsed());
        QTest::keyClick(m_window.get(), Qt::Key_F6, Qt::ShiftModifier);
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        const auto run = m_window->hub()->run();
        QVERIFY(stood >= 3000);
        QVERIFY2(run->statistics.engineMilliseconds < stood, qPrintable(QString::number(stood)));
        for (const Step& step : run->steps) QVERIFY2(step.milliseconds < stood, step.pass.c_str());
    }

    /// Where a pause has no meaning the button is there, cannot be pressed, and says why.
    void whatCannotBePausedSaysWhy()
    {
        QVERIFY(!button("status_pause")->isVisible());
        m_window->jobs()->splitOverCards(m_window->hub()->current()->id, 2);
        QVERIFY(m_window->hub()->current()->isBusy);
        QVERIFY(button("status_pause")->isVisible() && !button("status_pause")->isEnabled());
        QVERIFY2(button("status_pause")->toolTip().contains(QStringLiteral("half-read graph")),
                 qPrintable(button("status_pause")->toolTip()));
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        CompileOptions other = m_whole->options;
        other.memoryPolicy = MemoryPolicy::Ge;
        m_window->debugTools()->tryOut(other, QStringLiteral("GE's memory"));
        QVERIFY(button("status_pause")->isVisible() && !button("status_pause")->isEnabled());
        QVERIFY2(button("status_pause")->toolTip().contains(QStringLiteral("not the model shown")),
                 qPrintable(button("status_pause")->toolTip()));
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        QVERIFY(!button("status_pause")->isVisible());
    }

    /// Half-done graphs are drawn and read by every view: once inside each pass that edits.
    void everyViewLivesWithEveryHalt()
    {
        const Breakpoint breakpoint{BreakpointKind::Node, "*", {}, true};
        m_window->debugTools()->breakpoints()->setAll({breakpoint});
        const int wanted = static_cast<int>(breakpointHits(*m_whole, breakpoint)->size());
        QVERIFY(wanted > 10);
        QTest::keyClick(m_window.get(), Qt::Key_F5, Qt::ControlModifier);
        QStringList views = MainWindow::viewNames();
        views.removeAll(QStringLiteral("welcome"));
        int halts = 0;
        while (waitFor([&] { return isHalted() || !m_window->isBusy(); }, 20000) && isHalted()) {
            const auto run = m_window->hub()->run();
            const Step& step = run->steps.back();
            QVERIFY(step.hasChanged() && step.lastEdit <= m_whole->step(step.id).lastEdit);
            for (int i = 0; i < 3; ++i) {
                const QString name = views[(3 * halts + i) % views.size()];
                QVERIFY(m_window->showView(name));
                QVERIFY(waitFor(
                    [&] { return m_window->view(name) == nullptr || !m_window->view(name)->hasPendingChanges(); },
                    20000));
            }
            QVERIFY(waitFor(
                [&] { return m_window->graphView()->isLayoutReady() && !m_window->graphView()->hasPendingChanges(); },
                20000));
            QVERIFY(m_window->graphView()->run() == run);
            ++halts;
            QTest::keyClick(m_window.get(), Qt::Key_F6, Qt::ShiftModifier);
            QVERIFY(waitFor([&] { return !isHalted() || m_window->hub()->run() != run; }, 20000));
        }
        QCOMPARE(halts, wanted);
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        QVERIFY(!m_window->hub()->run()->isUnderWay && !m_window->hub()->run()->failed);
    }

    /// A run with another chip takes the place of the halted one.
    void runAgainWhileHalted()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F5, Qt::ControlModifier);
        QVERIFY(waitHalted());
        auto* soc = m_window->findChild<QComboBox*>(QStringLiteral("soc"));
        soc->setFocus();
        QTest::keyClicks(soc, QStringLiteral("Ascend310P3"));
        QTest::keyClick(soc, Qt::Key_Return);
        if (m_window->hub()->current()->isHalted)
            Q_EMIT soc->textActivated(QStringLiteral("Ascend310P3")); // where the box waits for a click
        QVERIFY(!isHalted());
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        QVERIFY(!m_window->hub()->run()->isUnderWay && !isHalted());
        QCOMPARE(m_window->hub()->run()->soc.name, std::string("Ascend310P3"));
        QVERIFY2(summary().contains(QStringLiteral("Ascend310P3")), qPrintable(summary()));
    }

    void firstRunHaltedAndCancelledKeepsItsSteps()
    {
        const int id = m_window->openFile(sample("small-resnet"));
        m_window->jobs()->pause(id);
        QVERIFY(waitFor([&] { return m_window->hub()->find(id)->isHalted || m_window->hub()->find(id)->run; }, 20000));
        QVERIFY(m_window->hub()->find(id)->isHalted);
        m_window->action(QStringLiteral("cancel"))->trigger();
        QVERIFY(
            waitFor([&] { return m_window->hub()->find(id) == nullptr || !m_window->hub()->find(id)->isBusy; }, 20000));
        const OpenModel* model = m_window->hub()->find(id);
        QVERIFY(model != nullptr && model->run && model->run->wasCancelled && !model->run->isUnderWay);
    }

    void closedWhileHalted()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F5, Qt::ControlModifier);
        QVERIFY(waitHalted());
        QElapsedTimer clock;
        clock.start();
        m_window.reset(); // the thread that stands is woken up
        QVERIFY2(clock.elapsed() < 3000, qPrintable(QString::number(clock.elapsed())));
    }

    void inTheMenuWithShortcuts()
    {
        for (const char* name : {"run_live", "pause", "resume", "step_edit", "finish_pass"}) {
            QAction* action = m_window->action(QLatin1String(name));
            QVERIFY2(action != nullptr && !action->shortcut().isEmpty() && !action->toolTip().isEmpty(), name);
            bool isInMenu = false;
            for (QAction* menu : m_window->menuBar()->actions())
                if (menu->text() == QStringLiteral("&Run")) isInMenu = menu->menu()->actions().contains(action);
            QVERIFY2(isInMenu, name);
            // No other action takes its keys away.
            for (const QAction* other : m_window->findChildren<QAction*>())
                QVERIFY2(other == action || !other->shortcuts().contains(action->shortcut()),
                         qPrintable(other->text()));
        }
    }

private:
    bool isHalted() const { return m_window->hub()->current() != nullptr && m_window->hub()->current()->isHalted; }
    bool waitHalted() const
    {
        return waitFor([&] { return isHalted() || !m_window->isBusy(); }, 20000) && isHalted();
    }
    static int editsOf(const Run& run) { return static_cast<int>(run.journal().size()); }
    QToolButton* button(const char* name) const
    {
        return m_window->statusBar()->findChild<QToolButton*>(QLatin1String(name));
    }
    QString summary() const { return m_window->statusBar()->findChild<ElidedLabel*>()->fullText(); }
    bool isShown(const char* text) const
    {
        for (const QLabel* label : m_window->statusBar()->findChildren<QLabel*>())
            if (label->isVisible() && label->text() == QLatin1String(text)) return true;
        return false;
    }

    WindowSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
    std::shared_ptr<const Run> m_whole;
};

QTEST_MAIN(TestLiveWindow)
#include "tst_live_window.moc"
