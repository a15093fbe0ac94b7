#include "engine/formats/ge_onnx_op_internal.h"

#include "engine/formats/ge_onnx_rows_internal.h"
#include "engine/formats/text_proto_reader_internal.h"
#include "engine/graph/data_type.h"
#include "engine/ops/op_registry.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace gelens {
namespace {

using ge::proto::AttrDef;
using ge::proto::TensorDescriptor;
using ProtoOp = ge::proto::OpDef;
using ListValue = AttrDef::ListValue;
using Attribute = onnx::AttributeProto;

/// Outputs that nothing reads are not listed, so an index may lie this far above the number of those that are.
constexpr int maxUnlistedOutputs = 16;

std::optional<int> number(std::string_view text)
{
    int value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || code != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

ge::proto::DataType protoType(std::string_view apiText)
{
    return static_cast<ge::proto::DataType>(dataTypeProtoNumber(dataTypeFromName(apiText)));
}

void setFrom(AttrDef& def, const Attribute& attribute)
{
    switch (attribute.type()) {
    case Attribute::FLOAT: def.set_f(attribute.f()); break;
    case Attribute::INT: def.set_i(attribute.i()); break;
    case Attribute::STRING: def.set_s(attribute.s()); break;
    case Attribute::FLOATS: {
        auto& list = *def.mutable_list();
        list.mutable_f()->CopyFrom(attribute.floats());
        list.set_val_type(ListValue::VT_LIST_FLOAT);
        break;
    }
    case Attribute::INTS: {
        auto& list = *def.mutable_list();
        list.mutable_i()->CopyFrom(attribute.ints());
        list.set_val_type(ListValue::VT_LIST_INT);
        break;
    }
    case Attribute::STRINGS: {
        auto& list = *def.mutable_list();
        list.mutable_s()->CopyFrom(attribute.strings());
        list.set_val_type(ListValue::VT_LIST_STRING);
        break;
    }
    default: break;
    }
}

/// Integers stand for bools too: for an operator that we know, the definition tells which is meant.
void restoreBools(AttrDef& def, const AttrValue& defaultValue)
{
    if (defaultValue.as<bool>() && def.value_case() == AttrDef::kI) {
        def.set_b(def.i() != 0);
    } else if (defaultValue.as<std::vector<bool>>() && def.value_case() == AttrDef::kList && def.list().i_size() > 0) {
        ListValue list;
        for (const std::int64_t value : def.list().i()) list.add_b(value != 0);
        list.set_val_type(ListValue::VT_LIST_BOOL);
        *def.mutable_list() = std::move(list);
    }
}

class OpReader {
public:
    OpReader(const onnx::NodeProto& node, ProtoOp& op) : m_node(node), m_op(op), m_rowsLeft(node.attribute_size()) {}

    void read()
    {
        m_op.Clear();
        m_op.set_name(m_node.name());
        const std::string& type = m_node.op_type();
        const auto colon = type.find(':');
        m_op.set_type(colon == std::string::npos ? type : type.substr(colon + 1));
        m_op.mutable_input()->CopyFrom(m_node.input());
        m_op.set_has_out_attr(true);
        bool hasDescriptors = false;
        for (const Attribute& attribute : m_node.attribute()) {
            m_byName.emplace(attribute.name(), &attribute);
            hasDescriptors =
                hasDescriptors || attribute.name() == "input_desc_nums" || attribute.name() == "output_desc_nums";
        }
        if (hasDescriptors)
            reserve();
        else
            describeByEdges();
        for (const Attribute& attribute : m_node.attribute()) readAttribute(attribute);
    }

private:
    static void addDescs(google::protobuf::RepeatedPtrField<TensorDescriptor>& list, std::int64_t count)
    {
        for (std::int64_t i = 0; i < std::min<std::int64_t>(count, maxOnnxDescriptors); ++i) list.Add();
    }

    void reserve()
    {
        const auto count = [&](const char* name) {
            const auto found = m_byName.find(name);
            return found == m_byName.end() ? 0 : found->second->i();
        };
        // A count is only a claim: every descriptor has rows of its own.
        const std::int64_t limit = m_node.attribute_size() + m_node.input_size();
        addDescs(*m_op.mutable_input_desc(), std::min(count("input_desc_nums"), limit));
        addDescs(*m_op.mutable_output_desc(), std::min(count("output_desc_nums"), limit));
    }

    /// Level 3: no descriptors at all, as many slots as there are edges.
    void describeByEdges()
    {
        const auto isControl = [](const std::string& text) { return text.size() > 3 && text.ends_with(":-1"); };
        for (const std::string& text : m_node.input())
            if (!isControl(text)) setDefault(*m_op.add_input_desc(), text.empty());
        int outputs = 0;
        for (const std::string& text : m_node.output())
            if (const auto colon = text.rfind(':'); colon != std::string::npos)
                if (const auto index = number(std::string_view(text).substr(colon + 1));
                    index && *index < m_node.output_size() + maxUnlistedOutputs)
                    outputs = std::max(outputs, *index + 1);
        for (int i = 0; i < outputs; ++i) setDefault(*m_op.add_output_desc(), false);
    }

    static void setDefault(TensorDescriptor& desc, bool isUnconnected)
    {
        desc.set_dtype(isUnconnected ? ge::proto::DT_UNDEFINED : ge::proto::DT_FLOAT);
        desc.set_layout(isUnconnected ? "FORMAT_RESERVED" : "ND");
        desc.set_device_type("NPU");
        (*desc.mutable_attr())["origin_format"].set_s("ND");
        (*desc.mutable_attr())["origin_shape_initialized"].set_b(false);
    }

    void readAttribute(const Attribute& attribute)
    {
        const std::string& name = attribute.name();
        if (readField(attribute) || readDescriptorRow(attribute) || readTensorRow(attribute)) return;
        AttrDef& def = (*m_op.mutable_attr())[name];
        setFrom(def, attribute);
        if (const gelens::OpDef* const known = OpRegistry::instance().find(m_op.type()))
            for (const AttrSpec& spec : known->attrs())
                if (spec.name == name) restoreBools(def, spec.defaultValue);
    }

    bool readField(const Attribute& a)
    {
        const std::string& name = a.name();
        if (name == "id")
            m_op.set_id(a.i());
        else if (name == "stream_id")
            m_op.set_stream_id(a.i());
        else if (name == "input_desc_nums" || name == "output_desc_nums")
            return true;
        else if (name == "input_name")
            m_op.mutable_input_name()->CopyFrom(texts(a));
        else if (name == "src_name")
            m_op.mutable_src_name()->CopyFrom(texts(a));
        else if (name == "dst_name")
            m_op.mutable_dst_name()->CopyFrom(texts(a));
        else if (name == "src_index")
            m_op.mutable_src_index()->CopyFrom(a.ints());
        else if (name == "dst_index")
            m_op.mutable_dst_index()->CopyFrom(a.ints());
        else if (name == "input_i")
            m_op.mutable_input_i()->CopyFrom(a.ints());
        else if (name == "output_i")
            m_op.mutable_output_i()->CopyFrom(a.ints());
        else if (name == "workspace")
            m_op.mutable_workspace()->CopyFrom(a.ints());
        else if (name == "workspace_bytes")
            m_op.mutable_workspace_bytes()->CopyFrom(a.ints());
        else if (name == "is_input_const")
            readConstFlags(a);
        else if (name == "_input_name_key" || name == "_input_name_value") {
            auto& list = *(*m_op.mutable_attr())[name].mutable_list();
            list.mutable_s()->CopyFrom(texts(a));
            list.mutable_i()->CopyFrom(a.ints());
        } else
            return false;
        return true;
    }

    static google::protobuf::RepeatedPtrField<std::string> texts(const Attribute& a)
    {
        return {a.strings().begin(), a.strings().end()};
    }

    /// Comes twice: the operator's field, then the attribute.
    void readConstFlags(const Attribute& a)
    {
        if (!m_hasConstField) {
            for (const std::int64_t flag : a.ints()) m_op.add_is_input_const(flag != 0);
            m_hasConstField = true;
            return;
        }
        auto& list = *(*m_op.mutable_attr())["is_input_const"].mutable_list();
        for (const std::int64_t flag : a.ints()) list.add_b(flag != 0);
        list.set_val_type(ListValue::VT_LIST_BOOL);
    }

    bool readDescriptorRow(const Attribute& a)
    {
        std::string_view name = a.name();
        const bool isInput = name.starts_with("input_desc_");
        if (!isInput && !name.starts_with("output_desc_")) return false;
        name.remove_prefix(isInput ? 11 : 12);
        auto& descs = isInput ? *m_op.mutable_input_desc() : *m_op.mutable_output_desc();
        const auto inRange = [&](std::optional<int> index) { return index && *index < descs.size(); };
        if (const auto whole = number(name); inRange(whole) && a.type() == Attribute::STRING) {
            readJson(*descs.Mutable(*whole), a.s());
            return true;
        }
        const auto colon = name.rfind(':');
        if (colon == std::string_view::npos) return false;
        std::string_view place = name.substr(colon + 1), field = name.substr(0, colon);
        const auto under = place.find('_');
        const auto row = under == std::string_view::npos ? std::nullopt : number(place.substr(under + 1));
        const auto index = number(place.substr(0, under));
        if (!inRange(index) || (under != std::string_view::npos && !row)) return false;
        TensorDescriptor& desc = *descs.Mutable(*index);
        if (!field.starts_with("attr_")) return readDescField(desc, field, a);
        AttrDef& def = (*desc.mutable_attr())[std::string(field.substr(5))];
        if (!row) {
            setFrom(def, a);
            if (field == "attr_origin_format_is_set") def.set_b(a.i() != 0);
            return true;
        }
        const int rowIndex = row.value_or(0);
        auto& rows = *def.mutable_list_list_int();
        // Rows come in any order, one attribute each: no file speaks of more of them than it has attributes.
        if (rowIndex >= rows.list_list_i_size() + m_rowsLeft) return false;
        while (rows.list_list_i_size() <= rowIndex) {
            rows.add_list_list_i();
            --m_rowsLeft;
        }
        rows.mutable_list_list_i(rowIndex)->mutable_list_i()->CopyFrom(a.ints());
        return true;
    }

    /// An origin shape without dims is one that was never set.
    static void setOriginShape(TensorDescriptor& desc, std::vector<std::int64_t> dims)
    {
        auto& attrs = *desc.mutable_attr();
        attrs["origin_shape_initialized"].set_b(!dims.empty());
        if (dims.empty()) return;
        auto& list = *attrs["origin_shape"].mutable_list();
        list.clear_i(); // a row that comes twice counts once
        list.mutable_i()->Add(dims.begin(), dims.end());
        list.set_val_type(ListValue::VT_LIST_INT);
    }

    static bool readDescField(TensorDescriptor& desc, std::string_view field, const Attribute& a)
    {
        if (field == "dtype")
            desc.set_dtype(protoType(a.s()));
        else if (field == "origin_dtype")
            setOriginType(desc, a.s());
        else if (field == "shape")
            desc.mutable_shape()->mutable_dim()->CopyFrom(a.ints());
        else if (field == "origin_shape")
            setOriginShape(desc, {a.ints().begin(), a.ints().end()});
        else if (field == "layout")
            desc.set_layout(a.s());
        else if (field == "origin_layout")
            (*desc.mutable_attr())["origin_format"].set_s(a.s());
        else if (field == "device_type")
            desc.set_device_type(a.s());
        else if (field == "cmps_tab")
            desc.set_cmps_tab(a.s());
        else
            return setNumber(desc, field, a.i());
        return true;
    }

    static void setOriginType(TensorDescriptor& desc, const std::string& text)
    {
        if (text != "DT_UNDEFINED") (*desc.mutable_attr())["origin_data_type"].set_s(text);
    }

    static bool setNumber(TensorDescriptor& desc, std::string_view field, std::int64_t value)
    {
        if (field == "size")
            desc.set_size(value);
        else if (field == "weight_size")
            desc.set_weight_size(value);
        else if (field == "data_offset")
            desc.set_data_offset(value);
        else if (field == "real_dim_cnt")
            desc.set_real_dim_cnt(value);
        else if (field == "cmps_size")
            desc.set_cmps_size(value);
        else if (field == "cmps_tab_offset")
            desc.set_cmps_tab_offset(value);
        else if (field == "reuse_input")
            desc.set_reuse_input(value != 0);
        else if (field == "output_tensor")
            desc.set_output_tensor(value != 0);
        else if (field == "input_tensor")
            desc.set_input_tensor(value != 0);
        else
            return false;
        return true;
    }

    /// A side with 20 descriptors or more: each is one JSON object.
    static void readJson(TensorDescriptor& desc, const std::string& text)
    {
        const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
        if (!json.is_object()) return;
        const auto dims = [](const nlohmann::json& list) {
            std::vector<std::int64_t> values;
            for (const auto& item : list)
                if (item.is_number_integer()) values.push_back(item.get<std::int64_t>());
            return values;
        };
        for (const auto& [key, value] : json.items()) {
            if (key == "shape") {
                const auto values = dims(value);
                desc.mutable_shape()->mutable_dim()->Add(values.begin(), values.end());
            } else if (key == "origin_shape") {
                setOriginShape(desc, dims(value));
            } else if (value.is_number_integer() || value.is_boolean()) {
                setNumber(desc, key, value.is_boolean() ? value.get<bool>() : value.get<std::int64_t>());
            } else if (value.is_string()) {
                const auto& content = value.get_ref<const std::string&>();
                if (key == "dtype")
                    desc.set_dtype(protoType(content));
                else if (key == "origin_dtype")
                    setOriginType(desc, content);
                else if (key == "layout")
                    desc.set_layout(content);
                else if (key == "origin_layout")
                    (*desc.mutable_attr())["origin_format"].set_s(content);
                else if (key == "device_type")
                    desc.set_device_type(content);
                else if (key == "cmps_tab")
                    desc.set_cmps_tab(content);
                else {
                    TextMessageSink none;
                    (void)parseProtoText(content, (*desc.mutable_attr())[key], none);
                }
            }
        }
    }

    /// `<name>_desc_dtype`, `…_desc_shape`, `…_desc_layout`, `…_desc_device_type`, `<name>_data`: one tensor.
    bool readTensorRow(const Attribute& a)
    {
        const std::string& name = a.name();
        static constexpr std::string_view suffixes[] = {"_desc_dtype", "_desc_shape", "_desc_layout",
                                                        "_desc_device_type", "_data"};
        for (const std::string_view suffix : suffixes) {
            if (!name.ends_with(suffix)) continue;
            const std::string base = name.substr(0, name.size() - suffix.size());
            if (!m_byName.contains(base + "_desc_dtype") || !m_byName.contains(base + "_desc_layout") ||
                !m_byName.contains(base + "_desc_device_type"))
                continue;
            auto& tensor = *(*m_op.mutable_attr())[base].mutable_t();
            TensorDescriptor& desc = *tensor.mutable_desc();
            if (suffix == "_desc_dtype")
                desc.set_dtype(protoType(a.s()));
            else if (suffix == "_desc_shape")
                desc.mutable_shape()->mutable_dim()->CopyFrom(a.ints());
            else if (suffix == "_desc_layout")
                desc.set_layout(a.s());
            else if (suffix == "_desc_device_type")
                desc.set_device_type(a.s());
            else
                tensor.set_data(a.s());
            return true;
        }
        return false;
    }

    const onnx::NodeProto& m_node;
    ProtoOp& m_op;
    int m_rowsLeft;
    std::unordered_map<std::string, const Attribute*> m_byName;
    bool m_hasConstField = false;
};

} // namespace

void opFromGeOnnxNode(const onnx::NodeProto& node, ProtoOp& op) { OpReader(node, op).read(); }

} // namespace gelens
