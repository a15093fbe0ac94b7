// The accuracy panel in the window: from a selected node to its numbers, by menu, key and command; cancel and languages.

#include "app/gui/accuracy_tools.h"
#include "engine/npu/interpreter.h"
#include "tests/app/window_fixture.h"
#include "viewers/accuracy/accuracy_view.h"

#include <QAction>
#include <QDockWidget>
#include <QMenuBar>
#include <QPushButton>

using namespace gelens;
using namespace gelens::test;

class TestAccuracyPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbersOfTheSelectedNode()
    {
        const auto window = makeWindow();
        QAction* const compute = window->action(QStringLiteral("node_numbers"));
        QVERIFY(compute != nullptr && !compute->isEnabled());
        QVERIFY(openAndWait(*window, sample("small-resnet")));
        const auto run = window->hub()->run();
        const NodeId node = graphOutputs(*run->graphAt(run->lastStep())).front().node;
        window->hub()->showStep(run->lastStep(), StepId{0});
        window->hub()->select(Selection::ofNode(node));
        QVERIFY(compute->isEnabled());
        AccuracyView* const view = window->accuracyTools()->view();
        QVERIFY(!view->isVisible() || view->visibleRegion().isEmpty());
        QTest::keyClick(window.get(), Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(waitFor([&] { return view->isVisible() && !view->isBusy() && view->stateText().isEmpty(); }));
        QVERIFY2(view->notice().contains(QStringLiteral("Agrees with step 0")), qPrintable(view->notice()));
        // Another step: the numbers shown would not be its numbers.
        window->hub()->showStep(StepId{0});
        QVERIFY(waitFor([&] { return !view->stateText().isEmpty(); }));
    }

    void everyActionIsInTheMenusWithAToolTip()
    {
        const auto window = makeWindow();
        for (const char* const name : {"panel_accuracy", "node_numbers", "find_overflow"}) {
            QAction* const action = window->action(QLatin1String(name));
            QVERIFY2(action != nullptr, name);
            QVERIFY2(!action->text().isEmpty() && !action->toolTip().isEmpty() && !action->shortcut().isEmpty(), name);
            QVERIFY2(!action->associatedObjects().isEmpty(), name);
        }
        window->action(QStringLiteral("panel_accuracy"))->trigger();
        QVERIFY(waitFor([&] { return window->accuracyTools()->view()->isVisible(); }));
    }

    void overflowSearchFromTheMenu()
    {
        const auto window = makeWindow();
        QVERIFY(openAndWait(*window, sample("small-resnet")));
        AccuracyView* const view = window->accuracyTools()->view();
        window->action(QStringLiteral("find_overflow"))->trigger();
        QVERIFY(waitFor([&] {
            return view->isVisible() && !view->isBusy() && view->notice().contains(QStringLiteral("overflow"));
        }));
    }

    void speaksChinese()
    {
        const auto window = makeWindow();
        window->action(QStringLiteral("panel_accuracy"))->trigger();
        applyLanguage(QStringLiteral("zh_CN"));
        QVERIFY(waitFor(
            [&] { return window->accuracyTools()->view()->computeButton()->text() == QStringLiteral("计算"); }, 5000));
        QCOMPARE(window->findChild<QDockWidget*>(QStringLiteral("dock_accuracy"))->windowTitle(),
                 QStringLiteral("精度"));
        applyLanguage(QStringLiteral("en"));
        QVERIFY(waitFor(
            [&] { return window->accuracyTools()->view()->computeButton()->text() == QStringLiteral("Compute"); },
            5000));
    }

private:
    WindowSettings m_settings;
};

QTEST_MAIN(TestAccuracyPanel)
#include "tst_accuracy_panel.moc"
