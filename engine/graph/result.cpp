#include "engine/graph/result.h"

#include <string_view>

namespace gelens {

std::string Error::message() const
{
    std::string text;
    if (!where.empty()) text += where + ": ";
    text += what;
    if (!causes.empty()) {
        text += " (";
        for (std::size_t i = 0; i < causes.size(); ++i) {
            if (i > 0) text += "; ";
            text += causes[i];
        }
        text += ")";
    }
    // Names and paths come from files: a line break in one must not forge a second log line.
    for (char& c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) c = ' ';
    }
    return text;
}

void failAssertion(const char* condition, const char* file, int line)
{
    // Only the file's name: the full path would name the machine that built the program.
    std::string_view path(file);
    if (const auto slash = path.find_last_of('/'); slash != std::string_view::npos) path.remove_prefix(slash + 1);
    throw InternalError("internal check failed at " + std::string(path) + ":" + std::to_string(line) + ": " +
                        condition);
}

} // namespace gelens
