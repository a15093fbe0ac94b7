#include "tests/support/random_graph.h"

#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace gelens::test {
namespace {

using Value = Recipe::Value;
using Dims = std::vector<std::int64_t>;

double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1.0p-53; }

HostTensor numbers(std::mt19937_64& random, const Dims& dims, DataType dtype, double low, double high)
{
    const Shape shape(dims);
    std::vector<double> values(static_cast<std::size_t>(shape.elementCount().value_or(0)));
    for (double& value : values) value = low + (high - low) * uniform(random);
    if (isInteger(dtype))
        for (double& value : values) value = std::floor(value);
    return HostTensor::fromConstant(Tensor::fromDoubles(values, shape, dtype));
}

class Maker {
public:
    explicit Maker(std::uint64_t seed) : m_random(seed * 7919 + 17)
    {
        const DataType narrow = seed / 2 % 2 == 0 ? DataType::Float16 : DataType::BFloat16;
        m_dtype = pick(4) == 0 ? narrow : DataType::Float;
    }

    Recipe make()
    {
        const int wanted = 5 + static_cast<int>(pick(56));
        const int inputs = 1 + static_cast<int>(pick(3));
        for (int i = 0; i < inputs; ++i) addInput();
        for (int tries = 0; m_operators < wanted && tries < 20 * wanted; ++tries) addSomething(wanted);
        finish();
        return std::move(m_recipe);
    }

private:
    // ---- draws ----
    std::size_t pick(std::size_t count) { return static_cast<std::size_t>(m_random() % count); }
    bool chance(double share) { return uniform(m_random) < share; }
    std::int64_t between(std::int64_t low, std::int64_t high)
    {
        return low + static_cast<std::int64_t>(pick(static_cast<std::size_t>(high - low + 1)));
    }

    /// A float value of the model's type; late ones are likelier, so that graphs get deep.
    Value anyValue(const std::function<bool(const Dims&)>& fits = {})
    {
        for (int tries = 0; tries < 12; ++tries) {
            const std::size_t from = chance(0.6) ? m_values.size() - std::min<std::size_t>(m_values.size(), 4) : 0;
            const Value value = m_values[from + pick(m_values.size() - from)];
            if (!fits || fits(dims(value))) return value;
        }
        return {};
    }
    Dims dims(Value value) const { return m_recipe.desc(value).originShape.dims(); }
    double& bound(Value value) { return m_bounds[{value.node, value.output}]; }
    static bool hasRank(const Dims& dims, std::size_t low, std::size_t high)
    {
        return dims.size() >= low && dims.size() <= high;
    }

    // ---- building ----
    void addInput()
    {
        Dims shape;
        if (chance(0.25))
            shape = {between(1, 2), 4 * between(1, 3), between(5, 9), between(5, 9)};
        else {
            const std::size_t rank = 1 + pick(3);
            for (std::size_t i = 0; i < rank; ++i) shape.push_back(between(2, 9));
            if (chance(0.5)) shape.back() = 16 * between(1, 2);
        }
        Recipe::Node node{.type = "Data"};
        node.outputs.emplace_back(m_dtype, Shape(shape));
        m_recipe.nodes.push_back(std::move(node));
        keep({static_cast<int>(m_recipe.nodes.size()) - 1, 0}, 1);
    }

    Value constant(HostTensor tensor)
    {
        Recipe::Node node{.type = "Const"};
        node.outputs.emplace_back(tensor.dtype, tensor.shape);
        node.constant = std::move(tensor);
        m_recipe.nodes.push_back(std::move(node));
        return {static_cast<int>(m_recipe.nodes.size()) - 1, 0};
    }
    Value weights(const Dims& dims, double low = -1, double high = 1)
    {
        return constant(numbers(m_random, dims, m_dtype, low, high));
    }
    Value scalar(double value)
    {
        return constant(HostTensor::fromConstant(Tensor::fromDoubles(std::vector<double>{value}, Shape{}, m_dtype)));
    }
    Value ints(const Dims& values)
    {
        return constant(
            HostTensor::fromConstant(Tensor::fromInts(values, Shape{static_cast<std::int64_t>(values.size())})));
    }

