// The second half of RuleBuilder: conditions, buffers and the replacement.

#include "engine/fusion/rule_builder_private.h"

#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {

/// Cuts "{formula}" out of a sentence and leaves "{0}", "{1}" … in its place.
bool RuleBuilder::sentence(const Scope& scope, RuleRequire& require)
{
    std::string text;
    std::string_view rest = require.what;
    for (std::size_t open; (open = rest.find('{')) != std::string_view::npos;) {
        const std::size_t close = rest.find('}', open);
        if (close == std::string_view::npos) return fail(scope, "what", -1, "'}' is missing");
        Formula parsed;
        if (!formula(scope, "what", -1, std::string(rest.substr(open + 1, close - open - 1)), parsed)) return false;
        text += rest.substr(0, open);
        text += fmt::format("{{{}}}", require.whatFormulas.size());
        require.whatFormulas.push_back(std::move(parsed));
        rest = rest.substr(close + 1);
    }
    require.what = text + std::string(rest);
    return true;
}

bool RuleBuilder::readRequires()
{
    for (int i = 0; i < m_source.require_size(); ++i) {
        const rules::Require& source = m_source.require(i);
        const Scope scope = nested("require", i);
        RuleRequire require;
        require.what = source.what();
        require.unit = source.unit();
        require.code = source.code();
        require.remedy = source.remedy();
        require.evidence = source.evidence().empty() ? m_rule.evidence : source.evidence()[0];
        if (source.that().empty()) return fail(scope, "what", -1, "the condition ('that') is missing");
        if (source.what().empty()) return fail(scope, "that", -1, "the sentence ('what') is missing");
        if (!source.reason().empty()) {
            const std::optional<Reason> reason = reasonFromName(source.reason());
            if (!reason || *reason == Reason::None)
                return fail(scope, "reason", -1, fmt::format("unknown reason '{}'", source.reason()));
            require.reason = *reason;
        }
        if (!formula(scope, "that", -1, source.that(), require.that)) return false;
        if (!formula(scope, "when", -1, source.when(), require.when)) return false;
        if (!formula(scope, "needs", -1, source.needs(), require.needs)) return false;
        if (!formula(scope, "has", -1, source.has(), require.has)) return false;
        if (!sentence(scope, require)) return false;
        m_rule.requires_.push_back(std::move(require));
    }
    return true;
}

bool RuleBuilder::readBuffers()
{
    for (int i = 0; i < m_source.buffer_size(); ++i) {
        const rules::Buffer& source = m_source.buffer(i);
        const Scope scope = nested("buffer", i);
        if (source.memory() == rules::MEMORY_UNSET || source.bytes().empty())
            return fail(scope, "name", -1, "a buffer needs memory and bytes");
        RuleBuffer buffer;
        buffer.name = source.name();
        buffer.memory = static_cast<OnChipMemory>(source.memory() - 1);
        if (!formula(scope, "bytes", -1, source.bytes(), buffer.bytes)) return false;
        m_rule.buffers.push_back(std::move(buffer));
    }
    for (int i = 0; i < m_source.on_chip_size(); ++i) {
        const int index = elementIndex(m_source.on_chip(i));
        if (index < 0 || m_rule.element(index).kind != ElementKind::Node)
            return fail(ruleScope(), "on_chip", i, fmt::format("'{}' is no node of the pattern", m_source.on_chip(i)));
        m_rule.onChip.push_back(index);
    }
    return true;
}

