#pragma once
// Typed attributes of nodes, tensors and graphs, covering every kind that GE's AttrDef can hold.

#include "engine/graph/data_type.h"

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gelens {

class AttrMap;
struct Tensor;
struct TensorDesc;
class Graph;

/// Raw bytes, as opposed to text (AttrDef.bt).
struct RawBytes {
    std::string bytes;
    bool operator==(const RawBytes&) const = default;
};
/// A symbolic expression as text (AttrDef.expression).
struct Expression {
    std::string text;
    bool operator==(const Expression&) const = default;
};
/// A named bundle of attributes (AttrDef.func).
struct NamedAttrs {
    std::string name;
    std::shared_ptr<const AttrMap> attrs;
    bool operator==(const NamedAttrs& other) const;
};
/// An empty list whose element kind is not recorded (a `list` without val_type).
struct UntypedList {
    bool operator==(const UntypedList&) const = default;
};

using IntList = std::vector<std::int64_t>;
using FloatList = std::vector<float>;
using StringList = std::vector<std::string>;

/// One attribute value. Heavy kinds are shared and immutable, so copying a value is cheap.
class AttrValue {
public:
    using TensorPtr = std::shared_ptr<const Tensor>;
    using TensorDescPtr = std::shared_ptr<const TensorDesc>;
    using GraphPtr = std::shared_ptr<const Graph>;
    using Variant = std::variant<std::monostate, std::int64_t, float, bool, std::string, RawBytes, DataType, Expression,
                                 TensorPtr, TensorDescPtr, GraphPtr, NamedAttrs, IntList, FloatList, std::vector<bool>,
                                 StringList, std::vector<RawBytes>, std::vector<DataType>, std::vector<TensorPtr>,
                                 std::vector<TensorDescPtr>, std::vector<GraphPtr>, std::vector<NamedAttrs>,
                                 std::vector<IntList>, std::vector<FloatList>, UntypedList>;

    AttrValue() = default;
    template <typename T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) AttrValue(T value)
        : m_value(static_cast<std::int64_t>(value))
    {
    }
    AttrValue(bool value) : m_value(value) {}
    AttrValue(float value) : m_value(value) {}
    AttrValue(double value) : m_value(static_cast<float>(value)) {}
    AttrValue(const char* value) : m_value(std::string(value)) {}
    AttrValue(std::string_view value) : m_value(std::string(value)) {}
    AttrValue(std::string value) : m_value(std::move(value)) {}
    AttrValue(DataType value) : m_value(value) {}
    AttrValue(Variant value) : m_value(std::move(value)) {}
    AttrValue(IntList value) : m_value(std::move(value)) {}
    AttrValue(FloatList value) : m_value(std::move(value)) {}
    AttrValue(StringList value) : m_value(std::move(value)) {}
    AttrValue(Tensor value);
    AttrValue(TensorPtr value) : m_value(std::move(value)) {}

    template <typename T>
    const T* as() const
    {
        return std::get_if<T>(&m_value);
    }
    const Variant& variant() const { return m_value; }
    bool isSet() const { return m_value.index() != 0; }

    /// For people, at most `limit` characters: numbers, [lists], "text", <tensor fp32 [2, 3]>.
    std::string text(std::size_t limit = 200) const;
    /// Name of the kind: "int", "list of float", "tensor" …
    std::string_view kindName() const;

    bool operator==(const AttrValue& other) const; // by value, also for shared kinds

private:
    Variant m_value;
};

/// Where attributes come from that are decoded when somebody first looks at them: a file in memory. One source may serve
/// many maps; `place` tells them apart. load() may be called from several threads.
class AttrSource {
public:
    virtual ~AttrSource() = default;
    virtual std::map<std::string, AttrValue, std::less<>> load(std::uint64_t place) const = 0;
};

/// Attributes sorted bytewise by name, which is the order of every dump. A std::map to its users; the attributes of a
/// large dump stay in the file until the first look, which may come from several threads at once.
class AttrMap {
public:
    using Map = std::map<std::string, AttrValue, std::less<>>;
    using value_type = Map::value_type;
    using key_type = Map::key_type;
    using mapped_type = Map::mapped_type;
    using iterator = Map::iterator;
    using const_iterator = Map::const_iterator;
    using size_type = Map::size_type;

