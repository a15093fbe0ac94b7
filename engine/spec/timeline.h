#pragma once
// When each task runs on the simulated device. All times are estimates of the published cost model.

#include "engine/graph/ids.h"
#include "engine/spec/unit.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

enum class Bound { Launch, Compute, Memory };
std::string_view boundName(Bound bound);

struct TimelineItem {
    int task = -1; ///< index in the task list
    NodeId node;
    std::int64_t stream = 0;
    double startUs = 0, durationUs = 0;               ///< microseconds from launch
    double launchUs = 0, computeUs = 0, memoryUs = 0; ///< parts; compute and memory overlap
    double l2Bytes = 0, ddrBytes = 0;                 ///< moved from or to L2 and device memory
    int cores = 0;                                    ///< of its unit that it asks for
    Unit unit = Unit::None;
    Bound bound = Bound::Launch;
    bool isCritical = false; ///< on the longest chain
};

/// Where a gain between two timelines comes from. Unit: microseconds.
struct LatencyParts {
    double dispatchUs = 0, trafficUs = 0, computeUs = 0;
    double total() const { return dispatchUs + trafficUs + computeUs; }
};

struct Timeline {
    std::vector<TimelineItem> items; ///< by start time
    double totalUs = 0;
    double hostDispatchUs = 0; ///< launched from the host one by one; 0 when sunk
    LatencyParts parts;        ///< what totalUs is made of
    bool isEstimated = true;
};

} // namespace gelens
