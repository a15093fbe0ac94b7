// Our pipeline beside GE's own, phase by phase, on models for which GE's dumps exist: types, edges, dims, element types.
// The dumps come from GE without engines, so fusion rules and layout are left out here too.
#include "engine/formats/model_file.h"
#include "tests/engine/passes/ge_text_dump.h"
#include "tests/engine/passes/graph_entries.h"
#include "tests/engine/passes/pass_fixture.h"

#include <QtTest>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace gelens;
using namespace gelens::test;

namespace fs = std::filesystem;

namespace {

Entries entriesOfDump(const std::vector<DumpNode>& nodes)
{
    Entries entries;
    std::map<std::string, const DumpNode*> byName;
    for (const DumpNode& node : nodes) byName[node.name] = &node;
    for (const DumpNode& node : nodes) {
        ++entries[node.type];
        if (!node.outputDescs.empty()) ++entries[fmt::format("format {}:0 {}", node.type, node.outputDescs[0].format)];
        int index = 0;
        for (const std::string& input : node.inputs) {
            const std::size_t colon = input.rfind(':');
            if (colon == std::string::npos || input.substr(colon) == ":-1") continue;
            const DumpNode* source = byName.at(input.substr(0, colon));
            const auto output = static_cast<std::size_t>(std::stoi(input.substr(colon + 1)));
            const DumpDesc& desc = source->outputDescs.at(output);
            ++entries[fmt::format("{}:{} {}{} -> {}:{}", source->type, output, desc.dtype, dimsText(desc.dims),
                                  node.type, index++)];
        }
    }
    return entries;
}

const std::vector<KnownDifference>& knownDifferences();

/// What the passes did to the structure: "<group> <pass> -<type>" and "… +<type>" → how many nodes.
using Changes = std::map<std::string, int>;

class Recorder final : public PipelineObserver {
public:
    bool beforePass(const PassInfo& pass, const Graph& graph, int, int) override
    {
        m_before.clear();
        graph.forEachNode(rootGraph, [&](const Node& node) { m_before[node.id.value] = node.type; });
        return !pass.isOurs && pass.phase != "PreRunAfterRefineRunningFormat" &&
               pass.phase != "PreRunAfterRefineRunningPrecision";
    }
    void afterStep(const Step& step, const Graph& graph) override
    {
        if (step.isPhaseEnd) phases[step.phase] = entriesOf(graph);
        const std::string group = step.phase == "AfterInfershape"        ? "InferShape"
                                  : step.phase == "PreRunAfterPrepare"   ? "PrepareOptimize"
                                  : step.phase == "OptimizeStage1_1"     ? "Stage1_1"
                                  : step.phase == "OptimizeStage1_2"     ? "Stage1_2"
                                  : step.phase == "PreRunAfterOptimize1" ? "Stage1_3"
                                                                         : "other";
        const std::string key = group + " " + step.pass + " ";
        graph.forEachNode(rootGraph, [&](const Node& node) {
            if (m_before.erase(node.id.value) == 0) ++changes[key + "+" + node.type];
        });
        for (const auto& [id, type] : m_before) ++changes[key + "-" + type];
    }
    std::map<std::string, Entries> phases;
    Changes changes;

private:
    std::map<std::int32_t, std::string> m_before; ///< nodes before the pass and their types
};

std::vector<std::string> split(const std::string& text, char by)
{
    std::vector<std::string> cells;
    std::istringstream row(text);
    for (std::string cell; std::getline(row, cell, by);) cells.push_back(cell);
    return cells;
}

/// The same from GE's list of structural changes. Types of the nodes at the start come from the first dump.
Changes changesOf(const fs::path& file, const std::vector<DumpNode>& start)
{
    std::map<std::string, std::string> types;
    for (const DumpNode& node : start) types[node.name] = node.type;
    Changes changes;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const std::vector<std::string> cells = split(line, '\t');
        if (cells.size() < 10) continue;
        std::string what;
        for (const std::string& word : split(cells[9], ' ')) {
            if (word == "removed:" || word == "added:" || word == "rewired:") {
                what = word;
                continue;
            }
            if (word.empty()) continue;
            const std::string key = cells[1] + " " + cells[2] + " ";
            if (what == "added:") {
                const std::size_t open = word.rfind('(');
                types[word.substr(0, open)] = word.substr(open + 1, word.size() - open - 2);
                ++changes[key + "+" + types[word.substr(0, open)]];
            }
            if (what == "removed:") ++changes[key + "-" + types[word]];
        }
    }
    return changes;
}

} // namespace

