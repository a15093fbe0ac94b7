#pragma once
// GE's switch for autofusion: the text of the environment variable AUTOFUSE_FLAGS.

#include "engine/graph/result.h"
#include "engine/spec/unit.h"

#include <set>
#include <string>
#include <string_view>

namespace gelens {

/// Element-wise operators are lowered whenever autofusion is on; the other loop classes one by one.
struct AutofuseFlags {
    bool isEnabled = false;        ///< off unless the text says so, as in GE
    std::set<FusionClass> classes; ///< switched on beside element-wise: Reduce, Concat, Slice, Split, Gather, Transpose
    int recomputationThreshold = 1; ///< a result with more readers ends its kernel
    int maxFusionSize = 64;         ///< original operators in one kernel
    bool hasCubeChip = false;       ///< of the SoC, not a flag: GE joins cube kernels on the 950 generation
};

/// Reads `--name=value` parts separated by ';' ("--enable_autofuse=true;--autofuse_enable_pass=reduce,concat"). Flags
/// that change nothing here (precision blacklist) are taken and ignored; unknown ones and wrong values are errors.
Result<AutofuseFlags> parseAutofuseFlags(std::string_view text);

} // namespace gelens
