#include "engine/session/verify.h"

#include "engine/npu/compare.h"
#include "engine/npu/device.h"
#include "engine/npu/interpreter.h"
#include "engine/npu/node_runner.h"
#include "engine/ops/kernel_context.h"
#include "engine/session/narrowing.h"
#include "engine/session/tensor_statistics.h"

#include <fmt/format.h>

#include <new>
#include <unordered_map>

namespace gelens {
namespace {

/// Legal task orders executed on the device besides the list order.
constexpr int extraInterleavings = 3;

using Inputs = std::map<std::string, HostTensor>;

std::int64_t bytesOf(const HostTensor& value) { return storageBytes(value.dtype, value.shape).value_or(0); }

bool lacksWeights(const Graph& graph)
{
    for (const NodeId id : graph.allNodes()) {
        if (!isConstantType(graph.node(id).type)) continue;
        const Tensor* const constant = graph.constantOf(graph.node(id).output());
        if (constant == nullptr || !constant->isPresent()) return true;
    }
    return false;
}

std::vector<ErrorMeasure> compareOutputs(const std::vector<NamedTensor>& reference,
                                         const std::vector<NamedTensor>& values, const std::vector<Rounding>& roundings)
{
    std::vector<ErrorMeasure> measures;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        if (i >= values.size()) {
            ErrorMeasure missing;
            missing.tensor = reference[i].name;
            missing.shapeDiffers = true;
            measures.push_back(std::move(missing));
            continue;
        }
        measures.push_back(gelens::compareOutputs(reference[i], values[i], roundings[i]));
    }
    return measures;
}

/// The first node, in execution order, whose value differs between two graphs that share node ids; invalid when the
/// difference shows only in outputs.
NodeId firstDifference(const Graph& before, const Graph& after, const Inputs& inputs, std::uint64_t seed,
                       std::int64_t limit, std::stop_token stop)
{
    InterpreterOptions options;
    options.memoryLimitBytes = limit / 2; // both keep all of their values
    options.keepAll = true;
    options.seed = seed;
    options.stop = stop;
    const auto reference = interpret(before, inputs, options), value = interpret(after, inputs, options);
    if (!reference.ok() || !value.ok()) return {};
    for (const NodeId id : after.topologicalOrder()) {
        for (int i = 0; i < after.node(id).outputCount(); ++i) {
            const OutputRef ref{id, i};
            const auto a = reference->kept.find(ref), b = value->kept.find(ref);
            if (a == reference->kept.end() || b == value->kept.end()) continue;
            if (!compareTensors(a->second, b->second, {}).holds()) {
                // A node that is new in this graph and feeds the first old one that differs is the one to blame.
                for (const InputSlot& slot : after.node(id).inputs)
                    if (slot.source.isValid() && !before.contains(slot.source.node)) return slot.source.node;
                return id;
            }
        }
    }
    return {};
}

} // namespace

/// Inputs, what the imported graph makes of them, and the room that is left beside both.
class StepVerifier::Numbers {
public:
    Numbers(const Run& run, std::stop_token stop) : m_run(run), m_stop(stop) {}

    Status prepare()
    {
        GELENS_ASSIGN(RunInputs inputs, drawInputs(m_run, m_run.options.seed, m_stop));
        m_inputs = std::move(inputs.values);
        m_reference = std::move(inputs.reference);
        GELENS_TRY(reserve());
        m_lacksWeights = lacksWeights(*m_run.graphAt(StepId{0}));
        m_roundings = measureRounding(*m_run.graphAt(StepId{0}), m_inputs, m_reference, options());
        return {};
    }

    Result<StepVerification> verify(StepId step) const
    {
        StepVerification verification;
        verification.step = step;
        auto result = interpret(*m_run.graphAt(step), m_inputs, options());
        if (result.ok()) {
            verification.ran = true;
            verification.outputs = compareOutputs(m_reference, result->outputs, roundingsAt(step));
            m_narrowing.proveInFp32(verification, options());
        } else if (isNoVerdict(result.error()) || result.error().isCancelled()) {
            return result.error();
        } else {
            verification.skipReason = result.error().message();
        }
        return verification;
    }

