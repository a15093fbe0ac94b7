#pragma once
// What an OM file says of itself beyond its graph: partitions, kernels, tasks, memory sizes, the plan.

#include "engine/graph/attribute.h"
#include "engine/graph/ids.h"
#include "engine/spec/memory_plan.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gelens {

/// One piece of the container. Bytes are counted from the start of the file.
struct OmPartition {
    int model = 0; ///< index in OmDetails::models
    std::uint32_t type = 0;
    std::string name; ///< "MODEL_DEF"; "type 77" where the number is not known
    std::int64_t offset = 0;
    std::int64_t size = 0;
    std::string verdict; ///< "read", "listed only", "damaged at byte N: …"
};

/// A binary in a kernel store.
struct OmKernel {
    int model = 0;
    std::string name;
    std::int64_t bytes = 0;
    bool isAiCpu = false;
};

/// One entry of the file's task list, as it stands there.
struct OmTask {
    std::uint32_t type = 0; ///< the runtime's number
    std::string typeName;   ///< "KERNEL", "EVENT_RECORD" …
    std::int64_t stream = 0;
    std::int64_t event = -1;   ///< record, wait and reset only
    std::int64_t opIndex = -1; ///< `id` of the operator; -1 for tasks without one
    NodeId node;               ///< that operator in the graph; invalid where the file names none
    std::string kernelName;
    int kernelType = -1; ///< 2 TE, 6 AI CPU …; -1 for other tasks
    std::int64_t blockDim = 1;
    std::vector<std::uint64_t> args; ///< logical addresses, 8-byte words of the argument table
};

/// One model of the container: dynamic OM files hold several.
struct OmModel {
    std::string name;
    int graphs = 0;
    int nodes = 0;
    std::int64_t memoryBytes = 0;   ///< `memory_size`: the feature-map range, zero-copy part included
    std::int64_t zeroCopyBytes = 0; ///< part of it, at its end, that belongs to model inputs and outputs
    std::int64_t weightBytes = 0;
    std::int64_t streams = 0, events = 0;
    std::uint64_t baseAddress = 0; ///< logical address of the feature map while tasks were generated
    std::uint64_t weightAddress = 0;
    std::vector<OmTask> tasks;
    AttrMap attrs; ///< all attributes of the model; serialised tasks are left out
};

/// Where the bytes of the file go.
struct OmBreakdown {
    std::vector<std::pair<std::string, std::int64_t>> weightsByType; ///< short type name → bytes, largest first
    std::int64_t sharedConstantBytes = 0;                            ///< saved because constants share a place
    std::int64_t duplicateConstantBytes = 0; ///< spent on payloads that are stored more than once
    std::int64_t graphBytes = 0, weightBytes = 0, kernelBytes = 0, taskBytes = 0, otherBytes = 0;
};

struct OmDetails {
    std::uint32_t headerVersion = 0;
    int modelType = 0;
    std::string modelTypeName; ///< "IR model", "flow model" …
    std::string name;          ///< in the header
    std::string platformVersion;
    bool isDynamic = false;
    bool is64Bit = false; ///< width of the partition table
    std::vector<OmPartition> partitions;
    std::vector<OmModel> models;
    std::vector<OmKernel> kernels;
    OmBreakdown breakdown;

    bool carriesPlan = false;
    std::string planReason; ///< one sentence: why it does or does not
    /// Written by this program's own simulator: no device binaries inside.
    bool isSimulated = false;
    /// The plan exactly as it was compiled; only in files that this program wrote.
    std::shared_ptr<const MemoryPlan> plan;
};

} // namespace gelens
