// Passes left out of a run, and the pass that makes it so, found by halving.
#include "engine/passes/pipeline.h"
#include "engine/session/bisect.h"
#include "engine/session/verify.h"

#include <QtTest>

#include <set>

using namespace gelens;
using Outcome = BisectAnswer::Outcome;

namespace {

std::string sample(const char* name) { return std::string(GELENS_SAMPLES_DIR "/") + name + ".onnx"; }

std::shared_ptr<Session> sessionOf(const char* name)
{
    auto session = Session::open(sample(name));
    return session.ok() ? *session : nullptr;
}

} // namespace

class TestBisect : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anOptionLeavesAPassOut()
    {
        const auto session = sessionOf("tiny-llama");
        CompileOptions options;
        options.skippedPasses = {"RmsNormDecomposedFusion", "PrunePass"};
        const auto run = session->run(options);
        QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
        QVERIFY(!(*run)->failed);
        int skipped = 0;
        for (const Step& step : (*run)->steps) {
            const bool isNamed = step.pass == "PrunePass" || step.rule == "RmsNormDecomposedFusion" ||
                                 step.pass == "RmsNormDecomposedFusion";
            QCOMPARE(step.wasSkipped, isNamed);
            if (!isNamed) continue;
            ++skipped;
            QVERIFY(!step.hasChanged());
            QCOMPARE(step.messages.size(), std::size_t{1});
            QCOMPARE(step.messages.front().text, std::string("skipped, as the options of the run ask"));
        }
        QVERIFY(skipped >= 2);
        const auto base = session->run({});
        QVERIFY((*run)->statistics.nodes.after > (*base)->statistics.nodes.after);
    }

    void whatCannotBeLeftOutIsRefused_data()
    {
        QTest::addColumn<QByteArray>("pass");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("needed") << QByteArray("InferShapePass") << QByteArray("cannot be skipped");
        QTest::newRow("unknown") << QByteArray("NoSuchPass") << QByteArray("no pass 'NoSuchPass'");
        QTest::newRow("empty") << QByteArray("") << QByteArray("no pass ''");
    }
    void whatCannotBeLeftOutIsRefused()
    {
        QFETCH(QByteArray, pass);
        QFETCH(QByteArray, said);
        const auto session = sessionOf("tiny-llama");
        CompileOptions options;
        options.skippedPasses = {pass.toStdString()};
        const auto run = session->run(options);
        QVERIFY(!run.ok());
        QVERIFY2(run.error().message().find(said.toStdString()) != std::string::npos, run.error().message().c_str());
    }

    /// Each pass that changes something, left out alone: the run ends well, and its numbers hold.
    void withoutOnePassTheNumbersHold_data()
    {
        QTest::addColumn<QByteArray>("model");
        for (const char* model : {"tiny-llama", "small-resnet", "attention-fits"})
            QTest::newRow(model) << QByteArray(model);
    }
    void withoutOnePassTheNumbersHold()
    {
        QFETCH(QByteArray, model);
        const auto session = sessionOf(model.constData());
        const auto base = session->run({});
        QVERIFY(base.ok());
        std::set<std::string> tried;
        for (const Step& step : (*base)->steps) {
            if (step.id.value == 0 || !step.hasChanged() || !tried.insert(step.pass).second) continue;
            CompileOptions options;
            options.skippedPasses = {step.pass};
            const auto run = session->run(options);
            if (!run.ok()) { // one that is needed
                QVERIFY2(run.error().message().find("what follows needs it") != std::string::npos,
                         run.error().message().c_str());
                continue;
            }
            QVERIFY2(!(*run)->failed, ((*run)->error ? (*run)->error->message() : step.pass).c_str());
            const Verification numbers = verifyRun(**run, {}, {});
            QVERIFY2(numbers.ran && numbers.passed(), (step.pass + ": " + numbers.skipReason).c_str());
        }
    }

    /// The answers are those that looking at every step gives.
    void findsTheStep()
    {
        const auto session = sessionOf("tiny-llama");
        const auto run = *session->run({});
        const int first = run->steps.front().after.operators, last = run->steps.back().after.operators,
                  limit = (first + last) / 2;
        QVERIFY(last < limit && limit < first);
        const auto below =
            bisect(*run, nullptr, {BisectQuestion::Kind::Statistic, "operators < " + std::to_string(limit)});
        QVERIFY2(below.ok(), below.ok() ? "" : below.error().message().c_str());
        QVERIFY(below->outcome == Outcome::Found);
        QVERIFY(!below->isByRuns);
        QVERIFY(run->step(below->step).before.operators >= limit && run->step(below->step).after.operators < limit);
        QCOMPARE(QString::fromStdString(below->after),
                 QStringLiteral("operators = %1").arg(run->step(below->step).after.operators));
        int changed = 0;
        for (const Step& step : run->steps) changed += step.hasChanged();
        QVERIFY2(below->probes <= 3 + std::ceil(std::log2(changed + 1)), qPrintable(QString::number(below->probes)));

        const auto never = bisect(*run, nullptr, {BisectQuestion::Kind::Statistic, "operators > 1000000"});
        QVERIFY(never.ok() && never->outcome == Outcome::NeverSo);
        const auto always = bisect(*run, nullptr, {BisectQuestion::Kind::Statistic, "operators > 0"});
        QVERIFY(always.ok() && always->outcome == Outcome::SoFromTheStart);
    }

    void findsWhoTookANodeAway()
    {
        const auto session = sessionOf("small-resnet");
        const auto run = *session->run({});
        const auto first = run->graphAt(StepId{0}), last = run->graphAt(run->lastStep());
        int tried = 0;
        first->forEachNode(rootGraph, [&](const Node& node) {
            if (last->contains(node.id) || last->findNode(node.name).isValid() || tried >= 12) return;
            ++tried;
            const auto answer = bisect(*run, nullptr, {BisectQuestion::Kind::NodeGone, node.name});
            QVERIFY2(answer.ok() && answer->outcome == Outcome::Found, node.name.c_str());
            QCOMPARE(answer->node, node.id);
            QVERIFY(run->graphAt(StepId{answer->step.value - 1})->contains(node.id));
            QVERIFY(!run->graphAt(answer->step)->contains(node.id));
        });
        QVERIFY(tried > 3);
        // One that passes make and take away again.
        const auto made = [&] {
            for (std::size_t i = 0; i < run->journal().size(); ++i)
                if (const auto* add = std::get_if<edit::AddNode>(&run->journal()[i].edit))
                    if (!last->contains(add->node) && run->graphAt(run->journal()[i].step)->contains(add->node) &&
                        !add->content->name.empty())
                        return add->node;
            return NodeId();
        }();
        if (made.isValid()) {
            const auto answer = bisect(*run, nullptr, {BisectQuestion::Kind::NodeGone, run->nameOf(made)});
            QVERIFY(answer.ok() && answer->outcome == Outcome::Found);
            QVERIFY(!run->graphAt(answer->step)->contains(made));
        }
        const auto unknown = bisect(*run, nullptr, {BisectQuestion::Kind::NodeGone, "no such node"});
        QVERIFY(!unknown.ok());
        const auto type = bisect(*run, nullptr, {BisectQuestion::Kind::TypeGone, "BatchNorm*"});
        if (type.ok()) QVERIFY(type->outcome != Outcome::SoFromTheStart);
    }

    void findsWhereOutputsBeginToDiffer()
    {
        const auto session = sessionOf("tiny-llama");
        const auto run = *session->run({});
        const auto fails = bisect(*run, nullptr, {BisectQuestion::Kind::NumbersFail, {}});
        QVERIFY2(fails.ok(), fails.ok() ? "" : fails.error().message().c_str());
        QVERIFY(fails->outcome == Outcome::NeverSo); // the compiler is right
        const auto differ = bisect(*run, nullptr, {BisectQuestion::Kind::OutputsDiffer, {}});
        QVERIFY2(differ.ok(), differ.ok() ? "" : differ.error().message().c_str());
        if (differ->outcome == Outcome::Found) {
            auto numbers = StepVerifier::prepare(*run, {});
            QVERIFY(numbers.ok());
            const auto isEqual = [&](int step) {
                const auto verified = numbers->verify(StepId{step});
                return verified.ok() && std::all_of(verified->outputs.begin(), verified->outputs.end(),
                                                    [](const ErrorMeasure& each) { return each.maxAbs == 0; });
            };
            QVERIFY(isEqual(differ->step.value - 1) && !isEqual(differ->step.value));
        }
    }

    void figuresOfWholeRuns()
    {
        const auto session = sessionOf("tiny-llama");
        const auto run = *session->run({});
        CompileOptions none;
        const int tasks = run->statistics.tasks.after;
        const auto answer =
            bisect(*run, session.get(), {BisectQuestion::Kind::Statistic, "tasks < " + std::to_string(tasks + 3)});
        QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message().c_str());
        QVERIFY(answer->outcome == Outcome::Found);
        QVERIFY(answer->isByRuns);
        QVERIFY(run->step(answer->step).hasChanged());
        QVERIFY(answer->before != answer->after);
        QCOMPARE(QString::fromStdString(answer->after).section(QLatin1Char(' '), 0, 0), QStringLiteral("tasks"));
        QVERIFY(!bisect(*run, nullptr, {BisectQuestion::Kind::Statistic, "tasks < 3"}).ok());
    }

    void questionsAsTexts()
    {
        QCOMPARE(bisectQuestion("numbers")->kind, BisectQuestion::Kind::NumbersFail);
        QCOMPARE(bisectQuestion("outputs")->kind, BisectQuestion::Kind::OutputsDiffer);
        QCOMPARE(bisectQuestion("node a b")->text, std::string("a b"));
        QCOMPARE(bisectQuestion("type RmsNorm")->kind, BisectQuestion::Kind::TypeGone);
        QCOMPARE(bisectQuestion("peak > 20M")->kind, BisectQuestion::Kind::Statistic);
        for (const char* bad : {"", "node", "nonsense", "operators >", "operators > many"})
            QVERIFY2(!bisectQuestion(bad).ok(), bad);
    }

    void cancelled()
    {
        const auto session = sessionOf("tiny-llama");
        const auto run = *session->run({});
        std::stop_source stop;
        stop.request_stop();
        for (const BisectQuestion& question : {BisectQuestion{BisectQuestion::Kind::NumbersFail, {}},
                                               BisectQuestion{BisectQuestion::Kind::Statistic, "tasks < 30"}}) {
            const auto answer = bisect(*run, session.get(), question, {}, stop.get_token());
            QVERIFY(!answer.ok());
        }
    }
};

QTEST_GUILESS_MAIN(TestBisect)
#include "tst_bisect.moc"
