#include "engine/fusion/checks.h"

#include "engine/fusion/fusion_switch.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelens {

bool CheckContext::isMember(NodeId id) const { return std::find(members.begin(), members.end(), id) != members.end(); }

std::string CheckContext::label(NodeId id) const
{
    return fmt::format("'{}' ({})", graph.node(id).name, graph.node(id).type);
}

bool CheckList::add(Check check, std::string remedy)
{
    const bool isHeld = check.held;
    m_failed += !isHeld;
    m_checks.push_back(std::move(check));
    m_remedies.push_back(std::move(remedy));
    return isHeld;
}

int CheckList::headline() const
{
    for (std::size_t i = 0; i < m_checks.size(); ++i)
        if (!m_checks[i].held) return static_cast<int>(i);
    return -1;
}

std::string grouped(double number)
{
    if (!std::isfinite(number)) return "?";
    if (number != std::floor(number) || std::fabs(number) > 9e15) return fmt::format("{:.4g}", number);
    std::string digits = fmt::format("{:.0f}", std::fabs(number));
    for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), ",");
    return number < 0 ? "-" + digits : digits;
}

void checkSwitch(const CheckContext& context, CheckList& list)
{
    const Rule& rule = context.rule;
    Check check;
    check.reason = Reason::RuleDisabled;
    check.code = "C01";
    check.evidence = 'S';
    const FusionSwitch* const switches = context.environment.switches;
    check.held = switches ? switches->isOn(rule) : !rule.isOffByDefault || rule.isAlwaysOn;
    check.what = fmt::format("{} is {} ({})", rule.gePass, check.held ? "on" : "off",
                             switches ? switches->decidedBy(rule) : "default");
    list.add(std::move(check), fmt::format("Turn {} on in fusion_switch.cfg.", rule.gePass));
}

void checkRequires(const CheckContext& context, ReasonClass wanted, CheckList& list)
{
    for (const RuleRequire& require : context.rule.requires_) {
        if (reasonClass(require.reason) != wanted) continue;
        if (!require.when.isEmpty() && require.when.evaluate(context.host).isFalse()) continue;
        const FormulaValue value = require.that.evaluate(context.host);
        Check check;
        check.reason = require.reason;
        check.held = value.isTrue();
        check.code = require.code;
        check.evidence = require.evidence;
        check.unit = require.unit;
        fmt::dynamic_format_arg_store<fmt::format_context> numbers;
        for (const Formula& formula : require.whatFormulas) {
            const FormulaValue number = formula.evaluate(context.host);
            numbers.push_back(number.isKnown ? grouped(number.number) : std::string("?"));
        }
        check.what = fmt::vformat(require.what, numbers);
        if (const FormulaValue number = require.needs.evaluate(context.host); number.isKnown)
            check.needs = number.number;
        if (const FormulaValue number = require.has.evaluate(context.host); number.isKnown) check.has = number.number;
        std::string remedy = require.remedy;
        // A condition on sizes that are not known yet is a matter of the shapes, not of the value.
        if (!value.isKnown && require.reason != Reason::NotConstant) {
            bool isDynamic = false;
            for (const int element : require.that.elements()) {
                const TensorDesc* const desc = context.host.desc(element);
                isDynamic |= desc && !desc->originShape.isStatic();
            }
            if (isDynamic) {
                check.reason = Reason::DynamicShape;
                check.code = "C15";
                check.what += " (a dim is not known)";
                remedy = "Fix the input shapes (--set) or compile for gears.";
            }
        }
        list.add(std::move(check), std::move(remedy));
    }
}

CheckList runChecks(const CheckContext& context)
{
    CheckList list;
    checkSwitch(context, list);
    checkStructure(context, list);
    checkValues(context, list);
    checkRequires(context, ReasonClass::Structure, list);
    checkSupport(context, list);
    checkUnits(context, list);
    checkRequires(context, ReasonClass::Unit, list);
    checkCycle(context, list);
    checkCapacity(context, list);
    checkRequires(context, ReasonClass::Capacity, list);
    return list;
}

} // namespace gelens
