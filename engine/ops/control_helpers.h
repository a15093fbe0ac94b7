#pragma once
// What operators with sub-graphs share. For the folder's .cpp files.

#include "engine/ops/movement_helpers.h"

#include <string>
#include <string_view>
#include <vector>

namespace gelens::control {

/// All inputs of the node as host tensors that look into its memory.
std::vector<HostTensor> inputTensors(const KernelContext& context);
/// Runs sub-graph `index` and checks that it gives at least `outputs` values.
Result<std::vector<HostTensor>> runBody(const KernelContext& context, int index, const std::vector<HostTensor>& inputs,
                                        int outputs);
/// The truth of one element of any numeric type (an empty tensor is false, a string when not empty).
Result<bool> truth(const KernelContext& context, const HostTensor& tensor);
/// Whether nodes of this type run graphs of their own: branches, loop bodies, a called function.
bool ownsGraphs(std::string_view type);
/// An error when the user asked to stop.
Status checkStop(const KernelContext& context);

/// Descriptor of output `k` of sub-graph `index`, as inferred so far; unknown where there is none.
TensorDesc bodyOutput(const InferContext& context, int index, int k);
/// What holds for both: equal dims stay, others are unknown.
Shape commonShape(const Shape& a, const Shape& b);

/// Type and shape of a sequence's elements travel in the descriptor's attributes.
inline constexpr const char* elementTypeAttr = "_sequence_element_type";
TensorDesc sequenceDesc(DataType elementType, const Shape& elementShape);
DataType elementType(const TensorDesc& sequence);
Shape elementShape(const TensorDesc& sequence);

} // namespace gelens::control
