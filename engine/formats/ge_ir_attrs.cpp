// Attribute values and tensor descriptors of GE's messages.

#include "engine/formats/ge_fields_internal.h"
#include "engine/formats/ge_ir_convert.h"
#include "engine/formats/ge_ir_internal.h"

#include "formats/proto/ge_ir.pb.h"

namespace gelens {

using namespace ge::proto;
using ListValue = AttrDef::ListValue;

namespace {

DataType dataTypeFromApiNumber(std::int64_t number)
{
    const auto type = static_cast<DataType>(number);
    return number >= 0 && (number < 1000 || (number < 2000 && isTypeBeyondGe(type))) ? type : DataType::Undefined;
}

AttrValue::TensorPtr sharedTensor(const TensorDef& def)
{
    return std::make_shared<const Tensor>(tensorFromDef(def, {}));
}
AttrValue::TensorDescPtr sharedDesc(const TensorDescriptor& def)
{
    return std::make_shared<const TensorDesc>(descFromDef(def));
}
AttrValue::GraphPtr sharedGraph(const GraphDef& def) { return std::make_shared<const Graph>(graphFromGraphDef(def)); }
NamedAttrs bundleFromDef(const ge::proto::NamedAttrs& def)
{
    return {def.name(), std::make_shared<const AttrMap>(attrsFromMap(def.attr()))};
}

template <typename Out, typename List, typename F>
AttrValue listOf(const List& list, F&& convert)
{
    std::vector<Out> values;
    values.reserve(static_cast<std::size_t>(list.size()));
    for (const auto& item : list) values.push_back(convert(item));
    return AttrValue(AttrValue::Variant(std::move(values)));
}

const auto asIs = [](const auto& value) { return value; };
const auto asBytes = [](const std::string& value) { return RawBytes{value}; };

/// Lists that GE writes without a kind: their content tells it.
ListValue::ListValueType kindByContent(const ListValue& list)
{
    if (list.s_size() > 0) return ListValue::VT_LIST_STRING;
    if (list.i_size() > 0) return ListValue::VT_LIST_INT;
    if (list.f_size() > 0) return ListValue::VT_LIST_FLOAT;
    if (list.b_size() > 0) return ListValue::VT_LIST_BOOL;
    if (list.bt_size() > 0) return ListValue::VT_LIST_BYTES;
    if (list.td_size() > 0) return ListValue::VT_LIST_TENSOR_DESC;
    if (list.t_size() > 0) return ListValue::VT_LIST_TENSOR;
    if (list.g_size() > 0) return ListValue::VT_LIST_GRAPH;
    if (list.na_size() > 0) return ListValue::VT_LIST_NAMED_ATTRS;
    if (list.dt_size() > 0) return ListValue::VT_LIST_DATA_TYPE;
    return ListValue::VT_LIST_NONE;
}

AttrValue listFromDef(const ListValue& list)
{
    const auto kind = list.val_type() == ListValue::VT_LIST_NONE ? kindByContent(list) : list.val_type();
    switch (kind) {
    case ListValue::VT_LIST_STRING: return listOf<std::string>(list.s(), asIs);
    case ListValue::VT_LIST_INT: return listOf<std::int64_t>(list.i(), asIs);
    case ListValue::VT_LIST_FLOAT: return listOf<float>(list.f(), asIs);
    case ListValue::VT_LIST_BOOL: return listOf<bool>(list.b(), asIs);
    case ListValue::VT_LIST_BYTES: return listOf<RawBytes>(list.bt(), asBytes);
    case ListValue::VT_LIST_TENSOR_DESC: return listOf<AttrValue::TensorDescPtr>(list.td(), sharedDesc);
    case ListValue::VT_LIST_TENSOR: return listOf<AttrValue::TensorPtr>(list.t(), sharedTensor);
    case ListValue::VT_LIST_GRAPH: return listOf<AttrValue::GraphPtr>(list.g(), sharedGraph);
    case ListValue::VT_LIST_NAMED_ATTRS: return listOf<gelens::NamedAttrs>(list.na(), bundleFromDef);
    case ListValue::VT_LIST_DATA_TYPE: return listOf<gelens::DataType>(list.dt(), dataTypeFromApiNumber);
    default: return AttrValue(AttrValue::Variant(UntypedList{}));
    }
}

/// Writes one attribute value into a definition, kind by kind.
struct DefWriter {
    AttrDef& def;

