// Shapes, data types, formats and error values.

#include "engine/graph/format.h"
#include "engine/graph/result.h"
#include "engine/graph/tensor.h"

#include <QtTest>

using namespace gelens;

namespace {

Result<int> half(int value)
{
    if (value % 2 != 0) return Error::invalid("odd", "half");
    return value / 2;
}
Result<int> quarter(int value)
{
    GELENS_ASSIGN(const int first, half(value));
    GELENS_ASSIGN(const int second, half(first));
    return second;
}
Status checkQuarter(int value)
{
    GELENS_TRY(quarter(value));
    return Status::success();
}

} // namespace

class TestShape : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsElements()
    {
        QCOMPARE(Shape{}.elementCount(), std::optional<std::int64_t>(1)); // a scalar
        QCOMPARE((Shape{2, 3, 4}.elementCount()), std::optional<std::int64_t>(24));
        QCOMPARE((Shape{2, -1}.elementCount()), std::nullopt);
        QCOMPARE(Shape::unknownRank().elementCount(), std::nullopt);
        const std::int64_t big = std::int64_t{1} << 31;
        QCOMPARE((Shape{big, big}.elementCount()), std::optional<std::int64_t>(std::int64_t{1} << 62));
        QCOMPARE((Shape{big, big, 2}.elementCount()), std::nullopt); // 2^63 overflows
        QCOMPARE((Shape{big, big, 2, 0}.elementCount()), std::nullopt);
        QCOMPARE((Shape{0, big, big}.elementCount()), std::optional<std::int64_t>(0));
    }

    void knowsRankAndSymbols()
    {
        QVERIFY(!Shape::unknownRank().hasRank());
        QCOMPARE(Shape::unknownRank().text(), std::string("[...]"));
        QCOMPARE(Shape{}.text(), std::string("[]"));
        Shape shape{1, 3, -1, -1};
        shape.setSymbol(2, "batch");
        QCOMPARE(shape.text(), std::string("[1, 3, batch, ?]"));
        QVERIFY(!(shape == Shape{1, 3, -1, -1}));
        QCOMPARE(shape.dim(-1), std::int64_t{-1});
        QCOMPARE(shape.dim(-3), std::int64_t{3});
        shape.setDim(2, 7); // a known dimension has no name
        QVERIFY((shape == Shape{1, 3, 7, -1}));
        shape.append(-1, "seq");
        QCOMPARE(shape.text(), std::string("[1, 3, 7, ?, seq]"));
        QVERIFY(!shape.isStatic());
        QVERIFY((Shape{2, 0}.isStatic()));
    }

    void computesBytes()
    {
        QCOMPARE(storageBytes(DataType::Float16, Shape{3, 5}), std::optional<std::int64_t>(30));
        QCOMPARE(storageBytes(DataType::Int4, Shape{5}), std::optional<std::int64_t>(3));
        QCOMPARE(storageBytes(DataType::UInt1, Shape{9}), std::optional<std::int64_t>(2));
        QCOMPARE(storageBytes(DataType::Int4, Shape{0}), std::optional<std::int64_t>(0));
        QCOMPARE(storageBytes(DataType::String, Shape{2}), std::nullopt);
        QCOMPARE(storageBytes(DataType::Undefined, Shape{2}), std::nullopt);
        QCOMPARE(storageBytes(DataType::Float, Shape{-1}), std::nullopt);
        const std::int64_t big = std::int64_t{1} << 59;
        QCOMPARE(storageBytes(DataType::Float, Shape{big}), std::optional<std::int64_t>(std::int64_t{1} << 61));
        QCOMPARE(storageBytes(DataType::Double, Shape{big, 4}), std::nullopt); // 2^64
        QCOMPARE(storageBytes(DataType::Int4, Shape{big, 8}), std::nullopt);   // its bits do not fit
    }

    void namesDataTypes()
    {
        for (int number = 0; number <= 42; ++number) {
            const auto type = static_cast<DataType>(number);
            if (number == 5 || type == DataType::Undefined) continue; // 5 is not assigned
            QCOMPARE(dataTypeFromName(dataTypeName(type)), type);
            QCOMPARE(dataTypeFromName(dataTypeProtoName(type)), type);
            QCOMPARE(dataTypeFromProtoNumber(dataTypeProtoNumber(type)), type);
        }
        QCOMPARE(dataTypeFromName("DT_BF16"), DataType::BFloat16);
        QCOMPARE(dataTypeFromName("DT_BFLOAT16"), DataType::BFloat16);
        QCOMPARE(dataTypeFromName("nonsense"), DataType::Undefined);
        QCOMPARE(dataTypeFromProtoNumber(0), DataType::Undefined);
        QCOMPARE(dataTypeFromProtoNumber(-5), DataType::Undefined);
        QCOMPARE(dataTypeFromOnnxNumber(16), DataType::BFloat16);
        QCOMPARE(dataTypeFromOnnxNumber(99), DataType::Undefined);
        for (int number = 1; number <= 24; ++number)
            QCOMPARE(dataTypeOnnxNumber(dataTypeFromOnnxNumber(number)), number);
    }

    void packsFormats()
    {
        TensorFormat format(Format::FractalZ);
        format.group = 32;
        format.c0Code = 5;
        QCOMPARE(format.packed(), 0x05002004);
        QVERIFY(TensorFormat::fromPacked(0x05002004) == format);
        QCOMPARE(format.text(), std::string("FRACTAL_Z:32"));
        QCOMPARE(TensorFormat::fromText("FRACTAL_Z:32").group, std::uint16_t{32});
        QCOMPARE(TensorFormat::fromText("FRACTAL_Z:32").primary, Format::FractalZ);
        QCOMPARE(TensorFormat::fromText("no such").primary, Format::Reserved);
        QVERIFY(isPrivateFormat(Format::FractalNz));
        QVERIFY(!isPrivateFormat(Format::NCHW));
    }

    void carriesErrors()
    {
        QCOMPARE(quarter(12).value(), 3);
        const Result<int> failed = quarter(6);
        QVERIFY(!failed.ok());
        QCOMPARE(failed.error().message(), std::string("half: odd"));
        QVERIFY(checkQuarter(4).ok());
        QVERIFY(!checkQuarter(5).ok());
        Error error = Error::io("cannot read", "a\nb.om");
        error.causes = {"first", "second"};
        QCOMPARE(error.message(), std::string("a b.om: cannot read (first; second)"));
        QVERIFY(Error::cancelled().isCancelled());
    }

    void failedChecksThrow()
    {
        const auto check = [](bool condition) { GELENS_ASSERT(condition); };
        check(true);
        try {
            check(false);
            QFAIL("a failed check must throw");
        } catch (const InternalError& error) {
            const std::string text = error.what();
            QVERIFY(text.find("tst_shape.cpp:") != std::string::npos);
            QVERIFY(text.find('/') == std::string::npos); // no folder of the build machine
            QVERIFY(text.find("condition") != std::string::npos);
        }
    }
};

QTEST_GUILESS_MAIN(TestShape)
#include "tst_shape.moc"
