#pragma once
// Everything about the selection, copyable, with links that walk the graph, the steps and the lineage.

#include "viewers/common/background.h"
#include "viewers/common/view.h"
#include "viewers/inspector/node_report.h"

#include <QSet>

class QLabel;

namespace gelens {

class ElidedLabel;
class NodeNotes;
class PropertyModel;
class StateStack;
class TablePanel;

class InspectorView : public View {
    Q_OBJECT
public:
    explicit InspectorView(QWidget* parent = nullptr);

    TablePanel* panel() const { return m_panel; }
    PropertyModel* model() const { return m_model; }
    QString heading() const; ///< type and name shown on top
    QString notice() const;  ///< "not in the graph of step 3 …"; empty when the node is there
    /// True while the report is being gathered.
    bool isBusy() const override { return m_job.isRunning(); }
    /// Notes of the user, shown below the name.
    void setNotes(NodeNotes* notes);
    QString note() const; ///< shown now

Q_SIGNALS:
    /// The lines belong to the current selection and step.
    void reportReady();
    /// A link leads to a place in another panel: "memory", "timeline", "unfused".
    void panelRequested(const QString& name);

protected:
    void runChanged() override;
    void stepChanged() override;
    void selectionChanged() override;
    void stateChanged() override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void request();
    void show(SelectionReport report);
    void fill();
    void follow(const QModelIndex& index);
    void explain(const FusionVerdict& refusal);
    void showNote();
    void fitColumns();
    int labelWidth(int most) const;
    void rememberFolds();
    void restoreFolds();

    PropertyModel* m_model;
    TablePanel* m_panel;
    StateStack* m_stack;
    ElidedLabel *m_type, *m_name;
    QLabel *m_facts, *m_notice, *m_note;
    NodeNotes* m_notes = nullptr;
    SelectionReport m_report;
    bool m_areWidthsUsers = false; ///< the user has dragged the columns
    bool m_isFilling = false;
    int m_labelWidth = 0;   ///< of the longest label so far, so that columns stay from node to node
    QSet<QString> m_folded; ///< keys of sections that the user folded
    Background m_job;
};

} // namespace gelens
