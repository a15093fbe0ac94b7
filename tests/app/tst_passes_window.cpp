// Passes left out, the pass that makes it so, and chosen steps written as text: in the real window, by mouse and keys.

#include "app/gui/bisect_dialog.h"
#include "app/gui/debug_tools.h"
#include "app/gui/step_export_dialog.h"
#include "engine/formats/model_file.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/common/table_panel.h"
#include "viewers/models/pipeline_model.h"
#include "viewers/pipeline/pipeline_view.h"
#include "viewers/whatif/whatif_form.h"
#include "viewers/whatif/whatif_view.h"

#include <algorithm>
#include <set>

#include <QAbstractProxyModel>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QStatusBar>

using namespace gelens;
using namespace gelens::test;

class TestPassesWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_window = freshWindow();
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        m_run = m_window->hub()->run();
    }
    void cleanup() { m_window.reset(); }

    void aPassIsLeftOutOfAWhatIf()
    {
        const StepId step = firingStep();
        QVERIFY(step.isValid());
        const Step& fired = m_run->step(step);
        const bool isShared = std::count_if(m_run->steps.begin(), m_run->steps.end(),
                                            [&](const Step& each) { return each.pass == fired.pass; }) > 1;
        const std::string pass = isShared ? fired.rule : fired.pass;
        m_window->hub()->showStep(step);
        QTest::keyClick(m_window.get(), Qt::Key_X, Qt::ControlModifier | Qt::AltModifier);
        WhatIfRuns* runs = m_window->debugTools()->whatIfs();
        QVERIFY(waitFor([&] { return !runs->isBusy() && !runs->runsOf(m_window->hub()->current()->id).empty(); }));
        const KeptRun kept = runs->runsOf(m_window->hub()->current()->id).front();
        QVERIFY2(kept.run, qPrintable(kept.error));
        QCOMPARE(kept.name, QStringLiteral("without pass %1").arg(QString::fromStdString(pass)));
        const auto fires = [&](const Run& run) {
            return std::any_of(run.fusions.begin(), run.fusions.end(), [&](const FusionSummary& each) {
                return each.rule == fired.rule && each.effective > 0;
            });
        };
        QVERIFY(fires(*m_run) && !fires(*kept.run));
        auto* view = viewOf<WhatIfView>(*m_window, "whatif");
        QCOMPARE(view->form()->skippedPasses()->text(), QString::fromStdString(pass));

        // "Use these options" makes it the model's own run; the pipeline lists the pass as skipped, and says why.
        QVERIFY(waitFor([&] { return view->useButton()->isEnabled(); }, 5000));
        QTest::mouseClick(view->useButton(), Qt::LeftButton);
        QVERIFY(waitFor([&] { return !m_window->isBusy() && m_window->hub()->run() != m_run; }));
        const auto run = m_window->hub()->run();
        auto* pipeline = viewOf<PipelineView>(*m_window, "pipeline");
        QVERIFY(waitFor([&] { return pipeline->model()->run() == run; }, 5000));
        StepId skipped;
        for (const Step& each : run->steps)
            if (each.wasSkipped) skipped = each.id;
        QVERIFY(skipped.isValid());
        const QModelIndex row = pipeline->model()->indexOfStep(skipped);
        QCOMPARE(row.siblingAtColumn(PipelineModel::Time).data().toString(), QStringLiteral("skipped"));
        QVERIFY2(
            row.data(Qt::ToolTipRole).toString().contains(QStringLiteral("skipped, as the options of the run ask")),
            qPrintable(row.data(Qt::ToolTipRole).toString()));
        // "Changed only" leaves it in the list.
        QVERIFY(pipeline->changedOnly()->isChecked());
        const auto* proxy = static_cast<QAbstractProxyModel*>(pipeline->panel()->view()->model());
        QVERIFY(proxy->mapFromSource(row).isValid());
        picture(*m_window, "skipped-en");
        applyLanguage(QStringLiteral("zh_CN"));
        QVERIFY(waitFor(
            [&] {
                return pipeline->model()->indexOfStep(skipped).siblingAtColumn(PipelineModel::Time).data().toString() ==
                       QStringLiteral("已跳过");
            },
            5000));
        applyLanguage(QStringLiteral("en"));
    }

    void aPassThatIsNeededIsRefused()
    {
        auto* view = viewOf<WhatIfView>(*m_window, "whatif");
        QVERIFY(m_window->showView(QStringLiteral("whatif")));
        QTest::keyClicks(view->form()->skippedPasses(), QStringLiteral("InferShapePass"));
        QVERIFY(view->runButton()->isEnabled());
        QTest::mouseClick(view->runButton(), Qt::LeftButton);
        WhatIfRuns* runs = m_window->debugTools()->whatIfs();
        QVERIFY(waitFor([&] { return !runs->isBusy(); }));
        const KeptRun kept = runs->runsOf(m_window->hub()->current()->id).front();
        QVERIFY(!kept.run);
        QVERIFY2(kept.error.contains(QStringLiteral("'InferShapePass' cannot be skipped")), qPrintable(kept.error));
    }

    void thePassIsFound_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("isType");
        QTest::newRow("operator type is gone") << static_cast<int>(BisectQuestion::Kind::TypeGone) << true;
        QTest::newRow("figure") << static_cast<int>(BisectQuestion::Kind::Statistic) << false;
    }
    void thePassIsFound()
    {
        QFETCH(int, kind);
        QFETCH(bool, isType);
        QString text = QStringLiteral("operators < %1")
                           .arg((m_run->steps.front().after.operators + m_run->steps.back().after.operators) / 2);
        if (isType) { // one that is there at first, and not at the end
            std::set<std::string> first, last;
            m_run->graphAt(StepId{0})->forEachNode(rootGraph, [&](const Node& node) { first.insert(node.type); });
            m_run->graphAt(m_run->lastStep())->forEachNode(rootGraph, [&](const Node& node) {
                last.insert(node.type);
            });
            text.clear();
            for (const std::string& type : first)
                if (text.isEmpty() && !last.contains(type)) text = QString::fromStdString(type);
            QVERIFY(!text.isEmpty());
        }
        BisectDialog* dialog = openBisect();
        QVERIFY(dialog != nullptr);
        dialog->kinds()->setCurrentIndex(dialog->kinds()->findData(kind));
        QVERIFY(!dialog->searchButton()->isEnabled());
        QTest::keyClicks(dialog->textLine(), text);
        QTest::keyClick(dialog->textLine(), Qt::Key_Return);
        QVERIFY(waitFor([&] { return !dialog->isSearching() && dialog->goButton()->isEnabled(); }, 20000));
        const QString said = dialog->result();
        const StepId found{said.section(QLatin1Char(' '), 1, 1).remove(QLatin1Char(',')).toInt()};
        QVERIFY2(found.value > 0 && said.contains(QStringLiteral("makes it so")), qPrintable(said));
        if (isType) {
            const auto has = [&](StepId step) {
                bool isThere = false;
                m_run->graphAt(step)->forEachNode(
                    rootGraph, [&](const Node& node) { isThere = isThere || node.type == text.toStdString(); });
                return isThere;
            };
            QVERIFY(has(StepId{found.value - 1}) && !has(found));
        }
        applyLanguage(QStringLiteral("zh_CN"));
        QVERIFY(waitFor([&] { return dialog->result().contains(QStringLiteral("第 %1 步").arg(found.value)); }, 5000));
        picture(*dialog, "bisect-zh");
        applyLanguage(QStringLiteral("en"));
        picture(*dialog, "bisect-en");
        QTest::mouseClick(dialog->goButton(), Qt::LeftButton);
        QCOMPARE(m_window->hub()->shownStep(), found);
        dialog->close();
    }

    void whatIsNotSoIsSaid()
    {
        BisectDialog* dialog = openBisect();
        QVERIFY(dialog != nullptr); // numbers beyond tolerance: the first kind
        QTest::mouseClick(dialog->searchButton(), Qt::LeftButton);
        QVERIFY(waitFor([&] { return !dialog->isSearching(); }, 60000));
        QCOMPARE(dialog->result(), QStringLiteral("It is not so at the end of the run."));
        QVERIFY(!dialog->goButton()->isEnabled());
        dialog->kinds()->setCurrentIndex(dialog->kinds()->findData(static_cast<int>(BisectQuestion::Kind::Statistic)));
        QTest::keyClicks(dialog->textLine(), QStringLiteral("nonsense > 3"));
        QTest::mouseClick(dialog->searchButton(), Qt::LeftButton);
        QVERIFY(waitFor([&] { return !dialog->isSearching(); }, 20000));
        QVERIFY2(dialog->result().contains(QStringLiteral("'nonsense'")), qPrintable(dialog->result()));
        dialog->close();
    }

    void phasesAreWrittenAsText()
    {
        QTemporaryDir folder;
        const QString target = folder.filePath(QStringLiteral("new/dumps"));
        StepExportDialog* dialog = openExport();
        QVERIFY(dialog != nullptr);
        int phases = 0;
        for (const Step& step : m_run->steps) phases += step.isPhaseEnd;
        QCOMPARE(dialog->list()->count(), phases);
        dialog->folderLine()->clear();
        QVERIFY(!dialog->exportButton()->isEnabled());
        QTest::keyClicks(dialog->folderLine(), target);
        QTest::mouseClick(dialog->form(GraphTextForm::GeProto), Qt::LeftButton, {},
                          QPoint(8, dialog->form(GraphTextForm::GeProto)->height() / 2));
        QVERIFY(dialog->form(GraphTextForm::GeProto)->isChecked());
        QTest::mouseClick(dialog->exportButton(), Qt::LeftButton);
        QVERIFY(waitFor([&] { return !dialog->isWriting(); }, 60000));
        QCOMPARE(dialog->notice(), QStringLiteral("%1 files written to %2").arg(2 * phases).arg(target));
        QCOMPARE(QDir(target).entryList(QDir::Files).size(), 2 * phases);
        // Read back, each is the graph of its step; the folder opens as a folder of dumps.
        for (const Step& step : m_run->steps) {
            if (!step.isPhaseEnd) continue;
            for (const GraphTextForm form : {GraphTextForm::GeOnnx, GraphTextForm::GeProto}) {
                const std::string file = target.toStdString() + '/' + stepFileName(*m_run, step.id, form);
                const auto read = openModel(file, {});
                QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
                QCOMPARE(read->graph.nodeCount(), m_run->graphAt(step.id)->nodeCount());
            }
        }
        picture(*dialog, "export-en");
        dialog->close();
        QVERIFY(openAndWait(*m_window, target));
        QVERIFY(m_window->hub()->run() && m_window->hub()->run()->sourceOf(StepId{0}) != nullptr);
        QVERIFY(m_window->hub()->run()->stepCount() >= phases);
    }

    void whatCannotBeWrittenIsSaidInOneLine()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("file")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        StepExportDialog* dialog = openExport();
        QVERIFY(dialog != nullptr);
        dialog->folderLine()->setText(file.fileName() + QStringLiteral("/below"));
        QTest::mouseClick(dialog->exportButton(), Qt::LeftButton);
        QVERIFY(waitFor([&] { return !dialog->isWriting(); }, 20000));
        QVERIFY2(dialog->notice().contains(QStringLiteral("cannot make the folder")) &&
                     !dialog->notice().contains(QLatin1Char('\n')),
                 qPrintable(dialog->notice()));
        applyLanguage(QStringLiteral("zh_CN"));
        QVERIFY(waitFor([&] { return dialog->exportButton()->text() == QStringLiteral("导出"); }, 5000));
        picture(*dialog, "export-zh");
        applyLanguage(QStringLiteral("en"));
        dialog->close();
    }

    void cancelledItKeepsWhatIsThere()
    {
        QTemporaryDir folder;
        StepExportDialog* dialog = openExport();
        QVERIFY(dialog != nullptr);
        dialog->choice()->setCurrentIndex(2); // all passes
        int checked = 0;
        for (int row = 0; row < dialog->list()->count(); ++row) {
            dialog->list()->item(row)->setCheckState(Qt::Checked);
            ++checked;
        }
        QCOMPARE(checked, m_run->stepCount());
        dialog->folderLine()->setText(folder.path());
        QTest::mouseClick(dialog->exportButton(), Qt::LeftButton);
        QVERIFY(dialog->isWriting() && dialog->cancelButton()->isEnabled());
        QTest::mouseClick(dialog->cancelButton(), Qt::LeftButton);
        QVERIFY(!dialog->isWriting());
        QCOMPARE(dialog->notice(), QStringLiteral("Cancelled; the files that were written are there."));
        QTest::qWait(200);
        QVERIFY(QDir(folder.path()).entryList(QDir::Files).size() < checked);
        dialog->close();
    }

    void keysAreTheirOwn()
    {
        for (const char* name : {"bisect", "leave_out", "export_steps"}) {
            const QAction* action = m_window->action(QLatin1String(name));
            QVERIFY2(action != nullptr && !action->shortcut().isEmpty() && !action->toolTip().isEmpty(), name);
            for (const QAction* other : m_window->findChildren<QAction*>())
                QVERIFY2(other == action || !other->shortcuts().contains(action->shortcut()),
                         qPrintable(other->text()));
        }
    }

private:
    StepId firingStep() const
    {
        for (const Step& step : m_run->steps)
            if (!step.rule.empty() && step.after.operators < step.before.operators) return step.id;
        return {};
    }
    BisectDialog* openBisect()
    {
        QTest::keyClick(m_window.get(), Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        return m_window->findChild<BisectDialog*>(QStringLiteral("bisect_dialog"));
    }
    StepExportDialog* openExport()
    {
        QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier | Qt::AltModifier);
        return m_window->findChild<StepExportDialog*>(QStringLiteral("step_export_dialog"));
    }

    WindowSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
    std::shared_ptr<const Run> m_run;
};

QTEST_MAIN(TestPassesWindow)
#include "tst_passes_window.moc"
