#include "engine/report/report_model.h"

#include "engine/report/report_builder_internal.h"
#include "engine/session/memory_queries.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace gelens {
namespace report {
namespace {

constexpr std::size_t rowLimit = 400;  ///< of one table
constexpr std::size_t chainLimit = 80; ///< unfused chains told in full
constexpr std::size_t peakLimit = 25;  ///< tensors at the peak
constexpr std::size_t taskLimit = 30;  ///< longest tasks

std::string quantity(double value, const std::string& unit)
{
    const bool isWhole = std::abs(value) < 9e15 && value == std::floor(value);
    const std::string number = isWhole ? grouped(static_cast<std::int64_t>(value)) : fmt::format("{:g}", value);
    return unit.empty() ? number : number + " " + unit;
}

} // namespace

ReportModel ReportBuilder::build()
{
    m_report.language = m_words.language;
    m_report.title = m_run.modelName;
    const std::string_view mode = isDumps()               ? "dumped phases"
                                  : m_run.mode == "light" ? "lightweight compilation"
                                                          : "full compilation";
    m_report.subtitle = fmt::format("GE Lens · {}{}{}", m_run.soc.name, m_run.soc.name.empty() ? "" : " · ", t(mode));
    m_report.needsWord = t("needs");
    m_report.hasWord = t("has");
    m_report.leftOutWord = t("rows left out");
    m_report.contentsWord = t("Contents");
    m_report.smallWord =
        t("Larger than a page: zoom in, or write it as a file of its own with gelens-cli export MODEL --to graph.svg.");
    if (isDumps())
        addDumpSummary();
    else
        addSummary();
    addGraphs();
    if (isDumps())
        addDumpedPhases();
    else
        addSteps();
    addFusions();
    if (!isDumps()) addChains(); // dumps do not say what was tried
    addMemory();
    addTimeline();
    addVerification();
    addMessages();
    if (!isDumps()) addGlossary();
    return std::move(m_report);
}

void ReportBuilder::addReasons(ReportSection& chains) const
{
    ReportTable list = table("Why chains were not fused", {"reason", "chains", "places"});
    for (const ReasonCount& each : reasonsOf(m_run))
        list.rows.push_back({word(reason(each.reason)), count(each.chains), count(each.places)});
    chains.blocks.push_back(std::move(list));
}

void ReportBuilder::addGraphs()
{
    if (m_graphs.empty()) return;
    ReportSection& graphs = section("graphs", "Graphs");
    for (const ReportGraph& graph : m_graphs) {
        if (graph.svg.empty()) {
            graphs.blocks.push_back(ReportParagraph{
                filled(
                    t("%1: its picture would have %2 boxes even with its blocks folded; a report shows up to %3. Write "
                      "it as a file of its own: gelens-cli export MODEL --to graph.svg."),
                    {graph.caption, grouped(static_cast<std::int64_t>(graph.boxes)), grouped(mostReportBoxes)}),
                false});
            continue;
        }
        const auto [width, height] = svgSize(graph.svg);
        graphs.blocks.push_back(ReportFigure{graph.caption, graph.svg, width, height});
    }
}

void ReportBuilder::addSteps()
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
        const std::string key = fmt::format("steps.{}.", step.id.value);
        row.push_back(count(static_cast<std::int64_t>(step.editCount()), key + "changes"));
        row.push_back({fmt::format("{:.2f}", step.milliseconds), key + "ms", jsonNumber(step.milliseconds), true});
        list.rows.push_back(std::move(row));
    }
    steps.blocks.push_back(std::move(list));
}

void ReportBuilder::addFusions()
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

ReportVerdict ReportBuilder::verdictOf(const Chain& chain) const
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
                verdict.needsText = quantity(*check->needs, sentence(check->unit));
                verdict.hasText = quantity(*check->has, sentence(check->unit));
            }
            for (const Threshold& threshold : tried.thresholds) {
                const std::string unit = sentence(threshold.unit);
                verdict.thresholds.push_back(
                    fmt::format("{} {} {} ({} {})", sentence(threshold.quantity), threshold.isUpperLimit ? "≤" : "≥",
                                quantity(threshold.limit, unit), t("now"), quantity(threshold.current, unit)));
            }
            return verdict;
        }
    }
    return verdict;
}

void ReportBuilder::addChains()
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

void ReportBuilder::addMemory()
{
    if (isDumps() && m_run.plan.buffers.empty()) return; // early phases have no addresses
    ReportSection& memory = section("memory", "Memory");
    const std::string svg = memorySvg(m_run, t("position in the task order"), t("address"), t("peak"));
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

void ReportBuilder::addTimeline()
{
    const std::string svg = timelineSvg(m_run, t("estimated time"), t("stream"));
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

void ReportBuilder::addVerification()
{
    const Verification& verification = m_run.verification;
    if (!m_run.options.verify && !verification.ran) return;
    ReportSection& section_ = section("verification", "Verification");
    if (!verification.ran) {
        section_.blocks.push_back(ReportParagraph{ofFiles(verification.skipReason), false});
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
                             word(!step.ran      ? ofFiles(step.skipReason)
                                  : step.holds() ? "✓"
                                                 : "✗"),
                             {fmt::format("{:g}", largest), {}, {}, true}});
        if (list.rows.size() >= rowLimit) break;
    }
    list.leftOut = verification.steps.size() - list.rows.size();
    if (!verification.deviceSkipReason.empty())
        section_.blocks.push_back(ReportParagraph{ofFiles(verification.deviceSkipReason), false});
    section_.blocks.push_back(std::move(list));
}

void ReportBuilder::addMessages()
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
        list.rows.push_back({word(t(severity)), word(m_places.without(message.where)), word(ofFiles(message.text))});
    }
    messages.blocks.push_back(std::move(list));
}

} // namespace report

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
    return report::ReportBuilder(run, graphs, words).build();
}

} // namespace gelens
