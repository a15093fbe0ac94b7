#include "tests/support/kernel_test.h"

#include <QtTest>

#include <numeric>

using namespace gelens;
using namespace gelens::test;

namespace {

constexpr std::int64_t maxInt = std::numeric_limits<std::int64_t>::max();

HostTensor counting(Shape shape, DataType dtype = DataType::Int32)
{
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(shape.elementCount().value()));
    std::iota(numbers.begin(), numbers.end(), 0);
    return intTensor(std::move(shape), numbers, dtype);
}

HostTensor list(IntList values)
{
    const auto count = static_cast<std::int64_t>(values.size());
    return intTensor({count}, std::move(values));
}

HostTensor number(std::int64_t value) { return intTensor({}, {value}); }

/// [batch, 3, ?] with a named first dim.
Shape symbolic()
{
    Shape shape;
    shape.append(-1, "batch");
    shape.append(3);
    shape.append(-1);
    return shape;
}

QString inferredText(const std::string& type, const std::vector<TensorDesc>& inputs, AttrMap attrs = {},
                     const std::map<int, HostTensor>& constants = {})
{
    const auto result = infer(type, inputs, std::move(attrs), 1, constants);
    return QString::fromStdString(result.ok() ? result.value()[0].originShape.text()
                                              : "error: " + result.error().message());
}

QString textOf(const HostTensor& tensor) { return QString::fromStdString(tensor.shape.text()); }

} // namespace

