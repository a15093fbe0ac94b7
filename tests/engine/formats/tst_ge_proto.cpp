// ge_proto dumps and .air files: read, written back, and against GE's own files.

#include "engine/formats/ge_ir_convert.h"
#include "engine/formats/ge_proto_reader.h"
#include "engine/formats/ge_proto_writer.h"
#include "engine/graph/graph_editor.h"
#include "tests/engine/formats/ge_oracle.h"

#include <QtTest>

using namespace gelens;
using namespace gelens::test;

namespace {

const char* const smallText = R"(graph {
  name: "demo"
  input: "x:0"
  output: "act:0"
  op { name: "x" type: "Data" input: "" input_desc { dtype: DT_FLOAT shape { dim: 2 } layout: "ND" }
       output_desc { dtype: DT_FLOAT shape { dim: 2 } layout: "ND" } }
  op {
    name: 'a' 'ct'   # adjacent literals
    type: "Relu"
    input: "x:0"
    attr { key: "note" value { s: "\x41\102\n\345\244\247" } }
    attr < key: "list" value < list < i: [1, -2, 0x10] val_type: VT_LIST_INT > > >
    newer_field { deep: 1 list: [ { a: 1 }, { a: 2 } ] }
    newer_scalar: -1.5e-3
    input_desc { dtype: DT_FLOAT shape { dim: 2 } layout: "ND" }
    output_desc { dtype: DT_FLOAT shape { dim: 2 } layout: "ND" }
  }
}
)";

} // namespace

class TestGeProto : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsUnusualText();
    void keepsWhatCameBeforeACut();
    void refusesDamage_data();
    void refusesDamage();
    void deepNestingIsRefused();
    void oracleIsRewrittenUnchanged();
    void airGivesGesText();
    void wireFormRoundTrip();
    void constantsOfAnAirFileStayInIt();
};

void TestGeProto::readsUnusualText()
{
    const auto document = readGeProto(smallText);
    QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
    const Graph& graph = document->graph;
    QCOMPARE(graph.name(), std::string("demo"));
    QCOMPARE(graph.nodeCount(), 2);
    const NodeId act = graph.findNode("act");
    QVERIFY(act.isValid());
    QCOMPARE(attrString(graph.node(act).attrs, "note"), std::string("AB\n\xE5\xA4\xA7"));
    QCOMPARE(attrInts(graph.node(act).attrs, "list"), (IntList{1, -2, 16}));
    QVERIFY(graph.node(act).hasInput(0));
    QVERIFY2(graph.findInconsistency().empty(), graph.findInconsistency().c_str());
}

void TestGeProto::keepsWhatCameBeforeACut()
{
    const std::string whole = smallText;
    const auto cut = readGeProto(std::string_view(whole).substr(0, whole.find("0x10")));
    QVERIFY2(cut.ok(), cut.ok() ? "" : cut.error().message().c_str());
    QCOMPARE(cut->graph.nodeCount(), 1);
    QVERIFY(!cut->messages.empty());
    QVERIFY(cut->messages[0].text.find("line 12") != std::string::npos);
}

void TestGeProto::refusesDamage_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("string") << QByteArray("graph {\n  op { name: \"ab") << QByteArray("line 2, column 14");
    QTest::newRow("zero byte") << QByteArray("graph {\n op\0 {", 13) << QByteArray("zero byte");
    QTest::newRow("no value") << QByteArray("graph { op { name: } }") << QByteArray("expected a value");
    QTest::newRow("nothing") << QByteArray("  # only a comment\n") << QByteArray("no graph");
    QTest::newRow("cycle")
        << QByteArray("graph { name: \"g\" op { name: \"a\" type: \"Relu\" input: \"b:0\" } op { name: \"b\" type: "
                      "\"Relu\" input: \"a:0\" } }")
        << QByteArray("cycle");
}

void TestGeProto::refusesDamage()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    const auto document = readGeProto(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
    QVERIFY(!document.ok());
    QVERIFY2(document.error().message().find(expected.constData()) != std::string::npos,
             document.error().message().c_str());
}

