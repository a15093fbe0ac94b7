#include "engine/formats/onnx/value_types.h"

#include "engine/formats/onnx/text.h"

namespace gelens::onnx_import {
namespace {

template <typename Tensor>
TensorDesc tensorDesc(const Tensor& tensor)
{
    Shape shape = Shape::unknownRank();
    if (tensor.has_shape()) {
        shape = Shape{};
        for (const auto& dim : tensor.shape().dim()) {
            if (dim.has_dim_value())
                shape.append(dim.dim_value() < 0 ? unknownDim : dim.dim_value());
            else
                shape.append(unknownDim, replaceInvalidUtf8(dim.dim_param()));
        }
    }
    return {dataTypeFromOnnxNumber(tensor.elem_type()), shape};
}

/// What the sequence operators of engine/ops expect of a sequence: the element's type and shape as attributes.
TensorDesc sequenceDesc(const TensorDesc& element)
{
    TensorDesc desc(DataType::Resource, Shape{});
    desc.attrs.insert_or_assign("_sequence_element_type", AttrValue(element.dtype));
    if (element.shape.hasRank())
        desc.attrs.insert_or_assign("_sequence_element_shape", AttrValue(IntList(element.shape.dims())));
    return desc;
}

/// The type inside a container, null for tensors and what has no content.
const onnx::TypeProto* inner(const onnx::TypeProto& type)
{
    if (type.has_sequence_type()) return &type.sequence_type().elem_type();
    if (type.has_optional_type()) return &type.optional_type().elem_type();
    if (type.has_map_type()) return &type.map_type().value_type();
    return nullptr;
}

std::string elementText(int number)
{
    const DataType dtype = dataTypeFromOnnxNumber(number);
    return dtype == DataType::Undefined ? "?" : std::string(dataTypeShortName(dtype));
}

} // namespace

TensorDesc descOf(const onnx::TypeProto& type)
{
    const onnx::TypeProto* innermost = &type;
    bool isSequence = false;
    while (const onnx::TypeProto* next = inner(*innermost)) {
        isSequence = isSequence || innermost->has_sequence_type();
        innermost = next;
    }
    TensorDesc desc;
    if (innermost->has_tensor_type())
        desc = tensorDesc(innermost->tensor_type());
    else if (innermost->has_sparse_tensor_type())
        desc = tensorDesc(innermost->sparse_tensor_type());
    if (isSequence) desc = sequenceDesc(desc);
    if (innermost != &type || !innermost->has_tensor_type()) desc.attrs.insert_or_assign("onnx_type", typeText(type));
    return desc;
}

std::string typeText(const onnx::TypeProto& type)
{
    std::string text, end;
    for (const onnx::TypeProto* level = &type; level; level = inner(*level)) {
        if (level->has_sequence_type()) {
            text += "seq(";
            end += ')';
        } else if (level->has_optional_type()) {
            text += "optional(";
            end += ')';
        } else if (level->has_map_type()) {
            text += "map(" + elementText(level->map_type().key_type()) + ',';
            end += ')';
        } else if (level->has_tensor_type()) {
            text += "tensor(" + elementText(level->tensor_type().elem_type()) + ')';
        } else if (level->has_sparse_tensor_type()) {
            text += "sparse_tensor(" + elementText(level->sparse_tensor_type().elem_type()) + ')';
        } else {
            text += '?';
        }
    }
    return text + end;
}

} // namespace gelens::onnx_import
