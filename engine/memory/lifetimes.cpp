#include "engine/memory/lifetimes.h"

#include "engine/memory/sizes.h"
#include "engine/ops/op_registry.h"

#include <algorithm>
#include <fmt/format.h>

namespace gelens {

namespace {

bool isOutputNode(const Node& node) { return node.type == "NetOutput"; }

/// Order, streams and the happens-before relation that data edges, control edges and stream order make.
class TimeAxis {
public:
    static Result<TimeAxis> make(const Graph& graph, const LifetimeOptions& options)
    {
        TimeAxis axis;
        bool hasCycle = false;
        axis.m_order = options.order.empty() ? graph.topologicalOrder(rootGraph, &hasCycle) : options.order;
        if (hasCycle) return Error::invalid("the graph has a cycle, so no order of execution exists", graph.name());
        const auto bound = static_cast<std::size_t>(graph.nodeIdBound());
        axis.m_position.assign(bound, -1);
        for (std::size_t i = 0; i < axis.m_order.size(); ++i) {
            const NodeId id = axis.m_order[i];
            if (!graph.contains(id) || axis.m_position[static_cast<std::size_t>(id.value)] >= 0)
                return Error::invalid("the order names a node twice, or one that does not exist", graph.name());
            axis.m_position[static_cast<std::size_t>(id.value)] = static_cast<std::int64_t>(i);
        }
        axis.m_stream.assign(axis.m_order.size(), 0);
        for (std::size_t i = 0; i < axis.m_order.size(); ++i)
            if (const auto id = static_cast<std::size_t>(axis.m_order[i].value); id < options.streams.size())
                axis.m_stream[i] = std::max<std::int64_t>(0, options.streams[id]);
        if (const std::string fault = axis.findReversedEdge(graph); !fault.empty()) return Error::invalid(fault);
        axis.computeEnds(graph);
        return axis;
    }

    const std::vector<NodeId>& order() const { return m_order; }
    std::int64_t size() const { return static_cast<std::int64_t>(m_order.size()); }
    std::int64_t position(NodeId id) const { return m_position[static_cast<std::size_t>(id.value)]; }
    std::int64_t stream(NodeId id) const
    {
        const std::int64_t at = position(id);
        return at < 0 ? 0 : m_stream[static_cast<std::size_t>(at)];
    }
    /// First position from which on every node is ordered after the node at `position`.
    std::int64_t endAfter(std::int64_t position) const
    {
        return m_ends.empty() ? position + 1 : m_ends[static_cast<std::size_t>(position)];
    }

private:
    std::string findReversedEdge(const Graph& graph) const
    {
        for (const NodeId id : m_order) {
            const Node& node = graph.node(id);
            const auto isLate = [&](NodeId before) { return before.isValid() && position(before) >= position(id); };
            for (const InputSlot& slot : node.inputs)
                if (isLate(slot.source.node)) return fmt::format("the order runs '{}' before its input", node.name);
            for (const NodeId before : node.controlInputs)
                if (isLate(before)) return fmt::format("the order runs '{}' before what it must follow", node.name);
        }
        return {};
    }

