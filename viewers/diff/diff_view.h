#pragma once
// What changed between the compared and the shown step, node by node and field by field.

#include "viewers/common/background.h"
#include "viewers/common/view.h"

#include <memory>

class QLabel;
class QAction;
class QToolButton;

namespace gelens {

class ChangesModel;
class FieldsModel;
class StateStack;
class TablePanel;
struct DiffContent;

class DiffView : public View {
    Q_OBJECT
public:
    explicit DiffView(QWidget* parent = nullptr);
    ~DiffView() override;

    TablePanel* changeList() const { return m_changes; }
    TablePanel* fieldList() const { return m_fields; }
    bool isReady() const { return m_content != nullptr && !m_background.isRunning(); }
    bool isBusy() const override { return m_background.isRunning(); }
    std::shared_ptr<const DiffContent> content() const { return m_content; }
    QString summary() const;
    QString stateText() const;
    void nextChange() { move(1); }
    void previousChange() { move(-1); }

protected:
    void runChanged() override;
    void stepChanged() override;
    void selectionChanged() override;
    void stateChanged() override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void request();
    void setContent(std::shared_ptr<const DiffContent> content);
    void unfoldChanged();
    void updateSummary();
    QString matchText(const GraphDiff& diff) const;
    void move(int step);
    void choose(int change, bool isFromFields);
    void showChange(int change, bool isFromFields);

    std::shared_ptr<const DiffContent> m_content;
    ChangesModel* m_changesModel;
    FieldsModel* m_fieldsModel;
    TablePanel *m_changes, *m_fields;
    QLabel* m_summary;
    QToolButton *m_previous, *m_next;
    QAction *m_previousAction = nullptr, *m_nextAction = nullptr;
    static constexpr int leastFieldWidth = 150; ///< pixels
    int m_fieldWidth = leastFieldWidth;
    StateStack* m_stack;
    Background m_background; ///< last: it must stop before anything else goes
};

} // namespace gelens
