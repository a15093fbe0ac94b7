#include "engine/fusion/rewrite.h"

#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelens
{

namespace
{

constexpr const char* originNames = "_datadump_original_op_names";
constexpr const char* originTypes = "_datadump_original_op_types";
/// Attributes that the fused node takes over when all members agree (C02–C05).
constexpr const char* inheritedAttributes[] = {"_stream_label",         "_user_stream_label", "_super_kernel_scope",
                                               "_super_kernel_options", "_op_aicore_num",     "_op_vectorcore_num",
                                               "deterministic",         "deterministicLevel"};

class Replacement
{
public:
    explicit Replacement(const CheckContext& context) : m_context(context), m_rule(context.rule) {}

    /// The new node without edges; `sources` gets what feeds each slot (invalid: nothing, or a constant still to be
    /// made).
    NodeSpec spec(const RuleNewNode& node, std::vector<RuleSource>& sources) const
    {
        NodeSpec result;
        result.type = node.type.empty() ? m_context.graph.node(m_context.match.resolve(m_rule, {node.typeOf}).node).type
                                        : node.type;
        const OutputRef copied = m_context.match.resolve(m_rule, {node.attrsOf});
        if (copied.isValid())
            result.attrs = m_context.graph.node(copied.node).attrs;
        for (const RuleAttr& attr : node.attrs)
            setAttr(attr, result.attrs);
        const OpDef& def = *OpRegistry::instance().find(result.type);
        for (const AttrSpec& attr : def.attrs())
            if (attr.defaultValue.isSet())
                result.attrs.emplace(attr.name, attr.defaultValue);
        for (const Port& port : def.inputs())
            addPort(port, node, result, sources);
        while (!result.inputs.empty() && !isConnected(sources.back())) {
            result.inputs.pop_back();
            sources.pop_back();
        }
        for (const Port& port : def.outputs())
            if (port.kind != PortKind::Dynamic)
                result.outputs.emplace_back(port.name, TensorDesc());
        return result;
    }

    bool isConnected(const RuleSource& source) const
    {
        if (source.newConstant >= 0)
            return isMade(m_rule.newConstants[static_cast<std::size_t>(source.newConstant)]);
        if (source.newNode >= 0)
            return isMade(m_rule.newNodes[static_cast<std::size_t>(source.newNode)]);
        return source.element.element >= 0 && m_context.match.resolve(m_rule, source.element).isValid();
    }
    template <typename Made>
    bool isMade(const Made& made) const
    {
        return made.when.isEmpty() || made.when.evaluate(m_context.host).isTrue();
    }

    /// scale and shift of each channel; nothing when one of them cannot be computed.
    std::optional<std::pair<std::vector<double>, std::vector<double>>> channelFactors(const RuleNewConstant& made) const
    {
        const Tensor* const shaped = m_context.host.constant(made.shapeOf >= 0 ? made.shapeOf : made.like);
        if (!shaped)
            return std::nullopt;
        const Tensor* const like = made.like >= 0 ? m_context.host.constant(made.like) : nullptr;
        if (made.like >= 0 && (!like || !like->isPresent()))
            return std::nullopt;
        const Shape& shape = shaped->desc.shape;
        if (!shape.isStatic())
            return std::nullopt;
        const std::size_t channels = made.axis < shape.rank() ? static_cast<std::size_t>(shape.dim(made.axis)) : 1;
        std::vector<double> scale(channels, 1.0), shift(channels, 0.0);
        for (std::size_t c = 0; c < channels; ++c) {
            m_context.host.setChannel(c);
            for (auto [formula, into] : {std::pair{&made.scale, &scale[c]}, std::pair{&made.shift, &shift[c]}}) {
                if (formula->isEmpty())
                    continue;
                const FormulaValue value = formula->evaluate(m_context.host);
                if (!value.isKnown)
                    return std::nullopt;
                *into = value.number;
            }
        }
        return std::pair{std::move(scale), std::move(shift)};
    }

    /// Whether a constant can be made; decided before anything is changed.
    bool canMake(const RuleNewConstant& made) const
    {
        return made.movesBytes() ? movedBytes(made, true).has_value() : channelFactors(made).has_value();
    }

    /// Constants joined along an axis, or an equal part of one. Absent values stay absent: only the shape is new.
    std::optional<Tensor> movedBytes(const RuleNewConstant& made, bool isTrial) const
    {
        std::vector<const Tensor*> sources;
        for (const int element : made.joined)
            sources.push_back(m_context.host.constant(element));
        if (made.joined.empty())
            sources.push_back(m_context.host.constant(made.like));
        if (std::find(sources.begin(), sources.end(), nullptr) != sources.end())
            return std::nullopt;
        const Tensor& first = *sources.front();
        const Shape& shape = first.desc.shape;
        const int bits = dataTypeBits(first.desc.dtype);
        if (!shape.isStatic() || made.axis >= shape.rank() || bits < 8)
            return std::nullopt;
        const auto axis = static_cast<std::size_t>(made.axis);
        std::int64_t length = 0;
        bool arePresent = true;
        for (const Tensor* const source : sources) {
            std::vector<std::int64_t> dims = source->desc.shape.dims(), wanted = shape.dims();
            if (dims.size() != wanted.size() || source->desc.dtype != first.desc.dtype)
                return std::nullopt;
            length += dims[axis];
            dims[axis] = wanted[axis] = 0;
            if (dims != wanted)
                return std::nullopt;
            arePresent = arePresent && source->isPresent();
        }
        if (made.parts > 0 && length % made.parts != 0)
            return std::nullopt;
        if (made.parts > 0)
            length /= made.parts;
        Tensor result;
        result.desc = first.desc;
        Shape newShape = shape;
        newShape.setDim(axis, length);
        result.desc.setShape(newShape);
        if (isTrial || !arePresent)
            return result;
        std::size_t outer = 1, inner = static_cast<std::size_t>(bits / 8);
        for (std::size_t i = 0; i < shape.dims().size(); ++i)
            (i < axis ? outer : inner) *= i == axis ? 1 : static_cast<std::size_t>(shape[i]);
        std::vector<std::byte> bytes;
        bytes.reserve(outer * inner * static_cast<std::size_t>(length));
        for (std::size_t row = 0; row < outer; ++row) {
            for (const Tensor* const source : sources) {
                const std::size_t whole = static_cast<std::size_t>(source->desc.shape[axis]) * inner;
                const std::size_t taken = made.parts > 0 ? static_cast<std::size_t>(length) * inner : whole;
                const std::byte* const from =
                    source->data.data() + row * whole + static_cast<std::size_t>(made.part) * taken * (made.parts > 0);
                bytes.insert(bytes.end(), from, from + taken);
            }
        }
        result.data = Bytes::owned(std::move(bytes));
        return result;
    }

    /// new = like × scale + shift, channel by channel.
    std::optional<Tensor> makeConstant(const RuleNewConstant& made) const
    {
        if (made.movesBytes())
            return movedBytes(made, false);
        const auto factors = channelFactors(made);
        if (!factors)
            return std::nullopt;
        const auto& [scale, shift] = *factors;
        const Tensor* const like = made.like >= 0 ? m_context.host.constant(made.like) : nullptr;
        const Tensor* const shaped = made.shapeOf >= 0 ? m_context.host.constant(made.shapeOf) : like;
        const auto count = static_cast<std::size_t>(shaped->elementCount());
        std::vector<double> values(count, 0.0);
        if (like) {
            auto read = like->asDoubles(std::size_t{1} << 30);
            if (!read || read->size() != count)
                return std::nullopt;
            values = std::move(*read);
        }
        const Shape& shape = shaped->desc.shape;
        std::size_t inner = 1;
        for (int i = made.axis + 1; i < shape.rank(); ++i)
            inner *= static_cast<std::size_t>(shape.dim(i));
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t channel = i / inner % scale.size();
            values[i] = values[i] * scale[channel] + shift[channel];
        }
        if (made.isFlat)
            return Tensor::fromDoubles(values, Shape{static_cast<std::int64_t>(count)}, shaped->desc.dtype);
        Tensor tensor = Tensor::fromDoubles(values, shape, shaped->desc.dtype);
        tensor.desc.format = shaped->desc.format;
        tensor.desc.originFormat = shaped->desc.originFormat;
        return tensor;
    }

private:
    void addPort(const Port& port, const RuleNewNode& node, NodeSpec& result, std::vector<RuleSource>& sources) const
    {
        int number = 0;
        for (const RuleSource& source : node.inputs) {
            if (source.port != port.name || !isConnected(source))
                continue;
            if (number > 0 && port.kind != PortKind::Dynamic)
                break;
            const std::string name =
                port.kind == PortKind::Dynamic ? fmt::format("{}{}", port.name, number) : port.name;
            ++number;
            TensorDesc desc;
            if (!source.isNew())
                desc = m_context.graph.outputDesc(m_context.match.resolve(m_rule, source.element));
            desc.name.clear();
            result.inputs.emplace_back(name, std::move(desc));
            sources.push_back(source);
        }
        if (number > 0 || port.kind == PortKind::Dynamic)
            return;
        result.inputs.emplace_back(port.name, TensorDesc::unconnected());
        sources.push_back({});
    }

    void setAttr(const RuleAttr& attr, AttrMap& attrs) const
    {
        if (!attr.when.isEmpty() && !attr.when.evaluate(m_context.host).isTrue())
            return;
        switch (attr.kind) {
        case RuleAttr::Kind::Text:
            attrs[attr.name] = attr.text;
            return;
        case RuleAttr::Kind::Copy: {
            const OutputRef from = m_context.match.resolve(m_rule, {attr.element});
            if (!from.isValid())
                return;
            const AttrMap& source = m_context.graph.node(from.node).attrs;
            if (const auto found = source.find(attr.text); found != source.end())
                attrs[attr.name] = found->second;
            return;
        }
        case RuleAttr::Kind::IntsOf: {
            const Tensor* const value = m_context.host.constant(attr.element);
            if (auto list = value ? value->asInts() : std::nullopt)
                attrs[attr.name] = std::move(*list);
            return;
        }
        case RuleAttr::Kind::ShapeOf: {
            if (const TensorDesc* const desc = m_context.host.desc(attr.element))
                attrs[attr.name] = desc->originShape.dims();
            return;
        }
        case RuleAttr::Kind::Ints: {
            IntList list;
            for (const Formula& formula : attr.numbers)
                list.push_back(static_cast<std::int64_t>(std::llround(formula.evaluate(m_context.host).number)));
            attrs[attr.name] = std::move(list);
            return;
        }
        default:
            break;
        }
        const FormulaValue value = attr.number.evaluate(m_context.host);
        if (!value.isKnown)
            return;
        if (attr.kind == RuleAttr::Kind::Int)
            attrs[attr.name] = static_cast<std::int64_t>(std::llround(value.number));
        else if (attr.kind == RuleAttr::Kind::Bool)
            attrs[attr.name] = value.number != 0;
        else
            attrs[attr.name] = value.number;
    }

    const CheckContext& m_context;
    const Rule& m_rule;
};

bool haveSameDims(const Shape& a, const Shape& b) { return a.hasRank() && b.hasRank() && a.dims() == b.dims(); }

} // namespace

