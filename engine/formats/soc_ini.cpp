#include "engine/formats/soc_ini.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace gelens {
namespace {

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

class IniReader {
public:
    explicit IniReader(std::string path) : m_path(std::move(path)) {}

    Status read(std::string_view text)
    {
        if (text.find('\0') != std::string_view::npos)
            return Error::invalid("not a platform ini file: it holds zero bytes", m_path);
        std::string section;
        int line = 0;
        while (!text.empty()) {
            const auto end = text.find('\n');
            const std::string_view current = trimmed(text.substr(0, end));
            text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
            ++line;
            if (current.empty() || current.front() == '#' || current.front() == ';') continue;
            if (current.front() == '[') {
                if (current.back() != ']')
                    return Error::invalid("a section header without ']'", fmt::format("{}:{}", m_path, line));
                section = std::string(trimmed(current.substr(1, current.size() - 2)));
                m_hasSection = true;
                continue;
            }
            const auto equals = current.find('=');
            if (equals == std::string_view::npos || !m_hasSection)
                return Error::invalid("expected [section] or key=value", fmt::format("{}:{}", m_path, line));
            const std::string key = section + "." + std::string(trimmed(current.substr(0, equals)));
            m_values[key] = std::string(trimmed(current.substr(equals + 1)));
            m_lines[key] = line;
        }
        if (!m_hasSection) return Error::invalid("not a platform ini file: it has no [section]", m_path);
        return Status::success();
    }

    std::string text(const std::string& key) const
    {
        const auto found = m_values.find(key);
        return found == m_values.end() ? std::string() : found->second;
    }

    /// The first of several keys that is there and not empty; `otherwise` when none is.
    template <typename T>
    T number(std::initializer_list<const char*> keys, T otherwise)
    {
        for (const char* key : keys) {
            const std::string value = text(key);
            if (value.empty()) continue;
            T result{};
            const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), result);
            if (code != std::errc() || end != value.data() + value.size() || result < T{}) {
                if (m_error.empty())
                    m_error = fmt::format("{}:{}: {} is not a number: '{}'", m_path, m_lines[key], key, value);
                return otherwise;
            }
            return result;
        }
        return otherwise;
    }

    bool isOn(const std::string& key) const { return text(key) == "1" || text(key) == "true"; }
    const std::string& error() const { return m_error; }
    const std::map<std::string, std::string, std::less<>>& values() const { return m_values; }

private:
    std::string m_path, m_error;
    bool m_hasSection = false;
    std::map<std::string, std::string, std::less<>> m_values;
    std::map<std::string, int> m_lines;
};

/// Third field of AIC_version ("AIC-C-220") mapped to an instruction generation as pipeline facts 3.4 do.
int generationOf(const std::string& archVersion)
{
    const auto dash = archVersion.rfind('-');
    int number = 0;
    if (dash != std::string::npos)
        std::from_chars(archVersion.data() + dash + 1, archVersion.data() + archVersion.size(), number);
    if (number == 100) return 100;
    if (number >= 200 && number < 220) return 200;
    if (number == 220) return 220;
    if (number == 300 || number == 310) return 300;
    if (number == 350) return 350;
    return number;
}

MemoryRates readRates(IniReader& ini, const std::string& section, const MemoryRates& otherwise)
{
    const auto rate = [&](const char* first, const char* second, double fallback) {
        const std::string a = section + "." + first, b = section + "." + second;
        return ini.number<double>({a.c_str(), b.c_str()}, fallback);
    };
    MemoryRates rates = otherwise;
    rates.ddrRead = rate("ddr_read_rate", "ddr_rate", otherwise.ddrRead);
    rates.ddrWrite = rate("ddr_write_rate", "ddr_rate", otherwise.ddrWrite);
    rates.l2Read = rate("l2_read_rate", "l2_rate", otherwise.l2Read);
    rates.l2Write = rate("l2_write_rate", "l2_rate", otherwise.l2Write);
    rates.l1ToL0a = rate("l1_to_l0_a_rate", "l1_to_l0_a_rate", otherwise.l1ToL0a);
    rates.l1ToL0b = rate("l1_to_l0_b_rate", "l1_to_l0_b_rate", otherwise.l1ToL0b);
    rates.l1ToUb = rate("l1_to_ub_rate", "l1_to_ub_rate", otherwise.l1ToUb);
    rates.l0cToUb = rate("l0_c_to_ub_rate", "l0_c_to_ub_rate", otherwise.l0cToUb);
    rates.ubToL2 = rate("ub_to_l2_rate", "ub_to_l2_rate", otherwise.ubToL2);
    rates.ubToDdr = rate("ub_to_ddr_rate", "ub_to_ddr_rate", otherwise.ubToDdr);
    rates.ubToL1 = rate("ub_to_l1_rate", "ub_to_l1_rate", otherwise.ubToL1);
    return rates;
}

void readBlocks(const IniReader& ini, SocSpec& soc)
{
    constexpr std::string_view prefix = "DtypeMKN.";
    for (const auto& [key, value] : ini.values()) {
        if (!std::string_view(key).starts_with(prefix)) continue;
        BlockSize block;
        int* fields[] = {&block.m0, &block.k0, &block.n0};
        std::string_view rest = value;
        for (int* field : fields) {
            const auto comma = rest.find(',');
            const std::string_view part = trimmed(rest.substr(0, comma));
            std::from_chars(part.data(), part.data() + part.size(), *field);
            if (*field <= 0) *field = 16;
            rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
        }
        soc.blocks.emplace(key.substr(prefix.size()), block);
    }
}

