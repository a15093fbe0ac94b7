#include "tests/support/kernel_test.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

using namespace gelens;
using namespace gelens::test;

namespace {

std::vector<double> randomValues(std::size_t count, unsigned seed)
{
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> draw(-1, 1);
    std::vector<double> result(count);
    for (double& value : result) value = static_cast<float>(draw(generator));
    return result;
}

constexpr double minusInfinity = -std::numeric_limits<double>::infinity();

/// Attention by its definition, BNSD; bias [B, N, Sq, Sk] added after the scale, or empty.
std::vector<double> attention(const std::vector<double>& q, const std::vector<double>& k, const std::vector<double>& v,
                              int batch, int heads, int keyHeads, int sq, int sk, int d, double scale,
                              const std::vector<double>& bias = {})
{
    std::vector<double> y;
    for (int b = 0; b < batch; ++b)
        for (int h = 0; h < heads; ++h)
            for (int i = 0; i < sq; ++i) {
                const int kv = b * keyHeads + h / (heads / keyHeads);
                std::vector<double> p(static_cast<std::size_t>(sk));
                double sum = 0, most = minusInfinity;
                for (int j = 0; j < sk; ++j) {
                    double dot = 0;
                    for (int e = 0; e < d; ++e)
                        dot += q[static_cast<std::size_t>(((b * heads + h) * sq + i) * d + e)] *
                               k[static_cast<std::size_t>((kv * sk + j) * d + e)];
                    p[static_cast<std::size_t>(j)] =
                        dot * scale +
                        (bias.empty() ? 0 : bias[static_cast<std::size_t>(((b * heads + h) * sq + i) * sk + j)]);
                    most = std::max(most, p[static_cast<std::size_t>(j)]);
                }
                for (double& value : p) sum += value = most == minusInfinity ? 0 : std::exp(value - most);
                for (int e = 0; e < d; ++e) {
                    double out = 0;
                    for (int j = 0; j < sk; ++j)
                        out += p[static_cast<std::size_t>(j)] * v[static_cast<std::size_t>((kv * sk + j) * d + e)];
                    y.push_back(sum > 0 ? out / sum : 0);
                }
            }
    return y;
}

/// Permutes the axes of a dense tensor.
std::vector<double> permuted(const std::vector<double>& x, const std::vector<int>& dims, const std::vector<int>& perm)
{
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
        std::size_t rest = i;
        std::vector<int> index(dims.size());
        for (std::size_t a = perm.size(); a-- > 0;) {
            const auto axis = static_cast<std::size_t>(perm[a]);
            index[axis] = static_cast<int>(rest % static_cast<std::size_t>(dims[axis]));
            rest /= static_cast<std::size_t>(dims[axis]);
        }
        std::size_t at = 0;
        for (std::size_t a = 0; a < dims.size(); ++a)
            at = at * static_cast<std::size_t>(dims[a]) + static_cast<std::size_t>(index[a]);
        y[i] = x[at];
    }
    return y;
}

} // namespace

#define AGREES(actual, ...)                                                                                            \
    do {                                                                                                               \
        const std::string text = difference(actual, __VA_ARGS__);                                                      \
        QVERIFY2(text.empty(), text.c_str());                                                                          \
    } while (false)

class TestFused : public QObject {
    Q_OBJECT

