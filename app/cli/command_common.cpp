#include "app/cli/command_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <set>

namespace gelens::cli {

int Environment::fail(const Error& error) const { return fail(error.message()); }

int Environment::fail(const std::string& text) const
{
    std::string line = text;
    for (char& c : line)
        if (c == '\n' || c == '\r') c = ' ';
    err << "gelens-cli: error: " << line << '\n';
    return BadInput;
}

Status Environment::writeFile(const std::string& path, const std::string& text) const
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) return Error::io("cannot write the file", path);
    return Status::success();
}

CLI::Validator secondsCheck()
{
    const auto check = [](std::string& text) {
        double value = 0;
        const bool isNumber = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && value >= 0;
        return isNumber ? std::string() : text + " is not a number of seconds, 0 or more";
    };
    return CLI::Validator(check, "SECONDS");
}

CLI::Validator bytesCheck()
{
    const auto check = [](std::string& text) {
        std::int64_t value = 0;
        const bool isNumber = CLI::detail::lexical_cast(text, value) && value > 0;
        return isNumber ? std::string() : text + " is not a whole number of bytes, 1 or more";
    };
    return CLI::Validator(check, "BYTES");
}

void RunArguments::addTo(CLI::App& app)
{
    app.add_option("FILE", file, "model to open (recognised by its content)")->required();
    addOptionsTo(app);
}

void RunArguments::addOptionsTo(CLI::App& app)
{
    app.add_option("--soc", options.soc, "SoC to compile for")->capture_default_str();
    app.add_option("--soc-file", options.socFile, "a platform ini file instead of a built-in SoC");
    app.add_option("--mode", m_mode, "auto, full or light")
        ->check(CLI::IsMember({"auto", "full", "light"}))
        ->capture_default_str();
    app.add_option("--precision", m_precision,
                   "must_keep_origin_dtype, force_fp16, allow_fp32_to_fp16 or allow_mix_precision")
        ->check(CLI::IsMember({"must_keep_origin_dtype", "force_fp16", "allow_fp32_to_fp16", "allow_mix_precision"}))
        ->capture_default_str();
    app.add_option("--fusion-switch", options.fusionSwitchFile, "CANN's fusion_switch.cfg");
    app.add_option("--rules", options.ruleFolders, "folder with more fusion rules (may be repeated)")
        ->allow_extra_args(false);
    app.add_option("--rule-on", m_rulesOn, "switch a rule on, by id or GE pass name (may be repeated)")
        ->allow_extra_args(false);
    app.add_option("--rule-off", m_rulesOff, "switch a rule off (may be repeated)")->allow_extra_args(false);
    app.add_option("--skip-pass", options.skippedPasses,
                   "leave a pass out, by GE pass name or rule id (may be repeated)")
        ->allow_extra_args(false);
    app.add_option("--autofuse", options.autofuseFlags,
                   "GE's AUTOFUSE_FLAGS: --enable_autofuse=true;--autofuse_enable_pass=reduce,concat…")
        ->envname("AUTOFUSE_FLAGS");
    app.add_option("--memory-policy", m_policy, "best, ge, simple, greedy or optimal")
        ->check(CLI::IsMember({"best", "ge", "simple", "greedy", "optimal"}))
        ->capture_default_str();
    app.add_option("--time-limit", options.timeLimitSeconds, "seconds for planners that search")->check(secondsCheck());
    app.add_option("--set", m_sets, "shape of an input: NAME=1,3,224,224 (may be repeated)")->allow_extra_args(false);
    app.add_flag("--parallel-streams", options.parallelStreams,
                 "streams by label, engine and independence instead of one");
    app.add_option("--stream-label", m_labels,
                   "NODE=LABEL: the node runs on the stream of that label (may be repeated)")
        ->allow_extra_args(false);
    app.add_option(
           "--super-kernel", m_superKernels,
           "NODES=SCOPE: compiled operators of these names (* for any letters) share one launch (may be repeated)")
        ->allow_extra_args(false);
    constexpr std::pair<const char*, std::int64_t BufferOverrides::*> buffers[] = {
        {"--l1", &BufferOverrides::l1},   {"--ub", &BufferOverrides::ub},   {"--l0a", &BufferOverrides::l0a},
        {"--l0b", &BufferOverrides::l0b}, {"--l0c", &BufferOverrides::l0c}, {"--l2", &BufferOverrides::l2}};
    for (const auto& [name, field] : buffers)
        app.add_option(name, options.buffers.*field, "bytes that take the place of the chip's own")
            ->check(bytesCheck());
    app.add_option("--seed", options.seed, "seed of generated inputs")->capture_default_str();
}

