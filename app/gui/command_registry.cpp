#include "app/gui/command_registry.h"

#include "app/gui/main_window.h"
#include "viewers/common/command_texts.h"
#include "viewers/common/view.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSettings>

#include <algorithm>

namespace gelens {
namespace {

/// The keys that an action was made with.
constexpr const char* shipped = "gelens_shipped_keys";

QString settingOf(const QString& name) { return QStringLiteral("shortcuts/") + name; }

bool isOfLists(const QString& name) { return name.startsWith(QLatin1String("list_")); }
bool isOfPictures(const QString& name) { return name.startsWith(QLatin1String("picture_")); }

/// "文件(&F)" is "文件", "&File" is "File".
QString plain(QString text)
{
    static const QRegularExpression mnemonic(QStringLiteral("\\(&.\\)|&(?!&)"));
    return text.remove(mnemonic);
}

/// Where an action works: its list or view, or the widgets that it was added to.
std::vector<QWidget*> placesOf(const QAction& action)
{
    if (auto* owner = qobject_cast<QWidget*>(action.parent())) return {owner};
    std::vector<QWidget*> places;
    for (QObject* object : action.associatedObjects())
        if (auto* widget = qobject_cast<QWidget*>(object); widget != nullptr && qobject_cast<QMenu*>(widget) == nullptr)
            places.push_back(widget);
    return places;
}

} // namespace

CommandRegistry::CommandRegistry(MainWindow* window) : QObject(window), m_window(window)
{
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget* old, QWidget* now) {
        if (viewOf(now) == nullptr || now == m_focus) return; // it only comes back from a dialog
        m_focus = now;
        // Taken from a panel that goes behind another, the focus falls somewhere: that is nobody's choice.
        if (old != nullptr && View::isSeen(*old) && qobject_cast<QDialog*>(old->window()) == nullptr)
            m_raised = nullptr;
    });
    for (const QString& name : MainWindow::viewNames()) {
        View* view = m_window->view(name);
        if (view == nullptr || qobject_cast<QDockWidget*>(view->parentWidget()) == nullptr) continue;
        connect(view, &View::cameToFront, this, [this, view] {
            // When the window itself comes up, all its panels do.
            if (m_window->isActiveWindow() && !(m_focus && view->isAncestorOf(m_focus))) m_raised = view;
        });
    }
}

View* CommandRegistry::viewOf(const QWidget* widget) const
{
    for (const QWidget* at = widget; at != nullptr; at = at->parentWidget())
        if (auto* view = qobject_cast<const View*>(at))
            for (const auto& [name, known] : m_window->views())
                if (known == view) return known;
    return nullptr;
}

View* CommandRegistry::currentView() const
{
    for (View* view : {m_raised.data(), viewOf(m_focus)})
        if (view != nullptr && view->isInFront()) return view;
    for (const QString& name : MainWindow::viewNames()) // nothing was worked with yet: the middle of the window
        if (View* view = m_window->view(name);
            name != QLatin1String("pipeline") && view != nullptr && view->isInFront())
            return view;
    return nullptr;
}

std::vector<Command> CommandRegistry::commands() const
{
    std::vector<Command> commands;
    for (const QAction* top : m_window->menuBar()->actions())
        if (top->menu() != nullptr) addMenu(*top->menu(), commands);
    for (const QString& name : MainWindow::viewNames())
        if (const View* view = m_window->view(name)) addView(*view, commands);
    addView(*m_window->view(QStringLiteral("strip")), commands); // no panel of its own
    for (Command& command : commands) {
        findAnswering(command);
        const QAction* one = command.answering != nullptr ? command.answering : command.actions.front();
        command.text = plain(one->text());
        command.does = one->statusTip().isEmpty() ? one->toolTip() : one->statusTip();
        command.keys = one->shortcut();
        command.whyNot = whyNot(command);
    }
    // What comes and goes stands behind what is always there.
    std::stable_partition(commands.begin(), commands.end(), [](const Command& each) { return !each.name.isEmpty(); });
    return commands;
}

QString CommandRegistry::scopeOf(const QAction& action) const
{
    if (action.shortcutContext() == Qt::WindowShortcut) return {};
    for (const QWidget* place : placesOf(action))
        if (const View* view = viewOf(place)) return view->accessibleName();
    return {};
}

void CommandRegistry::addMenu(const QMenu& menu, std::vector<Command>& commands) const
{
    for (QAction* action : menu.actions()) {
        if (action->menu() != nullptr) {
            addMenu(*action->menu(), commands);
            continue;
        }
        const QString name = action->objectName();
        if (action->isSeparator() || isOfLists(name) || isOfPictures(name)) continue; // those come with their views
        Command command;
        command.name = name;
        command.place = plain(menu.title());
        command.scope = scopeOf(*action);
        command.actions = {action};
        commands.push_back(std::move(command));
    }
}