    Result<StepVerification> verifyOnDevice(int order) const
    {
        DeviceOptions options;
        options.interleaving = order == 0 ? 0 : m_run.options.seed + static_cast<std::uint64_t>(order);
        options.seed = m_run.options.seed;
        options.stop = m_stop;
        options.memoryLimitBytes = m_limit;
        const auto result = runOnDevice(*m_run.graphAt(m_run.lastStep()), m_run.plan, m_run.tasks, m_inputs, options);
        if (!result.ok() && order == 0 && isNoVerdict(result.error())) return result.error();
        StepVerification verification;
        verification.step = m_run.lastStep();
        verification.ran = result.ok();
        if (result.ok())
            verification.outputs = compareOutputs(m_reference, result->outputs, roundingsAt(m_run.lastStep()));
        else
            verification.skipReason = result.error().message();
        return verification;
    }

    NodeId firstDifference(StepId before, StepId after) const
    {
        return gelens::firstDifference(*m_run.graphAt(before), *m_run.graphAt(after), m_inputs, m_run.options.seed,
                                       m_limit, m_stop);
    }

    /// Adds what has to be known to read the verification. Where the difference is an overflow, its node is the one to blame.
    void annotate(Verification& verification) const
    {
        verification.notes = m_narrowing.notes();
        if (verification.passed()) return;
        const StepId step = verification.firstBadStep.isValid() ? verification.firstBadStep : m_run.lastStep();
        auto overflow = overflowNote(m_run, step, m_inputs, m_reference, m_stop);
        if (!overflow) return;
        verification.notes.insert(verification.notes.begin(), std::move(overflow->text));
        if (!verification.firstBadStep.isValid()) return;
        verification.firstBadNode = overflow->node;
        verification.firstBadNodeName = m_run.nameOf(overflow->node);
    }

private:
    /// From precision selection on, values are rounded that the reference keeps.
    const std::vector<Rounding>& roundingsAt(StepId step) const
    {
        const std::vector<Rounding>* const narrowed = m_narrowing.at(step, options());
        return narrowed != nullptr ? *narrowed : m_roundings;
    }

    InterpreterOptions options() const
    {
        InterpreterOptions options;
        options.seed = m_run.options.seed;
        options.stop = m_stop;
        options.memoryLimitBytes = m_limit;
        options.weights = m_weights; // most steps leave them as they are
        return options;
    }

    /// Sets what inputs and reference leave of the memory. Comparing takes each element of two results as a double.
    Status reserve()
    {
        for (const auto& [name, value] : m_inputs) m_limit -= bytesOf(value);
        std::int64_t results = 0;
        for (const NamedTensor& output : m_reference) results += bytesOf(output.value);
        m_limit -= results;
        for (const NamedTensor& output : m_reference) {
            const std::int64_t numbers =
                2 * static_cast<std::int64_t>(sizeof(double)) * output.value.shape.elementCount().value_or(0);
            const std::int64_t needed = results + numbers; // those of the other graph are all alive
            if (needed > m_limit)
                return Error::limit(
                    fmt::format("comparing its {} bytes takes {} bytes beside {} bytes in use, more than the {} "
                                "bytes that the run may use",
                                bytesOf(output.value), needed, runLimitBytes - m_limit, runLimitBytes),
                    fmt::format("output '{}'", output.name));
        }
        return {};
    }

    /// Says something of the machine or the file, not of what the compiler did.
    bool isNoVerdict(const Error& error) const
    {
        return error.code == ErrorCode::Limit || (error.code == ErrorCode::NotFound && m_lacksWeights);
    }

    const Run& m_run;
    std::stop_token m_stop;
    Inputs m_inputs;
    std::vector<NamedTensor> m_reference;
    std::vector<Rounding> m_roundings; // of each reference
    mutable Narrowing m_narrowing{m_run, m_inputs, m_reference};
    std::int64_t m_limit = runLimitBytes; // less what inputs and reference take
    bool m_lacksWeights = false;
    std::shared_ptr<onednn::PreparedWeights> m_weights = makePreparedWeights();
};

StepVerifier::StepVerifier(std::unique_ptr<Numbers> numbers) : m_numbers(std::move(numbers)) {}
StepVerifier::StepVerifier(StepVerifier&&) noexcept = default;
StepVerifier::~StepVerifier() = default;

