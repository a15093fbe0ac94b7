#include "engine/report/graph_svg.h"

#include "engine/report/drawing_legend.h"
#include "engine/report/drawing_style.h"
#include "engine/report/svg_writer.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

namespace gelens {
namespace {

constexpr double margin = 24;

std::string styleSheet(const DrawingColors& c)
{
    return fmt::format(
        "text{{font-family:'DejaVu Sans','Noto Sans CJK SC','Noto Sans',Arial,sans-serif;fill:{text}}}"
        ".t{{font-size:{title}px;font-weight:bold}}.g{{font-size:{group}px;font-weight:bold}}"
        ".n{{font-size:{name}px;fill:{muted}}}.k{{font-size:{tag}px;fill:{muted}}}.e{{font-size:{edge}px;fill:{muted};"
        "paint-order:stroke;stroke:{canvas};stroke-width:3px}}"
        ".u{{font-size:{title}px;font-weight:bold;fill:{canvas};text-anchor:middle}}"
        ".q{{font-size:{name}px;font-weight:bold;fill:{canvas};text-anchor:middle}}"
        ".s{{font-size:{title}px;font-weight:bold;text-anchor:end}}.m{{font-size:{edge}px;text-anchor:middle}}"
        ".b{{fill:{fill};stroke:{line};stroke-width:1}}.add{{stroke:{added};stroke-width:2}}"
        ".del{{stroke:{removed};stroke-width:2}}.chg{{stroke:{changed};stroke-width:3}}"
        ".f{{fill:{frame};stroke:{line};stroke-width:1}}.f2{{fill:{frame2};stroke:{line};stroke-width:1}}"
        ".p{{fill:{canvas};stroke:{line};stroke-width:1}}.h{{fill:url(#hatch);stroke-dasharray:4 3}}"
        ".l{{fill:none;stroke:{line};stroke-width:1.2}}.c{{stroke-dasharray:5 4}}.o{{stroke-dasharray:2 3}}"
        ".w{{stroke-width:2}}.a{{fill:{line}}}.gone{{opacity:0.6}}",
        fmt::arg("text", c.text), fmt::arg("muted", c.mutedText), fmt::arg("canvas", c.canvas),
        fmt::arg("line", c.line), fmt::arg("fill", c.nodeFill), fmt::arg("frame", c.frameFill),
        fmt::arg("frame2", c.nestedFrameFill), fmt::arg("added", c.change(ChangeKind::Added)),
        fmt::arg("removed", c.change(ChangeKind::Removed)), fmt::arg("changed", c.change(ChangeKind::Changed)),
        fmt::arg("title", card::titleFont), fmt::arg("group", card::groupFont), fmt::arg("name", card::nameFont),
        fmt::arg("tag", card::tagFont), fmt::arg("edge", card::edgeFont));
}

class SvgPainter {
public:
    SvgPainter(const GraphDrawing& drawing, bool isDark)
        : m_drawing(drawing), m_legend(placeLegend(drawing)), m_colors(drawingColors(isDark)),
          m_svg(m_legend.left - margin, m_legend.top - margin, m_legend.width + 2 * margin,
                m_legend.height + 2 * margin, drawing.title, styleSheet(m_colors))
    {
    }

    std::string run()
    {
        m_svg.definitions(
            fmt::format("<pattern id=\"hatch\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" "
                        "patternTransform=\"rotate(45)\"><rect width=\"8\" height=\"8\" fill=\"{}\"/><rect "
                        "width=\"2\" height=\"8\" fill=\"{}\" opacity=\"0.35\"/></pattern>",
                        m_colors.nodeFill, m_colors.change(ChangeKind::Removed)));
        m_svg.rect(m_legend.left - margin, m_legend.top - margin, m_legend.width + 2 * margin,
                   m_legend.height + 2 * margin, 0, "", m_colors.canvas);
        for (const LegendChip& chip : m_legend.chips) legendChip(chip);
        for (const DrawnBox& box : m_drawing.boxes)
            if (box.kind == BoxKind::Frame) frame(box);
        for (const DrawnEdge& edge : m_drawing.edges) line(edge);
        for (const DrawnStub& s : m_drawing.stubs) stub(s);
        for (const DrawnBox& box : m_drawing.boxes) {
            if (box.kind == BoxKind::Node || box.kind == BoxKind::Group) cardBox(box);
            if (box.kind == BoxKind::Port) port(box);
        }
        for (const DrawnEdge& edge : m_drawing.edges)
            if (!edge.label.empty()) m_svg.text(edge.labelX, edge.labelY + card::edgeFont * 0.35, edge.label, "e");
        return m_svg.finish();
    }

private:
    void legendChip(const LegendChip& chip)
    {
        if (chip.entry != nullptr) {
            const LegendEntry& entry = *chip.entry;
            m_svg.rect(chip.x, chip.y, LegendChip::side, LegendChip::side, 3, "",
                       m_colors.stripe(entry.isUnit, entry.unit, entry.isUnit ? "" : entry.key, entry.level));
            m_svg.text(chip.signX(), chip.baseline(), entry.sign, "q");
        } else {
            m_svg.text(chip.signX() + 5, chip.baseline() + 1, changeSignText(*chip.change), "s",
                       m_colors.change(*chip.change));
        }
        m_svg.text(chip.textX(), chip.baseline(), chip.text, "n");
    }

