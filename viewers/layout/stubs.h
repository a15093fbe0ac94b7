#pragma once
// What all engines share: box sizes made safe, stubs and bounds added to a result whose boxes and routes are placed.

#include "viewers/layout/layout_types.h"

namespace gelens {

/// A length fit for arithmetic: finite, between 1 and a million pixels.
double safeLength(double length);

/// Fills `stubs` and `hubs` of a result whose centres are set.
void addStubs(const LayoutGraph& graph, std::span<const uint8_t> stubbed, const LayoutOptions& options,
              LayoutResult& result);

/// Sets `bounds` from boxes, routes and stubs.
void measureBounds(const LayoutGraph& graph, LayoutResult& result);

/// Measures the bounds and moves everything so that their corner is (0, 0).
void moveToOrigin(const LayoutGraph& graph, LayoutResult& result);

} // namespace gelens
