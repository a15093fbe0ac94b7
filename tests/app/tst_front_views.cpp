// A panel behind another tab, closed or in a minimised window works for nothing; when it comes to the front it shows what is
// current, worked out once.

#include "app/gui/session_keeper.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/common/table_panel.h"
#include "viewers/diff/diff_content.h"
#include "viewers/diff/diff_view.h"
#include "viewers/graph/graph_view.h"
#include "viewers/memory/memory_view.h"
#include "viewers/problems/problems_view.h"
#include "viewers/textdiff/text_diff_view.h"
#include "viewers/timeline/timeline_view.h"
#include "viewers/unfused/unfused_view.h"

#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QTabBar>
#include <QTabWidget>

using namespace gelens;
using namespace gelens::test;

namespace {

QDockWidget* dockOf(const MainWindow& window, const QString& name)
{
    return window.findChild<QDockWidget*>(QStringLiteral("dock_") + name);
}

/// As a person brings a panel to the front.
bool clickTab(const MainWindow& window, const QString& name)
{
    const QString title = dockOf(window, name)->windowTitle();
    for (QTabBar* bar : window.findChildren<QTabBar*>())
        for (int tab = 0; bar->isVisible() && tab < bar->count(); ++tab)
            if (bar->tabText(tab) == title) {
                QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(tab).center());
                return true;
            }
    return false;
}

QStringList panels()
{
    QStringList names = MainWindow::viewNames();
    for (const char* other : {"graph", "welcome"}) names.removeAll(QLatin1String(other));
    return names;
}

/// Where Qt puts panels that are behind others.
bool standsInTheWindow(const QDockWidget& dock)
{
    return dock.isVisible() && (dock.isFloating() || dock.window()->rect().intersects(dock.geometry()));
}

/// Panels whose view has it wrong.
QString wronglyTold(const MainWindow& window)
{
    QStringList wrong;
    for (const QString& name : panels())
        if (window.view(name)->isInFront() != standsInTheWindow(*dockOf(window, name))) wrong += name;
    return wrong.join(QLatin1Char(' '));
}

/// What a view does with its lists: rows made, marked or measured.
class Work : public QObject {
public:
    explicit Work(View* view) : m_view(view)
    {
        const auto count = [this] { ++m_count; };
        for (QAbstractItemModel* model : view->findChildren<QAbstractItemModel*>()) {
            connect(model, &QAbstractItemModel::modelReset, this, count);
            connect(model, &QAbstractItemModel::rowsInserted, this, count);
            connect(model, &QAbstractItemModel::rowsRemoved, this, count);
            connect(model, &QAbstractItemModel::dataChanged, this, count);
            connect(model, &QAbstractItemModel::layoutChanged, this, count);
        }
        for (const QItemSelectionModel* chosen : view->findChildren<QItemSelectionModel*>())
            connect(chosen, &QItemSelectionModel::currentChanged, this, count);
        for (const QHeaderView* header : view->findChildren<QHeaderView*>())
            connect(header, &QHeaderView::sectionResized, this, count);
    }
    int count() const { return m_count; }
    const View* view() const { return m_view; }
    void look() { m_wasBusy = m_wasBusy || m_view->isBusy(); }
    bool wasBusy() const { return m_wasBusy; }

private:
    View* m_view;
    int m_count = 0;
    bool m_wasBusy = false;
};

} // namespace

class TestFrontViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_window = freshWindow();
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
    }
    void cleanup() { m_window.reset(); }

    void steppingWorksForNoPanelBehind()
    {
        for (const QString& name : panels()) { // each has something to lose
            QVERIFY(m_window->showView(name));
            QTRY_VERIFY(!m_window->view(name)->isBusy() && !m_window->view(name)->hasPendingChanges());
        }
        QVERIFY(clickTab(*m_window, QStringLiteral("unfused")));
        QTest::qWait(50);
        std::vector<std::unique_ptr<Work>> behind;
        for (const QString& name : panels())
            if (!m_window->view(name)->isInFront()) behind.push_back(std::make_unique<Work>(m_window->view(name)));
        QVERIFY(behind.size() >= 11);
        Work pipeline(m_window->view(QStringLiteral("pipeline")));

        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::AltModifier);
        for (int i = 0; i < 5; ++i) {
            QTest::keyClick(m_window.get(), Qt::Key_F10, Qt::ControlModifier);
            QVERIFY(waitFor([&] {
                for (const auto& work : behind) work->look();
                return !m_window->isBusy();
            }));
        }
        m_window->hub()->select(Selection::ofNode(m_window->hub()->run()->graphAt(StepId{0})->allNodes().front()));
        QTest::qWait(50);
        QVERIFY(pipeline.count() > 0);
        for (const auto& work : behind) {
            const QString name = work->view()->accessibleName();
            QVERIFY2(work->count() == 0, qPrintable(name));
            QVERIFY2(!work->wasBusy(), qPrintable(name));
        }
    }

    void aClickOnTheTabShowsWhatIsCurrent()
    {
        auto* diff = viewOf<DiffView>(*m_window, "diff");
        QVERIFY(clickTab(*m_window, QStringLiteral("diff")));
        QTRY_VERIFY(diff->isReady());
        QVERIFY(clickTab(*m_window, QStringLiteral("unfused")));
        QTRY_VERIFY(!diff->isInFront());
        QTest::qWait(50);
        Work work(diff);
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::AltModifier);
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(m_window.get(), Qt::Key_F10, Qt::ControlModifier);
            QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        }
        const StepId step = m_window->hub()->shownStep();
        QVERIFY(diff->content()->after != step);
        QCOMPARE(work.count(), 0);

        auto* changes = diff->findChild<QAbstractItemModel*>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY(changes != nullptr);
        QSignalSpy made(changes, &QAbstractItemModel::modelReset);
        QVERIFY(clickTab(*m_window, QStringLiteral("diff")));
        QTRY_VERIFY(diff->isReady() && diff->content()->after == step);
        QTest::qWait(50);
        QCOMPARE(made.count(), 1); // once, however many steps there were
        QVERIFY(clickTab(*m_window, QStringLiteral("unfused")));
        QVERIFY(clickTab(*m_window, QStringLiteral("diff")));
        QTest::qWait(50);
        QCOMPARE(made.count(), 1); // nothing is new
    }

    void everyPanelIsToldRightly()
    {
        QCOMPARE(wronglyTold(*m_window), QString());
        for (const char* name : {"memory", "log", "unfused", "accuracy"}) {
            QVERIFY(clickTab(*m_window, QLatin1String(name)));
            QTRY_COMPARE(wronglyTold(*m_window), QString());
            QVERIFY(m_window->view(QLatin1String(name))->isInFront());
            QCOMPARE(m_window->sessionKeeper()->frontView(), QLatin1String(name));
        }
        QDockWidget* memory = dockOf(*m_window, QStringLiteral("memory"));
        memory->close();
        QTRY_COMPARE(wronglyTold(*m_window), QString());
        m_window->showView(QStringLiteral("memory"));
        QTRY_COMPARE(wronglyTold(*m_window), QString());
        QVERIFY(m_window->view(QStringLiteral("memory"))->isInFront());
        memory->setFloating(true);
        memory->move(-5000, 10); // on a screen left of the first one
        QTRY_COMPARE(wronglyTold(*m_window), QString());
        QVERIFY(clickTab(*m_window, QStringLiteral("timeline")));
        QTRY_COMPARE(wronglyTold(*m_window), QString());
        QVERIFY(m_window->view(QStringLiteral("memory"))->isInFront());
        memory->setFloating(false);
        QTRY_COMPARE(wronglyTold(*m_window), QString());
        m_window->action(QStringLiteral("reset_layout"))->trigger();
        QTRY_COMPARE(wronglyTold(*m_window), QString());
        QCOMPARE(m_window->sessionKeeper()->frontView(), QStringLiteral("unfused"));

        // The next window comes up as this one was left.
        QVERIFY(clickTab(*m_window, QStringLiteral("timeline")));
        QVERIFY(m_window->close());
        m_window = makeWindow();
        QTRY_COMPARE(wronglyTold(*m_window), QString());
        QCOMPARE(m_window->sessionKeeper()->frontView(), QStringLiteral("timeline"));
    }

    void aMinimisedWindowShowsNoPanel()
    {
        QVERIFY(clickTab(*m_window, QStringLiteral("memory")));
        View* memory = m_window->view(QStringLiteral("memory"));
        QTRY_VERIFY(memory->isInFront());
        m_window->showMinimized();
        QTRY_VERIFY(m_window->isMinimized());
        for (const QString& name : panels()) QVERIFY2(!m_window->view(name)->isInFront(), qPrintable(name));
        QCOMPARE(m_window->sessionKeeper()->frontView(), QStringLiteral("memory")); // a session has it in front
        m_window->hub()->showStep(StepId{3});
        QTest::qWait(30);
        QVERIFY(memory->shownStep() != StepId{3});
        m_window->showNormal();
        QTRY_VERIFY(memory->isInFront());
        QTRY_COMPARE(memory->shownStep(), StepId{3});
        QCOMPARE(wronglyTold(*m_window), QString());
    }

    void aPanelThatComesBackIsCurrent_data()
    {
        QTest::addColumn<bool>("isFloating");
        QTest::newRow("closed and opened") << false;
        QTest::newRow("floating") << true;
    }
    void aPanelThatComesBackIsCurrent()
    {
        QFETCH(bool, isFloating);
        auto* diff = viewOf<DiffView>(*m_window, "diff");
        m_window->hub()->showStep(StepId{2});
        QDockWidget* dock = dockOf(*m_window, QStringLiteral("diff"));
        if (isFloating)
            dock->setFloating(true);
        else
            dock->close();
        QTest::qWait(30);
        m_window->hub()->showStep(StepId{5});
        QTest::qWait(30);
        QCOMPARE(diff->isInFront(), isFloating);
        if (!isFloating) {
            QVERIFY(!diff->isReady());
            m_window->action(QStringLiteral("panel_diff"))->trigger();
        }
        QTRY_VERIFY(diff->isReady() && diff->content()->after == StepId{5});
    }

    /// What it worked out for one run is never taken for another's, also not when the language changes meanwhile.
    void anotherRunWhileItIsBehind()
    {
        for (const char* name : {"unfused", "memory", "timeline", "diff", "textdiff", "statistics"}) {
            QVERIFY(clickTab(*m_window, QLatin1String(name)));
            QTRY_VERIFY(!m_window->view(QLatin1String(name))->isBusy());
        }
        QVERIFY(clickTab(*m_window, QStringLiteral("log")));
        QVERIFY(openAndWait(*m_window, sample("attention-fits")));
        for (const char* language : {"zh_CN", "en"}) applyLanguage(QLatin1String(language));
        QTest::qWait(50);
        for (const char* name : {"unfused", "memory", "timeline", "diff", "textdiff", "statistics"}) {
            View* view = m_window->view(QLatin1String(name));
            QVERIFY(view->run() == nullptr);
            QVERIFY(clickTab(*m_window, QLatin1String(name)));
            QTRY_COMPARE(view->run(), m_window->hub()->run());
            QTRY_VERIFY(!view->isBusy());
        }
        QCOMPARE(viewOf<UnfusedView>(*m_window, "unfused")->tabs()->tabText(1).isEmpty(), false);
    }

    void theTabCountsProblemsThatNobodySees()
    {
        QDockWidget* dock = dockOf(*m_window, QStringLiteral("problems"));
        QVERIFY(!m_window->view(QStringLiteral("problems"))->isInFront());
        QCOMPARE(dock->windowTitle(), QStringLiteral("Problems"));
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("broken.onnx")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("no protobuf at all");
        file.close();
        m_window->openFile(file.fileName());
        QTRY_COMPARE(dock->windowTitle(), QStringLiteral("Problems (1)"));
        applyLanguage(QStringLiteral("zh_CN"));
        QVERIFY2(dock->windowTitle().endsWith(QStringLiteral("(1)")), qPrintable(dock->windowTitle()));
        applyLanguage(QStringLiteral("en"));
    }

    void choicesOutliveARunThatComesBehind()
    {
        auto* timeline = viewOf<TimelineView>(*m_window, "timeline");
        QVERIFY(clickTab(*m_window, QStringLiteral("timeline")));
        QTRY_VERIFY(timeline->isReady());
        timeline->setBefore(true);
        QTRY_VERIFY(timeline->isReady());
        const QString before = timeline->summary();
        QVERIFY(clickTab(*m_window, QStringLiteral("unfused")));
        const auto run = m_window->hub()->run();
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QVERIFY(waitFor([&] { return m_window->hub()->run() != run && !m_window->isBusy(); }));
        QVERIFY(clickTab(*m_window, QStringLiteral("timeline")));
        QTRY_VERIFY(timeline->isReady());
        QCOMPARE(timeline->summary(), before);
    }

private:
    WindowSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestFrontViews)
#include "tst_front_views.moc"
