#pragma once
// Device memory of a compiled graph: who lives where, and when.

#include "engine/graph/ids.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

enum class BufferKind { FeatureMap, Workspace, Input, Output, Weight };
std::string_view bufferKindName(BufferKind kind);

/// Half-open interval of positions in the task order during which the bytes must not be touched by others.
struct Lifetime {
    std::int64_t begin = 0;
    std::int64_t end = 0; ///< exclusive
    bool overlaps(const Lifetime& other) const { return begin < other.end && other.begin < end; }
    bool operator==(const Lifetime&) const = default;
};

/// One piece of memory. Several tensors share a buffer when one is a view or an in-place result of the other.
struct MemoryBuffer {
    int id = -1;               ///< index in the plan
    std::string name;          ///< "node:index" of the tensor that owns it
    BufferKind kind = BufferKind::FeatureMap;
    OutputRef tensor;          ///< owner; node only for a workspace
    std::vector<OutputRef> members; ///< all tensors that live in it, the owner first
    std::int64_t bytes = 0;    ///< exact size
    std::int64_t blockBytes = 0; ///< with GE's padding, a multiple of 512
    Lifetime lifetime;
    std::int64_t stream = 0;
    std::int64_t offset = -1;  ///< bytes from the base of its region; -1 while unplaced
    std::string note;          ///< why it is where it is: "reuses the place of …"
};

/// Sizes in bytes, all in 512-byte blocks; weights are told apart from everything else.
struct MemoryTotals {
    std::int64_t featureMapPeak = 0; ///< planned size of the feature-map region (workspaces included)
    std::int64_t lowerBound = 0;     ///< largest sum of live blocks plus what cannot be reused
    std::int64_t unshared = 0;       ///< each intermediate tensor its own allocation
    std::int64_t gePeak = 0;         ///< what GE's own policy needs
    std::int64_t zeroCopy = 0;       ///< model inputs and outputs that the user supplies
    std::int64_t weights = 0;
    int intermediateTensors = 0;     ///< tensors that need memory of their own and that something reads
};

struct MemoryPlan {
    std::vector<MemoryBuffer> buffers;
    std::vector<NodeId> order;       ///< position in time → node
    MemoryTotals totals;
    std::string policy;              ///< "greedy", "optimal", "ge", "simple"
    bool isProvedOptimal = false;
    bool isComplete = false;         ///< false when a shape is unknown and sizes are missing
    std::map<OutputRef, int> bufferOfTensor; ///< every tensor with memory → index in buffers
    /// Tensors that do not start where their buffer does (slices of a Split). Unit: bytes from its start.
    std::map<OutputRef, std::int64_t> sliceOffsets;
    /// Positions (in `order`) at which the sum of live blocks is largest.
    std::vector<std::int64_t> peakPositions;

    std::int64_t sliceOffset(OutputRef tensor) const
    {
        const auto found = sliceOffsets.find(tensor);
        return found == sliceOffsets.end() ? 0 : found->second;
    }
    const MemoryBuffer* bufferOf(OutputRef tensor) const
    {
        const auto found = bufferOfTensor.find(tensor);
        return found == bufferOfTensor.end() ? nullptr : &buffers[static_cast<std::size_t>(found->second)];
    }
};

/// The one block of memory that GE gives a model: the feature map, then what is the user's, inputs before outputs.
/// Weights have a block of their own. Unit: bytes.
struct BlockLayout {
    std::int64_t inputBase = 0, outputBase = 0;
    std::int64_t end = 0; ///< size of the block

    static BlockLayout of(const MemoryPlan& plan);
    /// Where a tensor lies in the block (a weight: in theirs); -1 when it has no memory.
    std::int64_t offsetOf(const MemoryPlan& plan, OutputRef tensor) const;
};

struct Node;
struct Placement;
/// Writes on a placement what GE writes on an operator once memory is assigned: offsets of outputs and of connected
/// inputs in the model's block.
void setOffsets(const Node& node, const MemoryPlan& plan, const BlockLayout& layout, Placement& placement);

} // namespace gelens
