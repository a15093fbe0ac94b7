#include "samples/sample_models.h"

#include <cmath>

namespace gelens::samples {
namespace {

constexpr auto half = onnx::TensorProto::FLOAT16;
constexpr auto single = onnx::TensorProto::FLOAT;

} // namespace

onnx::ModelProto attention(const std::string& name, std::int64_t heads, std::int64_t queries, std::int64_t keys,
                           std::int64_t headSize)
{
    ModelBuilder build(name, 0xA77Eu);
    const std::string query = build.input("query", half, {1, heads, queries, headSize});
    const std::string key = build.input("key", half, {1, heads, keys, headSize});
    const std::string value = build.input("value", half, {1, heads, keys, headSize});
    const std::string mask = build.input("mask", half, {1, 1, queries, keys});
    const std::string scale = build.constant("scale", half, {}, {1.0 / std::sqrt(static_cast<double>(headSize))});

    const std::string columns = build.node("Transpose", {key}, "/attention/Transpose");
    build.attr("perm", Dims{0, 1, 3, 2});
    const std::string scores = build.node("MatMul", {query, columns}, "/attention/MatMul");
    const std::string scaled = build.node("Mul", {scores, scale}, "/attention/Mul");
    const std::string masked = build.node("Add", {scaled, mask}, "/attention/Add");
    const std::string shares = build.node("Softmax", {masked}, "/attention/Softmax");
    build.attr("axis", std::int64_t{-1});
    const std::string context = build.node("MatMul", {shares, value}, "/attention/MatMul_1");
    build.output(context, half, {1, heads, queries, headSize});
    return build.take();
}

onnx::ModelProto gatedFeedForward(const std::string& name, std::int64_t tokens, std::int64_t hidden,
                                  std::int64_t feedForward)
{
    ModelBuilder build(name, 0xFEEDu);
    const double range = std::sqrt(3.0 / static_cast<double>(hidden));
    const double downRange = std::sqrt(3.0 / static_cast<double>(feedForward));
    const std::string x = build.input("x", half, {tokens, hidden});
    const std::string gateWeight = build.weight("gate_proj.weight", half, {hidden, feedForward}, -range, range);
    const std::string upWeight = build.weight("up_proj.weight", half, {hidden, feedForward}, -range, range);
    const std::string downWeight = build.weight("down_proj.weight", half, {feedForward, hidden}, -downRange, downRange);

    const std::string gate = build.node("MatMul", {x, gateWeight}, "/gate_proj/MatMul");
    const std::string up = build.node("MatMul", {x, upWeight}, "/up_proj/MatMul");
    const std::string sigmoid = build.node("Sigmoid", {gate}, "/act_fn/Sigmoid");
    const std::string silu = build.node("Mul", {gate, sigmoid}, "/act_fn/Mul");
    const std::string gated = build.node("Mul", {silu, up}, "/Mul");
    const std::string y = build.node("MatMul", {gated, downWeight}, "/down_proj/MatMul");
    build.output(y, half, {tokens, hidden});
    return build.take();
}

namespace {

/// Convolution, batch normalisation and, where asked, Relu.
class ResnetParts {
public:
    explicit ResnetParts(ModelBuilder& build) : m_build(build) {}

    std::string convolution(const std::string& scope, const std::string& x, std::int64_t from, std::int64_t to,
                            std::int64_t kernel, std::int64_t stride)
    {
        const double range = std::sqrt(6.0 / static_cast<double>(from * kernel * kernel));
        const std::string weight =
            m_build.weight(scope + ".conv.weight", single, {to, from, kernel, kernel}, -range, range);
        const std::string y = m_build.node("Conv", {x, weight}, "/" + scope + "/Conv");
        const std::int64_t pad = kernel / 2;
        m_build.attr("kernel_shape", Dims{kernel, kernel}).attr("strides", Dims{stride, stride});
        m_build.attr("pads", Dims{pad, pad, pad, pad}).attr("dilations", Dims{1, 1}).attr("group", std::int64_t{1});
        return m_build.node("BatchNormalization",
                            {y, m_build.weight(scope + ".bn.weight", single, {to}, 0.8, 1.2),
                             m_build.weight(scope + ".bn.bias", single, {to}, -0.1, 0.1),
                             m_build.weight(scope + ".bn.running_mean", single, {to}, -0.2, 0.2),
                             m_build.weight(scope + ".bn.running_var", single, {to}, 0.5, 1.5)},
                            "/" + scope + "/BatchNormalization");
    }

    std::string relu(const std::string& scope, const std::string& x)
    {
        return m_build.node("Relu", {x}, "/" + scope + "/Relu");
    }

    std::string block(const std::string& scope, const std::string& x, std::int64_t from, std::int64_t to,
                      std::int64_t stride)
    {
        const std::string first = relu(scope + ".1", convolution(scope + ".1", x, from, to, 3, stride));
        const std::string second = convolution(scope + ".2", first, to, to, 3, 1);
        const std::string shortcut =
            from == to && stride == 1 ? x : convolution(scope + ".shortcut", x, from, to, 1, stride);
        return relu(scope, m_build.node("Add", {second, shortcut}, "/" + scope + "/Add"));
    }

private:
    ModelBuilder& m_build;
};

} // namespace

onnx::ModelProto smallResnet(const std::string& name)
{
    constexpr std::int64_t classes = 10;
    ModelBuilder build(name, 0x2E57E7u);
    ResnetParts parts(build);
    std::string x = build.input("image", single, {1, 3, 32, 32});
    x = parts.relu("stem", parts.convolution("stem", x, 3, 16, 3, 1));
    std::int64_t channels = 16;
    for (int stage = 1; stage <= 3; ++stage) {
        const std::int64_t wide = std::int64_t{16} << (stage - 1);
        const std::string scope = "stage" + std::to_string(stage);
        x = parts.block(scope + ".0", x, channels, wide, stage == 1 ? 1 : 2);
        x = parts.block(scope + ".1", x, wide, wide, 1);
        channels = wide;
    }
    x = build.node("GlobalAveragePool", {x}, "/head/GlobalAveragePool");
    x = build.node("Flatten", {x}, "/head/Flatten");
    build.attr("axis", std::int64_t{1});
    const std::string weight = build.weight("head.weight", single, {classes, channels}, -0.2, 0.2);
    const std::string bias = build.weight("head.bias", single, {classes}, -0.1, 0.1);
    x = build.node("Gemm", {x, weight, bias}, "/head/Gemm");
    build.attr("transB", std::int64_t{1});
    x = build.node("Softmax", {x}, "/head/Softmax");
    build.attr("axis", std::int64_t{-1});
    build.output(x, single, {1, classes});
    return build.take();
}

} // namespace gelens::samples
