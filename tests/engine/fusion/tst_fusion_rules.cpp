// Each shipped rule: where it fires, in the dialects that exporters write, and where it must not.

#include "tests/engine/fusion/fusion_graphs.h"

#include <cmath>

using namespace gelens;
using namespace gelens::test;

#define VERIFY_FUSED(outcome, times) QVERIFY2((outcome).effective == (times), explain(outcome).c_str())

class TestFusionRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allRulesLoad();
    void attention_data();
    void attention();
    void attentionCapacity();
    void attentionKeysUntransposed();
    void attentionWithComputedScale();
    void rmsNorm_data();
    void rmsNorm();
    void rmsNormNeedsLastAxis();
    void addRmsNorm();
    void layerNorm_data();
    void layerNorm();
    void matMulBias();
    void matMulBiasRefused();
};

void TestFusionRules::allRulesLoad()
{
    std::vector<Message> messages;
    const RuleSet rules = RuleSet::load({GELENS_SOURCE_DIR "/resources/rules"}, messages);
    for (const Message& message : messages) qWarning("%s: %s", message.where.c_str(), message.text.c_str());
    QVERIFY(messages.empty());
    QVERIFY(rules.rules().size() >= 4);
    for (const auto& rule : rules.rules()) {
        QVERIFY2(!rule->summary.empty() && !rule->source.empty(), rule->id.c_str());
        QCOMPARE(rules.find(rule->id), rule.get());
    }
}

namespace {

struct AttentionForm {
    bool hasScale = true, isDivision = false, hasMask = true, scalesQuery = false, transposesKeys = true,
         usesFlag = false;
    std::int64_t keys = 64;
};

OutputRef buildAttention(FusionGraph& g, const AttentionForm& form)
{
    const OutputRef q = g.data("q", {1, 4, 16, 32}), v = g.data("v", {1, 4, form.keys, 32}),
                    mask = g.data("mask", {1, 1, 16, form.keys});
    const bool isRow = form.transposesKeys || form.usesFlag;
    OutputRef k = g.data("k", isRow ? Shape{1, 4, form.keys, 32} : Shape{1, 4, 32, form.keys});
    OutputRef query = q;
    if (form.scalesQuery) query = g.op("Mul", "scale_q", {q, g.number("s", 0.125)});
    if (form.transposesKeys) k = g.op("Transpose", "kt", {k, g.ints("perm", {0, 1, 3, 2})});
    OutputRef scores = g.op("BatchMatMulV2", "qk", {query, k}, {{"adj_x2", form.usesFlag}});
    if (form.hasScale)
        scores = form.isDivision ? g.op("RealDiv", "scale", {scores, g.number("sqrt_d", 8)})
                                 : g.op("Mul", "scale", {g.number("scale_value", 0.125), scores});
    if (form.hasMask) scores = g.op("Add", "add_mask", {scores, mask});
    const OutputRef softmax = g.op("SoftmaxV2", "softmax", {scores}, {{"axes", IntList{-1}}});
    const OutputRef context = g.op("BatchMatMulV2", "pv", {softmax, v});
    g.result({context});
    return context;
}

} // namespace

void TestFusionRules::attention_data()
{
    QTest::addColumn<bool>("hasScale");
    QTest::addColumn<bool>("isDivision");
    QTest::addColumn<bool>("hasMask");
    QTest::addColumn<bool>("scalesQuery");
    QTest::addColumn<bool>("usesFlag");
    QTest::newRow("scale and mask") << true << false << true << false << false;
    QTest::newRow("division and mask") << true << true << true << false << false;
    QTest::newRow("scale only") << true << false << false << false << false;
    QTest::newRow("mask only") << false << false << true << false << false;
    QTest::newRow("bare") << false << false << false << false << false;
    QTest::newRow("scaled query") << false << false << true << true << false;
    QTest::newRow("adj_x2 in place of a transpose") << true << false << true << false << true;
}

