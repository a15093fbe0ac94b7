#include "tests/support/kernel_test.h"

#include <QtTest>

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

struct Conv {
    int n, ci, co, h, w, kh, kw, groups = 1, sh = 1, sw = 1, dh = 1, dw = 1;
    int top = 0, bottom = 0, left = 0, right = 0;
    int outH() const { return (h + top + bottom - (kh - 1) * dh - 1) / sh + 1; }
    int outW() const { return (w + left + right - (kw - 1) * dw - 1) / sw + 1; }
    AttrMap attrs() const
    {
        return {{"strides", IntList{1, 1, sh, sw}},
                {"pads", IntList{top, bottom, left, right}},
                {"dilations", IntList{1, 1, dh, dw}},
                {"groups", groups},
                {"data_format", "NCHW"}};
    }
};

/// The definition, element by element.
std::vector<double> direct(const Conv& c, const std::vector<double>& x, const std::vector<double>& f,
                           const std::vector<double>& bias)
{
    std::vector<double> y;
    const int cig = c.ci / c.groups, cog = c.co / c.groups;
    for (int n = 0; n < c.n; ++n)
        for (int o = 0; o < c.co; ++o)
            for (int i = 0; i < c.outH(); ++i)
                for (int j = 0; j < c.outW(); ++j) {
                    double sum = bias.empty() ? 0 : bias[static_cast<std::size_t>(o)];
                    for (int ch = 0; ch < cig; ++ch)
                        for (int a = 0; a < c.kh; ++a)
                            for (int b = 0; b < c.kw; ++b) {
                                const int row = i * c.sh + a * c.dh - c.top, column = j * c.sw + b * c.dw - c.left;
                                if (row < 0 || column < 0 || row >= c.h || column >= c.w) continue;
                                sum += x[static_cast<std::size_t>(((n * c.ci + o / cog * cig + ch) * c.h + row) * c.w +
                                                                  column)] *
                                       f[static_cast<std::size_t>(((o * cig + ch) * c.kh + a) * c.kw + b)];
                            }
                    y.push_back(sum);
                }
    return y;
}

} // namespace

#define AGREES(actual, ...)                                                                                            \
    do {                                                                                                               \
        const std::string text = difference(actual, __VA_ARGS__);                                                      \
        QVERIFY2(text.empty(), text.c_str());                                                                          \
    } while (false)

class TestConvolution : public QObject {
    Q_OBJECT

    static HostTensor filterOf(const Conv& c, const std::vector<double>& f, DataType type = DataType::Float)
    {
        return tensor({c.co, c.ci / c.groups, c.kh, c.kw}, f, type);
    }

private Q_SLOTS:
    void agreesWithDefinition_data()
    {
        QTest::addColumn<int>("which");
        for (int i = 0; i < 6; ++i) QTest::addRow("case %d", i) << i;
    }
    void agreesWithDefinition()
    {
        QFETCH(int, which);
        const Conv cases[] = {
            {.n = 2, .ci = 3, .co = 4, .h = 7, .w = 5, .kh = 3, .kw = 3, .top = 1, .bottom = 1, .left = 1, .right = 1},
            {.n = 1,
             .ci = 4,
             .co = 6,
             .h = 9,
             .w = 8,
             .kh = 3,
             .kw = 2,
             .groups = 2,
             .sh = 2,
             .sw = 3,
             .top = 1,
             .right = 2},
            {.n = 1,
             .ci = 8,
             .co = 8,
             .h = 6,
             .w = 6,
             .kh = 3,
             .kw = 3,
             .groups = 8,
             .dh = 2,
             .dw = 2,
             .top = 2,
             .bottom = 2,
             .left = 2,
             .right = 2},
            {.n = 1, .ci = 5, .co = 7, .h = 4, .w = 4, .kh = 1, .kw = 1},
            {.n = 1, .ci = 2, .co = 3, .h = 5, .w = 5, .kh = 5, .kw = 5},
            {.n = 3, .ci = 1, .co = 1, .h = 1, .w = 11, .kh = 1, .kw = 4, .sw = 2, .left = 3, .right = 1},
        };
        const Conv& c = cases[which];
        const auto x = randomValues(static_cast<std::size_t>(c.n * c.ci * c.h * c.w), 1);
        const auto f = randomValues(static_cast<std::size_t>(c.co * c.ci / c.groups * c.kh * c.kw), 2);
        const auto bias = randomValues(static_cast<std::size_t>(c.co), 3);
        const HostTensor y =
            run1("Conv2D", {tensor({c.n, c.ci, c.h, c.w}, x), filterOf(c, f), tensor({c.co}, bias)}, c.attrs());
        QCOMPARE(y.shape, (Shape{c.n, c.co, c.outH(), c.outW()}));
        AGREES(y, direct(c, x, f, bias), 1e-5, 1e-5);
        // fp64 goes through our own loops: the same numbers by another road.
        AGREES(run1("Conv2D", {tensor({c.n, c.ci, c.h, c.w}, x, DataType::Double), filterOf(c, f, DataType::Double)},
                    c.attrs()),
               direct(c, x, f, {}), 1e-12, 1e-12);
    }

