// Comparison, logic, bits, selection.

#include "engine/ops/family_helpers.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_families.h"

#include <cmath>
#include <limits>

namespace gelens {
namespace {

using namespace families;

template <typename F>
KernelFunction comparison(F f)
{
    return [f](KernelContext& context) { return runBinary<Bool8>(context, arithmeticTypes, f, DataType::Bool); };
}

/// Equality also knows bool and text.
template <typename F>
KernelFunction equality(F f)
{
    return [f](KernelContext& context) -> Status {
        const TensorView& a = context.input(0);
        const TensorView& b = context.input(1);
        if (a.dtype != DataType::String || b.dtype != DataType::String)
            return runBinary<Bool8>(context, numericTypes, f, DataType::Bool);
        GELENS_ASSIGN(const Shape shape, binaryShape(context));
        GELENS_ASSIGN(Bool8* const y, context.outputAs<Bool8>(0, DataType::Bool, shape));
        const BroadcastPlan plan(shape, {&a.shape, &b.shape});
        plan.forEachRow([&](std::int64_t at, const std::int64_t* offsets) {
            for (std::int64_t i = 0; i < plan.rowLength(); ++i)
                y[at + i] = Bool8(f((*a.strings)[static_cast<std::size_t>(offsets[0] + i * plan.rowStride(0))],
                                    (*b.strings)[static_cast<std::size_t>(offsets[1] + i * plan.rowStride(1))]));
        });
        return {};
    };
}

template <typename F>
KernelFunction logical(F f)
{
    return [f](KernelContext& context) { return runBinary(context, boolType, f); };
}

template <typename F>
KernelFunction bitwise(F f)
{
    return [f](KernelContext& context) -> Status {
        if (context.input(0).dtype == DataType::Bool)
            return runBinary(context, boolType, [f](bool a, bool b) { return f(int{a}, int{b}) != 0; });
        return runBinary(context, integerTypes, [f]<typename T>(T a, T b) { return static_cast<T>(f(a, b)); });
    };
}

template <typename T>
bool isShiftOut(T amount)
{
    if constexpr (std::is_signed_v<T>)
        if (amount < 0) return true;
    return static_cast<std::uint64_t>(amount) >= sizeof(T) * 8;
}

// Shifts by the element's width or more (and by negative amounts) push every bit out.
constexpr auto shiftLeft = []<typename T>(T value, T amount) -> T {
    return isShiftOut(amount) ? T(0) : static_cast<T>(static_cast<Wrapping<T>>(value) << amount);
};
constexpr auto shiftRight = []<typename T>(T value, T amount) -> T {
    if (isShiftOut(amount)) return std::is_signed_v<T> && value < T(0) ? static_cast<T>(-1) : T(0);
    return static_cast<T>(value >> amount);
};

OpDef shift(std::string type, std::string doc, KernelFunction kernel)
{
    OpDef def(std::move(type));
    def.doc(std::move(doc)).source(canonical).input("x").input("y").output("z");
    def.unit(Unit::Vector).fusionClass(FusionClass::Broadcast).formats(FormatSupport::AnyElement).mayRunInPlace();
    def.infer(broadcastInputs).cost(elementwise(1)).kernel(std::move(kernel));
    return def;
}

/// y = f(x) as bool, for floats; small floats through their values.
template <typename F>
KernelFunction classify(F make)
{
    return [make](KernelContext& context) -> Status {
        const TensorView& x = context.input(0);
        const auto f = make(context.attrs());
        GELENS_ASSIGN(Bool8* const y, context.outputAs<Bool8>(0, DataType::Bool, x.shape));
        const bool known = visitArithmetic(x.dtype, [&]<typename T>(TypeTag<T>) {
            unaryLoop(y, reinterpret_cast<const T*>(x.data), x.elementCount(),
                      [f](auto value) { return f(static_cast<double>(value)); });
        });
        if (known) return {};
        GELENS_ASSIGN(const std::vector<double> values, context.doubles(0));
        unaryLoop(y, values.data(), static_cast<std::int64_t>(values.size()), f);
        return {};
    };
}

OpDef classification(std::string type, std::string doc, KernelFunction kernel)
{
    OpDef def = unary(std::move(type), std::move(doc), 1, std::move(kernel));
    return def.infer(sameShapeAs(DataType::Bool));
}

Status inferSelect(InferContext& context)
{
    if (context.dtype(0) != DataType::Bool && context.dtype(0) != DataType::Undefined)
        return context.error("the condition is not bool");
    if (context.dtype(1) != context.dtype(2) && context.dtype(1) != DataType::Undefined &&
        context.dtype(2) != DataType::Undefined)
        return context.error("the two choices have different types");
    auto choices = broadcastShapes(context.shape(1), context.shape(2));
    if (!choices.ok()) return at(context, choices.error());
    auto shape = broadcastShapes(choices.value(), context.shape(0));
    if (!shape.ok()) return at(context, shape.error());
    context.setOutput(0, context.dtype(1), std::move(shape).value());
    return {};
}

template <typename T>
void selectCells(const BroadcastPlan& plan, T* y, const Bool8* condition, const T* a, const T* b)
{
    const std::int64_t sc = plan.rowStride(0), sa = plan.rowStride(1), sb = plan.rowStride(2);
    const std::int64_t n = plan.rowLength();
    plan.forEachRow([=](std::int64_t at, const std::int64_t* offsets) {
        const Bool8* const c = condition + offsets[0];
        const T* const pa = a + offsets[1];
        const T* const pb = b + offsets[2];
        T* const to = y + at;
        for (std::int64_t i = 0; i < n; ++i) to[i] = c[i * sc] ? pa[i * sa] : pb[i * sb];
    });
}

/// Moves elements of any type, text included.
Status selectKernel(KernelContext& context)
{
    const TensorView& condition = context.input(0);
    const TensorView& a = context.input(1);
    const TensorView& b = context.input(2);
    if (condition.dtype != DataType::Bool) return typeError(context, 0);
    if (a.dtype != b.dtype) return context.error("the two choices have different types");
    auto choices = broadcastShapes(a.shape, b.shape);
    if (!choices.ok()) return context.error(choices.error().what);
    auto wide = broadcastShapes(choices.value(), condition.shape);
    if (!wide.ok()) return context.error(wide.error().what);
    const Shape& shape = wide.value();

    movement::CellMover cells(context);
    GELENS_ASSIGN(const movement::Cells yes, cells.input(1));
    GELENS_ASSIGN(const movement::Cells no, cells.input(2));
    GELENS_ASSIGN(std::byte* const y, cells.output(0, a.dtype, shape));
    const BroadcastPlan plan(shape, {&condition.shape, &a.shape, &b.shape});
    const auto* const flags = reinterpret_cast<const Bool8*>(condition.data);
    const auto run = [&]<typename T>(TypeTag<T>) {
        selectCells(plan, reinterpret_cast<T*>(y), flags, reinterpret_cast<const T*>(yes.data),
                    reinterpret_cast<const T*>(no.data));
    };
    switch (yes.width) {
    case 1: run(TypeTag<std::uint8_t>{}); break;
    case 2: run(TypeTag<std::uint16_t>{}); break;
    case 4: run(TypeTag<std::uint32_t>{}); break;
    case 8: run(TypeTag<std::uint64_t>{}); break;
    default: run(TypeTag<Bytes16>{}); break;
    }
    return cells.finish();
}

OpDef selection(std::string type, const char* yes, const char* no, const char* result)
{
    OpDef def(std::move(type));
    def.doc("Takes each element from the first choice where the condition holds, else from the second; broadcasts.")
        .source(canonical)
        .input("condition")
        .input(yes)
        .input(no)
        .output(result)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Broadcast)
        .formats(FormatSupport::AnyElement)
        .mayRunInPlace(0, 1)
        .mayRunInPlace(0, 2)
        .infer(inferSelect)
        .cost(elementwise(1))
        .kernel(selectKernel);
    return def;
}

void registerComparisons(OpRegistry& ops)
{
    ops.add(predicate("Equal", "x1 = x2", equality([](const auto& a, const auto& b) { return a == b; })));
    ops.add(predicate("NotEqual", "x1 ≠ x2", equality([](const auto& a, const auto& b) { return a != b; })));
    ops.add(predicate("Greater", "x1 > x2", comparison([](auto a, auto b) { return a > b; })).hasHostKernel());
    ops.add(predicate("GreaterEqual", "x1 ≥ x2", comparison([](auto a, auto b) { return a >= b; })));
    ops.add(predicate("Less", "x1 < x2", comparison([](auto a, auto b) { return a < b; })));
    ops.add(predicate("LessEqual", "x1 ≤ x2", comparison([](auto a, auto b) { return a <= b; })));
    ops.add(predicate("LogicalAnd", "x1 and x2", logical([](bool a, bool b) { return a && b; })).mayRunInPlace());
    ops.add(predicate("LogicalOr", "x1 or x2", logical([](bool a, bool b) { return a || b; })).mayRunInPlace());
    ops.add(predicate("LogicalXor", "Exactly one of x1 and x2", logical([](bool a, bool b) { return a != b; }))
                .mayRunInPlace());
    ops.add(unary("LogicalNot", "not x", 1, [](KernelContext& context) -> Status {
        const TensorView& x = context.input(0);
        if (x.dtype != DataType::Bool) return typeError(context, 0);
        GELENS_ASSIGN(Bool8* const y, context.outputAs<Bool8>(0, DataType::Bool, x.shape));
        unaryLoop(y, reinterpret_cast<const Bool8*>(x.data), x.elementCount(), [](bool value) { return !value; });
        return {};
    }));
}

void registerBits(OpRegistry& ops)
{
    ops.add(binary("BitwiseAnd", "Bits set in both", 1, bitwise([](auto a, auto b) { return a & b; })));
    ops.add(binary("BitwiseOr", "Bits set in either", 1, bitwise([](auto a, auto b) { return a | b; })));
    ops.add(binary("BitwiseXor", "Bits set in exactly one", 1, bitwise([](auto a, auto b) { return a ^ b; })));
    ops.add(unary("Invert", "Every bit turned over", 1, [](KernelContext& context) -> Status {
        const TensorView& x = context.input(0);
        Status status;
        const bool known = visitInteger(x.dtype, [&]<typename T>(TypeTag<T>) {
            auto y = context.outputAs<T>(0, x.dtype, x.shape);
            if (y.ok())
                unaryLoop(y.value(), reinterpret_cast<const T*>(x.data), x.elementCount(),
                          [](T value) { return static_cast<T>(~value); });
            else
                status = y.error();
        });
        return known ? status : Status(typeError(context, 0));
    }));
    ops.add(shift("LeftShift", "z = x shifted up by y bits",
                  [](KernelContext& context) { return runBinary(context, integerTypes, shiftLeft); }));
    ops.add(shift("RightShift", "z = x shifted down by y bits",
                  [](KernelContext& context) { return runBinary(context, integerTypes, shiftRight); }));
}

} // namespace

void registerLogicOps(OpRegistry& ops)
{
    registerComparisons(ops);
    registerBits(ops);
    ops.add(classification("IsNan", "Whether x is NaN",
                           classify([](const AttrMap&) { return [](double x) { return std::isnan(x); }; })));
    ops.add(classification("IsFinite", "Whether x is neither infinite nor NaN",
                           classify([](const AttrMap&) { return [](double x) { return std::isfinite(x); }; })));
    ops.add(classification("IsInf", "Whether x is infinite. The two attributes (of ONNX IsInf) leave one sign out.",
                           classify([](const AttrMap& attrs) {
                               const bool up = attrBool(attrs, "detect_positive", true);
                               const bool down = attrBool(attrs, "detect_negative", true);
                               return [up, down](double x) { return std::isinf(x) && (x > 0 ? up : down); };
                           }))
                .attr("detect_negative", true)
                .attr("detect_positive", true));
    ops.add(selection("Select", "x1", "x2", "y"));
    ops.add(selection("SelectV2", "then", "else", "result"));
}

} // namespace gelens
