// Window functions, mel filter banks and Fourier transforms. CANN's STFT follows PyTorch (other ports and layout), so
// the transforms here keep ONNX's definitions. Sums are taken in double.

#include "engine/ops/element_types.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/random_ops_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace gelens {
namespace {

using Complex = std::complex<double>;
using movement::checkOutput;

DataType attrType(const AttrMap& attrs, const char* name)
{
    return static_cast<DataType>(attrInt(attrs, name, static_cast<std::int64_t>(DataType::Float)));
}

Status writeDoubles(KernelContext& context, DataType dtype, const Shape& shape, const std::vector<double>& values)
{
    GELENS_TRY(checkOutput(context, dtype, shape));
    Status status;
    const bool isKnown = visitNumeric(dtype, [&]<typename T>(TypeTag<T>) {
        auto out = context.outputAs<T>(0, dtype, shape);
        if (!out.ok()) {
            status = out.error();
            return;
        }
        for (std::size_t i = 0; i < values.size(); ++i) out.value()[i] = saturateTo<T>(values[i]);
    });
    return isKnown ? status
                   : Status(context.error(fmt::format("a result of {} is not possible", dataTypeShortName(dtype))));
}

// ---- windows: a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N) ----

struct WindowTerms {
    double a0, a1, a2;
};

Status inferWindow(InferContext& context)
{
    const auto size = movement::constantInt(context, 0);
    if (size && *size < 0) return context.error(fmt::format("the size is {}", *size));
    context.setOutput(0, attrType(context.attrs(), "dtype"), Shape{size.value_or(unknownDim)});
    return {};
}

KernelFunction runWindow(WindowTerms terms)
{
    return [terms](KernelContext& context) -> Status {
        GELENS_ASSIGN(const std::int64_t size, movement::scalarInt(context, 0));
        const DataType dtype = attrType(context.attrs(), "dtype");
        if (size < 0) return context.error(fmt::format("the size is {}", size));
        GELENS_TRY(checkOutput(context, DataType::Double, Shape{size}));
        const double period = static_cast<double>(
            attrBool(context.attrs(), "periodic", true) ? size : std::max<std::int64_t>(1, size - 1));
        std::vector<double> values(static_cast<std::size_t>(size));
        for (std::size_t n = 0; n < values.size(); ++n) {
            const double angle = 2.0 * std::numbers::pi * static_cast<double>(n) / period;
            values[n] = terms.a0 - terms.a1 * std::cos(angle) + terms.a2 * std::cos(2.0 * angle);
        }
        return writeDoubles(context, dtype, Shape{size}, values);
    };
}

// ---- MelWeightMatrix ----

Status inferMel(InferContext& context)
{
    const auto bins = movement::constantInt(context, 0), length = movement::constantInt(context, 1);
    context.setOutput(0, attrType(context.attrs(), "dtype"),
                      Shape{length && *length >= 0 ? *length / 2 + 1 : unknownDim, bins.value_or(unknownDim)});
    return {};
}

Status runMel(KernelContext& context)
{
    GELENS_ASSIGN(const std::int64_t bins, movement::scalarInt(context, 0));
    GELENS_ASSIGN(const std::int64_t length, movement::scalarInt(context, 1));
    GELENS_ASSIGN(const std::int64_t rate, movement::scalarInt(context, 2));
    GELENS_ASSIGN(const auto low, context.doubles(3));
    GELENS_ASSIGN(const auto high, context.doubles(4));
    if (bins < 1 || bins > (1 << 24) || length < 1 || length > (std::int64_t{1} << 32) || rate < 1 || low.size() != 1 ||
        high.size() != 1)
        return context.error("a size or frequency is out of range");
    const auto toMel = [](double hertz) { return 2595.0 * std::log10(1.0 + hertz / 700.0); };
    const double lowMel = toMel(low[0]), step = (toMel(high[0]) - lowMel) / static_cast<double>(bins + 2);
    const Shape shape{length / 2 + 1, bins};
    GELENS_TRY(checkOutput(context, DataType::Double, shape));
    // Spectrum bins of the corner frequencies.
    std::vector<std::int64_t> corners;
    for (std::int64_t i = 0; i < bins + 2; ++i) {
        const double hertz = 700.0 * (std::pow(10.0, (lowMel + static_cast<double>(i) * step) / 2595.0) - 1.0);
        const double bin = std::floor(static_cast<double>(length + 1) * hertz / static_cast<double>(rate));
        if (!(bin >= 0 && bin <= static_cast<double>(shape[0])))
            return context.error(fmt::format("the frequency {} lies outside the spectrum", hertz));
        corners.push_back(static_cast<std::int64_t>(bin));
    }
    std::vector<double> values(static_cast<std::size_t>(shape[0] * bins), 0.0);
    const auto set = [&](std::int64_t row, std::int64_t column, double value) {
        if (row < shape[0]) values[static_cast<std::size_t>(row * bins + column)] = value;
    };
    for (std::int64_t i = 0; i < bins; ++i) {
        const std::int64_t left = corners[static_cast<std::size_t>(i)],
                           centre = corners[static_cast<std::size_t>(i + 1)],
                           right = corners[static_cast<std::size_t>(i + 2)];
        if (centre == left)
            set(centre, i, 1.0);
        else
            for (std::int64_t j = left; j <= centre; ++j)
                set(j, i, static_cast<double>(j - left) / static_cast<double>(centre - left));
        for (std::int64_t j = centre; j < right; ++j)
            set(j, i, static_cast<double>(right - j) / static_cast<double>(right - centre));
    }
    return writeDoubles(context, attrType(context.attrs(), "dtype"), shape, values);
}

// ---- discrete Fourier transform ----

/// In place, for lengths that are powers of two.
void radix2(std::vector<Complex>& data, bool isInverse)
{
    const std::size_t n = data.size();
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(data[i], data[j]);
    }
    for (std::size_t length = 2; length <= n; length <<= 1) {
        const double angle = (isInverse ? 2.0 : -2.0) * std::numbers::pi / static_cast<double>(length);
        std::vector<Complex> roots(length / 2);
        for (std::size_t k = 0; k < roots.size(); ++k) roots[k] = std::polar(1.0, angle * static_cast<double>(k));
        for (std::size_t i = 0; i < n; i += length)
            for (std::size_t k = 0; k < length / 2; ++k) {
                const Complex u = data[i + k], v = data[i + k + length / 2] * roots[k];
                data[i + k] = u + v;
                data[i + k + length / 2] = u - v;
            }
    }
}

