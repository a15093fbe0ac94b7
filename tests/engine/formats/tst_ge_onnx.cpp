// ge_onnx dumps: read, written back, made from GE's own ge_proto twins, and made from the ONNX models that GE parsed.

#include "engine/formats/ge_onnx_reader.h"
#include "engine/formats/ge_onnx_writer.h"
#include "engine/formats/ge_parsed_view.h"
#include "engine/formats/ge_proto_reader.h"
#include "engine/formats/ge_proto_writer.h"
#include "engine/formats/model_file.h"
#include "engine/graph/graph_editor.h"
#include "tests/engine/formats/ge_oracle.h"

#include <QtTest>

#include <map>
#include <set>

using namespace gelens;
using namespace gelens::test;

namespace {

/// What remains between our dump of a freshly opened ONNX model and GE's: line of the first difference is not compared,
/// only which files differ, and why.
const std::map<std::string, const char*> importDifferences = {
#include "tests/engine/formats/tst_ge_onnx_remaining.inc"
};

/// Our graph with the names that GE invented and in GE's order of nodes: what is left is content. Nodes are paired from
/// the outputs backwards, slot by slot.
Graph namedAndSortedAs(const Graph& ours, const Graph& theirs)
{
    Graph graph = ours;
    Journal journal;
    GraphEditor editor(graph, journal);
    std::map<NodeId, NodeId> pairs; // theirs → ours
    std::vector<std::pair<NodeId, NodeId>> queue;
    const auto pair = [&](NodeId mine, NodeId other) {
        if (mine.isValid() && other.isValid() && pairs.emplace(other, mine).second) queue.emplace_back(mine, other);
    };
    const auto ends = [](const Graph& g, GraphId id) {
        std::vector<NodeId> found;
        g.forEachNode(id, [&](const Node& node) {
            if (node.type == "NetOutput") found.push_back(node.id);
        });
        return found;
    };
    const auto ownGraphs = graph.liveSubgraphs(), otherGraphs = theirs.liveSubgraphs();
    for (const NodeId id : theirs.allNodes()) // nodes whose name and type agree anyway
        if (const NodeId same = graph.findNode(theirs.node(id).name);
            same.isValid() && graph.node(same).type == theirs.node(id).type)
            pair(same, id);
    const auto a = ends(graph, rootGraph), b = ends(theirs, rootGraph);
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) pair(a[i], b[i]);
    while (!queue.empty()) {
        const auto [mine, other] = queue.back();
        queue.pop_back();
        for (int i = 0; i < std::min(graph.node(mine).inputCount(), theirs.node(other).inputCount()); ++i)
            pair(graph.node(mine).source(i).node, theirs.node(other).source(i).node);
    }
    for (const auto& [other, mine] : pairs) editor.rename(mine, "\x01" + std::to_string(mine.value));
    for (const auto& [other, mine] : pairs) editor.rename(mine, theirs.node(other).name);
    for (const GraphId id : otherGraphs) {
        std::vector<NodeId> order;
        std::set<NodeId> placed;
        GraphId target;
        theirs.forEachNode(id, [&](const Node& node) {
            const auto found = pairs.find(node.id);
            if (found == pairs.end() || !placed.insert(found->second).second) return;
            target = graph.node(found->second).graph;
            order.push_back(found->second);
        });
        if (!target.isValid()) continue;
        std::erase_if(order, [&](NodeId node) { return graph.node(node).graph != target; });
        graph.forEachNode(target, [&](const Node& node) {
            if (!placed.contains(node.id)) order.push_back(node.id);
        });
        editor.setOrder(target, order);
    }
    return graph;
}

std::string modelOf(const std::string& folder)
{
    const std::string name = folder.substr(5);
    for (const char* group : {"gen", "real", "ge-parser"}) {
        const fs::path path = fs::path(GELENS_CORPUS_DIR) / "onnx" / group / name / "model.onnx";
        if (fs::exists(path)) return path.string();
    }
    return {};
}

} // namespace

class TestGeOnnx : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusesDamage();
    void claimedOutputsAreBounded();
    void valueInfoWithoutDimsSaysNothing();
    void oracleIsRewrittenUnchanged();
    void namesOfOutputsAreNotMissed();
    void protoTwinGivesGesText();
    void importedModelsGiveGesText();
};

