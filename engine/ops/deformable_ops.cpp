// Deformable convolution. Part of the convolution family.

#include "engine/ops/convolution_private.h"
#include "engine/ops/cost_helpers.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <cmath>

namespace gelens {
namespace {

Result<ConvProblem> readDeformable(const AttrMap& attrs, Format declared, const Shape& x, const Shape& filter)
{
    return readConvolution(attrs, isChannelsLast(attrs, declared), x, filter, 2, false, attrInt(attrs, "groups", 1));
}

Status inferDeformable(InferContext& context)
{
    if (!context.shape(0).hasRank() || !context.shape(1).hasRank()) {
        context.setOutput(0, context.dtype(0), Shape{-1, -1, -1, -1});
        return {};
    }
    auto problem =
        readDeformable(context.attrs(), declaredFormat(context.node(), 0), context.shape(0), context.shape(1));
    if (!problem.ok()) return context.error(problem.error().what);
    context.setOutput(0, context.dtype(0), problem->out);
    return {};
}

/// Bilinear sample of a plane; positions outside contribute zero.
float sample(const float* plane, std::int64_t height, std::int64_t width, float y, float x)
{
    if (y <= -1 || x <= -1 || y >= static_cast<float>(height) || x >= static_cast<float>(width)) return 0;
    const auto top = static_cast<std::int64_t>(std::floor(y)), left = static_cast<std::int64_t>(std::floor(x));
    const float fy = y - static_cast<float>(top), fx = x - static_cast<float>(left);
    const auto at = [&](std::int64_t row, std::int64_t column) {
        return row < 0 || column < 0 || row >= height || column >= width ? 0.0f : plane[row * width + column];
    };
    return (1 - fy) * ((1 - fx) * at(top, left) + fx * at(top, left + 1)) +
           fy * ((1 - fx) * at(top + 1, left) + fx * at(top + 1, left + 1));
}

struct Deformable {
    const onednn::WindowSpec& spec;
    std::int64_t offsetGroups;
    const float *x, *offsets, *mask; // mask may be null

