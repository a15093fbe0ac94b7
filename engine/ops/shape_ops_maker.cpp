// Sequences of numbers and triangular or diagonal matrices.

#include "engine/ops/element_types.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/shape_ops_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gelens::movement {
namespace {

constexpr const char* cann = "CANN operator library";

// ---- Range ----

/// Number of values from start to before limit. Doubles hold the 53 bits that any sensible range needs.
Result<std::int64_t> rangeCount(double start, double limit, double delta, bool isClosed)
{
    if (delta == 0 || std::isnan(start) || std::isnan(limit) || std::isnan(delta))
        return Error::invalid("the step of the range is 0 or not a number");
    double count = std::ceil((limit - start) / delta);
    if (isClosed) count = std::floor((limit - start) / delta) + 1;
    if (!(count < 1e15))
        return Error::limit(fmt::format("the range from {} to {} by {} is too long", start, limit, delta));
    return static_cast<std::int64_t>(std::max(0.0, count));
}

Status inferRange(InferContext& context)
{
    double bounds[3];
    for (int i = 0; i < 3; ++i) {
        const Tensor* const value = context.constant(i);
        const auto number = value ? value->asDoubles(1) : std::nullopt;
        if (!number || number->size() != 1) {
            context.setOutput(0, context.dtype(0), Shape{unknownDim});
            return {};
        }
        bounds[i] = number->front();
    }
    const auto count = rangeCount(bounds[0], bounds[1], bounds[2], attrBool(context.attrs(), "is_closed", false));
    if (!count.ok()) return at(context, count.error());
    GELENS_TRY(checkOutput(context, context.dtype(0), Shape{count.value()}));
    context.setOutput(0, context.dtype(0), Shape{count.value()});
    return {};
}

Status runRange(KernelContext& context)
{
    double bounds[3];
    for (int i = 0; i < 3; ++i) {
        GELENS_ASSIGN(const auto values, context.doubles(i));
        if (values.size() != 1) return context.error(fmt::format("input {} must be one number", i));
        bounds[i] = values[0];
    }
    const auto count = rangeCount(bounds[0], bounds[1], bounds[2], attrBool(context.attrs(), "is_closed", false));
    if (!count.ok()) return context.error(count.error().what);
    const DataType dtype = context.input(0).dtype;
    const Shape shape{count.value()};
    GELENS_TRY(checkOutput(context, dtype, shape));
    Status status;
    const bool isKnown = visitArithmetic(dtype, [&]<typename T>(TypeTag<T>) {
        auto out = context.outputAs<T>(0, dtype, shape);
        if (!out.ok()) {
            status = out.error();
            return;
        }
        using C = ComputeType<T>;
        const C start = load(*reinterpret_cast<const T*>(context.input(0).data));
        const C delta = load(*reinterpret_cast<const T*>(context.input(2).data));
        for (std::int64_t i = 0; i < count.value(); ++i)
            out.value()[i] = store<T>(static_cast<C>(start + static_cast<C>(i) * delta));
    });
    return isKnown ? status
                   : Status(context.error(fmt::format("a range of {} is not possible", dataTypeShortName(dtype))));
}

// ---- Eye ----

/// A one of the type as a cell.
Result<std::vector<std::byte>> oneOf(DataType dtype)
{
    if (!isFloating(dtype) && !isInteger(dtype) && dtype != DataType::Bool)
        return Error::unsupported(fmt::format("a matrix of {} is not possible", dataTypeShortName(dtype)));
    const double one[] = {1.0};
    const Tensor value = Tensor::fromDoubles(one, Shape{}, dtype);
    return std::vector<std::byte>(value.data.span().begin(), value.data.span().end());
}

Status writeEye(KernelContext& context, DataType dtype, const Shape& shape, std::int64_t diagonal)
{
    const auto one = oneOf(dtype);
    if (!one.ok()) return context.error(one.error().what);
    CellMover mover(context);
    GELENS_ASSIGN(std::byte* const out, mover.output(0, dtype, shape, true));
    const std::int64_t rows = shape.dim(-2), columns = shape.dim(-1), width = cellWidth(dtype);
    const std::int64_t count = shape.elementCount().value_or(0);
    const std::int64_t matrices = count == 0 ? 0 : count / (rows * columns);
    if (std::abs(diagonal) > std::max(rows, columns)) return mover.finish();
    for (std::int64_t m = 0; m < matrices; ++m)
        for (std::int64_t i = std::max<std::int64_t>(0, -diagonal); i < rows && i + diagonal < columns; ++i)
            std::memcpy(out + ((m * rows + i) * columns + i + diagonal) * width, one.value().data(),
                        static_cast<std::size_t>(width));
    return mover.finish();
}

Result<Shape> eyeShape(const AttrMap& attrs)
{
    const std::int64_t rows = attrInt(attrs, "num_rows", 0);
    const std::int64_t wanted = attrInt(attrs, "num_columns", 0);
    std::vector<std::int64_t> dims = attrInts(attrs, "batch_shape");
    dims.push_back(rows);
    dims.push_back(wanted > 0 ? wanted : rows);
    return Shape(std::move(dims));
}

DataType typeFromAttr(const AttrMap& attrs, DataType otherwise)
{
    const auto found = attrs.find("dtype");
    if (found == attrs.end() || !found->second.isSet()) return otherwise;
    return static_cast<DataType>(attrInt(attrs, "dtype", 0));
}

Status inferEye(InferContext& context)
{
    GELENS_ASSIGN(Shape shape, eyeShape(context.attrs()));
    const DataType dtype = typeFromAttr(context.attrs(), DataType::Float);
    for (const std::int64_t dim : shape.dims())
        if (dim < 0) return context.error(fmt::format("the shape {} has a negative dim", shape.text()));
    GELENS_TRY(checkOutput(context, dtype, shape));
    context.setOutput(0, dtype, std::move(shape));
    return {};
}

Status runEye(KernelContext& context)
{
    GELENS_ASSIGN(const Shape shape, eyeShape(context.attrs()));
    return writeEye(context, typeFromAttr(context.attrs(), DataType::Float), shape, 0);
}

DataType eyeLikeType(const AttrMap& attrs, DataType input)
{
    const DataType dtype = typeFromAttr(attrs, DataType::Undefined);
    return dtype == DataType::Undefined ? input : dtype;
}

Status inferEyeLike(InferContext& context)
{
    const Shape& input = context.shape(0);
    if (input.hasRank() && input.rank() != 2) return context.error(fmt::format("{} is not a matrix", input.text()));
    context.setOutput(0, eyeLikeType(context.attrs(), context.dtype(0)), input);
    return {};
}

Status runEyeLike(KernelContext& context)
{
    const TensorView& x = context.input(0);
    if (x.shape.rank() != 2) return context.error(fmt::format("{} is not a matrix", x.shape.text()));
    return writeEye(context, eyeLikeType(context.attrs(), x.dtype), x.shape, attrInt(context.attrs(), "k", 0));
}

// ---- Trilu: one triangle stays, the other becomes zero ----

Status inferTrilu(InferContext& context)
{
    const Shape& input = context.shape(0);
    if (input.hasRank() && input.rank() < 2) return context.error(fmt::format("{} is not a matrix", input.text()));
    return sameAsInput(context);
}

Status copyTriangle(KernelContext& context, bool isUpper, std::int64_t diagonal)
{
    CellMover mover(context);
    GELENS_ASSIGN(const Cells cells, mover.input(0));
    const Shape& shape = cells.shape;
    if (shape.rank() < 2) return context.error(fmt::format("{} is not a matrix", shape.text()));
    GELENS_ASSIGN(std::byte* const out, mover.output(0, context.input(0).dtype, shape, true));
    const std::int64_t rows = shape.dim(-2), columns = shape.dim(-1), width = cells.width;
    const std::int64_t matrices = cells.count == 0 ? 0 : cells.count / (rows * columns);
    const std::int64_t k = std::clamp(diagonal, -rows - 1, columns + 1);
    for (std::int64_t row = 0; row < matrices * rows; ++row) {
        const std::int64_t edge = std::clamp<std::int64_t>(row % rows + k + (isUpper ? 0 : 1), 0, columns);
        const std::int64_t begin = isUpper ? edge : 0, end = isUpper ? columns : edge;
        const std::int64_t at = (row * columns + begin) * width;
        if (end > begin) std::memcpy(out + at, cells.data + at, static_cast<std::size_t>((end - begin) * width));
    }
    return mover.finish();
}

Status runTrilu(KernelContext& context)
{
    std::int64_t diagonal = 0;
    if (context.hasInput(1)) {
        GELENS_ASSIGN(diagonal, scalarInt(context, 1));
    }
    return copyTriangle(context, attrBool(context.attrs(), "upper", true), diagonal);
}

KernelFunction runTriangle(bool isUpper)
{
    return [isUpper](KernelContext& context) {
        return copyTriangle(context, isUpper, attrInt(context.attrs(), "diagonal", 0));
    };
}

OpDef base(const char* type, const char* doc, FusionClass fusionClass, const char* source = cann)
{
    OpDef def(type);
    def.doc(doc)
        .source(source)
        .unit(Unit::Vector)
        .fusionClass(fusionClass)
        .formats(FormatSupport::NdOnly)
        .cost(moving());
    return def;
}

} // namespace

