// The JSON that atc makes of an OM file or of a ge_proto dump: what it decodes to, what is no such file, and damage.

#include "engine/formats/ge_proto_reader.h"
#include "engine/formats/ge_proto_writer.h"
#include "engine/formats/model_file.h"
#include "engine/formats/open_as.h"
#include "tests/engine/formats/ge_json.h"
#include "tests/engine/formats/ge_oracle.h"

#include <google/protobuf/text_format.h>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <limits>
#include <map>

using namespace gelens;
using namespace gelens::test;

namespace {

// Backslashes stand in ordinary literals: moc loses its way in a raw one that has them.
const std::string small =
    R"({
  "attr": [ { "key": "soc_version", "value": { "s": "Ascend310" } }, { "key": "tasks", "value": null } ],
  "custom_version": "1.11.z.0",
  "graph": [ {
    "attr": [ { "key": "run_count", "value": { "i": 343 } } ],
    "input": [ "x:0" ],
    "name": "demo",
    "newer_field": [ [ { "deep": 1 } ], "more" ],
    "op": [
      { "input": [ "" ], "name": "x", "output_desc": [ { "dtype": "DT_FLOAT16", "layout": "NCHW", "shape": { "dim": [ 2, -1 ] } } ],
        "type": "Data" },
      { "attr": [
          { "key": "alpha", "value": { "f": "1e-05" } },
          { "key": "floats", "value": { "list": { "f": [ 0.5, null, 3 ], "val_type": "VT_LIST_FLOAT" } } },)"
    "{ \"key\": \"note\", \"value\": { \"s\": \"{\\\\\\\"a\\\\\\\":\\\\n\\\\345\\\\244\\\\247}\" } },\n"
    "{ \"key\": \"older\", \"value\": { \"s\": \"{\\\"a\\\":\\\\n}\" } },\n"
    "{ \"key\": \"path\", \"value\": { \"list\": { \"s\": [ \"C:\\\\new\" ], \"val_type\": \"VT_LIST_STRING\" } } },\n"
    R"({ "key": "pairs", "value": { "list_list_int": { "list_list_i": [ { "list_i": [ 1, 2 ] }, null, { "list_i": [ 3 ] } ] } } },
          { "key": "high", "value": { "i": -9223372036854775808 } },
          { "key": "is_on", "value": { "b": true } },
          { "key": "twice", "value": { "i": 1 } },
          { "key": "twice", "value": { "i": 2 } } ],
        "id": 1, "input": [ "x:0" ], "name": "act", "output_desc": [ null, { "dtype": "DT_INT8" } ], "type": "Relu" },
      { "input": [ "act:1", "x:-1" ], "name": "end", "type": "NetOutput" } ]
  } ],
  "name": "small",
  "version": 2
})";

QByteArray errorOf(const Result<ModelDocument>& document)
{
    return document.ok() ? QByteArray() : QByteArray::fromStdString(document.error().message());
}

fs::path realFile() { return fs::path(GELENS_CORPUS_DIR) / "dumps" / "om_to_json_sub_model.json"; }

} // namespace

class TestGeJson : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsEveryKindOfValue();
    void realFileIsRead();
    void saysTheSameAsTheDump();
    void contentDecides_data();
    void contentDecides();
    void keepsWhatCameBeforeACut();
    void refusesDamage_data();
    void refusesDamage();
    void deepNestingIsRefused();
    void smallFilesStaySmall_data();
    void smallFilesStaySmall();
};