/// Any length: powers of two directly, others as a convolution (Bluestein), so that the time stays n log n.
void transform(std::vector<Complex>& data, bool isInverse)
{
    const std::size_t n = data.size();
    if (n < 2) return;
    if ((n & (n - 1)) == 0) {
        radix2(data, isInverse);
    } else {
        std::size_t size = 1;
        while (size < 2 * n) size <<= 1;
        std::vector<Complex> chirp(n), a(size), b(size);
        for (std::size_t k = 0; k < n; ++k) {
            const double square = static_cast<double>((static_cast<std::uint64_t>(k) * k) % (2 * n));
            chirp[k] = std::polar(1.0, (isInverse ? 1.0 : -1.0) * std::numbers::pi * square / static_cast<double>(n));
            a[k] = data[k] * chirp[k];
            b[k] = b[(size - k) % size] = std::conj(chirp[k]);
        }
        radix2(a, false);
        radix2(b, false);
        for (std::size_t k = 0; k < size; ++k) a[k] *= b[k];
        radix2(a, true);
        for (std::size_t k = 0; k < n; ++k) data[k] = a[k] / static_cast<double>(size) * chirp[k];
    }
    if (isInverse)
        for (Complex& value : data) value /= static_cast<double>(n);
}

// ---- DFT: [..., length along the axis, ..., 1 or 2] ----

