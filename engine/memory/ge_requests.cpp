#include "engine/memory/ge_requests.h"

#include "engine/memory/execution_order.h"
#include "engine/memory/plan_queries.h"
#include "engine/memory/sizes.h"

#include <algorithm>
#include <numeric>

namespace gelens {
namespace {

/// Positions, streams and the order between streams, as GE's table of event edges gives it.
class GeTime {
public:
    GeTime(const Graph& graph, const MemoryPlan& plan)
        : m_graph(graph), m_plan(plan), m_positions(positionsOf(graph, plan))
    {
        if (!plan.streams.empty()) findEdges();
    }

    std::int64_t at(NodeId node) const { return m_positions[static_cast<std::size_t>(node.value)]; }
    std::int64_t stream(std::int64_t position) const
    {
        return m_plan.streams.empty() ? 0 : m_plan.streams[static_cast<std::size_t>(position)];
    }
    const std::vector<GeStreamEdge>& edges() const { return m_edges; }
    /// A node at which nothing waits; with one stream none counts as such.
    bool isSilent(std::int64_t position) const
    {
        return !m_plan.streams.empty() &&
               streamRoleOf(m_graph, m_graph.node(m_plan.order[static_cast<std::size_t>(position)])) !=
                   StreamRole::Runs;
    }

    /// First node of `stream` that is ordered after `position` of another stream by edges between streams; `never` if
    /// none.
    std::int64_t firstAfter(std::int64_t position, std::int64_t stream) const
    {
        // Earliest position known to be after, by stream; edges come by their start, so one pass along time is enough.
        std::vector<std::pair<std::int64_t, std::int64_t>> reached{{this->stream(position), position}};
        for (const GeStreamEdge& edge : m_edges) {
            const bool isAfter = std::any_of(reached.begin(), reached.end(), [&](const auto& entry) {
                return entry.first == edge.fromStream && edge.from >= entry.second;
            });
            if (!isAfter) continue;
            const auto known = std::find_if(reached.begin(), reached.end(),
                                            [&](const auto& entry) { return entry.first == edge.toStream; });
            if (known == reached.end())
                reached.emplace_back(edge.toStream, edge.to);
            else
                known->second = std::min(known->second, edge.to);
        }
        const auto found =
            std::find_if(reached.begin(), reached.end(), [&](const auto& entry) { return entry.first == stream; });
        return found == reached.end() ? GeRequest::never : found->second;
    }

private:
    /// First positions, by stream, at which something waits for a node: the node itself, or, where it has no task, what
    /// reads what it shows.
    using Waits = std::vector<std::pair<std::int64_t, std::int64_t>>;

    void findEdges()
    {
        const auto count = static_cast<std::int64_t>(m_plan.order.size());
        std::vector<Waits> waits(m_plan.order.size());
        std::vector<std::vector<GeStreamEdge>> edges(m_plan.order.size());
        for (std::int64_t from = count - 1; from >= 0; --from) {
            const Node& node = m_graph.node(m_plan.order[static_cast<std::size_t>(from)]);
            Waits after;
            const auto add = [&](NodeId reader) {
                const std::int64_t to = at(reader);
                if (to < 0) return;
                for (const auto& [lane, first] : waits[static_cast<std::size_t>(to)]) {
                    const auto known = std::find_if(after.begin(), after.end(), [&, lane = lane](const auto& entry) {
                        return entry.first == lane;
                    });
                    if (known == after.end())
                        after.emplace_back(lane, first);
                    else
                        known->second = std::min(known->second, first);
                }
            };
            for (const OutputSlot& slot : node.outputs)
                for (const InputRef& reader : slot.consumers) add(reader.node);
            for (const NodeId later : node.controlOutputs) add(later);
            if (isSilent(from)) {
                waits[static_cast<std::size_t>(from)] = std::move(after);
                continue;
            }
            waits[static_cast<std::size_t>(from)] = {{stream(from), from}};
            for (const auto& [lane, first] : after)
                if (lane != stream(from))
                    edges[static_cast<std::size_t>(from)].push_back({stream(from), from, lane, first});
        }
        for (const auto& of : edges) m_edges.insert(m_edges.end(), of.begin(), of.end());
    }

    const Graph& m_graph;
    const MemoryPlan& m_plan;
    std::vector<std::int64_t> m_positions;
    std::vector<GeStreamEdge> m_edges;
};

/// A request and what its offset is for.
struct Asked {
    GeRequest request;
    std::size_t planned = 0; ///< index in `planned`; of a zero-copy buffer its id
    std::int64_t at = 0;     ///< node that asks
    std::int64_t slice = 0;  ///< bytes from the start of the buffer
};

class RequestBuilder {
public:
    RequestBuilder(const Graph& graph, const MemoryPlan& plan, const std::vector<int>& planned,
                   const GeOptions& options)
        : m_graph(graph), m_plan(plan), m_planned(planned), m_options(options), m_time(graph, plan)
    {
        if (m_options.isMemoryPriority) m_options.rangeCeils = geRangeCeils(sizes());
    }

