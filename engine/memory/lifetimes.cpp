#include "engine/memory/lifetimes.h"

#include "engine/memory/sizes.h"
#include "engine/ops/op_registry.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <span>

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

    /// Streams in use; 1 when order alone decides.
    std::size_t laneCount() const { return m_laneCount; }
    std::size_t lane(std::int64_t position) const { return m_lanes[static_cast<std::size_t>(position)]; }
    /// First node of each lane that is ordered after the node at `position`; the number of nodes where none is.
    std::span<const std::int32_t> firstAfter(std::int64_t position) const
    {
        return {m_first.data() + static_cast<std::size_t>(position) * m_laneCount, m_laneCount};
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
        m_first = std::move(first);
        m_lanes.resize(static_cast<std::size_t>(count));
        for (std::int64_t at = 0; at < count; ++at) m_lanes[static_cast<std::size_t>(at)] = lane(at);
        m_laneCount = streams;
    }

    std::vector<NodeId> m_order;
    std::vector<std::int64_t> m_position; // by node id
    std::vector<std::int64_t> m_stream;   // by position
    std::vector<std::int64_t> m_ends;     // by position; empty with one stream
    std::vector<std::int32_t> m_first;    // by position and lane; empty with one stream
    std::vector<std::size_t> m_lanes;     // by position; empty with one stream
    std::size_t m_laneCount = 1;
};

/// What is known of one tensor while buffers are built.
struct TensorInfo {
    int buffer = -1;
    std::int64_t offset = 0; // within the buffer
    std::int64_t bytes = 0;
    std::int64_t reserved = 0;     // with GE's padding
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
        if (m_axis.laneCount() > 1)
            for (const NodeId id : m_axis.order()) m_plan.streams.push_back(m_axis.stream(id));
        m_plan.isComplete = true;
        m_first.assign(static_cast<std::size_t>(m_graph.nodeIdBound()), -1);
        for (const NodeId id : m_axis.order())
            readTensors(m_graph.node(id));
        groupNeighbours();
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
            if (m_rule == InPlaceRule::Stated && slot.desc.reservedBytes > 0) {
                tensor.isKnown = true;
                tensor.reserved = std::min(slot.desc.reservedBytes, maxTensorBytes);
                if (!bytes) tensor.bytes = tensor.reserved;
            } else {
                tensor.reserved = geTensorBytes(tensor.bytes);
            }
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

    /// Identities that GE inserts against conflicts copy; all other views are the memory of their source.
    static bool isViewNode(const Node& node)
    {
        const OpDef* def = OpRegistry::instance().find(node.type);
        return (isViewType(node.type) || (def && def->view())) && !attrBool(node.attrs, "_cannot_be_deleted");
    }

    /// The tensor whose memory a view shows. Bounded by the length of the order, in which sources come first.
    OutputRef behindViews(OutputRef tensor)
    {
        while (tensor.isValid()) {
            const Node& node = m_graph.node(tensor.node);
            if (!isViewNode(node) || node.outputCount() != 1 || !info(node.source(0))) break;
            tensor = node.source(0);
        }
        return tensor;
    }

