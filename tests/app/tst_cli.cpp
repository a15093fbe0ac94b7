// The command line as its users meet it: contracts of JSON, exit status, one line for each error.
#include "app/cli/cli.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace gelens;
using Json = nlohmann::json;

namespace {

struct Answer {
    int status = -1;
    std::string out, err;
    Json json() const { return Json::parse(out); }
};

Answer cli(std::vector<std::string> arguments)
{
    std::vector<const char*> argv{"gelens-cli"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::ostringstream out, err;
    Answer answer;
    answer.status = runCli(static_cast<int>(argv.size()), argv.data(), out, err);
    answer.out = out.str();
    answer.err = err.str();
    return answer;
}

std::string sample(const std::string& name) { return std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx"; }

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
        for (const char* key : {"model", "soc", "mode", "nodes", "intermediate_tensors", "memory_bytes", "tasks", "fusion_rate",
                                "memory_reuse_rate", "latency_us", "steps", "fusions", "chains", "verification", "kernel_cache",
                                "memory_policy", "proved_optimal", "cards"})
            QVERIFY2(json.contains(key), key);
        QCOMPARE(json["soc"].get<std::string>(), std::string("Ascend910B1"));
        QCOMPARE(json["mode"].get<std::string>(), std::string("full"));
        for (const char* key : {"before", "after", "ge_after", "unshared_after", "lower_bound"})
            QVERIFY2(json["memory_bytes"].contains(key), key);
        const Json& step = json["steps"][0];
        for (const char* key : {"index", "stage", "phase", "pass", "ms", "nodes_before", "nodes_after", "graph_nodes", "changes"})
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
        const Answer answer = cli({"compile", sample("tiny-llama"), "--json", "--dump-dir", folder.path().toStdString()});
        qunsetenv("DUMP_GRAPH_LEVEL");
        QCOMPARE(answer.status, 0);
        std::map<std::string, int> wanted; // phase → nodes after its last step
        const Json json = answer.json(); // a name, so that the loop's range outlives it
        for (const Json& step : json["steps"]) wanted[step["phase"].get<std::string>()] = step["graph_nodes"].get<int>();
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
        for (const char* name : {"DUMP_GE_GRAPH", "DUMP_GRAPH_LEVEL", "DUMP_GRAPH_FORMAT", "DUMP_GRAPH_PATH"}) qunsetenv(name);
        QCOMPARE(answer.status, 0);
        const QString expected = folder.filePath(QStringLiteral("pid_%1_deviceid_0").arg(QCoreApplication::applicationPid()));
        const QStringList files = QDir(expected).entryList(QDir::Files);
        QCOMPARE(files, QStringList{QStringLiteral("ge_onnx_00000000_graph_0_PreRunBegin.pbtxt")});
        QFile file(expected + QLatin1Char('/') + files.front());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("attribute {")); // level 3: names and edges only
    }

    void explainNamesBytesAndTheLongestSequence()
    {
        const Answer answer = cli({"explain", sample("attention-too-long"), "--soc", "Ascend310P3", "--reason", "L1Capacity", "--json"});
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
        QTest::addRow("light without plan") << QStringList{"compile", model, "--mode", "light"} << QStringLiteral("light");
        QTest::addRow("bad reason") << QStringList{"explain", model, "--reason", "Moon"} << QStringLiteral("Moon");
        QTest::addRow("unknown node") << QStringList{"explain", model, "--node", "moon"} << QStringLiteral("moon");
        QTest::addRow("missing switch file") << QStringList{"compile", model, "--fusion-switch", "/no.cfg"} << QStringLiteral("/no.cfg");
        QTest::addRow("check nothing") << QStringList{"check", "/usr/share/doc/git"} << QStringLiteral("model.onnx");
        QTest::addRow("unwritable json") << QStringList{"compile", model, "--json-file", "/no/such/dir/x.json"} << QStringLiteral("/no/such/dir/x.json");
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
};

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
