#pragma once
// Random models of ordinary operators, small enough to run and made so that correct compilers agree on them.

#include "tests/support/recipe.h"

#include <cstdint>
#include <map>
#include <string>

namespace gelens::test {

/// 5 to 60 operators; the same seed gives the same model on every machine. Element-wise, broadcast, reduction, matrix
/// product, transpose, reshape, concat, split, slice, gather, softmax, norms, casts, convolution, pooling, and the
/// chains that fusion rules look for. In fp32, a quarter of the models in fp16 or bf16. Values stay in a range where rounding is
/// no more than rounding: divisors and roots are kept off 0, growth is damped, nothing jumps at a boundary.
Recipe randomRecipe(std::uint64_t seed);

/// Uniform in [-1, 1] (integers: 0 … 7) for each Data node.
std::map<std::string, HostTensor> recipeInputs(const Graph& graph, std::uint64_t seed);

} // namespace gelens::test
