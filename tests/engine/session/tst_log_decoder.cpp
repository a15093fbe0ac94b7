// Logs of ATC and GE taken apart.
#include "engine/session/log_decoder.h"
#include "engine/session/session.h"

#include <QtTest>

using namespace gelens;

class TestLogDecoder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void heads()
    {
        const DecodedLog log = decodeLog(
            "[ERROR] GE(812,atc.bin):2024-05-06-10:11:12.123.456 [graph_manager.cc:3401]812 Build: failed\n"
            "\n[WARNING] FE(1,python):2024-05-06-10:11:13.000.001 [a.cc:1]1 W18888\nATC run failed\nE10016: Opname [x] is not found\n",
            nullptr);
        QCOMPARE(log.lines.size(), std::size_t(4));
        QCOMPARE(log.lines[0].level, LogLineLevel::Error);
        QCOMPARE(log.lines[0].module, std::string("GE"));
        QCOMPARE(log.lines[0].time, std::string("2024-05-06-10:11:12.123.456"));
        QCOMPARE(log.lines[0].place, std::string("graph_manager.cc:3401"));
        QCOMPARE(log.lines[0].text, std::string("812 Build: failed"));
        QCOMPARE(log.lines[1].number, std::size_t(3));
        QCOMPARE(log.lines[2].level, LogLineLevel::Unknown);
        QCOMPARE(log.lines[3].level, LogLineLevel::Error);
        QCOMPARE(log.errors, 2);
        QCOMPARE(log.warnings, 1);
        QCOMPARE(log.codes.size(), std::size_t(2));
    }

    void codes()
    {
        QCOMPARE(errorCodesIn("E19999: x (EZ3003, NF1010) E19999"),
                 (std::vector<std::string>{"E19999", "EZ3003", "NF1010"}));
        QVERIFY(errorCodesIn("HE19999 E1999 E199999 aE19999 E19999_ CE1234 0xE12345").empty());
        QCOMPARE(errorCodesIn("[E10001]错误码"), std::vector<std::string>{"E10001"});
    }

    void namesOfTheModel()
    {
        auto session = Session::open(std::string(GELENS_SAMPLES_DIR) + "/unit-conflict.onnx");
        QVERIFY(session.ok());
        auto run = (*session)->run({});
        QVERIFY(run.ok());
        const Chain& chain = (*run)->chains.front();
        const std::string text = "Op[" + chain.nodeNames[0] + "] is not fused.\n融合失败：" + chain.nodeNames[1] +
                                 "。\nMatmulSwigluFusion fusion failed for " + chain.nodeNames[0] +
                                 ".\nnothing of the model\n";
        const DecodedLog log = decodeLog(text, run->get());
        QCOMPARE(log.lines.size(), std::size_t(4));
        QCOMPARE(log.linked, 3);
        QCOMPARE(log.lines[0].mentions.size(), std::size_t(1));
        QCOMPARE(log.lines[0].mentions[0].name, chain.nodeNames[0]);
        QVERIFY(log.lines[0].mentions[0].node.isValid());
        QVERIFY(log.lines[0].isAboutFusion && !log.lines[0].verdicts.empty());
        QVERIFY(!log.lines[0].verdicts.front()->fused); // refusals first
        QVERIFY(log.lines[3].mentions.empty() && log.lines[3].verdicts.empty());
        // With a rule named, only its verdicts are joined.
        for (const FusionVerdict* verdict : log.lines[2].verdicts)
            QCOMPARE(verdict->gePass, std::string("MatmulSwigluFusion"));
        QVERIFY(!log.lines[2].verdicts.empty());
    }

    void phasesAndTheirDumps()
    {
        auto session = Session::open(std::string(GELENS_SAMPLES_DIR) + "/unit-conflict.onnx");
        QVERIFY(session.ok());
        const auto run = (*session)->run({});
        QVERIFY(run.ok());
        const StepId end = *(*run)->findStep("PreRunAfterOptimizeSubgraph");
        const DecodedLog log = decodeLog(
            "[EVENT] GE(9,atc.bin):2024-05-06-10:11:12.123.456 [graph_manager.cc:7]9 after PreRunAfterOptimizeSubgraph.\n"
            "已写入/tmp/ge_graph/pid_9_deviceid_0/ge_onnx_00000031_graph_0_PreRunAfterOptimizeSubgraph.pbtxt\n"
            "Build and Launch are words; ge_onnx_1_graph_0_NoSuchPhase.pbtxt is no phase of it\n"
            "/tmp/v1.2/ge_dumps lies in a folder with a full stop\n",
            run->get());
        QCOMPARE(log.lines.size(), std::size_t(4));
        for (const std::size_t line : {0, 1}) {
            QCOMPARE(log.lines[line].mentions.size(), std::size_t(1));
            const LogMention& mention = log.lines[line].mentions[0];
            QVERIFY(mention.kind == LogMention::Kind::Phase);
            QCOMPARE(mention.name, std::string("PreRunAfterOptimizeSubgraph"));
            QCOMPARE(mention.step, end);
        }
        QVERIFY(log.lines[2].mentions.empty() && log.lines[3].mentions.empty());
    }

    void anyTextIsSafe()
    {
        std::string text;
        for (int i = 0; i < 256; ++i) text += static_cast<char>(i);
        (void)decodeLog(text, nullptr);
        (void)decodeLog("[", nullptr);
        (void)decodeLog("[ERROR] GE(", nullptr);
        (void)decodeLog("[ERROR] GE(1):", nullptr);
        (void)decodeLog("[ERROR] [a:", nullptr);
        const DecodedLog cut = decodeLog("a\nb\nc\n", nullptr, {}, 2);
        QVERIFY(cut.isCut);
        QCOMPARE(cut.lines.size(), std::size_t(2));
    }
};

QTEST_GUILESS_MAIN(TestLogDecoder)
#include "tst_log_decoder.moc"
