// The four questions of the tool, asked of the real window by mouse and keys and answered in the window's language.

#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/accuracy/accuracy_view.h"
#include "viewers/common/formatter.h"
#include "viewers/common/table_panel.h"
#include "viewers/diff/diff_models.h"
#include "viewers/diff/diff_view.h"
#include "viewers/inspector/inspector_view.h"
#include "viewers/memory/memory_canvas.h"
#include "viewers/memory/memory_picture.h"
#include "viewers/memory/memory_view.h"
#include "viewers/memory/savings_model.h"
#include "viewers/models/property_model.h"
#include "viewers/models_monitor/models_view.h"
#include "viewers/pipeline/step_strip.h"
#include "viewers/problems/problems_view.h"
#include "viewers/timeline/compare_model.h"
#include "viewers/timeline/timeline_canvas.h"
#include "viewers/timeline/timeline_view.h"
#include "viewers/unfused/chains_model.h"
#include "viewers/unfused/explanation_card.h"
#include "viewers/unfused/unfused_view.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSet>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTreeView>

#include <algorithm>

using namespace gelens;
using test::clickRow;
using test::sample;
using test::viewOf;
using test::waitFor;

namespace {

/// All cells of a list as it stands, row after row, joined by " | "; rows below others included.
QStringList linesOf(const QAbstractItemModel& model, int limit = 400, const QModelIndex& parent = {})
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(parent) && lines.size() < limit; ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(parent); ++column)
            cells += model.index(row, column, parent).data().toString();
        lines += cells.join(QStringLiteral(" | "));
        lines += linesOf(model, limit, model.index(row, 0, parent));
    }
    return lines;
}

QModelIndex findRow(const QAbstractItemModel& model, int column, const QString& start, const QModelIndex& parent = {})
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, column, parent);
        if (index.data().toString().startsWith(start)) return index;
        if (const QModelIndex below = findRow(model, column, start, model.index(row, 0, parent)); below.isValid())
            return below;
    }
    return {};
}

/// Presses the keys of a command, as its menu entry names them.
void press(MainWindow& window, const char* command)
{
    const QKeySequence keys = window.action(QLatin1String(command))->shortcut();
    QTest::keySequence(&window, keys);
}

void clickTab(QTabWidget* tabs, int tab)
{
    QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(tab).center());
}