    /// Adds a node and infers it; an invalid value when the operator refuses such inputs.
    Value op(const std::string& type, std::vector<Value> inputs, AttrMap attrs = {}, int outputs = 1)
    {
        for (const Value& input : inputs)
            if (input.node < 0) return {};
        Recipe one;
        Recipe::Node node{.type = type, .inputs = inputs, .attrs = attrs};
        std::vector<Value> local;
        for (const Value& input : inputs) {
            const Recipe::Node& source = m_recipe.nodes[static_cast<std::size_t>(input.node)];
            Recipe::Node stand{.type = source.type == "Const" ? "Const" : "Data", .constant = source.constant};
            stand.outputs.push_back(m_recipe.desc(input));
            one.nodes.push_back(std::move(stand));
            local.push_back({static_cast<int>(one.nodes.size()) - 1, 0});
        }
        node.inputs = local;
        node.outputs.resize(static_cast<std::size_t>(outputs));
        one.nodes.push_back(node);
        const Graph graph = one.build();
        const NodeId made = graph.findNode(fmt::format("n{}", one.nodes.size() - 1));
        for (int i = 0; i < outputs; ++i)
            node.outputs[static_cast<std::size_t>(i)] = graph.node(made).outputs[static_cast<std::size_t>(i)].desc;
        node.inputs = std::move(inputs);
        for (const TensorDesc& desc : node.outputs)
            if (!desc.originShape.isStatic() || desc.originShape.elementCount().value_or(0) == 0 ||
                desc.originShape.elementCount().value_or(0) > 40000)
                return {};
        m_recipe.nodes.push_back(std::move(node));
        ++m_operators;
        return {static_cast<int>(m_recipe.nodes.size()) - 1, 0};
    }

    /// Makes a value known to later operators, damped when it may be large.
    void keep(Value value, double limit)
    {
        if (value.node < 0) return;
        if (limit > 24) {
            value = op(chance(0.5) ? "Tanh" : "Sigmoid", {value});
            limit = 1;
        }
        bound(value) = limit;
        m_values.push_back(value);
    }

    /// Ends with a few outputs: values that nothing reads, at most four, always the last.
    void finish()
    {
        std::map<std::pair<int, int>, int> readers;
        for (const Recipe::Node& node : m_recipe.nodes)
            for (const Value& input : node.inputs) ++readers[{input.node, input.output}];
        for (std::size_t i = m_values.size(); i-- > 0 && m_recipe.outputs.size() < 4;) {
            const Value value = m_values[i];
            if (m_recipe.nodes[static_cast<std::size_t>(value.node)].type != "Data" &&
                !readers.contains({value.node, value.output}))
                m_recipe.outputs.push_back(value);
        }
        if (chance(0.3) && m_values.size() > 4) { // an intermediate result that is read and given back
            const Value value = m_values[m_values.size() / 2];
            if (m_recipe.nodes[static_cast<std::size_t>(value.node)].type != "Data" &&
                std::find(m_recipe.outputs.begin(), m_recipe.outputs.end(), value) == m_recipe.outputs.end())
                m_recipe.outputs.push_back(value);
        }
    }

    void addSomething(int wanted)
    {
        const std::size_t kinds = wanted - m_operators >= 6 ? 24 : 14;
        switch (pick(kinds)) {
        case 0:
        case 1: return addUnary();
        case 2:
        case 3: return addBinary();
        case 4: return addDivision();
        case 5: return addReduction();
        case 6: return addProduct();
        case 7: return addTranspose();
        case 8: return addReshape();
        case 9: return addConcat();
        case 10: return addSplit();
        case 11: return addSlice();
        case 12: return addSoftmaxOrNorm();
        case 13: return addCast();
        case 14: return addConvolution();
        case 15: return addPooling();
        case 16: return addGate();
        case 17: return addRmsNorm();
        case 18: return addLayerNorm();
        case 19: return addAttention();
        case 20: return addLinear();
        case 21: return addResidualNorm();
        case 22: return addSelect();
        default: return addGelu();
        }
    }