void TestFusionRules::attention()
{
    QFETCH(bool, hasScale);
    QFETCH(bool, isDivision);
    QFETCH(bool, hasMask);
    QFETCH(bool, scalesQuery);
    QFETCH(bool, usesFlag);
    FusionGraph g;
    buildAttention(g, {hasScale, isDivision, hasMask, scalesQuery, !usesFlag, usesFlag});
    const RuleOutcome outcome = apply(g, "FlashAttentionFusion", soc910B());
    VERIFY_FUSED(outcome, 1);
    QCOMPARE(g.operators(), 1);
    const Node* const fused = g.only("FlashAttentionScore");
    QVERIFY(fused);
    const double scale = hasScale || scalesQuery ? 0.125 : 1;
    QCOMPARE(attrFloat(fused->attrs, "scale_value"), scale);
    QCOMPARE(fused->outputs[0].desc.originShape, (Shape{1, 4, 16, 32}));
    QCOMPARE(fused->hasInput(3), hasMask);
    QCOMPARE(attrString(fused->attrs, "key_layout"), std::string());
    QCOMPARE(g.graph().subgraph(rootGraph).outputs.front(), fused->output());
    const StringList origins = attrStrings(fused->attrs, "_datadump_original_op_names");
    QVERIFY(std::find(origins.begin(), origins.end(), "softmax") != origins.end());
    // Running it again changes nothing.
    const std::size_t edits = g.editor().position();
    QCOMPARE(apply(g, "FlashAttentionFusion", soc910B()).matched, 0);
    QCOMPARE(g.editor().position(), edits);
}

void TestFusionRules::attentionCapacity()
{
    // 16 rows × 15,872 keys × 4 B + 32,768 B = 1,048,576 B: all of the 1 MiB of a 310P core.
    AttentionForm form;
    form.keys = 15872;
    FusionGraph fits;
    buildAttention(fits, form);
    VERIFY_FUSED(apply(fits, "FlashAttentionFusion", soc310P()), 1);
    // One key more: 64 B more.
    form.keys = 15873;
    FusionGraph tooLong;
    buildAttention(tooLong, form);
    const RuleOutcome outcome = apply(tooLong, "FlashAttentionFusion", soc310P());
    QCOMPARE(outcome.matched, 1);
    QCOMPARE(outcome.effective, 0);
    const FusionVerdict* const verdict = refusal(outcome);
    QVERIFY(verdict);
    QVERIFY2(blocksAlone(*verdict, Reason::L1Capacity), explain(outcome).c_str());
    QCOMPARE(*verdict->headline()->needs, 1048640.0);
    QCOMPARE(*verdict->headline()->has, 1048576.0);
    QCOMPARE(verdict->headline()->unit, std::string("B"));
    QCOMPARE(verdict->thresholds.size(), std::size_t{2});
    QCOMPARE(verdict->thresholds[0].quantity, std::string("keys"));
    QCOMPARE(verdict->thresholds[0].limit, 15872.0);
    QVERIFY(verdict->thresholds[0].isUpperLimit);
    QCOMPARE(verdict->thresholds[1].limit, 1048640.0);
    QVERIFY(!verdict->thresholds[1].isUpperLimit);
    QVERIFY2(verdict->remedy.find("15,872") != std::string::npos, verdict->remedy.c_str());
    // 512 KiB: (524,288 − 32,768) / 64 = 7,680 keys.
    form.keys = 7680;
    FusionGraph half;
    buildAttention(half, form);
    VERIFY_FUSED(apply(half, "FlashAttentionFusion", soc910B()), 1);
    form.keys = 7681;
    FusionGraph over;
    buildAttention(over, form);
    const RuleOutcome refused = apply(over, "FlashAttentionFusion", soc910B());
    QVERIFY(refusal(refused));
    QCOMPARE(refusal(refused)->thresholds[0].limit, 7680.0);
    // A what-if with more L1 lets it through.
    FusionEnvironment environment;
    environment.buffers.l1 = 524352;
    VERIFY_FUSED(apply(over, "FlashAttentionFusion", soc910B(), environment), 1);
}

void TestFusionRules::attentionKeysUntransposed()
{
    FusionGraph g;
    buildAttention(g, {.transposesKeys = false});
    VERIFY_FUSED(apply(g, "FlashAttentionFusion", soc910B()), 1);
    QCOMPARE(attrString(g.only("FlashAttentionScore")->attrs, "key_layout"), std::string("BNDS"));
}

