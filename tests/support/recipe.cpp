#include "tests/support/recipe.h"

#include "tests/support/graph_builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gelens::test {
namespace {

using Value = Recipe::Value;

/// All readers of one value read another.
void redirect(Recipe& recipe, Value from, Value to)
{
    for (Recipe::Node& node : recipe.nodes) std::replace(node.inputs.begin(), node.inputs.end(), from, to);
    std::replace(recipe.outputs.begin(), recipe.outputs.end(), from, to);
}

std::vector<Recipe> smallerForms(const Recipe& recipe)
{
    std::vector<Recipe> forms;
    if (recipe.outputs.size() > 1)
        for (const Value& output : recipe.outputs) {
            Recipe form = recipe;
            form.outputs = {output};
            forms.push_back(pruned(form));
        }
    for (std::size_t i = recipe.nodes.size(); i-- > 0;) {
        const Recipe::Node& node = recipe.nodes[i];
        if (node.type == "Data" || node.type == "Const") continue;
        if (node.outputs.size() == 1) {
            Recipe cut = recipe; // the node becomes an input of the model
            cut.nodes[i] = {.type = "Data", .outputs = node.outputs};
            forms.push_back(pruned(cut));
            for (const Value& input : node.inputs) { // or what it reads takes its place
                if (recipe.desc(input).dtype != node.outputs[0].dtype ||
                    recipe.desc(input).originShape != node.outputs[0].originShape)
                    continue;
                Recipe past = recipe;
                redirect(past, {static_cast<int>(i), 0}, input);
                forms.push_back(pruned(past));
            }
        }
        for (const Value& input : node.inputs) { // or the model ends before it
            if (recipe.nodes[static_cast<std::size_t>(input.node)].type == "Data" ||
                recipe.nodes[static_cast<std::size_t>(input.node)].type == "Const")
                continue;
            Recipe early = recipe;
            early.outputs = {input};
            forms.push_back(pruned(early));
        }
    }
    std::erase_if(forms, [&](const Recipe& form) {
        return form.operatorCount() == 0 || form.operatorCount() > recipe.operatorCount() ||
               (form.operatorCount() == recipe.operatorCount() && form.outputs.size() >= recipe.outputs.size());
    });
    std::stable_sort(forms.begin(), forms.end(),
                     [](const Recipe& a, const Recipe& b) { return a.operatorCount() < b.operatorCount(); });
    return forms;
}

} // namespace

int Recipe::operatorCount() const
{
    return static_cast<int>(std::count_if(
        nodes.begin(), nodes.end(), [](const Node& node) { return node.type != "Data" && node.type != "Const"; }));
}

Graph Recipe::build() const
{
    GraphBuilder builder;
    std::vector<NodeId> ids;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        const std::string name = fmt::format("n{}", i);
        if (node.type == "Data") {
            ids.push_back(builder.input(name, node.outputs[0].originShape, node.outputs[0].dtype).node);
        } else if (node.type == "Const") {
            ids.push_back(builder.constant(name, node.constant).node);
        } else {
            std::vector<OutputRef> inputs;
            for (const Value& input : node.inputs)
                inputs.push_back({ids[static_cast<std::size_t>(input.node)], input.output});
            ids.push_back(builder.op(node.type, inputs, node.attrs, name, static_cast<int>(node.outputs.size())).node);
        }
    }
    std::vector<OutputRef> results;
    for (const Value& value : outputs) results.push_back({ids[static_cast<std::size_t>(value.node)], value.output});
    if (!results.empty()) builder.outputs(results);
    return builder.graph();
}

std::string Recipe::text() const
{
    std::string text;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        std::vector<std::string> inputs, attrs, shapes;
        for (const Value& input : node.inputs)
            inputs.push_back(input.output == 0 ? fmt::format("n{}", input.node)
                                               : fmt::format("n{}:{}", input.node, input.output));
        for (const auto& [name, value] : node.attrs) attrs.push_back(name + "=" + value.text());
        for (const TensorDesc& desc : node.outputs)
            shapes.push_back(fmt::format("{} {}", dataTypeShortName(desc.dtype), desc.originShape.text()));
        std::string content;
        if (node.type == "Const" && node.constant.shape.elementCount().value_or(99) <= 8)
            if (const auto values = node.constant.toConstant().asDoubles()) content = fmt::format(" = {}", *values);
        text += fmt::format("n{} = {}({}){}{} -> {}\n", i, node.type, fmt::join(inputs, ", "),
                            attrs.empty() ? "" : fmt::format(" {{{}}}", fmt::join(attrs, ", ")), content,
                            fmt::join(shapes, ", "));
    }
    std::vector<std::string> results;
    for (const Value& value : outputs) results.push_back(fmt::format("n{}:{}", value.node, value.output));
    return text + fmt::format("outputs {}\n", fmt::join(results, ", "));
}

Recipe pruned(const Recipe& recipe)
{
    std::vector<bool> isNeeded(recipe.nodes.size(), false);
    for (const Value& value : recipe.outputs) isNeeded[static_cast<std::size_t>(value.node)] = true;
    for (std::size_t i = recipe.nodes.size(); i-- > 0;)
        if (isNeeded[i])
            for (const Value& input : recipe.nodes[i].inputs) isNeeded[static_cast<std::size_t>(input.node)] = true;
    std::vector<int> place(recipe.nodes.size(), -1);
    Recipe result;
    for (std::size_t i = 0; i < recipe.nodes.size(); ++i) {
        if (!isNeeded[i]) continue;
        place[i] = static_cast<int>(result.nodes.size());
        result.nodes.push_back(recipe.nodes[i]);
        for (Value& input : result.nodes.back().inputs) input.node = place[static_cast<std::size_t>(input.node)];
    }
    for (Value value : recipe.outputs)
        result.outputs.push_back({place[static_cast<std::size_t>(value.node)], value.output});
    return result;
}

Recipe shrink(Recipe recipe, const std::function<bool(const Recipe&)>& fails, int budget)
{
    for (bool goesOn = true; goesOn;) {
        goesOn = false;
        for (const Recipe& form : smallerForms(recipe)) {
            if (budget-- <= 0) return recipe;
            bool stillFails = false;
            try {
                stillFails = fails(form);
            } catch (const std::exception&) {
                continue; // the cut made something that is no model
            }
            if (!stillFails) continue;
            recipe = form;
            goesOn = true;
            break;
        }
    }
    return recipe;
}

} // namespace gelens::test
