#pragma once
// What CANN's error codes mean and what to do about them.

#include <QString>

#include <string>

namespace gelens {

/// One or two sentences in the language of the window: of the code, else of the family that its first letters name.
QString errorCodeText(const std::string& code);
/// Whether the code itself is known, not only its family.
bool isKnownErrorCode(const std::string& code);

} // namespace gelens
