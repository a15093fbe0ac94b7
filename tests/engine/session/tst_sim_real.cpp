// Our pipeline beside dumps of the same model, and an OM beside the model that it was compiled from.

#include "engine/formats/om/om_writer.h"
#include "engine/session/attached_run.h"
#include "engine/session/sim_real.h"
#include "tests/engine/session/dump_fixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

using namespace gelens;
using namespace gelens::test;

namespace {

SimRealReport reportOf(const std::shared_ptr<const Run>& run, const std::string& folder)
{
    const auto dumps = openDumpRun(folder);
    if (!dumps.ok()) qFatal("%s", dumps.error().message().c_str());
    const auto sides = sideBySide(run, *dumps);
    if (!sides.ok()) qFatal("%s", sides.error().message().c_str());
    const auto report = compareSides(**sides, *run, **dumps);
    if (!report.ok()) qFatal("%s", report.error().message().c_str());
    return *report;
}

fs::path dumpOf(const QTemporaryDir& folder, const std::string& phase, const char* format)
{
    for (const auto& entry : fs::directory_iterator(folder.path().toStdString())) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(format) && name.find("_" + phase + ".") != std::string::npos) return entry.path();
    }
    return {};
}

std::shared_ptr<const Run> runOf(const std::string& path)
{
    auto session = Session::open(path);
    if (!session.ok()) qFatal("%s", session.error().message().c_str());
    auto run = (*session)->run({});
    if (!run.ok()) qFatal("%s", run.error().message().c_str());
    return *run;
}

std::string writeOmOf(const Run& run, const QTemporaryDir& folder)
{
    const std::string path = folder.filePath(QStringLiteral("model.om")).toStdString();
    const Status status =
        writeOm({*run.graphAt(run.lastStep()), run.plan, run.tasks, run.soc.name, run.sourceFormat}, path);
    if (!status.ok()) qFatal("%s", status.error().message().c_str());
    return path;
}

} // namespace

class TestSimReal : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ownDumpsAgree_data();
    void ownDumpsAgree();
    void theFirstDifferenceIsNamed();
    void passesBehindItAreNamed();
    void unreadablePhasesAreCountedApart();
    void diffsOfAllStepsAreThoseOfEach();
    void geWithoutFusionIsSeen();
    void phasesInCommonAreNeeded();
    void sidesCanBeSteppedThrough();
    void realDumps_data();
    void realDumps();
    void originalIsAttached_data();
    void originalIsAttached();
    void onlyCompiledModelsLackTheirOriginal();
};

void TestSimReal::ownDumpsAgree_data()
{
    QTest::addColumn<QString>("model");
    for (const char* model : {"tiny-llama", "small-resnet", "attention-fits"})
        QTest::newRow(model) << QString::fromLatin1(model);
}

void TestSimReal::ownDumpsAgree()
{
    QFETCH(QString, model);
    QTemporaryDir folder;
    const auto run = runWithDumps(samplePath(qPrintable(model)), folder.path().toStdString());
    const SimRealReport report = reportOf(run, folder.path().toStdString());
    QVERIFY(report.phases.size() >= 10);
    QVERIFY2(report.firstDifferent < 0, report.sentence.c_str());
    QVERIFY(report.sentence.starts_with("all "));
}

