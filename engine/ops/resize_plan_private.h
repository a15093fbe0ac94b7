#pragma once
// How a resize maps places: options, new sizes, coordinates and weights, one dim at a time. Coordinates are computed in
// float, as ONNX Runtime does: rounding decides which pixel is nearest.

#include "engine/graph/result.h"
#include "engine/graph/tensor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gelens::resize {

enum class Coordinates {
    HalfPixel,
    HalfPixelSymmetric,
    PytorchHalfPixel,
    AlignCorners,
    Asymmetric,
    TfHalfPixel,
    CropAndResize
};
enum class Rounding { PreferFloor, PreferCeil, Floor, Ceil };
enum class Interpolation { Nearest, Linear, Cubic };

struct ResizeOptions {
    Coordinates coordinates = Coordinates::HalfPixel;
    Rounding rounding = Rounding::PreferFloor;
    Interpolation interpolation = Interpolation::Nearest;
    float cubicA = -0.75f, extrapolation = 0.0f;
    bool excludesOutside = false, isAntialiased = false;
    std::string aspectPolicy;
    std::vector<std::int64_t> axes;
};

/// Reads the attributes; an unknown mode is an error.
Result<ResizeOptions> resizeOptions(const AttrMap& attrs);

/// Old and new size of one dim, the scale, and the crop of tf_crop_and_resize.
struct DimResize {
    std::int64_t from = 0, to = 0;
    float scale = 1, begin = 0, end = 1;
};

struct ResizeLists {
    std::optional<std::vector<double>> scales, roi;
    std::optional<std::vector<std::int64_t>> sizes;
};

/// One entry for each dim of the input. Errors are texts without a place.
Result<std::vector<DimResize>> resizePlan(const Shape& input, const ResizeOptions& options, const ResizeLists& lists);

/// Place in the input for a place in the output.
float originalCoordinate(const ResizeOptions& options, const DimResize& dim, std::int64_t at);
/// The input's element that a place rounds to, inside the dim.
std::int64_t nearestIndex(Rounding rounding, float x, std::int64_t dim);

/// What each output place of a dim is a sum of.
struct Taps {
    std::vector<std::int64_t> index;
    std::vector<float> weight;
    std::vector<std::size_t> first; ///< first tap of each place, one more at the end
};

Taps tapsOf(const ResizeOptions& options, const DimResize& dim);

bool isUnchanged(const ResizeOptions& options, const DimResize& dim);

} // namespace gelens::resize
