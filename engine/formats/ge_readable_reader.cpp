#include "engine/formats/ge_readable_reader.h"

#include "engine/formats/ge_document_internal.h"
#include "engine/formats/ge_fields_internal.h"
#include "engine/formats/graph_checks_internal.h"
#include "engine/graph/graph_editor.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <unordered_map>

namespace gelens {
namespace {

constexpr int maxOutputs = 65'536;
/// Each output of a node with several has a line of its own, `  %r : [#users=0] = get_element[node=%x](0)` at least;
/// so a text cannot truly speak of more such outputs than this, and a cut one only by its last node.
constexpr std::size_t elementLineLength = 43;
constexpr std::size_t outputsCutOff = 256;

/// Splits at ", " outside of braces and quotes.
std::vector<std::string_view> splitList(std::string_view text)
{
    std::vector<std::string_view> parts;
    std::size_t start = 0;
    int depth = 0;
    bool isQuoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"')
            isQuoted = !isQuoted;
        else if (!isQuoted && (c == '{' || c == '['))
            ++depth;
        else if (!isQuoted && (c == '}' || c == ']'))
            --depth;
        else if (!isQuoted && depth == 0 && c == ',' && i + 1 < text.size() && text[i + 1] == ' ') {
            parts.push_back(text.substr(start, i - start));
            start = i + 2;
        }
    }
    if (start < text.size()) parts.push_back(text.substr(start));
    return parts;
}

std::optional<std::int64_t> integerOf(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || code != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<float> realOf(std::string_view text)
{
    const std::string copy(text);
    char* end = nullptr;
    const float value = std::strtof(copy.c_str(), &end);
    if (copy.empty() || end != copy.c_str() + copy.size()) return std::nullopt;
    return value;
}

bool isQuotedText(std::string_view text) { return text.size() >= 2 && text.front() == '"' && text.back() == '"'; }

/// The value as printed; what its text cannot bring back (a shortened tensor) stays that text.
AttrValue valueOf(std::string_view text)
{
    if (text == "true" || text == "false") return AttrValue(text == "true");
    if (const auto value = integerOf(text)) return AttrValue(*value);
    if (isQuotedText(text)) return AttrValue(text.substr(1, text.size() - 2));
    if (text.starts_with("DT_") && dataTypeName(dataTypeFromName(text)) == text)
        return AttrValue(dataTypeFromName(text));
    const AttrValue raw(AttrValue::Variant(Expression{std::string(text)}));
    if (text.size() >= 2 && text.front() == '{' && text.back() == '}') {
        const std::vector<std::string_view> parts = splitList(text.substr(1, text.size() - 2));
        IntList integers;
        StringList strings;
        FloatList reals;
        for (const std::string_view part : parts) {
            if (const auto value = integerOf(part))
                integers.push_back(*value);
            else if (isQuotedText(part))
                strings.emplace_back(part.substr(1, part.size() - 2));
            else if (const auto real = realOf(part); real && part.find('.') != std::string_view::npos)
                reals.push_back(*real);
        }
        if (!parts.empty() && integers.size() == parts.size()) return AttrValue(std::move(integers));
        if (!parts.empty() && strings.size() == parts.size()) return AttrValue(std::move(strings));
        if (!parts.empty() && reals.size() == parts.size()) return AttrValue(std::move(reals));
        return raw;
    }
    if (text.find('.') != std::string_view::npos)
        if (const auto value = realOf(text); value && fmt::format("{:f}", *value) == text) return AttrValue(*value);
    return raw;
}

/// One entry of the listing as it stands in the text; values refer to results by name.
struct Line {
    std::string_view name, type, inputs, attrs;
    int outputs = 0;
};

/// Value between `begin` and `end` behind `from`; moves `from` behind `end`.
std::optional<std::string_view> between(std::string_view text, std::size_t& from, std::string_view begin,
                                        std::string_view end)
{
    const auto start = text.find(begin, from);
    if (start == std::string_view::npos) return std::nullopt;
    const auto stop = text.find(end, start + begin.size());
    if (stop == std::string_view::npos) return std::nullopt;
    from = stop + end.size();
    return text.substr(start + begin.size(), stop - start - begin.size());
}

/// `%name : [#users=N] = Node[type=T] (inputs = (…), attrs = {…})`
std::optional<Line> nodeLine(std::string_view text)
{
    Line line;
    std::size_t at = text.find("] = Node[type=");
    const auto users = text.rfind("users=", at);
    const auto colon = text.rfind(" : [", users);
    if (at == std::string_view::npos || users == std::string_view::npos || colon == std::string_view::npos ||
        text[2] != '%')
        return std::nullopt;
    line.name = text.substr(3, colon - 3);
    line.outputs = static_cast<int>(
        std::min<std::int64_t>(integerOf(text.substr(users + 6, at - users - 6)).value_or(0), maxOutputs));
    const auto type = between(text, at, "Node[type=", "] (");
    if (!type || text.back() != ')') return std::nullopt;
    line.type = *type;
    std::string_view rest = text.substr(at, text.size() - at - 1);
    const auto attrs = rest.starts_with("attrs = {") ? 0 : rest.find("), attrs = {");
    if (attrs != std::string_view::npos && rest.ends_with("}")) {
        const std::size_t start = attrs + (attrs == 0 ? 9 : 12);
        line.attrs = rest.substr(start, rest.size() - start - 1);
        rest = attrs == 0 ? std::string_view() : rest.substr(0, attrs + 1);
    }
    if (rest.starts_with("inputs = (") && rest.ends_with(")")) line.inputs = rest.substr(10, rest.size() - 11);
    return line;
}

/// "arg=%value" pairs; a value runs up to the next ", " that an argument follows.
std::vector<std::pair<std::string_view, std::string_view>> arguments(std::string_view text)
{
    std::vector<std::pair<std::string_view, std::string_view>> pairs;
    std::size_t at = 0;
    while (at < text.size()) {
        const auto mark = text.find("=%", at);
        if (mark == std::string_view::npos) break;
        std::size_t end = text.find("=%", mark + 2);
        end = end == std::string_view::npos ? text.size() : text.rfind(", ", end);
        if (end == std::string_view::npos || end < mark + 2) end = text.size();
        pairs.emplace_back(text.substr(at, mark - at), text.substr(mark + 2, end - mark - 2));
        at = end + 2;
    }
    return pairs;
}

class Reader {
public:
    explicit Reader(const ReadOptions& options) : m_options(options), m_editor(m_model.graph) {}

    Status read(std::string_view text)
    {
        m_outputsLeft = text.size() / elementLineLength + outputsCutOff;
        std::size_t at = 0;
        while (at < text.size()) {
            auto end = text.find('\n', at);
            end = end == std::string_view::npos ? text.size() : end;
            std::string_view line = text.substr(at, end - at);
            // A name may hold line feeds: a node's entry ends with the line that closes its parenthesis.
            while (line.starts_with("  %") && !line.ends_with(")") && end < text.size()) {
                const auto next = std::min(text.find('\n', end + 1), text.size());
                if (text.substr(end + 1, 3) == "  %" || text.substr(end + 1, 6) == "graph(") break;
                end = next;
                line = text.substr(at, end - at);
            }
            ++m_line;
            GELENS_TRY(readLine(line));
            at = end + 1;
        }
        endGraph();
        if (!m_hasGraph) return Error::invalid("no 'graph(\"…\"):' line");
        adopt();
        m_editor.setGraphAttr(
            rootGraph, hiddenFieldsAttr,
            AttrValue(AttrValue::Variant(
                NamedAttrs{"GraphDef", std::make_shared<const AttrMap>(AttrMap{{"from_ge", AttrValue(true)}})})));
        return checkAcyclic(m_model.graph);
    }

    GeModel take() { return std::move(m_model); }
    int nodeCount() const { return m_nodes; }

private:
    struct Use {
        std::string value;
        NodeId to;
        int slot;
    };

    Status readLine(std::string_view line)
    {
        if (line.starts_with("graph(\"") && line.ends_with("\"):"))
            return beginGraph(std::string(line.substr(7, line.size() - 10)));
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) return {};
        if (!m_hasGraph) return Error::invalid(fmt::format("line {} stands before any 'graph(\"…\"):'", m_line));
        if (line.starts_with("  return (") && line.ends_with(")")) return addOutputs(line.substr(10, line.size() - 11));
        if (const auto mark = line.find("= get_element[node=%");
            line.starts_with("  %") && mark != std::string_view::npos) {
            addElement(line, mark);
            return {};
        }
        if (const auto node = line.starts_with("  %") ? nodeLine(line) : std::nullopt) return addNode(*node);
        if (++m_skipped <= 20)
            m_model.messages.push_back({Severity::Warning,
                                        "dump.odd-line",
                                        fmt::format("entry {} is no node and was left out", m_line),
                                        {},
                                        {}});
        return {};
    }

    Status beginGraph(std::string name)
    {
        endGraph();
        if (!m_hasGraph) {
            m_hasGraph = true;
            m_graph = rootGraph;
            m_editor.nameImportedGraph(rootGraph, std::move(name));
            return {};
        }
        if (m_model.graph.subgraphCount() > m_options.maxNodes) return Error::limit("too many graphs");
        m_graph = m_editor.addSubgraph(name, {});
        m_graphs.emplace(std::move(name), m_graph);
        return {};
    }

    Status addNode(const Line& line)
    {
        if (++m_nodes > m_options.maxNodes) return Error::limit(fmt::format("more than {} nodes", m_options.maxNodes));
        NodeSpec spec;
        spec.name = line.name;
        spec.type = line.type;
        spec.isOpaque = !OpRegistry::instance().find(line.type) && !isBoundaryType(line.type);
        StringList irInputs, irAttrs, owned;
        IntList kinds;
        const auto given = arguments(line.inputs);
        for (const auto& [argument, value] : given)
            spec.inputs.emplace_back(slotName(argument, irInputs, kinds), TensorDesc());
        for (int i = outputsOf(line); i > 0; --i) spec.outputs.emplace_back(std::string(), TensorDesc());
        for (const std::string_view part : splitList(line.attrs)) {
            const auto colon = part.find(": ");
            if (colon == std::string_view::npos) continue;
            const std::string_view key = part.substr(0, colon), value = part.substr(colon + 2);
            if (value.starts_with("%")) {
                owned.emplace_back(value.substr(1));
                continue;
            }
            irAttrs.emplace_back(key);
            spec.attrs.insert_or_assign(std::string(key), valueOf(value));
        }
        // The listing follows the operator's definition: its order of attributes and names of inputs are kept as such.
        spec.attrs.emplace("_ir_attr_names", AttrValue(std::move(irAttrs)));
        spec.attrs.emplace("_ir_inputs_key", AttrValue(std::move(irInputs)));
        spec.attrs.emplace("_ir_inputs_value", AttrValue(std::move(kinds)));
        const NodeId id = m_editor.addNode(std::move(spec), m_graph);
        if (line.outputs == 1) m_values.emplace(line.name, OutputRef{id, 0});
        m_byName.emplace(line.name, id);
        for (std::size_t i = 0; i < given.size(); ++i)
            m_uses.push_back({std::string(given[i].second), id, static_cast<int>(i)});
        if (!owned.empty()) m_owners.emplace_back(id, std::move(owned));
        return {};
    }

    /// What the line claims, as far as the text can bear it out: no length in a file decides alone what is allocated.
    int outputsOf(const Line& line)
    {
        if (line.outputs <= 1) return line.outputs;
        const auto granted = std::min<std::size_t>(line.outputs, m_outputsLeft);
        m_outputsLeft -= granted;
        if (static_cast<int>(granted) < line.outputs && ++m_overclaimed <= 20)
            m_model.messages.push_back(
                {Severity::Warning,
                 "dump.outputs",
                 fmt::format("entry {} claims {} outputs, more than the text has lines for; {} were kept", m_line,
                             line.outputs, granted),
                 std::string(line.name),
                 {}});
        return static_cast<int>(granted);
    }

    /// "x_0" of a dynamic input is slot "x0" of input "x"; "_input_3" has no name.
    static std::string slotName(std::string_view argument, StringList& names, IntList& kinds)
    {
        if (argument.starts_with("_input_")) return {};
        const auto under = argument.rfind('_');
        const bool isDynamic = under != std::string_view::npos && integerOf(argument.substr(under + 1)).has_value();
        const std::string base(isDynamic ? argument.substr(0, under) : argument);
        if (names.empty() || names.back() != base) {
            names.push_back(base);
            kinds.push_back(isDynamic ? 2 : 0);
        }
        return isDynamic ? base + std::string(argument.substr(under + 1)) : base;
    }

    void addElement(std::string_view line, std::size_t mark)
    {
        const auto colon = line.find(" : [");
        const auto close = line.rfind("](");
        if (colon == std::string_view::npos || close == std::string_view::npos || close < mark + 20) return;
        const std::string_view node = line.substr(mark + 20, close - mark - 20);
        const auto index = integerOf(line.substr(close + 2, line.size() - close - 3));
        const auto found = m_byName.find(std::string(node));
        if (found == m_byName.end() || !index || *index < 0 || *index >= m_editor.node(found->second).outputCount())
            return;
        m_values.insert_or_assign(std::string(line.substr(3, colon - 3)),
                                  OutputRef{found->second, static_cast<int>(*index)});
    }

    /// One NetOutput for each `return (…)` of the line.
    Status addOutputs(std::string_view text)
    {
        constexpr std::string_view border = ")return (";
        for (auto next = text.find(border); next != std::string_view::npos; next = text.find(border)) {
            GELENS_TRY(addOutput(text.substr(0, next)));
            text.remove_prefix(next + border.size());
        }
        return addOutput(text);
    }

    Status addOutput(std::string_view text)
    {
        NodeSpec spec;
        spec.name = "Node_Output";
        spec.type = "NetOutput";
        std::vector<std::string_view> values;
        if (text.starts_with("%"))
            values.push_back(text.substr(1));
        else
            for (const auto& [argument, value] : arguments(text)) values.push_back(value);
        for (std::size_t i = 0; i < values.size(); ++i)
            spec.inputs.emplace_back("__input" + std::to_string(i), TensorDesc());
        const NodeId id = m_editor.addNode(std::move(spec), m_graph);
        for (std::size_t i = 0; i < values.size(); ++i)
            m_uses.push_back({std::string(values[i]), id, static_cast<int>(i)});
        m_end = id;
        return {};
    }

    void endGraph()
    {
        for (const Use& use : m_uses) {
            const auto found = m_values.find(use.value);
            if (found != m_values.end())
                m_editor.connect(found->second, {use.to, use.slot});
            else if (++m_lost <= 20)
                m_model.messages.push_back({Severity::Warning,
                                            "dump.missing-producer",
                                            fmt::format("'{}' reads '%{}', which is not in the listing",
                                                        m_editor.node(use.to).name, use.value),
                                            {},
                                            use.to});
        }
        if (m_end.isValid()) {
            std::vector<OutputRef> outputs;
            for (const InputSlot& slot : m_editor.node(m_end).inputs)
                if (slot.source.isValid()) outputs.push_back(slot.source);
            m_editor.setGraphOutputs(m_graph, std::move(outputs));
        }
        m_uses.clear();
        m_values.clear();
        m_byName.clear();
        m_end = {};
    }

    void adopt()
    {
        std::unordered_map<GraphId, bool> isOwned;
        for (const auto& [owner, names] : m_owners)
            for (const std::string& name : names)
                if (const auto found = m_graphs.find(name);
                    found != m_graphs.end() && !isOwned[found->second] && m_editor.node(owner).graph != found->second) {
                    isOwned[found->second] = true;
                    m_editor.adoptImportedGraph(found->second, owner);
                }
    }

    const ReadOptions& m_options;
    GeModel m_model;
    GraphEditor m_editor;
    bool m_hasGraph = false;
    GraphId m_graph = rootGraph;
    std::unordered_map<std::string, GraphId> m_graphs;
    std::unordered_map<std::string, OutputRef> m_values;
    std::unordered_map<std::string, NodeId> m_byName;
    std::vector<Use> m_uses;
    std::vector<std::pair<NodeId, StringList>> m_owners;
    NodeId m_end;
    int m_line = 0, m_nodes = 0, m_skipped = 0, m_lost = 0, m_overclaimed = 0;
    std::size_t m_outputsLeft = 0;
};

} // namespace

Result<ModelDocument> readGeReadable(std::string_view text, const ReadOptions& options)
{
    Reader reader(options);
    GELENS_TRY(reader.read(text));
    ModelDocument document = documentOf(reader.take(), "ge_readable dump", text.size());
    GELENS_TRY(applyInputShapes(document.graph, options));
    return document;
}

} // namespace gelens
