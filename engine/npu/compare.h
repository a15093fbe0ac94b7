#pragma once
// How far two tensors are apart, and how far they may be.

#include "engine/ops/tensor_view.h"
#include "engine/spec/verification.h"

#include <string>

namespace gelens {

/// |value − reference| ≤ absolute + relative × |reference|.
struct Tolerance {
    double absolute = 0, relative = 0;
};

/// What a correct rewrite may change in a result of this type, because it sums in another order or rounds once instead
/// of twice between two kernels:
/// - double 1e-9/1e-9, fp32 1e-4/1e-4: sums of some thousands of terms in fp32 differ by about sqrt(n) × 2^-24;
/// - fp16 4e-3/2e-2, bf16 3e-2/8e-2: a fused kernel keeps fp32 where the chain rounded at every step (2^-11 and 2^-8
///   each, grown by the steps that follow);
/// - 8-bit floats 0.25/0.25: one step of their mantissa;
/// - integers, bool, strings: exact.
/// Source: assumption, checked against the samples (fused against unfused).
Tolerance toleranceOf(DataType dtype);

/// NaN equals NaN and an infinity equals itself; relative error is taken against max(|reference|, absolute tolerance).
ErrorMeasure compareTensors(const HostTensor& reference, const HostTensor& value, std::string name,
                            Tolerance tolerance);
inline ErrorMeasure compareTensors(const HostTensor& reference, const HostTensor& value, std::string name)
{
    return compareTensors(reference, value, std::move(name), toleranceOf(reference.dtype));
}

} // namespace gelens
