#pragma once
// Sizes and readers of the tensors of a graph, as the lifetimes need them.

#include "engine/memory/execution_order.h"
#include "engine/memory/lifetimes.h"

#include <vector>

namespace gelens {

/// What is known of one tensor while buffers are built.
struct TensorInfo {
    int buffer = -1;
    std::int64_t offset = 0; // within the buffer
    std::int64_t bytes = 0;
    std::int64_t reserved = 0; // with GE's padding
    bool isKnown = false;
    std::int64_t lastReader = -1;  // position
    int readerNodes = 0;           // distinct
    bool hasForeignReader = false; // on another stream than the producer
    bool feedsOutput = false;
    bool isSoleChain = false; // neither it nor what it is a part of is read by anything off the chain
};

/// The memory of two tensors of one buffer has bytes in common.
inline bool rangesMeet(const TensorInfo& a, const TensorInfo& b)
{
    return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

/// Identities that GE inserts against conflicts copy; all other views are the memory of their source.
bool isViewNode(const Node& node);

/// One entry for each output of the nodes in the order.
class TensorTable {
public:
    TensorTable(const Graph& graph, const ExecutionOrder& order, InPlaceRule rule);

    /// Null for an output that is not in the order, or no output at all.
    TensorInfo* info(OutputRef ref);
    /// The tensor whose memory a view shows. Bounded by the length of the order, in which sources come first.
    OutputRef behindViews(const Graph& graph, OutputRef tensor);

private:
    void read(const Graph& graph, const ExecutionOrder& axis, InPlaceRule rule, const Node& node);

    std::vector<int> m_first; // by node id: index of its first output in m_tensors
    std::vector<TensorInfo> m_tensors;
};

} // namespace gelens
