#pragma once
// What changed between two steps, with all that the diff view shows of it. Made off the GUI thread.

#include "engine/session/run.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

struct DiffContent {
    std::shared_ptr<const Run> run;
    StepId before, after;
    std::shared_ptr<const Graph> beforeGraph, afterGraph;
    /// Added and removed nodes have their fields too, with one side empty.
    GraphDiff diff;
    std::vector<int> unchangedFields; ///< for each change: fields that are equal on both sides
    std::vector<int> groupOf;         ///< for each change: index in diff.groups, or -1
    int unchangedNodes = 0;

    /// Fields of a changed node that are equal on both sides: shown when they are unfolded.
    std::vector<FieldChange> equalFields(int change) const;
    int changeOf(NodeId node) const; ///< by the id on either side; -1 when it did not change
    NodeId nodeOf(int change) const
    {
        const NodeChange& content = diff.changes[static_cast<std::size_t>(change)];
        return content.after.isValid() ? content.after : content.before;
    }
};

/// Null when asked to stop.
std::shared_ptr<const DiffContent> makeDiff(const std::shared_ptr<const Run>& run, StepId before, StepId after,
                                            const std::stop_token& stop);

} // namespace gelens
