#include "engine/report/graph_svg.h"

#include <fmt/format.h>

#include <string_view>

namespace gelens {
namespace {

std::string dotString(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out + '"';
}

std::string labelOf(const DrawnBox& box)
{
    std::string label = dotString(box.title);
    if (!box.subtitle.empty())
        label.insert(label.size() - 1, "\\n" + dotString(box.subtitle).substr(1, dotString(box.subtitle).size() - 2));
    return label;
}

bool contains(const DrawnBox& frame, const DrawnBox& box)
{
    return box.x >= frame.x && box.y >= frame.y && box.right() <= frame.right() && box.bottom() <= frame.bottom();
}

} // namespace

std::string graphToDot(const GraphDrawing& drawing)
{
    std::string out =
        fmt::format("digraph {} {{\n  rankdir=TB;\n  node [shape=box, style=rounded, fontname=\"DejaVu Sans\"];\n",
                    dotString(drawing.title));
    // Boxes come level by level, a frame before its content: each box belongs to the last deeper frame around it.
    std::vector<std::vector<std::size_t>> inside(drawing.boxes.size() + 1);
    std::vector<std::size_t> frames;
    for (std::size_t i = 0; i < drawing.boxes.size(); ++i) {
        std::size_t owner = drawing.boxes.size();
        const DrawnBox& box = drawing.boxes[i];
        for (auto f = frames.rbegin(); f != frames.rend() && box.depth > 0; ++f)
            if (drawing.boxes[*f].depth + 1 == box.depth && contains(drawing.boxes[*f], box)) {
                owner = *f;
                break;
            }
        inside[owner].push_back(i);
        if (box.kind == BoxKind::Frame) frames.push_back(i);
    }
    struct Visit {
        std::size_t owner, next;
    };
    std::vector<Visit> stack{{drawing.boxes.size(), 0}};
    while (!stack.empty()) {
        auto& [owner, next] = stack.back();
        if (next == inside[owner].size()) {
            stack.pop_back();
            if (!stack.empty()) out += std::string(stack.size() * 2, ' ') + "}\n";
            continue;
        }
        const std::size_t i = inside[owner][next++];
        const DrawnBox& box = drawing.boxes[i];
        const std::string indent(stack.size() * 2, ' ');
        if (box.kind == BoxKind::Frame) {
            out += fmt::format("{}subgraph cluster_{} {{\n{}  label={};\n{}  n{} [shape=point, style=invis];\n", indent,
                               i, indent, dotString(box.title), indent, i);
            stack.push_back({i, 0});
        } else {
            const char* style = box.isGhost ? ", style=dashed" : box.isRepeat ? ", peripheries=2" : "";
            out += fmt::format("{}n{} [label={}{}{}];\n", indent, i, labelOf(box),
                               box.kind == BoxKind::Port ? ", shape=oval" : "", style);
        }
    }
    const auto edge = [&](std::int32_t from, std::int32_t to, const std::string& label, const char* style) {
        out += fmt::format("  n{} -> n{} [label={}{}];\n", from, to, dotString(label), style);
    };
    for (const DrawnEdge& e : drawing.edges)
        if (e.from != e.to)
            edge(e.from, e.to, e.label, e.isControl ? ", style=dashed" : e.isOwnership ? ", style=dotted" : "");
    for (const DrawnStub& s : drawing.stubs)
        if (s.consumer >= 0) edge(s.hub, s.consumer, "", ", constraint=false");
    return out + "}\n";
}

} // namespace gelens
