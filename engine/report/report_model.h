#pragma once
// A run as a report: sections of sentences, tables, figures and verdicts. HTML and PDF are written from this model.

#include "engine/session/run.h"

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gelens {

/// The report's words in another language. Each function gets what the engine says; empty functions keep it in English.
struct ReportWords {
    std::function<std::string(std::string_view)> text; ///< headings and column titles: `reportTexts()`
    std::function<std::string(Stage)> stage;
    std::function<std::string(std::string_view)> phase; ///< GE's phase name
    std::function<std::string(Reason)> reason;
    std::function<std::string(Unit)> unit;                        ///< as the legend of a graph names it
    std::function<std::string(const StepSource&)> group, meaning; ///< of a dump
    std::function<std::string(std::string_view)> sentence;        ///< evidence, remedies, summaries
    std::string language = "en";                                  ///< of the document: "en", "zh-CN"
};
/// Every heading, column title and sentence that the report writes itself.
const std::vector<std::string_view>& reportTexts();

struct ReportCell {
    std::string text;
    std::string figure; ///< key of the number, as `compile --json` names it: "nodes.after"; empty: no such number
    std::string value;  ///< the number as JSON writes it
    bool isNumber = false;
};

struct ReportTable {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<ReportCell>> rows;
    std::size_t leftOut = 0; ///< rows beyond the limit of the report
};

/// A picture as one SVG document, with its size in pixels.
struct ReportFigure {
    std::string caption;
    std::string svg;
    double width = 0, height = 0;
};

struct ReportParagraph {
    std::string text;
    bool isWarning = false;
};

/// A refusal (or a fusion) with its numbers.
struct ReportVerdict {
    std::string title; ///< "BatchMatMulV2 → SwiGlu × 2"
    std::string reason, evidence, remedy;
    std::string rule;
    bool held = false;
    bool hasNumbers = false;
    double needs = 0, has = 0;
    std::string needsText, hasText;      ///< "1,081,344 B"
    std::vector<std::string> thresholds; ///< "keys ≤ 15,872 (now 16,384)"
};

using ReportBlock = std::variant<ReportParagraph, ReportTable, ReportFigure, ReportVerdict>;

struct ReportSection {
    std::string id; ///< anchor: "memory"
    std::string title;
    std::vector<ReportBlock> blocks;
};

struct ReportModel {
    std::string title, subtitle, language;
    std::string needsWord, hasWord, leftOutWord, contentsWord, smallWord; ///< for the writers
    std::vector<ReportSection> sections;
};

/// A graph that the caller has drawn: "graph as read", its SVG.
struct ReportGraph {
    std::string caption;
    std::string svg;
    std::size_t boxes = 0; ///< without a picture: so many boxes it would have, more than a report shows
};
/// Boxes of a graph in a report: a megabyte of SVG, and as much as eight pages hold.
inline constexpr std::size_t mostReportBoxes = 4000;

/// Bounded: the longest tables keep their first rows and say how many are missing.
ReportModel buildReport(const Run& run, const std::vector<ReportGraph>& graphs, const ReportWords& words = {});

/// Width and height in the first tag of an SVG document; zero when they are not there.
std::pair<double, double> svgSize(std::string_view svg);

} // namespace gelens