    void channelsLast()
    {
        const Conv c{.n = 2, .ci = 3, .co = 4, .h = 4, .w = 5, .kh = 3, .kw = 3};
        const auto x = randomValues(2 * 3 * 4 * 5, 1), f = randomValues(4 * 3 * 9, 2);
        const auto expected = direct(c, x, f, {});
        std::vector<double> last(x.size());
        for (int n = 0; n < 2; ++n)
            for (int ch = 0; ch < 3; ++ch)
                for (int p = 0; p < 20; ++p)
                    last[static_cast<std::size_t>((n * 20 + p) * 3 + ch)] =
                        x[static_cast<std::size_t>((n * 3 + ch) * 20 + p)];
        AttrMap attrs{{"strides", IntList{1, 1, 1, 1}}, {"pads", IntList{0, 0, 0, 0}}, {"data_format", "NHWC"}};
        const HostTensor y = run1("Conv2D", {tensor({2, 4, 5, 3}, last), filterOf(c, f)}, attrs);
        QCOMPARE(y.shape, (Shape{2, 2, 3, 4}));
        const auto got = values(y);
        std::vector<double> back(expected.size());
        for (int n = 0; n < 2; ++n)
            for (int ch = 0; ch < 4; ++ch)
                for (int p = 0; p < 6; ++p)
                    back[static_cast<std::size_t>((n * 4 + ch) * 6 + p)] =
                        got[static_cast<std::size_t>((n * 6 + p) * 4 + ch)];
        AGREES(back, expected, 1e-5, 1e-5);
    }

    /// Parsers of channels-first frameworks leave data_format at NHWC; GE goes by what the tensor declares.
    void theTensorsOwnOrderCounts()
    {
        const AttrMap attrs{
            {"strides", IntList{1, 1, 2, 1}}, {"pads", IntList{0, 0, 0, 0}}, {"data_format", "NHWC"}, {"groups", 1}};
        const TensorDesc filter(DataType::Float, {4, 3, 3, 3}, Format::NCHW);
        const auto shapeOf = [&](const TensorDesc& x) {
            const auto inferred = infer("Conv2D", {x, filter}, attrs);
            return inferred.ok() ? inferred->front().originShape : Shape{};
        };
        // Rows of NCHW: (9 - 3) / 2 + 1; of NHWC: strides are those of the attribute's third entry, for columns.
        QCOMPARE(shapeOf({DataType::Float, {1, 3, 9, 8}, Format::NCHW}), Shape({1, 4, 4, 6}));
        QCOMPARE(shapeOf({DataType::Float, {1, 9, 8, 3}, Format::NHWC}), Shape({1, 7, 3, 4}));
        QCOMPARE(shapeOf({DataType::Float, {1, 9, 8, 3}}), Shape({1, 7, 3, 4})); // declares none: the attribute counts
        QVERIFY(!infer("Conv2D", {TensorDesc(DataType::Float, {1, 3, 9, 8}), filter}, attrs).ok());
        QVERIFY(!infer("Conv2D", {TensorDesc(DataType::Float, {1, 9, 8, 3}, Format::NCHW), filter}, attrs).ok());
    }

