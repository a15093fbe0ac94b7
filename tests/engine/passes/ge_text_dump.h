#pragma once
// Reads what the oracle tests need of GE's own text dumps (ge_proto_*.txt, plain or gzip): nodes, edges, descriptors.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gelens::test {

struct DumpDesc {
    std::string dtype, format;
    std::vector<std::int64_t> dims;
};

struct DumpNode {
    std::string name, type;
    std::vector<std::string> inputs; ///< "producer:0"; "producer:-1" for control; "" for an unconnected slot
    std::vector<DumpDesc> inputDescs, outputDescs;
};

/// Lines of a file; a name that ends in .gz is unpacked by gzip.
inline std::string readDumpText(const std::filesystem::path& path)
{
    const bool isPacked = path.extension() == ".gz";
    std::FILE* const file =
        isPacked ? popen(("gzip -dc '" + path.string() + "'").c_str(), "r") : std::fopen(path.c_str(), "r");
    std::string text;
    if (file == nullptr) return text;
    std::vector<char> block(1 << 16);
    while (const std::size_t got = std::fread(block.data(), 1, block.size(), file)) text.append(block.data(), got);
    if (isPacked)
        pclose(file);
    else
        std::fclose(file);
    return text;
}

/// The nodes of the root graph, in file order. Follows the nesting of braces, one field a line, as GE writes it.
inline std::vector<DumpNode> readGeTextDump(const std::filesystem::path& path)
{
    const std::string text = readDumpText(path);
    std::vector<DumpNode> nodes;
    DumpDesc* desc = nullptr;
    int depth = 0;
    bool isInOp = false;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line(text.data() + at, end - at);
        at = end + 1;
        while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
        if (line.ends_with('{')) {
            ++depth;
            if (depth == 2) {
                isInOp = line.starts_with("op ");
                if (isInOp) nodes.emplace_back();
            }
            if (depth == 3) {
                desc = nullptr;
                if (isInOp && line.starts_with("input_desc ")) desc = &nodes.back().inputDescs.emplace_back();
                if (isInOp && line.starts_with("output_desc ")) desc = &nodes.back().outputDescs.emplace_back();
            }
            continue;
        }
        if (line == "}") {
            --depth;
            continue;
        }
        const std::size_t colon = line.find(": ");
        if (!isInOp || colon == std::string_view::npos) continue;
        const std::string_view key = line.substr(0, colon);
        std::string_view value = line.substr(colon + 2);
        if (value.size() >= 2 && value.front() == '"') value = value.substr(1, value.size() - 2);
        if (depth == 2 && key == "name") nodes.back().name = value;
        if (depth == 2 && key == "type") nodes.back().type = value;
        if (depth == 2 && key == "input") nodes.back().inputs.emplace_back(value);
        if (desc != nullptr && depth == 3 && key == "dtype") desc->dtype = value;
        if (desc != nullptr && depth == 3 && key == "layout") desc->format = value;
        if (desc != nullptr && depth == 4 && key == "dim") desc->dims.push_back(std::stoll(std::string(value)));
    }
    return nodes;
}

} // namespace gelens::test