void TestGeJson::readsEveryKindOfValue()
{
    const auto document = readGeJson(small);
    QVERIFY2(document.ok(), errorOf(document));
    QCOMPARE(document->format, std::string("GE model as JSON"));
    QCOMPARE(document->metadata.at("soc_version"), std::string("\"Ascend310\""));
    QCOMPARE(document->modelVersion, 2);
    const Graph& graph = document->graph;
    QVERIFY2(graph.findInconsistency().empty(), graph.findInconsistency().c_str());
    QCOMPARE(graph.name(), std::string("demo"));
    QCOMPARE(attrInt(graph.subgraph(rootGraph).attrs, "run_count"), 343);
    QCOMPARE(graph.nodeCount(), 3);
    const Node& x = graph.node(graph.findNode("x"));
    QCOMPARE(x.outputs[0].desc.dtype, DataType::Float16);
    QCOMPARE(x.outputs[0].desc.shape.dims(), (std::vector<std::int64_t>{2, -1}));

    const Node& act = graph.node(graph.findNode("act"));
    const auto* const alpha = act.attrs.find("alpha")->second.as<float>();
    QVERIFY(alpha != nullptr);
    QCOMPARE(*alpha, 1e-05f);
    const auto* const floats = act.attrs.find("floats")->second.as<FloatList>();
    QVERIFY(floats != nullptr);
    QCOMPARE(floats->size(), std::size_t{3});
    QVERIFY((*floats)[0] == 0.5f && std::isnan((*floats)[1]) && (*floats)[2] == 3.0f);
    QCOMPARE(attrString(act.attrs, "note"), std::string("{\"a\":\n\xE5\xA4\xA7}"));
    QCOMPARE(attrString(act.attrs, "older"), std::string("{\"a\":\\n}")); // not escaped: it holds bare quotes
    QCOMPARE(act.attrs.find("path")->second.as<StringList>()->front(), std::string("C:\\new")); // lists never are
    const auto* const pairs = act.attrs.find("pairs")->second.as<std::vector<IntList>>();
    QVERIFY(pairs != nullptr && *pairs == (std::vector<IntList>{{1, 2}, {}, {3}}));
    QCOMPARE(attrInt(act.attrs, "high"), std::numeric_limits<std::int64_t>::min());
    QCOMPARE(attrBool(act.attrs, "is_on"), true);
    QCOMPARE(attrInt(act.attrs, "twice"), 2);

    // A descriptor without content keeps its place, and so do edges.
    QCOMPARE(act.outputCount(), 2);
    QCOMPARE(act.outputs[1].desc.dtype, DataType::Int8);
    const NodeId end = graph.findNode("end");
    QVERIFY(graph.node(end).hasInput(0));
    QCOMPARE(graph.node(end).source(0), (OutputRef{graph.findNode("act"), 1}));
    QCOMPARE(graph.node(end).controlInputs.size(), std::size_t{1});
}

void TestGeJson::realFileIsRead()
{
    if (!fs::exists(realFile())) QSKIP("the corpus is absent");
    const auto document = openModel(realFile());
    QVERIFY2(document.ok(), errorOf(document));
    const Graph& graph = document->graph;
    QVERIFY2(graph.findInconsistency().empty(), graph.findInconsistency().c_str());
    QCOMPARE(document->path, realFile().string());
    QCOMPARE(graph.name(), std::string("sub_model_NPU_0"));
    const std::map<std::string, int> types{{"BatchMultiClassNonMaxSuppression", 1},
                                           {"Cast", 5},
                                           {"ConcatD", 1},
                                           {"Const", 4},
                                           {"Data", 2},
                                           {"GatherV2", 1},
                                           {"NetOutput", 1},
                                           {"StridedSliceD", 1},
                                           {"Transpose", 2},
                                           {"TransposeD", 1}};
    QVERIFY(document->operatorHistogram == types);
    for (const auto& [name, value] : {std::pair("soc_version", "\"Ascend310\""), std::pair("stream_num", "1"),
                                      std::pair("memory_size", "3048448"), std::pair("weight_size", "2560")})
        QCOMPARE(document->metadata.at(name), std::string(value));
    // All of its constants are without values: a number of 8 bytes, one of 4, and permutations of 4 and 3 such.
    QCOMPARE(document->weightCount, 4);
    QCOMPARE(document->absentWeightCount, 4);
    QCOMPARE(document->weightBytes, 40);

    const Node& nms = graph.node(graph.findNode("BatchMultiClassNMS_1203"));
    QCOMPARE(nms.inputCount(), 4);
    QVERIFY(nms.hasInput(1) && !nms.hasInput(2) && !nms.hasInput(3));
    QCOMPARE(graph.node(nms.source(0).node).name, std::string("BatchMultiClassNMS_1203_Input0_TransposeBefore"));
    QCOMPARE(nms.attrs.find("score_threshold")->second.text(), AttrValue(0.05f).text());
    QCOMPARE(nms.attrs.find("iou_threshold")->second.text(), AttrValue(0.5f).text());
    // Its slices are JSON in a text that was escaped once more.
    const std::string slices = attrString(graph.node(graph.findNode("trans_Cast_0")).attrs, "_op_slice_info");
    QVERIFY2(nlohmann::json::parse(slices)["_op_slice_info"].contains("splitMaps"), slices.c_str());
    const Node& end = graph.node(graph.findNode("Node_Output"));
    QCOMPARE(end.inputCount(), 3);
    QCOMPARE(graph.node(end.source(2).node).name, std::string("Cast_1206"));
}

