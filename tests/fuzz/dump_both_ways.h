#pragma once
// What the targets of GE's text dumps share: a dump is read at once and with its attributes left in the text. Whatever
// comes out must be a sound graph, and the same one both ways where protobuf itself takes the text (it refuses a field
// that is given twice, where we let one of the two stand).

#include "engine/formats/model_document.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

namespace gelens::fuzz {

/// `type` is the message of the whole file: "onnx.ModelProto".
inline bool isTakenByProtobuf(const std::string& text, const char* type)
{
    namespace pb = google::protobuf;
    struct Silent final : pb::io::ErrorCollector {
        void AddError(int, int, const std::string&) override {}
    } silent;
    const auto* const descriptor = pb::DescriptorPool::generated_pool()->FindMessageTypeByName(type);
    const std::unique_ptr<pb::Message> message(
        pb::MessageFactory::generated_factory()->GetPrototype(descriptor)->New());
    pb::TextFormat::Parser parser;
    parser.RecordErrorsTo(&silent);
    parser.AllowUnknownField(true);
    return parser.ParseFromString(text, message.get());
}

/// `read` is readGeProto or readGeOnnx. Aborts on a finding.
template <typename Read>
void readBothWays(const std::uint8_t* data, std::size_t size, Read&& read, const char* type)
{
    ReadOptions options;
    options.maxNodes = 20'000;
    const auto text = std::make_shared<const std::string>(reinterpret_cast<const char*>(data), size);
    const Result<ModelDocument> whole = read(*text, options, nullptr);
    if (whole.ok() && !whole->graph.findInconsistency().empty()) std::abort();
    const Result<ModelDocument> lazy = read(*text, options, text);
    if (lazy.ok() && !lazy->graph.findInconsistency().empty()) std::abort();
    const std::uint64_t print = lazy.ok() ? lazy->graph.fingerprint() : 0; // decodes every attribute
    const auto isDamage = [](const Message& message) { return message.id == "dump.cut"; };
    if (whole.ok() && std::none_of(whole->messages.begin(), whole->messages.end(), isDamage) &&
        (!lazy.ok() || print != whole->graph.fingerprint()) && isTakenByProtobuf(*text, type))
        std::abort();
}

} // namespace gelens::fuzz
