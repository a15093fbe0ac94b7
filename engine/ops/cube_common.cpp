#include "engine/ops/cube_common.h"

#include <Eigen/Core>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gelens {

Result<FloatOperand> FloatOperand::of(const KernelContext& context, int i)
{
    FloatOperand operand;
    const TensorView& view = context.input(i);
    if (view.dtype == DataType::Float) {
        operand.m_view = reinterpret_cast<const float*>(view.data);
        return operand;
    }
    GELENS_ASSIGN(operand.m_copy, context.floats(i));
    return operand;
}

Result<FloatResult> FloatResult::make(KernelContext& context, int i, DataType dtype, const Shape& shape)
{
    FloatResult result;
    result.m_index = i;
    result.m_dtype = dtype;
    result.m_shape = shape;
    const auto count = shape.elementCount();
    if (!count || !storageBytes(DataType::Float, shape))
        return context.error(fmt::format("result shape {} is too large", shape.text()));
    result.m_size = static_cast<std::size_t>(*count);
    if (dtype == DataType::Float) {
        GELENS_ASSIGN(result.m_direct, context.outputAs<float>(i, dtype, shape));
    } else {
        // Ask for the place first: it checks the safety limit before the work buffer is allocated.
        GELENS_TRY(context.output(i, dtype, shape));
        result.m_buffer.resize(result.m_size);
    }
    return result;
}

Status FloatResult::finish(KernelContext& context)
{
    if (m_direct || m_dtype == DataType::Float) return {};
    return context.setFloats(m_index, m_dtype, m_shape, m_buffer);
}

DataType outputTypeOr(const KernelContext& context, int i, DataType otherwise)
{
    if (i >= context.outputCount()) return otherwise;
    const DataType type = context.outputType(i);
    return type == DataType::Undefined ? otherwise : type;
}

void gemmFloat(bool transposeA, bool transposeB, std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
               const float* b, float* c)
{
    if (m == 0 || n == 0) return;
    if (k == 0) {
        std::fill(c, c + m * n, 0.0f);
        return;
    }
    if (onednn::gemm(transposeA, transposeB, m, n, k, 1.0f, a, transposeA ? m : k, b, transposeB ? k : n, 0.0f, c, n))
        return;
    using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const Matrix> ma(a, transposeA ? k : m, transposeA ? m : k);
    const Eigen::Map<const Matrix> mb(b, transposeB ? n : k, transposeB ? k : n);
    Eigen::Map<Matrix> mc(c, m, n);
    if (transposeA && transposeB)
        mc.noalias() = ma.transpose() * mb.transpose();
    else if (transposeA)
        mc.noalias() = ma.transpose() * mb;
    else if (transposeB)
        mc.noalias() = ma * mb.transpose();
    else
        mc.noalias() = ma * mb;
}

void appendDim(Shape& to, const Shape& from, int i)
{
    const auto at = static_cast<std::size_t>(i < 0 ? i + from.rank() : i);
    to.append(from[at], from.symbol(at));
}

bool dimsContradict(std::int64_t a, std::int64_t b) { return a >= 0 && b >= 0 && a != b; }

std::vector<std::int64_t> broadcastStrides(const Shape& from, const Shape& to)
{
    std::vector<std::int64_t> strides(static_cast<std::size_t>(to.rank()), 0);
    std::int64_t step = 1;
    for (int i = 1; i <= from.rank() && i <= to.rank(); ++i) {
        const std::int64_t dim = from.dim(-i);
        if (dim != 1) strides[static_cast<std::size_t>(to.rank() - i)] = step;
        step *= dim;
    }
    return strides;
}

bool broadcastsTo(const Shape& from, const Shape& to)
{
    if (from.rank() > to.rank()) return false;
    for (int i = 1; i <= from.rank(); ++i)
        if (from.dim(-i) != 1 && from.dim(-i) != to.dim(-i)) return false;
    return true;
}

void addBroadcast(float* y, const Shape& shape, const float* bias, const Shape& biasShape, float factor)
{
    const std::int64_t count = shape.elementCount().value_or(0);
    if (count == 0) return;
    if (shape.rank() == 0) {
        y[0] += factor * bias[0];
        return;
    }
    const std::vector<std::int64_t> strides = broadcastStrides(biasShape, shape);
    const std::int64_t inner = shape.dim(-1);
    const std::int64_t innerStride = strides.back();
    std::vector<std::int64_t> index(static_cast<std::size_t>(shape.rank()), 0);
    for (std::int64_t row = 0; row < count / inner; ++row) {
        std::int64_t offset = 0;
        for (std::size_t axis = 0; axis + 1 < index.size(); ++axis) offset += index[axis] * strides[axis];
        float* const to = y + row * inner;
        for (std::int64_t i = 0; i < inner; ++i) to[i] += factor * bias[offset + i * innerStride];
        for (int axis = shape.rank() - 2; axis >= 0; --axis) {
            if (++index[static_cast<std::size_t>(axis)] < shape.dim(axis)) break;
            index[static_cast<std::size_t>(axis)] = 0;
        }
    }
}

