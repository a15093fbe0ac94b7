#include "engine/fusion/rule_builder_private.h"

#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace gelens {

namespace {

constexpr int maxElements = 96;
constexpr std::size_t maxTileValues = 64;

bool isName(std::string_view text)
{
    if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
    return std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

} // namespace

std::optional<Rule> RuleBuilder::build()
{
    const bool isSound = readHeader() && declareElements() && readNodes() && readLets() && readConstants() &&
                         checkAcyclic() && readRoot() && readRequires() && readBuffers() && readNewConstants() &&
                         readNewNodes() && readOutputs();
    if (!isSound) return std::nullopt;
    return std::move(m_rule);
}

int RuleBuilder::elementIndex(std::string_view name) const { return m_rule.findElement(name); }

int RuleBuilder::variableIndex(std::string_view name) const
{
    for (std::size_t i = 0; i < m_rule.lets.size(); ++i)
        if (m_rule.lets[i].name == name) return static_cast<int>(i);
    for (std::size_t i = 0; i < m_rule.tiles.size(); ++i)
        if (m_rule.tiles[i].name == name) return static_cast<int>(m_source.let_size() + static_cast<int>(i));
    return -1;
}

RuleBuilder::Scope RuleBuilder::nested(const Scope& scope, const char* field, int index)
{
    const auto* const descriptor = scope.type->FindFieldByName(field);
    return {scope.tree ? scope.tree->GetTreeForNested(descriptor, index) : nullptr, descriptor->message_type()};
}

bool RuleBuilder::fail(const Scope& scope, const char* field, int index, std::string what)
{
    m_error = std::move(what);
    const auto* const descriptor = field ? scope.type->FindFieldByName(field) : nullptr;
    if (scope.tree && descriptor) {
        const auto place = scope.tree->GetLocation(descriptor, descriptor->is_repeated() ? index : -1);
        m_place = {place.line, place.column};
    }
    return false;
}

bool RuleBuilder::formula(const Scope& scope, const char* field, int index, const std::string& text, Formula& into)
{
    if (text.empty()) return true;
    Result<Formula> parsed = Formula::parse(text, *this);
    if (!parsed) return fail(scope, field, index, parsed.error().what);
    into = std::move(*parsed);
    return true;
}

bool RuleBuilder::reference(const Scope& scope, const char* field, int index, std::string text, PatternRef& into)
{
    if (text == "_") return true;
    if (!text.empty() && text.back() == '?') {
        into.mayBeMissing = true;
        text.pop_back();
    }
    if (const std::size_t colon = text.find(':'); colon != std::string::npos) {
        const std::string number = text.substr(colon + 1);
        if (number == "*") {
            into.output = PatternRef::anyOutput;
        } else {
            const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), into.output);
            if (code != std::errc{} || end != number.data() + number.size() || into.output < 0 || into.output > 1000)
                return fail(scope, field, index, fmt::format("'{}' is no output number", number));
        }
        text.resize(colon);
    }
    into.element = elementIndex(text);
    if (into.element < 0) return fail(scope, field, index, fmt::format("unknown element '{}'", text));
    return true;
}

bool RuleBuilder::element(const Scope& scope, const char* field, const std::string& name, int& into)
{
    if (name.empty()) return true;
    into = elementIndex(name);
    return into >= 0 || fail(scope, field, -1, fmt::format("unknown element '{}'", name));
}

bool RuleBuilder::readHeader()
{
    const Scope scope = ruleScope();
    if (!isName(m_source.id())) return fail(scope, "id", -1, "an id of letters, digits and '_' is needed");
    if (m_source.evidence().size() != 1 ||
        !(std::string_view("SDPNA").find(m_source.evidence()[0]) != std::string_view::npos))
        return fail(scope, "evidence", -1, "evidence must be one of S, D, P, N, A");
    m_rule.id = m_source.id();
    m_rule.gePass = m_source.ge_pass().empty() ? m_source.id() : m_source.ge_pass();
    m_rule.summary = m_source.summary();
    m_rule.source = m_source.source();
    m_rule.socRemedy = m_source.soc_remedy();
    m_rule.evidence = m_source.evidence()[0];
    m_rule.group = static_cast<RuleGroup>(m_source.group());
    m_rule.priority = m_source.priority();
    m_rule.unit = static_cast<RuleUnit>(m_source.unit());
    m_rule.isAlwaysOn = m_source.always_on();
    m_rule.isOffByDefault = m_source.off_by_default();
    m_rule.isStaticOnly = m_source.static_only();
    m_rule.forbidsControlEdges = m_source.no_control_edges();
    m_rule.isNdOnly = m_source.nd_only();
    m_rule.socs.assign(m_source.soc().begin(), m_source.soc().end());
    m_rule.otherSocs.assign(m_source.not_soc().begin(), m_source.not_soc().end());
    if (m_rule.unit == RuleUnit::Unset) return fail(scope, "unit", -1, "unit is missing");
    for (int i = 0; i < m_source.dtype_size(); ++i) {
        const DataType dtype = dataTypeFromName(m_source.dtype(i));
        if (dtype == DataType::Undefined)
            return fail(scope, "dtype", i, fmt::format("unknown type '{}'", m_source.dtype(i)));
        m_rule.dtypes.push_back(dtype);
    }
    return true;
}

