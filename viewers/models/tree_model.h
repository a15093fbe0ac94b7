#pragma once
// Base of all hierarchical models: nodes in one array, index code once, cells by the derived class.

#include "viewers/models/table_model.h"

#include <QAbstractItemModel>

namespace gelens {

/// Nodes are numbered in the order in which they were added; the number is the internal id of their indexes.
template <typename Item>
class TreeModel : public QAbstractItemModel {
public:
    static constexpr int top = 0; ///< the invisible root

    /// A tree that is being put together, without signals.
    class Tree {
    public:
        Tree() : m_nodes(1) {}
        int add(int parent, Item item)
        {
            const int number = static_cast<int>(m_nodes.size());
            std::vector<int>& siblings = m_nodes[static_cast<std::size_t>(parent)].children;
            const int row = static_cast<int>(siblings.size());
            siblings.push_back(number);
            m_nodes.push_back({std::move(item), parent, row, {}});
            return number;
        }
        Item& item(int node) { return m_nodes[static_cast<std::size_t>(node)].item; }
        int size() const { return static_cast<int>(m_nodes.size()); }

    private:
        friend class TreeModel;
        struct Entry {
            Item item{};
            int parent = -1;
            int row = 0;
            std::vector<int> children;
        };
        std::vector<Entry> m_nodes;
    };

    using QAbstractItemModel::QAbstractItemModel;

    void setTree(Tree tree)
    {
        beginResetModel();
        m_tree = std::move(tree);
        endResetModel();
    }
    /// Adds one node below `parent`, behind its siblings. Returns its number.
    int append(int parent, Item item)
    {
        const int row = static_cast<int>(entry(parent).children.size());
        beginInsertRows(indexOf(parent), row, row);
        const int number = m_tree.add(parent, std::move(item));
        endInsertRows();
        return number;
    }
    const Item& item(int node) const { return entry(node).item; }
    const Item& item(const QModelIndex& index) const { return item(nodeAt(index)); }
    int nodeCount() const { return m_tree.size(); }
    int nodeAt(const QModelIndex& index) const { return index.isValid() ? static_cast<int>(index.internalId()) : top; }
    QModelIndex indexOf(int node, int column = 0) const
    {
        return node <= top ? QModelIndex() : createIndex(entry(node).row, column, static_cast<quintptr>(node));
    }
    void refresh()
    {
        if (columns() > 0) Q_EMIT this->headerDataChanged(Qt::Horizontal, 0, columns() - 1);
        for (int node = top; node < nodeCount(); ++node) {
            const int count = static_cast<int>(entry(node).children.size());
            if (count == 0) continue;
            const QModelIndex parent = indexOf(node);
            Q_EMIT this->dataChanged(index(0, 0, parent), index(count - 1, columns() - 1, parent));
        }
    }

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const final
    {
        if (row < 0 || column < 0 || column >= columns() || (parent.isValid() && parent.column() != 0)) return {};
        const std::vector<int>& children = entry(nodeAt(parent)).children;
        if (row >= static_cast<int>(children.size())) return {};
        return createIndex(row, column, static_cast<quintptr>(children[static_cast<std::size_t>(row)]));
    }
    QModelIndex parent(const QModelIndex& index) const final
    {
        return index.isValid() ? indexOf(entry(nodeAt(index)).parent) : QModelIndex();
    }
    int rowCount(const QModelIndex& parent = {}) const final
    {
        if (parent.isValid() && parent.column() != 0) return 0;
        return static_cast<int>(entry(nodeAt(parent)).children.size());
    }
    int columnCount(const QModelIndex& = {}) const final { return columns(); }
    QVariant data(const QModelIndex& index, int role) const final
    {
        if (!index.isValid()) return {};
        const int node = nodeAt(index);
        QVariant value = cell(node, index.column(), role);
        if (value.isValid()) return value;
        if (role == SortRole) return cell(node, index.column(), Qt::DisplayRole);
        if (role == Qt::TextAlignmentRole && isNumber(cell(node, index.column(), SortRole)))
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
    virtual QString unit(int) const { return {}; }
    virtual QVariant cell(int node, int column, int role) const = 0;

private:
    const typename Tree::Entry& entry(int node) const { return m_tree.m_nodes[static_cast<std::size_t>(node)]; }
    Tree m_tree;
};

} // namespace gelens
