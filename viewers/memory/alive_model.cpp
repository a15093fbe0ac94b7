#include "viewers/memory/alive_model.h"

#include "viewers/common/formatter.h"
#include "viewers/memory/memory_picture.h"
#include "viewers/models/words.h"

#include <utility>

namespace gelens {

void AliveModel::setBuffers(std::shared_ptr<const Run> run, const std::vector<int>& buffers)
{
    Rows rows;
    m_total = 0;
    for (const int buffer : buffers) {
        const MemoryBuffer& content = run->plan.buffers[static_cast<std::size_t>(buffer)];
        rows.push_back({buffer, producerType(*run, content)});
        m_total += static_cast<double>(content.blockBytes);
    }
    const auto keep = std::exchange(m_run, std::move(run));
    setRows(std::move(rows));
}

int AliveModel::rowOf(int buffer) const
{
    for (std::size_t i = 0; i < rows().size(); ++i)
        if (rows()[i].buffer == buffer) return static_cast<int>(i);
    return -1;
}

QString AliveModel::title(int column) const
{
    switch (column) {
    case Tensor: return tr("Tensor");
    case Type: return tr("Made by");
    case Size: return tr("Block");
    case Share: return tr("Share");
    case Begin: return tr("From");
    case End: return tr("To");
    default: return {};
    }
}

QString AliveModel::unit(int column) const { return column == Size ? QStringLiteral("B") : QString(); }

QVariant AliveModel::cell(const AliveRow& row, int column, int role) const
{
    const MemoryBuffer& buffer = m_run->plan.buffers[static_cast<std::size_t>(row.buffer)];
    const double share = m_total > 0 ? static_cast<double>(buffer.blockBytes) / m_total : 0;
    if (role == Qt::DisplayRole) switch (column) {
        case Tensor: return words::text(buffer.name);
        case Type: return words::text(row.type);
        case Size: return format::bytes(buffer.blockBytes);
        case Share: return format::percent(share);
        case Begin: return format::count(buffer.lifetime.begin);
        case End: return format::count(buffer.lifetime.end - 1);
        default: return {};
        }
    if (role == SortRole) switch (column) {
        case Size: return static_cast<qlonglong>(buffer.blockBytes);
        case Share: return share;
        case Begin: return static_cast<qlonglong>(buffer.lifetime.begin);
        case End: return static_cast<qlonglong>(buffer.lifetime.end - 1);
        default: return {};
        }
    if (role == Qt::ToolTipRole && column == Size) return format::exactBytes(buffer.blockBytes);
    if (role == NodeRole && buffer.tensor.node.isValid()) return buffer.tensor.node.value;
    return {};
}

} // namespace gelens
