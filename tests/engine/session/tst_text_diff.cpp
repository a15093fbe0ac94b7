// Dumps compared as text, aligned by node and attribute.
#include "engine/session/session.h"
#include "engine/session/text_diff.h"
#include "tests/bench/dump_pair.h"

#include <QElapsedTimer>
#include <QtTest>

#include <algorithm>
#include <set>

using namespace gelens;

namespace {

TextDiff diffOf(const std::string& before, const std::string& after)
{
    auto diff = diffTexts(*DumpText::of(before, "before"), *DumpText::of(after, "after"));
    if (!diff.ok()) qFatal("%s", diff.error().message().c_str());
    return *diff;
}

const TextSummary* summary(const TextDiff& diff, TextSummary::Kind kind)
{
    for (const TextSummary& each : diff.summaries)
        if (each.kind == kind) return &each;
    return nullptr;
}

const TextChange* change(const TextDiff& diff, const std::string& node, const std::string& field)
{
    for (const TextChange& each : diff.changes)
        if (each.node == node && each.field == field) return &each;
    return nullptr;
}

std::string proto(const char* shape, const char* extra = "", const char* id = "3", const char* offset = "512")
{
    return std::string(
               "name: \"m\"\ngraph {\n  name: \"g\"\n  op {\n    name: \"a\"\n    type: \"Add\"\n    input: \"x:0\"\n") +
           extra + "    id: " + id + "\n    output_i: " + offset +
           "\n    output_desc {\n      dtype: DT_FLOAT16\n      shape {\n        dim: 1\n        dim: " + shape +
           "\n      }\n      layout: \"ND\"\n      data_offset: " + offset +
           "\n    }\n  }\n  op {\n    name: \"b\"\n    type: \"Relu\"\n  }\n}\n";
}

} // namespace

