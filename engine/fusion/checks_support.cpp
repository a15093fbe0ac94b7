// What the members must agree on, and what the fused operator takes: attributes (C02–C06), chip, type, format, units.

#include "engine/fusion/checks.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace gelens {

namespace {

/// An attribute that all members must share.
struct SharedAttribute {
    const char* name;
    Reason reason;
    const char* code;
    const char* remedy;
};

constexpr SharedAttribute sharedAttributes[] = {
    {"_stream_label", Reason::StreamLabel, "C02", "Remove the stream labels."},
    {"_user_stream_label", Reason::StreamLabel, "C02", "Remove the stream labels."},
    {"_super_kernel_scope", Reason::ScopeDiffers, "C03", "Use one super-kernel scope for the chain."},
    {"_super_kernel_options", Reason::ScopeDiffers, "C03", "Use the same super-kernel options for the chain."},
    {"_op_aicore_num", Reason::CoreCount, "C04", "Remove the limits on the number of cores."},
    {"_op_vectorcore_num", Reason::CoreCount, "C04", "Remove the limits on the number of cores."},
    {"deterministic", Reason::Determinism, "C05", "Use the same determinism for the chain."},
    {"deterministicLevel", Reason::Determinism, "C05", "Use the same determinism for the chain."},
};

void checkSharedAttributes(const CheckContext& context, CheckList& list)
{
    bool areEqual = true;
    for (const SharedAttribute& shared : sharedAttributes) {
        std::set<std::string> values;
        for (const NodeId id : context.members) {
            const AttrMap& attrs = context.graph.node(id).attrs;
            const auto found = attrs.find(shared.name);
            values.insert(found == attrs.end() ? std::string("none") : found->second.text(40));
        }
        if (values.size() <= 1) continue;
        areEqual = false;
        Check check{shared.reason, false,          {}, 1.0, static_cast<double>(values.size()), "values", shared.code,
                    'S',           context.members};
        check.what = fmt::format("{} differs among the operators: {}", shared.name, fmt::join(values, ", "));
        list.add(std::move(check), shared.remedy);
    }
    if (areEqual)
        list.add({Reason::StreamLabel,
                  true,
                  "stream label, super-kernel scope, core numbers and determinism agree",
                  {},
                  {},
                  {},
                  "C02",
                  'S',
                  {}});
}

void checkDump(const CheckContext& context, CheckList& list)
{
    if (!context.environment.isDumpMode) return;
    for (const NodeId id : context.members) {
        if (!attrBool(context.graph.node(id).attrs, "_dump_able")) continue;
        Check check{Reason::DumpEnabled, false, {}, {}, {}, {}, "C06", 'S', {id}};
        check.what = fmt::format("{} is marked for data dump", context.label(id));
        list.add(std::move(check), "Switch the data dump off, or dump after fusion.");
        return;
    }
}

void checkChip(const CheckContext& context, CheckList& list)
{
    const Rule& rule = context.rule;
    const SocSpec& soc = context.soc();
    if (rule.isUbFusion()) {
        Check check{Reason::ChipUnsupported, soc.hasUbFusion, {}, {}, {}, {}, "C01", 'D', {}};
        check.what = fmt::format("{} {} UB fusion", soc.name, soc.hasUbFusion ? "has" : "has no");
        list.add(std::move(check), "Use a chip with UB fusion, such as Ascend310P3.");
    }
    if (rule.socs.empty() && rule.otherSocs.empty()) return;
    const auto names = [&](const std::vector<std::string>& socs) {
        return std::any_of(socs.begin(), socs.end(),
                           [&](const std::string& name) { return name == soc.name || name == soc.family; });
    };
    const bool isHeld = (rule.socs.empty() || names(rule.socs)) && !names(rule.otherSocs);
    Check check{Reason::ChipUnsupported, isHeld, {}, {}, {}, {}, "C01", rule.evidence, {}};
    check.what = rule.socs.empty() ? fmt::format("{} exists on all chips but {}; this is {}", rule.gePass,
                                                 fmt::join(rule.otherSocs, ", "), soc.name)
                                   : fmt::format("{} exists on {} only; this is {}", rule.gePass,
                                                 fmt::join(rule.socs, ", "), soc.name);
    list.add(std::move(check), !rule.socRemedy.empty() ? rule.socRemedy
                               : rule.socs.empty()     ? std::string("Use another chip.")
                                                       : fmt::format("Use a chip of {}.", fmt::join(rule.socs, ", ")));
}

void checkTypes(const CheckContext& context, CheckList& list)
{
    if (context.rule.dtypes.empty()) return;
    const OutputRef root = context.match.resolve(context.rule, context.rule.root);
    const DataType dtype = context.graph.outputDesc(root).dtype;
    std::vector<std::string_view> wanted;
    for (const DataType accepted : context.rule.dtypes) wanted.push_back(dataTypeShortName(accepted));
    const bool isHeld =
        std::find(context.rule.dtypes.begin(), context.rule.dtypes.end(), dtype) != context.rule.dtypes.end();
    Check check{Reason::DtypeMismatch, isHeld, {}, {}, {}, {}, "C13", context.rule.evidence, {root.node}};
    check.what = fmt::format("{} gives {}; the fused operator takes {}", context.label(root.node),
                             dataTypeShortName(dtype), fmt::join(wanted, ", "));
    list.add(std::move(check), fmt::format("Compile in {}.", wanted.front()));
}

void checkFormats(const CheckContext& context, CheckList& list)
{
    if (!context.rule.isNdOnly) return;
    for (const NodeId id : context.members) {
        for (const OutputSlot& slot : context.graph.node(id).outputs) {
            if (!isPrivateFormat(slot.desc.format.primary)) continue;
            Check check{Reason::FormatMismatch, false, {}, {}, {}, {}, "C13", context.rule.evidence, {id}};
            check.what = fmt::format("{} is stored as {}; the rule takes plain layouts only", context.label(id),
                                     slot.desc.format.text());
            list.add(std::move(check), "Keep the plain layout for this operator.");
            return;
        }
    }
}

} // namespace