    static constexpr int B = 2, N = 4, Sq = 5, Sk = 7, D = 6;
    std::vector<double> q = randomValues(B * N * Sq * D, 1), k = randomValues(B * N * Sk * D, 2),
                        v = randomValues(B * N * Sk * D, 3);

private Q_SLOTS:
    void attentionLayouts()
    {
        const auto expected = attention(q, k, v, B, N, N, Sq, Sk, D, 0.5);
        const AttrMap base{{"scale_value", 0.5f}, {"head_num", N}};
        const auto with = [&](std::initializer_list<std::pair<const char*, const char*>> list) {
            AttrMap attrs = base;
            for (const auto& [name, value] : list) attrs[name] = value;
            return attrs;
        };
        const HostTensor q4 = tensor({B, N, Sq, D}, q), k4 = tensor({B, N, Sk, D}, k), v4 = tensor({B, N, Sk, D}, v);
        AGREES(run1("FlashAttentionScore", {q4, k4, v4}, base), expected, 1e-5, 1e-6);
        // Keys as the product wants them, [D, S].
        const HostTensor kt = tensor({B, N, D, Sk}, permuted(k, {B, N, Sk, D}, {0, 1, 3, 2}));
        AGREES(run1("FlashAttentionScore", {q4, kt, v4}, with({{"key_layout", "BNDS"}})), expected, 1e-5, 1e-6);
        const auto bsnd = [](const std::vector<double>& x, int s) { return permuted(x, {B, N, s, D}, {0, 2, 1, 3}); };
        const auto expectedBsnd = permuted(expected, {B, N, Sq, D}, {0, 2, 1, 3});
        AGREES(run1("FlashAttentionScore",
                    {tensor({B, Sq, N, D}, bsnd(q, Sq)), tensor({B, Sk, N, D}, bsnd(k, Sk)),
                     tensor({B, Sk, N, D}, bsnd(v, Sk))},
                    with({{"input_layout", "BSND"}})),
               expectedBsnd, 1e-5, 1e-6);
        const HostTensor merged = run1("FlashAttentionScore",
                                       {tensor({B, Sq, N * D}, bsnd(q, Sq)), tensor({B, Sk, N * D}, bsnd(k, Sk)),
                                        tensor({B, Sk, N * D}, bsnd(v, Sk))},
                                       with({{"input_layout", "BSH"}}));
        QCOMPARE(merged.shape, (Shape{B, Sq, N * D}));
        AGREES(merged, expectedBsnd, 1e-5, 1e-6);
        const HostTensor mixed = run1("FlashAttentionScore", {q4, k4, v4}, with({{"output_layout", "BSH"}}));
        QCOMPARE(mixed.shape, (Shape{B, Sq, N * D}));
        AGREES(mixed, expectedBsnd, 1e-5, 1e-6);
        const auto sbh = [](const std::vector<double>& x, int s) { return permuted(x, {B, N, s, D}, {2, 0, 1, 3}); };
        AGREES(run1("FlashAttentionScore",
                    {tensor({Sq, B, N * D}, sbh(q, Sq)), tensor({Sk, B, N * D}, sbh(k, Sk)),
                     tensor({Sk, B, N * D}, sbh(v, Sk))},
                    with({{"input_layout", "SBH"}})),
               permuted(expected, {B, N, Sq, D}, {2, 0, 1, 3}), 1e-5, 1e-6);
    }

    void attentionPacked()
    {
        const auto k5 = randomValues(B * N * Sq * D, 4), v5 = randomValues(B * N * Sq * D, 5);
        std::vector<double> packed; // [3, B, N, S, D] -> [B, S, 3, N, D]
        for (const std::vector<double>* part : {&std::as_const(q), &k5, &v5})
            packed.insert(packed.end(), part->begin(), part->end());
        packed = permuted(packed, {3, B, N, Sq, D}, {1, 3, 0, 2, 4});
        const AttrMap attrs{{"scale_value", 0.3f}, {"head_num", N}, {"input_layout", "BS3ND"}};
        const HostTensor y = run1("FlashAttentionScore", {tensor({B, Sq, 3 * N * D}, packed)}, attrs);
        QCOMPARE(y.shape, (Shape{B, Sq, N * D}));
        const auto expected =
            permuted(attention(q, k5, v5, B, N, N, Sq, Sq, D, static_cast<float>(0.3f)), {B, N, Sq, D}, {0, 2, 1, 3});
        AGREES(y, expected, 1e-5, 1e-6);
        AGREES(run1("FlashAttentionScore", {tensor({B, Sq, 3, N, D}, packed)}, attrs), expected, 1e-5, 1e-6);
    }

