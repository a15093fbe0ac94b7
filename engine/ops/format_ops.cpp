#include "engine/ops/cost_helpers.h"
#include "engine/ops/op_families.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/storage_shape.h"

#include <fmt/format.h>

namespace gelens {
namespace {

struct Formats {
    TensorFormat source, target;
};

Result<Formats> readFormats(const AttrMap& attrs)
{
    Formats formats;
    const auto read = [&](const char* name, const char* subName, TensorFormat& format) -> Status {
        const std::string text = attrString(attrs, name);
        format = TensorFormat::fromText(text);
        if (format.primary == Format::Reserved || format.primary == Format::End)
            return Error::invalid(fmt::format("attribute '{}' names no format: '{}'", name, text));
        // Groups are the sub-format of FRACTAL_Z; they come in the text, by an attribute of their own, or as `groups`.
        std::int64_t groups = attrInt(attrs, subName);
        if (groups <= 1) groups = attrInt(attrs, "groups", 1);
        const bool isFilter = format.primary == Format::FractalZ || format.primary == Format::FractalZ3d;
        if (format.group == 0 && groups > 1 && isFilter) format.group = static_cast<std::uint16_t>(groups);
        return {};
    };
    GELENS_TRY(read("src_format", "src_subformat", formats.source));
    GELENS_TRY(read("dst_format", "dst_subformat", formats.target));
    return formats;
}

/// Axis order of the origin shape: the descriptor's, else whichever of the two formats is plain.
Format originOf(Format stated, const Formats& formats)
{
    if (stated != Format::ND && !isPrivateFormat(stated)) return stated;
    if (!isPrivateFormat(formats.source.primary)) return formats.source.primary;
    if (!isPrivateFormat(formats.target.primary)) return formats.target.primary;
    return stated;
}

Status inferTransData(InferContext& context)
{
    auto formats = readFormats(context.attrs());
    if (!formats.ok()) return context.error(formats.error().what);
    const TensorDesc& x = context.input(0);
    TensorDesc y(x.dtype, x.originShape, x.originFormat);
    const Format origin = originOf(x.originFormat.primary, *formats);
    y.format = formats->target;
    if (isPrivateFormat(formats->target.primary)) {
        y.originFormat = origin;
    } else { // back in a plain layout: what is stored is the meaning
        const auto plain = reorderAxes(x.originShape, origin, formats->target.primary);
        if (!plain.ok()) return context.error(plain.error().what);
        if (x.originShape.hasRank()) y.originShape = *plain;
        y.originFormat = formats->target;
    }
    auto storage = x.originShape.hasRank() ? storageShape(formats->target, x.originShape, origin, x.dtype,
                                                          attrInt(context.attrs(), "block_size"))
                                           : Result<Shape>(x.originShape);
    if (!storage.ok()) return context.error(storage.error().what);
    y.shape = *storage;
    context.setOutputDesc(0, std::move(y));
    return {};
}

Status transDataKernel(KernelContext& context)
{
    auto formats = readFormats(context.attrs());
    if (!formats.ok()) return context.error(formats.error().what);
    const TensorView& x = context.input(0);
    // A private layout does not tell the logical sizes (they are padded): the attribute, or the view, does.
    const IntList stated = attrInts(context.attrs(), "origin_shape");
    Shape shape = !stated.empty() ? Shape(std::vector<std::int64_t>(stated)) : x.originShape;
    if (stated.empty() && !isPrivateFormat(formats->source.primary)) shape = x.shape;
    if (!shape.isStatic()) return context.error("the logical shape of x is not known");
    const std::string originText = attrString(context.attrs(), "origin_format");
    const Format named = originText.empty() ? x.originFormat : TensorFormat::fromText(originText).primary;
    const Format origin = originOf(named, *formats);
    const std::int64_t block = attrInt(context.attrs(), "block_size");
    const auto stored = storageShape(formats->source, shape, origin, x.dtype, block);
    if (!stored.ok()) return context.error(stored.error().what);
    if (stored->elementCount() != x.shape.elementCount())
        return context.error(fmt::format("x of shape {} is not a tensor of shape {} stored as {}", x.shape.text(),
                                         shape.text(), formats->source.text()));
    const auto storage = storageShape(formats->target, shape, origin, x.dtype, block);
    if (!storage.ok()) return context.error(storage.error().what);
    GELENS_ASSIGN(std::byte* const y, context.output(0, x.dtype, *storage));
    const Status moved = convertStorage(x.data, formats->source, y, formats->target, shape, origin, x.dtype, block);
    return moved.ok() ? moved : Status(context.error(moved.error().what));
}

} // namespace

void registerFormatOps(OpRegistry& registry)
{
    registry.add(
        OpDef("TransData")
            .arithmetic(Arithmetic::None)
            .doc("Moves a tensor between storage layouts: ND, NCHW, NHWC, HWCN, NCDHW … and NC1HWC0, NDC1HWC0, "
                 "FRACTAL_Z, FRACTAL_Z_3D, FRACTAL_NZ, C1HWNCoC0 and their small-channel forms. Padding is zero "
                 "and dropped on the way back; elements of any width are moved unchanged. The logical shape of "
                 "a private source comes from attribute origin_shape, else from its descriptor")
            .source("CANN operator library")
            .input("src")
            .output("dst")
            .requiredAttr("src_format")
            .requiredAttr("dst_format")
            .attr("src_subformat", 0)
            .attr("dst_subformat", 0)
            .attr("groups", 1)
            .unit(Unit::Vector)
            .fusionClass(FusionClass::Other)
            .formats(FormatSupport::Agnostic)
            .seesStorage()
            .hasHostKernel()
            .infer(inferTransData)
            .cost(moving(1 / 0.6))
            .kernel(transDataKernel));
}

} // namespace gelens
