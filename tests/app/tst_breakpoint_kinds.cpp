// Each kind of breakpoint in the real window: set with keys or mouse, run to in a finished run and in a compile that halts.
// Where it has to stop is worked out here from the steps of the run, not by the code that looks for breakpoints.

#include "app/gui/debug_tools.h"
#include "app/gui/session_keeper.h"
#include "engine/session/breakpoints.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/breakpoints/breakpoints_view.h"
#include "viewers/common/breakpoint_list.h"
#include "viewers/common/elided_label.h"
#include "viewers/common/table_panel.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QStatusBar>
#include <QToolButton>

#include <functional>

using namespace gelens;
using namespace gelens::test;

namespace {

using Kind = BreakpointKind;
using Holds = std::function<bool(const Run&, const Step&)>;

/// The first step behind the graph as read at which it holds, and the `nth` of them.
int stepWhere(const Run& run, const Holds& holds, int nth = 1)
{
    for (const Step& step : run.steps)
        if (step.id.value > 0 && holds(run, step) && --nth == 0) return step.id.value;
    return -1;
}

/// The first step at which something becomes true that was not before.
int stepFrom(const Run& run, const Holds& holds)
{
    return stepWhere(run, [&holds](const Run& of, const Step& step) {
        return holds(of, step) && !holds(of, of.step(StepId{step.id.value - 1}));
    });
}

bool hasType(const Run& run, StepId step, std::string_view type)
{
    const auto graph = run.graphAt(step);
    const auto nodes = graph->allNodes();
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return graph->node(id).type == type; });
}

bool hasVerdict(const Step& step, const std::string& rule, bool isFused)
{
    return std::any_of(step.verdicts.begin(), step.verdicts.end(),
                       [&](const FusionVerdict& verdict) { return verdict.fused == isFused && verdict.rule == rule; });
}

bool isShapePass(const Run&, const Step& step) { return step.pass == "InferShapePass"; }

} // namespace

