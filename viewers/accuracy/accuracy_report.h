#pragma once
// What the accuracy view shows, worked out off the GUI thread: one tensor after two steps, and where 16-bit floats
// overflow.

#include "engine/session/tensor_statistics.h"

#include <QString>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace gelens {

struct AccuracyRequest {
    std::shared_ptr<const Run> run;
    StepId shown{0}, compared{0};
    OutputRef output; ///< in the graph of `shown`
    std::uint64_t seed = 1;
    /// Tensor files for the model's inputs in order; empty: they are drawn with the seed.
    std::vector<std::string> inputFiles;
};

/// Drawing inputs costs a run of the whole model, so it is done once for a run and a seed.
struct DrawnInputs {
    std::shared_ptr<const Run> run;
    std::uint64_t seed = 0;
    std::vector<std::string> inputFiles;
    std::shared_ptr<const RunInputs> inputs;
    bool fits(const AccuracyRequest& request) const
    {
        return inputs && run == request.run && seed == request.seed && inputFiles == request.inputFiles;
    }
};

/// One element of the tensor. Values are numbers; `text` holds what a double cannot (strings, large integers).
struct ElementRow {
    std::int64_t place = 0; ///< row-major
    std::optional<double> before, after;
    std::string textBefore, textAfter;
};

struct AccuracyReport {
    AccuracyRequest request;
    DrawnInputs drawn;
    QString error; ///< why there is no value; empty when there is one
    bool isCancelled = false;
    TensorValue value; ///< after the shown step
    std::optional<TensorStatistics> statistics, statisticsBefore;
    OutputRef counterpart; ///< in the compared step's graph; invalid when there is none
    std::string counterpartName;
    std::optional<ErrorMeasure> measure;
    std::vector<ElementRow> rows; ///< the first ones, and those that differ most
    std::int64_t elements = 0;
};

struct OverflowReport {
    AccuracyRequest request;
    DrawnInputs drawn;
    QString error;
    bool isCancelled = false;
    bool hasNarrowFloats = false; ///< some value of the graph is fp16 or bf16
    std::optional<Overflow> overflow;
};

/// Elements listed: so many from the front, and so many of those that differ most.
inline constexpr std::int64_t listedElements = 20000, listedWorst = 1000;

AccuracyReport gatherAccuracy(AccuracyRequest request, DrawnInputs drawn, std::stop_token stop);
OverflowReport findOverflow(AccuracyRequest request, DrawnInputs drawn, std::stop_token stop);

} // namespace gelens
