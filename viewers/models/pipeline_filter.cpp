#include "viewers/models/pipeline_filter.h"

#include "viewers/models/pipeline_model.h"

namespace gelens {

PipelineFilter::PipelineFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setRecursiveFilteringEnabled(true);
    setSortRole(SortRole);
}

void PipelineFilter::setText(const QString& text)
{
    m_text = text.trimmed();
    invalidateFilter();
}

void PipelineFilter::setChangedOnly(bool isOn)
{
    m_isChangedOnly = isOn;
    invalidateFilter();
}

void PipelineFilter::setSteps(std::optional<std::set<StepId>> steps)
{
    m_steps = std::move(steps);
    invalidateFilter();
}

bool PipelineFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const auto* model = static_cast<const PipelineModel*>(sourceModel());
    const QModelIndex index = model->index(row, PipelineModel::Name, parent);
    const PipelineItem& item = model->item(index);
    if (item.kind != PipelineItem::Kind::Pass) return false; // kept by what is below
    // What was typed is meant; the switches alone leave the step shown in sight.
    if (!m_text.isEmpty() && !index.data().toString().contains(m_text, Qt::CaseInsensitive) &&
        !index.data(FilterRole).toString().contains(m_text, Qt::CaseInsensitive))
        return false;
    if (item.step == model->shown().value) return true;
    if (m_isChangedOnly && item.edits == 0 && !item.isSkipped) return false; // what was left out is said
    return !m_steps || m_steps->contains(StepId{item.step});
}

} // namespace gelens