/// Gives every element its index first, so that references may point forward.
bool RuleBuilder::declareElements()
{
    const auto declare = [this](const char* field, int index, const std::string& name, ElementKind kind) {
        if (!isName(name)) return fail(nested(field, index), "name", -1, fmt::format("'{}' is no name", name));
        if (elementIndex(name) >= 0)
            return fail(nested(field, index), "name", -1, fmt::format("'{}' is defined twice", name));
        if (m_rule.elements.size() >= maxElements)
            return fail(nested(field, index), "name", -1, fmt::format("more than {} elements", maxElements));
        PatternElement element;
        element.name = name;
        element.kind = kind;
        m_rule.elements.push_back(std::move(element));
        return true;
    };
    for (int i = 0; i < m_source.node_size(); ++i)
        if (!declare("node", i, m_source.node(i).name(), ElementKind::Node)) return false;
    for (int i = 0; i < m_source.any_size(); ++i)
        if (!declare("any", i, m_source.any(i).name(), ElementKind::Any)) return false;
    for (int i = 0; i < m_source.input_size(); ++i)
        if (!declare("input", i, m_source.input(i).name(), ElementKind::Input)) return false;
    for (int i = 0; i < m_source.constant_size(); ++i)
        if (!declare("constant", i, m_source.constant(i).name(), ElementKind::Constant)) return false;
    if (m_source.node_size() == 0) return fail(ruleScope(), "id", -1, "the pattern has no node");
    return true;
}

bool RuleBuilder::readNodes()
{
    for (int i = 0; i < m_source.node_size(); ++i) {
        const rules::Node& source = m_source.node(i);
        const Scope scope = nested("node", i);
        PatternElement& node = m_rule.elements[static_cast<std::size_t>(i)];
        node.isCommutative = source.commutative();
        node.isOptional = source.optional();
        node.isShared = source.shared();
        node.ignoresMoreInputs = source.more_inputs();
        node.maxOutputs = source.max_outputs();
        if (source.op_size() == 0) return fail(scope, "name", -1, "a node needs at least one op");
        for (int k = 0; k < source.op_size(); ++k) {
            if (!OpRegistry::instance().find(source.op(k)))
                return fail(scope, "op", k, fmt::format("unknown operator type '{}'", source.op(k)));
            node.types.push_back(source.op(k));
        }
        for (int k = 0; k < source.in_size(); ++k) {
            PatternRef ref;
            if (!reference(scope, "in", k, source.in(k), ref)) return false;
            node.inputs.push_back(ref);
        }
        if (node.isCommutative && node.inputs.size() != 2)
            return fail(scope, "commutative", -1, "a commutative node has two inputs");
        if (node.isOptional) {
            if (source.skip_to().empty() && node.inputs.empty())
                return fail(scope, "optional", -1, "an optional node needs an input or skip_to");
            if (source.skip_to().empty())
                node.skipTo = node.inputs[0];
            else if (!reference(scope, "skip_to", -1, source.skip_to(), node.skipTo))
                return false;
            if (node.skipTo.element < 0) return fail(scope, "optional", -1, "skip_to must name an element");
        }
        if (!formula(scope, "when", -1, source.when(), node.when)) return false;
    }
    for (int i = 0; i < m_source.any_size(); ++i) {
        const Scope scope = nested("any", i);
        PatternElement& any = m_rule.elements[static_cast<std::size_t>(m_source.node_size() + i)];
        for (int k = 0; k < m_source.any(i).of_size(); ++k) {
            PatternRef ref;
            if (!reference(scope, "of", k, m_source.any(i).of(k), ref)) return false;
            if (ref.element < 0) return fail(scope, "of", k, "an element must be named");
            any.choices.push_back(ref);
        }
        if (any.choices.empty()) return fail(scope, "name", -1, "'any' needs at least one choice");
    }
    return true;
}

bool RuleBuilder::readLets()
{
    for (int i = 0; i < m_source.tile_size(); ++i) {
        const rules::Tile& source = m_source.tile(i);
        RuleTile tile{source.name(), {source.value().begin(), source.value().end()}};
        const bool isGood = isName(tile.name) && elementIndex(tile.name) < 0 && !tile.values.empty() &&
                            tile.values.size() <= maxTileValues &&
                            std::all_of(tile.values.begin(), tile.values.end(), [](auto v) { return v > 0; });
        if (!isGood) return fail(nested("tile", i), "name", -1, "a tile needs a name of its own and positive values");
        m_rule.tiles.push_back(std::move(tile));
    }
    for (int i = 0; i < m_source.let_size(); ++i) {
        const rules::Let& source = m_source.let(i);
        const Scope scope = nested("let", i);
        if (!isName(source.name()) || elementIndex(source.name()) >= 0 || variableIndex(source.name()) >= 0)
            return fail(scope, "name", -1, fmt::format("'{}' is taken or no name", source.name()));
        RuleLet let;
        let.name = source.name();
        let.label = source.label();
        let.unit = source.unit();
        let.step = std::max<std::int64_t>(source.step(), 1);
        if (source.formula().empty()) return fail(scope, "name", -1, "the formula is missing");
        // A let sees earlier lets only: it is not yet in the list.
        if (!formula(scope, "formula", -1, source.formula(), let.formula)) return false;
        m_rule.lets.push_back(std::move(let));
    }
    return true;
}

