#include "engine/graph/renumber.h"

#include "engine/graph/result.h"

namespace gelens {
namespace {

/// Fills the holes of all renumbered graphs; never alive, never changed.
const std::shared_ptr<Node>& deadNode()
{
    static const std::shared_ptr<Node> node = [] {
        auto dead = std::make_shared<Node>();
        dead->isAlive = false;
        return dead;
    }();
    return node;
}

class Renumbering {
public:
    explicit Renumbering(const std::vector<NodeId>& ids) : m_ids(ids) {}

    NodeId of(NodeId id) const { return id.isValid() ? m_ids[static_cast<std::size_t>(id.value)] : id; }

    void apply(Node& node) const
    {
        node.id = of(node.id);
        node.previous = of(node.previous);
        node.next = of(node.next);
        for (InputSlot& slot : node.inputs) slot.source.node = of(slot.source.node);
        for (OutputSlot& slot : node.outputs)
            for (InputRef& consumer : slot.consumers) consumer.node = of(consumer.node);
        for (NodeId& id : node.controlInputs) id = of(id);
        for (NodeId& id : node.controlOutputs) id = of(id);
    }

    void apply(SubgraphInfo& info) const
    {
        info.parentNode = of(info.parentNode);
        info.first = of(info.first);
        info.last = of(info.last);
        for (OutputRef& output : info.outputs) output.node = of(output.node);
    }

private:
    const std::vector<NodeId>& m_ids;
};

} // namespace

Graph renumbered(const Graph& graph, const std::vector<NodeId>& ids, int bound)
{
    GELENS_ASSERT(static_cast<int>(ids.size()) >= graph.nodeIdBound());
    const Renumbering renumbering(ids);
    Graph result;
    result.m_nodes.assign(static_cast<std::size_t>(bound), deadNode());
    for (const std::shared_ptr<Node>& from : graph.m_nodes) {
        if (!from->isAlive) continue;
        auto node = std::make_shared<Node>(*from);
        renumbering.apply(*node);
        GELENS_ASSERT(node->id.value >= 0 && node->id.value < bound);
        result.m_nodes[static_cast<std::size_t>(node->id.value)] = std::move(node);
    }
    result.m_subgraphs.clear();
    for (const std::shared_ptr<SubgraphInfo>& from : graph.m_subgraphs) {
        auto info = std::make_shared<SubgraphInfo>(*from);
        if (info->isAlive) renumbering.apply(*info);
        result.m_subgraphs.push_back(std::move(info));
    }
    result.m_liveNodes = graph.m_liveNodes;
    return result;
}

} // namespace gelens
