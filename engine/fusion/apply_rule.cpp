#include "engine/fusion/apply_rule.h"

#include "engine/fusion/checks.h"
#include "engine/fusion/fusion_switch.h"
#include "engine/fusion/rewrite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace gelens {

namespace {

constexpr std::size_t maxRefusals = 2048; ///< of one rule on one graph
constexpr std::size_t maxNearMisses = 512;
constexpr int maxMatchesPerAnchor = 16;
constexpr int maxRounds = 32;

class RuleRun {
public:
    RuleRun(GraphEditor& editor, const Rule& rule, const FusionEnvironment& environment, FusionIndex& index)
        : m_editor(editor), m_rule(rule), m_environment(environment), m_index(index), m_matcher(editor.graph(), rule)
    {
        // An outer part may be optional: then the outermost place must be tried first, or it would be left over.
        const PatternElement& root = rule.element(rule.root.element);
        m_isBackwards = root.isOptional || root.kind == ElementKind::Any;
        m_isOff = environment.switches ? !environment.switches->isOn(rule) : rule.isOffByDefault && !rule.isAlwaysOn;
    }

    RuleOutcome run()
    {
        m_index.sync(m_editor);
        // A fusion can make room for another one before it in order, so a round that changed something is followed by
        // one more.
        for (int round = 0; round < maxRounds; ++round) {
            m_refused.clear();
            m_nearMisses.clear();
            m_outcome.verdictsLeftOut = 0;
            if (!runRound()) break;
        }
        m_outcome.matched = m_outcome.effective + m_refusedCount;
        std::move(m_refused.begin(), m_refused.end(), std::back_inserter(m_outcome.verdicts));
        std::move(m_nearMisses.begin(), m_nearMisses.end(), std::back_inserter(m_outcome.verdicts));
        return std::move(m_outcome);
    }

private:
    /// True when something was fused.
    bool runRound()
    {
        bool hasFused = false;
        m_refusedCount = 0;
        int count = 0;
        for (const NodeId anchor : m_index.candidates(m_editor.graph(), m_rule.rootTypes, m_isBackwards)) {
            if (++count % 256 == 0 && m_environment.stop.stop_requested()) {
                m_outcome.wasCancelled = true;
                return false;
            }
            if (m_editor.graph().contains(anchor)) hasFused |= tryAt(anchor);
        }
        return hasFused;
    }

    std::vector<NodeId> membersOf(const Match& match) const
    {
        std::vector<NodeId> members = match.nodes(m_rule);
        std::sort(members.begin(), members.end(), [this](NodeId a, NodeId b) {
            return m_index.position(a) != m_index.position(b) ? m_index.position(a) < m_index.position(b) : a < b;
        });
        return members;
    }

    bool tryAt(NodeId anchor)
    {
        struct Attempt {
            Match match;
            CheckList list;
        };
        std::optional<Attempt> best;
        int attempts = 0;
        const auto visit = [&](const Match& match) {
            MatchHost host(m_editor.graph(), m_rule, match, &m_environment);
            const CheckContext context{m_editor.graph(), m_rule, match, m_environment, m_index, host, membersOf(match)};
            CheckList list = runChecks(context);
            if (list.allHeld()) checkReplacement(context, list);
            const bool isLegal = list.allHeld();
            if (!best || list.failures() < best->list.failures()) best = Attempt{match, std::move(list)};
            return isLegal || ++attempts >= maxMatchesPerAnchor;
        };
        m_matcher.forEachMatch(anchor, visit);
        if (!best) {
            noteNearMiss();
            return false;
        }
        FusionVerdict verdict = describe(best->match);
        verdict.checks = best->list.checks();
        verdict.thresholds = best->list.thresholds;
        if (!best->list.allHeld()) {
            const int headline = best->list.headline();
            verdict.reason = verdict.checks[static_cast<std::size_t>(headline)].reason;
            verdict.remedy = best->list.remedy(headline);
            ++m_refusedCount;
            keep(m_refused, maxRefusals, std::move(verdict));
            return false;
        }
        MatchHost host(m_editor.graph(), m_rule, best->match, &m_environment);
        const CheckContext context{m_editor.graph(), m_rule, best->match,           m_environment,
                                   m_index,          host,   membersOf(best->match)};
        verdict.fused = true;
        verdict.into = rewrite(context, m_editor, m_index);
        m_index.markSynced(m_editor);
        verdict.intoName = m_editor.node(verdict.into).name;
        // Beyond the limit a success keeps its nodes but not the checks that all held.
        if (static_cast<std::size_t>(m_outcome.effective) >= maxRefusals) verdict.checks.clear();
        ++m_outcome.effective;
        m_outcome.verdicts.push_back(std::move(verdict));
        return true;
    }