void TestFusionRules::attentionWithComputedScale()
{
    FusionGraph g;
    const OutputRef q = g.data("q", {1, 4, 16, 32}), k = g.data("k", {1, 4, 32, 64}), v = g.data("v", {1, 4, 64, 32}),
                    s = g.data("s", {});
    const OutputRef scores = g.op("Mul", "scale", {g.op("BatchMatMulV2", "qk", {q, k}), s});
    g.result({g.op("BatchMatMulV2", "pv", {g.op("SoftmaxV2", "softmax", {scores}, {{"axes", IntList{-1}}}), v})});
    const RuleOutcome outcome = apply(g, "FlashAttentionFusion", soc910B());
    QCOMPARE(outcome.effective, 0);
    QVERIFY2(refusal(outcome) && refusal(outcome)->reason == Reason::NotConstant, explain(outcome).c_str());
}

namespace {

/// x / √(mean(x²) + ε) · γ in one of the dialects.
OutputRef buildRmsNorm(FusionGraph& g, OutputRef x, const std::string& p, int square, int inverse, bool epsFirst,
                       bool gammaFirst, bool casts, std::int64_t axis = -1)
{
    const DataType inner = casts ? DataType::Float : DataType::Float16;
    const OutputRef xf =
        casts ? g.op("Cast", p + "cast", {x}, {{"dst_type", static_cast<std::int64_t>(DataType::Float)}}) : x;
    OutputRef sq;
    if (square == 0)
        sq = g.op("Mul", p + "sq", {xf, xf});
    else if (square == 1)
        sq = g.op("Pow", p + "sq", {xf, g.number(p + "two", 2, inner)});
    else
        sq = g.op("Square", p + "sq", {xf});
    const OutputRef mean = g.op("ReduceMean", p + "mean", {sq, g.ints(p + "axes", {axis})}, {{"keep_dims", true}});
    const OutputRef eps = g.number(p + "eps", 1e-5, inner);
    const OutputRef shifted = epsFirst ? g.op("Add", p + "plus", {eps, mean}) : g.op("Add", p + "plus", {mean, eps});
    OutputRef normed;
    if (inverse == 0)
        normed = g.op("RealDiv", p + "div", {xf, g.op("Sqrt", p + "sqrt", {shifted})});
    else if (inverse == 1)
        normed = g.op("Mul", p + "mul", {xf, g.op("Rsqrt", p + "rsqrt", {shifted})});
    else if (inverse == 2)
        normed = g.op("Mul", p + "mul", {g.op("Reciprocal", p + "rec", {g.op("Sqrt", p + "sqrt", {shifted})}), xf});
    else
        normed = g.op(
            "Mul", p + "mul",
            {xf, g.op("RealDiv", p + "rec", {g.number(p + "one", 1, inner), g.op("Sqrt", p + "sqrt", {shifted})})});
    if (casts)
        normed = g.op("Cast", p + "back", {normed}, {{"dst_type", static_cast<std::int64_t>(DataType::Float16)}});
    const OutputRef gamma = g.weight(p + "gamma", {64});
    return gammaFirst ? g.op("Mul", p + "out", {gamma, normed}) : g.op("Mul", p + "out", {normed, gamma});
}

} // namespace

void TestFusionRules::rmsNorm_data()
{
    QTest::addColumn<int>("square");
    QTest::addColumn<int>("inverse");
    QTest::addColumn<bool>("epsFirst");
    QTest::addColumn<bool>("gammaFirst");
    QTest::addColumn<bool>("casts");
    for (int square = 0; square < 3; ++square)
        for (int inverse = 0; inverse < 4; ++inverse)
            for (int variant = 0; variant < 4; ++variant)
                QTest::addRow("square %d inverse %d variant %d", square, inverse, variant)
                    << square << inverse << bool(variant & 1) << bool(variant & 2) << (variant == 3);
}

void TestFusionRules::rmsNorm()
{
    QFETCH(int, square);
    QFETCH(int, inverse);
    QFETCH(bool, epsFirst);
    QFETCH(bool, gammaFirst);
    QFETCH(bool, casts);
    FusionGraph g;
    g.result({buildRmsNorm(g, g.data("x", {1, 8, 64}), "", square, inverse, epsFirst, gammaFirst, casts)});
    const RuleOutcome outcome = apply(g, "RmsNormDecomposedFusion", soc910B());
    VERIFY_FUSED(outcome, 1);
    QCOMPARE(g.operators(), 1);
    const Node* const norm = g.only("RmsNorm");
    QVERIFY(std::fabs(attrFloat(norm->attrs, "epsilon") - 1e-5) < 1e-7);
    QCOMPARE(norm->outputs[0].desc.dtype, DataType::Float16);
    // Constants that nobody reads are gone: x and γ are all that is left beside the norm.
    QCOMPARE(g.graph().nodeCount(), 3);
    QCOMPARE(apply(g, "RmsNormDecomposedFusion", soc910B()).matched, 0);
}

