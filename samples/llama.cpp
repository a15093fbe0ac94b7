#include "samples/sample_models.h"

#include <cmath>

namespace gelens::samples {
namespace {

constexpr auto half = onnx::TensorProto::FLOAT16;
constexpr auto single = onnx::TensorProto::FLOAT;
constexpr auto integer = onnx::TensorProto::INT64;

constexpr double maskedScore = -65504.0; // lowest finite fp16
constexpr double normEpsilon = 1e-5;
constexpr double rotaryBase = 10000.0;
constexpr double temperature = 0.8;
constexpr double nucleus = 0.9; // share of probability that the kept candidates cover

/// Builds the decoder; one function for each part, in the order of the data.
class LlamaModel {
public:
    LlamaModel(const std::string& name, const LlamaSizes& sizes, WeightMode mode, const std::string& weightFile)
        : m_sizes(sizes), m_build(name, 0x11A3Au, mode, weightFile)
    {
    }

    onnx::ModelProto build();

private:
    using Value = std::string;

    Value embedding(const Value& ids);
    void sharedConstants();
    void rotaryTable(const Value& positions);
    Value paddingCounted(const Value& attentionMask);
    void scoreMask(const Value& padding);
    Value layer(int index, const Value& hidden);
    Value attentionBlock(const std::string& scope, const std::string& weights, const Value& x);
    Value rotated(const std::string& scope, const Value& queriesAndKeys);
    Value feedForward(const std::string& scope, const std::string& weights, const Value& x);
    Value norm(const std::string& scope, const std::string& weights, const Value& x);
    Value lastToken(const Value& padding, const Value& hidden);
    void samplingTail(const Value& logits);
    Value matMul(const Value& x, const std::string& node, const std::string& weight, std::int64_t rows,
                 std::int64_t columns);

