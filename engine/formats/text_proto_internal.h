#pragma once
// Printing of protobuf text the way protobuf's own TextFormat does; private to this folder.

#include <cstdint>
#include <string>
#include <string_view>

namespace gelens {

class TextProtoPrinter {
public:
    void open(std::string_view field)
    {
        indent();
        m_text.append(field).append(" {\n");
        ++m_depth;
    }
    void close()
    {
        --m_depth;
        indent();
        m_text.append("}\n");
    }
    void number(std::string_view field, std::int64_t value) { raw(field, std::to_string(value)); }
    void real(std::string_view field, float value) { raw(field, floatText(value)); }
    void boolean(std::string_view field, bool value) { raw(field, value ? "true" : "false"); }
    /// An enumerator's name, or any text that stands without quotes.
    void raw(std::string_view field, std::string_view value)
    {
        indent();
        m_text.append(field).append(": ").append(value).append("\n");
    }
    void string(std::string_view field, std::string_view value);

    std::string take() { return std::move(m_text); }

    /// 6 significant digits when they read back the same, else 9.
    static std::string floatText(float value);
    static void appendEscaped(std::string& out, std::string_view value);

private:
    void indent() { m_text.append(static_cast<std::size_t>(2 * m_depth), ' '); }

    std::string m_text;
    int m_depth = 0;
};

} // namespace gelens
