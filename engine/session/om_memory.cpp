#include "engine/session/om_memory.h"

#include "engine/memory/lower_bound.h"
#include "engine/memory/sizes.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {
namespace {

/// GE gives a tensor one place; two tensors share a buffer when one is written where the other lies while that is
/// still read: views, in-place results, and inputs of a Concat that was planned away.
class OmPlanBuilder {
public:
    /// Without weights, no attribute of a constant is looked at: in a dump that would decode its value.
    OmPlanBuilder(const Graph& graph, const OmDetails& om, std::vector<Message>& messages, bool withWeights)
        : m_graph(graph), m_model(om.models.front()), m_messages(messages), m_withWeights(withWeights)
    {
        m_zeroCopyBase = std::max<std::int64_t>(0, m_model.memoryBytes - m_model.zeroCopyBytes);
    }

    MemoryPlan build()
    {
        m_plan.policy = "file";
        m_plan.isComplete = true;
        m_plan.order = m_graph.topologicalOrder();
        m_position.assign(static_cast<std::size_t>(m_graph.nodeIdBound()), -1);
        for (std::size_t i = 0; i < m_plan.order.size(); ++i)
            m_position[static_cast<std::size_t>(m_plan.order[i].value)] = static_cast<std::int64_t>(i);
        for (const NodeId id : m_plan.order) {
            const Node& node = m_graph.node(id);
            for (int i = 0; i < node.outputCount(); ++i) placeOutput(node, i);
            placeWorkspaces(node);
        }
        settleRegions();
        countTotals();
        return std::move(m_plan);
    }

private:
    MemoryBuffer& buffer(int id) { return m_plan.buffers[static_cast<std::size_t>(id)]; }
    std::int64_t position(NodeId id) const { return m_position[static_cast<std::size_t>(id.value)]; }

    static std::int64_t offsetOf(const Node& node, int index)
    {
        const auto& offsets = node.placement.outputOffsets;
        if (isConstantType(node.type)) {
            // A constant's descriptor says where it lies among the weights; older files have no offset besides.
            const std::int64_t inWeights =
                attrInt(node.outputs[static_cast<std::size_t>(index)].desc.attrs, "data_offset", -1);
            if (inWeights >= 0) return inWeights;
            if (const Tensor* value = attrTensor(node.attrs, "value"))
                return attrInt(value->desc.attrs, "data_offset", 0);
        }
        return static_cast<std::size_t>(index) < offsets.size() ? offsets[static_cast<std::size_t>(index)] : -1;
    }

    void placeOutput(const Node& node, int index)
    {
        if (!m_withWeights && isConstantType(node.type)) return;
        const OutputRef tensor = node.output(index);
        const TensorDesc& desc = m_graph.outputDesc(tensor);
        const auto known = tensorBytes(desc);
        const std::int64_t bytes = known.value_or(0), offset = offsetOf(node, index);
        const bool isWeight = isConstantType(node.type);
        if (!known || offset < 0 || offset > maxTensorBytes) {
            m_plan.isComplete = m_plan.isComplete && desc.dtype == DataType::Undefined;
            return;
        }
        const int shared = isWeight ? -1 : sharedBuffer(node, offset, bytes);
        const int id = shared >= 0 ? shared : newBuffer(node, index, offset, bytes, isWeight);
        join(id, tensor, offset - buffer(id).offset, bytes);
        // The attribute last: those of a large dump are decoded when they are looked at.
        if (!isWeight && holdsInputs(node, id, offset, bytes) && attrBool(node.attrs, "_no_task"))
            absorbInputs(node, id, offset, bytes);
    }

    bool liesInside(const MemoryBuffer* from, int id, std::int64_t offset, std::int64_t bytes) const
    {
        return from && from->id != id && from->kind == BufferKind::FeatureMap && from->offset >= offset &&
               from->offset + from->bytes <= offset + bytes;
    }
    bool holdsInputs(const Node& node, int id, std::int64_t offset, std::int64_t bytes) const
    {
        return std::any_of(node.inputs.begin(), node.inputs.end(), [&](const InputSlot& slot) {
            return slot.source.isValid() && liesInside(m_plan.bufferOf(slot.source), id, offset, bytes);
        });
    }

    /// The buffer of an input that the output is written into; -1 when it has a place of its own.
    int sharedBuffer(const Node& node, std::int64_t offset, std::int64_t bytes)
    {
        for (const InputSlot& slot : node.inputs) {
            const MemoryBuffer* const from = slot.source.isValid() ? m_plan.bufferOf(slot.source) : nullptr;
            if (!from || from->kind == BufferKind::Weight || offset < from->offset) continue;
            if (offset == from->offset || bytes <= from->bytes - (offset - from->offset)) return from->id;
        }
        return -1;
    }

