#pragma once
// The numbers that a node makes: element by element, as statistics, and against another step; computed on request.

#include "viewers/accuracy/accuracy_report.h"
#include "viewers/common/background.h"
#include "viewers/common/view.h"

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace gelens {

class ElementsModel;
class ElidedLabel;
class FiguresModel;
class HistogramBars;
class StateStack;
class TablePanel;

/// Nothing runs until it is asked for: a value costs a run of all that it depends on. A new request, another selection
/// and Cancel stop what runs.
class AccuracyView : public View {
    Q_OBJECT
public:
    explicit AccuracyView(QWidget* parent = nullptr);

    /// Computes the selected node's chosen output after the shown step, and its counterpart after the compared step.
    void compute();
    /// Looks for the first node of the shown step whose 16-bit result overflows.
    void searchOverflow();
    void cancel();
    /// Tensor files (.pb) for the model's inputs in order, in place of drawn ones; an empty list draws again.
    void setInputFiles(const QStringList& files);
    bool isBusy() const override { return m_job.isRunning(); }

    TablePanel* figures() const { return m_figures; }
    TablePanel* elements() const { return m_elements; }
    HistogramBars* histogram() const { return m_histogram; }
    QPushButton* computeButton() const { return m_compute; }
    QPushButton* overflowButton() const { return m_overflow; }
    QPushButton* cancelButton() const { return m_cancel; }
    QPushButton* goButton() const { return m_go; }
    QComboBox* outputBox() const { return m_outputs; }
    QSpinBox* seedBox() const { return m_seed; }
    QToolButton* inputsButton() const { return m_inputs; }
    QString notice() const;    ///< the sentence below the buttons
    QString stateText() const; ///< what stands in place of numbers; empty when there are some

Q_SIGNALS:
    /// A value, an error, or the end of a search is shown.
    void ready();

protected:
    void runChanged() override;
    void stepChanged() override;
    void selectionChanged() override;
    void stateChanged() override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeHead();
    QWidget* makeBody();
    NodeId selectedNode() const;
    AccuracyRequest request() const;
    void updateHead();
    void show(AccuracyReport report);
    void show(OverflowReport report);
    void fill();
    void updateState();
    void setNotice(const QString& text, NodeId node = {});
    void updateButtons();
    void chooseInputs();
    void retranslate();

    ElementsModel* m_elementsModel;
    FiguresModel* m_figuresModel;
    ElidedLabel* m_name;
    QLabel *m_outputLabel, *m_seedLabel, *m_notice;
    QComboBox* m_outputs;
    QSpinBox* m_seed;
    QToolButton* m_inputs;
    QAction *m_chooseInputs, *m_drawInputs;
    QStringList m_inputFiles;
    QPushButton *m_compute, *m_overflow, *m_cancel, *m_go;
    QProgressBar* m_bar;
    TablePanel *m_figures, *m_elements;
    HistogramBars* m_histogram;
    StateStack* m_stack;
    AccuracyReport m_report;
    OverflowReport m_found;
    bool m_hasReport = false, m_hasFound = false, m_wasCancelled = false;
    NodeId m_noticeNode;
    DrawnInputs m_drawn;
    Background m_job;
};

} // namespace gelens
