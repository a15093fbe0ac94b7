#include "engine/formats/proto_fields_internal.h"
#include "engine/formats/text_proto_reader_internal.h"

#include <memory>

namespace gelens {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

constexpr std::size_t maxDepth = 100;

/// One open message. Without a message its content is skipped; with an entry it is a map entry.
struct Frame {
    Message* message = nullptr;
    const FieldTable* fields = nullptr;
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
    Frame frameOf(Message* message)
    {
        Frame frame;
        frame.message = message;
        if (message) frame.fields = &m_tables.of(*message->GetDescriptor());
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
            } else {
                frame = frameOf(memberOf(*top.message, *field));
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
            } else if (field) {
                setText(*top.message, *field, m_text);
            }
            return;
        }
        bool isNegative = false;
        if (m_tokens.isSign('-')) {
            isNegative = true;
            m_tokens.next();
        }
        if (m_tokens.kind() != TextToken::Name && m_tokens.kind() != TextToken::Number) return failToken("a value");
        if (field && !top.map) setScalar(*top.message, *field, m_tokens.raw(), isNegative);
        m_tokens.next();
    }

    TextTokenizer m_tokens;
    TextMessageSink& m_sink;
    std::vector<Frame> m_stack;
    FieldTables m_tables;
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
