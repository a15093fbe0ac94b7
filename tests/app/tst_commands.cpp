// Every command is found by its name, says what it does and why it cannot be done, and has keys of its own: those of the
// window and those of the views alike.

#include "app/gui/command_registry.h"
#include "app/gui/settings_dialog.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/common/table_panel.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"
#include "viewers/statistics/statistics_view.h"
#include "viewers/unfused/unfused_view.h"

#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>
#include <QTreeWidget>
#include <QWidgetAction>

using namespace gelens;
using namespace gelens::test;

namespace {

bool isList(const QAction& action) { return action.objectName().startsWith(QLatin1String("list_")); }

QString plain(QString text) { return text.remove(QLatin1Char('&')); }

/// Answers the file dialog that comes next.
class FileAnswer {
public:
    explicit FileAnswer(const QString& path)
    {
        m_clock.setInterval(20);
        QObject::connect(&m_clock, &QTimer::timeout, &m_clock, [this, path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr || hasCome) return;
            hasCome = true;
            proposed = dialog->selectedNameFilter();
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        m_clock.start();
    }
    bool hasCome = false;
    QString proposed;

private:
    QTimer m_clock;
};

/// Widgets in which an action's keys are heard.
std::vector<const QWidget*> placesOf(const QAction& action)
{
    std::vector<const QWidget*> places;
    for (const QObject* object : action.associatedObjects())
        if (const auto* widget = qobject_cast<const QWidget*>(object);
            widget != nullptr && qobject_cast<const QMenu*>(widget) == nullptr)
            places.push_back(widget);
    return places;
}

/// Two commands hear the same keys at the same place, so that neither is done.
bool isAmbiguous(const QAction& a, const QAction& b)
{
    bool isSame = false;
    for (const QKeySequence& keys : a.shortcuts()) isSame = isSame || b.shortcuts().contains(keys);
    if (!isSame) return false;
    if (a.shortcutContext() == Qt::WindowShortcut || b.shortcutContext() == Qt::WindowShortcut) return true;
    if (isList(a) && isList(b)) return a.parent() == b.parent();
    if (isList(a) || isList(b)) return false; // the list with the focus takes them first
    for (const QWidget* one : placesOf(a))
        for (const QWidget* other : placesOf(b))
            if (one == other || one->isAncestorOf(other) || other->isAncestorOf(one)) return true;
    return false;
}

} // namespace

class TestCommands : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_window = freshWindow();
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
    }
    void cleanup() { m_window.reset(); }

    void thePaletteFitsTheGraph()
    {
        GraphCanvas* canvas = m_window->graphView()->afterCanvas();
        canvas->setFocus();
        for (int i = 0; i < 4; ++i) QTest::keyClick(canvas, Qt::Key_Plus);
        QTest::keyClick(canvas, Qt::Key_Right, Qt::ShiftModifier);
        const double near = canvas->zoom();
        type(QStringLiteral("Fit"));
        QCOMPARE(currentEntry().section(QStringLiteral("    "), 0, 0), QStringLiteral("Graph: Fit"));
        take();
        const double zoom = canvas->zoom();
        const QPointF centre = canvas->centre();
        QVERIFY(1.5 * zoom < near);
        m_window->graphView()->fitAll(); // nothing is left to do
        QVERIFY(qAbs(canvas->zoom() - zoom) < 1e-9 && (canvas->centre() - centre).manhattanLength() < 1e-6);
        // Ways of comparing and colours are commands as well.
        type(QStringLiteral("after only"));
        take();
        QVERIFY(waitFor([&] { return m_window->graphView()->mode() == GraphMode::Single; }, 5000));
        type(QStringLiteral("colour by format"));
        take();
        QVERIFY(waitFor([&] { return m_window->graphView()->colorBy() == ColorBy::Format; }, 5000));
    }

    void thePaletteWritesTheListInFront()
    {
        QTemporaryDir folder;
        for (const auto& [view, ending] : {std::pair("statistics", "csv"), std::pair("unfused", "json")}) {
            QVERIFY(m_window->showView(QLatin1String(view)));
            TablePanel* list = listInFront(view);
            QVERIFY(waitFor([&] { return list->view()->model()->rowCount() > 0; }, 20000));
            list->view()->setFocus();
            const QString kind = QString::fromLatin1(ending).toUpper(),
                          name = folder.filePath(QLatin1String(view)); // no ending: the command says it
            type(QStringLiteral("list export as ") + kind);
            FileAnswer answer(name);
            take();
            QVERIFY2(waitFor([&] { return answer.hasCome; }, 5000), view);
            QVERIFY2(answer.proposed.startsWith(kind), qPrintable(answer.proposed));
            QFile file(name + QLatin1Char('.') + QLatin1String(ending));
            QVERIFY2(waitFor([&] { return file.exists(); }, 5000), qPrintable(file.fileName()));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(file.readAll(), kind == QLatin1String("CSV") ? list->csv().toUtf8() : list->json());
        }
        // The view that was raised last is meant, also without the focus.
        View* memory = m_window->view(QStringLiteral("memory"));
        auto* dock = qobject_cast<QDockWidget*>(memory->parentWidget());
        activate();
        dock->raise();
        QVERIFY(waitFor([&] { return m_window->commands()->currentView() == memory; }, 5000));
        QVERIFY(waitFor([&] { return !memory->hasPendingChanges() && !memory->isBusy(); }, 5000)); // it draws its map
        type(QStringLiteral("picture export as PNG"));
        FileAnswer answer(folder.filePath(QStringLiteral("map")));
        take();
        QVERIFY(waitFor([&] { return QFile::exists(folder.filePath(QStringLiteral("map.png"))); }, 20000));
    }

    /// What does not apply stands there, says why, and does nothing.
    void whatCannotBeDoneSaysWhy()
    {
        m_window->graphView()->afterCanvas()->setFocus();
        type(QStringLiteral("list export as csv"));
        QCOMPARE(note(), QStringLiteral("The view in front, Graph, has no list."));
        picture(*palette(), "palette");
        take();
        QVERIFY(palette()->isVisible());
        QTest::keyClick(palette(), Qt::Key_Escape);
        QVERIFY(waitFor([&] { return palette() == nullptr; }, 5000));
        type(QStringLiteral("graph: undo view"));
        QCOMPARE(note(), QStringLiteral("There is nothing to take back."));
        QTest::keyClick(palette(), Qt::Key_Escape);
        QVERIFY(waitFor([&] { return palette() == nullptr; }, 5000));
        m_window->action(QStringLiteral("close"))->trigger();
        for (const char* name : {"rerun", "step_edit"})
            QCOMPARE(command(name).whyNot, QStringLiteral("Open a model first."));
        for (const Command& command : m_window->commands()->commands())
            if (!command.whyNot.isEmpty())
                QVERIFY2(command.whyNot.endsWith(QLatin1Char('.')), qPrintable(command.title()));
    }

    void whatNeedsAModelIsOffInAFreshWindow()
    {
        m_window = freshWindow();
        for (const char* name : {"first", "step", "last", "previous_change", "next_change", "whole", "rerun", "verify",
                                 "find_node", "go_to_step", "close", "export"})
            QVERIFY2(!m_window->action(QLatin1String(name))->isEnabled(), name);
        for (const char* name : {"open", "tour", "settings", "commands"})
            QVERIFY2(m_window->action(QLatin1String(name))->isEnabled(), name);
    }

    /// The graph cannot be closed: how a panel is chosen is said with the keys that a person gave it.
    void theKeysOfAPanelAreNamedAsTheyAre()
    {
        const auto said = [this] {
            m_window->graphView()->afterCanvas()->setFocus();
            m_window->action(QStringLiteral("close_panel"))->trigger();
            return m_window->statusBar()->currentMessage();
        };
        QVERIFY2(said().contains(QStringLiteral("Ctrl+1 ")), qPrintable(said()));
        const QKeySequence mine(Qt::CTRL | Qt::ALT | Qt::Key_8);
        QCOMPARE(assign(QStringLiteral("Pipeline"), QStringLiteral("Panels"), mine), QString());
        activate();
        QVERIFY2(said().contains(mine.toString(QKeySequence::NativeText)), qPrintable(said()));
        QVERIFY2(!said().contains(QStringLiteral("Ctrl+1 ")), qPrintable(said()));
    }

    void keysOfViewsAreChangedAndKept()
    {
        const QKeySequence mine(Qt::CTRL | Qt::ALT | Qt::Key_8), copy(Qt::CTRL | Qt::ALT | Qt::Key_7);
        QCOMPARE(assign(QStringLiteral("Fit"), QStringLiteral("Graph"), mine), QString());
        QCOMPARE(assign(QStringLiteral("Copy rows"), QStringLiteral("List"), copy), QString());
        // What another command of the window has is refused; what a list has may be the graph's as well.
        QVERIFY(assign(QStringLiteral("Zoom in"), QStringLiteral("Graph"), QKeySequence(Qt::Key_F10))
                    .contains(QStringLiteral("Step")));
        QVERIFY(assign(QStringLiteral("Zoom in"), QStringLiteral("Graph"), mine).contains(QStringLiteral("Fit")));
        QCOMPARE(assign(QStringLiteral("Zoom in"), QStringLiteral("Graph"), copy), QString());
        for (const bool isAgain : {false, true}) {
            if (isAgain) {
                m_window.reset();
                m_window = makeWindow();
                QVERIFY(openAndWait(*m_window, sample("small-resnet")));
            }
            activate();
            GraphCanvas* canvas = m_window->graphView()->afterCanvas();
            m_window->graphView()->fitAll();
            const double fitted = canvas->zoom();
            canvas->setFocus();
            QTest::keyClick(canvas, Qt::Key_7, Qt::ControlModifier | Qt::AltModifier); // zoom in
            QVERIFY(canvas->zoom() > 1.1 * fitted);
            QTest::keyClick(canvas, Qt::Key_0, Qt::ControlModifier); // no longer
            QVERIFY(canvas->zoom() > 1.1 * fitted);
            QTest::keyClick(canvas, Qt::Key_8, Qt::ControlModifier | Qt::AltModifier);
            QVERIFY(qAbs(canvas->zoom() - fitted) < 1e-9);
            for (const char* view : {"statistics", "unfused"}) { // one command, every list
                QVERIFY(m_window->showView(QLatin1String(view)));
                TablePanel* list = listInFront(view);
                QVERIFY(waitFor([&] { return list->view()->model()->rowCount() > 0; }, 20000));
                list->view()->setFocus();
                list->view()->selectAll();
                QApplication::clipboard()->clear();
                QTest::keyClick(list->view(), Qt::Key_C, Qt::ControlModifier);
                // No longer the command's: Qt's own list copies the one cell.
                QVERIFY(QApplication::clipboard()->text() != list->selectedText());
                QTest::keyClick(list->view(), Qt::Key_7, Qt::ControlModifier | Qt::AltModifier);
                QCOMPARE(QApplication::clipboard()->text(), list->selectedText());
                QVERIFY(!list->selectedText().isEmpty());
            }
            const QAction* fit = command("graph_fit").answering;
            QVERIFY(fit != nullptr);
            QVERIFY2(fit->toolTip().contains(mine.toString(QKeySequence::NativeText)), qPrintable(fit->toolTip()));
        }
    }

    /// A walk over menus, tool bars and views, with a model and without.
    void everyActionIsACommand_data()
    {
        QTest::addColumn<bool>("hasModel");
        QTest::newRow("with a model") << true;
        QTest::newRow("with none") << false;
    }
    void everyActionIsACommand()
    {
        QFETCH(bool, hasModel);
        if (!hasModel) m_window->action(QStringLiteral("close"))->trigger();
        type({});
        QStringList entries;
        const QAbstractItemModel& rows = *palette()->findChild<QListView*>()->model();
        for (int row = 0; row < rows.rowCount(); ++row)
            entries += rows.index(row, 0).data().toString().section(QStringLiteral("    "), 0, 0);
        QCOMPARE(QSet<QString>(entries.begin(), entries.end()).size(),
                 entries.size()); // each can be told from the others
        const QList<QAction*> actions = reachable();
        QVERIFY2(actions.size() > 300, qPrintable(QString::number(actions.size())));
        QStringList bad;
        for (const QAction* action : actions) {
            const QString text = plain(action->text()), name = action->objectName();
            const QString who = QStringLiteral("%1 “%2”: ").arg(name, text);
            const auto isEntry = [&](const QString& entry) { return entry.endsWith(QStringLiteral(": ") + text); };
            if (text.isEmpty() ||
                (name != QLatin1String("commands") && std::none_of(entries.begin(), entries.end(), isEntry)))
                bad += who + QStringLiteral("not in the palette");
            // Recent files come and go with their menu; all else can be given keys.
            if (name.isEmpty() && qobject_cast<QMenu*>(action->parent()) == nullptr)
                bad += who + QStringLiteral("no name to keep its keys by");
            if (plain(action->toolTip()).isEmpty() || plain(action->toolTip()) == text)
                bad += who + QStringLiteral("no tool tip");
            for (const QAction* other : actions)
                if (other < action && isAmbiguous(*action, *other))
                    bad += who + QStringLiteral("shares %1 with ").arg(action->shortcut().toString()) + other->text();
        }
        bad.removeDuplicates();
        QVERIFY2(bad.isEmpty(), qPrintable(bad.join(QLatin1Char('\n'))));
        // The page of the settings has all that have a name.
        const std::vector<Command> commands = m_window->commands()->commands();
        for (const Command& command : commands) {
            if (command.name.isEmpty()) continue;
            QVERIFY2(!command.does.isEmpty(), qPrintable(command.title()));
            const Command* other = CommandRegistry::clash(commands, command, command.keys);
            QVERIFY2(other == nullptr, qPrintable(command.title()));
        }
    }

    void theEditMenuSpeaksOfTheViewInFront()
    {
        QVERIFY(m_window->showView(QStringLiteral("statistics")));
        TablePanel* list = listInFront("statistics");
        QVERIFY(waitFor([&] { return list->view()->model()->rowCount() > 0; }, 20000));
        list->view()->setFocus();
        list->view()->selectAll();
        QApplication::clipboard()->clear();
        activate();
        QTest::keyClick(m_window.get(), Qt::Key_E, Qt::AltModifier);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        QVERIFY(waitFor([&] { return menu->activeAction() != nullptr; }, 2000));
        for (int i = 0; i < 20 && menu->activeAction()->text() != QStringLiteral("Copy rows"); ++i)
            QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return);
        QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("Operators\t")));
        // A panel is closed without its cross, and the graph stays.
        QTest::keyClick(m_window.get(), Qt::Key_F4, Qt::ControlModifier);
        QVERIFY(!m_window->view(QStringLiteral("statistics"))->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_F4, Qt::ControlModifier);
        QVERIFY(m_window->graphView()->isVisible());
    }

    void theGraphsCommandsFollowTheLanguage()
    {
        applyLanguage(QStringLiteral("zh_CN"));
        QAction* fit = m_window->graphView()->viewActions().front();
        QVERIFY(waitFor([&] { return fit->text() != QStringLiteral("Fit"); }, 5000));
        QCOMPARE(m_window->graphView()->modeActions().front()->text().contains(QStringLiteral("前")), true);
        applyLanguage(QStringLiteral("en"));
        QVERIFY(waitFor([&] { return fit->text() == QStringLiteral("Fit"); }, 5000));
    }

