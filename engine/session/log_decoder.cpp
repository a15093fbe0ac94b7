#include "engine/session/log_decoder.h"

#include "engine/formats/dump_folder.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>
#include <unordered_set>

namespace gelens {
namespace {

constexpr std::size_t nameLength = 3;    ///< shorter node names are words of any text
constexpr std::size_t phaseLength = 8;   ///< "Build" and "Launch" are as well
constexpr std::size_t mentionLimit = 32; ///< in one line
constexpr std::size_t verdictLimit = 8;  ///< joined to one line

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
    return text;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
/// Characters of node names; everything else parts words. Bytes of UTF-8 belong to names.
bool isNameByte(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) || c == '_' || c == '/' || c == '.' || c == '-' || c == '+' || byte >= 0x80;
}

LogLineLevel levelOf(std::string_view word)
{
    constexpr std::pair<std::string_view, LogLineLevel> levels[] = {
        {"DEBUG", LogLineLevel::Debug}, {"INFO", LogLineLevel::Info},       {"EVENT", LogLineLevel::Event},
        {"TRACE", LogLineLevel::Debug}, {"WARNING", LogLineLevel::Warning}, {"WARN", LogLineLevel::Warning},
        {"ERROR", LogLineLevel::Error}, {"CRITICAL", LogLineLevel::Error},  {"FATAL", LogLineLevel::Error}};
    for (const auto& [name, level] : levels)
        if (name == word) return level;
    return LogLineLevel::Unknown;
}

/// "[ERROR] GE(12,atc):2024-05-06-10:11:12.123 [graph_manager.cc:12]345 Build: …"
void readHead(std::string_view line, LogLine& out)
{
    std::string_view rest = line;
    if (rest.starts_with('[')) {
        const std::size_t close = rest.find(']');
        if (close != std::string_view::npos) {
            out.level = levelOf(rest.substr(1, close - 1));
            if (out.level != LogLineLevel::Unknown) rest = trimmed(rest.substr(close + 1));
        }
    }
    if (out.level != LogLineLevel::Unknown) {
        const std::size_t open = rest.find('(');
        if (open != std::string_view::npos && open > 0 && open <= 16 &&
            std::all_of(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(open),
                        [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; })) {
            const std::size_t close = rest.find("):", open);
            if (close != std::string_view::npos) {
                out.module = rest.substr(0, open);
                rest = rest.substr(close + 2);
                const std::size_t end = rest.find(' ');
                out.time = rest.substr(0, std::min(end, rest.size()));
                rest = end == std::string_view::npos ? std::string_view() : trimmed(rest.substr(end));
            }
        }
        if (rest.starts_with('[')) {
            const std::size_t close = rest.find(']');
            if (close != std::string_view::npos && rest.substr(0, close).find(':') != std::string_view::npos) {
                out.place = rest.substr(1, close - 1);
                rest = trimmed(rest.substr(close + 1));
            }
        }
    }
    out.text = rest;
}

/// Names of one run, to be looked up word by word.
class Names {
public:
    explicit Names(const Run& run) : m_run(run)
    {
        // The latest graph wins: a link should lead to something that is there.
        for (const StepId step : {StepId{0}, run.lastStep()}) {
            const auto graph = run.graphAt(step);
            for (const NodeId id : graph->allNodes()) {
                const std::string& name = graph->node(id).name;
                if (name.size() >= nameLength) m_nodes[name] = {id, step};
            }
        }
        for (const Step& step : run.steps) {
            if (step.pass.size() > 5) m_passes.try_emplace(step.pass, step.id);
            if (step.rule.size() > 5) m_rules.try_emplace(step.rule, step.id);
            if (step.phase.size() > phaseLength)
                m_phases[step.phase] = step.id; // the state it ends in is the one GE dumps
        }
    }

    bool find(std::string_view word, LogMention& mention) const
    {
        const std::string key(word);
        if (const auto node = m_nodes.find(key); node != m_nodes.end()) {
            mention.kind = LogMention::Kind::Node;
            mention.node = node->second.first;
            mention.step = node->second.second;
        } else if (const auto pass = m_passes.find(key); pass != m_passes.end()) {
            mention.kind = LogMention::Kind::Pass;
            mention.step = pass->second;
        } else if (const auto rule = m_rules.find(key); rule != m_rules.end()) {
            mention.kind = LogMention::Kind::Rule;
            mention.step = rule->second;
        } else if (const auto* phase = phaseOf(key)) {
            mention.kind = LogMention::Kind::Phase;
            mention.step = phase->second;
            mention.name = phase->first;
            return true;
        } else {
            return false;
        }
        mention.name = key;
        return true;
    }

    /// Refusals first: the line asks why.
    std::vector<const FusionVerdict*> verdictsFor(const std::vector<LogMention>& mentions) const
    {
        std::unordered_set<NodeId> family;
        std::unordered_set<std::string> rules;
        for (const LogMention& mention : mentions) {
            if (mention.kind == LogMention::Kind::Node)
                family.insert(mention.node);
            else if (mention.kind != LogMention::Kind::Phase)
                rules.insert(mention.name);
        }
        std::vector<const FusionVerdict*> found;
        for (const bool wantsFused : {false, true})
            for (const Step& step : m_run.steps)
                for (const FusionVerdict& verdict : step.verdicts) {
                    if (verdict.fused != wantsFused || found.size() >= verdictLimit) continue;
                    const bool isOfRule = rules.contains(verdict.rule) || rules.contains(verdict.gePass);
                    const bool isOfNode = family.contains(verdict.into) ||
                                          std::any_of(verdict.nodes.begin(), verdict.nodes.end(),
                                                      [&](NodeId node) { return family.contains(node); });
                    if (family.empty() ? isOfRule : isOfNode && (rules.empty() || isOfRule)) found.push_back(&verdict);
                }
        return found;
    }

private:
    /// A phase by its name, or by that of a dump's file: "…/ge_onnx_00000012_graph_1_PreRunBegin.pbtxt".
    const std::pair<const std::string, StepId>* phaseOf(const std::string& word) const
    {
        if (const auto found = m_phases.find(word); found != m_phases.end()) return &*found;
        const auto file = parseDumpName(word.substr(word.find_last_of('/') + 1));
        const auto dumped = file ? m_phases.find(file->phase) : m_phases.end();
        return dumped != m_phases.end() ? &*dumped : nullptr;
    }

