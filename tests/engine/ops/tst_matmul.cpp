#include "tests/support/kernel_test.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace gelens;
using namespace gelens::test;

namespace {

std::vector<double> randomValues(std::size_t count, unsigned seed, double scale = 1)
{
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> draw(-scale, scale);
    std::vector<double> result(count);
    for (double& value : result) value = static_cast<float>(draw(generator));
    return result;
}

/// Plain product of the last two axes, one matrix.
std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, int m, int k, int n)
{
    std::vector<double> y(static_cast<std::size_t>(m * n), 0.0);
    for (int i = 0; i < m; ++i)
        for (int p = 0; p < k; ++p)
            for (int j = 0; j < n; ++j)
                y[static_cast<std::size_t>(i * n + j)] +=
                    a[static_cast<std::size_t>(i * k + p)] * b[static_cast<std::size_t>(p * n + j)];
    return y;
}

std::vector<double> transposed(const std::vector<double>& a, int rows, int columns)
{
    std::vector<double> t(a.size());
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            t[static_cast<std::size_t>(j * rows + i)] = a[static_cast<std::size_t>(i * columns + j)];
    return t;
}

} // namespace

#define AGREES(actual, ...)                                                                                            \
    do {                                                                                                               \
        const std::string text = difference(actual, __VA_ARGS__);                                                      \
        QVERIFY2(text.empty(), text.c_str());                                                                          \
    } while (false)

