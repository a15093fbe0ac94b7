#pragma once
// Runs the reference kernel of one node; what the interpreter and the device share.

#include "engine/graph/graph.h"
#include "engine/ops/kernel_context.h"

namespace gelens {

/// What one run may keep alive at once: inputs, results, the reference it is compared with, and copies made to compare.
constexpr std::int64_t runLimitBytes = std::int64_t{4} << 30;
/// What a single result of a run may take.
constexpr std::int64_t resultLimitBytes = std::int64_t{2} << 30;

/// A result's size in bytes, looked at before it is allocated; narrow floats count as the fp32 that they are computed in.
/// Errors: no size, more than a result may take (Limit).
Result<std::int64_t> checkedBytes(const Node& node, DataType dtype, const Shape& shape);

struct NodeRun {
    SubgraphRunner runSubgraph;
    std::stop_token stop;
    std::uint64_t seed = 0;                     ///< of the whole run; each node gets its own from it and its name
    onednn::PreparedWeights* weights = nullptr; ///< may be null
};

/// What a kernel made of one output. The bytes of ordinary tensors lie where the allocator put them.
struct ProducedOutput {
    DataType dtype = DataType::Undefined; ///< Undefined: the kernel left the output out
    Shape shape;
    std::shared_ptr<std::vector<std::string>> strings;
    std::shared_ptr<std::vector<HostTensor>> sequence;
};

/// Kernels see logical layouts: inputs and outputs in private formats are converted around all but storage kernels.
/// Views carry format, origin shape and origin format of what they show (withLayout).
/// `inputs` follow the node's slots; unconnected ones are absent views.
/// Errors: no kernel ("node 'x' (Foo): no kernel"), what the kernel reports, memory that cannot be had.
Result<std::vector<ProducedOutput>> runNode(const Node& node, std::vector<TensorView> inputs,
                                            const OutputAllocator& allocate, const NodeRun& run);

/// Adds to a view what the descriptor of its producer says of its layout.
TensorView withLayout(TensorView view, const TensorDesc& desc);

/// A model output as the model means it: the same tensor, out of its private storage format where it is in one.
Result<HostTensor> logicalOutput(HostTensor value, const TensorDesc& desc);

/// "node 'x' (Type)".
std::string nodePlace(const Node& node);

} // namespace gelens
