#pragma once
// Which tensors share memory, and from when to when each piece of memory must be left alone.

#include "engine/graph/graph.h"
#include "engine/graph/result.h"
#include "engine/spec/memory_plan.h"

namespace gelens {

/// When a result may be written over an input.
enum class InPlaceRule {
    None,
    /// The model as it is: an element-wise result, when the first input is an intermediate tensor of the same bytes and
    /// type that nothing else reads.
    Imported,
    /// GE's step after fusion: pairs that the operator declares; equal bytes; the input is not read-only; the node is
    /// the last reader in order, all readers on one stream; one input serves one output.
    Compiled,
    /// A graph that GE has prepared: only what its attributes state. Sizes are those of the tensors' descriptors.
    Stated,
};

struct LifetimeOptions {
    InPlaceRule inPlace = InPlaceRule::Compiled;
    std::vector<NodeId> order;         ///< of the root graph; empty = its topological order
    std::vector<std::int64_t> streams; ///< by node id; empty = one stream
};

/// Buffers of the root graph with lifetimes and no offsets yet. Time is the position in the order; a buffer lives from
/// its producer to the end of its last reader, workspaces and unread outputs during their node only. With several
/// streams the end is the first position from which on every node, on any stream, is ordered after the last reader.
/// - Views, in-place results and the outputs of a Split along axis 0 are members of their source's buffer.
/// - GE's attributes hold: the operands of a Concat without a task, and of an operator with continuous inputs or outputs, are
///   one buffer side by side; what an atomic clean zeroes is one buffer from the clean on.
/// - Model inputs, constants and zero-copy outputs are buffers of their own kinds and live for the whole run.
/// - A value that feeds two model outputs cannot be zero-copy: it stays in the feature map and is never released.
/// - Nodes with sub-graphs count as one kernel; what their bodies need is not part of the plan.
/// A size that is unknown is 0, and `isComplete` is false then. Errors: an order that is not one, or a cycle.
Result<MemoryPlan> computeLifetimes(const Graph& graph, const LifetimeOptions& options = {});

/// A Split whose outputs are slices of its input: along axis 0, sizes known, no output leaves the model.
/// It counts as an operator but needs neither memory nor, once compiled, a task.
bool isVirtualSplit(const Graph& graph, const Node& node);

/// Slices must start at multiples of this for a compiled kernel to read them. Unit: bytes.
inline constexpr std::int64_t sliceAlignment = 32;

} // namespace gelens
