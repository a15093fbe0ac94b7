#include "engine/formats/onnx/tensor_reader.h"

#include "engine/formats/onnx/text.h"

#include <fmt/core.h>

#include <charconv>
#include <cstring>
#include <limits>

namespace gelens::onnx_import {
namespace {

std::string shownName(const std::string& name)
{
    return name.empty() ? std::string("a tensor without a name") : fmt::format("'{}'", cleanText(name));
}

/// Typed fields hold numbers one by one: copies their low bytes.
template <typename Stored, typename Values>
Bytes packed(const Values& values)
{
    std::vector<std::byte> bytes(static_cast<std::size_t>(values.size()) * sizeof(Stored));
    std::byte* target = bytes.data();
    for (const auto value : values) {
        const auto stored = static_cast<Stored>(value);
        std::memcpy(target, &stored, sizeof(Stored));
        target += sizeof(Stored);
    }
    return Bytes::owned(std::move(bytes));
}

Error wrongCount(const std::string& shown, std::int64_t have, std::int64_t need, const char* what)
{
    return Error::invalid(fmt::format("{} has {} {}, its shape needs {}", shown, have, what, need));
}

template <typename Stored, typename Values>
Status takeTyped(const Values& values, std::int64_t need, const std::string& shown, Tensor& tensor)
{
    if (values.size() != need) return wrongCount(shown, values.size(), need, "values");
    tensor.data = packed<Stored>(values);
    return Status::success();
}

/// Types whose elements share bytes or are one byte sit in int32_data byte by byte; fp16 and bf16 as bit patterns.
Status takeInt32Data(const onnx::TensorProto& proto, std::int64_t count, std::int64_t bytes, const std::string& shown,
                     Tensor& tensor)
{
    const auto& values = proto.int32_data();
    switch (dataTypeBits(tensor.desc.dtype)) {
    case 32: return takeTyped<std::int32_t>(values, count, shown, tensor);
    case 16: return takeTyped<std::uint16_t>(values, count, shown, tensor);
    default: return takeTyped<std::uint8_t>(values, bytes, shown, tensor);
    }
}

Status takeTypedData(const onnx::TensorProto& proto, std::int64_t count, std::int64_t bytes, const std::string& shown,
                     Tensor& tensor)
{
    switch (tensor.desc.dtype) {
    case DataType::Float: return takeTyped<float>(proto.float_data(), count, shown, tensor);
    case DataType::Complex64: return takeTyped<float>(proto.float_data(), 2 * count, shown, tensor);
    case DataType::Double: return takeTyped<double>(proto.double_data(), count, shown, tensor);
    case DataType::Complex128: return takeTyped<double>(proto.double_data(), 2 * count, shown, tensor);
    case DataType::Int64: return takeTyped<std::int64_t>(proto.int64_data(), count, shown, tensor);
    case DataType::UInt64: return takeTyped<std::uint64_t>(proto.uint64_data(), count, shown, tensor);
    case DataType::UInt32: return takeTyped<std::uint32_t>(proto.uint64_data(), count, shown, tensor);
    default: return takeInt32Data(proto, count, bytes, shown, tensor);
    }
}

/// Kernels read elements in place, so a window that is not aligned for them is copied.
Bytes windowOrCopy(const std::shared_ptr<const void>& owner, std::span<const std::byte> bytes, DataType dtype)
{
    const auto size = static_cast<std::uintptr_t>(std::max(1, std::min(64, dataTypeBits(dtype)) / 8));
    if (!owner || reinterpret_cast<std::uintptr_t>(bytes.data()) % size != 0)
        return Bytes::copyOf(bytes.data(), bytes.size());
    return Bytes::window(owner, bytes.data(), bytes.size());
}

Result<std::int64_t> parseNumber(const std::string& text, const char* key, const std::string& shown)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0)
        return Error::invalid(fmt::format("{}: external data has the {} '{}', which is no position in a file", shown,
                                          key, cleanText(text)));
    return value;
}

Result<Shape> shapeOf(const onnx::TensorProto& proto, const std::string& shown)
{
    Shape shape{};
    for (const std::int64_t dim : proto.dims()) {
        if (dim < 0) return Error::invalid(fmt::format("{} has a negative dimension ({})", shown, dim));
        shape.append(dim);
    }
    return shape;
}

} // namespace

Result<Tensor> TensorReader::read(const onnx::TensorProto& proto, const std::optional<RawWindow>& window)
{
    const std::string shown = shownName(proto.name());
    const DataType dtype = dataTypeFromOnnxNumber(proto.data_type());
    if (dtype == DataType::Undefined)
        return Error::invalid(fmt::format("{} has the unknown data type {}", shown, proto.data_type()));
    if (proto.has_segment())
        return Error::unsupported(fmt::format("{} is stored in segments, which no tool writes", shown));
    GELENS_ASSIGN(const Shape shape, shapeOf(proto, shown));
    Tensor tensor;
    tensor.desc = TensorDesc(dtype, shape);
    const std::optional<std::int64_t> count = shape.elementCount();
    if (!count) return Error::invalid(fmt::format("the size of {} overflows", shown));
    if (dtype == DataType::String) {
        if (proto.string_data_size() != *count) return wrongCount(shown, proto.string_data_size(), *count, "strings");
        tensor.strings.assign(proto.string_data().begin(), proto.string_data().end());
        return tensor;
    }
    const std::optional<std::int64_t> bytes = storageBytes(dtype, shape);
    if (!bytes || *bytes > std::numeric_limits<std::int64_t>::max() / 2)
        return Error::invalid(fmt::format("the size of {} overflows", shown));

    if (proto.data_location() == onnx::TensorProto::EXTERNAL || proto.external_data_size() > 0) {
        GELENS_TRY(readExternal(proto, shown, *bytes, tensor));
    } else if (window || proto.has_raw_data()) {
        const RawWindow raw =
            window ? *window
                   : RawWindow{nullptr, std::as_bytes(std::span(proto.raw_data().data(), proto.raw_data().size()))};
        const auto have = static_cast<std::int64_t>(raw.bytes.size());
        // An empty raw_data beside a typed field is how some writers leave it unset.
        if (have == 0 && *bytes > 0) {
            GELENS_TRY(takeTypedData(proto, *count, *bytes, shown, tensor));
        } else {
            if (have != *bytes) return wrongCount(shown, have, *bytes, "bytes");
            tensor.data = windowOrCopy(raw.owner, raw.bytes, dtype);
        }
    } else if (*count > 0) {
        GELENS_TRY(takeTypedData(proto, *count, *bytes, shown, tensor));
    }
    return tensor;
}

