#include "engine/formats/text_proto_internal.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace gelens {

void TextProtoPrinter::string(std::string_view field, std::string_view value)
{
    indent();
    m_text.append(field).append(": \"");
    appendEscaped(m_text, value);
    m_text.append("\"\n");
}

void TextProtoPrinter::appendEscaped(std::string& out, std::string_view value)
{
    for (const char c : value) {
        switch (c) {
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        case '"': out += "\\\""; break;
        case '\'': out += "\\'"; break;
        case '\\': out += "\\\\"; break;
        default: {
            const auto byte = static_cast<unsigned char>(c);
            if (byte >= 0x20 && byte < 0x7f) {
                out += c;
            } else {
                const char digits[] = {'\\', static_cast<char>('0' + (byte >> 6)),
                                       static_cast<char>('0' + ((byte >> 3) & 7)), static_cast<char>('0' + (byte & 7))};
                out.append(digits, 4);
            }
        }
        }
    }
}

std::string TextProtoPrinter::floatText(float value)
{
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.6g", static_cast<double>(value));
    if (std::strtof(buffer, nullptr) != value) std::snprintf(buffer, sizeof buffer, "%.9g", static_cast<double>(value));
    return buffer;
}

} // namespace gelens
