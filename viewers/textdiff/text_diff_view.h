#pragma once
// Two dumps side by side: steps of the run as GE would dump them, or files.

#include "engine/session/text_diff.h"
#include "viewers/common/background.h"
#include "viewers/common/view.h"

#include <memory>

class QComboBox;
class QLabel;
class QToolButton;

namespace gelens {

class DumpPane;
class StateStack;
class TablePanel;
class TextChangesModel;

class TextDiffView : public View {
    Q_OBJECT
public:
    explicit TextDiffView(QWidget* parent = nullptr);
    ~TextDiffView() override;

    /// Compares two files in place of the steps, until compareSteps() is asked for.
    void compareFiles(const QString& before, const QString& after);
    void compareSteps();
    /// The files that are compared; empty while steps are.
    const QString& beforeFile() const { return m_beforeFile; }
    const QString& afterFile() const { return m_afterFile; }

    TablePanel* panel() const { return m_panel; }
    QComboBox* forms() const { return m_form; }
    QString summary() const;
    QString beforeText() const;
    QString afterText() const;
    std::shared_ptr<const TextDiff> diff() const { return m_result.diff; }
    bool isReady() const { return !m_job.isRunning(); }
    bool isBusy() const override { return m_job.isRunning() || m_finding.isRunning(); }
    void nextChange() { move(+1); }
    void previousChange() { move(-1); }

Q_SIGNALS:
    void ready();

protected:
    void runChanged() override;
    void stepChanged() override;
    void selectionChanged() override;
    void stateChanged() override;
    void changeEvent(QEvent* event) override;

private:
    struct Answer {
        std::shared_ptr<const DumpText> before, after;
        std::shared_ptr<const TextDiff> diff;
        QString error;
        std::int64_t size = 0; ///< nodes of a step's graph, bytes of two files
        bool isTooLarge = false;
        void compare(std::stop_token stop); ///< both texts are there
    };
    void request();
    void show(Answer answer);
    void showChange(const TextChange* change);
    void selectNodeOf(const TextChange* change);
    void showNode(const std::string& name, bool isAfter);
    void move(int direction);
    void retranslate();
    void updateSummary();
    void chooseFiles();

    Answer m_result;
    QString m_beforeFile, m_afterFile;
    TextChangesModel* m_model;
    TablePanel* m_panel;
    QComboBox* m_form;
    QToolButton *m_files, *m_steps, *m_previous, *m_next;
    QLabel *m_summary, *m_beforeTitle, *m_afterTitle;
    DumpPane *m_before, *m_after;
    StateStack* m_stack;
    Background m_job, m_finding; ///< last: it must stop before anything else goes
};

} // namespace gelens
