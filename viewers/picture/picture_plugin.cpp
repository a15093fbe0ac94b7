// The picture writer as a library that the command line loads when a picture is asked for: so that the command line
// itself needs no Qt, neither to start nor to be installed.

#include "viewers/picture/picture_plugin.h"

#include "viewers/picture/chart_file.h"
#include "viewers/picture/picture_file.h"

#include <QGuiApplication>

#include <memory>

namespace {

/// Qt without a display, where it does not run yet.
std::unique_ptr<QGuiApplication> startQt()
{
    static int argc = 3;
    static char name[] = "gelens-cli", option[] = "-platform", platform[] = "offscreen";
    static char* argv[] = {name, option, platform, nullptr};
    if (QCoreApplication::instance() != nullptr) return nullptr;
    qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext&, const QString&) {}); // remarks on the desktop that is not there
    return std::make_unique<QGuiApplication>(argc, argv);
}

int answer(const gelens::Status& status, std::string* error)
{
    if (!status.ok()) *error = status.error().message();
    return status.ok() ? 0 : 1;
}

} // namespace

extern "C" Q_DECL_EXPORT int gelensWritePicture(const gelens::GraphDrawing* drawing, const char* path, int isDark,
                                                std::string* error)
{
    const auto app = startQt();
    return answer(gelens::writePicture(*drawing, path, isDark != 0), error);
}

extern "C" Q_DECL_EXPORT int gelensWriteChart(const std::string* svg, const char* path, std::string* error)
{
    const auto app = startQt();
    return answer(gelens::writeChart(*svg, path), error);
}
