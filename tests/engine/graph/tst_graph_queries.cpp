// What a graph answers: topological orders, constants, classes of operators, fingerprints, checks, words for edits.

#include "engine/graph/result.h"
#include "tests/engine/graph/graph_fixture.h"

#include <QtTest>

#include <algorithm>
#include <functional>

using namespace gelens;
using namespace gelens::test;

class TestGraphQueries : public QObject {
    Q_OBJECT

private Q_SLOTS:
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
        for (int i = 0; i < count; ++i) ids.push_back(f.add("n" + std::to_string(i)));
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
        for (int i = 0; i < 500; ++i) f.add("pad");
        const NodeId second = f.add("second", 0, 1, inner);
        f.link(second, first);
        QCOMPARE(f.names(f.graph.topologicalOrder(inner)), std::string("second first"));
        QCOMPARE(f.graph.topologicalOrder().size(), std::size_t{501});
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
        const auto counts = [&](const char* type) {
            return isOperator(f.graph.node(f.add("n", 0, 0, rootGraph, type)));
        };
        QVERIFY(counts("MatMulV2"));
        QVERIFY(counts("Split"));
        for (const char* type : {"Data", "Const", "Constant", "FileConstant", "ConstPlaceHolder", "Variable", "RefData",
                                 "AippData", "AnnData", "NetOutput"}) {
            QVERIFY(isBoundaryType(type));
            QVERIFY(!isViewType(type));
            QVERIFY(!counts(type));
        }
        for (const char* type :
             {"Reshape", "Squeeze", "SqueezeV2", "SqueezeV3", "Unsqueeze", "UnsqueezeV2", "UnsqueezeV3", "ExpandDims",
              "Flatten", "FlattenV2", "Identity", "IdentityN", "ReFormat"}) {
            QVERIFY(isViewType(type));
            QVERIFY(!isBoundaryType(type));
            QVERIFY(!counts(type));
        }
        QVERIFY(isConstantType("Const"));
        QVERIFY(!isConstantType("Data"));
    }

    void findsBrokenGraphs()
    {
        // Records forged past the editor, each breaking one thing that the editor keeps true.
        const auto problemAfter = [](const std::vector<Edit>& forged) {
            Fixture f;
            const NodeId a = f.add("a", 1, 2), b = f.add("b", 2);
            f.link(a, b);
            f.edit.connectControl(a, b);
            f.add("c", 1, 1, f.edit.addSubgraph("sub", b)); // node 2, graph 1
            for (const Edit& edit : forged) Journal::apply(f.graph, edit);
            return f.graph.findInconsistency();
        };
        const NodeId a{0}, b{1}, c{2};
        const auto outputs = [](std::vector<OutputRef> refs) {
            return std::make_shared<const std::vector<OutputRef>>(std::move(refs));
        };
        const auto order = [](std::vector<NodeId> ids) {
            return std::make_shared<const std::vector<NodeId>>(std::move(ids));
        };
        QCOMPARE(problemAfter({}), std::string());
        QCOMPARE(problemAfter({edit::SetName{b, "b", "a"}}), std::string("graph 'g' has two nodes named 'a'"));
        QCOMPARE(problemAfter({edit::Connect{{c, 0}, {b, 1}}}),
                 std::string("an input of node 'b' reads a node of another graph"));
        QCOMPARE(problemAfter({edit::ConnectControl{a, b}}), std::string("node 'b' has a control edge twice"));
        QCOMPARE(problemAfter({edit::ConnectControl{a, c}}), std::string("node 'c' waits for a node of another graph"));
        QCOMPARE(problemAfter({edit::DisconnectControl{a, b, 0, 0}, edit::RemoveNode{a, {}}}),
                 std::string("an input of node 'b' reads an output that does not exist"));
        QCOMPARE(problemAfter({edit::SetGraphOutputs{rootGraph, outputs({}), outputs({{c, 0}})}}),
                 std::string("graph 'g' records an output of node 2, which it does not have"));
        QCOMPARE(problemAfter({edit::RemoveNode{c, {}}, edit::RemoveSubgraph{GraphId{1}, {}, 0}}),
                 std::string("node 'b' lists a graph that is not its own"));
        QCOMPARE(problemAfter({edit::SetOrder{rootGraph, order({}), order({a, a})}}),
                 std::string("node 'a' does not point back in the order list"));
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
            [&] {
                f.edit.setAttr(a, "value", Tensor::fromInts({1, 3}, Shape{2}));
            },
            [&] {
                f.edit.setAttr(a, "value", Tensor::fromInts({1, 2}, Shape{1, 2}));
            },
            [&] { f.edit.setGraphAttr(rootGraph, "axis", 1); },
            [&] {
                f.edit.setOutputDesc({a, 0}, TensorDesc(DataType::Float, Shape{-1}));
            },
            [&] {
                f.edit.setOutputDesc({a, 0}, symbolic);
            },
            [&] {
                f.edit.setOutputDesc({a, 1}, symbolic);
            },
            [&] {
                f.edit.setInputDesc({b, 0}, symbolic);
            },
            [&] {
                f.edit.connect({a, 1}, {b, 0});
            },
            [&] {
                f.edit.connect({a, 0}, {b, 1});
            },
            [&] {
                f.edit.disconnect({b, 0});
            },
            [&] { f.edit.connectControl(a, b); },
            [&] { f.edit.connectControl(b, a); },
            [&] { f.edit.moveAfter(a, b); },
            [&] { f.edit.setPlacement(a, placement); },
            [&] { f.edit.setPlacement(b, placement); },
            [&] {
                f.edit.setGraphOutputs(rootGraph, {{b, 0}});
            },
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
            for (std::size_t i = f.journal.size(); i > from; --i) Journal::revert(f.graph, f.journal[i - 1].edit);
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
        for (std::size_t i = 0; i < f.journal.size(); ++i) lines.push_back(describeEdit(f.journal[i].edit, f.graph));
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

QTEST_GUILESS_MAIN(TestGraphQueries)
#include "tst_graph_queries.moc"
