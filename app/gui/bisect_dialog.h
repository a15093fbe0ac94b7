#pragma once
// Asks which pass makes it so, searches by halving off the GUI thread, and leads to the step that was found.

#include "engine/session/bisect.h"
#include "viewers/common/background.h"

#include <QDialog>

#include <memory>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace gelens {

class BisectDialog : public QDialog {
    Q_OBJECT
public:
    BisectDialog(std::shared_ptr<const Run> run, std::shared_ptr<const Session> session, QWidget* parent);

    QComboBox* kinds() const { return m_kinds; }
    QLineEdit* textLine() const { return m_text; }
    QPushButton* searchButton() const { return m_search; }
    QPushButton* goButton() const { return m_go; }
    QString result() const;
    bool isSearching() const { return m_job.isRunning(); }

Q_SIGNALS:
    void stepChosen(gelens::StepId step, gelens::NodeId node);

protected:
    void changeEvent(QEvent* event) override;

private:
    BisectQuestion question() const;
    void search();
    void showAnswer(const Result<BisectAnswer>& answer);
    QString sentenceOf(const BisectAnswer& answer) const;
    void updateButtons();
    void retranslate();

    std::shared_ptr<const Run> m_run;
    std::shared_ptr<const Session> m_session;
    std::optional<Result<BisectAnswer>> m_answer;
    QComboBox* m_kinds;
    QLineEdit* m_text;
    QPushButton *m_search, *m_stop, *m_go, *m_close;
    QLabel *m_kindLabel, *m_textLabel, *m_result;
    Background m_job;
};

} // namespace gelens
