#include "engine/session/bisect.h"

#include "engine/graph/pattern.h"
#include "engine/session/breakpoints.h"
#include "engine/session/condition_internal.h"
#include "engine/session/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

namespace gelens {
namespace {

using Kind = BisectQuestion::Kind;
using Outcome = BisectAnswer::Outcome;

const std::vector<std::string_view>& figuresOfRuns()
{
    static const std::vector<std::string_view> names{"tasks", "latency"};
    return names;
}

bool isOfRuns(const Condition& condition)
{
    return condition.mentions("peak") || condition.mentions("tasks") || condition.mentions("latency");
}

/// Leaves out every pass behind a step that can be left out.
class UpTo final : public RunObserver {
public:
    explicit UpTo(int last) : m_last(last) {}
    bool beforePass(const std::string&, const Graph&) override { return ++m_step <= m_last; }

private:
    int m_last, m_step = 0;
};

class Bisection {
public:
    Bisection(const Run& run, const Session* session, const BisectQuestion& question, const ProgressFunction& progress,
              std::stop_token stop)
        : m_run(run), m_session(session), m_question(question), m_progress(progress), m_stop(stop)
    {
    }

    Result<BisectAnswer> answer()
    {
        GELENS_TRY(prepare());
        std::vector<int> steps{m_first};
        for (const Step& step : m_run.steps)
            if (step.id.value > m_first && step.hasChanged()) steps.push_back(step.id.value);
        m_end = steps.back();
        GELENS_ASSIGN(const bool isSoAtTheEnd, look(steps.back()));
        if (!isSoAtTheEnd) return finish(Outcome::NeverSo, steps.back(), steps.back());
        GELENS_ASSIGN(const bool isSoAtFirst, look(steps.front()));
        if (isSoAtFirst) return finish(Outcome::SoFromTheStart, steps.front(), steps.front());
        std::size_t low = 0, high = steps.size() - 1; // not so, so
        while (high - low > 1) {
            const std::size_t middle = low + (high - low) / 2;
            GELENS_ASSIGN(const bool isSo, look(steps[middle]));
            (isSo ? high : low) = middle;
        }
        return finish(Outcome::Found, steps[low], steps[high]);
    }

private:
    Status prepare()
    {
        if (m_run.stepCount() == 0 || m_run.sourceOf(StepId{0}) != nullptr)
            return Error::invalid("only a compile has passes to search through", m_run.modelPath);
        if (m_question.kind == Kind::Statistic) {
            GELENS_ASSIGN(m_condition, Condition::parse(m_question.text, figuresOfRuns()));
            if (m_condition.isEmpty()) return Error::invalid("the condition is empty");
            if (m_condition.mentions("hits")) return Error::invalid("'hits' counts stops of a breakpoint");
            m_answer.isByRuns = isOfRuns(m_condition);
            if (m_answer.isByRuns && (m_session == nullptr || m_run.mode != "full"))
                return Error::invalid("passes can be left out of a full compile only", m_run.modelPath);
        } else if (m_question.kind == Kind::NodeGone || m_question.kind == Kind::TypeGone) {
            if (m_question.text.empty()) return Error::invalid("the name of what is gone is missing");
            return findStart();
        } else {
            if (m_progress) m_progress({"verify", 0, 0});
            auto numbers = StepVerifier::prepare(m_run, m_stop);
            if (!numbers.ok()) return numbers.error();
            m_numbers.emplace(std::move(*numbers));
        }
        return Status::success();
    }

    bool fits(const Node& node) const
    {
        return matchesPattern(m_question.text, m_question.kind == Kind::NodeGone ? node.name : node.type);
    }

    /// The last step at which the node or type came, and is there.
    Status findStart()
    {
        std::vector<int> births{0};
        const Journal& journal = m_run.journal();
        for (std::size_t i = 0; i < journal.size(); ++i) {
            const Edit& edit = journal[i].edit;
            const auto* add = std::get_if<edit::AddNode>(&edit);
            const auto* name = std::get_if<edit::SetName>(&edit);
            const auto* type = std::get_if<edit::SetType>(&edit);
            const bool isByName = m_question.kind == Kind::NodeGone;
            if ((add != nullptr && fits(*add->content)) ||
                (name != nullptr && isByName && matchesPattern(m_question.text, name->after)) ||
                (type != nullptr && !isByName && matchesPattern(m_question.text, type->after)))
                births.push_back(journal[i].step.value);
        }
        births.erase(std::unique(births.begin(), births.end()), births.end());
        for (auto birth = births.rbegin(); birth != births.rend(); ++birth)
            if (isThere(*m_run.graphAt(StepId{*birth}))) {
                m_first = *birth;
                return Status::success();
            }
        if (m_question.kind == Kind::NodeGone)
            return Error::notFound(fmt::format("no step leaves a node '{}'", m_question.text));
        return Error::notFound(fmt::format("no step leaves a node of type '{}'", m_question.text));
    }

    bool isThere(const Graph& graph)
    {
        NodeId found;
        for (const GraphId part : graph.liveSubgraphs())
            graph.forEachNode(part, [&](const Node& node) {
                if (!found.isValid() && fits(node)) found = node.id;
            });
        if (found.isValid()) m_seen = found;
        return found.isValid();
    }

