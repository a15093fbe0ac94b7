// libFuzzer entry: any bytes as the JSON that atc makes of a model. Whatever comes out must be a sound graph, and what a
// cut text gives must be no more than the whole one does.

#include "engine/formats/ge_proto_reader.h"
#include "engine/formats/text_dump.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    gelens::ReadOptions options;
    options.maxNodes = 20'000;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    (void)gelens::looksLikeGeJson(text);
    const auto whole = gelens::readGeJson(text, options);
    if (!whole.ok()) return 0;
    if (!whole->graph.findInconsistency().empty()) std::abort();
    const auto half = gelens::readGeJson(text.substr(0, size / 2), options);
    if (half.ok() && half->graph.nodeCount() > whole->graph.nodeCount()) std::abort();
    return 0;
}
