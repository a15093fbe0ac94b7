// No handler of the window uses more than 50 ms of its thread's processor time while a large model is compiled, laid out,
// stepped through, and a small one is verified.

#include "app/gui/debug_tools.h"
#include "tests/app/watched_application.h"
#include "tests/app/window_fixture.h"
#include "viewers/graph/graph_view.h"

#include <QAction>

using namespace gelens;
using test::openAndWait;
using test::sample;
using test::verifyNoneIsLong;
using test::waitFor;
using test::watched;
using test::WatchedApplication;

class TestResponsiveness : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        m_settings = std::make_unique<test::WindowSettings>();
        m_window = test::makeWindow();
        // What is made once (fonts, styles) is no part of any work.
        QVERIFY(openAndWait(*m_window, sample("attention-fits")));
    }

    void compilingAndLayingOutALargeModel()
    {
        watched()->watch();
        m_window->openFile(sample("llama-7b"));
        QVERIFY(waitFor([&] {
            return m_window->hub()->run() && m_window->hub()->run()->modelName == "llama-7b" && !m_window->isBusy();
        }));
        verifyNoneIsLong();
    }

    void steppingThroughIt()
    {
        watched()->watch();
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::AltModifier);
        for (int i = 0; i < 12; ++i) {
            QTest::keyClick(m_window.get(), Qt::Key_F10, Qt::ControlModifier);
            QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        }
        verifyNoneIsLong();
    }

    void showingEveryPanelOfIt()
    {
        watched()->watch();
        for (const QString& name : MainWindow::viewNames()) {
            if (name == QStringLiteral("welcome")) continue;
            QVERIFY(m_window->showView(name));
            QTest::qWait(30);
            QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        }
        QTest::qWait(200);
        verifyNoneIsLong();
    }

    /// Held inside passes, edit by edit, with the graph of each halt drawn.
    void haltingInsideIt()
    {
        m_window->debugTools()->breakpoints()->setAll({{BreakpointKind::OpType, "RmsNorm", "hits <= 2", true}});
        watched()->watch();
        m_window->action(QStringLiteral("run_live"))->trigger();
        const auto isHalted = [&] { return m_window->hub()->current()->isHalted; };
        const auto isDrawn = [&] {
            return m_window->graphView()->isLayoutReady() && !m_window->graphView()->hasPendingChanges();
        };
        QVERIFY(waitFor([&] { return (isHalted() && isDrawn()) || !m_window->jobs()->isBusy(); }));
        QVERIFY(isHalted());
        for (int i = 0; i < 5; ++i) {
            const auto before = m_window->hub()->run();
            QTest::keyClick(m_window.get(), Qt::Key_F11);
            QVERIFY(waitFor([&] { return isHalted() && m_window->hub()->run() != before && isDrawn(); }));
        }
        m_window->debugTools()->breakpoints()->setAll({});
        m_window->action(QStringLiteral("resume"))->trigger();
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        QVERIFY(!m_window->hub()->run()->isUnderWay);
        verifyNoneIsLong();
    }

    void verifyingASmallModel()
    {
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        watched()->watch();
        QTest::keyClick(m_window.get(), Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(waitFor([&] { return m_window->jobs()->isBusy(); }, 5000));
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }, 300000));
        QVERIFY(m_window->hub()->run()->verification.ran);
        verifyNoneIsLong();
    }

    void cleanupTestCase() { m_window.reset(); }

private:
    std::unique_ptr<test::WindowSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

int main(int argc, char** argv)
{
    WatchedApplication app(argc, argv);
    QTEST_SET_MAIN_SOURCE_PATH
    TestResponsiveness test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_responsiveness.moc"
