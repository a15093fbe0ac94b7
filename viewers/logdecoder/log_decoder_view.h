#pragma once
// Paste or open a log of ATC or GE and read it with the model at hand.

#include "engine/session/log_decoder.h"
#include "viewers/common/background.h"
#include "viewers/common/view.h"

class QLabel;
class QPlainTextEdit;
class QStackedWidget;
class QToolButton;

namespace gelens {

class LogLinesModel;
class TablePanel;

class LogDecoderView : public View {
    Q_OBJECT
public:
    explicit LogDecoderView(QWidget* parent = nullptr);
    ~LogDecoderView() override;

    void setText(const QString& text);
    /// One sentence when the file cannot be read; empty when it is being decoded.
    QString openFile(const QString& path);
    /// Files that are dropped on the panel are logs, unless they are clearly something that the window opens.
    static bool isLogDropped(const QString& path);

    TablePanel* panel() const { return m_panel; }
    QPlainTextEdit* input() const { return m_input; }
    QToolButton* decodeButton() const { return m_decode; }
    QString summary() const;
    /// What is being read, as it was pasted or opened; empty while a file is on its way.
    const std::string& text() const;
    /// Where it was opened from; empty when it was pasted or changed since.
    const QString& file() const { return m_file; }
    bool isReady() const { return !m_job.isRunning(); }
    bool isBusy() const override { return m_job.isRunning(); }

Q_SIGNALS:
    void textChanged();
    /// A link leads to another panel: "unfused".
    void panelRequested(const QString& name);

protected:
    void runChanged() override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Answer;
    void decode();
    void show(Answer answer);
    void follow(const QModelIndex& index);
    void followVerdict(const FusionVerdict& verdict);
    void retranslate();
    void updateSummary();

    std::shared_ptr<const std::string> m_text; ///< null while it is still to be read from m_file
    QString m_file;
    std::shared_ptr<const DecodedLog> m_log;
    LogLinesModel* m_model;
    TablePanel* m_panel;
    QPlainTextEdit* m_input;
    QStackedWidget* m_pages;
    QToolButton *m_open, *m_paste, *m_decode, *m_edit;
    QLabel* m_summary;
    QString m_notice;
    Background m_job; ///< last: it must stop before anything else goes
};

} // namespace gelens