    /// Columns of the im2col matrix of one image and one group: [Cin/g · kh · kw, Ho · Wo].
    void columns(std::int64_t n, std::int64_t group, float* out) const
    {
        const std::int64_t channels = spec.inChannels / spec.groups, taps = spec.kernel[0] * spec.kernel[1];
        const std::int64_t plane = spec.out[0] * spec.out[1], perOffset = spec.inChannels / offsetGroups;
        for (std::int64_t c = group * channels; c < (group + 1) * channels; ++c) {
            const float* const source = x + (n * spec.inChannels + c) * spec.in[0] * spec.in[1];
            const std::int64_t field = n * offsetGroups + c / perOffset;
            for (std::int64_t tap = 0; tap < taps; ++tap) {
                const float* const dy = offsets + (field * 2 * taps + 2 * tap) * plane;
                const float* const dx = dy + plane;
                const float* const weight = mask ? mask + (field * taps + tap) * plane : nullptr;
                const std::int64_t ky = tap / spec.kernel[1] * spec.dilations[0] - spec.padBegin[0];
                const std::int64_t kx = tap % spec.kernel[1] * spec.dilations[1] - spec.padBegin[1];
                for (std::int64_t i = 0; i < plane; ++i) {
                    const float py = static_cast<float>(i / spec.out[1] * spec.strides[0] + ky) + dy[i];
                    const float px = static_cast<float>(i % spec.out[1] * spec.strides[1] + kx) + dx[i];
                    *out++ = sample(source, spec.in[0], spec.in[1], py, px) * (weight ? weight[i] : 1.0f);
                }
            }
        }
    }
};

Status checkFields(const KernelContext& context, const onednn::WindowSpec& spec, std::int64_t offsetGroups)
{
    if (offsetGroups < 1 || spec.inChannels % offsetGroups != 0)
        return context.error(fmt::format("offset_group {} does not divide {} channels", offsetGroups, spec.inChannels));
    const std::int64_t taps = spec.kernel[0] * spec.kernel[1];
    const Shape offsets{spec.batch, offsetGroups * 2 * taps, spec.out[0], spec.out[1]};
    if (context.input(2).shape.dims() != offsets.dims())
        return context.error(
            fmt::format("offset of shape {} must be {}", context.input(2).shape.text(), offsets.text()));
    const Shape mask{spec.batch, offsetGroups * taps, spec.out[0], spec.out[1]};
    if (context.hasInput(4) && context.input(4).shape.dims() != mask.dims())
        return context.error(fmt::format("mask of shape {} must be {}", context.input(4).shape.text(), mask.text()));
    if (context.hasInput(3) && context.input(3).elementCount() != spec.outChannels)
        return context.error("bias does not fit the output channels");
    return {};
}

Status deformableKernel(KernelContext& context)
{
    const auto problem =
        readDeformable(context.attrs(), context.input(0).originFormat, context.input(0).shape, context.input(1).shape);
    if (!problem.ok()) return context.error(problem.error().what);
    if (problem->channelsLast) return context.error("channels-last order is not supported");
    const onednn::WindowSpec& spec = problem->spec;
    const std::int64_t offsetGroups = attrInt(context.attrs(), "offset_group", 1);
    GELENS_TRY(checkFields(context, spec, offsetGroups));
    GELENS_ASSIGN(const FloatOperand x, FloatOperand::of(context, 0));
    GELENS_ASSIGN(const FloatOperand filter, FloatOperand::of(context, 1));
    GELENS_ASSIGN(const FloatOperand offsets, FloatOperand::of(context, 2));
    FloatOperand bias, mask;
    if (context.hasInput(3)) {
        GELENS_ASSIGN(bias, FloatOperand::of(context, 3));
    }
    if (context.hasInput(4)) {
        GELENS_ASSIGN(mask, FloatOperand::of(context, 4));
    }
    GELENS_ASSIGN(FloatResult y, FloatResult::make(context, 0, context.input(0).dtype, problem->out));
    const std::int64_t plane = spec.out[0] * spec.out[1], outputs = spec.outChannels / spec.groups;
    const std::int64_t depth = spec.inChannels / spec.groups * spec.kernel[0] * spec.kernel[1];
    const Deformable job{spec, offsetGroups, x.data(), offsets.data(), context.hasInput(4) ? mask.data() : nullptr};
    std::vector<float> columns(static_cast<std::size_t>(depth * plane));
    for (std::int64_t n = 0; n < spec.batch; ++n) {
        for (std::int64_t group = 0; group < spec.groups; ++group) {
            job.columns(n, group, columns.data());
            gemmFloat(false, false, outputs, plane, depth, filter.data() + group * outputs * depth, columns.data(),
                      y.data() + (n * spec.outChannels + group * outputs) * plane);
        }
    }
    if (context.hasInput(3)) addBroadcast(y.data(), problem->out, bias.data(), Shape{spec.outChannels, 1, 1});
    return y.finish(context);
}

} // namespace

void registerDeformableOps(OpRegistry& registry)
{
    registry.add(
        OpDef("DeformConv")
            .doc("Deformable convolution: each kernel tap samples x bilinearly at its place plus a learned offset "
                 "(dy, dx), times mask. The simulator keeps ONNX's tensors, where CANN's DeformableConv2D packs "
                 "offsets and mask into one. Accumulates in fp32, one rounding on storage")
            .source("simulator (ONNX DeformConv-19)")
            .input("x")
            .input("filter")
            .input("offsets")
            .optionalInput("bias")
            .optionalInput("mask")
            .output("y")
            .requiredAttr("strides")
            .requiredAttr("pads")
            .attr("dilations", IntList{1, 1, 1, 1})
            .attr("groups", 1)
            .attr("offset_group", 1)
            .attr("data_format", "NCHW")
            .unit(Unit::Mix)
            .fusionClass(FusionClass::Other)
            .infer(inferDeformable)
            .cost([](const Node& node, const Graph& graph) {
                const Shape &x = inputDesc(node, graph, 0).originShape, &filter = inputDesc(node, graph, 1).originShape;
                if (!x.hasRank() || !filter.hasRank()) return bytesOnly(node, graph);
                const auto problem = readDeformable(node.attrs, declaredFormat(node, 0), x, filter);
                return problem.ok() ? convolutionCost(node, graph, *problem, false) : bytesOnly(node, graph);
            })
            .kernel(deformableKernel));
}

} // namespace gelens
