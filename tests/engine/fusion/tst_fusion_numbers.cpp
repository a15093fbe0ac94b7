// Rules on graphs that run: each fires, keeps the numbers of the reference kernels, and changes nothing when run again.

#include "tests/engine/fusion/fusion_graphs.h"

#include <functional>

using namespace gelens;
using namespace gelens::test;

namespace {

using Build = std::function<void(FusionGraph&)>;
using Rules = std::vector<std::pair<std::string, int>>;

struct Case {
    const char* name;
    Rules rules;
    Build build;
    bool isCombined = false; ///< on a chip with combined cores
};

const DataType fp32 = DataType::Float;

AttrMap axes(std::int64_t axis) { return {{"axes", IntList{axis}}}; }

OutputRef transpose(FusionGraph& g, const std::string& name, OutputRef x, std::vector<std::int64_t> perm)
{
    return g.op("Transpose", name, {x, g.ints(name + "_perm", std::move(perm))});
}
OutputRef reshape(FusionGraph& g, const std::string& name, OutputRef x, std::vector<std::int64_t> shape)
{
    return g.op("Reshape", name, {x, g.ints(name + "_shape", std::move(shape))});
}
AttrMap convAttrs(std::int64_t pad = 1)
{
    return {{"strides", IntList{1, 1, 1, 1}},
            {"pads", IntList{pad, pad, pad, pad}},
            {"dilations", IntList{1, 1, 1, 1}},
            {"groups", 1},
            {"data_format", "NCHW"}};
}
OutputRef conv(FusionGraph& g, OutputRef x, std::int64_t from = 4, std::int64_t to = 8)
{
    return g.op("Conv2D", "conv", {x, g.weight("filter", {to, from, 3, 3}, fp32)}, convAttrs());
}
OutputRef batchNorm(FusionGraph& g, OutputRef x, std::int64_t channels)
{
    return g.op("BatchNorm", "bn",
                {x, g.weight("gamma", {channels}, fp32), g.weight("beta", {channels}, fp32),
                 g.weight("mean", {channels}, fp32), g.weight("variance", {channels}, fp32)},
                {{"epsilon", 1e-5}, {"is_training", false}, {"data_format", "NCHW"}}, 5);
}
OutputRef image(FusionGraph& g) { return g.data("image", {2, 4, 6, 6}, fp32); }

/// softmax(q·kᵀ / 8 + mask)·v with the heads split and merged by transposes.
void headsInAndOut(FusionGraph& g, bool mergesKeyTransposes)
{
    const auto heads = [&](const char* name) {
        return reshape(g, std::string(name) + "_apart", g.data(name, {2, 16, 64}, fp32), {2, 16, 4, 16});
    };
    const OutputRef q = transpose(g, "q_heads", heads("q"), {0, 2, 1, 3}),
                    v = transpose(g, "v_heads", heads("v"), {0, 2, 1, 3});
    const OutputRef k =
        mergesKeyTransposes
            ? transpose(g, "k_columns", heads("k"), {0, 2, 3, 1})
            : transpose(g, "k_columns", transpose(g, "k_heads", heads("k"), {0, 2, 1, 3}), {0, 1, 3, 2});
    const OutputRef scores = g.op("RealDiv", "scale", {g.op("BatchMatMulV2", "qk", {q, k}), g.number("root", 4, fp32)});
    const OutputRef masked = g.op("Add", "masked", {scores, g.data("mask", {2, 1, 1, 16}, fp32)});
    const OutputRef context = g.op("BatchMatMulV2", "pv", {g.op("SoftmaxV2", "softmax", {masked}, axes(-1)), v});
    g.result({reshape(g, "joined", transpose(g, "merged", context, {0, 2, 1, 3}), {2, 16, 64})});
}

void boolMask(FusionGraph& g, bool isBlocked)
{
    const OutputRef q = g.data("q", {1, 2, 8, 16}, fp32), k = g.data("k", {1, 2, 16, 8}, fp32),
                    v = g.data("v", {1, 2, 8, 16}, fp32);
    std::vector<double> causal(64);
    for (std::size_t i = 0; i < 64; ++i) causal[i] = (i % 8 > i / 8) == isBlocked;
    const OutputRef mask = g.numbers("causal", causal, {1, 1, 8, 8}, DataType::Bool),
                    low = g.number("low", -10000, fp32);
    const OutputRef scaled = g.op("Mul", "scale", {g.op("BatchMatMulV2", "qk", {q, k}), g.number("s", 0.25, fp32)});
    const OutputRef selected =
        isBlocked ? g.op("SelectV2", "select", {mask, low, scaled}) : g.op("SelectV2", "select", {mask, scaled, low});
    g.result({g.op("BatchMatMulV2", "pv", {g.op("SoftmaxV2", "softmax", {selected}, axes(-1)), v})});
}

OutputRef rotary(FusionGraph& g, OutputRef x, OutputRef cos, OutputRef sin, std::int64_t half, bool usesSlices)
{
    OutputRef first, second;
    if (usesSlices) {
        const auto slice = [&](const char* name, std::int64_t from, std::int64_t to) {
            return g.op("StridedSliceV2", name,
                        {x, g.ints(std::string(name) + "_b", {from}), g.ints(std::string(name) + "_e", {to}),
                         g.ints(std::string(name) + "_a", {-1}), g.ints(std::string(name) + "_s", {1})});
        };
        first = slice("first", 0, half);
        second = slice("second", half, 2 * half);
    } else {
        const OutputRef split = g.op("SplitD", "halves", {x}, {{"split_dim", -1}, {"num_split", 2}}, 2);
        first = split;
        second = {split.node, 1};
    }
    const OutputRef rotated =
        g.op("ConcatD", "rotated", {g.op("Neg", "neg", {second}), first}, {{"concat_dim", -1}, {"N", 2}});
    return g.op("Add", "rotary", {g.op("Mul", "by_cos", {x, cos}), g.op("Mul", "by_sin", {rotated, sin})});
}

/// The decoder's attention on packed q, k and v, as a packed weight gives it.
void packed(FusionGraph& g)
{
    const OutputRef qkv = reshape(g, "apart", g.data("qkv", {1, 8, 96}, fp32), {1, 8, 3, 2, 16});
    const OutputRef parts = transpose(g, "by_part", qkv, {2, 0, 3, 1, 4});
    const OutputRef split =
        g.op("SplitVD", "split", {parts}, {{"size_splits", IntList{2, 1}}, {"split_dim", 0}, {"num_split", 2}}, 2);
    const OutputRef turned =
        rotary(g, split, g.data("cos", {1, 1, 8, 16}, fp32), g.data("sin", {1, 1, 8, 16}, fp32), 8, false);
    const OutputRef qk =
        g.op("SplitVD", "split_qk", {turned}, {{"size_splits", IntList{1, 1}}, {"split_dim", 0}, {"num_split", 2}}, 2);
    const auto drop = [&](const char* name, OutputRef x) { return reshape(g, name, x, {1, 2, 8, 16}); };
    const OutputRef q = drop("q", qk), k = drop("k", {qk.node, 1}), v = drop("v", {split.node, 1});
    const OutputRef scores =
        g.op("Mul", "scaled",
             {g.op("BatchMatMulV2", "qk", {q, transpose(g, "kt", k, {0, 1, 3, 2})}), g.number("s", 0.25, fp32)});
    const OutputRef masked = g.op("Add", "masked", {scores, g.data("mask", {1, 1, 8, 8}, fp32)});
    const OutputRef context = g.op("BatchMatMulV2", "pv", {g.op("SoftmaxV2", "softmax", {masked}, axes(-1)), v});
    g.result({transpose(g, "merged", context, {0, 2, 1, 3})});
}

void groupedQueries(FusionGraph& g)
{
    const OutputRef q = g.data("q", {1, 4, 8, 16}, fp32), k = g.data("k", {1, 2, 8, 16}, fp32),
                    v = g.data("v", {1, 2, 8, 16}, fp32);
    const auto repeated = [&](const std::string& n, OutputRef x) {
        return reshape(g, n + "_merged",
                       g.op("Expand", n + "_repeated",
                            {reshape(g, n + "_parted", x, {1, 2, 1, 8, 16}), g.ints(n + "_to", {1, 2, 2, 8, 16})}),
                       {1, 4, 8, 16});
    };
    const OutputRef scores = g.op("BatchMatMulV2", "qk", {q, transpose(g, "kt", repeated("k", k), {0, 1, 3, 2})});
    g.result({g.op("BatchMatMulV2", "pv", {g.op("SoftmaxV2", "softmax", {scores}, axes(-1)), repeated("v", v)})});
}

OutputRef geluErf(FusionGraph& g, int form)
{
    const OutputRef x = g.data("x", {4, 32}, fp32), half = g.number("half", 0.5, fp32), one = g.number("one", 1, fp32);
    const OutputRef argument = form == 1 ? g.op("Mul", "arg", {x, g.number("inv", 0.70710678, fp32)})
                                         : g.op("RealDiv", "arg", {x, g.number("root", 1.41421354, fp32)});
    const OutputRef plus = g.op("Add", "plus", {g.op("Erf", "erf", {argument}), one});
    if (form == 0) return g.op("Mul", "out", {g.op("Mul", "product", {x, plus}), half});
    if (form == 1) return g.op("Mul", "out", {g.op("Mul", "half_x", {half, x}), plus});
    return g.op("Mul", "out", {x, g.op("Mul", "gate", {plus, half})});
}

OutputRef geluTanh(FusionGraph& g, int form)
{
    const OutputRef x = g.data("x", {4, 32}, fp32), half = g.number("half", 0.5, fp32), one = g.number("one", 1, fp32);
    const OutputRef root = g.number("root", 0.7978845608, fp32), cubic = g.number("cubic", 0.044715, fp32);
    OutputRef argument;
    if (form == 0)
        argument = g.op("Mul", "arg",
                        {g.op("Add", "sum",
                              {x, g.op("Mul", "term", {g.op("Pow", "cube", {x, g.number("three", 3, fp32)}), cubic})}),
                         root});
    else if (form == 1)
        argument =
            g.op("Mul", "arg",
                 {root, g.op("Add", "sum",
                             {x, g.op("Mul", "term", {cubic, g.op("Mul", "cube", {g.op("Mul", "sq", {x, x}), x})})})});
    else
        argument =
            g.op("Mul", "arg",
                 {g.op("Mul", "root_x", {x, root}),
                  g.op("Add", "sum",
                       {g.op("Mul", "term", {g.op("Mul", "cubic_x", {cubic, x}), x}), g.number("inner", 1, fp32)})});
    const OutputRef plus = g.op("Add", "plus", {one, g.op("Tanh", "tanh", {argument})});
    return form == 0 ? g.op("Mul", "out", {half, g.op("Mul", "product", {x, plus})})
                     : g.op("Mul", "out", {g.op("Mul", "half_x", {x, half}), plus});
}

std::vector<Case> cases()
{
    std::vector<Case> all;
    const auto add = [&](const char* name, Rules rules, Build build, bool isCombined = false) {
        all.push_back({name, std::move(rules), std::move(build), isCombined});
    };

    add("attention, heads in and out",
        {{"FlashAttentionFusion", 1},
         {"FlashAttentionOutputTranspose", 1},
         {"FlashAttentionKeyTranspose", 1},
         {"FlashAttentionValueTranspose", 1},
         {"FlashAttentionQueryTranspose", 1}},
        [](FusionGraph& g) { headsInAndOut(g, false); });
    add("attention, one transpose for the keys",
        {{"FlashAttentionFusion", 1}, {"FlashAttentionKeyTranspose", 1}, {"FlashAttentionQueryTranspose", 1}},
        [](FusionGraph& g) { headsInAndOut(g, true); });
    add("attention, blocked where true", {{"FlashAttentionFusion", 1}}, [](FusionGraph& g) { boolMask(g, true); });
    add("attention, allowed where true", {{"FlashAttentionFusion", 1}}, [](FusionGraph& g) { boolMask(g, false); });
    add("attention, grouped queries", {{"FlashAttentionFusion", 1}, {"GroupedQueryAttentionFusion", 1}},
        groupedQueries);
    add("attention, packed with rotary",
        {{"FlashAttentionFusion", 1},
         {"RotaryDecomposedFusion", 1},
         {"PackedRotaryAttentionFusion", 1},
         {"FlashAttentionOutputTranspose", 1}},
        packed);
    for (int slices = 0; slices < 2; ++slices)
        add(slices ? "rotary, slices" : "rotary, split", {{"RotaryDecomposedFusion", 1}}, [slices](FusionGraph& g) {
            g.result({rotary(g, g.data("x", {1, 2, 8, 16}, fp32), g.data("cos", {1, 1, 8, 16}, fp32),
                             g.data("sin", {8, 16}, fp32), 8, slices)});
        });
    static const char* const erfNames[] = {"gelu erf, half last", "gelu erf, half first", "gelu erf, half inside"};
    static const char* const tanhNames[] = {"gelu tanh, power", "gelu tanh, product", "gelu tanh, factored"};
    for (int form = 0; form < 3; ++form) {
        add(erfNames[form], {{"GeluErfFusion", 1}}, [form](FusionGraph& g) { g.result({geluErf(g, form)}); });
        add(tanhNames[form], {{"GeluTanhFusion", 1}}, [form](FusionGraph& g) { g.result({geluTanh(g, form)}); });
    }
    add("swish", {{"SwishFusion", 1}}, [](FusionGraph& g) {
        const OutputRef x = g.data("x", {4, 32}, fp32);
        g.result({g.op("Mul", "out", {g.op("Sigmoid", "s", {x}), x})});
    });
    add("quick gelu", {{"SwishFusion", 1}}, [](FusionGraph& g) {
        const OutputRef x = g.data("x", {4, 32}, fp32);
        g.result({g.op("Mul", "out", {x, g.op("Sigmoid", "s", {g.op("Mul", "m", {x, g.number("c", 1.702, fp32)})})})});
    });
    add("swiglu", {{"SwiGluDecomposedFusion", 1}}, [](FusionGraph& g) {
        const OutputRef x = g.data("x", {4, 32}, fp32);
        g.result(
            {g.op("Mul", "out", {g.op("Mul", "silu", {x, g.op("Sigmoid", "s", {x})}), g.data("up", {4, 32}, fp32)})});
    });
    add("swiglu of halves", {{"SwiGluDecomposedFusion", 1}, {"SwiGluPackedFusion", 1}}, [](FusionGraph& g) {
        const OutputRef split =
            g.op("SplitD", "split", {g.data("x", {4, 64}, fp32)}, {{"split_dim", -1}, {"num_split", 2}}, 2);
        g.result({g.op("Mul", "out",
                       {g.op("Mul", "silu", {split, g.op("Sigmoid", "s", {split})}), OutputRef{split.node, 1}})});
    });
    add("geglu", {{"GeluErfFusion", 1}, {"GeGluDecomposedFusion", 1}}, [](FusionGraph& g) {
        g.result({g.op("Mul", "gated", {g.data("up", {4, 32}, fp32), geluErf(g, 0)})});
    });
    add("hard swish, relu6", {{"HardSwishFusion", 1}}, [](FusionGraph& g) {
        const OutputRef x = g.data("x", {4, 32}, fp32);
        g.result({g.op("RealDiv", "out",
                       {g.op("Mul", "p", {x, g.op("Relu6", "r", {g.op("Add", "a", {x, g.number("three", 3, fp32)})})}),
                        g.number("six", 6, fp32)})});
    });
    // As the parser writes a Clip of an older opset: a Cast to the type that is there. One to another type is none of it.
    for (const bool keepsType : {true, false})
        add(keepsType ? "hard swish, clip behind a cast" : "hard swish, clip in another type",
            {{"HardSwishFusion", keepsType ? 1 : 0}}, [keepsType](FusionGraph& g) {
                const AttrMap same{{"dst_type", std::int64_t{0}}}, other{{"dst_type", std::int64_t{1}}};
                const DataType type = keepsType ? fp32 : DataType::Float16;
                const OutputRef x = g.data("x", {4, 32}, fp32);
                OutputRef clip = g.op("Cast", "there", {g.op("Add", "a", {x, g.number("three", 3, fp32)})},
                                      keepsType ? same : other);
                clip = g.op("ClipByValue", "clip", {clip, g.number("zero", 0, type), g.number("top", 6, type)});
                if (!keepsType) clip = g.op("Cast", "back", {clip}, same);
                g.result({g.op("RealDiv", "out", {g.op("Mul", "p", {x, clip}), g.number("six", 6, fp32)})});
            });
    add("hard sigmoid and hard swish", {{"HardSigmoidFusion", 1}, {"HardSwishFusion", 1}}, [](FusionGraph& g) {
        const OutputRef x = g.data("x", {4, 32}, fp32);
        g.result({g.op("Mul", "out",
                       {x, g.op("RealDiv", "d",
                                {g.op("Relu6", "r", {g.op("Add", "a", {x, g.number("three", 3, fp32)})}),
                                 g.number("six", 6, fp32)})})});
    });
    add("softplus and mish", {{"SoftplusFusion", 1}, {"MishFusion", 1}}, [](FusionGraph& g) {
        const OutputRef x = g.data("x", {4, 32}, fp32);
        g.result({g.op(
            "Mul", "out",
            {x, g.op("Tanh", "t",
                     {g.op("Log", "l", {g.op("Add", "a", {g.op("Exp", "e", {x}), g.number("one", 1, fp32)})})})})});
    });
    add("clip, minimum outside", {{"ClipFusionRule0", 1}}, [](FusionGraph& g) {
        g.result({g.op("Minimum", "out",
                       {g.op("Maximum", "m", {g.data("x", {4, 32}, fp32), g.number("low", -0.5, fp32)}),
                        g.number("high", 0.25, fp32)})});
    });
    add("clip, maximum outside", {{"ClipFusionRule1", 1}}, [](FusionGraph& g) {
        g.result({g.op("Maximum", "out",
                       {g.number("low", -0.5, fp32),
                        g.op("Minimum", "m", {g.data("x", {4, 32}, fp32), g.number("high", 0.25, fp32)})})});
    });
    add("relu from maximum", {{"ReluFromMaximumFusion", 1}}, [](FusionGraph& g) {
        g.result({g.op("Maximum", "out", {g.data("x", {4, 32}, fp32), g.number("zero", 0, fp32)})});
    });
    add("leaky relu", {{"LeakyReluFusion", 1}}, [](FusionGraph& g) {
        const OutputRef x = g.data("x", {4, 32}, fp32);
        g.result({g.op("Maximum", "out", {x, g.op("Mul", "m", {x, g.number("a", 0.1, fp32)})})});
    });
    add("softmax from its parts", {{"SoftmaxDecomposedFusion", 1}, {"LogSoftmaxFusion", 1}}, [](FusionGraph& g) {
        const OutputRef x = g.data("x", {4, 32}, fp32),
                        e = g.op("Exp", "e",
                                 {g.op("Sub", "d",
                                       {x, g.op("ReduceMax", "max", {x, g.ints("a", {-1})}, {{"keep_dims", true}})})});
        g.result({g.op(
            "Log", "log",
            {g.op("RealDiv", "out", {e, g.op("ReduceSum", "sum", {e, g.ints("b", {-1})}, {{"keep_dims", true}})})})});
    });
    add("rsqrt", {{"RsqrtFusion", 1}},
        [](FusionGraph& g) { g.result({g.op("Reciprocal", "out", {g.op("Sqrt", "s", {g.weight("x", {8}, fp32)})})}); });
    add("squared difference", {{"SquaredDifferenceFusion", 1}}, [](FusionGraph& g) {
        const OutputRef d = g.op("Sub", "d", {g.data("x", {4, 8}, fp32), g.data("y", {8}, fp32)});
        g.result({g.op("Mul", "out", {d, d})});
    });
    add("sum of squares", {{"SquareSumV1", 1}}, [](FusionGraph& g) {
        g.result({g.op("ReduceSum", "out", {g.op("Square", "q", {g.data("x", {4, 8}, fp32)}), g.ints("axes", {1})},
                       {{"keep_dims", true}})});
    });
    add("cast, relu, cast back", {{"CastReluCastFusion", 1}}, [](FusionGraph& g) {
        const AttrMap up{{"dst_type", static_cast<std::int64_t>(fp32)}},
            down{{"dst_type", static_cast<std::int64_t>(DataType::Float16)}};
        g.result({g.op("Cast", "back", {g.op("Relu", "r", {g.op("Cast", "there", {g.data("x", {4, 8})}, up)})}, down)});
    });

    add("matmul and bias", {{"MatMulBiasAddFusion", 1}}, [](FusionGraph& g) {
        g.result({g.op("Add", "out",
                       {g.op("MatMulV2", "mm", {g.data("x", {4, 8}, fp32), g.weight("w", {8, 16}, fp32)}),
                        g.weight("b", {16}, fp32)})});
    });
    add("matmul, reshape and bias", {{"MatMulReshapeBiasAddFusion", 1}}, [](FusionGraph& g) {
        g.result(
            {g.op("Add", "out",
                  {reshape(g, "r", g.op("MatMulV2", "mm", {g.data("x", {4, 8}, fp32), g.weight("w", {8, 16}, fp32)}),
                           {2, 2, 16}),
                   g.weight("b", {16}, fp32)})});
    });
    add("batch matmul, transposed right operand", {{"BatchMatMulTransposeX2Fusion", 1}}, [](FusionGraph& g) {
        g.result({g.op("BatchMatMulV2", "mm",
                       {g.data("x", {2, 4, 8}, fp32), transpose(g, "t", g.data("w", {2, 16, 8}, fp32), {0, 2, 1})})});
    });
    add("batch matmul, transposed left operand", {{"BatchMatMulTransposeX1Fusion", 1}}, [](FusionGraph& g) {
        g.result({g.op("BatchMatMulV2", "mm",
                       {transpose(g, "t", g.data("x", {2, 8, 4}, fp32), {0, 2, 1}), g.data("w", {2, 8, 16}, fp32)})});
    });
    add("matmul, both operands transposed", {{"MatMulTransposeX2Fusion", 1}, {"MatMulTransposeX1Fusion", 1}},
        [](FusionGraph& g) {
            g.result({g.op("MatMulV2", "mm",
                           {transpose(g, "t", g.data("x", {8, 4}, fp32), {1, 0}),
                            transpose(g, "u", g.data("w", {16, 8}, fp32), {1, 0})})});
        });
    add(
        "matmul and swiglu", {{"SwiGluDecomposedFusion", 1}, {"MatmulSwigluFusion", 1}},
        [](FusionGraph& g) {
            const OutputRef x = g.data("x", {4, 8}, fp32),
                            gate = g.op("BatchMatMulV2", "gate", {x, g.weight("wg", {8, 16}, fp32)}),
                            up = g.op("BatchMatMulV2", "up", {x, g.weight("wu", {8, 16}, fp32)});
            g.result({g.op("Mul", "out", {g.op("Mul", "silu", {gate, g.op("Sigmoid", "s", {gate})}), up})});
        },
        true);
    for (int flag = 0; flag < 2; ++flag) {
        const auto gated = [flag](FusionGraph& g) {
            const Shape shape = flag ? Shape{16, 8} : Shape{8, 16};
            const AttrMap attrs{{"adj_x2", bool(flag)}};
            const OutputRef x = g.data("x", {2, 4, 8}, fp32);
            const OutputRef gate = g.op("BatchMatMulV2", "gate", {x, g.weight("wg", shape, fp32)}, attrs);
            std::vector<double> other(128);
            for (std::size_t i = 0; i < other.size(); ++i) other[i] = 0.01 * static_cast<double>(i) - 0.5;
            const OutputRef up = g.op("BatchMatMulV2", "up", {x, g.numbers("wu", other, shape, fp32)}, attrs);
            g.result({g.op("SwiGluMul", "out", {gate, up})});
        };
        add(flag ? "gate and value packed, weights by rows" : "gate and value packed", {{"GateUpPackFusion", 1}},
            gated);
        add(flag ? "gate and value grouped, weights by rows" : "gate and value grouped", {{"GateUpGroupedFusion", 1}},
            gated);
        add(
            flag ? "packed swiglu, weights by rows" : "packed swiglu", {{"MatmulSwigluPackedFusion", 1}},
            [flag](FusionGraph& g) {
                const OutputRef x = g.data("x", {2, 4, 8}, fp32);
                const OutputRef product =
                    g.op("BatchMatMulV2", "gate_up", {x, g.weight("w", flag ? Shape{32, 8} : Shape{8, 32}, fp32)},
                         {{"adj_x2", bool(flag)}});
                g.result({g.op("SwiGlu", "out", {product})});
            },
            true);
    }
    add(
        "matmul and relu", {{"MatmulActivationUbFusion", 1}},
        [](FusionGraph& g) {
            g.result(
                {g.op("Relu", "out",
                      {g.op("MatMulV2", "mm",
                            {g.data("x", {4, 8}, fp32), g.weight("w", {8, 16}, fp32), g.weight("b", {16}, fp32)})})});
        },
        true);
    add(
        "matmul and gelu", {{"MatmulActivationUbFusion", 1}},
        [](FusionGraph& g) {
            g.result({g.op("Gelu", "out",
                           {g.op("MatMulV2", "mm", {g.data("x", {4, 8}, fp32), g.weight("w", {8, 16}, fp32)})})});
        },
        true);
    add(
        "batch matmul and add", {{"BatchMatmulAddUbFusion", 1}},
        [](FusionGraph& g) {
            g.result(
                {g.op("Add", "out",
                      {g.data("r", {2, 4, 16}, fp32),
                       g.op("BatchMatMulV2", "mm", {g.data("x", {2, 4, 8}, fp32), g.weight("w", {8, 16}, fp32)})})});
        },
        true);
    add(
        "batch matmul and relu", {{"BatchMatmulReluUbFusion", 1}},
        [](FusionGraph& g) {
            g.result({g.op("Relu", "out",
                           {g.op("BatchMatMulV2", "mm", {g.data("x", {2, 4, 8}, fp32), g.data("w", {2, 16, 8}, fp32)},
                                 {{"adj_x2", true}})})});
        },
        true);
    add(
        "batch matmul and scale", {{"BatchMatmulMulUbFusion", 1}},
        [](FusionGraph& g) {
            g.result({g.op("RealDiv", "out",
                           {g.op("BatchMatMulV2", "mm", {g.data("x", {2, 4, 8}, fp32), g.weight("w", {8, 16}, fp32)}),
                            g.number("c", 8, fp32)})});
        },
        true);

    add("conv and bias", {{"ConvBiasAddFusion", 1}}, [](FusionGraph& g) {
        g.result({g.op("Add", "out", {conv(g, image(g)), g.weight("b", {1, 8, 1, 1}, fp32)})});
    });
    add("conv and batch norm", {{"ConvBatchnormFusion", 1}},
        [](FusionGraph& g) { g.result({batchNorm(g, conv(g, image(g)), 8)}); });
    add(
        "conv, bias, batch norm, relu", {{"ConvBiasAddFusion", 1}, {"ConvBatchnormFusion", 1}, {"ConvReluUbFusion", 1}},
        [](FusionGraph& g) {
            g.result(
                {g.op("Relu", "relu",
                      {batchNorm(g, g.op("Add", "add", {conv(g, image(g)), g.weight("b", {8, 1, 1}, fp32)}), 8)})});
        },
        true);
    add("conv and factor", {{"ConvMulFusion", 1}}, [](FusionGraph& g) {
        g.result({g.op("Mul", "out", {conv(g, image(g)), g.weight("f", {1, 8, 1, 1}, fp32)})});
    });
    add(
        "conv, add, relu", {{"ConvAddReluUbFusion", 1}},
        [](FusionGraph& g) {
            g.result(
                {g.op("Relu", "relu", {g.op("Add", "add", {g.data("other", {2, 8, 6, 6}, fp32), conv(g, image(g))})})});
        },
        true);
    add(
        "conv and add", {{"ConvAddReluUbFusion", 1}},
        [](FusionGraph& g) {
            g.result({g.op("Add", "add", {g.data("other", {2, 8, 6, 6}, fp32), conv(g, image(g))})});
        },
        true);
    add(
        "conv and clip", {{"ConvClipUbFusion", 1}},
        [](FusionGraph& g) {
            g.result({g.op("ClipByValue", "clip",
                           {conv(g, image(g)), g.number("low", 0, fp32), g.number("high", 1.5, fp32)})});
        },
        true);
    add(
        "conv and hard swish", {{"ConvHardSwishUbFusion", 1}},
        [](FusionGraph& g) { g.result({g.op("HardSwish", "act", {conv(g, image(g))})}); }, true);
    for (int pairs = 0; pairs < 2; ++pairs)
        add(pairs ? "pad in pairs and conv" : "pad, begins then ends, and conv", {{"PadConvFusion", 1}},
            [pairs](FusionGraph& g) {
                const OutputRef padded =
                    g.op("PadV3", "pad",
                         {image(g),
                          g.ints("paddings", pairs ? std::vector<std::int64_t>{0, 0, 0, 0, 1, 2, 3, 0}
                                                   : std::vector<std::int64_t>{0, 0, 1, 3, 0, 0, 2, 0}),
                          g.number("zero", 0, fp32)},
                         {{"mode", "constant"}, {"paddings_contiguous", bool(pairs)}});
                g.result({conv(g, padded)});
            });
    add("transposed conv and batch norm", {{"DeconvBatchnormFusion", 1}}, [](FusionGraph& g) {
        const OutputRef size = g.ints("size", {2, 8, 6, 6});
        g.result({batchNorm(
            g, g.op("Conv2DTranspose", "deconv", {size, image(g), g.weight("filter", {4, 8, 3, 3}, fp32)}, convAttrs()),
            8)});
    });
    add("batch norm alone", {{"BatchNormInferFusion", 1}},
        [](FusionGraph& g) { g.result({batchNorm(g, image(g), 4)}); });
    add("group norm from instance norm", {{"GroupNormDecomposedFusion", 1}}, [](FusionGraph& g) {
        const OutputRef x = image(g),
                        normed = g.op("InstanceNorm", "in",
                                      {reshape(g, "g", x, {2, 2, 72}), g.numbers("ones", {1, 1}, {2}, fp32),
                                       g.numbers("zeros", {0, 0}, {2}, fp32)},
                                      {{"epsilon", 1e-5}, {"data_format", "NCHW"}}, 3);
        g.result({g.op("Add", "out",
                       {g.op("Mul", "m", {reshape(g, "w", normed, {2, 4, 6, 6}), g.weight("gamma", {4, 1, 1}, fp32)}),
                        g.weight("beta", {4, 1, 1}, fp32)})});
    });
    add("add and layer norm", {{"AddLayerNormFusion", 1}}, [](FusionGraph& g) {
        const OutputRef sum = g.op("Add", "sum", {g.data("a", {2, 8, 32}, fp32), g.data("b", {2, 8, 32}, fp32)});
        g.result({g.op("LayerNormV3", "ln", {sum, g.weight("gamma", {32}, fp32), g.weight("beta", {32}, fp32)},
                       {{"begin_norm_axis", -1}, {"begin_params_axis", -1}, {"epsilon", 1e-5}}, 3),
                  g.op("Relu", "other", {sum})});
    });
    return all;
}

} // namespace

class TestFusionNumbers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void firesAndKeepsNumbers_data();
    void firesAndKeepsNumbers();
};

void TestFusionNumbers::firesAndKeepsNumbers_data()
{
    QTest::addColumn<int>("index");
    int index = 0;
    for (const Case& each : cases()) QTest::newRow(each.name) << index++;
}

void TestFusionNumbers::firesAndKeepsNumbers()
{
    QFETCH(int, index);
    const Case each = cases()[static_cast<std::size_t>(index)];
    FusionGraph graph;
    each.build(graph);
    const std::string fault = fuses(graph, each.isCombined ? soc310P() : soc910B(), each.rules, 2e-5);
    QVERIFY2(fault.empty(), fault.c_str());
}

QTEST_GUILESS_MAIN(TestFusionNumbers)
#include "tst_fusion_numbers.moc"
