// libFuzzer entry: any bytes as an ONNX file. Whatever comes out must be a sound graph.

#include "engine/formats/onnx/onnx_reader.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    gelens::ReadOptions options;
    options.maxNodes = 20'000;
    options.maxFunctionNodes = 10'000;
    options.maxDenseBytes = 1 << 20;
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto document = gelens::readOnnxBytes(bytes, nullptr, {}, options);
    if (document.ok() && !document.value().graph.findInconsistency().empty()) std::abort();
    return 0;
}