    void attentionMasks()
    {
        const auto bias = randomValues(B * N * Sq * Sk, 6);
        const HostTensor q4 = tensor({B, N, Sq, D}, q), k4 = tensor({B, N, Sk, D}, k), v4 = tensor({B, N, Sk, D}, v);
        const AttrMap attrs{{"scale_value", 0.5f}};
        AGREES(run1("FlashAttentionScore", {q4, k4, v4, tensor({B, N, Sq, Sk}, bias)}, attrs),
               attention(q, k, v, B, N, N, Sq, Sk, D, 0.5, bias), 1e-5, 1e-6);
        AttrMap before = attrs;
        before["pse_type"] = 1;
        auto scaled = bias;
        for (double& value : scaled) value *= 0.5;
        AGREES(run1("FlashAttentionScore", {q4, k4, v4, tensor({B, N, Sq, Sk}, bias)}, before),
               attention(q, k, v, B, N, N, Sq, Sk, D, 0.5, scaled), 1e-5, 1e-6);
        // A mask of bools over keys and batch only, and one row that sees nothing.
        std::vector<bool> mask(B * Sk, false);
        mask[1] = mask[4] = true;
        for (int j = 0; j < Sk; ++j) mask[static_cast<std::size_t>(Sk + j)] = true;
        std::vector<double> asBias;
        for (int b = 0; b < B; ++b)
            for (int i = 0; i < N * Sq; ++i)
                for (int j = 0; j < Sk; ++j)
                    asBias.push_back(mask[static_cast<std::size_t>(b * Sk + j)] ? minusInfinity : 0);
        AGREES(run1("FlashAttentionScore", {q4, k4, v4, absent(), absent(), absent(), boolTensor({B, 1, 1, Sk}, mask)},
                    attrs),
               attention(q, k, v, B, N, N, Sq, Sk, D, 0.5, asBias), 1e-5, 1e-6);
        // Causal, aligned to the last key.
        std::vector<double> causal;
        for (int i = 0; i < B * N * Sq; ++i)
            for (int j = 0; j < Sk; ++j) causal.push_back(j > i % Sq + Sk - Sq ? minusInfinity : 0);
        AttrMap lower = attrs;
        lower["sparse_mode"] = 3;
        AGREES(run1("FlashAttentionScore", {q4, k4, v4}, lower), attention(q, k, v, B, N, N, Sq, Sk, D, 0.5, causal),
               1e-5, 1e-6);
    }

    void attentionGroupsAndRanks()
    {
        const std::vector<double> k2(k.begin(), k.begin() + B * 2 * Sk * D), v2(v.begin(), v.begin() + B * 2 * Sk * D);
        AGREES(run1("FlashAttentionScore",
                    {tensor({B, N, Sq, D}, q), tensor({B, 2, Sk, D}, k2), tensor({B, 2, Sk, D}, v2)}),
               attention(q, k2, v2, B, N, 2, Sq, Sk, D, 1), 1e-5, 1e-6);
        // Heads folded into the batch, and no heads at all.
        const HostTensor y = run1("FlashAttentionScore",
                                  {tensor({B * N, Sq, D}, q), tensor({B * N, Sk, D}, k), tensor({B * N, Sk, D}, v)});
        QCOMPARE(y.shape, (Shape{B * N, Sq, D}));
        AGREES(y, attention(q, k, v, B, N, N, Sq, Sk, D, 1), 1e-5, 1e-6);
        // More rows than one block holds.
        const int rows = 300;
        const auto lq = randomValues(rows * 4, 8), lk = randomValues(rows * 4, 9), lv = randomValues(rows * 4, 10);
        AGREES(run1("FlashAttentionScore",
                    {tensor({1, 1, rows, 4}, lq), tensor({1, 1, rows, 4}, lk), tensor({1, 1, rows, 4}, lv)}),
               attention(lq, lk, lv, 1, 1, 1, rows, rows, 4, 1), 1e-4, 1e-6);
    }

    void attentionRefusals()
    {
        const HostTensor q4 = tensor({B, N, Sq, D}, q), k4 = tensor({B, N, Sk, D}, k);
        QVERIFY(
            !runError("FlashAttentionScore", {q4, k4, tensor({B, N, Sk - 1, D}, randomValues(B * N * (Sk - 1) * D, 1))})
                 .empty());
        QVERIFY(!runError("FlashAttentionScore", {q4, tensor({B, 3, Sk, D}, randomValues(B * 3 * Sk * D, 1)),
                                                  tensor({B, 3, Sk, D}, randomValues(B * 3 * Sk * D, 1))})
                     .empty());
        QVERIFY(!runError("FlashAttentionScore", {q4, k4, k4, tensor({3}, {1, 2, 3})}).empty());
        QVERIFY(!runError("FlashAttentionScore", {q4}).empty());
        QVERIFY(!runError("FlashAttentionScore", {q4, k4, k4}, {{"input_layout", "XYZ"}}).empty());
    }

