#include "engine/session/run.h"

#include "engine/session/finish_run.h"
#include "engine/session/journal_diff.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <unordered_map>
#include <unordered_set>

namespace gelens {
namespace {

/// Graphs kept beside the final one. A cached graph shares every node that later steps leave alone.
constexpr std::size_t cacheLimit = 8;

std::string lowered(std::string_view text)
{
    std::string out(text);
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

/// Edits that, seen over several steps, tell nothing of the graph: engine, stream and addresses that every node gets in
/// the end, and descriptors that inference fills in. One step shows them all.
bool isRoutine(const Edit& edit)
{
    if (std::holds_alternative<edit::SetPlacement>(edit) || std::holds_alternative<edit::SetOrder>(edit)) return true;
    const auto fillsIn = [](const TensorDesc& before, const TensorDesc& after) {
        const bool wasUnknown = before.dtype == DataType::Undefined || !before.originShape.hasRank();
        // InferFormat names the axes of a tensor that stays as it is.
        const bool namesAxes = before.format == Format::ND && !isPrivateFormat(after.format.primary) &&
                               before.shape == after.shape && before.dtype == after.dtype;
        return (wasUnknown && before.format == after.format) || namesAxes;
    };
    if (const auto* input = std::get_if<edit::SetInputDesc>(&edit)) return fillsIn(*input->before, *input->after);
    if (const auto* output = std::get_if<edit::SetOutputDesc>(&edit)) return fillsIn(*output->before, *output->after);
    return false;
}

StringList originNamesOf(const Node& node)
{
    StringList names = attrStrings(node.attrs, "_datadump_original_op_names");
    if (names.empty()) names.push_back(node.name);
    return names;
}

} // namespace

void Run::setGraph(std::shared_ptr<const Graph> finalGraph, std::shared_ptr<const Journal> journal)
{
    m_final = std::move(finalGraph);
    m_journal = std::move(journal);
}

std::shared_ptr<const Graph> Run::graphAt(StepId id) const
{
    const int wanted = std::clamp(id.value, 0, stepCount() - 1);
    const std::scoped_lock lock(m_mutex);
    if (wanted == stepCount() - 1) return m_final;
    // Start from whichever known graph is fewest edits away.
    const std::size_t target = steps[static_cast<std::size_t>(wanted)].lastEdit;
    std::shared_ptr<const Graph> base = m_final;
    std::size_t basePosition = m_journal->size();
    const auto distance = [&](std::size_t position) {
        return position > target ? position - target : target - position;
    };
    for (auto& [step, graph] : m_cache) {
        if (step == wanted) return graph;
        const std::size_t position = steps[static_cast<std::size_t>(step)].lastEdit;
        if (distance(position) < distance(basePosition)) {
            base = graph;
            basePosition = position;
        }
    }
    if (basePosition == target) {
        m_cache.emplace_back(wanted, base);
    } else {
        auto graph = std::make_shared<Graph>(*base);
        m_journal->move(*graph, basePosition, target);
        m_cache.emplace_back(wanted, std::move(graph));
    }
    if (m_cache.size() > cacheLimit) m_cache.erase(m_cache.begin());
    // m_cache was just appended to, so its last entry is the wanted graph.
    return m_cache.back().second;
}

Run::Touched Run::touched(StepId from, StepId to) const
{
    const bool isForward = from <= to;
    const StepId early = isForward ? from : to, late = isForward ? to : from;
    const std::size_t begin = step(early).lastEdit, end = step(late).lastEdit;
    std::unordered_map<NodeId, int> birth; // 1 added, 2 removed, 3 both
    std::vector<NodeId> order;
    std::unordered_set<NodeId> seen;
    const bool isOneStep = late.value - early.value <= 1;
    for (std::size_t i = begin; i < end; ++i) {
        const Edit& edit = (*m_journal)[i].edit;
        if (!isOneStep && isRoutine(edit)) continue;
        if (const auto* add = std::get_if<edit::AddNode>(&edit)) birth[add->node] |= 1;
        if (const auto* remove = std::get_if<edit::RemoveNode>(&edit)) birth[remove->node] |= 2;
        for (const NodeId node : touchedNodes(edit))
            if (node.isValid() && seen.insert(node).second) order.push_back(node);
    }
    Touched touched;
    for (const NodeId node : order) {
        const auto found = birth.find(node);
        const int state = found == birth.end() ? 0 : found->second;
        if (state == 3) continue; // came and went between the two steps
        if (state == 0)
            touched.changed.push_back(node);
        else if ((state == 1) == isForward)
            touched.added.push_back(node);
        else
            touched.removed.push_back(node);
    }
    return touched;
}

GraphDiff Run::diff(StepId from, StepId to) const
{
    const Touched nodes = touched(from, to);
    const auto before = graphAt(from), after = graphAt(to);
    return diffOfTouched(*before, *after, nodes);
}

void Run::forEachStepDiff(StepId from, StepId to, const std::function<void(const Step&, const GraphDiff&)>& visit) const
{
    std::optional<Graph> before, after;
    if (m_journal) after = before = *graphAt(from);
    for (int i = from.value + 1; i <= to.value; ++i) {
        const StepId previous{i - 1}, id{i};
        if (!m_journal) {
            if (step(id).hasChanged()) visit(step(id), diff(previous, id));
            continue;
        }
        const std::size_t begin = step(previous).lastEdit, end = step(id).lastEdit;
        m_journal->move(*after, begin, end);
        if (step(id).hasChanged()) visit(step(id), diffOfTouched(*before, *after, touched(previous, id)));
        m_journal->move(*before, begin, end);
    }
}

void Run::buildNodeIndex() const
{
    if (!m_editsOfNode.empty()) return;
    m_editsOfNode.resize(static_cast<std::size_t>(m_final->nodeIdBound()) + 1);
    for (std::size_t i = 0; i < m_journal->size(); ++i)
        for (const NodeId node : touchedNodes((*m_journal)[i].edit))
            if (node.isValid() && static_cast<std::size_t>(node.value) < m_editsOfNode.size())
                m_editsOfNode[static_cast<std::size_t>(node.value)].push_back(static_cast<std::uint32_t>(i));
}

std::vector<HistoryEntry> Run::history(NodeId node) const
{
    std::vector<HistoryEntry> entries;
    if (!node.isValid() || !m_journal) return entries;
    std::vector<std::uint32_t> positions;
    {
        const std::scoped_lock lock(m_mutex);
        buildNodeIndex();
        if (static_cast<std::size_t>(node.value) >= m_editsOfNode.size()) return entries;
        positions = m_editsOfNode[static_cast<std::size_t>(node.value)];
    }
    for (const std::uint32_t position : positions) {
        const EditRecord& record = (*m_journal)[position];
        const std::string pass =
            record.step.value >= 0 && record.step.value < stepCount() ? step(record.step).pass : std::string();
        entries.push_back({record.step, pass, describeEdit(record.edit, *m_final)});
    }
    return entries;
}

std::vector<StepId> Run::stepsTouching(NodeId node) const
{
    std::vector<StepId> touching;
    for (const HistoryEntry& entry : history(node))
        if (touching.empty() || touching.back() != entry.step) touching.push_back(entry.step);
    return touching;
}

std::vector<NodeId> Run::originsOf(NodeId id) const
{
    std::vector<NodeId> origins;
    if (!id.isValid() || id.value >= m_final->nodeIdBound()) return origins;
    const auto first = graphAt(StepId{0});
    if (first->contains(id)) return {id};
    std::unordered_set<std::string> wanted;
    for (const std::string& name : originNamesOf(m_final->node(id))) wanted.insert(name);
    for (const NodeId node : first->allNodes())
        if (wanted.contains(first->node(node).name)) origins.push_back(node);
    return origins;
}

std::vector<NodeId> Run::becameOf(NodeId id) const
{
    std::vector<NodeId> became;
    if (!id.isValid() || id.value >= m_final->nodeIdBound()) return became;
    if (m_final->contains(id)) return {id};
    std::unordered_set<std::string> names;
    for (const std::string& name : originNamesOf(m_final->node(id))) names.insert(name);
    for (const NodeId node : m_final->allNodes()) {
        const StringList origins = attrStrings(m_final->node(node).attrs, "_datadump_original_op_names");
        if (std::any_of(origins.begin(), origins.end(), [&](const std::string& name) { return names.contains(name); }))
            became.push_back(node);
    }
    return became;
}

std::vector<const FusionVerdict*> Run::verdictsOf(NodeId node) const
{
    std::unordered_set<NodeId> family{node};
    for (const NodeId origin : originsOf(node)) family.insert(origin);
    std::vector<const FusionVerdict*> found;
    for (const Step& step : steps)
        for (const FusionVerdict& verdict : step.verdicts) {
            const bool speaksOfIt =
                family.contains(verdict.into) || family.contains(verdict.mismatchNode) ||
                std::any_of(verdict.nodes.begin(), verdict.nodes.end(), [&](NodeId id) { return family.contains(id); });
            if (speaksOfIt) found.push_back(&verdict);
        }
    return found;
}

std::string Run::nameOf(NodeId node) const
{
    // A dead node keeps its last content in the final graph.
    if (!node.isValid() || node.value >= m_final->nodeIdBound()) return {};
    return m_final->node(node).name;
}

std::vector<Run::Life> Run::livesOf(const std::vector<NodeId>& nodes) const
{
    std::unordered_map<NodeId, Life> lives;
    for (const NodeId node : nodes) lives[node] = {};
    for (std::size_t i = 0; i < m_journal->size(); ++i) {
        const EditRecord& record = (*m_journal)[i];
        if (const auto* add = std::get_if<edit::AddNode>(&record.edit)) {
            if (const auto found = lives.find(add->node); found != lives.end()) found->second.born = record.step;
        } else if (const auto* remove = std::get_if<edit::RemoveNode>(&record.edit)) {
            if (const auto found = lives.find(remove->node); found != lives.end()) found->second.died = record.step;
        }
    }
    std::vector<Life> list;
    for (const NodeId node : nodes) list.push_back(lives.at(node));
    return list;
}

StepId Run::nearestStepWith(NodeId node, StepId near) const
{
    if (!node.isValid() || node.value >= nodeIdBound()) return StepId{-1};
    const Life life = livesOf({node}).front();
    StepId step = std::max({near, life.born, StepId{0}});
    if (life.died.isValid()) step = std::max(StepId{0}, std::min(step, StepId{life.died.value - 1}));
    return graphAt(step)->contains(node) ? step : StepId{-1};
}

std::vector<StepId> Run::birthSteps() const
{
    std::vector<StepId> births(static_cast<std::size_t>(m_final->nodeIdBound()), StepId{0});
    for (std::size_t i = 0; i < m_journal->size(); ++i) {
        const EditRecord& record = (*m_journal)[i];
        if (const auto* add = std::get_if<edit::AddNode>(&record.edit);
            add != nullptr && static_cast<std::size_t>(add->node.value) < births.size() && record.step.value >= 0 &&
            record.step.value < stepCount())
            births[static_cast<std::size_t>(add->node.value)] = record.step;
    }
    return births;
}

int Run::nodeIdBound() const { return m_final->nodeIdBound(); }
StepId Run::baseOf(StepId step) const { return StepId{std::max(step.value - 1, 0)}; }
Run::Span Run::spanOf(StepId) const { return {StepId{0}, lastStep()}; }
std::vector<std::pair<std::string, int>> Run::histogramAt(StepId step) const
{
    return operatorHistogram(*graphAt(step));
}
const StepSource* Run::sourceOf(StepId) const { return nullptr; }

std::optional<StepId> Run::findStep(std::string_view text) const
{
    if (text == "last") return lastStep();
    int number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code == std::errc() && end == text.data() + text.size())
        return number >= 0 && number < stepCount() ? std::optional(StepId{number}) : std::nullopt;
    const std::string wanted = lowered(text);
    for (const Step& step : steps)
        if (lowered(step.pass) == wanted && step.hasChanged()) return step.id;
    for (const Step& step : steps)
        if (lowered(step.pass) == wanted) return step.id;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) // the state a phase ends in
        if (lowered(step->phase) == wanted) return step->id;
    return std::nullopt;
}

} // namespace gelens
