// Unfused chains as a person reads them: the list, the card, and what is selected with it.

#include "tests/viewers/graph_models.h"
#include "tests/viewers/sample_runs.h"
#include "viewers/common/table_panel.h"
#include "viewers/models/roles.h"
#include "viewers/unfused/chains_model.h"
#include "viewers/unfused/explanation_card.h"
#include "viewers/unfused/pattern_picture.h"
#include "viewers/unfused/unfused_view.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QTimer>
#include <QTreeView>

using namespace gelens;
using namespace gelens::testing;

namespace {

struct Shown {
    UnfusedView view;
    explicit Shown(std::shared_ptr<const Run> run)
    {
        view.resize(1400, 420);
        view.show();
        view.setRun(std::move(run));
        QTest::qWait(1);
        wait();
    }
    void wait()
    {
        QTest::qWait(1);
        QTRY_VERIFY(view.card()->isPictureReady());
    }
    QString card() const { return view.card()->visibleText(); }
    const QAbstractItemModel* rows() const { return view.chainList()->view()->model(); }
    void click(const QModelIndex& index)
    {
        QTreeView* list = view.chainList()->view();
        list->scrollTo(index);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(index).center());
        wait();
    }
};

/// In the menu that a right click on the header opens.
void toggleColumn(TablePanel* list, int column)
{
    QTimer::singleShot(0, list, [list, column] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        const QString title = list->view()->model()->headerData(column, Qt::Horizontal).toString();
        for (QAction* entry : menu->actions())
            if (entry->text() == title) entry->trigger();
        menu->close();
    });
    Q_EMIT list->view()->header()->customContextMenuRequested({});
}

/// A run with one chain whose nearest rule stopped at its third node.
std::shared_ptr<const Run> nearMiss()
{
    auto run = makeRun(1);
    const auto graph = run->graphAt(StepId{0});
    const auto nodeOf = [&](const char* name) { return graph->findNode(name); };
    const NodeId scores = nodeOf("/model/layers.0/scores"), masked = nodeOf("/model/layers.0/masked"),
                 softmax = nodeOf("/model/layers.0/softmax");
    FusionVerdict verdict;
    verdict.rule = "ThreeInARow";
    verdict.gePass = "ThreePass";
    verdict.reason = Reason::NoRule;
    verdict.nodes = {scores, masked};
    verdict.nodeNames = {graph->node(scores).name, graph->node(masked).name};
    verdict.nodeTypes = {graph->node(scores).type, graph->node(masked).type};
    verdict.patternNodes = {"product", "bias"};
    verdict.firstMismatch = "activation";
    verdict.mismatchNode = softmax;
    verdict.step = StepId{0};
    verdict.checks.push_back({Reason::NoRule, false, "activation must be Relu", {}, {}, "", "", 'A', {softmax}});
    Chain chain;
    chain.nodes = {masked, softmax};
    chain.nodeNames = {graph->node(masked).name, graph->node(softmax).name};
    chain.nodeTypes = {graph->node(masked).type, graph->node(softmax).type};
    chain.reason = Reason::NoRule;
    chain.links.push_back({masked,
                           softmax,
                           chain.nodeNames[0],
                           chain.nodeNames[1],
                           chain.nodeTypes[0],
                           chain.nodeTypes[1],
                           Reason::NoRule,
                           "stopped",
                           "write it so",
                           {verdict}});
    run->chains.push_back(chain);
    return run;
}

} // namespace

class UnfusedViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useEnglish(); }

    void statesSayWhatToDo()
    {
        UnfusedView view;
        view.show();
        QTest::qWait(10);
        QVERIFY(view.stateText().contains(QStringLiteral("Ctrl+O")));
        view.setEmptyState(EmptyState::Loading);
        QTest::qWait(10);
        QVERIFY(view.stateText().contains(QStringLiteral("compiled")));
        view.setRun(std::make_shared<Run>());
        QTest::qWait(10);
        QVERIFY(view.stateText().contains(QStringLiteral("No fusion rule")));
    }

    void tooLongAttentionIsExplainedInNumbers()
    {
        const auto run = sampleRun("attention-too-long", "Ascend310P3");
        QVERIFY(run);
        Shown s(run);
        // Nothing has to be clicked: the first chain is explained at once.
        const QString card = s.card();
        for (const char* part : {"L1 limit", "needs 1,081,344 B", "has 1,048,576 B", "keys ≤ 15,872", "now 16,384",
                                 "What to do", "softmax: SoftmaxV2 '/attention/Softmax' on vector", "✗ U13", "✓ C01"})
            QVERIFY2(card.contains(QString::fromUtf8(part)), part);
        const QModelIndex row = findRow(*s.rows(), ChainsModel::Why, QStringLiteral("L1 limit"));
        QVERIFY(row.isValid());
        QCOMPARE(row.siblingAtColumn(ChainsModel::Needs).data().toString(), QStringLiteral("1,081,344 B"));
        QCOMPARE(row.siblingAtColumn(ChainsModel::Has).data().toString(), QStringLiteral("1,048,576 B"));
        QVERIFY(row.siblingAtColumn(ChainsModel::FitsWhen).data().toString().contains(QStringLiteral("keys ≤ 15,872")));
        QVERIFY(row.parent().data().toString().contains(QStringLiteral("Capacity")));
    }

    /// Columns come and go with what the run has to say in them, until a person decides.
    void aPersonsColumnsStayWithEveryRun()
    {
        const auto run = sampleRun("attention-too-long", "Ascend310P3");
        Shown s(run);
        const QTreeView* list = s.view.chainList()->view();
        const auto isHidden = [list](int column) { return list->isColumnHidden(column); };
        const auto runAgain = [&] {
            s.view.setRun(nullptr);
            QTest::qWait(1);
            s.view.setRun(run);
            s.wait();
        };
        QVERIFY(!isHidden(ChainsModel::Needs) && !isHidden(ChainsModel::Has));
        toggleColumn(s.view.chainList(), ChainsModel::Needs);
        QVERIFY(isHidden(ChainsModel::Needs));
        runAgain();
        QVERIFY(isHidden(ChainsModel::Needs) && !isHidden(ChainsModel::Has));
        s.view.setRun(std::make_shared<Run>()); // misses no number
        QTest::qWait(1);
        QVERIFY(isHidden(ChainsModel::Has));
        toggleColumn(s.view.chainList(), ChainsModel::Has);
        s.view.setRun(nearMiss());
        s.wait();
        QVERIFY(!isHidden(ChainsModel::Has));
        QVERIFY(isHidden(ChainsModel::Needs) && isHidden(ChainsModel::FitsWhen));
    }

    void everyRuleThatWasTriedCanBeRead()
    {
        const auto run = sampleRun("attention-too-long", "Ascend310P3");
        Shown s(run);
        QComboBox* rules = s.view.card()->rules();
        QVERIFY(rules->isVisible());
        QVERIFY(rules->count() >= 2);
        rules->setFocus();
        QTest::keyClick(rules, Qt::Key_Down);
        s.wait();
        QVERIFY(s.card().contains(QStringLiteral("FlashAttentionOnlineFusion")));
        QVERIFY(s.card().contains(QStringLiteral("not on this chip")));
    }

    void patternRunsWithTheData()
    {
        Shown s(sampleRun("attention-too-long", "Ascend310P3"));
        const auto& pairs = s.view.card()->picture()->pairs();
        const auto columnOf = [&](const char* name) {
            for (std::size_t i = 0; i < pairs.size(); ++i)
                if (pairs[i].patternName == QLatin1String(name)) return static_cast<int>(i);
            return -1;
        };
        QVERIFY(columnOf("scores") >= 0);
        QVERIFY(columnOf("scores") < columnOf("masked"));
        QVERIFY(columnOf("masked") < columnOf("softmax"));
        QVERIFY(columnOf("softmax") < columnOf("context"));
        // A click on a real node selects it.
        QSignalSpy chosen(&s.view, &View::selectionRequested);
        PatternPicture* picture = s.view.card()->picture();
        QTest::mouseClick(picture, Qt::LeftButton, {}, picture->realRect(columnOf("scores")).center().toPoint());
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(qvariant_cast<Selection>(chosen.first().first()).node,
                 pairs[static_cast<std::size_t>(columnOf("scores"))].node);
    }

    void unitConflictNamesBothNodesAndUnits()
    {
        const auto run = sampleRun("unit-conflict");
        QVERIFY(run);
        Shown s(run);
        const QString card = s.card();
        QVERIFY(card.contains(QStringLiteral("execution unit conflict")));
        QVERIFY(!run->chains.empty() && !run->chains.front().links.empty());
        const ChainLink& link = run->chains.front().links.front();
        for (const std::string& name : {link.fromName, link.toName})
            QVERIFY(card.contains(QString::fromStdString(name)));
        QVERIFY(card.contains(QStringLiteral("on cube")));
        QVERIFY(card.contains(QStringLiteral("on vector")));
    }

    void firstMismatchIsMarked()
    {
        Shown s(nearMiss());
        const auto& pairs = s.view.card()->picture()->pairs();
        QCOMPARE(pairs.size(), std::size_t(3));
        QVERIFY(pairs.back().isMismatch);
        QVERIFY(s.card().contains(QStringLiteral("✗ first mismatch: activation: SoftmaxV2 '/model/layers.0/softmax'")));
    }

    void aRowSelectsItsNodes()
    {
        const auto run = sampleRun("llama-7b");
        QVERIFY(run);
        Shown s(run);
        QAbstractItemModelTester tester(s.view.chainList()->view()->model());
        QSignalSpy chosen(&s.view, &View::selectionRequested);
        QString previous = s.card();
        const QModelIndex heading = s.rows()->index(s.rows()->rowCount() - 1, 0);
        const QModelIndex row = s.rows()->index(0, 0, heading);
        s.click(row);
        QCOMPARE(chosen.count(), 1);
        const auto selection = qvariant_cast<Selection>(chosen.first().first());
        QVERIFY(selection.chain >= 0);
        const Chain& chain = run->chains[static_cast<std::size_t>(selection.chain)];
        QCOMPARE(selection.node, chain.nodes.front());
        QCOMPARE(selection.more.size(), chain.nodes.size() - 1);
        QVERIFY(s.card() != previous);
        // With the keyboard as well.
        previous = s.card();
        QTest::keyClick(s.view.chainList()->view(), Qt::Key_Up);
        s.wait();
        QVERIFY(s.card() != previous);
    }

    void countsAddUpByClass()
    {
        const auto run = sampleRun("llama-7b");
        Shown s(run);
        int chains = 0;
        for (int row = 0; row < s.rows()->rowCount(); ++row) {
            const QModelIndex heading = s.rows()->index(row, 0);
            const int below = s.rows()->rowCount(heading);
            QVERIFY(heading.data().toString().endsWith(QStringLiteral("(%1)").arg(below)));
            chains += below;
        }
        QCOMPARE(chains, static_cast<int>(run->chains.size()));
    }

    void aNodeSelectedElsewhereMarksItsRows()
    {
        const auto run = sampleRun("llama-7b");
        Shown s(run);
        const Chain& last = run->chains.back();
        s.view.setSelection(Selection::ofNode(last.nodes.back()));
        s.wait();
        int marked = 0;
        for (int row = 0; row < s.rows()->rowCount(); ++row) {
            const QModelIndex heading = s.rows()->index(row, 0);
            for (int below = 0; below < s.rows()->rowCount(heading); ++below)
                marked += s.rows()->index(below, 0, heading).data(CurrentRole).toBool();
        }
        QVERIFY(marked >= 1);
        QVERIFY(marked < static_cast<int>(run->chains.size()));
        s.view.setSelection({});
        s.wait();
        QVERIFY(!s.rows()->index(0, 0, s.rows()->index(0, 0)).data(CurrentRole).toBool());
    }

    void fusedPlacesHaveTheSameCard()
    {
        const auto run = sampleRun("attention-fits");
        QVERIFY(run);
        Shown s(run);
        s.view.tabs()->setCurrentIndex(1);
        s.wait();
        const QString card = s.card();
        QVERIFY2(card.contains(QStringLiteral("Fused by")), qPrintable(card));
        QVERIFY(!card.contains(QStringLiteral("✗")));
        QVERIFY(card.contains(QStringLiteral("✓ C01")));
        QVERIFY(!s.view.card()->picture()->pairs().empty());
    }

    void filterAndCsv()
    {
        const auto run = sampleRun("llama-7b");
        Shown s(run);
        QTest::keyClicks(s.view.chainList()->filterLine(), QStringLiteral("conflict"));
        for (int row = 0; row < s.rows()->rowCount(); ++row)
            QVERIFY(s.rows()->index(row, 0).data().toString().contains(QStringLiteral("Execution unit")));
        const QString csv = s.view.chainList()->csv();
        QVERIFY(csv.startsWith(QStringLiteral("level,Reason,Chain,Times")));
        QVERIFY(csv.contains(QStringLiteral("execution unit conflict")));
        QVERIFY(!csv.contains(QStringLiteral("several readers\"")));
    }

    void longChainsAreShortened()
    {
        QCOMPARE(chainText({"A", "B", "B", "B", "C", "C"}), QStringLiteral("A → B × 3 → C → C"));
        QCOMPARE(quantityText(0.125, ""), QStringLiteral("0.125"));
        QCOMPARE(quantityText(15872, "keys"), QStringLiteral("15,872 keys"));
    }
};

QTEST_MAIN(UnfusedViewTest)
#include "tst_unfused_view.moc"
