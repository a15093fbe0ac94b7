// Differences between two graphs that share no journal.

#include "engine/graph/graph_editor.h"
#include "engine/session/graph_matcher.h"

#include <QtTest>

using namespace gelens;

namespace {

/// x → a → b, with names as given.
Graph chain(const std::string& first, const std::string& second, std::int64_t axis = 0)
{
    Graph graph("g");
    Journal journal;
    GraphEditor editor(graph, journal);
    const TensorDesc desc(DataType::Float, {2, 3});
    const NodeId x = editor.addNode({"x", "Data", {}, {{"y", desc}}, {}, false});
    const NodeId a = editor.addNode({first, "Relu", {{"x", desc}}, {{"y", desc}}, {}, false});
    const NodeId b = editor.addNode({second, "SoftmaxV2", {{"x", desc}}, {{"y", desc}}, {{"axes", AttrValue(IntList{axis})}}, false});
    editor.connect({x, 0}, {a, 0});
    editor.connect({a, 0}, {b, 0});
    return graph;
}

} // namespace

class TestGraphMatcher : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void equalGraphs();
    void changedAttribute();
    void renamedNodesAreFoundByStructure();
    void fusedNodesAreGrouped();
};

void TestGraphMatcher::equalGraphs() { QVERIFY(diffOfGraphs(chain("a", "b"), chain("a", "b")).isEmpty()); }

void TestGraphMatcher::changedAttribute()
{
    const GraphDiff diff = diffOfGraphs(chain("a", "b"), chain("a", "b", 1));
    QCOMPARE(diff.changed, 1);
    QCOMPARE(diff.changes.size(), std::size_t(1));
    QCOMPARE(diff.changes[0].name, std::string("b"));
    QCOMPARE(diff.changes[0].fields.size(), std::size_t(1));
    QCOMPARE(diff.changes[0].fields[0].field, std::string("attr axes"));
}

void TestGraphMatcher::renamedNodesAreFoundByStructure()
{
    const Graph before = chain("a", "b"), after = chain("p", "q");
    const GraphMatch match = matchGraphs(before, after);
    QCOMPARE(match.byStructure, 2);
    QVERIFY(match.onlyBefore.empty() && match.onlyAfter.empty());
    const GraphDiff diff = diffOfMatched(before, after, match);
    QCOMPARE(diff.added + diff.removed, 0);
    QCOMPARE(diff.changed, 2);
    for (const NodeChange& change : diff.changes) {
        QCOMPARE(change.fields.size(), std::size_t(1)); // the name, not the renamed producer
        QCOMPARE(change.fields[0].field, std::string("name"));
    }
}

void TestGraphMatcher::fusedNodesAreGrouped()
{
    const Graph before = chain("a", "b");
    Graph after("g");
    Journal journal;
    GraphEditor editor(after, journal);
    const TensorDesc desc(DataType::Float, {2, 3});
    const NodeId x = editor.addNode({"x", "Data", {}, {{"y", desc}}, {}, false});
    const NodeId fused = editor.addNode(
        {"ab", "Fused", {{"x", desc}}, {{"y", desc}}, {{"_datadump_original_op_names", StringList{"a", "b"}}}, false});
    editor.connect({x, 0}, {fused, 0});
    const GraphDiff diff = diffOfGraphs(before, after);
    QCOMPARE(diff.added, 1);
    QCOMPARE(diff.removed, 2);
    QCOMPARE(diff.groups.size(), std::size_t(1));
    QCOMPARE(diff.groups[0].before.size(), std::size_t(2));
    QCOMPARE(diff.groups[0].after, (std::vector<NodeId>{fused}));
}

QTEST_GUILESS_MAIN(TestGraphMatcher)
#include "tst_graph_matcher.moc"
