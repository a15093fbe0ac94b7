#include "engine/fusion/rule_set.h"

#include "engine/fusion/fusion_switch.h"
#include "engine/fusion/rule_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace gelens {

namespace {

bool runsBefore(const Rule& a, const Rule& b)
{
    return a.priority != b.priority ? a.priority < b.priority : a.id < b.id;
}

/// Files of one path, sorted; a message when there is nothing to read.
std::vector<std::filesystem::path> ruleFiles(const std::filesystem::path& path, std::vector<Message>& messages)
{
    std::vector<std::filesystem::path> files;
    std::error_code code;
    if (std::filesystem::is_regular_file(path, code)) return {path};
    for (std::filesystem::directory_iterator it(path, code), end; !code && it != end; it.increment(code))
        if (it->path().extension() == ".textproto" && it->is_regular_file(code)) files.push_back(it->path());
    if (code)
        messages.push_back({Severity::Error,
                            "fusion.rule-folder",
                            fmt::format("cannot read rules: {}", code.message()),
                            path.string(),
                            {}});
    else if (files.empty())
        messages.push_back(
            {Severity::Error, "fusion.rule-folder", "the folder holds no rule file (*.textproto)", path.string(), {}});
    std::sort(files.begin(), files.end());
    return files;
}

constexpr std::uintmax_t maxRuleFileBytes = 16u << 20;

} // namespace

RuleSet RuleSet::load(const std::vector<std::filesystem::path>& paths, std::vector<Message>& messages)
{
    RuleSet set;
    for (const std::filesystem::path& path : paths) {
        for (const std::filesystem::path& file : ruleFiles(path, messages)) {
            std::error_code code;
            const std::uintmax_t size = std::filesystem::file_size(file, code);
            std::ifstream stream(file, std::ios::binary);
            if (code || !stream || size > maxRuleFileBytes) {
                messages.push_back(
                    {Severity::Error,
                     "fusion.rule-folder",
                     size > maxRuleFileBytes && !code ? "rule file is larger than 16 MiB" : "cannot read the rule file",
                     file.string(),
                     {}});
                continue;
            }
            std::ostringstream text;
            text << stream.rdbuf();
            set.addText(text.str(), file.string(), messages);
        }
    }
    return set;
}

void RuleSet::addText(std::string_view text, const std::string& file, std::vector<Message>& messages)
{
    for (Rule& rule : loadRules(text, file, messages)) {
        const auto same =
            std::find_if(m_rules.begin(), m_rules.end(), [&](const auto& other) { return other->id == rule.id; });
        if (same != m_rules.end()) {
            messages.push_back(
                {Severity::Error,
                 "fusion.rule-invalid",
                 fmt::format("rule '{}' was already defined in {}:{}", rule.id, (*same)->file, (*same)->line),
                 fmt::format("{}:{}:1", file, rule.line),
                 {}});
            continue;
        }
        m_rules.push_back(std::make_shared<const Rule>(std::move(rule)));
    }
    std::sort(m_rules.begin(), m_rules.end(), [](const auto& a, const auto& b) { return runsBefore(*a, *b); });
}

const Rule* RuleSet::find(std::string_view idOrPass) const
{
    for (const auto& rule : m_rules)
        if (rule->id == idOrPass) return rule.get();
    for (const auto& rule : m_rules)
        if (rule->gePass == idOrPass) return rule.get();
    return nullptr;
}

std::vector<const Rule*> RuleSet::orderedRules(RuleGroup group, const FusionSwitch* switches) const
{
    std::vector<std::pair<int, const Rule*>> order;
    for (const auto& rule : m_rules) {
        if (rule->group != group) continue;
        const std::optional<int> priority = switches ? switches->priority(*rule) : std::nullopt;
        order.emplace_back(priority.value_or(rule->priority), rule.get());
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const Rule*> rules;
    for (const auto& [priority, rule] : order) rules.push_back(rule);
    return rules;
}

} // namespace gelens
