#pragma once
// What kernels share: broadcasting loops and ready-made element-wise kernels. For the folder's .cpp files.

#include "engine/ops/element_types.h"
#include "engine/ops/op_def.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace gelens {

/// How up to a few operands are walked while an output is written in order. Dims that all operands walk alike are
/// merged, so that equal shapes, scalars and inner-contiguous operands come out as few long rows.
class BroadcastPlan {
public:
    /// Operands must be broadcastable to `out` (as inference checked); all shapes are known.
    BroadcastPlan(const Shape& out, std::initializer_list<const Shape*> operands);

    std::int64_t rowLength() const { return m_dims.back(); }
    std::int64_t rowCount() const { return m_rowCount; }
    /// Step of an operand along a row, in elements: 1, or 0 when it repeats; other values for odd layouts.
    std::int64_t rowStride(int operand) const { return m_strides[static_cast<std::size_t>(operand)].back(); }

    /// f(outOffset, offsets): first element of each row in the output and in each operand.
    template <typename F>
    void forEachRow(F&& f) const
    {
        std::vector<std::int64_t> index(m_dims.size(), 0);
        std::vector<std::int64_t> offsets(m_strides.size(), 0);
        for (std::int64_t row = 0; row < m_rowCount; ++row) {
            f(row * rowLength(), static_cast<const std::int64_t*>(offsets.data()));
            for (std::size_t d = m_dims.size() - 1; d-- > 0;) {
                ++index[d];
                for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] += m_strides[k][d];
                if (index[d] < m_dims[d]) break;
                for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] -= m_strides[k][d] * m_dims[d];
                index[d] = 0;
            }
        }
    }

private:
    std::vector<std::int64_t> m_dims;                 // at least one
    std::vector<std::vector<std::int64_t>> m_strides; // of each operand, in elements
    std::int64_t m_rowCount = 0;
};

/// fp16 and bf16 are converted block by block: with the conversions in loops of their own, each loop vectorises.
template <typename T>
inline constexpr bool isNarrowFloat = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
inline constexpr std::int64_t narrowBlock = 512;

/// out[i] = f(in[i]) in compute types. `out` may be `in`.
template <typename To, typename From, typename F>
void unaryLoop(To* out, const From* in, std::int64_t count, F f)
{
    if constexpr (isNarrowFloat<To> && isNarrowFloat<From>) {
        float block[narrowBlock];
        for (std::int64_t start = 0; start < count; start += narrowBlock) {
            const std::int64_t n = std::min(narrowBlock, count - start);
            for (std::int64_t i = 0; i < n; ++i) block[i] = load(in[start + i]);
            for (std::int64_t i = 0; i < n; ++i) block[i] = static_cast<float>(f(block[i]));
            for (std::int64_t i = 0; i < n; ++i) out[start + i] = To(block[i]);
        }
    } else {
        for (std::int64_t i = 0; i < count; ++i) out[i] = store<To>(f(load(in[i])));
    }
}

/// to[i] = f(a[i], b[i]) for contiguous operands, or one number in place of either (stride 0).
template <typename T, typename F>
void narrowRow(T* to, const T* a, std::int64_t strideA, const T* b, std::int64_t strideB, std::int64_t count, F f)
{
    float left[narrowBlock], right[narrowBlock];
    const std::int64_t most = std::min(narrowBlock, count);
    if (strideA == 0) std::fill_n(left, most, load(*a));
    if (strideB == 0) std::fill_n(right, most, load(*b));
    for (std::int64_t start = 0; start < count; start += narrowBlock) {
        const std::int64_t n = std::min(narrowBlock, count - start);
        if (strideA != 0)
            for (std::int64_t i = 0; i < n; ++i) left[i] = load(a[start + i]);
        if (strideB != 0)
            for (std::int64_t i = 0; i < n; ++i) right[i] = load(b[start + i]);
        float result[narrowBlock];
        for (std::int64_t i = 0; i < n; ++i) result[i] = static_cast<float>(f(left[i], right[i]));
        for (std::int64_t i = 0; i < n; ++i) to[start + i] = T(result[i]);
    }
}

template <typename To, typename A, typename B, typename F>
void binaryLoop(const BroadcastPlan& plan, To* out, const A* a, const B* b, F f)
{
    const std::int64_t n = plan.rowLength();
    const std::int64_t sa = plan.rowStride(0), sb = plan.rowStride(1);
    plan.forEachRow([=](std::int64_t at, const std::int64_t* offsets) {
        To* const to = out + at;
        const A* const pa = a + offsets[0];
        const B* const pb = b + offsets[1];
        if constexpr (isNarrowFloat<To> && std::is_same_v<To, A> && std::is_same_v<To, B>) {
            if (sa <= 1 && sb <= 1) {
                narrowRow(to, pa, sa, pb, sb, n, f);
                return;
            }
        }
        if (sa == 1 && sb == 1) {
            for (std::int64_t i = 0; i < n; ++i) to[i] = store<To>(f(load(pa[i]), load(pb[i])));
        } else if (sa == 1 && sb == 0) {
            const auto right = load(*pb);
            for (std::int64_t i = 0; i < n; ++i) to[i] = store<To>(f(load(pa[i]), right));
        } else if (sa == 0 && sb == 1) {
            const auto left = load(*pa);
            for (std::int64_t i = 0; i < n; ++i) to[i] = store<To>(f(left, load(pb[i])));
        } else {
            for (std::int64_t i = 0; i < n; ++i) to[i] = store<To>(f(load(pa[i * sa]), load(pb[i * sb])));
        }
    });
}

