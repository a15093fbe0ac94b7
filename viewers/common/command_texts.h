#pragma once
// What every command says of itself, wherever it is offered.

#include <QAction>

namespace gelens {

/// Its name, and what it does: in one sentence for the status bar and, with its keys behind, as tool tip.
void setCommandTexts(QAction* action, const QString& text, const QString& does);
/// The tool tip once more, after the keys were changed.
void updateCommandTip(QAction* action);

} // namespace gelens
