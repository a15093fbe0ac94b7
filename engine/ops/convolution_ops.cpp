#include "engine/ops/convolution_private.h"
#include "engine/ops/cost_helpers.h"
#include "engine/ops/op_families.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {

FilterView filterView(const Shape& shape, Format format, int spatial)
{
    FilterView view;
    view.shape = shape;
    if (shape.rank() != spatial + 2) return view;
    const bool outLast = format == Format::HWCN || format == Format::DHWCN; // k…, Cin, Cout
    const bool inLast = format == Format::NHWC || format == Format::NDHWC;  // Cout, k…, Cin
    if (!outLast && !inLast) return view;
    view.toFirst = outLast ? std::vector<int>{spatial + 1, spatial} : std::vector<int>{0, spatial + 1};
    for (int i = 0; i < spatial; ++i) view.toFirst.push_back(outLast ? i : i + 1);
    view.shape = Shape();
    for (int axis : view.toFirst) appendDim(view.shape, shape, axis);
    return view;
}

namespace {

const char* const convolutionDoc =
    "Convolution (cross-correlation, as in all of machine learning). strides and dilations have one entry for each "
    "axis "
    "of data_format, pads begin and end of each spatial axis in turn; filter is [Cout, Cin/groups, kernel]. The cube "
    "accumulates fp16, bf16 and fp32 in fp32 and adds the bias before the one rounding into the storage type; fp64 in "
    "fp64, 8-bit integers in int32, which is then the type of y";

bool isNarrowInteger(DataType type)
{
    return type == DataType::Int8 || type == DataType::UInt8 || type == DataType::Int4;
}

DataType convolutionType(DataType x) { return isNarrowInteger(x) ? DataType::Int32 : x; }

std::int64_t groupsOf(const AttrMap& attrs) { return attrInt(attrs, "groups", 1); }

/// Depthwise: [Cout, 1, kh, kw], or [kh, kw, C, multiplier] in HWCN; each input channel is a group of its own.
Result<ConvProblem> readDepthwise(const AttrMap& attrs, bool channelsLast, const Shape& x, const Shape& given,
                                  Format format)
{
    Shape filter = given;
    if (format == Format::HWCN && given.rank() == 4) {
        const std::int64_t channels = given.dim(2), multiplier = given.dim(3);
        filter =
            Shape{channels < 0 || multiplier < 0 ? unknownDim : channels * multiplier, 1, given.dim(0), given.dim(1)};
    }
    std::int64_t channels = x.rank() == 4 ? x.dim(channelsLast ? 3 : 1) : 1;
    if (channels < 1) channels = filter.rank() == 4 && filter.dim(0) > 0 ? filter.dim(0) : 1;
    return readConvolution(attrs, channelsLast, x, filter, 2, false, channels);
}

/// `declared` is the axis order that x states, `format` the one of the filter.
Result<ConvProblem> readAny(const AttrMap& attrs, Format declared, const Shape& x, const Shape& filter, Format format,
                            int spatial, bool isDepthwise)
{
    const bool channelsLast = isChannelsLast(attrs, declared);
    if (isDepthwise) return readDepthwise(attrs, channelsLast, x, filter, format);
    return readConvolution(attrs, channelsLast, x, filterView(filter, format, spatial).shape, spatial, false,
                           groupsOf(attrs));
}

InferFunction inferConvolution(int spatial, bool isDepthwise)
{
    return [spatial, isDepthwise](InferContext& context) -> Status {
        const DataType type = convolutionType(context.dtype(0));
        if (!context.shape(0).hasRank() || !context.shape(1).hasRank()) {
            context.setOutput(0, type, Shape(std::vector<std::int64_t>(static_cast<std::size_t>(spatial + 2), -1)));
            return {};
        }
        auto problem = readAny(context.attrs(), declaredFormat(context.node(), 0), context.shape(0), context.shape(1),
                               context.input(1).originFormat.primary, spatial, isDepthwise);
        if (!problem.ok()) return context.error(problem.error().what);
        context.setOutput(0, type, problem->out);
        return {};
    };
}

CostFunction costOfConvolution(int spatial, bool isDepthwise)
{
    return [spatial, isDepthwise](const Node& node, const Graph& graph) {
        const TensorDesc &x = inputDesc(node, graph, 0), &filter = inputDesc(node, graph, 1);
        if (!x.originShape.hasRank() || !filter.originShape.hasRank()) return bytesOnly(node, graph);
        const auto problem = readAny(node.attrs, declaredFormat(node, 0), x.originShape, filter.originShape,
                                     filter.originFormat.primary, spatial, isDepthwise);
        return problem.ok() ? convolutionCost(node, graph, *problem, false) : bytesOnly(node, graph);
    };
}

/// fp64 and integers: own loops in their accumulator.
template <typename Acc>
Status runExact(KernelContext& context, const ConvProblem& problem, DataType outType)
{
    const auto toAcc = [&](int i) -> Result<std::vector<Acc>> {
        GELENS_ASSIGN(const std::vector<double> wide, context.doubles(i));
        return std::vector<Acc>(wide.begin(), wide.end());
    };
    GELENS_ASSIGN(const std::vector<Acc> x, toAcc(0));
    GELENS_ASSIGN(const std::vector<Acc> filter, toAcc(1));
    std::vector<Acc> bias;
    if (context.hasInput(2)) {
        GELENS_ASSIGN(bias, toAcc(2));
        if (static_cast<std::int64_t>(bias.size()) != problem.spec.outChannels)
            return context.error(fmt::format("bias of {} elements does not fit {} output channels", bias.size(),
                                             problem.spec.outChannels));
    }
    GELENS_ASSIGN(Acc* const y, context.outputAs<Acc>(0, outType, problem.out));
    if (!problem.channelsLast) {
        convolve<Acc, Acc, Acc>(problem.spec, x.data(), filter.data(), bias.empty() ? nullptr : bias.data(), y);
        return {};
    }
    std::vector<Acc> first(x.size()), result(static_cast<std::size_t>(problem.out.elementCount().value_or(0)));
    permuteBytes(reinterpret_cast<const std::byte*>(x.data()), context.input(0).shape.dims(), problem.toFirst,
                 sizeof(Acc), reinterpret_cast<std::byte*>(first.data()));
    convolve<Acc, Acc, Acc>(problem.spec, first.data(), filter.data(), bias.empty() ? nullptr : bias.data(),
                            result.data());
    std::vector<std::int64_t> dims{problem.spec.batch, problem.spec.outChannels};
    dims.insert(dims.end(), problem.spec.out.begin(), problem.spec.out.end());
    permuteBytes(reinterpret_cast<const std::byte*>(result.data()), dims, problem.fromFirst, sizeof(Acc),
                 reinterpret_cast<std::byte*>(y));
    return {};
}

KernelFunction convolutionKernel(int spatial, bool isDepthwise, bool hasEpilogue)
{
    return [=](KernelContext& context) -> Status {
        const Format format = context.input(1).format.primary;
        const auto problem = readAny(context.attrs(), context.input(0).originFormat, context.input(0).shape,
                                     context.input(1).shape, format, spatial, isDepthwise);
        if (!problem.ok()) return context.error(problem.error().what);
        if (context.input(0).dtype != context.input(1).dtype) return context.error("x and filter have different types");
        if (!filterView(context.input(1).shape, format, spatial).toFirst.empty())
            return context.error("the kernel takes filters as [Cout, Cin/groups, kernel] only");
        if (context.input(0).dtype == DataType::Double && !hasEpilogue)
            return runExact<double>(context, *problem, DataType::Double);
        if (isNarrowInteger(context.input(0).dtype)) return runExact<std::int32_t>(context, *problem, DataType::Int32);
        ConvEpilogue epilogue;
        if (hasEpilogue) {
            const std::string name = attrString(context.attrs(), "fused_activation");
            epilogue.activation = findActivation(name);
            if (!epilogue.activation) return context.error(fmt::format("no activation is called '{}'", name));
            epilogue.alpha = static_cast<float>(attrFloat(context.attrs(), "activation_alpha"));
            epilogue.beta = static_cast<float>(attrFloat(context.attrs(), "activation_beta"));
            epilogue.addInput = 4;
        }
        return runConvolution(context, *problem, 0, 1, 2, false, epilogue);
    };
}

OpDef convolutionDef(const char* type, int spatial, bool isDepthwise, bool hasEpilogue = false)
{
    OpDef def(type);
    def.doc(convolutionDoc).source("CANN operator library");
    def.input("x").input("filter").optionalInput("bias").optionalInput("offset_w");
    if (hasEpilogue) def.optionalInput("x2");
    def.output("y").requiredAttr("strides");
    if (isDepthwise) {
        def.attr("dilations", IntList{1, 1, 1, 1}).requiredAttr("pads").attr("data_format", "NHWC");
    } else {
        def.requiredAttr("pads").attr("dilations", IntList(static_cast<std::size_t>(spatial + 2), 1)).attr("groups", 1);
        def.attr("data_format", spatial == 3 ? "NDHWC" : "NHWC");
    }
    def.attr("offset_x", 0);
    def.unit(Unit::Cube).fusionClass(FusionClass::Convolution).formats(FormatSupport::CubeConv);
    def.infer(inferConvolution(spatial, isDepthwise)).cost(costOfConvolution(spatial, isDepthwise));
    def.kernel(convolutionKernel(spatial, isDepthwise, hasEpilogue));
    return def;
}

} // namespace

void registerConvolutionOps(OpRegistry& registry)
{
    registry.add(convolutionDef("Conv2D", 2, false));
    registry.add(convolutionDef("Conv3D", 3, false));
    registry.add(convolutionDef("DepthwiseConv2D", 2, true)
                     .doc("Convolution of each channel by itself: filter [C·multiplier, 1, kh, kw], or [kh, kw, C, "
                          "multiplier] in HWCN. Accumulates in fp32, one rounding on storage"));
    registry.add(convolutionDef("FusedConv2D", 2, false, true)
                     .doc("Simulator form of a convolution with what the fix-pipe unit can append: y = "
                          "activation(conv(x, filter) + bias + x2). fused_activation is a GE type name (Relu, Relu6, "
                          "LeakyRelu, Swish, Sigmoid, Clip …) or empty, activation_alpha and activation_beta its "
                          "parameters. All of it in fp32, one rounding on storage")
                     .source("simulator")
                     .attr("fused_activation", "")
                     .attr("activation_alpha", 0.0f)
                     .attr("activation_beta", 0.0f));
    registerTransposedConvolutionOps(registry);
    registerDeformableOps(registry);
}

} // namespace gelens
