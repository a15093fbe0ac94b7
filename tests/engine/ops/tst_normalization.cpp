#include "tests/support/kernel_test.h"

#include <QtTest>

#include <cmath>

using namespace gelens;
using namespace gelens::test;

namespace {
using Numbers = std::vector<double>;
}

#define SAME(actual, ...) QCOMPARE(QString::fromStdString(difference(actual, Numbers __VA_ARGS__)), QString())

class TestNormalization : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void batchNormInference()
    {
        const HostTensor x = tensor({1, 2, 2}, {1, 2, 3, 4});
        const HostTensor scale = tensor({2}, {2, 1}), offset = tensor({2}, {0, 10});
        const HostTensor mean = tensor({2}, {1, 3}), variance = tensor({2}, {4, 0.25});
        const AttrMap attrs{
            {"epsilon", AttrValue(0.0)}, {"is_training", AttrValue(false)}, {"data_format", AttrValue("NCHW")}};
        SAME(run1("BatchNorm", {x, scale, offset, mean, variance}, attrs), {0, 1, 10, 12});
        SAME(run1("BNInfer", {x, scale, offset, mean, variance}, {{"epsilon", AttrValue(0.0)}}), {0, 1, 10, 12});
        // Channels last: x as [1, 2, 2] with the channel innermost.
        AttrMap last = attrs;
        last["data_format"] = AttrValue("NHWC");
        SAME(run1("BatchNorm", {x, scale, offset, mean, variance}, last), {0, 8, 2, 12});
        QVERIFY(!runError("BatchNorm", {x, tensor({3}, {1, 2, 3}), offset, mean, variance}, attrs).empty());
        QVERIFY(!runError("BatchNorm", {x, scale, offset}, attrs).empty());
    }

    void batchNormTraining()
    {
        // Channel 0: 1, 3 (mean 2, variance 1); channel 1: 10, 30 (mean 20, variance 100).
        const HostTensor x = tensor({2, 2, 1}, {1, 10, 3, 30});
        const HostTensor one = tensor({2}, {1, 1}), zero = tensor({2}, {0, 0});
        const auto out = run("BatchNorm", {x, one, zero, tensor({2}, {0, 0}), tensor({2}, {1, 1})},
                             {{"epsilon", AttrValue(0.0)},
                              {"is_training", AttrValue(true)},
                              {"data_format", AttrValue("NCHW")},
                              {"exponential_avg_factor", AttrValue(0.25)}},
                             6);
        QVERIFY2(out.ok(), out.ok() ? "" : out.error().message().c_str());
        SAME(out.value()[0], {-1, -1, 1, 1});
        SAME(out.value()[1], {0.5, 5}); // 0 · 0.75 + mean · 0.25
        SAME(out.value()[2], {1, 25.75});
        SAME(out.value()[3], {2, 20});
        SAME(out.value()[4], {1, 100});
        QCOMPARE(out.value()[5].shape, (Shape{0}));
    }

    void layerNorm()
    {
        const HostTensor x = tensor({2, 2}, {1, 3, 10, 30});
        const AttrMap attrs{{"begin_norm_axis", AttrValue(-1)}, {"epsilon", AttrValue(0.0)}};
        const auto out = run("LayerNorm", {x, tensor({2}, {1, 2}), tensor({2}, {0, 5})}, attrs, 3);
        QVERIFY2(out.ok(), out.ok() ? "" : out.error().message().c_str());
        SAME(out.value()[0], {-1, 7, -1, 7});
        SAME(out.value()[1], {2, 20});
        SAME(out.value()[2], {1, 100});
        QCOMPARE(out.value()[1].shape, (Shape{2, 1}));
        const auto third = run("LayerNormV3", {x, tensor({2}, {1, 2}), absent()}, attrs, 3);
        QVERIFY2(third.ok(), third.ok() ? "" : third.error().message().c_str());
        SAME(third.value()[0], {-1, 2, -1, 2});
        SAME(third.value()[2], {1, 0.1});
        // Over all dims, with a scale that broadcasts.
        SAME(run1("LayerNormV3", {tensor({2, 2}, {1, 1, 3, 3}), tensor({2}, {1, 10}), absent()},
                  {{"begin_norm_axis", AttrValue(0)}, {"epsilon", AttrValue(0.0)}}),
             {-1, -10, 1, 10});
        // Halves keep fp32 statistics.
        const auto half =
            run("LayerNormV3", {tensor({1, 2}, {1, 3}, DataType::Float16), tensor({2}, {1, 1}, DataType::Float16)},
                attrs, 3);
        QCOMPARE(half.value()[0].dtype, DataType::Float16);
        QCOMPARE(half.value()[1].dtype, DataType::Float);
    }

    void rmsNorm()
    {
        const auto out =
            run("RmsNorm", {tensor({2, 2}, {1, 7, 6, 8}), tensor({2}, {1, 10})}, {{"epsilon", AttrValue(0.0)}}, 2);
        QVERIFY2(out.ok(), out.ok() ? "" : out.error().message().c_str());
        SAME(out.value()[0], {1 / 5.0, 70 / 5.0, 6 / std::sqrt(50.0), 80 / std::sqrt(50.0)});
        SAME(out.value()[1], {0.2, 1 / std::sqrt(50.0)});
        QCOMPARE(out.value()[1].shape, (Shape{2, 1}));
        QVERIFY(!runError("RmsNorm", {tensor({2}, {1, 2}), tensor({3}, {1, 2, 3})}).empty());
    }

    void groupsAndInstances()
    {
        const HostTensor x = tensor({1, 4, 1}, {1, 3, 10, 30});
        const HostTensor one = tensor({4}, {1, 1, 1, 1}), zero = tensor({4}, {0, 0, 0, 0});
        SAME(run1("GroupNorm", {x, one, zero}, {{"num_groups", AttrValue(2)}, {"eps", AttrValue(0.0)}}),
             {-1, 1, -1, 1});
        SAME(run1("GroupNorm", {x, tensor({4}, {1, 2, 3, 4}), zero},
                  {{"num_groups", AttrValue(2)}, {"eps", AttrValue(0.0)}}),
             {-1, 2, -3, 4});
        SAME(run1("GroupNorm", {x, tensor({2}, {1, 2}), tensor({2}, {0, 5})},
                  {{"num_groups", AttrValue(2)}, {"eps", AttrValue(0.0)}}),
             {-1, 1, 3, 7});
        QVERIFY(!runError("GroupNorm", {x, one, zero}, {{"num_groups", AttrValue(3)}}).empty());
        SAME(run1("InstanceNorm", {tensor({2, 1, 2}, {1, 3, 10, 30}), tensor({1}, {2}), tensor({1}, {1})},
                  {{"epsilon", AttrValue(0.0)}}),
             {-1, 3, -1, 3});
    }

    void localResponse()
    {
        // Three channels of one place, neighbours one to each side: bias 1, alpha 1, beta 1.
        const AttrMap attrs{{"depth_radius", AttrValue(1)}, {"beta", AttrValue(1.0)}};
        SAME(run1("LRN", {tensor({1, 3, 1}, {1, 2, 3})}, attrs), {1.0 / 6, 2.0 / 15, 3.0 / 14});
        AttrMap even = attrs;
        even["size"] = AttrValue(2); // itself and the next channel
        SAME(run1("LRN", {tensor({1, 3, 1}, {1, 2, 3})}, even), {1.0 / 6, 2.0 / 14, 3.0 / 10});
    }

    void byAxes()
    {
        SAME(run1("L2Normalize", {tensor({2, 2}, {3, 4, 0, 0})}, {{"axis", AttrValue(IntList{1})}}), {0.6, 0.8, 0, 0});
        SAME(run1("MVNV2", {tensor({2, 2}, {1, 10, 3, 30})}, {{"axes", AttrValue(IntList{0})}}), {-1, -1, 1, 1});
        SAME(run1("CosineSimilarity", {tensor({2, 2}, {1, 0, 3, 4}), tensor({2, 2}, {0, 2, 3, 4})}), {0, 1});
    }

    void emptyTensors()
    {
        QCOMPARE(
            run1("LayerNormV3", {tensor({0, 4}, {}), tensor({4}, {1, 1, 1, 1})}, {{"begin_norm_axis", AttrValue(1)}})
                .shape,
            (Shape{0, 4}));
        QCOMPARE(run1("BNInfer",
                      {tensor({0, 1, 2}, {}), tensor({1}, {1}), tensor({1}, {0}), tensor({1}, {0}), tensor({1}, {1})},
                      {{"epsilon", AttrValue(1e-5)}})
                     .shape,
                 (Shape{0, 1, 2}));
    }

    void inference()
    {
        Shape x{unknownDim, 16, unknownDim, unknownDim};
        x.setSymbol(0, "batch");
        const TensorDesc channel(DataType::Float, {16});
        const auto out = infer("BatchNorm", {TensorDesc(DataType::Float16, x), channel, channel, channel, channel},
                               {{"data_format", AttrValue("NCHW")}}, 6);
        QCOMPARE(out.value()[0].shape, x);
        QCOMPARE(out.value()[1], TensorDesc(DataType::Float, {16}));
        const auto norm = infer("LayerNorm", {TensorDesc(DataType::Float, x), channel, channel},
                                {{"begin_norm_axis", AttrValue(2)}}, 3);
        Shape statistics{unknownDim, 16, 1, 1};
        statistics.setSymbol(0, "batch");
        QCOMPARE(norm.value()[1].shape, statistics);
        QVERIFY(!infer("LayerNorm", {TensorDesc(DataType::Float, {2}), channel, channel},
                       {{"begin_norm_axis", AttrValue(1)}}, 3)
                     .ok());
    }
};

QTEST_GUILESS_MAIN(TestNormalization)
#include "tst_normalization.moc"
