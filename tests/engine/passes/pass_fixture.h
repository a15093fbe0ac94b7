#pragma once
// Runs single passes on graphs built in code, and proves that they keep the numbers.

#include "engine/npu/compare.h"
#include "engine/npu/interpreter.h"
#include "engine/npu/random_inputs.h"
#include "engine/passes/pipeline.h"
#include "tests/support/graph_builder.h"
#include "tests/support/kernel_test.h"

#include <stdexcept>

namespace gelens::test {

/// A 310P-like chip: cube and vector units in one core, so matrix products want FRACTAL_NZ.
inline SocSpec combinedSoc()
{
    SocSpec soc;
    soc.name = "combined";
    soc.coreLayout = CoreLayout::Fused;
    soc.cubeCores = soc.vectorCores = 8;
    soc.cubeMegahertz = soc.vectorMegahertz = 1000;
    soc.buffers = {65536, 65536, 262144, 1048576, 262144, 0, 0};
    soc.cubeRates = soc.vectorRates = {17, 17, 114, 114, 512, 256, 128, 512, 114, 17, 256};
    soc.blocks["Default"] = {16, 16, 16};
    soc.blocks["DT_INT8"] = {16, 32, 16};
    return soc;
}

class PassFixture : public GraphBuilder {
public:
    SocSpec soc = combinedSoc();
    CompileOptions options;
    bool isGeGraph = false; ///< the graph is a dump of GE's

    /// Runs one pass; returns how many edits it made. Throws with the message when the pass fails.
    std::size_t run(const PassEntry& entry)
    {
        KernelCache kernels;
        PassContext context{soc, options, m_rules, m_switches, kernels, {}, {}, {}, {}, {}, {}, {}};
        context.isGeGraph = isGeGraph;
        std::vector<Step> steps(1);
        const Status status = runPipeline({entry}, edit(), context, steps, {});
        if (!status.ok()) throw std::runtime_error(status.error().message());
        if (const std::string fault = graph().findInconsistency(); !fault.empty()) throw std::runtime_error(fault);
        report = steps.back();
        return steps.back().editCount();
    }

    std::vector<NamedTensor> compute(std::uint64_t seed = 1)
    {
        auto result = interpret(graph(), randomInputs(graph(), seed));
        if (!result.ok()) throw std::runtime_error(result.error().message());
        return result->outputs;
    }

    /// Empty when a pass keeps every output; else what differs. Also: a second run must change nothing, and undoing
    /// must give back the graph as it was.
    std::string keepsNumbers(const PassEntry& entry)
    {
        const Graph before = graph();
        const std::size_t position = journal().size();
        const std::vector<NamedTensor> reference = compute();
        run(entry);
        const std::vector<NamedTensor> values = compute();
        if (reference.size() != values.size()) return "another number of outputs";
        for (std::size_t i = 0; i < values.size(); ++i)
            if (const ErrorMeasure error = compareTensors(reference[i].value, values[i].value, {}); !error.holds())
                return "output " + std::to_string(i) + " differs by " + std::to_string(error.maxAbs);
        Graph undone = graph();
        journal().move(undone, journal().size(), position);
        if (undone.fingerprint() != before.fingerprint()) return "undoing the pass does not give back the graph";
        const Step first = report;
        if (run(entry) != 0) return "a second run changes the graph again";
        report = first;
        return {};
    }

    Step report; ///< of the last run

private:
    RuleSet m_rules;
    FusionSwitch m_switches;
};

} // namespace gelens::test