    void sign(const DrawnBox& box, double right, double baseline)
    {
        if (!box.badge.empty())
            m_svg.text(right, baseline, box.badge, "n s");
        else if (box.change)
            m_svg.text(right, baseline, changeSignText(*box.change), "s", m_colors.change(*box.change));
    }

    void frame(const DrawnBox& box)
    {
        m_svg.rect(box.x, box.y, box.width, box.height, card::cornerRadius + 3, box.depth % 2 == 0 ? "f" : "f2");
        m_svg.text(box.x + 10, box.y + 17, box.title, "t");
        sign(box, box.right() - 10, box.y + 17);
    }

    void cardBox(const DrawnBox& box)
    {
        m_svg.beginGroup(box.isGhost ? "gone" : "");
        for (int k = box.isRepeat ? 2 : 0; k > 0; --k)
            m_svg.rect(box.x + k * card::stackOffset, box.y - k * card::stackOffset, box.width, box.height,
                       card::cornerRadius, "b");
        const bool isRemoved = box.change == ChangeKind::Removed && box.kind == BoxKind::Node;
        m_svg.rect(box.x, box.y, box.width, box.height, card::cornerRadius, "b");
        if (box.change) outline(box, isRemoved);
        if (box.kind == BoxKind::Node) {
            m_svg.rect(box.x + 1, box.y + 1, card::stripe - 1, box.height - 2, card::cornerRadius - 1, "",
                       m_colors.stripe(box.isUnitStripe, box.unit, box.colorKey, box.level));
            m_svg.text(box.x + card::stripe / 2, box.y + box.height / 2 + 4.5, box.sign, "u");
        } else {
            m_svg.text(box.x + card::stripe / 2 + 2, box.y + box.height / 2 + 4.5, "▸", "m");
        }
        const double x = box.x + card::stripe + card::padding;
        const double lift = box.kind == BoxKind::Group ? 5 : 0;
        m_svg.text(x, box.y + card::titleBaseline + lift, box.title, box.kind == BoxKind::Group ? "g" : "t");
        m_svg.text(x, box.y + card::nameBaseline + lift * 1.4, box.subtitle, "n");
        if (!box.tag.empty()) m_svg.text(x, box.y + card::tagBaseline, box.tag, "k");
        if (!box.note.empty()) m_svg.text(box.x + box.noteX, box.y - card::noteBaseline, box.note, "e");
        sign(box, box.right() - 7, box.y + (box.badge.empty() ? card::titleBaseline : card::nameBaseline + lift * 1.4));
        m_svg.endGroup();
    }

    void outline(const DrawnBox& box, bool isRemoved)
    {
        static constexpr std::string_view outlines[3] = {"b add", "b del h", "b chg"};
        m_svg.rect(box.x, box.y, box.width, box.height, card::cornerRadius,
                   isRemoved                          ? outlines[1]
                   : *box.change == ChangeKind::Added ? outlines[0]
                                                      : outlines[2]);
    }

    void port(const DrawnBox& box)
    {
        m_svg.rect(box.x, box.y, box.width, box.height, box.height / 2, "p");
        m_svg.text(box.centreX(), box.centreY() + 3.5, box.title, "m");
    }

    void line(const DrawnEdge& edge)
    {
        const auto route = m_drawing.route(edge);
        if (route.size() < 2) return;
        std::vector<SvgPoint> points;
        for (const DrawnPoint& p : route) points.push_back({p.x, p.y});
        std::string cssClass = "l";
        if (edge.isControl) cssClass += " c";
        if (edge.isOwnership) cssClass += " o";
        if (edge.count > 1) cssClass += " w";
        if (edge.isGhost) cssClass += " gone o";
        m_svg.roundedLine(points, 9, cssClass);
        if (!edge.hasArrow) return;
        const SvgPoint end = points.back(), before = points[points.size() - 2];
        const double length = std::hypot(end.x - before.x, end.y - before.y);
        if (length < 1e-6) return;
        const double dx = (end.x - before.x) / length, dy = (end.y - before.y) / length;
        const std::array<SvgPoint, 3> head{end,
                                           {end.x - dx * 8 - dy * 3.4, end.y - dy * 8 + dx * 3.4},
                                           {end.x - dx * 8 + dy * 3.4, end.y - dy * 8 - dx * 3.4}};
        m_svg.polygon(head, "a");
    }

    void stub(const DrawnStub& s)
    {
        const std::array<SvgPoint, 2> points{SvgPoint{s.start.x, s.start.y}, {s.end.x, s.end.y}};
        m_svg.polyline(points, s.isGhost ? "l o gone" : "l");
        if (s.label.empty()) return;
        if (s.consumer < 0)
            m_svg.text(s.end.x, s.end.y + 9, s.label, "m");
        else
            m_svg.text(s.start.x, s.start.y - 2, s.label, "m");
    }

    const GraphDrawing& m_drawing;
    const DrawingLegend m_legend;
    const DrawingColors& m_colors;
    SvgWriter m_svg;
};

} // namespace

std::string graphToSvg(const GraphDrawing& drawing, bool isDark) { return SvgPainter(drawing, isDark).run(); }

} // namespace gelens
