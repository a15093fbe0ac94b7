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
            ++entries[fmt::format("{}:{} {}{} -> {}:{}", source->type, output, desc.dtype, dimsText(desc.dims), node.type, index++)];
        }
    }
    return entries;
}

const std::vector<KnownDifference>& knownDifferences();

class Recorder final : public PipelineObserver {
public:
    bool beforePass(const PassInfo& pass, const Graph&, int, int) override
    {
        return !pass.isOurs && pass.phase != "PreRunAfterRefineRunningFormat" && pass.phase != "PreRunAfterRefineRunningPrecision";
    }
    void afterStep(const Step& step, const Graph& graph) override
    {
        if (step.isPhaseEnd) phases[step.phase] = entriesOf(graph);
        const std::string group = step.phase == "AfterInfershape"       ? "InferShape"
                                  : step.phase == "PreRunAfterPrepare"   ? "PrepareOptimize"
                                  : step.phase == "OptimizeStage1_1"     ? "Stage1_1"
                                  : step.phase == "OptimizeStage1_2"     ? "Stage1_2"
                                  : step.phase == "PreRunAfterOptimize1" ? "Stage1_3"
                                                                         : "other";
        if (const int net = step.after.graphNodes - step.before.graphNodes; net != 0) passes[group + " " + step.pass] += net;
    }
    std::map<std::string, Entries> phases;
    std::map<std::string, int> passes; ///< group and pass → net change of the number of nodes
};

/// The same from GE's list of structural changes.
std::map<std::string, int> passesOf(const fs::path& file)
{
    std::map<std::string, int> passes;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, '\t');) cells.push_back(cell);
        if (cells.size() < 7 || cells[0].empty() || !std::isdigit(static_cast<unsigned char>(cells[0][0]))) continue;
        passes[cells[1] + " " + cells[2]] += std::stoi(cells[5]) + std::stoi(cells[6]);
    }
    return passes;
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
        ReadOptions options;
        for (const QByteArray& part : inputs.split(';')) {
            if (part.isEmpty()) continue;
            const qsizetype equals = part.indexOf('=');
            for (const QByteArray& dim : part.mid(equals + 1).split(','))
                options.inputShapes[part.left(equals).toStdString()].push_back(dim.toLongLong());
        }
        const fs::path path = modelPath(m_corpus / file.toStdString());
        auto document = openModel(path, options);
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
        const std::vector<std::string> order{"PreRunBegin",        "AfterInfershape",  "AfterSecondInferformat",
                                             "PreRunAfterPrepare", "OptimizeStage1_1",
                                             "OptimizeStage1_2", "PreRunAfterOptimize1"};
        fs::path dump;
        auto next = dumps.begin();
        for (const std::string& phase : order) {
            // The dump of a phase is the last one up to it.
            const auto isLater = [&](const std::string& base) {
                const auto position = [&](const std::string& text) {
                    if (text.find("Stage1_1") != std::string::npos) return 4;
                    if (text.find("Stage1_3") != std::string::npos) return 6;
                    if (text.find("Stage1_2") != std::string::npos) return 5;
                    if (text.find("AfterOptimize1") != std::string::npos) return 6;
                    if (text.find("PreRunAfterPrepare") != std::string::npos) return 3;
                    if (text.find("SecondInferformat") != std::string::npos) return 2;
                    if (text.find("PreRunBegin") != std::string::npos) return 0;
                    return 1;
                };
                return position(base) > static_cast<int>(std::find(order.begin(), order.end(), phase) - order.begin());
            };
            while (next != dumps.end() && !isLater(next->second.filename().string())) dump = (next++)->second;
            const Entries ge = entriesOfDump(readGeTextDump(dump));
            QVERIFY2(!ge.empty(), dump.c_str());
            const auto found = ours.phases.find(phase);
            QVERIFY2(found != ours.phases.end(), phase.c_str());
            // Before inference nothing has dims, and formats are those of the two readers; inference functions of the
            // oracle copy formats along. From InferFormat on they are compared.
            std::vector<std::string> lines = differences(found->second, ge, phase == "PreRunBegin");
            if (phase == "AfterInfershape") std::erase_if(lines, [](const std::string& line) { return line.find(" format ") < 8; });
            ++total;
            agreeing += lines.empty();
            for (const std::string& line : lines)
                if (!isKnown(knownDifferences(), name, phase, line)) unknown.push_back(phase + ": " + line);
        }
        const std::map<std::string, int> gePasses = passesOf(folder / "changes.tsv");
        for (const auto& [pass, net] : gePasses) {
            const auto found = ours.passes.find(pass);
            const int own = found == ours.passes.end() ? 0 : found->second;
            if (own != net && !isKnown(knownDifferences(), name, pass, fmt::format("{} nodes, GE {}", own, net)))
                unknown.push_back(fmt::format("{}: {} nodes, GE {}", pass, own, net));
        }
        for (const auto& [pass, net] : ours.passes)
            if (!gePasses.contains(pass) && !isKnown(knownDifferences(), name, pass, fmt::format("{} nodes, GE none", net)))
                unknown.push_back(fmt::format("{}: {} nodes, GE none", pass, net));
        qInfo("%s: %d of %d phases agree fully, %zu passes compared", name.c_str(), agreeing, total, gePasses.size());
        QEXPECT_FAIL("unet_deconv", "differs from GE in ways not yet explained", Continue);
        QEXPECT_FAIL("crnn_gru", "differs from GE in ways not yet explained", Continue);
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
    static const char* const size =
        "GE's plugin writes the size operand of a transposed convolution as int64, our reader as int32";
    static const std::vector<KnownDifference> list{
        {"unet", "", "2 Const:0 DT_INT32[4] -> Conv2DTranspose:0", size},
        {"unet", "", "2 Const:0 DT_INT64[4] -> Conv2DTranspose:0", size},
        {"bert", "OptimizeStage1_2", "-8 Const", control},
        {"bert", "OptimizeStage1_2", "-8 format Const:0 NCHW", control},
        {"bert", "PreRunAfterOptimize1", "-4 Const", control},
        {"bert", "PreRunAfterOptimize1", "-4 format Const:0 NCHW", control},
        {"bert", "Stage1_2 ReshapeRemovePass", "-16 nodes, GE -8", control},
        {"bert", "Stage1_3 RemoveSameConstPass", "-13 nodes, GE -17", control},
        {"llama", "OptimizeStage1_2", "-8 Const", control},
        {"llama", "OptimizeStage1_2", "-8 format Const:0 NCHW", control},
        {"llama", "OptimizeStage1_2", "-6 NoOp", noOps},
        {"llama", "PreRunAfterOptimize1", "-4 Const", control},
        {"llama", "PreRunAfterOptimize1", "-4 format Const:0 NCHW", control},
        {"llama", "PreRunAfterOptimize1", "-6 NoOp", noOps},
        {"llama", "Stage1_2 Dim1TransposeToSqueezePass", "0 nodes, GE 6", noOps},
        {"llama", "Stage1_2 ReshapeRemovePass", "-16 nodes, GE -8", control},
        {"llama", "Stage1_3 RemoveSameConstPass", "-37 nodes, GE -41", control},
    };
    return list;
}

} // namespace

QTEST_GUILESS_MAIN(TestStage1Oracle)
#include "tst_stage1_oracle.moc"