void TestGeOnnx::refusesDamage()
{
    const auto cut = readGeOnnx("ir_version: 6\ngraph {\n  node {\n    input: \"a:0\"\n    name: \"b");
    QVERIFY(!cut.ok());
    QVERIFY2(cut.error().message().find("line 5, column 11") != std::string::npos, cut.error().message().c_str());
    const auto kept =
        readGeOnnx("graph { node { name: \"a\" op_type: \"ge:Data\" output: \"a:0\" } node { name: \"b\"");
    QVERIFY(kept.ok());
    QCOMPARE(kept->graph.nodeCount(), 1);
    QCOMPARE(kept->messages.size(), std::size_t(1));
}

/// A few bytes of an edge or of an output name ask for 60,000 outputs: once is believed, for each of 500 nodes not.
void TestGeOnnx::claimedOutputsAreBounded()
{
    std::string text = "graph {";
    for (int i = 0; i < 500; ++i) {
        const std::string name = "n" + std::to_string(i);
        text += " node { output: \"" + name + ":60000\" name: \"" + name + "\" op_type: \"ge:Split\" }";
        text += " node { input: \"" + name + ":60000\" name: \"r" + name + "\" op_type: \"ge:Relu\" }";
    }
    const auto document = readGeOnnx(text + " }");
    QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
    const Graph& graph = document->graph;
    int outputs = 0;
    graph.forEachNode(rootGraph, [&](const Node& node) { outputs += node.outputCount(); });
    QVERIFY2(outputs < 400'000, std::to_string(outputs).c_str());
    QCOMPARE(graph.node(graph.findNode("n0")).outputCount(), 60001);
    QVERIFY(!document->messages.empty());
    QCOMPARE(document->messages.front().id, std::string("ge.bad-edge"));
}

void TestGeOnnx::oracleIsRewrittenUnchanged()
{
    SKIP_WITHOUT_CORPUS();
    Comparison comparison;
    for (const fs::path& file : filesLike(oracle(), "ge_onnx_", ".pbtxt")) {
        const std::string theirs = fileText(file);
        const auto document = readGeOnnx(theirs);
        QVERIFY2(document.ok(), (file.string() + ": " + (document.ok() ? "" : document.error().message())).c_str());
        QVERIFY2(document->graph.findInconsistency().empty(), document->graph.findInconsistency().c_str());
        comparison.add(file, geOnnxText(document->graph, detailOf(file)), theirs);
    }
    comparison.report("ge_onnx dumps are rewritten byte for byte");
    QVERIFY2(comparison.different.isEmpty(), qPrintable(comparison.text()));
    QVERIFY(comparison.all > 60);
}

/// No ge_onnx dump has names of outputs: their absence says nothing of a node, whichever reader decodes it, and a
/// ge_proto dump made of such a graph has them.
void TestGeOnnx::namesOfOutputsAreNotMissed()
{
    Graph graph("g");
    Journal journal;
    GraphEditor editor(graph, journal);
    const TensorDesc desc(DataType::Float16, {2, 3});
    const NodeId x = editor.addNode({"x", "Data", {{"x", desc}}, {{"y", desc}}, {{"index", AttrValue(0)}}, false});
    const NodeId relu = editor.addNode({"relu", "Relu", {{"x", desc}}, {{"y", desc}}, {}, false});
    editor.connect({x, 0}, {relu, 0});
    std::string text = geOnnxText(graph, DumpDetail::NoData);
    QVERIFY(text.find("_output_name") == std::string::npos);
    for (const bool isTolerant : {false, true}) {
        if (isTolerant) text.replace(text.find("  node {"), 8, "  node <"); // what only the tolerant reader takes
        if (isTolerant) text.replace(text.find("\n  }\n"), 5, "\n  >\n");
        const auto document = readGeOnnx(text);
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
        for (const NodeId id : document->graph.allNodes())
            QVERIFY2(!document->graph.node(id).attrs.contains("gelens.fields"), document->graph.node(id).name.c_str());
        QVERIFY(geProtoText(document->graph, DumpDetail::NoData).find("_output_name_key") != std::string::npos);
    }
}

void TestGeOnnx::protoTwinGivesGesText()
{
    SKIP_WITHOUT_CORPUS();
    Comparison comparison;
    for (const fs::path& file : filesLike(oracle(), "ge_proto_", ".txt")) {
        const fs::path folder = file.parent_path();
        if (folder.filename() != "level1") continue;
        const auto document = readGeProto(fileText(file));
        QVERIFY(document.ok());
        std::string name = file.stem().string() + ".pbtxt";
        name.replace(0, 8, "ge_onnx");
        for (const char* level : {"level1", "level2", "level3"}) {
            const fs::path twin = folder.parent_path() / level / name;
            if (fs::exists(twin)) comparison.add(twin, geOnnxText(document->graph, detailOf(twin)), fileText(twin));
        }
    }
    comparison.report("ge_onnx dumps come out of their ge_proto twin");
    // A ge_proto dump of a graph that is not the root brings the graphs below it, its ge_onnx twin does not.
    // Event ids are a field of GE's in-memory node that ge_proto does not write; folded constants are named after a
    // number that changes with every run of GE, and the two levels come from two runs.
    comparison.different.removeIf([](const QString& text) {
        return text.contains(QLatin1String("send_event_id_list")) ||
               text.contains(QLatin1String("if_then_branch_0_AtomicEngine")) ||
               text.contains(QLatin1String("dynamic_const_"));
    });
    QVERIFY2(comparison.different.isEmpty(), qPrintable(comparison.text()));
    QVERIFY(comparison.all > 50);
}

/// Level 3: the value info of an output holds GE's descriptor of it, which by default is fp32 without dims.
void TestGeOnnx::valueInfoWithoutDimsSaysNothing()
{
    std::string text = "graph { ", outputs;
    for (const auto& [name, type, dims] :
         {std::tuple("open", 1, ""), std::tuple("scalar", 7, ""), std::tuple("matrix", 1, "dim { dim_value: 2 }")}) {
        text += std::string("node { name: \"") + name + "\" op_type: \"ge:Data\" output: \"" + name + ":0\" } ";
        outputs += std::string("output { name: \"") + name +
                   "\" type { tensor_type { elem_type: " + std::to_string(type) + " shape { " + dims + " } } } } ";
    }
    const auto document = readGeOnnx(text + outputs + "}");
    QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
    const auto descOf = [&](const char* name) {
        return document->graph.outputDesc({document->graph.findNode(name), 0});
    };
    QVERIFY(!descOf("open").originShape.hasRank() && descOf("open").dtype == DataType::Undefined);
    QCOMPARE(descOf("scalar").originShape, Shape{});
    QCOMPARE(descOf("scalar").dtype, DataType::Int64);
    QCOMPARE(descOf("matrix").originShape, Shape{2});
}

void TestGeOnnx::importedModelsGiveGesText()
{
    SKIP_WITHOUT_CORPUS();
    Comparison comparison;
    QStringList found;
    for (const auto& entry : fs::directory_iterator(oracle())) {
        const std::string folder = entry.path().filename().string();
        if (!folder.starts_with("onnx_")) continue;
        const auto model = openModel(modelOf(folder));
        QVERIFY2(model.ok(), folder.c_str());
        const Graph parsed = asParsedByGe(model->graph);
        for (int level = 1; level <= 3; ++level) {
            // Where GE's file of a level is not in the corpus, its ge_proto twin gives the same text (see above).
            const fs::path at = entry.path() / ("level" + std::to_string(level));
            const auto dumps = filesLike(at, "ge_onnx_00000000", ".pbtxt");
            const auto twins = filesLike(at, "ge_proto_00000000", ".txt");
            if (dumps.empty() && twins.empty()) continue;
            const auto detail = static_cast<DumpDetail>(level);
            // ge_proto of level 2 has no values of constants.
            const bool isTwin = dumps.empty() && level == 2;
            const Graph own = isTwin ? readGeProto(geProtoText(parsed, detail)).value().graph : parsed;
            const std::string theirs =
                dumps.empty() ? geOnnxText(readGeProto(fileText(twins[0])).value().graph, detail) : fileText(dumps[0]);
            std::string ours = geOnnxText(namedAndSortedAs(own, readGeOnnx(theirs).value().graph), detail);
            // The graph's name was set by whoever made GE's dump.
            const std::string named = "  name: \"" + folder.substr(5) + "\"\n";
            const std::string ownName = "\n  name: \"" + model->graph.name() + "\"\n";
            if (const auto place = ours.rfind(ownName); place != std::string::npos)
                ours.replace(place + 1, ownName.size() - 1, named);
            const bool isSame = comparison.add(at, ours, theirs);
            if (!isSame) found << QString::fromStdString(folder.substr(5) + " " + std::to_string(level));
        }
    }
    comparison.report("texts of freshly opened ONNX models equal GE's");
    QStringList expected;
    for (const auto& [name, reason] : importDifferences) expected << QString::fromStdString(name);
    found.sort();
    if (found != expected)
        qWarning("found: %s\nlisted: %s\n%s", qPrintable(found.join(QLatin1String(", "))),
                 qPrintable(expected.join(QLatin1String(", "))), qPrintable(comparison.text()));
    QCOMPARE(found, expected);
}

QTEST_GUILESS_MAIN(TestGeOnnx)
#include "tst_ge_onnx.moc"
