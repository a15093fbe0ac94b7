#include "engine/report/run_json.h"

#include "engine/report/json_internal.h"
#include "engine/report/om_json_internal.h"
#include "engine/session/blocks.h"
#include "engine/session/broken_patterns.h"
#include "engine/session/memory_queries.h"
#include "engine/session/verify.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace gelens {
namespace report {

std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

namespace {

/// JSON has no infinities; a measure that is not finite is given as null.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

template <typename T>
Json pair(const std::optional<T>& before, T after)
{
    return {{"before", before ? Json(*before) : Json(nullptr)}, {"after", after}};
}

Json checkToJson(const Check& check)
{
    Json json = {{"reason", reasonName(check.reason)}, {"held", check.held}, {"what", check.what}};
    json["needs"] = check.needs ? number(*check.needs) : Json(nullptr);
    json["has"] = check.has ? number(*check.has) : Json(nullptr);
    json["unit"] = check.unit;
    json["code"] = check.code;
    json["evidence_mark"] = std::string(1, check.evidence);
    return json;
}

Json thresholdToJson(const Threshold& threshold)
{
    return {{"quantity", threshold.quantity},           {"symbol", threshold.symbol},
            {"current", number(threshold.current)},     {"limit", number(threshold.limit)},
            {"is_upper_limit", threshold.isUpperLimit}, {"unit", threshold.unit}};
}

Json stepToJson(const Step& step)
{
    Json json = {{"index", step.id.value},
                 {"stage", stageName(step.stage)},
                 {"phase", step.phase},
                 {"pass", step.pass},
                 {"ms", step.milliseconds},
                 {"nodes_before", step.before.operators},
                 {"nodes_after", step.after.operators},
                 {"graph_nodes", step.after.graphNodes},
                 {"changes", step.editCount()}};
    if (step.wasSkipped) json["skipped"] = true;
    for (const Message& message : step.messages)
        if (message.id == "pass.skipped") json["skip_reason"] = message.text;
    if (!step.counters.empty()) {
        Json counters = Json::object();
        for (const auto& [name, value] : step.counters) counters[name] = value;
        json["counters"] = std::move(counters);
    }
    return json;
}

Json fusionsToJson(const Run& run)
{
    Json list = Json::array();
    for (const FusionSummary& fusion : run.fusions) {
        Json nodes = Json::array(), into = Json::array();
        for (const auto& [replaced, fused] : fusion.places) {
            nodes.push_back(replaced);
            into.push_back(fused);
        }
        list.push_back({{"rule", fusion.rule},
                        {"ge_pass", fusion.gePass},
                        {"matched", fusion.matched},
                        {"effective", fusion.effective},
                        {"nodes", std::move(nodes)},
                        {"into", std::move(into)}});
    }
    return list;
}

Json errorToJson(const ErrorMeasure& error)
{
    return {{"tensor", error.tensor},          {"elements", error.elements},     {"max_abs", number(error.maxAbs)},
            {"max_rel", number(error.maxRel)}, {"cosine", number(error.cosine)}, {"mismatches", error.mismatches},
            {"holds", error.holds()}};
}

Json verificationToJson(const Verification& verification, const Run& run)
{
    Json json = {{"ran", verification.ran}};
    if (!verification.skipReason.empty()) json["skip_reason"] = verification.skipReason;
    if (!verification.ran) return json;
    json["passed"] = verification.passed();
    json["seed"] = verification.seed;
    const std::string& skipped = verification.deviceSkipReason;
    Json steps = Json::array();
    for (const StepVerification& step : verification.steps) {
        Json entry = {{"index", step.step.value}, {"pass", run.step(step.step).pass}, {"holds", step.holds()}};
        if (!step.ran) entry["skip_reason"] = step.skipReason;
        Json outputs = Json::array();
        for (const ErrorMeasure& output : step.outputs) outputs.push_back(errorToJson(output));
        entry["outputs"] = std::move(outputs);
        steps.push_back(std::move(entry));
    }
    json["steps"] = std::move(steps);
    json["first_bad_step"] =
        verification.firstBadStep.isValid() ? Json(verification.firstBadStep.value) : Json(nullptr);
    json["first_bad_node"] =
        verification.firstBadNodeName.empty() ? Json(nullptr) : Json(verification.firstBadNodeName);
    json["device_orders"] = verification.interleavings;
    json["device_passed"] = skipped.empty() ? Json(verification.devicePassed) : Json(nullptr);
    if (!skipped.empty()) json["device_skipped"] = skipped;
    if (!verification.notes.empty()) json["notes"] = verification.notes;
    return json;
}

Json memoryToJson(const RunStatistics& statistics)
{
    return {{"before", statistics.memoryBefore ? Json(*statistics.memoryBefore) : Json(nullptr)},
            {"after", statistics.memoryAfter},
            {"ge_after", statistics.memoryGeAfter},
            {"unshared_after", statistics.memoryUnsharedAfter},
            {"lower_bound", statistics.memoryLowerBound},
            {"weights", statistics.weightBytes}};
}

} // namespace

Json verdictToJson(const FusionVerdict& verdict)
{
    Json checks = Json::array(), thresholds = Json::array();
    for (const Check& check : verdict.checks) checks.push_back(checkToJson(check));
    for (const Threshold& threshold : verdict.thresholds) thresholds.push_back(thresholdToJson(threshold));
    Json json = {{"rule", verdict.rule},
                 {"ge_pass", verdict.gePass},
                 {"fused", verdict.fused},
                 {"reason", reasonName(verdict.reason)},
                 {"class", reasonClassName(reasonClass(verdict.reason))},
                 {"nodes", verdict.nodeNames},
                 {"types", verdict.nodeTypes},
                 {"pattern", verdict.patternNodes},
                 {"first_mismatch", verdict.firstMismatch.empty() ? Json(nullptr) : Json(verdict.firstMismatch)},
                 {"into", verdict.intoName.empty() ? Json(nullptr) : Json(verdict.intoName)},
                 {"checks", std::move(checks)},
                 {"thresholds", std::move(thresholds)},
                 {"remedy", verdict.remedy}};
    return json;
}

Json brokenToJson(const BrokenPattern& broken)
{
    return {{"rule", broken.rule},           {"ge_pass", broken.gePass}, {"matched_until", broken.matchedUntil.value},
            {"step", broken.brokenBy.value}, {"pass", broken.pass},      {"nodes", broken.nodes}};
}

Json chainToJson(const Chain& chain, bool withChecks)
{
    Json links = Json::array();
    for (const ChainLink& link : chain.links) {
        Json entry = {{"from", link.fromName},
                      {"to", link.toName},
                      {"from_type", link.fromType},
                      {"to_type", link.toType},
                      {"reason", reasonName(link.reason)},
                      {"class", reasonClassName(reasonClass(link.reason))},
                      {"evidence", link.evidence},
                      {"remedy", link.remedy}};
        if (withChecks) {
            Json tried = Json::array();
            for (const FusionVerdict& verdict : link.tried) tried.push_back(verdictToJson(verdict));
            entry["tried"] = std::move(tried);
        }
        links.push_back(std::move(entry));
    }
    return {{"nodes", chain.nodeNames},
            {"types", chain.nodeTypes},
            {"reason", reasonName(chain.reason)},
            {"class", reasonClassName(reasonClass(chain.reason))},
            {"evidence", chain.evidence},
            {"remedy", chain.remedy},
            {"count", chain.count},
            {"links", std::move(links)}};
}

static Json bisectToJson(const BisectReport& bisected, const Run& run)
{
    const BisectAnswer& answer = bisected.answer;
    const auto textOrNull = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
    Json json = {{"question", bisected.question}};
    switch (answer.outcome) {
    case BisectAnswer::Outcome::Found: json["outcome"] = "found"; break;
    case BisectAnswer::Outcome::NeverSo: json["outcome"] = "never"; break;
    case BisectAnswer::Outcome::SoFromTheStart: json["outcome"] = "from_start"; break;
    }
    for (const char* name : {"step", "pass", "stage", "phase", "node"}) json[name] = Json();
    if (answer.outcome == BisectAnswer::Outcome::Found) {
        const Json step = stepToJson(run.step(answer.step));
        json["step"] = answer.step.value;
        for (const char* name : {"pass", "stage", "phase"}) json[name] = step.at(name);
        if (answer.node.isValid()) json["node"] = run.nameOf(answer.node);
    } else if (answer.outcome == BisectAnswer::Outcome::SoFromTheStart) {
        json["step"] = answer.step.value;
    }
    json["before"] = textOrNull(answer.before);
    json["after"] = textOrNull(answer.after);
    json["probes"] = answer.probes;
    json["by"] = answer.isByRuns ? "runs" : "looks";
    return json;
}

} // namespace report

