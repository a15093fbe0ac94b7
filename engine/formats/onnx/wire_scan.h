#pragma once
// A walk over the bytes of an ONNX file before protobuf sees them; private to this folder.

#include "engine/graph/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gelens::onnx_import {

/// Bytes [begin, end) of the file.
struct Slice {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t size() const { return end - begin; }
};

/// A TensorProto in pieces: everything but the raw data, and where that lies.
struct TensorSlices {
    std::vector<Slice> fields;
    std::optional<Slice> raw;
};

struct ModelSlices {
    std::vector<Slice> modelFields; ///< fields of ModelProto but the graph
    std::vector<Slice> graphFields; ///< fields of the main GraphProto but the initialisers
    std::vector<TensorSlices> initializers;
    bool hasGraph = false;
};

/// Messages inside messages; a sub-graph takes three levels, a type two. Protobuf's own limit is set above it.
inline constexpr int maxMessageDepth = 250;

/// Checks the encoding of the whole file (lengths, varints, nesting) without recursion, so that what is wrong can be
/// said with its place, and finds the weights so that they need not be copied.
Result<ModelSlices> scanModel(std::span<const std::byte> file);

/// Fields of one message that the installed schema does not know, in wire form (protobuf's unknown fields).
struct WireField {
    std::uint32_t number = 0;
    std::uint64_t integer = 0;          ///< wire type 0
    std::span<const std::byte> payload; ///< wire type 2
};
/// Stops quietly at the first malformed field.
std::vector<WireField> splitFields(std::span<const std::byte> bytes);

} // namespace gelens::onnx_import