void checkSupport(const CheckContext& context, CheckList& list)
{
    checkSharedAttributes(context, list);
    checkDump(context, list);
    checkChip(context, list);
    checkTypes(context, list);
    checkFormats(context, list);
}

void checkUnits(const CheckContext& context, CheckList& list)
{
    const RuleUnit unit = context.rule.unit;
    const bool joinsKernels =
        unit == RuleUnit::CubeThenVector || unit == RuleUnit::CubeWithFixpipe || context.rule.isUbFusion();
    if (!joinsKernels) return; // a library kernel of its own stands for the chain
    NodeId cube, vector;
    for (const NodeId id : context.members) {
        switch (unitOf(context.graph.node(id))) {
        case Unit::Cube:
            if (!cube.isValid()) cube = id;
            break;
        case Unit::Vector:
            if (!vector.isValid()) vector = id;
            break;
        case Unit::AiCpu:
        case Unit::Host:
        case Unit::Runtime: {
            Check check{Reason::UnitConflict, false, {}, {}, {}, {}, "U11", 'S', {id}};
            check.what = fmt::format("{} runs on the {}, the others on AI cores", context.label(id),
                                     unitName(unitOf(context.graph.node(id))));
            list.add(std::move(check),
                     fmt::format("Replace '{}' by an operator that AI cores run.", context.graph.node(id).name));
            return;
        }
        default: break;
        }
    }
    const SocSpec& soc = context.soc();
    Check check{Reason::UnitConflict, true, "all operators run on one unit", {}, {}, {}, "U11", 'S', {}};
    if (cube.isValid() && vector.isValid()) {
        const bool isSplit = soc.coreLayout == CoreLayout::Split;
        const bool hasFixpipe = unit == RuleUnit::CubeWithFixpipe && (soc.generation >= 220 || !isSplit);
        check.nodes = {cube, vector};
        check.held = !isSplit || hasFixpipe;
        const std::string pair = fmt::format("{} runs on the cube unit and {} on the vector unit", context.label(cube),
                                             context.label(vector));
        if (!isSplit)
            check.what = fmt::format("{}; on {} both share a core and L0C feeds UB", pair, soc.name);
        else if (hasFixpipe)
            check.what = fmt::format("{}; the fix-pipe of {} does the epilogue on the way out of L0C", pair, soc.name);
        else
            check.what = fmt::format("{}; on {} these are separate cores: no path from L0C to UB and no mix kernel for "
                                     "the pair, so the data goes through L2/GM",
                                     pair, soc.name);
    }
    list.add(std::move(check), "Use a chip with combined cores such as Ascend310P3, or a mix kernel for the pair; else "
                               "keep the vector part apart.");
}

} // namespace gelens
