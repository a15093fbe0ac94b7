#pragma once
// Best fit by size: large buffers first, each into the smallest gap between those that live at the same time.

#include "engine/memory/plan_item.h"

#include <span>

namespace gelens {

enum class GreedyOrder {
    Size,     ///< largest first (ties: longest life, then earliest)
    Area,     ///< size × lifetime, largest first
    Duration, ///< longest lifetime first
    Time,     ///< as they come to life
    Pressure, ///< those alive where the sum of live bytes is largest first, then by size
};

enum class Fit { Best, Lowest };

/// Near-linear: O(n log n + overlapping pairs), with a quadratic scan of small constant when nearly all overlap.
PlanResult planGreedy(std::span<const PlanItem> items, GreedyOrder order = GreedyOrder::Size, Fit fit = Fit::Best);

/// The same placement for an order of the caller's choice; items left out of `order` stay at offset 0.
PlanResult placeInOrder(std::span<const PlanItem> items, std::span<const std::int32_t> order, Fit fit);

} // namespace gelens
