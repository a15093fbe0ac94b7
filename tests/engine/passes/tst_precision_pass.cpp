// RefineRunningPrecision: which operators run in half precision in each mode, and that the numbers follow fp16.
#include "tests/engine/passes/pass_fixture.h"

#include <QtTest>

#include <cmath>

using namespace gelens;
using namespace gelens::test;

namespace {

/// x·w + b → softmax, and beside it a ReduceSum: one cube operator, a broadcast, a sum.
struct Model : PassFixture {
    OutputRef product, sum, softmax;

    explicit Model(PrecisionMode mode, int generation = 220)
    {
        options.precision = mode;
        soc.generation = generation;
        const OutputRef x = input("x", {4, 8});
        std::vector<double> weights(8 * 6);
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.05 * static_cast<double>(i % 13) - 0.3;
        product = op("MatMulV2", {x, constant("w", tensor({8, 6}, weights))}, {}, "product");
        sum = op("Add", {product, constant("b", tensor({6}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}))}, {}, "sum");
        softmax = op("SoftmaxV2", {sum}, {{"axes", AttrValue(IntList{-1})}}, "softmax");
        outputs({softmax, op("Relu", {sum}, {}, "relu")});
    }

    DataType typeOf(const char* name) { return graph().outputDesc({find(name), 0}).dtype; }

    std::int64_t casts()
    {
        for (const auto& [what, value] : report.counters)
            if (what == "casts inserted because of precision mode") return value;
        return 0;
    }

    /// Largest difference to the fp32 results after the pass ran.
    double runAndMeasure()
    {
        const std::vector<NamedTensor> reference = compute();
        run(refineRunningPrecisionPass());
        const std::vector<NamedTensor> values = compute();
        double worst = 0;
        for (std::size_t i = 0; i < reference.size(); ++i) {
            if (values[i].value.dtype != DataType::Float) return INFINITY; // what the model gives keeps its type
            worst = std::max(worst, compareTensors(reference[i].value, values[i].value, {}).maxAbs);
        }
        return worst;
    }
};

} // namespace

class TestPrecisionPass : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void originTypesAreKeptByDefault()
    {
        Model f(PrecisionMode::MustKeepOriginDtype);
        QCOMPARE(f.run(refineRunningPrecisionPass()), std::size_t{0});
    }

    void forcedHalfPrecision()
    {
        Model f(PrecisionMode::ForceFp16);
        const double error = f.runAndMeasure();
        QVERIFY2(error > 0 && error < 2e-2, qPrintable(QString::number(error)));
        for (const char* name : {"product", "sum", "softmax", "relu"}) QCOMPARE(f.typeOf(name), DataType::Float16);
        QCOMPARE(f.casts(), 5); // x, w, b in; softmax and relu out
        QCOMPARE(f.count("Cast"), 5);
        QCOMPARE(f.run(refineRunningPrecisionPass()), std::size_t{0});
    }

    void cubesWithoutFp32GoDownWhereAllowed()
    {
        Model capable(PrecisionMode::AllowFp32ToFp16, 220);
        QCOMPARE(capable.run(refineRunningPrecisionPass()), std::size_t{0});
        Model older(PrecisionMode::AllowFp32ToFp16, 200);
        QVERIFY(older.runAndMeasure() < 2e-2);
        QCOMPARE(older.typeOf("product"), DataType::Float16);
        QCOMPARE(older.typeOf("sum"), DataType::Float);
        QCOMPARE(older.casts(), 3); // x, w in; the product out
        QCOMPARE(older.run(refineRunningPrecisionPass()), std::size_t{0});
    }

    void mixedPrecisionFollowsItsLists()
    {
        Model f(PrecisionMode::AllowMixPrecision);
        QVERIFY(f.runAndMeasure() < 2e-2);
        QCOMPARE(f.typeOf("product"), DataType::Float16); // cube: reduced
        QCOMPARE(f.typeOf("sum"), DataType::Float16);     // follows what feeds it
        QCOMPARE(f.typeOf("softmax"), DataType::Float);   // keeps fp32
        QCOMPARE(f.typeOf("relu"), DataType::Float16);
        QCOMPARE(f.casts(), 5); // x, w, b in; sum for the softmax, relu out
        QCOMPARE(f.run(refineRunningPrecisionPass()), std::size_t{0});
    }

    void castsOnWeightsFold()
    {
        Model f(PrecisionMode::ForceFp16);
        f.run(refineRunningPrecisionPass());
        QCOMPARE(f.keepsNumbers(stageOneConstantFoldingPass()), std::string());
        QCOMPARE(f.count("Cast"), 3); // x in, two outputs back
    }

    /// What comes out of a sequence has the type that went in, and a value of unknown type is left to who made it.
    void sequencesKeepTheirTypes()
    {
        for (const bool isKnown : {true, false}) {
            PassFixture f;
            f.options.precision = PrecisionMode::ForceFp16;
            const OutputRef parts =
                f.op("SequenceConstruct", {f.op("Relu", {f.input("x", {4})}, {}, "relu")}, {}, "parts");
            const OutputRef first = f.op("SequenceAt", {parts, f.constant("zero", intTensor({}, {0}))}, {}, "first");
            const OutputRef product = f.op("Mul", {first, f.constant("two", tensor({1}, {2.0}))}, {}, "product");
            f.outputs({product});
            if (!isKnown) f.edit().setOutputDesc(first, TensorDesc(DataType::Undefined, Shape{4}));
            const auto reference = f.compute();
            f.run(refineRunningPrecisionPass());
            QCOMPARE(f.graph().outputDesc({f.find("relu"), 0}).dtype, DataType::Float16);
            QCOMPARE(f.graph().outputDesc(first).dtype, isKnown ? DataType::Float : DataType::Undefined);
            QCOMPARE(f.graph().outputDesc(product).dtype, isKnown ? DataType::Float16 : DataType::Float);
            const auto values = f.compute(); // it runs, and the element has the type that its place says
            QVERIFY(compareTensors(reference[0].value, values[0].value, {}, toleranceOf(DataType::Float16)).holds());
        }
    }

    void modelsInHalfPrecisionNeedNoCast()
    {
        PassFixture f;
        f.options.precision = PrecisionMode::ForceFp16;
        f.outputs({f.op("Relu", {f.input("x", {4}, DataType::Float16)})});
        QCOMPARE(f.run(refineRunningPrecisionPass()), std::size_t{0});
    }
};

QTEST_GUILESS_MAIN(TestPrecisionPass)
#include "tst_precision_pass.moc"
