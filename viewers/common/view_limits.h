#pragma once
// How much a view shows before it says that it is too much: what one can still look at without waiting, with memory to
// spare. Files are read up to 1,000,000 nodes, so that most views have no limit of their own.

#include "viewers/scene/box_count.h"

#include <cstddef>
#include <cstdint>

namespace gelens::limits {

inline constexpr std::size_t graphBoxes = mostDrawnBoxes; ///< in one drawing
inline constexpr std::size_t memoryBlocks = 500'000;      ///< rectangles: a repaint still takes less than 50 ms
inline constexpr std::size_t timelineTasks = 500'000;     ///< the same
inline constexpr std::int64_t textNodes = 200'000;        ///< of a step written as text, in memory
inline constexpr std::int64_t textBytes = 8LL << 30;      ///< of two files compared: mapped, with an index beside them

} // namespace gelens::limits
