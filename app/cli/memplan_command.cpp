#include "app/cli/command_internal.h"
#include "engine/formats/model_file.h"
#include "engine/memory/csv_instance.h"
#include "engine/memory/lower_bound.h"
#include "engine/memory/plan.h"
#include "engine/memory/sizes.h"
#include "engine/memory/validator.h"
#include "engine/report/memory_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <ostream>
#include <sstream>

namespace gelens::cli {
namespace {

// A bare instance is text; more than this is not one that anybody planned by hand or by program.
constexpr std::streamoff maxCsvBytes = std::streamoff{256} << 20;

struct Arguments {
    std::string file, policy = "best";
    std::int64_t capacity = 0;
    double timeLimit = 0;
    bool asJson = false, explains = false, isMemoryPriority = false, isReuseOff = false;
};

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

MemoryOptions memoryOptions(const Arguments& arguments)
{
    constexpr std::pair<const char*, MemoryPolicy> policies[] = {{"best", MemoryPolicy::Best},
                                                                 {"ge", MemoryPolicy::Ge},
                                                                 {"simple", MemoryPolicy::Simple},
                                                                 {"greedy", MemoryPolicy::Greedy},
                                                                 {"optimal", MemoryPolicy::Optimal}};
    MemoryOptions options;
    for (const auto& [name, policy] : policies)
        if (arguments.policy == name) options.policy = policy;
    options.timeLimitSeconds = arguments.timeLimit;
    options.isGeMemoryPriority = arguments.isMemoryPriority;
    options.isGeReuseOff = arguments.isReuseOff;
    return options;
}

/// A header with MiniMalloc's columns in its first line that says anything.
bool looksLikeCsv(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string head(1024, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    const auto start = head.find_first_not_of("\xEF\xBB\xBF\r\n \t");
    if (start == std::string::npos) return false;
    const std::string line = head.substr(start, head.find('\n', start) - start);
    return line.find(',') != std::string::npos && line.find("lower") != std::string::npos &&
           line.find("upper") != std::string::npos;
}

Result<std::string> readText(const std::string& path)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) return Error::io("cannot open the file", path);
    const std::streamoff size = file.tellg();
    if (size < 0 || size > maxCsvBytes) return Error::invalid("too large for a list of buffers", path);
    std::string text(static_cast<std::size_t>(size), '\0');
    file.seekg(0);
    file.read(text.data(), size);
    if (!file) return Error::io("cannot read the file", path);
    return text;
}

Result<MemplanReport> planCsv(const Arguments& arguments)
{
    GELENS_ASSIGN(const std::string text, readText(arguments.file));
    GELENS_ASSIGN(const CsvInstance instance, readCsvInstance(text, arguments.file));
    MemplanReport report;
    const auto start = Clock::now();
    report.lowerBound = lowerBound(instance.items).bytes;
    // What no plan can reach is not searched for: the best plan within the usual budget is the answer then.
    const std::int64_t wanted = arguments.capacity >= report.lowerBound ? arguments.capacity : 0;
    const PlanResult plan = planItems(instance.items, memoryOptions(arguments), wanted, &report.policy);
    report.seconds = secondsSince(start);
    report.peak = plan.peak;
    report.isProvedOptimal = plan.isProvedOptimal || plan.peak == report.lowerBound;
    for (std::size_t i = 0; i < instance.ids.size(); ++i) report.offsets.emplace_back(instance.ids[i], plan.offsets[i]);
    if (const auto violations = validateOffsets(instance.items, plan.offsets, 0, 1); !violations.empty())
        return Error{
            ErrorCode::Internal, "the planner made a bad plan: " + violations.front().text, arguments.file, {}};
    return report;
}

/// The order of the file where it is one that can run; else the graph's own.
std::vector<NodeId> orderOf(const Graph& graph)
{
    const std::vector<NodeId>& nodes = graph.nodes(rootGraph);
    std::vector<std::size_t> place(static_cast<std::size_t>(graph.nodeIdBound()), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i) place[static_cast<std::size_t>(nodes[i].value)] = i;
    for (const NodeId id : nodes) {
        const Node& node = graph.node(id);
        const auto isLate = [&](NodeId before) {
            return before.isValid() &&
                   place[static_cast<std::size_t>(before.value)] >= place[static_cast<std::size_t>(id.value)];
        };
        for (const InputSlot& slot : node.inputs)
            if (isLate(slot.source.node)) return {};
        for (const NodeId before : node.controlInputs)
            if (isLate(before)) return {};
    }
    return nodes;
}

LifetimeOptions lifetimesOf(const Graph& graph)
{
    LifetimeOptions lifetimes;
    lifetimes.order = orderOf(graph);
    lifetimes.streams.assign(static_cast<std::size_t>(graph.nodeIdBound()), 0);
    for (const NodeId id : graph.nodes(rootGraph))
        lifetimes.streams[static_cast<std::size_t>(id.value)] =
            std::max<std::int64_t>(0, graph.node(id).placement.streamId);
    return lifetimes;
}

/// `messages`: what the reader of the file had to say.
Result<MemplanReport> planGraph(const Arguments& arguments, std::vector<Message>& messages)
{
    GELENS_ASSIGN(const ModelDocument document, openModel(arguments.file));
    const Graph& graph = document.graph;
    messages = document.messages;
    MemoryOptions options = memoryOptions(arguments);
    options.lifetimes = lifetimesOf(graph);
    options.lifetimes.inPlace = InPlaceRule::Stated;
    const auto start = Clock::now();
    GELENS_ASSIGN(const MemoryPlan plan, planMemory(graph, options));
    MemplanReport report;
    report.seconds = secondsSince(start);
    if (!plan.isComplete)
        return Error::invalid(
            "some tensors have no known size, so their memory cannot be planned (shapes are not inferred here)",
            arguments.file);
    report.isGraph = true;
    report.policy = plan.policy;
    report.strategy = plan.strategy.empty() ? plan.policy : plan.strategy;
    report.candidates = plan.candidates;
    report.peak = report.featureMap = plan.totals.featureMapPeak;
    report.lowerBound = plan.totals.lowerBound;
    report.isProvedOptimal = plan.isProvedOptimal;
    report.zeroCopy = plan.totals.zeroCopy;
    report.weights = plan.totals.weights;
    report.unshared = plan.totals.unshared;
    report.gePeak = plan.totals.gePeak;
    const BlockLayout layout = BlockLayout::of(plan);
    for (const NodeId id : plan.order) {
        const Node& node = graph.node(id);
        if (isConstantType(node.type)) continue;
        for (int i = 0; i < node.outputCount(); ++i) {
            const MemoryBuffer* buffer = plan.bufferOf(node.output(i));
            if (!buffer || buffer->kind == BufferKind::Weight) continue;
            report.offsets.emplace_back(fmt::format("{}:{}", node.name, i), layout.offsetOf(plan, node.output(i)));
        }
    }
    for (const MemoryBuffer& buffer : plan.buffers)
        if (buffer.kind == BufferKind::Workspace) report.offsets.emplace_back(buffer.name, buffer.offset);
    report.peakReport = explainPeak(graph, plan);
    if (arguments.explains) {
        SavingOptions savings;
        savings.lifetimes = options.lifetimes;
        GELENS_ASSIGN(report.savings, rankPeakSavings(graph, plan, savings));
    }
    return report;
}

void print(std::ostream& out, const MemplanReport& report)
{
    out << fmt::format("{}: {} buffers, policy {}\n", report.file,
                       grouped(static_cast<std::int64_t>(report.offsets.size())), report.policy);
    out << fmt::format(
        "peak {} B, lower bound {} B ({:.2f} %){}, {:.4f} s\n", grouped(report.peak), grouped(report.lowerBound),
        report.lowerBound > 0 ? 100.0 * static_cast<double>(report.peak) / static_cast<double>(report.lowerBound)
                              : 100.0,
        report.isProvedOptimal ? ", proved optimal" : "", report.seconds);
    if (report.capacity > 0)
        out << fmt::format("capacity {} B: {}\n", grouped(report.capacity),
                           report.peak <= report.capacity ? "fits" : "does NOT fit");
    if (report.isGraph) {
        out << fmt::format(
            "feature map {} B, zero-copy {} B, weights {} B; unshared {} B, GE's policy {} B; strategy {}\n",
            grouped(report.featureMap), grouped(report.zeroCopy), grouped(report.weights), grouped(report.unshared),
            grouped(report.gePeak), report.strategy);
        out << fmt::format("\npeak at task {} ('{}'):\n", report.peakReport.position, report.peakReport.nodeName);
        for (const PeakTensor& tensor : report.peakReport.tensors)
            out << fmt::format("  {:>14} B {:>5.1f} %  {}\n", grouped(tensor.blockBytes), 100 * tensor.share,
                               tensor.name);
        if (!report.savings.empty()) out << "\nwhat would lower it:\n";
        for (const PeakSaving& saving : report.savings)
            out << fmt::format("  saves {:>14} B  {:<9}  {}\n", grouped(saving.saves), peakActionName(saving.action),
                               saving.text);
    }
    out << "\nid,offset\n";
    for (const auto& [id, offset] : report.offsets) out << id << ',' << offset << '\n';
}

int execute(const Arguments& arguments, const Environment& environment)
{
    std::vector<Message> messages;
    auto report = looksLikeCsv(arguments.file) ? planCsv(arguments) : planGraph(arguments, messages);
    if (!report.ok()) {
        Error error = report.error();
        for (const Message& message : messages)
            if (message.severity != Severity::Info && error.causes.empty())
                error.causes.push_back(message.text); // sizes may be unknown because the file is cut short
        return environment.fail(error);
    }
    report->file = arguments.file;
    report->capacity = arguments.capacity;
    if (arguments.asJson)
        environment.out << memplanToJson(*report);
    else {
        printWarnings(environment.out, messages, arguments.file);
        if (report->isGraph && arguments.isMemoryPriority)
            environment.out
                << "planned in the order of the file; GE itself orders the nodes anew when memory comes first\n";
        print(environment.out, *report);
    }
    return arguments.capacity > 0 && report->peak > arguments.capacity ? Differs : Done;
}

} // namespace

