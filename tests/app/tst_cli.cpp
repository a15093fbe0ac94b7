// The command line as its users meet it: contracts of JSON, exit status, one line for each error.

#include "tests/app/cli_fixture.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

using namespace gelens;
using namespace gelens::test;
using Json = nlohmann::json;

namespace {

std::string sample(const std::string& name) { return std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx"; }

// Just enough of ONNX's wire format for models of one node.
std::string varint(std::uint64_t value)
{
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
    return bytes + static_cast<char>(value);
}
std::string onnxField(int number, const std::string& bytes)
{
    return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(bytes.size()) + bytes;
}
std::string onnxField(int number, std::uint64_t value)
{
    return varint(static_cast<std::uint64_t>(number) << 3) + varint(value);
}
std::string onnxSize(std::uint64_t size) { return onnxField(1, size); }

std::string onnxValue(const std::string& name, const std::vector<std::string>& dims)
{
    std::string shape;
    for (const std::string& dim : dims) shape += onnxField(1, dim);
    return onnxField(1, name) + onnxField(2, onnxField(1, onnxField(1, std::uint64_t{1}) + onnxField(2, shape)));
}
std::string onnxModel(const std::string& node, const std::vector<std::string>& inputs, const std::string& output)
{
    std::string graph = onnxField(1, node) + onnxField(2, std::string("g"));
    for (const std::string& input : inputs) graph += onnxField(11, input);
    graph += onnxField(12, output);
    return onnxField(1, std::uint64_t{8}) + onnxField(7, graph) + onnxField(8, onnxField(2, std::uint64_t{16}));
}

} // namespace

class TestCli : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void compileGivesTheContract()
    {
        const Answer answer = cli({"compile", sample("tiny-llama"), "--json", "--verify"});
        QCOMPARE(answer.status, 0);
        QVERIFY(answer.err.empty());
        const Json json = answer.json();
        for (const char* key : {"model", "soc", "mode", "nodes", "intermediate_tensors", "memory_bytes", "tasks",
                                "fusion_rate", "memory_reuse_rate", "latency_us", "steps", "fusions", "chains",
                                "verification", "kernel_cache", "memory_policy", "proved_optimal", "cards"})
            QVERIFY2(json.contains(key), key);
        QCOMPARE(json["soc"].get<std::string>(), std::string("Ascend910B1"));
        QCOMPARE(json["mode"].get<std::string>(), std::string("full"));
        for (const char* key : {"before", "after", "ge_after", "unshared_after", "lower_bound"})
            QVERIFY2(json["memory_bytes"].contains(key), key);
        const Json& step = json["steps"][0];
        for (const char* key :
             {"index", "stage", "phase", "pass", "ms", "nodes_before", "nodes_after", "graph_nodes", "changes"})
            QVERIFY2(step.contains(key), key);
        std::set<std::string> stages;
        for (const Json& each : json["steps"]) stages.insert(each["stage"].get<std::string>());
        QCOMPARE(stages, (std::set<std::string>{"parse", "compile", "memory", "tasks", "launch"}));
        QVERIFY(json["verification"]["passed"].get<bool>());
        const double before = json["nodes"]["before"], after = json["nodes"]["after"];
        QVERIFY(std::abs(json["fusion_rate"].get<double>() - (1 - after / before)) < 1e-12);
        for (const Json& fusion : json["fusions"]) {
            QVERIFY(fusion["matched"].get<int>() >= fusion["effective"].get<int>());
            QCOMPARE(fusion["nodes"].size(), fusion["into"].size());
        }
    }

    void aResultBeyondTheLimitIsNotComputed()
    {
        // 4 GiB from 32 MiB of inputs: refused by its size, not by the machine.
        const std::string x = onnxValue("x", {onnxSize(1 << 20), onnxSize(8)}),
                          w = onnxValue("w", {onnxSize(8), onnxSize(1 << 10)});
        const std::string y = onnxValue("y", {onnxSize(1 << 20), onnxSize(1 << 10)});
        const std::string node = onnxField(1, std::string("x")) + onnxField(1, std::string("w")) +
                                 onnxField(2, std::string("y")) + onnxField(4, std::string("MatMul"));
        const std::string file = written("huge.onnx", onnxModel(node, {x, w}, y));
        const Answer answer = cli({"compile", file, "--verify"});
        QCOMPARE(answer.status, 0);
        for (const char* part : {"verification did not run: ", "4294967296 bytes", "2147483648 bytes"})
            QVERIFY2(answer.out.find(part) != std::string::npos, answer.out.c_str());
        const Json json = cli({"compile", file, "--verify", "--json"}).json()["verification"];
        QVERIFY(!json["ran"].get<bool>());
        QVERIFY(json["skip_reason"].get<std::string>().find("4294967296 bytes") != std::string::npos);
    }

