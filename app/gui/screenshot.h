#pragma once
// Waits until everything asked for on the command line is on screen; then draws it into a file, when that was asked.

#include "app/gui/command_line.h"

#include <QObject>
#include <QTimer>

namespace gelens {

class MainWindow;

/// Applies --step, --view and what else is to be shown once the first model's run is there; with --screenshot, waits for run and layout, writes
/// the picture and ends the program: status 0, or 2 with one line on standard error.
class ScreenState : public QObject {
    Q_OBJECT
public:
    ScreenState(MainWindow* window, const GuiOptions& options);

private:
    void poll();
    void finish();
    bool isPicture() const; ///< the window is not for a person
    bool apply();           ///< false: the program ends with an error
    bool fail(const QString& text);

    MainWindow* m_window;
    GuiOptions m_options;
    QTimer m_timer;
    int m_quietPolls = 0;
    bool m_isApplied = false;
    QString m_failure; ///< why the first file that failed could not be opened
};

} // namespace gelens
