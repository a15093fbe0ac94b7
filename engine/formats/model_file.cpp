#include "engine/formats/model_file.h"

#include "engine/formats/ge_proto_reader.h"
#include "engine/formats/mapped_file.h"
#include "engine/formats/om/om_reader.h"
#include "engine/formats/onnx/onnx_reader.h"
#include "engine/formats/text_dump.h"

#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace gelens {
namespace {

/// Protobuf writes to standard error by itself; what is wrong with a file is said once, by us. Here, since every program
/// that opens models links this file: it then holds for all of its parses and serialisations, before the first.
[[maybe_unused]] google::protobuf::LogHandler* const defaultProtobufLog = google::protobuf::SetLogHandler(nullptr);

struct Signature {
    std::size_t offset;
    std::string_view bytes;
    std::string_view name;
};

using namespace std::string_view_literals;

constexpr std::array signatures = {
    Signature{0, "\x89PNG\r\n"sv, "a PNG picture"},
    Signature{0, "\xFF\xD8\xFF"sv, "a JPEG picture"},
    Signature{0, "GIF8"sv, "a GIF picture"},
    Signature{0, "PICO"sv, "an OM of HiSilicon's SVP chips, which is another format"},
    Signature{0, "PK\x03\x04"sv, "a ZIP archive"},
    Signature{0, "PK\x05\x06"sv, "a ZIP archive"},
    Signature{0, "\x1F\x8B"sv, "a gzip archive"},
    Signature{0, "7z\xBC\xAF\x27\x1C"sv, "a 7z archive"},
    Signature{0, "\xFD\x37zXZ"sv, "an xz archive"},
    Signature{0, "BZh"sv, "a bzip2 archive"},
    Signature{0, "\x28\xB5\x2F\xFD"sv, "a zstd archive"},
    Signature{257, "ustar"sv, "a tar archive"},
    Signature{0, "\x7F\x45LF"sv, "an ELF program or library"},
    Signature{0, "%PDF"sv, "a PDF document"},
    Signature{4, "ORTM"sv, "an ORT-format model"},
    Signature{4, "TFL3"sv, "a TensorFlow Lite model"},
    Signature{0, "GGUF"sv, "a GGUF model"},
    Signature{0, "\x93NUMPY"sv, "a NumPy array"},
    Signature{0, "\x89HDF"sv, "an HDF5 file"},
    Signature{0, "version https://git-lfs"sv, "a Git LFS pointer, not the model itself"},
    Signature{0, "MDMP"sv, "a core dump"},
};

/// A ZIP archive lists its members behind their content, by names that are not packed.
bool looksLikeOm2(std::string_view zip)
{
    constexpr std::size_t listBytes = 1 << 20;
    const std::string_view list = zip.substr(zip.size() - std::min(zip.size(), listBytes));
    return list.find("manifest.json") != std::string_view::npos && list.find("data/model_") != std::string_view::npos;
}

/// Text holds no control characters but white space; every binary ONNX file begins with one.
bool looksLikeText(std::string_view head)
{
    return std::none_of(head.begin(), head.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte == 0x7F || (byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f');
    });
}

std::string_view withoutSpace(std::string_view head)
{
    return head.substr(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
}

bool looksLikeGraphText(std::string_view head)
{
    head = withoutSpace(head);
    for (const std::string_view word :
         {"ir_version"sv, "graph {"sv, "graph("sv, "node {"sv, "producer_name"sv, "name:"sv})
        if (head.substr(0, word.size()) == word) return true;
    return false;
}

} // namespace

FileGuess guessFileKind(std::span<const std::byte> bytes)
{
    const std::string_view content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (const Signature& signature : signatures)
        if (content.size() >= signature.offset + signature.bytes.size() &&
            content.substr(signature.offset, signature.bytes.size()) == signature.bytes)
            return {FileKind::Foreign, content.starts_with("PK") && looksLikeOm2(content)
                                           ? "an OM2 model, a ZIP archive that this program does not open"
                                           : std::string(signature.name)};
    if (isOm(bytes)) return {FileKind::Om, "an OM model"};
    const std::string_view head = content.substr(0, 1024);
    if (looksLikeGraphText(head) || looksLikeGeJson(content)) return {FileKind::TextDump, "a graph in text form"};
    if (head.size() >= 4 && looksLikeText(head)) {
        const bool isJson = withoutSpace(head).starts_with('{');
        return {FileKind::Foreign, isJson ? "JSON that holds no GE model" : "text"};
    }
    return {};
}

Result<ModelDocument> openModel(const std::filesystem::path& path, const ReadOptions& options)
{
    GELENS_ASSIGN(const std::shared_ptr<const MappedFile> file, MappedFile::open(path));
    const FileGuess guess = guessFileKind(file->bytes());
    if (guess.kind == FileKind::Om) return readOm(path, options);
    const bool isAir = guess.kind == FileKind::Onnx && looksLikeAir(file->bytes());
    if (guess.kind == FileKind::TextDump || isAir) {
        const std::string_view text(reinterpret_cast<const char*>(file->bytes().data()), file->size());
        auto document = isAir ? readAir(file->bytes(), options, file) : readTextDump(text, options, file);
        if (!document.ok()) {
            Error error = document.error();
            if (error.where.empty()) error.where = path.string();
            return error;
        }
        document->path = path.string();
        return document;
    }
    if (guess.kind != FileKind::Onnx)
        return Error::unsupported("not an ONNX file: it looks like " + guess.name, path.string());
    auto document = readOnnx(path, options);
    if (!document.ok() && path.extension() == ".om" && !document.error().isCancelled())
        return Error::invalid("not an OM file (it does not begin with IMOD), nor any other model", path.string());
    return document;
}

} // namespace gelens
