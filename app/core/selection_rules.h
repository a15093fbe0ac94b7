#pragma once
// What a selection means in full, and where it goes when the step changes.

#include "viewers/common/view.h"

namespace gelens {

/// Fills in the node behind a tensor, a task, a buffer or a chain when no node is named, so that every view can follow.
Selection completeSelection(const Run& run, Selection selection);

/// The selection after moving from one step to another: what is selected follows the fusions on the way, into the fused
/// node going forward and back to the nodes it was made of. With nothing selected, arriving at a step that fused
/// something selects its first fused node. Everything else stays as it is.
Selection followSelection(const Run& run, const Selection& selection, StepId from, StepId to);

/// The step of `now` that stands for a step of `before`: the same pass in the same phase, the end for the end.
StepId correspondingStep(const Run& before, StepId step, const Run& now);

} // namespace gelens
