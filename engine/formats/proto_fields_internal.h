#pragma once
// Fields of a protobuf message by name, and values put into them: what the
// readers of text and of JSON share. Private to this folder, for .cpp files
// only.

#include "formats/proto/ge_ir.pb.h"

#include <google/protobuf/message.h>

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gelens {

using AttrDefMap = google::protobuf::Map<std::string, ge::proto::AttrDef>;

/// The attribute map of a GE message, null for all other fields: filled
/// directly, since nearly all of a dump is made of such entries.
AttrDefMap* attrMapOf(google::protobuf::Message& message, const google::protobuf::FieldDescriptor& field);

/// Fields of a message type by name, in a list short enough to search through.
class FieldTable {
public:
    explicit FieldTable(const google::protobuf::Descriptor& type);
    const google::protobuf::FieldDescriptor* find(std::string_view name) const
    {
        for (const auto& [known, field] : m_fields)
            if (known == name) return field;
        return nullptr;
    }

private:
    std::vector<std::pair<std::string_view, const google::protobuf::FieldDescriptor*>> m_fields;
};

/// The tables of the types that a reader meets.
class FieldTables {
public:
    const FieldTable& of(const google::protobuf::Descriptor& type)
    {
        auto& table = m_tables[&type];
        if (!table) table = std::make_unique<FieldTable>(type);
        return *table;
    }

private:
    std::unordered_map<const google::protobuf::Descriptor*, std::unique_ptr<FieldTable>> m_tables;
};

/// Sets a number, truth value or enumerator, or adds it to a repeated field.
/// `raw` stands as in protobuf text, without its sign; what does not fit the
/// type is brought into its range, an enumerator that nothing names is left
/// out.
void setScalar(google::protobuf::Message& message, const google::protobuf::FieldDescriptor& field, std::string_view raw,
               bool isNegative);
/// The same for a field of text or bytes; all others stay as they are.
void setText(google::protobuf::Message& message, const google::protobuf::FieldDescriptor& field,
             const std::string& text);

/// A member message to fill: the one that is there, or a new one of a repeated
/// field.
google::protobuf::Message* memberOf(google::protobuf::Message& message, const google::protobuf::FieldDescriptor& field);

} // namespace gelens
