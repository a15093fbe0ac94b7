// One pass for each fusion rule: its name is the rule's GE pass, its verdicts are what the explanations show.
#include "engine/fusion/apply_rule.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

namespace gelens {
namespace {

class FusionRulePass final : public Pass {
public:
    explicit FusionRulePass(std::shared_ptr<const Rule> rule) : m_rule(std::move(rule)) {}

    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        FusionEnvironment environment;
        environment.soc = &context.soc;
        environment.switches = &context.switches;
        environment.stop = context.stop;
        RuleOutcome outcome = applyRule(edit, *m_rule, environment, context.fusionIndex);
        if (outcome.wasCancelled) return Error::cancelled();
        PassReport report;
        if (outcome.matched > 0) {
            report.count("matched", outcome.matched);
            report.count("effective", outcome.effective);
        }
        if (outcome.verdictsLeftOut > 0) report.count("verdicts left out", outcome.verdictsLeftOut);
        report.verdicts = std::move(outcome.verdicts);
        return report;
    }

private:
    std::shared_ptr<const Rule> m_rule;
};

} // namespace

std::vector<PassEntry> fusionRulePasses(const RuleSet& rules, const FusionSwitch& switches, RuleGroup group,
                                        const std::string& phase)
{
    std::vector<PassEntry> entries;
    for (const Rule* wanted : rules.orderedRules(group, &switches)) {
        std::shared_ptr<const Rule> rule;
        for (const std::shared_ptr<const Rule>& candidate : rules.rules())
            if (candidate.get() == wanted) rule = candidate;
        entries.push_back({.info = {.id = rule->gePass,
                                    .phase = phase,
                                    .summary = rule->summary,
                                    .evidence = rule->evidence,
                                    .rule = rule->id},
                           .make = [rule] { return std::make_unique<FusionRulePass>(rule); }});
    }
    return entries;
}

} // namespace gelens