    void automaticPadding()
    {
        const HostTensor x = tensor({1, 1, 5, 5}, randomValues(25, 1)), f = tensor({1, 1, 3, 3}, randomValues(9, 2));
        AttrMap attrs{{"strides", IntList{1, 1, 2, 2}}, {"pads", IntList{0, 0, 0, 0}}, {"data_format", "NCHW"}};
        const auto with = [&](const char* mode) {
            AttrMap copy = attrs;
            copy["auto_pad"] = mode;
            return run1("Conv2D", {x, f}, copy).shape;
        };
        QCOMPARE(with("SAME_UPPER"), (Shape{1, 1, 3, 3}));
        QCOMPARE(with("VALID"), (Shape{1, 1, 2, 2}));
        // An even kernel needs one more row: at the end for UPPER, at the start for LOWER.
        const HostTensor line = tensor({1, 1, 1, 3}, {1, 2, 3}), two = tensor({1, 1, 1, 2}, {10, 1});
        AttrMap same{{"strides", IntList{1, 1, 1, 1}},
                     {"pads", IntList{0, 0, 0, 0}},
                     {"data_format", "NCHW"},
                     {"auto_pad", "SAME_UPPER"}};
        AGREES(run1("Conv2D", {line, two}, same), {12, 23, 30});
        same["auto_pad"] = "SAME_LOWER";
        AGREES(run1("Conv2D", {line, two}, same), {1, 12, 23});
    }

    void threeDimensions()
    {
        const std::vector<double> ones(27, 1);
        AttrMap attrs{
            {"strides", IntList{1, 1, 1, 1, 1}}, {"pads", IntList{1, 1, 1, 1, 1, 1}}, {"data_format", "NCDHW"}};
        const HostTensor y = run1("Conv3D", {tensor({1, 1, 3, 3, 3}, ones), tensor({1, 1, 3, 3, 3}, ones)}, attrs);
        QCOMPARE(y.shape, (Shape{1, 1, 3, 3, 3}));
        const auto got = values(y);
        QCOMPARE(got[0], 8.0);
        QCOMPARE(got[13], 27.0);
        QCOMPARE(got[1], 12.0);
    }

    void halfRoundsOnce()
    {
        const std::vector<double> ones(4096, 1.0);
        AttrMap attrs{{"strides", IntList{1, 1, 1, 1}}, {"pads", IntList{0, 0, 0, 0}}, {"data_format", "NCHW"}};
        const HostTensor y =
            run1("Conv2D",
                 {tensor({1, 4096, 1, 1}, ones, DataType::Float16), tensor({1, 4096, 1, 1}, ones, DataType::Float16)},
                 attrs);
        QCOMPARE(y.dtype, DataType::Float16);
        AGREES(y, {4096}, 0, 0);
    }

    void narrowIntegersWiden()
    {
        AttrMap attrs{{"strides", IntList{1, 1, 1, 1}}, {"pads", IntList{0, 0, 0, 0}}, {"data_format", "NCHW"}};
        const HostTensor y = run1("Conv2D",
                                  {intTensor({1, 2, 1, 1}, {127, -128}, DataType::Int8),
                                   intTensor({1, 2, 1, 1}, {127, -128}, DataType::Int8)},
                                  attrs);
        QCOMPARE(y.dtype, DataType::Int32);
        QCOMPARE(ints(y), (std::vector<std::int64_t>{127 * 127 + 128 * 128}));
    }

    void depthwise()
    {
        const Conv c{.n = 1, .ci = 4, .co = 8, .h = 5, .w = 5, .kh = 3, .kw = 3, .groups = 4};
        const auto x = randomValues(100, 1), f = randomValues(72, 2);
        AttrMap attrs = c.attrs();
        attrs.erase("groups");
        AGREES(run1("DepthwiseConv2D", {tensor({1, 4, 5, 5}, x), filterOf(c, f)}, attrs), direct(c, x, f, {}), 1e-5,
               1e-5);
    }

    void fusedActivation()
    {
        AttrMap attrs{{"strides", IntList{1, 1, 1, 1}},
                      {"pads", IntList{0, 0, 0, 0}},
                      {"data_format", "NCHW"},
                      {"fused_activation", "Relu"}};
        AGREES(run1("FusedConv2D",
                    {tensor({1, 1, 1, 3}, {-2, 1, 3}), tensor({1, 1, 1, 1}, {2}), tensor({1}, {1}), absent(),
                     tensor({1, 1, 1, 3}, {0, -5, 0})},
                    attrs),
               {0, 0, 7});
        attrs["fused_activation"] = "Nonsense";
        QVERIFY(!runError("FusedConv2D", {tensor({1, 1, 1, 1}, {1}), tensor({1, 1, 1, 1}, {1})}, attrs).empty());
    }