private:
    void activate()
    {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    /// An empty one when there is none of that name.
    Command command(const char* name) const
    {
        for (const Command& each : m_window->commands()->commands())
            if (each.name == QLatin1String(name)) return each;
        return {};
    }
    QDialog* palette() const { return m_window->findChild<QDialog*>(QStringLiteral("quick_list")); }
    /// Opens the palette by its keys and types.
    void type(const QString& text)
    {
        QVERIFY(waitFor([&] { return palette() == nullptr; }, 5000));
        activate();
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(palette() != nullptr);
        QTest::keyClicks(palette()->findChild<QLineEdit*>(), text);
    }
    void take() { QTest::keyClick(palette()->findChild<QLineEdit*>(), Qt::Key_Return); }
    QString currentEntry() const { return palette()->findChild<QListView*>()->currentIndex().data().toString(); }
    QString note() const { return palette()->findChild<QLabel*>(QStringLiteral("note"))->text(); }
    TablePanel* listInFront(const char* view) const
    {
        if (qstrcmp(view, "statistics") == 0) return viewOf<StatisticsView>(*m_window, view)->figures();
        return viewOf<UnfusedView>(*m_window, view)->chainList();
    }

    /// Gives keys on the page of the settings; returns what it says then.
    QString assign(const QString& command, const QString& place, const QKeySequence& keys)
    {
        m_window->action(QStringLiteral("shortcuts"))->trigger();
        auto* dialog = m_window->findChild<SettingsDialog*>(QStringLiteral("settings_dialog"));
        QTreeWidgetItem* found = nullptr;
        for (QTreeWidgetItem* item : dialog->shortcutList()->findItems(command, Qt::MatchExactly))
            if (item->text(2) == place) found = item;
        if (found == nullptr) return QStringLiteral("not on the page");
        dialog->shortcutList()->setCurrentItem(found);
        dialog->shortcutEdit()->setKeySequence(keys);
        Q_EMIT dialog->shortcutEdit()->editingFinished();
        const QString said = dialog->notice();
        delete dialog;
        return said;
    }

    QList<QAction*> reachable() const
    {
        QSet<QAction*> all;
        QList<QMenu*> open;
        for (const QAction* top : m_window->menuBar()->actions()) open += top->menu();
        while (!open.isEmpty())
            for (QAction* entry : open.takeLast()->actions()) {
                if (entry->menu() != nullptr) open += entry->menu();
                all += entry;
            }
        for (const QToolBar* bar : m_window->findChildren<QToolBar*>())
            for (QAction* action : bar->actions()) all += action;
        for (const auto& [name, view] : m_window->views()) {
            for (QAction* action : view->findChildren<QAction*>())
                // Qt's own in text lines; menus that are filled when they open have copies of what is elsewhere.
                if (!action->objectName().startsWith(QLatin1String("_q_")) &&
                    qobject_cast<QMenu*>(action->parent()) == nullptr)
                    all += action;
        }
        QList<QAction*> commands;
        for (QAction* action : all)
            if (!action->isSeparator() && action->menu() == nullptr && qobject_cast<QWidgetAction*>(action) == nullptr)
                commands += action;
        return commands;
    }

    WindowSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestCommands)
#include "tst_commands.moc"
