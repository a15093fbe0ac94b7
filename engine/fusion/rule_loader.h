#pragma once
// From protobuf text to checked rules; private to engine/fusion.

#include "engine/fusion/rule.h"
#include "engine/spec/step.h"

#include <string>
#include <string_view>
#include <vector>

namespace gelens {

/// Rules of one file that are sound; each fault is a message "file:line:column" and costs only its own rule.
/// A syntax error costs the rule in which it stands; reading goes on at the next top-level `rule {`.
std::vector<Rule> loadRules(std::string_view text, const std::string& file, std::vector<Message>& messages);

} // namespace gelens
