#include "engine/formats/open_as.h"

#include "engine/formats/ge_proto_reader.h"
#include "engine/formats/mapped_file.h"
#include "engine/formats/model_file.h"
#include "engine/formats/om/om_reader.h"
#include "engine/formats/onnx/onnx_reader.h"
#include "engine/formats/text_dump.h"

#include <fmt/format.h>

#include <array>

namespace gelens {
namespace {

constexpr std::array kinds{
    ReaderKind{"onnx", "ONNX model"},          ReaderKind{"om", "OM model"},
    ReaderKind{"air", "GE IR (.air)"},         ReaderKind{"ge_proto", "ge_proto dump"},
    ReaderKind{"ge_onnx", "ge_onnx dump"},     ReaderKind{"ge_readable", "ge_readable dump"},
    ReaderKind{"ge_json", "GE model as JSON"}, ReaderKind{"onnx_text", "ONNX model as text"},
};

std::string_view idOf(TextDumpKind kind)
{
    switch (kind) {
    case TextDumpKind::GeOnnx: return "ge_onnx";
    case TextDumpKind::GeProto: return "ge_proto";
    case TextDumpKind::GeReadable: return "ge_readable";
    case TextDumpKind::GeJson: return "ge_json";
    case TextDumpKind::OnnxText: return "onnx_text";
    }
    return "ge_proto";
}

std::string_view textOf(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

std::span<const ReaderKind> readerKinds() { return kinds; }

Result<ModelDocument> openModelAs(const std::filesystem::path& path, std::string_view kind, const ReadOptions& options)
{
    if (kind == "onnx") return readOnnx(path, options);
    if (kind == "om") return readOm(path, options);
    GELENS_ASSIGN(const std::shared_ptr<const MappedFile> file, MappedFile::open(path));
    const auto named = [&](Result<ModelDocument> document) -> Result<ModelDocument> {
        if (document.ok()) {
            document->path = path.string();
            return document;
        }
        Error error = document.error();
        if (error.where.empty()) error.where = path.string();
        return error;
    };
    if (kind == "air") return named(readAir(file->bytes(), options, file));
    for (const TextDumpKind text : {TextDumpKind::GeProto, TextDumpKind::GeOnnx, TextDumpKind::GeReadable,
                                    TextDumpKind::GeJson, TextDumpKind::OnnxText})
        if (kind == idOf(text)) return named(readTextDumpAs(text, textOf(file->bytes()), options, file));
    std::string known;
    for (const ReaderKind& one : kinds) known += (known.empty() ? "" : ", ") + std::string(one.id);
    return Error::invalid(fmt::format("no reader is called '{}'; known are {}", kind, known), path.string());
}

std::vector<std::string_view> plausibleKinds(std::span<const std::byte> bytes)
{
    const FileGuess guess = guessFileKind(bytes);
    if (guess.kind == FileKind::Om) return {"om"};
    if (guess.kind == FileKind::Foreign) return {};
    if (guess.kind == FileKind::TextDump) {
        const TextDumpGuess text = guessTextDump(textOf(bytes));
        const std::string_view first = idOf(text.kind);
        std::vector<std::string_view> list{first};
        if (!text.isSure)
            for (const std::string_view other : {"ge_proto", "ge_onnx", "onnx_text"})
                if (other != first) list.push_back(other);
        return list;
    }
    // A graph without its model begins like a ModelDef with a name.
    if (looksLikeAir(bytes)) return {"air", "onnx"};
    return {"onnx"};
}

std::vector<std::string_view> plausibleKinds(const std::filesystem::path& path)
{
    const auto file = MappedFile::open(path);
    return file.ok() ? plausibleKinds((*file)->bytes()) : std::vector<std::string_view>();
}

} // namespace gelens
