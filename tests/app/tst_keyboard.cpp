// The window without a mouse: from the welcome page to why a chain was not fused and what would help, by Tab, arrows and
// the letters of the menus; every panel takes the keys when it is called, and lets Tab go on.

#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/common/table_panel.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"
#include "viewers/timeline/timeline_canvas.h"
#include "viewers/timeline/timeline_view.h"
#include "viewers/unfused/explanation_card.h"
#include "viewers/unfused/unfused_view.h"
#include "viewers/whatif/whatif_view.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTabWidget>

using namespace gelens;
using namespace gelens::test;

class TestKeyboard : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        qputenv("GELENS_SAMPLES", GELENS_SAMPLES_DIR);
        m_window = freshWindow();
    }
    void cleanup()
    {
        m_window.reset();
        qunsetenv("GELENS_SAMPLES");
    }

    void fromTheSampleToTheReason()
    {
        // The sample's button on the welcome page.
        QVERIFY(
            tabTo([](const QWidget& widget) { return widget.objectName() == QLatin1String("open_unit-conflict"); }));
        press(Qt::Key_Space);
        QVERIFY(waitFor([&] { return m_window->hub()->run() && !m_window->isBusy(); }));

        // The panel of chains, from the menu; its list has the focus.
        choose({QStringLiteral("View"), QStringLiteral("Panels"), QStringLiteral("Unfused chains")});
        auto* unfused = viewOf<UnfusedView>(*m_window, "unfused");
        QTreeView* chains = unfused->chainList()->view();
        QVERIFY(waitFor([&] { return chains->hasFocus(); }, 5000));
        press(Qt::Key_Home);
        press(Qt::Key_Down); // from the reason to the first chain below it
        QVERIFY(chains->currentIndex().parent().isValid());
        QVERIFY(waitFor([&] { return unfused->card()->isAdviceReady() && unfused->card()->isPictureReady(); }, 10000));
        const QString text = unfused->card()->visibleText();
        for (const char* part : {"GroupedMatmulSwigluFusion", "cube", "Ascend910B1", "separate cores"})
            QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));

        // On to the card, and to a remedy of it.
        QVERIFY(tabTo([&](const QWidget& widget) {
            return qobject_cast<const QPushButton*>(&widget) != nullptr && unfused->card()->isAncestorOf(&widget);
        }));
        press(Qt::Key_Space);
        auto* whatIf = viewOf<WhatIfView>(*m_window, "whatif");
        QVERIFY(
            waitFor([&] { return !m_window->isBusy() && whatIf->runList()->view()->model()->rowCount() == 2; }, 30000));
    }

    void fromANodeToTheReason()
    {
        QVERIFY(openAndWait(*m_window, sample("unit-conflict")));
        choose({QStringLiteral("View"), QStringLiteral("Panels"), QStringLiteral("Graph")});
        GraphCanvas* canvas = m_window->graphView()->afterCanvas();
        QVERIFY(waitFor([&] { return canvas->hasFocus(); }, 5000));
        // Along the edges to a node of the chain.
        const auto run = m_window->hub()->run();
        const auto& nodes = run->chains.front().nodes;
        const auto isInChain = [&] {
            return !canvas->selectedNodes().empty() &&
                   std::find(nodes.begin(), nodes.end(), canvas->selectedNodes().front()) != nodes.end();
        };
        for (int i = 0; i < 30 && !isInChain(); ++i) {
            press(Qt::Key_Down);
            if (!canvas->selectedGroup().empty()) { // into a folded block
                press(Qt::Key_Return);
                QVERIFY(waitFor([&] { return m_window->graphView()->isLayoutReady(); }, 10000));
            }
        }
        QVERIFY(isInChain());
        choose({QStringLiteral("View"), QStringLiteral("Panels"), QStringLiteral("Memory")}); // something else in front
        choose({QStringLiteral("View"), QStringLiteral("Graph"), QStringLiteral("Why not fused with …")});
        auto* unfused = viewOf<UnfusedView>(*m_window, "unfused");
        QVERIFY(waitFor([&] { return unfused->chainList()->view()->hasFocus(); }, 5000));
        QCOMPARE(unfused->tabs()->currentIndex(), 0);
        QVERIFY(waitFor([&] { return unfused->card()->isAdviceReady(); }, 10000));
        QVERIFY2(unfused->card()->visibleText().contains(QStringLiteral("separate cores")),
                 qPrintable(unfused->card()->visibleText()));
    }

    /// What Ctrl and a second click do in the graph, and dragging in the timeline.
    void twoNodesAndASpanOfTime()
    {
        QVERIFY(openAndWait(*m_window, sample("unit-conflict")));
        choose({QStringLiteral("View"), QStringLiteral("Panels"), QStringLiteral("Graph")});
        GraphCanvas* canvas = m_window->graphView()->afterCanvas();
        QVERIFY(waitFor([&] { return canvas->hasFocus(); }, 5000));
        for (int i = 0; i < 10 && canvas->selectedNodes().empty(); ++i) press(Qt::Key_Down);
        QCOMPARE(canvas->selectedNodes().size(), std::size_t{1});
        const NodeId first = canvas->selectedNodes().front();
        choose({QStringLiteral("View"), QStringLiteral("Graph"), QStringLiteral("Select with the next")});
        press(Qt::Key_Down);
        press(Qt::Key_Down);
        QCOMPARE(canvas->selectedNodes().size(), std::size_t{2});
        QVERIFY(canvas->selectedNodes().front() != first);
        QCOMPARE(canvas->selectedNodes().back(), first);
        const std::vector<NodeId> both = canvas->selectedNodes();
        choose({QStringLiteral("View"), QStringLiteral("Graph"), QStringLiteral("Show only paths between the two")});
        QVERIFY(m_window->graphView()->filter().kind == GraphFilter::Kind::Path);
        QVERIFY(m_window->graphView()->filter().nodes == both);
        press(Qt::Key_Escape); // and nothing is kept any more
        press(Qt::Key_Down);
        QVERIFY(canvas->selectedNodes().size() < 2);

        choose({QStringLiteral("View"), QStringLiteral("Panels"), QStringLiteral("Timeline")});
        auto* timeline = viewOf<TimelineView>(*m_window, "timeline")->findChild<TimelineCanvas*>();
        QVERIFY(waitFor([&] { return timeline->hasFocus() && timeline->index() != nullptr; }, 5000));
        press(Qt::Key_Right);
        QVERIFY(waitFor([&] { return !timeline->selected().empty(); }, 5000));
        const std::uint32_t task = timeline->selected().front();
        press(Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(timeline->span().has_value());
        const TimelineItem& begin = m_window->hub()->run()->timeline.items[task];
        QCOMPARE(timeline->span()->from, begin.startUs);
        QVERIFY(timeline->span()->to > begin.startUs + begin.durationUs);
        const double end = timeline->span()->to;
        QVERIFY(waitFor([&] { return timeline->selected().front() != task; }, 5000));
        press(Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(timeline->span()->to >= end && timeline->span()->from == begin.startUs);
        press(Qt::Key_Escape);
        QVERIFY(!timeline->span().has_value());
    }

    void everyPanelTakesTheKeys_data()
    {
        QTest::addColumn<QString>("name");
        for (const QString& name : MainWindow::viewNames())
            if (name != QLatin1String("welcome")) QTest::newRow(qPrintable(name)) << name;
    }
    void everyPanelTakesTheKeys()
    {
        QFETCH(QString, name);
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        m_window->hub()->select(Selection::ofNode(m_window->hub()->run()->tasks.tasks[3].node));
        activate();
        m_window->action(QStringLiteral("panel_") + name)->trigger();
        const QWidget* view = m_window->view(name);
        QVERIFY(waitFor([&] { return !m_window->isBusy() && view->isVisible(); }));
        const auto isInside = [&] {
            const QWidget* focus = QApplication::focusWidget();
            return focus != nullptr && focus != view && view->isAncestorOf(focus);
        };
        QVERIFY2(waitFor(isInside, 3000), "the keys go nowhere");
        QVERIFY((QApplication::focusWidget()->focusPolicy() & Qt::TabFocus) != 0);
        // Tab leads on, past all that the panel has.
        QSet<const QWidget*> seen;
        for (int i = 0; i < 120 && isInside(); ++i) {
            seen += QApplication::focusWidget();
            press(Qt::Key_Tab);
        }
        QVERIFY2(!isInside(), qPrintable(QStringLiteral("Tab stays in %1 after %2 widgets")
                                             .arg(QLatin1String(QApplication::focusWidget()->metaObject()->className()))
                                             .arg(seen.size())));
    }

private:
    void activate()
    {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus == nullptr ? m_window.get() : focus, key, modifiers);
    }
    /// In a few steps: what is behind other panels is not on the way.
    bool tabTo(const std::function<bool(const QWidget&)>& isWanted)
    {
        for (int i = 0; i < 12; ++i) {
            const QWidget* focus = QApplication::focusWidget();
            if (focus != nullptr && isWanted(*focus)) return true;
            press(Qt::Key_Tab);
        }
        return false;
    }
    /// The menu by its letter, its entries by arrows.
    void choose(const QStringList& path)
    {
        activate();
        const QAction* top = nullptr;
        for (const QAction* each : m_window->menuBar()->actions())
            if (QString(each->text()).remove(QLatin1Char('&')) == path.front()) top = each;
        QVERIFY(top != nullptr);
        const QKeySequence letter = QKeySequence::mnemonic(top->text());
        QVERIFY(!letter.isEmpty());
        // Without a window manager the menu before may still be the active window for a moment.
        QVERIFY(waitFor(
            [&] {
                if (QApplication::activePopupWidget() != nullptr) return true;
                m_window->activateWindow();
                press(letter[0].key(), letter[0].keyboardModifiers());
                return false;
            },
            5000));
        for (int depth = 1; depth < path.size(); ++depth) {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            const int most = 2 * static_cast<int>(menu->actions().size());
            const auto isThere = [&] {
                return menu->activeAction() != nullptr && menu->activeAction()->text() == path[depth];
            };
            for (int i = 0; i < most && !isThere(); ++i) QTest::keyClick(menu, Qt::Key_Down);
            QVERIFY2(isThere(), qPrintable(path[depth]));
            const bool isLast = depth + 1 == path.size();
            QTest::keyClick(menu, isLast ? Qt::Key_Return : Qt::Key_Right);
            if (!isLast) QVERIFY(waitFor([&] { return QApplication::activePopupWidget() != menu; }, 2000));
        }
        QVERIFY(waitFor([&] { return QApplication::activePopupWidget() == nullptr; }, 2000));
        QTest::qWait(50);
        activate();
    }

    WindowSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestKeyboard)
#include "tst_keyboard.moc"
