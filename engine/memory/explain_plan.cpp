#include "engine/memory/explain_plan.h"

#include "engine/memory/plan_queries.h"

#include <algorithm>
#include <fmt/format.h>

namespace gelens {

namespace {

std::string tensorName(const Graph& graph, OutputRef tensor)
{
    return fmt::format("{}:{}", graph.node(tensor.node).name, tensor.index);
}

std::string nodeNameAt(const Graph& graph, const MemoryPlan& plan, std::int64_t position)
{
    if (position < 0 || position >= static_cast<std::int64_t>(plan.order.size())) return "the end";
    return graph.node(plan.order[static_cast<std::size_t>(position)]).name;
}

/// Last position at which the tensor itself is read or, unread, made. Only list order counts here.
std::int64_t lastUse(const Graph& graph, const std::vector<std::int64_t>& positions, OutputRef tensor)
{
    std::int64_t last = positions[static_cast<std::size_t>(tensor.node.value)];
    for (const InputRef& reader : graph.consumers(tensor))
        last = std::max(last, positions[static_cast<std::size_t>(reader.node.value)]);
    return last;
}

std::int64_t lastUse(const Graph& graph, const std::vector<std::int64_t>& positions, const MemoryBuffer& buffer)
{
    std::int64_t last = buffer.lifetime.begin;
    if (buffer.kind == BufferKind::Workspace) return last;
    for (const OutputRef member : buffer.members) last = std::max(last, lastUse(graph, positions, member));
    return last;
}

bool bytesMeet(const MemoryBuffer& a, const MemoryBuffer& b)
{
    return a.offset >= 0 && b.offset >= 0 && a.offset < b.offset + b.blockBytes && b.offset < a.offset + a.blockBytes;
}

} // namespace

PeakReport explainPeak(const Graph& graph, const MemoryPlan& plan, std::int64_t position)
{
    PeakReport report;
    report.plannedBytes = plan.totals.featureMapPeak;
    report.lowerBound = plan.totals.lowerBound;
    if (position < 0 && plan.peakPositions.empty()) return report;
    report.position = position < 0 ? plan.peakPositions.front() : position;
    report.nodeName = nodeNameAt(graph, plan, report.position);
    for (const MemoryBuffer& buffer : plan.buffers) {
        if (!isPlanned(buffer) || buffer.blockBytes <= 0) continue;
        if (report.position < buffer.lifetime.begin || report.position >= buffer.lifetime.end) continue;
        PeakTensor tensor;
        tensor.buffer = buffer.id;
        tensor.name = buffer.name;
        tensor.blockBytes = buffer.blockBytes;
        for (std::size_t i = 1; i < buffer.members.size(); ++i)
            tensor.others.push_back(tensorName(graph, buffer.members[i]));
        report.liveBytes += buffer.blockBytes;
        report.tensors.push_back(std::move(tensor));
    }
    for (PeakTensor& tensor : report.tensors)
        tensor.share = static_cast<double>(tensor.blockBytes) / static_cast<double>(report.liveBytes);
    std::stable_sort(report.tensors.begin(), report.tensors.end(),
                     [](const PeakTensor& a, const PeakTensor& b) { return a.blockBytes > b.blockBytes; });
    return report;
}

namespace {

/// Two buffers of the feature map, `early` beginning no later than `late`.
class SharingJudge {
public:
    SharingJudge(const Graph& graph, const MemoryPlan& plan, OutputRef first, OutputRef second)
        : m_graph(graph), m_plan(plan), m_positions(positionsOf(graph, plan)), m_early(first), m_late(second)
    {
        if (buffer(second).lifetime.begin < buffer(first).lifetime.begin) std::swap(m_early, m_late);
    }

    ShareVerdict judge() const
    {
        const MemoryBuffer &a = buffer(m_early), &b = buffer(m_late);
        if (a.lifetime.overlaps(b.lifetime)) return overlap(a, b);
        ShareVerdict verdict = begun();
        verdict.sharesBytes = bytesMeet(a, b);
        verdict.earlyUse = a.lifetime.end - 1;
        const std::string ea = name(m_early), la = name(m_late);
        if (verdict.sharesBytes) {
            verdict.text =
                fmt::format("they do share: '{}' takes bytes of '{}' from {:#x} on, which is dead since '{}'", la, ea,
                            std::max(a.offset, b.offset), nodeNameAt(m_graph, m_plan, a.lifetime.end - 1));
        } else if (b.bytes <= a.blockBytes && a.blockBytes < b.blockBytes) {
            verdict.blocker = ShareBlocker::Padding;
            verdict.text = fmt::format(
                "'{}' has {} bytes, but its block of {} with padding and alignment is larger than the {} that '{}' "
                "leaves",
                la, b.bytes, b.blockBytes, a.blockBytes, ea);
        } else {
            verdict.text =
                fmt::format("they could share: '{}' is dead before '{}' begins; {} policy put them apart, which {}", ea,
                            la, m_plan.policy,
                            m_plan.totals.featureMapPeak == m_plan.totals.lowerBound
                                ? "costs nothing: the peak is at its lower bound"
                                : "another policy may not");
        }
        return verdict;
    }

private:
    ShareVerdict begun() const
    {
        ShareVerdict verdict;
        verdict.early = m_early;
        verdict.late = m_late;
        return verdict;
    }

