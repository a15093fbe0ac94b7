#pragma once
// Reader of CANN's platform ini files (data/platform_config/<SoC>.ini).

#include "engine/graph/result.h"
#include "engine/spec/soc_spec.h"

#include <string>
#include <vector>

namespace gelens {

/// Reads one profile. Unknown sections and keys are kept in `raw` and otherwise ignored; a missing or empty number
/// leaves the field at its default. Errors: the file cannot be read, a line is not `key=value`, a number is not one,
/// or the file states no SoC_version and no name can be taken from it. There is no limit on the length of a line.
Result<SocSpec> readSocIni(const std::string& path);
Result<SocSpec> parseSocIni(std::string_view text, const std::string& path);

/// The profiles of a folder, by file name without ".ini", sorted.
std::vector<std::string> socNamesIn(const std::string& folder);

} // namespace gelens