void TestSimReal::theFirstDifferenceIsNamed()
{
    QTemporaryDir folder;
    const auto run = runWithDumps(samplePath("small-resnet"), folder.path().toStdString());
    // In the dumps of two phases every Relu is a Tanh: GE would have done something else there.
    for (const char* phase : {"PreRunAfterPrepare", "Build"})
        for (const auto& [format, before, after] : {std::tuple("ge_proto", "type: \"Relu\"", "type: \"Tanh\""),
                                                    std::tuple("ge_onnx", "ge:Relu\"", "ge:Tanh\"")}) {
            const fs::path path = dumpOf(folder, phase, format);
            QVERIFY2(!path.empty(), phase);
            QString text = QString::fromStdString(textOf(path));
            text.replace(QLatin1String(before), QLatin1String(after));
            writeText(path, text.toStdString());
        }
    const SimRealReport report = reportOf(run, folder.path().toStdString());
    QVERIFY(report.firstDifferent > 0);
    const PhaseComparison& first = report.phases[static_cast<std::size_t>(report.firstDifferent)];
    QCOMPARE(first.phase, std::string("PreRunAfterPrepare"));
    QVERIFY(first.diff.changed > 0);
    QVERIFY2(report.sentence.find("PreRunAfterPrepare") != std::string::npos, report.sentence.c_str());
    QVERIFY2(report.sentence.find("simulated Relu, real Tanh") != std::string::npos, report.sentence.c_str());
    QVERIFY(report.phases[static_cast<std::size_t>(report.firstDifferent - 1)].isSame());
    // Nobody made Tanh of Relu in ours, and the dumps show fusions.
    QVERIFY2(report.passes.empty(), report.sentence.c_str());
    const std::string& agreed = report.phases[static_cast<std::size_t>(report.firstDifferent - 1)].phase;
    QVERIFY2(report.sentence.ends_with("; since " + agreed + " no pass of ours changed these nodes"),
             report.sentence.c_str());
    QVERIFY(report.geFusion == GeFusion::Unknown);
}

/// Dumps of a GE whose graph fusion changed nothing: each phase behind it is as the one before.
void TestSimReal::passesBehindItAreNamed()
{
    QTemporaryDir folder;
    const auto run = runWithDumps(samplePath("small-resnet"), folder.path().toStdString());
    const char* const fused = "PreRunAfterOptimizeOriginalGraph";
    for (const char* format : {"ge_proto", "ge_onnx"}) {
        const fs::path before = dumpOf(folder, "PreRunAfterPrepare", format), after = dumpOf(folder, fused, format);
        QVERIFY(!before.empty() && !after.empty());
        writeText(after, textOf(before));
    }
    const SimRealReport report = reportOf(run, folder.path().toStdString());
    QVERIFY(report.firstDifferent > 0);
    const PhaseComparison& first = report.phases[static_cast<std::size_t>(report.firstDifferent)];
    QCOMPARE(first.phase, std::string(fused));
    // Every pass named changed the graph between the two phases, and what they made are the nodes that differ.
    QVERIFY2(!report.passes.empty(), report.sentence.c_str());
    int before = 0, after = 0;
    for (const Step& step : run->steps) {
        if (step.isPhaseEnd && step.phase == "PreRunAfterPrepare") before = step.id.value;
        if (step.isPhaseEnd && step.phase == fused) after = step.id.value;
    }
    QVERIFY(before > 0 && after > before);
    std::set<std::string> changing;
    for (int i = before + 1; i <= after; ++i)
        if (run->step(StepId{i}).hasChanged()) changing.insert(run->step(StepId{i}).pass);
    for (const PartingPass& pass : report.passes) {
        QVERIFY2(changing.contains(pass.pass), pass.pass.c_str());
        QVERIFY(pass.nodes > 0 && pass.nodes <= static_cast<int>(first.diff.changes.size()));
    }
    const PartingPass& most = report.passes.front();
    QVERIFY2(
        report.sentence.find("; since " + report.phases[static_cast<std::size_t>(report.firstDifferent - 1)].phase +
                             " ours changed these nodes in " + most.pass + " (" + std::to_string(most.nodes) + ")") !=
            std::string::npos,
        report.sentence.c_str());
    QVERIFY(report.geFusion == GeFusion::NoChange);
    QVERIFY2(report.sentence.ends_with("; GE's own graph fusion added and removed no node"), report.sentence.c_str());
}

