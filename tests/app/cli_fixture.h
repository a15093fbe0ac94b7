#pragma once
// The command line, called in this process as a shell would call it.

#include "app/cli/cli.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace gelens::test {

/// How a call ended and what it wrote.
struct Answer {
    int status = -1;
    std::string out, err;
    nlohmann::json json() const { return nlohmann::json::parse(out); }
    bool says(const std::string& text) const { return out.find(text) != std::string::npos; }
    /// Bad input: one line on standard error that names what is wrong.
    bool isOneErrorLine(const std::string& named) const
    {
        return status == 2 && err.starts_with("gelens-cli: error: ") && std::count(err.begin(), err.end(), '\n') == 1 &&
               err.find(named) != std::string::npos;
    }
};

/// `arguments`: what stands behind the program's name.
inline int cliTo(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err)
{
    std::vector<const char*> argv{"gelens-cli"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    return runCli(static_cast<int>(argv.size()), argv.data(), out, err);
}

inline Answer cli(const std::vector<std::string>& arguments)
{
    std::ostringstream out, err;
    Answer answer;
    answer.status = cliTo(arguments, out, err);
    answer.out = out.str();
    answer.err = err.str();
    return answer;
}

} // namespace gelens::test
