#include "engine/report/report_model.h"

#include "engine/report/report_figures_internal.h"
#include "engine/report/report_findings_internal.h"
#include "engine/session/memory_queries.h"
#include "engine/session/what_if.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>

namespace gelens {
namespace {

using report::bytesText;
using report::grouped;
using report::microsecondsText;

constexpr std::size_t rowLimit = 400;  ///< of one table
constexpr std::size_t chainLimit = 80; ///< unfused chains told in full
constexpr std::size_t peakLimit = 25;  ///< tensors at the peak
constexpr std::size_t taskLimit = 30;  ///< longest tasks

/// Numbers as `compile --json` writes them, so that both can be compared text by text.
template <typename Number>
std::string jsonNumber(Number value)
{
    return nlohmann::json(value).dump();
}

std::string quantity(double value, const std::string& unit)
{
    const bool isWhole = std::abs(value) < 9e15 && value == std::floor(value);
    const std::string number = isWhole ? grouped(static_cast<std::int64_t>(value)) : fmt::format("{:g}", value);
    return unit.empty() ? number : number + " " + unit;
}

class Builder {
public:
    Builder(const Run& run, const std::vector<ReportGraph>& graphs, const ReportWords& words)
        : m_run(run), m_graphs(graphs), m_words(words)
    {
    }

