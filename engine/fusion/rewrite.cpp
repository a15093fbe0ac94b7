#include "engine/fusion/rewrite.h"

#include "engine/fusion/replacement_private.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelens {

namespace {

constexpr const char* originNames = "_datadump_original_op_names";
constexpr const char* originTypes = "_datadump_original_op_types";
bool haveSameDims(const Shape& a, const Shape& b) { return a.hasRank() && b.hasRank() && a.dims() == b.dims(); }

} // namespace

void checkReplacement(const CheckContext& context, CheckList& list)
{
    const Replacement replacement(context);
    const Rule& rule = context.rule;
    for (const RuleNewConstant& made : rule.newConstants) {
        if (!made.when.isEmpty() && !made.when.evaluate(context.host).isTrue()) continue;
        if (replacement.canMake(made)) continue;
        list.add(
            {Reason::ValueMismatch,
             false,
             fmt::format("the constant '{}' cannot be computed from the operands: their sizes or values do not fit",
                         made.name),
             {},
             {},
             {},
             "C17",
             rule.evidence,
             {}},
            "Check the sizes of the parameters.");
        return;
    }
    const OutputRef root = context.match.resolve(rule, rule.root);
    const auto givesRoot = [&](const RuleOutput& output) {
        return context.match.resolve(rule, output.of) == root &&
               replacement.isMade(rule.newNodes[static_cast<std::size_t>(output.newNode)]);
    };
    if (std::none_of(rule.outputs.begin(), rule.outputs.end(), givesRoot))
        list.add({Reason::AttributeMismatch,
                  false,
                  "the rule has no replacement for this form",
                  {},
                  {},
                  {},
                  "C17",
                  rule.evidence,
                  {}},
                 "Write a rule for this form.");
    for (std::size_t n = 0; n < rule.newNodes.size(); ++n) {
        if (!replacement.isMade(rule.newNodes[n])) continue;
        std::vector<RuleSource> sources;
        const NodeSpec spec = replacement.spec(rule.newNodes[n], sources);
        const OpDef& def = *OpRegistry::instance().find(spec.type);
        const bool usesNew =
            std::any_of(sources.begin(), sources.end(), [](const RuleSource& source) { return source.isNew(); });
        if (usesNew || !def.inferFunction()) continue;
        Node node;
        node.name = rule.newNodes[n].name;
        node.type = spec.type;
        node.attrs = spec.attrs;
        for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
            const OutputRef source = context.match.resolve(rule, sources[i].element);
            node.inputs.push_back({spec.inputs[i].second, source, spec.inputs[i].first});
        }
        for (const auto& [name, desc] : spec.outputs) node.outputs.push_back({desc, {}, name});
        InferContext infer(context.graph, node);
        const Status status = def.inferFunction()(infer);
        Check check{Reason::AttributeMismatch,
                    status.ok(),
                    fmt::format("{} accepts the operands", spec.type),
                    {},
                    {},
                    {},
                    "C13",
                    rule.evidence,
                    {}};
        if (!status.ok())
            check.what = fmt::format("{} does not accept the operands: {}", spec.type, status.error().what);
        for (const RuleOutput& output : rule.outputs) {
            const OutputRef old = context.match.resolve(rule, output.of);
            if (output.newNode != static_cast<int>(n) || !check.held || !old.isValid()) continue;
            const auto at = static_cast<std::size_t>(output.output);
            if (at >= infer.outputs().size() || !infer.outputs()[at]) continue;
            const Shape& gives = infer.outputs()[at]->originShape;
            const Shape& wants = context.graph.outputDesc(old).originShape;
            if (!gives.isStatic() || !wants.isStatic() || haveSameDims(gives, wants)) continue;
            check.held = false;
            check.what = fmt::format("{} would give {} in place of {}", spec.type, gives.text(), wants.text());
        }
        list.add(std::move(check), "Change the operands so that the fused operator takes them.");
    }
}

namespace {

class Rewriter {
public:
    Rewriter(const CheckContext& context, GraphEditor& editor, FusionIndex& index)
        : m_context(context), m_rule(context.rule), m_editor(editor), m_index(index), m_replacement(context)
    {
    }