Command memplanCommand(CLI::App& parent, const Environment& environment)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app =
        parent.add_subcommand("memplan", "plan buffers from a CSV file, or the memory of a graph as it stands");
    app->add_option("FILE", arguments->file,
                    "CSV with id,lower,upper,size (upper is exclusive), a GE dump, its JSON, .air or OM")
        ->required();
    app->add_option("--capacity", arguments->capacity, "bytes that must do: searched until the plan fits")
        ->check(bytesCheck());
    app->add_option("--policy,--memory-policy", arguments->policy, "best, ge, simple, greedy or optimal")
        ->check(CLI::IsMember({"best", "ge", "simple", "greedy", "optimal"}))
        ->capture_default_str();
    app->add_option("--time-limit", arguments->timeLimit, "seconds for planners that search")->check(secondsCheck());
    app->add_flag("--memory-priority", arguments->isMemoryPriority,
                  "policy ge: as with ge.exec.memoryOptimizationPolicy=MemoryPriority, four more assigners");
    app->add_flag("--disable-reuse", arguments->isReuseOff, "policy ge: as with ge.exec.disableReuseMemory=1");
    app->add_flag("--explain", arguments->explains,
                  "also say what would lower the peak of a graph, planned anew for each change");
    app->add_flag("--json", arguments->asJson, "print one JSON object");
    return {app, [arguments, environment] { return execute(*arguments, environment); }};
}

} // namespace gelens::cli
