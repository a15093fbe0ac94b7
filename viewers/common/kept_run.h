#pragma once
// A run that was kept beside the run of its model.

#include "engine/session/run.h"

#include <QString>

#include <memory>
#include <vector>

namespace gelens {

/// One run that was kept, with its name. Without a run and without cards it is under way, or failed with `error`.
struct KeptRun {
    int id = -1;
    QString name;
    CompileOptions options;
    std::shared_ptr<const Run> run;
    QString error;
    bool isRunning = false;
    std::vector<std::shared_ptr<const Run>> cards; ///< in place of `run`, where the options ask for several cards
};

} // namespace gelens
