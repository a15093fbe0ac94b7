#include "engine/fusion/fusion_switch.h"

#include "engine/fusion/rule_set.h"
#include "engine/spec/compile_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>

namespace gelens {

/// Reads either syntax. The JSON reader is our own because errors must carry lines and repeated keys must be seen.
class SwitchFileReader {
public:
    SwitchFileReader(std::string_view text, const std::string& file, FusionSwitch& into)
        : m_text(text), m_file(file), m_switch(into)
    {
    }

    Status run()
    {
        skipSpace();
        const Status status = m_at < m_text.size() && m_text[m_at] == '{' ? readJson() : readLines();
        return status;
    }

private:
    Error error(std::string what, int line = 0) const
    {
        return Error::invalid(std::move(what), fmt::format("{}:{}", m_file, line ? line : m_line));
    }
    void skipSpace()
    {
        while (m_at < m_text.size() &&
               (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == '\r' || m_text[m_at] == '\n')) {
            m_line += m_text[m_at] == '\n';
            ++m_at;
        }
    }
    static std::string_view trimmed(std::string_view text)
    {
        const auto first = text.find_first_not_of(" \t\r");
        return first == std::string_view::npos ? std::string_view()
                                               : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
    }
    static std::optional<bool> onOrOff(std::string_view text)
    {
        if (text == "on") return true;
        if (text == "off") return false;
        return std::nullopt;
    }

    Status readLines()
    {
        m_at = 0;
        m_line = 0;
        while (m_at < m_text.size()) {
            const std::size_t end = std::min(m_text.find('\n', m_at), m_text.size());
            const std::string_view line = trimmed(m_text.substr(m_at, end - m_at));
            m_at = end + 1;
            ++m_line;
            if (line.empty() || line.front() == '#') continue;
            const std::size_t colon = line.rfind(':');
            if (colon == std::string_view::npos)
                return error(fmt::format("'{}' is not PassName:on or PassName:off", line));
            const std::string name(trimmed(line.substr(0, colon)));
            const std::optional<bool> value = onOrOff(trimmed(line.substr(colon + 1)));
            if (name.empty() || !value) return error(fmt::format("'{}' is not PassName:on or PassName:off", line));
            if (!m_switch.m_any.emplace(name, FusionSwitch::Entry{*value, m_line}).second)
                return error(fmt::format("'{}' is switched twice", name));
            if (name != "ALL") m_switch.m_lines.emplace(name, m_line);
        }
        return {};
    }

    // JSON of at most four levels.
    Status expect(char c)
    {
        skipSpace();
        if (m_at >= m_text.size()) return error("the file ends too early");
        if (m_text[m_at] != c) return error(fmt::format("'{}' expected, found '{}'", c, m_text[m_at]));
        ++m_at;
        return {};
    }
    Result<std::string> string()
    {
        GELENS_TRY(expect('"'));
        const std::size_t first = m_at;
        while (m_at < m_text.size() && m_text[m_at] != '"' && m_text[m_at] != '\n') {
            if (m_text[m_at] == '\\') return error("escapes are not allowed in pass names");
            ++m_at;
        }
        if (m_at >= m_text.size() || m_text[m_at] != '"') return error("a closing quote is missing");
        return std::string(m_text.substr(first, m_at++ - first));
    }
    /// Calls member(key, line) for each key; member reads the value.
    template <typename F>
    Status object(F&& member)
    {
        GELENS_TRY(expect('{'));
        skipSpace();
        if (m_at < m_text.size() && m_text[m_at] == '}') return ++m_at, Status();
        std::set<std::string> keys;
        while (true) {
            skipSpace();
            const int line = m_line;
            GELENS_ASSIGN(std::string key, string());
            if (!keys.insert(key).second) return error(fmt::format("'{}' appears twice", key), line);
            GELENS_TRY(expect(':'));
            GELENS_TRY(member(key, line));
            skipSpace();
            if (m_at < m_text.size() && m_text[m_at] == ',') {
                ++m_at;
                continue;
            }
            return expect('}');
        }
    }

