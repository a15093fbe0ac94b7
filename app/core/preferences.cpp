#include "app/core/preferences.h"

#include "app/core/option_arguments.h"
#include "engine/session/what_if.h"

#include <QSettings>

#include <algorithm>
#include <utility>

namespace gelens {
namespace {

using Kind = PreferenceInfo::Kind;
using Page = PreferencePage;

template <typename Value, typename Name>
QStringList namesUpTo(Value last, Name nameOf)
{
    QStringList names;
    for (int i = 0; i <= static_cast<int>(last); ++i) {
        const auto name = nameOf(static_cast<Value>(i));
        names +=
            QString::fromUtf8(std::string_view(name).data(), static_cast<qsizetype>(std::string_view(name).size()));
    }
    return names;
}

PreferenceInfo flag(Preference id, const char* key, Page page, bool isOn) { return {id, key, page, Kind::Flag, isOn}; }

PreferenceInfo number(Preference id, const char* key, Page page, int initial, int least, int most)
{
    return {id, key, page, Kind::Number, initial, least, most};
}

PreferenceInfo choice(Preference id, const char* key, Page page, const QStringList& choices)
{
    return {id, key, page, Kind::Choice, choices.first(), 0, 0, choices};
}

QStringList words(std::initializer_list<const char*> texts)
{
    QStringList list;
    for (const char* text : texts) list += QLatin1String(text);
    return list;
}

std::vector<PreferenceInfo> makePreferences()
{
    using P = Preference;
    return {
        number(P::FontPoints, "font_points", Page::General, 0, 0, 24), // 0: the system's
        number(P::RecentFiles, "recent_files_kept", Page::General, 10, 0, 50),
        number(P::AutosaveSeconds, "autosave_seconds", Page::General, 1, 0, 600), // 0: never
        choice(P::Precision, "run/precision", Page::Compile,
               namesUpTo(PrecisionMode::AllowMixPrecision, precisionName)),
        choice(P::MemoryPolicy, "run/memory_policy", Page::Compile, namesUpTo(MemoryPolicy::Optimal, memoryPolicyName)),
        number(P::PlannerSeconds, "run/planner_seconds", Page::Compile, 0, 0, 3600), // 0: a budget in steps
        flag(P::VerifyAfterRun, "run/verify", Page::Compile, false),
        number(P::VerifySeconds, "run/verify_seconds", Page::Compile, 0, 0, 86400),      // 0: no limit
        {P::DumpFolder, "run/dump_folder", Page::Compile, Kind::Folder, QString()},      // empty: none are written
        choice(P::DumpDetail, "run/dump_detail", Page::Compile, words({"2", "1", "3"})), // as DUMP_GE_GRAPH
        choice(P::GraphMode, "graph/mode", Page::Graph, words({"side_by_side", "overlay", "single"})),
        choice(P::GraphColours, "graph/colour_by", Page::Graph,
               words({"unit", "operator_class", "engine", "stream", "data_type", "format", "latency", "memory",
                      "origin"})),
        flag(P::FoldBlocks, "graph/fold_blocks", Page::Graph, true),
        flag(P::FoldScopes, "graph/fold_scopes", Page::Graph, true),
        flag(P::EdgeShapes, "graph/edge_shapes", Page::Graph, true),
        flag(P::EdgeDataTypes, "graph/edge_data_types", Page::Graph, false),
        flag(P::EdgeFormats, "graph/edge_formats", Page::Graph, true),
        flag(P::Constants, "graph/constants", Page::Graph, false),
        flag(P::MiniMap, "graph/mini_map", Page::Graph, true),
        flag(P::Animations, "graph/animations", Page::Graph, true),
    };
}

bool isAllowed(const PreferenceInfo& info, const QVariant& value)
{
    switch (info.kind) {
    case Kind::Flag: return value.canConvert<bool>();
    case Kind::Number: {
        bool ok = false;
        const int number = value.toInt(&ok);
        return ok && number >= info.least && number <= info.most;
    }
    case Kind::Choice: return info.choices.contains(value.toString());
    case Kind::Folder: return value.canConvert<QString>();
    }
    return false;
}

/// The settings file holds texts.
QVariant typed(const PreferenceInfo& info, const QVariant& value)
{
    switch (info.kind) {
    case Kind::Flag: return value.toBool();
    case Kind::Number: return value.toInt();
    case Kind::Choice:
    case Kind::Folder: break;
    }
    return value.toString();
}

} // namespace

const std::vector<PreferenceInfo>& preferences()
{
    static const std::vector<PreferenceInfo> all = makePreferences();
    return all;
}

const PreferenceInfo& preferenceInfo(Preference preference)
{
    const auto& all = preferences();
    return *std::find_if(all.begin(), all.end(), [=](const PreferenceInfo& info) { return info.id == preference; });
}

QVariant preference(Preference preference)
{
    const PreferenceInfo& info = preferenceInfo(preference);
    const QVariant stored = QSettings().value(QLatin1String(info.key));
    return stored.isValid() && isAllowed(info, stored) ? typed(info, stored) : info.initial;
}

void setPreference(Preference preference, const QVariant& value)
{
    const PreferenceInfo& info = preferenceInfo(preference);
    if (!isAllowed(info, value)) return;
    QSettings settings;
    if (typed(info, value) == info.initial)
        settings.remove(QLatin1String(info.key));
    else
        settings.setValue(QLatin1String(info.key), typed(info, value));
}

bool isPreferenceChanged(Preference preference)
{
    return gelens::preference(preference) != preferenceInfo(preference).initial;
}

CompileOptions preferredOptions()
{
    CompileOptions options;
    options.precision =
        valueNamed(preference(Preference::Precision).toString(), PrecisionMode::AllowMixPrecision, precisionName)
            .value_or(options.precision);
    options.memoryPolicy =
        valueNamed(preference(Preference::MemoryPolicy).toString(), MemoryPolicy::Optimal, memoryPolicyName)
            .value_or(options.memoryPolicy);
    options.timeLimitSeconds = preference(Preference::PlannerSeconds).toInt();
    options.verify = preference(Preference::VerifyAfterRun).toBool();
    return options;
}

} // namespace gelens
