// FRACTAL_NZ spreads from matrix products over the library kernels of a decoder, and stops where a head is no whole
// number of blocks, at rows of numbers beside the matrices, and at matrices of one row.

#include "engine/ops/matrix_operands.h"
#include "tests/engine/passes/pass_fixture.h"

#include <QtTest/QtTest>

using namespace gelens;
using namespace gelens::test;

namespace {

constexpr auto half = DataType::Float16;

/// x·Wqkv → rotation → attention → ·Wo, as the rules leave a decoder's attention: heads side by side in the rows.
struct Attention {
    PassFixture f;
    OutputRef qkv, rotated, attended, out;

    Attention(std::int64_t tokens, std::int64_t heads, std::int64_t size)
    {
        const std::int64_t hidden = heads * size;
        const OutputRef x = f.input("x", {1, tokens, hidden}, half);
        const OutputRef wqkv = f.input("w_qkv", {hidden, 3 * hidden}, half),
                        wo = f.input("w_o", {hidden, hidden}, half);
        // Computed, so that nothing but their use decides about their format.
        const OutputRef cos = f.op("Cos", {f.input("angles", {1, 1, tokens, size}, half)}, {}, "cos");
        const OutputRef sin = f.op("Sin", {f.input("angles_2", {1, 1, tokens, size}, half)}, {}, "sin");
        const OutputRef mask = f.op("Neg", {f.input("penalty", {1, 1, tokens, tokens}, half)}, {}, "mask");
        qkv = f.op("BatchMatMulV2", {x, wqkv}, {}, "qkv");
        rotated = f.op("RotaryPositionEmbedding", {qkv, cos, sin},
                       {{"mode", std::int64_t{0}}, {"input_layout", "BS3ND"}, {"head_num", heads}}, "rotary");
        attended = f.op("FlashAttentionScore", {rotated, {}, {}, mask},
                        {{"scale_value", 0.25f},
                         {"head_num", heads},
                         {"input_layout", "BS3ND"},
                         {"output_layout", "BSH"},
                         {"pse_type", std::int64_t{0}}},
                        "attention");
        out = f.op("BatchMatMulV2", {attended, wo}, {}, "o");
        f.outputs({out});
    }

    bool isNz(OutputRef ref) { return f.graph().outputDesc(ref).format == TensorFormat(Format::FractalNz); }
};

} // namespace

