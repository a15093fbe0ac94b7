// Breakpoints over the steps of a run, on the samples.
#include "engine/graph/pattern.h"
#include "engine/session/breakpoints.h"
#include "engine/session/session.h"

#include <QtTest>

#include <algorithm>

using namespace gelens;

namespace {

std::shared_ptr<const Run> runSample(const char* name)
{
    auto session = Session::open(std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx");
    if (!session.ok()) qFatal("%s", session.error().message().c_str());
    auto run = (*session)->run({});
    if (!run.ok()) qFatal("%s", run.error().message().c_str());
    return *run;
}

std::vector<BreakpointHit> hits(const Run& run, BreakpointKind kind, const char* pattern, const char* condition = "")
{
    auto found = breakpointHits(run, {kind, pattern, condition, true});
    if (!found.ok()) qFatal("%s", found.error().message().c_str());
    return *found;
}

} // namespace

class TestBreakpoints : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { m_run = runSample("tiny-llama"); }

    void patterns()
    {
        QVERIFY(matchesPattern("*layers.0*", "/model/Layers.0/mlp"));
        QVERIFY(matchesPattern("a?c", "ABC"));
        QVERIFY(matchesPattern("*", ""));
        QVERIFY(matchesPattern("a*b*c", "a__b__bc"));
        QVERIFY(!matchesPattern("layers.0", "/model/layers.0"));
        QVERIFY(!matchesPattern("a*b", "a"));
        // Many stars against a text that almost fits: no explosion.
        const std::string stars(60, 'a'), text(2000, 'a');
        std::string pattern;
        for (int i = 0; i < 60; ++i) pattern += "a*";
        QVERIFY(!matchesPattern(pattern + "b", text));
    }

    void aPassStopsAtEachOfItsSteps()
    {
        std::vector<int> wanted, got;
        for (const Step& step : m_run->steps)
            if (step.pass == "InferShapePass") wanted.push_back(step.id.value);
        for (const BreakpointHit& hit : hits(*m_run, BreakpointKind::Pass, "infershape*"))
            got.push_back(hit.step.value);
        QVERIFY(!wanted.empty());
        QCOMPARE(got, wanted);
    }

    void aNodeStopsWhereItsHistoryHasAnEntry()
    {
        // Any node that passes touched: the steps are those that its history names.
        const auto last = m_run->graphAt(m_run->lastStep());
        int looked = 0;
        for (const NodeId id : last->allNodes()) {
            const std::string name = last->node(id).name;
            if (name.find_first_of("*?") != std::string::npos || looked >= 20) continue;
            std::vector<StepId> wanted = m_run->stepsTouching(id), got;
            for (const BreakpointHit& hit : hits(*m_run, BreakpointKind::Node, name.c_str())) got.push_back(hit.step);
            for (const StepId step : wanted)
                QVERIFY2(std::find(got.begin(), got.end(), step) != got.end(), name.c_str());
            ++looked;
        }
        QVERIFY(looked > 5);
        QVERIFY(hits(*m_run, BreakpointKind::Node, "no such node").empty());
    }

    void rulesFireAndAreRefused()
    {
        for (const Step& step : m_run->steps)
            for (const FusionVerdict& verdict : step.verdicts) {
                const auto kind = verdict.fused ? BreakpointKind::RuleFires : BreakpointKind::RuleRefused;
                const auto found = hits(*m_run, kind, verdict.rule.c_str());
                QVERIFY(std::any_of(found.begin(), found.end(),
                                    [&](const BreakpointHit& hit) { return hit.step == step.id; }));
            }
        const auto fired = hits(*m_run, BreakpointKind::RuleFires, "*");
        QVERIFY(fired.size() > 3);
        QVERIFY(fired.front().node.isValid());
    }

