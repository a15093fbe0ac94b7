#pragma once
// How far two tensors are apart, and how far they may be.

#include "engine/npu/interpreter.h"
#include "engine/spec/verification.h"

#include <cmath>
#include <string>

namespace gelens {

/// Two conditions, over the finite elements of n (u is the unit roundoff of the type, rms the root mean square):
/// - each element: |value − reference| ≤ floor + absolute × rms(reference) + relative × |reference|. The rms comes in
///   because a sum is as exact as its terms are large: an element near 0 in a tensor of thousands has their errors.
/// - all together: ‖value − reference‖ ≤ overall × (1 + 4/√n) × ‖reference‖ + floor/16 × √n. Roundings are independent and
///   average out; a wrong formula does not, so this bound is tight where the one for a single element must be wide.
struct Tolerance {
    double absolute = 0, relative = 0;
    double floor = 0;
    double overall = INFINITY;
};

/// What a correct rewrite may change in a result of this type, because it sums in another order or rounds once instead
/// of twice between two kernels:
///
/// | type | u | absolute, relative | overall | floor |
/// | fp64 | 2^-53 | 1e-9, 1e-9 | 1e-9 | 1e-12 |
/// | fp32 | 2^-24 | 1e-4, 1e-4: sums of thousands of terms, a softmax or a square root behind them | 3e-5 | 1e-6 |
/// | fp16 | 2^-11 | 20u, 40u: the tail of dozens of roundings in a row | 10u: their mean | 2^-14, the smallest normal |
/// | bf16 | 2^-8 | 20u, 20u | 10u | 8 × that of fp16, as u is |
/// | 8-bit floats | | 0.25, 0.25: one step of the mantissa | none | 0 |
///
/// Integers, bool and strings are exact. The floor is for what is left when large terms cancel. Source: assumption,
/// measured on the corpus (each step of each compile against the imported graph); a mistake of 5 % in one large
/// element or of 2 % in all is found in fp16 (in bf16: 20 % and 8 %), however small the tensor's numbers are.
Tolerance toleranceOf(DataType dtype);

/// The type that decides for an output is the coarsest that its values went through (`NamedTensor::precision`): a result
/// that is cast to fp32 at the end is no more exact than the fp16 it came from.
///
/// NaN equals NaN and an infinity equals itself; relative error is taken against max(|reference|, absolute part of the bound).
ErrorMeasure compareTensors(const HostTensor& reference, const HostTensor& value, std::string name,
                            Tolerance tolerance);
inline ErrorMeasure compareTensors(const HostTensor& reference, const HostTensor& value, std::string name)
{
    return compareTensors(reference, value, std::move(name), toleranceOf(reference.dtype));
}

/// The one of two types that keeps less of a value; non-floating types count as exact.
DataType coarserType(DataType a, DataType b);

/// Two outputs of equal place in two runs, by the coarser of their precisions.
ErrorMeasure compareOutputs(const NamedTensor& reference, const NamedTensor& value);

} // namespace gelens
