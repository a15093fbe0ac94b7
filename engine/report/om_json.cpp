// The part of `info --json` that tells of an OM file.

#include "engine/report/om_json_internal.h"

#include <map>

namespace gelens::report {

Json omToJson(const OmDetails& om)
{
    Json partitions = Json::array(), models = Json::array(), kernels = Json::array(), weights = Json::object();
    for (const OmPartition& part : om.partitions)
        partitions.push_back({{"model", part.model},
                              {"type", part.type},
                              {"name", part.name},
                              {"offset", part.offset},
                              {"size", part.size},
                              {"verdict", part.verdict}});
    for (const OmModel& model : om.models) {
        std::map<std::string, int> types;
        for (const OmTask& task : model.tasks) ++types[task.typeName];
        models.push_back({{"name", model.name},
                          {"graphs", model.graphs},
                          {"nodes", model.nodes},
                          {"tasks", model.tasks.size()},
                          {"task_types", types},
                          {"streams", model.streams},
                          {"events", model.events},
                          {"memory_bytes", model.memoryBytes},
                          {"zero_copy_bytes", model.zeroCopyBytes},
                          {"weight_bytes", model.weightBytes},
                          {"base_address", model.baseAddress},
                          {"weight_address", model.weightAddress}});
    }
    for (const OmKernel& kernel : om.kernels)
        kernels.push_back(
            {{"model", kernel.model}, {"name", kernel.name}, {"bytes", kernel.bytes}, {"ai_cpu", kernel.isAiCpu}});
    for (const auto& [type, bytes] : om.breakdown.weightsByType) weights[type] = bytes;
    const OmBreakdown& sizes = om.breakdown;
    return {{"header_version", om.headerVersion},
            {"model_type", om.modelTypeName},
            {"platform_version", om.platformVersion},
            {"is_dynamic", om.isDynamic},
            {"table_bits", om.is64Bit ? 64 : 32},
            {"plan_reason", om.planReason},
            {"made_by_simulator", om.isSimulated},
            {"partitions", std::move(partitions)},
            {"models", std::move(models)},
            {"kernels", std::move(kernels)},
            {"sizes",
             {{"graph", sizes.graphBytes},
              {"weights", sizes.weightBytes},
              {"kernels", sizes.kernelBytes},
              {"tasks", sizes.taskBytes},
              {"other", sizes.otherBytes},
              {"weights_by_type", std::move(weights)},
              {"shared_constants", sizes.sharedConstantBytes},
              {"duplicate_constants", sizes.duplicateConstantBytes}}}};
}

} // namespace gelens::report
