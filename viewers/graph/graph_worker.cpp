#include "viewers/graph/graph_worker.h"

#include "viewers/graph/node_categories.h"
#include "viewers/scene/box_count.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdlib>

namespace gelens {
namespace {

constexpr std::size_t keptScenes = 48; ///< of steps around; each shares its graph's nodes with the others

using Mask = std::vector<std::uint8_t>;

template <typename F>
void forEachNeighbour(const Node& node, bool isUp, bool isDown, F&& f)
{
    if (isUp) {
        for (const InputSlot& slot : node.inputs)
            if (slot.source.isValid()) f(slot.source.node);
        for (const NodeId id : node.controlInputs) f(id);
    }
    if (isDown) {
        for (const OutputSlot& slot : node.outputs)
            for (const InputRef to : slot.consumers) f(to.node);
        for (const NodeId id : node.controlOutputs) f(id);
    }
}

/// Nodes within `hops` edges of the seeds.
Mask reach(const Graph& graph, const std::vector<NodeId>& seeds, bool isUp, bool isDown, int hops)
{
    Mask mask(static_cast<std::size_t>(graph.nodeIdBound()), 0);
    std::vector<NodeId> front, next;
    for (const NodeId id : seeds)
        if (id.isValid() && id.value < graph.nodeIdBound() && graph.contains(id)) {
            mask[static_cast<std::size_t>(id.value)] = 1;
            front.push_back(id);
        }
    for (int hop = 0; hop < hops && !front.empty(); ++hop) {
        next.clear();
        for (const NodeId id : front)
            forEachNeighbour(graph.node(id), isUp, isDown, [&](NodeId other) {
                auto& seen = mask[static_cast<std::size_t>(other.value)];
                if (seen != 0) return;
                seen = 1;
                next.push_back(other);
            });
        std::swap(front, next);
    }
    return mask;
}

Mask maskOf(const Graph& graph, const GraphFilter& filter, const std::vector<NodeChange>& changes)
{
    constexpr int far = 1 << 30;
    switch (filter.kind) {
    case GraphFilter::Kind::All: return {};
    case GraphFilter::Kind::Changed: {
        std::vector<NodeId> seeds;
        for (const NodeChange& change : changes) {
            seeds.push_back(change.before);
            seeds.push_back(change.after);
        }
        return reach(graph, seeds, true, true, filter.hops);
    }
    case GraphFilter::Kind::Around: return reach(graph, filter.nodes, true, true, filter.hops);
    case GraphFilter::Kind::Upstream: return reach(graph, filter.nodes, true, false, far);
    case GraphFilter::Kind::Downstream: return reach(graph, filter.nodes, false, true, far);
    case GraphFilter::Kind::Path: {
        if (filter.nodes.size() < 2) return {};
        const NodeId a = filter.nodes[0], b = filter.nodes[1];
        const auto between = [&](NodeId from, NodeId to) {
            Mask down = reach(graph, {from}, false, true, far);
            const Mask up = reach(graph, {to}, true, false, far);
            for (std::size_t i = 0; i < down.size(); ++i) down[i] = down[i] && up[i];
            return down;
        };
        Mask path = between(a, b);
        if (std::count(path.begin(), path.end(), 1) < 2) path = between(b, a);
        return path;
    }
    }
    return {};
}

class Worker {
public:
    Worker(const GraphRequest& request, std::stop_token stop)
        : m_request(request), m_run(*request.run), m_stop(std::move(stop)), m_answer(std::make_shared<GraphAnswer>())
    {
    }

