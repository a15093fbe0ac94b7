// What the window looks up among all commands: the palette, the Edit menu, the panel in front.
#include "app/gui/main_window.h"

#include "app/gui/command_registry.h"
#include "app/gui/quick_list.h"
#include "viewers/graph/graph_view.h"
#include "viewers/models/words.h"

#include <QAction>
#include <QDockWidget>
#include <QMenu>
#include <QPointer>
#include <QStatusBar>

namespace gelens {

/// What can be done with the list and the picture of the view in front.
void MainWindow::fillEditMenu()
{
    m_editMenu->clear();
    const std::vector<Command> commands = m_commands->commands();
    for (const char* prefix : {"list_", "picture_"}) {
        bool isAny = false;
        for (const Command& command : commands) {
            if (!command.name.startsWith(QLatin1String(prefix)) || command.answering == nullptr) continue;
            if (!isAny) m_editMenu->addSection(command.place);
            isAny = true;
            m_editMenu->addAction(command.answering);
        }
    }
    if (!m_editMenu->isEmpty()) return;
    const View* front = m_commands->currentView();
    m_editMenu
        ->addAction(tr("The view in front, %1, has no list and no picture.")
                        .arg(front == nullptr ? QString() : front->accessibleName()))
        ->setEnabled(false);
}

void MainWindow::chooseCommand()
{
    std::vector<QuickEntry> entries;
    for (const Command& command : m_commands->commands()) {
        if (command.name == QLatin1String("commands")) continue;
        entries.push_back({command.title(), command.keys.toString(QKeySequence::NativeText),
                           [action = QPointer(command.answering)] {
                               if (action) action->trigger();
                           },
                           command.whyNot.isEmpty(), command.whyNot.isEmpty() ? command.does : command.whyNot});
    }
    (new QuickList(tr("All commands"), tr("type a command"), std::move(entries), this))->show();
}

void MainWindow::chooseStep()
{
    const auto run = m_hub.run();
    if (!run) return;
    std::vector<QuickEntry> entries;
    for (const Step& step : run->steps)
        entries.push_back({QStringLiteral("%1  %2").arg(step.id.value).arg(words::pass(step.pass)),
                           QStringLiteral("%1  %2").arg(words::phase(step.phase), words::text(step.rule)),
                           [this, id = step.id] { m_hub.showStep(id); }});
    auto* list =
        new QuickList(tr("Go to step"), tr("type a number, a pass, a phase or a rule"), std::move(entries), this);
    list->setCurrentEntry(m_hub.shownStep().value);
    list->show();
}

/// Tab goes on to what can be seen: the panels behind the one in front are passed over.
bool MainWindow::focusNextPrevChild(bool isNext)
{
    QWidget* const from = focusWidget() != nullptr ? focusWidget() : this;
    const auto step = [isNext](const QWidget* at) {
        return isNext ? at->nextInFocusChain() : at->previousInFocusChain();
    };
    for (QWidget* at = step(from); at != from; at = step(at)) {
        if ((at->focusPolicy() & Qt::TabFocus) == 0 || at->focusProxy() != nullptr || !at->isEnabled() ||
            at->window() != this || !at->isVisible())
            continue;
        const View* view = m_commands->viewOf(at); // within it scroll areas follow the focus
        if (view != nullptr && !view->isInFront()) continue;
        at->setFocus(isNext ? Qt::TabFocusReason : Qt::BacktabFocusReason);
        return true;
    }
    return false;
}

/// The cross in its corner, for keys.
void MainWindow::closePanel()
{
    View* front = m_commands->currentView();
    auto* dock = front == nullptr ? nullptr : qobject_cast<QDockWidget*>(front->parentWidget());
    if (dock == nullptr) {
        QString keys; // a person can change them
        for (const QAction* show : m_panelsMenu->actions())
            if (keys.isEmpty() && show->objectName() != QLatin1String("panel_graph"))
                keys = show->shortcut().toString(QKeySequence::NativeText);
        statusBar()->showMessage(keys.isEmpty()
                                     ? tr("The graph stays: choose a panel first.")
                                     : tr("The graph stays: choose a panel first, with %1 for example.").arg(keys),
                                 6000);
        return;
    }
    dock->close();
    m_graph->setFocus();
}

} // namespace gelens
