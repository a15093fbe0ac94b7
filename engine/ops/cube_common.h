#pragma once
// What the kernels and inference of matrix, convolution and pooling operators share.

#include "engine/ops/onednn_private.h"
#include "engine/ops/op_def.h"

#include <string>
#include <vector>

namespace gelens {

/// An input as fp32: the tensor's own memory when it is fp32, else a converted copy.
class FloatOperand {
public:
    static Result<FloatOperand> of(const KernelContext& context, int i);
    const float* data() const { return m_view ? m_view : m_copy.data(); }
    float operator[](std::size_t i) const { return data()[i]; }
    bool isView() const { return m_view != nullptr; } ///< the tensor's own memory

private:
    const float* m_view = nullptr;
    std::vector<float> m_copy;
};

/// An output computed in fp32: written in place when its type is fp32, else rounded into the type by finish().
class FloatResult {
public:
    static Result<FloatResult> make(KernelContext& context, int i, DataType dtype, const Shape& shape);
    float* data() { return m_direct ? m_direct : m_buffer.data(); }
    std::size_t size() const { return m_size; }
    Status finish(KernelContext& context);

private:
    int m_index = 0;
    DataType m_dtype = DataType::Undefined;
    Shape m_shape;
    std::size_t m_size = 0;
    float* m_direct = nullptr;
    std::vector<float> m_buffer;
};

/// Type that inference gave output i, or `otherwise` when it is unknown.
DataType outputTypeOr(const KernelContext& context, int i, DataType otherwise);

/// c[m,n] = op(a)·op(b) in fp32, dense row-major; by oneDNN, or by own loops when it declines. k = 0 gives zeros.
void gemmFloat(bool transposeA, bool transposeB, std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
               const float* b, float* c);

/// Appends dim i of `from` with its symbol.
void appendDim(Shape& to, const Shape& from, int i);
/// Error when both dims are known and differ.
bool dimsContradict(std::int64_t a, std::int64_t b);
/// Broadcasting of a tensor of shape `from` over `to` (right-aligned): strides in elements for each axis of `to`.
std::vector<std::int64_t> broadcastStrides(const Shape& from, const Shape& to);
/// True when `from` broadcasts to exactly `to`.
bool broadcastsTo(const Shape& from, const Shape& to);
/// y[i] += bias[broadcast i] over a dense result of shape `shape`.
void addBroadcast(float* y, const Shape& shape, const float* bias, const Shape& biasShape, float factor = 1.0f);

/// Activation of a fused epilogue, by GE type name; computed in fp32. Null for an unknown name.
/// Relu, Relu6, LeakyRelu(alpha), Sigmoid, Tanh, Swish(alpha = scale), Gelu (erf), GeluTanh, FastGelu (sigmoid of 1.702
/// x), HardSigmoid(alpha, beta), HardSwish, Clip(alpha = min, beta = max), Elu(alpha), Softplus, Mish. "" is the
/// identity.
using ScalarActivation = float (*)(float x, float alpha, float beta);
ScalarActivation findActivation(std::string_view name);

/// Transposes a dense tensor: axis i of the result is axis perm[i] of the source. Any element width in bytes.
void permuteBytes(const std::byte* from, const std::vector<std::int64_t>& dims, const std::vector<int>& perm,
                  std::size_t width, std::byte* to);

/// Axes of a sliding window over 1–3 spatial axes.
/// Attributes follow GE: strides, dilations and ksize have one entry for each axis of the data format (or spatial
/// only), pads begin and end for each spatial axis in turn.
enum class AutoPad { None, Valid, SameUpper, SameLower };
struct WindowAxes {
    std::vector<std::int64_t> kernel, strides, dilations, padBegin, padEnd, outputPadding;
    AutoPad autoPad = AutoPad::None;
    bool ceilMode = false;
};

/// Entries of a list attribute for the spatial axes; `fallback` when it is absent or empty. Errors as text.
Result<std::vector<std::int64_t>> spatialAttr(const AttrMap& attrs, std::string_view name, int spatial,
                                              bool channelsLast, std::int64_t fallback);
/// Reads strides, dilations, pads and automatic padding; `kernel` is given. Zero or absurd values are errors.
Result<WindowAxes> readWindow(const AttrMap& attrs, std::vector<std::int64_t> kernel, bool channelsLast);
/// Output sizes of a window operator (-1 for unknown inputs); fills the pads of automatic padding where sizes are
/// known.
Result<std::vector<std::int64_t>> windowOutput(WindowAxes& axes, const std::vector<std::int64_t>& in);
/// The same for a transposed convolution; `wanted` gives explicit output sizes (0 or empty: not stated).
Result<std::vector<std::int64_t>> transposedOutput(WindowAxes& axes, const std::vector<std::int64_t>& in,
                                                   const std::vector<std::int64_t>& wanted);

/// Axis order that an operator's own slot states for input i: Format::ND where it states none.
Format declaredFormat(const Node& node, int i);
/// Whether an image operator has its channels last. As in GE the order that the tensor declares is what counts. data_format
/// speaks where it declares none: parsers of channels-first frameworks leave it at the definition's default, NHWC.
bool isChannelsLast(const AttrMap& attrs, Format declared);

} // namespace gelens
