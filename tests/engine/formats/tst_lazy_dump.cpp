// Large text dumps, whose attributes stay in the file: the graph that comes out must be the one that protobuf's own
// TextFormat gives, for every file that GE wrote, and however the text is laid out.

#include "engine/formats/ge_onnx_reader.h"
#include "engine/formats/ge_onnx_writer.h"
#include "engine/formats/ge_proto_reader.h"
#include "engine/formats/ge_proto_writer.h"
#include "engine/formats/mapped_file.h"
#include "engine/formats/model_file.h"
#include "engine/formats/text_proto_reader_internal.h"
#include "engine/formats/text_scan_internal.h"
#include "engine/graph/graph_editor.h"
#include "tests/engine/formats/ge_oracle.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/text_format.h>

#include <QtTest>

#include <random>
#include <thread>

using namespace gelens;
using namespace gelens::test;
namespace pb = google::protobuf;

namespace {

std::unique_ptr<pb::Message> messageOf(const char* type)
{
    const auto* const descriptor = pb::DescriptorPool::generated_pool()->FindMessageTypeByName(type);
    return std::unique_ptr<pb::Message>(pb::MessageFactory::generated_factory()->GetPrototype(descriptor)->New());
}

/// What protobuf makes of a text; null when it refuses.
std::unique_ptr<pb::Message> parsedByProtobuf(const std::string& text, const char* type)
{
    auto message = messageOf(type);
    pb::TextFormat::Parser parser;
    parser.AllowUnknownField(true);
    parser.AllowPartialMessage(true);
    return parser.ParseFromString(text, message.get()) ? std::move(message) : nullptr;
}

Result<ModelDocument> readLazily(const std::string& text, bool isOnnx)
{
    const auto owner = std::make_shared<const std::string>(text);
    return isOnnx ? readGeOnnx(*owner, {}, owner) : readGeProto(*owner, {}, owner);
}

/// Nodes whose own attributes still lie in the text.
int pendingNodes(const Graph& graph)
{
    int count = 0;
    for (const NodeId id : graph.allNodes()) count += !graph.node(id).attrs.isLoaded();
    return count;
}

/// Everything that a document says, as text.
std::string wholeText(const ModelDocument& document)
{
    std::ostringstream out;
    for (const gelens::Message& message : document.messages) out << message.text << '\n';
    for (const auto& [type, count] : document.operatorHistogram) out << type << ' ' << count << '\n';
    out << document.weightCount << ' ' << document.weightBytes << ' ' << document.absentWeightCount << ' '
        << document.absentWeightBytes << ' ' << document.producer << ' ' << document.irVersion << '\n';
    for (const auto& [name, value] : document.metadata) out << name << '=' << value << '\n';
    const Graph& graph = document.graph;
    for (const NodeId id : graph.allNodes()) {
        const Node& node = graph.node(id);
        out << node.name << ' ' << node.isOpaque << ' ' << node.placement.engine << ' ' << node.placement.kernelLib
            << ' ' << node.placement.streamId;
        for (const InputSlot& slot : node.inputs) out << ' ' << slot.name;
        for (const OutputSlot& slot : node.outputs) out << ' ' << slot.name;
        out << '\n';
    }
    out << graph.fingerprint() << '\n';
    out << geProtoText(graph, DumpDetail::Full) << geOnnxText(graph, DumpDetail::Full);
    return out.str();
}

/// The lazy reading of `text` against the reading of what protobuf made of the same text.
bool agrees(const std::string& text, bool isOnnx, QString& why)
{
    auto lazy = readLazily(text, isOnnx);
    if (!lazy.ok()) {
        why = QStringLiteral("not read: ") + QString::fromStdString(lazy.error().message());
        return false;
    }
    const auto message = parsedByProtobuf(text, isOnnx ? "onnx.ModelProto" : "ge.proto.ModelDef");
    if (!message) {
        why = QStringLiteral("protobuf refuses the text");
        return false;
    }
    Result<ModelDocument> whole = Error::invalid("not read");
    if (isOnnx) {
        std::string printed;
        pb::TextFormat::PrintToString(*message, &printed);
        whole = readGeOnnx(printed);
    } else {
        const std::string bytes = message->SerializePartialAsString();
        whole = readAir(std::as_bytes(std::span(bytes)));
    }
    if (!whole.ok()) {
        why = QStringLiteral("protobuf's message: ") + QString::fromStdString(whole.error().message());
        return false;
    }
    const std::string ours = wholeText(*lazy), theirs = wholeText(*whole);
    why = QString::fromStdString(firstDifference(ours, theirs));
    return ours == theirs && lazy->graph.findInconsistency().empty();
}

/// The canonical text with other white space: `newline` for each line's end and `indent` for each step of indentation.
std::string laidOut(const std::string& text, const char* newline, const char* indent)
{
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const auto first = std::min(line.find_first_not_of(' '), line.size());
        for (std::size_t i = 0; i < first / 2; ++i) out += indent;
        out.append(line, first).append(newline);
    }
    return out;
}