/// Texts of the window that Chinese lacks: all that chrome says, and English sentences in the lists.
class Untranslated {
public:
    explicit Untranslated(const MainWindow& window, const Run* run) : m_run(run)
    {
        if (m_run != nullptr) {
            for (const Step& step : m_run->steps)
                m_names << QString::fromStdString(step.pass) << QString::fromStdString(step.rule);
            m_names << QString::fromStdString(m_run->modelName);
        }
        for (const QWidget* widget : window.findChildren<QWidget*>())
            if (View::isSeen(*widget)) look(*widget);
        for (const QAction* action : window.findChildren<QAction*>())
            if (!action->isSeparator()) {
                chrome(action->text(), "action " + action->objectName());
                chrome(action->toolTip(), "tool tip " + action->objectName());
            }
    }
    QStringList found() const { return {m_found.begin(), m_found.end()}; }

private:
    static bool hasChinese(const QString& text)
    {
        return std::any_of(text.begin(), text.end(),
                           [](QChar c) { return c.unicode() >= 0x4e00 && c.unicode() <= 0x9fff; });
    }
    /// Three words of plain English in a row: a sentence, whatever stands around it.
    void sentence(const QString& text, const QString& where)
    {
        static const QRegularExpression words(
            QStringLiteral("(?<![\\w/.'-])[A-Za-z][a-z']*(?: [a-z][a-z']+){2,}(?![\\w/])"));
        const auto match = words.match(text);
        if (match.hasMatch()) m_found.insert(where + QStringLiteral(": ") + text.left(160));
    }
    void chrome(const QString& text, const QString& where)
    {
        static const QRegularExpression name(QStringLiteral(
            "^(SoC|Pass|Tensor|Task|GE|GE Lens|English|SVG|PNG|PDF|CSV|JSON|HTML|DOT|Ascend[\\w-]*|AI Core|AI CPU|cube|vector|"
            "[\\d,.]+ [kMG]?B|[\\d,.]+ (ms|µs|ns)|ge_onnx|ge_proto|readable|[A-Z][A-Za-z]*\\d*[A-Z]\\w*|\\S*[/_.]\\S*)$"));
        static const QRegularExpression word(QStringLiteral("[A-Za-z]{3,}"));
        QString plain = QString(text).remove(QLatin1Char('&')).trimmed();
        static const QRegularExpression keys(
            QStringLiteral("\\s*\\((Ctrl|Alt|Shift|F\\d|Esc|Home|End|[A-Z]\\b)[^)]*\\)$"));
        plain.remove(keys);
        if (!plain.contains(word)) return;
        if (hasChinese(plain)) return sentence(plain, where);
        // Several names may stand in one line: "Cast · /model/Cast".
        const QStringList parts = plain.split(QStringLiteral(" · "));
        if (std::all_of(parts.begin(), parts.end(), [&](const QString& part) {
                return !part.contains(word) || name.match(part).hasMatch() || m_names.contains(part) || isOfModel(part);
            }))
            return;
        m_found.insert(where + QStringLiteral(": ") + plain.left(160));
    }
    /// Names and types of nodes, and scopes in the names, of both ends of the run.
    bool isOfModel(const QString& text) const
    {
        if (m_run == nullptr) return false;
        for (const StepId step : {StepId{0}, m_run->lastStep()}) {
            const auto graph = m_run->graphAt(step);
            for (const NodeId node : graph->allNodes())
                if (text == QString::fromStdString(graph->node(node).type) ||
                    (QLatin1Char('/') + QString::fromStdString(graph->node(node).name) + QLatin1Char('/'))
                        .contains(QLatin1Char('/') + text + QLatin1Char('/')))
                    return true;
        }
        return false;
    }
    void look(const QWidget& widget)
    {
        QString where = QString::fromLatin1(widget.metaObject()->className());
        for (const QWidget* parent = widget.parentWidget(); parent != nullptr; parent = parent->parentWidget())
            if (qobject_cast<const QDockWidget*>(parent) != nullptr)
                where = parent->objectName() + QLatin1Char(' ') + where;
        if (const auto* label = qobject_cast<const QLabel*>(&widget))
            for (const QString& line : label->text().split(QLatin1Char('\n'))) chrome(line, where);
        if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) chrome(button->text(), where);
        if (const auto* group = qobject_cast<const QGroupBox*>(&widget)) chrome(group->title(), where);
        if (const auto* line = qobject_cast<const QLineEdit*>(&widget)) chrome(line->placeholderText(), where);
        if (const auto* dock = qobject_cast<const QDockWidget*>(&widget)) chrome(dock->windowTitle(), where);
        if (const auto* menu = qobject_cast<const QMenu*>(&widget)) chrome(menu->title(), where);
        if (const auto* box = qobject_cast<const QComboBox*>(&widget))
            for (int i = 0; i < box->count(); ++i) chrome(box->itemText(i), where);
        if (const auto* bar = qobject_cast<const QTabBar*>(&widget))
            for (int i = 0; i < bar->count(); ++i) chrome(bar->tabText(i), where);
        if (const auto* tree = qobject_cast<const QTreeView*>(&widget)) {
            for (int i = 0; i < tree->model()->columnCount(); ++i)
                if (!tree->isHeaderHidden() && !tree->isColumnHidden(i))
                    chrome(tree->model()->headerData(i, Qt::Horizontal).toString(), where + QStringLiteral(" header"));
            for (const QString& line : linesOf(*tree->model())) sentence(line, where + QStringLiteral(" row"));
        }
        sentence(widget.toolTip(), where + QStringLiteral(" tool tip"));
    }

    const Run* m_run;
    QSet<QString> m_names, m_found;
};

} // namespace