void TestFusionRules::rmsNormNeedsLastAxis()
{
    FusionGraph g;
    g.result({buildRmsNorm(g, g.data("x", {1, 64, 64}), "", 0, 0, false, false, false, 1)});
    const RuleOutcome outcome = apply(g, "RmsNormDecomposedFusion", soc910B());
    QVERIFY2(refusal(outcome) && blocksAlone(*refusal(outcome), Reason::AttributeMismatch), explain(outcome).c_str());
}

void TestFusionRules::addRmsNorm()
{
    FusionGraph g;
    const OutputRef a = g.data("a", {1, 8, 64}), b = g.data("b", {1, 8, 64});
    const OutputRef sum = g.op("Add", "residual", {a, b});
    const OutputRef out = buildRmsNorm(g, sum, "n_", 0, 0, false, false, false);
    const OutputRef next = g.op("Add", "next", {sum, g.op("Relu", "act", {out})});
    g.result({next});
    VERIFY_FUSED(apply(g, "RmsNormDecomposedFusion", soc910B()), 1);
    const RuleOutcome outcome = apply(g, "AddRmsNormFusion", soc910B());
    VERIFY_FUSED(outcome, 1);
    const Node* const fused = g.only("AddRmsNorm");
    QVERIFY(fused);
    // The sum is still read, now as the third result.
    QCOMPARE(g.graph().node(next.node).source(0), fused->output(2));
    const StringList origins = attrStrings(fused->attrs, "_datadump_original_op_names");
    QCOMPARE(origins.size(), std::size_t{7}); // Add and the six parts of the norm
    QVERIFY(std::find(origins.begin(), origins.end(), "residual") != origins.end());
    QVERIFY(std::find(origins.begin(), origins.end(), "n_sqrt") != origins.end());
}

void TestFusionRules::layerNorm_data()
{
    QTest::addColumn<int>("square");
    QTest::addColumn<bool>("hasBeta");
    QTest::addColumn<bool>("hasSecondSub");
    QTest::addColumn<bool>("usesRsqrt");
    for (int square = 0; square < 4; ++square)
        for (int variant = 0; variant < 4; ++variant)
            QTest::addRow("square %d variant %d", square, variant)
                << square << !(variant & 1) << (variant == 2 && square != 3) << (variant == 3);
}

void TestFusionRules::layerNorm()
{
    QFETCH(int, square);
    QFETCH(bool, hasBeta);
    QFETCH(bool, hasSecondSub);
    QFETCH(bool, usesRsqrt);
    FusionGraph g;
    const OutputRef x = g.data("x", {2, 8, 64}), axes = g.ints("axes", {-1});
    const OutputRef mean = g.op("ReduceMean", "mean", {x, axes}, {{"keep_dims", true}});
    const OutputRef centred = g.op("Sub", "sub", {x, mean});
    const OutputRef again = hasSecondSub ? g.op("Sub", "sub2", {x, mean}) : centred;
    OutputRef sq;
    if (square == 0)
        sq = g.op("Pow", "sq", {again, g.number("two", 2)});
    else if (square == 1)
        sq = g.op("Mul", "sq", {again, again});
    else if (square == 2)
        sq = g.op("Square", "sq", {again});
    else
        sq = g.op("SquaredDifference", "sq", {x, mean});
    const OutputRef variance = g.op("ReduceMean", "var", {sq, axes}, {{"keep_dims", true}});
    const OutputRef shifted = g.op("Add", "plus", {variance, g.number("eps", 1e-5)});
    const OutputRef normed = usesRsqrt ? g.op("Mul", "mul", {centred, g.op("Rsqrt", "rsqrt", {shifted})})
                                       : g.op("RealDiv", "div", {centred, g.op("Sqrt", "sqrt", {shifted})});
    OutputRef out = g.op("Mul", "scale", {normed, g.weight("gamma", {64})});
    if (hasBeta) out = g.op("Add", "shift", {out, g.weight("beta", {64})});
    g.result({g.op("Relu", "next", {out})});
    VERIFY_FUSED(apply(g, "LayerNormFusion", soc910B()), 1);
    QCOMPARE(g.operators(), 2);
    const Node* const norm = g.only("LayerNorm");
    QVERIFY(norm && norm->hasInput(2));
    if (!hasBeta) {
        const auto zeros = g.graph().constantInput(*norm, 2)->asDoubles();
        QCOMPARE(zeros->size(), std::size_t{64});
        QVERIFY(std::all_of(zeros->begin(), zeros->end(), [](double v) { return v == 0; }));
    }
}

