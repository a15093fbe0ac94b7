#pragma once
// Parts of the convolution family that live in files of their own.

#include "engine/ops/convolution_core.h"

namespace gelens {

class OpRegistry;

void registerTransposedConvolutionOps(OpRegistry&); ///< Conv2DTranspose, Conv3DTranspose
void registerDeformableOps(OpRegistry&);            ///< DeformConv

/// Filter of a convolution as [Cout, Cin/groups, k…], whatever its format says.
struct FilterView {
    Shape shape;
    std::vector<int> toFirst; ///< permutation to that order; empty when it has it already
};
FilterView filterView(const Shape& shape, Format format, int spatial);

} // namespace gelens
