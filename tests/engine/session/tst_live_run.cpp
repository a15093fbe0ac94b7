// A run that is halted while it goes on: what is seen there is the journal's own graph, and the run is not changed by it.
#include "engine/session/live_run.h"

#include <QElapsedTimer>
#include <QtTest>

#include <thread>

using namespace gelens;

namespace {

std::string sample(const char* name) { return std::string(GELENS_SAMPLES_DIR "/") + name + ".onnx"; }

std::shared_ptr<const Run> runOf(const char* name, RunObserver* observer = nullptr, std::stop_token stop = {},
                                 const CompileOptions& options = {})
{
    auto session = Session::open(sample(name), options);
    if (!session.ok()) return nullptr;
    auto run = (*session)->run(options, observer, {}, stop);
    return run.ok() ? *run : nullptr;
}

/// A run on a thread of its own, as in the window; its halts come one after the other.
class Live {
public:
    explicit Live(const char* model, const std::vector<Breakpoint>& breakpoints = {}, bool isPaused = false)
        : live(
              [this](Halt halt) {
                  const std::scoped_lock lock(m_mutex);
                  m_halt = std::move(halt);
                  m_isThere = true;
              },
              m_stop.get_token())
    {
        live.setBreakpoints(breakpoints);
        if (isPaused) live.pause();
        m_thread = std::thread([this, model = std::string(model)] {
            m_run = runOf(model.c_str(), &live, m_stop.get_token());
            m_isOver = true;
        });
    }
    ~Live()
    {
        cancel();
        if (m_thread.joinable()) m_thread.join();
    }

    /// The next halt; nothing when the run ends first.
    std::optional<Halt> next()
    {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < 60000) {
            {
                const std::scoped_lock lock(m_mutex);
                if (std::exchange(m_isThere, false)) return std::move(m_halt);
            }
            if (m_isOver) return std::nullopt;
            QThread::usleep(200);
        }
        return std::nullopt;
    }
    std::shared_ptr<const Run> finish()
    {
        m_thread.join();
        return m_run;
    }
    void cancel() { m_stop.request_stop(); }

private:
    std::stop_source m_stop;
    std::mutex m_mutex;
    Halt m_halt;
    bool m_isThere = false;
    std::atomic<bool> m_isOver{false};
    std::shared_ptr<const Run> m_run;
    std::thread m_thread;

public:
    LiveRun live;
};

/// The graph of a finished run at a record of its journal.
std::uint64_t fingerprintAt(const Run& run, std::size_t position)
{
    Graph graph = *run.graphAt(StepId{0});
    run.journal().move(graph, 0, position);
    return graph.fingerprint();
}

} // namespace

class TestLiveRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void halted_atEveryEdit_theRunIsTheSame_data()
    {
        QTest::addColumn<QByteArray>("model");
        QTest::newRow("tiny-llama") << QByteArray("tiny-llama");
        QTest::newRow("small-resnet") << QByteArray("small-resnet");
    }
    void halted_atEveryEdit_theRunIsTheSame()
    {
        QFETCH(QByteArray, model);
        const auto plain = runOf(model.constData());
        QVERIFY(plain);
        // Halts at each record, looks at it there and goes on; the graph seen is the one that the journal gives.
        struct Seen {
            std::size_t position;
            std::uint64_t fingerprint;
            int step;
        };
        std::vector<Seen> seen;
        LiveRun* holder = nullptr;
        LiveRun live(
            [&](Halt halt) {
                const Step& step = halt.run->steps.back();
                seen.push_back({step.lastEdit, halt.run->graphAt(halt.run->lastStep())->fingerprint(), step.id.value});
                holder->stepEdit();
            },
            {});
        holder = &live;
        live.pause();
        const auto halted = runOf(model.constData(), &live);
        QVERIFY(halted && !halted->failed && !halted->isUnderWay);
        QCOMPARE(halted->journal().size(), plain->journal().size());
        QCOMPARE(halted->graphAt(halted->lastStep())->fingerprint(), plain->graphAt(plain->lastStep())->fingerprint());
        QCOMPARE(halted->stepCount(), plain->stepCount());
        QVERIFY(seen.size() >= plain->journal().size());
        for (std::size_t i = 0; i < seen.size(); i += std::max<std::size_t>(seen.size() / 200, 1)) {
            QCOMPARE(seen[i].fingerprint, fingerprintAt(*plain, seen[i].position));
            const Step& step = plain->step(StepId{seen[i].step});
            QVERIFY(seen[i].position >= step.firstEdit && seen[i].position <= step.lastEdit);
        }
    }

    void aNodeHaltsInsideThePassThatTouchesIt()
    {
        const auto plain = runOf("small-resnet");
        QVERIFY(plain);
        // A node that some pass takes away.
        const auto first = plain->graphAt(StepId{0}), last = plain->graphAt(plain->lastStep());
        std::string name;
        first->forEachNode(rootGraph, [&](const Node& node) {
            if (name.empty() && node.type == "BatchNorm" && !last->contains(node.id)) name = node.name;
        });
        if (name.empty())
            first->forEachNode(rootGraph, [&](const Node& node) {
                if (name.empty() && !last->contains(node.id)) name = node.name;
            });
        QVERIFY(!name.empty());
        const Breakpoint breakpoint{BreakpointKind::Node, name, {}, true};
        const auto hits = breakpointHits(*plain, breakpoint);
        QVERIFY(hits.ok() && !hits->empty());
        Live run("small-resnet", {breakpoint});
        std::vector<int> steps;
        for (auto halt = run.next(); halt; halt = run.next()) {
            QVERIFY(halt->isInside && halt->breakpoint.has_value());
            const Step& step = halt->run->steps.back();
            steps.push_back(step.id.value);
            QVERIFY(step.lastEdit > step.firstEdit);
            QVERIFY(step.lastEdit <= plain->step(step.id).lastEdit);
            QCOMPARE(halt->run->graphAt(step.id)->fingerprint(), fingerprintAt(*plain, step.lastEdit));
            QVERIFY(!halt->edit.empty());
            QVERIFY(halt->run->isUnderWay);
            run.live.resume();
        }
        // The same steps as in the finished run, each once.
        std::vector<int> wanted;
        for (const BreakpointHit& hit : *hits) wanted.push_back(hit.step.value);
        QCOMPARE(steps, wanted);
        const auto end = run.finish();
        QVERIFY(end && !end->failed);
        QCOMPARE(end->graphAt(end->lastStep())->fingerprint(), last->fingerprint());
    }

    void otherKindsHaltWhereAFinishedRunStops_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<QByteArray>("condition");
        QTest::addColumn<bool>("isInside");
        const auto row = [](const char* name, BreakpointKind kind, const char* pattern, const char* condition,
                            bool isInside) {
            QTest::newRow(name) << static_cast<int>(kind) << QByteArray(pattern) << QByteArray(condition) << isInside;
        };
        row("pass", BreakpointKind::Pass, "InferShapePass", "", true);
        row("every third pass", BreakpointKind::Pass, "*", "hits == 3", true);
        row("type", BreakpointKind::OpType, "RmsNorm", "", true);
        row("tensor", BreakpointKind::Tensor, "*:0", "hits <= 2", true);
        row("rule fires", BreakpointKind::RuleFires, "RmsNorm*", "", false);
        row("rule refused", BreakpointKind::RuleRefused, "*", "hits == 1", false);
        row("statistic", BreakpointKind::Statistic, "operators < 30", "", false);
        row("memory", BreakpointKind::Statistic, "memory > 1", "", false);
        row("peak", BreakpointKind::Statistic, "peak > 1k", "", false);
    }
    void otherKindsHaltWhereAFinishedRunStops()
    {
        QFETCH(int, kind);
        QFETCH(QByteArray, pattern);
        QFETCH(QByteArray, condition);
        QFETCH(bool, isInside);
        const auto plain = runOf("tiny-llama");
        const Breakpoint breakpoint{static_cast<BreakpointKind>(kind), pattern.toStdString(), condition.toStdString(),
                                    true};
        const auto hits = breakpointHits(*plain, breakpoint);
        QVERIFY(hits.ok());
        std::vector<int> wanted;
        for (const BreakpointHit& hit : *hits)
            if (hit.step.value > 0) wanted.push_back(hit.step.value); // step 0 is there before the run begins
        if (pattern == "*" && static_cast<BreakpointKind>(kind) == BreakpointKind::Pass)
            wanted = {3}; // it counts from the first pass that runs
        std::vector<int> steps;
        Live run("tiny-llama", {breakpoint});
        for (auto halt = run.next(); halt; halt = run.next()) {
            QCOMPARE(halt->isInside, isInside);
            QVERIFY(!halt->what.empty());
            steps.push_back(halt->run->lastStep().value);
            run.live.resume();
        }
        QCOMPARE(steps, wanted);
    }

    void stepsByEditAndByPass()
    {
        Live run("tiny-llama", {}, true);
        auto halt = run.next();
        QVERIFY(halt && halt->isInside);
        QVERIFY(!halt->breakpoint.has_value());
        QCOMPARE(halt->edits, std::size_t{0});
        run.live.stepEdit();
        halt = run.next();
        QVERIFY(halt && halt->isInside && !halt->edit.empty());
        QCOMPARE(halt->edits, std::size_t{1});
        const int step = halt->run->lastStep().value;
        run.live.stepEdit();
        const auto second = run.next();
        QVERIFY(second);
        QCOMPARE(second->run->steps.back().lastEdit, halt->run->steps.back().lastEdit + 1);
        run.live.finishPass();
        halt = run.next();
        QVERIFY(halt && !halt->isInside);
        QVERIFY(halt->run->lastStep().value >= step);
        QVERIFY(halt->run->steps.back().hasChanged());
        const int ended = halt->run->lastStep().value;
        run.live.finishPass();
        halt = run.next();
        QVERIFY(halt && !halt->isInside && halt->run->lastStep().value > ended);
        run.live.resume();
        QVERIFY(!run.next());
        const auto end = run.finish();
        QVERIFY(end && !end->failed);
    }

    void whatIsSeenStaysWhenTheRunGoesOn()
    {
        Live run("tiny-llama", {{BreakpointKind::OpType, "RmsNorm", {}, true}});
        const auto halt = run.next();
        QVERIFY(halt);
        const auto graph = halt->run->graphAt(halt->run->lastStep());
        const std::uint64_t before = graph->fingerprint();
        run.live.setBreakpoints({});
        run.live.resume();
        const auto end = run.finish();
        QVERIFY(end);
        QCOMPARE(graph->fingerprint(), before);
        QVERIFY(graph->fingerprint() != end->graphAt(end->lastStep())->fingerprint());
        // Steps before the one under way can be gone back to.
        QCOMPARE(halt->run->graphAt(StepId{0})->fingerprint(), end->graphAt(StepId{0})->fingerprint());
    }

    void cancellingWakesItUp()
    {
        Live run("tiny-llama", {}, true);
        QVERIFY(run.next());
        QElapsedTimer clock;
        clock.start();
        run.cancel();
        const auto end = run.finish();
        QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));
        QVERIFY(end && end->wasCancelled);
    }
};

QTEST_GUILESS_MAIN(TestLiveRun)
#include "tst_live_run.moc"
