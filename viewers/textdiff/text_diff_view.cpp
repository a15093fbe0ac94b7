#include "viewers/textdiff/text_diff_view.h"

#include "viewers/common/chart_export.h"
#include "viewers/common/column_fit.h"
#include "viewers/common/formatter.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/common/view_limits.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"
#include "viewers/textdiff/dump_pane.h"
#include "viewers/textdiff/text_changes_model.h"

#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace gelens {

TextDiffView::TextDiffView(QWidget* parent)
    : View(parent), m_model(new TextChangesModel(this)), m_panel(new TablePanel), m_form(new QComboBox),
      m_files(new QToolButton), m_steps(new QToolButton), m_previous(new QToolButton), m_next(new QToolButton),
      m_summary(new QLabel), m_beforeTitle(new QLabel), m_afterTitle(new QLabel), m_before(new DumpPane),
      m_after(new DumpPane), m_job(this), m_finding(this)
{
    m_panel->setName(QStringLiteral("text_diff"));
    m_panel->setModel(m_model);
    m_panel->view()->setIndentation(14);
    new ColumnFit(m_panel->view(),
                  {{TextChangesModel::What, 210}, {TextChangesModel::Before, 80}, {TextChangesModel::After, 100}},
                  TextChangesModel::After);
    for (const DumpTextForm form : {DumpTextForm::GeOnnx, DumpTextForm::GeProto, DumpTextForm::Readable})
        m_form->addItem(words::text(dumpTextFormName(form)), static_cast<int>(form));
    for (QToolButton* button : {m_files, m_steps, m_previous, m_next}) button->setAutoRaise(true);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 3, 6, 1);
    bar->addWidget(m_form);
    bar->addWidget(m_previous);
    bar->addWidget(m_next);
    bar->addWidget(m_summary, 1);
    bar->addWidget(m_steps);
    bar->addWidget(m_files);
    for (QLabel* label : {m_summary, m_beforeTitle, m_afterTitle}) label->setTextFormat(Qt::PlainText);

    auto* panes = new QSplitter;
    panes->setChildrenCollapsible(false);
    for (const auto& [title, pane] : {std::pair(m_beforeTitle, m_before), std::pair(m_afterTitle, m_after)}) {
        auto* column = new QWidget;
        auto* layout = new QVBoxLayout(column);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(1);
        title->setContentsMargins(6, 0, 6, 0);
        layout->addWidget(title);
        layout->addWidget(pane, 1);
        panes->addWidget(column);
    }
    new ChartExport(this, panes, [this, panes]() -> ChartExport::Chart {
        if (!m_result.before || !m_result.after) return {};
        return {tr("Export both texts"), QStringLiteral("dump-diff"), ChartExport::writerOf(*panes), {}};
    });
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_panel);
    splitter->addWidget(panes);
    splitter->setSizes({560, 700});
    auto* content = new QWidget;
    auto* contentLayout = new QVBoxLayout(content);
    contentLayout->setContentsMargins(0, 0, 0, 0);
    contentLayout->setSpacing(1);
    contentLayout->addLayout(bar);
    contentLayout->addWidget(splitter, 1);
    m_stack = new StateStack(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setFocusProxy(m_panel->view());

    connect(m_form, &QComboBox::currentIndexChanged, this, &TextDiffView::request);
    connect(m_files, &QToolButton::clicked, this, &TextDiffView::chooseFiles);
    connect(m_steps, &QToolButton::clicked, this, &TextDiffView::compareSteps);
    connect(m_previous, &QToolButton::clicked, this, &TextDiffView::previousChange);
    connect(m_next, &QToolButton::clicked, this, &TextDiffView::nextChange);
    for (const auto signal : {&TablePanel::chosen, &TablePanel::activated})
        connect(m_panel, signal, this, [this](const QModelIndex& index) {
            showChange(m_model->changeOf(index));
            selectNodeOf(m_model->changeOf(index));
        });
    // Both panes scroll as one: the same node stands in them.
    for (const auto& [from, to] : {std::pair(m_before, m_after), std::pair(m_after, m_before)})
        connect(from->horizontalScrollBar(), &QScrollBar::valueChanged, to->horizontalScrollBar(),
                &QScrollBar::setValue);
    retranslate();
}

TextDiffView::~TextDiffView() = default;

QString TextDiffView::summary() const { return m_summary->text(); }
QString TextDiffView::beforeText() const { return m_before->toPlainText(); }
QString TextDiffView::afterText() const { return m_after->toPlainText(); }

// Two files stay what they are whatever the run does.
void TextDiffView::runChanged()
{
    if (m_beforeFile.isEmpty()) request();
}
void TextDiffView::stepChanged() { runChanged(); }
void TextDiffView::selectNodeOf(const TextChange* change)
{
    if (change == nullptr || !run() || !m_beforeFile.isEmpty()) return;
    m_finding.start([run = run(), step = change->afterNode.isEmpty() ? comparedStep() : shownStep(),
                     name = change->node](std::stop_token) { return run->graphAt(step)->findNode(name); },
                    [this](NodeId node) {
                        m_finding.finished();
                        if (node.isValid()) Q_EMIT selectionRequested(Selection::ofNode(node));
                    });
}

