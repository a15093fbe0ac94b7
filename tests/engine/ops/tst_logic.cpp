#include "tests/support/kernel_test.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace gelens;
using namespace gelens::test;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
const double notANumber = std::nan("");
} // namespace

class TestLogic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void comparisonsFollowIeee()
    {
        const HostTensor a = tensor({4}, {1, notANumber, 0, inf});
        const HostTensor b = tensor({4}, {2, notANumber, -0.0, inf});
        QCOMPARE(ints(run1("Equal", {a, b})), (IntList{0, 0, 1, 1}));
        QCOMPARE(ints(run1("NotEqual", {a, b})), (IntList{1, 1, 0, 0}));
        QCOMPARE(ints(run1("Less", {a, b})), (IntList{1, 0, 0, 0}));
        QCOMPARE(ints(run1("LessEqual", {a, b})), (IntList{1, 0, 1, 1}));
        QCOMPARE(ints(run1("Greater", {a, b})), (IntList{0, 0, 0, 0}));
        QCOMPARE(ints(run1("GreaterEqual", {a, b})), (IntList{0, 0, 1, 1}));
        QCOMPARE(
            ints(run1("Greater", {intTensor({1}, {200}, DataType::UInt8), intTensor({1}, {100}, DataType::UInt8)})),
            (IntList{1}));
        QCOMPARE(ints(run1("Equal", {intTensor({2, 1}, {1, 2}), intTensor({2}, {1, 2})})), (IntList{1, 0, 0, 1}));
    }

    void equalityOfTextAndBool()
    {
        QCOMPARE(ints(run1("Equal", {stringTensor({2, 1}, {"a", "b"}), stringTensor({2}, {"b", "a"})})),
                 (IntList{0, 1, 1, 0}));
        QCOMPARE(ints(run1("Equal", {boolTensor({2}, {true, false}), boolTensor({1}, {true})})), (IntList{1, 0}));
    }

    void logic()
    {
        const HostTensor a = boolTensor({4}, {false, false, true, true});
        const HostTensor b = boolTensor({4}, {false, true, false, true});
        QCOMPARE(ints(run1("LogicalAnd", {a, b})), (IntList{0, 0, 0, 1}));
        QCOMPARE(ints(run1("LogicalOr", {a, b})), (IntList{0, 1, 1, 1}));
        QCOMPARE(ints(run1("LogicalXor", {a, b})), (IntList{0, 1, 1, 0}));
        QCOMPARE(ints(run1("LogicalNot", {a})), (IntList{1, 1, 0, 0}));
        QVERIFY(!runError("LogicalAnd", {tensor({1}, {1}), tensor({1}, {1})}).empty());
    }

    /// A byte that is neither 0 nor 1 still means true.
    void boolBytesFromFilesAreNormalised()
    {
        HostTensor odd = boolTensor({2}, {true, false});
        odd.bytes = std::make_shared<std::vector<std::byte>>(std::vector<std::byte>{std::byte{0x40}, std::byte{0}});
        odd.external = {};
        QCOMPARE(ints(run1("LogicalNot", {odd})), (IntList{0, 1}));
        QCOMPARE(ints(run1("Equal", {odd, boolTensor({2}, {true, true})})), (IntList{1, 0}));
    }

    void bits()
    {
        const HostTensor a = intTensor({2}, {0b1100, -1}, DataType::Int8);
        const HostTensor b = intTensor({2}, {0b1010, 7}, DataType::Int8);
        QCOMPARE(ints(run1("BitwiseAnd", {a, b})), (IntList{0b1000, 7}));
        QCOMPARE(ints(run1("BitwiseOr", {a, b})), (IntList{0b1110, -1}));
        QCOMPARE(ints(run1("BitwiseXor", {a, b})), (IntList{0b0110, -8}));
        QCOMPARE(ints(run1("Invert", {intTensor({2}, {0, 255}, DataType::UInt8)})), (IntList{255, 0}));
        const HostTensor x = intTensor({4}, {1, 255, 16, 3}, DataType::UInt8);
        const HostTensor n = intTensor({4}, {7, 1, 8, 200}, DataType::UInt8);
        QCOMPARE(ints(run1("LeftShift", {x, n})), (IntList{128, 254, 0, 0}));
        QCOMPARE(ints(run1("RightShift", {x, n})), (IntList{0, 127, 0, 0}));
        QCOMPARE(ints(run1("RightShift", {intTensor({2}, {-8, -8}), intTensor({2}, {1, 64})})), (IntList{-4, -1}));
    }

    void classification()
    {
        const HostTensor x = tensor({4}, {1, notANumber, inf, -inf});
        QCOMPARE(ints(run1("IsNan", {x})), (IntList{0, 1, 0, 0}));
        QCOMPARE(ints(run1("IsInf", {x})), (IntList{0, 0, 1, 1}));
        QCOMPARE(ints(run1("IsInf", {x}, {{"detect_positive", AttrValue(false)}})), (IntList{0, 0, 0, 1}));
        QCOMPARE(ints(run1("IsFinite", {x})), (IntList{1, 0, 0, 0}));
        QCOMPARE(ints(run1("IsNan", {tensor({2}, {notANumber, 1}, DataType::Float8E5M2)})), (IntList{1, 0}));
        QCOMPARE(ints(run1("IsInf", {tensor({2}, {-inf, 1}, DataType::Float16)})), (IntList{1, 0}));
    }

    void selection()
    {
        const HostTensor condition = boolTensor({2, 1}, {true, false});
        QCOMPARE(values(run1("SelectV2", {condition, tensor({2}, {1, 2}), tensor({}, {9})})),
                 (std::vector<double>{1, 2, 9, 9}));
        QCOMPARE(*run1("SelectV2", {condition, stringTensor({1}, {"yes"}), stringTensor({1}, {"no"})}).strings,
                 (std::vector<std::string>{"yes", "no"}));
        QCOMPARE(ints(run1("Select", {boolTensor({3}, {true, false, true}), intTensor({3}, {1, 2, 3}, DataType::Int4),
                                      intTensor({3}, {-1, -2, -3}, DataType::Int4)})),
                 (IntList{1, -2, 3}));
        QVERIFY(!runError("SelectV2", {condition, tensor({1}, {1}), intTensor({1}, {1})}).empty());
        QVERIFY(!runError("SelectV2", {tensor({1}, {1}), tensor({1}, {1}), tensor({1}, {1})}).empty());
        QCOMPARE(run1("SelectV2", {boolTensor({0}, {}), tensor({1}, {1}), tensor({1}, {2})}).shape, (Shape{0}));
    }

    void comparisonInference()
    {
        Shape x{unknownDim, 4};
        x.setSymbol(0, "n");
        const auto out = infer("Less", {TensorDesc(DataType::Float, x), TensorDesc(DataType::Float, {1})});
        QCOMPARE(out.value()[0].dtype, DataType::Bool);
        QCOMPARE(out.value()[0].shape, x);
        const auto choice = infer("SelectV2", {TensorDesc(DataType::Bool, {1}), TensorDesc(DataType::Int64, x),
                                               TensorDesc(DataType::Int64, Shape{})});
        QCOMPARE(choice.value()[0].dtype, DataType::Int64);
        QCOMPARE(choice.value()[0].shape, x);
    }
};

QTEST_GUILESS_MAIN(TestLogic)
#include "tst_logic.moc"
