// Whole runs on the samples: the figures, time travel, lineage, explanations, and that numbers hold at every step.
#include "engine/report/run_json.h"
#include "engine/session/session.h"

#include <QtTest>

#include <algorithm>
#include <fstream>

using namespace gelens;

namespace {

std::string sample(const char* name) { return std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx"; }

std::shared_ptr<const Run> runSample(const char* name, CompileOptions options = {})
{
    auto session = Session::open(sample(name), options);
    if (!session.ok()) qFatal("%s", session.error().message().c_str());
    auto run = (*session)->run(options);
    if (!run.ok()) qFatal("%s", run.error().message().c_str());
    return *run;
}

const Step* findStep(const Run& run, const std::string& rule)
{
    for (const Step& step : run.steps)
        if (step.rule == rule && step.hasChanged()) return &step;
    return nullptr;
}

} // namespace

class TestSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void llamaReachesTheReferenceCounts()
    {
        const auto run = runSample("llama-7b");
        QVERIFY2(!run->failed, run->error ? run->error->message().c_str() : "");
        QCOMPARE(run->statistics.nodes.before.value(), 1247);
        QCOMPARE(run->statistics.tasks.before.value(), 1247);
        QCOMPARE(run->statistics.intermediateTensors.before.value(), 892);
        QVERIFY(run->statistics.nodes.after <= 1247 / 2);
        QVERIFY(run->statistics.memoryAfter >= run->statistics.memoryLowerBound);
        // 3.8 GB of intermediate tensors at 332 tokens, fp16, when nothing is shared.
        QVERIFY(std::abs(static_cast<double>(run->statistics.memoryBefore.value()) - 3.8e9) < 0.05e9);
        for (const Step& step : run->steps) QVERIFY(!step.pass.empty() && !step.phase.empty());
    }

    void aFindingOfTheReaderIsSaidOnce()
    {
        const auto run = runSample("llama-7b");
        const auto count = [&](const std::vector<Message>& messages) {
            return std::count_if(messages.begin(), messages.end(),
                                 [](const Message& message) { return message.id == "onnx.weights-absent"; });
        };
        QCOMPARE(count(run->messages), 1);
        QCOMPARE(count(run->steps.front().messages), 1);
    }

