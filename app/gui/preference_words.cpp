#include "app/gui/preference_words.h"

#include "viewers/models/option_words.h"

#include "app/core/option_arguments.h"
#include "engine/session/what_if.h"

#include <QCoreApplication>

namespace gelens::words {
namespace {

struct PreferenceWords {
    Q_DECLARE_TR_FUNCTIONS(gelens::PreferenceWords)
};

} // namespace

using P = Preference;

QString preference(Preference preference)
{
    switch (preference) {
    case P::FontPoints: return PreferenceWords::tr("Size of letters");
    case P::RecentFiles: return PreferenceWords::tr("Recent files kept");
    case P::AutosaveSeconds: return PreferenceWords::tr("Keep the session for a crash after");
    case P::Precision: return PreferenceWords::tr("Precision");
    case P::MemoryPolicy: return PreferenceWords::tr("Memory policy");
    case P::PlannerSeconds: return PreferenceWords::tr("Time for planners that search");
    case P::VerifyAfterRun: return PreferenceWords::tr("Verify after each run");
    case P::VerifySeconds: return PreferenceWords::tr("Time for verification");
    case P::DumpFolder: return PreferenceWords::tr("Folder for GE's dumps");
    case P::DumpDetail: return PreferenceWords::tr("What dumps hold");
    case P::GraphMode: return PreferenceWords::tr("Comparison");
    case P::GraphColours: return PreferenceWords::tr("Colour by");
    case P::FoldBlocks: return PreferenceWords::tr("Fold repeated blocks");
    case P::FoldScopes: return PreferenceWords::tr("Group by scopes");
    case P::EdgeShapes: return PreferenceWords::tr("Shapes on edges");
    case P::EdgeDataTypes: return PreferenceWords::tr("Data types on edges");
    case P::EdgeFormats: return PreferenceWords::tr("Formats on edges");
    case P::Constants: return PreferenceWords::tr("Constants as nodes");
    case P::MiniMap: return PreferenceWords::tr("Map of the graph");
    case P::Animations: return PreferenceWords::tr("Moving blocks");
    }
    return {};
}

QString preferenceToolTip(Preference preference)
{
    switch (preference) {
    case P::FontPoints: return PreferenceWords::tr("Of all texts but those inside the graph, which is zoomed");
    case P::RecentFiles: return PreferenceWords::tr("In the File menu and on the welcome page");
    case P::AutosaveSeconds: return PreferenceWords::tr("After a change; a start after a crash offers what was kept");
    case P::Precision: return PreferenceWords::tr("Of models opened from now on; ATC's own default is force_fp16");
    case P::MemoryPolicy: return PreferenceWords::tr("How addresses are planned in models opened from now on");
    case P::PlannerSeconds:
        return PreferenceWords::tr("With a limit in seconds a plan may differ from machine to machine");
    case P::VerifyAfterRun:
        return PreferenceWords::tr("Models opened or run again from now on are computed before and after each step");
    case P::VerifySeconds:
        return PreferenceWords::tr("What is not proved when it is over stays unproved; a pause does not count");
    case P::DumpFolder:
        return PreferenceWords::tr("Every compile writes its phases into a folder of the model's name here");
    case P::DumpDetail: return PreferenceWords::tr("As the values 1, 2 and 3 of DUMP_GE_GRAPH");
    case P::GraphMode: return PreferenceWords::tr("How the two steps are shown");
    case P::GraphColours: return PreferenceWords::tr("What the colour of a node's stripe stands for");
    case P::FoldBlocks: return PreferenceWords::tr("A layer that comes again is drawn once, with its count");
    case P::FoldScopes: return PreferenceWords::tr("Nodes are grouped by the scopes in their names");
    case P::EdgeShapes: return PreferenceWords::tr("The shape of a tensor is written on its edge");
    case P::EdgeDataTypes: return PreferenceWords::tr("The data type of a tensor is written on its edge");
    case P::EdgeFormats:
        return PreferenceWords::tr("The format of a tensor is written on its edge where it is not plain (ND)");
    case P::Constants: return PreferenceWords::tr("Constants are drawn as nodes of their own");
    case P::MiniMap: return PreferenceWords::tr("The whole graph in a corner when only a part is in view");
    case P::Animations: return PreferenceWords::tr("Blocks glide to their new places when one is opened or folded");
    }
    return {};
}

QString preferenceChoice(Preference preference, const QString& choice)
{
    const auto is = [&choice](const char* name) { return choice == QLatin1String(name); };
    if (preference == P::Precision)
        return precision(valueNamed(choice, PrecisionMode::AllowMixPrecision, precisionName)
                             .value_or(PrecisionMode::MustKeepOriginDtype));
    if (preference == P::MemoryPolicy)
        return memoryPolicy(valueNamed(choice, MemoryPolicy::Optimal, memoryPolicyName).value_or(MemoryPolicy::Best));
    if (preference == P::DumpDetail) {
        if (is("1")) return PreferenceWords::tr("everything, weights too (1)");
        return is("2") ? PreferenceWords::tr("no weights (2)") : PreferenceWords::tr("structure only (3)");
    }
    if (preference == P::GraphMode) {
        if (is("side_by_side")) return PreferenceWords::tr("Before | after");
        return is("overlay") ? PreferenceWords::tr("Overlay") : PreferenceWords::tr("After only");
    }
    if (is("unit")) return PreferenceWords::tr("Unit");
    if (is("operator_class")) return PreferenceWords::tr("Operator class");
    if (is("engine")) return PreferenceWords::tr("Engine");
    if (is("stream")) return PreferenceWords::tr("Stream");
    if (is("data_type")) return PreferenceWords::tr("Data type");
    if (is("format")) return PreferenceWords::tr("Format");
    if (is("latency")) return PreferenceWords::tr("Latency, estimated");
    if (is("memory")) return PreferenceWords::tr("Memory of results");
    return PreferenceWords::tr("Made by pass");
}

QString preferenceZero(Preference preference)
{
    switch (preference) {
    case P::FontPoints: return PreferenceWords::tr("As the system");
    case P::RecentFiles: return PreferenceWords::tr("none");
    case P::AutosaveSeconds: return PreferenceWords::tr("never");
    case P::PlannerSeconds: return PreferenceWords::tr("a fixed number of tries");
    case P::VerifySeconds: return PreferenceWords::tr("no limit");
    default: return {};
    }
}

QString preferenceUnit(Preference preference)
{
    switch (preference) {
    case P::FontPoints: return PreferenceWords::tr(" pt");
    case P::AutosaveSeconds:
    case P::PlannerSeconds:
    case P::VerifySeconds: return PreferenceWords::tr(" s");
    default: return {};
    }
}

} // namespace gelens::words
