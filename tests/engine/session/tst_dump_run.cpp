// A dump folder as a run: steps, graphs on demand, differences, histories, what is damaged.

#include "tests/engine/session/dump_fixture.h"

#include <QElapsedTimer>

#include <algorithm>
#include <map>
#include <set>

using namespace gelens;
using namespace gelens::test;

namespace {

std::string groupOf(const Run& run, int step) { return run.sourceOf(StepId{step})->group; }

std::set<std::string> namesIn(const Graph& graph)
{
    std::set<std::string> names;
    for (const NodeId id : graph.allNodes()) names.insert(graph.node(id).name);
    return names;
}

} // namespace

class TestDumpRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ownDumpsStepLikeTheRun_data();
    void ownDumpsStepLikeTheRun();
    void nothingIsReadBeforeItIsAskedFor();
    void idsStayTheSameAndHistoryFollows();
    void fusedNodesLeadBackAndForth();
    void formatsAreMerged();
    void groupsBySubgraph();
    void equalFilesAreReadOnce();
    void damagedDumpsKeepWhatCameBefore();
    void unreadableOnesArePassedOver();
    void offsetsInADumpAreAPlan();
    void torchAirDumpsComeFirst();
    void manyFilesListFast();
    void largeFolderIsUsableAtOnce();
    void oracleCounts_data();
    void oracleCounts();
    void phasesAreExplainedInBothLanguages();
};

void TestDumpRun::ownDumpsStepLikeTheRun_data()
{
    QTest::addColumn<QString>("model");
    for (const char* model : {"tiny-llama", "small-resnet", "unit-conflict"})
        QTest::newRow(model) << QString::fromLatin1(model);
}

void TestDumpRun::ownDumpsStepLikeTheRun()
{
    QFETCH(QString, model);
    QTemporaryDir folder;
    const auto run = runWithDumps(samplePath(qPrintable(model)), folder.path().toStdString());
    const auto dumps = openScanned(folder.path().toStdString());
    QVERIFY(dumps->isScanned());
    std::vector<StepId> phases; // steps of the run that were dumped
    for (const Step& step : run->steps)
        if (step.isPhaseEnd && step.stage != Stage::Launch) phases.push_back(step.id); // GE dumps none of a launch
    QCOMPARE(dumps->stepCount(), static_cast<int>(phases.size()));
    for (int i = 0; i < dumps->stepCount(); ++i) {
        const StepId id{i}, original = phases[static_cast<std::size_t>(i)];
        QCOMPARE(dumps->step(id).phase, run->step(original).phase);
        QCOMPARE(dumps->step(id).after, run->step(original).after);
        QCOMPARE(namesIn(*dumps->graphAt(id)), namesIn(*run->graphAt(original)));
        QVERIFY2(dumps->graphAt(id)->findInconsistency().empty(), dumps->graphAt(id)->findInconsistency().c_str());
        QVERIFY(dumps->sourceOf(id)->error.empty() && dumps->sourceOf(id)->isRead);
        if (i == 0) continue;
        const GraphDiff ours = run->diff(phases[static_cast<std::size_t>(i - 1)], original),
                        theirs = dumps->diff(StepId{i - 1}, id);
        // Matching by name finds what the journal knows; a node that was made anew under its old name looks changed.
        QCOMPARE(theirs.added - theirs.removed, ours.added - ours.removed);
        QVERIFY(theirs.added <= ours.added);
        QVERIFY2(theirs.confidence() > 0.85, dumps->step(id).phase.c_str());
        QCOMPARE(dumps->step(id).editCount(), theirs.changes.size());
    }
    QCOMPARE(dumps->statistics.nodes.before.value_or(-1), run->steps.front().after.operators);
}

