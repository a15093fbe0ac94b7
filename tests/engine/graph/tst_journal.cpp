// The journal's promise: whatever was done, any step can be reached again exactly, and it costs what the edits cost.

#include "engine/graph/graph_editor.h"
#include "tests/engine/graph/random_edits.h"

#include <QtTest>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

using namespace gelens;
using namespace gelens::test;

namespace {

struct Mark {
    std::size_t position;
    std::uint64_t fingerprint;
    std::string text;
    Graph snapshot;
};

Mark markOf(const Graph& graph, const Journal& journal)
{
    return {journal.size(), graph.fingerprint(), strictText(graph), graph};
}

/// How many nodes two graphs hold in common, not as equal copies but as the same object.
int sharedNodes(const Graph& a, const Graph& b)
{
    int count = 0;
    for (int i = 0; i < std::min(a.nodeIdBound(), b.nodeIdBound()); ++i)
        count += &a.node(NodeId{i}) == &b.node(NodeId{i}) ? 1 : 0;
    return count;
}

NodeSpec plainNode(const std::string& name)
{
    NodeSpec spec;
    spec.name = name;
    spec.type = "Op";
    spec.inputs.emplace_back("x", TensorDesc(DataType::Float, Shape{2}));
    spec.outputs.emplace_back("y", TensorDesc(DataType::Float, Shape{2}));
    return spec;
}

void buildChain(GraphEditor& edit, int count)
{
    for (int i = 0; i < count; ++i) {
        const NodeId id = edit.addNode(plainNode("n" + std::to_string(i)));
        if (i > 0) edit.connect({NodeId{id.value - 1}, 0}, {id, 0});
    }
}

} // namespace