    const Run& m_run;
    std::unordered_map<std::string, std::pair<NodeId, StepId>> m_nodes;
    std::unordered_map<std::string, StepId> m_passes, m_rules, m_phases;
};

/// The longest name that a word starts with, full stops and dashes at its end left aside: they belong to the sentence.
bool findIn(const Names& names, std::string_view text, std::size_t at, std::size_t end, LogMention& mention)
{
    for (std::size_t last = end; last - at >= nameLength; --last) {
        if (names.find(text.substr(at, last - at), mention)) {
            mention.begin = at;
            mention.end = last;
            return true;
        }
        if (text[last - 1] != '.' && text[last - 1] != '-') return false;
    }
    return false;
}

void findMentions(const Names& names, LogLine& line)
{
    const std::string_view text = line.text;
    const auto isAscii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    for (std::size_t at = 0; at < text.size() && line.mentions.size() < mentionLimit;) {
        if (!isNameByte(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && isNameByte(text[end])) ++end;
        LogMention mention;
        if (findIn(names, text, at, end, mention)) {
            line.mentions.push_back(mention);
        } else {
            // Chinese runs on without blanks: names are looked for between its characters.
            for (std::size_t part = at; part < end && line.mentions.size() < mentionLimit;) {
                std::size_t last = part;
                while (last < end && isAscii(text[last]) == isAscii(text[part])) ++last;
                if (last - part < end - at && findIn(names, text, part, last, mention))
                    line.mentions.push_back(mention);
                part = last;
            }
        }
        at = end;
    }
}

bool speaksOfFusion(std::string_view text)
{
    constexpr std::string_view signs[] = {"fusion", "Fusion", "fuse", "FUSION", "融合"};
    return std::any_of(std::begin(signs), std::end(signs),
                       [&](std::string_view sign) { return text.find(sign) != std::string_view::npos; });
}

} // namespace

std::vector<std::string> errorCodesIn(std::string_view line)
{
    std::vector<std::string> codes;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (i > 0 && (std::isalnum(static_cast<unsigned char>(line[i - 1])) || line[i - 1] == '_')) continue;
        std::size_t letters = 0;
        while (letters < 2 && i + letters < line.size() && isUpper(line[i + letters])) ++letters;
        std::size_t digits = 0;
        while (i + letters + digits < line.size() && isDigit(line[i + letters + digits])) ++digits;
        const std::size_t end = i + letters + digits;
        const bool isEnd =
            end >= line.size() || !(std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_');
        const char first = line[i];
        const bool isCode =
            isEnd && ((letters == 1 && digits == 5 && (first == 'E' || first == 'W')) ||
                      (letters == 2 && digits == 4 && (first == 'E' || first == 'W' || line.substr(i, 2) == "NF")));
        if (!isCode) continue;
        std::string code(line.substr(i, end - i));
        if (std::find(codes.begin(), codes.end(), code) == codes.end()) codes.push_back(std::move(code));
        i = end;
    }
    return codes;
}

DecodedLog decodeLog(std::string_view text, const Run* run, std::stop_token stop, std::size_t lineLimit)
{
    DecodedLog decoded;
    std::unique_ptr<Names> names;
    if (run != nullptr && !run->steps.empty()) names = std::make_unique<Names>(*run);
    std::unordered_map<std::string, std::size_t> places;
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view raw = trimmed(text.substr(at, end - at));
        at = end + 1;
        ++number;
        if (raw.empty()) continue;
        if (decoded.lines.size() >= lineLimit || stop.stop_requested()) {
            decoded.isCut = true;
            break;
        }
        LogLine line;
        line.number = number;
        readHead(raw, line);
        line.codes = errorCodesIn(raw);
        if (line.level == LogLineLevel::Unknown && !line.codes.empty())
            line.level = line.codes.front()[0] == 'W'   ? LogLineLevel::Warning
                         : line.codes.front()[0] == 'E' ? LogLineLevel::Error
                                                        : LogLineLevel::Info;
        if (names) findMentions(*names, line);
        line.isAboutFusion = speaksOfFusion(line.text);
        if (names && line.isAboutFusion && !line.mentions.empty()) line.verdicts = names->verdictsFor(line.mentions);
        for (const std::string& code : line.codes) {
            const auto [place, isNew] = places.try_emplace(code, decoded.codes.size());
            if (isNew) decoded.codes.emplace_back(code, 0);
            ++decoded.codes[place->second].second;
        }
        decoded.errors += line.level == LogLineLevel::Error;
        decoded.warnings += line.level == LogLineLevel::Warning;
        decoded.linked += !line.mentions.empty();
        decoded.lines.push_back(std::move(line));
    }
    return decoded;
}

} // namespace gelens
