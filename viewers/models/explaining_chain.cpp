#include "viewers/models/explaining_chain.h"

#include <algorithm>
#include <unordered_set>

namespace gelens {
namespace {

bool holds(const Chain& chain, const std::unordered_set<NodeId>& nodes)
{
    return std::any_of(chain.nodes.begin(), chain.nodes.end(), [&](NodeId node) { return nodes.contains(node); });
}

bool tried(const Chain& chain, const FusionVerdict& verdict)
{
    return std::any_of(chain.links.begin(), chain.links.end(), [&](const ChainLink& link) {
        return std::any_of(link.tried.begin(), link.tried.end(), [&](const FusionVerdict& each) {
            return each.rule == verdict.rule && each.reason == verdict.reason;
        });
    });
}

} // namespace

int explainingChain(const Run& run, const FusionVerdict& verdict)
{
    std::unordered_set<NodeId> nodes;
    for (const NodeId node : verdict.nodes) {
        nodes.insert(node);
        for (const NodeId heir : run.becameOf(node)) nodes.insert(heir);
    }
    int nearest = -1;
    for (std::size_t i = 0; i < run.chains.size(); ++i) {
        const bool isPlace = holds(run.chains[i], nodes), isRule = tried(run.chains[i], verdict);
        if (isPlace && isRule) return static_cast<int>(i);
        if (isPlace || (isRule && nearest < 0)) nearest = static_cast<int>(i);
    }
    return nearest;
}

} // namespace gelens