/// A phase that cannot be read neither agrees nor differs.
void TestSimReal::unreadablePhasesAreCountedApart()
{
    QTemporaryDir folder;
    const auto run = runWithDumps(samplePath("small-resnet"), folder.path().toStdString());
    const auto damage = [&](const char* phase) {
        for (const char* format : {"ge_proto", "ge_onnx", "ge_readable"})
            if (const fs::path path = dumpOf(folder, phase, format); !path.empty())
                writeText(path, "PK\x03\x04 no dump");
    };
    const auto phases = static_cast<int>(reportOf(run, folder.path().toStdString()).phases.size());
    damage("PreRunAfterPrepare");
    const SimRealReport report = reportOf(run, folder.path().toStdString());
    QCOMPARE(static_cast<int>(report.phases.size()), phases);
    QCOMPARE(report.unreadable, 1);
    QVERIFY(report.firstDifferent < 0 && !report.isSame());
    QCOMPARE(report.sentence,
             fmt::format("all {} phases that can be read agree; phases that cannot be read: 1", phases - 1));

    // And where the next one differs, the last that agrees is the one before the hole.
    const fs::path build = dumpOf(folder, "Build", "ge_proto");
    QString text = QString::fromStdString(textOf(build));
    text.replace(QLatin1String("type: \"Relu\""), QLatin1String("type: \"Tanh\""));
    writeText(build, text.toStdString());
    writeText(dumpOf(folder, "Build", "ge_onnx"), "PK\x03\x04 no dump");
    const SimRealReport parted = reportOf(run, folder.path().toStdString());
    QVERIFY(parted.firstDifferent > 0);
    const auto agreed = std::count_if(parted.phases.begin(), parted.phases.begin() + parted.firstDifferent,
                                      [](const PhaseComparison& phase) { return phase.isSame(); });
    QCOMPARE(agreed, parted.firstDifferent - 1);
    QVERIFY2(parted.sentence.starts_with(fmt::format("the first {} phases agree; they part at ", agreed)),
             parted.sentence.c_str());
    QVERIFY2(parted.sentence.ends_with("; phases that cannot be read: 1"), parted.sentence.c_str());
}

void TestSimReal::diffsOfAllStepsAreThoseOfEach()
{
    const auto run = runOf(samplePath("small-resnet"));
    const auto textOfDiff = [](const GraphDiff& diff) {
        std::string text;
        for (const NodeChange& change : diff.changes) {
            text += fmt::format("{} {} {}\n", static_cast<int>(change.kind), change.name, change.type);
            for (const FieldChange& field : change.fields)
                text += fmt::format("  {}: {} -> {}\n", field.field, field.before, field.after);
        }
        return text;
    };
    const StepId from{2}, to = run->lastStep();
    std::vector<int> visited, changed;
    int different = 0; // a step may change no more than the order
    run->forEachStepDiff(from, to, [&](const Step& step, const GraphDiff& diff) {
        visited.push_back(step.id.value);
        const std::string text = textOfDiff(diff);
        different += text.empty() ? 0 : 1;
        QCOMPARE(text, textOfDiff(run->diff(StepId{step.id.value - 1}, step.id)));
    });
    for (int i = from.value + 1; i <= to.value; ++i)
        if (run->step(StepId{i}).hasChanged()) changed.push_back(i);
    QVERIFY(different > 3);
    QCOMPARE(visited, changed);
}

