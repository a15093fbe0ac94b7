#include "engine/report/report_findings_internal.h"

#include <algorithm>
#include <cctype>

namespace gelens::report {

std::string filled(std::string_view text, std::initializer_list<std::string> values)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t number = text[i] == '%' && i + 1 < text.size() && text[i + 1] >= '1' && text[i + 1] <= '9'
                                       ? static_cast<std::size_t>(text[i + 1] - '1')
                                       : values.size();
        if (number < values.size()) {
            result += values.begin()[number];
            ++i;
        } else {
            result += text[i];
        }
    }
    return result;
}

std::string spacedName(std::string_view name)
{
    const auto isUpper = [&](std::size_t at) {
        return at < name.size() && std::isupper(static_cast<unsigned char>(name[at])) != 0;
    };
    std::string words;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (!isUpper(i)) {
            words += name[i];
            continue;
        }
        if (i > 0) words += ' ';
        // "L1Capacity": a letter before a digit is a name of its own and stays as it is.
        const bool isName = i + 1 < name.size() && std::isdigit(static_cast<unsigned char>(name[i + 1])) != 0;
        words += isName ? name[i] : static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    }
    return words;
}

std::vector<ReasonCount> reasonsOf(const Run& run)
{
    std::vector<ReasonCount> counts;
    for (const Chain& chain : run.chains) {
        auto found = std::find_if(counts.begin(), counts.end(),
                                  [&](const ReasonCount& each) { return each.reason == chain.reason; });
        if (found == counts.end()) found = counts.insert(counts.end(), ReasonCount{chain.reason});
        ++found->chains;
        found->places += chain.count;
    }
    std::stable_sort(counts.begin(), counts.end(),
                     [](const ReasonCount& a, const ReasonCount& b) { return a.places > b.places; });
    return counts;
}

} // namespace gelens::report
