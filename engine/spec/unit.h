#pragma once
// Which part of the device runs an operator, and what an operator is to a fusion.

#include <cstdint>
#include <string_view>

namespace gelens {

enum class Unit {
    None,    ///< no task: Data, Const, NetOutput, views
    Cube,    ///< matrix unit
    Vector,  ///< vector unit
    Mix,     ///< one kernel on cube and vector cores together
    AiCpu,   ///< AI CPU kernel
    Host,    ///< host CPU
    Runtime, ///< runtime task: memcpy, event, stream switch, label
    GeLocal, ///< handled by GE itself without a device task
};

std::string_view unitName(Unit unit); ///< "cube", "vector", "AI CPU" …
char unitLetter(Unit unit);           ///< C V M H, '.' for none: the sign that repeats the colour

/// How an operator behaves in a loop nest; the classes of UB fusion and autofusion (GE's op pattern kinds).
enum class FusionClass {
    Opaque, ///< cannot be fused by class
    ElementWise,
    Broadcast, ///< element-wise with a broadcast operand
    Reduce,
    Transpose,
    Concat,
    Split,
    Slice,
    Gather,
    MatMul,
    Convolution,
    Pool,
    View,
    Other, ///< named by rules only
};

std::string_view fusionClassName(FusionClass fusionClass);

/// Work of one operator, from shapes alone. The clock turns it into time with the SoC's rates.
struct Cost {
    double cubeMacs = 0; ///< multiply-accumulates on the cube unit
    // Sizes of the matrix product behind cubeMacs, for tile arithmetic; zero when there is none.
    std::int64_t m = 0, k = 0, n = 0, batch = 1;
    double vectorOps = 0; ///< elementary operations on the vector unit, weighted by kind (exp 4, add 1 …)
    double bytesRead = 0; ///< from device memory, inputs that must be loaded
    double bytesWritten = 0;
    double stridedFactor = 1; ///< > 1 where access is strided (transposes, format changes)
};

} // namespace gelens