    void addUnary()
    {
        static constexpr const char* types[] = {"Relu", "Sigmoid", "Tanh", "Neg",   "Abs",       "Square", "Softplus",
                                                "Erf",  "Sin",     "Cos",  "Relu6", "HardSwish", "Mish",   "Identity"};
        const Value x = anyValue();
        const std::string type = types[pick(std::size(types))];
        const double limit = bound(x);
        keep(op(type, {x}), type == "Square" ? limit * limit : std::max(1.0, limit + 1));
    }

    /// A second operand: a value of a shape that fits, or a constant that broadcasts.
    Value partner(Value x)
    {
        if (chance(0.5)) {
            const Dims own = dims(x);
            const Value other = anyValue([&](const Dims& shape) {
                for (std::size_t i = 1; i <= std::min(shape.size(), own.size()); ++i) {
                    const std::int64_t a = own[own.size() - i], b = shape[shape.size() - i];
                    if (a != b && a != 1 && b != 1) return false;
                }
                return true;
            });
            if (other.node >= 0) return other;
        }
        Dims shape = dims(x);
        if (chance(0.4))
            shape.erase(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(pick(shape.size() + 1)));
        for (std::int64_t& dim : shape)
            if (chance(0.2)) dim = 1;
        const Value value = weights(shape);
        bound(value) = 1;
        return value;
    }

    void addBinary()
    {
        static constexpr const char* types[] = {"Add", "Sub", "Mul", "Maximum", "Minimum", "Add", "Mul"};
        const std::string type = types[pick(std::size(types))];
        Value a = anyValue(), b = partner(a);
        const double x = bound(a), y = bound(b);
        if (chance(0.4)) std::swap(a, b);
        keep(op(type, {a, b}), type == "Mul" ? x * y : type == "Add" || type == "Sub" ? x + y : std::max(x, y));
    }

    Value positive(Value x) { return op("Add", {op("Square", {x}), scalar(0.5)}); }

    void addDivision()
    {
        const Value a = anyValue(), b = partner(a);
        if (bound(b) > 8) return;
        const double x = bound(a), y = bound(b);
        switch (pick(4)) {
        case 0: return keep(op("RealDiv", {a, positive(b)}), 2 * x);
        case 1: return keep(op("Sqrt", {positive(b)}), y + 1);
        case 2: return keep(op("Rsqrt", {positive(b)}), 1.5);
        default: return keep(op("Log", {positive(b)}), y + 1);
        }
    }

    void addReduction()
    {
        static constexpr const char* types[] = {"ReduceMeanD", "ReduceSumD", "ReduceMaxD", "ReduceMinD"};
        const Value x = anyValue([](const Dims& shape) { return !shape.empty(); });
        if (x.node < 0) return;
        const std::string type = types[pick(std::size(types))];
        const Dims shape = dims(x);
        IntList axes;
        double count = 1;
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (chance(0.4)) axes.push_back(static_cast<std::int64_t>(i)), count *= static_cast<double>(shape[i]);
        if (axes.empty()) axes.push_back(-1), count = static_cast<double>(shape.back());
        keep(op(type, {x}, {{"axes", axes}, {"keep_dims", chance(0.7)}}),
             bound(x) * (type == "ReduceSumD" ? count : 1));
    }

    void addProduct()
    {
        const Value x = anyValue([](const Dims& shape) { return hasRank(shape, 2, 4); });
        if (x.node < 0) return;
        const Dims shape = dims(x);
        const bool isMatrix = shape.size() == 2;
        if (chance(0.25)) // every row against every other
            return keep(
                op(isMatrix ? "MatMulV2" : "BatchMatMulV2", {x, x}, {{isMatrix ? "transpose_x2" : "adj_x2", true}}),
                bound(x) * bound(x) * std::sqrt(static_cast<double>(shape.back())));
        keep(linear(x, between(2, 4) * 8), 2 * bound(x));
    }

