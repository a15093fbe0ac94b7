// Operators that reverse parts of a tensor, or add blocks into an image.

#include "engine/ops/element_types.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/shape_ops_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace gelens::movement {
namespace {

constexpr const char* cann = "CANN operator library";
constexpr std::size_t maxImageDims = 8; ///< of Col2im

// ---- ReverseV2 ----

Status runReverse(KernelContext& context)
{
    GELENS_ASSIGN(const auto numbers, context.ints(1));
    CellMover mover(context);
    GELENS_ASSIGN(const Cells cells, mover.input(0));
    const auto axes = normalizeAxes(numbers, cells.shape.rank());
    if (!axes.ok()) return context.error(axes.error().what);
    GELENS_ASSIGN(std::byte* const out, mover.output(0, context.input(0).dtype, cells.shape));
    const auto& dims = cells.shape.dims();
    const auto strides = stridesOf(dims);
    std::vector<std::int64_t> from = strides;
    std::int64_t offset = 0;
    for (const int axis : axes.value()) {
        const auto k = static_cast<std::size_t>(axis);
        offset += (dims[k] - 1) * strides[k];
        from[k] = -strides[k];
    }
    if (cells.count > 0) copyBox(out, strides, cells.data + offset * cells.width, from, dims, cells.width);
    return mover.finish();
}

// ---- ReverseSequence ----

Status inferReverseSequence(InferContext& context)
{
    const Shape& input = context.shape(0);
    if (input.hasRank()) {
        GELENS_TRY(axisOf(context, attrInt(context.attrs(), "seq_dim", 0), input.rank()));
        GELENS_TRY(axisOf(context, attrInt(context.attrs(), "batch_dim", 0), input.rank()));
    }
    return sameAsInput(context);
}

Status runReverseSequence(KernelContext& context)
{
    GELENS_ASSIGN(const auto lengths, context.ints(1));
    CellMover mover(context);
    GELENS_ASSIGN(const Cells cells, mover.input(0));
    const auto& dims = cells.shape.dims();
    GELENS_ASSIGN(const int timeAxis, axisOf(context, attrInt(context.attrs(), "seq_dim", 0), cells.shape.rank()));
    GELENS_ASSIGN(const int batchAxis, axisOf(context, attrInt(context.attrs(), "batch_dim", 0), cells.shape.rank()));
    if (timeAxis == batchAxis) return context.error("sequence and batch are the same dim");
    const auto time = static_cast<std::size_t>(timeAxis), batch = static_cast<std::size_t>(batchAxis);
    if (static_cast<std::int64_t>(lengths.size()) != dims[batch])
        return context.error(fmt::format("{} lengths for a batch of {}", lengths.size(), dims[batch]));
    for (const std::int64_t length : lengths)
        if (length < 0 || length > dims[time])
            return context.error(fmt::format("a length is {}, the sequence has {}", length, dims[time]));
    GELENS_ASSIGN(std::byte* const out, mover.output(0, context.input(0).dtype, cells.shape));
    if (cells.count == 0) return mover.finish();
    const auto strides = stridesOf(dims);
    std::vector<std::int64_t> box = dims, from = strides;
    box[batch] = 1;
    for (std::int64_t b = 0; b < dims[batch]; ++b) {
        const std::int64_t base = b * strides[batch], length = lengths[static_cast<std::size_t>(b)];
        box[time] = length;
        from[time] = -strides[time];
        if (length > 0)
            copyBox(out + base * cells.width, strides, cells.data + (base + (length - 1) * strides[time]) * cells.width,
                    from, box, cells.width);
        // Behind the sequence all stays as it is.
        const std::int64_t rest = base + length * strides[time];
        box[time] = dims[time] - length;
        copyBox(out + rest * cells.width, strides, cells.data + rest * cells.width, strides, box, cells.width);
    }
    return mover.finish();
}

// ---- Col2im ----

/// Blocks laid out as columns are added back into an image of any number of dims.
struct FoldPlan {
    std::vector<std::int64_t> image, block, dilation, stride, padBegin, padEnd;
    std::vector<std::int64_t> steps; ///< positions of the block along each dim

