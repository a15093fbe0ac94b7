#pragma once
// The what-if panel: other options, the runs they gave, and what differs from the base run.

#include "viewers/common/kept_run.h"
#include "viewers/common/view.h"

#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QTabWidget;

namespace gelens {

class KeptRunsModel;
class RunDifferenceModel;
class StateStack;
class TablePanel;
class WhatIfForm;

class WhatIfView : public View {
    Q_OBJECT
public:
    explicit WhatIfView(QWidget* parent = nullptr);

    void setKeptRuns(std::vector<KeptRun> runs);
    /// Puts options into the form, without a run.
    void propose(const CompileOptions& options);
    /// Chooses a kept run; its differences are shown.
    void chooseRun(int id);

    WhatIfForm* form() const { return m_form; }
    TablePanel* runList() const { return m_runs; }
    TablePanel* differences() const { return m_differences; }
    QPushButton* runButton() const { return m_run; }
    QPushButton* compareButton() const { return m_compare; }
    QPushButton* useButton() const { return m_use; }
    QPushButton* removeButton() const { return m_remove; }
    QLineEdit* nameLine() const { return m_name; }
    QString notice() const;

Q_SIGNALS:
    void runRequested(const gelens::CompileOptions& options, const QString& name);
    void compareRequested(int id); ///< the graphs of the base run and of this one
    void useRequested(int id);     ///< its options for the model itself
    void removeRequested(int id);
    void renameRequested(int id, const QString& name);
    /// Another kept run is looked at; null when none is.
    void runChosen(std::shared_ptr<const gelens::Run> run, const QString& name);

protected:
    void runChanged() override;
    void stateChanged() override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void updateForm();
    void updateButtons();
    void showDifferences();
    const KeptRun* chosen() const;

    std::vector<KeptRun> m_kept;
    WhatIfForm* m_form;
    QLineEdit* m_name;
    QPushButton *m_run, *m_reset, *m_compare, *m_use, *m_remove;
    QLabel *m_changes, *m_notice, *m_hint;
    KeptRunsModel* m_runsModel;
    RunDifferenceModel* m_differenceModel;
    TablePanel *m_runs, *m_differences;
    StateStack* m_stack;
    bool m_isFilling = false;
};

} // namespace gelens
