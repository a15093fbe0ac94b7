// Graph and GraphEditor: edits, names, orders, sub-graphs, queries.

#include "engine/graph/graph_editor.h"
#include "engine/graph/result.h"

#include <QtTest>

#include <chrono>

using namespace gelens;

namespace {

/// A graph with its editor, and names for the nodes.
struct Fixture {
    Graph graph{"g"};
    Journal journal;
    GraphEditor edit{graph, journal};

    NodeId add(const std::string& name, int inputs = 1, int outputs = 1, GraphId in = rootGraph,
               const std::string& type = "Op")
    {
        NodeSpec spec;
        spec.name = name;
        spec.type = type;
        for (int i = 0; i < inputs; ++i)
            spec.inputs.emplace_back("x" + std::to_string(i), TensorDesc(DataType::Float, Shape{2}));
        for (int i = 0; i < outputs; ++i)
            spec.outputs.emplace_back("y" + std::to_string(i), TensorDesc(DataType::Float, Shape{2}));
        return edit.addNode(std::move(spec), in);
    }
    void link(NodeId from, NodeId to, int slot = 0) { edit.connect({from, 0}, {to, slot}); }
    std::string names(const std::vector<NodeId>& ids) const
    {
        std::string text;
        for (const NodeId id : ids)
            text += (text.empty() ? "" : " ") + graph.node(id).name;
        return text;
    }
    std::string order() const { return names(graph.nodes()); }
    std::string sorted() const { return names(graph.topologicalOrder()); }
    std::string readers(OutputRef ref) const
    {
        std::string text;
        for (const InputRef to : graph.consumers(ref))
            text += (text.empty() ? "" : " ") + graph.node(to.node).name + ":" + std::to_string(to.index);
        return text;
    }
};

} // namespace

