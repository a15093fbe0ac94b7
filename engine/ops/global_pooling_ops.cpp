// Global pooling, region pooling and unpooling. Part of the pooling family.

#include "engine/ops/cost_helpers.h"
#include "engine/ops/kernel_helpers.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/pooling_private.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace gelens {
namespace {

enum class GlobalMode { Average, Max, Lp };

Result<Shape> globalShape(const Shape& x)
{
    if (!x.hasRank()) return x;
    if (x.rank() < 2) return Error::invalid(fmt::format("x of shape {} needs batch and channels", x.text()));
    Shape out;
    for (int i = 0; i < x.rank(); ++i) {
        if (i < 2)
            appendDim(out, x, i);
        else
            out.append(1);
    }
    return out;
}

Status inferGlobal(InferContext& context)
{
    auto out = globalShape(context.shape(0));
    if (!out.ok()) return context.error(out.error().what);
    context.setOutput(0, context.dtype(0), *out);
    return {};
}

template <typename T>
T reducePlane(const T* x, std::int64_t count, GlobalMode mode, double p)
{
    using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
    if (mode == GlobalMode::Max) {
        C best = count ? static_cast<C>(load(x[0])) : std::numeric_limits<C>::lowest();
        for (std::int64_t i = 1; i < count; ++i) best = std::max(best, static_cast<C>(load(x[i])));
        return store<T>(best);
    }
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const double value = static_cast<double>(load(x[i]));
        sum += mode == GlobalMode::Average ? value : std::pow(std::fabs(value), p);
    }
    if (mode == GlobalMode::Lp) return store<T>(static_cast<C>(std::pow(sum, 1 / p)));
    return store<T>(static_cast<C>(sum / static_cast<double>(count)));
}

KernelFunction globalKernel(GlobalMode mode)
{
    return [mode](KernelContext& context) -> Status {
        const TensorView& x = context.input(0);
        const auto out = globalShape(x.shape);
        if (!out.ok()) return context.error(out.error().what);
        const auto p = static_cast<double>(attrInt(context.attrs(), "p", 2));
        if (p < 1) return context.error(fmt::format("p of {} is not allowed", p));
        Status status;
        const bool known = visitFloating(x.dtype, [&]<typename T>(TypeTag<T>) {
            auto y = context.outputAs<T>(0, x.dtype, *out);
            if (!y.ok()) {
                status = y.error();
                return;
            }
            const std::int64_t planes = out->elementCount().value_or(0);
            const std::int64_t size = planes ? x.elementCount() / planes : 0;
            for (std::int64_t i = 0; i < planes; ++i)
                y.value()[i] = reducePlane(reinterpret_cast<const T*>(x.data) + i * size, size, mode, p);
        });
        return known ? status : Status(typeError(context, 0));
    };
}

OpDef globalDef(const char* type, GlobalMode mode, const char* doc)
{
    OpDef def(type);
    def.doc(doc).input("x").output("y").unit(Unit::Vector).fusionClass(FusionClass::Pool);
    def.infer(inferGlobal).cost(perInputElement(1)).kernel(globalKernel(mode));
    return def;
}

// ---- MaxRoiPool: largest element of each bin of each region ----

Status inferRoiPool(InferContext& context)
{
    const IntList pooled = attrInts(context.attrs(), "pooled_shape");
    if (pooled.size() != 2 || pooled[0] < 1 || pooled[1] < 1)
        return context.error("pooled_shape needs two positive sizes");
    Shape out;
    if (context.shape(1).hasRank() && context.shape(1).rank() != 2) return context.error("rois must be a matrix");
    if (context.shape(1).hasRank())
        appendDim(out, context.shape(1), 0);
    else
        out.append(unknownDim);
    if (context.shape(0).hasRank() && context.shape(0).rank() != 4) return context.error("x needs four axes");
    if (context.shape(0).hasRank())
        appendDim(out, context.shape(0), 1);
    else
        out.append(unknownDim);
    out.append(pooled[0]);
    out.append(pooled[1]);
    context.setOutput(0, context.dtype(0), out);
    return {};
}