ScalarActivation findActivation(std::string_view name)
{
    struct Entry {
        std::string_view name;
        ScalarActivation function;
    };
    static constexpr Entry table[] = {
        {"", [](float x, float, float) { return x; }},
        {"Relu", [](float x, float, float) { return x > 0 ? x : (x < 0 ? 0.0f : x); }},
        {"Relu6", [](float x, float, float) { return std::min(std::max(x, 0.0f), 6.0f); }},
        {"LeakyRelu", [](float x, float alpha, float) { return x >= 0 ? x : alpha * x; }},
        {"Sigmoid", [](float x, float, float) { return 1.0f / (1.0f + std::exp(-x)); }},
        {"Tanh", [](float x, float, float) { return std::tanh(x); }},
        {"Swish", [](float x, float alpha, float) { return x / (1.0f + std::exp(-alpha * x)); }},
        {"Gelu", [](float x, float, float) { return 0.5f * x * (1.0f + std::erf(x * 0.70710678118654752f)); }},
        {"GeluTanh",
         [](float x, float, float) {
             return 0.5f * x * (1.0f + std::tanh(0.79788456080286536f * (x + 0.044715f * x * x * x)));
         }},
        {"FastGelu", [](float x, float, float) { return x / (1.0f + std::exp(-1.702f * x)); }},
        {"HardSigmoid",
         [](float x, float alpha, float beta) { return std::min(std::max(alpha * x + beta, 0.0f), 1.0f); }},
        {"HardSwish", [](float x, float, float) { return x * std::min(std::max(x / 6.0f + 0.5f, 0.0f), 1.0f); }},
        {"Clip", [](float x, float alpha, float beta) { return std::min(std::max(x, alpha), beta); }},
        {"Elu", [](float x, float alpha, float) { return x >= 0 ? x : alpha * std::expm1(x); }},
        {"Softplus", [](float x, float, float) { return x > 20 ? x : std::log1p(std::exp(x)); }},
        {"Mish", [](float x, float, float) { return x * std::tanh(x > 20 ? x : std::log1p(std::exp(x))); }},
    };
    for (const Entry& entry : table)
        if (entry.name == name) return entry.function;
    return nullptr;
}

namespace {

template <std::size_t Width>
void permuteRows(const std::byte* from, const std::vector<std::int64_t>& outDims,
                 const std::vector<std::int64_t>& strides, std::byte* to)
{
    struct Cell {
        std::byte bytes[Width];
    };
    const auto* source = reinterpret_cast<const Cell*>(from);
    auto* target = reinterpret_cast<Cell*>(to);
    const std::size_t rank = outDims.size();
    std::int64_t count = 1;
    for (std::int64_t dim : outDims) count *= dim;
    if (count == 0) return;
    const std::int64_t inner = rank ? outDims.back() : 1;
    const std::int64_t step = rank ? strides.back() : 1;
    std::vector<std::int64_t> index(rank, 0);
    std::int64_t offset = 0;
    for (std::int64_t row = 0; row < count / inner; ++row) {
        for (std::int64_t i = 0; i < inner; ++i) target[i] = source[offset + i * step];
        target += inner;
        for (int axis = static_cast<int>(rank) - 2; axis >= 0; --axis) {
            const auto a = static_cast<std::size_t>(axis);
            offset += strides[a];
            if (++index[a] < outDims[a]) break;
            offset -= strides[a] * outDims[a];
            index[a] = 0;
        }
    }
}

constexpr std::int64_t largestWindowValue = std::int64_t{1} << 31; // keeps all window arithmetic within 64 bits

Error windowError(const std::string& text) { return Error::invalid(text); }

} // namespace

