#include "engine/session/session.h"

#include "engine/formats/model_file.h"
#include "engine/formats/open_as.h"
#include "engine/fusion/fusion_switch.h"
#include "engine/graph/log.h"
#include "engine/passes/pipeline.h"
#include "engine/session/finish_run.h"
#include "engine/session/light_run.h"
#include "engine/session/run_watcher_internal.h"
#include "engine/session/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>

namespace gelens {

struct Session::State {
    ModelInfo info;
    std::shared_ptr<const Graph> graph;
    std::vector<Message> readMessages;
    std::string readAs;         ///< what a person said that the file is; empty: its content told
    CompileOptions readOptions; ///< the input shapes the file was read with
    bool isGraphAlone = false;  ///< no file holds the graph as it is, so there is none to read again
    double readMilliseconds = 0;
    std::shared_ptr<KernelCache> kernels = std::make_shared<KernelCache>();
};

Session::Session() : m_state(std::make_shared<State>()) {}
Session::~Session() = default;

const ModelInfo& Session::info() const { return m_state->info; }
std::shared_ptr<const Graph> Session::importedGraph() const { return m_state->graph; }
std::shared_ptr<KernelCache> makeKernelCache() { return std::make_shared<KernelCache>(); }

void Session::setKernelCache(std::shared_ptr<KernelCache> cache) { m_state->kernels = std::move(cache); }

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::vector<ModelInfo::Port> portsOf(const Graph& graph, bool isInput)
{
    std::vector<ModelInfo::Port> ports;
    graph.forEachNode(rootGraph, [&](const Node& node) {
        if (isInput && node.type == "Data" && !node.outputs.empty())
            ports.push_back({node.name, node.outputs[0].desc.dtype, node.outputs[0].desc.originShape});
        if (!isInput && node.type == "NetOutput")
            for (const InputSlot& slot : node.inputs) {
                if (!slot.source.isValid()) continue;
                const TensorDesc& desc = graph.outputDesc(slot.source);
                const std::string name = attrString(slot.desc.attrs, "_origin_output_name");
                ports.push_back(
                    {name.empty() ? graph.node(slot.source.node).name : name, desc.dtype, desc.originShape});
            }
    });
    return ports;
}

/// What the graph alone tells.
void describeGraph(ModelInfo& info, const Graph& graph)
{
    info.inputs = portsOf(graph, true);
    info.outputs = portsOf(graph, false);
    info.histogram = operatorHistogram(graph);
    info.operators = 0;
    for (const auto& [type, count] : info.histogram) info.operators += count;
    info.graphNodes = graph.nodeCount();
}

ModelInfo infoOf(const ModelDocument& document)
{
    ModelInfo info;
    info.path = document.path;
    info.name = std::filesystem::path(document.path).stem().string();
    info.format = document.format;
    info.producer = document.producer;
    info.fileBytes = document.fileBytes;
    for (const auto& [domain, version] : document.opsets) info.opsets.emplace_back(domain, version);
    describeGraph(info, document.graph);
    info.weightBytes = document.weightBytes;
    info.weightsPresent = document.absentWeightCount == 0;
    info.messages = document.messages;
    info.om = document.om;
    info.carriesPlan = document.om && document.om->carriesPlan;
    return info;
}

/// Splits --set between inputs of the model and names of symbolic dims.
Result<ReadOptions> readOptionsFor(const CompileOptions& options, std::stop_token stop)
{
    ReadOptions read;
    read.stop = stop;
    for (const auto& [name, dims] : options.inputShapes) {
        read.inputShapes[name] = dims;
        // A single value may also bind a symbolic dim of that name; the reader takes whichever exists.
        if (dims.size() == 1) read.symbols[name] = dims[0];
    }
    return read;
}

/// Passes that a run is to leave out must exist, and what follows must be able to do without.
Status checkSkipped(const std::vector<std::string>& names, const std::vector<PassEntry>& entries)
{
    for (const std::string& name : names) {
        bool isKnown = false;
        for (const PassEntry& entry : entries) {
            if (!RunWatcher::isNamed({name}, entry.info)) continue;
            if (entry.isNeeded)
                return Error::invalid(fmt::format("the pass '{}' cannot be skipped: what follows needs it", name));
            isKnown = true;
        }
        if (!isKnown) return Error::notFound(fmt::format("there is no pass '{}' to skip", name));
    }
    return Status::success();
}

Step stepZero(const Graph& graph, const std::vector<Message>& messages, double milliseconds)
{
    Step step;
    step.id = StepId{0};
    step.stage = Stage::Parse;
    step.phase = "PreRunBegin";
    step.pass = "aclmdlLoadFromFile";
    step.summary = "The graph as read from the file.";
    step.milliseconds = milliseconds;
    step.before = step.after = statisticsOf(graph);
    step.messages = messages;
    step.isPhaseEnd = true;
    return step;
}

Status checkMode(const CompileOptions& options, const ModelInfo& info)
{
    if (options.mode == CompileMode::Light && !info.carriesPlan)
        return Error::invalid("light mode needs an OM file with a compiled plan; this file has none", info.path);
    if (options.mode == CompileMode::Full && info.carriesPlan)
        return Error::invalid("full mode is not possible: the file carries a compiled plan, its original graph is gone",
                              info.path);
    return Status::success();
}

std::string modeReasonFor(const ModelInfo& info)
{
    if (info.carriesPlan) return fmt::format("the file carries a compiled plan: {}", info.om->planReason);
    if (info.om) return fmt::format("the OM file carries no compiled plan: {}", info.om->planReason);
    return fmt::format("the {} file carries no compiled plan", info.format);
}

void noteFailure(Run& run, const Status& status)
{
    if (status.ok()) return;
    run.failed = true;
    run.wasCancelled = status.error().isCancelled();
    run.error = status.error();
    // The file comes first: a person with several models open must see which one is meant.
    if (!run.error->isCancelled() && run.error->where != run.modelPath)
        run.error->where = run.modelPath + (run.error->where.empty() ? "" : ": " + run.error->where);
}

/// Wall time, the proof by numbers where it is asked for, and the findings of all steps.
/// The run in a few lines, for the log: what it did, what came out, and what was found.
void logRun(const Run& run)
{
    const RunStatistics& s = run.statistics;
    const auto changed =
        std::count_if(run.steps.begin(), run.steps.end(), [](const Step& step) { return step.hasChanged(); });
    log(LogLevel::Info, "compile",
        fmt::format("'{}' on {}: {} steps, {} of them changed the graph, {:.1f} ms", run.modelName, run.soc.name,
                    run.steps.size(), changed, s.engineMilliseconds));
    if (run.error)
        log(LogLevel::Error, "compile", run.error->message());
    else
        log(LogLevel::Info, "compile",
            fmt::format("'{}': {} operators, {} tasks, memory {} bytes, estimated {:.2f} ms", run.modelName,
                        s.nodes.after, s.tasks.after, s.memoryAfter, s.latencyUs.after / 1000));
    for (const Message& message : run.messages)
        if (message.severity != Severity::Info)
            log(message.severity == Severity::Error ? LogLevel::Error : LogLevel::Warning, "compile", message.text);
}

/// `held`: milliseconds that the run stood still, for whoever watched it.
void conclude(Run& run, Clock::time_point start, double held, RunObserver* observer, const ProgressFunction& progress,
              std::stop_token stop)
{
    run.statistics.engineMilliseconds = std::max(millisecondsSince(start) - held, 0.0);
    const double read = run.steps.empty() ? 0 : run.steps.front().milliseconds;
    if (!run.failed)
        (run.mode == "light" ? run.statistics.lightLoadMs : run.statistics.fullLoadMs) =
            read + run.statistics.engineMilliseconds;
    if (run.options.verify && !run.failed) {
        if (progress) progress({"verify", 0, 1});
        run.verification = verifyRun(run, progress, stop, [&](const Verification& soFar, StepId next) {
            if (observer != nullptr) observer->stepVerifies(VerifyPosition(run, soFar, next));
        });
    }
    for (const Step& step : run.steps)
        for (const Message& message : step.messages) run.messages.push_back(message);
    logRun(run);
    if (progress) progress({"done", 1, 1});
}

} // namespace

