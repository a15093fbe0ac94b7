// A folder of dumps has phases instead of passes, and nothing that only a run of our own knows.
#include "engine/report/report_builder_internal.h"

#include <algorithm>

namespace gelens::report {
namespace {

constexpr std::size_t phaseLimit = 600; ///< in all groups together

} // namespace

void ReportBuilder::addDumpSummary()
{
    const RunStatistics& s = m_run.statistics;
    ReportSection& summary = section("summary", "Summary");
    const auto unread = std::count_if(m_run.steps.begin(), m_run.steps.end(), [&](const Step& step) {
        const StepSource* source = m_run.sourceOf(step.id);
        return source != nullptr && !source->error.empty();
    });
    const auto say = [&](std::string_view text, std::initializer_list<std::string> values, bool isBad = false) {
        summary.blocks.push_back(ReportParagraph{filled(t(text), values), isBad});
    };
    if (s.nodes.before)
        say("Graphs in the folder: %1. The first of the last series has %2 operators, its last %3.",
            {grouped(m_run.stepCount()), grouped(*s.nodes.before), grouped(s.nodes.after)});
    else
        say("Graphs in the folder: %1.", {grouped(m_run.stepCount())});
    if (unread > 0) say("Graphs that cannot be read: %1.", {grouped(unread)}, true);
    ReportTable source = table("Where it comes from", {"option", "value"});
    source.rows.push_back({word(t("folder")), word(m_run.modelName)});
    source.rows.push_back({word(t("command line")), word("gelens-cli dumps " + m_run.modelName)});
    summary.blocks.push_back(std::move(source));
}

void ReportBuilder::addDumpedPhases()
{
    ReportSection& phases = section("steps", "Dumped phases");
    std::size_t shown = 0;
    ReportTable list;
    const auto finish = [&] {
        if (!list.rows.empty()) phases.blocks.push_back(std::move(list));
    };
    for (const Step& step : m_run.steps) {
        const StepSource* source = m_run.sourceOf(step.id);
        if (source == nullptr) continue;
        if (shown == phaseLimit) {
            ++list.leftOut;
            continue;
        }
        ++shown;
        if (m_run.spanOf(step.id).first == step.id) {
            finish();
            list = table({}, {"step", "phase", "operators", "changed nodes", "what it shows"});
            list.title = m_words.group ? m_words.group(*source) : source->group;
        }
        const bool isRead = source->isRead && source->error.empty();
        const bool isFirst = m_run.baseOf(step.id) == step.id;
        const std::string meaning = m_words.meaning ? m_words.meaning(*source) : source->meaning;
        list.rows.push_back({count(step.id.value), word(step.phase), isRead ? count(step.after.operators) : none(),
                             isRead && !isFirst ? count(static_cast<std::int64_t>(step.editCount())) : none(),
                             word(source->error.empty() ? meaning : ofFiles(source->error))});
    }
    finish();
}

} // namespace gelens::report
