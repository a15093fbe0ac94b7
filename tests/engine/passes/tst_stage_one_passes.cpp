// Passes of optimisation stage 1 that take views out and put Reshapes back, and the small clean-ups around them.
#include "tests/engine/passes/pass_fixture.h"

#include <QtTest>

using namespace gelens;
using namespace gelens::test;

namespace {

OutputRef transpose(PassFixture& f, OutputRef x, std::vector<std::int64_t> perm, const std::string& name)
{
    return f.op("Transpose", {x, f.ints(name + "_perm", std::move(perm))}, {}, name);
}

OutputRef reshape(PassFixture& f, OutputRef x, std::vector<std::int64_t> dims, const std::string& name)
{
    return f.op("Reshape", {x, f.ints(name + "_shape", std::move(dims))}, {}, name);
}

} // namespace

class TestStageOnePasses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reshapesGoAndComeBack()
    {
        PassFixture f;
        const OutputRef x = f.op("Neg", {f.input("x", {2, 6})});
        f.outputs({f.op("Relu", {reshape(f, x, {3, 4}, "r")})});
        QCOMPARE(f.keepsNumbers(reshapeRemovePass()), std::string());
        QCOMPARE(f.types(), std::string("Data Neg Relu NetOutput"));
        QCOMPARE(f.count("Const"), 0); // its shape went with it
        QCOMPARE(f.keepsNumbers(reshapeRecoveryPass()), std::string());
        QCOMPARE(f.types(), std::string("Data Neg Reshape Relu NetOutput"));
        QVERIFY(f.find("Reshape_ReshapeRecoveryPass_0").isValid());
    }

    void reshapeBeforeAnOutputStays()
    {
        PassFixture f;
        f.outputs({reshape(f, f.op("Neg", {f.input("x", {2, 6})}), {3, 4}, "r")});
        QCOMPARE(f.run(reshapeRemovePass()), std::size_t{0});
    }

    void unknownDimsKeepTheirReshape()
    {
        PassFixture f;
        const OutputRef r = reshape(f, f.op("Neg", {f.input("x", {-1, 6})}), {-1, 3}, "r");
        f.outputs({f.op("Relu", {r})});
        QCOMPARE(f.run(reshapeRemovePass()), std::size_t{0});
    }

    void agreeingEdgesGetNoReshape()
    {
        PassFixture f;
        f.outputs({f.op("Relu", {f.op("Neg", {f.input("x", {2, 6})})})});
        QCOMPARE(f.run(reshapeRecoveryPass()), std::size_t{0});
    }

    void oneReshapeForEachEdgeOneConstantForEachShape()
    {
        PassFixture f;
        const OutputRef r = reshape(f, f.op("Neg", {f.input("x", {2, 6})}), {3, 4}, "r");
        f.outputs({f.op("Relu", {r}), f.op("Abs", {r}), f.op("Neg", {r})});
        f.run(reshapeRemovePass());
        QCOMPARE(f.keepsNumbers(reshapeRecoveryPass()), std::string());
        QCOMPARE(f.count("Reshape"), 3);
        QCOMPARE(f.count("Const"), 1);
    }

    void changesOfDimsGoWithTheirAxes()
    {
        PassFixture f;
        const OutputRef x = f.op("Neg", {f.input("x", {2, 6})});
        const OutputRef u = f.op("UnsqueezeV3", {x, f.ints("axes", {1})}, {}, "u");
        const OutputRef s = f.op("Squeeze", {f.op("Abs", {u})}, {{"axis", AttrValue(IntList{1})}}, "s");
        const OutputRef flat = f.op("Flatten", {f.op("Relu", {s})}, {{"axis", AttrValue(std::int64_t{1})}}, "flat");
        f.outputs({f.op("Neg", {flat})});
        QCOMPARE(f.keepsNumbers(dimensionAdjustPass()), std::string());
        QCOMPARE(f.types(), std::string("Data Neg Abs Relu Flatten Neg NetOutput")); // GE leaves Flatten
        QCOMPARE(f.count("Const"), 0);
        f.run(reshapeRecoveryPass());
        QCOMPARE(f.count("Reshape"), 2);
    }

    void transposesOfOnesBecomeViews()
    {
        PassFixture f;
        const OutputRef x = f.op("Neg", {f.input("x", {1, 4, 1, 8})});
        const OutputRef ones = transpose(f, x, {0, 2, 1, 3}, "ones");
        const OutputRef moved = transpose(f, x, {0, 3, 2, 1}, "moved");
        f.outputs({f.op("Relu", {ones}), f.op("Relu", {moved})});
        QCOMPARE(f.keepsNumbers(dim1TransposeToSqueezePass()), std::string());
        QVERIFY(f.find("ones_replaced_Squeeze").isValid());
        QVERIFY(f.find("ones_replaced_Unsqueeze").isValid());
        QVERIFY(!f.find("ones_perm").isValid());
        QVERIFY(f.find("moved").isValid()); // 4 and 8 change places
    }

    void smallUnifiedBufferBlocksKeepTransposes()
    {
        PassFixture f;
        f.soc.ubBlockBytes = 16;
        f.outputs({f.op("Relu", {transpose(f, f.op("Neg", {f.input("x", {1, 4, 1, 8})}), {0, 2, 1, 3}, "t")})});
        QCOMPARE(f.run(dim1TransposeToSqueezePass()), std::size_t{0});
    }

    void aChainOfViewsBecomesOneReshape()
    {
        // The reader's dims count, also where two views in a row were taken out.
        PassFixture f;
        const OutputRef x = f.op("Neg", {f.input("x", {3, 2, 1, 4})});
        f.outputs({f.op("Relu", {reshape(f, transpose(f, x, {0, 2, 1, 3}, "t"), {3, 8}, "r")})});
        QCOMPARE(f.keepsNumbers(reshapeRemovePass()), std::string());
        QCOMPARE(f.keepsNumbers(dim1TransposeToSqueezePass()), std::string());
        QCOMPARE(f.keepsNumbers(dimensionAdjustPass()), std::string());
        QCOMPARE(f.types(), std::string("Data Neg Relu NetOutput"));
        QCOMPARE(f.keepsNumbers(reshapeRecoveryPass()), std::string());
        QCOMPARE(f.graph().outputDesc({f.find("Reshape_ReshapeRecoveryPass_0"), 0}).originShape, Shape({3, 8}));
    }

    void equalConversionsMerge()
    {
        PassFixture f;
        const OutputRef x = f.op("Neg", {f.input("x", {2, 6})});
        const OutputRef a = f.op("UnsqueezeV3", {x, f.ints("axes_a", {1})}, {}, "a");
        const OutputRef b = f.op("UnsqueezeV3", {x, f.ints("axes_b", {1})}, {}, "b");
        const OutputRef p = transpose(f, x, {1, 0}, "p"), q = transpose(f, x, {1, 0}, "q"),
                        r = transpose(f, x, {0, 1}, "r");
        f.outputs({f.op("Relu", {a}), f.op("Abs", {b}), f.op("Relu", {p}), f.op("Abs", {q}), f.op("Neg", {r})});
        QCOMPARE(f.keepsNumbers(transOpBreadthFusionPass()), std::string());
        QVERIFY(f.find("a").isValid() && !f.find("b").isValid());
        QVERIFY(f.find("p").isValid() && !f.find("q").isValid());
        QVERIFY(f.find("r").isValid()); // another order
        QVERIFY(f.find("axes_b").isValid());
        QCOMPARE(f.keepsNumbers(uselessControlOutRemovePass()), std::string());
        QVERIFY(!f.find("axes_b").isValid());
        QVERIFY(f.find("axes_a").isValid());
    }

    void controlEdgesOutOfConstantsGo()
    {
        PassFixture f;
        const OutputRef x = f.op("Neg", {f.input("x", {2})});
        const OutputRef idle = f.constant("idle", tensor({1}, {1})), late = f.constant("late", tensor({1}, {1}));
        f.edit().connectControl(idle.node, x.node);
        f.edit().connectControl(x.node, late.node);
        const OutputRef y = f.op("Relu", {x}, {}, "y");
        f.edit().connectControl(late.node, y.node);
        f.outputs({y});
        QCOMPARE(f.keepsNumbers(uselessControlOutRemovePass()), std::string());
        QVERIFY(!f.find("idle").isValid());
        QVERIFY(f.find("late").isValid()); // it waits for Neg itself, so its order means something
    }

    void sumsOfOneTensorGo()
    {
        PassFixture f;
        const OutputRef x = f.op("Neg", {f.input("x", {2})});
        const OutputRef one = f.op("AddN", {x}, {{"N", AttrValue(std::int64_t{1})}}, "one");
        const OutputRef two = f.op("AddN", {x, x}, {{"N", AttrValue(std::int64_t{2})}}, "two");
        f.outputs({f.op("Relu", {one}), f.op("Relu", {two})});
        QCOMPARE(f.keepsNumbers(addNPass()), std::string());
        QVERIFY(!f.find("one").isValid());
        QVERIFY(f.find("two").isValid());
    }

    void chainsOfConversionsAreShortened()
    {
        PassFixture f;
        const auto cast = [&](OutputRef from, DataType type, const char* name) {
            const OutputRef y = f.op("Cast", {from}, {{"dst_type", AttrValue(static_cast<std::int64_t>(type))}}, name);
            TensorDesc desc = f.graph().outputDesc(y);
            desc.format = desc.originFormat = Format::NCHW;
            f.edit().setOutputDesc(y, desc);
            return y;
        };
        const OutputRef x = f.op("Neg", {f.input("x", {1, 2, 2, 2}, DataType::Float16)});
        TensorDesc desc = f.graph().outputDesc(x);
        desc.format = desc.originFormat = Format::NCHW;
        f.edit().setOutputDesc(x, desc);
        const OutputRef wide = cast(cast(x, DataType::Float, "a"), DataType::Double, "b");
        // Through int32 digits get lost: that chain has to stay.
        const OutputRef lossy = cast(cast(x, DataType::Int32, "c"), DataType::Float, "d");
        f.outputs({f.op("Relu", {wide}), f.op("Relu", {lossy})});
        QCOMPARE(f.keepsNumbers(transOpWithoutReshapeFusionPass()), std::string());
        QVERIFY(!f.find("a").isValid() && !f.find("b").isValid());
        QCOMPARE(f.graph().node(f.find("fusion_format_transfer_0")).type, std::string("Cast"));
        QVERIFY(f.find("c").isValid() && f.find("d").isValid());
    }

    void onlyMarkedConstantsAreFusedEarly()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {2});
        const OutputRef a = f.constant("a", tensor({1}, {3})), b = f.constant("b", tensor({1}, {3}));
        f.outputs({f.op("Mul", {f.op("Add", {x, a}), b})});
        QCOMPARE(f.run(constantFuseSamePass()), std::size_t{0});
        for (const OutputRef& constant : {a, b}) {
            TensorDesc desc = f.graph().outputDesc(constant);
            desc.attrs["origin_element_num"] = std::int64_t{1};
            f.edit().setOutputDesc(constant, desc);
        }
        QCOMPARE(f.keepsNumbers(constantFuseSamePass()), std::string());
        QCOMPARE(f.count("Const"), 1);
    }

    void constantsOfOtherAttributesStayApart()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {2});
        const OutputRef a = f.constant("a", tensor({1}, {3})), b = f.constant("b", tensor({1}, {3}));
        f.edit().setAttr(a.node, "_datadump_original_op_names", StringList{"ReduceMean_1"});
        f.edit().setAttr(b.node, "_datadump_original_op_names", StringList{"ReduceMean_2"});
        f.outputs({f.op("Mul", {f.op("Add", {x, a}), b})});
        QCOMPARE(f.run(removeSameConstPass()), std::size_t{0});
    }

    void shapeArithmeticIsReplacedInOneGo()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {4, 3, 5});
        const OutputRef shape = f.op("Shape", {x}, {{"dtype", AttrValue(9)}}, "shape");
        const OutputRef first =
            f.op("GatherV2", {shape, f.ints("zero", {0}), f.constant("axis", intTensor({}, {0}))}, {}, "gather");
        const OutputRef wanted = f.op("ConcatV2", {first, f.ints("rest", {-1}), f.constant("dim", intTensor({}, {0}))},
                                      {{"N", AttrValue(2)}}, "concat");
        const OutputRef y = f.op("Reshape", {x, wanted}, {}, "y");
        f.outputs({f.op("Relu", {y})});
        QCOMPARE(f.run(dimensionComputePass()), std::size_t{0}); // only marks
        QCOMPARE(f.run(constantFoldingPass()), std::size_t{0});  // no node reads constants alone
        QCOMPARE(f.keepsNumbers(potentialConstTakenEffectPass()), std::string());
        QCOMPARE(f.types(), std::string("Data Reshape Relu NetOutput"));
        QCOMPARE(f.count("Const"), 1);
    }

    void imageFormatsSpread()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {1, 3, 4, 4});
        TensorDesc desc = f.graph().outputDesc(x);
        desc.format = desc.originFormat = Format::NCHW;
        f.edit().setOutputDesc(x, desc);
        const OutputRef y = f.op("Add", {f.op("Relu", {x}), f.constant("c", tensor({1}, {2}))});
        f.outputs({f.op("Neg", {y})});
        QCOMPARE(f.keepsNumbers(secondInferFormatPass()), std::string());
        QVERIFY(f.graph().outputDesc(y).originFormat == TensorFormat(Format::NCHW));
        QVERIFY(f.graph().outputDesc({f.find("c"), 0}).originFormat == TensorFormat(Format::NCHW)); // whatever its rank
    }

    void withoutAStatedFormatNothingSpreads()
    {
        PassFixture f;
        f.outputs({f.op("Relu", {f.input("x", {1, 3, 4, 4})})});
        QCOMPARE(f.run(secondInferFormatPass()), std::size_t{0});
    }
};

QTEST_GUILESS_MAIN(TestStageOnePasses)
#include "tst_stage_one_passes.moc"
