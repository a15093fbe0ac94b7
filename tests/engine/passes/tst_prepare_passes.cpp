#include "tests/engine/passes/pass_fixture.h"

#include <QtTest>

using namespace gelens;
using namespace gelens::test;

class TestPreparePasses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void netOutputIsMadeWhenMissing()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {2});
        f.op("Relu", {x}, {}, "a");
        f.op("Neg", {x}, {}, "b");
        QVERIFY(f.run(netOutputPass()) > 0);
        const Node& output = f.graph().node(f.find("Node_Output"));
        QCOMPARE(output.inputCount(), 2); // both leaves, in order
        QCOMPARE(f.graph().node(output.source(0).node).name, std::string("a"));
        QCOMPARE(f.run(netOutputPass()), std::size_t{0});
    }

    /// A partition of GE's ends in End nodes, which read a result and give none.
    void leavesWithoutOutputsStay()
    {
        PassFixture f;
        const OutputRef y = f.op("Relu", {f.input("x", {2})}, {}, "y");
        const NodeId end = f.edit().addNode(
            {.name = "End0", .type = "End", .inputs = {{"x", f.graph().outputDesc(y)}}, .isOpaque = true});
        f.edit().connect(y, {end, 0});
        f.run(netOutputPass());
        QCOMPARE(f.graph().node(f.find("Node_Output")).inputCount(), 0);
        f.run(prunePass());
        QVERIFY(f.find("y").isValid() && f.find("End0").isValid());
    }

    void shapesFollowShapeArithmetic()
    {
        // Reshape(x, Concat(Shape(x)[0:1], -1)): the shape is known only by following values.
        PassFixture f;
        const OutputRef x = f.input("x", {4, 3, 5});
        const OutputRef shape = f.op("Shape", {x}, {{"dtype", AttrValue(9)}});
        const OutputRef first = f.op("GatherV2", {shape, f.ints("zero", {0}), f.ints("axis", {0})});
        const OutputRef wanted = f.op("ConcatV2", {first, f.ints("rest", {-1}), f.constant("dim", intTensor({}, {0}))},
                                      {{"N", AttrValue(2)}});
        const OutputRef y = f.op("Reshape", {x, wanted}, {}, "y");
        f.outputs({y});
        // Forget what the builder inferred; the pass has to find it.
        f.edit().setOutputDesc(y, TensorDesc());
        f.run(inferShapePass());
        QCOMPARE(f.graph().outputDesc(y).originShape, Shape({4, 15}));
        QCOMPARE(f.count("Shape"), 1); // inference rewrites nothing
    }

    void dimsKnownInPartAreKept()
    {
        // Reshape(x, Concat(Shape(x)[0:1], 4, 16)): how an exporter splits heads when the batch is open.
        PassFixture f;
        const OutputRef x = f.input("x", {-1, 64});
        const OutputRef shape = f.op("Shape", {x}, {{"dtype", AttrValue(9)}});
        const OutputRef batch =
            f.op("GatherV2", {shape, f.constant("zero", intTensor({}, {0})), f.constant("axis", intTensor({1}, {0}))});
        const OutputRef first = f.op("Unsqueeze", {batch}, {{"axes", AttrValue(IntList{0})}});
        const OutputRef wanted = f.op("ConcatD", {first, f.ints("heads", {4}), f.ints("size", {16})},
                                      {{"concat_dim", AttrValue(0)}, {"N", AttrValue(3)}});
        const OutputRef y = f.op("Reshape", {x, wanted}, {}, "y");
        const OutputRef rest = f.op(
            "Reshape",
            {x, f.op("ConcatD", {first, f.ints("all", {-1})}, {{"concat_dim", AttrValue(0)}, {"N", AttrValue(2)}})}, {},
            "rest");
        f.outputs({y, rest});
        f.edit().setOutputDesc(y, TensorDesc());
        f.edit().setOutputDesc(rest, TensorDesc());
        f.run(inferShapePass());
        QCOMPARE(f.graph().outputDesc(y).originShape.dims(), (std::vector<std::int64_t>{-1, 4, 16}));
        QCOMPARE(f.graph().outputDesc(rest).originShape.dims(), (std::vector<std::int64_t>{-1, -1}));
    }

    void contradictingShapesAreOneLine()
    {
        PassFixture f;
        const OutputRef a = f.input("a", {2, 3});
        const OutputRef b = f.input("b", {2, 3});
        f.outputs({f.op("Add", {a, b}, {}, "sum")});
        f.edit().setOutputDesc(b, TensorDesc(DataType::Float, {2, 4}));
        try {
            f.run(inferShapePass());
            QFAIL("an Add of [2, 3] and [2, 4] was accepted");
        } catch (const std::runtime_error& error) {
            QVERIFY2(QByteArray(error.what()).contains("sum"), error.what());
        }
    }

    void constantsFold()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {2});
        const OutputRef sum =
            f.op("Add", {f.constant("a", tensor({2}, {1, 2})), f.constant("b", tensor({2}, {10, 20}))});
        f.outputs({f.op("Mul", {x, sum}, {}, "y")});
        QCOMPARE(f.keepsNumbers(constantFoldingPass()), std::string());
        QCOMPARE(f.count("Add"), 0);
        const Tensor* folded = f.graph().constantInput(f.graph().node(f.find("y")), 1);
        QVERIFY(folded != nullptr);
        QCOMPARE(folded->asDoubles().value(), (std::vector<double>{11, 22}));
    }

    void foldingLeavesInputsAndMarkedNodesAlone()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {2});
        const OutputRef kept = f.op("Neg", {f.constant("a", tensor({2}, {1, 2}))}, {}, "kept");
        f.edit().setAttr(kept.node, "no_need_constant_folding", true);
        f.outputs({f.op("Add", {x, kept})});
        QCOMPARE(f.run(constantFoldingPass()), std::size_t{0});
    }

    void absentWeightsAreNotFoldedAndSaidSo()
    {
        PassFixture f;
        Tensor absent;
        absent.desc = TensorDesc(DataType::Float, {2});
        absent.external = ExternalData{"weights.bin", 0, 8};
        const OutputRef w{f.edit().addConstant("w", absent), 0};
        f.outputs({f.op("Neg", {w})});
        QCOMPARE(f.run(constantFoldingPass()), std::size_t{0});
        QCOMPARE(f.report.messages.size(), std::size_t{1});
        QCOMPARE(f.report.messages[0].id, std::string("fold.absent"));
    }

    void dimensionsBecomeConstants()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {4, 7});
        f.outputs({f.op("Shape", {x}, {}, "shape")});
        QCOMPARE(f.keepsNumbers(stageOneDimensionComputePass()), std::string());
        QCOMPARE(f.count("Shape"), 0);
    }

    void unknownDimensionsStay()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {-1, 7});
        f.outputs({f.op("Shape", {x})});
        QCOMPARE(f.run(stageOneDimensionComputePass()), std::size_t{0});
    }

    void identitiesGo()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {3});
        f.outputs({f.op("Relu", {f.op("Identity", {x}, {}, "id")})});
        QCOMPARE(f.keepsNumbers(identityPass()), std::string());
        QCOMPARE(f.types(), std::string("Data Relu NetOutput"));
    }

    void identityBetweenInputAndOutputStays()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {3});
        f.outputs({f.op("Identity", {x})});
        QCOMPARE(f.run(identityPass()), std::size_t{0});
    }

    void controlEdgesSurviveABypass()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {3});
        const OutputRef first = f.op("Neg", {x}, {}, "first");
        const OutputRef id = f.op("Identity", {x}, {}, "id");
        f.edit().connectControl(first.node, id.node);
        const OutputRef y = f.op("Relu", {id}, {}, "y");
        f.outputs({y, first});
        f.run(identityPass());
        QVERIFY(!f.find("id").isValid());
        QCOMPARE(f.graph().node(y.node).controlInputs, std::vector<NodeId>{first.node});
    }

    void reshapesToTheSameShapeGo()
    {
        PassFixture f;
        const OutputRef x = f.op("Neg", {f.input("x", {2, 3})});
        const OutputRef same = f.op("Reshape", {x, f.ints("same", {2, 3})}, {}, "same_shape");
        f.edit().setOutputDesc(same, TensorDesc(DataType::Float, {2, 3}));
        const OutputRef other = f.op("Reshape", {x, f.ints("other", {6})}, {}, "other_shape");
        f.edit().setOutputDesc(other, TensorDesc(DataType::Float, {6}));
        f.outputs({f.op("Relu", {same}), f.op("Relu", {other})});
        QCOMPARE(f.keepsNumbers(noUseReshapeRemovePass()), std::string());
        QVERIFY(!f.find("same_shape").isValid());
        QVERIFY(f.find("other_shape").isValid());
    }

    void transposesThatMoveNothingGo()
    {
        PassFixture f;
        const OutputRef x = f.op("Neg", {f.input("x", {1, 1, 3})});
        const OutputRef still = f.op("Transpose", {x, f.ints("p", {1, 0, 2})}, {}, "still");
        f.edit().setOutputDesc(still, TensorDesc(DataType::Float, {1, 1, 3}));
        const OutputRef moved = f.op("Transpose", {x, f.ints("q", {2, 1, 0})}, {}, "moved");
        f.edit().setOutputDesc(moved, TensorDesc(DataType::Float, {3, 1, 1}));
        f.outputs({f.op("Relu", {still}), f.op("Relu", {moved})});
        QCOMPARE(f.keepsNumbers(unchangedTransposeRemovePass()), std::string());
        QVERIFY(!f.find("still").isValid());
        QVERIFY(f.find("moved").isValid()); // its dims change places: [1, 1, 3] → [3, 1, 1]
    }

    void pruneKeepsWhatOutputsNeed()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {3});
        f.input("unused", {3});
        f.op("Exp", {f.op("Neg", {x})}, {}, "dead");
        f.outputs({f.op("Relu", {x})});
        QCOMPARE(f.keepsNumbers(prunePass()), std::string());
        QVERIFY(!f.find("dead").isValid());
        QCOMPARE(f.count("Neg"), 0);
        QVERIFY(f.find("unused").isValid()); // the model keeps its inputs
        QCOMPARE(f.graph().node(f.find("unused")).controlOutputs.size(), std::size_t{1});
    }

    /// If(condition) of Neg(x) and Abs(x), read by a Relu.
    static NodeId branch(PassFixture& f, OutputRef condition, OutputRef x)
    {
        const TensorDesc desc = f.graph().outputDesc(x);
        const NodeId owner = f.edit().addNode({.name = "if",
                                               .type = "If",
                                               .inputs = {{"cond", f.graph().outputDesc(condition)}, {"input0", desc}},
                                               .outputs = {{"output0", desc}}});
        f.edit().connect(condition, {owner, 0});
        f.edit().connect(x, {owner, 1});
        for (const char* type : {"Neg", "Abs"}) {
            const GraphId body = f.edit().addSubgraph(std::string("branch_") + type, owner);
            const NodeId data = f.edit().addNode({.name = "in",
                                                  .type = "Data",
                                                  .inputs = {{"x", desc}},
                                                  .outputs = {{"y", desc}},
                                                  .attrs = {{"_parent_node_index", AttrValue(std::int64_t{1})}}},
                                                 body);
            const NodeId node = f.edit().addNode(
                {.name = "work", .type = type, .inputs = {{"x", desc}}, .outputs = {{"y", desc}}}, body);
            const NodeId out = f.edit().addNode({.name = "out", .type = "NetOutput", .inputs = {{"x0", desc}}}, body);
            f.edit().connect({data, 0}, {node, 0});
            f.edit().connect({node, 0}, {out, 0});
            f.edit().setGraphOutputs(body, {{node, 0}});
        }
        f.outputs({f.op("Relu", {{owner, 0}})});
        return owner;
    }

    void conditionsBecomeInt32Scalars()
    {
        PassFixture f;
        const OutputRef condition = f.input("condition", {}, DataType::Bool);
        const NodeId owner = branch(f, condition, f.input("x", {3}));
        QCOMPARE(f.keepsNumbers(condPass()), std::string());
        const Node& cast = f.graph().node(f.graph().node(owner).source(0).node);
        QCOMPARE(cast.type, std::string("Cast"));
        QVERIFY(cast.outputs[0].desc.dtype == DataType::Int32);
    }

    void conditionsOfOneElementKeepTheirMeaning()
    {
        // GE would take the number of elements; in ONNX the one value counts.
        PassFixture f;
        const OutputRef condition = f.input("condition", {1}, DataType::Bool);
        branch(f, condition, f.input("x", {3}));
        QCOMPARE(f.run(condPass()), std::size_t{0});
    }

    void emptyResultsBecomeEmptyConstants()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {0, 3});
        f.outputs({f.op("Relu", {x}, {}, "none")});
        QCOMPARE(f.keepsNumbers(stageOneReplaceWithEmptyConstPass()), std::string());
        QVERIFY(!f.find("none").isValid());
    }
};

QTEST_GUILESS_MAIN(TestPreparePasses)
#include "tst_prepare_passes.moc"