Status TensorReader::readExternal(const onnx::TensorProto& proto, const std::string& shown, std::int64_t bytes,
                                  Tensor& tensor)
{
    ExternalData where;
    std::optional<std::int64_t> length;
    for (const auto& entry : proto.external_data()) {
        if (entry.key() == "location") {
            where.location = entry.value();
        } else if (entry.key() == "offset") {
            GELENS_ASSIGN(where.offset, parseNumber(entry.value(), "offset", shown));
        } else if (entry.key() == "length") {
            GELENS_ASSIGN(length, parseNumber(entry.value(), "length", shown));
        }
    }
    where.length = bytes;
    if (length && *length != bytes)
        return Error::invalid(
            fmt::format("{}: external data has the length {}, its shape needs {} bytes", shown, *length, bytes));
    auto opened = m_files.open(where.location);
    if (!opened.ok()) {
        Error error = opened.error();
        error.what = shown + ": " + error.what;
        return error;
    }
    ExternalFiles::File& file = *opened.value();
    if (!file.map) {
        ++file.missingTensors;
        file.missingBytes += bytes;
    } else {
        const auto size = static_cast<std::int64_t>(file.map->size());
        if (where.offset > size || bytes > size - where.offset)
            return Error::invalid(
                fmt::format("{}: external data at offset {} with {} bytes runs past the end of '{}' ({} bytes)", shown,
                            where.offset, bytes, cleanText(where.location), size));
        tensor.data = windowOrCopy(
            file.map,
            file.map->bytes().subspan(static_cast<std::size_t>(where.offset), static_cast<std::size_t>(bytes)),
            tensor.desc.dtype);
    }
    tensor.external = std::move(where);
    return Status::success();
}

Result<Tensor> TensorReader::readSparse(const onnx::SparseTensorProto& proto)
{
    GELENS_ASSIGN(const Tensor values, read(proto.values()));
    GELENS_ASSIGN(const Tensor indices, read(proto.indices()));
    const std::string shown = "sparse tensor " + shownName(proto.values().name());
    if (!values.isPresent() || !indices.isPresent())
        return Error::unsupported(shown + " keeps its values in an external file that is missing");
    Tensor dense;
    Shape shape{};
    for (const std::int64_t dim : proto.dims()) {
        if (dim < 0) return Error::invalid(fmt::format("{} has a negative dimension ({})", shown, dim));
        shape.append(dim);
    }
    dense.desc = TensorDesc(values.desc.dtype, shape);
    const std::optional<std::int64_t> bytes = storageBytes(values.desc.dtype, shape);
    const int bits = dataTypeBits(values.desc.dtype);
    if (!bytes || bits % 8 != 0 || bits == 0)
        return Error::unsupported(shown + " has a size or type that cannot be made dense");
    if (*bytes > m_maxDenseBytes)
        return Error::limit(fmt::format("{} needs {} bytes when made dense, more than the limit of {}", shown, *bytes,
                                        m_maxDenseBytes));

    const std::int64_t count = values.elementCount();
    const int rank = shape.rank();
    const bool isLinear = indices.desc.shape.rank() == 1;
    const std::int64_t indexCount = isLinear ? count : count * rank;
    if (indices.elementCount() != indexCount) return wrongCount(shown, indices.elementCount(), indexCount, "indices");
    const auto positions = indices.asInts(static_cast<std::size_t>(indexCount));
    if (!positions) return Error::invalid(shown + " has indices that are no integers");
    std::vector<std::byte> data(static_cast<std::size_t>(*bytes));
    const auto size = static_cast<std::size_t>(bits / 8);
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t place = 0;
        bool isInside = true;
        if (isLinear) {
            place = (*positions)[static_cast<std::size_t>(i)];
            isInside = place >= 0 && place < dense.elementCount();
        } else {
            for (int d = 0; d < rank; ++d) {
                const std::int64_t at = (*positions)[static_cast<std::size_t>(i * rank + d)];
                isInside = isInside && at >= 0 && at < shape.dim(d);
                place = isInside ? place * shape.dim(d) + at : 0;
            }
        }
        if (!isInside) return Error::invalid(fmt::format("{} has an index outside its shape {}", shown, shape.text()));
        std::memcpy(data.data() + static_cast<std::size_t>(place) * size,
                    values.data.data() + static_cast<std::size_t>(i) * size, size);
    }
    dense.data = Bytes::owned(std::move(data));
    return dense;
}

} // namespace gelens::onnx_import