void TestSimReal::geWithoutFusionIsSeen()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    const auto write = [&](int number, const char* phase, const std::string& text) {
        writeText(root / fmt::format("ge_proto_{:08}_graph_1_{}.txt", number, phase), text);
    };
    const auto seen = [&] { return geFusionIn(*openScanned(root.string())); };
    const std::string marked =
        R"(attr { key: "_origin" value { s: "x" } } attr { key: "_fe_imply_type" value { i: 6 } })";
    const auto withAttrs = [](const std::string& attrs) {
        std::string text = chainText();
        for (std::size_t at = 0; (at = text.find("    input_desc", at)) != std::string::npos; at += attrs.size() + 20)
            text.insert(at, "    " + attrs + "\n");
        return text;
    };
    const std::string plain = withAttrs(R"(attr { key: "_origin" value { s: "x" } })");
    write(0, "PreRunBegin", plain);
    write(1, "PreRunAfterPrepare", plain);
    QVERIFY(seen() == GeFusion::Unknown); // only what is dumped at level 2: FE's phases are not among these
    write(9, "OptimizeStage1_2", plain);
    QVERIFY(seen() == GeFusion::NoEngine);
    write(9, "OptimizeStage1_2", chainText());
    QVERIFY(seen() == GeFusion::Unknown); // a dump without attributes says nothing
    write(9, "OptimizeStage1_2", withAttrs(marked));
    QVERIFY(seen() == GeFusion::Unknown); // chosen phases of a run with FE
    write(
        9, "OptimizeStage1_2",
        withAttrs(
            R"(attr { key: "_datadump_original_op_names" value { list { s: "a" s: "b" val_type: VT_LIST_STRING } } })"));
    QVERIFY(seen() == GeFusion::Unknown); // a fused operator
    write(9, "OptimizeStage1_2", plain);
    write(5, "OptimizeOriginalGraph_FeOpDtypeJudgeAfter", plain);
    QVERIFY(seen() == GeFusion::Unknown);
    write(4, "OptimizeOriginalGraph_FeGraphFusionAfter", plain);
    QVERIFY(seen() == GeFusion::NoChange);
    write(4, "OptimizeOriginalGraph_FeGraphFusionAfter", chainText("Relu", false));
    QVERIFY(seen() == GeFusion::Unknown);
    // With the phases of level 2 alone.
    for (const char* phase :
         {"00000004_graph_1_OptimizeOriginalGraph_FeGraphFusionAfter",
          "00000005_graph_1_OptimizeOriginalGraph_FeOpDtypeJudgeAfter", "00000009_graph_1_OptimizeStage1_2"})
        QVERIFY(fs::remove(root / fmt::format("ge_proto_{}.txt", phase)));
    write(4, "PreRunAfterOptimizeOriginalGraph", plain);
    QVERIFY(seen() == GeFusion::NoChange);
    write(4, "PreRunAfterOptimizeOriginalGraph", chainText("Relu", false));
    QVERIFY(seen() == GeFusion::Unknown);
}

void TestSimReal::phasesInCommonAreNeeded()
{
    QTemporaryDir folder;
    writeText(fs::path(folder.path().toStdString()) / "ge_proto_00000000_graph_0_NobodysPhase.txt", chainText());
    const auto dumps = openDumpRun(folder.path().toStdString());
    QVERIFY(dumps.ok());
    QVERIFY(!sideBySide(runOf(samplePath("unit-conflict")), *dumps).ok());
}

void TestSimReal::sidesCanBeSteppedThrough()
{
    QTemporaryDir folder;
    const auto run = runWithDumps(samplePath("unit-conflict"), folder.path().toStdString());
    const auto dumps = openDumpRun(folder.path().toStdString());
    const auto sides = sideBySide(run, *dumps);
    QVERIFY(sides.ok());
    const auto compared = comparedSides(**sides, *run, **dumps);
    QVERIFY(compared.ok());
    const Run& both = **compared;
    QCOMPARE(both.stepCount() % 2, 0);
    for (int i = 0; i < both.stepCount(); i += 2) {
        QCOMPARE(both.baseOf(StepId{i}), StepId{i});
        QCOMPARE(both.baseOf(StepId{i + 1}), StepId{i});
        QCOMPARE(both.step(StepId{i}).phase, both.step(StepId{i + 1}).phase);
        QCOMPARE(both.step(StepId{i + 1}).summary, std::string("the same"));
        // The same node has the same id on both sides.
        const auto simulated = both.graphAt(StepId{i}), real = both.graphAt(StepId{i + 1});
        for (const NodeId id : simulated->allNodes())
            QVERIFY(real->contains(id) && real->node(id).name == simulated->node(id).name);
    }
    QCOMPARE(both.messages.back().id, std::string("sim-real.first-difference"));
    QVERIFY(both.messages.back().severity == Severity::Info);
}

