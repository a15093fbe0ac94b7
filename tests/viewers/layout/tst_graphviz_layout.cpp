// Graphviz in its child process: what it answers, and that nothing it does can hurt.

#include <QTest>

#include <QElapsedTimer>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <array>
#include <chrono>
#include <thread>

#include "tests/support/layout_graphs.h"
#include "tests/support/layout_metrics.h"
#include "viewers/layout/child_process.h"
#include "viewers/layout/graphviz_layout.h"
#include "viewers/layout/layout_engine.h"

using namespace gelens;
using namespace gelens::testing;
using namespace std::chrono_literals;

class TestGraphvizLayout : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    /// A program that stands in for `dot`.
    std::string script(const char* name, const QByteArray& body)
    {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write("#!/bin/sh\n" + body + "\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return path.toStdString();
    }

    static bool hasDot() { return !QStandardPaths::findExecutable(QStringLiteral("dot")).isEmpty(); }

    static LayoutOptions with(const std::string& program, std::chrono::milliseconds budget = 300ms)
    {
        LayoutOptions options;
        options.dotProgram = program;
        options.graphvizBudget = budget;
        return options;
    }

private Q_SLOTS:
    void drawsGraphs()
    {
        if (!hasDot()) QSKIP("Graphviz is not installed");
        for (const LayoutGraph& graph : {llamaGraph(3, true), cnnGraph(200), recurrentGraph(2, 6)}) {
            const LayoutResult result = graphvizLayout(graph, with("dot", 20s));
            QVERIFY2(result.ok(), result.error.c_str());
            QCOMPARE(result.engine, LayoutEngineKind::Graphviz);
            QCOMPARE(result.centres.size(), graph.nodes.size());
            QCOMPARE(countOverlaps(graph, result, 1.0), std::size_t{0}); // the format has five digits
            QCOMPARE(result.bounds.left, 0.0);
            QCOMPARE(result.bounds.top, 0.0);
            std::vector<uint8_t> stubbed(graph.edges.size(), 0);
            for (const LayoutStub& s : result.stubs) stubbed[static_cast<std::size_t>(s.edge)] = 1;
            for (std::size_t e = 0; e < graph.edges.size(); ++e) {
                const auto route = result.route(e);
                QCOMPARE(route.empty(), stubbed[e] == 1);
                if (!route.empty()) QVERIFY(route.front().y < route.back().y);
            }
        }
    }

    void oddGraphs()
    {
        if (!hasDot()) QSKIP("Graphviz is not installed");
        QVERIFY(graphvizLayout({}, with("dot")).ok());
        LayoutGraph graph;
        graph.nodes.assign(4, {80, 30});
        graph.edges = {{0, 1}, {0, 1}, {1, 0}, {2, 2}, {9, 0}, {-1, 2}};
        const LayoutResult result = graphvizLayout(graph, with("dot", 20s));
        QVERIFY2(result.ok(), result.error.c_str());
        for (std::size_t e = 0; e < 4; ++e) QVERIFY(result.route(e).size() >= 2);
        QVERIFY(result.route(4).empty());
        // Two edges between the same boxes have a route each.
        QVERIFY(!std::ranges::equal(result.route(0), result.route(1)));
    }

    void missingProgramIsReported()
    {
        const LayoutResult result = graphvizLayout(cnnGraph(60), with("no-such-program-anywhere"));
        QVERIFY(!result.ok());
        QVERIFY(!result.cancelled);
        QVERIFY2(result.error.find("no-such-program-anywhere") != std::string::npos, result.error.c_str());
    }

    void timeLimitKills()
    {
        QElapsedTimer timer;
        timer.start();
        const LayoutResult result = graphvizLayout(cnnGraph(60), with(script("sleeper", "sleep 30"), 200ms));
        QVERIFY(timer.elapsed() < 1500);
        QVERIFY2(result.error.find("budget") != std::string::npos, result.error.c_str());
    }

    /// What the program starts in turn goes with it: the file it would write later never appears.
    void timeLimitKillsGrandchildren()
    {
        const QString mark = m_folder.filePath(QStringLiteral("mark"));
        const auto program = script("parent", "(sleep 1; touch '" + mark.toLocal8Bit() + "') & sleep 30");
        QVERIFY(!graphvizLayout(cnnGraph(60), with(program, 100ms)).ok());
        QTest::qWait(1300);
        QVERIFY(!QFile::exists(mark));
    }

    void stopKills()
    {
        std::stop_source source;
        LayoutOptions options = with(script("sleeper2", "sleep 30"), 20s);
        options.stop = source.get_token();
        std::chrono::steady_clock::time_point requested;
        std::thread other([&] {
            std::this_thread::sleep_for(100ms);
            requested = std::chrono::steady_clock::now();
            source.request_stop();
        });
        const LayoutResult result = graphvizLayout(cnnGraph(60), options);
        const auto end = std::chrono::steady_clock::now();
        other.join();
        QVERIFY(result.cancelled);
        QVERIFY(end - requested < 100ms);
    }

    void badAnswers_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("nothing") << QByteArray("cat > /dev/null");
        QTest::newRow("garbage") << QByteArray("cat > /dev/null; head -c 5000 /dev/urandom");
        QTest::newRow("failure") << QByteArray("cat > /dev/null; echo stop; exit 3");
        QTest::newRow("crash") << QByteArray("kill -ABRT $$");
        QTest::newRow("deaf") << QByteArray("exec 0<&-; echo graph 1 1 1; echo stop");
        QTest::newRow("flood") << QByteArray("yes node 0 1 1 1 1");
        QTest::newRow("other nodes") << QByteArray(
            "cat > /dev/null; echo graph 1 1 1; echo node 999999 1 1 1 1; echo stop");
        QTest::newRow("not numbers") << QByteArray("cat > /dev/null; echo graph 1 nan inf; echo stop");
        QTest::newRow("huge counts") << QByteArray(
            "cat > /dev/null; echo graph 1 1 1; echo edge 0 1 9999999999999999; echo stop");
        QTest::newRow("no end") << QByteArray("cat > /dev/null; echo graph 1 1 1; echo node 0 1 1 1 1");
    }

    void badAnswers()
    {
        QFETCH(QByteArray, body);
        QElapsedTimer timer;
        timer.start();
        const LayoutResult result = graphvizLayout(cnnGraph(60), with(script("bad", body), 2s));
        QVERIFY(!result.ok());
        QVERIFY(!result.error.empty());
        QVERIFY(timer.elapsed() < 4000);
    }

    void childTakesLargeInput()
    {
        const std::string input(5'000'000, 'x');
        const ChildResult result = runChild("cat", std::span<const char* const>{}, input, {20s, 10u << 20, {}});
        QCOMPARE(result.end, ChildResult::End::Exited);
        QVERIFY(result.output == input);
        const ChildResult limited = runChild("cat", std::span<const char* const>{}, input, {20s, 1u << 20, {}});
        QCOMPARE(limited.end, ChildResult::End::TooMuchOutput);
    }

    void engineFallsBack()
    {
        LayoutEngine engine;
        const LayoutGraph graph = cnnGraph(100);
        const LayoutResult result = engine.layout(graph, with("no-such-program-anywhere"));
        QVERIFY(result.ok());
        QCOMPARE(result.engine, LayoutEngineKind::Layered);
        QVERIFY(!engine.refine(graph, with("no-such-program-anywhere")));
        // Asked for by name, the error is told.
        LayoutOptions byName = with("no-such-program-anywhere");
        byName.engine = LayoutEngineKind::Graphviz;
        QVERIFY(!engine.layout(graph, byName).ok());
    }

    void engineChooses()
    {
        if (!hasDot()) QSKIP("Graphviz is not installed");
        LayoutEngine engine;
        QCOMPARE(engine.layout(cnnGraph(100), with("dot", 20s)).engine, LayoutEngineKind::Graphviz);
        QCOMPARE(engine.layout(cnnGraph(1000), with("dot", 20s)).engine, LayoutEngineKind::Layered);
        LayoutOptions own = with("dot", 20s);
        own.engine = LayoutEngineKind::Layered;
        QCOMPARE(engine.layout(cnnGraph(100), own).engine, LayoutEngineKind::Layered);
    }

    void engineKeepsDrawings()
    {
        LayoutEngine engine;
        const LayoutGraph graph = cnnGraph(3000);
        const LayoutResult first = engine.firstPicture(graph, {});
        const LayoutResult second = engine.firstPicture(graph, {});
        QCOMPARE(second.milliseconds, first.milliseconds); // measured once
        QVERIFY(second.centres == first.centres);
        LayoutOptions wider;
        wider.nodeSpacing = 80;
        QVERIFY(engine.firstPicture(graph, wider).bounds.width() > first.bounds.width());
        LayoutGraph changed = graph;
        changed.nodes[7].width += 1;
        QVERIFY(engine.firstPicture(changed, {}).centres != first.centres);
    }
};

QTEST_GUILESS_MAIN(TestGraphvizLayout)
#include "tst_graphviz_layout.moc"
