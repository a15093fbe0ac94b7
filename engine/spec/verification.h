#pragma once
// Numbers of one graph against numbers of another.

#include "engine/graph/ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gelens {

/// How far one tensor is from its reference.
struct ErrorMeasure {
    std::string tensor; ///< output name
    std::int64_t elements = 0;
    double maxAbs = 0, maxRel = 0;
    double cosine = 1;
    std::int64_t mismatches = 0; ///< elements outside the tolerance
    double toleranceAbs = 0, toleranceRel = 0;
    double overall = 0;          ///< ‖value − reference‖ / ‖reference‖
    double toleranceOverall = 0; ///< 0: not judged
    bool isFarOverall = false;   ///< each element may be near enough, all together are not
    bool shapeDiffers = false, typeDiffers = false;
    /// Elements of an exact result that rounding to the run's precision changes by itself: when there are any, the result
    /// cannot be judged in that precision (only in fp32, see Verification::notes).
    std::int64_t undecided = 0;
    bool holds() const
    {
        return !typeDiffers && (undecided > 0 || (mismatches == 0 && !isFarOverall && !shapeDiffers));
    }
};

struct StepVerification {
    StepId step;
    bool ran = false;
    std::string skipReason; ///< why it did not run: "weights are absent"
    std::vector<ErrorMeasure> outputs;
    bool holds() const
    {
        for (const ErrorMeasure& output : outputs)
            if (!output.holds()) return false;
        return ran;
    }
};

struct Verification {
    bool ran = false;
    std::string skipReason;
    std::uint64_t seed = 0;
    std::vector<StepVerification> steps;
    StepId firstBadStep;
    NodeId firstBadNode; ///< node where the difference starts, in the graph of firstBadStep
    std::string firstBadNodeName;
    int interleavings = 0; ///< legal task orders executed on the device arena
    bool devicePassed = false;
    /// Why the device took no part, though every step was computed; empty when it did. `devicePassed` then holds: the
    /// interpreter's proof stands alone.
    std::string deviceSkipReason;
    /// What has to be known to read the result, one sentence each: where fp16 overflows, how far rounding alone moves an
    /// output, which output cannot be judged in fp16.
    std::vector<std::string> notes;
    bool passed() const { return ran && !firstBadStep.isValid() && devicePassed; }
};

} // namespace gelens