std::string runToJson(const Run& run, const BisectReport* bisected)
{
    using namespace report;
    const RunStatistics& s = run.statistics;
    Json json = {{"model", run.modelName},
                 {"soc", run.soc.name},
                 {"mode", run.mode},
                 {"mode_reason", run.modeReason},
                 {"nodes", pair(s.nodes.before, s.nodes.after)},
                 {"intermediate_tensors", pair(s.intermediateTensors.before, s.intermediateTensors.after)},
                 {"memory_bytes", memoryToJson(s)},
                 {"tasks", pair(s.tasks.before, s.tasks.after)},
                 {"fusion_rate", s.fusionRate},
                 {"memory_reuse_rate", s.memoryReuseRate},
                 {"latency_us", pair(s.latencyUs.before, s.latencyUs.after)}};
    json["latency_gain_us"] = {
        {"dispatch", s.gain.dispatchUs}, {"traffic", s.gain.trafficUs}, {"compute", s.gain.computeUs}};
    json["latency_is_estimated"] = true;
    json["engine_ms"] = s.engineMilliseconds;
    const auto loadTime = [](const std::optional<double>& ms) { return ms ? Json(*ms) : Json(); };
    json["load_ms"] = {{"full", loadTime(s.fullLoadMs)}, {"light", loadTime(s.lightLoadMs)}};
    Json steps = Json::array();
    for (const Step& step : run.steps) steps.push_back(stepToJson(step));
    json["steps"] = std::move(steps);
    json["fusions"] = fusionsToJson(run);
    Json chains = Json::array();
    for (const Chain& chain : run.chains) chains.push_back(chainToJson(chain, false));
    json["chains"] = std::move(chains);
    json["verification"] = verificationToJson(run.verification, run);
    if (!run.tasks.superKernels.empty()) {
        Json list = Json::array();
        for (const SuperKernel& one : run.tasks.superKernels)
            list.push_back({{"name", one.name},
                            {"scope", one.scope},
                            {"stream", one.stream},
                            {"kernels", one.kernels},
                            {"cores", one.blockDim}});
        json["super_kernels"] = std::move(list);
    }
    json["kernel_cache"] = {{"compiled", s.compiledKernels}, {"shared", s.sharedKernels}};
    json["memory_policy"] = run.plan.policy;
    json["proved_optimal"] = run.plan.isProvedOptimal;
    const PeakReport peak = peakOf(run);
    json["memory_peak"] = peakToJson(peak);
    json["memory_peak_at"] = {{"task", peak.position}, {"node", peak.nodeName}};
    const auto blocks = run.steps.empty() ? std::size_t{0} : findBlocks(*run.graphAt(StepId{0})).blocks.size();
    json["cards"] = Json::array({{{"card", 0},
                                  {"blocks", blocks > 0 ? Json(blocks) : Json(nullptr)},
                                  {"nodes", s.nodes.after},
                                  {"tasks", s.tasks.after},
                                  {"peak", s.memoryAfter},
                                  {"ms", s.engineMilliseconds}}});
    Json messages = Json::array();
    for (const Message& message : run.messages)
        messages.push_back({{"id", message.id}, {"text", message.text}, {"where", message.where}});
    json["messages"] = std::move(messages);
    if (run.failed && run.error) json["error"] = run.error->message();
    if (bisected != nullptr) json["bisect"] = bisectToJson(*bisected, run);
    return dumped(json);
}

