// GraphEditor: nodes, names, edges, slots, order and sub-graphs.

#include "engine/graph/result.h"
#include "tests/engine/graph/graph_fixture.h"

#include <QtTest>

#include <string>

using namespace gelens;
using namespace gelens::test;

class TestGraph : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void addsAndRemovesNodes()
    {
        Fixture f;
        const NodeId a = f.add("a", 0);
        const NodeId c = f.add("c");
        const NodeId b = f.edit.addNode({.name = "b", .type = "Op"}, rootGraph, a);
        QCOMPARE(f.order(), std::string("a b c"));
        QCOMPARE(f.graph.nodeCount(), 3);
        f.link(a, c);
        f.edit.connectControl(b, c);
        f.edit.removeNode(c);
        QCOMPARE(f.order(), std::string("a b"));
        QVERIFY(!f.graph.contains(c));
        QVERIFY(f.graph.consumers({a, 0}).empty());
        QVERIFY(f.graph.node(b).controlOutputs.empty());
        QCOMPARE(f.graph.node(c).name, std::string("c")); // dead, but still addressable
        const NodeId d = f.add("d");
        QVERIFY(d.value > c.value); // ids are not reused
        VERIFY_SOUND(f);
    }

    void removingANodeThatIsReadIsRefused()
    {
        Fixture f;
        const NodeId a = f.add("a", 0);
        f.link(a, f.add("b"));
        QVERIFY_THROWS_EXCEPTION(InternalError, f.edit.removeNode(a));
        QVERIFY_THROWS_EXCEPTION(InternalError, f.edit.removeNode(NodeId{}));
        QVERIFY_THROWS_EXCEPTION(InternalError, f.edit.removeNode(NodeId{99}));
        QVERIFY_THROWS_EXCEPTION(InternalError, f.edit.connect({a, 1}, {NodeId{1}, 0}));
        QVERIFY_THROWS_EXCEPTION(InternalError, f.edit.connect({a, 0}, {NodeId{1}, 1}));
        VERIFY_SOUND(f);
        const NodeId loop = f.add("loop");
        f.link(loop, loop);
        f.edit.removeNode(loop); // only itself reads it
        VERIFY_SOUND(f);
    }

    void keepsNamesUnique()
    {
        Fixture f;
        const NodeId first = f.add("relu");
        const NodeId second = f.add("relu");
        const NodeId third = f.add("relu");
        QCOMPARE(f.order(), std::string("relu relu_1 relu_2"));
        QCOMPARE(f.edit.uniqueName("relu"), std::string("relu_3"));
        QCOMPARE(f.edit.uniqueName("relu"), std::string("relu_3")); // asking takes nothing
        QCOMPARE(f.edit.uniqueName("other"), std::string("other"));
        f.edit.rename(third, "relu");
        QCOMPARE(f.graph.node(third).name, std::string("relu_3"));
        f.edit.rename(first, "new");
        QCOMPARE(f.edit.uniqueName("relu"), std::string("relu")); // free again
        f.edit.removeNode(second);
        QCOMPARE(f.edit.uniqueName("relu_1"), std::string("relu_1"));
        const GraphId branch = f.edit.addSubgraph("branch", first);
        QCOMPARE(f.edit.uniqueName("new", branch), std::string("new")); // names are per graph
        const NodeId unnamed = f.edit.addNode({.name = "", .type = "Cast"});
        QCOMPARE(f.graph.node(unnamed).name, std::string("Cast"));
        QCOMPARE(f.graph.findNode("relu_3"), third);
        QVERIFY(!f.graph.findNode("relu_1").isValid());
        VERIFY_SOUND(f);
    }

    void aThousandEqualNamesAreFast()
    {
        Fixture f;
        for (int i = 0; i < 100'000; ++i) f.add("n", 0, 0);
        QCOMPARE(f.graph.node(NodeId{99'999}).name, std::string("n_99999"));
    }

    void rewires()
    {
        Fixture f;
        const NodeId a = f.add("a", 0);
        const NodeId b = f.add("b", 0);
        const NodeId c = f.add("c", 2);
        f.link(a, c, 0);
        f.link(a, c, 1);
        const std::size_t before = f.journal.size();
        f.link(a, c, 1); // is so already
        QCOMPARE(f.journal.size(), before);
        QCOMPARE(f.readers({a, 0}), std::string("c:0 c:1"));
        f.link(b, c, 0); // replaces
        QCOMPARE(f.readers({a, 0}), std::string("c:1"));
        QCOMPARE(f.graph.node(c).source(0), (OutputRef{b, 0}));
        f.edit.disconnect({c, 1});
        f.edit.disconnect({c, 1}); // nothing left to do
        QVERIFY(!f.graph.node(c).hasInput(1));
        QVERIFY(!f.graph.node(c).hasInput(7));
        VERIFY_SOUND(f);
    }

    void replacesUses()
    {
        Fixture f;
        const NodeId a = f.add("a", 0);
        const NodeId b = f.add("b");
        const NodeId c = f.add("c", 2);
        const NodeId d = f.add("d");
        f.link(a, b);
        f.link(a, c, 1);
        f.link(a, c, 0);
        f.link(a, d);
        f.edit.setGraphOutputs(rootGraph, {{a, 0}, {d, 0}});
        const NodeId cast = f.add("cast");
        f.link(a, cast);
        f.edit.replaceUses({a, 0}, {cast, 0}); // the cast keeps reading a
        QCOMPARE(f.readers({cast, 0}), std::string("b:0 c:1 c:0 d:0"));
        QCOMPARE(f.readers({a, 0}), std::string("cast:0"));
        QCOMPARE(f.graph.subgraph(rootGraph).outputs, (std::vector<OutputRef>{{cast, 0}, {d, 0}}));
        VERIFY_SOUND(f);
    }

    void movesControlEdges()
    {
        Fixture f;
        const NodeId a = f.add("a"), b = f.add("b"), c = f.add("c"), d = f.add("d"), e = f.add("e");
        f.edit.connectControl(a, b);
        f.edit.connectControl(a, b); // once is enough
        QCOMPARE(f.graph.node(b).controlInputs.size(), std::size_t{1});
        f.edit.connectControl(b, c);
        f.edit.connectControl(d, b);
        f.edit.connectControl(b, d); // between the two: vanishes
        f.edit.connectControl(e, b);
        f.edit.connectControl(e, d); // exists already: not doubled
        f.edit.connectControl(b, b); // a loop onto itself: vanishes
        f.edit.moveControlEdges(b, d);
        QVERIFY(f.graph.node(b).controlInputs.empty());
        QVERIFY(f.graph.node(b).controlOutputs.empty());
        QCOMPARE(f.names(f.graph.node(d).controlInputs), std::string("e a"));
        QCOMPARE(f.names(f.graph.node(d).controlOutputs), std::string("c"));
        VERIFY_SOUND(f);
        f.edit.disconnectControl(e, d);
        QVERIFY(f.graph.node(e).controlOutputs.empty());
        VERIFY_SOUND(f);
    }

    void insertsAndRemovesSlots()
    {
        Fixture f;
        const NodeId a = f.add("a", 0);
        const NodeId b = f.add("b", 3);
        f.link(a, b, 0);
        f.link(a, b, 1);
        f.link(b, b, 2); // a loop, so that one node is both ends
        QCOMPARE(f.edit.insertInput(b, 1, "new", TensorDesc()), 1);
        QCOMPARE(f.readers({a, 0}), std::string("b:0 b:2"));
        QCOMPARE(f.readers({b, 0}), std::string("b:3"));
        QCOMPARE(f.graph.node(b).inputs[1].name, std::string("new"));
        VERIFY_SOUND(f);
        f.edit.removeInput({b, 0}); // connected: is unlinked first
        QCOMPARE(f.readers({a, 0}), std::string("b:1"));
        QCOMPARE(f.readers({b, 0}), std::string("b:2"));
        VERIFY_SOUND(f);
        QCOMPARE(f.edit.addInput(b, "last", TensorDesc()), 3);
        QCOMPARE(f.edit.addOutput(b, "second", TensorDesc()), 1);
        f.edit.removeLastOutput(b);
        QCOMPARE(f.graph.node(b).outputCount(), 1);
        QVERIFY_THROWS_EXCEPTION(InternalError, f.edit.removeLastOutput(b)); // is read
        VERIFY_SOUND(f);
    }

    void recordsOnlyRealChanges()
    {
        Fixture f;
        const NodeId a = f.add("a");
        f.edit.setAttr(a, "axis", 1);
        f.edit.setGraphAttr(rootGraph, "version", 2);
        const std::size_t before = f.journal.size();
        f.edit.setAttr(a, "axis", 1);
        f.edit.removeAttr(a, "none");
        f.edit.setGraphAttr(rootGraph, "version", 2);
        f.edit.setType(a, "Op");
        f.edit.rename(a, "a");
        f.edit.setInputDesc({a, 0}, f.graph.node(a).inputs[0].desc);
        f.edit.setOutputDesc({a, 0}, f.graph.node(a).outputs[0].desc);
        f.edit.setPlacement(a, Placement{});
        f.edit.setGraphOutputs(rootGraph, {});
        f.edit.setOrder(rootGraph, {a});
        f.edit.moveAfter(a, {});
        f.edit.moveControlEdges(a, a);
        f.edit.replaceUses({a, 0}, {a, 0});
        QCOMPARE(f.journal.size(), before);
        f.edit.setAttr(a, "axis", 1.0f); // another kind
        f.edit.removeAttr(a, "axis");
        QCOMPARE(f.journal.size(), before + 2);
        QVERIFY(f.graph.node(a).attrs.empty());
    }

    void stampsSteps()
    {
        Fixture f;
        f.add("a");
        f.edit.setStep(StepId{3});
        const std::size_t at = f.edit.position();
        f.add("b");
        QCOMPARE(f.journal[0].step, StepId{0});
        QCOMPARE(f.journal[at].step, StepId{3});
    }

    void movesWithinTheOrder()
    {
        Fixture f;
        const NodeId a = f.add("a"), b = f.add("b"), c = f.add("c"), d = f.add("d");
        f.edit.moveAfter(a, c);
        QCOMPARE(f.order(), std::string("b c a d"));
        f.edit.moveAfter(d, {});
        QCOMPARE(f.order(), std::string("d b c a"));
        f.edit.moveAfter(d, a);
        QCOMPARE(f.order(), std::string("b c a d"));
        f.edit.setOrder(rootGraph, {a, b, c, d});
        QCOMPARE(f.order(), std::string("a b c d"));
        QVERIFY_THROWS_EXCEPTION(InternalError, f.edit.setOrder(rootGraph, {a, b, c, c}));
        QVERIFY_THROWS_EXCEPTION(InternalError, f.edit.setOrder(rootGraph, {a, b, c}));
        VERIFY_SOUND(f);
    }

    void ownsSubgraphs()
    {
        Fixture f;
        const NodeId branch = f.add("if", 0, 0);
        const GraphId then = f.edit.addSubgraph("then", branch);
        const GraphId other = f.edit.addSubgraph("else", branch);
        const NodeId a = f.add("a", 0, 1, then);
        const NodeId loop = f.add("while", 1, 1, then);
        f.link(a, loop);
        f.edit.connectControl(a, loop);
        f.edit.setGraphOutputs(then, {{loop, 0}});
        const GraphId body = f.edit.addSubgraph("body", loop);
        const NodeId x = f.add("x", 1, 1, body), y = f.add("y", 1, 1, body);
        f.link(x, y);
        f.link(y, x); // a cycle must not keep them alive
        const NodeId z = f.add("z", 0, 1, other);
        VERIFY_SOUND(f);
        QCOMPARE(f.names(f.graph.allNodes()), std::string("if a while z x y"));
        QVERIFY_THROWS_EXCEPTION(InternalError, f.link(a, x)); // edges do not cross graphs
        const std::uint64_t full = f.graph.fingerprint();
        const std::size_t at = f.journal.size();

        f.edit.removeSubgraph(then);
        VERIFY_SOUND(f);
        QCOMPARE(f.names(f.graph.allNodes()), std::string("if z"));
        QCOMPARE(f.graph.liveSubgraphs(), (std::vector<GraphId>{rootGraph, other}));
        QCOMPARE(f.graph.node(branch).subgraphs, (std::vector<GraphId>{other}));
        f.edit.removeNode(branch); // takes the other branch with it
        VERIFY_SOUND(f);
        QCOMPARE(f.graph.nodeCount(), 0);
        QVERIFY(!f.graph.contains(z));
        f.journal.move(f.graph, f.journal.size(), at);
        QCOMPARE(f.graph.fingerprint(), full);
        VERIFY_SOUND(f);
    }

    void removesDeeplyNestedGraphsWithoutRecursion()
    {
        Fixture f;
        NodeId owner = f.add("n", 0, 0);
        const GraphId outermost = f.edit.addSubgraph("g", owner);
        GraphId graph = outermost;
        for (int i = 0; i < 50'000; ++i) {
            owner = f.add("n", 0, 0, graph);
            graph = f.edit.addSubgraph("g", owner);
        }
        f.edit.removeSubgraph(outermost);
        QCOMPARE(f.graph.nodeCount(), 1);
        VERIFY_SOUND(f);
    }

    void dropsGraphOutputsOfRemovedNodes()
    {
        Fixture f;
        const NodeId a = f.add("a", 0), b = f.add("b", 0);
        f.edit.setGraphOutputs(rootGraph, {{a, 0}, {b, 0}});
        f.edit.removeNode(a);
        QCOMPARE(f.graph.subgraph(rootGraph).outputs, (std::vector<OutputRef>{{b, 0}}));
        VERIFY_SOUND(f);
    }

    void largeHubsAreNotQuadratic()
    {
        constexpr int count = 100'000;
        Fixture f;
        const NodeId hub = f.add("hub", 0), other = f.add("other", 0), sink = f.add("sink", 0);
        std::vector<NodeId> readers;
        for (int i = 0; i < count; ++i) {
            readers.push_back(f.add("r" + std::to_string(i)));
            f.link(hub, readers.back());
            f.edit.connectControl(hub, readers.back());
        }
        const std::uint64_t base = f.graph.fingerprint();
        const std::size_t at = f.journal.size();
        QElapsedTimer timer;
        timer.start();
        f.edit.replaceUses({hub, 0}, {other, 0});
        f.edit.moveControlEdges(hub, other);
        qInfo("replaceUses and moveControlEdges of %d readers: %lld ms", count, timer.restart());
        f.edit.replaceUses({other, 0}, {sink, 0});
        QCOMPARE(f.graph.consumers({sink, 0}).size(), std::size_t{count});
        QCOMPARE(f.graph.consumers({sink, 0}).front().node, readers.front());
        timer.restart();
        for (const NodeId id : readers) // from the front, as passes walk
            f.edit.removeNode(id);
        qInfo("removing them one by one from the front: %lld ms", timer.restart());
        QCOMPARE(f.graph.nodeCount(), 3);
        VERIFY_SOUND(f);
        f.journal.move(f.graph, f.journal.size(), at);
        qInfo("undoing all of it: %lld ms", timer.restart());
        QCOMPARE(f.graph.fingerprint(), base);
        VERIFY_SOUND(f);
        timer.restart();
        f.edit.removeNodes(readers);
        qInfo("removing them in one call: %lld ms", timer.restart());
        QCOMPARE(f.graph.nodeCount(), 3);
        VERIFY_SOUND(f);
    }

    void removesNodesThatReadEachOther()
    {
        Fixture f;
        const NodeId a = f.add("a", 0), b = f.add("b"), c = f.add("c"), d = f.add("d");
        f.link(a, b);
        f.link(b, c);
        f.edit.connectControl(b, d);
        f.edit.removeNodes({b, c}); // b goes although c read it
        QCOMPARE(f.order(), std::string("a d"));
        VERIFY_SOUND(f);
        f.link(a, d);
        QVERIFY_THROWS_EXCEPTION(InternalError, f.edit.removeNodes({a})); // d reads it and stays
    }
};

QTEST_GUILESS_MAIN(TestGraph)
#include "tst_graph.moc"
