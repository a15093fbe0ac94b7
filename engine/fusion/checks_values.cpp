// Constants: whether they are constant, present, of one element, and of the value that the rule wants.

#include "engine/fusion/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelens {

namespace {

bool checkIsConstant(const CheckContext& context, const PatternElement& element, OutputRef ref, CheckList& list)
{
    const Node& node = context.graph.node(ref.node);
    if (!isConstantType(node.type)) {
        const bool isFromOutside = node.type == "Data" && node.graph != rootGraph;
        Check check{isFromOutside ? Reason::SubgraphBorder : Reason::NotConstant,
                    false,
                    {},
                    {},
                    {},
                    {},
                    isFromOutside ? "C09" : "C16",
                    'S',
                    {ref.node}};
        check.what = isFromOutside ? fmt::format("'{}' comes into the sub-graph from outside through {}", element.name,
                                                 context.label(ref.node))
                                   : fmt::format("'{}' must be a constant; it comes from {}", element.name,
                                                 context.label(ref.node));
        return list.add(std::move(check), isFromOutside ? "Inline the branch, or put the constant inside it."
                                                        : "Make the operand a constant, or enable constant folding.");
    }
    const Tensor* const value = context.graph.constantOf(ref);
    if (element.needsValue && (!value || !value->isPresent())) {
        Check check{Reason::NotConstant, false, {}, {}, {}, {}, "C16", 'S', {ref.node}};
        check.what = fmt::format("the values of '{}' ({}) are absent: they are declared outside the model file",
                                 element.name, context.label(ref.node));
        return list.add(std::move(check), "Put the external weights beside the model.");
    }
    return true;
}

void checkNumber(const CheckContext& context, int index, const PatternElement& element, OutputRef ref, CheckList& list)
{
    MatchHost& host = context.host;
    const TensorDesc& desc = context.graph.outputDesc(ref);
    if (element.isScalar && desc.originShape.elementCount().value_or(0) != 1) {
        Check check{Reason::ValueMismatch,
                    false,
                    {},
                    1.0,
                    static_cast<double>(desc.originShape.elementCount().value_or(0)),
                    "elements",
                    "C17",
                    'A',
                    {ref.node}};
        check.what = fmt::format("'{}' must be one number; {} holds {}", element.name, context.label(ref.node),
                                 desc.originShape.text());
        list.add(std::move(check), fmt::format("Use one number for '{}'.", element.name));
        return;
    }
    if (element.value.isEmpty() && element.min.isEmpty() && element.max.isEmpty()) return;
    const FormulaValue has = host.query(FormulaFunction::Value, {index}, {}, {});
    Check check{Reason::ValueMismatch, true, {}, {}, {}, {}, "C17", 'A', {ref.node}};
    if (has.isKnown) check.has = has.number;
    std::string wanted;
    if (!element.value.isEmpty()) {
        const FormulaValue needs = element.value.evaluate(host);
        if (!needs.isKnown) {
            list.add({Reason::DynamicShape,
                      false,
                      fmt::format("what '{}' must be depends on a dim that is not known", element.name),
                      {},
                      {},
                      {},
                      "C15",
                      'A',
                      {ref.node}},
                     "Fix the input shapes (--set).");
            return;
        }
        check.needs = needs.number;
        check.held = has.isKnown && std::fabs(has.number - needs.number) <=
                                        element.tolerance * std::max(std::fabs(needs.number), 1e-30);
        wanted = fmt::format("{:.6g}", needs.number);
    } else {
        const FormulaValue low = element.min.evaluate(host), high = element.max.evaluate(host);
        check.held =
            has.isKnown && (!low.isKnown || has.number >= low.number) && (!high.isKnown || has.number <= high.number);
        wanted = fmt::format("from {} to {}", low.isKnown ? fmt::format("{:.6g}", low.number) : "any",
                             high.isKnown ? fmt::format("{:.6g}", high.number) : "any");
    }
    check.what = fmt::format("'{}' is {}, the rule wants {}", element.name,
                             has.isKnown ? fmt::format("{:.6g}", has.number) : "not one number", wanted);
    list.add(std::move(check), fmt::format("Set '{}' to {}.", element.name, wanted));
}

} // namespace

void checkValues(const CheckContext& context, CheckList& list)
{
    bool areAllConstant = true;
    bool hasConstants = false;
    for (std::size_t i = 0; i < context.rule.elements.size(); ++i) {
        const PatternElement& element = context.rule.elements[i];
        const Binding& binding = context.match.bindings[i];
        if (element.kind != ElementKind::Constant || !binding.isBound()) continue;
        hasConstants = true;
        if (checkIsConstant(context, element, binding.value, list))
            checkNumber(context, static_cast<int>(i), element, binding.value, list);
        else
            areAllConstant = false;
    }
    if (hasConstants && areAllConstant)
        list.add({Reason::NotConstant, true, "all operands that must be constant are", {}, {}, {}, "C16", 'S', {}});
}

} // namespace gelens
