#include "engine/formats/text_proto_reader_internal.h"

#include "formats/proto/ge_ir.pb.h"

#include <google/protobuf/message.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <unordered_map>

namespace gelens {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using AttrDefMap = google::protobuf::Map<std::string, ge::proto::AttrDef>;

constexpr std::size_t maxDepth = 100;

/// The attribute map of a GE message: filled directly, since nearly all of a dump is made of such entries.
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

/// Fields of a message type by name, in a list short enough to search through.
class FieldTable {
public:
    explicit FieldTable(const Descriptor& type)
    {
        for (int i = 0; i < type.field_count(); ++i) m_fields.emplace_back(type.field(i)->name(), type.field(i));
    }
    const FieldDescriptor* find(std::string_view name) const
    {
        for (const auto& [known, field] : m_fields)
            if (known == name) return field;
        return nullptr;
    }

private:
    std::vector<std::pair<std::string_view, const FieldDescriptor*>> m_fields;
};

/// One open message. Without a message its content is skipped; with an entry it is a map entry.
struct Frame {
    Message* message = nullptr;
    const FieldTable* fields = nullptr;
    const Reflection* reflection = nullptr;
    char closer = '}';
    const FieldDescriptor* streamed = nullptr; ///< to be handed over on close
    AttrDefMap* map = nullptr;                 ///< entry of this map
    std::string key;
    std::unique_ptr<ge::proto::AttrDef> value;
    std::string_view name; ///< of the field, for messages
};

class Parser {
public:
    Parser(std::string_view text, Message& root, TextMessageSink& sink) : m_tokens(text), m_sink(sink)
    {
        m_stack.push_back(frameOf(&root));
    }

    TextProblem run()
    {
        m_tokens.next();
        while (!m_problem.any()) {
            if (m_tokens.kind() == TextToken::End) {
                if (m_stack.size() > 1) fail("the text ends inside '" + std::string(m_stack.back().name) + "'");
                break;
            }
            if (m_tokens.isSign(m_stack.back().closer) && m_stack.size() > 1)
                close();
            else
                readField();
        }
        return std::move(m_problem);
    }

private:
    const FieldTable& tableOf(const Descriptor& type)
    {
        auto& table = m_tables[&type];
        if (!table) table = std::make_unique<FieldTable>(type);
        return *table;
    }

    Frame frameOf(Message* message)
    {
        Frame frame;
        frame.message = message;
        if (message) {
            frame.fields = &tableOf(*message->GetDescriptor());
            frame.reflection = message->GetReflection();
        }
        return frame;
    }

    void fail(std::string text)
    {
        m_problem.text = std::move(text);
        m_problem.place = m_tokens.place(m_tokens.position());
    }
    void failToken(const char* expected)
    {
        if (m_tokens.kind() == TextToken::Bad)
            fail(m_tokens.problem());
        else if (m_tokens.kind() == TextToken::End)
            fail("the text ends inside '" + std::string(m_stack.back().name) + "'");
        else
            fail(std::string("expected ") + expected);
    }

    void close()
    {
        Frame frame = std::move(m_stack.back());
        m_stack.pop_back();
        m_tokens.next();
        skipSeparator();
        if (frame.map) {
            (*frame.map)[frame.key].Swap(frame.value.get());
        } else if (frame.streamed) {
            if (const Status status = m_sink.close(*frame.streamed, *m_stack.back().message, *frame.message); !status) {
                m_problem.isStopped = true;
                m_problem.error = status.error();
            }
        }
    }

    void skipSeparator()
    {
        if (m_tokens.isSign(',') || m_tokens.isSign(';')) m_tokens.next();
    }

    void readField()
    {
        std::string_view name;
        if (m_tokens.isSign('[')) { // an extension: skipped
            while (m_tokens.kind() != TextToken::End && m_tokens.kind() != TextToken::Bad && !m_tokens.isSign(']'))
                m_tokens.next();
            if (!m_tokens.isSign(']')) return failToken("']'");
        } else if (m_tokens.kind() == TextToken::Name || m_tokens.kind() == TextToken::Number) {
            name = m_tokens.raw();
        } else {
            return failToken("a field name");
        }
        m_tokens.next();
        Frame& top = m_stack.back();
        const FieldDescriptor* const field = top.map || !top.fields ? nullptr : top.fields->find(name);
        bool hasColon = false;
        if (m_tokens.isSign(':')) {
            hasColon = true;
            m_tokens.next();
        }
        if (m_tokens.isSign('[')) {
            readList(field, name);
        } else if (m_tokens.isSign('{') || m_tokens.isSign('<')) {
            open(field, name);
            return;
        } else if (hasColon) {
            readValue(field, name);
        } else {
            return failToken("':' or '{'");
        }
        if (!m_problem.any()) skipSeparator();
    }

    /// `field: [v, v, v]`; messages inside are read as if each were a field of its own.
    void readList(const FieldDescriptor* field, std::string_view name)
    {
        m_tokens.next();
        while (!m_tokens.isSign(']')) {
            if (m_tokens.isSign('{') || m_tokens.isSign('<')) {
                const std::size_t depth = m_stack.size();
                open(field, name);
                while (!m_problem.any() && m_stack.size() > depth) {
                    if (m_tokens.kind() == TextToken::End) return failToken("'}'");
                    if (m_tokens.isSign(m_stack.back().closer))
                        close();
                    else
                        readFieldInList();
                }
            } else {
                readValue(field, name);
            }
            if (m_problem.any()) return;
            if (m_tokens.isSign(',')) m_tokens.next();
        }
        m_tokens.next();
    }