    LlamaSizes m_sizes;
    ModelBuilder m_build;
    Value m_cos, m_sin, m_mask;
};

onnx::ModelProto LlamaModel::build()
{
    const Dims row{1, m_sizes.tokens};
    const Value ids = m_build.input("input_ids", integer, row);
    const Value attentionMask = m_build.input("attention_mask", integer, row);
    const Value positions = m_build.input("position_ids", integer, row);

    sharedConstants();
    Value hidden = embedding(ids);
    rotaryTable(positions);
    const Value padding = paddingCounted(attentionMask);
    scoreMask(padding);
    for (int i = 0; i < m_sizes.layers; ++i) hidden = layer(i, hidden);
    hidden = norm("/model/norm", "model.norm.weight", hidden);
    hidden = lastToken(padding, hidden);
    const Value logits = matMul(hidden, "/lm_head/MatMul", "lm_head.weight", m_sizes.hidden(), m_sizes.vocabulary);
    samplingTail(logits);
    return m_build.take();
}

void LlamaModel::sharedConstants()
{
    const auto heads = static_cast<double>(m_sizes.heads);
    const auto size = static_cast<double>(m_sizes.headSize);
    const double tokens = m_sizes.tokens;
    m_build.constant("axis_0", integer, {1}, {0});
    m_build.constant("axis_last", integer, {1}, {-1});
    m_build.constant("axes_1_3", integer, {2}, {1, 3});
    m_build.constant("axes_1_2", integer, {2}, {1, 2});
    m_build.constant("packed_shape", integer, {5}, {1, tokens, 3, heads, size});
    m_build.constant("merged_shape", integer, {3}, {1, tokens, static_cast<double>(m_sizes.hidden())});
    m_build.constant("norm_epsilon", half, {}, {normEpsilon});
    m_build.constant("score_scale", half, {}, {1.0 / std::sqrt(size)});
    m_build.constant("split_qk_v", integer, {2}, {2, 1});
    m_build.constant("split_q_k", integer, {2}, {1, 1});
    m_build.constant("split_halves", integer, {2}, {size / 2, size / 2});
}

LlamaModel::Value LlamaModel::embedding(const Value& ids)
{
    const Value table =
        m_build.weight("model.embed_tokens.weight", half, {m_sizes.vocabulary, m_sizes.hidden()}, -1, 1);
    return m_build.node("Gather", {table, ids}, "/model/embed_tokens/Gather");
}

void LlamaModel::rotaryTable(const Value& positions)
{
    std::vector<double> frequencies;
    for (std::int64_t i = 0; i < m_sizes.headSize / 2; ++i)
        frequencies.push_back(
            std::pow(rotaryBase, -2.0 * static_cast<double>(i) / static_cast<double>(m_sizes.headSize)));
    const Value frequency = m_build.constant("inverse_frequency", single, {m_sizes.headSize / 2}, frequencies);
    const std::string scope = "/model/rotary_emb/";
    const Value numbers = m_build.node("Cast", {positions}, scope + "Cast");
    m_build.attr("to", std::int64_t{single});
    // [1, 1, tokens, 1], so that the table broadcasts over q/k and the heads.
    const Value column = m_build.node("Unsqueeze", {numbers, "axes_1_3"}, scope + "Unsqueeze");
    const Value angles = m_build.node("Mul", {frequency, column}, scope + "Mul");
    const Value table = m_build.node("Concat", {angles, angles}, scope + "Concat");
    m_build.attr("axis", std::int64_t{-1});
    const Value cosine = m_build.node("Cos", {table}, scope + "Cos");
    const Value sine = m_build.node("Sin", {table}, scope + "Sin");
    m_cos = m_build.node("Cast", {cosine}, scope + "Cast_1");
    m_build.attr("to", std::int64_t{half});
    m_sin = m_build.node("Cast", {sine}, scope + "Cast_2");
    m_build.attr("to", std::int64_t{half});
}

/// 1 where a token is padding; its sum also tells the last real token.
LlamaModel::Value LlamaModel::paddingCounted(const Value& attentionMask)
{
    const Value one = m_build.constant("mask_one", integer, {}, {1});
    return m_build.node("Sub", {one, attentionMask}, "/model/mask/Sub");
}

void LlamaModel::scoreMask(const Value& padding)
{
    const std::int64_t tokens = m_sizes.tokens;
    std::vector<double> causal(static_cast<std::size_t>(tokens * tokens), 0.0);
    for (std::int64_t query = 0; query < tokens; ++query)
        for (std::int64_t key = query + 1; key < tokens; ++key)
            causal[static_cast<std::size_t>(query * tokens + key)] = maskedScore;
    const Value future = m_build.constant("causal_mask", half, {1, 1, tokens, tokens}, causal);
    const Value lowest = m_build.constant("lowest_score", half, {}, {maskedScore});
    const Value shape =
        m_build.constant("mask_shape", integer, {4}, {1, 1, static_cast<double>(tokens), static_cast<double>(tokens)});
    const std::string scope = "/model/mask/";
    const Value numbers = m_build.node("Cast", {padding}, scope + "Cast");
    m_build.attr("to", std::int64_t{half});
    const Value scores = m_build.node("Mul", {lowest, numbers}, scope + "Mul");
    const Value row = m_build.node("Unsqueeze", {scores, "axes_1_2"}, scope + "Unsqueeze");
    const Value square = m_build.node("Expand", {row, shape}, scope + "Expand");
    const Value both = m_build.node("Add", {future, square}, scope + "Add");
    // Two masked reasons add up to -inf in fp16: bring it back to the lowest finite score.
    m_mask = m_build.node("Max", {lowest, both}, scope + "Max");
}

LlamaModel::Value LlamaModel::matMul(const Value& x, const std::string& node, const std::string& weight,
                                     std::int64_t rows, std::int64_t columns)
{
    const double range = std::sqrt(3.0 / static_cast<double>(rows)); // keeps the variance of x
    return m_build.node("MatMul", {x, m_build.weight(weight, half, {rows, columns}, -range, range)}, node);
}

/// x / sqrt(mean(x²) + ε) · γ
LlamaModel::Value LlamaModel::norm(const std::string& scope, const std::string& weights, const Value& x)
{
    const Value square = m_build.node("Mul", {x, x}, scope + "/Mul");
    const Value mean = m_build.node("ReduceMean", {square}, scope + "/ReduceMean");
    m_build.attr("axes", Dims{-1}).attr("keepdims", std::int64_t{1});
    const Value shifted = m_build.node("Add", {mean, "norm_epsilon"}, scope + "/Add");
    const Value root = m_build.node("Sqrt", {shifted}, scope + "/Sqrt");
    const Value normed = m_build.node("Div", {x, root}, scope + "/Div");
    return m_build.node("Mul", {normed, m_build.weight(weights, half, {m_sizes.hidden()}, 0.8, 1.2)}, scope + "/Mul_1");
}

LlamaModel::Value LlamaModel::layer(int index, const Value& hidden)
{
    const std::string number = std::to_string(index);
    const std::string scope = "/model/layers." + number;
    const std::string weights = "model.layers." + number + ".";
    const Value normed = norm(scope + "/input_layernorm", weights + "input_layernorm.weight", hidden);
    const Value attended = attentionBlock(scope + "/self_attn", weights + "self_attn.", normed);
    const Value middle = m_build.node("Add", {hidden, attended}, scope + "/Add");
    const Value normedAgain =
        norm(scope + "/post_attention_layernorm", weights + "post_attention_layernorm.weight", middle);
    const Value fed = feedForward(scope + "/mlp", weights + "mlp.", normedAgain);
    return m_build.node("Add", {middle, fed}, scope + "/Add_1");
}

/// x·cos + rotate_half(x)·sin, for q and k at once.
LlamaModel::Value LlamaModel::rotated(const std::string& scope, const Value& queriesAndKeys)
{
    const auto halves = m_build.nodeWithOutputs("Split", {queriesAndKeys, "split_halves"}, scope + "/rotary/Split", 2);
    m_build.attr("axis", std::int64_t{-1});
    const Value negative = m_build.node("Neg", {halves[1]}, scope + "/rotary/Neg");
    const Value swapped = m_build.node("Concat", {negative, halves[0]}, scope + "/rotary/Concat");
    m_build.attr("axis", std::int64_t{-1});
    const Value sine = m_build.node("Mul", {m_sin, swapped}, scope + "/rotary/Mul");
    const Value cosine = m_build.node("Mul", {queriesAndKeys, m_cos}, scope + "/rotary/Mul_1");
    return m_build.node("Add", {cosine, sine}, scope + "/rotary/Add");
}

LlamaModel::Value LlamaModel::attentionBlock(const std::string& scope, const std::string& weights, const Value& x)
{
    const std::int64_t hidden = m_sizes.hidden();
    const Value packed = matMul(x, scope + "/qkv_proj/MatMul", weights + "qkv_proj.weight", hidden, 3 * hidden);
    const Value apart = m_build.node("Reshape", {packed, "packed_shape"}, scope + "/Reshape");
    const Value byPart = m_build.node("Transpose", {apart}, scope + "/Transpose"); // [3, 1, heads, tokens, size]
    m_build.attr("perm", Dims{2, 0, 3, 1, 4});
    const auto parts = m_build.nodeWithOutputs("Split", {byPart, "split_qk_v"}, scope + "/Split", 2);
    m_build.attr("axis", std::int64_t{0});
    const Value turned = rotated(scope, parts[0]);
    const auto queryKey = m_build.nodeWithOutputs("Split", {turned, "split_q_k"}, scope + "/Split_1", 2);
    m_build.attr("axis", std::int64_t{0});
    const Value query = m_build.node("Squeeze", {queryKey[0], "axis_0"}, scope + "/Squeeze");
    const Value key = m_build.node("Squeeze", {queryKey[1], "axis_0"}, scope + "/Squeeze_1");
    const Value value = m_build.node("Squeeze", {parts[1], "axis_0"}, scope + "/Squeeze_2");
    const Value keyColumns = m_build.node("Transpose", {key}, scope + "/Transpose_1");
    m_build.attr("perm", Dims{0, 1, 3, 2});
    const Value scores = m_build.node("MatMul", {query, keyColumns}, scope + "/MatMul");
    const Value scaled = m_build.node("Mul", {"score_scale", scores}, scope + "/Mul");
    const Value masked = m_build.node("Add", {scaled, m_mask}, scope + "/Add");
    const Value weightsOfKeys = m_build.node("Softmax", {masked}, scope + "/Softmax");
    m_build.attr("axis", std::int64_t{-1});
    const Value context = m_build.node("MatMul", {weightsOfKeys, value}, scope + "/MatMul_1");
    const Value byToken = m_build.node("Transpose", {context}, scope + "/Transpose_2");
    m_build.attr("perm", Dims{0, 2, 1, 3});
    const Value merged = m_build.node("Reshape", {byToken, "merged_shape"}, scope + "/Reshape_1");
    return matMul(merged, scope + "/o_proj/MatMul", weights + "o_proj.weight", hidden, hidden);
}

LlamaModel::Value LlamaModel::feedForward(const std::string& scope, const std::string& weights, const Value& x)
{
    const std::int64_t hidden = m_sizes.hidden();
    const std::int64_t wide = m_sizes.feedForward;
    const Value gate = matMul(x, scope + "/gate_proj/MatMul", weights + "gate_proj.weight", hidden, wide);
    const Value up = matMul(x, scope + "/up_proj/MatMul", weights + "up_proj.weight", hidden, wide);
    const Value sigmoid = m_build.node("Sigmoid", {gate}, scope + "/act_fn/Sigmoid");
    const Value silu = m_build.node("Mul", {gate, sigmoid}, scope + "/act_fn/Mul");
    const Value gated = m_build.node("Mul", {silu, up}, scope + "/Mul");
    return matMul(gated, scope + "/down_proj/MatMul", weights + "down_proj.weight", wide, hidden);
}

LlamaModel::Value LlamaModel::lastToken(const Value& padding, const Value& hidden)
{
    const Value last = m_build.constant("last_index", integer, {}, {static_cast<double>(m_sizes.tokens - 1)});
    const Value padded = m_build.node("ReduceSum", {padding, "axis_last"}, "/last_token/ReduceSum");
    m_build.attr("keepdims", std::int64_t{0});
    const Value index = m_build.node("Sub", {last, padded}, "/last_token/Sub");
    const Value token = m_build.node("Gather", {hidden, index}, "/last_token/Gather");
    m_build.attr("axis", std::int64_t{1});
    return token;
}

/// The k best tokens whose better ones cover less than the nucleus; -1 marks those outside it.
void LlamaModel::samplingTail(const Value& logits)
{
    const Value sharpness = m_build.constant("inverse_temperature", single, {}, {1.0 / temperature});
    const Value count = m_build.constant("top_k", integer, {1}, {static_cast<double>(m_sizes.topK)});
    const Value axis = m_build.constant("cumsum_axis", integer, {}, {2});
    const Value share = m_build.constant("nucleus_share", single, {}, {nucleus});
    const Value none = m_build.constant("no_token", integer, {}, {-1});
    const Value numbers = m_build.node("Cast", {logits}, "/lm_head/Cast");
    m_build.attr("to", std::int64_t{single});
    const Value sharpened = m_build.node("Mul", {sharpness, numbers}, "/sampling/Mul");
    const Value odds = m_build.node("Softmax", {sharpened}, "/sampling/Softmax");
    m_build.attr("axis", std::int64_t{-1});
    const auto best = m_build.nodeWithOutputs("TopK", {odds, count}, "/sampling/TopK", 2);
    m_build.attr("axis", std::int64_t{-1}).attr("largest", std::int64_t{1}).attr("sorted", std::int64_t{1});
    const Value before = m_build.node("CumSum", {best[0], axis}, "/sampling/CumSum");
    m_build.attr("exclusive", std::int64_t{1});
    const Value outside = m_build.node("Less", {share, before}, "/sampling/Less");
    const Value tokens = m_build.node("Where", {outside, none, best[1]}, "/sampling/Where");
    m_build.output(tokens, integer, {1, 1, m_sizes.topK});
}

} // namespace

onnx::ModelProto llama(const std::string& name, const LlamaSizes& sizes, WeightMode mode, const std::string& weightFile)
{
    return LlamaModel(name, sizes, mode, weightFile).build();
}

} // namespace gelens::samples
