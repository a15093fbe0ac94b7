#pragma once
// Runs a filter program (text in, text out) that may hang, crash or flood, and always comes back in time.

#include <chrono>
#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace gelens {

struct ChildLimits {
    std::chrono::milliseconds time{2000}; ///< wall clock; then the child is killed
    std::size_t output = 64u << 20;       ///< bytes; a child that writes more is killed
    std::stop_token stop;                 ///< looked at every 10 ms
};

struct ChildResult {
    enum class End { Exited, NotStarted, TimedOut, Cancelled, TooMuchOutput, Killed };
    End end = End::NotStarted;
    int status = 0; ///< exit status if Exited, signal if Killed, errno if NotStarted
    std::string output;
};

/// Starts `program` (found in PATH unless it has a slash) with `arguments`, no shell in between, feeds it `input` and
/// collects its standard output; standard error is dropped. The child is reaped before this returns.
ChildResult runChild(const std::string& program, std::span<const char* const> arguments, std::string_view input,
                     const ChildLimits& limits);

} // namespace gelens
