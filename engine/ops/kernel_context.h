#pragma once
// What a reference kernel sees: inputs as views, outputs where it is told to write.

#include "engine/graph/result.h"
#include "engine/ops/tensor_view.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

namespace onednn {
class PreparedWeights;
}
/// Where runs over the same constants keep what they made ready of them; one for a session, say. Thread-safe.
std::shared_ptr<onednn::PreparedWeights> makePreparedWeights();

/// Gives memory for output i of a dtype and shape: heap for the interpreter, the planned address on the device.
/// Fails when the planned place does not fit the shape, or when a safety limit on memory is passed.
using OutputAllocator = std::function<Result<std::byte*>(int index, DataType dtype, const Shape& shape)>;
/// Runs sub-graph `index` of the node (If branch, loop body) on inputs, giving its outputs.
/// inputs[k] stands for the node's own input k: it feeds the Data node whose `_parent_node_index` (else `index`) is k.
/// Bytes of the inputs may be windows that live only as long as the call of the kernel.
using SubgraphRunner = std::function<Result<std::vector<HostTensor>>(int index, const std::vector<HostTensor>& inputs)>;

class KernelContext {
public:
    KernelContext(std::string nodeName, std::string opType, const AttrMap& attrs, std::vector<TensorView> inputs,
                  std::vector<DataType> outputTypes, OutputAllocator allocate);

    const std::string& nodeName() const { return m_nodeName; }
    const std::string& opType() const { return m_opType; }
    const AttrMap& attrs() const { return m_attrs; }
    int inputCount() const { return static_cast<int>(m_inputs.size()); }
    /// Absent optional inputs have isPresent() == false; an index past the end gives such a view too.
    const TensorView& input(int i) const;
    bool hasInput(int i) const { return input(i).isPresent(); }
    int outputCount() const { return static_cast<int>(m_outputTypes.size()); }
    /// Type that inference gave the output (Undefined when unknown).
    DataType outputType(int i) const { return m_outputTypes[static_cast<std::size_t>(i)]; }

    /// Memory for an output; call once for each output that the node has. Zero-sized outputs give a valid pointer.
    Result<std::byte*> output(int i, DataType dtype, const Shape& shape);
    template <typename T>
    Result<T*> outputAs(int i, DataType dtype, const Shape& shape)
    {
        auto data = output(i, dtype, shape);
        if (!data.ok()) return data.error();
        return reinterpret_cast<T*>(data.value());
    }
    /// String outputs.
    void setStrings(int i, const Shape& shape, std::vector<std::string> values);

    /// Sequence outputs (dtype Resource); a Variant is an optional without a value.
    void setSequence(int i, std::vector<HostTensor> values, DataType dtype = DataType::Resource)
    {
        if (m_sequenceOutputs.size() < m_outputTypes.size()) m_sequenceOutputs.resize(m_outputTypes.size());
        m_produced[static_cast<std::size_t>(i)] = {dtype, Shape{}};
        m_sequenceOutputs[static_cast<std::size_t>(i)] = std::make_shared<std::vector<HostTensor>>(std::move(values));
    }

    /// Integer input as a list (shapes, axes, pads); an error naming the input when absent or not an integer type.
    Result<std::vector<std::int64_t>> ints(int i) const;
    /// Any numeric input converted to float32 / double, and a float32 result rounded into the output's type
    /// (round to nearest even for fp16 and bf16, saturating for integers).
    Result<std::vector<float>> floats(int i) const;
    Result<std::vector<double>> doubles(int i) const;
    Status setFloats(int i, DataType dtype, const Shape& shape, std::span<const float> values);

    Error error(const std::string& text) const; ///< "node 'x' (Type): text"

    SubgraphRunner runSubgraph;                 ///< set by executors; empty where sub-graphs cannot run
    std::stop_token stop;                       ///< long kernels look at it
    std::uint64_t seed = 0;                     ///< for random operators
    onednn::PreparedWeights* weights = nullptr; ///< where constant filters are kept prepared, if anywhere

    struct StringOutput {
        Shape shape;
        std::vector<std::string> values;
        bool isSet = false;
    };
    const std::vector<StringOutput>& stringOutputs() const { return m_stringOutputs; }
    /// By output; null where the output is no sequence. Empty when the node made none.
    const std::vector<std::shared_ptr<std::vector<HostTensor>>>& sequenceOutputs() const { return m_sequenceOutputs; }
    /// Shapes and types given to output(), in order of outputs; Undefined for outputs never produced.
    const std::vector<std::pair<DataType, Shape>>& produced() const { return m_produced; }

private:
    std::string m_nodeName, m_opType;
    const AttrMap& m_attrs;
    std::vector<TensorView> m_inputs;
    std::vector<DataType> m_outputTypes;
    OutputAllocator m_allocate;
    std::vector<StringOutput> m_stringOutputs;
    std::vector<std::shared_ptr<std::vector<HostTensor>>> m_sequenceOutputs;
    std::vector<std::pair<DataType, Shape>> m_produced;
};

} // namespace gelens
