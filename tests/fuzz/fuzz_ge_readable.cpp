// libFuzzer entry: any bytes as a ge_readable dump. Whatever comes out must be a sound graph.

#include "engine/formats/ge_readable_reader.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    gelens::ReadOptions options;
    options.maxNodes = 20'000;
    const auto document = gelens::readGeReadable({reinterpret_cast<const char*>(data), size}, options);
    if (document.ok() && !document->graph.findInconsistency().empty()) std::abort();
    return 0;
}
