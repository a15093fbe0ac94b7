#include "engine/formats/om/om_plan.h"

#include <algorithm>
#include <unordered_map>

namespace gelens::om {
namespace {

constexpr std::int64_t planVersion = 1;
constexpr std::int64_t maxBytes = std::int64_t{1} << 50; ///< no address or size is beyond that
constexpr std::size_t bufferFields = 10;
constexpr std::int64_t paddedGroup = 1, atomicRegion = 2; // flags of a buffer

class Encoder {
public:
    Encoder(const Graph& graph, const MemoryPlan& plan) : m_plan(plan)
    {
        std::int64_t position = 0;
        graph.forEachNode(rootGraph, [&](const Node& node) { m_position.emplace(node.id, position++); });
    }

    AttrValue encode() const
    {
        const MemoryTotals& t = m_plan.totals;
        AttrMap map;
        map.emplace("version", AttrValue(planVersion));
        map.emplace("policy", AttrValue(m_plan.policy));
        if (!m_plan.strategy.empty()) map.emplace("strategy", AttrValue(m_plan.strategy));
        StringList candidates;
        IntList candidateBytes;
        for (const auto& [name, bytes] : m_plan.candidates) {
            candidates.push_back(name);
            candidateBytes.push_back(bytes);
        }
        map.emplace("candidates", AttrValue(std::move(candidates)));
        map.emplace("candidate_bytes", AttrValue(std::move(candidateBytes)));
        map.emplace("is_proved_optimal", AttrValue(m_plan.isProvedOptimal));
        map.emplace("is_complete", AttrValue(m_plan.isComplete));
        map.emplace("totals", AttrValue(IntList{t.featureMapPeak, t.lowerBound, t.unshared, t.gePeak, t.zeroCopy,
                                                t.weights, t.intermediateTensors}));
        IntList order;
        for (const NodeId node : m_plan.order) order.push_back(positionOf(node));
        map.emplace("order", AttrValue(std::move(order)));
        map.emplace("peaks", AttrValue(IntList(m_plan.peakPositions)));
        if (!m_plan.streams.empty()) map.emplace("streams", AttrValue(IntList(m_plan.streams)));
        IntList buffers, members, streamTimes;
        StringList names, notes;
        for (const MemoryBuffer& buffer : m_plan.buffers) {
            buffers.insert(buffers.end(),
                           {static_cast<std::int64_t>(buffer.kind), positionOf(buffer.tensor.node), buffer.tensor.index,
                            buffer.bytes, buffer.blockBytes, buffer.lifetime.begin, buffer.lifetime.end, buffer.stream,
                            buffer.offset,
                            (buffer.isPaddedGroup ? paddedGroup : 0) + (buffer.isAtomicRegion ? atomicRegion : 0)});
            const std::size_t times = std::min(buffer.freeFrom.size(), buffer.writtenFrom.size());
            streamTimes.push_back(static_cast<std::int64_t>(times));
            for (std::size_t i = 0; i < times; ++i)
                streamTimes.insert(streamTimes.end(), {buffer.freeFrom[i], buffer.writtenFrom[i]});
            members.push_back(static_cast<std::int64_t>(buffer.members.size()));
            for (const OutputRef member : buffer.members)
                members.insert(members.end(), {positionOf(member.node), member.index, m_plan.sliceOffset(member)});
            names.push_back(buffer.name);
            notes.push_back(buffer.note);
        }
        map.emplace("buffers", AttrValue(std::move(buffers)));
        map.emplace("members", AttrValue(std::move(members)));
        map.emplace("stream_times", AttrValue(std::move(streamTimes)));
        map.emplace("names", AttrValue(std::move(names)));
        if (std::any_of(notes.begin(), notes.end(), [](const std::string& note) { return !note.empty(); }))
            map.emplace("notes", AttrValue(std::move(notes)));
        return AttrValue(AttrValue::Variant(NamedAttrs{"plan", std::make_shared<const AttrMap>(std::move(map))}));
    }

private:
    std::int64_t positionOf(NodeId node) const
    {
        const auto found = m_position.find(node);
        return found == m_position.end() ? -1 : found->second;
    }

