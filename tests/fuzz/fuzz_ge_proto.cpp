// libFuzzer entry: any bytes as a ge_proto dump. Whatever comes out must be a sound graph.

#include "engine/formats/ge_proto_reader.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    gelens::ReadOptions options;
    options.maxNodes = 20'000;
    const auto document = gelens::readGeProto({reinterpret_cast<const char*>(data), size}, options);
    if (document.ok() && !document->graph.findInconsistency().empty())
        std::abort();
    return 0;
}
