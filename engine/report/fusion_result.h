#pragma once
// fusion_result.json as CANN writes it: how often each fusion pass matched and took effect.

#include "engine/session/run.h"

#include <string>

namespace gelens {

/// The whole file for one run: key `session_and_graph_id_<session>_<graph>`, in it `graph_fusion` and `ub_fusion` with one
/// object for each pass that matched at least once. All numbers are strings, keys are sorted, the indent is four spaces.
/// Rules that share a GE pass name are counted together.
std::string fusionResultJson(const Run& run, int session = 0, int graph = 0);

} // namespace gelens