    /// Tensors that GE's attributes lay side by side. Later nodes first, so that a group inside a group finds its place.
    void groupNeighbours()
    {
        const auto& order = m_axis.order();
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
            const Node& node = m_graph.node(*at);
            if (node.attrs.empty()) continue;
            if (attrBool(node.attrs, "_no_padding_continuous_input") && attrBool(node.attrs, "_output_reuse_input") && node.outputCount() == 1)
                groupInputs(node, false);
            else if (attrBool(node.attrs, "continuous_input"))
                groupInputs(node, true);
        }
    }

    void groupInputs(const Node& node, bool isPadded)
    {
        // The head is the whole; without padding that is the output, whose own group may hold it further in.
        OutputRef head = isPadded ? behindViews(node.source(0)) : node.output(0);
        std::int64_t offset = 0;
        if (!isPadded)
            if (const auto found = m_neighbours.find(head); found != m_neighbours.end()) {
                offset = found->second.second;
                head = found->second.first;
            }
        std::vector<std::pair<OutputRef, std::int64_t>> places;
        for (int i = 0; i < node.inputCount(); ++i) {
            const OutputRef source = behindViews(node.source(i));
            const TensorInfo* tensor = info(source);
            const bool isFixed = !tensor || !tensor->isKnown || isConstantType(m_graph.node(source.node).type) ||
                                 isBoundaryType(m_graph.node(source.node).type) || m_neighbours.contains(source);
            const bool isRepeated = std::any_of(places.begin(), places.end(), [&](const auto& place) { return place.first == source; });
            // One operand that must stay where it is, or is there twice, leaves the node as any other.
            if (isFixed || isRepeated) return;
            places.emplace_back(source, offset);
            offset += isPadded ? roundUp(tensor->reserved, memoryBlockBytes) : tensor->bytes;
        }
        for (const auto& [tensor, start] : places) m_neighbours[tensor] = {head, start};
        if (!isPadded) m_neighbours.emplace(node.output(0), std::pair{head, places.empty() ? 0 : places.front().second});
        if (isPadded) m_paddedHeads.insert(head);
    }

    /// Puts a tensor of a group into the group's buffer, which the first of them in order makes.
    void placeNeighbour(const Node& node, int index, OutputRef head, std::int64_t offset)
    {
        const auto [found, isFirst] = m_groupBuffers.emplace(head, -1);
        TensorInfo& tensor = *info(node.output(index));
        tensor.offset = offset;
        if (isFirst) {
            create(node, index);
            found->second = tensor.buffer;
            if (m_paddedHeads.contains(head)) m_plan.buffers[static_cast<std::size_t>(tensor.buffer)].isPaddedGroup = true;
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
        const auto group = node.outputCount() == 1 ? m_neighbours.find(node.output(0)) : m_neighbours.end();
        if (group != m_neighbours.end() && attrBool(node.attrs, "_no_padding_continuous_input")) {
            placeNeighbour(node, 0, group->second.first, group->second.second);
        } else if (isViewNode(node) && node.outputCount() == 1 && info(node.source(0))) {
            join(node, 0, node.source(0), 0);
        } else if (attrBool(node.attrs, "_no_padding_continuous_output") && info(node.source(0)) && m_plan.bufferOf(node.source(0))) {
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
                const int input = inPlaceInput(node, i, def);
                if (isAtomicOutput(node, i)) placeAtomic(node, i);
                else if (const auto found = m_neighbours.find(node.output(i)); found != m_neighbours.end())
                    placeNeighbour(node, i, found->second.first, found->second.second);
                else if (input >= 0) overwrite(node, i, node.source(input));
                else create(node, i);
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
        if (isConstantType(node.type)) buffer.kind = BufferKind::Weight;
        else if (isBoundaryType(node.type) && !node.hasInput(0)) buffer.kind = BufferKind::Input;
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
        if (m_rule == InPlaceRule::None || m_rule == InPlaceRule::Stated || !def || !node.subgraphs.empty()) return -1;
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
        // Plain formats only name the axes; a private one decides where each element lies.
        const bool isPrivate = isPrivateFormat(given.format.primary) || isPrivateFormat(target.format.primary);
        return given.dtype == target.dtype && (!isPrivate || given.format == target.format);
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
            if (at < 0) return;
            const auto after = m_axis.firstAfter(at);
            for (std::size_t i = 0; i < lanes; ++i) buffer.freeFrom[i] = std::max<std::int64_t>(buffer.freeFrom[i], after[i]);
        };
        const auto write = [&](NodeId node) {
            const std::int64_t at = m_axis.position(node);
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
            if (buffer.kind == BufferKind::FeatureMap && outputs == 1) buffer.kind = BufferKind::Output;
            else if (buffer.kind == BufferKind::FeatureMap && outputs > 1)
                buffer.note = "feeds several model outputs, so it cannot be the user's memory and is never released";
            if (outputs > 0) buffer.lifetime.end = m_axis.size();
            if (buffer.kind == BufferKind::Input || buffer.kind == BufferKind::Weight)
                buffer.lifetime = {0, m_axis.size()};
            buffer.blockBytes = roundUp(std::max(m_reserved[static_cast<std::size_t>(buffer.id)], geTensorBytes(0)), memoryBlockBytes);
            if (m_rule != InPlaceRule::Stated) buffer.blockBytes = std::max(buffer.blockBytes, geBlockBytes(buffer.bytes));
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
    std::vector<std::int64_t> m_reserved; // by buffer: its end with GE's padding
    std::map<OutputRef, std::pair<OutputRef, std::int64_t>> m_neighbours; // tensor → head of its group, offset
    std::map<OutputRef, int> m_groupBuffers; // by head
    std::set<OutputRef> m_paddedHeads;
    int m_atomicBuffer = -1;
    std::int64_t m_atomicEnd = 0;
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
