#pragma once
// In what ways a step changed a node that stayed.

#include "engine/spec/graph_diff.h"

#include <cstdint>
#include <vector>

namespace gelens {

/// Bits of a byte.
enum class ChangeAspect : std::uint8_t { Type, Name, Attribute, DataType, Format, Shape, Wiring, Placement };
inline constexpr std::size_t changeAspectCount = 8;

/// Of a node's changed fields; bit i stands for the aspect of that number.
std::uint8_t changeAspects(const std::vector<FieldChange>& fields);

} // namespace gelens
