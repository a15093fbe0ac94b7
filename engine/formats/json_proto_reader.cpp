#include "engine/formats/json_proto_reader_internal.h"

#include "engine/formats/proto_fields_internal.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

namespace gelens {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Json = nlohmann::json;

/// Of objects and lists; atc itself stops at 20 messages, which take two each.
constexpr std::size_t maxDepth = 200;

/// What takes some hundred bytes when read must take some characters in the text, or a small file would eat the machine:
/// atc indents, so that no element of a list takes fewer than this. Short texts may be written by hand.
constexpr std::size_t charactersOfElement = 16, freeElements = 65'536;

/// Characters of a text that tell how far a reader has come, since nlohmann-json says that of its own errors only.
class TrackedText {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    TrackedText(const char* at, const char** farthest) : m_at(at), m_farthest(farthest) {}
    reference operator*() const { return *m_at; }
    TrackedText& operator++()
    {
        *m_farthest = ++m_at;
        return *this;
    }
    bool operator==(const TrackedText& other) const { return m_at == other.m_at; }
    bool operator!=(const TrackedText& other) const { return m_at != other.m_at; }

private:
    const char* m_at;
    const char** m_farthest;
};

/// Today's atc C-escapes the bytes of a single field; its older releases and its expanded dictionaries do not. What an
/// escape would not have left in the text tells the two apart.
bool isEscaped(std::string_view text)
{
    bool hasEscape = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte < 0x20 || byte >= 0x7F || byte == '"' || byte == '\'') return false;
        if (byte != '\\') continue;
        hasEscape = true;
        ++i;
    }
    return hasEscape;
}

/// An object or a list that is open. Without a message or a field its content is skipped.
struct Level {
    bool isList = false;
    const FieldDescriptor* field = nullptr; ///< of a list: its own; of an object: that of the key read last
    Message* message = nullptr;             ///< of an object
    const FieldTable* fields = nullptr;
    const FieldDescriptor* streamed = nullptr; ///< to be handed over when it closes
    std::string name;                          ///< of the key read last, or of the list

    // An entry of an attribute map.
    AttrDefMap* map = nullptr;
    std::optional<std::string> key;
    std::unique_ptr<ge::proto::AttrDef> value;
};

class Reader final : public nlohmann::json_sax<Json> {
public:
    Reader(std::string_view text, Message& root, TextMessageSink& sink) : m_text(text), m_root(root), m_sink(sink) {}

    TextProblem run()
    {
        m_at = m_text.data();
        const char* const end = m_text.data() + m_text.size();
        Json::sax_parse(TrackedText(m_text.data(), &m_at), TrackedText(end, &m_at), this);
        return std::move(m_problem);
    }

    bool null() override
    {
        const FieldDescriptor* const field = target();
        if (!field || !m_levels.back().isList) return true;
        // GE writes a message without content as null, and numbers that JSON has no word for.
        if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) return openMessage(*field) && closeLevel();
        if (field->cpp_type() == FieldDescriptor::CPPTYPE_FLOAT) scalar("nan", false);
        return true;
    }
    bool boolean(bool value) override { return scalar(value ? "true" : "false", false); }
    bool number_integer(std::int64_t value) override { return integer(value); }
    bool number_unsigned(std::uint64_t value) override { return integer(value); }
    bool number_float(double, const std::string& raw) override { return signedScalar(raw); }
    bool string(std::string& value) override;
    bool binary(Json::binary_t&) override { return true; }

    bool start_object(std::size_t) override
    {
        if (!hasRoom()) return false;
        if (m_levels.empty()) return open(objectOf(&m_root));
        const Level& top = m_levels.back();
        if (top.map && top.name == "value") return open(objectOf(top.value.get()));
        const FieldDescriptor* const field = target();
        if (field && field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) return openMessage(*field);
        return open({});
    }
    bool key(std::string& name) override
    {
        Level& top = m_levels.back();
        top.field = top.fields && !top.map ? top.fields->find(name) : nullptr;
        top.name.swap(name);
        return true;
    }
    bool end_object() override { return closeLevel(); }

    bool start_array(std::size_t) override
    {
        if (!hasRoom()) return false;
        Level list;
        list.isList = true;
        // A list within a list belongs to no field.
        if (!m_levels.empty() && !m_levels.back().isList) {
            list.field = m_levels.back().field;
            list.name = m_levels.back().name;
        }
        if (list.field && !list.field->is_repeated()) list.field = nullptr;
        return open(std::move(list));
    }
    bool end_array() override
    {
        m_levels.pop_back();
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const Json::exception& error) override
    {
        if (error.id == 406) return fail("a number is out of range");
        // The end counts as one more character.
        if (position > m_text.size()) return fail(endsInside(), m_text.size());
        return fail(m_at[-1] == '\0' ? "a zero byte" : "an unexpected character");
    }