/// Every fourth closing brace shares a line with the next, blocks open on their own lines, and blanks are odd.
std::string crooked(const std::string& text)
{
    std::mt19937 random(11);
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const auto first = std::min(line.find_first_not_of(' '), line.size());
        out.append(random() % 7, ' ');
        out.append(line, first);
        out.append(line.ends_with('"') || random() % 4 != 0 ? "\n" : " ");
    }
    return out;
}

/// The canonical text with everything that only the tolerant reader understands.
std::string odd(const std::string& text)
{
    std::mt19937 random(7);
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (random() % 9 == 0) out += "# a { comment } with \" quotes\n";
        if (const auto quote = line.find(": \""); quote != std::string::npos && random() % 5 == 0 &&
                                                  line.find('\\') == std::string::npos &&
                                                  line.find('\'') == std::string::npos) {
            line[quote + 2] = '\'';
            line.back() = '\'';
        }
        out += line;
        if (line.find(':') != std::string::npos && random() % 8 == 0) out += random() % 2 == 0 ? "," : ";";
        out += '\n';
    }
    return out;
}

std::vector<std::pair<fs::path, bool>> corpus()
{
    std::vector<std::pair<fs::path, bool>> files;
    for (const fs::path& path : filesLike(fs::path(GELENS_CORPUS_DIR) / "dumps", "ge_proto_", ".txt"))
        files.emplace_back(path, false);
    for (const fs::path& path : filesLike(oracle(), "ge_proto_", ".txt")) files.emplace_back(path, false);
    for (const fs::path& path : filesLike(oracle(), "ge_onnx_", ".pbtxt")) files.emplace_back(path, true);
    return files;
}

/// The end of a message found character by character.
std::optional<std::size_t> slowSkip(std::string_view text)
{
    int depth = 1;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\n') return std::nullopt;
            if (c == '\\') {
                if (++i >= text.size()) return std::nullopt;
                if (text[i] == '\n') return std::nullopt;
                continue;
            }
            inString = c != '"';
        } else if (c == '"') {
            inString = true;
        } else if (c == '<' || c == '>' || c == '\'' || c == '#' || c == '\0') {
            return std::nullopt;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return std::nullopt;
}

} // namespace

