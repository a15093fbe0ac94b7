#include "viewers/inspector/inspector_rows.h"

#include "viewers/common/compared_runs.h"
#include "viewers/common/formatter.h"
#include "viewers/models/run_figures.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <set>

namespace gelens {
namespace {

using words::text;

constexpr std::size_t readerLimit = 20; ///< consumers listed for one output
constexpr std::size_t historyLimit = 2000;

class RowBuilder {
    Q_DECLARE_TR_FUNCTIONS(gelens::Inspector)
public:
    explicit RowBuilder(const SelectionReport& report) : m_report(report), m_run(*report.run) {}

    PropertyModel::Tree build()
    {
        if (m_report.all.empty())
            addModel();
        else if (m_report.all.size() == 1)
            addNode();
        else
            addComparison();
        return std::move(m_tree);
    }

private:
    int section(const char* key, const QString& title, int count = -1)
    {
        PropertyItem item;
        item.name = count < 0 ? title : QStringLiteral("%1 (%2)").arg(title, format::count(count));
        item.isHeading = true;
        item.key = QLatin1String(key);
        return m_tree.add(PropertyModel::top, std::move(item));
    }
    int add(int parent, const QString& name, const QString& value) { return m_tree.add(parent, {name, value}); }
    int addLink(int parent, const QString& name, const QString& value, NodeId node)
    {
        PropertyItem item{name, value};
        item.node = node.value;
        return m_tree.add(parent, std::move(item));
    }
    void addNothing(int parent, const QString& sentence)
    {
        PropertyItem item{sentence, {}};
        item.isMuted = true;
        m_tree.add(parent, std::move(item));
    }

    static QString descText(const TensorDesc& desc)
    {
        return QStringLiteral("%1 %2 %3")
            .arg(text(dataTypeShortName(desc.dtype)), text(desc.shape.text()), text(desc.format.text()));
    }
    static QString stepText(StepId step, const std::string& pass)
    {
        return QStringLiteral("%1 · %2").arg(step.value).arg(words::pass(pass));
    }

    void addModel();
    void addPhase(const StepSource& source);
    void addNode();
    void addGeneral();
    void addTensors();
    int addDesc(int parent, const QString& name, const TensorDesc& desc);
    void addInput(int parent, std::size_t index);
    void addOutput(int parent, std::size_t index);
    void addAttributes();
    void addHistory();
    void addLineage();
    void addVerdicts();
    void addMemory();
    void addTask(int parent);
    void addComparison();