void TestSimReal::realDumps_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("model");
    QTest::addColumn<QByteArray>("pass"); // of ours, that made most of the first difference
    const std::map<QByteArray, QByteArray> passes{
        {"crnn_gru", "ConvBatchnormFusionPass"},         {"mnist8_cntk", "AABiasaddConvFusion"},
        {"mnist_pytorch", "BatchNormBnInferFusionPass"}, {"mobilenetv2_relu6", "ConvBatchnormFusionPass"},
        {"resnet_opset9", "ConvBatchnormFusionPass"},    {"swin_shift", "LayerNormFusionPass"},
        {"unet_deconv", "ConvBatchnormFusionPass"}};
    if (!QDir(QStringLiteral(GELENS_CORPUS_DIR "/onnx")).exists()) QSKIP("the corpus is absent");
    for (const char* name : {"bert_opset11", "crnn_gru", "llama_torchscript", "mnist8_cntk", "mnist_pytorch",
                             "mobilenetv2_relu6", "resnet_opset9", "swin_shift", "unet_deconv"})
        for (const char* kind : {"gen", "real"}) {
            const QString model =
                QStringLiteral(GELENS_CORPUS_DIR "/onnx/%1/%2").arg(QLatin1String(kind), QLatin1String(name));
            if (QDir(model).exists())
                QTest::newRow(name) << corpusFolder((std::string("stage1_") + name).c_str()) << model
                                    << (passes.contains(name) ? passes.at(name) : QByteArray());
        }
}

/// GE's own dumps of models that it took through preparation and the first clean-up, with no engines: where fusion
/// begins the two must part, before that our passes are GE's.
void TestSimReal::realDumps()
{
    QFETCH(QString, folder);
    QFETCH(QString, model);
    QFETCH(QByteArray, pass);
    if (!QDir(folder).exists()) QSKIP("the corpus is absent");
    QTemporaryDir dumps;
    QVERIFY(unpackFolder(folder, dumps.path()));
    QString file = model + QStringLiteral("/model.onnx");
    if (!QFile::exists(file)) {
        const QStringList files = QDir(model).entryList({QStringLiteral("*.onnx")}, QDir::Files);
        QVERIFY(!files.isEmpty());
        file = model + QLatin1Char('/') + files.front();
    }
    const auto folderRun = openDumpRun(dumps.path().toStdString());
    QVERIFY(folderRun.ok());
    const auto session = Session::open(file.toStdString());
    QVERIFY(session.ok());
    CompileOptions options; // the dumps say with which shapes GE was called
    options.inputShapes = shapesFromDumps((*session)->info(), **folderRun);
    const auto run = (*session)->run(options);
    QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
    const SimRealReport report = reportOf(*run, dumps.path().toStdString());
    qInfo("%s: %s", QTest::currentDataTag(), report.sentence.c_str());
    for (const PhaseComparison& phase : report.phases)
        qInfo("   %s: %d / %d nodes: %s", phase.phase.c_str(), phase.simulatedCounts.graphNodes,
              phase.realCounts.graphNodes, differenceText(phase.diff).c_str());
    QVERIFY(report.phases.size() >= 4);
    for (const PhaseComparison& phase : report.phases) {
        QVERIFY(phase.error.empty());
        if (phase.phase == "PreRunBegin" || phase.phase == "AfterFirstInferformat")
            QVERIFY2(phase.isSame(), differenceText(phase.diff).c_str());
        if (phase.phase == "AfterInfershape") QCOMPARE(phase.simulatedCounts, phase.realCounts);
    }
    QVERIFY(geFusionIn(**folderRun) == GeFusion::NoEngine);
    QCOMPARE(QByteArray::fromStdString(report.passes.empty() ? "" : report.passes.front().pass), pass);
    if (report.firstDifferent >= 0)
        QVERIFY2(report.sentence.find("show no fusion engine (FE)") != std::string::npos, report.sentence.c_str());
}