Status roiPoolKernel(KernelContext& context)
{
    const Shape &shape = context.input(0).shape, &roiShape = context.input(1).shape;
    const IntList pooled = attrInts(context.attrs(), "pooled_shape");
    const auto scale = static_cast<float>(attrFloat(context.attrs(), "spatial_scale", 1));
    if (shape.rank() != 4 || roiShape.rank() != 2 || roiShape.dim(1) != 5 || pooled.size() != 2 || pooled[0] < 1 ||
        pooled[1] < 1)
        return context.error("needs x of four axes, rois of five columns and a pooled_shape of two sizes");
    GELENS_ASSIGN(const FloatOperand x, FloatOperand::of(context, 0));
    GELENS_ASSIGN(const FloatOperand rois, FloatOperand::of(context, 1));
    const std::int64_t channels = shape.dim(1), height = shape.dim(2), width = shape.dim(3);
    const Shape out{roiShape.dim(0), channels, pooled[0], pooled[1]};
    GELENS_ASSIGN(FloatResult y, FloatResult::make(context, 0, context.input(0).dtype, out));
    float* target = y.data();
    for (std::int64_t r = 0; r < roiShape.dim(0); ++r) {
        const float* const roi = rois.data() + r * 5;
        const auto image = static_cast<std::int64_t>(roi[0]);
        if (image < 0 || image >= shape.dim(0)) return context.error(fmt::format("region {} names image {}", r, image));
        const auto corner = [&](int i) { return static_cast<std::int64_t>(std::round(roi[i] * scale)); };
        const std::int64_t left = corner(1), top = corner(2);
        const auto binHeight =
            static_cast<float>(std::max<std::int64_t>(corner(4) - top + 1, 1)) / static_cast<float>(pooled[0]);
        const auto binWidth =
            static_cast<float>(std::max<std::int64_t>(corner(3) - left + 1, 1)) / static_cast<float>(pooled[1]);
        const auto bound = [](float v, std::int64_t start, std::int64_t limit) {
            return std::clamp<std::int64_t>(static_cast<std::int64_t>(v) + start, 0, limit);
        };
        for (std::int64_t c = 0; c < channels; ++c) {
            const float* const plane = x.data() + (image * channels + c) * height * width;
            for (std::int64_t i = 0; i < pooled[0] * pooled[1]; ++i) {
                const auto ph = static_cast<float>(i / pooled[1]), pw = static_cast<float>(i % pooled[1]);
                const std::int64_t h0 = bound(std::floor(ph * binHeight), top, height),
                                   h1 = bound(std::ceil((ph + 1) * binHeight), top, height);
                const std::int64_t w0 = bound(std::floor(pw * binWidth), left, width),
                                   w1 = bound(std::ceil((pw + 1) * binWidth), left, width);
                float best = h0 < h1 && w0 < w1 ? std::numeric_limits<float>::lowest() : 0.0f;
                for (std::int64_t h = h0; h < h1; ++h)
                    for (std::int64_t w = w0; w < w1; ++w) best = std::max(best, plane[h * width + w]);
                *target++ = best;
            }
        }
    }
    return y.finish(context);
}

// ---- MaxUnpool: puts each element back where MaxPoolWithIndices found it ----

Result<Shape> unpooledShape(const AttrMap& attrs, const Shape& x,
                            const std::optional<std::vector<std::int64_t>>& stated)
{
    if (stated) {
        for (const std::int64_t dim : *stated)
            if (dim < 0) return Error::invalid(fmt::format("output size {} is not allowed", dim));
        return Shape(std::vector<std::int64_t>(*stated));
    }
    const int spatial = x.rank() - 2;
    if (spatial < 1) return Error::invalid(fmt::format("x of shape {} has no spatial axes", x.text()));
    GELENS_ASSIGN(const std::vector<std::int64_t> kernel, spatialAttr(attrs, "ksize", spatial, false, 1));
    GELENS_ASSIGN(const WindowAxes axes, readWindow(attrs, kernel, false));
    Shape out;
    appendDim(out, x, 0);
    appendDim(out, x, 1);
    for (int i = 0; i < spatial; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const std::int64_t in = x.dim(i + 2);
        out.append(in < 0 ? unknownDim
                          : (in - 1) * axes.strides[at] + axes.kernel[at] - axes.padBegin[at] - axes.padEnd[at]);
        if (in >= 0 && out.dim(-1) < 0) return Error::invalid("pads leave no output");
    }
    return out;
}

