#pragma once
// What the pooling operators share.

#include "engine/ops/cube_common.h"

#include <algorithm>
#include <array>

namespace gelens {

class OpRegistry;

void registerGlobalPoolOps(OpRegistry&); ///< GlobalAveragePool, GlobalMaxPool, GlobalLpPool, MaxRoiPool, MaxUnpool

/// A pooling as shapes and attributes describe it; unknown sizes are -1.
struct PoolProblem {
    WindowAxes axes;
    std::vector<std::int64_t> in, out;
    std::int64_t batch = 0, channels = 0;
    bool channelsLast = false;
    Shape shape; ///< of the result
};

Result<PoolProblem> readPool(const AttrMap& attrs, Format declared, const Shape& x, int spatial);
/// Output 0 pooled, and output 1 the indices. `spatial` 0: as the rank of x says.
InferFunction inferPool(int spatial, bool hasIndices = false);
int spatialRank(int stated, const Shape& x);

/// The windows of one plane, on exactly three axes.
struct PoolGrid {
    using Three = std::array<std::int64_t, 3>;
    Three in{1, 1, 1}, out{1, 1, 1}, kernel{1, 1, 1}, stride{1, 1, 1}, dilation{1, 1, 1}, padBegin{}, padEnd{};

    explicit PoolGrid(const PoolProblem& pool);

    struct Window {
        Three start; ///< of the first tap, in input coordinates; may lie in the padding
    };

    template <typename F>
    void forEachOutput(F f) const
    {
        std::int64_t at = 0;
        for (std::int64_t d = 0; d < out[0]; ++d)
            for (std::int64_t h = 0; h < out[1]; ++h)
                for (std::int64_t w = 0; w < out[2]; ++w)
                    f(at++,
                      Window{{d * stride[0] - padBegin[0], h * stride[1] - padBegin[1], w * stride[2] - padBegin[2]}});
    }

    /// Taps of a window that lie inside the input.
    template <typename F>
    void forEachInput(const Window& window, F f) const
    {
        for (std::int64_t i = 0; i < kernel[0]; ++i) {
            const std::int64_t d = window.start[0] + i * dilation[0];
            if (d < 0 || d >= in[0]) continue;
            for (std::int64_t j = 0; j < kernel[1]; ++j) {
                const std::int64_t h = window.start[1] + j * dilation[1];
                if (h < 0 || h >= in[1]) continue;
                for (std::int64_t k = 0; k < kernel[2]; ++k) {
                    const std::int64_t w = window.start[2] + k * dilation[2];
                    if (w >= 0 && w < in[2]) f(d, h, w);
                }
            }
        }
    }

    /// Taps that lie inside input and padding; rounded-up sizes let windows reach past the padding.
    std::int64_t paddedCount(const Window& window) const
    {
        std::int64_t count = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::int64_t inside = 0;
            for (std::int64_t i = 0; i < kernel[axis]; ++i)
                if (window.start[axis] + i * dilation[axis] < in[axis] + padEnd[axis]) ++inside;
            count *= inside;
        }
        return count;
    }
};

} // namespace gelens
