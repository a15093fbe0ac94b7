#include "engine/npu/compare.h"

#include <algorithm>
#include <cmath>

namespace gelens {

namespace {

constexpr double halfRoundoff = 0x1p-11, bfloatRoundoff = 0x1p-8;
constexpr double narrowFloor = 0x1p-20;
constexpr double floorsPerNoise = 16; ///< the floor is the tail of what noise is the mean of

} // namespace

Tolerance toleranceOf(DataType dtype)
{
    const auto with = [](double absolute, double relative, double floor, double overall) {
        return Tolerance{absolute, relative, floor, overall, floor / floorsPerNoise};
    };
    switch (dtype) {
    case DataType::Double: return with(1e-9, 1e-9, 1e-12, 1e-9);
    case DataType::Float:
    case DataType::Complex64: return with(1e-4, 1e-4, 1e-6, 3e-5);
    case DataType::Float16: return with(20 * halfRoundoff, 40 * halfRoundoff, narrowFloor, 10 * halfRoundoff);
    case DataType::BFloat16: return with(20 * bfloatRoundoff, 20 * bfloatRoundoff, narrowFloor, 10 * bfloatRoundoff);
    case DataType::Float8E4M3FN:
    case DataType::Float8E5M2:
    case DataType::Float8E4M3FNUZ:
    case DataType::Float8E5M2FNUZ:
    case DataType::HiFloat8: return with(0.25, 0.25, 0, INFINITY);
    default: return {};
    }
}

Tolerance toleranceFor(DataType type, const Rounding& rounding, std::int64_t elements)
{
    const Tolerance typical = toleranceOf(type);
    if (rounding.type != type || elements <= 0) return typical;
    constexpr double times = 4;
    constexpr std::int64_t few = 16;
    const double u = type == DataType::BFloat16 ? bfloatRoundoff : halfRoundoff;
    const double spread = 1 + 4 / std::sqrt(static_cast<double>(elements));
    Tolerance own{times * u * spread, times * u * spread, narrowFloor + times * spread * rounding.largest, 3 * u,
                  narrowFloor / floorsPerNoise + times * spread * rounding.rms};
    if (elements >= few && !rounding.isOfValues) return own;
    own.floor = std::max(own.floor, typical.floor);
    own.noise = std::max(own.noise, typical.noise);
    own.absolute = std::max(own.absolute, typical.absolute);
    own.relative = std::max(own.relative, typical.relative);
    own.overall = std::max(own.overall, typical.overall);
    return own;
}

namespace {

double rootMeanSquare(const std::vector<double>& values)
{
    double squares = 0, finite = 0;
    for (const double a : values)
        if (std::isfinite(a)) squares += a * a, finite += 1;
    return finite > 0 ? std::sqrt(squares / finite) : 0;
}

void compareNumbers(const std::vector<double>& reference, const std::vector<double>& value, const Tolerance& tolerance,
                    ErrorMeasure& measure)
{
    double dot = 0, normA = 0, normB = 0, errors = 0, finite = 0;
    measure.toleranceAbs = tolerance.floor + tolerance.absolute * rootMeanSquare(reference);
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const double a = reference[i], b = value[i];
        if (a == b || (std::isnan(a) && std::isnan(b))) {
            if (std::isfinite(a)) dot += a * b, normA += a * a, normB += b * b, finite += 1;
            continue;
        }
        if (!std::isfinite(a) || !std::isfinite(b)) {
            ++measure.mismatches;
            measure.maxAbs = measure.maxRel = INFINITY;
            continue;
        }
        const double error = std::abs(a - b);
        dot += a * b, normA += a * a, normB += b * b, errors += error * error, finite += 1;
        measure.maxAbs = std::max(measure.maxAbs, error);
        measure.maxRel = std::max(measure.maxRel, error / std::max({std::abs(a), measure.toleranceAbs, 1e-30}));
        if (error > measure.toleranceAbs + measure.toleranceRel * std::abs(a)) ++measure.mismatches;
    }
    if (normA > 0 && normB > 0)
        measure.cosine = dot / std::sqrt(normA) / std::sqrt(normB);
    else
        measure.cosine = normA == normB ? 1 : 0;
    if (normA > 0) measure.overall = std::sqrt(errors / normA);
    if (finite == 0 || !std::isfinite(tolerance.overall)) return;
    measure.toleranceOverall = tolerance.overall * (1 + 4 / std::sqrt(finite));
    const double allowed = measure.toleranceOverall * std::sqrt(normA) + tolerance.noise * std::sqrt(finite);
    measure.isFarOverall = std::sqrt(errors) > allowed;
}

} // namespace

