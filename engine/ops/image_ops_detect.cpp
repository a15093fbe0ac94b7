// Operators of object detection.

#include "engine/ops/image_ops_private.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gelens {
namespace {

// ---- NonMaxSuppression ----

struct Box {
    float left, top, right, bottom;
};

Box boxOf(const float* four, bool isCentre)
{
    if (isCentre) return {four[0] - four[2] / 2, four[1] - four[3] / 2, four[0] + four[2] / 2, four[1] + four[3] / 2};
    return {std::min(four[1], four[3]), std::min(four[0], four[2]), std::max(four[1], four[3]),
            std::max(four[0], four[2])};
}

float overlap(const Box& a, const Box& b)
{
    const float width = std::min(a.right, b.right) - std::max(a.left, b.left),
                height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
    if (width <= 0 || height <= 0) return 0;
    const float common = width * height;
    const float all = (a.right - a.left) * (a.bottom - a.top) + (b.right - b.left) * (b.bottom - b.top) - common;
    return all > 0 ? common / all : 0;
}

Status inferNms(InferContext& context)
{
    context.setOutput(0, DataType::Int32, Shape{unknownDim, 3});
    return {};
}

struct NmsLimits {
    std::int64_t perClass = 0;
    float overlap = 0, score = 0;
    bool hasScore = false;
};

/// Boxes of one class that stay, best first.
std::vector<std::int32_t> selectBoxes(const std::vector<Box>& boxes, const float* scores, const NmsLimits& limits,
                                      const std::stop_token& stop)
{
    std::vector<std::int32_t> order;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (!limits.hasScore || scores[i] > limits.score) order.push_back(static_cast<std::int32_t>(i));
    std::stable_sort(order.begin(), order.end(),
                     [scores](std::int32_t a, std::int32_t b) { return scores[a] > scores[b]; });
    std::vector<std::int32_t> kept;
    for (const std::int32_t candidate : order) {
        if (static_cast<std::int64_t>(kept.size()) >= limits.perClass || stop.stop_requested()) break;
        const bool isCovered = std::any_of(kept.begin(), kept.end(), [&](std::int32_t other) {
            return overlap(boxes[static_cast<std::size_t>(candidate)], boxes[static_cast<std::size_t>(other)]) >
                   limits.overlap;
        });
        if (!isCovered) kept.push_back(candidate);
    }
    return kept;
}

Status runNms(KernelContext& context)
{
    const Shape& boxShape = context.input(0).shape;
    const Shape& scoreShape = context.input(1).shape;
    if (boxShape.rank() != 3 || scoreShape.rank() != 3 || boxShape[2] != 4 || boxShape[0] != scoreShape[0] ||
        boxShape[1] != scoreShape[2])
        return context.error(fmt::format("boxes {} and scores {} do not fit", boxShape.text(), scoreShape.text()));
    GELENS_ASSIGN(const std::vector<float> boxes, context.floats(0));
    GELENS_ASSIGN(std::vector<float> scores, context.floats(1));
    for (float& score : scores)
        if (std::isnan(score)) score = -std::numeric_limits<float>::infinity(); // so that the order is one
    NmsLimits limits;
    if (context.hasInput(2)) {
        GELENS_ASSIGN(limits.perClass, movement::scalarInt(context, 2));
    }
    const auto number = [&context](int i) -> Result<float> {
        GELENS_ASSIGN(const auto values, context.floats(i));
        if (values.size() != 1) return context.error(fmt::format("input {} must be one number", i));
        return values[0];
    };
    if (context.hasInput(3)) {
        GELENS_ASSIGN(limits.overlap, number(3));
    }
    limits.hasScore = context.hasInput(4);
    if (limits.hasScore) {
        GELENS_ASSIGN(limits.score, number(4));
    }
    const bool isCentre = attrInt(context.attrs(), "center_point_box", 0) != 0;
    std::vector<std::int32_t> found;
    const std::int64_t count = boxShape[1], classes = scoreShape[1];
    for (std::int64_t b = 0; b < boxShape[0]; ++b) {
        std::vector<Box> batch;
        for (std::int64_t i = 0; i < count; ++i) batch.push_back(boxOf(boxes.data() + (b * count + i) * 4, isCentre));
        for (std::int64_t c = 0; c < classes; ++c) {
            if (context.stop.stop_requested()) return Error::cancelled();
            for (const std::int32_t i :
                 selectBoxes(batch, scores.data() + (b * classes + c) * count, limits, context.stop))
                found.insert(found.end(), {static_cast<std::int32_t>(b), static_cast<std::int32_t>(c), i});
        }
    }
    const Shape shape{static_cast<std::int64_t>(found.size()) / 3, 3};
    GELENS_ASSIGN(auto* const out, context.outputAs<std::int32_t>(0, DataType::Int32, shape));
    std::copy(found.begin(), found.end(), out);
    return {};
}

// ---- ROIAlign: rois are [batch index, x1, y1, x2, y2] ----

Status inferRoiAlign(InferContext& context)
{
    const Shape& x = context.shape(0);
    const Shape& rois = context.shape(1);
    if (x.hasRank() && x.rank() != 4) return context.error(fmt::format("{} is not a batch of images", x.text()));
    if (rois.hasRank() && (rois.rank() != 2 || (rois.dim(1) >= 0 && rois.dim(1) != 5)))
        return context.error(fmt::format("{} are no regions [n, 5]", rois.text()));
    Shape shape;
    rois.hasRank() ? movement::appendDim(shape, rois, 0) : shape.append(unknownDim);
    x.hasRank() ? movement::appendDim(shape, x, 1) : shape.append(unknownDim);
    shape.append(attrInt(context.attrs(), "pooled_height", 1));
    shape.append(attrInt(context.attrs(), "pooled_width", 1));
    GELENS_TRY(movement::checkOutput(context, context.dtype(0), shape));
    context.setOutput(0, context.dtype(0), std::move(shape));
    return {};
}

struct RoiOptions {
    std::int64_t height = 1, width = 1, samples = 2, endMode = 1;
    float scale = 1;
    bool isMax = false;
};

/// Four neighbours of a place and their weights; all zero outside the image.
struct Neighbours {
    std::int64_t at[4] = {0, 0, 0, 0};
    float weight[4] = {0, 0, 0, 0};
};

Neighbours neighboursOf(float y, float x, std::int64_t height, std::int64_t width)
{
    Neighbours result;
    if (!(y >= -1 && y <= static_cast<float>(height) && x >= -1 && x <= static_cast<float>(width))) return result;
    y = std::max(y, 0.0f);
    x = std::max(x, 0.0f);
    std::int64_t y0 = static_cast<std::int64_t>(y), x0 = static_cast<std::int64_t>(x);
    std::int64_t y1 = y0 + 1, x1 = x0 + 1;
    if (y0 >= height - 1) {
        y0 = y1 = height - 1;
        y = static_cast<float>(y0);
    }
    if (x0 >= width - 1) {
        x0 = x1 = width - 1;
        x = static_cast<float>(x0);
    }
    const float ly = y - static_cast<float>(y0), lx = x - static_cast<float>(x0);
    const std::int64_t at[4] = {y0 * width + x0, y0 * width + x1, y1 * width + x0, y1 * width + x1};
    const float weight[4] = {(1 - ly) * (1 - lx), (1 - ly) * lx, ly * (1 - lx), ly * lx};
    std::copy(at, at + 4, result.at);
    std::copy(weight, weight + 4, result.weight);
    return result;
}

float pooled(const std::vector<Neighbours>& places, const float* image, bool isMax)
{
    float sum = 0, best = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Neighbours& n = places[i];
        float largest = n.weight[0] * image[n.at[0]], total = 0;
        for (int k = 0; k < 4; ++k) {
            const float part = n.weight[k] * image[n.at[k]];
            total += part;
            largest = std::max(largest, part);
        }
        sum += total;
        // The largest weighted neighbour counts, as in ONNX's reference.
        best = i == 0 ? largest : std::max(best, largest);
    }
    return isMax ? best : sum / static_cast<float>(std::max<std::size_t>(1, places.size()));
}

