#include "viewers/textdiff/text_changes_model.h"

#include "viewers/common/formatter.h"
#include "viewers/common/palette.h"
#include "viewers/models/words.h"

#include <utility>

namespace gelens {

void TextChangesModel::setDiff(std::shared_ptr<const TextDiff> diff)
{
    Tree tree;
    m_nodeOfChange.assign(diff ? diff->changes.size() : 0, -1);
    if (diff) {
        for (std::size_t i = 0; i < diff->summaries.size(); ++i) tree.add(top, {static_cast<int>(i), -1, 0});
        for (std::size_t i = 0; i < diff->changes.size();) {
            std::size_t end = i + 1;
            const TextChange& first = diff->changes[i];
            while (!first.field.empty() && end < diff->changes.size() && !diff->changes[end].field.empty() &&
                   diff->changes[end].node == first.node && diff->changes[end].afterNode.begin == first.afterNode.begin)
                ++end;
            const int parent = tree.add(top, {-1, static_cast<int>(i), static_cast<int>(end - i)});
            // A node that came or went, or only has another name, is one line.
            const bool isOneLine = first.field.empty() || (end - i == 1 && first.field == "name");
            if (isOneLine) m_nodeOfChange[i] = parent;
            for (std::size_t change = i; change < end && !isOneLine; ++change)
                m_nodeOfChange[change] = tree.add(parent, {-1, static_cast<int>(change), 0});
            i = end;
        }
    }
    const auto keep = std::exchange(m_diff, std::move(diff));
    setTree(std::move(tree));
}

const TextChange* TextChangesModel::changeOf(const QModelIndex& index) const
{
    if (!index.isValid() || !m_diff) return nullptr;
    const int change = item(index).first;
    return change < 0 ? nullptr : &m_diff->changes[static_cast<std::size_t>(change)];
}

QModelIndex TextChangesModel::indexOfChange(int change) const
{
    if (change < 0 || static_cast<std::size_t>(change) >= m_nodeOfChange.size()) return {};
    return indexOf(m_nodeOfChange[static_cast<std::size_t>(change)]);
}

QString TextChangesModel::title(int column) const
{
    switch (column) {
    case What: return tr("Node and field");
    case Before: return tr("Before");
    case After: return tr("After");
    default: return {};
    }
}

QString TextChangesModel::summaryText(const TextSummary& summary)
{
    const QString nodes = format::count(summary.nodes), values = format::count(summary.values);
    switch (summary.kind) {
    case TextSummary::Kind::Ids: return tr("%1 nodes have other ids").arg(nodes);
    case TextSummary::Kind::Offsets: return tr("%1 memory offsets in %2 nodes are others").arg(values, nodes);
    case TextSummary::Kind::NodeOrder: return tr("%1 nodes stand in another place").arg(nodes);
    case TextSummary::Kind::FieldOrder: return tr("%1 nodes have their fields in another order").arg(nodes);
    }
    return {};
}

QVariant TextChangesModel::cell(int node, int column, int role) const
{
    const TextChangeItem& content = item(node);
    if (content.summary >= 0) {
        if (role == MutedRole) return true;
        if (role == Qt::DisplayRole && column == What)
            return summaryText(m_diff->summaries[static_cast<std::size_t>(content.summary)]);
        return {};
    }
    if (content.first < 0) return {};
    const TextChange& change = m_diff->changes[static_cast<std::size_t>(content.first)];
    const bool isNode = content.count > 0;
    const bool isWhole = change.field.empty();
    if (role == Qt::DisplayRole) {
        if (column == What && isNode) {
            const QChar sign = isWhole ? changeSign(change.kind) : changeSign(ChangeKind::Changed);
            const QString name = change.node.empty() ? tr("outside all nodes") : words::text(change.node);
            return QStringLiteral("%1 %2  (%3)").arg(sign).arg(name, words::text(change.type));
        }
        if (column == What) return QStringLiteral("%1 %2").arg(changeSign(change.kind)).arg(words::text(change.field));
        if (isNode && content.count == 1 && change.field == "name")
            return words::text(column == Before ? change.before : change.after);
        if (isNode && !isWhole) return column == After ? tr("%1 fields").arg(format::count(content.count)) : QString();
        if (isWhole) return {};
        return words::text(column == Before ? change.before : change.after);
    }
    if (role == Qt::ToolTipRole && !isNode && column != What)
        return words::text(column == Before ? change.before : change.after);
    return {};
}

} // namespace gelens
