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

std::vector<ErrorMeasure> compareOutputs(const std::vector<NamedTensor>& reference, const std::vector<NamedTensor>& values,
                                         const std::vector<Rounding>& roundings)
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
NodeId firstDifference(const Graph& before, const Graph& after, const Inputs& inputs, std::uint64_t seed, std::int64_t limit,
                       std::stop_token stop)
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

class Verifier {
public:
    Verifier(const Run& run, const ProgressFunction& progress, std::stop_token stop)
        : m_run(run), m_progress(progress), m_stop(stop)
    {
    }

    Verification verify()
    {
        m_result.seed = m_run.options.seed;
        if (!prepare()) return std::move(m_result);
        m_result.ran = true;
        int previous = 0;
        for (const Step& step : m_run.steps) {
            if (step.id.value == 0 || !step.hasChanged()) continue;
            if (m_stop.stop_requested()) return cancelled();
            if (m_progress) m_progress({"verify " + step.pass, step.id.value, m_run.stepCount()});
            if (!verifyStep(step, previous)) break;
            if (!m_result.ran) return std::move(m_result);
            previous = step.id.value;
        }
        verifyDevice();
        if (m_stop.stop_requested()) return cancelled();
        addNotes();
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

    /// What has to be known to read the verification.
    void addNotes()
    {
        m_result.notes = m_narrowing.notes();
        if (m_result.passed()) return;
        const StepId step = m_result.firstBadStep.isValid() ? m_result.firstBadStep : m_run.lastStep();
        if (std::string text = overflowText(m_run, step, m_inputs, m_reference, m_stop); !text.empty())
            m_result.notes.insert(m_result.notes.begin(), std::move(text));
    }

    /// From precision selection on, values are rounded that the reference keeps.
    const std::vector<Rounding>& roundingsAt(StepId step)
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

    bool prepare()
    {
        auto inputs = drawInputs(m_run, m_run.options.seed, m_stop);
        if (!inputs.ok()) {
            m_result.skipReason = inputs.error().message();
            return false;
        }
        m_inputs = std::move(inputs->values);
        m_reference = std::move(inputs->reference);
        if (const Status room = reserve(); !room.ok()) {
            m_result.skipReason = room.error().message();
            return false;
        }
        m_lacksWeights = lacksWeights(*m_run.graphAt(StepId{0}));
        m_roundings = measureRounding(*m_run.graphAt(StepId{0}), m_inputs, m_reference, options());
        return true;
    }

    /// Sets what inputs and reference leave of the memory. Comparing takes each element of two results as a double.
    Status reserve()
    {
        for (const auto& [name, value] : m_inputs) m_limit -= bytesOf(value);
        std::int64_t results = 0;
        for (const NamedTensor& output : m_reference) results += bytesOf(output.value);
        m_limit -= results;
        for (const NamedTensor& output : m_reference) {
            const std::int64_t numbers = 2 * static_cast<std::int64_t>(sizeof(double)) * output.value.shape.elementCount().value_or(0);
            const std::int64_t needed = results + numbers; // those of the other graph are all alive
            if (needed > m_limit)
                return Error::limit(fmt::format("comparing its {} bytes takes {} bytes beside {} bytes in use, more than the {} "
                                                "bytes that the run may use", bytesOf(output.value), needed,
                                                runLimitBytes - m_limit, runLimitBytes),
                                    fmt::format("output '{}'", output.name));
        }
        return {};
    }

    /// Says something of the machine or the file, not of what the compiler did.
    bool isNoVerdict(const Error& error) const
    {
        return error.code == ErrorCode::Limit || (error.code == ErrorCode::NotFound && m_lacksWeights);
    }

    bool verifyStep(const Step& step, int previous)
    {
        StepVerification verification;
        verification.step = step.id;
        const auto graph = m_run.graphAt(step.id);
        auto result = interpret(*graph, m_inputs, options());
        if (result.ok()) {
            verification.ran = true;
            verification.outputs = compareOutputs(m_reference, result->outputs, roundingsAt(step.id));
            m_narrowing.proveInFp32(verification, options());
        } else if (isNoVerdict(result.error())) {
            m_result.ran = false;
            m_result.skipReason = fmt::format("step {} ({}): {}", step.id.value, step.pass, result.error().message());
            return true;
        } else {
            verification.skipReason = result.error().message();
        }
        const bool isGood = verification.holds();
        if (!isGood) {
            m_result.firstBadStep = step.id;
            if (verification.ran)
                m_result.firstBadNode = firstDifference(*m_run.graphAt(StepId{previous}), *graph, m_inputs, m_run.options.seed,
                                                        m_limit, m_stop);
            m_result.firstBadNodeName = m_run.nameOf(m_result.firstBadNode);
        }
        m_result.steps.push_back(std::move(verification));
        return isGood;
    }

    void skipDevice(std::string reason)
    {
        m_result.deviceSkipReason = std::move(reason);
        m_result.devicePassed = true;
    }

    void verifyDevice()
    {
        if (!m_run.plan.isComplete) {
            skipDevice("the device did not run: some sizes are known at run time only, so they have no addresses");
            return;
        }
        const auto graph = m_run.graphAt(m_run.lastStep());
        m_result.devicePassed = true;
        for (int order = 0; order <= extraInterleavings && m_result.devicePassed; ++order) {
            if (m_stop.stop_requested()) return;
            DeviceOptions options;
            options.interleaving = order == 0 ? 0 : m_run.options.seed + static_cast<std::uint64_t>(order);
            options.seed = m_run.options.seed;
            options.stop = m_stop;
            options.memoryLimitBytes = m_limit;
            const auto result = runOnDevice(*graph, m_run.plan, m_run.tasks, m_inputs, options);
            if (!result.ok() && order == 0 && isNoVerdict(result.error())) {
                skipDevice("the device did not run: " + result.error().message());
                return;
            }
            StepVerification verification;
            verification.step = m_run.lastStep();
            if (result.ok()) {
                verification.ran = true;
                verification.outputs = compareOutputs(m_reference, result->outputs, roundingsAt(m_run.lastStep()));
                ++m_result.interleavings;
            } else {
                verification.skipReason = result.error().message();
            }
            m_result.devicePassed = verification.holds();
            if (!m_result.devicePassed || order == 0) m_result.steps.push_back(std::move(verification));
        }
    }

    const Run& m_run;
    const ProgressFunction& m_progress;
    std::stop_token m_stop;
    Verification m_result;
    Inputs m_inputs;
    std::vector<NamedTensor> m_reference;
    std::vector<Rounding> m_roundings; // of each reference
    Narrowing m_narrowing{m_run, m_inputs, m_reference};
    std::int64_t m_limit = runLimitBytes; // less what inputs and reference take
    bool m_lacksWeights = false;
    std::shared_ptr<onednn::PreparedWeights> m_weights = makePreparedWeights();
};

} // namespace

Verification verifyRun(const Run& run, const ProgressFunction& progress, std::stop_token stop)
{
    try {
        return Verifier(run, progress, stop).verify();
    } catch (const std::bad_alloc&) {
        Verification result;
        result.seed = run.options.seed;
        result.skipReason = "the machine has no memory left for it";
        return result;
    }
}

} // namespace gelens
