#pragma once
// What passes and fusion rules do, one line each, in the language of the window.

#include <QString>

#include <string_view>

namespace gelens::words {

/// A summary of the engine or of a shipped rule; one that is not in the list (a user's own rule) stays as it is.
QString summary(std::string_view english);

} // namespace gelens::words
