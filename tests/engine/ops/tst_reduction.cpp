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

HostTensor axes(std::vector<std::int64_t> list)
{
    const Shape shape{static_cast<std::int64_t>(list.size())};
    return intTensor(shape, std::move(list));
}

const AttrMap keep{{"keep_dims", AttrValue(true)}};
} // namespace

#define SAME(actual, ...) QCOMPARE(QString::fromStdString(difference(actual, Numbers __VA_ARGS__)), QString())

class TestReduction : public QObject {
    Q_OBJECT

    HostTensor m_cube = tensor({2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});

private Q_SLOTS:
    void overEachAxis()
    {
        SAME(run1("ReduceSum", {m_cube, axes({0})}), {8, 10, 12, 14, 16, 18});
        SAME(run1("ReduceSum", {m_cube, axes({1})}), {9, 12, 27, 30});
        SAME(run1("ReduceSum", {m_cube, axes({-1})}), {3, 7, 11, 15, 19, 23});
        SAME(run1("ReduceSum", {m_cube, axes({0, 2})}), {18, 26, 34});
        SAME(run1("ReduceSum", {m_cube, axes({2, 0, 1})}), {78});
        const HostTensor kept = run1("ReduceSum", {m_cube, axes({1})}, keep);
        QCOMPARE(kept.shape, (Shape{2, 1, 2}));
        SAME(run1("ReduceMean", {m_cube, axes({0, 1, 2})}), {6.5});
        SAME(run1("ReduceProd", {m_cube, axes({1})}), {15, 48, 693, 960});
        SAME(run1("ReduceMax", {m_cube, axes({0})}), {7, 8, 9, 10, 11, 12});
        SAME(run1("ReduceMin", {m_cube, axes({1, 2})}), {1, 7});
        SAME(run1("ReduceMeanD", {m_cube}, {{"axes", AttrValue(IntList{0})}}), {4, 5, 6, 7, 8, 9});
    }

    void emptyAxesMeanNoneOrAll()
    {
        SAME(run1("ReduceSum", {tensor({2}, {1, 2}), axes({})}, {{"noop_with_empty_axes", AttrValue(true)}}), {1, 2});
        const HostTensor all =
            run1("ReduceSum", {tensor({2}, {1, 2}), axes({})}, {{"noop_with_empty_axes", AttrValue(false)}});
        QCOMPARE(all.shape, Shape{});
        SAME(all, {3});
        SAME(run1("ReduceMax", {tensor({2, 1}, {1, 2}), absent()}, {{"noop_with_empty_axes", AttrValue(false)}}), {2});
    }

    /// Rows of every length around the unrolled loop, summed as numbers are counted.
    void rowsOfEveryLength()
    {
        for (std::int64_t n = 1; n < 40; ++n) {
            std::vector<double> row;
            for (std::int64_t i = 1; i <= n; ++i) row.push_back(static_cast<double>(i));
            SAME(run1("ReduceSum", {tensor({n}, row), axes({0})}), {static_cast<double>(n * (n + 1) / 2)});
            SAME(run1("ReduceMax", {tensor({n}, row), axes({0})}), {static_cast<double>(n)});
        }
    }

    void overNothing()
    {
        const HostTensor none = tensor({2, 0}, {});
        SAME(run1("ReduceSum", {none, axes({1})}), {0, 0});
        SAME(run1("ReduceProd", {none, axes({1})}), {1, 1});
        SAME(run1("ReduceMax", {none, axes({1})}), {-inf, -inf});
        SAME(run1("ReduceMin", {none, axes({1})}), {inf, inf});
        SAME(run1("ReduceMean", {none, axes({1})}), {notANumber, notANumber});
        SAME(run1("ReduceLogSumExp", {none, axes({1})}), {-inf, -inf});
        QCOMPARE(ints(run1("ReduceMax", {intTensor({0}, {}, DataType::Int8), axes({0})})), (IntList{-128}));
        QCOMPARE(run1("ReduceSum", {none, axes({0})}).shape, (Shape{0}));
    }

    void integersAndNaN()
    {
        QCOMPARE(ints(run1("ReduceMean", {intTensor({3}, {-5, -1, -1}, DataType::Int32), axes({0})})), (IntList{-2}));
        QCOMPARE(ints(run1("ReduceSum", {intTensor({2}, {100, 100}, DataType::Int8), axes({0})})), (IntList{-56}));
        QCOMPARE(ints(run1("ReduceSum", {intTensor({2}, {INT64_MAX, 1}), axes({0})})), (IntList{INT64_MIN}));
        SAME(run1("ReduceMax", {tensor({3}, {1, notANumber, 3}), axes({0})}), {notANumber});
        SAME(run1("ReduceMin", {tensor({3}, {1, -inf, 3}), axes({0})}), {-inf});
    }

    void halvesAreSummedWide()
    {
        // 4096 ones after a 2048: a running half would stick at 2048.
        std::vector<double> ones(4097, 1.0);
        ones[0] = 2048;
        SAME(run1("ReduceSum", {tensor({4097}, ones, DataType::Float16), axes({0})}), {6144});
    }

    void boolReductions()
    {
        const HostTensor x = boolTensor({2, 2}, {true, false, true, true});
        QCOMPARE(ints(run1("ReduceMax", {x, axes({1})})), (IntList{1, 1}));
        QCOMPARE(ints(run1("ReduceMin", {x, axes({1})})), (IntList{0, 1}));
        QCOMPARE(ints(run1("ReduceAll", {x, axes({0})})), (IntList{1, 0}));
        QCOMPARE(ints(run1("ReduceAny", {x, axes({0})})), (IntList{1, 1}));
    }

