// The reshapes around attention: absorbed where they only split or merge heads, kept where they move more.

#include "tests/engine/fusion/fusion_graphs.h"

using namespace gelens;
using namespace gelens::test;

namespace {

const DataType fp32 = DataType::Float;

OutputRef reshape(FusionGraph& g, const std::string& name, OutputRef x, std::vector<std::int64_t> shape)
{
    return g.op("Reshape", name, {x, g.ints(name + "_shape", std::move(shape))});
}

/// Attention on [2, 16, 4, 16] with a reshape at each end.
struct Heads {
    FusionGraph g;
    OutputRef q, k, v, attention, merged;

    explicit Heads(Shape from = {2, 16, 64}, std::vector<std::int64_t> to = {2, 16, 64})
    {
        const auto heads = [&](const char* name) {
            return reshape(g, std::string(name) + "_heads", g.data(name, from, fp32), {2, 16, 4, 16});
        };
        q = heads("q");
        k = heads("k");
        v = heads("v");
        attention = g.op("FlashAttentionScore", "attention", {q, k, v},
                         {{"scale_value", 0.25f}, {"head_num", 4}, {"input_layout", "BSND"}});
        merged = reshape(g, "merged", attention, std::move(to));
        g.result({merged});
    }
};

/// Packed q, k and v of 2 heads of 16.
struct Packed {
    FusionGraph g;
    explicit Packed(Shape from = {1, 8, 96}, std::int64_t heads = 2)
    {
        const OutputRef apart = reshape(g, "apart", g.data("qkv", std::move(from), fp32), {1, 8, 3, 2, 16});
        const OutputRef rotated = g.op("RotaryPositionEmbedding", "rotary",
                                       {apart, g.data("cos", {1, 1, 8, 16}, fp32), g.data("sin", {1, 1, 8, 16}, fp32)},
                                       {{"mode", 0}, {"input_layout", "BS3ND"}, {"head_num", heads}});
        g.result(
            {g.op("FlashAttentionScore", "attention", {rotated},
                  {{"scale_value", 0.25f}, {"head_num", 2}, {"input_layout", "BS3ND"}, {"output_layout", "BSND"}})});
    }
};

} // namespace

