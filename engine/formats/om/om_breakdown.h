#pragma once
// Where the bytes of an OM file go. Private to this folder.

#include "engine/graph/graph.h"
#include "engine/spec/om_details.h"

namespace gelens::om {

/// Looks at the bytes of constants only where two of equal size lie at different places. What no partition holds
/// (headers, tables, padding) counts as other bytes, so that all together are the file.
OmBreakdown breakdownOf(const Graph& graph, const OmDetails& details, std::int64_t fileBytes);

} // namespace gelens::om
