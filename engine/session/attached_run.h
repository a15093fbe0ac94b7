#pragma once
// An OM with the model that it was compiled from: what the file lacks (the graph before, its figures) comes from there.

#include "engine/session/session.h"

#include <memory>
#include <stop_token>
#include <string>

namespace gelens {

/// The run of an OM with one step more at its start: the original model. Node ids of the OM's graph stay, so that plan,
/// tasks and timeline keep their meaning. The original is compiled by our pipeline for the figures before and for the
/// load time by full compilation. Errors: the original cannot be opened or compiled, or `om` is no lightweight run.
Result<std::shared_ptr<const Run>> attachOriginal(std::shared_ptr<const Run> om, const std::string& originalPath,
                                                  const ProgressFunction& progress = {}, std::stop_token stop = {});

} // namespace gelens
