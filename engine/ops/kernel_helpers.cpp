#include "engine/ops/kernel_helpers.h"

#include "engine/ops/infer_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace gelens {

BroadcastPlan::BroadcastPlan(const Shape& out, std::initializer_list<const Shape*> operands)
{
    const int rank = out.rank();
    // Strides over the output's dims, innermost first, merging as we go.
    std::vector<std::int64_t> next(operands.size(), 1); // stride that the next outer dim of each operand would have
    m_strides.resize(operands.size());
    for (int d = rank - 1; d >= 0; --d) {
        const std::int64_t length = out.dim(d);
        std::vector<std::int64_t> strides(operands.size(), 0);
        std::size_t k = 0;
        for (const Shape* const shape : operands) {
            const int own = d - (rank - shape->rank());
            const std::int64_t dim = own >= 0 ? shape->dim(own) : 1;
            if (dim != 1) strides[k] = next[k];
            next[k] *= dim;
            ++k;
        }
        if (length == 1) continue;
        bool merges = !m_dims.empty();
        for (k = 0; merges && k < strides.size(); ++k) merges = strides[k] == m_strides[k].back() * m_dims.back();
        if (merges) {
            m_dims.back() *= length;
            continue;
        }
        m_dims.push_back(length);
        for (k = 0; k < strides.size(); ++k) m_strides[k].push_back(strides[k]);
    }
    if (m_dims.empty()) { // a scalar, or only dims of 1
        m_dims.push_back(1);
        for (auto& strides : m_strides) strides.push_back(1);
    }
    std::reverse(m_dims.begin(), m_dims.end());
    for (auto& strides : m_strides) std::reverse(strides.begin(), strides.end());
    m_rowCount = 1;
    for (const std::int64_t dim : m_dims) m_rowCount *= dim;
    if (m_rowCount > 0) m_rowCount /= m_dims.back();
}

AxisSplit::AxisSplit(const Shape& shape, int axis)
{
    for (int i = 0; i < shape.rank(); ++i) (i < axis ? outer : i == axis ? length : inner) *= shape.dim(i);
}

Error typeError(const KernelContext& context, int input)
{
    return context.error(
        fmt::format("type {} of input {} is not supported", dataTypeShortName(context.input(input).dtype), input));
}

Result<int> kernelAxis(const KernelContext& context, std::int64_t axis, int rank)
{
    const std::optional<int> normal = normalizeAxis(axis, rank);
    if (!normal) return context.error(fmt::format("axis {} does not exist in a tensor of rank {}", axis, rank));
    return *normal;
}

Status copyTensor(KernelContext& context, int out, int in, const Shape* shape)
{
    const TensorView& x = context.input(in);
    if (x.dtype == DataType::Resource || x.dtype == DataType::Variant) { // sequences and optionals
        context.setSequence(out, x.sequence ? *x.sequence : std::vector<HostTensor>(), x.dtype);
        return {};
    }
    const Shape& target = shape ? *shape : x.shape;
    if (target.elementCount() != x.shape.elementCount())
        return context.error(fmt::format("{} elements do not fit the shape {}", x.elementCount(), target.text()));
    if (x.dtype == DataType::String) {
        context.setStrings(out, target, x.strings ? *x.strings : std::vector<std::string>());
        return {};
    }
    GELENS_ASSIGN(std::byte* const y, context.output(out, x.dtype, target));
    const auto bytes = static_cast<std::size_t>(storageBytes(x.dtype, x.shape).value_or(0));
    if (bytes > 0 && y != x.data) std::memmove(y, x.data, bytes);
    return {};
}

Result<Shape> binaryShape(const KernelContext& context, bool sameType)
{
    const TensorView& a = context.input(0);
    const TensorView& b = context.input(1);
    if (!a.isPresent() || !b.isPresent()) return context.error("an input is missing");
    if (sameType && a.dtype != b.dtype)
        return context.error(
            fmt::format("inputs of types {} and {}", dataTypeShortName(a.dtype), dataTypeShortName(b.dtype)));
    auto shape = broadcastShapes(a.shape, b.shape);
    if (!shape.ok()) return context.error(shape.error().what);
    return shape;
}

} // namespace gelens
