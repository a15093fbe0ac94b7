// What-if: remedies that help, differences of options and figures, two runs side by side.
#include "engine/session/comparison_run.h"
#include "engine/session/what_if.h"

#include <QtTest>

#include <algorithm>

using namespace gelens;

namespace {

std::shared_ptr<const Run> runSample(const char* name, const CompileOptions& options = {})
{
    auto session = Session::open(std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx", options);
    if (!session.ok()) qFatal("%s", session.error().message().c_str());
    auto run = (*session)->run(options);
    if (!run.ok()) qFatal("%s", run.error().message().c_str());
    return *run;
}

const FusionVerdict* refused(const Run& run, Reason reason)
{
    for (const Step& step : run.steps)
        for (const FusionVerdict& verdict : step.verdicts)
            if (!verdict.fused && verdict.reason == reason) return &verdict;
    return nullptr;
}

int effective(const Run& run, const std::string& rule)
{
    for (const FusionSummary& fusion : run.fusions)
        if (fusion.rule == rule) return fusion.effective;
    return 0;
}

} // namespace

class TestWhatIf : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyRemedyOfACapacityRefusalHelps()
    {
        CompileOptions options;
        options.soc = "Ascend310P3";
        const auto run = runSample("attention-too-long", options);
        const FusionVerdict* verdict = refused(*run, Reason::L1Capacity);
        QVERIFY(verdict != nullptr);
        QCOMPARE(effective(*run, verdict->rule), 0);
        const auto remedies = remediesFor(*run, *verdict);
        QVERIFY(!remedies.empty());
        bool hasBuffer = false;
        for (const Remedy& remedy : remedies) {
            hasBuffer = hasBuffer || remedy.change.kind == OptionChange::Kind::Buffer;
            const auto again = runSample("attention-too-long", remedy.options);
            const FusionVerdict* still = refused(*again, Reason::L1Capacity);
            QVERIFY2(still == nullptr || still->rule != verdict->rule, remedy.change.after.c_str());
        }
        QVERIFY(hasBuffer);
    }

    void aUnitConflictIsHelpedByAnotherChip()
    {
        const auto run = runSample("unit-conflict");
        const FusionVerdict* verdict = refused(*run, Reason::UnitConflict);
        QVERIFY(verdict != nullptr);
        const auto remedies = remediesFor(*run, *verdict);
        QCOMPARE(remedies.size(), std::size_t(1));
        QCOMPARE(remedies.front().change.kind, OptionChange::Kind::Soc);
        const auto again = runSample("unit-conflict", remedies.front().options);
        QVERIFY(refused(*again, Reason::UnitConflict) == nullptr);
        QVERIFY(effective(*again, verdict->rule) > effective(*run, verdict->rule));
    }

    void aRuleThatIsOffCanBeSwitchedOn()
    {
        CompileOptions options;
        options.ruleSwitches["FlashAttentionOnlineFusion"] = false;
        options.ruleSwitches["FlashAttentionFusion"] = false;
        const auto run = runSample("attention-fits", options);
        const FusionVerdict* verdict = refused(*run, Reason::RuleDisabled);
        QVERIFY(verdict != nullptr);
        const auto remedies = remediesFor(*run, *verdict);
        QCOMPARE(remedies.size(), std::size_t(1));
        const auto again = runSample("attention-fits", remedies.front().options);
        QVERIFY(effective(*again, verdict->rule) == 1);
        const auto changes = ruleChanges(*run, *again);
        QVERIFY(std::any_of(changes.begin(), changes.end(), [&](const RuleChange& change) {
            return change.rule == verdict->rule && change.baseEffective == 0 && change.otherEffective == 1;
        }));
    }

    void optionsBecomeArguments()
    {
        CompileOptions options;
        QVERIFY(argumentsOf(options).empty());
        options.soc = "Ascend310P3";
        options.precision = PrecisionMode::ForceFp16;
        options.memoryPolicy = MemoryPolicy::Ge;
        options.ruleSwitches = {{"A", true}, {"B", false}};
        options.inputShapes["x y"] = {1, 3, 224, 224};
        options.buffers.l1 = 1081344;
        options.parallelStreams = true;
        const std::vector<std::string> wanted{
            "--soc",      "Ascend310P3", "--precision", "force_fp16",      "--memory-policy",
            "ge",         "--l1",        "1081344",     "--rule-on",       "A",
            "--rule-off", "B",           "--set",       "x y=1,3,224,224", "--parallel-streams"};
        QCOMPARE(argumentsOf(options), wanted);
        QCOMPARE(optionChanges(options, options).size(), std::size_t(0));
        const auto back = optionChanges(options, CompileOptions());
        QCOMPARE(back.size(), optionChanges(CompileOptions(), options).size());
        QCOMPARE(back.front().before, std::string("Ascend310P3"));
    }

    void figuresAreThoseOfTheRuns()
    {
        CompileOptions options;
        options.memoryPolicy = MemoryPolicy::Simple;
        const auto base = runSample("tiny-llama"), other = runSample("tiny-llama", options);
        for (const FigureChange& change : figureChanges(*base, *other)) {
            if (change.figure == "memory_peak") {
                QCOMPARE(change.base, double(base->statistics.memoryAfter));
                QCOMPARE(change.other, double(other->statistics.memoryAfter));
            }
            if (change.figure == "operators") QCOMPARE(change.difference(), 0.0);
        }
    }

    void twoRunsSideBySide()
    {
        CompileOptions options;
        options.soc = "Ascend310P3";
        const auto base = runSample("unit-conflict"), other = runSample("unit-conflict", options);
        const auto both = comparisonRun(base, "base", other, "310P3");
        QCOMPARE(both->stepCount(), 2);
        const auto first = both->graphAt(StepId{0}), second = both->graphAt(StepId{1});
        QCOMPARE(first->nodeCount(), base->graphAt(base->lastStep())->nodeCount());
        QCOMPARE(second->nodeCount(), other->graphAt(other->lastStep())->nodeCount());
        const GraphDiff diff = both->diff(StepId{0}, StepId{1});
        QVERIFY(!diff.isEmpty());
        QVERIFY(both->step(StepId{1}).hasChanged());
        QCOMPARE(*both->statistics.nodes.before, base->statistics.nodes.after);
        const auto same = comparisonRun(base, "base", base, "again");
        QVERIFY(same->diff(StepId{0}, StepId{1}).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestWhatIf)
#include "tst_what_if.moc"
