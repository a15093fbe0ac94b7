#pragma once
// The one place that knows what is open, which step is shown and what is selected. Views ask it for changes and are
// told about them; none of them knows another.

#include "engine/session/session.h"
#include "viewers/common/view.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace gelens {

class SnapshotRun;

/// One model in the window.
struct OpenModel {
    int id = -1; ///< never reused while the program runs
    QString path, name;
    QString readAs;                   ///< what the person said that the file is; empty: its content tells
    QString original;                 ///< model put at the start of an OM's steps; empty: none
    std::shared_ptr<Session> session; ///< null while it loads and after it failed
    CompileOptions options;
    std::shared_ptr<const Run> run; ///< newest finished run; null until there is one
    int openedFrom = -1;            ///< model that was shown when this one was opened
    /// The run when its graphs come from files of their own (a dump folder, a comparison); null otherwise.
    std::shared_ptr<const SnapshotRun> snapshots;
    bool isBusy = false;
    bool isHalted = false;        ///< busy, but held: `run` has the steps so far
    StepId shown{0}, compared{0}; ///< where this model's user was
    Selection selection;
};

class Hub : public QObject {
    Q_OBJECT
public:
    explicit Hub(QObject* parent = nullptr);

    const std::vector<OpenModel>& models() const { return m_models; }
    /// Index of the model shown; -1 when none is open.
    int currentIndex() const { return m_current; }
    const OpenModel* current() const;
    const OpenModel* find(int id) const;
    std::shared_ptr<const Run> run() const;
    StepId shownStep() const;
    StepId comparedStep() const;
    Selection selection() const;

    int addModel(const QString& path, const CompileOptions& options);
    void removeModel(int id);
    void setCurrent(int id);
    void setBusy(int id, bool isBusy);
    void setSession(int id, std::shared_ptr<Session> session);
    void setRun(int id, std::shared_ptr<const Run> run);
    /// The run under way was halted: shows where it stands (its last step, or `shown`). The model stays busy.
    void showHalt(int id, std::shared_ptr<const Run> run, NodeId node, StepId shown);
    void setHalted(int id, bool isHalted);
    /// More is known of the run that is there: same steps, same ids. Nothing moves.
    void refreshRun(int id, std::shared_ptr<const Run> run);
    void setName(int id, const QString& name);
    void setReadAs(int id, const QString& kind);
    void setOriginal(int id, const QString& path);
    void setOptions(int id, const CompileOptions& options);

    /// Shows a step, compared with its base (the one before it, mostly) unless said otherwise. Values outside the run are clamped.
    /// The selection follows fusions on the way (selection_rules.h).
    void showStep(StepId step);
    void showStep(StepId step, StepId compared);
    void select(const Selection& selection);

Q_SIGNALS:
    void modelsChanged();  ///< list, names, busy marks
    void currentChanged(); ///< another model, or another run of it
    void runRefreshed();   ///< the current model's run was replaced by one that knows more
    void stepChanged();
    void selectionChanged();

private:
    OpenModel* modelOf(int id);

    std::vector<OpenModel> m_models;
    int m_current = -1;
    int m_nextId = 0;
};

} // namespace gelens