class TestTextDiff : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void largeDumpsHaveExactlyTheirEdits()
    {
        const bench::DumpPair pair = bench::makeDumpPair(20 << 20, 77);
        QVERIFY(pair.before.size() > 20'000'000 && pair.after.size() > 19'000'000);
        QCOMPARE(pair.edits, 77);
        const auto before = DumpText::of(pair.before, "before"), after = DumpText::of(pair.after, "after");
        double best = 1e9;
        for (int round = 0; round < 5; ++round) {
            QElapsedTimer timer;
            timer.start();
            const auto diff = diffTexts(*before, *after);
            best = std::min(best, static_cast<double>(timer.nsecsElapsed()) / 1e6);
            QVERIFY(diff.ok());
            QCOMPARE(diff->changes.size(), std::size_t(77));
            QVERIFY(summary(*diff, TextSummary::Kind::Ids) != nullptr);
            QVERIFY(summary(*diff, TextSummary::Kind::Offsets) != nullptr);
            QVERIFY(summary(*diff, TextSummary::Kind::NodeOrder) != nullptr);
            QVERIFY(summary(*diff, TextSummary::Kind::FieldOrder) == nullptr);
            QCOMPARE(diff->summaries.size(), std::size_t(3));
        }
        qInfo("20 MB against 20 MB: %.0f ms", best);
        QVERIFY2(best < 800, "the aim is 200 ms; a busy machine gets room"); // bench_text_diff holds the figure
    }

    void editsAreNamed()
    {
        const TextDiff diff = diffOf(
            proto("8"),
            proto(
                "16",
                "    input: \"y:0\"\n    attr {\n      key: \"axis\"\n      value {\n        i: 2\n      }\n    }\n"));
        QCOMPARE(diff.changes.size(), std::size_t(3));
        const TextChange* dim = change(diff, "a", "output_desc.shape.dim[1]");
        QVERIFY(dim != nullptr);
        QCOMPARE(dim->before, std::string("8"));
        QCOMPARE(dim->after, std::string("16"));
        QVERIFY(!dim->beforeField.isEmpty() && !dim->afterField.isEmpty());
        const TextChange* input = change(diff, "a", "input[1]");
        QVERIFY(input != nullptr && input->kind == ChangeKind::Added);
        const TextChange* axis = change(diff, "a", "attr axis");
        QVERIFY(axis != nullptr);
        QCOMPARE(axis->after, std::string("2"));
        QCOMPARE(diff.equalNodes + 1, diff.nodesAfter);
        QVERIFY(diff.summaries.empty());
    }

    void renumberingIsNoChange()
    {
        const TextDiff diff = diffOf(proto("8"), proto("8", "", "77", "4096"));
        QVERIFY(diff.changes.empty());
        QCOMPARE(summary(diff, TextSummary::Kind::Ids)->nodes, 1);
        QCOMPARE(summary(diff, TextSummary::Kind::Offsets)->values, 2); // of the output and within its descriptor
    }

    void orderIsOneLine()
    {
        const std::string a =
            "  node {\n    name: \"a\"\n    op_type: \"ge:Add\"\n    attribute {\n      name: \"p\"\n      i: 1\n    }\n    attribute {\n      name: \"q\"\n      i: 2\n    }\n  }\n";
        const std::string swapped =
            "  node {\n    name: \"a\"\n    op_type: \"ge:Add\"\n    attribute {\n      name: \"q\"\n      i: 2\n    }\n    attribute {\n      name: \"p\"\n      i: 1\n    }\n  }\n";
        const std::string b = "  node {\n    name: \"b\"\n    op_type: \"ge:Mul\"\n  }\n",
                          c = "  node {\n    name: \"c\"\n    op_type: \"ge:Mul\"\n  }\n";
        const std::string head = "ir_version: 7\ngraph {\n";
        const TextDiff diff = diffOf(head + a + b + c + "}\n", head + c + swapped + b + "}\n");
        QVERIFY(diff.changes.empty());
        QCOMPARE(summary(diff, TextSummary::Kind::NodeOrder)->nodes, 1);
        QCOMPARE(summary(diff, TextSummary::Kind::FieldOrder)->nodes, 1);
    }

    void addedAndRemovedNodes()
    {
        const std::string head = "ir_version: 7\ngraph {\n",
                          a = "  node {\n    name: \"a\"\n    op_type: \"ge:Add\"\n  }\n";
        const std::string b = "  node {\n    name: \"b\"\n    op_type: \"ge:Mul\"\n  }\n",
                          c = "  node {\n    name: \"c\"\n    op_type: \"ge:Sub\"\n  }\n";
        const TextDiff diff = diffOf(head + a + b + "}\n", head + a + c + "}\n");
        QCOMPARE(diff.changes.size(), std::size_t(2));
        QVERIFY(change(diff, "b", "")->kind == ChangeKind::Removed);
        QVERIFY(change(diff, "c", "")->kind == ChangeKind::Added);
    }

    /// A scope that bears another name: each node one line, and nothing of who reads whom.
    void renamedNodesAreOneLineEach_data()
    {
        QTest::addColumn<int>("form");
        for (const DumpTextForm form : {DumpTextForm::GeOnnx, DumpTextForm::GeProto, DumpTextForm::Readable})
            QTest::newRow(std::string(dumpTextFormName(form)).c_str()) << static_cast<int>(form);
    }
    void renamedNodesAreOneLineEach()
    {
        QFETCH(int, form);
        auto session = Session::open(GELENS_SAMPLES_DIR "/tiny-llama.onnx");
        QVERIFY(session.ok());
        const Graph& graph = *(*session)->importedGraph();
        const auto before = DumpText::of(graph, static_cast<DumpTextForm>(form), "before");
        // In the text itself, every name below a scope: those of the nodes, and wherever they are read.
        QString text = QString::fromUtf8(before->text().data(), static_cast<qsizetype>(before->text().size()));
        const QString scope = QStringLiteral("/model/layers.0/");
        QVERIFY(text.contains(scope));
        text.replace(scope, QStringLiteral("/renamed/scope.7/"));
        int renamed = 0;
        graph.forEachNode(rootGraph, [&](const Node& node) { renamed += node.name.find("/model/layers.0/") == 0; });
        QVERIFY(renamed > 10);
        const TextDiff diff = diffOf(std::string(before->text()), text.toStdString());
        QCOMPARE(static_cast<int>(diff.changes.size()), renamed);
        for (const TextChange& each : diff.changes) {
            QCOMPARE(QString::fromStdString(each.field), QStringLiteral("name"));
            QVERIFY(each.kind == ChangeKind::Changed);
            QString old = QString::fromStdString(each.before);
            QCOMPARE(old.replace(scope, QStringLiteral("/renamed/scope.7/")), QString::fromStdString(each.after));
            QVERIFY(!each.beforeNode.isEmpty() && !each.afterNode.isEmpty());
        }
        // One real edit among them is told as well.
        const TextDiff same = diffOf(text.toStdString(), text.toStdString());
        QVERIFY(same.changes.empty());
    }

    void readableListings()
    {
        const std::string before =
            "graph(\"m\"):\n  %a : [#users=1] = Node[type=Data] (attrs = {index: 0})\n"
            "  %b : [#users=1] = Node[type=Conv2D] (inputs = (x=%a, filter=%w), attrs = {strides: {1, 1}, note: \"a, b\"})\n\n  return (%b)\n";
        std::string after = before;
        after.replace(after.find("{1, 1}"), 6, "{2, 1}");
        after.replace(after.find("filter=%w"), 9, "filter=%v");
        const TextDiff diff = diffOf(before, after);
        QCOMPARE(diff.changes.size(), std::size_t(2));
        QCOMPARE(change(diff, "b", "attr strides")->after, std::string("{2, 1}"));
        QCOMPARE(change(diff, "b", "input filter")->before, std::string("%w"));
    }

    void aRunAgainstItself_data()
    {
        QTest::addColumn<int>("form");
        for (const DumpTextForm form : {DumpTextForm::GeOnnx, DumpTextForm::GeProto, DumpTextForm::Readable})
            QTest::newRow(std::string(dumpTextFormName(form)).c_str()) << static_cast<int>(form);
    }
    void aRunAgainstItself()
    {
        QFETCH(int, form);
        auto session = Session::open(std::string(GELENS_SAMPLES_DIR) + "/small-resnet.onnx");
        QVERIFY(session.ok());
        auto run = (*session)->run({});
        QVERIFY(run.ok());
        const auto textAt = [&](StepId step) {
            return DumpText::of(*(*run)->graphAt(step), static_cast<DumpTextForm>(form), "step");
        };
        const auto last = textAt((*run)->lastStep());
        const auto same = diffTexts(*last, *last);
        QVERIFY(same.ok() && same->changes.empty() && same->summaries.empty());
        // A step that changes something shows nodes that its journal names, and no others are added or removed.
        const auto fusion = (*run)->findStep("ConvBatchnormFusionPass");
        QVERIFY(fusion.has_value());
        const StepId before{fusion->value - 1};
        const auto diff = diffTexts(*textAt(before), *textAt(*fusion));
        QVERIFY(diff.ok());
        // Nodes are known by their names: one that is made anew under an old name has changed.
        std::set<std::string> old, now;
        const auto namesOf = [](const Graph& graph) {
            std::set<std::string> names;
            for (const NodeId id : graph.allNodes()) names.insert(graph.node(id).name);
            return names;
        };
        old = namesOf(*(*run)->graphAt(before));
        now = namesOf(*(*run)->graphAt(*fusion));
        std::size_t added = 0, removed = 0;
        for (const TextChange& each : diff->changes) {
            if (!each.field.empty() || each.node.empty()) continue;
            if (each.kind == ChangeKind::Added)
                QVERIFY2(now.contains(each.node) && !old.contains(each.node), each.node.c_str());
            if (each.kind == ChangeKind::Removed)
                QVERIFY2(old.contains(each.node) && !now.contains(each.node), each.node.c_str());
            added += each.kind == ChangeKind::Added;
            removed += each.kind == ChangeKind::Removed;
        }
        QVERIFY(added > 0 && removed > 0);
        std::size_t gone = 0;
        for (const std::string& name : old) gone += !now.contains(name);
        QCOMPARE(removed, gone);
    }

    void badTextsAreErrors()
    {
        const auto good = DumpText::of(proto("8"), "good");
        for (const char* text : {"", "hello", "}\n", "}}}}"}) {
            const auto diff = diffTexts(*good, *DumpText::of(text, "bad"));
            QVERIFY2(!diff.ok() && diff.error().message().find("bad") != std::string::npos, text);
        }
        // Cut in the middle: what is there is compared.
        const std::string whole = proto("8");
        for (std::size_t cut = 40; cut < whole.size(); cut += 7)
            (void)diffTexts(*good, *DumpText::of(whole.substr(0, cut), "cut"));
        QVERIFY(!diffTexts(*good, *DumpText::of("graph(\"m\"):\n  %a : [] = Node[type=Data] ()\n", "listing")).ok());
        std::stop_source stop;
        stop.request_stop();
        (void)diffTexts(*good, *good, stop.get_token());
    }
};

QTEST_GUILESS_MAIN(TestTextDiff)
#include "tst_text_diff.moc"
