#pragma once
// atc's JSON of a ModelDef, written anew from its rules, so that every dump at hand can be read in that form too.

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/stubs/strutil.h>

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gelens::test {

/// The generated headers stay in the engine: the type is found by its name.
inline std::unique_ptr<google::protobuf::Message> newModelDef()
{
    const auto* const type =
        google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName("ge.proto.ModelDef");
    return std::unique_ptr<google::protobuf::Message>(
        google::protobuf::MessageFactory::generated_factory()->GetPrototype(type)->New());
}

/// Fields that atc leaves out wherever they occur.
inline bool isLeftOut(std::string_view field)
{
    constexpr std::array<std::string_view, 10> names{
        "output",      "data_offset", "data", "workspace", "workspace_bytes",
        "memory_size", "weight_size", "size", "bt",        "quantize_factor"};
    for (const std::string_view name : names)
        if (name == field) return true;
    return false;
}

/// Takes out of a message what the JSON cannot carry: the fields above, digits beyond "%g", and messages that are empty
/// then.
inline void dropWhatJsonLacks(google::protobuf::Message& message)
{
    using google::protobuf::FieldDescriptor;
    const auto& reflection = *message.GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection.ListFields(message, &fields);
    for (const FieldDescriptor* field : fields) {
        if (isLeftOut(field->name())) {
            reflection.ClearField(&message, field);
        } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
            if (field->is_repeated()) {
                for (int i = 0; i < reflection.FieldSize(message, field); ++i)
                    dropWhatJsonLacks(*reflection.MutableRepeatedMessage(&message, field, i));
            } else {
                auto& member = *reflection.MutableMessage(&message, field);
                const bool isEmpty = member.ByteSizeLong() == 0;
                dropWhatJsonLacks(member);
                if (isEmpty) reflection.ClearField(&message, field);
            }
        } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_FLOAT && !field->is_repeated()) {
            std::array<char, 40> text;
            std::snprintf(text.data(), text.size(), "%g", static_cast<double>(reflection.GetFloat(message, field)));
            reflection.SetFloat(&message, field, std::strtof(text.data(), nullptr));
        }
    }
}

nlohmann::json atcJson(const google::protobuf::Message& message);

/// One value; `index` is -1 for a single one.
inline nlohmann::json atcValue(const google::protobuf::Message& message, const google::protobuf::FieldDescriptor& field,
                               int index)
{
    using google::protobuf::FieldDescriptor;
    const auto& r = *message.GetReflection();
    const bool one = index < 0;
    switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
        return atcJson(one ? r.GetMessage(message, &field) : r.GetRepeatedMessage(message, &field, index));
    case FieldDescriptor::CPPTYPE_ENUM:
        return (one ? r.GetEnum(message, &field) : r.GetRepeatedEnum(message, &field, index))->name();
    case FieldDescriptor::CPPTYPE_BOOL:
        return one ? r.GetBool(message, &field) : r.GetRepeatedBool(message, &field, index);
    case FieldDescriptor::CPPTYPE_INT32:
        return one ? r.GetInt32(message, &field) : r.GetRepeatedInt32(message, &field, index);
    case FieldDescriptor::CPPTYPE_UINT32:
        return one ? r.GetUInt32(message, &field) : r.GetRepeatedUInt32(message, &field, index);
    case FieldDescriptor::CPPTYPE_INT64:
        return one ? r.GetInt64(message, &field) : r.GetRepeatedInt64(message, &field, index);
    case FieldDescriptor::CPPTYPE_UINT64:
        return one ? r.GetUInt64(message, &field) : r.GetRepeatedUInt64(message, &field, index);
    case FieldDescriptor::CPPTYPE_FLOAT: {
        if (!one) return r.GetRepeatedFloat(message, &field, index);
        std::array<char, 40> text;
        std::snprintf(text.data(), text.size(), "%g", static_cast<double>(r.GetFloat(message, &field)));
        return text.data();
    }
    case FieldDescriptor::CPPTYPE_STRING: {
        const std::string text = one ? r.GetString(message, &field) : r.GetRepeatedString(message, &field, index);
        return one && field.type() == FieldDescriptor::TYPE_BYTES ? google::protobuf::CEscape(text) : text;
    }
    default: return nullptr;
    }
}

/// A message without content is null.
inline nlohmann::json atcJson(const google::protobuf::Message& message)
{
    nlohmann::json json;
    std::vector<const google::protobuf::FieldDescriptor*> fields;
    message.GetReflection()->ListFields(message, &fields);
    for (const auto* field : fields) {
        if (isLeftOut(field->name())) continue;
        if (!field->is_repeated()) {
            const bool isMessage = field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE;
            if (isMessage && message.GetReflection()->GetMessage(message, field).ByteSizeLong() == 0) continue;
            json[field->name()] = atcValue(message, *field, -1);
            continue;
        }
        for (int i = 0; i < message.GetReflection()->FieldSize(message, field); ++i)
            json[field->name()].push_back(atcValue(message, *field, i));
    }
    return json;
}

} // namespace gelens::test
