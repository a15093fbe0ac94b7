// fusion_result.json beside a folder of dumps: which counts stand at which phase, and what the graphs say of them.

#include "engine/session/fusion_counts.h"
#include "tests/engine/session/dump_fixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace gelens;
using namespace gelens::test;

namespace {

std::string markText(const std::string& attr, const std::string& value)
{
    return "attr { key: \"" + attr + "\" value { " + value + " } }";
}

/// A dump of operators in a row, each with attributes of its own.
std::string rowText(const std::vector<std::string>& attrs)
{
    std::string text = "graph {\n  name: \"g\"\n  op { name: \"x\" type: \"Data\" }\n", before = "x";
    for (std::size_t i = 0; i < attrs.size(); ++i) {
        const std::string name = "n" + std::to_string(i);
        text += "  op { name: \"" + name + "\" type: \"Relu\" input: \"" + before + ":0\" " + attrs[i] + " }\n";
        before = name;
    }
    return text + "}\n";
}

QStringList doubtsIn(const Run& run, int step, const char* id)
{
    QStringList texts;
    for (const Message& message : run.step(StepId{step}).messages)
        if (message.id == id) texts << QString::fromStdString(message.text);
    return texts;
}

} // namespace

class TestDumpFusion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fusionResultIsJoined();
    void countsOfEachGraphStandAtItsOwnPhase();
    void graphFusionCountsAreHeldAgainstNames();
    void bufferFusionCountsAreHeldAgainstScopes();
};

void TestDumpFusion::fusionResultIsJoined()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    writeText(root / "ge_proto_00000000_graph_5_PreRunBegin.txt", chainText());
    writeText(root / "ge_proto_00000001_graph_5_OptimizeOriginalGraph_FeGraphFusionAfter.txt", chainText("Tanh"));
    writeText(root / "ge_proto_00000002_graph_5_Build.txt", chainText("Tanh"));
    writeText(root / "fusion_result.json",
              R"({"session_and_graph_id_0_5": {"graph_fusion": {"": {"effect_times": "1", "match_times": "1"},
                  "MatMulBiasAddFusionPass": {"effect_times": "3", "match_times": "64"}},
                  "ub_fusion": {"TbeEltwiseFusionPass": {"effect_times": "2", "match_times": "2", "repository_hit_times": "0"}}}})");
    const auto dumps = openScanned(root.string());
    QCOMPARE(dumps->fusions.size(), std::size_t(3));
    QCOMPARE(dumps->fusions.front().gePass,
             std::string("MatMulBiasAddFusionPass")); // matched, but not applied, comes first
    QCOMPARE(dumps->fusions.front().matched, 64);
    QCOMPARE(dumps->fusions.front().effective, 3);
    const auto& counters = dumps->step(StepId{1}).counters;
    QCOMPARE(counters.size(), std::size_t(4));
    QVERIFY(std::any_of(counters.begin(), counters.end(), [](const auto& counter) {
        return counter.first == "MatMulBiasAddFusionPass effective" && counter.second == 3;
    }));
    QCOMPARE(dumps->step(StepId{2}).counters.size(), std::size_t(2)); // UB fusion shows in the first phase behind it
    QVERIFY(dumps->fusions.back().gePass == "(unnamed pass)" || dumps->fusions[1].gePass == "(unnamed pass)");

    // Four fusions took effect, it says, and yet every phase has the same nodes.
    const auto doubts = [](const Run& run, int step) {
        const auto& messages = run.step(StepId{step}).messages;
        return std::count_if(messages.begin(), messages.end(),
                             [](const Message& one) { return one.id == "dump.fusion-result-differs"; });
    };
    QCOMPARE(doubts(*dumps, 1), 1);
    QCOMPARE(doubts(*dumps, 0), 0);
    writeText(root / "ge_proto_00000001_graph_5_OptimizeOriginalGraph_FeGraphFusionAfter.txt",
              chainText("Tanh", false));
    QCOMPARE(doubts(*openScanned(root.string()), 1), 0);

    writeText(root / "fusion_result.json", "nothing");
    const auto other = openDumpRun(root.string());
    QVERIFY(other.ok());
    QCOMPARE((*other)->messages.size(), std::size_t(1));
}