Result<std::shared_ptr<Session>> Session::open(const std::string& path, const CompileOptions& options,
                                               const ProgressFunction& progress, std::stop_token stop)
{
    return openAs(path, {}, options, progress, stop);
}

Result<std::shared_ptr<Session>> Session::openAs(const std::string& path, const std::string& kind,
                                                 const CompileOptions& options, const ProgressFunction& progress,
                                                 std::stop_token stop)
{
    const auto start = Clock::now();
    if (progress) progress({"reading", 0, 1});
    GELENS_ASSIGN(const ReadOptions read, readOptionsFor(options, stop));
    GELENS_ASSIGN(ModelDocument document, kind.empty() ? openModel(path, read) : openModelAs(path, kind, read));
    std::shared_ptr<Session> session(new Session);
    State& state = *session->m_state;
    state.info = infoOf(document);
    state.readMessages = document.messages;
    state.graph = std::make_shared<Graph>(std::move(document.graph));
    state.readAs = kind;
    state.readOptions = options;
    state.readMilliseconds = millisecondsSince(start);
    log(LogLevel::Info, "parse",
        fmt::format("aclmdlLoadFromFile('{}'): {} graph nodes, {:.1f} ms", path, state.info.graphNodes,
                    state.readMilliseconds));
    return session;
}

