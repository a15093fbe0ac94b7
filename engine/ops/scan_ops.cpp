// Along one axis: positions of extremes, running sums and products.

#include "engine/ops/family_helpers.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {
namespace {

using namespace families;

/// Axis of a node that takes it as input 1: nothing while the value is not known.
Result<std::optional<int>> inferAxis(const InferContext& context, int rank)
{
    const auto values = context.constantInts(1);
    if (!values) return std::optional<int>();
    if (values->size() != 1) return context.error("the axis is not one number");
    const std::optional<int> axis = normalizeAxis(values->front(), std::max(rank, 1));
    if (!axis)
        return context.error(fmt::format("axis {} does not exist in a tensor of rank {}", values->front(), rank));
    return axis;
}

DataType indexType(const AttrMap& attrs)
{
    const auto found = attrs.find("dtype");
    if (found == attrs.end()) return DataType::Int64;
    if (const DataType* const type = found->second.as<DataType>()) return *type;
    return static_cast<DataType>(attrInt(attrs, "dtype", static_cast<int>(DataType::Int64)));
}

Status inferArg(InferContext& context)
{
    const DataType type = indexType(context.attrs());
    const Shape& x = context.shape(0);
    if (!x.hasRank()) {
        context.setOutput(0, type, Shape::unknownRank());
        return {};
    }
    GELENS_ASSIGN(const std::optional<int> axis, inferAxis(context, x.rank()));
    if (axis) {
        context.setOutput(0, type, reducedShape(x, {*axis}, false));
    } else {
        const auto rank = static_cast<std::size_t>(std::max(0, x.rank() - 1));
        context.setOutput(0, type, Shape(std::vector<std::int64_t>(rank, unknownDim)));
    }
    return {};
}

/// Index of the extreme element; of equal ones the first, or the last. A NaN is taken at once, as NumPy does.
template <typename T, typename Better>
void findExtremes(const T* x, const AxisSplit& split, bool takesLast, std::vector<std::int64_t>& result, Better better)
{
    for (std::int64_t o = 0; o < split.outer; ++o) {
        for (std::int64_t i = 0; i < split.inner; ++i) {
            const T* const row = x + o * split.length * split.inner + i;
            std::int64_t best = 0;
            auto value = load(row[0]);
            for (std::int64_t n = 1; n < split.length && value == value; ++n) {
                const auto next = load(row[n * split.inner]);
                if (!better(next, value) && next == next && !(takesLast && next == value)) continue;
                best = n;
                value = next;
            }
            result.push_back(best);
        }
    }
}

template <bool isLargest>
Status argKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    GELENS_ASSIGN(const std::vector<std::int64_t> axes, context.ints(1));
    if (axes.size() != 1) return context.error("the axis is not one number");
    const Shape shape = x.shape.rank() == 0 ? Shape{1} : x.shape;
    GELENS_ASSIGN(const int axis, kernelAxis(context, axes.front(), shape.rank()));
    const AxisSplit split(shape, axis);
    if (split.length == 0 && split.outer * split.inner > 0) return context.error("the axis has no elements");
    const bool takesLast = attrBool(context.attrs(), "select_last_index", false);
    std::vector<std::int64_t> found;
    found.reserve(static_cast<std::size_t>(split.outer * split.inner));
    const bool known = visitNumeric(x.dtype, [&]<typename T>(TypeTag<T>) {
        findExtremes(reinterpret_cast<const T*>(x.data), split, takesLast, found,
                     [](auto a, auto b) { return isLargest ? a > b : a < b; });
    });
    if (!known) return typeError(context, 0);
    const Shape result = x.shape.rank() == 0 ? Shape{} : reducedShape(x.shape, {axis}, false);
    const DataType type = indexType(context.attrs());
    if (type == DataType::Int32) {
        GELENS_ASSIGN(std::int32_t* const y, context.outputAs<std::int32_t>(0, type, result));
        std::transform(found.begin(), found.end(), y, [](std::int64_t i) { return static_cast<std::int32_t>(i); });
        return {};
    }
    if (type != DataType::Int64) return context.error("attribute dtype is neither int32 nor int64");
    GELENS_ASSIGN(std::int64_t* const y, context.outputAs<std::int64_t>(0, type, result));
    std::copy(found.begin(), found.end(), y);
    return {};
}

