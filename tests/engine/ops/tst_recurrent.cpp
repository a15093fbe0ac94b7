#include "tests/support/kernel_test.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace gelens;
using namespace gelens::test;

namespace {

std::vector<double> randomValues(std::size_t count, unsigned seed)
{
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> draw(-1, 1);
    std::vector<double> result(count);
    for (double& value : result) value = static_cast<float>(draw(generator));
    return result;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

constexpr int steps = 4, batch = 2, inputs = 3, hidden = 2;

/// Row `gate·hidden + i` of a gate's product with x at (time, b) and with a state.
struct Weights {
    std::vector<double> w, r, b;
    int gates;
    Weights(int count, unsigned seed)
        : w(randomValues(static_cast<std::size_t>(count * hidden * inputs), seed)),
          r(randomValues(static_cast<std::size_t>(count * hidden * hidden), seed + 1)),
          b(randomValues(static_cast<std::size_t>(2 * count * hidden), seed + 2)), gates(count)
    {
    }
    double fromX(const double* x, int gate, int i) const
    {
        double sum = b[static_cast<std::size_t>(gate * hidden + i)];
        for (int k = 0; k < inputs; ++k) sum += w[static_cast<std::size_t>((gate * hidden + i) * inputs + k)] * x[k];
        return sum;
    }
    double fromH(const double* h, int gate, int i) const
    {
        double sum = 0;
        for (int k = 0; k < hidden; ++k) sum += r[static_cast<std::size_t>((gate * hidden + i) * hidden + k)] * h[k];
        return sum;
    }
    double recurrentBias(int gate, int i) const { return b[static_cast<std::size_t>((gates + gate) * hidden + i)]; }
    double all(const double* x, const double* h, int gate, int i) const
    {
        return fromX(x, gate, i) + fromH(h, gate, i) + recurrentBias(gate, i);
    }
    std::vector<HostTensor> operands(const std::vector<double>& x) const
    {
        return {tensor({steps, batch, inputs}, x), tensor({1, gates * hidden, inputs}, w),
                tensor({1, gates * hidden, hidden}, r), tensor({1, 2 * gates * hidden}, b)};
    }
};

} // namespace

#define AGREES(actual, ...)                                                                                            \
    do {                                                                                                               \
        const std::string text = difference(actual, __VA_ARGS__);                                                      \
        QVERIFY2(text.empty(), text.c_str());                                                                          \
    } while (false)

class TestRecurrent : public QObject {
    Q_OBJECT

    std::vector<double> x = randomValues(steps * batch * inputs, 1);
    const double* at(int t, int b) const { return x.data() + (t * batch + b) * inputs; }

private Q_SLOTS:
    void plain()
    {
        const Weights net(1, 10);
        std::vector<double> expected;
        double h[batch][hidden] = {};
        for (int t = 0; t < steps; ++t)
            for (int b = 0; b < batch; ++b) {
                double next[hidden];
                for (int i = 0; i < hidden; ++i) next[i] = std::tanh(net.all(at(t, b), h[b], 0, i));
                std::copy(next, next + hidden, h[b]);
                expected.insert(expected.end(), next, next + hidden);
            }
        const auto y = run("CommonRNN", net.operands(x), {{"hidden_size", hidden}}, 2);
        QVERIFY(y.ok());
        QCOMPARE(y->at(0).shape, (Shape{steps, 1, batch, hidden}));
        AGREES(y->at(0), expected, 1e-5, 1e-6);
        AGREES(y->at(1), std::vector<double>(expected.end() - batch * hidden, expected.end()), 1e-5, 1e-6);
    }

