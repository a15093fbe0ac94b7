#pragma once
// Whether a model is sound beyond its encoding, for who shows a file without running it.

#include "engine/graph/result.h"
#include "engine/session/session.h"

#include <stop_token>

namespace gelens {

/// The faults of an ONNX model that come to light only when shapes and types meet: a stride of 0, parts that do not add up,
/// a permutation that is none. Runs on a copy what a compile runs first, up to shape inference, so that both say the same
/// of a file. Success for other formats, which state their shapes, and for what is right but beyond this program.
Status checkSoundness(const Session& session, std::stop_token stop = {});

} // namespace gelens