/// Shape around one axis: element (o, i, n) lies at (o * length + i) * inner + n.
struct AxisSplit {
    std::int64_t outer = 1, length = 1, inner = 1;
    AxisSplit(const Shape& shape, int axis);
};

/// "type fp8e4m3fn of input 0 is not supported".
Error typeError(const KernelContext& context, int input);
/// The axis attribute or input as a positive number, or an error that names it.
Result<int> kernelAxis(const KernelContext& context, std::int64_t axis, int rank);
/// Copies input `in` to output `out`, under another shape of as many elements when given. Any type, strings and
/// sequences too.
Status copyTensor(KernelContext& context, int out, int in, const Shape* shape = nullptr);

// Kernels made of one element function. f is generic: it is called with float, double or an integer type.

/// y = f(x) for floating types. f may also take the attributes, bound once: see unaryFloatWith.
template <typename F>
KernelFunction unaryFloat(F f)
{
    return [f](KernelContext& context) -> Status {
        const TensorView& x = context.input(0);
        Status status;
        const bool known = visitFloating(x.dtype, [&]<typename T>(TypeTag<T>) {
            auto y = context.outputAs<T>(0, x.dtype, x.shape);
            if (!y.ok())
                status = y.error();
            else
                unaryLoop(y.value(), reinterpret_cast<const T*>(x.data), x.elementCount(), f);
        });
        return known ? status : Status(typeError(context, 0));
    };
}

/// y = f(x) for floating and integer types.
template <typename F>
KernelFunction unaryArithmetic(F f)
{
    return [f](KernelContext& context) -> Status {
        const TensorView& x = context.input(0);
        Status status;
        const bool known = visitArithmetic(x.dtype, [&]<typename T>(TypeTag<T>) {
            auto y = context.outputAs<T>(0, x.dtype, x.shape);
            if (!y.ok())
                status = y.error();
            else
                unaryLoop(y.value(), reinterpret_cast<const T*>(x.data), x.elementCount(), f);
        });
        return known ? status : Status(typeError(context, 0));
    };
}

/// y = f(x) for floating types, with f = make(attributes), a function object on float and double.
template <typename Make>
KernelFunction unaryFloatWith(Make make)
{
    return [make](KernelContext& context) -> Status { return unaryFloat(make(context.attrs()))(context); };
}

/// The shape of two broadcast inputs, and an error when the second has another type than the first.
Result<Shape> binaryShape(const KernelContext& context, bool sameType = true);

/// y = f(a, b) with broadcasting, for the dtypes that `visit` (visitArithmetic, visitFloating …) knows;
/// `To` = void: the result has the inputs' type, else it is of type To, stored as `toType`.
template <typename To = void, typename Visit, typename F>
Status runBinary(KernelContext& context, Visit visit, F f, DataType toType = DataType::Undefined)
{
    const TensorView& a = context.input(0);
    const TensorView& b = context.input(1);
    GELENS_ASSIGN(const Shape shape, binaryShape(context));
    const BroadcastPlan plan(shape, {&a.shape, &b.shape});
    Status status;
    const bool known = visit(a.dtype, [&]<typename T>(TypeTag<T>) {
        using Target = std::conditional_t<std::is_void_v<To>, T, To>;
        auto y = context.outputAs<Target>(0, std::is_void_v<To> ? a.dtype : toType, shape);
        if (!y.ok())
            status = y.error();
        else
            binaryLoop(plan, y.value(), reinterpret_cast<const T*>(a.data), reinterpret_cast<const T*>(b.data), f);
    });
    return known ? status : Status(typeError(context, 0));
}

inline constexpr auto floatingTypes = [](DataType dtype, auto&& f) { return visitFloating(dtype, f); };
inline constexpr auto integerTypes = [](DataType dtype, auto&& f) { return visitInteger(dtype, f); };
inline constexpr auto arithmeticTypes = [](DataType dtype, auto&& f) { return visitArithmetic(dtype, f); };
inline constexpr auto boolType = [](DataType dtype, auto&& f) {
    if (dtype == DataType::Bool) f(TypeTag<Bool8>{});
    return dtype == DataType::Bool;
};
inline constexpr auto numericTypes = [](DataType dtype, auto&& f) { return visitNumeric(dtype, f); };

template <typename F>
KernelFunction binaryArithmetic(F f)
{
    return [f](KernelContext& context) { return runBinary(context, arithmeticTypes, f); };
}

} // namespace gelens
