#pragma once
// What `info --json` tells of an OM file; private to this folder.

#include "engine/report/json_internal.h"

namespace gelens::report {

Json omToJson(const OmDetails& om);

} // namespace gelens::report