class TestLazyDump : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void skipsLikeASlowReader()
    {
        std::mt19937 random(3);
        const std::string_view plain = "{}{}\"\"\\ ab:\n{}";
        int found = 0;
        for (int round = 0; round < 60'000; ++round) {
            std::string text;
            const std::size_t length = random() % 300;
            bool inString = false;
            while (text.size() < length) {
                char c = plain[random() % plain.size()];
                if (!inString && c == '\\') c = ' ';        // stands in strings only
                if (c == '{' && random() % 2 == 0) c = ' '; // more often closed than opened, so that most messages end
                if (inString && c == '\n' && random() % 20 != 0) c = 'n';
                if (random() % 400 == 0) c = "<>'#\0"[random() % 5];
                if (inString && c == '\\') {
                    text += c;
                    text += "\"\\n{}"[random() % 5];
                    continue;
                }
                inString = inString != (c == '"');
                text += c;
            }
            const auto slow = slowSkip(text), quick = skipTextMessage(text);
            found += slow.has_value();
            // A stop further on in the same block of 64 is no reason to stop: what lies behind the end does not count.
            if (slow != quick)
                QFAIL(qPrintable(QStringLiteral("round %1: %2 against %3 in '%4'")
                                     .arg(round)
                                     .arg(quick ? qint64(*quick) : -1)
                                     .arg(slow ? qint64(*slow) : -1)
                                     .arg(QString::fromLatin1(text.data(), static_cast<int>(text.size())))));
        }
        QVERIFY(found > 10'000);
    }

    void everyFixtureIsAsProtobufReadsIt()
    {
        SKIP_WITHOUT_CORPUS();
        const auto files = corpus();
        QVERIFY(files.size() > 150);
        int nodes = 0, pending = 0;
        QStringList different;
        for (const auto& [path, isOnnx] : files) {
            const std::string text = fileText(path);
            QString why;
            if (!agrees(text, isOnnx, why))
                different << QString::fromStdString(path.string()) + QStringLiteral(": ") + why;
            const auto lazy = readLazily(text, isOnnx);
            if (!lazy.ok() || detailOf(path) == DumpDetail::Topology) continue;
            nodes += lazy->graph.nodeCount();
            pending += pendingNodes(lazy->graph);
        }
        qInfo("%d of %d nodes keep their attributes in the text", pending, nodes);
        QVERIFY2(different.isEmpty(), qPrintable(QLatin1Char('\n') + different.mid(0, 20).join(QLatin1Char('\n'))));
        // What GE writes is plain; wide operators of ge_onnx (descriptors as JSON) are read at once.
        QVERIFY(pending > nodes * 9 / 10);
    }

    void anyLayoutIsTheSame()
    {
        SKIP_WITHOUT_CORPUS();
        QStringList different;
        int count = 0;
        const auto files = corpus();
        for (std::size_t i = 0; i < files.size(); i += 3) {
            const auto& [path, isOnnx] = files[i];
            const std::string text = fileText(path);
            const auto canonical = readLazily(text, isOnnx);
            QVERIFY(canonical.ok());
            const std::string wanted = wholeText(*canonical);
            for (const std::string& other : {laidOut(text, "\n", ""), laidOut(text, "\r\n", "\t"),
                                             laidOut(text, " ", " "), crooked(text), odd(text)}) {
                const auto document = readLazily(other, isOnnx);
                ++count;
                if (!document.ok() || wholeText(*document) != wanted)
                    different << QString::fromStdString(path.string()) +
                                     QString::fromStdString(document.ok()
                                                                ? firstDifference(wholeText(*document), wanted)
                                                                : document.error().message());
            }
        }
        QVERIFY(count > 200);
        QVERIFY2(different.isEmpty(), qPrintable(QLatin1Char('\n') + different.mid(0, 10).join(QLatin1Char('\n'))));
    }

    void aCutSaysTheSame()
    {
        SKIP_WITHOUT_CORPUS();
        for (const auto& [name, isOnnx] :
             {std::pair{"attention/level1/ge_proto_00000000_graph_0_PreRunBegin.txt", false},
              std::pair{"attention/level1/ge_onnx_00000000_graph_0_PreRunBegin.pbtxt", true}}) {
            const std::string text = fileText(oracle() / name);
            QVERIFY(!text.empty());
            std::mt19937 random(5);
            for (int i = 0; i < 60; ++i) {
                const std::string cut = text.substr(0, random() % text.size());
                const auto lazy = readLazily(cut, isOnnx);
                const auto whole = isOnnx ? readGeOnnx(cut) : readGeProto(cut);
                QCOMPARE(lazy.ok(), whole.ok());
                if (!lazy.ok()) {
                    QCOMPARE(lazy.error().message(), whole.error().message());
                    continue;
                }
                QCOMPARE(lazy->messages.size(), whole->messages.size());
                for (std::size_t m = 0; m < lazy->messages.size(); ++m)
                    QCOMPARE(lazy->messages[m].text, whole->messages[m].text);
                QCOMPARE(lazy->graph.fingerprint(), whole->graph.fingerprint());
            }
        }
    }

    void damageInAnAttributeKeepsTheOthers()
    {
        const std::string text = R"(graph { name: "g" op { name: "a" type: "Relu"
            attr { key: "first" value { i: 1 } } attr { key: "bad" value { i: @ } } attr { key: "last" value { i: 3 } }
            output_desc { dtype: DT_FLOAT device_type: "NPU" } } })";
        const auto document = readLazily(text, false);
        QVERIFY(document.ok());
        const Node& node = document->graph.node(document->graph.findNode("a"));
        QCOMPARE(attrInt(node.attrs, "first"), 1);
        QCOMPARE(attrInt(node.attrs, "last"), 3);
        QVERIFY(node.attrs.contains("bad")); // its text, as bytes
        QVERIFY(node.attrs.find("bad")->second.as<RawBytes>());
    }

    /// The last one counts, also where the skeleton is read without a look at the attribute.
    void aSecondNameCountsEitherWay()
    {
        const auto text = [](const std::string& attribute) {
            return R"(ir_version: 6 producer_name: "GE" graph { node { name: "a" op_type: "ge:Relu" )" + attribute +
                   R"( attribute { name: "output_desc_device_type:0" s: "NPU" type: STRING }
                       attribute { name: "output_desc_dtype:0" s: "DT_FLOAT" type: STRING }
                       attribute { name: "output_desc_nums" i: 1 type: INT } } name: "g" })";
        };
        QVERIFY(readGeOnnx(text({})).ok());
        for (const char* attribute :
             {R"(attribute { name: "plain" s: "x" type: STRING name: "other" })",
              R"(attribute { name: "plain" name: "plain" i: 1 type: INT })",
              R"(attribute { name: "output_desc_shape:0" ints: 1 type: INTS name: "output_desc_size:0" })",
              R"(attribute { name: "output_desc_attr_k:0" i: 1 type: INT name: "k" })",
              R"(attribute { name: "stream_id" i: 1 type: INT name: "id" })",
              R"(attribute { name: "plain" i: 7 type: INT name: "stream_id" })",
              R"(attribute { name: "plain" name: "_ge_attr_engine_name" s: "E" type: STRING })",
              R"(attribute { name: "_input_name_key" strings: "x" type: STRINGS name: "id" })",
              R"(attribute { name: "plain" s: "a name: x" type: STRING })",
              R"(attribute { name: "plain" g { name: "inside" } type: GRAPH })"}) {
            const std::string dump = text(attribute);
            const auto lazy = readLazily(dump, true), whole = readGeOnnx(dump);
            QVERIFY2(lazy.ok() && whole.ok(), attribute);
            QCOMPARE(lazy->messages.size(), whole->messages.size());
            const Placement &lazyPlace = lazy->graph.node(lazy->graph.findNode("a")).placement,
                            &wholePlace = whole->graph.node(whole->graph.findNode("a")).placement;
            QCOMPARE(lazyPlace.streamId, wholePlace.streamId);
            QCOMPARE(lazyPlace.engine, wholePlace.engine);
            QVERIFY2(wholeText(*lazy) == wholeText(*whole), attribute);
        }
    }

    /// Descriptors that are known from another node are not taken for those that only begin alike.
    void descriptorsThatBeginAlikeDiffer()
    {
        const auto node = [](const std::string& name, const std::string& rest) {
            return "node { name: \"" + name +
                   "\""
                   R"( op_type: "ge:Relu" attribute { name: "output_desc_attr_k:0" i: 7 type: INT }
                attribute { name: "output_desc_device_type:0" s: "NPU" type: STRING }
                attribute { name: "output_desc_dtype:0" s: "DT_FLOAT16" type: STRING }
                attribute { name: "output_desc_nums" i: 1 type: INT } )" +
                   rest + " } ";
        };
        const std::string shape = R"(attribute { name: "output_desc_shape:0" ints: 4 ints: 5 type: INTS } )";
        const std::string other = R"(attribute { name: "z" i: 1 type: INT } )";
        const std::string onnx = R"(ir_version: 6 producer_name: "GE" graph { )" + node("a", "") + node("b", shape) +
                                 node("c", "") + node("d", other + shape) + node("e", shape) + node("f", other) +
                                 node("g", other) + R"(name: "g" })";
        const auto op = [](const std::string& name, const std::string& rest) {
            return "op { name: \"" + name +
                   "\""
                   R"( type: "Relu" output_desc { dtype: DT_FLOAT16 device_type: "NPU"
                attr { key: "k" value { i: 7 } } )" +
                   rest + " } } ";
        };
        const std::string dims = "shape { dim: 4 dim: 5 }";
        const std::string proto =
            R"(graph { name: "g" )" + op("a", "") + op("b", dims) + op("c", "") + op("d", dims) + "}";
        for (const bool isOnnx : {true, false}) {
            const std::string& dump = isOnnx ? onnx : proto;
            const auto whole = isOnnx ? readGeOnnx(dump) : readGeProto(dump);
            QVERIFY(whole.ok());
            const std::string wanted = wholeText(*whole);
            for (int look = 0; look < 2; ++look) { // the second time nearly all of them are known
                const auto lazy = readLazily(dump, isOnnx);
                QVERIFY(lazy.ok());
                QVERIFY2(wholeText(*lazy) == wanted, firstDifference(wholeText(*lazy), wanted).c_str());
                QCOMPARE(lazy->graph.node(lazy->graph.findNode("b")).outputs.front().desc.shape, Shape({4, 5}));
                QCOMPARE(attrInt(lazy->graph.node(lazy->graph.findNode("c")).outputs.front().desc.attrs, "k"), 7);
            }
        }
    }

    /// A text that is known but for its numbers gets its own, however it says them.
    void numbersInKnownTextsAreTheirOwn()
    {
        const auto dims = [](const char* word, std::vector<std::int64_t> numbers) {
            std::string text;
            for (const std::int64_t number : numbers) text += std::string(" ") + word + ": " + std::to_string(number);
            return text;
        };
        std::vector<std::string> protoDescs, onnxRows;
        const std::vector<std::vector<std::int64_t>> shapes{{4, 5}, {},  {7},    {-1, 3, 1099511627776},
                                                            {-2},   {0}, {4, 5}, {1, 2, 3, 4, 5, 6}};
        for (const auto& shape : shapes)
            for (const auto& origin : shapes)
                for (const int size : {0, 512, 1024}) {
                    const std::string sizeText = size == 0 ? "" : " size: " + std::to_string(size);
                    protoDescs.push_back("dtype: DT_FLOAT shape {" + dims("dim", shape) +
                                         " } layout: \"ND\" attr { key: \"k\" value { i: 7 } } " +
                                         "attr { key: \"origin_shape\" value { list {" + dims("i", origin) +
                                         " val_type: VT_LIST_INT } } }" + sizeText + " device_type: \"NPU\"");
                    const std::string number = size == 0 ? "" : " i: " + std::to_string(size);
                    const auto row = [](const std::string& name, const std::string& content) {
                        return "attribute { name: \"output_desc_" + name + "\"" + content + " } ";
                    };
                    onnxRows.push_back(
                        row("attr_k:0", " i: 7 type: INT") + row("device_type:0", " s: \"NPU\" type: STRING") +
                        row("dtype:0", " s: \"DT_FLOAT\" type: STRING") + row("layout:0", " s: \"ND\" type: STRING") +
                        row("nums", " i: 1 type: INT") + row("origin_shape:0", dims("ints", origin) + " type: INTS") +
                        row("shape:0", dims("ints", shape) + " type: INTS") + row("size:0", number + " type: INT"));
                }
        // Rows that may say a default, with the value before and behind the type.
        for (const char* odd :
             {"origin_dtype:0\" s: \"DT_INT8\" type: STRING", "origin_dtype:0\" type: STRING s: \"DT_INT8\"",
              "origin_dtype:0\" type: STRING", "weight_size:0\" type: INT i: 64", "weight_size:0\" i: 64 type: INT",
              "weight_size:0\" type: INT", "cmps_tab:0\" type: STRING s: \"t\""})
            onnxRows.push_back(onnxRows.front() + "attribute { name: \"output_desc_" + odd + " } ");
        // Said twice, in pieces, behind something else, or not at all.
        for (const char* odd :
             {"shape { dim: 4 } shape { dim: 5 }", "shape { dim: 4 dim: 6 } size: 3 size: 4", "size: 07",
              R"(attr { key: "origin_shape" value { list { val_type: VT_LIST_INT i: 3 i: 4 } } })",
              R"(attr { key: "origin_shape" value { list { i: 3 val_type: VT_LIST_INT i: 4 } } })",
              R"(attr { key: "origin_shape" value { list { i: 3 } } } attr { key: "origin_shape" value { } })",
              R"(attr { key: "k" key: "l" value { i: 5 } })", R"(attr { key: "k" value { i: 5 } key: "l" })",
              R"(attr { key: "origin_shape" value { } })", "shape { dim: 4 dim: 0x5 }", "shape { dim: 4, dim: 5 }"})
            for (int twice = 0; twice < 2; ++twice)
                protoDescs.push_back(std::string("dtype: DT_FLOAT layout: \"ND\" ") + odd + " device_type: \"NPU\"");
        std::mt19937 random(7);
        std::string proto = "graph { name: \"g\" ", onnx = R"(ir_version: 6 producer_name: "GE" graph { )";
        for (std::size_t i = 0; i < 3 * protoDescs.size(); ++i)
            proto += "op { name: \"n" + std::to_string(i) + "\" type: \"Relu\" output_desc { " +
                     protoDescs[random() % protoDescs.size()] + " } } ";
        for (std::size_t i = 0; i < 3 * onnxRows.size(); ++i)
            onnx += "node { name: \"n" + std::to_string(i) + "\" op_type: \"ge:Relu\" " +
                    onnxRows[random() % onnxRows.size()] + "} ";
        for (const auto& [dump, isOnnx] : {std::pair{proto + "}", false}, std::pair{onnx + "name: \"g\" }", true}}) {
            const auto whole = isOnnx ? readGeOnnx(dump) : readGeProto(dump);
            const auto lazy = readLazily(dump, isOnnx);
            QVERIFY(whole.ok() && lazy.ok());
            QVERIFY(pendingNodes(lazy->graph) > lazy->graph.nodeCount() / 2);
            QVERIFY2(wholeText(*lazy) == wholeText(*whole),
                     firstDifference(wholeText(*lazy), wholeText(*whole)).c_str());
        }
    }

    void manyThreadsLookAtOnce()
    {
        SKIP_WITHOUT_CORPUS();
        for (const bool isOnnx : {false, true}) {
            const std::string text =
                fileText(oracle() / (isOnnx ? "attention/level1/ge_onnx_00000000_graph_0_PreRunBegin.pbtxt"
                                            : "attention/level1/ge_proto_00000000_graph_0_PreRunBegin.txt"));
            const auto document = readLazily(text, isOnnx);
            const auto expected = isOnnx ? readGeOnnx(text) : readGeProto(text);
            QVERIFY(document.ok() && expected.ok());
            const Graph& graph = document->graph;
            std::vector<std::uint64_t> prints(8);
            std::vector<std::thread> threads;
            for (std::size_t t = 0; t < prints.size(); ++t)
                threads.emplace_back([&, t] {
                    const Graph copy = graph; // shares the nodes
                    prints[t] = t % 2 == 0 ? graph.fingerprint() : copy.fingerprint();
                });
            for (std::thread& thread : threads) thread.join();
            for (const std::uint64_t print : prints) QCOMPARE(print, expected->graph.fingerprint());
        }
    }

    void aChangedGraphKeepsWhatTheFileSaid()
    {
        SKIP_WITHOUT_CORPUS();
        const std::string text = fileText(oracle() / "attention/level1/ge_proto_00000000_graph_0_PreRunBegin.txt");
        auto lazy = readLazily(text, false);
        auto whole = readGeProto(text);
        QVERIFY(lazy.ok() && whole.ok());
        // The attributes are first looked at after an edit, in both the same.
        for (Graph* graph : {&lazy->graph, &whole->graph}) {
            Journal journal;
            GraphEditor editor(*graph, journal);
            const std::vector<NodeId> nodes = graph->nodes();
            editor.rename(nodes[5], "renamed");
            editor.moveAfter(nodes[7], nodes[2]);
            editor.setAttr(nodes[9], "added", AttrValue(1));
        }
        QCOMPARE(QString::fromStdString(geProtoText(lazy->graph, DumpDetail::Full)),
                 QString::fromStdString(geProtoText(whole->graph, DumpDetail::Full)));
    }

    void theMappedFileIsKept()
    {
        SKIP_WITHOUT_CORPUS();
        const fs::path path = fs::path(GELENS_CORPUS_DIR) / "dumps" / "ge_proto_00026_afterUBMatch.txt";
        auto document = openModel(path);
        QVERIFY(document.ok());
        QVERIFY(pendingNodes(document->graph) > document->graph.nodeCount() * 9 / 10);
        const Graph graph = std::move(document->graph);
        document = Error::invalid("gone");
        const auto whole = readGeProto(fileText(path));
        QVERIFY(whole.ok());
        QCOMPARE(graph.fingerprint(), whole->graph.fingerprint());
    }
};

QTEST_GUILESS_MAIN(TestLazyDump)
#include "tst_lazy_dump.moc"
