#include "app/cli/safe_text.h"

#include <fmt/format.h>

namespace gelens::cli {
namespace {

constexpr std::size_t writeAtBytes = 64 << 10;

std::size_t lengthFromFirstByte(unsigned char c)
{
    return c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
}

bool commandsTerminal(unsigned code)
{
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0) ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

} // namespace

void SafeText::finishCharacter()
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(m_character[i]); };
    if (m_character.size() < m_length || m_length == 0) {
        for (std::size_t i = 0; i < m_character.size(); ++i) m_text += fmt::format("\\x{:02x}", byte(i));
    } else {
        unsigned code = m_length == 1 ? byte(0) : byte(0) & (0x7Fu >> m_length);
        for (std::size_t i = 1; i < m_length; ++i) code = code << 6 | (byte(i) & 0x3Fu);
        if (!commandsTerminal(code))
            m_text += m_character;
        else
            m_text += code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
    }
    m_character.clear();
    m_length = 0;
}

void SafeText::take(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    if (!m_character.empty() && (byte & 0xC0u) != 0x80u) finishCharacter(); // cut short
    if (m_character.empty()) m_length = lengthFromFirstByte(byte);
    m_character += c;
    if (m_character.size() >= m_length) finishCharacter();
}

bool SafeText::write()
{
    const auto size = static_cast<std::streamsize>(m_text.size());
    const bool isWritten = size == 0 || m_target->sputn(m_text.data(), size) == size;
    m_text.clear();
    return isWritten;
}

std::streamsize SafeText::xsputn(const char* text, std::streamsize count)
{
    if (m_passesAll) {
        if (!m_character.empty()) finishCharacter();
        m_text.append(text, static_cast<std::size_t>(count));
    } else {
        for (std::streamsize i = 0; i < count; ++i) take(text[i]);
    }
    return m_text.size() < writeAtBytes || write() ? count : 0;
}

SafeText::int_type SafeText::overflow(int_type c)
{
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

int SafeText::sync()
{
    if (!m_character.empty()) finishCharacter();
    const bool isWritten = write();
    return m_target->pubsync() == 0 && isWritten ? 0 : -1;
}

} // namespace gelens::cli