class TestShape : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reshapeFillsInWhatIsLeft()
    {
        const HostTensor x = counting({2, 3, 4});
        QCOMPARE(textOf(run1("Reshape", {x, list({0, -1})})), QStringLiteral("[2, 12]"));
        QCOMPARE(textOf(run1("Reshape", {x, list({-1})})), QStringLiteral("[24]"));
        QCOMPARE(ints(run1("Reshape", {x, list({4, 6})})), ints(x));
        QCOMPARE(textOf(run1("Reshape", {counting({1}), list({})})), QStringLiteral("[]"));
        QCOMPARE(textOf(run1("Reshape", {counting({0, 3}), list({3, -1})})), QStringLiteral("[3, 0]"));
        QCOMPARE(textOf(run1("Reshape", {counting({3, 0}), list({0, 5})}, {{"allowzero", 1}})),
                 QStringLiteral("[0, 5]"));
        QCOMPARE(textOf(run1("Reshape", {x, list({12})}, {{"axis", 1}})), QStringLiteral("[2, 12]"));
        QVERIFY(!runError("Reshape", {x, list({5, -1})}).empty());
        QVERIFY(!runError("Reshape", {x, list({-1, -1})}).empty());
        QVERIFY(!runError("Reshape", {x, list({25})}).empty());
        QVERIFY(!runError("Reshape", {x, list({-2, 12})}).empty());
        QVERIFY(!runError("Reshape", {x, list({std::int64_t{1} << 40, std::int64_t{1} << 40})}).empty());
    }

    void reshapeKeepsSymbols()
    {
        const TensorDesc x(DataType::Float, symbolic()), shape(DataType::Int64, Shape{2});
        QCOMPARE(inferredText("Reshape", {x, shape}, {}, {{1, list({0, -1})}}), QStringLiteral("[batch, ?]"));
        QCOMPARE(inferredText("Reshape", {x, shape}), QStringLiteral("[?, ?]"));
        Shape one;
        one.append(-1, "n");
        one.append(6);
        // The only unknown dim is what -1 stands for.
        QCOMPARE(inferredText("Reshape", {TensorDesc(DataType::Float, one), shape}, {}, {{1, list({-1, 2, 3})}}),
                 QStringLiteral("[n, 2, 3]"));
        QCOMPARE(inferredText("Reshape", {TensorDesc(DataType::Float, one), shape}, {}, {{1, list({-1, 5})}}),
                 QStringLiteral("[?, 5]"));
    }

    void squeezeAndUnsqueeze()
    {
        const HostTensor x = counting({1, 3, 1});
        QCOMPARE(textOf(run1("Squeeze", {x})), QStringLiteral("[3]"));
        QCOMPARE(textOf(run1("Squeeze", {x}, {{"axis", IntList{-1}}})), QStringLiteral("[1, 3]"));
        QCOMPARE(textOf(run1("SqueezeV3", {x, list({0})})), QStringLiteral("[3, 1]"));
        QCOMPARE(textOf(run1("SqueezeV3", {x, absent()})), QStringLiteral("[3]"));
        QVERIFY(!runError("Squeeze", {x}, {{"axis", IntList{1}}}).empty());
        QVERIFY(!runError("Squeeze", {x}, {{"axis", IntList{3}}}).empty());
        QCOMPARE(textOf(run1("Unsqueeze", {counting({3})}, {{"axes", IntList{0, -1}}})), QStringLiteral("[1, 3, 1]"));
        QCOMPARE(textOf(run1("UnsqueezeV3", {counting({3}), list({1})})), QStringLiteral("[3, 1]"));
        QCOMPARE(textOf(run1("ExpandDims", {counting({3}), number(0)})), QStringLiteral("[1, 3]"));
        QVERIFY(!runError("Unsqueeze", {counting({3})}, {{"axes", IntList{0, 0}}}).empty());
        QCOMPARE(inferredText("Unsqueeze", {TensorDesc(DataType::Float, symbolic())}, {{"axes", IntList{1}}}),
                 QStringLiteral("[batch, 1, 3, ?]"));
        // Without axes an unknown dim may be 1 or not.
        QCOMPARE(inferredText("Squeeze", {TensorDesc(DataType::Float, symbolic())}), QStringLiteral("[...]"));
    }

    void flatten()
    {
        QCOMPARE(textOf(run1("Flatten", {counting({2, 3, 4})}, {{"axis", 0}})), QStringLiteral("[1, 24]"));
        QCOMPARE(textOf(run1("Flatten", {counting({2, 3, 4})}, {{"axis", -1}})), QStringLiteral("[6, 4]"));
        QCOMPARE(textOf(run1("Flatten", {counting({2, 3, 4})}, {{"axis", 3}})), QStringLiteral("[24, 1]"));
        QCOMPARE(textOf(run1("FlattenV2", {counting({2, 3, 4})}, {{"axis", 0}, {"end_axis", 1}})),
                 QStringLiteral("[6, 4]"));
        QVERIFY(!runError("Flatten", {counting({2})}, {{"axis", 2}}).empty());
        QCOMPARE(inferredText("Flatten", {TensorDesc(DataType::Float, symbolic())}), QStringLiteral("[batch, ?]"));
    }

    void shapeQueries()
    {
        const HostTensor x = counting({2, 0, 4});
        QCOMPARE(ints(run1("Shape", {x})), (IntList{2, 0, 4}));
        QCOMPARE(run1("Shape", {x}, {{"dtype", 9}}).dtype, DataType::Int64);
        QCOMPARE(ints(run1("Size", {x})), (IntList{0}));
        QCOMPARE(ints(run1("Rank", {x})), (IntList{3}));
        QCOMPARE(ints(run1("Shape", {number(5)})), IntList{});
    }

    void identityPassesAnyType()
    {
        QCOMPARE(*run1("Identity", {stringTensor({2}, {"a", "b"})}).strings, (StringList{"a", "b"}));
        QCOMPARE(ints(run1("Identity", {intTensor({3}, {1, -2, 7}, DataType::Int4)})), (IntList{1, -2, 7}));
        const auto both = run("IdentityN", {counting({2}), number(9)}, {}, 2);
        QVERIFY(both.ok());
        QCOMPARE(ints(both.value()[1]), (IntList{9}));
    }

    void concatJoinsAlongAnAxis()
    {
        const HostTensor a = counting({2, 2}), b = intTensor({2, 1}, {8, 9}, DataType::Int32);
        QCOMPARE(ints(run1("ConcatD", {a, b}, {{"concat_dim", -1}})), (IntList{0, 1, 8, 2, 3, 9}));
        QCOMPARE(ints(run1("ConcatV2", {a, a, number(0)})), (IntList{0, 1, 2, 3, 0, 1, 2, 3}));
        QCOMPARE(ints(run1("Concat", {number(1), a, b})), (IntList{0, 1, 8, 2, 3, 9}));
        QCOMPARE(textOf(run1("ConcatD", {counting({0, 2}), a}, {{"concat_dim", 0}})), QStringLiteral("[2, 2]"));
        QCOMPARE(*run1("ConcatD", {stringTensor({1}, {"x"}), stringTensor({1}, {"y"})}, {{"concat_dim", 0}}).strings,
                 (StringList{"x", "y"}));
        QCOMPARE(ints(run1("ConcatD", {intTensor({1}, {3}, DataType::Int4), intTensor({2}, {-1, 5}, DataType::Int4)},
                           {{"concat_dim", 0}})),
                 (IntList{3, -1, 5}));
        QVERIFY(!runError("ConcatD", {a, b}, {{"concat_dim", 0}}).empty());
        QVERIFY(!runError("ConcatD", {a, b}, {{"concat_dim", 2}}).empty());
        QVERIFY(!runError("ConcatD", {a, tensor({2, 2}, {1, 2, 3, 4})}, {{"concat_dim", 0}}).empty());
        const TensorDesc x(DataType::Float, symbolic());
        QCOMPARE(inferredText("ConcatD", {x, x}, {{"concat_dim", 1}}), QStringLiteral("[batch, 6, ?]"));
        QCOMPARE(inferredText("ConcatD", {x, TensorDesc(DataType::Float, Shape{4, 3, 5})}, {{"concat_dim", 1}}),
                 QStringLiteral("[4, 6, 5]"));
    }

    void splitCutsAlongAnAxis()
    {
        const HostTensor x = counting({2, 3});
        const auto parts = run("SplitV", {x, list({1, -1}), number(1)}, {{"num_split", 2}}, 2);
        QVERIFY(parts.ok());
        QCOMPARE(ints(parts.value()[0]), (IntList{0, 3}));
        QCOMPARE(ints(parts.value()[1]), (IntList{1, 2, 4, 5}));
        const auto equal = run("SplitD", {x}, {{"split_dim", 1}, {"num_split", 3}}, 3);
        QVERIFY(equal.ok());
        QCOMPARE(ints(equal.value()[2]), (IntList{2, 5}));
        const auto uneven = run("Split", {number(0), counting({5})}, {{"num_split", 2}, {"uneven", true}}, 2);
        QVERIFY(uneven.ok());
        QCOMPARE(ints(uneven.value()[1]), (IntList{3, 4}));
        const auto empty =
            run("SplitVD", {counting({2})}, {{"split_dim", 0}, {"size_splits", IntList{2, 0}}, {"num_split", 2}}, 2);
        QVERIFY(empty.ok());
        QCOMPARE(textOf(empty.value()[1]), QStringLiteral("[0]"));
        QVERIFY(!run("SplitD", {x}, {{"split_dim", 1}, {"num_split", 2}}, 2).ok());
        QVERIFY(!run("SplitV", {x, list({1, 1}), number(1)}, {{"num_split", 2}}, 2).ok());
        QVERIFY(!run("SplitV", {x, list({-5, 8}), number(1)}, {{"num_split", 2}}, 2).ok());
    }

    void packAndUnpack()
    {
        QCOMPARE(ints(run1("Pack", {counting({2}), intTensor({2}, {7, 8}, DataType::Int32)}, {{"axis", 1}})),
                 (IntList{0, 7, 1, 8}));
        const auto parts = run("Unpack", {counting({2, 3})}, {{"num", 3}, {"axis", 1}}, 3);
        QVERIFY(parts.ok());
        QCOMPARE(ints(parts.value()[1]), (IntList{1, 4}));
        QVERIFY(!runError("Pack", {counting({2}), counting({3})}).empty());
        QVERIFY(!run("Unpack", {counting({2, 3})}, {{"num", 2}, {"axis", 1}}, 2).ok());
    }

    void stridedSliceClampsBounds()
    {
        const HostTensor x = counting({3, 4});
        QCOMPARE(ints(run1("StridedSliceV2", {x, list({1}), list({100}), list({0})})),
                 (IntList{4, 5, 6, 7, 8, 9, 10, 11}));
        QCOMPARE(ints(run1("StridedSliceV2", {x, list({-1, 0}), list({-100, maxInt}), list({0, 1}), list({-1, 2})})),
                 (IntList{8, 10, 4, 6, 0, 2}));
        QCOMPARE(textOf(run1("StridedSliceV2", {x, list({2}), list({1}), list({0})})), QStringLiteral("[0, 4]"));
        QCOMPARE(ints(run1("StridedSliceV2", {x, list({-2}), list({maxInt}), list({-1})})),
                 (IntList{2, 3, 6, 7, 10, 11}));
        QCOMPARE(
            ints(run1("StridedSliceV2", {counting({5}), list({4}), list({std::numeric_limits<std::int64_t>::min()}),
                                         list({0}), list({-2})})),
            (IntList{4, 2, 0}));
        QVERIFY(!runError("StridedSliceV2", {x, list({0}), list({1}), list({5})}).empty());
        QVERIFY(!runError("StridedSliceV2", {x, list({0}), list({1}), list({0}), list({0})}).empty());
        QVERIFY(!runError("StridedSliceV2", {x, list({0, 0}), list({1, 1}), list({0, 0})}).empty());
        QVERIFY(!runError("StridedSliceV2", {x, list({0, 0}), list({1})}).empty());
    }

    void stridedSliceMasks()
    {
        const HostTensor x = counting({2, 3, 4});
        // x[1, ..., 2]
        AttrMap attrs{{"ellipsis_mask", 2}, {"shrink_axis_mask", 5}};
        QCOMPARE(ints(run1("StridedSlice", {x, list({1, 0, 2}), list({2, 0, 3}), list({1, 1, 1})}, attrs)),
                 (IntList{14, 18, 22}));
        // x[:, newaxis, 1:]
        attrs = {{"begin_mask", 1}, {"end_mask", 5}, {"new_axis_mask", 2}};
        const HostTensor y = run1("StridedSlice", {x, list({9, 0, 1}), list({0, 0, 0}), list({1, 1, 1})}, attrs);
        QCOMPARE(textOf(y), QStringLiteral("[2, 1, 2, 4]"));
        QCOMPARE(ints(y).front(), std::int64_t{4});
        QVERIFY(!runError("StridedSlice", {x, list({2}), list({3})}, {{"shrink_axis_mask", 1}}).empty());
    }

    void sliceShapesWithUnknownDims()
    {
        const TensorDesc x(DataType::Float, symbolic()), one(DataType::Int64, Shape{1});
        QCOMPARE(
            inferredText("StridedSliceV2", {x, one, one, one}, {}, {{1, list({0})}, {2, list({2})}, {3, list({1})}}),
            QStringLiteral("[batch, 2, ?]"));
        QCOMPARE(inferredText("StridedSliceV2", {x, one, one, one}, {},
                              {{1, list({0})}, {2, list({maxInt})}, {3, list({0})}}),
                 QStringLiteral("[batch, 3, ?]"));
        QCOMPARE(inferredText("StridedSliceV2", {x, one, one, one}, {}, {{3, list({1})}}),
                 QStringLiteral("[batch, ?, ?]"));
        QCOMPARE(inferredText("StridedSliceV2", {x, one, one, one}), QStringLiteral("[?, ?, ?]"));
    }

    void sliceByOffsetAndSize()
    {
        const HostTensor x = counting({3, 4});
        QCOMPARE(ints(run1("Slice", {x, list({1, 1}), list({2, 2})})), (IntList{5, 6, 9, 10}));
        QCOMPARE(ints(run1("SliceD", {x}, {{"offsets", IntList{2, 2}}, {"size", IntList{-1, -1}}})), (IntList{10, 11}));
        QVERIFY(!runError("Slice", {x, list({1, 1}), list({3, 2})}).empty());
        QVERIFY(!runError("Slice", {x, list({-1, 1}), list({1, 2})}).empty());
    }

    void padModes()
    {
        const HostTensor x = tensor({4}, {1, 2, 3, 4});
        const AttrMap edge{{"mode", "edge"}}, reflect{{"mode", "reflect"}}, symmetric{{"mode", "symmetric"}},
            circular{{"mode", "circular"}};
        QCOMPARE(values(run1("PadV3", {x, list({1, 2}), tensor({}, {9})})), (std::vector<double>{9, 1, 2, 3, 4, 9, 9}));
        QCOMPARE(values(run1("PadV3", {x, list({1, 2}), absent()}, edge)), (std::vector<double>{1, 1, 2, 3, 4, 4, 4}));
        QCOMPARE(values(run1("PadV3", {x, list({2, 2}), absent()}, reflect)),
                 (std::vector<double>{3, 2, 1, 2, 3, 4, 3, 2}));
        QCOMPARE(values(run1("PadV3", {x, list({2, 1}), absent()}, symmetric)),
                 (std::vector<double>{2, 1, 1, 2, 3, 4, 4}));
        QCOMPARE(values(run1("PadV3", {x, list({2, 1}), absent()}, circular)),
                 (std::vector<double>{3, 4, 1, 2, 3, 4, 1}));
        // Cut in front, pad behind.
        QCOMPARE(values(run1("PadV3", {x, list({-1, 1}), absent()})), (std::vector<double>{2, 3, 4, 0}));
        QCOMPARE(values(run1("PadV3", {x, list({-1, 1}), absent()}, edge)), (std::vector<double>{2, 3, 4, 4}));
        // More than one reflection.
        QCOMPARE(values(run1("PadV3", {tensor({2}, {1, 2}), list({3, 0}), absent()}, reflect)),
                 (std::vector<double>{2, 1, 2, 1, 2}));
        QVERIFY(!runError("PadV3", {x, list({1}), absent()}).empty());
        QVERIFY(!runError("PadV3", {x, list({-3, -2}), absent()}).empty());
        QVERIFY(!runError("PadV3", {x, list({0, std::int64_t{1} << 38}), absent()}).empty());
        QVERIFY(!runError("PadV3", {tensor({0}, {}), list({1, 0}), absent()}, edge).empty());
        QVERIFY(!runError("PadV3", {x, list({1, 2}), absent()}, {{"mode", "sideways"}}).empty());
    }

    void padListOrders()
    {
        const HostTensor x = counting({1, 2});
        // Pairs for each dim, or begins before ends.
        QCOMPARE(ints(run1("PadV3", {x, list({0, 1, 1, 0}), absent()})), (IntList{0, 0, 1, 0, 0, 0}));
        QCOMPARE(ints(run1("PadV3", {x, list({0, 1, 1, 0}), absent()}, {{"paddings_contiguous", false}})),
                 (IntList{0, 0, 1, 0, 0, 0}));
        QCOMPARE(ints(run1("PadV3", {x, list({1, 0, 0, 0}), absent()}, {{"paddings_contiguous", false}})),
                 (IntList{0, 0, 0, 1}));
        QCOMPARE(inferredText("PadV3", {TensorDesc(DataType::Float, symbolic()), TensorDesc(DataType::Int64, Shape{6})},
                              {}, {{1, list({0, 0, 1, 1, 2, 0})}}),
                 QStringLiteral("[batch, 5, ?]"));
    }

    void centerCropPad()
    {
        QCOMPARE(ints(run1("CenterCropPad", {counting({5}), list({2})})), (IntList{1, 2}));
        QCOMPARE(ints(run1("CenterCropPad", {counting({2}), list({5})})), (IntList{0, 0, 1, 0, 0}));
        QCOMPARE(textOf(run1("CenterCropPad", {counting({5, 6}), list({2})}, {{"axes", IntList{-1}}})),
                 QStringLiteral("[5, 2]"));
        QVERIFY(!runError("CenterCropPad", {counting({5}), list({-2})}).empty());
    }

    void tileAndExpand()
    {
        QCOMPARE(ints(run1("Tile", {counting({2, 2}), list({1, 2})})), (IntList{0, 1, 0, 1, 2, 3, 2, 3}));
        QCOMPARE(ints(run1("Tile", {counting({2, 1}), list({2, 1})})), (IntList{0, 1, 0, 1}));
        QCOMPARE(textOf(run1("Tile", {counting({2}), list({0})})), QStringLiteral("[0]"));
        QCOMPARE(ints(run1("Expand", {counting({2, 1}), list({3, 1, 2})})),
                 (IntList{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1}));
        QCOMPARE(textOf(run1("Expand", {counting({2, 3}), list({1})})), QStringLiteral("[2, 3]"));
        QCOMPARE(ints(run1("BroadcastTo", {number(7), list({2})})), (IntList{7, 7}));
        QVERIFY(!runError("Expand", {counting({2}), list({3})}).empty());
        QVERIFY(!runError("BroadcastTo", {counting({2}), list({1})}).empty());
        QVERIFY(!runError("Tile", {counting({2}), list({-1})}).empty());
    }

    /// Sizes that a wrong file may hold are refused before anything is allocated.
    void hugeResultsAreRefused()
    {
        const std::int64_t huge = std::int64_t{1} << 33;
        QVERIFY(!runError("Fill", {list({huge}), tensor({}, {1})}).empty());
        QVERIFY(!runError("Fill", {list({huge, huge}), tensor({}, {1})}).empty());
        QVERIFY(!runError("Fill", {list({-1}), tensor({}, {1})}).empty());
        QVERIFY(!runError("Tile", {counting({2}), list({huge})}).empty());
        QVERIFY(!runError("Expand", {counting({1}), list({huge})}).empty());
        QVERIFY(!runError("Range", {number(0), number(maxInt), number(1)}).empty());
        QVERIFY(!runError("Range", {number(0), number(5), number(0)}).empty());
        QVERIFY(!runError("Eye", {}, {{"num_rows", huge}}).empty());
        // 0 elements stay possible, whatever the other dims.
        QCOMPARE(textOf(run1("Fill", {list({0, 1 << 30}), tensor({}, {1})})), QStringLiteral("[0, 1073741824]"));
    }

    void fillAndRange()
    {
        QCOMPARE(values(run1("Fill", {list({2, 2}), tensor({}, {1.5})})), (std::vector<double>{1.5, 1.5, 1.5, 1.5}));
        QCOMPARE(*run1("Fill", {list({2}), stringTensor({}, {"s"})}).strings, (StringList{"s", "s"}));
        QCOMPARE(values(run1("Fill", {list({}), tensor({1}, {3})})), (std::vector<double>{3}));
        QCOMPARE(ints(run1("Range", {number(10), number(4), number(-2)})), (IntList{10, 8, 6}));
        QCOMPARE(ints(run1("Range", {number(1), number(5), number(2)}, {{"is_closed", true}})), (IntList{1, 3, 5}));
        QCOMPARE(values(run1("Range", {tensor({}, {0}), tensor({}, {1}), tensor({}, {0.25})})),
                 (std::vector<double>{0, 0.25, 0.5, 0.75}));
        QCOMPARE(textOf(run1("Range", {number(3), number(3), number(1)})), QStringLiteral("[0]"));
        const TensorDesc scalar(DataType::Int64, Shape{});
        QCOMPARE(inferredText("Range", {scalar, scalar, scalar}), QStringLiteral("[?]"));
        QCOMPARE(inferredText("Fill", {TensorDesc(DataType::Int64, Shape{2}), scalar}), QStringLiteral("[?, ?]"));
    }

    void matrices()
    {
        QCOMPARE(ints(run1("EyeLike", {counting({2, 3})}, {{"k", 1}})), (IntList{0, 1, 0, 0, 0, 1}));
        QCOMPARE(run1("EyeLike", {counting({2, 2})}, {{"dtype", DataType::Double}}).dtype, DataType::Double);
        QCOMPARE(ints(run1("EyeLike", {counting({2, 2})}, {{"k", -5}})), (IntList{0, 0, 0, 0}));
        QCOMPARE(values(run1("Eye", {}, {{"num_rows", 1}, {"num_columns", 2}, {"batch_shape", IntList{2}}})),
                 (std::vector<double>{1, 0, 1, 0}));
        const HostTensor x = intTensor({2, 3}, {1, 2, 3, 4, 5, 6});
        QCOMPARE(ints(run1("Trilu", {x, absent()})), (IntList{1, 2, 3, 0, 5, 6}));
        QCOMPARE(ints(run1("Trilu", {x, number(-1)}, {{"upper", 0}})), (IntList{0, 0, 0, 4, 0, 0}));
        QCOMPARE(ints(run1("Trilu", {x, number(100)})), (IntList{0, 0, 0, 0, 0, 0}));
        QCOMPARE(ints(run1("Tril", {x}, {{"diagonal", 1}})), (IntList{1, 2, 0, 4, 5, 6}));
        QVERIFY(!runError("Trilu", {counting({3}), absent()}).empty());
    }

    void transposePermutes()
    {
        QCOMPARE(ints(run1("Transpose", {counting({2, 3}), list({1, 0})})), (IntList{0, 3, 1, 4, 2, 5}));
        const HostTensor y = run1("TransposeD", {counting({2, 3, 4})}, {{"perm", IntList{2, 0, 1}}});
        QCOMPARE(textOf(y), QStringLiteral("[4, 2, 3]"));
        QCOMPARE(ints(y)[1], std::int64_t{4});
        QCOMPARE(ints(y)[23], std::int64_t{23});
        QCOMPARE(*run1("Transpose", {stringTensor({1, 2}, {"a", "b"}), list({1, 0})}).strings, (StringList{"a", "b"}));
        QVERIFY(!runError("Transpose", {counting({2, 3}), list({0, 0})}).empty());
        QVERIFY(!runError("Transpose", {counting({2, 3}), list({0})}).empty());
        QCOMPARE(inferredText("TransposeD", {TensorDesc(DataType::Float, symbolic())}, {{"perm", IntList{1, 0, 2}}}),
                 QStringLiteral("[3, batch, ?]"));
    }

    /// The tiled copy must agree with the definition for sizes that are no multiple of the tile, and every width.
    void largeTransposes_data()
    {
        QTest::addColumn<int>("dtype");
        for (const DataType dtype : {DataType::Int8, DataType::Int16, DataType::Int32, DataType::Int64})
            QTest::newRow(dataTypeName(dtype).data()) << static_cast<int>(dtype);
    }
    void largeTransposes()
    {
        QFETCH(int, dtype);
        const HostTensor x = counting({3, 37, 45}, static_cast<DataType>(dtype));
        const IntList from = ints(x), to = ints(run1("TransposeD", {x}, {{"perm", IntList{2, 1, 0}}}));
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 37; ++b)
                for (std::size_t c = 0; c < 45; ++c) QCOMPARE(to[(c * 37 + b) * 3 + a], from[(a * 37 + b) * 45 + c]);
    }

    void depthAndSpace()
    {
        // One block of four channels becomes a square.
        const HostTensor x = counting({1, 4, 1, 1});
        const AttrMap nchw{{"block_size", 2}, {"data_format", "NCHW"}};
        QCOMPARE(ints(run1("DepthToSpace", {x}, nchw)), (IntList{0, 1, 2, 3}));
        const HostTensor deep = counting({1, 8, 1, 1});
        QCOMPARE(ints(run1("DepthToSpace", {deep}, nchw)), (IntList{0, 2, 4, 6, 1, 3, 5, 7}));
        AttrMap crd = nchw;
        crd["mode"] = "CRD";
        QCOMPARE(ints(run1("DepthToSpace", {deep}, crd)), (IntList{0, 1, 2, 3, 4, 5, 6, 7}));
        const HostTensor image = counting({2, 3, 4, 6});
        QCOMPARE(ints(run1("DepthToSpace", {run1("SpaceToDepth", {image}, nchw)}, nchw)), ints(image));
        const AttrMap nhwc{{"block_size", 2}};
        const HostTensor last = counting({1, 4, 2, 3});
        QCOMPARE(ints(run1("DepthToSpace", {run1("SpaceToDepth", {last}, nhwc)}, nhwc)), ints(last));
        QVERIFY(!runError("DepthToSpace", {counting({1, 3, 1, 1})}, nchw).empty());
        QVERIFY(!runError("SpaceToDepth", {counting({1, 1, 3, 2})}, nchw).empty());
        QVERIFY(!runError("SpaceToDepth", {counting({2, 2})}, nchw).empty());
    }

    void reversals()
    {
        QCOMPARE(ints(run1("ReverseV2", {counting({2, 3}), list({1})})), (IntList{2, 1, 0, 5, 4, 3}));
        QCOMPARE(ints(run1("ReverseSequence", {counting({4, 2}), list({3, 1})}, {{"seq_dim", 0}, {"batch_dim", 1}})),
                 (IntList{4, 1, 2, 3, 0, 5, 6, 7}));
        QCOMPARE(ints(run1("ReverseSequence", {counting({2, 3}), list({2, 3})}, {{"seq_dim", 1}, {"batch_dim", 0}})),
                 (IntList{1, 0, 2, 5, 4, 3}));
        QVERIFY(!runError("ReverseSequence", {counting({2, 3}), list({2, 4})}, {{"seq_dim", 1}}).empty());
        QVERIFY(!runError("ReverseSequence", {counting({2, 3}), list({2})}, {{"seq_dim", 1}}).empty());
    }

    void col2im()
    {
        // Two 1x2 windows that overlap in the middle of a row of three.
        const HostTensor columns = tensor({1, 2, 2}, {1, 2, 3, 4});
        const AttrMap attrs{{"kernel_size", IntList{1, 2}},
                            {"dilation", IntList{1, 1}},
                            {"padding", IntList{0, 0}},
                            {"stride", IntList{1, 1}}};
        QCOMPARE(values(run1("Col2im", {columns, list({1, 3})}, attrs)), (std::vector<double>{1, 2 + 3, 4}));
        QCOMPARE(values(run1("Col2imNd", {columns, list({1, 3}), list({1, 2})})), (std::vector<double>{1, 5, 4}));
        QVERIFY(!runError("Col2im", {columns, list({1, 4})}, attrs).empty());
        QVERIFY(!runError("Col2imNd", {columns, list({1, 3}), list({1, 0})}).empty());
    }
};

QTEST_GUILESS_MAIN(TestShape)
#include "tst_shape_ops.moc"
