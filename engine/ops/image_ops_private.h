#pragma once
// The parts of the image family, one file each; registerImageOps calls them.

namespace gelens {

class OpRegistry;

void registerResizeOps(OpRegistry&);
void registerSampleOps(OpRegistry&);    ///< GridSampler2D/3D, AffineGrid
void registerDetectionOps(OpRegistry&); ///< ROIAlign, NonMaxSuppressionV6

} // namespace gelens
