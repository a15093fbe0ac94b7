#include "app/gui/graph_drawing.h"

#include "viewers/graph/graph_view.h"
#include "viewers/models/words.h"

#include <algorithm>

namespace gelens {
namespace {

using P = Preference;

QString everyBlock() { return QStringLiteral("*"); }

/// Position among the choices; those of a flag begin with the shipped one.
int positionOf(const GraphView& graph, Preference preference)
{
    const auto flag = [preference](bool isOn) {
        return static_cast<int>(isOn != preferenceInfo(preference).initial.toBool());
    };
    switch (preference) {
    case P::GraphMode: return static_cast<int>(graph.mode());
    case P::GraphColours: return static_cast<int>(graph.colorBy());
    case P::FoldBlocks: return flag(graph.folding().byBlocks);
    case P::FoldScopes: return flag(graph.folding().byScopes);
    case P::EdgeShapes: return flag(graph.labels().shape);
    case P::EdgeDataTypes: return flag(graph.labels().dataType);
    case P::EdgeFormats: return flag(graph.labels().format);
    case P::Constants: return flag(graph.showsConstants());
    default: return 0;
    }
}

} // namespace

DrawingWords drawingOf(const GraphView& graph)
{
    DrawingWords words;
    for (const Preference each : drawingPreferences())
        if (const int position = positionOf(graph, each); position > 0)
            words[drawingKey(each)] = drawingChoices(each).value(position);
    return words;
}

void applyDrawing(GraphView& graph, const DrawingWords& words)
{
    const auto position = [&words](Preference preference) {
        const auto found = words.find(drawingKey(preference));
        return found == words.end()
                   ? 0
                   : std::max<int>(static_cast<int>(drawingChoices(preference).indexOf(found->second)), 0);
    };
    const auto isOn = [&](Preference preference) {
        return preferenceInfo(preference).initial.toBool() != (position(preference) > 0);
    };
    graph.setMode(static_cast<GraphMode>(position(P::GraphMode)));
    graph.setColorBy(static_cast<ColorBy>(position(P::GraphColours)));
    graph.setFolding({isOn(P::FoldScopes), isOn(P::FoldBlocks)});
    graph.setLabels({isOn(P::EdgeShapes), isOn(P::EdgeDataTypes), isOn(P::EdgeFormats)});
    graph.setShowConstants(isOn(P::Constants));
}

std::optional<QStringList> openBlocksOf(const GraphView& graph)
{
    const auto open = graph.chosenBlocks();
    if (!open) return std::nullopt;
    if (graph.areAllOpen()) return QStringList{everyBlock()};
    QStringList keys;
    for (const std::string& key : *open) keys += words::text(key);
    return keys;
}

void applyOpenBlocks(GraphView& graph, const QStringList& keys)
{
    if (keys == QStringList{everyBlock()}) return graph.openAll();
    std::set<std::string> open;
    for (const QString& key : keys) open.insert(key.toStdString());
    graph.openBlocks(std::move(open));
}

} // namespace gelens