class TestFormatSpread : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void spreadsThroughAttention()
    {
        Attention a(40, 2, 32);
        const std::vector<NamedTensor> reference = a.f.compute();
        QVERIFY(a.f.run(heavyFormatPropagationPass()) > 0);
        for (const OutputRef ref : {a.qkv, a.rotated, a.attended, a.out}) QVERIFY(a.isNz(ref));
        // 192 columns in 12 blocks, 40 rows in 3; the reshape into heads was one of indices alone: 2 blocks a head.
        QCOMPARE(a.f.graph().outputDesc(a.rotated).shape, Shape({1, 12, 3, 16, 16}));
        QCOMPARE(a.f.graph().outputDesc(a.attended).shape, Shape({1, 4, 3, 16, 16}));
        for (const char* name : {"cos", "sin", "mask"}) QVERIFY2(!a.isNz({a.f.find(name), 0}), name);
        QVERIFY(a.f.run(transNodeInsertionPass()) > 0);
        QCOMPARE(a.f.count("TransData"), 4); // x, two weights, the result; none inside
        const std::vector<NamedTensor> values = a.f.compute();
        QVERIFY(compareTensors(reference[0].value, values[0].value, {}).holds());
    }

    void stopsWhereHeadsAreNoWholeBlocks()
    {
        // Hidden size 48 is a multiple of 16, a head of 24 is not: its columns would begin in the middle of a block.
        Attention a(32, 2, 24);
        const std::vector<NamedTensor> reference = a.f.compute();
        QVERIFY(a.f.run(heavyFormatPropagationPass()) > 0);
        QVERIFY(a.isNz(a.qkv) && a.isNz(a.out));
        QVERIFY(!a.isNz(a.rotated) && !a.isNz(a.attended));
        QVERIFY(a.f.run(transNodeInsertionPass()) > 0);
        QCOMPARE(a.f.count("TransData"), 6); // the four ends, and two around rotation and attention
        QVERIFY(compareTensors(reference[0].value, a.f.compute()[0].value, {}).holds());
    }

    void headColumnsByLayout()
    {
        Attention a(32, 2, 24);
        QCOMPARE(headColumns(a.f.graph().node(a.rotated.node)), std::int64_t{24}); // 144 / (3 · 2)
        QCOMPARE(headColumns(a.f.graph().node(a.attended.node)), std::int64_t{24});
        QCOMPARE(headColumns(a.f.graph().node(a.qkv.node)), std::int64_t{0}); // rows of no heads
        QVERIFY(mayInputBeBlocked(a.f.graph().node(a.rotated.node), 0, 8));
        QVERIFY(!mayInputBeBlocked(a.f.graph().node(a.rotated.node), 0, 16));
        QVERIFY(!mayInputBeBlocked(a.f.graph().node(a.rotated.node), 1, 8));  // cos
        QVERIFY(!mayInputBeBlocked(a.f.graph().node(a.attended.node), 3, 8)); // real_shift
        QVERIFY(!mayInputBeBlocked(a.f.graph().node(a.attended.node), 1, 8)); // not connected
    }

    void aPlainCacheStaysPlain()
    {
        // Keys come out of a Concat with a cache, which works on plain rows; queries and the result are in blocks.
        PassFixture f;
        const OutputRef x = f.input("x", {1, 32, 64}, half), wq = f.input("w_q", {64, 64}, half),
                        wo = f.input("w_o", {64, 64}, half);
        const OutputRef q = f.op("BatchMatMulV2", {x, wq}, {}, "q");
        const OutputRef keys = f.op("ConcatD", {f.input("past", {1, 16, 64}, half), f.op("Abs", {x}, {}, "fresh")},
                                    {{"concat_dim", std::int64_t{1}}, {"N", std::int64_t{2}}}, "keys");
        const OutputRef turned = f.op("RotaryPositionEmbedding",
                                      {keys, f.input("cos", {1, 48, 64}, half), f.input("sin", {1, 48, 64}, half)},
                                      {{"mode", std::int64_t{0}}}, "turned");
        const OutputRef attended = f.op("FlashAttentionScore", {q, turned, keys},
                                        {{"scale_value", 0.25f},
                                         {"head_num", std::int64_t{2}},
                                         {"input_layout", "BSH"},
                                         {"pse_type", std::int64_t{0}}},
                                        "attention");
        f.outputs({f.op("BatchMatMulV2", {attended, wo}, {}, "o")});
        const std::vector<NamedTensor> reference = f.compute();
        f.run(heavyFormatPropagationPass());
        const Node& attention = f.graph().node(attended.node);
        QVERIFY(attention.inputs[0].desc.format == TensorFormat(Format::FractalNz));
        QVERIFY(!isPrivateFormat(attention.inputs[1].desc.format.primary) &&
                !isPrivateFormat(attention.inputs[2].desc.format.primary));
        QVERIFY(!isPrivateFormat(
            f.graph().outputDesc(turned).format.primary)); // nothing between a plain tensor and the attention
        QVERIFY(attention.outputs[0].desc.format == TensorFormat(Format::FractalNz));
        f.run(transNodeInsertionPass());
        QCOMPARE(f.count("TransData"), 4); // x, both weights, the result
        QVERIFY(compareTensors(reference[0].value, f.compute()[0].value, {}).holds());
    }

    void otherKernelsTakeAllMatricesAlike()
    {
        // The sum of a product in blocks and a plain tensor: the plain one is converted.
        PassFixture f;
        const OutputRef x = f.input("x", {1, 32, 64}, half), w = f.input("w", {64, 64}, half);
        const OutputRef plain =
            f.op("Transpose", {f.input("t", {1, 64, 32}, half), f.ints("perm", {0, 2, 1})}, {}, "plain");
        const OutputRef norm =
            f.op("AddRmsNorm", {f.op("BatchMatMulV2", {x, w}, {}, "product"), plain, f.input("gamma", {64}, half)}, {},
                 "norm", 3);
        f.outputs({f.op("BatchMatMulV2", {norm, f.input("w2", {64, 64}, half)}, {}, "next")});
        f.run(heavyFormatPropagationPass());
        QVERIFY(f.graph().node(norm.node).inputs[0].desc.format == TensorFormat(Format::FractalNz));
        QVERIFY(f.graph().node(norm.node).inputs[1].desc.format == TensorFormat(Format::FractalNz));
        QVERIFY(!isPrivateFormat(f.graph().node(norm.node).inputs[2].desc.format.primary));
    }

    void oneRowStaysPlain()
    {
        // 1 x 64 would take 16 x 64 in blocks.
        PassFixture f;
        const OutputRef x = f.input("x", {1, 1, 64}, half), w = f.input("w", {64, 32}, half);
        f.outputs({f.op("BatchMatMulV2", {x, w}, {}, "head")});
        QCOMPARE(f.run(heavyFormatPropagationPass()), std::size_t{0});
        PassFixture two;
        const OutputRef x2 = two.input("x", {1, 2, 64}, half), w2 = two.input("w", {64, 32}, half);
        two.outputs({two.op("BatchMatMulV2", {x2, w2}, {}, "head")});
        QVERIFY(two.run(heavyFormatPropagationPass()) > 0);
    }
};

QTEST_GUILESS_MAIN(TestFormatSpread)
#include "tst_format_spread.moc"
