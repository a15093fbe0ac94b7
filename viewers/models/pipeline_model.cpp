#include "viewers/models/pipeline_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/sentence.h"
#include "viewers/models/summaries.h"
#include "viewers/models/words.h"

#include <unordered_map>

namespace gelens {
namespace {

void addTo(PipelineItem& sum, const PipelineItem& part)
{
    if (sum.firstStep < 0) sum.firstStep = part.step;
    sum.step = part.step;
    sum.operatorChange += part.operatorChange;
    sum.nodeChange += part.nodeChange;
    sum.edits += part.edits;
    sum.milliseconds += part.milliseconds;
}

} // namespace

void PipelineModel::setRun(std::shared_ptr<const Run> run)
{
    m_run = std::move(run);
    m_nodeOfStep.clear();
    m_shown = StepId{-1};
    Tree tree;
    std::unordered_map<std::string, int> uses;
    if (m_run)
        for (const Step& step : m_run->steps) ++uses[step.pass];
    int stageNode = -1, phaseNode = -1;
    if (hasFiles()) addFiles(tree);
    for (const Step& step : m_run && !hasFiles() ? m_run->steps : std::vector<Step>()) {
        if (stageNode < 0 || tree.item(stageNode).stage != step.stage) {
            stageNode = tree.add(top, {PipelineItem::Kind::Stage, step.stage, {}});
            phaseNode = -1;
        }
        if (phaseNode < 0 || tree.item(phaseNode).phase != step.phase)
            phaseNode = tree.add(stageNode, {PipelineItem::Kind::Phase, step.stage, step.phase});
        PipelineItem item{PipelineItem::Kind::Pass, step.stage, step.phase, step.id.value, step.id.value};
        item.operatorChange = step.after.operators - step.before.operators;
        item.nodeChange = step.after.graphNodes - step.before.graphNodes;
        item.edits = step.editCount();
        item.milliseconds = step.milliseconds;
        item.isSkipped = step.wasSkipped;
        item.isRepeated = uses[step.pass] > 1;
        m_nodeOfStep.push_back(tree.add(phaseNode, item));
        addTo(tree.item(stageNode), item);
        addTo(tree.item(phaseNode), item);
    }
    setTree(std::move(tree));
}

bool PipelineModel::hasFiles() const
{
    return m_run && m_run->stepCount() > 0 && m_run->sourceOf(StepId{0}) != nullptr;
}

/// Nodes of the phase's graph; a sign where they are not known.
QString PipelineModel::nodesText(const PipelineItem& item) const
{
    const StepSource& source = *m_run->sourceOf(StepId{item.step});
    if (!source.error.empty()) return QStringLiteral("✕");
    return source.isRead ? format::count(m_run->step(StepId{item.step}).after.graphNodes) : QStringLiteral("…");
}

/// Steps that were found in files: group → phase.
void PipelineModel::addFiles(Tree& tree)
{
    std::unordered_map<std::string, int> groups;
    for (const Step& step : m_run->steps) {
        const auto [group, isNew] = groups.try_emplace(m_run->sourceOf(step.id)->group, 0);
        if (isNew) group->second = tree.add(top, {PipelineItem::Kind::Stage, step.stage, {}});
        PipelineItem item{PipelineItem::Kind::Pass, step.stage, step.phase, step.id.value, step.id.value};
        item.operatorChange = step.after.operators - step.before.operators;
        item.nodeChange = step.after.graphNodes - step.before.graphNodes;
        item.edits = step.editCount();
        item.milliseconds = step.milliseconds;
        m_nodeOfStep.push_back(tree.add(group->second, item));
        addTo(tree.item(group->second), item);
    }
}

QString PipelineModel::fileToolTip(const Step& step, const StepSource& source) const
{
    QStringList lines{tr("Step %1: %2").arg(step.id.value).arg(words::text(step.phase))};
    lines += source.owner.empty() ? tr("a phase that is not documented")
                                  : tr("%1: %2").arg(words::text(source.owner), words::phaseMeaning(source));
    if (!step.summary.empty() && step.summary != source.meaning) lines += words::text(step.summary);
    if (!source.isRead)
        lines += tr("not read yet");
    else if (!source.error.empty())
        lines += tr("cannot be read: %1").arg(words::text(source.error));
    else if (m_run->baseOf(step.id) == step.id)
        lines += tr("operators %1 · graph nodes %2")
                     .arg(format::count(step.after.operators), format::count(step.after.graphNodes));
    else
        lines += tr("%1 nodes changed · operators %2 → %3 · graph nodes %4 → %5")
                     .arg(format::count(static_cast<std::int64_t>(step.editCount())),
                          format::count(step.before.operators), format::count(step.after.operators),
                          format::count(step.before.graphNodes), format::count(step.after.graphNodes));
    for (const auto& [name, value] : step.counters)
        lines += QStringLiteral("%1: %2").arg(words::text(name), format::count(value));
    for (const auto& [format, path] : source.files)
        lines += QStringLiteral("%1  %2").arg(words::text(format), words::text(path));
    return lines.join(QLatin1Char('\n'));
}

void PipelineModel::setShown(StepId step)
{
    if (m_shown == step) return;
    const QModelIndex before = indexOfStep(m_shown);
    m_shown = step;
    const QModelIndex now = indexOfStep(step);
    for (const QModelIndex& index : {before, now})
        if (index.isValid()) Q_EMIT dataChanged(index, index.siblingAtColumn(ColumnCount - 1));
}

QModelIndex PipelineModel::indexOfStep(StepId step) const
{
    if (step.value < 0 || step.value >= static_cast<int>(m_nodeOfStep.size())) return {};
    return indexOf(m_nodeOfStep[static_cast<std::size_t>(step.value)]);
}

QString PipelineModel::title(int column) const
{
    switch (column) {
    case Name: return tr("Pass");
    case Operators: return tr("Ops");
    case Edits: return tr("Edits");
    case Time: return hasFiles() ? tr("Nodes") : tr("Time");
    case Stop: return QStringLiteral("●");
    default: return {};
    }
}

QString PipelineModel::unit(int column) const
{
    return column == Time && !hasFiles() ? QStringLiteral("ms") : QString();
}

QString PipelineModel::nameOf(const PipelineItem& item) const
{
    if (item.kind == PipelineItem::Kind::Stage && m_run->sourceOf(StepId{item.step}))
        return words::stepGroup(*m_run->sourceOf(StepId{item.step}));
    if (item.kind == PipelineItem::Kind::Stage)
        return QStringLiteral("%1  %2").arg(static_cast<int>(item.stage) + 1).arg(words::stage(item.stage));
    if (item.kind == PipelineItem::Kind::Phase) return words::phase(item.phase);
    const Step& step = m_run->step(StepId{item.step});
    QString name = words::pass(step.pass);
    if (item.isRepeated && !step.rule.empty() && step.rule != step.pass)
        name += QStringLiteral(" · ") + words::text(step.rule);
    return name;
}

QString PipelineModel::toolTipOf(const PipelineItem& item) const
{
    if (item.kind == PipelineItem::Kind::Stage) return tr("Steps %1 to %2").arg(item.firstStep).arg(item.step);
    if (item.kind == PipelineItem::Kind::Phase)
        return tr("GE's phase %1, steps %2 to %3").arg(words::text(item.phase)).arg(item.firstStep).arg(item.step);
    const Step& step = m_run->step(StepId{item.step});
    if (const StepSource* source = m_run->sourceOf(step.id)) return fileToolTip(step, *source);
    QStringList lines{tr("Step %1: %2").arg(item.step).arg(words::pass(step.pass))};
    if (!step.summary.empty()) lines += words::summary(step.summary);
    if (!step.rule.empty()) lines += tr("rule %1").arg(words::text(step.rule));
    lines += tr("%1 edits · operators %2 → %3 · graph nodes %4 → %5")
                 .arg(format::count(static_cast<std::int64_t>(step.editCount())), format::count(step.before.operators),
                      format::count(step.after.operators), format::count(step.before.graphNodes),
                      format::count(step.after.graphNodes));
    for (const auto& [name, value] : step.counters)
        lines += QStringLiteral("%1: %2").arg(words::text(name), format::count(value));
    for (const Message& message : step.messages)
        if (step.wasSkipped && message.id == "pass.skipped") lines += words::sentence(message.text);
    return lines.join(QLatin1Char('\n'));
}

QVariant PipelineModel::cell(int node, int column, int role) const
{
    const PipelineItem& content = item(node);
    const bool isPass = content.kind == PipelineItem::Kind::Pass;
    switch (role) {
    case Qt::DisplayRole:
        if (column == Name) return nameOf(content);
        if (column == Operators)
            return content.operatorChange == 0 ? QString() : format::signedCount(content.operatorChange);
        if (column == Edits)
            return content.edits == 0 ? QString() : format::count(static_cast<std::int64_t>(content.edits));
        if (column == Time && hasFiles()) return isPass ? nodesText(content) : QString();
        if (column == Time && content.isSkipped) return tr("skipped");
        if (column == Time) return format::milliseconds(content.milliseconds);
        if (column == Stop)
            return isPass && m_stopsAt && m_stopsAt(StepId{content.step}) ? QStringLiteral("●") : QString();
        return {};
    case SortRole:
        if (column == Name) return content.step;
        if (column == Operators) return content.operatorChange;
        if (column == Edits) return static_cast<qlonglong>(content.edits);
        if (column == Time && hasFiles()) return m_run->step(StepId{content.step}).after.graphNodes;
        if (column == Time) return content.milliseconds;
        return {};
    case Qt::TextAlignmentRole:
        if (column == Stop) return int(Qt::AlignCenter);
        if (column == Name) return int(Qt::AlignLeft | Qt::AlignVCenter); // its raw value, the step, is a number
        return {};
    case Qt::ToolTipRole:
        if (column == Stop && isPass) return tr("Click to set or take away a breakpoint on this pass");
        return toolTipOf(content);
    case FilterRole:
        if (!isPass) return words::text(content.phase);
        return words::text(m_run->step(StepId{content.step}).summary + ' ' + m_run->step(StepId{content.step}).rule +
                           ' ' + content.phase) +
               QLatin1Char(' ') + words::phase(content.phase);
    case StepRole: return content.step;
    case StageRole:
        if (content.kind == PipelineItem::Kind::Stage && column == Name) return static_cast<int>(content.stage);
        return {};
    case SeverityRole:
        if (column == Stop && isPass) return static_cast<int>(Severity::Error); // the colour of a stop
        return {};
    case MutedRole: return content.edits == 0 && column != Stop;
    case CurrentRole: return isPass && content.step == m_shown.value;
    default: return {};
    }
}

} // namespace gelens
