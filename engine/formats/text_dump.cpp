#include "engine/formats/text_dump.h"

#include "engine/formats/ge_onnx_reader.h"
#include "engine/formats/ge_proto_reader.h"
#include "engine/formats/ge_readable_reader.h"
#include "engine/formats/json_proto_reader_internal.h"
#include "engine/formats/onnx/onnx_proto_internal.h"
#include "engine/formats/onnx/onnx_reader.h"
#include "engine/formats/text_proto_reader_internal.h"

namespace gelens {
namespace {

/// What matters stands near the beginning; a dump may have hundreds of megabytes.
constexpr std::size_t sniffedBytes = 1 << 20;
/// A smaller text is read as a whole at once, which also finds damage inside of attributes.
constexpr std::size_t lazyBytes = 256 << 10;

Result<ModelDocument> readOnnxText(std::string_view text, const ReadOptions& options)
{
    onnx::ModelProto model;
    TextMessageSink none;
    const TextProblem problem = parseProtoText(text, model, none);
    if (problem.any()) return Error::invalid(problem.text + " (" + problem.place + ")");
    const auto bytes = std::make_shared<std::string>();
    if (!model.SerializePartialToString(bytes.get())) return Error::limit("the model is larger than 2 GiB");
    return readOnnxBytes(std::as_bytes(std::span(*bytes)), bytes, {}, options);
}

} // namespace

TextDumpGuess guessTextDump(std::string_view text)
{
    const std::string_view head = text.substr(0, sniffedBytes);
    const auto first = head.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && head.substr(first).starts_with("graph("))
        return {TextDumpKind::GeReadable, true};
    if (looksLikeGeJson(head)) return {TextDumpKind::GeJson, true};
    TextTokenizer tokens(head);
    std::string_view name;
    bool isOnnx = false;
    for (TextToken kind = tokens.next(); kind != TextToken::End && kind != TextToken::Bad; kind = tokens.next()) {
        if (kind == TextToken::Name) {
            name = tokens.raw();
        } else if (kind == TextToken::Text) {
            const std::string_view value = tokens.raw();
            const auto sure = [](bool isGe) {
                return TextDumpGuess{isGe ? TextDumpKind::GeOnnx : TextDumpKind::OnnxText, true};
            };
            if (name == "op_type") return sure(value.substr(1).starts_with("ge:") || value == "\"subgraph\"");
            if (name == "producer_name") return sure(value == "\"GE\"");
        } else if (tokens.isSign('{') || tokens.isSign('<')) {
            if (name == "op") return {TextDumpKind::GeProto, true};
            isOnnx = isOnnx || name == "node";
        }
        if (name == "ir_version") isOnnx = true;
    }
    return {isOnnx ? TextDumpKind::GeOnnx : TextDumpKind::GeProto, false};
}

Result<ModelDocument> readTextDump(std::string_view text, const ReadOptions& options, std::shared_ptr<const void> owner)
{
    return readTextDumpAs(guessTextDump(text).kind, text, options, std::move(owner));
}

Result<ModelDocument> readTextDumpAs(TextDumpKind kind, std::string_view text, const ReadOptions& options,
                                     std::shared_ptr<const void> owner)
{
    if (text.size() < lazyBytes) owner.reset();
    switch (kind) {
    case TextDumpKind::GeReadable: return readGeReadable(text, options);
    case TextDumpKind::GeJson: return readGeJson(text, options);
    case TextDumpKind::GeOnnx: return readGeOnnx(text, options, std::move(owner));
    case TextDumpKind::OnnxText: return readOnnxText(text, options);
    case TextDumpKind::GeProto: break;
    }
    return readGeProto(text, options, std::move(owner));
}

bool looksLikeGeJson(std::string_view text)
{
    const auto first = text.find_first_not_of("\xEF\xBB\xBF \t\r\n"); // an editor may have put a mark in front
    return first != std::string_view::npos && text[first] == '{' && looksLikeModelJson(text.substr(0, sniffedBytes));
}

bool looksLikeAir(std::span<const std::byte> bytes)
{
    // Field 1 as a length-delimited value: the name. ONNX has a number there.
    return bytes.size() > 2 && bytes[0] == std::byte{0x0A} &&
           static_cast<std::size_t>(bytes[1]) + 2 < bytes.size() + 128;
}

} // namespace gelens
