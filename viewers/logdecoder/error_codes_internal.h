#pragma once
// Tables behind error_codes.h.

#include <utility>
#include <vector>

namespace gelens {

/// A code and what it means, to be translated in the context "gelens::ErrorCodes".
using CodeText = std::pair<const char*, const char*>;

/// NF1001 and so on, of autofusion.
const std::vector<CodeText>& notFusedCodes();

} // namespace gelens
