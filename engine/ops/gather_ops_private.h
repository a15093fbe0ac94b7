#pragma once
// The parts of the gather family, one file each; registerGatherOps calls them.

namespace gelens {

class OpRegistry;

namespace movement {

void registerScatterOps(OpRegistry&); ///< ScatterElements, ScatterNd*, TensorScatter
void registerSelectOps(OpRegistry&);  ///< OneHot, TopK, NonZero, Where
void registerUniqueOps(OpRegistry&);  ///< UniqueWithCountsExt2

} // namespace movement
} // namespace gelens
