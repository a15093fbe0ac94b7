#include "engine/passes/fusion/autofuse_flags.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <vector>

namespace gelens {
namespace {

std::vector<std::string_view> split(std::string_view text, char by)
{
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(by), text.size());
        std::string_view part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
        while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
        if (!part.empty()) parts.push_back(part);
    }
    return parts;
}

std::optional<FusionClass> switchableClass(std::string_view name)
{
    static constexpr std::pair<std::string_view, FusionClass> names[] = {
        {"reduce", FusionClass::Reduce}, {"concat", FusionClass::Concat}, {"slice", FusionClass::Slice},
        {"split", FusionClass::Split},   {"gather", FusionClass::Gather}, {"transpose", FusionClass::Transpose}};
    for (const auto& [known, fusionClass] : names)
        if (known == name) return fusionClass;
    return std::nullopt;
}

Status readClasses(std::string_view list, bool isOn, AutofuseFlags& flags)
{
    for (const std::string_view name : split(list, ',')) {
        const auto fusionClass = switchableClass(name);
        if (!fusionClass)
            return Error::invalid(
                fmt::format("AUTOFUSE_FLAGS: '{}' is none of reduce, concat, slice, split, gather, transpose", name));
        if (isOn)
            flags.classes.insert(*fusionClass);
        else
            flags.classes.erase(*fusionClass);
    }
    return Status::success();
}

Status readNumber(std::string_view name, std::string_view value, int least, int most, int& number)
{
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (problem != std::errc() || end != value.data() + value.size() || number < least || number > most)
        return Error::invalid(
            fmt::format("AUTOFUSE_FLAGS: {} wants a number from {} to {}, not '{}'", name, least, most, value));
    return Status::success();
}

} // namespace

Result<AutofuseFlags> parseAutofuseFlags(std::string_view text)
{
    AutofuseFlags flags;
    std::string_view disabled; // beats the list of enabled ones, wherever it stands
    for (const std::string_view part : split(text, ';')) {
        const std::size_t equals = part.find('=');
        const std::string_view name = part.substr(0, equals);
        const std::string_view value = equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
        if (name == "--enable_autofuse") {
            if (value != "true" && value != "false")
                return Error::invalid(
                    fmt::format("AUTOFUSE_FLAGS: --enable_autofuse wants true or false, not '{}'", value));
            flags.isEnabled = value == "true";
        } else if (name == "--autofuse_enable_pass") {
            GELENS_TRY(readClasses(value, true, flags));
        } else if (name == "--autofuse_disable_pass") {
            disabled = value;
        } else if (name == "--recomputation_threshold") {
            GELENS_TRY(readNumber(name, value, 0, 255, flags.recomputationThreshold));
        } else if (name == "--max_fusion_size") {
            GELENS_TRY(readNumber(name, value, 1, 1024, flags.maxFusionSize));
        } else if (name != "--autofuse_enhance_precision_blacklist") {
            return Error::invalid(fmt::format("AUTOFUSE_FLAGS: unknown flag '{}'", name));
        }
    }
    GELENS_TRY(readClasses(disabled, false, flags));
    return flags;
}

} // namespace gelens
