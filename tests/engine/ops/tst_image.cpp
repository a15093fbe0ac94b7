#include "tests/support/kernel_test.h"

#include <QtTest>

using namespace gelens;
using namespace gelens::test;

namespace {

HostTensor list(IntList values)
{
    const auto count = static_cast<std::int64_t>(values.size());
    return intTensor({count}, std::move(values));
}

HostTensor numbers(std::vector<double> values)
{
    const auto count = static_cast<std::int64_t>(values.size());
    return tensor({count}, std::move(values));
}

QString textOf(const HostTensor& tensor) { return QString::fromStdString(tensor.shape.text()); }

HostTensor resize(const HostTensor& x, const HostTensor& scales, AttrMap attrs)
{
    return run1("Resize", {x, absent(), scales}, std::move(attrs));
}

} // namespace

class TestImage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nearestRepeatsPixels()
    {
        const HostTensor x = tensor({1, 1, 2, 2}, {1, 2, 3, 4});
        QCOMPARE(values(resize(x, numbers({1, 1, 2, 3}), {})),
                 (std::vector<double>{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 4}));
        const HostTensor row = tensor({1, 4}, {1, 2, 3, 4});
        QCOMPARE(values(resize(row, numbers({1, 0.6}), {})), (std::vector<double>{1, 3}));
        QCOMPARE(
            values(run1("Resize", {row, absent(), absent(), list({1, 8})},
                        {{"coordinate_transformation_mode", "asymmetric"}, {"nearest_mode", "round_prefer_ceil"}})),
            (std::vector<double>{1, 2, 2, 3, 3, 4, 4, 4}));
        QCOMPARE(values(run1("Resize", {row, absent(), absent(), list({1, 8})},
                             {{"coordinate_transformation_mode", "align_corners"}, {"nearest_mode", "floor"}})),
                 (std::vector<double>{1, 1, 1, 2, 2, 3, 3, 4}));
        QCOMPARE(*run1("Resize", {stringTensor({2}, {"a", "b"}), absent(), numbers({2})}).strings,
                 (StringList{"a", "a", "b", "b"}));
    }

    void linear()
    {
        const HostTensor row = tensor({1, 4}, {1, 2, 3, 4});
        const AttrMap halfPixel{{"mode", "linear"}};
        QCOMPARE(difference(resize(row, numbers({1, 2}), halfPixel), {1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4}),
                 std::string());
        QCOMPARE(difference(resize(row, numbers({1, 0.6}), halfPixel), {1.3333333, 3.0}), std::string());
        QCOMPARE(difference(resize(row, numbers({1, 2}),
                                   {{"mode", "linear"}, {"coordinate_transformation_mode", "asymmetric"}}),
                            {1, 1.5, 2, 2.5, 3, 3.5, 4, 4}),
                 std::string());
        QCOMPARE(difference(resize(row, numbers({1, 1.75}),
                                   {{"mode", "linear"}, {"coordinate_transformation_mode", "align_corners"}}),
                            {1, 1.5, 2, 2.5, 3, 3.5, 4}),
                 std::string());
        QCOMPARE(difference(run1("Resize", {row, absent(), absent(), list({1, 1})},
                                 {{"mode", "linear"}, {"coordinate_transformation_mode", "pytorch_half_pixel"}}),
                            {1}),
                 std::string());
        const HostTensor square = tensor({1, 1, 2, 2}, {1, 2, 3, 4});
        const HostTensor y = resize(square, numbers({1, 1, 2, 2}), halfPixel);
        QCOMPARE(difference(y, {1, 1.25, 1.75, 2, 1.5, 1.75, 2.25, 2.5, 2.5, 2.75, 3.25, 3.5, 3, 3.25, 3.75, 4}),
                 std::string());
        // fp16 is rounded on store, integers are cut off.
        QCOMPARE(values(resize(tensor({2}, {1, 2}, DataType::Float16), numbers({2}), halfPixel)),
                 (std::vector<double>{1, 1.25, 1.75, 2}));
        QCOMPARE(ints(resize(intTensor({2}, {1, 4}, DataType::UInt8), numbers({2}), halfPixel)), (IntList{1, 1, 3, 4}));
    }

    void cubic()
    {
        const HostTensor row = tensor({1, 4}, {1, 2, 3, 4});
        // At 0.25 of the way the weights of a = -0.75 are -0.10546875, 0.87890625, 0.26171875, -0.03515625.
        const HostTensor y = resize(row, numbers({1, 2}), {{"mode", "cubic"}});
        const double second = -0.10546875 * 1 + 0.87890625 * 1 + 0.26171875 * 2 - 0.03515625 * 3;
        QCOMPARE(difference({values(y)[1]}, {second}, 1e-6), std::string());
        // Without the pixels outside, a constant stays a constant.
        const HostTensor flat =
            resize(tensor({1, 4}, {7, 7, 7, 7}), numbers({1, 2}), {{"mode", "cubic"}, {"exclude_outside", 1}});
        QCOMPARE(difference(flat, std::vector<double>(8, 7.0), 1e-6), std::string());
    }

    void antialiasAverages()
    {
        // Halving with a triangle of width 4: weights 1, 3, 3, 1 (of 8), the edge repeated.
        const HostTensor y =
            resize(tensor({4}, {0, 8, 16, 24}), numbers({0.5}), {{"mode", "linear"}, {"antialias", 1}});
        QCOMPARE(difference(y, {(0 * 1 + 0 * 3 + 8 * 3 + 16 * 1) / 8.0, (8 * 1 + 16 * 3 + 24 * 3 + 24 * 1) / 8.0}),
                 std::string());
        // Enlarging is the same with and without.
        QCOMPARE(values(resize(tensor({2}, {1, 2}), numbers({2}), {{"mode", "linear"}, {"antialias", 1}})),
                 (std::vector<double>{1, 1.25, 1.75, 2}));
    }

    void axesAspectAndCrop()
    {
        const HostTensor x = tensor({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
        QCOMPARE(textOf(run1("Resize", {x, absent(), absent(), list({4, 4})},
                             {{"axes", IntList{2, 3}}, {"keep_aspect_ratio_policy", "not_larger"}})),
                 QStringLiteral("[1, 1, 2, 4]"));
        QCOMPARE(textOf(run1("Resize", {x, absent(), absent(), list({4, 4})},
                             {{"axes", IntList{2, 3}}, {"keep_aspect_ratio_policy", "not_smaller"}})),
                 QStringLiteral("[1, 1, 4, 8]"));
        QCOMPARE(textOf(resize(x, numbers({2}), {{"axes", IntList{-1}}})), QStringLiteral("[1, 1, 2, 8]"));
        const HostTensor crop = run1("Resize", {tensor({4}, {1, 2, 3, 4}), numbers({0, 2}), absent(), list({3})},
                                     {{"mode", "linear"},
                                      {"coordinate_transformation_mode", "tf_crop_and_resize"},
                                      {"extrapolation_value", 10.0}});
        QCOMPARE(values(crop), (std::vector<double>{1, 4, 10}));
    }

    void resizeShapesAndErrors()
    {
        Shape shape;
        shape.append(-1, "batch");
        shape.append(3);
        shape.append(-1);
        shape.append(8);
        const auto inferred = infer(
            "Resize",
            {TensorDesc(DataType::Float, shape), TensorDesc::unconnected(), TensorDesc(DataType::Float, Shape{4})}, {},
            1, {{2, numbers({1, 1, 2, 2})}});
        QVERIFY(inferred.ok());
        QCOMPARE(QString::fromStdString(inferred.value()[0].originShape.text()), QStringLiteral("[batch, 3, ?, 16]"));
        const HostTensor x = tensor({2}, {1, 2});
        QVERIFY(!runError("Resize", {x, absent(), numbers({1, 1})}).empty());
        QVERIFY(!runError("Resize", {x, absent(), numbers({-1})}).empty());
        QVERIFY(!runError("Resize", {x, absent(), numbers({1e12})}).empty());
        QVERIFY(!runError("Resize", {x, absent(), absent(), list({-3})}).empty());
        QVERIFY(!runError("Resize", {x, absent(), numbers({2})}, {{"mode", "quintic"}}).empty());
        QCOMPARE(textOf(run1("Resize", {tensor({0}, {}), absent(), numbers({2})})), QStringLiteral("[0]"));
    }

    void gridSampler()
    {
        const HostTensor x = tensor({1, 1, 2, 2}, {1, 2, 3, 4});
        const HostTensor grid = tensor({1, 1, 3, 2}, {0, 0, -1, -1, 3, 0});
        const auto with = [&](const char* mode, const char* padding, bool aligned) {
            return run1("GridSampler2D", {x, grid},
                        {{"interpolation_mode", mode}, {"padding_mode", padding}, {"align_corners", aligned}});
        };
        QCOMPARE(values(with("bilinear", "zeros", true)), (std::vector<double>{2.5, 1, 0}));
        QCOMPARE(values(with("bilinear", "zeros", false)), (std::vector<double>{2.5, 0.25, 0}));
        QCOMPARE(values(with("bilinear", "border", false)), (std::vector<double>{2.5, 1, 3}));
        QCOMPARE(values(with("nearest", "border", true)),
                 (std::vector<double>{1, 1, 2})); // halves go to the even pixel
        // x = 2 with corners aligned mirrors to 0.
        QCOMPARE(values(with("bilinear", "reflection", true)), (std::vector<double>{2.5, 1, 2}));
        QCOMPARE(difference({values(with("bicubic", "border", true))[0]}, {2.5}), std::string());
        const HostTensor cube = tensor({1, 1, 2, 1, 1}, {1, 3});
        QCOMPARE(values(run1("GridSampler3D", {cube, tensor({1, 1, 1, 1, 3}, {0, 0, 0})}, {{"align_corners", true}})),
                 (std::vector<double>{2}));
        QVERIFY(!runError("GridSampler2D", {x, tensor({1, 1, 1, 3}, {0, 0, 0})}).empty());
        QVERIFY(!runError("GridSampler2D", {x, tensor({2, 1, 1, 2}, {0, 0, 0, 0})}).empty());
    }

    void affineGrid()
    {
        const HostTensor identity = tensor({1, 2, 3}, {1, 0, 0, 0, 1, 0});
        QCOMPARE(values(run1("AffineGrid", {identity, list({1, 1, 2, 2})}, {{"align_corners", true}})),
                 (std::vector<double>{-1, -1, 1, -1, -1, 1, 1, 1}));
        QCOMPARE(values(run1("AffineGrid", {identity, list({1, 1, 1, 2})})), (std::vector<double>{-0.5, 0, 0.5, 0}));
        QVERIFY(!runError("AffineGrid", {identity, list({1, 1, 2})}).empty());
        QVERIFY(!runError("AffineGrid", {identity, list({2, 1, 2, 2})}).empty());
        QVERIFY(!runError("AffineGrid", {identity, list({1, 1, 1 << 20, 1 << 20})}).empty());
    }

    void roiAlign()
    {
        const HostTensor x = tensor({1, 1, 2, 2}, {1, 2, 3, 4});
        const AttrMap whole{
            {"spatial_scale", 1.0}, {"pooled_height", 1}, {"pooled_width", 1}, {"sample_num", 1}, {"roi_end_mode", 0}};
        // One sample in the middle of [0, 1] x [0, 1].
        QCOMPARE(values(run1("ROIAlign", {x, tensor({1, 5}, {0, 0, 0, 1, 1})}, whole)), (std::vector<double>{2.5}));
        AttrMap aligned = whole;
        aligned["roi_end_mode"] = 2;
        QCOMPARE(values(run1("ROIAlign", {x, tensor({1, 5}, {0, 0, 0, 1, 1})}, aligned)), (std::vector<double>{1}));
        QVERIFY(!runError("ROIAlign", {x, tensor({1, 5}, {1, 0, 0, 1, 1})}, whole).empty());
        QVERIFY(!runError("ROIAlign", {x, tensor({1, 4}, {0, 0, 1, 1})}, whole).empty());
        QCOMPARE(textOf(run1("ROIAlign", {x, tensor({0, 5}, {})}, whole)), QStringLiteral("[0, 1, 1, 1]"));
    }

    void nonMaxSuppression()
    {
        const HostTensor boxes = tensor({1, 3, 4}, {0, 0, 1, 1, 0, 0.1, 1, 1.1, 0, 10, 1, 11});
        const HostTensor scores = tensor({1, 1, 3}, {0.9, 0.75, 0.6});
        const auto found = [&](std::int64_t most, double overlap, double score) {
            return ints(
                run1("NonMaxSuppressionV6", {boxes, scores, list({most}), numbers({overlap}), numbers({score})}));
        };
        QCOMPARE(found(3, 0.5, 0), (IntList{0, 0, 0, 0, 0, 2}));
        QCOMPARE(found(1, 0.5, 0), (IntList{0, 0, 0}));
        QCOMPARE(found(3, 0.9, 0), (IntList{0, 0, 0, 0, 0, 1, 0, 0, 2}));
        QCOMPARE(found(3, 0.5, 0.8), (IntList{0, 0, 0}));
        QCOMPARE(textOf(run1("NonMaxSuppressionV6", {boxes, scores, absent(), absent(), absent()})),
                 QStringLiteral("[0, 3]"));
        // The same boxes by centre, and corners the other way round.
        const HostTensor centred = tensor({1, 3, 4}, {0.5, 0.5, 1, 1, 0.6, 0.5, 1, 1, 10.5, 0.5, 1, 1});
        QCOMPARE(ints(run1("NonMaxSuppressionV6", {centred, scores, list({3}), numbers({0.5}), absent()},
                           {{"center_point_box", 1}})),
                 (IntList{0, 0, 0, 0, 0, 2}));
        const HostTensor flipped = tensor({1, 3, 4}, {1, 1, 0, 0, 0, 0.1, 1, 1.1, 0, 11, 1, 10});
        QCOMPARE(ints(run1("NonMaxSuppressionV6", {flipped, scores, list({3}), numbers({0.5}), absent()})),
                 (IntList{0, 0, 0, 0, 0, 2}));
        QVERIFY(!runError("NonMaxSuppressionV6", {boxes, tensor({1, 1, 2}, {1, 2}), list({1}), absent(), absent()})
                     .empty());
    }
};

QTEST_GUILESS_MAIN(TestImage)
#include "tst_image.moc"