class TestStage1Oracle : public QObject {
    Q_OBJECT

private:
    const fs::path m_corpus = GELENS_CORPUS_DIR;

private Q_SLOTS:
    void initTestCase()
    {
        if (!fs::exists(m_corpus / "ge-oracle")) QSKIP("no corpus on this machine");
    }

    void phases_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("inputs");
        const auto add = [](const char* model, const char* file, const char* inputs = "") {
            QTest::newRow(model) << QByteArray(file) << QByteArray(inputs);
        };
        add("unet_deconv", "onnx/gen/unet_deconv");
        add("crnn_gru", "onnx/gen/crnn_gru", "x=1,1,16,32");
        add("mnist8_cntk", "onnx/real/mnist8_cntk");
        add("mnist_pytorch", "onnx/real/mnist_pytorch");
        add("mobilenetv2_relu6", "onnx/gen/mobilenetv2_relu6");
        add("resnet_opset9", "onnx/gen/resnet_opset9");
        add("swin_shift", "onnx/gen/swin_shift");
        add("bert_opset11", "onnx/gen/bert_opset11", "input_ids=1,8;attention_mask=1,8;token_type_ids=1,8");
        add("llama_torchscript", "onnx/gen/llama_torchscript",
            "input_ids=1,1;attention_mask=1,8;position_ids=1,1;past_key_values.0.key=1,4,7,16;past_key_values.0.value=1,4,7,16;"
            "past_key_values.1.key=1,4,7,16;past_key_values.1.value=1,4,7,16");
    }

    void phases()
    {
        QFETCH(const QByteArray, file);
        QFETCH(const QByteArray, inputs);
        const std::string name = QTest::currentDataTag();
        const fs::path path = modelPath(m_corpus / file.toStdString());
        auto document = openModel(path, withShapes(inputs));
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());

        PassRunner runner(document->graph);
        std::vector<PassEntry> entries = runner.pipeline();
        std::size_t end = 0;
        for (std::size_t i = 0; i < entries.size(); ++i)
            if (entries[i].info.phase == "PreRunAfterOptimize1") end = i + 1;
        entries.resize(end);
        Recorder ours;
        ours.phases["PreRunBegin"] = entriesOf(document->graph);
        const std::string error = runner.run(entries, {&ours});
        QVERIFY2(error.empty(), error.c_str());

        const fs::path folder = m_corpus / "ge-oracle" / ("stage1_" + name);
        std::map<int, fs::path> dumps; // a dump equal to the one before was left out
        for (const auto& entry : fs::directory_iterator(folder)) {
            const std::string base = entry.path().filename().string();
            if (base.starts_with("ge_proto_")) dumps[std::stoi(base.substr(9, 8))] = entry.path();
        }
        int agreeing = 0, total = 0;
        std::vector<std::string> unknown;
        const std::vector<std::string> order{
            "PreRunBegin",        "AfterFirstInferformat", "AfterInfershape",  "AfterSecondInferformat",
            "PreRunAfterPrepare", "OptimizeStage1_1",      "OptimizeStage1_2", "PreRunAfterOptimize1"};
        fs::path dump;
        auto next = dumps.begin();
        for (const std::string& phase : order) {
            // The dump of a phase is the last one up to it.
            const auto isLater = [&](const std::string& base) {
                const auto position = [&](const std::string& text) {
                    if (text.find("Stage1_1") != std::string::npos) return 5;
                    if (text.find("Stage1_3") != std::string::npos) return 7;
                    if (text.find("Stage1_2") != std::string::npos) return 6;
                    if (text.find("AfterOptimize1") != std::string::npos) return 7;
                    if (text.find("PreRunAfterPrepare") != std::string::npos ||
                        text.find("PrepareOptimize") != std::string::npos)
                        return 4;
                    if (text.find("SecondInferformat") != std::string::npos) return 3;
                    if (text.find("FirstInferformat") != std::string::npos) return 1;
                    if (text.find("PreRunBegin") != std::string::npos) return 0;
                    return 2;
                };
                return position(base) > static_cast<int>(std::find(order.begin(), order.end(), phase) - order.begin());
            };
            while (next != dumps.end() && !isLater(next->second.filename().string())) dump = (next++)->second;
            const Entries ge = entriesOfDump(readGeTextDump(dump));
            QVERIFY2(!ge.empty(), dump.c_str());
            const auto found = ours.phases.find(phase);
            QVERIFY2(found != ours.phases.end(), phase.c_str());
            // Before inference nothing has dims, and constants have neither dims nor types: node types and formats are there.
            std::vector<std::string> lines = differences(found->second, ge, false);
            if (phase == "PreRunBegin" || phase == "AfterFirstInferformat")
                std::erase_if(lines, [](const std::string& line) { return line.find(" -> ") != std::string::npos; });
            ++total;
            agreeing += lines.empty();
            for (const std::string& line : lines)
                if (!isKnown(knownDifferences(), name, phase, line)) unknown.push_back(phase + ": " + line);
        }
        const Changes geChanges = changesOf(folder / "changes.tsv", readGeTextDump(dumps.begin()->second));
        for (const std::string& line : differences(ours.changes, geChanges, false))
            if (!isKnown(knownDifferences(), name, "changes", line)) unknown.push_back(line);
        qInfo("%s: %d of %d phases agree fully, %zu kinds of changes compared", name.c_str(), agreeing, total,
              geChanges.size());
        QVERIFY2(unknown.empty(), fmt::format("{} differences:\n{}", unknown.size(), fmt::join(unknown, "\n")).c_str());
    }
};

