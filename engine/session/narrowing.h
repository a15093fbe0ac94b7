#pragma once
// What a precision mode does to the numbers of a run's model, and what can still be proved of its steps.

#include "engine/npu/rounding.h"
#include "engine/session/run.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

/// From precision selection on, a run computes in fp16 what the imported model computes in fp32. How far the two may be
/// apart is not a constant: it is measured, by rounding each value of the imported model's own computation to fp16
/// (measureNarrowing), and by what the narrowed graph itself loses against its own fp32 form (operators that stand for
/// many round inside too); the larger counts. A model that is exact enough gets the bound of any fp16 model. Where
/// rounding alone moves a result by more, or changes a decision (an index, a mask), that bound says little, so each
/// step is proved a second time: its graph is run with fp32 in place of fp16, and must give the numbers of the model
/// before precision selection within fp32's tolerance. Constants are rounded on both sides, for in later steps they are
/// fp16 for good; as a compile may round one twice when it folds it, what rounding them once moves is allowed again.
class Narrowing {
public:
    /// All three must outlive this.
    Narrowing(const Run& run, const std::map<std::string, HostTensor>& inputs,
              const std::vector<NamedTensor>& reference)
        : m_run(run), m_inputs(inputs), m_reference(reference)
    {
    }

    /// The measured roundings, by output; null before precision selection and where it changed nothing. Measured once.
    const std::vector<Rounding>* at(StepId step, const InterpreterOptions& options);

    /// Adds to a step that holds in fp16 what the second proof finds wrong, if it is needed and does not hold.
    void proveInFp32(StepVerification& step, const InterpreterOptions& options);

    /// One sentence for each output that rounding alone moves further than fp16's usual bound or that has no verdict in
    /// fp16, and on the second proof.
    std::vector<std::string> notes() const;

private:
    bool isExactEnough() const;

    const Run& m_run;
    const std::map<std::string, HostTensor>& m_inputs;
    const std::vector<NamedTensor>& m_reference;
    StepId m_step; ///< precision selection, once it was found
    std::optional<std::vector<Rounding>> m_roundings;
    std::optional<Result<RunResult>> m_wide; ///< the model before that step, with fp32 for fp16 and constants rounded
    std::vector<Rounding> m_ofConstants;     ///< what rounding those moves
    int m_proved = 0;
    std::string m_unproved; ///< why a step has no second proof
};

/// Where a step's graph makes infinities or NaN out of finite numbers: "fp16 overflows at 'x' (Exp): …".
struct OverflowNote {
    NodeId node;
    std::string text;
};
std::optional<OverflowNote> overflowNote(const Run& run, StepId step, const std::map<std::string, HostTensor>& inputs,
                                         const std::vector<NamedTensor>& reference, std::stop_token stop);

} // namespace gelens