void TestDumpRun::nothingIsReadBeforeItIsAskedFor()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    writeText(root / "ge_proto_00000000_graph_0_PreRunBegin.txt", chainText());
    writeText(root / "ge_proto_00000001_graph_0_Build.txt", chainText("Tanh"));
    const auto dumps = openDumpRun(root.string());
    QVERIFY(dumps.ok());
    QVERIFY(!(*dumps)->isScanned());
    QVERIFY(!(*dumps)->sourceOf(StepId{0})->isRead);
    QVERIFY((*dumps)->step(StepId{1}).hasChanged()); // it may have
    fs::remove(root / "ge_proto_00000000_graph_0_PreRunBegin.txt");
    QCOMPARE((*dumps)->graphAt(StepId{1})->nodeCount(), 3);
    // What is gone by now is an error of its step, not of the folder.
    QCOMPARE((*dumps)->graphAt(StepId{0})->nodeCount(), 0);
    const auto known = (*dumps)->refreshed();
    QVERIFY(!known->sourceOf(StepId{0})->error.empty());
    QCOMPARE(known->step(StepId{0}).messages.size(), std::size_t(1));
    std::stop_source stop;
    stop.request_stop();
    const auto other = openDumpRun(root.string());
    QVERIFY(other.ok() && !(*other)->scan({}, stop.get_token()).ok());
}

void TestDumpRun::idsStayTheSameAndHistoryFollows()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    writeText(root / "ge_proto_00000000_graph_0_PreRunBegin.txt", chainText("Relu"));
    writeText(root / "ge_proto_00000003_graph_0_AfterInfershape.txt", chainText("Tanh"));
    writeText(root / "ge_proto_00000005_graph_0_Build.txt", chainText("Tanh", false));
    const auto dumps = openScanned(root.string());
    QCOMPARE(dumps->stepCount(), 3);
    const NodeId middle = dumps->graphAt(StepId{0})->findNode("mid"),
                 tail = dumps->graphAt(StepId{0})->findNode("tail");
    QCOMPARE(dumps->graphAt(StepId{1})->findNode("mid"), middle);
    QCOMPARE(dumps->graphAt(StepId{2})->findNode("mid"), middle);
    QCOMPARE(dumps->nameOf(middle), std::string("mid"));
    QCOMPARE(dumps->stepsTouching(middle), std::vector<StepId>{StepId{1}});
    const auto history = dumps->history(middle);
    QCOMPARE(history.front().step, StepId{1});
    QCOMPARE(history.front().text, std::string("type: Relu → Tanh"));
    const auto lives = dumps->livesOf({middle, tail});
    QCOMPARE(lives[0].died, StepId{-1});
    QCOMPARE(lives[1].born, StepId{0});
    QCOMPARE(lives[1].died, StepId{2});
    QCOMPARE(dumps->nearestStepWith(tail, StepId{2}), StepId{1});
    QCOMPARE(dumps->originsOf(middle), std::vector<NodeId>{middle});
    QCOMPARE(dumps->becameOf(tail), std::vector<NodeId>());
    QCOMPARE(dumps->touched(StepId{1}, StepId{2}).removed, std::vector<NodeId>{tail});
    // Any two phases, in either order.
    QCOMPARE(dumps->diff(StepId{0}, StepId{2}).removed, 1);
    QCOMPARE(dumps->diff(StepId{2}, StepId{0}).added, 1);
    QCOMPARE(*dumps->findStep("Build"), StepId{2});
    QCOMPARE(*dumps->findStep("last"), StepId{2});
}

void TestDumpRun::fusedNodesLeadBackAndForth()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    std::string fused = chainText("Fused", false, "mid_tail");
    const std::string origins =
        "    attr {\n      key: \"_datadump_original_op_names\"\n      value {\n        list {\n          s: \"mid\"\n          s: \"tail\"\n        }\n      }\n    }\n";
    fused.insert(fused.find("    input: \"x:0\""), origins);
    writeText(root / "ge_proto_00000000_graph_0_PreRunBegin.txt", chainText());
    writeText(root / "ge_proto_00000001_graph_0_PreRunAfterOptimizeOriginalGraph.txt", fused);
    writeText(root / "ge_proto_00000002_graph_0_Build.txt", fused);
    const auto dumps = openScanned(root.string());
    const auto first = dumps->graphAt(StepId{0}), last = dumps->graphAt(StepId{2});
    const NodeId middle = first->findNode("mid"), tail = first->findNode("tail"), made = last->findNode("mid_tail");
    QCOMPARE(dumps->becameOf(middle), std::vector<NodeId>{made});
    QCOMPARE(dumps->becameOf(tail), std::vector<NodeId>{made});
    QCOMPARE(dumps->originsOf(made), (std::vector<NodeId>{middle, tail}));
    const auto history = dumps->history(made);
    QVERIFY(std::any_of(history.begin(), history.end(),
                        [](const HistoryEntry& entry) { return entry.text == "made of 'mid', 'tail'"; }));
    QVERIFY(!dumps->step(StepId{2}).hasChanged());
}

