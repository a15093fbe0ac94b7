#include "engine/session/broken_patterns.h"

#include "engine/fusion/matcher.h"
#include "engine/fusion/rule_set.h"
#include "engine/session/session.h"

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>

namespace gelens {
namespace {

/// Ways of one pattern looked at for each root: the two operators of a link are in nearly all of them or in none.
constexpr int maxMatchesPerAnchor = 4;

class Search {
public:
    using Place = std::pair<std::size_t, std::size_t>; // chain and link

    Search(const Run& run, const std::vector<std::size_t>& chains) : m_run(run), m_chains(chains)
    {
        std::vector<std::filesystem::path> folders{resourceFolder() + "/rules"};
        folders.insert(folders.end(), run.options.ruleFolders.begin(), run.options.ruleFolders.end());
        std::vector<Message> messages;
        m_rules = RuleSet::load(folders, messages);
    }

    std::map<Place, BrokenPattern> run()
    {
        if (m_run.steps.size() < 2) return {};
        collect();
        std::vector<StepId> changed{StepId{0}};
        for (const Step& step : m_run.steps)
            if (step.id.value > 0 && step.hasChanged()) changed.push_back(step.id);
        for (std::size_t i = changed.size(); i-- > 0 && !m_wanted.empty();) {
            const StepId next = i + 1 < changed.size() ? changed[i + 1] : StepId{};
            lookAt(changed[i], next);
        }
        return std::move(m_found);
    }

private:
    struct Link {
        Place place;
        std::set<NodeId> from, to; ///< step-0 nodes behind its two ends
    };
    struct Wanted {
        const Rule* rule = nullptr;
        StepId ownStep;
        std::vector<Link> links;
    };

    const std::vector<NodeId>& originsOf(NodeId id)
    {
        const auto [entry, isNew] = m_origins.try_emplace(id);
        if (isNew) entry->second = m_run.originsOf(id);
        return entry->second;
    }

    void collect()
    {
        std::unordered_map<std::string, StepId> stepOf;
        for (const Step& step : m_run.steps)
            if (!step.rule.empty()) stepOf.emplace(step.rule, step.id);
        const auto imported = m_run.graphAt(StepId{0});
        for (const auto& rule : m_rules.rules()) {
            const auto step = stepOf.find(rule->id);
            if (step == stepOf.end()) continue;
            Wanted wanted{rule.get(), step->second, {}};
            std::set<std::string_view> types;
            for (const PatternElement& element : rule->elements)
                if (element.kind == ElementKind::Node) types.insert(element.types.begin(), element.types.end());
            const auto names = [&](const std::vector<NodeId>& nodes) {
                return std::any_of(nodes.begin(), nodes.end(),
                                   [&](NodeId id) { return types.contains(imported->node(id).type); });
            };
            for (const std::size_t c : m_chains) {
                const Chain& chain = m_run.chains[c];
                for (std::size_t l = 0; l < chain.links.size(); ++l) {
                    const ChainLink& link = chain.links[l];
                    const bool hasMatched =
                        std::any_of(link.tried.begin(), link.tried.end(),
                                    [](const FusionVerdict& verdict) { return verdict.firstMismatch.empty(); });
                    if (hasMatched || !names(originsOf(link.from)) || !names(originsOf(link.to))) continue;
                    const auto &from = originsOf(link.from), &to = originsOf(link.to);
                    wanted.links.push_back({{c, l}, {from.begin(), from.end()}, {to.begin(), to.end()}});
                }
            }
            if (!wanted.links.empty()) m_wanted.push_back(std::move(wanted));
        }
    }

    void lookAt(StepId at, StepId next)
    {
        std::shared_ptr<const Graph> graph;
        std::unordered_map<std::string_view, std::vector<NodeId>> byType;
        for (Wanted& wanted : m_wanted) {
            if (wanted.ownStep <= at) continue;
            if (!graph) {
                graph = m_run.graphAt(at);
                for (const GraphId id : graph->liveSubgraphs())
                    graph->forEachNode(id, [&](const Node& node) { byType[node.type].push_back(node.id); });
            }
            // What the rule itself saw is no broken pattern.
            const bool isWhatTheRuleSaw = !next.isValid() || next >= wanted.ownStep;
            Matcher matcher(*graph, *wanted.rule);
            for (const std::string& type : wanted.rule->rootTypes) {
                const auto roots = byType.find(type);
                if (roots == byType.end()) continue;
                for (const NodeId anchor : roots->second) {
                    int ways = 0;
                    matcher.forEachMatch(anchor, [&](const Match& match) {
                        note(*graph, wanted, match, at, next, isWhatTheRuleSaw);
                        return ++ways >= maxMatchesPerAnchor || wanted.links.empty();
                    });
                    if (wanted.links.empty()) break;
                }
            }
        }
        std::erase_if(m_wanted, [](const Wanted& wanted) { return wanted.links.empty(); });
    }

    void note(const Graph& graph, Wanted& wanted, const Match& match, StepId at, StepId next, bool isWhatTheRuleSaw)
    {
        const std::vector<NodeId> nodes = match.nodes(*wanted.rule);
        std::set<NodeId> origins;
        for (const NodeId id : nodes) origins.insert(originsOf(id).begin(), originsOf(id).end());
        const auto touches = [&](const std::set<NodeId>& ends) {
            return std::any_of(ends.begin(), ends.end(), [&](NodeId id) { return origins.contains(id); });
        };
        std::erase_if(wanted.links, [&](const Link& link) {
            if (!touches(link.from) || !touches(link.to)) return false;
            if (isWhatTheRuleSaw) return true;
            BrokenPattern broken{wanted.rule->id, wanted.rule->gePass, at, next, m_run.step(next).pass, {}};
            for (const NodeId id : nodes) broken.nodes.push_back(graph.node(id).name);
            // The larger pattern tells more.
            const auto [entry, isNew] = m_found.try_emplace(link.place, broken);
            if (!isNew && entry->second.nodes.size() < broken.nodes.size()) entry->second = std::move(broken);
            return true;
        });
    }

    const Run& m_run;
    const std::vector<std::size_t>& m_chains;
    RuleSet m_rules;
    std::vector<Wanted> m_wanted;
    std::unordered_map<NodeId, std::vector<NodeId>> m_origins;
    std::map<Place, BrokenPattern> m_found;
};

} // namespace

std::map<std::pair<std::size_t, std::size_t>, BrokenPattern> findBrokenPatterns(const Run& run,
                                                                                const std::vector<std::size_t>& chains)
{
    return Search(run, chains).run();
}

} // namespace gelens