    int newBuffer(const Node& node, int index, std::int64_t offset, std::int64_t bytes, bool isWeight)
    {
        MemoryBuffer made;
        made.id = static_cast<int>(m_plan.buffers.size());
        made.name = fmt::format("{}:{}", node.name, index);
        made.tensor = node.output(index);
        made.offset = offset;
        made.bytes = bytes;
        made.stream = std::max<std::int64_t>(0, node.placement.streamId);
        const std::int64_t at = position(node.id);
        made.lifetime = {at, at + 1};
        if (isWeight)
            made.kind = BufferKind::Weight;
        else if (isBoundaryType(node.type) && !node.hasInput(0))
            made.kind = BufferKind::Input;
        if (made.kind != BufferKind::FeatureMap) made.lifetime = {0, static_cast<std::int64_t>(m_plan.order.size())};
        m_plan.buffers.push_back(std::move(made));
        return m_plan.buffers.back().id;
    }

    void join(int id, OutputRef tensor, std::int64_t slice, std::int64_t bytes)
    {
        MemoryBuffer& home = buffer(id);
        home.members.push_back(tensor);
        home.bytes = std::max(home.bytes, slice + bytes);
        m_plan.bufferOfTensor[tensor] = id;
        if (slice != 0) m_plan.sliceOffsets[tensor] = slice;
        for (const InputRef& reader : m_graph.consumers(tensor)) {
            const std::int64_t at = position(reader.node);
            if (m_graph.node(reader.node).type == "NetOutput") {
                home.lifetime.end = static_cast<std::int64_t>(m_plan.order.size());
                if (home.kind == BufferKind::FeatureMap && home.offset >= m_zeroCopyBase && m_model.zeroCopyBytes > 0)
                    home.kind = BufferKind::Output;
            }
            home.lifetime.end = std::max(home.lifetime.end, at + 1);
        }
    }

    /// A Concat without a task: its inputs were written straight into its place.
    void absorbInputs(const Node& node, int id, std::int64_t offset, std::int64_t bytes)
    {
        for (const InputSlot& slot : node.inputs) {
            const MemoryBuffer* const from = slot.source.isValid() ? m_plan.bufferOf(slot.source) : nullptr;
            if (!liesInside(from, id, offset, bytes)) continue;
            MemoryBuffer& home = buffer(id);
            MemoryBuffer& gone = buffer(from->id);
            home.lifetime.begin = std::min(home.lifetime.begin, gone.lifetime.begin);
            home.lifetime.end = std::max(home.lifetime.end, gone.lifetime.end);
            for (const OutputRef member : gone.members) {
                const std::int64_t slice = gone.offset + m_plan.sliceOffset(member) - home.offset;
                m_plan.bufferOfTensor[member] = id;
                m_plan.sliceOffsets[member] = slice;
                home.members.push_back(member);
            }
            gone.members.clear();
            gone.bytes = 0;
            gone.note = fmt::format("part of '{}'", home.name);
        }
    }

    void placeWorkspaces(const Node& node)
    {
        const auto& offsets = node.placement.workspaceOffsets;
        const auto& sizes = node.placement.workspaceBytes;
        for (std::size_t i = 0; i < std::min(offsets.size(), sizes.size()); ++i) {
            if (sizes[i] <= 0 || sizes[i] > maxTensorBytes || offsets[i] < 0 || offsets[i] > maxTensorBytes) continue;
            MemoryBuffer made;
            made.id = static_cast<int>(m_plan.buffers.size());
            made.name = fmt::format("{}/workspace{}", node.name, i);
            made.kind = BufferKind::Workspace;
            made.tensor = {node.id, static_cast<int>(i)};
            made.offset = offsets[i];
            made.bytes = sizes[i];
            made.stream = std::max<std::int64_t>(0, node.placement.streamId);
            const std::int64_t at = position(node.id);
            made.lifetime = {at, at + 1};
            m_plan.buffers.push_back(std::move(made));
        }
    }

