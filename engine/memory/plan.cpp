#include "engine/memory/plan.h"

#include "engine/memory/ge_requests.h"
#include "engine/memory/lower_bound.h"
#include "engine/memory/plan_queries.h"
#include "engine/memory/planners/exact.h"
#include "engine/memory/planners/ge.h"
#include "engine/memory/planners/greedy.h"
#include "engine/memory/planners/search.h"
#include "engine/memory/planners/simple.h"
#include "engine/memory/sizes.h"
#include "engine/memory/validator.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

namespace gelens {

namespace {

// Budgets in steps of about 30 ns. Best: some 15 ms. Optimal: some seconds, and so for a capacity that must be met.
constexpr std::int64_t bestSteps = 500'000;
constexpr std::int64_t optimalSteps = 200'000'000;
// Of a long search this part goes to the local one, which helps where items are too many for the exact one.
constexpr std::int64_t localShare = 8;
// GE's level 2 is quadratic; beyond this many buffers its plan is only made when asked for.
constexpr std::size_t maxGeBuffers = 20'000;

std::vector<GeRequest> plainRequests(const std::vector<PlanItem>& items)
{
    std::vector<GeRequest> requests(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        requests[i].size = items[i].size;
        requests[i].begin = items[i].lower;
        requests[i].end = std::max(items[i].lower, items[i].upper - 1);
        requests[i].releaseOrder = static_cast<int>(i);
    }
    return requests;
}

GeOptions geOptionsOf(const MemoryOptions& options)
{
    GeOptions ge;
    ge.isMemoryPriority = options.isGeMemoryPriority;
    ge.reusesNothing = options.isGeReuseOff;
    return ge;
}

/// GE takes requests in order of begin; gives offsets in the order of the caller.
GeBufferPlan runGe(const std::vector<GeRequest>& requests, GeOptions options)
{
    if (options.isMemoryPriority) {
        std::vector<std::int64_t> sizes;
        for (const GeRequest& request : requests) sizes.push_back(request.size);
        options.rangeCeils = geRangeCeils(std::move(sizes));
    }
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return requests[a].begin < requests[b].begin; });
    std::vector<GeRequest> sorted;
    sorted.reserve(requests.size());
    for (const std::size_t i : order) sorted.push_back(requests[i]);
    GeBufferPlan plan;
    plan.blocks = planGe(sorted, {}, options);
    plan.total = plan.blocks.total;
    plan.offsets.assign(requests.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) plan.offsets[order[i]] = plan.blocks.offsets[i];
    return plan;
}

SearchBudget budgetOf(const MemoryOptions& options, std::int64_t capacity)
{
    SearchBudget budget;
    budget.steps = options.searchSteps > 0                                   ? options.searchSteps
                   : options.policy == MemoryPolicy::Optimal || capacity > 0 ? optimalSteps
                                                                             : bestSteps;
    budget.stop = options.stop;
    budget.capacity = capacity;
    if (options.timeLimitSeconds > 0) {
        budget.deadline =
            std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                   std::chrono::duration<double>(options.timeLimitSeconds));
        if (options.searchSteps <= 0) budget.steps = std::numeric_limits<std::int64_t>::max();
    }
    return budget;
}

struct Choice {
    PlanResult plan;
    std::string policy;
    GeBufferPlan ge; ///< without a winner when GE's planner did not run
};

using GePlanner = std::function<GeBufferPlan()>;

