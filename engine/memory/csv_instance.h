#pragma once
// Bare planning problems as CSV: `id,lower,upper,size`, the form that MiniMalloc reads and writes.

#include "engine/graph/result.h"
#include "engine/memory/plan_item.h"

#include <string>
#include <string_view>
#include <vector>

namespace gelens {

struct CsvInstance {
    std::vector<std::string> ids; ///< as written, in the order of the lines
    std::vector<PlanItem> items;
};

/// A header names the columns in any order: `id`, `lower`, `upper` (exclusive) and `size` must be there; `alignment` may
/// be if it is 1 everywhere, `hint` and other columns are passed over; `gaps` must be empty. CRLF, a byte-order mark and empty lines are fine.
/// Errors name file and line: a missing column, too few fields, no integer, upper < lower, a negative size, an id that
/// comes twice, sums beyond 2^62.
Result<CsvInstance> readCsvInstance(std::string_view text, std::string_view fileName);

} // namespace gelens