    /// Offsets count from the start of the block; inputs and outputs have regions of their own in a plan.
    void settleRegions()
    {
        std::erase_if(m_plan.buffers, [](const MemoryBuffer& gone) {
            return gone.members.empty() && gone.kind != BufferKind::Workspace;
        });
        m_plan.totals.featureMapPeak = m_zeroCopyBase;
        int outside = 0;
        for (std::size_t i = 0; i < m_plan.buffers.size(); ++i) {
            MemoryBuffer& one = m_plan.buffers[i];
            one.id = static_cast<int>(i);
            for (const OutputRef member : one.members) m_plan.bufferOfTensor[member] = one.id;
            const bool isZeroCopy = m_model.zeroCopyBytes > 0 && one.offset >= m_zeroCopyBase;
            if (one.kind == BufferKind::Input && !isZeroCopy) one.kind = BufferKind::FeatureMap;
            if (one.kind == BufferKind::Input || one.kind == BufferKind::Output) one.offset -= m_zeroCopyBase;
            one.blockBytes = one.kind == BufferKind::Weight || one.kind == BufferKind::Workspace
                                 ? roundUp(one.bytes, memoryBlockBytes)
                                 : geBlockBytes(one.bytes);
            if (one.kind != BufferKind::FeatureMap && one.kind != BufferKind::Workspace) continue;
            const std::int64_t room = m_zeroCopyBase - one.offset;
            if (room >= one.bytes)
                one.blockBytes = std::min(one.blockBytes, room);
            else if (!isZeroCopy)
                ++outside;
            m_plan.totals.featureMapPeak = std::max(m_plan.totals.featureMapPeak, one.offset + one.blockBytes);
        }
        if (outside > 0)
            m_messages.push_back({Severity::Warning,
                                  "om.offset-outside",
                                  fmt::format("{} tensors end beyond the memory that the file states ({} bytes)",
                                              outside, m_model.memoryBytes),
                                  {},
                                  {}});
    }

    void countTotals()
    {
        MemoryTotals& totals = m_plan.totals;
        std::vector<PlanItem> items;
        for (const MemoryBuffer& one : m_plan.buffers) {
            if (one.kind != BufferKind::FeatureMap && one.kind != BufferKind::Workspace) continue;
            items.push_back({one.lifetime.begin, one.lifetime.end, one.blockBytes});
            totals.unshared += one.blockBytes;
            totals.intermediateTensors += one.kind == BufferKind::FeatureMap ? 1 : 0;
        }
        const LowerBound bound = lowerBound(items);
        totals.lowerBound = bound.bytes;
        m_plan.peakPositions = bound.positions;
        totals.gePeak = totals.featureMapPeak;
        totals.zeroCopy = m_model.zeroCopyBytes;
        totals.weights = m_model.weightBytes;
    }

    const Graph& m_graph;
    const OmModel& m_model;
    std::vector<Message>& m_messages;
    bool m_withWeights;
    std::int64_t m_zeroCopyBase = 0;
    MemoryPlan m_plan;
    std::vector<std::int64_t> m_position; // by node id
};

} // namespace

MemoryPlan planFromOm(const Graph& graph, const OmDetails& om, std::vector<Message>& messages)
{
    return om.plan ? *om.plan : OmPlanBuilder(graph, om, messages, true).build();
}

std::shared_ptr<const MemoryPlan> planFromOffsets(const Graph& graph)
{
    OmModel model;
    bool hasOffsets = false;
    for (const NodeId id : graph.allNodes()) {
        const Node& node = graph.node(id);
        const Placement& place = node.placement;
        const auto reach = [&](std::int64_t offset, std::int64_t bytes) {
            if (offset >= 0 && offset <= maxTensorBytes && bytes >= 0 && bytes <= maxTensorBytes)
                model.memoryBytes = std::max(model.memoryBytes, offset + geBlockBytes(bytes));
        };
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            const std::int64_t bytes = tensorBytes(node.outputs[i].desc).value_or(0);
            if (isConstantType(node.type))
                model.weightBytes += bytes;
            else if (i < place.outputOffsets.size())
                reach(place.outputOffsets[i], bytes);
        }
        for (std::size_t i = 0; i < std::min(place.workspaceOffsets.size(), place.workspaceBytes.size()); ++i)
            reach(place.workspaceOffsets[i], place.workspaceBytes[i]);
        hasOffsets = hasOffsets || (!place.outputOffsets.empty() && !isConstantType(node.type));
    }
    if (!hasOffsets) return nullptr;
    OmDetails details;
    details.models.push_back(std::move(model));
    std::vector<Message> none; // sizes that the block above was made to hold
    return std::make_shared<const MemoryPlan>(OmPlanBuilder(graph, details, none, false).build());
}

} // namespace gelens
