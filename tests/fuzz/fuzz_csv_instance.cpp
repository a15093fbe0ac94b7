// libFuzzer entry: any bytes as a memory instance in CSV. Whatever comes out must have sound lifetimes.

#include "engine/memory/csv_instance.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto instance = gelens::readCsvInstance({reinterpret_cast<const char*>(data), size}, "fuzz.csv");
    if (!instance.ok()) return 0;
    if (instance->ids.size() != instance->items.size()) std::abort();
    return 0;
}
