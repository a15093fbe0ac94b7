#pragma once
// Qt as the command line uses it: no display, nothing said of the desktop that is not there.

#include <QGuiApplication>

#include <memory>

namespace gelens {

/// Qt without a display, where it does not run yet.
inline std::unique_ptr<QGuiApplication> startQt()
{
    static int argc = 3;
    static char name[] = "gelens-cli", option[] = "-platform", platform[] = "offscreen";
    static char* argv[] = {name, option, platform, nullptr};
    if (QCoreApplication::instance() != nullptr) return nullptr;
    qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext&, const QString&) {}); // remarks on the desktop that is not there
    return std::make_unique<QGuiApplication>(argc, argv);
}

} // namespace gelens