struct DftPlan {
    bool isInverse = false, isOneSided = false;
    std::int64_t axis = -2;
};

/// The axis is an input from opset 20 on, an attribute before.
Result<int> dftAxis(std::int64_t axis, int rank)
{
    // The last dim holds real and imaginary part and cannot be transformed.
    const auto normal = normalizeAxis(axis, rank);
    if (!normal || *normal == rank - 1)
        return Error::invalid(fmt::format("axis {} cannot be transformed in a tensor of rank {}", axis, rank));
    return *normal;
}

Status inferDft(InferContext& context)
{
    const Shape& x = context.shape(0);
    const auto axisNumber =
        context.hasInput(2) ? movement::constantInt(context, 2) : std::optional(attrInt(context.attrs(), "axis", -2));
    const auto wanted = context.hasInput(1) ? movement::constantInt(context, 1) : std::optional<std::int64_t>();
    if (!x.hasRank() || !axisNumber) {
        context.setOutput(0, context.dtype(0), movement::unknownDims(x.hasRank() ? x.rank() : -1));
        return {};
    }
    const auto axis = dftAxis(*axisNumber, x.rank());
    if (!axis.ok()) return at(context, axis.error());
    const bool isOneSided = attrBool(context.attrs(), "onesided", false),
               isInverse = attrBool(context.attrs(), "inverse", false);
    std::int64_t length = context.hasInput(1) ? wanted.value_or(unknownDim) : x.dim(axis.value());
    if (isOneSided && isInverse && !context.hasInput(1) && length > 0) length = 2 * (length - 1);
    Shape shape;
    for (int i = 0; i < x.rank(); ++i) {
        if (i == x.rank() - 1)
            shape.append(isOneSided && isInverse ? 1 : 2);
        else if (i == axis.value())
            shape.append(length < 0 ? unknownDim : isOneSided && !isInverse ? length / 2 + 1 : length);
        else
            movement::appendDim(shape, x, i);
    }
    context.setOutput(0, context.dtype(0), std::move(shape));
    return {};
}

Status runDft(KernelContext& context)
{
    const Shape& x = context.input(0).shape;
    std::int64_t axisNumber = attrInt(context.attrs(), "axis", -2);
    if (context.hasInput(2)) {
        GELENS_ASSIGN(axisNumber, movement::scalarInt(context, 2));
    }
    const auto axisResult = dftAxis(axisNumber, x.rank());
    if (!axisResult.ok()) return context.error(axisResult.error().what);
    const auto axis = static_cast<std::size_t>(axisResult.value());
    const std::int64_t parts = x.dim(-1), given = x[axis];
    if (parts != 1 && parts != 2)
        return context.error(fmt::format("the last dim of {} is neither 1 (real) nor 2 (complex)", x.text()));
    const bool isOneSided = attrBool(context.attrs(), "onesided", false),
               isInverse = attrBool(context.attrs(), "inverse", false);
    const bool fromHalf = isOneSided && isInverse; // the input is half of a Hermitian spectrum, the result is real
    std::int64_t length = fromHalf ? 2 * (given - 1) : given;
    if (context.hasInput(1)) {
        GELENS_ASSIGN(length, movement::scalarInt(context, 1));
    }
    if (length < 1 || length > (std::int64_t{1} << 28))
        return context.error(fmt::format("the transform has the length {}", length));
    const std::int64_t kept = isOneSided && !isInverse ? length / 2 + 1 : length, resultParts = fromHalf ? 1 : 2;
    std::vector<std::int64_t> dims = x.dims();
    dims[axis] = kept;
    dims.back() = resultParts;
    GELENS_TRY(checkOutput(context, DataType::Double, Shape(dims)));
    GELENS_ASSIGN(const std::vector<double> in, context.doubles(0));
    std::vector<double> out(static_cast<std::size_t>(movement::product(dims)));
    const std::int64_t outer = movement::product(dims, 0, axis),
                       inner = movement::product(dims, axis + 1, dims.size() - 1);
    std::vector<Complex> line;
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t i = 0; i < inner; ++i) {
            if (context.stop.stop_requested()) return Error::cancelled();
            line.assign(static_cast<std::size_t>(length), Complex());
            for (std::int64_t k = 0; k < std::min(given, length); ++k) {
                const std::size_t at = static_cast<std::size_t>(((o * given + k) * inner + i) * parts);
                line[static_cast<std::size_t>(k)] = {in[at], parts == 2 ? in[at + 1] : 0.0};
            }
            if (fromHalf)
                for (std::int64_t k = length / 2 + 1; k < length; ++k)
                    line[static_cast<std::size_t>(k)] = std::conj(line[static_cast<std::size_t>(length - k)]);
            transform(line, isInverse);
            for (std::int64_t k = 0; k < kept; ++k) {
                const std::size_t at = static_cast<std::size_t>(((o * kept + k) * inner + i) * resultParts);
                out[at] = line[static_cast<std::size_t>(k)].real();
                if (resultParts == 2) out[at + 1] = line[static_cast<std::size_t>(k)].imag();
            }
        }
    return writeDoubles(context, context.input(0).dtype, Shape(dims), out);
}

