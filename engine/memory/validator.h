#pragma once
// Checks memory plans. Shares no code with the planners, so a planner's mistake cannot hide in it.

#include "engine/memory/plan_item.h"
#include "engine/spec/memory_plan.h"

#include <string>
#include <vector>

namespace gelens {

struct PlanViolation {
    enum class Kind { Missing, Misaligned, OutOfBounds, Overlap, BadMember, BadPeak };
    Kind kind = Kind::Missing;
    int first = -1, second = -1; ///< buffers (or items); `second` for an overlap only
    std::string text;            ///< one sentence that names them, their addresses and their lifetimes
};

/// What is wrong with a finished plan; empty when it holds. At most `limit` findings. O(n log n) in a sound plan.
/// - every buffer has an offset ≥ 0 that is a multiple of 512 (feature map), and ends within the planned size;
/// - of two buffers of the feature map that are alive at the same time, no byte is shared;
/// - every member lies within its buffer; the planned size is not larger than the highest end.
std::vector<PlanViolation> validatePlan(const MemoryPlan& plan, std::size_t limit = 16);

/// The same for bare items: missing offsets, bounds (`capacity` 0 = none), overlaps.
std::vector<PlanViolation> validateOffsets(const std::vector<PlanItem>& items, const std::vector<std::int64_t>& offsets,
                                           std::int64_t capacity = 0, std::size_t limit = 16);

} // namespace gelens
