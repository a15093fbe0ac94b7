#pragma once
// All rules in force for a run.

#include "engine/fusion/rule.h"
#include "engine/spec/step.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

class FusionSwitch;

class RuleSet {
public:
    /// Reads every *.textproto of the folders (sorted by name; a path may also be one file). What is wrong goes to
    /// `messages` as "file:line:column: …" (ids fusion.rule-syntax, fusion.rule-invalid, fusion.rule-folder) and spares
    /// all other rules.
    static RuleSet load(const std::vector<std::filesystem::path>& paths, std::vector<Message>& messages);
    /// The same for one text; `file` is used in messages.
    void addText(std::string_view text, const std::string& file, std::vector<Message>& messages);

    /// Sorted by priority, then id.
    const std::vector<std::shared_ptr<const Rule>>& rules() const { return m_rules; }
    const Rule* find(std::string_view idOrPass) const;
    /// Rules of one group in the order in which they run, with the priorities of a switch file where it gives some.
    std::vector<const Rule*> orderedRules(RuleGroup group, const FusionSwitch* switches = nullptr) const;

private:
    std::vector<std::shared_ptr<const Rule>> m_rules;
};

} // namespace gelens