void TestDumpRun::formatsAreMerged()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    const std::string phase = "_graph_0_PreRunBegin";
    writeText(root / ("ge_proto_00000000" + phase + ".txt"), chainText());
    writeText(
        root / ("ge_onnx_00000000" + phase + ".pbtxt"),
        "ir_version: 6\nproducer_name: \"GE\"\ngraph {\n  node {\n    input: \"x:0\"\n    output: \"mid:0\"\n    name: \"mid\"\n    op_type: \"ge:Relu\"\n"
        "    attribute {\n      name: \"only_in_onnx\"\n      i: 7\n      type: INT\n    }\n  }\n}\n");
    const auto dumps = openScanned(root.string());
    QCOMPARE(dumps->stepCount(), 1);
    QCOMPARE(dumps->sourceOf(StepId{0})->files.size(), std::size_t(2));
    const auto graph = dumps->graphAt(StepId{0});
    QCOMPARE(graph->nodeCount(), 3); // nodes and edges of the fuller format
    QCOMPARE(attrInt(graph->node(graph->findNode("mid")).attrs, "only_in_onnx", 0), std::int64_t(7));
}

void TestDumpRun::groupsBySubgraph()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    std::string part = chainText();
    part.replace(part.find("\"g\""), 3, "\"then_call\"");
    writeText(root / "pid_1_deviceid_0" / "ge_proto_00000000_graph_3_PreRunBegin.txt", chainText());
    writeText(root / "pid_1_deviceid_0" / "ge_proto_00000001_graph_3_then_call_AtomicEngine.txt", part);
    writeText(root / "pid_1_deviceid_0" /
                  "ge_proto_00000002_graph_3_partition0_rank1_new_sub_graph4_SecondPartitioning.txt",
              chainText());
    writeText(root / "pid_1_deviceid_0" / "ge_proto_00000003_graph_3_Build.txt", chainText("Tanh"));
    writeText(root / "pid_2_deviceid_1" / "ge_proto_00000000_graph_0_Unheard.txt", chainText());
    const auto dumps = openScanned(root.string());
    QCOMPARE(dumps->stepCount(), 5);
    QCOMPARE(groupOf(*dumps, 0), std::string("pid_1_deviceid_0 · graph 3"));
    QCOMPARE(groupOf(*dumps, 1),
             std::string("pid_1_deviceid_0 · graph 3")); // Build: the whole graph's phases are together
    QCOMPARE(dumps->step(StepId{1}).phase, std::string("Build"));
    QCOMPARE(groupOf(*dumps, 2), std::string("pid_1_deviceid_0 · graph 3 · sub-graph then_call"));
    QCOMPARE(dumps->step(StepId{2}).pass, std::string("AtomicEngine"));
    QCOMPARE(groupOf(*dumps, 3), std::string("pid_1_deviceid_0 · graph 3 · sub-graph partition0_rank1_new_sub_graph4"));
    QCOMPARE(groupOf(*dumps, 4), std::string("pid_2_deviceid_1 · graph 0"));
    // Nothing of another graph is compared by itself, and its nodes are other nodes.
    QCOMPARE(dumps->baseOf(StepId{1}), StepId{0});
    for (const int alone : {2, 3, 4}) QCOMPARE(dumps->baseOf(StepId{alone}), StepId{alone});
    QVERIFY(dumps->graphAt(StepId{4})->findNode("mid") != dumps->graphAt(StepId{0})->findNode("mid"));
    const Run::Span main = mainSpan(*dumps);
    QVERIFY(main.first == StepId{0} && main.last == StepId{1});
    QVERIFY(dumps->sourceOf(StepId{4})->owner.empty()); // kept, though nobody documents it
}

