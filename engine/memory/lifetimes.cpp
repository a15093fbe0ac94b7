#include "engine/memory/lifetimes.h"

#include "engine/memory/in_place.h"
#include "engine/memory/neighbour_groups.h"
#include "engine/memory/sizes.h"
#include "engine/memory/tensor_table.h"
#include "engine/ops/op_registry.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gelens {

namespace {

bool isOutputNode(const Node& node) { return node.type == "NetOutput"; }

class LifetimeBuilder {
public:
    LifetimeBuilder(const Graph& graph, const ExecutionOrder& axis, InPlaceRule rule)
        : m_graph(graph), m_axis(axis), m_rule(rule), m_tensors(graph, axis, rule),
          m_neighbours(graph, axis, m_tensors), m_inPlace(graph, axis, rule, m_tensors, m_plan, m_active)
    {
    }

    MemoryPlan run()
    {
        m_plan.order = m_axis.order();
        if (m_axis.laneCount() > 1)
            for (const NodeId id : m_axis.order()) m_plan.streams.push_back(m_axis.stream(id));
        m_plan.isComplete = true;
        for (const NodeId id : m_axis.order()) place(m_graph.node(id));
        finish();
        return std::move(m_plan);
    }

private:
    TensorInfo* info(OutputRef ref) { return m_tensors.info(ref); }

    /// Puts a tensor of a group into the group's buffer, which the first of them in order makes.
    void placeNeighbour(const Node& node, int index, OutputRef head, std::int64_t offset)
    {
        const auto [found, isFirst] = m_groupBuffers.emplace(head, -1);
        TensorInfo& tensor = *info(node.output(index));
        tensor.offset = offset;
        if (isFirst) {
            create(node, index);
            found->second = tensor.buffer;
            if (m_neighbours.isPadded(head))
                m_plan.buffers[static_cast<std::size_t>(tensor.buffer)].isPaddedGroup = true;
            return;
        }
        tensor.buffer = found->second;
        tensor.isSoleChain = false;
        m_active[static_cast<std::size_t>(tensor.buffer)].push_back(node.output(index));
        addMember(node, index);
    }

    /// The atomic clean's workspace is all that the clean zeroes: results of atomic nodes, one behind the other.
    void placeAtomicClean(const Node& node)
    {
        const auto sizes = attrInts(node.attrs, "automic_add_mem_size");
        if (sizes.empty() || m_atomicBuffer >= 0) return;
        const std::size_t before = m_plan.buffers.size();
        addWorkspaces(node);
        if (m_plan.buffers.size() == before) return;
        m_atomicBuffer = static_cast<int>(m_plan.buffers.size()) - 1;
        m_plan.buffers.back().isAtomicRegion = true;
    }

    bool isAtomicOutput(const Node& node, int index) const
    {
        if (m_atomicBuffer < 0 || !attrBool(node.attrs, "is_atomic_node")) return false;
        const auto outputs = attrInts(node.attrs, "atomic_output_index");
        return std::find(outputs.begin(), outputs.end(), index) != outputs.end();
    }

    void placeAtomic(const Node& node, int index)
    {
        TensorInfo& tensor = *info(node.output(index));
        tensor.buffer = m_atomicBuffer;
        tensor.offset = m_atomicEnd;
        m_atomicEnd += roundUp(tensor.reserved, memoryBlockBytes);
        m_active[static_cast<std::size_t>(tensor.buffer)].push_back(node.output(index));
        addMember(node, index);
    }