    const SelectionReport& m_report;
    const Run& m_run;
    PropertyModel::Tree m_tree;
};

/// What a dump's file says of its phase, and what the graph is made of there.
void RowBuilder::addPhase(const StepSource& source)
{
    const Step& step = m_run.step(m_report.shown);
    const int phase = section("phase", tr("Phase"));
    add(phase, tr("name"), text(step.phase));
    if (!source.group.empty()) add(phase, tr("graph"), words::stepGroup(source));
    if (!comparesRuns(m_run)) // those were written by nobody
        add(phase, tr("written by"), source.owner.empty() ? tr("a phase that is not documented") : text(source.owner));
    if (!source.meaning.empty()) add(phase, tr("shows"), words::phaseMeaning(source));
    for (const auto& [format, path] : source.files) add(phase, text(format), text(path));
    if (!source.error.empty()) add(phase, tr("cannot be read"), words::sentence(source.error));
    for (const auto& [name, value] : step.counters) add(phase, words::sentence(name), format::count(value));
    add(phase, tr("graph nodes"), format::count(m_report.graph->nodeCount()));
    std::map<std::string, int> before(m_report.histogramBefore.begin(), m_report.histogramBefore.end());
    int operators = 0;
    for (const auto& [type, count] : m_report.histogram) operators += count;
    const int types = section("types", tr("Operators"), operators);
    const auto addType = [&](const std::string& type, int now, int earlier) {
        const QString change =
            now == earlier ? QString() : QStringLiteral(" (%1)").arg(format::signedCount(now - earlier));
        add(types, text(type), format::count(now) + change);
    };
    for (const auto& [type, count] : m_report.histogram) {
        addType(type, count, before.contains(type) ? before[type] : 0);
        before.erase(type);
    }
    for (const auto& [type, count] : before) addType(type, 0, count);
}

void RowBuilder::addModel()
{
    if (const StepSource* source = m_run.sourceOf(m_report.shown)) addPhase(*source);
    const RunStatistics& s = m_run.statistics;
    const int model = section("model", tr("Model"));
    add(model, tr("name"), text(m_run.modelName));
    add(model, tr("file"), text(m_run.modelPath));
    add(model, tr("format"), words::sentence(m_run.sourceFormat));
    if (isCompiled(m_run)) add(model, tr("SoC"), text(m_run.soc.name));
    add(model, tr("mode"), tr("%1: %2").arg(words::mode(m_run.mode), words::sentence(m_run.modeReason)));
    add(model, tr("steps"), format::count(m_run.stepCount()));
    if (m_run.error) add(model, tr("stopped"), words::sentence(m_run.error->message()));
    const int result = section("result", tr("Result"));
    add(result, tr("operators"),
        QStringLiteral("%1 → %2").arg(s.nodes.before ? format::count(*s.nodes.before) : QStringLiteral("–"),
                                      format::count(s.nodes.after)));
    if (hasMemoryFigures(m_run)) add(result, tr("peak memory"), format::bytes(s.memoryAfter));
    if (hasTaskFigures(m_run)) {
        add(result, tr("tasks"), format::count(s.tasks.after));
        add(result, tr("latency, estimated"), format::microseconds(s.latencyUs.after));
    }
    const Graph& graph = *m_report.graph;
    const int ports = section("ports", tr("Inputs and outputs"));
    graph.forEachNode(rootGraph, [&](const Node& node) {
        if (node.type == "Data" && !node.outputs.empty())
            addLink(ports, text(node.name), descText(node.outputs.front().desc), node.id);
    });
    for (const OutputRef output : graph.subgraph(rootGraph).outputs)
        if (graph.contains(output.node) && output.index < graph.node(output.node).outputCount())
            addLink(ports, QStringLiteral("→ %1:%2").arg(text(graph.node(output.node).name)).arg(output.index),
                    descText(graph.outputDesc(output)), output.node);
    addNothing(PropertyModel::top, tr("Choose a node in the graph to see it here."));
}

void RowBuilder::addNode()
{
    addGeneral();
    addTensors();
    addAttributes();
    addHistory();
    addLineage();
    addVerdicts();
    addMemory();
}

void RowBuilder::addGeneral()
{
    const NodeReport& main = m_report.main;
    const Node& node = main.asNode();
    const int general = section("general", tr("General"));
    add(general, tr("type"), text(node.type));
    add(general, tr("name"), text(node.name));
    add(general, tr("unit"), words::unit(main.unit));
    add(general, tr("engine"), node.placement.engine.empty() ? tr("not placed yet") : text(node.placement.engine));
    add(general, tr("stream"),
        node.placement.streamId < 0 ? tr("not assigned yet") : format::count(node.placement.streamId));
    if (node.isOpaque) add(general, tr("note"), tr("an operator that is not known here; it is carried along as it is"));
    if (node.graph != rootGraph) add(general, tr("sub-graph"), text(main.graph->subgraph(node.graph).name));
    const auto addStep = [&](const QString& name, StepId step) {
        PropertyItem item{name, stepText(step, m_run.step(step).pass)};
        item.step = step.value;
        m_tree.add(general, std::move(item));
    };
    addStep(tr("there since step"), main.born);
    if (main.died.isValid()) addStep(tr("removed in step"), main.died);
}

int RowBuilder::addDesc(int parent, const QString& name, const TensorDesc& desc)
{
    const int row = add(parent, name, descText(desc));
    if (desc.originFormat != desc.format || desc.originShape != desc.shape)
        add(row, tr("origin"),
            QStringLiteral("%1 %2").arg(text(desc.originShape.text()), text(desc.originFormat.text())));
    if (const auto bytes = storageBytes(desc.dtype, desc.shape)) add(row, tr("size"), format::exactBytes(*bytes));
    return row;
}

void RowBuilder::addInput(int parent, std::size_t index)
{
    const Graph& graph = *m_report.main.graph;
    const InputSlot& slot = m_report.main.asNode().inputs[index];
    const QString name = tr("in %1 %2").arg(index).arg(text(slot.name));
    if (!slot.source.isValid()) {
        add(parent, name, tr("not connected"));
        return;
    }
    const int row = addDesc(parent, name, slot.desc);
    const Node& source = graph.node(slot.source.node);
    addLink(row, tr("from"), QStringLiteral("%1:%2").arg(text(source.name)).arg(slot.source.index), source.id);
}

void RowBuilder::addOutput(int parent, std::size_t index)
{
    const Graph& graph = *m_report.main.graph;
    const OutputSlot& slot = m_report.main.asNode().outputs[index];
    const int row = addDesc(parent, tr("out %1 %2").arg(index).arg(text(slot.name)), slot.desc);
    for (std::size_t i = 0; i < std::min(slot.consumers.size(), readerLimit); ++i) {
        const InputRef reader = slot.consumers[i];
        addLink(row, tr("to"), QStringLiteral("%1:%2").arg(text(graph.node(reader.node).name)).arg(reader.index),
                reader.node);
    }
    if (slot.consumers.size() > readerLimit)
        addNothing(
            row,
            tr("and %1 more readers").arg(format::count(static_cast<qint64>(slot.consumers.size() - readerLimit))));
}

void RowBuilder::addTensors()
{
    const Node& node = m_report.main.asNode();
    const int tensors = section("tensors", tr("Tensors"), node.inputCount() + node.outputCount());
    for (std::size_t i = 0; i < node.inputs.size(); ++i) addInput(tensors, i);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) addOutput(tensors, i);
    const Graph& graph = *m_report.main.graph;
    for (const NodeId before : node.controlInputs)
        addLink(tensors, tr("runs after"), text(graph.node(before).name), before);
    for (const NodeId after : node.controlOutputs)
        addLink(tensors, tr("runs before"), text(graph.node(after).name), after);
}

void RowBuilder::addAttributes()
{
    const AttrMap& attrs = m_report.main.asNode().attrs;
    const int section_ = section("attributes", tr("Attributes"), static_cast<int>(attrs.size()));
    for (const auto& [name, value] : attrs) {
        PropertyItem item{text(name), text(value.text())};
        item.toolTip = QStringLiteral("%1 (%2)\n%3").arg(text(name), text(value.kindName()), text(value.text(2000)));
        m_tree.add(section_, std::move(item));
    }
    if (attrs.empty()) addNothing(section_, tr("none"));
}

void RowBuilder::addHistory()
{
    const std::vector<HistoryEntry>& history = m_report.main.history;
    const int edits = section("history", tr("History"), static_cast<int>(history.size()));
    if (history.empty()) addNothing(edits, tr("no pass has touched it"));
    for (std::size_t i = 0; i < std::min(history.size(), historyLimit);) {
        std::size_t end = i;
        while (end < std::min(history.size(), historyLimit) && history[end].step == history[i].step) ++end;
        const bool isSingle = end - i == 1;
        PropertyItem item{stepText(history[i].step, history[i].pass),
                          isSingle ? words::sentence(history[i].text)
                                   : tr("%1 edits").arg(format::count(static_cast<qint64>(end - i)))};
        item.step = history[i].step.value;
        const int row = m_tree.add(edits, std::move(item));
        for (std::size_t k = i; !isSingle && k < end; ++k) {
            PropertyItem edit{QString::number(k - i + 1), words::sentence(history[k].text)};
            edit.step = history[k].step.value;
            m_tree.add(row, std::move(edit));
        }
        i = end;
    }
    if (history.size() > historyLimit)
        addNothing(edits,
                   tr("and %1 more edits").arg(format::count(static_cast<qint64>(history.size() - historyLimit))));
}

void RowBuilder::addLineage()
{
    const NodeReport& main = m_report.main;
    const auto addLinks = [&](int parent, const std::vector<NodeLink>& links) {
        for (const NodeLink& link : links) {
            if (link.node == main.node)
                addNothing(parent, tr("itself"));
            else
                addLink(parent, text(link.type), text(link.name), link.node);
        }
    };
    const int from = section("came_from", tr("Came from"), static_cast<int>(main.origins.size()));
    addLinks(from, main.origins);
    // A compiled file has lost the original graph and kept the names of it.
    std::set<std::string> named{main.asNode().name};
    for (const NodeLink& link : main.origins) named.insert(link.name);
    for (const std::string& name : attrStrings(main.asNode().attrs, "_datadump_original_op_names"))
        if (named.insert(name).second) add(from, tr("by its name"), text(name));
    if (main.origins.empty()) addNothing(from, tr("made by a pass"));
    const int into = section("became", tr("Became"), static_cast<int>(main.became.size()));
    addLinks(into, main.became);
    if (main.became.empty()) addNothing(into, tr("nothing of it is left"));
}

void RowBuilder::addVerdicts()
{
    const auto& verdicts = m_report.main.verdicts;
    const int list = section("verdicts", tr("Verdicts"), static_cast<int>(verdicts.size()));
    if (verdicts.empty()) addNothing(list, tr("no fusion rule was tried on it"));
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        const FusionVerdict* verdict = verdicts[i];
        PropertyItem item{text(verdict->rule), verdict->fused ? tr("fused into %1").arg(text(verdict->intoName))
                                                              : words::reason(verdict->reason)};
        item.verdict = verdict->fused;
        if (verdict->fused)
            item.node = verdict->into.value;
        else
            item.refusal = static_cast<int>(i);
        const int row = m_tree.add(list, std::move(item));
        for (const Check& check : verdict->checks) {
            PropertyItem line{words::sentence(check.what), {}};
            line.verdict = check.held;
            const QString unit = check.unit.empty() ? QString() : QLatin1Char(' ') + words::sentence(check.unit);
            if (check.needs && check.has)
                line.value = tr("needs %1%3, has %2%3").arg(format::real(*check.needs), format::real(*check.has), unit);
            m_tree.add(row, std::move(line));
        }
        if (!verdict->remedy.empty()) add(row, tr("what to do"), words::sentence(verdict->remedy));
    }
}

