#pragma once
// Parts of the matmul family that live in files of their own.

namespace gelens {

class OpRegistry;

void registerEinsumOps(OpRegistry&); ///< Einsum, MatrixDeterminant, MatrixInverse

} // namespace gelens
