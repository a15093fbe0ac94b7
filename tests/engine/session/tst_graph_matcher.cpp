// Differences between two graphs that share no journal.

#include "engine/graph/graph_editor.h"
#include "engine/session/graph_matcher.h"

#include <QElapsedTimer>
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
    const NodeId b = editor.addNode(
        {second, "SoftmaxV2", {{"x", desc}}, {{"y", desc}}, {{"axes", AttrValue(IntList{axis})}}, false});
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
    void originNamesComeBeforeStructure();
    void renamedFeedersAreFound();
    void aTakenOverNameIsNotSure();
    void longChainsTakeLinearTime();
    void structureOnlyLeavesOutAttributes();
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

void TestGraphMatcher::originNamesComeBeforeStructure()
{
    const auto make = [](const char* first, const char* second, bool hasOrigins) {
        Graph graph("g");
        Journal journal;
        GraphEditor editor(graph, journal);
        const TensorDesc desc(DataType::Float, {2, 3});
        const NodeId x = editor.addNode({"x", "Data", {}, {{"y", desc}}, {}, false});
        for (const char* name : {first, second}) { // two nodes that structure cannot tell apart
            AttrMap attrs;
            if (hasOrigins)
                attrs.insert_or_assign("_datadump_original_op_names", StringList{name == first ? "two" : "one"});
            const NodeId node = editor.addNode({name, "Relu", {{"x", desc}}, {{"y", desc}}, attrs, false});
            editor.connect({x, 0}, {node, 0});
        }
        return graph;
    };
    const Graph before = make("one", "two", false), after = make("p", "q", true);
    const GraphMatch match = matchGraphs(before, after);
    QCOMPARE(match.pairs.size(), std::size_t(3));
    for (std::size_t i = 0; i < match.pairs.size(); ++i) {
        const std::string& name = after.node(match.pairs[i].second).name;
        if (name == "x") continue;
        QCOMPARE(before.node(match.pairs[i].first).name, std::string(name == "p" ? "two" : "one"));
        QCOMPARE(match.basis[i], MatchBasis::Origin);
    }
    const GraphDiff diff = diffOfMatched(before, after, match);
    QVERIFY(diff.confidence() < 1 && diff.confidence() > 0.9);
    QCOMPARE(diff.groups.size(), std::size_t(2)); // renamed: a line from the one to the other
}

void TestGraphMatcher::renamedFeedersAreFound()
{
    // Constants made by folding are named anew in each run, and level-2 dumps leave their values out.
    const auto make = [](const char* name) {
        Graph graph("g");
        Journal journal;
        GraphEditor editor(graph, journal);
        const TensorDesc desc(DataType::Float, {2});
        const NodeId x = editor.addNode({"x", "Data", {}, {{"y", desc}}, {}, false});
        const NodeId constant = editor.addNode({name, "Const", {}, {{"y", desc}}, {}, false});
        const NodeId add = editor.addNode({"add", "Add", {{"x1", desc}, {"x2", desc}}, {{"y", desc}}, {}, false});
        editor.connect({x, 0}, {add, 0});
        editor.connect({constant, 0}, {add, 1});
        return graph;
    };
    const GraphMatch match = matchGraphs(make("dynamic_const_11_0"), make("dynamic_const_97_0"));
    QCOMPARE(match.pairs.size(), std::size_t(3));
    QCOMPARE(match.byStructure, 1);
}

void TestGraphMatcher::aTakenOverNameIsNotSure()
{
    const Graph before = chain("a", "b");
    Graph after = chain("a", "b");
    Journal journal;
    GraphEditor(after, journal).setType(after.findNode("a"), "Tanh");
    const GraphDiff diff = diffOfGraphs(before, after);
    QCOMPARE(diff.changed, 1);
    QCOMPARE(diff.changes.front().basis, MatchBasis::NameOnly);
    QVERIFY(matchConfidence(MatchBasis::NameOnly) < matchConfidence(MatchBasis::Origin));
}

void TestGraphMatcher::longChainsTakeLinearTime()
{
    const auto make = [](const std::string& prefix) {
        Graph graph("g");
        Journal journal;
        GraphEditor editor(graph, journal);
        const TensorDesc desc(DataType::Float, {2});
        NodeId last = editor.addNode({"x", "Data", {}, {{"y", desc}}, {}, false});
        for (int i = 0; i < 20'000; ++i) {
            const NodeId node =
                editor.addNode({prefix + std::to_string(i), "Relu", {{"x", desc}}, {{"y", desc}}, {}, false});
            editor.connect({last, 0}, {node, 0});
            last = node;
        }
        return graph;
    };
    const Graph before = make("a"), after = make("b");
    QElapsedTimer timer;
    timer.start();
    const GraphMatch match = matchGraphs(before, after);
    qInfo("20,000 renamed nodes in a row matched in %lld ms", static_cast<long long>(timer.elapsed()));
    QCOMPARE(match.byStructure, 20'000);
    QVERIFY(timer.elapsed() < 2000);
}

void TestGraphMatcher::structureOnlyLeavesOutAttributes()
{
    const auto structure = [](const Graph& before, const Graph& after) {
        GraphDiff diff = diffOfGraphs(before, after);
        keepStructureOnly(before, after, diff);
        return diff;
    };
    QCOMPARE(diffOfGraphs(chain("a", "b"), chain("a", "b", 1)).changed, 1);
    const GraphDiff attribute = structure(chain("a", "b"), chain("a", "b", 1));
    QVERIFY(attribute.isEmpty() && attribute.changed == 0);
    QVERIFY(structure(chain("a", "b"), chain("p", "b")).isEmpty()); // a name is no structure
    const auto withShape = [](const TensorDesc& first, const TensorDesc& last) {
        Graph graph = chain("a", "b");
        Journal journal;
        GraphEditor edit(graph, journal);
        edit.setOutputDesc({graph.findNode("a"), 0}, first);
        edit.setOutputDesc({graph.findNode("b"), 0}, last);
        return graph;
    };
    const TensorDesc usual(DataType::Float, {2, 3}), other(DataType::Float, {3, 3}), open(DataType::Undefined, {2, 3});
    const GraphDiff read = structure(chain("a", "b"), withShape(other, usual));
    QCOMPARE(read.changed, 1);
    QCOMPARE(read.tensorsChanged, 1);
    QVERIFY(structure(chain("a", "b"), withShape(usual, other)).isEmpty()); // nobody reads it
    QVERIFY(structure(chain("a", "b"), withShape(open, usual)).isEmpty());  // one of the two says nothing
}

QTEST_GUILESS_MAIN(TestGraphMatcher)
#include "tst_graph_matcher.moc"