void TestDumpRun::equalFilesAreReadOnce()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    for (int i = 0; i < 3; ++i)
        writeText(root / ("ge_proto_0000000" + std::to_string(i) + "_graph_0_Phase" + std::to_string(i) + ".txt"),
                  chainText());
    const auto dumps = openScanned(root.string());
    QCOMPARE(dumps->graphAt(StepId{1}), dumps->graphAt(StepId{0}));
    QVERIFY(!dumps->step(StepId{2}).hasChanged());
    QCOMPARE(dumps->step(StepId{2}).after, dumps->step(StepId{0}).after);
}

void TestDumpRun::damagedDumpsKeepWhatCameBefore()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    const std::string whole = chainText();
    writeText(root / "ge_proto_00000000_graph_0_PreRunBegin.txt", whole);
    writeText(root / "ge_proto_00000001_graph_0_AfterInfershape.txt", whole.substr(0, whole.find("name: \"tail\"")));
    const auto dumps = openScanned(root.string());
    QVERIFY(dumps->graphAt(StepId{1})->findNode("mid").isValid());
    const auto& messages = dumps->step(StepId{1}).messages;
    QVERIFY(!messages.empty());
    QVERIFY(QString::fromStdString(messages.front().where).endsWith(QLatin1String("AfterInfershape.txt")));

    // The other format of the same phase is whole: then nothing is missing, and the damage is still told.
    writeText(
        root / "ge_onnx_00000001_graph_0_AfterInfershape.pbtxt",
        "ir_version: 6\nproducer_name: \"GE\"\ngraph {\n  node {\n    output: \"x:0\"\n    name: \"x\"\n    op_type: \"ge:Data\"\n  }\n"
        "  node {\n    input: \"x:0\"\n    output: \"mid:0\"\n    name: \"mid\"\n    op_type: \"ge:Relu\"\n  }\n"
        "  node {\n    input: \"mid:0\"\n    output: \"tail:0\"\n    name: \"tail\"\n    op_type: \"ge:Sigmoid\"\n  }\n}\n");
    const auto paired = openScanned(root.string());
    QCOMPARE(paired->stepCount(), 2);
    QCOMPARE(paired->graphAt(StepId{1})->nodeCount(), 3);
    QVERIFY(!paired->step(StepId{1}).messages.empty());
}

void TestDumpRun::unreadableOnesArePassedOver()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    writeText(root / "ge_proto_00000000_graph_0_PreRunBegin.txt", chainText());
    writeText(root / "ge_proto_00000001_graph_0_AfterInfershape.txt", "PK\x03\x04 no dump");
    writeText(root / "ge_proto_00000002_graph_0_PreRunAfterPrepare.txt", "");
    writeText(root / "ge_proto_00000003_graph_0_Build.txt", chainText("Tanh"));
    const auto dumps = openScanned(root.string());
    QCOMPARE(dumps->stepCount(), 4);
    for (const int bad : {1, 2}) {
        QVERIFY(!dumps->sourceOf(StepId{bad})->error.empty());
        QVERIFY(dumps->step(StepId{bad}).messages.front().severity == Severity::Error);
    }
    QCOMPARE(dumps->baseOf(StepId{3}), StepId{0});
    QCOMPARE(dumps->step(StepId{3}).editCount(), std::size_t(1));
}