    void place(const Node& node)
    {
        if (isOutputNode(node)) return;
        const OpDef* def = OpRegistry::instance().find(node.type);
        if (node.type == "MemSet" && !attrInts(node.attrs, "automic_add_mem_size").empty()) {
            placeAtomicClean(node);
            return;
        }
        const auto* group = node.outputCount() == 1 ? m_neighbours.find(node.output(0)) : nullptr;
        if (group && attrBool(node.attrs, "_no_padding_continuous_input")) {
            placeNeighbour(node, 0, group->first, group->second);
        } else if (isViewNode(node) && node.outputCount() == 1 && info(node.source(0))) {
            join(node, 0, node.source(0), 0);
        } else if (attrBool(node.attrs, "_no_padding_continuous_output") && info(node.source(0)) &&
                   m_plan.bufferOf(node.source(0))) {
            std::int64_t offset = 0;
            for (int i = 0; i < node.outputCount(); ++i) {
                join(node, i, node.source(0), offset);
                offset += info(node.output(i))->bytes;
            }
        } else if (attrBool(node.attrs, "continuous_output") && node.outputCount() > 1) {
            std::int64_t offset = 0;
            for (int i = 0; i < node.outputCount(); ++i) {
                placeNeighbour(node, i, node.output(0), offset);
                offset += roundUp(info(node.output(i))->reserved, memoryBlockBytes);
            }
        } else if (acceptsSlices(node)) {
            std::int64_t offset = 0;
            for (int i = 0; i < node.outputCount(); ++i) {
                join(node, i, splitSource(node), offset);
                offset += info(node.output(i))->bytes;
            }
        } else {
            for (int i = 0; i < node.outputCount(); ++i) {
                const int input = m_inPlace.inputFor(node, i, def);
                if (isAtomicOutput(node, i))
                    placeAtomic(node, i);
                else if (const auto* found = m_neighbours.find(node.output(i)))
                    placeNeighbour(node, i, found->first, found->second);
                else if (input >= 0)
                    overwrite(node, i, node.source(input));
                else
                    create(node, i);
            }
        }
        addWorkspaces(node);
    }

    static OutputRef splitSource(const Node& node) { return node.source(node.type == "Split" ? 1 : 0); }

    bool acceptsSlices(const Node& node)
    {
        if (!isVirtualSplit(m_graph, node) || !info(splitSource(node))) return false;
        if (m_rule == InPlaceRule::Stated) return false; // GE says so in an attribute
        if (m_rule != InPlaceRule::Compiled) return true;
        std::int64_t offset = info(splitSource(node))->offset;
        for (int i = 0; i < node.outputCount(); ++i) {
            if (offset % sliceAlignment != 0) return false;
            offset += info(node.output(i))->bytes;
        }
        return true;
    }

    void create(const Node& node, int index)
    {
        TensorInfo& tensor = *info(node.output(index));
        MemoryBuffer buffer;
        buffer.id = static_cast<int>(m_plan.buffers.size());
        buffer.name = fmt::format("{}:{}", node.name, index);
        buffer.tensor = node.output(index);
        buffer.stream = m_axis.stream(node.id);
        buffer.bytes = tensor.bytes;
        const std::int64_t at = m_axis.position(node.id);
        buffer.lifetime = {at, m_axis.endAfter(at)};
        if (isConstantType(node.type))
            buffer.kind = BufferKind::Weight;
        else if (isBoundaryType(node.type) && !node.hasInput(0))
            buffer.kind = BufferKind::Input;
        if (!tensor.isKnown) m_plan.isComplete = false;
        tensor.buffer = buffer.id;
        tensor.isSoleChain = tensor.readerNodes == 1;
        m_reserved.push_back(0);
        m_active.push_back({node.output(index)});
        m_outputUses.push_back(0);
        m_isRead.push_back(0);
        m_plan.buffers.push_back(std::move(buffer));
        addMember(node, index);
    }

    void addMember(const Node& node, int index)
    {
        const OutputRef ref = node.output(index);
        const TensorInfo& tensor = *info(ref);
        MemoryBuffer& buffer = m_plan.buffers[static_cast<std::size_t>(tensor.buffer)];
        buffer.members.push_back(ref);
        if (tensor.offset != 0) m_plan.sliceOffsets[ref] = tensor.offset;
        buffer.bytes = std::max(buffer.bytes, tensor.offset + tensor.bytes);
        auto& reserved = m_reserved[static_cast<std::size_t>(tensor.buffer)];
        reserved = std::max(reserved, tensor.offset + tensor.reserved);
        m_plan.bufferOfTensor[ref] = tensor.buffer;
        for (const InputRef& reader : m_graph.consumers(ref)) {
            const Node& readerNode = m_graph.node(reader.node);
            const std::int64_t at = m_axis.position(reader.node);
            if (at < 0) continue;
            if (isOutputNode(readerNode)) ++m_outputUses[static_cast<std::size_t>(tensor.buffer)];
            m_isRead[static_cast<std::size_t>(tensor.buffer)] = 1;
            // What a silent reader shows is a member itself, whose readers count.
            buffer.lifetime.end = std::max(buffer.lifetime.end, m_axis.isSilent(at) ? at + 1 : m_axis.endAfter(at));
        }
    }

