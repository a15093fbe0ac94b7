#pragma once
// The named checks of a fusion. Every check is evaluated and kept, whether it held or not, in the order in which GE
// meets them: rule off, structure, support, unit, cycle, capacity. The first that fails is the headline.

#include "engine/fusion/fusion_environment.h"
#include "engine/fusion/fusion_index.h"
#include "engine/fusion/match_host.h"
#include "engine/fusion/matcher.h"

#include <string>
#include <vector>

namespace gelens {

struct CheckContext {
    const Graph& graph;
    const Rule& rule;
    const Match& match;
    const FusionEnvironment& environment;
    const FusionIndex& index;
    MatchHost& host;
    std::vector<NodeId> members; ///< matched nodes in graph order; the last is last in `index` too

    bool isMember(NodeId id) const;
    /// 'name' (Type), as every sentence names a node.
    std::string label(NodeId id) const;
    const SocSpec& soc() const { return *environment.soc; }
};

/// Checks made so far, with what would help where one failed.
class CheckList {
public:
    /// Returns whether it held.
    bool add(Check check, std::string remedy = {});
    std::vector<Check>& checks() { return m_checks; }
    const std::vector<Check>& checks() const { return m_checks; }
    bool allHeld() const { return m_failed == 0; }
    int failures() const { return m_failed; }
    /// Index of the first failed check; -1 when all held.
    int headline() const;
    const std::string& remedy(int index) const { return m_remedies[static_cast<std::size_t>(index)]; }
    std::vector<Threshold> thresholds;

private:
    std::vector<Check> m_checks;
    std::vector<std::string> m_remedies;
    int m_failed = 0;
};

void checkSwitch(const CheckContext& context, CheckList& list);    ///< C01
void checkStructure(const CheckContext& context, CheckList& list); ///< C08–C12, C15, U05
void checkValues(const CheckContext& context, CheckList& list);    ///< C16–C18 and the rule's own conditions
void checkSupport(const CheckContext& context, CheckList& list);   ///< C02–C06, C13
void checkUnits(const CheckContext& context, CheckList& list);     ///< U11
void checkCycle(const CheckContext& context, CheckList& list);     ///< C07
void checkCapacity(const CheckContext& context, CheckList& list);  ///< U13: L1, UB, L0

/// The rule's `require` conditions whose reason belongs to one of the headline classes.
void checkRequires(const CheckContext& context, ReasonClass reasonClass, CheckList& list);

/// All of the above, in order.
CheckList runChecks(const CheckContext& context);

/// Nodes outside the match that are reached from a result of a member other than the last one, and stand before the
/// last one. They must move behind the fused node. `closesCycle` tells whether one of them leads back into the match.
std::vector<NodeId> nodesBetween(const CheckContext& context, bool& closesCycle);

/// Results that the replacement gives: they may have any readers.
bool isReplacedOutput(const CheckContext& context, OutputRef ref);

/// 1234567 → "1,234,567"; at most three decimals for what is no integer.
std::string grouped(double number);

} // namespace gelens
