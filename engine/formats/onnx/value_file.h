#pragma once
// Values in files of their own, as ONNX test folders hold them: input_0.pb, output_0.pb.

#include "engine/graph/result.h"
#include "engine/ops/tensor_view.h"

#include <filesystem>
#include <string>

namespace gelens {

enum class ValueFileKind { Tensor, Sequence, Optional };

/// A value with the name that its file gives it (may be empty).
struct NamedValue {
    std::string name;
    HostTensor value;
};

/// Reads a TensorProto, SequenceProto or OptionalProto; the file does not say which it is. An empty file is an empty
/// sequence or an optional without a value. Errors carry the path as `where`.
Result<NamedValue> readValueFile(const std::filesystem::path& path, ValueFileKind kind);

/// Writes a TensorProto (or SequenceProto). Errors: the file cannot be written, a type that ONNX lacks.
Status writeValueFile(const std::filesystem::path& path, const std::string& name, const HostTensor& value);

} // namespace gelens
