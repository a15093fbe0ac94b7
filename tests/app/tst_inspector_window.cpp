// The inspector in the real window, by mouse and keys: from an operator of the model to the kernel that it became, its task
// and its block of memory, and back; every edit of its history; what several nodes share.

#include "app/gui/graph_drawing.h"
#include "app/gui/session_keeper.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/common/elided_label.h"
#include "viewers/common/list_export.h"
#include "viewers/common/table_panel.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"
#include "viewers/inspector/inspector_view.h"
#include "viewers/memory/memory_canvas.h"
#include "viewers/memory/memory_view.h"
#include "viewers/models/explaining_chain.h"
#include "viewers/models/property_model.h"
#include "viewers/models/words.h"
#include "viewers/timeline/timeline_canvas.h"
#include "viewers/timeline/timeline_index.h"
#include "viewers/timeline/timeline_view.h"
#include "viewers/unfused/chains_model.h"
#include "viewers/unfused/unfused_view.h"

#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QHelpEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QToolTip>

using namespace gelens;
using namespace gelens::test;

class TestInspectorWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { m_window = freshWindow(); }
    void cleanup() { m_window.reset(); }

    void everyEditLeadsToItsStep_data() { samplesData(); }
    void everyEditLeadsToItsStep()
    {
        QFETCH(QString, model);
        open(model);
        select(m_kernel);
        const auto history = m_run->history(m_kernel);
        QVERIFY(!history.empty());
        std::vector<StepId> steps; // in which it was edited
        for (const HistoryEntry& edit : history)
            if (steps.empty() || steps.back() != edit.step) steps.push_back(edit.step);
        QCOMPARE(rows().rowCount(section("History")), static_cast<int>(steps.size()));
        for (int row = 0; row < static_cast<int>(steps.size()); ++row) {
            const StepId step = steps[static_cast<std::size_t>(row)];
            m_window->hub()->showStep(m_run->lastStep(), StepId{0});
            select(m_kernel);
            QModelIndex entry = rows().index(row, 0, section("History"));
            // The step, its pass, and what changed.
            QCOMPARE(entry.data().toString(),
                     QStringLiteral("%1 · %2").arg(step.value).arg(words::text(m_run->step(step).pass)));
            const int edits = static_cast<int>(std::count_if(
                history.begin(), history.end(), [&](const HistoryEntry& edit) { return edit.step == step; }));
            QCOMPARE(rows().rowCount(entry), edits == 1 ? 0 : edits);
            if (edits > 1) { // one of the edits of that step
                tree()->expand(entry);
                entry = rows().index(edits - 1, 0, entry);
            }
            const auto last = std::find_if(history.rbegin(), history.rend(),
                                           [&](const HistoryEntry& edit) { return edit.step == step; });
            QCOMPARE(entry.siblingAtColumn(1).data().toString(), QString::fromStdString(last->text));
            clickRow(tree(), entry.siblingAtColumn(1));
            QTRY_COMPARE(m_window->hub()->shownStep(), step);
        }
    }

    void fromAKernelToItsOriginalsAndBack_data() { samplesData(); }
    void fromAKernelToItsOriginalsAndBack()
    {
        QFETCH(QString, model);
        open(model);
        const std::vector<NodeId> origins = m_run->originsOf(m_kernel);
        QVERIFY(origins.size() > 1);
        for (int row = 0; row < static_cast<int>(origins.size()); ++row) {
            select(m_kernel);
            const QModelIndex link = rows().index(row, 1, section("Came from"));
            const NodeId origin = origins[static_cast<std::size_t>(row)];
            QCOMPARE(link.data().toString(), words::text(m_run->nameOf(origin)));
            clickRow(tree(), link);
            waitFor(origin);
            QVERIFY(!inspector()->notice().isEmpty()); // it is gone, and that is said
            // And back to what it became.
            const QModelIndex became = findNode(section("Became"), m_kernel);
            QVERIFY(became.isValid());
            clickRow(tree(), became.siblingAtColumn(1));
            waitFor(m_kernel);
        }
    }

    void fromAnOriginalToItsTaskAndItsMemory_data() { samplesData(); }
    void fromAnOriginalToItsTaskAndItsMemory()
    {
        QFETCH(QString, model);
        open(model);
        const NodeId origin = m_run->originsOf(m_kernel).front();
        QVERIFY(origin != m_kernel);

        select(origin);
        QModelIndex line = placeRow(PropertyModel::TaskRole);
        QVERIFY(line.isValid());
        const int task = line.data(PropertyModel::TaskRole).toInt();
        clickRow(tree(), line.siblingAtColumn(1));
        QTRY_COMPARE(m_window->hub()->selection().task, task);
        const NodeId kernel = m_run->tasks.tasks[static_cast<std::size_t>(task)].node;
        QCOMPARE(m_window->hub()->selection().node, kernel);
        QTRY_COMPARE(m_window->sessionKeeper()->frontView(), QStringLiteral("timeline"));
        const TimelineCanvas* timeline = viewOf<TimelineView>(*m_window, "timeline")->canvas();
        QTRY_VERIFY(!timeline->selected().empty());
        QCOMPARE(timeline->index()->item(timeline->selected().front()).node, kernel);

        select(origin);
        line = placeRow(PropertyModel::BufferRole);
        QVERIFY(line.isValid());
        const int buffer = line.data(PropertyModel::BufferRole).toInt();
        tree()->setCurrentIndex(line); // by the keys
        tree()->setFocus();
        QTest::keyClick(tree(), Qt::Key_Return);
        QTRY_COMPARE(m_window->hub()->selection().buffer, buffer);
        QTRY_COMPARE(m_window->sessionKeeper()->frontView(), QStringLiteral("memory"));
        const MemoryCanvas* memory = viewOf<MemoryView>(*m_window, "memory")->canvas();
        QTRY_VERIFY(!memory->selected().empty());
        QCOMPARE(memory->selected().front(), buffer);
        // The other way round: from the block to the node that made it, and to the operators of the model.
        const NodeId maker = m_window->hub()->selection().node;
        waitFor(maker);
        QCOMPARE(m_run->plan.buffers[static_cast<std::size_t>(buffer)].tensor.node, maker);
        QCOMPARE(rows().rowCount(section("Came from")), std::max(1, static_cast<int>(m_run->originsOf(maker).size())));
    }

    void aRefusalLeadsToTheChainThatExplainsIt()
    {
        QVERIFY(openAndWait(*m_window, sample("unit-conflict")));
        m_run = m_window->hub()->run();
        NodeId refused;
        int row = -1;
        for (const NodeId node : m_run->graphAt(m_run->lastStep())->allNodes()) {
            const auto verdicts = m_run->verdictsOf(node);
            for (std::size_t i = 0; i < verdicts.size() && row < 0; ++i)
                if (!verdicts[i]->fused && explainingChain(*m_run, *verdicts[i]) >= 0) {
                    refused = node;
                    row = static_cast<int>(i);
                }
        }
        QVERIFY(row >= 0);
        QVERIFY(m_window->showView(QStringLiteral("memory")));
        select(refused);
        const FusionVerdict verdict = *m_run->verdictsOf(refused)[static_cast<std::size_t>(row)];
        const QModelIndex line = rows().index(row, 1, section("Verdicts"));
        QCOMPARE(line.data().toString(), words::reason(verdict.reason));
        clickRow(tree(), line);
        QTRY_COMPARE(m_window->hub()->shownStep(), verdict.step);
        QCOMPARE(m_window->hub()->selection().node, refused);
        auto* unfused = viewOf<UnfusedView>(*m_window, "unfused");
        QTRY_COMPARE(m_window->sessionKeeper()->frontView(), QStringLiteral("unfused"));
        const auto* chains = static_cast<const ChainsModel*>(unfused->chainList()->currentIndex().model());
        QTRY_COMPARE(chains->item(unfused->chainList()->currentIndex()).chain, explainingChain(*m_run, verdict));
    }

    void severalNodesByCtrlClick()
    {
        open(QStringLiteral("tiny-llama"));
        applyDrawing(*m_window->graphView(), {{QStringLiteral("fold_blocks"), QStringLiteral("off")},
                                              {QStringLiteral("fold_scopes"), QStringLiteral("off")},
                                              {QStringLiteral("mode"), QStringLiteral("single")}});
        QVERIFY(test::waitFor([&] { return !m_window->isBusy(); }));
        const auto graph = m_run->graphAt(m_run->lastStep());
        std::vector<NodeId> chosen;
        graph->forEachNode(rootGraph, [&](const Node& node) {
            const bool isSame = chosen.empty() || node.type == graph->node(chosen.front()).type;
            if (chosen.size() < 3 && isSame && node.type.find("MatMul") != std::string::npos) chosen.push_back(node.id);
        });
        QCOMPARE(chosen.size(), std::size_t(3));
        for (const NodeId node : chosen) clickInGraph(node, node != chosen.front());
        QTRY_COMPARE(m_window->hub()->selection().more.size(), std::size_t(2));
        QTRY_VERIFY(!inspector()->isBusy() && inspector()->heading().startsWith(QLatin1Char('3')));
        for (const NodeId node : chosen) QVERIFY(findNode(section("Selected nodes"), node).isValid());
        std::vector<NodeId> listed{m_window->hub()->selection().node}; // the one that was chosen last comes first
        for (const NodeId node : m_window->hub()->selection().more) listed.push_back(node);
        QVERIFY(std::is_permutation(listed.begin(), listed.end(), chosen.begin(), chosen.end()));
        compareWithGraph(*graph, listed);
        // A name leads to the node alone.
        clickRow(tree(), findNode(section("Selected nodes"), chosen[1]).siblingAtColumn(1));
        waitFor(chosen[1]);
        QVERIFY(m_window->hub()->selection().more.empty());
    }

    void itsTextIsCopiedAndExported()
    {
        open(QStringLiteral("tiny-llama"));
        select(m_kernel);
        const QString name = words::text(m_run->nameOf(m_kernel));
        tree()->setFocus();
        QTest::keyClick(tree(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(tree(), Qt::Key_C, Qt::ControlModifier);
        const QStringList copied = QApplication::clipboard()->text().split(QLatin1Char('\n'));
        QVERIFY(copied.contains(QStringLiteral("  name\t%1").arg(name))); // indented below its section
        QVERIFY(copied.contains(QStringLiteral("General")));
        QVERIFY(copied.filter(QStringLiteral("History (")).size() == 1);

        QTemporaryDir folder;
        const QString csv = folder.filePath(QStringLiteral("node.csv")),
                      json = folder.filePath(QStringLiteral("node.json"));
        for (const QString& path : {csv, json}) {
            QVERIFY(inspector()->panel()->exportTo(path));
            QTRY_VERIFY(!inspector()->panel()->exporting()->isRunning());
        }
        QFile table(csv), list(json);
        QVERIFY(table.open(QIODevice::ReadOnly) && list.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(table.readAll());
        QVERIFY(text.startsWith(QStringLiteral("level,Name,Value\r\n")));
        QVERIFY(text.contains(QStringLiteral("\r\n1,name,%1\r\n").arg(name)));
        const QJsonArray sections = QJsonDocument::fromJson(list.readAll()).array();
        QCOMPARE(sections.size(), rows().rowCount());
    }

    void labelsAreWhole_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<bool>("ofNode");
        for (const char* language : {"en", "zh_CN"})
            for (const bool ofNode : {false, true})
                QTest::addRow("%s, %s", language, ofNode ? "a node" : "the model")
                    << QString::fromLatin1(language) << ofNode;
    }
    void labelsAreWhole()
    {
        QFETCH(QString, language);
        QFETCH(bool, ofNode);
        applyLanguage(language);
        m_window = std::make_unique<MainWindow>(); // of that size from the start
        m_window->resize(1280, 800);
        m_window->show();
        open(QStringLiteral("tiny-llama"));
        if (ofNode)
            select(m_kernel);
        else
            m_window->hub()->select({});
        QTRY_VERIFY(!inspector()->isBusy() && !inspector()->hasPendingChanges());
        QTest::qWait(50);
        const QFontMetrics metrics(tree()->font());
        const int column = tree()->header()->sectionSize(PropertyModel::Name),
                  most = tree()->viewport()->width() * 55 / 100;
        int labels = 0;
        for (QModelIndex at = rows().index(0, 0); at.isValid(); at = tree()->indexBelow(at)) {
            if (tree()->isFirstColumnSpanned(at.row(), at.parent())) continue;
            int depth = 1;
            for (QModelIndex above = at.parent(); above.isValid(); above = above.parent()) ++depth;
            const QString text = at.data().toString();
            const int needed = metrics.horizontalAdvance(text) + depth * tree()->indentation() + 8;
            if (needed > most - 4) continue; // a name: it wraps
            QVERIFY2(needed <= column, qPrintable(text));
            ++labels;
        }
        QVERIFY(labels > 5);
        if (!ofNode) {
            const QModelIndex latency =
                findLine(rows(), QCoreApplication::translate("gelens::Inspector", "latency, estimated"));
            QVERIFY(latency.isValid());
            tree()->scrollTo(latency);
            QVERIFY(tree()->visualRect(latency).height() < 2 * metrics.height()); // in one line
        }
        picture(*m_window, qPrintable(QStringLiteral("inspector_%1_%2").arg(language).arg(ofNode)));
    }

    /// A value that takes more lines than it may is whole in its tool tip.
    void whatIsCutHasAToolTip()
    {
        // Too long for any number of lines, and without a place where it could be broken.
        QTemporaryDir folder;
        const QString path = folder.filePath(QString(150, QLatin1Char('x')) + QStringLiteral(".onnx"));
        QVERIFY(QFile::copy(sample("attention-fits"), path));
        QVERIFY(openAndWait(*m_window, path));
        QTRY_VERIFY(findLine(rows(), QStringLiteral("file")).isValid() && !inspector()->isBusy());
        const QModelIndex value = findLine(rows(), QStringLiteral("file")).siblingAtColumn(PropertyModel::Value);
        QCOMPARE(value.data().toString(), path);
        tree()->scrollTo(value);
        const QPoint at = tree()->visualRect(value).center();
        QHelpEvent help(QEvent::ToolTip, at, tree()->viewport()->mapToGlobal(at));
        QApplication::sendEvent(tree()->viewport(), &help);
        QVERIFY2(QToolTip::text().contains(value.data().toString().toHtmlEscaped()), qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }

    void aWideWindowGivesItRoom()
    {
        const auto openAt = [this](int window) {
            QSettings().clear();
            m_window = std::make_unique<MainWindow>();
            m_window->resize(window, 1300);
            m_window->show();
            return QTest::qWaitForWindowExposed(m_window.get());
        };
        const auto settlesAt = [this](int least, int most) { // docks share out the width some events later
            return QTest::qWaitFor([&] { return inspector()->width() >= least && inspector()->width() <= most; }, 2000);
        };
        QVERIFY(openAt(1280));
        QVERIFY2(settlesAt(1, 300), qPrintable(QString::number(inspector()->width())));
        QVERIFY(openAt(2560));
        QVERIFY2(settlesAt(500, 2560), qPrintable(QString::number(inspector()->width())));
    }

private:
    static void samplesData()
    {
        QTest::addColumn<QString>("model");
        for (const char* model : {"tiny-llama", "llama-7b", "attention-fits"})
            QTest::newRow(model) << QString::fromLatin1(model);
    }

    InspectorView* inspector() const { return viewOf<InspectorView>(*m_window, "inspector"); }
    QTreeView* tree() const { return inspector()->panel()->view(); }
    const QAbstractItemModel& rows() const { return *tree()->model(); }

    /// A kernel that a fusion made of several operators, with memory and a task of its own.
    void open(const QString& model)
    {
        QVERIFY(openAndWait(*m_window, sample(qPrintable(model))));
        m_run = m_window->hub()->run();
        m_kernel = {};
        const auto last = m_run->graphAt(m_run->lastStep());
        for (const Step& step : m_run->steps)
            for (const FusionVerdict& verdict : step.verdicts) {
                const NodeId into = verdict.into;
                if (m_kernel.isValid() || !verdict.fused || !into.isValid() || !last->contains(into)) continue;
                const auto& tasks = m_run->tasks.tasks;
                const bool hasTask =
                    std::any_of(tasks.begin(), tasks.end(), [&](const Task& task) { return task.node == into; });
                const MemoryBuffer* buffer = m_run->plan.bufferOf({into, 0});
                const auto origins = m_run->originsOf(into);
                if (hasTask && buffer != nullptr && buffer->tensor.node == into && origins.size() > 1 &&
                    std::find(origins.begin(), origins.end(), into) == origins.end())
                    m_kernel = into;
            }
        QVERIFY(m_kernel.isValid());
        m_window->hub()->showStep(m_run->lastStep(), StepId{0});
    }
    void select(NodeId node)
    {
        m_window->hub()->select(Selection::ofNode(node));
        waitFor(node);
    }
    void waitFor(NodeId node)
    {
        const QString name = words::text(m_run->nameOf(node));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->hub()->selection().node == node && !inspector()->hasPendingChanges() &&
                                     !inspector()->isBusy() &&
                                     inspector()->heading().endsWith(QLatin1Char('\n') + name),
                                 10000);
    }
    QModelIndex section(const char* title) const { return findLine(rows(), QLatin1String(title)); }
    QModelIndex findNode(const QModelIndex& parent, NodeId node) const
    {
        for (int row = 0; row < rows().rowCount(parent); ++row)
            if (const QModelIndex index = rows().index(row, 0, parent); index.data(NodeRole) == QVariant(node.value))
                return index;
        return {};
    }
    /// The first task or block below "Memory and task".
    QModelIndex placeRow(int role) const
    {
        const QModelIndex parent = section("Memory and task");
        for (int row = 0; row < rows().rowCount(parent); ++row)
            if (const QModelIndex index = rows().index(row, 0, parent); index.data(role).isValid()) return index;
        return {};
    }

    void clickInGraph(NodeId node, bool isMore)
    {
        GraphView* graph = m_window->graphView();
        graph->reveal(node);
        QRectF place;
        QVERIFY(test::waitFor(
            [&] {
                place = graph->nodeRectOnScreen(node);
                return graph->isLayoutReady() && !place.isNull() && graph->rect().contains(place.center().toPoint());
            },
            20000));
        QTest::qWait(600); // the view glides there
        place = graph->nodeRectOnScreen(node);
        GraphCanvas* const canvas = graph->afterCanvas();
        QTest::mouseClick(canvas, Qt::LeftButton, isMore ? Qt::ControlModifier : Qt::NoModifier,
                          canvas->mapFrom(graph, place.center().toPoint()));
    }
    /// Each attribute and each tensor stands where it belongs, with the values that the nodes have.
    void compareWithGraph(const Graph& graph, const std::vector<NodeId>& nodes)
    {
        const QModelIndex same = section("The same in all"), different = section("Different");
        QVERIFY(same.isValid() && different.isValid());
        QCOMPARE(findLine(rows(), QStringLiteral("type"), same).siblingAtColumn(1).data().toString(),
                 words::text(graph.node(nodes.front()).type));
        std::map<QString, QStringList> fields;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Node& node = graph.node(nodes[i]);
            const auto set = [&](const QString& field, const QString& value) {
                QStringList& values = fields[field];
                while (values.size() < static_cast<qsizetype>(i)) values += QStringLiteral("has none");
                values += value;
            };
            for (const auto& [name, value] : node.attrs) set(words::text(name), words::text(value.text()));
            for (std::size_t k = 0; k < node.inputs.size(); ++k)
                set(QStringLiteral("in %1").arg(k),
                    node.inputs[k].source.isValid() ? textOf(node.inputs[k].desc) : QStringLiteral("not connected"));
            for (std::size_t k = 0; k < node.outputs.size(); ++k)
                set(QStringLiteral("out %1").arg(k), textOf(node.outputs[k].desc));
        }
        int shared = 0, other = 0;
        for (auto& [name, values] : fields) {
            while (values.size() < static_cast<qsizetype>(nodes.size())) values += QStringLiteral("has none");
            const bool isShared = values.count(values.first()) == values.size();
            const QModelIndexList found = rows().match(rows().index(0, 0, isShared ? same : different), Qt::DisplayRole,
                                                       name, 1, Qt::MatchExactly);
            QVERIFY2(found.size() == 1, qPrintable(name));
            ++(isShared ? shared : other);
            if (isShared) {
                QCOMPARE(found.first().siblingAtColumn(1).data().toString(), values.first());
                continue;
            }
            for (int i = 0; i < values.size(); ++i)
                QCOMPARE(rows().index(i, 1, found.first()).data().toString(), values[i]);
        }
        QVERIFY(shared > 0 && other > 0);
    }
    static QString textOf(const TensorDesc& desc)
    {
        return QStringLiteral("%1 %2 %3")
            .arg(words::text(dataTypeShortName(desc.dtype)), words::text(desc.shape.text()),
                 words::text(desc.format.text()));
    }

    WindowSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
    std::shared_ptr<const Run> m_run;
    NodeId m_kernel;
};

QTEST_MAIN(TestInspectorWindow)
#include "tst_inspector_window.moc"
