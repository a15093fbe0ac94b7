#include "viewers/common/command_texts.h"

#include <QCoreApplication>

namespace gelens {
namespace {

struct CommandTexts {
    Q_DECLARE_TR_FUNCTIONS(gelens::CommandTexts)
};

} // namespace

void setCommandTexts(QAction* action, const QString& text, const QString& does)
{
    action->setText(text);
    action->setStatusTip(does);
    updateCommandTip(action);
}

void updateCommandTip(QAction* action)
{
    const QString keys = action->shortcut().toString(QKeySequence::NativeText), does = action->statusTip();
    action->setToolTip(keys.isEmpty() ? does : CommandTexts::tr("%1 (%2)").arg(does, keys));
}

} // namespace gelens
