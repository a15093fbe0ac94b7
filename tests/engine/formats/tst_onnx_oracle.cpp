// Our graph of step 0 against what GE's own parser made of the same models: operator types and their number, input
// names, attributes and edges. Names that GE invents are not compared. Differences that remain are listed below with
// their reason; the list is exact, so one that vanishes must leave it.

#include "engine/formats/onnx/onnx_reader.h"

#include <QtTest>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace fs = std::filesystem;
using namespace gelens;

namespace {

// ---- a small reader of protobuf text

struct TextMessage;
struct TextField {
    std::string scalar;
    std::shared_ptr<TextMessage> message;
};
struct TextMessage {
    std::multimap<std::string, TextField> fields;

    const TextMessage* child(const std::string& name) const
    {
        const auto field = fields.find(name);
        return field == fields.end() ? nullptr : field->second.message.get();
    }
    std::string text(const std::string& name) const
    {
        const auto field = fields.find(name);
        return field == fields.end() ? std::string() : field->second.scalar;
    }
    std::vector<std::string> texts(const std::string& name) const
    {
        std::vector<std::string> all;
        for (auto [it, end] = fields.equal_range(name); it != end; ++it) all.push_back(it->second.scalar);
        return all;
    }
    std::vector<const TextMessage*> children(const std::string& name) const
    {
        std::vector<const TextMessage*> all;
        for (auto [it, end] = fields.equal_range(name); it != end; ++it) all.push_back(it->second.message.get());
        return all;
    }
};

/// One field or brace a line, as protobuf prints it.
TextMessage parseText(std::istream& in)
{
    TextMessage root;
    std::vector<TextMessage*> stack{&root};
    for (std::string line; std::getline(in, line);) {
        const auto first = line.find_first_not_of(' ');
        if (first == std::string::npos) continue;
        line.erase(0, first);
        if (line == "}") {
            stack.pop_back();
            continue;
        }
        TextField field;
        const auto colon = line.find(": ");
        if (line.size() > 2 && line.compare(line.size() - 2, 2, " {") == 0) {
            field.message = std::make_shared<TextMessage>();
            stack.back()->fields.emplace(line.substr(0, line.size() - 2), field);
            stack.push_back(field.message.get());
            continue;
        }
        if (colon == std::string::npos) qFatal("cannot read '%s'", line.c_str());
        field.scalar = line.substr(colon + 2);
        if (field.scalar.size() >= 2 && field.scalar.front() == '"')
            field.scalar = field.scalar.substr(1, field.scalar.size() - 2);
        stack.back()->fields.emplace(line.substr(0, colon), field);
    }
    return root;
}

// ---- both sides in one plain form

struct PlainInput {
    std::string name, source; ///< source: name of the node that feeds it, "" for an unconnected slot
    int index = 0;
};
struct PlainNode {
    std::string name, type;
    std::map<std::string, std::string> attrs;
    std::vector<PlainInput> inputs;
};
struct PlainGraph {
    std::string name;
    std::map<std::string, PlainNode> nodes;
};

/// What the dumper adds or derives when it writes, and values of constants (a level 2 dump has none).
bool isDerived(const std::string& attr)
{
    static const std::set<std::string> names = {"_input_name_key",
                                                "_input_name_value",
                                                "_output_name_key",
                                                "_output_name_value",
                                                "_ir_attr_names",
                                                "_ir_inputs_key",
                                                "_ir_inputs_value",
                                                "_ir_outputs_key",
                                                "_ir_outputs_value",
                                                "_opt_input",
                                                "is_input_const",
                                                "value",
                                                "_src_out_peer_index_for_ge_txt_load",
                                                "original_type",
                                                "_parent_node_index"};
    return names.contains(attr) || attr.rfind("__dynamic_", 0) == 0;
}

std::string number(double value) { return fmt::format("{:.6g}", value); }

std::string oracleValue(const TextMessage& value)
{
    if (const TextMessage* list = value.child("list")) {
        std::vector<std::string> items;
        for (const char* kind : {"i", "b", "s"})
            for (const std::string& item : list->texts(kind)) items.push_back(item);
        for (const std::string& item : list->texts("f")) items.push_back(number(std::strtod(item.c_str(), nullptr)));
        return fmt::format("[{}]", fmt::join(items, " "));
    }
    if (value.fields.contains("f")) return number(std::strtod(value.text("f").c_str(), nullptr));
    for (const char* kind : {"i", "b", "s", "dt"})
        if (value.fields.contains(kind)) return value.text(kind);
    return value.fields.empty() ? "" : value.fields.begin()->first;
}

std::string ourValue(const AttrValue& value)
{
    if (const auto* integer = value.as<std::int64_t>()) return fmt::format("{}", *integer);
    if (const auto* real = value.as<float>()) return number(*real);
    if (const auto* flag = value.as<bool>()) return *flag ? "true" : "false";
    if (const auto* text = value.as<std::string>()) return *text;
    if (const auto* type = value.as<DataType>()) return fmt::format("{}", static_cast<int>(*type));
    if (const auto* list = value.as<IntList>()) return fmt::format("[{}]", fmt::join(*list, " "));
    if (const auto* list = value.as<StringList>()) return fmt::format("[{}]", fmt::join(*list, " "));
    if (const auto* list = value.as<FloatList>()) {
        std::vector<std::string> items;
        for (const float item : *list) items.push_back(number(item));
        return fmt::format("[{}]", fmt::join(items, " "));
    }
    return value.text();
}

PlainGraph oracleGraph(const TextMessage& graph)
{
    PlainGraph plain;
    plain.name = graph.text("name");
    for (const TextMessage* op : graph.children("op")) {
        PlainNode node;
        node.name = op->text("name");
        node.type = op->text("type");
        std::map<int, std::string> names;
        for (const TextMessage* attr : op->children("attr")) {
            const std::string key = attr->text("key");
            const TextMessage* value = attr->child("value");
            if (!value) continue;
            if (key == "_input_name_key") {
                std::vector<std::string> keys = value->child("list")->texts("s");
                for (const TextMessage* other : op->children("attr"))
                    if (other->text("key") == "_input_name_value") {
                        const auto indices = other->child("value")->child("list")->texts("i");
                        for (std::size_t i = 0; i < keys.size() && i < indices.size(); ++i)
                            names[std::atoi(indices[i].c_str())] = keys[i];
                    }
            }
            if (!isDerived(key)) node.attrs[key] = oracleValue(*value);
        }
        int slot = 0;
        for (const std::string& input : op->texts("input")) {
            PlainInput plainInput;
            plainInput.name = names[slot++];
            const auto colon = input.rfind(':');
            if (!input.empty() && input != "\"") {
                plainInput.source = input.substr(0, colon);
                plainInput.index = std::atoi(input.c_str() + colon + 1);
            }
            node.inputs.push_back(plainInput);
        }
        plain.nodes.emplace(node.name, std::move(node));
    }
    return plain;
}

/// A ge_onnx dump of level 3: operators and edges, nothing else.
PlainGraph bareGraph(const TextMessage& graph)
{
    PlainGraph plain;
    plain.name = graph.text("name");
    for (const TextMessage* op : graph.children("node")) {
        PlainNode node;
        node.name = op->text("name");
        node.type = op->text("op_type").substr(3); // "ge:Relu"
        for (const std::string& input : op->texts("input")) {
            PlainInput plainInput;
            const auto colon = input.rfind(':');
            if (colon != std::string::npos) {
                plainInput.source = input.substr(0, colon);
                plainInput.index = std::atoi(input.c_str() + colon + 1);
            }
            node.inputs.push_back(plainInput);
        }
        plain.nodes.emplace(node.name, std::move(node));
    }
    return plain;
}

PlainGraph withoutDetail(PlainGraph graph)
{
    for (auto& [name, node] : graph.nodes) {
        node.attrs.clear();
        for (PlainInput& input : node.inputs) input.name.clear();
    }
    return graph;
}

PlainGraph ourGraph(const Graph& graph, GraphId id)
{
    PlainGraph plain;
    plain.name = graph.subgraph(id).name;
    graph.forEachNode(id, [&](const Node& node) {
        PlainNode plainNode;
        plainNode.name = node.name;
        plainNode.type = node.isOpaque ? "opaque " + node.type : node.type;
        for (const auto& [key, value] : node.attrs)
            if (!isDerived(key)) plainNode.attrs[key] = ourValue(value);
        for (const InputSlot& input : node.inputs)
            plainNode.inputs.push_back({input.name,
                                        input.source.isValid() ? graph.node(input.source.node).name : std::string(),
                                        input.source.index});
        plain.nodes.emplace(node.name, std::move(plainNode));
    });
    return plain;
}

/// A node as one line, its neighbours by type only, so that one difference does not spread over the graph.
std::map<std::string, int> lines(const PlainGraph& graph)
{
    std::map<std::string, int> result;
    for (const auto& [name, node] : graph.nodes) {
        std::vector<std::string> inputs, attrs;
        for (const PlainInput& input : node.inputs)
            inputs.push_back(fmt::format(
                "{}={}", input.name,
                input.source.empty() ? "-" : fmt::format("{}:{}", graph.nodes.at(input.source).type, input.index)));
        for (const auto& [key, value] : node.attrs) attrs.push_back(key + "=" + value);
        ++result[fmt::format("{}({}) {{{}}}", node.type, fmt::join(inputs, ", "), fmt::join(attrs, ", "))];
    }
    return result;
}

/// What each node stands for, inputs followed to the graph's own: equal multisets mean equal edges.
std::multiset<std::string> structure(const PlainGraph& graph)
{
    std::map<std::string, std::size_t> hashes;
    for (const auto& [name, node] : graph.nodes)
        hashes[name] = std::hash<std::string>{}(node.type == "Data" ? name : node.type);
    for (int round = 0; round < 24; ++round) {
        std::map<std::string, std::size_t> next;
        for (const auto& [name, node] : graph.nodes) {
            std::size_t hash = hashes[name];
            for (const PlainInput& input : node.inputs)
                hash = hash * 1000003 +
                       (input.source.empty() ? 7 : hashes[input.source] * 31 + static_cast<std::size_t>(input.index));
            next[name] = hash;
        }
        hashes = std::move(next);
    }
    std::multiset<std::string> result;
    for (const auto& [name, node] : graph.nodes) result.insert(fmt::format("{} {:x}", node.type, hashes[name]));
    return result;
}

std::vector<std::string> differences(const PlainGraph& oracle, const PlainGraph& ours)
{
    std::vector<std::string> result;
    const auto theirLines = lines(oracle);
    auto ourLines = lines(ours);
    for (const auto& [line, count] : theirLines) {
        const int have = ourLines.contains(line) ? ourLines[line] : 0;
        if (count > have) result.push_back(fmt::format("GE {}x {}", count - have, line));
        if (have > count) result.push_back(fmt::format("we {}x {}", have - count, line));
        ourLines.erase(line);
    }
    for (const auto& [line, count] : ourLines) result.push_back(fmt::format("we {}x {}", count, line));
    if (result.empty() && structure(oracle) != structure(ours)) result.push_back("the edges differ");
    return result;
}

// ---- what remains

struct Remaining {
    const char* model;
    const char* difference;
    const char* reason;
};

const std::vector<Remaining>& remaining()
{
    static const std::vector<Remaining> list = {
#include "tst_onnx_oracle_remaining.inc"
    };
    return list;
}

struct Case {
    std::string name; ///< folder without "onnx_"
    fs::path dump, model;
};

std::vector<Case> cases()
{
    std::vector<Case> found;
    const fs::path corpus(GELENS_CORPUS_DIR);
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(corpus / "ge-oracle", error)) {
        const std::string folder = entry.path().filename().string();
        if (folder.rfind("onnx_", 0) != 0) continue;
        Case one{folder.substr(5), {}, {}};
        for (const char* level : {"level2", "level1"})
            if (one.dump.empty())
                for (const auto& file : fs::directory_iterator(entry.path() / level, error))
                    if (file.path().filename().string().rfind("ge_proto_", 0) == 0) one.dump = file.path();
        if (one.dump.empty())
            for (const auto& file : fs::directory_iterator(entry.path() / "level3", error))
                if (file.path().filename().string().rfind("ge_onnx_", 0) == 0) one.dump = file.path();
        for (const char* group : {"gen", "real", "ge-parser"}) {
            const fs::path model = corpus / "onnx" / group / one.name / "model.onnx";
            if (fs::exists(model)) one.model = model;
        }
        found.push_back(std::move(one));
    }
    std::sort(found.begin(), found.end(), [](const Case& a, const Case& b) { return a.name < b.name; });
    return found;
}

} // namespace

