#pragma once
// Where the memory goes: the map of addresses over time, the peak by name, and why two tensors do not share.

#include "viewers/common/background.h"
#include "viewers/common/view.h"

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace gelens {

class AliveModel;
class MemoryCanvas;
class MemoryPicture;
class StateStack;
class TablePanel;

class MemoryView : public View {
    Q_OBJECT
public:
    explicit MemoryView(QWidget* parent = nullptr);
    ~MemoryView() override;

    MemoryCanvas* canvas() const { return m_canvas; }
    TablePanel* aliveList() const { return m_alive; }
    bool isReady() const { return m_picture != nullptr; }
    std::shared_ptr<const MemoryPicture> picture() const { return m_picture; }
    QString summary() const; ///< the header: peak, bound, savings
    QString details() const; ///< what is said about the selection
    QString stateText() const;
    void setTimeMode(bool isTime);

protected:
    void runChanged() override;
    void selectionChanged() override;
    void stateChanged() override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void updateSummary();
    void updateDetails();
    void showAlive(int position); ///< -1: at the peak
    void choose(int buffer, bool isSecond);
    void chooseRows();
    void request(const std::vector<int>& buffers);
    void pictureReady(std::shared_ptr<const MemoryPicture> picture);
    std::vector<int> buffersOf(const Selection& selection) const;

    std::shared_ptr<const MemoryPicture> m_picture;
    std::vector<int> m_chosen; ///< one or two buffers chosen here, the latest first
    AliveModel* m_aliveModel;
    MemoryCanvas* m_canvas;
    TablePanel* m_alive;
    QLabel *m_summary, *m_details, *m_aliveTitle;
    QComboBox* m_axis;
    QLineEdit* m_find;
    QToolButton *m_fit, *m_peak;
    StateStack* m_stack;
    int m_position = -1;
    bool m_isSelecting = false;
    Background m_background; ///< last: it must stop before anything else goes
};

} // namespace gelens
