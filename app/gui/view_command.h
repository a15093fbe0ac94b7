#pragma once
// What is shown, as a line for a shell that shows it again, and as a text to compare with.

#include "app/core/session_file.h"
#include "app/gui/command_line.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace gelens {

class MainWindow;

/// Opens the model, card, comparison, step and panel in front, with all options of the run; empty when nothing is open.
/// Language, colours and what a person prefers of the drawing are not part of it.
QString commandLineOf(MainWindow& window);

/// One JSON object: model, options, step, selection, panel, kept runs, and of the graphs shown a fingerprint each.
QByteArray stateOf(MainWindow& window);

/// What the command line asks of its last file beyond opening it (a card, other runs, dumps beside it); nothing when it
/// asks for none of that. `soc`: where no --soc is given.
std::optional<SessionContents> sessionOf(const GuiOptions& options, const QString& soc);

} // namespace gelens
