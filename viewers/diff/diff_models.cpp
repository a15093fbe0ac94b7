#include "viewers/diff/diff_models.h"

#include "viewers/common/formatter.h"
#include "viewers/common/palette.h"
#include "viewers/models/words.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gelens {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(gelens::DiffView)
};

QString countText(std::size_t count) { return format::count(static_cast<std::int64_t>(count)); }

} // namespace

QString kindWord(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::Added: return Words::tr("added");
    case ChangeKind::Removed: return Words::tr("removed");
    case ChangeKind::Changed: return Words::tr("changed");
    }
    return {};
}

void ChangesModel::setContent(std::shared_ptr<const DiffContent> content)
{
    Tree tree;
    const std::size_t count = content ? content->diff.changes.size() : 0;
    m_rowOfChange.assign(count, -1);
    std::vector<int> rowOfGroup(content ? content->diff.groups.size() : 0, -1);
    std::vector<std::uint8_t> isUsed(rowOfGroup.size(), 0);
    for (std::size_t i = 0; i < count; ++i)
        if (content->groupOf[i] >= 0) isUsed[static_cast<std::size_t>(content->groupOf[i])] = 1;
    for (std::size_t group = 0; group < rowOfGroup.size(); ++group)
        if (isUsed[group] != 0) rowOfGroup[group] = tree.add(top, {-1, static_cast<int>(group)});
    for (std::size_t i = 0; i < count; ++i) {
        const int group = content->groupOf[i];
        if (group < 0) continue;
        const int parent = rowOfGroup[static_cast<std::size_t>(group)];
        m_rowOfChange[i] = tree.add(parent, {static_cast<int>(i), group});
    }
    for (std::size_t i = 0; i < count; ++i)
        if (content->groupOf[i] < 0) m_rowOfChange[i] = tree.add(top, {static_cast<int>(i), -1});
    const auto keep = std::exchange(m_content, std::move(content));
    setTree(std::move(tree));
}

QModelIndex ChangesModel::indexOfChange(int change) const
{
    return change < 0 || static_cast<std::size_t>(change) >= m_rowOfChange.size()
               ? QModelIndex()
               : indexOf(m_rowOfChange[static_cast<std::size_t>(change)]);
}

QString ChangesModel::title(int column) const
{
    switch (column) {
    case Kind: return tr("Change");
    case Type: return tr("Type");
    case Name: return tr("Node");
    case Fields: return tr("Fields");
    default: return {};
    }
}

QVariant ChangesModel::groupCell(const ChangeItem& row, int column, int role) const
{
    const LineageGroup& group = m_content->diff.groups[static_cast<std::size_t>(row.group)];
    const NodeId into = group.after.empty() ? NodeId{} : group.after.front();
    if (role == HeadingRole) return true;
    if (role == NodeRole && into.isValid()) return into.value;
    if (role != Qt::DisplayRole) return {};
    if (column == Kind)
        return QStringLiteral("%1 → %2").arg(countText(group.before.size()), countText(group.after.size()));
    if (!into.isValid()) return {};
    if (column == Type) return words::text(m_content->afterGraph->node(into).type);
    if (column == Name) return words::text(m_content->afterGraph->node(into).name);
    return {};
}

QVariant ChangesModel::cell(int node, int column, int role) const
{
    const ChangeItem& row = item(node);
    if (row.change < 0) return groupCell(row, column, role);
    const NodeChange& change = m_content->diff.changes[static_cast<std::size_t>(row.change)];
    if (role == Qt::DisplayRole) switch (column) {
        case Kind: return QStringLiteral("%1 %2").arg(changeSign(change.kind)).arg(kindWord(change.kind));
        case Type: return words::text(change.type);
        case Name: return words::text(change.name);
        case Fields: return countText(change.fields.size());
        default: return {};
        }
    if (role == SortRole && column == Fields) return static_cast<int>(change.fields.size());
    if (role == NodeRole) return m_content->nodeOf(row.change).value;
    if (role == ChangeKindRole) return static_cast<int>(change.kind);
    return {};
}

