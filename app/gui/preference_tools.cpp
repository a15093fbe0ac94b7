#include "app/gui/preference_tools.h"

#include "app/gui/appearance.h"
#include "app/gui/main_window.h"
#include "app/gui/session_keeper.h"
#include "viewers/graph/graph_view.h"

#include <QStatusBar>

namespace gelens {
namespace {

bool isOn(Preference id) { return preference(id).toBool(); }

/// The choices of a preference stand in the order of the enumeration that they speak of.
template <typename Value>
Value chosen(Preference id)
{
    return static_cast<Value>(preferenceInfo(id).choices.indexOf(preference(id).toString()));
}

} // namespace

PreferenceTools::PreferenceTools(MainWindow* window) : QObject(window), m_window(window)
{
    connect(window->jobs(), &ModelJobs::verifyStopped, this, [this](int, int seconds) {
        m_window->statusBar()->showMessage(
            tr("Verification was stopped after %1 s, as the settings ask; nothing was proved.").arg(seconds), 15000);
    });
    connect(window->jobs(), &ModelJobs::dumpFailed, this, [this](int, const QString& sentence) {
        m_window->showFailure(preference(Preference::DumpFolder).toString(), sentence);
    });
}

void PreferenceTools::applyAll()
{
    for (const PreferenceInfo& info : preferences()) apply(info.id);
}

void PreferenceTools::apply(Preference id)
{
    using P = Preference;
    GraphView* graph = m_window->graphView();
    switch (id) {
    case P::FontPoints: applyFontPoints(preference(id).toInt()); return;
    case P::RecentFiles:
        m_window->updateRecentMenu();
        m_window->updateCentre();
        return;
    case P::AutosaveSeconds: m_window->sessionKeeper()->setAutosaveSeconds(preference(id).toInt()); return;
    case P::Precision:
    case P::MemoryPolicy:
    case P::PlannerSeconds:
    case P::VerifyAfterRun: return; // asked for when a model is opened (preferredOptions)
    case P::VerifySeconds:
    case P::DumpFolder:
    case P::DumpDetail:
        m_window->jobs()->setHabits({preference(P::VerifySeconds).toInt(),
                                     preference(P::DumpFolder).toString().toStdString(),
                                     preference(P::DumpDetail).toString().toInt()});
        return;
    case P::GraphMode: return graph->setMode(chosen<GraphMode>(id));
    case P::GraphColours: return graph->setColorBy(chosen<ColorBy>(id));
    case P::FoldBlocks:
    case P::FoldScopes: return graph->setFolding({isOn(P::FoldScopes), isOn(P::FoldBlocks)});
    case P::EdgeShapes:
    case P::EdgeDataTypes:
    case P::EdgeFormats: return graph->setLabels({isOn(P::EdgeShapes), isOn(P::EdgeDataTypes), isOn(P::EdgeFormats)});
    case P::Constants: return graph->setShowConstants(isOn(id));
    case P::MiniMap: return graph->setMapShown(isOn(id));
    case P::Animations: return graph->setAnimated(isOn(id));
    }
}

} // namespace gelens
