#include "engine/formats/text_proto_reader_internal.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace gelens {
namespace {

enum CharClass : std::uint8_t { Other, Space, Letter, Digit };

constexpr std::array<std::uint8_t, 256> makeClasses()
{
    std::array<std::uint8_t, 256> classes{};
    for (const char c : {' ', '\t', '\n', '\r', '\v', '\f'}) classes[static_cast<unsigned char>(c)] = Space;
    for (int c = 'a'; c <= 'z'; ++c)
        classes[static_cast<std::size_t>(c)] = classes[static_cast<std::size_t>(c - 'a' + 'A')] = Letter;
    classes['_'] = Letter;
    for (int c = '0'; c <= '9'; ++c) classes[static_cast<std::size_t>(c)] = Digit;
    return classes;
}
constexpr std::array<std::uint8_t, 256> classes = makeClasses();

CharClass classOf(char c) { return static_cast<CharClass>(classes[static_cast<unsigned char>(c)]); }

int hexDigit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

void appendUtf8(std::string& out, std::uint32_t code)
{
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0 | (code >> 6));
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | (code >> 12));
        out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | ((code >> 18) & 7));
        out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
        out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    }
}

/// One escape behind the backslash at `i`; returns the position behind it. Odd ones stand for themselves.
std::size_t appendEscape(std::string_view body, std::size_t i, std::string& out)
{
    const char c = body[i];
    if (c >= '0' && c <= '7') {
        int value = 0;
        std::size_t end = i;
        while (end < body.size() && end < i + 3 && body[end] >= '0' && body[end] <= '7')
            value = value * 8 + (body[end++] - '0');
        out += static_cast<char>(value);
        return end;
    }
    if (c == 'x' || c == 'X' || c == 'u' || c == 'U') {
        const std::size_t most = c == 'u' ? 4 : c == 'U' ? 8 : 2;
        std::uint32_t value = 0;
        std::size_t end = i + 1;
        while (end < body.size() && end < i + 1 + most && hexDigit(body[end]) >= 0)
            value = value * 16 + static_cast<std::uint32_t>(hexDigit(body[end++]));
        if (end == i + 1)
            out += c;
        else if (most == 2)
            out += static_cast<char>(value);
        else
            appendUtf8(out, value);
        return end;
    }
    constexpr std::string_view from = "abfnrtv", to = "\a\b\f\n\r\t\v";
    const auto place = from.find(c);
    out += place == std::string_view::npos ? c : to[place];
    return i + 1;
}

} // namespace

TextToken TextTokenizer::bad(const char* problem)
{
    m_problem = problem;
    return m_kind = TextToken::Bad;
}

void TextTokenizer::skipSpace()
{
    while (m_at < m_text.size()) {
        if (classOf(m_text[m_at]) == Space) {
            ++m_at;
        } else if (m_text[m_at] == '#') {
            const auto end = m_text.find('\n', m_at);
            m_at = end == std::string_view::npos ? m_text.size() : end;
        } else {
            return;
        }
    }
}

TextToken TextTokenizer::readString(char quote)
{
    ++m_at;
    while (m_at < m_text.size()) {
        const char c = m_text[m_at];
        if (c == quote) {
            ++m_at;
            return m_kind = TextToken::Text;
        }
        if (c == '\n') return bad("a string is not closed on its line");
        m_at += c == '\\' ? 2 : 1;
    }
    m_at = m_text.size();
    return bad("the text ends inside a string");
}

TextToken TextTokenizer::next()
{
    skipSpace();
    m_start = m_at;
    if (m_at >= m_text.size()) return m_kind = TextToken::End;
    const char c = m_text[m_at];
    switch (classOf(c)) {
    case Letter:
        while (m_at < m_text.size() && (classOf(m_text[m_at]) >= Letter || m_text[m_at] == '.')) ++m_at;
        return m_kind = TextToken::Name;
    case Digit: break;
    default:
        if (c == '"' || c == '\'') return readString(c);
        if (c != '.' || m_at + 1 >= m_text.size() || classOf(m_text[m_at + 1]) != Digit) {
            ++m_at;
            if (c == '\0') return bad("a zero byte");
            if (std::strchr("{}<>[]:,;-/", c) == nullptr) return bad("an unexpected character");
            return m_kind = TextToken::Sign;
        }
    }
    while (m_at < m_text.size() &&
           (classOf(m_text[m_at]) >= Letter || m_text[m_at] == '.' ||
            ((m_text[m_at] == '+' || m_text[m_at] == '-') && (m_text[m_at - 1] == 'e' || m_text[m_at - 1] == 'E') &&
             m_text.substr(m_start, 2) != "0x")))
        ++m_at;
    return m_kind = TextToken::Number;
}

void TextTokenizer::appendText(std::string& out) const
{
    appendUnescaped(m_text.substr(m_start + 1, m_at - m_start - 2), out);
}

void appendUnescaped(std::string_view body, std::string& out)
{
    std::size_t i = 0;
    while (i < body.size()) {
        const auto slash = body.find('\\', i);
        if (slash == std::string_view::npos || slash + 1 >= body.size()) {
            out.append(body.substr(i));
            return;
        }
        out.append(body.substr(i, slash - i));
        i = appendEscape(body, slash + 1, out);
    }
}

std::string TextTokenizer::place(std::size_t position) const
{
    const std::string_view before = m_text.substr(0, position);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto start = before.rfind('\n');
    const std::size_t column = start == std::string_view::npos ? position + 1 : position - start;
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

} // namespace gelens