    /// Lists of messages do not nest in any schema that is read here: a list in a list is refused, not descended into.
    void readFieldInList()
    {
        if (m_isInList) return fail("lists of messages are nested");
        m_isInList = true;
        readField();
        m_isInList = false;
    }

    void open(const FieldDescriptor* field, std::string_view name)
    {
        if (m_stack.size() >= maxDepth) return fail("messages are nested too deep");
        const char closer = m_tokens.isSign('{') ? '}' : '>';
        Frame& top = m_stack.back();
        if (closer == '}' && field && !top.map && top.message && takenByText(*field, *top.message)) return;
        Frame frame;
        if (top.map) {
            if (name == "value") frame = frameOf(top.value.get());
        } else if (field && field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
            Message* const given = m_sink.open(*field, static_cast<int>(m_stack.size()) - 1);
            if (given) {
                frame = frameOf(given);
                frame.streamed = field;
            } else if (AttrDefMap* const map = attrMapOf(*top.message, *field)) {
                frame.map = map;
                frame.value = std::make_unique<ge::proto::AttrDef>();
            } else if (field->is_repeated()) {
                frame = frameOf(top.reflection->AddMessage(top.message, field));
            } else {
                frame = frameOf(top.reflection->MutableMessage(top.message, field));
            }
        }
        frame.closer = closer;
        frame.name = name;
        m_stack.push_back(std::move(frame));
        m_tokens.next();
    }

    /// Whether the sink has read the message that begins here by itself.
    bool takenByText(const FieldDescriptor& field, const Message& parent)
    {
        Status status;
        const std::size_t taken =
            m_sink.takeText(field, static_cast<int>(m_stack.size()) - 1, parent, m_tokens.rest(), status);
        if (!status) {
            m_problem.isStopped = true;
            m_problem.error = status.error();
        }
        if (taken == 0) return !status;
        m_tokens.skip(taken);
        m_tokens.next();
        skipSeparator();
        return true;
    }

    void readValue(const FieldDescriptor* field, std::string_view name)
    {
        Frame& top = m_stack.back();
        if (m_tokens.kind() == TextToken::Text) {
            m_text.clear();
            do {
                m_tokens.appendText(m_text);
                m_tokens.next();
            } while (m_tokens.kind() == TextToken::Text);
            if (m_tokens.kind() == TextToken::Bad) return failToken("a value");
            if (top.map) {
                if (name == "key") top.key = m_text;
            } else if (field && field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
                if (field->is_repeated())
                    top.reflection->AddString(top.message, field, m_text);
                else
                    top.reflection->SetString(top.message, field, m_text);
            }
            return;
        }
        bool isNegative = false;
        if (m_tokens.isSign('-')) {
            isNegative = true;
            m_tokens.next();
        }
        if (m_tokens.kind() != TextToken::Name && m_tokens.kind() != TextToken::Number) return failToken("a value");
        if (field && !top.map) setScalar(top, *field, m_tokens.raw(), isNegative);
        m_tokens.next();
    }

    static std::uint64_t magnitude(std::string_view raw)
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
    static std::int64_t integer(std::string_view raw, bool isNegative)
    {
        const std::uint64_t value = magnitude(raw);
        return static_cast<std::int64_t>(isNegative ? ~value + 1 : value);
    }
    static double real(std::string_view raw, bool isNegative)
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
    static float single(std::string_view raw, bool isNegative)
    {
        float value = 0;
        const auto [end, code] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
        if (code != std::errc() || (raw[0] < '0' && raw[0] != '.') || raw[0] > '9')
            return static_cast<float>(real(raw, isNegative));
        return isNegative ? -value : value;
    }

    void setScalar(Frame& top, const FieldDescriptor& field, std::string_view raw, bool isNegative)
    {
        Message* const m = top.message;
        const Reflection& r = *top.reflection;
        const auto put = [&](auto set, auto add, auto value) {
            if (field.is_repeated())
                (r.*add)(m, &field, value);
            else
                (r.*set)(m, &field, value);
        };
        switch (field.cpp_type()) {
        case FieldDescriptor::CPPTYPE_INT64:
            return put(&Reflection::SetInt64, &Reflection::AddInt64, integer(raw, isNegative));
        case FieldDescriptor::CPPTYPE_UINT64:
            return put(&Reflection::SetUInt64, &Reflection::AddUInt64, magnitude(raw));
        case FieldDescriptor::CPPTYPE_INT32:
            return put(&Reflection::SetInt32, &Reflection::AddInt32,
                       static_cast<std::int32_t>(integer(raw, isNegative)));
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

    TextTokenizer m_tokens;
    TextMessageSink& m_sink;
    std::vector<Frame> m_stack;
    std::unordered_map<const Descriptor*, std::unique_ptr<FieldTable>> m_tables;
    std::string m_text;
    bool m_isInList = false;
    TextProblem m_problem;
};

} // namespace

TextProblem parseProtoText(std::string_view text, Message& root, TextMessageSink& sink)
{
    return Parser(text, root, sink).run();
}

std::string firstMessageField(std::string_view text)
{
    TextTokenizer tokens(text);
    std::string name;
    for (TextToken kind = tokens.next(); kind != TextToken::End && kind != TextToken::Bad; kind = tokens.next()) {
        if (kind == TextToken::Name) name = tokens.raw();
        if (tokens.isSign('{') || tokens.isSign('<')) return name;
    }
    return {};
}

} // namespace gelens
