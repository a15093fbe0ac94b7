#pragma once
// The steps from a folded graph to a drawing; private to viewers/scene.

#include "viewers/scene/scene.h"

namespace gelens {

/// Asks for memory that is read a little later: it comes while something else is worked on. Changes nothing else.
inline void willRead([[maybe_unused]] const void* address)
{
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(address);
#endif
}

class SceneBuilder {
public:
    SceneBuilder(std::shared_ptr<Scene> scene, LayoutEngine& engine, SceneChange change, const Scene* previous,
                 const OriginMap& origins, std::stop_token stop);
    bool run(); ///< false when stopped

private:
    struct Place {
        std::int32_t level = -1, item = -1;
        bool isValid() const { return item >= 0; }
        bool operator==(const Place&) const = default;
    };

    // scene_items.cpp
    void findVisible();
    /// Looked at in long loops; a stop is rare, and asking costs an atomic read.
    bool isStopped() { return ++m_looks % 256 == 0 && m_stop.stop_requested(); }
    bool isInside(int group) const { return m_isInside[static_cast<std::size_t>(group)] != 0; }
    bool isBeyond(NodeId id) const;
    void connectBeyond(const Node& node, Place place);
    void lookAhead(const std::vector<NodeId>& nodes, std::size_t at) const;
    bool isShown(NodeId id) const { return m_isShown[static_cast<std::size_t>(id.value)] != 0; }
    void makeItems();
    Place placeOf(NodeId id) const;
    void makeEdges();
    void connect(Place from, Place to, OutputRef value, bool isControl, bool isOwnership);
    std::int32_t edgeIn(std::int32_t level, std::int32_t from, std::int32_t to, OutputRef value, bool isControl,
                        bool isOwnership);
    static void begin(SceneEdge& edge, std::int32_t from, std::int32_t to, OutputRef value, bool isOwnership);
    static void join(SceneEdge& edge, OutputRef value, bool isControl);
    Place port(std::int32_t level, OutputRef value, bool isInput);
    void markChanges();

    // scene_layout.cpp
    bool layOut();
    LayoutResult fresh(const LayoutGraph& graph);
    void pairWithPrevious();
    void addGhosts(SceneLevel& level, const SceneLevel& before);
    void sizeItems(SceneLevel& level);
    LayoutResult makeRoom(const SceneLevel& level, const SceneLevel& before);
    LayoutResult anchor(SceneLevel& level, const SceneLevel& before);
    void placeOrigins();
    LayoutOptions layoutOptions() const;

    // scene_drawing.cpp
    void draw();
    void drawBoxes(SceneLevel& level);
    void drawEdges(const SceneLevel& level);
    void drawPortLines(const SceneLevel& level);
    void drawStubs(const SceneLevel& level);
    void addLine(DrawnEdge edge, std::span<const DrawnPoint> points);
    std::vector<std::int32_t> labelledEdges() const;
    void lookAheadAtValues(const std::vector<std::int32_t>& edges, std::size_t at) const;
    void labelEdges();
    void noteChanges();
    void indexNodes();
    void makeSigns();
    void makeLegend();

    std::shared_ptr<Scene> m_scene;
    const Graph& m_graph;
    const FoldModel& m_fold;
    LayoutEngine& m_engine;
    SceneChange m_change;
    const Scene* m_previous;
    const OriginMap& m_origins;
    std::stop_token m_stop;

    int m_root = 0;                         ///< group that is drawn as the graph
    double m_refineMs = 0;                  ///< spent on Graphviz so far
    std::vector<std::uint8_t> m_isInside;   ///< by group: the root or below it
    std::vector<std::uint8_t> m_isShown;    ///< by node
    std::vector<std::uint8_t> m_isConstant; ///< by node; empty when constants are shown as nodes
    std::vector<int> m_shownBelow;          ///< by group: shown nodes at any depth
    std::vector<int> m_foldedInto;          ///< by group: outermost folded block that holds it, -1 when open
    std::vector<int> m_levelOf;             ///< by group: level of an open block
    std::vector<Place> m_itemOfGroup;
    std::vector<std::int32_t> m_itemOfNode; ///< index in the level of the node's group
    std::vector<std::unordered_map<std::uint64_t, std::int32_t>> m_edgeIndex; ///< by level
    std::unordered_map<ItemKey, std::int32_t, ItemKeyHash> m_ports;           ///< key's id holds level and node
    std::vector<const SceneLevel*> m_before;            ///< by level: the same block in the previous scene
    std::vector<std::vector<std::int32_t>> m_boxOfItem; ///< by level and item
    int m_nextHub = 1;
    std::uint32_t m_looks = 0;
};

/// Item key of a block: the same in every step.
std::int64_t groupKeyHash(std::string_view key);

} // namespace gelens