#define VERIFY_SOUND(fixture) QCOMPARE((fixture).graph.findInconsistency(), std::string())

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
        for (int i = 0; i < 100'000; ++i)
            f.add("n", 0, 0);
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

    void ordersTopologically()
    {
        Fixture f;
        const NodeId a = f.add("a"), b = f.add("b"), c = f.add("c"), d = f.add("d");
        f.link(c, a); // a reads c
        f.link(a, b); // b reads a and waits for d, d waits for c
        f.edit.connectControl(d, b);
        f.edit.connectControl(c, d);
        // a needs c: c a. b needs a (placed) and d, whose c is placed: d b.
        bool hasCycle = true;
        QCOMPARE(f.names(f.graph.topologicalOrder(rootGraph, &hasCycle)), std::string("c a d b"));
        QVERIFY(!hasCycle);
    }

    void visitsInputsInCurrentOrderNotSlotOrder()
    {
        Fixture f;
        const NodeId n = f.add("n", 2);
        f.add("m");
        const NodeId y = f.add("y", 0), z = f.add("z", 0);
        f.link(z, n, 0);
        f.link(y, n, 1);
        QCOMPARE(f.sorted(), std::string("y z n m"));
        f.edit.setOrder(rootGraph, f.graph.topologicalOrder());
        QCOMPARE(f.sorted(), f.order()); // sorted stays sorted
    }

    void onlyNewNodesMove()
    {
        Fixture f;
        std::vector<NodeId> chain;
        for (int i = 0; i < 6; ++i) {
            chain.push_back(f.add("n" + std::to_string(i)));
            if (i > 0) f.link(chain[static_cast<std::size_t>(i) - 1], chain.back());
        }
        const NodeId fresh = f.add("cast"); // appended, but belongs before n3
        f.edit.replaceUses({chain[2], 0}, {fresh, 0});
        f.link(chain[2], fresh);
        QCOMPARE(f.sorted(), std::string("n0 n1 n2 cast n3 n4 n5"));
    }

    void reportsCycles()
    {
        Fixture f;
        const NodeId a = f.add("a"), b = f.add("b"), c = f.add("c"), d = f.add("d"), e = f.add("e");
        f.link(b, a);
        f.link(a, b); // a ⇄ b
        f.link(a, c); // waits for the cycle
        f.link(e, d);
        bool hasCycle = false;
        QCOMPARE(f.names(f.graph.topologicalOrder(rootGraph, &hasCycle)), std::string("e d a b c"));
        QVERIFY(hasCycle);
        f.edit.disconnect({a, 0});
        QCOMPARE(f.names(f.graph.topologicalOrder(rootGraph, &hasCycle)), std::string("a b c e d"));
        QVERIFY(!hasCycle);
        f.edit.connectControl(d, d);
        QCOMPARE(f.names(f.graph.topologicalOrder(rootGraph, &hasCycle)), std::string("a b c e d"));
        QVERIFY(hasCycle);
    }

    void ordersADeepChainWithoutRecursion()
    {
        Fixture f;
        constexpr int count = 200'000;
        std::vector<NodeId> ids;
        for (int i = 0; i < count; ++i)
            ids.push_back(f.add("n" + std::to_string(i)));
        for (int i = 0; i + 1 < count; ++i) // the first reads the second, and so on
            f.link(ids[static_cast<std::size_t>(i) + 1], ids[static_cast<std::size_t>(i)]);
        const std::vector<NodeId> sorted = f.graph.topologicalOrder();
        QCOMPARE(sorted.size(), ids.size());
        QVERIFY(std::equal(sorted.begin(), sorted.end(), ids.rbegin()));
        f.edit.setOrder(rootGraph, sorted);
        VERIFY_SOUND(f);
    }

    void ordersSparseIds()
    {
        // Two graphs filled in turn, with ids far apart: both ways of looking up positions are used.
        Fixture f;
        const NodeId owner = f.add("owner", 0);
        const GraphId inner = f.edit.addSubgraph("inner", owner);
        const NodeId first = f.add("first", 1, 1, inner);
        for (int i = 0; i < 500; ++i)
            f.add("pad");
        const NodeId second = f.add("second", 0, 1, inner);
        f.link(second, first);
        QCOMPARE(f.names(f.graph.topologicalOrder(inner)), std::string("second first"));
        QCOMPARE(f.graph.topologicalOrder().size(), std::size_t{501});
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

    void findsConstants()
    {
        Fixture f;
        const NodeId value = f.edit.addConstant("c", Tensor::fromInts({3, 4}, Shape{2}));
        const NodeId user = f.add("u", 2);
        f.link(value, user, 1);
        QCOMPARE(f.graph.constantInput(f.graph.node(user), 1)->asInts().value(), (std::vector<std::int64_t>{3, 4}));
        QVERIFY(f.graph.constantInput(f.graph.node(user), 0) == nullptr);
        QVERIFY(f.graph.constantInput(f.graph.node(user), 5) == nullptr);
        QVERIFY(f.graph.constantOf({user, 0}) == nullptr);
        QVERIFY(f.graph.constantOf({}) == nullptr);
        QVERIFY(f.graph.outputDesc({value, 0}) == TensorDesc(DataType::Int64, Shape{2}));
    }

    void classifiesTypes()
    {
        Fixture f;
        const auto counts = [&](const char* type) { return isOperator(f.graph.node(f.add("n", 0, 0, rootGraph, type))); };
        QVERIFY(counts("MatMulV2"));
        QVERIFY(counts("Split"));
        for (const char* type : {"Data", "Const", "Constant", "FileConstant", "ConstPlaceHolder", "Variable", "RefData",
                                 "AippData", "AnnData", "NetOutput"}) {
            QVERIFY(isBoundaryType(type));
            QVERIFY(!isViewType(type));
            QVERIFY(!counts(type));
        }
        for (const char* type : {"Reshape", "Squeeze", "SqueezeV2", "SqueezeV3", "Unsqueeze", "UnsqueezeV2", "UnsqueezeV3",
                                 "ExpandDims", "Flatten", "FlattenV2", "Identity", "IdentityN", "ReFormat"}) {
            QVERIFY(isViewType(type));
            QVERIFY(!isBoundaryType(type));
            QVERIFY(!counts(type));
        }
        QVERIFY(isConstantType("Const"));
        QVERIFY(!isConstantType("Data"));
    }

    void fingerprintSeesWhatADumpShows()
    {
        Fixture f;
        const NodeId a = f.add("a", 0, 2), b = f.add("b", 2);
        f.link(a, b, 0);
        f.edit.setAttr(a, "value", Tensor::fromInts({1, 2}, Shape{2}));
        const std::uint64_t base = f.graph.fingerprint();
        const std::size_t at = f.journal.size();
        std::vector<std::uint64_t> seen{base};
        TensorDesc symbolic(DataType::Float, Shape{-1});
        symbolic.shape.setSymbol(0, "batch");
        Placement placement;
        placement.outputOffsets = {512};
        const std::vector<std::function<void()>> changes{
            [&] { f.edit.rename(a, "z"); },
            [&] { f.edit.setType(a, "Other"); },
            [&] { f.edit.setAttr(a, "axis", 1); },
            [&] { f.edit.setAttr(a, "axis", true); },
            [&] { f.edit.setAttr(a, "axis", DataType::Float16); },
            [&] { f.edit.setAttr(a, "value", Tensor::fromInts({1, 3}, Shape{2})); },
            [&] { f.edit.setAttr(a, "value", Tensor::fromInts({1, 2}, Shape{1, 2})); },
            [&] { f.edit.setGraphAttr(rootGraph, "axis", 1); },
            [&] { f.edit.setOutputDesc({a, 0}, TensorDesc(DataType::Float, Shape{-1})); },
            [&] { f.edit.setOutputDesc({a, 0}, symbolic); },
            [&] { f.edit.setOutputDesc({a, 1}, symbolic); },
            [&] { f.edit.setInputDesc({b, 0}, symbolic); },
            [&] { f.edit.connect({a, 1}, {b, 0}); },
            [&] { f.edit.connect({a, 0}, {b, 1}); },
            [&] { f.edit.disconnect({b, 0}); },
            [&] { f.edit.connectControl(a, b); },
            [&] { f.edit.connectControl(b, a); },
            [&] { f.edit.moveAfter(a, b); },
            [&] { f.edit.setPlacement(a, placement); },
            [&] { f.edit.setPlacement(b, placement); },
            [&] { f.edit.setGraphOutputs(rootGraph, {{b, 0}}); },
            [&] { f.edit.addSubgraph("s", a); },
            [&] { f.edit.addSubgraph("s", b); },
            [&] { f.edit.addInput(a, "more", TensorDesc()); },
            [&] { f.edit.addOutput(a, "more", TensorDesc()); },
            [&] { f.add("c"); },
        };
        for (const auto& change : changes) {
            const std::size_t from = f.journal.size();
            change();
            VERIFY_SOUND(f);
            seen.push_back(f.graph.fingerprint());
            // Back again; the journal goes on growing, so what is undone is undone from a copy of the position.
            for (std::size_t i = f.journal.size(); i > from; --i)
                Journal::revert(f.graph, f.journal[i - 1].edit);
            QCOMPARE(f.graph.fingerprint(), base);
        }
        QVERIFY(f.journal.size() > at);
        std::sort(seen.begin(), seen.end());
        QVERIFY(std::adjacent_find(seen.begin(), seen.end()) == seen.end()); // all differ
    }

    void fingerprintIgnoresDeadIds()
    {
        Fixture one, two;
        two.edit.removeNode(two.add("gone"));
        const NodeId owner = two.add("gone too");
        two.edit.removeSubgraph(two.edit.addSubgraph("sub", owner));
        two.edit.removeNode(owner);
        for (Fixture* f : {&one, &two}) {
            const NodeId a = f->add("a", 0), b = f->add("b");
            f->link(a, b);
            f->add("inner", 0, 1, f->edit.addSubgraph("sub", b));
            f->edit.setGraphOutputs(rootGraph, {{b, 0}});
        }
        QCOMPARE(one.graph.fingerprint(), two.graph.fingerprint());
    }

    void largeConstantsCountByASample()
    {
        std::vector<std::int64_t> values(100'000, 5);
        const auto fingerprint = [&] {
            Fixture f;
            f.edit.addConstant("c", Tensor::fromInts(values, Shape{100'000}));
            return f.graph.fingerprint();
        };
        const std::uint64_t base = fingerprint();
        QCOMPARE(fingerprint(), base);
        values.front() = 6;
        QVERIFY(fingerprint() != base);
        values.front() = 5;
        values.back() = 6;
        QVERIFY(fingerprint() != base);
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

    void describesEdits()
    {
        Fixture f;
        const NodeId a = f.add("scale", 0), b = f.add("mul", 2);
        f.link(a, b, 1);
        f.edit.connectControl(a, b);
        f.edit.setAttr(b, "axis", 1);
        f.edit.setAttr(b, "axis", 2);
        f.edit.setOutputDesc({b, 0}, TensorDesc(DataType::Float16, Shape{2}));
        f.edit.moveAfter(b, {});
        f.edit.setOrder(rootGraph, {a, b});
        std::vector<std::string> lines;
        for (std::size_t i = 0; i < f.journal.size(); ++i)
            lines.push_back(describeEdit(f.journal[i].edit, f.graph));
        QCOMPARE(lines, (std::vector<std::string>{"added Op 'scale'", "added Op 'mul'", "input 1 ← 'scale':0",
                                                  "waits for 'scale'", "attribute axis = 1", "attribute axis: 1 → 2",
                                                  "output 0: fp32 ND [2] → fp16 ND [2]", "moved to the front",
                                                  "graph 'g': 2 nodes in a new order"}));
        QCOMPARE(editedNode(f.journal[2].edit), b);
        QCOMPARE(touchedNodes(f.journal[2].edit), (std::vector<NodeId>{b, a}));
        QCOMPARE(touchedNodes(f.journal[3].edit), (std::vector<NodeId>{b, a}));
        QCOMPARE(touchedNodes(f.journal[4].edit), (std::vector<NodeId>{b}));
        QVERIFY(touchedNodes(f.journal[8].edit).empty());
        // A graph that has not seen the nodes yet has no names for them.
        QCOMPARE(describeEdit(f.journal[2].edit, Graph()), std::string("input 1 ← node 0:0"));
    }
};

QTEST_GUILESS_MAIN(TestGraph)
#include "tst_graph.moc"
