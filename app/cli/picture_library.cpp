#include "app/cli/picture_library.h"

#include "viewers/picture/picture_plugin.h"
#include "viewers/report/report_plugin.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

namespace gelens::cli {
namespace {

/// Beside the running program; else wherever the system looks for libraries. It stays loaded: Qt does not like to be
/// taken away before the program ends.
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

/// A function of the library by its name. `what` needs the library: "PNG and PDF need"; `else_` says what does not.
template <typename Function>
Result<Function> libraryFunction(const char* name, const std::string& what, const std::string& else_,
                                 const std::string& path)
{
    void* library = openLibrary();
    if (library == nullptr)
        return Error::unsupported(what + " " + picturePlugin + " beside the program; " + else_, path);
    const auto function = reinterpret_cast<Function>(::dlsym(library, name));
    if (function == nullptr) return Error::unsupported(std::string(picturePlugin) + " is of another version", path);
    return function;
}

} // namespace

Status writePictureFile(const GraphDrawing& drawing, const std::string& path, bool isDark)
{
    const auto write = libraryFunction<WritePicture>(pictureFunction, "PNG and PDF need", "SVG and DOT do not", path);
    if (!write.ok()) return write.error();
    std::string error;
    if ((*write)(&drawing, path.c_str(), isDark ? 1 : 0, &error) != 0) return Error::io(error, path);
    return {};
}

Status writeChartFile(const std::string& svg, const std::string& path)
{
    const auto write = libraryFunction<WriteChart>(chartFunction, "PNG and PDF need", "SVG and CSV do not", path);
    if (!write.ok()) return write.error();
    std::string error;
    if ((*write)(&svg, path.c_str(), &error) != 0) return Error::io(error, path);
    return {};
}

Status writeReportFile(const ReportModel& report, const std::string& path)
{
    const auto write = libraryFunction<WriteReport>(reportFunction, "PDF needs", "HTML does not", path);
    if (!write.ok()) return write.error();
    std::string error;
    if ((*write)(&report, path.c_str(), &error) != 0) return Error::io(error, {}); // it names the file
    return {};
}

Status withReportWords(const std::string& language, const std::function<void(const ReportWords&)>& use)
{
    const auto call = libraryFunction<WithReportWords>(reportWordsFunction, "--language " + language + " needs",
                                                       "English does not", {});
    if (!call.ok()) return call.error();
    std::string error;
    if ((*call)(language.c_str(), &use, &error) != 0) return Error::unsupported("--language: " + error, {});
    return {};
}

} // namespace gelens::cli
