#include "engine/npu/node_runner.h"

#include "engine/ops/op_registry.h"
#include "engine/ops/read_as.h"
#include "engine/ops/storage_shape.h"

#include <fmt/format.h>
#include <new>

namespace gelens {

namespace {

/// Seed of one node: FNV-1a over its name, so that it does not depend on ids or order.
std::uint64_t nodeSeed(std::uint64_t seed, std::string_view name)
{
    std::uint64_t hash = 1469598103934665603ull ^ seed;
    for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ull;
    return hash;
}

bool isPrivate(const TensorDesc& desc) { return isPrivateFormat(desc.format.primary) && desc.originShape.isStatic(); }

/// Inputs in private formats as the model means them; `owned` keeps their bytes.
Status toLogical(const Node& node, std::vector<TensorView>& inputs, std::vector<HostTensor>& owned)
{
    for (TensorView& view : inputs) {
        if (!view.isPresent() || !view.data || !isPrivateFormat(view.format.primary)) continue;
        if (!view.originShape.isStatic())
            return Error::invalid("the logical shape of an input is not known", nodePlace(node));
        HostTensor plain = HostTensor::zeros(view.dtype, view.originShape);
        GELENS_TRY(convertStorage(view.data, view.format, plain.bytes->data(), view.originFormat, view.originShape,
                                  view.originFormat, view.dtype));
        view = plain.view();
        owned.push_back(std::move(plain));
    }
    return {};
}

/// Outputs of a kernel that thinks in logical layouts, where the graph wants them stored in a private one.
class LogicalOutputs {
public:
    LogicalOutputs(const Node& node, const OutputAllocator& allocate)
        : m_node(node), m_allocate(allocate), m_plain(node.outputs.size())
    {
    }

    OutputAllocator allocator()
    {
        return [this](int i, DataType dtype, const Shape& shape) -> Result<std::byte*> {
            const auto index = static_cast<std::size_t>(i);
            if (!isPrivate(m_node.outputs[index].desc)) return m_allocate(i, dtype, shape);
            GELENS_TRY(checkedBytes(m_node, dtype, shape));
            m_plain[index] = HostTensor::zeros(dtype, shape);
            return m_plain[index].bytes->data();
        };
    }

    Status store(std::vector<ProducedOutput>& outputs)
    {
        for (std::size_t i = 0; i < m_plain.size(); ++i) {
            if (!m_plain[i].isPresent()) continue;
            const TensorDesc& desc = m_node.outputs[i].desc;
            if (m_plain[i].shape.elementCount() != desc.originShape.elementCount())
                return Error::invalid(fmt::format("output {} has shape {}, its layout was chosen for {}", i,
                                                  m_plain[i].shape.text(), desc.originShape.text()),
                                      nodePlace(m_node));
            const Format origin = desc.originFormat.primary;
            GELENS_ASSIGN(const Shape storage, storageShape(desc.format, desc.originShape, origin, m_plain[i].dtype));
            GELENS_ASSIGN(std::byte* const to, m_allocate(static_cast<int>(i), m_plain[i].dtype, storage));
            GELENS_TRY(convertStorage(m_plain[i].bytes->data(), origin, to, desc.format, desc.originShape, origin,
                                      m_plain[i].dtype));
            outputs[i].shape = storage;
        }
        return {};
    }

private:
    const Node& m_node;
    const OutputAllocator& m_allocate;
    std::vector<HostTensor> m_plain;
};

} // namespace

TensorView withLayout(TensorView view, const TensorDesc& desc)
{
    view.format = desc.format;
    view.originShape = desc.originShape;
    view.originFormat = desc.originFormat.primary;
    return view;
}

Result<HostTensor> logicalOutput(HostTensor value, const TensorDesc& desc)
{
    if (!isPrivate(desc) || value.view().data == nullptr) return value;
    HostTensor plain = HostTensor::zeros(value.dtype, desc.originShape);
    GELENS_TRY(convertStorage(value.view().data, desc.format, plain.bytes->data(), desc.originFormat, desc.originShape,
                              desc.originFormat.primary, value.dtype));
    return plain;
}

Result<std::int64_t> checkedBytes(const Node& node, DataType dtype, const Shape& shape)
{
    const auto bytes = storageBytes(dtype, shape);
    if (!bytes) return Error::invalid("an output has no size", nodePlace(node));
    if (*bytes > resultLimitBytes)
        return Error::limit(
            fmt::format("a result of {} bytes is more than the {} bytes that one may take", *bytes, resultLimitBytes),
            nodePlace(node));
    const std::int64_t wide = isFloating(dtype) ? storageBytes(DataType::Float, shape).value_or(*bytes) : *bytes;
    if (wide > resultLimitBytes)
        return Error::limit(
            fmt::format("a result of {} bytes is computed as {} bytes of fp32, more than the {} bytes that "
                        "one may take",
                        *bytes, wide, resultLimitBytes),
            nodePlace(node));
    return *bytes;
}

std::string nodePlace(const Node& node) { return fmt::format("node '{}' ({})", node.name, node.type); }

Result<std::vector<ProducedOutput>> runNode(const Node& node, std::vector<TensorView> inputs,
                                            const OutputAllocator& allocate, const NodeRun& run)
{
    const OpDef* def = OpRegistry::instance().find(node.type);
    if (!def || !def->kernelFunction()) return Error::unsupported("no kernel", nodePlace(node));

    std::vector<DataType> types;
    types.reserve(node.outputs.size());
    for (const OutputSlot& slot : node.outputs) types.push_back(slot.desc.dtype);
    std::vector<HostTensor> plainInputs;
    LogicalOutputs plainOutputs(node, allocate);
    if (!def->storageKernel()) GELENS_TRY(toLogical(node, inputs, plainInputs));
    for (std::size_t i = 0; i < inputs.size() && i < node.inputs.size(); ++i) {
        readAs(inputs[i], node.inputs[i].desc);
        if (!def->storageKernel()) inputs[i].originFormat = node.inputs[i].desc.originFormat.primary;
    }
    // A kernel sees attributes only; the number of its branches is one that the graph holds elsewhere.
    AttrMap branchAttrs;
    if (node.type == "Case") {
        branchAttrs = node.attrs;
        branchAttrs["_branch_count"] = node.subgraphs.size();
    }
    KernelContext context(node.name, node.type, branchAttrs.empty() ? node.attrs : branchAttrs, std::move(inputs),
                          std::move(types), def->storageKernel() ? allocate : plainOutputs.allocator());
    context.runSubgraph = run.runSubgraph;
    context.stop = run.stop;
    context.seed = nodeSeed(run.seed, node.name);
    context.weights = run.weights;
    try {
        GELENS_TRY(def->kernelFunction()(context));
    } catch (const std::bad_alloc&) {
        return Error::limit("the machine has no memory left for it", nodePlace(node));
    } catch (const InternalError&) {
        throw;
    } catch (const std::exception& problem) {
        return Error{ErrorCode::Internal, problem.what(), nodePlace(node), {}};
    }
    if (run.stop.stop_requested()) return Error::cancelled();

    std::vector<ProducedOutput> outputs(node.outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        outputs[i].dtype = context.produced()[i].first;
        outputs[i].shape = context.produced()[i].second;
        if (context.stringOutputs()[i].isSet)
            outputs[i].strings = std::make_shared<std::vector<std::string>>(context.stringOutputs()[i].values);
        if (i < context.sequenceOutputs().size()) outputs[i].sequence = context.sequenceOutputs()[i];
    }
    GELENS_TRY(plainOutputs.store(outputs));
    return outputs;
}

} // namespace gelens
