#pragma once
// The operator that autofusion makes: a group of vector operators as one kernel, its parts kept as a graph.

#include "engine/graph/graph.h"

#include <memory>
#include <string_view>

namespace gelens {

inline constexpr std::string_view ascBackendType = "AscBackend";
/// Attribute that holds the parts (a graph); its Data nodes carry `index`, its NetOutput gives the outputs in order.
inline constexpr std::string_view ascGraphAttr = "_asc_graph";
/// Attribute that spells the parts out: kernels of equal shapes and other parts are other kernels.
inline constexpr std::string_view ascBodyAttr = "body";

/// The parts of an AscBackend node; null for other nodes.
std::shared_ptr<const Graph> ascGraphOf(const AttrMap& attrs);

} // namespace gelens
