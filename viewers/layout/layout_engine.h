#pragma once
// The one way in for viewers: chooses the engine, keeps the last drawings.

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>

#include "viewers/layout/layout_types.h"

namespace gelens {

/// Safe to use from several threads at once. A caller that wants to show something at once calls `firstPicture` and
/// then, off the window's thread, `refine`; one that can wait calls `layout`.
///
/// Equal graphs (the same boxes and edges, whatever they are called) are laid out once: laying out each repeated block
/// of a model through one engine costs one layout for all of them.
class LayoutEngine {
public:
    /// `cachedItems`: how many nodes and edges, over all kept drawings, are remembered.
    explicit LayoutEngine(std::size_t cachedItems = 400000) : m_capacity(cachedItems) {}

    /// With `Auto`: Graphviz if the graph is small and the answer comes in its budget, our own otherwise. An engine
    /// asked for by name is the one taken, and its error is the caller's.
    LayoutResult layout(const LayoutGraph& graph, const LayoutOptions& options);

    /// Our own layout: milliseconds for thousands of nodes.
    LayoutResult firstPicture(const LayoutGraph& graph, const LayoutOptions& options);

    /// Graphviz's, if it is worth asking and answers in its budget. Nothing means: keep the first picture.
    std::optional<LayoutResult> refine(const LayoutGraph& graph, const LayoutOptions& options);

    /// Graphviz's drawing if it is remembered; asks nobody.
    std::optional<LayoutResult> knownRefinement(const LayoutGraph& graph, const LayoutOptions& options);

    /// Whether `Auto` would ask Graphviz.
    static bool suitsGraphviz(const LayoutGraph& graph, const LayoutOptions& options);

private:
    struct Entry {
        std::size_t hash;
        LayoutEngineKind engine;
        LayoutGraph graph;
        LayoutOptions options;
        std::shared_ptr<const LayoutResult> result;
        std::size_t items;
    };

    LayoutResult cached(const LayoutGraph& graph, const LayoutOptions& options, LayoutEngineKind engine);
    std::shared_ptr<const LayoutResult> find(std::size_t hash, const LayoutGraph& graph, const LayoutOptions& options,
                                             LayoutEngineKind engine);
    void keep(Entry entry);

    std::mutex m_mutex;
    std::list<Entry> m_entries; ///< the last used first
    std::size_t m_items = 0;
    std::size_t m_capacity;
};

} // namespace gelens
