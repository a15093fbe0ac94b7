// What a report says first, and the words that it explains last.
#include "engine/report/report_builder_internal.h"
#include "engine/session/what_if.h"

namespace gelens::report {

void ReportBuilder::addSummary()
{
    const RunStatistics& s = m_run.statistics;
    ReportSection& summary = section("summary", "Summary");
    if (m_run.error) summary.blocks.push_back(ReportParagraph{ofFiles(m_run.error->message()), true});
    addFindings(summary);
    ReportTable figures = table({}, {"", "before", "after", "reduction"});
    const auto asCount = [](auto value, std::string figure) {
        return count(static_cast<std::int64_t>(value), std::move(figure));
    };
    const auto asBytes = [](std::int64_t value, std::string figure) { return bytes(value, std::move(figure)); };
    const auto asMicros = [](double value, std::string figure) { return micros(value, std::move(figure)); };
    addFigure(figures, "operators", s.nodes.before, s.nodes.after, "nodes", asCount);
    addFigure(figures, "intermediate tensors", s.intermediateTensors.before, s.intermediateTensors.after,
              "intermediate_tensors", asCount);
    addFigure(figures, "memory", s.memoryBefore, s.memoryAfter, "memory_bytes", asBytes);
    addFigure(figures, "tasks", s.tasks.before, s.tasks.after, "tasks", asCount);
    addFigure(figures, "latency, estimated", s.latencyUs.before, s.latencyUs.after, "latency_us", asMicros);
    summary.blocks.push_back(std::move(figures));

    ReportTable more = table("More figures", {"figure", "value"});
    const auto add = [&](std::string_view name, ReportCell cell) {
        more.rows.push_back({word(t(name)), std::move(cell)});
    };
    add("fusion rate", s.nodes.before ? ratio(s.fusionRate, "fusion_rate") : none()); // of an OM nobody knows
    add("memory reuse rate", ratio(s.memoryReuseRate, "memory_reuse_rate"));
    add("lower bound of memory", bytes(s.memoryLowerBound, "memory_bytes.lower_bound"));
    add("memory with GE's own policy", bytes(s.memoryGeAfter, "memory_bytes.ge_after"));
    add("memory without reuse", bytes(s.memoryUnsharedAfter, "memory_bytes.unshared_after"));
    add("weights", bytes(s.weightBytes, "memory_bytes.weights"));
    add("kernels compiled", count(s.compiledKernels, "kernel_cache.compiled"));
    add("kernels shared", count(s.sharedKernels, "kernel_cache.shared"));
    summary.blocks.push_back(std::move(more));

    ReportTable options = table("How it was compiled", {"option", "value"});
    options.rows.push_back({word(t("file")), word(m_places.without(m_run.modelPath))});
    options.rows.push_back({word(t("mode")), word(ofFiles(m_run.modeReason))});
    options.rows.push_back({word(t("precision")), word(std::string(precisionName(m_run.options.precision)))});
    options.rows.push_back({word(t("memory policy")), word(m_run.plan.policy)});
    std::string line = "gelens-cli compile " + m_places.without(m_run.modelPath);
    if (m_run.options.soc == CompileOptions().soc)
        line += " --soc " + m_run.soc.name; // said even where it is the default
    for (const std::string& argument : argumentsOf(m_run.options)) line += " " + argument;
    options.rows.push_back({word(t("command line")), word(m_places.without(line))});
    summary.blocks.push_back(std::move(options));
    summary.blocks.push_back(
        ReportParagraph{t("Times are estimates of a published cost model, not measurements."), false});
}

/// What one would say in the mail that the report comes with.
void ReportBuilder::addFindings(ReportSection& summary) const
{
    const RunStatistics& s = m_run.statistics;
    const auto say = [&](std::string_view text, std::initializer_list<std::string> values, bool isBad = false) {
        summary.blocks.push_back(ReportParagraph{filled(t(text), values), isBad});
    };
    if (m_run.error || m_run.wasCancelled) say("The run stopped early; what follows is what it had reached.", {}, true);
    if (s.nodes.before && s.tasks.before)
        say("%1 operators became %2, and %3 tasks %4.",
            {grouped(*s.nodes.before), grouped(s.nodes.after), grouped(*s.tasks.before), grouped(s.tasks.after)});
    if (s.latencyUs.before)
        say("Estimated latency: %1 before, %2 after.",
            {microsecondsText(*s.latencyUs.before), microsecondsText(s.latencyUs.after)});
    if (s.memoryAfter > 0 && s.memoryAfter == s.memoryLowerBound)
        say("Intermediate tensors need %1 at the peak; no plan can need less.", {bytesText(s.memoryAfter)});
    else if (s.memoryAfter > 0)
        say("Intermediate tensors need %1 at the peak; any plan needs at least %2.",
            {bytesText(s.memoryAfter), bytesText(s.memoryLowerBound)});
    const auto reasons = reasonsOf(m_run);
    if (!reasons.empty()) {
        int chains = 0, places = 0;
        for (const ReasonCount& each : reasons) chains += each.chains, places += each.places;
        say("Chains that no rule fused: %1, at %2 places. Most often: %3 (%4 places).",
            {grouped(chains), grouped(places), reason(reasons.front().reason), grouped(reasons.front().places)});
    }
    if (m_run.verification.ran && m_run.verification.passed())
        say("The numbers were verified and hold at every step.", {});
    else if (m_run.verification.ran)
        say("The numbers were verified and do NOT hold.", {}, true);
}

void ReportBuilder::addGlossary()
{
    ReportSection& words = section("words", "Words used here");
    ReportTable list = table({}, {"word", "meaning"});
    const std::pair<std::string_view, std::string_view> meanings[] = {
        {"fusion rate", "operators that fusion took away, as a share of those that were read"},
        {"memory reuse rate",
         "memory that sharing saves, as a share of what each tensor in a place of its own would take"},
        {"lower bound of memory", "the most bytes alive at one time: no plan can need less"},
        {"memory with GE's own policy", "what GE's own block allocator would need for the same tensors"},
        {"kernels shared", "a kernel that several tasks run is compiled once"},
        {"colours and letters", "C: cube, the matrix unit; V: vector unit; M: both in one kernel; H: AI CPU or host; "
                                "·: no computation of its own"}};
    for (const auto& [name, meaning] : meanings) list.rows.push_back({word(t(name)), word(t(meaning))});
    words.blocks.push_back(std::move(list));
}

} // namespace gelens::report
