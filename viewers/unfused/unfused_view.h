#pragma once
// Why this chain was not fused, and why that one was.

#include "viewers/common/view.h"

class QTabWidget;

namespace gelens {

class ChainsModel;
class ExplanationCard;
class FusionsModel;
class StateStack;
class TablePanel;

class UnfusedView : public View {
    Q_OBJECT
public:
    explicit UnfusedView(QWidget* parent = nullptr);

    TablePanel* chainList() const { return m_chains; }
    TablePanel* fusionList() const { return m_fusions; }
    ExplanationCard* card() const { return m_card; }
    QTabWidget* tabs() const { return m_tabs; }
    QString stateText() const;

Q_SIGNALS:
    /// A remedy is to be tried out.
    void remedyRequested(const gelens::CompileOptions& options, const QString& name);

protected:
    void runChanged() override;
    void selectionChanged() override;
    void stateChanged() override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void showCurrent(); ///< the card of the row that is current in the tab in front
    void chooseChain(const QModelIndex& index);
    void chooseFusion(const QModelIndex& index);
    void showFusion(const QModelIndex& index);
    QModelIndex firstChain() const;
    QModelIndex firstPlace() const; ///< the first rule that took effect

    ChainsModel* m_chainsModel;
    FusionsModel* m_fusionsModel;
    TablePanel *m_chains, *m_fusions;
    QTabWidget* m_tabs;
    ExplanationCard* m_card;
    StateStack* m_stack;
    int m_ownChain = -1; ///< the chain of our last request
};

} // namespace gelens
