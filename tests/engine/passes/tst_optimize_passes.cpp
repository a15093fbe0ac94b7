#include "tests/engine/passes/pass_fixture.h"

#include <QtTest>

using namespace gelens;
using namespace gelens::test;

class TestOptimizePasses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalNodesMerge()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {2, 3});
        const OutputRef a = f.op("Cast", {x}, {{"dst_type", AttrValue(1)}}, "a");
        const OutputRef b = f.op("Cast", {x}, {{"dst_type", AttrValue(1)}}, "b");
        const OutputRef other = f.op("Cast", {x}, {{"dst_type", AttrValue(11)}}, "other");
        f.outputs({f.op("Neg", {a}), f.op("Abs", {b}), f.op("Neg", {other})});
        QCOMPARE(f.keepsNumbers(commonSubexpressionEliminationPass()), std::string());
        QVERIFY(f.find("a").isValid());
        QVERIFY(!f.find("b").isValid());
        QVERIFY(f.find("other").isValid()); // another attribute
    }

    void matrixProductsStayApart()
    {
        // GE merges only types that own a folding kernel.
        PassFixture f;
        const OutputRef x = f.input("x", {2, 3}), w = f.input("w", {3, 4});
        f.outputs({f.op("MatMulV2", {x, w}), f.op("MatMulV2", {x, w})});
        QCOMPARE(f.run(commonSubexpressionEliminationPass()), std::size_t{0});
    }

    void equalConstantsMerge()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {2});
        const OutputRef a = f.op("Add", {x, f.constant("c1", tensor({2}, {1, 2}))});
        const OutputRef b = f.op("Mul", {a, f.constant("c2", tensor({2}, {1, 2}))});
        const OutputRef c = f.op("Sub", {b, f.constant("c3", tensor({2}, {1, 3}))});
        const OutputRef d = f.op("Add", {c, f.constant("c4", tensor({1, 2}, {1, 2}))}); // same bytes, other dims
        f.outputs({d});
        QCOMPARE(f.keepsNumbers(removeSameConstPass()), std::string());
        QCOMPARE(f.count("Const"), 3);
    }

    void inverseTransDataCancel()
    {
        PassFixture f;
        f.soc = combinedSoc();
        const OutputRef x = f.op("Neg", {f.input("x", {32, 48}, DataType::Float16)});
        TensorDesc plain(DataType::Float16, {32, 48}), nz = plain;
        nz.format = Format::FractalNz;
        nz.shape = Shape{3, 2, 16, 16};
        const auto trans = [&](OutputRef from, const TensorDesc& a, const TensorDesc& b, const char* src,
                               const char* dst) {
            const OutputRef y =
                f.op("TransData", {from}, {{"src_format", AttrValue(src)}, {"dst_format", AttrValue(dst)}});
            f.edit().setInputDesc({y.node, 0}, a);
            f.edit().setOutputDesc(y, b);
            return y;
        };
        const OutputRef there = trans(x, plain, nz, "ND", "FRACTAL_NZ");
        const OutputRef back = trans(there, nz, plain, "FRACTAL_NZ", "ND");
        f.outputs({f.op("Relu", {back})});
        QCOMPARE(f.keepsNumbers(transOpSymmetryEliminationPass()), std::string());
        QCOMPARE(f.count("TransData"), 0);
    }

    void castsToTheSameTypeAndWideningPairsGo()
    {
        PassFixture f;
        const OutputRef x = f.op("Neg", {f.input("x", {4}, DataType::Float16)});
        const OutputRef wide = f.op("Cast", {x}, {{"dst_type", AttrValue(0)}}, "wide");
        const OutputRef back = f.op("Cast", {wide}, {{"dst_type", AttrValue(1)}}, "back");
        f.outputs({f.op("Relu", {back})});
        QCOMPARE(f.keepsNumbers(castRemovePass()), std::string());
        QCOMPARE(f.count("Cast"), 0);
    }

    void lossyPairsStay()
    {
        PassFixture f;
        const OutputRef x = f.op("Neg", {f.input("x", {4}, DataType::Float)});
        const OutputRef narrow = f.op("Cast", {x}, {{"dst_type", AttrValue(1)}});
        f.outputs({f.op("Relu", {f.op("Cast", {narrow}, {{"dst_type", AttrValue(0)}})})});
        QCOMPARE(f.run(castRemovePass()), std::size_t{0});
    }

    void matrixProductsGetNzOnCombinedCores()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {35, 70}, DataType::Float16), w = f.input("w", {70, 40}, DataType::Float16);
        const OutputRef y = f.op("MatMulV2", {x, w}, {}, "mm");
        f.outputs({f.op("Relu", {y}, {}, "relu")});
        const std::vector<NamedTensor> reference = f.compute();
        QVERIFY(f.run(heavyFormatPropagationPass()) > 0);
        QVERIFY(f.graph().outputDesc(y).format == TensorFormat(Format::FractalNz));
        QCOMPARE(f.graph().outputDesc(y).shape, Shape({3, 3, 16, 16})); // ⌈40/16⌉, ⌈35/16⌉
        QVERIFY(f.graph().outputDesc({f.find("relu"), 0}).format == TensorFormat(Format::FractalNz)); // it follows
        QVERIFY(f.run(transNodeInsertionPass()) > 0);
        QCOMPARE(f.count("TransData"), 3); // two inputs, one output
        const std::vector<NamedTensor> values = f.compute();
        QVERIFY(compareTensors(reference[0].value, values[0].value, {}).holds());
        QCOMPARE(f.run(transNodeInsertionPass()), std::size_t{0});
    }

    void matrixProductsKeepNdOnSplitCores()
    {
        PassFixture f;
        f.soc.coreLayout = CoreLayout::Split;
        const OutputRef x = f.input("x", {32, 64}, DataType::Float16), w = f.input("w", {64, 32}, DataType::Float16);
        f.outputs({f.op("MatMulV2", {x, w})});
        QCOMPARE(f.run(heavyFormatPropagationPass()), std::size_t{0});
        QCOMPARE(f.run(transNodeInsertionPass()), std::size_t{0});
    }

    void convolutionsGetBlockedChannels()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {1, 3, 8, 8}, DataType::Float16);
        std::vector<double> weights(8 * 3 * 3 * 3);
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.01 * static_cast<double>(i % 17) - 0.05;
        const OutputRef w = f.constant("w", tensor({8, 3, 3, 3}, weights, DataType::Float16));
        const OutputRef y = f.op("Conv2D", {x, w},
                                 {{"strides", AttrValue(IntList{1, 1, 1, 1})},
                                  {"pads", AttrValue(IntList{1, 1, 1, 1})},
                                  {"data_format", AttrValue("NCHW")}});
        f.outputs({f.op("Relu", {y})});
        const std::vector<NamedTensor> reference = f.compute();
        f.run(heavyFormatPropagationPass());
        f.run(transNodeInsertionPass());
        QCOMPARE(f.graph().outputDesc(y).shape, Shape({1, 1, 8, 8, 16}));
        QVERIFY(compareTensors(reference[0].value, f.compute()[0].value, {}).holds());
        // The filter's conversion folds away; the activations' stay.
        const int before = f.count("TransData");
        f.run(stageOneConstantFoldingPass());
        QCOMPARE(f.count("TransData"), before - 1);
        QVERIFY(compareTensors(reference[0].value, f.compute()[0].value, {}).holds());
    }
};

QTEST_GUILESS_MAIN(TestOptimizePasses)
#include "tst_optimize_passes.moc"
