#include "engine/fusion/chains.h"

#include "engine/fusion/checks.h"
#include "engine/ops/autofuse_ops.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace gelens {

namespace {

bool isKernel(const Node& node)
{
    if (!isOperator(node)) return false;
    const OpDef* const def = OpRegistry::instance().find(node.type);
    return !def || (!def->view() && def->unitOf() != Unit::None && def->unitOf() != Unit::GeLocal);
}

/// Classes that autofusion lowers to loops (pipeline facts §2.9).
bool isLoopClass(FusionClass fusionClass)
{
    switch (fusionClass) {
    case FusionClass::ElementWise:
    case FusionClass::Broadcast:
    case FusionClass::Reduce:
    case FusionClass::Transpose:
    case FusionClass::Concat:
    case FusionClass::Split:
    case FusionClass::Slice:
    case FusionClass::Gather: return true;
    default: return false;
    }
}

/// Pairs of operator types that stand next to each other in some rule's pattern.
class NeighbourTypes {
public:
    explicit NeighbourTypes(const RuleSet& rules)
    {
        for (const auto& rule : rules.rules()) add(*rule);
    }
    /// The first rule by priority that names the pair; null when none does.
    const Rule* find(std::string_view from, std::string_view to) const
    {
        const auto found = m_pairs.find(std::pair{std::string(from), std::string(to)});
        return found == m_pairs.end() ? nullptr : found->second;
    }

private:
    void add(const Rule& rule)
    {
        for (const PatternElement& element : rule.elements) {
            if (element.kind != ElementKind::Node) continue;
            for (const PatternRef& input : element.inputs)
                for (const std::string& from : typesOf(rule, input.element))
                    for (const std::string& to : element.types) m_pairs.emplace(std::pair{from, to}, &rule);
        }
    }
    /// Types that an element can be; behind an optional one also what may stand in its place.
    std::vector<std::string> typesOf(const Rule& rule, int first) const
    {
        std::vector<std::string> types;
        std::vector<char> seen(rule.elements.size(), 0);
        std::vector<int> open{first};
        while (!open.empty()) {
            const int index = open.back();
            open.pop_back();
            if (index < 0 || std::exchange(seen[static_cast<std::size_t>(index)], 1)) continue;
            const PatternElement& element = rule.element(index);
            types.insert(types.end(), element.types.begin(), element.types.end());
            if (element.isOptional) open.push_back(element.skipTo.element);
            for (const PatternRef& choice : element.choices) open.push_back(choice.element);
        }
        return types;
    }

    std::map<std::pair<std::string, std::string>, const Rule*> m_pairs;
};

struct Link {
    NodeId from, to;
    int fromOutput = 0;
    bool isFirstInput = false;
};

class ChainFinder {
public:
    ChainFinder(const Graph& graph, const RuleSet& rules, const FusionEnvironment& environment,
                const std::vector<FusionVerdict>& verdicts)
        : m_graph(graph), m_environment(environment), m_verdicts(verdicts), m_neighbours(rules)
    {
        for (std::size_t i = 0; i < verdicts.size(); ++i) {
            if (verdicts[i].fused) continue;
            for (const NodeId id : verdicts[i].nodes) m_byNode[id].push_back(i);
            if (verdicts[i].mismatchNode.isValid()) m_byNode[verdicts[i].mismatchNode].push_back(i);
        }
    }

    std::vector<Chain> run()
    {
        for (const GraphId graph : m_graph.liveSubgraphs()) collectLinks(graph);
        std::vector<Chain> chains;
        std::map<std::string, std::size_t> bySignature;
        for (std::size_t i = 0; i < m_links.size(); ++i) {
            if (m_isUsed[i]) continue;
            Chain chain = chainFrom(i);
            const auto [known, isNew] = bySignature.emplace(signature(chain), chains.size());
            if (isNew) {
                chain.occurrences.push_back(chain.nodes);
                chains.push_back(std::move(chain));
            } else {
                Chain& first = chains[known->second];
                ++first.count;
                first.occurrences.push_back(std::move(chain.nodes));
            }
        }
        return chains;
    }

private:
    /// The kernel behind a slot, views passed over; invalid when there is none. A chain of views is walked once for
    /// each reader.
    OutputRef producer(OutputRef source) const
    {
        for (int guard = 0; source.isValid() && guard < 1000; ++guard) {
            const Node& node = m_graph.node(source.node);
            if (isKernel(node)) return source;
            if (!isViewType(node.type)) return {};
            source = node.source(0);
        }
        return {};
    }

    void collectLinks(GraphId graph)
    {
        m_graph.forEachNode(graph, [this](const Node& node) {
            if (!isKernel(node)) return;
            bool isFirst = true;
            for (const InputSlot& slot : node.inputs) {
                const OutputRef source = producer(slot.source);
                if (!source.isValid()) continue;
                const bool isFirstInput = std::exchange(isFirst, false);
                const Node& from = m_graph.node(source.node);
                if (!isNamed(from, node)) continue;
                m_linksFrom[from.id].push_back(m_links.size());
                m_links.push_back({from.id, node.id, source.index, isFirstInput});
            }
        });
        m_isUsed.resize(m_links.size(), 0);
    }

