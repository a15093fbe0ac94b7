#pragma once
// What the commands share: their environment, the options that change a run, and table output.

#include "engine/graph/result.h"
#include "engine/session/session.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace gelens::cli {

enum ExitStatus { Done = 0, Differs = 1, BadInput = 2 };

/// Streams of this call; commands write nowhere else.
struct Environment {
    std::ostream& out;
    std::ostream& err;

    /// Writes the one error line and gives the exit status for it.
    int fail(const Error& error) const;
    int fail(const std::string& text) const;
    /// Writes text to a file; an error names the file.
    Status writeFile(const std::string& path, const std::string& text) const;
};

/// A command registers its options on `app` and leaves in `run` what to do when it is chosen.
struct Command {
    CLI::App* app = nullptr;
    std::function<int()> run;
};

/// Options that every command with a run understands; `finish` turns texts into CompileOptions after parsing.
struct RunArguments {
    std::string file;
    CompileOptions options;

    void addTo(CLI::App& app);
    /// All but FILE, for commands that take several.
    void addOptionsTo(CLI::App& app);
    Status finish();

private:
    std::string m_mode = "auto", m_policy = "best", m_precision = "must_keep_origin_dtype";
    std::vector<std::string> m_sets, m_rulesOn, m_rulesOff, m_labels, m_superKernels;
};

/// For --time-limit: finite and not negative; says so in its own words.
CLI::Validator secondsCheck();
/// For numbers of bytes: 1 or more.
CLI::Validator bytesCheck();

/// "--set x=1,3,224,224" → entry in options.inputShapes; an error names the text.
Status parseShapeOption(const std::string& text, CompileOptions& options);

Command infoCommand(CLI::App& parent, const Environment& environment);
Command compileCommand(CLI::App& parent, const Environment& environment);
Command explainCommand(CLI::App& parent, const Environment& environment);
Command listCommand(CLI::App& parent, const Environment& environment);
Command exportCommand(CLI::App& parent, const Environment& environment);
Command checkCommand(CLI::App& parent, const Environment& environment);
Command dumpsCommand(CLI::App& parent, const Environment& environment);
Command diffCommand(CLI::App& parent, const Environment& environment);
Command runCommand(CLI::App& parent, const Environment& environment);
Command memplanCommand(CLI::App& parent, const Environment& environment);
Command modelsCommand(CLI::App& parent, const Environment& environment);

/// 1247 → "1,247"; bytes → "3.82 GB (3,820,000,000 B)"-like short form.
std::string grouped(std::int64_t value);
std::string bytesText(std::int64_t bytes);

/// Warnings and errors of a run or a reader, one line each, each said once. `file` is named where a message has no place.
void printWarnings(std::ostream& out, const std::vector<Message>& messages, const std::string& file);

/// --rules: each must be a folder with *.textproto in it, or such a file.
Status checkRuleFolders(const std::vector<std::string>& folders);

/// Columns padded to their widest cell; the first row is the header.
std::string tableText(const std::vector<std::vector<std::string>>& rows);

struct ReportArguments {
    std::string path; ///< empty: none is asked for
    std::string language = "en";
};
/// --report and --language; gives the first.
CLI::Option* addReportTo(CLI::App& app, ReportArguments& arguments);
/// What can be refused before the run.
Status checkReport(const ReportArguments& arguments);
/// The run as one HTML or PDF file, graphs drawn in it.
Status writeReport(const Environment& environment, const Run& run, const ReportArguments& arguments);

} // namespace gelens::cli
