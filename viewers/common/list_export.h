#pragma once
// The rows of a list on their way into a file: a line below the list that says how far it is and stops it.

#include "engine/graph/result.h"
#include "viewers/common/background.h"
#include "viewers/common/recorded_picture.h"
#include "viewers/models/export_text.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QLabel;
class QProgressBar;
class QToolButton;

namespace gelens {

/// A model lives on the window's thread and may change at any time, so its rows are read there, a few milliseconds' worth
/// between two events; the file is written by a thread of its own. Rows that are added behind the last are written, too;
/// after any other change it begins anew.
class ListExport : public QWidget {
    Q_OBJECT
public:
    explicit ListExport(QWidget* parent = nullptr);

    /// A short list is in its file when this returns; of a long one finished() tells. One that is under way is stopped.
    Status begin(const QAbstractItemModel& model, const QString& path, ListForm form);
    /// Always takes its time: finished() tells.
    void beginPicture(RecordedPicture picture, const QString& path);
    bool isRunning() const { return m_text != nullptr || m_writing.isRunning(); }
    /// The file that is there stays as it is.
    void cancel();
    QToolButton* stopButton() const { return m_stop; }
    QString progressText() const;

Q_SIGNALS:
    /// Of a list that took its time: what is wrong in one sentence; empty: it is written.
    void finished(const QString& path, const QString& problem);

protected:
    void changeEvent(QEvent* event) override;

private:
    void watch(const QAbstractItemModel& model);
    bool beginAnew();
    void goOn();
    void write();
    void end(const QString& problem);
    void retranslate();

    const QAbstractItemModel* m_model = nullptr;
    ListForm m_form = ListForm::Csv;
    QString m_path;
    std::unique_ptr<ListText> m_text;
    int m_restarts = 0;
    bool m_isStale = false; ///< the list changed: what was read of it is no longer so
    QTimer m_slices;
    QLabel* m_label;
    QProgressBar* m_bar;
    QToolButton* m_stop;
    Background m_writing; ///< last: it must stop before anything else goes
};

} // namespace gelens
