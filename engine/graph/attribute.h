#pragma once
// Typed attributes of nodes, tensors and graphs, covering every kind that GE's AttrDef can hold.

#include "engine/graph/data_type.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gelens {

class AttrValue;
struct Tensor;
struct TensorDesc;
class Graph;

/// Attributes sorted bytewise by name, which is the order of every dump.
using AttrMap = std::map<std::string, AttrValue, std::less<>>;

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
    using Variant =
        std::variant<std::monostate, std::int64_t, float, bool, std::string, RawBytes, DataType, Expression, TensorPtr,
                     TensorDescPtr, GraphPtr, NamedAttrs, IntList, FloatList, std::vector<bool>, StringList,
                     std::vector<RawBytes>, std::vector<DataType>, std::vector<TensorPtr>, std::vector<TensorDescPtr>,
                     std::vector<GraphPtr>, std::vector<NamedAttrs>, std::vector<IntList>, std::vector<FloatList>,
                     UntypedList>;

    AttrValue() = default;
    template <typename T>
        requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
    AttrValue(T value) : m_value(static_cast<std::int64_t>(value))
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
