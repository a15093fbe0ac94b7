// Clean-up, fusion and layout run again on their own result give the same graph.
#include "engine/formats/model_file.h"
#include "tests/engine/passes/graph_entries.h"

#include <QtTest>

using namespace gelens;
using namespace gelens::test;

namespace fs = std::filesystem;

class TestIdempotence : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSecondRunChangesNothing_data()
    {
        QTest::addColumn<QByteArray>("file");
        for (const char* name : {"tiny-llama", "small-resnet", "attention-fits", "attention-too-long", "unit-conflict"})
            QTest::newRow(name) << QByteArray(GELENS_SAMPLES_DIR) + "/" + name + ".onnx";
        for (const char* name : {"gen/swin_shift", "gen/crnn_gru", "gen/bert_opset11", "gen/resnet_fp16", "gen/llama_fp16",
                                 "gen/unet_deconv", "gen/odd_graph"})
            QTest::newRow(name) << QByteArray(GELENS_CORPUS_DIR) + "/onnx/" + name;
    }

    void aSecondRunChangesNothing()
    {
        QFETCH(const QByteArray, file);
        const bool isSample = file.endsWith(".onnx");
        if (!isSample && !fs::exists(fs::path(GELENS_CORPUS_DIR) / "onnx")) QSKIP("the corpus is absent");
        auto document = openModel(isSample ? fs::path(file.toStdString()) : modelPath(file.toStdString()));
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
        std::vector<Message> messages;
        PassRunner runner(document->graph, RuleSet::load({fs::path(GELENS_SOURCE_DIR) / "resources/rules"}, messages));
        std::vector<PassEntry> entries = runner.pipeline();
        std::size_t end = 0;
        for (std::size_t i = 0; i < entries.size(); ++i)
            if (entries[i].info.phase == "PreRunAfterOptimize1") end = i + 1;
        entries.resize(end);
        QVERIFY(end > 0);
        std::string error = runner.run(entries);
        QVERIFY2(error.empty(), error.c_str());
        const Entries once = entriesOf(document->graph);
        // Clean-up and fusion again; axis orders are inferred once, before there are nodes that fusion made.
        std::erase_if(entries, [](const PassEntry& entry) { return entry.info.id == "InferFormatPass"; });
        error = runner.run(entries);
        QVERIFY2(error.empty(), error.c_str());
        const std::vector<std::string> lines = differences(entriesOf(document->graph), once, false);
        QVERIFY2(lines.empty(), fmt::format("{}", fmt::join(lines, "\n")).c_str());
    }
};

QTEST_GUILESS_MAIN(TestIdempotence)
#include "tst_idempotence.moc"
