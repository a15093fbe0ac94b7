// One decoder, one encoder, written down by several exporters: each layer ends in the same kinds of fused operators.
#include "engine/formats/model_file.h"
#include "engine/formats/soc_ini.h"
#include "tests/engine/passes/graph_entries.h"
#include "tests/engine/passes/pass_fixture.h"

#include <QtTest>

using namespace gelens;
using namespace gelens::test;

namespace fs = std::filesystem;

namespace {

/// How often each kind of fused operator is there. A model that comes with the operator already in one piece (ONNX's own
/// Attention, ONNX Runtime's GroupQueryAttention) has it under another name.
struct Kinds {
    int attention = 0, rotary = 0, norm = 0, addNorm = 0, gated = 0, gelu = 0;
    int loose = 0; ///< softmax, square root, error function, sigmoid: pieces of what should be one
    bool operator==(const Kinds&) const = default;
    QString text() const
    {
        return QStringLiteral("attention %1 rotary %2 norm %3 add+norm %4 gated %5 gelu %6 loose %7")
            .arg(attention)
            .arg(rotary)
            .arg(norm)
            .arg(addNorm)
            .arg(gated)
            .arg(gelu)
            .arg(loose);
    }
};

Kinds kindsOf(const Graph& graph)
{
    static const std::map<std::string, int Kinds::*> kinds{{"FlashAttentionScore", &Kinds::attention},
                                                           {"Attention", &Kinds::attention},
                                                           {"MsAttention", &Kinds::attention},
                                                           {"PromptFlashAttention", &Kinds::attention},
                                                           {"IncreFlashAttention", &Kinds::attention},
                                                           {"FusedInferAttentionScore", &Kinds::attention},
                                                           {"RotaryPositionEmbedding", &Kinds::rotary},
                                                           {"RotaryEmbedding", &Kinds::rotary},
                                                           {"ApplyRotaryPosEmb", &Kinds::rotary},
                                                           {"RmsNorm", &Kinds::norm},
                                                           {"LayerNorm", &Kinds::norm},
                                                           {"LayerNormV3", &Kinds::norm},
                                                           {"AddRmsNorm", &Kinds::addNorm},
                                                           {"InplaceAddRmsNorm", &Kinds::addNorm},
                                                           {"AddLayerNorm", &Kinds::addNorm},
                                                           {"SwiGlu", &Kinds::gated},
                                                           {"SwiGluMul", &Kinds::gated},
                                                           {"Gelu", &Kinds::gelu},
                                                           {"GeluV2", &Kinds::gelu},
                                                           {"FastGelu", &Kinds::gelu},
                                                           {"SoftmaxV2", &Kinds::loose},
                                                           {"Sqrt", &Kinds::loose},
                                                           {"Erf", &Kinds::loose},
                                                           {"Sigmoid", &Kinds::loose}};
    Kinds found;
    graph.forEachNode(rootGraph, [&](const Node& node) {
        if (const auto kind = kinds.find(node.type); kind != kinds.end()) ++(found.*kind->second);
        // Rotates inside.
        if (node.type == "MsGroupQueryAttention") {
            ++found.attention;
            found.rotary += 2;
        }
    });
    return found;
}

} // namespace