void TextDiffView::selectionChanged()
{
    if (!run() || !m_beforeFile.isEmpty() || !m_result.diff || !selection().node.isValid()) return;
    // By name: the texts are all that two dumps have in common. A kernel may have the name of an operator that it took
    // in: which of the two is meant, the step tells, and that is looked up in the whole journal.
    m_finding.start(
        [run = run(), node = selection().node, shown = shownStep()](std::stop_token) {
            const Run::Life life = run->livesOf({node}).front();
            const bool isAfter = life.born <= shown && (!life.died.isValid() || shown < life.died);
            return std::pair(run->nameOf(node), isAfter);
        },
        [this](const std::pair<std::string, bool>& found) {
            m_finding.finished();
            showNode(found.first, found.second);
        });
}

void TextDiffView::showNode(const std::string& name, bool isAfter)
{
    if (!m_result.diff) return;
    const auto isOfNode = [&](const TextChange& change) {
        return change.node == name && !(isAfter ? change.afterNode : change.beforeNode).isEmpty();
    };
    const TextChange* current = m_model->changeOf(m_panel->currentIndex());
    if (current != nullptr && isOfNode(*current)) return;
    const std::vector<TextChange>& changes = m_result.diff->changes;
    const auto found = std::find_if(changes.begin(), changes.end(), isOfNode);
    if (found == changes.end()) return;
    m_panel->setCurrentIndex(m_model->indexOfChange(static_cast<int>(found - changes.begin())));
    showChange(&*found);
}

void TextDiffView::stateChanged()
{
    if (m_beforeFile.isEmpty())
        m_stack->follow(*this);
    else
        m_stack->showContent();
    if (!m_result.isTooLarge) return;
    const auto choose = [this] { chooseFiles(); };
    if (m_beforeFile.isEmpty())
        m_stack->showTooLarge({tr("The graph has %1 nodes; the text diff writes up to %2 of them as text.")
                                   .arg(format::count(m_result.size), format::count(limits::textNodes)),
                               tr("The dump diff lists what the step changed. Dumps in files are read piece by piece: "
                                  "compare two of them here."),
                               tr("Choose files…"), choose});
    else
        m_stack->showTooLarge({tr("The two files have %1; the text diff compares up to %2.")
                                   .arg(format::bytes(m_result.size), format::bytes(limits::textBytes)),
                               tr("Open their folder to compare them as graphs in the dump diff, or choose smaller "
                                  "dumps: DUMP_GE_GRAPH=2 leaves out the values of constants."),
                               tr("Choose files…"), choose});
}

void TextDiffView::compareFiles(const QString& before, const QString& after)
{
    m_beforeFile = before;
    m_afterFile = after;
    m_result.isTooLarge = false;
    stateChanged();
    request();
}

void TextDiffView::compareSteps()
{
    m_beforeFile.clear();
    m_afterFile.clear();
    m_result.isTooLarge = false;
    stateChanged();
    request();
}

void TextDiffView::chooseFiles()
{
    const QString before = QFileDialog::getOpenFileName(this, tr("The dump before"));
    if (before.isEmpty()) return;
    const QString after = QFileDialog::getOpenFileName(this, tr("The dump after"), QFileInfo(before).absolutePath());
    if (!after.isEmpty()) compareFiles(before, after);
}

void TextDiffView::Answer::compare(std::stop_token stop)
{
    auto found = diffTexts(*before, *after, stop);
    if (found.ok())
        diff = std::make_shared<TextDiff>(std::move(*found));
    else
        error = words::sentence(found.error().message());
}

void TextDiffView::request()
{
    m_job.cancel();
    if (!m_beforeFile.isEmpty()) {
        m_summary->setText(tr("comparing …"));
        m_job.start(
            [before = m_beforeFile.toStdString(), after = m_afterFile.toStdString()](std::stop_token stop) {
                Answer answer;
                auto first = DumpText::open(before), second = DumpText::open(after);
                if (!first.ok() || !second.ok()) {
                    answer.error = words::sentence((first.ok() ? second.error() : first.error()).message());
                    return answer;
                }
                answer.size = static_cast<std::int64_t>((*first)->text().size() + (*second)->text().size());
                answer.isTooLarge = answer.size > limits::textBytes;
                if (answer.isTooLarge) return answer;
                answer.before = *first;
                answer.after = *second;
                answer.compare(stop);
                return answer;
            },
            [this](Answer answer) { show(std::move(answer)); });
        return;
    }
    if (!run()) return show({});
    m_summary->setText(tr("comparing …"));
    const auto title = [this](StepId step) {
        return tr("step %1 · %2").arg(step.value).arg(words::pass(run()->step(step).pass)).toStdString();
    };
    m_job.start(
        [run = run(), from = comparedStep(), to = shownStep(),
         form = static_cast<DumpTextForm>(m_form->currentData().toInt()), fromTitle = title(comparedStep()),
         toTitle = title(shownStep())](std::stop_token stop) {
            Answer answer;
            const auto before = run->graphAt(from), after = run->graphAt(to);
            answer.size = std::max(before->nodeCount(), after->nodeCount());
            answer.isTooLarge = answer.size > limits::textNodes;
            if (answer.isTooLarge) return answer;
            answer.before = DumpText::of(*before, form, fromTitle);
            if (!stop.stop_requested()) answer.after = DumpText::of(*after, form, toTitle);
            if (!stop.stop_requested()) answer.compare(stop);
            return answer;
        },
        [this](Answer answer) { show(std::move(answer)); });
}

