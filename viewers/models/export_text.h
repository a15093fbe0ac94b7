#pragma once
// Any model, or a choice of its rows, as text.

#include <QAbstractItemModel>
#include <QByteArray>
#include <QString>

namespace gelens {

/// What a cell says in a file where that differs from the window, for instance with the unit that raw numbers lack.
inline constexpr int ExportTextRole = Qt::UserRole + 101;

/// Display texts with tabs between them, one line for each index (its row); children are indented by two spaces.
QString rowsAsText(const QModelIndexList& rows);
/// RFC 4180: every row in the model's order, trees in depth-first order with a leading "level" column. Numbers are raw,
/// with a point, and their unit stands in the header.
QString modelAsCsv(const QAbstractItemModel& model);
/// A list with one object for each row, named by column titles; numbers are numbers, the children of a tree's row are its
/// "rows". UTF-8.
QByteArray modelAsJson(const QAbstractItemModel& model);

} // namespace gelens
