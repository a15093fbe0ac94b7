#include "engine/fusion/rule.h"

namespace gelens {

std::string_view ruleGroupName(RuleGroup group)
{
    switch (group) {
    case RuleGroup::Graph: return "graph";
    case RuleGroup::BeforeQuant: return "before_quant";
    case RuleGroup::AfterJudge: return "after_judge";
    case RuleGroup::SecondRound: return "second_round";
    case RuleGroup::Ub: return "ub";
    }
    return "";
}

std::string_view ruleUnitName(RuleUnit unit)
{
    switch (unit) {
    case RuleUnit::Unset: return "";
    case RuleUnit::Cube: return "cube";
    case RuleUnit::Vector: return "vector";
    case RuleUnit::CubeWithFixpipe: return "cube with fix-pipe";
    case RuleUnit::Mix: return "mix";
    case RuleUnit::CubeThenVector: return "cube then vector";
    }
    return "";
}

std::string_view onChipMemoryName(OnChipMemory memory)
{
    switch (memory) {
    case OnChipMemory::L1: return "L1";
    case OnChipMemory::Ub: return "UB";
    case OnChipMemory::L0a: return "L0A";
    case OnChipMemory::L0b: return "L0B";
    case OnChipMemory::L0c: return "L0C";
    }
    return "";
}

int Rule::findElement(std::string_view name) const
{
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (elements[i].name == name) return static_cast<int>(i);
    return -1;
}

} // namespace gelens