void readCores(IniReader& ini, SocSpec& soc)
{
    // The combine mode may be a list ("fuse,split" on the 310B); a chip that can fuse is treated as fused.
    const std::string combine = ini.text("SoCInfo.cube_vector_combine");
    soc.coreLayout = combine == "split" ? CoreLayout::Split : CoreLayout::Fused;
    soc.hasHardwareSyncBetweenCores = ini.isOn("SoCInfo.hardware_sync_betweencore");
    soc.hasFftsPlus = ini.text("SoCInfo.ffts_mode") == "ffts-plus";
    soc.cubeCores = ini.number<int>({"SoCInfo.cube_core_cnt", "SoCInfo.ai_core_cnt"}, 1);
    soc.vectorCores = soc.coreLayout == CoreLayout::Split ? ini.number<int>({"SoCInfo.vector_core_cnt"}, soc.cubeCores)
                                                          : soc.cubeCores;
    soc.aiCpus = ini.number<int>({"SoCInfo.ai_cpu_cnt"}, 4);
    soc.memoryBytes = ini.number<std::int64_t>({"SoCInfo.memory_size"}, 0);
    soc.l2Bytes = ini.number<std::int64_t>({"SoCInfo.l2_size"}, 0);
    soc.maxStreams = ini.number<int>({"SoCInfo.max_stream_num"}, soc.maxStreams);
    soc.maxEvents = ini.number<int>({"SoCInfo.max_hardware_eventid_num"}, soc.maxEvents);
    soc.cubeMegahertz = ini.number<double>({"AICoreSpec.cube_freq"}, 1000);
    // Chips with extra vector cores give those their own clock; split chips share the cube core's.
    soc.vectorMegahertz = soc.coreLayout == CoreLayout::Split
                              ? ini.number<double>({"VectorCoreSpec.vec_freq", "AICoreSpec.cube_freq"}, 1000)
                              : soc.cubeMegahertz;
    soc.cubeM = ini.number<int>({"AICoreSpec.cube_m_size"}, 16);
    soc.cubeK = ini.number<int>({"AICoreSpec.cube_k_size"}, 16);
    soc.cubeN = ini.number<int>({"AICoreSpec.cube_n_size"}, 16);
    soc.vectorLanes = ini.number<int>({"AICoreSpec.vec_calc_size"}, 128);
    soc.ubBlockBytes = ini.number<std::int64_t>({"AICoreSpec.ubblock_size"}, 32);
}

void readBuffers(IniReader& ini, SocSpec& soc)
{
    soc.buffers.l0a = ini.number<std::int64_t>({"AICoreSpec.l0_a_size"}, 0);
    soc.buffers.l0b = ini.number<std::int64_t>({"AICoreSpec.l0_b_size"}, 0);
    soc.buffers.l0c = ini.number<std::int64_t>({"AICoreSpec.l0_c_size"}, 0);
    soc.buffers.l1 = ini.number<std::int64_t>({"AICoreSpec.l1_size"}, 0);
    soc.buffers.ub = ini.number<std::int64_t>({"AICoreSpec.ub_size"}, 0);
    soc.buffers.biasTable = ini.number<std::int64_t>({"AICoreSpec.bt_size"}, 0);
    soc.buffers.fixpipe = ini.number<std::int64_t>({"AICoreSpec.fb0_size"}, 0);
}

} // namespace

Result<SocSpec> parseSocIni(std::string_view text, const std::string& path)
{
    IniReader ini(path);
    GELENS_TRY(ini.read(text));
    SocSpec soc;
    soc.sourceFile = path;
    soc.name = ini.text("version.SoC_version");
    if (soc.name.empty()) soc.name = std::filesystem::path(path).stem().string();
    if (soc.name.empty()) return Error::invalid("no SoC_version in section [version]", path);
    soc.family = ini.text("version.Short_SoC_version");
    soc.archVersion = ini.text("version.AIC_version");
    soc.generation = generationOf(soc.archVersion);
    readCores(ini, soc);
    readBuffers(ini, soc);
    // The 950 generation has no UB fusion (facts, 2.1); it is the only family with split cores of generation 300.
    soc.hasUbFusion = !(soc.coreLayout == CoreLayout::Split && soc.generation >= 300);
    soc.cubeRates = readRates(ini, "AICoreMemoryRates", {});
    soc.vectorRates =
        soc.coreLayout == CoreLayout::Split ? readRates(ini, "VectorCoreMemoryRates", soc.cubeRates) : soc.cubeRates;
    readBlocks(ini, soc);
    soc.raw = ini.values();
    if (!ini.error().empty()) return Error::invalid(ini.error());
    return soc;
}

Result<SocSpec> readSocIni(const std::string& path)
{
    std::error_code code;
    const auto size = std::filesystem::file_size(path, code);
    if (code) return Error::io("cannot read the SoC profile: " + code.message(), path);
    if (size > (1u << 24)) return Error::invalid("not a platform ini file: larger than 16 MiB", path);
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) return Error::io("cannot read the SoC profile", path);
    return parseSocIni(text.str(), path);
}

std::vector<std::string> socNamesIn(const std::string& folder)
{
    std::vector<std::string> names;
    std::error_code code;
    for (const auto& entry : std::filesystem::directory_iterator(folder, code))
        if (entry.path().extension() == ".ini") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace gelens
