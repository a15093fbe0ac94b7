// libFuzzer entry: any bytes as a ge_onnx dump.

#include "engine/formats/ge_onnx_reader.h"
#include "tests/fuzz/dump_both_ways.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    gelens::fuzz::readBothWays(data, size, gelens::readGeOnnx, "onnx.ModelProto");
    return 0;
}
