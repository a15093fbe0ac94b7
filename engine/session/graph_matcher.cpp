#include "engine/session/graph_matcher.h"

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace gelens {
namespace {

constexpr std::string_view originNames = "_datadump_original_op_names";
/// Names this long in one signature tell constants apart; more bytes would only cost time.
constexpr std::size_t comparedValueBytes = 256;

class Matcher {
public:
    Matcher(const Graph& before, const Graph& after)
        : m_before(before), m_after(after), m_forward(static_cast<std::size_t>(before.nodeIdBound())),
          m_backward(static_cast<std::size_t>(after.nodeIdBound())),
          m_basis(static_cast<std::size_t>(after.nodeIdBound()), MatchBasis::Name)
    {
    }

    GraphMatch run()
    {
        m_beforeNodes = m_before.allNodes();
        m_afterNodes = m_after.allNodes();
        byName(true);
        byOrigin();
        byOneOrigin();
        byName(false);
        byStructure();
        GraphMatch match;
        for (const NodeId id : m_beforeNodes)
            if (!partner(m_forward, id).isValid()) match.onlyBefore.push_back(id);
        for (const NodeId id : m_afterNodes)
            if (const NodeId old = partner(m_backward, id); old.isValid()) {
                match.pairs.emplace_back(old, id);
                match.basis.push_back(m_basis[static_cast<std::size_t>(id.value)]);
                match.byStructure += match.basis.back() == MatchBasis::Structure;
            } else {
                match.onlyAfter.push_back(id);
            }
        return match;
    }

private:
    static NodeId partner(const std::vector<NodeId>& partners, NodeId id)
    {
        return partners[static_cast<std::size_t>(id.value)];
    }

    static std::string scopedName(const Graph& graph, const Node& node)
    {
        // Root graphs may be named differently and still be the same; a zero byte cannot be part of a name's text.
        const std::string scope = node.graph == rootGraph ? std::string() : graph.subgraph(node.graph).name;
        return scope + '\0' + node.name;
    }

    void pair(NodeId before, NodeId after, MatchBasis basis)
    {
        m_forward[static_cast<std::size_t>(before.value)] = after;
        m_backward[static_cast<std::size_t>(after.value)] = before;
        m_basis[static_cast<std::size_t>(after.value)] = basis;
    }

    void byName(bool isTypeAsked)
    {
        std::unordered_map<std::string, NodeId> names;
        for (const NodeId id : m_beforeNodes)
            if (!partner(m_forward, id).isValid()) names.emplace(scopedName(m_before, m_before.node(id)), id);
        for (const NodeId id : m_afterNodes) {
            if (names.empty()) return;
            if (partner(m_backward, id).isValid()) continue;
            const Node& node = m_after.node(id);
            const auto found = names.find(scopedName(m_after, node));
            if (found == names.end() || (isTypeAsked && m_before.node(found->second).type != node.type)) continue;
            pair(found->second, id, isTypeAsked ? MatchBasis::Name : MatchBasis::NameOnly);
            names.erase(found);
        }
    }

    /// Type and the original operators that GE says a node was made of; empty when it says nothing that helps.
    static std::string originKey(const Node& node, bool isBefore)
    {
        StringList names = attrStrings(node.attrs, originNames);
        if (names.empty() && isBefore) names.push_back(node.name); // it may be the original
        if (names.empty()) return {};
        std::sort(names.begin(), names.end());
        std::string key = node.type;
        for (const std::string& name : names) (key += '\0') += name;
        return key;
    }

    void byOrigin()
    {
        std::unordered_map<std::string, std::pair<NodeId, int>> open; // who, and how many claim the same
        for (const NodeId id : m_beforeNodes)
            if (!partner(m_forward, id).isValid()) {
                auto& entry = open[originKey(m_before.node(id), true)];
                entry = {id, entry.second + 1};
            }
        std::unordered_map<std::string, std::pair<NodeId, int>> wanted;
        for (const NodeId id : m_afterNodes)
            if (!partner(m_backward, id).isValid()) {
                auto& entry = wanted[originKey(m_after.node(id), false)];
                entry = {id, entry.second + 1};
            }
        for (const auto& [key, after] : wanted)
            if (const auto found = open.find(key);
                !key.empty() && found != open.end() && after.second == 1 && found->second.second == 1)
                pair(found->second.first, after.first, MatchBasis::Origin);
    }

    /// A node made of several that goes on as one of them: the only one of its type among its origins, claimed by
    /// nobody else.
    void byOneOrigin()
    {
        std::unordered_map<std::string, NodeId> names;
        for (const NodeId id : m_beforeNodes)
            if (!partner(m_forward, id).isValid()) names.emplace(m_before.node(id).name, id);
        std::unordered_map<NodeId, std::pair<NodeId, int>> claims;
        for (const NodeId id : m_afterNodes) {
            if (names.empty()) return;
            if (partner(m_backward, id).isValid()) continue;
            NodeId only;
            int count = 0;
            for (const std::string& name : attrStrings(m_after.node(id).attrs, originNames))
                if (const auto found = names.find(name);
                    found != names.end() && m_before.node(found->second).type == m_after.node(id).type) {
                    only = found->second;
                    ++count;
                }
            if (count != 1) continue;
            auto& claim = claims[only];
            claim = {id, claim.second + 1};
        }
        for (const auto& [before, claim] : claims)
            if (claim.second == 1) pair(before, claim.first, MatchBasis::Origin);
    }

    /// Type and inputs of a node in terms of the old graph; empty while a producer has no partner.
    std::string signature(const Node& node, bool isBefore) const
    {
        std::string text = node.type;
        bool hasInput = false;
        for (const InputSlot& slot : node.inputs) {
            if (!slot.source.isValid()) {
                text += "|-";
                continue;
            }
            hasInput = true;
            const NodeId other = partner(isBefore ? m_forward : m_backward, slot.source.node);
            if (!other.isValid()) return {};
            text += '|' + std::to_string(isBefore ? slot.source.node.value : other.value) + ':' +
                    std::to_string(slot.source.index);
        }
        // Nodes without inputs: constants are told apart by who reads them, which comes too late; their value decides.
        if (!hasInput) {
            const Tensor* const value = attrTensor(node.attrs, "value");
            if (!value || !value->isPresent()) return {};
            text += "|" + value->desc.shape.text() + "|";
            text.append(reinterpret_cast<const char*>(value->data.data()),
                        std::min(value->data.size(), comparedValueBytes));
        }
        return text;
    }

    /// A node whose producers all have partners meets the node of the other graph with the same signature, whichever of
    /// the two comes first.
    void offer(NodeId id, bool isBefore)
    {
        if (partner(isBefore ? m_forward : m_backward, id).isValid()) return;
        std::string key = signature((isBefore ? m_before : m_after).node(id), isBefore);
        if (key.empty()) return;
        auto& theirs = m_waiting[isBefore ? 1 : 0][key];
        while (!theirs.empty()) {
            const NodeId other = theirs.front();
            theirs.pop_front();
            if (partner(isBefore ? m_backward : m_forward, other).isValid()) continue;
            pairUp(isBefore ? id : other, isBefore ? other : id);
            return;
        }
        m_waiting[isBefore ? 0 : 1][std::move(key)].push_back(
            id); // once for each edge at most; who has a partner is skipped
    }

    void pairUp(NodeId before, NodeId after)
    {
        pair(before, after, MatchBasis::Structure);
        m_fresh.emplace_back(before, after);
    }

    void offerReaders(const Graph& graph, NodeId id, bool isBefore)
    {
        for (const OutputSlot& slot : graph.node(id).outputs)
            for (const InputRef& reader : slot.consumers) offer(reader.node, isBefore);
    }

    /// What feeds the same input of both nodes of a pair, when nothing else is known of it.
    void matchFeeders(NodeId before, NodeId after)
    {
        const Node &a = m_before.node(before), &b = m_after.node(after);
        for (std::size_t i = 0; i < std::min(a.inputs.size(), b.inputs.size()); ++i) {
            const OutputRef from = a.inputs[i].source, to = b.inputs[i].source;
            if (!from.isValid() || !to.isValid() || from.index != to.index) continue;
            if (partner(m_forward, from.node).isValid() || partner(m_backward, to.node).isValid()) continue;
            if (m_before.node(from.node).type == m_after.node(to.node).type) pairUp(from.node, to.node);
        }
    }

    void follow()
    {
        while (!m_fresh.empty()) {
            const auto [before, after] = m_fresh.front();
            m_fresh.pop_front();
            offerReaders(m_before, before, true);
            offerReaders(m_after, after, false);
            m_found.emplace_back(before, after);
        }
    }

    void byStructure()
    {
        const auto isLeft = [](const std::vector<NodeId>& partners, const std::vector<NodeId>& nodes) {
            return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return !partner(partners, id).isValid(); });
        };
        if (!isLeft(m_forward, m_beforeNodes) || !isLeft(m_backward, m_afterNodes)) return;
        for (const NodeId id : m_beforeNodes) offer(id, true);
        for (const NodeId id : m_afterNodes) offer(id, false);
        follow();
        for (const NodeId id : m_afterNodes)
            if (const NodeId old = partner(m_backward, id); old.isValid()) m_found.emplace_back(old, id);
        while (!m_found.empty()) { // against the edges too, and from there along them again
            const auto [before, after] = m_found.front();
            m_found.pop_front();
            matchFeeders(before, after);
            follow();
        }
    }

    const Graph& m_before;
    const Graph& m_after;
    std::vector<NodeId> m_beforeNodes, m_afterNodes;
    std::vector<NodeId> m_forward, m_backward;                        ///< partners by node id
    std::vector<MatchBasis> m_basis;                                  ///< by id of the new graph
    std::unordered_map<std::string, std::deque<NodeId>> m_waiting[2]; ///< by signature: old nodes, new nodes
    std::deque<std::pair<NodeId, NodeId>> m_fresh, m_found;
};

} // namespace

GraphMatch matchGraphs(const Graph& before, const Graph& after) { return Matcher(before, after).run(); }

} // namespace gelens
