#pragma once
// The one door to spdlog: a replaceable sink, so that the log view, the command line and tests each plug in.

#include <functional>
#include <string>
#include <string_view>

namespace gelens {

enum class LogLevel { Debug, Info, Warning, Error };

/// Thread-safe. `area` is a short word: "parse", "fusion", "memory" …
void log(LogLevel level, std::string_view area, std::string_view message);

using LogSink = std::function<void(LogLevel, std::string_view area, std::string_view message)>;
/// Adds a sink; returns a handle for removeLogSink. Sinks are called on the logging thread.
int addLogSink(LogSink sink);
void removeLogSink(int handle);
/// Lets spdlog write to standard error from this level on; off by default.
void logToStandardError(bool enabled, LogLevel from = LogLevel::Info);

} // namespace gelens
