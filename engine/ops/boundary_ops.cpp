// What stands at the borders of a graph, and what the runtime does instead of a kernel.

#include "engine/ops/family_helpers.h"
#include "engine/ops/op_families.h"

namespace gelens {
namespace {

using families::canonical;

/// Output 0 keeps what the file or the caller said of it.
Status asDeclared(InferContext& context)
{
    if (context.outputCount() == 0) return {};
    const TensorDesc& desc = context.node().outputs[0].desc;
    context.setOutput(0, desc.dtype, desc.originShape);
    return {};
}

/// A constant's descriptor is that of its value.
Status asValue(InferContext& context)
{
    const Tensor* const value = attrTensor(context.attrs(), "value");
    if (!value) return asDeclared(context);
    context.setOutput(0, value->desc.dtype,
                      value->desc.originShape.hasRank() ? value->desc.originShape : value->desc.shape);
    return {};
}

Status noOutputs(InferContext&) { return {}; }

Cost noCost(const Node&, const Graph&) { return {}; }

OpDef boundary(std::string type, std::string doc, InferFunction infer)
{
    OpDef def(std::move(type));
    def.doc(std::move(doc)).source(canonical).unit(Unit::None).formats(FormatSupport::Agnostic);
    def.infer(std::move(infer)).cost(noCost);
    return def;
}

/// A runtime task without data outputs: there is nothing for a kernel to compute, only an order to keep.
OpDef marker(std::string type, std::string doc, Unit unit = Unit::Runtime)
{
    OpDef def(std::move(type));
    def.doc(std::move(doc)).source(canonical).unit(unit).formats(FormatSupport::Agnostic).isStateful();
    def.infer(noOutputs).cost(noCost).kernel([](KernelContext&) { return Status(); });
    return def;
}

OpDef memoryCopy(std::string type, std::string doc)
{
    OpDef def(std::move(type));
    def.doc(std::move(doc)).source(canonical).input("x").output("y");
    def.unit(Unit::Runtime).formats(FormatSupport::Agnostic);
    def.infer(sameAsInput).cost(moving()).kernel([](KernelContext& context) { return copyTensor(context, 0, 0); });
    return def;
}

} // namespace

void registerBoundaryOps(OpRegistry& ops)
{
    ops.add(boundary("Data", "An input of the graph; `index` is its position among the inputs.", asDeclared)
                .optionalInput("x")
                .output("y")
                .attr("index", 0));
    ops.add(boundary("RefData", "An input of the graph that operators may also write.", asDeclared)
                .optionalInput("x")
                .output("y")
                .attr("index", 0));
    ops.add(boundary("AippData", "An input of the graph that image preprocessing fills.", asDeclared)
                .optionalInput("data")
                .output("out")
                .attr("index", 0));
    ops.add(boundary("AnnData", "An input of the graph in a neural network's own format.", asDeclared)
                .optionalInput("x")
                .output("y")
                .attr("index", 0));
    ops.add(boundary("Const", "A constant, held in `value`.", asValue).output("y").requiredAttr("value"));
    ops.add(boundary("Constant", "A constant, held in `value` (older name of Const).", asValue)
                .output("y")
                .requiredAttr("value"));
    ops.add(boundary("FileConstant", "A constant whose bytes lie in a file beside the model.", asDeclared)
                .output("y")
                .attr("file_path", "")
                .attr("file_id", "")
                .attr("offset", 0)
                .attr("length", 0)
                .attr("shape", IntList{})
                .attr("dtype", DataType::Float)
                .attr("original_shape", IntList{}));
    ops.add(boundary("ConstPlaceHolder", "A constant that is already in device memory.", asDeclared)
                .output("y")
                .attr("origin_shape", IntList{})
                .attr("dtype", DataType::Float)
                .attr("size", 0));
    ops.add(boundary("Variable", "A value that lives on between runs.", asDeclared)
                .optionalInput("x")
                .output("y")
                .attr("index", 0)
                .attr("value", AttrValue(0))
                .attr("container", "")
                .attr("shared_name", ""));
    ops.add(boundary("NetOutput", "The outputs of the graph, in order.", noOutputs).dynamicInput("__input"));

    ops.add(marker("NoOp", "Does nothing; keeps an order through control edges.", Unit::GeLocal));
    ops.add(marker("ControlTrigger", "Does nothing; starts what depends on it.", Unit::GeLocal));
    ops.add(marker("Send", "Records an event on its stream.").attr("event_id", 0));
    ops.add(marker("Recv", "Makes its stream wait for an event.").attr("event_id", 0));
    ops.add(marker("StreamActive", "Starts other streams.").attr("active_stream_list", IntList{}));
    ops.add(marker("LabelSet", "A place in the task list that a branch may jump to.").attr("label_index", 0));
    ops.add(marker("LabelGotoEx", "Jumps to a label.").attr("label_index", 0));
    ops.add(marker("LabelSwitchByIndex", "Jumps to the label whose number the input gives.")
                .input("index")
                .attr("label_list", IntList{}));
    ops.add(marker("MemSet", "Clears memory that a later operator adds to.").attr("sizes", IntList{}));
    ops.add(marker("AtomicAddrClean", "Clears memory that a later operator adds to (older name of MemSet).")
                .attr("automic_add_mem_size", IntList{}));

    ops.add(memoryCopy("MemcpyAsync", "Copies its input on the stream."));
    ops.add(memoryCopy("MemcpyAddrAsync", "Copies its input; the addresses are read at run time."));
    ops.add(
        memoryCopy("TensorMove", "Copies its input with a kernel.").arithmetic(Arithmetic::None).unit(Unit::Vector));
}

} // namespace gelens
