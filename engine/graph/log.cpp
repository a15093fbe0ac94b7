#include "engine/graph/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace gelens {
namespace {

constexpr int off = 1000;

/// Sinks are called one at a time under a recursive lock: a sink needs no lock of its own, may log or remove itself,
/// and once removeLogSink() returns on another thread, the sink is not running any more.
struct Hub {
    std::recursive_mutex mutex;
    std::vector<std::pair<int, std::shared_ptr<LogSink>>> sinks;
    int nextHandle = 1;
    std::atomic<int> sinkCount{0};
    std::atomic<int> standardErrorLevel{off};
    std::shared_ptr<spdlog::logger> standardError;

    Hub()
    {
        standardError = std::make_shared<spdlog::logger>("gelens", std::make_shared<spdlog::sinks::stderr_sink_mt>());
        standardError->set_pattern("%H:%M:%S.%e %l %v");
        standardError->set_level(spdlog::level::trace);
        standardError->flush_on(spdlog::level::trace);
    }
};

Hub& hub()
{
    static Hub* const instance = new Hub; // never destroyed: destructors of other statics may still log
    return *instance;
}

spdlog::level::level_enum spdlogLevel(LogLevel level)
{
    switch (level) {
    case LogLevel::Debug: return spdlog::level::debug;
    case LogLevel::Info: return spdlog::level::info;
    case LogLevel::Warning: return spdlog::level::warn;
    case LogLevel::Error: return spdlog::level::err;
    }
    return spdlog::level::info;
}

thread_local bool isInsideSink = false;

struct InsideSink {
    InsideSink() { isInsideSink = true; }
    ~InsideSink() { isInsideSink = false; }
};

} // namespace

void log(LogLevel level, std::string_view area, std::string_view message)
{
    Hub& h = hub();
    if (static_cast<int>(level) >= h.standardErrorLevel.load(std::memory_order_relaxed))
        h.standardError->log(spdlogLevel(level), "{}: {}", area, message);
    // What a sink logs itself reaches standard error only, or it would call itself without end.
    if (isInsideSink || h.sinkCount.load(std::memory_order_acquire) == 0) return;
    const std::lock_guard lock(h.mutex);
    const InsideSink guard;
    const auto sinks = h.sinks; // a sink may remove itself
    for (const auto& [handle, sink] : sinks) (*sink)(level, area, message);
}

int addLogSink(LogSink sink)
{
    Hub& h = hub();
    const std::lock_guard lock(h.mutex);
    const int handle = h.nextHandle++;
    h.sinks.emplace_back(handle, std::make_shared<LogSink>(std::move(sink)));
    h.sinkCount.store(static_cast<int>(h.sinks.size()), std::memory_order_release);
    return handle;
}

void removeLogSink(int handle)
{
    Hub& h = hub();
    const std::lock_guard lock(h.mutex);
    std::erase_if(h.sinks, [handle](const auto& entry) { return entry.first == handle; });
    h.sinkCount.store(static_cast<int>(h.sinks.size()), std::memory_order_release);
}

void logToStandardError(bool enabled, LogLevel from)
{
    hub().standardErrorLevel.store(enabled ? static_cast<int>(from) : off, std::memory_order_relaxed);
}

} // namespace gelens
