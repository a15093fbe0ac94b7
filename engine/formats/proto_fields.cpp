#include "engine/formats/proto_fields_internal.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace gelens {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

namespace {

std::uint64_t magnitude(std::string_view raw)
{
    std::uint64_t value = 0;
    int base = 10;
    if (raw.size() > 1 && raw[0] == '0') {
        const bool isHex = raw[1] == 'x' || raw[1] == 'X';
        base = isHex ? 16 : 8;
        raw.remove_prefix(isHex ? 2 : 1);
    }
    const auto [end, code] = std::from_chars(raw.data(), raw.data() + raw.size(), value, base);
    return code == std::errc::result_out_of_range ? std::numeric_limits<std::uint64_t>::max() : value;
}

std::int64_t integer(std::string_view raw, bool isNegative)
{
    const std::uint64_t value = magnitude(raw);
    return static_cast<std::int64_t>(isNegative ? ~value + 1 : value);
}

double real(std::string_view raw, bool isNegative)
{
    double value = 0;
    if (raw.size() >= 3 && (raw[0] == 'i' || raw[0] == 'I'))
        value = std::numeric_limits<double>::infinity();
    else if (raw.size() >= 3 && (raw[0] == 'n' || raw[0] == 'N'))
        value = std::numeric_limits<double>::quiet_NaN();
    else if (const auto parsed = std::from_chars(raw.data(), raw.data() + raw.size(), value);
             parsed.ec == std::errc::result_out_of_range)
        value = std::strtod(std::string(raw).c_str(), nullptr);
    return isNegative ? -value : value;
}

float single(std::string_view raw, bool isNegative)
{
    float value = 0;
    const auto [end, code] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
    if (code != std::errc() || (raw[0] < '0' && raw[0] != '.') || raw[0] > '9')
        return static_cast<float>(real(raw, isNegative));
    return isNegative ? -value : value;
}

} // namespace

AttrDefMap* attrMapOf(Message& message, const FieldDescriptor& field)
{
    if (!field.is_map() || field.name() != "attr") return nullptr;
    const Descriptor* const type = message.GetDescriptor();
    if (type == ge::proto::OpDef::descriptor()) return static_cast<ge::proto::OpDef&>(message).mutable_attr();
    if (type == ge::proto::TensorDescriptor::descriptor())
        return static_cast<ge::proto::TensorDescriptor&>(message).mutable_attr();
    if (type == ge::proto::NamedAttrs::descriptor()) return static_cast<ge::proto::NamedAttrs&>(message).mutable_attr();
    if (type == ge::proto::GraphDef::descriptor()) return static_cast<ge::proto::GraphDef&>(message).mutable_attr();
    if (type == ge::proto::ModelDef::descriptor()) return static_cast<ge::proto::ModelDef&>(message).mutable_attr();
    return nullptr;
}

FieldTable::FieldTable(const Descriptor& type)
{
    for (int i = 0; i < type.field_count(); ++i) m_fields.emplace_back(type.field(i)->name(), type.field(i));
}

void setScalar(Message& message, const FieldDescriptor& field, std::string_view raw, bool isNegative)
{
    const Reflection& r = *message.GetReflection();
    const auto put = [&](auto set, auto add, auto value) {
        if (field.is_repeated())
            (r.*add)(&message, &field, value);
        else
            (r.*set)(&message, &field, value);
    };
    switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
        return put(&Reflection::SetInt64, &Reflection::AddInt64, integer(raw, isNegative));
    case FieldDescriptor::CPPTYPE_UINT64: return put(&Reflection::SetUInt64, &Reflection::AddUInt64, magnitude(raw));
    case FieldDescriptor::CPPTYPE_INT32:
        return put(&Reflection::SetInt32, &Reflection::AddInt32, static_cast<std::int32_t>(integer(raw, isNegative)));
    case FieldDescriptor::CPPTYPE_UINT32:
        return put(&Reflection::SetUInt32, &Reflection::AddUInt32, static_cast<std::uint32_t>(magnitude(raw)));
    case FieldDescriptor::CPPTYPE_FLOAT:
        return put(&Reflection::SetFloat, &Reflection::AddFloat, single(raw, isNegative));
    case FieldDescriptor::CPPTYPE_DOUBLE:
        return put(&Reflection::SetDouble, &Reflection::AddDouble, real(raw, isNegative));
    case FieldDescriptor::CPPTYPE_BOOL:
        return put(&Reflection::SetBool, &Reflection::AddBool,
                   raw == "true" || raw == "t" || raw == "True" || raw == "1");
    case FieldDescriptor::CPPTYPE_ENUM: {
        const auto* const value = field.enum_type()->FindValueByName(std::string(raw));
        int number = value ? value->number() : 0;
        if (!value && raw[0] >= '0' && raw[0] <= '9') number = static_cast<int>(integer(raw, isNegative));
        if (!value && field.enum_type()->file()->syntax() != google::protobuf::FileDescriptor::SYNTAX_PROTO3 &&
            !field.enum_type()->FindValueByNumber(number))
            return; // an enumerator that this schema does not know
        return put(&Reflection::SetEnumValue, &Reflection::AddEnumValue, number);
    }
    default: return;
    }
}

void setText(Message& message, const FieldDescriptor& field, const std::string& text)
{
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_STRING) return;
    if (field.is_repeated())
        message.GetReflection()->AddString(&message, &field, text);
    else
        message.GetReflection()->SetString(&message, &field, text);
}

Message* memberOf(Message& message, const FieldDescriptor& field)
{
    const Reflection& r = *message.GetReflection();
    return field.is_repeated() ? r.AddMessage(&message, &field) : r.MutableMessage(&message, &field);
}

} // namespace gelens