std::shared_ptr<Session> Session::ofGraph(std::shared_ptr<const Graph> graph, ModelInfo info,
                                          const CompileOptions& options)
{
    std::shared_ptr<Session> session(new Session);
    State& state = *session->m_state;
    describeGraph(info, *graph);
    info.weightBytes = 0;
    info.weightsPresent = true;
    graph->forEachNode(rootGraph, [&](const Node& node) {
        const Tensor* value = node.outputs.empty() ? nullptr : graph->constantOf(node.output());
        if (value == nullptr) return;
        info.weightBytes += storageBytes(value->desc.dtype, value->desc.shape).value_or(0);
        info.weightsPresent = info.weightsPresent && value->isPresent();
    });
    state.info = std::move(info);
    state.graph = std::move(graph);
    state.readOptions = options;
    state.isGraphAlone = true;
    return session;
}

Result<std::shared_ptr<Session>> Session::beside(const CompileOptions& options, const ProgressFunction& progress,
                                                 std::stop_token stop) const
{
    std::shared_ptr<const State> state;
    {
        const std::scoped_lock lock(m_mutex);
        state = m_state;
    }
    std::shared_ptr<Session> session;
    if (options.inputShapes == state->readOptions.inputShapes) {
        session.reset(new Session);
        *session->m_state = *state;
    } else if (state->isGraphAlone) {
        return Error::invalid(
            "this part keeps the input shapes that the model was split with; set them for the whole model and split it again",
            state->info.name);
    } else {
        // Shapes are bound while reading, so that everything behind sees one model.
        GELENS_ASSIGN(session, openAs(state->info.path, state->readAs, options, progress, stop));
        session->setKernelCache(state->kernels);
    }
    return session;
}

Result<std::shared_ptr<const Run>> Session::run(const CompileOptions& options, RunObserver* observer,
                                                const ProgressFunction& progress, std::stop_token stop)
{
    const auto start = Clock::now();
    if (options.inputShapes != m_state->readOptions.inputShapes) {
        GELENS_ASSIGN(const auto again, beside(options, progress, stop));
        const std::scoped_lock lock(m_mutex);
        m_state = again->m_state;
    }
    GELENS_TRY(checkMode(options, m_state->info));
    GELENS_ASSIGN(SocSpec soc, loadSoc(options));
    auto run = std::make_shared<Run>();
    run->modelName = m_state->info.name;
    run->modelPath = m_state->info.path;
    run->sourceFormat = m_state->info.format;
    run->soc = std::move(soc);
    run->options = options;
    run->mode = m_state->info.carriesPlan ? "light" : "full";
    run->modeReason = modeReasonFor(m_state->info);
    if (m_state->info.carriesPlan) {
        if (!options.skippedPasses.empty())
            return Error::invalid("the file carries a compiled plan: there is no pass to skip", m_state->info.path);
        const Graph& graph = *m_state->graph;
        run->steps.push_back(stepZero(graph, m_state->readMessages, m_state->readMilliseconds));
        if (observer != nullptr) observer->afterStep(run->steps.front(), graph);
        double held = 0;
        noteFailure(*run, runLight(*run, graph, *m_state->info.om, *m_state->kernels, observer, progress, stop, &held));
        GELENS_TRY(finishRun(*run, nullptr, {}, {}, stop)); // the original graph is gone: nothing before to measure
        conclude(*run, start, held, observer, progress, stop);
        return std::shared_ptr<const Run>(std::move(run));
    }

    std::vector<std::filesystem::path> folders{resourceFolder() + "/rules"};
    folders.insert(folders.end(), options.ruleFolders.begin(), options.ruleFolders.end());
    const RuleSet rules = RuleSet::load(folders, run->messages);
    FusionSwitch switches;
    if (!options.fusionSwitchFile.empty()) {
        GELENS_ASSIGN(switches, FusionSwitch::load(options.fusionSwitchFile));
        for (Message& message : switches.unknownNames(rules)) run->messages.push_back(std::move(message));
    }
    switches.addOptions(options);

    const std::vector<PassEntry> entries = fullPipeline(rules, switches);
    GELENS_TRY(checkSkipped(options.skippedPasses, entries));
    Graph graph = *m_state->graph;
    auto journal = std::make_shared<Journal>();
    GraphEditor edit(graph, *journal);
    PassContext context{run->soc, options, rules, switches, *m_state->kernels, stop, {}, {}, {}, {}, {}, {}};
    context.isGeGraph = m_state->info.isGeGraph();
    run->steps.push_back(stepZero(graph, m_state->readMessages, m_state->readMilliseconds));
    RunWatcher watcher(*run, rules, edit, observer, progress);
    watcher.watchPlan(context.plan);
    if (observer != nullptr) observer->afterStep(run->steps.front(), graph);
    const Status status = runPipeline(entries, edit, context, run->steps, {&watcher});
    noteFailure(*run, status);
    run->plan = std::move(context.plan);
    run->tasks = std::move(context.tasks);
    run->timeline = std::move(context.timeline);
    run->setGraph(std::make_shared<Graph>(graph), journal);
    GELENS_TRY(finishRun(*run, watcher.imported(), rules, switches, stop));
    conclude(*run, start, watcher.heldMilliseconds(), observer, progress, stop);
    return std::shared_ptr<const Run>(std::move(run));
}

} // namespace gelens
