// What would lower the peak: each change is made to a copy of the problem, which is then planned anew.
#include "engine/memory/explain_plan.h"
#include "engine/memory/plan_queries.h"
#include "engine/ops/op_registry.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace gelens {

std::string_view peakActionName(PeakAction action)
{
    switch (action) {
    case PeakAction::Remove: return "remove";
    case PeakAction::InPlace: return "in_place";
    case PeakAction::Fuse: return "fuse";
    case PeakAction::Recompute: return "recompute";
    case PeakAction::Reorder: return "reorder";
    }
    return "remove";
}

namespace {

// Searching planners are for problems of this size; larger ones are compared by best fit, before and after.
constexpr std::size_t maxSearchedItems = 2000;

class SavingsFinder {
public:
    SavingsFinder(const Graph& graph, const MemoryPlan& plan, const SavingOptions& options)
        : m_graph(graph), m_plan(plan), m_options(options), m_positions(positionsOf(graph, plan))
    {
        m_itemOf.assign(plan.buffers.size(), -1);
        for (const MemoryBuffer& buffer : plan.buffers) {
            if (!isPlanned(buffer)) continue;
            m_itemOf[static_cast<std::size_t>(buffer.id)] = static_cast<int>(m_items.size());
            m_items.push_back({buffer.lifetime.begin, buffer.lifetime.end, buffer.blockBytes});
        }
        m_peak = explainPeak(graph, plan);
        m_base = peakOf(m_items);
    }

    Result<std::vector<PeakSaving>> find()
    {
        const std::size_t count = std::min(m_options.maxTensors, m_peak.tensors.size());
        for (std::size_t i = 0; i < count; ++i) {
            if (m_options.stop.stop_requested()) return Error::cancelled();
            const MemoryBuffer& buffer = m_plan.buffers[static_cast<std::size_t>(m_peak.tensors[i].buffer)];
            remove(buffer);
            if (buffer.kind == BufferKind::Workspace) continue;
            runInPlace(buffer);
            fuse(buffer);
            recompute(buffer);
            reorder(buffer);
        }
        if (m_options.stop.stop_requested()) return Error::cancelled();
        std::stable_sort(m_savings.begin(), m_savings.end(),
                         [](const PeakSaving& a, const PeakSaving& b) { return a.saves > b.saves; });
        return std::move(m_savings);
    }

private:
    std::int64_t peakOf(const std::vector<PlanItem>& items) const
    {
        MemoryOptions options;
        options.policy = items.size() > maxSearchedItems ? MemoryPolicy::Greedy : MemoryPolicy::Best;
        options.searchSteps = m_options.searchSteps;
        options.stop = m_options.stop;
        return planItems(items, options).peak;
    }

    std::int64_t at(NodeId node) const { return m_positions[static_cast<std::size_t>(node.value)]; }
    const std::string& nameOf(NodeId node) const { return m_graph.node(node).name; }
    PlanItem& itemOf(std::vector<PlanItem>& items, const MemoryBuffer& buffer) const
    {
        return items[static_cast<std::size_t>(m_itemOf[static_cast<std::size_t>(buffer.id)])];
    }

    void add(const MemoryBuffer& buffer, PeakAction action, std::int64_t peakAfter, std::string text, NodeId other = {},
             std::string over = {})
    {
        PeakSaving saving;
        saving.buffer = buffer.id;
        saving.name = buffer.name;
        saving.action = action;
        saving.peakAfter = peakAfter;
        saving.saves = std::max<std::int64_t>(0, m_base - peakAfter);
        saving.producer = buffer.tensor.node;
        saving.other = other;
        saving.over = std::move(over);
        saving.text = std::move(text);
        m_savings.push_back(std::move(saving));
    }

    void remove(const MemoryBuffer& buffer)
    {
        std::vector<PlanItem> items = m_items;
        itemOf(items, buffer).size = 0;
        // Any plan of the whole problem is one of the smaller problem too.
        add(buffer, PeakAction::Remove, std::min(m_base, peakOf(items)),
            fmt::format("without '{}' at all", buffer.name));
    }