void CommandRegistry::addView(const View& view, std::vector<Command>& commands) const
{
    for (QAction* action : view.findChildren<QAction*>()) {
        const QString name = action->objectName();
        // Qt's own, in text lines, and copies in menus that are filled when they open.
        if (name.isEmpty() || name.startsWith(QLatin1String("_q_")) ||
            qobject_cast<QMenu*>(action->parent()) != nullptr)
            continue;
        const auto known =
            std::find_if(commands.begin(), commands.end(), [&](const Command& each) { return each.name == name; });
        if (known == commands.end()) {
            Command command;
            command.name = name;
            command.place = isOfLists(name) ? tr("List") : isOfPictures(name) ? tr("Picture") : view.accessibleName();
            command.scope = isOfLists(name)      ? QStringLiteral("list")
                            : isOfPictures(name) ? QStringLiteral("picture")
                                                 : scopeOf(*action);
            command.actions = {action};
            commands.push_back(std::move(command));
        } else if (known->actions.front() != action) {
            known->actions.push_back(action);
        }
    }
}

void CommandRegistry::findAnswering(Command& command) const
{
    if (!isOfLists(command.name) && !isOfPictures(command.name)) {
        command.answering = command.actions.front();
        return;
    }
    const View* front = currentView();
    if (front == nullptr) return;
    for (QAction* action : command.actions) {
        if (!action->isVisible()) continue;
        for (const QWidget* place : placesOf(*action)) {
            if (!(place == front || front->isAncestorOf(place)) || !View::isSeen(*place)) continue;
            const bool hasFocus = m_focus && (place == m_focus || place->isAncestorOf(m_focus));
            if (command.answering == nullptr || hasFocus) command.answering = action;
            if (hasFocus) return;
        }
    }
}

QString CommandRegistry::whyNot(const Command& command) const
{
    const View* front = currentView();
    if (command.answering == nullptr) {
        const QString view = front == nullptr ? QString() : front->accessibleName();
        if (isOfPictures(command.name)) return tr("The view in front, %1, has no picture.").arg(view);
        return command.name == QLatin1String("list_unfold") || command.name == QLatin1String("list_fold")
                   ? tr("The view in front, %1, has no list with rows to unfold.").arg(view)
                   : tr("The view in front, %1, has no list.").arg(view);
    }
    if (!command.isOfWindow()) {
        const std::vector<QWidget*> places = placesOf(*command.answering);
        const bool isSeen =
            std::any_of(places.begin(), places.end(), [](const QWidget* place) { return View::isSeen(*place); });
        if (!isSeen) return tr("The panel %1 is not in front.").arg(command.place);
    }
    return command.answering->isEnabled() ? QString() : whyDisabled(*m_window, command.name);
}

void CommandRegistry::applySaved()
{
    const QSettings settings;
    for (const Command& command : commands()) {
        if (command.name.isEmpty()) continue;
        const QString setting = settingOf(command.name);
        for (QAction* action : command.actions) {
            if (!action->property(shipped).isValid())
                action->setProperty(shipped,
                                    QKeySequence::listToString(action->shortcuts(), QKeySequence::PortableText));
            if (settings.contains(setting))
                action->setShortcut(
                    QKeySequence::fromString(settings.value(setting).toString(), QKeySequence::PortableText));
            updateCommandTip(action);
        }
    }
}

QKeySequence CommandRegistry::shippedKeys(const Command& command) const
{
    const auto keys =
        QKeySequence::listFromString(command.actions.front()->property(shipped).toString(), QKeySequence::PortableText);
    return keys.isEmpty() ? QKeySequence() : keys.front();
}

void CommandRegistry::setKeys(const Command& command, const QKeySequence& keys)
{
    QSettings settings;
    const bool isShipped = keys == shippedKeys(command);
    if (isShipped)
        settings.remove(settingOf(command.name));
    else
        settings.setValue(settingOf(command.name), keys.toString(QKeySequence::PortableText));
    for (QAction* action : command.actions) {
        if (isShipped) // with the others that the platform has for it, such as Ctrl+Ins
            action->setShortcuts(
                QKeySequence::listFromString(action->property(shipped).toString(), QKeySequence::PortableText));
        else
            action->setShortcut(keys);
        updateCommandTip(action);
    }
}

const Command* CommandRegistry::clash(const std::vector<Command>& commands, const Command& command,
                                      const QKeySequence& keys)
{
    if (keys.isEmpty()) return nullptr;
    const auto found = std::find_if(commands.begin(), commands.end(), [&](const Command& other) {
        if (other.name == command.name || other.name.isEmpty() || other.keys.isEmpty()) return false;
        // Keys that begin others leave it open which are meant, too.
        if (other.keys.matches(keys) == QKeySequence::NoMatch && keys.matches(other.keys) == QKeySequence::NoMatch)
            return false;
        return other.isOfWindow() || command.isOfWindow() || other.scope == command.scope;
    });
    return found == commands.end() ? nullptr : &*found;
}

} // namespace gelens