void FieldsModel::setContent(std::shared_ptr<const DiffContent> content)
{
    Tree tree;
    const std::size_t count = content ? content->diff.changes.size() : 0;
    m_rowOfChange.assign(count, -1);
    m_isUnfolded.assign(count, 0);
    // In the order of the other list: what became one stands together.
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto place = [&](std::size_t i) { return static_cast<unsigned>(content->groupOf[i]); }; // no group: last
        return place(a) < place(b);
    });
    for (const std::size_t i : order) {
        const int change = static_cast<int>(i);
        const int heading = tree.add(top, {change, {}, true, 0, false});
        m_rowOfChange[i] = heading;
        for (const FieldChange& field : content->diff.changes[i].fields)
            tree.add(heading, {change, field, false, 0, false});
        if (content->unchangedFields[i] > 0) tree.add(heading, {change, {}, false, content->unchangedFields[i], false});
    }
    if (content && content->unchangedNodes > 0) tree.add(top, {-1, {}, false, content->unchangedNodes, false});
    const auto keep = std::exchange(m_content, std::move(content));
    setTree(std::move(tree));
}

QModelIndex FieldsModel::indexOfChange(int change) const
{
    return change < 0 || static_cast<std::size_t>(change) >= m_rowOfChange.size()
               ? QModelIndex()
               : indexOf(m_rowOfChange[static_cast<std::size_t>(change)]);
}

bool FieldsModel::unfold(const QModelIndex& index)
{
    const FieldItem row = item(index);
    if (row.folded <= 0 || row.change < 0) return false;
    std::uint8_t& isUnfolded = m_isUnfolded[static_cast<std::size_t>(row.change)];
    if (isUnfolded != 0) return true;
    isUnfolded = 1;
    const int parent = nodeAt(index.siblingAtColumn(0));
    for (FieldChange& field : m_content->equalFields(row.change))
        append(parent, {row.change, std::move(field), false, 0, true});
    return true;
}

QString FieldsModel::title(int column) const
{
    switch (column) {
    case Field: return tr("Field");
    case Before: return m_content ? tr("Before: step %1").arg(m_content->before.value) : tr("Before");
    case After: return m_content ? tr("After: step %1").arg(m_content->after.value) : tr("After");
    default: return {};
    }
}

QVariant FieldsModel::cell(int node, int column, int role) const
{
    const FieldItem& row = item(node);
    if (row.change < 0) {
        if (role == Qt::DisplayRole && column == Field)
            return tr("… nodes unchanged: %1").arg(format::count(row.folded));
        if (role == MutedRole) return true;
        return {};
    }
    const NodeChange& change = m_content->diff.changes[static_cast<std::size_t>(row.change)];
    if (role == NodeRole) return m_content->nodeOf(row.change).value;
    if (row.isHeading) {
        const QString name = QStringLiteral("%1 '%2'").arg(words::text(change.type), words::text(change.name));
        if (role == HeadingRole) return true;
        if (role == ChangeKindRole) return static_cast<int>(change.kind);
        if (role != Qt::DisplayRole) return {};
        if (column == Field) return QStringLiteral("%1 %2").arg(changeSign(change.kind)).arg(kindWord(change.kind));
        if (column == Before && change.kind != ChangeKind::Added) return name;
        if (column == After && change.kind != ChangeKind::Removed) return name;
        return {};
    }
    if (row.folded > 0) {
        if (role == Qt::DisplayRole && column == Field)
            return tr("… fields unchanged: %1").arg(format::count(row.folded));
        if (role == MutedRole) return true;
        if (role == LinkRole) return column == Field;
        return {};
    }
    if (role == Qt::DisplayRole)
        return words::text(column == Field ? row.field.field : column == Before ? row.field.before : row.field.after);
    if (role == FilterRole) return words::text(change.type) + QLatin1Char(' ') + words::text(change.name);
    if (role == MutedRole) return row.isEqual;
    if (row.isEqual) return {};
    if (role == ChangeKindRole) return static_cast<int>(change.kind);
    if (role == OtherTextRole) return words::text(column == Before ? row.field.after : row.field.before);
    return {};
}

} // namespace gelens