    void everyStepKeepsTheNumbers_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("soc");
        for (const char* model : {"tiny-llama", "small-resnet", "attention-fits"})
            for (const char* soc : {"Ascend910B1", "Ascend310P3"})
                QTest::addRow("%s on %s", model, soc) << QString::fromLatin1(model) << QString::fromLatin1(soc);
    }

    void everyStepKeepsTheNumbers()
    {
        QFETCH(QString, model);
        QFETCH(QString, soc);
        CompileOptions options;
        options.soc = soc.toStdString();
        options.verify = true;
        const auto run = runSample(qPrintable(model), options);
        QVERIFY2(run->verification.ran, run->verification.skipReason.c_str());
        QVERIFY2(run->verification.passed(), run->verification.firstBadNodeName.c_str());
        const auto changed =
            std::count_if(run->steps.begin(), run->steps.end(), [](const Step& s) { return s.hasChanged(); });
        QCOMPARE(static_cast<std::ptrdiff_t>(run->verification.steps.size()), changed + 1); // and once on the device
        QVERIFY(run->verification.interleavings >= 2);
    }

    void absentWeightsSkipVerificationAndSaySo()
    {
        CompileOptions options;
        options.verify = true;
        const auto run = runSample("llama-7b", options);
        QVERIFY(!run->verification.ran);
        QVERIFY(run->verification.skipReason.find("absent") != std::string::npos);
    }

    void timeTravelGivesTheGraphOfEachStep()
    {
        // An observer sees each step's graph live; later, in any order, the run must give back the same.
        class Fingerprints : public RunObserver {
        public:
            void afterStep(const Step&, const Graph& graph) override { seen.push_back(graph.fingerprint()); }
            std::vector<std::uint64_t> seen;
        } observer;
        auto session = Session::open(sample("tiny-llama"));
        QVERIFY(session.ok());
        const auto run = (*session)->run({}, &observer);
        QVERIFY(run.ok());
        QCOMPARE(static_cast<int>(observer.seen.size()), (*run)->stepCount());
        const int count = (*run)->stepCount();
        for (int i = 0; i < count; ++i) {
            const int step = (i * 37) % count; // a jump back and forth through all of them when 37 is coprime to count
            QCOMPARE((*run)->graphAt(StepId{step})->fingerprint(), observer.seen[static_cast<std::size_t>(step)]);
        }
        for (int step = count - 1; step >= 0; --step)
            QCOMPARE((*run)->graphAt(StepId{step})->fingerprint(), observer.seen[static_cast<std::size_t>(step)]);
    }

    void runsAreDeterministic()
    {
        const auto a = runSample("tiny-llama"), b = runSample("tiny-llama");
        QCOMPARE(a->graphAt(a->lastStep())->fingerprint(), b->graphAt(b->lastStep())->fingerprint());
        QCOMPARE(a->statistics.memoryAfter, b->statistics.memoryAfter);
        QCOMPARE(a->statistics.latencyUs.after, b->statistics.latencyUs.after);
    }

    void diffAndLineageFollowAFusion()
    {
        const auto run = runSample("tiny-llama");
        const Step* fusion = findStep(*run, "RmsNormDecomposedFusion");
        QVERIFY(fusion != nullptr);
        const GraphDiff diff = run->diff(StepId{fusion->id.value - 1}, fusion->id);
        QVERIFY(diff.added >= 5); // two layers with two norms each, and the last one
        QVERIFY(diff.removed > diff.added);
        const auto group = std::find_if(diff.groups.begin(), diff.groups.end(),
                                        [](const LineageGroup& g) { return g.before.size() > 1; });
        QVERIFY(group != diff.groups.end());
        const NodeId fused = group->after.front();
        const std::vector<NodeId> origins = run->originsOf(fused);
        QVERIFY(origins.size() >= 5); // square, mean, add, sqrt, div, mul
        for (const NodeId origin : origins) {
            const std::vector<NodeId> became = run->becameOf(origin);
            QVERIFY(!became.empty());
        }
        QVERIFY(!run->history(fused).empty());
        QCOMPARE(run->history(fused).front().step, fusion->id);
        const auto backwards = run->diff(fusion->id, StepId{fusion->id.value - 1});
        QCOMPARE(backwards.added, diff.removed);
        QCOMPARE(backwards.removed, diff.added);
    }

    void attentionFits()
    {
        const auto run = runSample("attention-fits");
        QCOMPARE(run->statistics.nodes.after, 1);
        const auto graph = run->graphAt(run->lastStep());
        QVERIFY(std::any_of(run->fusions.begin(), run->fusions.end(), [](const FusionSummary& f) {
            return f.rule == "FlashAttentionFusion" && f.effective == 1;
        }));
    }

    void attentionTooLongIsRefusedWithItsNumbers()
    {
        CompileOptions options;
        options.soc = "Ascend310P3";
        const auto run = runSample("attention-too-long", options);
        const ChainFilter filter{"", Reason::L1Capacity};
        const auto chains = filteredChains(*run, filter);
        QVERIFY(!chains.empty());
        const FusionVerdict* refused = nullptr;
        for (const ChainLink& link : run->chains[chains.front()].links)
            for (const FusionVerdict& verdict : link.tried)
                if (verdict.reason == Reason::L1Capacity) refused = &verdict;
        QVERIFY(refused != nullptr);
        const Check* check = refused->headline();
        QVERIFY(check != nullptr && check->needs && check->has);
        // 16 rows × 16,384 keys × 4 bytes + 32,768 bytes of tiles, against 1 MiB.
        QCOMPARE(*check->needs, 16.0 * 16384 * 4 + 32768);
        QCOMPARE(*check->has, 1048576.0);
        const auto keys = std::find_if(refused->thresholds.begin(), refused->thresholds.end(),
                                       [](const Threshold& t) { return t.symbol == "keys"; });
        QVERIFY(keys != refused->thresholds.end());
        QCOMPARE(keys->limit, 15872.0); // (1,048,576 − 32,768) / 64
    }

    void unitConflictNamesBothNodesAndUnits()
    {
        const auto run = runSample("unit-conflict");
        const auto chains = filteredChains(*run, {"", Reason::UnitConflict});
        QVERIFY(!chains.empty());
        const Chain& chain = run->chains[chains.front()];
        QVERIFY(chain.evidence.find("cube") != std::string::npos);
        QVERIFY(chain.evidence.find("vector") != std::string::npos);
        for (const std::string& name : {chain.links.front().fromName, chain.links.front().toName})
            QVERIFY2(chain.evidence.find(name) != std::string::npos, name.c_str());
        // The same model on combined cores has no such conflict.
        CompileOptions options;
        options.soc = "Ascend310P3";
        const auto combined = runSample("unit-conflict", options);
        QVERIFY(filteredChains(*combined, {"", Reason::UnitConflict}).empty());
    }

    void rulesSwitchOffAndTheRefusalSaysSo()
    {
        CompileOptions options;
        options.ruleSwitches["FlashAttentionFusionPass"] = false;
        const auto run = runSample("attention-fits", options);
        QVERIFY(run->statistics.nodes.after > 1);
        QVERIFY(!filteredChains(*run, {"", Reason::RuleDisabled}).empty());
    }

    void badInputIsOneLine()
    {
        QCOMPARE(Session::open("/does/not/exist.onnx").error().code, ErrorCode::NotFound);
        CompileOptions options;
        options.soc = "Ascend999";
        auto session = Session::open(sample("attention-fits"));
        QVERIFY(session.ok());
        const auto run = (*session)->run(options);
        QVERIFY(!run.ok());
        QVERIFY(run.error().message().find("Ascend999") != std::string::npos);
        options = {};
        options.mode = CompileMode::Light;
        QVERIFY(!(*session)->run(options).ok());
    }

    void cancellingLeavesARunThatSaysSo()
    {
        auto session = Session::open(sample("tiny-llama"));
        QVERIFY(session.ok());
        std::stop_source stop;
        class StopAtFusion : public RunObserver {
        public:
            explicit StopAtFusion(std::stop_source& source) : m_stop(source) {}
            bool beforePass(const std::string& pass, const Graph&) override
            {
                if (pass == "PrunePass") m_stop.request_stop();
                return true;
            }
            std::stop_source& m_stop;
        } observer(stop);
        const auto run = (*session)->run({}, &observer, {}, stop.get_token());
        QVERIFY(run.ok() ? (*run)->wasCancelled : run.error().isCancelled());
    }

    void skippedPassesAreListed()
    {
        class SkipFolding : public RunObserver {
        public:
            bool beforePass(const std::string& pass, const Graph&) override { return pass != "ConstantFoldingPass"; }
        } observer;
        auto session = Session::open(sample("tiny-llama"));
        QVERIFY(session.ok());
        const auto run = (*session)->run({}, &observer);
        QVERIFY(run.ok());
        const auto skipped = std::find_if((*run)->steps.begin(), (*run)->steps.end(),
                                          [](const Step& step) { return step.pass == "ConstantFoldingPass"; });
        QVERIFY(skipped != (*run)->steps.end());
        QVERIFY(skipped->wasSkipped && !skipped->hasChanged());
    }

    void stepsAreFoundByNumberNameAndPhase()
    {
        const auto run = runSample("attention-fits");
        QCOMPARE(run->findStep("0").value().value, 0);
        QCOMPARE(run->findStep("last").value(), run->lastStep());
        QVERIFY(run->findStep("infershapepass").has_value());
        QVERIFY(run->findStep("PreRunAfterPrepare").has_value());
        QVERIFY(!run->findStep("no such pass").has_value());
        QVERIFY(!run->findStep("99999").has_value());
    }
};

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
