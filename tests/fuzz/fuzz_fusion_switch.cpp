// libFuzzer entry: any bytes as a fusion_switch.cfg, of either spelling.

#include "engine/fusion/fusion_switch.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto switches = gelens::FusionSwitch::parse({reinterpret_cast<const char*>(data), size}, "fuzz.cfg");
    if (switches.ok()) (void)switches->isPassOn("ConvBatchnormFusionPass", false);
    return 0;
}
