#include "tests/support/kernel_test.h"

#include <QtTest>

#include <cmath>
#include <numeric>

using namespace gelens;
using namespace gelens::test;

namespace {

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

QString textOf(const HostTensor& tensor) { return QString::fromStdString(tensor.shape.text()); }

QString inferredText(const std::string& type, const std::vector<TensorDesc>& inputs, AttrMap attrs = {},
                     const std::map<int, HostTensor>& constants = {})
{
    const auto result = infer(type, inputs, std::move(attrs), 1, constants);
    return QString::fromStdString(result.ok() ? result.value()[0].originShape.text()
                                              : "error: " + result.error().message());
}

} // namespace

class TestGather : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gatherTakesSlices()
    {
        const HostTensor x = counting({3, 2});
        QCOMPARE(ints(run1("GatherV2", {x, list({2, 0}), number(0)})), (IntList{4, 5, 0, 1}));
        QCOMPARE(ints(run1("GatherV2", {x, list({-1}), number(1)})), (IntList{1, 3, 5}));
        QCOMPARE(textOf(run1("GatherV2", {x, number(1), number(0)})), QStringLiteral("[2]"));
        QCOMPARE(textOf(run1("GatherV2", {x, intTensor({1, 2}, {0, 1}), number(1)})), QStringLiteral("[3, 1, 2]"));
        QCOMPARE(ints(run1("GatherV2", {counting({2, 3}), intTensor({2, 1}, {2, 0}), number(1)}, {{"batch_dims", 1}})),
                 (IntList{2, 3}));
        QCOMPARE(*run1("GatherV2", {stringTensor({2}, {"a", "b"}), list({1, 1}), number(0)}).strings,
                 (StringList{"b", "b"}));
        QCOMPARE(textOf(run1("GatherV2", {x, list({}), number(0)})), QStringLiteral("[0, 2]"));
        QVERIFY(!runError("GatherV2", {x, list({3}), number(0)}).empty());
        QVERIFY(!runError("GatherV2", {x, list({-4}), number(0)}).empty());
        QVERIFY(!runError("GatherV2", {x, list({0}), number(2)}).empty());
        QVERIFY(!runError("GatherV2", {counting({0, 2}), list({0}), number(0)}).empty());
        Shape named;
        named.append(-1, "batch");
        QCOMPARE(inferredText("GatherV2",
                              {TensorDesc(DataType::Float, Shape{30, 8}), TensorDesc(DataType::Int64, named),
                               TensorDesc(DataType::Int32, Shape{})},
                              {}, {{2, number(0)}}),
                 QStringLiteral("[batch, 8]"));
    }

    void gatherElementsAndNd()
    {
        QCOMPARE(ints(run1("GatherElements", {intTensor({2, 2}, {1, 2, 3, 4}), intTensor({2, 2}, {0, 0, 1, 0})},
                           {{"dim", 1}})),
                 (IntList{1, 1, 4, 3}));
        QCOMPARE(ints(run1("GatherElements", {counting({3, 3}), intTensor({2, 3}, {1, 2, 0, -1, 0, 0})}, {{"dim", 0}})),
                 (IntList{3, 7, 2, 6, 1, 2}));
        QVERIFY(!runError("GatherElements", {counting({2, 2}), intTensor({1, 1}, {2})}, {{"dim", 1}}).empty());
        QVERIFY(!runError("GatherElements", {counting({2, 2}), intTensor({3, 1}, {0, 0, 0})}, {{"dim", 1}}).empty());
        QCOMPARE(ints(run1("GatherNd", {counting({2, 2}), intTensor({2, 2}, {0, 0, 1, -1})})), (IntList{0, 3}));
        QCOMPARE(ints(run1("GatherNd", {counting({2, 2, 2}), intTensor({2, 1}, {1, 0})}, {{"batch_dims", 1}})),
                 (IntList{2, 3, 4, 5}));
        QVERIFY(!runError("GatherNd", {counting({2, 2}), intTensor({1, 2}, {0, 2})}).empty());
        QVERIFY(!runError("GatherNd", {counting({2, 2}), intTensor({1, 3}, {0, 0, 0})}).empty());
        QCOMPARE(inferredText("GatherNd",
                              {TensorDesc(DataType::Float, Shape{4, 5, 6}), TensorDesc(DataType::Int64, Shape{-1, 2})}),
                 QStringLiteral("[?, 6]"));
    }

    void scatterElements()
    {
        const HostTensor data = tensor({1, 5}, {1, 2, 3, 4, 5}), indices = intTensor({1, 2}, {1, 1}),
                         updates = tensor({1, 2}, {1.5, 2.5});
        const auto with = [&](const char* reduction) {
            return values(run1("ScatterElements", {data, indices, updates}, {{"axis", 1}, {"reduction", reduction}}));
        };
        QCOMPARE(with("none"), (std::vector<double>{1, 2.5, 3, 4, 5}));
        QCOMPARE(with("add"), (std::vector<double>{1, 6, 3, 4, 5}));
        QCOMPARE(with("mul"), (std::vector<double>{1, 7.5, 3, 4, 5}));
        QCOMPARE(with("max"), (std::vector<double>{1, 2.5, 3, 4, 5}));
        QCOMPARE(with("min"), (std::vector<double>{1, 1.5, 3, 4, 5}));
        QCOMPARE(
            *run1("ScatterElements", {stringTensor({2}, {"a", "b"}), list({-1}), stringTensor({1}, {"z"})}).strings,
            (StringList{"a", "z"}));
        QVERIFY(!runError("ScatterElements", {data, intTensor({1, 2}, {0, 5}), updates}, {{"axis", 1}}).empty());
        QVERIFY(!runError("ScatterElements", {data, indices, tensor({1, 1}, {1})}, {{"axis", 1}}).empty());
        QVERIFY(!runError("ScatterElements", {data, indices, updates}, {{"axis", 1}, {"reduction", "xor"}}).empty());
    }

    void scatterNd()
    {
        const HostTensor var = tensor({4}, {1, 2, 3, 4}), at = intTensor({2, 1}, {1, -1}),
                         updates = tensor({2}, {10, 20});
        QCOMPARE(values(run1("ScatterNdUpdate", {var, at, updates})), (std::vector<double>{1, 10, 3, 20}));
        QCOMPARE(values(run1("ScatterNdAdd", {var, at, updates})), (std::vector<double>{1, 12, 3, 24}));
        QCOMPARE(values(run1("ScatterNdMul", {var, at, updates})), (std::vector<double>{1, 20, 3, 80}));
        QCOMPARE(values(run1("ScatterNdMin", {var, at, updates})), (std::vector<double>{1, 2, 3, 4}));
        QCOMPARE(values(run1("ScatterNd", {intTensor({3, 1}, {0, 2, 0}), tensor({3}, {1, 2, 4}), list({3})})),
                 (std::vector<double>{5, 0, 2}));
        QCOMPARE(values(run1("ScatterNdUpdate",
                             {tensor({2, 2}, {1, 2, 3, 4}), intTensor({1, 1}, {1}), tensor({1, 2}, {8, 9})})),
                 (std::vector<double>{1, 2, 8, 9}));
        QVERIFY(!runError("ScatterNdUpdate", {var, intTensor({1, 1}, {4}), tensor({1}, {0})}).empty());
        QVERIFY(!runError("ScatterNdUpdate", {var, at, tensor({3}, {1, 2, 3})}).empty());
        QVERIFY(
            !runError("ScatterNd", {intTensor({1, 1}, {0}), tensor({1}, {1}), list({std::int64_t{1} << 40})}).empty());
    }

    void tensorScatterWritesSteps()
    {
        const HostTensor cache = counting({1, 4, 1}), update = intTensor({1, 2, 1}, {8, 9}, DataType::Int32);
        QCOMPARE(ints(run1("TensorScatter", {cache, update, list({1})})), (IntList{0, 8, 9, 3}));
        QCOMPARE(ints(run1("TensorScatter", {cache, update, list({3})}, {{"mode", "circular"}})),
                 (IntList{9, 1, 2, 8}));
        QVERIFY(!runError("TensorScatter", {cache, update, list({3})}).empty());
    }

    void oneHot()
    {
        const HostTensor on = tensor({}, {5}), off = tensor({}, {2});
        QCOMPARE(values(run1("OneHot", {list({1, -1}), number(3), on, off})), (std::vector<double>{2, 5, 2, 2, 2, 2}));
        QCOMPARE(values(run1("OneHot", {list({1, -1}), number(3), on, off}, {{"negative_index_support", true}})),
                 (std::vector<double>{2, 5, 2, 2, 2, 5}));
        QCOMPARE(values(run1("OneHot", {list({1, 0}), tensor({1}, {2}), on, off}, {{"axis", 0}})),
                 (std::vector<double>{2, 5, 5, 2}));
        QVERIFY(!runError("OneHot", {list({1}), number(-1), on, off}).empty());
        QVERIFY(!runError("OneHot", {list({1}), number(std::int64_t{1} << 40), on, off}).empty());
        Shape named;
        named.append(-1, "n");
        const TensorDesc scalar(DataType::Float, Shape{});
        QCOMPARE(inferredText("OneHot", {TensorDesc(DataType::Int64, named), TensorDesc(DataType::Int64, Shape{}),
                                         scalar, scalar}),
                 QStringLiteral("[n, ?]"));
    }

    void topK()
    {
        const HostTensor x = tensor({2, 4}, {3, 1, 4, 4, -1, std::nan(""), 2, 0});
        const auto best = run("TopKV2", {x, number(2)}, {}, 2);
        QVERIFY(best.ok());
        QCOMPARE(difference(best.value()[0], {4, 4, std::nan(""), 2}), std::string());
        QCOMPARE(ints(best.value()[1]), (IntList{2, 3, 1, 2})); // equal elements by index
        QCOMPARE(best.value()[1].dtype, DataType::Int32);
        const auto least = run("TopK", {x, number(1)}, {{"largest", false}, {"indices_dtype", 9}}, 2);
        QVERIFY(least.ok());
        QCOMPARE(values(least.value()[0]), (std::vector<double>{1, -1}));
        QCOMPARE(least.value()[1].dtype, DataType::Int64);
        const auto columns = run("TopK", {counting({2, 2}), number(1)}, {{"dim", 0}}, 2);
        QVERIFY(columns.ok());
        QCOMPARE(ints(columns.value()[0]), (IntList{2, 3}));
        QVERIFY(!run("TopK", {x, number(5)}, {}, 2).ok());
        QVERIFY(!run("TopK", {x, number(-1)}, {}, 2).ok());
        QVERIFY(run("TopK", {x, number(0)}, {}, 2).ok());
    }

    void nonZeroPlaces()
    {
        const HostTensor x = tensor({2, 2}, {1, 0, 0, 3});
        QCOMPARE(ints(run1("NonZero", {x}, {{"transpose", true}})), (IntList{0, 1, 0, 1}));
        const HostTensor rows = run1("Where", {boolTensor({3}, {true, false, true})});
        QCOMPARE(textOf(rows), QStringLiteral("[2, 1]"));
        QCOMPARE(ints(rows), (IntList{0, 2}));
        QCOMPARE(textOf(run1("NonZero", {tensor({0, 2}, {})}, {{"transpose", true}})), QStringLiteral("[2, 0]"));
        QCOMPARE(textOf(run1("NonZero", {tensor({}, {4})}, {{"transpose", true}})), QStringLiteral("[1, 1]"));
        QCOMPARE(inferredText("NonZero", {TensorDesc(DataType::Float, Shape{2, -1})}, {{"transpose", true}}),
                 QStringLiteral("[2, ?]"));
    }

    void uniqueValues()
    {
        const HostTensor x = tensor({6}, {2, 1, 1, 3, 4, 3});
        const auto sorted = run("UniqueWithCountsExt2", {x, list({})}, {{"sorted", true}}, 4);
        QVERIFY(sorted.ok());
        QCOMPARE(values(sorted.value()[0]), (std::vector<double>{1, 2, 3, 4}));
        QCOMPARE(ints(sorted.value()[1]), (IntList{1, 0, 3, 4}));
        QCOMPARE(ints(sorted.value()[2]), (IntList{2, 1, 2, 1}));
        QCOMPARE(ints(sorted.value()[3]), (IntList{1, 0, 0, 2, 3, 2}));
        const auto unsorted = run("UniqueWithCountsExt2", {x, list({})}, {}, 4);
        QVERIFY(unsorted.ok());
        QCOMPARE(values(unsorted.value()[0]), (std::vector<double>{2, 1, 3, 4}));
        QCOMPARE(ints(unsorted.value()[3]), (IntList{0, 1, 1, 2, 3, 2}));
        const auto rows =
            run("UniqueWithCountsExt2", {intTensor({3, 2}, {1, 0, 1, 0, 2, 3}), list({0})}, {{"sorted", true}}, 4);
        QVERIFY(rows.ok());
        QCOMPARE(ints(rows.value()[0]), (IntList{1, 0, 2, 3}));
        const auto columns =
            run("UniqueWithCountsExt2", {intTensor({2, 3}, {1, 0, 1, 5, 6, 5}), list({-1})}, {{"sorted", true}}, 4);
        QVERIFY(columns.ok());
        QCOMPARE(ints(columns.value()[0]), (IntList{0, 1, 6, 5}));
        const auto words =
            run("UniqueWithCountsExt2", {stringTensor({3}, {"b", "a", "b"}), list({})}, {{"sorted", true}}, 4);
        QVERIFY(words.ok());
        QCOMPARE(*words.value()[0].strings, (StringList{"a", "b"}));
    }
};

QTEST_GUILESS_MAIN(TestGather)
#include "tst_gather.moc"