    const MemoryBuffer& buffer(OutputRef tensor) const { return *m_plan.bufferOf(tensor); }
    std::string name(OutputRef tensor) const { return tensorName(m_graph, tensor); }
    std::int64_t at(NodeId node) const { return m_positions[static_cast<std::size_t>(node.value)]; }

    ShareVerdict overlap(const MemoryBuffer& a, const MemoryBuffer& b) const
    {
        ShareVerdict verdict = begun();
        verdict.position = b.lifetime.begin;
        const std::string meeting = nodeNameAt(m_graph, m_plan, verdict.position), ea = name(m_early),
                          la = name(m_late);
        const std::int64_t ownEnd = lastUse(m_graph, m_positions, m_early), groupEnd = lastUse(m_graph, m_positions, a);
        if (groupEnd < b.lifetime.begin && a.lifetime.end >= static_cast<std::int64_t>(m_plan.order.size()) &&
            attributeForbids(a)) {
            verdict.blocker = ShareBlocker::NeverReleased;
            verdict.text = fmt::format("'{}' is never released: {}", ea,
                                       feedsOutput(m_graph, a) ? "it is a model output as well"
                                                               : "its node says that nothing may reuse it");
        } else if (groupEnd < b.lifetime.begin) {
            verdict.blocker = ShareBlocker::UnorderedStreams;
            verdict.earlyUse = groupEnd;
            verdict.text = fmt::format("'{}' has its last reader '{}' (stream {}) before '{}' (stream {}) in the list, "
                                       "but no event orders the "
                                       "two streams there: they may run at the same time",
                                       ea, nodeNameAt(m_graph, m_plan, groupEnd), a.stream, meeting, b.stream);
        } else if (ownEnd < b.lifetime.begin) {
            verdict.blocker = ShareBlocker::ContinuousGroup;
            verdict.earlyUse = groupEnd;
            verdict.text =
                fmt::format("'{}' is dead by then, but it is a part of the memory of '{}', which '{}' still reads", ea,
                            a.name, nodeNameAt(m_graph, m_plan, groupEnd));
        } else {
            verdict.blocker = ShareBlocker::LifetimeOverlap;
            verdict.earlyUse = ownEnd;
            verdict.text = fmt::format("both are needed at task {} ('{}'): '{}' lives until '{}', '{}' from '{}' on",
                                       verdict.position, meeting, ea, nodeNameAt(m_graph, m_plan, ownEnd), la,
                                       nodeNameAt(m_graph, m_plan, b.lifetime.begin));
        }
        return verdict;
    }

    bool attributeForbids(const MemoryBuffer& buffer) const
    {
        return feedsOutput(m_graph, buffer) || attrBool(m_graph.node(buffer.tensor.node).attrs, "no_reuse_mem_flag");
    }

    const Graph& m_graph;
    const MemoryPlan& m_plan;
    std::vector<std::int64_t> m_positions;
    OutputRef m_early, m_late;
};

bool isUsers(BufferKind kind) { return kind == BufferKind::Input || kind == BufferKind::Output; }

} // namespace

ShareVerdict explainSharing(const Graph& graph, const MemoryPlan& plan, OutputRef first, OutputRef second)
{
    ShareVerdict verdict;
    const MemoryBuffer *a = plan.bufferOf(first), *b = plan.bufferOf(second);
    if (!a || !b) {
        verdict.text = fmt::format("'{}' has no memory in this plan", tensorName(graph, a ? second : first));
        return verdict;
    }
    const std::string firstName = tensorName(graph, first), secondName = tensorName(graph, second);
    if (a->id == b->id) {
        verdict.blocker = ShareBlocker::SameBuffer;
        verdict.sharesBytes = true;
        verdict.text =
            first == second
                ? fmt::format("'{}' is one tensor", firstName)
                : fmt::format("'{}' and '{}' are one piece of memory: a view, an in-place result or slices of '{}'",
                              firstName, secondName, a->name);
        return verdict;
    }
    if (a->kind == BufferKind::Weight || b->kind == BufferKind::Weight) {
        verdict.blocker = ShareBlocker::KindsDiffer;
        verdict.text = fmt::format("'{}' is a weight: weights have a region of their own and stay for every run",
                                   a->kind == BufferKind::Weight ? firstName : secondName);
        return verdict;
    }
    if (isUsers(a->kind) || isUsers(b->kind)) {
        const bool isFirst = isUsers(a->kind);
        verdict.blocker = ShareBlocker::HeldByUser;
        verdict.text = fmt::format(
            "'{}' is the memory of a model {}, which the user supplies and holds for the whole run",
            isFirst ? firstName : secondName, (isFirst ? a->kind : b->kind) == BufferKind::Input ? "input" : "output");
        return verdict;
    }
    return SharingJudge(graph, plan, first, second).judge();
}

} // namespace gelens