    void gru_data()
    {
        QTest::addColumn<bool>("linear");
        QTest::newRow("reset first") << false;
        QTest::newRow("product first") << true;
    }
    void gru()
    {
        QFETCH(bool, linear);
        const Weights net(3, 20);
        std::vector<double> expected;
        double h[batch][hidden] = {};
        for (int t = 0; t < steps; ++t)
            for (int b = 0; b < batch; ++b) {
                double next[hidden], reset[hidden];
                for (int i = 0; i < hidden; ++i) reset[i] = sigmoid(net.all(at(t, b), h[b], 1, i));
                for (int i = 0; i < hidden; ++i) {
                    double product[hidden];
                    for (int k = 0; k < hidden; ++k) product[k] = reset[k] * h[b][k];
                    const double z = sigmoid(net.all(at(t, b), h[b], 0, i));
                    const double candidate =
                        linear
                            ? std::tanh(net.fromX(at(t, b), 2, i) +
                                        reset[i] * (net.fromH(h[b], 2, i) + net.recurrentBias(2, i)))
                            : std::tanh(net.fromX(at(t, b), 2, i) + net.fromH(product, 2, i) + net.recurrentBias(2, i));
                    next[i] = (1 - z) * candidate + z * h[b][i];
                }
                std::copy(next, next + hidden, h[b]);
                expected.insert(expected.end(), next, next + hidden);
            }
        const auto y =
            run("CommonGRU", net.operands(x), {{"hidden_size", hidden}, {"linear_before_reset", linear ? 1 : 0}}, 2);
        QVERIFY(y.ok());
        AGREES(y->at(0), expected, 1e-5, 1e-6);
    }

    void lstm_data()
    {
        QTest::addColumn<bool>("coupled");
        QTest::addColumn<bool>("peeps");
        QTest::newRow("plain") << false << false;
        QTest::newRow("peepholes") << false << true;
        QTest::newRow("coupled") << true << true;
    }
    void lstm()
    {
        QFETCH(bool, coupled);
        QFETCH(bool, peeps);
        const Weights net(4, 30);
        const auto p = peeps ? randomValues(3 * hidden, 33) : std::vector<double>(3 * hidden, 0);
        const auto h0 = randomValues(batch * hidden, 34), c0 = randomValues(batch * hidden, 35);
        std::vector<double> expected, h = h0, c = c0;
        for (int t = 0; t < steps; ++t)
            for (int b = 0; b < batch; ++b) {
                double next[hidden];
                for (int i = 0; i < hidden; ++i) {
                    double& cell = c[static_cast<std::size_t>(b * hidden + i)];
                    const double* state = h.data() + b * hidden;
                    const double in = sigmoid(net.all(at(t, b), state, 0, i) + p[static_cast<std::size_t>(i)] * cell);
                    const double forget = coupled ? 1 - in
                                                  : sigmoid(net.all(at(t, b), state, 2, i) +
                                                            p[static_cast<std::size_t>(2 * hidden + i)] * cell);
                    cell = forget * cell + in * std::tanh(net.all(at(t, b), state, 3, i));
                    next[i] = sigmoid(net.all(at(t, b), state, 1, i) + p[static_cast<std::size_t>(hidden + i)] * cell) *
                              std::tanh(cell);
                }
                std::copy(next, next + hidden, h.begin() + b * hidden);
                expected.insert(expected.end(), next, next + hidden);
            }
        auto operands = net.operands(x);
        operands.push_back(absent());
        operands.push_back(tensor({1, batch, hidden}, h0));
        operands.push_back(tensor({1, batch, hidden}, c0));
        operands.push_back(tensor({1, 3 * hidden}, p));
        const auto y = run("CommonLSTM", operands, {{"hidden_size", hidden}, {"input_forget", coupled ? 1 : 0}}, 3);
        QVERIFY(y.ok());
        AGREES(y->at(0), expected, 1e-5, 1e-6);
        AGREES(y->at(2), c, 1e-5, 1e-6);
    }

