// Dump folders: names, order, pairing of formats, phases.

#include "engine/formats/dump_folder.h"
#include "tests/engine/formats/ge_oracle.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <set>

using namespace gelens;
using namespace gelens::test;

namespace {

void write(const fs::path& path, const std::string& text)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

} // namespace

class TestDumpFolder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void names_data();
    void names();
    void phaseTableIsWhole();
    void groupsAndPairs();
    void badFoldersAreErrors();
    void manyFilesListFast();
    void oracleFolders();
};

void TestDumpFolder::names_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("number");
    QTest::addColumn<int>("graph");
    QTest::addColumn<QString>("phase");
    const auto row = [](const char* name, int number, int graph, const char* phase) {
        QTest::newRow(name) << QString::fromLatin1(name) << number << graph << QString::fromLatin1(phase);
    };
    row("ge_onnx_00000012_graph_3_Build.pbtxt", 12, 3, "Build");
    row("ge_proto_00026_afterUBMatch.txt", 26, -1, "afterUBMatch");
    row("ge_readable_00000000_aclop_graph_0_PreRunBegin.txt", 0, 0, "PreRunBegin");
    row("ge_onnx_00000005_graph_11_partition0_rank1_new_sub_graph1_AtomicEnginePartitioning.pbtxt", 5, 11,
        "partition0_rank1_new_sub_graph1_AtomicEnginePartitioning");
    row("ge_proto_00000001_graph_0_a.b.txt", 1, 0, "a.b");
    row("ge_proto_x_graph_0_a.txt", -1, -1, "");
    row("ge_proto_00000001_graph_0_a.bin", -1, -1, "");
    row("ge_onnx_99999999999999_graph_0_a.pbtxt", -1, -1, "");
    row("notes.txt", -1, -1, "");
}

void TestDumpFolder::names()
{
    QFETCH(QString, name);
    QFETCH(int, number);
    QFETCH(int, graph);
    QFETCH(QString, phase);
    const auto file = parseDumpName(name.toStdString());
    QCOMPARE(file.has_value(), number >= 0);
    if (!file) return;
    QCOMPARE(file->number, number);
    QCOMPARE(file->graphId.value_or(-1), graph);
    QCOMPARE(QString::fromStdString(file->phase), phase);
    QCOMPARE(file->isSingleOp, name.contains(QLatin1String("aclop")));
}

void TestDumpFolder::phaseTableIsWhole()
{
    QCOMPARE(phaseTable().size(), std::size_t(124));
    std::set<std::string_view> names;
    int number = 0, defaults = 0;
    for (const PhaseInfo& phase : phaseTable()) {
        QCOMPARE(phase.number, ++number);
        QVERIFY(!phase.owner.empty() && !phase.english.empty() && !phase.chinese.empty());
        names.insert(phase.name);
        defaults += phase.isDefault;
    }
    QCOMPARE(names.size(), std::size_t(124));
    QCOMPARE(findPhase("Build")->number, 110);
    QCOMPARE(findPhase("partition0_rank9_new_sub_graph7_AtomicEnginePartitioning")->number, 67);
    QVERIFY(!findPhase("NoSuchPhase"));
}

void TestDumpFolder::groupsAndPairs()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    const std::string graph = "graph {\n  name: \"g\"\n  op {\n    name: \"x\"\n    type: \"Data\"\n  }\n}\n";
    const fs::path process = root / "pid_7_deviceid_0";
    write(process / "ge_proto_00000000_graph_1_PreRunBegin.txt", graph);
    write(process / "ge_onnx_00000000_graph_1_PreRunBegin.pbtxt", "damaged");
    write(process / "ge_proto_00000003_graph_1_Build.txt", graph); // a gap, and another number in the other format
    write(process / "ge_onnx_00000002_graph_1_Build.pbtxt", "");
    write(process / "ge_proto_00000004_graph_1_Build.txt", graph);
    write(process / "ge_proto_00000005_graph_2_Custom.txt", "graph {");
    write(root / "dynamo_original_graph_0_rank_0_pid_1_ts_2.txt", "name: \"fx\"");
    write(root / "fusion_result.json", "[]");
    const auto folder = openDumpFolder(root);
    QVERIFY2(folder.ok(), folder.ok() ? "" : folder.error().message().c_str());
    QCOMPARE(folder->graphs.size(), std::size_t(2));
    const DumpGraph& first = folder->graphs[0];
    QCOMPARE(first.label(), std::string("pid_7_deviceid_0 graph 1"));
    QCOMPARE(first.phases.size(), std::size_t(3));
    QCOMPARE(first.phases[1].name, std::string("Build"));
    QCOMPARE(first.phases[1].number, 2);
    QCOMPARE(first.phases[1].files.size(), std::size_t(2));
    QCOMPARE(first.phases[2].files.size(), std::size_t(1));
    QCOMPARE(folder->fxDumps.size(), std::size_t(1));
    QVERIFY(folder->fusionResult.has_value());
    QCOMPARE(findDumpPhase(*folder, "Build#2"), &first.phases[2]);
    QCOMPARE(findDumpPhase(*folder, "build"), &first.phases[1]);
    QCOMPARE(findDumpPhase(*folder, "last"), &first.phases[2]);
    QVERIFY(!findDumpPhase(*folder, "Nothing"));
    const auto document = readDumpPhase(first.phases[0]);
    QVERIFY(document.ok());
    QCOMPARE(document->graph.nodeCount(), 1);
    QVERIFY(!readDumpPhase(folder->graphs[1].phases[0]).ok());
}

void TestDumpFolder::badFoldersAreErrors()
{
    QTemporaryDir dir;
    QVERIFY(!openDumpFolder(dir.path().toStdString()).ok());
    QVERIFY(!openDumpFolder(dir.path().toStdString() + "/none").ok());
}

void TestDumpFolder::manyFilesListFast()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    for (int i = 0; i < 5000; ++i) {
        const std::string digits = std::to_string(i);
        write(root / ("pid_" + std::to_string(i / 1000) + "_deviceid_0") /
                  ("ge_proto_" + std::string(8 - digits.size(), '0') + digits + "_graph_" + std::to_string(i % 3) +
                   "_Build.txt"),
              "");
    }
    QElapsedTimer timer;
    timer.start();
    const auto folder = openDumpFolder(root);
    qInfo("5,000 files listed in %lld ms", static_cast<long long>(timer.elapsed()));
    QVERIFY(folder.ok());
    QVERIFY(timer.elapsed() < 1000);
    QCOMPARE(folder->phaseCount(), 5000);
    QCOMPARE(folder->graphs.size(), std::size_t(15));
}

void TestDumpFolder::oracleFolders()
{
    SKIP_WITHOUT_CORPUS();
    const auto folder = openDumpFolder(oracle() / "pass_consts" / "level1");
    QVERIFY(folder.ok());
    QCOMPARE(folder->phaseCount(), 7);
    for (const DumpPhase& phase : folder->graphs[0].phases) {
        QCOMPARE(phase.files.size(), std::size_t(2));
        QVERIFY(readDumpPhase(phase).ok());
    }
}

QTEST_GUILESS_MAIN(TestDumpFolder)
#include "tst_dump_folder.moc"
