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

    TablePanel* panel() const { return m_panel; }
    QPlainTextEdit* input() const { return m_input; }
    QToolButton* decodeButton() const { return m_decode; }
    QString summary() const;
    /// What is being read, as it was pasted or opened.
    const std::string& text() const { return m_text; }
    bool isReady() const { return !m_job.isRunning(); }

Q_SIGNALS:
    void textChanged();

protected:
    void runChanged() override;
    void changeEvent(QEvent* event) override;

private:
    void decode();
    void show(std::shared_ptr<const DecodedLog> log, std::shared_ptr<const Run> run);
    void follow(const QModelIndex& index);
    void retranslate();
    void updateSummary();

    std::string m_text;
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
