// Breakpoints, what-ifs, remedies, reports, text diff and log decoder in the real window, by mouse and keys.

#include "app/gui/debug_tools.h"
#include "app/gui/report_tools.h"
#include "engine/report/run_json.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/breakpoints/breakpoints_view.h"
#include "viewers/common/table_panel.h"
#include "viewers/graph/graph_view.h"
#include "viewers/logdecoder/log_decoder_view.h"
#include "viewers/models/pipeline_model.h"
#include "viewers/pipeline/pipeline_view.h"
#include "viewers/pipeline/step_strip.h"
#include "viewers/statistics/statistics_view.h"
#include "viewers/textdiff/text_diff_view.h"
#include "viewers/unfused/explanation_card.h"
#include "viewers/unfused/unfused_view.h"
#include "viewers/whatif/rule_switches_model.h"
#include "viewers/whatif/whatif_form.h"
#include "viewers/whatif/whatif_view.h"

#include <QAbstractProxyModel>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QStatusBar>
#include <QToolButton>
#include <QTreeView>

using namespace gelens;
using test::clickRow;
using test::findLine;
using test::openAndWait;
using test::sample;
using test::viewOf;
using test::waitFor;

namespace {

QString cell(const QAbstractItemModel& model, int row, int column, const QModelIndex& parent = {})
{
    return model.index(row, column, parent).data().toString();
}

} // namespace