void RowBuilder::addMemory()
{
    const NodeReport& main = m_report.main;
    const int place = section("memory", tr("Memory and task"));
    for (const int index : main.buffers) {
        const MemoryBuffer& buffer = m_run.plan.buffers[static_cast<std::size_t>(index)];
        PropertyItem block{text(buffer.name), words::bufferKind(buffer.kind)};
        block.buffer = index;
        const int row = m_tree.add(place, std::move(block));
        add(row, tr("offset"), buffer.offset < 0 ? tr("not planned") : format::exactBytes(buffer.offset));
        add(row, tr("size"),
            tr("%1 in a block of %2").arg(format::exactBytes(buffer.bytes), format::exactBytes(buffer.blockBytes)));
        add(row, tr("lifetime"),
            tr("positions %1 to %2").arg(format::count(buffer.lifetime.begin), format::count(buffer.lifetime.end - 1)));
        if (!buffer.note.empty()) add(row, tr("note"), words::sentence(buffer.note));
    }
    addTask(place);
    if (main.buffers.empty() && main.tasks.empty())
        addNothing(place, main.died.isValid() ? tr("it was gone before memory was planned")
                                              : tr("it needs neither memory of its own nor a task"));
}

void RowBuilder::addTask(int parent)
{
    for (const int index : m_report.main.tasks) {
        const Task& task = m_run.tasks.tasks[static_cast<std::size_t>(index)];
        PropertyItem item{tr("task %1").arg(format::count(index)), text(taskKindName(task.kind))};
        item.task = index;
        const int row = m_tree.add(parent, std::move(item));
        if (m_report.main.isPlacedByHeirs) addLink(row, tr("runs"), text(task.name), task.node);
        add(row, tr("stream"), format::count(task.stream));
        add(row, tr("cores"), format::count(task.blockDim));
        if (task.kernel >= 0 && task.kernel < static_cast<int>(m_run.tasks.kernels.size()))
            add(row, tr("kernel"), text(m_run.tasks.kernels[static_cast<std::size_t>(task.kernel)].name));
        if (task.superKernel >= 0) {
            const SuperKernel& whole = m_run.tasks.superKernels[static_cast<std::size_t>(task.superKernel)];
            add(row, tr("super kernel"),
                tr("%1; kernels in this launch: %2").arg(text(whole.name), format::count(whole.kernels)));
        }
    }
    if (m_report.main.timelineItem < 0) return;
    const TimelineItem& item = m_run.timeline.items[static_cast<std::size_t>(m_report.main.timelineItem)];
    add(parent, tr("time, estimated"),
        tr("%1 from %2, bound by %3")
            .arg(format::microseconds(item.durationUs), format::microseconds(item.startUs), words::bound(item.bound)));
    if (item.isCritical) add(parent, tr("critical path"), tr("on it"));
}

