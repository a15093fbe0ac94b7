#pragma once
// TensorProto and SparseTensorProto to constants; private to this folder.

#include "engine/formats/onnx/external_data.h"
#include "engine/formats/onnx/onnx_proto_internal.h"
#include "engine/graph/tensor.h"

#include <memory>
#include <optional>
#include <span>

namespace gelens::onnx_import {

/// Raw data that was left in the mapped file.
struct RawWindow {
    std::shared_ptr<const void> owner;
    std::span<const std::byte> bytes;
};

class TensorReader {
public:
    TensorReader(ExternalFiles& files, std::int64_t maxDenseBytes) : m_files(files), m_maxDenseBytes(maxDenseBytes) {}

    /// `window` replaces `raw_data`. Errors name the tensor: "'w' has 7 bytes, its shape needs 16".
    Result<Tensor> read(const onnx::TensorProto& proto, const std::optional<RawWindow>& window = {});
    /// Dense, zeros where the file says nothing. The limit on its size is that of the reader.
    Result<Tensor> readSparse(const onnx::SparseTensorProto& proto);

private:
    Status readExternal(const onnx::TensorProto& proto, const std::string& shown, std::int64_t bytes, Tensor& tensor);

    ExternalFiles& m_files;
    std::int64_t m_maxDenseBytes;
};

} // namespace gelens::onnx_import