private:
    bool fail(std::string text) { return fail(std::move(text), static_cast<std::size_t>(m_at - m_text.data()) - 1); }
    bool fail(std::string text, std::size_t position);
    std::string endsInside() const;
    /// Counts a message or a string.
    bool isAffordable()
    {
        return ++m_elements <= freeElements + m_text.size() / charactersOfElement || fail("too many empty elements");
    }
    bool hasRoom() { return m_levels.size() < maxDepth || fail("messages are nested too deep"); }

    Level objectOf(Message* message)
    {
        Level level;
        level.message = message;
        level.fields = &m_tables.of(*message->GetDescriptor());
        return level;
    }
    const FieldDescriptor* target() const { return m_levels.empty() ? nullptr : m_levels.back().field; }
    /// The message that a value belongs to: of the object at hand, or of the one around the list at hand.
    Message& owner() const { return *m_levels[m_levels.size() - (m_levels.back().isList ? 2 : 1)].message; }

    bool open(Level level)
    {
        if (level.message) ++m_messages;
        m_levels.push_back(std::move(level));
        return true;
    }
    bool openMessage(const FieldDescriptor& field);
    bool closeLevel();
    bool scalar(std::string_view raw, bool isNegative);
    bool signedScalar(std::string_view raw)
    {
        const bool isNegative = raw.starts_with('-');
        return scalar(raw.substr(isNegative ? 1 : 0), isNegative);
    }
    template <typename Number>
    bool integer(Number value)
    {
        std::array<char, 24> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
        return signedScalar({digits.data(), static_cast<std::size_t>(end - digits.data())});
    }

    std::string_view m_text;
    Message& m_root;
    TextMessageSink& m_sink;
    const char* m_at = nullptr; ///< how far the text has been read
    std::vector<Level> m_levels;
    int m_messages = 0; ///< open ones
    std::size_t m_elements = 0;
    FieldTables m_tables;
    TextProblem m_problem;
};

bool Reader::string(std::string& value)
{
    if (m_levels.empty()) return true; // the whole text is a string
    Level& top = m_levels.back();
    if (top.map) {
        if (top.name == "key") top.key = std::move(value);
        return true;
    }
    if (!top.field) return true;
    if (top.field->cpp_type() != FieldDescriptor::CPPTYPE_STRING) return signedScalar(value);
    if (top.field->type() == FieldDescriptor::TYPE_BYTES && !top.isList && isEscaped(value)) {
        std::string plain;
        appendUnescaped(value, plain);
        value = std::move(plain);
    }
    setText(owner(), *top.field, value);
    return isAffordable();
}

bool Reader::scalar(std::string_view raw, bool isNegative)
{
    const FieldDescriptor* const field = target();
    if (field && !raw.empty()) setScalar(owner(), *field, raw, isNegative);
    return true;
}

bool Reader::openMessage(const FieldDescriptor& field)
{
    if (!isAffordable()) return false;
    Message& parent = owner();
    Level level;
    if (Message* const given = m_sink.open(field, m_messages - 1)) {
        level = objectOf(given);
        level.streamed = &field;
    } else if (AttrDefMap* const map = attrMapOf(parent, field)) {
        level.map = map;
        level.value = std::make_unique<ge::proto::AttrDef>();
    } else {
        level = objectOf(memberOf(parent, field));
    }
    return open(std::move(level));
}

bool Reader::closeLevel()
{
    const Level done = std::move(m_levels.back());
    m_levels.pop_back();
    if (done.message) --m_messages;
    if (done.map && done.key) {
        (*done.map)[*done.key].Swap(done.value.get());
    } else if (done.streamed) {
        if (const Status status = m_sink.close(*done.streamed, owner(), *done.message); !status) {
            m_problem.isStopped = true;
            m_problem.error = status.error();
            return false;
        }
    }
    return true;
}

bool Reader::fail(std::string text, std::size_t position)
{
    m_problem.text = std::move(text);
    m_problem.place = TextTokenizer(m_text).place(position);
    return false;
}

std::string Reader::endsInside() const
{
    for (auto level = m_levels.rbegin(); level != m_levels.rend(); ++level)
        if (!level->name.empty()) return "the text ends inside '" + level->name + "'";
    return "no graph inside";
}

/// Stops at the first thing that decides.
class Sniffer final : public nlohmann::json_sax<Json> {
public:
    bool isModel() const { return m_isModel; }

    bool null() override { return !isAttrValue() || found(); }
    bool boolean(bool) override { return true; }
    bool number_integer(std::int64_t) override { return true; }
    bool number_unsigned(std::uint64_t) override { return true; }
    bool number_float(double, const std::string&) override { return true; }
    bool string(std::string&) override { return true; }
    bool binary(Json::binary_t&) override { return true; }
    bool start_object(std::size_t) override { return isAttrValue() ? found() : open(false); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return !m_levels.empty() && open(true); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }
    bool key(std::string& name) override
    {
        Place& top = m_levels.back();
        top.key.swap(name);
        top.hasKey = top.hasKey || top.key == "key";
        return top.key == "op" && isElementOf("graph", 3) ? found() : true;
    }

private:
    struct Place {
        bool isList = false, hasKey = false;
        std::string key; ///< read last
    };

    bool open(bool isList)
    {
        m_levels.push_back({isList, false, {}});
        return m_levels.size() < maxDepth;
    }
    bool close()
    {
        m_levels.pop_back();
        return true;
    }
    bool found()
    {
        m_isModel = true;
        return false;
    }
    /// Whether the object at hand stands in a list of that name, `depth` levels down.
    bool isElementOf(std::string_view list, std::size_t depth) const
    {
        return m_levels.size() == depth && m_levels[depth - 2].isList && m_levels[depth - 3].key == list;
    }
    /// Of the model, or of one of its graphs.
    bool isAttrValue() const
    {
        return (isElementOf("attr", 3) || isElementOf("attr", 5)) && m_levels.back().hasKey &&
               m_levels.back().key == "value";
    }

    std::vector<Place> m_levels;
    bool m_isModel = false;
};

} // namespace

TextProblem parseProtoJson(std::string_view text, google::protobuf::Message& root, TextMessageSink& sink)
{
    return Reader(text, root, sink).run();
}

bool looksLikeModelJson(std::string_view text)
{
    Sniffer sniffer;
    Json::sax_parse(text.begin(), text.end(), &sniffer);
    return sniffer.isModel();
}

} // namespace gelens
