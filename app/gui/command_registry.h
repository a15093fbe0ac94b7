#pragma once
// Everything that the window and its views can be told to do, in one list: the palette and the shortcut page show it.

#include <QKeySequence>
#include <QObject>
#include <QPointer>
#include <QString>

#include <vector>

class QAction;
class QMenu;

namespace gelens {

class MainWindow;
class View;

/// One command. Lists and pictures have the same commands ("list_copy") in many places: there it is one command, done by the
/// list or picture of the view in front.
struct Command {
    QString name;   ///< in the settings; empty for entries that come and go, such as recent files
    QString place;  ///< where it is found: a menu, a view, "List"
    QString scope;  ///< where its keys work: "" in the whole window, "list", "picture", or a view
    QString text;   ///< without marks of mnemonics
    QString does;   ///< in one sentence
    QString whyNot; ///< why it cannot be done now, in one sentence; empty when it can
    QKeySequence keys;
    std::vector<QAction*> actions;
    QAction* answering = nullptr; ///< the one that is meant now; null when no view in front has it

    bool isOfWindow() const { return scope.isEmpty(); }
    QString title() const { return QStringLiteral("%1: %2").arg(place, text); }
};

class CommandRegistry : public QObject {
    Q_OBJECT
public:
    /// Built when views and menus of the window are there.
    explicit CommandRegistry(MainWindow* window);

    /// In the order of the menus, then those of the views.
    std::vector<Command> commands() const;
    /// The view that is worked with: where the focus was last, or whose panel was raised since.
    View* currentView() const;
    /// The view that a widget is part of; null for those of the window itself.
    View* viewOf(const QWidget* widget) const;

    /// Puts the keys that the person chose on all actions.
    void applySaved();
    QKeySequence shippedKeys(const Command& command) const;
    /// Stored as the person's choice, unless they are the shipped ones.
    void setKeys(const Command& command, const QKeySequence& keys);
    /// The command whose keys would clash; null when there is none. In different views the same keys may mean different
    /// things: the one with the focus is meant.
    static const Command* clash(const std::vector<Command>& commands, const Command& command, const QKeySequence& keys);

private:
    void addMenu(const QMenu& menu, std::vector<Command>& commands) const;
    void addView(const View& view, std::vector<Command>& commands) const;
    void findAnswering(Command& command) const;
    QString whyNot(const Command& command) const;
    QString scopeOf(const QAction& action) const;

    MainWindow* m_window;
    QPointer<QWidget> m_focus; ///< the last widget of a view that had it
    QPointer<View> m_raised;   ///< since then
};

/// Why a command that is switched off cannot be done now, in one sentence.
QString whyDisabled(MainWindow& window, const QString& command);

} // namespace gelens
