#include "engine/ops/tensor_view.h"

#include "engine/graph/result.h"

#include <cstring>

namespace gelens {

TensorView HostTensor::view() const
{
    TensorView view;
    view.dtype = dtype;
    view.shape = shape;
    if (sequence)
        view.sequence = sequence.get();
    else if (strings)
        view.strings = strings.get();
    else if (bytes)
        view.data = bytes->data();
    else {
        view.data = external.data();
        view.constant = &external;
    }
    return view;
}

HostTensor HostTensor::zeros(DataType dtype, const Shape& shape)
{
    HostTensor tensor;
    tensor.dtype = dtype;
    tensor.shape = shape;
    if (dtype == DataType::String) {
        const auto count = static_cast<std::size_t>(shape.elementCount().value_or(0));
        tensor.strings = std::make_shared<std::vector<std::string>>(count);
        return tensor;
    }
    const std::optional<std::int64_t> size = storageBytes(dtype, shape);
    GELENS_ASSERT(size.has_value());
    // One spare byte, so that an empty tensor has a valid address too.
    tensor.bytes = std::make_shared<std::vector<std::byte>>();
    tensor.bytes->reserve(static_cast<std::size_t>(*size) + 1);
    tensor.bytes->resize(static_cast<std::size_t>(*size));
    return tensor;
}

HostTensor HostTensor::fromConstant(const Tensor& constant)
{
    HostTensor tensor;
    tensor.dtype = constant.desc.dtype;
    tensor.shape = constant.desc.shape;
    if (tensor.dtype == DataType::String)
        tensor.strings = std::make_shared<std::vector<std::string>>(constant.strings);
    else
        tensor.external = constant.data;
    return tensor;
}

Tensor HostTensor::toConstant() const
{
    Tensor constant;
    constant.desc = TensorDesc(dtype, shape);
    if (strings)
        constant.strings = *strings;
    else if (bytes)
        constant.data = Bytes::window(bytes, bytes->data(), bytes->size());
    else
        constant.data = external;
    return constant;
}

} // namespace gelens
