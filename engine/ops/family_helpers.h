#pragma once
// Shapes that many definitions of the vector families have; private to engine/ops.

#include "engine/ops/cost_helpers.h"
#include "engine/ops/infer_helpers.h"
#include "engine/ops/kernel_helpers.h"
#include "engine/ops/op_registry.h"

#include <string>
#include <type_traits>

namespace gelens::families {

inline constexpr auto canonical = "CANN operator library";

/// An element-wise operator x → y on the vector unit, in place where possible.
inline OpDef unary(std::string type, std::string doc, double weight, KernelFunction kernel,
                   std::string source = canonical)
{
    OpDef def(std::move(type));
    def.doc(std::move(doc)).source(std::move(source)).input("x").output("y");
    def.unit(Unit::Vector).fusionClass(FusionClass::ElementWise).formats(FormatSupport::AnyElement).mayRunInPlace();
    def.infer(sameAsInput).cost(elementwise(weight)).kernel(std::move(kernel));
    return def;
}

/// A broadcasting operator x1, x2 → y of one type on the vector unit.
inline OpDef binary(std::string type, std::string doc, double weight, KernelFunction kernel,
                    std::string source = canonical)
{
    OpDef def(std::move(type));
    def.doc(std::move(doc)).source(std::move(source)).input("x1").input("x2").output("y");
    def.unit(Unit::Vector).fusionClass(FusionClass::Broadcast).formats(FormatSupport::AnyElement);
    def.mayRunInPlace(0, 0).mayRunInPlace(0, 1); // over whichever operand has the result's size and dies here
    def.infer(broadcastInputs).cost(elementwise(weight)).kernel(std::move(kernel));
    return def;
}

/// A broadcasting operator x1, x2 → bool.
inline OpDef predicate(std::string type, std::string doc, KernelFunction kernel)
{
    OpDef def(std::move(type));
    def.doc(std::move(doc)).source(canonical).input("x1").input("x2").output("y");
    def.unit(Unit::Vector).fusionClass(FusionClass::Broadcast).formats(FormatSupport::AnyElement);
    def.infer(broadcastTo(DataType::Bool)).cost(elementwise(1)).kernel(std::move(kernel));
    return def;
}

/// Unsigned type in which integer arithmetic of T wraps around without undefined behaviour.
template <typename T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

/// a ∘ b on floats as it is, on integers modulo 2^bits.
template <typename T, typename F>
T wrap(T a, T b, F f)
{
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(f(static_cast<Wrapping<T>>(a), static_cast<Wrapping<T>>(b)));
    else
        return f(a, b);
}

} // namespace gelens::families

namespace gelens {

// Parts of families that fill files of their own.
void registerUnaryMathOps(OpRegistry&);     ///< Sqrt, Exp, Sin … (arithmetic)
void registerCastOps(OpRegistry&);          ///< Cast, ClipByValue (arithmetic)
void registerSoftmaxOps(OpRegistry&);       ///< SoftmaxV2, LogSoftmaxV2, HardMax (activation)
void registerScanOps(OpRegistry&);          ///< ArgMaxV2, ArgMin, Cumsum … (reduction)
void registerLossOps(OpRegistry&);          ///< NLLLoss, SoftmaxCrossEntropyLoss (reduction)
void registerBatchNormOps(OpRegistry&);     ///< BatchNorm, BNInfer (normalisation)
void registerNeighbourNormOps(OpRegistry&); ///< LRN, L2Normalize, MVNV2, CosineSimilarity (normalisation)

} // namespace gelens
