#include "engine/report/memory_json.h"

#include "engine/report/json_internal.h"

namespace gelens {
namespace report {

Json peakToJson(const PeakReport& peak)
{
    Json tensors = Json::array();
    for (const PeakTensor& tensor : peak.tensors)
        tensors.push_back(
            {{"tensor", tensor.name}, {"bytes", tensor.blockBytes}, {"share", tensor.share}, {"with", tensor.others}});
    return tensors;
}

} // namespace report

std::string memplanToJson(const MemplanReport& report)
{
    using namespace gelens::report;
    Json json = {{"file", report.file},       {"policy", report.policy},
                 {"peak", report.peak},       {"lower_bound", report.lowerBound},
                 {"seconds", report.seconds}, {"proved_optimal", report.isProvedOptimal}};
    if (report.capacity > 0) {
        json["capacity"] = report.capacity;
        json["fits"] = report.peak <= report.capacity;
    }
    if (report.isGraph) {
        json["feature_map"] = report.featureMap;
        json["zero_copy"] = report.zeroCopy;
        json["weights"] = report.weights;
        json["unshared"] = report.unshared;
        json["ge_peak"] = report.gePeak;
        json["strategy"] = report.strategy;
        Json candidates = Json::object();
        for (const auto& [name, bytes] : report.candidates) candidates[name] = bytes;
        json["candidates"] = std::move(candidates);
        json["memory_peak"] = peakToJson(report.peakReport);
        json["memory_peak_at"] = {{"task", report.peakReport.position}, {"node", report.peakReport.nodeName}};
        Json savings = Json::array();
        for (const PeakSaving& saving : report.savings)
            savings.push_back({{"tensor", saving.name},
                               {"action", peakActionName(saving.action)},
                               {"saves", saving.saves},
                               {"peak_after", saving.peakAfter},
                               {"text", saving.text}});
        json["savings"] = std::move(savings);
    }
    // Ids are unique, so they are appended without the look-up that an ordered object would do for each.
    Json::object_t offsets;
    offsets.reserve(report.offsets.size());
    for (const auto& [id, offset] : report.offsets) offsets.Json::object_t::Container::emplace_back(id, offset);
    json["offsets"] = std::move(offsets);
    return dumped(json);
}

} // namespace gelens