    ReportModel build()
    {
        m_report.language = m_words.language;
        m_report.title = m_run.modelName;
        m_report.subtitle = fmt::format("GE Lens · {} · {}", m_run.soc.name,
                                        m_run.mode == "light" ? t("lightweight compilation") : t("full compilation"));
        m_report.needsWord = t("needs");
        m_report.hasWord = t("has");
        m_report.leftOutWord = t("rows left out");
        m_report.contentsWord = t("Contents");
        addSummary();
        addGraphs();
        addSteps();
        addFusions();
        addChains();
        addMemory();
        addTimeline();
        addVerification();
        addMessages();
        addGlossary();
        return std::move(m_report);
    }

private:
    std::string t(std::string_view text) const { return m_words.text ? m_words.text(text) : std::string(text); }
    std::string sentence(std::string_view text) const
    {
        return m_words.sentence ? m_words.sentence(text) : std::string(text);
    }
    std::string reason(Reason reason) const
    {
        return m_words.reason ? m_words.reason(reason) : report::spacedName(reasonName(reason));
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
    ReportModel m_report;
};

void Builder::addSummary()
{
    const RunStatistics& s = m_run.statistics;
    ReportSection& summary = section("summary", "Summary");
    if (m_run.error) summary.blocks.push_back(ReportParagraph{m_run.error->message(), true});
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
    add("fusion rate", ratio(s.fusionRate, "fusion_rate"));
    add("memory reuse rate", ratio(s.memoryReuseRate, "memory_reuse_rate"));
    add("lower bound of memory", bytes(s.memoryLowerBound, "memory_bytes.lower_bound"));
    add("memory with GE's own policy", bytes(s.memoryGeAfter, "memory_bytes.ge_after"));
    add("memory without reuse", bytes(s.memoryUnsharedAfter, "memory_bytes.unshared_after"));
    add("weights", bytes(s.weightBytes, "memory_bytes.weights"));
    add("kernels compiled", count(s.compiledKernels, "kernel_cache.compiled"));
    add("kernels shared", count(s.sharedKernels, "kernel_cache.shared"));
    summary.blocks.push_back(std::move(more));

    ReportTable options = table("How it was compiled", {"option", "value"});
    options.rows.push_back({word(t("file")), word(m_run.modelPath)});
    options.rows.push_back({word(t("mode")), word(sentence(m_run.modeReason))});
    options.rows.push_back({word(t("precision")), word(std::string(precisionName(m_run.options.precision)))});
    options.rows.push_back({word(t("memory policy")), word(m_run.plan.policy)});
    std::string line = "gelens-cli compile " + m_run.modelPath.substr(m_run.modelPath.find_last_of('/') + 1);
    if (m_run.options.soc != CompileOptions().soc || argumentsOf(m_run.options).empty())
        line += " --soc " + m_run.soc.name;
    for (const std::string& argument : argumentsOf(m_run.options)) line += " " + argument;
    options.rows.push_back({word(t("command line")), word(line)});
    summary.blocks.push_back(std::move(options));
    summary.blocks.push_back(
        ReportParagraph{t("Times are estimates of a published cost model, not measurements."), false});
}

/// What one would say in the mail that the report comes with.
void Builder::addFindings(ReportSection& summary) const
{
    const RunStatistics& s = m_run.statistics;
    const auto say = [&](std::string_view text, std::initializer_list<std::string> values, bool isBad = false) {
        summary.blocks.push_back(ReportParagraph{report::filled(t(text), values), isBad});
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
    const auto reasons = report::reasonsOf(m_run);
    if (!reasons.empty()) {
        int chains = 0, places = 0;
        for (const report::ReasonCount& each : reasons) chains += each.chains, places += each.places;
        say("Chains that no rule fused: %1, at %2 places. Most often: %3 (%4 places).",
            {grouped(chains), grouped(places), reason(reasons.front().reason), grouped(reasons.front().places)});
    }
    if (m_run.verification.ran && m_run.verification.passed())
        say("The numbers were verified and hold at every step.", {});
    else if (m_run.verification.ran)
        say("The numbers were verified and do NOT hold.", {}, true);
}

void Builder::addReasons(ReportSection& chains) const
{
    ReportTable list = table("Why chains were not fused", {"reason", "chains", "places"});
    for (const report::ReasonCount& each : report::reasonsOf(m_run))
        list.rows.push_back({word(reason(each.reason)), count(each.chains), count(each.places)});
    chains.blocks.push_back(std::move(list));
}

void Builder::addGlossary()
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

void Builder::addGraphs()
{
    if (m_graphs.empty()) return;
    ReportSection& graphs = section("graphs", "Graphs");
    for (const ReportGraph& graph : m_graphs) {
        const auto [width, height] = svgSize(graph.svg);
        graphs.blocks.push_back(ReportFigure{graph.caption, graph.svg, width, height});
    }
}

void Builder::addSteps()
{
    ReportSection& steps = section("steps", "Steps that changed the graph");
    ReportTable list = table({}, {"step", "stage", "phase", "pass", "operators", "edits", "ms"});
    for (const Step& step : m_run.steps) {
        if (!step.hasChanged() && step.id.value != 0) continue;
        if (list.rows.size() >= rowLimit) {
            ++list.leftOut;
            continue;
        }
        std::vector<ReportCell> row{count(step.id.value), word(stage(step.stage)), word(phase(step.phase)),
                                    word(step.pass)};
        row.push_back(
            {fmt::format("{} → {}", grouped(step.before.operators), grouped(step.after.operators)), {}, {}, true});
        row.push_back(count(static_cast<std::int64_t>(step.editCount())));
        row.push_back({fmt::format("{:.2f}", step.milliseconds), {}, {}, true});
        list.rows.push_back(std::move(row));
    }
    steps.blocks.push_back(std::move(list));
}

void Builder::addFusions()
{
    if (m_run.fusions.empty()) return;
    ReportSection& fusions = section("fusions", "Fusion rules");
    ReportTable list = table({}, {"rule", "GE pass", "matched", "effective", "what it does"});
    for (const FusionSummary& fusion : m_run.fusions)
        list.rows.push_back(
            {word(fusion.rule), word(fusion.gePass), count(fusion.matched, "fusions." + fusion.rule + ".matched"),
             count(fusion.effective, "fusions." + fusion.rule + ".effective"), word(sentence(fusion.summary))});
    fusions.blocks.push_back(std::move(list));
}

ReportVerdict Builder::verdictOf(const Chain& chain) const
{
    ReportVerdict verdict;
    for (const std::string& type : chain.nodeTypes) {
        if (verdict.title.size() > 160) {
            verdict.title += " → …";
            break;
        }
        verdict.title += (verdict.title.empty() ? "" : " → ") + type;
    }
    if (chain.count > 1) verdict.title += fmt::format(" × {}", chain.count);
    verdict.reason = reason(chain.reason);
    verdict.evidence = sentence(chain.evidence);
    verdict.remedy = sentence(chain.remedy);
    for (const ChainLink& link : chain.links) {
        if (link.reason != chain.reason) continue;
        for (const FusionVerdict& tried : link.tried) {
            if (tried.reason != chain.reason) continue;
            verdict.rule = tried.rule;
            if (const Check* check = tried.headline(); check != nullptr && check->needs && check->has) {
                verdict.hasNumbers = true;
                verdict.needs = *check->needs;
                verdict.has = *check->has;
                verdict.needsText = quantity(*check->needs, check->unit);
                verdict.hasText = quantity(*check->has, check->unit);
            }
            for (const Threshold& threshold : tried.thresholds)
                verdict.thresholds.push_back(fmt::format(
                    "{} {} {} ({} {})", threshold.quantity, threshold.isUpperLimit ? "≤" : "≥",
                    quantity(threshold.limit, threshold.unit), t("now"), quantity(threshold.current, threshold.unit)));
            return verdict;
        }
    }
    return verdict;
}

void Builder::addChains()
{
    ReportSection& chains = section("unfused", "Chains that were not fused");
    if (m_run.chains.empty()) {
        chains.blocks.push_back(ReportParagraph{t("Every chain that a rule names was fused."), false});
        return;
    }
    addReasons(chains);
    constexpr ReasonClass order[] = {ReasonClass::Capacity, ReasonClass::Unit, ReasonClass::Structure,
                                     ReasonClass::NoRule};
    std::size_t shown = 0;
    for (const ReasonClass reasons : order)
        for (const Chain& chain : m_run.chains)
            if (reasonClass(chain.reason) == reasons && shown++ < chainLimit) chains.blocks.push_back(verdictOf(chain));
    if (shown > chainLimit)
        chains.blocks.push_back(ReportParagraph{
            fmt::format("{} {}", grouped(static_cast<std::int64_t>(shown - chainLimit)), t("chains left out")), false});
}

void Builder::addMemory()
{
    ReportSection& memory = section("memory", "Memory");
    const std::string svg = report::memorySvg(m_run, t("position in the task order"), t("address"), t("peak"));
    if (svg.empty()) {
        memory.blocks.push_back(ReportParagraph{t("No memory was planned."), false});
        return;
    }
    const auto [width, height] = svgSize(svg);
    memory.blocks.push_back(ReportFigure{t("Who lives where in device memory, and when"), svg, width, height});
    const PeakReport peak = peakOf(m_run);
    ReportTable list = table("What the peak is made of", {"tensor", "size", "share"});
    for (const PeakTensor& tensor : peak.tensors) {
        if (list.rows.size() >= peakLimit) {
            ++list.leftOut;
            continue;
        }
        list.rows.push_back({word(tensor.name), bytes(tensor.blockBytes), ratio(tensor.share)});
    }
    memory.blocks.push_back(std::move(list));
}

void Builder::addTimeline()
{
    const std::string svg = report::timelineSvg(m_run, t("estimated time"), t("stream"));
    if (svg.empty()) return;
    ReportSection& timeline = section("timeline", "Timeline");
    const auto [width, height] = svgSize(svg);
    timeline.blocks.push_back(ReportFigure{t("When each task runs, estimated"), svg, width, height});
    struct Total {
        double us = 0;
        int tasks = 0;
    };
    std::map<std::string, Total> totals;
    std::vector<const TimelineItem*> longest;
    const auto taskOf = [&](const TimelineItem& item) -> const Task* {
        return item.task >= 0 && item.task < static_cast<int>(m_run.tasks.tasks.size())
                   ? &m_run.tasks.tasks[static_cast<std::size_t>(item.task)]
                   : nullptr;
    };
    for (const TimelineItem& item : m_run.timeline.items)
        if (const Task* task = taskOf(item)) {
            totals[task->opType].us += item.durationUs;
            ++totals[task->opType].tasks;
            longest.push_back(&item);
        }
    std::vector<std::pair<std::string, Total>> byTime(totals.begin(), totals.end());
    std::stable_sort(byTime.begin(), byTime.end(),
                     [](const auto& a, const auto& b) { return a.second.us > b.second.us; });
    ReportTable types = table("Time by operator type", {"operator type", "tasks", "time", "share"});
    for (const auto& [type, total] : byTime)
        types.rows.push_back({word(type), count(total.tasks), micros(total.us),
                              ratio(total.us / std::max(m_run.timeline.totalUs, 1e-9))});
    timeline.blocks.push_back(std::move(types));
    std::stable_sort(longest.begin(), longest.end(),
                     [](const TimelineItem* a, const TimelineItem* b) { return a->durationUs > b->durationUs; });
    ReportTable list = table("Longest tasks", {"task", "operator type", "start", "time"});
    for (const TimelineItem* item : longest) {
        if (list.rows.size() >= taskLimit) {
            ++list.leftOut;
            continue;
        }
        const Task* task = taskOf(*item);
        list.rows.push_back({word(task->name), word(task->opType), micros(item->startUs), micros(item->durationUs)});
    }
    timeline.blocks.push_back(std::move(list));
}

void Builder::addVerification()
{
    const Verification& verification = m_run.verification;
    if (!m_run.options.verify && !verification.ran) return;
    ReportSection& section_ = section("verification", "Verification");
    if (!verification.ran) {
        section_.blocks.push_back(ReportParagraph{verification.skipReason, false});
        return;
    }
    section_.blocks.push_back(
        ReportParagraph{verification.passed() ? t("The numbers hold at every step.") : t("The numbers do NOT hold."),
                        !verification.passed()});
    ReportTable list = table({}, {"step", "pass", "holds", "largest error"});
    for (const StepVerification& step : verification.steps) {
        double largest = 0;
        for (const ErrorMeasure& output : step.outputs) largest = std::max(largest, output.maxAbs);
        list.rows.push_back({count(step.step.value),
                             word(m_run.step(step.step).pass),
                             word(!step.ran      ? step.skipReason
                                  : step.holds() ? "✓"
                                                 : "✗"),
                             {fmt::format("{:g}", largest), {}, {}, true}});
        if (list.rows.size() >= rowLimit) break;
    }
    list.leftOut = verification.steps.size() - list.rows.size();
    if (!verification.deviceSkipReason.empty())
        section_.blocks.push_back(ReportParagraph{verification.deviceSkipReason, false});
    section_.blocks.push_back(std::move(list));
}

void Builder::addMessages()
{
    if (m_run.messages.empty()) return;
    ReportSection& messages = section("messages", "Messages");
    ReportTable list = table({}, {"severity", "place", "message"});
    for (const Message& message : m_run.messages) {
        if (list.rows.size() >= rowLimit) {
            ++list.leftOut;
            continue;
        }
        const char* severity = message.severity == Severity::Error     ? "error"
                               : message.severity == Severity::Warning ? "warning"
                                                                       : "note";
        list.rows.push_back({word(t(severity)), word(message.where), word(sentence(message.text))});
    }
    messages.blocks.push_back(std::move(list));
}

} // namespace

std::pair<double, double> svgSize(std::string_view svg)
{
    const std::size_t open = svg.find("<svg");
    if (open == std::string_view::npos) return {0, 0};
    const std::string_view tag = svg.substr(open, svg.find('>', open) - open);
    const auto read = [&](std::string_view name) {
        const std::size_t at = tag.find(name);
        double value = 0;
        if (at != std::string_view::npos)
            std::from_chars(tag.data() + at + name.size(), tag.data() + tag.size(), value);
        return value;
    };
    return {read(" width=\""), read(" height=\"")};
}

ReportModel buildReport(const Run& run, const std::vector<ReportGraph>& graphs, const ReportWords& words)
{
    return Builder(run, graphs, words).build();
}

} // namespace gelens
