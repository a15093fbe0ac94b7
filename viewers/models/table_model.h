#pragma once
// Base of all flat models: index code once, cells by the derived class.

#include "viewers/models/roles.h"

#include <QAbstractTableModel>
#include <QMetaType>

#include <utility>
#include <vector>

namespace gelens {

/// True for QVariants that hold a number; such cells are aligned to the right.
inline bool isNumber(const QVariant& value)
{
    switch (value.metaType().id()) {
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
    case QMetaType::ULongLong:
    case QMetaType::Double:
    case QMetaType::Float: return true;
    default: return false;
    }
}

/// A list of rows that is replaced in a reset or grows at its end.
template <typename Row>
class TableModel : public QAbstractTableModel {
public:
    using Rows = std::vector<Row>;
    using QAbstractTableModel::QAbstractTableModel;

    void setRows(Rows rows)
    {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
    void append(Rows rows)
    {
        if (rows.empty()) return;
        const int first = static_cast<int>(m_rows.size());
        beginInsertRows({}, first, first + static_cast<int>(rows.size()) - 1);
        m_rows.insert(m_rows.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
        endInsertRows();
    }
    /// Drops the oldest rows, for lists with a limit.
    void removeFirst(int count)
    {
        if (count <= 0) return;
        beginRemoveRows({}, 0, count - 1);
        m_rows.erase(m_rows.begin(), m_rows.begin() + count);
        endRemoveRows();
    }
    const Rows& rows() const { return m_rows; }
    const Row& row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }

    /// Puts one row in place of another; the list keeps its place and selection.
    void setRow(int index, Row row)
    {
        m_rows[static_cast<std::size_t>(index)] = std::move(row);
        Q_EMIT this->dataChanged(this->index(index, 0), this->index(index, columns() - 1));
    }

    /// Texts are to be asked for again: another language, or another state outside the rows.
    void refresh()
    {
        if (columns() > 0) Q_EMIT this->headerDataChanged(Qt::Horizontal, 0, columns() - 1);
        if (!m_rows.empty())
            Q_EMIT this->dataChanged(this->index(0, 0),
                                     this->index(static_cast<int>(m_rows.size()) - 1, columns() - 1));
    }

    int rowCount(const QModelIndex& parent = {}) const final
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const final { return parent.isValid() ? 0 : columns(); }
    QVariant data(const QModelIndex& index, int role) const final
    {
        if (!index.isValid() || index.row() >= rowCount() || index.column() >= columns()) return {};
        const Row& content = row(index.row());
        QVariant value = cell(content, index.column(), role);
        if (value.isValid()) return value;
        if (role == SortRole) return cell(content, index.column(), Qt::DisplayRole);
        if (role == Qt::TextAlignmentRole && isNumber(cell(content, index.column(), SortRole)))
            return int(Qt::AlignRight | Qt::AlignVCenter);
        return {};
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columns()) return {};
        if (role == Qt::DisplayRole) return title(section);
        if (role == UnitTextRole) return unit(section);
        return {};
    }

protected:
    virtual int columns() const = 0;
    virtual QString title(int column) const = 0;
    /// Unit of a column's raw values; empty for texts and counts.
    virtual QString unit(int) const { return {}; }
    virtual QVariant cell(const Row& row, int column, int role) const = 0;

private:
    Rows m_rows;
};

} // namespace gelens
