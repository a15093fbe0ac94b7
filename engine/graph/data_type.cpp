#include "engine/graph/data_type.h"

#include <array>

namespace gelens {
namespace {

struct Row {
    DataType type;
    int protoNumber;
    std::string_view protoName;
    std::string_view apiName;
    int bits;
    int geOnnxElemType;
};

constexpr Row rows[] = {
    {DataType::Float, 1, "DT_FLOAT", "DT_FLOAT", 32, 1},
    {DataType::Float16, 2, "DT_FLOAT16", "DT_FLOAT16", 16, 10},
    {DataType::Int8, 3, "DT_INT8", "DT_INT8", 8, 3},
    {DataType::Int32, 7, "DT_INT32", "DT_INT32", 32, 6},
    {DataType::UInt8, 4, "DT_UINT8", "DT_UINT8", 8, 2},
    {DataType::Int16, 5, "DT_INT16", "DT_INT16", 16, 5},
    {DataType::UInt16, 6, "DT_UINT16", "DT_UINT16", 16, 4},
    {DataType::UInt32, 9, "DT_UINT32", "DT_UINT32", 32, 12},
    {DataType::Int64, 8, "DT_INT64", "DT_INT64", 64, 7},
    {DataType::UInt64, 10, "DT_UINT64", "DT_UINT64", 64, 13},
    {DataType::Double, 12, "DT_DOUBLE", "DT_DOUBLE", 64, 11},
    {DataType::Bool, 11, "DT_BOOL", "DT_BOOL", 8, 9},
    {DataType::String, 13, "DT_STRING", "DT_STRING", 0, 0},
    {DataType::DualSubInt8, 14, "DT_DUAL_SUB_INT8", "DT_DUAL_SUB_INT8", 8, 0},
    {DataType::DualSubUInt8, 15, "DT_DUAL_SUB_UINT8", "DT_DUAL_SUB_UINT8", 8, 0},
    {DataType::Complex64, 16, "DT_COMPLEX64", "DT_COMPLEX64", 64, 0},
    {DataType::Complex128, 17, "DT_COMPLEX128", "DT_COMPLEX128", 128, 0},
    {DataType::QInt8, 18, "DT_QINT8", "DT_QINT8", 8, 0},
    {DataType::QInt16, 19, "DT_QINT16", "DT_QINT16", 16, 0},
    {DataType::QInt32, 20, "DT_QINT32", "DT_QINT32", 32, 0},
    {DataType::QUInt8, 21, "DT_QUINT8", "DT_QUINT8", 8, 0},
    {DataType::QUInt16, 22, "DT_QUINT16", "DT_QUINT16", 16, 0},
    {DataType::Resource, 23, "DT_RESOURCE", "DT_RESOURCE", 64, 0},
    {DataType::StringRef, 24, "DT_STRING_REF", "DT_STRING_REF", 0, 0},
    {DataType::Dual, 25, "DT_DUAL", "DT_DUAL", 40, 0},
    {DataType::Variant, 26, "DT_VARIANT", "DT_VARIANT", 64, 0},
    {DataType::BFloat16, 27, "DT_BF16", "DT_BFLOAT16", 16, 0},
    {DataType::Undefined, 0, "DT_UNDEFINED", "DT_UNDEFINED", 0, 0},
    {DataType::Int4, 28, "DT_INT4", "DT_INT4", 4, 0},
    {DataType::UInt1, 29, "DT_UINT1", "DT_UINT1", 1, 0},
    {DataType::Int2, 30, "DT_INT2", "DT_INT2", 2, 0},
    {DataType::UInt2, 31, "DT_UINT2", "DT_UINT2", 2, 0},
    {DataType::Complex32, 32, "DT_COMPLEX32", "DT_COMPLEX32", 32, 0},
    {DataType::HiFloat8, 33, "DT_HIFLOAT8", "DT_HIFLOAT8", 8, 0},
    {DataType::Float8E5M2, 34, "DT_FLOAT8_E5M2", "DT_FLOAT8_E5M2", 8, 19},
    {DataType::Float8E4M3FN, 35, "DT_FLOAT8_E4M3FN", "DT_FLOAT8_E4M3FN", 8, 17},
    {DataType::Float8E8M0, 36, "DT_FLOAT8_E8M0", "DT_FLOAT8_E8M0", 8, 0},
    {DataType::Float6E3M2, 37, "DT_FLOAT6_E3M2", "DT_FLOAT6_E3M2", 6, 0},
    {DataType::Float6E2M3, 38, "DT_FLOAT6_E2M3", "DT_FLOAT6_E2M3", 6, 0},
    {DataType::Float4E2M1, 39, "DT_FLOAT4_E2M1", "DT_FLOAT4_E2M1", 4, 0},
    {DataType::Float4E1M2, 40, "DT_FLOAT4_E1M2", "DT_FLOAT4_E1M2", 4, 0},
    {DataType::HiFloat4, 41, "DT_HIFLOAT4", "DT_HIFLOAT4", 4, 0},
    {DataType::UInt4, 0, "DT_UINT4", "DT_UINT4", 4, 0},
    {DataType::Float8E4M3FNUZ, 0, "DT_FLOAT8_E4M3FNUZ", "DT_FLOAT8_E4M3FNUZ", 8, 18},
    {DataType::Float8E5M2FNUZ, 0, "DT_FLOAT8_E5M2FNUZ", "DT_FLOAT8_E5M2FNUZ", 8, 20},
};

const Row* find(DataType type)
{
    for (const Row& row : rows)
        if (row.type == type) return &row;
    return nullptr;
}

struct OnnxRow {
    DataType type;
    int number; // onnx.TensorProto.DataType
    std::string_view shortName;
};

constexpr OnnxRow onnxRows[] = {
    {DataType::Float, 1, "fp32"},
    {DataType::UInt8, 2, "uint8"},
    {DataType::Int8, 3, "int8"},
    {DataType::UInt16, 4, "uint16"},
    {DataType::Int16, 5, "int16"},
    {DataType::Int32, 6, "int32"},
    {DataType::Int64, 7, "int64"},
    {DataType::String, 8, "string"},
    {DataType::Bool, 9, "bool"},
    {DataType::Float16, 10, "fp16"},
    {DataType::Double, 11, "fp64"},
    {DataType::UInt32, 12, "uint32"},
    {DataType::UInt64, 13, "uint64"},
    {DataType::Complex64, 14, "complex64"},
    {DataType::Complex128, 15, "complex128"},
    {DataType::BFloat16, 16, "bf16"},
    {DataType::Float8E4M3FN, 17, "fp8e4m3fn"},
    {DataType::Float8E4M3FNUZ, 18, "fp8e4m3fnuz"},
    {DataType::Float8E5M2, 19, "fp8e5m2"},
    {DataType::Float8E5M2FNUZ, 20, "fp8e5m2fnuz"},
    {DataType::UInt4, 21, "uint4"},
    {DataType::Int4, 22, "int4"},
    {DataType::Float4E2M1, 23, "fp4e2m1"},
    {DataType::Float8E8M0, 24, "fp8e8m0"},
};

} // namespace

std::string_view dataTypeName(DataType type)
{
    const Row* row = find(type);
    return row ? row->apiName : "UNDEFINED";
}

std::string_view dataTypeProtoName(DataType type)
{
    const Row* row = find(type);
    return row ? row->protoName : "DT_UNDEFINED";
}

std::string_view dataTypeShortName(DataType type)
{
    for (const OnnxRow& row : onnxRows)
        if (row.type == type) return row.shortName;
    return type == DataType::Undefined ? std::string_view("?") : dataTypeName(type);
}

DataType dataTypeFromName(std::string_view name)
{
    if (name == "DT_FLOAT32") return DataType::Float;
    for (const Row& row : rows)
        if (row.apiName == name || row.protoName == name) return row.type;
    return DataType::Undefined;
}

int dataTypeProtoNumber(DataType type)
{
    const Row* row = find(type);
    return row ? row->protoNumber : 0;
}

DataType dataTypeFromProtoNumber(int number)
{
    if (number == 0) return DataType::Undefined;
    for (const Row& row : rows)
        if (row.protoNumber == number) return row.type;
    return DataType::Undefined;
}

int dataTypeGeOnnxElemType(DataType type)
{
    const Row* row = find(type);
    return row ? row->geOnnxElemType : 0;
}

int dataTypeOnnxNumber(DataType type)
{
    for (const OnnxRow& row : onnxRows)
        if (row.type == type) return row.number;
    return 0;
}

DataType dataTypeFromOnnxNumber(int number)
{
    for (const OnnxRow& row : onnxRows)
        if (row.number == number) return row.type;
    return DataType::Undefined;
}

int dataTypeBits(DataType type)
{
    const Row* row = find(type);
    return row ? row->bits : 0;
}

bool isFloating(DataType type)
{
    switch (type) {
    case DataType::Float:
    case DataType::Float16:
    case DataType::Double:
    case DataType::BFloat16:
    case DataType::Float8E4M3FN:
    case DataType::Float8E4M3FNUZ:
    case DataType::Float8E5M2:
    case DataType::Float8E5M2FNUZ:
    case DataType::Float8E8M0:
    case DataType::Float4E2M1:
    case DataType::HiFloat8: return true;
    default: return false;
    }
}

bool isSignedInteger(DataType type)
{
    switch (type) {
    case DataType::Int2:
    case DataType::Int4:
    case DataType::Int8:
    case DataType::Int16:
    case DataType::Int32:
    case DataType::Int64: return true;
    default: return false;
    }
}

bool isUnsignedInteger(DataType type)
{
    switch (type) {
    case DataType::UInt1:
    case DataType::UInt2:
    case DataType::UInt4:
    case DataType::UInt8:
    case DataType::UInt16:
    case DataType::UInt32:
    case DataType::UInt64: return true;
    default: return false;
    }
}

} // namespace gelens
