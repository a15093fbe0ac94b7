#pragma once
// A tolerant reader of protobuf text: a tokenizer, and a parser that fills messages and hands over the big ones as they
// close, so that a dump is never held as a whole. Private to this folder.

#include "engine/graph/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace google::protobuf {
class FieldDescriptor;
class Message;
} // namespace google::protobuf

namespace gelens {

enum class TextToken { End, Name, Text, Number, Sign, Bad };

/// Cuts text into tokens without copying. Comments and white space are skipped.
class TextTokenizer {
public:
    explicit TextTokenizer(std::string_view text) : m_text(text) {}

    TextToken next(); ///< reads the next token
    TextToken kind() const { return m_kind; }
    std::string_view raw() const { return m_text.substr(m_start, m_at - m_start); }
    bool isSign(char sign) const { return m_kind == TextToken::Sign && m_text[m_start] == sign; }
    /// The unescaped value of a Text token, appended to `out`.
    void appendText(std::string& out) const;
    std::size_t position() const { return m_start; }
    /// What follows the token at hand, and a jump over its first characters.
    std::string_view rest() const { return m_text.substr(m_at); }
    void skip(std::size_t characters) { m_at += characters; }
    const char* problem() const { return m_problem; } ///< of a Bad token
    /// "line 3, column 12" of a position.
    std::string place(std::size_t position) const;

private:
    void skipSpace();
    TextToken readString(char quote);
    TextToken bad(const char* problem);

    std::string_view m_text;
    std::size_t m_start = 0, m_at = 0;
    TextToken m_kind = TextToken::End;
    const char* m_problem = "";
};

/// Appends a string's content with its escapes undone.
void appendUnescaped(std::string_view content, std::string& out);

/// Receives messages as they open and close.
class TextMessageSink {
public:
    virtual ~TextMessageSink() = default;
    /// A message to fill in place of a member of `parent`; null to fill the member. `depth` is 0 at the top.
    virtual google::protobuf::Message* open(const google::protobuf::FieldDescriptor& /*field*/, int /*depth*/)
    {
        return nullptr;
    }
    /// A message that the sink reads by itself: `text` stands behind its '{'. Returns how many characters it took, the
    /// closing '}' included, or nothing to have the message read in the ordinary way.
    virtual std::size_t takeText(const google::protobuf::FieldDescriptor& /*field*/, int /*depth*/,
                                 const google::protobuf::Message& /*parent*/, std::string_view /*text*/,
                                 Status& /*status*/)
    {
        return 0;
    }
    /// A message given by open() is complete.
    virtual Status close(const google::protobuf::FieldDescriptor& /*field*/, google::protobuf::Message& /*parent*/,
                         google::protobuf::Message& /*done*/)
    {
        return {};
    }
};

struct TextProblem {
    std::string text;       ///< empty: the whole text was read
    std::string place;      ///< "line 3, column 12"
    bool isStopped = false; ///< the sink's own error, in `error`
    Error error;
    bool any() const { return !text.empty() || isStopped; }
};

/// Fills `root`. Unknown fields are skipped. At the first place that is no protobuf text reading stops; what was
/// complete has been handed over, and messages still open stay as filled as they are. Nesting deeper than 100 stops too.
TextProblem parseProtoText(std::string_view text, google::protobuf::Message& root, TextMessageSink& sink);

/// Name of the first field at the top that holds a message: "graph", "op", "node"; empty when there is none in `text`.
std::string firstMessageField(std::string_view text);

} // namespace gelens