    /// Buffers of the feature map that the node reads, each once.
    std::vector<const MemoryBuffer*> inputsOf(const Node& node) const
    {
        std::vector<const MemoryBuffer*> inputs;
        for (const InputSlot& slot : node.inputs) {
            const MemoryBuffer* source = slot.source.isValid() ? m_plan.bufferOf(slot.source) : nullptr;
            if (source && isPlanned(*source) && std::find(inputs.begin(), inputs.end(), source) == inputs.end())
                inputs.push_back(source);
        }
        return inputs;
    }

    void runInPlace(const MemoryBuffer& buffer)
    {
        const Node& producer = m_graph.node(buffer.tensor.node);
        const MemoryBuffer* best = nullptr; // the smallest that is large enough and dies here
        for (const MemoryBuffer* input : inputsOf(producer)) {
            const bool diesHere = input->lifetime.end == buffer.lifetime.begin + 1;
            if (input != &buffer && diesHere && input->bytes >= buffer.bytes && (!best || input->bytes < best->bytes))
                best = input;
        }
        if (!best) return;
        std::vector<PlanItem> items = m_items;
        itemOf(items, *best).upper = std::max(best->lifetime.end, buffer.lifetime.end);
        itemOf(items, buffer).size = 0;
        add(buffer, PeakAction::InPlace, peakOf(items),
            fmt::format("'{}' ({}) writes '{}' over '{}', which dies there", producer.name, producer.type, buffer.name,
                        best->name),
            {}, best->name);
    }

    /// The only node that reads any member; invalid when there are none or several.
    NodeId onlyReader(const MemoryBuffer& buffer) const
    {
        NodeId reader;
        for (const OutputRef member : buffer.members)
            for (const InputRef& input : m_graph.consumers(member)) {
                if (isViewType(m_graph.node(input.node).type)) continue;
                if (reader.isValid() && reader != input.node) return {};
                reader = input.node;
            }
        return reader;
    }

    void fuse(const MemoryBuffer& buffer)
    {
        const NodeId reader = onlyReader(buffer);
        if (!reader.isValid() || at(reader) < 0 || m_graph.node(reader).type == "NetOutput") return;
        const Node& producer = m_graph.node(buffer.tensor.node);
        std::vector<PlanItem> items = m_items;
        itemOf(items, buffer).size = 0;
        for (const MemoryBuffer* input : inputsOf(producer)) {
            if (input == &buffer) return; // already in place over it
            PlanItem& item = itemOf(items, *input);
            item.upper = std::max(item.upper, at(reader) + 1);
        }
        add(buffer, PeakAction::Fuse, peakOf(items),
            fmt::format("'{}' and its only reader '{}' as one kernel: '{}' stays on the chip", producer.name,
                        nameOf(reader), buffer.name),
            reader);
    }

    /// Whether what the node reads is still there, unchanged, for as long as its buffers live on.
    bool keepsInputs(const Node& producer) const
    {
        for (const MemoryBuffer* input : inputsOf(producer))
            for (const OutputRef member : input->members)
                if (at(member.node) >= at(producer.id) && !isViewType(m_graph.node(member.node).type)) return false;
        return true;
    }

    void recompute(const MemoryBuffer& buffer)
    {
        const Node& producer = m_graph.node(buffer.tensor.node);
        const OpDef* def = OpRegistry::instance().find(producer.type);
        if (!def || def->stateful() || buffer.members.empty() || !keepsInputs(producer)) return;
        std::int64_t lastBefore = -1, firstAfter = -1;
        for (const OutputRef member : buffer.members) {
            // An in-place result cannot be made again from what it has overwritten.
            if (member != buffer.tensor && !isViewType(m_graph.node(member.node).type)) return;
            for (const InputRef& input : m_graph.consumers(member)) {
                const std::int64_t use = at(input.node);
                if (use <= m_peak.position)
                    lastBefore = std::max(lastBefore, use);
                else if (firstAfter < 0 || use < firstAfter)
                    firstAfter = use;
            }
        }
        // Without a reader before the peak it would run once, only later: that is reordering.
        if (lastBefore < 0 || lastBefore >= m_peak.position || firstAfter < 0) return;
        std::vector<PlanItem> items = m_items;
        itemOf(items, buffer).upper = lastBefore + 1;
        items.push_back({firstAfter, buffer.lifetime.end, buffer.blockBytes});
        for (const MemoryBuffer* input : inputsOf(producer)) {
            PlanItem& item = itemOf(items, *input);
            item.upper = std::max(item.upper, firstAfter + 1);
        }
        add(buffer, PeakAction::Recompute, peakOf(items),
            fmt::format("'{}' runs again for '{}', so that '{}' is gone in between", producer.name,
                        nameOf(m_plan.order[static_cast<std::size_t>(firstAfter)]), buffer.name),
            m_plan.order[static_cast<std::size_t>(firstAfter)]);
    }