void checkReplacement(const CheckContext& context, CheckList& list)
{
    const Replacement replacement(context);
    const Rule& rule = context.rule;
    for (const RuleNewConstant& made : rule.newConstants) {
        if (!made.when.isEmpty() && !made.when.evaluate(context.host).isTrue())
            continue;
        if (replacement.canMake(made))
            continue;
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
        if (!replacement.isMade(rule.newNodes[n]))
            continue;
        std::vector<RuleSource> sources;
        const NodeSpec spec = replacement.spec(rule.newNodes[n], sources);
        const OpDef& def = *OpRegistry::instance().find(spec.type);
        const bool usesNew =
            std::any_of(sources.begin(), sources.end(), [](const RuleSource& source) { return source.isNew(); });
        if (usesNew || !def.inferFunction())
            continue;
        Node node;
        node.name = rule.newNodes[n].name;
        node.type = spec.type;
        node.attrs = spec.attrs;
        for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
            const OutputRef source = context.match.resolve(rule, sources[i].element);
            node.inputs.push_back({spec.inputs[i].second, source, spec.inputs[i].first});
        }
        for (const auto& [name, desc] : spec.outputs)
            node.outputs.push_back({desc, {}, name});
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
            if (output.newNode != static_cast<int>(n) || !check.held || !old.isValid())
                continue;
            const auto at = static_cast<std::size_t>(output.output);
            if (at >= infer.outputs().size() || !infer.outputs()[at])
                continue;
            const Shape& gives = infer.outputs()[at]->originShape;
            const Shape& wants = context.graph.outputDesc(old).originShape;
            if (!gives.isStatic() || !wants.isStatic() || haveSameDims(gives, wants))
                continue;
            check.held = false;
            check.what = fmt::format("{} would give {} in place of {}", spec.type, gives.text(), wants.text());
        }
        list.add(std::move(check), "Change the operands so that the fused operator takes them.");
    }
}

