#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <cstring>
#include <map>
#include <tuple>
#include <unordered_map>

namespace gelens {
namespace {

std::uint64_t hashBytes(std::span<const std::byte> bytes)
{
    // FNV-1a over 8-byte words: only a filter in front of the exact comparison.
    std::uint64_t hash = 1469598103934665603ull;
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes.data() + i, 8);
        hash = (hash ^ word) * 1099511628211ull;
    }
    for (; i < bytes.size(); ++i) hash = (hash ^ static_cast<std::uint64_t>(bytes[i])) * 1099511628211ull;
    return hash;
}

/// GE compares all attributes, so that constants which the parser made for different nodes stay apart. What folding made
/// carries the names it came from with us only; they tell no such constants apart.
bool sameAttributes(const Node& a, const Node& b)
{
    const bool areFolded =
        attrBool(a.attrs, "_is_from_constant_folding") && attrBool(b.attrs, "_is_from_constant_folding");
    const auto isIgnored = [&](const std::string& name) {
        return name == "value" || (areFolded && (name == originNamesAttr || name == originTypesAttr));
    };
    auto i = a.attrs.begin(), j = b.attrs.begin();
    while (true) {
        while (i != a.attrs.end() && isIgnored(i->first)) ++i;
        while (j != b.attrs.end() && isIgnored(j->first)) ++j;
        if (i == a.attrs.end() || j == b.attrs.end()) return i == a.attrs.end() && j == b.attrs.end();
        if (i->first != j->first || !(i->second == j->second)) return false;
        ++i;
        ++j;
    }
}

/// All equal constants, or only those that FE marked as holding one element (`origin_element_num`).
enum class Which { All, MarkedScalars };

template <Which which>
class RemoveSameConstPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        for (const GraphId graph : edit.graph().liveSubgraphs()) {
            // Bytes are looked at only where type, dims and size already agree with another constant.
            std::map<std::tuple<std::int32_t, std::size_t, std::vector<std::int64_t>>, std::vector<NodeId>> groups;
            edit.graph().forEachNode(graph, [&](const Node& node) {
                const Tensor* value = isConstantType(node.type) ? attrTensor(node.attrs, "value") : nullptr;
                if (value == nullptr || !value->isPresent() || !node.controlInputs.empty()) return;
                if (which == Which::MarkedScalars && attrInt(node.outputs[0].desc.attrs, "origin_element_num", 0) != 1)
                    return;
                groups[{static_cast<std::int32_t>(value->desc.dtype), value->data.size(), value->desc.shape.dims()}]
                    .push_back(node.id);
            });
            for (const auto& [key, nodes] : groups) {
                if (context.isCancelled()) return Error::cancelled();
                if (nodes.size() > 1) mergeGroup(edit, nodes, report);
            }
        }
        return report;
    }

private:
    static void mergeGroup(GraphEditor& edit, const std::vector<NodeId>& nodes, PassReport& report)
    {
        std::unordered_multimap<std::uint64_t, NodeId> seen;
        for (const NodeId id : nodes) {
            const Tensor* value = attrTensor(edit.node(id).attrs, "value");
            const std::uint64_t hash = hashBytes(value->data.span());
            const auto [first, last] = seen.equal_range(hash);
            bool isMerged = false;
            for (auto candidate = first; candidate != last && !isMerged; ++candidate) {
                const Node& kept = edit.node(candidate->second);
                if (!(*attrTensor(kept.attrs, "value") == *value) ||
                    !(kept.outputs[0].desc.format == edit.node(id).outputs[0].desc.format) ||
                    !sameAttributes(kept, edit.node(id)))
                    continue;
                const NodeId keptId = candidate->second;
                edit.replaceUses({id, 0}, {keptId, 0});
                for (const NodeId to : std::vector<NodeId>(edit.node(id).controlOutputs))
                    edit.connectControl(keptId, to);
                edit.removeNode(id);
                report.count("constants merged");
                isMerged = true;
            }
            if (!isMerged) seen.emplace(hash, id);
        }
    }
};

} // namespace

PassEntry removeSameConstPass()
{
    return {.info = {.id = "RemoveSameConstPass",
                     .phase = "PreRunAfterOptimize1",
                     .summary = "Merges constants of equal type, dims and bytes, whatever their size."},
            .make = makePass<RemoveSameConstPass<Which::All>>};
}

PassEntry constantFuseSamePass()
{
    return {.info = {.id = "ConstantFuseSamePass",
                     .phase = "OptimizeStage1_1",
                     .summary = "Merges equal constants that the fusion engine marked as one element."},
            .make = makePass<RemoveSameConstPass<Which::MarkedScalars>>};
}

} // namespace gelens
