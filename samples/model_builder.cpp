#include "samples/model_builder.h"

#include "engine/graph/tensor.h"

#include <cstring>
#include <stdexcept>
#include <utility>

namespace gelens::samples {
namespace {

// Pages of the weight file, so that a weight can be mapped on its own.
constexpr std::int64_t weightAlignment = 4096;

int bytesOf(ElementType type)
{
    switch (type) {
    case onnx::TensorProto::FLOAT: return 4;
    case onnx::TensorProto::FLOAT16: return 2;
    case onnx::TensorProto::INT64: return 8;
    default: throw std::logic_error("sample models hold float, float16 and int64 tensors only");
    }
}

std::int64_t countOf(const Dims& dims)
{
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) count *= dim;
    return count;
}

template <typename T>
void append(std::string& raw, T value)
{
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T)); // the hosts we build on are little-endian, as ONNX raw data is
    raw.append(bytes, sizeof(T));
}

void appendElement(std::string& raw, ElementType type, double value)
{
    if (type == onnx::TensorProto::FLOAT)
        append(raw, static_cast<float>(value));
    else if (type == onnx::TensorProto::FLOAT16)
        append(raw, floatToHalf(static_cast<float>(value)));
    else
        append(raw, static_cast<std::int64_t>(value));
}

void setType(onnx::ValueInfoProto& info, const std::string& name, ElementType type, const Dims& dims)
{
    info.set_name(name);
    auto* tensor = info.mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    auto* shape = tensor->mutable_shape();
    for (const std::int64_t dim : dims) shape->add_dim()->set_dim_value(dim);
}

} // namespace

std::uint64_t Random::next()
{
    std::uint64_t z = (m_state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

double Random::uniform(double low, double high)
{
    return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
}

ModelBuilder::ModelBuilder(const std::string& graphName, std::uint64_t seed, WeightMode mode, std::string weightFile)
    : m_random(seed), m_mode(mode), m_weightFile(std::move(weightFile))
{
    m_model.set_ir_version(8);
    m_model.set_producer_name("gelens-samples");
    m_model.add_opset_import()->set_version(17);
    m_model.mutable_graph()->set_name(graphName);
}

std::string ModelBuilder::input(const std::string& name, ElementType type, const Dims& dims)
{
    setType(*m_model.mutable_graph()->add_input(), name, type, dims);
    return name;
}

void ModelBuilder::output(const std::string& value, ElementType type, const Dims& dims)
{
    setType(*m_model.mutable_graph()->add_output(), value, type, dims);
}

std::string ModelBuilder::node(const std::string& opType, const std::vector<std::string>& inputs,
                               const std::string& name)
{
    auto* node = m_model.mutable_graph()->add_node();
    node->set_op_type(opType);
    node->set_name(name);
    for (const std::string& value : inputs) node->add_input(value);
    node->add_output(name + "_output_0");
    return node->output(0);
}

std::vector<std::string> ModelBuilder::nodeWithOutputs(const std::string& opType,
                                                       const std::vector<std::string>& inputs, const std::string& name,
                                                       int count)
{
    node(opType, inputs, name);
    auto& graph = *m_model.mutable_graph();
    auto* made = graph.mutable_node(graph.node_size() - 1);
    for (int i = 1; i < count; ++i) made->add_output(name + "_output_" + std::to_string(i));
    return {made->output().begin(), made->output().end()};
}

ModelBuilder& ModelBuilder::attr(const std::string& name, std::int64_t value)
{
    auto& graph = *m_model.mutable_graph();
    auto* attribute = graph.mutable_node(graph.node_size() - 1)->add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::INT);
    attribute->set_i(value);
    return *this;
}

ModelBuilder& ModelBuilder::attr(const std::string& name, const Dims& values)
{
    auto& graph = *m_model.mutable_graph();
    auto* attribute = graph.mutable_node(graph.node_size() - 1)->add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t value : values) attribute->add_ints(value);
    return *this;
}

onnx::TensorProto& ModelBuilder::addTensor(const std::string& name, ElementType type, const Dims& dims)
{
    auto* tensor = m_model.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(type);
    for (const std::int64_t dim : dims) tensor->add_dims(dim);
    return *tensor;
}

std::string ModelBuilder::weight(const std::string& name, ElementType type, const Dims& dims, double low, double high)
{
    auto& tensor = addTensor(name, type, dims);
    const std::int64_t count = countOf(dims);
    if (m_mode == WeightMode::External) {
        const std::int64_t bytes = count * bytesOf(type);
        tensor.set_data_location(onnx::TensorProto::EXTERNAL);
        const auto entry = [&](const char* key, const std::string& value) {
            auto* pair = tensor.add_external_data();
            pair->set_key(key);
            pair->set_value(value);
        };
        entry("location", m_weightFile);
        entry("offset", std::to_string(m_weightOffset));
        entry("length", std::to_string(bytes));
        m_weightOffset += (bytes + weightAlignment - 1) / weightAlignment * weightAlignment;
        return name;
    }
    std::string* raw = tensor.mutable_raw_data();
    raw->reserve(static_cast<std::size_t>(count) * static_cast<std::size_t>(bytesOf(type)));
    for (std::int64_t i = 0; i < count; ++i) appendElement(*raw, type, m_random.uniform(low, high));
    return name;
}

std::string ModelBuilder::constant(const std::string& name, ElementType type, const Dims& dims,
                                   const std::vector<double>& values)
{
    if (countOf(dims) != static_cast<std::int64_t>(values.size()))
        throw std::logic_error("constant '" + name + "': the number of values differs from the shape");
    std::string* raw = addTensor(name, type, dims).mutable_raw_data();
    for (const double value : values) appendElement(*raw, type, value);
    return name;
}

onnx::ModelProto ModelBuilder::take() { return std::move(m_model); }

} // namespace gelens::samples