    void logarithmsAndNorms()
    {
        SAME(run1("ReduceLogSum", {tensor({2}, {2, 4}), axes({0})}), {1.791759469228055});
        SAME(run1("ReduceLogSumExp", {tensor({2}, {1000, 1000}), axes({0})}), {1000.6931471805599});
        SAME(run1("ReduceLogSumExp", {tensor({2, 2}, {0, -inf, inf, 0}), axes({1})}), {0, inf});
        SAME(run1("ReduceLogSumExp", {tensor({2}, {notANumber, 0}), axes({0})}), {notANumber});
        SAME(run1("LpNormV2", {tensor({2, 2}, {3, -4, 0, 0})}, {{"axes", AttrValue(IntList{1})}}), {5, 0});
        SAME(run1("LpNorm", {tensor({2, 2}, {3, -4, 0, 1})},
                  {{"p", AttrValue(1)}, {"axes", AttrValue(IntList{1})}, {"keepdim", AttrValue(true)}}),
             {7, 1});
        SAME(run1("LpNormV2", {tensor({2}, {3, -4})}), {5}); // no axes: all
        SAME(run1("SquareSumV1", {tensor({2, 2}, {1, 2, 3, 4})},
                  {{"axis", AttrValue(IntList{0})}, {"keep_dims", AttrValue(false)}}),
             {10, 20});
        QVERIFY(!runError("LpNormV2", {tensor({1}, {1})}, {{"p", AttrValue(3.0)}}).empty());
    }

    void inference()
    {
        Shape x{unknownDim, 3, unknownDim};
        x.setSymbol(0, "batch");
        const TensorDesc desc(DataType::Float, x);
        const TensorDesc list(DataType::Int64, {1});
        const auto known = infer("ReduceSum", {desc, list}, keep, 1, {{1, axes({2})}});
        Shape expected{unknownDim, 3, 1};
        expected.setSymbol(0, "batch");
        QCOMPARE(known.value()[0].shape, expected);
        QCOMPARE(infer("ReduceSum", {desc, list}, {}, 1).value()[0].shape, (Shape{unknownDim, unknownDim}));
        QCOMPARE(infer("ReduceSum", {desc, list}, keep, 1).value()[0].shape,
                 (Shape{unknownDim, unknownDim, unknownDim}));
        QVERIFY(!infer("ReduceSum", {desc, list}, keep, 1, {{1, axes({3})}}).ok());
    }

    void positionsOfExtremes()
    {
        const HostTensor x = tensor({2, 3}, {1, 5, 5, 7, 0, 7});
        const HostTensor last = intTensor({}, {1});
        QCOMPARE(ints(run1("ArgMaxV2", {x, last})), (IntList{1, 0}));
        QCOMPARE(ints(run1("ArgMaxV2", {x, last}, {{"select_last_index", AttrValue(true)}})), (IntList{2, 2}));
        QCOMPARE(ints(run1("ArgMin", {x, last})), (IntList{0, 1}));
        QCOMPARE(ints(run1("ArgMaxV2", {x, intTensor({}, {-2})})), (IntList{1, 0, 1}));
        QCOMPARE(ints(run1("ArgMaxV2", {tensor({3}, {1, notANumber, 9}), intTensor({}, {0})})), (IntList{1}));
        const HostTensor narrow = run1("ArgMaxV2", {x, last}, {{"dtype", AttrValue(DataType::Int32)}});
        QCOMPARE(narrow.dtype, DataType::Int32);
        QVERIFY(!runError("ArgMaxV2", {tensor({2, 0}, {}), last}).empty());
    }

    void runningSums()
    {
        const HostTensor x = tensor({2, 3}, {1, 2, 3, 4, 5, 6});
        const HostTensor axis = intTensor({}, {1});
        SAME(run1("Cumsum", {x, axis}), {1, 3, 6, 4, 9, 15});
        SAME(run1("Cumsum", {x, intTensor({}, {0})}), {1, 2, 3, 5, 7, 9});
        SAME(run1("Cumsum", {x, axis}, {{"exclusive", AttrValue(true)}}), {0, 1, 3, 0, 4, 9});
        SAME(run1("Cumsum", {x, axis}, {{"reverse", AttrValue(true)}}), {6, 5, 3, 15, 11, 6});
        SAME(run1("Cumsum", {x, axis}, {{"exclusive", AttrValue(true)}, {"reverse", AttrValue(true)}}),
             {5, 3, 0, 11, 6, 0});
        SAME(run1("Cumprod", {x, axis}), {1, 2, 6, 4, 20, 120});
    }

    void losses()
    {
        // Log-probabilities of 2 samples and 3 classes.
        const HostTensor x = tensor({2, 3}, {-1, -2, -3, -4, -5, -6});
        const HostTensor target = intTensor({2}, {0, 2});
        SAME(run1("NLLLoss", {x, target}), {3.5});
        SAME(run1("NLLLoss", {x, target}, {{"reduction", AttrValue("none")}}), {1, 6});
        SAME(run1("NLLLoss", {x, target, tensor({3}, {3, 1, 1})}), {9.0 / 4});
        SAME(run1("NLLLoss", {x, target}, {{"ignore_index", AttrValue(0)}}), {6});
        QVERIFY(!runError("NLLLoss", {x, intTensor({2}, {0, 3})}).empty());
        const auto both = run("SoftmaxCrossEntropyLoss", {tensor({1, 2}, {0, 0}), intTensor({1}, {1})}, {}, 2);
        QVERIFY(both.ok());
        SAME(both.value()[0], {0.6931471805599453});
        SAME(both.value()[1], {-0.6931471805599453, -0.6931471805599453});
    }
};

QTEST_GUILESS_MAIN(TestReduction)
#include "tst_reduction.moc"
