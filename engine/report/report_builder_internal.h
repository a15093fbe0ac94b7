#pragma once
// Puts the sections of a report together. Private to this folder.

#include "engine/report/report_figures_internal.h"
#include "engine/report/report_findings_internal.h"
#include "engine/report/report_model.h"
#include "engine/report/report_places_internal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <initializer_list>
#include <optional>

namespace gelens::report {

class ReportBuilder {
public:
    ReportBuilder(const Run& run, const std::vector<ReportGraph>& graphs, const ReportWords& words)
        : m_run(run), m_graphs(graphs), m_words(words), m_places(run)
    {
    }

    ReportModel build();

private:
    std::string t(std::string_view text) const { return m_words.text ? m_words.text(text) : std::string(text); }
    std::string sentence(std::string_view text) const
    {
        return m_words.sentence ? m_words.sentence(text) : std::string(text);
    }
    /// What is said of files: without the folders that they lie in.
    std::string ofFiles(std::string_view text) const { return sentence(m_places.without(text)); }
    std::string reason(Reason reason) const
    {
        return m_words.reason ? m_words.reason(reason) : spacedName(reasonName(reason));
    }
    std::string stage(Stage stage) const
    {
        return m_words.stage ? m_words.stage(stage) : std::string(stageName(stage));
    }
    std::string phase(const std::string& phase) const { return m_words.phase ? m_words.phase(phase) : phase; }

    ReportSection& section(const char* id, std::string_view title)
    {
        m_report.sections.push_back({id, t(title), {}});
        return m_report.sections.back();
    }
    ReportTable table(std::string_view title, std::initializer_list<std::string_view> columns) const
    {
        ReportTable table;
        table.title = title.empty() ? std::string() : t(title);
        for (const std::string_view column : columns)
            table.columns.push_back(column.empty() ? std::string() : t(column));
        return table;
    }
    /// Numbers as `compile --json` writes them, so that both can be compared text by text.
    template <typename Number>
    static std::string jsonNumber(Number value)
    {
        return nlohmann::json(value).dump();
    }
    static ReportCell word(std::string text) { return {std::move(text), {}, {}, false}; }
    static ReportCell count(std::int64_t value, std::string figure = {})
    {
        return {grouped(value), std::move(figure), jsonNumber(value), true};
    }
    static ReportCell bytes(std::int64_t value, std::string figure = {})
    {
        return {bytesText(value), std::move(figure), jsonNumber(value), true};
    }
    static ReportCell micros(double value, std::string figure = {})
    {
        return {microsecondsText(value), std::move(figure), jsonNumber(value), true};
    }
    static ReportCell ratio(double value, std::string figure = {})
    {
        return {fmt::format("{:.1f} %", 100 * value), std::move(figure), jsonNumber(value), true};
    }
    static ReportCell none() { return {"–", {}, {}, true}; }

    template <typename T, typename Cell>
    void addFigure(ReportTable& table, std::string_view name, const std::optional<T>& before, T after,
                   const std::string& figure, Cell cell) const
    {
        std::vector<ReportCell> row{word(t(name))};
        row.push_back(before ? cell(*before, figure + ".before") : none());
        row.push_back(cell(after, figure + ".after"));
        row.push_back(before && *before > 0
                          ? word(fmt::format("{:.1f} %", 100.0 * (1.0 - double(after) / double(*before))))
                          : none());
        row.back().isNumber = true;
        table.rows.push_back(std::move(row));
    }

    bool isDumps() const { return m_run.mode == "dumps"; }
    void addDumpSummary();
    void addDumpedPhases();
    void addSummary();
    void addFindings(ReportSection& summary) const;
    void addReasons(ReportSection& chains) const;
    void addGlossary();
    void addGraphs();
    void addSteps();
    void addFusions();
    void addChains();
    void addMemory();
    void addTimeline();
    void addVerification();
    void addMessages();
    ReportVerdict verdictOf(const Chain& chain) const;

    const Run& m_run;
    const std::vector<ReportGraph>& m_graphs;
    const ReportWords& m_words;
    LocalPlaces m_places;
    ReportModel m_report;
};

} // namespace gelens::report