    std::shared_ptr<GraphAnswer> run()
    {
        const auto after = m_run.graphAt(m_request.shown);
        const auto before = m_run.graphAt(m_request.compared);
        if (m_stop.stop_requested()) return nullptr;
        m_difference = isKnown() ? m_request.known : compare(*before, *after);
        m_answer->difference = m_difference;
        if (m_stop.stop_requested()) return nullptr;
        if (m_request.change == SceneChange::Step) m_scenes = m_request.scenes;
        if (m_request.change == SceneChange::Fold) keepOnlyShown();
        m_open = m_request.open;
        m_categories = nodeCategories(m_run, m_request.colorBy, std::max(before->nodeIdBound(), after->nodeIdBound()));
        if (m_request.colorBy != ColorBy::Unit) collectLegend({before.get(), after.get()});
        if (!buildBoth(before, after)) return m_answer->tooMany > 0 && !m_stop.stop_requested() ? tooLarge() : nullptr;
        m_answer->open = m_open.value_or(std::set<std::string>());
        m_answer->isRefined = m_answer->after->isRefined || (m_answer->before && m_answer->before->isRefined);
        m_answer->afterIndex = std::make_shared<SceneIndex>(m_answer->after->drawing);
        if (m_answer->before) m_answer->beforeIndex = std::make_shared<SceneIndex>(m_answer->before->drawing);
        trimScenes();
        m_answer->scenes = std::move(m_scenes);
        if (after->nodeCount() == 0)
            m_answer->error = QCoreApplication::translate("GraphView", "The graph has no nodes at this step.");
        return m_answer;
    }

private:
    /// What is shown stays what it is; the answer only says how much was asked for.
    std::shared_ptr<GraphAnswer> tooLarge()
    {
        m_answer->before.reset();
        m_answer->after.reset();
        m_answer->scenes = m_request.scenes;
        m_answer->open = m_open.value_or(std::set<std::string>());
        return m_answer;
    }

    bool isTooLarge(const Graph& graph, const FoldModel& fold, SceneOptions& options)
    {
        options.open = *m_open;
        const std::size_t boxes = boxCount(graph, fold, options);
        if (boxes > m_request.mostBoxes) m_answer->tooMany = boxes;
        return boxes > m_request.mostBoxes;
    }

    /// After another folding the drawings of other steps no longer fit beside these.
    void keepOnlyShown()
    {
        for (const StepId step : {m_request.compared, m_request.shown})
            if (const auto found = m_request.scenes.find(step.value); found != m_request.scenes.end())
                m_scenes.insert(*found);
    }

    bool isKnown() const
    {
        const StepDifference* known = m_request.known.get();
        return m_request.change == SceneChange::Fold && known != nullptr && known->details != nullptr &&
               known->shown == m_request.shown && known->compared == m_request.compared &&
               known->showConstants == m_request.showConstants;
    }

    std::shared_ptr<const StepDifference> compare(const Graph& before, const Graph& after) const
    {
        GraphDiff diff = m_run.diff(m_request.compared, m_request.shown);
        auto found = std::make_shared<StepDifference>();
        found->shown = m_request.shown;
        found->compared = m_request.compared;
        found->showConstants = m_request.showConstants;
        found->added = diff.added;
        found->removed = diff.removed;
        found->changed = diff.changed;
        std::map<std::int32_t, ChangeKind> kinds;
        for (const NodeChange& change : diff.changes)
            kinds[(change.kind == ChangeKind::Removed ? change.before : change.after).value] = change.kind;
        const auto collect = [&](const Graph& graph, bool isRemoved) {
            for (const NodeId id : graph.allNodes())
                if (const auto kind = kinds.find(id.value);
                    kind != kinds.end() && (m_request.showConstants || !isConstantType(graph.node(id).type)) &&
                    (kind->second == ChangeKind::Removed) == isRemoved)
                    found->changes.emplace_back(id, kind->second);
        };
        collect(after, false);
        collect(before, true);
        found->groups = std::move(diff.groups);
        found->details = detailsOf(std::move(diff.changes));
        return found;
    }

    static std::shared_ptr<const StepChanges> detailsOf(std::vector<NodeChange> changes)
    {
        auto details = std::make_shared<StepChanges>();
        details->list = std::move(changes);
        for (std::size_t i = 0; i < details->list.size(); ++i) {
            const NodeChange& change = details->list[i];
            if (change.kind != ChangeKind::Changed) continue;
            details->byBefore.emplace(change.before.value, i);
            details->byAfter.emplace(change.after.value, i);
        }
        return details;
    }

