#pragma once
// The steps from a folded graph to a drawing; private to viewers/scene.

#include "viewers/scene/rect_grid.h"
#include "viewers/scene/scene.h"
#include "viewers/scene/will_read.h"

#include <limits>
#include <utility>

namespace gelens {

/// Works on the levels of a scene from the inside out. A level that the previous scene has too, and that is the same
/// whatever else is open, is taken over; when all are new this is a build from nothing.
class SceneBuilder {
public:
    SceneBuilder(std::shared_ptr<Scene> scene, LayoutEngine& engine, SceneChange change, const Scene* previous,
                 const OriginMap& origins, std::stop_token stop);
    /// Takes over from `previous`, but stands beside another drawing, which has been folded already.
    void standBeside(const Scene& otherBefore, const Scene& other);
    bool takesOver() const { return m_takesOver; }
    bool run(); ///< false when stopped

private:
    struct Place {
        std::int32_t level = -1, item = -1;
        bool isValid() const { return item >= 0; }
        bool operator==(const Place&) const = default;
    };

    struct RoutedEdge {
        std::int32_t edge = -1, drawn = -1; ///< among the level's edges, and among those of them that have a route
    };
    /// What is to be written beside a line, in the level's own coordinates.
    struct Label {
        std::int32_t drawn = -1; ///< as above
        double x = 0, y = 0, width = 0;
        std::string text;
    };
    /// What is to be written above a changed node.
    struct NotePlace {
        std::size_t item = 0;
        std::string text;
        double cardRight = 0;                           ///< in the level's own coordinates
        SceneRect strip;                                ///< above the card, and beside that
        std::vector<std::pair<double, double>> taken{}; ///< of the strip, from x to x
    };
    /// A level in the making.
    struct Part {
        const SceneLevel* taken = nullptr; ///< of the previous scene: its content is taken over; null: made here
        bool isDirty = true;               ///< its places are not those of `taken`
        bool isOuter = false;              ///< taken, but a block directly inside is made here
        std::shared_ptr<LevelContent> content;
        std::shared_ptr<LevelPlaces> places;
        std::vector<DrawnBox> cards;                               ///< made here: one for each item
        std::vector<std::pair<std::int32_t, DrawnBox>> otherCards; ///< taken: items that look different now
        std::vector<Label> labels;
        std::unordered_map<std::uint64_t, std::int32_t> edgeIndex;
    };

    // scene_visible.cpp
    void findVisible();
    void findFolded();
    void makeLevels();
    void findDirty();

    // scene_items.cpp
    /// Looked at in long loops; a stop is rare, and asking costs an atomic read.
    bool isStopped() { return ++m_looks % 256 == 0 && m_stop.stop_requested(); }
    bool isBeyond(NodeId id) const;
    void connectBeyond(const Node& node, Place place);
    void lookAhead(const std::vector<NodeId>& nodes, std::size_t at) const;
    bool isShown(NodeId id) const { return m_visibility->isShown[static_cast<std::size_t>(id.value)] != 0; }
    void makeItems();
    void makeItems(int level);
    void lookAtBlocks(int level);
    Place placeOf(NodeId id) const;
    Place placeOfGroup(int group) const;
    void makeEdges();
    void connectInputs(NodeId id);
    std::vector<std::uint8_t> readersToConnect() const;
    void indexOuterLevels();
    void connect(Place from, Place to, OutputRef value, bool isControl, bool isOwnership);
    std::int32_t edgeIn(std::int32_t level, std::int32_t from, std::int32_t to, OutputRef value, bool isControl,
                        bool isOwnership);
    static void begin(SceneEdge& edge, std::int32_t from, std::int32_t to, OutputRef value, bool isOwnership);
    static void join(SceneEdge& edge, OutputRef value, bool isControl);
    static ItemKey portKey(std::int32_t level, OutputRef value, bool isInput);
    static std::uint64_t edgeKey(std::int32_t from, std::int32_t to)
    {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(from)) << 32 | static_cast<std::uint32_t>(to);
    }
    Place port(std::int32_t level, OutputRef value, bool isInput);
    bool isMade(std::int32_t level) const { return part(level).taken == nullptr; }
    bool isMadeGroup(int group) const;
    void markChanges();