class TestStories : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        m_settings = std::make_unique<test::WindowSettings>();
        qputenv("GELENS_SAMPLES", GELENS_SAMPLES_DIR);
    }
    void init()
    {
        QFETCH(QString, language);
        QSettings().clear();
        m_language = language;
        applyLanguage(language);
        m_window = test::makeWindow();
    }
    void cleanup()
    {
        m_window.reset();
        applyLanguage(QStringLiteral("en"));
    }

    void aForgottenTextIsFound()
    {
        // The check itself: a window with one English label is caught.
        auto* label = new QLabel(QStringLiteral("nobody translated this text"), m_window->statusBar());
        m_window->statusBar()->addWidget(label);
        QVERIFY(waitFor([&] { return View::isSeen(*label); }, 5000));
        QVERIFY(Untranslated(*m_window, nullptr).found().join(QLatin1Char('\n')).contains(label->text()));
    }
    void aForgottenTextIsFound_data()
    {
        QTest::addColumn<QString>("language");
        QTest::newRow("Chinese") << QStringLiteral("zh_CN");
    }

    void whatDidAPassChange_data() { languages(); }
    void whyWasItNotFused_data() { languages(); }
    void whereDoesTheMemoryGo_data() { languages(); }
    void isItStillRightAndFaster_data() { languages(); }
    void everyPanelSpeaksTheLanguage_data() { languages(); }

    void whatDidAPassChange()
    {
        QVERIFY(openByMouse("tiny-llama"));
        const auto run = m_window->hub()->run();
        QVERIFY(run);
        // From the graph as read, on to the first pass that fuses something: keys only.
        press(*m_window, "first");
        QCOMPARE(m_window->hub()->shownStep(), StepId{0});
        const FusionVerdict* fused = nullptr;
        for (int i = 0; i < run->stepCount() && fused == nullptr; ++i) {
            press(*m_window, "next_change");
            for (const FusionVerdict& verdict : run->step(m_window->hub()->shownStep()).verdicts)
                if (verdict.fused && fused == nullptr) fused = &verdict;
        }
        QVERIFY(fused != nullptr);
        const StepId step = m_window->hub()->shownStep(), before = m_window->hub()->comparedStep();
        auto* strip = viewOf<StepStrip>(*m_window, "strip");
        QVERIFY(waitFor([&] { return strip->summary().contains(say("step %1 of", "第 %1 ").arg(step.value)); }, 5000));

        // How many nodes came, went and changed: counted here from the two graphs.
        int added = 0, removed = 0;
        const auto old = run->graphAt(before), now = run->graphAt(step);
        for (const NodeId node : old->allNodes()) removed += !now->contains(node);
        for (const NodeId node : now->allNodes()) added += !old->contains(node);
        QVERIFY(added > 0 && removed > 0);
        press(*m_window, "panel_diff");
        auto* diff = viewOf<DiffView>(*m_window, "diff");
        QVERIFY(
            waitFor([&] { return View::isSeen(*diff) && diff->isReady() && diff->content()->after == step; }, 10000));
        QVERIFY2(diff->summary().startsWith(say("Step %1 ", "第 %1 步 ").arg(format::count(step.value))),
                 qPrintable(diff->summary()));
        QVERIFY2(diff->summary().contains(
                     say("nodes +%1 −%2 ~", "节点 +%1 −%2 ~").arg(format::count(added), format::count(removed))),
                 qPrintable(diff->summary()));
        const QStringList rows = linesOf(*diff->changeList()->view()->model(), 100000);
        const auto count = [&](const QString& word) {
            return std::count_if(rows.begin(), rows.end(), [&](const QString& row) {
                return row.section(QStringLiteral(" | "), 0, 0).endsWith(word);
            });
        };
        QCOMPARE(count(say("added", "新增")), added);
        QCOMPARE(count(say("removed", "删除")), removed);

        // A click on the fused node: the inspector says which step made it, and out of what.
        QTreeView* list = diff->changeList()->view();
        const QModelIndex row = findRow(*list->model(), ChangesModel::Name, QString::fromStdString(fused->intoName));
        QVERIFY(row.isValid());
        clickRow(list, row);
        QCOMPARE(m_window->hub()->selection().node, fused->into);
        press(*m_window, "panel_inspector");
        auto* inspector = viewOf<InspectorView>(*m_window, "inspector");
        QVERIFY(waitFor(
            [&] {
                return View::isSeen(*inspector) && !inspector->isBusy() &&
                       inspector->heading().contains(QString::fromStdString(fused->intoName));
            },
            10000));
        const QAbstractItemModel& facts = *inspector->panel()->view()->model();
        const QModelIndex cameFrom = findRow(facts, 0, say("Came from (", "来源 ("));
        QVERIFY(cameFrom.isValid());
        const QStringList origins = linesOf(facts, 400, cameFrom);
        QVERIFY(!origins.isEmpty());
        for (const NodeId origin : run->originsOf(fused->into))
            QVERIFY2(origins.join(QLatin1Char('\n')).contains(QString::fromStdString(run->nameOf(origin))),
                     qPrintable(origins.join(QLatin1Char('\n'))));
        const QModelIndex history = findRow(facts, 0, say("History (", "变更历史 ("));
        QVERIFY(history.isValid());
        QVERIFY(findRow(facts, 0,
                        QStringLiteral("%1 · %2").arg(step.value).arg(QString::fromStdString(run->step(step).pass)),
                        history)
                    .isValid());
        const QString edits = linesOf(facts, 400, history).join(QLatin1Char('\n'));
        QVERIFY2(edits.contains(say("added", "新增")), qPrintable(edits));
        checkLanguage();
    }

    void whyWasItNotFused()
    {
        // The chip is chosen with the keyboard before the model is opened.
        auto* chips = m_window->findChild<QComboBox*>(QStringLiteral("soc"));
        chips->setFocus();
        QTest::keyClick(chips, Qt::Key_Home);
        for (int i = 0; i < chips->count() && chips->currentText() != QStringLiteral("Ascend310P3"); ++i)
            QTest::keyClick(chips, Qt::Key_Down);
        QCOMPARE(chips->currentText(), QStringLiteral("Ascend310P3"));
        QVERIFY(openByMouse("attention-too-long"));
        QCOMPARE(m_window->hub()->run()->soc.name, std::string("Ascend310P3"));
        press(*m_window, "panel_unfused");
        auto* view = viewOf<UnfusedView>(*m_window, "unfused");
        QVERIFY(waitFor([&] { return View::isSeen(*view); }, 5000));
        QTreeView* list = view->chainList()->view();
        const QModelIndex row = findRow(*list->model(), ChainsModel::Why, say("L1 limit", "L1 容量限制"));
        QVERIFY(row.isValid());
        clickRow(list, row);
        QVERIFY(waitFor([&] { return view->card()->isPictureReady() && view->card()->isAdviceReady(); }, 10000));
        const QString card = view->card()->visibleText();
        // Needs, has, by how much, and where the limit lies.
        for (const QString& part :
             {say("needs 1,081,344 B", "需要 1,081,344 B"), say("has 1,048,576 B", "有 1,048,576 B"),
              say("keys ≤ 15,872", "键数 ≤ 15,872"), say("Reduce keys to at most 15,872", "把键数减到不超过 15,872")})
            QVERIFY2(card.contains(part), qPrintable(card));
        QVERIFY(!view->card()->remedyButtons().empty());
        const Selection selection = m_window->hub()->selection();
        QVERIFY(selection.chain >= 0);
        QCOMPARE(m_window->hub()->run()->chains[static_cast<std::size_t>(selection.chain)].reason, Reason::L1Capacity);
        checkLanguage();
    }

    void whereDoesTheMemoryGo()
    {
        QVERIFY(openByMouse("tiny-llama"));
        const auto run = m_window->hub()->run();
        press(*m_window, "panel_memory");
        auto* view = viewOf<MemoryView>(*m_window, "memory");
        QVERIFY(waitFor([&] { return View::isSeen(*view) && view->isReady(); }, 10000));
        const MemoryTotals& totals = run->plan.totals;
        QVERIFY2(view->summary().startsWith(
                     say("Peak %1 · lower bound %2", "峰值 %1 · 理论下界 %2")
                         .arg(format::bytes(totals.featureMapPeak), format::bytes(totals.lowerBound))),
                 qPrintable(view->summary()));

        // Two tensors that live at the peak, clicked in the map, the second with Ctrl held.
        MemoryCanvas* canvas = view->canvas();
        const auto picture = view->picture();
        std::vector<std::pair<int, QPoint>> places;
        for (const int buffer : picture->aliveAt(picture->peakPosition())) {
            const QRectF box = canvas->rectOf(buffer).intersected(canvas->plotRect());
            if (box.width() >= 4 && box.height() >= 4 &&
                run->plan.buffers[static_cast<std::size_t>(buffer)].kind == BufferKind::FeatureMap)
                places.emplace_back(buffer, box.center().toPoint());
        }
        QVERIFY(places.size() >= 2);
        QTest::mouseClick(canvas, Qt::LeftButton, {}, places[0].second);
        QCOMPARE(canvas->selected(), std::vector<int>{places[0].first});
        const MemoryBuffer& first = run->plan.buffers[static_cast<std::size_t>(places[0].first)];
        const MemoryBuffer& second = run->plan.buffers[static_cast<std::size_t>(places[1].first)];
        for (const QString& part :
             {QString::fromStdString(first.name), format::exactBytes(first.bytes), say("alive from step", "存活")})
            QVERIFY2(view->details().contains(part), qPrintable(view->details()));
        QTest::mouseClick(canvas, Qt::LeftButton, Qt::ControlModifier, places[1].second);
        QCOMPARE(canvas->selected().size(), std::size_t(2));
        for (const QString& part : {say("They could not share: their lifetimes overlap", "两者无法共用：生命周期"),
                                    QString::fromStdString(first.name), QString::fromStdString(second.name)})
            QVERIFY2(view->details().contains(part), qPrintable(view->details()));
        checkLanguage();

        // What would lower the peak: the second tab plans anew for each change.
        clickTab(view->tabs(), 1);
        QAbstractItemModel* savings = view->savingsList()->view()->model();
        QVERIFY(waitFor([&] { return savings->rowCount() > 0; }, 30000));
        QCOMPARE(savings->headerData(SavingsModel::Saves, Qt::Horizontal).toString().section(QLatin1Char(' '), 0, 0),
                 say("Saves", "节省"));
        bool isLowered = false;
        for (int row = 0; row < savings->rowCount(); ++row) {
            const QString how = savings->index(row, SavingsModel::How).data().toString();
            QVERIFY(!how.isEmpty());
            isLowered = isLowered || savings->index(row, SavingsModel::PeakAfter).data(SortRole).toLongLong() <
                                         totals.featureMapPeak;
        }
        QVERIFY(isLowered);
        checkLanguage();
    }

    void isItStillRightAndFaster()
    {
        QVERIFY(openByMouse("tiny-llama"));
        QVERIFY(!m_window->hub()->run()->verification.ran);
        press(*m_window, "verify");
        QVERIFY(waitFor([&] { return !m_window->isBusy() && m_window->hub()->run()->verification.ran; }, 120000));
        auto* problems = viewOf<ProblemsView>(*m_window, "problems");
        QVERIFY(View::isSeen(*problems)); // the action leads to its verdict
        const QString verdict = say("Every step keeps the numbers; the device ran", "每一步的数值都保持不变；设备按");
        const QString said = linesOf(*problems->panel()->view()->model()).join(QLatin1Char('\n'));
        QVERIFY2(said.contains(verdict), qPrintable(said));
        QVERIFY(m_window->hub()->run()->verification.passed());
        checkLanguage();
        press(*m_window, "panel_models");
        auto* models = viewOf<ModelsView>(*m_window, "models");
        QVERIFY(waitFor([&] { return View::isSeen(*models); }, 5000));
        const QString states = linesOf(*models->findChild<QTreeView*>()->model()).join(QLatin1Char('\n'));
        QVERIFY2(states.contains(say("done, numbers verified", "数值")), qPrintable(states));

        press(*m_window, "panel_timeline");
        auto* timeline = viewOf<TimelineView>(*m_window, "timeline");
        QVERIFY(waitFor([&] { return View::isSeen(*timeline) && timeline->isReady(); }, 10000));
        QVERIFY2(timeline->summary().startsWith(say("Estimated ", "仿真估算 ")), qPrintable(timeline->summary()));
        clickTab(timeline->tabs(), 1);
        QAbstractItemModel* rows = timeline->compareList()->view()->model();
        QVERIFY(waitFor([&] { return rows->rowCount() > 0; }, 10000));
        const auto run = m_window->hub()->run();
        QVERIFY(run->timeline.totalUs < run->timelineBefore.totalUs);
        const QString original = format::microseconds(run->timelineBefore.totalUs),
                      optimised = format::microseconds(run->timeline.totalUs);
        bool isSaid = false;
        for (const QLabel* label : timeline->findChildren<QLabel*>())
            isSaid = isSaid || (View::isSeen(*label) && label->text().contains(original) &&
                                label->text().contains(optimised) && label->text().contains(say("estimated", "估算")));
        QVERIFY(isSaid);
        QVERIFY(rows->headerData(CompareModel::Before, Qt::Horizontal)
                    .toString()
                    .startsWith(say("Original (est.)", "原图（估算）")));
        checkLanguage();
    }

    void everyPanelSpeaksTheLanguage()
    {
        QVERIFY(openByMouse("tiny-llama"));
        const auto run = m_window->hub()->run();
        m_window->hub()->select(Selection::ofNode(run->tasks.tasks[run->tasks.tasks.size() / 2].node));
        const QStringList names = MainWindow::viewNames();
        int shown = 0;
        for (const QString& name : names) {
            const QAction* panel = m_window->action(QStringLiteral("panel_") + name);
            if (panel == nullptr) continue;
            press(*m_window, qPrintable(panel->objectName()));
            QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
            ++shown;
            checkLanguage();
        }
        QVERIFY(shown > 10);
    }

private:
    static void languages()
    {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << QStringLiteral("en");
        QTest::newRow("Chinese") << QStringLiteral("zh_CN");
    }
    QString say(const char* english, const char* chinese) const
    {
        return QString::fromUtf8(m_language == QStringLiteral("en") ? english : chinese);
    }

    /// The sample's button on the welcome page.
    bool openByMouse(const char* name)
    {
        auto* button = m_window->findChild<QAbstractButton*>(QStringLiteral("open_") + QLatin1String(name));
        if (button == nullptr || !waitFor([&] { return button->isVisible(); }, 5000)) return false;
        QTest::mouseClick(button, Qt::LeftButton);
        return waitFor([&] { return m_window->hub()->run() && !m_window->isBusy(); });
    }
    void checkLanguage()
    {
        if (m_language == QStringLiteral("en") || QTest::currentTestFailed()) return; // said once
        const QStringList found = Untranslated(*m_window, m_window->hub()->run().get()).found();
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    }

    std::unique_ptr<test::WindowSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
    QString m_language;
};

QTEST_MAIN(TestStories)
#include "tst_stories.moc"