    /// Peak with the node at `from` moved to just before (or, moving up, to) position `to`.
    std::optional<std::int64_t> peakWithMove(std::int64_t from, std::int64_t to) const
    {
        if (from == to || from + 1 == to) return std::nullopt;
        LifetimeOptions lifetimes = m_options.lifetimes;
        lifetimes.order = m_plan.order;
        const auto first = lifetimes.order.begin();
        if (from < to)
            std::rotate(first + from, first + from + 1, first + to);
        else
            std::rotate(first + to, first + from, first + from + 1);
        auto moved = computeLifetimes(m_graph, lifetimes);
        if (!moved.ok()) return std::nullopt;
        std::vector<PlanItem> items;
        for (const MemoryBuffer& buffer : moved->buffers)
            if (isPlanned(buffer)) items.push_back({buffer.lifetime.begin, buffer.lifetime.end, buffer.blockBytes});
        return peakOf(items);
    }

    void reorder(const MemoryBuffer& buffer)
    {
        const NodeId producer = buffer.tensor.node;
        std::int64_t firstReader = static_cast<std::int64_t>(m_plan.order.size()), last = -1;
        for (const OutputSlot& slot : m_graph.node(producer).outputs)
            for (const InputRef& input : slot.consumers)
                if (at(input.node) >= 0) firstReader = std::min(firstReader, at(input.node));
        for (const NodeId after : m_graph.node(producer).controlOutputs)
            if (at(after) >= 0) firstReader = std::min(firstReader, at(after));
        for (const OutputRef member : buffer.members)
            for (const InputRef& input : m_graph.consumers(member)) last = std::max(last, at(input.node));
        std::optional<std::int64_t> best;
        std::string text;
        NodeId moved;
        if (firstReader < static_cast<std::int64_t>(m_plan.order.size()))
            if (const auto peak = peakWithMove(at(producer), firstReader)) {
                best = peak;
                moved = producer;
                text = fmt::format("'{}' runs as late as it can, just before '{}'", nameOf(producer),
                                   nameOf(m_plan.order[static_cast<std::size_t>(firstReader)]));
            }
        if (last >= 0) {
            const Node& reader = m_graph.node(m_plan.order[static_cast<std::size_t>(last)]);
            std::int64_t ready = 0;
            for (const InputSlot& slot : reader.inputs)
                if (slot.source.isValid()) ready = std::max(ready, at(slot.source.node) + 1);
            for (const NodeId before : reader.controlInputs) ready = std::max(ready, at(before) + 1);
            if (ready < last)
                if (const auto peak = peakWithMove(last, ready); peak && (!best || *peak < *best)) {
                    best = peak;
                    moved = reader.id;
                    text = fmt::format("'{}', the last reader, runs as soon as its inputs are there", reader.name);
                }
        }
        if (best) add(buffer, PeakAction::Reorder, *best, std::move(text), moved);
    }

    const Graph& m_graph;
    const MemoryPlan& m_plan;
    const SavingOptions& m_options;
    std::vector<PlanItem> m_items;
    std::vector<int> m_itemOf;             // by buffer; -1: not planned
    std::vector<std::int64_t> m_positions; // by node id
    PeakReport m_peak;
    std::int64_t m_base = 0;
    std::vector<PeakSaving> m_savings;
};

} // namespace

Result<std::vector<PeakSaving>> rankPeakSavings(const Graph& graph, const MemoryPlan& plan,
                                                const SavingOptions& options)
{
    if (plan.peakPositions.empty()) return std::vector<PeakSaving>{};
    return SavingsFinder(graph, plan, options).find();
}

} // namespace gelens