    void addRmsNorm()
    {
        const auto r =
            run("AddRmsNorm", {tensor({2, 2}, {1, 2, 3, 4}), tensor({2, 2}, {2, 2, 0, 0}), tensor({2}, {1, 10})},
                {{"epsilon", 0.0f}}, 3);
        QVERIFY(r.ok());
        const double a = std::sqrt(12.5);
        AGREES(r->at(2), {3, 4, 3, 4});
        AGREES(r->at(1), {1 / a, 1 / a}, 1e-6);
        AGREES(r->at(0), {3 / a, 40 / a, 3 / a, 40 / a}, 1e-6);
        QCOMPARE(r->at(1).shape, (Shape{2, 1}));
        QCOMPARE(r->at(1).dtype, DataType::Float);
        const auto half = run("InplaceAddRmsNorm",
                              {tensor({1, 2}, {2048, 1}, DataType::Float16), tensor({1, 2}, {1, 1}, DataType::Float16),
                               tensor({2}, {1, 1}, DataType::Float16)},
                              {}, 3);
        QVERIFY(half.ok());
        AGREES(half->at(2), {2048, 2}, 0, 0); // the sum is a half before it is normalised
        QVERIFY(!runError("AddRmsNorm", {tensor({2, 2}, {1, 2, 3, 4}), tensor({3}, {2, 2, 2}), tensor({2}, {1, 1})})
                     .empty());
        QVERIFY(!runError("AddRmsNorm",
                          {tensor({2, 2}, {1, 2, 3, 4}), tensor({2, 2}, {2, 2, 1, 1}), tensor({3}, {1, 1, 1})})
                     .empty());
        QCOMPARE(OpRegistry::instance().find("InplaceAddRmsNorm")->inPlacePairs().size(), std::size_t{2});
    }

    void addLayerNorm()
    {
        const auto r = run("AddLayerNorm",
                           {tensor({1, 2}, {1, 3}), tensor({1, 2}, {0, 1}), tensor({2}, {2, 2}),
                            tensor({2}, {0.5, 0.5}), tensor({2}, {0, 1})},
                           {{"epsilon", 0.0f}}, 4);
        QVERIFY(r.ok());
        AGREES(r->at(3), {1, 5});
        AGREES(r->at(0), {-1.5, 2.5}, 1e-6);
        AGREES(r->at(1), {3});
        AGREES(r->at(2), {0.5});
    }