std::vector<std::size_t> filteredChains(const Run& run, const ChainFilter& filter)
{
    std::unordered_set<std::string> wanted;
    if (!filter.node.empty()) {
        wanted.insert(filter.node);
        // A name of the original model stands for what became of it.
        if (const NodeId original = run.graphAt(StepId{0})->findNode(filter.node); original.isValid())
            for (const NodeId node : run.becameOf(original)) wanted.insert(run.nameOf(node));
    }
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < run.chains.size(); ++i) {
        const Chain& chain = run.chains[i];
        const auto speaksOf = [&](const std::vector<NodeId>& nodes) {
            return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return wanted.contains(run.nameOf(id)); });
        };
        const bool hasNode = wanted.empty() || speaksOf(chain.nodes) ||
                             std::any_of(chain.occurrences.begin(), chain.occurrences.end(), speaksOf);
        const bool hasReason =
            !filter.reason || std::any_of(chain.links.begin(), chain.links.end(),
                                          [&](const ChainLink& link) { return link.reason == *filter.reason; });
        if (hasNode && hasReason) chosen.push_back(i);
    }
    return chosen;
}

std::string chainsToJson(const Run& run, const ChainFilter& filter)
{
    using namespace report;
    Json chains = Json::array();
    const std::vector<std::size_t> chosen = filteredChains(run, filter);
    const auto broken = findBrokenPatterns(run, chosen);
    for (const std::size_t i : chosen) {
        Json chain = chainToJson(run.chains[i], true);
        for (std::size_t link = 0; link < chain["links"].size(); ++link) {
            const auto found = broken.find({i, link});
            chain["links"][link]["broken_by"] = found == broken.end() ? Json(nullptr) : brokenToJson(found->second);
        }
        chains.push_back(std::move(chain));
    }
    return dumped({{"model", run.modelName}, {"soc", run.soc.name}, {"chains", std::move(chains)}});
}