    void transposedIsTheAdjoint_data()
    {
        QTest::addColumn<int>("which");
        for (int i = 0; i < 4; ++i) QTest::addRow("case %d", i) << i;
    }
    /// <conv(x), y> = <x, convTransposed(y)> for the same filter: no formula shared with the kernel.
    void transposedIsTheAdjoint()
    {
        QFETCH(int, which);
        const Conv cases[] = {
            {.n = 1,
             .ci = 2,
             .co = 3,
             .h = 7,
             .w = 7,
             .kh = 3,
             .kw = 3,
             .sh = 2,
             .sw = 2,
             .top = 1,
             .bottom = 1,
             .left = 1,
             .right = 1},
            {.n = 2, .ci = 4, .co = 2, .h = 5, .w = 6, .kh = 2, .kw = 3, .groups = 2},
            {.n = 1, .ci = 3, .co = 3, .h = 9, .w = 9, .kh = 3, .kw = 3, .groups = 3, .dh = 2, .dw = 2},
            {.n = 1, .ci = 1, .co = 2, .h = 8, .w = 8, .kh = 3, .kw = 3, .sh = 2, .sw = 2, .top = 1, .left = 1},
        };
        const Conv& c = cases[which];
        const auto x = randomValues(static_cast<std::size_t>(c.n * c.ci * c.h * c.w), 1);
        const auto f = randomValues(static_cast<std::size_t>(c.co * c.ci / c.groups * c.kh * c.kw), 2);
        const auto y = randomValues(static_cast<std::size_t>(c.n * c.co * c.outH() * c.outW()), 3);
        AttrMap attrs = c.attrs();
        attrs["output_padding"] =
            IntList{0, 0, (c.h + c.top + c.bottom - c.kh) % c.sh, (c.w + c.left + c.right - c.kw) % c.sw};
        const HostTensor back = run1(
            "Conv2DTranspose",
            {intTensor({4}, {0, 0, 0, 0}, DataType::Int32), tensor({c.n, c.co, c.outH(), c.outW()}, y), filterOf(c, f)},
            attrs);
        QCOMPARE(back.shape, (Shape{c.n, c.ci, c.h, c.w}));
        const auto forward = direct(c, x, f, {}), adjoint = values(back);
        double left = 0, right = 0;
        for (std::size_t i = 0; i < y.size(); ++i) left += forward[i] * y[i];
        for (std::size_t i = 0; i < x.size(); ++i) right += x[i] * adjoint[i];
        QVERIFY2(std::abs(left - right) < 1e-4, qPrintable(QStringLiteral("%1 %2").arg(left).arg(right)));
        // fp64 takes our own loops.
        AGREES(run1("Conv2DTranspose",
                    {absent(), tensor({c.n, c.co, c.outH(), c.outW()}, y, DataType::Double),
                     filterOf(c, f, DataType::Double)},
                    attrs),
               adjoint, 1e-4, 1e-5);
    }

    void transposedSizes()
    {
        const HostTensor x = tensor({1, 1, 3, 3}, randomValues(9, 1)), f = tensor({1, 2, 3, 3}, randomValues(18, 2));
        AttrMap attrs{{"strides", IntList{1, 1, 3, 2}}, {"pads", IntList{0, 0, 0, 0}}, {"data_format", "NCHW"}};
        QCOMPARE(run1("Conv2DTranspose", {absent(), x, f}, attrs).shape, (Shape{1, 2, 9, 7}));
        attrs["output_padding"] = IntList{0, 0, 1, 1};
        QCOMPARE(run1("Conv2DTranspose", {absent(), x, f}, attrs).shape, (Shape{1, 2, 10, 8}));
        attrs["output_padding"] = IntList{0, 0, 0, 0};
        attrs["output_shape"] = IntList{10, 8};
        QCOMPARE(run1("Conv2DTranspose", {absent(), x, f}, attrs).shape, (Shape{1, 2, 10, 8}));
        attrs.erase("output_shape");
        attrs["auto_pad"] = "SAME_UPPER";
        QCOMPARE(run1("Conv2DTranspose", {absent(), x, f}, attrs).shape, (Shape{1, 2, 9, 6}));
        const HostTensor size = intTensor({4}, {1, 2, 8, 6}, DataType::Int32);
        QCOMPARE(run1("Conv2DTranspose", {size, x, f}, attrs).shape, (Shape{1, 2, 8, 6}));
    }

