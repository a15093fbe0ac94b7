#include "engine/report/html_report.h"

#include "engine/report/svg_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gelens {
namespace {

/// Classes have whole words for names: those in the figures' own style sheets, which hold for the whole document, are short.
constexpr std::string_view styleSheet = R"(
:root{color-scheme:light dark;--text:#1c1e21;--muted:#5f6570;--line:#d5d8de;--back:#fff;--card:#f6f7f9;--good:#00785a;--bad:#b3261e;--bar:#0072b2}
@media(prefers-color-scheme:dark){:root{--text:#e6e8eb;--muted:#a0a6b0;--line:#3c4048;--back:#1b1d21;--card:#24272c;--good:#3fc79a;--bad:#ff8a7a;--bar:#56b4e9}}
*{box-sizing:border-box}body{margin:0 auto;max-width:1180px;padding:24px 28px 60px;background:var(--back);color:var(--text);
font:14px/1.5 'Noto Sans','Noto Sans CJK SC','Microsoft YaHei',system-ui,sans-serif}
h1{margin:0;font-size:26px;overflow-wrap:anywhere}h2{margin:36px 0 10px;font-size:19px;border-bottom:1px solid var(--line);padding-bottom:4px}
h3{margin:18px 0 6px;font-size:15px}p.sub{margin:2px 0 14px;color:var(--muted)}nav a{margin-right:16px;color:var(--bar)}
table{border-collapse:collapse;margin:8px 0 14px;font-variant-numeric:tabular-nums}
th,td{padding:3px 12px 3px 6px;text-align:left;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:break-word}
th{color:var(--muted);font-weight:600}td.number,th.number{text-align:right;white-space:nowrap}div.table{overflow-x:auto}
figure{margin:10px 0 18px;overflow:auto;max-height:900px;border:1px solid var(--line);background:#fbfbfd}figure svg{display:block}
figcaption{color:#5f6570;background:#fbfbfd;padding:4px 8px;position:sticky;left:0}
.verdict{background:var(--card);border-left:4px solid var(--bad);padding:8px 12px;margin:8px 0;border-radius:3px}
.verdict.held{border-color:var(--good)}.verdict .why{color:var(--bad);margin-left:8px}.verdict.held .why{color:var(--good)}
.verdict p{margin:4px 0}.aside{color:var(--muted)}p.finding{margin:3px 0}
.bars{display:grid;grid-template-columns:70px 1fr 150px;gap:2px 8px;max-width:640px;margin:6px 0}
.bars i{display:block;height:12px;background:var(--bar);align-self:center}.bars i.over{background:var(--bad)}
p.warning{color:var(--bad);font-weight:600}
@media(max-width:640px){body{padding:14px 12px 40px}h1{font-size:21px;overflow-wrap:anywhere}h2{font-size:17px;margin-top:26px}
nav a{display:inline-block;padding:4px 0}.bars{grid-template-columns:44px 1fr 96px}th,td{padding-right:8px}}
@media print{:root{color-scheme:light;--text:#1c1e21;--muted:#5f6570;--line:#d5d8de;--back:#fff;--card:#f6f7f9;--good:#00785a;--bad:#b3261e;--bar:#0072b2}
body{max-width:none;padding:0}figure{max-height:none;overflow:visible;break-inside:avoid}figure svg{max-width:100%;max-height:240mm;height:auto}
nav{display:none}div.table{overflow:visible}h2,h3,figcaption{break-after:avoid}tr,.verdict{break-inside:avoid}thead{display:table-header-group}
td.number{white-space:normal}.bars i,.verdict{print-color-adjust:exact;-webkit-print-color-adjust:exact}})";

void replaceAll(std::string& text, const std::string& from, const std::string& to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// Names within a picture hold for the whole document, where no two things may have one name.
std::string withOwnNames(std::string svg, std::size_t number)
{
    constexpr std::string_view mark = " id=\"";
    std::vector<std::string> names;
    for (std::size_t at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at + 1)) {
        const std::size_t begin = at + mark.size(), end = svg.find('"', begin);
        if (end == std::string::npos) break;
        names.push_back(svg.substr(begin, end - begin));
    }
    for (const std::string& name : names) {
        const std::string own = fmt::format("{}-{}", name, number);
        replaceAll(svg, " id=\"" + name + "\"", " id=\"" + own + "\"");
        replaceAll(svg, "url(#" + name + ")", "url(#" + own + ")");
    }
    return svg;
}

class Writer {
public:
    explicit Writer(const ReportModel& report) : m_report(report) {}

    std::string run()
    {
        add(R"(<!DOCTYPE html>
<html lang="{}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>{}</title><style>{}</style></head>
<body><header><h1>{}</h1><p class="sub">{}</p></header><nav aria-label="{}">)",
            m_report.language, xmlEscaped(m_report.title), styleSheet, xmlEscaped(m_report.title),
            xmlEscaped(m_report.subtitle), xmlEscaped(m_report.contentsWord));
        for (const ReportSection& section : m_report.sections)
            add(R"(<a href="#{}">{}</a>)", section.id, xmlEscaped(section.title));
        m_html += "</nav>\n<main>\n";
        for (const ReportSection& section : m_report.sections) {
            m_section = section.title;
            add("<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}</h2>\n", section.id,
                xmlEscaped(section.title));
            for (const ReportBlock& block : section.blocks)
                std::visit([this](const auto& content) { write(content); }, block);
            m_html += "</section>\n";
        }
        m_html += "</main></body></html>\n";
        return std::move(m_html);
    }

private:
    template <typename... Values>
    void add(fmt::format_string<Values...> form, Values&&... values)
    {
        fmt::format_to(std::back_inserter(m_html), form, std::forward<Values>(values)...);
    }

    void write(const ReportParagraph& paragraph)
    {
        add("<p{}>{}</p>\n", paragraph.isWarning ? " class=\"warning\"" : "", xmlEscaped(paragraph.text));
    }

    void write(const ReportTable& table)
    {
        if (!table.title.empty()) add("<h3>{}</h3>", xmlEscaped(table.title));
        // A wide table scrolls by itself, which the keyboard can do only where it can get to.
        const std::string name = xmlEscaped(table.title.empty() ? m_section : table.title);
        add("<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table aria-label=\"{0}\"><thead><tr>",
            name);
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const bool isNumber =
                !table.rows.empty() && column < table.rows.front().size() && table.rows.front()[column].isNumber;
            if (table.columns[column].empty())
                m_html += "<td></td>"; // a header that says nothing is none
            else
                add("<th scope=\"col\"{}>{}</th>", isNumber ? " class=\"number\"" : "",
                    xmlEscaped(table.columns[column]));
        }
        m_html += "</tr></thead><tbody>\n";
        for (const auto& row : table.rows) {
            m_html += "<tr>";
            for (const ReportCell& cell : row) {
                m_html += cell.isNumber ? "<td class=\"number\"" : "<td";
                if (!cell.figure.empty())
                    add(" data-figure=\"{}\" data-value=\"{}\"", xmlEscaped(cell.figure), xmlEscaped(cell.value));
                add(">{}</td>", xmlEscaped(cell.text));
            }
            m_html += "</tr>\n";
        }
        m_html += "</tbody></table></div>\n";
        if (table.leftOut > 0) add("<p class=\"aside\">{} {}</p>\n", table.leftOut, xmlEscaped(m_report.leftOutWord));
    }

    void write(const ReportFigure& figure)
    {
        // The XML declaration has no place inside HTML.
        const std::size_t start = figure.svg.find("<svg");
        if (start == std::string::npos) return;
        const std::string caption = xmlEscaped(figure.caption);
        add("<figure tabindex=\"0\"><figcaption>{0}</figcaption><svg role=\"img\" aria-label=\"{0}\"{1}</figure>\n",
            caption, withOwnNames(figure.svg.substr(start + std::string_view("<svg").size()), ++m_figures));
    }

    void write(const ReportVerdict& verdict)
    {
        add("<div class=\"verdict{}\"><b>{}</b><span class=\"why\">{}</span>", verdict.held ? " held" : "",
            xmlEscaped(verdict.title), xmlEscaped(verdict.reason));
        if (!verdict.rule.empty()) add(" <span class=\"aside\">{}</span>", xmlEscaped(verdict.rule));
        if (!verdict.evidence.empty()) add("<p>{}</p>", xmlEscaped(verdict.evidence));
        if (verdict.hasNumbers) {
            const double longest = std::max({verdict.needs, verdict.has, 1e-12});
            const auto line = [&](const std::string& word, double value, const std::string& text, bool isBad) {
                add("<span>{}</span><i{} style=\"width:{:.2f}%\"></i><span>{}</span>", xmlEscaped(word),
                    isBad ? " class=\"over\"" : "", 100 * std::max(value, 0.0) / longest, xmlEscaped(text));
            };
            m_html += "<div class=\"bars\">";
            line(m_report.needsWord, verdict.needs, verdict.needsText, !verdict.held);
            line(m_report.hasWord, verdict.has, verdict.hasText, false);
            m_html += "</div>";
        }
        for (const std::string& threshold : verdict.thresholds) add("<p>{}</p>", xmlEscaped(threshold));
        if (!verdict.remedy.empty()) add("<p class=\"aside\">{}</p>", xmlEscaped(verdict.remedy));
        m_html += "</div>\n";
    }

    const ReportModel& m_report;
    std::string m_html, m_section;
    std::size_t m_figures = 0;
};

} // namespace

std::string reportToHtml(const ReportModel& report) { return Writer(report).run(); }

} // namespace gelens
