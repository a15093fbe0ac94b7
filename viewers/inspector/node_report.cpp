#include "viewers/inspector/node_report.h"

#include "engine/session/node_facts.h"

#include <algorithm>
#include <unordered_map>

namespace gelens {
namespace {

struct Life {
    StepId born{0}, died{-1};
};

/// Birth and death of the wanted nodes, in one walk over the journal.
std::unordered_map<NodeId, Life> livesOf(const Run& run, const std::vector<NodeId>& wanted)
{
    std::unordered_map<NodeId, Life> lives;
    for (const NodeId node : wanted) lives[node] = {};
    const Journal& journal = run.journal();
    for (std::size_t i = 0; i < journal.size(); ++i) {
        if (const auto* add = std::get_if<edit::AddNode>(&journal[i].edit)) {
            const auto found = lives.find(add->node);
            if (found != lives.end()) found->second.born = journal[i].step;
        } else if (const auto* remove = std::get_if<edit::RemoveNode>(&journal[i].edit)) {
            const auto found = lives.find(remove->node);
            if (found != lives.end()) found->second.died = journal[i].step;
        }
    }
    return lives;
}

NodeReport contentOf(const Run& run, StepId shown, NodeId node, const Life& life)
{
    NodeReport report;
    report.node = node;
    report.born = life.born;
    report.died = life.died;
    report.content = std::max(shown, life.born);
    if (life.died.isValid()) report.content = std::min(report.content, StepId{life.died.value - 1});
    report.content = std::max(report.content, StepId{0});
    report.isAliveWhenShown = report.content == shown;
    report.graph = run.graphAt(report.content);
    if (!report.graph->contains(node)) { // came and went within one step: its last content is in the final graph
        report.graph = run.graphAt(run.lastStep());
        report.isAliveWhenShown = false;
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
    const MemoryPlan& plan = run.plan;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const MemoryBuffer& buffer = plan.buffers[i];
        const bool holds = buffer.tensor.node == report.node ||
                           std::any_of(buffer.members.begin(), buffer.members.end(),
                                       [&](OutputRef member) { return member.node == report.node; });
        if (holds) report.buffers.push_back(static_cast<int>(i));
    }
    for (const Task& task : run.tasks.tasks)
        if (task.node == report.node) report.tasks.push_back(task.index);
    for (std::size_t i = 0; i < run.timeline.items.size(); ++i)
        if (run.timeline.items[i].node == report.node) report.timelineItem = static_cast<int>(i);
}

} // namespace

SelectionReport gatherReport(std::shared_ptr<const Run> run, StepId shown, const Selection& selection, std::stop_token stop)
{
    SelectionReport report;
    report.run = run;
    report.shown = shown;
    report.graph = run->graphAt(shown);
    const int bound = run->graphAt(run->lastStep())->nodeIdBound();
    std::vector<NodeId> wanted;
    if (selection.node.isValid()) wanted.push_back(selection.node);
    wanted.insert(wanted.end(), selection.more.begin(), selection.more.end());
    std::erase_if(wanted, [bound](NodeId node) { return !node.isValid() || node.value >= bound; });
    if (wanted.empty() || stop.stop_requested()) return report;

    const auto lives = livesOf(*run, wanted);
    for (const NodeId node : wanted) {
        report.all.push_back(contentOf(*run, shown, node, lives.at(node)));
        if (stop.stop_requested()) return report;
    }
    report.main = report.all.front();
    NodeReport& main = report.main;
    main.history = run->history(main.node);
    main.origins = linksTo(run->originsOf(main.node), *run->graphAt(StepId{0}));
    main.became = linksTo(run->becameOf(main.node), *run->graphAt(run->lastStep()));
    main.verdicts = run->verdictsOf(main.node);
    addPlacement(*run, main);
    return report;
}

} // namespace gelens
