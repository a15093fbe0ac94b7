#include "viewers/inspector/inspector_view.h"

#include "engine/session/node_facts.h"
#include "viewers/common/elided_label.h"
#include "viewers/common/formatter.h"
#include "viewers/common/node_notes.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/inspector/inspector_rows.h"
#include "viewers/models/explaining_chain.h"
#include "viewers/models/property_model.h"
#include "viewers/models/words.h"

#include <QAbstractProxyModel>
#include <QApplication>
#include <QEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QResizeEvent>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace gelens {
namespace {

/// Sections that start folded: long, and not what one looks for first.
const char* const foldedAtFirst[] = {"attributes"};

} // namespace

InspectorView::InspectorView(QWidget* parent)
    : View(parent), m_model(new PropertyModel(this)), m_panel(new TablePanel), m_type(new ElidedLabel),
      m_name(new ElidedLabel), m_facts(new QLabel), m_notice(new QLabel), m_note(new QLabel), m_job(this)
{
    for (const char* key : foldedAtFirst) m_folded.insert(QLatin1String(key));
    QFont large = m_type->font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.3);
    m_type->setFont(large);
    m_name->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* label : {m_facts, m_notice, m_note}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    m_notice->setFrameShape(QFrame::StyledPanel);
    m_notice->setMargin(4);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(8, 6, 8, 2);
    head->setSpacing(1);
    for (QLabel* label : {static_cast<QLabel*>(m_type), static_cast<QLabel*>(m_name), m_facts, m_notice, m_note})
        head->addWidget(label);
    m_note->hide();

    m_panel->setName(QStringLiteral("inspector"));
    m_panel->setModel(m_model);
    m_panel->setWraps(6);
    m_panel->view()->setIndentation(12);
    m_panel->view()->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // values wrap instead
    m_panel->view()->header()->setStretchLastSection(true);
    m_panel->view()->viewport()->installEventFilter(this);
    connect(m_panel->view()->header(), &QHeaderView::sectionResized, this, [this] {
        if ((QApplication::mouseButtons() & Qt::LeftButton) != 0) m_areWidthsUsers = true;
    });

    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_panel, 1);
    m_stack = new StateStack(content);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);

    connect(m_panel, &TablePanel::activated, this, &InspectorView::follow);
    connect(m_panel->view(), &QTreeView::expanded, this, [this] {
        if (!m_isFilling) fitColumns();
    });
    setFocusProxy(m_panel->view());
    m_stack->follow(*this);
}

QString InspectorView::heading() const { return m_type->fullText() + QLatin1Char('\n') + m_name->fullText(); }
QString InspectorView::notice() const { return m_notice->text(); }

void InspectorView::runChanged()
{
    m_stack->follow(*this);
    request();
}

void InspectorView::stateChanged() { m_stack->follow(*this); }
void InspectorView::stepChanged() { request(); }
void InspectorView::selectionChanged() { request(); }

void InspectorView::request()
{
    m_job.cancel();
    if (!run()) {
        rememberFolds();
        m_report = {};
        m_model->setTree({});
        return;
    }
    m_job.start([run = run(), step = shownStep(),
                 selection = selection()](std::stop_token stop) { return gatherReport(run, step, selection, stop); },
                [this](SelectionReport report) { show(std::move(report)); });
}

void InspectorView::show(SelectionReport report)
{
    m_job.finished();
    m_report = std::move(report);
    fill();
    Q_EMIT reportReady();
}

void InspectorView::fill()
{
    if (!m_report.run) return;
    rememberFolds();
    const NodeReport& main = m_report.main;
    m_notice->clear();
    if (m_report.all.empty()) {
        m_type->setFullText(words::text(m_report.run->modelName));
        m_name->setFullText(tr("nothing selected"));
        m_facts->clear();
    } else if (m_report.all.size() > 1) {
        m_type->setFullText(tr("%1 nodes").arg(format::count(static_cast<qint64>(m_report.all.size()))));
        m_name->setFullText(tr("what they share and where they differ"));
        m_facts->clear();
    } else {
        const Node& node = main.asNode();
        m_type->setFullText(words::text(node.type));
        m_name->setFullText(words::text(node.name));
        m_facts->setText(tr("unit %1 %2 · in %3 · out %4")
                             .arg(words::text(nodeUnitSign(main.unit)), words::unit(main.unit))
                             .arg(node.inputCount())
                             .arg(node.outputCount()));
        if (!main.isAliveWhenShown)
            m_notice->setText(main.died.isValid() && m_report.shown >= main.died
                                  ? tr("Not in the graph of step %1: %2 removed it in step %3. Shown as of step %4.")
                                        .arg(m_report.shown.value)
                                        .arg(words::text(m_report.run->step(main.died).pass))
                                        .arg(main.died.value)
                                        .arg(main.content.value)
                                  : tr("Not yet in the graph of step %1: %2 makes it in step %3. Shown as of step %4.")
                                        .arg(m_report.shown.value)
                                        .arg(words::text(m_report.run->step(main.born).pass))
                                        .arg(main.born.value)
                                        .arg(main.content.value));
    }
    m_facts->setVisible(!m_facts->text().isEmpty());
    m_notice->setVisible(!m_notice->text().isEmpty());
    m_isFilling = true;
    m_model->setTree(inspectorRows(m_report));
    restoreFolds();
    m_isFilling = false;
    fitColumns();
    showNote();
}

void InspectorView::setNotes(NodeNotes* notes)
{
    m_notes = notes;
    connect(notes, &NodeNotes::changed, this, &InspectorView::showNote);
}

QString InspectorView::note() const { return m_note->text(); }

