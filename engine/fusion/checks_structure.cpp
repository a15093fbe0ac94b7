// How the matched nodes hang in the graph: inputs, readers, graph outputs, control edges, sub-graphs, shapes, cycles.

#include "engine/fusion/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>

namespace gelens {

bool isReplacedOutput(const CheckContext& context, OutputRef ref)
{
    const auto isIt = [&](const RuleOutput& output) { return context.match.resolve(context.rule, output.of) == ref; };
    return std::any_of(context.rule.outputs.begin(), context.rule.outputs.end(), isIt);
}

namespace {

/// The pattern element that a member is bound to.
const PatternElement* elementOf(const CheckContext& context, NodeId id)
{
    for (std::size_t i = 0; i < context.match.bindings.size(); ++i) {
        const PatternElement& element = context.rule.elements[i];
        if (element.kind == ElementKind::Node && context.match.bindings[i].isBound() &&
            context.match.bindings[i].node() == id)
            return &element;
    }
    return nullptr;
}

void checkInputCounts(const CheckContext& context, CheckList& list)
{
    for (const NodeId id : context.members) {
        const PatternElement* const element = elementOf(context, id);
        if (!element || element->ignoresMoreInputs) continue;
        const int has = connectedInputCount(context.graph.node(id));
        const int most = static_cast<int>(element->inputs.size());
        if (has <= most) continue;
        Check check{Reason::InputCount,
                    false,
                    {},
                    static_cast<double>(most),
                    static_cast<double>(has),
                    "inputs",
                    "C12",
                    'S',
                    {id}};
        check.what = fmt::format("{} has {} inputs where the rule takes {}", context.label(id), has, most);
        list.add(std::move(check), fmt::format("Remove the extra input of '{}'.", context.graph.node(id).name));
    }
}

void checkReaders(const CheckContext& context, CheckList& list)
{
    const char* const code = context.rule.isUbFusion() ? "U05" : "C11";
    for (const NodeId id : context.members) {
        const PatternElement* const element = elementOf(context, id);
        if (element && element->isShared) continue;
        const Node& node = context.graph.node(id);
        for (int i = 0; i < node.outputCount(); ++i) {
            const OutputRef ref = node.output(i);
            if (isReplacedOutput(context, ref)) continue;
            const auto& readers = context.graph.consumers(ref);
            NodeId outside;
            bool isGraphOutput = context.index.isGraphOutput(ref);
            int inside = 0;
            for (const InputRef& reader : readers) {
                if (context.isMember(reader.node))
                    ++inside;
                else if (context.graph.node(reader.node).type == "NetOutput")
                    isGraphOutput = true;
                else if (!outside.isValid())
                    outside = reader.node;
            }
            if (isGraphOutput) {
                Check check{Reason::GraphOutput, false, {}, {}, {}, {}, "C10", 'S', {id}};
                check.what = fmt::format("the result of {} is an output of the graph", context.label(id));
                list.add(std::move(check), "Output the result of the last operator of the chain instead.");
            }
            if (!outside.isValid()) continue;
            const auto total = static_cast<double>(readers.size());
            Check check{Reason::MultiConsumer, false, {}, static_cast<double>(inside), total, "readers", code, 'S',
                        {id, outside}};
            check.what = fmt::format("the result of {} is also read by {}", context.label(id), context.label(outside));
            list.add(std::move(check),
                     fmt::format("Give '{}' an own copy of '{}'.", context.graph.node(outside).name, node.name));
        }
    }
    const bool isHeld = std::none_of(list.checks().begin(), list.checks().end(), [](const Check& check) {
        return check.reason == Reason::MultiConsumer || check.reason == Reason::GraphOutput;
    });
    if (isHeld)
        list.add(
            {Reason::MultiConsumer, true, "no inner result is read from outside", 0.0, 0.0, "readers", code, 'S', {}});
}

/// U06: how many results of a member are read.
void checkOutputLimits(const CheckContext& context, CheckList& list)
{
    for (const NodeId id : context.members) {
        const PatternElement* const element = elementOf(context, id);
        if (!element || element->maxOutputs == 0) continue;
        const Node& node = context.graph.node(id);
        const auto read = std::count_if(node.outputs.begin(), node.outputs.end(),
                                        [](const OutputSlot& slot) { return !slot.consumers.empty(); });
        Check check{Reason::OutputLimit,
                    read <= element->maxOutputs,
                    {},
                    static_cast<double>(element->maxOutputs),
                    static_cast<double>(read),
                    "results",
                    "U06",
                    'S',
                    {id}};
        check.what =
            fmt::format("{} results of {} are read; the rule takes {}", read, context.label(id), element->maxOutputs);
        list.add(std::move(check),
                 fmt::format("Read no more than {} results of '{}'.", element->maxOutputs, node.name));
    }
}

/// U01–U03: what buffer fusion asks of each kernel before it looks at the pattern.
void checkKernels(const CheckContext& context, CheckList& list)
{
    if (!context.rule.isUbFusion()) return;
    bool areFree = true;
    for (const NodeId id : context.members) {
        const AttrMap& attrs = context.graph.node(id).attrs;
        for (const char* const name : {"pass_name_ub", "fusion_scope"}) {
            if (!attrs.contains(name)) continue;
            areFree = false;
            Check check{Reason::AlreadyFused, false, {}, {}, {}, {}, "U01", 'S', {id}};
            check.what = fmt::format("{} is already in a fusion scope ({} = {})", context.label(id), name,
                                     attrs.at(name).text(40));
            list.add(std::move(check), "Switch the earlier pass off, or give this one a higher priority.");
            break;
        }
        // FE's implementation kinds: 2, 6, 8 and 9 are the TBE ones.
        const std::int64_t kind = attrInt(attrs, "_fe_imply_type", 6);
        if (kind != 2 && kind != 6 && kind != 8 && kind != 9) {
            areFree = false;
            Check check{Reason::KernelType, false, {}, {}, static_cast<double>(kind), {}, "U02", 'S', {id}};
            check.what =
                fmt::format("{} has a kernel of another kind than TBE (_fe_imply_type = {})", context.label(id), kind);
            list.add(std::move(check), "Buffer fusion joins TBE kernels only.");
        }
        if (attrInt(attrs, "_thread_mode") != 0) {
            areFree = false;
            Check check{Reason::ThreadMode, false, {}, {}, {}, {}, "U03", 'S', {id}};
            check.what = fmt::format("{} is sliced into threads (_thread_mode = {})", context.label(id),
                                     attrInt(attrs, "_thread_mode"));
            list.add(std::move(check), "Switch automatic slicing off for the chain.");
        }
    }
    if (areFree)
        list.add({Reason::AlreadyFused,
                  true,
                  "no operator is in a fusion scope, sliced into threads, or of another kernel kind",
                  {},
                  {},
                  {},
                  "U01",
                  'S',
                  {}});
}

void checkControlEdges(const CheckContext& context, CheckList& list)
{
    if (!context.rule.forbidsControlEdges) return;
    for (const NodeId id : context.members) {
        const Node& node = context.graph.node(id);
        const std::size_t count = node.controlInputs.size() + node.controlOutputs.size();
        if (count == 0) continue;
        Check check{Reason::ControlEdge, false, {}, 0.0, static_cast<double>(count), "control edges", "C08", 'S', {id}};
        check.what = fmt::format("{} has {} control edge{}; the rule allows none", context.label(id), count,
                                 count == 1 ? "" : "s");
        list.add(std::move(check), fmt::format("Drop the explicit dependencies of '{}'.", node.name));
        return;
    }
    list.add({Reason::ControlEdge, true, "no control edges at the matched operators", {}, {}, {}, "C08", 'S', {}});
}

void checkBorders(const CheckContext& context, CheckList& list)
{
    for (const NodeId id : context.members) {
        if (context.graph.node(id).subgraphs.empty()) continue;
        Check check{Reason::SubgraphBorder, false, {}, {}, {}, {}, "C09", 'S', {id}};
        check.what = fmt::format("{} owns sub-graphs", context.label(id));
        list.add(std::move(check), "Inline the branch.");
    }
}

void checkShapes(const CheckContext& context, CheckList& list)
{
    if (!context.rule.isStaticOnly) return;
    for (const NodeId id : context.members) {
        for (const OutputSlot& slot : context.graph.node(id).outputs) {
            if (slot.desc.originShape.isStatic()) continue;
            Check check{
                Reason::DynamicShape, false, {}, {}, {}, {}, context.rule.isUbFusion() ? "U08" : "C15", 'S', {id}};
            check.what = fmt::format("the rule takes static shapes only; {} gives {}", context.label(id),
                                     slot.desc.originShape.text());
            list.add(std::move(check), "Fix the input shapes (--set) or compile for gears.");
            return;
        }
    }
    list.add({Reason::DynamicShape, true, "all shapes are known", {}, {}, {}, "C15", 'S', {}});
}

} // namespace

void checkStructure(const CheckContext& context, CheckList& list)
{
    checkKernels(context, list);
    checkBorders(context, list);
    checkInputCounts(context, list);
    checkReaders(context, list);
    checkOutputLimits(context, list);
    checkControlEdges(context, list);
    checkShapes(context, list);
}

std::vector<NodeId> nodesBetween(const CheckContext& context, bool& closesCycle)
{
    closesCycle = false;
    std::vector<NodeId> found;
    if (context.members.size() < 2) return found;
    const NodeId last = context.members.back();
    const std::int64_t limit = context.index.position(last);
    std::unordered_set<NodeId> seen;
    std::vector<NodeId> open;
    const auto visit = [&](NodeId id, bool isFromMember) {
        if (context.isMember(id)) {
            closesCycle |= !isFromMember;
            return;
        }
        // Nodes behind the last member cannot lead back to one.
        if (context.index.position(id) > limit || !seen.insert(id).second) return;
        open.push_back(id);
    };
    const auto visitReaders = [&](NodeId id, bool isFromMember) {
        const Node& node = context.graph.node(id);
        for (const OutputSlot& slot : node.outputs)
            for (const InputRef& reader : slot.consumers) visit(reader.node, isFromMember);
        for (const NodeId next : node.controlOutputs) visit(next, isFromMember);
    };
    for (const NodeId id : context.members)
        if (id != last) visitReaders(id, true);
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        found.push_back(id);
        visitReaders(id, false);
    }
    std::sort(found.begin(), found.end(),
              [&](NodeId a, NodeId b) { return context.index.position(a) < context.index.position(b); });
    return found;
}

void checkCycle(const CheckContext& context, CheckList& list)
{
    bool closesCycle = false;
    const std::vector<NodeId> between = nodesBetween(context, closesCycle);
    Check check{
        Reason::Cycle, !closesCycle, "one operator in place of the chain closes no cycle", {}, {}, {}, "C07", 'S', {}};
    if (context.rule.isUbFusion()) check.code = "U12";
    if (closesCycle) {
        check.nodes = {between.front()};
        check.what = fmt::format(
            "a path leaves the chain and comes back through {}: fusing would close a cycle (GRAPH_FUSION_CYCLE)",
            context.label(between.front()));
    }
    list.add(std::move(check), "Cut the extra branch, for instance with an Identity.");
}

} // namespace gelens
