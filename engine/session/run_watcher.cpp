#include "engine/session/run_watcher_internal.h"

#include "engine/session/finish_run.h"

#include <algorithm>

namespace gelens {
namespace {

using Clock = std::chrono::steady_clock;

/// What a run says of itself, without its graph.
std::shared_ptr<Run> copyOf(const Run& run)
{
    auto copy = std::make_shared<Run>();
    copy->modelName = run.modelName;
    copy->modelPath = run.modelPath;
    copy->sourceFormat = run.sourceFormat;
    copy->soc = run.soc;
    copy->options = run.options;
    copy->mode = run.mode;
    copy->modeReason = run.modeReason;
    copy->steps = run.steps;
    copy->plan = run.plan;
    copy->tasks = run.tasks;
    copy->timeline = run.timeline;
    copy->messages = run.messages;
    return copy;
}

} // namespace

RunWatcher::RunWatcher(const Run& run, const RuleSet& rules, GraphEditor& edit, RunObserver* observer,
                       const ProgressFunction& progress)
    : m_run(run), m_rules(rules), m_plan(&run.plan), m_edit(edit), m_observer(observer), m_progress(progress),
      m_replayed(edit.graph())
{
    if (m_observer != nullptr)
        m_edit.watch([this] {
            m_step.lastEdit = m_edit.position();
            tell(&RunObserver::passEdited);
        });
}

bool RunWatcher::beforePass(const PassInfo& pass, const Graph& graph, int index, int total)
{
    // An eye reads a few updates a second; more would only cost time.
    if (m_progress && Clock::now() - m_lastProgress > std::chrono::milliseconds(50)) {
        m_progress({pass.id, index, total});
        m_lastProgress = Clock::now();
    }
    const bool isWanted = m_observer == nullptr || m_observer->beforePass(pass.id, graph);
    m_isByOption = isNamed(m_run.options.skippedPasses, pass);
    return isWanted && !m_isByOption;
}

std::string RunWatcher::skipReason() const
{
    return m_isByOption ? "as the options of the run ask" : "as an observer of the run asked";
}

void RunWatcher::passBegins(const Step& step, const Graph&)
{
    if (m_observer == nullptr) return;
    m_step = step;
    m_step.lastEdit = m_step.firstEdit;
    m_isWithin = true;
    tell(&RunObserver::passBegins);
}

void RunWatcher::tell(void (RunObserver::*what)(const RunPosition&))
{
    const auto start = Clock::now();
    (m_observer->*what)(*this);
    m_held += Clock::now() - start;
}

double RunWatcher::heldMilliseconds() const { return std::chrono::duration<double, std::milli>(m_held).count(); }

void RunWatcher::afterStep(const Step& step, const Graph& graph)
{
    if (step.pass == "InferShapePass" && m_imported == nullptr) m_imported = std::make_shared<Graph>(graph);
    if (m_observer == nullptr) return;
    m_isWithin = false;
    m_observer->afterStep(step, graph);
    tell(&RunObserver::passEnded);
}

bool RunWatcher::isNamed(const std::vector<std::string>& names, const PassInfo& pass)
{
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return name == pass.id || (!name.empty() && name == pass.rule);
    });
}

/// The pass may hold nodes of the live graph, so that one is not shared: a copy follows it along the journal.
std::shared_ptr<const Run> RunWatcher::snapshot() const
{
    journal().move(m_replayed, m_replayedTo, journal().size());
    m_replayedTo = journal().size();
    const auto graph = std::make_shared<const Graph>(m_replayed);
    auto run = copyOf(m_run);
    run->isUnderWay = true;
    if (m_isWithin) {
        run->steps.push_back(m_step);
        run->steps.back().after = statisticsOf(*graph);
    }
    run->setGraph(graph, std::make_shared<const Journal>(journal()));
    (void)finishRun(*run, nullptr, m_rules, {}, {}); // what the steps tell; the rest is not known yet
    return run;
}

VerifyPosition::VerifyPosition(const Run& run, const Verification& soFar, StepId next)
    : m_run(run), m_soFar(soFar), m_next(next), m_graph(run.graphAt(run.lastStep()))
{
}

std::shared_ptr<const Run> VerifyPosition::snapshot() const
{
    auto run = copyOf(m_run);
    run->fusions = m_run.fusions;
    run->chains = m_run.chains;
    run->planBefore = m_run.planBefore;
    run->tasksBefore = m_run.tasksBefore;
    run->timelineBefore = m_run.timelineBefore;
    run->statistics = m_run.statistics;
    run->verification = m_soFar;
    run->setGraph(m_graph, std::make_shared<const Journal>(journal()));
    return run;
}

} // namespace gelens
