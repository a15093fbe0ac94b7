#include "viewers/models/om_file_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"

#include <algorithm>
#include <map>

namespace gelens {
namespace {

double shareOf(std::int64_t bytes, std::int64_t all)
{
    return all > 0 ? static_cast<double>(bytes) / static_cast<double>(all) : -1;
}

} // namespace

void OmFileModel::setFile(std::shared_ptr<const OmDetails> om)
{
    m_om = std::move(om);
    Tree tree;
    if (m_om) {
        const OmBreakdown& sizes = m_om->breakdown;
        const std::int64_t all =
            sizes.graphBytes + sizes.weightBytes + sizes.kernelBytes + sizes.taskBytes + sizes.otherBytes;
        addSizes(tree, all);
        addPartitions(tree, all);
        addModels(tree);
        addKernels(tree, all);
    }
    setTree(std::move(tree));
}

void OmFileModel::addSizes(Tree& tree, std::int64_t fileBytes) const
{
    const OmBreakdown& sizes = m_om->breakdown;
    const int section = tree.add(top, {tr("Where the bytes go"), {}, fileBytes, -1, true, false});
    const auto add = [&](int parent, const QString& name, std::int64_t bytes, const QString& says = {}) {
        return tree.add(parent, {name, says, bytes, shareOf(bytes, fileBytes), false, bytes == 0});
    };
    const int weights = add(section, tr("weights"), sizes.weightBytes);
    for (const auto& [type, bytes] : sizes.weightsByType) add(weights, words::text(type), bytes);
    add(section, tr("graph"), sizes.graphBytes, tr("operators, edges and attributes"));
    add(section, tr("kernels"), sizes.kernelBytes,
        m_om->isSimulated ? tr("none: the file was made by a simulator and carries no device binaries") : QString());
    add(section, tr("tasks"), sizes.taskBytes);
    add(section, tr("other"), sizes.otherBytes, tr("headers, padding and partitions that are only listed"));
    const auto note = [&](const QString& name, std::int64_t bytes, const QString& says) {
        tree.add(section, {name, says, bytes, -1, false, bytes == 0});
    };
    note(tr("duplicated constants"), sizes.duplicateConstantBytes,
         tr("part of the weights: values that are stored more than once"));
    note(tr("shared constants"), sizes.sharedConstantBytes, tr("saved: constants that lie at the same place"));
}

void OmFileModel::addPartitions(Tree& tree, std::int64_t fileBytes) const
{
    const int section =
        tree.add(top, {tr("Partitions (%1)").arg(format::count(static_cast<std::int64_t>(m_om->partitions.size()))),
                       {},
                       -1,
                       -1,
                       true,
                       false});
    for (const OmPartition& part : m_om->partitions) {
        constexpr std::string_view listed = "listed only";
        const std::string_view verdict = part.verdict;
        const bool isListed = verdict.starts_with(listed);
        const QString says = verdict == "read" ? tr("read")
                             : isListed        ? tr("listed only") + words::text(verdict.substr(listed.size()))
                                               : words::sentence(verdict);
        const QString place =
            tr("model %1, type %2, at byte %3").arg(part.model).arg(part.type).arg(format::count(part.offset));
        tree.add(section, {words::text(part.name), tr("%1 · %2").arg(says, place), part.size,
                           shareOf(part.size, fileBytes), false, isListed});
    }
}

void OmFileModel::addModels(Tree& tree) const
{
    const int section =
        tree.add(top, {tr("Models (%1)").arg(format::count(static_cast<std::int64_t>(m_om->models.size()))),
                       {},
                       -1,
                       -1,
                       true,
                       false});
    for (const OmModel& model : m_om->models) {
        const int node = tree.add(
            section, {words::text(model.name),
                      tr("%1 operators, %2 tasks, %3 streams, %4 events")
                          .arg(format::count(model.nodes), format::count(static_cast<std::int64_t>(model.tasks.size())),
                               format::count(model.streams), format::count(model.events)),
                      -1, -1, false, false});
        const auto memory = [&](const QString& name, std::int64_t bytes, const QString& says) {
            tree.add(node, {name, says, bytes, -1, false, bytes == 0});
        };
        memory(tr("device memory"), model.memoryBytes, tr("as the file states it"));
        memory(tr("of it zero-copy"), model.zeroCopyBytes, tr("inputs and outputs of the model"));
        memory(tr("weights on the device"), model.weightBytes, {});
        std::map<std::string, int> types;
        for (const OmTask& task : model.tasks) ++types[task.typeName];
        for (const auto& [type, count] : types)
            tree.add(node, {words::text(type), tr("%1 tasks").arg(format::count(count)), -1, -1, false, false});
    }
}

void OmFileModel::addKernels(Tree& tree, std::int64_t fileBytes) const
{
    if (m_om->kernels.empty()) return;
    const int section =
        tree.add(top, {tr("Kernels (%1)").arg(format::count(static_cast<std::int64_t>(m_om->kernels.size()))),
                       {},
                       -1,
                       -1,
                       true,
                       false});
    std::vector<const OmKernel*> largestFirst;
    for (const OmKernel& kernel : m_om->kernels) largestFirst.push_back(&kernel);
    std::stable_sort(largestFirst.begin(), largestFirst.end(),
                     [](const OmKernel* a, const OmKernel* b) { return a->bytes > b->bytes; });
    for (const OmKernel* kernel : largestFirst)
        tree.add(section, {words::text(kernel->name), kernel->isAiCpu ? tr("AI CPU") : QString(), kernel->bytes,
                           shareOf(kernel->bytes, fileBytes), false, false});
}

QString OmFileModel::title(int column) const
{
    switch (column) {
    case Part: return tr("Part of the file");
    case Bytes: return tr("Size");
    case Share: return tr("Share");
    case Says: return tr("What it is");
    default: return {};
    }
}

QString OmFileModel::unit(int column) const { return column == Bytes ? QStringLiteral("B") : QString(); }

QVariant OmFileModel::cell(int node, int column, int role) const
{
    const OmFileItem& content = item(node);
    switch (role) {
    case HeadingRole: return content.isHeading;
    case MutedRole: return content.isMuted;
    case Qt::ToolTipRole:
        if (!content.says.isEmpty()) return content.says;
        return {};
    case SortRole:
        if (column == Bytes && content.bytes >= 0) return static_cast<qlonglong>(content.bytes);
        if (column == Share && content.share >= 0) return content.share;
        return {};
    case Qt::DisplayRole:
        if (column == Part) return content.name;
        if (column == Bytes && content.bytes >= 0) return format::bytes(content.bytes);
        if (column == Share && content.share >= 0) return format::percent(content.share);
        if (column == Says) return content.says;
        return {};
    default: return {};
    }
}

} // namespace gelens
