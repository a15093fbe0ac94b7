#include "tests/support/kernel_test.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace gelens;
using namespace gelens::test;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
const double notANumber = std::nan("");
using Numbers = std::vector<double>;
} // namespace

#define SAME(actual, ...) QCOMPARE(QString::fromStdString(difference(actual, Numbers __VA_ARGS__)), QString())

class TestArithmetic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void addBroadcasts()
    {
        SAME(run1("Add", {tensor({2, 3}, {1, 2, 3, 4, 5, 6}), tensor({3}, {10, 20, 30})}), {11, 22, 33, 14, 25, 36});
        SAME(run1("Add", {tensor({2, 1}, {1, 2}), tensor({1, 3}, {10, 20, 30})}), {11, 21, 31, 12, 22, 32});
        SAME(run1("Sub", {tensor({}, {1}), tensor({3}, {10, 20, 30})}), {-9, -19, -29});
        SAME(run1("Sub", {tensor({3}, {10, 20, 30}), tensor({1, 1}, {1})}), {9, 19, 29});
        const HostTensor empty = run1("Mul", {tensor({0, 3}, {}), tensor({3}, {1, 2, 3})});
        QCOMPARE(empty.shape, (Shape{0, 3}));
        // Middle dims broadcast: neither operand is contiguous along the row alone.
        SAME(run1("Mul", {tensor({2, 1, 2}, {1, 2, 3, 4}), tensor({1, 2, 1}, {10, 100})}),
             {10, 20, 100, 200, 30, 40, 300, 400});
    }

    void integersWrapAround()
    {
        QCOMPARE(
            ints(run1("Add", {intTensor({2}, {127, -128}, DataType::Int8), intTensor({2}, {1, -1}, DataType::Int8)})),
            (IntList{-128, 127}));
        QCOMPARE(
            ints(run1("Mul", {intTensor({1}, {65535}, DataType::UInt16), intTensor({1}, {65535}, DataType::UInt16)})),
            (IntList{1}));
        QCOMPARE(ints(run1("Sub", {intTensor({1}, {INT64_MIN}), intTensor({1}, {1})})), (IntList{INT64_MAX}));
        QCOMPARE(ints(run1("Neg", {intTensor({2}, {INT32_MIN, 5}, DataType::Int32)})), (IntList{INT32_MIN, -5}));
        QCOMPARE(ints(run1("Abs", {intTensor({3}, {-128, -7, 7}, DataType::Int8)})), (IntList{-128, 7, 7}));
    }

    void divisionRoundsTowardsZeroAndNeverTraps()
    {
        QCOMPARE(ints(run1("RealDiv", {intTensor({5}, {7, -7, 7, -7, 5}), intTensor({5}, {2, 2, -2, -2, 0})})),
                 (IntList{3, -3, -3, 3, 0}));
        QCOMPARE(ints(run1("RealDiv", {intTensor({1}, {INT64_MIN}), intTensor({1}, {-1})})), (IntList{INT64_MIN}));
        QCOMPARE(ints(run1("FloorDiv", {intTensor({4}, {7, -7, 7, -7}), intTensor({4}, {2, 2, -2, -2})})),
                 (IntList{3, -4, -4, 3}));
        SAME(run1("RealDiv", {tensor({3}, {1, -1, 0}), tensor({3}, {0, 0, 0})}), {inf, -inf, notANumber});
        SAME(run1("DivNoNan", {tensor({2}, {1, 6}), tensor({2}, {0, 3})}), {0, 2});
    }

    void moduloHasTheSignOfTheRightOperand()
    {
        const HostTensor a = intTensor({4}, {7, -7, 7, -7}, DataType::Int32);
        const HostTensor b = intTensor({4}, {3, 3, -3, -3}, DataType::Int32);
        QCOMPARE(ints(run1("FloorMod", {a, b})), (IntList{1, 2, -2, -1}));
        QCOMPARE(ints(run1("Mod", {a, b})), (IntList{1, -1, 1, -1}));
        SAME(run1("FloorMod", {tensor({3}, {-4.5, 7.25, 5}), tensor({3}, {2, -3.5, 8})}), {1.5, -3.25, 5.0});
        SAME(run1("Mod", {tensor({3}, {-4.5, 7.25, 5}), tensor({3}, {2, -3.5, 8})}), {-0.5, 0.25, 5.0});
        QCOMPARE(ints(run1("FloorMod", {intTensor({2}, {5, INT64_MIN}), intTensor({2}, {0, -1})})), (IntList{0, 0}));
    }

    void powersOfEveryKind()
    {
        SAME(run1("Pow", {tensor({4}, {1, 2, 3, -2}), tensor({}, {2})}), {1, 4, 9, 4});
        SAME(run1("Pow", {tensor({3}, {4, 0, 2}), tensor({3}, {0.5, 0, -1})}), {2, 1, 0.5});
        QCOMPARE(ints(run1("Pow", {intTensor({4}, {2, 3, -1, 2}), intTensor({4}, {62, 3, -3, -1})})),
                 (IntList{std::int64_t{1} << 62, 27, -1, 0}));
        QCOMPARE(ints(run1("Pow", {intTensor({2}, {3, 5}, DataType::Int32), tensor({2}, {2.5, 2})})),
                 (IntList{15, 25}));
        SAME(run1("Pow", {tensor({2}, {1.5, 3}), intTensor({2}, {2, 3}, DataType::UInt64)}), {2.25, 27});
    }

    void extremesPropagateNaN()
    {
        SAME(run1("Maximum", {tensor({4}, {1, notANumber, 3, -inf}), tensor({4}, {2, 1, notANumber, inf})}),
             {2, notANumber, notANumber, inf});
        SAME(run1("Minimum", {tensor({4}, {1, notANumber, 3, -inf}), tensor({4}, {2, 1, notANumber, inf})}),
             {1, notANumber, notANumber, -inf});
        QCOMPARE(
            ints(run1("Maximum", {intTensor({2}, {-1, 1}, DataType::Int16), intTensor({2}, {0, 0}, DataType::Int16)})),
            (IntList{0, 1}));
    }

    void halfComputesInFloatAndRoundsOnce()
    {
        // 2048 + 1 = 2049 lies between two halves: ties to even, 2048.
        SAME(run1("Add", {tensor({2}, {2048, 2048}, DataType::Float16), tensor({2}, {1, 3}, DataType::Float16)}),
             {2048, 2052});
        SAME(run1("Mul", {tensor({1}, {60000}, DataType::Float16), tensor({1}, {2}, DataType::Float16)}), {inf});
        // AddN rounds once: 2048 + 1 + 1 is exact, while two rounded adds would stay at 2048.
        const HostTensor one = tensor({1}, {1}, DataType::Float16);
        SAME(run1("AddN", {tensor({1}, {2048}, DataType::Float16), one, one}), {2050});
        SAME(run1("Add", {tensor({1}, {256}, DataType::BFloat16), tensor({1}, {1}, DataType::BFloat16)}), {256});
    }

    void mismatchedOperandsAreErrors()
    {
        QVERIFY(!runError("Add", {tensor({2}, {1, 2}), intTensor({2}, {1, 2})}).empty());
        QVERIFY(!runError("Add", {tensor({2}, {1, 2}), tensor({3}, {1, 2, 3})}).empty());
        QVERIFY(!runError("Sqrt", {intTensor({1}, {4})}).empty());
        QVERIFY(!runError("Add", {stringTensor({1}, {"a"}), stringTensor({1}, {"b"})}).empty());
    }

    void symbolsSurviveInference()
    {
        Shape x{unknownDim, 8};
        x.setSymbol(0, "batch");
        const auto out = infer("Add", {TensorDesc(DataType::Float, x), TensorDesc(DataType::Float, {8})});
        QVERIFY(out.ok());
        QCOMPARE(out.value()[0].shape, x);
        QCOMPARE(infer("Sqrt", {TensorDesc(DataType::Double, Shape::unknownRank())}).value()[0].shape,
                 Shape::unknownRank());
    }

    void unaryFunctions()
    {
        SAME(run1("Sqrt", {tensor({3}, {4, 0, -1})}), {2, 0, notANumber});
        SAME(run1("Rsqrt", {tensor({2}, {4, 0})}), {0.5, inf});
        SAME(run1("Reciprocal", {tensor({2}, {4, -0.0})}), {0.25, -inf});
        SAME(run1("Floor", {tensor({3}, {-1.5, 1.5, inf})}), {-2, 1, inf});
        SAME(run1("Ceil", {tensor({2}, {-1.5, 1.5})}), {-1, 2});
        SAME(run1("Round", {tensor({6}, {0.5, 1.5, 2.5, -0.5, -1.5, 0.9})}), {0, 2, 2, 0, -2, 1});
        SAME(run1("Sign", {tensor({4}, {-3, 0, 2, notANumber})}), {-1, 0, 1, notANumber});
        SAME(run1("Exp", {tensor({3}, {0, 1, -inf})}), {1, std::exp(1.0), 0});
        SAME(run1("Exp", {tensor({2}, {0, 1})},
                  {{"base", AttrValue(2.0)}, {"scale", AttrValue(3.0)}, {"shift", AttrValue(1.0)}}),
             {2, 16});
        SAME(run1("Log", {tensor({3}, {1, 0, -1})}), {0, -inf, notANumber});
        SAME(run1("Log", {tensor({2}, {100, 1000})}, {{"base", AttrValue(10.0)}}), {2, 3});
        SAME(run1("Erf", {tensor({3}, {0, 0.5, -inf}, DataType::Double)}), {0, 0.5204998778130465, -1});
        SAME(run1("Muls", {tensor({2}, {1, -2})}, {{"value", AttrValue(3.0)}}), {3, -6});
        SAME(run1("Axpy", {tensor({2}, {1, 2}), tensor({2}, {10, 20})}, {{"alpha", AttrValue(0.5)}}), {6, 12});
        QCOMPARE(ints(run1("Square", {intTensor({2}, {-3, 4}, DataType::Int32)})), (IntList{9, 16}));
    }

    void trigonometry_data()
    {
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        QTest::newRow("Sin") << 0.5 << 0.479425538604203;
        QTest::newRow("Cos") << 0.5 << 0.8775825618903728;
        QTest::newRow("Tan") << 0.5 << 0.5463024898437905;
        QTest::newRow("Asin") << 0.5 << 0.5235987755982989;
        QTest::newRow("Acos") << 0.5 << 1.0471975511965979;
        QTest::newRow("Atan") << 0.5 << 0.4636476090008061;
        QTest::newRow("Sinh") << 0.5 << 0.5210953054937474;
        QTest::newRow("Cosh") << 0.5 << 1.1276259652063807;
        QTest::newRow("Asinh") << 0.5 << 0.48121182505960347;
        QTest::newRow("Acosh") << 1.5 << 0.9624236501192069;
        QTest::newRow("Atanh") << 0.5 << 0.5493061443340549;
    }
    void trigonometry()
    {
        QFETCH(double, x);
        QFETCH(double, y);
        const std::string type = QTest::currentDataTag();
        QCOMPARE(difference(run1(type, {tensor({1}, {x}, DataType::Double)}), Numbers{y}, 1e-14, 0), std::string());
        QCOMPARE(difference(run1(type, {tensor({1}, {x})}), Numbers{y}, 2e-7, 0), std::string());
    }

    void castsBetweenNumbers()
    {
        const auto cast = [](const HostTensor& x, DataType type) {
            return run1("Cast", {x}, {{"dst_type", AttrValue(static_cast<int>(type))}});
        };
        QCOMPARE(ints(cast(tensor({5}, {1.9, -1.9, 3e9, -3e9, notANumber}), DataType::Int32)),
                 (IntList{1, -1, INT32_MAX, INT32_MIN, 0}));
        QCOMPARE(ints(cast(intTensor({2}, {300, -1}, DataType::Int32), DataType::UInt8)), (IntList{44, 255}));
        QCOMPARE(ints(cast(tensor({4}, {-1.5, 300, 200.9, notANumber}), DataType::UInt8)), (IntList{255, 44, 200, 0}));
        QCOMPARE(ints(cast(tensor({2}, {-1, 1.8e19}), DataType::UInt32)), (IntList{4294967295, 4294967295}));
        SAME(cast(tensor({5}, {5, -0.2, 100, notANumber, 1.25}), DataType::Float4E2M1), {4, -0.0, 6, 6, 1});
        QCOMPARE(ints(cast(tensor({4}, {0, -0.0, 0.1, notANumber}), DataType::Bool)), (IntList{0, 0, 1, 1}));
        SAME(cast(boolTensor({2}, {true, false}), DataType::Float16), {1, 0});
        SAME(cast(tensor({2}, {65520, 1e-8}), DataType::Float16), {inf, 0});
        // One rounding from fp64: through fp32 this would become a tie and round down to 1.
        SAME(cast(tensor({1}, {1 + 0x1p-11 + 0x1p-40}, DataType::Double), DataType::Float16), {1 + 0x1p-10});
        SAME(cast(tensor({4}, {449, -1000, inf, 0.001}), DataType::Float8E4M3FN), {448, -448, 448, 0.001953125});
        QCOMPARE(ints(cast(tensor({3}, {7.9, -8.5, 100}), DataType::Int4)), (IntList{7, -8, 7}));
        QCOMPARE(ints(cast(intTensor({2}, {9, -1}), DataType::Int4)), (IntList{-7, -1}));
        SAME(cast(intTensor({3}, {1, -2, 3}, DataType::Int4), DataType::Float), {1, -2, 3});
        QVERIFY(!runError("Cast", {tensor({1}, {1})}, {{"dst_type", AttrValue(77)}}).empty());
    }

    void float8WithoutSaturation()
    {
        const auto cast = [](double x, DataType type) {
            return values(run1("Cast", {tensor({1}, {x})},
                               {{"dst_type", AttrValue(static_cast<int>(type))}, {"saturate", AttrValue(false)}}))[0];
        };
        QCOMPARE(cast(464, DataType::Float8E4M3FN), 448.0); // the tie goes to the even code
        QVERIFY(std::isnan(cast(465, DataType::Float8E4M3FN)));
        QCOMPARE(cast(61440, DataType::Float8E5M2), inf);
        QCOMPARE(cast(61439, DataType::Float8E5M2), 57344.0);
        QVERIFY(std::isnan(cast(-inf, DataType::Float8E5M2FNUZ)));
    }

    void castsOfText()
    {
        const HostTensor text = run1("Cast", {tensor({4}, {0.5, notANumber, inf, 0.1})}, {{"dst_type", AttrValue(13)}});
        QCOMPARE(*text.strings, (std::vector<std::string>{"0.5", "NaN", "INF", "0.1"}));
        const HostTensor whole = run1("Cast", {intTensor({2}, {-5, INT64_MAX})}, {{"dst_type", AttrValue(13)}});
        QCOMPARE(*whole.strings, (std::vector<std::string>{"-5", "9223372036854775807"}));
        SAME(run1("Cast", {stringTensor({4}, {"1.25", "-inf", "nan", "1e3"})}, {{"dst_type", AttrValue(0)}}),
             {1.25, -inf, notANumber, 1000});
        QCOMPARE(ints(run1("Cast", {stringTensor({1}, {"9223372036854775807"})}, {{"dst_type", AttrValue(9)}})),
                 (IntList{INT64_MAX}));
        QVERIFY(!runError("Cast", {stringTensor({1}, {"seven"})}, {{"dst_type", AttrValue(0)}}).empty());
    }

    void clipping()
    {
        const HostTensor x = tensor({5}, {-3, -1, 0.5, 9, notANumber});
        SAME(run1("ClipByValue", {x, tensor({}, {-1}), tensor({}, {2})}), {-1, -1, 0.5, 2, notANumber});
        SAME(run1("ClipByValue", {x, tensor({}, {5}), tensor({}, {2})}),
             {2, 2, 2, 2, notANumber}); // the upper bound wins
        SAME(run1("ClipByValue", {tensor({2, 2}, {1, 2, 3, 4}), tensor({2}, {2, 3}), tensor({2, 1}, {9, 3})}),
             {2, 3, 3, 3});
        SAME(run1("ClipByValue", {tensor({2}, {-1, 9}, DataType::Float16), tensor({}, {0}), tensor({}, {6})}), {0, 6});
        QCOMPARE(ints(run1("ClipByValue", {intTensor({3}, {-5, 3, 100}, DataType::Int8),
                                           intTensor({}, {-2}, DataType::Int8), intTensor({}, {7}, DataType::Int8)})),
                 (IntList{-2, 3, 7}));
    }
};

QTEST_GUILESS_MAIN(TestArithmetic)
#include "tst_arithmetic.moc"
