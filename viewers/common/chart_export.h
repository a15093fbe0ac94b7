#pragma once
// The way of a view's chart into a file: command, dialog, writing behind the scenes, and word of how it went.

#include "engine/graph/result.h"
#include "viewers/common/background.h"

#include <QObject>
#include <QString>

#include <functional>
#include <string>

class QAction;
class QWidget;

namespace gelens {

class View;

class ChartExport : public QObject {
    Q_OBJECT
public:
    /// Writes the file; may run on another thread.
    using Writer = std::function<Status(const std::string& path)>;

    /// The command has its key within `view` and stands in the menu of `canvas`; what it does is the view's.
    ChartExport(View* view, QWidget* canvas);

    QAction* action() const { return m_action; }
    /// Asks where to, writes off the GUI thread, and tells the view's status bar or, when it failed, a message box.
    void ask(const QString& title, const QString& name, const QString& filter, Writer writer);
    /// Writes at once; what went wrong, empty when the file is there.
    static QString write(const Writer& writer, const QString& path);

private:
    View* m_view;
    QAction* m_action;
    Background m_job;
};

} // namespace gelens
