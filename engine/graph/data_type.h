#pragma once
// Element types. The enumerators carry the numbers of GE's API enum, which op attributes such as `dst_type` use;
// ModelDef files use another numbering (`protoNumber`), ONNX a third.

#include <cstdint>
#include <string_view>

namespace gelens {

enum class DataType : std::int32_t {
    Float = 0,
    Float16 = 1,
    Int8 = 2,
    Int32 = 3,
    UInt8 = 4,
    Int16 = 6,
    UInt16 = 7,
    UInt32 = 8,
    Int64 = 9,
    UInt64 = 10,
    Double = 11,
    Bool = 12,
    String = 13,
    DualSubInt8 = 14,
    DualSubUInt8 = 15,
    Complex64 = 16,
    Complex128 = 17,
    QInt8 = 18,
    QInt16 = 19,
    QInt32 = 20,
    QUInt8 = 21,
    QUInt16 = 22,
    Resource = 23,
    StringRef = 24,
    Dual = 25,
    Variant = 26,
    BFloat16 = 27,
    Undefined = 28,
    Int4 = 29,
    UInt1 = 30,
    Int2 = 31,
    UInt2 = 32,
    Complex32 = 33,
    HiFloat8 = 34,
    Float8E5M2 = 35,
    Float8E4M3FN = 36,
    Float8E8M0 = 37,
    Float6E3M2 = 38,
    Float6E2M3 = 39,
    Float4E2M1 = 40,
    Float4E1M2 = 41,
    HiFloat4 = 42,

    // What GE's enum lacks but ONNX files carry; kept so that such tensors can be shown and computed.
    UInt4 = 1000,
    Float8E4M3FNUZ = 1001,
    Float8E5M2FNUZ = 1002,
};

/// API text, as in `ge_onnx` dumps and attributes: "DT_FLOAT16". Unknown numbers give "UNDEFINED".
std::string_view dataTypeName(DataType type);
/// Name of the proto enum, as in `ge_proto` dumps: "DT_BF16".
std::string_view dataTypeProtoName(DataType type);
/// Short form for people: "fp16", "int8", "bool".
std::string_view dataTypeShortName(DataType type);
/// Reads either spelling; DataType::Undefined when unknown.
DataType dataTypeFromName(std::string_view name);
/// Number in `TensorDescriptor.dtype` (ge_ir.proto); 0 when there is none.
int dataTypeProtoNumber(DataType type);
DataType dataTypeFromProtoNumber(int number);
/// `elem_type` that GE writes for graph outputs in `ge_onnx` dumps; 0 when it writes none.
int dataTypeGeOnnxElemType(DataType type);
/// ONNX TensorProto.DataType number; 0 when ONNX has none.
int dataTypeOnnxNumber(DataType type);
DataType dataTypeFromOnnxNumber(int number);
/// Bits of one element, packed; 0 for types without a size (string, undefined).
int dataTypeBits(DataType type);

bool isFloating(DataType type);      ///< fp64, fp32, fp16, bf16 and the 8-bit floats
bool isSignedInteger(DataType type); ///< int4 … int64
bool isUnsignedInteger(DataType type);
inline bool isInteger(DataType type) { return isSignedInteger(type) || isUnsignedInteger(type); }

} // namespace gelens
