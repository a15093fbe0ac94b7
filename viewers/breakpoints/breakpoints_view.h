#pragma once
// What stops the walk through the steps, and where.

#include "engine/session/breakpoints.h"
#include "viewers/common/view.h"

#include <optional>

class QAction;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace gelens {

class BreakpointList;
class BreakpointsModel;
class StateStack;
class TablePanel;

class BreakpointsView : public View {
    Q_OBJECT
public:
    explicit BreakpointsView(BreakpointList* list, QWidget* parent = nullptr);

    TablePanel* panel() const { return m_panel; }
    QComboBox* kinds() const { return m_kind; }
    QLineEdit* patternLine() const { return m_pattern; }
    QLineEdit* conditionLine() const { return m_condition; }
    QToolButton* addButton() const { return m_add; }
    QToolButton* removeButton() const { return m_remove; }
    /// A button beside the others that does what an action of the window does.
    void addActionButton(QAction* action);
    QString notice() const;    ///< why the last breakpoint was refused
    QString stateText() const; ///< what stands there instead of a list

protected:
    void runChanged() override;
    void stepChanged() override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void rebuild();
    QAction* addCommand(const char* name, const QKeySequence& keys, void (BreakpointsView::*run)());
    void addFromLines();
    void editChosen();
    void removeChosen();
    void updateAddButton();
    void updateActions();
    void follow(const QModelIndex& index);
    QString hintFor(int kind) const;
    void updateState();

    BreakpointList* m_list;
    BreakpointsModel* m_model;
    TablePanel* m_panel;
    StateStack* m_stack;
    QComboBox* m_kind;
    QLineEdit *m_pattern, *m_condition;
    QToolButton *m_add, *m_remove;
    QAction *m_editAction, *m_removeAction;
    std::optional<Breakpoint> m_edited; ///< the one in the lines takes its place
    QHBoxLayout* m_line;
    QLabel* m_notice;
    QString m_error;
};

} // namespace gelens