/// Graphs 5 and 6, and a result that names no graph: it goes to the first row of the phase.
void TestDumpFusion::countsOfEachGraphStandAtItsOwnPhase()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    int number = 0;
    const auto write = [&](int graph, const char* phase) {
        writeText(root / fmt::format("ge_proto_{:08}_graph_{}_{}.txt", number++, graph, phase), chainText());
    };
    for (const int graph : {5, 6}) {
        write(graph, "PreRunBegin");
        if (graph == 5) write(graph, "OptimizeOriginalGraph_FeGraphFusionAfter");
        write(graph, "PreRunAfterOptimize1");
        write(graph, "Build");
    }
    const auto counts = [](const char* pass) {
        return fmt::format(
            R"({{"graph_fusion": {{"{0}": {{"match_times": "1"}}}}, "ub_fusion": {{"{0}Ub": {{"match_times": "1"}}}}}})",
            pass);
    };
    writeText(root / "fusion_result.json",
              fmt::format(R"({{"session_and_graph_id_0_5": {}, "session_and_graph_id_0_6": {}, "other": {},
                               "session_and_graph_id_0_7": {}}})",
                          counts("Five"), counts("Six"), counts("Any"), counts("Seven")));
    const auto dumps = openScanned(root.string());
    std::map<std::string, std::string> places;
    for (int i = 0; i < dumps->stepCount(); ++i)
        for (const auto& [name, value] : dumps->step(StepId{i}).counters)
            if (name.ends_with(" matched"))
                places[name] += fmt::format("{}/{}", dumps->sourceOf(StepId{i})->graph, dumps->step(StepId{i}).phase);
    const std::map<std::string, std::string> expected{
        {"Five matched", "5/OptimizeOriginalGraph_FeGraphFusionAfter"},
        {"FiveUb matched", "5/Build"},
        {"Six matched", "6/PreRunAfterOptimize1"},
        {"SixUb matched", "6/Build"},
        {"Any matched", "5/OptimizeOriginalGraph_FeGraphFusionAfter"},
        {"AnyUb matched", "5/Build"},
    };
    QCOMPARE(places, expected); // graph 7 was not dumped
}

