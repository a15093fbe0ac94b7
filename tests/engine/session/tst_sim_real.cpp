// Our pipeline beside dumps of the same model, and an OM beside the model that it was compiled from.

#include "engine/formats/om/om_writer.h"
#include "engine/session/attached_run.h"
#include "engine/session/sim_real.h"
#include "tests/engine/session/dump_fixture.h"

#include <algorithm>
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
    const auto report = compareSides(**sides);
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
    const auto compared = comparedSides(**sides);
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
    if (!QDir(QStringLiteral(GELENS_CORPUS_DIR "/onnx")).exists()) QSKIP("the corpus is absent");
    for (const char* name : {"bert_opset11", "crnn_gru", "llama_torchscript", "mnist8_cntk", "mnist_pytorch",
                             "mobilenetv2_relu6", "resnet_opset9", "swin_shift", "unet_deconv"})
        for (const char* kind : {"gen", "real"}) {
            const QString model =
                QStringLiteral(GELENS_CORPUS_DIR "/onnx/%1/%2").arg(QLatin1String(kind), QLatin1String(name));
            if (QDir(model).exists())
                QTest::newRow(name) << corpusFolder((std::string("stage1_") + name).c_str()) << model;
        }
}

/// GE's own dumps of models that it took through preparation and the first clean-up, with no engines: where fusion
/// begins the two must part, before that our passes are GE's.
void TestSimReal::realDumps()
{
    QFETCH(QString, folder);
    QFETCH(QString, model);
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
