// "Why was this chain not fused?" asked of the real window: by mouse from the open model to the numbers.

#include "tests/app/window_fixture.h"
#include "viewers/common/table_panel.h"
#include "viewers/graph/graph_view.h"
#include "viewers/unfused/chains_model.h"
#include "viewers/unfused/explanation_card.h"
#include "viewers/unfused/unfused_view.h"

#include <QComboBox>
#include <QDockWidget>
#include <QTabBar>
#include <QTreeView>

using namespace gelens;
using test::openAndWait;
using test::sample;
using test::waitFor;

namespace {

QModelIndex rowWithReason(const QAbstractItemModel& rows, const QString& why, const QModelIndex& parent = {})
{
    for (int row = 0; row < rows.rowCount(parent); ++row) {
        const QModelIndex index = rows.index(row, ChainsModel::Why, parent);
        if (index.data().toString() == why) return index;
        const QModelIndex below = rowWithReason(rows, why, rows.index(row, 0, parent));
        if (below.isValid()) return below;
    }
    return {};
}

/// The tab that brings a dock to the front.
QPoint tabOf(const QTabBar& bar, const QString& title)
{
    for (int tab = 0; tab < bar.count(); ++tab)
        if (bar.tabText(tab) == title) return bar.tabRect(tab).center();
    return {};
}

} // namespace

class TestExplanationStory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { m_settings = std::make_unique<test::WindowSettings>(); }
    void init() { m_window = test::freshWindow(); }
    void cleanup() { m_window.reset(); }

    void refusedChainIsExplainedWhereItIsClicked()
    {
        Settings().setSoc(QStringLiteral("Ascend310P3"));
        m_window = test::makeWindow();
        QVERIFY(openAndWait(*m_window, sample("attention-too-long")));
        auto* view = static_cast<UnfusedView*>(m_window->view(QStringLiteral("unfused")));

        // Another tab is in front first; the person clicks the one with the chains.
        QVERIFY(m_window->showView(QStringLiteral("statistics")));
        QVERIFY(waitFor([&] { return !view->isVisible() || view->visibleRegion().isEmpty(); }, 5000));
        auto* dock = m_window->findChild<QDockWidget*>(QStringLiteral("dock_unfused"));
        QTabBar* bar = nullptr;
        for (QTabBar* each : m_window->findChildren<QTabBar*>())
            if (!tabOf(*each, dock->windowTitle()).isNull()) bar = each;
        QVERIFY(bar != nullptr);
        QTest::mouseClick(bar, Qt::LeftButton, {}, tabOf(*bar, dock->windowTitle()));
        QVERIFY(waitFor([&] { return view->isVisible() && !view->visibleRegion().isEmpty(); }, 5000));

        QTreeView* list = view->chainList()->view();
        const QModelIndex row = rowWithReason(*list->model(), QStringLiteral("L1 limit"));
        QVERIFY(row.isValid());
        list->scrollTo(row);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(row).center());
        QVERIFY(waitFor([&] { return view->card()->isPictureReady(); }, 5000));
        for (const char* part : {"needs 1,081,344 B", "has 1,048,576 B", "keys ≤ 15,872"})
            QVERIFY2(view->card()->visibleText().contains(QString::fromUtf8(part)),
                     qPrintable(view->card()->visibleText()));

        // The chain is selected everywhere: its nodes are in the graph, on the screen.
        const Selection selection = m_window->hub()->selection();
        QVERIFY(selection.chain >= 0);
        const auto run = m_window->hub()->run();
        const Chain& chain = run->chains[static_cast<std::size_t>(selection.chain)];
        QCOMPARE(chain.reason, Reason::L1Capacity);
        QCOMPARE(selection.node, chain.nodes.front());
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        for (const NodeId node : chain.nodes) QVERIFY(!m_window->graphView()->nodeRectOnScreen(node).isNull());
    }

    void unitConflictNamesBothNodesAndUnits()
    {
        QVERIFY(openAndWait(*m_window, sample("unit-conflict"))); // on the default chip, whose cores are split
        auto* view = static_cast<UnfusedView*>(m_window->view(QStringLiteral("unfused")));
        const auto run = m_window->hub()->run();
        const auto conflict = std::find_if(run->chains.begin(), run->chains.end(),
                                           [](const Chain& chain) { return chain.reason == Reason::UnitConflict; });
        QVERIFY(conflict != run->chains.end());
        QTreeView* list = view->chainList()->view();
        const QModelIndex row = rowWithReason(*list->model(), QStringLiteral("execution unit conflict"));
        QVERIFY(row.isValid());
        list->scrollTo(row);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(row).center());
        QVERIFY(waitFor([&] { return view->card()->isPictureReady(); }, 5000));
        const QString card = view->card()->visibleText();
        QVERIFY2(card.contains(QStringLiteral("cube")) && card.contains(QStringLiteral("vector")), qPrintable(card));
        for (const ChainLink& link : conflict->links)
            if (link.reason == Reason::UnitConflict)
                QVERIFY2(card.contains(QString::fromStdString(link.fromName)) &&
                             card.contains(QString::fromStdString(link.toName)),
                         qPrintable(card));
    }

private:
    std::unique_ptr<test::WindowSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestExplanationStory)
#include "tst_explanation_story.moc"
