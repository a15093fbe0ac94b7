#include "viewers/scene/cards.h"

#include "engine/report/drawing_style.h"
#include "engine/report/text_width.h"
#include "engine/session/node_facts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace gelens {
namespace {

constexpr double signWidth = 19; ///< kept free behind the title for +, − or ~, so that a mark changes no size

double textRoom(const DrawnBox& box) { return box.width - card::stripe - 2 * card::padding; }

std::string numberText(double value)
{
    constexpr double endless = 9.2e18; // the largest 64-bit numbers stand for "to the end"
    if (std::abs(value) >= endless && std::abs(value) < 9.3e18) return value < 0 ? "min" : "max";
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.6g", value);
    std::string text;
    for (const char* c = buffer; *c != 0; ++c)
        if (*c == '-')
            text += "−";
        else
            text += *c == ',' ? '.' : *c; // whatever the locale
    return text;
}

/// "x2 [4096, 4096] · bias = 0.5 · +2"
std::string constantsText(const Graph& graph, const Node& node)
{
    std::string text;
    int shown = 0, more = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const InputSlot& slot = node.inputs[i];
        if (!slot.source.isValid() || !isConstantType(graph.node(slot.source.node).type)) continue;
        if (shown == 2) {
            ++more;
            continue;
        }
        if (shown++ > 0) text += " · ";
        text += slot.name.empty() ? std::to_string(i) : slot.name;
        const Tensor* tensor = graph.constantOf(slot.source);
        const TensorDesc& desc = graph.outputDesc(slot.source);
        const bool isSingle = desc.shape.isStatic() && desc.shape.elementCount().value_or(0) == 1;
        const auto values = isSingle && tensor != nullptr ? tensor->asDoubles(1) : std::nullopt;
        text += values && !values->empty() ? " = " + numberText(values->front()) : " " + desc.shape.text();
    }
    if (more > 0) text += " · +" + std::to_string(more);
    return text;
}

std::string_view withoutScope(std::string_view name, std::string_view scope)
{
    if (!scope.empty() && name.starts_with(scope)) name.remove_prefix(scope.size());
    while (name.size() > 1 && name.front() == '/') name.remove_prefix(1);
    return name;
}

std::string filled(std::string pattern, const std::string& value)
{
    if (const auto at = pattern.find("%1"); at != std::string::npos) pattern.replace(at, 2, value);
    return pattern;
}

} // namespace

DrawnBox nodeCard(const Graph& graph, const Node& node, std::string_view scope)
{
    DrawnBox box;
    box.kind = BoxKind::Node;
    box.node = node.id;
    box.unit = nodeUnit(node);
    const double most = card::maxTextWidth;
    box.sign = nodeUnitSign(box.unit);
    box.title = elideRight(node.type, card::maxTitleWidth - signWidth, card::titleFont, true);
    box.subtitle = elideLeft(withoutScope(node.name, scope), most, card::nameFont);
    box.tag = elideRight(constantsText(graph, node), most, card::tagFont);
    const double text = std::max({textWidth(box.title, card::titleFont, true) + signWidth,
                                  textWidth(box.subtitle, card::nameFont), textWidth(box.tag, card::tagFont)});
    box.width = std::ceil(std::max(text, card::minTextWidth) + card::stripe + 2 * card::padding);
    box.height = card::nodeHeight + (box.tag.empty() ? 0 : card::tagHeight);
    return box;
}

/// Names of sub-graphs begin with those of the graphs around them: what tells one from another stands at the end.
std::string blockTitle(const FoldGroup& group, double width, double fontSize)
{
    if (group.kind == FoldGroup::Kind::Subgraph) return elideLeft(group.title, width, fontSize, true);
    return elideRight(group.title, width, fontSize, true);
}

/// Room beside a group's second line for what a step changed in it: "+64 −128 ~96".
constexpr double countsWidth = 100;

DrawnBox groupCard(const FoldModel& fold, int group, const Graph& graph, const SceneWords& words)
{
    const FoldGroup& g = fold.group(group);
    DrawnBox box;
    box.kind = BoxKind::Group;
    box.group = group;
    box.isRepeat = g.kind == FoldGroup::Kind::Repeat;
    const std::string times = box.isRepeat ? " × " + std::to_string(g.repeats) : std::string();
    std::string detail = g.nodeCount == 1 ? words.oneNode : filled(words.nodes, std::to_string(g.nodeCount));
    if (box.isRepeat && g.variants == 1 && g.nodeCount % std::max(1, g.repeats) == 0)
        detail = filled(words.each, std::to_string(g.nodeCount / std::max(1, g.repeats)));
    else if (box.isRepeat && g.variants > 1)
        detail += ", " + filled(words.variants, std::to_string(g.variants));
    if (g.kind == FoldGroup::Kind::Subgraph && g.owner.isValid())
        detail += " · " + filled(words.graphOf, graph.node(g.owner).type);
    const double most = card::maxTextWidth;
    box.title = blockTitle(g, most - textWidth(times, card::groupFont, true), card::groupFont) + times;
    box.subtitle = elideRight(detail, most, card::nameFont);
    const double text =
        std::max(textWidth(box.title, card::groupFont, true), textWidth(box.subtitle, card::nameFont) + countsWidth);
    box.width =
        std::ceil(std::clamp(text, card::minTextWidth + 40, most + countsWidth) + card::stripe + 2 * card::padding);
    box.height = card::groupHeight;
    return box;
}