void TestDumpRun::offsetsInADumpAreAPlan()
{
    // Where each tensor lies, by the names of the graph that the plan speaks of.
    const auto placesOf = [](const Run& run, const Graph& graph) {
        std::map<std::string, std::int64_t> places;
        for (const auto& [tensor, id] : run.plan.bufferOfTensor) {
            const MemoryBuffer& buffer = run.plan.buffers[static_cast<std::size_t>(id)];
            if (buffer.kind == BufferKind::FeatureMap && graph.contains(tensor.node))
                places[graph.node(tensor.node).name + ":" + std::to_string(tensor.index)] =
                    buffer.offset + run.plan.sliceOffset(tensor);
        }
        return places;
    };
    QTemporaryDir folder;
    const auto run = runWithDumps(samplePath("tiny-llama"), folder.path().toStdString());
    const auto dumps = openScanned(folder.path().toStdString());
    QVERIFY(!dumps->plan.buffers.empty());
    const auto planned = placesOf(*run, *run->graphAt(run->lastStep()));
    const auto read = placesOf(*dumps, *dumps->graphAt(mainSpan(*dumps).last));
    int same = 0;
    for (const auto& [name, offset] : planned) {
        const auto found = read.find(name);
        QVERIFY2(found != read.end() && found->second == offset, name.c_str());
        ++same;
    }
    QVERIFY(same > 20);
    QVERIFY(dumps->plan.totals.featureMapPeak >= run->plan.totals.featureMapPeak); // inputs and outputs lie behind

    // A graph whose memory was not assigned yet has none.
    QTemporaryDir other;
    writeText(fs::path(other.path().toStdString()) / "ge_proto_00000000_graph_0_PreRunBegin.txt", chainText());
    QVERIFY(openScanned(other.path().toStdString())->plan.buffers.empty());
}

void TestDumpRun::torchAirDumpsComeFirst()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    writeText(root / "ge_proto_00000000_graph_0_PreRunBegin.txt", chainText());
    writeText(root / "ge_proto_00000001_graph_0_Build.txt", chainText());
    std::string bare = chainText(); // a GraphDef by itself
    bare = bare.substr(bare.find('{') + 1);
    bare = bare.substr(0, bare.rfind('}'));
    writeText(root / "dynamo_original_graph_0_rank_0_pid_1_ts_2.txt", bare);
    writeText(root / "dynamo_optimized_graph_0_rank_0_pid_1_ts_3.py", "def forward(self): pass");
    const auto dumps = openScanned(root.string());
    QCOMPARE(dumps->stepCount(), 3);
    QCOMPARE(dumps->sourceOf(StepId{0})->owner, std::string("TorchAir"));
    QCOMPARE(dumps->graphAt(StepId{0})->nodeCount(), 3);
    QCOMPARE(dumps->messages.size(), std::size_t(1)); // the Python file is named
    QVERIFY(mainSpan(*dumps).first == StepId{1});
}

void TestDumpRun::manyFilesListFast()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    const std::string text = chainText();
    for (int i = 0; i < 5000; ++i) {
        const std::string digits = std::to_string(i);
        writeText(root / ("pid_" + std::to_string(i / 1000) + "_deviceid_0") /
                      ("ge_proto_" + std::string(8 - digits.size(), '0') + digits + "_graph_" + std::to_string(i % 3) +
                       "_part" + digits + "_Engine.txt"),
                  text);
    }
    QElapsedTimer timer;
    timer.start();
    const auto dumps = openDumpRun(root.string());
    const auto elapsed = timer.elapsed();
    qInfo("5,000 dumps opened as steps in %lld ms", static_cast<long long>(elapsed));
    QVERIFY(dumps.ok());
    QVERIFY(elapsed < 1000);
    QCOMPARE((*dumps)->stepCount(), 5000);
}