    void weightsThatNeverWereThereAreNoFailure()
    {
        // A dump that was cut off before its outputs: what the imported graph gives back needs no weights, what the
        // compiled one gives back does.
        const std::string desc = "{ dtype: DT_FLOAT shape { dim: 2 } layout: \"ND\" }\n";
        const std::string file =
            written("cut.txt", "graph {\n name: \"cut\"\n"
                               "op { name: \"x\" type: \"Data\" attr { key: \"index\" value { i: 0 } }\noutput_desc " +
                                   desc +
                                   "}\n"
                                   "op { name: \"w\" type: \"Const\"\noutput_desc " +
                                   desc +
                                   "}\n"
                                   "op { name: \"sum\" type: \"Add\" input: \"x:0\" input: \"w:0\"\ninput_desc " +
                                   desc + "input_desc " + desc + "output_desc " + desc + "}\n}\n");
        const Answer answer = cli({"compile", file, "--verify"});
        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.out.find("verification did not run: step ") != std::string::npos, answer.out.c_str());
        QVERIFY(answer.out.find("weights are absent") != std::string::npos);
        QVERIFY(answer.out.find("FAILED") == std::string::npos);
        const Json json = cli({"compile", file, "--verify", "--json"}).json()["verification"];
        QVERIFY(!json["ran"].get<bool>());
        QVERIFY(json["skip_reason"].get<std::string>().find("weights are absent") != std::string::npos);
    }

    void aDeviceThatDidNotRunIsNotSaidToHave()
    {
        const std::string node =
            onnxField(1, std::string("x")) + onnxField(2, std::string("y")) + onnxField(4, std::string("Relu"));
        const std::vector<std::string> open{onnxField(2, std::string("batch")), onnxSize(4)},
            known{onnxSize(2), onnxSize(4)};
        const std::string file = written("open.onnx", onnxModel(node, {onnxValue("x", open)}, onnxValue("y", open)));
        const Answer answer = cli({"compile", file, "--verify"});
        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.out.find("verification passed at every step (seed 1); the device did not run: ") !=
                     std::string::npos,
                 answer.out.c_str());
        const Json json = cli({"compile", file, "--verify", "--json"}).json()["verification"];
        QVERIFY(json["passed"].get<bool>());
        QVERIFY(json["device_passed"].is_null());
        QVERIFY(!json["device_skipped"].get<std::string>().empty());

        const std::string fixed =
            written("known.onnx", onnxModel(node, {onnxValue("x", known)}, onnxValue("y", known)));
        const Json ran = cli({"compile", fixed, "--verify", "--json"}).json()["verification"];
        QVERIFY(ran["device_passed"].get<bool>());
        QVERIFY(!ran.contains("device_skipped"));
    }

    void jsonFileEqualsStandardOutput()
    {
        QTemporaryDir folder;
        const std::string file = folder.filePath("run.json").toStdString();
        const Answer answer = cli({"compile", sample("attention-fits"), "--json", "--json-file", file});
        QCOMPARE(answer.status, 0);
        std::ifstream in(file);
        Json written = Json::parse(in), printed = answer.json();
        QCOMPARE(written["nodes"], printed["nodes"]);
    }

    void dumpsCarryTheCountsThatStepsReport()
    {
        QTemporaryDir folder;
        qputenv("DUMP_GRAPH_LEVEL", "1");
        const Answer answer =
            cli({"compile", sample("tiny-llama"), "--json", "--dump-dir", folder.path().toStdString()});
        qunsetenv("DUMP_GRAPH_LEVEL");
        QCOMPARE(answer.status, 0);
        std::map<std::string, int> wanted; // phase → nodes after its last step
        const Json json = answer.json();   // a name, so that the loop's range outlives it
        for (const Json& step : json["steps"])
            wanted[step["phase"].get<std::string>()] = step["graph_nodes"].get<int>();
        int files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder.path().toStdString())) {
            const std::string name = entry.path().filename().string();
            if (!name.starts_with("ge_onnx_")) continue;
            const std::string phase = name.substr(25, name.size() - 25 - 6); // ge_onnx_NNNNNNNN_graph_0_…
            std::ifstream in(entry.path());
            int nodes = 0;
            for (std::string line; std::getline(in, line);) nodes += line == "  node {";
            QVERIFY2(wanted.contains(phase), phase.c_str());
            QCOMPARE(nodes, wanted[phase]);
            ++files;
        }
        QVERIFY(files >= 10);
    }

    void dumpSwitchesAreHonoured()
    {
        QTemporaryDir folder;
        qputenv("DUMP_GE_GRAPH", "3");
        qputenv("DUMP_GRAPH_LEVEL", "4");
        qputenv("DUMP_GRAPH_FORMAT", "onnx");
        qputenv("DUMP_GRAPH_PATH", folder.path().toLocal8Bit());
        const Answer answer = cli({"compile", sample("attention-fits")});
        for (const char* name : {"DUMP_GE_GRAPH", "DUMP_GRAPH_LEVEL", "DUMP_GRAPH_FORMAT", "DUMP_GRAPH_PATH"})
            qunsetenv(name);
        QCOMPARE(answer.status, 0);
        const QString expected =
            folder.filePath(QStringLiteral("pid_%1_deviceid_0").arg(QCoreApplication::applicationPid()));
        const QStringList files = QDir(expected).entryList(QDir::Files);
        QCOMPARE(files, QStringList{QStringLiteral("ge_onnx_00000000_graph_0_PreRunBegin.pbtxt")});
        QFile file(expected + QLatin1Char('/') + files.front());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("attribute {")); // level 3: names and edges only
    }

    void explainNamesBytesAndTheLongestSequence()
    {
        const Answer answer =
            cli({"explain", sample("attention-too-long"), "--soc", "Ascend310P3", "--reason", "L1Capacity", "--json"});
        QCOMPARE(answer.status, 0);
        const Json json = answer.json();
        QVERIFY(!json["chains"].empty());
        bool found = false;
        for (const Json& link : json["chains"][0]["links"])
            for (const Json& tried : link["tried"])
                for (const Json& check : tried["checks"])
                    if (check["reason"] == "L1Capacity" && !check["held"].get<bool>()) {
                        QCOMPARE(check["needs"].get<double>(), 1081344.0);
                        QCOMPARE(check["has"].get<double>(), 1048576.0);
                        QCOMPARE(check["unit"].get<std::string>(), std::string("B"));
                        found = true;
                    }
        QVERIFY(found);
    }

    void infoAndListsAreThere()
    {
        const Json info = cli({"info", sample("small-resnet"), "--json"}).json();
        QCOMPARE(info["format"].get<std::string>(), std::string("ONNX"));
        QVERIFY(info["nodes"].get<int>() > 20 && info["histogram"].contains("Conv2D"));
        for (const char* what : {"rules", "passes", "socs", "ops"}) {
            const Answer answer = cli({"list", what, "--json"});
            QCOMPARE(answer.status, 0);
            const Json json = answer.json();
            QVERIFY2(json[what].size() > 10, what);
            for (const Json& entry : json[what])
                QVERIFY2(!entry["id"].get<std::string>().empty() && !entry["summary"].get<std::string>().empty(),
                         entry.dump().c_str());
        }
    }

    void errorsAreOneLineAndStatusTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("wanted");
        const QString model = QString::fromStdString(sample("attention-fits"));
        QTest::addRow("no command") << QStringList{} << QStringLiteral("subcommand");
        QTest::addRow("unknown command") << QStringList{"fly"} << QStringLiteral("fly");
        QTest::addRow("missing file") << QStringList{"compile", "/no/such.onnx"} << QStringLiteral("/no/such.onnx");
        QTest::addRow("folder") << QStringList{"info", "/usr"} << QStringLiteral("/usr");
        QTest::addRow("unknown soc") << QStringList{"compile", model, "--soc", "Ascend7"} << QStringLiteral("Ascend7");
        QTest::addRow("bad set") << QStringList{"compile", model, "--set", "x=1,a"} << QStringLiteral("x=1,a");
        QTest::addRow("unknown input") << QStringList{"compile", model, "--set", "nope=1,2"} << QStringLiteral("nope");
        QTest::addRow("light without plan")
            << QStringList{"compile", model, "--mode", "light"} << QStringLiteral("light");
        QTest::addRow("bad reason") << QStringList{"explain", model, "--reason", "Moon"} << QStringLiteral("Moon");
        QTest::addRow("unknown node") << QStringList{"explain", model, "--node", "moon"} << QStringLiteral("moon");
        QTest::addRow("missing switch file")
            << QStringList{"compile", model, "--fusion-switch", "/no.cfg"} << QStringLiteral("/no.cfg");
        QTest::addRow("check nothing") << QStringList{"check", "/usr/share/doc/git"} << QStringLiteral("model.onnx");
        QTest::addRow("unwritable json") << QStringList{"compile", model, "--json-file", "/no/such/dir/x.json"}
                                         << QStringLiteral("/no/such/dir/x.json");
    }

    void errorsAreOneLineAndStatusTwo()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, wanted);
        std::vector<std::string> list;
        for (const QString& argument : arguments) list.push_back(argument.toStdString());
        const Answer answer = cli(list);
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.starts_with("gelens-cli: error: "), answer.err.c_str());
        QCOMPARE(std::count(answer.err.begin(), answer.err.end(), '\n'), std::ptrdiff_t{1});
        QVERIFY2(answer.err.find(wanted.toStdString()) != std::string::npos, answer.err.c_str());
    }

    void sameInputSameBytes()
    {
        QTemporaryDir a, b;
        QCOMPARE(cli({"compile", sample("tiny-llama"), "--dump-dir", a.path().toStdString()}).status, 0);
        QCOMPARE(cli({"compile", sample("tiny-llama"), "--dump-dir", b.path().toStdString()}).status, 0);
        const QStringList files = QDir(a.path()).entryList(QDir::Files);
        QCOMPARE(files, QDir(b.path()).entryList(QDir::Files));
        for (const QString& name : files) {
            QFile one(a.filePath(name)), other(b.filePath(name));
            QVERIFY(one.open(QIODevice::ReadOnly) && other.open(QIODevice::ReadOnly));
            QVERIFY2(one.readAll() == other.readAll(), qPrintable(name));
        }
    }

private:
    std::string written(const char* name, const std::string& bytes) const
    {
        const std::string file = m_folder.filePath(QString::fromLatin1(name)).toStdString();
        std::ofstream(file, std::ios::binary) << bytes;
        return file;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