DrawnBox frameCard(const FoldModel& fold, int group)
{
    const FoldGroup& g = fold.group(group);
    DrawnBox box;
    box.kind = BoxKind::Frame;
    box.group = group;
    box.isRepeat = g.kind == FoldGroup::Kind::Repeat;
    box.title = blockTitle(g, 260, card::titleFont);
    if (box.isRepeat) box.title += " × " + std::to_string(g.repeats);
    return box;
}

DrawnBox portCard(const Graph& graph, OutputRef value, bool isInput)
{
    DrawnBox box;
    box.kind = BoxKind::Port;
    box.isInput = isInput;
    box.port = value;
    const Node& node = graph.node(value.node);
    const auto parts = nameComponents(node.name);
    const std::string_view last = parts.empty() ? std::string_view(node.name) : parts.back();
    box.title = elideRight(last, 84, card::portFont);
    box.width = std::ceil(std::max(30.0, textWidth(box.title, card::portFont) + 14));
    box.height = card::portHeight;
    return box;
}

bool fitsTitle(const DrawnBox& box, double width)
{
    if (box.kind != BoxKind::Node) return true;
    return textWidth(box.title, card::titleFont, true) <= width - card::stripe - 2 * card::padding - signWidth + 1e-6;
}

void fitCard(DrawnBox& box, double width, double height)
{
    box.width = width;
    const double room = textRoom(box);
    if (box.kind == BoxKind::Node) {
        box.title = elideRight(box.title, room - signWidth, card::titleFont, true);
        box.subtitle = elideLeft(box.subtitle, room, card::nameFont);
        box.tag = height < box.height ? std::string() : elideRight(box.tag, room, card::tagFont);
    } else if (box.kind == BoxKind::Group) {
        box.title = elideRight(box.title, room, card::groupFont, true);
        box.subtitle = elideRight(box.subtitle, room - countsWidth, card::nameFont);
    } else if (box.kind == BoxKind::Port) {
        box.title = elideRight(box.title, width - 14, card::portFont);
    }
    box.height = height;
}

void tensorLabel(const TensorDesc& desc, const EdgeLabels& labels, std::size_t longSymbol, std::string& text)
{
    text.clear();
    const auto append = [&](std::string_view part) {
        if (part.empty()) return;
        if (!text.empty()) text += " · ";
        text += part;
    };
    if (labels.shape && desc.shape.hasRank()) {
        for (std::size_t i = 0; i < desc.shape.dims().size(); ++i) {
            if (i > 0) text += "×";
            const std::int64_t dim = desc.shape[i];
            const std::string_view symbol = desc.shape.symbol(i);
            char digits[24];
            if (symbol.size() > longSymbol &&
                std::all_of(symbol.begin(), symbol.end(), [](char c) { return c >= 0x20 && c < 0x7F; }))
                text.append(symbol.substr(0, longSymbol / 2 - 1))
                    .append("…")
                    .append(symbol.substr(symbol.size() + 2 - longSymbol / 2));
            else if (!symbol.empty())
                text += symbol;
            else if (dim < 0)
                text += '?';
            else
                text.append(digits, std::to_chars(digits, digits + sizeof digits, dim).ptr);
        }
        if (desc.shape.isScalar()) text = "scalar";
    }
    if (labels.dataType) append(dataTypeShortName(desc.dtype));
    // NCHW is GE's default for whatever a model feeds in; it means something for four dims only.
    const bool isPlain = desc.format.primary == Format::ND || desc.format.primary == Format::Reserved ||
                         (desc.format.primary == Format::NCHW && desc.shape.rank() != 4);
    if (labels.format && !isPlain) append(desc.format.text());
}

NodeCategory categoryOf(const Node& node, const SceneOptions& options)
{
    const auto ofResult = [&](auto&& text) {
        return node.outputs.empty() ? std::string() : std::string(text(node.outputs.front().desc));
    };
    switch (options.colorBy) {
    case ColorBy::Unit: break;
    case ColorBy::OperatorClass: return {std::string(fusionClassName(nodeClass(node))), -1};
    case ColorBy::Engine: return {node.placement.engine, -1};
    case ColorBy::Stream:
        return {node.placement.streamId < 0 ? std::string() : std::to_string(node.placement.streamId), -1};
    case ColorBy::DataType: return {ofResult([](const TensorDesc& desc) { return dataTypeShortName(desc.dtype); }), -1};
    case ColorBy::Format: return {ofResult([](const TensorDesc& desc) { return desc.format.text(); }), -1};
    case ColorBy::Latency:
    case ColorBy::Memory:
    case ColorBy::Origin: {
        const auto id = static_cast<std::size_t>(node.id.value);
        const int index = node.id.isValid() && id < options.categoryOf.size() ? options.categoryOf[id] : -1;
        if (index >= 0 && static_cast<std::size_t>(index) < options.categories.size())
            return options.categories[static_cast<std::size_t>(index)];
        break;
    }
    }
    return {};
}

} // namespace gelens
