#include "viewers/inspector/node_report.h"

#include "engine/session/node_facts.h"

#include <algorithm>
#include <unordered_set>

namespace gelens {
namespace {

NodeReport contentOf(const Run& run, StepId shown, NodeId node, const Run::Life& life)
{
    NodeReport report;
    report.node = node;
    report.born = life.born;
    report.died = life.died;
    report.content = run.nearestStepWith(node, shown);
    report.isAliveWhenShown = report.content == shown;
    if (report.content.isValid()) {
        report.graph = run.graphAt(report.content);
    } else { // came and went within one step: its last content is in the final graph
        report.content = life.born;
        report.graph = run.graphAt(run.lastStep());
    }
    report.unit = nodeUnit(report.graph->node(node));
    return report;
}

std::vector<NodeLink> linksTo(const std::vector<NodeId>& nodes, const Graph& graph)
{
    std::vector<NodeLink> links;
    for (const NodeId node : nodes) links.push_back({node, graph.node(node).name, graph.node(node).type});
    return links;
}

void addPlacement(const Run& run, NodeReport& report)
{
    std::unordered_set<NodeId> nodes{report.node};
    constexpr std::size_t heirLimit = 64;
    if (report.died.isValid())
        for (std::size_t i = 0; i < std::min(report.became.size(), heirLimit); ++i) nodes.insert(report.became[i].node);
    report.isPlacedByHeirs = nodes.size() > 1;
    const MemoryPlan& plan = run.plan;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const MemoryBuffer& buffer = plan.buffers[i];
        const bool holds = nodes.contains(buffer.tensor.node) ||
                           std::any_of(buffer.members.begin(), buffer.members.end(),
                                       [&](OutputRef member) { return nodes.contains(member.node); });
        if (holds) report.buffers.push_back(static_cast<int>(i));
    }
    for (const Task& task : run.tasks.tasks)
        if (nodes.contains(task.node)) report.tasks.push_back(task.index);
    for (std::size_t i = 0; i < run.timeline.items.size(); ++i)
        if (nodes.contains(run.timeline.items[i].node)) report.timelineItem = static_cast<int>(i);
}

} // namespace

SelectionReport gatherReport(std::shared_ptr<const Run> run, StepId shown, const Selection& selection,
                             std::stop_token stop)
{
    SelectionReport report;
    report.run = run;
    report.shown = shown;
    report.graph = run->graphAt(shown);
    const int bound = run->nodeIdBound();
    std::vector<NodeId> wanted;
    if (selection.node.isValid()) wanted.push_back(selection.node);
    wanted.insert(wanted.end(), selection.more.begin(), selection.more.end());
    std::erase_if(wanted, [bound](NodeId node) { return !node.isValid() || node.value >= bound; });
    if (wanted.empty() || stop.stop_requested()) {
        if (run->sourceOf(shown) != nullptr) {
            report.histogram = run->histogramAt(shown);
            report.histogramBefore = run->histogramAt(run->baseOf(shown));
        }
        return report;
    }

    const std::vector<Run::Life> lives = run->livesOf(wanted);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        NodeReport content = contentOf(*run, shown, wanted[i], lives[i]);
        if (wanted[i].value < content.graph->nodeIdBound()) report.all.push_back(std::move(content));
        if (stop.stop_requested()) return report;
    }
    if (report.all.empty()) return report;
    report.main = report.all.front();
    NodeReport& main = report.main;
    main.history = run->history(main.node);
    const Run::Span span = run->spanOf(main.content);
    main.origins = linksTo(run->originsOf(main.node), *run->graphAt(span.first));
    main.became = linksTo(run->becameOf(main.node), *run->graphAt(span.last));
    main.verdicts = run->verdictsOf(main.node);
    addPlacement(*run, main);
    return report;
}

} // namespace gelens