class TestBreakpointKinds : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        m_window = freshWindow();
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        m_run = m_window->hub()->run();
        m_window.reset();
    }
    void init() { m_window = freshWindow(); }
    void cleanup() { m_window.reset(); }

    void stopsWhereItShould_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("condition");
        QTest::addColumn<int>("wanted"); ///< step; -1: it stops nowhere
        const Run& run = *m_run;
        const auto row = [](const char* name, Kind kind, const QString& pattern, const QString& condition, int wanted) {
            QTest::newRow(name) << static_cast<int>(kind) << pattern << condition << wanted;
        };
        const auto text = [](const std::string& name) { return QString::fromStdString(name); };
        const auto number = [](std::int64_t value) { return QString::number(value); };

        row("pass", Kind::Pass, "infershape*", {}, stepWhere(run, isShapePass));
        row("phase", Kind::Pass, text(run.step(StepId{5}).phase), {},
            stepWhere(run, [](const Run& of, const Step& step) { return step.phase == of.step(StepId{5}).phase; }));
        // In one phase there are several steps; one of them is the second that counts.
        row("the second time", Kind::Pass, text(run.step(StepId{5}).phase), "hits >= 2",
            stepWhere(
                run, [](const Run& of, const Step& step) { return step.phase == of.step(StepId{5}).phase; }, 2));
        row("pass, condition that does not hold", Kind::Pass, "InferShapePass", "operators < 0", -1);

        // A node of the model that a pass has touched, and the RmsNorm that a rule made.
        const auto first = run.graphAt(StepId{0}), last = run.graphAt(run.lastStep());
        NodeId touched, norm;
        for (const NodeId id : first->allNodes())
            if (!touched.isValid() && !run.stepsTouching(id).empty() && run.stepsTouching(id).front().value > 0)
                touched = id;
        for (const NodeId id : last->allNodes())
            if (!norm.isValid() && last->node(id).type == "RmsNorm") norm = id;
        QVERIFY(touched.isValid() && norm.isValid());
        const std::string name = first->node(touched).name, made = last->node(norm).name;
        const auto hasNorm = [](const Run& of, const Step& step) { return hasType(of, step.id, "RmsNorm"); };
        const auto isMade = [norm](const Run& of, const Step& step) { return of.graphAt(step.id)->contains(norm); };
        row("node", Kind::Node, text(name), {}, run.stepsTouching(touched).front().value);
        row("node by pattern", Kind::Node, QLatin1Char('*') + text(made).toUpper().right(made.size() - 1), {},
            stepFrom(run, isMade));
        row("node, condition that does not hold", Kind::Node, text(name), "hits > 1000", -1);
        row("operator type", Kind::OpType, "RmsNorm", {}, stepFrom(run, hasNorm));
        row("operator type that is nowhere", Kind::OpType, "Conv3DBackpropFilter", {}, -1);
        row("tensor", Kind::Tensor, text(made) + QStringLiteral(":0"), {}, stepFrom(run, isMade));
        row("tensor, condition that does not hold", Kind::Tensor, text(made) + QStringLiteral(":0"), "step < 1", -1);

        std::string refused;
        for (const Step& step : run.steps)
            for (const FusionVerdict& verdict : step.verdicts)
                if (!verdict.fused && refused.empty()) refused = verdict.rule;
        QVERIFY(!refused.empty());
        const std::string fires = "RmsNormDecomposedFusion";
        row("rule fires", Kind::RuleFires, text(fires), {},
            stepWhere(run, [fires](const Run&, const Step& step) { return hasVerdict(step, fires, true); }));
        row("rule fires, condition that does not hold", Kind::RuleFires, text(fires), "edits > 1M", -1);
        row("rule is refused", Kind::RuleRefused, text(refused), {},
            stepWhere(run, [refused](const Run&, const Step& step) { return hasVerdict(step, refused, false); }));
        row("rule is refused, none", Kind::RuleRefused, "NoSuchRule", {}, -1);

        const auto crossing = [&](const char* figure, const QString& condition, const Holds& holds) {
            row(figure, Kind::Statistic, QLatin1String(figure) + condition, {}, stepFrom(run, holds));
        };
        const GraphStatistics &start = run.steps.front().after, &end = run.steps.back().after;
        const int operators = (start.operators + end.operators) / 2, nodes = (start.graphNodes + end.graphNodes) / 2,
                  edges = (start.dataEdges + end.dataEdges) / 2;
        crossing("operators", QStringLiteral(" < ") + number(operators),
                 [=](const Run&, const Step& step) { return step.after.operators < operators; });
        crossing("nodes", QStringLiteral("<") + number(nodes),
                 [=](const Run&, const Step& step) { return step.after.graphNodes < nodes; });
        crossing("edges", QStringLiteral(" <= ") + number(edges),
                 [=](const Run&, const Step& step) { return step.after.dataEdges <= edges; });
        crossing("constants", QStringLiteral(" != ") + number(start.constants),
                 [=](const Run&, const Step& step) { return step.after.constants != start.constants; });
        crossing("memory", QStringLiteral(" > 1k"),
                 [](const Run& of, const Step& step) { return intermediateBytes(*of.graphAt(step.id)) > 1000; });
        crossing("edits", QStringLiteral(" > 10"), [](const Run&, const Step& step) { return step.editCount() > 10; });
        crossing("step", QStringLiteral(" >= 7"), [](const Run&, const Step& step) { return step.id.value >= 7; });
        crossing("peak", QStringLiteral(" > 0"),
                 [](const Run& of, const Step& step) { return step.id >= *of.findStep("MemoryAssigner"); });
        row("memory that is never reached", Kind::Statistic, "memory > 900G", {}, -1);
        row("statistic, condition that does not hold", Kind::Statistic, "memory > 1k", "hits > 5 and edits > 1G", -1);
    }

    void stopsWhereItShould()
    {
        QFETCH(int, kind);
        QFETCH(QString, pattern);
        QFETCH(QString, condition);
        QFETCH(int, wanted);
        // The steps of the sample have to have what the rows speak of.
        const QByteArray tag(QTest::currentDataTag());
        QCOMPARE(wanted < 0,
                 tag.contains("not hold") || tag.contains("never") || tag.contains("none") || tag.contains("nowhere"));
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        add(static_cast<Kind>(kind), pattern, condition);
        const BreakpointList* list = m_window->debugTools()->breakpoints();
        QCOMPARE(list->entries().size(), std::size_t{1});
        QVERIFY(waitFor([&] { return list->entries().front().isSearched; }, 10000));

        // In the finished run: from the start to the stop, or nowhere.
        const QString what = breakpointText(list->entries().front().breakpoint);
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::AltModifier);
        QCOMPARE(m_window->hub()->shownStep().value, 0);
        QAction* go = m_window->action(QStringLiteral("run_to_breakpoint"));
        QCOMPARE(go->isEnabled(), wanted > 0);
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        QCOMPARE(m_window->hub()->shownStep().value, std::max(0, wanted));
        const QAbstractItemModel& rows = *view()->panel()->view()->model();
        QCOMPARE(rows.rowCount(), 1);
        QVERIFY2(rows.index(0, 0).data().toString().endsWith(pattern), qPrintable(rows.index(0, 0).data().toString()));
        QCOMPARE(rows.index(0, 1).data().toString(), condition);
        const QString hits = rows.index(0, 2).data().toString(), stops = rows.index(0, 3).data().toString();
        if (wanted < 0) {
            QCOMPARE(hits, QStringLiteral("0"));
            QCOMPARE(stops, QStringLiteral("nowhere in this run"));
        } else {
            QVERIFY2(m_window->statusBar()->currentMessage().startsWith(
                         QStringLiteral("Stopped at step %1: %2").arg(wanted).arg(what)),
                     qPrintable(m_window->statusBar()->currentMessage()));
            QVERIFY2(stops.contains(QString::number(wanted)), qPrintable(stops));
            QCOMPARE(hits.toInt(), rows.rowCount(rows.index(0, 0)));
            bool isListed = false; // the stop itself, with how often it was met by then
            for (int row = 0; row < hits.toInt(); ++row) {
                const QModelIndex stop = rows.index(row, 0, rows.index(0, 0));
                isListed = isListed || (stop.data().toString().startsWith(QStringLiteral("step %1 ·").arg(wanted)) &&
                                        stop.siblingAtColumn(2).data().toString().startsWith(QStringLiteral("no. ")));
            }
            QVERIFY(isListed);
        }

        // A compile halts at the same step, and says why.
        QSignalSpy halted(m_window->jobs(), &ModelJobs::halted);
        QTest::keyClick(m_window.get(), Qt::Key_F5, Qt::ControlModifier);
        QVERIFY(waitFor([&] { return !halted.isEmpty() || !m_window->isBusy(); }));
        QCOMPARE(halted.isEmpty(), wanted < 0);
        if (wanted < 0) {
            QVERIFY(!m_window->hub()->run()->isUnderWay);
            QCOMPARE(m_window->hub()->run()->stepCount(), m_run->stepCount());
            return;
        }
        QVERIFY(m_window->hub()->current()->isHalted);
        QCOMPARE(m_window->hub()->run()->lastStep().value, wanted);
        const QString summary = m_window->statusBar()->findChild<ElidedLabel*>()->fullText();
        QVERIFY2(summary.contains(QStringLiteral("step %1").arg(wanted)) && summary.endsWith(what),
                 qPrintable(summary));
    }

    void whatCannotBeReadIsAnsweredInOneSentence_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("condition");
        QTest::addColumn<QString>("named");
        const auto row = [](const char* name, Kind kind, const char* pattern, const char* condition,
                            const char* named) {
            QTest::newRow(name) << static_cast<int>(kind) << QString::fromLatin1(pattern)
                                << QString::fromLatin1(condition) << QString::fromLatin1(named);
        };
        row("nothing", Kind::Pass, "", "", "does not say what it waits for");
        row("blanks", Kind::Node, "   ", "", "does not say what it waits for");
        row("no tensor", Kind::Tensor, "/model/Softmax", "", "node:output");
        row("no figure", Kind::Statistic, "memroy > 3", "", "'memroy' is no figure");
        row("no number", Kind::Statistic, "memory > 3x", "", "'3x' is no number");
        row("hits", Kind::Statistic, "hits > 3", "", "'hits'");
        row("condition without end", Kind::OpType, "MatMul", "hits >", "'hits' is compared with nothing");
        row("condition of words", Kind::RuleFires, "*", "sometimes", "'sometimes'");
        row("or", Kind::RuleRefused, "*", "hits > 1 or hits > 2", "'or'");
        row("nothing behind and", Kind::Pass, "*", "hits > 1 and", "'and'");
    }
    void whatCannotBeReadIsAnsweredInOneSentence()
    {
        QFETCH(int, kind);
        QFETCH(QString, pattern);
        QFETCH(QString, condition);
        QFETCH(QString, named);
        add(static_cast<Kind>(kind), pattern, condition);
        QVERIFY(m_window->debugTools()->breakpoints()->entries().empty());
        QVERIFY2(view()->notice().contains(named) && !view()->notice().contains(QLatin1Char('\n')),
                 qPrintable(view()->notice()));
        QCOMPARE(view()->patternLine()->text(), pattern); // to be mended, not typed again
        // Mended, it is taken and the sentence goes.
        view()->patternLine()->selectAll();
        view()->conditionLine()->clear();
        const bool isStatistic = static_cast<Kind>(kind) == Kind::Statistic;
        QTest::keyClicks(view()->patternLine(), isStatistic ? QStringLiteral("memory > 3k") : QStringLiteral("*"));
        QCOMPARE(view()->notice(), QString()); // it spoke of what is no longer there
        QTest::keyClick(view()->patternLine(), Qt::Key_Return);
        QCOMPARE(m_window->debugTools()->breakpoints()->entries().size(), std::size_t{1});
        QCOMPARE(view()->notice(), QString());
    }

    void oneFromAFileThatCannotBeReadStaysWithTheReason()
    {
        BreakpointList* list = m_window->debugTools()->breakpoints();
        list->setAll({{Kind::Statistic, "memroy > 3", {}, true}, {Kind::Pass, "InferShapePass", {}, true}});
        QVERIFY(m_window->showView(QStringLiteral("breakpoints")));
        const QAbstractItemModel& rows = *view()->panel()->view()->model();
        for (const bool hasRun : {false, true}) {
            if (hasRun) QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
            QVERIFY(waitFor([&] { return rows.rowCount() == 2 && (!hasRun || list->entries()[1].isSearched); }, 20000));
            QVERIFY2(rows.index(0, 3).data().toString().contains(QStringLiteral("memroy")),
                     qPrintable(rows.index(0, 3).data().toString()));
        }
        QVERIFY(list->stopsAt(StepId{stepWhere(*m_run, isShapePass)})); // the other one works
    }

    void everyKindIsKeptInTheSession()
    {
        const std::vector<Breakpoint> all{{Kind::Pass, "Infer*", "hits >= 2", true},
                                          {Kind::Node, "*layers.0*", {}, false},
                                          {Kind::OpType, "MatMul*", "edits > 3", true},
                                          {Kind::Tensor, "*Softmax*:0", {}, true},
                                          {Kind::RuleFires, "RmsNorm*", {}, false},
                                          {Kind::RuleRefused, "*", "step > 4 and hits < 9", true},
                                          {Kind::Statistic, "memory > 20M and ms < 3", "hits = 1", true}};
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("stops.gelens"));
        m_window->debugTools()->breakpoints()->setAll(all);
        QVERIFY(m_window->sessionKeeper()->save(path));
        m_window = freshWindow();
        QVERIFY(m_window->debugTools()->breakpoints()->entries().empty());
        QVERIFY(m_window->sessionKeeper()->open(path));
        QVERIFY(m_window->debugTools()->breakpoints()->breakpoints() == all);
    }

    /// Switched off and on, followed and taken away without a mouse.
    void theListByKeys()
    {
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        add(Kind::Pass, QStringLiteral("InferShapePass"), {});
        add(Kind::OpType, QStringLiteral("RmsNorm"), {});
        BreakpointList* list = m_window->debugTools()->breakpoints();
        QVERIFY(waitFor([&] { return list->entries().size() == 2 && list->entries().back().isSearched; }, 5000));
        QTreeView* tree = view()->panel()->view();
        for (int i = 0; i < 20 && QApplication::focusWidget() != tree; ++i)
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QVERIFY(tree->hasFocus());
        QTest::keyClick(tree, Qt::Key_Home);
        QCOMPARE(tree->currentIndex().row(), 0);
        QTest::keyClick(tree, Qt::Key_Space);
        QVERIFY(!list->entries().front().breakpoint.isEnabled);
        QTest::keyClick(tree, Qt::Key_Space);
        QVERIFY(list->entries().front().breakpoint.isEnabled);
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::AltModifier);
        // Changed in its place: the text comes into the lines, and Enter puts it back.
        QTest::keyClick(tree, Qt::Key_F2);
        QVERIFY(view()->patternLine()->hasFocus());
        QCOMPARE(view()->patternLine()->text(), QStringLiteral("InferShapePass"));
        QTest::keyClicks(view()->patternLine(), QStringLiteral("InferShape*"));
        QTest::keyClick(view()->patternLine(), Qt::Key_Return);
        QCOMPARE(list->entries().size(), std::size_t{2});
        QCOMPARE(list->entries().front().breakpoint.pattern, std::string("InferShape*"));
        QVERIFY(waitFor([&] { return list->entries().front().isSearched; }, 5000));
        tree->setFocus();
        QTest::keyClick(tree, Qt::Key_Home);
        QTest::keyClick(tree, Qt::Key_Return); // to its next stop
        QVERIFY(waitFor([&] { return m_window->hub()->shownStep().value == stepWhere(*m_run, isShapePass); }, 5000));
        QTest::keyClick(tree, Qt::Key_Right); // the stops below it
        QTest::keyClick(tree, Qt::Key_Down);
        QVERIFY(tree->currentIndex().parent().isValid());
        QTest::keyClick(tree, Qt::Key_End);
        QTest::keyClick(tree, Qt::Key_Delete);
        QCOMPARE(list->entries().size(), std::size_t{1});
        QCOMPARE(list->entries().front().breakpoint.kind, Kind::Pass);
    }