    /// Running backwards is running forwards over the reversed sequence.
    void directions()
    {
        const Weights net(3, 40);
        std::vector<double> reversed;
        for (int t = steps - 1; t >= 0; --t) reversed.insert(reversed.end(), at(t, 0), at(t, 0) + batch * inputs);
        const auto forward = values(run("CommonGRU", net.operands(reversed), {{"hidden_size", hidden}}, 2)->at(0));
        const auto backward =
            values(run("CommonGRU", net.operands(x), {{"hidden_size", hidden}, {"direction", "reverse"}}, 2)->at(0));
        for (int t = 0; t < steps; ++t)
            for (int i = 0; i < batch * hidden; ++i)
                QCOMPARE(backward[static_cast<std::size_t>(t * batch * hidden + i)],
                         forward[static_cast<std::size_t>((steps - 1 - t) * batch * hidden + i)]);
        // Both at once hold the two side by side.
        const auto twice = [](const HostTensor& one, Shape shape) {
            auto data = values(one);
            const auto copy = data;
            data.insert(data.end(), copy.begin(), copy.end());
            return tensor(std::move(shape), data);
        };
        const auto operands = net.operands(x);
        const HostTensor both = run("CommonGRU",
                                    {operands[0], twice(operands[1], {2, 3 * hidden, inputs}),
                                     twice(operands[2], {2, 3 * hidden, hidden}), twice(operands[3], {2, 6 * hidden})},
                                    {{"hidden_size", hidden}, {"direction", "bidirectional"}}, 2)
                                    ->at(0);
        QCOMPARE(both.shape, (Shape{steps, 2, batch, hidden}));
        const auto all = values(both);
        for (int t = 0; t < steps; ++t)
            for (int i = 0; i < batch * hidden; ++i)
                QCOMPARE(all[static_cast<std::size_t>((t * 2 + 1) * batch * hidden + i)],
                         backward[static_cast<std::size_t>(t * batch * hidden + i)]);
    }

    void lengths()
    {
        const Weights net(1, 50);
        auto operands = net.operands(x);
        const auto whole = values(run("CommonRNN", operands, {{"hidden_size", hidden}}, 2)->at(0));
        operands.push_back(intTensor({batch}, {2, 4}, DataType::Int32));
        const auto cut = run("CommonRNN", operands, {{"hidden_size", hidden}}, 2);
        QVERIFY(cut.ok());
        const auto y = values(cut->at(0)), last = values(cut->at(1));
        for (int t = 0; t < steps; ++t)
            for (int i = 0; i < hidden; ++i) {
                const auto first = static_cast<std::size_t>(t * batch * hidden + i);
                QCOMPARE(y[first], t < 2 ? whole[first] : 0.0);
                QCOMPARE(y[first + hidden], whole[first + hidden]);
            }
        QCOMPARE(last[0], whole[1 * batch * hidden]);
        operands.back() = intTensor({batch}, {2, 5}, DataType::Int32);
        QVERIFY(!runError("CommonRNN", operands, {{"hidden_size", hidden}}).empty());
    }

    void activationsAndClip()
    {
        const HostTensor one = tensor({1, 1, 1}, {2}), w = tensor({1, 1, 1}, {3}), r = tensor({1, 1, 1}, {0});
        const auto y = [&](AttrMap attrs) {
            attrs["hidden_size"] = 1;
            return values(run1("CommonRNN", {one, w, r}, attrs))[0];
        };
        QCOMPARE(y({{"activations", StringList{"Relu"}}}), 6.0);
        QCOMPARE(y({{"activations", StringList{"Affine"}},
                    {"activation_alpha", FloatList{2}},
                    {"activation_beta", FloatList{1}}}),
                 13.0);
        QCOMPARE(y({{"activations", StringList{"Relu"}}, {"clip", 4.0f}}), 4.0);
        QVERIFY(
            !runError("CommonRNN", {one, w, r}, {{"hidden_size", 1}, {"activations", StringList{"Nonsense"}}}).empty());
        QVERIFY(!runError("CommonRNN", {one, w, r}, {{"hidden_size", 1}, {"activations", StringList{"Relu", "Relu"}}})
                     .empty());
        QVERIFY(!runError("CommonRNN", {one, w, r}, {{"hidden_size", 2}}).empty());
        QVERIFY(!runError("CommonRNN", {one, w, r}, {{"hidden_size", 1}, {"direction", "sideways"}}).empty());
    }
};

QTEST_GUILESS_MAIN(TestRecurrent)
#include "tst_recurrent.moc"
