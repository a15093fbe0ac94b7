#pragma once
// Two runs of one model side by side, as a run that every view of graphs and differences can show.

#include "engine/session/run.h"

#include <memory>
#include <string>

namespace gelens {

/// A run of two steps: the final graph of `base`, then that of `other`. Nodes of the same name are the same node; the
/// rest is matched by structure. Its figures are those of `other`, with those of `base` as before.
std::shared_ptr<const Run> comparisonRun(std::shared_ptr<const Run> base, const std::string& baseName,
                                         std::shared_ptr<const Run> other, const std::string& otherName);

} // namespace gelens
