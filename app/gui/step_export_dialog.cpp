#include "app/gui/step_export_dialog.h"

#include "viewers/models/sentence.h"
#include "viewers/models/words.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace gelens {
namespace {

enum Choice { Phases, Changed, All };
constexpr int stepRole = Qt::UserRole;

} // namespace

StepExportDialog::StepExportDialog(std::shared_ptr<const Run> run, StepId shown, const QString& folder, QWidget* parent)
    : QDialog(parent), m_run(std::move(run)), m_shown(shown), m_choice(new QComboBox), m_list(new QListWidget),
      m_folder(new QLineEdit(folder)), m_progress(new QProgressBar), m_browse(new QPushButton), m_all(new QPushButton),
      m_none(new QPushButton), m_export(new QPushButton), m_cancel(new QPushButton), m_close(new QPushButton),
      m_choiceLabel(new QLabel), m_formLabel(new QLabel), m_folderLabel(new QLabel), m_notice(new QLabel), m_job(this)
{
    setObjectName(QStringLiteral("step_export_dialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(560, 520);
    for (int i = 0; i < 3; ++i) m_choice->addItem(QString(), i);
    auto* forms = new QHBoxLayout;
    for (const GraphTextForm form : {GraphTextForm::GeOnnx, GraphTextForm::GeProto, GraphTextForm::Readable}) {
        QCheckBox*& box = m_forms[static_cast<int>(form)];
        box = new QCheckBox(words::text(std::string(graphTextFormName(form)))); // GE's own names
        box->setChecked(form == GraphTextForm::GeOnnx);
        forms->addWidget(box);
        connect(box, &QCheckBox::toggled, this, &StepExportDialog::updateButtons);
    }
    forms->addStretch(1);
    auto* target = new QHBoxLayout;
    target->addWidget(m_folder, 1);
    target->addWidget(m_browse);
    auto* which = new QHBoxLayout;
    which->addWidget(m_choice, 1);
    which->addWidget(m_all);
    which->addWidget(m_none);
    auto* fields = new QFormLayout;
    fields->addRow(m_choiceLabel, which);
    fields->addRow(m_list);
    fields->addRow(m_formLabel, forms);
    fields->addRow(m_folderLabel, target);
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->setWordWrap(true);
    m_progress->hide();
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_progress, 1);
    buttons->addStretch(1);
    for (QPushButton* button : {m_export, m_cancel, m_close}) buttons->addWidget(button);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(fields, 1);
    layout->addWidget(m_notice);
    layout->addLayout(buttons);
    m_export->setDefault(true);
    for (QPushButton* button : {m_browse, m_all, m_none, m_cancel, m_close}) button->setAutoDefault(false);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &StepExportDialog::fillList);
    connect(m_list, &QListWidget::itemChanged, this, &StepExportDialog::updateButtons);
    connect(m_folder, &QLineEdit::textChanged, this, &StepExportDialog::updateButtons);
    connect(m_all, &QPushButton::clicked, this, [this] { checkAll(true); });
    connect(m_none, &QPushButton::clicked, this, [this] { checkAll(false); });
    connect(m_browse, &QPushButton::clicked, this, [this] {
        const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder for the texts"), m_folder->text());
        if (!chosen.isEmpty()) m_folder->setText(chosen);
    });
    connect(m_export, &QPushButton::clicked, this, &StepExportDialog::write);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_job.cancel();
        m_notice->setText(tr("Cancelled; the files that were written are there."));
        updateButtons();
    });
    connect(m_close, &QPushButton::clicked, this, &QDialog::close);
    retranslate();
    fillList();
}

QString StepExportDialog::notice() const { return m_notice->text(); }