    /// One list of categories for both drawings, so that a sign means the same in both.
    void collectLegend(std::initializer_list<const Graph*> graphs)
    {
        SceneOptions options;
        options.colorBy = m_request.colorBy;
        options.categories = m_categories.categories;
        options.categoryOf = m_categories.categoryOf;
        std::set<std::string> texts;
        for (const Graph* graph : graphs)
            for (const NodeId id : graph->allNodes()) {
                const Node& node = graph->node(id);
                if (!m_request.showConstants && isConstantType(node.type)) continue;
                if (std::string text = categoryOf(node, options).text; !text.empty()) texts.insert(std::move(text));
            }
        m_legendTexts.assign(texts.begin(), texts.end());
    }

    Mask aspectsFor(const Graph& graph, bool isAfter) const
    {
        Mask aspects(static_cast<std::size_t>(graph.nodeIdBound()), 0);
        for (const NodeChange& change : m_difference->details->list) {
            const NodeId id = isAfter ? change.after : change.before;
            if (change.kind == ChangeKind::Changed && id.isValid() && id.value < graph.nodeIdBound())
                aspects[static_cast<std::size_t>(id.value)] = changeAspects(change.fields);
        }
        return aspects;
    }

    Mask marksFor(const Graph& graph) const
    {
        Mask marks(static_cast<std::size_t>(graph.nodeIdBound()), 0);
        for (const auto& [id, kind] : m_difference->changes)
            if (id.value < graph.nodeIdBound())
                marks[static_cast<std::size_t>(id.value)] = static_cast<std::uint8_t>(1 + static_cast<int>(kind));
        return marks;
    }

    bool buildBoth(const std::shared_ptr<const Graph>& before, const std::shared_ptr<const Graph>& after)
    {
        const bool isSameStep = m_request.shown == m_request.compared;
        const bool needsBefore = m_request.mode != GraphMode::Single && !isSameStep;
        // The step before is laid out first and the later one anchored to it: a fused node then finds the room of what
        // it replaced, while the other way round several nodes would have to squeeze into the place of one.
        if (needsBefore) {
            m_answer->before = build(before, m_request.compared, false);
            if (!m_answer->before) return false;
            m_scenes[m_request.compared.value] = m_answer->before;
        }
        m_answer->after = build(after, m_request.shown, needsBefore && m_request.mode == GraphMode::Overlay);
        if (!m_answer->after) return false;
        m_scenes[m_request.shown.value] = m_answer->after;
        if (m_request.mode != GraphMode::SideBySide) m_answer->before.reset();
        return true;
    }

    std::shared_ptr<const Scene> build(const std::shared_ptr<const Graph>& graph, StepId step, bool keepGhosts)
    {
        SceneOptions options;
        options.showConstants = m_request.showConstants;
        options.labels = m_request.labels;
        options.categories = m_categories.categories;
        options.categoryOf = m_categories.categoryOf;
        options.legendTexts = m_legendTexts;
        options.rootKey = m_request.rootKey;
        options.refinement = m_request.refinement;
        options.colorBy = m_request.colorBy;
        options.words = m_request.words;
        options.marks = marksFor(*graph);
        options.aspects = aspectsFor(*graph, step == m_request.shown);
        options.onlyNodes = maskOf(*graph, m_request.filter, m_difference->details->list);
        options.expandedHubs = m_request.expandedHubs;
        options.keepGhosts = keepGhosts;

        if (m_request.change == SceneChange::Fold && m_answer->before != nullptr && step == m_request.shown)
            if (auto scene = foldBesideBefore(options)) return scene;
        auto [previous, previousStep] = nearestScene(step, *graph, keepGhosts);
        if (previous != nullptr && m_open && isTooLarge(*previous->graph, *previous->fold, options)) return nullptr;
        const bool isFiltered = m_request.filter.kind != GraphFilter::Kind::All;
        SceneChange change = previous == nullptr ? SceneChange::Fresh : SceneChange::Step;
        const bool isOtherFolding = previous != nullptr && m_open && previous->options.open != *m_open;
        if (isOtherFolding && previousStep == step) change = SceneChange::Fold;
        if (isOtherFolding && previousStep != step) { // first other blocks, then the other step: each keeps what it can
            SceneOptions unfolded = previous->options;
            unfolded.open = *m_open;
            previous = buildScene(previous->graph, previous->fold, std::move(unfolded), *m_request.engine,
                                  SceneChange::Fold, previous.get(), {}, m_stop);
            if (previous == nullptr) return nullptr;
        }
        std::shared_ptr<const FoldModel> fold;
        if (previous != nullptr && previousStep == step)
            fold = previous->fold;
        else if (previous != nullptr && !isFiltered)
            fold = FoldModel::follow(*graph, *previous->fold, m_request.folding, m_stop);
        else
            fold = FoldModel::build(*graph, isFiltered ? FoldOptions{false, false} : m_request.folding, m_stop);
        if (m_stop.stop_requested()) return nullptr;
        if (!m_open) {
            m_open.emplace();
            for (std::string& key : fold->initiallyOpen()) m_open->insert(std::move(key));
        }
        if (isTooLarge(*graph, *fold, options)) return nullptr;
        OriginMap origins;
        if (previous != nullptr && previousStep != step) origins = originsOf(m_run.diff(previousStep, step).groups);
        return buildScene(graph, fold, std::move(options), *m_request.engine, change, previous.get(), origins, m_stop);
    }

