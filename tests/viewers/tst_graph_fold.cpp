// Blocks from names and from structure.

#include "tests/viewers/graph_models.h"
#include "viewers/scene/block_finder.h"
#include "viewers/scene/scene.h"

#include <QTest>

#include <chrono>
#include <set>

using namespace gelens;
using namespace gelens::testing;

namespace {

int countKind(const FoldModel& fold, FoldGroup::Kind kind)
{
    int count = 0;
    for (const FoldGroup& group : fold.groups()) count += group.kind == kind;
    return count;
}

const FoldGroup* firstRepeat(const FoldModel& fold)
{
    for (const FoldGroup& group : fold.groups())
        if (group.kind == FoldGroup::Kind::Repeat) return &group;
    return nullptr;
}

} // namespace

class GraphFoldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void layersFoldIntoOneCard_data()
    {
        QTest::addColumn<bool>("isScoped");
        QTest::newRow("scopes in the names") << true;
        QTest::newRow("names that say nothing") << false;
    }

    void layersFoldIntoOneCard()
    {
        QFETCH(bool, isScoped);
        GraphMaker make;
        if (isScoped)
            addDecoder(make, 32, scopedName);
        else
            addDecoder(make, 32, PlainNames());
        const auto fold = FoldModel::build(*make.graph, {});
        QCOMPARE(countKind(*fold, FoldGroup::Kind::Repeat), 1);
        const FoldGroup* repeat = firstRepeat(*fold);
        QCOMPARE(repeat->repeats, 32);
        QCOMPARE(repeat->variants, 1);
        QCOMPARE(static_cast<int>(repeat->groups.size()), 32);
        for (const int instance : repeat->groups) {
            QCOMPARE(fold->group(instance).kind, FoldGroup::Kind::Instance);
            QCOMPARE(fold->group(instance).nodeCount, layerNodes);
        }
        LayoutEngine engine;
        const auto scene = buildDefaultScene(make.graph, engine);
        int cards = 0;
        for (const DrawnBox& box : scene->drawing.boxes)
            if (box.kind == BoxKind::Group) {
                ++cards;
                QVERIFY(box.title.ends_with(" × 32"));
            }
        QCOMPARE(cards, 1);
        QVERIFY(scene->drawing.boxes.size() < 12);
        // Opened, with one instance open, its nodes are there.
        SceneOptions options;
        options.open = {scene->options.open.begin(), scene->options.open.end()};
        options.open.insert(repeat->key);
        options.open.insert(fold->group(repeat->groups[3]).key);
        const auto opened = buildScene(make.graph, fold, options, engine, SceneChange::Fold, scene.get(), {}, {});
        std::set<std::string> types;
        for (const DrawnBox& box : opened->drawing.boxes)
            if (box.kind == BoxKind::Node) types.insert(box.title);
        QVERIFY(types.contains("SoftmaxV2"));
        QVERIFY(types.contains("RmsNorm"));
    }

    void aDifferentLayerIsAVariant()
    {
        GraphMaker make;
        addDecoder(make, 8, scopedName);
        const NodeId act = make.graph->findNode("/model/layers.5/act");
        make.edit.setType(act, "Gelu");
        const auto fold = FoldModel::build(*make.graph, {});
        QVERIFY(firstRepeat(*fold) != nullptr);
        QCOMPARE(firstRepeat(*fold)->variants, 2);
    }

    void numberedButDifferentBlocksStayApart()
    {
        GraphMaker make;
        NodeId x = make.add("Data", "in", {});
        for (int i = 0; i < 4; ++i)
            for (int k = 0; k < 5 + i; ++k)
                x = make.add("Relu", "/stage" + std::to_string(i) + "/op" + std::to_string(k), {x});
        const auto fold = FoldModel::build(*make.graph, {});
        QCOMPARE(countKind(*fold, FoldGroup::Kind::Repeat), 0);
        QCOMPARE(countKind(*fold, FoldGroup::Kind::Scope), 4);
    }

    void foldingCanBeSwitchedOff()
    {
        GraphMaker make;
        addDecoder(make, 8, scopedName);
        QCOMPARE(static_cast<int>(FoldModel::build(*make.graph, {false, false})->groups().size()), 1);
        QCOMPARE(countKind(*FoldModel::build(*make.graph, {true, false}), FoldGroup::Kind::Repeat), 0);
    }

    void insertedNodesJoinTheBlockTheyServe()
    {
        GraphMaker make;
        addDecoder(make, 4, scopedName);
        const NodeId act = make.graph->findNode("/model/layers.2/act");
        const NodeId up = make.graph->findNode("/model/layers.2/up");
        const NodeId trans = make.add("TransData", "trans_TransData_7", {up});
        make.edit.connect({trans, 0}, {act, 0});
        const auto fold = FoldModel::build(*make.graph, {});
        QCOMPARE(fold->groupOf(trans), fold->groupOf(act));
        QVERIFY(fold->groupOf(trans) > 0);
    }

    void blocksStayFromStepToStep()
    {
        const auto run = makeRun(6);
        const auto before = FoldModel::build(*run->graphAt(StepId{0}), {});
        const auto graph = run->graphAt(StepId{1});
        const auto after = FoldModel::follow(*graph, *before, {});
        QCOMPARE(after->groups().size(), before->groups().size());
        const NodeId fused = graph->findNode(scopedName(3, "attention"));
        QCOMPARE(after->groupOf(fused), before->groupOf(graph->findNode(scopedName(3, "up"))));
        QCOMPARE(firstRepeat(*after)->variants, 1);
        QCOMPARE(firstRepeat(*after)->nodeCount, 6 * (layerNodes - 3));
    }

    void subgraphsAreBlocks()
    {
        GraphMaker make;
        const NodeId data = make.add("Data", "in", {});
        const NodeId branch = make.add("If", "choice", {data});
        const GraphId then = make.edit.addSubgraph("then_branch", branch);
        NodeId x = make.add("Data", "inner_in", {}, {1}, then);
        for (int i = 0; i < 6; ++i) x = make.add("Relu", "r" + std::to_string(i), {x}, {1}, then);
        const auto fold = FoldModel::build(*make.graph, {});
        QCOMPARE(countKind(*fold, FoldGroup::Kind::Subgraph), 1);
        LayoutEngine engine;
        const auto scene = buildDefaultScene(make.graph, engine);
        int owned = 0;
        for (const DrawnEdge& edge : scene->drawing.edges) owned += edge.isOwnership;
        QCOMPARE(owned, 1);
    }

    void blocksAreFoundInLinearTime()
    {
        const auto seconds = [](int layers) {
            GraphMaker make;
            addDecoder(make, layers, PlainNames());
            const auto start = std::chrono::steady_clock::now();
            const auto blocks = findRepeatedBlocks(*make.graph, make.graph->nodes());
            const double taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            if (blocks.empty() || static_cast<int>(blocks.front().instances.size()) != layers) return -1.0;
            return taken;
        };
        QVERIFY(seconds(200) > 0);
        const double large = seconds(4000); // 52,000 nodes
        QVERIFY(large > 0);
        QVERIFY2(large < 3, qPrintable(QString::number(large)));
    }

    void aChainOfOneOperatorIsNoBlock()
    {
        GraphMaker make;
        NodeId x = make.add("Data", "in", {});
        for (int i = 0; i < 3000; ++i) x = make.add("Relu", "n" + std::to_string(i), {x});
        QVERIFY(findRepeatedBlocks(*make.graph, make.graph->nodes()).empty());
        QCOMPARE(FoldModel::build(*make.graph, {})->group(0).nodeCount, 3001);
    }

    void nameComponents()
    {
        const auto parts = gelens::nameComponents("/model/layers.0//q");
        QCOMPARE(static_cast<int>(parts.size()), 3);
        QCOMPARE(std::string(parts[1]), std::string("layers.0"));
        QCOMPARE(static_cast<int>(gelens::nameComponents("layer0.attn.q").size()), 3);
        QCOMPARE(static_cast<int>(gelens::nameComponents("").size()), 0);
        QCOMPARE(static_cast<int>(gelens::nameComponents(std::string(20000, '/')).size()), 0);
    }
};

QTEST_GUILESS_MAIN(GraphFoldTest)
#include "tst_graph_fold.moc"
