#pragma once
// What a pass is. A pass is one file; pipeline.cpp lists them in order.

#include "engine/fusion/fusion_index.h"
#include "engine/fusion/fusion_switch.h"
#include "engine/fusion/rule_set.h"
#include "engine/graph/graph_editor.h"
#include "engine/graph/result.h"
#include "engine/schedule/kernel_cache.h"
#include "engine/schedule/streams.h"
#include "engine/spec/compile_options.h"
#include "engine/spec/memory_plan.h"
#include "engine/spec/soc_spec.h"
#include "engine/spec/step.h"
#include "engine/spec/task_list.h"
#include "engine/spec/timeline.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

/// Declared once; command line, pipeline view and help read it.
struct PassInfo {
    std::string id;      ///< GE's own pass name; ours only where GE has none
    std::string phase;   ///< GE's dump phase it belongs to
    std::string summary; ///< one line
    Stage stage = Stage::Compile;
    char evidence = 'S'; ///< mark of the facts: S, D, P, N, A
    bool isOurs = false; ///< GE has no pass of this name
    std::string rule;    ///< id of the fusion rule it applies; empty for other passes
};

/// What a pass says of its work. Whether it changed something is read from the journal, not claimed.
struct PassReport {
    std::vector<std::pair<std::string, std::int64_t>> counters;
    std::vector<FusionVerdict> verdicts;
    std::vector<Message> messages;
    void count(const std::string& what, std::int64_t by = 1);
};

/// What passes may use, and where memory, tasks and launch leave their results.
struct PassContext {
    const SocSpec& soc;
    const CompileOptions& options;
    const RuleSet& rules;
    const FusionSwitch& switches;
    KernelCache& kernels;
    std::stop_token stop;

    FusionIndex fusionIndex;   ///< shared by neighbouring rule passes; brings itself up to date
    std::vector<NodeId> order; ///< execution order of the root graph
    StreamAssignment streams;
    MemoryPlan plan;
    TaskList tasks;
    Timeline timeline;
    /// The graph is one of GE's own (a dump, .air, OM): what its descriptors state GE has inferred.
    bool isGeGraph = false;

    bool isCancelled() const { return stop.stop_requested(); }
};

class Pass {
public:
    virtual ~Pass() = default;
    virtual Result<PassReport> run(GraphEditor& edit, PassContext& context) = 0;
};

struct PassEntry {
    PassInfo info;
    std::function<std::unique_ptr<Pass>()> make;
    bool endsPhase = false; ///< set by the pipeline: a dump of the phase belongs right after it
    bool isNeeded = false;  ///< set by the pipeline: what follows relies on it, so it cannot be skipped
};

template <typename P>
std::unique_ptr<Pass> makePass()
{
    return std::make_unique<P>();
}

} // namespace gelens