std::string infoToJson(const ModelInfo& info)
{
    using namespace report;
    const auto ports = [](const std::vector<ModelInfo::Port>& list) {
        Json json = Json::array();
        for (const ModelInfo::Port& port : list) {
            Json dims = Json::array();
            if (port.shape.hasRank())
                for (std::size_t i = 0; i < port.shape.dims().size(); ++i) {
                    if (port.shape[i] >= 0)
                        dims.push_back(port.shape[i]);
                    else
                        dims.push_back(port.shape.symbol(i).empty() ? "?" : std::string(port.shape.symbol(i)));
                }
            json.push_back({{"name", port.name},
                            {"dtype", dataTypeShortName(port.dtype)},
                            {"shape", port.shape.hasRank() ? std::move(dims) : Json(nullptr)}});
        }
        return json;
    };
    Json opsets = Json::object(), histogram = Json::object(), messages = Json::array();
    for (const auto& [domain, version] : info.opsets) opsets[domain.empty() ? "ai.onnx" : domain] = version;
    for (const auto& [type, count] : info.histogram) histogram[type] = count;
    for (const Message& message : info.messages)
        messages.push_back({{"id", message.id}, {"text", message.text}, {"where", message.where}});
    Json json = {{"file", info.path},
                 {"format", info.format},
                 {"producer", info.producer},
                 {"file_bytes", info.fileBytes},
                 {"opsets", std::move(opsets)},
                 {"nodes", info.operators},
                 {"graph_nodes", info.graphNodes},
                 {"histogram", std::move(histogram)},
                 {"inputs", ports(info.inputs)},
                 {"outputs", ports(info.outputs)},
                 {"weight_bytes", info.weightBytes},
                 {"weights_present", info.weightsPresent},
                 {"carries_plan", info.carriesPlan},
                 {"messages", std::move(messages)}};
    if (info.om) json["om"] = omToJson(*info.om);
    return dumped(json);
}

} // namespace gelens