    void computeEnds(const Graph& graph)
    {
        std::vector<std::int64_t> ids = m_stream;
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        const std::size_t streams = ids.size();
        if (streams <= 1) return;
        const std::int64_t count = size();
        const auto lane = [&](std::int64_t at) {
            const auto found = std::lower_bound(ids.begin(), ids.end(), m_stream[static_cast<std::size_t>(at)]);
            return static_cast<std::size_t>(found - ids.begin());
        };
        // previous[at]: position of the node before it on its stream; last[s]: the last of stream s.
        std::vector<std::int64_t> previous(static_cast<std::size_t>(count), -1), last(streams, -1);
        for (std::int64_t at = 0; at < count; ++at) {
            previous[static_cast<std::size_t>(at)] = last[lane(at)];
            last[lane(at)] = at;
        }
        // first[at * streams + s]: the first node of stream s that is ordered after the node at `at`.
        std::vector<std::int32_t> first(static_cast<std::size_t>(count) * streams, static_cast<std::int32_t>(count));
        std::vector<std::int64_t> next(streams, -1);
        m_ends.assign(static_cast<std::size_t>(count), 0);
        for (std::int64_t at = count - 1; at >= 0; --at) {
            std::int32_t* row = &first[static_cast<std::size_t>(at) * streams];
            const auto follow = [&](std::int64_t successor) {
                if (successor < 0) return;
                const std::int32_t* other = &first[static_cast<std::size_t>(successor) * streams];
                for (std::size_t s = 0; s < streams; ++s)
                    row[s] = std::min(row[s], other[s]);
                row[lane(successor)] = std::min(row[lane(successor)], static_cast<std::int32_t>(successor));
            };
            const Node& node = graph.node(m_order[static_cast<std::size_t>(at)]);
            follow(next[lane(at)]);
            for (const OutputSlot& slot : node.outputs)
                for (const InputRef& reader : slot.consumers)
                    follow(position(reader.node));
            for (const NodeId after : node.controlOutputs)
                follow(position(after));
            std::int64_t end = at + 1;
            for (std::size_t s = 0; s < streams; ++s) {
                const std::int64_t unordered =
                    row[s] < count ? previous[static_cast<std::size_t>(row[s])] : last[s];
                end = std::max(end, unordered + 1);
            }
            m_ends[static_cast<std::size_t>(at)] = end;
            next[lane(at)] = at;
        }
    }

    std::vector<NodeId> m_order;
    std::vector<std::int64_t> m_position; // by node id
    std::vector<std::int64_t> m_stream;   // by position
    std::vector<std::int64_t> m_ends;     // by position; empty with one stream
};

/// What is known of one tensor while buffers are built.
struct TensorInfo {
    int buffer = -1;
    std::int64_t offset = 0; // within the buffer
    std::int64_t bytes = 0;
    bool isKnown = false;
    std::int64_t lastReader = -1;  // position
    int readerNodes = 0;           // distinct
    bool hasForeignReader = false; // on another stream than the producer
    bool feedsOutput = false;
    bool isSoleChain = false; // neither it nor what it is a part of is read by anything off the chain
};

class LifetimeBuilder {
public:
    LifetimeBuilder(const Graph& graph, TimeAxis axis, InPlaceRule rule)
        : m_graph(graph), m_axis(std::move(axis)), m_rule(rule)
    {
    }

    MemoryPlan run()
    {
        m_plan.order = m_axis.order();
        m_plan.isComplete = true;
        m_first.assign(static_cast<std::size_t>(m_graph.nodeIdBound()), -1);
        for (const NodeId id : m_axis.order())
            readTensors(m_graph.node(id));
        for (const NodeId id : m_axis.order())
            place(m_graph.node(id));
        finish();
        return std::move(m_plan);
    }

private:
    TensorInfo* info(OutputRef ref)
    {
        if (!ref.isValid()) return nullptr;
        const int first = m_first[static_cast<std::size_t>(ref.node.value)];
        return first < 0 ? nullptr : &m_tensors[static_cast<std::size_t>(first + ref.index)];
    }

    void readTensors(const Node& node)
    {
        m_first[static_cast<std::size_t>(node.id.value)] = static_cast<int>(m_tensors.size());
        for (const OutputSlot& slot : node.outputs) {
            TensorInfo tensor;
            const auto bytes = tensorBytes(slot.desc);
            tensor.isKnown = bytes.has_value();
            tensor.bytes = bytes.value_or(0);
            NodeId previous;
            for (const InputRef& reader : slot.consumers) {
                const std::int64_t at = m_axis.position(reader.node);
                if (at < 0) continue;
                tensor.lastReader = std::max(tensor.lastReader, at);
                tensor.hasForeignReader |= m_axis.stream(reader.node) != m_axis.stream(node.id);
                tensor.feedsOutput |= isOutputNode(m_graph.node(reader.node));
                // The slots of one reader are linked one after the other when a node reads a tensor twice; a rare
                // miss only makes the count larger, which forbids an in-place result that would have been fine.
                if (reader.node != previous) ++tensor.readerNodes;
                previous = reader.node;
            }
            m_tensors.push_back(tensor);
        }
    }

