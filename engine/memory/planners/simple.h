#pragma once
// The textbook policy: a buffer takes over the place of one that is dead, else it gets a new place at the end.

#include "engine/memory/plan_item.h"

#include <span>

namespace gelens {

/// In order of time. A place keeps the size of its first owner and holds one buffer at a time; of the free ones that are
/// large enough the smallest is taken. O(n log n).
PlanResult planSimple(std::span<const PlanItem> items);

} // namespace gelens