    static OriginMap originsOf(const std::vector<LineageGroup>& groups)
    {
        OriginMap origins;
        for (const LineageGroup& group : groups) {
            for (const NodeId id : group.after) origins[id] = group.before;
            for (const NodeId id : group.before) origins[id] = group.after;
        }
        return origins;
    }

    /// The step before has got other blocks; this one follows with what it has already. Null when it cannot.
    std::shared_ptr<const Scene> foldBesideBefore(SceneOptions options) const
    {
        const auto own = m_request.scenes.find(m_request.shown.value),
                   before = m_request.scenes.find(m_request.compared.value);
        if (!m_open || own == m_request.scenes.end() || before == m_request.scenes.end()) return nullptr;
        options.open = *m_open;
        return foldBeside(*own->second, *before->second, *m_answer->before, std::move(options), *m_request.engine,
                          originsOf(m_difference->groups), m_stop);
    }

    /// The scene to anchor to; none when too little of it is left.
    std::pair<std::shared_ptr<const Scene>, StepId> nearestScene(StepId step, const Graph& graph, bool needsOther) const
    {
        // After folding, the later step follows the earlier one, so that both canvases stay aligned.
        const bool followsBefore =
            m_request.change == SceneChange::Fold && m_answer->before != nullptr && step == m_request.shown;
        if (followsBefore) return {m_answer->before, m_request.compared};
        std::shared_ptr<const Scene> best;
        int bestStep = -1;
        for (const auto& [other, scene] : m_scenes) {
            if (needsOther && other == step.value) continue; // ghosts come from the step compared with
            if (needsOther && other != m_request.compared.value) continue;
            if (best == nullptr || std::abs(other - step.value) < std::abs(bestStep - step.value)) {
                best = scene;
                bestStep = other;
            }
        }
        if (best == nullptr || std::abs(bestStep - step.value) <= 1 || needsOther) return {best, StepId{bestStep}};
        int staying = 0;
        for (const NodeId id : graph.allNodes()) staying += best->graph->contains(id);
        const int largest = std::max(graph.nodeCount(), best->graph->nodeCount());
        if (staying * 2 < largest) return {nullptr, StepId{-1}};
        return {best, StepId{bestStep}};
    }

    void trimScenes()
    {
        while (m_scenes.size() > keptScenes) { // the one farthest from here goes
            const int first = std::abs(m_scenes.begin()->first - m_request.shown.value);
            const int last = std::abs(m_scenes.rbegin()->first - m_request.shown.value);
            m_scenes.erase(first > last ? m_scenes.begin() : std::prev(m_scenes.end()));
        }
    }

    const GraphRequest& m_request;
    const Run& m_run;
    std::stop_token m_stop;
    std::shared_ptr<GraphAnswer> m_answer;
    std::shared_ptr<const StepDifference> m_difference;
    SceneMap m_scenes;
    NodeCategories m_categories;
    std::vector<std::string> m_legendTexts;
    std::optional<std::set<std::string>> m_open;
};

} // namespace

std::shared_ptr<GraphAnswer> workOut(const GraphRequest& request, std::stop_token stop)
{
    return Worker(request, std::move(stop)).run();
}

} // namespace gelens