    /// Output `index` is the memory of `source`, `offset` bytes in.
    void join(const Node& node, int index, OutputRef source, std::int64_t offset)
    {
        const TensorInfo& from = *info(source);
        TensorInfo& tensor = *info(node.output(index));
        tensor.buffer = from.buffer;
        tensor.offset = from.offset + offset;
        tensor.isSoleChain = from.isSoleChain && tensor.readerNodes == 1;
        if (!tensor.isKnown) m_plan.isComplete = false;
        m_active[static_cast<std::size_t>(tensor.buffer)].push_back(node.output(index));
        addMember(node, index);
    }

    /// As `join`, and what lay there before is gone.
    void overwrite(const Node& node, int index, OutputRef source)
    {
        const TensorInfo from = *info(source);
        auto& active = m_active[static_cast<std::size_t>(from.buffer)];
        std::erase_if(active, [&](OutputRef other) { return rangesMeet(*info(other), from); });
        join(node, index, source, 0);
        // The old value is dead, so only readers of the new one count from here on.
        TensorInfo& tensor = *info(node.output(index));
        tensor.isSoleChain = tensor.readerNodes == 1;
    }

    void addWorkspaces(const Node& node)
    {
        int number = 0;
        for (const std::int64_t bytes : node.placement.workspaceBytes) {
            const int which = number++;
            // An atomic node's workspace lies in the region that the clean zeroes.
            if (bytes <= 0 || (m_atomicBuffer >= 0 && attrBool(node.attrs, "is_atomic_node"))) continue;
            MemoryBuffer buffer;
            buffer.id = static_cast<int>(m_plan.buffers.size());
            buffer.name = fmt::format("{}/workspace{}", node.name, which);
            buffer.kind = BufferKind::Workspace;
            buffer.tensor = {node.id, which};
            buffer.bytes = std::min(bytes, maxTensorBytes);
            buffer.stream = m_axis.stream(node.id);
            const std::int64_t at = m_axis.position(node.id);
            buffer.lifetime = {at, m_axis.endAfter(at)};
            m_plan.buffers.push_back(std::move(buffer));
            m_reserved.push_back(0);
            m_active.emplace_back();
            m_outputUses.push_back(0);
            m_isRead.push_back(0);
        }
    }

    /// Fills freeFrom and writtenFrom of a buffer.
    void noteOrder(MemoryBuffer& buffer, bool isHeldToTheEnd)
    {
        const std::size_t lanes = m_axis.laneCount();
        if (lanes <= 1) return;
        buffer.freeFrom.assign(lanes, 0);
        buffer.writtenFrom.assign(lanes, -1);
        const auto use = [&](NodeId node) {
            const std::int64_t at = m_axis.position(node);
            if (at < 0 || m_axis.isSilent(at)) return;
            const auto after = m_axis.firstAfter(at);
            for (std::size_t i = 0; i < lanes; ++i)
                buffer.freeFrom[i] = std::max<std::int64_t>(buffer.freeFrom[i], after[i]);
        };
        const auto write = [&](NodeId node) {
            const std::int64_t at = m_axis.position(node);
            if (m_axis.isSilent(at)) return;
            auto& first = buffer.writtenFrom[m_axis.lane(at)];
            if (first < 0 || at < first) first = at;
            use(node);
        };
        write(buffer.tensor.node);
        for (const OutputRef member : buffer.members) {
            write(member.node);
            for (const InputRef& reader : m_graph.consumers(member)) use(reader.node);
        }
        if (isHeldToTheEnd) buffer.freeFrom.assign(lanes, m_axis.size());
    }