    void typesAndTensors()
    {
        const auto types = hits(*m_run, BreakpointKind::OpType, "*RmsNorm*");
        QVERIFY(!types.empty());
        const auto last = m_run->graphAt(m_run->lastStep());
        NodeId norm;
        for (const NodeId id : last->allNodes())
            if (last->node(id).type.find("RmsNorm") != std::string::npos) norm = id;
        QVERIFY(norm.isValid());
        const auto tensors = hits(*m_run, BreakpointKind::Tensor, (last->node(norm).name + ":0").c_str());
        QVERIFY(!tensors.empty());
        QCOMPARE(tensors.front().node, norm);
    }

    void statisticsStopWhereTheyBecomeTrue()
    {
        const int first = m_run->steps.front().after.operators, end = m_run->steps.back().after.operators;
        QVERIFY(end < first);
        const std::string limit = "operators < " + std::to_string((first + end) / 2);
        const auto found = hits(*m_run, BreakpointKind::Statistic, limit.c_str());
        QVERIFY(!found.empty());
        const Step& step = m_run->step(found.front().step);
        QVERIFY(step.after.operators < (first + end) / 2 && step.before.operators >= (first + end) / 2);

        // The memory of all intermediate tensors: true from the first step with shapes, so it stops there once.
        const auto memory = hits(*m_run, BreakpointKind::Statistic, "memory > 1k");
        QCOMPARE(memory.front().step, m_run->findStep("InferShapePass").value());
        QVERIFY(hits(*m_run, BreakpointKind::Statistic, "memory > 900G").empty());
        const auto peak = hits(*m_run, BreakpointKind::Statistic, "peak > 0");
        QCOMPARE(peak.size(), std::size_t{1});
        QCOMPARE(peak.front().step, m_run->findStep("MemoryAssigner").value());
    }

    void conditionsNarrow()
    {
        const auto all = hits(*m_run, BreakpointKind::OpType, "*");
        QVERIFY(all.size() > 4);
        const auto third = hits(*m_run, BreakpointKind::OpType, "*", "hits >= 3");
        QCOMPARE(third.size(), all.size() - 2);
        QCOMPARE(third.front().count, 3);
        for (const BreakpointHit& hit : hits(*m_run, BreakpointKind::OpType, "*", "edits>=20 and edits<=60")) {
            const auto edits = m_run->step(hit.step).editCount();
            QVERIFY(edits >= 20 && edits <= 60);
        }
    }

    void badTextsAreRefusedInOneSentence()
    {
        for (const char* text : {"nonsense > 3", "operators", "operators >", "operators ~ 3", "operators > x",
                                 "operators > 3 or", "operators > 3 and", "operators > 3 edits < 4", "hits > 2"}) {
            const Status status = checkBreakpoint({BreakpointKind::Statistic, text, "", true});
            QVERIFY2(!status.ok() && !status.error().message().empty(), text);
        }
        QVERIFY(!checkBreakpoint({BreakpointKind::Pass, "", "", true}).ok());
        QVERIFY(!checkBreakpoint({BreakpointKind::Pass, "*", "x", true}).ok());
        QVERIFY(!checkBreakpoint({BreakpointKind::Tensor, "/model/Softmax", "", true}).ok()); // which output?
        QVERIFY(checkBreakpoint({BreakpointKind::Tensor, "*Softmax*", "", true}).ok());
        QVERIFY(checkBreakpoint({BreakpointKind::Statistic, "memory>20M and ms <= 1.5", "hits = 1", true}).ok());
    }

    void canBeCancelled()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto found = breakpointHits(*m_run, {BreakpointKind::Pass, "*", "", true}, stop.get_token());
        QVERIFY(!found.ok() && found.error().isCancelled());
    }

    void namesRoundTrip()
    {
        for (int kind = 0; kind <= static_cast<int>(BreakpointKind::Statistic); ++kind)
            QCOMPARE(
                static_cast<int>(breakpointKindFromName(breakpointKindName(static_cast<BreakpointKind>(kind))).value()),
                kind);
        QVERIFY(!breakpointKindFromName("x"));
    }

private:
    std::shared_ptr<const Run> m_run;
};

QTEST_GUILESS_MAIN(TestBreakpoints)
#include "tst_breakpoints.moc"