void TestDumpRun::largeFolderIsUsableAtOnce()
{
    // 60 phases of 3 MB each: the first picture needs the last phase and the first.
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    std::string text =
        "graph {\n  name: \"large\"\n  op {\n    name: \"n0\"\n    type: \"Data\"\n    output_desc {\n      dtype: DT_FLOAT\n    }\n  }\n";
    for (int i = 1; text.size() < (3u << 20); ++i) {
        text += "  op {\n    name: \"n" + std::to_string(i) + "\"\n    type: \"Relu\"\n    input: \"n" +
                std::to_string(i - 1) + ":0\"\n";
        for (int k = 0; k < 8; ++k)
            text += "    attr {\n      key: \"attribute_number_" + std::to_string(k) +
                    "\"\n      value {\n        i: " + std::to_string(i * k) + "\n      }\n    }\n";
        text +=
            "    input_desc {\n      dtype: DT_FLOAT\n      shape {\n        dim: 16\n        dim: 128\n      }\n    }\n    output_desc {\n      dtype: DT_FLOAT\n      shape {\n        dim: 16\n        dim: 128\n      }\n    }\n  }\n";
    }
    text += "}\n";
    for (int i = 0; i < 60; ++i) {
        const std::string digits = std::to_string(i);
        std::string phase = text; // each changes one node
        phase.replace(phase.find("Relu", phase.size() * static_cast<std::size_t>(i) / 61), 4, "Tanh");
        writeText(root /
                      ("ge_proto_" + std::string(8 - digits.size(), '0') + digits + "_graph_0_Phase" + digits + ".txt"),
                  phase);
    }
    QElapsedTimer timer;
    timer.start();
    const auto dumps = openDumpRun(root.string());
    QVERIFY(dumps.ok());
    const auto last = (*dumps)->graphAt((*dumps)->lastStep()), first = (*dumps)->graphAt(StepId{0});
    const auto shown = timer.elapsed();
    const GraphDiff diff = (*dumps)->diff(StepId{0}, (*dumps)->lastStep());
    const auto compared = timer.elapsed();
    QCOMPARE(diff.changed, 2);
    QCOMPARE(last->nodeCount(), first->nodeCount());
    timer.restart();
    QVERIFY((*dumps)->scan().ok());
    qInfo(
        "180 MB in 60 phases of %d nodes: both graphs after %lld ms, compared after %lld ms, all scanned in %lld ms more",
        last->nodeCount(), static_cast<long long>(shown), static_cast<long long>(compared),
        static_cast<long long>(timer.elapsed()));
    QVERIFY(compared < 1000);
}

void TestDumpRun::oracleCounts_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("phase");
    QTest::addColumn<int>("nodes");
    const auto row = [](const char* folder, const char* phase, int nodes) {
        QTest::addRow("%s %s", folder, phase) << QString::fromLatin1(folder) << QString::fromLatin1(phase) << nodes;
    };
    row("stage1_bert_opset11", "PreRunBegin", 308);
    row("stage1_bert_opset11", "AfterInfershape", 220);
    row("stage1_bert_opset11", "PreRunAfterPrepare", 218);
    row("stage1_bert_opset11", "OptimizeStage1_2", 209);
}

void TestDumpRun::oracleCounts()
{
    QFETCH(QString, folder);
    QFETCH(QString, phase);
    QFETCH(int, nodes);
    const QString from = corpusFolder(qPrintable(folder));
    if (!QDir(from).exists()) QSKIP("the corpus is absent");
    QTemporaryDir dir;
    QVERIFY(unpackFolder(from, dir.path()));
    const auto dumps = openScanned(dir.path().toStdString());
    const auto step = dumps->findStep(phase.toStdString());
    QVERIFY(step.has_value());
    QCOMPARE(dumps->step(*step).after.graphNodes, nodes);
}

void TestDumpRun::phasesAreExplainedInBothLanguages()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    writeText(root / "ge_proto_00000000_graph_0_AfterInfershape.txt", chainText());
    const auto dumps = openDumpRun(root.string());
    QVERIFY(dumps.ok());
    const StepSource& source = *(*dumps)->sourceOf(StepId{0});
    QCOMPARE(source.owner, std::string("GE"));
    QVERIFY(!source.meaning.empty() && !source.meaningZh.empty() && source.meaning != source.meaningZh);
    QVERIFY(!openDumpRun((root / "nowhere").string()).ok());
}

QTEST_GUILESS_MAIN(TestDumpRun)
#include "tst_dump_run.moc"
