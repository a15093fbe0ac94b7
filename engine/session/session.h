#pragma once
// One opened model and the runs made on it: the door through which the window and the command line reach the engine.

#include "engine/session/run.h"
#include "engine/spec/om_details.h"

#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

/// Called on the working thread, a few times a second at most. `done`/`total` count passes (or what `what` says).
struct Progress {
    std::string what; ///< "reading", "FlashAttentionFusionPass", "memory" …
    int done = 0, total = 0;
};
using ProgressFunction = std::function<void(const Progress&)>;

/// Where a run stands, for an observer that looks at it from within. Valid during the call only.
class RunPosition {
public:
    virtual ~RunPosition() = default;
    /// The pass under way with the edits that it has made so far, or the step that has just ended.
    virtual const Step& step() const = 0;
    virtual const Graph& graph() const = 0;
    virtual const Journal& journal() const = 0;
    /// Planned peak in bytes; 0 before memory is planned.
    virtual std::int64_t plannedPeak() const { return 0; }
    /// Nothing is compiled: steps come without edits.
    virtual bool isLightweight() const { return false; }
    /// The steps so far as a run to look at; the one under way is its last. It is replayed from the journal and shares
    /// nothing with the run, which may go on. Time is linear in the edits since the snapshot before.
    virtual std::shared_ptr<const Run> snapshot() const = 0;
};

/// Watches a run; called on the compile thread, which may be held there; must not change the graph.
class RunObserver {
public:
    virtual ~RunObserver() = default;
    /// Returning false skips the pass, unless what follows needs it. `pass` is GE's name of it; several steps may bear it.
    virtual bool beforePass(const std::string& /*pass*/, const Graph&) { return true; }
    virtual void afterStep(const Step&, const Graph&) {}
    // A pass begins, has written a record of the journal, has ended (right after afterStep).
    virtual void passBegins(const RunPosition&) {}
    virtual void passEdited(const RunPosition&) {}
    virtual void passEnded(const RunPosition&) {}
    /// Numbers are about to be computed: of `position.step()`, or of the device in one more order where that is the last
    /// step. The snapshot is the whole run with what was proved so far.
    virtual void stepVerifies(const RunPosition&) {}
};

struct ModelInfo {
    std::string path, name;
    std::string format; ///< "ONNX", "OM", "ge_proto" …
    /// Whether the graph comes from GE, with the descriptors that it worked out: all formats but one are its own.
    bool isGeGraph() const { return format != "ONNX"; }
    std::string producer;
    std::int64_t fileBytes = 0;
    std::vector<std::pair<std::string, std::int64_t>> opsets; ///< domain → version
    struct Port {
        std::string name;
        DataType dtype = DataType::Undefined;
        Shape shape;
    };
    std::vector<Port> inputs, outputs;
    std::int64_t weightBytes = 0;
    bool weightsPresent = true;
    int operators = 0, graphNodes = 0;
    std::vector<std::pair<std::string, int>> histogram; ///< operators by GE type, most frequent first
    std::vector<Message> messages;
    bool carriesPlan = false;            ///< an OM with a compiled plan
    std::shared_ptr<const OmDetails> om; ///< of an OM file; null otherwise
};

class KernelCache;
/// A cache to share between sessions.
std::shared_ptr<KernelCache> makeKernelCache();

class Session {
public:
    /// Opens a model of any supported format, recognised by its content. Errors are one sentence with file and place.
    static Result<std::shared_ptr<Session>> open(const std::string& path, const CompileOptions& options = {},
                                                 const ProgressFunction& progress = {}, std::stop_token stop = {});
    /// Opens it as what a person says it is: one of readerKinds() (formats/open_as.h).
    static Result<std::shared_ptr<Session>> openAs(const std::string& path, const std::string& kind,
                                                   const CompileOptions& options = {},
                                                   const ProgressFunction& progress = {}, std::stop_token stop = {});
    /// A session on a graph that no file holds as it is (the part of one card). `info` names the model it comes from; what the
    /// graph itself tells (ports, counts, weights) is filled in here. `options`: those that its shapes were made with.
    static std::shared_ptr<Session> ofGraph(std::shared_ptr<const Graph> graph, ModelInfo info,
                                            const CompileOptions& options);
    /// Another session on the same model, for a run with these options beside the runs of this one, also while this one
    /// is at work. The file is read again only where the options set other shapes. Errors: those of reading, and shapes
    /// set anew for a graph that no file holds.
    Result<std::shared_ptr<Session>> beside(const CompileOptions& options, const ProgressFunction& progress = {},
                                            std::stop_token stop = {}) const;
    ~Session();

    const ModelInfo& info() const;
    /// The graph as read. Never changes.
    std::shared_ptr<const Graph> importedGraph() const;

    /// Runs the pipeline. Fails only when nothing could be run at all (unknown SoC, bad option, bad rule switch file,
    /// mode refused, shapes set anew for a graph that no file holds); a pass that fails gives a Run with `failed` set and
    /// everything up to it.
    Result<std::shared_ptr<const Run>> run(const CompileOptions& options, RunObserver* observer = nullptr,
                                           const ProgressFunction& progress = {}, std::stop_token stop = {});

    /// Kernels compiled so far are shared by all sessions that are given the same cache.
    void setKernelCache(std::shared_ptr<KernelCache> cache);

private:
    Session();
    struct State;
    mutable std::mutex m_mutex; ///< of the pointer: a run with other shapes puts a new state in its place
    std::shared_ptr<State> m_state;
};

/// Built-in SoC names, in catalogue order; and the profile of one of them (or of an ini file).
std::vector<std::string> socNames();
Result<SocSpec> loadSoc(const CompileOptions& options);

/// Folder with rules, SoC profiles and help: $GELENS_RESOURCES, else beside the program, else the source tree's.
std::string resourceFolder();

} // namespace gelens