    NodeId run()
    {
        m_last = m_context.members.back();
        m_position = m_index.position(m_last);
        bool closesCycle = false;
        const std::vector<NodeId> between = nodesBetween(m_context, closesCycle);
        for (const RuleNewConstant& constant : m_rule.newConstants) addConstant(constant);
        for (const RuleNewNode& node : m_rule.newNodes) addNode(node);
        moveBehind(between);
        std::vector<std::pair<OutputRef, OutputRef>> replaced;
        for (const RuleOutput& output : m_rule.outputs) {
            const OutputRef old = m_context.match.resolve(m_rule, output.of);
            if (old.isValid() && m_nodes[static_cast<std::size_t>(output.newNode)].isValid())
                replaced.emplace_back(old, OutputRef{m_nodes[static_cast<std::size_t>(output.newNode)], output.output});
        }
        for (const auto& [from, to] : replaced) m_editor.replaceUses(from, to);
        const OutputRef root = m_context.match.resolve(m_rule, m_rule.root);
        NodeId into;
        for (const auto& [from, to] : replaced)
            if (from == root) into = to.node;
        GELENS_ASSERT(into.isValid()); // checkReplacement saw it
        writeOrigins(into);
        std::vector<std::pair<NodeId, std::string>> renames;
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            if (!m_nodes[i].isValid()) continue;
            const OutputRef named = m_context.match.resolve(m_rule, {m_rule.newNodes[i].nameOf});
            if (named.isValid()) renames.emplace_back(m_nodes[i], m_editor.node(named.node).name);
        }
        removeMembers(into);
        for (const auto& [id, name] : renames) m_editor.rename(id, m_editor.uniqueName(name, m_editor.node(id).graph));
        return into;
    }

private:
    GraphId graphId() const { return m_editor.node(m_last).graph; }

    void place(NodeId id)
    {
        m_index.add(m_editor.node(id), ++m_position);
        m_after = id;
    }

    void addConstant(const RuleNewConstant& made)
    {
        m_constants.emplace_back();
        if (!made.when.isEmpty() && !made.when.evaluate(m_context.host).isTrue()) return;
        std::optional<Tensor> tensor = m_replacement.makeConstant(made);
        GELENS_ASSERT(tensor); // checkReplacement made it once
        const std::string name = fmt::format("{}_{}", m_editor.node(m_last).name, made.name);
        const NodeId id =
            m_editor.addConstant(m_editor.uniqueName(name, graphId()), std::move(*tensor), graphId(), after());
        m_constants.back() = id;
        place(id);
    }
    NodeId after() const { return m_after.isValid() ? m_after : m_last; }

    void addNode(const RuleNewNode& rule)
    {
        if (!m_replacement.isMade(rule)) {
            m_nodes.emplace_back();
            return;
        }
        std::vector<RuleSource> sources;
        NodeSpec spec = m_replacement.spec(rule, sources);
        const std::string type = spec.type;
        spec.name = m_editor.uniqueName(
            fmt::format("{}_{}", m_editor.node(m_context.match.resolve(m_rule, m_rule.root).node).name, type),
            graphId());
        const int number = static_cast<int>(m_nodes.size());
        for (const RuleOutput& output : m_rule.outputs) {
            const OutputRef old = m_context.match.resolve(m_rule, output.of);
            if (output.newNode != number || !old.isValid() || output.output >= static_cast<int>(spec.outputs.size()))
                continue;
            TensorDesc& desc = spec.outputs[static_cast<std::size_t>(output.output)].second;
            desc = m_editor.graph().outputDesc(old);
        }
        for (const char* const name : inheritedAttributes) {
            const auto& attrs = m_editor.node(m_last).attrs;
            if (const auto found = attrs.find(name); found != attrs.end()) spec.attrs[name] = found->second;
        }
        const std::size_t outputs = spec.outputs.size();
        const NodeId id = m_editor.addNode(std::move(spec), graphId(), after());
        m_nodes.push_back(id);
        place(id);
        for (std::size_t i = 0; i < sources.size(); ++i) {
            OutputRef source = m_context.match.resolve(m_rule, sources[i].element);
            if (sources[i].newConstant >= 0)
                source = {m_constants[static_cast<std::size_t>(sources[i].newConstant)], 0};
            if (sources[i].newNode >= 0)
                source = {m_nodes[static_cast<std::size_t>(sources[i].newNode)], sources[i].newOutput};
            if (!source.isValid()) continue;
            const InputRef slot{id, static_cast<std::int32_t>(i)};
            m_editor.connect(source, slot);
            TensorDesc desc = m_editor.graph().outputDesc(source);
            desc.name.clear();
            m_editor.setInputDesc(slot, std::move(desc));
        }
        describeOutputs(id, number, outputs);
    }

