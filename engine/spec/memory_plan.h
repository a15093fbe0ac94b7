#pragma once
// Device memory of a compiled graph: who lives where, and when.

#include "engine/graph/ids.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
    int id = -1;      ///< index in the plan
    std::string name; ///< "node:index" of the tensor that owns it
    BufferKind kind = BufferKind::FeatureMap;
    OutputRef tensor;               ///< owner; node only for a workspace
    std::vector<OutputRef> members; ///< all tensors that live in it, the owner first
    std::int64_t bytes = 0;         ///< exact size
    std::int64_t blockBytes = 0;    ///< with GE's padding, a multiple of 512
    Lifetime lifetime;
    std::int64_t stream = 0;
    std::int64_t offset = -1; ///< bytes from the base of its region; -1 while unplaced
    std::string note;         ///< why it is where it is: "reuses the place of …"
    /// Its members lie side by side, each in whole blocks, because one operator reads them as one piece.
    bool isPaddedGroup = false;
    bool isAtomicRegion = false; ///< what an atomic clean zeroes in one go
    /// With several streams: for each (in the plan's order) the first position from which its nodes come after every use
    /// of the buffer, and the first position at which one of them writes it (-1: none does). Empty with one stream.
    std::vector<std::int64_t> freeFrom, writtenFrom;

    /// All uses of this buffer are over, by an order that streams and edges enforce, before anything is written to the other.
    bool isOverBefore(const MemoryBuffer& other) const
    {
        if (freeFrom.empty()) return lifetime.end <= other.lifetime.begin;
        for (std::size_t i = 0; i < freeFrom.size(); ++i)
            if (other.writtenFrom[i] >= 0 && other.writtenFrom[i] < freeFrom[i]) return false;
        return true;
    }
    bool mayShareWith(const MemoryBuffer& other) const { return isOverBefore(other) || other.isOverBefore(*this); }
};

/// Sizes in bytes, all in 512-byte blocks; weights are told apart from everything else.
struct MemoryTotals {
    std::int64_t featureMapPeak = 0; ///< planned size of the feature-map region (workspaces included)
    std::int64_t lowerBound = 0;     ///< largest sum of live blocks plus what cannot be reused
    std::int64_t unshared = 0;       ///< each intermediate tensor its own allocation
    std::int64_t gePeak = 0;         ///< what GE's own policy needs
    std::int64_t zeroCopy = 0;       ///< model inputs and outputs that the user supplies
    std::int64_t weights = 0;
    int intermediateTensors = 0; ///< tensors that need memory of their own and that something reads
};

struct MemoryPlan {
    std::vector<MemoryBuffer> buffers;
    std::vector<NodeId> order;         ///< position in time → node
    std::vector<std::int64_t> streams; ///< by position; empty with one stream
    MemoryTotals totals;
    std::string policy;   ///< "greedy", "optimal", "ge", "simple"
    std::string strategy; ///< policy "ge": the assigner that won, "binary-block" or "max-block"; else empty
    std::vector<std::pair<std::string, std::int64_t>> candidates; ///< size that each of GE's assigners came to
    bool isProvedOptimal = false;
    bool isComplete = false;                 ///< false when a shape is unknown and sizes are missing
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

/// The one block of memory that GE gives a model: the feature map, then what is the user's, outputs before inputs.
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
