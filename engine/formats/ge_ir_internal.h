#pragma once
// What the parts of the ModelDef conversion share; private to this folder, for .cpp files only.

#include "engine/formats/ge_ir_convert.h"

#include "formats/proto/ge_ir.pb.h"

#include <optional>

namespace gelens {

using AttrDefMap = google::protobuf::Map<std::string, ge::proto::AttrDef>;

/// Typed attribute groups are kept as they came, under this name.
inline constexpr std::string_view groupsAttr = "attr_groups";

AttrMap attrsFromMap(const AttrDefMap& map);
void attrsToMap(const AttrMap& attrs, AttrDefMap& map);

/// A slot may be one that inference has not reached; a value's descriptor is always meant as it stands.
enum class DescUse { Slot, Value };
TensorDesc descFromDef(const ge::proto::TensorDescriptor& def, DescUse use);

/// What a file says of a descriptor, as far as a TensorDesc has members for it.
struct DescFacts {
    std::string name;
    DataType dtype = DataType::Undefined;
    std::vector<std::int64_t> dims;
    TensorFormat layout = TensorFormat::fromText({});
    std::int64_t size = 0;
    // Attributes that are members, where the file has them.
    std::optional<std::int32_t> formatForInt, originFormatForInt;
    std::optional<TensorFormat> originFormat;
    std::optional<std::vector<std::int64_t>> originShape;
    std::optional<bool> isOriginSet;
};
/// Its attributes hold nothing but what the facts leave over (`origin_shape_initialized` where it does not follow).
TensorDesc descFromFacts(DescFacts facts, DescUse use);

Tensor tensorFromDef(const ge::proto::TensorDef& def, const Bytes& weights);
void tensorToDef(const Tensor& tensor, ge::proto::TensorDef& def);

/// A graph that is the value of an attribute. Depth is bounded by protobuf's own limit on nested messages.
Graph graphFromGraphDef(const ge::proto::GraphDef& def);
void graphToDef(const Graph& graph, ge::proto::GraphDef& def);

template <typename M, typename Attrs>
void keepGroups(const M& message, Attrs& attrs)
{
    if (message.has_attr_groups())
        attrs.insert_or_assign(std::string(groupsAttr),
                               AttrValue(AttrValue::Variant(RawBytes{message.attr_groups().SerializeAsString()})));
}
template <typename M>
void restoreGroups(const AttrValue& value, M& message)
{
    if (const auto* raw = value.as<RawBytes>()) message.mutable_attr_groups()->ParseFromString(raw->bytes);
}

} // namespace gelens