void TestGeProto::deepNestingIsRefused()
{
    std::string text = "graph { op { name: \"a\" type: \"T\" } op { attr { key: \"k\" value { ";
    for (int i = 0; i < 100'000; ++i) text += "func { attr { key: \"k\" value { ";
    const auto document = readGeProto(text);
    QVERIFY(document.ok());
    QVERIFY(document->messages[0].text.find("too deep") != std::string::npos);
}

void TestGeProto::oracleIsRewrittenUnchanged()
{
    SKIP_WITHOUT_CORPUS();
    int same = 0, all = 0;
    QStringList different;
    for (const fs::path& file : filesLike(oracle(), "ge_proto_", ".txt")) {
        const std::string theirs = fileText(file);
        const auto document = readGeProto(theirs);
        QVERIFY2(document.ok(), (file.string() + ": " + (document.ok() ? "" : document.error().message())).c_str());
        QVERIFY2(document->graph.findInconsistency().empty(), document->graph.findInconsistency().c_str());
        const std::string ours = geProtoText(document->graph, detailOf(file));
        ++all;
        if (ours == theirs)
            ++same;
        else
            different << QString::fromStdString(fs::relative(file, oracle()).string() + ": " +
                                                firstDifference(ours, theirs));
    }
    qInfo("%d of %d ge_proto dumps are rewritten byte for byte", same, all);
    QVERIFY2(different.isEmpty(), qPrintable(QStringLiteral("\n") + different.mid(0, 12).join(QLatin1Char('\n'))));
    QVERIFY(all > 40);
}

void TestGeProto::airGivesGesText()
{
    SKIP_WITHOUT_CORPUS();
    int same = 0, all = 0;
    QStringList different;
    for (const fs::path& file : filesLike(oracle(), "", ".air")) {
        const std::string bytes = fileText(file);
        const auto document = readAir(std::as_bytes(std::span(bytes)));
        QVERIFY2(document.ok(), file.c_str());
        const auto dumps = filesLike(file.parent_path() / "level1", "ge_proto_00000000", ".txt");
        if (dumps.empty()) continue;
        const std::string theirs = fileText(dumps[0]), ours = geProtoText(document->graph, DumpDetail::Full);
        ++all;
        if (ours == theirs)
            ++same;
        else
            different << QString::fromStdString(file.filename().string());
        // Whatever differs in the text, the two hold the same model.
        const auto twin = readGeProto(theirs);
        QVERIFY(twin.ok());
        QVERIFY2(airBytes(document->graph) == airBytes(twin->graph), file.c_str());
    }
    // An .air file does not keep the order in which an output's readers were linked, nor the options of the compile.
    const QStringList expected = {
        QStringLiteral("after_build.air"),   // options, reader order
        QStringLiteral("control_edges.air"), // reader order
        QStringLiteral("conv_bn_relu.air"),  // options
        QStringLiteral("odd_graph.air"),     // reader order
        QStringLiteral("zero_size_tensors.air"), QStringLiteral("subgraphs.air"), QStringLiteral("wide_io.air"),
    };
    qInfo("%d of %d .air files give GE's own level-1 text", same, all);
    QCOMPARE(different, expected);
}

void TestGeProto::wireFormRoundTrip()
{
    const auto document = readGeProto(smallText);
    QVERIFY(document.ok());
    const std::string bytes = airBytes(document->graph);
    const auto again = readAir(std::as_bytes(std::span(bytes)));
    QVERIFY(again.ok());
    QCOMPARE(geProtoText(again->graph, DumpDetail::Full), geProtoText(document->graph, DumpDetail::Full));
}

void TestGeProto::constantsOfAnAirFileStayInIt()
{
    Graph graph("weights");
    Journal journal;
    GraphEditor editor(graph, journal);
    std::vector<double> numbers(40'000);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i % 977);
    const NodeId large = editor.addConstant("large", Tensor::fromDoubles(numbers, Shape{200, 200}));
    const NodeId small = editor.addConstant("small", Tensor::fromInts({1, 2, 3}, Shape{3}));
    const auto bytes = std::make_shared<const std::string>(airBytes(graph));
    const auto span = std::as_bytes(std::span(*bytes));
    const auto mapped = readAir(span, {}, bytes), copied = readAir(span);
    QVERIFY(mapped.ok() && copied.ok());
    QCOMPARE(mapped->graph.fingerprint(), copied->graph.fingerprint());
    QCOMPARE(mapped->weightBytes, copied->weightBytes);
    const auto isInside = [&](const ModelDocument& document, NodeId id) {
        const Tensor* const value = attrTensor(document.graph.node(id).attrs, "value");
        return value && value->data.data() >= span.data() && value->data.data() < span.data() + span.size();
    };
    QVERIFY(isInside(*mapped, large));
    QVERIFY(!isInside(*mapped, small)); // a window would cost more than the three numbers
    QVERIFY(!isInside(*copied, large));
    QVERIFY(*attrTensor(mapped->graph.node(large).attrs, "value") == *attrTensor(graph.node(large).attrs, "value"));
    // Every cut and every flipped byte gets the same answer both ways.
    for (std::size_t i = 0; i < 200; ++i) {
        auto damaged = std::make_shared<std::string>(*bytes);
        const std::size_t at = i * 7919 % damaged->size();
        if (i % 2 == 0)
            damaged->resize(at);
        else
            (*damaged)[i % 400] = static_cast<char>((*damaged)[i % 400] ^ 0x55);
        const auto own = std::as_bytes(std::span(*damaged));
        const auto one = readAir(own, {}, damaged), other = readAir(own);
        QCOMPARE(one.ok(), other.ok());
        if (one.ok()) QCOMPARE(one->graph.fingerprint(), other->graph.fingerprint());
    }
}

QTEST_GUILESS_MAIN(TestGeProto)
#include "tst_ge_proto.moc"