/// A name on a node is an effect of that pass in that graph; that no node bears it says nothing.
void TestDumpFusion::graphFusionCountsAreHeldAgainstNames()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    const std::string list = markText("pass_name", "list { s: \"MadeIt\" s: \"ThenThis\" val_type: VT_LIST_STRING }");
    writeText(root / "ge_proto_00000000_graph_5_PreRunBegin.txt", rowText({"", ""}));
    writeText(root / "ge_proto_00000001_graph_5_OptimizeOriginalGraph_FeGraphFusionAfter.txt",
              rowText({list, markText("pass_name", "s: \"MadeIt\""), ""}));
    const auto resultsWith = [&](const std::string& counts) {
        writeText(root / "fusion_result.json", "{\"session_and_graph_id_0_5\": {\"graph_fusion\": {" + counts + "}}}");
        return openScanned(root.string());
    };
    const char* const differs = "dump.fusion-result-differs";
    const char* const untold = "dump.fusion-result-untold";
    const std::string made = R"("MadeIt": {"effect_times": "2", "match_times": "2"})";
    const std::string then = R"("ThenThis": {"effect_times": "1", "match_times": "4"})";
    auto run = resultsWith(made + "," + then);
    QVERIFY(doubtsIn(*run, 1, differs).isEmpty() && doubtsIn(*run, 1, untold).isEmpty());
    QVERIFY(doubtsIn(*run, 0, untold).isEmpty());

    run = resultsWith(made); // the other is not counted at all
    QCOMPARE(
        doubtsIn(*run, 1, differs),
        QStringList{QStringLiteral("fusion_result.json counts no effect of ThenThis, but its name stands on nodes of "
                                   "this dump (1, first 'n0')")});
    run = resultsWith(then + R"(, "MadeIt": {"effect_times": "0", "match_times": "3"})"); // matched only
    QCOMPARE(
        doubtsIn(*run, 1, differs),
        QStringList{QStringLiteral("fusion_result.json counts no effect of MadeIt, but its name stands on nodes of "
                                   "this dump (2, first 'n0')")});
    QCOMPARE(run->nameOf(run->step(StepId{1}).messages.back().node), std::string("n0"));

    run = resultsWith(made + "," + then + R"(, "Removed": {"effect_times": "9", "match_times": "9"})");
    QVERIFY(doubtsIn(*run, 1, differs).isEmpty());
    QCOMPARE(doubtsIn(*run, 1, untold),
             QStringList{QStringLiteral(
                 "this dump does not tell whether the counts of Removed hold: no node bears their names")});

    run = resultsWith(made + R"(, "": {"effect_times": "1", "match_times": "1"})"); // may well be the other's
    QVERIFY(doubtsIn(*run, 1, differs).isEmpty());

    // The same graph id in two sessions: which of them was dumped nobody knows.
    writeText(root / "fusion_result.json", "{\"session_and_graph_id_0_5\": {\"graph_fusion\": {" + made +
                                               "}}, \"session_and_graph_id_1_5\": {\"graph_fusion\": {" + made + "}}}");
    run = openScanned(root.string());
    QVERIFY(doubtsIn(*run, 1, differs).isEmpty() && doubtsIn(*run, 1, untold).isEmpty());
    // Nor do counts of another graph speak of this one.
    writeText(root / "fusion_result.json", "{\"session_and_graph_id_0_6\": {\"graph_fusion\": {" + made + "}}}");
    QVERIFY(doubtsIn(*openScanned(root.string()), 1, differs).isEmpty());
}

void TestDumpFusion::bufferFusionCountsAreHeldAgainstScopes()
{
    QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    const auto member = [](int scope, const char* pass, const char* more = "") {
        return markText("fusion_scope", "i: " + std::to_string(scope)) + " " +
               markText("pass_name_ub", std::string("s: \"") + pass + "\"") + more;
    };
    const std::string failed = " " + markText("fusion_failed", "b: true");
    writeText(root / "ge_proto_00000000_graph_5_PreRunBegin.txt", rowText({"", "", ""}));
    writeText(
        root / "ge_proto_00000007_graph_5_afterUBMatch.txt",
        rowText({member(1, "Eltwise"), member(1, "Eltwise"), member(2, "Eltwise"), member(3, "Eltwise", failed.c_str()),
                 member(4, "Conv"), markText("_single_op_ub_pass_name", "s: \"Conv\""), member(-5, "Alone")}));
    const auto resultsWith = [&](int eltwise, int conv) {
        writeText(root / "fusion_result.json",
                  fmt::format(R"({{"session_and_graph_id_0_5": {{"ub_fusion": {{"Eltwise": {{"effect_times": "{}",
                               "match_times": "3"}}, "Conv": {{"effect_times": "{}", "match_times": "2"}}}}}}}})",
                              eltwise, conv));
        return openScanned(root.string());
    };
    const char* const differs = "dump.fusion-result-differs";
    QVERIFY(doubtsIn(*resultsWith(2, 2), 1, differs).isEmpty());
    QVERIFY(doubtsIn(*resultsWith(3, 9), 1, differs).isEmpty()); // others may lie in parts that were not dumped
    QCOMPARE(doubtsIn(*resultsWith(1, 2), 1, differs),
             QStringList{
                 QStringLiteral("fusion_result.json counts effects of Eltwise (1), but more scopes of this dump bear "
                                "its name (2)")});
    QCOMPARE(doubtsIn(*resultsWith(2, 1), 1, differs).size(), qsizetype(1));
}

QTEST_GUILESS_MAIN(TestDumpFusion)
#include "tst_dump_fusion.moc"