/// Every dump at hand, as atc would make JSON of it, is the model of the dump less what the JSON leaves out.
void TestGeJson::saysTheSameAsTheDump()
{
    SKIP_WITHOUT_CORPUS();
    int all = 0;
    for (const fs::path& file : filesLike(oracle(), "ge_proto_", ".txt")) {
        const auto model = newModelDef();
        google::protobuf::TextFormat::Parser parser;
        parser.AllowUnknownField(true);
        QVERIFY2(parser.ParseFromString(fileText(file), model.get()), file.c_str());
        const std::string json = atcJson(*model).dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
        const auto ours = readGeJson(json);
        QVERIFY2(ours.ok(), (file.string() + ": " + errorOf(ours).toStdString()).c_str());
        QVERIFY2(ours->graph.findInconsistency().empty(), ours->graph.findInconsistency().c_str());
        dropWhatJsonLacks(*model);
        std::string text;
        google::protobuf::TextFormat::PrintToString(*model, &text);
        const auto theirs = readGeProto(text);
        QVERIFY2(theirs.ok(), (file.string() + ": " + errorOf(theirs).toStdString()).c_str());
        const std::string left = geProtoText(ours->graph, DumpDetail::Full);
        const std::string right = geProtoText(theirs->graph, DumpDetail::Full);
        QVERIFY2(left == right, (file.string() + ": " + firstDifference(left, right)).c_str());
        QCOMPARE(ours->metadata, theirs->metadata);
        QCOMPARE(plausibleKinds(std::as_bytes(std::span(json))), std::vector<std::string_view>{"ge_json"});
        ++all;
    }
    QVERIFY(all > 40);
}

void TestGeJson::contentDecides_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isModel");
    const std::string many(200'000, ' ');
    QTest::newRow("small") << QByteArray::fromStdString(small) << true;
    QTest::newRow("operators only") << QByteArray(R"({"graph":[{"op":[{"name":"x","type":"Data"}]}]})") << true;
    QTest::newRow("name behind") << QByteArray(R"({"graph":[{"name":"g","op":[]}],"name":"m"})") << true;
    QTest::newRow("attributes first") << QByteArray::fromStdString(R"({"attr":[{"key":"a","value":)" + many +
                                                                   R"({"i":1}}],"graph":[{"op":[null]}]})")
                                      << true;
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBF{\"graph\":[{\"op\":[{\"name\":\"x\"}]}]}") << true;
    QTest::newRow("ours") << QByteArray(R"({"model":"a.onnx","soc":"Ascend910B1","nodes":{"before":1,"after":1}})")
                          << false;
    QTest::newRow("a session") << QByteArray(R"({"format":"gelens-session","version":1,"models":[{"path":"a"}]})")
                               << false;
    QTest::newRow("fusion counts") << QByteArray(
                                          R"({"session_and_graph_id_0_1":{"graph_fusion":{"P":{"effect_times":"1"}}}})")
                                   << false;
    QTest::newRow("an ONNX model as JSON")
        << QByteArray(R"({"graph":{"node":[{"opType":"Relu"}],"name":"g"},"irVersion":"7"})") << false;
    QTest::newRow("another graph list") << QByteArray(R"({"graph":[{"nodes":[{"op":"add"}]}]})") << false;
    QTest::newRow("another attribute list") << QByteArray(R"({"attr":[{"key":"a","value":"b"}]})") << false;
    QTest::newRow("a list") << QByteArray(R"([{"graph":[{"op":[]}]}])") << false;
    QTest::newRow("deeper down") << QByteArray(R"({"x":{"graph":[{"op":[]}]}})") << false;
}

void TestGeJson::contentDecides()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isModel);
    QTemporaryDir folder;
    // Nothing depends on the name.
    const std::string path = folder.filePath(QStringLiteral("model.onnx")).toStdString();
    std::ofstream(path, std::ios::binary) << text.toStdString();
    const auto kinds = plausibleKinds(fs::path(path));
    QCOMPARE(std::find(kinds.begin(), kinds.end(), "ge_json") != kinds.end(), isModel);
    const auto document = openModel(path);
    QVERIFY2(document.ok() == isModel, errorOf(document));
    if (!isModel) {
        const char* const kind = text.startsWith('{') ? "looks like JSON that holds no GE model" : "looks like text";
        QVERIFY2(errorOf(document).contains(kind), errorOf(document));
    }
    if (isModel) QCOMPARE(document->format, std::string("GE model as JSON"));
}

void TestGeJson::keepsWhatCameBeforeACut()
{
    // Wherever the file breaks off: an answer, and never more than came before.
    for (std::size_t length = 0; length < small.size(); ++length) {
        const auto cut = readGeJson(std::string_view(small).substr(0, length));
        if (!cut.ok()) continue;
        QVERIFY(cut->graph.findInconsistency().empty());
        QVERIFY2(cut->messages.front().id == "dump.cut", cut->messages.front().text.c_str());
    }
    const auto cut = readGeJson(std::string_view(small).substr(0, small.find("\"pairs\"")));
    QVERIFY2(cut.ok(), errorOf(cut));
    QCOMPARE(cut->graph.nodeCount(), 1);
    QCOMPARE(cut->graph.name(), std::string("demo"));
    QCOMPARE(cut->messages.front().text,
             std::string("the file is damaged: the text ends inside 'key' (line 17, column 10); the 1 nodes before "
                         "that are shown"));
    QVERIFY(readGeJson(small)->messages.empty());
}