    void gates()
    {
        const auto swish = [](double x) { return x / (1 + std::exp(-x)); };
        const auto gelu = [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); };
        AGREES(run1("SwiGlu", {tensor({1, 4}, {1, 2, 3, 4})}), {swish(1) * 3, swish(2) * 4}, 1e-6);
        AGREES(run1("SwiGlu", {tensor({2, 2}, {1, 2, 3, 4})}, {{"dim", 0}}), {swish(1) * 3, swish(2) * 4}, 1e-6);
        AGREES(run1("SwiGluMul", {tensor({2}, {1, 2}), tensor({2}, {3, 4})}), {swish(1) * 3, swish(2) * 4}, 1e-6);
        AGREES(run1("GeGluV2", {tensor({4}, {1, 2, 3, 4})}, {{"approximate", 0}}), {gelu(3) * 1, gelu(4) * 2}, 1e-6);
        AGREES(run1("GeGluMul", {tensor({2}, {1, 2}), tensor({2}, {3, 4})}), {gelu(1) * 3, gelu(2) * 4}, 1e-6);
        QVERIFY(!runError("SwiGlu", {tensor({3}, {1, 2, 3})}).empty());
        AGREES(run1("FusedMulAdd", {tensor({2}, {1, 2}), tensor({1}, {10}), tensor({2, 1}, {1, 2})}), {11, 21, 12, 22});
        AGREES(run1("FusedMulAddN", {tensor({2}, {1, 2}), tensor({2}, {5, 6}), tensor({}, {10})}), {15, 26});
    }

    void rotary()
    {
        const auto x = randomValues(2 * 3 * 4, 1), cosine = randomValues(3 * 4, 2), sine = randomValues(3 * 4, 3);
        std::vector<double> half, neighbours;
        for (int i = 0; i < 24; ++i) {
            const int d = i % 4, s = i / 4 % 3, row = i - d;
            const auto at = [&](int e) { return x[static_cast<std::size_t>(row + e)]; };
            const double c = cosine[static_cast<std::size_t>(s * 4 + d)],
                         si = sine[static_cast<std::size_t>(s * 4 + d)];
            half.push_back(at(d) * c + (d < 2 ? -at(d + 2) : at(d - 2)) * si);
            neighbours.push_back(at(d) * c + (d % 2 ? at(d - 1) : -at(d + 1)) * si);
        }
        const HostTensor hx = tensor({2, 3, 4}, x), hc = tensor({3, 4}, cosine), hs = tensor({3, 4}, sine);
        AGREES(run1("RotaryPositionEmbedding", {hx, hc, hs}), half, 1e-6, 1e-6);
        AGREES(run1("RotaryPositionEmbedding", {hx, hc, hs}, {{"mode", 1}}), neighbours, 1e-6, 1e-6);
        AGREES(run1("RotaryMul", {hx, hc, hs}), half, 1e-6, 1e-6);
        const auto both = run("ApplyRotaryPosEmb", {hx, hx, hc, hs}, {}, 2);
        QVERIFY(both.ok());
        AGREES(both->at(1), half, 1e-6, 1e-6);
        QVERIFY(!runError("RotaryPositionEmbedding", {hx, tensor({5}, randomValues(5, 1)), hs}).empty());
    }

    void rotaryPacked()
    {
        // Rotating inside the packed tensor is the same as cutting q and k out, rotating them, and putting them back.
        const int heads = 2, rows = 3, size = 4;
        const auto all = randomValues(3 * heads * rows * size, 1), cosine = randomValues(rows * size, 2),
                   sine = randomValues(rows * size, 3);
        const std::vector<double> qk(all.begin(), all.begin() + 2 * heads * rows * size);
        const HostTensor hc = tensor({rows, size}, cosine), hs = tensor({rows, size}, sine);
        auto expected = values(run1("RotaryPositionEmbedding", {tensor({2, 1, heads, rows, size}, qk), hc, hs}));
        expected.insert(expected.end(), all.begin() + 2 * heads * rows * size, all.end());
        const std::vector<int> dims{3, 1, heads, rows, size}, perm{1, 3, 0, 2, 4};
        const HostTensor packed = tensor({1, rows, 3 * heads * size}, permuted(all, dims, perm));
        AGREES(run1("RotaryPositionEmbedding", {packed, hc, hs}, {{"input_layout", "BS3ND"}, {"head_num", heads}}),
               permuted(expected, dims, perm), 1e-6, 1e-7);
    }

    void epilogues()
    {
        const HostTensor x = tensor({1, 2}, {1, 2}), w = tensor({2, 2}, {1, -1, 1, -1});
        AGREES(run1("MatmulEpilogue", {x, w, tensor({2}, {1, 1})}, {{"activation", "Relu"}}), {4, 0});
        AGREES(run1("MatmulEpilogue", {x, w, absent(), tensor({1, 2}, {10, 20})}, {{"alpha", 2.0f}}), {16, 14});
        const HostTensor gate = tensor({2, 2}, {1, 0, 0, 1}), up = tensor({2, 2}, {2, 0, 0, 3});
        const auto swish = [](double v) { return v / (1 + std::exp(-v)); };
        AGREES(run1("MatmulSwiGlu", {x, gate, up}), {swish(1) * 2, swish(2) * 6}, 1e-6);
        QVERIFY(!runError("MatmulEpilogue", {x, w}, {{"activation", "Nonsense"}}).empty());
        QVERIFY(!runError("MatmulSwiGlu", {x, gate, tensor({2, 3}, randomValues(6, 1))}).empty());
    }

    void confusionTranspose()
    {
        const HostTensor x = tensor({2, 3}, {1, 2, 3, 4, 5, 6});
        AGREES(run1("ConfusionTransposeD", {x},
                    {{"perm", IntList{1, 0}}, {"shape", IntList{6}}, {"transpose_first", true}}),
               {1, 4, 2, 5, 3, 6});
        const HostTensor y = run1("ConfusionTransposeD", {x},
                                  {{"perm", IntList{1, 0}}, {"shape", IntList{3, 2}}, {"transpose_first", false}});
        QCOMPARE(y.shape, (Shape{2, 3}));
        AGREES(y, {1, 3, 5, 2, 4, 6});
        QVERIFY(!runError("ConfusionTransposeD", {x},
                          {{"perm", IntList{0, 0}}, {"shape", IntList{6}}, {"transpose_first", true}})
                     .empty());
    }
};

QTEST_GUILESS_MAIN(TestFused)
#include "tst_fused.moc"