Status poolRegion(const KernelContext& context, const RoiOptions& options, const float* roi,
                  const std::vector<float>& features, const Shape& shape, float* out)
{
    const std::int64_t channels = shape[1], height = shape[2], width = shape[3];
    const auto image = static_cast<std::int64_t>(roi[0]);
    if (!(roi[0] >= 0 && image < shape[0]))
        return context.error(fmt::format("a region lies in image {}, there are {}", roi[0], shape[0]));
    const float offset = options.endMode == 2 ? 0.5f : 0.0f, endExtra = options.endMode == 1 ? 1.0f : 0.0f;
    const float x0 = roi[1] * options.scale - offset, y0 = roi[2] * options.scale - offset;
    float roiWidth = (roi[3] + endExtra) * options.scale - offset - x0,
          roiHeight = (roi[4] + endExtra) * options.scale - offset - y0;
    if (options.endMode != 2) {
        roiWidth = std::max(roiWidth, 1.0f);
        roiHeight = std::max(roiHeight, 1.0f);
    }
    const float binHeight = roiHeight / static_cast<float>(options.height),
                binWidth = roiWidth / static_cast<float>(options.width);
    const auto samplesOf = [&options](float size) {
        return options.samples > 0
                   ? options.samples
                   : std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(std::min(size, 1e6f))), 0, 1 << 16);
    };
    const std::int64_t sy = samplesOf(binHeight), sx = samplesOf(binWidth);
    if (sy * sx > (1 << 24)) return context.error("a region takes too many samples");
    std::vector<Neighbours> places;
    for (std::int64_t py = 0; py < options.height; ++py)
        for (std::int64_t px = 0; px < options.width; ++px) {
            places.clear();
            for (std::int64_t iy = 0; iy < sy; ++iy)
                for (std::int64_t ix = 0; ix < sx; ++ix)
                    places.push_back(
                        neighboursOf(y0 + static_cast<float>(py) * binHeight +
                                         (static_cast<float>(iy) + 0.5f) * binHeight / static_cast<float>(sy),
                                     x0 + static_cast<float>(px) * binWidth +
                                         (static_cast<float>(ix) + 0.5f) * binWidth / static_cast<float>(sx),
                                     height, width));
            for (std::int64_t c = 0; c < channels; ++c)
                out[(c * options.height + py) * options.width + px] =
                    pooled(places, features.data() + (image * channels + c) * height * width, options.isMax);
        }
    return {};
}

