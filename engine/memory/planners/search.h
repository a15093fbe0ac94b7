#pragma once
// Improves a plan by local search over placement orders, and stops when the lower bound proves it best.

#include "engine/memory/plan_item.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>

namespace gelens {

/// How long a search may go on. Steps are placements tried: the same input gives the same plan on any machine.
struct SearchBudget {
    std::int64_t steps = 0;
    std::optional<std::chrono::steady_clock::time_point> deadline;
    std::stop_token stop;
    std::int64_t capacity = 0; ///< > 0: good enough when the peak is at most this
    std::int64_t firstTry =
        0; ///< steps of the exact search before it starts anew; 0: its own, which suits long searches

    bool isSpent(std::int64_t used) const
    {
        if (used >= steps || stop.stop_requested()) return true;
        return deadline && std::chrono::steady_clock::now() >= *deadline;
    }
};

/// Places items lowest-first in an order that is changed a little at each round: what reaches above the bound moves
/// forward. Never worse than `start`.
PlanResult planLocalSearch(std::span<const PlanItem> items, PlanResult start, const SearchBudget& budget);

} // namespace gelens
