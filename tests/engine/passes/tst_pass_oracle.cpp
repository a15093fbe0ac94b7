// Single passes beside GE's own: each dump is what GE made of the graph with one pass, started from the same graph.
#include "engine/formats/model_file.h"
#include "tests/engine/passes/graph_entries.h"
#include "tests/engine/passes/pass_fixture.h"

#include <QtTest>

using namespace gelens;
using namespace gelens::test;

namespace fs = std::filesystem;

namespace {

const std::vector<KnownDifference>& knownDifferences()
{
    static const std::vector<KnownDifference> list{
    };
    return list;
}

/// The passes of GE's run, in its order; those that we do not have change nothing in these graphs.
std::vector<std::pair<std::string, PassEntry>> geOrder()
{
    return {{"ConstantFuseSamePass", constantFuseSamePass()},
            {"CommonSubexpressionEliminationPass", commonSubexpressionEliminationPass()},
            {"SameTransdataBreadthFusionPass", sameTransdataBreadthFusionPass()},
            {"TransOpWithoutReshapeFusionPass", transOpWithoutReshapeFusionPass()},
            {"TransOpBreadthFusionPass", transOpBreadthFusionPass()},
            {"AddNPass", addNPass()},
            {"CastRemovePass", castRemovePass()},
            {"ReshapeRemovePass", reshapeRemovePass()},
            {"TransOpSymmetryEliminationPass", transOpSymmetryEliminationPass()},
            {"ReplaceWithEmptyConstPass", stageOneReplaceWithEmptyConstPass()},
            {"DimensionComputePass", stageOneDimensionComputePass()},
            {"ConstantFoldingPass", stageOneConstantFoldingPass()},
            {"DimensionAdjustPass", dimensionAdjustPass()},
            {"UselessControlOutRemovePass", uselessControlOutRemovePass()},
            {"Dim1TransposeToSqueezePass", dim1TransposeToSqueezePass()},
            {"PrunePass", stageOnePrunePass()}};
}

} // namespace

class TestPassOracle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!fs::exists(fs::path(GELENS_CORPUS_DIR) / "ge-oracle")) QSKIP("no corpus on this machine");
    }

    void afterEachPass_data()
    {
        QTest::addColumn<QByteArray>("folder");
        QTest::addColumn<bool>("onlyCse");
        QTest::newRow("consts") << QByteArray("pass_consts/level1") << false;
        QTest::newRow("transops") << QByteArray("pass_transops/level1") << false;
        QTest::newRow("cse_bert") << QByteArray("gen/bert_opset11") << true;
        QTest::newRow("cse_llama") << QByteArray("gen/llama_torchscript") << true;
    }

    void afterEachPass()
    {
        QFETCH(const QByteArray, folder);
        QFETCH(const bool, onlyCse);
        const fs::path corpus = GELENS_CORPUS_DIR;
        std::map<std::string, fs::path> dumps; // by what the name says after the graph's number
        fs::path dumpFolder = corpus / "ge-oracle" / folder.toStdString();
        fs::path model;
        if (onlyCse) {
            const std::string name = fs::path(folder.toStdString()).filename().string();
            model = modelPath(corpus / "onnx" / folder.toStdString());
            dumpFolder = corpus / "ge-oracle" / ("pass_cse_" + name) / "level3";
        }
        for (const auto& entry : fs::directory_iterator(dumpFolder)) {
            const std::string base = entry.path().filename().string();
            const std::size_t at = base.find("_graph_0_");
            if (at == std::string::npos || base.starts_with("ge_readable")) continue;
            dumps[base.substr(at + 9, base.rfind('.') - at - 9)] = entry.path();
        }
        if (model.empty()) model = dumps.at("PreRunBegin");
        auto document = openModel(model);
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
        PassRunner runner(document->graph);
        Entries ge;
        std::vector<std::string> unknown;
        int compared = 0;
        for (const auto& [name, entry] : geOrder()) {
            if (onlyCse && name != "CommonSubexpressionEliminationPass" && name != "PrunePass") continue;
            const std::string error = runner.run(entry);
            QVERIFY2(error.empty(), error.c_str());
            const auto dump = dumps.find("After" + name);
            if (dump != dumps.end()) {
                auto after = openModel(dump->second);
                QVERIFY2(after.ok(), after.ok() ? "" : after.error().message().c_str());
                ge = entriesOf(after->graph);
            }
            if (ge.empty()) continue;
            ++compared;
            // Level 3 has no descriptors to speak of, and a parsed model has no dims yet: types only.
            for (const std::string& line : differences(entriesOf(document->graph), ge, onlyCse))
                if (!isKnown(knownDifferences(), QTest::currentDataTag(), name, line)) unknown.push_back(name + ": " + line);
        }
        QVERIFY(compared > 0);
        QVERIFY2(unknown.empty(), fmt::format("{} differences:\n{}", unknown.size(), fmt::join(unknown, "\n")).c_str());
    }
};

QTEST_GUILESS_MAIN(TestPassOracle)
#include "tst_pass_oracle.moc"
