// Graphs that GE has worked on: what they state of themselves, and where our inference gives way to it.
#include "tests/engine/passes/pass_fixture.h"

#include <QtTest>

#include <algorithm>

using namespace gelens;
using namespace gelens::test;

namespace {

/// The error of inference; empty when there is none.
std::string inferenceError(PassFixture& f)
{
    try {
        f.run(inferShapePass());
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return {};
}

int notes(const PassFixture& f, const std::string& kind)
{
    return static_cast<int>(std::count_if(f.report.messages.begin(), f.report.messages.end(), [&](const Message& note) {
        return note.id == kind && note.severity == Severity::Info && note.node.isValid();
    }));
}

void giveEngine(PassFixture& f, const char* node)
{
    Placement placement;
    placement.engine = placement.kernelLib = "AIcoreEngine";
    f.edit().setPlacement(f.find(node), placement);
}

/// x [1, 16, 4, 4] · w [256, 10], between which GE took a Reshape to `read` out.
void matMulWithoutReshape(PassFixture& f, const Shape& read)
{
    const OutputRef x = f.input("x", {1, 16, 4, 4});
    const OutputRef flat = f.op("Reshape", {x, f.ints("to", {1, 256})}, {}, "view");
    std::vector<double> weights;
    for (int i = 0; i < 2560; ++i) weights.push_back((i % 7) - 3);
    const OutputRef y = f.op("MatMulV2", {flat, f.constant("w", tensor({256, 10}, weights))}, {}, "product");
    f.outputs({y});
    f.edit().connect(x, {y.node, 0});
    f.edit().removeNode(flat.node);
    f.edit().removeNode(f.find("to"));
    f.edit().setInputDesc({y.node, 0}, TensorDesc(DataType::Float, read));
}

/// A convolution that reads [10, 10]: no convolution of ours.
void flatConvolution(PassFixture& f)
{
    const OutputRef x = f.input("x", {1, 1, 10, 10});
    const OutputRef w = f.input("w", {1, 1, 1, 1});
    const OutputRef y = f.op("Conv2D", {x, w},
                             {{"strides", AttrValue(IntList{1, 1, 1, 1})},
                              {"pads", AttrValue(IntList{0, 0, 0, 0})},
                              {"data_format", AttrValue("NCHW")}},
                             "conv");
    f.outputs({f.op("Relu", {y}, {}, "relu")});
    const TensorDesc flat(DataType::Float, {10, 10});
    f.edit().setOutputDesc(x, flat);
    f.edit().setInputDesc({y.node, 0}, flat);
    f.edit().setOutputDesc(y, flat);
    f.edit().setInputDesc({f.find("relu"), 0}, flat);
}

} // namespace

class TestStatedNodes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReshapeThatGeTookOutComesBack()
    {
        PassFixture f;
        f.isGeGraph = true;
        matMulWithoutReshape(f, {1, 256});
        f.edit().setOutputDesc({f.find("product"), 0}, TensorDesc());
        QCOMPARE(f.keepsNumbers(inferShapePass()), std::string());
        QCOMPARE(f.types(), std::string("Data Reshape MatMulV2 NetOutput"));
        QCOMPARE(f.graph().outputDesc({f.find("product"), 0}).originShape, Shape({1, 10}));
        QCOMPARE(notes(f, "infer.reshape"), 1);
    }

    /// An ONNX graph states nothing that counts: it would have the Reshape.
    void otherGraphsHaveTheirReshapes()
    {
        PassFixture f;
        matMulWithoutReshape(f, {1, 256});
        const std::string error = inferenceError(f);
        QVERIFY2(error.find("product") != std::string::npos, error.c_str());
    }

    void anotherNumberOfElementsIsNoReshape()
    {
        PassFixture f;
        f.isGeGraph = true;
        matMulWithoutReshape(f, {1, 255});
        giveEngine(f, "product");
        const std::string error = inferenceError(f);
        QVERIFY2(error.find("product") != std::string::npos, error.c_str());
        QCOMPARE(f.count("Reshape"), 0);
    }

    void whatGeInferredForAnEngineIsKept()
    {
        PassFixture f;
        f.isGeGraph = true;
        flatConvolution(f);
        giveEngine(f, "conv");
        QCOMPARE(inferenceError(f), std::string());
        QCOMPARE(f.graph().outputDesc({f.find("conv"), 0}).originShape, Shape({10, 10}));
        QCOMPARE(f.graph().outputDesc({f.find("relu"), 0}).originShape, Shape({10, 10})); // inferred from it
        QCOMPARE(notes(f, "infer.kept"), 1);
    }

    void withoutAnEngineItIsAnError()
    {
        PassFixture f;
        f.isGeGraph = true;
        flatConvolution(f);
        const std::string error = inferenceError(f);
        QVERIFY2(error.find("conv") != std::string::npos, error.c_str());
    }

