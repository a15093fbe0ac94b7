#include "app/gui/appearance.h"
#include "app/gui/card_tools.h"
#include "app/gui/command_line.h"
#include "app/gui/main_window.h"
#include "app/gui/screenshot.h"
#include "app/gui/session_keeper.h"
#include "app/gui/view_command.h"

#include <QApplication>

#include <algorithm>
#include <cstdio>
#include <initializer_list>

namespace {

int fail(const QString& text)
{
    std::fprintf(stderr, "gelens: error: %s\n", qPrintable(text));
    return 2;
}

} // namespace

int main(int argc, char** argv)
{
    using namespace gelens;
    const auto isAsked = [&](std::initializer_list<const char*> options) {
        return std::any_of(argv, argv + argc, [&](const char* text) {
            return std::any_of(options.begin(), options.end(),
                               [&](const char* option) { return QByteArray(text).startsWith(option); });
        });
    };
    // A screenshot needs no display, and a line of help does not either.
    const bool isScreenshot = isAsked({"--screenshot", "--print-state"});
    const bool isOffscreen = isScreenshot || isAsked({"--help", "-h", "--version", "-v"});
    if (isOffscreen && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("gelens"));
    QApplication::setOrganizationName(QStringLiteral("GE Lens"));
    QApplication::setApplicationVersion(QStringLiteral(GELENS_VERSION));

    const GuiOptions options = parseGuiOptions(QApplication::arguments());
    if (!options.error.isEmpty()) return fail(options.error);
    if (options.isDone) return 0;

    const Settings settings;
    applyTheme(options.theme.isEmpty() ? settings.theme() : options.theme);
    applyLanguage(options.language.isEmpty() ? settings.language() : options.language);
    MainWindow window;
    if (!options.soc.isEmpty()) {
        const auto names = socNames();
        if (std::find(names.begin(), names.end(), options.soc.toStdString()) == names.end())
            return fail(QStringLiteral("--soc %1: unknown SoC").arg(options.soc));
        window.setSoc(options.soc);
    }
    if (options.size.isValid()) window.resize(options.size);
    if (const QString problem = applyWindowOptions(window, options); !problem.isEmpty()) return fail(problem);
    if (!isScreenshot) window.sessionKeeper()->start();
    const auto session = sessionOf(options, settings.soc());
    for (const QString& file : options.files) {
        if (session && &file == &options.files.last()) {
            window.sessionKeeper()->restore(*session);
            break;
        }
        const int id = window.openFile(file, options.compile);
        if (options.cards > 1) window.cardTools()->splitWhenOpened(id, options.cards);
    }
    if (!options.view.isEmpty() && options.files.isEmpty()) window.showView(options.view);
    window.show();
    ScreenState state(&window, options);
    return QApplication::exec();
}
