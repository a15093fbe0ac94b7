// fusion_result.json in CANN's exact form, and the gate on expected fusions.
#include "engine/report/fusion_gate.h"
#include "engine/report/fusion_result.h"

#include <QtTest>

using namespace gelens;

namespace {

Step fusionStep(const char* pass, const char* rule, const char* phase, int matched, int effective)
{
    Step step;
    step.pass = pass;
    step.rule = rule;
    step.phase = phase;
    step.counters = {{"matched", matched}, {"effective", effective}};
    return step;
}

} // namespace

class TestFusionResult : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFileIsWrittenAsCannDoes()
    {
        Run run;
        run.steps.push_back(
            fusionStep("MatMulBiasAddFusionPass", "matmul-bias", "PreRunAfterOptimizeOriginalGraph", 60, 60));
        run.steps.push_back(fusionStep("ConvBatchnormFusionPass", "conv-bn", "PreRunAfterOptimizeOriginalGraph", 0, 0));
        run.steps.push_back(fusionStep("TbeEltwiseFusionPass", "eltwise", "PreRunAfterOptimizeSubgraph", 4, 3));
        run.steps.push_back(
            fusionStep("MatMulBiasAddFusionPass", "matmul-bias-3d", "PreRunAfterRefineRunningFormat", 4, 4));
        Step other = fusionStep("PrunePass", "", "PreRunAfterPrepare", 9, 9);
        run.steps.push_back(other);
        QCOMPARE(QString::fromStdString(fusionResultJson(run)), QStringLiteral(R"({
    "session_and_graph_id_0_0": {
        "graph_fusion": {
            "MatMulBiasAddFusionPass": {
                "effect_times": "64",
                "match_times": "64"
            }
        },
        "ub_fusion": {
            "TbeEltwiseFusionPass": {
                "effect_times": "3",
                "match_times": "4",
                "repository_hit_times": "0"
            }
        }
    }
})"));
    }

    void aRunWithoutFusionsHasTwoEmptyObjects()
    {
        QCOMPARE(QString::fromStdString(fusionResultJson(Run(), 2, 7)), QStringLiteral(R"({
    "session_and_graph_id_2_7": {
        "graph_fusion": {},
        "ub_fusion": {}
    }
})"));
    }

    void expectedFusionsAreMeasured()
    {
        Run run;
        run.fusions.push_back({.rule = "flash",
                               .gePass = "FlashAttentionFusionPass",
                               .summary = {},
                               .matched = 3,
                               .effective = 2,
                               .places = {}});
        run.fusions.push_back({.rule = "flash-gqa",
                               .gePass = "FlashAttentionFusionPass",
                               .summary = {},
                               .matched = 1,
                               .effective = 1,
                               .places = {}});
        auto wanted =
            readFusionExpectations(R"({"flash": 3, "FlashAttentionFusionPass": 3, "absent": 0})", "gate.json");
        QVERIFY(wanted.ok());
        measureFusions(run, *wanted);
        std::map<std::string, bool> holds;
        for (const FusionExpectation& one : *wanted) holds[one.name] = one.holds();
        QVERIFY(!holds.at("flash"));                   // 2 of 3
        QVERIFY(holds.at("FlashAttentionFusionPass")); // 2 + 1
        QVERIFY(holds.at("absent"));
    }

    void wrongExpectationsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("{");
        QTest::newRow("a list") << QByteArray("[1]");
        QTest::newRow("negative") << QByteArray(R"({"a": -1})");
        QTest::newRow("no number") << QByteArray(R"({"a": "1"})");
        QTest::newRow("half") << QByteArray(R"({"a": 0.5})");
    }
    void wrongExpectationsAreRefused()
    {
        QFETCH(const QByteArray, text);
        const auto wanted = readFusionExpectations(text.toStdString(), "gate.json");
        QVERIFY(!wanted.ok());
        QVERIFY(QByteArray(wanted.error().message().c_str()).contains("gate.json"));
    }
};

QTEST_GUILESS_MAIN(TestFusionResult)
#include "tst_fusion_result.moc"