bool RuleBuilder::readNewConstants()
{
    for (int i = 0; i < m_source.new_const_size(); ++i) {
        const rules::NewConstant& source = m_source.new_const(i);
        const Scope scope = nested("new_const", i);
        RuleNewConstant constant;
        constant.name = source.name();
        constant.axis = source.axis();
        if (source.like().empty() && source.shape_of().empty() && source.concat_size() == 0)
            return fail(scope, "name", -1, "'like' or 'shape_of' is missing");
        if (elementIndex(source.name()) >= 0 || source.name().empty())
            return fail(scope, "name", -1, fmt::format("'{}' is taken or no name", source.name()));
        if (source.axis() < 0) return fail(scope, "axis", -1, "the axis must not be negative");
        if (!element(scope, "like", source.like(), constant.like)) return false;
        if (!element(scope, "shape_of", source.shape_of(), constant.shapeOf)) return false;
        if (!formula(scope, "scale", -1, source.scale(), constant.scale)) return false;
        if (!formula(scope, "shift", -1, source.shift(), constant.shift)) return false;
        if (!formula(scope, "when", -1, source.when(), constant.when)) return false;
        std::vector<int> used = constant.scale.elements();
        const std::vector<int> more = constant.shift.elements();
        used.insert(used.end(), more.begin(), more.end());
        constant.parts = source.parts();
        constant.part = source.part();
        if (constant.parts < 0 || constant.part < 0 ||
            (constant.parts > 0 && (constant.part >= constant.parts || constant.like < 0)))
            return fail(scope, "parts", -1, "a part needs 'like', and 0 <= part < parts");
        for (int k = 0; k < source.concat_size(); ++k) {
            const int index = elementIndex(source.concat(k));
            if (index < 0 || m_rule.element(index).kind != ElementKind::Constant)
                return fail(scope, "concat", k, fmt::format("'{}' is no constant of the pattern", source.concat(k)));
            constant.joined.push_back(index);
        }
        if (constant.like >= 0 && constant.parts == 0) used.push_back(constant.like);
        constant.isFlat = source.flat();
        for (const int index : used) {
            PatternElement& operand = m_rule.elements[static_cast<std::size_t>(index)];
            if (operand.kind == ElementKind::Constant)
                operand.needsValue = true;
            else if (operand.kind == ElementKind::Input)
                return fail(scope, "name", -1,
                            fmt::format("'{}' is no constant, so nothing can be computed from it", operand.name));
        }
        m_rule.newConstants.push_back(std::move(constant));
    }
    return true;
}

bool RuleBuilder::readAttr(const Scope& scope, const rules::NewAttr& source, RuleAttr& attr)
{
    attr.name = source.name();
    if (attr.name.empty()) return fail(scope, "name", -1, "the attribute has no name");
    if (!formula(scope, "when", -1, source.when(), attr.when)) return false;
    if (!source.int_().empty())
        return attr.kind = RuleAttr::Kind::Int, formula(scope, "int", -1, source.int_(), attr.number);
    if (!source.float_().empty())
        return attr.kind = RuleAttr::Kind::Float, formula(scope, "float", -1, source.float_(), attr.number);
    if (!source.bool_().empty())
        return attr.kind = RuleAttr::Kind::Bool, formula(scope, "bool", -1, source.bool_(), attr.number);
    if (!source.text().empty()) {
        attr.kind = RuleAttr::Kind::Text;
        attr.text = source.text();
        return true;
    }
    if (source.ints_size() > 0) {
        attr.kind = RuleAttr::Kind::Ints;
        for (int i = 0; i < source.ints_size(); ++i) {
            attr.numbers.emplace_back();
            if (!formula(scope, "ints", i, source.ints(i), attr.numbers.back())) return false;
        }
        return true;
    }
    if (!source.ints_of().empty()) {
        attr.kind = RuleAttr::Kind::IntsOf;
        if (!element(scope, "ints_of", source.ints_of(), attr.element)) return false;
        m_rule.elements[static_cast<std::size_t>(attr.element)].needsValue = true;
        return true;
    }
    if (!source.shape_of().empty()) {
        attr.kind = RuleAttr::Kind::ShapeOf;
        return element(scope, "shape_of", source.shape_of(), attr.element);
    }
    const std::size_t dot = source.copy().find('.');
    if (dot == std::string::npos) return fail(scope, "name", -1, "the attribute has no value");
    attr.kind = RuleAttr::Kind::Copy;
    attr.text = source.copy().substr(dot + 1);
    return element(scope, "copy", source.copy().substr(0, dot), attr.element);
}

