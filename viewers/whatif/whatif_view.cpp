#include "viewers/whatif/whatif_view.h"

#include "viewers/common/column_fit.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/models/option_words.h"
#include "viewers/models/run_figures.h"
#include "viewers/whatif/kept_runs_model.h"
#include "viewers/whatif/run_difference_model.h"
#include "viewers/whatif/whatif_form.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace gelens {

WhatIfView::WhatIfView(QWidget* parent)
    : View(parent), m_form(new WhatIfForm), m_name(new QLineEdit), m_run(new QPushButton), m_reset(new QPushButton),
      m_compare(new QPushButton), m_use(new QPushButton), m_remove(new QPushButton), m_changes(new QLabel),
      m_notice(new QLabel), m_hint(new QLabel), m_runsModel(new KeptRunsModel(this)),
      m_differenceModel(new RunDifferenceModel(this)), m_runs(new TablePanel), m_differences(new TablePanel)
{
    for (QLabel* label : {m_changes, m_notice, m_hint}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setContentsMargins(8, 0, 8, 0);
    }
    m_run->setObjectName(QStringLiteral("whatif_run"));
    auto* start = new QHBoxLayout;
    start->setContentsMargins(8, 4, 8, 6);
    start->addWidget(m_name, 1);
    start->addWidget(m_run);
    start->addWidget(m_reset);
    auto* left = new QWidget;
    auto* leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(0, 0, 0, 0);
    leftLayout->setSpacing(4);
    leftLayout->addWidget(m_form, 1);
    leftLayout->addWidget(m_changes);
    leftLayout->addWidget(m_notice);
    leftLayout->addLayout(start);

    m_runs->setName(QStringLiteral("runs"));
    m_runs->setModel(m_runsModel);
    m_runs->setFilterVisible(false);
    new ColumnFit(m_runs->view(), {{KeptRunsModel::Name, 100}, {KeptRunsModel::Changes, 80}}, KeptRunsModel::Changes);
    m_differences->setName(QStringLiteral("differences"));
    m_differences->setModel(m_differenceModel);
    m_differences->setFilterVisible(false);
    m_differences->view()->setIndentation(12);
    new ColumnFit(m_differences->view(), {{RunDifferenceModel::Name, 120}}, RunDifferenceModel::Change);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(6, 2, 6, 4);
    for (QPushButton* button : {m_compare, m_use, m_remove}) buttons->addWidget(button);
    buttons->addStretch(1);
    auto* right = new QWidget;
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(0, 0, 0, 0);
    auto* lists = new QSplitter(Qt::Vertical);
    lists->addWidget(m_runs);
    lists->addWidget(m_differences);
    lists->setSizes({110, 220});
    lists->setChildrenCollapsible(false);
    rightLayout->addWidget(lists, 1);
    rightLayout->addWidget(m_hint);
    rightLayout->addLayout(buttons);
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(left);
    splitter->addWidget(right);
    splitter->setSizes({430, 700});
    m_stack = new StateStack(splitter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setFocusProxy(m_form->soc());

    connect(m_form, &WhatIfForm::edited, this, &WhatIfView::updateForm);
    const auto request = [this] {
        if (m_run->isEnabled())
            Q_EMIT runRequested(m_form->options(), m_name->text().trimmed().isEmpty() ? m_name->placeholderText()
                                                                                      : m_name->text().trimmed());
    };
    connect(m_run, &QPushButton::clicked, this, request);
    connect(m_name, &QLineEdit::returnPressed, this, request);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        if (run()) m_form->setOptions(run()->options);
    });
    connect(m_runs, &TablePanel::chosen, this, [this] { showDifferences(); });
    connect(m_runs, &TablePanel::activated, this, [this](const QModelIndex&) {
        if (const KeptRun* kept = chosen()) m_form->setOptions(kept->options);
    });
    connect(m_runsModel, &KeptRunsModel::renamed, this, &WhatIfView::renameRequested);
    connect(m_compare, &QPushButton::clicked, this, [this] {
        if (const KeptRun* kept = chosen()) Q_EMIT compareRequested(kept->id);
    });
    connect(m_use, &QPushButton::clicked, this, [this] {
        if (const KeptRun* kept = chosen()) Q_EMIT useRequested(kept->id);
    });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        if (const KeptRun* kept = chosen()) Q_EMIT removeRequested(kept->id);
    });
    retranslate();
}

QString WhatIfView::notice() const { return m_notice->text(); }

void WhatIfView::runChanged()
{
    m_form->setBase(run());
    setKeptRuns(m_kept);
    stateChanged();
}

