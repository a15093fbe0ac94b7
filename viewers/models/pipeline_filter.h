#pragma once
// Which steps the pipeline panel lists.

#include "engine/graph/ids.h"

#include <QSortFilterProxyModel>

#include <optional>
#include <set>

namespace gelens {

/// Passes by text, by whether they changed anything, by whether they touched a node. The step shown stays in the list
/// whatever the switches say, so that one can see where one is; stages and phases stay while something is below them.
class PipelineFilter : public QSortFilterProxyModel {
public:
    explicit PipelineFilter(QObject* parent = nullptr);

    void setText(const QString& text);
    void setChangedOnly(bool isOn);
    /// Only these steps; nothing = all.
    void setSteps(std::optional<std::set<StepId>> steps);
    /// To be called when the step shown has changed.
    void refresh() { invalidateFilter(); }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString m_text;
    bool m_isChangedOnly = true;
    std::optional<std::set<StepId>> m_steps;
};

} // namespace gelens
