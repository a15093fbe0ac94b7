#pragma once
// The parts of the shape family, one file each; registerShapeOps calls them.

namespace gelens {

class OpRegistry;

namespace movement {

void registerViewOps(OpRegistry&);      ///< Reshape, Squeeze, Flatten, Identity …
void registerShapeQueries(OpRegistry&); ///< Shape, Size, Rank
void registerConcatOps(OpRegistry&);    ///< Concat, Split, Pack, Unpack
void registerSliceOps(OpRegistry&);     ///< StridedSlice, Slice
void registerPadOps(OpRegistry&);       ///< Pad, CenterCropPad
void registerExpandOps(OpRegistry&);    ///< Tile, BroadcastTo, Expand, Fill
void registerMakerOps(OpRegistry&);     ///< Range, Eye, EyeLike, Trilu
void registerTransposeOps(OpRegistry&); ///< Transpose, DepthToSpace, SpaceToDepth
void registerRearrangeOps(OpRegistry&); ///< ReverseV2, ReverseSequence, Col2im

} // namespace movement
} // namespace gelens
