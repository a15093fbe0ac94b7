#pragma once
// gelens-cli: the same work as the window, with no display.

#include <iosfwd>

namespace gelens {

/// Runs one command line. Results go to `out`; one line beginning "gelens-cli: error:" to `err` on bad input or usage.
/// Exit status: 0 done; 1 done, and what was checked differs or fails; 2 bad input or usage.
int runCli(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

} // namespace gelens
