#pragma once
// What a command prints, on its way to the terminal: names come from files, and a file must not command the terminal.

#include <streambuf>
#include <string>

namespace gelens::cli {

/// Passes text on to another buffer, with control characters (C0 but for line feed and tab, DEL, C1), the overrides of
/// writing direction (U+202A–202E, U+2066–2069) and bytes that are no UTF-8 written as \x1b, \u202e. Errors of the
/// other buffer are errors here.
class SafeText : public std::streambuf {
public:
    explicit SafeText(std::streambuf* target) : m_target(target) {}
    ~SafeText() override { sync(); }

    /// From now on bytes pass as they are: JSON has escapes of its own.
    void passAll() { m_passesAll = true; }

protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;

private:
    void take(char c);
    void finishCharacter();
    bool write();

    std::streambuf* m_target;
    std::string m_text;       ///< ready to go out
    std::string m_character;  ///< first bytes of a character that is not complete yet
    std::size_t m_length = 0; ///< bytes that it will have
    bool m_passesAll = false;
};

} // namespace gelens::cli
