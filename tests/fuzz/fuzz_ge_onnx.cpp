// libFuzzer entry: any bytes as a ge_onnx dump, read at once and with its attributes left in the text. Whatever comes
// out must be a sound graph, and the same one both ways where the text has no damage.

#include "engine/formats/ge_onnx_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    gelens::ReadOptions options;
    options.maxNodes = 20'000;
    const auto text = std::make_shared<const std::string>(reinterpret_cast<const char*>(data), size);
    const auto whole = gelens::readGeOnnx(*text, options);
    if (whole.ok() && !whole->graph.findInconsistency().empty())
        std::abort();
    const auto lazy = gelens::readGeOnnx(*text, options, text);
    if (lazy.ok() && !lazy->graph.findInconsistency().empty())
        std::abort();
    const std::uint64_t print = lazy.ok() ? lazy->graph.fingerprint() : 0; // decodes every attribute
    const auto isDamage = [](const gelens::Message& message) { return message.id == "dump.cut"; };
    if (whole.ok() && std::none_of(whole->messages.begin(), whole->messages.end(), isDamage) &&
        (!lazy.ok() || print != whole->graph.fingerprint()))
        std::abort();
    return 0;
}