void TestFusionRules::matMulBias()
{
    FusionGraph g;
    const OutputRef product =
        g.op("MatMulV2", "mm", {g.data("x", {8, 16}), g.weight("w", {16, 32})}, {{"transpose_x1", false}});
    g.result({g.op("Add", "bias_add", {g.weight("b", {32}), product})});
    const RuleOutcome outcome = apply(g, "MatMulBiasAddFusionPass", soc910B());
    VERIFY_FUSED(outcome, 1);
    const Node* const fused = g.only("MatMulV2");
    QVERIFY(fused && fused->hasInput(2));
    QCOMPARE(fused->name, std::string("mm"));
    QCOMPARE(g.operators(), 1);
    // A second bias finds three inputs.
    g.result({g.op("Add", "second", {fused->output(), g.weight("b2", {32})})});
    const RuleOutcome again = apply(g, "MatMulBiasAddFusion", soc910B());
    QVERIFY2(refusal(again) && blocksAlone(*refusal(again), Reason::InputCount), explain(again).c_str());
    QCOMPARE(*refusal(again)->headline()->needs, 2.0);
    QCOMPARE(*refusal(again)->headline()->has, 3.0);
}

void TestFusionRules::matMulBiasRefused()
{
    {
        FusionGraph g; // two readers: matched once, effective never
        const OutputRef product = g.op("MatMulV2", "mm", {g.data("x", {8, 16}), g.weight("w", {16, 32})});
        g.result({g.op("Add", "bias_add", {product, g.weight("b", {32})}), g.op("Relu", "other", {product})});
        const RuleOutcome outcome = apply(g, "MatMulBiasAddFusion", soc910B());
        QCOMPARE(outcome.matched, 1);
        QCOMPARE(outcome.effective, 0);
        QVERIFY2(refusal(outcome) && blocksAlone(*refusal(outcome), Reason::MultiConsumer), explain(outcome).c_str());
        QCOMPARE(*refusal(outcome)->headline()->needs, 1.0);
        QCOMPARE(*refusal(outcome)->headline()->has, 2.0);
    }
    {
        FusionGraph g;
        const OutputRef product = g.op("MatMulV2", "mm", {g.data("x", {8, 16}), g.weight("w", {16, 32})});
        g.result({g.op("Add", "bias_add", {product, g.weight("b", {8, 32})})});
        const RuleOutcome outcome = apply(g, "MatMulBiasAddFusion", soc910B());
        QVERIFY2(refusal(outcome) && blocksAlone(*refusal(outcome), Reason::AttributeMismatch),
                 explain(outcome).c_str());
        QCOMPARE(*refusal(outcome)->headline()->has, 2.0);
    }
    {
        FusionGraph g;
        const OutputRef product = g.op("MatMulV2", "mm", {g.data("x", {8, 16}), g.weight("w", {16, 32})});
        g.result({g.op("Add", "bias_add", {product, g.data("b", {32})})});
        const RuleOutcome outcome = apply(g, "MatMulBiasAddFusion", soc910B());
        QVERIFY2(refusal(outcome) && blocksAlone(*refusal(outcome), Reason::NotConstant), explain(outcome).c_str());
    }
    {
        FusionGraph g; // weights that are not in the file are no obstacle: their values are not needed
        const OutputRef product = g.op("MatMulV2", "mm", {g.data("x", {8, 16}), g.absent("w", {16, 32})});
        g.result({g.op("Add", "bias_add", {product, g.absent("b", {32})})});
        VERIFY_FUSED(apply(g, "MatMulBiasAddFusion", soc910B()), 1);
    }
}

QTEST_GUILESS_MAIN(TestFusionRules)
#include "tst_fusion_rules.moc"
