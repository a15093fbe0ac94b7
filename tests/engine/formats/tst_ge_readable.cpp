// ge_readable listings: made from GE's ge_proto twins, read, and written back.

#include "engine/formats/ge_proto_reader.h"
#include "engine/formats/ge_readable_reader.h"
#include "engine/formats/ge_readable_writer.h"
#include "tests/engine/formats/ge_oracle.h"

#include <QtTest>

using namespace gelens;
using namespace gelens::test;

class TestGeReadable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsAListing();
    void refusesOtherText();
    void claimedOutputsAreBoundedByTheText();
    void protoTwinGivesGesText();
    void oracleIsRewrittenUnchanged();
};

void TestGeReadable::readsAListing()
{
    const auto document = readGeReadable(R"(graph("demo"):
  %x : [#users=1] = Node[type=Data] (attrs = {index: 0})
  %best : [#users=2] = Node[type=TopKV2] (inputs = (x=%x, _input_1=%x), attrs = {sorted: true, dim: -1, t: DT_FLOAT})
  %ret : [users=1] = get_element[node=%best](0)
  %ret_1 : [#users=0] = get_element[node=%best](1)
  something else
  %sel : [#users=1] = Node[type=If] (inputs = (cond=%x, input_0=%ret), attrs = {then_branch: %sel_then, s: "a, b", l: {1, 2}})

  return (%sel)

graph("sel_then"):
  %p : [#users=1] = Node[type=Data] (attrs = {index: 0})

  return (%p)
)");
    QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
    const Graph& graph = document->graph;
    QCOMPARE(graph.nodeCount(), 6);
    QCOMPARE(graph.liveSubgraphs().size(), std::size_t(2));
    const Node& sel = graph.node(graph.findNode("sel"));
    QCOMPARE(sel.subgraphs.size(), std::size_t(1));
    QCOMPARE(attrString(sel.attrs, "s"), std::string("a, b"));
    QCOMPARE(attrInts(sel.attrs, "l"), (IntList{1, 2}));
    QCOMPARE(sel.source(1), (OutputRef{graph.findNode("best"), 0}));
    QVERIFY2(graph.findInconsistency().empty(), graph.findInconsistency().c_str());
    QCOMPARE(document->messages.size(), std::size_t(1));
}

void TestGeReadable::refusesOtherText()
{
    QVERIFY(!readGeReadable("").ok());
    QVERIFY(!readGeReadable("hello\nworld\n").ok());
}

/// Two thousand lines of 50 bytes that claim 60,000 outputs each would be 120 million; a cut node keeps what it claims.
void TestGeReadable::claimedOutputsAreBoundedByTheText()
{
    std::string text = "graph(\"demo\"):\n";
    for (int i = 0; i < 2000; ++i) text += "  %n" + std::to_string(i) + " : [#users=60000] = Node[type=Split] ()\n";
    const auto document = readGeReadable(text);
    QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
    std::size_t outputs = 0;
    for (int i = 0; i < 2000; ++i)
        outputs += document->graph.node(document->graph.findNode("n" + std::to_string(i))).outputCount();
    QVERIFY2(outputs < text.size() / 40 + 300, std::to_string(outputs).c_str());
    QVERIFY(!document->messages.empty());
    QCOMPARE(document->messages.front().id, std::string("dump.outputs"));

    const auto cut = readGeReadable("graph(\"demo\"):\n  %s : [#users=64] = Node[type=Split] ()\n");
    QVERIFY(cut.ok());
    QCOMPARE(cut->graph.node(cut->graph.findNode("s")).outputCount(), 64);
    QVERIFY(cut->messages.empty());
}

void TestGeReadable::protoTwinGivesGesText()
{
    SKIP_WITHOUT_CORPUS();
    Comparison comparison;
    for (const fs::path& file : filesLike(oracle(), "ge_readable_", ".txt")) {
        std::string name = file.filename().string();
        name.replace(0, 11, "ge_proto");
        if (!fs::exists(file.parent_path() / name)) continue;
        const auto document = readGeProto(fileText(file.parent_path() / name));
        QVERIFY(document.ok());
        // Level 2 has no values of constants, the listing does.
        if (detailOf(file) == DumpDetail::Full) comparison.add(file, geReadableText(document->graph), fileText(file));
    }
    comparison.report("ge_readable listings come out of their ge_proto twin");
    QVERIFY2(comparison.different.isEmpty(), qPrintable(comparison.text()));
    QVERIFY(comparison.all > 30);
}

void TestGeReadable::oracleIsRewrittenUnchanged()
{
    SKIP_WITHOUT_CORPUS();
    Comparison comparison;
    for (const fs::path& file : filesLike(oracle(), "ge_readable_", ".txt")) {
        const std::string theirs = fileText(file);
        const auto document = readGeReadable(theirs);
        QVERIFY2(document.ok(), (file.string() + ": " + (document.ok() ? "" : document.error().message())).c_str());
        QVERIFY2(document->graph.findInconsistency().empty(), document->graph.findInconsistency().c_str());
        comparison.add(file, geReadableText(document->graph), theirs);
    }
    comparison.report("ge_readable listings are rewritten byte for byte");
    QVERIFY2(comparison.different.isEmpty(), qPrintable(comparison.text()));
    QVERIFY(comparison.all > 50);
}

QTEST_GUILESS_MAIN(TestGeReadable)
#include "tst_ge_readable.moc"
