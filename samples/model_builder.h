#pragma once
// A thin layer over the ONNX protobuf classes for the sample models: nodes, weights, inputs and outputs in few words.

#ifndef ONNX_ML
#define ONNX_ML 1 // the full schema, as the library is built
#endif
#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gelens::samples {

using Dims = std::vector<std::int64_t>;
using ElementType = onnx::TensorProto_DataType;

/// SplitMix64: the same numbers on every machine and with every standard library.
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next();
    double uniform(double low, double high);

private:
    std::uint64_t m_state;
};

/// Where the values of weights go.
enum class WeightMode {
    Embedded, ///< seeded pseudo-random numbers inside the model
    External, ///< only declared: location, offset and length in a file that need not exist
};

/// Builds one model. Calls return the name of the value that they make.
class ModelBuilder {
public:
    /// `weightFile` is the location written for external weights.
    ModelBuilder(const std::string& graphName, std::uint64_t seed, WeightMode mode = WeightMode::Embedded,
                 std::string weightFile = {});

    std::string input(const std::string& name, ElementType type, const Dims& dims);
    void output(const std::string& value, ElementType type, const Dims& dims);

    /// A node with one output, which is named after the node.
    std::string node(const std::string& opType, const std::vector<std::string>& inputs, const std::string& name);
    /// A node with `count` outputs, named <node>_output_<i>.
    std::vector<std::string> nodeWithOutputs(const std::string& opType, const std::vector<std::string>& inputs,
                                             const std::string& name, int count);
    // Attributes of the node made last.
    ModelBuilder& attr(const std::string& name, std::int64_t value);
    ModelBuilder& attr(const std::string& name, const Dims& values);

    /// A weight with values drawn uniformly from [low, high]; subject to the weight mode.
    std::string weight(const std::string& name, ElementType type, const Dims& dims, double low, double high);
    /// A small constant, always embedded. Types: float, float16, int64.
    std::string constant(const std::string& name, ElementType type, const Dims& dims,
                         const std::vector<double>& values);

    /// The finished model; the builder is empty afterwards.
    onnx::ModelProto take();

private:
    onnx::TensorProto& addTensor(const std::string& name, ElementType type, const Dims& dims);

    onnx::ModelProto m_model;
    Random m_random;
    WeightMode m_mode;
    std::string m_weightFile;
    std::int64_t m_weightOffset = 0;
};

} // namespace gelens::samples