OpDef argOp(std::string type, std::string doc, KernelFunction kernel)
{
    OpDef def(std::move(type));
    def.doc(std::move(doc))
        .source("CANN operator library; select_last_index from ONNX ArgMax-12")
        .input("x")
        .input("dimension")
        .output("y")
        .attr("dtype", DataType::Int64);
    def.unit(Unit::Vector).fusionClass(FusionClass::Other);
    def.infer(inferArg).cost(perInputElement(2)).kernel(std::move(kernel));
    return def;
}

Status inferScan(InferContext& context)
{
    const Shape& x = context.shape(0);
    if (x.hasRank()) {
        const auto axis = inferAxis(context, x.rank());
        if (!axis.ok()) return axis.error();
    }
    return sameAsInput(context);
}

/// Running f along the axis. Sums of fp16 and bf16 run in fp32.
template <typename F>
KernelFunction scanKernel(int start, F f)
{
    return [start, f](KernelContext& context) -> Status {
        const TensorView& x = context.input(0);
        GELENS_ASSIGN(const std::vector<std::int64_t> axes, context.ints(1));
        if (axes.size() != 1) return context.error("the axis is not one number");
        const Shape shape = x.shape.rank() == 0 ? Shape{1} : x.shape;
        GELENS_ASSIGN(const int axis, kernelAxis(context, axes.front(), shape.rank()));
        const AxisSplit split(shape, axis);
        const bool exclusive = attrBool(context.attrs(), "exclusive", false);
        const bool reverse = attrBool(context.attrs(), "reverse", false);
        Status status;
        const bool known = visitArithmetic(x.dtype, [&]<typename T>(TypeTag<T>) {
            auto y = context.outputAs<T>(0, x.dtype, x.shape);
            if (!y.ok()) {
                status = y.error();
                return;
            }
            using C = ComputeType<T>;
            const T* const from = reinterpret_cast<const T*>(x.data);
            std::vector<C> total(static_cast<std::size_t>(split.inner));
            for (std::int64_t o = 0; o < split.outer; ++o) {
                std::fill(total.begin(), total.end(), static_cast<C>(start));
                for (std::int64_t n = 0; n < split.length; ++n) {
                    const std::int64_t row = o * split.length + (reverse ? split.length - 1 - n : n);
                    const T* const in = from + row * split.inner;
                    T* const out = y.value() + row * split.inner;
                    for (std::int64_t i = 0; i < split.inner; ++i) {
                        C& sum = total[static_cast<std::size_t>(i)];
                        const C next = f(sum, load(in[i])); // read before `out`, which may be the same memory
                        out[i] = store<T>(exclusive ? sum : next);
                        sum = next;
                    }
                }
            }
        });
        return known ? status : Status(typeError(context, 0));
    };
}

OpDef scanOp(std::string type, std::string doc, KernelFunction kernel)
{
    OpDef def(std::move(type));
    def.doc(std::move(doc))
        .source(canonical)
        .input("x")
        .input("axis")
        .output("y")
        .attr("exclusive", false)
        .attr("reverse", false);
    // A scan keeps what it has so far on the chip, so that the result may take the place of what was read.
    def.unit(Unit::Vector).fusionClass(FusionClass::Other).mayRunInPlace();
    def.infer(inferScan).cost(elementwise(2)).kernel(std::move(kernel));
    return def;
}

} // namespace

void registerScanOps(OpRegistry& ops)
{
    ops.add(
        argOp("ArgMaxV2", "Index of the largest element along `dimension`, of equal ones the first", argKernel<true>)
            .arithmetic(Arithmetic::None));
    ops.add(
        argOp("ArgMin", "Index of the smallest element along `dimension`, of equal ones the first", argKernel<false>)
            .arithmetic(Arithmetic::None));
    ops.add(scanOp("Cumsum", "Running sum along the axis",
                   scanKernel(0, [](auto a, auto b) { return wrap(a, b, [](auto x, auto y) { return x + y; }); }))
                .arithmetic(Arithmetic::SumsInFp32));
    ops.add(scanOp("Cumprod", "Running product along the axis",
                   scanKernel(1, [](auto a, auto b) { return wrap(a, b, [](auto x, auto y) { return x * y; }); }))
                .arithmetic(Arithmetic::SumsInFp32));
}

} // namespace gelens