Choice choosePlan(const std::vector<PlanItem>& items, const GePlanner& planGe, const MemoryOptions& options,
                  std::int64_t capacity)
{
    const std::int64_t bound = lowerBound(items).bytes;
    const std::int64_t goal = std::max(bound, capacity);
    Choice choice;
    const bool wantsGe = options.policy == MemoryPolicy::Ge || items.size() <= maxGeBuffers;
    PlanResult ge;
    if (wantsGe) {
        choice.ge = planGe();
        ge = {choice.ge.offsets, choice.ge.total, choice.ge.total == bound, 0};
    }
    switch (options.policy) {
    case MemoryPolicy::Ge: choice.plan = std::move(ge), choice.policy = "ge"; return choice;
    case MemoryPolicy::Simple: choice.plan = planSimple(items), choice.policy = "simple"; return choice;
    case MemoryPolicy::Greedy: choice.plan = planGreedy(items), choice.policy = "greedy"; return choice;
    case MemoryPolicy::Best:
    case MemoryPolicy::Optimal: break;
    }
    choice.plan = planGreedy(items);
    choice.policy = "greedy";
    for (const GreedyOrder order :
         {GreedyOrder::Area, GreedyOrder::Pressure, GreedyOrder::Duration, GreedyOrder::Time}) {
        if (choice.plan.peak <= goal) break;
        PlanResult other = planGreedy(items, order, Fit::Lowest);
        if (other.peak < choice.plan.peak) choice.plan = std::move(other);
    }
    if (wantsGe && ge.peak < choice.plan.peak) {
        choice.plan = std::move(ge);
        choice.policy = "ge";
    }
    if (choice.plan.peak > goal) {
        const std::int64_t before = choice.plan.peak;
        const SearchBudget budget = budgetOf(options, capacity);
        choice.plan = planExact(items, std::move(choice.plan), budget);
        if (choice.plan.peak > goal && !choice.plan.isProvedOptimal) {
            SearchBudget rest = budget;
            rest.steps = items.size() > maxExactItems ? budget.steps : budget.steps / localShare;
            choice.plan = planLocalSearch(items, std::move(choice.plan), rest);
        }
        if (choice.plan.peak < before) choice.policy = "optimal";
    }
    if (options.policy == MemoryPolicy::Optimal) choice.policy = "optimal";
    return choice;
}

/// Outputs that nothing reads are no intermediate tensors; they are left out of what the model would need unshared.
bool isReadOrWorkspace(const Graph& graph, const MemoryBuffer& buffer)
{
    if (buffer.kind == BufferKind::Workspace) return true;
    return std::any_of(buffer.members.begin(), buffer.members.end(),
                       [&](OutputRef member) { return !graph.consumers(member).empty(); });
}

void placeUserMemory(MemoryPlan& plan)
{
    // GE packs the inputs by size, smallest first, so that one copy can bring them all.
    std::vector<MemoryBuffer*> inputs, outputs;
    std::int64_t weights = 0;
    for (MemoryBuffer& buffer : plan.buffers) {
        if (buffer.kind == BufferKind::Input) inputs.push_back(&buffer);
        if (buffer.kind == BufferKind::Output) outputs.push_back(&buffer);
        if (buffer.kind == BufferKind::Weight) {
            buffer.offset = weights;
            weights += buffer.blockBytes;
        }
    }
    std::stable_sort(inputs.begin(), inputs.end(), [](const MemoryBuffer* a, const MemoryBuffer* b) {
        return std::pair(a->blockBytes, a->bytes) < std::pair(b->blockBytes, b->bytes);
    });
    std::stable_sort(outputs.begin(), outputs.end(),
                     [](const MemoryBuffer* a, const MemoryBuffer* b) { return a->blockBytes > b->blockBytes; });
    const auto pack = [](const std::vector<MemoryBuffer*>& buffers) {
        std::int64_t offset = 0;
        for (MemoryBuffer* buffer : buffers) {
            buffer->offset = offset;
            offset += buffer->blockBytes;
        }
        return offset;
    };
    plan.totals.zeroCopy = pack(outputs) + pack(inputs);
    plan.totals.weights = weights;
}

/// Says for each buffer whose place it takes: the last one before it that had any of its bytes.
void noteReuse(MemoryPlan& plan)
{
    std::vector<MemoryBuffer*> byTime;
    for (MemoryBuffer& buffer : plan.buffers)
        if (isPlanned(buffer) && buffer.blockBytes > 0) byTime.push_back(&buffer);
    std::stable_sort(byTime.begin(), byTime.end(), [](const MemoryBuffer* a, const MemoryBuffer* b) {
        return a->lifetime.begin < b->lifetime.begin;
    });
    std::map<std::int64_t, std::pair<std::int64_t, const MemoryBuffer*>> owners; // begin → (end, last owner)
    for (MemoryBuffer* buffer : byTime) {
        const std::int64_t begin = buffer->offset, end = begin + buffer->blockBytes;
        const MemoryBuffer* previous = nullptr;
        auto at = owners.upper_bound(begin);
        if (at != owners.begin()) --at;
        while (at != owners.end() && at->first < end) {
            const auto [first, piece] = *at;
            const auto [last, owner] = piece;
            if (last <= begin) {
                ++at;
                continue;
            }
            if (!previous || owner->lifetime.end > previous->lifetime.end) previous = owner;
            at = owners.erase(at);
            if (first < begin) owners[first] = {begin, owner};
            if (last > end) owners[end] = {last, owner};
            at = owners.lower_bound(begin);
        }
        owners[begin] = {end, buffer};
        if (previous && buffer->note.empty()) buffer->note = fmt::format("takes the place of '{}'", previous->name);
    }
}

} // namespace

