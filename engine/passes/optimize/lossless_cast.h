#pragma once
// Which conversions of element type lose nothing.

#include "engine/graph/data_type.h"

namespace gelens {

/// True where every value of `from` is a value of `to`: wider integers, wider floats.
inline bool castLosesNothing(DataType from, DataType to)
{
    if (from == to) return true;
    if (from == DataType::Bool) return true;
    if (isFloating(from) && isFloating(to))
        return to == DataType::Double || (to == DataType::Float && from != DataType::Double);
    if (isInteger(from) && isInteger(to))
        return dataTypeBits(to) > dataTypeBits(from) && (isSignedInteger(to) || isUnsignedInteger(from));
    return false;
}

} // namespace gelens
