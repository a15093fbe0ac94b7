#include "viewers/timeline/compare_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/words.h"

#include <unordered_map>

namespace gelens {

std::vector<CompareRow> compareTasks(const Run& run)
{
    struct Work {
        double us = 0;
        std::int64_t tasks = 0;
    };
    std::unordered_map<std::int32_t, Work> before; // by node of the imported graph
    for (const TimelineItem& item : run.timelineBefore.items) {
        if (!item.node.isValid()) continue;
        Work& work = before[item.node.value];
        work.us += item.durationUs;
        ++work.tasks;
    }
    std::vector<CompareRow> rows;
    for (const TimelineItem& item : run.timeline.items) {
        if (!item.node.isValid() || item.task < 0 || static_cast<std::size_t>(item.task) >= run.tasks.tasks.size())
            continue;
        const gelens::Task& task = run.tasks.tasks[static_cast<std::size_t>(item.task)];
        CompareRow row;
        row.task = item.task;
        row.node = item.node;
        row.name = task.name;
        row.type = task.opType;
        row.afterUs = item.durationUs;
        row.bound = item.bound;
        std::vector<NodeId> origins = run.originsOf(item.node);
        origins.push_back(item.node); // a node that was never changed is its own origin
        for (const NodeId origin : origins) {
            const auto found = before.find(origin.value);
            if (found == before.end()) continue;
            row.beforeUs += found->second.us;
            row.tasksBefore += found->second.tasks;
            before.erase(found);
        }
        rows.push_back(std::move(row));
    }
    CompareRow gone;
    for (const auto& [node, work] : before) {
        gone.beforeUs += work.us;
        gone.tasksBefore += work.tasks;
    }
    if (gone.tasksBefore > 0) rows.push_back(std::move(gone));
    return rows;
}

QString CompareModel::title(int column) const
{
    switch (column) {
    case Task: return tr("Compiled task");
    case Type: return tr("Type");
    case TasksBefore: return tr("Original tasks");
    case Before: return tr("Original (est.)");
    case After: return tr("Optimised (est.)");
    case Gain: return tr("Gain (est.)");
    case BoundBy: return tr("Bound by");
    default: return {};
    }
}

QString CompareModel::unit(int column) const
{
    return column == Before || column == After || column == Gain ? QStringLiteral("µs") : QString();
}

QVariant CompareModel::cell(const CompareRow& row, int column, int role) const
{
    const double gain = row.beforeUs - row.afterUs;
    if (role == Qt::DisplayRole) switch (column) {
        case Task: return row.task < 0 ? tr("(no task any more)") : words::text(row.name);
        case Type: return words::text(row.type);
        case TasksBefore: return format::count(row.tasksBefore);
        case Before: return format::microseconds(row.beforeUs);
        case After: return format::microseconds(row.afterUs);
        case Gain: return gain < 0 ? QStringLiteral("−") + format::microseconds(-gain) : format::microseconds(gain);
        case BoundBy: return row.task < 0 ? QString() : words::bound(row.bound);
        default: return {};
        }
    if (role == SortRole) switch (column) {
        case TasksBefore: return static_cast<qlonglong>(row.tasksBefore);
        case Before: return row.beforeUs;
        case After: return row.afterUs;
        case Gain: return gain;
        default: return {};
        }
    if (role == NodeRole && row.node.isValid()) return row.node.value;
    return {};
}

} // namespace gelens
