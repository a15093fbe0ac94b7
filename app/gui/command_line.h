#pragma once
// What the window is asked for as it starts: gelens [FILE|FOLDER…] and the options that gelens --help lists.

#include "app/core/drawing_words.h"
#include "engine/spec/compile_options.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace gelens {

struct GuiOptions {
    QStringList files;
    QString soc, step, view, language, theme, screenshot;
    QString compareStep, node, readAs, original;
    /// How the graph is drawn; nothing: as the person prefers it.
    std::optional<DrawingWords> drawing;
    std::optional<QStringList> openBlocks;
    QString textBefore, textAfter, textForm; ///< of the text diff
    QString log;                             ///< file for the log decoder
    QStringList besides;                     ///< folders of dumps that the run is shown beside
    /// Other runs of the last file, "NAME: OPTIONS" or options alone.
    struct Run {
        QString text;
        bool isCompared = false;
    };
    std::vector<Run> runs;
    int card = -1;            ///< of `cards`, the one in front; -1: the model
    bool printsState = false; ///< what is shown goes to standard output
    QSize size;
    int cards = 1;          ///< each model that is opened is split over so many
    CompileOptions compile; ///< all options of a run but the SoC
    QString error;          ///< one line; empty when the command line is good
    bool isDone = false;    ///< --help or --version was answered
};

GuiOptions parseGuiOptions(const QStringList& arguments);

} // namespace gelens
