// libFuzzer entry: any bytes as an .air file, GE's ModelDef in wire form. Whatever comes out must be a sound graph.

#include "engine/formats/ge_proto_reader.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    gelens::ReadOptions options;
    options.maxNodes = 20'000;
    const auto document = gelens::readAir(std::as_bytes(std::span(data, size)), options);
    if (document.ok() && !document->graph.findInconsistency().empty()) std::abort();
    return 0;
}