void RowBuilder::addComparison()
{
    // Field → values in the order of the nodes; a field that a node lacks is a difference too.
    std::vector<std::pair<QString, std::map<std::size_t, QString>>> fields;
    std::map<QString, std::size_t> positions;
    const auto set = [&](const QString& field, std::size_t node, const QString& value) {
        const auto [found, isNew] = positions.try_emplace(field, fields.size());
        if (isNew) fields.push_back({field, {}});
        fields[found->second].second[node] = value;
    };
    const std::vector<NodeReport>& nodes = m_report.all;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i].asNode();
        set(tr("type"), i, text(node.type));
        set(tr("unit"), i, words::unit(nodes[i].unit));
        set(tr("engine"), i, text(node.placement.engine));
        for (std::size_t k = 0; k < node.inputs.size(); ++k)
            set(tr("in %1").arg(k), i,
                node.inputs[k].source.isValid() ? descText(node.inputs[k].desc) : tr("not connected"));
        for (std::size_t k = 0; k < node.outputs.size(); ++k)
            set(tr("out %1").arg(k), i, descText(node.outputs[k].desc));
        for (const auto& [name, value] : node.attrs) set(text(name), i, text(value.text()));
    }
    const auto isShared = [&](const std::map<std::size_t, QString>& values) {
        return values.size() == nodes.size() && std::all_of(values.begin(), values.end(), [&](const auto& value) {
                   return value.second == values.begin()->second;
               });
    };
    const int list = section("selected", tr("Selected nodes"), static_cast<int>(nodes.size()));
    for (const NodeReport& node : nodes) addLink(list, text(node.asNode().type), text(node.asNode().name), node.node);
    const int shared = section("shared", tr("The same in all"));
    const int different = section("different", tr("Different"));
    for (const auto& [field, values] : fields) {
        if (isShared(values)) {
            add(shared, field, values.begin()->second);
            continue;
        }
        const int row = add(different, field, {});
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const auto value = values.find(i);
            add(row, text(nodes[i].asNode().name), value == values.end() ? tr("has none") : value->second);
        }
    }
}

} // namespace

PropertyModel::Tree inspectorRows(const SelectionReport& report) { return RowBuilder(report).build(); }

} // namespace gelens