void permuteBytes(const std::byte* from, const std::vector<std::int64_t>& dims, const std::vector<int>& perm,
                  std::size_t width, std::byte* to)
{
    GELENS_ASSERT(dims.size() == perm.size());
    std::vector<std::int64_t> sourceStrides(dims.size(), 1);
    for (std::size_t i = dims.size(); i-- > 1;) sourceStrides[i - 1] = sourceStrides[i] * dims[i];
    std::vector<std::int64_t> outDims, strides;
    for (int axis : perm) {
        outDims.push_back(dims[static_cast<std::size_t>(axis)]);
        strides.push_back(sourceStrides[static_cast<std::size_t>(axis)]);
    }
    switch (width) {
    case 1: return permuteRows<1>(from, outDims, strides, to);
    case 2: return permuteRows<2>(from, outDims, strides, to);
    case 4: return permuteRows<4>(from, outDims, strides, to);
    case 8: return permuteRows<8>(from, outDims, strides, to);
    case 16: return permuteRows<16>(from, outDims, strides, to);
    default: GELENS_ASSERT(false);
    }
}

Format declaredFormat(const Node& node, int i)
{
    return i >= 0 && i < node.inputCount() ? node.inputs[static_cast<std::size_t>(i)].desc.originFormat.primary
                                           : Format::ND;
}

bool isChannelsLast(const AttrMap& attrs, Format declared)
{
    if (declared == Format::NCHW || declared == Format::NCDHW) return false;
    if (declared == Format::NHWC || declared == Format::NDHWC) return true;
    const std::string dataFormat = attrString(attrs, "data_format", "NCHW");
    return dataFormat == "NHWC" || dataFormat == "NDHWC" || dataFormat == "NWC";
}

Result<std::vector<std::int64_t>> spatialAttr(const AttrMap& attrs, std::string_view name, int spatial,
                                              bool channelsLast, std::int64_t fallback)
{
    const IntList list = attrInts(attrs, name);
    const auto count = static_cast<std::size_t>(spatial);
    std::vector<std::int64_t> values;
    if (list.empty())
        values.assign(count, fallback);
    else if (list.size() == 1)
        values.assign(count, list[0]);
    else if (list.size() == count)
        values = list;
    else if (list.size() == count + 2) {
        const auto first = list.begin() + (channelsLast ? 1 : 2);
        values.assign(first, first + spatial);
    } else {
        return windowError(
            fmt::format("attribute '{}' has {} entries for {} spatial axes", name, list.size(), spatial));
    }
    return values;
}

namespace {

Result<AutoPad> readAutoPad(const AttrMap& attrs)
{
    const std::string automatic = attrString(attrs, "auto_pad", "NOTSET");
    if (automatic == "SAME_UPPER") return AutoPad::SameUpper;
    if (automatic == "SAME_LOWER") return AutoPad::SameLower;
    if (automatic == "VALID") return AutoPad::Valid;
    if (automatic != "NOTSET" && !automatic.empty())
        return windowError(fmt::format("attribute 'auto_pad' is '{}'", automatic));
    std::string padding = attrString(attrs, "padding_mode", attrString(attrs, "padding"));
    if (padding == "SAME" || padding == "SAME_UPPER") return AutoPad::SameUpper;
    if (padding == "SAME_LOWER") return AutoPad::SameLower;
    if (padding == "VALID") return AutoPad::Valid;
    return AutoPad::None;
}

Status checkRange(std::string_view name, const std::vector<std::int64_t>& values, std::int64_t lowest)
{
    for (const std::int64_t value : values)
        if (value < lowest || value > largestWindowValue)
            return windowError(fmt::format("{} {} is not allowed", name, value));
    return {};
}

} // namespace

Result<WindowAxes> readWindow(const AttrMap& attrs, std::vector<std::int64_t> kernel, bool channelsLast)
{
    WindowAxes axes;
    const int spatial = static_cast<int>(kernel.size());
    axes.kernel = std::move(kernel);
    GELENS_ASSIGN(axes.strides, spatialAttr(attrs, "strides", spatial, channelsLast, 1));
    const std::string_view dilationName = attrs.contains("dilations") ? "dilations" : "dilation";
    GELENS_ASSIGN(axes.dilations, spatialAttr(attrs, dilationName, spatial, channelsLast, 1));
    GELENS_ASSIGN(axes.outputPadding, spatialAttr(attrs, "output_padding", spatial, channelsLast, 0));
    GELENS_ASSIGN(axes.autoPad, readAutoPad(attrs));
    axes.ceilMode = attrBool(attrs, "ceil_mode") || attrInt(attrs, "ceil_mode") != 0;
    const IntList pads = attrInts(attrs, "pads");
    if (!pads.empty() && pads.size() != axes.kernel.size() * 2)
        return windowError(fmt::format("attribute 'pads' has {} entries for {} spatial axes", pads.size(), spatial));
    for (std::size_t i = 0; i < axes.kernel.size(); ++i) {
        axes.padBegin.push_back(pads.empty() ? 0 : pads[2 * i]);
        axes.padEnd.push_back(pads.empty() ? 0 : pads[2 * i + 1]);
    }
    GELENS_TRY(checkRange("kernel size", axes.kernel, -1));
    for (const std::int64_t k : axes.kernel)
        if (k == 0) return windowError("kernel size 0 is not allowed");
    GELENS_TRY(checkRange("stride", axes.strides, 1));
    GELENS_TRY(checkRange("dilation", axes.dilations, 1));
    GELENS_TRY(checkRange("output padding", axes.outputPadding, 0));
    GELENS_TRY(checkRange("padding", axes.padBegin, 0));
    GELENS_TRY(checkRange("padding", axes.padEnd, 0));
    return axes;
}

