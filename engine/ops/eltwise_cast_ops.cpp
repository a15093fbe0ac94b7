// A function of one tensor and the conversion of its result as one kernel. Part of the fused family.

#include "engine/ops/cost_helpers.h"
#include "engine/ops/fused_private.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

namespace gelens {
namespace {

Status inferEltwiseCast(InferContext& context)
{
    context.setOutput(0, static_cast<DataType>(attrInt(context.attrs(), "dst_type", static_cast<int>(DataType::Float))),
                      context.shape(0));
    return {};
}

/// Both parts by their own kernels: the value between them is rounded into its type, as if it had been stored.
Status runEltwiseCast(KernelContext& context)
{
    const std::string function = attrString(context.attrs(), "function");
    const OpDef* const def = OpRegistry::instance().find(function);
    const OpDef* const cast = OpRegistry::instance().find("Cast");
    if (!def || !def->kernelFunction() || def->inputs().size() != 1 || !cast)
        return context.error(fmt::format("'{}' is no function of one tensor", function));
    HostTensor between;
    const OutputAllocator keep = [&](int, DataType dtype, const Shape& shape) -> Result<std::byte*> {
        between = HostTensor::zeros(dtype, shape);
        return between.bytes->data();
    };
    const AttrMap none;
    KernelContext inner(context.nodeName(), function, none, {context.input(0)}, {context.input(0).dtype}, keep);
    inner.stop = context.stop;
    GELENS_TRY(def->kernelFunction()(inner));
    const OutputAllocator give = [&](int index, DataType dtype, const Shape& shape) {
        return context.output(index, dtype, shape);
    };
    KernelContext outer(context.nodeName(), "Cast", context.attrs(), {between.view()}, {context.outputType(0)}, give);
    outer.stop = context.stop;
    return cast->kernelFunction()(outer);
}

} // namespace

void registerEltwiseCastOps(OpRegistry& registry)
{
    registry.add(
        OpDef("EltwiseCast")
            .doc("y = cast(f(x)) for a function f of one tensor, named by its operator type; f rounds into x's type "
                 "before the conversion, as the two kernels would")
            .source("simulator form of what TbeEltwiseCastFusionPass joins")
            .input("x")
            .output("y")
            .requiredAttr("function")
            .requiredAttr("dst_type")
            .unit(Unit::Vector)
            .fusionClass(FusionClass::ElementWise)
            .formats(FormatSupport::AnyElement)
            .infer(inferEltwiseCast)
            .cost(elementwise(7))
            .kernel(runEltwiseCast));
}

} // namespace gelens
