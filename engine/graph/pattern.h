#pragma once
// Names as a person writes them who means several.

#include <string_view>

namespace gelens {

/// '*' any run of characters, '?' any one of them; ASCII case does not count. Linear for patterns of one star, never worse
/// than length × length.
bool matchesPattern(std::string_view pattern, std::string_view text);

} // namespace gelens