PlanResult planItems(const std::vector<PlanItem>& items, const MemoryOptions& options, std::int64_t capacity,
                     std::string* policyTaken)
{
    Choice choice = choosePlan(
        items, [&] { return runGe(plainRequests(items), geOptionsOf(options)); }, options, capacity);
    if (policyTaken) *policyTaken = choice.policy;
    return std::move(choice.plan);
}

namespace {

/// The buffers' items with lifetimes in list order alone, as if the streams ran one task at a time.
std::vector<PlanItem> itemsInOrder(const Graph& graph, const MemoryPlan& plan, const std::vector<int>& planned)
{
    const std::vector<std::int64_t> positions = positionsOf(graph, plan);
    const auto end = static_cast<std::int64_t>(plan.order.size());
    std::vector<PlanItem> items;
    for (const int id : planned) {
        const MemoryBuffer& buffer = plan.buffers[static_cast<std::size_t>(id)];
        std::int64_t last = buffer.lifetime.begin;
        for (const OutputRef member : buffer.members) {
            last = std::max(last, positions[static_cast<std::size_t>(member.node.value)]);
            for (const InputRef& reader : graph.consumers(member)) {
                const bool isOutput = graph.node(reader.node).type == "NetOutput";
                last = std::max(last, isOutput ? end - 1 : positions[static_cast<std::size_t>(reader.node.value)]);
            }
        }
        items.push_back({buffer.lifetime.begin, last + 1, buffer.blockBytes});
    }
    return items;
}

} // namespace

Status placeBuffers(const Graph& graph, MemoryPlan& plan, const MemoryOptions& options)
{
    std::vector<int> planned;
    std::vector<PlanItem> items;
    for (const MemoryBuffer& buffer : plan.buffers) {
        if (!isPlanned(buffer)) continue;
        planned.push_back(buffer.id);
        items.push_back({buffer.lifetime.begin, buffer.lifetime.end, buffer.blockBytes});
        if (isReadOrWorkspace(graph, buffer)) plan.totals.unshared += buffer.blockBytes;
    }
    // What is alive together when the tasks run one by one in list order is a bound for any plan. Over several streams
    // the lifetimes say more than that: they hold for every order that the streams allow.
    const bool hasStreams = std::any_of(plan.buffers.begin(), plan.buffers.end(),
                                        [](const MemoryBuffer& buffer) { return !buffer.freeFrom.empty(); });
    const LowerBound bound = lowerBound(hasStreams ? itemsInOrder(graph, plan, planned) : items);
    plan.totals.lowerBound = bound.bytes;
    plan.peakPositions = bound.positions;
    Choice choice = choosePlan(
        items, [&] { return planGeBuffers(graph, plan, planned, geOptionsOf(options)); }, options, 0);
    if (options.stop.stop_requested()) return Error::cancelled();
    for (std::size_t i = 0; i < planned.size(); ++i)
        plan.buffers[static_cast<std::size_t>(planned[i])].offset = choice.plan.offsets[i];
    plan.totals.featureMapPeak = choice.plan.peak;
    plan.totals.gePeak = choice.ge.total;
    plan.policy = choice.policy;
    if (const GePlan& blocks = choice.ge.blocks; !blocks.winner.empty()) {
        if (choice.policy == "ge") plan.strategy = blocks.winner;
        plan.candidates = blocks.candidates;
    }
    plan.isProvedOptimal = choice.plan.peak == bound.bytes || (choice.plan.isProvedOptimal && !hasStreams);
    placeUserMemory(plan);
    if (choice.policy == "ge") // what lies among equal ones is left to GE's sort
        for (const auto& [id, offset] : choice.ge.outputs) plan.buffers[static_cast<std::size_t>(id)].offset = offset;
    noteReuse(plan);
    if (const auto violations = validatePlan(plan, 1); !violations.empty())
        return Error{ErrorCode::Internal,
                     fmt::format("the {} planner made a bad plan: {}", choice.policy, violations.front().text),
                     graph.name(),
                     {}};
    return {};
}

Result<MemoryPlan> planMemory(const Graph& graph, const MemoryOptions& options)
{
    GELENS_ASSIGN(MemoryPlan plan, computeLifetimes(graph, options.lifetimes));
    GELENS_TRY(placeBuffers(graph, plan, options));
    return plan;
}

} // namespace gelens
