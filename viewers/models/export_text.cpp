#include "viewers/models/export_text.h"

#include "viewers/models/table_model.h"

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

} // namespace

bool isListedBefore(QModelIndex a, QModelIndex b)
{
    const int depthA = depthOf(a), depthB = depthOf(b);
    for (int depth = depthA; depth > depthB; --depth) a = a.parent();
    for (int depth = depthB; depth > depthA; --depth) b = b.parent();
    if (a.row() == b.row() && a.parent() == b.parent()) return depthA < depthB; // one holds the other
    while (a.parent() != b.parent()) {
        a = a.parent();
        b = b.parent();
    }
    return a.row() < b.row();
}

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

ListText::ListText(const QAbstractItemModel& model, ListForm form) : m_model(model), m_form(form)
{
    for (int column = 0; column < model.columnCount(); ++column)
        m_titles += model.headerData(column, Qt::Horizontal).toString();
    begin(false);
}

/// Whether a tree is one shows at its first row with children; until then it is written as a table.
void ListText::begin(bool hasLevels)
{
    m_hasLevels = hasLevels;
    m_levels.assign(1, {});
    m_text.clear();
    if (m_form == ListForm::Json) {
        m_text += '[';
        return;
    }
    QStringList header;
    if (hasLevels) header += QStringLiteral("level");
    for (int column = 0; column < m_titles.size(); ++column) {
        const QString unit = m_model.headerData(column, Qt::Horizontal, UnitTextRole).toString();
        header += quoted(unit.isEmpty() ? m_titles[column] : QStringLiteral("%1 [%2]").arg(m_titles[column], unit));
    }
    m_text += header.join(QLatin1Char(',')).toUtf8() + "\r\n";
}

bool ListText::advance(const QDeadlineTimer& until)
{
    while (!m_isWhole && step())
        if (until.hasExpired()) return false;
    return m_isWhole;
}

/// One row, or the end of a level; false at the end of all.
bool ListText::step()
{
    Level& level = m_levels.back();
    if (level.next >= m_model.rowCount(level.parent)) {
        finish();
        return !m_isWhole;
    }
    const QModelIndex row = m_model.index(level.next, 0, level.parent);
    const bool hasChildren = m_model.rowCount(row) > 0;
    if (m_form == ListForm::Csv && hasChildren && !m_hasLevels) {
        begin(true);
        return true;
    }
    ++level.next;
    if (m_form == ListForm::Csv)
        writeCsv(row);
    else
        writeJson(row, hasChildren);
    if (hasChildren) m_levels.push_back({row, 0});
    return true;
}

/// The rows of a level are through.
void ListText::finish()
{
    if (m_form == ListForm::Json) m_text += m_levels.size() > 1 ? "\n]}" : "\n]\n";
    if (m_levels.size() > 1)
        m_levels.pop_back();
    else
        m_isWhole = true;
}

void ListText::writeCsv(const QModelIndex& row)
{
    QStringList cells;
    if (m_hasLevels) cells += QString::number(m_levels.size() - 1);
    for (int column = 0; column < m_titles.size(); ++column) cells += quoted(rawText(row.siblingAtColumn(column)));
    m_text += cells.join(QLatin1Char(',')).toUtf8() + "\r\n";
}

void ListText::writeJson(const QModelIndex& row, bool hasChildren)
{
    QJsonObject object;
    for (int column = 0; column < m_titles.size(); ++column) {
        const QModelIndex index = row.siblingAtColumn(column);
        const QVariant raw = index.data(SortRole);
        if (isNumber(raw) && index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight)
            object[m_titles[column]] = raw.toDouble();
        else if (const QVariant own = index.data(ExportTextRole); own.isValid())
            object[m_titles[column]] = own.toString();
        else
            object[m_titles[column]] = index.data().toString();
    }
    m_text += m_levels.back().next > 1 ? ",\n" : "\n";
    m_text += QJsonDocument(object).toJson(QJsonDocument::Compact);
    if (!hasChildren) return;
    m_text.chop(1); // the brace; it comes behind the children
    m_text += m_titles.isEmpty() ? "\"rows\":[" : ",\"rows\":[";
}

QString modelAsCsv(const QAbstractItemModel& model)
{
    ListText text(model, ListForm::Csv);
    text.advance(QDeadlineTimer(QDeadlineTimer::Forever));
    return QString::fromUtf8(text.text());
}

QByteArray modelAsJson(const QAbstractItemModel& model)
{
    ListText text(model, ListForm::Json);
    text.advance(QDeadlineTimer(QDeadlineTimer::Forever));
    return text.text();
}

} // namespace gelens
