#include "engine/graph/attribute.h"

#include "engine/graph/graph.h"
#include "engine/graph/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <mutex>

namespace gelens {
namespace {

template <typename T>
struct IsVector : std::false_type {
};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {
};

// Equality by value. Floats compare by bits: a NaN attribute set again is no change, and -0 differs from 0 in a dump.
template <typename T>
bool sameValue(const T& a, const T& b)
{
    return a == b;
}
bool sameValue(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }
template <typename T>
bool sameValue(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b)
{
    if (a == b) return true;
    if (!a || !b) return false;
    if constexpr (std::is_same_v<T, Graph>)
        return a->fingerprint() == b->fingerprint();
    else
        return *a == *b;
}
template <typename T>
bool sameValue(const std::vector<T>& a, const std::vector<T>& b)
{
    if constexpr (std::is_same_v<T, bool>)
        return a == b;
    else
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const T& x, const T& y) { return sameValue(x, y); });
}

/// Text under construction that stops growing at a limit, so that a list of millions costs no more than a short one.
class LimitedText {
public:
    explicit LimitedText(std::size_t limit) : m_limit(limit) {}
    bool isFull() const { return m_text.size() > m_limit; }
    void add(std::string_view part)
    {
        if (!isFull()) m_text.append(part.substr(0, m_limit + 1));
    }
    std::string take()
    {
        if (!isFull()) return std::move(m_text);
        constexpr std::string_view ellipsis = "…";
        std::size_t end = m_limit >= ellipsis.size() ? m_limit - ellipsis.size() : m_limit;
        while (end > 0 && (static_cast<unsigned char>(m_text[end]) & 0xc0) == 0x80)
            --end; // not within a UTF-8 character
        m_text.resize(end);
        if (m_limit >= ellipsis.size()) m_text += ellipsis;
        return std::move(m_text);
    }

private:
    std::size_t m_limit;
    std::string m_text;
};

void addValue(LimitedText& out, std::monostate) { out.add("none"); }
void addValue(LimitedText& out, std::int64_t value) { out.add(fmt::format("{}", value)); }
void addValue(LimitedText& out, float value) { out.add(fmt::format("{}", value)); }
void addValue(LimitedText& out, bool value) { out.add(value ? "true" : "false"); }
void addValue(LimitedText& out, const std::string& value)
{
    out.add("\"");
    for (std::size_t i = 0; i < value.size() && !out.isFull(); ++i) {
        const char c = value[i];
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out.add(std::string{'\\', c});
        else if (c == '\n')
            out.add("\\n");
        else if (c == '\t')
            out.add("\\t");
        else if (byte < 0x20 || byte == 0x7f)
            out.add(fmt::format("\\x{:02x}", byte));
        else
            out.add(std::string_view(&c, 1));
    }
    out.add("\"");
}
void addValue(LimitedText& out, const RawBytes& value) { out.add(fmt::format("<{} bytes>", value.bytes.size())); }
void addValue(LimitedText& out, DataType value) { out.add(dataTypeShortName(value)); }
void addValue(LimitedText& out, const Expression& value) { out.add(value.text); }
void addDesc(LimitedText& out, std::string_view kind, const TensorDesc& desc)
{
    out.add(fmt::format("<{} {} {}>", kind, dataTypeShortName(desc.dtype), desc.shape.text()));
}
void addValue(LimitedText& out, const AttrValue::TensorPtr& value)
{
    if (value)
        addDesc(out, "tensor", value->desc);
    else
        out.add("<no tensor>");
}
void addValue(LimitedText& out, const AttrValue::TensorDescPtr& value)
{
    if (value)
        addDesc(out, "descriptor", *value);
    else
        out.add("<no descriptor>");
}
void addValue(LimitedText& out, const AttrValue::GraphPtr& value)
{
    out.add(value ? fmt::format("<graph {}, {} nodes>", value->name(), value->nodeCount()) : "<no graph>");
}
void addValue(LimitedText& out, const NamedAttrs& value)
{
    out.add(fmt::format("{}{{", value.name));
    bool isFirst = true;
    if (value.attrs) {
        for (const auto& [name, attr] : *value.attrs) {
            if (out.isFull()) break;
            out.add(isFirst ? "" : ", ");
            out.add(name + "=");
            out.add(attr.text(80));
            isFirst = false;
        }
    }
    out.add("}");
}
void addValue(LimitedText& out, UntypedList) { out.add("[]"); }
template <typename T>
void addValue(LimitedText& out, const std::vector<T>& values)
{
    out.add("[");
    for (std::size_t i = 0; i < values.size() && !out.isFull(); ++i) {
        if (i > 0) out.add(", ");
        addValue(out, static_cast<const T&>(values[i]));
    }
    out.add("]");
}

