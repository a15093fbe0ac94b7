#pragma once
// Views of the window by name, and the rows of their lists: found, read and clicked.

#include "app/gui/main_window.h"

#include <QAbstractItemModel>
#include <QStringList>
#include <QTest>
#include <QTreeView>

namespace gelens::test {

template <typename T>
T* viewOf(MainWindow& window, const char* name)
{
    return static_cast<T*>(window.view(QLatin1String(name)));
}

/// Every line of a tree as "name | value".
inline QStringList linesOf(const QAbstractItemModel& model, const QModelIndex& parent = {})
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        lines += QStringLiteral("%1 | %2").arg(index.data().toString(), index.siblingAtColumn(1).data().toString());
        lines += linesOf(model, index);
    }
    return lines;
}

/// The first row, depth first, that starts so.
inline QModelIndex findLine(const QAbstractItemModel& model, const QString& start, const QModelIndex& parent = {})
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        if (index.data().toString().startsWith(start)) return index;
        if (const QModelIndex below = findLine(model, start, index); below.isValid()) return below;
    }
    return {};
}

inline void clickRow(QTreeView* tree, const QModelIndex& index)
{
    tree->scrollTo(index);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(index).center());
}

} // namespace gelens::test