Status inferUnpool(InferContext& context)
{
    Shape out = Shape::unknownRank();
    if (context.hasInput(2) && !context.constantInts(2)) {
        if (context.shape(0).hasRank())
            out = Shape(std::vector<std::int64_t>(static_cast<std::size_t>(context.shape(0).rank()), unknownDim));
    } else if (context.shape(0).hasRank()) {
        auto shape = unpooledShape(context.attrs(), context.shape(0), context.constantInts(2));
        if (!shape.ok()) return context.error(shape.error().what);
        out = *shape;
    }
    context.setOutput(0, context.dtype(0), out);
    return {};
}

Status unpoolKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    std::optional<std::vector<std::int64_t>> stated;
    if (context.hasInput(2)) {
        GELENS_ASSIGN(stated, context.ints(2));
    }
    // Indices count positions of the pooled tensor's own shape; a larger stated shape keeps rows and columns.
    const auto own = unpooledShape(context.attrs(), x.shape, std::nullopt);
    if (!own.ok()) return context.error(own.error().what);
    const auto out = unpooledShape(context.attrs(), x.shape, stated);
    if (!out.ok()) return context.error(out.error().what);
    if (out->rank() != own->rank()) return context.error("output_shape has another rank than x");
    GELENS_ASSIGN(const std::vector<std::int64_t> indices, context.ints(1));
    if (static_cast<std::int64_t>(indices.size()) != x.elementCount())
        return context.error("x and indices differ in shape");
    const std::int64_t limit = own->elementCount().value_or(0);
    Status status;
    const bool known = visitBySize(x.dtype, [&]<typename T>(TypeTag<T>) {
        auto y = context.outputAs<T>(0, x.dtype, *out);
        if (!y.ok()) {
            status = y.error();
            return;
        }
        std::fill(y.value(), y.value() + out->elementCount().value_or(0), T{});
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if (indices[i] < 0 || indices[i] >= limit) {
                status = context.error(fmt::format("index {} lies outside {}", indices[i], own->text()));
                return;
            }
            std::int64_t rest = indices[i], at = 0, step = 1;
            bool inside = true;
            for (int axis = own->rank() - 1; axis >= 0; --axis) {
                const std::int64_t position = rest % own->dim(axis);
                inside = inside && position < out->dim(axis);
                at += position * step;
                step *= out->dim(axis);
                rest /= own->dim(axis);
            }
            if (inside) y.value()[at] = reinterpret_cast<const T*>(x.data)[i];
        }
    });
    return known ? status : Status(typeError(context, 0));
}

} // namespace

void registerGlobalPoolOps(OpRegistry& registry)
{
    registry.add(globalDef("GlobalAveragePool", GlobalMode::Average, "Mean of each channel plane, summed in fp64")
                     .source("CANN operator library"));
    registry.add(globalDef("GlobalMaxPool", GlobalMode::Max, "Largest element of each channel plane")
                     .arithmetic(Arithmetic::None)
                     .source("simulator (ONNX GlobalMaxPool-22)"));
    registry.add(globalDef("GlobalLpPool", GlobalMode::Lp, "p-norm of each channel plane, summed in fp64")
                     .source("simulator (ONNX GlobalLpPool-22)")
                     .attr("p", 2));
    registry.add(OpDef("MaxRoiPool")
                     .arithmetic(Arithmetic::None)
                     .doc("Largest element of each bin of each region; rois are rows of image, x1, y1, x2, y2")
                     .source("simulator (ONNX MaxRoiPool-22)")
                     .input("x")
                     .input("rois")
                     .output("y")
                     .requiredAttr("pooled_shape")
                     .attr("spatial_scale", 1.0f)
                     .unit(Unit::Vector)
                     .fusionClass(FusionClass::Other)
                     .infer(inferRoiPool)
                     .cost(perInputElement(1))
                     .kernel(roiPoolKernel));
    registry.add(OpDef("MaxUnpool")
                     .arithmetic(Arithmetic::None)
                     .doc("Zeros, with each element of x at its index of the un-pooled tensor")
                     .source("simulator (ONNX MaxUnpool-22)")
                     .input("x")
                     .input("indices")
                     .optionalInput("output_shape")
                     .output("y")
                     .requiredAttr("ksize")
                     .attr("strides", IntList{})
                     .attr("pads", IntList{})
                     .unit(Unit::AiCpu)
                     .infer(inferUnpool)
                     .cost(bytesOnly)
                     .kernel(unpoolKernel));
}

} // namespace gelens
