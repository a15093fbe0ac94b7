#pragma once
// What is shown, as a line for a shell that shows it again, and as a text to compare with.

#include "app/core/session_file.h"
#include "app/gui/command_line.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace gelens {

class MainWindow;

/// Opens the model, card, comparison, step and panel in front, with all options of the run and the graph drawn the same
/// way; empty when nothing is open. Language and theme are the person's and not part of it.
QString commandLineOf(MainWindow& window);

/// One JSON object: model, options, step, selection, panel, kept runs, how the graph is drawn, and of the graphs shown a
/// fingerprint each.
QByteArray stateOf(MainWindow& window);

/// Draws the graph as the command line says and gives the text diff and the log decoder their files. What is wrong with
/// those, in one line; empty: nothing.
QString applyWindowOptions(MainWindow& window, const GuiOptions& options);

/// What the command line asks of its last file beyond opening it (a card, other runs, dumps beside it); nothing when it
/// asks for none of that. `soc`: where no --soc is given.
std::optional<SessionContents> sessionOf(const GuiOptions& options, const QString& soc);

} // namespace gelens
