// libFuzzer entry: any bytes as a fusion_result.json.

#include "engine/session/fusion_counts.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const int file = memfd_create("fusion_result", MFD_CLOEXEC);
    if (file < 0) return 0;
    for (std::size_t at = 0; at < size;) {
        const ssize_t written = write(file, data + at, size - at);
        if (written <= 0) break;
        at += static_cast<std::size_t>(written);
    }
    if (const auto results = gelens::readFusionResult("/proc/self/fd/" + std::to_string(file)); results.ok())
        (void)gelens::fusionSummaries(*results);
    close(file);
    return 0;
}