namespace
{

class Rewriter
{
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
        for (const RuleNewConstant& constant : m_rule.newConstants)
            addConstant(constant);
        for (const RuleNewNode& node : m_rule.newNodes)
            addNode(node);
        moveBehind(between);
        std::vector<std::pair<OutputRef, OutputRef>> replaced;
        for (const RuleOutput& output : m_rule.outputs) {
            const OutputRef old = m_context.match.resolve(m_rule, output.of);
            if (old.isValid() && m_nodes[static_cast<std::size_t>(output.newNode)].isValid())
                replaced.emplace_back(old, OutputRef{m_nodes[static_cast<std::size_t>(output.newNode)], output.output});
        }
        for (const auto& [from, to] : replaced)
            m_editor.replaceUses(from, to);
        const OutputRef root = m_context.match.resolve(m_rule, m_rule.root);
        NodeId into;
        for (const auto& [from, to] : replaced)
            if (from == root)
                into = to.node;
        GELENS_ASSERT(into.isValid()); // checkReplacement saw it
        writeOrigins(into);
        std::vector<std::pair<NodeId, std::string>> renames;
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            if (!m_nodes[i].isValid())
                continue;
            const OutputRef named = m_context.match.resolve(m_rule, {m_rule.newNodes[i].nameOf});
            if (named.isValid())
                renames.emplace_back(m_nodes[i], m_editor.node(named.node).name);
        }
        removeMembers(into);
        for (const auto& [id, name] : renames)
            m_editor.rename(id, m_editor.uniqueName(name, m_editor.node(id).graph));
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
        if (!made.when.isEmpty() && !made.when.evaluate(m_context.host).isTrue())
            return;
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
            if (const auto found = attrs.find(name); found != attrs.end())
                spec.attrs[name] = found->second;
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
            if (!source.isValid())
                continue;
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
        if (!def.inferFunction())
            return;
        InferContext infer(m_editor.graph(), node);
        if (const Status status = def.inferFunction()(infer); !status)
            return;
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
            if (std::find(list.begin(), list.end(), text) == list.end())
                list.push_back(text);
        };
        for (const NodeId id : m_context.members) {
            const Node& node = m_editor.node(id);
            const StringList earlier = attrStrings(node.attrs, originNames);
            for (const std::string& name : earlier)
                add(names, name);
            if (earlier.empty())
                add(names, node.name);
            const StringList earlierTypes = attrStrings(node.attrs, originTypes);
            for (const std::string& type : earlierTypes)
                add(types, type);
            if (earlierTypes.empty())
                add(types, node.type);
        }
        m_editor.setAttr(into, originNames, names);
        m_editor.setAttr(into, originTypes, types);
    }

    bool isRead(NodeId id) const
    {
        const Node& node = m_editor.node(id);
        for (const OutputSlot& slot : node.outputs)
            if (!slot.consumers.empty())
                return true;
        for (int i = 0; i < node.outputCount(); ++i)
            if (m_index.isGraphOutput(node.output(i)))
                return true;
        return false;
    }

    void removeMembers(NodeId into)
    {
        std::vector<NodeId> constants;
        for (auto it = m_context.members.rbegin(); it != m_context.members.rend(); ++it) {
            // A root that is a graph output is read through the new node now, so it counts as unread.
            const Node& node = m_editor.node(*it);
            bool hasReaders = false;
            for (const OutputSlot& slot : node.outputs)
                hasReaders |= !slot.consumers.empty();
            if (hasReaders)
                continue; // shared
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
