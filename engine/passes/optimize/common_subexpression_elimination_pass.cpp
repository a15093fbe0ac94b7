#include "engine/ops/op_registry.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <algorithm>
#include <unordered_map>

namespace gelens {
namespace {

void mix(std::size_t& hash, std::size_t value) { hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2); }

/// Attributes that say where a node came from are no part of what it computes.
bool isBookkeeping(std::string_view name) { return name.starts_with("_datadump_"); }

std::size_t keyHash(const Node& node)
{
    std::size_t hash = std::hash<std::string>{}(node.type);
    for (const InputSlot& slot : node.inputs) mix(hash, std::hash<OutputRef>{}(slot.source));
    for (const NodeId id : node.controlInputs) mix(hash, std::hash<NodeId>{}(id));
    for (const auto& [name, value] : node.attrs)
        if (!isBookkeeping(name)) mix(hash, std::hash<std::string>{}(name));
    return hash;
}

bool sameAttributes(const AttrMap& a, const AttrMap& b)
{
    auto i = a.begin();
    auto j = b.begin();
    while (true) {
        while (i != a.end() && isBookkeeping(i->first)) ++i;
        while (j != b.end() && isBookkeeping(j->first)) ++j;
        if (i == a.end() || j == b.end()) return i == a.end() && j == b.end();
        if (i->first != j->first || !(i->second == j->second)) return false;
        ++i;
        ++j;
    }
}

bool computesTheSame(const Node& a, const Node& b)
{
    if (a.type != b.type || a.inputs.size() != b.inputs.size() || a.outputs.size() != b.outputs.size()) return false;
    for (std::size_t i = 0; i < a.inputs.size(); ++i)
        if (a.inputs[i].source != b.inputs[i].source || a.inputs[i].desc.format != b.inputs[i].desc.format)
            return false;
    for (std::size_t i = 0; i < a.outputs.size(); ++i)
        if (a.outputs[i].desc.dtype != b.outputs[i].desc.dtype || a.outputs[i].desc.format != b.outputs[i].desc.format)
            return false;
    auto controlA = a.controlInputs, controlB = b.controlInputs;
    std::sort(controlA.begin(), controlA.end());
    std::sort(controlB.begin(), controlB.end());
    return controlA == controlB && sameAttributes(a.attrs, b.attrs);
}

/// GE merges only types that own a folding kernel (facts, D4): matrix products and convolutions stay apart.
bool mayMerge(const Node& node)
{
    if (isBoundaryType(node.type) || !node.subgraphs.empty() || node.isOpaque) return false;
    const OpDef* def = OpRegistry::instance().find(node.type);
    return def != nullptr && def->hostKernel() && !def->stateful();
}

class CommonSubexpressionEliminationPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        std::unordered_multimap<std::size_t, NodeId> seen;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const Node& node = edit.node(id);
            if (!mayMerge(node)) return Status::success();
            const std::size_t key = keyHash(node);
            const auto [first, last] = seen.equal_range(key);
            for (auto candidate = first; candidate != last; ++candidate) {
                const Node& earlier = edit.node(candidate->second);
                if (earlier.graph != node.graph || !computesTheSame(earlier, node)) continue;
                merge(edit, candidate->second, id);
                report.count("nodes merged");
                return Status::success();
            }
            seen.emplace(key, id);
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }

private:
    static void merge(GraphEditor& edit, NodeId kept, NodeId duplicate)
    {
        for (int i = 0; i < edit.node(duplicate).outputCount(); ++i) edit.replaceUses({duplicate, i}, {kept, i});
        for (const NodeId to : std::vector<NodeId>(edit.node(duplicate).controlOutputs)) edit.connectControl(kept, to);
        inheritOrigins(edit, kept, {kept, duplicate});
        edit.removeNode(duplicate);
    }
};

} // namespace

PassEntry commonSubexpressionEliminationPass()
{
    return {.info = {.id = "CommonSubexpressionEliminationPass",
                     .phase = "OptimizeStage1_1",
                     .summary = "Merges nodes that compute the same from the same inputs to the earliest of them."},
            .make = makePass<CommonSubexpressionEliminationPass>};
}

} // namespace gelens
