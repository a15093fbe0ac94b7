#include "engine/npu/node_runner.h"

#include "engine/ops/op_registry.h"

#include <fmt/format.h>
#include <new>

namespace gelens {

namespace {

/// Seed of one node: FNV-1a over its name, so that it does not depend on ids or order.
std::uint64_t nodeSeed(std::uint64_t seed, std::string_view name)
{
    std::uint64_t hash = 1469598103934665603ull ^ seed;
    for (const char letter : name)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ull;
    return hash;
}


} // namespace

std::string nodePlace(const Node& node) { return fmt::format("node '{}' ({})", node.name, node.type); }

Result<std::vector<ProducedOutput>> runNode(const Node& node, std::vector<TensorView> inputs,
                                            const OutputAllocator& allocate, const NodeRun& run)
{
    const OpDef* def = OpRegistry::instance().find(node.type);
    if (!def || !def->kernelFunction()) return Error::unsupported("no kernel", nodePlace(node));

    std::vector<DataType> types;
    types.reserve(node.outputs.size());
    for (const OutputSlot& slot : node.outputs)
        types.push_back(slot.desc.dtype);
    KernelContext context(node.name, node.type, node.attrs, std::move(inputs), std::move(types), allocate);
    context.runSubgraph = run.runSubgraph;
    context.stop = run.stop;
    context.seed = nodeSeed(run.seed, node.name);
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
    return outputs;
}

} // namespace gelens
