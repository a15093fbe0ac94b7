#pragma once
// Writes the graphs of chosen steps as GE's texts into a folder, off the GUI thread.

#include "engine/session/step_export.h"
#include "viewers/common/background.h"

#include <QDialog>

#include <memory>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;

namespace gelens {

class StepExportDialog : public QDialog {
    Q_OBJECT
public:
    StepExportDialog(std::shared_ptr<const Run> run, StepId shown, const QString& folder, QWidget* parent);

    QComboBox* choice() const { return m_choice; } ///< phases, changed steps, all steps
    QListWidget* list() const { return m_list; }
    QCheckBox* form(GraphTextForm form) const { return m_forms[static_cast<int>(form)]; }
    QLineEdit* folderLine() const { return m_folder; }
    QPushButton* exportButton() const { return m_export; }
    QPushButton* cancelButton() const { return m_cancel; }
    QString notice() const;
    bool isWriting() const { return m_job.isRunning(); }

Q_SIGNALS:
    void exported(const QString& folder, int files);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fillList();
    void checkAll(bool isOn);
    StepExport wanted() const;
    void write();
    void finish(const Result<int>& files, const QString& folder);
    void updateButtons();
    void retranslate();

    std::shared_ptr<const Run> m_run;
    StepId m_shown;
    QComboBox* m_choice;
    QListWidget* m_list;
    QCheckBox* m_forms[3];
    QLineEdit* m_folder;
    QProgressBar* m_progress;
    QPushButton *m_browse, *m_all, *m_none, *m_export, *m_cancel, *m_close;
    QLabel *m_choiceLabel, *m_formLabel, *m_folderLabel, *m_notice;
    Background m_job;
};

} // namespace gelens
