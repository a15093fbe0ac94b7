// `compile --skip-pass` and `compile --bisect`.
#include "tests/app/cli_fixture.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace gelens;
using namespace gelens::test;

namespace {

const std::string model = GELENS_SAMPLES_DIR "/tiny-llama.onnx";

} // namespace

class TestCliPasses : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aPassIsLeftOutAndListed()
    {
        const Answer whole = cli({"compile", model, "--json"});
        const Answer without = cli({"compile", model, "--skip-pass", "RmsNormDecomposedFusion", "--verify", "--json"});
        QVERIFY2(without.status == 0, without.err.c_str());
        QVERIFY(without.json()["nodes"]["after"] > whole.json()["nodes"]["after"]);
        QVERIFY(without.json()["verification"]["ran"].get<bool>());
        int skipped = 0;
        const auto steps = without.json()["steps"], wholeSteps = whole.json()["steps"];
        for (const auto& step : steps)
            if (step.value("skipped", false)) {
                ++skipped;
                QCOMPARE(step["skip_reason"].get<std::string>(), std::string("skipped, as the options of the run ask"));
                QCOMPARE(step["changes"].get<int>(), 0);
            }
        QVERIFY(skipped >= 1);
        for (const auto& step : wholeSteps) QVERIFY(!step.contains("skipped"));
        const Answer text = cli({"compile", model, "--skip-pass", "PrunePass"});
        QVERIFY(text.says("(PrunePass): skipped, as the options of the run ask"));
    }

    void verificationHasALimitWhereOneIsAskedFor()
    {
        const Answer stopped = cli({"compile", model, "--verify", "--verify-limit", "0.000001"});
        QVERIFY2(stopped.status == 0, stopped.err.c_str());
        QVERIFY2(stopped.says("verification did not run: cancelled") &&
                     stopped.says("--verify-limit: stopped after 1e-06 s, nothing was proved"),
                 stopped.out.c_str());
        const Answer enough = cli({"compile", model, "--verify", "--verify-limit", "600"});
        QVERIFY2(enough.says("verification passed at every step"), enough.out.c_str());
        QVERIFY(cli({"compile", model, "--verify", "--verify-limit", "-1"}).status == 2);
    }

    void whatCannotBeLeftOutIsRefused()
    {
        QVERIFY(cli({"compile", model, "--skip-pass", "InferShapePass"}).isOneErrorLine("InferShapePass"));
        QVERIFY(cli({"compile", model, "--skip-pass", "NoSuchPass"}).isOneErrorLine("NoSuchPass"));
        QVERIFY(cli({"compile", model, "--skip-pass"}).status == 2);
    }

    void thePassIsFound()
    {
        const auto json = cli({"compile", model, "--json"}).json();
        const int before = json["steps"].front()["nodes_after"], after = json["nodes"]["after"];
        const Answer answer =
            cli({"compile", model, "--bisect", "operators < " + std::to_string((before + after) / 2)});
        QCOMPARE(answer.status, 1); // what was asked for came about
        QVERIFY2(answer.says("bisect operators < "), answer.out.c_str());
        const auto at = answer.out.find(": step ");
        QVERIFY(at != std::string::npos);
        const int step = std::stoi(answer.out.substr(at + 7));
        const auto& found = json["steps"][static_cast<std::size_t>(step)];
        QVERIFY(found["nodes_before"].get<int>() >= (before + after) / 2 &&
                found["nodes_after"].get<int>() < (before + after) / 2);
        QVERIFY(answer.says("(" + found["pass"].get<std::string>() + ")"));

        const Answer runs =
            cli({"compile", model, "--bisect", "tasks < " + std::to_string(json["tasks"]["after"].get<int>() + 1)});
        QCOMPARE(runs.status, 1);
        QVERIFY2(runs.says(" runs"), runs.out.c_str());

        const Answer never = cli({"compile", model, "--bisect", "numbers"});
        QCOMPARE(never.status, 0);
        QVERIFY2(never.says("bisect numbers: not so at the end"), never.out.c_str());
    }

    /// What is printed as a line stands as `bisect` in the object, for programs.
    void theAnswerIsPartOfTheJson()
    {
        const auto run = cli({"compile", model, "--json"}).json();
        QVERIFY(!run.contains("bisect"));
        const int before = run["steps"].front()["nodes_after"], after = run["nodes"]["after"];
        const std::string question = "operators < " + std::to_string((before + after) / 2);
        const Answer answer = cli({"compile", model, "--bisect", question, "--json"});
        QCOMPARE(answer.status, 1);
        const auto all = answer.json();
        QCOMPARE(all["nodes"]["after"].get<int>(), after); // the object of the run, with one field more
        const auto& found = all["bisect"];
        QCOMPARE(found["question"].get<std::string>(), question);
        QCOMPARE(found["outcome"].get<std::string>(), std::string("found"));
        const auto& step = run["steps"][found["step"].get<std::size_t>()];
        for (const char* field : {"pass", "stage", "phase"}) QVERIFY2(found[field] == step[field], field);
        QVERIFY(step["nodes_before"].get<int>() >= (before + after) / 2 &&
                step["nodes_after"].get<int>() < (before + after) / 2);
        QCOMPARE(found["after"].get<std::string>(), "operators = " + std::to_string(step["nodes_after"].get<int>()));
        QVERIFY(found["probes"].get<int>() > 0);
        QCOMPARE(found["by"].get<std::string>(), std::string("looks"));
        QVERIFY(found["node"].is_null());

        const Answer node = cli({"compile", model, "--bisect", "type RmsNorm", "--json"});
        QVERIFY2(node.status != 2, node.err.c_str());
        const Answer never = cli({"compile", model, "--bisect", "numbers", "--json"});
        QCOMPARE(never.status, 0);
        QCOMPARE(never.json()["bisect"]["outcome"].get<std::string>(), std::string("never"));
        QVERIFY(never.json()["bisect"]["step"].is_null() && never.json()["bisect"]["pass"].is_null());
        const Answer always = cli({"compile", model, "--bisect", "operators > 1", "--json"});
        QCOMPARE(always.status, 1);
        QCOMPARE(always.json()["bisect"]["outcome"].get<std::string>(), std::string("from_start"));

        QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("run.json")).toStdString();
        QCOMPARE(cli({"compile", model, "--bisect", question, "--json-file", file}).status, 1);
        std::ifstream stream(file);
        QVERIFY(nlohmann::json::parse(stream)["bisect"] == found);
        // A question that cannot be answered prints no object.
        const Answer refused = cli({"compile", model, "--bisect", "node no such node", "--json"});
        QVERIFY(refused.isOneErrorLine("no such node") && refused.out.empty());
    }

    void questionsThatCannotBeReadAreRefused()
    {
        for (const char* question : {"", "node", "nonsense > 3", "operators >"})
            QVERIFY2(cli({"compile", model, "--bisect", question}).status == 2, question);
        QVERIFY(cli({"compile", model, "--bisect", "node no such node"}).isOneErrorLine("no such node"));
    }
};

QTEST_GUILESS_MAIN(TestCliPasses)
#include "tst_cli_passes.moc"
