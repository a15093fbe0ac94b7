#pragma once
// Exact search: is there a plan within a given capacity? Complete, so "no" is a proof.

#include "engine/memory/plan_item.h"
#include "engine/memory/planners/search.h"

#include <span>

namespace gelens {

enum class ExactOutcome { Found, Impossible, GaveUp };

struct ExactResult {
    ExactOutcome outcome = ExactOutcome::GaveUp;
    std::vector<std::int64_t> offsets; ///< when found
    std::int64_t steps = 0;            ///< open items, summed over the nodes of the search tree
};

/// Fills address space from below. Time is cut into its maximal sets of live items; each has a floor. A valley is a run
/// of equal floors between higher ones: what comes next at a moment in a valley is one of the items that lie wholly
/// inside the valley, or nothing, and then the floor rises. Of all moments the one with the fewest choices is branched on.
/// Pruned: by the sum of what must still come on each floor, each item not below what it can reach; items that rest on
/// nothing; equal items in another order. Stretches of time that no item connects any more are solved one by one.
/// Tries are short and start anew with other preferences; they grow, so that in the end the search is complete.
ExactResult findPlan(std::span<const PlanItem> items, std::int64_t capacity, const SearchBudget& budget);

inline constexpr std::size_t maxExactItems = 2000;

/// The least peak within the budget: the lower bound first, then between it and `start`. Never worse than `start`.
PlanResult planExact(std::span<const PlanItem> items, PlanResult start, const SearchBudget& budget);

} // namespace gelens
