// Chains of kernels left unfused: links, reasons, repeated blocks.

#include "engine/fusion/chains.h"
#include "tests/engine/fusion/fusion_graphs.h"

using namespace gelens;
using namespace gelens::test;

namespace {
const DataType fp32 = DataType::Float;
}

class TestFusionChains : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void chains();
    void chainsOfManyReaders();
    void viewsArePassedOver();
    void nearestRuleIsNamed();
    void equalChainsOfDifferentSizesStayApart();
    void emptyGraph();
};

void TestFusionChains::chains()
{
    // Two equal blocks of conv and relu on split cores: one row, twice.
    FusionGraph g;
    OutputRef x = g.data("x", {1, 4, 6, 6}, fp32);
    for (int i = 0; i < 2; ++i) {
        const std::string n = std::to_string(i);
        const OutputRef conv = g.op("Conv2D", "conv" + n, {x, g.weight("w" + n, {4, 4, 3, 3}, fp32)},
                                    {{"strides", IntList{1, 1, 1, 1}},
                                     {"pads", IntList{1, 1, 1, 1}},
                                     {"dilations", IntList{1, 1, 1, 1}},
                                     {"groups", 1},
                                     {"data_format", "NCHW"}});
        x = g.op("MaxPoolV3", "pool" + n, {g.op("Relu", "relu" + n, {conv})},
                 {{"ksize", IntList{1, 1, 1, 1}}, {"strides", IntList{1, 1, 1, 1}}});
    }
    g.result({x});
    const SocSpec soc = soc910B();
    const RuleOutcome outcome = apply(g, "ConvReluUbFusion", soc);
    QCOMPARE(outcome.matched, 2);
    FusionEnvironment environment;
    environment.soc = &soc;
    const std::vector<Chain> found = findChains(g.graph(), allRules(), environment, outcome.verdicts);
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].count, 2);
    QCOMPARE(found[0].nodeNames, (std::vector<std::string>{"conv0", "relu0"}));
    QCOMPARE(found[0].reason, Reason::UnitConflict);
    QCOMPARE(found[0].occurrences.size(), std::size_t{2});
    QCOMPARE(found[0].links.size(), std::size_t{1});
    QCOMPARE(found[0].links[0].tried.size(), std::size_t{1});
    QVERIFY(!found[0].evidence.empty() && !found[0].remedy.empty());
}

void TestFusionChains::chainsOfManyReaders()
{
    // x → Exp → Sigmoid and Exp → Neg: both links, both blocked by the other reader; then a link without any rule.
    FusionGraph g;
    const OutputRef e = g.op("Exp", "exp", {g.data("x", {4, 8}, fp32)});
    const OutputRef s = g.op("Sigmoid", "sigmoid", {e});
    g.result({g.op("Abs", "abs", {s}), g.op("Neg", "neg", {e})});
    const SocSpec soc = soc910B();
    FusionEnvironment environment;
    environment.soc = &soc;
    const std::vector<Chain> found = findChains(g.graph(), allRules(), environment, {});
    QCOMPARE(found.size(), std::size_t{2});
    QCOMPARE(found[0].nodeNames, (std::vector<std::string>{"exp", "sigmoid", "abs"}));
    QCOMPARE(found[0].reason, Reason::MultiConsumer);
    QCOMPARE(found[0].links[1].reason, Reason::NoRule);
    QCOMPARE(found[1].nodeNames, (std::vector<std::string>{"exp", "neg"}));
    QCOMPARE(found[1].reason, Reason::MultiConsumer);
}

void TestFusionChains::viewsArePassedOver()
{
    // A Reshape between two kernels costs nothing, so they are neighbours; its reader is not a second reader.
    FusionGraph g;
    const OutputRef e = g.op("Exp", "exp", {g.data("x", {4, 8}, fp32)});
    g.result({g.op("Neg", "neg", {g.op("Reshape", "reshape", {e, g.ints("shape", {32})})})});
    const SocSpec soc = soc910B();
    FusionEnvironment environment;
    environment.soc = &soc;
    const std::vector<Chain> found = findChains(g.graph(), allRules(), environment, {});
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].nodeNames, (std::vector<std::string>{"exp", "neg"}));
    QCOMPARE(found[0].reason, Reason::NoRule);
}

void TestFusionChains::nearestRuleIsNamed()
{
    FusionGraph g; // a Tanh stands where attention has its scores
    const OutputRef x = g.data("x", {1, 2, 8, 8}), v = g.data("v", {1, 2, 8, 16});
    const OutputRef softmax = g.op("SoftmaxV2", "softmax", {g.op("Tanh", "tanh", {x})}, {{"axes", IntList{-1}}});
    g.result({g.op("BatchMatMulV2", "pv", {softmax, v})});
    const SocSpec soc = soc310P();
    FusionEnvironment environment;
    environment.soc = &soc;
    const RuleOutcome outcome = apply(g, "FlashAttentionFusion", soc);
    const std::vector<Chain> found = findChains(g.graph(), allRules(), environment, outcome.verdicts);
    QCOMPARE(found.size(), std::size_t{1});
    const ChainLink& link = found[0].links.back();
    QCOMPARE(link.fromName + " " + link.toName, std::string("softmax pv"));
    QCOMPARE(link.reason, Reason::NoRule);
    QCOMPARE(link.tried.size(), std::size_t{1});
    QCOMPARE(link.tried[0].firstMismatch, std::string("scores"));
    QVERIFY2(link.evidence.find("'tanh'") != std::string::npos, link.evidence.c_str());
}

void TestFusionChains::equalChainsOfDifferentSizesStayApart()
{
    FusionGraph g;
    std::vector<OutputRef> results;
    for (const std::int64_t size : {8, 8, 16}) {
        const std::string n = std::to_string(results.size());
        results.push_back(g.op("Neg", "neg" + n, {g.op("Exp", "exp" + n, {g.data("x" + n, {4, size}, fp32)})}));
    }
    g.result(results);
    const SocSpec soc = soc910B();
    FusionEnvironment environment;
    environment.soc = &soc;
    const std::vector<Chain> found = findChains(g.graph(), allRules(), environment, {});
    QCOMPARE(found.size(), std::size_t{2});
    QCOMPARE(found[0].count, 2);
    QCOMPARE(found[1].count, 1);
}

void TestFusionChains::emptyGraph()
{
    const SocSpec soc = soc910B();
    FusionEnvironment environment;
    environment.soc = &soc;
    QVERIFY(findChains(Graph("empty"), allRules(), environment, {}).empty());
}

QTEST_GUILESS_MAIN(TestFusionChains)
#include "tst_fusion_chains.moc"
