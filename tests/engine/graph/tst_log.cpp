// Log sinks: plugged in, taken out, and used from several threads.

#include "engine/graph/log.h"

#include <QtTest>

#include <atomic>
#include <thread>
#include <vector>

using namespace gelens;

class TestLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reachesEverySink()
    {
        std::vector<std::string> first, second;
        const int a = addLogSink([&](LogLevel level, std::string_view area, std::string_view message) {
            first.push_back(std::to_string(static_cast<int>(level)) + std::string(area) + ":" + std::string(message));
        });
        const int b =
            addLogSink([&](LogLevel, std::string_view, std::string_view message) { second.emplace_back(message); });
        log(LogLevel::Warning, "parse", "odd {} braces"); // text, not a format string
        removeLogSink(a);
        log(LogLevel::Info, "memory", "two");
        removeLogSink(b);
        log(LogLevel::Info, "memory", "three");
        QCOMPARE(first, (std::vector<std::string>{"2parse:odd {} braces"}));
        QCOMPARE(second, (std::vector<std::string>{"odd {} braces", "two"}));
    }

    void aSinkMayLogAndRemoveItself()
    {
        int calls = 0;
        int handle = 0;
        handle = addLogSink([&](LogLevel, std::string_view, std::string_view) {
            ++calls;
            log(LogLevel::Debug, "test", "from within"); // must not come back here
            removeLogSink(handle);
        });
        log(LogLevel::Info, "test", "one");
        log(LogLevel::Info, "test", "two");
        QCOMPARE(calls, 1);
    }

    void threadsDoNotInterleaveWithinASink()
    {
        std::vector<std::string> lines; // not protected: sinks are called one at a time
        const int handle =
            addLogSink([&](LogLevel, std::string_view, std::string_view message) { lines.emplace_back(message); });
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([] {
                for (int i = 0; i < 500; ++i) log(LogLevel::Info, "test", "line");
            });
        for (std::thread& thread : threads) thread.join();
        removeLogSink(handle);
        QCOMPARE(lines.size(), std::size_t{2000});
    }

    void removalWaitsForARunningCall()
    {
        std::atomic<bool> isRunning{false};
        std::atomic<bool> mayEnd{false};
        std::atomic<bool> hasEnded{false};
        const int handle = addLogSink([&](LogLevel, std::string_view, std::string_view) {
            isRunning = true;
            while (!mayEnd) std::this_thread::yield();
            hasEnded = true;
        });
        std::thread logger([] { log(LogLevel::Info, "test", "slow"); });
        while (!isRunning) std::this_thread::yield();
        std::thread opener([&] { mayEnd = true; });
        removeLogSink(handle);
        QVERIFY(hasEnded);
        logger.join();
        opener.join();
    }
};

QTEST_GUILESS_MAIN(TestLog)
#include "tst_log.moc"