Result<std::vector<std::int64_t>> windowOutput(WindowAxes& axes, const std::vector<std::int64_t>& in)
{
    GELENS_ASSERT(in.size() == axes.kernel.size());
    std::vector<std::int64_t> out(in.size(), unknownDim);
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (in[i] < 0 || axes.kernel[i] < 0) continue;
        if (in[i] > largestWindowValue) return windowError(fmt::format("spatial size {} is too large", in[i]));
        const std::int64_t stride = axes.strides[i];
        const std::int64_t range = (axes.kernel[i] - 1) * axes.dilations[i] + 1;
        if (axes.autoPad == AutoPad::SameUpper || axes.autoPad == AutoPad::SameLower) {
            out[i] = (in[i] + stride - 1) / stride;
            const std::int64_t total = std::max<std::int64_t>(0, (out[i] - 1) * stride + range - in[i]);
            axes.padBegin[i] = axes.autoPad == AutoPad::SameUpper ? total / 2 : total - total / 2;
            axes.padEnd[i] = total - axes.padBegin[i];
            continue;
        }
        if (axes.autoPad == AutoPad::Valid) axes.padBegin[i] = axes.padEnd[i] = 0;
        const std::int64_t room = in[i] + axes.padBegin[i] + axes.padEnd[i] - range;
        if (room < 0)
            return windowError(fmt::format("window of {} does not fit the padded input of {} on spatial axis {}", range,
                                           in[i] + axes.padBegin[i] + axes.padEnd[i], i));
        out[i] = (axes.ceilMode ? (room + stride - 1) / stride : room / stride) + 1;
        // A window that starts beyond input and leading padding would see nothing.
        if (axes.ceilMode && (out[i] - 1) * stride >= in[i] + axes.padBegin[i]) --out[i];
    }
    return out;
}

Result<std::vector<std::int64_t>> transposedOutput(WindowAxes& axes, const std::vector<std::int64_t>& in,
                                                   const std::vector<std::int64_t>& wanted)
{
    GELENS_ASSERT(in.size() == axes.kernel.size());
    std::vector<std::int64_t> out(in.size(), unknownDim);
    for (std::size_t i = 0; i < in.size(); ++i) {
        const bool isStated = i < wanted.size() && wanted[i] > 0;
        if (in[i] < 0 || axes.kernel[i] < 0) {
            if (isStated) out[i] = wanted[i];
            continue;
        }
        if (in[i] > largestWindowValue) return windowError(fmt::format("spatial size {} is too large", in[i]));
        const std::int64_t range = (axes.kernel[i] - 1) * axes.dilations[i] + 1;
        const std::int64_t full = axes.strides[i] * (in[i] - 1) + axes.outputPadding[i] + range;
        const bool isSame = axes.autoPad == AutoPad::SameUpper || axes.autoPad == AutoPad::SameLower;
        if (isStated || isSame) {
            out[i] = isStated ? wanted[i] : in[i] * axes.strides[i];
            if (isStated && axes.autoPad == AutoPad::None && full - axes.padBegin[i] - axes.padEnd[i] == out[i])
                continue;
            const std::int64_t total = std::max<std::int64_t>(0, full - out[i]);
            axes.padBegin[i] = axes.autoPad == AutoPad::SameUpper ? total / 2 : total - total / 2;
            axes.padEnd[i] = total - axes.padBegin[i];
            continue;
        }
        if (axes.autoPad == AutoPad::Valid) axes.padBegin[i] = axes.padEnd[i] = 0;
        out[i] = full - axes.padBegin[i] - axes.padEnd[i];
        if (out[i] <= 0)
            return windowError(fmt::format("pads of {} and {} leave no output on spatial axis {}", axes.padBegin[i],
                                           axes.padEnd[i], i));
    }
    return out;
}

} // namespace gelens
