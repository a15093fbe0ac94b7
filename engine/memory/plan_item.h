#pragma once
// The bare problem behind every planner: rectangles fixed in time that must be stacked in address.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gelens {

/// Something that needs `size` bytes during [lower, upper). Times are abstract integers.
struct PlanItem {
    std::int64_t lower = 0;
    std::int64_t upper = 0; ///< exclusive
    std::int64_t size = 0;  ///< bytes; planners keep it as given, so multiples of 512 give aligned offsets
    bool overlaps(const PlanItem& other) const { return lower < other.upper && other.lower < upper; }
};

/// Offsets in the order of the items, and the largest offset + size.
struct PlanResult {
    std::vector<std::int64_t> offsets;
    std::int64_t peak = 0;
    bool isProvedOptimal = false;
    std::int64_t steps = 0; ///< search steps spent
};

} // namespace gelens
