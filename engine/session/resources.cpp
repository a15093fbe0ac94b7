#include "engine/formats/soc_ini.h"
#include "engine/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace gelens {

namespace fs = std::filesystem;

std::string resourceFolder()
{
    static const std::string folder = [] {
        if (const char* set = std::getenv("GELENS_RESOURCES"); set != nullptr && *set != '\0') return std::string(set);
        std::error_code code;
        const fs::path binary = fs::read_symlink("/proc/self/exe", code);
        if (!code) {
            // Installed: <prefix>/bin and <prefix>/share/gelens. In a build tree: the source tree's resources/ is some
            // levels above build/<preset>/bin.
            const fs::path installed = binary.parent_path().parent_path() / "share" / "gelens";
            if (fs::is_directory(installed / "soc", code)) return installed.string();
            for (fs::path up = binary.parent_path(); up.has_relative_path(); up = up.parent_path())
                if (fs::is_directory(up / "resources" / "soc", code)) return (up / "resources").string();
        }
        return std::string("resources");
    }();
    return folder;
}

std::vector<std::string> socNames() { return socNamesIn(resourceFolder() + "/soc"); }

namespace {

void applyOverrides(SocSpec& soc, const BufferOverrides& buffers)
{
    const auto put = [](std::int64_t& value, std::int64_t wanted) {
        if (wanted > 0) value = wanted;
    };
    put(soc.buffers.l1, buffers.l1);
    put(soc.buffers.ub, buffers.ub);
    put(soc.buffers.l0a, buffers.l0a);
    put(soc.buffers.l0b, buffers.l0b);
    put(soc.buffers.l0c, buffers.l0c);
    put(soc.l2Bytes, buffers.l2);
}

} // namespace

Result<SocSpec> loadSoc(const CompileOptions& options)
{
    std::string path = options.socFile;
    if (path.empty()) {
        const std::vector<std::string> names = socNames();
        if (names.empty()) // what GELENS_RESOURCES names, or a broken installation
            return Error::notFound("no SoC is described there; the folder of resources is missing or not complete",
                                   resourceFolder() + "/soc");
        if (std::find(names.begin(), names.end(), options.soc) == names.end())
            return Error::notFound(fmt::format("unknown SoC '{}'; known: {}", options.soc, fmt::join(names, ", ")));
        path = resourceFolder() + "/soc/" + options.soc + ".ini";
    }
    GELENS_ASSIGN(SocSpec soc, readSocIni(path));
    applyOverrides(soc, options.buffers);
    return soc;
}

} // namespace gelens