    FusionVerdict describe(const Match& match) const
    {
        FusionVerdict verdict;
        verdict.rule = m_rule.id;
        verdict.gePass = m_rule.gePass;
        verdict.step = m_editor.step();
        for (std::size_t i = 0; i < match.bindings.size(); ++i) {
            if (m_rule.elements[i].kind != ElementKind::Node || !match.bindings[i].isBound()) continue;
            const Node& node = m_editor.node(match.bindings[i].node());
            verdict.nodes.push_back(node.id);
            verdict.nodeNames.push_back(node.name);
            verdict.nodeTypes.push_back(node.type);
            verdict.patternNodes.push_back(m_rule.elements[i].name);
        }
        return verdict;
    }

    void noteNearMiss()
    {
        const PartialMatch& furthest = m_matcher.furthest();
        // What is switched off has no near misses: it was not looked for.
        if (m_isOff || furthest.element < 0) return;
        // What will not be kept is not written either: a large graph has a near miss at every other operator.
        if (m_nearMisses.size() >= maxNearMisses) {
            ++m_outcome.verdictsLeftOut;
            return;
        }
        FusionVerdict verdict = describe(furthest.match);
        const PatternElement& wanted = m_rule.element(furthest.element);
        verdict.reason = Reason::NoRule;
        verdict.firstMismatch = wanted.name;
        verdict.mismatchNode = furthest.found;
        std::string wants =
            wanted.kind == ElementKind::Node ? fmt::format("{}", fmt::join(wanted.types, " or ")) : std::string();
        if (wanted.kind == ElementKind::Input) wants = "the same tensor as elsewhere in the pattern";
        if (wanted.kind == ElementKind::Constant) wants = "a constant";
        if (wanted.kind == ElementKind::Any) wants = "one of its forms";
        Check check{Reason::NoRule,
                    false,
                    {},
                    static_cast<double>(m_rule.plainNodeCount),
                    static_cast<double>(furthest.matchedNodes),
                    "operators",
                    {},
                    m_rule.evidence,
                    {}};
        if (furthest.found.isValid()) {
            const Node& found = m_editor.node(furthest.found);
            check.nodes = {found.id};
            check.what = fmt::format("{} matched {} operators and stopped at '{}', which wants {}: found '{}' ({})",
                                     m_rule.id, furthest.matchedNodes, wanted.name, wants, found.name, found.type);
        } else {
            check.what =
                fmt::format("{} matched {} operators and stopped at '{}', which wants {}: there is no such input",
                            m_rule.id, furthest.matchedNodes, wanted.name, wants);
        }
        if (isParted(wanted, furthest.found)) {
            verdict.reason = check.reason = Reason::PrecisionMode;
            check.code = "C14";
            check.what += "; a Cast between the operators keeps them apart";
            verdict.remedy = "Use a precision mode that inserts no Cast here, or let the model keep one type.";
            verdict.checks.push_back(std::move(check));
            keep(m_nearMisses, maxNearMisses, std::move(verdict));
            return;
        }
        verdict.remedy = fmt::format("Write the operators as {} expects, or add a rule for this form.", m_rule.id);
        verdict.checks.push_back(std::move(check));
        keep(m_nearMisses, maxNearMisses, std::move(verdict));
    }

    /// The operator that the pattern wants stands behind a Cast.
    bool isParted(const PatternElement& wanted, NodeId found) const
    {
        if (wanted.kind != ElementKind::Node || !found.isValid() || m_editor.node(found).type != "Cast") return false;
        const OutputRef source = m_editor.node(found).source(0);
        return source.isValid() && std::find(wanted.types.begin(), wanted.types.end(),
                                             m_editor.node(source.node).type) != wanted.types.end();
    }

    void keep(std::vector<FusionVerdict>& list, std::size_t limit, FusionVerdict verdict)
    {
        if (list.size() < limit)
            list.push_back(std::move(verdict));
        else
            ++m_outcome.verdictsLeftOut;
    }

    GraphEditor& m_editor;
    const Rule& m_rule;
    const FusionEnvironment& m_environment;
    FusionIndex& m_index;
    Matcher m_matcher;
    RuleOutcome m_outcome;
    std::vector<FusionVerdict> m_refused, m_nearMisses;
    int m_refusedCount = 0;
    bool m_isBackwards = false, m_isOff = false;
};

} // namespace

RuleOutcome applyRule(GraphEditor& editor, const Rule& rule, const FusionEnvironment& environment, FusionIndex& index)
{
    GELENS_ASSERT(environment.soc);
    return RuleRun(editor, rule, environment, index).run();
}

RuleOutcome applyRule(GraphEditor& editor, const Rule& rule, const FusionEnvironment& environment)
{
    FusionIndex index;
    return applyRule(editor, rule, environment, index);
}

} // namespace gelens
