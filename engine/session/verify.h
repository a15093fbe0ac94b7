#pragma once
// Proves a run with numbers: every step's graph against the imported one, and the device against both.

#include "engine/session/session.h"

#include <memory>

namespace gelens {

/// Executes the imported graph, the graph after every step that changed something, and the task list on the simulated
/// device in several legal orders, all on the same seeded inputs. Where weights or kernels are missing it does not run
/// and says why. Cancelling gives a verification that did not run.
/// A run that reaches a limit on memory, or weights that never were there, was not verified either.
/// What verification cannot run on the device (sizes that are known at run time only, too much memory) it proves on the
/// interpreter alone and says so in `deviceSkipReason`.
/// The numbers of single steps, as verifyRun compares them.
class StepVerifier {
public:
    /// Draws inputs and executes the imported graph. Errors: why it does not run (weights, memory, Cancelled).
    static Result<StepVerifier> prepare(const Run& run, std::stop_token stop);
    StepVerifier(StepVerifier&&) noexcept;
    ~StepVerifier();

    /// `ran` is false where the step's graph does not run. Errors: limits on memory, weights that are absent, Cancelled.
    Result<StepVerification> verify(StepId step) const;
    /// The first node whose value differs between two steps; invalid when the difference shows only in outputs.
    NodeId firstDifference(StepId before, StepId after) const;

private:
    class Numbers;
    friend class Verifier;
    explicit StepVerifier(std::unique_ptr<Numbers> numbers);
    std::unique_ptr<Numbers> m_numbers;
};

/// Called before each computation with what was proved so far and the step that comes next (the last one for the device).
using VerifyGate = std::function<void(const Verification&, StepId)>;

Verification verifyRun(const Run& run, const ProgressFunction& progress, std::stop_token stop,
                       const VerifyGate& gate = {});

} // namespace gelens
