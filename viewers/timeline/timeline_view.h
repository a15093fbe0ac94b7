#pragma once
// When each task runs on the simulated device, and where the time goes.

#include "viewers/common/background.h"
#include "viewers/common/chart_export.h"
#include "viewers/common/view.h"

#include <cstdint>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QScrollArea;
class QTabWidget;
class QToolButton;

namespace gelens {

class CompareModel;
class StateStack;
class TablePanel;
class TimelineCanvas;
class TimelineIndex;
class TotalsModel;

class TimelineView : public View {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);
    ~TimelineView() override;

    TimelineCanvas* canvas() const { return m_canvas; }
    TablePanel* totalsList() const { return m_totals; }
    TablePanel* compareList() const { return m_compare; }
    QTabWidget* tabs() const { return m_tabs; }
    bool isReady() const { return m_index != nullptr; }
    bool isBusy() const override
    {
        return m_background.isRunning() || m_searching.isRunning() || m_comparing.isRunning();
    }
    QString summary() const;
    QString totalsTitle() const;
    QString details() const;
    QString stateText() const;
    void setBefore(bool isBefore); ///< the imported model run operator by operator, instead of the compiled one
    void find(const QString& text);
    int foundCount() const { return static_cast<int>(m_found.size()); }
    void nextFound(int step);
    /// The whole timeline as .svg, .png or .pdf, its tasks as .csv, or a Chrome trace as .json.
    ChartExport* exporting() const { return m_exporting; }

protected:
    void runChanged() override;
    void selectionChanged() override;
    void stateChanged() override;
    std::size_t shownTasks() const;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void rebuild();
    void updateSummary();
    void updateTotals();
    void updateDetails();
    void updateCompare();
    void search();
    ChartExport::Chart chart() const; ///< of what is shown now
    QWidget* makeSide();
    void choose(std::uint32_t item);

    std::shared_ptr<const TimelineIndex> m_index;
    std::vector<std::uint32_t> m_found;
    int m_foundAt = -1;
    bool m_isCompareAsked = false;
    TotalsModel* m_totalsModel;
    CompareModel* m_compareModel;
    TimelineCanvas* m_canvas;
    TablePanel *m_totals, *m_compare;
    QTabWidget* m_tabs;
    QLabel *m_summary, *m_details;
    QScrollArea* m_detailsArea;
    QLabel *m_totalsTitle, *m_compareTitle, *m_matches;
    QComboBox* m_which;
    QLineEdit* m_find;
    QToolButton *m_fit, *m_previous, *m_next, *m_export;
    ChartExport* m_exporting;
    StateStack* m_stack;
    Background m_background, m_searching, m_comparing; ///< last: they must stop before anything else goes
};

} // namespace gelens
