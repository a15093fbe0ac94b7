// Transposed convolutions. Part of the convolution family.

#include "engine/ops/convolution_private.h"
#include "engine/ops/cost_helpers.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

namespace gelens {
namespace {

const char* const transposedDoc =
    "Transposed convolution, filter [Cin, Cout/groups, kernel]. Output sizes: input_size where it is not zero (whole "
    "shape in the data format's order), else attribute output_shape (spatial sizes), else (in-1)·stride + "
    "(kernel-1)·dilation + 1 + output_padding − pads. A stated size sets the pads, by auto_pad. Accumulates in fp32, "
    "one rounding on storage; fp64 in fp64";

/// Stated output sizes for the spatial axes; zeros where nothing is stated.
std::vector<std::int64_t> wantedSizes(const AttrMap& attrs, bool channelsLast,
                                      const std::optional<std::vector<std::int64_t>>& inputSize, int spatial)
{
    std::vector<std::int64_t> wanted(static_cast<std::size_t>(spatial), 0);
    const auto take = [&](const std::vector<std::int64_t>& sizes) {
        const std::size_t first = sizes.size() == wanted.size() ? 0 : channelsLast ? 1 : 2;
        if (sizes.size() != wanted.size() && sizes.size() != wanted.size() + 2) return;
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (sizes[first + i] > 0) wanted[i] = sizes[first + i];
    };
    take(attrInts(attrs, "output_shape"));
    if (inputSize) take(*inputSize);
    return wanted;
}

Result<ConvProblem> readTransposed(const AttrMap& attrs, Format declared, const Shape& x, const Shape& filter,
                                   int spatial, const std::optional<std::vector<std::int64_t>>& inputSize)
{
    const bool channelsLast = isChannelsLast(attrs, declared);
    return readConvolution(attrs, channelsLast, x, filter, spatial, true, attrInt(attrs, "groups", 1),
                           wantedSizes(attrs, channelsLast, inputSize, spatial));
}

InferFunction inferTransposed(int spatial)
{
    return [spatial](InferContext& context) -> Status {
        const DataType type = context.dtype(1);
        if (!context.shape(1).hasRank() || !context.shape(2).hasRank()) {
            context.setOutput(0, type, Shape(std::vector<std::int64_t>(static_cast<std::size_t>(spatial + 2), -1)));
            return {};
        }
        auto problem = readTransposed(context.attrs(), declaredFormat(context.node(), 1), context.shape(1),
                                      context.shape(2), spatial, context.constantInts(0));
        if (!problem.ok()) return context.error(problem.error().what);
        if (context.hasInput(0) && !context.constant(0)) // sizes known at run time only
            for (int i = 0; i < spatial; ++i)
                problem->out.setDim(static_cast<std::size_t>(i + (problem->channelsLast ? 1 : 2)), unknownDim);
        context.setOutput(0, type, problem->out);
        return {};
    };
}

Status runDouble(KernelContext& context, const ConvProblem& problem)
{
    if (problem.channelsLast) return context.error("fp64 is supported in channels-first order only");
    GELENS_ASSIGN(const std::vector<double> x, context.doubles(1));
    GELENS_ASSIGN(const std::vector<double> filter, context.doubles(2));
    std::vector<double> bias;
    if (context.hasInput(3)) {
        GELENS_ASSIGN(bias, context.doubles(3));
        if (static_cast<std::int64_t>(bias.size()) != problem.spec.outChannels)
            return context.error("bias does not fit the output channels");
    }
    GELENS_ASSIGN(double* const y, context.outputAs<double>(0, DataType::Double, problem.out));
    deconvolve<double>(problem.spec, x.data(), filter.data(), bias.empty() ? nullptr : bias.data(), y);
    return {};
}

KernelFunction transposedKernel(int spatial)
{
    return [spatial](KernelContext& context) -> Status {
        std::optional<std::vector<std::int64_t>> inputSize;
        if (context.hasInput(0)) {
            GELENS_ASSIGN(inputSize, context.ints(0));
        }
        const auto problem = readTransposed(context.attrs(), context.input(1).originFormat, context.input(1).shape,
                                            context.input(2).shape, spatial, inputSize);
        if (!problem.ok()) return context.error(problem.error().what);
        if (context.input(1).dtype == DataType::Double) return runDouble(context, *problem);
        return runConvolution(context, *problem, 1, 2, 3, true);
    };
}

CostFunction transposedCost(int spatial)
{
    return [spatial](const Node& node, const Graph& graph) {
        const Shape &x = inputDesc(node, graph, 1).originShape, &filter = inputDesc(node, graph, 2).originShape;
        if (!x.hasRank() || !filter.hasRank()) return bytesOnly(node, graph);
        const auto problem = readTransposed(node.attrs, declaredFormat(node, 1), x, filter, spatial, std::nullopt);
        return problem.ok() ? convolutionCost(node, graph, *problem, true) : bytesOnly(node, graph);
    };
}

OpDef transposedDef(const char* type, int spatial)
{
    const auto axes = static_cast<std::size_t>(spatial + 2);
    OpDef def(type);
    def.doc(transposedDoc).source("CANN operator library");
    def.input("input_size").input("x").input("filter").optionalInput("bias").optionalInput("offset_w").output("y");
    def.requiredAttr("strides").requiredAttr("pads").attr("dilations", IntList(axes, 1)).attr("groups", 1);
    def.attr("data_format", spatial == 3 ? "NDHWC" : "NHWC")
        .attr("output_padding", IntList(axes, 0))
        .attr("offset_x", 0);
    def.unit(Unit::Cube).fusionClass(FusionClass::Convolution).formats(FormatSupport::CubeConv);
    def.infer(inferTransposed(spatial)).cost(transposedCost(spatial)).kernel(transposedKernel(spatial));
    return def;
}

} // namespace

void registerTransposedConvolutionOps(OpRegistry& registry)
{
    registry.add(transposedDef("Conv2DTranspose", 2));
    registry.add(transposedDef("Conv3DTranspose", 3));
}

} // namespace gelens
