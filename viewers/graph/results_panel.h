#pragma once
// The list over the canvases: what a search found, or how the instances of repeated blocks differ.

#include "engine/graph/graph.h"

#include <QAbstractTableModel>
#include <QFrame>

#include <memory>
#include <string>
#include <vector>

class QLabel;
class QToolButton;

namespace gelens {

class TablePanel;

/// A row leads to a node or to a block.
struct ResultRow {
    NodeId node;
    std::string group;          ///< key of a block, where no node is meant
    QString type, name, detail; ///< of nodes type and name are read from the graph
};

class ResultsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Type, Name, Detail };
    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::shared_ptr<const Graph> graph, std::vector<ResultRow> rows, bool hasDetail);
    const ResultRow& row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }
    int rowOf(NodeId node) const;
    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : m_hasDetail ? 3 : 2;
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::shared_ptr<const Graph> m_graph;
    std::vector<ResultRow> m_rows;
    bool m_hasDetail = false;
};

class ResultsPanel : public QFrame {
    Q_OBJECT
public:
    explicit ResultsPanel(QWidget* parent);

    void show(const QString& title, std::shared_ptr<const Graph> graph, std::vector<ResultRow> rows, bool hasDetail);
    void setCurrent(NodeId node);
    ResultsModel* model() const { return m_model; }
    /// Puts itself into the upper right corner of its parent.
    void place();

Q_SIGNALS:
    void nodeChosen(gelens::NodeId node);
    void groupChosen(const std::string& key);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose(const QModelIndex& index);

    ResultsModel* m_model;
    TablePanel* m_table;
    QLabel* m_title;
    QToolButton* m_close;
    bool m_hasDetail = false;
};

} // namespace gelens
