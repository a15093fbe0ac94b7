// Attribute values: equality by value, text for people, typed look-ups.

#include "engine/graph/attribute.h"
#include "engine/graph/graph.h"
#include "engine/graph/graph_editor.h"
#include "engine/graph/tensor.h"

#include <QtTest>

#include <limits>
#include <set>

using namespace gelens;

namespace {

NamedAttrs named(std::string name, AttrMap attrs)
{
    return {std::move(name), std::make_shared<const AttrMap>(std::move(attrs))};
}

/// One value of every kind, in the order of the variant.
std::vector<AttrValue> oneOfEach()
{
    using V = AttrValue::Variant;
    const auto tensor = std::make_shared<const Tensor>(Tensor::fromInts({1, 2}, Shape{2}));
    const auto desc = std::make_shared<const TensorDesc>(DataType::Float, Shape{2, 3});
    const auto graph = std::make_shared<const Graph>("inner");
    return {AttrValue(),
            AttrValue(5),
            AttrValue(1.5f),
            AttrValue(true),
            AttrValue("text"),
            AttrValue(V(RawBytes{std::string("\0\x01", 2)})),
            AttrValue(DataType::Float16),
            AttrValue(V(Expression{"s0 * 2"})),
            AttrValue(tensor),
            AttrValue(V(desc)),
            AttrValue(V(graph)),
            AttrValue(V(named("f", {{"a", 1}}))),
            AttrValue(IntList{1, 2}),
            AttrValue(FloatList{0.5f, 2}),
            AttrValue(V(std::vector<bool>{true, false})),
            AttrValue(StringList{"a", "b"}),
            AttrValue(V(std::vector<RawBytes>{{"xyz"}})),
            AttrValue(V(std::vector<DataType>{DataType::Int8, DataType::BFloat16})),
            AttrValue(V(std::vector<AttrValue::TensorPtr>{tensor})),
            AttrValue(V(std::vector<AttrValue::TensorDescPtr>{desc})),
            AttrValue(V(std::vector<AttrValue::GraphPtr>{graph})),
            AttrValue(V(std::vector<NamedAttrs>{named("g", {})})),
            AttrValue(V(std::vector<IntList>{{1, 2}, {}})),
            AttrValue(V(std::vector<FloatList>{{0.25f}})),
            AttrValue(V(UntypedList{}))};
}

} // namespace

