#pragma once
// The parts of the control family, one file each; registerControlOps calls them.

namespace gelens {

class OpRegistry;

void registerBranchOps(OpRegistry&);   ///< If, Case, While, PartitionedCall
void registerLoopOps(OpRegistry&);     ///< Loop and Scan of ONNX
void registerSequenceOps(OpRegistry&); ///< sequences and optionals

/// No loop runs more often: a model that loops forever must end.
inline constexpr long long maxLoopIterations = 1'000'000;

} // namespace gelens
