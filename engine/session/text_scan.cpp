#include "engine/session/text_scan_internal.h"

#include <cstring>
#include <map>
#include <string>

namespace gelens::textdiff {
namespace {

constexpr std::size_t stopInterval = 4096; ///< nodes between two looks at the stop token

std::uint64_t load(const char* at)
{
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    return word;
}

/// The line that starts at `at`, without its end; `next` is where the one behind it starts.
std::string_view lineAt(std::string_view text, std::size_t at, std::size_t& next)
{
    const void* end = std::memchr(text.data() + at, '\n', text.size() - at);
    const std::size_t stop =
        end == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(end) - text.data());
    next = end == nullptr ? text.size() : stop + 1;
    std::string_view line = text.substr(at, stop - at);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
}

/// "key: value" → value without quotes; what has no colon comes back empty.
std::string_view valueOf(std::string_view line)
{
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return {};
    std::string_view value = trimmed(line.substr(colon + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    return value;
}

bool isOpening(std::string_view line) { return !line.empty() && line.back() == '{'; }
bool isClosing(std::string_view line) { return line == "}"; }
/// "input_desc {" → "input_desc"; also the old form "input_desc: {".
std::string_view blockName(std::string_view line)
{
    line = trimmed(line.substr(0, line.size() - 1));
    if (!line.empty() && line.back() == ':') line.remove_suffix(1);
    return line;
}

class ProtoScanner {
public:
    ProtoScanner(std::string_view text, std::stop_token stop) : m_text(text), m_stop(stop) {}

    Result<ScannedText> run()
    {
        m_result.text = m_text;
        m_result.fields.reserve(m_text.size() / 80);
        std::size_t at = 0;
        while (at < m_text.size()) {
            const std::size_t begin = at;
            const std::string_view line = trimmed(lineAt(m_text, at, at));
            if (line.empty()) continue;
            if (isClosing(line)) {
                if (m_depth == 0) return Error::invalid("a brace is closed that was not opened");
                --m_depth;
                continue;
            }
            if (!isOpening(line)) {
                if (m_graphDepth > 0 && m_depth == m_graphDepth && line.starts_with("name:"))
                    m_graphs = graphIndex(valueOf(line));
                addLoose(begin, at, line);
                continue;
            }
            const std::string_view name = blockName(line);
            if (name == "graph") {
                ++m_depth;
                m_graphDepth = m_depth;
                ++m_graphs;
                continue;
            }
            if (name == "node" || name == "op") {
                GELENS_TRY(scanNode(begin, at, name == "op"));
                continue;
            }
            GELENS_TRY(scanLooseBlock(begin, at, name));
        }
        if (m_depth != 0) m_isCut = true; // a truncated dump: what is there is compared
        if (m_result.nodes.empty() && m_graphs == 0) return Error::invalid("this text is no dump of a graph");
        finishLoose();
        return std::move(m_result);
    }

private:
    std::uint32_t graphIndex(std::string_view name)
    {
        return m_graphNames.try_emplace(std::string(name), static_cast<std::uint32_t>(1000 + m_graphNames.size()))
            .first->second;
    }

    void finishField(Field& field, std::map<std::uint64_t, std::uint32_t>& uses, ScannedNode& node)
    {
        const std::uint64_t base = hashOf(field.group) * 31 + hashOf(field.name);
        // Attributes are unique by name; only other fields repeat.
        if (field.name.empty()) field.index = uses[base]++;
        field.key = mixed(base + field.index * 0x9e3779b97f4a7c15u);
        field.numbers = numberClassOf(field.name.empty() ? field.group : field.name);
        field.hash = hashOf(m_result.of(field.span));
        if (field.numbers == NumberClass::None) node.content += mixed(field.key ^ field.hash);
        node.sequence = mixed(node.sequence * 31 + field.key);
    }

    Status scanNode(std::size_t begin, std::size_t& at, bool isProto)
    {
        ScannedNode node;
        node.graph = m_graphs;
        node.firstField = static_cast<std::uint32_t>(m_result.fields.size());
        std::map<std::uint64_t, std::uint32_t> uses;
        const std::string_view typeKey = isProto ? "type:" : "op_type:";
        while (at < m_text.size()) {
            const std::size_t fieldBegin = at;
            const std::string_view line = trimmed(lineAt(m_text, at, at));
            if (line.empty()) continue;
            if (isClosing(line)) break;
            Field field;
            if (isOpening(line)) {
                field.group = blockName(line);
                field.isBlock = true;
                skipBlock(at, field);
                if (field.group == "attribute") field.group = "attr";
            } else {
                field.group = line.substr(0, std::min(line.find(':'), line.size()));
                if (line.starts_with("name:")) node.name = valueOf(line);
                if (line.starts_with(typeKey)) node.type = valueOf(line);
            }
            field.span = {fieldBegin, at};
            finishField(field, uses, node);
            m_result.fields.push_back(field);
        }
        node.fieldCount = static_cast<std::uint32_t>(m_result.fields.size()) - node.firstField;
        node.span = {begin, at};
        m_result.nodes.push_back(node);
        if (m_result.nodes.size() % stopInterval == 0 && m_stop.stop_requested()) return Error::cancelled();
        return Status::success();
    }

    /// To the line behind the block's end; the name of an attribute stands in its first line.
    void skipBlock(std::size_t& at, Field& field)
    {
        int depth = 1;
        bool isFirst = true;
        while (at < m_text.size() && depth > 0) {
            const std::string_view line = trimmed(lineAt(m_text, at, at));
            if (isOpening(line))
                ++depth;
            else if (isClosing(line))
                --depth;
            else if (isFirst && (field.group == "attribute" || field.group == "attr") &&
                     (line.starts_with("name:") || line.starts_with("key:")))
                field.name = valueOf(line);
            isFirst = false;
        }
    }

    /// Lines outside all nodes: versions, inputs and outputs of the graph, tensors.
    void addLoose(std::size_t begin, std::size_t end, std::string_view line)
    {
        Field field;
        field.group = line.substr(0, std::min(line.find(':'), line.size()));
        field.span = {begin, end};
        m_loose.push_back(field);
    }

    Status scanLooseBlock(std::size_t begin, std::size_t& at, std::string_view name)
    {
        Field field;
        field.group = name == "attribute" ? "attr" : name;
        field.isBlock = true;
        skipBlock(at, field);
        field.span = {begin, at};
        m_loose.push_back(field);
        return Status::success();
    }

    /// They become the fields of one more node without a name.
    void finishLoose()
    {
        if (m_loose.empty()) return;
        ScannedNode node;
        node.type = "graph";
        node.graph = 0xffffffff;
        node.firstField = static_cast<std::uint32_t>(m_result.fields.size());
        std::map<std::uint64_t, std::uint32_t> uses;
        for (Field& field : m_loose) {
            finishField(field, uses, node);
            m_result.fields.push_back(field);
        }
        node.fieldCount = static_cast<std::uint32_t>(m_loose.size());
        m_result.nodes.push_back(node);
    }

    std::string_view m_text;
    std::stop_token m_stop;
    ScannedText m_result;
    std::vector<Field> m_loose;
    std::map<std::string, std::uint32_t> m_graphNames;
    int m_depth = 0, m_graphDepth = 0;
    std::uint32_t m_graphs = 0;
    bool m_isCut = false;
};

/// GE's listing: one node a line.
class ReadableScanner {
public:
    ReadableScanner(std::string_view text, std::stop_token stop) : m_text(text), m_stop(stop) {}

    Result<ScannedText> run()
    {
        m_result.text = m_text;
        m_result.form = DumpTextForm::Readable;
        std::size_t at = 0;
        std::uint32_t graph = 0;
        while (at < m_text.size()) {
            const std::size_t begin = at;
            const std::string_view line = trimmed(lineAt(m_text, at, at));
            if (line.starts_with("graph(")) ++graph;
            if (!line.starts_with('%') && !line.starts_with("return")) continue;
            addNode(begin, at, line, graph);
            if (m_result.nodes.size() % stopInterval == 0 && m_stop.stop_requested()) return Error::cancelled();
        }
        if (m_result.nodes.empty()) return Error::invalid("this text is no listing of a graph");
        return std::move(m_result);
    }

private:
    void addNode(std::size_t begin, std::size_t end, std::string_view line, std::uint32_t graph)
    {
        ScannedNode node;
        node.graph = graph;
        node.span = {begin, end};
        node.firstField = static_cast<std::uint32_t>(m_result.fields.size());
        const std::size_t colon = line.find(" : ");
        node.name = line.substr(0, std::min(colon, line.find(' ')));
        if (node.name.starts_with('%')) node.name.remove_prefix(1);
        if (const std::size_t type = line.find("Node[type="); type != std::string_view::npos) {
            const std::size_t from = type + 10;
            node.type = line.substr(from, line.find(']', from) - from);
            addField(node, "type", {}, node.type);
        } else {
            // What the graph returns: no node, but told like what stands outside all nodes.
            node.name = {};
            node.type = "graph";
            addField(node, "value", {}, line);
        }
        if (const std::size_t users = line.find("[#users="); users != std::string_view::npos)
            addField(node, "users", {}, line.substr(users + 8, line.find(']', users) - users - 8));
        addList(node, line, "inputs = (", ')', '=', "input");
        addList(node, line, "attrs = {", '}', ':', "attr");
        node.fieldCount = static_cast<std::uint32_t>(m_result.fields.size()) - node.firstField;
        m_result.nodes.push_back(node);
    }

    void addField(ScannedNode& node, std::string_view group, std::string_view name, std::string_view value)
    {
        Field field;
        field.group = group;
        field.name = name;
        field.span.begin = static_cast<std::size_t>(value.data() - m_text.data());
        field.span.end = field.span.begin + value.size();
        field.key = mixed(hashOf(group) * 31 + hashOf(name));
        field.numbers = numberClassOf(name);
        field.hash = hashOf(value);
        if (field.numbers == NumberClass::None) node.content += mixed(field.key ^ field.hash);
        node.sequence = mixed(node.sequence * 31 + field.key);
        m_result.fields.push_back(field);
    }

    /// "a=%x, b=%y" or "k: {1, 2}, l: \"a, b\"": parts at commas outside all brackets and quotes.
    void addList(ScannedNode& node, std::string_view line, std::string_view start, char close, char divider,
                 std::string_view group)
    {
        const std::size_t found = line.find(start);
        if (found == std::string_view::npos) return;
        std::size_t at = found + start.size(), part = at;
        int depth = 0;
        bool isQuoted = false;
        for (; at <= line.size(); ++at) {
            const char c = at < line.size() ? line[at] : close;
            if (c == '"' && (at == 0 || line[at - 1] != '\\')) isQuoted = !isQuoted;
            if (isQuoted && at < line.size()) continue;
            const bool isEnd = depth == 0 && (c == close || at == line.size());
            if (isEnd || (depth == 0 && c == ',')) {
                const std::string_view text = trimmed(line.substr(part, at - part));
                const std::size_t split = text.find(divider);
                if (split != std::string_view::npos)
                    addField(node, group, trimmed(text.substr(0, split)), trimmed(text.substr(split + 1)));
                part = at + 1;
            }
            if (isEnd) return;
            if (c == '(' || c == '{' || c == '[') ++depth;
            if (c == ')' || c == '}' || c == ']') --depth;
        }
    }

    std::string_view m_text;
    std::stop_token m_stop;
    ScannedText m_result;
};

} // namespace

std::uint64_t mixed(std::uint64_t value)
{
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93u;
    value ^= value >> 29;
    value *= 0xa3b195354a39b70du;
    return value ^ (value >> 32);
}

std::uint64_t hashOf(std::string_view bytes)
{
    // Two lanes of multiply and rotate; differences of a single byte spread over the whole word.
    std::uint64_t a = 0x9e3779b97f4a7c15u ^ bytes.size(), b = 0xc2b2ae3d27d4eb4fu;
    const char* at = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 16; at += 16, left -= 16) {
        a = (a ^ load(at)) * 0x9fb21c651e98df25u;
        b = (b ^ load(at + 8)) * 0xd6e8feb86659fd93u;
        a ^= a >> 29;
        b ^= b >> 31;
    }
    char rest[16] = {};
    if (left > 0) std::memcpy(rest, at, left);
    a = (a ^ load(rest)) * 0x9fb21c651e98df25u;
    b = (b ^ load(rest + 8)) * 0xd6e8feb86659fd93u;
    return mixed(a ^ (b << 1) ^ (b >> 63));
}

std::string_view trimmed(std::string_view line)
{
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r' || line.back() == '\n'))
        line.remove_suffix(1);
    return line;
}

NumberClass numberClassOf(std::string_view field)
{
    if (field == "id" || field == "_op_id" || field == "task_id") return NumberClass::Id;
    if (field == "input_i" || field == "output_i" || field == "workspace" || field == "data_offset")
        return NumberClass::Offset;
    // ge_onnx writes a descriptor's offset as "input_desc_data_offset:0".
    if (field.starts_with("input_desc_data_offset:") || field.starts_with("output_desc_data_offset:"))
        return NumberClass::Offset;
    return NumberClass::None;
}

Result<ScannedText> scan(std::string_view text, std::stop_token stop)
{
    const std::string_view start = trimmed(text.substr(0, 4096));
    if (start.starts_with("graph(")) return ReadableScanner(text, stop).run();
    auto scanned = ProtoScanner(text, stop).run();
    if (scanned.ok()) scanned->form = start.starts_with("ir_version") ? DumpTextForm::GeOnnx : DumpTextForm::GeProto;
    return scanned;
}

std::vector<Leaf> leavesOf(const ScannedText& text, const Field& block)
{
    std::vector<Leaf> leaves;
    const std::string_view all = text.text;
    std::size_t at = block.span.begin, next = at;
    lineAt(all, at, next); // the opening line
    at = next;
    std::vector<std::string> path;
    std::vector<std::map<std::string, int>> uses(1);
    const auto named = [&](std::string_view key) {
        const int index = uses.back()[std::string(key)]++;
        return std::string(key) + (index > 0 ? "[" + std::to_string(index) + "]" : "");
    };
    const auto joined = [&](const std::string& last) {
        std::string whole;
        for (const std::string& part : path) whole += part + ".";
        return whole + last;
    };
    while (at < block.span.end) {
        const std::size_t begin = at;
        const std::string_view line = trimmed(lineAt(all, at, at));
        if (line.empty()) continue;
        if (isClosing(line)) {
            if (path.empty()) break;
            path.pop_back();
            uses.pop_back();
            continue;
        }
        if (!isOpening(line)) {
            const std::string_view key = line.substr(0, std::min(line.find(':'), line.size()));
            leaves.push_back({joined(named(key)), valueOf(line), {begin, at}, numberClassOf(key)});
            continue;
        }
        const std::string_view name = blockName(line);
        if (name != "attr" && name != "attribute") {
            path.push_back(named(name));
            uses.emplace_back();
            continue;
        }
        // An attribute is one value, known by its key.
        std::size_t end = at;
        int depth = 1;
        std::string_view key;
        while (end < block.span.end && depth > 0) {
            const std::string_view inner = trimmed(lineAt(all, end, end));
            if (isOpening(inner))
                ++depth;
            else if (isClosing(inner))
                --depth;
            else if (key.empty() && (inner.starts_with("key:") || inner.starts_with("name:")))
                key = valueOf(inner);
        }
        leaves.push_back(
            {joined("attr " + std::string(key)), all.substr(begin, end - begin), {begin, end}, numberClassOf(key)});
        at = end;
    }
    return leaves;
}

} // namespace gelens::textdiff
