#include "tests/support/kernel_test.h"

#include <QtTest>

#include <cmath>
#include <limits>
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

AttrMap pool(IntList ksize, IntList strides, IntList pads = {0, 0, 0, 0})
{
    return {{"ksize", std::move(ksize)},
            {"strides", std::move(strides)},
            {"pads", std::move(pads)},
            {"data_format", "NCHW"}};
}

HostTensor count(int h, int w, DataType type = DataType::Float)
{
    std::vector<double> all;
    for (int i = 1; i <= h * w; ++i) all.push_back(i);
    return tensor({1, 1, h, w}, all, type);
}

} // namespace

#define AGREES(actual, ...)                                                                                            \
    do {                                                                                                               \
        const std::string text = difference(actual, __VA_ARGS__);                                                      \
        QVERIFY2(text.empty(), text.c_str());                                                                          \
    } while (false)

class TestPooling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void maximum()
    {
        AGREES(run1("MaxPoolV3", {count(4, 4)}, pool({1, 1, 2, 2}, {1, 1, 2, 2})), {6, 8, 14, 16});
        AGREES(run1("MaxPoolV3", {count(3, 3)}, pool({1, 1, 3, 3}, {1, 1, 2, 2}, {1, 1, 1, 1})), {5, 6, 8, 9});
        // All negative: padding must not win.
        AGREES(
            run1("MaxPoolV3", {tensor({1, 1, 2, 2}, {-4, -3, -2, -1})}, pool({1, 1, 2, 2}, {1, 1, 2, 2}, {1, 1, 1, 1})),
            {-4, -3, -2, -1});
        AGREES(run1("MaxPoolV3", {count(4, 4, DataType::UInt8)}, pool({1, 1, 2, 2}, {1, 1, 2, 2})), {6, 8, 14, 16}, 0,
               0);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        AGREES(
            run1("MaxPoolV3", {tensor({1, 1, 1, 3}, {1, nan, 2}, DataType::Double)}, pool({1, 1, 1, 2}, {1, 1, 1, 1})),
            {nan, nan});
    }

    void libraryAndLoopsAgree()
    {
        const auto x = randomValues(2 * 3 * 9 * 7, 1);
        for (const char* type : {"MaxPoolV3", "AvgPoolV2"}) {
            for (const bool exclusive : {true, false}) {
                AttrMap attrs = pool({1, 1, 3, 2}, {1, 1, 2, 2}, {1, 1, 1, 0});
                attrs["exclusive"] = exclusive;
                const HostTensor single = run1(type, {tensor({2, 3, 9, 7}, x)}, attrs);
                AGREES(single, values(run1(type, {tensor({2, 3, 9, 7}, x, DataType::Double)}, attrs)), 1e-6, 1e-6);
            }
        }
    }

    void ceilMode()
    {
        AttrMap attrs = pool({1, 1, 3, 3}, {1, 1, 2, 2});
        attrs["ceil_mode"] = true;
        AGREES(run1("MaxPoolV3", {count(4, 4)}, attrs), {11, 12, 15, 16});
        AGREES(run1("AvgPoolV2", {count(4, 4)}, attrs), {6, 7.5, 12, 13.5});
        attrs["exclusive"] = false; // what lies past the padding is not counted
        AGREES(run1("AvgPoolV2", {count(4, 4)}, attrs), {6, 7.5, 12, 13.5});
        // The last window would start in the trailing padding: it is dropped.
        AttrMap edge = pool({1, 1, 1, 1}, {1, 1, 2, 2});
        edge["ceil_mode"] = true;
        QCOMPARE(run1("MaxPoolV3", {count(2, 2)}, edge).shape, (Shape{1, 1, 1, 1}));
    }

    void averageCounts()
    {
        AttrMap attrs = pool({1, 1, 2, 2}, {1, 1, 2, 2}, {1, 1, 1, 1});
        AGREES(run1("AvgPoolV2", {count(2, 2)}, attrs), {1, 2, 3, 4});
        attrs["exclusive"] = false;
        AGREES(run1("AvgPoolV2", {count(2, 2)}, attrs), {0.25, 0.5, 0.75, 1});
        attrs["divisor_override"] = 2;
        AGREES(run1("AvgPoolV2", {count(2, 2)}, attrs), {0.5, 1, 1.5, 2});
    }

    void samePadding()
    {
        AttrMap attrs = pool({1, 1, 2, 2}, {1, 1, 2, 2});
        attrs["padding_mode"] = "SAME";
        AGREES(run1("MaxPoolV3", {count(3, 3)}, attrs), {5, 6, 8, 9});
        attrs["padding_mode"] = "VALID";
        AGREES(run1("MaxPoolV3", {count(3, 3)}, attrs), {5});
        AttrMap lower = pool({1, 1, 2, 2}, {1, 1, 2, 2});
        lower["auto_pad"] = "SAME_LOWER";
        AGREES(run1("MaxPoolV3", {count(3, 3)}, lower), {1, 3, 7, 9});
    }

    void dilations()
    {
        AttrMap attrs = pool({1, 1, 2, 2}, {1, 1, 1, 1});
        attrs["dilations"] = IntList{1, 1, 2, 2};
        AGREES(run1("MaxPoolV3", {count(4, 4)}, attrs), {11, 12, 15, 16});
    }

    void threeDimensions()
    {
        std::vector<double> x;
        for (int i = 1; i <= 8; ++i) x.push_back(i);
        AttrMap attrs{{"ksize", IntList{1, 1, 2, 2, 2}},
                      {"strides", IntList{1, 1, 1, 1, 1}},
                      {"data_format", "NCDHW"},
                      {"pads", IntList{0, 0, 0, 0, 0, 0}}};
        AGREES(run1("MaxPool3D", {tensor({1, 1, 2, 2, 2}, x)}, attrs), {8});
        AGREES(run1("AvgPool3D", {tensor({1, 1, 2, 2, 2}, x)}, attrs), {4.5});
    }

    void channelsLast()
    {
        AttrMap attrs = pool({1, 2, 2, 1}, {1, 2, 2, 1});
        attrs["data_format"] = "NHWC";
        const HostTensor y = run1("MaxPoolV3", {tensor({1, 2, 2, 2}, {1, 10, 2, 20, 3, 30, 4, 5})}, attrs);
        QCOMPARE(y.shape, (Shape{1, 1, 1, 2}));
        AGREES(y, {4, 30});
    }

    void indicesAndBack()
    {
        const auto both = run("MaxPoolWithIndices", {tensor({1, 2, 2, 2}, {1, 2, 4, 3, 8, 7, 6, 5})},
                              pool({1, 1, 2, 2}, {1, 1, 1, 1}), 2);
        QVERIFY(both.ok());
        AGREES(both->at(0), {4, 8});
        QCOMPARE(ints(both->at(1)), (std::vector<std::int64_t>{2, 4}));
        AttrMap columns = pool({1, 1, 2, 2}, {1, 1, 1, 1});
        columns["storage_order"] = 1;
        AGREES(run1("MaxUnpool", {both->at(0), both->at(1)}, {{"ksize", IntList{2, 2}}, {"strides", IntList{2, 2}}}),
               {0, 0, 4, 0, 8, 0, 0, 0});
        QVERIFY(!runError("MaxUnpool", {tensor({1, 1, 1, 1}, {1}), intTensor({1, 1, 1, 1}, {99})},
                          {{"ksize", IntList{2, 2}}})
                     .empty());
        // Four axes of pads are not this operator's: 1-D works too.
        AttrMap line{{"ksize", IntList{2}}, {"strides", IntList{2}}, {"pads", IntList{0, 0}}};
        const auto flat = run("MaxPoolWithIndices", {tensor({1, 1, 4}, {4, 3, 1, 2})}, line, 2);
        QVERIFY(flat.ok());
        QCOMPARE(ints(flat->at(1)), (std::vector<std::int64_t>{0, 3}));
    }

    void norms()
    {
        AttrMap attrs{{"ksize", IntList{2}}, {"strides", IntList{1}}, {"p", 2}};
        AGREES(run1("LpPool", {tensor({1, 1, 3}, {3, 4, 0})}, attrs), {5, 4}, 1e-6);
        attrs["p"] = 1;
        AGREES(run1("LpPool", {tensor({1, 1, 3}, {3, -4, 0})}, attrs), {7, 4}, 1e-6);
        AGREES(run1("GlobalLpPool", {tensor({1, 1, 2}, {3, 4})}, {{"p", 2}}), {5}, 1e-6);
    }

    void global()
    {
        const HostTensor y = run1("GlobalAveragePool", {tensor({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8})});
        QCOMPARE(y.shape, (Shape{1, 2, 1, 1}));
        AGREES(y, {2.5, 6.5});
        AGREES(run1("GlobalMaxPool", {tensor({1, 2, 2}, {-1, -2, 3, 4})}), {-1, 4});
        // A mean of large halves must not overflow on the way.
        AGREES(run1("GlobalAveragePool", {tensor({1, 1, 4}, {60000, 60000, 60000, 60000}, DataType::Float16)}), {60000},
               1e-3);
    }

    void regions()
    {
        std::vector<double> x;
        for (int i = 0; i < 16; ++i) x.push_back(i);
        const HostTensor y =
            run1("MaxRoiPool", {tensor({1, 1, 4, 4}, x), tensor({2, 5}, {0, 0, 0, 3, 3, 0, 0, 0, 1, 1})},
                 {{"pooled_shape", IntList{2, 2}}});
        AGREES(y, {5, 7, 13, 15, 0, 1, 4, 5});
        QVERIFY(!runError("MaxRoiPool", {tensor({1, 1, 4, 4}, x), tensor({1, 5}, {7, 0, 0, 1, 1})},
                          {{"pooled_shape", IntList{1, 1}}})
                     .empty());
    }

    void badAttributesGiveOneError()
    {
        QVERIFY(!runError("MaxPoolV3", {count(4, 4)}, pool({1, 1, 0, 2}, {1, 1, 1, 1})).empty());
        QVERIFY(!runError("MaxPoolV3", {count(4, 4)}, pool({1, 1, 2, 2}, {1, 1, 0, 1})).empty());
        QVERIFY(!runError("MaxPoolV3", {count(4, 4)}, pool({1, 1, 9, 9}, {1, 1, 1, 1})).empty());
        QVERIFY(
            !runError("AvgPoolV2", {tensor({4, 4}, randomValues(16, 1))}, pool({1, 1, 2, 2}, {1, 1, 1, 1})).empty());
        QVERIFY(!runError("LpPool", {tensor({1, 1, 3}, {1, 2, 3})},
                          {{"ksize", IntList{2}}, {"strides", IntList{1}}, {"p", 0}})
                     .empty());
    }
};

QTEST_GUILESS_MAIN(TestPooling)
#include "tst_pooling.moc"