    Result<bool> look(int step)
    {
        if (m_stop.stop_requested()) return Error::cancelled();
        ++m_answer.probes;
        if (m_progress) m_progress({m_run.step(StepId{step}).pass, m_answer.probes, 0});
        const Graph* graph = nullptr;
        std::shared_ptr<const Graph> held;
        const bool needsGraph =
            m_question.kind == Kind::NodeGone || m_question.kind == Kind::TypeGone || m_condition.mentions("memory");
        if (needsGraph && !m_answer.isByRuns) graph = (held = m_run.graphAt(StepId{step})).get();
        switch (m_question.kind) {
        case Kind::NodeGone:
        case Kind::TypeGone: return !isThere(*graph);
        case Kind::Statistic:
            if (m_answer.isByRuns) return lookByRun(step);
            return holds(step, figuresAt(m_run.step(StepId{step}), graph));
        case Kind::NumbersFail:
        case Kind::OutputsDiffer: break;
        }
        GELENS_ASSIGN(const StepVerification numbers, m_numbers->verify(StepId{step}));
        if (m_question.kind == Kind::NumbersFail) return !numbers.holds();
        return !numbers.ran ||
               std::any_of(numbers.outputs.begin(), numbers.outputs.end(),
                           [](const ErrorMeasure& output) { return !output.holds() || output.maxAbs != 0; });
    }

    static std::map<std::string, double, std::less<>> figuresAt(const Step& step, const Graph* graph)
    {
        return {{"step", step.id.value},
                {"edits", static_cast<double>(step.editCount())},
                {"operators", step.after.operators},
                {"nodes", step.after.graphNodes},
                {"edges", step.after.dataEdges},
                {"constants", step.after.constants},
                {"ms", step.milliseconds},
                {"memory", graph == nullptr ? 0.0 : static_cast<double>(intermediateBytes(*graph))}};
    }

    Result<bool> lookByRun(int step)
    {
        // With nothing left out it is the run that is there.
        std::shared_ptr<const Run> held;
        const Run* run = &m_run;
        if (step < m_end) {
            UpTo observer(step);
            GELENS_ASSIGN(const auto session, m_session->beside(m_run.options, {}, m_stop));
            GELENS_ASSIGN(held, session->run(m_run.options, &observer, {}, m_stop));
            run = held.get();
        }
        if (run->wasCancelled) return Error::cancelled();
        if (run->failed)
            return Error::invalid(fmt::format("without the passes behind step {} the run fails: {}", step,
                                              run->error ? run->error->message() : std::string("failed")),
                                  m_run.modelPath);
        const auto graph = run->graphAt(run->lastStep());
        auto figures = figuresAt(run->steps.back(), graph.get());
        figures["peak"] = static_cast<double>(run->statistics.memoryAfter);
        figures["tasks"] = run->statistics.tasks.after;
        figures["latency"] = run->statistics.latencyUs.after;
        return holds(step, figures);
    }

    bool holds(int step, const std::map<std::string, double, std::less<>>& figures)
    {
        const auto value = [&](std::string_view name) {
            const auto found = figures.find(name);
            return found == figures.end() ? 0.0 : found->second;
        };
        const double first = value(m_condition.firstName());
        m_figures[step] =
            fmt::format("{} = {}", m_condition.firstName(),
                        first == std::floor(first) ? fmt::format("{:.0f}", first) : fmt::format("{:.1f}", first));
        return m_condition.holds(value);
    }

    BisectAnswer finish(Outcome outcome, int before, int after)
    {
        m_answer.outcome = outcome;
        m_answer.step = StepId{after};
        if (m_question.kind == Kind::Statistic) {
            m_answer.before = m_figures[before];
            m_answer.after = m_figures[after];
        }
        if (outcome != Outcome::Found) return m_answer;
        if (m_numbers) m_answer.node = m_numbers->firstDifference(StepId{before}, StepId{after});
        if (m_question.kind == Kind::NodeGone || m_question.kind == Kind::TypeGone) {
            (void)isThere(*m_run.graphAt(StepId{before}));
            m_answer.node = m_seen;
        }
        return m_answer;
    }

    const Run& m_run;
    const Session* m_session;
    const BisectQuestion& m_question;
    const ProgressFunction& m_progress;
    std::stop_token m_stop;
    BisectAnswer m_answer;
    Condition m_condition;
    std::optional<StepVerifier> m_numbers;
    std::map<int, std::string> m_figures; ///< what was seen at each step
    NodeId m_seen;
    int m_first = 0, m_end = 0;
};

} // namespace

Result<BisectQuestion> bisectQuestion(std::string_view text)
{
    const auto behind = [&](std::string_view word) -> std::optional<std::string> {
        if (!text.starts_with(word) || text.size() <= word.size() || text[word.size()] != ' ') return std::nullopt;
        return std::string(text.substr(word.size() + 1));
    };
    if (text == "numbers") return BisectQuestion{Kind::NumbersFail, {}};
    if (text == "outputs") return BisectQuestion{Kind::OutputsDiffer, {}};
    if (const auto name = behind("node")) return BisectQuestion{Kind::NodeGone, *name};
    if (const auto type = behind("type")) return BisectQuestion{Kind::TypeGone, *type};
    const auto condition = Condition::parse(text, figuresOfRuns());
    if (!condition.ok()) return condition.error();
    if (condition->isEmpty())
        return Error::invalid("nothing is asked: numbers, outputs, node NAME, type TYPE or a condition");
    return BisectQuestion{Kind::Statistic, std::string(text)};
}

Result<BisectAnswer> bisect(const Run& run, const Session* session, const BisectQuestion& question,
                            const ProgressFunction& progress, std::stop_token stop)
{
    return Bisection(run, session, question, progress, stop).answer();
}

} // namespace gelens
