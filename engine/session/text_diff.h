#pragma once
// Two dumps compared as text, but by node and attribute instead of by line: what was renumbered, moved in memory or only
// put in another order is told in one line each.

#include "engine/graph/result.h"
#include "engine/spec/graph_diff.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

class Graph;

enum class DumpTextForm { GeOnnx, GeProto, Readable };
std::string_view dumpTextFormName(DumpTextForm form); ///< "ge_onnx", "ge_proto", "readable"

/// A text and where it comes from; the bytes live as long as the object.
class DumpText {
public:
    static std::shared_ptr<const DumpText> of(std::string text, std::string title);
    /// The file is mapped, not read. Errors as of any file.
    static Result<std::shared_ptr<const DumpText>> open(const std::string& path);
    /// A graph as GE would dump it, with all values.
    static std::shared_ptr<const DumpText> of(const Graph& graph, DumpTextForm form, std::string title);

    std::string_view text() const { return m_text; }
    const std::string& title() const { return m_title; }

private:
    std::string m_title, m_own;
    std::shared_ptr<const void> m_file;
    std::string_view m_text;
};

/// Bytes [begin, end) of a text, whole lines.
struct TextSpan {
    std::size_t begin = 0, end = 0;
    bool isEmpty() const { return end <= begin; }
};

/// One real difference: a node that is on one side only (no field), or one field of a node. A node that bears another
/// name and is the same otherwise, its sources included, is one change of its field "name"; that its readers and fields
/// name it so is none.
struct TextChange {
    ChangeKind kind = ChangeKind::Changed;
    std::string node, type;
    std::string field;                ///< "attr strides", "input[1]", "input_desc[0].layout"; empty for whole nodes
    std::string before, after;        ///< values in one line, cut at some hundred characters
    TextSpan beforeNode, afterNode;   ///< the node's text on each side; empty where it is missing
    TextSpan beforeField, afterField; ///< the field's lines within it
};

/// What is no change of the graph, told in one line.
struct TextSummary {
    enum class Kind { Ids, Offsets, NodeOrder, FieldOrder };
    Kind kind = Kind::Ids;
    std::int64_t values = 0; ///< numbers that differ; for orders: 0
    std::int64_t nodes = 0;  ///< nodes concerned
};

struct TextDiff {
    std::vector<TextChange> changes;    ///< in the order of the new text; what is gone stands behind its old neighbour
    std::vector<TextSummary> summaries; ///< only those that say something
    std::size_t nodesBefore = 0, nodesAfter = 0, equalNodes = 0;
};

/// Works on all three forms; both texts must be of one. Two threads; time is linear in the bytes. Errors: texts that are no
/// dumps or of different forms, Cancelled.
Result<TextDiff> diffTexts(const DumpText& before, const DumpText& after, std::stop_token stop = {});

} // namespace gelens