    AttrMap() = default;
    AttrMap(std::initializer_list<value_type> values) : m_map(values) {}
    explicit AttrMap(Map map) : m_map(std::move(map)) {}
    /// Attributes that `source` will give at the first look.
    AttrMap(std::shared_ptr<const AttrSource> source, std::uint64_t place)
        : m_source(std::move(source)), m_place(place), m_isPending(true)
    {
    }
    AttrMap(const AttrMap& other) { *this = other; }
    AttrMap(AttrMap&& other) noexcept { *this = std::move(other); }
    AttrMap& operator=(const AttrMap& other);
    AttrMap& operator=(AttrMap&& other) noexcept;
    ~AttrMap() = default;

    /// False while the attributes still lie in the file.
    bool isLoaded() const { return !m_isPending.load(std::memory_order_acquire); }

    const_iterator begin() const { return map().begin(); }
    const_iterator end() const { return map().end(); }
    iterator begin() { return map().begin(); }
    iterator end() { return map().end(); }
    bool empty() const { return map().empty(); }
    size_type size() const { return map().size(); }
    const_iterator find(std::string_view name) const { return map().find(name); }
    iterator find(std::string_view name) { return map().find(name); }
    bool contains(std::string_view name) const { return map().contains(name); }
    size_type count(std::string_view name) const { return map().count(name); }
    const AttrValue& at(const std::string& name) const { return map().at(name); }
    AttrValue& at(const std::string& name) { return map().at(name); }
    AttrValue& operator[](const std::string& name) { return map()[name]; }
    AttrValue& operator[](std::string&& name) { return map()[std::move(name)]; }
    template <typename... Args>
    std::pair<iterator, bool> emplace(Args&&... args)
    {
        return map().emplace(std::forward<Args>(args)...);
    }
    template <typename Name, typename... Args>
    std::pair<iterator, bool> try_emplace(Name&& name, Args&&... args)
    {
        return map().try_emplace(std::forward<Name>(name), std::forward<Args>(args)...);
    }
    template <typename Name, typename Value>
    std::pair<iterator, bool> insert_or_assign(Name&& name, Value&& value)
    {
        return map().insert_or_assign(std::forward<Name>(name), std::forward<Value>(value));
    }
    std::pair<iterator, bool> insert(value_type value) { return map().insert(std::move(value)); }
    template <typename It>
    void insert(It first, It last)
    {
        map().insert(first, last);
    }
    size_type erase(const std::string& name) { return map().erase(name); }
    iterator erase(iterator place) { return map().erase(place); }
    iterator erase(const_iterator place) { return map().erase(place); }
    void clear() { map().clear(); }

    bool operator==(const AttrMap& other) const { return map() == other.map(); }

private:
    const Map& map() const
    {
        if (m_isPending.load(std::memory_order_acquire)) load();
        return m_map;
    }
    Map& map() { return const_cast<Map&>(std::as_const(*this).map()); }
    void load() const;

    mutable Map m_map;
    std::shared_ptr<const AttrSource> m_source; ///< stays once loaded: other threads may be copying it
    std::uint64_t m_place = 0;
    mutable std::atomic<bool> m_isPending = false;
};

/// Typed look-ups with a default, for what the attribute's absence means.
std::int64_t attrInt(const AttrMap& attrs, std::string_view name, std::int64_t otherwise = 0);
double attrFloat(const AttrMap& attrs, std::string_view name, double otherwise = 0);
bool attrBool(const AttrMap& attrs, std::string_view name, bool otherwise = false);
std::string attrString(const AttrMap& attrs, std::string_view name, std::string_view otherwise = {});
IntList attrInts(const AttrMap& attrs, std::string_view name, IntList otherwise = {});
FloatList attrFloats(const AttrMap& attrs, std::string_view name);
StringList attrStrings(const AttrMap& attrs, std::string_view name);
const Tensor* attrTensor(const AttrMap& attrs, std::string_view name);

} // namespace gelens