    /// Outputs that replace nothing get their descriptor from the operator's own inference.
    void describeOutputs(NodeId id, int number, std::size_t outputs)
    {
        const Node& node = m_editor.node(id);
        const OpDef& def = *OpRegistry::instance().find(node.type);
        if (!def.inferFunction()) return;
        InferContext infer(m_editor.graph(), node);
        if (const Status status = def.inferFunction()(infer); !status) return;
        std::vector<std::optional<TensorDesc>> inferred = infer.outputs();
        for (std::size_t i = 0; i < outputs && i < inferred.size(); ++i) {
            const auto isThis = [&](const RuleOutput& output) {
                return output.newNode == number && output.output == static_cast<int>(i) &&
                       m_context.match.resolve(m_rule, output.of).isValid();
            };
            if (inferred[i] && std::none_of(m_rule.outputs.begin(), m_rule.outputs.end(), isThis))
                m_editor.setOutputDesc({id, static_cast<std::int32_t>(i)}, *inferred[i]);
        }
    }

    /// Readers of an inner result that stood before the fused node follow it now.
    void moveBehind(const std::vector<NodeId>& between)
    {
        NodeId previous = after();
        for (const NodeId id : between) {
            m_editor.moveAfter(id, previous);
            m_index.setPosition(id, ++m_position);
            previous = id;
        }
    }

    void writeOrigins(NodeId into)
    {
        StringList names, types;
        const auto add = [](StringList& list, const std::string& text) {
            if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
        };
        for (const NodeId id : m_context.members) {
            const Node& node = m_editor.node(id);
            const StringList earlier = attrStrings(node.attrs, originNames);
            for (const std::string& name : earlier) add(names, name);
            if (earlier.empty()) add(names, node.name);
            const StringList earlierTypes = attrStrings(node.attrs, originTypes);
            for (const std::string& type : earlierTypes) add(types, type);
            if (earlierTypes.empty()) add(types, node.type);
        }
        m_editor.setAttr(into, originNames, names);
        m_editor.setAttr(into, originTypes, types);
    }

    bool isRead(NodeId id) const
    {
        const Node& node = m_editor.node(id);
        for (const OutputSlot& slot : node.outputs)
            if (!slot.consumers.empty()) return true;
        for (int i = 0; i < node.outputCount(); ++i)
            if (m_index.isGraphOutput(node.output(i))) return true;
        return false;
    }

    void removeMembers(NodeId into)
    {
        std::vector<NodeId> constants;
        for (auto it = m_context.members.rbegin(); it != m_context.members.rend(); ++it) {
            // A root that is a graph output is read through the new node now, so it counts as unread.
            const Node& node = m_editor.node(*it);
            bool hasReaders = false;
            for (const OutputSlot& slot : node.outputs) hasReaders |= !slot.consumers.empty();
            if (hasReaders) continue; // shared
            m_editor.moveControlEdges(*it, into);
            for (const InputSlot& slot : node.inputs)
                if (slot.source.isValid() && isConstantType(m_editor.node(slot.source.node).type))
                    constants.push_back(slot.source.node);
            m_editor.removeNode(*it);
        }
        for (const NodeId id : constants)
            if (m_editor.graph().contains(id) && !isRead(id) && m_editor.node(id).controlOutputs.empty())
                m_editor.removeNode(id);
    }

    const CheckContext& m_context;
    const Rule& m_rule;
    GraphEditor& m_editor;
    FusionIndex& m_index;
    Replacement m_replacement;
    NodeId m_last, m_after;
    std::int64_t m_position = 0;
    std::vector<NodeId> m_nodes, m_constants;
};

} // namespace

NodeId rewrite(const CheckContext& context, GraphEditor& editor, FusionIndex& index)
{
    return Rewriter(context, editor, index).run();
}

} // namespace gelens
