#include "viewers/graph/results_panel.h"

#include "viewers/common/table_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace gelens {
namespace {

constexpr std::size_t longestName = 2000; ///< bytes that a list shows of a name

QString textOf(const std::string& text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(std::min(text.size(), longestName)));
}

} // namespace

void ResultsModel::setRows(std::shared_ptr<const Graph> graph, std::vector<ResultRow> rows, bool hasDetail)
{
    beginResetModel();
    m_graph = std::move(graph);
    m_rows = std::move(rows);
    m_hasDetail = hasDetail;
    endResetModel();
}

int ResultsModel::rowOf(NodeId node) const
{
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const ResultRow& row) { return row.node == node; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

QVariant ResultsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const ResultRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool isNode = row.node.isValid() && m_graph && row.node.value < m_graph->nodeIdBound();
    QString text;
    switch (index.column()) {
    case Type: text = isNode ? textOf(m_graph->node(row.node).type) : row.type; break;
    case Name: text = isNode ? textOf(m_graph->node(row.node).name) : row.name; break;
    default: text = row.detail; break;
    }
    return role == Qt::ToolTipRole ? text.left(400).toHtmlEscaped() : text;
}

QVariant ResultsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    if (section == Detail) return tr("Difference");
    if (section == Name) return tr("Name");
    return m_hasDetail ? tr("Block") : tr("Type");
}

ResultsPanel::ResultsPanel(QWidget* parent)
    : QFrame(parent), m_model(new ResultsModel(this)), m_table(new TablePanel), m_title(new QLabel),
      m_close(new QToolButton)
{
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 4, 6, 6);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    m_title->setTextFormat(Qt::PlainText);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    row->addWidget(m_title, 1);
    m_close->setText(QStringLiteral("✕"));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Close the list (Esc)"));
    m_close->setAccessibleName(tr("Close the list"));
    row->addWidget(m_close);
    column->addLayout(row);
    column->addWidget(m_table, 1);
    m_table->setName(QStringLiteral("results"));
    m_table->setModel(m_model);
    connect(m_close, &QToolButton::clicked, this, &ResultsPanel::closed);
    connect(m_table, &TablePanel::chosen, this, &ResultsPanel::choose);
    connect(m_table, &TablePanel::activated, this, &ResultsPanel::choose);
    hide();
}

void ResultsPanel::show(const QString& title, std::shared_ptr<const Graph> graph, std::vector<ResultRow> rows,
                        bool hasDetail)
{
    m_title->setText(title);
    m_title->setToolTip(title.toHtmlEscaped());
    m_hasDetail = hasDetail;
    m_model->setRows(std::move(graph), std::move(rows), hasDetail);
    m_table->view()->setColumnWidth(ResultsModel::Type, 110);
    m_table->view()->setColumnWidth(ResultsModel::Name, hasDetail ? 90 : 220);
    place();
    QFrame::show();
    raise();
}

void ResultsPanel::setCurrent(NodeId node)
{
    const int row = m_model->rowOf(node);
    if (row >= 0) m_table->setCurrentIndex(m_model->index(row, 0));
}

void ResultsPanel::place()
{
    const QSize room = parentWidget()->size();
    const int width = std::min(m_hasDetail ? 520 : 360, std::max(180, room.width() / 2));
    const int rows =
        m_table->view()->header()->sizeHint().height() + (m_model->rowCount() + 1) * (fontMetrics().height() + 8);
    const int height = std::min(std::max(120, room.height() * 3 / 5), 90 + rows);
    setGeometry(room.width() - width - 8, 8, width, height);
}

void ResultsPanel::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT closed();
        return;
    }
    QFrame::keyPressEvent(event);
}

void ResultsPanel::choose(const QModelIndex& index)
{
    if (!index.isValid()) return;
    const ResultRow row = m_model->row(index.row());
    if (row.node.isValid())
        Q_EMIT nodeChosen(row.node);
    else if (!row.group.empty())
        Q_EMIT groupChosen(row.group);
}

} // namespace gelens
