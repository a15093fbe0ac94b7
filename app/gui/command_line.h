#pragma once
// gelens [FILE…] [--soc NAME] [--step N|NAME|last] [--view NAME] [--language L] [--theme T] [--cards N] [--size WxH] [--screenshot F]

#include "engine/spec/compile_options.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace gelens {

struct GuiOptions {
    QStringList files;
    QString soc, step, view, language, theme, screenshot;
    QSize size;
    int cards = 1;          ///< each model that is opened is split over so many
    CompileOptions compile; ///< all options of a run but the SoC
    QString error;          ///< one line; empty when the command line is good
    bool isDone = false;    ///< --help or --version was answered
};

GuiOptions parseGuiOptions(const QStringList& arguments);

} // namespace gelens
