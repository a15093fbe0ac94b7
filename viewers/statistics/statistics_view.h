#pragma once
// What the compile did to the model, in numbers.

#include "viewers/common/background.h"
#include "viewers/common/view.h"

class QLabel;
class QTabWidget;

namespace gelens {

struct OmDetails;
class FusionsModel;
class HistogramModel;
class OmFileModel;
class StateStack;
class StatisticsModel;
class TablePanel;

class StatisticsView : public View {
    Q_OBJECT
public:
    explicit StatisticsView(QWidget* parent = nullptr);
    TablePanel* figures() const { return m_figures; }
    TablePanel* histogram() const { return m_histogram; }
    TablePanel* fusions() const { return m_fusions; }
    TablePanel* file() const { return m_file; }
    QString notes() const;
    bool isBusy() const override { return m_counting.isRunning() || m_looking.isRunning(); }
    /// A second run beside the one shown; null takes it away.
    void setOther(std::shared_ptr<const Run> other, const QString& name);
    /// What the OM file of the run is made of, in a tab beside the fusion rules; null for anything but an OM.
    void setFile(std::shared_ptr<const OmDetails> om);

protected:
    void runChanged() override;
    void stepChanged() override;
    void selectionChanged() override;
    void stateChanged() override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void updateNotes();
    void updateEmptyText();
    void goTo(const QModelIndex& index);
    void selectType(const QModelIndex& index); ///< every node of that type in the step shown

    StatisticsModel* m_figuresModel;
    HistogramModel* m_histogramModel;
    FusionsModel* m_fusionsModel;
    OmFileModel* m_fileModel;
    TablePanel *m_figures, *m_histogram, *m_fusions, *m_file;
    QTabWidget* m_tabs; ///< fusion rules, and the parts of an OM file
    QLabel* m_notes;
    StateStack* m_stack;
    Background m_counting; ///< operators of the two steps, where each has a file of its own
    Background m_looking;  ///< for the nodes of a type, or the type of a node
};

} // namespace gelens
