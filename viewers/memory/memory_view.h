#pragma once
// Where the memory goes: the map of addresses over time, the peak by name, and why two tensors do not share.

#include "viewers/common/background.h"
#include "viewers/common/chart_export.h"
#include "viewers/common/view.h"

#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSplitter;
class QTabWidget;
class QToolButton;

namespace gelens {

class ElidedLabel;
class AliveModel;
class MemoryCanvas;
class MemoryPicture;
class SavingsModel;
class StateStack;
class TablePanel;

class MemoryView : public View {
    Q_OBJECT
public:
    explicit MemoryView(QWidget* parent = nullptr);
    ~MemoryView() override;

    MemoryCanvas* canvas() const { return m_canvas; }
    TablePanel* aliveList() const { return m_alive; }
    TablePanel* savingsList() const { return m_savings; }
    QTabWidget* tabs() const { return m_tabs; }
    bool isReady() const { return m_picture != nullptr; }
    bool isBusy() const override
    {
        return m_background.isRunning() || m_overlayJob.isRunning() || m_savingsJob.isRunning();
    }
    std::shared_ptr<const MemoryPicture> picture() const { return m_picture; }
    QString summary() const; ///< the header: peak, bound, savings
    QString details() const; ///< what is said about the selection
    QString stateText() const;
    void setTimeMode(bool isTime);
    /// The plan of another policy over this one, as outlines; none for the run's own. Planned in the background.
    void setOverlay(std::optional<MemoryPolicy> policy);
    /// The whole map as .svg, .png or .pdf, or all buffers as .csv.
    ChartExport* exporting() const { return m_exporting; }

protected:
    void runChanged() override;
    void selectionChanged() override;
    void stateChanged() override;
    bool isTooLarge() const;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void updateSummary();
    QWidget* makeSide();
    void shareSide(bool hasFacts);    ///< between the lists and what is said of the selection
    ChartExport::Chart chart() const; ///< of what is shown now
    void overlayChosen();
    void updateSavingsTitle();
    void findSavings(); ///< once for each run, when somebody looks
    void updateDetails();
    void showAlive(int position); ///< -1: at the peak
    void choose(int buffer, bool isSecond);
    void chooseRows();
    void request(const std::vector<int>& buffers);
    void pictureReady(std::shared_ptr<const MemoryPicture> picture);
    std::vector<int> buffersOf(const Selection& selection) const;

    std::shared_ptr<const MemoryPicture> m_picture;
    std::shared_ptr<const MemoryPlan> m_overlayPlan;
    bool m_areSavingsAsked = false, m_areSavingsFound = false;
    std::vector<int> m_chosen; ///< one or two buffers chosen here, the latest first
    AliveModel* m_aliveModel;
    SavingsModel* m_savingsModel;
    MemoryCanvas* m_canvas;
    TablePanel *m_alive, *m_savings;
    QTabWidget* m_tabs;
    QSplitter* m_side;
    bool m_isSideUsers = false; ///< the user has moved the border
    QLabel *m_summary, *m_details;
    QLabel* m_reason; ///< of a pair, in the place of the summary: the list is too narrow for it
    ElidedLabel* m_aliveTitle;
    QLabel* m_savingsTitle;
    QComboBox *m_axis, *m_overlay;
    QCheckBox* m_holes;
    QLineEdit* m_find;
    QToolButton *m_fit, *m_peak, *m_export;
    ChartExport* m_exporting;
    StateStack* m_stack;
    int m_position = -1;
    bool m_isSelecting = false;
    Background m_background, m_overlayJob, m_savingsJob; ///< last: they must stop before anything else goes
};

} // namespace gelens