    /// x·W with weights scaled so that the result keeps the size of x.
    Value linear(Value x, std::int64_t width)
    {
        const Dims shape = dims(x);
        const double scale = 1.7 / std::sqrt(static_cast<double>(shape.back()));
        const bool isMatrix = shape.size() == 2, isTransposed = chance(0.25);
        const Value w = isTransposed ? weights({width, shape.back()}, -scale, scale)
                                     : weights({shape.back(), width}, -scale, scale);
        AttrMap attrs;
        if (isTransposed) attrs[isMatrix ? "transpose_x2" : "adj_x2"] = true;
        return op(isMatrix ? "MatMulV2" : "BatchMatMulV2", {x, w}, attrs);
    }

    void addLinear()
    {
        const Value x = anyValue([](const Dims& shape) { return hasRank(shape, 2, 3); });
        if (x.node < 0) return;
        const std::int64_t width = between(2, 4) * 8;
        Value y = linear(x, width);
        const Value bias = weights({width});
        y = chance(0.3) ? op("Add", {bias, y}) : op("Add", {y, bias});
        static constexpr const char* types[] = {"Relu", "Tanh", "Sigmoid", "Relu6"};
        if (chance(0.7)) y = op(types[pick(std::size(types))], {y});
        keep(y, 2 * bound(x) + 1);
    }

    void addTranspose()
    {
        const Value x = anyValue([](const Dims& shape) { return shape.size() >= 2; });
        if (x.node < 0) return;
        IntList perm(dims(x).size());
        std::iota(perm.begin(), perm.end(), 0);
        for (std::size_t i = perm.size(); i-- > 1;) std::swap(perm[i], perm[pick(i + 1)]);
        const Value y = op("TransposeD", {x}, {{"perm", perm}});
        if (chance(0.3) && y.node >= 0) { // and back
            IntList back(perm.size());
            for (std::size_t i = 0; i < perm.size(); ++i)
                back[static_cast<std::size_t>(perm[i])] = static_cast<std::int64_t>(i);
            return keep(op("TransposeD", {chance(0.5) ? op("Relu", {y}) : y}, {{"perm", back}}), bound(x));
        }
        keep(y, bound(x));
    }

