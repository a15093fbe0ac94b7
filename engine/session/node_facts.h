#pragma once
// What a viewer asks about a single node, without seeing the operator registry.

#include "engine/graph/node.h"
#include "engine/spec/unit.h"

#include <string_view>

namespace gelens {

/// The unit that runs a node. An engine already written on the node by placement wins over the registry's default.
Unit nodeUnit(const Node& node);
FusionClass nodeClass(const Node& node);
/// "C", "V", "M", "H", "R"; "·" for nodes without a task.
std::string_view nodeUnitSign(Unit unit);

} // namespace gelens
