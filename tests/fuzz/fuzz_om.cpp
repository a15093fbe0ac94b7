// libFuzzer entry: any bytes as an OM file. Whatever comes out must be a sound graph, and its plan must load.

#include "engine/formats/om/om_reader.h"
#include "engine/session/light_run.h"
#include "engine/session/om_memory.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    gelens::ReadOptions options;
    options.maxNodes = 20'000;
    const auto owner = std::make_shared<const std::string>(reinterpret_cast<const char*>(data), size);
    const auto document = gelens::readOmBytes(std::as_bytes(std::span(*owner)), owner, {}, options);
    if (!document.ok()) return 0;
    const gelens::ModelDocument& model = document.value();
    if (!model.graph.findInconsistency().empty()) std::abort();
    std::vector<gelens::Message> messages;
    const gelens::MemoryPlan plan = gelens::planFromOm(model.graph, *model.om, messages);
    gelens::tasksFromOm(model.graph, plan, *model.om, messages);
    return 0;
}