Status runRoiAlign(KernelContext& context)
{
    const TensorView& x = context.input(0);
    const Shape& rois = context.input(1).shape;
    if (x.shape.rank() != 4 || rois.rank() != 2 || rois[1] != 5)
        return context.error(fmt::format("features {} and regions {} do not fit", x.shape.text(), rois.text()));
    RoiOptions options;
    options.height = attrInt(context.attrs(), "pooled_height", 1);
    options.width = attrInt(context.attrs(), "pooled_width", 1);
    options.samples = attrInt(context.attrs(), "sample_num", 2);
    options.endMode = attrInt(context.attrs(), "roi_end_mode", 1);
    options.scale = static_cast<float>(attrFloat(context.attrs(), "spatial_scale", 1.0));
    options.isMax = attrString(context.attrs(), "pool_mode", "avg") == "max";
    if (options.endMode < 0 || options.endMode > 2)
        return context.error(fmt::format("roi_end_mode {} is not supported", options.endMode));
    if (options.height < 1 || options.width < 1) return context.error("the pooled size is not positive");
    const Shape shape{rois[0], x.shape[1], options.height, options.width};
    GELENS_TRY(movement::checkOutput(context, DataType::Float, shape));
    if (x.shape[2] * x.shape[3] == 0 && shape.elementCount().value_or(0) > 0)
        return context.error("an empty image has no regions");
    GELENS_ASSIGN(const std::vector<float> features, context.floats(0));
    GELENS_ASSIGN(const std::vector<float> regions, context.floats(1));
    std::vector<float> values(static_cast<std::size_t>(shape.elementCount().value_or(0)));
    const std::int64_t each = shape[1] * shape[2] * shape[3];
    for (std::int64_t i = 0; i < rois[0] && each > 0; ++i) {
        if (context.stop.stop_requested()) return Error::cancelled();
        GELENS_TRY(poolRegion(context, options, regions.data() + i * 5, features, x.shape, values.data() + i * each));
    }
    return context.setFloats(0, x.dtype, shape, values);
}

OpDef base(const char* type, const char* doc, Unit unit)
{
    OpDef def(type);
    def.doc(doc)
        .source("CANN operator library")
        .unit(unit)
        .fusionClass(FusionClass::Opaque)
        .formats(FormatSupport::NdOnly);
    return def;
}

} // namespace

void registerDetectionOps(OpRegistry& ops)
{
    ops.add(base("NonMaxSuppressionV6", "Boxes [batch, class, box] that are not covered by a better one of their class",
                 Unit::AiCpu)
                .arithmetic(Arithmetic::Fp32)
                .input("boxes")
                .input("scores")
                .optionalInput("max_output_size")
                .optionalInput("iou_threshold")
                .optionalInput("score_threshold")
                .output("selected_indices")
                .attr("center_point_box", 0)
                .attr("max_boxes_size", 0)
                .infer(inferNms)
                .cost(perInputElement(64))
                .kernel(runNms));
    ops.add(
        base("ROIAlign", "Regions of images, pooled to one size by interpolation; sums are taken in fp32", Unit::Vector)
            .input("features")
            .input("rois")
            .optionalInput("rois_n")
            .output("y")
            .requiredAttr("spatial_scale")
            .requiredAttr("pooled_height")
            .requiredAttr("pooled_width")
            .attr("sample_num", 2)
            .attr("roi_end_mode", 1)
            .attr("pool_mode", "avg")
            .infer(inferRoiAlign)
            .cost(elementwise(64))
            .kernel(runRoiAlign));
}

} // namespace gelens
