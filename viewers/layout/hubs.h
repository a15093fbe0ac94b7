#pragma once
// Hubs: nodes such as rotary tables, masks and position ids that feed every layer of a model. Drawn in full, their
// edges make a drawing wide and unreadable, and they cost any layered layout most of its time. Here the edges to be
// drawn as stubs are chosen; the layout engines only see the rest.

#include "viewers/layout/layout_types.h"

namespace gelens {

struct HubPlan {
    std::vector<uint8_t> stubbed; ///< one for each edge: 1 = drawn as a stub
    std::vector<int32_t> hubs;    ///< the nodes that lose edges, ascending
    bool cancelled = false;
};

/// A hub has at least `hubMinFanOut` consumers whose rows spread over at least `hubMinSpan` rows. Its edges to the
/// consumers near the first one stay, so that it is drawn beside them; the rest become stubs. Linear.
HubPlan planHubs(const LayoutGraph& graph, const LayoutOptions& options);

/// Stubs as many of the longest edges as it takes to keep the number of rows crossed by long edges, summed over
/// producers (edges of one producer share a line), at `limit` or less. This bounds memory for any input, for example
/// a chain of which every node also feeds the last. Returns the number of edges newly stubbed.
std::size_t stubLongest(const LayoutGraph& graph, std::span<const int32_t> rank, std::span<const uint8_t> reversed,
                        std::size_t limit, std::vector<uint8_t>& stubbed);

} // namespace gelens