bool RuleBuilder::readNewNodes()
{
    for (int i = 0; i < m_source.new_node_size(); ++i) {
        const rules::NewNode& source = m_source.new_node(i);
        const Scope scope = nested("new_node", i);
        RuleNewNode node;
        node.name = source.name();
        node.type = source.op();
        if (!element(scope, "attrs_of", source.attrs_of(), node.attrsOf) ||
            !element(scope, "name_of", source.name_of(), node.nameOf) ||
            !element(scope, "op_of", source.op_of(), node.typeOf) ||
            !formula(scope, "when", -1, source.when(), node.when))
            return false;
        if (node.type.empty() && node.typeOf < 0) return fail(scope, "name", -1, "op or op_of is missing");
        const std::vector<std::string> types =
            node.type.empty() ? m_rule.element(node.typeOf).types : std::vector{node.type};
        if (types.empty()) return fail(scope, "op_of", -1, "op_of must name an operator of the pattern");
        for (const std::string& type : types)
            if (!OpRegistry::instance().find(type))
                return fail(scope, "op", -1, fmt::format("unknown operator type '{}'", type));
        for (int k = 0; k < source.in_size(); ++k) {
            const std::string& text = source.in(k);
            const std::size_t equals = text.find('=');
            RuleSource input;
            input.port = text.substr(0, equals);
            const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
            for (const std::string& type : types) {
                const auto& ports = OpRegistry::instance().find(type)->inputs();
                const bool hasPort =
                    std::any_of(ports.begin(), ports.end(), [&](const Port& port) { return port.name == input.port; });
                if (!hasPort) return fail(scope, "in", k, fmt::format("'{}' has no input '{}'", type, input.port));
            }
            const std::string name = value.substr(0, value.find(':'));
            const auto isNamed = [&](const auto& made) { return made.name == name; };
            const auto constant = std::find_if(m_rule.newConstants.begin(), m_rule.newConstants.end(), isNamed);
            const auto earlier = std::find_if(m_rule.newNodes.begin(), m_rule.newNodes.end(), isNamed);
            if (constant != m_rule.newConstants.end()) {
                input.newConstant = static_cast<int>(constant - m_rule.newConstants.begin());
            } else if (earlier != m_rule.newNodes.end()) {
                input.newNode = static_cast<int>(earlier - m_rule.newNodes.begin());
                if (name.size() < value.size())
                    input.newOutput = std::clamp(std::atoi(value.c_str() + name.size() + 1), 0, 63);
            } else if (!reference(scope, "in", k, value, input.element)) {
                return false;
            }
            node.inputs.push_back(std::move(input));
        }
        for (int k = 0; k < source.attr_size(); ++k) {
            node.attrs.emplace_back();
            if (!readAttr(nested(scope, "attr", k), source.attr(k), node.attrs.back())) return false;
        }
        m_rule.newNodes.push_back(std::move(node));
    }
    return true;
}

bool RuleBuilder::readOutputs()
{
    for (int i = 0; i < m_source.output_size(); ++i) {
        const rules::OutputMap& source = m_source.output(i);
        const Scope scope = nested("output", i);
        RuleOutput output;
        if (!reference(scope, "of", -1, source.of(), output.of)) return false;
        const std::size_t colon = source.by().find(':');
        const std::string name = source.by().substr(0, colon);
        const auto made = std::find_if(m_rule.newNodes.begin(), m_rule.newNodes.end(),
                                       [&](const RuleNewNode& node) { return node.name == name; });
        if (made == m_rule.newNodes.end()) return fail(scope, "by", -1, fmt::format("unknown new node '{}'", name));
        output.newNode = static_cast<int>(made - m_rule.newNodes.begin());
        output.output = colon == std::string::npos ? 0 : std::atoi(source.by().c_str() + colon + 1);
        if (output.output < 0 || output.output > 63) return fail(scope, "by", -1, "bad output number");
        m_rule.outputs.push_back(output);
    }
    const bool hasRoot = std::any_of(m_rule.outputs.begin(), m_rule.outputs.end(), [this](const RuleOutput& output) {
        return output.of.element == m_rule.root.element;
    });
    return hasRoot || fail(ruleScope(), "id", -1, "no output replaces the root");
}

} // namespace gelens
