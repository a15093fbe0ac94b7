#include "app/cli/picture_library.h"

#include "viewers/picture/picture_plugin.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

namespace gelens::cli {
namespace {

/// Beside the running program; else wherever the system looks for libraries.
void* openLibrary()
{
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
        const std::filesystem::path beside = program.parent_path() / picturePlugin;
        if (std::filesystem::exists(beside, error)) return ::dlopen(beside.c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    return ::dlopen(picturePlugin, RTLD_NOW | RTLD_LOCAL);
}

} // namespace

Status writePictureFile(const GraphDrawing& drawing, const std::string& path, bool isDark)
{
    void* library = openLibrary();
    if (library == nullptr)
        return Error::unsupported(
            std::string("PNG and PDF need ") + picturePlugin + " beside the program; SVG and DOT do not", path);
    const auto write = reinterpret_cast<WritePicture>(::dlsym(library, pictureFunction));
    if (write == nullptr) return Error::unsupported(std::string(picturePlugin) + " is of another version", path);
    std::string error;
    // The library stays loaded: Qt does not like to be taken away before the program ends.
    if (write(&drawing, path.c_str(), isDark ? 1 : 0, &error) != 0) return Error::io(error, path);
    return {};
}

Status writeChartFile(const std::string& svg, const std::string& path)
{
    void* library = openLibrary();
    if (library == nullptr)
        return Error::unsupported(
            std::string("PNG and PDF need ") + picturePlugin + " beside the program; SVG and CSV do not", path);
    const auto write = reinterpret_cast<WriteChart>(::dlsym(library, chartFunction));
    if (write == nullptr) return Error::unsupported(std::string(picturePlugin) + " is of another version", path);
    std::string error;
    if (write(&svg, path.c_str(), &error) != 0) return Error::io(error, path);
    return {};
}

} // namespace gelens::cli
