#pragma once
// Where a list or a picture is to be written.

#include <QString>

#include <span>
#include <utility>

class QWidget;

namespace gelens {

/// The ending of a file's name and what a dialog says of it: "svg", "SVG (*.svg)".
using FileKind = std::pair<const char*, const char*>;

/// A path from the person, empty when they thought better of it; with the ending of `kind`, which is proposed, where they
/// wrote none. `more` are filters behind those of the kinds.
QString askForExportPath(QWidget* parent, const QString& title, const QString& name, const QString& kind,
                         std::span<const FileKind> kinds, const QString& more = {});

} // namespace gelens