constexpr std::string_view kindNames[] = {
    "none",
    "int",
    "float",
    "bool",
    "string",
    "bytes",
    "data type",
    "expression",
    "tensor",
    "descriptor",
    "graph",
    "named attributes",
    "list of int",
    "list of float",
    "list of bool",
    "list of string",
    "list of bytes",
    "list of data type",
    "list of tensor",
    "list of descriptor",
    "list of graph",
    "list of named attributes",
    "list of int lists",
    "list of float lists",
    "empty list",
};
static_assert(std::size(kindNames) == std::variant_size_v<AttrValue::Variant>);

template <typename T>
const T* lookUp(const AttrMap& attrs, std::string_view name)
{
    const auto found = attrs.find(name);
    return found == attrs.end() ? nullptr : found->second.as<T>();
}

} // namespace

bool NamedAttrs::operator==(const NamedAttrs& other) const
{
    static const AttrMap none;
    return name == other.name &&
           (attrs == other.attrs || (attrs ? *attrs : none) == (other.attrs ? *other.attrs : none));
}

AttrValue::AttrValue(Tensor value) : m_value(std::make_shared<const Tensor>(std::move(value))) {}

std::string AttrValue::text(std::size_t limit) const
{
    LimitedText out(limit);
    std::visit([&out](const auto& value) { addValue(out, value); }, m_value);
    return out.take();
}

std::string_view AttrValue::kindName() const { return kindNames[m_value.index()]; }

bool AttrValue::operator==(const AttrValue& other) const
{
    if (m_value.index() != other.m_value.index()) return false;
    return std::visit(
        [&other](const auto& value) {
            using T = std::decay_t<decltype(value)>;
            return sameValue(value, std::get<T>(other.m_value));
        },
        m_value);
}

AttrMap& AttrMap::operator=(const AttrMap& other)
{
    if (this == &other) return *this;
    // What is not decoded yet is not decoded for a copy either. Once the flag is down the other map no longer changes.
    const bool isPending = other.m_isPending.load(std::memory_order_acquire);
    m_map = isPending ? Map{} : other.m_map;
    m_source = isPending ? other.m_source : nullptr;
    m_place = other.m_place;
    m_isPending.store(isPending, std::memory_order_release);
    return *this;
}

AttrMap& AttrMap::operator=(AttrMap&& other) noexcept
{
    if (this == &other) return *this;
    m_map = std::move(other.m_map);
    m_source = std::move(other.m_source);
    m_place = other.m_place;
    m_isPending.store(other.m_isPending.exchange(false), std::memory_order_release);
    return *this;
}

void AttrMap::load() const
{
    // Maps are many and looks at the same one at the same time are few: they share some locks. Decoding happens outside
    // of them, since an attribute may hold a graph with maps of its own; who comes second throws its result away.
    static std::array<std::mutex, 64> locks;
    Map loaded = m_source->load(m_place);
    const std::scoped_lock lock(locks[(reinterpret_cast<std::uintptr_t>(this) >> 6) % locks.size()]);
    if (!m_isPending.load(std::memory_order_relaxed)) return;
    m_map = std::move(loaded);
    m_isPending.store(false, std::memory_order_release);
}

std::int64_t attrInt(const AttrMap& attrs, std::string_view name, std::int64_t otherwise)
{
    if (const auto* value = lookUp<std::int64_t>(attrs, name)) return *value;
    if (const auto* type = lookUp<DataType>(attrs, name)) return static_cast<std::int64_t>(*type);
    return otherwise;
}

double attrFloat(const AttrMap& attrs, std::string_view name, double otherwise)
{
    if (const auto* value = lookUp<float>(attrs, name)) return static_cast<double>(*value);
    if (const auto* value = lookUp<std::int64_t>(attrs, name)) return static_cast<double>(*value);
    return otherwise;
}

bool attrBool(const AttrMap& attrs, std::string_view name, bool otherwise)
{
    if (const auto* value = lookUp<bool>(attrs, name)) return *value;
    if (const auto* value = lookUp<std::int64_t>(attrs, name)) return *value != 0;
    return otherwise;
}

std::string attrString(const AttrMap& attrs, std::string_view name, std::string_view otherwise)
{
    if (const auto* value = lookUp<std::string>(attrs, name)) return *value;
    return std::string(otherwise);
}

IntList attrInts(const AttrMap& attrs, std::string_view name, IntList otherwise)
{
    if (const auto* value = lookUp<IntList>(attrs, name)) return *value;
    if (lookUp<UntypedList>(attrs, name)) return {};
    return otherwise;
}

FloatList attrFloats(const AttrMap& attrs, std::string_view name)
{
    if (const auto* value = lookUp<FloatList>(attrs, name)) return *value;
    return {};
}

StringList attrStrings(const AttrMap& attrs, std::string_view name)
{
    if (const auto* value = lookUp<StringList>(attrs, name)) return *value;
    return {};
}

const Tensor* attrTensor(const AttrMap& attrs, std::string_view name)
{
    const auto* value = lookUp<AttrValue::TensorPtr>(attrs, name);
    return value ? value->get() : nullptr;
}

} // namespace gelens
