// gelens-cli dumps and diff over folders: what they print and how they end.

#include "tests/app/cli_fixture.h"
#include "tests/engine/session/dump_fixture.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

using namespace gelens;
using namespace gelens::test;
using Json = nlohmann::json;

class TestCliDumps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { m_run = test::runWithDumps(test::samplePath("small-resnet"), folder()); }

    void phasesWithCountsAndChanges()
    {
        const Answer answer = cli({"dumps", folder(), "--json"});
        QCOMPARE(answer.status, 0);
        const Json json = answer.json();
        QCOMPARE(json["graphs"].size(), std::size_t(1));
        const Json phases = json["graphs"][0]["phases"];
        QCOMPARE(phases.size(), json["phases"].get<std::size_t>());
        QCOMPARE(phases[0]["phase"].get<std::string>(), std::string("PreRunBegin"));
        QCOMPARE(phases[0]["owner"].get<std::string>(), std::string("GE"));
        QVERIFY(!phases[0]["shows_zh"].get<std::string>().empty());
        QVERIFY(!phases[0].contains("change"));
        std::map<std::string, int> nodes; // what the run had at the end of each phase
        for (const Step& step : m_run->steps)
            if (step.isPhaseEnd) nodes[step.phase] = step.after.graphNodes;
        for (const Json& phase : phases) {
            QCOMPARE(phase["nodes"].get<int>(), nodes.at(phase["phase"].get<std::string>()));
            int types = 0;
            for (const auto& [type, count] : phase["types"].items()) types += count.get<int>();
            QCOMPARE(types, phase["nodes"].get<int>());
            if (phase.contains("change")) QVERIFY(phase["change"]["matched"]["confidence"].get<double>() > 0.8);
        }
        QVERIFY(cli({"dumps", folder()}).out.find("PreRunAfterPrepare") != std::string::npos);
    }

    void againstItsOwnModelTheyAgree()
    {
        const Answer answer = cli({"dumps", folder(), "--against", test::samplePath("small-resnet"), "--json"});
        QCOMPARE(answer.status, 0);
        QVERIFY(answer.json()["first_different"].is_null());
        // Without its fusions the model goes another way, and that is exit status 1.
        const Answer other = cli({"dumps", folder(), "--against", test::samplePath("tiny-llama"), "--json"});
        QCOMPARE(other.status, 1);
        QCOMPARE(other.json()["first_different"].get<std::string>(), std::string("PreRunBegin"));
        QCOMPARE(cli({"dumps", folder(), "--against", folder() + "/none.onnx"}).status, 2);
    }

    void aPhaseThatCannotBeReadIsNoAgreement()
    {
        QTemporaryDir copy;
        QVERIFY(test::unpackFolder(QString::fromStdString(folder()), copy.path()));
        for (const char* name : {"ge_proto", "ge_onnx", "ge_readable"})
            for (const QString& file :
                 QDir(copy.path()).entryList({QString::fromLatin1(name) + "_*_AfterInfershape.*"}))
                test::writeText(copy.filePath(file).toStdString(), "PK\x03\x04 no dump");
        const Answer answer =
            cli({"dumps", copy.path().toStdString(), "--against", test::samplePath("small-resnet"), "--json"});
        QCOMPARE(answer.status, 1);
        QVERIFY(answer.json()["first_different"].is_null());
        QCOMPARE(answer.json()["unreadable"].get<int>(), 1);
    }

    /// A Relu that an engine has, and that GE says gives another shape than ours would.
    void compileSaysWhatOfGesItKeeps()
    {
        std::string text = test::chainText();
        const auto mid = text.find("    input: \"x:0\"\n");
        QVERIFY(mid != std::string::npos);
        text.insert(mid, "    attr { key: \"_fe_imply_type\" value { i: 6 } }\n");
        const auto output = text.find("dim: 3", text.find("output_desc", mid));
        QVERIFY(output != std::string::npos);
        text.replace(output, 6, "dim: 5");
        const auto read = text.find("dim: 3", output); // what tail reads
        text.replace(read, 6, "dim: 5");
        QTemporaryDir dir;
        const std::string path = dir.filePath(QStringLiteral("late.txt")).toStdString();
        test::writeText(path, text);
        const Answer answer = cli({"compile", path});
        QCOMPARE(answer.status, 0);
        const std::string note =
            "note: mid: output 0 is fp32 [2, 5] in GE's graph and fp32 [2, 3] by our inference; GE's is kept\n";
        QVERIFY2(answer.out.find(note) != std::string::npos, answer.out.c_str());
    }

    void diffOfTwoPhasesSaysHowSureItIs()
    {
        const Answer same = cli({"diff", folder() + ":PreRunBegin", folder() + ":PreRunBegin", "--json"});
        QCOMPARE(same.status, 0);
        const Answer answer = cli({"diff", folder() + ":PreRunAfterPrepare", folder() + ":Build", "--json"});
        QCOMPARE(answer.status, 1);
        const Json json = answer.json();
        QVERIFY(json["confidence"].get<double>() <= 1 && json["confidence"].get<double>() > 0.5);
        int pairs = 0;
        for (const auto& [basis, count] : json["matched_by"].items()) pairs += count.get<int>();
        QCOMPARE(pairs, json["nodes"]["same"].get<int>() + json["nodes"]["changed"].get<int>());
        QCOMPARE(cli({"diff", folder() + ":NoSuchPhase", folder()}).status, 2);
    }

    void badFoldersAreOneLine()
    {
        QTemporaryDir empty;
        for (const std::string& path : {empty.path().toStdString(), empty.path().toStdString() + "/none"}) {
            const Answer answer = cli({"dumps", path});
            QCOMPARE(answer.status, 2);
            QVERIFY(answer.err.starts_with("gelens-cli: error:"));
            QCOMPARE(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
        }
    }

private:
    std::string folder() const { return m_folder.path().toStdString(); }

    QTemporaryDir m_folder;
    std::shared_ptr<const Run> m_run;
};

QTEST_GUILESS_MAIN(TestCliDumps)
#include "tst_cli_dumps.moc"
