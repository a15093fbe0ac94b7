#include "engine/passes/prepare/constant_values.h"

#include "engine/ops/op_registry.h"

#include <algorithm>

namespace gelens {

Result<std::optional<std::vector<Tensor>>> evaluateNode(const Graph& graph, const Node& node,
                                                        const std::function<const Tensor*(int)>& constants,
                                                        std::int64_t outputLimit, std::stop_token stop)
{
    using Values = std::optional<std::vector<Tensor>>;
    const OpDef* def = OpRegistry::instance().find(node.type);
    if (def == nullptr || !def->kernelFunction() || def->stateful() || !node.subgraphs.empty() || node.isOpaque)
        return Values();
    if (isBoundaryType(node.type) || node.outputs.empty()) return Values();

    std::vector<TensorView> inputs;
    std::vector<HostTensor> keepAlive;
    bool hasInput = false;
    for (int i = 0; i < node.inputCount(); ++i) {
        if (!node.hasInput(i)) {
            inputs.emplace_back();
            continue;
        }
        const Tensor* constant = constants(i);
        if (constant == nullptr || !constant->isPresent()) return Values();
        keepAlive.push_back(HostTensor::fromConstant(*constant));
        inputs.push_back(keepAlive.back().view());
        // A Reshape taken out for the time of stage 1 lives on in its reader's descriptor.
        const TensorDesc& slot = node.inputs[static_cast<std::size_t>(i)].desc;
        const Shape& read = slot.originShape;
        if (!def->storageKernel()) inputs.back().originFormat = slot.originFormat.primary;
        if (read.isStatic() && read.elementCount() == inputs.back().shape.elementCount()) inputs.back().shape = read;
        hasInput = true;
    }
    if (!hasInput) return Values();

    std::vector<HostTensor> outputs(node.outputs.size());
    std::vector<DataType> types;
    for (const OutputSlot& slot : node.outputs) types.push_back(slot.desc.dtype);
    bool isTooLarge = false;
    const auto allocate = [&](int index, DataType dtype, const Shape& shape) -> Result<std::byte*> {
        const auto bytes = storageBytes(dtype, shape);
        if (!bytes || *bytes > outputLimit) {
            isTooLarge = true;
            return Error::limit("the folded value would be too large", node.name);
        }
        HostTensor& output = outputs[static_cast<std::size_t>(index)];
        output = HostTensor::zeros(dtype, shape);
        return output.bytes->data();
    };
    KernelContext context(node.name, node.type, node.attrs, std::move(inputs), std::move(types), allocate);
    context.stop = stop;
    const Status status = def->kernelFunction()(context);
    if (isTooLarge) return Values();
    if (!status.ok()) {
        if (status.error().code == ErrorCode::Unsupported || status.error().code == ErrorCode::Limit) return Values();
        return status.error();
    }
    std::vector<Tensor> values;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto& strings = context.stringOutputs();
        if (i < strings.size() && strings[i].isSet) {
            Tensor tensor;
            tensor.desc = TensorDesc(DataType::String, strings[i].shape);
            tensor.strings = strings[i].values;
            values.push_back(std::move(tensor));
            continue;
        }
        if (!outputs[i].isPresent()) {
            if (!graph.consumers(node.output(static_cast<int>(i))).empty()) return Values();
            values.emplace_back();
            continue;
        }
        values.push_back(outputs[i].toConstant());
    }
    return Values(std::move(values));
}

std::optional<std::vector<Tensor>> dimensionValue(const Node& node, const Graph& graph)
{
    const bool isShape = node.type == "Shape" || node.type == "ShapeN";
    if (!isShape && node.type != "Rank" && node.type != "Size") return std::nullopt;
    std::vector<Tensor> values;
    for (int i = 0; i < node.outputCount(); ++i) {
        const OutputRef source = node.source(i);
        if (!source.isValid()) return std::nullopt;
        const Shape& shape = graph.outputDesc(source).originShape;
        if (!shape.hasRank() || (node.type != "Rank" && !shape.isStatic())) return std::nullopt;
        DataType dtype = node.outputs[static_cast<std::size_t>(i)].desc.dtype;
        if (dtype != DataType::Int32) dtype = DataType::Int64;
        if (isShape) {
            // ONNX Shape-15 slices the list of dims; GE keeps its `start` and `end` as attributes of the same names.
            const auto rank = static_cast<std::int64_t>(shape.rank());
            const auto clamp = [rank](std::int64_t axis) {
                if (axis < 0) axis += rank;
                return std::clamp<std::int64_t>(axis, 0, rank);
            };
            const std::int64_t start = clamp(attrInt(node.attrs, "start", 0));
            const std::int64_t end = clamp(attrInt(node.attrs, "end", rank));
            std::vector<std::int64_t> dims;
            for (std::int64_t axis = start; axis < end; ++axis) dims.push_back(shape.dim(static_cast<int>(axis)));
            const auto count = static_cast<std::int64_t>(dims.size());
            values.push_back(Tensor::fromInts(std::move(dims), Shape{count}, dtype));
        } else if (node.type == "Rank") {
            values.push_back(Tensor::fromInts({shape.rank()}, Shape(), dtype));
        } else {
            const auto count = shape.elementCount();
            if (!count) return std::nullopt;
            values.push_back(Tensor::fromInts({*count}, Shape(), dtype));
        }
    }
    return values;
}

} // namespace gelens