    void finish()
    {
        for (MemoryBuffer& buffer : m_plan.buffers) {
            noteOrder(buffer, m_outputUses[static_cast<std::size_t>(buffer.id)] > 0);
            const int outputs = m_outputUses[static_cast<std::size_t>(buffer.id)];
            if (buffer.kind == BufferKind::FeatureMap && outputs == 1)
                buffer.kind = BufferKind::Output;
            else if (buffer.kind == BufferKind::FeatureMap && outputs > 1)
                buffer.note = "feeds several model outputs, so it cannot be the user's memory and is never released";
            if (outputs > 0) buffer.lifetime.end = m_axis.size();
            if (buffer.kind == BufferKind::Input || buffer.kind == BufferKind::Weight)
                buffer.lifetime = {0, m_axis.size()};
            buffer.blockBytes =
                roundUp(std::max(m_reserved[static_cast<std::size_t>(buffer.id)], geTensorBytes(0)), memoryBlockBytes);
            if (m_rule != InPlaceRule::Stated)
                buffer.blockBytes = std::max(buffer.blockBytes, geBlockBytes(buffer.bytes));
            if (buffer.kind == BufferKind::Weight) buffer.blockBytes = roundUp(buffer.bytes, memoryBlockBytes);
            if (buffer.kind == BufferKind::Workspace) buffer.blockBytes = roundUp(buffer.bytes, memoryBlockBytes);
            // Outputs that nothing reads get an address, since the kernel writes them, but no part of the model is made of them.
            if (buffer.kind == BufferKind::FeatureMap && outputs == 0 && m_isRead[static_cast<std::size_t>(buffer.id)])
                ++m_plan.totals.intermediateTensors;
        }
    }

    const Graph& m_graph;
    const ExecutionOrder& m_axis;
    InPlaceRule m_rule;
    MemoryPlan m_plan;
    TensorTable m_tensors;
    NeighbourGroups m_neighbours;
    std::vector<std::vector<OutputRef>> m_active; // by buffer: members whose values still count
    InPlaceJudge m_inPlace;
    std::vector<int> m_outputUses;           // by buffer: model outputs that read it
    std::vector<char> m_isRead;              // by buffer
    std::vector<std::int64_t> m_reserved;    // by buffer: its end with GE's padding
    std::map<OutputRef, int> m_groupBuffers; // by head
    int m_atomicBuffer = -1;
    std::int64_t m_atomicEnd = 0;
};

} // namespace

Result<MemoryPlan> computeLifetimes(const Graph& graph, const LifetimeOptions& options)
{
    GELENS_ASSIGN(const ExecutionOrder axis, ExecutionOrder::make(graph, options.order, options.streams));
    return LifetimeBuilder(graph, axis, options.inPlace).run();
}

bool isVirtualSplit(const Graph& graph, const Node& node)
{
    const bool isSplit =
        node.type == "Split" || node.type == "SplitD" || node.type == "SplitV" || node.type == "SplitVD";
    if (!isSplit || node.outputs.empty()) return false;
    // Split carries the axis as its first input, SplitV as its third, the D forms as an attribute.
    std::int64_t axis = attrInt(node.attrs, "split_dim", 0);
    const int axisInput = node.type == "Split" ? 0 : node.type == "SplitV" ? 2 : -1;
    if (axisInput >= 0) {
        const Tensor* value = graph.constantInput(node, axisInput);
        const auto ints = value ? value->asInts(1) : std::nullopt;
        if (!ints || ints->size() != 1) return false;
        axis = ints->front();
    }
    const OutputRef source = node.source(node.type == "Split" ? 1 : 0);
    if (!source.isValid()) return false;
    const TensorDesc& input = graph.outputDesc(source);
    if (!input.shape.hasRank() || input.shape.rank() == 0 || isPrivateFormat(input.format.primary)) return false;
    if (axis != 0 && axis != -static_cast<std::int64_t>(input.shape.rank())) return false;
    const auto whole = tensorBytes(input);
    std::int64_t sum = 0;
    for (const OutputSlot& slot : node.outputs) {
        const auto bytes = tensorBytes(slot.desc);
        if (!bytes) return false;
        sum += *bytes;
        for (const InputRef& reader : slot.consumers)
            if (isOutputNode(graph.node(reader.node))) return false;
    }
    return whole && *whole == sum && dataTypeBits(input.dtype) % 8 == 0;
}

} // namespace gelens
