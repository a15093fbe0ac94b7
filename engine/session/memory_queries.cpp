#include "engine/session/memory_queries.h"

#include <charconv>

namespace gelens {
namespace {

/// Order and streams of the plan, as the compile had them.
LifetimeOptions lifetimesOf(const Run& run, const Graph& graph)
{
    LifetimeOptions lifetimes;
    lifetimes.order = run.plan.order;
    lifetimes.streams.assign(static_cast<std::size_t>(graph.nodeIdBound()), 0);
    for (const NodeId node : run.plan.order) {
        const std::int64_t stream = graph.node(node).placement.streamId;
        if (stream > 0) lifetimes.streams[static_cast<std::size_t>(node.value)] = stream;
    }
    return lifetimes;
}

} // namespace

PeakReport peakOf(const Run& run, std::int64_t position)
{
    return explainPeak(*run.graphAt(run.lastStep()), run.plan, position);
}

Result<std::vector<PeakSaving>> peakSavingsOf(const Run& run, std::size_t maxTensors, std::stop_token stop)
{
    const auto graph = run.graphAt(run.lastStep());
    SavingOptions options;
    options.maxTensors = maxTensors;
    options.lifetimes = lifetimesOf(run, *graph);
    options.stop = stop;
    return rankPeakSavings(*graph, run.plan, options);
}

ShareVerdict whyNotShared(const Run& run, OutputRef first, OutputRef second)
{
    return explainSharing(*run.graphAt(run.lastStep()), run.plan, first, second);
}

std::optional<OutputRef> findTensor(const Run& run, std::string_view name)
{
    const auto graph = run.graphAt(run.lastStep());
    const auto find = [&](std::string_view node, int index) -> std::optional<OutputRef> {
        const NodeId id = graph->findNode(std::string(node));
        if (!id.isValid() || index < 0 || index >= graph->node(id).outputCount()) return std::nullopt;
        return OutputRef{id, index};
    };
    // A node's name may hold a colon itself, so the whole text is tried as a name too.
    if (const auto colon = name.rfind(':'); colon != std::string_view::npos) {
        int index = 0;
        const std::string_view digits = name.substr(colon + 1);
        const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
        if (code == std::errc() && end == digits.data() + digits.size())
            if (const auto found = find(name.substr(0, colon), index)) return found;
    }
    return find(name, 0);
}

Result<MemoryPlan> planWithPolicy(const Run& run, MemoryPolicy policy, std::stop_token stop)
{
    const auto graph = run.graphAt(run.lastStep());
    MemoryOptions options;
    options.policy = policy;
    options.lifetimes = lifetimesOf(run, *graph);
    options.stop = stop;
    return planMemory(*graph, options);
}

} // namespace gelens