void TextDiffView::show(Answer answer)
{
    m_job.finished();
    const Answer keep = std::exchange(m_result, std::move(answer));
    m_model->setDiff(m_result.diff);
    // Thousands of fields unfolded at once would hold the window up; the list's menu unfolds them.
    constexpr std::size_t mostUnfolded = 5'000;
    if (!m_result.diff || m_result.diff->changes.size() <= mostUnfolded) m_panel->view()->expandAll();
    m_beforeTitle->setText(m_result.before ? words::text(m_result.before->title()) : QString());
    m_afterTitle->setText(m_result.after ? words::text(m_result.after->title()) : QString());
    showChange(nullptr);
    if (m_result.diff && !m_result.diff->changes.empty()) {
        m_panel->setCurrentIndex(m_model->indexOfChange(0));
        showChange(&m_result.diff->changes.front());
    }
    selectionChanged();
    updateSummary();
    stateChanged();
    Q_EMIT ready();
}

void TextDiffView::showChange(const TextChange* change)
{
    if (change == nullptr || !m_result.before || !m_result.after) {
        m_before->setNothing(tr("Choose a change to read the node's text."));
        m_after->setNothing({});
        return;
    }
    if (change->beforeNode.isEmpty())
        m_before->setNothing(tr("The node is not there."));
    else
        m_before->setPiece(m_result.before->text(), change->beforeNode, change->beforeField,
                           change->field.empty() || change->kind == ChangeKind::Removed ? ChangeKind::Removed
                                                                                        : ChangeKind::Changed);
    if (change->afterNode.isEmpty())
        m_after->setNothing(tr("The node is not there."));
    else
        m_after->setPiece(m_result.after->text(), change->afterNode, change->afterField,
                          change->field.empty() || change->kind == ChangeKind::Added ? ChangeKind::Added
                                                                                     : ChangeKind::Changed);
}

void TextDiffView::move(int direction)
{
    if (!m_result.diff || m_result.diff->changes.empty()) return;
    const int count = static_cast<int>(m_result.diff->changes.size());
    const TextChange* current = m_model->changeOf(m_panel->currentIndex());
    const int at =
        current == nullptr ? (direction > 0 ? -1 : count) : static_cast<int>(current - m_result.diff->changes.data());
    const int next = (at + direction + count) % count;
    m_panel->setCurrentIndex(m_model->indexOfChange(next));
    showChange(&m_result.diff->changes[static_cast<std::size_t>(next)]);
}

void TextDiffView::updateSummary()
{
    const bool hasChanges = m_result.diff && !m_result.diff->changes.empty();
    m_previous->setEnabled(hasChanges);
    m_next->setEnabled(hasChanges);
    m_form->setEnabled(m_beforeFile.isEmpty());
    m_steps->setEnabled(!m_beforeFile.isEmpty());
    if (!m_result.error.isEmpty())
        m_summary->setText(m_result.error);
    else if (!m_result.diff)
        m_summary->clear();
    else if (hasChanges)
        m_summary->setText(tr("%1 differences · %2 nodes are equal")
                               .arg(format::count(static_cast<qint64>(m_result.diff->changes.size())),
                                    format::count(static_cast<qint64>(m_result.diff->equalNodes))));
    else
        m_summary->setText(tr("Both texts say the same of all %1 nodes.")
                               .arg(format::count(static_cast<qint64>(m_result.diff->nodesAfter))));
}

void TextDiffView::retranslate()
{
    m_panel->setEmptyText(tr("No node differs between the two texts."));
    m_form->setToolTip(tr("The form in which GE would dump both steps"));
    m_form->setAccessibleName(m_form->toolTip());
    m_previous->setText(QStringLiteral("◀"));
    m_previous->setToolTip(tr("Previous difference"));
    m_next->setText(QStringLiteral("▶"));
    m_next->setToolTip(tr("Next difference"));
    m_files->setText(tr("Two files…"));
    m_files->setToolTip(tr("Compare two dump files in place of the steps"));
    m_steps->setText(tr("Steps"));
    m_steps->setToolTip(tr("Back to the steps of the run"));
    m_model->refresh();
    updateSummary();
    stateChanged();
}

void TextDiffView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    View::changeEvent(event);
}

} // namespace gelens