// ---- STFT: [batch, length, 1 or 2] -> [batch, frames, bins, 2] ----

Status inferStft(InferContext& context)
{
    const Shape& x = context.shape(0);
    Shape shape = movement::unknownDims(4);
    shape.setDim(3, 2);
    if (x.hasRank() && x.rank() >= 2) {
        shape.setDim(0, x.dim(0));
        shape.setSymbol(0, std::string(x.symbol(0)));
        const std::int64_t step = movement::constantInt(context, 1).value_or(unknownDim);
        std::int64_t length = unknownDim;
        if (context.hasInput(3))
            length = movement::constantInt(context, 3).value_or(unknownDim);
        else if (context.hasInput(2) && context.shape(2).rank() == 1)
            length = context.shape(2)[0];
        if (length > 0) {
            shape.setDim(2, attrBool(context.attrs(), "onesided", true) ? length / 2 + 1 : length);
            if (step > 0 && x.dim(1) >= length) shape.setDim(1, (x.dim(1) - length) / step + 1);
        }
    }
    context.setOutput(0, context.dtype(0), std::move(shape));
    return {};
}

Status runStft(KernelContext& context)
{
    const Shape& x = context.input(0).shape;
    if (x.rank() != 2 && x.rank() != 3) return context.error(fmt::format("{} is no batch of signals", x.text()));
    const std::int64_t parts = x.rank() == 3 ? x[2] : 1, batch = x[0], length = x[1];
    if (parts != 1 && parts != 2)
        return context.error(fmt::format("the last dim of {} is neither 1 (real) nor 2 (complex)", x.text()));
    GELENS_ASSIGN(const std::int64_t step, movement::scalarInt(context, 1));
    std::vector<double> window;
    if (context.hasInput(2)) {
        GELENS_ASSIGN(window, context.doubles(2));
    }
    std::int64_t frame = window.empty() ? length : static_cast<std::int64_t>(window.size());
    if (context.hasInput(3)) {
        GELENS_ASSIGN(frame, movement::scalarInt(context, 3));
    }
    if (step < 1 || frame < 1 || frame > length)
        return context.error(fmt::format("frames of {} every {} do not fit a signal of {}", frame, step, length));
    if (!window.empty() && static_cast<std::int64_t>(window.size()) != frame)
        return context.error(fmt::format("a window of {} for frames of {}", window.size(), frame));
    const std::int64_t frames = (length - frame) / step + 1;
    const std::int64_t bins = attrBool(context.attrs(), "onesided", true) ? frame / 2 + 1 : frame;
    const Shape shape{batch, frames, bins, 2};
    GELENS_TRY(checkOutput(context, DataType::Double, shape));
    GELENS_ASSIGN(const std::vector<double> in, context.doubles(0));
    std::vector<double> out(static_cast<std::size_t>(shape.elementCount().value_or(0)));
    std::vector<Complex> line;
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t f = 0; f < frames; ++f) {
            if (context.stop.stop_requested()) return Error::cancelled();
            line.assign(static_cast<std::size_t>(frame), Complex());
            for (std::int64_t k = 0; k < frame; ++k) {
                const auto at = static_cast<std::size_t>((b * length + f * step + k) * parts);
                const double weight = window.empty() ? 1.0 : window[static_cast<std::size_t>(k)];
                line[static_cast<std::size_t>(k)] = {in[at] * weight, parts == 2 ? in[at + 1] * weight : 0.0};
            }
            transform(line, false);
            for (std::int64_t k = 0; k < bins; ++k) {
                const auto at = static_cast<std::size_t>(((b * frames + f) * bins + k) * 2);
                out[at] = line[static_cast<std::size_t>(k)].real();
                out[at + 1] = line[static_cast<std::size_t>(k)].imag();
            }
        }
    return writeDoubles(context, context.input(0).dtype, shape, out);
}