void TestSimReal::originalIsAttached_data()
{
    QTest::addColumn<QString>("model");
    for (const char* model : {"tiny-llama", "small-resnet"}) QTest::newRow(model) << QString::fromLatin1(model);
}

void TestSimReal::originalIsAttached()
{
    QFETCH(QString, model);
    QTemporaryDir folder;
    const std::string original = samplePath(qPrintable(model));
    const auto full = runOf(original);
    const auto light = runOf(writeOmOf(*full, folder));
    QCOMPARE(light->mode, std::string("light"));
    QVERIFY(light->statistics.lightLoadMs.has_value() && !light->statistics.fullLoadMs.has_value());
    QVERIFY(!light->statistics.nodes.before.has_value());

    const auto attached = attachOriginal(light, original);
    QVERIFY2(attached.ok(), attached.ok() ? "" : attached.error().message().c_str());
    const Run& run = **attached;
    QCOMPARE(run.stepCount(), light->stepCount() + 1);
    QCOMPARE(run.graphAt(StepId{0})->nodeCount(), full->graphAt(StepId{0})->nodeCount());
    // Ids of the OM stay: plan, tasks and timeline speak of the same nodes.
    const auto compiled = light->graphAt(light->lastStep()), shown = run.graphAt(run.lastStep());
    QCOMPARE(shown->nodeCount(), compiled->nodeCount());
    for (const NodeId id : compiled->allNodes()) QCOMPARE(shown->node(id).name, compiled->node(id).name);
    QCOMPARE(run.tasks.tasks.size(), light->tasks.tasks.size());
    QCOMPARE(run.plan.buffers.size(), light->plan.buffers.size());
    // Before and after.
    QCOMPARE(run.statistics.nodes.before, full->statistics.nodes.before);
    QCOMPARE(run.statistics.nodes.after, light->statistics.nodes.after);
    QVERIFY(run.statistics.fullLoadMs.has_value() && run.statistics.lightLoadMs.has_value());
    qInfo("%s: full load %.1f ms, lightweight %.1f ms", qPrintable(model), *run.statistics.fullLoadMs,
          *run.statistics.lightLoadMs);
    QVERIFY(!run.diff(StepId{0}, StepId{1}).isEmpty());
    // Names before fusion lead back to the original.
    int fused = 0, traced = 0;
    for (const NodeId id : compiled->allNodes()) {
        const StringList names = attrStrings(compiled->node(id).attrs, "_datadump_original_op_names");
        if (names.size() < 2 || !isOperator(compiled->node(id))) continue;
        ++fused;
        std::set<std::string> found;
        for (const NodeId origin : run.originsOf(id)) found.insert(run.graphAt(StepId{0})->node(origin).name);
        const bool isAll =
            std::all_of(names.begin(), names.end(), [&](const std::string& name) { return found.contains(name); });
        traced += isAll || found.size() >= 2;
    }
    QVERIFY(fused > 0);
    QVERIFY2(traced == fused, qPrintable(QStringLiteral("%1 of %2").arg(traced).arg(fused)));
}

void TestSimReal::onlyCompiledModelsLackTheirOriginal()
{
    QTemporaryDir folder;
    const auto full = runOf(samplePath("unit-conflict"));
    QVERIFY(!attachOriginal(full, samplePath("unit-conflict")).ok());
    const std::string om = writeOmOf(*full, folder);
    const auto light = runOf(om);
    const auto itself = attachOriginal(light, om);
    QVERIFY(!itself.ok());
    QVERIFY(itself.error().message().find("compiled itself") != std::string::npos);
    QVERIFY(!attachOriginal(light, (folder.path() + QStringLiteral("/none.onnx")).toStdString()).ok());
}

QTEST_GUILESS_MAIN(TestSimReal)
#include "tst_sim_real.moc"
