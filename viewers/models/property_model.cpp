#include "viewers/models/property_model.h"

namespace gelens {

QString PropertyModel::title(int column) const { return column == Name ? tr("Name") : tr("Value"); }

QVariant PropertyModel::cell(int node, int column, int role) const
{
    const PropertyItem& content = item(node);
    const bool isLink =
        content.node >= 0 || content.step >= 0 || content.task >= 0 || content.buffer >= 0 || content.refusal >= 0;
    switch (role) {
    case Qt::DisplayRole: return column == Name ? content.name : content.value;
    case Qt::ToolTipRole:
        if (!content.toolTip.isEmpty()) return content.toolTip;
        return {};
    case HeadingRole: return content.isHeading;
    case SortRole: // sections keep the order of reading; what is in them is sorted
        if (content.isHeading) return QStringLiteral("%1").arg(node, 8, 10, QLatin1Char('0'));
        return {};
    case MutedRole: return content.isMuted;
    case LinkRole: return isLink && (column == Value || content.value.isEmpty());
    case VerdictRole:
        if (content.verdict && column == Name) return *content.verdict;
        return {};
    case NodeRole:
        if (content.node >= 0) return content.node;
        return {};
    case StepRole:
        if (content.step >= 0) return content.step;
        return {};
    case TaskRole:
        if (content.task >= 0) return content.task;
        return {};
    case BufferRole:
        if (content.buffer >= 0) return content.buffer;
        return {};
    case RefusalRole:
        if (content.refusal >= 0) return content.refusal;
        return {};
    default: return {};
    }
}

} // namespace gelens
