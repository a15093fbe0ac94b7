#include "viewers/models/fusions_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/summaries.h"
#include "viewers/models/words.h"

#include <algorithm>
#include <unordered_map>

namespace gelens {

void FusionsModel::setRun(std::shared_ptr<const Run> run)
{
    Tree tree;
    if (run) {
        std::unordered_map<std::string, std::vector<FusionItem>> places;
        for (const Step& step : run->steps)
            for (const FusionVerdict& verdict : step.verdicts)
                if (verdict.fused) places[verdict.rule].push_back({nullptr, &verdict, step.id.value});
        for (const FusionSummary& fusion : run->fusions) {
            const std::vector<FusionItem>& found = places[fusion.rule];
            const int node = tree.add(top, {&fusion, nullptr, found.empty() ? -1 : found.front().step});
            for (const FusionItem& place : found) tree.add(node, place);
        }
    }
    // The old tree points into the old run, so both go in one reset.
    const auto keep = std::exchange(m_run, std::move(run));
    setTree(std::move(tree));
}

QModelIndex FusionsModel::indexOfNode(NodeId node) const
{
    if (!node.isValid()) return {};
    for (int number = 1; number < nodeCount(); ++number) {
        const FusionVerdict* place = item(number).place;
        if (place == nullptr) continue;
        if (place->into == node || std::find(place->nodes.begin(), place->nodes.end(), node) != place->nodes.end())
            return indexOf(number);
    }
    return {};
}

QString FusionsModel::title(int column) const
{
    switch (column) {
    case Rule: return tr("Fusion rule");
    case Matched: return tr("Matched");
    case Effective: return tr("Effective");
    case Summary: return tr("What it does");
    default: return {};
    }
}

QVariant FusionsModel::cell(int node, int column, int role) const
{
    const FusionItem& content = item(node);
    if (role == StepRole && content.step >= 0) return content.step;
    if (content.rule != nullptr) {
        const FusionSummary& rule = *content.rule;
        if (role == Qt::DisplayRole) {
            if (column == Rule) return words::text(rule.rule);
            if (column == Matched) return format::count(rule.matched);
            if (column == Effective) return format::count(rule.effective);
            if (column == Summary) return words::summary(rule.summary);
        }
        if (role == SortRole && column == Matched) return rule.matched;
        if (role == SortRole && column == Effective) return rule.effective;
        if (role == Qt::ToolTipRole)
            return tr("%1\nGE's pass: %2").arg(words::summary(rule.summary), words::text(rule.gePass));
        if (role == FilterRole) return words::text(rule.gePass);
        if (role == MutedRole) return rule.effective == 0;
        return {};
    }
    if (content.place == nullptr) return {};
    const FusionVerdict& place = *content.place;
    if (role == Qt::DisplayRole && column == Rule) return words::text(place.intoName);
    if (role == Qt::DisplayRole && column == Summary) {
        QStringList names;
        for (const std::string& type : place.nodeTypes) names += words::text(type);
        return names.join(QStringLiteral(" → "));
    }
    if (role == Qt::ToolTipRole) {
        QStringList names;
        for (const std::string& name : place.nodeNames) names += words::text(name);
        return tr("step %1, from:\n%2").arg(content.step).arg(names.join(QLatin1Char('\n')));
    }
    if (role == NodeRole && place.into.isValid()) return place.into.value;
    if (role == LinkRole && column == Rule) return true;
    return {};
}

} // namespace gelens
