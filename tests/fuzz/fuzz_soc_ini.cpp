// libFuzzer entry: any bytes as a platform file of a chip.

#include "engine/formats/soc_ini.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    (void)gelens::parseSocIni({reinterpret_cast<const char*>(data), size}, "fuzz.ini");
    return 0;
}
