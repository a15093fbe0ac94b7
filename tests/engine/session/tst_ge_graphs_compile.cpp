// Graphs that GE wrote in the middle of its own pipeline, opened as models: each can be compiled on.
#include "tests/engine/session/dump_fixture.h"

#include <algorithm>
#include <map>

using namespace gelens;
using namespace gelens::test;

namespace {

std::shared_ptr<const Run> compiled(const fs::path& path)
{
    const auto session = Session::open(path.string());
    if (!session.ok()) qFatal("%s", session.error().message().c_str());
    const auto run = (*session)->run({});
    if (!run.ok()) qFatal("%s", run.error().message().c_str());
    return *run;
}

bool isGraphFile(const fs::path& path)
{
    const std::string name = path.filename().string();
    return name.starts_with("ge_proto_") || name.starts_with("ge_onnx_") || name.ends_with(".air") ||
           name.ends_with(".om");
}

/// First and last dump of each folder of GE's, files of other kinds all.
std::vector<fs::path> oracleFiles()
{
    std::map<std::string, std::vector<fs::path>> dumps; // by folder and format
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(GELENS_CORPUS_DIR) / "ge-oracle")) {
        if (!entry.is_regular_file() || !isGraphFile(entry.path())) continue;
        const std::string name = entry.path().filename().string();
        if (name.starts_with("ge_"))
            dumps[entry.path().parent_path().string() + name.substr(0, 7)].push_back(entry.path());
        else
            files.push_back(entry.path());
    }
    for (auto& [folder, paths] : dumps) {
        std::sort(paths.begin(), paths.end());
        files.push_back(paths.front());
        if (paths.size() > 1) files.push_back(paths.back());
    }
    return files;
}

int notes(const Run& run, const std::string& kind)
{
    int count = 0;
    for (const Step& step : run.steps)
        count += static_cast<int>(std::count_if(step.messages.begin(), step.messages.end(),
                                                [&](const Message& note) { return note.id == kind; }));
    return count;
}

/// The output of a node after shapes were inferred.
TensorDesc inferred(const Run& run, const char* node)
{
    const auto step = run.findStep("InferShapePass");
    const auto graph = run.graphAt(step.value_or(StepId{0}));
    const NodeId id = graph->findNode(node);
    return id.isValid() ? graph->outputDesc({id, 0}) : TensorDesc();
}

} // namespace

class TestGeGraphsCompile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        if (!QDir(QStringLiteral(GELENS_CORPUS_DIR "/dumps")).exists()) QSKIP("the corpus is absent");
    }
    void convolutionsOfADumpOf2020();
    void reshapesOfACompiledModel();
    void reshapesBetweenGesPasses();
    void allOfGesOwnFiles();
};

/// A Caffe model: data_format is NHWC on every convolution, its tensors are NCHW.
void TestGeGraphsCompile::convolutionsOfADumpOf2020()
{
    const auto run = compiled(fs::path(GELENS_CORPUS_DIR) / "dumps" / "ge_proto_00026_afterUBMatch.txt");
    QVERIFY2(!run->failed, run->error ? run->error->message().c_str() : "");
    QCOMPARE(inferred(*run, "conv1").originShape, Shape({1, 64, 112, 112}));
    QCOMPARE(inferred(*run, "conv1").shape, Shape({1, 4, 112, 112, 16})); // NC1HWC0, as GE stored it
    QCOMPARE(run->graphAt(run->lastStep())->findNode("End109").isValid(), true);
    // fc1000 gives [1, 1000] by the definition of today, [1, 1000, 1, 1] by GE's of 2020.
    QCOMPARE(inferred(*run, "fc1000").originShape, Shape({1, 1000, 1, 1}));
    QCOMPARE(notes(*run, "infer.kept"), 2);
}

/// The model of an OM: boxes [1, 100, 4] and scores [1, 100] become rows of five.
void TestGeGraphsCompile::reshapesOfACompiledModel()
{
    const auto run = compiled(fs::path(GELENS_CORPUS_DIR) / "dumps" / "om_to_json_sub_model.json");
    QVERIFY2(!run->failed, run->error ? run->error->message().c_str() : "");
    QCOMPARE(inferred(*run, "Concat_1211").originShape, Shape({100, 5}));
    QCOMPARE(notes(*run, "infer.reshape"), 5);
    QCOMPARE(notes(*run, "infer.kept"), 0);
}

/// OptimizeStage1_2 ends with no Reshape; the next passes of GE put them back.
void TestGeGraphsCompile::reshapesBetweenGesPasses()
{
    const auto run = compiled(fs::path(GELENS_CORPUS_DIR) / "ge-oracle" / "stage1_mnist8_cntk" /
                              "ge_proto_00000008_graph_0_OptimizeStage1_2.txt");
    QVERIFY2(!run->failed, run->error ? run->error->message().c_str() : "");
    QCOMPARE(inferred(*run, "Times212").originShape, Shape({1, 10})); // [1, 16, 4, 4] read as [1, 256] · [256, 10]
    QCOMPARE(notes(*run, "infer.reshape"), 1);
}

void TestGeGraphsCompile::allOfGesOwnFiles()
{
    QTemporaryDir dir;
    QStringList refused;
    const std::vector<fs::path> files = oracleFiles();
    for (fs::path file : files) {
        if (file.extension() == ".gz") {
            const fs::path plain = fs::path(dir.path().toStdString()) / file.stem();
            QProcess unpack;
            unpack.setStandardOutputFile(QString::fromStdString(plain.string()));
            unpack.start(QStringLiteral("gzip"), {QStringLiteral("-dc"), QString::fromStdString(file.string())});
            QVERIFY(unpack.waitForFinished() && unpack.exitCode() == 0);
            file = plain;
        }
        const auto run = compiled(file);
        if (run->failed) refused << QString::fromStdString(run->error ? run->error->message() : file.string());
    }
    QVERIFY(files.size() > 100);
    QVERIFY2(refused.isEmpty(), qPrintable(refused.join(QLatin1Char('\n'))));
}

QTEST_GUILESS_MAIN(TestGeGraphsCompile)
#include "tst_ge_graphs_compile.moc"
