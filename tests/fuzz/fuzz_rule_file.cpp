// libFuzzer entry: any bytes as a file of fusion rules. Whatever comes out must be a checked rule.

#include "engine/fusion/rule_loader.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::vector<gelens::Message> messages;
    for (const gelens::Rule& rule :
         gelens::loadRules({reinterpret_cast<const char*>(data), size}, "fuzz.textproto", messages))
        if (rule.id.empty()) std::abort();
    return 0;
}
