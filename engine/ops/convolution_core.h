#pragma once
// What all convolutions share: reading their attributes, layouts, own loops, and the fp32 path over oneDNN.

#include "engine/ops/cube_common.h"

namespace gelens {

/// A convolution as its shapes and attributes describe it, in channels-first order. Unknown sizes are -1.
struct ConvProblem {
    onednn::WindowSpec spec;
    bool channelsLast = false;
    Shape out;                  ///< in the data format's order, with symbols
    std::vector<int> toFirst;   ///< permutation of x to channels-first; empty when it is already
    std::vector<int> fromFirst; ///< and of the result back
};

/// `filter` is [Cout, Cin/groups, k…] (transposed: [Cin, Cout/groups, k…]). `wanted`: output sizes of a transposed
/// convolution where stated. Errors are texts without a place.
Result<ConvProblem> readConvolution(const AttrMap& attrs, bool channelsLast, const Shape& x, const Shape& filter,
                                    int spatial, bool isTransposed, std::int64_t groups,
                                    const std::vector<std::int64_t>& wanted = {});

/// Own loops, for types that oneDNN's fp32 path would falsify and as its fallback. Channels-first, bias may be null.
/// `xZero` and `filterZero` (one for all, or one for each output channel) are subtracted from the elements.
template <typename T, typename F, typename Acc>
void convolve(const onednn::WindowSpec& spec, const T* x, const F* filter, const Acc* bias, Acc* y, Acc xZero = 0,
              const Acc* filterZero = nullptr, bool zeroPerChannel = false);
template <typename Acc>
void deconvolve(const onednn::WindowSpec& spec, const Acc* x, const Acc* filter, const Acc* bias, Acc* y);

/// fp32: oneDNN, or own loops.
void convolveFloat(const onednn::WindowSpec& spec, const float* x, const float* filter, const float* bias, float* y,
                   const onednn::KeptFilter& kept = {});
void deconvolveFloat(const onednn::WindowSpec& spec, const float* x, const float* filter, const float* bias, float* y);

/// x as channels-first fp32 in `storage` or in place.
const float* channelsFirst(const ConvProblem& problem, const Shape& shape, const float* x, std::vector<float>& storage);

/// Runs inputs x, filter, bias (index -1: none) as a convolution in fp32 with an activation in the epilogue, rounding
/// once; used by Conv2D, its 1-D and 3-D forms, and the fused forms.
struct ConvEpilogue {
    ScalarActivation activation = nullptr;
    float alpha = 0, beta = 0;
    int addInput = -1; ///< tensor added before the activation
};
Status runConvolution(KernelContext& context, const ConvProblem& problem, int x, int filter, int bias,
                      bool isTransposed, const ConvEpilogue& epilogue = {});

/// Sizes for the clock: m = N·Ho·Wo, k = Cin/g·kernel, n = Cout/g, batch = groups.
Cost convolutionCost(const Node& node, const Graph& graph, const ConvProblem& problem, bool isTransposed);

} // namespace gelens
