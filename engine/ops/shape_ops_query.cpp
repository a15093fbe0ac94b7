// Questions about shapes: Shape, ShapeN, Size, Rank.

#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/shape_ops_private.h"

namespace gelens {
namespace movement {
namespace {

constexpr const char* cann = "CANN operator library";

DataType queryType(const AttrMap& attrs, DataType otherwise)
{
    const auto number = attrInt(attrs, "dtype", static_cast<std::int64_t>(otherwise));
    return number == static_cast<std::int64_t>(DataType::Int64) ? DataType::Int64 : DataType::Int32;
}

Status writeInts(KernelContext& context, DataType dtype, const Shape& shape, const std::vector<std::int64_t>& values)
{
    GELENS_ASSIGN(std::byte* const data, context.output(0, dtype, shape));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (dtype == DataType::Int64)
            reinterpret_cast<std::int64_t*>(data)[i] = values[i];
        else
            reinterpret_cast<std::int32_t*>(data)[i] = static_cast<std::int32_t>(values[i]);
    }
    return {};
}

Status inferShapeOp(InferContext& context)
{
    const Shape& input = context.shape(0);
    Shape result{input.hasRank() ? std::int64_t{input.rank()} : unknownDim};
    context.setOutput(0, queryType(context.attrs(), DataType::Int32), std::move(result));
    return {};
}

Status runShapeOp(KernelContext& context)
{
    const Shape& input = context.input(0).shape;
    return writeInts(context, queryType(context.attrs(), DataType::Int32), Shape{input.rank()}, input.dims());
}

Status inferShapeN(InferContext& context)
{
    for (int i = 0; i < context.inputCount(); ++i) {
        const Shape& input = context.shape(i);
        context.setOutput(i, queryType(context.attrs(), DataType::Int32),
                          Shape{input.hasRank() ? std::int64_t{input.rank()} : unknownDim});
    }
    return {};
}

Status runShapeN(KernelContext& context)
{
    const DataType dtype = queryType(context.attrs(), DataType::Int32);
    for (int i = 0; i < context.outputCount(); ++i) {
        const Shape& input = context.input(i).shape;
        const Tensor dims = Tensor::fromInts(input.dims(), Shape{input.rank()}, dtype);
        GELENS_TRY(writeOutput(context, i, HostTensor::fromConstant(dims)));
    }
    return {};
}

Status inferScalarQuery(InferContext& context)
{
    context.setOutput(0, queryType(context.attrs(), DataType::Int32), Shape{});
    return {};
}

Status runSize(KernelContext& context)
{
    return writeInts(context, queryType(context.attrs(), DataType::Int32), {}, {context.input(0).elementCount()});
}

Status runRank(KernelContext& context)
{
    return writeInts(context, DataType::Int32, {}, {context.input(0).shape.rank()});
}

} // namespace

void registerShapeQueries(OpRegistry& ops)
{
    const auto query = [](const char* type, const char* doc) {
        OpDef def(type);
        def.doc(doc)
            .source(cann)
            .unit(Unit::GeLocal)
            .fusionClass(FusionClass::Opaque)
            .formats(FormatSupport::Agnostic)
            .cost(moving());
        return def;
    };
    const auto int32 = static_cast<std::int64_t>(DataType::Int32);
    ops.add(query("Shape", "Dims of the input as a vector")
                .input("x")
                .output("y")
                .attr("dtype", int32)
                .hasHostKernel()
                .infer(inferShapeOp)
                .kernel(runShapeOp));
    ops.add(query("ShapeN", "Dims of each input as a vector")
                .dynamicInput("x")
                .dynamicOutput("y")
                .attr("dtype", int32)
                .hasHostKernel()
                .infer(inferShapeN)
                .kernel(runShapeN));
    ops.add(query("Size", "Number of elements")
                .input("x")
                .output("y")
                .attr("dtype", int32)
                .hasHostKernel()
                .infer(inferScalarQuery)
                .kernel(runSize));
    ops.add(
        query("Rank", "Number of dims").input("x").output("y").hasHostKernel().infer(inferScalarQuery).kernel(runRank));
}

} // namespace movement
} // namespace gelens
