#pragma once
// A run of our pipeline beside the dumps that GE wrote of the same model: phase by phase, what is the same and what
// not.

#include "engine/session/parting_causes.h"
#include "engine/session/snapshot_run.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

/// One phase that both have.
struct PhaseComparison {
    std::string phase;
    StepId simulated; ///< step of our run in which the phase ends
    StepId real;      ///< step of the dump folder
    GraphStatistics simulatedCounts, realCounts;
    GraphDiff diff;    ///< from the simulated to the real graph, structure only; ids are those of sideBySide()
    std::string error; ///< the dump could not be read; then nothing was compared
    bool isSame() const { return error.empty() && diff.isEmpty(); }
};

struct SimRealReport {
    std::vector<PhaseComparison> phases; ///< in the order of the dumps
    int firstDifferent = -1;             ///< index in `phases`; -1 when all that was compared is the same
    int unreadable = 0;                  ///< of `phases`; they neither agree nor differ
    bool isSame() const { return firstDifferent < 0 && unreadable == 0; }
    std::vector<PartingPass> passes; ///< of ours, that account for the first difference
    GeFusion geFusion = GeFusion::Unknown;
    std::string
        sentence; ///< "the first 4 phases agree; they part at AfterInfershape: 2 nodes only in the dump (Cast 2), …"
};

/// Shapes of the model's inputs that the model leaves open, as the dumps have them: without them the two could not
/// agree. Empty where nothing is open or the dumps do not say.
std::map<std::string, std::vector<std::int64_t>> shapesFromDumps(const ModelInfo& model, const SnapshotRun& dumps);

/// Which steps belong together. Of several dumps of one phase the last counts.
struct PhasePair {
    std::string phase;
    StepId simulated, real;
};
std::vector<PhasePair> pairPhases(const Run& simulated, const Run& real);

/// Both graphs of each phase as neighbouring steps of one run: the simulated one, then the real one, which is compared
/// with it. Errors: the two have no phase in common.
Result<std::shared_ptr<const SnapshotRun>> sideBySide(std::shared_ptr<const Run> simulated,
                                                      std::shared_ptr<const SnapshotRun> real);

/// Works out every phase of what sideBySide() made of the two runs. Errors: cancelled.
Result<SimRealReport> compareSides(const SnapshotRun& sides, const Run& simulated, const Run& real,
                                   const ProgressFunction& progress = {}, std::stop_token stop = {});

/// The same run with every phase worked out: where they part stands in its messages, how each phase differs in the
/// summaries of its steps. Errors: cancelled.
Result<std::shared_ptr<const Run>> comparedSides(const SnapshotRun& sides, const Run& simulated, const Run& real,
                                                 const ProgressFunction& progress = {}, std::stop_token stop = {});

/// How a phase differs, in one line: counts, operator types, and the first node in graph order.
std::string differenceText(const GraphDiff& diff);

} // namespace gelens
