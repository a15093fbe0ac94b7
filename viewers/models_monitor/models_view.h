#pragma once
// The monitor of open models.

#include "viewers/common/view.h"
#include "viewers/models/models_model.h"

#include <vector>

namespace gelens {

class StateStack;
class TablePanel;

/// Enter or a double click switches, Delete closes.
class ModelsView : public View {
    Q_OBJECT
public:
    using Row = ModelRow;
    explicit ModelsView(QWidget* parent = nullptr);
    void setModels(std::vector<Row> rows);
    TablePanel* panel() const { return m_panel; }

Q_SIGNALS:
    void modelChosen(int id);
    void closeRequested(int id);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void updateState();
    void closeSelected();

    ModelsModel* m_model;
    TablePanel* m_panel;
    StateStack* m_stack;
};

} // namespace gelens
