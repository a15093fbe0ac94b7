#include "engine/formats/onnx/value_file.h"

#include "engine/formats/onnx/onnx_proto_internal.h"
#include "engine/formats/onnx/tensor_reader.h"

#include <onnx/onnx-data_pb.h>

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace gelens {
namespace {

/// A value file is read whole; nothing that a test holds comes near this.
constexpr std::uintmax_t sizeLimit = std::uintmax_t{1} << 31;
constexpr std::int64_t denseLimit = std::int64_t{512} << 20;

Result<std::string> readBytes(const std::filesystem::path& path)
{
    std::error_code code;
    const auto size = std::filesystem::file_size(path, code);
    if (code) return Error::io("cannot read the value: " + code.message(), path.string());
    if (size > sizeLimit) return Error::limit("the value is larger than 2 GiB", path.string());
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file && size != 0) return Error::io("cannot read the value", path.string());
    return text.str();
}

class ValueReader {
public:
    explicit ValueReader(const std::filesystem::path& path)
        : m_files({}), m_reader(m_files, denseLimit), m_path(path.string())
    {
    }

    Result<HostTensor> tensor(const onnx::TensorProto& proto)
    {
        auto tensor = m_reader.read(proto);
        if (!tensor.ok()) return Error::invalid(tensor.error().what, m_path);
        return HostTensor::fromConstant(*tensor);
    }

    Result<HostTensor> sequence(const onnx::SequenceProto& proto)
    {
        HostTensor list;
        list.dtype = DataType::Resource;
        list.sequence = std::make_shared<std::vector<HostTensor>>();
        for (const onnx::TensorProto& element : proto.tensor_values()) {
            GELENS_ASSIGN(HostTensor value, tensor(element));
            list.sequence->push_back(std::move(value));
        }
        list.shape = Shape{static_cast<std::int64_t>(list.sequence->size())};
        return list;
    }

    Error damaged(const char* what) const { return Error::invalid(fmt::format("not a {}", what), m_path); }

private:
    onnx_import::ExternalFiles m_files;
    onnx_import::TensorReader m_reader;
    std::string m_path;
};

void fillTensor(const HostTensor& value, onnx::TensorProto& proto)
{
    proto.set_data_type(dataTypeOnnxNumber(value.dtype));
    for (const std::int64_t dim : value.shape.dims()) proto.add_dims(dim);
    const TensorView view = value.view();
    if (view.strings != nullptr) {
        for (const std::string& text : *view.strings) proto.add_string_data(text);
        return;
    }
    const std::int64_t bytes = storageBytes(value.dtype, value.shape).value_or(0);
    proto.set_raw_data(view.data, static_cast<std::size_t>(bytes));
}

} // namespace

Result<NamedValue> readValueFile(const std::filesystem::path& path, ValueFileKind kind)
{
    GELENS_ASSIGN(const std::string bytes, readBytes(path));
    ValueReader reader(path);
    if (kind == ValueFileKind::Tensor) {
        onnx::TensorProto proto;
        if (!proto.ParseFromString(bytes)) return reader.damaged("TensorProto");
        GELENS_ASSIGN(HostTensor value, reader.tensor(proto));
        return NamedValue{proto.name(), std::move(value)};
    }
    if (kind == ValueFileKind::Sequence) {
        onnx::SequenceProto proto;
        if (!proto.ParseFromString(bytes)) return reader.damaged("SequenceProto");
        GELENS_ASSIGN(HostTensor value, reader.sequence(proto));
        return NamedValue{proto.name(), std::move(value)};
    }
    onnx::OptionalProto proto;
    if (!proto.ParseFromString(bytes)) return reader.damaged("OptionalProto");
    HostTensor value;
    value.dtype = DataType::Variant; // an optional without a value
    if (proto.has_tensor_value()) {
        GELENS_ASSIGN(value, reader.tensor(proto.tensor_value()));
    } else if (proto.has_sequence_value()) {
        GELENS_ASSIGN(value, reader.sequence(proto.sequence_value()));
    }
    return NamedValue{proto.name(), std::move(value)};
}

Status writeValueFile(const std::filesystem::path& path, const std::string& name, const HostTensor& value)
{
    std::string bytes;
    if (value.sequence != nullptr && value.dtype == DataType::Resource) {
        onnx::SequenceProto proto;
        proto.set_name(name);
        proto.set_elem_type(onnx::SequenceProto::TENSOR);
        for (const HostTensor& element : *value.sequence) fillTensor(element, *proto.add_tensor_values());
        proto.SerializeToString(&bytes);
    } else {
        if (dataTypeOnnxNumber(value.dtype) == 0)
            return Error::unsupported(fmt::format("ONNX has no type for {}", dataTypeName(value.dtype)), path.string());
        onnx::TensorProto proto;
        proto.set_name(name);
        fillTensor(value, proto);
        proto.SerializeToString(&bytes);
    }
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) return Error::io("cannot write the file", path.string());
    return Status::success();
}

} // namespace gelens