Status parseShapeOption(const std::string& text, CompileOptions& options)
{
    const auto equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0)
        return Error::invalid(fmt::format("--set {}: expected INPUT=1,3,224,224", text));
    std::vector<std::int64_t> dims;
    std::string_view rest = std::string_view(text).substr(equals + 1);
    while (!rest.empty()) {
        const auto comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        std::int64_t dim = 0;
        const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), dim);
        if (code != std::errc() || end != part.data() + part.size() || dim < 0)
            return Error::invalid(fmt::format("--set {}: '{}' is not a dimension", text, part));
        dims.push_back(dim);
        if (comma == std::string_view::npos) break;
        rest = rest.substr(comma + 1);
        if (rest.empty()) return Error::invalid(fmt::format("--set {}: a dimension is missing at the end", text));
    }
    options.inputShapes[text.substr(0, equals)] = std::move(dims);
    return Status::success();
}

Status checkRuleFolders(const std::vector<std::string>& folders)
{
    namespace fs = std::filesystem;
    const auto isRuleFile = [](const fs::path& path) { return path.extension() == ".textproto"; };
    for (const std::string& folder : folders) {
        std::error_code code;
        const fs::file_status status = fs::status(folder, code);
        if (!fs::exists(status)) return Error::notFound("--rules: no such folder", folder);
        if (fs::is_regular_file(status)) {
            if (isRuleFile(folder)) continue;
            return Error::invalid("--rules: this is neither a folder nor a .textproto file", folder);
        }
        bool hasRules = false;
        for (fs::directory_iterator it(folder, code), end; !code && !hasRules && it != end; it.increment(code))
            hasRules = isRuleFile(it->path());
        if (code) return Error::io("--rules: cannot read the folder", folder);
        if (!hasRules) return Error::notFound("--rules: the folder holds no rule file (*.textproto)", folder);
    }
    return Status::success();
}

Status RunArguments::finish()
{
    GELENS_TRY(checkRuleFolders(options.ruleFolders));
    if (std::error_code code; !options.fusionSwitchFile.empty() &&
                              std::filesystem::is_regular_file(options.fusionSwitchFile, code) &&
                              std::filesystem::file_size(options.fusionSwitchFile, code) == 0 && !code)
        return Error::invalid("--fusion-switch: the file is empty", options.fusionSwitchFile);
    options.mode = m_mode == "full" ? CompileMode::Full : m_mode == "light" ? CompileMode::Light : CompileMode::Auto;
    constexpr std::pair<const char*, MemoryPolicy> policies[] = {{"best", MemoryPolicy::Best},
                                                                 {"ge", MemoryPolicy::Ge},
                                                                 {"simple", MemoryPolicy::Simple},
                                                                 {"greedy", MemoryPolicy::Greedy},
                                                                 {"optimal", MemoryPolicy::Optimal}};
    for (const auto& [name, policy] : policies)
        if (m_policy == name) options.memoryPolicy = policy;
    constexpr std::pair<const char*, PrecisionMode> precisions[] = {
        {"must_keep_origin_dtype", PrecisionMode::MustKeepOriginDtype},
        {"force_fp16", PrecisionMode::ForceFp16},
        {"allow_fp32_to_fp16", PrecisionMode::AllowFp32ToFp16},
        {"allow_mix_precision", PrecisionMode::AllowMixPrecision}};
    for (const auto& [name, precision] : precisions)
        if (m_precision == name) options.precision = precision;
    for (const std::string& rule : m_rulesOn) options.ruleSwitches[rule] = true;
    for (const std::string& rule : m_rulesOff) options.ruleSwitches[rule] = false;
    for (const std::string& text : m_labels) {
        const auto equals = text.rfind('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
            return Error::invalid(fmt::format("--stream-label {}: expected NODE=LABEL", text));
        options.streamLabels[text.substr(0, equals)] = text.substr(equals + 1);
    }
    for (const std::string& text : m_superKernels) {
        const auto equals = text.rfind('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
            return Error::invalid(fmt::format("--super-kernel {}: expected NODES=SCOPE", text));
        options.superKernelScopes[text.substr(0, equals)] = text.substr(equals + 1);
    }
    for (const std::string& text : m_sets) GELENS_TRY(parseShapeOption(text, options));
    return Status::success();
}

void printWarnings(std::ostream& out, const std::vector<Message>& messages, const std::string& file)
{
    constexpr std::size_t mostLines = 20;
    std::set<std::pair<std::string, std::string>> said;
    for (const Message& message : messages) {
        if (message.severity == Severity::Info || !said.emplace(message.where, message.text).second) continue;
        if (said.size() <= mostLines)
            out << fmt::format("warning: {}: {}\n", message.where.empty() ? file : message.where, message.text);
    }
    if (said.size() > mostLines) out << fmt::format("warning: {} more like these\n", said.size() - mostLines);
}

std::string grouped(std::int64_t value)
{
    std::string digits = std::to_string(value < 0 ? -value : value);
    for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(static_cast<std::size_t>(i), ",");
    return value < 0 ? "-" + digits : digits;
}

std::string bytesText(std::int64_t bytes)
{
    constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = static_cast<double>(bytes);
    int unit = 0;
    while (value >= 1000 && unit < 4) {
        value /= 1000;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", value, units[unit]);
}

std::string tableText(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (i + 1 < row.size()) line.append(widths[i] - row[i].size() + 2, ' ');
        }
        text += line + '\n';
    }
    return text;
}

} // namespace gelens::cli
