#pragma once
// The way of a view's picture into a file or to the clipboard: commands, dialog, writing behind the scenes, and word of how
// it went.

#include "engine/graph/result.h"
#include "viewers/common/background.h"

#include <QList>
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
    /// What there is to write now. Without a writer there is nothing yet.
    struct Chart {
        QString title; ///< of the dialog: "Export the memory map"
        QString name;  ///< of the file: "llama-7b-memory"
        Writer writer;
        QString more; ///< kinds of file beside SVG, PNG and PDF: "CSV (*.csv)"
    };

    /// The commands are actions of the same names in every view ("picture_copy"). They stand in the context menu of `canvas`;
    /// "Export…" has its key within the view, where no list takes it, "Copy picture" within the canvas.
    ChartExport(View* view, QWidget* canvas, std::function<Chart()> chart);

    QWidget* canvas() const { return m_canvas; }
    QAction* action() const { return m_action; }
    QAction* copyAction() const { return m_copy; }
    /// Asks where to, writes off the GUI thread, and tells the view's status bar or, when it failed, a message box. `kind` is
    /// the ending that is proposed.
    void exportWithDialog() { exportAs(QStringLiteral("svg")); }
    void exportAs(const QString& kind);
    /// Writes at once. False when it was not written; `error` says why.
    bool exportTo(const QString& path, QString* error = nullptr) const;
    /// Puts what the canvas shows on the clipboard.
    void copy() const;
    /// Writes what a widget shows at the time of this call.
    static Writer writerOf(QWidget& widget);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void retranslate();

    View* m_view;
    QWidget* m_canvas;
    std::function<Chart()> m_chart;
    QAction *m_action, *m_copy;
    QList<QAction*> m_kinds; ///< one for each of `pictureKinds`
    Background m_job;
};

} // namespace gelens