    // scene_layout.cpp
    bool layOut();
    bool placeLevels();
    bool isCrowded() const;
    LayoutResult fresh(const LayoutGraph& graph);
    void pairWithPrevious();
    void addGhosts(int level, const SceneLevel& before);
    void sizeItems(int level);
    void sizeFrame(const SceneItem& item, DrawnBox& box) const;
    LayoutResult placed(int level, const SceneLevel* before);
    DrawnBox& cardOf(int level, std::size_t item);
    LayoutResult makeRoom(int level, const SceneLevel& before);
    LayoutResult anchor(int level, const SceneLevel& before);
    bool standsAt(int level, const LayoutResult& layout, const SceneLevel& other) const;
    void placeOrigins();
    LayoutOptions layoutOptions() const;

    // scene_drawing.cpp
    void draw();
    void drawBoxes(int level);
    static void placeBox(DrawnBox& box, const SceneLevel& level, std::size_t item);
    void drawEdges(int level);
    void drawPortLines(int level);
    void drawStubs(int level);
    void addLine(DrawnEdge edge, std::span<const DrawnPoint> points);
    void makeSigns();
    void makeLegend();

    // scene_labels.cpp
    /// What a label and a note must not run into, in the block's own coordinates.
    struct Taken {
        RectGrid boxes;
        double right = std::numeric_limits<double>::infinity(); ///< border of the block
        bool isCovered(const SceneRect& area) const
        {
            return area.right > right || boxes.meetsAny(area, [](std::int32_t) { return true; });
        }
    };
    Taken takenIn(int level) const;
    void chooseLabels(int level);
    void drawLabels(int level);
    std::vector<RoutedEdge> labelledEdges(int level) const;
    std::string labelText(OutputRef value, std::string& room, double& width) const;
    static void placeLabel(DrawnEdge& edge, const SceneLevel& level, std::span<const LayoutPoint> route);
    void lookAheadAtValues(const std::vector<SceneEdge>& lines, const std::vector<RoutedEdge>& edges,
                           std::size_t at) const;

    // scene_notes.cpp
    std::vector<NotePlace> notesOf(int level) const;
    void noteChanges(int level);

    // scene_nodes.cpp
    void indexNodes();
    void indexConstants();
    void carryNodes();
    std::int32_t& boxOf(NodeId id);

    Part& part(std::int32_t level) { return m_parts[static_cast<std::size_t>(level)]; }
    const Part& part(std::int32_t level) const { return m_parts[static_cast<std::size_t>(level)]; }
    SceneLevel& levelAt(std::int32_t level) { return m_scene->levels[static_cast<std::size_t>(level)]; }
    const SceneLevel& levelAt(std::int32_t level) const { return m_scene->levels[static_cast<std::size_t>(level)]; }
    int levelOf(int group) const { return m_scene->levelOf[static_cast<std::size_t>(group)]; }
    int foldedInto(int group) const { return m_scene->foldedInto[static_cast<std::size_t>(group)]; }

    std::shared_ptr<Scene> m_scene;
    const Graph& m_graph;
    const FoldModel& m_fold;
    LayoutEngine& m_engine;
    SceneChange m_change;
    const Scene* m_previous;               ///< what blocks are taken over from, or make room in
    const Scene* m_anchor;                 ///< whose places are kept to the last bit; null: none
    const Scene* m_anchorBefore = nullptr; ///< with a previous scene: how that one was folded before
    const OriginMap& m_origins;
    std::stop_token m_stop;

    const SceneVisibility* m_visibility = nullptr;
    bool m_takesOver = false;                                       ///< from `m_previous`
    bool m_keepsPlaces = true;                                      ///< those of `m_anchor`
    double m_refineMs = 0;                                          ///< spent on Graphviz so far
    std::vector<Part> m_parts;                                      ///< by level
    std::unordered_map<ItemKey, std::int32_t, ItemKeyHash> m_ports; ///< key's id holds level and node
    std::vector<const SceneLevel*> m_before; ///< by level: the same block in the scene that its places come from
    int m_nextHub = 1;
    std::uint32_t m_looks = 0;
};

/// Item key of a block: the same in every step.
std::int64_t groupKeyHash(std::string_view key);

/// Where everything of a drawing lies.
void measureDrawing(GraphDrawing& drawing);

} // namespace gelens
