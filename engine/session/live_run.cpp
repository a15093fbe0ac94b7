#include "engine/session/live_run.h"

#include "engine/graph/pattern.h"
#include "engine/passes/pipeline.h"
#include "engine/session/condition_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gelens {

/// The breakpoints of a run under way. As in a finished run, each matches a step once at most.
class LiveRun::Stops {
public:
    explicit Stops(const std::vector<Breakpoint>& breakpoints)
    {
        for (const Breakpoint& breakpoint : breakpoints) {
            if (!breakpoint.isEnabled || !checkBreakpoint(breakpoint).ok()) continue;
            Entry entry;
            entry.breakpoint = breakpoint;
            if (breakpoint.kind == BreakpointKind::Statistic) entry.watched = *Condition::parse(breakpoint.pattern);
            entry.condition = *Condition::parse(breakpoint.condition);
            m_entries.push_back(std::move(entry));
            m_hasEdits = m_hasEdits || isOfEdits(breakpoint.kind);
        }
    }

    std::optional<Halt> atBegin(const RunPosition& position)
    {
        for (Entry& entry : m_entries) // what is true from the start does not become true
            if (!std::exchange(entry.isPrimed, true) && entry.breakpoint.kind == BreakpointKind::Statistic)
                entry.wasTrue = entry.watched.holds([&](std::string_view name) { return value(position, name, 0); });
        return first(position, [&](Entry& entry) -> std::optional<BreakpointMatch> {
            const Step& step = position.step();
            const auto fits = [&](const std::string& text) { return matchesPattern(entry.breakpoint.pattern, text); };
            if (entry.breakpoint.kind != BreakpointKind::Pass ||
                !(fits(step.pass) || fits(step.rule) || fits(step.phase)))
                return {};
            return BreakpointMatch{{}, step.pass};
        });
    }

    std::optional<Halt> atEdit(const RunPosition& position)
    {
        if (!m_hasEdits) return {};
        const Edit& edit = position.journal()[position.journal().size() - 1].edit;
        return first(position, [&](Entry& entry) { return matchEdit(entry.breakpoint, edit, position.graph()); });
    }

    std::optional<Halt> atEnd(const RunPosition& position)
    {
        return first(position, [&](Entry& entry) -> std::optional<BreakpointMatch> {
            if (entry.breakpoint.kind == BreakpointKind::Statistic) return crossing(entry, position);
            return matchVerdicts(entry.breakpoint, position.step());
        });
    }

private:
    struct Entry {
        Breakpoint breakpoint;
        Condition watched, condition;
        int count = 0;
        StepId last{-1}; ///< the step that it matched last
        bool wasTrue = false, isPrimed = false;
    };

    static bool isOfEdits(BreakpointKind kind)
    {
        return kind == BreakpointKind::Node || kind == BreakpointKind::OpType || kind == BreakpointKind::Tensor;
    }

    static double value(const RunPosition& position, std::string_view name, int count)
    {
        const Step& step = position.step();
        if (name == "hits") return count;
        if (name == "step") return step.id.value;
        if (name == "edits") return static_cast<double>(step.editCount());
        if (name == "ms") return step.milliseconds; // 0 until the pass has ended
        if (name == "memory") return static_cast<double>(intermediateBytes(position.graph()));
        if (name == "peak") return static_cast<double>(position.plannedPeak());
        const GraphStatistics now = statisticsOf(position.graph());
        if (name == "operators") return now.operators;
        if (name == "nodes") return now.graphNodes;
        if (name == "edges") return now.dataEdges;
        if (name == "constants") return now.constants;
        return 0;
    }

    static std::optional<BreakpointMatch> crossing(Entry& entry, const RunPosition& position)
    {
        const auto values = [&](std::string_view name) { return value(position, name, entry.count); };
        const bool isTrue = entry.watched.holds(values), wasTrue = std::exchange(entry.wasTrue, isTrue);
        if (!isTrue || wasTrue) return {};
        return BreakpointMatch{{},
                               fmt::format("{} = {}", entry.watched.firstName(), values(entry.watched.firstName()))};
    }