/// The longest label in sight that fits into so much; longer ones are names of nodes and wrap in any case.
int InspectorView::labelWidth(int most) const
{
    constexpr int mostRows = 300, margins = 12;
    const QTreeView* tree = m_panel->view();
    const QFontMetrics metrics(tree->font());
    int widest = 0, rows = 0;
    for (QModelIndex at = tree->model()->index(0, 0); at.isValid() && rows < mostRows;
         at = tree->indexBelow(at), ++rows) {
        if (tree->isFirstColumnSpanned(at.row(), at.parent())) continue;
        int depth = 1;
        for (QModelIndex above = at.parent(); above.isValid(); above = above.parent()) ++depth;
        const int width = metrics.horizontalAdvance(at.data().toString()) + depth * tree->indentation() + margins;
        if (width <= most) widest = std::max(widest, width);
    }
    return widest;
}

/// Labels are to be whole, and more than half of the room is for values.
void InspectorView::fitColumns()
{
    if (m_areWidthsUsers) return;
    constexpr int least = 110;
    const int most = std::max(least, m_panel->view()->viewport()->width() * 55 / 100);
    m_labelWidth = std::max(m_labelWidth, labelWidth(most));
    m_panel->view()->header()->resizeSection(PropertyModel::Name, std::clamp(m_labelWidth, least, most));
}

bool InspectorView::eventFilter(QObject* watched, QEvent* event)
{
    // Another height alone changes no column.
    if (watched == m_panel->view()->viewport() && event->type() == QEvent::Resize &&
        static_cast<QResizeEvent*>(event)->size().width() != static_cast<QResizeEvent*>(event)->oldSize().width()) {
        m_labelWidth = 0;
        fitColumns();
    }
    return View::eventFilter(watched, event);
}

void InspectorView::showNote()
{
    QString text;
    if (m_notes != nullptr && m_report.run && m_report.all.size() == 1)
        text = m_notes->note(notesKey(*m_report.run), words::text(m_report.main.asNode().name));
    m_note->setText(text.isEmpty() ? QString() : QStringLiteral("✎ ") + text);
    m_note->setVisible(!text.isEmpty());
}

void InspectorView::rememberFolds()
{
    if (!m_panel->filterLine()->text().isEmpty()) return; // a filter opens everything; that is nobody's wish
    const auto* proxy = static_cast<QAbstractProxyModel*>(m_panel->view()->model());
    for (int row = 0; row < proxy->rowCount(); ++row) {
        const QModelIndex index = proxy->index(row, 0);
        const QString key = m_model->item(proxy->mapToSource(index)).key;
        if (key.isEmpty()) continue;
        if (m_panel->view()->isExpanded(index))
            m_folded.remove(key);
        else
            m_folded.insert(key);
    }
}

void InspectorView::restoreFolds()
{
    QTreeView* tree = m_panel->view();
    const auto* proxy = static_cast<QAbstractProxyModel*>(tree->model());
    for (int row = 0; row < proxy->rowCount(); ++row) {
        const QModelIndex index = proxy->index(row, 0);
        const PropertyItem& item = m_model->item(proxy->mapToSource(index));
        if (!item.isHeading) {
            tree->setFirstColumnSpanned(row, {}, true);
            continue;
        }
        tree->setFirstColumnSpanned(row, {}, true);
        tree->setExpanded(index, !m_folded.contains(item.key));
        for (int child = 0; child < proxy->rowCount(index); ++child) {
            const QModelIndex line = proxy->index(child, 0, index);
            // Links of tensors and places in memory are wanted at once; checks and single edits on request.
            if (item.key == QStringLiteral("tensors") || item.key == QStringLiteral("memory") ||
                item.key == QStringLiteral("different"))
                tree->expand(line);
            if (line.siblingAtColumn(1).data().toString().isEmpty() && proxy->rowCount(line) == 0)
                tree->setFirstColumnSpanned(child, index, true);
            if (item.key == QStringLiteral("verdicts"))
                for (int check = 0; check < proxy->rowCount(line); ++check)
                    if (proxy->index(check, 1, line).data().toString().isEmpty())
                        tree->setFirstColumnSpanned(check, line, true);
        }
    }
}

void InspectorView::follow(const QModelIndex& index)
{
    const QVariant node = index.data(NodeRole), step = index.data(StepRole);
    const QVariant task = index.data(PropertyModel::TaskRole), buffer = index.data(PropertyModel::BufferRole);
    if (task.isValid() || buffer.isValid()) {
        Selection wanted;
        wanted.task = task.isValid() ? task.toInt() : -1;
        wanted.buffer = buffer.isValid() ? buffer.toInt() : -1;
        Q_EMIT panelRequested(task.isValid() ? QStringLiteral("timeline") : QStringLiteral("memory"));
        Q_EMIT selectionRequested(wanted);
        return;
    }
    if (const QVariant refusal = index.data(PropertyModel::RefusalRole); refusal.isValid())
        return explain(*m_report.main.verdicts[refusal.value<std::size_t>()]);
    if (step.isValid()) Q_EMIT stepRequested(StepId{step.toInt()});
    if (node.isValid()) Q_EMIT selectionRequested(Selection::ofNode(NodeId{node.toInt()}));
}

/// To the step of the refusal, with the chain that explains it in front.
void InspectorView::explain(const FusionVerdict& refusal)
{
    Selection wanted = Selection::ofNode(m_report.main.node);
    wanted.chain = explainingChain(*m_report.run, refusal);
    const StepId step = refusal.step; // the report goes with the first of the requests
    if (wanted.chain >= 0) Q_EMIT panelRequested(QStringLiteral("unfused"));
    Q_EMIT stepRequested(step);
    Q_EMIT selectionRequested(wanted);
}

void InspectorView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        m_stack->follow(*this);
        m_labelWidth = 0;
        fill();
    }
    View::changeEvent(event);
}

} // namespace gelens
