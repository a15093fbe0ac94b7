// One selection: whatever is chosen in one view is seen in all others.

#include "engine/session/node_facts.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/accuracy/accuracy_view.h"
#include "viewers/common/elided_label.h"
#include "viewers/common/table_panel.h"
#include "viewers/diff/diff_view.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"
#include "viewers/inspector/inspector_view.h"
#include "viewers/memory/memory_canvas.h"
#include "viewers/memory/memory_view.h"
#include "viewers/models/statistics_model.h"
#include "viewers/models/words.h"
#include "viewers/pipeline/pipeline_view.h"
#include "viewers/problems/problems_view.h"
#include "viewers/statistics/statistics_view.h"
#include "viewers/textdiff/text_diff_view.h"
#include "viewers/timeline/timeline_canvas.h"
#include "viewers/timeline/timeline_index.h"
#include "viewers/timeline/timeline_view.h"
#include "viewers/unfused/unfused_view.h"

#include <QRegularExpression>
#include <QTabWidget>

#include <functional>

using namespace gelens;
using namespace gelens::test;

class TestOneSelection : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        m_window = freshWindow();
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        m_run = m_window->hub()->run();
        m_graph = m_run->graphAt(m_window->hub()->shownStep());
        // Kernels that a fusion made, with memory and a task of their own: every view has something of them.
        for (const TimelineItem& item : m_run->timeline.items) {
            const auto isOf = [&](const FusionVerdict& verdict) { return verdict.fused && verdict.into == item.node; };
            const bool isFused = std::any_of(m_run->steps.begin(), m_run->steps.end(), [&](const Step& step) {
                return std::any_of(step.verdicts.begin(), step.verdicts.end(), isOf);
            });
            if (!isFused || !m_run->plan.bufferOfTensor.contains(OutputRef{item.node, 0})) continue;
            const MemoryBuffer& buffer =
                m_run->plan.buffers[static_cast<std::size_t>(m_run->plan.bufferOfTensor.at(OutputRef{item.node, 0}))];
            if (buffer.kind == BufferKind::FeatureMap && buffer.tensor.node == item.node) m_nodes.push_back(item.node);
        }
        QVERIFY(m_nodes.size() >= 2);
    }
    void cleanupTestCase() { m_window.reset(); }

    /// From one view to all.
    void spreads_data()
    {
        QTest::addColumn<QString>("source");
        for (const char* source : {"graph", "diff", "memory map", "memory list", "timeline", "fusions", "statistics",
                                   "textdiff", "inspector", "original node"})
            QTest::newRow(source) << QString::fromLatin1(source);
    }
    void spreads()
    {
        QFETCH(QString, source);
        const NodeId before = m_nodes.front(), wanted = m_nodes.back();
        m_window->hub()->showStep(m_run->lastStep(), StepId{0});
        m_window->hub()->select(Selection::ofNode(before));
        QTest::qWait(50);
        if (source == QLatin1String("original node")) {
            // One that a fusion took: it is found in what it became.
            const std::vector<NodeId> origins = m_run->originsOf(wanted);
            QVERIFY(!origins.empty() && origins.front() != wanted);
            m_window->hub()->select(Selection::ofNode(origins.front()));
        } else {
            chooseIn(source, wanted);
            QTRY_COMPARE(m_window->hub()->selection().node, wanted);
        }
        QStringList missing;
        for (const auto& [name, isShown] : checks(wanted)) {
            const bool isOfWanted = source != QLatin1String("original node") ||
                                    name.startsWith(QLatin1String("memory")) ||
                                    name.startsWith(QLatin1String("timeline"));
            if (!isOfWanted) continue;
            QVERIFY(m_window->showView(viewOfCheck(name)));
            if (!waitFor(isShown, 3000)) missing += name;
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QStringLiteral(", "))));
    }

    void aTypeSelectsItsOperators()
    {
        auto* statistics = viewOf<StatisticsView>(*m_window, "statistics");
        show("statistics");
        TablePanel* const list = statistics->histogram();
        const std::string type = m_graph->node(m_nodes.front()).type;
        const QModelIndex row = findLine(*list->view()->model(), words::text(type));
        QVERIFY(row.isValid());
        clickRow(list->view(), row);
        QTest::keyClick(list->view(), Qt::Key_Return);
        int count = 0;
        m_graph->forEachNode(rootGraph, [&](const Node& node) { count += node.type == type; });
        QVERIFY(waitFor(
            [&] {
                return static_cast<int>(m_window->hub()->selection().more.size()) + 1 == count &&
                       m_graph->node(m_window->hub()->selection().node).type == type;
            },
            3000));
        auto* inspector = viewOf<InspectorView>(*m_window, "inspector");
        if (count > 1) QTRY_VERIFY(inspector->heading().startsWith(QString::number(count)));
    }

    void aStepOfThePipelineIsShownEverywhere()
    {
        auto* pipeline = viewOf<PipelineView>(*m_window, "pipeline");
        show("pipeline");
        QTreeView* const list = pipeline->findChild<QTreeView*>();
        list->expandAll();
        StepId changed{-1};
        for (const Step& step : m_run->steps)
            if (step.hasChanged() && step.id.value > 0) changed = step.id;
        const QModelIndexList rows = list->model()->match(list->model()->index(0, 0), StepRole, changed.value, -1,
                                                          Qt::MatchExactly | Qt::MatchRecursive);
        QVERIFY(!rows.isEmpty());
        list->scrollTo(rows.last());
        clickRow(list, rows.last());
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(m_window->hub()->shownStep(), changed);
        for (const QString& name : MainWindow::viewNames())
            if (View* view = m_window->view(name)) {
                QVERIFY(m_window->showView(name));
                QTRY_COMPARE(view->shownStep(), changed);
            }
        auto* diff = viewOf<DiffView>(*m_window, "diff");
        show("diff");
        QTRY_VERIFY(diff->summary().startsWith(QStringLiteral("Step %1 against").arg(changed.value)));
        QTRY_VERIFY(m_window->graphView()->visibleText().contains(QStringLiteral("step %1").arg(changed.value)) ||
                    m_window->graphView()->shownStep() == changed);
        m_window->hub()->showStep(m_run->lastStep(), StepId{0});
    }

    void aProblemIsFoundAgain()
    {
        // The samples have no problem that names a node, so a run that has one is put in.
        auto run = std::make_shared<Run>();
        run->messages.push_back({Severity::Warning, "test.first", "one", "a", m_nodes.front()});
        run->messages.push_back({Severity::Warning, "test.second", "two", "b", m_nodes.back()});
        ProblemsView view;
        view.resize(800, 300);
        view.setRun(run);
        view.show();
        QSignalSpy chosen(&view, &View::selectionRequested);
        auto* panel = view.findChild<TablePanel*>();
        QTRY_VERIFY(panel->view()->model()->rowCount() >= 2);
        for (const NodeId node : {m_nodes.back(), m_nodes.front()}) {
            view.setSelection(Selection::ofNode(node));
            QTRY_COMPARE(panel->currentIndex().data(NodeRole).toInt(), node.value);
        }
        QCOMPARE(chosen.count(), 0); // showing is not choosing
        view.setSelection({});
        QTRY_VERIFY(!panel->currentIndex().isValid());
        clickRow(panel->view(), findLine(*panel->view()->model(), QStringLiteral("⚠")));
        QCOMPARE(qvariant_cast<Selection>(chosen.last().first()).node, m_nodes.front());
    }