void StepExportDialog::fillList()
{
    const int choice = m_choice->currentData().toInt();
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    for (const Step& step : m_run->steps) {
        const bool isFile = m_run->sourceOf(step.id) != nullptr;
        if (choice == Phases && !step.isPhaseEnd && !isFile) continue;
        if (choice == Changed && !step.hasChanged() && step.id.value > 0) continue;
        const QString name = choice == Phases || isFile ? words::phase(step.phase) : words::text(step.pass);
        auto* item = new QListWidgetItem(QStringLiteral("%1  %2").arg(step.id.value).arg(name), m_list);
        item->setData(stepRole, step.id.value);
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setCheckState(choice == Phases || step.id == m_shown ? Qt::Checked : Qt::Unchecked);
    }
    updateButtons();
}

void StepExportDialog::checkAll(bool isOn)
{
    {
        const QSignalBlocker quiet(m_list);
        for (int row = 0; row < m_list->count(); ++row)
            m_list->item(row)->setCheckState(isOn ? Qt::Checked : Qt::Unchecked);
    }
    updateButtons();
}

StepExport StepExportDialog::wanted() const
{
    StepExport wanted;
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->checkState() == Qt::Checked)
            wanted.steps.push_back(StepId{m_list->item(row)->data(stepRole).toInt()});
    for (const GraphTextForm form : {GraphTextForm::GeOnnx, GraphTextForm::GeProto, GraphTextForm::Readable})
        if (m_forms[static_cast<int>(form)]->isChecked()) wanted.forms.push_back(form);
    wanted.folder = m_folder->text().trimmed().toStdString();
    return wanted;
}

void StepExportDialog::write()
{
    const StepExport wanted = this->wanted();
    const QString folder = m_folder->text().trimmed();
    m_progress->setRange(0, static_cast<int>(wanted.steps.size() * wanted.forms.size()));
    m_progress->setValue(0);
    m_notice->setText(tr("Writing …"));
    QPointer<StepExportDialog> guard(this);
    const ProgressFunction report = [guard](const Progress& progress) {
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [guard, progress] {
                if (!guard || !guard->isWriting()) return;
                guard->m_progress->setValue(progress.done);
                guard->m_notice->setText(StepExportDialog::tr("Writing %1 of %2: %3")
                                             .arg(progress.done + 1)
                                             .arg(progress.total)
                                             .arg(words::text(progress.what)));
            },
            Qt::QueuedConnection);
    };
    m_job.start([run = m_run, wanted, report](std::stop_token stop) { return exportSteps(*run, wanted, report, stop); },
                [this, folder](Result<int> files) {
                    m_job.finished();
                    finish(files, folder);
                });
    updateButtons();
}

void StepExportDialog::finish(const Result<int>& files, const QString& folder)
{
    m_notice->setText(files.ok() ? tr("%1 files written to %2").arg(*files).arg(folder)
                                 : words::sentence(files.error().message()));
    updateButtons();
    if (files.ok()) Q_EMIT exported(folder, *files);
}

void StepExportDialog::updateButtons()
{
    const StepExport wanted = this->wanted();
    m_export->setEnabled(!isWriting() && !wanted.steps.empty() && !wanted.forms.empty() && !wanted.folder.empty());
    m_cancel->setEnabled(isWriting());
    m_progress->setVisible(isWriting());
}

void StepExportDialog::retranslate()
{
    setWindowTitle(tr("Export steps as text"));
    m_choiceLabel->setText(tr("Steps"));
    m_choice->setItemText(Phases, tr("phases"));
    m_choice->setItemText(Changed, tr("passes that changed something"));
    m_choice->setItemText(All, tr("all passes"));
    m_formLabel->setText(tr("Form"));
    m_folderLabel->setText(tr("Folder"));
    m_folder->setPlaceholderText(tr("where the files go"));
    m_browse->setText(tr("Browse…"));
    m_all->setText(tr("All"));
    m_none->setText(tr("None"));
    m_export->setText(tr("Export"));
    m_export->setToolTip(tr("Write each chosen step in each chosen form, named as GE names its dumps"));
    m_cancel->setText(tr("Cancel"));
    m_close->setText(tr("Close"));
    m_list->setAccessibleName(m_choiceLabel->text());
    m_folder->setAccessibleName(m_folderLabel->text());
}

void StepExportDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

} // namespace gelens
