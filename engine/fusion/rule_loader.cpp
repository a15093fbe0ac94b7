#include "engine/fusion/rule_loader.h"

#include "engine/fusion/rule_builder_private.h"
#include "fusion/proto/fusion_rule.pb.h"

#include <fmt/format.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <map>

namespace gelens {

namespace {

/// A top-level piece of a file: `rule { … }`.
struct Block {
    std::string_view text;
    int line = 0; ///< of its first character, from 0
};

/// Cuts the text where braces balance, and also before every line that begins with "rule", so that one missing brace
/// costs one rule only.
std::vector<Block> splitBlocks(std::string_view text)
{
    std::vector<Block> blocks;
    std::size_t first = std::string_view::npos;
    int firstLine = 0, line = 0, depth = 0;
    const auto close = [&](std::size_t end) {
        if (first != std::string_view::npos) blocks.push_back({text.substr(first, end - first), firstLine});
        first = std::string_view::npos;
        depth = 0;
    };
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') {
            ++line;
            quote = 0; // strings do not run over lines
            if (text.substr(i + 1, 4) == "rule" && depth > 0) close(i + 1);
            continue;
        }
        if (quote) {
            if (c == '\\')
                ++i;
            else if (c == quote)
                quote = 0;
            if (i < text.size() && text[i] == '\n') ++line;
            continue;
        }
        if (c == '#') {
            while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
            continue;
        }
        if (c == ' ' || c == '\t' || c == '\r') continue;
        if (first == std::string_view::npos) {
            first = i;
            firstLine = line;
        }
        if (c == '"' || c == '\'') quote = c;
        if (c == '{') ++depth;
        if (c == '}' && --depth <= 0) close(i + 1);
    }
    close(text.size());
    return blocks;
}

/// Keeps the first error; later ones follow from it.
class FirstError : public google::protobuf::io::ErrorCollector {
public:
    void AddError(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override
    {
        if (!m_text.empty()) return;
        m_line = line;
        m_column = column;
        m_text = message.ends_with("got: ") ? message + "the end of the text" : message;
    }
    void AddWarning(int, google::protobuf::io::ColumnNumber, const std::string&) override {}

    int m_line = 0, m_column = 0;
    std::string m_text;
};

} // namespace

namespace {

/// A rule that starts from another one.
rules::Rule derived(const rules::Rule& base, const rules::Rule& own)
{
    rules::Rule merged = base;
    if (own.buffer_size() > 0) merged.clear_buffer();
    if (own.tile_size() > 0) merged.clear_tile();
    if (own.root().size() && own.new_node_size() > 0) {
        merged.clear_new_node();
        merged.clear_output();
    }
    merged.MergeFrom(own);
    return merged;
}

} // namespace

std::vector<Rule> loadRules(std::string_view text, const std::string& file, std::vector<Message>& messages)
{
    std::vector<Rule> loaded;
    std::map<std::string, rules::Rule> sources; // what a later rule may start from
    for (const Block& block : splitBlocks(text)) {
        const auto report = [&](std::string_view id, std::string what, int line, int column) {
            messages.push_back({Severity::Error,
                                std::string(id),
                                std::move(what),
                                fmt::format("{}:{}:{}", file, block.line + line + 1, column + 1),
                                {}});
        };
        rules::RuleFile parsed;
        FirstError errors;
        google::protobuf::TextFormat::Parser parser;
        google::protobuf::TextFormat::ParseInfoTree places;
        parser.RecordErrorsTo(&errors);
        parser.WriteLocationsTo(&places);
        parser.SetRecursionLimit(32);
        if (!parser.ParseFromString(std::string(block.text), &parsed)) {
            report("fusion.rule-syntax", errors.m_text.empty() ? "not a rule" : errors.m_text,
                   std::max(errors.m_line, 0), std::max(errors.m_column, 0));
            continue;
        }
        const auto* const ruleField = rules::RuleFile::descriptor()->FindFieldByName("rule");
        for (int i = 0; i < parsed.rule_size(); ++i) {
            const auto place = places.GetLocation(ruleField, i);
            rules::Rule source = parsed.rule(i);
            bool isDerived = false;
            if (!source.base().empty()) {
                const auto base = sources.find(source.base());
                if (base == sources.end()) {
                    report("fusion.rule-invalid",
                           fmt::format("rule '{}': no earlier rule of this file is named '{}'", source.id(),
                                       source.base()),
                           std::max(place.line, 0), 0);
                    continue;
                }
                source = derived(base->second, source);
                isDerived = true;
            }
            sources.emplace(source.id(), source);
            // Places of inherited parts lie in another rule, so a derived rule is reported as a whole.
            RuleBuilder builder(source, isDerived ? nullptr : places.GetTreeForNested(ruleField, i));
            std::optional<Rule> rule = builder.build();
            if (!rule) {
                const auto& at = builder.errorPlace();
                report("fusion.rule-invalid", fmt::format("rule '{}': {}", parsed.rule(i).id(), builder.errorText()),
                       at.line >= 0 ? at.line : std::max(place.line, 0), at.line >= 0 ? at.column : 0);
                continue;
            }
            rule->file = file;
            rule->line = block.line + std::max(place.line, 0) + 1;
            loaded.push_back(std::move(*rule));
        }
    }
    return loaded;
}

} // namespace gelens
