#pragma once
// What a person prefers where nothing else was said: each declared once, with its key, its default and its bounds.
// The settings dialog is made from this table; what each does is in app/gui/preference_tools.cpp.

#include "engine/spec/compile_options.h"

#include <QString>
#include <QStringList>
#include <QVariant>

#include <vector>

namespace gelens {

enum class Preference {
    FontPoints,
    RecentFiles,
    AutosaveSeconds,
    Precision,
    MemoryPolicy,
    PlannerSeconds,
    VerifyAfterRun,
    VerifySeconds,
    DumpFolder,
    DumpDetail,
    GraphMode,
    GraphColours,
    FoldBlocks,
    FoldScopes,
    EdgeShapes,
    EdgeDataTypes,
    EdgeFormats,
    Constants,
    MiniMap,
    Animations
};

enum class PreferencePage { General, Compile, Graph };

struct PreferenceInfo {
    enum class Kind { Flag, Number, Choice, Folder };
    Preference id;
    const char* key; ///< permanent: the name in the settings file
    PreferencePage page;
    Kind kind;
    QVariant initial;         ///< bool, int or QString
    int least = 0, most = 0;  ///< of a number
    QStringList choices = {}; ///< of a choice: what is stored; the dialog has the words
};

/// In the order of the dialog.
const std::vector<PreferenceInfo>& preferences();
const PreferenceInfo& preferenceInfo(Preference preference);

/// What is stored; the default where nothing is, or nothing that is allowed.
QVariant preference(Preference preference);
/// A value that is not allowed is not stored. What equals the default is forgotten, so that a new default reaches it.
void setPreference(Preference preference, const QVariant& value);
bool isPreferenceChanged(Preference preference);

/// Options of a run that nobody said anything about. The chip is kept apart (Settings::soc).
CompileOptions preferredOptions();

} // namespace gelens