class TestMatMul : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void transposes()
    {
        const auto a = randomValues(5 * 7, 1), b = randomValues(7 * 3, 2);
        const auto expected = product(a, b, 5, 7, 3);
        const auto ta = transposed(a, 5, 7), tb = transposed(b, 7, 3);
        AGREES(run1("MatMulV2", {tensor({5, 7}, a), tensor({7, 3}, b)}), expected, 1e-5, 1e-6);
        AGREES(run1("MatMulV2", {tensor({7, 5}, ta), tensor({7, 3}, b)}, {{"transpose_x1", true}}), expected, 1e-5,
               1e-6);
        AGREES(run1("MatMulV3", {tensor({5, 7}, a), tensor({3, 7}, tb)}, {{"transpose_x2", true}}), expected, 1e-5,
               1e-6);
        AGREES(run1("BatchMatMulV2", {tensor({7, 5}, ta), tensor({3, 7}, tb)}, {{"adj_x1", true}, {"adj_x2", true}}),
               expected, 1e-5, 1e-6);
    }

    void batchesBroadcast()
    {
        const auto a = randomValues(2 * 1 * 2 * 3, 3), b = randomValues(4 * 3 * 2, 4);
        const HostTensor y = run1("BatchMatMulV2", {tensor({2, 1, 2, 3}, a), tensor({4, 3, 2}, b)});
        QCOMPARE(y.shape, (Shape{2, 4, 2, 2}));
        std::vector<double> expected;
        for (int i = 0; i < 2; ++i) {
            for (int j = 0; j < 4; ++j) {
                const auto one = product({a.begin() + i * 6, a.begin() + i * 6 + 6},
                                         {b.begin() + j * 6, b.begin() + j * 6 + 6}, 2, 3, 2);
                expected.insert(expected.end(), one.begin(), one.end());
            }
        }
        AGREES(y, expected, 1e-5, 1e-6);
    }

    void vectors()
    {
        const HostTensor v = tensor({3}, {1, 2, 3}), m = tensor({3, 2}, {1, 2, 3, 4, 5, 6});
        const HostTensor vm = run1("BatchMatMulV2", {v, m});
        QCOMPARE(vm.shape, (Shape{2}));
        AGREES(vm, {22, 28});
        const HostTensor vv = run1("BatchMatMulV2", {v, v});
        QCOMPARE(vv.shape, Shape{});
        AGREES(vv, {14});
        QCOMPARE(run1("BatchMatMulV2", {tensor({2, 4, 3}, randomValues(24, 5)), v}).shape, (Shape{2, 4}));
    }

    void bias()
    {
        const HostTensor x = tensor({2, 2}, {1, 0, 0, 1}), w = tensor({2, 3}, {1, 2, 3, 4, 5, 6});
        AGREES(run1("MatMulV2", {x, w, tensor({3}, {10, 20, 30})}), {11, 22, 33, 14, 25, 36});
        AGREES(run1("BatchMatMulV2", {x, w, tensor({2, 1}, {100, 200})}), {101, 102, 103, 204, 205, 206});
        QVERIFY(!runError("MatMulV2", {x, w, tensor({2}, {1, 2})}).empty());
    }

    void halfAccumulatesInFloat()
    {
        // 4096 ones: fp16 sums would stop at 2048; the cube's fp32 accumulator does not.
        const std::vector<double> ones(4096, 1.0);
        const HostTensor y =
            run1("MatMulV2", {tensor({1, 4096}, ones, DataType::Float16), tensor({4096, 1}, ones, DataType::Float16)});
        QCOMPARE(y.dtype, DataType::Float16);
        AGREES(y, {4096}, 0, 0);
        // The result is rounded to the type: 2049 is not a half.
        const std::vector<double> less(2049, 1.0);
        AGREES(
            run1("MatMulV2", {tensor({1, 2049}, less, DataType::Float16), tensor({2049, 1}, less, DataType::Float16)}),
            {2048}, 0, 0);
        AGREES(run1("MatMulV2",
                    {tensor({1, 2}, {256, 1}, DataType::BFloat16), tensor({2, 1}, {1, 1}, DataType::BFloat16)}),
               {256}, 0, 0);
    }

    void integers()
    {
        const HostTensor a = intTensor({1, 2}, {100, -128}, DataType::Int8),
                         b = intTensor({2, 1}, {127, 127}, DataType::Int8);
        const HostTensor y = run1("MatMulV2", {a, b});
        QCOMPARE(y.dtype, DataType::Int32);
        QCOMPARE(ints(y), (std::vector<std::int64_t>{100 * 127 - 128 * 127}));
        const std::int64_t large = (std::int64_t{1} << 53) + 1;
        QCOMPARE(ints(run1("MatMulV2", {intTensor({1, 1}, {large}), intTensor({1, 1}, {3})})),
                 (std::vector<std::int64_t>{large * 3}));
        QCOMPARE(ints(run1("MatMulV2",
                           {intTensor({1, 1}, {1 << 30}, DataType::Int32), intTensor({1, 1}, {4}, DataType::Int32)})),
                 (std::vector<std::int64_t>{0}));
    }

    void doubles()
    {
        const double tiny = 1e-12;
        AGREES(
            run1("MatMulV2", {tensor({1, 2}, {1, tiny}, DataType::Double), tensor({2, 1}, {1, 1}, DataType::Double)}),
            {1 + tiny}, 1e-15, 0);
    }

    void emptyInnerAxisGivesZeros()
    {
        AGREES(run1("BatchMatMulV2", {tensor({2, 0}, {}), tensor({0, 2}, {})}), {0, 0, 0, 0});
        QCOMPARE(run1("BatchMatMulV2", {tensor({0, 3}, {}), tensor({3, 2}, randomValues(6, 1))}).shape, (Shape{0, 2}));
    }

    void mismatchIsOneError()
    {
        const std::string text =
            runError("MatMulV2", {tensor({2, 3}, randomValues(6, 1)), tensor({4, 2}, randomValues(8, 1))});
        QVERIFY2(text.find("[2, 3]") != std::string::npos && text.find("[4, 2]") != std::string::npos, text.c_str());
        QVERIFY(!runError("BatchMatMulV2", {tensor({}, {1}), tensor({1, 1}, {1})}).empty());
        QVERIFY(!runError("BatchMatMulV2", {tensor({2, 1, 1}, {1, 1}), tensor({3, 1, 1}, {1, 1, 1})}).empty());
        QVERIFY(!runError("MatMulV2", {tensor({1, 1}, {1}), tensor({1, 1}, {1}, DataType::Float16)}).empty());
    }

    void symbolsSurvive()
    {
        Shape x{-1, 8, 64};
        x.setSymbol(0, "batch");
        const auto y =
            infer("BatchMatMulV2", {TensorDesc(DataType::Float16, x), TensorDesc(DataType::Float16, Shape{64, 32})});
        QVERIFY(y.ok());
        QCOMPARE(y->front().shape.dims(), (std::vector<std::int64_t>{-1, 8, 32}));
        QCOMPARE(std::string(y->front().shape.symbol(0)), std::string("batch"));
        QVERIFY(!infer("BatchMatMulV2",
                       {TensorDesc(DataType::Float, Shape::unknownRank()), TensorDesc(DataType::Float, Shape{2, 2})})
                     ->front()
                     .shape.hasRank());
    }

    void gemm()
    {
        const auto a = randomValues(6, 1), b = randomValues(6, 2), c = randomValues(2, 3);
        auto expected = product(a, b, 2, 3, 2);
        for (std::size_t i = 0; i < 4; ++i) expected[i] = 0.5 * expected[i] + 2 * c[i % 2];
        AGREES(
            run1("GEMM", {tensor({2, 3}, a), tensor({3, 2}, b), tensor({2}, c), tensor({1}, {0.5}), tensor({1}, {2})}),
            expected, 1e-5, 1e-6);
    }

    void fullyConnection()
    {
        const auto x = randomValues(2 * 3 * 4, 1), w = randomValues(5 * 12, 2);
        const HostTensor y =
            run1("FullyConnection", {tensor({2, 3, 2, 2}, x), tensor({5, 3, 2, 2}, w)}, {{"num_output", 5}});
        QCOMPARE(y.shape, (Shape{2, 5}));
        AGREES(y, product(x, transposed(w, 5, 12), 2, 12, 5), 1e-5, 1e-6);
    }

    void einsum_data()
    {
        QTest::addColumn<QString>("equation");
        QTest::newRow("product") << QStringLiteral("ij,jk->ik");
        QTest::newRow("implicit") << QStringLiteral("ij, jk");
    }
    void einsum()
    {
        QFETCH(QString, equation);
        const auto a = randomValues(6, 1), b = randomValues(12, 2);
        AGREES(run1("Einsum", {tensor({2, 3}, a), tensor({3, 4}, b)}, {{"equation", equation.toStdString()}}),
               product(a, b, 2, 3, 4), 1e-5, 1e-6);
    }
    void einsumForms()
    {
        const HostTensor m = tensor({2, 2}, {1, 2, 3, 4});
        AGREES(run1("Einsum", {m}, {{"equation", "ii->i"}}), {1, 4});
        AGREES(run1("Einsum", {m}, {{"equation", "ii"}}), {5});
        AGREES(run1("Einsum", {m}, {{"equation", "ij->ji"}}), {1, 3, 2, 4});
        AGREES(run1("Einsum", {m}, {{"equation", "...j->..."}}), {3, 7});
        AGREES(run1("Einsum", {m, m}, {{"equation", "ij,ij->"}}), {30});
        AGREES(run1("Einsum", {tensor({2}, {1, 2}), tensor({3}, {1, 10, 100})}, {{"equation", "i,j->ij"}}),
               {1, 10, 100, 2, 20, 200});
        const auto a = randomValues(2 * 3 * 4, 7), b = randomValues(2 * 5 * 4, 8);
        const HostTensor y =
            run1("Einsum", {tensor({2, 3, 4}, a), tensor({2, 5, 4}, b)}, {{"equation", "bqd,bkd->bqk"}});
        for (int i = 0; i < 2; ++i) {
            const auto one = product({a.begin() + i * 12, a.begin() + i * 12 + 12},
                                     transposed({b.begin() + i * 20, b.begin() + i * 20 + 20}, 5, 4), 3, 4, 5);
            const auto all = values(y);
            AGREES(std::vector<double>(all.begin() + i * 15, all.begin() + i * 15 + 15), one, 1e-5, 1e-6);
        }
        QVERIFY(!runError("Einsum", {m}, {{"equation", "i->i"}}).empty());
        QVERIFY(!runError("Einsum", {m, m}, {{"equation", "ij->ij"}}).empty());
        QVERIFY(!runError("Einsum", {m}, {{"equation", "i1->i"}}).empty());
        QVERIFY(!runError("Einsum", {m}, {{"equation", "ij->k"}}).empty());
    }

    void determinantAndInverse()
    {
        const HostTensor m = tensor({2, 2, 2}, {1, 2, 3, 4, 2, 0, 0, 4});
        AGREES(run1("MatrixDeterminant", {m}), {-2, 8}, 1e-6);
        AGREES(run1("MatrixInverse", {m}), {-2, 1, 1.5, -0.5, 0.5, 0, 0, 0.25}, 1e-6);
        QVERIFY(!runError("MatrixDeterminant", {tensor({2, 3}, randomValues(6, 1))}).empty());
    }

    void costCountsTheProduct()
    {
        const OpDef* const def = OpRegistry::instance().find("MatMulV2");
        QVERIFY(def && def->unitOf() == Unit::Cube);
        Node node;
        node.type = "MatMulV2";
        node.inputs = {{TensorDesc(DataType::Float16, Shape{332, 4096}), {}, "x1"},
                       {TensorDesc(DataType::Float16, Shape{4096, 12288}), {}, "x2"}};
        const Cost cost = def->costFunction()(node, Graph("g"));
        QCOMPARE(cost.m, 332);
        QCOMPARE(cost.k, 4096);
        QCOMPARE(cost.n, 12288);
        QCOMPARE(cost.cubeMacs, 332.0 * 4096 * 12288);
    }
};

QTEST_GUILESS_MAIN(TestMatMul)
#include "tst_matmul.moc"