class TestDecoderDialects : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!fs::exists(fs::path(GELENS_CORPUS_DIR) / "onnx/gen")) QSKIP("no corpus on this machine");
    }

    void layers_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("inputs");
        QTest::addColumn<int>("layers");
        QTest::addColumn<bool>("isEncoder");
        const auto decoder = [](const char* file, int layers, const char* inputs) {
            QByteArray all = inputs;
            // The cache of each layer, by the names that the exporters agree on.
            if (all.contains("CACHE")) {
                const QByteArray dims = all.mid(all.indexOf("CACHE=") + 6);
                all = all.left(all.indexOf("CACHE="));
                for (int i = 0; i < layers; ++i)
                    for (const char* part : {"key", "value"})
                        all += ";past_key_values." + QByteArray::number(i) + '.' + part + '=' + dims;
            }
            QTest::newRow(file) << QByteArray(file) << all << layers << false;
        };
        const auto encoder = [](const char* file, int layers, const char* inputs) {
            QTest::newRow(file) << QByteArray(file) << QByteArray(inputs) << layers << true;
        };
        // As they come, with batch and lengths open: the head's dims are known from the shape arithmetic, and that is enough.
        const auto open = [](const char* file, int layers, bool isEncoder) {
            QTest::addRow("%s, open dims", file) << QByteArray(file) << QByteArray() << layers << isEncoder;
        };
        open("gen/llama_torchscript", 2, false);
        open("gen/llama_fp16", 2, false);
        open("gen/llama_gqa_torchscript", 3, false);
        open("gen/llama7b_structure", 32, false);
        open("gen/bert_opset11", 2, true);
        open("gen/bert_opset17_ln_op", 2, true);
        open("gen/bert_fp16", 2, true);
        open("gen/gpt2_nopast_opset11", 2, true);
        open("gen/gpt2_past_opset13", 2, true);
        const char* const two = "input_ids=2,5;attention_mask=2,8;position_ids=2,5CACHE=2,4,3,16";
        decoder("gen/llama_torchscript", 2, two);
        decoder("gen/llama_fp16", 2, two);
        decoder("gen/llama_onnx23", 2, "input_ids=2,5;attention_mask=2,8;position_ids=2,5CACHE=2,2,3,16");
        decoder("gen/llama_dynamo_static", 2, "");
        decoder("gen/llama_gqa_torchscript", 3, "input_ids=2,5;attention_mask=2,8;position_ids=2,5CACHE=2,2,3,16");
        decoder("gen/llama_contrib_gqa", 2, "input_ids=1,4;attention_mask=1,7;position_ids=1,4CACHE=1,2,3,16");
        decoder("gen/llama7b_structure", 32, "input_ids=1,1;attention_mask=1,32;position_ids=1,1CACHE=1,32,31,128");
        encoder("gen/bert_opset11", 2, "input_ids=2,5;attention_mask=2,5;token_type_ids=2,5");
        encoder("gen/bert_opset17_ln_op", 2, "input_ids=2,5;attention_mask=2,5;token_type_ids=2,5");
        encoder("gen/bert_fp16", 2, "input_ids=2,5;attention_mask=2,5;token_type_ids=2,5");
        encoder("gen/gpt2_nopast_opset11", 2, "input_ids=2,5");
        encoder("gen/gpt2_past_opset13", 2, "input_ids=2,5;past_0=2,2,4,3,8;past_1=2,2,4,3,8");
        encoder("real/tf_bert_qa_structure", 24, "attention_mask=2,7;input_ids=2,7;token_type_ids=2,7");
        QByteArray past = "input_ids=2,1";
        for (int i = 0; i < 12; ++i) past += ";past_" + QByteArray::number(i) + "=2,2,2,5,2";
        encoder("real/gpt2_12layer_past_structure", 12, past.constData());
    }

    void layers()
    {
        QFETCH(const QByteArray, file);
        QFETCH(const QByteArray, inputs);
        QFETCH(const int, layers);
        QFETCH(const bool, isEncoder);
        auto document =
            openModel(modelPath(fs::path(GELENS_CORPUS_DIR) / "onnx" / file.toStdString()), withShapes(inputs));
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
        auto soc = readSocIni(std::string(GELENS_SOURCE_DIR) + "/resources/soc/Ascend910B1.ini");
        QVERIFY2(soc.ok(), soc.ok() ? "" : soc.error().message().c_str());
        std::vector<Message> messages;
        PassRunner runner(document->graph, RuleSet::load({fs::path(GELENS_SOURCE_DIR) / "resources/rules"}, messages));
        runner.soc = *soc;
        std::vector<PassEntry> entries = runner.pipeline();
        std::erase_if(entries, [](const PassEntry& entry) { return entry.info.stage != Stage::Compile; });
        const std::string error = runner.run(entries);
        QVERIFY2(error.empty(), error.c_str());

        const Kinds found = kindsOf(document->graph);
        if (isEncoder) {
            // One attention, two norms and one GELU for each layer, one more norm at an end; what an encoder's pooler has of
            // its own is no piece of these.
            QCOMPARE(found.attention, layers);
            QCOMPARE(found.norm + found.addNorm, 2 * layers + 1);
            QVERIFY2(found.addNorm >= 2 * layers, qPrintable(found.text()));
            QCOMPARE(found.gelu, layers);
            QCOMPARE(found.loose, 0);
        } else {
            const Kinds wanted{layers, 2 * layers, 1, 2 * layers, layers, 0, 0};
            QVERIFY2(found == wanted, qPrintable(found.text() + QStringLiteral(" instead of ") + wanted.text()));
        }
    }
};

QTEST_GUILESS_MAIN(TestDecoderDialects)
#include "tst_decoder_dialects.moc"