class TestAttentionLayouts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allReshapesGo()
    {
        Heads h;
        const std::string fault = fuses(h.g, soc910B(),
                                        {{"FlashAttentionOutputReshape", 1},
                                         {"FlashAttentionKeyReshape", 1},
                                         {"FlashAttentionValueReshape", 1},
                                         {"FlashAttentionQueryReshape", 1}},
                                        2e-5);
        QVERIFY2(fault.empty(), fault.c_str());
        QCOMPARE(h.g.count("Reshape"), 0);
        const Node* const attention = h.g.only("FlashAttentionScore");
        QVERIFY(attention);
        QCOMPARE(attrString(attention->attrs, "input_layout"), std::string("BSH"));
        QCOMPARE(attrInt(attention->attrs, "head_num"), std::int64_t{4});
        QCOMPARE(attention->outputs[0].desc.originShape, Shape({2, 16, 64}));
    }

    void anyOrderWorks()
    {
        Heads h;
        const std::string fault = fuses(h.g, soc910B(),
                                        {{"FlashAttentionQueryReshape", 1},
                                         {"FlashAttentionValueReshape", 1},
                                         {"FlashAttentionOutputReshape", 1},
                                         {"FlashAttentionKeyReshape", 1}},
                                        2e-5);
        QVERIFY2(fault.empty(), fault.c_str());
        QCOMPARE(h.g.count("Reshape"), 0);
    }

    void otherSplitsStay_data()
    {
        QTest::addColumn<QString>("rule");
        for (const char* rule :
             {"FlashAttentionKeyReshape", "FlashAttentionValueReshape", "FlashAttentionQueryReshape"})
            QTest::newRow(rule) << QString::fromLatin1(rule);
    }
    void otherSplitsStay()
    {
        // [4, 8, 64] read as [2, 16, 4, 16] pairs batches: the rows are other ones.
        QFETCH(QString, rule);
        Heads h(Shape{4, 8, 64});
        const RuleOutcome outcome = apply(h.g, rule.toStdString(), soc910B());
        const FusionVerdict* const refused = refusal(outcome);
        QVERIFY2(refused && blocksAlone(*refused, Reason::AttributeMismatch), explain(outcome).c_str());
        QCOMPARE(h.g.count("Reshape"), 4);
    }

    void otherMergesStay()
    {
        Heads h({2, 16, 64}, {2, 32, 32}); // cuts a head in two
        const RuleOutcome outcome = apply(h.g, "FlashAttentionOutputReshape", soc910B());
        const FusionVerdict* const refused = refusal(outcome);
        QVERIFY2(refused && blocksAlone(*refused, Reason::AttributeMismatch), explain(outcome).c_str());
    }

    void anOutputInHeadsStays()
    {
        Heads h;
        h.g.result({h.merged, h.attention});
        const RuleOutcome outcome = apply(h.g, "FlashAttentionOutputReshape", soc910B());
        const FusionVerdict* const refused = refusal(outcome);
        QVERIFY2(refused && blocksAlone(*refused, Reason::GraphOutput), explain(outcome).c_str());
    }

    void packed()
    {
        Packed p;
        const std::string fault = fuses(p.g, soc910B(), {{"PackedAttentionReshape", 1}}, 2e-5);
        QVERIFY2(fault.empty(), fault.c_str());
        QCOMPARE(p.g.count("Reshape"), 0);
        QCOMPARE(p.g.only("RotaryPositionEmbedding")->outputs[0].desc.originShape, Shape({1, 8, 96}));
    }

    void packedStays()
    {
        Packed other(Shape{8, 1, 96}); // tokens and batch exchanged
        RuleOutcome outcome = apply(other.g, "PackedAttentionReshape", soc910B());
        QVERIFY2(refusal(outcome) && blocksAlone(*refusal(outcome), Reason::AttributeMismatch),
                 explain(outcome).c_str());
        Packed unknown({1, 8, 96}, 0); // nobody said how many heads the flat rows would have
        outcome = apply(unknown.g, "PackedAttentionReshape", soc910B());
        QVERIFY2(refusal(outcome) && blocksAlone(*refusal(outcome), Reason::AttributeMismatch),
                 explain(outcome).c_str());
    }

    void inPlaceAtTheLastReader()
    {
        // The first norm of a decoder: the embedding is normalised, and added to what comes of that. The sum is its last
        // reader in any order, so it may be written over.
        FusionGraph g;
        const OutputRef x = g.op("Relu", "embedding", {g.data("ids", {1, 8, 64})});
        const OutputRef first = g.op("RmsNorm", "first", {x, g.weight("g1", {64})}, {}, 2);
        const OutputRef block = g.op("Relu", "block", {first});
        const OutputRef norm = g.op("AddRmsNorm", "second", {x, block, g.weight("g2", {64})}, {}, 3);
        g.result({g.op("Relu", "y", {norm}), g.op("Neg", "sum", {OutputRef{norm.node, 2}})});
        const RuleOutcome outcome = apply(g, "InplaceAddRmsNormFusion", soc910B());
        QVERIFY2(outcome.effective == 1, explain(outcome).c_str());
        QVERIFY(g.only("InplaceAddRmsNorm"));
    }

    void notInPlaceWhileSomebodyMayStillRead()
    {
        // "side" reads x, and nothing says that it does so before the norm.
        FusionGraph g;
        const OutputRef x = g.op("Relu", "x", {g.data("a", {1, 8, 64})}),
                        r = g.op("Neg", "r", {g.data("b", {1, 8, 64})});
        const OutputRef side = g.op("Abs", "side", {x});
        const OutputRef norm = g.op("AddRmsNorm", "norm", {x, r, g.weight("g", {64})}, {}, 3);
        g.result({g.op("Relu", "y", {norm}), side});
        const RuleOutcome outcome = apply(g, "InplaceAddRmsNormFusion", soc910B());
        const FusionVerdict* const refused = refusal(outcome);
        QVERIFY2(refused && blocksAlone(*refused, Reason::MultiConsumer), explain(outcome).c_str());
        QCOMPARE(refused->headline()->has.value_or(0), 2.0); // the norm and "side"
    }
};

QTEST_GUILESS_MAIN(TestAttentionLayouts)
#include "tst_attention_layouts.moc"