    template <typename MatchOf>
    std::optional<Halt> first(const RunPosition& position, MatchOf matchOf)
    {
        std::optional<Halt> found;
        for (Entry& entry : m_entries) {
            if (entry.last == position.step().id) continue;
            auto match = matchOf(entry);
            if (!match) continue;
            entry.last = position.step().id;
            ++entry.count;
            if (found ||
                !entry.condition.holds([&](std::string_view name) { return value(position, name, entry.count); }))
                continue;
            found.emplace();
            found->breakpoint = entry.breakpoint;
            found->node = match->node;
            found->what = std::move(match->what);
        }
        return found;
    }

    std::vector<Entry> m_entries;
    bool m_hasEdits = false;
};

LiveRun::LiveRun(std::function<void(Halt)> onHalt, std::stop_token stop)
    : m_onHalt(std::move(onHalt)), m_stop(std::move(stop)), m_stops(std::make_unique<Stops>(std::vector<Breakpoint>()))
{
}

LiveRun::~LiveRun() = default;

void LiveRun::command(Until until)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_until = until;
        m_isHalted = false;
    }
    m_wake.notify_all();
}

void LiveRun::pause()
{
    const std::scoped_lock lock(m_mutex);
    if (!m_isHalted) m_until = Until::Anything;
}

void LiveRun::resume() { command(Until::Breakpoint); }
void LiveRun::stepEdit() { command(Until::Edit); }
void LiveRun::finishPass() { command(Until::PassEnd); }

bool LiveRun::isHalted() const
{
    const std::scoped_lock lock(m_mutex);
    return m_isHalted;
}

void LiveRun::setBreakpoints(const std::vector<Breakpoint>& breakpoints)
{
    const std::scoped_lock lock(m_mutex);
    m_newBreakpoints = breakpoints;
    m_hasNewStops = true;
}

void LiveRun::takeBreakpoints()
{
    if (!m_hasNewStops) return;
    const std::scoped_lock lock(m_mutex);
    m_stops = std::make_unique<Stops>(m_newBreakpoints);
    m_hasNewStops = false;
}

void LiveRun::halt(const RunPosition& position, bool isInside, Halt why)
{
    if (m_stop.stop_requested()) return;
    why.run = position.snapshot();
    why.isInside = isInside;
    why.edits = position.step().editCount();
    {
        const std::scoped_lock lock(m_mutex);
        m_isHalted = true;
    }
    m_onHalt(std::move(why));
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, m_stop, [this] { return !m_isHalted; });
    m_isHalted = false;
}

bool LiveRun::haltsAtStop(const RunPosition& position, bool isInside, std::optional<Halt> why)
{
    if (!why) return false;
    halt(position, isInside, std::move(*why));
    takeBreakpoints();
    return true;
}

void LiveRun::passBegins(const RunPosition& position)
{
    takeBreakpoints();
    if (haltsAtStop(position, true, m_stops->atBegin(position))) return;
    const Until until = m_until;
    if (until == Until::Anything || (until != Until::Breakpoint && position.isLightweight())) halt(position, true, {});
}

void LiveRun::passEdited(const RunPosition& position)
{
    takeBreakpoints();
    auto why = m_stops->atEdit(position);
    const Until until = m_until;
    if (!why && until != Until::Edit && until != Until::Anything) return;
    if (!why) why.emplace();
    const Edit& edit = position.journal()[position.journal().size() - 1].edit;
    why->edit = describeEdit(edit, position.graph());
    if (!why->node.isValid()) why->node = editedNode(edit);
    halt(position, true, std::move(*why));
}

void LiveRun::passEnded(const RunPosition& position)
{
    takeBreakpoints();
    if (haltsAtStop(position, false, m_stops->atEnd(position))) return;
    if (m_until == Until::PassEnd && position.step().hasChanged()) halt(position, false, {});
}

void LiveRun::stepVerifies(const RunPosition& position)
{
    // What is watched for are edits and figures of passes; here only a person halts.
    if (m_until == Until::Breakpoint) return;
    Halt why;
    why.verifying = position.step().id;
    halt(position, false, std::move(why));
}

} // namespace gelens
