#pragma once
// Two large dumps in GE's own text form: the second with a known number of edits, all ids and offsets given anew, and
// some nodes in another order. The same on every machine.

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace gelens::bench {

struct DumpPair {
    std::string before, after;
    int edits = 0; ///< real differences: values, fields and nodes
};

/// `bytes`: size of each text, about. `edits` are spread evenly over values, inputs, new and gone fields, new and gone nodes.
inline DumpPair makeDumpPair(std::size_t bytes, int edits)
{
    struct Text {
        std::string out;
        void attribute(const std::string& name, const std::string& content, const char* type)
        {
            out += "    attribute {\n      name: \"" + name + "\"\n" + content + "      type: " + type + "\n    }\n";
        }
        void integer(const std::string& name, std::int64_t value)
        {
            attribute(name, fmt::format("      i: {}\n", value), "INT");
        }
        void text(const std::string& name, const std::string& value)
        {
            attribute(name, "      s: \"" + value + "\"\n", "STRING");
        }
        void integers(const std::string& name, const std::vector<std::int64_t>& values)
        {
            std::string content;
            for (const std::int64_t value : values) content += fmt::format("      ints: {}\n", value);
            attribute(name, content, "INTS");
        }
    };
    enum class Edit { None, Value, Input, NewField, GoneField, NewNode, GoneNode };
    constexpr Edit kinds[] = {Edit::Value, Edit::Input, Edit::NewField, Edit::GoneField, Edit::NewNode, Edit::GoneNode};

    const auto writeNode = [](Text& text, int number, std::int64_t id, std::int64_t offset, Edit edit) {
        const std::string name = fmt::format("layers.{}/self_attn/block_{}/MatMul_{}", number / 40, number % 7, number);
        text.out += "  node {\n";
        text.out +=
            fmt::format("    input: \"layers.{}/x_{}:0\"\n", number / 40, edit == Edit::Input ? -1 : number - 1);
        text.out += fmt::format(
            "    input: \"weights/w_{}:0\"\n    output: \"{}:0\"\n    name: \"{}\"\n    op_type: \"ge:BatchMatMulV2\"\n",
            number, name, name);
        text.integers("dst_index", {0});
        text.integer("id", id);
        for (int input = 0; input < 2; ++input) {
            text.integer(fmt::format("input_desc_data_offset:{}", input), offset + input * 512);
            text.text(fmt::format("input_desc_dtype:{}", input), "DT_FLOAT16");
            text.text(fmt::format("input_desc_layout:{}", input), number % 3 == 0 ? "FRACTAL_NZ" : "ND");
            text.integers(fmt::format("input_desc_shape:{}", input), {1, 332, 4096, number % 64});
            text.integer(fmt::format("input_desc_size:{}", input), 2719744);
        }
        text.integers("input_i", {offset, offset + 4096});
        text.integers("output_i", {offset + 8192});
        text.text("output_desc_dtype:0", edit == Edit::Value ? "DT_FLOAT" : "DT_FLOAT16");
        text.integers("output_desc_shape:0", {1, 332, 11008});
        if (edit != Edit::GoneField) text.integer("adj_x1", 0);
        if (edit == Edit::NewField) text.text("_op_relation", "fused by hand");
        text.integer("stream_id", number % 4);
        text.out += "  }\n";
    };
    const std::string head = "ir_version: 7\nproducer_name: \"bench\"\ngraph {\n";
    Text sample;
    writeNode(sample, 1000, 1000, 123456, Edit::None);
    const int nodes = static_cast<int>(bytes / sample.out.size()) + 1;
    const int stride = nodes / (edits + 1);
    DumpPair pair;
    Text before{head}, after{head};
    before.out.reserve(bytes + bytes / 50);
    after.out.reserve(bytes + bytes / 50);
    std::string held; // a node that is written later than in the old order
    for (int i = 0; i < nodes; ++i) {
        const bool isEdit = stride > 0 && i % stride == stride - 1 && pair.edits < edits;
        const Edit edit = isEdit ? kinds[pair.edits % 6] : Edit::None;
        pair.edits += isEdit;
        writeNode(before, i, i, std::int64_t{i} * 8192, Edit::None);
        if (edit == Edit::GoneNode) continue;
        if (edit == Edit::NewNode) writeNode(after, 10'000'000 + i, i, 0, Edit::None);
        Text node;
        writeNode(node, i, nodes * 2 - i, std::int64_t{nodes - i} * 6144, edit);
        if (i % 97 == 5 && held.empty()) {
            held = std::move(node.out);
            continue;
        }
        after.out += node.out;
        if (!held.empty()) after.out += std::exchange(held, {});
    }
    after.out += held;
    before.out += "  name: \"bench\"\n}\n";
    after.out += "  name: \"bench\"\n}\n";
    pair.before = std::move(before.out);
    pair.after = std::move(after.out);
    return pair;
}

} // namespace gelens::bench
