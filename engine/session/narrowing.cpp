#include "engine/session/narrowing.h"

#include "engine/npu/compare.h"
#include "engine/session/tensor_statistics.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {
namespace {

constexpr double largestHalf = 65504, smallestHalf = 0x1p-24; ///< the latter is the finest subnormal

std::map<std::string, HostTensor> widenedInputs(const std::map<std::string, HostTensor>& inputs)
{
    std::map<std::string, HostTensor> wide;
    for (const auto& [name, value] : inputs) wide.emplace(name, widened(value));
    return wide;
}

InterpreterOptions withoutWeights(InterpreterOptions options)
{
    options.weights = nullptr; // those are of another type
    return options;
}

void takeLarger(std::vector<Rounding>& roundings, const std::vector<Rounding>& others)
{
    for (std::size_t i = 0; i < roundings.size() && i < others.size(); ++i) {
        if (!others[i].isKnown()) continue;
        Rounding& one = roundings[i];
        if (!one.isKnown()) one = others[i];
        one.rms = std::max(one.rms, others[i].rms);
        one.largest = std::max(one.largest, others[i].largest);
        one.relative = std::max(one.relative, others[i].relative);
        one.overflows = std::max(one.overflows, others[i].overflows);
        one.decisions = std::max(one.decisions, others[i].decisions);
    }
}

} // namespace

const std::vector<Rounding>* Narrowing::at(StepId step, const InterpreterOptions& options)
{
    if (!m_step.isValid())
        for (const Step& one : m_run.steps)
            if (one.pass == "RefineRunningPrecision" && one.hasChanged() && one.id.value > 0) m_step = one.id;
    if (!m_step.isValid() || step.value < m_step.value) return nullptr;
    if (!m_roundings) {
        const auto before = m_run.graphAt(StepId{m_step.value - 1}), after = m_run.graphAt(m_step);
        const InterpreterOptions plain = withoutWeights(options);
        m_roundings = measureNarrowing(*before, *after, m_inputs, m_reference, plain);
        // Operators that are many in one round within as well. Both sides have the same wiring, right or wrong: that it
        // is right is for the second proof to say.
        const auto rounded = interpret(*after, m_inputs, plain),
                   wide = interpret(widenedGraph(*after), widenedInputs(m_inputs), plain);
        if (rounded.ok() && wide.ok()) takeLarger(*m_roundings, roundingsBetween(wide->outputs, rounded->outputs));
    }
    return &*m_roundings;
}

bool Narrowing::isExactEnough() const
{
    // Neither all elements together nor a single one may be given more room than any fp16 model gets.
    const Tolerance usual = toleranceOf(DataType::Float16);
    return std::all_of(m_roundings->begin(), m_roundings->end(), [&](const Rounding& rounding) {
        const double size = rounding.relative > 0 ? rounding.rms / rounding.relative : 0;
        const bool isTailShort = 4 * rounding.largest <= usual.floor + usual.absolute * size;
        return rounding.decisions == 0 && rounding.overflows == 0 && rounding.relative <= usual.overall && isTailShort;
    });
}

void Narrowing::proveInFp32(StepVerification& step, const InterpreterOptions& options)
{
    if (!step.holds() || at(step.step, options) == nullptr || isExactEnough()) return;
    const InterpreterOptions plain = withoutWeights(options);
    const auto inputs = widenedInputs(m_inputs);
    if (!m_wide) {
        const Graph before = widenedGraph(*m_run.graphAt(StepId{m_step.value - 1}));
        m_wide = interpret(roundedGraph(before, *m_run.graphAt(m_step), RoundedValues::Constants), inputs, plain);
        const auto exact = interpret(before, inputs, plain);
        if (m_wide->ok() && exact.ok()) m_ofConstants = roundingsBetween(exact->outputs, (*m_wide)->outputs);
    }
    if (!m_wide->ok()) {
        m_unproved = m_wide->error().message();
        return;
    }
    const auto wide = interpret(widenedWithRoundedConstants(*m_run.graphAt(step.step)), inputs, plain);
    if (!wide.ok()) {
        m_unproved =
            fmt::format("step {} ({}): {}", step.step.value, m_run.step(step.step).pass, wide.error().message());
        return;
    }
    const std::vector<NamedTensor>& reference = (*m_wide)->outputs;
    for (std::size_t i = 0; i < reference.size() && i < wide->outputs.size(); ++i) {
        Tolerance tolerance = toleranceOf(reference[i].value.dtype);
        if (i < m_ofConstants.size() && isFloating(reference[i].value.dtype)) {
            tolerance.floor += m_ofConstants[i].largest;
            tolerance.noise += m_ofConstants[i].rms;
        }
        ErrorMeasure measure = compareTensors(reference[i].value, wide->outputs[i].value,
                                              reference[i].name + " (fp32 in place of fp16)", tolerance);
        if (!measure.holds()) step.outputs.push_back(std::move(measure));
    }
    ++m_proved;
}

std::vector<std::string> Narrowing::notes() const
{
    std::vector<std::string> notes;
    if (!m_roundings) return notes;
    const double bound = toleranceOf(DataType::Float16).overall;
    for (std::size_t i = 0; i < m_roundings->size(); ++i) {
        const Rounding& rounding = (*m_roundings)[i];
        const std::string& name = m_reference[i].name;
        const std::int64_t elements = m_reference[i].value.shape.elementCount().value_or(0);
        if (rounding.decisions > 0)
            notes.push_back(fmt::format(
                "output '{}' has no verdict in fp16: rounding its values, and nothing else, changes {} of its "
                "{} elements",
                name, rounding.decisions, elements));
        else if (rounding.overflows > 0)
            notes.push_back(fmt::format(
                "output '{}' does not fit fp16: rounding its values, and nothing else, makes {} of its {} elements "
                "infinite or NaN",
                name, rounding.overflows, elements));
        else if (rounding.relative > bound)
            notes.push_back(fmt::format(
                "output '{}' is ill-conditioned in fp16: rounding its values, and nothing else, moves it by {:.2g} "
                "% (root mean square); its bound follows from that",
                name, 100 * rounding.relative));
    }
    if (m_proved > 0 && !notes.empty())
        notes.push_back(fmt::format(
            "{} steps give the imported model's numbers when they are computed with fp32 in place of fp16", m_proved));
    if (!m_unproved.empty() && !notes.empty())
        notes.push_back(fmt::format("not proved with fp32 in place of fp16: {}", m_unproved));
    return notes;
}

std::optional<OverflowNote> overflowNote(const Run& run, StepId step, const std::map<std::string, HostTensor>& inputs,
                                         const std::vector<NamedTensor>& reference, std::stop_token stop)
{
    const auto found = firstOverflow(run, step, RunInputs{inputs, reference}, run.options.seed, stop);
    if (!found.ok() || !*found) return std::nullopt;
    const Overflow& overflow = **found;
    const std::int64_t lost = overflow.infinityCount + overflow.nanCount;
    std::string text =
        overflow.largestInput == 0
            ? fmt::format(
                  "'{}' ({}) makes {} infinite or NaN results out of zeros: numbers below {:.2g} are zero in fp16",
                  overflow.nodeName, overflow.nodeType, lost, smallestHalf)
            : fmt::format("fp16 overflows at '{}' ({}): it reads values up to {:.4g}, and {} of its results are "
                          "infinite or NaN; fp16 "
                          "ends at {:.0f}",
                          overflow.nodeName, overflow.nodeType, overflow.largestInput, lost, largestHalf);
    return OverflowNote{overflow.output.node, std::move(text)};
}

} // namespace gelens