Result<StepVerifier> StepVerifier::prepare(const Run& run, std::stop_token stop)
{
    auto numbers = std::make_unique<Numbers>(run, stop);
    GELENS_TRY(numbers->prepare());
    return StepVerifier(std::move(numbers));
}

Result<StepVerification> StepVerifier::verify(StepId step) const { return m_numbers->verify(step); }
NodeId StepVerifier::firstDifference(StepId before, StepId after) const
{
    return m_numbers->firstDifference(before, after);
}

class Verifier {
public:
    Verifier(const Run& run, const ProgressFunction& progress, std::stop_token stop, const VerifyGate& gate)
        : m_run(run), m_progress(progress), m_stop(stop), m_gate(gate)
    {
    }

    Verification verify()
    {
        m_result.seed = m_run.options.seed;
        auto steps = StepVerifier::prepare(m_run, m_stop);
        if (!steps.ok()) {
            m_result.skipReason = steps.error().message();
            return std::move(m_result);
        }
        m_result.ran = true;
        StepId previous{0};
        for (const Step& step : m_run.steps) {
            if (step.id.value == 0 || !step.hasChanged()) continue;
            if (m_gate) m_gate(m_result, step.id);
            if (m_stop.stop_requested()) return cancelled();
            if (m_progress) m_progress({"verify " + step.pass, step.id.value, m_run.stepCount()});
            if (!verifyStep(*steps, step, previous)) break;
            if (!m_result.ran) return m_stop.stop_requested() ? cancelled() : std::move(m_result);
            previous = step.id;
        }
        verifyDevice(*steps->m_numbers);
        if (m_stop.stop_requested()) return cancelled();
        steps->m_numbers->annotate(m_result);
        return std::move(m_result);
    }

private:
    Verification cancelled()
    {
        Verification result;
        result.seed = m_run.options.seed;
        result.skipReason = "cancelled";
        return result;
    }

    bool verifyStep(const StepVerifier& steps, const Step& step, StepId previous)
    {
        auto verification = steps.verify(step.id);
        if (!verification.ok()) {
            m_result.ran = false;
            m_result.skipReason =
                fmt::format("step {} ({}): {}", step.id.value, step.pass, verification.error().message());
            return true;
        }
        const bool isGood = verification->holds();
        if (!isGood) {
            m_result.firstBadStep = step.id;
            if (verification->ran) m_result.firstBadNode = steps.firstDifference(previous, step.id);
            m_result.firstBadNodeName = m_run.nameOf(m_result.firstBadNode);
        }
        m_result.steps.push_back(std::move(*verification));
        return isGood;
    }

    void skipDevice(std::string reason)
    {
        m_result.deviceSkipReason = std::move(reason);
        m_result.devicePassed = true;
    }

    void verifyDevice(const StepVerifier::Numbers& numbers)
    {
        if (!m_run.plan.isComplete) {
            skipDevice("the device did not run: some sizes are known at run time only, so they have no addresses");
            return;
        }
        m_result.devicePassed = true;
        for (int order = 0; order <= extraInterleavings && m_result.devicePassed; ++order) {
            if (m_gate) m_gate(m_result, m_run.lastStep());
            if (m_stop.stop_requested()) return;
            auto verification = numbers.verifyOnDevice(order);
            if (!verification.ok()) {
                skipDevice("the device did not run: " + verification.error().message());
                return;
            }
            m_result.interleavings += verification->ran;
            m_result.devicePassed = verification->holds();
            if (!m_result.devicePassed || order == 0) m_result.steps.push_back(std::move(*verification));
        }
    }

    const Run& m_run;
    const ProgressFunction& m_progress;
    std::stop_token m_stop;
    const VerifyGate& m_gate;
    Verification m_result;
};

Verification verifyRun(const Run& run, const ProgressFunction& progress, std::stop_token stop, const VerifyGate& gate)
{
    try {
        return Verifier(run, progress, stop, gate).verify();
    } catch (const std::bad_alloc&) {
        Verification result;
        result.seed = run.options.seed;
        result.skipReason = "the machine has no memory left for it";
        return result;
    }
}

} // namespace gelens