bool RuleBuilder::readConstants()
{
    const std::size_t first =
        static_cast<std::size_t>(m_source.node_size() + m_source.any_size() + m_source.input_size());
    for (int i = 0; i < m_source.constant_size(); ++i) {
        const rules::Constant& source = m_source.constant(i);
        const Scope scope = nested("constant", i);
        PatternElement& constant = m_rule.elements[first + static_cast<std::size_t>(i)];
        constant.isScalar = source.scalar();
        constant.isExact = source.exact() || source.exact_value();
        constant.isExactValue = source.exact_value();
        constant.tolerance = source.tolerance() > 0 ? source.tolerance() : 1e-3;
        if (!formula(scope, "value", -1, source.value(), constant.value)) return false;
        if (!formula(scope, "min", -1, source.min(), constant.min)) return false;
        if (!formula(scope, "max", -1, source.max(), constant.max)) return false;
        constant.needsValue =
            source.needs_value() || !source.value().empty() || !source.min().empty() || !source.max().empty();
    }
    return true;
}

/// References must not lead back to where they started: matching follows them.
bool RuleBuilder::checkAcyclic()
{
    const std::size_t count = m_rule.elements.size();
    const auto targets = [this](std::size_t i) {
        std::vector<PatternRef> refs = m_rule.elements[i].inputs;
        refs.insert(refs.end(), m_rule.elements[i].choices.begin(), m_rule.elements[i].choices.end());
        refs.push_back(m_rule.elements[i].skipTo);
        return refs;
    };
    std::vector<int> pending(count, 0);
    for (std::size_t i = 0; i < count; ++i)
        for (const PatternRef& ref : targets(i))
            if (ref.element >= 0) ++pending[static_cast<std::size_t>(ref.element)];
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < count; ++i)
        if (pending[i] == 0) ready.push_back(i);
    std::size_t done = 0;
    for (; done < ready.size(); ++done)
        for (const PatternRef& ref : targets(ready[done]))
            if (ref.element >= 0 && --pending[static_cast<std::size_t>(ref.element)] == 0)
                ready.push_back(static_cast<std::size_t>(ref.element));
    if (done == count) return true;
    const std::size_t bad = static_cast<std::size_t>(
        std::find_if(pending.begin(), pending.end(), [](int n) { return n > 0; }) - pending.begin());
    const bool isNode = bad < static_cast<std::size_t>(m_source.node_size());
    return fail(isNode ? nested("node", static_cast<int>(bad)) : ruleScope(), isNode ? "name" : "root", -1,
                fmt::format("the pattern runs in a circle through '{}'", m_rule.elements[bad].name));
}

bool RuleBuilder::readRoot()
{
    if (!reference(ruleScope(), "root", -1, m_source.root(), m_rule.root)) return false;
    if (m_rule.root.element < 0) return fail(ruleScope(), "root", -1, "the root must be named");
    return collectRootTypes();
}

bool RuleBuilder::collectRootTypes()
{
    std::vector<char> seen(m_rule.elements.size(), 0);
    std::vector<int> open{m_rule.root.element};
    std::set<std::string> types;
    while (!open.empty()) {
        const int index = open.back();
        open.pop_back();
        if (index < 0 || std::exchange(seen[static_cast<std::size_t>(index)], 1)) continue;
        const PatternElement& element = m_rule.element(index);
        if (element.kind == ElementKind::Input || element.kind == ElementKind::Constant)
            return fail(ruleScope(), "root", -1, "the root must be an operator, not an input or a constant");
        types.insert(element.types.begin(), element.types.end());
        if (element.isOptional) open.push_back(element.skipTo.element);
        for (const PatternRef& choice : element.choices) open.push_back(choice.element);
    }
    m_rule.rootTypes.assign(types.begin(), types.end());
    countPlainNodes();
    return true;
}

void RuleBuilder::countPlainNodes()
{
    std::vector<char> seen(m_rule.elements.size(), 0);
    std::vector<int> open{m_rule.root.element};
    while (!open.empty()) {
        const int index = open.back();
        open.pop_back();
        if (index < 0 || std::exchange(seen[static_cast<std::size_t>(index)], 1)) continue;
        const PatternElement& element = m_rule.element(index);
        if (element.kind == ElementKind::Any) open.push_back(element.choices.front().element);
        if (element.kind != ElementKind::Node) continue;
        if (element.isOptional) {
            open.push_back(element.skipTo.element);
            continue;
        }
        ++m_rule.plainNodeCount;
        for (const PatternRef& input : element.inputs) open.push_back(input.element);
    }
}

} // namespace gelens