    void addReshape()
    {
        const Value x = anyValue();
        Dims shape = dims(x);
        if (shape.size() >= 2 && chance(0.5)) { // join two neighbours
            const std::size_t at = pick(shape.size() - 1);
            shape[at] *= shape[at + 1];
            shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        } else if (!shape.empty()) { // cut one in two
            const std::size_t at = pick(shape.size());
            const std::int64_t part = shape[at] % 2 == 0 ? 2 : 1;
            shape[at] /= part;
            shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), part);
        }
        if (shape.size() > 5) return;
        if (!shape.empty() && chance(0.3)) shape[pick(shape.size())] = -1;
        keep(op("Reshape", {x, ints(shape)}), bound(x));
    }

    void addConcat()
    {
        const Value x = anyValue([](const Dims& shape) { return !shape.empty(); });
        if (x.node < 0) return;
        const Dims own = dims(x);
        const std::size_t axis = pick(own.size());
        std::vector<Value> parts{x};
        for (std::size_t i = 0; i < 1 + pick(2); ++i) {
            const Value other = anyValue([&](const Dims& shape) {
                if (shape.size() != own.size()) return false;
                for (std::size_t d = 0; d < own.size(); ++d)
                    if (d != axis && own[d] != shape[d]) return false;
                return true;
            });
            Dims shape = own;
            shape[axis] = between(1, 3);
            parts.push_back(other.node >= 0 ? other : weights(shape));
        }
        double limit = 1;
        for (const Value& part : parts) limit = std::max(limit, bound(part));
        const auto count = static_cast<std::int64_t>(parts.size());
        keep(op("ConcatD", parts, {{"concat_dim", static_cast<std::int64_t>(axis)}, {"N", count}}), limit);
    }

    void addSplit()
    {
        const Value x = anyValue(
            [](const Dims& shape) { return !shape.empty() && *std::max_element(shape.begin(), shape.end()) > 1; });
        if (x.node < 0) return;
        const Dims shape = dims(x);
        std::size_t axis = pick(shape.size());
        while (shape[axis] < 2) axis = pick(shape.size());
        Value y;
        if (shape[axis] % 2 == 0 && chance(0.5)) {
            y = op("SplitD", {x}, {{"split_dim", static_cast<std::int64_t>(axis)}, {"num_split", 2}}, 2);
        } else {
            const std::int64_t first = between(1, shape[axis] - 1);
            y = op("SplitVD", {x},
                   {{"size_splits", IntList{first, shape[axis] - first}},
                    {"split_dim", static_cast<std::int64_t>(axis)},
                    {"num_split", 2}},
                   2);
        }
        if (y.node < 0) return;
        const double limit = bound(x);
        keep({y.node, 0}, limit);
        keep({y.node, 1}, limit);
    }

    void addSlice()
    {
        const Value x = anyValue([](const Dims& shape) { return !shape.empty(); });
        if (x.node < 0) return;
        const Dims shape = dims(x);
        const std::size_t axis = pick(shape.size());
        const std::int64_t size = shape[axis], begin = between(0, size - 1), end = between(begin + 1, size);
        const auto at = static_cast<std::int64_t>(axis);
        switch (pick(4)) {
        case 0: {
            Dims rows;
            for (std::int64_t i = 0; i < between(1, 4); ++i) rows.push_back(between(0, size - 1));
            return keep(op("GatherV2", {x, ints(rows), ints({at})}), bound(x));
        }
        case 1: {
            Dims pads(2 * shape.size(), 0);
            pads[2 * axis] = between(0, 2), pads[2 * axis + 1] = between(0, 2);
            return keep(op("PadV3", {x, ints(pads), scalar(0)}, {{"mode", "constant"}, {"paddings_contiguous", true}}),
                        bound(x));
        }
        default:
            return keep(op("StridedSliceV2", {x, ints({begin}), ints({end}), ints({at}), ints({between(1, 2)})}),
                        bound(x));
        }
    }

    void addSoftmaxOrNorm()
    {
        const Value x = anyValue([](const Dims& shape) { return !shape.empty() && shape.back() > 1; });
        if (x.node < 0) return;
        const std::int64_t width = dims(x).back();
        switch (pick(3)) {
        case 0: return keep(op("SoftmaxV2", {x}, {{"axes", IntList{-1}}}), 1);
        case 1:
            return keep(op("LayerNormV3", {x, weights({width}, 0.5, 1.5), weights({width})},
                           {{"begin_norm_axis", -1}, {"begin_params_axis", -1}, {"epsilon", 1e-2f}}, 3),
                        8);
        default: return keep(op("RmsNorm", {x, weights({width}, 0.5, 1.5)}, {{"epsilon", 1e-2f}}, 2), 8);
        }
    }

    void addCast()
    {
        const Value x = anyValue();
        const DataType other = m_dtype == DataType::Float ? DataType::Float16 : DataType::Float;
        const Value there = op("Cast", {x}, {{"dst_type", static_cast<std::int64_t>(other)}});
        const Value between = chance(0.6) ? op("Relu", {there}) : there;
        keep(op("Cast", {between}, {{"dst_type", static_cast<std::int64_t>(m_dtype)}}), bound(x));
    }

    void addConvolution()
    {
        const Value x = anyValue([](const Dims& shape) { return shape.size() == 4 && shape[2] >= 3 && shape[3] >= 3; });
        if (x.node < 0) return;
        const Dims shape = dims(x);
        const std::int64_t kernel = chance(0.5) ? 3 : 1, stride = between(1, 2), pad = kernel == 3 ? between(0, 1) : 0;
        const bool isDepthwise = chance(0.25);
        const std::int64_t groups = isDepthwise ? shape[1] : shape[1] % 2 == 0 && chance(0.2) ? 2 : 1;
        const std::int64_t channels = isDepthwise ? shape[1] : groups * 4;
        const double scale = 1.7 / std::sqrt(static_cast<double>(shape[1] / groups * kernel * kernel));
        const AttrMap attrs{{"strides", IntList{1, 1, stride, stride}},
                            {"pads", IntList{pad, pad, pad, pad}},
                            {"dilations", IntList{1, 1, 1, 1}},
                            {"groups", groups},
                            {"data_format", "NCHW"}};
        const Value w = weights({channels, shape[1] / groups, kernel, kernel}, -scale, scale);
        Value y = chance(0.7) ? op("Conv2D", {x, w, weights({channels})}, attrs) : op("Conv2D", {x, w}, attrs);
        if (chance(0.3) && y.node >= 0)
            y = op("BNInfer",
                   {y, weights({channels}, 0.5, 1.5), weights({channels}), weights({channels}),
                    weights({channels}, 0.5, 1.5)},
                   {{"epsilon", 1e-3f}});
        if (chance(0.6)) y = op(chance(0.7) ? "Relu" : "Sigmoid", {y});
        keep(y, 4 * bound(x) + 4);
    }

    void addPooling()
    {
        const Value x = anyValue([](const Dims& shape) { return shape.size() == 4 && shape[2] >= 2 && shape[3] >= 2; });
        if (x.node < 0) return;
        if (chance(0.25)) return keep(op("GlobalAveragePool", {x}), bound(x));
        const std::int64_t stride = between(1, 2);
        keep(op(chance(0.5) ? "MaxPoolV3" : "AvgPoolV2", {x},
                {{"ksize", IntList{1, 1, 2, 2}},
                 {"strides", IntList{1, 1, stride, stride}},
                 {"pads", IntList{0, 0, 0, 0}},
                 {"padding_mode", "CALCULATED"},
                 {"data_format", "NCHW"}}),
             bound(x));
    }

    // ---- chains that fusion rules look for ----

    void addGate()
    {
        const Value x = anyValue();
        const Value swish = op("Mul", {x, op("Sigmoid", {x})});
        const Value y = chance(0.5) ? op("Mul", {swish, partner(x)}) : swish;
        keep(y, 4 * bound(x));
    }

    void addGelu()
    {
        const Value x = anyValue();
        if (chance(0.5)) {
            const Value erf = op("Add", {op("Erf", {op("RealDiv", {x, scalar(std::sqrt(2.0))})}), scalar(1)});
            return keep(op("Mul", {op("Mul", {x, erf}), scalar(0.5)}), bound(x));
        }
        if (bound(x) > 6) return;
        const Value cube = op("Mul", {op("Pow", {x, scalar(3)}), scalar(0.044715)});
        const Value inner = op("Mul", {op("Add", {x, cube}), scalar(0.7978845608)});
        keep(op("Mul", {op("Mul", {x, scalar(0.5)}), op("Add", {op("Tanh", {inner}), scalar(1)})}), bound(x));
    }

    Value rmsNorm(Value x)
    {
        const Value mean = op("ReduceMeanD", {op("Square", {x})}, {{"axes", IntList{-1}}, {"keep_dims", true}});
        const Value root = op("Sqrt", {op("Add", {mean, scalar(1e-2)})});
        return op("Mul", {op("RealDiv", {x, root}), weights({dims(x).back()}, 0.5, 1.5)});
    }

    void addRmsNorm()
    {
        const Value x = anyValue([](const Dims& shape) { return !shape.empty() && shape.back() > 1; });
        if (x.node >= 0 && bound(x) < 16) keep(rmsNorm(x), 8);
    }

    Value layerNorm(Value x)
    {
        const AttrMap rows{{"axes", IntList{-1}}, {"keep_dims", true}};
        const Value centred = op("Sub", {x, op("ReduceMeanD", {x}, rows)});
        const Value square = chance(0.5) ? op("Square", {centred}) : op("Mul", {centred, centred});
        const Value root = op("Sqrt", {op("Add", {op("ReduceMeanD", {square}, rows), scalar(1e-2)})});
        const Value scaled = op("Mul", {op("RealDiv", {centred, root}), weights({dims(x).back()}, 0.5, 1.5)});
        return op("Add", {scaled, weights({dims(x).back()})});
    }

    void addLayerNorm()
    {
        const Value x = anyValue([](const Dims& shape) { return !shape.empty() && shape.back() > 1; });
        if (x.node >= 0 && bound(x) < 16) keep(layerNorm(x), 8);
    }

    void addResidualNorm()
    {
        const Value x = anyValue([](const Dims& shape) { return !shape.empty() && shape.back() > 1; });
        if (x.node < 0 || bound(x) > 8) return;
        const Value sum = op("Add", {x, weights(dims(x))});
        if (sum.node < 0) return;
        bound(sum) = bound(x) + 1;
        const Value norm = chance(0.5) ? rmsNorm(sum) : layerNorm(sum);
        keep(norm, 8);
        if (chance(0.5)) keep(sum, bound(x) + 1);
    }

    void addAttention()
    {
        const Value x = anyValue([](const Dims& shape) { return shape.size() == 3; });
        if (x.node < 0) return;
        const Dims shape = dims(x);
        const std::int64_t heads = 2, size = 8;
        const auto projected = [&] {
            const Value y = op("Reshape", {linear(x, heads * size), ints({shape[0], shape[1], heads, size})});
            return op("TransposeD", {y}, {{"perm", IntList{0, 2, 1, 3}}});
        };
        const Value q = projected(), k = projected(), v = projected();
        Value scores = op("BatchMatMulV2", {q, k}, {{"adj_x2", true}});
        scores = chance(0.5) ? op("Mul", {scores, scalar(1 / std::sqrt(8.0))})
                             : op("RealDiv", {scores, scalar(std::sqrt(8.0))});
        if (chance(0.5)) scores = op("Add", {scores, weights({1, 1, shape[1], shape[1]})});
        const Value mixed = op("BatchMatMulV2", {op("SoftmaxV2", {scores}, {{"axes", IntList{-1}}}), v});
        const Value joined = op("TransposeD", {mixed}, {{"perm", IntList{0, 2, 1, 3}}});
        keep(op("Reshape", {joined, ints({shape[0], shape[1], heads * size})}), 4 * bound(x));
    }

    /// A choice by integers, which no rounding touches.
    void addSelect()
    {
        const Value x = anyValue();
        const Dims shape = dims(x);
        const Value a = constant(numbers(m_random, shape, DataType::Int32, 0, 8));
        const Value b = constant(HostTensor::fromConstant(Tensor::fromInts({3}, Shape{}, DataType::Int32)));
        keep(op("SelectV2", {op(chance(0.5) ? "Greater" : "Less", {a, b}), x, scalar(0.25)}), std::max(1.0, bound(x)));
    }

    std::mt19937_64 m_random;
    DataType m_dtype = DataType::Float;
    Recipe m_recipe;
    std::vector<Value> m_values;
    std::map<std::pair<int, int>, double> m_bounds;
    int m_operators = 0;
};

} // namespace

Recipe randomRecipe(std::uint64_t seed) { return pruned(Maker(seed).make()); }

std::map<std::string, HostTensor> recipeInputs(const Graph& graph, std::uint64_t seed)
{
    std::map<std::string, HostTensor> inputs;
    std::mt19937_64 random(seed * 104729 + 3);
    for (const NodeId id : graph.allNodes()) {
        const auto& node = graph.node(id);
        if (node.type != "Data") continue;
        const TensorDesc& desc = node.outputs[0].desc;
        const bool isWhole = isInteger(desc.dtype);
        inputs[node.name] = numbers(random, desc.originShape.dims(), desc.dtype, isWhole ? 0 : -1, isWhole ? 8 : 1);
    }
    return inputs;
}

} // namespace gelens::test