ErrorMeasure compareTensors(const HostTensor& reference, const HostTensor& value, std::string name, Tolerance tolerance)
{
    ErrorMeasure measure;
    measure.tensor = std::move(name);
    measure.toleranceAbs = tolerance.absolute;
    measure.toleranceRel = tolerance.relative;
    measure.typeDiffers = reference.dtype != value.dtype;
    measure.shapeDiffers = reference.shape.dims() != value.shape.dims();
    if (measure.typeDiffers || measure.shapeDiffers) return measure;
    measure.elements = reference.shape.elementCount().value_or(0);

    if (reference.sequence || value.sequence) {
        const auto size = [](const HostTensor& tensor) { return tensor.sequence ? tensor.sequence->size() : 0; };
        measure.elements = static_cast<std::int64_t>(size(reference));
        if (size(reference) != size(value)) {
            measure.shapeDiffers = true;
            return measure;
        }
        for (std::size_t i = 0; i < size(reference); ++i) {
            const HostTensor& part = (*reference.sequence)[i];
            const ErrorMeasure inner = compareTensors(part, (*value.sequence)[i], {}, toleranceOf(part.dtype));
            measure.maxAbs = std::max(measure.maxAbs, inner.maxAbs);
            measure.maxRel = std::max(measure.maxRel, inner.maxRel);
            measure.cosine = std::min(measure.cosine, inner.cosine);
            measure.mismatches += inner.holds() ? 0 : std::max<std::int64_t>(1, inner.mismatches);
        }
        return measure;
    }
    if (reference.strings || value.strings) {
        const auto at = [](const HostTensor& tensor, std::size_t i) {
            return tensor.strings && i < tensor.strings->size() ? (*tensor.strings)[i] : std::string();
        };
        for (std::size_t i = 0; i < static_cast<std::size_t>(measure.elements); ++i)
            if (at(reference, i) != at(value, i)) ++measure.mismatches;
        return measure;
    }
    const Tensor a = reference.toConstant(), b = value.toConstant();
    const auto limit = static_cast<std::size_t>(measure.elements);
    if (!isFloating(reference.dtype)) {
        // Exact types compare by their bytes, so that 64-bit integers beyond 2^53 are told apart.
        const bool isSame =
            std::equal(a.data.span().begin(), a.data.span().end(), b.data.span().begin(), b.data.span().end());
        if (isSame) return measure;
    }
    const auto x = a.asDoubles(limit), y = b.asDoubles(limit);
    if (x && y) compareNumbers(*x, *y, tolerance, measure);
    if (!isFloating(reference.dtype) && measure.mismatches == 0) measure.mismatches = 1;
    return measure;
}

DataType coarserType(DataType a, DataType b)
{
    const auto exactness = [](DataType type) { return isFloating(type) ? toleranceOf(type).relative : -1.0; };
    return exactness(b) > exactness(a) ? b : a;
}

ErrorMeasure compareOutputs(const NamedTensor& reference, const NamedTensor& value, const Rounding& rounding)
{
    // Results that are no floats themselves are exact, whatever they were computed from.
    const DataType type =
        isFloating(reference.value.dtype) ? coarserType(reference.precision, value.precision) : reference.value.dtype;
    const Tolerance tolerance = toleranceFor(type, rounding, reference.value.shape.elementCount().value_or(0));
    ErrorMeasure measure = compareTensors(reference.value, value.value, reference.name, tolerance);
    const bool isRounded = coarserType(reference.precision, value.precision) == rounding.type;
    if (isRounded) measure.undecided = rounding.decisions;
    return measure;
}

} // namespace gelens
