#pragma once
// Writes the report of the model shown, as HTML or PDF, off the GUI thread.

#include "viewers/common/background.h"

#include <QObject>

namespace gelens {

class MainWindow;

class ReportTools : public QObject {
    Q_OBJECT
public:
    explicit ReportTools(MainWindow* window);

    void createActions();
    void retranslate();
    void updateActions();
    /// The ending chooses the form: .pdf, else HTML. Empty asks for a file.
    void exportReport(QString path = {});
    /// Asks which steps are to be written as text, and where to.
    void exportSteps();
    bool isBusy() const { return m_job.isRunning(); }

Q_SIGNALS:
    /// `error` is empty when the file is there.
    void written(const QString& path, const QString& error);

private:
    MainWindow* m_window;
    Background m_job;
};

} // namespace gelens
