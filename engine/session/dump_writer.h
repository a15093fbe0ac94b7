#pragma once
// Writes GE's graph dumps while a run goes on: DUMP_GE_GRAPH and its companions, or --dump-dir.

#include "engine/session/session.h"

#include <memory>
#include <string>

namespace gelens {

/// Writes as the run goes on; what cannot be written does not stop the run.
class DumpObserver : public RunObserver {
public:
    /// The first file that could not be written, when there is one.
    virtual const Status& status() const = 0;
};

/// An observer that dumps the phases that DUMP_GE_GRAPH, DUMP_GRAPH_LEVEL, DUMP_GRAPH_PATH and DUMP_GRAPH_FORMAT ask
/// for. A non-empty `folder` turns dumps on (level of detail 2 unless DUMP_GE_GRAPH says otherwise) and gets the files
/// directly; a `detail` above 0 stands in for DUMP_GE_GRAPH; DUMP_GRAPH_PATH gets GE's pid_<p>_deviceid_<d>/ below it; with no path at all dumps go to /tmp/ge_graph/.
/// Null when dumps are off. Errors: the folder cannot be made.
Result<std::unique_ptr<DumpObserver>> makeDumpWriter(const std::string& folder = {}, int detail = 0);

} // namespace gelens