class TestOnnxOracle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sameAsGesOwnParser_data()
    {
        QTest::addColumn<int>("index");
        const auto all = cases();
        for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
        if (all.empty()) QSKIP("the corpus is not here");
    }

    void sameAsGesOwnParser()
    {
        QFETCH(int, index);
        const Case one = cases()[static_cast<std::size_t>(index)];
        QVERIFY(!one.dump.empty() && !one.model.empty());
        std::ifstream in(one.dump);
        const TextMessage dump = parseText(in);
        std::vector<const TextMessage*> graphs = dump.children("graph");
        if (graphs.empty()) graphs.push_back(&dump);
        const bool isBare = one.dump.extension() == ".pbtxt";
        const auto document = readOnnx(one.model);
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
        const Graph& graph = document.value().graph;

        std::vector<std::string> all;
        std::map<std::string, GraphId> byName;
        for (const GraphId id : graph.liveSubgraphs()) byName[graph.subgraph(id).name] = id;
        for (std::size_t i = 0; i < graphs.size(); ++i) {
            const PlainGraph oracle = isBare ? bareGraph(*graphs[i]) : oracleGraph(*graphs[i]);
            const auto match = i == 0 ? byName.find(graph.name()) : byName.find(oracle.name);
            if (match == byName.end()) {
                all.push_back("no graph " + oracle.name);
                continue;
            }
            const PlainGraph ours = ourGraph(graph, match->second);
            for (std::string& text : differences(oracle, isBare ? withoutDetail(ours) : ours))
                all.push_back(std::move(text));
        }
        if (byName.size() != graphs.size())
            all.push_back(fmt::format("GE {} graphs, we {}", graphs.size(), byName.size()));

        for (const Remaining& known : remaining()) {
            if (one.name != known.model) continue;
            const auto place = std::find(all.begin(), all.end(), known.difference);
            if (place == all.end())
                all.push_back(fmt::format("listed but gone: {}", known.difference));
            else
                all.erase(place);
        }
        for (const std::string& text : all) qInfo("%s", text.c_str());
        QVERIFY2(all.empty(), fmt::format("{} differences from GE's parser", all.size()).c_str());
    }
};

QTEST_GUILESS_MAIN(TestOnnxOracle)
#include "tst_onnx_oracle.moc"