    ListValue& list(ListValue::ListValueType type) const
    {
        ListValue& value = *def.mutable_list();
        value.set_val_type(type);
        return value;
    }
    void operator()(std::monostate) const {}
    void operator()(std::int64_t value) const { def.set_i(value); }
    void operator()(float value) const { def.set_f(value); }
    void operator()(bool value) const { def.set_b(value); }
    void operator()(const std::string& value) const { def.set_s(value); }
    void operator()(const RawBytes& value) const { def.set_bt(value.bytes); }
    void operator()(gelens::DataType value) const { def.set_dt(static_cast<std::int64_t>(value)); }
    void operator()(const Expression& value) const { def.set_expression(value.text); }
    void operator()(const AttrValue::TensorPtr& value) const
    {
        TensorDef& tensor = *def.mutable_t();
        if (value) tensorToDef(*value, tensor);
    }
    void operator()(const AttrValue::TensorDescPtr& value) const
    {
        TensorDescriptor& desc = *def.mutable_td();
        if (value) descToDef(*value, desc);
    }
    void operator()(const AttrValue::GraphPtr& value) const
    {
        GraphDef& graph = *def.mutable_g();
        if (value) graphToDef(*value, graph);
    }
    void operator()(const gelens::NamedAttrs& value) const { bundleToDef(value, *def.mutable_func()); }
    void operator()(const IntList& values) const
    {
        auto& out = list(ListValue::VT_LIST_INT);
        for (const std::int64_t value : values) out.add_i(value);
    }
    void operator()(const FloatList& values) const
    {
        auto& out = list(ListValue::VT_LIST_FLOAT);
        for (const float value : values) out.add_f(value);
    }
    void operator()(const std::vector<bool>& values) const
    {
        auto& out = list(ListValue::VT_LIST_BOOL);
        for (const bool value : values) out.add_b(value);
    }
    void operator()(const StringList& values) const
    {
        auto& out = list(ListValue::VT_LIST_STRING);
        for (const std::string& value : values) out.add_s(value);
    }
    void operator()(const std::vector<RawBytes>& values) const
    {
        auto& out = list(ListValue::VT_LIST_BYTES);
        for (const RawBytes& value : values) out.add_bt(value.bytes);
    }
    void operator()(const std::vector<gelens::DataType>& values) const
    {
        auto& out = list(ListValue::VT_LIST_DATA_TYPE);
        for (const gelens::DataType value : values) out.add_dt(static_cast<std::int64_t>(value));
    }
    void operator()(const std::vector<AttrValue::TensorPtr>& values) const
    {
        auto& out = list(ListValue::VT_LIST_TENSOR);
        for (const auto& value : values) tensorToDef(*value, *out.add_t());
    }
    void operator()(const std::vector<AttrValue::TensorDescPtr>& values) const
    {
        auto& out = list(ListValue::VT_LIST_TENSOR_DESC);
        for (const auto& value : values) descToDef(*value, *out.add_td());
    }
    void operator()(const std::vector<AttrValue::GraphPtr>& values) const
    {
        auto& out = list(ListValue::VT_LIST_GRAPH);
        for (const auto& value : values) graphToDef(*value, *out.add_g());
    }
    void operator()(const std::vector<gelens::NamedAttrs>& values) const
    {
        auto& out = list(ListValue::VT_LIST_NAMED_ATTRS);
        for (const auto& value : values) bundleToDef(value, *out.add_na());
    }
    void operator()(const std::vector<IntList>& rows) const
    {
        auto& out = *def.mutable_list_list_int();
        for (const IntList& row : rows) out.add_list_list_i()->mutable_list_i()->Add(row.begin(), row.end());
    }
    void operator()(const std::vector<FloatList>& rows) const
    {
        auto& out = *def.mutable_list_list_float();
        for (const FloatList& row : rows) out.add_list_list_f()->mutable_list_f()->Add(row.begin(), row.end());
    }
    void operator()(UntypedList) const { def.mutable_list(); }

private:
    static void bundleToDef(const gelens::NamedAttrs& value, ge::proto::NamedAttrs& out)
    {
        out.set_name(value.name);
        if (value.attrs) attrsToMap(*value.attrs, *out.mutable_attr());
    }
};

} // namespace

AttrValue attrFromDef(const AttrDef& def)
{
    switch (def.value_case()) {
    case AttrDef::kList: return listFromDef(def.list());
    case AttrDef::kS: return AttrValue(def.s());
    case AttrDef::kI: return AttrValue(static_cast<std::int64_t>(def.i()));
    case AttrDef::kF: return AttrValue(def.f());
    case AttrDef::kB: return AttrValue(def.b());
    case AttrDef::kBt: return AttrValue(AttrValue::Variant(RawBytes{def.bt()}));
    case AttrDef::kFunc: return AttrValue(AttrValue::Variant(bundleFromDef(def.func())));
    case AttrDef::kTd: return AttrValue(AttrValue::Variant(sharedDesc(def.td())));
    case AttrDef::kT: return AttrValue(sharedTensor(def.t()));
    case AttrDef::kG: return AttrValue(AttrValue::Variant(sharedGraph(def.g())));
    case AttrDef::kListListInt: {
        std::vector<IntList> rows;
        for (const auto& row : def.list_list_int().list_list_i())
            rows.emplace_back(row.list_i().begin(), row.list_i().end());
        return AttrValue(AttrValue::Variant(std::move(rows)));
    }
    case AttrDef::kListListFloat: {
        std::vector<FloatList> rows;
        for (const auto& row : def.list_list_float().list_list_f())
            rows.emplace_back(row.list_f().begin(), row.list_f().end());
        return AttrValue(AttrValue::Variant(std::move(rows)));
    }
    case AttrDef::kDt: return AttrValue(dataTypeFromApiNumber(def.dt()));
    case AttrDef::kExpression: return AttrValue(AttrValue::Variant(Expression{def.expression()}));
    case AttrDef::VALUE_NOT_SET: break;
    }
    return {};
}

void attrToDef(const AttrValue& value, AttrDef& def) { std::visit(DefWriter{def}, value.variant()); }

AttrMap attrsFromMap(const AttrDefMap& map)
{
    AttrMap attrs;
    for (const auto& [name, value] : map) attrs.emplace(name, attrFromDef(value));
    return attrs;
}

void attrsToMap(const AttrMap& attrs, AttrDefMap& map)
{
    for (const auto& [name, value] : attrs)
        if (!isHiddenAttr(name)) attrToDef(value, map[name]);
}

Tensor tensorFromDef(const TensorDef& def, const Bytes& weights)
{
    Tensor tensor;
    // What a constant holds is known, whatever inference has done so far.
    tensor.desc = descFromDef(def.desc(), DescUse::Value);
    const auto offset = def.desc().data_offset(), size = def.desc().weight_size();
    if (def.data().empty() && size > 0 && offset >= 0 && static_cast<std::uint64_t>(offset) <= weights.size() &&
        static_cast<std::uint64_t>(size) <= weights.size() - static_cast<std::uint64_t>(offset))
        tensor.data = Bytes::window(std::make_shared<const Bytes>(weights), weights.data() + offset,
                                    static_cast<std::size_t>(size));
    else
        tensor.data = Bytes::copyOf(def.data().data(), def.data().size());
    return tensor;
}

void tensorToDef(const Tensor& tensor, TensorDef& def)
{
    descToDef(tensor.desc, *def.mutable_desc());
    if (!tensor.data.isEmpty()) def.set_data(tensor.data.data(), tensor.data.size());
}

TensorDesc descFromDef(const TensorDescriptor& def) { return descFromDef(def, DescUse::Slot); }

TensorDesc descFromFacts(DescFacts facts, DescUse use)
{
    TensorDesc desc;
    desc.name = std::move(facts.name);
    desc.dtype = facts.dtype;
    const bool isEmpty = facts.dims.empty();
    desc.shape = Shape(std::move(facts.dims));
    desc.format = facts.layout;
    desc.reservedBytes = facts.size;
    if (facts.formatForInt) {
        const TensorFormat packed = TensorFormat::fromPacked(*facts.formatForInt);
        if (packed == desc.format || packed.text() == desc.format.text()) desc.format = packed;
    }
    desc.originFormat = facts.originFormatForInt ? TensorFormat::fromPacked(*facts.originFormatForInt)
                                                 : facts.originFormat.value_or(desc.format);
    const bool isSet = facts.isOriginSet.value_or(true); // files of about 2020 state no such thing
    desc.originShape = facts.originShape ? Shape(std::move(*facts.originShape)) : desc.shape;
    if (use == DescUse::Slot && !isSet && isEmpty && desc.dtype == gelens::DataType::Float &&
        desc.format.primary != Format::Reserved) {
        // GE's default descriptor: nothing is known of the tensor yet.
        desc.dtype = gelens::DataType::Undefined;
        desc.shape = desc.originShape = Shape::unknownRank();
    } else if (use == DescUse::Slot && !isSet && isEmpty && desc.format.primary == Format::Reserved) {
        desc.shape = desc.originShape = TensorDesc::unconnected().shape;
        if (desc.originFormat == TensorFormat(Format::ND)) desc.originFormat = TensorDesc::unconnected().originFormat;
    }
    if (isOriginShapeSet(desc) != isSet) desc.attrs.emplace("origin_shape_initialized", AttrValue(isSet));
    return desc;
}

TensorDesc descFromDef(const TensorDescriptor& def, DescUse use)
{
    DescFacts facts;
    facts.name = def.name();
    facts.dtype = dataTypeFromProtoNumber(def.dtype());
    facts.dims.assign(def.shape().dim().begin(), def.shape().dim().end());
    facts.layout = TensorFormat::fromText(def.layout());
    facts.size = def.size();
    AttrMap::Map attrs;
    for (const auto& [name, value] : def.attr()) {
        if (name == "format_for_int")
            facts.formatForInt = static_cast<std::int32_t>(value.i());
        else if (name == "origin_format_for_int")
            facts.originFormatForInt = static_cast<std::int32_t>(value.i());
        else if (name == "origin_format")
            facts.originFormat = TensorFormat::fromText(value.s());
        else if (name == "origin_shape")
            facts.originShape.emplace(value.list().i().begin(), value.list().i().end());
        else if (name == "origin_shape_initialized")
            facts.isOriginSet = value.b();
        else if (const auto kept = name == typeAttr ? dataTypeFromName(value.s()) : gelens::DataType::Undefined;
                 isTypeBeyondGe(kept))
            facts.dtype = kept;
        else
            attrs.emplace(name, attrFromDef(value));
    }
    const auto number = [&](const char* name, std::int64_t value) {
        if (value != 0) attrs.emplace(name, AttrValue(value));
    };
    const auto flag = [&](const char* name, bool value) {
        if (value) attrs.emplace(name, AttrValue(true));
    };
    number("weight_size", def.weight_size());
    number("real_dim_cnt", def.real_dim_cnt());
    number("reuse_input_index", def.reuse_input_index());
    number("data_offset", def.data_offset());
    number("cmps_size", def.cmps_size());
    number("cmps_tab_offset", def.cmps_tab_offset());
    flag("has_out_attr", def.has_out_attr());
    flag("reuse_input", def.reuse_input());
    flag("output_tensor", def.output_tensor());
    flag("input_tensor", def.input_tensor());
    if (def.device_type() != "NPU") attrs.emplace("device_type", AttrValue(def.device_type()));
    if (!def.cmps_tab().empty()) attrs.emplace("cmps_tab", AttrValue(def.cmps_tab()));
    TensorDesc desc = descFromFacts(std::move(facts), use);
    attrs.insert(desc.attrs.begin(), desc.attrs.end());
    desc.attrs = AttrMap(std::move(attrs));
    keepGroups(def, desc.attrs);
    return desc;
}

void descToDef(const TensorDesc& desc, TensorDescriptor& def)
{
    const bool untouched = isUntouched(desc);
    const bool unconnected = desc.format.primary == Format::Reserved && desc.dtype == gelens::DataType::Undefined;
    def.set_name(desc.name);
    def.set_dtype(static_cast<ge::proto::DataType>(untouched ? 1 : dataTypeProtoNumber(desc.dtype)));
    ShapeDef& shape = *def.mutable_shape();
    if (!untouched && !unconnected) shape.mutable_dim()->Add(desc.shape.dims().begin(), desc.shape.dims().end());
    def.set_layout(desc.format.text());
    def.set_size(desc.reservedBytes);
    def.set_device_type("NPU");
    const TensorFormat origin =
        unconnected && desc.originFormat.primary == Format::Reserved ? TensorFormat(Format::ND) : desc.originFormat;
    auto& attrs = *def.mutable_attr();
    attrs["format_for_int"].set_i(desc.format.packed());
    attrs["origin_format"].set_s(origin.text());
    attrs["origin_format_for_int"].set_i(origin.packed());
    const bool isSet = isOriginShapeSet(desc);
    attrs["origin_shape_initialized"].set_b(isSet);
    if (isSet) {
        auto& list = *attrs["origin_shape"].mutable_list();
        list.mutable_i()->Add(desc.originShape.dims().begin(), desc.originShape.dims().end());
        list.set_val_type(ListValue::VT_LIST_INT);
    }
    for (const auto& [name, value] : desc.attrs) {
        const auto* number = value.as<std::int64_t>();
        const auto* flag = value.as<bool>();
        const auto* text = value.as<std::string>();
        if (name == "origin_shape_initialized" || name == "onnx_type" || isHiddenAttr(name)) continue;
        if (name == groupsAttr)
            restoreGroups(value, def);
        else if (name == "weight_size" && number)
            def.set_weight_size(*number);
        else if (name == "real_dim_cnt" && number)
            def.set_real_dim_cnt(*number);
        else if (name == "reuse_input_index" && number)
            def.set_reuse_input_index(*number);
        else if (name == "data_offset" && number)
            def.set_data_offset(*number);
        else if (name == "cmps_size" && number)
            def.set_cmps_size(*number);
        else if (name == "cmps_tab_offset" && number)
            def.set_cmps_tab_offset(*number);
        else if (name == "has_out_attr" && flag)
            def.set_has_out_attr(*flag);
        else if (name == "reuse_input" && flag)
            def.set_reuse_input(*flag);
        else if (name == "output_tensor" && flag)
            def.set_output_tensor(*flag);
        else if (name == "input_tensor" && flag)
            def.set_input_tensor(*flag);
        else if (name == "device_type" && text)
            def.set_device_type(*text);
        else if (name == "cmps_tab" && text)
            def.set_cmps_tab(*text);
        else
            attrToDef(value, attrs[name]);
    }
}

} // namespace gelens