    const MemoryPlan& m_plan;
    std::unordered_map<NodeId, std::int64_t> m_position;
};

/// Reads numbers in order; once one is out of range everything after it is 0 and `isSound` stays false.
class Numbers {
public:
    explicit Numbers(IntList values) : m_values(std::move(values)) {}
    std::int64_t next(std::int64_t low, std::int64_t high)
    {
        if (m_at < m_values.size() && m_values[m_at] >= low && m_values[m_at] <= high) return m_values[m_at++];
        isSound = false;
        m_at = m_values.size();
        return std::max<std::int64_t>(low, 0);
    }
    bool isAtEnd() const { return m_at >= m_values.size(); }
    std::size_t size() const { return m_values.size(); }

    bool isSound = true;

private:
    IntList m_values;
    std::size_t m_at = 0;
};

class Decoder {
public:
    Decoder(const Graph& graph, const AttrMap& map) : m_graph(graph), m_map(map), m_nodes(graph.nodes(rootGraph)) {}

    Result<MemoryPlan> decode()
    {
        if (attrInt(m_map, "version") != planVersion)
            return Error::invalid("the plan in the file is of another version");
        m_plan.policy = attrString(m_map, "policy");
        m_plan.strategy = attrString(m_map, "strategy");
        const StringList candidates = attrStrings(m_map, "candidates");
        const IntList candidateBytes = attrInts(m_map, "candidate_bytes");
        for (std::size_t i = 0; i < std::min(candidates.size(), candidateBytes.size()); ++i)
            m_plan.candidates.emplace_back(candidates[i], candidateBytes[i]);
        m_plan.isProvedOptimal = attrBool(m_map, "is_proved_optimal");
        m_plan.isComplete = attrBool(m_map, "is_complete");
        readTotals();
        readOrder();
        readBuffers();
        if (!m_isSound) return Error::invalid("the plan in the file is damaged");
        return std::move(m_plan);
    }

private:
    static constexpr std::int64_t maxTime = std::int64_t{1} << 40;
    std::int64_t lastNode() const { return static_cast<std::int64_t>(m_nodes.size()) - 1; }
    void need(bool condition) { m_isSound = m_isSound && condition; }

