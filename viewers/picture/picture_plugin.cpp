// The picture writer as a library that the command line loads when a picture is asked for: so that the command line
// itself needs no Qt, neither to start nor to be installed. What it has of reports is in viewers/report.

#include "viewers/picture/picture_plugin.h"

#include "viewers/picture/chart_file.h"
#include "viewers/picture/picture_file.h"
#include "viewers/picture/quiet_qt.h"

namespace {

int answer(const gelens::Status& status, std::string* error)
{
    if (!status.ok()) *error = status.error().message();
    return status.ok() ? 0 : 1;
}

} // namespace

extern "C" Q_DECL_EXPORT int gelensWritePicture(const gelens::GraphDrawing* drawing, const char* path, int isDark,
                                                std::string* error)
{
    const auto app = gelens::startQt();
    return answer(gelens::writePicture(*drawing, path, isDark != 0), error);
}

extern "C" Q_DECL_EXPORT int gelensWriteChart(const std::string* svg, const char* path, std::string* error)
{
    const auto app = gelens::startQt();
    return answer(gelens::writeChart(*svg, path), error);
}
