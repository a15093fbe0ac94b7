#include "engine/session/soundness.h"

#include "engine/graph/graph_editor.h"
#include "engine/passes/pipeline.h"

#include <algorithm>

namespace gelens {

Status checkSoundness(const Session& session, std::stop_token stop)
{
    if (session.info().isGeGraph()) return Status::success();
    const CompileOptions options;
    GELENS_ASSIGN(const SocSpec soc, loadSoc(options));
    const RuleSet rules; // no rule is tried before shapes are known
    const FusionSwitch switches;
    std::vector<PassEntry> entries = fullPipeline(rules, switches);
    const auto inference = std::find_if(entries.begin(), entries.end(),
                                        [](const PassEntry& entry) { return entry.info.id == "InferShapePass"; });
    GELENS_ASSERT(inference != entries.end());
    entries.erase(inference + 1, entries.end());

    Graph graph = *session.importedGraph();
    Journal journal;
    GraphEditor edit(graph, journal);
    KernelCache kernels;
    PassContext context{soc, options, rules, switches, kernels, stop, {}, {}, {}, {}, {}, {}};
    std::vector<Step> steps(1);
    const Status status = runPipeline(entries, edit, context, steps, {});
    if (status.ok() || status.error().code != ErrorCode::InvalidInput) return Status::success();
    Error error = status.error();
    error.where = session.info().path + (error.where.empty() ? "" : ": " + error.where);
    return error;
}

} // namespace gelens
