#include "engine/ops/kernel_context.h"

#include "engine/ops/kernel_helpers.h"

#include <fmt/format.h>

#include <limits>

namespace gelens {
namespace {

/// The view as a constant that shares the view's memory, to use the element codec of engine/graph.
Tensor asTensor(const TensorView& view)
{
    Tensor tensor;
    tensor.desc = TensorDesc(view.dtype, view.shape);
    const std::int64_t bytes = storageBytes(view.dtype, view.shape).value_or(0);
    tensor.data = Bytes::window(nullptr, view.data, static_cast<std::size_t>(bytes));
    return tensor;
}

constexpr std::size_t noLimit = std::numeric_limits<std::size_t>::max();

} // namespace

KernelContext::KernelContext(std::string nodeName, std::string opType, const AttrMap& attrs,
                             std::vector<TensorView> inputs, std::vector<DataType> outputTypes,
                             OutputAllocator allocate)
    : m_nodeName(std::move(nodeName)), m_opType(std::move(opType)), m_attrs(attrs), m_inputs(std::move(inputs)),
      m_outputTypes(std::move(outputTypes)), m_allocate(std::move(allocate)), m_stringOutputs(m_outputTypes.size()),
      m_produced(m_outputTypes.size(), {DataType::Undefined, Shape{}})
{
}

const TensorView& KernelContext::input(int i) const
{
    static const TensorView absent;
    return i >= 0 && i < inputCount() ? m_inputs[static_cast<std::size_t>(i)] : absent;
}

Result<std::byte*> KernelContext::output(int i, DataType dtype, const Shape& shape)
{
    GELENS_ASSERT(i >= 0 && i < outputCount());
    if (!storageBytes(dtype, shape))
        return error(
            fmt::format("output {} of type {} and shape {} has no size", i, dataTypeShortName(dtype), shape.text()));
    m_produced[static_cast<std::size_t>(i)] = {dtype, shape};
    return m_allocate(i, dtype, shape);
}

void KernelContext::setStrings(int i, const Shape& shape, std::vector<std::string> values)
{
    GELENS_ASSERT(i >= 0 && i < outputCount());
    GELENS_ASSERT(shape.elementCount() == static_cast<std::int64_t>(values.size()));
    m_produced[static_cast<std::size_t>(i)] = {DataType::String, shape};
    m_stringOutputs[static_cast<std::size_t>(i)] = {shape, std::move(values), true};
}

Result<std::vector<std::int64_t>> KernelContext::ints(int i) const
{
    const TensorView& view = input(i);
    if (!view.isPresent()) return error(fmt::format("input {} is missing", i));
    auto values = asTensor(view).asInts(noLimit);
    if (!values) return error(fmt::format("input {} is {}, not integers", i, dataTypeShortName(view.dtype)));
    return std::move(*values);
}

Result<std::vector<double>> KernelContext::doubles(int i) const
{
    const TensorView& view = input(i);
    if (!view.isPresent()) return error(fmt::format("input {} is missing", i));
    auto values = asTensor(view).asDoubles(noLimit);
    if (!values) return error(fmt::format("input {} is {}, not numbers", i, dataTypeShortName(view.dtype)));
    return std::move(*values);
}

Result<std::vector<float>> KernelContext::floats(int i) const
{
    const TensorView& view = input(i);
    if (!view.isPresent()) return error(fmt::format("input {} is missing", i));
    std::vector<float> values(static_cast<std::size_t>(view.elementCount()));
    const bool isWhole = visitNumeric(view.dtype, [&]<typename T>(TypeTag<T>) {
        const T* const from = reinterpret_cast<const T*>(view.data);
        for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(from[k]);
    });
    if (isWhole) return values;
    GELENS_ASSIGN(const std::vector<double> wide, doubles(i));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(wide[k]);
    return values;
}

Status KernelContext::setFloats(int i, DataType dtype, const Shape& shape, std::span<const float> values)
{
    GELENS_ASSERT(shape.elementCount() == static_cast<std::int64_t>(values.size()));
    GELENS_ASSIGN(std::byte* const data, output(i, dtype, shape));
    const bool isWhole = visitNumeric(dtype, [&]<typename T>(TypeTag<T>) {
        T* const to = reinterpret_cast<T*>(data);
        for (std::size_t k = 0; k < values.size(); ++k) to[k] = saturateTo<T>(values[k]);
    });
    if (isWhole) return {};
    if (!isFloating(dtype) && !isInteger(dtype) && dtype != DataType::Bool)
        return error(fmt::format("cannot store numbers as {}", dataTypeShortName(dtype)));
    const std::vector<double> wide(values.begin(), values.end());
    const Tensor packed = Tensor::fromDoubles(wide, shape, dtype);
    std::copy(packed.data.span().begin(), packed.data.span().end(), data);
    return {};
}

Error KernelContext::error(const std::string& text) const
{
    return Error::invalid(text, fmt::format("node '{}' ({})", m_nodeName, m_opType));
}

} // namespace gelens
