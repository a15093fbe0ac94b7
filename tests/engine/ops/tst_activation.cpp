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

class TestActivation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rectifiers()
    {
        const HostTensor x = tensor({5}, {-2, -0.0, 0.5, 9, notANumber});
        SAME(run1("Relu", {x}), {0, 0, 0.5, 9, notANumber});
        SAME(run1("Relu6", {x}), {0, 0, 0.5, 6, notANumber});
        SAME(run1("LeakyRelu", {x}, {{"negative_slope", AttrValue(0.25)}}), {-0.5, 0, 0.5, 9, notANumber});
        SAME(run1("ThresholdedRelu", {tensor({3}, {0.5, 2, 3})}, {{"alpha", AttrValue(2.0)}}), {0, 0, 3});
        SAME(run1("Shrink", {tensor({4}, {-2, -1, 1, 2})}, {{"lambd", AttrValue(1.5)}, {"bias", AttrValue(1.5)}}),
             {-0.5, 0, 0, 0.5});
        SAME(run1("HardShrink", {tensor({3}, {-2, 0.5, 0.75})}), {-2, 0, 0.75});
        SAME(run1("SoftShrink", {tensor({3}, {-2, 0.25, 0.75})}), {-1.5, 0, 0.25});
        QCOMPARE(ints(run1("Relu", {intTensor({3}, {-5, 0, 7}, DataType::Int32)})), (IntList{0, 0, 7}));
    }

    void exponentialUnits()
    {
        const double e = std::exp(-1.0) - 1; // -0.632…
        SAME(run1("Elu", {tensor({2}, {-1, 2})}, {{"alpha", AttrValue(2.0)}}), {2 * e, 2});
        SAME(run1("Elu", {tensor({2}, {-1, 2})}, {{"alpha", AttrValue(2.0)}, {"scale", AttrValue(3.0)}}), {6 * e, 6});
        SAME(run1("Selu", {tensor({2}, {-1, 2})}),
             {1.0507009873554805 * 1.6732632423543772 * e, 2 * 1.0507009873554805});
        SAME(run1("CeluV2", {tensor({2}, {-2, 3})}, {{"alpha", AttrValue(2.0)}}), {2 * e, 3});
        SAME(run1("Celu", {tensor({2}, {-2, 3})}, {{"alpha1", AttrValue(2.0)}, {"alpha2", AttrValue(2.0)}}),
             {2 * e, 3});
    }

    void smoothOnes()
    {
        SAME(run1("Sigmoid", {tensor({4}, {0, 100, -100, 1})}), {0.5, 1, 0, 0.7310585786300049});
        SAME(run1("Tanh", {tensor({2}, {0.5, inf})}), {0.46211715726000975, 1});
        SAME(run1("Softplus", {tensor({3}, {0, 1000, -1000})}), {0.6931471805599453, 1000, 0});
        SAME(run1("Softsign", {tensor({2}, {-3, 1})}), {-0.75, 0.5});
        SAME(run1("LogSigmoid", {tensor({2}, {0, -1000})}), {-0.6931471805599453, -1000});
        SAME(run1("Mish", {tensor({2}, {1, 0})}), {0.8650983882673103, 0});
        SAME(run1("Swish", {tensor({2}, {1, 2})}, {{"scale", AttrValue(2.0)}}),
             {0.8807970779778823, 1.9640275800758169});
        SAME(run1("HardSwish", {tensor({4}, {-4, 0, 1, 5})}), {0, 0, 0.6666666666666666, 5});
        SAME(run1("HardSigmoid", {tensor({3}, {-9, 1, 9})}, {{"alpha", AttrValue(0.25)}}), {0, 0.75, 1});
        SAME(run1("GeluV2", {tensor({2}, {1, -1})}), {0.8413447460685429, -0.15865525393145707});
        SAME(run1("GeluV2", {tensor({1}, {1})}, {{"approximate", AttrValue("tanh")}}), {0.8411919906082768});
        SAME(run1("Gelu", {tensor({1}, {1})}), {0.8411919906082768});
        SAME(run1("FastGelu", {tensor({1}, {1})}), {0.8457957659328212});
    }

    void halfRoundsOnStore()
    {
        // 1/3 in halves is 0.333251953125.
        SAME(run1("Softsign", {tensor({1}, {0.5}, DataType::Float16)}), {0.333251953125});
        SAME(run1("Softsign", {tensor({1}, {0.5}, DataType::BFloat16)}), {0.333984375});
        SAME(run1("Softplus", {tensor({1}, {0}, DataType::Double)}), {0.6931471805599453});
        QVERIFY(!runError("Sigmoid", {intTensor({1}, {1})}).empty());
    }

    void preluAlignsAChannelWeight()
    {
        const HostTensor x = tensor({1, 2, 2}, {-1, -2, -3, 4});
        SAME(run1("PRelu", {x, tensor({2}, {2, 10})}), {-2, -4, -30, 4});    // by channel
        SAME(run1("PRelu", {x, tensor({1, 2}, {2, 10})}), {-2, -20, -6, 4}); // by the last dim
        SAME(run1("PRelu", {x, tensor({1}, {3})}), {-3, -6, -9, 4});
        SAME(run1("PRelu", {x, tensor({2, 1}, {2, 10})}), {-2, -4, -30, 4});
        QVERIFY(!runError("PRelu", {x, tensor({3}, {1, 2, 3})}).empty());
    }

    void softmaxOverAnyAxis()
    {
        const double a = 1 / (1 + std::exp(1.0)), b = 1 - a; // of (0, 1)
        SAME(run1("SoftmaxV2", {tensor({2, 2}, {0, 1, 5, 6})}), {a, b, a, b});
        SAME(run1("SoftmaxV2", {tensor({2, 2}, {0, 5, 1, 6})}, {{"axes", AttrValue(IntList{0})}}), {a, a, b, b});
        SAME(run1("SoftmaxV2", {tensor({2, 2}, {1, 1, 1, 1})}, {{"axes", AttrValue(IntList{0, 1})}}),
             {0.25, 0.25, 0.25, 0.25});
        SAME(run1("LogSoftmaxV2", {tensor({2}, {0, 1})}), {std::log(a), std::log(b)});
        SAME(run1("SoftmaxV2", {tensor({3}, {1e4, 1e4, -inf})}), {0.5, 0.5, 0});
        SAME(run1("SoftmaxV2", {tensor({2}, {notANumber, 1})}), {notANumber, notANumber});
        SAME(run1("LogSoftmaxV2", {tensor({2}, {1e4, 0})}), {0, -1e4});
        QCOMPARE(run1("SoftmaxV2", {tensor({2, 0}, {})}).shape, (Shape{2, 0}));
        SAME(run1("SoftmaxV2", {tensor({}, {3})}), {1});
        QVERIFY(!runError("SoftmaxV2", {tensor({2}, {1, 2})}, {{"axes", AttrValue(IntList{1})}}).empty());
    }

    void softmaxOfHalves()
    {
        const HostTensor x = tensor({2}, {0, 1}, DataType::Float16);
        const double b = 1 / (1 + std::exp(-1.0));
        QCOMPARE(difference(run1("SoftmaxV2", {x}), Numbers{1 - b, b}, 5e-4), std::string());
        const HostTensor wide = run1("SoftmaxV2", {x}, {{"half_to_float", AttrValue(true)}});
        QCOMPARE(wide.dtype, DataType::Float);
        SAME(wide, {1 - b, b});
    }

    void hardMaxTakesTheFirst()
    {
        SAME(run1("HardMax", {tensor({2, 3}, {3, 1, 3, 1, 2, 0})}), {1, 0, 0, 0, 1, 0});
        SAME(run1("HardMax", {tensor({2, 2}, {1, 5, 2, 4})}, {{"axis", AttrValue(0)}}), {0, 1, 1, 0});
    }

    void shapesCarryOver()
    {
        Shape x{unknownDim, unknownDim, 4};
        x.setSymbol(0, "batch");
        const auto out = infer("SoftmaxV2", {TensorDesc(DataType::Float16, x)});
        QCOMPARE(out.value()[0].shape, x);
        QVERIFY(infer("PRelu", {TensorDesc(DataType::Float, x), TensorDesc(DataType::Float, {7})}).ok());
        QVERIFY(!infer("PRelu", {TensorDesc(DataType::Float, {1, 2, 4}), TensorDesc(DataType::Float, {7})}).ok());
    }
};

QTEST_GUILESS_MAIN(TestActivation)
#include "tst_activation.moc"