    void readTotals()
    {
        Numbers numbers(attrInts(m_map, "totals"));
        MemoryTotals& t = m_plan.totals;
        for (std::int64_t* total : {&t.featureMapPeak, &t.lowerBound, &t.unshared, &t.gePeak, &t.zeroCopy, &t.weights})
            *total = numbers.next(0, maxBytes);
        t.intermediateTensors = static_cast<int>(numbers.next(0, 1'000'000'000));
        need(numbers.isSound);
    }

    void readOrder()
    {
        Numbers numbers(attrInts(m_map, "order"));
        std::vector<bool> seen(m_nodes.size(), false);
        for (std::size_t i = 0; i < numbers.size() && numbers.isSound && lastNode() >= 0; ++i) {
            const auto node = static_cast<std::size_t>(numbers.next(0, lastNode()));
            need(!seen[node]);
            seen[node] = true;
            m_plan.order.push_back(m_nodes[node]);
        }
        need(numbers.isSound && m_plan.order.size() == m_nodes.size());
        m_plan.peakPositions = attrInts(m_map, "peaks");
        for (const std::int64_t position : m_plan.peakPositions) need(position >= 0 && position <= lastNode() + 1);
    }

    void readBuffers()
    {
        Numbers numbers(attrInts(m_map, "buffers")), members(attrInts(m_map, "members"));
        const StringList names = attrStrings(m_map, "names"), notes = attrStrings(m_map, "notes");
        const std::size_t count = numbers.size() / bufferFields;
        need(names.size() == count && (notes.empty() || notes.size() == count) && lastNode() >= 0);
        if (m_isSound) m_plan.buffers.reserve(count);
        for (std::size_t i = 0; i < count && m_isSound; ++i) {
            MemoryBuffer buffer;
            buffer.id = static_cast<int>(i);
            buffer.name = names[i];
            if (!notes.empty()) buffer.note = notes[i];
            buffer.kind = static_cast<BufferKind>(numbers.next(0, static_cast<int>(BufferKind::Weight)));
            buffer.tensor.node = m_nodes[static_cast<std::size_t>(numbers.next(0, lastNode()))];
            buffer.tensor.index = static_cast<int>(numbers.next(0, 1'000'000));
            buffer.bytes = numbers.next(0, maxBytes);
            buffer.blockBytes = numbers.next(0, maxBytes);
            buffer.lifetime.begin = numbers.next(0, maxTime);
            buffer.lifetime.end = numbers.next(buffer.lifetime.begin, maxTime);
            buffer.stream = numbers.next(0, 65'535);
            buffer.offset = numbers.next(-1, maxBytes);
            const std::int64_t flags = numbers.next(0, paddedGroup + atomicRegion);
            buffer.isPaddedGroup = (flags & paddedGroup) != 0;
            buffer.isAtomicRegion = (flags & atomicRegion) != 0;
            need(numbers.isSound);
            readMembers(buffer, members);
            checkBuffer(buffer);
            m_plan.buffers.push_back(std::move(buffer));
        }
        need(members.isSound && members.isAtEnd());
        readStreamTimes();
    }

    /// With several streams a buffer has two times for each of them; all that have any have the same number.
    void readStreamTimes()
    {
        m_plan.streams = attrInts(m_map, "streams");
        need(m_plan.streams.empty() || m_plan.streams.size() == m_nodes.size());
        Numbers times(attrInts(m_map, "stream_times"));
        std::int64_t common = 0;
        for (std::size_t i = 0; i < m_plan.buffers.size() && m_isSound; ++i) {
            const std::int64_t count = times.next(0, static_cast<std::int64_t>(times.size() / 2));
            need(times.isSound && (count == 0 || common == 0 || count == common));
            common = std::max(common, count);
            for (std::int64_t k = 0; k < count && times.isSound; ++k) {
                m_plan.buffers[i].freeFrom.push_back(times.next(-1, maxTime));
                m_plan.buffers[i].writtenFrom.push_back(times.next(-1, maxTime));
            }
        }
        need(times.isSound && times.isAtEnd());
    }

    void readMembers(MemoryBuffer& buffer, Numbers& members)
    {
        const std::int64_t count = members.next(0, static_cast<std::int64_t>(members.size()));
        for (std::int64_t i = 0; i < count && members.isSound; ++i) {
            OutputRef member;
            member.node = m_nodes[static_cast<std::size_t>(members.next(0, lastNode()))];
            member.index = static_cast<int>(members.next(0, 1'000'000));
            const std::int64_t slice = members.next(0, maxBytes);
            need(member.index < m_graph.node(member.node).outputCount());
            if (!m_isSound || !members.isSound) break;
            const TensorDesc& desc = m_graph.outputDesc(member);
            const std::int64_t bytes = storageBytes(desc.dtype, desc.shape).value_or(0);
            need(slice <= buffer.bytes && bytes <= buffer.bytes - slice);
            need(m_plan.bufferOfTensor.emplace(member, buffer.id).second);
            if (slice != 0) m_plan.sliceOffsets[member] = slice;
            buffer.members.push_back(member);
        }
        need(members.isSound);
    }

    void checkBuffer(const MemoryBuffer& buffer)
    {
        need(buffer.bytes <= buffer.blockBytes);
        const bool isWorkspace = buffer.kind == BufferKind::Workspace;
        need(isWorkspace || (!buffer.members.empty() && buffer.members.front() == buffer.tensor));
        if (buffer.kind == BufferKind::FeatureMap || isWorkspace)
            need(!m_plan.isComplete || (buffer.offset >= 0 && buffer.offset <= m_plan.totals.featureMapPeak &&
                                        buffer.blockBytes <= m_plan.totals.featureMapPeak - buffer.offset));
        // A weight is used where it lies, so its size is that of the constant.
        if (buffer.kind == BufferKind::Weight && m_isSound) {
            const TensorDesc& desc = m_graph.outputDesc(buffer.tensor);
            need(isConstantType(m_graph.node(buffer.tensor.node).type) &&
                 buffer.bytes <= storageBytes(desc.dtype, desc.shape).value_or(buffer.bytes));
        }
    }

    const Graph& m_graph;
    const AttrMap& m_map;
    std::vector<NodeId> m_nodes;
    MemoryPlan m_plan;
    bool m_isSound = true;
};

} // namespace

AttrValue planToAttr(const Graph& graph, const MemoryPlan& plan) { return Encoder(graph, plan).encode(); }

Result<MemoryPlan> planFromAttr(const Graph& graph, const AttrValue& value)
{
    const auto* bundle = value.as<NamedAttrs>();
    if (!bundle || !bundle->attrs) return Error::invalid("the plan in the file is no bundle of attributes");
    return Decoder(graph, *bundle->attrs).decode();
}

} // namespace gelens::om