class TestJournal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anyStepCanBeReachedAgain_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (const unsigned seed : {1u, 2u, 3u, 5u, 8u, 13u, 21u, 34u, 55u, 89u})
            QTest::addRow("seed %u", seed) << seed;
    }
    void anyStepCanBeReachedAgain()
    {
        QFETCH(const unsigned, seed);
        Graph graph("random");
        Journal journal;
        GraphEditor editor(graph, journal);
        RandomEdits edits(editor, seed);
        std::vector<Mark> marks{markOf(graph, journal)};
        for (int step = 1; step <= 40; ++step) {
            editor.setStep(StepId{step});
            for (int i = 0; i < 80; ++i) edits.once();
            QCOMPARE(graph.findInconsistency(), std::string());
            marks.push_back(markOf(graph, journal));
        }
        QVERIFY2(journal.size() > 1500, "too few edits to prove anything");

        const auto check = [&](const Graph& at, const Mark& mark) {
            return at.fingerprint() == mark.fingerprint && strictText(at) == mark.text &&
                   at.findInconsistency().empty();
        };
        // All the way back, all the way forward, then at random.
        std::size_t position = journal.size();
        const auto visit = [&](const Mark& mark) {
            journal.move(graph, position, mark.position);
            position = mark.position;
            return check(graph, mark);
        };
        for (std::size_t i = marks.size(); i-- > 0;)
            QVERIFY2(visit(marks[i]), qPrintable(QStringLiteral("backwards to step %1").arg(i)));
        for (std::size_t i = 0; i < marks.size(); ++i)
            QVERIFY2(visit(marks[i]), qPrintable(QStringLiteral("forwards to step %1").arg(i)));
        std::mt19937 random(seed);
        for (int jump = 0; jump < 60; ++jump) {
            const std::size_t i = random() % marks.size();
            QVERIFY2(visit(marks[i]), qPrintable(QStringLiteral("jump to step %1").arg(i)));
        }
        // Snapshots have not moved, and can be taken anywhere by the same journal.
        for (std::size_t i = 0; i < marks.size(); ++i) {
            QVERIFY2(check(marks[i].snapshot, marks[i]), qPrintable(QStringLiteral("snapshot of step %1").arg(i)));
            const std::size_t to = random() % marks.size();
            Graph copy = marks[i].snapshot;
            journal.move(copy, marks[i].position, marks[to].position);
            QVERIFY(check(copy, marks[to]));
        }
    }

    void everyKindOfRecordIsCovered()
    {
        std::set<std::size_t> kinds;
        for (const unsigned seed : {1u, 2u, 3u}) {
            Graph graph;
            Journal journal;
            GraphEditor editor(graph, journal);
            RandomEdits edits(editor, seed);
            for (int i = 0; i < 3000; ++i) edits.once();
            for (std::size_t i = 0; i < journal.size(); ++i) {
                kinds.insert(journal[i].edit.index());
                QVERIFY(!describeEdit(journal[i].edit, graph).empty());
                const std::vector<NodeId> touched = touchedNodes(journal[i].edit);
                for (const NodeId id : touched) QVERIFY(id.value >= 0 && id.value < graph.nodeIdBound());
                if (const NodeId edited = editedNode(journal[i].edit); edited.isValid())
                    QVERIFY(std::find(touched.begin(), touched.end(), edited) != touched.end());
            }
        }
        QCOMPARE(kinds.size(), std::variant_size_v<Edit>);
    }

    void everySingleRecordIsReversible()
    {
        // Record by record, so that a mistake in one kind cannot be hidden by its neighbours.
        Graph graph;
        Journal journal;
        GraphEditor editor(graph, journal);
        RandomEdits edits(editor, 144);
        for (int i = 0; i < 1500; ++i) edits.once();
        std::vector<std::string> texts{strictText(graph)};
        for (std::size_t i = journal.size(); i > 0; --i) {
            Journal::revert(graph, journal[i - 1].edit);
            texts.push_back(strictText(graph));
        }
        QCOMPARE(graph.nodeCount(), 0);
        for (std::size_t i = 0; i < journal.size(); ++i) {
            QVERIFY(strictText(graph) == texts[journal.size() - i]);
            Journal::apply(graph, journal[i].edit);
        }
        QVERIFY(strictText(graph) == texts.front());
    }

    void aWhatIfRunBranchesOff()
    {
        // Back to an earlier step, and on from there in another way, on copies: the first run stays as it was.
        Graph graph;
        Journal journal;
        GraphEditor editor(graph, journal);
        buildChain(editor, 20);
        const Mark early = markOf(graph, journal);
        for (int i = 0; i < 5; ++i) editor.addNode(plainNode("late"));
        const Mark late = markOf(graph, journal);

        Graph branch = graph;
        journal.move(branch, journal.size(), early.position);
        Journal branchJournal;
        GraphEditor branchEditor(branch, branchJournal);
        const NodeId fresh = branchEditor.addNode(plainNode("late"));
        QCOMPARE(branch.node(fresh).name, std::string("late")); // names undone are free
        QVERIFY(fresh.value >= late.snapshot.nodeIdBound());    // ids are not
        QCOMPARE(branch.findInconsistency(), std::string());
        // The same records fit a copy that has never seen the ids in between.
        Graph other = early.snapshot;
        branchJournal.move(other, 0, branchJournal.size());
        QCOMPARE(other.findInconsistency(), std::string());
        QCOMPARE(other.fingerprint(), branch.fingerprint());
        QCOMPARE(graph.fingerprint(), late.fingerprint);
    }

    void memoryGrowsWithEditsOnly()
    {
        constexpr int nodes = 2000;
        constexpr int steps = 300;
        Graph graph;
        Journal journal;
        GraphEditor editor(graph, journal);
        buildChain(editor, nodes);
        QCOMPARE(journal.size(), std::size_t{nodes + nodes - 1}); // one for each node, one for each edge
        std::vector<Graph> snapshots{graph};
        for (int step = 0; step < steps; ++step) {
            const std::size_t before = journal.size();
            const NodeId id{step * 5 + 1};
            editor.setType(id, "Changed");                                        // touches one node
            editor.setAttr(id, "step", step);                                     // the same one
            const NodeId fresh = editor.addNode(plainNode("new"), rootGraph, id); // and two neighbours
            editor.replaceUses({id, 0}, {fresh, 0}); // and the reader, which is a neighbour
            editor.connect({id, 0}, {fresh, 0});
            QCOMPARE(journal.size() - before, std::size_t{6}); // replaceUses: unlink and link
            snapshots.push_back(graph);
        }
        for (std::size_t i = 0; i + 1 < snapshots.size(); ++i) {
            const int shared = sharedNodes(snapshots[i], snapshots[i + 1]);
            QVERIFY2(shared >= snapshots[i].nodeIdBound() - 4, qPrintable(QString::number(shared)));
        }
        QVERIFY(sharedNodes(snapshots.front(), snapshots.back()) >= nodes - 2 * steps - 2);
        // A walk through time makes no lasting copies either: once back, the journal is as long as before.
        const std::size_t size = journal.size();
        journal.move(graph, size, 0);
        journal.move(graph, 0, size);
        QCOMPARE(journal.size(), size);
        QCOMPARE(graph.fingerprint(), snapshots.back().fingerprint());
    }

    void reorderingCopiesOnlyWhatMoves()
    {
        Graph graph;
        Journal journal;
        GraphEditor editor(graph, journal);
        buildChain(editor, 1000);
        const Graph before = graph;
        std::vector<NodeId> order = graph.nodes();
        std::swap(order[500], order[501]);
        editor.setOrder(rootGraph, order);
        QVERIFY(sharedNodes(before, graph) >= 1000 - 4);
    }

    void constantsAreShared()
    {
        Graph graph;
        Journal journal;
        GraphEditor editor(graph, journal);
        const NodeId id = editor.addConstant("c", Tensor::fromInts(std::vector<std::int64_t>(1000, 3), Shape{1000}));
        const Graph before = graph;
        editor.setAttr(id, "note", "x"); // clones the node, not its value
        QVERIFY(&before.node(id) != &graph.node(id));
        QCOMPARE(before.constantOf({id, 0})->data.data(), graph.constantOf({id, 0})->data.data());
    }

    void snapshotsMayBeReadWhileTheOriginalIsEdited()
    {
        Graph graph;
        Journal journal;
        GraphEditor editor(graph, journal);
        RandomEdits edits(editor, 233);
        for (int i = 0; i < 1000; ++i) edits.once();
        std::atomic<int> mismatches{0};
        std::atomic<int> reads{0};
        for (int round = 0; round < 30; ++round) {
            auto snapshot = std::make_shared<const Graph>(graph);
            const std::string expected = strictText(*snapshot);
            std::vector<std::thread> readers;
            for (int t = 0; t < 2; ++t)
                readers.emplace_back([snapshot, &expected, &mismatches, &reads] {
                    for (int i = 0; i < 3; ++i) {
                        mismatches += strictText(*snapshot) == expected ? 0 : 1;
                        mismatches += snapshot->topologicalOrder().size() == snapshot->nodes().size() ? 0 : 1;
                        ++reads;
                    }
                });
            snapshot.reset(); // the last reader frees it, while edits go on here
            for (int i = 0; i < 100; ++i) edits.once();
            for (std::thread& reader : readers) reader.join();
        }
        QCOMPARE(mismatches.load(), 0);
        QCOMPARE(reads.load(), 30 * 2 * 3);
        QCOMPARE(graph.findInconsistency(), std::string());
    }
};

QTEST_GUILESS_MAIN(TestJournal)
#include "tst_journal.moc"