void WhatIfView::stateChanged()
{
    m_stack->follow(*this);
    if (run() && !isCompiled(*run()))
        m_stack->showEmpty(tr("Dumps cannot be compiled with other options."),
                           tr("Open the model itself: each option can be changed there, and the runs compared."));
}

void WhatIfView::propose(const CompileOptions& options)
{
    m_form->setOptions(options);
    updateForm();
}

const KeptRun* WhatIfView::chosen() const
{
    const QModelIndex index = m_runs->currentIndex();
    if (!index.isValid()) return nullptr;
    const int id = m_runsModel->row(index.row()).id;
    const auto found = std::find_if(m_kept.begin(), m_kept.end(), [id](const KeptRun& kept) { return kept.id == id; });
    return found == m_kept.end() ? nullptr : &*found;
}

void WhatIfView::setKeptRuns(std::vector<KeptRun> runs)
{
    const KeptRun* before = chosen();
    int wanted = before == nullptr ? -1 : before->id;
    // A run that is new, or has just ended, is what one wants to read.
    for (const KeptRun& kept : runs) {
        const auto known =
            std::find_if(m_kept.begin(), m_kept.end(), [&](const KeptRun& other) { return other.id == kept.id; });
        if (known == m_kept.end() || (known->isRunning && !kept.isRunning)) wanted = kept.id;
    }
    m_kept = std::move(runs);
    m_runsModel->setRuns(run(), m_kept);
    chooseRun(wanted);
}

void WhatIfView::chooseRun(int id)
{
    for (int row = 0; row < m_runsModel->rowCount(); ++row)
        if (m_runsModel->row(row).id == id) m_runs->setCurrentIndex(m_runsModel->index(row, 0));
    showDifferences();
}

void WhatIfView::showDifferences()
{
    const KeptRun* kept = chosen();
    if (kept != nullptr && !kept->cards.empty())
        m_differenceModel->setCards(run(), kept->cards, kept->options);
    else
        m_differenceModel->setRuns(run(), kept == nullptr ? nullptr : kept->run);
    m_differences->view()->expandAll();
    for (const int column : {RunDifferenceModel::Base, RunDifferenceModel::Other, RunDifferenceModel::Change})
        m_differences->view()->resizeColumnToContents(column);
    updateButtons();
    Q_EMIT runChosen(kept == nullptr ? nullptr : kept->run, kept == nullptr ? QString() : kept->name);
}

void WhatIfView::updateForm()
{
    const QString problem = m_form->problem();
    const auto changes = run() ? optionChanges(run()->options, m_form->options()) : std::vector<OptionChange>();
    m_changes->setText(words::optionChanges(changes));
    m_name->setPlaceholderText(changes.empty() ? tr("name of the run") : words::optionChanges(changes).left(60));
    m_notice->setText(problem);
    m_notice->setVisible(!problem.isEmpty());
    updateButtons();
}

void WhatIfView::updateButtons()
{
    const KeptRun* kept = chosen();
    m_run->setEnabled(run() && m_form->problem().isEmpty() && !(m_form->options() == run()->options));
    m_compare->setEnabled(kept != nullptr && kept->run);
    m_use->setEnabled(kept != nullptr && (kept->run || !kept->cards.empty()));
    m_remove->setEnabled(kept != nullptr);
    m_hint->setVisible(kept == nullptr);
}

void WhatIfView::retranslate()
{
    m_differences->setEmptyText(tr("Nothing to compare yet: change an option and press Run."));
    m_run->setText(tr("Run"));
    m_run->setToolTip(tr("Compile with these options and keep the run (Enter in the name)"));
    m_reset->setText(tr("Reset"));
    m_reset->setToolTip(tr("Back to the options of the base run"));
    m_compare->setText(tr("Compare graphs"));
    m_compare->setToolTip(tr("Show the graphs of the base run and of this run side by side"));
    m_use->setText(tr("Use these options"));
    m_use->setToolTip(tr("Compile the model itself with the options of this run"));
    m_remove->setText(tr("Remove"));
    m_remove->setToolTip(tr("Forget this run"));
    m_hint->setText(tr("Change options on the left and press Run: what differs from the base run is listed here."));
    m_name->setToolTip(tr("What the run is to be called"));
    m_runs->view()->setToolTip(tr("F2 renames a run, double click takes its options into the form"));
    m_runs->view()->setAccessibleName(tr("Runs"));
    m_differences->view()->setAccessibleName(tr("Differences from the base run"));
    m_form->retranslate();
    m_runsModel->refresh();
    m_differenceModel->refresh();
    updateForm();
    stateChanged();
}

void WhatIfView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    View::changeEvent(event);
}

} // namespace gelens