    void deformableWithoutOffsetsIsAConvolution()
    {
        const Conv c{.n = 1, .ci = 2, .co = 2, .h = 5, .w = 5, .kh = 3, .kw = 3};
        const auto x = randomValues(50, 1), f = randomValues(36, 2);
        const HostTensor still = tensor({1, 18, 3, 3}, std::vector<double>(162, 0));
        AGREES(run1("DeformConv", {tensor({1, 2, 5, 5}, x), filterOf(c, f), still}, c.attrs()), direct(c, x, f, {}),
               1e-5, 1e-5);
        const HostTensor half = tensor({1, 9, 3, 3}, std::vector<double>(81, 0.5));
        auto expected = direct(c, x, f, {});
        for (double& value : expected) value *= 0.5;
        AGREES(run1("DeformConv", {tensor({1, 2, 5, 5}, x), filterOf(c, f), still, absent(), half}, c.attrs()),
               expected, 1e-5, 1e-5);
        QVERIFY(!runError("DeformConv", {tensor({1, 2, 5, 5}, x), filterOf(c, f), half}, c.attrs()).empty());
    }

    void badAttributesGiveOneError()
    {
        const HostTensor x = tensor({1, 2, 4, 4}, randomValues(32, 1)), f = tensor({2, 2, 3, 3}, randomValues(36, 2));
        const Conv c{.n = 1, .ci = 2, .co = 2, .h = 4, .w = 4, .kh = 3, .kw = 3};
        const auto broken = [&](const char* name, AttrValue value) {
            AttrMap attrs = c.attrs();
            attrs[name] = std::move(value);
            return runError("Conv2D", {x, f}, attrs);
        };
        QVERIFY(!broken("strides", IntList{1, 1, 0, 1}).empty());
        QVERIFY(!broken("strides", IntList{1, 1, 1}).empty());
        QVERIFY(!broken("dilations", IntList{1, 1, 0, 1}).empty());
        QVERIFY(!broken("groups", 0).empty());
        QVERIFY(!broken("groups", 3).empty());
        QVERIFY(!broken("pads", IntList{1, 1}).empty());
        QVERIFY(!broken("pads", IntList{-1, 0, 0, 0}).empty());
        QVERIFY(!broken("dilations", IntList{1, 1, 9, 1}).empty());
        QVERIFY(!broken("strides", IntList{1, 1, std::int64_t{1} << 40, 1}).empty());
        QVERIFY(!runError("Conv2D", {x, tensor({2, 3, 3, 3}, randomValues(54, 1))}, c.attrs()).empty());
        QVERIFY(!runError("Conv2D", {x, tensor({2, 2, 0, 3}, {})}, c.attrs()).empty());
        QVERIFY(!runError("Conv2D", {x, f, tensor({3}, {1, 2, 3})}, c.attrs()).empty());
        QVERIFY(!runError("Conv2D", {tensor({2, 4, 4}, randomValues(32, 1)), f}, c.attrs()).empty());
    }

    void symbolsSurvive()
    {
        Shape x{-1, 3, -1, 8};
        x.setSymbol(0, "N");
        x.setSymbol(2, "height");
        const Conv c{
            .n = 1, .ci = 3, .co = 4, .h = 8, .w = 8, .kh = 3, .kw = 3, .top = 1, .bottom = 1, .left = 1, .right = 1};
        const auto y = infer("Conv2D", {TensorDesc(DataType::Float, x), TensorDesc(DataType::Float, Shape{4, 3, 3, 3})},
                             c.attrs());
        QVERIFY(y.ok());
        QCOMPARE(QString::fromStdString(y->front().shape.text()), QStringLiteral("[N, 4, height, 8]"));
    }
};

QTEST_GUILESS_MAIN(TestConvolution)
#include "tst_convolution.moc"
