// Why a command is switched off, said where it is looked for.
#include "app/gui/command_registry.h"

#include "app/gui/main_window.h"

#include <QCoreApplication>

#include <map>

namespace gelens {
namespace {

struct CommandReasons {
    Q_DECLARE_TR_FUNCTIONS(gelens::CommandReasons)
};

/// What the command itself waits for; empty where it is the model.
QString ownReason(const QString& command)
{
    static const std::map<QString, const char*> reasons{
        {QStringLiteral("first"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "This is the first step.")},
        {QStringLiteral("step_back"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "This is the first step.")},
        {QStringLiteral("previous_change"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "This is the first step.")},
        {QStringLiteral("step"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "This is the last step.")},
        {QStringLiteral("last"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "This is the last step.")},
        {QStringLiteral("next_change"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "This is the last step.")},
        {QStringLiteral("run_to_breakpoint"),
         QT_TRANSLATE_NOOP("gelens::CommandReasons", "No breakpoint stops behind this step.")},
        {QStringLiteral("back_to_breakpoint"),
         QT_TRANSLATE_NOOP("gelens::CommandReasons", "No breakpoint stops before this step.")},
        {QStringLiteral("break_on_node"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "Select a node first.")},
        {QStringLiteral("node_numbers"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "Select a node first.")},
        {QStringLiteral("note"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "Select a node first.")},
        {QStringLiteral("resume"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "No run is halted.")},
        {QStringLiteral("step_edit"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "No run is halted.")},
        {QStringLiteral("finish_pass"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "No run is halted.")},
        {QStringLiteral("saved_searches"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "No search is kept yet.")},
        {QStringLiteral("save_search"),
         QT_TRANSLATE_NOOP("gelens::CommandReasons", "Write a search above the graph first.")},
        {QStringLiteral("graph_results"),
         QT_TRANSLATE_NOOP("gelens::CommandReasons", "Write a search above the graph first.")},
        {QStringLiteral("graph_next_hit"),
         QT_TRANSLATE_NOOP("gelens::CommandReasons", "Write a search above the graph first.")},
        {QStringLiteral("graph_previous_hit"),
         QT_TRANSLATE_NOOP("gelens::CommandReasons", "Write a search above the graph first.")},
        {QStringLiteral("graph_undo"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "There is nothing to take back.")},
        {QStringLiteral("graph_redo"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "Nothing was taken back.")},
        {QStringLiteral("graph_everything"), QT_TRANSLATE_NOOP("gelens::CommandReasons", "Nothing is hidden.")},
        {QStringLiteral("graph_close_tab"),
         QT_TRANSLATE_NOOP("gelens::CommandReasons", "The whole graph is shown, not a tab.")}};
    const auto found = reasons.find(command);
    return found == reasons.end() ? QString() : CommandReasons::tr(found->second);
}

} // namespace

QString whyDisabled(MainWindow& window, const QString& command)
{
    // What does not speak of the model.
    if (command == QLatin1String("cancel")) return CommandReasons::tr("Nothing is running.");
    if (command == QLatin1String("pause")) return CommandReasons::tr("Nothing that can be paused is running.");
    if (command.startsWith(QLatin1String("breakpoint_"))) return CommandReasons::tr("Choose a breakpoint in the list.");
    if (command == QLatin1String("list_copy")) return CommandReasons::tr("No row is chosen.");
    if (command.isEmpty()) return CommandReasons::tr("The list is empty.");
    const OpenModel* model = window.hub()->current();
    if (model == nullptr) return CommandReasons::tr("Open a model first.");
    const QString own = model->run ? ownReason(command) : QString(); // a model that is being opened has no steps yet
    if (!own.isEmpty()) return own;
    if (model->isBusy) return CommandReasons::tr("Wait for the end of the run, or cancel it.");
    return CommandReasons::tr("The model shown does not allow it.");
}

} // namespace gelens
