#pragma once
// The engine's log.

#include "engine/graph/log.h"
#include "viewers/common/view.h"

namespace gelens {

class LogModel;
class StateStack;
class TablePanel;

/// Collects from its construction on, visible or not. Lines come from any thread and are queued to this one.
class LogView : public View {
    Q_OBJECT
public:
    explicit LogView(QWidget* parent = nullptr);
    ~LogView() override;
    TablePanel* panel() const { return m_panel; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void addLine(LogLevel level, const QString& area, const QString& text);
    void updateState();

    LogModel* m_model;
    TablePanel* m_panel;
    StateStack* m_stack;
    int m_sink = 0;
};

} // namespace gelens
