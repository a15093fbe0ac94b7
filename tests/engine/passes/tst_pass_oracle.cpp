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
    static const char* const output =
        "a Reshape whose result the graph gives keeps its place until it is folded: what a graph gives "
        "has its dims at every step";
    static const char* const hostLibrary =
        "GE ran without its host CPU library, which folds these; here their kernels fold them";
    static const std::vector<KnownDifference> list{
        {"folding", "", "=+1 Const", output},         {"folding", "", "=+1 format Const:0 ND", output},
        {"folding", "", "Reshape:", output},          {"folding", "", "=+1 Reshape", output},
        {"folding", "", "NetOutput:24", output},      {"folding", "", "GatherV2", hostLibrary},
        {"folding", "", "NetOutput:19", hostLibrary}, {"folding", "", "Unpack", hostLibrary},
        {"folding", "", "NetOutput:28", hostLibrary}, {"folding", "", "NetOutput:29", hostLibrary},
        {"folding", "", "RealDiv", hostLibrary},      {"folding", "", "NetOutput:30", hostLibrary},
        {"folding", "", "Exp", hostLibrary},          {"folding", "", "NetOutput:31", hostLibrary},
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
        QTest::addColumn<QByteArray>("start"); // where the first dump has no dims: the same graph elsewhere
        const auto add = [](const char* row, const char* folder, const char* start) {
            QTest::newRow(row) << QByteArray(folder) << QByteArray(start);
        };
        add("consts", "pass_consts/level1", "");
        add("transops", "pass_transops/level1", "");
        add("folding", "pass_folding/level1", "");
        add("attention", "pass_attention/level3", "ge-oracle/attention/level1");
        add("cse_bert", "pass_cse_bert_opset11/level3", "onnx/gen/bert_opset11");
        add("cse_llama", "pass_cse_llama_torchscript/level3", "onnx/gen/llama_torchscript");
    }

    void afterEachPass()
    {
        QFETCH(const QByteArray, folder);
        QFETCH(const QByteArray, start);
        const fs::path corpus = GELENS_CORPUS_DIR;
        const bool onlyCse = start.startsWith("onnx/"); // parsed models have no dims, so GE ran nothing else on them
        const auto dumpsOf = [](const fs::path& path) { // by what the name says after the graph's number
            std::map<std::string, fs::path> dumps;
            for (const auto& entry : fs::directory_iterator(path)) {
                const std::string base = entry.path().filename().string();
                const std::size_t at = base.find("_graph_0_");
                if (at != std::string::npos && !base.starts_with("ge_readable"))
                    dumps[base.substr(at + 9, base.rfind('.') - at - 9)] = entry.path();
            }
            return dumps;
        };
        const std::map<std::string, fs::path> dumps = dumpsOf(corpus / "ge-oracle" / folder.toStdString());
        const fs::path model = start.isEmpty() ? dumps.at("PreRunBegin")
                               : onlyCse       ? modelPath(corpus / start.toStdString())
                                               : dumpsOf(corpus / start.toStdString()).at("PreRunBegin");
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
            // Level 3 has no descriptors to speak of: types only.
            for (const std::string& line : differences(entriesOf(document->graph), ge, !start.isEmpty()))
                if (!isKnown(knownDifferences(), QTest::currentDataTag(), name, line))
                    unknown.push_back(name + ": " + line);
        }
        for (const std::string& line : unknown) qWarning("%s", line.c_str());
        QVERIFY(compared > 0);
        QVERIFY2(unknown.empty(), fmt::format("{} differences:\n{}", unknown.size(), fmt::join(unknown, "\n")).c_str());
    }
};

QTEST_GUILESS_MAIN(TestPassOracle)
#include "tst_pass_oracle.moc"