private:
    void show(const char* view)
    {
        m_window->showView(QLatin1String(view));
        QVERIFY(waitFor([&] { return m_window->view(QLatin1String(view))->isVisible() && !m_window->isBusy(); }, 5000));
        QTest::qWait(100);
    }

    static QString viewOfCheck(const QString& name)
    {
        const QString view = name.section(QRegularExpression(QStringLiteral("[ ,]")), 0, 0);
        return view == QLatin1String("fusions") ? QStringLiteral("unfused") : view;
    }

    /// The first row that speaks of a node.
    static QModelIndex rowOf(TablePanel* list, NodeId node)
    {
        const QAbstractItemModel& model = *list->view()->model();
        list->view()->expandAll();
        const QModelIndexList rows =
            model.match(model.index(0, 0), NodeRole, node.value, 1, Qt::MatchExactly | Qt::MatchRecursive);
        return rows.isEmpty() ? QModelIndex() : rows.front();
    }
    static void clickRowOf(TablePanel* list, NodeId node)
    {
        QModelIndex row;
        QVERIFY(waitFor([&] { return (row = rowOf(list, node)).isValid(); }, 5000));
        clickRow(list->view(), row);
    }

    void chooseIn(const QString& source, NodeId node)
    {
        if (source == QLatin1String("graph")) {
            show("graph");
            m_window->graphView()->reveal(node);
            QRectF place;
            QVERIFY(waitFor(
                [&] {
                    place = m_window->graphView()->nodeRectOnScreen(node);
                    return m_window->graphView()->isLayoutReady() && !place.isNull() &&
                           m_window->graphView()->rect().contains(place.center().toPoint());
                },
                10000));
            QTest::qWait(600); // the view glides there
            place = m_window->graphView()->nodeRectOnScreen(node);
            GraphCanvas* const canvas = m_window->graphView()->afterCanvas();
            QTest::mouseClick(canvas, Qt::LeftButton, {},
                              canvas->mapFrom(m_window->graphView(), place.center().toPoint()));
        } else if (source == QLatin1String("diff")) {
            show("diff");
            clickRowOf(viewOf<DiffView>(*m_window, "diff")->changeList(), node);
        } else if (source == QLatin1String("memory map")) {
            show("memory");
            MemoryCanvas* const canvas = viewOf<MemoryView>(*m_window, "memory")->canvas();
            const int buffer = m_run->plan.bufferOfTensor.at(OutputRef{node, 0});
            QVERIFY(waitFor([&] { return canvas->rectOf(buffer).width() > 0; }, 5000));
            canvas->reveal(buffer);
            QTest::mouseClick(canvas, Qt::LeftButton, {},
                              canvas->rectOf(buffer).intersected(canvas->plotRect()).center().toPoint());
        } else if (source == QLatin1String("memory list")) {
            show("memory");
            auto* memory = viewOf<MemoryView>(*m_window, "memory");
            // The list holds what is alive at one place: where the node's tensor is.
            const int buffer = m_run->plan.bufferOfTensor.at(OutputRef{node, 0});
            MemoryCanvas* const canvas = memory->canvas();
            canvas->reveal(buffer);
            Q_EMIT canvas->positionClicked(
                static_cast<int>(m_run->plan.buffers[static_cast<std::size_t>(buffer)].lifetime.begin));
            clickRowOf(memory->aliveList(), node);
        } else if (source == QLatin1String("timeline")) {
            show("timeline");
            TimelineCanvas* const canvas = viewOf<TimelineView>(*m_window, "timeline")->canvas();
            QVERIFY(waitFor([&] { return canvas->index() != nullptr; }, 5000));
            const std::uint32_t item = canvas->index()->itemsOf(node).front();
            canvas->reveal(item);
            QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, canvas->rectOf(item).center().toPoint());
        } else if (source == QLatin1String("fusions")) {
            show("unfused");
            auto* unfused = viewOf<UnfusedView>(*m_window, "unfused");
            unfused->tabs()->setCurrentIndex(1);
            clickRowOf(unfused->fusionList(), node);
        } else if (source == QLatin1String("statistics")) {
            show("statistics");
            TablePanel* const list = viewOf<StatisticsView>(*m_window, "statistics")->fusions();
            clickRowOf(list, node);
            QTest::keyClick(list->view(), Qt::Key_Return);
            m_window->hub()->showStep(m_run->lastStep(), StepId{0});
        } else if (source == QLatin1String("textdiff")) {
            show("textdiff");
            auto* texts = viewOf<TextDiffView>(*m_window, "textdiff");
            QVERIFY(waitFor([&] { return texts->isReady() && texts->diff(); }));
            const QModelIndex row =
                findLine(*texts->panel()->view()->model(), QStringLiteral("+ %1  (").arg(nameOf(node)));
            QVERIFY(row.isValid());
            clickRow(texts->panel()->view(), row);
        } else if (source == QLatin1String("inspector")) {
            // A link to a neighbour and the one back.
            show("inspector");
            auto* inspector = viewOf<InspectorView>(*m_window, "inspector");
            const InputSlot* input = nullptr;
            for (const InputSlot& slot : m_graph->node(node).inputs)
                if (slot.source.isValid() && m_graph->node(slot.source.node).type != "Const") input = &slot;
            QVERIFY(input != nullptr);
            m_window->hub()->select(Selection::ofNode(input->source.node));
            QVERIFY(waitFor(
                [&] { return !inspector->isBusy() && inspector->heading().contains(nameOf(input->source.node)); },
                5000));
            const QModelIndex link = rowOf(inspector->panel(), node);
            QVERIFY(link.isValid());
            clickRow(inspector->panel()->view(), link.siblingAtColumn(1));
        }
    }

    QString nameOf(NodeId node) const { return words::text(m_graph->node(node).name); }

    /// Brings each view up in turn and says how it shows the node.
    std::vector<std::pair<QString, std::function<bool()>>> checks(NodeId node)
    {
        const auto up = [this](const char* view) {
            if (m_window->view(QLatin1String(view))->isVisible()) return;
            m_window->showView(QLatin1String(view));
            QTest::qWait(30);
        };
        const auto isCurrent = [node](TablePanel* list) {
            return list->currentIndex().data(NodeRole).toInt() == node.value;
        };
        return {
            {QStringLiteral("inspector"),
             [=, this] {
                 auto* view = viewOf<InspectorView>(*m_window, "inspector");
                 return view->heading().endsWith(nameOf(node)) || // or among the nodes that it came from
                        linesOf(*view->panel()->view()->model())
                            .contains(
                                QStringLiteral("%1 | %2").arg(words::text(m_graph->node(node).type), nameOf(node)));
             }},
            {QStringLiteral("graph"),
             [=, this] {
                 return m_window->graphView()->selection().node == node &&
                        !m_window->graphView()->nodeRectOnScreen(node).isNull();
             }},
            {QStringLiteral("diff"),
             [=, this] {
                 up("diff");
                 return isCurrent(viewOf<DiffView>(*m_window, "diff")->changeList());
             }},
            {QStringLiteral("textdiff"),
             [=, this] {
                 up("textdiff");
                 // The row of the node, or of one of its fields.
                 const QModelIndex row = viewOf<TextDiffView>(*m_window, "textdiff")->panel()->currentIndex();
                 return row.data().toString().contains(nameOf(node)) ||
                        row.parent().data().toString().contains(nameOf(node));
             }},
            {QStringLiteral("memory map"),
             [=, this] {
                 up("memory");
                 const auto& chosen = viewOf<MemoryView>(*m_window, "memory")->canvas()->selected();
                 return !chosen.empty() &&
                        m_run->plan.buffers[static_cast<std::size_t>(chosen.front())].tensor.node == node;
             }},
            {QStringLiteral("timeline"),
             [=, this] {
                 up("timeline");
                 const TimelineCanvas* canvas = viewOf<TimelineView>(*m_window, "timeline")->canvas();
                 return !canvas->selected().empty() && canvas->index()->item(canvas->selected().front()).node == node;
             }},
            {QStringLiteral("fusions"),
             [=, this] {
                 up("unfused");
                 return isCurrent(viewOf<UnfusedView>(*m_window, "unfused")->fusionList());
             }},
            {QStringLiteral("statistics, places"),
             [=, this] {
                 up("statistics");
                 return isCurrent(viewOf<StatisticsView>(*m_window, "statistics")->fusions());
             }},
            {QStringLiteral("statistics, types"),
             [=, this] {
                 up("statistics");
                 return viewOf<StatisticsView>(*m_window, "statistics")
                            ->histogram()
                            ->currentIndex()
                            .siblingAtColumn(HistogramModel::Type)
                            .data()
                            .toString() == words::text(m_graph->node(node).type);
             }},
            {QStringLiteral("accuracy"),
             [=, this] {
                 up("accuracy");
                 const auto labels = m_window->view(QStringLiteral("accuracy"))->findChildren<ElidedLabel*>();
                 return std::any_of(labels.begin(), labels.end(),
                                    [&](const ElidedLabel* label) { return label->fullText().contains(nameOf(node)); });
             }},
        };
    }

    WindowSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
    std::shared_ptr<const Run> m_run;
    std::shared_ptr<const Graph> m_graph;
    std::vector<NodeId> m_nodes;
};

QTEST_MAIN(TestOneSelection)
#include "tst_one_selection.moc"
