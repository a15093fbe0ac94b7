#pragma once
// What a fusion depends on beside graph and rule.

#include "engine/spec/compile_options.h"
#include "engine/spec/soc_spec.h"

#include <stop_token>

namespace gelens {

class FusionSwitch;

struct FusionEnvironment {
    const SocSpec* soc = nullptr;           ///< required
    const FusionSwitch* switches = nullptr; ///< null: all defaults
    BufferOverrides buffers;                ///< what-if sizes in place of the SoC's
    bool isDumpMode = false;                ///< data dump is on: nodes marked for it must survive
    std::stop_token stop;

    /// Buffer sizes in force.
    BufferSizes bufferSizes() const
    {
        BufferSizes sizes = soc ? soc->buffers : BufferSizes{};
        if (buffers.l1) sizes.l1 = buffers.l1;
        if (buffers.ub) sizes.ub = buffers.ub;
        if (buffers.l0a) sizes.l0a = buffers.l0a;
        if (buffers.l0b) sizes.l0b = buffers.l0b;
        if (buffers.l0c) sizes.l0c = buffers.l0c;
        return sizes;
    }
};

} // namespace gelens
