#pragma once
// Findings: severity, sentence, place; a click goes there.

#include "viewers/common/view.h"
#include "viewers/models/messages_model.h"

#include <vector>

namespace gelens {

class StateStack;
class TablePanel;

class ProblemsView : public View {
    Q_OBJECT
public:
    explicit ProblemsView(QWidget* parent = nullptr);
    /// A file that could not be opened; stays in the list while the window lives.
    void addFileError(const QString& path, const QString& sentence);
    /// Warnings and errors: of files that could not be opened, and of a run where there is one.
    int problemCount(const Run* run) const;
    TablePanel* panel() const { return m_panel; }

protected:
    void runChanged() override;
    void selectionChanged() override;
    void stateChanged() override;
    void changeEvent(QEvent* event) override;

private:
    void fill();
    void goTo(const QModelIndex& index);

    MessagesModel* m_model;
    TablePanel* m_panel;
    StateStack* m_stack;
    std::vector<MessageRow> m_fileErrors;
};

} // namespace gelens