    GeBufferPlan plan()
    {
        GeBufferPlan result;
        if (!tryPlan(false, result)) tryPlan(true, result);
        return result;
    }

private:
    /// Exact sizes of all that GE looks at to form its classes.
    std::vector<std::int64_t> sizes() const
    {
        std::vector<std::int64_t> all;
        for (const NodeId id : m_plan.order) {
            const Node& node = m_graph.node(id);
            if (isConstantType(node.type)) continue;
            for (int i = 0; i < node.outputCount(); ++i) all.push_back(geBytesOf(node.output(i)));
            if (node.type == "MemSet") continue; // its workspace is that of the nodes it clears
            for (const std::int64_t bytes : node.placement.workspaceBytes)
                all.push_back(std::min(bytes, maxTensorBytes));
        }
        return all;
    }

    const MemoryBuffer& buffer(std::size_t index) const
    {
        return m_plan.buffers[static_cast<std::size_t>(m_planned[index])];
    }

    /// False when members of a padded group did not come to lie side by side.
    bool tryPlan(bool mergesGroups, GeBufferPlan& result) const
    {
        std::vector<Asked> asked;
        for (std::size_t i = 0; i < m_planned.size(); ++i) {
            if (buffer(i).isAtomicRegion) continue;
            if (buffer(i).isPaddedGroup && !mergesGroups)
                askForMembers(i, asked);
            else
                asked.push_back(askFor(i));
        }
        for (const MemoryBuffer& buffer : m_plan.buffers)
            if (buffer.kind == BufferKind::Input || buffer.kind == BufferKind::Output)
                asked.push_back(askForUsers(buffer));
        std::stable_sort(asked.begin(), asked.end(), [](const Asked& a, const Asked& b) { return a.at < b.at; });
        std::vector<GeRequest> requests;
        requests.reserve(asked.size());
        for (const Asked& one : asked) requests.push_back(one.request);
        result.blocks = planGe(requests, m_time.edges(), m_options);
        result.total = result.blocks.total;
        result.offsets.assign(m_planned.size(), -1);
        result.outputs.clear();
        for (std::size_t i = 0; i < asked.size(); ++i) {
            if (asked[i].request.zeroCopy == GeRequest::ZeroCopy::Output)
                result.outputs.emplace_back(static_cast<int>(asked[i].planned), result.blocks.offsets[i]);
            else if (asked[i].request.zeroCopy == GeRequest::ZeroCopy::No && asked[i].slice == 0)
                result.offsets[asked[i].planned] = result.blocks.offsets[i];
        }
        for (std::size_t i = 0; i < asked.size(); ++i)
            if (asked[i].slice != 0 && result.blocks.offsets[i] != result.offsets[asked[i].planned] + asked[i].slice)
                return false;
        for (std::size_t i = 0; i < m_planned.size(); ++i) {
            if (!buffer(i).isAtomicRegion) continue;
            result.offsets[i] = result.total;
            result.total += buffer(i).blockBytes;
        }
        return true;
    }

    Asked askForUsers(const MemoryBuffer& buffer) const
    {
        Asked asked;
        asked.planned = static_cast<std::size_t>(buffer.id);
        asked.at = m_time.at(buffer.tensor.node);
        asked.request.size = buffer.blockBytes;
        asked.request.begin = asked.at;
        asked.request.end = GeRequest::never;
        asked.request.stream = buffer.stream;
        asked.request.mayTakeFreed = false;
        asked.request.references = std::max(0, static_cast<int>(buffer.members.size()) - 1);
        asked.request.zeroCopy =
            buffer.kind == BufferKind::Input ? GeRequest::ZeroCopy::Input : GeRequest::ZeroCopy::Output;
        return asked;
    }

    Asked askFor(std::size_t index) const
    {
        const MemoryBuffer& buffer = this->buffer(index);
        Asked asked;
        asked.planned = index;
        asked.at = m_time.at(buffer.tensor.node);
        for (const OutputRef member : buffer.members) // the operand at the head of a group asks for all of it
            if (m_plan.sliceOffset(member) == 0) {
                asked.at = m_time.at(member.node);
                break;
            }
        GeRequest& request = asked.request;
        request.size = buffer.blockBytes;
        request.bytes = buffer.bytes;
        for (const OutputRef member : buffer.members)
            if (buffer.kind != BufferKind::Workspace && geBlockOf(member) <= request.size)
                request.bytes = std::max(request.bytes, geBytesOf(member));
        request.begin = buffer.lifetime.begin;
        request.stream = buffer.stream;
        if (buffer.kind == BufferKind::Workspace) {
            request.end = request.begin;
            request.releaseOrder = afterInputs + buffer.tensor.index;
            request.mayTakeFreed = mayWorkspaceBeShared(buffer);
        } else {
            setEnd(request, buffer.members, buffer.tensor.index);
            request.references = referencesIn(buffer);
            if (buffer.members.size() > 1 && attrBool(m_graph.node(buffer.tensor.node).attrs, "continuous_output"))
                for (const OutputRef member : buffer.members)
                    request.single = std::max(request.single, geBlockOf(member));
            request.mayTakeFreed =
                !attrBool(m_graph.node(buffer.tensor.node).attrs, "no_reuse_mem_flag") && !feedsOutput(m_graph, buffer);
        }
        if (!request.mayTakeFreed) request.end = GeRequest::never;
        return asked;
    }