/// n log n for each line; the logarithm of a line is about 10.
Cost fourierCost(const Node& node, const Graph& graph)
{
    Cost cost = bytesOnly(node, graph);
    cost.vectorOps = 5.0 * 10.0 * elementsOf(outputDesc(node, 0));
    return cost;
}

OpDef base(const char* type, const char* doc, const char* source)
{
    OpDef def(type);
    def.doc(doc)
        .source(source)
        .unit(Unit::AiCpu)
        .fusionClass(FusionClass::Opaque)
        .formats(FormatSupport::NdOnly)
        .arithmetic(Arithmetic::Fp64)
        .cost(elementwise(8));
    return def;
}

} // namespace

void registerSignalOps(OpRegistry& ops)
{
    const auto window = [&ops](const char* type, const char* doc, const char* source, WindowTerms terms) {
        ops.add(base(type, doc, source)
                    .input("size")
                    .output("y")
                    .attr("periodic", true)
                    .attr("dtype", DataType::Float)
                    .infer(inferWindow)
                    .kernel(runWindow(terms)));
    };
    window("HannWindow", "0.5 - 0.5 cos", "ONNX HannWindow-17", {0.5, 0.5, 0.0});
    window("HammingWindow", "25/46 - 21/46 cos", "ONNX HammingWindow-17", {25.0 / 46.0, 21.0 / 46.0, 0.0});
    window("BlackmanWindow", "0.42 - 0.5 cos + 0.08 cos of the double angle", "ONNX BlackmanWindow-17",
           {0.42, 0.5, 0.08});
    ops.add(base("MelWeightMatrix", "Triangular filters that turn a spectrum into mel bins", "ONNX MelWeightMatrix-17")
                .input("num_mel_bins")
                .input("dft_length")
                .input("sample_rate")
                .input("lower_edge_hertz")
                .input("upper_edge_hertz")
                .output("y")
                .attr("dtype", DataType::Float)
                .infer(inferMel)
                .kernel(runMel));
    ops.add(base("DFT", "Discrete Fourier transform along an axis; the last dim holds real and imaginary part",
                 "ONNX DFT-20")
                .cost(fourierCost)
                .input("x")
                .optionalInput("dft_length")
                .optionalInput("axis")
                .output("y")
                .attr("axis", -2)
                .attr("inverse", false)
                .attr("onesided", false)
                .infer(inferDft)
                .kernel(runDft));
    ops.add(base("STFT", "Fourier transforms of windowed frames of a signal", "ONNX STFT-17")
                .cost(fourierCost)
                .input("signal")
                .input("frame_step")
                .optionalInput("window")
                .optionalInput("frame_length")
                .output("y")
                .attr("onesided", true)
                .infer(inferStft)
                .kernel(runStft));
}

} // namespace gelens
