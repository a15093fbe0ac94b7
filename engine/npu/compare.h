#pragma once
// How far two tensors are apart, and how far they may be.

#include "engine/npu/interpreter.h"
#include "engine/spec/verification.h"

#include <string>

namespace gelens {

/// |value − reference| ≤ absolute × max(1, rms of the reference) + relative × |reference|. The root mean square comes in
/// because a sum is as exact as its terms are large: an element near 0 in a tensor of thousands has the errors of thousands.
struct Tolerance {
    double absolute = 0, relative = 0;
};

/// What a correct rewrite may change in a result of this type, because it sums in another order or rounds once instead
/// of twice between two kernels:
/// - double 1e-9/1e-9, fp32 1e-4/1e-4: sums of some thousands of terms in fp32 differ by about sqrt(n) × 2^-24;
/// - fp16 1e-2/2e-2, bf16 8e-2/8e-2: a fused kernel keeps fp32 where the chain rounded at every step (2^-11 and 2^-8
///   each, and dozens of steps in a row);
/// - 8-bit floats 0.25/0.25: one step of their mantissa;
/// - integers, bool, strings: exact.
/// Source: assumption, checked against the samples (fused against unfused).
Tolerance toleranceOf(DataType dtype);

/// The type that decides for an output is the coarsest that its values went through (`NamedTensor::precision`): a result
/// that is cast to fp32 at the end is no more exact than the fp16 it came from.
///
/// NaN equals NaN and an infinity equals itself; relative error is taken against max(|reference|, absolute tolerance).
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