    std::int64_t blockSize() const { return product(block); }
};

Result<FoldPlan> foldPlan(const AttrMap& attrs, std::vector<std::int64_t> image, std::vector<std::int64_t> block)
{
    FoldPlan plan;
    plan.image = std::move(image);
    plan.block = std::move(block);
    const std::size_t n = plan.image.size();
    if (n == 0 || n > maxImageDims || plan.block.size() != n)
        return Error::invalid(fmt::format("an image of {} dims and a block of {}", n, plan.block.size()));
    plan.dilation = attrInts(attrs, "dilation");
    plan.stride = attrInts(attrs, "stride");
    if (plan.dilation.empty()) plan.dilation.assign(n, 1);
    if (plan.stride.empty()) plan.stride.assign(n, 1);
    const auto pads = attrInts(attrs, "padding");
    for (std::size_t i = 0; i < n; ++i) {
        plan.padBegin.push_back(pads.empty() ? 0 : pads[std::min(i, pads.size() - 1)]);
        plan.padEnd.push_back(pads.size() == 2 * n ? pads[i + n] : plan.padBegin[i]);
    }
    if (plan.dilation.size() != n || plan.stride.size() != n ||
        (pads.size() != 0 && pads.size() != n && pads.size() != 2 * n))
        return Error::invalid("dilation, stride and padding do not fit the image's dims");
    constexpr std::int64_t limit = std::int64_t{1} << 31;
    for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t values[] = {plan.image[i],  plan.block[i],        plan.dilation[i],
                                       plan.stride[i], plan.padBegin[i] + 1, plan.padEnd[i] + 1};
        for (const std::int64_t value : values)
            if (value < 1 || value > limit)
                return Error::invalid("a size, stride, dilation or padding is out of range");
        const std::int64_t room =
            plan.image[i] + plan.padBegin[i] + plan.padEnd[i] - plan.dilation[i] * (plan.block[i] - 1) - 1;
        if (room < 0) return Error::invalid(fmt::format("the block does not fit dim {} of the image", i));
        plan.steps.push_back(room / plan.stride[i] + 1);
    }
    if (!Shape(plan.block).elementCount() || !Shape(plan.steps).elementCount() || !Shape(plan.image).elementCount())
        return Error::limit("the image is too large");
    return plan;
}

template <typename T>
void foldChannel(const FoldPlan& plan, const T* columns, std::vector<ComputeType<T>>& image)
{
    const std::size_t n = plan.image.size();
    const auto strides = stridesOf(plan.image);
    const std::int64_t positions = product(plan.steps), blockSize = plan.blockSize();
    std::array<std::int64_t, maxImageDims> inBlock{}, at{};
    for (std::int64_t k = 0; k < blockSize; ++k) {
        at.fill(0);
        for (std::int64_t p = 0; p < positions; ++p) {
            std::int64_t offset = 0;
            bool isInside = true;
            for (std::size_t d = 0; d < n && isInside; ++d) {
                const std::int64_t x = at[d] * plan.stride[d] + inBlock[d] * plan.dilation[d] - plan.padBegin[d];
                isInside = x >= 0 && x < plan.image[d];
                offset += x * strides[d];
            }
            if (isInside) image[static_cast<std::size_t>(offset)] += load(columns[k * positions + p]);
            for (std::size_t d = n; d-- > 0;) {
                if (++at[d] < plan.steps[d]) break;
                at[d] = 0;
            }
        }
        for (std::size_t d = n; d-- > 0;) {
            if (++inBlock[d] < plan.block[d]) break;
            inBlock[d] = 0;
        }
    }
}

/// Col2im takes [N, C * block, positions] (CANN: also [N, C, block, positions]).
Result<Shape> foldedShape(const Shape& input, const FoldPlan& plan)
{
    if (input.rank() != 3 && input.rank() != 4) return Error::invalid(fmt::format("{} are not columns", input.text()));
    const std::int64_t positions = input.dim(-1), expected = product(plan.steps);
    if (positions >= 0 && positions != expected)
        return Error::invalid(fmt::format("{} columns, the image has {} positions", positions, expected));
    Shape result;
    appendDim(result, input, 0);
    if (input.rank() == 4) {
        if (input.dim(2) >= 0 && input.dim(2) != plan.blockSize())
            return Error::invalid("the block does not fit the columns");
        appendDim(result, input, 1);
    } else if (input.dim(1) < 0) {
        result.append(unknownDim);
    } else {
        if (input.dim(1) % plan.blockSize() != 0)
            return Error::invalid(
                fmt::format("{} rows are no multiple of the block of {}", input.dim(1), plan.blockSize()));
        result.append(input.dim(1) / plan.blockSize());
    }
    for (const std::int64_t dim : plan.image) result.append(dim);
    return result;
}