class TestAttribute : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindEqualsOnlyItself()
    {
        const auto values = oneOfEach();
        const auto again = oneOfEach(); // other allocations, same values
        QCOMPARE(values.size(), std::variant_size_v<AttrValue::Variant>);
        for (std::size_t i = 0; i < values.size(); ++i) {
            QCOMPARE(values[i].variant().index(), i);
            for (std::size_t k = 0; k < again.size(); ++k) QCOMPARE(values[i] == again[k], i == k);
        }
    }

    void sharedKindsCompareByContent()
    {
        const AttrValue a(Tensor::fromInts({1, 2}, Shape{2}));
        QVERIFY(a == AttrValue(Tensor::fromInts({1, 2}, Shape{2})));
        QVERIFY(!(a == AttrValue(Tensor::fromInts({1, 3}, Shape{2}))));
        QVERIFY(!(a == AttrValue(AttrValue::TensorPtr())));
        QVERIFY(!(named("f", {{"a", 1}}) == named("f", {{"a", 2}})));
        QVERIFY(!(named("f", {}) == named("g", {})));
        QVERIFY((NamedAttrs{"f", nullptr} == named("f", {})));
    }

    void floatsCompareByBits()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(AttrValue(nan) == AttrValue(nan)); // setting it again is no change
        QVERIFY(AttrValue(FloatList{nan}) == AttrValue(FloatList{nan}));
        QVERIFY(!(AttrValue(0.0f) == AttrValue(-0.0f)));
        QVERIFY(!(AttrValue(FloatList{0.0f}) == AttrValue(FloatList{-0.0f})));
    }

    void textForPeople()
    {
        const std::vector<std::string> expected{"none",
                                                "5",
                                                "1.5",
                                                "true",
                                                "\"text\"",
                                                "<2 bytes>",
                                                "fp16",
                                                "s0 * 2",
                                                "<tensor int64 [2]>",
                                                "<descriptor fp32 [2, 3]>",
                                                "<graph inner, 0 nodes>",
                                                "f{a=1}",
                                                "[1, 2]",
                                                "[0.5, 2]",
                                                "[true, false]",
                                                "[\"a\", \"b\"]",
                                                "[<3 bytes>]",
                                                "[int8, bf16]",
                                                "[<tensor int64 [2]>]",
                                                "[<descriptor fp32 [2, 3]>]",
                                                "[<graph inner, 0 nodes>]",
                                                "[g{}]",
                                                "[[1, 2], []]",
                                                "[[0.25]]",
                                                "[]"};
        const auto values = oneOfEach();
        for (std::size_t i = 0; i < values.size(); ++i) QCOMPARE(values[i].text(), expected[i]);
        QCOMPARE(AttrValue("a\"b\\\n\x01").text(), std::string("\"a\\\"b\\\\\\n\\x01\""));
    }

    void textIsLimited()
    {
        const AttrValue list(IntList(5'000'000, 7));
        QCOMPARE(list.text(20), std::string("[7, 7, 7, 7, 7, 7…"));
        QVERIFY(list.text(20).size() <= 20);
        QCOMPARE(AttrValue("äöü").text(6), std::string("\"ä…")); // never half a character
        QCOMPARE(AttrValue(IntList{1}).text(3), std::string("[1]"));
        QCOMPARE(AttrValue(12345).text(0), std::string());
        QCOMPARE(AttrValue(std::string(1'000'000, 'x')).text(8).size(), std::size_t{8});
    }

    void kindsHaveNames()
    {
        std::set<std::string_view> names;
        for (const AttrValue& value : oneOfEach()) names.insert(value.kindName());
        QCOMPARE(names.size(), std::variant_size_v<AttrValue::Variant>); // all different
        QCOMPARE(AttrValue(5).kindName(), std::string_view("int"));
        QCOMPARE(AttrValue(FloatList{}).kindName(), std::string_view("list of float"));
        QCOMPARE(AttrValue(AttrValue::TensorPtr()).kindName(), std::string_view("tensor"));
    }

    void lookUps()
    {
        const AttrMap attrs{{"axis", -1},
                            {"eps", 0.5f},
                            {"keep", true},
                            {"mode", "same"},
                            {"pads", IntList{1, 2}},
                            {"scales", FloatList{1, 2}},
                            {"names", StringList{"x"}},
                            {"empty", AttrValue(AttrValue::Variant(UntypedList{}))},
                            {"dtype", DataType::Int64},
                            {"value", Tensor::fromInts({4}, Shape{})}};
        QCOMPARE(attrInt(attrs, "axis"), std::int64_t{-1});
        QCOMPARE(attrInt(attrs, "none", 7), std::int64_t{7});
        QCOMPARE(attrInt(attrs, "mode", 7), std::int64_t{7}); // another kind
        QCOMPARE(attrInt(attrs, "dtype"), std::int64_t{9});
        QCOMPARE(attrFloat(attrs, "eps"), 0.5);
        QCOMPARE(attrFloat(attrs, "axis"), -1.0);
        QVERIFY(attrBool(attrs, "keep"));
        QVERIFY(attrBool(attrs, "none", true));
        QCOMPARE(attrString(attrs, "mode"), std::string("same"));
        QCOMPARE(attrString(attrs, "none", "valid"), std::string("valid"));
        QCOMPARE(attrInts(attrs, "pads"), (IntList{1, 2}));
        QCOMPARE(attrInts(attrs, "none", {3}), (IntList{3}));
        QCOMPARE(attrInts(attrs, "empty", {3}), IntList{}); // present, and empty
        QCOMPARE(attrFloats(attrs, "scales"), (FloatList{1, 2}));
        QCOMPARE(attrStrings(attrs, "names"), (StringList{"x"}));
        QVERIFY(attrTensor(attrs, "value") != nullptr);
        QVERIFY(attrTensor(attrs, "axis") == nullptr);
    }
};

QTEST_GUILESS_MAIN(TestAttribute)
#include "tst_attribute.moc"