    Status readJson()
    {
        GELENS_TRY(object([this](const std::string& key, int line) -> Status {
            if (key == "Switch")
                return object([this](const std::string& section, int at) { return switches(section, at); });
            if (key == "Priority")
                return object([this](const std::string& section, int at) { return priorities(section, at); });
            if (key == "ExceptionalPassOfO1Level") return exceptional();
            return error(fmt::format("'{}' is not one of Switch, Priority, ExceptionalPassOfO1Level", key), line);
        }));
        skipSpace();
        if (m_at < m_text.size()) return error("something follows the closing brace");
        return {};
    }
    Status checkSection(const std::string& section, int line) const
    {
        if (section == "GraphFusion" || section == "UBFusion") return {};
        return error(fmt::format("'{}' is not one of GraphFusion, UBFusion", section), line);
    }
    Status switches(const std::string& section, int line)
    {
        GELENS_TRY(checkSection(section, line));
        FusionSwitch::Entries& entries = section == "UBFusion" ? m_switch.m_ub : m_switch.m_graph;
        return object([&](const std::string& pass, int at) -> Status {
            GELENS_ASSIGN(const std::string value, string());
            const std::optional<bool> isOn = onOrOff(value);
            if (!isOn) return error(fmt::format("'{}' must be \"on\" or \"off\", not \"{}\"", pass, value), at);
            entries[pass] = {*isOn, at};
            if (pass != "ALL") m_switch.m_lines.emplace(pass, at);
            return {};
        });
    }
    Status priorities(const std::string& section, int line)
    {
        GELENS_TRY(checkSection(section, line));
        return object([this](const std::string& level, int at) -> Status {
            static constexpr std::string_view levels[] = {"Top", "Main", "Down"};
            const auto found = std::find(std::begin(levels), std::end(levels), level);
            if (found == std::end(levels)) return error(fmt::format("'{}' is not one of Top, Main, Down", level), at);
            const int index = static_cast<int>(found - std::begin(levels));
            return object([this, level, index](const std::string& pass, int where) {
                return priority(level, index, pass, where);
            });
        });
    }
    /// Absolute numbers: custom 0/1000/2000 …, built-in 3000/4000/5000 …, each level 1000 wide.
    Status priority(const std::string& level, int index, const std::string& pass, int line)
    {
        GELENS_ASSIGN(const std::string text, string());
        int number = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (code != std::errc{} || end != text.data() + text.size())
            return error(fmt::format("the priority of '{}' must be an integer, not \"{}\"", pass, text), line);
        const int custom = index * 1000, builtIn = 3000 + index * 1000;
        const auto isIn = [number](int first) { return number >= first && number < first + 1000; };
        if (!isIn(custom) && !isIn(builtIn))
            return error(fmt::format("priority {} of '{}' is outside {} ({}–{} or {}–{})", number, pass, level, custom,
                                     custom + 999, builtIn, builtIn + 999),
                         line);
        if (!m_numbers.insert(number).second) return error(fmt::format("priority {} is given twice", number), line);
        m_switch.m_priorities[pass] = number;
        m_switch.m_lines.emplace(pass, line);
        return {};
    }
    Status exceptional()
    {
        GELENS_TRY(expect('['));
        skipSpace();
        if (m_at < m_text.size() && m_text[m_at] == ']') return ++m_at, Status();
        while (true) {
            GELENS_ASSIGN(std::string pass, string());
            m_switch.m_exceptionalAtO1.push_back(std::move(pass));
            skipSpace();
            if (m_at < m_text.size() && m_text[m_at] == ',') {
                ++m_at;
                continue;
            }
            return expect(']');
        }
    }

    std::string_view m_text;
    const std::string& m_file;
    FusionSwitch& m_switch;
    std::size_t m_at = 0;
    int m_line = 1;
    std::set<int> m_numbers;
};

Result<FusionSwitch> FusionSwitch::parse(std::string_view text, const std::string& file)
{
    FusionSwitch result;
    result.m_file = file;
    GELENS_TRY(SwitchFileReader(text, file, result).run());
    return result;
}

Result<FusionSwitch> FusionSwitch::load(const std::string& file)
{
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return Error::notFound("cannot open the fusion switch file", file);
    std::ostringstream text;
    text << stream.rdbuf();
    if (text.str().size() > (16u << 20)) return Error::limit("the fusion switch file is larger than 16 MiB", file);
    return parse(text.str(), file);
}

std::vector<Message> FusionSwitch::unknownNames(const RuleSet& rules, const std::vector<std::string>& otherPasses) const
{
    std::vector<Message> messages;
    for (const auto& [name, line] : m_lines) {
        if (rules.find(name) || std::find(otherPasses.begin(), otherPasses.end(), name) != otherPasses.end()) continue;
        messages.push_back({Severity::Warning,
                            "fusion.switch-unknown-pass",
                            fmt::format("no pass or rule is named '{}'", name),
                            fmt::format("{}:{}", m_file, line),
                            {}});
    }
    return messages;
}

void FusionSwitch::addOptions(const CompileOptions& options)
{
    for (const auto& [name, isOn] : options.ruleSwitches) m_options[name] = isOn;
}

FusionSwitch::Decision FusionSwitch::decide(std::string_view id, std::string_view pass, bool isUbFusion,
                                            bool isAlwaysOn, bool byDefault) const
{
    for (const std::string_view name : {id, pass})
        if (const auto found = m_options.find(std::string(name)); found != m_options.end())
            return {found->second, "option"};
    if (isAlwaysOn) return {true, "cannot be switched off"};
    const Entries& section = isUbFusion ? m_ub : m_graph;
    for (const std::string_view name : {pass, id, std::string_view("ALL")}) {
        for (const Entries* const entries : {&section, &m_any})
            if (const auto found = entries->find(name); found != entries->end())
                return {found->second.isOn, fmt::format("{}:{}", m_file, found->second.line)};
    }
    return {byDefault, "default"};
}

bool FusionSwitch::isOn(const Rule& rule) const
{
    return decide(rule.id, rule.gePass, rule.isUbFusion(), rule.isAlwaysOn, !rule.isOffByDefault).isOn;
}

bool FusionSwitch::isPassOn(std::string_view pass, bool isUbFusion, bool isOnByDefault) const
{
    return decide(pass, pass, isUbFusion, false, isOnByDefault).isOn;
}

std::string FusionSwitch::decidedBy(const Rule& rule) const
{
    return decide(rule.id, rule.gePass, rule.isUbFusion(), rule.isAlwaysOn, !rule.isOffByDefault).by;
}

std::optional<int> FusionSwitch::priority(const Rule& rule) const
{
    for (const std::string& name : {rule.gePass, rule.id})
        if (const auto found = m_priorities.find(name); found != m_priorities.end()) return found->second;
    return std::nullopt;
}

} // namespace gelens