    /// Autofusion lowers operators of one result; of the library kernels with more only splits.
    static bool isLoop(const Node& node)
    {
        if (node.type == ascBackendType) // what autofusion made already, and would have made larger
            return true;
        const FusionClass fusionClass = fusionClassOf(node);
        return isLoopClass(fusionClass) && (node.outputCount() <= 1 || fusionClass == FusionClass::Split);
    }

    bool isNamed(const Node& from, const Node& to) const
    {
        return m_neighbours.find(from.type, to.type) || (isLoop(from) && isLoop(to));
    }

    /// The run that starts with link `index`. Links come in graph order, so a run is met at its beginning.
    Chain chainFrom(std::size_t index)
    {
        std::vector<std::size_t> run{index};
        m_isUsed[index] = 1;
        while (true) {
            const auto next = m_linksFrom.find(m_links[run.back()].to);
            if (next == m_linksFrom.end()) break;
            const auto onward = std::find_if(next->second.begin(), next->second.end(),
                                             [this](std::size_t i) { return m_links[i].isFirstInput && !m_isUsed[i]; });
            if (onward == next->second.end()) break;
            run.push_back(*onward);
            m_isUsed[*onward] = 1;
        }
        Chain chain;
        addNode(chain, m_links[run.front()].from);
        for (const std::size_t link : run) {
            addNode(chain, m_links[link].to);
            chain.links.push_back(explain(m_links[link]));
        }
        chain.reason = chain.links.front().reason;
        chain.evidence = chain.links.front().evidence;
        chain.remedy = chain.links.front().remedy;
        return chain;
    }

    void addNode(Chain& chain, NodeId id) const
    {
        chain.nodes.push_back(id);
        chain.nodeNames.push_back(m_graph.node(id).name);
        chain.nodeTypes.push_back(m_graph.node(id).type);
    }

    /// Verdicts that speak of both ends. Nearest first: those that matched all of their pattern, then by nodes matched.
    std::vector<const FusionVerdict*> verdictsOf(const Link& link) const
    {
        const auto of = [this](NodeId id) -> const std::vector<std::size_t>& {
            static const std::vector<std::size_t> none;
            const auto found = m_byNode.find(id);
            return found == m_byNode.end() ? none : found->second;
        };
        const std::vector<std::size_t>& a = of(link.from);
        const std::vector<std::size_t>& b = of(link.to);
        std::vector<std::size_t> both;
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
        both.erase(std::unique(both.begin(), both.end()), both.end());
        std::vector<const FusionVerdict*> found;
        for (const std::size_t i : both) found.push_back(&m_verdicts[i]);
        std::stable_sort(found.begin(), found.end(), [](const FusionVerdict* x, const FusionVerdict* y) {
            const bool isFullX = x->firstMismatch.empty(), isFullY = y->firstMismatch.empty();
            if (isFullX != isFullY) return isFullX;
            return x->nodes.size() > y->nodes.size();
        });
        // A rule speaks once of a link in each of its ways to fail, with its last word; blocks repeat the same ones.
        std::vector<const FusionVerdict*> unique;
        for (const FusionVerdict* const verdict : found) {
            const auto same = std::find_if(unique.begin(), unique.end(), [&](const FusionVerdict* other) {
                return other->rule == verdict->rule && other->reason == verdict->reason &&
                       other->firstMismatch == verdict->firstMismatch;
            });
            if (same == unique.end())
                unique.push_back(verdict);
            else if ((*same)->nodes == verdict->nodes && (*same)->step < verdict->step)
                *same = verdict;
        }
        return unique;
    }

    ChainLink explain(const Link& link) const
    {
        const Node &from = m_graph.node(link.from), &to = m_graph.node(link.to);
        ChainLink result{link.from, link.to, from.name, to.name, from.type, to.type, Reason::NoRule, {}, {}, {}};
        const std::vector<const FusionVerdict*> tried = verdictsOf(link);
        for (const FusionVerdict* const verdict : tried) result.tried.push_back(*verdict);
        if (!tried.empty() && tried.front()->firstMismatch.empty()) {
            const FusionVerdict& nearest = *tried.front();
            const Check* const headline = nearest.headline();
            result.reason = nearest.reason;
            result.evidence = headline ? fmt::format("{}: {}", nearest.rule, headline->what) : nearest.rule;
            result.remedy = nearest.remedy;
            return result;
        }
        if (explainReaders(link, result) || explainUnits(from, to, result)) return result;
        if (!tried.empty()) {
            const Check* const headline = tried.front()->headline();
            result.reason = tried.front()->reason;
            result.evidence = headline ? headline->what : tried.front()->rule;
            result.remedy = tried.front()->remedy;
            return result;
        }
        const Rule* const rule = m_neighbours.find(from.type, to.type);
        result.evidence = rule ? fmt::format("{} names {} before {}, but the rest of its pattern is not here", rule->id,
                                             from.type, to.type)
                               : fmt::format("no rule joins {} and {}; only autofusion could", from.type, to.type);
        result.remedy = rule ? fmt::format("Write the operators as {} expects, or add a rule.", rule->id)
                             : std::string("Add a rule for the pair, or turn autofusion on.");
        return result;
    }

