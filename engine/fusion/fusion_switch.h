#pragma once
// CANN's fusion_switch.cfg (ATC: --fusion_switch_file): which passes are on, and in which order they run.

#include "engine/fusion/rule.h"
#include "engine/graph/result.h"
#include "engine/spec/step.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

class RuleSet;
struct CompileOptions;

/// Reads both syntaxes: one "PassName:off" a line, or JSON with Switch, Priority and ExceptionalPassOfO1Level.
/// Errors carry "file:line".
class FusionSwitch {
public:
    FusionSwitch() = default;
    static Result<FusionSwitch> parse(std::string_view text, const std::string& file);
    static Result<FusionSwitch> load(const std::string& file);

    /// Warnings (fusion.switch-unknown-pass) for names that no rule and none of `otherPasses` bears.
    std::vector<Message> unknownNames(const RuleSet& rules, const std::vector<std::string>& otherPasses = {}) const;

    /// Takes over options.ruleSwitches: they beat the file, also for rules that a file cannot turn off.
    void addOptions(const CompileOptions& options);

    /// Whether the rule runs. Order of decision: options, always-on, the name in the file, ALL of its section, default.
    bool isOn(const Rule& rule) const;
    /// The same for a pass that is no rule; on unless it was switched off.
    bool isPassOn(std::string_view pass, bool isUbFusion, bool isOnByDefault = true) const;
    /// What decided about the rule, for people: "fusion_switch.cfg:3", "option", "default".
    std::string decidedBy(const Rule& rule) const;
    std::optional<int> priority(const Rule& rule) const;

private:
    friend class SwitchFileReader;
    struct Entry {
        bool isOn = true;
        int line = 0;
    };
    using Entries = std::map<std::string, Entry, std::less<>>;
    struct Decision {
        bool isOn = true;
        std::string by;
    };
    Decision decide(std::string_view id, std::string_view pass, bool isUbFusion, bool isAlwaysOn, bool byDefault) const;

    std::string m_file;
    Entries m_graph, m_ub; ///< JSON sections
    Entries m_any;         ///< legacy lines, which name no section
    std::map<std::string, int, std::less<>> m_priorities;
    std::map<std::string, int, std::less<>> m_lines; ///< first line of each name
    std::map<std::string, bool> m_options;
    std::vector<std::string> m_exceptionalAtO1;
};

} // namespace gelens
