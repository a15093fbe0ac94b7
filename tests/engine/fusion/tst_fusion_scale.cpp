// Time grows with the graph, also on graphs made to mislead the matcher.

#include "engine/fusion/chains.h"
#include "tests/engine/fusion/fusion_graphs.h"

#include <chrono>

using namespace gelens;
using namespace gelens::test;

namespace {

const SocSpec soc = soc310P();

/// A node without inference, so that large graphs are quick to build.
OutputRef plain(GraphEditor& editor, const char* type, const std::string& name, const std::vector<OutputRef>& inputs)
{
    const TensorDesc desc(DataType::Float, {4, 64});
    NodeSpec spec{name, type, {}, {{"y", desc}}, {}};
    for (std::size_t i = 0; i < inputs.size(); ++i) spec.inputs.emplace_back("x" + std::to_string(i), desc);
    const NodeId id = editor.addNode(std::move(spec));
    for (std::size_t i = 0; i < inputs.size(); ++i) editor.connect(inputs[i], {id, static_cast<std::int32_t>(i)});
    return {id, 0};
}

/// Seconds for all graph rules, and for the chains afterwards.
double secondsFor(FusionGraph& g)
{
    FusionEnvironment environment;
    environment.soc = &soc;
    const auto start = std::chrono::steady_clock::now();
    FusionIndex index;
    std::vector<FusionVerdict> verdicts;
    for (const Rule* rule : allRules().orderedRules(RuleGroup::Graph)) {
        RuleOutcome outcome = applyRule(g.editor(), *rule, environment, index);
        verdicts.insert(verdicts.end(), outcome.verdicts.begin(), outcome.verdicts.end());
    }
    findChains(g.graph(), allRules(), environment, verdicts);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

class TestFusionScale : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void growsLinearly_data();
    void growsLinearly();
};

void TestFusionScale::growsLinearly_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("products of a tensor with itself") << 0;
    QTest::newRow("sums and products in turn") << 1;
    QTest::newRow("one tensor with many readers") << 2;
    QTest::newRow("unary chain") << 3;
}

void TestFusionScale::growsLinearly()
{
    QFETCH(int, kind);
    const auto build = [kind](FusionGraph& g, int nodes) {
        OutputRef x = plain(g.editor(), "Data", "x", {});
        const OutputRef hub = x;
        for (int i = 0; i < nodes; ++i) {
            const std::string name = "n" + std::to_string(i);
            if (kind == 0)
                x = plain(g.editor(), "Mul", name, {x, x});
            else if (kind == 1)
                x = plain(g.editor(), i % 2 ? "Mul" : "Add", name, {x, hub});
            else if (kind == 2)
                x = plain(g.editor(), i % 2 ? "Mul" : "Sigmoid", name,
                          i % 2 ? std::vector<OutputRef>{hub, x} : std::vector<OutputRef>{hub});
            else
                x = plain(g.editor(), i % 2 ? "Neg" : "Exp", name, {x});
        }
        g.result({x});
    };
    FusionGraph small, large;
    build(small, 2000);
    build(large, 20000);
    secondsFor(small); // warms caches, and the rule set is read
    FusionGraph again;
    build(again, 2000);
    const double few = secondsFor(again), many = secondsFor(large);
    qInfo("2,000 nodes %.1f ms, 20,000 nodes %.1f ms", few * 1e3, many * 1e3);
    // Ten times the nodes: a quadratic step would need a hundred times as long.
    QVERIFY2(many < 40 * few + 0.05, "time grows faster than the graph");
}

QTEST_GUILESS_MAIN(TestFusionScale)
#include "tst_fusion_scale.moc"