    /// Kernels that read an output, views passed over, in order; at most `limit`, and a bounded number of views.
    std::vector<NodeId> kernelReaders(OutputRef ref, std::size_t limit) const
    {
        std::vector<NodeId> readers;
        std::vector<OutputRef> open{ref};
        for (std::size_t i = 0; i < open.size() && i < 64; ++i) {
            for (const InputRef& reader : m_graph.consumers(open[i])) {
                const Node& node = m_graph.node(reader.node);
                if (isKernel(node)) {
                    if (std::find(readers.begin(), readers.end(), node.id) == readers.end()) readers.push_back(node.id);
                    if (readers.size() >= limit) return readers;
                } else if (isViewType(node.type) && node.outputCount() > 0) {
                    open.push_back(node.output());
                }
            }
        }
        return readers;
    }

    bool explainReaders(const Link& link, ChainLink& result) const
    {
        const std::vector<NodeId> readers = kernelReaders({link.from, link.fromOutput}, 16);
        const auto other = std::find_if(readers.begin(), readers.end(), [&](NodeId id) { return id != link.to; });
        if (other == readers.end()) return false;
        result.reason = Reason::MultiConsumer;
        const Node& reader = m_graph.node(*other);
        result.evidence = fmt::format("the result of '{}' has {}{} readers; '{}' ({}) reads it too", result.fromName,
                                      readers.size(), readers.size() == 16 ? " or more" : "", reader.name, reader.type);
        result.remedy = fmt::format("Give '{}' an own copy of '{}'.", reader.name, result.fromName);
        return true;
    }

    bool explainUnits(const Node& from, const Node& to, ChainLink& result) const
    {
        const Unit a = unitOf(from), b = unitOf(to);
        const auto isOutside = [](Unit unit) {
            return unit == Unit::AiCpu || unit == Unit::Host || unit == Unit::Runtime;
        };
        const auto conflict = [&](std::string why, std::string remedy) {
            result.reason = Reason::UnitConflict;
            result.evidence = fmt::format("'{}' ({}) runs on {}, '{}' ({}) on {}: {}", from.name, from.type,
                                          unitName(a), to.name, to.type, unitName(b), why);
            result.remedy = std::move(remedy);
            return true;
        };
        if (isOutside(a) || isOutside(b))
            return a != b && conflict("no kernel spans both", "Replace the operator by one that AI cores run.");
        const bool areMixed = (a == Unit::Cube && b == Unit::Vector) || (a == Unit::Vector && b == Unit::Cube);
        if (!areMixed || !m_environment.soc || m_environment.soc->coreLayout != CoreLayout::Split) return false;
        return conflict(
            fmt::format("separate cores on {}, with no path between L0C and UB and no mix kernel for the pair",
                        m_environment.soc->name),
            "Use a chip with combined cores such as Ascend310P3, or a mix kernel for the pair.");
    }

    std::string signature(const Chain& chain) const
    {
        std::string text;
        for (const NodeId id : chain.nodes) {
            const Node& node = m_graph.node(id);
            text += node.type;
            for (const OutputSlot& slot : node.outputs)
                text += fmt::format(":{}{}", dataTypeShortName(slot.desc.dtype), slot.desc.originShape.text());
            text += '|';
        }
        for (const ChainLink& link : chain.links) {
            text += reasonName(link.reason);
            for (const FusionVerdict& verdict : link.tried)
                text += fmt::format(",{}:{}:{}", verdict.rule, reasonName(verdict.reason), verdict.firstMismatch);
            text += '|';
        }
        return text;
    }

    const Graph& m_graph;
    const FusionEnvironment& m_environment;
    const std::vector<FusionVerdict>& m_verdicts;
    NeighbourTypes m_neighbours;
    std::unordered_map<NodeId, std::vector<std::size_t>> m_byNode; ///< ascending
    std::vector<Link> m_links;
    std::vector<char> m_isUsed;
    std::unordered_map<NodeId, std::vector<std::size_t>> m_linksFrom;
};

} // namespace

std::vector<Chain> findChains(const Graph& graph, const RuleSet& rules, const FusionEnvironment& environment,
                              const std::vector<FusionVerdict>& verdicts)
{
    return ChainFinder(graph, rules, environment, verdicts).run();
}

} // namespace gelens