void registerMakerOps(OpRegistry& ops)
{
    ops.add(base("Range", "Numbers from start to before limit by delta", FusionClass::Opaque)
                .arithmetic(Arithmetic::Elements)
                .input("start")
                .input("limit")
                .input("delta")
                .output("y")
                .attr("is_closed", false)
                .hasHostKernel()
                .infer(inferRange)
                .kernel(runRange));
    ops.add(base("Eye", "Unit matrices", FusionClass::Opaque)
                .arithmetic(Arithmetic::None)
                .output("y")
                .requiredAttr("num_rows")
                .attr("num_columns", 0)
                .attr("batch_shape", IntList{})
                .attr("dtype", static_cast<std::int64_t>(DataType::Float))
                .infer(inferEye)
                .kernel(runEye));
    ops.add(
        base("EyeLike", "A matrix of the input's shape with ones on diagonal k", FusionClass::Opaque, "ONNX EyeLike-9")
            .arithmetic(Arithmetic::None)
            .input("x")
            .output("y")
            .attr("dtype", AttrValue())
            .attr("k", 0)
            .infer(inferEyeLike)
            .kernel(runEyeLike));
    ops.add(base("Trilu", "Keeps the upper or lower triangle from diagonal k on", FusionClass::ElementWise)
                .input("x")
                .optionalInput("k")
                .output("y")
                .attr("upper", 1)
                .infer(inferTrilu)
                .kernel(runTrilu));
    ops.add(base("Triu", "Keeps the upper triangle", FusionClass::ElementWise)
                .input("x")
                .output("y")
                .attr("diagonal", 0)
                .infer(inferTrilu)
                .kernel(runTriangle(true)));
    ops.add(base("Tril", "Keeps the lower triangle", FusionClass::ElementWise)
                .input("x")
                .output("y")
                .attr("diagonal", 0)
                .infer(inferTrilu)
                .kernel(runTriangle(false)));
}

} // namespace gelens::movement