    void anEngineForOtherInputsIsAnError()
    {
        PassFixture f;
        f.isGeGraph = true;
        flatConvolution(f);
        giveEngine(f, "conv");
        f.edit().setOutputDesc({f.find("x"), 0}, TensorDesc(DataType::Float, {10, 11}));
        const std::string error = inferenceError(f);
        QVERIFY2(error.find("conv") != std::string::npos, error.c_str());
    }

    void anOutputThatIsNotStatedIsAnError()
    {
        PassFixture f;
        f.isGeGraph = true;
        flatConvolution(f);
        giveEngine(f, "conv");
        f.edit().setOutputDesc({f.find("conv"), 0}, TensorDesc(DataType::Float, {-1, 10}));
        const std::string error = inferenceError(f);
        QVERIFY2(error.find("conv") != std::string::npos, error.c_str());
    }

    /// An operator may be newer than ours: here a Relu that halves its rows in fp16.
    void aContradictionIsSettledForGe()
    {
        for (const bool hasEngine : {true, false}) {
            PassFixture f;
            f.isGeGraph = true;
            const OutputRef y = f.op("Relu", {f.input("x", {4, 3})}, {}, "y");
            f.outputs({y});
            f.edit().setOutputDesc(y, TensorDesc(DataType::Float16, {2, 3}));
            if (hasEngine) giveEngine(f, "y");
            QCOMPARE(inferenceError(f), std::string());
            const TensorDesc& desc = f.graph().outputDesc(y);
            QCOMPARE(desc.originShape, hasEngine ? Shape({2, 3}) : Shape({4, 3}));
            QCOMPARE(desc.dtype, hasEngine ? DataType::Float16 : DataType::Float);
            QCOMPARE(notes(f, "infer.kept"), hasEngine ? 1 : 0);
            if (hasEngine)
                QCOMPARE(f.report.messages.front().text,
                         std::string("output 0 is fp16 [2, 3] in GE's graph and fp32 [4, 3] by our inference; GE's is "
                                     "kept"));
        }
    }

    /// [1, 20, 4, 4] in blocks of 16 channels is [1, 2, 4, 4, 16]: inference speaks of the origin shape only.
    void storageShapesStay()
    {
        PassFixture f;
        f.isGeGraph = true;
        TensorDesc blocked(DataType::Float, {1, 20, 4, 4}, Format::NCHW);
        blocked.format = Format::NC1HWC0;
        blocked.shape = {1, 2, 4, 4, 16};
        const OutputRef x = f.input("x", {1, 20, 4, 4});
        const OutputRef y = f.op("Relu", {x}, {}, "y");
        f.outputs({y});
        f.edit().setOutputDesc(x, blocked);
        f.edit().setOutputDesc(y, blocked);
        QCOMPARE(inferenceError(f), std::string());
        QCOMPARE(f.graph().outputDesc(y).shape, Shape({1, 2, 4, 4, 16}));
        QCOMPARE(f.graph().outputDesc(y).originShape, Shape({1, 20, 4, 4}));
    }

    /// data_format is often no more than its default; the kernel and its inference must read x alike.
    void kernelsReadTheOrderThatTheTensorDeclares()
    {
        PassFixture f;
        const OutputRef x = f.input("x", {1, 2, 4, 5});
        const OutputRef y = f.op("Conv2D", {x, f.constant("w", tensor({3, 2, 1, 1}, {1, 2, 3, 4, 5, 6}))},
                                 {{"strides", AttrValue(IntList{1, 1, 1, 1})},
                                  {"pads", AttrValue(IntList{0, 0, 0, 0})},
                                  {"data_format", AttrValue("NCHW")}},
                                 "y");
        f.outputs({y});
        const auto reference = f.compute();
        f.edit().setAttr(y.node, "data_format", AttrValue("NHWC"));
        QVERIFY_EXCEPTION_THROWN(f.compute(), std::runtime_error); // 5 channels for 2
        f.edit().setInputDesc({y.node, 0}, TensorDesc(DataType::Float, {1, 2, 4, 5}, Format::NCHW));
        QVERIFY(compareTensors(reference.front().value, f.compute().front().value, {}).holds());
    }

    /// Dumps of levels 2 and 3 leave attributes out.
    void withoutItsAttributeAnOperatorStaysAsItIs()
    {
        for (const bool isGeGraph : {true, false}) {
            PassFixture f;
            f.isGeGraph = isGeGraph;
            const OutputRef y = f.op("Cast", {f.input("x", {4})}, {{"dst_type", AttrValue(1)}}, "y");
            f.outputs({y});
            f.edit().removeAttr(y.node, "dst_type");
            const std::string error = inferenceError(f);
            QCOMPARE(error.empty(), isGeGraph);
            if (!isGeGraph) continue;
            QCOMPARE(f.graph().outputDesc(y).dtype, DataType::Float16);
            QCOMPARE(f.report.messages.front().text,
                     std::string("the file leaves out the attribute 'dst_type' of Cast, so its results stay as the "
                                 "file has them"));
        }
    }
};

QTEST_GUILESS_MAIN(TestStatedNodes)
#include "tst_stated_nodes.moc"