Status inferCol2im(InferContext& context)
{
    const auto image = context.constantInts(1);
    const auto block = context.node().type == "Col2im" ? std::optional(attrInts(context.attrs(), "kernel_size"))
                                                       : context.constantInts(2);
    const Shape& input = context.shape(0);
    if (!image || !block || !input.hasRank()) {
        const Shape& wanted = context.shape(1);
        const bool hasLength = wanted.hasRank() && wanted.rank() == 1 && wanted[0] >= 0 && wanted[0] <= 8;
        context.setOutput(0, context.dtype(0), unknownDims(hasLength ? static_cast<int>(wanted[0]) + 2 : -1));
        return {};
    }
    const auto plan = foldPlan(context.attrs(), *image, *block);
    if (!plan.ok()) return at(context, plan.error());
    auto shape = foldedShape(input, plan.value());
    if (!shape.ok()) return at(context, shape.error());
    context.setOutput(0, context.dtype(0), std::move(shape).value());
    return {};
}

Status runCol2im(KernelContext& context)
{
    GELENS_ASSIGN(auto image, context.ints(1));
    std::vector<std::int64_t> block;
    if (context.opType() == "Col2im") {
        block = attrInts(context.attrs(), "kernel_size");
    } else {
        GELENS_ASSIGN(block, context.ints(2));
    }
    const auto plan = foldPlan(context.attrs(), std::move(image), std::move(block));
    if (!plan.ok()) return context.error(plan.error().what);
    const TensorView& x = context.input(0);
    const auto shape = foldedShape(x.shape, plan.value());
    if (!shape.ok()) return context.error(shape.error().what);
    GELENS_TRY(checkOutput(context, x.dtype, shape.value()));
    Status status;
    const bool isKnown = visitArithmetic(x.dtype, [&]<typename T>(TypeTag<T>) {
        auto out = context.outputAs<T>(0, x.dtype, shape.value());
        if (!out.ok()) {
            status = out.error();
            return;
        }
        const std::int64_t pixels = product(plan.value().image),
                           perChannel = plan.value().blockSize() * product(plan.value().steps);
        const std::int64_t channels = shape.value()[0] * shape.value()[1];
        std::vector<ComputeType<T>> sums;
        for (std::int64_t c = 0; c < channels; ++c) {
            sums.assign(static_cast<std::size_t>(pixels), ComputeType<T>(0));
            foldChannel(plan.value(), reinterpret_cast<const T*>(x.data) + c * perChannel, sums);
            for (std::int64_t i = 0; i < pixels; ++i)
                out.value()[c * pixels + i] = store<T>(sums[static_cast<std::size_t>(i)]);
        }
    });
    return isKnown ? status
                   : Status(context.error(fmt::format("type {} cannot be added up", dataTypeShortName(x.dtype))));
}

OpDef base(const char* type, const char* doc, const char* source = cann)
{
    OpDef def(type);
    def.doc(doc)
        .source(source)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Other)
        .formats(FormatSupport::NdOnly)
        .cost(moving());
    return def;
}

} // namespace

void registerRearrangeOps(OpRegistry& ops)
{
    ops.add(base("ReverseV2", "Reverses the order along the axes of the second input")
                .arithmetic(Arithmetic::None)
                .input("x")
                .input("axis")
                .output("y")
                .infer(sameAsInput)
                .kernel(runReverse));
    ops.add(base("ReverseSequence", "Reverses the first `seq_lengths[b]` steps of each sequence")
                .arithmetic(Arithmetic::None)
                .unit(Unit::AiCpu)
                .input("x")
                .input("seq_lengths")
                .output("y")
                .requiredAttr("seq_dim")
                .attr("batch_dim", 0)
                .infer(inferReverseSequence)
                .kernel(runReverseSequence));
    ops.add(base("Col2im", "Adds columns of blocks back into images")
                .arithmetic(Arithmetic::SumsInFp32)
                .cost(perInputElement(1))
                .input("x")
                .input("output_size")
                .output("y")
                .requiredAttr("kernel_size")
                .requiredAttr("dilation")
                .requiredAttr("padding")
                .requiredAttr("stride")
                .infer(inferCol2im)
                .kernel(runCol2im));
    ops.add(base("Col2imNd", "Col2im for any number of dims, the block known only at run time", "ONNX Col2Im-18")
                .arithmetic(Arithmetic::SumsInFp32)
                .cost(perInputElement(1))
                .input("x")
                .input("output_size")
                .input("kernel_size")
                .output("y")
                .attr("dilation", IntList{})
                .attr("padding", IntList{})
                .attr("stride", IntList{})
                .infer(inferCol2im)
                .kernel(runCol2im));
}

} // namespace gelens::movement
