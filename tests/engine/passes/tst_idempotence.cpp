// Clean-up, fusion and layout run again on their own result give the same graph.
#include "engine/formats/model_file.h"
#include "tests/engine/passes/graph_entries.h"

#include <QtTest>

using namespace gelens;
using namespace gelens::test;

namespace fs = std::filesystem;

namespace {

/// Where the order of the passes is GE's own and leaves something that only a second round can see. The third changes nothing.
struct SecondRound {
    const char* model;
    const char* reason;
};
constexpr SecondRound secondRounds[] = {
    {"fusion/cse_merge_constants", "equal constants are merged after common subexpressions were looked for"},
    {"fusion/matmul_integer_to_float", "equal constants are merged after common subexpressions were looked for"},
};

bool needsSecondRound(const QByteArray& file)
{
    return std::any_of(std::begin(secondRounds), std::end(secondRounds),
                       [&](const SecondRound& one) { return file.endsWith(one.model); });
}

} // namespace

class TestIdempotence : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSecondRunChangesNothing_data()
    {
        QTest::addColumn<QByteArray>("file");
        for (const char* name : {"tiny-llama", "small-resnet", "attention-fits", "attention-too-long", "unit-conflict"})
            QTest::newRow(name) << QByteArray(GELENS_SAMPLES_DIR) + "/" + name + ".onnx";
        // The whole of these folders; the two graphs of thousands of equal nodes have nothing that the others have not.
        for (const char* folder : {"gen", "real", "fusion"}) {
            const fs::path root = fs::path(GELENS_CORPUS_DIR) / "onnx" / folder;
            std::set<std::string> names;
            if (fs::exists(root))
                for (const auto& entry : fs::directory_iterator(root))
                    if (entry.is_directory()) names.insert(entry.path().filename().string());
            for (const std::string& name : names)
                if (name != "chain_4000" && name != "fan_3000")
                    QTest::addRow("%s/%s", folder, name.c_str()) << QByteArray::fromStdString((root / name).string());
        }
    }

    void aSecondRunChangesNothing()
    {
        QFETCH(const QByteArray, file);
        const bool isSample = file.endsWith(".onnx");
        auto document = openModel(isSample ? fs::path(file.toStdString()) : modelPath(file.toStdString()));
        if (!isSample && !document.ok()) QSKIP(("the model is refused: " + document.error().message()).c_str());
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
        if (!isSample && !error.empty()) QSKIP(("the model does not compile: " + error).c_str());
        QVERIFY2(error.empty(), error.c_str());
        // Clean-up and fusion again; axis orders are inferred once, before there are nodes that fusion made.
        std::erase_if(entries, [](const PassEntry& entry) { return entry.info.id == "InferFormatPass"; });
        Entries before = entriesOf(document->graph);
        const auto again = [&]() -> std::vector<std::string> {
            if (const std::string fault = runner.run(entries); !fault.empty()) return {fault};
            Entries after = entriesOf(document->graph);
            std::vector<std::string> lines = differences(after, before, false);
            before = std::move(after);
            if (!lines.empty())
                for (const Step& step : runner.steps)
                    if (step.hasChanged()) lines.push_back(fmt::format("{}: {} edits", step.pass, step.editCount()));
            return lines;
        };
        if (needsSecondRound(file))
            QVERIFY2(!again().empty(), "the model needs no second round any more: take it off the list");
        const std::vector<std::string> lines = again();
        QVERIFY2(lines.empty(), fmt::format("{}", fmt::join(lines, "\n")).c_str());
    }
};

QTEST_GUILESS_MAIN(TestIdempotence)
#include "tst_idempotence.moc"
