#pragma once
// A session as a file (`.gelens`, JSON): everything a person would have to set up again.

#include "app/core/drawing_words.h"
#include "engine/graph/result.h"
#include "engine/session/breakpoints.h"
#include "engine/spec/compile_options.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <map>
#include <optional>
#include <vector>

namespace gelens {

struct SessionContents {
    /// Where its user was in a run.
    struct Place {
        int shown = -1, compared = -1; ///< steps; -1: where a fresh run is shown
        QString node;                  ///< name of the selected node; empty: none
        bool operator==(const Place&) const = default;
    };
    struct WhatIf {
        QString name;
        CompileOptions options;
        bool isCompared = false; ///< shown beside the model's own run
        Place comparison = {};   ///< where it was in that
        bool operator==(const WhatIf&) const = default;
    };
    struct Model : Place {
        QString path;   ///< absolute; written relative to the session file where it lies beside or below it
        QString readAs; ///< what the person said that the file is (formats/open_as.h); empty: its content tells
        CompileOptions options;
        std::vector<WhatIf> whatIfs;      ///< runs to be made again for comparison
        std::map<QString, QString> notes; ///< node name → note
        QString original;                 ///< model put at the start of an OM's steps; empty: none
        /// The same of its cards, by number; kept though it may not be split at the moment.
        std::map<int, std::map<QString, QString>> cardNotes;
        /// What it was split over; it is split again. Of a card: step, selection and runs alone.
        std::vector<Model> cards;
        /// Folders of dumps that its run is shown beside. Of each: path, step and selection alone.
        std::vector<Model> besides;
        /// Notes of the first version of the file, which did not tell cards apart: they may be of any card.
        bool areNotesOfCardsToo = false;
        bool operator==(const Model&) const = default;
    };
    std::vector<Model> models;
    int current = -1;                        ///< index in `models`
    int currentCard = -1;                    ///< card of that model which is shown; -1: the model itself
    int currentBeside = -1, currentRun = -1; ///< the same, of its dumps and of its runs that are compared
    QString view;                            ///< panel in front, by its name on the command line; empty: as it comes
    std::vector<Breakpoint> breakpoints;
    QStringList queries; ///< saved searches of the graph
    QString log;         ///< text in the log decoder
    /// Two files in the text diff, as paths are stored; empty: it compares the steps. `textForm`: in which form.
    QString textBefore, textAfter, textForm;
    /// How the graph is drawn; nothing: as the person who opens the session prefers it.
    std::optional<DrawingWords> drawing;
    std::optional<QStringList> openBlocks; ///< keys of blocks in the graph in front; nothing: chosen by size
    bool operator==(const SessionContents&) const = default;
    bool isEmpty() const
    {
        return models.empty() && breakpoints.empty() && queries.isEmpty() && log.isEmpty() && textBefore.isEmpty();
    }
};

/// `folder`: where the file lies, for relative paths; empty keeps them absolute.
QByteArray sessionToJson(const SessionContents& contents, const QString& folder);
/// Unknown fields are passed over; a wrong type or a newer version is an error that names the place.
Result<SessionContents> sessionFromJson(const QByteArray& text, const QString& where, const QString& folder);

/// Writes through a temporary file, so that a crash leaves the old one.
Status writeSession(const SessionContents& contents, const QString& path);
Result<SessionContents> readSession(const QString& path);

} // namespace gelens