class TestDebugger : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { m_settings = std::make_unique<test::WindowSettings>(); }
    void init() { m_window = test::freshWindow(); }
    void cleanup() { m_window.reset(); }

    void breakpointsStopTheWalk()
    {
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        const auto run = m_window->hub()->run();
        QVERIFY(m_window->showView(QStringLiteral("breakpoints")));
        auto* view = viewOf<BreakpointsView>(*m_window, "breakpoints");
        view->kinds()->setCurrentIndex(view->kinds()->findData(static_cast<int>(BreakpointKind::RuleFires)));
        QTest::keyClicks(view->patternLine(), QStringLiteral("RmsNorm*"));
        QTest::keyClick(view->patternLine(), Qt::Key_Return);
        BreakpointList* list = m_window->debugTools()->breakpoints();
        QCOMPARE(list->entries().size(), std::size_t(1));
        QVERIFY(waitFor([&] { return list->entries().front().isSearched; }, 5000));
        const StepId wanted = list->entries().front().hits.front().step;
        const auto& rows = *view->panel()->view()->model();
        QVERIFY(
            waitFor([&] { return cell(rows, 0, 3).startsWith(QStringLiteral("step %1").arg(wanted.value)); }, 5000));

        // From the start, F8 runs to where the rule fires; the node that it made is selected, the bar says why.
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::AltModifier);
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        QCOMPARE(m_window->hub()->shownStep(), wanted);
        QVERIFY(m_window->hub()->selection().node.isValid());
        QVERIFY2(m_window->statusBar()->currentMessage().contains(QStringLiteral("RmsNormDecomposedFusion")),
                 qPrintable(m_window->statusBar()->currentMessage()));
        QVERIFY(!m_window->action(QStringLiteral("run_to_breakpoint"))->isEnabled());

        // Switched off with the mouse, it no longer stops.
        QTreeView* tree = view->panel()->view();
        const QRect box = tree->visualRect(tree->model()->index(0, 0));
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, QPoint(box.left() + 9, box.center().y()));
        QVERIFY(!list->entries().front().breakpoint.isEnabled);
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::AltModifier);
        QVERIFY(!m_window->action(QStringLiteral("run_to_breakpoint"))->isEnabled());

        // A bad condition is refused in a sentence and the text stays.
        QTest::keyClicks(view->patternLine(), QStringLiteral("*"));
        QTest::keyClicks(view->conditionLine(), QStringLiteral("nonsense > 3"));
        QTest::mouseClick(view->addButton(), Qt::LeftButton);
        QVERIFY2(view->notice().contains(QStringLiteral("nonsense")), qPrintable(view->notice()));
        QCOMPARE(view->patternLine()->text(), QStringLiteral("*"));
        QCOMPARE(list->entries().size(), std::size_t(1));
    }

    void theGutterSetsBreakpointsOnPasses()
    {
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        auto* pipeline = viewOf<PipelineView>(*m_window, "pipeline");
        auto* strip = viewOf<StepStrip>(*m_window, "strip");
        const auto run = m_window->hub()->run();
        const StepId step = *run->findStep("ConvBatchnormFusionPass");
        QTreeView* tree = pipeline->panel()->view();
        tree->expandAll();
        const auto* proxy = static_cast<QAbstractProxyModel*>(tree->model());
        const QModelIndex gutter =
            proxy->mapFromSource(pipeline->model()->indexOfStep(step).siblingAtColumn(PipelineModel::Stop));
        QVERIFY(gutter.isValid());
        clickRow(tree, gutter);
        BreakpointList* list = m_window->debugTools()->breakpoints();
        QCOMPARE(list->entries().size(), std::size_t(1));
        QVERIFY(waitFor([&] { return list->stopsAt(step); }, 5000));
        QCOMPARE(gutter.data().toString(), QStringLiteral("●"));
        QVERIFY(!strip->barRect(step).isNull());
        clickRow(tree, gutter);
        QVERIFY(list->entries().empty());
        QVERIFY(waitFor([&] { return gutter.data().toString().isEmpty(); }, 5000));
    }

    void theStripLeavesOutWhatIsNotAskedFor()
    {
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        auto* strip = viewOf<StepStrip>(*m_window, "strip");
        const auto run = m_window->hub()->run();
        QVERIFY(waitFor([&] { return !strip->visibleSteps().empty(); }, 5000));
        QVERIFY(strip->changedOnly()->isChecked()); // by default
        for (const int step : strip->visibleSteps())
            QVERIFY(step == 0 || step == m_window->hub()->shownStep().value || run->step(StepId{step}).hasChanged());
        const std::size_t changed = strip->visibleSteps().size();
        strip->changedOnly()->setChecked(false);
        QCOMPARE(static_cast<int>(strip->visibleSteps().size()), run->stepCount());
        strip->changedOnly()->setChecked(true);
        QCOMPARE(strip->visibleSteps().size(), changed);
        QTest::keyClicks(strip->filterLine(), QStringLiteral("batchnorm"));
        QVERIFY(strip->visibleSteps().size() < changed);
        // Keys go along what is left; the view keeps its step.
        strip->setFocus();
        const int before = strip->visibleSteps().front();
        while (m_window->hub()->shownStep().value > before) {
            const int shown = m_window->hub()->shownStep().value;
            QTest::keyClick(strip, Qt::Key_Left);
            QVERIFY(m_window->hub()->shownStep().value < shown);
        }
        QVERIFY(QString::fromStdString(run->step(StepId{before}).pass).contains(QStringLiteral("atchnorm")) ||
                before == 0 ||
                QString::fromStdString(run->step(StepId{before}).rule).contains(QStringLiteral("atchnorm")));
    }

    void aRemedyIsTriedOut()
    {
        Settings().setSoc(QStringLiteral("Ascend310P3"));
        m_window = test::makeWindow();
        QVERIFY(openAndWait(*m_window, sample("attention-too-long")));
        auto* unfused = viewOf<UnfusedView>(*m_window, "unfused");
        QVERIFY(m_window->showView(QStringLiteral("unfused")));
        QVERIFY(waitFor([&] { return unfused->card()->isAdviceReady() && !unfused->card()->remedyButtons().empty(); },
                        10000));
        QPushButton* larger = nullptr;
        for (QPushButton* button : unfused->card()->remedyButtons())
            if (button->text().contains(QStringLiteral("L1 1,081,344 B"))) larger = button;
        QVERIFY2(larger != nullptr, qPrintable(unfused->card()->visibleText()));
        QTest::mouseClick(larger, Qt::LeftButton);
        auto* whatIf = viewOf<WhatIfView>(*m_window, "whatif");
        QVERIFY(waitFor([&] { return whatIf->isVisible(); }, 5000));
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        const auto& runs = *whatIf->runList()->view()->model();
        QVERIFY(waitFor([&] { return runs.rowCount() == 2; }, 5000));
        QCOMPARE(cell(runs, 1, 1), QStringLiteral("L1 1,081,344 B"));
        // What it gives: the attention is one kernel now.
        const auto& differences = *whatIf->differences()->view()->model();
        const QModelIndex operators = findLine(differences, QStringLiteral("operators"));
        QVERIFY(operators.isValid());
        QVERIFY(operators.siblingAtColumn(1).data().toInt() > operators.siblingAtColumn(2).data().toInt());
        const QModelIndex rule = findLine(differences, QStringLiteral("FlashAttentionFusion"));
        QCOMPARE(rule.siblingAtColumn(1).data().toString(), QStringLiteral("0"));
        QCOMPARE(rule.siblingAtColumn(2).data().toString(), QStringLiteral("1"));
        QCOMPARE(findLine(differences, QStringLiteral("unfused chains")).siblingAtColumn(2).data().toString(),
                 QStringLiteral("0"));

        // The two graphs beside each other, as a model of its own.
        const int model = m_window->hub()->current()->id;
        QTest::mouseClick(whatIf->compareButton(), Qt::LeftButton);
        QVERIFY(waitFor([&] { return m_window->hub()->current()->id != model && !m_window->isBusy(); }));
        QCOMPARE(m_window->hub()->run()->stepCount(), 2);
        QVERIFY(!m_window->hub()->run()->diff(StepId{0}, StepId{1}).isEmpty());
        QVERIFY(waitFor(
            [&] {
                const QString seen = m_window->graphView()->visibleText();
                return seen.contains(QStringLiteral("base run")) && seen.contains(QStringLiteral("L1 1,081,344 B")) &&
                       seen.contains(QStringLiteral("TransData"));
            },
            10000));
    }

    void readingTheLimitTakesAtMostThreeClicks()
    {
        qputenv("GELENS_SAMPLES", GELENS_SAMPLES_DIR);
        m_window = test::makeWindow();
        int clicks = 0;
        const auto click = [&clicks](QWidget* widget, QPoint at = {}) {
            QTest::mouseClick(widget, Qt::LeftButton, {}, at);
            ++clicks;
        };
        auto* button = m_window->findChild<QAbstractButton*>(QStringLiteral("open_attention-too-long"));
        QVERIFY(button != nullptr && waitFor([&] { return button->isVisible(); }, 5000));
        click(button);
        QVERIFY(waitFor([&] { return m_window->hub()->run() && !m_window->isBusy(); }));
        // Nothing else is opened or chosen: the panel of chains stands in front and explains the place.
        auto* view = viewOf<UnfusedView>(*m_window, "unfused");
        QVERIFY(view->isVisible());
        QVERIFY(waitFor([&] { return view->card()->isAdviceReady() && view->card()->isPictureReady(); }, 10000));
        const QString text = view->card()->visibleText();
        for (const char* part : {"1,081,344 B", "524,288 B", "keys ≤ 7,680"})
            QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
        // What is on the card is on the screen.
        bool isSeen = false;
        for (QLabel* label : view->card()->findChildren<QLabel*>())
            isSeen =
                isSeen || (label->text().contains(QStringLiteral("1,081,344 B")) && !label->visibleRegion().isEmpty());
        QVERIFY(isSeen);
        QVERIFY2(clicks <= 3, qPrintable(QString::number(clicks)));
        qunsetenv("GELENS_SAMPLES");
    }

    void aStreamLabelIsTriedOut()
    {
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        QVERIFY(m_window->showView(QStringLiteral("whatif")));
        auto* view = viewOf<WhatIfView>(*m_window, "whatif");
        QLineEdit* line = view->form()->streamLabels();
        QTest::keyClicks(line, QStringLiteral("no label here"));
        QVERIFY(!view->runButton()->isEnabled());
        QVERIFY2(view->notice().contains(QStringLiteral("no label here")), qPrintable(view->notice()));
        line->clear();
        const auto base = m_window->hub()->run();
        const Task& task = base->tasks.tasks[5];
        const std::string name = base->graphAt(base->lastStep())->node(task.node).name;
        QTest::keyClicks(line, QString::fromStdString(name) + QStringLiteral(" = side"));
        QVERIFY(view->runButton()->isEnabled());
        QTest::mouseClick(view->runButton(), Qt::LeftButton);
        QVERIFY(waitFor([&] { return !m_window->isBusy() && view->runList()->view()->model()->rowCount() == 2; }));
        // The list says what was changed.
        QVERIFY2(cell(*view->runList()->view()->model(), 1, 1).contains(QStringLiteral("side")),
                 qPrintable(cell(*view->runList()->view()->model(), 1, 1)));
    }

    void whatIfByForm()
    {
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        QVERIFY(m_window->showView(QStringLiteral("whatif")));
        auto* view = viewOf<WhatIfView>(*m_window, "whatif");
        WhatIfForm* form = view->form();
        QVERIFY(
            waitFor([&] { return form->buffer("l1")->placeholderText().startsWith(QStringLiteral("524,288")); }, 5000));
        QVERIFY(!view->runButton()->isEnabled()); // the same options would say nothing new
        // Something that is no size is named, and nothing runs.
        QTest::keyClicks(form->buffer("ub"), QStringLiteral("many"));
        QVERIFY(!view->runButton()->isEnabled());
        QVERIFY2(view->notice().contains(QStringLiteral("UB")), qPrintable(view->notice()));
        form->buffer("ub")->clear();
        form->policy()->setCurrentIndex(form->policy()->findData(static_cast<int>(MemoryPolicy::Simple)));
        // A rule off with its box.
        int row = -1;
        for (int i = 0; i < form->ruleModel()->rowCount(); ++i)
            if (form->ruleModel()->row(i).rule == "RmsNormDecomposedFusion") row = i;
        QVERIFY(row >= 0);
        form->ruleModel()->setData(form->ruleModel()->index(row, 0), Qt::Unchecked, Qt::CheckStateRole);
        QTest::keyClicks(view->nameLine(), QStringLiteral("no norm"));
        QVERIFY(view->runButton()->isEnabled());
        QTest::mouseClick(view->runButton(), Qt::LeftButton);
        QVERIFY(waitFor([&] { return !m_window->isBusy() && view->runList()->view()->model()->rowCount() == 2; }));
        const auto& runs = *view->runList()->view()->model();
        QCOMPARE(cell(runs, 1, 0), QStringLiteral("no norm"));
        const auto& differences = *view->differences()->view()->model();
        const QModelIndex operators = findLine(differences, QStringLiteral("operators"));
        QVERIFY(operators.siblingAtColumn(2).data(Qt::UserRole + 1).toInt() >
                operators.siblingAtColumn(1).data(Qt::UserRole + 1).toInt());
        const int base = m_window->hub()->run()->statistics.nodes.after;
        // The reference table has it as a column of its own.
        QVERIFY(m_window->showView(QStringLiteral("statistics")));
        const auto& figures = *viewOf<StatisticsView>(*m_window, "statistics")->figures()->view()->model();
        QVERIFY(waitFor([&] { return figures.columnCount() == 5 && figures.rowCount() == 5; }, 5000));
        QCOMPARE(figures.headerData(4, Qt::Horizontal).toString(), QStringLiteral("no norm"));
        QVERIFY(figures.index(0, 4).data(Qt::UserRole + 1).toInt() >
                figures.index(0, 2).data(Qt::UserRole + 1).toInt());
        QVERIFY(m_window->showView(QStringLiteral("whatif")));

        // Its options for the model itself.
        QTest::mouseClick(view->useButton(), Qt::LeftButton);
        QVERIFY(waitFor([&] { return !m_window->isBusy() && m_window->hub()->run()->statistics.nodes.after > base; }));
        QCOMPARE(m_window->hub()->run()->options.memoryPolicy, MemoryPolicy::Simple);
        QTest::mouseClick(view->removeButton(), Qt::LeftButton);
        QVERIFY(waitFor([&] { return view->runList()->view()->model()->rowCount() == 1; }, 5000));
    }

    void reportsHaveTheRunsNumbers()
    {
        QVERIFY(openAndWait(*m_window, sample("llama-7b")));
        QTemporaryDir folder;
        QSignalSpy written(m_window->reportTools(), &ReportTools::written);
        for (const char* name : {"r.html", "r.pdf"}) {
            const QString path = folder.filePath(QLatin1String(name));
            m_window->reportTools()->exportReport(path);
            QVERIFY(waitFor([&] { return !written.isEmpty(); }));
            QCOMPARE(written.takeFirst().at(1).toString(), QString());
            QVERIFY(QFileInfo(path).size() > 20'000 && QFileInfo(path).size() < 5'000'000);
        }
        QFile html(folder.filePath(QStringLiteral("r.html")));
        QVERIFY(html.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(html.readAll());
        // No network: nothing is fetched from anywhere.
        static const QRegularExpression outside(
            QStringLiteral("(src|href)\\s*=\\s*\"(?!#)|url\\((?!#)|@import|<script"));
        QVERIFY2(!outside.match(text).hasMatch(), qPrintable(outside.match(text).captured()));
        QVERIFY(text.count(QStringLiteral("<svg")) >= 4);
        const QJsonObject json =
            QJsonDocument::fromJson(QByteArray::fromStdString(runToJson(*m_window->hub()->run()))).object();
        static const QRegularExpression cells(QStringLiteral("data-figure=\"([^\"]+)\" data-value=\"([^\"]*)\""));
        int compared = 0;
        for (auto match = cells.globalMatch(text); match.hasNext();) {
            const auto found = match.next();
            const QStringList path = found.captured(1).split(QLatin1Char('.'));
            if (path.first() == QStringLiteral("fusions")) {
                for (const QJsonValue& fusion : json.value(QStringLiteral("fusions")).toArray())
                    if (fusion.toObject().value(QStringLiteral("rule")).toString() == path.at(1)) {
                        QCOMPARE(found.captured(2).toInt(), fusion.toObject().value(path.at(2)).toInt());
                        ++compared;
                    }
                continue;
            }
            QJsonValue value = json;
            for (const QString& part : path) // steps go by their index, which is their place
                value = value.isArray() ? value.toArray().at(part.toInt()) : value.toObject().value(part);
            QVERIFY2(value.isDouble(), qPrintable(found.captured(1)));
            QCOMPARE(found.captured(2).toDouble(), value.toDouble());
            ++compared;
        }
        QVERIFY(compared > 20);
        QFile pdf(folder.filePath(QStringLiteral("r.pdf")));
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        QVERIFY(pdf.read(5) == "%PDF-");
    }

    void textDiffOfSteps()
    {
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        const StepId step = *m_window->hub()->run()->findStep("ConvBatchnormFusionPass");
        m_window->hub()->showStep(step);
        QVERIFY(m_window->showView(QStringLiteral("textdiff")));
        auto* view = viewOf<TextDiffView>(*m_window, "textdiff");
        QVERIFY(waitFor(
            [&] { return !view->hasPendingChanges() && view->shownStep() == step && view->isReady() && view->diff(); },
            20000));
        QVERIFY(view->summary().contains(QStringLiteral("differences")));
        QVERIFY(!view->diff()->changes.empty());
        // Every node that it tells as gone is in the graph before and not in the one after.
        const auto before = m_window->hub()->run()->graphAt(StepId{step.value - 1}),
                   after = m_window->hub()->run()->graphAt(step);
        int removed = 0;
        for (const TextChange& change : view->diff()->changes) {
            if (!change.field.empty() || change.kind != ChangeKind::Removed) continue;
            if (change.node.empty()) continue; // outside all nodes
            QVERIFY2(before->findNode(change.node).isValid() && !after->findNode(change.node).isValid(),
                     change.node.c_str());
            ++removed;
        }
        QVERIFY(removed > 0);
        QVERIFY(view->beforeText().contains(QStringLiteral("name:")) ||
                view->afterText().contains(QStringLiteral("name:")));
        // Another form of the same graphs: the listing for people.
        view->forms()->setCurrentIndex(2);
        QVERIFY(waitFor(
            [&] {
                return view->isReady() && view->diff() &&
                       (view->beforeText() + view->afterText()).contains(QStringLiteral("Node[type="));
            },
            20000));
    }

    void logsAreReadWithTheModel()
    {
        QVERIFY(openAndWait(*m_window, sample("unit-conflict")));
        const auto run = m_window->hub()->run();
        QVERIFY(m_window->showView(QStringLiteral("decoder")));
        auto* view = viewOf<LogDecoderView>(*m_window, "decoder");
        QVERIFY(!run->chains.empty());
        const std::string node = run->chains.front().nodeNames.front();
        view->input()->setPlainText(
            QStringLiteral(
                "[ERROR] GE(812,atc.bin):2024-05-06-10:11:12.123.456 [graph_manager.cc:3401]812 Build: E19999 Inner Error\n"
                "[INFO] FE(812,atc.bin):2024-05-06-10:11:12.200.001 [fusion.cc:9]812 节点 %1 未融合\n"
                "E13010: No operator plugin\n")
                .arg(QString::fromStdString(node)));
        QTest::mouseClick(view->decodeButton(), Qt::LeftButton);
        QVERIFY(waitFor([&] { return view->isReady(); }, 5000));
        QVERIFY2(view->summary().startsWith(QStringLiteral("2 errors · 0 warnings · 1 lines")),
                 qPrintable(view->summary()));
        const auto& rows = *view->panel()->view()->model();
        QCOMPARE(rows.rowCount(), 3);
        QVERIFY(cell(rows, 0, 0, rows.index(0, 0)).startsWith(QStringLiteral("E19999: Inner error of GE")));
        const QModelIndex second = rows.index(1, 0);
        QCOMPARE(cell(rows, 0, 0, second), QStringLiteral("node %1").arg(QString::fromStdString(node)));
        // Our own explanation of the same place stands below the line; the link selects the node.
        QVERIFY(findLine(rows, QStringLiteral("here:"), second).isValid());
        view->panel()->view()->scrollTo(rows.index(0, 0, second));
        QTest::mouseClick(view->panel()->view()->viewport(), Qt::LeftButton, {},
                          view->panel()->view()->visualRect(rows.index(0, 0, second)).center());
        QVERIFY(waitFor(
            [&] {
                return QString::fromStdString(run->nameOf(m_window->hub()->selection().node)) ==
                       QString::fromStdString(node);
            },
            5000));
    }

    void theSameStoryInChinese()
    {
        applyLanguage(QStringLiteral("zh_CN"));
        m_window = test::makeWindow();
        QVERIFY(openAndWait(*m_window, sample("unit-conflict")));
        auto* unfused = viewOf<UnfusedView>(*m_window, "unfused");
        QVERIFY(waitFor([&] { return unfused->card()->isAdviceReady() && !unfused->card()->remedyButtons().empty(); },
                        10000));
        QPushButton* button = unfused->card()->remedyButtons().front();
        QVERIFY2(button->text().contains(QStringLiteral("试一试")), qPrintable(button->text()));
        QTest::mouseClick(button, Qt::LeftButton);
        auto* whatIf = viewOf<WhatIfView>(*m_window, "whatif");
        QVERIFY(waitFor([&] { return !m_window->isBusy() && whatIf->runList()->view()->model()->rowCount() == 2; }));
        QVERIFY(findLine(*whatIf->differences()->view()->model(), QStringLiteral("算子")).isValid());
        QCOMPARE(whatIf->compareButton()->text(), QStringLiteral("比较图"));
        auto* breakpoints = viewOf<BreakpointsView>(*m_window, "breakpoints");
        QVERIFY(m_window->showView(QStringLiteral("breakpoints")));
        // That there are none is said once, with what to do.
        QCOMPARE(breakpoints->notice(), QString());
        QVERIFY(waitFor([&] { return breakpoints->isVisible(); }, 5000));
        QVERIFY2(breakpoints->stateText().startsWith(QStringLiteral("还没有断点。\n")) &&
                     breakpoints->stateText().contains(QStringLiteral("F8")),
                 qPrintable(breakpoints->stateText()));
        int said = 0;
        for (const QLabel* label : breakpoints->findChildren<QLabel*>())
            said += label->isVisible() && label->text().contains(QStringLiteral("没有断点")) ? 1 : 0;
        QCOMPARE(said, 1);
    }

private:
    std::unique_ptr<test::WindowSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestDebugger)
#include "tst_debugger.moc"
