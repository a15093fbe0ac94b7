#pragma once
// A dump's text cut into nodes and fields. Private to this folder.

#include "engine/session/text_diff.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace gelens::textdiff {

/// Numbers that GE gives anew in each compile.
enum class NumberClass : std::uint8_t { None, Id, Offset };
NumberClass numberClassOf(std::string_view field);

struct Field {
    std::string_view group;  ///< "attr", "input", "input_desc"; the key itself for plain fields
    std::string_view name;   ///< of an attribute; empty for others
    std::uint32_t index = 0; ///< among fields of the same group and name
    bool isBlock = false;    ///< more than one line
    NumberClass numbers = NumberClass::None;
    TextSpan span;
    std::uint64_t hash = 0; ///< of the content
    std::uint64_t key = 0;  ///< of group, name and index
};

struct ScannedNode {
    std::string_view name, type;
    std::uint32_t graph = 0;
    TextSpan span;
    std::uint32_t firstField = 0, fieldCount = 0;
    std::uint64_t content = 0;  ///< of all fields but renumbered ones, whatever their order
    std::uint64_t sequence = 0; ///< of the keys in their order
};

struct ScannedText {
    DumpTextForm form = DumpTextForm::GeOnnx;
    std::string_view text;
    std::vector<ScannedNode> nodes;
    std::vector<Field> fields;

    std::string_view of(TextSpan span) const { return text.substr(span.begin, span.end - span.begin); }
};

Result<ScannedText> scan(std::string_view text, std::stop_token stop);

/// A block of fields taken apart, for a precise difference: paths ("shape.dim[1]") with the lines they stand in.
struct Leaf {
    std::string path;
    std::string_view value;
    TextSpan span;
    NumberClass numbers = NumberClass::None;
};
std::vector<Leaf> leavesOf(const ScannedText& text, const Field& block);

std::uint64_t hashOf(std::string_view bytes);
std::uint64_t mixed(std::uint64_t value);
std::string_view trimmed(std::string_view line);

} // namespace gelens::textdiff