void TestGeJson::refusesDamage_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* name, const char* text, const char* expected) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
    };
    row("nothing", "", "no graph inside (line 1, column 1)");
    row("a text only", "\"graph\"", "no graph inside");
    row("a number only", "-1.5", "no graph inside");
    row("null only", "null", "no graph inside");
    row("no graph", "{\"name\": \"m\"}", "no graph inside");
    row("cut string", "{\n \"graph\": [ { \"name\": \"ab", "the text ends inside 'name' (line 2, column 26)");
    row("no value", "{\n \"graph\": }", "an unexpected character (line 2, column 11)");
    row("no UTF-8", "{\"graph\": [ { \"name\": \"\xFF\" } ] }", "an unexpected character (line 1, column 24)");
    row("a number beyond all", "{\"graph\": [ { \"op\": [ { \"id\": 1e999 } ] } ] }",
        "a number is out of range (line 1, column 36)");
    row("graphs that are none", "{\"graph\": [ 1, \"a\", [ { \"op\": [ { } ] } ] ] }", "no graph inside");
    row("cycle",
        R"({"graph":[{"op":[{"name":"a","type":"T","input":["b:0"]},{"name":"b","type":"T","input":["a:0"]}]}]})",
        "cycle");
    QTest::newRow("zero byte") << QByteArray("{\"graph\": \0 [] }", 16)
                               << QByteArray("a zero byte (line 1, column 11)");
}

void TestGeJson::refusesDamage()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    const auto document = readGeJson(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
    QVERIFY(!document.ok());
    QVERIFY2(errorOf(document).contains(expected), errorOf(document));
}

void TestGeJson::deepNestingIsRefused()
{
    const std::string head = R"({"graph":[{"op":[{"name":"a","type":"T"},{"attr":[{"key":"k","value":)";
    QTemporaryDir folder;
    for (const auto& [known, unknown] : {std::pair(R"({"func":{"attr":[{"key":"k","value":)", "messages"),
                                         std::pair("[", "lists"), std::pair(R"({"x":)", "objects")}) {
        std::string text = head;
        for (int i = 0; i < 100'000; ++i) text += known;
        const auto document = readGeJson(text);
        QVERIFY2(document.ok(), unknown);
        QCOMPARE(document->graph.nodeCount(), 1);
        QVERIFY2(document->messages[0].text.find("messages are nested too deep (line 1, column") != std::string::npos,
                 document->messages[0].text.c_str());
        QVERIFY(!openModelAs(fs::path("/none"), "ge_json").ok());
        QFile file(folder.filePath(QStringLiteral("deep.json")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text.data(), static_cast<qint64>(text.size())) > 0);
        file.close();
        const auto opened = openModelAs(fs::path(file.fileName().toStdString()), "ge_json");
        QVERIFY2(opened.ok() && opened->graph.nodeCount() == 1, unknown);
    }
    // As the content of what is looked at first.
    std::string start = "{\"graph\":";
    for (int i = 0; i < 100'000; ++i) start += "[{\"a\":";
    for (const std::string& text : {start, std::string(100'000, '[')})
        QVERIFY(plausibleKinds(std::as_bytes(std::span(text))).empty());
}

void TestGeJson::smallFilesStaySmall_data()
{
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<QByteArray>("element");
    QTest::newRow("descriptors") << QByteArray("output_desc") << QByteArray("{},");
    QTest::newRow("null descriptors") << QByteArray("input_desc") << QByteArray("null,");
    QTest::newRow("inputs") << QByteArray("input") << QByteArray("\"\",");
}

/// Elements that take two characters in the file and some hundred bytes in memory.
void TestGeJson::smallFilesStaySmall()
{
    QFETCH(QByteArray, field);
    QFETCH(QByteArray, element);
    const auto textOf = [&](int count) {
        QByteArray text = R"({"graph":[{"op":[{"name":"a","type":"T"},{"name":"b","type":"T",")" + field + "\":[";
        text += element.repeated(count);
        text.chop(1);
        return (text + "]}]}]}").toStdString();
    };
    const auto few = readGeJson(textOf(60'000));
    QVERIFY2(few.ok() && few->messages.empty(), errorOf(few));
    QCOMPARE(few->graph.nodeCount(), 2);
    const auto many = readGeJson(textOf(1'000'000));
    QVERIFY2(many.ok(), errorOf(many));
    QCOMPARE(many->graph.nodeCount(), 1);
    QVERIFY2(many->messages.front().text.find("too many empty elements") != std::string::npos,
             many->messages.front().text.c_str());
}

QTEST_GUILESS_MAIN(TestGeJson)
#include "tst_ge_json.moc"