    void place(const Node& node)
    {
        if (isOutputNode(node)) return;
        const OpDef* def = OpRegistry::instance().find(node.type);
        const bool isView = isViewType(node.type) || (def && def->view());
        if (isView && node.outputCount() == 1 && info(node.source(0))) {
            join(node, 0, node.source(0), 0);
        } else if (acceptsSlices(node)) {
            std::int64_t offset = 0;
            for (int i = 0; i < node.outputCount(); ++i) {
                join(node, i, splitSource(node), offset);
                offset += info(node.output(i))->bytes;
            }
        } else {
            for (int i = 0; i < node.outputCount(); ++i) {
                const int input = inPlaceInput(node, i, def);
                if (input >= 0) overwrite(node, i, node.source(input));
                else create(node, i);
            }
        }
        addWorkspaces(node);
    }

    static OutputRef splitSource(const Node& node) { return node.source(node.type == "Split" ? 1 : 0); }

    bool acceptsSlices(const Node& node)
    {
        if (!isVirtualSplit(m_graph, node) || !info(splitSource(node))) return false;
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
        if (isConstantType(node.type)) buffer.kind = BufferKind::Weight;
        else if (isBoundaryType(node.type) && !node.hasInput(0)) buffer.kind = BufferKind::Input;
        if (!tensor.isKnown) m_plan.isComplete = false;
        tensor.buffer = buffer.id;
        tensor.isSoleChain = tensor.readerNodes == 1;
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
        m_plan.bufferOfTensor[ref] = tensor.buffer;
        for (const InputRef& reader : m_graph.consumers(ref)) {
            const Node& readerNode = m_graph.node(reader.node);
            const std::int64_t at = m_axis.position(reader.node);
            if (at < 0) continue;
            if (isOutputNode(readerNode)) ++m_outputUses[static_cast<std::size_t>(tensor.buffer)];
            m_isRead[static_cast<std::size_t>(tensor.buffer)] = 1;
            buffer.lifetime.end = std::max(buffer.lifetime.end, m_axis.endAfter(at));
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

    static bool rangesMeet(const TensorInfo& a, const TensorInfo& b)
    {
        return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
    }

    /// Input that output `index` may be written over; -1 for none.
    int inPlaceInput(const Node& node, int index, const OpDef* def)
    {
        if (m_rule == InPlaceRule::None || !def || !node.subgraphs.empty()) return -1;
        if (m_rule == InPlaceRule::Imported) {
            const bool isElementWise = def->fusionClassOf() == FusionClass::ElementWise ||
                                       def->fusionClassOf() == FusionClass::Broadcast;
            if (!isElementWise || index != 0) return -1;
            const OutputRef source = node.source(0);
            return fits(node, 0, source) && info(source)->isSoleChain ? 0 : -1;
        }
        for (const auto& [out, in] : def->inPlacePairs()) {
            if (out != index) continue;
            const OutputRef source = node.source(in);
            if (fits(node, index, source) && isLastReader(node, source) && !servesAnotherOutput(node, index, source))
                return in;
        }
        return -1;
    }

    /// Same bytes and type, an intermediate tensor, and a result that stays inside the model.
    bool fits(const Node& node, int index, OutputRef source)
    {
        const TensorInfo* from = info(source);
        const TensorInfo* to = info(node.output(index));
        if (!from || from->buffer < 0 || !from->isKnown || !to->isKnown || to->feedsOutput) return false;
        const MemoryBuffer& buffer = m_plan.buffers[static_cast<std::size_t>(from->buffer)];
        if (buffer.kind != BufferKind::FeatureMap) return false;
        if (from->bytes != to->bytes || from->bytes == 0) return false;
        const TensorDesc& given = m_graph.outputDesc(source);
        const TensorDesc& target = node.outputs[static_cast<std::size_t>(index)].desc;
        return given.dtype == target.dtype && given.format == target.format;
    }

    bool isLastReader(const Node& node, OutputRef source)
    {
        const TensorInfo from = *info(source);
        const std::int64_t at = m_axis.position(node.id);
        if (from.lastReader > at) return false;
        for (const OutputRef other : m_active[static_cast<std::size_t>(from.buffer)]) {
            const TensorInfo& tensor = *info(other);
            if (!rangesMeet(tensor, from)) continue;
            if (tensor.lastReader > at || tensor.hasForeignReader || tensor.feedsOutput) return false;
            if (m_axis.stream(other.node) != m_axis.stream(node.id)) return false;
        }
        return true;
    }

    bool servesAnotherOutput(const Node& node, int index, OutputRef source)
    {
        for (int other = 0; other < index; ++other) {
            const TensorInfo& tensor = *info(node.output(other));
            if (tensor.buffer == info(source)->buffer && rangesMeet(tensor, *info(source))) return true;
        }
        return false;
    }

    void addWorkspaces(const Node& node)
    {
        int number = 0;
        for (const std::int64_t bytes : node.placement.workspaceBytes) {
            const int which = number++;
            if (bytes <= 0) continue;
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
            m_active.emplace_back();
            m_outputUses.push_back(0);
            m_isRead.push_back(0);
        }
    }

    void finish()
    {
        for (MemoryBuffer& buffer : m_plan.buffers) {
            const int outputs = m_outputUses[static_cast<std::size_t>(buffer.id)];
            if (buffer.kind == BufferKind::FeatureMap && outputs == 1) buffer.kind = BufferKind::Output;
            else if (buffer.kind == BufferKind::FeatureMap && outputs > 1)
                buffer.note = "feeds several model outputs, so it cannot be the user's memory and is never released";
            if (outputs > 0) buffer.lifetime.end = m_axis.size();
            if (buffer.kind == BufferKind::Input || buffer.kind == BufferKind::Weight)
                buffer.lifetime = {0, m_axis.size()};
            buffer.blockBytes = geBlockBytes(buffer.bytes);
            if (buffer.kind == BufferKind::Weight) buffer.blockBytes = roundUp(buffer.bytes, memoryBlockBytes);
            if (buffer.kind == BufferKind::Workspace) buffer.blockBytes = roundUp(buffer.bytes, memoryBlockBytes);
            // Outputs that nothing reads get an address, since the kernel writes them, but no part of the model is made of them.
            if (buffer.kind == BufferKind::FeatureMap && outputs == 0 && m_isRead[static_cast<std::size_t>(buffer.id)])
                ++m_plan.totals.intermediateTensors;
        }
    }

    const Graph& m_graph;
    TimeAxis m_axis;
    InPlaceRule m_rule;
    MemoryPlan m_plan;
    std::vector<int> m_first; // by node id: index of its first output in m_tensors
    std::vector<TensorInfo> m_tensors;
    std::vector<std::vector<OutputRef>> m_active; // by buffer: members whose values still count
    std::vector<int> m_outputUses; // by buffer: model outputs that read it
    std::vector<char> m_isRead;    // by buffer
};

} // namespace

Result<MemoryPlan> computeLifetimes(const Graph& graph, const LifetimeOptions& options)
{
    GELENS_ASSIGN(TimeAxis axis, TimeAxis::make(graph, options));
    return LifetimeBuilder(graph, std::move(axis), options.inPlace).run();
}

bool isVirtualSplit(const Graph& graph, const Node& node)
{
    const bool isSplit = node.type == "Split" || node.type == "SplitD" || node.type == "SplitV" || node.type == "SplitVD";
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
