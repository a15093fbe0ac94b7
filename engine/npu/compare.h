#pragma once
// How far two tensors are apart, and how far they may be.

#include "engine/npu/interpreter.h"
#include "engine/npu/rounding.h"
#include "engine/spec/verification.h"

#include <cmath>
#include <string>

namespace gelens {

/// Two conditions, over the finite elements of n (u is the unit roundoff of the type, rms the root mean square):
/// - each element: |value − reference| ≤ floor + absolute × rms(reference) + relative × |reference|. The rms comes in
///   because a sum is as exact as its terms are large: an element near 0 in a tensor of thousands has their errors.
/// - all together: ‖value − reference‖ ≤ overall × (1 + 4/√n) × ‖reference‖ + noise × √n. Roundings are independent and
///   average out; a wrong formula does not, so this bound is tight where the one for a single element must be wide.
struct Tolerance {
    double absolute = 0, relative = 0;
    double floor = 0;
    double overall = INFINITY;
    double noise = 0;
};

/// What a correct rewrite may change in a result of this type, because it sums in another order or rounds once instead
/// of twice between two kernels, where nothing is known of the computation:
///
/// | type | u | absolute, relative | overall | floor | noise |
/// | fp64 | 2^-53 | 1e-9, 1e-9 | 1e-9 | 1e-12 | floor/16 |
/// | fp32 | 2^-24 | 1e-4, 1e-4: sums of thousands of terms, a softmax or a square root behind them | 3e-5 | 1e-6 | floor/16 |
/// | fp16 | 2^-11 | 20u, 40u: the tail of dozens of roundings in a row | 10u: their mean | 2^-20 | floor/16 |
/// | bf16 | 2^-8 | 20u, 20u | 10u | 2^-20 | floor/16 |
/// | 8-bit floats | | 0.25, 0.25: one step of the mantissa | none | 0 | 0 |
///
/// Integers, bool and strings are exact. The floor of the 16-bit types is 16 steps of fp16's subnormal numbers, the
/// finest that hardware keeps; that large terms may cancel is not in it, for it is measured (see toleranceFor). Source:
/// assumption, measured on the corpus (each step of each compile against the imported graph).
Tolerance toleranceOf(DataType dtype);

/// The bound that follows from the computation: `rounding` is how far the reference itself is from the same model in
/// fp32. A correct rewrite rounds about as often in other places, so it may be three times as far from what the model
/// means, hence four times from the reference; on top comes one rounding of its own at the end, where luck left the
/// reference none. With u of the type and s = 1 + 4/√n for few elements:
///
/// | absolute | relative | floor | overall | noise |
/// | 4u·s | 4u·s | 2^-20 + 4·s × largest error | 3u | 4·s × rms of the errors |
///
/// So the bound is as tight as the model is exact: in bf16 a mistake of 3 % in all elements of a product is found, where
/// the bound for any bf16 model has to let 5 % pass; and where large terms cancel, or a norm over nearly equal numbers
/// magnifies its input's roundings, it gives way by as much as they do. Of fewer than 16 elements luck decides; then the
/// wider of both bounds holds.
///
/// Where a precision mode made the values fp16 and the reference stayed fp32 (`rounding.isOfValues`), the error was
/// measured by rounding each value of the reference's own computation to fp16. No fp16 compile of the model can be asked to
/// be nearer than that, so the wider of both bounds holds there too: the one for any fp16 model, and the one that follows
/// from this model. What such a bound lets pass is proved otherwise, see verifyRun.
Tolerance toleranceFor(DataType type, const Rounding& rounding, std::int64_t elements);

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

/// Two outputs of equal place in two runs, by the coarser of their precisions; by the reference's own rounding where it
/// is known and of that type. An exact result that rounding alone changes (`rounding.decisions`) is measured and not judged.
ErrorMeasure compareOutputs(const NamedTensor& reference, const NamedTensor& value, const Rounding& rounding = {});

} // namespace gelens
