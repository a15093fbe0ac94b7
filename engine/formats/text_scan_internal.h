#pragma once
// A quick reader for the plain part of protobuf text: names, numbers and closed double-quoted strings, with any white
// space between them. All else (comments, separators, single quotes, angle brackets, split strings) stops it, and the
// caller turns to the tolerant reader of text_proto_reader_internal.h, which also knows what to say about damage.
// Private to this folder.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

/// `text` stands behind the '{' of a message: the place behind the '}' that closes it, or nothing when the message does
/// not end, holds a string that is not closed on its line, or anything that needs the tolerant reader. 64 bytes a step.
std::optional<std::size_t> skipTextMessage(std::string_view text);

class TextScan {
public:
    explicit TextScan(std::string_view text) : m_at(text.data()), m_end(text.data() + text.size()) {}

    const char* at() const { return m_at; }
    void jump(const char* place) { m_at = place; }
    std::string_view rest() const { return {m_at, static_cast<std::size_t>(m_end - m_at)}; }

    /// White space; false at the end of the text.
    bool space()
    {
        if (m_end - m_at >= 9 && *m_at == '\n') { // a line's end and its indentation, eight blanks at a time
            constexpr std::uint64_t blanks = 0x2020202020202020;
            std::uint64_t eight = 0;
            for (++m_at; m_end - m_at >= 8; m_at += 8) {
                std::memcpy(&eight, m_at, 8);
                if (eight == blanks) continue;
                if constexpr (std::endian::native == std::endian::little) m_at += std::countr_zero(eight ^ blanks) / 8;
                break;
            }
        }
        while (m_at < m_end && kinds[static_cast<unsigned char>(*m_at)] == Blank) ++m_at;
        return m_at < m_end;
    }
    bool sign(char wanted)
    {
        if (!space() || *m_at != wanted) return false;
        ++m_at;
        return true;
    }
    bool isNext(char wanted) { return space() && *m_at == wanted; }
    /// The very characters that GE prints, white space included: quicker than token by token. Moves only when they are there.
    template <std::size_t size>
    bool literal(const char (&text)[size])
    {
        constexpr std::size_t length = size - 1;
        if (m_end - m_at < static_cast<std::ptrdiff_t>(length) || std::memcmp(m_at, text, length) != 0) return false;
        m_at += length;
        return true;
    }
    bool text(std::string_view wanted)
    {
        if (m_end - m_at < static_cast<std::ptrdiff_t>(wanted.size()) ||
            std::memcmp(m_at, wanted.data(), wanted.size()) != 0)
            return false;
        m_at += wanted.size();
        return true;
    }

    /// Letters, digits, '_' and '.'; empty where none is.
    std::string_view word()
    {
        if (!space()) return {};
        const char* const start = m_at;
        while (m_at < m_end && kinds[static_cast<unsigned char>(*m_at)] == Word) ++m_at;
        return {start, static_cast<std::size_t>(m_at - start)};
    }
    /// A string's content as it stands in the text, escapes and all.
    std::optional<std::string_view> quoted();
    /// The same for a string whose escapes are undone; `hasEscapes` tells whether there are any.
    std::optional<std::string_view> quoted(bool& hasEscapes)
    {
        hasEscapes = false;
        return sign('"') ? behindQuote(hasEscapes) : std::nullopt;
    }
    /// The same behind the opening quote.
    std::optional<std::string_view> behindQuote(bool& hasEscapes);
    std::optional<std::int64_t> integer();

    // Values behind a colon; false when the text is not as plain as it has to be.
    bool readText(std::string& out);
    bool appendText(std::vector<std::string>& list) { return readText(list.emplace_back()); }
    bool readNumber(std::int64_t& out)
    {
        const auto value = integer();
        out = value.value_or(0);
        return value.has_value();
    }
    bool appendNumber(std::vector<std::int64_t>& list) { return readNumber(list.emplace_back()); }
    bool readReal(float& out); ///< digits only: "inf" and "nan" are the tolerant reader's
    /// A number, a word or a string that nobody asks for.
    bool skipScalar()
    {
        if (isNext('"')) return quoted().has_value();
        if (isNext('-')) sign('-');
        return !word().empty();
    }
    bool skipMessage() ///< behind a '{'
    {
        __builtin_prefetch(m_at + 1024); // the next attribute's lines
        const auto length = skipTextMessage(rest());
        if (length) m_at += *length;
        return length.has_value();
    }

private:
    enum Kind : std::uint8_t { Other, Blank, Word };
    static constexpr std::array<Kind, 256> kinds = [] {
        std::array<Kind, 256> table{};
        for (const char c : {' ', '\t', '\n', '\r', '\v', '\f'}) table[static_cast<std::size_t>(c)] = Blank;
        for (int c = 0; c < 256; ++c)
            if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.')
                table[static_cast<std::size_t>(c)] = Word;
        return table;
    }();

    const char* m_at;
    const char* m_end;
};

/// A string's content with its escapes undone.
std::string unescapedText(std::string_view content);
std::size_t unescapedLength(std::string_view content);

} // namespace gelens
