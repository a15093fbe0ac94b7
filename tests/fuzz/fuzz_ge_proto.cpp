// libFuzzer entry: any bytes as a ge_proto dump.

#include "engine/formats/ge_proto_reader.h"
#include "tests/fuzz/dump_both_ways.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    gelens::fuzz::readBothWays(data, size, gelens::readGeProto, "ge.proto.ModelDef");
    return 0;
}
