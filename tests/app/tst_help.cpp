// The tour, settings and shortcuts, kept searches, exports of tables, and the way of a node from the model to its memory.

#include "app/gui/debug_tools.h"
#include "app/gui/help_tools.h"
#include "app/gui/settings_dialog.h"
#include "app/gui/tour.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/common/list_export.h"
#include "viewers/common/table_panel.h"
#include "viewers/graph/graph_view.h"
#include "viewers/inspector/inspector_view.h"
#include "viewers/models/property_model.h"
#include "viewers/statistics/statistics_view.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QPushButton>
#include <QTreeView>
#include <QTreeWidget>

using namespace gelens;
using test::findLine;
using test::openAndWait;
using test::sample;
using test::waitFor;

class TestHelp : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        qputenv("GELENS_SAMPLES", GELENS_SAMPLES_DIR);
        m_settings = std::make_unique<test::WindowSettings>();
    }
    void init() { m_window = test::freshWindow(); }
    void cleanup() { m_window.reset(); }

    void theTourShowsEveryPanel()
    {
        auto* start = m_window->findChild<QPushButton*>(QStringLiteral("start_tour"));
        QVERIFY(start != nullptr && start->isVisible());
        QTest::mouseClick(start, Qt::LeftButton);
        HelpTools* help = m_window->debugTools()->help();
        QPointer<Tour> tour = help->tour();
        QVERIFY(tour != nullptr && tour->stopCount() >= 8);
        // With nothing open it brings a sample along.
        QVERIFY(waitFor([&] { return m_window->hub()->run() && !m_window->isBusy(); }));
        QStringList seen;
        while (tour && tour->isVisible()) {
            QVERIFY(!seen.contains(tour->text()));
            seen += tour->text();
            const int stop = tour->stop();
            // What is spoken of is not covered by the words.
            QVERIFY2(waitFor([&] { return !tour->cardArea().intersects(tour->framedArea()); }, 2000),
                     qPrintable(tour->text()));
            QTest::mouseClick(tour->nextButton(), Qt::LeftButton);
            if (tour && tour->isVisible()) QCOMPARE(tour->stop(), stop + 1);
        }
        QVERIFY(seen.size() >= 8);
        QVERIFY(m_window->view(QStringLiteral("whatif"))->isVisible()); // the last panel that it framed
        QVERIFY(waitFor([&] { return help->tour() == nullptr; }, 5000));

        // By key, back with an arrow, left with Escape.
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        tour = help->tour();
        QVERIFY(tour != nullptr);
        QTest::keyClick(tour.data(), Qt::Key_Right);
        QCOMPARE(tour->stop(), 1);
        QTest::keyClick(tour.data(), Qt::Key_Left);
        QCOMPARE(tour->stop(), 0);
        QTest::keyClick(tour.data(), Qt::Key_Escape);
        QVERIFY(waitFor([&] { return help->tour() == nullptr; }, 5000));
    }

    void shortcutsAreListedAndChanged()
    {
        m_window->action(QStringLiteral("shortcuts"))->trigger();
        auto* dialog = m_window->findChild<SettingsDialog*>(QStringLiteral("settings_dialog"));
        QVERIFY(dialog != nullptr);
        QTreeWidget* list = dialog->shortcutList();
        QVERIFY(list->topLevelItemCount() > 50);
        QTest::keyClicks(dialog->filterLine(), QStringLiteral("run to breakpoint"));
        QTreeWidgetItem* found = nullptr;
        int shown = 0;
        for (int i = 0; i < list->topLevelItemCount(); ++i)
            if (!list->topLevelItem(i)->isHidden()) {
                found = list->topLevelItem(i);
                ++shown;
            }
        QCOMPARE(shown, 1);
        QCOMPARE(found->text(1), QStringLiteral("F8"));
        list->setCurrentItem(found);
        // One that is taken is refused and named.
        dialog->shortcutEdit()->setKeySequence(QKeySequence(Qt::Key_F10));
        Q_EMIT dialog->shortcutEdit()->editingFinished();
        QVERIFY2(dialog->notice().contains(QStringLiteral("Step")), qPrintable(dialog->notice()));
        QCOMPARE(m_window->action(QStringLiteral("run_to_breakpoint"))->shortcut(), QKeySequence(Qt::Key_F8));
        dialog->shortcutEdit()->setKeySequence(QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_8));
        Q_EMIT dialog->shortcutEdit()->editingFinished();
        QCOMPARE(m_window->action(QStringLiteral("run_to_breakpoint"))->shortcut(),
                 QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_8));
        dialog->close();
        // The next window knows it.
        m_window = test::makeWindow();
        QCOMPARE(m_window->action(QStringLiteral("run_to_breakpoint"))->shortcut(),
                 QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_8));
    }

    void languageIsChangedInTheSettings()
    {
        QTest::keyClick(m_window.get(), Qt::Key_Comma, Qt::ControlModifier);
        auto* dialog = m_window->findChild<SettingsDialog*>(QStringLiteral("settings_dialog"));
        QVERIFY(dialog != nullptr);
        const int chinese = dialog->languages()->findData(QStringLiteral("zh_CN"));
        dialog->languages()->setCurrentIndex(chinese);
        Q_EMIT dialog->languages()->activated(chinese);
        QVERIFY(
            waitFor([&] { return m_window->action(QStringLiteral("tour"))->text() == QStringLiteral("导览"); }, 5000));
        QCOMPARE(Settings().language(), QStringLiteral("zh_CN"));
        // The dialog itself follows, with the names of the commands.
        QCOMPARE(dialog->windowTitle(), QStringLiteral("设置"));
        QCOMPARE(dialog->themes()->itemText(1), QStringLiteral("浅色"));
        QVERIFY(waitFor(
            [&] { return !dialog->shortcutList()->findItems(QStringLiteral("导览"), Qt::MatchExactly).isEmpty(); },
            5000));
        dialog->close();
    }

    void searchesAreKept()
    {
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        m_window->graphView()->setSearchText(QStringLiteral("type:Conv2D"));
        m_window->action(QStringLiteral("save_search"))->trigger();
        m_window->graphView()->setSearchText({});
        QVERIFY(m_window->action(QStringLiteral("saved_searches"))->isEnabled());
        m_window->action(QStringLiteral("saved_searches"))->trigger();
        auto* list = m_window->findChild<QDialog*>(QStringLiteral("quick_list"));
        QVERIFY(list != nullptr);
        QTest::keyClick(list->findChild<QLineEdit*>(), Qt::Key_Return);
        QCOMPARE(m_window->graphView()->searchText(), QStringLiteral("type:Conv2D"));
    }

    void tablesAreWrittenAsJson()
    {
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        QVERIFY(m_window->showView(QStringLiteral("statistics")));
        TablePanel* panel = nullptr; // of several lists the one with the figures
        QVERIFY(waitFor(
            [&] {
                for (TablePanel* each : m_window->view(QStringLiteral("statistics"))->findChildren<TablePanel*>())
                    if (each->view()->model()->index(0, 0).data().toString() == QStringLiteral("Operators"))
                        panel = each;
                return panel != nullptr;
            },
            5000));
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("t.json"));
        QVERIFY(panel->exportTo(path));
        QTRY_VERIFY(!panel->exporting()->isRunning());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray rows = QJsonDocument::fromJson(file.readAll()).array();
        QCOMPARE(rows.size(), panel->view()->model()->rowCount());
        QCOMPARE(rows.first().toObject().value(QStringLiteral("After")).toInt(),
                 m_window->hub()->run()->statistics.nodes.after);
    }

    void aModelOperatorLeadsToItsTaskAndItsMemory()
    {
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        const auto run = m_window->hub()->run();
        // An operator of the file that passes have replaced.
        const auto first = run->graphAt(StepId{0}), last = run->graphAt(run->lastStep());
        NodeId gone;
        for (const NodeId id : first->allNodes())
            if (first->node(id).type == "BatchNorm" || first->node(id).type == "BatchNormalization" ||
                first->node(id).type == "Relu")
                if (!last->contains(id) && !run->becameOf(id).empty()) gone = id;
        QVERIFY(gone.isValid());
        m_window->hub()->select(Selection::ofNode(gone));
        auto* inspector = static_cast<InspectorView*>(m_window->view(QStringLiteral("inspector")));
        QVERIFY(waitFor(
            [&] {
                return !inspector->hasPendingChanges() && !inspector->isBusy() &&
                       findLine(*inspector->model(), QStringLiteral("task ")).isValid();
            },
            5000));
        const QModelIndex task = findLine(*inspector->model(), QStringLiteral("task "));
        const int number = task.data(PropertyModel::TaskRole).toInt();
        const auto became = run->becameOf(gone);
        const NodeId runs = run->tasks.tasks[static_cast<std::size_t>(number)].node;
        QVERIFY(std::find(became.begin(), became.end(), runs) != became.end());
        // A click on the task goes to the timeline and selects it; the kernel is selected with it.
        Q_EMIT inspector->panel()->activated(task);
        QCOMPARE(m_window->hub()->selection().task, number);
        QCOMPARE(m_window->hub()->selection().node, runs);
        QVERIFY(waitFor([&] { return m_window->view(QStringLiteral("timeline"))->isVisible(); }, 5000));
        // From the kernel to its block of memory, and back to what it came from.
        QVERIFY(waitFor([&] { return !inspector->hasPendingChanges() && !inspector->isBusy(); }, 5000));
        QModelIndex block;
        const QModelIndex memory = findLine(*inspector->model(), QStringLiteral("Memory and task"));
        for (int row = 0; row < inspector->model()->rowCount(memory); ++row)
            if (const QModelIndex line = inspector->model()->index(row, 0, memory);
                line.data(PropertyModel::BufferRole).isValid())
                block = line;
        QVERIFY(block.isValid());
        const int buffer = block.data(PropertyModel::BufferRole).toInt();
        Q_EMIT inspector->panel()->activated(block);
        QCOMPARE(m_window->hub()->selection().buffer, buffer);
        QVERIFY(waitFor([&] { return m_window->view(QStringLiteral("memory"))->isVisible(); }, 5000));
        const auto origins = run->originsOf(runs);
        QVERIFY(std::find(origins.begin(), origins.end(), gone) != origins.end());
    }

private:
    std::unique_ptr<test::WindowSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestHelp)
#include "tst_help.moc"