private:
    BreakpointsView* view() const { return viewOf<BreakpointsView>(*m_window, "breakpoints"); }

    /// As a person does: the kind from its box, the texts typed; every other time with the button instead of Enter.
    void add(Kind kind, const QString& pattern, const QString& condition)
    {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->action(QStringLiteral("panel_breakpoints"))->trigger();
        QVERIFY(waitFor([&] { return view()->isVisible(); }, 5000));
        view()->kinds()->setFocus();
        QTest::keyClick(view()->kinds(), Qt::Key_Home);
        for (int i = 0; i < view()->kinds()->findData(static_cast<int>(kind)); ++i)
            QTest::keyClick(view()->kinds(), Qt::Key_Down);
        QTest::keyClick(view()->kinds(), Qt::Key_Tab);
        QVERIFY(view()->patternLine()->hasFocus());
        QTest::keyClicks(view()->patternLine(), pattern);
        QTest::keyClick(view()->patternLine(), Qt::Key_Tab);
        QVERIFY(view()->conditionLine()->hasFocus());
        QTest::keyClicks(view()->conditionLine(), condition);
        if (static_cast<int>(kind) % 2 == 0)
            QTest::keyClick(view()->conditionLine(), Qt::Key_Return);
        else
            QTest::mouseClick(view()->addButton(), Qt::LeftButton);
    }

    WindowSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
    std::shared_ptr<const Run> m_run;
};

QTEST_MAIN(TestBreakpointKinds)
#include "tst_breakpoint_kinds.moc"