namespace {

const std::vector<KnownDifference>& knownDifferences()
{
    static const char* const control =
        "GE keeps the shape constant of a Reshape that shape arithmetic made, because control edges from the folded nodes'"
        " inputs hold it; here a constant waits for nothing and goes with its Reshape";
    static const char* const noOps =
        "GE carries the control edges around such a Transpose by NoOp nodes; here Squeeze and Unsqueeze take them";
    static const std::vector<KnownDifference> list{
        {"bert", "OptimizeStage1_2", "-8 Const", control},
        {"bert", "OptimizeStage1_2", "-8 format Const:0 NCHW", control},
        {"bert", "PreRunAfterOptimize1", "-4 Const", control},
        {"bert", "PreRunAfterOptimize1", "-4 format Const:0 NCHW", control},
        {"bert", "changes", "+8 Stage1_2 ReshapeRemovePass -Const", control},
        {"bert", "changes", "-4 Stage1_3 RemoveSameConstPass -Const", control},
        {"llama", "OptimizeStage1_2", "-8 Const", control},
        {"llama", "OptimizeStage1_2", "-8 format Const:0 NCHW", control},
        {"llama", "OptimizeStage1_2", "-6 NoOp", noOps},
        {"llama", "PreRunAfterOptimize1", "-4 Const", control},
        {"llama", "PreRunAfterOptimize1", "-4 format Const:0 NCHW", control},
        {"llama", "PreRunAfterOptimize1", "-6 NoOp", noOps},
        {"llama", "changes", "-6 Stage1_2 Dim1TransposeToSqueezePass +NoOp", noOps},
        {"llama", "changes", "+8 Stage1_2 ReshapeRemovePass -Const", control},
        {"llama", "changes", "-4 Stage1_3 RemoveSameConstPass -Const", control},
    };
    return list;
}

} // namespace

QTEST_GUILESS_MAIN(TestStage1Oracle)
#include "tst_stage1_oracle.moc"