    void askForMembers(std::size_t index, std::vector<Asked>& list) const
    {
        const MemoryBuffer& buffer = this->buffer(index);
        std::vector<std::int64_t> starts;
        for (const OutputRef member : buffer.members) starts.push_back(m_plan.sliceOffset(member));
        std::sort(starts.begin(), starts.end());
        starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
        starts.push_back(buffer.blockBytes);
        const std::int64_t reader = groupReaderOf(buffer);
        for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
            std::vector<OutputRef> members; // an operand and its views
            for (const OutputRef member : buffer.members)
                if (m_plan.sliceOffset(member) == starts[i]) members.push_back(member);
            Asked asked;
            asked.planned = index;
            asked.slice = starts[i];
            asked.request.size = starts[i + 1] - starts[i];
            asked.at = asked.request.begin = m_time.at(members.front().node);
            asked.request.stream = buffer.stream;
            asked.request.isContinuous = true;
            asked.request.bytes = tensorBytes(m_graph.outputDesc(members.front())).value_or(0);
            asked.request.groupReader = reader;
            asked.request.groupPlace = starts[i];
            asked.request.references = static_cast<int>(members.size()) - 1;
            setEnd(asked.request, members, 0);
            list.push_back(std::move(asked));
        }
    }

    /// Position of the node that wants the members of a padded group side by side.
    std::int64_t groupReaderOf(const MemoryBuffer& buffer) const
    {
        for (const OutputRef member : buffer.members)
            for (const InputRef& reader : m_graph.consumers(member))
                if (attrBool(m_graph.node(reader.node).attrs, "continuous_input")) return m_time.at(reader.node);
        return -1;
    }

    /// Members beside the owner that count when GE sorts blocks: views, slices and a Concat without a task; not the further
    /// operands of that, which have no block of their own.
    int referencesIn(const MemoryBuffer& buffer) const
    {
        int count = -1;
        for (const OutputRef member : buffer.members)
            if (m_plan.sliceOffset(member) == 0 ||
                attrBool(m_graph.node(member.node).attrs, "_no_padding_continuous_output"))
                ++count;
        return std::max(0, count);
    }

    /// End as GE counts it: the last reader on the own stream, or the first node there that comes after a foreign one.
    void setEnd(GeRequest& request, const std::vector<OutputRef>& members, int unreadIndex) const
    {
        std::int64_t last = -1, end = request.begin;
        int slot = afterInputs + unreadIndex;
        for (const OutputRef member : members) {
            end = std::max(end, m_time.at(member.node)); // an unread view lives until it is made
            for (const InputRef& reader : m_graph.consumers(member)) {
                const std::int64_t at = m_time.at(reader.node);
                // What a node without a task shows is a member itself, whose readers count.
                if (at < 0 || (m_time.isSilent(at) && m_plan.bufferOf({reader.node, 0}) == m_plan.bufferOf(member)))
                    continue;
                const bool isOwn = m_time.stream(at) == request.stream;
                const std::int64_t until = isOwn ? at : m_time.firstAfter(at, request.stream);
                end = std::max(end, until);
                if (at > last || (at == last && reader.index < slot)) {
                    last = at;
                    slot = reader.index;
                }
            }
        }
        request.end = end;
        request.releaseOrder = slot;
        if (last >= 0 && last < end && end != GeRequest::never) request.released = last;
    }

    /// With GE's padding, before it is rounded up to blocks.
    std::int64_t geBytesOf(OutputRef tensor) const
    {
        const TensorDesc& desc = m_graph.outputDesc(tensor);
        const std::int64_t reserved =
            desc.reservedBytes > 0 ? desc.reservedBytes : geTensorBytes(tensorBytes(desc).value_or(0));
        return std::min(reserved, maxTensorBytes);
    }
    std::int64_t geBlockOf(OutputRef tensor) const { return roundUp(geBytesOf(tensor), memoryBlockBytes); }

    bool mayWorkspaceBeShared(const MemoryBuffer& buffer) const
    {
        const Node& node = m_graph.node(buffer.tensor.node);
        const auto found = node.attrs.find("workspace_reuse_flag");
        const auto* flags = found == node.attrs.end() ? nullptr : found->second.as<std::vector<bool>>();
        const auto index = static_cast<std::size_t>(buffer.tensor.index);
        return !flags || index >= flags->size() || (*flags)[index];
    }

    static constexpr int afterInputs = GeRequest::afterInputs;
    const Graph& m_graph;
    const MemoryPlan& m_plan;
    const std::vector<int>& m_planned;
    GeOptions m_options;
    GeTime m_time;
};

} // namespace

GeBufferPlan planGeBuffers(const Graph& graph, const MemoryPlan& plan, const std::vector<int>& planned,
                           const GeOptions& options)
{
    return RequestBuilder(graph, plan, planned, options).plan();
}

} // namespace gelens
