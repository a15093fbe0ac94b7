#include "viewers/models/export_text.h"

#include "viewers/models/table_model.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QStringList>

namespace gelens {
namespace {

QString quoted(QString text)
{
    if (!text.contains(QLatin1Char('"')) && !text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('\n')) &&
        !text.contains(QLatin1Char('\r')))
        return text;
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

QString rawText(const QModelIndex& index)
{
    const QVariant raw = index.data(SortRole);
    if (const QVariant own = index.data(ExportTextRole); own.isValid()) return own.toString();
    // A sort key that is a number while the cell shows a name (a step's position) is no value to export.
    if (isNumber(raw) && index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight)
        return QLocale::c().toString(raw.toDouble(), 'g', 17);
    return index.data().toString();
}

int depthOf(QModelIndex index)
{
    int depth = 0;
    for (index = index.parent(); index.isValid(); index = index.parent()) ++depth;
    return depth;
}

bool isTree(const QAbstractItemModel& model)
{
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.rowCount(model.index(row, 0)) > 0) return true;
    return false;
}

} // namespace

QString rowsAsText(const QModelIndexList& rows)
{
    QStringList lines;
    for (const QModelIndex& row : rows) {
        QStringList cells;
        for (int column = 0; column < row.model()->columnCount(row.parent()); ++column)
            cells += row.siblingAtColumn(column).data().toString();
        while (!cells.isEmpty() && cells.last().isEmpty()) cells.removeLast();
        lines += QString(depthOf(row) * 2, QLatin1Char(' ')) + cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

QString modelAsCsv(const QAbstractItemModel& model)
{
    const bool hasLevels = isTree(model);
    QStringList header;
    if (hasLevels) header += QStringLiteral("level");
    for (int column = 0; column < model.columnCount(); ++column) {
        const QString unit = model.headerData(column, Qt::Horizontal, UnitTextRole).toString();
        const QString title = model.headerData(column, Qt::Horizontal).toString();
        header += quoted(unit.isEmpty() ? title : QStringLiteral("%1 [%2]").arg(title, unit));
    }
    QStringList lines{header.join(QLatin1Char(','))};
    // Depth first with a stack of our own: children are pushed in reverse, so that they come out in order.
    std::vector<QModelIndex> open;
    for (int row = model.rowCount() - 1; row >= 0; --row) open.push_back(model.index(row, 0));
    while (!open.empty()) {
        const QModelIndex index = open.back();
        open.pop_back();
        QStringList cells;
        if (hasLevels) cells += QString::number(depthOf(index));
        for (int column = 0; column < model.columnCount(); ++column)
            cells += quoted(rawText(index.siblingAtColumn(column)));
        lines += cells.join(QLatin1Char(','));
        for (int row = model.rowCount(index) - 1; row >= 0; --row) open.push_back(model.index(row, 0, index));
    }
    return lines.join(QStringLiteral("\r\n")) + QStringLiteral("\r\n");
}

QByteArray modelAsJson(const QAbstractItemModel& model)
{
    // Children are finished before their parent takes them, with a stack of our own.
    struct Level {
        QModelIndex parent;
        int next = 0;
        QJsonArray rows;
        QJsonObject open; ///< the row whose children are being read
    };
    std::vector<Level> levels{{}};
    const auto cells = [&model](const QModelIndex& row) {
        QJsonObject object;
        for (int column = 0; column < model.columnCount(); ++column) {
            const QModelIndex index = row.siblingAtColumn(column);
            const QVariant raw = index.data(SortRole);
            const bool hasNumber = isNumber(raw) && index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
            const QString title = model.headerData(column, Qt::Horizontal).toString();
            if (hasNumber)
                object[title] = raw.toDouble();
            else if (const QVariant own = index.data(ExportTextRole); own.isValid())
                object[title] = own.toString();
            else
                object[title] = index.data().toString();
        }
        return object;
    };
    while (true) {
        Level& level = levels.back();
        if (level.next < model.rowCount(level.parent)) {
            const QModelIndex row = model.index(level.next++, 0, level.parent);
            level.open = cells(row);
            if (model.rowCount(row) > 0)
                levels.push_back({row, 0, {}, {}});
            else
                level.rows.append(level.open);
            continue;
        }
        const QJsonArray done = level.rows;
        levels.pop_back();
        if (levels.empty()) return QJsonDocument(done).toJson(QJsonDocument::Indented);
        levels.back().open[QStringLiteral("rows")] = done;
        levels.back().rows.append(levels.back().open);
    }
}

} // namespace gelens
